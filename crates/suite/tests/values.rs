//! Every kind of value as the emitted tests write it. Each text is compiled by gcc and clang with warnings as errors,
//! and passes under both.

mod unit;

use unit::{Bench, address};

fn le(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn integers_of_every_width() {
    let mut bench = Bench::new(
        "#include <stdint.h>\n\
         int64_t f(int8_t a, uint8_t b, short c, unsigned d, int e, int64_t g, uint64_t h, char i, _Bool j)\n\
         { return a + b + c + (e == -2147483647 - 1) + (g < 0) + (h > 1) + i + j + (d > 5); }\n",
        "f",
    );
    let input = bench
        .input()
        .param(&[0xff])
        .param(&[200])
        .param(&(-300i16).to_le_bytes())
        .param(&u32::MAX.to_le_bytes())
        .param(&i32::MIN.to_le_bytes())
        .param(&i64::MIN.to_le_bytes())
        .param(&u64::MAX.to_le_bytes())
        .param(b"'")
        .param(&[1])
        .make();
    bench.returns(input, &(-1 + 200 - 300 + 1 + 1 + 1 + 39 + 1 + 1i64).to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn floats_exactly() {
    let mut bench = Bench::new(
        "double f(float a, double b, double c, double d, float e, double g) { (void)a; (void)c; (void)e; (void)g; return b * d; }\n",
        "f",
    );
    let input = bench
        .input()
        .param(&0.1f32.to_le_bytes())
        .param(&1e-7f64.to_le_bytes())
        .param(&f64::NAN.to_le_bytes())
        .param(&(-0.0f64).to_le_bytes())
        .param(&f32::INFINITY.to_le_bytes())
        .param(&0x7ff8_0000_0000_0123u64.to_le_bytes())
        .make();
    bench.returns(input, &(-0.0f64).to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn a_result_that_is_not_a_number() {
    let mut bench = Bench::new("float f(float a) { return a - a; }\n", "f");
    let input = bench.input().param(&f32::INFINITY.to_le_bytes()).make();
    bench.returns(input, &f32::NAN.to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn enums_by_name() {
    let mut bench = Bench::new(
        "enum colour { RED = 1, BLUE = 7 };\n\
         enum colour f(enum colour a, enum colour b) { return b == RED ? a : RED; }\n",
        "f",
    );
    let input = bench.input().param(&le(&[7])).param(&le(&[3])).make();
    bench.returns(input, &le(&[1]));
    let input = bench.input().param(&le(&[7])).param(&le(&[1])).make();
    bench.run(input, &[0], tarka_events::RunEnd::Returned, &le(&[7]));
    bench.unit.kept_runs[0].covers = vec![1];
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn a_list_of_structs_behind_pointers() {
    let mut bench = Bench::new(
        "#include <stddef.h>\n\
         struct node { int v; struct node *next; };\n\
         struct table { int a[1000]; struct node *head; int count; };\n\
         int pop(struct table *t) {\n\
             if (t->head == NULL) return -1;\n\
             t->head->v += 2; t->count--; t->a[3] = 9;\n\
             t->head = t->head->next;\n\
             return t->count;\n\
         }\n",
        "pop",
    );
    let table = bench.pointee(bench.model.function_named("pop").unwrap().1.params[0].ty);
    let node = bench.model.types.types.iter().position(|ty| ty.spelling == "struct node").unwrap();
    let node = tarka_source::TypeId(node as u32);
    let mut before = vec![0; 4000];
    before[8..12].copy_from_slice(&7i32.to_le_bytes());
    before.extend(address(1).to_le_bytes());
    before.extend(3i32.to_le_bytes());
    let mut after = before.clone();
    after[12..16].copy_from_slice(&9i32.to_le_bytes());
    after[4000..4008].copy_from_slice(&address(2).to_le_bytes());
    after[4008..4012].copy_from_slice(&2i32.to_le_bytes());
    let head = |v: i32| [&(v as i64).to_le_bytes()[..], &address(2).to_le_bytes()].concat();
    let input = bench
        .input()
        .pointer(0)
        .object(0, 0, table, 1, &before, &after)
        .object(1, 4000, node, 16, &head(5), &head(7))
        .touched(16)
        .object(2, 8, node, 16, &[], &[])
        .touched(0)
        .make();
    bench.run(input, &[1], tarka_events::RunEnd::Returned, &le(&[2]));
    let input = bench.input().pointer(0).object(0, 0, table, 1, &[], &[]).make();
    bench.run(input, &[0], tarka_events::RunEnd::Returned, &le(&[-1]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn strings_and_buffers() {
    let mut bench = Bench::new(
        "int f(char *text, unsigned char *raw, const char *odd) {\n\
             if (odd[0] != 1 || text[0] != 'h') return 0;\n\
             text[0] = 'H'; raw[1] = 0; return text[1];\n\
         }\n",
        "f",
    );
    let params: Vec<_> =
        bench.model.function_named("f").unwrap().1.params.iter().map(|param| param.ty).collect();
    let [text, raw, odd] = [0, 1, 2].map(|index| bench.pointee(params[index]));
    let input = bench
        .input()
        .pointer(0)
        .pointer(1)
        .pointer(2)
        .object(0, 0, text, 32, b"hi \"you\"\n", b"Hi \"you\"\n")
        .touched(2)
        .object(1, 0, raw, 32, &[0, 255], &[0, 0])
        .touched(2)
        .object(2, 0, odd, 32, &[1, 2, 255], &[1, 2, 255])
        .touched(1)
        .make();
    bench.returns(input, &le(&[105]));
    bench.write();
    bench.judge();
    insta::assert_snapshot!(bench.tests());
}

#[test]
fn fixed_arrays_keep_their_length() {
    let mut bench = Bench::new(
        "void sort(int a[4]) { if (a[0] > a[1]) { int t = a[0]; a[0] = a[1]; a[1] = t; } }\n\
         void fill(int *a) { for (int i = 0; i < 12; i++) a[i] = i * i; }\n",
        "sort",
    );
    let int = bench.pointee(bench.model.function_named("sort").unwrap().1.params[0].ty);
    let input = bench.input().pointer(0).object(0, 0, int, 4, &le(&[3, 1]), &le(&[1, 3])).touched(8).make();
    bench.run(input, &[0], tarka_events::RunEnd::Returned, &[]);
    let input = bench.input().pointer(0).object(0, 0, int, 4, &[], &[]).touched(8).make();
    bench.run(input, &[1], tarka_events::RunEnd::Returned, &[]);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn many_changes_are_compared_as_a_whole() {
    let mut bench =
        Bench::new("void fill(int *a) { for (int i = 0; i < 12; i++) a[i] = i * i + 1; }\n", "fill");
    let int = bench.pointee(bench.model.function_named("fill").unwrap().1.params[0].ty);
    let squares: Vec<i32> = (0..12).map(|i| i * i + 1).collect();
    let input = bench.input().pointer(0).object(0, 0, int, 16, &[], &le(&squares)).touched(48).make();
    bench.returns(input, &[]);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn nested_structs_unions_and_bit_fields() {
    let mut bench = Bench::new(
        "struct shape {\n\
             struct { int x, y; } at;\n\
             union { int whole; float part; char name[8]; };\n\
             unsigned small : 3, : 2, wide : 9;\n\
             signed low : 4;\n\
             const char *label;\n\
             struct { short s; } *tail;\n\
         };\n\
         struct shape f(struct shape s, struct shape *p) { p->at.y = s.at.x; p->wide = 300; return *p; }\n",
        "f",
    );
    let (_, function) = bench.model.function_named("f").unwrap();
    let shape = function.result;
    let tail = match &bench.model.types.get(shape).kind {
        tarka_source::TypeKind::Record { fields, .. } => bench.pointee(fields.last().unwrap().ty),
        _ => panic!("a struct"),
    };
    let size = bench.model.types.get(shape).size as usize;
    let mut value = le(&[11]);
    value.resize(size, 0);
    value[8..12].copy_from_slice(b"abc\0");
    value[12] = b'd';
    let mut before = vec![0; size];
    before[4] = 1;
    before[16] = 5;
    before[18] = 0x0c;
    let tail_at = size - 8;
    before[tail_at..].copy_from_slice(&address(1).to_le_bytes());
    let mut after = before.clone();
    after[4..8].copy_from_slice(&le(&[11]));
    let bits = 5u32 | 300 << 5 | (before[18] as u32) << 16;
    after[16..20].copy_from_slice(&bits.to_le_bytes());
    let input = bench
        .input()
        .param(&value)
        .pointer(0)
        .object(1, 0, shape, 1, &before, &after)
        .object(2, tail_at as u64, tail, 4, &[9, 0], &[9, 0])
        .touched(2)
        .make();
    bench.returns(input, &after);
    bench.write();
    bench.judge();
    insta::assert_snapshot!(bench.tests());
}

#[test]
fn objects_that_the_unit_frees_are_allocated() {
    let mut bench = Bench::new(
        "#include <stdlib.h>\n\
         struct pair { const int id; char *name; };\n\
         void drop(struct pair *p, int *numbers, int **rest) { free(p->name); free(p); free(numbers); *rest = NULL; }\n",
        "drop",
    );
    let params: Vec<_> =
        bench.model.function_named("drop").unwrap().1.params.iter().map(|param| param.ty).collect();
    let [pair, int, slot] = [0, 1, 2].map(|index| bench.pointee(params[index]));
    let name = match &bench.model.types.get(pair).kind {
        tarka_source::TypeKind::Record { fields, .. } => bench.pointee(fields[1].ty),
        _ => panic!("a struct"),
    };
    let mut before = 4i64.to_le_bytes().to_vec();
    before.extend(address(1).to_le_bytes());
    let input = bench
        .input()
        .pointer(0)
        .pointer(2)
        .pointer(3)
        .object(0, 0, pair, 1, &before, &before)
        .freed()
        .object(3, 8, name, 32, b"ann", b"ann")
        .freed()
        .object(1, 0, int, 16, &le(&[0, 6]), &le(&[0, 6]))
        .touched(0)
        .freed()
        .object(2, 0, slot, 2, &address(4).to_le_bytes(), &[])
        .touched(8)
        .object(6, 0, int, 1, &[], &[])
        .make();
    bench.returns(input, &[]);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn pointers_that_come_back() {
    let mut bench = Bench::new(
        "struct box { int a, b; };\n\
         int *f(struct box *x, int **where, char *text, char **rest) { *where = &x->a; *rest = text + 2; return &x->b; }\n",
        "f",
    );
    let params: Vec<_> =
        bench.model.function_named("f").unwrap().1.params.iter().map(|param| param.ty).collect();
    let [pair, slot, text, rest] = [0, 1, 2, 3].map(|index| bench.pointee(params[index]));
    let input = bench
        .input()
        .pointer(0)
        .pointer(1)
        .pointer(2)
        .pointer(3)
        .object(0, 0, pair, 1, &le(&[1, 2]), &le(&[1, 2]))
        .object(1, 0, slot, 1, &[], &address(0).to_le_bytes())
        .object(2, 0, text, 32, b"abc", b"abc")
        .touched(0)
        .object(3, 0, rest, 1, &[], &(address(2) + 2).to_le_bytes())
        .make();
    bench.returns(input, &(address(0) + 4).to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn pointers_in_a_circle() {
    let mut bench = Bench::new(
        "struct ring { struct ring *next; int v; };\n\
         int f(struct ring *r) { return r->next->next->v; }\n",
        "f",
    );
    let ring = bench.pointee(bench.model.function_named("f").unwrap().1.params[0].ty);
    let first = [&address(1).to_le_bytes()[..], &le(&[5])].concat();
    let second = [&address(0).to_le_bytes()[..], &le(&[6])].concat();
    let input = bench
        .input()
        .pointer(0)
        .object(0, 0, ring, 1, &first, &first)
        .object(1, 0, ring, 1, &second, &second)
        .make();
    bench.returns(input, &le(&[5]));
    insta::assert_snapshot!(bench.judged());
}
