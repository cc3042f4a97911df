define i1 @greater(i32 %a) {
  %1 = call i32 @tkf_enter(ptr @greater)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = zext i32 %a to i64
  %4 = call i32 @tkf_binary(i8 18, i32 1, i32 32, i32 0, i32 %2, i64 7, i64 %3)
  %r = icmp sgt i32 %a, 7
  call void @tkf_set_result(i32 0, i32 %4)
  call void @tkf_return(i32 %1)
  ret i1 %r
}
define i1 @is_null(ptr %p) {
  %1 = call i32 @tkf_enter(ptr @is_null)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = ptrtoint ptr %p to i64
  %4 = call i32 @tkf_binary(i8 14, i32 1, i32 64, i32 %2, i32 0, i64 %3, i64 0)
  %r = icmp eq ptr %p, null
  call void @tkf_set_result(i32 0, i32 %4)
  call void @tkf_return(i32 %1)
  ret i1 %r
}
define i1 @less(float %x, float %y) {
  %1 = call i32 @tkf_enter(ptr @less)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = bitcast float %x to i32
  %5 = zext i32 %4 to i64
  %6 = bitcast float %y to i32
  %7 = zext i32 %6 to i64
  %8 = call i32 @tkf_fcmp(i32 4, i32 32, i32 %2, i32 %3, i64 %5, i64 %7)
  %r = fcmp olt float %x, %y
  call void @tkf_set_result(i32 0, i32 %8)
  call void @tkf_return(i32 %1)
  ret i1 %r
}
