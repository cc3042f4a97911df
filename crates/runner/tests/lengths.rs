//! Input objects whose size is part of the input: leaving them is a fault, and how long they are is a condition.

use crate::common::*;
use tarka_runner::{End, LengthOf, Server};
use tarka_trace::FaultKind;

/// A pointer root at 0, its number of elements at 8 and an index at 16; the elements lie at 64.
const DRIVER: &str = "
    char *p; int64_t n, i;
    static uint32_t label(const void *p, uint32_t size) { return tkf_load(0, p, 0, size); }
    static uint32_t plus(uint32_t l, uint64_t a, uint64_t b) { return tkf_binary(TK_OP_ADD, 64, 64, l, 0, a, b); }
    /* The address of element `i`, as the pass computes it. */
    static uint32_t element(uint64_t size) {
      uint32_t bytes = tkf_binary(TK_OP_MUL, 64, 64, label(&i, 8), 0, i, size);
      return tkf_binary(TK_OP_ADD, 64, 64, label(&p, 8), bytes, (uint64_t)p, i * size);
    }
    void body(void);
    void __tk_drive(unsigned unit) { tk_bind(&p, 8, 0); tk_bind(&n, 8, 8); tk_bind(&i, 8, 16); body(); }
";

fn target(body: &str) -> Target {
    Target::new(&format!("{DRIVER} void body(void) {{ {body} }}"))
}

/// How the number of elements is stored.
#[derive(Clone, Copy)]
struct Number {
    bits: u16,
    signed: bool,
}

const INT: Number = Number { bits: 32, signed: true };
const MOST: u32 = 8;

/// `count` elements of 4 bytes as the input says, of which the engine makes at most [`MOST`].
fn input(count: i64, number: Number, index: i64) -> Vec<Object> {
    let has = count.clamp(0, i64::from(MOST)) as usize * 4;
    let has = if number.signed || count >= 0 { has } else { MOST as usize * 4 };
    let elements = Object {
        exact: true,
        length: Some(LengthOf { offset: 8, bits: number.bits, signed: number.signed, element: 4 }),
        capacity: MOST * 4,
        ..pointee(64, &vec![7; has])
    };
    vec![
        root(0, &address(64).to_le_bytes()),
        root(8, &count.to_le_bytes()[..usize::from(number.bits / 8)]),
        root(16, &index.to_le_bytes()),
        elements,
    ]
}

/// The end and the checks after the null check.
fn checks(server: &mut Server, input: &[Object]) -> (End, Vec<String>) {
    let run = run(server, input);
    let null = format!("check 5=1 ule1(0x1000:64, {}) aux=2", joined(0, 8));
    let path = path(&run);
    assert_eq!(path.first(), Some(&null));
    (run.end(), path[1..].to_vec())
}

const FAULT: End = End::Fault(FaultKind::OutOfBounds);

#[test]
fn an_element_at_a_fixed_place_is_a_condition_on_the_number_of_elements() {
    let target = target("tkf_load(5, p + 8, plus(label(&p, 8), (uint64_t)p, 8), 4);");
    let mut server = target.start();
    let signed = format!("sle1(0x3:64, sext64({}))", joined(8, 4));
    assert_eq!(checks(&mut server, &input(3, INT, 0)), (End::Returned, vec![format!("check 5=1 {signed}")]));
    assert_eq!(checks(&mut server, &input(2, INT, 0)), (FAULT, vec![format!("check 5=0 {signed}")]));
    assert_eq!(checks(&mut server, &input(0, INT, 0)), (FAULT, vec![format!("check 5=0 {signed}")]));
    assert_eq!(checks(&mut server, &input(-4, INT, 0)), (FAULT, vec![format!("check 5=0 {signed}")]));
    let unsigned = format!("ule1(0x3:64, zext64({}))", joined(8, 2));
    let short = Number { bits: 16, signed: false };
    assert_eq!(
        checks(&mut server, &input(60000, short, 0)),
        (End::Returned, vec![format!("check 5=1 {unsigned}")])
    );
}

#[test]
fn a_symbolic_index_is_checked_against_the_most_and_then_against_the_number() {
    let target = target("tkf_load(5, p + i * 4, element(4), 4);");
    let mut server = target.start();
    let at = format!("add64({}, mul64({}, 0x4:64))", joined(0, 8), joined(16, 8));
    let start = format!("sub64({at}, {:#x}:64)", address(64));
    let first = |passes: u32| format!("check 5={passes} sle1(0x0:64, {start})");
    let room = |passes: u32| format!("check 5={passes} sle1({start}, 0x1c:64) aux=1");
    let length = |passes: u32| {
        let bytes = format!("mul64(sext64({}), 0x4:64)", joined(8, 4));
        format!("check 5={passes} sle1(add64({start}, 0x4:64), {bytes})")
    };
    assert_eq!(checks(&mut server, &input(3, INT, 2)), (End::Returned, vec![first(1), room(1), length(1)]));
    assert_eq!(checks(&mut server, &input(3, INT, 3)), (FAULT, vec![first(1), room(1), length(0)]));
    assert_eq!(
        checks(&mut server, &input(0, INT, 0)),
        (FAULT, vec![first(1), room(1), length(0)]),
        "an empty object"
    );
    assert_eq!(checks(&mut server, &input(-1, INT, 0)), (FAULT, vec![first(1), room(1), length(0)]));
    assert_eq!(
        checks(&mut server, &input(3, INT, -1)),
        (FAULT, vec![first(0), room(1)]),
        "before its beginning"
    );
    assert_eq!(checks(&mut server, &input(3, INT, 1 << 40)), (FAULT, vec![first(1), room(0)]), "far away");
    assert_eq!(
        checks(&mut server, &input(8, INT, 8)),
        (FAULT, vec![first(1), room(0)]),
        "as many as there may be, and no more asked for"
    );
    assert_eq!(
        checks(&mut server, &input(9, INT, 8)),
        (End::InputBound, vec![first(1), room(0)]),
        "the input asked for more than the engine makes"
    );
}

