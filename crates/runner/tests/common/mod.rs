//! Hand-written targets: C text that calls the hooks itself, linked with the runtime, run through the runner.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tarka_runner::{Allow, LengthOf, ObjectImage, Run, RunRequest, Server};
use tarka_trace::{self as trace, EventKind, Op, flag};
use tempfile::TempDir;

/// What every target starts with.
const PRELUDE: &str = r#"
#include "tarka_trace.h"
#include <string.h>
#include <stdlib.h>
void tk_bind(void *variable, uint64_t size, uint32_t arena_offset);
void tk_result(const void *value, uint64_t size, const void *function);
void *tkw_malloc(size_t); void *tkw_realloc(void *, size_t); void tkw_free(void *);
void *tkw_calloc(size_t, size_t); void *tkw_reallocarray(void *, size_t, size_t);
void *tkw_aligned_alloc(size_t, size_t); int tkw_posix_memalign(void **, size_t, size_t);
size_t tkw_malloc_usable_size(void *);
void tkw_exit(int); void tkw_abort(void); void tkw_assert_fail(const char *, const char *, unsigned, const char *);
void tkw_longjmp(void *, int);
"#;

/// A compiled target and the folder it lives in.
pub struct Target {
    folder: TempDir,
}

impl Target {
    /// Compiles `text` and links it as the instrumenter would.
    pub fn new(text: &str) -> Target {
        let folder = tempfile::tempdir().expect("a folder for the target");
        let write = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, content).expect("a file of the target");
            path
        };
        write("tarka_trace.h", tarka_runtime::TRACE_HEADER.as_bytes());
        let source = write("target.c", format!("{PRELUDE}{text}").as_bytes());
        let fast = write("fast.bc", tarka_runtime::FAST_BC);
        let runtime = write("runtime.o", tarka_runtime::RUNTIME_OBJECT);
        let clang = std::env::var("TARKA_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
        let output = Command::new(clang)
            .args(["-no-pie", "-fno-pic", "-O1", "-fno-builtin", "-fno-omit-frame-pointer", "-w"])
            .args(["-fno-optimize-sibling-calls", "-fno-inline", "-o"])
            .arg(folder.path().join("target"))
            .args([source, fast, runtime])
            .output()
            .expect("clang-19");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Target { folder }
    }

    /// The executable.
    pub fn exe(&self) -> PathBuf {
        self.folder.path().join("target")
    }

    /// A started server.
    pub fn start(&self) -> Server {
        Server::start(&self.exe(), &Allow::default()).expect("the target starts")
    }
}

/// An owned object of the input.
#[derive(Clone, Default)]
pub struct Object {
    pub offset: u32,
    pub root: bool,
    pub bytes: Vec<u8>,
    pub flags: Vec<u8>,
    pub exact: bool,
    pub length: Option<LengthOf>,
    pub capacity: u32,
}

/// A variable of the driver, all of it symbolic.
pub fn root(offset: u32, bytes: &[u8]) -> Object {
    Object {
        offset,
        root: true,
        bytes: bytes.to_vec(),
        flags: vec![flag::VALID | flag::SYMBOLIC; bytes.len()],
        ..Object::default()
    }
}

/// An object in the arena, all of it symbolic.
pub fn pointee(offset: u32, bytes: &[u8]) -> Object {
    Object { root: false, ..root(offset, bytes) }
}

/// The address an arena object has in the target.
pub fn address(offset: u32) -> u64 {
    trace::ARENA_BASE + u64::from(offset)
}

/// Runs with generous limits.
pub fn run<'s>(server: &'s mut Server, objects: &[Object]) -> Run<'s> {
    run_with(server, objects, |_| {})
}

