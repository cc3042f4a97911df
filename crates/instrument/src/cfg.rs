//! The inter-procedural control-flow graph over source sites, read from the probed IR as clang made it.
//!
//! Takes the module before any optimisation (every assignment of the source is still a store); gives
//! [`tarka_source::cfg::Icfg`]. From each point the walk follows the IR to the next points; at the branch behind a
//! probe it evaluates the condition for each outcome, so `!`, `&&` in value context and `case` ranges need no pattern.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use tarka_source::cfg::{Edge, Icfg, Point, PointId, PointKind, Usage};
use tarka_source::{FunctionId, SiteId, SiteKind, SourceModel};

use crate::ir::{Block, LLVMOpcode, ModuleRef, Value};
use crate::{checks, dominators, evaluate};

/// Reads the graph.
pub(crate) fn icfg(module: ModuleRef, model: &SourceModel) -> Icfg {
    let functions: Vec<Option<Value>> = model
        .functions
        .iter()
        .map(|function| module.function(&function.name).filter(|value| !value.is_declaration()))
        .collect();
    let by_value: HashMap<Value, FunctionId> = functions
        .iter()
        .enumerate()
        .filter_map(|(index, value)| Some(((*value)?, FunctionId(index as u32))))
        .collect();
    let targets = JumpTargets { address_taken: address_taken(&functions), by_value };
    let mut graph = Icfg {
        points: Vec::new(),
        entries: vec![None; functions.len()],
        calls: vec![Vec::new(); functions.len()],
        site_points: vec![None; model.sites.len()],
        statements: vec![Vec::new(); model.statement_count() as usize],
        failing: Vec::new(),
    };
    for (index, value) in functions.iter().enumerate() {
        if let Some(value) = value {
            let id = FunctionId(index as u32);
            FunctionGraph::new(&mut graph, model, &targets, id, *value).build();
        }
    }
    graph
}

/// Who may be called.
struct JumpTargets {
    by_value: HashMap<Value, FunctionId>,
    /// Functions whose address is used other than by calling it, in model order.
    address_taken: Vec<(FunctionId, Value)>,
}

impl JumpTargets {
    fn of(&self, call: Value) -> Vec<FunctionId> {
        let callee = call.callee();
        if let Some(id) = self.by_value.get(&callee) {
            return vec![*id];
        }
        if callee.is_function() || callee.is_inline_asm() {
            return Vec::new();
        }
        let wanted = call.callee_type();
        self.address_taken
            .iter()
            .filter(|(_, function)| function.function_type() == wanted)
            .map(|(id, _)| *id)
            .collect()
    }
}

fn address_taken(functions: &[Option<Value>]) -> Vec<(FunctionId, Value)> {
    let is_taken = |function: Value| {
        function.users().into_iter().any(|user| {
            let is_call = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall;
            // Hooks of ours name functions, and nobody calls these through them.
            let is_hook = is_call && user.callee().is_function() && user.callee().name().starts_with("tk");
            !is_call || user.arguments().contains(&function) && !is_hook
        })
    };
    functions
        .iter()
        .enumerate()
        .filter_map(|(index, value)| Some((FunctionId(index as u32), (*value)?)))
        .filter(|(_, value)| is_taken(*value))
        .collect()
}

/// A point while the graph is built: where the walk goes on from it.
struct Start {
    point: PointId,
    after: Value,
    /// Outcome and the value the probe gives back for it.
    outcomes: Vec<(u32, Option<u64>)>,
}

struct FunctionGraph<'a> {
    graph: &'a mut Icfg,
    model: &'a SourceModel,
    targets: &'a JumpTargets,
    id: FunctionId,
    function: Value,
    points: HashMap<Value, PointId>,
    exit: PointId,
    loop_heads: HashSet<Block>,
}

impl<'a> FunctionGraph<'a> {
    fn new(
        graph: &'a mut Icfg,
        model: &'a SourceModel,
        targets: &'a JumpTargets,
        id: FunctionId,
        function: Value,
    ) -> Self {
        FunctionGraph {
            exit: PointId(0),
            loop_heads: loop_heads(function),
            graph,
            model,
            targets,
            id,
            function,
            points: HashMap::new(),
        }
    }

    fn point(&mut self, kind: PointKind) -> PointId {
        let id = PointId(self.graph.points.len() as u32);
        self.graph.points.push(Point { function: self.id, kind, edges: Vec::new(), dominator: None });
        id
    }

