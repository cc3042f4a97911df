target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define double @arithmetic(double %a, double %b) {
  %p = fmul double %a, %b
  %n = fneg double %p
  ret double %n
}

declare double @sqrt(double)
declare float @fminf(float, float)
declare double @fma(double, double, double)

define double @library(double %a) {
  %r = call double @sqrt(double %a)
  %s = call double @fma(double %r, double %a, double 1.0)
  ret double %s
}

define float @narrow(float %a) {
  %r = call float @fminf(float %a, float 2.0)
  ret float %r
}