/// Runs after `adjust` changed the request.
pub fn run_with<'s>(
    server: &'s mut Server,
    objects: &[Object],
    adjust: impl FnOnce(&mut RunRequest),
) -> Run<'s> {
    let images: Vec<ObjectImage> = objects
        .iter()
        .map(|object| ObjectImage {
            offset: object.offset,
            root: object.root,
            bytes: &object.bytes,
            flags: &object.flags,
            exact: object.exact,
            length: object.length,
            capacity: object.capacity,
        })
        .collect();
    let mut request = RunRequest {
        unit: 0,
        objects: &images,
        time_limit: Duration::from_secs(60),
        memory_limit: 64 << 20,
        self_check: false,
        site_count: 64,
        coverage_len: 64,
        ..Default::default()
    };
    adjust(&mut request);
    server.run(&request).expect("the run happens")
}

/// A label as text: `in3` for input bytes, `op(operands)` for nodes, `7:32` for a constant of 32 bits.
pub fn show(run: &Run, label: u32) -> String {
    if label == 0 {
        return "concrete".to_owned();
    }
    if let Some(offset) = trace::input_offset(label) {
        return format!("in{offset}");
    }
    let node = run.nodes()[trace::node_index(label).expect("a node") as usize];
    let op = Op::from_u8(node.op).expect("a known operation");
    let name = op.c_name().to_lowercase();
    match op {
        Op::Const => format!("{:#x}:{}", u64::from(node.c) << 32 | u64::from(node.b), node.width),
        Op::Extract => format!("extract{}+{}({})", node.b, node.width, show(run, node.a)),
        Op::Read => format!("read{}({}, table {})", node.width, show(run, node.a), node.b),
        Op::FCmp => format!("fcmp{}({}, {})", node.c, show(run, node.a), show(run, node.b)),
        _ => {
            let operands: Vec<String> = [node.a, node.b, node.c][..op.arity() as usize]
                .iter()
                .map(|&operand| show(run, operand))
                .collect();
            format!("{name}{}({})", node.width, operands.join(", "))
        }
    }
}

/// The value of a label of integer operations of at most 64 bits, given the input bytes.
pub fn evaluate(run: &Run, label: u32, input: &dyn Fn(u32) -> u8) -> u64 {
    if let Some(offset) = trace::input_offset(label) {
        return input(offset).into();
    }
    let node = run.nodes()[trace::node_index(label).expect("a node") as usize];
    let value = |label: u32| evaluate(run, label, input);
    let width = |label: u32| trace::node_index(label).map_or(8, |index| run.nodes()[index as usize].width);
    match Op::from_u8(node.op).expect("a known operation") {
        Op::Const => u64::from(node.c) << 32 | u64::from(node.b),
        Op::Concat => value(node.a) << width(node.b) | value(node.b),
        Op::Add => value(node.a).wrapping_add(value(node.b)),
        Op::Sub => value(node.a).wrapping_sub(value(node.b)),
        Op::Mul => value(node.a).wrapping_mul(value(node.b)),
        Op::Ule => (value(node.a) <= value(node.b)).into(),
        Op::Sle => ((value(node.a) as i64) <= value(node.b) as i64).into(),
        Op::Ite => value(if value(node.a) != 0 { node.b } else { node.c }),
        op => panic!("{op:?} is not part of a length check"),
    }
}

/// The path as text, one event a line: `kind site=outcome label`.
pub fn path(run: &Run) -> Vec<String> {
    run.events()
        .iter()
        .map(|event| {
            let kind = format!("{:?}", EventKind::from_u16(event.kind).expect("a known kind")).to_lowercase();
            let aux = if event.aux == 0 { String::new() } else { format!(" aux={}", event.aux) };
            format!("{kind} {}={} {}{aux}", event.site, event.outcome, show(run, event.label))
        })
        .collect()
}

/// The text of a little-endian input integer that starts at byte `offset`.
pub fn joined(offset: u32, bytes: u32) -> String {
    (1..bytes).fold(format!("in{offset}"), |low, index| {
        format!("concat{}(in{}, {low})", 8 * (index + 1), offset + index)
    })
}

/// Entries of a folder.
pub fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).expect("the folder exists").count()
}
