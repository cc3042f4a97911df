//! Labels on their way through operations, memory, calls and variadic arguments.

use crate::common::*;
use tarka_runner::End;

/// Runs a driver body with one symbolic 8-byte root `x` at offset 0 and gives the path it logged.
fn path_of(body: &str, input: u64) -> Vec<String> {
    let target = Target::new(&format!(
        "uint64_t x, y;
         static uint32_t label(const void *p, uint32_t size) {{ return tkf_load(0, p, 0, size); }}
         static void show(uint32_t site, uint32_t label) {{ tkf_condition(site, 0, 1, label); }}
         void __tk_drive(unsigned unit) {{ tk_bind(&x, sizeof x, 0); {body} }}"
    ));
    let mut server = target.start();
    let run = run(&mut server, &[root(0, &input.to_le_bytes())]);
    assert_eq!(run.end(), End::Returned);
    path(&run)
}

#[test]
fn an_input_integer_is_its_bytes_joined() {
    assert_eq!(path_of("show(1, label(&x, 4));", 7), [format!("condition 1=1 {}", joined(0, 4))]);
}

#[test]
fn a_stored_label_comes_back_whole_and_in_slices() {
    let body = "uint32_t sum = tkf_binary(TK_OP_ADD, 32, 32, label(&x, 4), 0, 7, 1);
        tkf_store(0, &y, 0, 4, sum, 8);
        show(1, sum); show(2, label(&y, 4)); show(3, label((char *)&y + 1, 2)); show(4, label((char *)&y + 3, 1));";
    let sum = format!("add32({}, 0x1:32)", joined(0, 4));
    assert_eq!(
        path_of(body, 7),
        [
            format!("condition 1=1 {sum}"),
            format!("condition 2=1 {sum}"),
            format!("condition 3=1 extract8+16({sum})"),
            format!("condition 4=1 extract24+8({sum})"),
        ]
    );
}

#[test]
fn bytes_copied_one_by_one_join_to_the_same_label() {
    let body = "uint32_t sum = tkf_binary(TK_OP_ADD, 32, 32, label(&x, 4), 0, 7, 1);
        tkf_store(0, &x, 0, 4, sum, 8);
        for (int i = 0; i < 4; i++) tkf_store(0, (char *)&y + i, 0, 1, label((char *)&x + i, 1), 0);
        show(1, label(&y, 4) == sum ? sum : 0);";
    assert_eq!(path_of(body, 7), [format!("condition 1=1 add32({}, 0x1:32)", joined(0, 4))]);
}

#[test]
fn concrete_bytes_between_symbolic_ones_become_constants() {
    let body =
        "y = 0xaabbccdd; tkf_store(0, &y, 0, 4, 0, y); tkf_store(0, (char *)&y + 1, 0, 1, label(&x, 1), 0);
        show(1, label(&y, 4));";
    assert_eq!(path_of(body, 0), ["condition 1=1 concat32(0xaabb:16, concat16(in0, 0xdd:8))"]);
}

#[test]
fn a_concrete_store_clears_labels() {
    let body =
        "tkf_store(0, (char *)&x + 2, 0, 1, 0, 5); show(1, label((char *)&x + 2, 1)); show(2, label(&x, 2));";
    assert_eq!(
        path_of(body, 0),
        ["condition 1=1 concrete".to_owned(), format!("condition 2=1 {}", joined(0, 2))]
    );
}

#[test]
fn blocks_carry_their_labels_also_when_they_overlap() {
    let body = "static char buffer[16]; tk_memcpy(0, buffer, 0, &x, 0, 8, 0); memcpy(buffer, &x, 8);
        tk_memcpy(0, buffer + 1, 0, buffer, 0, 8, 0);
        show(1, label(buffer + 1, 8) == label(&x, 8)); show(1, label(buffer + 8, 1));
        tk_memset(0, buffer, 0, 0, label(&x, 1), 4, 0); show(2, label(buffer + 3, 1));
        tk_memset(0, buffer, 0, 0, 0, 16, 0); show(3, label(buffer + 3, 1));";
    assert_eq!(
        path_of(body, 0),
        ["condition 1=1 in0", "condition 1=1 in7", "condition 2=1 in0", "condition 3=1 concrete"]
    );
}

#[test]
fn equal_operations_are_one_node() {
    let body = "uint32_t a = tkf_binary(TK_OP_ADD, 8, 8, label(&x, 1), 0, 0, 5);
        uint32_t b = tkf_binary(TK_OP_ADD, 8, 8, label(&x, 1), 0, 0, 5); show(a == b, a);";
    assert_eq!(path_of(body, 0), ["condition 1=1 add8(in0, 0x5:8)"]);
}

