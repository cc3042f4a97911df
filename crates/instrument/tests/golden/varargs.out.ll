define i32 @sum(i32 %n, ...) {
  %1 = call i32 @tkf_enter(ptr @sum)
  %2 = call i32 @tkf_stack_depth()
  %3 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %4 = alloca [88 x i8], align 16
  %5 = getelementptr i8, ptr %4, i64 32
  call void @tk_local_object(ptr %5, i64 24)
  call void @llvm.va_start.p0(ptr %5)
  call void @tk_va_start(ptr %5)
  call void @llvm.va_end.p0(ptr %5)
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  call void @tkf_stack_restore(i32 %2)
  ret i32 %n
}
define i32 @caller(i32 %x, double %d, ptr %s) {
  %1 = call i32 @tkf_enter(ptr @caller)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_get_argument(i32 %1, i32 2)
  call void @tkf_call(ptr @sum)
  call void @tkf_set_argument(i32 0, i32 0)
  call void @tk_va_argument(i32 8, i32 4, i32 %2)
  call void @tk_va_argument(i32 48, i32 8, i32 %3)
  %5 = call i32 @tkf_load(i32 0, ptr %s, i32 %4, i32 8)
  call void @tk_va_argument(i32 176, i32 8, i32 %5)
  %6 = ptrtoint ptr %s to i64
  %7 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %4, i32 0, i64 %6, i64 8)
  %8 = getelementptr i8, ptr %s, i64 8
  %9 = call i32 @tkf_load(i32 0, ptr %8, i32 %7, i32 8)
  call void @tk_va_argument(i32 184, i32 8, i32 %9)
  call void @tk_va_ready(i32 16)
  %r = call i32 (i32, ...) @sum(i32 2, i32 %x, double %d, ptr byval([16 x i8]) %s)
  %10 = call i32 @tkf_get_result(i32 0)
  call void @tkf_set_result(i32 0, i32 %10)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
