//! The documentation of faults names every kind as the tool does.

use tarka_events::FaultKind;

#[test]
fn the_table_of_kinds_is_complete() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/faults.md");
    let docs = std::fs::read_to_string(docs).expect("docs/faults.md");
    let section =
        docs.split("\n## Kinds\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("## Kinds");
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    let default = |kind: &FaultKind| if kind.is_default() { "yes" } else { "no" };
    let wanted = |kind: &FaultKind| format!("| `{}` | {} | {} |", kind.name(), kind.words(), default(kind));
    assert_eq!(rows, FaultKind::ALL.iter().map(wanted).collect::<Vec<_>>());
}
