//! What the words of `tarka compare` mean: a plan as for `tarka gen`, and the trials to make.
//!
//! Takes the words, gives the plan or what is wrong with them. Never: what a trial shows.

use tarka_campaign::{STRATEGIES, Trial};

use crate::failure::Failure;
use crate::request::args::{CompareArgs, GenArgs};
use crate::request::plan::{GenPlan, check_strategy};

/// A checked request to compare strategies.
#[derive(Debug)]
pub struct ComparePlan {
    /// Files, functions, options and output folder. Strategy and seed of the options are not used.
    pub base: GenPlan,
    /// The strategies.
    pub strategies: Vec<String>,
    /// Trials of each.
    pub repeat: usize,
    /// Runs of each trial.
    pub runs: u64,
    /// Seconds of each trial; `None`: as many as it needs.
    pub seconds: Option<f64>,
}

impl ComparePlan {
    /// Checks what was typed.
    pub fn new(args: CompareArgs) -> Result<ComparePlan, Failure> {
        let strategies = strategies(&args.strategies)?;
        if args.repeat == 0 {
            return Err(Failure::Usage("--repeat takes at least 1; 10 is a good number".to_string()));
        }
        if args.runs == 0 {
            return Err(Failure::Usage("--runs takes at least 1; 1000 is a good number".to_string()));
        }
        let first = args.seed.unwrap_or(1);
        if first.checked_add(args.repeat as u64).is_none() {
            let least = u64::MAX - args.repeat as u64;
            return Err(Failure::Usage(format!(
                "--seed {first} leaves no {} seeds to count up to; take one below {least}",
                args.repeat
            )));
        }
        let command = command(&args, &strategies);
        let (repeat, runs) = (args.repeat, args.runs);
        let seconds = (args.time > 0.0).then_some(args.time);
        let mut base = GenPlan::new(as_gen(args, strategies[0].clone()))?;
        base.options.goals_only = true;
        // What is compared is how searches come to their goals.
        base.options.attacks = 0;
        Ok(ComparePlan { base: GenPlan { command, ..base }, strategies, repeat, runs, seconds })
    }

    /// Every strategy with every seed.
    pub fn trials(&self) -> Vec<Trial> {
        let of_strategy = |strategy: &String| {
            let strategy = strategy.clone();
            let seeds = (self.base.options.seed..).take(self.repeat);
            seeds.map(move |seed| Trial { strategy: strategy.clone(), seed })
        };
        self.strategies.iter().flat_map(of_strategy).collect()
    }
}

/// The strategies asked for: known and different. One alone is fine: its figures over the seeds are worth knowing.
fn strategies(asked: &[String]) -> Result<Vec<String>, Failure> {
    if asked.is_empty() {
        return Ok(STRATEGIES.iter().map(ToString::to_string).collect());
    }
    let mut strategies: Vec<String> = Vec::new();
    for name in asked.iter().map(|name| name.trim()) {
        check_strategy(name)?;
        if strategies.iter().any(|known| known == name) {
            return Err(Failure::Usage(format!("--strategies names `{name}` twice; once is enough")));
        }
        strategies.push(name.to_string());
    }
    Ok(strategies)
}

/// The same request to `tarka gen`, for everything the two commands share.
fn as_gen(args: CompareArgs, strategy: String) -> GenArgs {
    GenArgs {
        subject: args.subject,
        ground: args.ground,
        strategy,
        time: args.time,
        runs: Some(args.runs),
        seed: args.seed,
        jobs: args.jobs,
        lines: Vec::new(),
        goals: Vec::new(),
        since: None,
        formats: Vec::new(),
        faults: Vec::new(),
        baseline: None,
        fail_on: "never".to_string(),
        resume: false,
        optimistic: false,
        verbose: false,
        dump_queries: None,
    }
}

/// The command without the output folder and the number of workers, which do not change the result.
fn command(args: &CompareArgs, strategies: &[String]) -> String {
    let mut words = vec!["tarka".to_string(), "compare".to_string()];
    words.extend(args.subject.file_words());
    words.extend(args.subject.function_words());
    let mut say = |option: &str, value: String| words.extend([option.to_string(), value]);
    say("--strategies", strategies.join(","));
    say("--repeat", args.repeat.to_string());
    say("--runs", args.runs.to_string());
    say("-c", args.subject.criterion.clone());
    say("-t", args.time.to_string());
    say("--seed", args.seed.unwrap_or(1).to_string());
    words.extend(args.subject.scope_words());
    words.extend(args.ground.words());
    words.extend(args.subject.flag_words());
    words.join(" ")
}
