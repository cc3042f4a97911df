define i32 @sum_to_ten() {
entry:
  %0 = call i32 @tkf_enter(ptr @sum_to_ten)
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %sum = add i32 %s, %i
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 10
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  call void @tkf_set_result(i32 0, i32 0)
  call void @tkf_return(i32 %0)
  ret i32 %sum
}
