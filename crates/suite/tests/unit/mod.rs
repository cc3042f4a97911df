//! A small bench for suite tests: C text in, hand-made runs, and the emitted files out, before gcc and clang.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tarka_events::{
    AttackFigures, Fault, FaultKind, FaultSet, Goal, KeptRun, Named, NamedAddress, PathSketch, RunEnd,
    SolverFigures, Status, UnitLog, UnitResult, UnitSuite, Verdict,
};
use tarka_scenario::{Executed, Left, Object, Observation, Role, Scenario};
use tarka_source::{
    Evidence, GoalKind, GoalScope, Place, SiteKind, SourceModel, SourceRequest, TypeId, TypeKind, analyse,
    find_clang,
};
use tarka_suite::{Builds, Compilers, Cores, Objects, SuiteOptions, write_faults, write_tests};

/// Address of the first hand-made pointee, where the real arena begins.
const ARENA: u64 = 0x10_0000_0000;

/// A C file in a folder of its own, with its model and the runs made so far.
pub struct Bench {
    pub folder: tempfile::TempDir,
    pub model: SourceModel,
    pub unit: UnitResult,
    flags: Vec<String>,
}

impl Bench {
    /// Analyses `source` and prepares a result for `function` with all its goals claimed by run 1.
    pub fn new(source: &str, function: &str) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("unit.c");
        std::fs::write(&file, source).unwrap();
        let clang = find_clang().unwrap();
        let mut model = analyse(&SourceRequest { file: &file, flags: &[], clang: &clang }).unwrap();
        // Places are shown as a user who stands in the folder sees them.
        model.file = "unit.c".into();
        let goals = goals(&model, function);
        let unit = UnitResult {
            file: "unit.c".into(),
            function: function.into(),
            criterion: "branch".into(),
            scope: GoalScope::Unit,
            strategy: "dfs".into(),
            seed: 1,
            has_drawn: false,
            status: Status::Complete,
            runs: 1,
            divergences: 0,
            solver: SolverFigures::default(),
            execute_ms: 1,
            total_ms: 2,
            goals,
            kept_runs: Vec::new(),
            faults: Vec::new(),
            concretisations: Vec::new(),
            limits: Vec::new(),
            attack: AttackFigures::default(),
            refuted: Vec::new(),
            stubs: Vec::new(),
            named_addresses: Vec::new(),
            calls: Vec::new(),
            paths: PathSketch::default(),
        };
        Bench { folder, model, unit, flags: Vec::new() }
    }

    /// Starts an input for the function.
    pub fn input(&self) -> InputMaker<'_> {
        InputMaker { bench: self, objects: Vec::new(), calls: 1 }
    }

    /// Types of the function's parameters.
    pub fn params(&self) -> Vec<TypeId> {
        let (_, function) = self.model.function_named(&self.unit.function).unwrap();
        function.params.iter().map(|param| param.ty).collect()
    }

    /// The type with this spelling.
    pub fn ty(&self, spelling: &str) -> TypeId {
        let index = self.model.types.types.iter().position(|ty| ty.spelling == spelling);
        TypeId(index.unwrap_or_else(|| panic!("no type {spelling}")) as u32)
    }

    /// Gives a function of the unit a fixed address.
    pub fn function_at(&mut self, address: u64, name: &str) {
        let what = Named::Function(name.into());
        self.unit.named_addresses.push(NamedAddress { address, size: 0, what });
    }

    /// Gives a global variable a fixed address.
    pub fn global_at(&mut self, address: u64, name: &str) {
        let global = self.model.globals.iter().find(|global| global.name == name).unwrap();
        let size = self.model.types.get(global.ty).size;
        self.unit.named_addresses.push(NamedAddress { address, size, what: Named::Global(name.into()) });
    }

    /// The pointee type of a pointer type.
    pub fn pointee(&self, ty: TypeId) -> TypeId {
        match self.model.types.get(ty).kind {
            TypeKind::Pointer { to, .. } => to,
            _ => panic!("not a pointer"),
        }
    }

    /// Adds a run that claims these goals.
    pub fn run(&mut self, mut executed: Executed, covers: &[u32], end: RunEnd, result: &[u8]) {
        let run = self.unit.kept_runs.len() as u64 + 1;
        executed.observation.result = result.to_vec();
        let (covers, evidence) = (covers.to_vec(), Evidence::default());
        self.unit.kept_runs.push(KeptRun { run, executed, covers, evidence, end });
    }

    /// Adds a run that claims every goal and returned.
    pub fn returns(&mut self, executed: Executed, result: &[u8]) {
        let all: Vec<u32> = (0..self.unit.goals.len() as u32).collect();
        self.run(executed, &all, RunEnd::Returned, result);
    }

    /// Adds a fault.
    pub fn fault(&mut self, kind: &str, line: u32, executed: Executed) {
        let kind = FaultKind::from_name(kind).expect("a kind of fault");
        let place = Place { file: "unit.c".into(), line, column: 1 };
        self.unit.faults.push(Fault {
            message: "it was seen to fail".into(),
            run: 1,
            ..Fault::new(kind, self.unit.function.clone(), place, executed)
        });
    }

    /// Writes and replays everything.
    pub fn write(&mut self) -> UnitSuite {
        let clang = find_clang().unwrap();
        let options = SuiteOptions {
            allow: tarka_confine::Allow::default(),
            out: self.folder.path().join("out"),
            folder: self.unit.function.clone(),
            faults: FaultSet::default(),
            interrupt: Arc::default(),
        };
        let mut log = UnitLog::new(self.unit.clone());
        let compilers = Compilers { clang, cc: Some(PathBuf::from("gcc")) };
        let cores = Cores::new(2);
        let objects = Objects::new().unwrap();
        let made_with = (&cores, &objects);
        let builds = Builds::new(&self.model, 1, (&compilers, self.folder.path()), made_with).unwrap();
        let tests = write_tests(&self.model, &mut log, (&options, &builds)).unwrap();
        write_faults(&self.model, &mut log, (&options, &builds), tests).unwrap();
        let suite = log.suite().clone();
        self.unit = log.into_result();
        suite
    }

    /// A file of the output folder.
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.path().join("out").join(path)).unwrap()
    }

    /// The emitted test functions alone, without what every file has.
    pub fn tests(&self) -> String {
        let function = &self.unit.function;
        let text = self.read(&format!("{function}/test_{function}.c"));
        let start = text.find("#define CHECK").or(text.find("static int tarka_failed")).unwrap();
        let start = start + text[start..].find('\n').unwrap();
        let end = text.find("enum { TARKA_PASSED").unwrap();
        text[start..end].trim().to_string()
    }

    /// Writes, then holds the test file before gcc and clang: no warning, and every test passes.
    pub fn judged(&mut self) -> String {
        let suite = self.write();
        assert!(suite.notes.is_empty(), "{:#?}", suite.notes);
        self.judge();
        self.tests()
    }

    /// Compiles the test file with warnings as errors under both compilers, as GNU C and as C99, and runs it; once
    /// more with the sanitizers.
    pub fn judge(&self) {
        let function = &self.unit.function;
        let file = self.folder.path().join(format!("out/{function}/test_{function}.c"));
        let builds: [(&str, &[&str]); 4] = [
            ("gcc", &["-std=gnu11"]),
            ("gcc", &["-std=c99"]),
            ("clang-19", &["-std=c99"]),
            ("clang-19", &["-std=gnu11", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
        ];
        for (compiler, flags) in builds {
            let flags: Vec<String> =
                self.flags.iter().cloned().chain(flags.iter().map(|flag| flag.to_string())).collect();
            let program = compile(compiler, &file, &flags);
            let output = Command::new(&program).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{compiler} {flags:?}: {}\n{said}", output.status);
        }
    }
}

/// Compiles an emitted file as a user would, with warnings as errors.
pub fn compile(compiler: &str, file: &Path, flags: &[String]) -> PathBuf {
    let program = file.with_extension(compiler);
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg(file)
        .arg("-lm")
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{compiler} refuses:\n{}\n{}",
        String::from_utf8_lossy(&output.stderr),
        std::fs::read_to_string(file).unwrap()
    );
    program
}

