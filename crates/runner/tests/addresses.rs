//! Symbolic addresses: what is checked, what is read, what is written, and where an input object ends.

use crate::common::*;
use tarka_runner::End;
use tarka_trace::{FaultKind, flag};

/// A pointer root at 0 and an index root at 8; the pointee of 16 bytes, when there is one, lies at 64.
const DRIVER: &str = "
    char *p; uint64_t i; static int table[4] = {10, 20, 30, 40};
    static uint32_t label(const void *p, uint32_t size) { return tkf_load(0, p, 0, size); }
    static uint32_t plus(uint32_t l, uint64_t a, uint64_t b) { return tkf_binary(TK_OP_ADD, 64, 64, l, 0, a, b); }
    static uint32_t element(const void *base, uint64_t size) {
      uint32_t offset = tkf_binary(TK_OP_MUL, 64, 64, label(&i, 8), 0, i, size);
      return tkf_binary(TK_OP_ADD, 64, 64, 0, offset, (uint64_t)base, i * size);
    }
    static void show(uint32_t site, uint32_t label) { tkf_condition(site, 0, 1, label); }
    void body(void);
    void __tk_drive(unsigned unit) { tk_bind(&p, 8, 0); tk_bind(&i, 8, 8); body(); }
    __attribute__((constructor)) static void objects(void) { tk_global_object(table, sizeof table); }
";

fn target(body: &str) -> Target {
    Target::new(&format!("{DRIVER} void body(void) {{ {body} }}"))
}

/// Pointer and index; a non-null pointer gets its object.
fn input(pointer: u64, index: u64) -> Vec<Object> {
    let mut objects = vec![root(0, &pointer.to_le_bytes()), root(8, &index.to_le_bytes())];
    if pointer != 0 {
        objects.push(pointee(64, &(1..17).collect::<Vec<u8>>()));
    }
    objects
}

fn pointer() -> String {
    joined(0, 8)
}

#[test]
fn dereferencing_an_input_pointer_is_a_null_check_and_then_concrete() {
    let target = target(
        "uint32_t lp = label(&p, 8); show(1, tkf_load(5, p + 4, plus(lp, (uint64_t)p, 4), 1));
         tkf_load(6, p + 8, plus(lp, (uint64_t)p, 8), 1);",
    );
    let mut server = target.start();
    let check = format!("ule1(0x1000:64, {}) aux=2", pointer());
    let run = run(&mut server, &input(address(64), 0));
    assert_eq!(
        path(&run),
        [format!("check 5=1 {check}"), "condition 1=1 in68".to_owned()],
        "one check per pointer"
    );
    assert_eq!((run.nodes().is_empty(), run.concretised().iter().sum::<u32>()), (false, 0));
    let read = flag::VALID | flag::SYMBOLIC | flag::READ;
    assert_eq!((run.arena_flags(68, 1), run.arena_flags(72, 1)), (&[read][..], &[read][..]));
}

#[test]
fn an_input_pointer_may_be_the_address_of_a_global() {
    let target = target(
        "if (!p) { void *at = table; tk_result(&at, 8, tk_bind); return; }
         tkf_store(0, table + 1, 0, 4, label(&i, 4), 9);
         uint32_t lp = label(&p, 8); show(1, tkf_load(5, p + 4, plus(lp, (uint64_t)p, 4), 4));
         tkf_native_argument(6, lp);",
    );
    let mut server = target.start();
    let table = run(&mut server, &input(0, 0)).result().to_vec();
    let objects = [root(0, &table), root(8, &[0; 8])];
    let run = run(&mut server, &objects);
    assert_eq!(
        path(&run),
        [
            format!("check 5=1 ule1(0x1000:64, {}) aux=2", pointer()),
            format!("condition 1=1 {}", joined(8, 4))
        ],
        "known like an input object"
    );
    assert_eq!(run.concretised().iter().sum::<u32>(), 0);
}

#[test]
fn a_failed_null_check_is_logged_before_the_crash() {
    let target =
        target("uint32_t lp = label(&p, 8); tkf_store(5, p + 4, plus(lp, 0, 4), 1, 0, 9); p[4] = 9;");
    let mut server = target.start();
    let run = run(&mut server, &input(0, 0));
    assert_eq!(path(&run), [format!("check 5=0 ule1(0x1000:64, {}) aux=2", pointer())]);
    assert_eq!(run.end(), End::Signal { number: libc::SIGSEGV, address: 4 });
    assert!(!run.backtrace().is_empty());
}

