//! Hand-made programs: a Rust function plays the unit and records the trace a real target would have left. Nothing is
//! compiled or run, and a brute-force search over two input bytes plays the solver.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tarka_search::{CandidateId, CandidateState, Finished, HowEnded, RunTrace, Search, Snapshot, strategy};
use tarka_source::cfg::{Edge, Icfg, Point, PointId, PointKind, Usage};
use tarka_source::{
    Arm, BoolShape, Context, Criterion, Decision, DecisionId, EvaluationKey, Evidence, Function, FunctionId,
    Place, Site, SiteId, SiteKind, SourceModel, TypeId, TypeTable,
};
use tarka_terms::{Evaluator, Terms};
use tarka_trace::{EventKind, Label, Node, Op, TraceEvent, input_label, node_label};

/// The trace of one run of a hand-made program, being written.
#[derive(Default)]
pub struct Recorder {
    pub input: Vec<u8>,
    pub nodes: Vec<Node>,
    pub events: Vec<TraceEvent>,
    pub tables: Vec<Snapshot<'static>>,
    pub coverage: Vec<u8>,
    /// How decisions were evaluated.
    pub evaluations: BTreeSet<EvaluationKey>,
    /// A precondition ended the run.
    pub refused: bool,
    /// It ended in a fault.
    pub failed: bool,
}

impl Recorder {
    pub fn new(input: &[u8]) -> Recorder {
        Recorder { input: input.to_vec(), coverage: vec![0; 64], ..Recorder::default() }
    }

    pub fn evidence(&self, model: &SourceModel) -> Evidence {
        Evidence { evaluations: self.evaluations.clone(), ..Evidence::of_map(model, &self.coverage) }
    }

    pub fn ended(&self) -> HowEnded {
        match (self.refused, self.failed) {
            (true, _) => HowEnded::Refused,
            (false, true) => HowEnded::Badly,
            (false, false) => HowEnded::Well,
        }
    }

    pub fn trace(&self) -> RunTrace<'_> {
        RunTrace { events: &self.events, nodes: &self.nodes, tables: &self.tables, input: &self.input }
    }

    /// A node, shared with an equal earlier one as the real runtime does.
    pub fn node(&mut self, op: Op, width: u16, operands: [u32; 3]) -> Label {
        let [a, b, c] = operands;
        let node = Node { op: op as u8, pad: 0, width, a, b, c };
        let index = self.nodes.iter().position(|known| *known == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        });
        node_label(index as u32)
    }

    pub fn constant(&mut self, width: u16, value: u64) -> Label {
        self.node(Op::Const, width, [0, value as u32, (value >> 32) as u32])
    }

    pub fn event(&mut self, kind: EventKind, site: u32, outcome: u16, label: Label, aux: u32) {
        self.events.push(TraceEvent { site, kind: kind as u16, outcome, label, aux });
    }

    /// `input[byte] < limit` as source condition `site`.
    pub fn less(&mut self, site: u32, byte: u32, limit: u8) -> bool {
        let limit_label = self.constant(8, limit as u64);
        let label = self.node(Op::Ult, 1, [input_label(byte), limit_label, 0]);
        self.condition(site, self.input[byte as usize] < limit, label)
    }

    /// A source condition with a given label (0: concrete). Sites here have two outcomes each.
    pub fn condition(&mut self, site: u32, holds: bool, label: Label) -> bool {
        self.coverage[site as usize * 2 + holds as usize] = 1;
        self.event(EventKind::Condition, site, holds as u16, label, 0);
        holds
    }

    /// The precondition `input[byte] < limit`, a branch that is not in the unit's source; false ends the run.
    pub fn requires_less(&mut self, site: u32, byte: u32, limit: u8) -> bool {
        let limit_label = self.constant(8, limit as u64);
        let label = self.node(Op::Ult, 1, [input_label(byte), limit_label, 0]);
        let holds = self.input[byte as usize] < limit;
        self.event(EventKind::Internal, site, holds as u16, label, 0);
        self.refused |= !holds;
        holds
    }

    /// An indirect call through a pointer whose value is `base + input[byte]`.
    pub fn call_through(&mut self, site: u32, byte: u32, base: u64) -> u8 {
        let base_label = self.constant(64, base);
        let wide = self.node(Op::ZExt, 64, [input_label(byte), 0, 0]);
        let label = self.node(Op::Add, 64, [wide, base_label, 0]);
        let index = self.input[byte as usize];
        let address = base + index as u64;
        self.event(EventKind::InternalSwitch, site, (address >> 32) as u16, label, address as u32);
        index
    }

    /// A check that `input[byte] != bad`.
    pub fn check_not(&mut self, site: u32, byte: u32, bad: u8, guards_guess: bool) -> bool {
        let bad_label = self.constant(8, bad as u64);
        let label = self.node(Op::Ne, 1, [input_label(byte), bad_label, 0]);
        let passes = self.input[byte as usize] != bad;
        self.event(EventKind::Check, site, passes as u16, label, guards_guess as u32);
        passes
    }
}

