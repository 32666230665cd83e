//! The range of results that a reward function promises in its documentation or in a comment: `reward in [-1, 1]`.

use goalspec_syntax::{Diagnostic, SourceFile, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use super::branches::{self, ConstantReturn};
use super::flow::ReturnInterval;
use super::numeric_literal;
use crate::codes;
use crate::parse::{ParseResult, parse, span};

/// Words before bounds that refer to the result.
const RESULT_WORDS: [&str; 5] = ["reward", "return", "result", "total", "output"];

/// Words before a pair of numbers that mark it as bounds.
const BOUND_WORDS: [&str; 10] =
    ["range", "within", "between", "clip", "clamp", "normali", "scale", "bound", "in [", "stays"];

/// Words that attribute the bounds to another value.
const OTHER_VALUE_WORDS: [&str; 12] = [
    "constant",
    "coordinate",
    "position",
    "distance",
    "ratio",
    "bonus",
    "penalty",
    "component",
    "shaping",
    "term",
    "proximity",
    "hit",
];

/// Words that may directly precede `reward` if it is the whole reward; other words name a part of it.
const WHOLE_REWARD_WORDS: [&str; 40] = [
    "the",
    "a",
    "this",
    "that",
    "its",
    "my",
    "our",
    "is",
    "of",
    "as",
    "total",
    "final",
    "overall",
    "whole",
    "full",
    "combined",
    "net",
    "output",
    "scalar",
    "float",
    "dense",
    "sparse",
    "step",
    "per-step",
    "normalized",
    "normalised",
    "bounded",
    "clamped",
    "clipped",
    "scaled",
    "clamp",
    "clip",
    "bound",
    "limit",
    "keep",
    "normalize",
    "normalise",
    "scale",
    "return",
    "returns",
];

/// The promised range of the result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RewardRange {
    /// The minimum.
    pub min: f64,
    /// The maximum.
    pub max: f64,
    /// The position of the promise; `None` if it is not part of the program.
    pub span: Option<Span>,
}

/// Returns the promised range of the result of a function; the last promise counts.
pub fn documented_range(source: &SourceFile, function: &str) -> Option<RewardRange> {
    let parsed = parse(source);
    let (definition, after) = find_function(&parsed.module, function)?;
    find_documented_range(source, &parsed, definition, after)
}

/// Returns the function with this name, and the end of the statement before it.
pub(super) fn find_function<'m>(module: &'m ModModule, function: &str) -> Option<(&'m StmtFunctionDef, TextSize)> {
    let named =
        |statement: &Stmt| statement.as_function_def_stmt().is_some_and(|found| found.name.as_str() == function);
    let place = module.body.iter().rposition(named)?;
    let after = place.checked_sub(1).map_or_else(TextSize::default, |before| module.body[before].end());
    Some((module.body[place].as_function_def_stmt()?, after))
}

fn find_documented_range(
    source: &SourceFile,
    parsed: &ParseResult,
    function: &StmtFunctionDef,
    after: TextSize,
) -> Option<RewardRange> {
    let text = source.text();
    let mut places: Vec<TextRange> = Vec::new();
    if let Some(Stmt::Expr(first)) = function.body.first()
        && first.value.is_string_literal_expr()
    {
        places.push(first.range);
    }
    let around = TextRange::new(after, function.end());
    // A comment beside the assignment of a constant describes the constant.
    let beside_constant = |comment: &TextRange| {
        let line = text[..comment.start().to_usize()].rsplit('\n').next().unwrap_or_default();
        line.split('=').next().is_some_and(|name| !name.trim().is_empty() && !name.contains(char::is_lowercase))
    };
    let comments = parsed.comments.iter().filter(|comment| around.contains_range(**comment));
    let statements = StatementIndex::of(function);
    places
        .extend(comments.filter(|comment| !beside_constant(comment) && statements.is_result_comment(**comment, text)));
    places.sort_by_key(Ranged::start);
    let mut promised = places.iter().rev().filter_map(|place| {
        let (low, high, at) = parse_bounds(&text[place.to_std_range()])?;
        let start = place.start().to_usize() + at.0;
        let span = Span::new(source.id(), start as u32, (start + at.1 - at.0) as u32);
        Some(RewardRange { min: low, max: high, span: Some(span) })
    });
    promised.next()
}

/// The statements of a function, indexed by position.
struct StatementIndex<'s> {
    /// The start of the first statement after the docstring.
    body_start: Option<TextSize>,
    /// The statements in the order of the text, enclosing ones before nested ones.
    statements: Vec<&'s Stmt>,
    /// The indices into `statements`, ordered by the ends of the statements.
    by_end: Vec<usize>,
}

