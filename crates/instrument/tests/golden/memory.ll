target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @load(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}

define void @store(ptr %p, i8 %v) {
  store i8 %v, ptr %p
  ret void
}

define void @odd_width(ptr %p, i1 %v) {
  store i1 %v, ptr %p
  ret void
}

define { i64, i32 } @struct(ptr %p) {
  %v = load { i64, i32 }, ptr %p
  ret { i64, i32 } %v
}

define i32 @element(ptr %a, i32 %i) {
  %wide = sext i32 %i to i64
  %e = getelementptr [8 x i32], ptr %a, i64 0, i64 %wide
  %v = load i32, ptr %e
  ret i32 %v
}

@table = global [4 x i16] zeroinitializer

define i16 @of_table(i64 %i) {
  %e = getelementptr [4 x i16], ptr @table, i64 0, i64 %i
  %v = load i16, ptr %e
  ret i16 %v
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @blocks(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 4, i1 false)
  ret void
}

define i32 @local(i64 %i) {
  %buffer = alloca [4 x i32]
  %e = getelementptr [4 x i32], ptr %buffer, i64 0, i64 %i
  %v = load i32, ptr %e
  ret i32 %v
}
