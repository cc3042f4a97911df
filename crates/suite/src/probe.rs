//! Seeing which way every condition went when a test runs on the plain program.
//!
//! Takes a test file and the unit's text with probes; builds the same tests around that text with a small recorder,
//! and gives the outcomes each test took. The unit is compiled by the plain compiler: nothing else is added to it.
//! Never decides what an outcome means for the suite.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_events::Goal;
use tarka_source::{SiteId, SiteKind, SourceModel};

use crate::SuiteError;
use crate::compile::Compiler;
use crate::emit::UnitPart;
use crate::process::run_target;
use crate::sanitize::asks_for_sanitizers;

const MARK: &str = "#pragma tarka_unit_end";

/// The outcomes one test took: a byte for each outcome of each site.
pub struct Taken {
    bytes: Vec<u8>,
    first: Vec<usize>,
}

impl Taken {
    fn outcome(&self, site: SiteId, outcome: u32) -> bool {
        self.bytes.get(self.first[site.0 as usize] + outcome as usize).is_some_and(|byte| *byte != 0)
    }

    /// The goals that were met, by index.
    pub fn goals(&self, model: &SourceModel, goals: &[Goal]) -> BTreeSet<u32> {
        let met = goals.iter().enumerate().filter(|(_, goal)| self.meets(model, goal));
        met.map(|(index, _)| index as u32).collect()
    }

    fn meets(&self, model: &SourceModel, goal: &Goal) -> bool {
        if goal.taken {
            return self.outcome(goal.site, goal.outcome);
        }
        let others = (0..model.site(goal.site).outcomes()).filter(|other| *other != goal.outcome);
        others.into_iter().any(|other| self.outcome(goal.site, other))
    }
}

/// The text of an emitted file, and where the unit stands in it.
pub struct Emitted<'a> {
    /// The file.
    pub text: &'a str,
    /// Where the unit stands in it.
    pub unit: &'a UnitPart,
    /// The folder it stands in.
    pub folder: &'a Path,
    /// The unit's `main` has another name in the file.
    pub renames_main: bool,
}

/// An emitted program that records outcomes.
pub struct Probed<'a> {
    model: &'a SourceModel,
    program: PathBuf,
    map: PathBuf,
}

impl<'a> Probed<'a> {
    /// Builds the file around the probed text.
    pub fn build(
        model: &'a SourceModel,
        clang: &Compiler,
        emitted: &Emitted,
        scratch: &Path,
    ) -> Result<Self, SuiteError> {
        let write = |name: &str, text: &str| {
            let path = scratch.join(name);
            std::fs::write(&path, text).map_err(|source| SuiteError::Write { path: path.clone(), source })?;
            Ok::<PathBuf, SuiteError>(path)
        };
        // The part after the unit is preprocessed behind the real unit, so it sees the unit's macros, and then put
        // behind the probed text instead.
        let (head, tail) = emitted.text.split_at(emitted.unit.end);
        let marked = write("marked.c", &format!("{head}{MARK}\n{tail}"))?;
        let preprocessed = scratch.join("marked.i");
        let mut args = clang.flags.to_vec();
        args.extend(["-E", "-w", "-iquote"].map(String::from));
        args.push(emitted.folder.display().to_string());
        args.extend([marked.display().to_string(), "-o".into(), preprocessed.display().to_string()]);
        clang.call(&args)?;
        let whole = std::fs::read_to_string(&preprocessed)
            .map_err(|source| SuiteError::Write { path: preprocessed.clone(), source })?;
        let tail = whole.split_once(MARK).map(|(_, tail)| tail).unwrap_or_default();
        let unit =
            if emitted.renames_main { rename_main(&model.probed_text) } else { model.probed_text.clone() };
        let redirections: String = emitted.unit.redirections.iter().map(|line| format!("{line}\n")).collect();
        let probed = write("probed.i", &format!("{redirections}{unit}\n# 1 \"emitted\"\n{tail}"))?;
        let recorder = write("recorder.c", &recorder(model))?;
        let program = scratch.join("probed");
        let mut args = clang.flags.to_vec();
        args.extend(["-w", "-Wno-error", "-x", "cpp-output"].map(String::from));
        args.extend([probed.display().to_string(), "-x".into(), "c".into(), recorder.display().to_string()]);
        args.extend(["-x".into(), "none".into(), "-lm".into(), "-o".into(), program.display().to_string()]);
        clang.call(&args)?;
        Ok(Probed { model, program, map: scratch.join("outcomes") })
    }

