define i32 @add(i32 %a, ptr %p) {
  %1 = call i32 @tkf_enter(ptr @add)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_load(i32 0, ptr %p, i32 %3, i32 4)
  %v = load i32, ptr %p, align 4
  %5 = zext i32 %v to i64
  call void @tkf_self_check(i32 %4, i64 %5)
  %6 = zext i32 %a to i64
  %7 = zext i32 %v to i64
  %8 = call i32 @tkf_binary(i8 1, i32 32, i32 32, i32 %2, i32 %4, i64 %6, i64 %7)
  %r = add i32 %a, %v
  %9 = zext i32 %r to i64
  call void @tkf_self_check(i32 %8, i64 %9)
  call void @tkf_set_result(i32 0, i32 %8)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
