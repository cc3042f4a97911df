//! A test as a tree: declarations, statements, calls and checks.
//!
//! Made by the rest of this room; read by the formats, which lay it out, and by the replay, which takes back checks that did
//! not hold. The leaves are C expressions. Never: layout, files, words of a test framework.

use std::collections::BTreeMap;

use tarka_source::StubPart;

/// One test, or the way to one fault: everything that a file says of one run.
#[derive(Clone, Debug)]
pub struct Test {
    /// What stands before the calls.
    pub setup: Vec<Statement>,
    /// What stubs do.
    pub scripts: Vec<Script>,
    /// Calls before the one that is checked: the unit keeps what they did.
    pub earlier: Vec<Call>,
    /// The call.
    pub call: Call,
    /// What becomes of its result.
    pub result: ResultVariable,
    /// What its variable is called.
    pub result_name: String,
    /// What was seen after it.
    pub checks: Vec<Check>,
    /// The exit status if the unit ends the program.
    pub exit: Option<i32>,
    /// The argument of each parameter, by name.
    pub inputs: Vec<(String, String)>,
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name.
    pub function: String,
    /// Expressions.
    pub arguments: Vec<String>,
    /// It returns something.
    pub returns: bool,
}

/// What becomes of the result of the call that is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultVariable {
    /// There is none to look at.
    Nothing,
    /// It is kept in a variable with this declaration.
    Declared(String),
    /// It is kept in a variable whose type has no name.
    Inferred,
}

/// One step of the setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// For the reader.
    Comment(String),
    /// A variable.
    Declare(Declaration),
    /// A place that exists gets a value.
    Assign {
        /// The place.
        place: String,
        /// What it gets.
        value: Value,
    },
    /// Bytes are copied, because the place cannot be assigned to.
    Copy {
        /// Where to.
        to: String,
        /// What.
        from: Value,
        /// How many bytes.
        size: String,
    },
    /// A string is copied.
    CopyText {
        /// Where to.
        to: String,
        /// The literal.
        text: String,
        /// Bytes of the place, if all after the string are to become zero.
        fill: Option<String>,
    },
    /// Bytes become zero.
    Clear {
        /// Where.
        at: String,
        /// How many.
        size: String,
    },
    /// A call for its effect.
    Call(Call),
}

/// The declaration of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Storage, type and name.
    pub declared: String,
    /// What it begins with; nothing for zeros of static storage.
    pub value: Option<Value>,
    /// For the reader.
    pub remark: Option<&'static str>,
}

/// A value as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// It is an object without a name.
    pub unnamed: Option<Unnamed>,
    /// The value itself.
    pub init: Init,
    /// What to write when everything is zero.
    pub zero: String,
}

impl Value {
    /// An expression.
    pub fn expression(text: impl Into<String>) -> Value {
        Value { unnamed: None, init: Init::Atom(text.into()), zero: String::new() }
    }

    /// What stands after the `=` of a declaration.
    pub fn plain(init: Init, zero: impl Into<String>) -> Value {
        Value { unnamed: None, init, zero: zero.into() }
    }
}

/// An object without a name, `(struct point){1, 2}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unnamed {
    /// Its type.
    pub ty: String,
    /// Its address is meant.
    pub by_address: bool,
}

/// An initialiser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// All bytes zero: left out inside a list.
    Zero,
    /// One expression.
    Atom(String),
    /// `{…}`.
    List(Vec<Item>),
}

/// A member of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// `.name` or `[3]`; empty for the next element in order.
    pub designator: String,
    /// Its value.
    pub value: Init,
}

impl Init {
    /// The text on one line. `zero` is what to write when everything is zero.
    pub fn on_one_line(&self, zero: &str) -> String {
        match self {
            Init::Zero => zero.to_string(),
            Init::Atom(text) => text.clone(),
            Init::List(items) => {
                let items: Vec<String> =
                    items.iter().map(|item| item.prefix() + &item.value.on_one_line("0")).collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }
}

impl Item {
    /// The designator with what follows it.
    pub fn prefix(&self) -> String {
        if self.designator.is_empty() { String::new() } else { format!("{} = ", self.designator) }
    }
}

/// Something that was seen after the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The place that was looked at.
    pub place: String,
    /// That place is the result or a part of it.
    pub of_result: bool,
    /// What was seen there.
    pub seen: ObservedValue,
    /// No replay disagreed.
    pub holds: bool,
}

/// What was seen at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObservedValue {
    /// An integer, a boolean or an enumeration.
    Number(String),
    /// A floating-point number.
    Float {
        /// The literal.
        value: String,
        /// A zero with a sign, which no comparison sees.
        negative_zero: bool,
    },
    /// Not a number. Which of them may differ between compilers.
    NotANumber,
    /// A null pointer.
    Null,
    /// A pointer to something that a test has no name for.
    NotNull,
    /// A pointer to this.
    PointsTo(String),
    /// A string of plain characters.
    Text(String),
    /// A string of other characters, with its end.
    Characters(String),
    /// Many elements at once.
    Elements {
        /// Name of the array to compare with.
        name: String,
        /// Its declaration.
        declared: String,
        /// Its elements.
        values: Vec<String>,
    },
}

/// What a test makes a stub do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Which stub, by index.
    pub stub: u32,
    /// For each call, the values that are not zero.
    pub calls: Vec<BTreeMap<StubPart, Value>>,
    /// The run had no values for some calls of stubs, which went on by themselves.
    pub goes_on: bool,
}

impl Script {
    /// The calls that are written down. Zeros come by themselves where no stub goes on; one is shown where a script ends
    /// with them.
    pub fn written(&self, goes_on: bool) -> &[BTreeMap<StubPart, Value>] {
        let last = self.calls.iter().rposition(|call| !call.is_empty());
        let count = if goes_on { self.calls.len() } else { last.map_or(0, |last| last + 2) };
        &self.calls[..count.min(self.calls.len())]
    }
}
