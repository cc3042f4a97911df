define i32 @internal(i32 %a) {
entry:
  %0 = call i32 @tkf_enter(ptr @internal)
  %1 = call i32 @tkf_get_argument(i32 %0, i32 0)
  %2 = zext i32 %a to i64
  %3 = call i32 @tkf_binary(i8 14, i32 1, i32 32, i32 %1, i32 0, i64 %2, i64 3)
  %c = icmp eq i32 %a, 3
  %4 = zext i1 %c to i32
  call void @tkf_internal(i32 0, i32 %4, i32 %3)
  br i1 %c, label %yes, label %no

yes:                                              ; preds = %no, %entry
  call void @tkf_set_result(i32 0, i32 0)
  call void @tkf_return(i32 %0)
  ret i32 1

no:                                               ; preds = %entry
  %5 = zext i32 %a to i64
  call void @tkf_internal_switch(i32 1, i64 %5, i32 %1)
  switch i32 %a, label %other [
    i32 4, label %yes
  ]

other:                                            ; preds = %no
  call void @tkf_set_result(i32 0, i32 0)
  call void @tkf_return(i32 %0)
  ret i32 0
}
define i32 @precondition(i32 %a) {
  %1 = call i32 @tkf_enter(ptr @precondition)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = zext i32 %a to i64
  %4 = call i32 @tkf_binary(i8 18, i32 1, i32 32, i32 0, i32 %2, i64 0, i64 %3)
  %c = icmp sgt i32 %a, 0
  %5 = zext i1 %c to i32
  call void @tkf_assume(i32 2, i32 %5, i32 %4)
  call void @tkf_set_result(i32 0, i32 %2)
  call void @tkf_return(i32 %1)
  ret i32 %a
}