#[test]
fn concrete_operands_give_no_label() {
    let body = "show(1, tkf_binary(TK_OP_MUL, 32, 32, 0, 0, 3, 4) | tkf_divide(1, TK_OP_UDIV, 32, 0, 0, 3, 0)
        | tkf_unary(TK_OP_ZEXT, 64, 0) | tkf_fcmp(1, 64, 0, 0, 1, 2) | tkf_ternary(TK_OP_FFMA, 64, 0, 0, 0, 1, 2, 3));
        tkf_internal(2, 1, 0); tkf_internal_switch(2, 9, 0); tkf_check(2, 1, 1, 0);";
    assert_eq!(path_of(body, 0), ["condition 1=1 concrete"]);
}

#[test]
fn select_depends_on_its_condition_only_when_that_is_symbolic() {
    let body =
        "uint32_t c = tkf_binary(TK_OP_EQ, 1, 8, label(&x, 1), 0, 0, 0), other = label((char *)&x + 1, 1);
        show(1, tkf_select(8, c, 1, other, 0, 9, 4)); show(2, tkf_select(8, 0, 0, other, 0, 9, 4));
        show(3, tkf_select(8, c, 1, 0, 0, 4, 4));";
    assert_eq!(
        path_of(body, 0),
        [
            "condition 1=1 ite8(eq1(in0, 0x0:8), in1, 0x4:8)",
            "condition 2=1 concrete",
            "condition 3=1 concrete"
        ]
    );
}

#[test]
fn wide_values_are_two_halves() {
    let body = "unsigned __int128 big = (unsigned __int128)5 << 64 | 3;
        show(1, tkf_binary128(TK_OP_XOR, 128, 128, tkf_unary(TK_OP_ZEXT, 128, label(&x, 1)), 0, 0, big));";
    assert_eq!(path_of(body, 0), ["condition 1=1 xor128(zext128(in0), concat128(0x5:64, 0x3:64))"]);
}

#[test]
fn extracts_see_through_joins_and_extensions() {
    let body = "uint32_t wide = tkf_unary(TK_OP_ZEXT, 32, label(&x, 2));
        show(1, tkf_extract(8, 8, wide)); show(2, tkf_extract(16, 8, wide)); show(3, tkf_extract(0, 32, wide) == wide);";
    assert_eq!(path_of(body, 0), ["condition 1=1 in1", "condition 2=1 concrete", "condition 3=1 in0"]);
}

#[test]
fn a_symbolic_divisor_is_checked_before_it_divides() {
    let body = "uint32_t d = label(&x, 1);
        show(1, tkf_divide(9, TK_OP_SDIV, 8, 0, d, 100, (uint8_t)x)); tkf_divide(9, TK_OP_UREM, 8, 0, d, 100, (uint8_t)x);";
    let check = "ne1(in0, 0x0:8)";
    assert_eq!(
        path_of(body, 7),
        [format!("check 9=1 {check}"), "condition 1=1 sdiv8(0x64:8, in0)".to_owned()]
    );
    assert_eq!(path_of(body, 0), [format!("check 9=0 {check}"), "condition 1=1 concrete".to_owned()]);
}

#[test]
fn branches_without_a_source_condition_are_logged_when_symbolic() {
    let body = "uint32_t l = label(&x, 1); tkf_internal(3, 0, l); tkf_internal_switch(4, 0x500000007, l);
        tkf_check(5, 1, 1, l); tkf_check(6, 1, 1, l); tkf_switch(7, 2, 3, l);";
    assert_eq!(
        path_of(body, 0),
        ["internal 3=0 in0", "internalswitch 4=5 in0 aux=7", "check 5=1 in0", "switch 7=3 in0"]
    );
}

#[test]
fn call_labels_reach_only_the_callee_they_were_meant_for() {
    let target = Target::new(
        "uint64_t x;
         uint32_t meant, argument;
         void callee(void) { meant = tkf_enter(callee); argument = tkf_get_argument(meant, 1);
                             tkf_set_result(0, argument); tkf_return(meant); }
         void native(void) { callee(); }
         void __tk_drive(unsigned unit) {
           tk_bind(&x, 8, 0);
           tkf_call(callee); tkf_set_argument(1, 1); callee(); tkf_condition(1, 0, meant, tkf_get_result(0));
           tkf_call(native); tkf_set_argument(1, 1); native(); tk_native_return(2);
           tkf_condition(2, 0, meant, tkf_get_result(0) | argument);
         }",
    );
    let mut server = target.start();
    assert_eq!(path(&run(&mut server, &[root(0, &[0; 8])])), ["condition 1=1 in0", "condition 2=0 concrete"]);
}

