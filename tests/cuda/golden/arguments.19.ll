; SPDX-License-Identifier: BSD-3-Clause
define internal void @_Z16golden_arguments12golden_threebPf(ptr noundef byval(%struct.golden_three) align 4 %0, i1 noundef zeroext %1, ptr noundef %2) {
  %4 = alloca i8
  %5 = alloca ptr
  %6 = zext i1 %1 to i8
  store i8 %6, ptr %4
  store ptr %2, ptr %5
  %7 = load i8, ptr %4
  %8 = trunc i8 %7 to i1
  br i1 %8, label %9, label %15
9:
  %10 = getelementptr inbounds %struct.golden_three, ptr %0, i32 0, i32 0
  %11 = load float, ptr %10
  %12 = getelementptr inbounds %struct.golden_three, ptr %0, i32 0, i32 1
  %13 = load float, ptr %12
  %14 = fadd contract float %11, %13
  br label %18
15:
  %16 = getelementptr inbounds %struct.golden_three, ptr %0, i32 0, i32 2
  %17 = load float, ptr %16
  br label %18
18:
  %19 = phi float [ %14, %9 ], [ %17, %15 ]
  %20 = load ptr, ptr %5
  store float %19, ptr %20
  ret void
}
define internal void @thunk._Z16golden_arguments12golden_threebPf(ptr %0) {
  %2 = getelementptr ptr, ptr %0, i64 0
  %3 = load ptr, ptr %2
  %4 = getelementptr ptr, ptr %0, i64 1
  %5 = load ptr, ptr %4
  %6 = load i8, ptr %5
  %7 = trunc i8 %6 to i1
  %8 = getelementptr ptr, ptr %0, i64 2
  %9 = load ptr, ptr %8
  %10 = load ptr, ptr %9
  call void @_Z16golden_arguments12golden_threebPf(ptr byval(%struct.golden_three) align 4 %3, i1 %7, ptr %10)
  ret void
}
