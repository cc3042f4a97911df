define i1 @overflow(i32 %a, i32 %b) {
  %1 = call i32 @tkf_enter(ptr @overflow)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = zext i32 %a to i64
  %5 = zext i32 %b to i64
  %6 = call i32 @tkf_binary(i8 26, i32 1, i32 32, i32 %2, i32 %3, i64 %4, i64 %5)
  %7 = zext i32 %a to i64
  %8 = zext i32 %b to i64
  %9 = call i32 @tkf_binary(i8 1, i32 32, i32 32, i32 %2, i32 %3, i64 %7, i64 %8)
  %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %o = extractvalue { i32, i1 } %r, 1
  call void @tkf_set_result(i32 0, i32 %6)
  call void @tkf_return(i32 %1)
  ret i1 %o
}
define i32 @bits(i32 %a) {
  %1 = call i32 @tkf_enter(ptr @bits)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_unary(i8 32, i32 32, i32 %2)
  %r = call i32 @llvm.ctpop.i32(i32 %a)
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
define double @down(double %x) {
  %1 = call i32 @tkf_enter(ptr @down)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_unary(i8 50, i32 64, i32 %2)
  %r = call double @llvm.floor.f64(double %x)
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  ret double %r
}
define i64 @hint(i64 %x) {
  %1 = call i32 @tkf_enter(ptr @hint)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %r = call i64 @llvm.expect.i64(i64 %x, i64 0)
  call void @tkf_set_result(i32 0, i32 %2)
  call void @tkf_return(i32 %1)
  ret i64 %r
}
define i32 @unmodelled(i32 %a, i32 %b) {
  %1 = call i32 @tkf_enter(ptr @unmodelled)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  call void @tkf_native_argument(i32 0, i32 %2)
  call void @tkf_native_argument(i32 0, i32 %3)
  %r = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %b)
  call void @tkf_set_result(i32 0, i32 0)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
