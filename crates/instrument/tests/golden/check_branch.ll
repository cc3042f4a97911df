target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare void @__ubsan_handle_add_overflow_minimal()
declare void @__ubsan_handle_divrem_overflow_minimal()
declare void @__ubsan_handle_shift_out_of_bounds_minimal()
declare void @__ubsan_handle_type_mismatch_minimal()
declare void @__ubsan_handle_pointer_overflow_minimal()

; Arithmetic: the label of the bit is made by the hook.
define i32 @add(i32 %a, i32 %b) {
entry:
  %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b), !nosanitize !0
  %v = extractvalue { i32, i1 } %r, 0, !nosanitize !0
  %o = extractvalue { i32, i1 } %r, 1, !nosanitize !0
  %fine = xor i1 %o, true, !nosanitize !0
  br i1 %fine, label %go_on, label %fails, !nosanitize !0
fails:
  call void @__ubsan_handle_add_overflow_minimal(), !nosanitize !0
  br label %go_on, !nosanitize !0
go_on:
  ret i32 %v
}

; A division: two checks that end the run.
define i32 @divide(i32 %a, i32 %b) {
entry:
  %n = icmp ne i32 %b, 0, !nosanitize !0
  %x = icmp ne i32 %a, -2147483648, !nosanitize !0
  %y = icmp ne i32 %b, -1, !nosanitize !0
  %q = or i1 %x, %y, !nosanitize !0
  %fine = and i1 %n, %q, !nosanitize !0
  br i1 %fine, label %go_on, label %fails, !nosanitize !0
fails:
  call void @__ubsan_handle_divrem_overflow_minimal(), !nosanitize !0
  br label %go_on, !nosanitize !0
go_on:
  %v = sdiv i32 %a, %b
  ret i32 %v
}

; A shift: the branch inside its check goes.
define i32 @shift(i32 %a, i32 %b) {
entry:
  %n = icmp ule i32 %b, 31, !nosanitize !0
  br i1 %n, label %base, label %both, !nosanitize !0
base:
  %k = sub nuw nsw i32 31, %b, !nosanitize !0
  %l = lshr i32 %a, %k, !nosanitize !0
  %z = icmp eq i32 %l, 0, !nosanitize !0
  br label %both, !nosanitize !0
both:
  %p = phi i1 [ true, %entry ], [ %z, %base ], !nosanitize !0
  %fine = and i1 %n, %p, !nosanitize !0
  br i1 %fine, label %go_on, label %fails, !nosanitize !0
fails:
  call void @__ubsan_handle_shift_out_of_bounds_minimal(), !nosanitize !0
  br label %go_on, !nosanitize !0
go_on:
  %v = shl i32 %a, %b
  ret i32 %v
}

; An index of 64 bits, and an access.
define i32 @element(ptr %p, ptr %n) {
entry:
  %i = load i64, ptr %n
  %e = getelementptr i32, ptr %p, i64 %i
  %s = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 4, i64 %i), !nosanitize !0
  %o = extractvalue { i64, i1 } %s, 1, !nosanitize !0
  %m = extractvalue { i64, i1 } %s, 0, !nosanitize !0
  %a = ptrtoint ptr %p to i64, !nosanitize !0
  %t = add i64 %a, %m, !nosanitize !0
  %f = xor i1 %o, true, !nosanitize !0
  %c = icmp uge i64 %t, %a, !nosanitize !0
  %fine = and i1 %c, %f, !nosanitize !0
  br i1 %fine, label %go_on, label %fails, !nosanitize !0
fails:
  call void @__ubsan_handle_pointer_overflow_minimal(), !nosanitize !0
  br label %go_on, !nosanitize !0
go_on:
  %b = ptrtoint ptr %e to i64, !nosanitize !0
  %l = and i64 %b, 3, !nosanitize !0
  %z = icmp eq i64 %l, 0, !nosanitize !0
  br i1 %z, label %aligned, label %misaligned, !nosanitize !0
misaligned:
  call void @__ubsan_handle_type_mismatch_minimal(), !nosanitize !0
  br label %aligned, !nosanitize !0
aligned:
  %v = load i32, ptr %e
  ret i32 %v
}

!0 = !{}
