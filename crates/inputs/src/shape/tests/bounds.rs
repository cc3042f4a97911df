//! Sizes: lengths, strings, bounds of the user, huge arrays, and what is said about them.

use super::*;

#[test]
fn an_object_with_a_length_is_as_large_as_the_input_says() {
    let mut unit = Unit::new("int f(const int *values, short count) { return values[count]; }");
    unit.param(0).length = Some(1);
    let shape = unit.shape();
    let count = unit.roots[1].offset;
    let object = |length: i16| {
        let [low, high] = length.to_le_bytes();
        shape.object_behind(&shape.grown_input(&[0]).with(&[(count, low), (count + 1, high)]), 0)
    };
    let sizes =
        [-1, 0, 1, 16, 17].map(|length| (object(length).count, object(length).size, object(length).exact));
    // Where the sign of a length means something else, -1 counts one element.
    assert_eq!(sizes, [(1, 4, true), (0, 0, true), (1, 4, true), (16, 64, true), (16, 64, false)]);
    let one = object(1);
    assert_eq!((one.capacity, one.flags.len(), one.ends_string), (64, 4, false));
    let length = one.length.expect("a length");
    assert_eq!((length.offset, length.bits, length.signed, length.element), (count, 16, true, 4));
}

#[test]
fn an_object_that_the_unit_leaves_has_room_behind_what_its_length_counts() {
    let mut unit = Unit::new("int f(const char *text, unsigned count) { return text[count]; }");
    unit.param(0).length = Some(1);
    unit.roomy = BTreeSet::from([vec![unit.roots[0].offset]]);
    let shape = unit.shape();
    let input = shape.grown_input(&[0]).with(&[(unit.roots[1].offset, 2)]);
    let text = shape.object_behind(&input, 0);
    // Its size is a guess now, and says nothing about a fault; the length is still one that it can have.
    assert_eq!((text.counted(), text.count, text.size, text.exact), (16, 28, 28, false));
    let behind = input.with(&[(text.offset + 2, b'!')]);
    assert_eq!(shape.reachable(&behind).within(text.offset, 4), [0, 0, b'!', 0]);
}

#[test]
fn bytes_beyond_the_length_are_dropped_from_the_input() {
    let mut unit = Unit::new("int f(const char *bytes, unsigned count) { return bytes[count]; }");
    unit.param(0).length = Some(1);
    let shape = unit.shape();
    let (bytes, count) = (shape.fresh_offset(0), unit.roots[1].offset);
    let input = shape.grown_input(&[0]).with(&[(count, 2), (bytes + 1, 7), (bytes + 2, 8)]);
    let kept = shape.reachable(&input);
    assert_eq!(kept.within(bytes, 4), [0, 7, 0, 0]);
    assert!(shape.reachable(&input.with_word(0, 0)).changed_within(bytes, 100).is_empty());
}

#[test]
fn a_length_may_be_a_member_beside_the_pointer() {
    let mut unit = Unit::new(
        "struct vector { unsigned count; int *items; };
         struct pair { long x; struct vector v; };
         int f(struct pair *p) { return p->v.items[0]; }",
    );
    let record = unit.type_named("struct vector");
    let TypeKind::Record { fields, .. } = &mut unit.model.types.types[record.0 as usize].kind else {
        panic!()
    };
    fields[1].length = Some(0);
    let shape = unit.shape();
    let pair = shape.fresh_offset(0);
    let input = shape.grown_input(&[0, pair + 16]).with(&[(pair + 8, 3)]);
    let items = shape.object_behind(&input, pair + 16);
    assert_eq!((items.count, items.size, items.length.map(|length| length.offset)), (3, 12, Some(pair + 8)));
}

#[test]
fn equal_buffers_are_no_longer_than_what_they_share() {
    let mut unit = Unit::new("int f(int *a, int n, int *b, int m, int *c) { return a[n] + b[m] + *c; }");
    unit.param(0).length = Some(1);
    unit.param(2).length = Some(3);
    let shape = unit.shape();
    let [n, b, m, c] = [1, 2, 3, 4].map(|index: usize| unit.roots[index].offset);
    let a = shape.fresh(0);
    let shared = |slot: u32, n_value: u8, m_value: u8| {
        let input = shape.grown_input(&[0]).with(&[(n, n_value), (m, m_value)]).with_word(slot, a);
        shape.allows(&input, slot, DomainWidth::Wide)
    };
    assert_eq!([shared(b, 3, 3), shared(b, 3, 2), shared(b, 2, 3)], [true, true, false]);
    assert_eq!([shared(c, 1, 0), shared(c, 0, 0)], [true, false]);
}

