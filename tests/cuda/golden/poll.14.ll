; SPDX-License-Identifier: BSD-3-Clause
define internal void @_Z11golden_pollPViPi(i32* noundef %0, i32* noundef %1) {
  %3 = alloca i32*
  %4 = alloca i32
  %5 = alloca i32
  %6 = alloca i32
  %7 = alloca i8
  %8 = alloca i32*
  %9 = alloca i32*
  store i32* %0, i32** %8
  store i32* %1, i32** %9
  br label %10
10:
  %11 = load i32*, i32** %8
  call void @ash_kernel_polled()
  %12 = load volatile i32, i32* %11
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %14, label %15
14:
  br label %10
15:
  br label %16
16:
  %17 = load i32*, i32** %9
  store i32* %17, i32** %3
  store i32 0, i32* %4
  store i32 1, i32* %5
  %18 = load i32*, i32** %3
  %19 = load i32, i32* %5
  store i32 %19, i32* %6
  %20 = load i32, i32* %4
  %21 = load i32, i32* %6
  call void @ash_kernel_polled()
  %22 = cmpxchg i32* %18, i32 %20, i32 %21 monotonic monotonic
  %23 = extractvalue { i32, i1 } %22, 0
  %24 = extractvalue { i32, i1 } %22, 1
  br i1 %24, label %26, label %25
25:
  store i32 %23, i32* %4
  br label %26
26:
  %27 = zext i1 %24 to i8
  store i8 %27, i8* %7
  %28 = load i8, i8* %7
  %29 = trunc i8 %28 to i1
  %30 = load i32, i32* %4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %33
32:
  br label %16
33:
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
