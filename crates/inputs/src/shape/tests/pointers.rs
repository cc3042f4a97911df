//! Where pointers may lead: null, fresh, shared, into arrays, to functions.

use super::*;

const NODE: &str = "struct node { int v; struct node *next; };";

/// The input in which a list has these nodes in a row; the offsets of the nodes.
fn chain(shape: &Shape, nodes: usize) -> (InputBytes, Vec<u32>) {
    let mut input = shape.default_input();
    let (mut slot, mut offsets) = (0, Vec::new());
    for _ in 0..nodes {
        input = input.with_word(slot, shape.fresh(slot));
        offsets.push(shape.fresh_offset(slot));
        slot = shape.fresh_offset(slot) + 8;
    }
    (input, offsets)
}

fn address(offset: u32) -> u64 {
    ARENA_BASE + u64::from(offset)
}

#[test]
fn a_pointer_is_null_or_leads_to_its_own_object() {
    let unit = Unit::new("int f(const int *p) { return p != 0; }");
    let shape = unit.shape();
    let fresh = shape.fresh(0);
    let allowed = [0, fresh, fresh + 4, 1]
        .map(|value| shape.allows(&shape.default_input().with_word(0, value), 0, DomainWidth::Narrow));
    assert_eq!(allowed, [true, true, false, false]);
    assert_eq!(shape.objects(&shape.default_input()).len(), 1);
    assert_eq!(shape.objects(&shape.grown_input(&[0])).len(), 2);
}

#[test]
fn a_parameter_that_must_not_be_null_leads_to_its_object_from_the_start() {
    let mut unit = Unit::new("int f(int *p) { return *p; }");
    unit.param(0).non_null = true;
    let shape = unit.shape();
    let input = shape.default_input();
    assert_eq!(input.word(0), shape.fresh(0));
    assert_eq!(shape.objects(&input).len(), 2);
    assert!(!shape.allows(&input.with_word(0, 0), 0, DomainWidth::Wide));
}

#[test]
fn the_current_value_stays_in_the_narrow_domain() {
    let unit = Unit::new(&format!("{NODE} int f(struct node *a, struct node *b) {{ return a == b; }}"));
    let shape = unit.shape();
    let b = unit.roots[1].offset;
    let equal = shape.grown_input(&[0]).with_word(b, shape.fresh(0));
    let mut terms = Terms::new();
    let clause = shape.domain(&mut terms, b, &equal, DomainWidth::Narrow).expect("a domain");
    assert_eq!(Evaluator::new().eval(&terms, clause, &equal), 1);
    let other = shape.domain(&mut terms, b, &shape.default_input(), DomainWidth::Narrow).expect("a domain");
    assert_eq!(Evaluator::new().eval(&terms, other, &equal), 0);
}

#[test]
fn a_ring_of_three_is_in_the_wide_domain_only() {
    let unit = Unit::new(&format!("{NODE} int f(struct node *n) {{ return n->next->next->next == n; }}"));
    let shape = unit.shape();
    let (input, nodes) = chain(&shape, 3);
    let last = nodes[2] + 8;
    let ring = input.with_word(last, address(nodes[0]));
    let allowed = [DomainWidth::Narrow, DomainWidth::Wide].map(|width| shape.allows(&ring, last, width));
    assert_eq!(allowed, [false, true]);
    assert!(shape.has_aliases(last));
    assert_eq!(shape.objects(&ring).len(), 4, "the parameter and three nodes, each once");
    assert_eq!(shape.reachable(&ring), ring);
}

#[test]
fn two_lists_may_share_a_node() {
    let unit =
        Unit::new(&format!("{NODE} int f(struct node *a, struct node *b) {{ return a->next == b->next; }}"));
    let shape = unit.shape();
    let b = unit.roots[1].offset;
    let input = shape.grown_input(&[0, b]);
    let (a_next, b_next) = (shape.fresh_offset(0) + 8, shape.fresh_offset(b) + 8);
    let shared = input.with_word(a_next, shape.fresh(a_next)).with_word(b_next, shape.fresh(a_next));
    assert!(shape.allows(&shared, b_next, DomainWidth::Wide));
    assert_eq!(shape.objects(&shared).len(), 5, "two parameters, two heads, one tail");
    let record = shape.record(&shape.objects(&shared), &shared, &After::of(&shape, &shared, &[]));
    assert_eq!(roles(&record)[4], Role::Pointee { object: 2, offset: 8 }, "its own pointer comes first");
}

