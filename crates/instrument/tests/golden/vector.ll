target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define float @lanes(<2 x float> %v, float %x) {
  %w = insertelement <2 x float> %v, float %x, i64 0
  %t = shufflevector <2 x float> %w, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %r = extractelement <2 x float> %t, i64 1
  ret float %r
}

define i32 @variable_lane(<2 x i32> %v, i32 %i) {
  %r = extractelement <2 x i32> %v, i32 %i
  ret i32 %r
}
