; SPDX-License-Identifier: BSD-3-Clause
@_ZZ13golden_sharedPiE5array.shared = internal global { i64, i64, ptr } { i64 128, i64 4, ptr @.str.shared }
define internal void @_Z13golden_sharedPi(ptr noundef %0) {
  %2 = alloca ptr
  %3 = call ptr @anyshmem_shared()
  %4 = call ptr @ash_kernel_shared(ptr @_ZZ13golden_sharedPiE5array.shared)
  store ptr %0, ptr %2
  %5 = call i32 @__anyshmem_nvvm_read_ptx_sreg_tid_x()
  %6 = zext i32 %5 to i64
  %7 = getelementptr inbounds [32 x i32], ptr %4, i64 0, i64 %6
  store i32 1, ptr %7
  %8 = call i32 @__anyshmem_nvvm_read_ptx_sreg_tid_x()
  %9 = zext i32 %8 to i64
  %10 = getelementptr inbounds [0 x i32], ptr %3, i64 0, i64 %9
  store i32 2, ptr %10
  call void @__anyshmem_nvvm_barrier0()
  %11 = call i32 @__anyshmem_nvvm_read_ptx_sreg_tid_x()
  %12 = xor i32 %11, 1
  %13 = zext i32 %12 to i64
  %14 = getelementptr inbounds [32 x i32], ptr %4, i64 0, i64 %13
  %15 = load i32, ptr %14
  %16 = call i32 @__anyshmem_nvvm_read_ptx_sreg_tid_x()
  %17 = xor i32 %16, 2
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds [0 x i32], ptr %3, i64 0, i64 %18
  %20 = load i32, ptr %19
  %21 = add nsw i32 %15, %20
  %22 = load ptr, ptr %2
  %23 = call i32 @__anyshmem_nvvm_read_ptx_sreg_tid_x()
  %24 = zext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  store i32 %21, ptr %25
  ret void
}
define internal void @thunk._Z13golden_sharedPi(ptr %0) {
  %2 = getelementptr ptr, ptr %0, i64 0
  %3 = load ptr, ptr %2
  %4 = load ptr, ptr %3
  call void @_Z13golden_sharedPi(ptr %4)
  ret void
}
