define i32 @add(i32 %a, i32 %b) {
entry:
  %0 = call i32 @tkf_enter(ptr @add)
  %1 = call i32 @tkf_get_argument(i32 %0, i32 0)
  %2 = call i32 @tkf_get_argument(i32 %0, i32 1)
  %3 = zext i32 %a to i64
  %4 = zext i32 %b to i64
  %5 = call i32 @tkf_binary(i8 1, i32 32, i32 32, i32 %1, i32 %2, i64 %3, i64 %4)
  %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b), !nosanitize !0
  %v = extractvalue { i32, i1 } %r, 0, !nosanitize !0
  %o = extractvalue { i32, i1 } %r, 1, !nosanitize !0
  %fine = xor i1 %o, true, !nosanitize !0
  %6 = zext i1 %fine to i32
  %7 = zext i32 %a to i64
  %8 = zext i32 %b to i64
  call void @tkf_overflow(i32 0, i32 10, i32 %6, i8 26, i32 32, i32 %1, i32 %2, i64 %7, i64 %8)
  br label %go_on

go_on:                                            ; preds = %entry
  call void @tkf_set_result(i32 0, i32 %5)
  call void @tkf_return(i32 %0)
  ret i32 %v
}
define i32 @divide(i32 %a, i32 %b) {
entry:
  %0 = call i32 @tkf_enter(ptr @divide)
  %1 = call i32 @tkf_get_argument(i32 %0, i32 0)
  %2 = call i32 @tkf_get_argument(i32 %0, i32 1)
  %3 = zext i32 %b to i64
  %4 = call i32 @tkf_binary(i8 15, i32 1, i32 32, i32 %2, i32 0, i64 %3, i64 0)
  %n = icmp ne i32 %b, 0, !nosanitize !0
  %5 = zext i32 %a to i64
  %6 = call i32 @tkf_binary(i8 15, i32 1, i32 32, i32 %1, i32 0, i64 %5, i64 2147483648)
  %x = icmp ne i32 %a, -2147483648, !nosanitize !0
  %7 = zext i32 %b to i64
  %8 = call i32 @tkf_binary(i8 15, i32 1, i32 32, i32 %2, i32 0, i64 %7, i64 4294967295)
  %y = icmp ne i32 %b, -1, !nosanitize !0
  %9 = zext i1 %x to i64
  %10 = zext i1 %y to i64
  %11 = call i32 @tkf_binary(i8 9, i32 1, i32 1, i32 %6, i32 %8, i64 %9, i64 %10)
  %q = or i1 %x, %y, !nosanitize !0
  %12 = zext i1 %n to i64
  %13 = zext i1 %q to i64
  %14 = call i32 @tkf_binary(i8 8, i32 1, i32 1, i32 %4, i32 %11, i64 %12, i64 %13)
  %fine = and i1 %n, %q, !nosanitize !0
  %15 = zext i1 %n to i32
  call void @tkf_check(i32 1, i32 12, i32 %15, i32 %4)
  %16 = zext i1 %q to i32
  call void @tkf_check(i32 2, i32 13, i32 %16, i32 %11)
  br label %go_on

go_on:                                            ; preds = %entry
  %17 = zext i32 %a to i64
  %18 = zext i32 %b to i64
  %19 = call i32 @tkf_divide(i32 3, i8 5, i32 32, i32 %1, i32 %2, i64 %17, i64 %18)
  %v = sdiv i32 %a, %b
  call void @tkf_set_result(i32 0, i32 %19)
  call void @tkf_return(i32 %0)
  ret i32 %v
}
define i32 @shift(i32 %a, i32 %b) {
entry:
  %0 = call i32 @tkf_enter(ptr @shift)
  %1 = call i32 @tkf_get_argument(i32 %0, i32 0)
  %2 = call i32 @tkf_get_argument(i32 %0, i32 1)
  %3 = zext i32 %b to i64
  %4 = call i32 @tkf_binary(i8 17, i32 1, i32 32, i32 %2, i32 0, i64 %3, i64 31)
  %n = icmp ule i32 %b, 31, !nosanitize !0
  %5 = zext i32 %b to i64
  %6 = call i32 @tkf_binary(i8 2, i32 32, i32 32, i32 0, i32 %2, i64 31, i64 %5)
  %7 = sub nuw nsw i32 31, %b, !nosanitize !0
  %8 = zext i32 %7 to i64
  %9 = call i32 @tkf_binary(i8 8, i32 32, i32 32, i32 %6, i32 0, i64 %8, i64 31)
  %10 = and i32 %7, 31
  %11 = zext i32 %a to i64
  %12 = zext i32 %10 to i64
  %13 = call i32 @tkf_binary(i8 12, i32 32, i32 32, i32 %1, i32 %9, i64 %11, i64 %12)
  %14 = lshr i32 %a, %10, !nosanitize !0
  %15 = zext i32 %14 to i64
  %16 = call i32 @tkf_binary(i8 14, i32 1, i32 32, i32 %13, i32 0, i64 %15, i64 0)
  %17 = icmp eq i32 %14, 0, !nosanitize !0
  %18 = zext i1 %n to i32
  %19 = zext i1 %17 to i64
  %20 = call i32 @tkf_select(i32 1, i32 %4, i32 %18, i32 %16, i32 0, i64 %19, i64 1)
  %21 = select i1 %n, i1 %17, i1 true
  br label %both

both:                                             ; preds = %entry
  %22 = zext i1 %n to i64
  %23 = zext i1 %21 to i64
  %24 = call i32 @tkf_binary(i8 8, i32 1, i32 1, i32 %4, i32 %20, i64 %22, i64 %23)
  %fine = and i1 %n, %21, !nosanitize !0
  %25 = zext i1 %fine to i32
  call void @tkf_undefined(i32 4, i32 11, i32 %25, i32 %24)
  br label %go_on

go_on:                                            ; preds = %both
  %26 = zext i32 %b to i64
  %27 = call i32 @tkf_binary(i8 8, i32 32, i32 32, i32 %2, i32 0, i64 %26, i64 31)
  %28 = and i32 %b, 31
  %29 = zext i32 %a to i64
  %30 = zext i32 %28 to i64
  %31 = call i32 @tkf_binary(i8 11, i32 32, i32 32, i32 %1, i32 %27, i64 %29, i64 %30)
  %v = shl i32 %a, %28
  call void @tkf_set_result(i32 0, i32 %31)
  call void @tkf_return(i32 %0)
  ret i32 %v
}
define i32 @element(ptr %p, ptr %n) {
entry:
  %0 = call i32 @tkf_enter(ptr @element)
  %1 = call i32 @tkf_get_argument(i32 %0, i32 0)
  %2 = call i32 @tkf_get_argument(i32 %0, i32 1)
  %3 = call i32 @tkf_load(i32 5, ptr %n, i32 %2, i32 8)
  %i = load i64, ptr %n, align 8
  %4 = ptrtoint ptr %p to i64
  %5 = mul i64 %i, 4
  %6 = call i32 @tkf_binary(i8 3, i32 64, i32 64, i32 %3, i32 0, i64 %i, i64 4)
  %7 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %1, i32 %6, i64 %4, i64 %5)
  %8 = add i64 %4, %5
  %e = getelementptr i32, ptr %p, i64 %i
  %9 = call i32 @tkf_binary(i8 3, i32 64, i32 64, i32 0, i32 %3, i64 4, i64 %i)
  %s = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 4, i64 %i), !nosanitize !0
  %o = extractvalue { i64, i1 } %s, 1, !nosanitize !0
  %m = extractvalue { i64, i1 } %s, 0, !nosanitize !0
  %a = ptrtoint ptr %p to i64, !nosanitize !0
  %t = add i64 %a, %m, !nosanitize !0
  %f = xor i1 %o, true, !nosanitize !0
  %c = icmp uge i64 %t, %a, !nosanitize !0
  %fine = and i1 %c, %f, !nosanitize !0
  %10 = call i32 @tkf_binary(i8 15, i32 1, i32 64, i32 %1, i32 0, i64 %a, i64 0)
  %11 = icmp ne i64 %a, 0
  %12 = call i32 @tkf_binary(i8 15, i32 1, i32 64, i32 %9, i32 0, i64 %m, i64 0)
  %13 = icmp ne i64 %m, 0
  %14 = zext i1 %11 to i64
  %15 = zext i1 %13 to i64
  %16 = call i32 @tkf_binary(i8 9, i32 1, i32 1, i32 %10, i32 %12, i64 %14, i64 %15)
  %17 = or i1 %11, %13
  %18 = zext i1 %17 to i32
  call void @tkf_undefined(i32 6, i32 27, i32 %18, i32 %16)
  %19 = zext i1 %fine to i32
  call void @tkf_moved(i32 7, i32 15, i32 %19, i32 %3, i64 %i, i64 4, i32 0, ptr %p)
  br label %go_on

go_on:                                            ; preds = %entry
  %b = ptrtoint ptr %e to i64, !nosanitize !0
  %l = and i64 %b, 3, !nosanitize !0
  %z = icmp eq i64 %l, 0, !nosanitize !0
  %20 = zext i1 %z to i32
  call void @tkf_aligned(i32 8, i32 3, i32 %20, i32 %7, i64 3)
  br label %aligned

aligned:                                          ; preds = %go_on
  %21 = call i32 @tkf_load(i32 9, ptr %e, i32 %7, i32 4)
  %v = load i32, ptr %e, align 4
  call void @tkf_set_result(i32 0, i32 %21)
  call void @tkf_return(i32 %0)
  ret i32 %v
}
