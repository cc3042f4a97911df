define double @arithmetic(double %a, double %b) {
  %1 = call i32 @tkf_enter(ptr @arithmetic)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = bitcast double %a to i64
  %5 = bitcast double %b to i64
  %6 = call i32 @tkf_binary(i8 38, i32 64, i32 64, i32 %2, i32 %3, i64 %4, i64 %5)
  %p = fmul double %a, %b
  %7 = call i32 @tkf_unary(i8 41, i32 64, i32 %6)
  %n = fneg double %p
  call void @tkf_set_result(i32 0, i32 %7)
  call void @tkf_return(i32 %1)
  ret double %n
}
define double @library(double %a) {
  %1 = call i32 @tkf_enter(ptr @library)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_unary(i8 49, i32 64, i32 %2)
  %r = call double @sqrt(double %a)
  %4 = bitcast double %r to i64
  %5 = bitcast double %a to i64
  %6 = call i32 @tkf_ternary(i8 58, i32 64, i32 %3, i32 %2, i32 0, i64 %4, i64 %5, i64 4607182418800017408)
  %s = call double @fma(double %r, double %a, double 1.000000e+00)
  call void @tkf_set_result(i32 0, i32 %6)
  call void @tkf_return(i32 %1)
  ret double %s
}
define float @narrow(float %a) {
  %1 = call i32 @tkf_enter(ptr @narrow)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = bitcast float %a to i32
  %4 = zext i32 %3 to i64
  %5 = call i32 @tkf_binary(i8 56, i32 32, i32 32, i32 %2, i32 0, i64 %4, i64 1073741824)
  %r = call float @fminf(float %a, float 2.000000e+00)
  call void @tkf_set_result(i32 0, i32 %5)
  call void @tkf_return(i32 %1)
  ret float %r
}