/// Builds an input object by object.
pub struct InputMaker<'a> {
    bench: &'a Bench,
    objects: Vec<(Object, Left)>,
    calls: u32,
}

impl InputMaker<'_> {
    /// The next parameter, by its bytes.
    pub fn param(mut self, bytes: &[u8]) -> Self {
        let call = self.calls - 1;
        let of_call = |(object, _): &&(Object, Left)| matches!(object.role, Role::Argument { step, .. } if step == call);
        let position = self.objects.iter().filter(of_call).count();
        let ty = self.bench.params()[position];
        let bytes = padded(bytes, self.bench.model.types.get(ty).size);
        let role = Role::Argument { step: call, position: position as u32 };
        let left = Left { bytes: bytes.clone(), touched: 0, freed: false };
        self.objects.push((Object::new(role, self.bench.model.types.key(ty), bytes), left));
        self
    }

    /// The parameters that follow are those of another call.
    pub fn next_call(mut self) -> Self {
        self.calls += 1;
        self
    }

    /// A global: what it is by itself, what the run sets it to, and what the run leaves.
    pub fn global(mut self, name: &str, initial: &[u8], before: &[u8], after: &[u8]) -> Self {
        let global = self.bench.model.globals.iter().find(|global| global.name == name).unwrap();
        let size = self.bench.model.types.get(global.ty).size;
        let (role, key) = (Role::Global(name.into()), self.bench.model.types.key(global.ty));
        let given = Object { initial: padded(initial, size), ..Object::new(role, key, padded(before, size)) };
        let left = Left { bytes: padded(after, size), touched: size, freed: false };
        self.objects.push((given, left));
        self
    }

    /// A parameter that points to the next pointee.
    pub fn pointer(self, pointee: u64) -> Self {
        self.param(&address(pointee).to_le_bytes())
    }

    /// An object for the pointer at `offset` of object `holder`; its number gives its address.
    pub fn object(
        mut self,
        holder: u32,
        offset: u64,
        ty: TypeId,
        count: u64,
        before: &[u8],
        after: &[u8],
    ) -> Self {
        let number = self.objects.iter().filter(|(object, _)| object.address != 0).count() as u64;
        let size = self.bench.model.types.get(ty).size * count;
        let before = padded(before, size);
        let after = padded(after, size);
        let touched = before.len().min(after.len()) as u64;
        let (role, key) = (Role::Pointee { object: holder, offset }, self.bench.model.types.key(ty));
        let given = Object { count, address: address(number), ..Object::new(role, key, before) };
        self.objects.push((given, Left { bytes: after, touched, freed: false }));
        self
    }

    /// The object made last is exactly as large as it is.
    pub fn exact(mut self) -> Self {
        self.objects.last_mut().unwrap().0.exact = true;
        self
    }

    /// The object made last goes on after its type: the elements of its flexible array member.
    pub fn tail(mut self, before: &[u8], after: &[u8]) -> Self {
        let (given, left) = self.objects.last_mut().unwrap();
        given.bytes.extend(before);
        left.bytes.extend(after);
        left.touched = given.bytes.len() as u64;
        self
    }

    /// The object made last was touched in its first bytes only.
    pub fn touched(mut self, bytes: u64) -> Self {
        self.objects.last_mut().unwrap().1.touched = bytes;
        self
    }

    /// The unit freed the object made last.
    pub fn freed(mut self) -> Self {
        self.objects.last_mut().unwrap().1.freed = true;
        self
    }

    /// The executed scenario.
    pub fn make(self) -> Executed {
        let (given, left) = self.objects.into_iter().unzip();
        Executed {
            scenario: Scenario::of_calls(&self.bench.unit.function, self.calls, given),
            observation: Observation { objects: left, ..Observation::default() },
        }
    }
}