#[test]
fn an_object_is_recorded_under_the_pointer_that_leads_there() {
    let unit = Unit::new(&format!("{NODE} int f(struct node *a, struct node *b) {{ return a == b; }}"));
    let shape = unit.shape();
    let b = unit.roots[1].offset;
    let only_b = shape.default_input().with_word(b, shape.fresh(0));
    let record = shape.record(&shape.objects(&only_b), &only_b, &After::of(&shape, &only_b, &[]));
    assert_eq!(roles(&record)[2..], [Role::Pointee { object: 1, offset: 0 }]);
}

#[test]
fn pointers_are_followed_to_the_bound_and_a_tree_reaches_it() {
    let mut unit = Unit::new(
        "struct tree { int key; struct tree *left, *right; };
         int f(struct tree *t) { return t->key; }",
    );
    for depth in [2, 4] {
        unit.limits.depth = depth;
        let shape = unit.shape();
        let (mut input, mut level) = (shape.default_input(), vec![0]);
        for _ in 0..depth {
            assert!(level.iter().all(|&slot| shape.only_null(slot).is_none()));
            for &slot in &level {
                input = input.with_word(slot, shape.fresh(slot));
            }
            level = level
                .iter()
                .flat_map(|&slot| [shape.fresh_offset(slot) + 8, shape.fresh_offset(slot) + 16])
                .collect();
        }
        assert_eq!(shape.objects(&input).len(), 1 << depth, "a parameter and a full tree");
        assert!(level.iter().all(|&slot| shape.only_null(slot) == Some(OnlyNull::Depth(depth))));
    }
}

#[test]
fn a_pointer_may_lead_into_another_ones_array_and_to_its_end() {
    let unit = Unit::new("int f(const int *begin, const int *end) { return begin == end; }");
    let shape = unit.shape();
    let end = unit.roots[1].offset;
    let base = shape.fresh(0);
    let allowed = [0, 4, 60, 64, 68, 2].map(|inside| {
        let input = shape.grown_input(&[0]).with_word(end, base + inside);
        shape.allows(&input, end, DomainWidth::Wide)
    });
    assert_eq!(allowed, [true, true, true, true, false, false], "16 elements and one past the last");
    let at_end = shape.grown_input(&[0]).with_word(end, base + 64);
    assert_eq!(shape.objects(&at_end).len(), 3);
}

#[test]
fn pointers_to_other_types_are_never_shared() {
    let unit = Unit::new("int f(int *a, long *b, struct s *c) { return a && b && c; }");
    let shape = unit.shape();
    shape.grown_input(&[0, unit.roots[1].offset, unit.roots[2].offset]);
    for slot in unit.roots.iter().map(|root| root.offset) {
        let own = shape.fresh(slot)..=shape.fresh(slot) + 16 * 8;
        let shared = shape.shared_addresses(slot);
        assert!(shared.iter().all(|address| own.contains(address)), "{slot}: {shared:x?}");
    }
}

#[test]
fn pointers_to_pointers_lead_on() {
    let unit = Unit::new("int f(int **handle) { return **handle; }");
    let shape = unit.shape();
    let middle = shape.fresh_offset(0);
    let input = shape.grown_input(&[0, middle + 8]);
    assert_eq!(shape.objects(&input).len(), 3);
    assert_eq!(shape.pointer_slot(middle + 15), Some(middle + 8));
}

#[test]
fn a_void_pointer_leads_to_bytes_or_to_what_it_is_cast_to() {
    let mut unit = Unit::new(
        "struct config { int version; const char *name; };
         unsigned char byte;
         int f(void *p, void *q, struct config *c) { return p == q; }",
    );
    let config = unit.type_named("struct config");
    unit.param(1).cast_to = Some(config);
    let shape = unit.shape();
    let q = unit.roots[1].offset;
    let input = shape.grown_input(&[0, q]);
    let (bytes, cast) = (shape.object_behind(&input, 0), shape.object_behind(&input, q));
    assert_eq!((bytes.size, bytes.stride, bytes.ends_string), (32, 1, false));
    assert_eq!(cast.ty, config);
    assert_eq!(shape.pointer_slot(cast.offset + 8), Some(cast.offset + 8));
}

#[test]
fn a_pointer_to_an_incomplete_type_leads_to_bytes_that_are_not_chosen() {
    let unit = Unit::new(
        "#include <stdio.h>
         struct device;
         int f(struct device *d, FILE *file) { return d && file; }",
    );
    let shape = unit.shape();
    let file = unit.roots[1].offset;
    let input = shape.grown_input(&[0, file]);
    for object in [shape.object_behind(&input, 0), shape.object_behind(&input, file)] {
        assert_eq!((object.size, object.flags.iter().all(|&bits| bits == flag::VALID)), (64, true));
    }
}

