//! A back end that is another program: anything that reads SMT-LIB on its standard input, such as cvc5.
//!
//! Takes the program with its arguments; asks it one question after the other, as `smtlib` writes them. A program that does
//! not answer in time, or not in words that are understood, is ended, and the next question starts it anew. Its memory is
//! its own affair: give it a limit among its arguments.

use super::{Backend, Limits, Verdict};
use crate::Reason;
use crate::smtlib::{self, Asked, Status};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;
use tarka_terms::{Term, Terms};

/// Questions with more terms are not written.
const MOST_TERMS: usize = 50_000;

/// The program, running or not.
pub struct Process {
    command: Vec<String>,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    /// What it says, line by line.
    lines: Receiver<String>,
}

impl Process {
    /// A program with its arguments. It is started at the first question.
    pub fn new(command: &[&str]) -> Process {
        Process { command: command.iter().map(|word| word.to_string()).collect(), running: None }
    }

    fn start(&self) -> io::Result<Running> {
        let (program, arguments) = self.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (tell, lines) = channel();
        // Ends when the program does, or when nobody listens any more.
        std::thread::Builder::new().name("answers of another solver".into()).spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        })?;
        input.write_all(b"(set-option :produce-models true)\n")?;
        input.write_all(smtlib::HEADER.as_bytes())?;
        Ok(Running { child, input, lines })
    }

    fn ask(&mut self, terms: &Terms, clauses: &[Term], deadline: Instant) -> io::Result<Verdict> {
        let Some((&flipped, prefix)) = clauses.split_first() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let asked = Asked { source: "", prefix, flipped, current: &|_| 0, status: Status::Unknown };
        let Some(block) = smtlib::write(terms, &asked, MOST_TERMS) else {
            return Ok(Verdict::Unknown(Reason::TooLarge(MOST_TERMS)));
        };
        // What goes wrong below ends the program: it is only put back when all went well.
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        // The pop comes after the model, and a program may check the status that is not known here.
        let question = block.lines().filter(|line| !line.starts_with("(pop") && !line.contains(":status"));
        let question: Vec<&str> = question.collect();
        running.say(&question.join("\n"))?;
        let said = running.line(deadline)?;
        let verdict = match Status::by_name(&said) {
            Some(Status::Unsat) => Verdict::Unsat,
            Some(Status::Unknown) => Verdict::Unknown(Reason::TimeLimit),
            Some(Status::Sat) => {
                let mut inputs: Vec<u32> =
                    clauses.iter().flat_map(|clause| terms.inputs(*clause)).copied().collect();
                inputs.sort_unstable();
                inputs.dedup();
                let bytes = if inputs.is_empty() { Vec::new() } else { running.values(&inputs, deadline)? };
                let approximated = block.contains(":approximated").then(|| "an operation".to_string());
                Verdict::Sat { bytes, approximated }
            }
            None => return Ok(Verdict::Unknown(Reason::Incomplete(said))),
        };
        running.say("(pop 1)")?;
        self.running = Some(running);
        Ok(verdict)
    }
}

impl Running {
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.write_all(b"\n")?;
        self.input.flush()
    }

    fn line(&mut self, deadline: Instant) -> io::Result<String> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|_| io::ErrorKind::TimedOut.into())
    }

    /// The values of these input bytes.
    fn values(&mut self, inputs: &[u32], deadline: Instant) -> io::Result<Vec<(u32, u8)>> {
        let names: Vec<String> = inputs.iter().map(|byte| format!("in{byte}")).collect();
        self.say(&format!("(get-value ({}))", names.join(" ")))?;
        let mut said = String::new();
        loop {
            said += &self.line(deadline)?;
            said.push('\n');
            if said.matches('(').count() <= said.matches(')').count() {
                break;
            }
        }
        let words =
            said.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')')).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        let values = words.chunks(2).filter_map(|pair| {
            let [name, value] = pair else { return None };
            let value = match value.split_at_checked(2)? {
                ("#x", digits) => u8::from_str_radix(digits, 16).ok()?,
                ("#b", digits) => u8::from_str_radix(digits, 2).ok()?,
                _ => return None,
            };
            Some((name.strip_prefix("in")?.parse().ok()?, value))
        });
        let values: Vec<(u32, u8)> = values.collect();
        if values.len() == inputs.len() { Ok(values) } else { Err(io::Error::other(said)) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // There is nobody to tell, and a program that is gone already is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Backend for Process {
    fn name(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }

    fn decide(&mut self, terms: &Terms, clauses: &[Term], limits: &Limits) -> Verdict {
        // The program works on a processor of its own, so its time is the wall clock's.
        match self.ask(terms, clauses, Instant::now() + limits.time) {
            Ok(verdict) => verdict,
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Verdict::Unknown(Reason::TimeLimit),
            Err(error) => Verdict::Unknown(Reason::Incomplete(error.to_string())),
        }
    }
}
