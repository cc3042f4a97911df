//! Inputs that grow on demand: rings, trees, long lists, long strings, buffers with a length, repeated calls.

use crate::c::{covered, open, test, test_with};
use tarka_campaign::Options;
use tarka_events::{FaultKind, RunEnd, Status, UnitResult, Verdict};

fn all_covered(result: &UnitResult) {
    let (done, all) = covered(result);
    assert_eq!(done, all, "{}: {:#?}\n{:#?}", result.function, open(result), result.limits);
    assert_eq!(result.divergences, 0);
}

#[test]
fn a_ring_of_three_nodes_is_closed() {
    let result = test(
        "struct node { int v; struct node *next; };
         int f(struct node *n) {
            if (!n || !n->next || !n->next->next) return 0;
            if (n->next == n || n->next->next == n) return 1;
            if (n->next->next->next == n) return 3;
            return 2;
        }",
    );
    all_covered(&result);
    assert!(result.faults.is_empty(), "{:#?}", result.faults);
}

#[test]
fn two_pointers_may_be_equal_and_not_null() {
    let result = test(
        "struct pair { int *a, *b; };
         int f(struct pair *p) {
            if (!p || !p->a || !p->b) return 0;
            if (p->a == p->b) { *p->a = 4; return *p->b == 4 ? 2 : 3; }
            return 1;
        }",
    );
    let unreachable = open(&result);
    assert_eq!(unreachable.len(), 1, "{unreachable:#?}");
    assert!(unreachable[0].contains("*p->b == 4"), "{unreachable:?}");
}

#[test]
fn a_null_check_never_ties_a_list_into_a_ring() {
    let result = test(
        "struct node { int v; struct node *next; };
         int f(const struct node *n) { int i = 0; while (n) { i++; n = n->next; } return i > 2; }",
    );
    all_covered(&result);
    for kept in &result.kept_runs {
        let addresses: Vec<u64> =
            kept.executed.scenario.objects.iter().map(|object| object.address).collect();
        for object in kept.executed.scenario.objects.iter().filter(|object| object.bytes.len() == 16) {
            let next = u64::from_le_bytes(object.bytes[8..16].try_into().unwrap());
            assert!(next == 0 || next > object.address && addresses.contains(&next), "{:#?}", kept.executed);
        }
    }
}

#[test]
fn a_tree_of_depth_four_with_ordered_keys_is_built() {
    let result = test(
        "struct tree { int key; struct tree *left, *right; };
         static int depth(const struct tree *t, long low, long high) {
            if (!t) return 0;
            if (t->key <= low || t->key >= high) return -100;
            int l = depth(t->left, low, t->key), r = depth(t->right, t->key, high);
            return 1 + (l > r ? l : r);
         }
         int f(const struct tree *t) { return depth(t, -1000, 1000) == 4 ? 1 : 0; }",
    );
    all_covered(&result);
}

#[test]
fn a_list_may_be_longer_than_the_first_bound() {
    let result = test(
        "struct node { int v; struct node *next; };
         int f(const struct node *n) {
            int length = 0;
            for (; n; n = n->next) length++;
            if (length == 7) return 1;
            return 0;
        }",
    );
    all_covered(&result);
}

#[test]
fn a_list_longer_than_every_bound_is_said_with_the_bound_to_raise() {
    let text = "struct node { int v; struct node *next; };
         int f(const struct node *n) {
            int length = 0;
            for (; n; n = n->next) length++;
            if (length == 12) return 1;
            return 0;
        }";
    let result = test(text);
    let Verdict::Unknown { reason, advice, .. } = &result
        .goals
        .iter()
        .find(|goal| goal.text == "length == 12" && goal.id.ends_with(":1"))
        .unwrap()
        .verdict
    else {
        panic!("{:#?}", result.goals)
    };
    assert!(reason.contains("8 levels deep"), "{reason}");
    assert_eq!(advice.as_deref(), Some("set `depth = 16` in tarka.toml"));
    let mut options = Options::default();
    options.settings.bounds.depth = Some(16);
    all_covered(&test_with(text, &options));
}

#[test]
fn a_string_of_forty_characters_is_found() {
    let result = test(
        "#include <string.h>
         int f(const char *s) {
            if (!s) return 0;
            if (strlen(s) >= 40 && s[39] == 'x') return 1;
            return 2;
        }",
    );
    all_covered(&result);
}

#[test]
fn a_string_longer_than_every_bound_is_an_input_bound_and_not_a_proof() {
    let result = test(
        "int f(const char *s) {
            int n = 0;
            if (!s) return 0;
            while (s[n]) n++;
            if (n > 400) return 1;
            return 2;
        }",
    );
    let goal = result.goals.iter().find(|goal| goal.text == "n > 400" && goal.id.ends_with(":1")).unwrap();
    let Verdict::Unknown { reason, advice, .. } = &goal.verdict else { panic!("{:?}", goal.verdict) };
    assert!(reason.starts_with("input bound: it may need strings of more than 256 bytes"), "{reason}");
    assert_eq!(advice.as_deref(), Some("set `string = 1024` in tarka.toml"));
    assert_eq!(result.status, Status::Budget);
}

