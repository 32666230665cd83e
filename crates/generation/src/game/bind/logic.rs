//! Logical operators, comparisons and arithmetic, none of which is redundant or contradictory in itself.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::tree::Entry;
use smallvec::SmallVec;

use super::{BindResult, Binder, Rule, Unbindable};

impl Binder<'_> {
    /// Binds a conjunction or disjunction with the node around it. Operands with the same operator are merged into it, and those that
    /// repeat or negate an earlier one are left out; so are those that cannot be bound, unless there is no other. A single operand takes the
    /// place of the whole.
    pub(super) fn logical(&mut self, wrapper: Symbol, entry: usize) -> BindResult {
        let operator = self.tree.symbol(entry);
        let start = self.out.len();
        let mut kept: SmallVec<[usize; 8]> = SmallVec::new();
        let tree = self.tree;
        for child in tree.children(entry) {
            let mut next = self.out.len();
            if !self.attempt(|binder| binder.node(child)) {
                continue;
            }
            if self.out.symbol(next + 1) == Some(operator) {
                self.out.remove(next..next + 2);
            }
            while next < self.out.len() {
                let operand = self.out.subtree(next);
                let end = next + operand.len();
                let repeats = |&other: &usize| {
                    let other = self.out.subtree(other);
                    other == operand || negates(other, operand) || negates(operand, other)
                };
                if kept.iter().any(repeats) {
                    self.out.remove(next..end);
                } else {
                    kept.push(next);
                    next = end;
                }
            }
        }
        match kept.len() {
            0 => return Err(Unbindable),
            1 => {}
            _ => self.out.enclose(start..self.out.len(), &[wrapper, operator]),
        }
        Ok(())
    }

    /// Binds a negation with the node around it. A double negation is left out.
    pub(super) fn negation(&mut self, wrapper: Symbol, entry: usize) -> BindResult {
        let operand = self.tree.children(entry).next().ok_or(Unbindable)?;
        let start = self.out.len();
        self.is_negated = !self.is_negated;
        let result = self.node(operand);
        self.is_negated = !self.is_negated;
        result?;
        if is_negation(self.out.since(start)) {
            self.out.remove(start..start + 2);
        } else {
            self.out.enclose(start..self.out.len(), &[wrapper, self.tree.symbol(entry)]);
        }
        Ok(())
    }

    /// Binds a comparison of functions. In a drawn game, a comparison with several numbers or equal operands is not bound.
    pub(super) fn comparison(&mut self, entry: usize) -> BindResult {
        let start = self.out.len();
        self.copy(entry)?;
        if !self.is_drawn {
            return Ok(());
        }
        let comparison = self.out.children(start).next().ok_or(Unbindable)?;
        let is_operand = |&child: &usize| self.out.symbol(child) == Some(Rule::ComparisonArg.symbol());
        let operands: SmallVec<[usize; 4]> = self.out.children(comparison).filter(is_operand).collect();
        let is_number = |&&operand: &&usize| self.out.symbol(operand + 1) == Some(Rule::ComparisonNumber.symbol());
        if operands.iter().filter(is_number).count() > 1 || self.has_equal_neighbours(&operands) {
            return Err(Unbindable);
        }
        Ok(())
    }

    /// Returns whether two of some bound parts that follow each other are equal.
    fn has_equal_neighbours(&self, parts: &[usize]) -> bool {
        parts.windows(2).any(|pair| self.out.subtree(pair[0]) == self.out.subtree(pair[1]))
    }

    /// Binds arithmetic or a comparison of scores. In a drawn game, the first operand becomes a count if all operands are numbers; so does a divisor
    /// that is always 0.
    pub(super) fn arithmetic(&mut self, entry: usize) -> BindResult {
        let tree = self.tree;
        let operand = |child: usize| tree.symbol(child) == Rule::ScoringExprOrNumber.symbol();
        let number = |child: usize| tree.symbol(child + 1) == Rule::ScoringNumber.symbol();
        let is_constant = self.is_drawn && tree.children(entry).filter(|&child| operand(child)).all(number);
        self.out.open(tree.symbol(entry));
        let mut is_replaced = !is_constant;
        let is_quotient = self.rule(entry) == Some(Rule::BinaryExpr) && self.tokens.text(tree.symbol(entry + 1)) == "/";
        for child in tree.children(entry) {
            let start = self.out.len();
            if operand(child) && !is_replaced {
                is_replaced = true;
                self.any_count()?;
            } else {
                self.node(child)?;
            }
            if is_quotient && tree.end(child) == tree.end(entry) {
                self.divisor(start)?;
            }
        }
        self.out.close();
        Ok(())
    }

    /// Replaces a divisor that has been bound and is always 0 by a count.
    fn divisor(&mut self, start: usize) -> BindResult {
        let is_counting = self.out.since(start).iter().any(|part| part.symbol == Rule::PreferenceEval.symbol());
        if is_counting {
            return Ok(());
        }
        let divisor = self.out.split_off(start);
        if self.first_value(&divisor, 0).is_some_and(|value| value.abs() < f64::MIN_POSITIVE) {
            return self.any_count();
        }
        self.out.subtrees(divisor.entries());
        Ok(())
    }

    /// Binds a sequence. In a drawn game, neighbours differ.
    pub(super) fn sequence(&mut self, entry: usize) -> BindResult {
        let start = self.out.len();
        self.copy(entry)?;
        let functions: SmallVec<[usize; 8]> = self.out.children(start).collect();
        if self.is_drawn && self.has_equal_neighbours(&functions) {
            return Err(Unbindable);
        }
        Ok(())
    }
}

/// Returns whether a condition is a negation: its node, that of the operator, and the operand.
fn is_negation(condition: &[Entry]) -> bool {
    let operators = [Rule::Not, Rule::SetupNot, Rule::TerminalNot].map(Rule::symbol);
    condition.len() > 2 && operators.contains(&condition[1].symbol)
}

/// Returns whether a condition is the negation of another one.
fn negates(condition: &[Entry], other: &[Entry]) -> bool {
    is_negation(condition) && condition[2..] == *other
}
