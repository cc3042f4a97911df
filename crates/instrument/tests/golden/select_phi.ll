target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @choose(i1 %c, i32 %a) {
  %r = select i1 %c, i32 %a, i32 5
  ret i32 %r
}

define i32 @merge(i1 %c, i32 %a) {
entry:
  br i1 %c, label %left, label %right
left:
  br label %right
right:
  %r = phi i32 [ %a, %left ], [ 7, %entry ]
  ret i32 %r
}
