//! Writes random C functions of integers: nested `if`s, loops, switches, `&&` and `||`, arithmetic, shifts, casts, early
//! returns, local arrays and calls of a static helper. Nothing in them is undefined: arithmetic is unsigned, shifts and
//! indices are masked, divisors are odd. Conditions speak of the same few values again and again, so many contradict each
//! other.

use std::fmt::Write;

use tarka_search::Rng;

const PARAMETERS: &[&str] = &["int", "unsigned", "unsigned char", "short", "long long"];
/// Constants come from here, so that conditions meet.
const CONSTANTS: &[i64] =
    &[0, 1, 2, 3, 5, 7, 8, 10, 15, 16, 31, 64, 100, 127, 128, 200, 255, 256, 1000, -1, -5];

/// A function with its helper, as C text; both are named after the number.
pub fn function(number: u64, rng: &mut Rng) -> String {
    let mut writer = Writer {
        rng,
        text: String::new(),
        names: Vec::new(),
        locals: 0,
        loops: 0,
        helper: None,
        returned: false,
    };
    writer.helper(number);
    writer.unit(number);
    writer.text
}

struct Writer<'a> {
    rng: &'a mut Rng,
    text: String,
    /// What expressions may name.
    names: Vec<String>,
    locals: u32,
    loops: u32,
    helper: Option<u64>,
    /// The last statement was a `return`.
    returned: bool,
}

