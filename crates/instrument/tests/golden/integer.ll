target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @add(i32 %a, i32 %b) {
  %r = add i32 %a, %b
  %s = xor i32 %r, -1
  ret i32 %s
}

define i64 @divide(i64 %a, i64 %b) {
  %r = sdiv i64 %a, %b
  ret i64 %r
}

define i128 @wide(i128 %a, i128 %b) {
  %r = mul i128 %a, %b
  ret i128 %r
}
