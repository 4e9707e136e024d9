; SPDX-License-Identifier: BSD-3-Clause
@golden_device.device.own = internal global i32 3
@golden_constant.device.own = internal global [2 x i32] [i32 4, i32 5]
@golden_managed.device.own = internal global i32 6
@llvm.compiler.used = appending global [3 x ptr] [ptr @golden_device.device.own, ptr @golden_constant.device.own, ptr @golden_managed.device.own], section "llvm.metadata"
@golden_managed.managed.device.own = internal global ptr @golden_managed.device.own
@golden_device.device = weak alias i32, ptr @golden_device.device.own
@golden_constant.device = weak alias [2 x i32], ptr @golden_constant.device.own
@golden_managed.device = weak alias i32, ptr @golden_managed.device.own
@golden_managed.managed.device = weak alias ptr, ptr @golden_managed.managed.device.own
define internal void @_Z16golden_variablesPi(ptr noundef %0) {
  %2 = alloca ptr
  %3 = load ptr, ptr @golden_managed.managed.device.own
  store ptr %0, ptr %2
  %4 = load i32, ptr @golden_device.device.own
  %5 = load i32, ptr getelementptr inbounds ([2 x i32], ptr @golden_constant.device.own, i64 0, i64 1)
  %6 = add nsw i32 %4, %5
  %7 = load i32, ptr %3
  %8 = add nsw i32 %6, %7
  %9 = load ptr, ptr %2
  store i32 %8, ptr %9
  ret void
}
define internal void @thunk._Z16golden_variablesPi(ptr %0) {
  %2 = getelementptr ptr, ptr %0, i64 0
  %3 = load ptr, ptr %2
  %4 = load ptr, ptr %3
  call void @_Z16golden_variablesPi(ptr %4)
  ret void
}
