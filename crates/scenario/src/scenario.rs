//! Steps and the objects they work on.

use serde::{Deserialize, Serialize};

use crate::{Object, Role};

/// Everything a program is given: objects that exist before the first step, and steps in their order.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scenario {
    /// What is done, in order. The last step is the one under test; those before it bring the program there.
    pub steps: Vec<Step>,
    /// Roots first (arguments in order, step by step; globals; what stubs hand out), then pointees in order of their
    /// address. A stub's value is only here if the stub was called that often.
    pub objects: Vec<Object>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// A function is called.
    Call {
        /// Its name.
        function: String,
        /// What it is given, in the order of its parameters.
        arguments: Vec<Value>,
    },
}

/// What a step is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// The bytes of the object at this index of [`Scenario::objects`].
    Object(u32),
}

impl Scenario {
    /// A scenario that calls one function so many times in a row, with the arguments that are among the objects.
    pub fn of_calls(function: &str, calls: u32, objects: Vec<Object>) -> Scenario {
        let steps = (0..calls.max(1)).map(|step| {
            let mut arguments: Vec<(u32, Value)> = Vec::new();
            for (index, object) in objects.iter().enumerate() {
                if let Role::Argument { step: of, position } = object.role
                    && of == step
                {
                    arguments.push((position, Value::Object(index as u32)));
                }
            }
            arguments.sort_by_key(|&(position, _)| position);
            let arguments = arguments.into_iter().map(|(_, value)| value).collect();
            Step::Call { function: function.to_string(), arguments }
        });
        Scenario { steps: steps.collect(), objects }
    }

    /// The number of the step under test.
    pub fn last_step(&self) -> u32 {
        (self.steps.len() as u32).saturating_sub(1)
    }

    /// The object that is this argument.
    pub fn argument(&self, step: u32, position: u32) -> Option<&Object> {
        let Step::Call { arguments, .. } = self.steps.get(step as usize)?;
        let Value::Object(index) = arguments.get(position as usize)?;
        self.objects.get(*index as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TypeKey;

    fn argument(step: u32, position: u32) -> Object {
        Object::new(Role::Argument { step, position }, TypeKey::new("int"), vec![position as u8, 0, 0, 0])
    }

    #[test]
    fn calls_in_a_row_take_their_own_arguments_in_order() {
        let objects = vec![argument(0, 1), argument(0, 0), argument(1, 0), argument(1, 1)];
        let scenario = Scenario::of_calls("add", 2, objects);
        assert_eq!(scenario.last_step(), 1);
        assert_eq!(
            scenario.steps[0],
            Step::Call { function: "add".into(), arguments: vec![Value::Object(1), Value::Object(0)] }
        );
        assert_eq!(scenario.argument(0, 1).unwrap().bytes, [1, 0, 0, 0]);
        assert_eq!(scenario.argument(0, 2), None);
    }

    #[test]
    fn a_function_without_parameters_is_called_all_the_same() {
        assert_eq!(Scenario::of_calls("tick", 3, Vec::new()).steps.len(), 3);
    }

    #[test]
    fn a_scenario_is_the_same_after_a_journey_as_text() {
        let scenario = Scenario::of_calls("add", 1, vec![argument(0, 0), argument(0, 1)]);
        let text = serde_json::to_string(&scenario).unwrap();
        assert_eq!(serde_json::from_str::<Scenario>(&text).unwrap(), scenario);
    }
}
