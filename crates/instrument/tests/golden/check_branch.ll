target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare void @llvm.ubsantrap(i8)

define i32 @add(i32 %a, i32 %b) {
entry:
  %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b), !nosanitize !0
  %v = extractvalue { i32, i1 } %r, 0, !nosanitize !0
  %o = extractvalue { i32, i1 } %r, 1, !nosanitize !0
  %fine = xor i1 %o, true, !nosanitize !0
  br i1 %fine, label %go_on, label %trap, !nosanitize !0
trap:
  call void @llvm.ubsantrap(i8 0), !nosanitize !0
  unreachable, !nosanitize !0
go_on:
  ret i32 %v
}

!0 = !{}
