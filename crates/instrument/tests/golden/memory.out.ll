define i32 @load(ptr %p) {
  %1 = call i32 @tkf_enter(ptr @load)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_load(i32 0, ptr %p, i32 %2, i32 4)
  %v = load i32, ptr %p, align 4
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  ret i32 %v
}
define void @store(ptr %p, i8 %v) {
  %1 = call i32 @tkf_enter(ptr @store)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = zext i8 %v to i64
  call void @tkf_store(i32 1, ptr %p, i32 %2, i32 1, i32 %3, i64 %4)
  store i8 %v, ptr %p, align 1
  ret void
}
define void @odd_width(ptr %p, i1 %v) {
  %1 = call i32 @tkf_enter(ptr @odd_width)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_unary(i8 22, i32 8, i32 %3)
  %5 = zext i1 %v to i64
  call void @tkf_store(i32 2, ptr %p, i32 %2, i32 1, i32 %4, i64 %5)
  store i1 %v, ptr %p, align 1
  ret void
}
define { i64, i32 } @struct(ptr %p) {
  %1 = call i32 @tkf_enter(ptr @struct)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_load(i32 3, ptr %p, i32 %2, i32 8)
  %4 = ptrtoint ptr %p to i64
  %5 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %2, i32 0, i64 %4, i64 8)
  %6 = getelementptr i8, ptr %p, i64 8
  %7 = call i32 @tkf_load(i32 3, ptr %6, i32 %5, i32 4)
  %v = load { i64, i32 }, ptr %p, align 8
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_set_result(i32 1, i32 %7)
  call void @tkf_return(i32 %1)
  ret { i64, i32 } %v
}
define i32 @element(ptr %a, i32 %i) {
  %1 = call i32 @tkf_enter(ptr @element)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_unary(i8 23, i32 64, i32 %3)
  %wide = sext i32 %i to i64
  %5 = ptrtoint ptr %a to i64
  %6 = mul i64 %wide, 4
  %7 = call i32 @tkf_binary(i8 3, i32 64, i32 64, i32 %4, i32 0, i64 %wide, i64 4)
  %8 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %2, i32 %7, i64 %5, i64 %6)
  %9 = add i64 %5, %6
  %e = getelementptr [8 x i32], ptr %a, i64 0, i64 %wide
  %10 = call i32 @tkf_load(i32 4, ptr %e, i32 %8, i32 4)
  %v = load i32, ptr %e, align 4
  call void @tkf_set_result(i32 0, i32 %10)
  call void @tkf_return(i32 %1)
  ret i32 %v
}
define i16 @of_table(i64 %i) {
  %1 = call i32 @tkf_enter(ptr @of_table)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = mul i64 %i, 2
  %4 = call i32 @tkf_binary(i8 3, i32 64, i32 64, i32 %2, i32 0, i64 %i, i64 2)
  %5 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %4, i32 0, i64 %3, i64 ptrtoint (ptr @table to i64))
  %6 = add i64 %3, ptrtoint (ptr @table to i64)
  %e = getelementptr [4 x i16], ptr @table, i64 0, i64 %i
  %7 = call i32 @tkf_load(i32 5, ptr %e, i32 %5, i32 2)
  %v = load i16, ptr %e, align 2
  call void @tkf_set_result(i32 0, i32 %7)
  call void @tkf_return(i32 %1)
  ret i16 %v
}
define void @blocks(ptr %to, ptr %from, i64 %n) {
  %1 = call i32 @tkf_enter(ptr @blocks)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_get_argument(i32 %1, i32 2)
  call void @tk_memcpy(i32 6, ptr %to, i32 %2, ptr %from, i32 %3, i64 %n, i32 %4)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  call void @tk_memset(i32 7, ptr %to, i32 %2, i32 0, i32 0, i64 4, i32 0)
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 4, i1 false)
  ret void
}
define i32 @local(i64 %i) {
  %1 = call i32 @tkf_enter(ptr @local)
  %2 = call i32 @tkf_stack_depth()
  %3 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %4 = alloca [80 x i8], align 16
  %5 = getelementptr i8, ptr %4, i64 32
  call void @tk_local_object(ptr %5, i64 16)
  %6 = ptrtoint ptr %5 to i64
  %7 = mul i64 %i, 4
  %8 = call i32 @tkf_binary(i8 3, i32 64, i32 64, i32 %3, i32 0, i64 %i, i64 4)
  %9 = add i64 %6, 0
  %10 = call i32 @tkf_binary(i8 1, i32 64, i32 64, i32 %8, i32 0, i64 %7, i64 %9)
  %11 = add i64 %7, %9
  %e = getelementptr [4 x i32], ptr %5, i64 0, i64 %i
  %12 = call i32 @tkf_load(i32 8, ptr %e, i32 %10, i32 4)
  %v = load i32, ptr %e, align 4
  call void @tkf_set_result(i32 0, i32 %12)
  call void @tkf_return(i32 %1)
  call void @tkf_stack_restore(i32 %2)
  ret i32 %v
}
