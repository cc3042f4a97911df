//! Every kind of value as the emitted tests write it. Each text is compiled by gcc and clang with warnings as errors,
//! and passes under both.

use crate::unit::{Bench, address, le};

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
fn masks_are_hex_and_counts_are_not() {
    let mut bench = Bench::new(
        "#include <stddef.h>\n\
         unsigned f(unsigned mask, unsigned char bit, unsigned count, size_t size, int low, unsigned long big)\n\
         { return mask + bit + count + (unsigned)size + (unsigned)low + (big > 1); }\n",
        "f",
    );
    let input = bench
        .input()
        .param(&le(&[0xff]))
        .param(&[0x80])
        .param(&le(&[100]))
        .param(&64u64.to_le_bytes())
        .param(&le(&[-64]))
        .param(&0xdead_beefu64.to_le_bytes())
        .make();
    bench.returns(input, &(255 + 128 + 100 + 1u32).to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn integers_of_128_bits() {
    let mut bench =
        Bench::new("__int128 f(__int128 a, unsigned __int128 b) { return a + (__int128)(b >> 100); }\n", "f");
    let input = bench.input().param(&(-5i128).to_le_bytes()).param(&(3u128 << 100).to_le_bytes()).make();
    bench.returns(input, &(-2i128).to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn flags_are_joined() {
    let mut bench = Bench::new(
        "enum access { NONE, READ = 1, WRITE = 2, RUN = 4 };\n\
         struct file { enum access mode : 4; unsigned age : 9; };\n\
         enum access f(enum access a, enum access unknown, struct file *file)\n\
         { file->mode = a | WRITE; file->age = 300; return (enum access)(a & ~unknown) | WRITE; }\n",
        "f",
    );
    let file = bench.pointee(bench.params()[2]);
    let bits = |mode: u32, age: u32| (mode | age << 4).to_le_bytes();
    let input = bench
        .input()
        .param(&le(&[5]))
        .param(&le(&[8]))
        .pointer(0)
        .object(2, 0, file, 1, &bits(6, 16), &bits(7, 300))
        .make();
    bench.returns(input, &le(&[7]));
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
fn floats_at_the_edges() {
    let mut bench = Bench::new(
        "double f(double tiny, double huge, float least, long double half, long double near_one, long double inf)\n\
         { return tiny + huge + (double)least * (half + near_one > inf); }\n",
        "f",
    );
    let long_double = |sign_and_exponent: u16, mantissa: u64| {
        [&mantissa.to_le_bytes()[..], &sign_and_exponent.to_le_bytes()].concat()
    };
    let input = bench
        .input()
        .param(&5e-324f64.to_le_bytes())
        .param(&f64::MAX.to_le_bytes())
        .param(&f32::MIN_POSITIVE.to_le_bytes())
        .param(&long_double(0xbffe, 1 << 63))
        .param(&long_double(0x3fff, (1 << 63) + 1))
        .param(&long_double(0xffff, 1 << 63))
        .make();
    bench.returns(input, &f64::MAX.to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn a_long_double_that_comes_back() {
    let mut bench = Bench::new("long double f(long double a) { return -a; }\n", "f");
    let input = bench.input().param(&[]).make();
    bench.returns(input, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0]);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn complex_numbers_in_two_parts() {
    let mut bench = Bench::new(
        "double _Complex f(double _Complex a, float _Complex b, double _Complex c, double _Complex d)\n\
         { (void)b; (void)c; return a + d; }\n",
        "f",
    );
    let pair = |real: f64, imaginary: f64| [real.to_le_bytes(), imaginary.to_le_bytes()].concat();
    let input = bench
        .input()
        .param(&pair(1.0, -2.5))
        .param(&[0.5f32.to_le_bytes(), (-0.0f32).to_le_bytes()].concat())
        .param(&pair(f64::NAN, f64::NEG_INFINITY))
        .param(&[])
        .make();
    bench.returns(input, &pair(1.0, -2.5));
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
fn wide_characters_and_strings() {
    let mut bench = Bench::new(
        "#include <wchar.h>\n\
         wchar_t f(wchar_t *text, wchar_t letter, const wchar_t *odd) {\n\
             if (odd[0] == 1) text[0] = letter;\n\
             return text[1];\n\
         }\n",
        "f",
    );
    let wide = bench.ty("wchar_t");
    let text = |word: &str| word.bytes().flat_map(|byte| [byte, 0, 0, 0]).collect::<Vec<u8>>();
    let input = bench
        .input()
        .pointer(0)
        .param(&text("H"))
        .pointer(1)
        .object(0, 0, wide, 8, &text("hi"), &text("Hi"))
        .touched(8)
        .object(2, 0, wide, 8, &le(&[1, 0x20ac]), &le(&[1, 0x20ac]))
        .touched(4)
        .make();
    bench.run(input, &[0], tarka_events::RunEnd::Returned, &text("i"));
    let input = bench
        .input()
        .pointer(0)
        .param(&[])
        .pointer(1)
        .object(0, 0, wide, 2, &[], &[])
        .object(2, 0, wide, 1, &[], &[])
        .make();
    bench.run(input, &[1], tarka_events::RunEnd::Returned, &[0, 0, 0, 0]);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn words_with_zeros_between_and_bytes_that_spell_a_word() {
    let mut bench = Bench::new(
        "#include <stdint.h>\n\
         int f(const char *words, const uint8_t *method, const uint8_t *raw) { return words[4] + method[0] + raw[1]; }\n",
        "f",
    );
    let [words, byte] = [0, 1].map(|index| bench.pointee(bench.params()[index]));
    let input = bench
        .input()
        .pointer(0)
        .pointer(1)
        .pointer(2)
        .object(0, 0, words, 32, b"one\0two", b"one\0two")
        .touched(5)
        .object(1, 0, byte, 32, b"GET", b"GET")
        .touched(1)
        .object(2, 0, byte, 32, &[1, 255], &[1, 255])
        .touched(2)
        .make();
    bench.returns(input, &le(&[116 + 71 + 255]));
    insta::assert_snapshot!(bench.judged());
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