impl Writer<'_> {
    fn below(&mut self, limit: u64) -> u64 {
        self.rng.below(limit as usize) as u64
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len() as u64) as usize]
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(depth));
    }

    fn helper(&mut self, number: u64) {
        self.names = vec!["a".to_string(), "b".to_string()];
        self.line(0, &format!("static unsigned helper_{number}(unsigned a, unsigned b) {{"));
        let condition = self.condition();
        self.line(1, &format!("if ({condition})"));
        let value = self.expression(1);
        self.line(2, &format!("return {value};"));
        let value = self.expression(2);
        self.line(1, &format!("return {value};"));
        self.line(0, "}");
        self.helper = Some(number);
    }

    fn unit(&mut self, number: u64) {
        let count = 2 + self.below(3);
        let types: Vec<&str> = (0..count).map(|_| self.pick(PARAMETERS)).collect();
        self.names = (0..count).map(|at| format!("p{at}")).collect();
        let list: Vec<String> =
            types.iter().zip(&self.names).map(|(ty, name)| format!("{ty} {name}")).collect();
        self.line(0, &format!("unsigned unit_{number}({}) {{", list.join(", ")));
        self.line(1, "unsigned array[8] = {1, 2, 3, 5, 8, 13, 21, 34};");
        self.line(1, "unsigned sum = 0;");
        self.statements(1, 3);
        self.line(1, "return sum;");
        self.line(0, "}");
    }

    fn statements(&mut self, depth: usize, levels: u32) {
        // What is declared inside is not seen outside.
        let known = self.names.len();
        for _ in 0..1 + self.below(3) {
            self.statement(depth, levels);
            // Nothing leads to what stands behind a return.
            if self.returned {
                break;
            }
        }
        self.returned = false;
        self.names.truncate(known);
    }

    fn statement(&mut self, depth: usize, levels: u32) {
        let choice = if levels == 0 { self.below(4) } else { self.below(13) };
        match choice {
            0 => {
                let value = self.expression(2);
                self.line(depth, &format!("sum = sum * 3 + {value};"));
            }
            1 => {
                let (index, value) = (self.expression(1), self.expression(1));
                self.line(depth, &format!("array[({index}) & 7] = {value};"));
            }
            2 => {
                let value = self.expression(1);
                self.locals += 1;
                let name = format!("v{}", self.locals);
                self.line(depth, &format!("unsigned {name} = {value};"));
                self.names.push(name);
            }
            3 if depth > 1 && self.below(2) == 0 => {
                let value = self.expression(1);
                self.line(depth, &format!("return {value};"));
                self.returned = true;
            }
            3 => self.line(depth, "sum ^= array[sum & 7];"),
            4..=9 => {
                let decision = self.decision();
                self.line(depth, &format!("if ({decision}) {{"));
                self.statements(depth + 1, levels - 1);
                if self.below(2) == 0 {
                    self.line(depth, "} else {");
                    self.statements(depth + 1, levels - 1);
                }
                self.line(depth, "}");
            }
            10 => {
                let (bound, counter) = (self.expression(1), self.loops);
                self.loops += 1;
                let head =
                    format!("for (unsigned i{counter} = 0; i{counter} < (({bound}) & 15); i{counter}++) {{");
                self.line(depth, &head);
                self.statements(depth + 1, levels - 1);
                self.line(depth, "}");
            }
            11 => {
                let decision = self.decision();
                self.line(depth, &format!("sum += {decision};"));
            }
            _ => self.switch(depth, levels),
        }
    }

    fn switch(&mut self, depth: usize, levels: u32) {
        // A switch that the compiler folds has no sides for `llvm-cov`.
        let (operand, name) = (self.expression(1), self.name());
        self.line(depth, &format!("switch ({operand} + (unsigned){name}) {{"));
        let mut cases: Vec<i64> = (0..1 + self.below(3)).map(|_| self.constant().abs()).collect();
        cases.sort_unstable();
        cases.dedup();
        for case in cases {
            self.line(depth, &format!("case {case}: {{"));
            self.statements(depth + 1, levels - 1);
            let end = self.pick(&["} break;", "}"]);
            self.line(depth, end);
        }
        if self.below(2) == 0 {
            self.line(depth, "default:");
            self.line(depth + 1, "sum += 77;");
        }
        self.line(depth, "}");
    }

    fn constant(&mut self) -> i64 {
        CONSTANTS[self.below(CONSTANTS.len() as u64) as usize]
    }

    fn name(&mut self) -> String {
        let at = self.below(self.names.len() as u64) as usize;
        self.names[at].clone()
    }

    fn decision(&mut self) -> String {
        let parts: Vec<String> = (0..1 + self.below(3)).map(|_| self.condition()).collect();
        let operator = self.pick(&[" && ", " || "]);
        if parts.len() > 2 && self.below(2) == 0 {
            return format!("({} || {}) && {}", parts[0], parts[1], parts[2]);
        }
        parts.join(operator)
    }

    fn condition(&mut self) -> String {
        let name = self.name();
        let comparison = self.pick(&["<", ">", "==", "!=", "<=", ">="]);
        let constant = self.constant();
        match self.below(8) {
            0..=3 => format!("{name} {comparison} {constant}"),
            4 => {
                let mask = self.pick(&["1", "3", "7", "12"]);
                format!("(({name}) & {mask}) == {}", constant.unsigned_abs() & 7)
            }
            5 => {
                let other = self.name();
                format!("{name} {comparison} {other}")
            }
            6 => {
                let value = self.expression(2);
                format!("{value} {comparison} {}u", constant.unsigned_abs())
            }
            _ => format!("(int)sum {comparison} {constant}"),
        }
        .replace("(int)sum", if self.text.contains("unsigned sum") { "(int)sum" } else { "(int)a" })
    }

    /// An unsigned value.
    fn expression(&mut self, levels: u32) -> String {
        if levels == 0 {
            return match self.below(3) {
                0 => format!("{}u", self.constant().unsigned_abs()),
                _ => format!("(unsigned){}", self.name()),
            };
        }
        let (left, right) = (self.expression(levels - 1), self.expression(levels - 1));
        match self.below(9) {
            0 => format!("({left} + {right})"),
            1 => format!("({left} - {right})"),
            2 => format!("({left} * {right})"),
            3 => format!("({left} ^ {right})"),
            4 => format!("({left} & {right})"),
            5 => format!("({left} >> ({right} & 31))"),
            6 => format!("({left} / ({right} | 1))"),
            7 => format!("(unsigned)(unsigned char)({left})"),
            _ => match self.helper {
                Some(number) => format!("helper_{number}({left}, {right})"),
                None => format!("({left} << ({right} & 31))"),
            },
        }
    }
}
