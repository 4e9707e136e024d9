define internal void @_Z11golden_pollPViPi(i32* noundef %0, i32* noundef %1) {
  %3 = alloca i32*
  %4 = alloca i32*
  store i32* %0, i32** %3
  store i32* %1, i32** %4
  br label %5
5:
  %6 = load i32*, i32** %3
  %7 = load volatile i32, i32* %6
  call void @ash_kernel_polled()
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %9, label %10
9:
  br label %5
10:
  br label %11
11:
  %12 = load i32*, i32** %4
  %13 = call noundef i32 @_ZL9atomicCASPiii(i32* noundef %12, i32 noundef 0, i32 noundef 1)
  %14 = icmp ne i32 %13, 0
  br i1 %14, label %15, label %16
15:
  br label %11
16:
  ret void
}
define internal void @thunk._Z11golden_pollPViPi(i8** %0) {
  %2 = getelementptr i8*, i8** %0, i64 0
  %3 = load i8*, i8** %2
  %4 = bitcast i8* %3 to i32**
  %5 = load i32*, i32** %4
  %6 = getelementptr i8*, i8** %0, i64 1
  %7 = load i8*, i8** %6
  %8 = bitcast i8* %7 to i32**
  %9 = load i32*, i32** %8
  call void @_Z11golden_pollPViPi(i32* %5, i32* %9)
  ret void
}
