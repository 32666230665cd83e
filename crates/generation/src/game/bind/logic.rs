//! Logical operators, comparisons and arithmetic, none of which is redundant or contradictory in itself.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::tree::{Tree, TreeBuilder};

use super::{BindResult, Binder, Rule, Unbindable};

impl Binder<'_> {
    /// Binds a conjunction or disjunction with the node around it. Operands with the same operator are merged into it, and those that
    /// repeat or negate an earlier one are left out; so are those that cannot be bound, unless there is no other. A single operand takes the
    /// place of the whole.
    pub(super) fn logical(&mut self, wrapper: Symbol, entry: usize) -> BindResult {
        let operator = self.tree.symbol(entry);
        let mut kept: Vec<Tree> = Vec::new();
        let tree = self.tree;
        for child in tree.children(entry) {
            let Some(bound) = self.attempt(|binder| binder.node(child)) else { continue };
            let is_nested = bound.len() > 1 && bound.symbol(1) == operator;
            let operands: Vec<Tree> =
                if is_nested { bound.children(1).map(|operand| part(&bound, operand)).collect() } else { vec![bound] };
            for operand in operands {
                let repeats = |other: &Tree| *other == operand || negates(other, &operand) || negates(&operand, other);
                if !kept.iter().any(repeats) {
                    kept.push(operand);
                }
            }
        }
        match &kept[..] {
            [] => return Err(Unbindable),
            [only] => self.out.subtrees(only.entries()),
            _ => {
                self.out.open(wrapper);
                self.out.open(operator);
                for operand in &kept {
                    self.out.subtrees(operand.entries());
                }
                self.out.close();
                self.out.close();
            }
        }
        Ok(())
    }

    /// Binds a negation with the node around it. A double negation is left out.
    pub(super) fn negation(&mut self, wrapper: Symbol, entry: usize) -> BindResult {
        let operand = self.tree.children(entry).next().ok_or(Unbindable)?;
        self.is_negated = !self.is_negated;
        let bound = self.aside(|binder| binder.node(operand));
        self.is_negated = !self.is_negated;
        let bound = bound?;
        if is_negation(&bound) {
            self.out.subtrees(bound.subtree(2));
            return Ok(());
        }
        self.out.open(wrapper);
        self.out.open(self.tree.symbol(entry));
        self.out.subtrees(bound.entries());
        self.out.close();
        self.out.close();
        Ok(())
    }

    /// Binds a comparison of functions. In a drawn game, a comparison with several numbers or equal operands is not bound.
    pub(super) fn comparison(&mut self, entry: usize) -> BindResult {
        let bound = self.aside(|binder| binder.copy(entry))?;
        let comparison = bound.children(0).next().ok_or(Unbindable)?;
        let is_operand = |&child: &usize| bound.symbol(child) == Rule::ComparisonArg.symbol();
        let operands: Vec<usize> = bound.children(comparison).filter(is_operand).collect();
        let is_number = |&operand: &usize| bound.symbol(operand + 1) == Rule::ComparisonNumber.symbol();
        let is_repeated = |pair: &[usize]| bound.subtree(pair[0]) == bound.subtree(pair[1]);
        if self.is_drawn
            && (operands.iter().filter(|operand| is_number(operand)).count() > 1
                || operands.windows(2).any(is_repeated))
        {
            return Err(Unbindable);
        }
        self.out.subtrees(bound.entries());
        Ok(())
    }

    /// Binds arithmetic or a comparison of scores. In a drawn game, the first operand becomes a count if all operands are numbers.
    pub(super) fn arithmetic(&mut self, entry: usize) -> BindResult {
        let tree = self.tree;
        let operand = |child: usize| tree.symbol(child) == Rule::ScoringExprOrNumber.symbol();
        let number = |child: usize| tree.symbol(child + 1) == Rule::ScoringNumber.symbol();
        let is_constant = self.is_drawn && tree.children(entry).filter(|&child| operand(child)).all(number);
        self.out.open(tree.symbol(entry));
        let mut is_replaced = !is_constant;
        for child in tree.children(entry) {
            if operand(child) && !is_replaced {
                is_replaced = true;
                self.any_count()?;
            } else {
                self.node(child)?;
            }
        }
        self.out.close();
        Ok(())
    }

    /// Binds a sequence. In a drawn game, neighbours differ.
    pub(super) fn sequence(&mut self, entry: usize) -> BindResult {
        let bound = self.aside(|binder| binder.copy(entry))?;
        let functions: Vec<usize> = bound.children(0).collect();
        let is_repeated = |pair: &[usize]| bound.subtree(pair[0]) == bound.subtree(pair[1]);
        if self.is_drawn && functions.windows(2).any(is_repeated) {
            return Err(Unbindable);
        }
        self.out.subtrees(bound.entries());
        Ok(())
    }

    /// Returns the entries that a function adds; `None` if it fails, which then leaves no traces.
    pub(super) fn attempt(&mut self, bind: impl FnOnce(&mut Self) -> BindResult) -> Option<Tree> {
        let (frames, numbers, preferences) = (self.frames.clone(), self.numbers, self.preferences.clone());
        let bound = self.aside(bind).ok();
        if bound.is_none() {
            (self.frames, self.numbers, self.preferences) = (frames, numbers, preferences);
        }
        bound
    }
}

/// Returns a subtree as a tree.
fn part(tree: &Tree, entry: usize) -> Tree {
    let mut builder = TreeBuilder::default();
    builder.subtrees(tree.subtree(entry));
    builder.finish()
}

/// Returns whether a condition is a negation: its node, that of the operator, and the operand.
fn is_negation(condition: &Tree) -> bool {
    let operators = [Rule::Not, Rule::SetupNot, Rule::TerminalNot].map(Rule::symbol);
    condition.len() > 2 && operators.contains(&condition.symbol(1))
}

/// Returns whether a condition is the negation of another one.
fn negates(condition: &Tree, other: &Tree) -> bool {
    is_negation(condition) && condition.subtree(2) == other.entries()
}
