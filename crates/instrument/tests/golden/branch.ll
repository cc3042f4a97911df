target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @internal(i32 %a) {
entry:
  %c = icmp eq i32 %a, 3
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  switch i32 %a, label %other [ i32 4, label %yes ]
other:
  ret i32 0
}

declare void @__tk_assume(i1)

define i32 @precondition(i32 %a) {
  %c = icmp sgt i32 %a, 0
  call void @__tk_assume(i1 %c)
  call void @__tk_assume(i1 true)
  ret i32 %a
}
