define i32 @add(i32 %a, i32 %b) {
entry:
  %0 = call i32 @tkf_enter(ptr @add)
  %1 = call i32 @tkf_get_argument(i32 %0, i32 0)
  %2 = call i32 @tkf_get_argument(i32 %0, i32 1)
  %3 = zext i32 %a to i64
  %4 = zext i32 %b to i64
  %5 = call i32 @tkf_binary(i8 1, i32 32, i32 32, i32 %1, i32 %2, i64 %3, i64 %4)
  %6 = zext i32 %a to i64
  %7 = zext i32 %b to i64
  %8 = call i32 @tkf_binary(i8 26, i32 1, i32 32, i32 %1, i32 %2, i64 %6, i64 %7)
  %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b), !nosanitize !0
  %v = extractvalue { i32, i1 } %r, 0, !nosanitize !0
  %o = extractvalue { i32, i1 } %r, 1, !nosanitize !0
  %9 = zext i1 %o to i64
  %10 = call i32 @tkf_binary(i8 10, i32 1, i32 1, i32 %8, i32 0, i64 %9, i64 1)
  %fine = xor i1 %o, true, !nosanitize !0
  %11 = zext i1 %fine to i32
  call void @tkf_check(i32 0, i32 %11, i32 %10)
  br i1 %fine, label %go_on, label %trap, !nosanitize !0

trap:                                             ; preds = %entry
  call void @tk_check_failed(i32 0, i32 22)
  call void @llvm.ubsantrap(i8 0), !nosanitize !0
  unreachable, !nosanitize !0

go_on:                                            ; preds = %entry
  call void @tkf_set_result(i32 0, i32 %5)
  call void @tkf_return(i32 %0)
  ret i32 %v
}
