; SPDX-License-Identifier: BSD-3-Clause
define internal void @_Z11golden_pollPViPi(ptr noundef %0, ptr noundef %1) {
  %3 = alloca ptr
  %4 = alloca i32
  %5 = alloca i32
  %6 = alloca i32
  %7 = alloca i8
  %8 = alloca ptr
  %9 = alloca ptr
  store ptr %0, ptr %8
  store ptr %1, ptr %9
  br label %10
10:
  %11 = load ptr, ptr %8
  call void @ash_kernel_polled()
  %12 = load volatile i32, ptr %11
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %14, label %15
14:
  br label %10
15:
  br label %16
16:
  %17 = load ptr, ptr %9
  store ptr %17, ptr %3
  store i32 0, ptr %4
  store i32 1, ptr %5
  %18 = load ptr, ptr %3
  %19 = load i32, ptr %5
  store i32 %19, ptr %6
  %20 = load i32, ptr %4
  %21 = load i32, ptr %6
  call void @ash_kernel_polled()
  %22 = cmpxchg ptr %18, i32 %20, i32 %21 monotonic monotonic
  %23 = extractvalue { i32, i1 } %22, 0
  %24 = extractvalue { i32, i1 } %22, 1
  br i1 %24, label %26, label %25
25:
  store i32 %23, ptr %4
  br label %26
26:
  %27 = zext i1 %24 to i8
  store i8 %27, ptr %7
  %28 = load i8, ptr %7
  %29 = trunc i8 %28 to i1
  %30 = load i32, ptr %4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %33
32:
  br label %16
33:
  ret void
}
define internal void @thunk._Z11golden_pollPViPi(ptr %0) {
  %2 = getelementptr ptr, ptr %0, i64 0
  %3 = load ptr, ptr %2
  %4 = load ptr, ptr %3
  %5 = getelementptr ptr, ptr %0, i64 1
  %6 = load ptr, ptr %5
  %7 = load ptr, ptr %6
  call void @_Z11golden_pollPViPi(ptr %4, ptr %7)
  ret void
}
