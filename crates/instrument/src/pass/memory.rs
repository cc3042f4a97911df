//! Loads, stores, addresses of elements, stack objects, and the memcpy family.
//!
//! ```text
//! %v = load i32, ptr %p
//! store i32 %w, ptr %q
//! %e = getelementptr [8 x i32], ptr %a, i64 0, i64 %i
//! %l = alloca [8 x i8]
//! ```
//! becomes
//! ```text
//! %v.label = call i32 @tkf_load(i32 SITE, ptr %p, i32 %p.label, i32 4)
//! %v = load i32, ptr %p
//! %w64 = zext i32 %w to i64
//! call void @tkf_store(i32 SITE, ptr %q, i32 %q.label, i32 4, i32 %w.label, i64 %w64)
//! store i32 %w, ptr %q
//! %i.bytes = mul i64 %i, 4
//! %i.bytes.label = call i32 @tkf_binary(i8 MUL, i32 64, i32 64, i32 %i.label, i32 0, i64 %i, i64 4)
//! %e.label = call i32 @tkf_binary(i8 ADD, i32 64, i32 64, i32 %i.bytes.label, i32 0, i64 %i.bytes, i64 %a.int)
//! %e = getelementptr [8 x i32], ptr %a, i64 0, i64 %i
//! %l.room = alloca [72 x i8], align 16
//! %l = getelementptr i8, ptr %l.room, i64 32
//! call void @tk_local_object(ptr %l, i64 8)
//! ```
//! A struct, array or vector is loaded and stored leaf by leaf. A type without a model (`__float128`) keeps its
//! shadow clear; a symbolic one that is loaded is counted.

use tarka_trace::Op;

use super::emit::MOST_ALIGNED_FREELY;
use super::globals::EDGE;
use super::shape::{Leaf, Scalar, scalar};
use super::{Body, LLVMOpcode, LLVMTypeKind, Type, Value};
use crate::link::DRIVE;
use crate::sites::{CheckKind, SiteInfoKind};

/// In the size that a load gives to its hook: something depends on the value.
const LOAD_NEEDED: u64 = 0x100;

impl Body<'_, '_> {
    pub(super) fn load(&mut self, instruction: Value) {
        let pointer = instruction.operand(0);
        let labels = self.load_leaves(instruction, pointer, self.label_of(pointer), instruction.ty());
        self.set_labels(instruction, labels);
    }

    pub(super) fn store(&mut self, instruction: Value) {
        let pointer = instruction.operand(1);
        self.store_leaves(instruction, pointer, self.label_of(pointer), instruction.operand(0));
    }

    /// The site of an access; accesses whose address is never symbolic share one per function.
    fn access_site(&mut self, at: Value, address_label: Value, what: &str) -> u32 {
        if !address_label.is_null() {
            return self.site(SiteInfoKind::Check(CheckKind::Memory), at, what);
        }
        match self.memory_site {
            Some(site) => site,
            None => {
                let site = self.site(SiteInfoKind::Concretising, self.function, "memory access");
                self.memory_site = Some(site);
                site
            }
        }
    }

    /// Labels of the leaves of a value of type `ty` in memory.
    pub(super) fn load_leaves(&mut self, at: Value, pointer: Value, label: Value, ty: Type) -> Vec<Value> {
        let site = self.access_site(at, label, "load at a symbolic address");
        let leaves = self.pass.leaves(ty);
        leaves
            .into_iter()
            .map(|leaf| {
                let (pointer, label) = self.leaf_address(pointer, label, leaf.offset);
                let size = self.pass.layout.store_size(leaf.ty);
                let width = scalar(leaf.ty).width();
                if width == 0 {
                    self.load_opaque(at, pointer, label, size);
                    return self.pass.no_label();
                }
                let needed = if self.needed.contains(&at) { LOAD_NEEDED } else { 0 };
                let loaded = self.load_hook(site, pointer, label, size | needed);
                if u64::from(width) == size * 8 { loaded } else { self.extract(0, width, loaded) }
            })
            .collect()
    }

    pub(super) fn load_hook(&self, site: u32, pointer: Value, label: Value, size: u64) -> Value {
        let pass = &*self.pass;
        pass.hook("tkf_load", &[pass.u32(site), pointer, label, pass.u32(size as u32)])
    }

    /// A load of a type without a model: whatever was symbolic in those bytes is lost.
    fn load_opaque(&mut self, at: Value, pointer: Value, label: Value, size: u64) {
        let site = self.site(SiteInfoKind::Concretising, at, "load of a type without a model");
        for (offset, size) in words(size) {
            let (pointer, label) = self.leaf_address(pointer, label, offset);
            let lost = self.load_hook(site, pointer, label, size);
            self.concretise(site, lost);
        }
    }

