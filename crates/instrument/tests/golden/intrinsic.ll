target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare double @llvm.floor.f64(double)
declare i64 @llvm.expect.i64(i64, i64)
declare i32 @llvm.sshl.sat.i32(i32, i32)

define i1 @overflow(i32 %a, i32 %b) {
  %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %o = extractvalue { i32, i1 } %r, 1
  ret i1 %o
}

define i32 @bits(i32 %a) {
  %r = call i32 @llvm.ctpop.i32(i32 %a)
  ret i32 %r
}

define double @down(double %x) {
  %r = call double @llvm.floor.f64(double %x)
  ret double %r
}

define i64 @hint(i64 %x) {
  %r = call i64 @llvm.expect.i64(i64 %x, i64 0)
  ret i64 %r
}

define i32 @unmodelled(i32 %a, i32 %b) {
  %r = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}