#[test]
fn numbers_of_64_bits_do_not_wrap_when_multiplied() {
    let target = target("tkf_load(5, p + i * 4, element(4), 4);");
    let mut server = target.start();
    for (count, signed, inside) in [
        (2, true, true),
        (1, true, false),
        (1 << 62, true, true),
        ((1 << 62) + 1, true, true),
        (-(1 << 62) + 4, true, false),
        (-1, false, true),
        (1, false, false),
    ] {
        let objects = input(count, Number { bits: 64, signed }, 1);
        let run = run(&mut server, &objects);
        assert_eq!(run.end(), if inside { End::Returned } else { FAULT }, "{count}");
        let check = run.events().last().expect("the check of the length");
        assert_eq!((check.outcome, check.aux), (u16::from(inside), 0), "{count}");
        let value = |offset: u32| {
            let object = objects.iter().find(|object| (object.offset..object.offset + 8).contains(&offset));
            object.map_or(0, |object| object.bytes[(offset - object.offset) as usize])
        };
        assert_eq!(evaluate(&run, check.label, &value), u64::from(inside), "{count}");
    }
}

#[test]
fn checks_are_logged_once_and_block_operations_have_them_too() {
    let target = target(
        "for (int k = 0; k < 100; k++) tkf_load(5, p + 4, plus(label(&p, 8), (uint64_t)p, 4), 4);
         char to[64]; tk_memcpy(6, to, 0, p, label(&p, 8), n, 0);",
    );
    let mut server = target.start();
    let number = format!("sext64({})", joined(8, 4));
    assert_eq!(
        checks(&mut server, &input(5, INT, 0)),
        (End::Returned, vec![format!("check 5=1 sle1(0x2:64, {number})")]),
        "five bytes are within two elements, which was checked before"
    );
    let target = self::target("char to[64]; tk_memcpy(5, to, 0, p, label(&p, 8), 13, 0);");
    let (end, path) = checks(&mut target.start(), &input(3, INT, 0));
    assert_eq!((end, path), (FAULT, vec![format!("check 5=0 sle1(0x4:64, {number})")]));
}

#[test]
fn an_exact_object_is_left_by_concrete_addresses_too() {
    let end = |body: &str, objects: &[Object]| {
        let target = target(body);
        let mut server = target.start();
        let run = run(&mut server, objects);
        (run.end(), run.fault_site())
    };
    let three = input(3, INT, 0);
    assert_eq!(end("tkf_load(5, p + 8, 0, 4);", &three), (End::Returned, None));
    assert_eq!(end("tkf_load(5, p + 12, 0, 4);", &three), (FAULT, Some(5)));
    assert_eq!(end("tkf_store(5, p - 4, 0, 4, 0, 1);", &three), (FAULT, Some(5)));
    assert_eq!(end("tkf_load(5, p + 9, 0, 4);", &three), (FAULT, Some(5)), "partly outside");
    assert_eq!(end("tkf_load(5, p + 32, 0, 4);", &input(9, INT, 0)), (End::InputBound, Some(5)));
    assert_eq!(end("tkf_load(5, p, 0, 1);", &input(0, INT, 0)), (FAULT, Some(5)));
    let mut many = input(9, INT, 0);
    many[3].exact = false;
    assert_eq!(
        end("tkf_load(5, p + 32, 0, 4);", &many),
        (End::InputBound, Some(5)),
        "the engine may say so itself"
    );
    let fixed = |exact| vec![root(0, &address(64).to_le_bytes()), Object { exact, ..pointee(64, &[1; 12]) }];
    let through_pointer = "tkf_load(5, p + 12, plus(label(&p, 8), (uint64_t)p, 12), 4);";
    assert_eq!(
        end(through_pointer, &fixed(true)),
        (FAULT, Some(5)),
        "nothing counts it: it is as long as it is"
    );
    assert_eq!(end(through_pointer, &fixed(false)), (End::InputBound, Some(5)), "a guess");
}

#[test]
fn an_empty_object_can_be_pointed_to_and_freed() {
    let target = target("tkw_free(p); if (!p) tkw_exit(1);");
    let mut server = target.start();
    assert_eq!(run(&mut server, &input(0, INT, 0)).end(), End::Returned);
}
