//! Objects with edges: what leaves a block, a local or a global, and what is used after it is gone.

use crate::common::*;
use tarka_runner::{End, Run};
use tarka_trace::FaultKind;

/// A length root at 0; hooks under short names.
const DRIVER: &str = "
    uint64_t n; void *keep;
    static struct { char bytes[10]; char edge[32]; } global;
    static void load(const void *p) { tkf_load(3, p, 0, 1); }
    static void store(const void *p) { tkf_store(4, p, 0, 1, 0, 0); }
    static uint32_t length(void) { return tkf_load(0, &n, 0, 8); }
    static char *locals(char *room, uint64_t size) { tk_local_object(room + 32, size); return room + 32; }
    void body(void);
    void __tk_drive(unsigned unit) { tk_bind(&n, 8, 0); body(); }
    __attribute__((constructor)) static void objects(void) { tk_padded_global(&global, 10, 0); }
";

fn target(before: &str, body: &str) -> Target {
    Target::new(&format!("#include <stdio.h>\n{DRIVER} {before} void body(void) {{ {body} }}"))
}

/// How each body ends: one target, in which the input says which.
fn ends<T: AsRef<str>>(before: &str, bodies: &[T]) -> Vec<End> {
    let cases: Vec<String> = bodies
        .iter()
        .enumerate()
        .map(|(number, body)| {
            format!("__attribute__((noinline)) void case{number}(void) {{ {} }}", body.as_ref())
        })
        .collect();
    let calls: String =
        (0..bodies.len()).map(|number| format!("case {number}: case{number}(); break;")).collect();
    let target = target(&format!("{before} {}", cases.join("\n")), &format!("switch (n) {{ {calls} }}"));
    let mut server = target.start();
    let numbers = 0..bodies.len() as u64;
    numbers.map(|number| run(&mut server, &[root(0, &number.to_le_bytes())]).end()).collect()
}

fn end(before: &str, body: &str) -> End {
    ends(before, &[body])[0]
}

const OUTSIDE: End = End::Fault(FaultKind::OutOfBounds);

#[test]
fn both_ends_of_every_block_are_watched_to_the_byte() {
    for size in [1, 7, 8, 24, 25, 1000, 200_000] {
        let block = |access: &str| format!("char *a = tkw_malloc({size}), *end = a + {size}; {access}");
        let outside = ["load(end);", "store(end + 31);", "load(a - 1);"].map(block);
        assert_eq!(ends("", &outside), [OUTSIDE; 3], "{size} bytes");
        assert_eq!(end("", &block("load(a); store(end - 1);")), End::Returned, "{size} bytes");
    }
}

#[test]
fn of_a_block_of_no_bytes_the_first_is_let_pass_as_the_sanitizers_do() {
    let block = |access: &str| format!("char *a = tkw_malloc(0); {access}");
    assert_eq!(end("", &block("store(a);")), End::Returned);
    assert_eq!(ends("", &["load(a + 1);", "store(a + 31);", "load(a - 1);"].map(block)), [OUTSIDE; 3]);
}

#[test]
fn every_way_to_allocate_has_edges() {
    for (way, size) in [
        ("a = tkw_calloc(3, 5)", 15),
        ("a = tkw_aligned_alloc(64, 64)", 64),
        ("void *p; tkw_posix_memalign(&p, 128, 20); a = p", 20),
        ("a = tkw_realloc(0, 9)", 9),
        ("a = tkw_realloc(tkw_malloc(30), 9)", 9),
        ("a = tkw_realloc(malloc(30), 9)", 9),
        ("a = tkw_reallocarray(0, 3, 3)", 9),
    ] {
        let at = [0, size - 1, size, -1].map(|offset| format!("char *a; {way}; load(a + {offset});"));
        assert_eq!(ends("", &at), [End::Returned, End::Returned, OUTSIDE, OUTSIDE], "{way}");
    }
    let told = "char *a = tkw_malloc(13), *b = malloc(13); if (tkw_malloc_usable_size(a) != 13) load(a + 13);
                if (tkw_malloc_usable_size(b) < 13) load(a + 13);";
    assert_eq!(end("", told), End::Returned, "the size that was asked for");
}

