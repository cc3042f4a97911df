target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @callee(i32 %x, ptr %p) {
  ret i32 %x
}

define i32 @direct(i32 %x) {
  %r = call i32 @callee(i32 %x, ptr null)
  ret i32 %r
}

define i32 @indirect(ptr %f, i32 %x) {
  %r = call i32 %f(i32 %x)
  ret i32 %r
}

declare i32 @puts(ptr)
declare ptr @tkw_malloc(i64)

define i32 @native(ptr %text) {
  %r = call i32 @puts(ptr %text)
  ret i32 %r
}

define ptr @runtime(i64 %size) {
  %r = call ptr @tkw_malloc(i64 %size)
  ret ptr %r
}

define i32 @assembly(i32 %x) {
  %r = call i32 asm "bswap $0", "=r,0"(i32 %x)
  ret i32 %r
}
