//! Numbers of all kinds, and their values for whoever simplifies them.

use super::*;

#[test]
fn integers_enums_and_floats_are_free() {
    let unit = Unit::new(
        "enum colour { RED, GREEN = 7 };
         int f(signed char a, unsigned short b, __int128 c, enum colour d, float e, double g) { return a; }",
    );
    let shape = unit.shape();
    for (root, size) in unit.roots.iter().zip([1, 2, 16, 4, 4, 8]) {
        assert_eq!(shape.symbolic(root.offset), vec![true; size], "{}", root.name);
        let all_ones: Vec<(u32, u8)> = (root.offset..root.offset + size as u32).map(|at| (at, 255)).collect();
        let input = shape.default_input().with(&all_ones);
        assert!((0..size as u32).all(|at| shape.allows(&input, root.offset + at, DomainWidth::Narrow)));
    }
}

#[test]
fn a_bool_is_0_or_1() {
    let unit = Unit::new("int f(_Bool b) { return b; }");
    let shape = unit.shape();
    let allowed = [0, 1, 2, 255].map(|value| {
        let input = shape.default_input().with(&[(0, value)]);
        shape.allows(&input, 0, DomainWidth::Narrow)
    });
    assert_eq!(allowed, [true, true, false, false]);
}

#[test]
fn a_long_double_has_ten_bytes_and_is_a_number() {
    let unit = Unit::new("int f(long double x) { return x > 1; }");
    let shape = unit.shape();
    let symbolic = shape.symbolic(0);
    assert_eq!((symbolic.len(), symbolic.iter().filter(|&&free| free).count()), (16, 10));
    assert!(symbolic[..10].iter().all(|&free| free));
    let one = shape.default_input().with(&[(7, 0x80), (8, 0xff), (9, 0x3f)]);
    let unnormal = one.with(&[(7, 0x40)]);
    let subnormal = shape.default_input().with(&[(0, 1)]);
    let allowed = [&one, &unnormal, &subnormal].map(|input| shape.allows(input, 8, DomainWidth::Narrow));
    assert_eq!(allowed, [true, false, true]);
}

#[test]
fn a_complex_number_has_two_parts() {
    let unit = Unit::new("int f(double _Complex z, long double _Complex w) { return z == w; }");
    let shape = unit.shape();
    assert_eq!(shape.symbolic(0), [true; 16]);
    let parts = [[true; 10].as_slice(), &[false; 6]].concat().repeat(2);
    assert_eq!(shape.symbolic(unit.roots[1].offset), parts);
}

#[test]
fn bit_fields_are_free_and_so_is_padding() {
    let unit = Unit::new(
        "struct bits { unsigned a : 3; int b : 7; char c; long d; };
         int f(struct bits s) { return s.a; }",
    );
    let free = unit.shape().symbolic(0);
    assert_eq!(free, [true; 16], "ten bits, a char, padding, a long");
}

#[test]
fn values_that_differ_from_their_default_are_listed_with_what_they_are() {
    let unit = Unit::new(
        "enum colour { RED, GREEN = 7 };
         struct all { char c; enum colour e; _Bool b; double d; short s[2]; unsigned bit : 3; int *p; };
         int f(struct all a, long double x) { return a.c; }",
    );
    let shape = unit.shape();
    let x = unit.roots[1].offset;
    let input = shape.default_input().with(&[(0, 5), (4, 7), (8, 1), (16, 9), (26, 2), (28, 3), (x + 3, 1)]);
    let input = input.with_word(32, shape.fresh(32));
    let found: Vec<(u32, u32, LeafKind)> = shape
        .leaves(&shape.objects(&input), &input)
        .into_iter()
        .map(|leaf| (leaf.offset, leaf.size, leaf.kind))
        .collect();
    let expected = [
        (0, 1, LeafKind::Char),
        (4, 4, LeafKind::Enum(vec![0, 7])),
        (8, 1, LeafKind::Bool),
        (16, 8, LeafKind::Float { bits: 64 }),
        (26, 2, LeafKind::Integer { bits: 16, signed: true }),
        (28, 1, LeafKind::Other),
        (32, 8, LeafKind::Pointer),
        (x, 10, LeafKind::Float { bits: 80 }),
    ];
    assert_eq!(found, expected);
}
