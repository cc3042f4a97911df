//! Whose goals a unit has under each scope.

use crate::common;
use tarka_source::{GoalKind, GoalScope, SourceModel};

/// The model of a text beside a header `own.h` with a function `inlined` that has a branch.
fn model(text: &str) -> SourceModel {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("unit.c");
    let header = "static inline int inlined(int n) { return n > 3 ? 1 : 0; }\n";
    std::fs::write(scratch.path().join("own.h"), header).expect("writable");
    std::fs::write(&file, format!("#include \"own.h\"\n{text}")).expect("writable");
    common::try_model(&file, &[]).expect("it compiles")
}

/// The functions whose goals are those of `f`.
fn names(model: &SourceModel, scope: GoalScope) -> Vec<&str> {
    let (unit, _) = model.function_named("f").expect("it is there");
    model.goal_functions(unit, scope).into_iter().map(|id| model.function(id).name.as_str()).collect()
}

#[test]
fn the_scopes_are_the_unit_its_file_and_the_program() {
    let model = model(
        "int a(int n) { return n ? inlined(n) : 0; }\nint other(int n) { return n ? 1 : 2; }\n\
         int f(int n) { if (n) return a(n); return 0; }",
    );
    assert_eq!(names(&model, GoalScope::Unit), ["f"]);
    assert_eq!(names(&model, GoalScope::File), ["f", "a"]);
    assert_eq!(names(&model, GoalScope::Program), ["f", "inlined", "a"]);
}

#[test]
fn a_unit_without_a_branch_has_the_goals_of_its_callees() {
    let model = model("int a(int n) { return n ? 1 : 0; }\nint f(int n) { return a(n) + inlined(n); }");
    assert_eq!(names(&model, GoalScope::Unit), ["f", "a"]);
    assert_eq!(names(&model, GoalScope::Program), ["f", "inlined", "a"]);
}

#[test]
fn functions_behind_pointers_are_reached_by_name_or_by_type() {
    let handlers = "
        typedef int handler(int);
        static int one(int n) { return n ? 1 : 0; }
        static int two(int n) { return n ? 2 : 0; }
        static int far(long n) { return n ? 3 : 0; }
        handler *registered = one;
        int (*distant)(long) = far;";
    let by_type = model(&format!("{handlers}\nint f(handler *given) {{ return given(3); }}"));
    assert_eq!(names(&by_type, GoalScope::File), ["f", "one"], "nobody takes the address of two");
    let by_table = model(&format!(
        "{handlers}\nstatic int (*const table[])(long) = {{far}};\nint f(int n) {{ static handler *const own = two; return table[0](own != 0) + n; }}"
    ));
    assert_eq!(names(&by_table, GoalScope::File), ["f", "two", "far"]);
    let by_library = model(
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));\n\
         int order(const void *a, const void *b) { return a < b ? -1 : 1; }\n\
         int (*in_use)(const void *, const void *) = order;\n\
         void f(int *v) { qsort(v, 2, 4, in_use); }",
    );
    assert_eq!(names(&by_library, GoalScope::File), ["f", "order"]);
}

#[test]
fn a_goal_knows_its_function_also_where_one_has_no_statement() {
    let model = model(
        "void none(void) {}\nint a(int n) { n++; return n; }\nvoid nothing(void) {}\nint f(int n) { return a(n); }",
    );
    for (id, function) in (0..).zip(&model.functions) {
        let first = function.first_statement;
        for number in first..first + function.statements.len() as u32 {
            assert_eq!(GoalKind::Statement(number).function(&model).0, id, "{}", function.name);
        }
    }
}
