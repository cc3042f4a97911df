//! Structs, unions, arrays, and records that end in an array without a size.

use super::*;

#[test]
fn packed_and_nested_structs_have_their_pointers_where_c_has_them() {
    let unit = Unit::new(
        "struct inner { char c; int *p; } __attribute__((packed));
         struct outer { short s; struct inner in[2]; };
         int f(struct outer o) { return o.s; }",
    );
    let shape = unit.shape();
    let slots: Vec<Option<u32>> = [2, 3, 10, 11, 12, 19].map(|byte| shape.pointer_slot(byte)).to_vec();
    assert_eq!(slots, [None, Some(3), Some(3), None, Some(12), Some(12)]);
}

#[test]
fn arrays_of_arrays_and_of_structs_are_inputs_to_the_last_element() {
    let unit = Unit::new(
        "struct point { int x, y; };
         int f(int grid[3][4], struct point points[5]) { return grid[2][3] + points[4].y; }",
    );
    let shape = unit.shape();
    let points = unit.roots[1].offset;
    let input = shape.grown_input(&[0, points]);
    let (grid, points) = (shape.object_behind(&input, 0), shape.object_behind(&input, points));
    assert_eq!((grid.count, grid.size), (3, 48));
    assert_eq!((points.count, points.size), (5, 40));
    assert!(grid.is_symbolic(grid.offset + 47) && points.is_symbolic(points.offset + 39));
}

#[test]
fn every_byte_of_a_union_is_free() {
    let unit = Unit::new("union u { int i; char word[6]; _Bool b; }; int f(union u u) { return u.i; }");
    let shape = unit.shape();
    let expected = [[true; 6].as_slice(), &[false; 2]].concat();
    assert_eq!(shape.symbolic(0), expected);
    let input = shape.default_input().with(&[(0, 77)]);
    assert!(shape.allows(&input, 0, DomainWidth::Narrow), "a truth value shares it with a number");
}

#[test]
fn a_union_of_pointers_is_a_pointer() {
    let unit = Unit::new("union u { int *i; const int *j; }; int f(union u u) { return *u.i; }");
    let shape = unit.shape();
    assert_eq!(shape.pointer_slot(7), Some(0));
    assert!(!shape.is_shared(0));
    let wild = shape.default_input().with_word(0, 0x1234);
    assert!(!shape.allows(&wild, 0, DomainWidth::Narrow));
}

#[test]
fn a_pointer_that_shares_its_bytes_with_a_number_is_a_pointer_first_and_any_value_then() {
    let unit = Unit::new(
        "struct value { int kind; union { float real; struct { int *items; unsigned count; } list; } as; };
         int f(struct value v) { return v.kind; }",
    );
    let shape = unit.shape();
    assert_eq!((shape.pointer_slot(8), shape.is_shared(8), shape.has_aliases(8)), (Some(8), true, true));
    let real = shape.default_input().with(&[(11, 0xbf)]);
    let allowed = [DomainWidth::Narrow, DomainWidth::Wide].map(|width| shape.allows(&real, 8, width));
    assert_eq!(allowed, [false, true]);
    assert!(shape.allows(&shape.grown_input(&[8]), 8, DomainWidth::Narrow));
    assert_eq!(shape.symbolic(0)[16..20], [true; 4], "the count beside the pointer");
}

#[test]
fn a_flexible_array_member_is_as_long_as_its_count_says() {
    let mut unit = Unit::new(
        "struct message { unsigned short length; unsigned char data[]; };
         int f(const struct message *m) { return m->data[0]; }",
    );
    let record = unit.type_named("struct message");
    let TypeKind::Record { fields, .. } = &mut unit.model.types.types[record.0 as usize].kind else {
        panic!()
    };
    fields[1].length = Some(0);
    let shape = unit.shape();
    let input = shape.grown_input(&[0]);
    let message = shape.fresh_offset(0);
    let sizes = [0, 1, 5, 16, 17].map(|length| {
        let object = shape.object_behind(&input.with(&[(message, length)]), 0);
        (object.size, object.count, object.exact)
    });
    let expected = [(2, 1, true), (3, 1, true), (7, 1, true), (18, 1, true), (18, 1, false)];
    assert_eq!(sizes, expected, "beyond 16 elements it is our bound, not the program's");
    assert!(shape.object_behind(&input.with(&[(message, 1)]), 0).is_symbolic(message + 2));
}

#[test]
fn a_flexible_array_member_that_nothing_counts_has_eight_elements() {
    let unit = Unit::new("struct rest { char c; int *tail[]; }; int f(struct rest *r) { return r->c; }");
    let shape = unit.shape();
    let object = shape.object_behind(&shape.grown_input(&[0]), 0);
    assert_eq!((object.size, object.exact), (8 + 8 * 8, false));
    assert_eq!(shape.pointer_slot(object.offset + 8 + 7 * 8), Some(object.offset + 64));
}
