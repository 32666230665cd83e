//! Patterns of `match` statements: the names that they bind, and the errors that CPython reports at compile time.

use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::{Expr, Identifier, MatchCase, Pattern, StmtMatch};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::parse::span;

/// Returns the name that a pattern binds itself, without its subpatterns.
pub(crate) fn bound_name(pattern: &Pattern) -> Option<&Identifier> {
    match pattern {
        Pattern::MatchAs(pattern) => pattern.name.as_ref(),
        Pattern::MatchStar(pattern) => pattern.name.as_ref(),
        Pattern::MatchMapping(pattern) => pattern.rest.as_ref(),
        _ => None,
    }
}

/// Returns the subpatterns of a pattern.
fn subpatterns(pattern: &Pattern) -> Vec<&Pattern> {
    match pattern {
        Pattern::MatchAs(pattern) => pattern.pattern.as_deref().into_iter().collect(),
        Pattern::MatchOr(pattern) => pattern.patterns.iter().collect(),
        Pattern::MatchSequence(pattern) => pattern.patterns.iter().collect(),
        Pattern::MatchMapping(pattern) => pattern.patterns.iter().collect(),
        Pattern::MatchClass(pattern) => {
            let named = pattern.arguments.keywords.iter().map(|keyword| &keyword.pattern);
            pattern.arguments.patterns.iter().chain(named).collect()
        }
        Pattern::MatchValue(_) | Pattern::MatchSingleton(_) | Pattern::MatchStar(_) => Vec::new(),
    }
}

/// Returns the names that a pattern binds, in the order of the text; those of alternatives once.
pub(crate) fn bound_names(pattern: &Pattern) -> Vec<&Identifier> {
    let mut names: Vec<&Identifier> = Vec::new();
    let mut open = vec![pattern];
    while let Some(pattern) = open.pop() {
        names.extend(bound_name(pattern));
        match pattern {
            // All alternatives bind the same names.
            Pattern::MatchOr(alternatives) => open.extend(alternatives.patterns.first()),
            _ => open.extend(subpatterns(pattern)),
        }
    }
    names.sort_by_key(|name| name.range.start());
    names
}

/// Returns whether a pattern matches every subject.
pub(crate) fn is_irrefutable(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::MatchAs(pattern) => pattern.pattern.as_deref().is_none_or(is_irrefutable),
        Pattern::MatchOr(pattern) => pattern.patterns.iter().any(is_irrefutable),
        _ => false,
    }
}

/// Returns whether a case matches every subject.
pub(crate) fn is_catch_all(case: &MatchCase) -> bool {
    case.guard.is_none() && is_irrefutable(&case.pattern)
}

/// Reports the errors of a `match` statement that CPython reports at compile time.
pub(crate) fn check(statement: &StmtMatch, source: &SourceFile) -> Vec<Diagnostic> {
    let mut check = PatternChecker { source, diagnostics: Vec::new() };
    let count = statement.cases.len();
    for (place, case) in statement.cases.iter().enumerate() {
        if is_catch_all(case) && place + 1 < count {
            check.report_unreachable(&case.pattern);
        }
        check.check(&case.pattern, &mut FxHashSet::default());
    }
    check.diagnostics
}

struct PatternChecker<'c> {
    source: &'c SourceFile,
    diagnostics: Vec<Diagnostic>,
}

impl PatternChecker<'_> {
    fn report(&mut self, range: TextRange, message: &str) {
        self.diagnostics.push(Diagnostic::error(codes::SYNTAX, span(self.source, range), message));
    }

    fn report_unreachable(&mut self, pattern: &Pattern) {
        let message = match bound_name(pattern) {
            Some(name) => format!("name capture '{name}' makes remaining patterns unreachable"),
            None => "wildcard makes remaining patterns unreachable".to_owned(),
        };
        self.report(pattern.range(), &message);
    }

    /// Checks a pattern; `names` are those that the patterns before it bind.
    fn check<'p>(&mut self, pattern: &'p Pattern, names: &mut FxHashSet<&'p str>) {
        match pattern {
            Pattern::MatchOr(alternatives) => return self.check_alternatives(&alternatives.patterns, names),
            Pattern::MatchSequence(sequence) => {
                let mut stars = sequence.patterns.iter().filter(|pattern| pattern.is_match_star());
                if let Some(second) = stars.nth(1) {
                    self.report(second.range(), "multiple starred expressions in sequence pattern");
                }
            }
            Pattern::MatchMapping(mapping) => self.check_keys(&mapping.keys),
            Pattern::MatchClass(class) => {
                let mut seen = FxHashSet::default();
                for keyword in &class.arguments.keywords {
                    if !seen.insert(keyword.attr.as_str()) {
                        let message = format!("attribute name repeated in class pattern: {}", keyword.attr);
                        self.report(keyword.range, &message);
                    }
                }
            }
            _ => {}
        }
        for inner in subpatterns(pattern) {
            self.check(inner, names);
        }
        if let Some(name) = bound_name(pattern)
            && !names.insert(name.as_str())
        {
            self.report(name.range, &format!("multiple assignments to name '{name}' in pattern"));
        }
    }

    fn check_alternatives<'p>(&mut self, patterns: &'p [Pattern], names: &mut FxHashSet<&'p str>) {
        let mut first: Option<FxHashSet<&str>> = None;
        for (place, pattern) in patterns.iter().enumerate() {
            if is_irrefutable(pattern) && place + 1 < patterns.len() {
                self.report_unreachable(pattern);
            }
            let mut own = FxHashSet::default();
            self.check(pattern, &mut own);
            match &first {
                Some(first) if *first != own => {
                    return self.report(pattern.range(), "alternative patterns bind different names");
                }
                Some(_) => {}
                None => first = Some(own),
            }
        }
        for name in first.into_iter().flatten() {
            if !names.insert(name) {
                let range = patterns.first().map_or_else(TextRange::default, Ranged::range);
                self.report(range, &format!("multiple assignments to name '{name}' in pattern"));
            }
        }
    }

    /// Reports literal keys that occur twice.
    fn check_keys(&mut self, keys: &[Expr]) {
        let mut seen = FxHashSet::default();
        for key in keys.iter().filter(|key| key.is_literal_expr()) {
            let text = &self.source.text()[key.range().to_std_range()];
            if !seen.insert(text) {
                self.report(key.range(), &format!("mapping pattern checks duplicate key ({text})"));
            }
        }
    }
}
