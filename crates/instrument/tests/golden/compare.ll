target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i1 @greater(i32 %a) {
  %r = icmp sgt i32 %a, 7
  ret i1 %r
}

define i1 @is_null(ptr %p) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}

define i1 @less(float %x, float %y) {
  %r = fcmp olt float %x, %y
  ret i1 %r
}
