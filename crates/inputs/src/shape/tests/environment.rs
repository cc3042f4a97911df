//! Globals, stub values and calls in a row.

use super::*;

#[test]
fn a_global_starts_from_its_initial_bytes_and_is_recorded_with_them() {
    let mut unit = Unit::new("int level = 7; int f(int x) { return x > level; }");
    let level = unit.add_global("level", &[7, 0, 0, 0]);
    let shape = unit.shape();
    let input = shape.default_input();
    assert_eq!(shape.objects(&input)[1].bytes(&input), [7, 0, 0, 0]);
    let changed = input.with(&[(level, 9)]);
    let mut after = After::of(&shape, &changed, &[]);
    after.bytes[level as usize] = 10;
    let record = shape.record(&shape.objects(&changed), &changed, &after);
    let global = &record.scenario.objects[1];
    assert_eq!(global.role, Role::Global("level".to_string()));
    assert_eq!((global.initial[0], global.bytes[0], record.observation.objects[1].bytes[0]), (7, 9, 10));
    assert!(record.scenario.objects[0].initial.is_empty());
    assert_eq!(shape.reachable(&changed.with(&[(level, 7)])), input);
}

#[test]
fn a_global_pointer_may_keep_the_address_it_has_by_itself() {
    let mut unit = Unit::new("int cell; int *where = &cell; int f(int x) { return *where == x; }");
    let at = unit.add_global("where", &0x40_4000_u64.to_le_bytes());
    let shape = unit.shape();
    let allowed = [0x40_4000, 0, shape.fresh(at), 0x40_4004]
        .map(|value| shape.allows(&shape.default_input().with_word(at, value), at, DomainWidth::Narrow));
    assert_eq!(allowed, [true, true, true, false]);
}

#[test]
fn a_pointer_may_lead_to_a_variable_of_the_program() {
    let mut unit =
        Unit::new("struct s { int x; } item, items[3], other; int f(struct s *p) { return p == &item; }");
    unit.add_global("item", &[]);
    unit.add_global("items", &[]);
    let named =
        |index: u32, address: u64, size: u64| Address { address, size, what: AddressOf::Global(index) };
    unit.addresses = vec![named(0, 0x40_4000, 4), named(1, 0x40_5000, 12), named(2, 0x40_6000, 4)];
    let shape = unit.shape();
    let allowed = [0x40_4000, 0x40_5000, 0x40_5008, 0x40_500c, 0x40_6000]
        .map(|value| shape.allows(&shape.default_input().with_word(0, value), 0, DomainWidth::Wide));
    assert_eq!(allowed, [true, true, true, true, false], "not one that the unit does not use");
    let input = shape.default_input().with_word(0, 0x40_4000);
    assert_eq!(shape.objects(&input).len(), 3, "nothing of it lies in the arena");
}

