define void @copy(ptr %p, ptr %q) {
  %1 = call i32 @tkf_enter(ptr @copy)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_load(i32 0, ptr %p, i32 %2, i32 10)
  %v = load x86_fp80, ptr %p, align 16
  %5 = bitcast x86_fp80 %v to i80
  %6 = zext i80 %5 to i128
  call void @tkf_store128(i32 1, ptr %q, i32 %3, i32 10, i32 %4, i128 %6)
  store x86_fp80 %v, ptr %q, align 16
  ret void
}
define x86_fp80 @from_int(i32 %a) {
  %1 = call i32 @tkf_enter(ptr @from_int)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_unary(i8 45, i32 80, i32 %2)
  %v = sitofp i32 %a to x86_fp80
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  ret x86_fp80 %v
}
define i1 @arithmetic(x86_fp80 %a, x86_fp80 %b) {
  %1 = call i32 @tkf_enter(ptr @arithmetic)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = bitcast x86_fp80 %a to i80
  %5 = zext i80 %4 to i128
  %6 = bitcast x86_fp80 %b to i80
  %7 = zext i80 %6 to i128
  %8 = call i32 @tkf_binary128(i8 38, i32 80, i32 80, i32 %2, i32 %3, i128 %5, i128 %7)
  %p = fmul x86_fp80 %a, %b
  %9 = bitcast x86_fp80 %p to i80
  %10 = zext i80 %9 to i128
  %11 = bitcast x86_fp80 %a to i80
  %12 = zext i80 %11 to i128
  %13 = bitcast x86_fp80 %b to i80
  %14 = zext i80 %13 to i128
  %15 = call i32 @tkf_ternary128(i8 58, i32 80, i32 %8, i32 %2, i32 %3, i128 %10, i128 %12, i128 %14)
  %s = call x86_fp80 @fmal(x86_fp80 %p, x86_fp80 %a, x86_fp80 %b)
  %16 = bitcast x86_fp80 %s to i80
  %17 = zext i80 %16 to i128
  %18 = call i32 @tkf_fcmp128(i32 4, i32 80, i32 %15, i32 0, i128 %17, i128 302222231531620438900736)
  %r = fcmp olt x86_fp80 %s, 0xK3FFF8000000000000000
  call void @tkf_set_result(i32 0, i32 %18)
  call void @tkf_return(i32 %1)
  ret i1 %r
}
define i1 @is_nan(x86_fp80 %a) {
  %1 = call i32 @tkf_enter(ptr @is_nan)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = bitcast x86_fp80 %a to i80
  %4 = call i32 @tkf_extract(i32 0, i32 64, i32 %2)
  %5 = trunc i80 %3 to i64
  %6 = zext i80 %3 to i128
  %7 = call i32 @tkf_binary128(i8 12, i32 80, i32 80, i32 %2, i32 0, i128 %6, i128 64)
  %8 = lshr i80 %3, 64
  %9 = call i32 @tkf_extract(i32 0, i32 64, i32 %7)
  %10 = trunc i80 %8 to i64
  %11 = call i32 @tkf_binary(i8 8, i32 64, i32 64, i32 %9, i32 0, i64 %10, i64 32767)
  %12 = and i64 %10, 32767
  %13 = call i32 @tkf_binary(i8 8, i32 64, i32 64, i32 %4, i32 0, i64 %5, i64 -9223372036854775808)
  %14 = and i64 %5, -9223372036854775808
  %15 = call i32 @tkf_binary(i8 15, i32 1, i32 64, i32 %13, i32 0, i64 %14, i64 0)
  %16 = icmp ne i64 %14, 0
  %17 = call i32 @tkf_binary(i8 14, i32 1, i32 64, i32 %11, i32 0, i64 %12, i64 0)
  %18 = icmp eq i64 %12, 0
  %19 = zext i1 %18 to i64
  %20 = zext i1 %16 to i64
  %21 = call i32 @tkf_binary(i8 10, i32 1, i32 1, i32 %17, i32 %15, i64 %19, i64 %20)
  %22 = xor i1 %18, %16
  %23 = zext i1 %22 to i64
  %24 = call i32 @tkf_binary(i8 10, i32 1, i32 1, i32 %21, i32 0, i64 %23, i64 1)
  %25 = xor i1 %22, true
  %26 = call i32 @tkf_binary(i8 14, i32 1, i32 64, i32 %11, i32 0, i64 %12, i64 32767)
  %27 = icmp eq i64 %12, 32767
  %28 = call i32 @tkf_binary(i8 15, i32 1, i32 64, i32 %4, i32 0, i64 %5, i64 -9223372036854775808)
  %29 = icmp ne i64 %5, -9223372036854775808
  %30 = zext i1 %27 to i64
  %31 = zext i1 %29 to i64
  %32 = call i32 @tkf_binary(i8 8, i32 1, i32 1, i32 %26, i32 %28, i64 %30, i64 %31)
  %33 = and i1 %27, %29
  %34 = zext i1 %25 to i64
  %35 = zext i1 %33 to i64
  %36 = call i32 @tkf_binary(i8 9, i32 1, i32 1, i32 %24, i32 %32, i64 %34, i64 %35)
  %37 = or i1 %25, %33
  call void @tkf_set_result(i32 0, i32 %36)
  call void @tkf_return(i32 %1)
  ret i1 %37
}
