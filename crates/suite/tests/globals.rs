//! Variables of the unit as the emitted tests set and check them: only what differs is written. Compiled and run like
//! those of `values`.

use crate::unit::{Bench, le, to};
use tarka_events::RunEnd;

#[test]
fn only_what_differs_is_set_and_only_what_changed_is_checked() {
    let mut bench = Bench::new(
        "#include <stddef.h>\n\
         enum mode { IDLE, BUSY };\n\
         static int limit = 5, counter;\n\
         static enum mode mode = BUSY;\n\
         static double rate = 0.5;\n\
         static struct { unsigned ready : 1, level : 5; int *slot; } state = {1, 3, &limit};\n\
         int f(void) {\n\
             if (limit < 7) return 0;\n\
             counter++; mode = IDLE; state.level = 9;\n\
             return (int)(rate * 4) + state.ready + (state.slot == &limit);\n\
         }\n",
        "f",
    );
    bench.global_at(0x40_4000, "limit");
    let state = |bits: u64| [bits.to_le_bytes(), 0x40_4000u64.to_le_bytes()].concat();
    let doubles = |value: f64| value.to_le_bytes();
    let input = bench
        .input()
        .global("limit", &le(&[5]), &le(&[7]), &le(&[7]))
        .global("counter", &[], &le(&[5]), &le(&[6]))
        .global("mode", &le(&[1]), &le(&[1]), &le(&[0]))
        .global("state", &state(1 | 3 << 1), &state(3 << 1), &state(9 << 1))
        .global("rate", &doubles(0.5), &doubles(1.5), &doubles(1.5))
        .make();
    bench.run(input, &[1], RunEnd::Returned, &le(&[7]));
    let input = bench.input().global("limit", &le(&[5]), &le(&[5]), &le(&[5])).make();
    bench.run(input, &[0], RunEnd::Returned, &le(&[0]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn tables_element_by_element_or_as_a_whole() {
    let mut bench = Bench::new(
        "struct entry { int key; int low, high, step; };\n\
         static struct entry table[4] = {{.key = 1}, {.key = 2}};\n\
         static int squares[12];\n\
         static short used[6] = {1, 2, 3, 4, 5, 6};\n\
         static struct entry last;\n\
         int f(void) { squares[1] = 7; table[3].high = 2; return table[2].key + squares[11] + used[5] + last.step; }\n",
        "f",
    );
    let row = |key: i32| le(&[key, 0, 0, 0]);
    let table =
        |second: i32, third: i32, high: i32| [row(1), row(second), row(third), le(&[0, 0, high, 0])].concat();
    let squares: Vec<i32> = (1..=12).map(|n| n * n).collect();
    let mut changed = squares.clone();
    changed[1] = 7;
    let used: Vec<u8> = (1..=6i16).flat_map(i16::to_le_bytes).collect();
    let last = le(&[1, 2, 3, 4]);
    let input = bench
        .input()
        .global("table", &table(2, 0, 0), &table(0, 3, 0), &table(0, 3, 2))
        .global("squares", &[], &le(&squares), &le(&changed))
        .global("used", &used, &[], &[])
        .global("last", &[], &last, &last)
        .make();
    bench.returns(input, &le(&[3 + 144 + 4]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn texts_in_globals() {
    let mut bench = Bench::new(
        "static char name[16];\n\
         static char title[12] = \"a longer one\";\n\
         static char gone[8] = \"old\";\n\
         static unsigned char raw[4];\n\
         static struct { char unit[4]; const char label[8]; } scale;\n\
         int f(void) { name[0] = 'B'; return title[0] + gone[0] + raw[1] + scale.unit[1] + scale.label[0]; }\n",
        "f",
    );
    let input = bench
        .input()
        .global("name", &[], b"bob", b"Bob")
        .global("title", b"a longer one", b"an", b"an")
        .global("gone", b"old", b"\0ld", b"\0ld")
        .global("raw", &[], &[1, 2], &[1, 2])
        .global("scale", &[], b"km\0\0far", b"km\0\0far")
        .make();
    bench.returns(input, &le(&[97 + 2 + 109 + 102]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn constant_members_are_copied() {
    let mut bench = Bench::new(
        "struct config { const int version; const unsigned level : 4; int retries; };\n\
         struct pair { const int id; int n; };\n\
         static struct config config = {1, 2, 3};\n\
         static struct pair pair;\n\
         int f(void) { return config.version + (int)config.level + config.retries + pair.id; }\n",
        "f",
    );
    let input = bench
        .input()
        .global("config", &le(&[1, 2, 3]), &le(&[1, 9, 3]), &le(&[1, 9, 3]))
        .global("pair", &[], &le(&[6, 0]), &le(&[6, 0]))
        .make();
    bench.returns(input, &le(&[1 + 9 + 3 + 6]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn a_list_that_a_global_holds() {
    let mut bench = Bench::new(
        "#include <stddef.h>\n\
         struct node { int v; struct node *next; };\n\
         static struct node spare = {9, NULL};\n\
         static struct node *head = &spare;\n\
         static union { int whole; float part; } last;\n\
         int pop(void) {\n\
             if (head == NULL) return -1;\n\
             int v = head->v;\n\
             head = head->next; last.part = 0.5f;\n\
             return v;\n\
         }\n",
        "pop",
    );
    bench.global_at(0x40_4000, "spare");
    let node = bench.ty("struct node");
    let spare = 0x40_4000u64.to_le_bytes();
    let first = [&5i64.to_le_bytes()[..], &spare].concat();
    let part = |value: f32| value.to_le_bytes();
    let input = bench
        .input()
        .global("head", &spare, &to(0), &spare)
        .global("last", &[], &part(1.5), &part(0.5))
        .object(0, 0, node, 1, &first, &first)
        .make();
    bench.run(input, &[1], RunEnd::Returned, &le(&[5]));
    let input = bench.input().global("head", &spare, &[], &[]).make();
    bench.run(input, &[0], RunEnd::Returned, &le(&[-1]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn members_of_anonymous_structs_are_set_one_by_one() {
    let mut bench = Bench::new(
        "static struct { int kept; struct { int a, b, c, d; }; union { int whole; char name[8]; }; int *slots[2]; } state\n\
             = {7, {1, 2, 3, 4}, {5}, {&state.kept, 0}};\n\
         int f(void) { return state.kept + state.a + state.d + state.name[0] + (state.slots[0] == 0); }\n",
        "f",
    );
    let numbers = |inner: [i32; 4]| [le(&[7]), le(&inner)].concat();
    let slot = 0x40_4000u64.to_le_bytes();
    let initial = [numbers([1, 2, 3, 4]), le(&[5, 0, 0]), slot.to_vec()].concat();
    let before = [numbers([0; 4]), b"word\0\0\0\0\0\0\0\0".to_vec()].concat();
    let input = bench.input().global("state", &initial, &before, &before).make();
    bench.returns(input, &le(&[7 + 119 + 1]));
    insta::assert_snapshot!(bench.judged());
}