impl<'s> StatementIndex<'s> {
    fn of(function: &'s StmtFunctionDef) -> Self {
        let documentation =
            |statement: &&Stmt| statement.as_expr_stmt().is_some_and(|only| only.value.is_string_literal_expr());
        let first = function.body.iter().find(|statement| !documentation(statement)).map(Ranged::start);
        let mut all = StatementCollector(Vec::new());
        all.visit_body(&function.body);
        let mut by_end: Vec<usize> = (0..all.0.len()).collect();
        by_end.sort_by_key(|&place| all.0[place].end());
        Self { body_start: first, statements: all.0, by_end }
    }

    /// Returns whether a comment refers to the result, by its position: before the body, or at a `return` or the clamp of the result.
    fn is_result_comment(&self, comment: TextRange, text: &str) -> bool {
        if self.body_start.is_none_or(|first| comment.end() <= first) {
            return true;
        }
        // The last statement in the line of the comment, otherwise the next statement behind it.
        let line = text[..comment.start().to_usize()].rfind('\n').map_or(0, |newline| newline + 1);
        let ends = |&place: &usize| self.statements[place].end().to_usize();
        let from = self.by_end.partition_point(|place| ends(place) < line);
        let to = self.by_end.partition_point(|place| ends(place) <= comment.start().to_usize());
        let before = self.by_end[from..to].iter().max().map(|&place| self.statements[place]);
        let behind = self.statements.partition_point(|statement| statement.start() < comment.end());
        match before.or(self.statements.get(behind).copied()) {
            Some(Stmt::Return(_)) => true,
            Some(Stmt::Assign(assign)) => clamp_bounds(&assign.value).is_some(),
            _ => false,
        }
    }
}

/// All visited statements.
struct StatementCollector<'s>(Vec<&'s Stmt>);

impl<'s> Visitor<'s> for StatementCollector<'s> {
    fn visit_stmt(&mut self, statement: &'s Stmt) {
        self.0.push(statement);
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'s Expr) {}
}

/// Returns whether the words before the bounds refer to the result and not to a part of it.
fn refers_to_result(before: &str) -> bool {
    let Some(at) = before.rfind("reward") else { return RESULT_WORDS.iter().any(|word| before.contains(word)) };
    let rest = &before[..at];
    if rest.ends_with('_') {
        return false;
    }
    let words = rest.trim_end();
    // Only a space joins a word to `reward`.
    let Some(word) = words.rsplit(|c: char| !(c.is_alphanumeric() || c == '-')).next() else { return true };
    words.len() == rest.len() || word.is_empty() || WHOLE_REWARD_WORDS.contains(&word)
}

/// Returns the promised bounds of the result in a text, with their byte range.
fn parse_bounds(text: &str) -> Option<(f64, f64, (usize, usize))> {
    let mut start = 0;
    let mut found = None;
    for sentence in text.split_inclusive(['\n', ';']) {
        let lower = sentence.to_lowercase();
        let is_meant = |words: &[&str], before: &str| words.iter().any(|word| before.contains(word));
        if let Some((low, high, at)) = parse_bracketed(sentence).or_else(|| parse_between(&lower)) {
            let before = &lower[..at.0.min(lower.len())];
            let other = OTHER_VALUE_WORDS.iter().any(|word| before.contains(word));
            if refers_to_result(before)
                && is_meant(&BOUND_WORDS, &lower[..at.1.min(lower.len())])
                && !other
                && low < high
            {
                found = Some((low, high, (start + at.0, start + at.1)));
            }
        }
        start += sentence.len();
    }
    found
}

/// Parses `[-1, 1]`.
fn parse_bracketed(sentence: &str) -> Option<(f64, f64, (usize, usize))> {
    let open = sentence.find('[')?;
    let close = open + sentence[open..].find(']')?;
    let (low, high) = sentence[open + 1..close].split_once(',')?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?, (open, close + 1)))
}

/// Parses `between -1 and 1`, `from 0 to 1`.
fn parse_between(lower: &str) -> Option<(f64, f64, (usize, usize))> {
    for (word, joint) in [("between ", " and "), ("from ", " to "), ("range of ", " to ")] {
        let Some(open) = lower.find(word) else { continue };
        let rest = &lower[open + word.len()..];
        let Some((low, after)) = rest.split_once(joint) else { continue };
        let length = after.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).unwrap_or(after.len());
        let number = after[..length].trim_end_matches('.');
        if let (Ok(low_number), Ok(high)) = (low.trim().parse(), number.parse()) {
            let end = open + word.len() + low.len() + joint.len() + number.len();
            return Some((low_number, high, (open, end)));
        }
    }
    None
}

