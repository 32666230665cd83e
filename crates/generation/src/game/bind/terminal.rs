//! The terminal condition. That of a drawn game is false when the game begins.

use goalspec_generator::tree::Tree;

use super::{BindResult, Binder, Rule, Symbol, Unbindable};

impl Binder<'_> {
    /// Binds the terminal condition, without preferences that are counted only when the game is over. Without another condition, it is left
    /// out.
    pub(super) fn terminal(&mut self, entry: usize) {
        self.is_in_terminal = true;
        self.attempt(|binder| binder.copy(entry));
        self.is_in_terminal = false;
    }

    /// Binds a comparison that ends the game. In a drawn game, one that ends it at once is turned around, or else it is not bound.
    pub(super) fn end(&mut self, entry: usize) -> BindResult {
        let start = self.out.len();
        self.copy(entry)?;
        let mut bound = self.out.split_off(start);
        // The node around it is the first entry, and its operator follows.
        let (comparison, operator) = (1, 2);
        if self.is_drawn && self.is_immediate(&bound, comparison) {
            // Counts and times grow, so what is above a bound at first never falls below it.
            let [less, at_most, greater, at_least] = self.names.comparisons;
            let turned = if self.is_negated {
                [(greater, less), (at_least, at_most)]
            } else {
                [(less, greater), (at_most, at_least)]
            };
            let opposite = turned.into_iter().find(|(own, _)| *own == bound.symbol(operator));
            bound.set_symbol(operator, opposite.ok_or(Unbindable)?.1);
            if self.is_immediate(&bound, comparison) {
                return Err(Unbindable);
            }
        }
        if self.is_drawn && self.needs_several(&bound, comparison) {
            let once = (0..bound.len()).filter(|&part| bound.symbol(part) == Rule::CountOnce.symbol());
            for part in once.collect::<Vec<_>>() {
                bound.set_symbol(part, Rule::Count.symbol());
            }
        }
        self.out.subtrees(bound.entries());
        Ok(())
    }

    /// Returns whether a comparison makes the condition true in the first state.
    fn is_immediate(&self, tree: &Tree, comparison: usize) -> bool {
        self.holds_at_first(tree, comparison).is_some_and(|holds| holds != self.is_negated)
    }

    /// Returns whether a comparison is with a number that no preference reaches by being satisfied once.
    fn needs_several(&self, tree: &Tree, comparison: usize) -> bool {
        let last = tree.children(comparison).last();
        last.and_then(|number| self.first_value(tree, number)).is_some_and(|number| number > 1.0)
    }

    /// Returns whether a comparison of a time, a score or counts holds in the first state; `None` if that is not known.
    fn holds_at_first(&self, tree: &Tree, comparison: usize) -> Option<bool> {
        let parts: Vec<usize> = tree.children(comparison).collect();
        let &[operator, left, right] = &parts[..] else { return None };
        let [left, right] = [self.first_value(tree, left)?, self.first_value(tree, right)?];
        Some(self.compare(tree.symbol(operator), left, right))
    }

    fn compare(&self, operator: Symbol, left: f64, right: f64) -> bool {
        let [less, at_most, greater, at_least] = self.names.comparisons;
        if operator == less {
            left < right
        } else if operator == at_most {
            left <= right
        } else if operator == greater {
            left > right
        } else if operator == at_least {
            left >= right
        } else {
            left.total_cmp(&right).is_eq()
        }
    }

    /// Returns the value of an expression in the first state, in which nothing is counted yet; `None` if that is not known.
    pub(super) fn first_value(&self, tree: &Tree, entry: usize) -> Option<f64> {
        let symbol = tree.symbol(entry);
        if symbol.is_token() {
            // The total time and the total score are 0.
            return Some(self.tokens.text(symbol).parse().unwrap_or_default());
        }
        let values = |from: usize| -> Option<Vec<f64>> {
            tree.children(entry).skip(from).map(|part| self.first_value(tree, part)).collect()
        };
        match Rule::of(symbol)? {
            Rule::PreferenceEval => Some(0.0),
            Rule::MultiExpr if tree.symbol(entry + 1) == self.names.plus => Some(values(1)?.iter().sum()),
            Rule::MultiExpr => Some(values(1)?.iter().product()),
            Rule::NegExpr => Some(-self.first_value(tree, entry + 1)?),
            Rule::BinaryExpr => match values(1)?[..] {
                [left, right] if self.tokens.text(tree.symbol(entry + 1)) == "-" => Some(left - right),
                [left, right] if right != 0.0 => Some(left / right),
                _ => None,
            },
            Rule::ScoringComp => self.holds_at_first(tree, entry).map(|holds| f64::from(u8::from(holds))),
            Rule::ScoringEquals => {
                let is_equal = values(0)?.windows(2).all(|pair| pair[0].total_cmp(&pair[1]).is_eq());
                Some(f64::from(u8::from(is_equal)))
            }
            Rule::ScoringExpr
            | Rule::ScoringExprOrNumber
            | Rule::ScoringComparison
            | Rule::ExternalMaximize
            | Rule::ExternalMinimize
            | Rule::ScoringNumber
            | Rule::CountNumber
            | Rule::ScoreNumber
            | Rule::TimeNumber => self.first_value(tree, entry + 1),
            _ => None,
        }
    }
}