#[test]
fn a_freed_block_tells_where_it_was_allocated_and_freed() {
    let target = target(
        "__attribute__((noinline)) char *make(void) { char *a = tkw_malloc(8); keep = a; return a; }
         __attribute__((noinline)) void drop(char *a) { tkw_free(a); keep = 0; }",
        "void *functions[2] = {make, drop}; tk_result(functions, 16, tk_bind); char *a = make(); drop(a); load(a + 3);",
    );
    let mut server = target.start();
    let run = run(&mut server, &[root(0, &[0; 8])]);
    assert_eq!(run.end(), End::Fault(FaultKind::UseAfterFree));
    let (make, drop) = run.result().split_at(8);
    let is_in = |address: u64, function: &[u8]| {
        let start = u64::from_le_bytes(function.try_into().expect("an address has eight bytes"));
        (start..start + 100).contains(&address)
    };
    assert!(is_in(run.allocated_at()[0], make) && is_in(run.freed_at()[0], drop));
}

#[test]
fn freeing_what_cannot_be_freed_is_a_fault() {
    let twice = End::Fault(FaultKind::DoubleFree);
    let invalid = End::Fault(FaultKind::InvalidFree);
    let bad = [
        ("char *a = tkw_malloc(9); tkw_free(a); tkw_free(a);", twice),
        ("char *a = tkw_malloc(9); tkw_free(a); tkw_realloc(a, 20);", twice),
        ("char *a = tkw_malloc(9); tkw_free(a); free(a); /* by native code */", twice),
        ("tkw_free((char *)tkw_malloc(9) + 1);", invalid),
        ("char *a = tkw_malloc(9); tkw_free(a); tkw_free(a + 1);", invalid),
        ("char room[80], *a = locals(room, 16); tkw_free(a);", invalid),
        ("tkw_free(&global);", invalid),
        ("static char other[9]; tkw_free(other + 4);", invalid),
        ("tkw_free(0); tkw_free(malloc(7)); free(tkw_malloc(7));", End::Returned),
    ];
    assert_eq!(ends("", &bad.map(|(body, _)| body)), bad.map(|(_, end)| end));
}

#[test]
fn memory_that_native_code_gets_back_has_no_marks() {
    // Blocks of ours, freed or moved by native code, are handed out to it again.
    let body = "for (int k = 0; k < 200; k++) { char *a = tkw_malloc(40 + k); if (k % 2) free(a); else free(realloc(a, 500)); }
                for (int k = 0; k < 200; k++) { char *a = malloc(16 + 8 * k); for (int j = 0; j < 16 + 8 * k; j++) load(a + j); }";
    assert_eq!(end("", body), End::Returned);
    // Those that were kept long enough as well.
    let many = "for (int k = 0; k < 3000; k++) { char *a = tkw_malloc(5000); store(a + 4999); tkw_free(a); }
                for (int k = 0; k < 3000; k++) { char *a = malloc(3000); load(a); load(a + 2999); }";
    assert_eq!(end("", many), End::Returned);
}

#[test]
fn freed_memory_is_given_back_before_the_limit_is_reached() {
    let target = target(
        "",
        "for (int k = 0; k < 100; k++) { char *a = tkw_malloc(3 << 20); a[0] = 1; tkw_free(a); }
                             char *big = tkw_malloc(50 << 20); big[0] = 1;",
    );
    let mut server = target.start();
    let run = run(&mut server, &[root(0, &[0; 8])]);
    assert_eq!(run.end(), End::Returned, "64 MB are enough");
}

#[test]
fn locals_and_globals_have_edges() {
    let local = |access: &str| format!("char room[80], *a = locals(room, 16); {access}");
    let bodies = [
        local("load(a); load(a + 15);"),
        local("load(a + 16);"),
        local("store(a - 1);"),
        "load(global.bytes); load(global.bytes + 9);".to_owned(),
        "load(global.bytes + 10);".to_owned(),
    ];
    assert_eq!(ends("", &bodies), [End::Returned, OUTSIDE, OUTSIDE, End::Returned, OUTSIDE]);
}

/// Functions with a local of 16 bytes each.
const FRAMES: &str = "
    __attribute__((noinline)) char *leaf(void) {
      char room[80]; uint32_t depth = tkf_stack_depth(); char *a = locals(room, 16);
      store(a); tkf_stack_restore(depth); return keep = a;
    }
    __attribute__((noinline)) void callback(const char *given) { tkf_enter(callback); load(given); leaf(); }
    __attribute__((noinline)) void native(int times) {
      volatile char own[96]; for (int k = 0; k < 96; k++) own[k] = k;
      for (int k = 0; k < times; k++) for (int j = 0; j < 96; j++) callback((const char *)own + j);
      if (times > 1) native(times - 1);
    }
";

#[test]
fn a_local_is_gone_when_its_function_returned() {
    assert_eq!(end(FRAMES, "load(leaf());"), End::Fault(FaultKind::UseAfterReturn));
    assert_eq!(
        end(FRAMES, "char *a = leaf(); char *b = leaf(); if (a != b) load(&global.bytes[10]); leaf();"),
        End::Returned
    );
}

