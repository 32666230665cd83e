//! What a reward is the sum of: the terms of a reward function.
//!
//! The variables that the function returns are found, through clamps such as `max(min(reward, 1), -1)`, and every place that adds to them:
//! `reward += e`, `reward = reward - e`, a sum that is returned. A variable that is added to in the same way and then becomes a part of the
//! sum is looked through. What a function of the module gives that is called for the whole reward is looked at there.
//!
//! What a clamp takes away, what `reward *= e` changes, and a value that takes the place of another one are terms, too, so that all
//! terms of a call come to what it gives, but for rounding.
//!
//! A term is named by the comment on its line or just above, else by the innermost condition around it, else by its expression.

mod names;
mod walk;

use std::sync::Arc;

use goalspec_syntax::{SourceFile, SourceId, Span};
use rustc_hash::FxHashMap;

use crate::code::Site;
use crate::parse;

/// What a term is named by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// A comment.
    Comment,
    /// The condition around it.
    Condition,
    /// Its expression.
    Expression,
}

/// How a term changes the reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermKind {
    /// It is added.
    Added,
    /// It takes the place of what was there.
    Set,
    /// It is returned.
    Returned,
    /// It is what a clamp changes.
    Clamp,
    /// It is what another operation changes.
    Changed,
}

/// A term.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// `L91`, or `L91.2` for a second one of the line.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What gave the name.
    pub named_by: NamedBy,
    /// The expression, as it is written, on one line.
    pub text: String,
    /// How it changes the reward.
    pub kind: TermKind,
    /// Whether what the expression gives is subtracted.
    pub negative: bool,
    /// The innermost condition around it.
    pub condition: Option<Arc<str>>,
    /// The statement, or the part of it that is the term.
    pub span: Span,
    /// The line, from 1 on.
    pub line: u32,
    pub(crate) measure: Measure,
}

impl Term {
    /// The innermost condition around it, cut where it is long: that of many terms is written out for each of them.
    pub fn condition_shown(&self) -> Option<String> {
        self.condition.as_deref().map(names::cut)
    }
}

/// Where the value of a term can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Measure {
    pub(crate) site: Site,
    pub(crate) part: Part,
    /// The variable that it changes.
    pub(crate) variable: usize,
}

/// Which part of what an instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// What stands left.
    Left,
    /// What stands right.
    Right,
    /// By how much it differs from what the variable was.
    Change,
}

/// The terms of a reward function.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// In the order of the text.
    pub list: Vec<Term>,
    /// The names of the variables that are returned.
    pub returned: Vec<String>,
    pub(crate) source: SourceId,
    /// How many variables are followed.
    pub(crate) variables: usize,
    /// Where they get values.
    pub(crate) tracked: Vec<(Site, usize)>,
}

impl Terms {
    /// The terms of what a function of the module gives.
    pub fn of(source: &SourceFile, function: &str) -> Self {
        let parsed = parse::parse(source);
        let names = names::Names::new(source, &parsed.comments);
        let mut terms = walk::walk(source, &parsed.module, function, &names);
        terms.list.sort_by_key(|term| (term.span.start, term.span.end));
        let mut on_line: FxHashMap<u32, usize> = FxHashMap::default();
        for term in &mut terms.list {
            let count = on_line.entry(term.line).or_default();
            *count += 1;
            term.id = if *count == 1 { format!("L{}", term.line) } else { format!("L{}.{count}", term.line) };
        }
        terms
    }
}
