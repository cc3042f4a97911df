//! One run as a test: named, declared and observed.
//!
//! Takes a unit, what was given and what was seen; gives the tree. Never: how a file words it.

use tarka_events::UnitResult;
use tarka_scenario::Executed;
use tarka_source::{Function, SourceModel, TypeKind, declare};

use crate::names;
use crate::render::observe::checks;
use crate::render::scene::{Scene, Unspellable};
use crate::render::scripts::scripts;
use crate::render::tree::{Call, ResultVariable, Test};

/// How a run that becomes a test ended.
#[derive(Clone, Copy, Debug)]
pub enum Ended<'a> {
    /// With these bytes as its result; none if there is none to look at.
    Returned(&'a [u8]),
    /// With the program.
    Exited(i32),
    /// It is of no interest: nothing is checked.
    Somehow,
}

/// Names, declares and observes one run.
pub fn test(
    model: &SourceModel,
    function: &Function,
    unit: &UnitResult,
    executed: &Executed,
    ended: Ended,
) -> Result<Test, Unspellable> {
    let mut scene = Scene::of_unit(model, function, unit, executed)?;
    let scripts = scripts(&mut scene)?;
    let name = names::emitted(&function.name);
    let result_name = names::free_beside("result", model);
    let is_void = matches!(model.types.get(function.result).kind, TypeKind::Void);
    let has_none = is_void || matches!(ended, Ended::Returned([]));
    let result = match declare(&model.types, function.result, &result_name) {
        _ if has_none => ResultVariable::Nothing,
        Some(declared) => ResultVariable::Declared(declared),
        None => ResultVariable::Inferred,
    };
    let call = |arguments: &Vec<String>| Call {
        function: name.clone(),
        arguments: arguments.clone(),
        returns: !is_void,
    };
    let inputs = function.params.iter().map(|param| param.name.clone()).zip(scene.arguments.iter().cloned());
    let mut earlier: Vec<Call> = scene.calls.iter().map(call).collect();
    Ok(Test {
        call: earlier.pop().unwrap_or_else(|| call(&Vec::new())),
        earlier,
        result,
        result_name: result_name.clone(),
        checks: match ended {
            Ended::Returned(bytes) => checks(&scene, &result_name, bytes),
            Ended::Exited(_) | Ended::Somehow => Vec::new(),
        },
        exit: match ended {
            Ended::Exited(status) => Some(status),
            Ended::Returned(_) | Ended::Somehow => None,
        },
        inputs: inputs.collect(),
        setup: scene.setup,
        scripts,
    })
}
