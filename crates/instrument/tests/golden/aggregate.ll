target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @swap({ i32, { i8, i64 } } %pair) {
  %a = extractvalue { i32, { i8, i64 } } %pair, 0
  %b = extractvalue { i32, { i8, i64 } } %pair, 1, 1
  %n = trunc i64 %b to i32
  %new = insertvalue { i32, { i8, i64 } } %pair, i32 %n, 0
  %c = extractvalue { i32, { i8, i64 } } %new, 0
  %r = add i32 %a, %c
  ret i32 %r
}