fn place(line: u32) -> Place {
    Place { file: "toy.c".to_string(), line, column: 1 }
}

/// A model with one function `unit` and these sites.
pub fn model(kinds: Vec<SiteKind>) -> SourceModel {
    let sites: Vec<Site> = kinds
        .into_iter()
        .enumerate()
        .map(|(index, kind)| Site {
            id: SiteId(index as u32),
            function: FunctionId(0),
            place: place(index as u32 + 1),
            lines: index as u32 + 1..=index as u32 + 1,
            text: format!("c{index}"),
            decision: index as u32,
            position: 0,
            is_assertion: false,
            is_relative: false,
            refuses: false,
            adjusts: false,
            governs: 1..=1,
            kind,
        })
        .collect();
    let unit = Function {
        name: "unit".to_string(),
        written: "unit".to_string(),
        place: place(1),
        end_line: 100,
        is_static: false,
        is_inline: false,
        is_weak: false,
        is_named: true,
        is_variadic: false,
        in_main_file: true,
        params: Vec::new(),
        result: TypeId(0),
        sites: sites.iter().map(|site| site.id).collect(),
        loops: Vec::new(),
        statements: Vec::new(),
        ty: TypeId(0),
        address_taken: false,
        may_fall_off: false,
        uses: tarka_source::Uses::default(),
        first_statement: 0,
    };
    SourceModel {
        file: PathBuf::from("toy.c"),
        flags: Vec::new(),
        types: TypeTable::default(),
        functions: vec![unit],
        globals: Vec::new(),
        sites,
        probed_text: String::new(),
        others: Vec::new(),
        declared_functions: Vec::new(),
        macros: Default::default(),
        inline_definitions: Default::default(),
        declared_variables: Vec::new(),
        mentions_errno: false,
        handed_fresh: Vec::new(),
        led_into: Vec::new(),
        decisions: Vec::new(),
    }
}

/// `count` conditions.
pub fn conditions(count: usize) -> SourceModel {
    model(vec![SiteKind::Condition { context: Context::If, always: None }; count])
}

/// One decision `c0 && c1 && …` over so many conditions.
pub fn conjunction(count: u32) -> SourceModel {
    let and = |left, position| BoolShape::And(Box::new(left), Box::new(BoolShape::Condition(position)));
    decision((1..count).fold(BoolShape::Condition(0), and), count)
}

/// One decision of this shape over so many conditions.
pub fn decision(shape: BoolShape, count: u32) -> SourceModel {
    let mut model = conditions(count as usize);
    for (position, site) in model.sites.iter_mut().enumerate() {
        (site.decision, site.position) = (0, position as u32);
    }
    model.decisions = vec![Decision {
        id: DecisionId(0),
        function: FunctionId(0),
        place: place(1),
        end_line: 1,
        text: String::new(),
        conditions: (0..count).map(SiteId).collect(),
        shape,
        mcdc: true,
    }];
    model
}

/// A switch over these value ranges, and a default.
pub fn switch(ranges: &[(i128, i128)], signed: bool) -> SiteKind {
    let arm = |values| Arm { place: place(1), text: String::new(), values };
    let arms = ranges.iter().map(|&range| arm(Some(range))).chain([arm(None)]).collect();
    SiteKind::Switch { arms, bits: 32, signed }
}

/// What a whole search did.
pub struct Story {
    pub search: Search,
    pub inputs: Vec<Vec<u8>>,
    pub tried: Vec<CandidateId>,
    pub finished: Option<Finished>,
}

/// Runs the loop on a hand-made program until the search is finished or `max_runs` is reached.
pub fn explore(
    model: &SourceModel,
    strategy_name: &str,
    seed: u64,
    max_runs: usize,
    program: impl Fn(&mut Recorder),
) -> Story {
    drive(model, branch_search(model, strategy_name, seed), max_runs, program)
}

