//! Which of several strategies is asked next: the one that has paid best of late.
//!
//! Takes what became of each strategy's choices, gives whose turn it is. A strategy has paid the goals that its choices
//! covered first, and every choice costs one, run or not. Both are forgotten step by step, so one that stopped paying loses
//! its lead and one that was never asked is worth a try; while none pays they take turns. No clock, no chance.

/// What is left of the past after every choice.
const MEMORY: f64 = 0.98;

/// Goals of one choice that count: the first runs cover many whoever chooses.
const MOST_GOALS: usize = 3;

/// What a strategy is taken to have paid before it was asked.
const CREDIT: f64 = 0.5;

/// The accounts of some strategies.
pub(super) struct Portfolio {
    accounts: Vec<Account>,
}

#[derive(Clone, Copy, Default)]
struct Account {
    paid: f64,
    cost: f64,
}

impl Portfolio {
    /// For so many strategies.
    pub(super) fn new(strategies: usize) -> Portfolio {
        Portfolio { accounts: vec![Account::default(); strategies] }
    }

    /// All strategies, the one to ask first in front.
    pub(super) fn order(&self) -> Vec<usize> {
        let worth = |index: &usize| {
            let Account { paid, cost } = self.accounts[*index];
            (paid + CREDIT) / (cost + 1.0)
        };
        let mut order: Vec<usize> = (0..self.accounts.len()).collect();
        order.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        order
    }

    /// A strategy has made a choice.
    pub(super) fn ask(&mut self, strategy: usize) {
        for account in &mut self.accounts {
            *account = Account { paid: account.paid * MEMORY, cost: account.cost * MEMORY };
        }
        self.accounts[strategy].cost += 1.0;
    }

    /// The last choice of a strategy came to nothing and cost nothing.
    pub(super) fn refund(&mut self, strategy: usize) {
        let cost = &mut self.accounts[strategy].cost;
        *cost = (*cost - 1.0).max(0.0);
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
    fn while_none_pays_they_take_turns() {
        assert_eq!(asked(&mut Portfolio::new(4), 40, |_, _| 0), [10; 4]);
    }

    #[test]
    fn the_one_that_pays_is_asked_most_and_the_others_are_not_forgotten() {
        let pays = |choice: usize, strategy| usize::from(strategy == 2 && choice.is_multiple_of(3));
        let asked = asked(&mut Portfolio::new(4), 200, pays);
        assert!(asked[2] > 100 && asked.iter().all(|&times| times >= 3), "{asked:?}");
    }

    #[test]
    fn one_that_stopped_paying_loses_its_lead() {
        let mut portfolio = Portfolio::new(4);
        asked(&mut portfolio, 100, |_, strategy| usize::from(strategy == 2));
        let later = asked(&mut portfolio, 100, |_, strategy| usize::from(strategy == 1));
        assert!(later[1] > later[2], "{later:?}");
    }
}
