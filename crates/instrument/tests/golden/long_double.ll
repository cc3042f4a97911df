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
