//! Models of several files as one: who belongs to a program, what names mean there, and where numbers go.

use tarka_source::{
    FunctionId, Program, SourceModel, SourceRequest, TypeKind, analyse_part, find_clang, views,
};

/// The programs around these files.
fn programs(files: &[(&str, &str)], flags: &[&str]) -> Vec<Program> {
    let folder = tempfile::tempdir().expect("a folder");
    let clang = find_clang().expect("clang");
    let flags: Vec<String> = flags.iter().map(|flag| flag.to_string()).collect();
    let model = |(name, text): &(&str, &str)| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("written");
        analyse_part(&SourceRequest { file: &file, flags: &flags, clang: &clang }).expect("C")
    };
    views(files.iter().map(model).collect())
}

fn names(model: &SourceModel) -> Vec<&str> {
    model.functions.iter().map(|function| function.name.as_str()).collect()
}

fn calls<'m>(model: &'m SourceModel, function: &str) -> Vec<&'m str> {
    let (_, function) = model.function_named(function).expect("the function");
    function.uses.functions.iter().map(|id| model.function(*id).name.as_str()).collect()
}

#[test]
fn a_file_comes_first_and_brings_in_what_it_needs() {
    let files = [
        ("leaf.c", "int leaf(int n) { if (n > 3) return 1; return 0; }"),
        (
            "top.c",
            "int leaf(int); int undefined(void); int top(int n) { return n > 1 ? leaf(n) : undefined(); }",
        ),
        ("other.c", "int other(void) { return 1; }"),
    ];
    let all = programs(&files, &[]);
    assert!(all[0].alone.is_none() && all[2].alone.is_none(), "they need nobody");
    let top = &all[1].model;
    assert_eq!(names(top), ["top", "leaf"]);
    assert_eq!(calls(top, "top"), ["leaf"]);
    assert!(top.is_own(FunctionId(0)) && !top.is_own(FunctionId(1)));
    // Numbers of the other file go on where the own ones end.
    assert_eq!(top.function(FunctionId(1)).sites, [tarka_source::SiteId(1)]);
    assert_eq!(top.site(tarka_source::SiteId(1)).function, FunctionId(1));
    assert_eq!(top.function(FunctionId(1)).first_statement, 1);
    assert_eq!(top.statement_count(), 1 + 3);
    let undefined: Vec<&str> = top.declared_functions.iter().map(|known| known.name.as_str()).collect();
    assert_eq!(undefined, ["undefined"]);
}

#[test]
fn statics_of_one_name_stay_two() {
    let files = [
        (
            "a.c",
            "int get(void); static int n = 1; static int help(void) { return n; } int a(void) { return help() + get(); }",
        ),
        ("b.c", "static int n = 2; static int help(void) { return n; } int get(void) { return help(); }"),
    ];
    let model = &programs(&files, &[])[0].model;
    assert_eq!(names(model), ["help", "a", "b.c:help", "get"]);
    assert_eq!(calls(model, "get"), ["b.c:help"]);
    let globals: Vec<(&str, bool)> =
        model.globals.iter().map(|global| (global.name.as_str(), global.is_named)).collect();
    assert_eq!(globals, [("n", true), ("b.c:n", false)]);
    let renamed = [("help", "b.c:help"), ("n", "b.c:n")].map(|(from, to)| (from.to_string(), to.to_string()));
    assert_eq!(model.others[0].renamed, renamed);
}

#[test]
fn a_static_function_does_not_take_the_name_of_another_files() {
    let files = [
        ("a.c", "int b(void); static int help(void) { return 1; } int a(void) { return help() + b(); }"),
        ("b.c", "int help(void); int b(void) { return help(); }"),
        ("c.c", "int help(void) { return 3; }"),
    ];
    let model = &programs(&files, &[])[0].model;
    assert_eq!(names(model), ["help", "a", "b", "c.c:help"]);
    assert_eq!((calls(model, "a"), calls(model, "b")), (vec!["help", "b"], vec!["c.c:help"]));
}

#[test]
fn the_strong_definition_wins_and_the_weak_one_loses_its_name() {
    let weak =
        ("weak.c", "__attribute__((weak)) int most(void) { return 1; } int use(void) { return most(); }");
    let strong = ("strong.c", "int most(void) { return 2; }");
    let model = &programs(&[weak, strong], &[])[0].model;
    assert_eq!(names(model), ["weak.c:most", "use", "most"]);
    assert_eq!(calls(model, "use"), ["most"]);
    assert!(!model.functions[0].is_named);
}

