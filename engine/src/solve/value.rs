//! What is known of best play under one ko rule: bounds that hold under it, and where they do not meet, the search with the history of the game.

use super::{Bounds, Problem, Proof, Solution};
use crate::{
    Counting, Ko, Rules,
    count::{CountError, Report},
    rules::{Supply, Tax},
};

/// Up to so many points a repetition is counted as a draw under simple ko even where the bounds meet; on larger boards that would find no end.
const MAX_DRAW_POINTS: usize = 12;

/// What is known of best play under one ko rule.
#[derive(Clone, Debug)]
pub struct Value {
    /// Black's area minus White's when both play best, at least.
    pub least: i32,
    /// Black's area minus White's when both play best, at most.
    pub most: i32,
    /// What the search under this rule alone found, where one was made.
    pub exact: Option<Solution>,
}

impl Value {
    /// Returns the bounds as they are, which hold under simple ko.
    #[must_use]
    pub const fn from_bounds(bounds: &Bounds) -> Self {
        Self { least: bounds.least, most: bounds.most, exact: None }
    }

    /// Returns Black's margin when both play best, if it is known.
    #[must_use]
    pub const fn margin(&self) -> Option<i32> {
        if self.least == self.most { Some(self.least) } else { None }
    }
}

/// Returns what matters of rules for best play: ko and suicide, and a tax where area is counted. Area is counted always, and there is no handicap.
///
/// # Errors
/// [`CountError::FiniteStones`].
pub fn solved_rules(rules: Rules) -> Result<Rules, CountError> {
    let tax = if rules.counting == Counting::Area { rules.tax } else { Tax::None };
    match rules.supply {
        Supply::Finite => Err(CountError::FiniteStones),
        Supply::Unlimited => Ok(Rules { ko: rules.ko, suicide: rules.suicide, tax, ..Rules::TROMP_TAYLOR }),
    }
}

impl Problem {
    /// Takes over those bounds whose proofs hold under the ko rule, and where they do not meet, finds [best play](Self::best_play) under this rule alone.
    /// Of the rules, ko and tax matter; under a tax no bound is taken over, because bounds are proved without one. Under simple ko a repetition is a draw
    /// if such a search is made.
    ///
    /// A search that is stopped leaves the bounds that it has come to.
    ///
    /// # Errors
    /// As [`best_play`](Self::best_play).
    ///
    /// # Examples
    /// ```
    /// use jigo_engine::{Board, BoardSize, Rules, Suicide, solve::{Effort, Problem, Progress}};
    /// use std::ops::ControlFlow;
    /// let problem = Problem::from_board(&Board::<1>::new(BoardSize::new(2, 3)?, Suicide::Allowed))?;
    /// let bounds = problem.bounds(Effort::default(), &Progress::new());
    /// let value = problem.value(Rules::TROMP_TAYLOR, &bounds, 1 << 28, &mut |_| ControlFlow::Continue(()))?;
    /// assert_eq!(value.margin(), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(
        &self,
        rules: Rules,
        bounds: &Bounds,
        memory: usize,
        report: Report<'_>,
    ) -> Result<Value, CountError> {
        let unknown = Value::from_bounds(&Bounds::unknown(self));
        let known =
            if rules.tax == Tax::None { self.bounds_under(rules.ko, bounds) } else { unknown.clone() };
        if !self.may_count_history(rules.ko, bounds) {
            return Ok(known);
        }
        // Bounds under simple ko do not know that a repetition is a draw.
        let start = if rules.ko == Ko::Simple { unknown } else { known.clone() };
        if start.margin().is_some() {
            return Ok(start);
        }
        let solution = self.best_play(rules, (start.least, start.most), memory, report)?;
        if rules.ko == Ko::Simple && solution.margin().is_none() {
            // What was known before says more, and does not count draws.
            return Ok(known);
        }
        Ok(Value { least: solution.bounds.0, most: solution.bounds.1, exact: Some(solution) })
    }

    /// Returns the bounds that hold under the ko rule: under superko those whose proofs were checked for it.
    #[must_use]
    pub fn bounds_under(&self, ko: Ko, bounds: &Bounds) -> Value {
        let unknown = Bounds::unknown(self);
        let [black, white] = &bounds.proofs;
        let holds = |proof: &Option<Proof>| {
            let verdict = proof.as_ref().map(Proof::check);
            !ko.is_superko() || matches!(verdict, Some(Ok(verdict)) if verdict.holds_under_superko)
        };
        Value {
            least: if holds(black) { bounds.least } else { unknown.least },
            most: if holds(white) { bounds.most } else { unknown.most },
            exact: None,
        }
    }

    /// Returns whether the history of the game is known and may change the value.
    fn may_count_history(&self, ko: Ko, bounds: &Bounds) -> bool {
        let open = self.open_points().len();
        let may_be_draw = bounds.least < bounds.most || open <= MAX_DRAW_POINTS;
        open == self.size().point_count() && (ko != Ko::Simple || may_be_draw)
    }
}