#[test]
fn variadic_labels_survive_a_variadic_call_in_between() {
    let target = Target::new(
        "#include <stdarg.h>
         int x[12];
         static uint32_t label(const void *p, uint32_t size) { return tkf_load(0, p, 0, size); }
         __attribute__((noinline)) void inner(int count, ...) {
           va_list list; va_start(list, count); tk_va_start(list);
           for (int i = 0; i < count; i++) {
             char *slot = list->gp_offset < 48 ? (char *)list->reg_save_area + list->gp_offset : list->overflow_arg_area;
             tkf_condition(20 + i, 0, 1, label(slot, 4)); (void)va_arg(list, int);
           }
           va_end(list);
         }
         __attribute__((noinline)) void outer(int count, ...) {
           tk_va_ready(0); inner(1, 5);
           va_list list; va_start(list, count); tk_va_start(list);
           for (int i = 0; i < count; i++) {
             char *slot = list->gp_offset < 48 ? (char *)list->reg_save_area + list->gp_offset : list->overflow_arg_area;
             tkf_condition(i, 0, 1, label(slot, 4)); (void)va_arg(list, int);
           }
           va_end(list);
         }
         void __tk_drive(unsigned unit) {
           tk_bind(x, sizeof x, 0);
           for (int i = 0; i < 7; i++) tk_va_argument(i < 5 ? 8 + 8 * i : 176 + 8 * (i - 5), 4, i == 3 ? 0 : label(&x[i], 4));
           tk_va_ready(16); outer(7, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
         }",
    );
    let mut server = target.start();
    let path = path(&run(&mut server, &[root(0, &[0; 48])]));
    let mut expected = vec!["condition 20=1 concrete".to_owned()];
    expected.extend((0..7).map(|i| {
        let label = if i == 3 { "concrete".to_owned() } else { joined(4 * i, 4) };
        format!("condition {i}=1 {label}")
    }));
    assert_eq!(path, expected);
}

#[test]
fn self_check_records_values_and_notices_a_clash() {
    let target = Target::new(
        "uint32_t x;
         void __tk_drive(unsigned unit) {
           tk_bind(&x, 4, 0);
           uint32_t l = tkf_binary(TK_OP_ADD, 8, 8, tkf_load(0, &x, 0, 1), 0, x, 1);
           tk_self_check(l, 0x1ff); if (unit) tk_self_check(l, 3);
         }",
    );
    let mut server = target.start();
    let input = [root(0, &[0; 4])];
    let run = run_with(&mut server, &input, |request| request.self_check = true);
    let known: Vec<u64> = run
        .values()
        .iter()
        .zip(run.values_known())
        .filter(|(_, known)| **known == 1)
        .map(|(value, _)| *value)
        .collect();
    assert_eq!((known, run.self_check_clash()), (vec![0xff], None));
    let run = run_with(&mut server, &input, |request| (request.self_check, request.unit) = (true, 1));
    assert!(run.self_check_clash().is_some());
    let run = run_with(&mut server, &input, |request| request.unit = 1);
    assert!(run.values_known().iter().all(|known| *known == 0), "the earlier run's values are forgotten");
}

#[test]
fn a_full_event_log_is_said() {
    let target = Target::new(
        "void __tk_drive(unsigned unit) { for (unsigned i = 0; i < TK_MAX_EVENTS + 5; i++) tkf_condition(1, 0, 1, 7);
           tkf_condition(2, 2, 1, 0); }",
    );
    let mut server = target.start();
    let run = run(&mut server, &[]);
    assert_eq!((run.events().len() as u64, run.truncated()), (tarka_trace::MAX_EVENTS, true));
    assert_eq!(run.coverage()[..4], [0, 16, 0, 1], "coverage goes on when the log is full");
}

#[test]
fn a_concrete_outcome_is_logged_a_few_times_and_a_symbolic_one_always() {
    let target = Target::new(
        "void __tk_drive(unsigned unit) { for (unsigned i = 0; i < 1000; i++) tkf_condition(1, 0, i < 900, 0);
           for (unsigned i = 0; i < 40; i++) tkf_condition(2, 2, 1, 7); }",
    );
    let mut server = target.start();
    let run = run(&mut server, &[]);
    let logged = |site, outcome| {
        run.events().iter().filter(|event| (event.site, event.outcome) == (site, outcome)).count()
    };
    assert_eq!((logged(1, 1), logged(1, 0), logged(2, 1)), (16, 16, 40));
    assert!(!run.truncated());
}

#[test]
fn a_full_node_table_makes_values_concrete() {
    let target = Target::new(
        "uint32_t x;
         void __tk_drive(unsigned unit) {
           tk_bind(&x, 4, 0); uint32_t l = tkf_load(0, &x, 0, 4);
           for (unsigned i = 0; i < TK_MAX_NODES; i++) l = l ? tkf_binary(TK_OP_ADD, 32, 32, l, 0, 0, i % 64) : 0;
           tkf_condition(1, 0, 1, l);
         }",
    );
    let mut server = target.start();
    let run = run(&mut server, &[root(0, &[0; 4])]);
    assert_eq!(
        (run.nodes().len() as u64, run.truncated(), run.events()[0].label),
        (tarka_trace::MAX_NODES, true, 0)
    );
}
