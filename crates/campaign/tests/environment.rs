//! What surrounds a unit: globals, functions nobody defines, function pointers, answers of the library.

use crate::c::{self, Unit, covered, open, test};
use tarka_campaign::Options;
use tarka_events::{Named, Status, UnitResult};
use tarka_scenario::Role;
use tarka_source::LibraryInput;

fn all_covered(result: &UnitResult) {
    let (done, all) = covered(result);
    assert_eq!(done, all, "{}: {:#?}\n{:#?}", result.function, open(result), result.limits);
}

#[test]
fn globals_are_inputs_and_keep_their_initial_value_where_it_does_not_matter() {
    let results = Unit::new(
        "enum state { IDLE, RUNNING, DONE } state = RUNNING;
         static int limit = 5, unused = 3;
         int f(int event) {
            switch (state) {
            case IDLE: if (event > limit) state = RUNNING; break;
            case RUNNING: if (event == 0) state = DONE; break;
            case DONE: return limit == 77 ? 1 : 2;
            }
            return 0;
         }
         int other(void) { limit++; return unused; }",
    )
    .test_all(&Options::default());
    let result = &results[0];
    all_covered(result);
    assert_eq!(result.status, Status::Complete);
    let global = |wanted: &str| {
        let found = result.kept_runs.iter().flat_map(|kept| &kept.executed.scenario.objects);
        found.filter(|object| object.role == Role::Global(wanted.to_string())).collect::<Vec<_>>()
    };
    assert!(global("unused").is_empty(), "the unit never mentions it");
    assert!(global("limit").iter().all(|object| object.initial == 5i32.to_le_bytes()));
    let kept_initial = global("limit").iter().filter(|object| object.bytes == object.initial).count();
    assert!(kept_initial > 0, "{:#?}", result.kept_runs);
}

#[test]
fn an_undefined_function_answers_one_then_five_then_fails() {
    let result = test(
        "int read_sensor(int channel);
         int f(void) {
            if (read_sensor(0) != 1) return 0;
            if (read_sensor(1) != 5) return 1;
            if (read_sensor(2) >= 0) return 2;
            return 3;
        }",
    );
    all_covered(&result);
    assert_eq!(result.stubs.len(), 1);
    let scripted = result.kept_runs.iter().map(|kept| {
        let answers =
            kept.executed.scenario.objects.iter().filter(|object| matches!(object.role, Role::Stub { .. }));
        answers.map(|object| i32::from_le_bytes(object.bytes[..4].try_into().unwrap())).collect::<Vec<_>>()
    });
    assert!(
        scripted.clone().any(|answers| answers.len() == 3 && answers[..2] == [1, 5] && answers[2] < 0),
        "{:?}",
        scripted.collect::<Vec<_>>()
    );
}

#[test]
fn a_function_pointer_leads_to_every_function_of_its_type() {
    let unit = Unit::new(
        "static int twice(int x) { return 2 * x; }
         static int square(int x) { return x * x; }
         int (*table[2])(int) = { twice, square };
         int f(int (*apply)(int), int x) {
            if (!apply) return 0;
            if (apply == square && x == 3) return 1;
            if (apply(x) == 12) return 2;
            return 3;
         }",
    );
    let results = unit.test_all(&Options::default());
    let result = results.iter().find(|result| result.function == "f").unwrap();
    all_covered(result);
    let named = |name: &str| {
        result.named_addresses.iter().any(|known| known.what == Named::Function(name.to_string()))
    };
    assert!(named("twice") && named("square"), "{:#?}", result.named_addresses);
}

#[test]
fn an_allocation_may_fail_when_that_is_asked_for() {
    let text = "#include <stdlib.h>
         int f(int n) { char *p = malloc(8); if (!p) return -1; free(p); return n > 3 ? 1 : 0; }";
    let options = Options { library_inputs: vec![LibraryInput::Alloc], ..Options::default() };
    all_covered(&c::test_with(text, &options));
}

#[test]
fn an_allocation_fails_also_where_no_branch_looks_at_it() {
    let text = "#include <stdlib.h>
int f(int n) {
    int *a = malloc(4), *b = malloc(4);
    if (!a) { free(b); return -1; }
    *a = n;
    *b = n;
    int *c = calloc(1, 4);
    *c = *a + 1u;
    n = *c;
    free(a); free(b); free(c);
    return n;
}";
    let options = Options { library_inputs: vec![LibraryInput::Alloc], ..Options::default() };
    let result = c::test_with(text, &options);
    let mut found: Vec<(&str, u32)> =
        result.faults.iter().map(|fault| (fault.kind.name(), fault.place.line)).collect();
    found.sort();
    assert_eq!(found, [("null-dereference", 6), ("null-dereference", 8)], "{:#?}", result.faults);
}

#[test]
fn only_units_that_need_what_cannot_be_stubbed_are_skipped() {
    let unit = Unit::new(
        "typedef int four __attribute__((vector_size(16)));
         four make(int n);
         static int first(int n) { return make(n)[0]; }
         int a(int n) { return first(n) > 3 ? 1 : 0; }
         int b(int n) { return n > 3 ? 1 : 0; }",
    );
    let results = unit.test_all(&Options::default());
    let [first, a, b] = &results[..] else { panic!("{results:#?}") };
    for skipped in [first, a] {
        let Status::Skipped(reason) = &skipped.status else { panic!("{:?}", skipped.status) };
        assert!(reason.contains("`make`"), "{reason}");
    }
    assert_eq!(b.status, Status::Complete);
}

#[test]
fn what_a_stub_could_have_written_is_never_called_infeasible() {
    let result = test(
        "void fill(char *text);
         int f(int n) { char text[8] = {0}; if (n > 3) fill(text); return text[0] == 'x' ? 1 : 0; }",
    );
    let unreached = open(&result);
    assert_eq!(unreached.len(), 1, "{unreached:#?}");
    assert!(unreached[0].contains("`fill` may have changed what is read"), "{unreached:?}");
}

#[test]
fn a_library_call_of_another_function_decides_nothing_here() {
    let unit = Unit::new(
        "#include <stdlib.h>
         int other(void) { return rand(); }
         int f(unsigned char n) { int limit = 300; if (limit > 400 && n > 1) return 1; return n > 2 ? 2 : 0; }",
    );
    let result = &unit.test_all(&Options::default())[1];
    assert_eq!(result.status, Status::Complete, "{:#?}", open(result));
}
