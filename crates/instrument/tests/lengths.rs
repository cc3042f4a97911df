//! Buffers with a length, through the pass: which checks a unit's accesses make, and how it ends when they fail.

use std::time::Duration;

use crate::support::{Options, Program, int, program};
use tarka_runner::{Allow, End, LengthOf, ObjectImage, RunRequest, Server};
use tarka_trace::{ARENA_BASE, EventKind, FaultKind, flag};

const MOST: u32 = 8;

/// Runs a unit whose parameters are `int *a, int n` and perhaps an index. Gives the end, and the line of the first failed
/// check of the length.
fn run(program: &Program, count: i32, index: i32) -> (End, Option<u32>) {
    let unit = &program.build.units[0];
    let has = count.clamp(0, MOST as i32) as usize * 4;
    let pointer = (ARENA_BASE + u64::from(unit.pointees_start)).to_le_bytes().to_vec();
    let bytes = [pointer, int(count), int(index)];
    let (elements, flags) = ([3; 4 * MOST as usize], [flag::VALID | flag::SYMBOLIC; 4 * MOST as usize]);
    let mut objects: Vec<ObjectImage<'_>> = unit
        .roots
        .iter()
        .zip(&bytes)
        .map(|(root, bytes)| ObjectImage {
            offset: root.offset,
            root: true,
            bytes,
            flags: &flags[..bytes.len()],
            ..Default::default()
        })
        .collect();
    objects.push(ObjectImage {
        offset: unit.pointees_start,
        root: false,
        bytes: &elements[..has],
        flags: &flags[..has],
        exact: count <= MOST as i32,
        length: Some(LengthOf { offset: unit.roots[1].offset, bits: 32, signed: true, element: 4 }),
        capacity: 4 * MOST,
    });
    let mut server = Server::start(&program.build.exe, &Allow::default()).expect("the target starts");
    let request = RunRequest {
        objects: &objects,
        time_limit: Duration::from_secs(20),
        site_count: program.build.sites.len() as u32,
        coverage_len: program.build.coverage_len,
        ..Default::default()
    };
    let run = server.run(&request).expect("the run happens");
    let is_length =
        |event: &&tarka_trace::TraceEvent| event.kind == EventKind::Check as u16 && event.aux == 0;
    let failed = run.events().iter().filter(is_length).find(|event| event.outcome == 0);
    let line = failed.and_then(|event| program.build.sites[event.site as usize].place.as_ref());
    (run.end(), line.map(|place| place.line))
}

const FAULT: End = End::Fault(FaultKind::OutOfBounds);

#[test]
fn a_loop_over_its_length_stays_inside_and_one_step_more_does_not() {
    let text = "int f(int *a, int n, int more) {\n  int sum = 0;\n  for (int i = 0; i < n + more; i++)\n    sum += a[i];\n  return sum;\n}\n";
    let program = program(text, "f", Options::default());
    assert_eq!(run(&program, 5, 0), (End::Returned, None));
    assert_eq!(run(&program, 0, 0), (End::Returned, None));
    assert_eq!(run(&program, 5, 1), (FAULT, Some(4)));
    assert_eq!(run(&program, 0, 1), (FAULT, Some(4)));
    assert_eq!(run(&program, MOST as i32 + 1, 0), (End::InputBound, None), "longer than any that is tried");
}

#[test]
fn an_index_and_a_copy_are_checked_against_the_length() {
    let text = "#include <string.h>\nint f(int *a, int n, int i) {\n  if (i < 0) {\n    int b[4];\n    memcpy(b, a, sizeof b);\n    return b[3];\n  }\n  a[i]++;\n  return a[i];\n}\n";
    let program = program(text, "f", Options::default());
    assert_eq!(run(&program, 4, 3), (End::Returned, None));
    assert_eq!(run(&program, 4, 4), (FAULT, Some(8)));
    assert_eq!(run(&program, -3, 0), (FAULT, Some(8)), "a negative length is no element");
    assert_eq!(run(&program, 4, -1), (End::Returned, None));
    assert!(matches!(run(&program, 3, -1), (FAULT, Some(_))));
}
