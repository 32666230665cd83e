//! The binding of computations, expressions and literals.

use goalspec_generator::grammar::Symbol;

use super::Binder;
use crate::resource_game::names::{NamedField, ValueKinds, number};
use crate::resource_game::rules::Rule;

/// The use of a literal value.
#[derive(Debug, Clone, Copy)]
pub(super) enum LiteralRole<'a> {
    /// It is added to a field.
    Amount(Option<&'a NamedField>),
    /// It replaces the value of a field.
    Replacement(Option<&'a NamedField>),
    /// It has to be of some kind.
    Other(ValueKinds),
}

impl<'a> Binder<'a> {
    /// Returns the kinds of the fields that a literal fits, which are given for a hole.
    pub(super) fn literal_kinds(&self, literal: Symbol, hole: ValueKinds) -> ValueKinds {
        if literal == self.lexicon.hole { hole } else { ValueKinds::of_literal(self.text(literal)) }
    }

    /// Returns the kinds of values that a computation may have.
    pub(super) fn produced(&self, computation: usize) -> ValueKinds {
        let first = || self.token(computation, 0);
        match self.rule(computation) {
            Some(Rule::Constant) => {
                first().map_or(ValueKinds::NONE, |own| self.literal_kinds(own, ValueKinds::SCALARS))
            }
            Some(Rule::FieldValue) => match first().filter(|own| *own != self.lexicon.hole) {
                Some(own) => self.names.field(self.scope, own).map_or(ValueKinds::ALL, |field| field.kinds),
                None => ValueKinds::SCALARS,
            },
            Some(Rule::Calculate) => {
                let root = self.tree.child(computation, 0).and_then(|root| self.rule(root));
                if root == Some(Rule::Comparison) { ValueKinds::BOOLEAN } else { ValueKinds::NUMBER }
            }
            Some(Rule::MathOperation) => ValueKinds::NUMBER,
            Some(Rule::CalculateBoolean) => ValueKinds::BOOLEAN,
            Some(Rule::Cases) => {
                let values = self.tree.children(computation).filter_map(|case| self.tree.child(case, 1));
                values.map(|value| self.produced(value)).fold(ValueKinds::SCALARS, ValueKinds::and)
            }
            Some(Rule::Template | Rule::FirstPresent) => ValueKinds::TEXT,
            _ => ValueKinds::ALL,
        }
    }

    pub(super) fn computation(&mut self, entry: usize, usage: LiteralRole<'a>) -> Option<()> {
        let rule = self.rule(entry)?;
        let children = self.children(entry);
        let kinds = match usage {
            LiteralRole::Amount(field) => field.map_or(ValueKinds::NUMBER, |field| field.kinds),
            LiteralRole::Replacement(field) => field.map_or(ValueKinds::SCALARS, |field| field.kinds),
            LiteralRole::Other(kinds) => kinds,
        };
        if self.has_hole(entry) && !self.produced(entry).meets(kinds) {
            return None;
        }
        self.enclosed(rule, |binder| match rule {
            Rule::Constant => {
                let value = binder.literal(binder.token(entry, 0)?, usage)?;
                binder.out.token(value);
                Some(())
            }
            Rule::Calculate => children.into_iter().try_for_each(|child| binder.expression(child, ValueKinds::NUMBER)),
            Rule::CalculateBoolean => {
                children.into_iter().try_for_each(|child| binder.expression(child, ValueKinds::BOOLEAN))
            }
            Rule::Cases => {
                let cases = binder.possible_cases(children);
                cases.into_iter().try_for_each(|case| binder.case(case, usage))
            }
            Rule::Chain => children.into_iter().try_for_each(|child| match binder.rule(child) {
                Some(own) if own.is_computation() => binder.computation(child, LiteralRole::Other(ValueKinds::SCALARS)),
                _ => binder.node_of_chain(child),
            }),
            Rule::FieldValue => binder.fields(children, kinds),
            Rule::MathOperation => {
                let operator = binder.token(entry, 0)?;
                binder.out.token(operator);
                binder.fields(children.into_iter().skip(1).collect(), ValueKinds::NUMBER)
            }
            Rule::Template => children.into_iter().try_for_each(|child| binder.expression(child, ValueKinds::ALL)),
            _ => binder.fields(children, ValueKinds::ALL),
        })
    }

    pub(super) fn case(&mut self, case: usize, usage: LiteralRole<'a>) -> Option<()> {
        let (when, value) = (self.tree.child(case, 0)?, self.tree.child(case, 1)?);
        let tests = self.children(when);
        let mut used = Vec::new();
        self.enclosed(Rule::Case, |binder| {
            binder.enclosed(Rule::When, |binder| {
                tests.into_iter().try_for_each(|test| binder.field_test(test, &mut used))
            })?;
            binder.computation(value, usage)
        })
    }

    pub(super) fn node_of_chain(&mut self, step: usize) -> Option<()> {
        match self.rule(step)? {
            Rule::TestStep => {
                let test = self.tree.child(step, 0)?;
                self.enclosed(Rule::TestStep, |binder| binder.test(test, None))
            }
            rule => self.copied(step, rule),
        }
    }

    /// Adds fields of some kinds, and nodes with other content.
    pub(super) fn fields(&mut self, entries: Vec<usize>, kinds: ValueKinds) -> Option<()> {
        for entry in entries {
            let symbol = self.tree.symbol(entry);
            if symbol.is_token() {
                let field = self.read_field(symbol, kinds)?;
                self.out.token(field);
            } else {
                self.node(entry)?;
            }
        }
        Some(())
    }

    /// Adds an expression whose fields are of some kinds.
    pub(super) fn expression(&mut self, entry: usize, kinds: ValueKinds) -> Option<()> {
        let symbol = self.tree.symbol(entry);
        match Rule::of(symbol) {
            None => self.out.token(symbol),
            Some(rule @ (Rule::NumberField | Rule::TruthField | Rule::TemplateField)) => {
                let name = self.token(entry, 0)?;
                let field = self.read_field(name, kinds)?;
                self.enclosed(rule, |binder| {
                    binder.out.token(field);
                    Some(())
                })?;
            }
            Some(rule) => {
                let children = self.children(entry);
                self.enclosed(rule, |binder| {
                    children.into_iter().try_for_each(|child| binder.expression(child, kinds))
                })?;
            }
        }
        Some(())
    }

    /// Returns a literal, or one for its use if it is a hole.
    pub(super) fn literal(&mut self, literal: Symbol, usage: LiteralRole<'a>) -> Option<Symbol> {
        if literal != self.lexicon.hole {
            return Some(literal);
        }
        match usage {
            LiteralRole::Amount(field) if field.is_none_or(|field| field.kinds.meets(ValueKinds::NUMBER)) => {
                self.amount(field)
            }
            LiteralRole::Amount(Some(field)) | LiteralRole::Replacement(Some(field)) => self.pick(&field.members),
            LiteralRole::Amount(None) | LiteralRole::Replacement(None) => self.amount(None),
            LiteralRole::Other(kinds) if kinds.meets(ValueKinds::NUMBER) => self.amount(None),
            LiteralRole::Other(_) => self.pick(&self.lexicon.truths),
        }
    }

    /// Returns a number to add to a field: one that the examples add to a field and that leaves it in its range, or else 1 or -1.
    pub(super) fn amount(&mut self, field: Option<&NamedField>) -> Option<Symbol> {
        let literal_number = |literal: Symbol| number(self.text(literal));
        let initials = field.map_or(&[][..], |field| &field.initials);
        let initials: Vec<f64> = initials.iter().filter_map(|&initial| literal_number(initial)).collect();
        let fits = |&amount: &Symbol| {
            let number = literal_number(amount).unwrap_or_default();
            // The sum with an initial value is in the range.
            let is_inside =
                |[min, max]: [f64; 2]| initials.iter().any(|initial| (min..=max).contains(&(initial + number)));
            let within = |field: &NamedField| {
                let is_suitable = field.range.is_none_or(is_inside);
                is_suitable && (!field.is_whole || number.fract() == 0.0)
            };
            number != 0.0 && field.is_none_or(within)
        };
        let amounts: Vec<Symbol> = self.lexicon.amounts.iter().copied().filter(fits).collect();
        let units: Vec<Symbol> = self.lexicon.units.iter().copied().filter(fits).collect();
        match (&amounts[..], &units[..]) {
            ([], []) => self.pick(&self.lexicon.units),
            ([], units) => self.pick(units),
            (amounts, _) => self.pick(amounts),
        }
    }
}
