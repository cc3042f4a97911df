//! The functions of Z3's C interface that Tarka calls, as declared in `z3_api.h` and `z3_fpa.h` of Z3 4.8.12.
//!
//! Declared here because that is all a solver on bit vectors needs, and because the interface has been stable since
//! 4.8: no generator and no libclang stand between a build and the system's libz3.

use std::ffi::{c_char, c_int, c_uint};

/// A pointer type of the interface; what it points to belongs to Z3.
macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub(super) struct $name { _private: [u8; 0] }
    )* };
}

opaque! { ConfigCell ContextCell SymbolCell SortCell AstCell ParamsCell SolverCell ModelCell TacticCell }

pub(super) type Config = *mut ConfigCell;
pub(super) type RawContext = *mut ContextCell;
pub(super) type Symbol = *mut SymbolCell;
pub(super) type Sort = *mut SortCell;
pub(super) type RawAst = *mut AstCell;
pub(super) type Params = *mut ParamsCell;
pub(super) type RawSolver = *mut SolverCell;
pub(super) type RawModel = *mut ModelCell;
pub(super) type Tactic = *mut TacticCell;
pub(super) type ErrorHandler = Option<unsafe extern "C" fn(RawContext, c_int)>;

/// `Z3_lbool` of a formula that has a model.
pub(super) const L_TRUE: c_int = 1;
/// `Z3_lbool` of a formula that has none.
pub(super) const L_FALSE: c_int = -1;

/// Operations from terms to a term, by their number of operands.
pub(super) type Op1 = unsafe extern "C" fn(RawContext, RawAst) -> RawAst;
pub(super) type Op2 = unsafe extern "C" fn(RawContext, RawAst, RawAst) -> RawAst;
pub(super) type Op3 = unsafe extern "C" fn(RawContext, RawAst, RawAst, RawAst) -> RawAst;
pub(super) type Op4 = unsafe extern "C" fn(RawContext, RawAst, RawAst, RawAst, RawAst) -> RawAst;

macro_rules! ops {
    ($($name:ident ( $($operand:ident)* );)*) => {
        #[link(name = "z3")]
        unsafe extern "C" { $( pub(super) fn $name(c: RawContext $(, $operand: RawAst)*) -> RawAst; )* }
    };
}

ops! {
    Z3_mk_true();
    Z3_mk_false();
    Z3_mk_not(a);
    Z3_mk_eq(a b);
    Z3_mk_xor(a b);
    Z3_mk_ite(a b c);
    Z3_mk_bvnot(a);
    Z3_mk_bvneg(a);
    Z3_mk_bvand(a b);
    Z3_mk_bvor(a b);
    Z3_mk_bvxor(a b);
    Z3_mk_bvadd(a b);
    Z3_mk_bvsub(a b);
    Z3_mk_bvmul(a b);
    Z3_mk_bvudiv(a b);
    Z3_mk_bvsdiv(a b);
    Z3_mk_bvurem(a b);
    Z3_mk_bvsrem(a b);
    Z3_mk_bvshl(a b);
    Z3_mk_bvlshr(a b);
    Z3_mk_bvashr(a b);
    Z3_mk_bvult(a b);
    Z3_mk_bvule(a b);
    Z3_mk_bvslt(a b);
    Z3_mk_bvsle(a b);
    Z3_mk_concat(a b);
    Z3_mk_fpa_rne();
    Z3_mk_fpa_rna();
    Z3_mk_fpa_rtp();
    Z3_mk_fpa_rtn();
    Z3_mk_fpa_rtz();
    Z3_mk_fpa_abs(a);
    Z3_mk_fpa_neg(a);
    Z3_mk_fpa_is_nan(a);
    Z3_mk_fpa_eq(a b);
    Z3_mk_fpa_lt(a b);
    Z3_mk_fpa_leq(a b);
    Z3_mk_fpa_sqrt(rounding a);
    Z3_mk_fpa_round_to_integral(rounding a);
    Z3_mk_fpa_add(rounding a b);
    Z3_mk_fpa_sub(rounding a b);
    Z3_mk_fpa_mul(rounding a b);
    Z3_mk_fpa_div(rounding a b);
    Z3_mk_fpa_fma(rounding a b c);
}