#[test]
fn a_second_strong_definition_stays_out() {
    let files = [
        ("a.c", "int usage(void) { return 1; } int run(void); int main(void) { return run(); }"),
        (
            "b.c",
            "int usage(void) { return 2; } int run(void) { return usage(); } int main(void) { return run(); }",
        ),
    ];
    let all = programs(&files, &[]);
    assert!(all[0].alone.is_none());
    let [left_out] = &all[0].left_out[..] else { panic!("{:?}", all[0].left_out) };
    assert_eq!(left_out.name, "usage");
    assert!(left_out.file.ends_with("b.c") && left_out.by.ends_with("a.c"));
}

#[test]
fn each_file_may_have_a_main() {
    let files = [
        ("a.c", "int help(void); int main(void) { return help(); }"),
        ("b.c", "int help(void) { return 2; } int main(void) { return help(); }"),
    ];
    let model = &programs(&files, &[])[0].model;
    assert_eq!(names(model), ["main", "help", "b.c:main"]);
    assert!(model.others[0].has_main);
    assert!(model.others[0].renamed.contains(&("main".to_string(), "b.c:main".to_string())));
}

#[test]
fn tentative_definitions_are_one_variable_where_the_flags_say_so() {
    let files = [
        ("a.c", "int count; int get(void); int a(void) { return count + get(); }"),
        ("b.c", "int count = 7; int get(void) { return count; }"),
    ];
    let model = &programs(&files, &["-fcommon"])[0].model;
    let (_, a) = model.function_named("a").expect("a");
    let (_, get) = model.function_named("get").expect("get");
    assert_eq!(a.uses.globals, get.uses.globals);
    assert_eq!(model.globals[get.uses.globals[0] as usize].name, "count");
    // Without the flag the linker refuses them together.
    assert_eq!(programs(&files, &[])[0].left_out.len(), 1);
}

#[test]
fn an_extern_variable_is_the_other_files_and_can_be_named_if_its_type_is_known() {
    let files = [
        (
            "a.c",
            "struct secret; extern int level, table[]; extern struct secret hidden; int a(void) { return level + table[0] + (&hidden != 0); }",
        ),
        (
            "b.c",
            "struct secret { int n; } hidden; int level; int table[3]; static int own; int b(void) { return own++; }",
        ),
    ];
    let model = &programs(&files, &[])[0].model;
    let (_, a) = model.function_named("a").expect("a");
    assert!(a.uses.declared_variables.is_empty() && model.declared_variables.is_empty());
    let mut used: Vec<(&str, bool, u64)> = (a.uses.globals.iter())
        .map(|&index| &model.globals[index as usize])
        .map(|global| (global.name.as_str(), global.is_named, model.types.get(global.ty).size))
        .collect();
    used.sort_unstable();
    assert_eq!(used, [("hidden", false, 4), ("level", true, 4), ("table", true, 12)]);
}

#[test]
fn equal_types_are_one_and_unknown_names_are_written_as_what_they_are() {
    let node = "struct node { struct node *next; int value; };";
    let own = format!("{node} int sum(struct node *); int a(struct node *list) {{ return sum(list); }}");
    let other = format!(
        "{node} typedef unsigned short small; typedef struct {{ int n; }} box; small nobody(box *, small);
         int sum(struct node *list) {{ return list ? nobody(0, 1) : 0; }}"
    );
    let model = &programs(&[("a.c", &own), ("b.c", &other)], &[])[0].model;
    let (_, a) = model.function_named("a").expect("a");
    let (_, sum) = model.function_named("sum").expect("sum");
    assert_eq!(a.params[0].ty, sum.params[0].ty);
    let nobody = &model.declared_functions[0];
    assert_eq!(model.types.describe(nobody.result), "unsigned short");
    assert_eq!(model.types.describe(nobody.params[0].ty), "void *");
    assert!(matches!(
        model.types.get(nobody.params[1].ty).kind,
        TypeKind::Int { bits: 16, signed: false, .. }
    ));
}

#[test]
fn a_file_of_tables_belongs_to_a_program() {
    let files = [
        ("a.c", "extern const int primes[3]; int a(int n) { return primes[n % 3]; }"),
        ("tables.c", "const int primes[3] = {2, 3, 5};"),
    ];
    let all = programs(&files, &[]);
    let (_, a) = all[0].model.function_named("a").expect("a");
    assert_eq!(a.uses.globals.len(), 1);
    assert!(all[1].model.functions.is_empty());
}
