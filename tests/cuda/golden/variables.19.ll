; SPDX-License-Identifier: BSD-3-Clause
@golden_device.device = global i32 3
@golden_constant.device = global [2 x i32] [i32 4, i32 5]
@golden_managed.device = global i32 6
@llvm.compiler.used = appending global [3 x ptr] [ptr @golden_device.device, ptr @golden_constant.device, ptr @golden_managed.device], section "llvm.metadata"
@golden_managed.managed.device = global ptr @golden_managed.device
define internal void @_Z16golden_variablesPi(ptr noundef %0) {
  %2 = alloca ptr
  %3 = load ptr, ptr @golden_managed.managed.device
  store ptr %0, ptr %2
  %4 = load i32, ptr @golden_device.device
  %5 = load i32, ptr getelementptr inbounds ([2 x i32], ptr @golden_constant.device, i64 0, i64 1)
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
