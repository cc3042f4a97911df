define void @copy(ptr %p, ptr %q) {
  %1 = call i32 @tkf_enter(ptr @copy)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_load(i32 1, ptr %p, i32 %2, i32 8)
  call void @tkf_concretise(i32 1, i32 %4)
  %5 = ptrtoint ptr %p to i64
  %6 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %2, i32 0, i64 %5, i64 8)
  %7 = getelementptr i8, ptr %p, i64 8
  %8 = call i32 @tkf_load(i32 1, ptr %7, i32 %6, i32 2)
  call void @tkf_concretise(i32 1, i32 %8)
  %v = load x86_fp80, ptr %p, align 16
  %9 = bitcast x86_fp80 %v to i80
  %10 = lshr i80 %9, 0
  %11 = trunc i80 %10 to i64
  call void @tkf_store(i32 2, ptr %q, i32 %3, i32 8, i32 0, i64 %11)
  %12 = ptrtoint ptr %q to i64
  %13 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %3, i32 0, i64 %12, i64 8)
  %14 = getelementptr i8, ptr %q, i64 8
  %15 = lshr i80 %9, 64
  %16 = trunc i80 %15 to i64
  call void @tkf_store(i32 2, ptr %14, i32 %13, i32 2, i32 0, i64 %16)
  store x86_fp80 %v, ptr %q, align 16
  ret void
}
define x86_fp80 @from_int(i32 %a) {
  %1 = call i32 @tkf_enter(ptr @from_int)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  call void @tkf_concretise(i32 3, i32 %2)
  %v = sitofp i32 %a to x86_fp80
  call void @tkf_set_result(i32 0, i32 0)
  call void @tkf_return(i32 %1)
  ret x86_fp80 %v
}