#[test]
fn a_function_pointer_is_null_a_function_of_its_type_or_a_stub() {
    let mut unit = Unit::new(
        "int add(int a, int b) { return a + b; }
         int sub(int a, int b) { return a - b; }
         int neg(int a) { return -a; }
         typedef int number;
         int f(number (*op)(number, number), int (*one)(char)) { return op == add || op == sub || one == (void *)neg; }",
    );
    for function in &mut unit.model.functions {
        function.address_taken = function.name != "sub";
    }
    let id = |name: &str| unit.model.function_named(name).expect("a function").0;
    let pointee = |position: usize| unit.model.types.pointee(unit.roots[position].ty).expect("a pointer");
    let what =
        [AddressOf::Function(id("add")), AddressOf::Function(id("sub")), AddressOf::Function(id("neg"))];
    let mut addresses: Vec<Address> = (0x40_1000..)
        .step_by(16)
        .zip(what)
        .map(|(address, what)| Address { address, size: 0, what })
        .collect();
    let op = pointee(0);
    let stub = unit.add_stub("stub", StubKind::Pointer, op);
    addresses.push(Address { address: 0x40_2000, size: 0, what: AddressOf::Stub(stub) });
    unit.addresses = addresses;
    let shape = unit.shape();
    let allowed = [0, 0x40_1000, 0x40_1010, 0x40_1020, 0x40_2000]
        .map(|value| shape.allows(&shape.default_input().with_word(0, value), 0, DomainWidth::Narrow));
    assert_eq!(allowed, [true, true, false, false, true], "null, add, not sub, not neg, the stub");
    assert!(!shape.has_aliases(0));
    let nobody = shape.only_null(unit.roots[1].offset).expect("no function takes a char");
    assert_eq!(nobody.to_string(), "a pointer to a function of a type that no function has is kept null");
}

/// Where `placements` puts each pointer, with whether it can be tried.
fn placed(shape: &Shape, touches: &Touches) -> Vec<(u32, u64, bool)> {
    let all = shape.placements(touches, &|_| true);
    all.iter().map(|placement| (placement.slot, placement.address, placement.input.is_some())).collect()
}

#[test]
fn what_one_pointer_writes_and_another_reads_is_tried_where_the_two_can_meet() {
    let unit = Unit::new("int f(int *a, int *b, long *c) { *a = 1; return *b + *c; }");
    let shape = unit.shape();
    let (b, c) = (unit.roots[1].offset, unit.roots[2].offset);
    let input = shape.grown_input(&[0, b, c]);
    let offsets = [0, b, c].map(|slot| shape.fresh_offset(slot));
    let mut touches = Touches::default();
    let nothing = After::of(&shape, &input, &[]);
    touches.absorb(&shape.objects(&input), &input, &nothing);
    assert_eq!(placed(&shape, &touches), [], "nobody has touched anything");
    let mut after = nothing;
    after.flags[offsets[0] as usize..][..4].fill(flag::WRITTEN);
    after.flags[offsets[1] as usize..][..4].fill(flag::READ);
    after.flags[offsets[2] as usize..][..8].fill(flag::READ);
    touches.absorb(&shape.objects(&input), &input, &after);
    let expected = [(0, shape.fresh(b), true), (b, shape.fresh(0), true)];
    assert_eq!(
        placed(&shape, &touches),
        expected,
        "one int each: only equal pointers meet, and a long is no int"
    );
    for (slot, address, _) in expected {
        assert!(shape.allows(&input.with_word(slot, address), slot, DomainWidth::Wide) || slot == 0);
    }
}

#[test]
fn what_hangs_below_a_parameter_may_be_shared_but_is_not_tried() {
    let unit = Unit::new(&format!("{NODE} int f(struct node *n) {{ n->v = 1; return n->next->v; }}"));
    let shape = unit.shape();
    let (input, nodes) = chain(&shape, 2);
    let mut touches = Touches::default();
    let after = After::of(&shape, &input, &nodes);
    touches.absorb(&shape.objects(&input), &input, &after);
    assert!(placed(&shape, &touches).contains(&(nodes[0] + 8, address(nodes[0]), false)));
}

#[test]
fn a_pointer_may_lead_to_a_member_of_what_another_one_leads_to_whichever_is_asked_about_first() {
    let unit = Unit::new(
        "struct row { long id; int cells[4]; };
         int f(int *p, struct row *q) { return p == &q->cells[2]; }",
    );
    let shape = unit.shape();
    let q = unit.roots[1].offset;
    let input = shape.grown_input(&[0, q]);
    let cells = shape.fresh(q) + 8;
    let allowed = [cells - 8, cells, cells + 8, cells + 16, cells + 20]
        .map(|value| shape.allows(&input.with_word(0, value), 0, DomainWidth::Wide));
    assert_eq!(allowed, [false, true, true, true, false], "each cell and the end of the array");
    assert!(shape.shared_addresses(0).contains(&(cells + 8)));
}