/// Reports results that are certainly outside of the promised range, and clamps to a wider range.
pub(super) fn lint(
    source: &SourceFile,
    parsed: &ParseResult,
    function: &str,
    promised: Option<RewardRange>,
    returned: &[ReturnInterval],
    reached: &FxHashSet<TextSize>,
) -> Vec<Diagnostic> {
    let Some((definition, after)) = find_function(&parsed.module, function) else { return Vec::new() };
    let Some(promise) = promised.or_else(|| find_documented_range(source, parsed, definition, after)) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let promised = format!("[{}, {}]", promise.min, promise.max);
    let tell = |at: TextRange, message: String| {
        let finding = Diagnostic::warning(codes::OUT_OF_RANGE, span(source, at), message);
        let promise_span = promise.span.into_iter();
        let finding = promise_span.fold(finding, |finding, span| finding.with_related(span, "documented here"));
        finding.with_help("correct the code or the documentation")
    };
    let places: FxHashMap<TextRange, usize> =
        definition.body.iter().enumerate().map(|(place, statement)| (statement.range(), place)).collect();
    for ReturnInterval { range: at, low, high } in returned {
        let message = if *low > promise.max || *high < promise.min {
            let value = if low.total_cmp(high).is_eq() { low.to_string() } else { format!("{low} to {high}") };
            format!("the reward is {value}, outside of the documented range {promised}")
        } else if let Some([low, high]) = return_clamp_bounds(&definition.body, &places, *at)
            .filter(|clamp| clamp[0] < promise.min || clamp[1] > promise.max)
        {
            format!("the reward is clamped to [{low}, {high}], outside of the documented range {promised}")
        } else {
            continue;
        };
        all.push(tell(*at, message));
    }
    let reported: FxHashSet<Option<Span>> = all.iter().map(|reported: &Diagnostic| reported.span).collect();
    for ConstantReturn { range: at, constants } in branches::constant_returns(definition) {
        let outside = |(number, place): &&(f64, TextRange)| {
            (*number < promise.min || *number > promise.max) && reached.contains(&place.start())
        };
        let outside: Vec<&(f64, TextRange)> = constants.iter().filter(outside).collect();
        if outside.is_empty() || reported.contains(&Some(span(source, at))) {
            continue;
        }
        let numbers: Vec<String> = outside.iter().map(|(number, _)| number.to_string()).collect();
        let finding =
            tell(at, format!("the reward may be {}, outside of the documented range {promised}", numbers.join(" or ")));
        all.push(outside.into_iter().fold(finding, |finding, (number, place)| {
            finding.with_related(span(source, *place), format!("assigned {number} here"))
        }));
    }
    all
}

/// Returns the bounds of the clamp of a returned value, in the statement itself or in the preceding assignment to the returned variable.
/// `places` are the indices of the statements in the body.
pub(super) fn return_clamp_bounds(
    body: &[Stmt],
    places: &FxHashMap<TextRange, usize>,
    at: TextRange,
) -> Option<[f64; 2]> {
    let &place = places.get(&at)?;
    let value = body[place].as_return_stmt()?.value.as_deref()?;
    let value = value.as_tuple_expr().and_then(|pair| pair.elts.first()).unwrap_or(value);
    if let Expr::Name(name) = value {
        let before = body[place.checked_sub(1)?].as_assign_stmt()?;
        let same = matches!(&before.targets[..], [Expr::Name(target)] if target.id == name.id);
        return clamp_bounds(&before.value).filter(|_| same);
    }
    clamp_bounds(value)
}

/// Returns the bounds of `max(low, min(high, e))` and its variants, and of `np.clip(e, low, high)`.
fn clamp_bounds(expression: &Expr) -> Option<[f64; 2]> {
    let Expr::Call(call) = expression else { return None };
    match (&*call.func, &call.arguments.args[..]) {
        (Expr::Attribute(attribute), [_, low, high]) if attribute.attr.as_str() == "clip" => {
            Some([numeric_literal(low)?, numeric_literal(high)?])
        }
        (Expr::Name(outer), [_, _]) => {
            let (bound, inner) = split_number(&call.arguments.args)?;
            let Expr::Call(inner) = inner else { return None };
            let inner_name = inner.func.as_name_expr()?;
            let (other, _) = split_number(&inner.arguments.args)?;
            match (outer.id.as_str(), inner_name.id.as_str()) {
                ("max", "min") => Some([bound, other]),
                ("min", "max") => Some([other, bound]),
                _ => None,
            }
        }
        (Expr::Name(name), [value]) if name.id.as_str() == "float" => clamp_bounds(value),
        _ => None,
    }
}

/// Returns the number among two arguments, and the other argument.
fn split_number(arguments: &[Expr]) -> Option<(f64, &Expr)> {
    let [one, other] = arguments else { return None };
    match (numeric_literal(one), numeric_literal(other)) {
        (Some(bound), None) => Some((bound, other)),
        (None, Some(bound)) => Some((bound, one)),
        _ => None,
    }
}
