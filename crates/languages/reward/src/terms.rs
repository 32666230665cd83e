//! Terms: the summands of the reward that a reward function returns.
//!
//! The analysis finds the variables that the function returns, through clamps such as `max(min(reward, 1), -1)`, and every place that adds
//! to them: `reward += e`, `reward = reward - e`, a returned sum. A variable that accumulates terms and then becomes an operand of the sum
//! is expanded into its terms, as is the call of a function of the module that accumulates terms and is called only once.
//!
//! The effect of a clamp, of `reward *= e`, and of an assignment that replaces the value are terms, too, so that the terms of a call add up
//! to its result, except for rounding.
//!
//! The name of a term is the comment on its line or just above it, otherwise the innermost condition around it, otherwise its expression.

mod collector;
mod namer;

use std::sync::Arc;

use goalspec_python_runtime::code::Site;
use goalspec_python_runtime::observe::{TermProbe, TermProbes};
use goalspec_syntax::{SourceFile, SourceId, Span};
use rustc_hash::FxHashMap;

use crate::parse;

/// The source of a term's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameSource {
    /// A comment on its line or above it.
    Comment,
    /// The innermost condition around it.
    Condition,
    /// Its expression.
    Expression,
}

/// The effect of a term on the reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermKind {
    /// The term is added to the reward or subtracted from it.
    Summand,
    /// The term replaces the previous value.
    Assignment,
    /// The term is the returned value.
    ReturnValue,
    /// The term is the difference that a clamp makes.
    Clamp,
    /// The term is the difference that another operation makes.
    Update,
}

/// A term of a reward function.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The identifier: `L91`, or `L91.2` for the second term of the line.
    pub id: String,
    /// The name, at most 72 characters long.
    pub name: String,
    /// The source of the name.
    pub name_source: NameSource,
    /// The source text of the expression, on one line.
    pub text: String,
    /// The effect on the reward.
    pub kind: TermKind,
    /// The innermost condition around the term.
    pub condition: Option<Arc<str>>,
    /// The position of the statement, or of the part of it that is the term.
    pub span: Span,
    /// The line number, from 1 on.
    pub line: u32,
    pub(crate) probe: TermProbe,
}

impl Term {
    /// Returns whether the value of the expression is subtracted.
    pub fn is_subtracted(&self) -> bool {
        self.probe.is_subtracted
    }

    /// Returns the innermost condition around the term, truncated to 72 characters, since many terms may share a long condition.
    pub fn truncated_condition(&self) -> Option<String> {
        self.condition.as_deref().map(namer::truncate)
    }
}

/// The terms of a reward function.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// The terms, in the order of the text.
    pub terms: Vec<Term>,
    /// The names of the returned variables.
    pub returned_variables: Vec<String>,
    pub(crate) source: SourceId,
    /// The number of tracked variables.
    pub(crate) variable_count: usize,
    /// The sites at which tracked variables are assigned, with the indices of the variables.
    pub(crate) tracked_assignments: Vec<(Site, usize)>,
}

impl Terms {
    /// Finds the terms of the result of a function of the module.
    pub fn of(source: &SourceFile, function: &str) -> Self {
        let parsed = parse::parse(source);
        let names = namer::TermNamer::new(source, &parsed.comments);
        let mut terms = collector::collect_terms(source, &parsed.module, function, &names);
        terms.terms.sort_by_key(|term| (term.span.start, term.span.end));
        let mut on_line: FxHashMap<u32, usize> = FxHashMap::default();
        for term in &mut terms.terms {
            let count = on_line.entry(term.line).or_default();
            *count += 1;
            term.id = if *count == 1 { format!("L{}", term.line) } else { format!("L{}.{count}", term.line) };
        }
        terms
    }

    /// Returns the probes with which an [`Observer`](goalspec_python_runtime::observe::Observer) measures the terms.
    pub fn probes(&self) -> TermProbes {
        TermProbes {
            terms: self.terms.iter().map(|term| term.probe).collect(),
            variable_count: self.variable_count,
            tracked_assignments: self.tracked_assignments.clone(),
        }
    }
}
