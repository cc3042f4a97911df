define float @lanes(<2 x float> %v, float %x) {
  %1 = call i32 @tkf_enter(ptr @lanes)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_get_argument(i32 %1, i32 2)
  %w = insertelement <2 x float> %v, float %x, i64 0
  %t = shufflevector <2 x float> %w, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %r = extractelement <2 x float> %t, i64 1
  call void @tkf_set_result(i32 0, i32 %4)
  call void @tkf_return(i32 %1)
  ret float %r
}
define i32 @variable_lane(<2 x i32> %v, i32 %i) {
  %1 = call i32 @tkf_enter(ptr @variable_lane)
  %2 = call i32 @tkf_get_argument(i32 %1, i32 0)
  %3 = call i32 @tkf_get_argument(i32 %1, i32 1)
  %4 = call i32 @tkf_get_argument(i32 %1, i32 2)
  call void @tkf_concretise(i32 0, i32 %4)
  %5 = zext i32 %i to i64
  %6 = icmp eq i64 %5, 0
  %7 = select i1 %6, i32 %2, i32 0
  %8 = icmp eq i64 %5, 1
  %9 = select i1 %8, i32 %3, i32 %7
  %r = extractelement <2 x i32> %v, i32 %i
  call void @tkf_set_result(i32 0, i32 %9)
  call void @tkf_return(i32 %1)
  ret i32 %r
}
