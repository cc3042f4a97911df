//! Calls.
//!
//! ```text
//! %r = call i32 @g(i32 %x, ptr %p)          ; @g is instrumented, or the callee is only known at run time
//! %n = call i32 @puts(ptr %p)               ; @puts is not
//! %d = call double @sqrt(double %x)         ; one operation of the node table
//! ```
//! becomes
//! ```text
//! call void @tkf_call(ptr @g)
//! call void @tkf_set_argument(i32 0, i32 %x.label)
//! call void @tkf_set_argument(i32 1, i32 %p.label)
//! %r = call i32 @g(i32 %x, ptr %p)
//! %r.label = call i32 @tkf_get_result(i32 0)
//!
//! call void @tkf_native_argument(i32 SITE, i32 %p.label)
//! call void @tk_native_pointer(i32 SITE, ptr %p)
//! %n = call i32 @puts(ptr %p)
//! call void @tk_native_return(i32 SITE)
//!
//! %d.label = call i32 @tkf_unary(i8 FSQRT, i32 64, i32 %x.label)
//! %d = call double @sqrt(double %x)
//! ```
//! A call through a pointer that may be symbolic is a switch over functions: `tkf_internal_switch` logs whom it called,
//! so that the search can ask for another.

use tarka_trace::Op;

use super::copies::FITS;
use super::entry::{ByValue, MOST_ARGUMENTS, MOST_RESULTS};
use super::float::math_operation;
use super::shape::{Scalar, leaf_count, scalar};
use super::{Body, Pass, Value, is_runtime_name};
use crate::checks::CHECK;
use crate::copies::COPIES;
use crate::link::ASSUMPTION;
use crate::sites::{SiteInfoKind, THROUGH_POINTER};

/// What a call calls.
pub(super) enum Callee {
    /// `__tk_cond`.
    Condition,
    /// `__tk_switch`.
    Switch,
    /// `__tk_begin`.
    Begin,
    /// `__tk_decision`.
    Decision,
    /// `__tk_stmt`.
    Statement,
    /// What the user promises with `__builtin_assume`.
    Assumption,
    /// A check of clang's.
    Check,
    /// An announced copy of text.
    Copies,
    /// What a model asks of a copy.
    Fits,
    /// An LLVM intrinsic, by name.
    Intrinsic(String),
    /// A function of `math.h` that is one operation.
    Math(Op),
    /// A function of the runtime, which keeps the shadow right itself.
    Runtime,
    /// A function without hooks, by name.
    Native(String),
    /// A function of this module.
    Instrumented(Value),
    /// A pointer.
    Indirect,
    /// Inline assembly.
    Assembly,
}

impl Pass<'_> {
    /// What a call instruction calls.
    pub(super) fn callee_of(&self, call: Value) -> Callee {
        let callee = call.callee();
        if callee.is_inline_asm() {
            return Callee::Assembly;
        }
        if !callee.is_function() {
            return Callee::Indirect;
        }
        if self.instrumented.contains(&callee) {
            return Callee::Instrumented(callee);
        }
        let name = callee.name();
        match name.as_str() {
            "__tk_cond" => Callee::Condition,
            "__tk_switch" => Callee::Switch,
            "__tk_begin" => Callee::Begin,
            "__tk_decision" => Callee::Decision,
            "__tk_stmt" => Callee::Statement,
            ASSUMPTION => Callee::Assumption,
            CHECK => Callee::Check,
            COPIES => Callee::Copies,
            FITS => Callee::Fits,
            _ if callee.is_intrinsic() => Callee::Intrinsic(name),
            _ if is_runtime_name(&name) => Callee::Runtime,
            _ => match math_call(&name, call) {
                Some(op) => Callee::Math(op),
                None => Callee::Native(name),
            },
        }
    }
}

/// Allocators that are asked for so many bytes.
const MEASURED: &[&str] = &["tkw_malloc", "tkw_realloc"];

/// Whether a native function's last argument is a `va_list`, through which it sees values no argument shows.
fn takes_argument_list(call: Value) -> bool {
    const FUNCTIONS: &[&str] = &[
        "vprintf",
        "vfprintf",
        "vsprintf",
        "vsnprintf",
        "vdprintf",
        "vasprintf",
        "vsyslog",
        "verr",
        "vwarn",
        "vscanf",
        "vfscanf",
        "vsscanf",
        "__vsnprintf",
        "__vsscanf",
    ];
    let callee = call.callee();
    callee.is_function() && FUNCTIONS.contains(&callee.name().as_str())
}

/// The name the user knows a wrapper of the runtime by, or what a model calls in the library.
fn user_name(name: &str) -> &str {
    match name {
        "__strtod_internal" => "strtod",
        "__strtold_internal" => "strtold",
        "__vsnprintf" => "vsnprintf",
        "__vsscanf" => "vsscanf",
        "tkw_sprintf_l" => "sprintf",
        _ => name.strip_prefix("tkw_").unwrap_or(name),
    }
}

/// The operation of a `math.h` call, if the types are those of the C library.
fn math_call(name: &str, call: Value) -> Option<Op> {
    let (op, width) = [('f', 32), ('l', 80)]
        .into_iter()
        .find_map(|(suffix, width)| Some((math_operation(name.strip_suffix(suffix)?, width)?, width)))
        .or_else(|| Some((math_operation(name, 64)?, 64)))?;
    let arguments = call.arguments();
    let fits = scalar(call.ty()) == Scalar::Float(width)
        && arguments.len() == op.arity() as usize
        && arguments.iter().all(|argument| scalar(argument.ty()) == Scalar::Float(width));
    fits.then_some(op)
}

