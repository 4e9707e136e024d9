define internal void @_Z10golden_ptxPj(i32* noundef %0) {
  %2 = alloca i32*
  %3 = alloca i32
  %4 = alloca i32
  store i32* %0, i32** %2
  %5 = bitcast i32* %3 to i8*
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %5)
  %6 = bitcast i32* %4 to i8*
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %6)
  %7 = call i32 @__anyshmem_nvvm_read_ptx_sreg_laneid()
  store i32 %7, i32* %3
  %8 = load i32, i32* %3
  %9 = call i32 @__anyshmem_ptx_add_u32(i32 %8, i32 5)
  store i32 %9, i32* %4
  %10 = load i32*, i32** %2
  %11 = load i32, i32* %4
  %12 = ptrtoint i32* %10 to i64
  %13 = add i64 %12, 0
  %14 = inttoptr i64 %13 to i32*
  store atomic i32 %11, i32* %14 release
  %15 = bitcast i32* %4 to i8*
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %15)
  %16 = bitcast i32* %3 to i8*
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %16)
  ret void
}
define internal void @thunk._Z10golden_ptxPj(i8** %0) {
  %2 = getelementptr i8*, i8** %0, i64 0
  %3 = load i8*, i8** %2
  %4 = bitcast i8* %3 to i32**
  %5 = load i32*, i32** %4
  call void @_Z10golden_ptxPj(i32* %5)
  ret void
}