#[test]
fn an_access_through_a_number_of_a_union_is_the_inputs_fault() {
    let unit = Unit::new("union u { int i; char *s; }; int f(union u u) { return u.s[0]; }");
    let shape = unit.shape();
    let wild = |input: &InputBytes, address: u64| shape.is_wild(&shape.objects(input), input, address);
    let number = shape.default_input().with_word(0, 42);
    assert!(wild(&number, 42) && wild(&number, 50));
    assert!(!wild(&number, 0x5555_0000_0000));
    assert!(!wild(&shape.default_input(), 0), "null is null");
    assert!(!wild(&shape.grown_input(&[0]), shape.fresh(0) + 4), "a pointer is a pointer");
}

#[test]
fn pointers_of_a_union_have_an_object_each() {
    let unit = Unit::new(
        "struct pair { long left, right; };
         union u { char *s; struct pair *p; char *t; };
         int f(union u u) { return u.s != 0; }",
    );
    let shape = unit.shape();
    let text = shape.grown_input(&[0]);
    let others = shape.as_other_members(&text, 0, false);
    assert_eq!(others.len(), 1, "a pair: the second text is as the first");
    let sizes: Vec<u32> = shape.objects(&others[0]).iter().map(|object| object.stride).collect();
    assert_eq!(sizes, [8, 16], "the union, and pairs");
    let back = shape.as_other_members(&others[0], 0, false);
    assert_eq!(back.iter().map(|input| input.word(0)).collect::<Vec<_>>(), [text.word(0)]);
    assert!(shape.as_other_members(&text, 0, true).is_empty(), "none of them is called");
}

#[test]
fn a_pointer_of_a_union_is_misled_if_the_tag_selects_another_member() {
    let unit = Unit::new(
        "struct pair { long left; char *right; };
         struct value { int kind; union { long n; char *s; struct pair *p; } as; };
         long f(struct value v) {
            switch (v.kind) {
            case 1: return v.as.n;
            case 2: return v.as.s[0];
            case 3: return v.as.p->left;
            }
            return 0;
         }",
    );
    let shape = unit.shape();
    let text = shape.grown_input(&[8]);
    let text = text.with_word(shape.fresh_offset(8), 0x41_4243).with_word(shape.fresh_offset(8) + 8, 7);
    let with_kind = |kind: u8| text.with(&[(0, kind)]);
    let misled = [0, 1, 2, 3, 4].map(|kind| shape.misled(&with_kind(kind)).len());
    assert_eq!(misled, [1, 1, 0, 1, 1], "a text is neither a number nor a pair, nor nothing");
    assert!(shape.misled(&shape.default_input().with(&[(0, 3)])).is_empty(), "null is no pair");

    let as_pair = with_kind(3);
    let meant = shape.as_meant(&as_pair, &shape.misled(&as_pair)[0]);
    let behind = |input: &InputBytes| shape.object_behind(input, 8).bytes(input)[..16].to_vec();
    let pair = [[0x43, 0x42, 0x41, 0, 0, 0, 0, 0], [0; 8]].concat();
    assert_eq!(behind(&meant[0]), [0; 16], "a pair of zeros");
    assert_eq!(behind(&meant[1]), pair, "a pair with the bytes of the text, but for its pointer");
    assert_eq!(meant[2], with_kind(2), "or it is a text after all");
    assert_eq!(meant.len(), 3);

    let as_number = with_kind(1);
    let meant = shape.as_meant(&as_number, &shape.misled(&as_number)[0]);
    assert_eq!(meant[0], shape.default_input().with(&[(0, 1), (8, 1)]));
    let kinds: Vec<u8> = meant.iter().map(|input| input.within(0, 1)[0]).collect();
    assert_eq!(kinds, [1, 2, 3, 3], "a number, a text, a pair of zeros, a pair with the bytes of the text");
    let leaves = shape.leaves(&shape.objects(&meant[0]), &meant[0]);
    let number = LeafKind::Integer { bits: 64, signed: true };
    assert_eq!(leaves[1].kind, number, "the simplifier sees a number where the tag says so");
}

#[test]
fn only_the_later_of_two_pointers_may_have_the_others_object() {
    let unit = Unit::new(&format!("{NODE} int f(struct node *n) {{ return n->next == n; }}"));
    let shape = unit.shape();
    let (input, nodes) = chain(&shape, 2);
    let next = nodes[0] + 8;
    assert!(shape.allows(&input.with_word(next, address(nodes[0])), next, DomainWidth::Wide));
    assert!(!shape.allows(&input.with_word(0, address(nodes[1])), 0, DomainWidth::Wide));
}
