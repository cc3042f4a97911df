//! Shared by the end-to-end tests: build C text, run it, and evaluate the labels of a run.

pub mod csmith;

use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_instrument::{Build, BuildRequest, SiteInfo, UnitRequest, build};
use tarka_runner::{Allow, End, ObjectImage, Run, RunRequest, Server};
use tarka_scenario::Role;
use tarka_source::{SourceModel, SourceRequest, TypeId, TypeKind, analyse, find_clang};
use tarka_terms::semantics;
use tarka_terms::{BinaryOp, ConvertOp, UnaryOp};
use tarka_trace::{
    Evaluation, EventKind, FaultRecord, Label, Node, Op, TableHeader, TraceEvent, flag, input_offset,
    node_index,
};

/// A built C text with its folder.
pub struct Program {
    pub model: SourceModel,
    pub build: Build,
    pub folder: tempfile::TempDir,
}

/// How to build.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    pub self_check: bool,
    pub globals_as_inputs: bool,
    pub flags: &'a [&'a str],
}

pub fn clang() -> PathBuf {
    find_clang().expect("clang 19 is installed")
}

/// Builds `text` with `function` as the only unit.
pub fn program(text: &str, function: &str, options: Options<'_>) -> Program {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("unit.c");
    std::fs::write(&file, text).expect("the source can be written");
    let flags: Vec<String> = options.flags.iter().map(|flag| flag.to_string()).collect();
    let clang = clang();
    let model = analyse(&SourceRequest { file: &file, flags: &flags, clang: &clang })
        .unwrap_or_else(|error| panic!("{error}"));
    let build = build_model(&model, function, options, folder.path());
    Program { model, build, folder }
}

pub fn build_model(model: &SourceModel, function: &str, options: Options<'_>, folder: &Path) -> Build {
    let (unit, _) = model.function_named(function).expect("the function exists");
    build(&BuildRequest {
        model,
        units: &[UnitRequest::plain(unit)],
        work_dir: folder,
        clang: &clang(),
        self_check: options.self_check,
        globals_as_inputs: options.globals_as_inputs,
        library_inputs: &[],
        faults: tarka_trace::FaultSet::default(),
        promises_kept: false,
    })
    .unwrap_or_else(|error| panic!("{error}"))
}

/// What a run left, copied out of the shared memory.
pub struct Outcome {
    pub end: End,
    pub result: Vec<u8>,
    pub events: Vec<TraceEvent>,
    pub nodes: Vec<Node>,
    pub tables: Vec<(TableHeader, Vec<u8>, Vec<u32>)>,
    /// The bytes of the input, by arena offset.
    pub arena: Vec<u8>,
    /// What the run left there.
    pub after: Vec<u8>,
    /// What was done to each byte.
    pub flags: Vec<u8>,
    pub stub_exhausted: Option<u32>,
    pub stub_cut: Option<u32>,
    pub coverage: Vec<u8>,
    pub evaluations: Vec<Evaluation>,
    pub evaluations_dropped: bool,
    pub concretised: Vec<(SiteInfo, u32)>,
    pub backtrace: Vec<u64>,
    pub faults: Vec<FaultRecord>,
    pub values: Vec<Option<u64>>,
    pub clash: Option<Label>,
}

/// An input: the bytes of each root in order; what is missing has its initial value. Pointees by arena offset.
#[derive(Clone, Default)]
pub struct Input {
    pub roots: Vec<Vec<u8>>,
    pub pointees: Vec<(u32, Vec<u8>)>,
}

impl Input {
    pub fn of(roots: &[&[u8]]) -> Input {
        Input { roots: roots.iter().map(|bytes| bytes.to_vec()).collect(), pointees: Vec::new() }
    }
}

pub fn int(value: i32) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

impl Program {
    pub fn run(&self, input: &Input) -> Outcome {
        self.run_calls(input, 1)
    }