    fn build(mut self) {
        let first = self.graph.points.len();
        let entry = self.point(PointKind::Entry);
        self.graph.entries[self.id.0 as usize] = Some(entry);
        let blocks = self.function.reverse_post_order();
        let starts = self.find_points(&blocks);
        self.exit = self.point(PointKind::Exit);
        if let Some(block) = blocks.first() {
            let ways = self.walk(*block, None, BTreeMap::new());
            self.add_ways(entry, 0, ways);
        }
        for start in starts {
            for (outcome, value) in start.outcomes {
                let known =
                    value.map(|value| (evaluate::Key::from(start.after), value)).into_iter().collect();
                let ways = self.walk(start.after.block(), Some(start.after), known);
                self.add_ways(start.point, outcome, ways);
            }
        }
        dominators::fill(&mut self.graph.points, first);
    }

    /// Makes a point for each probe and each call that may reach a function of the model.
    fn find_points(&mut self, blocks: &[Block]) -> Vec<Start> {
        let mut starts = Vec::new();
        let mut called = BTreeSet::new();
        for instruction in blocks.iter().flat_map(|block| block.instructions()) {
            if instruction.opcode() != LLVMOpcode::LLVMCall {
                continue;
            }
            let (kind, outcomes) = if let Some(site) = self.probe_site(instruction) {
                (PointKind::Site(site), self.outcomes(site))
            } else {
                let targets = self.targets.of(instruction);
                if targets.is_empty() {
                    continue;
                }
                called.extend(targets.iter().copied());
                (PointKind::Call(targets), vec![(0, None)])
            };
            let site = match kind {
                PointKind::Site(site) => Some(site),
                _ => None,
            };
            let point = self.point(kind);
            if let Some(site) = site {
                self.graph.site_points[site.0 as usize] = Some(point);
            }
            self.points.insert(instruction, point);
            starts.push(Start { point, after: instruction, outcomes });
        }
        self.graph.calls[self.id.0 as usize] = called.into_iter().collect();
        starts
    }

    fn probe_site(&self, call: Value) -> Option<SiteId> {
        let callee = call.callee();
        let is_probe = callee.is_function() && matches!(callee.name().as_str(), "__tk_cond" | "__tk_switch");
        let number = if is_probe { call.operand(0).constant_u64()? } else { return None };
        self.model.sites.get(number as usize).map(|site| site.id)
    }

    /// Each outcome of a site with a value of the probe that stands for it.
    fn outcomes(&self, site: SiteId) -> Vec<(u32, Option<u64>)> {
        match &self.model.site(site).kind {
            SiteKind::Condition { .. } => vec![(0, Some(0)), (1, Some(1))],
            SiteKind::Switch { arms, bits, .. } => {
                let ranges: Vec<(i128, i128)> = arms.iter().filter_map(|arm| arm.values).collect();
                let representative = |arm: &tarka_source::Arm| match arm.values {
                    Some((first, _)) => Some(first),
                    None => outside(&ranges, *bits),
                };
                arms.iter()
                    .enumerate()
                    .filter_map(|(index, arm)| Some((index as u32, Some(representative(arm)? as u64))))
                    .collect()
            }
        }
    }

    fn add_ways(&mut self, from: PointId, outcome: u32, ways: Ways) {
        if ways.fails && !ways.ends && ways.edges.iter().all(|(to, _)| *to == self.exit) {
            self.graph.failing.push((from, outcome));
        }
        let point = &mut self.graph.points[from.0 as usize];
        point.edges.extend(ways.edges.into_iter().map(|(to, usage)| Edge { outcome, to, usage }));
        for statement in ways.statements {
            if let Some(executed) = self.graph.statements.get_mut(statement as usize) {
                executed.push((from, outcome));
            }
        }
    }

