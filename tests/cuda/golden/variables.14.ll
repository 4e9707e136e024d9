; SPDX-License-Identifier: BSD-3-Clause
@golden_device.device.own = internal global i32 3
@golden_constant.device.own = internal global [2 x i32] [i32 4, i32 5]
@golden_managed.device.own = internal global i32 6
@llvm.compiler.used = appending global [3 x i8*] [i8* bitcast (i32* @golden_device.device.own to i8*), i8* bitcast ([2 x i32]* @golden_constant.device.own to i8*), i8* bitcast (i32* @golden_managed.device.own to i8*)], section "llvm.metadata"
@golden_managed.managed.device.own = internal global i8* bitcast (i32* @golden_managed.device.own to i8*)
@golden_device.device = weak alias i32, i32* @golden_device.device.own
@golden_constant.device = weak alias [2 x i32], [2 x i32]* @golden_constant.device.own
@golden_managed.device = weak alias i32, i32* @golden_managed.device.own
@golden_managed.managed.device = weak alias i8*, i8** @golden_managed.managed.device.own
define internal void @_Z16golden_variablesPi(i32* noundef %0) {
  %2 = alloca i32*
  %3 = load i8*, i8** @golden_managed.managed.device.own
  %4 = bitcast i8* %3 to i32*
  store i32* %0, i32** %2
  %5 = load i32, i32* @golden_device.device.own
  %6 = load i32, i32* getelementptr inbounds ([2 x i32], [2 x i32]* @golden_constant.device.own, i64 0, i64 1)
  %7 = add nsw i32 %5, %6
  %8 = load i32, i32* %4
  %9 = add nsw i32 %7, %8
  %10 = load i32*, i32** %2
  store i32 %9, i32* %10
  ret void
}
define internal void @thunk._Z16golden_variablesPi(i8** %0) {
  %2 = getelementptr i8*, i8** %0, i64 0
  %3 = load i8*, i8** %2
  %4 = bitcast i8* %3 to i32**
  %5 = load i32*, i32** %4
  call void @_Z16golden_variablesPi(i32* %5)
  ret void
}
