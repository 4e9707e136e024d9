; SPDX-License-Identifier: BSD-3-Clause
define internal void @_Z16golden_arguments12golden_threebPf(%struct.golden_three* noundef byval(%struct.golden_three) align 4 %0, i1 noundef zeroext %1, float* noundef %2) {
  %4 = alloca i8
  %5 = alloca float*
  %6 = zext i1 %1 to i8
  store i8 %6, i8* %4
  store float* %2, float** %5
  %7 = load i8, i8* %4
  %8 = trunc i8 %7 to i1
  br i1 %8, label %9, label %15
9:
  %10 = getelementptr inbounds %struct.golden_three, %struct.golden_three* %0, i32 0, i32 0
  %11 = load float, float* %10
  %12 = getelementptr inbounds %struct.golden_three, %struct.golden_three* %0, i32 0, i32 1
  %13 = load float, float* %12
  %14 = fadd contract float %11, %13
  br label %18
15:
  %16 = getelementptr inbounds %struct.golden_three, %struct.golden_three* %0, i32 0, i32 2
  %17 = load float, float* %16
  br label %18
18:
  %19 = phi float [ %14, %9 ], [ %17, %15 ]
  %20 = load float*, float** %5
  store float %19, float* %20
  ret void
}
define internal void @thunk._Z16golden_arguments12golden_threebPf(i8** %0) {
  %2 = getelementptr i8*, i8** %0, i64 0
  %3 = load i8*, i8** %2
  %4 = bitcast i8* %3 to %struct.golden_three*
  %5 = getelementptr i8*, i8** %0, i64 1
  %6 = load i8*, i8** %5
  %7 = load i8, i8* %6
  %8 = trunc i8 %7 to i1
  %9 = getelementptr i8*, i8** %0, i64 2
  %10 = load i8*, i8** %9
  %11 = bitcast i8* %10 to float**
  %12 = load float*, float** %11
  call void @_Z16golden_arguments12golden_threebPf(%struct.golden_three* byval(%struct.golden_three) align 4 %4, i1 %8, float* %12)
  ret void
}
