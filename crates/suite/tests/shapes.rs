//! Structs, unions, arrays and buffers as the emitted tests write them; compiled and run like those of `values`.

use crate::unit::{self, Bench, le, to};
use tarka_events::RunEnd;
use tarka_source::TypeId;

#[test]
fn the_member_of_a_union_that_reads_best() {
    let mut bench = Bench::new(
        "enum kind { NONE, CIRCLE = 1000000, SQUARE };\n\
         struct pair { short a, b; };\n\
         union value { unsigned raw; float real; enum kind kind; char name[8]; struct pair pair; union value *next; };\n\
         int f(union value *v) { v[0].real = 2.5f; v[1].pair.b = 7; return v[5].next == v; }\n",
        "f",
    );
    let value = bench.pointee(bench.params()[0]);
    let slots = |first: f32, pair: [i16; 2]| {
        let mut bytes = Vec::new();
        let slot = |content: &[u8]| {
            let mut content = content.to_vec();
            content.resize(8, 0);
            content
        };
        bytes.extend(slot(&first.to_le_bytes()));
        bytes.extend(slot(&[pair[0].to_le_bytes(), pair[1].to_le_bytes()].concat()));
        bytes.extend(slot(&le(&[7])));
        bytes.extend(slot(&le(&[1_000_001])));
        bytes.extend(slot(b"abc"));
        bytes.extend(slot(&to(0)));
        bytes.extend(slot(&[1, 2, 3, 4, 5, 6, 7]));
        bytes
    };
    let input =
        bench.input().pointer(0).object(0, 0, value, 7, &slots(1.5, [300, -1]), &slots(2.5, [300, 7])).make();
    bench.returns(input, &le(&[1]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn the_member_of_a_union_that_its_tag_selects() {
    let mut bench = Bench::new(
        "enum kind { NOTHING, COUNT, PRICE };\n\
         struct value { enum kind kind; union { int raw; int count; int price; } as; union { int low; int high; }; };\n\
         struct value last;\n\
         struct value f(struct value *v) {\n\
             if (v[0].kind == COUNT) v[0].as.count += v[0].high;\n\
             if (last.kind == PRICE) last.as.price = 4;\n\
             if (last.kind == NOTHING) last.low = 1;\n\
             return v[1];\n\
         }\n",
        "f",
    );
    let value = bench.pointee(bench.params()[0]);
    let before = le(&[1, 7, 3, 2, 8, 0, 5, 9, 0]);
    let after = le(&[1, 10, 3, 2, 8, 0, 5, 9, 0]);
    let input = bench
        .input()
        .pointer(0)
        .global("last", &[], &le(&[2, 3, 0]), &le(&[2, 4, 0]))
        .object(0, 0, value, 3, &before, &after)
        .make();
    bench.run(input, &[0, 2, 5], RunEnd::Returned, &le(&[2, 8, 0]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn packed_members_are_never_pointed_to_by_name() {
    let mut bench = Bench::new(
        "struct __attribute__((packed)) record { char tag; int value; double weight; char name[5]; };\n\
         char *f(struct record *r, char *into) {\n\
             r->value += 1; r->weight = -0.0; into[0] = 'b';\n\
             return (char *)r + 1;\n\
         }\n",
        "f",
    );
    let record = bench.pointee(bench.params()[0]);
    let bytes = |value: i32, weight: f64, name: &[u8]| {
        [b"x", &value.to_le_bytes()[..], &weight.to_le_bytes(), name].concat()
    };
    let input = bench
        .input()
        .pointer(0)
        .param(&(unit::address(0) + 13).to_le_bytes())
        .object(0, 0, record, 1, &bytes(41, 0.5, b"ann"), &bytes(42, -0.0, b"bnn"))
        .make();
    bench.returns(input, &(unit::address(0) + 1).to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn arrays_of_two_dimensions() {
    let mut bench = Bench::new(
        "int f(int grid[2][3], char (*words)[4]) { grid[1][2] = grid[0][1] + 1; words[1][0] = 'B'; return grid[1][0]; }\n",
        "f",
    );
    let [row, word] = [0, 1].map(|index| bench.pointee(bench.params()[index]));
    let input = bench
        .input()
        .pointer(0)
        .pointer(1)
        .object(0, 0, row, 2, &le(&[0, 5, 0, 6]), &le(&[0, 5, 0, 6, 0, 6]))
        .object(1, 0, word, 8, b"one\0two\0", b"one\0Bwo\0")
        .touched(8)
        .make();
    bench.returns(input, &le(&[6]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn arrays_of_structs_name_what_is_set() {
    let mut bench = Bench::new(
        "struct entry { int key; const char *name; double weight; };\n\
         struct entry f(struct entry entries[4]) { entries[1].key = 8; return entries[3]; }\n",
        "f",
    );
    let entry = bench.pointee(bench.params()[0]);
    let char_type = bench.ty("char");
    let third = [&le(&[4, 0])[..], &to(1), &2.5f64.to_le_bytes()].concat();
    let before = [vec![0; 72], third.clone()].concat();
    let mut after = before.clone();
    after[24] = 8;
    let input = bench
        .input()
        .pointer(0)
        .object(0, 0, entry, 4, &before, &after)
        .object(1, 80, char_type, 32, b"tin", b"tin")
        .touched(0)
        .make();
    bench.returns(input, &third);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn buffers_are_as_long_as_their_length_says() {
    let mut bench = Bench::new(
        "#include <stddef.h>\n\
         int sum(const int *values, size_t n, const char *text, size_t len) {\n\
             int total = 0;\n\
             for (size_t i = 0; i < n; i++) total += values[i];\n\
             return len == 3 ? total + text[2] : total;\n\
         }\n",
        "sum",
    );
    let [int, text] = [0, 2].map(|index| bench.pointee(bench.params()[index]));
    let counted = |n: u64| n.to_le_bytes();
    let input = bench
        .input()
        .pointer(0)
        .param(&counted(3))
        .pointer(1)
        .param(&counted(3))
        .object(0, 0, int, 3, &le(&[5]), &le(&[5]))
        .exact()
        .object(2, 0, text, 3, b"abc", b"abc")
        .exact()
        .make();
    bench.run(input, &[0, 1, 2], tarka_events::RunEnd::Returned, &le(&[104]));
    let input = bench
        .input()
        .pointer(0)
        .param(&counted(0))
        .pointer(1)
        .param(&counted(1))
        .object(0, 0, int, 0, &[], &[])
        .exact()
        .object(2, 0, text, 1, b"", b"")
        .exact()
        .make();
    bench.run(input, &[1, 3], tarka_events::RunEnd::Returned, &le(&[0]));
    insta::assert_snapshot!(bench.judged());
}

/// A packet of `count` elements, given and left behind.
fn packet(bench: &mut Bench, record: TypeId, head: &[u8], before: &[u8], after: &[u8], result: i32) {
    let input = bench.input().pointer(0).object(0, 0, record, 1, head, head).tail(before, after).make();
    bench.returns(input, &le(&[result]));
}

#[test]
fn flexible_arrays_of_numbers() {
    let mut bench = Bench::new(
        "struct packet { int len; int data[]; };\n\
         int f(struct packet *p) { p->data[p->len - 1] = 9; return p->data[0]; }\n",
        "f",
    );
    let record = bench.pointee(bench.params()[0]);
    packet(&mut bench, record, &le(&[3]), &le(&[1, 2, 0]), &le(&[1, 2, 9]), 1);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn flexible_arrays_of_characters() {
    let mut bench = Bench::new(
        "struct word { unsigned short len; char text[]; };\n\
         int f(struct word *w) { w->text[0] = 'H'; return w->text[w->len]; }\n",
        "f",
    );
    let record = bench.pointee(bench.params()[0]);
    packet(&mut bench, record, &[2, 0], b"hi\0", b"Hi\0", 0);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn flexible_arrays_of_pointers() {
    let mut bench = Bench::new(
        "struct args { struct args *self; int count; const char *names[]; };\n\
         int f(struct args *a) { return a->self == a ? a->names[1][0] : -1; }\n",
        "f",
    );
    let [record, text] = [bench.pointee(bench.params()[0]), bench.ty("char")];
    let names = [vec![0; 8], to(1)].concat();
    let head = [to(0), le(&[2])].concat();
    let input = bench
        .input()
        .pointer(0)
        .object(0, 0, record, 1, &head, &head)
        .tail(&names, &names)
        .object(1, 24, text, 32, b"b", b"b")
        .touched(1)
        .make();
    bench.run(input, &[0], tarka_events::RunEnd::Returned, &le(&[98]));
    let input = bench.input().pointer(0).object(0, 0, record, 1, &[], &[]).make();
    bench.run(input, &[1], tarka_events::RunEnd::Returned, &le(&[-1]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn flexible_arrays_in_memory_that_the_unit_frees_or_that_has_no_initialiser() {
    let mut bench = Bench::new(
        "#include <stdlib.h>\n\
         struct word { int len; char text[]; };\n\
         struct old { int len; int data[0]; };\n\
         int f(struct word *w, struct old *o) { int n = w->text[1]; free(w); o->data[1] = n; return o->data[0]; }\n",
        "f",
    );
    let [word, old] = [0, 1].map(|index| bench.pointee(bench.params()[index]));
    let input = bench
        .input()
        .pointer(0)
        .pointer(1)
        .object(0, 0, word, 1, &le(&[2]), &le(&[2]))
        .tail(b"ab\0\0", b"ab\0\0")
        .freed()
        .object(1, 0, old, 1, &le(&[2]), &le(&[2]))
        .tail(&le(&[6, 7]), &le(&[6, 98]))
        .make();
    bench.returns(input, &le(&[6]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn large_objects_are_static() {
    let mut bench = Bench::new(
        "struct page { char bytes[70000]; struct page *next; int n; };\n\
         int f(struct page *p) { return p->next->n + p->n; }\n",
        "f",
    );
    let page = bench.pointee(bench.params()[0]);
    let bytes = |next: Vec<u8>, n: i32| [vec![0; 70000], next, le(&[n])].concat();
    let (first, second) = (bytes(to(32), 3), bytes(to(0), 4));
    let input = bench
        .input()
        .pointer(0)
        .object(0, 0, page, 1, &first, &first)
        .object(1, 70000, page, 1, &second, &second);
    // Both are larger than the bench's distance between objects.
    let mut input = input.make();
    input.scenario.objects[2].address = unit::address(32);
    bench.returns(input, &le(&[7]));
    insta::assert_snapshot!(bench.judged());
}