    /// Runs it, with one test's name or nothing, and gives what it took.
    pub fn run(&self, args: &[String], folder: &Path, limit: Duration) -> Result<Taken, SuiteError> {
        let mut first = Vec::with_capacity(self.model.sites.len());
        let mut total = 0;
        for site in &self.model.sites {
            first.push(total);
            total += site.outcomes() as usize;
        }
        let io = |source| SuiteError::Write { path: self.map.clone(), source };
        std::fs::write(&self.map, vec![0u8; total.max(1)]).map_err(io)?;
        let bounded = !asks_for_sanitizers(&self.model.flags);
        run_target(&self.program, args, &[("TARKA_OUTCOMES", &self.map)], folder, limit, bounded)
            .map_err(|source| SuiteError::CannotRun { program: self.program.clone(), source })?;
        Ok(Taken { bytes: std::fs::read(&self.map).map_err(io)?, first })
    }
}

/// The functions the probes call: they set a byte in a shared file, so that a crash or a closed descriptor loses none.
fn recorder(model: &SourceModel) -> String {
    let total: u32 = model.sites.iter().map(|site| site.outcomes()).sum();
    let mut first = 0;
    let mut firsts = Vec::new();
    let mut switches = String::new();
    for site in &model.sites {
        firsts.push(first.to_string());
        if let SiteKind::Switch { arms, signed, .. } = &site.kind {
            let _ = writeln!(switches, "    case {}:", site.id.0);
            for (index, arm) in arms.iter().enumerate() {
                let Some((low, high)) = arm.values else { continue };
                let test = if *signed {
                    format!(
                        "(long long)v >= {} && (long long)v <= {}",
                        signed_literal(low),
                        signed_literal(high)
                    )
                } else {
                    format!("v >= {}ull && v <= {}ull", low as u64, high as u64)
                };
                let _ = writeln!(switches, "        if ({test}) return {index};");
            }
            let _ = writeln!(switches, "        return {};", arms.len() - 1);
        }
        first += site.outcomes();
    }
    if firsts.is_empty() {
        firsts.push("0".to_string());
    }
    format!(
        r#"#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static unsigned char *taken;
static const unsigned first[] = {{{firsts}}};
__attribute__((constructor)) static void start(void)
{{
    const char *path = getenv("TARKA_OUTCOMES");
    int fd = path ? open(path, O_RDWR) : -1;
    void *map = fd < 0 ? MAP_FAILED : mmap(0, {size}, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    taken = map == MAP_FAILED ? 0 : map;
    if (fd >= 0) close(fd);
}}
static unsigned arm_of(unsigned site, unsigned long long v)
{{
    switch (site) {{
{switches}    default:
        (void)v;
        return 0;
    }}
}}
int __tk_cond(unsigned site, int v) {{ if (taken) taken[first[site] + (v != 0)] = 1; return v; }}
unsigned long long __tk_switch(unsigned site, unsigned long long v)
{{
    if (taken) taken[first[site] + arm_of(site, v)] = 1;
    return v;
}}
"#,
        firsts = firsts.join(","),
        size = total.max(1),
    )
}

fn signed_literal(value: i128) -> String {
    if value == i128::from(i64::MIN) {
        "(-9223372036854775807ll - 1)".to_string()
    } else {
        format!("{value}ll")
    }
}

/// What `#define main unit_main` does, on text that is already preprocessed.
fn rename_main(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        if line.starts_with('#') {
            out.push_str(line);
        } else {
            rename_in_line(line, &mut out);
        }
    }
    out
}

fn rename_in_line(line: &str, out: &mut String) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let len = match next {
            '"' | '\'' => quoted_length(rest),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(len);
        out.push_str(if token == "main" { "unit_main" } else { token });
        rest = after;
    }
}

fn quoted_length(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (index, &byte) in text.as_bytes().iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_identifier_main_steps_aside() {
        let text = "# 1 \"main.c\"\nint main(void) { puts(\"main\\\"main\"); return domain + main_2; }\n";
        assert_eq!(
            rename_main(text),
            "# 1 \"main.c\"\nint unit_main(void) { puts(\"main\\\"main\"); return domain + main_2; }\n"
        );
    }
}