#[test]
fn stub_values_are_those_that_the_function_could_give() {
    let mut unit = Unit::new(
        "int get_int(int x); long get_long(int x); long f(long x) { return x + get_int(3) + get_long(3); }",
    );
    let of = |index: usize| {
        let function = &unit.model.declared_functions[index];
        (function.ty, function.result)
    };
    let ((ty, int), (long_ty, long)) = (of(0), of(1));
    let library = |input| StubKind::Library(input);
    let stubs = [
        (unit.add_stub("read", library(LibraryInput::Read), long_ty), long),
        (unit.add_stub("mrand48", library(LibraryInput::Rand), long_ty), long),
        (unit.add_stub("lrand48", library(LibraryInput::Rand), long_ty), long),
        (unit.add_stub("fgetc", library(LibraryInput::Read), ty), int),
        (unit.add_stub("malloc", library(LibraryInput::Alloc), ty), int),
        (unit.add_stub("own", StubKind::Undefined, ty), int),
    ];
    let mut root = |(stub, ty): (u32, TypeId), part: StubPart| {
        unit.add_root("value", ty, Role::Stub { stub, call: 0, part }, Vec::new())
    };
    let offsets = stubs.map(|stub| root(stub, StubPart::Result));
    let error = root((stubs[0].0, int), StubPart::Errno);
    let own_error = root((stubs[5].0, int), StubPart::Errno);
    let shape = unit.shape();
    let allowed = |at: u32, bytes: &[u8]| {
        let bytes: Vec<(u32, u8)> = (at..).zip(bytes.iter().copied()).collect();
        shape.allows(&shape.default_input().with(&bytes), at, DomainWidth::Narrow)
    };
    let longs = |at, values: [i64; 4]| values.map(|value| allowed(at, &value.to_le_bytes()));
    let ints = |at, values: [i32; 4]| values.map(|value| allowed(at, &value.to_le_bytes()));
    let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
    assert_eq!(
        longs(offsets[0], [-2, -1, 1 << 40, i64::MAX]),
        [false, true, true, true],
        "what is asked for"
    );
    assert_eq!(longs(offsets[1], [low - 1, low, high, high + 1]), [false, true, true, false]);
    assert_eq!(longs(offsets[2], [-1, 0, high, high + 1]), [false, true, true, false]);
    assert_eq!(ints(offsets[3], [-2, -1, 255, 256]), [false, true, true, false]);
    assert_eq!(ints(offsets[4], [-1, 0, 1, 2]), [false, true, true, false]);
    assert_eq!(ints(offsets[5], [i32::MIN, -1, 0, i32::MAX]), [true; 4]);
    assert_eq!(ints(error, [-1, 0, 133, 4095]), [false, true, true, true], "errors are positive");
    assert_eq!(ints(own_error, [i32::MIN, -1, 0, i32::MAX]), [true; 4], "nobody knows what it sets");
}

#[test]
fn stub_values_are_recorded_only_if_the_stub_was_called() {
    let mut unit = Unit::new("int *get(int x); int f(int x) { return *get(x); }");
    let ty = unit.model.declared_functions[0].ty;
    let result = unit.model.declared_functions[0].result;
    let stub = unit.add_stub("get", StubKind::Undefined, ty);
    let role = |call: u32| Role::Stub { stub, call, part: StubPart::Result };
    let first = unit.add_root("get", result, role(0), Vec::new());
    let second = unit.add_root("get", result, role(1), Vec::new());
    let shape = unit.shape();
    let input = shape.grown_input(&[first, second]);
    assert_eq!(shape.objects(&input).len(), 5);
    let record = shape.record(&shape.objects(&input), &input, &After::of(&shape, &input, &[first]));
    let expected = [
        Role::Argument { step: 0, position: 0 },
        Role::Stub { stub, call: 0, part: StubPart::Result },
        Role::Pointee { object: 1, offset: 0 },
    ];
    assert_eq!(roles(&record), expected);
}

#[test]
fn parameters_of_calls_that_are_not_made_are_no_inputs() {
    let mut unit = Unit::new("int f(int x) { static int n; n += x; return n; }");
    let ty = unit.roots[0].ty;
    for call in 1..4 {
        unit.add_root("x", ty, Role::Argument { step: call, position: 0 }, Vec::new());
    }
    for calls in [1, 3] {
        unit.limits.calls = calls;
        let shape = unit.shape();
        let input = shape.default_input();
        let record = shape.record(&shape.objects(&input), &input, &After::of(&shape, &input, &[]));
        let expected: Vec<Role> = (0..calls).map(|call| Role::Argument { step: call, position: 0 }).collect();
        assert_eq!((roles(&record), record.scenario.steps.len() as u32), (expected, calls));
    }
}

#[test]
fn two_pointers_are_compared_as_words() {
    let unit = Unit::new("int f(int *a, int *b) { return a == b; }");
    let shape = unit.shape();
    let mut terms = Terms::new();
    let b = unit.roots[1].offset;
    let input = shape.default_input();
    let [a_clause, b_clause] =
        [0, b].map(|slot| shape.domain(&mut terms, slot, &input, DomainWidth::Wide).expect("a domain"));
    let both = terms.binary(BinaryOp::And, a_clause, b_clause);
    let equal = shape.grown_input(&[0]).with_word(b, shape.fresh(0));
    assert_eq!(Evaluator::new().eval(&terms, both, &equal), 1);
}