#[test]
fn native_code_may_use_the_memory_of_functions_that_returned() {
    let body = "char room[80]; uint32_t depth = tkf_stack_depth(); char *a = locals(room, 16);
                leaf(); native(4); load(a); leaf(); native(2); tkf_stack_restore(depth); native(2);";
    assert_eq!(end(FRAMES, body), End::Returned);
    let behind = "char room[80], *a = locals(room, 16); leaf(); native(2); load(a + 16);";
    assert_eq!(end(FRAMES, behind), OUTSIDE, "an active function keeps its edges");
}

#[test]
fn a_jump_out_leaves_no_false_marks() {
    let before = format!(
        "{FRAMES} static uint64_t env[32]; int _setjmp(void *);
        __attribute__((noinline)) void deep(int left) {{
          char room[80], *a = locals(room, 16); store(a);
          if (left) deep(left - 1); else tkw_longjmp(env, 1);
          load(a);
        }}"
    );
    let body = "char room[80], *a = locals(room, 16); store(a);
                if (!_setjmp(env)) deep(5); load(a); leaf(); native(3); load(a);";
    assert_eq!(end(&before, body), End::Returned);
}

#[test]
fn a_symbolic_length_is_a_condition_on_the_room_that_is_left() {
    let target = target("", "char *a = tkw_malloc(10), room[96], *b = locals(room, 20);
                             tk_memcpy(5, b + 4, 0, a + 2, 0, n, length()); tk_memset(6, a, 0, 0, 0, n, length());");
    let mut server = target.start();
    let text = joined(0, 8);
    let passes = |run: &Run| path(run).iter().map(|event| event.replace(&text, "n")).collect::<Vec<_>>();
    let fits = run(&mut server, &[root(0, &3_u64.to_le_bytes())]);
    // What the program itself made and writes to comes first.
    let all = ["check 5=1 ule1(n, 0x10:64)", "check 5=1 ule1(n, 0x8:64)", "check 6=1 ule1(n, 0xa:64)"];
    assert_eq!((passes(&fits), fits.end()), (all.map(String::from).to_vec(), End::Returned));
    let none = run(&mut server, &[root(0, &0_u64.to_le_bytes())]);
    assert_eq!(passes(&none).len(), 3, "also when nothing is copied");
    for (length, room) in [(9_u64, "0x8"), (1 << 30, "0x10"), (u64::MAX, "0x10"), (1 << 63, "0x10")] {
        let over = run(&mut server, &[root(0, &length.to_le_bytes())]);
        let failed = format!("check 5=0 ule1(n, {room}:64)");
        assert_eq!((passes(&over).pop(), over.end(), over.fault_site()), (Some(failed), OUTSIDE, Some(5)));
    }
}

#[test]
fn a_copy_longer_than_any_edge_is_found() {
    assert_eq!(end("", "char *a = tkw_malloc(100); tk_memset(5, a, 0, 0, 0, 5000, 0);"), OUTSIDE);
    assert_eq!(end("", "char *a = tkw_malloc(100); tk_memset(5, a, 0, 0, 0, 1ul << 40, 0);"), OUTSIDE);
    assert_eq!(end("", "char *a = tkw_malloc(100); tk_memcpy(5, a, 0, &global, 0, -1ul, 0);"), OUTSIDE);
    assert_eq!(
        end("", "char *a = tkw_malloc(100); tk_memset(5, a, 0, 0, 0, 100, 0); load(a + 99);"),
        End::Returned
    );
}

#[test]
fn what_native_code_writes_behind_an_object_is_found_when_it_returns() {
    let print = |object: &str, text: &str| {
        end(
            "",
            &format!(
                "char room[80], *local = locals(room, 8), *heap = tkw_malloc(8), *p = {object};
                          tk_native_pointer(7, p); sprintf(p, \"%s\", \"{text}\"); tk_native_return(7);"
            ),
        )
    };
    for object in ["local", "heap", "global.bytes + 2"] {
        assert_eq!(print(object, "1234567"), End::Returned, "{object}");
        assert_eq!(print(object, "12345678"), OUTSIDE, "the terminating zero behind {object}");
    }
    let freed = "char *a = tkw_malloc(8); tk_native_pointer(7, a); free(a); memset(malloc(40), 1, 40); tk_native_return(7);";
    assert_eq!(end("void *memset(void *, int, size_t);", freed), End::Returned, "native code may free it");
}