/// The same to the end, with or without the filter.
pub fn explore_with(
    model: &SourceModel,
    strategy_name: &str,
    filter: bool,
    program: impl Fn(&mut Recorder),
) -> Story {
    let search = branch_search(model, strategy_name, 1);
    drive(model, if filter { search } else { search.without_filter() }, usize::MAX, program)
}

/// A search for branches that knows nothing of the control flow.
pub fn branch_search(model: &SourceModel, strategy_name: &str, seed: u64) -> Search {
    search_on(model, &Icfg::default(), Criterion::Branch, strategy_name, seed)
}

/// A search on a given control-flow graph.
pub fn search_on(
    model: &SourceModel,
    icfg: &Icfg,
    criterion: Criterion,
    strategy_name: &str,
    seed: u64,
) -> Search {
    let strategy = strategy::by_name(strategy_name).unwrap();
    Search::new(model, icfg, (&[FunctionId(0)], criterion), strategy, seed)
}

/// Runs the loop with a given search.
pub fn drive(
    model: &SourceModel,
    mut search: Search,
    max_runs: usize,
    program: impl Fn(&mut Recorder),
) -> Story {
    let mut terms = Terms::new();
    let (mut inputs, mut tried) = (Vec::new(), Vec::new());
    let mut input = vec![0, 0];
    let mut aim: Option<CandidateId> = None;
    loop {
        inputs.push(input.clone());
        let mut recorder = Recorder::new(&input);
        program(&mut recorder);
        let run = inputs.len() as u64;
        search.absorb(&mut terms, &recorder.trace(), &recorder.evidence(model), (run, recorder.ended()));
        if let Some(candidate) = aim.take() {
            search.learn(candidate, CandidateState::Done);
        }
        if inputs.len() == max_runs {
            return Story { search, inputs, tried, finished: None };
        }
        let finished = loop {
            let candidate = match search.choose() {
                Ok(candidate) => candidate,
                Err(finished) => break Some(finished),
            };
            tried.push(candidate);
            match brute_force(&search, &mut terms, candidate) {
                Some(model) => {
                    (input, aim) = (model, Some(candidate));
                    break None;
                }
                None => _ = search.learn(candidate, CandidateState::Infeasible),
            }
        };
        if finished.is_some() {
            return Story { search, inputs, tried, finished };
        }
    }
}

/// The first pair of bytes that satisfies a candidate's constraints.
pub fn brute_force(search: &Search, terms: &mut Terms, candidate: CandidateId) -> Option<Vec<u8>> {
    let (mut clauses, flipped) = search.constraints(terms, candidate);
    clauses.push(flipped);
    let mut evaluator = Evaluator::new();
    (0..=u16::MAX).map(|number| number.to_le_bytes().to_vec()).find(|bytes| {
        let assignment = bytes.as_slice();
        evaluator.first_false(terms, clauses.iter().copied(), &assignment).is_none()
    })
}

/// A control-flow graph, being drawn. Each function starts with its entry and ends with its exit.
#[derive(Default)]
pub struct Drawing {
    pub icfg: Icfg,
}

impl Drawing {
    /// An empty graph for a model.
    pub fn new(model: &SourceModel) -> Drawing {
        let icfg = Icfg {
            entries: vec![None; model.functions.len()],
            calls: vec![Vec::new(); model.functions.len()],
            site_points: vec![None; model.sites.len()],
            ..Icfg::default()
        };
        Drawing { icfg }
    }

    pub fn point(&mut self, function: u32, kind: PointKind) -> PointId {
        let id = PointId(self.icfg.points.len() as u32);
        match &kind {
            PointKind::Entry => self.icfg.entries[function as usize] = Some(id),
            PointKind::Site(site) => self.icfg.site_points[site.0 as usize] = Some(id),
            PointKind::Call(callees) => self.icfg.calls[function as usize].extend(callees),
            PointKind::Exit => {}
        }
        let function = FunctionId(function);
        self.icfg.points.push(Point { function, kind, edges: Vec::new(), dominator: None });
        id
    }

    pub fn edge(&mut self, from: PointId, outcome: u32, to: PointId) {
        let edge = Edge { outcome, to, usage: Usage::default() };
        self.icfg.points[from.0 as usize].edges.push(edge);
    }
}
