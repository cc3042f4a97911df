//! Copies of text: announced calls (see `crate::copies`), and what the models of such functions ask.
//!
//! ```text
//! call void @__tk_copies(ptr %to, i64 ROOM)          ; in a function of the user
//! call void @__tk_fits(i1 %fits)                     ; in a model
//! ```
//! becomes
//! ```text
//! call void @tk_copy_call(i32 SITE, ptr %to, i64 ROOM)
//! call void @tk_fits(i32 %fits32, i32 %fits.label)
//! ```

use super::{Body, Value};
use crate::sites::{CheckKind, SiteInfoKind};

/// What a model calls to ask whether what it writes next fits.
pub(super) const FITS: &str = "__tk_fits";

impl Body<'_, '_> {
    /// `__tk_copies(to, room)`.
    pub(super) fn announced_copy(&mut self, call: Value) {
        let site = self.site(SiteInfoKind::Check(CheckKind::Memory), call, "copy of a text");
        let (to, room) = (call.operand(0), call.operand(1));
        self.pass.hook("tk_copy_call", &[self.pass.u32(site), to, room]);
        self.dead.push(call);
    }

    /// `__tk_fits(fits)`.
    pub(super) fn fits(&mut self, call: Value) {
        let fits = call.operand(0);
        let label = self.label_of(fits);
        let holds = self.pass.resize(fits, self.pass.types.i32);
        self.pass.hook("tk_fits", &[holds, label]);
        self.dead.push(call);
    }
}
