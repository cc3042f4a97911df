define i32 @larger(i32 %a, i32 %b) {
  %1 = call i32 @tkf_enter(ptr @larger)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = zext i32 %b to i64
  %5 = zext i32 %a to i64
  %6 = call i32 @tkf_binary(i8 18, i32 1, i32 32, i32 %3, i32 %2, i64 %4, i64 %5)
  %7 = icmp sgt i32 %a, %b
  %8 = zext i1 %7 to i32
  %9 = zext i32 %a to i64
  %10 = zext i32 %b to i64
  %11 = call i32 @tkf_select(i32 32, i32 %6, i32 %8, i32 %2, i32 %3, i64 %9, i64 %10)
  %12 = select i1 %7, i32 %a, i32 %b
  call void @tkf_set_result(i32 0, i32 %11)
  call void @tkf_return(i32 %1)
  ret i32 %12
}
define i32 @rotate(i32 %n) {
  %1 = call i32 @tkf_enter(ptr @rotate)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = zext i32 %n to i64
  %4 = call i32 @tkf_binary(i8 8, i32 32, i32 32, i32 %2, i32 0, i64 %3, i64 31)
  %5 = and i32 %n, 31
  %6 = zext i32 %5 to i64
  %7 = call i32 @tkf_binary(i8 2, i32 32, i32 32, i32 0, i32 %4, i64 31, i64 %6)
  %8 = sub i32 31, %5
  %9 = zext i32 %8 to i64
  %10 = call i32 @tkf_binary(i8 12, i32 32, i32 32, i32 0, i32 %7, i64 0, i64 %9)
  %11 = lshr i32 0, %8
  %12 = zext i32 %5 to i64
  %13 = call i32 @tkf_binary(i8 11, i32 32, i32 32, i32 0, i32 %4, i64 1, i64 %12)
  %14 = shl i32 1, %5
  %15 = zext i32 %14 to i64
  %16 = zext i32 %11 to i64
  %17 = call i32 @tkf_binary(i8 9, i32 32, i32 32, i32 %13, i32 %10, i64 %15, i64 %16)
  %18 = or i32 %14, %11
  call void @tkf_set_result(i32 0, i32 %17)
  call void @tkf_return(i32 %1)
  ret i32 %18
}
define i1 @is_infinite(double %x) {
  %1 = call i32 @tkf_enter(ptr @is_infinite)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = bitcast double %x to i64
  %4 = call i32 @tkf_binary(i8 8, i32 64, i32 64, i32 %2, i32 0, i64 %3, i64 9223372036854775807)
  %5 = and i64 %3, 9223372036854775807
  %6 = call i32 @tkf_binary(i8 14, i32 1, i32 64, i32 %4, i32 0, i64 %5, i64 9218868437227405312)
  %7 = icmp eq i64 %5, 9218868437227405312
  call void @tkf_set_result(i32 0, i32 %6)
  call void @tkf_return(i32 %1)
  ret i1 %7
}
define double @rounds_twice(double %x) {
  %1 = call i32 @tkf_enter(ptr @rounds_twice)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = bitcast double %x to i64
  %4 = call i32 @tkf_binary(i8 38, i32 64, i32 64, i32 %2, i32 0, i64 %3, i64 4611686018427387904)
  %5 = fmul double %x, 2.000000e+00
  %6 = bitcast double %5 to i64
  %7 = call i32 @tkf_binary(i8 36, i32 64, i32 64, i32 %4, i32 0, i64 %6, i64 4607182418800017408)
  %8 = fadd double %5, 1.000000e+00
  call void @tkf_set_result(i32 0, i32 %7)
  call void @tkf_return(i32 %1)
  ret double %8
}
define i32 @shift(i32 %a, i32 %n) {
  %1 = call i32 @tkf_enter(ptr @shift)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = zext i32 %n to i64
  %5 = call i32 @tkf_binary(i8 8, i32 32, i32 32, i32 %3, i32 0, i64 %4, i64 31)
  %6 = and i32 %n, 31
  %7 = zext i32 %a to i64
  %8 = zext i32 %6 to i64
  %9 = call i32 @tkf_binary(i8 11, i32 32, i32 32, i32 %2, i32 %5, i64 %7, i64 %8)
  %r = shl i32 %a, %6
  %10 = zext i32 %r to i64
  %11 = call i32 @tkf_binary(i8 1, i32 32, i32 32, i32 %9, i32 0, i64 %10, i64 0)
  %u = add i32 %r, 0
  call void @tkf_set_result(i32 0, i32 %11)
  call void @tkf_return(i32 %1)
  ret i32 %u
}
