target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @sum(i32 %n, ...) {
  %list = alloca [24 x i8]
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_end.p0(ptr %list)
  ret i32 %n
}

declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)

define i32 @caller(i32 %x, double %d, ptr %s) {
  %r = call i32 (i32, ...) @sum(i32 2, i32 %x, double %d, ptr byval([16 x i8]) %s)
  ret i32 %r
}
