; SPDX-License-Identifier: BSD-3-Clause
define internal void @_Z10golden_ptxPj(ptr noundef %0) {
  %2 = alloca ptr
  %3 = alloca i32
  %4 = alloca i32
  store ptr %0, ptr %2
  %5 = call i32 @__anyshmem_nvvm_read_ptx_sreg_laneid()
  store i32 %5, ptr %3
  %6 = load i32, ptr %3
  %7 = call i32 @__anyshmem_ptx_add_u32(i32 %6, i32 5)
  store i32 %7, ptr %4
  %8 = load ptr, ptr %2
  %9 = load i32, ptr %4
  %10 = ptrtoint ptr %8 to i64
  %11 = add i64 %10, 0
  %12 = inttoptr i64 %11 to ptr
  store atomic i32 %9, ptr %12 release
  ret void
}
define internal void @thunk._Z10golden_ptxPj(ptr %0) {
  %2 = getelementptr ptr, ptr %0, i64 0
  %3 = load ptr, ptr %2
  %4 = load ptr, ptr %3
  call void @_Z10golden_ptxPj(ptr %4)
  ret void
}
