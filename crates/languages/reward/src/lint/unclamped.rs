//! Rewards that nothing keeps within a range.

use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::scene::World;
use goalspec_syntax::{SourceFile, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt, StmtReturn};
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

use super::documented_range::{RewardRange, find_function, return_clamp_bounds};
use super::flow;
use crate::parse::{parse, span};

/// Returns the first `return` of the reward function whose value nothing keeps within a range: neither a clamp nor, as far as the text
/// shows, the values themselves.
pub fn unclamped_return(source: &SourceFile, entry: &Entry, world: Option<&World>, range: RewardRange) -> Option<Span> {
    let parsed = parse(source);
    let (definition, _) = find_function(&parsed.module, &entry.function)?;
    let intervals = flow::lint(source, &parsed.module, Some(entry), world).return_intervals;
    let known: FxHashMap<_, _> = intervals.iter().map(|found| (found.range, (found.low, found.high))).collect();
    let places = definition.body.iter().enumerate().map(|(place, statement)| (statement.range(), place)).collect();
    let within = |low: f64, high: f64| low >= range.min && high <= range.max;
    let mut returns = Returns(Vec::new());
    returns.visit_body(&definition.body);
    let is_bounded = |statement: &&&StmtReturn| {
        let at = statement.range();
        known.get(&at).is_some_and(|(low, high)| within(*low, *high))
            || return_clamp_bounds(&definition.body, &places, at).is_some_and(|[low, high]| within(low, high))
    };
    returns.0.iter().find(|statement| !is_bounded(statement)).map(|statement| span(source, statement.range()))
}

/// The `return` statements of a function, without those of nested functions.
struct Returns<'r>(Vec<&'r StmtReturn>);

impl<'a> Visitor<'a> for Returns<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Return(returned) => self.0.push(returned),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}