/// Bytes of 32-bit numbers.
pub fn le(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Bytes of a pointer to a pointee by number.
pub fn to(pointee: u64) -> Vec<u8> {
    address(pointee).to_le_bytes().to_vec()
}

/// Address of a pointee by number.
pub fn address(pointee: u64) -> u64 {
    ARENA + pointee * 0x1000
}

fn padded(bytes: &[u8], size: u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(size as usize, 0);
    bytes
}

/// The branch goals of a function, all claimed.
fn goals(model: &SourceModel, function: &str) -> Vec<Goal> {
    let (_, function) = model.function_named(function).unwrap();
    let mut goals = Vec::new();
    for (ordinal, id) in function.sites.iter().enumerate() {
        let site = model.site(*id);
        let mut add = |outcome: u32, taken: bool, kind: &'static str, text: &str, place: &Place| {
            goals.push(Goal {
                id: format!("{}:{ordinal}:{outcome}{}", function.name, if taken { "" } else { "-" }),
                what: GoalKind::Outcome { site: *id, outcome, taken },
                callee: None,
                place: place.clone(),
                kind: kind.into(),
                text: text.to_string(),
                verdict: Verdict::Covered { run: 1, ms: 3, pair: None },
                attacks: 0,
                refutations: 0,
            });
        };
        match &site.kind {
            SiteKind::Condition { .. } => {
                add(1, true, "condition", &site.text, &site.place);
                add(0, true, "condition", &site.text, &site.place);
            }
            SiteKind::Switch { arms, .. } => {
                for (index, arm) in arms.iter().enumerate() {
                    add(index as u32, true, "switch-case", &arm.text, &arm.place);
                    add(index as u32, false, "switch-case", &arm.text, &arm.place);
                }
            }
        }
    }
    goals
}

/// Adds one more object, which stays as it is given.
pub fn add(executed: &mut Executed, given: Object) {
    let left = Left { bytes: given.bytes.clone(), touched: given.bytes.len() as u64, freed: false };
    executed.scenario.objects.push(given);
    executed.observation.objects.push(left);
}