#[test]
fn a_symbolic_index_reads_a_snapshot() {
    let target = target("int *e = &table[i]; show(1, tkf_load(5, e, element(table, 4), 4));");
    let mut server = target.start();
    let run = run(&mut server, &input(0, 2));
    let path = path(&run);
    let (table, bytes, shadow) = run.table(0).expect("one snapshot");
    let index = format!("mul64({}, 0x4:64)", joined(8, 8));
    let at = format!("add64({:#x}:64, {index})", table.base);
    let offset = format!("sub64({at}, {:#x}:64)", table.base);
    assert_eq!(path[0], format!("check 5=1 sle1(0x0:64, {offset})"), "not below the first byte");
    assert_eq!(path[1], format!("check 5=1 sle1({offset}, 0xc:64)"), "not beyond the last");
    assert_eq!(path[2], format!("condition 1=1 read32({at}, table 0)"));
    assert_eq!((table.size, bytes[8], shadow.iter().max()), (16, 30, Some(&0)));
}

#[test]
fn an_unchanged_object_is_snapshot_once() {
    let target = target(
        "int *e = &table[i]; uint32_t l = element(table, 4), label;
         label = tkf_load(5, e, l, 4); label = tkf_load(5, e, l, 4); table[3]++; label = tkf_load(5, e, l, 4);
         tkf_store(5, table, 0, 4, label, 10); label = tkf_load(5, e, l, 4);",
    );
    let mut server = target.start();
    let run = run(&mut server, &input(0, 1));
    assert_eq!(run.tables().count(), 3, "as it was, after a byte changed, after a label changed");
    assert_ne!(run.table(2).expect("the last").2[0], 0);
}

#[test]
fn an_index_outside_the_table_ends_the_run_at_the_check_of_that_end() {
    let target = target("int *e = &table[i]; show(1, tkf_load(5, (void *)e, element(table, 4), 4));");
    let mut server = target.start();
    let outside = |server: &mut tarka_runner::Server, index: u64| {
        let run = run(server, &input(0, index));
        assert_eq!((run.end(), run.fault_site()), (End::Fault(FaultKind::OutOfBounds), Some(5)));
        let outcomes: Vec<u16> = run.events().iter().map(|event| event.outcome).collect();
        outcomes
    };
    assert_eq!(outside(&mut server, 1 << 20), [1, 0], "beyond the last byte");
    assert_eq!(outside(&mut server, 4), [1, 0], "one past the end");
    assert_eq!(outside(&mut server, -1_i64 as u64), [0, 1], "below the first byte");
}

#[test]
fn a_distance_between_addresses_does_not_name_the_object_it_was_measured_in() {
    // new + (p - old), as after moving a buffer.
    let target = target(
        "char *old = tkw_malloc(4), *new = tkw_malloc(40); uint64_t p = (uint64_t)old + i;
         uint32_t lp = tkf_binary(TK_OP_ADD, 64, 64, label(&i, 8), 0, i, (uint64_t)old);
         uint32_t distance = tkf_binary(TK_OP_SUB, 64, 64, lp, 0, p, (uint64_t)old);
         tkf_load(5, new + i, plus(distance, i, (uint64_t)new), 1);",
    );
    assert_eq!(run(&mut target.start(), &input(0, 30)).end(), End::Returned);
    assert_eq!(run(&mut target.start(), &input(0, 40)).end(), End::Fault(FaultKind::OutOfBounds));
}

#[test]
fn a_symbolic_index_into_an_input_object_is_a_check_with_a_guessed_size() {
    let target = target(
        "uint32_t lp = label(&p, 8); uint32_t at = tkf_binary(TK_OP_ADD, 64, 64, lp, label(&i, 8), (uint64_t)p, i);
         show(1, tkf_load(5, p + i, at, 1));",
    );
    let mut server = target.start();
    let at = format!("add64({}, {})", pointer(), joined(8, 8));
    let offset = format!("sub64({at}, {:#x}:64)", address(64));
    let inside = format!("sle1({offset}, 0xf:64) aux=1");
    let run1 = run(&mut server, &input(address(64), 3));
    assert_eq!(
        path(&run1),
        [
            format!("check 5=1 ule1(0x1000:64, {}) aux=2", pointer()),
            format!("check 5=1 sle1(0x0:64, {offset}) aux=1"),
            format!("check 5=1 {inside}"),
            format!("condition 1=1 read8({at}, table 0)"),
        ]
    );
    assert_eq!(run1.table(0).expect("a snapshot").1, (1..17).collect::<Vec<u8>>());
    let run2 = run(&mut server, &input(address(64), 16));
    assert_eq!(path(&run2)[2], format!("check 5=0 {inside}"), "logged before the run ends");
    assert_eq!((run2.end(), run2.fault_site()), (End::InputBound, Some(5)));
}

