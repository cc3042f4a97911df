//! What an attack makes of the verdicts of a unit: proofs that an input refuted are taken back, and those on the same ground
//! with them.
//!
//! Takes verdicts and what the attack found, gives verdicts. Never: running anything.

use std::collections::BTreeMap;

use tarka_events::{AttackFigures, Cause, Goal, KeptRun, Proof, Refuted, Verdict};

use tarka_source::file_name;

use crate::doubt::Doubt;

/// What came of the attack on a unit's proofs.
#[derive(Default)]
pub struct Attacked {
    /// What it took.
    pub figures: AttackFigures,
    /// Inputs that count: all but those that a precondition refuses.
    pub inputs: u32,
    /// Each goal that was attacked, by number.
    pub goals: BTreeMap<usize, AttackedGoal>,
    /// Why proofs were not attacked.
    pub why_not: Option<String>,
}

/// A goal that was called infeasible.
pub struct AttackedGoal {
    /// By what it was proved.
    pub proof: Proof,
    /// The proof in words.
    pub claim: String,
    /// Inputs that took it on the plain program and were looked at on the target.
    pub looks: u32,
    /// Those of them that count.
    pub hits: u32,
    /// The best of them.
    pub hit: Option<Hit>,
}

/// What an input showed that takes on the plain program what was called infeasible. Later ones say more.
pub enum Hit {
    /// The target stopped before: the plain program went on through something undefined, or beyond a bound of ours.
    Stopped(Doubt),
    /// The target went another way.
    Contradicted(Box<KeptRun>),
    /// The target takes it as well: it is covered now.
    Covered(Box<KeptRun>),
}

impl Hit {
    fn run(&self) -> Option<&KeptRun> {
        match self {
            Hit::Stopped(_) => None,
            Hit::Contradicted(run) | Hit::Covered(run) => Some(run),
        }
    }

    fn weight(&self) -> u32 {
        match self {
            Hit::Stopped(_) => 0,
            Hit::Contradicted(_) => 1,
            Hit::Covered(_) => 2,
        }
    }
}

impl AttackedGoal {
    /// Takes another hit; the one that says most is kept.
    pub fn add(&mut self, hit: Hit) {
        self.hits += 1;
        if self.hit.as_ref().is_none_or(|known| known.weight() < hit.weight()) {
            self.hit = Some(hit);
        }
    }

    /// Nothing is left to find out.
    pub fn is_settled(&self) -> bool {
        self.hit.as_ref().is_some_and(|hit| hit.run().is_some())
    }

    fn words(&self) -> String {
        format!("{}: {}", self.proof.name(), self.claim)
    }
}

impl Attacked {
    /// Every proof is refuted: nothing is left to attack.
    pub fn is_over(&self) -> bool {
        self.goals.values().all(AttackedGoal::is_settled)
    }

    /// Some proof is refuted.
    pub fn is_any_settled(&self) -> bool {
        self.goals.values().any(AttackedGoal::is_settled)
    }

    /// The proofs that are none, each with its input. The function's name is for the names of files.
    pub fn refuted(&self, goals: &[Goal], function: &str) -> Vec<Refuted> {
        let found =
            self.goals.iter().filter_map(|(&index, goal)| Some((index, goal, goal.hit.as_ref()?.run()?)));
        (1..)
            .zip(found)
            .map(|(number, (index, goal, run))| Refuted {
                goal: goals[index].id.clone(),
                claim: goal.words(),
                file: format!("refuted_{}_{number}.c", file_name(function)),
                run: run.clone(),
            })
            .collect()
    }

    /// Takes back what was refuted and notes how often each proof was attacked.
    pub fn withdraw(&self, goals: &mut [Goal], refuted: &[Refuted]) {
        // The same tree that held one wrong proof holds the others.
        let shakes = |goal: &AttackedGoal| matches!(goal.proof, Proof::Exhausted | Proof::Contradiction);
        let is_shaken = self.goals.values().any(|goal| goal.is_settled() && shakes(goal));
        for (&index, attacked) in &self.goals {
            let goal = &mut goals[index];
            (goal.attacks, goal.refutations) = (self.inputs, attacked.hits);
            let Verdict::Infeasible { proof, .. } = goal.verdict else { continue };
            let doubt = match &attacked.hit {
                Some(Hit::Stopped(doubt)) => Some(doubt.clone()),
                Some(_) => refuted.iter().find(|known| known.goal == goal.id).map(mistaken),
                None if is_shaken && proof == Proof::Exhausted => Some(shaken()),
                None => None,
            };
            if let Some(doubt) = doubt {
                goal.verdict = doubt.verdict();
            }
        }
    }
}