    /// Writes the labels of the leaves of `value` to the shadow of `pointer`.
    pub(super) fn store_leaves(&mut self, at: Value, pointer: Value, label: Value, value: Value) {
        let site = self.access_site(at, label, "store at a symbolic address");
        let labels = self.labels_of(value);
        for (leaf, value_label) in self.pass.leaves(value.ty()).into_iter().zip(labels) {
            let (pointer, label) = self.leaf_address(pointer, label, leaf.offset);
            self.store_leaf(site, pointer, label, value, &leaf, value_label);
        }
    }

    fn store_leaf(
        &self,
        site: u32,
        pointer: Value,
        label: Value,
        value: Value,
        leaf: &Leaf,
        value_label: Value,
    ) {
        let pass = &*self.pass;
        let leaf_value = pass.leaf_value(value, leaf);
        let size = pass.layout.store_size(leaf.ty);
        let kind = scalar(leaf.ty);
        if kind == Scalar::Opaque {
            return self.store_opaque(site, pointer, label, leaf_value, size);
        }
        let width = kind.width();
        let value_label = if u64::from(width) == size * 8 {
            value_label
        } else {
            self.unary(Op::ZExt, size as u32 * 8, value_label)
        };
        let head = [pass.u32(site), pointer, label, pass.u32(size as u32), value_label];
        if size <= 8 {
            pass.hook("tkf_store", &[head.as_slice(), &[pass.as_u64(leaf_value)]].concat());
        } else {
            pass.hook("tkf_store128", &[head.as_slice(), &[pass.as_u128(leaf_value)]].concat());
        }
    }

    fn store_opaque(&self, site: u32, pointer: Value, label: Value, value: Value, size: u64) {
        let pass = &*self.pass;
        let pattern = pass.resize(pass.pattern(value), pass.int_type(size as u32 * 8));
        for (offset, size) in words(size) {
            let (pointer, label) = self.leaf_address(pointer, label, offset);
            let shift = pattern.ty().constant(offset * 8);
            let word = pass.resize(pass.op(LLVMOpcode::LLVMLShr, pattern, shift), pass.types.i64);
            let arguments = [pass.u32(site), pointer, label, pass.u32(size as u32), pass.no_label(), word];
            pass.hook("tkf_store", &arguments);
        }
    }

    /// `pointer + offset` with its label.
    pub(super) fn leaf_address(&self, pointer: Value, label: Value, offset: u64) -> (Value, Value) {
        if offset == 0 {
            return (pointer, label);
        }
        let pass = &*self.pass;
        let moved = self.binary(Op::Add, 64, 64, (label, pointer), (pass.no_label(), pass.u64(offset)));
        (pass.offset(pointer, offset), moved)
    }

    /// `getelementptr`: symbolic parts first, in order, then the sum of all concrete parts.
    pub(super) fn element_address(&mut self, instruction: Value) {
        let base = instruction.operand(0);
        let mut symbolic = Vec::new();
        let mut constant = 0_u64;
        let mut concrete: Option<Value> = None;
        let base_label = self.label_of(base);
        let base_int = self.pass.pattern(base);
        if base_label.is_null() {
            concrete = Some(base_int);
        } else {
            symbolic.push((base_label, base_int));
        }
        let mut ty = instruction.gep_source();
        for position in 1..instruction.operand_count() {
            let index = instruction.operand(position);
            let step = match ty.kind() {
                _ if position == 1 => self.pass.layout.alloc_size(ty),
                LLVMTypeKind::LLVMStructTypeKind => {
                    let field = index.constant_u64().unwrap_or(0) as u32;
                    constant = constant.wrapping_add(self.pass.layout.field_offset(ty, field));
                    ty = ty.struct_fields()[field as usize];
                    continue;
                }
                _ => {
                    ty = ty.element();
                    self.pass.layout.alloc_size(ty)
                }
            };
            self.index_part(index, step, &mut constant, &mut concrete, &mut symbolic);
        }
        let pass = &*self.pass;
        let rest = match concrete {
            Some(value) => pass.op(LLVMOpcode::LLVMAdd, value, pass.u64(constant)),
            None => pass.u64(constant),
        };
        let mut sum: Option<(Value, Value)> = None;
        for part in symbolic {
            sum = Some(match sum {
                None => part,
                Some(sum) => self.sum(sum, part),
            });
        }
        let Some(sum) = sum else { return };
        let total = if rest.is_null() { sum } else { self.sum(sum, (pass.no_label(), rest)) };
        self.set_label(instruction, total.0);
    }