#[test]
fn a_store_at_a_symbolic_index_updates_every_element_conditionally() {
    let target = target(
        "int *e = &table[i]; tkf_store(5, e, element(table, 4), 4, 0, 99); *e = 99;
         show(1, label(&table[0], 4)); show(2, label(&table[2], 4));",
    );
    let mut server = target.start();
    let run = run(&mut server, &input(0, 2));
    let path = path(&run);
    assert!(path[2].starts_with("condition 1=1 ite32(eq1(add64("), "{path:?}");
    assert!(path[2].ends_with(", 0x63:32, 0xa:32)"), "{path:?}");
    assert!(path[3].ends_with(", 0x63:32, 0x1e:32)"), "{path:?}");
    assert_eq!(run.concretised()[5], 0);
}

#[test]
fn an_unaligned_store_updates_every_byte_it_may_touch() {
    let target = target(
        "static char small[3]; tk_global_object(small, 3); char *e = small + i;
         uint32_t at = tkf_binary(TK_OP_ADD, 64, 64, 0, label(&i, 8), (uint64_t)small, i);
         tkf_store(5, e, at, 2, 0, 0xbbaa); show(1, label(small + 1, 1)); show(2, label(small + 2, 1));",
    );
    let mut server = target.start();
    let path = path(&run(&mut server, &input(0, 1)));
    // Byte 1 is the second byte of a store at 0 or the first of a store at 1; byte 2 only the second of a store at 1.
    assert_eq!((path[2].matches("ite8").count(), path[3].matches("ite8").count()), (2, 1), "{path:?}");
    assert!(
        path[2].contains("0xaa:8") && path[2].contains("0xbb:8") && !path[3].contains("0xaa:8"),
        "{path:?}"
    );
}

#[test]
fn large_objects_are_concretised_and_counted() {
    let target = target(
        "static int big[2000], wide[100]; tk_global_object(big, sizeof big); tk_global_object(wide, sizeof wide);
         show(1, tkf_load(5, big + i, element(big, 4), 4)); tkf_store(6, wide + i, element(wide, 4), 4, 0, 1);",
    );
    let mut server = target.start();
    let run = run(&mut server, &input(0, 2));
    assert_eq!((run.concretised()[5], run.concretised()[6], run.table_count()), (1, 1, 0));
}

#[test]
fn glibc_character_tables_are_known_objects() {
    let target = Target::new(&format!(
        "#include <ctype.h>\n{DRIVER} void body(void) {{ const unsigned short *t = *__ctype_b_loc();
           show(1, tkf_load(5, t + i, element(t, 2), 2)); const int *l = *__ctype_tolower_loc();
           show(2, tkf_load(6, l + i, element(l, 4), 4)); }}"
    ));
    let mut server = target.start();
    let run = run(&mut server, &input(0, 65));
    let sizes: Vec<u32> = run.tables().map(|(table, ..)| table.size).collect();
    assert_eq!((sizes, run.concretised()[5]), (vec![768, 1536], 0));
}

#[test]
fn heap_and_stack_objects_are_known_while_they_live() {
    let target = target(
        "char *block = tkw_malloc(40), local[24]; uint32_t depth = tkf_stack_depth(); tk_stack_object(local, 24);
         tkf_load(1, block + i, element(block, 1), 1); tkf_load(2, local + i, element(local, 1), 1);
         block = tkw_realloc(block, 80); tkf_load(3, block + i, element(block, 1), 1);
         tkf_stack_restore(depth); tkf_load(4, local + i, element(local, 1), 1);
         tkw_free(block); tkf_load(5, block + i, element(block, 1), 1);",
    );
    let mut server = target.start();
    let run = run(&mut server, &input(0, 2));
    let sizes: Vec<u32> = run.tables().map(|(table, ..)| table.size).collect();
    assert_eq!((sizes, &run.concretised()[1..6]), (vec![40, 24, 80], &[0, 0, 0, 1, 0][..]));
    assert_eq!((run.end(), run.fault_site()), (End::Fault(FaultKind::UseAfterFree), Some(5)));
}

#[test]
fn many_heap_blocks_are_found_by_inner_addresses() {
    let target = target(
        "static char *blocks[500]; unsigned found = 0;
         for (int k = 0; k < 500; k++) blocks[k] = tkw_malloc(16 + k);
         for (int k = 0; k < 500; k += 3) tkw_free(blocks[k]);
         for (int k = 0; k < 500; k++) if (k % 3) tkf_load(2, blocks[k] + 3 + i, element(blocks[k] + 3, 1), 1);",
    );
    let mut server = target.start();
    let run = run(&mut server, &input(0, 1));
    assert_eq!((run.concretised()[2], run.table_count(), run.end()), (0, 333, End::Returned));
}

