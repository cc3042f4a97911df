target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @widen(i32 %a) {
  %r = sext i32 %a to i64
  ret i64 %r
}

define i8 @narrow(i64 %a) {
  %r = trunc i64 %a to i8
  ret i8 %r
}

define i32 @to_int(double %a) {
  %r = fptosi double %a to i32
  ret i32 %r
}

define i64 @same_bits(ptr %p, double %d) {
  %a = ptrtoint ptr %p to i64
  %b = bitcast double %d to i64
  %r = add i64 %a, %b
  ret i64 %r
}

define double @regroup(<2 x float> %v) {
  %r = bitcast <2 x float> %v to double
  ret double %r
}
