target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare double @llvm.fmuladd.f64(double, double, double)

define i32 @larger(i32 %a, i32 %b) {
  %r = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @rotate(i32 %n) {
  %r = call i32 @llvm.fshl.i32(i32 1, i32 1, i32 %n)
  ret i32 %r
}

define i1 @is_infinite(double %x) {
  %r = call i1 @llvm.is.fpclass.f64(double %x, i32 516)
  ret i1 %r
}

define double @rounds_twice(double %x) {
  %r = call double @llvm.fmuladd.f64(double %x, double 2.0, double 1.0)
  ret double %r
}

define i32 @shift(i32 %a, i32 %n) {
  %r = shl i32 %a, %n
  %u = add i32 %r, undef
  ret i32 %u
}