fn mistaken(refuted: &Refuted) -> Doubt {
    let Refuted { claim, file, .. } = refuted;
    let reason = format!(
        "called infeasible ({claim}), but an input took it on the plain program: this is a bug in Tarka; please report {file}"
    );
    Doubt::new(Cause::Refuted, reason).advising("report the file; it needs nothing of yours but the source")
}

fn shaken() -> Doubt {
    let reason = "another proof of this function was refuted, so this one is not told either";
    Doubt::new(Cause::Refuted, reason).advising("report the refuted proof; this one may then be told again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarka_events::RunEnd;
    use tarka_scenario::Executed;
    use tarka_source::{Evidence, GoalKind, Place};

    fn goal(number: u32, proof: Proof) -> Goal {
        let place = Place { file: "unit.c".to_string(), line: number, column: 1 };
        let verdict = Verdict::Infeasible { proof, reason: "no way".to_string(), advice: None };
        Goal {
            id: format!("f:s{number}"),
            what: GoalKind::Statement(number),
            callee: None,
            place,
            kind: "statement".into(),
            text: String::new(),
            verdict,
            attacks: 0,
            refutations: 0,
        }
    }

    fn run() -> Box<KeptRun> {
        let (executed, evidence) = (Executed::default(), Evidence::default());
        Box::new(KeptRun { run: 0, executed, covers: Vec::new(), evidence, end: RunEnd::Returned })
    }

    /// The verdicts after an attack in which these hits were made, one list a goal.
    fn after(goals: Vec<(Proof, Vec<Hit>)>) -> Vec<(&'static str, u32, u32)> {
        let mut told: Vec<Goal> =
            (0..).zip(&goals).map(|(number, (proof, _))| goal(number, *proof)).collect();
        let mut attacked = Attacked { inputs: 600, ..Attacked::default() };
        for (index, (proof, hits)) in goals.into_iter().enumerate() {
            let mut goal = AttackedGoal { proof, claim: "no way".to_string(), looks: 0, hits: 0, hit: None };
            hits.into_iter().for_each(|hit| goal.add(hit));
            attacked.goals.insert(index, goal);
        }
        let refuted = attacked.refuted(&told, "f");
        attacked.withdraw(&mut told, &refuted);
        let cause = |goal: &Goal| match &goal.verdict {
            Verdict::Infeasible { proof, .. } => proof.name(),
            Verdict::Unknown { cause, .. } => cause.name(),
            Verdict::Covered { .. } => "covered",
        };
        told.iter().map(|goal| (cause(goal), goal.attacks, goal.refutations)).collect()
    }

    fn stopped() -> Hit {
        Hit::Stopped(Doubt::new(Cause::Fault, "after a fault"))
    }

    #[test]
    fn a_contradiction_takes_every_exhausted_proof_with_it() {
        let told = after(vec![
            (Proof::Exhausted, vec![stopped(), Hit::Contradicted(run())]),
            (Proof::Exhausted, vec![]),
            (Proof::Contradiction, vec![]),
            (Proof::Unreachable, vec![]),
        ]);
        let expected =
            [("refuted", 600, 2), ("refuted", 600, 0), ("contradiction", 600, 0), ("unreachable", 600, 0)];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_the_target_stops_before_shakes_nothing_else() {
        let told = after(vec![(Proof::Exhausted, vec![stopped(), stopped()]), (Proof::Exhausted, vec![])]);
        assert_eq!(told, [("fault", 600, 2), ("exhausted", 600, 0)]);
    }

    #[test]
    fn the_reason_names_the_file_to_report() {
        let mut attacked = Attacked { inputs: 1, ..Attacked::default() };
        let mut goals = vec![goal(0, Proof::Exhausted)];
        let mut hit = AttackedGoal {
            proof: Proof::Exhausted,
            claim: "no way".to_string(),
            looks: 0,
            hits: 0,
            hit: None,
        };
        hit.add(Hit::Contradicted(run()));
        attacked.goals.insert(0, hit);
        let refuted = attacked.refuted(&goals, "f");
        attacked.withdraw(&mut goals, &refuted);
        let Verdict::Unknown { reason, advice: Some(_), .. } = &goals[0].verdict else { panic!("{goals:?}") };
        assert!(
            reason.starts_with("called infeasible (exhausted: no way), but an input took it"),
            "{reason}"
        );
        assert!(reason.ends_with("please report refuted_f_1.c"), "{reason}");
    }
}
