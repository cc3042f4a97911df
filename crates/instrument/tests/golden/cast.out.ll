define i64 @widen(i32 %a) {
  %1 = call i32 @tkf_enter(ptr @widen)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_unary(i8 23, i32 64, i32 %2)
  %r = sext i32 %a to i64
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  ret i64 %r
}
define i8 @narrow(i64 %a) {
  %1 = call i32 @tkf_enter(ptr @narrow)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_extract(i32 0, i32 8, i32 %2)
  %r = trunc i64 %a to i8
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  ret i8 %r
}
define i32 @to_int(double %a) {
  %1 = call i32 @tkf_enter(ptr @to_int)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_unary(i8 43, i32 32, i32 %2)
  %r = fptosi double %a to i32
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
define i64 @same_bits(ptr %p, double %d) {
  %1 = call i32 @tkf_enter(ptr @same_bits)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %a = ptrtoint ptr %p to i64
  %b = bitcast double %d to i64
  %4 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %2, i32 %3, i64 %a, i64 %b)
  %r = add i64 %a, %b
  call void @tkf_set_result(i32 0, i32 %4)
  call void @tkf_return(i32 %1)
  ret i64 %r
}
define double @regroup(<2 x float> %v) {
  %1 = alloca <2 x float>, align 8
  %2 = call i32 @tkf_enter(ptr @regroup)
  %3 = call i32 @tkf_get_argument(i32 %2, i32 0)
  %4 = call i32 @tkf_get_argument(i32 %2, i32 1)
  %5 = extractelement <2 x float> %v, i32 0
  %6 = bitcast float %5 to i32
  %7 = zext i32 %6 to i64
  call void @tkf_store(i32 0, ptr %1, i32 0, i32 4, i32 %3, i64 %7)
  %8 = getelementptr i8, ptr %1, i64 4
  %9 = extractelement <2 x float> %v, i32 1
  %10 = bitcast float %9 to i32
  %11 = zext i32 %10 to i64
  call void @tkf_store(i32 0, ptr %8, i32 0, i32 4, i32 %4, i64 %11)
  store <2 x float> %v, ptr %1, align 8
  %12 = call i32 @tkf_load(i32 0, ptr %1, i32 0, i32 8)
  %r = bitcast <2 x float> %v to double
  call void @tkf_set_result(i32 0, i32 %12)
  call void @tkf_return(i32 %2)
  ret double %r
}
