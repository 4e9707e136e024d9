; SPDX-License-Identifier: BSD-3-Clause
define internal void @_Z10golden_ptxPj(i32* noundef %0) {
  %2 = alloca i32*
  %3 = alloca i32
  %4 = alloca i32
  store i32* %0, i32** %2
  %5 = call i32 @__anyshmem_nvvm_read_ptx_sreg_laneid()
  store i32 %5, i32* %3
  %6 = load i32, i32* %3
  %7 = call i32 @__anyshmem_ptx_add_u32(i32 %6, i32 5)
  store i32 %7, i32* %4
  %8 = load i32*, i32** %2
  %9 = load i32, i32* %4
  %10 = ptrtoint i32* %8 to i64
  %11 = add i64 %10, 0
  %12 = inttoptr i64 %11 to i32*
  store atomic i32 %9, i32* %12 release
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
