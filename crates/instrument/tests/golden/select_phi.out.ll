define i32 @choose(i1 %c, i32 %a) {
  %1 = call i32 @tkf_enter(ptr @choose)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = zext i1 %c to i32
  %5 = zext i32 %a to i64
  %6 = call i32 @tkf_select(i32 32, i32 %2, i32 %4, i32 %3, i32 0, i64 %5, i64 5)
  %r = select i1 %c, i32 %a, i32 5
  call void @tkf_set_result(i32 0, i32 %6)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
define i32 @merge(i1 %c, i32 %a) {
entry:
  %0 = call i32 @tkf_enter(ptr @merge)
  %1 = call i32 @tkf_get_argument(i32 %0, i32 0)
  %2 = call i32 @tkf_get_argument(i32 %0, i32 1)
  %3 = zext i1 %c to i32
  call void @tkf_internal(i32 0, i32 %3, i32 %1)
  br i1 %c, label %left, label %right

left:                                             ; preds = %entry
  br label %right

right:                                            ; preds = %left, %entry
  %4 = phi i32 [ %2, %left ], [ 0, %entry ]
  %r = phi i32 [ %a, %left ], [ 7, %entry ]
  call void @tkf_set_result(i32 0, i32 %4)
  call void @tkf_return(i32 %0)
  ret i32 %r
}
