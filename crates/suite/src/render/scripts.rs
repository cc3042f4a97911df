//! What a test makes its stubs do, call by call.
//!
//! Takes a scene whose objects are what stubs gave; gives a script for each stub that was called. What the values point to is
//! declared in the scene. Never: the text of stubs (see `format::stubs`).

use std::collections::BTreeMap;

use tarka_scenario::Role;
use tarka_source::StubPart;

use crate::render::scene::{Scene, SceneObject, Unspellable};
use crate::render::tree::{Script, Value};
use crate::render::{errno, literal};

/// The scripts of one input.
pub fn scripts(scene: &mut Scene) -> Result<Vec<Script>, Unspellable> {
    let mut found: BTreeMap<u32, Vec<BTreeMap<StubPart, Value>>> = BTreeMap::new();
    for (index, object) in scene.objects.clone().into_iter().enumerate() {
        let Role::Stub { stub, call, part } = *object.role else { continue };
        let calls = found.entry(stub).or_default();
        if calls.len() <= call as usize {
            calls.resize(call as usize + 1, BTreeMap::new());
        }
        if object.before.iter().any(|&byte| byte != 0) {
            let gives_place = (scene.stubs.get(stub as usize))
                .is_some_and(|stub| stub.gives_place(&scene.model.types).is_some());
            let value = match (part, gives_place.then(|| place(object)).flatten()) {
                (StubPart::Errno, _) => Value::expression(errno::text(object.before)),
                (StubPart::Result, Some(place)) => place,
                (StubPart::Result | StubPart::Out(_), _) => scene.written_value(index)?,
            };
            calls[call as usize].insert(part, value);
        }
    }
    let goes_on = scene.executed.observation.stubs_go_on;
    Ok(found.into_iter().map(|(stub, calls)| Script { stub, calls, goes_on }).collect())
}

/// One more than a place: `1 + 3` for `argument + 3`.
fn place(object: SceneObject) -> Option<Value> {
    match literal::sign_extend(literal::read_bits(object.before, 0, 32), 32, true) {
        number @ 2.. => Some(Value::expression(format!("1 + {}", number - 1))),
        _ => None,
    }
}
