//! `tarka.toml`: its tables and keys, each refusal with line and column.
//!
//! ```toml
//! [bounds]                     # for every function
//! depth = 8                    # pointers followed from a parameter
//! elements = 256               # elements of an object whose size nobody states
//! string = 256                 # bytes of a string, its end included
//! calls = 4                    # calls in a row of a function with static variables
//! stub_calls = 8               # calls of an undefined function with an answer of their own
//!
//! [function.parse]
//! assume = ["n >= 0 && n <= 16", "buffer != NULL"]
//! depth = 3                    # any of the bounds
//! sizes = { buffer = 16 }      # elements that a parameter points to
//!
//! [[silence]]                  # a fault that was judged
//! kind = "leak"
//! function = "parse"           # where it is; any if left out
//! line = "copy = strdup(s);"   # part of its line; any if left out
//! reason = "the pool frees it"
//! ```

use std::ops::Range;
use std::path::Path;

use toml_edit::{Document, Item, Table, TableLike, Value};

use crate::error::did_you_mean;
use crate::{Assume, BoundsGiven, FunctionSettings, Origin, Settings, SettingsError, Silence};

/// The bounds and the largest value of each.
const BOUNDS: &[(&str, i64)] =
    &[("depth", 64), ("elements", 65536), ("string", 65536), ("calls", 64), ("stub_calls", 256)];

impl Settings {
    /// Adds what a `tarka.toml` says.
    pub fn add_file(&mut self, file: &Path, text: &str) -> Result<(), SettingsError> {
        let reader = Reader { file, text };
        let document = Document::parse(text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            reader.refuse(error.span(), format!("this is not TOML: {message}"))
        })?;
        for (key, item) in document.iter() {
            let place = reader.key_span(document.as_table(), key);
            match key {
                "bounds" => {
                    let table = reader.table(item, place, "[bounds]")?;
                    for (key, item) in table.iter() {
                        let place = span_of(table, key);
                        if !reader.bound(&mut self.bounds, key, item)? {
                            let names: Vec<&str> = BOUNDS.iter().map(|(name, _)| *name).collect();
                            let hint = did_you_mean(key, &names);
                            return Err(reader.refuse(place, format!("there is no bound `{key}`{hint}")));
                        }
                    }
                }
                "function" => {
                    let functions = reader.table(item, place, "[function.NAME]")?;
                    for (name, item) in functions.iter() {
                        let place = span_of(functions, name);
                        let table = reader.table(item, place.clone(), "[function.NAME]")?;
                        let settings = self.functions.entry(name.to_string()).or_default();
                        reader.function(settings, table, place)?;
                    }
                }
                "silence" => {
                    let tables = item.as_array_of_tables().ok_or_else(|| {
                        reader
                            .refuse(place.clone(), "this must be a table of a list: [[silence]]".to_string())
                    })?;
                    for table in tables.iter() {
                        self.silences.push(reader.silence(table)?);
                    }
                }
                _ => {
                    let hint = did_you_mean(key, &["bounds", "function", "silence"]);
                    return Err(reader.refuse(place, format!("there is no table `{key}` here{hint}")));
                }
            }
        }
        Ok(())
    }
}

fn span_of(table: &dyn TableLike, key: &str) -> Option<Range<usize>> {
    table.get_key_value(key).and_then(|(key, _)| key.span())
}

