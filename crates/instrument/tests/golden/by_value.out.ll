define i64 @callee(ptr byval(%struct.big) align 8 %b, i64 %i) {
  %1 = call i32 @tkf_enter(ptr @callee)
  %2 = call i32 @tkf_stack_depth()
  call void @tk_stack_object(ptr %b, i64 48)
  call void @tk_byval_enter(i32 %1, i32 0, ptr %b, i64 48)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %4 = call i32 @tkf_load(i32 0, ptr %b, i32 0, i32 8)
  %v = load i64, ptr %b, align 8
  call void @tkf_set_result(i32 0, i32 %4)
  call void @tkf_return(i32 %1)
  call void @tkf_stack_restore(i32 %2)
  ret i64 %v
}
define i64 @caller(ptr byval(%struct.big) align 8 %b) {
  %1 = call i32 @tkf_enter(ptr @caller)
  %2 = call i32 @tkf_stack_depth()
  call void @tk_stack_object(ptr %b, i64 48)
  call void @tk_byval_enter(i32 %1, i32 0, ptr %b, i64 48)
  call void @tkf_call(ptr @callee)
  call void @tk_byval_argument(i32 0, ptr %b, i64 48)
  call void @tkf_set_argument(i32 0, i32 0)
  %r = call i64 @callee(ptr byval(%struct.big) align 8 %b, i64 0)
  %3 = call i32 @tkf_get_result(i32 0)
  call void @tkf_set_result(i32 0, i32 %3)
  call void @tkf_return(i32 %1)
  call void @tkf_stack_restore(i32 %2)
  ret i64 %r
}