impl Body<'_, '_> {
    pub(super) fn call(&mut self, call: Value) {
        match self.pass.callee_of(call) {
            Callee::Condition => self.condition_probe(call),
            Callee::Switch => self.switch_probe(call),
            Callee::Begin => self.begin_probe(call),
            Callee::Decision => self.decision_probe(call),
            Callee::Statement => self.statement_probe(call),
            Callee::Assumption => self.assume(call),
            Callee::Check => self.check(call),
            Callee::Copies => self.announced_copy(call),
            Callee::Fits => self.fits(call),
            Callee::Intrinsic(name) => self.intrinsic(call, &name),
            Callee::Math(op) => {
                let width = scalar(call.ty()).width();
                self.float_operation(call, op, width, &call.arguments());
            }
            Callee::Runtime => self.runtime_call(call),
            Callee::Native(name) => self.native_call(call, &format!("call to {}", user_name(&name))),
            Callee::Assembly => self.native_call(call, "inline assembly"),
            Callee::Instrumented(function) if function.function_type() != call.callee_type() => {
                // Called as something it is not (an old-style declaration): labels would not meet their parameters.
                self.unmodelled(call, &format!("call to {} with other parameter types", function.name()));
            }
            Callee::Instrumented(_) | Callee::Indirect => self.labelled_call(call),
        }
    }

    fn labelled_call(&mut self, call: Value) {
        let fixed = call.callee_type().param_count() as usize;
        let callee = call.callee();
        self.choose_callee(call, callee);
        self.pass.hook("tkf_call", &[callee]);
        let mut slot = 0;
        let mut buffer = ByValue::default();
        for (index, argument) in call.arguments().into_iter().enumerate().take(fixed) {
            if let Some(ty) = call.call_byval(index as u32) {
                let pass = &*self.pass;
                let size = pass.layout.alloc_size(ty);
                let offset = pass.u32(buffer.next(size) as u32);
                pass.hook("tk_byval_argument", &[offset, argument, pass.u64(size)]);
                continue;
            }
            for label in self.labels_of(argument) {
                self.pass_label(call, slot, label);
                slot += 1;
            }
        }
        if call.callee_type().is_variadic() {
            self.variadic_arguments(call, fixed);
        }
        let count = leaf_count(call.ty()).min(MOST_RESULTS as usize);
        let Some(next) = call.next() else { return };
        if count > 0 {
            self.before(next);
            let pass = &*self.pass;
            let mut labels: Vec<Value> =
                (0..count).map(|index| pass.hook("tkf_get_result", &[pass.u32(index as u32)])).collect();
            labels.resize(leaf_count(call.ty()), pass.no_label());
            self.set_labels(call, labels);
        }
    }

    fn pass_label(&mut self, call: Value, slot: u32, label: Value) {
        if slot < MOST_ARGUMENTS {
            self.pass.hook("tkf_set_argument", &[self.pass.u32(slot), label]);
        } else if !label.is_null() {
            let site = self.site(SiteInfoKind::Concretising, call, "argument beyond the 256th");
            self.concretise(site, label);
        }
    }

    /// Logs which function a symbolic pointer names, before it is called.
    fn choose_callee(&mut self, call: Value, callee: Value) {
        let label = self.label_of(callee);
        if !label.is_null() {
            let site = self.site(SiteInfoKind::Internal, call, THROUGH_POINTER);
            let pass = &*self.pass;
            pass.hook("tkf_internal_switch", &[pass.u32(site), pass.as_u64(callee), label]);
        }
    }

    /// A call to a function of the runtime: numbers it is given become concrete, pointers it understands.
    fn runtime_call(&mut self, call: Value) {
        let what = format!("call to {}", user_name(&call.callee().name()));
        let labels: Vec<Value> = call
            .arguments()
            .into_iter()
            .filter(|argument| !argument.ty().is_pointer())
            .flat_map(|argument| self.labels_of(argument))
            .filter(|label| !label.is_null())
            .collect();
        // A wrapped library function has a site even if nothing symbolic can reach it: its result is decided by
        // something that is not an input, and whoever claims a proof must know that it is there.
        if labels.is_empty() && !call.callee().name().starts_with("tkw_") {
            return;
        }
        let site = self.site(SiteInfoKind::Concretising, call, what);
        for &label in &labels {
            self.pass.hook("tkf_native_argument", &[self.pass.u32(site), label]);
        }
        // A copy into the block is a matter of its size, too.
        if let (true, [label]) = (MEASURED.contains(&call.callee().name().as_str()), &labels[..]) {
            self.pass.hook("tk_block_size", &[*label]);
        }
    }

    /// A call to code without hooks: symbolic arguments are counted, and what it writes through its pointers loses
    /// its labels.
    pub(super) fn native_call(&mut self, call: Value, what: &str) {
        let arguments = call.arguments();
        let labels: Vec<Value> = arguments
            .iter()
            .flat_map(|argument| self.labels_of(*argument))
            .filter(|label| !label.is_null())
            .collect();
        let mut pointers: Vec<Value> = arguments
            .iter()
            .copied()
            .filter(|argument| argument.ty().is_pointer() && !argument.is_null() && !argument.is_function())
            .collect();
        if let Some(list) = arguments.last().filter(|_| takes_argument_list(call)) {
            pointers.extend(self.argument_areas(*list));
        }
        // With or without symbolic arguments: see `runtime_call`.
        let site = self.site(SiteInfoKind::Concretising, call, what);
        let number = self.pass.u32(site);
        for label in labels {
            self.pass.hook("tkf_native_argument", &[number, label]);
        }
        for pointer in &pointers {
            self.pass.hook("tk_native_pointer", &[number, *pointer]);
        }
        if let Some(next) = call.next().filter(|_| !pointers.is_empty()) {
            self.before(next);
            self.pass.hook("tk_native_return", &[number]);
        }
    }
}