struct Reader<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn origin(&self, span: Option<Range<usize>>) -> Origin {
        let at = span.map_or(0, |span| span.start).min(self.text.len());
        let before = &self.text[..at];
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() as u32 + 1;
        Origin::File { file: self.file.to_path_buf(), line, column }
    }

    fn refuse(&self, span: Option<Range<usize>>, message: String) -> SettingsError {
        SettingsError { origin: self.origin(span), message }
    }

    fn key_span(&self, table: &Table, key: &str) -> Option<Range<usize>> {
        table.key(key).and_then(toml_edit::Key::span).or_else(|| table.get(key).and_then(Item::span))
    }

    fn table<'t>(
        &self,
        item: &'t Item,
        place: Option<Range<usize>>,
        shape: &str,
    ) -> Result<&'t dyn TableLike, SettingsError> {
        item.as_table_like().ok_or_else(|| self.refuse(place, format!("this must be a table: {shape}")))
    }

    fn silence(&self, table: &Table) -> Result<Silence, SettingsError> {
        let mut values: [Option<String>; 4] = Default::default();
        let keys = ["kind", "function", "line", "reason"];
        for (key, item) in table.iter() {
            let place = self.key_span(table, key);
            let Some(position) = keys.iter().position(|known| *known == key) else {
                let hint = did_you_mean(key, &keys);
                return Err(self.refuse(place, format!("a silence has no `{key}`{hint}")));
            };
            let text = item.as_str().filter(|text| !text.trim().is_empty());
            let text = text.ok_or_else(|| self.refuse(place, format!("`{key}` must be a text")))?;
            values[position] = Some(text.to_string());
        }
        let [kind, function, line, reason] = values;
        let missing = |what: &str| self.refuse(table.span(), format!("a silence needs a {what}"));
        Ok(Silence {
            kind: kind.ok_or_else(|| missing("kind"))?,
            function,
            line,
            reason: reason.ok_or_else(|| missing("reason"))?,
            origin: self.origin(table.span()),
        })
    }

    fn function(
        &self,
        settings: &mut FunctionSettings,
        table: &dyn TableLike,
        place: Option<Range<usize>>,
    ) -> Result<(), SettingsError> {
        settings.origin = self.origin(place);
        for (key, item) in table.iter() {
            let place = span_of(table, key);
            match key {
                "assume" => self.assumes(settings, item)?,
                "sizes" => {
                    let sizes = self.table(item, place, "sizes = { parameter = 16 }")?;
                    for (parameter, item) in sizes.iter() {
                        let number = self.number(parameter, item, 65536)?;
                        settings.sizes.insert(parameter.to_string(), number as u64);
                    }
                }
                _ if self.bound(&mut settings.bounds, key, item)? => {}
                _ => {
                    let mut names = vec!["assume", "sizes"];
                    names.extend(BOUNDS.iter().map(|(name, _)| *name));
                    let hint = did_you_mean(key, &names);
                    let message = format!("`{key}` is nothing that can be said of a function{hint}");
                    return Err(self.refuse(place, message));
                }
            }
        }
        Ok(())
    }

    fn assumes(&self, settings: &mut FunctionSettings, item: &Item) -> Result<(), SettingsError> {
        let wrong =
            |span| self.refuse(span, "`assume` takes C expressions: [\"n >= 0\", \"n <= 16\"]".into());
        let one = |value: &Value| {
            let expression = value.as_str().ok_or_else(|| wrong(value.span()))?.to_string();
            if expression.trim().is_empty() {
                return Err(self.refuse(value.span(), "an empty precondition says nothing".to_string()));
            }
            // Behind the opening quote, so that a column in the expression can be added to it.
            let span = value.span().map(|span| span.start + 1..span.end);
            Ok(Assume { expression, origin: self.origin(span) })
        };
        match item.as_value() {
            Some(Value::Array(values)) => {
                for value in values {
                    settings.assumes.push(one(value)?);
                }
            }
            Some(value) => settings.assumes.push(one(value)?),
            None => return Err(wrong(item.span())),
        }
        Ok(())
    }

    /// Takes a bound; false if the key is none.
    fn bound(&self, bounds: &mut BoundsGiven, key: &str, item: &Item) -> Result<bool, SettingsError> {
        let Some((_, most)) = BOUNDS.iter().find(|(name, _)| *name == key) else { return Ok(false) };
        let number = self.number(key, item, *most)?;
        match key {
            "depth" => bounds.depth = Some(number as u32),
            "elements" => bounds.elements = Some(number as u64),
            "string" => bounds.string = Some(number as u64),
            "calls" => bounds.calls = Some(number as u32),
            _ => bounds.stub_calls = Some(number as u32),
        }
        Ok(true)
    }

    fn number(&self, key: &str, item: &Item, most: i64) -> Result<i64, SettingsError> {
        let refuse = |message: String| Err(self.refuse(item.span(), message));
        match item.as_integer() {
            Some(0) => refuse(format!("`{key}` must be at least 1: a bound of zero leaves nothing to try")),
            Some(number) if (1..=most).contains(&number) => Ok(number),
            Some(number) => refuse(format!("`{key} = {number}` is out of range: 1 to {most}")),
            None => refuse(format!("`{key}` takes a number from 1 to {most}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        settings.add_file(Path::new("tarka.toml"), text).map_err(|error| error.to_string())?;
        Ok(settings)
    }

    #[test]
    fn bounds_of_a_function_come_before_those_of_all() {
        let settings = read(
            "[bounds]\ndepth = 6\nstring = 64\n\n[function.parse]\nassume = \"n > 0\"\ndepth = 3\nsizes = { buffer = 16 }\n",
        )
        .unwrap();
        let parse = settings.bounds_of("parse");
        assert_eq!((parse.depth, parse.string, parse.calls), (3, 64, 4));
        assert_eq!(settings.bounds_of("other").depth, 6);
        assert_eq!(settings.functions["parse"].sizes["buffer"], 16);
    }

    #[test]
    fn a_precondition_knows_where_its_text_begins() {
        let settings = read("[function.f]\nassume = [\n  \"n >= 0\",\n  'n < 9',\n]\n").unwrap();
        let origins: Vec<String> =
            settings.assumes_of("f").iter().map(|assume| assume.origin.to_string()).collect();
        assert_eq!(origins, ["tarka.toml:3:4", "tarka.toml:4:4"]);
    }

    #[test]
    fn every_refusal_has_its_place_and_the_next_step() {
        let said = |text| read(text).unwrap_err();
        assert_eq!(
            said("[bounds]\ndepth = 0\n"),
            "tarka.toml:2:9: `depth` must be at least 1: a bound of zero leaves nothing to try"
        );
        assert_eq!(
            said("[bounds]\n\ndept = 3\n"),
            "tarka.toml:3:1: there is no bound `dept`; did you mean `depth`?"
        );
        assert_eq!(
            said("[function.f]\nasume = \"n\"\n"),
            "tarka.toml:2:1: `asume` is nothing that can be said of a function; did you mean `assume`?"
        );
        assert_eq!(
            said("[function.f]\nassume = 3\n"),
            "tarka.toml:2:10: `assume` takes C expressions: [\"n >= 0\", \"n <= 16\"]"
        );
        assert_eq!(
            said("[function.f]\nassume = \" \"\n"),
            "tarka.toml:2:10: an empty precondition says nothing"
        );
        assert_eq!(
            said("[functions.f]\ndepth = 1\n"),
            "tarka.toml:1:2: there is no table `functions` here; did you mean `function`?"
        );
        assert_eq!(said("[function.f]\nsizes = { p = 0 }\n").split(':').nth(1), Some("2"));
        assert_eq!(
            said("[bounds]\ndepth = 100000\n"),
            "tarka.toml:2:9: `depth = 100000` is out of range: 1 to 64"
        );
        assert!(said("bounds = \n").starts_with("tarka.toml:1:"));
        assert!(said("bounds = 3\n").contains("this must be a table: [bounds]"));
    }
}