#[test]
fn strings_end_in_a_zero_that_is_not_chosen() {
    let mut unit = Unit::new(
        "#include <wchar.h>
         int f(const char *s, const wchar_t *w) { return s[0] == w[0]; }",
    );
    unit.limits.string = 24;
    let shape = unit.shape();
    let w = unit.roots[1].offset;
    let input = shape.grown_input(&[0, w]);
    let (narrow, wide) = (shape.object_behind(&input, 0), shape.object_behind(&input, w));
    assert_eq!((narrow.count, narrow.size, narrow.ends_string), (24, 24, true));
    assert_eq!((wide.count, wide.size, wide.ends_string), (6, 24, true));
    let free = |object: &ObjectShape| object.flags.iter().filter(|&&bits| bits & flag::SYMBOLIC != 0).count();
    assert_eq!((free(&narrow), free(&wide)), (23, 20));
}

#[test]
fn the_users_sizes_come_first() {
    let mut unit = Unit::new("int f(const int *a, char *s, int n) { return a[n] + s[n]; }");
    unit.param(0).length = Some(2);
    unit.limits.sizes = BTreeMap::from([("a".to_string(), 100), ("s".to_string(), 5)]);
    let shape = unit.shape();
    let s = unit.roots[1].offset;
    let input = shape.grown_input(&[0, s]).with(&[(unit.roots[2].offset, 255)]);
    assert_eq!((shape.object_behind(&input, 0).count, shape.object_behind(&input, s).count), (100, 5));
}

#[test]
fn a_huge_array_is_cut_and_the_user_is_told() {
    let unit = Unit::new(
        "struct big { char data[100000]; };
         int f(char buffer[100000000], struct big *big) { return buffer[0] + big->data[0]; }",
    );
    let shape = unit.shape();
    let big = unit.roots[1].offset;
    let input = shape.grown_input(&[0, big]);
    let (buffer, big) = (shape.object_behind(&input, 0), shape.object_behind(&input, big));
    assert_eq!((buffer.count, buffer.size), (65536, 65536));
    assert_eq!((big.count, big.size, big.is_symbolic(big.offset + 65536)), (1, 100_000, false));
    let notes = shape.kept_zero(unit.function).bounds;
    let expected = [
        "parameter `buffer` has 100000000 elements: only the first 65536 are tried",
        "`struct big` has 100000 bytes: only the first 65536 are inputs",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn what_stays_null_or_is_opaque_is_named() {
    let unit = Unit::new(
        "#include <stdio.h>
         struct device;
         struct log { FILE *file; int (*write)(struct device *, int); };
         int f(struct log *log, FILE *out) { return log && out; }",
    );
    let kept = unit.shape().kept_zero(unit.function);
    let expected = [
        "member `write` of `struct log` is a pointer to a function of a type that no function has: kept null",
    ];
    assert_eq!(kept.null, expected);
    assert!(kept.has_pointers);
    let unit = Unit::new("struct device; int f(struct device *d) { return d != 0; }");
    let expected =
        "`struct device` is declared but not defined: pointers to it are null or lead to zero bytes";
    assert_eq!(unit.shape().kept_zero(unit.function).bounds, [expected]);
}

#[test]
fn only_what_cannot_be_built_is_refused_and_the_parameter_is_named() {
    let why = |text: &str| {
        let unit = Unit::new(text);
        support::why_not_testable(&unit.model.types, unit.model.function(unit.function))
    };
    assert_eq!(why("int f(int n, ...) { return n; }"), None);
    assert_eq!(
        why(
            "struct s; int f(void *p, struct s *q, int (*r)(void), long double x) { return p && q && r && x; }"
        ),
        None
    );
    let list = why("#include <stdarg.h>\nint f(int n, va_list list) { return va_arg(list, int) + n; }");
    assert!(list.expect("refused").starts_with("its 2nd parameter `list` is a `va_list`"));
    let vector = why("typedef int v4 __attribute__((vector_size(16))); int f(v4 v) { return v[0]; }");
    assert!(vector.expect("refused").starts_with("its 1st parameter `v` has the type"));
}
