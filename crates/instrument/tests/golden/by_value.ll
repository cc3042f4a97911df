target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.big = type { [6 x i64] }

define i64 @callee(ptr byval(%struct.big) align 8 %b, i64 %i) {
  %v = load i64, ptr %b
  ret i64 %v
}

define i64 @caller(ptr byval(%struct.big) align 8 %b) {
  %r = call i64 @callee(ptr byval(%struct.big) align 8 %b, i64 0)
  ret i64 %r
}