#[test]
fn realloc_moves_labels_and_the_old_block_is_gone() {
    let moved = |rest: &str| {
        target(&format!(
            "char *a = tkw_malloc(8); tk_memcpy(0, a, 0, &i, 0, 8, 0);
             char *b = tkw_realloc(a, 4000); show(1, label(b, 8)); {rest}"
        ))
    };
    let target = moved("tkw_free(b);");
    let mut server = target.start();
    let run1 = run(&mut server, &input(0, 2));
    assert_eq!((path(&run1), run1.end()), (vec![format!("condition 1=1 {}", joined(8, 8))], End::Returned));
    for rest in ["label(a, 1);", "tkw_free(b); label(b, 1);", "b = tkw_realloc(b, 0); label(a, 1);"] {
        let end = run(&mut moved(rest).start(), &input(0, 2)).end();
        assert_eq!(end, End::Fault(FaultKind::UseAfterFree), "{rest}");
    }
}

#[test]
fn an_input_object_may_be_freed_once_and_not_used_after() {
    let ends = |body: &str| {
        let target = target(body);
        let mut server = target.start();
        let run = run(&mut server, &input(address(64), 0));
        (run.end(), run.arena_flags(64, 1)[0] & flag::FREED != 0)
    };
    assert_eq!(ends("tkw_free(p);"), (End::Returned, true));
    assert_eq!(ends("tkw_free(p); tkw_free(p);"), (End::Fault(FaultKind::DoubleFree), true));
    assert_eq!(ends("tkw_free(p + 1);"), (End::Fault(FaultKind::InvalidFree), false));
    assert_eq!(ends("tkw_free(p); tkf_load(3, p, 0, 1);"), (End::Fault(FaultKind::UseAfterFree), true));
    assert_eq!(ends("p = tkw_realloc(p, 32); tkf_load(3, p, 0, 1); tkw_free(p);"), (End::Returned, true));
    assert_eq!(ends("tkf_load(3, p + 16, 0, 1);"), (End::InputBound, false));
    assert_eq!(ends("tk_memcpy(3, p + 8, 0, &i, 0, 9, 0);"), (End::InputBound, false));
}

#[test]
fn heap_memory_cannot_be_freed_twice_nor_others_at_all() {
    let ends = |body: &str| run(&mut target(body).start(), &input(0, 0)).end();
    assert_eq!(ends("char *a = tkw_malloc(9); tkw_free(a); tkw_free(a);"), End::Fault(FaultKind::DoubleFree));
    assert_eq!(ends("char *a = tkw_malloc(9); tkw_free(a + 1);"), End::Fault(FaultKind::InvalidFree));
    assert_eq!(ends("tkw_free(table);"), End::Fault(FaultKind::InvalidFree));
    assert_eq!(ends("tkw_free(malloc(5)); tkw_free(0);"), End::Returned);
}

#[test]
fn native_code_sees_concrete_bytes_and_what_it_changes_loses_its_labels() {
    let target = target(
        "tk_native_argument: tkf_native_argument(7, label(&i, 8)); tkf_native_argument(8, label(&p, 8));
         tk_native_pointer(9, &i); ((char *)&i)[1] ^= 1; tk_native_return(9);
         show(1, label(&i, 1)); show(2, label((char *)&i + 1, 1));
         tk_native_pointer(10, table); table[0]++; tk_native_return(10);
         tk_native_pointer(11, p); p[2] = 77; tk_native_return(11); show(3, label(p + 2, 1)); show(4, label(p + 3, 1));",
    );
    let mut server = target.start();
    let run = run(&mut server, &input(address(64), 0));
    assert_eq!(
        path(&run),
        ["condition 1=1 in8", "condition 2=1 concrete", "condition 3=1 concrete", "condition 4=1 in67"]
    );
    assert_eq!(
        run.concretised()[7..12],
        [1, 0, 1, 0, 1],
        "input pointers lose nothing, unlabelled objects neither"
    );
    assert_eq!(run.arena_flags(66, 1)[0] & (flag::READ | flag::WRITTEN), flag::READ | flag::WRITTEN);
    assert_eq!(run.arena_flags(70, 1)[0] & (flag::READ | flag::WRITTEN), flag::READ);
    assert_eq!(run.arena(66, 1), [77]);
}