#[test]
fn a_loop_over_a_buffer_and_its_length_never_leaves_it() {
    let result = test(
        "int f(const int *values, int count) {
            int sum = 0;
            for (int i = 0; i < count; i++) sum += values[i];
            if (sum == 1234 && count > 2) return 1;
            return 0;
        }",
    );
    all_covered(&result);
    assert!(result.faults.iter().all(|fault| fault.kind != FaultKind::OutOfBounds), "{:#?}", result.faults);
}

#[test]
fn one_step_behind_a_buffer_of_known_length_is_a_fault() {
    let result = test(
        "int f(const int *values, int count) {
            for (int i = 0; i < count; i++)
                if (values[i] > values[i + 1])
                    return 0;
            return 1;
        }",
    );
    let found: Vec<(&str, u32)> =
        result.faults.iter().map(|fault| (fault.kind.name(), fault.place.line)).collect();
    assert!(found.contains(&("out-of-bounds", 3)), "{:#?}", result.faults);
}

#[test]
fn a_counter_in_a_static_variable_is_reached_by_further_calls() {
    let result = test(
        "int f(int x) {
            static int calls;
            calls++;
            if (calls == 3 && x == 7) return 1;
            return 0;
        }",
    );
    all_covered(&result);
    let calls = result.kept_runs.iter().map(|kept| kept.executed.scenario.steps.len()).max();
    assert_eq!(calls, Some(4), "{:#?}", result.kept_runs);
}

#[test]
fn more_calls_than_are_made_are_a_bound_and_not_a_proof() {
    let result = test("int f(void) { static int calls; if (++calls == 50) return 1; return 0; }");
    let unreached = open(&result);
    assert_eq!(unreached.len(), 1);
    assert!(unreached[0].contains("set `calls = 8` in tarka.toml"), "{unreached:?}");
}

#[test]
fn an_array_that_no_input_can_hold_is_cut_short_and_that_is_said() {
    let result =
        test("int f(int v[100000000]) { if (!v) return 0; if (v[99999999] == 3) return 1; return 2; }");
    assert!(result.faults.is_empty(), "{:#?}", result.faults);
    let unreached = open(&result);
    assert_eq!(unreached.len(), 2, "{unreached:#?}");
    assert!(unreached.iter().all(|goal| goal.contains("`v` has 100000000 elements")), "{unreached:#?}");
}

#[test]
fn what_one_run_died_of_is_there_in_the_runs_after_it() {
    let result = test_with(
        "struct table { int size; };
         struct reader { struct table *names, *places; int (*next)(void); };
         int f(struct reader *r, int token) {
            int seen = 0;
            for (;;) {
                switch (token) {
                case 1: seen += r->names->size; break;
                case 2: seen -= r->names->size; break;
                case 3: seen ^= r->names->size; break;
                case 4: seen |= r->names->size; break;
                case 5: seen += r->places->size; break;
                case 6: seen -= r->places->size; break;
                case 7: seen ^= r->places->size; break;
                case 8: seen |= r->places->size; break;
                default: return seen;
                }
                token = r->next();
            }
        }",
        &Options { runs: Some(20), ..Options::default() },
    );
    // One by one, each case would have to find out first that its table and the function must be there.
    let returned = result.kept_runs.iter().filter(|kept| kept.end == RunEnd::Returned);
    let mut covered: Vec<u32> = returned.flat_map(|kept| kept.covers.iter().copied()).collect();
    covered.sort_unstable();
    covered.dedup();
    assert_eq!(covered.len(), result.goals.len(), "{:#?}", open(&result));
    // The null pointers that showed it are told.
    let nulls = result.faults.iter().filter(|fault| fault.kind == FaultKind::NullDereference).count();
    assert!(nulls >= 3, "{:#?}", result.faults);
}

#[test]
fn a_pointer_that_some_run_died_of_is_still_null_where_the_code_asks() {
    let result = test(
        "struct list { int n; struct list *next; };
         int f(struct list *l, int way) {
            if (way == 1) return l->next->n;
            if (l->next) return way == 2 ? l->next->n : 3;
            return way == 4 ? 5 : 6;
        }",
    );
    all_covered(&result);
}

#[test]
fn a_run_without_an_end_leaves_no_more_ways_than_its_beginning_has() {
    let code = "int f(unsigned n) {
            int hits = 0;
            while (n != 1) {
                n -= 2;
                if (n == 77777) hits++;
            }
            return hits;
        }";
    let result = test_with(code, &Options { runs: Some(1), ..Options::default() });
    let reasons = format!("{:?}", open(&result));
    let ways = reasons.split(" ways left").next().and_then(|before| before.rsplit(' ').next());
    let ways: u64 = ways.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{reasons}"));
    assert!((1_000..=16_384).contains(&ways), "{reasons}");
}