#[link(name = "z3")]
unsafe extern "C" {
    pub(super) fn Z3_global_param_set(name: *const c_char, value: *const c_char);
    pub(super) fn Z3_mk_config() -> Config;
    pub(super) fn Z3_del_config(config: Config);
    pub(super) fn Z3_mk_context_rc(config: Config) -> RawContext;
    pub(super) fn Z3_del_context(c: RawContext);
    pub(super) fn Z3_set_error_handler(c: RawContext, handler: ErrorHandler);
    pub(super) fn Z3_get_error_code(c: RawContext) -> c_int;
    pub(super) fn Z3_get_error_msg(c: RawContext, code: c_int) -> *const c_char;
    pub(super) fn Z3_inc_ref(c: RawContext, a: RawAst);
    pub(super) fn Z3_dec_ref(c: RawContext, a: RawAst);

    pub(super) fn Z3_mk_int_symbol(c: RawContext, number: c_int) -> Symbol;
    pub(super) fn Z3_mk_string_symbol(c: RawContext, name: *const c_char) -> Symbol;
    pub(super) fn Z3_mk_bv_sort(c: RawContext, width: c_uint) -> Sort;
    pub(super) fn Z3_mk_fpa_sort(c: RawContext, exponent: c_uint, significand: c_uint) -> Sort;
    pub(super) fn Z3_mk_const(c: RawContext, name: Symbol, sort: Sort) -> RawAst;
    pub(super) fn Z3_mk_unsigned_int64(c: RawContext, value: u64, sort: Sort) -> RawAst;
    pub(super) fn Z3_mk_and(c: RawContext, count: c_uint, operands: *const RawAst) -> RawAst;
    pub(super) fn Z3_mk_or(c: RawContext, count: c_uint, operands: *const RawAst) -> RawAst;
    pub(super) fn Z3_mk_extract(c: RawContext, high: c_uint, low: c_uint, a: RawAst) -> RawAst;
    pub(super) fn Z3_mk_zero_ext(c: RawContext, more: c_uint, a: RawAst) -> RawAst;
    pub(super) fn Z3_mk_sign_ext(c: RawContext, more: c_uint, a: RawAst) -> RawAst;
    pub(super) fn Z3_mk_fpa_to_fp_bv(c: RawContext, a: RawAst, sort: Sort) -> RawAst;
    pub(super) fn Z3_mk_fpa_to_fp_float(c: RawContext, rounding: RawAst, a: RawAst, sort: Sort) -> RawAst;
    pub(super) fn Z3_mk_fpa_to_fp_signed(c: RawContext, rounding: RawAst, a: RawAst, sort: Sort) -> RawAst;
    pub(super) fn Z3_mk_fpa_to_fp_unsigned(c: RawContext, rounding: RawAst, a: RawAst, sort: Sort) -> RawAst;
    pub(super) fn Z3_mk_fpa_to_sbv(c: RawContext, rounding: RawAst, a: RawAst, width: c_uint) -> RawAst;

    pub(super) fn Z3_mk_params(c: RawContext) -> Params;
    pub(super) fn Z3_params_inc_ref(c: RawContext, params: Params);
    pub(super) fn Z3_params_dec_ref(c: RawContext, params: Params);
    pub(super) fn Z3_params_set_uint(c: RawContext, params: Params, key: Symbol, value: c_uint);

    pub(super) fn Z3_mk_simple_solver(c: RawContext) -> RawSolver;
    pub(super) fn Z3_mk_solver_for_logic(c: RawContext, logic: Symbol) -> RawSolver;
    pub(super) fn Z3_mk_solver_from_tactic(c: RawContext, tactic: Tactic) -> RawSolver;
    pub(super) fn Z3_mk_tactic(c: RawContext, name: *const c_char) -> Tactic;
    pub(super) fn Z3_tactic_and_then(c: RawContext, first: Tactic, second: Tactic) -> Tactic;
    pub(super) fn Z3_tactic_inc_ref(c: RawContext, tactic: Tactic);
    pub(super) fn Z3_tactic_dec_ref(c: RawContext, tactic: Tactic);
    pub(super) fn Z3_solver_inc_ref(c: RawContext, solver: RawSolver);
    pub(super) fn Z3_solver_dec_ref(c: RawContext, solver: RawSolver);
    pub(super) fn Z3_solver_set_params(c: RawContext, solver: RawSolver, params: Params);
    pub(super) fn Z3_solver_assert(c: RawContext, solver: RawSolver, a: RawAst);
    pub(super) fn Z3_solver_check(c: RawContext, solver: RawSolver) -> c_int;
    pub(super) fn Z3_solver_get_reason_unknown(c: RawContext, solver: RawSolver) -> *const c_char;
    pub(super) fn Z3_solver_get_model(c: RawContext, solver: RawSolver) -> RawModel;
    pub(super) fn Z3_model_inc_ref(c: RawContext, model: RawModel);
    pub(super) fn Z3_model_dec_ref(c: RawContext, model: RawModel);
    pub(super) fn Z3_model_eval(
        c: RawContext,
        model: RawModel,
        a: RawAst,
        complete: bool,
        value: *mut RawAst,
    ) -> bool;
    pub(super) fn Z3_get_numeral_uint64(c: RawContext, a: RawAst, value: *mut u64) -> bool;
    pub(super) fn Z3_is_numeral_ast(c: RawContext, a: RawAst) -> bool;
}
