//! Linear forms over functions.

use std::collections::BTreeMap;
use std::fmt;

use goalspec_core::condition::ComparisonOperator;

use crate::ratio::Ratio;

/// A sum of functions, each with its arguments and a factor, and a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinearExpression {
    /// The factors by the functions with their arguments, in the syntax of PDDL. A factor can be zero: the function must have a value.
    factors: BTreeMap<String, Ratio>,
    constant: Ratio,
}

/// A linear expression without constant, whose first factor is one and no factor is zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinearForm {
    factors: BTreeMap<String, Ratio>,
}

/// A comparison with zero, in normal form.
#[derive(Debug)]
pub(crate) enum LinearComparison {
    /// It holds if all of these functions have values, and the constant is true.
    Constant(bool, Vec<String>),
    /// It compares a form with a threshold; the further functions must have values.
    Threshold(LinearForm, ComparisonOperator, Ratio, Vec<String>),
}

impl LinearExpression {
    pub(crate) fn constant(value: Ratio) -> Self {
        Self { factors: BTreeMap::new(), constant: value }
    }

    pub(crate) fn function(name: String) -> Self {
        Self { factors: BTreeMap::from([(name, Ratio::ONE)]), constant: Ratio::ZERO }
    }

    /// Returns the sum of two expressions; `None` if a number is too large.
    pub(crate) fn plus(mut self, other: Self) -> Option<Self> {
        for (name, factor) in other.factors {
            let sum = self.factors.get(&name).copied().unwrap_or(Ratio::ZERO).plus(factor)?;
            self.factors.insert(name, sum);
        }
        self.constant = self.constant.plus(other.constant)?;
        Some(self)
    }

    /// Returns the expression with all factors multiplied; `None` if a number is too large.
    fn scaled(mut self, by: Ratio) -> Option<Self> {
        for factor in self.factors.values_mut() {
            *factor = factor.times(by)?;
        }
        self.constant = self.constant.times(by)?;
        Some(self)
    }

    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.scaled(Ratio::ONE.negated())?)
    }

    /// Returns the product; `None` if neither is a constant, or a number is too large.
    pub(crate) fn times(self, other: Self) -> Option<Self> {
        let constant = |expression: &Self| expression.factors.is_empty().then_some(expression.constant);
        match (constant(&self), constant(&other)) {
            (_, Some(by)) => self.scaled(by),
            (Some(by), None) => other.scaled(by),
            (None, None) => None,
        }
    }

    /// Returns the quotient; `None` if the divisor is no constant or zero, or a number is too large.
    pub(crate) fn over(self, other: &Self) -> Option<Self> {
        if other.factors.is_empty() { self.scaled(Ratio::ONE.over(other.constant)?) } else { None }
    }

    /// Returns the normal form of the comparison of the expression with zero; `None` if a number is too large.
    pub(crate) fn compared(self, comparison: ComparisonOperator) -> Option<LinearComparison> {
        let is_zero = |factor: &Ratio| *factor == Ratio::ZERO;
        let (absent, factors): (BTreeMap<_, _>, BTreeMap<_, _>) =
            self.factors.into_iter().partition(|(_, factor)| is_zero(factor));
        let required = absent.into_keys().collect();
        let Some(&first) = factors.values().next() else {
            let ordering = self.constant.cmp(&Ratio::ZERO);
            let holds = match comparison {
                ComparisonOperator::Less => ordering.is_lt(),
                ComparisonOperator::LessEqual => ordering.is_le(),
                ComparisonOperator::Equal => ordering.is_eq(),
                ComparisonOperator::GreaterEqual => ordering.is_ge(),
                ComparisonOperator::Greater => ordering.is_gt(),
            };
            return Some(LinearComparison::Constant(holds, required));
        };
        let scaled = factors.into_iter().map(|(name, factor)| Some((name, factor.over(first)?)));
        let form = LinearForm { factors: scaled.collect::<Option<_>>()? };
        let threshold = self.constant.negated().over(first)?;
        let comparison = if first.is_negative() { comparison.mirrored() } else { comparison };
        Some(LinearComparison::Threshold(form, comparison, threshold, required))
    }
}

impl LinearForm {
    /// Iterates over the functions with their arguments.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &str> {
        self.factors.keys().map(String::as_str)
    }
}

impl fmt::Display for LinearForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = self.factors.iter().map(|(name, factor)| match *factor {
            Ratio::ONE => name.clone(),
            factor => format!("(* {} {name})", factor.to_f64()),
        });
        let terms: Vec<String> = terms.collect();
        if terms.len() == 1 { f.write_str(&terms[0]) } else { write!(f, "(+ {})", terms.join(" ")) }
    }
}
