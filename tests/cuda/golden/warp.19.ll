; SPDX-License-Identifier: BSD-3-Clause
define internal void @_Z11golden_warpPi(ptr noundef %0) {
  %2 = alloca i32
  %3 = alloca i32
  %4 = alloca ptr
  %5 = alloca i32
  store ptr %0, ptr %4
  %6 = call i32 @__anyshmem_nvvm_read_ptx_sreg_tid_x()
  %7 = call noundef i32 @_ZL16__shfl_down_syncjiji(i32 noundef -1, i32 noundef %6, i32 noundef 4, i32 noundef 32)
  store i32 %7, ptr %5
  %8 = load i32, ptr %5
  %9 = icmp sgt i32 %8, 3
  %10 = zext i1 %9 to i32
  %11 = call noundef i32 @_Z13__ballot_syncji.device(i32 noundef -1, i32 noundef %10)
  store i32 %11, ptr %3
  %12 = load i32, ptr %3
  store i32 %12, ptr %2
  %13 = load i32, ptr %2
  %14 = call noundef i32 @llvm.ctpop.i32(i32 %13)
  %15 = load i32, ptr %5
  %16 = add nsw i32 %15, %14
  store i32 %16, ptr %5
  call void @_Z10__syncwarpj.device(i32 noundef -1)
  %17 = load i32, ptr %5
  %18 = load ptr, ptr %4
  %19 = call i32 @__anyshmem_nvvm_read_ptx_sreg_tid_x()
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds i32, ptr %18, i64 %20
  store i32 %17, ptr %21
  ret void
}
define internal void @thunk._Z11golden_warpPi(ptr %0) {
  %2 = getelementptr ptr, ptr %0, i64 0
  %3 = load ptr, ptr %2
  %4 = load ptr, ptr %3
  call void @_Z11golden_warpPi(ptr %4)
  ret void
}