    /// Adds `index * step` to the constant, concrete or symbolic part of an address.
    fn index_part(
        &self,
        index: Value,
        step: u64,
        constant: &mut u64,
        concrete: &mut Option<Value>,
        symbolic: &mut Vec<(Value, Value)>,
    ) {
        let pass = &*self.pass;
        let wide = pass.resize_signed(index, pass.types.i64);
        if let Some(number) = wide.constant_u64() {
            *constant = constant.wrapping_add(number.wrapping_mul(step));
            return;
        }
        let bytes = pass.op(LLVMOpcode::LLVMMul, wide, pass.u64(step));
        let label = self.label_of(index);
        if label.is_null() {
            *concrete = Some(match *concrete {
                None => bytes,
                Some(sum) => pass.op(LLVMOpcode::LLVMAdd, sum, bytes),
            });
            return;
        }
        let bits = index.ty().int_bits().unwrap_or(64);
        let label = match bits.cmp(&64) {
            std::cmp::Ordering::Less => self.unary(Op::SExt, 64, label),
            std::cmp::Ordering::Equal => label,
            std::cmp::Ordering::Greater => self.extract(0, 64, label),
        };
        let label = if step == 1 {
            label
        } else {
            self.binary(Op::Mul, 64, 64, (label, wide), (pass.no_label(), pass.u64(step)))
        };
        symbolic.push((label, bytes));
    }

    fn sum(&self, a: (Value, Value), b: (Value, Value)) -> (Value, Value) {
        (self.binary(Op::Add, 64, 64, a, b), self.pass.op(LLVMOpcode::LLVMAdd, a.1, b.1))
    }

    /// A stack slot of the function for the pass's own use.
    pub(super) fn scratch_slot(&self, ty: Type) -> Value {
        if let Some(first) = self.function.blocks().first().map(|block| block.first_after_phis()) {
            self.before(first);
        }
        self.pass.alloca(ty)
    }

    /// `alloca`: the object is made known, with a clear shadow, right after it exists. It gets bytes on both sides that
    /// belong to nobody, so that whoever leaves it is found.
    pub(super) fn stack_object(&mut self, instruction: Value) {
        let count = instruction.operand(0);
        let label = self.label_of(count);
        if !label.is_null() {
            let site = self.site(SiteInfoKind::Concretising, instruction, "size of a variable-length array");
            self.concretise(site, label);
        }
        let Some(next) = instruction.next() else { return };
        self.before(next);
        let pass = &*self.pass;
        let element = pass.u64(pass.layout.alloc_size(instruction.allocated_type()));
        let size = pass.op(LLVMOpcode::LLVMMul, pass.resize(count, pass.types.i64), element);
        if self.name == DRIVE {
            // It has the variables of every unit: marking them all would cost each run.
            pass.hook("tk_stack_object", &[instruction, size]);
            return;
        }
        let alignment = instruction.alignment().max(MOST_ALIGNED_FREELY);
        let before = EDGE.next_multiple_of(alignment);
        let room = match size.constant_u64() {
            Some(size) => pass.alloca_bytes((before + size + EDGE) as u32, alignment),
            None => {
                pass.alloca_dynamic(pass.op(LLVMOpcode::LLVMAdd, size, pass.u64(before + EDGE)), alignment)
            }
        };
        let object = pass.offset(room, before);
        instruction.replace_uses(object);
        self.dead.push(instruction);
        self.pass.hook("tk_local_object", &[object, size]);
    }

    /// `llvm.memcpy` and `llvm.memmove`.
    pub(super) fn copy(&mut self, call: Value) {
        let site = self.site(SiteInfoKind::Check(CheckKind::Memory), call, "copy at a symbolic address");
        let [to, from, length] = [call.operand(0), call.operand(1), call.operand(2)];
        let pass = &*self.pass;
        let length64 = pass.resize(length, pass.types.i64);
        let arguments = [
            pass.u32(site),
            to,
            self.label_of(to),
            from,
            self.label_of(from),
            length64,
            self.label_of(length),
        ];
        pass.hook("tk_memcpy", &arguments);
    }

    /// `llvm.memset`.
    pub(super) fn fill(&mut self, call: Value) {
        let site = self.site(SiteInfoKind::Check(CheckKind::Memory), call, "fill at a symbolic address");
        let [to, byte, length] = [call.operand(0), call.operand(1), call.operand(2)];
        let pass = &*self.pass;
        let byte32 = pass.resize(byte, pass.types.i32);
        let length64 = pass.resize(length, pass.types.i64);
        let arguments = [
            pass.u32(site),
            to,
            self.label_of(to),
            byte32,
            self.label_of(byte),
            length64,
            self.label_of(length),
        ];
        pass.hook("tk_memset", &arguments);
    }
}

/// The pieces of at most 8 bytes (8, 4, 2 or 1) that make up `size` bytes.
pub(super) fn words(size: u64) -> Vec<(u64, u64)> {
    let mut pieces = Vec::new();
    let mut offset = 0;
    while offset < size {
        let piece = [8, 4, 2, 1].into_iter().find(|piece| *piece <= size - offset).unwrap_or(1);
        pieces.push((offset, piece));
        offset += piece;
    }
    pieces
}
