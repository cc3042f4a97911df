define i32 @swap({ i32, { i8, i64 } } %pair) {
  %1 = call i32 @tkf_enter(ptr @swap)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_get_argument(i32 %1, i32 2)
  %a = extractvalue { i32, { i8, i64 } } %pair, 0
  %b = extractvalue { i32, { i8, i64 } } %pair, 1, 1
  %5 = call i32 @tkf_extract(i32 0, i32 32, i32 %4)
  %n = trunc i64 %b to i32
  %new = insertvalue { i32, { i8, i64 } } %pair, i32 %n, 0
  %c = extractvalue { i32, { i8, i64 } } %new, 0
  %6 = zext i32 %a to i64
  %7 = zext i32 %c to i64
  %8 = call i32 @tkf_binary(i8 1, i32 32, i32 32, i32 %2, i32 %5, i64 %6, i64 %7)
  %r = add i32 %a, %c
  call void @tkf_set_result(i32 0, i32 %8)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
