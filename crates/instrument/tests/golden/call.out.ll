define i32 @callee(i32 %x, ptr %p) {
  %1 = call i32 @tkf_enter(ptr @callee)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  call void @tkf_set_result(i32 0, i32 %2)
  call void @tkf_return(i32 %1)
  ret i32 %x
}
define i32 @direct(i32 %x) {
  %1 = call i32 @tkf_enter(ptr @direct)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  call void @tkf_call(ptr @callee)
  call void @tkf_set_argument(i32 0, i32 %2)
  call void @tkf_set_argument(i32 1, i32 0)
  %r = call i32 @callee(i32 %x, ptr null)
  %3 = call i32 @tkf_get_result(i32 0)
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
define i32 @indirect(ptr %f, i32 %x) {
  %1 = call i32 @tkf_enter(ptr @indirect)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = ptrtoint ptr %f to i64
  call void @tkf_internal_switch(i32 0, i64 %4, i32 %2)
  call void @tkf_call(ptr %f)
  call void @tkf_set_argument(i32 0, i32 %3)
  %r = call i32 %f(i32 %x)
  %5 = call i32 @tkf_get_result(i32 0)
  call void @tkf_set_result(i32 0, i32 %5)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
define i32 @native(ptr %text) {
  %1 = call i32 @tkf_enter(ptr @native)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  call void @tkf_native_argument(i32 1, i32 %2)
  call void @tk_native_pointer(i32 1, ptr %text)
  %r = call i32 @puts(ptr %text)
  call void @tk_native_return(i32 1)
  call void @tkf_set_result(i32 0, i32 0)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
define ptr @runtime(i64 %size) {
  %1 = call i32 @tkf_enter(ptr @runtime)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  call void @tkf_native_argument(i32 2, i32 %2)
  call void @tk_block_size(i32 %2)
  %r = call ptr @tkw_malloc(i64 %size)
  call void @tkf_set_result(i32 0, i32 0)
  call void @tkf_return(i32 %1)
  ret ptr %r
}
define i32 @assembly(i32 %x) {
  %1 = call i32 @tkf_enter(ptr @assembly)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  call void @tkf_native_argument(i32 3, i32 %2)
  %r = call i32 asm "bswap $0", "=r,0"(i32 %x)
  call void @tkf_set_result(i32 0, i32 0)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
