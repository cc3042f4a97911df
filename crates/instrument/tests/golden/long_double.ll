target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @copy(ptr %p, ptr %q) {
  %v = load x86_fp80, ptr %p
  store x86_fp80 %v, ptr %q
  ret void
}

define x86_fp80 @from_int(i32 %a) {
  %v = sitofp i32 %a to x86_fp80
  ret x86_fp80 %v
}

declare x86_fp80 @fmal(x86_fp80, x86_fp80, x86_fp80)
declare i1 @llvm.is.fpclass.f80(x86_fp80, i32)

define i1 @arithmetic(x86_fp80 %a, x86_fp80 %b) {
  %p = fmul x86_fp80 %a, %b
  %s = call x86_fp80 @fmal(x86_fp80 %p, x86_fp80 %a, x86_fp80 %b)
  %r = fcmp olt x86_fp80 %s, 0xK3FFF8000000000000000
  ret i1 %r
}

define i1 @is_nan(x86_fp80 %a) {
  %r = call i1 @llvm.is.fpclass.f80(x86_fp80 %a, i32 3)
  ret i1 %r
}