    /// Runs with several calls of the unit in a row.
    pub fn run_calls(&self, input: &Input, calls: u32) -> Outcome {
        let mut server =
            Server::start(&self.build.exe, &Allow::default()).unwrap_or_else(|error| panic!("{error}"));
        let unit = &self.build.units[0];
        let roots: Vec<(u32, Vec<u8>, Vec<u8>)> = unit
            .roots
            .iter()
            .enumerate()
            .map(|(index, root)| {
                let mut bytes = input.roots.get(index).cloned().unwrap_or_else(|| root.initial.clone());
                bytes.resize(root.size as usize, 0);
                let mut flags = vec![flag::VALID; bytes.len()];
                let pointers = matches!(root.role, Role::Argument { .. });
                let element = self.model.types.get(root.ty).size.max(1) as usize;
                for at in (0..bytes.len()).step_by(element) {
                    mark_symbolic(&self.model, root.ty, at, &mut flags, pointers);
                }
                (root.offset, bytes, flags)
            })
            .collect();
        let mut objects: Vec<ObjectImage<'_>> = roots
            .iter()
            .map(|(offset, bytes, flags)| ObjectImage {
                offset: *offset,
                root: true,
                bytes,
                flags,
                ..Default::default()
            })
            .collect();
        let flags: Vec<Vec<u8>> =
            input.pointees.iter().map(|(_, bytes)| vec![flag::VALID | flag::SYMBOLIC; bytes.len()]).collect();
        objects.extend(input.pointees.iter().zip(&flags).map(|((offset, bytes), flags)| ObjectImage {
            offset: *offset,
            root: false,
            bytes,
            flags,
            ..Default::default()
        }));
        let request = RunRequest {
            unit: 0,
            objects: &objects,
            time_limit: Duration::from_secs(20),
            memory_limit: 0,
            self_check: true,
            calls,
            site_count: self.build.sites.len() as u32,
            coverage_len: self.build.coverage_len,
        };
        let run = server.run(&request).unwrap_or_else(|error| panic!("{error}"));
        let roots = roots.iter().map(|(offset, bytes, _)| (*offset, bytes.clone()));
        self.outcome(&run, &roots.chain(input.pointees.iter().cloned()).collect::<Vec<_>>())
    }

    fn outcome(&self, run: &Run<'_>, given: &[(u32, Vec<u8>)]) -> Outcome {
        let size = self.build.units[0].pointees_start + 65536;
        let after = run.arena(0, size).to_vec();
        let mut arena = after.clone();
        for (offset, bytes) in given {
            arena[*offset as usize..*offset as usize + bytes.len()].copy_from_slice(bytes);
        }
        Outcome {
            end: run.end(),
            result: run.result().to_vec(),
            events: run.events().to_vec(),
            nodes: run.nodes().to_vec(),
            tables: run
                .tables()
                .map(|(head, bytes, entries)| (head, bytes.to_vec(), entries.to_vec()))
                .collect(),
            arena,
            after,
            flags: run.arena_flags(0, size).to_vec(),
            stub_exhausted: run.stub_exhausted(),
            stub_cut: run.stub_cut().map(|(stub, _)| stub),
            coverage: run.coverage().to_vec(),
            evaluations: run.evaluations().to_vec(),
            evaluations_dropped: run.evaluations_dropped(),
            concretised: run
                .concretised()
                .iter()
                .zip(&self.build.sites)
                .filter(|(count, _)| **count > 0)
                .map(|(count, site)| (site.clone(), *count))
                .collect(),
            backtrace: run.backtrace().to_vec(),
            faults: run.faults().to_vec(),
            values: run
                .values()
                .iter()
                .zip(run.values_known())
                .map(|(value, known)| (*known != 0).then_some(*value))
                .collect(),
            clash: run.self_check_clash(),
        }
    }
}

/// Marks the bytes of every number in a value; pointers only where they are parameters.
fn mark_symbolic(model: &SourceModel, ty: TypeId, at: usize, flags: &mut [u8], pointers: bool) {
    let ty = model.types.get(ty);
    match &ty.kind {
        TypeKind::Record { fields, .. } => {
            for field in fields {
                mark_symbolic(model, field.ty, at + (field.offset_bits / 8) as usize, flags, pointers);
            }
        }
        TypeKind::Array { of, len } => {
            let size = model.types.get(*of).size as usize;
            for index in 0..len.unwrap_or(0) as usize {
                mark_symbolic(model, *of, at + index * size, flags, pointers);
            }
        }
        TypeKind::Pointer { .. } if !pointers => {}
        // The rest of its 16 bytes is padding.
        TypeKind::Float { bits: 80 } => {
            flags[at..at + 10].iter_mut().for_each(|flag| *flag |= flag::SYMBOLIC);
        }
        TypeKind::Complex { of } => {
            let size = model.types.get(*of).size as usize;
            mark_symbolic(model, *of, at, flags, pointers);
            mark_symbolic(model, *of, at + size, flags, pointers);
        }
        _ => {
            let end = (at + ty.size as usize).min(flags.len());
            flags[at.min(end)..end].iter_mut().for_each(|flag| *flag |= flag::SYMBOLIC);
        }
    }
}