    /// The ways to the next points after `after`, or from the start of `block`.
    fn walk(&self, block: Block, after: Option<Value>, known: BTreeMap<evaluate::Key, u64>) -> Ways {
        let mut ways = Ways::default();
        let found = &mut ways.edges;
        let mut seen = HashSet::new();
        let mut open = vec![(block, after, known, Usage::default())];
        while let Some((block, after, mut known, mut usage)) = open.pop() {
            let instructions = block.instructions();
            let skip = after.map_or(0, |after| {
                instructions.iter().position(|item| *item == after).map_or(0, |position| position + 1)
            });
            let next_point = instructions[skip..].iter().find_map(|instruction| {
                count(*instruction, &mut usage);
                ways.statements.extend(statement(*instruction));
                self.points.get(instruction).copied()
            });
            if let Some(point) = next_point {
                if !found.iter().any(|(to, _)| *to == point) {
                    found.push((point, usage));
                }
                continue;
            }
            let terminator = block.terminator();
            let successors = evaluate::successors(terminator, &known);
            if successors.is_empty() {
                let fails = instructions.iter().any(|instruction| always_fails(*instruction));
                ways.fails |= fails;
                ways.ends |= !fails;
            }
            if successors.is_empty() && !found.iter().any(|(to, _)| *to == self.exit) {
                found.push((self.exit, usage));
            }
            // Last in, first out: pushed in reverse so that the first successor is walked first.
            for successor in successors.into_iter().rev() {
                let mut usage = usage;
                usage.loops += u32::from(self.loop_heads.contains(&successor));
                evaluate::enter(successor, block, &mut known);
                if seen.insert((successor, known.clone())) {
                    open.push((successor, None, known.clone(), usage));
                }
            }
        }
        ways
    }
}

/// What lies between a point and the next ones.
#[derive(Default)]
struct Ways {
    /// Each next point, with what the first way there executes.
    edges: Vec<(PointId, Usage)>,
    /// Statements that some way executes.
    statements: BTreeSet<u32>,
    /// Some way ends in a call that always fails.
    fails: bool,
    /// Some way ends otherwise before it comes to a point: it returns, or ends the process.
    ends: bool,
}

/// True for a call after which the run is over and has found a fault.
fn always_fails(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.callee().is_function()
        && matches!(instruction.callee().name().as_str(), "abort" | "__assert_fail" | "llvm.trap")
        || checks::always_fails(instruction)
}

/// The number of the statement that a probe stands for.
fn statement(instruction: Value) -> Option<u32> {
    let is_probe = instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.callee().is_function()
        && instruction.callee().name() == "__tk_stmt";
    is_probe.then(|| instruction.operand(0).constant_u64()).flatten().map(|number| number as u32)
}

/// The smallest number from 0 on that no range contains and the operand can hold.
fn outside(ranges: &[(i128, i128)], bits: u16) -> Option<i128> {
    let mut candidates: Vec<i128> = ranges.iter().map(|(_, last)| last + 1).collect();
    candidates.push(0);
    candidates.push(-1);
    candidates.sort_by_key(|number| (number.is_negative(), number.unsigned_abs()));
    candidates.into_iter().find(|number| {
        let fits = *number >= -(1_i128 << (bits - 1)) && *number < 1_i128 << bits.min(64);
        fits && !ranges.iter().any(|(first, last)| first <= number && number <= last)
    })
}

/// JumpTargets of edges that go back in reverse post order.
fn loop_heads(function: Value) -> HashSet<Block> {
    let order = function.reverse_post_order();
    let position: HashMap<Block, usize> =
        order.iter().enumerate().map(|(index, block)| (*block, index)).collect();
    let mut heads = HashSet::new();
    for (index, block) in order.iter().enumerate() {
        heads.extend(block.successors().into_iter().filter(|successor| position[successor] <= index));
    }
    heads
}

/// Adds one instruction to the statistics of an edge.
fn count(instruction: Value, usage: &mut Usage) {
    use LLVMOpcode::*;
    let through_pointer = |pointer: Value| pointer.is_instruction() && pointer.opcode() != LLVMAlloca;
    match instruction.opcode() {
        // What clang computes for a check is not the program's, but for the result of checked arithmetic.
        LLVMExtractValue if instruction.is_nosanitize() && instruction.indices() == [0] => {
            usage.arithmetic += u32::from(instruction.users().iter().any(|user| !user.is_nosanitize()));
        }
        _ if instruction.is_nosanitize() => {}
        LLVMLoad => usage.pointer += u32::from(through_pointer(instruction.operand(0))),
        LLVMStore => {
            usage.assignment += 1;
            usage.pointer += u32::from(through_pointer(instruction.operand(1)));
        }
        // Asked about the probe of a decision, whose conditions have counted.
        LLVMICmp
            if instruction.operand(0).is_instruction() && evaluate::is_decision(instruction.operand(0)) => {}
        LLVMICmp | LLVMFCmp => usage.predicate += 1,
        LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMFAdd | LLVMFSub
        | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg => usage.arithmetic += 1,
        LLVMAnd | LLVMOr | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr => usage.boolean += 1,
        _ => {}
    }
}
