//! Which of several strategies is asked next: the one that has paid best of late.
//!
//! Takes what became of each strategy's choices, gives whose turn it is. A strategy has paid the goals that its choices
//! covered first. A choice costs one, and less if it took the solver alone. Both are forgotten step by step, so one that
//! stopped paying loses its lead and one that was never asked is worth a try; while none pays, each gets turns in
//! proportion to its credit. No clock, no chance.

/// What is left of the past after every choice.
const MEMORY: f64 = 0.98;

/// Goals of one choice that count: the first runs cover many whoever chooses.
const MOST_GOALS: usize = 3;

/// What is given back for a choice that made no run.
const WITHOUT_RUN: f64 = 0.75;

/// The accounts of some strategies.
pub(super) struct Portfolio {
    accounts: Vec<Account>,
}

#[derive(Clone, Copy)]
struct Account {
    /// What the strategy is taken to have paid before it was asked.
    credit: f64,
    paid: f64,
    cost: f64,
}

impl Portfolio {
    /// For strategies with these credits.
    pub(super) fn new(credits: &[f64]) -> Portfolio {
        let account = |&credit: &f64| Account { credit, paid: 0.0, cost: 0.0 };
        Portfolio { accounts: credits.iter().map(account).collect() }
    }

    /// All strategies, the one to ask first in front.
    pub(super) fn order(&self) -> Vec<usize> {
        let worth = |index: &usize| {
            let Account { credit, paid, cost } = self.accounts[*index];
            (paid + credit) / (cost + 1.0)
        };
        let mut order: Vec<usize> = (0..self.accounts.len()).collect();
        order.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        order
    }

    /// A strategy has made a choice.
    pub(super) fn ask(&mut self, strategy: usize) {
        for account in &mut self.accounts {
            (account.paid, account.cost) = (account.paid * MEMORY, account.cost * MEMORY);
        }
        self.accounts[strategy].cost += 1.0;
    }

    /// A choice of a strategy was dropped and cost nothing.
    pub(super) fn drop_choice(&mut self, strategy: usize) {
        self.give_back(strategy, 1.0);
    }

    /// A choice of a strategy was solved for and made no run.
    pub(super) fn without_run(&mut self, strategy: usize) {
        self.give_back(strategy, WITHOUT_RUN);
    }

    fn give_back(&mut self, strategy: usize, cost: f64) {
        let account = &mut self.accounts[strategy];
        account.cost = (account.cost - cost).max(0.0);
    }

    /// A choice of a strategy has covered so many goals first.
    pub(super) fn pay(&mut self, strategy: usize, goals: usize) {
        self.accounts[strategy].paid += goals.min(MOST_GOALS) as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(portfolio: &mut Portfolio, choices: usize, pays: impl Fn(usize, usize) -> usize) -> Vec<usize> {
        let mut asked = vec![0; portfolio.accounts.len()];
        for choice in 0..choices {
            let strategy = portfolio.order()[0];
            portfolio.ask(strategy);
            portfolio.pay(strategy, pays(choice, strategy));
            asked[strategy] += 1;
        }
        asked
    }

    #[test]
    fn while_none_pays_they_take_turns_in_proportion_to_their_credit() {
        assert_eq!(asked(&mut Portfolio::new(&[0.5; 4]), 40, |_, _| 0), [10; 4]);
        let uneven = asked(&mut Portfolio::new(&[1.0, 0.5]), 300, |_, _| 0);
        assert!((180..=220).contains(&uneven[0]), "{uneven:?}");
    }

    #[test]
    fn the_one_that_pays_is_asked_most_and_the_others_are_not_forgotten() {
        let pays = |choice: usize, strategy| usize::from(strategy == 2 && choice.is_multiple_of(3));
        let asked = asked(&mut Portfolio::new(&[0.5; 4]), 200, pays);
        assert!(asked[2] > 100 && asked.iter().all(|&times| times >= 3), "{asked:?}");
    }

    #[test]
    fn one_that_stopped_paying_loses_its_lead() {
        let mut portfolio = Portfolio::new(&[0.5; 4]);
        asked(&mut portfolio, 100, |_, strategy| usize::from(strategy == 2));
        let later = asked(&mut portfolio, 100, |_, strategy| usize::from(strategy == 1));
        assert!(later[1] > later[2], "{later:?}");
    }

    #[test]
    fn attempts_that_took_the_solver_alone_cost_less() {
        let mut portfolio = Portfolio::new(&[0.5; 2]);
        let mut asked = [0; 2];
        for _ in 0..100 {
            let strategy = portfolio.order()[0];
            portfolio.ask(strategy);
            asked[strategy] += 1;
            if strategy == 1 {
                portfolio.without_run(strategy);
            }
        }
        assert!(asked[1] > 2 * asked[0], "{asked:?}");
    }
}