/// A second reading of the labels, beside the importer of `search`, and so on purpose: these tests ask whether the target
/// wrote the right records, and answer with nothing but the meaning of each operation. The importer makes terms, which are
/// rewritten as they are made, and stands above this crate; a mistake there, or in a rule, would hide one here. `make soak`
/// asks the same of the importer.
impl Outcome {
    /// The values of all nodes on the run's own input, in order: operands come before their users.
    pub fn evaluate(&self) -> Vec<u128> {
        let mut values: Vec<u128> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = self.node_value(node, &values);
            values.push(value);
        }
        values
    }

    fn label_value(&self, label: Label, values: &[u128]) -> u128 {
        match node_index(label) {
            Some(index) => values[index as usize],
            None => input_offset(label).map_or(0, |offset| u128::from(self.arena[offset as usize])),
        }
    }

    pub fn width(&self, label: Label) -> u16 {
        node_index(label).map_or(8, |index| self.nodes[index as usize].width)
    }

    fn node_value(&self, node: &Node, values: &[u128]) -> u128 {
        let op = Op::from_u8(node.op).expect("a known operation");
        let value = |label: Label| self.label_value(label, values);
        let (a, b, c) = (
            if op.arity() > 0 { value(node.a) } else { 0 },
            if op.arity() > 1 { value(node.b) } else { 0 },
            if op.arity() > 2 { value(node.c) } else { 0 },
        );
        let from = if op.arity() > 0 { self.width(node.a) } else { 0 };
        if op.arity() == 2 && op != Op::Concat {
            assert_eq!(from, self.width(node.b), "operands of {op:?} have one width");
        }
        let binary = |op: BinaryOp| semantics::binary(op, from, a, b);
        let unary = |op: UnaryOp| semantics::unary(op, from, a);
        let convert = |op: ConvertOp| semantics::convert(op, from, node.width, a);
        match op {
            Op::Const => u128::from(node.b) | u128::from(node.c) << 32,
            Op::Add => binary(BinaryOp::Add),
            Op::Sub => binary(BinaryOp::Sub),
            Op::Mul => binary(BinaryOp::Mul),
            Op::UDiv => binary(BinaryOp::UDiv),
            Op::SDiv => binary(BinaryOp::SDiv),
            Op::URem => binary(BinaryOp::URem),
            Op::SRem => binary(BinaryOp::SRem),
            Op::And => binary(BinaryOp::And),
            Op::Or => binary(BinaryOp::Or),
            Op::Xor => binary(BinaryOp::Xor),
            Op::Shl => binary(BinaryOp::Shl),
            Op::LShr => binary(BinaryOp::LShr),
            Op::AShr => binary(BinaryOp::AShr),
            Op::Eq => binary(BinaryOp::Eq),
            Op::Ne => binary(BinaryOp::Ne),
            Op::Ult => binary(BinaryOp::Ult),
            Op::Ule => binary(BinaryOp::Ule),
            Op::Slt => binary(BinaryOp::Slt),
            Op::Sle => binary(BinaryOp::Sle),
            Op::Concat => semantics::concat(self.width(node.b), a, b),
            Op::Extract => semantics::extract(node.b as u16, node.width, a),
            Op::ZExt => a,
            Op::SExt => semantics::sext(from, node.width, a),
            Op::Ite => {
                if a != 0 {
                    b
                } else {
                    c
                }
            }
            Op::Read => self.read(node, a as u64, values),
            Op::SAddO => binary(BinaryOp::SAddO),
            Op::UAddO => binary(BinaryOp::UAddO),
            Op::SSubO => binary(BinaryOp::SSubO),
            Op::USubO => binary(BinaryOp::USubO),
            Op::SMulO => binary(BinaryOp::SMulO),
            Op::UMulO => binary(BinaryOp::UMulO),
            Op::CtPop => unary(UnaryOp::CtPop),
            Op::Ctlz => unary(UnaryOp::Ctlz),
            Op::Cttz => unary(UnaryOp::Cttz),
            Op::BSwap => unary(UnaryOp::BSwap),
            Op::FAdd => binary(BinaryOp::FAdd),
            Op::FSub => binary(BinaryOp::FSub),
            Op::FMul => binary(BinaryOp::FMul),
            Op::FDiv => binary(BinaryOp::FDiv),
            Op::FRem => binary(BinaryOp::FRem),
            Op::FNeg => unary(UnaryOp::FNeg),
            Op::FCmp => u128::from(semantics::fcmp(node.c as u8, from, a, b)),
            Op::FToSi => convert(ConvertOp::FToSi),
            Op::FToUi => convert(ConvertOp::FToUi),
            Op::SiToF => convert(ConvertOp::SiToF),
            Op::UiToF => convert(ConvertOp::UiToF),
            Op::FToF => convert(ConvertOp::FToF),
            Op::FAbs => unary(UnaryOp::FAbs),
            Op::FSqrt => unary(UnaryOp::FSqrt),
            Op::FFloor => unary(UnaryOp::FFloor),
            Op::FCeil => unary(UnaryOp::FCeil),
            Op::FTrunc => unary(UnaryOp::FTrunc),
            Op::FRint => unary(UnaryOp::FRint),
            Op::FRound => unary(UnaryOp::FRound),
            Op::FCopySign => binary(BinaryOp::FCopySign),
            Op::FMin => binary(BinaryOp::FMin),
            Op::FMax => binary(BinaryOp::FMax),
            Op::FFma => semantics::fma(node.width, a, b, c),
            Op::FSin => unary(UnaryOp::FSin),
            Op::FCos => unary(UnaryOp::FCos),
            Op::FTan => unary(UnaryOp::FTan),
            Op::FAsin => unary(UnaryOp::FAsin),
            Op::FAcos => unary(UnaryOp::FAcos),
            Op::FAtan => unary(UnaryOp::FAtan),
            Op::FSinh => unary(UnaryOp::FSinh),
            Op::FCosh => unary(UnaryOp::FCosh),
            Op::FTanh => unary(UnaryOp::FTanh),
            Op::FAsinh => unary(UnaryOp::FAsinh),
            Op::FAcosh => unary(UnaryOp::FAcosh),
            Op::FAtanh => unary(UnaryOp::FAtanh),
            Op::FExp => unary(UnaryOp::FExp),
            Op::FExp2 => unary(UnaryOp::FExp2),
            Op::FExpm1 => unary(UnaryOp::FExpm1),
            Op::FLog => unary(UnaryOp::FLog),
            Op::FLog2 => unary(UnaryOp::FLog2),
            Op::FLog10 => unary(UnaryOp::FLog10),
            Op::FLog1p => unary(UnaryOp::FLog1p),
            Op::FCbrt => unary(UnaryOp::FCbrt),
            Op::FPow => binary(BinaryOp::FPow),
            Op::FAtan2 => binary(BinaryOp::FAtan2),
            Op::FHypot => binary(BinaryOp::FHypot),
            Op::FRemainder => binary(BinaryOp::FRemainder),
        }
    }

    fn read(&self, node: &Node, address: u64, values: &[u128]) -> u128 {
        let (head, bytes, entries) = &self.tables[node.b as usize];
        let at = address.wrapping_sub(head.base) as usize;
        let mut result = 0;
        for index in 0..usize::from(node.width / 8) {
            let byte = match entries.get(at + index) {
                None => 0,
                Some(0) => u128::from(bytes[at + index]),
                Some(entry) => self.label_value(entry >> 4, values) >> (8 * (entry & 15)) & 0xff,
            };
            result |= byte << (8 * index);
        }
        result
    }

    /// Every label whose value differs from the concrete one, in words.
    pub fn mismatches(&self) -> Vec<String> {
        let values = self.evaluate();
        let mut wrong: Vec<String> = self
            .values
            .iter()
            .enumerate()
            .filter_map(|(index, seen)| {
                let (seen, label) = ((*seen)?, values[index] as u64);
                let width = self.nodes[index].width;
                let masked = if width < 64 { seen & ((1 << width) - 1) } else { seen };
                (masked != label && !both_nan(self.nodes[index].op, width, masked, label)).then(|| {
                    let node = self.nodes[index];
                    format!(
                        "node {index} {:?} {node:?}: label {label:#x}, program {masked:#x}",
                        Op::from_u8(node.op)
                    )
                })
            })
            .collect();
        wrong.extend(self.clash.map(|label| format!("label {label} had two values")));
        wrong
    }

    /// How many results were compared.
    pub fn compared(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// The events of source sites as (site, outcome, symbolic).
    pub fn path(&self) -> Vec<(u32, u16, bool)> {
        self.events
            .iter()
            .filter(|event| [EventKind::Condition as u16, EventKind::Switch as u16].contains(&event.kind))
            .map(|event| (event.site, event.outcome, event.label != 0))
            .collect()
    }

    pub fn result_i32(&self) -> i32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.result[..4]);
        i32::from_le_bytes(bytes)
    }

    pub fn lost(&self) -> Vec<&str> {
        self.concretised.iter().map(|(site, _)| site.what.as_str()).collect()
    }
}

/// NaNs may differ in their payload.
fn both_nan(op: u8, width: u16, a: u64, b: u64) -> bool {
    let is_float = Op::from_u8(op).is_some_and(|op| op as u8 >= Op::FAdd as u8);
    let nan = |bits: u64| match width {
        32 => f32::from_bits(bits as u32).is_nan(),
        64 => f64::from_bits(bits).is_nan(),
        // Only the mantissa is here: anything but infinity with the exponent that goes unseen.
        80 => bits != 1 << 63,
        _ => false,
    };
    is_float && nan(a) && nan(b)
}
