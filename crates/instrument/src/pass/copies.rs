//! Calls that copy text, and what the models of such functions ask.
//!
//! ```text
//! %r = call ptr @tkm_strcpy(ptr %to, ptr %from)      ; in a function of the user
//! call void @__tk_fits(i1 %fits)                     ; in a model
//! ```
//! becomes
//! ```text
//! call void @tk_copy_call(i32 SITE, ptr %to, i64 ROOM)
//! %r = call ptr @tkm_strcpy(ptr %to, ptr %from)      ; and what a call of an instrumented function takes
//!
//! call void @tk_fits(i32 %fits32, i32 %fits.label)
//! ```
//! `ROOM` is what lies between the destination and the end of the record whose member it is, 0 if it is none: an input
//! record may be one of many, so the end of its object says nothing about the copy.

use super::{Body, LLVMOpcode, Value};
use crate::ir::LLVMTypeKind;
use crate::sites::{CheckKind, SiteInfoKind};

/// What a model calls to ask whether what it writes next fits.
pub(super) const FITS: &str = "__tk_fits";

/// The models that copy text to their first argument, or make some.
const COPYING: &[&str] = &[
    "tkm_snprintf",
    "tkm_sprintf",
    "tkm_sscanf",
    "tkm_stpcpy",
    "tkm_strcat",
    "tkm_strcpy",
    "tkm_strncat",
    "tkm_strncpy",
    "tkm_vsnprintf",
    "tkm_vsprintf",
    "tkm_vsscanf",
];

impl Body<'_, '_> {
    /// Tells the runtime of a call that is about to copy text.
    pub(super) fn announce_copy(&mut self, call: Value) {
        let callee = call.callee();
        if !callee.is_function() || !COPYING.contains(&callee.name().as_str()) || !self.is_users() {
            return;
        }
        let Some(&to) = call.arguments().first() else { return };
        let site = self.site(SiteInfoKind::Check(CheckKind::Memory), call, "copy of a text");
        let room = self.room_in_record(to).unwrap_or(0);
        self.pass.hook("tk_copy_call", &[self.pass.u32(site), to, self.pass.u64(room)]);
    }

    /// `__tk_fits(fits)`.
    pub(super) fn fits(&mut self, call: Value) {
        let fits = call.operand(0);
        let label = self.label_of(fits);
        let holds = self.pass.resize(fits, self.pass.types.i32);
        self.pass.hook("tk_fits", &[holds, label]);
        self.dead.push(call);
    }

    fn is_users(&self) -> bool {
        self.pass.user_functions.contains(&self.name)
    }

    /// Bytes from a member to the end of its record. The last member does not count: records are often allocated with more
    /// behind it.
    fn room_in_record(&self, to: Value) -> Option<u64> {
        let layout = self.pass.layout;
        let element = constant_step(to, LLVMTypeKind::LLVMArrayTypeKind)?;
        let member = constant_step(to.operand(0), LLVMTypeKind::LLVMStructTypeKind)?;
        let record = to.operand(0).gep_source();
        if member + 1 >= record.struct_fields().len() as u64 {
            return None;
        }
        let start = layout.field_offset(record, member as u32);
        let inside = element * layout.alloc_size(to.gep_source().element());
        (layout.alloc_size(record)).checked_sub(start + inside)
    }
}

/// The index in `getelementptr TYPE, ptr %p, 0, INDEX`, for a type of this kind.
fn constant_step(address: Value, kind: LLVMTypeKind) -> Option<u64> {
    let is_step = address.is_instruction()
        && address.opcode() == LLVMOpcode::LLVMGetElementPtr
        && address.gep_source().kind() == kind
        && address.operand_count() == 3
        && address.operand(1).is_null();
    is_step.then(|| address.operand(2).constant_u64())?
}
