define i32 @add(i32 %a, i32 %b) {
  %1 = call i32 @tkf_enter(ptr @add)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = zext i32 %a to i64
  %5 = zext i32 %b to i64
  %6 = call i32 @tkf_binary(i8 1, i32 32, i32 32, i32 %2, i32 %3, i64 %4, i64 %5)
  %r = add i32 %a, %b
  %7 = zext i32 %r to i64
  %8 = call i32 @tkf_binary(i8 10, i32 32, i32 32, i32 %6, i32 0, i64 %7, i64 4294967295)
  %s = xor i32 %r, -1
  call void @tkf_set_result(i32 0, i32 %8)
  call void @tkf_return(i32 %1)
  ret i32 %s
}
define i64 @divide(i64 %a, i64 %b) {
  %1 = call i32 @tkf_enter(ptr @divide)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_divide(i32 0, i8 5, i32 64, i32 %2, i32 %3, i64 %a, i64 %b)
  %r = sdiv i64 %a, %b
  call void @tkf_set_result(i32 0, i32 %4)
  call void @tkf_return(i32 %1)
  ret i64 %r
}
define i128 @wide(i128 %a, i128 %b) {
  %1 = call i32 @tkf_enter(ptr @wide)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_binary128(i8 3, i32 128, i32 128, i32 %2, i32 %3, i128 %a, i128 %b)
  %r = mul i128 %a, %b
  call void @tkf_set_result(i32 0, i32 %4)
  call void @tkf_return(i32 %1)
  ret i128 %r
}
