//! One test per kind of input, on real C text.

#![allow(clippy::disallowed_methods)] // the program that inputs are for is a file

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use tarka_instrument::{Address, AddressOf, Root};
use tarka_scenario::{Executed, Role};
use tarka_source::{
    FunctionId, LibraryInput, Param, SourceModel, SourceRequest, Stub, StubKind, StubPart, TypeKind, analyse,
    find_clang,
};
use tarka_terms::{BinaryOp, Evaluator, Terms};
use tarka_trace::{ARENA_BASE, flag};

use super::record::ArenaAfter;
use super::*;

const FIRST_FREE: u32 = 0x10_0000;

/// A C text and the roots of one of its functions, as the driver would bind them.
struct Unit {
    model: SourceModel,
    function: FunctionId,
    roots: Vec<Root>,
    stubs: Vec<Stub>,
    addresses: Vec<Address>,
    limits: ShapeLimits,
    roomy: BTreeSet<SlotPath>,
}

impl Unit {
    fn new(text: &str) -> Unit {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file: PathBuf = folder.path().join("unit.c");
        std::fs::write(&file, text).expect("the C file can be written");
        let clang = find_clang().expect("clang 19 is installed");
        let request = SourceRequest { file: &file, flags: &[], clang: &clang };
        let model = analyse(&request).unwrap_or_else(|error| panic!("{error}"));
        let (function, found) = model.function_named("f").expect("the text defines f");
        let params = found.params.clone();
        let sizes = BTreeMap::new();
        let limits = ShapeLimits { depth: 4, elements: 16, string: 32, calls: 1, stretch: 0, sizes };
        let (roots, stubs, addresses, roomy) = Default::default();
        let mut unit = Unit { model, function, roots, stubs, addresses, limits, roomy };
        for (position, param) in params.iter().enumerate() {
            let role = Role::Argument { step: 0, position: position as u32 };
            unit.add_root(&param.name, param.ty, role, Vec::new());
        }
        unit
    }

    fn param(&mut self, position: usize) -> &mut Param {
        &mut self.model.functions[self.function.0 as usize].params[position]
    }

    fn add_root(&mut self, name: &str, ty: TypeId, role: Role, initial: Vec<u8>) -> u32 {
        let last = self.roots.last();
        let offset = last.map_or(0, |last| (last.offset + last.size.max(1) as u32).next_multiple_of(16));
        let size = self.model.types.get(ty).size;
        self.roots.push(Root { name: name.to_string(), ty, offset, size, role, initial });
        offset
    }

    fn add_global(&mut self, name: &str, initial: &[u8]) -> u32 {
        let global = self.model.globals.iter().find(|global| global.name == name).expect("a global");
        self.add_root(name, global.ty, Role::Global(name.to_string()), initial.to_vec())
    }

    fn add_stub(&mut self, name: &str, kind: StubKind, ty: TypeId) -> u32 {
        let TypeKind::Function { result, .. } = self.model.types.get(ty).kind else {
            panic!("a function type")
        };
        self.stubs.push(Stub {
            name: name.to_string(),
            kind,
            ty,
            result,
            params: Vec::new(),
            is_variadic: false,
            is_noreturn: false,
            outs: Vec::new(),
            sets_errno: false,
            allocates: Vec::new(),
            leads_into: None,
        });
        self.stubs.len() as u32 - 1
    }

    fn shape(&self) -> Shape<'_> {
        Shape::new(&ShapeRequest {
            model: &self.model,
            function: self.function,
            roots: &self.roots,
            stubs: &self.stubs,
            addresses: &self.addresses,
            first_free: FIRST_FREE,
            limits: self.limits.clone(),
            ranges: Ranges::default(),
            roomy: self.roomy.clone(),
        })
    }

    fn type_named(&self, spelling: &str) -> TypeId {
        let index = self.model.types.types.iter().position(|ty| ty.spelling == spelling);
        TypeId(index.unwrap_or_else(|| panic!("no type `{spelling}`")) as u32)
    }
}

impl Shape<'_> {
    /// Whether an input keeps the domain of a byte.
    fn allows(&self, input: &InputBytes, byte: u32, width: DomainWidth) -> bool {
        let mut terms = Terms::new();
        self.grown.borrow_mut().clauses.clear();
        let clause = self.domain(&mut terms, byte, &self.default_input(), width);
        clause.is_none_or(|clause| Evaluator::new().eval(&terms, clause, input) == 1)
    }

    /// The address of a pointer's own object.
    fn fresh(&self, slot: u32) -> u64 {
        self.own_addresses(&self.slot_of(slot).expect("a pointer"))[0]
    }

    fn fresh_offset(&self, slot: u32) -> u32 {
        (self.fresh(slot) - ARENA_BASE) as u32
    }

    /// The default input with pointers set to their own objects, one after the other.
    fn grown_input(&self, slots: &[u32]) -> InputBytes {
        slots.iter().fold(self.default_input(), |input, &slot| input.with_word(slot, self.fresh(slot)))
    }

    /// The object that a pointer leads to in an input.
    fn object_behind(&self, input: &InputBytes, slot: u32) -> Rc<ObjectShape> {
        let offset = (input.word(slot) - ARENA_BASE) as u32;
        let objects = self.objects(input);
        objects.into_iter().find(|object| object.offset == offset).expect("an object")
    }

    fn symbolic(&self, offset: u32) -> Vec<bool> {
        let object = self.grown.borrow().containing(offset).expect("an object");
        object.flags.iter().map(|bits| bits & flag::SYMBOLIC != 0).collect()
    }
}

/// An arena in which every byte of some objects was read and written.
struct After {
    bytes: Vec<u8>,
    flags: Vec<u8>,
}

impl After {
    fn of(shape: &Shape, input: &InputBytes, touched: &[u32]) -> After {
        let end =
            shape.objects(input).iter().map(|object| object.offset + object.capacity).max().unwrap_or(0);
        let mut after = After { bytes: input.within(0, end + 8), flags: vec![0; end as usize + 8] };
        for object in shape.objects(input).iter().filter(|object| touched.contains(&object.offset)) {
            after.flags[object.offset as usize..][..object.size as usize].fill(flag::READ | flag::WRITTEN);
        }
        after
    }
}

impl ArenaAfter for After {
    fn bytes(&self, offset: u32, len: u32) -> &[u8] {
        &self.bytes[offset as usize..][..len as usize]
    }

    fn flags(&self, offset: u32, len: u32) -> &[u8] {
        &self.flags[offset as usize..][..len as usize]
    }

    fn stubs_go_on(&self) -> bool {
        false
    }

    fn result(&self) -> &[u8] {
        &[]
    }
}

fn roles(executed: &Executed) -> Vec<Role> {
    executed.scenario.objects.iter().map(|object| object.role.clone()).collect()
}

mod aggregates;
mod bounds;
mod environment;
mod pointers;
mod scalars;
