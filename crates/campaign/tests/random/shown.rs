//! What the plain functions show of conditions, statements and decisions under random inputs, from the text with probes.
//!
//! The probes are a few lines of C that only count: nothing of the runtime, the pass or the search has a part in it. Functions
//! that call themselves inside a decision are not for this.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use tarka_source::{DecisionId, EvaluationKey, Evidence, SourceModel, outcome_count};

/// Conditions of one decision that are told apart.
const MOST_CONDITIONS: usize = 32;

/// The evidence of all calls that the `main` behind the text makes.
pub fn shown(model: &SourceModel, main: &str, (clang, folder): (&Path, &Path)) -> Result<Evidence, String> {
    let (source, program) = (folder.join("probed.c"), folder.join("probed"));
    let text = format!("{}{}{}", model.probed_text, probes(model), main);
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let output = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(output.stdout) } else { Err(said) }
    };
    output(Command::new(clang).args(["-O1", "-w"]).arg(&source).arg("-o").arg(&program))?;
    let told = output(Command::new("timeout").arg("60").arg(&program))?;
    read(model, &String::from_utf8_lossy(&told))
}

/// The probes, and a destructor that tells what they saw.
fn probes(model: &SourceModel) -> String {
    let mut text = String::from("\n");
    let mut first = 0;
    let _ = writeln!(text, "static const unsigned site_of[][3] = {{");
    for site in &model.sites {
        let of = model.decisions.iter().filter(|decision| decision.is_compound()).find_map(|decision| {
            let position = decision.conditions.iter().position(|condition| *condition == site.id)?;
            Some((decision.id.0 + 1, position))
        });
        let (decision, position) = of.unwrap_or_default();
        let _ = writeln!(text, "  {{{first}u, {decision}u, {position}u}},");
        first += site.outcomes();
    }
    let _ = writeln!(
        text,
        "  {{0}}\n}};
static unsigned char outcomes[{outcomes}], statements[{statements}];
static unsigned values[{decisions}], evaluated[{decisions}];
static struct {{ unsigned decision, values, evaluated, result; }} ways[1 << 16];
int printf(const char *, ...);
int __tk_cond(unsigned site, int value) {{
  const unsigned *of = site_of[site];
  outcomes[of[0] + (value != 0)] = 1;
  values[of[1]] |= (unsigned)(value != 0) << of[2];
  evaluated[of[1]] |= 1u << of[2];
  return value;
}}
unsigned long long __tk_switch(unsigned site, unsigned long long value) {{ return value; }}
int __tk_begin(unsigned decision) {{ return values[decision + 1] = evaluated[decision + 1] = 0; }}
int __tk_decision(unsigned decision, int result) {{
  unsigned v = values[decision + 1], e = evaluated[decision + 1], r = result != 0;
  for (unsigned slot = (decision * 31u + v * 0x9e3779b1u + e) >> 16;; slot++) {{
    slot &= 0xffff;
    if (!ways[slot].decision) ways[slot].decision = decision + 1, ways[slot].values = v, ways[slot].evaluated = e, ways[slot].result = r;
    if (ways[slot].decision == decision + 1 && ways[slot].values == v && ways[slot].evaluated == e && ways[slot].result == r)
      return result;
  }}
}}
void __tk_stmt(unsigned statement) {{ statements[statement] = 1; }}
__attribute__((destructor)) static void tell(void) {{
  for (unsigned i = 0; i < sizeof outcomes; i++) if (outcomes[i]) printf(\"o %u\\n\", i);
  for (unsigned i = 0; i < sizeof statements; i++) if (statements[i]) printf(\"s %u\\n\", i);
  for (unsigned i = 0; i < 1 << 16; i++)
    if (ways[i].decision) printf(\"e %u %u %u %u\\n\", ways[i].decision - 1, ways[i].values, ways[i].evaluated, ways[i].result);
}}",
        outcomes = outcome_count(model) + 1,
        statements = model.statement_count() + 1,
        decisions = model.decisions.len() + 1,
    );
    text
}

fn read(model: &SourceModel, told: &str) -> Result<Evidence, String> {
    let mut evidence = Evidence {
        outcomes: vec![0; outcome_count(model)],
        statements: vec![0; model.statement_count() as usize],
        ..Evidence::default()
    };
    for line in told.lines() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap_or_default();
        let numbers: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();
        match (kind, numbers.as_slice()) {
            ("o", [outcome]) => evidence.outcomes[*outcome as usize] = 1,
            ("s", [statement]) => evidence.statements[*statement as usize] = 1,
            ("e", [decision, values, evaluated, result]) => {
                let id = DecisionId(*decision);
                if model.decision(id).conditions.len() <= MOST_CONDITIONS {
                    let key = EvaluationKey::new(id, &[*values], &[*evaluated], *result != 0);
                    evidence.evaluations.insert(key);
                }
            }
            _ => return Err(format!("not understood: {line}")),
        }
    }
    Ok(evidence)
}
