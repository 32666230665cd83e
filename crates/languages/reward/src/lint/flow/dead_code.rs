//! Diagnostics of unreachable code and of comparisons with a constant outcome.

use goalspec_syntax::Diagnostic;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ElifElseClause, Expr, ExprList, ExprSet, ExprTuple, ModModule, Stmt, StmtIf};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Analyzer;
use super::conditions::format_interval;
use super::facts::ComparisonFact;
use super::numbers::ConstantReason;
use super::statements::is_main_guard;
use crate::codes;

/// Reports unreachable code and comparisons with a constant outcome.
pub(super) fn report_dead_code(analysis: &Analyzer<'_>, module: &ModModule) -> Vec<Diagnostic> {
    // Comparisons with a string that names no class are reported as such.
    let reported = analysis.facts.unknown_class_names.values().map(|(_, compared)| *compared).collect();
    let mut pass = DeadCodePass { analysis, diagnostics: Vec::new(), reported, clamp_guards: clamp_guards(module) };
    pass.check_comparisons();
    pass.visit_block(&module.body);
    pass.diagnostics
}

/// A pass that reports unreachable code and comparisons with a constant outcome.
struct DeadCodePass<'d> {
    analysis: &'d Analyzer<'d>,
    diagnostics: Vec<Diagnostic>,
    /// The conditions that have been reported.
    reported: FxHashSet<TextRange>,
    clamp_guards: FxHashSet<TextRange>,
}

/// Returns the comparisons that only guard a clamp: `if reward > 1: reward = 1`.
fn clamp_guards(module: &ModModule) -> FxHashSet<TextRange> {
    struct ClampGuards(FxHashSet<TextRange>);
    impl<'a> Visitor<'a> for ClampGuards {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if let Stmt::If(branch) = statement {
                let clauses =
                    branch.elif_else_clauses.iter().filter_map(|clause| Some((clause.test.as_ref()?, &clause.body)));
                for (test, body) in std::iter::once((&*branch.test, &branch.body)).chain(clauses) {
                    if let (Expr::Compare(compare), [Stmt::Assign(assign)]) = (test, &body[..])
                        && let (Expr::Name(left), [Expr::Name(target)]) = (&*compare.left, &assign.targets[..])
                        && left.id == target.id
                    {
                        self.0.insert(compare.range);
                    }
                }
            }
            visitor::walk_stmt(self, statement);
        }
    }
    let mut walk = ClampGuards(FxHashSet::default());
    walk.visit_body(&module.body);
    walk.0
}

impl DeadCodePass<'_> {
    fn check_comparisons(&mut self) {
        for (&at, fact) in &self.analysis.facts.comparisons {
            let [yes, no] = fact.result.possible_outcomes;
            if yes && no {
                continue;
            }
            let finding = match fact.result.reason {
                ConstantReason::Kinds(kinds) => Some(self.report_kind_comparison(at, yes, kinds)),
                // Guards of clamps may be redundant.
                ConstantReason::Intervals if self.clamp_guards.contains(&at) => None,
                ConstantReason::Intervals => self.report_number_comparison(at, yes, fact),
                _ => continue,
            };
            self.reported.insert(at);
            self.diagnostics.extend(finding);
        }
    }

    fn describe_outcome(&self, at: TextRange, yes: bool) -> String {
        format!("`{}` is {} true", self.analysis.source_text(at), if yes { "always" } else { "never" })
    }

    fn report_kind_comparison(&self, at: TextRange, yes: bool, [left, right]: [&'static str; 2]) -> Diagnostic {
        let message = format!("{}: it compares {left} with {right}", self.describe_outcome(at, yes));
        let finding = Diagnostic::warning(codes::CONSTANT_COMPARISON, self.analysis.span(at), message);
        finding.with_help(match (left, right) {
            ("an object", "a string") | ("a string", "an object") => "compare its `category`",
            ("an object", "a class") | ("a class", "an object") => "use `isinstance`",
            ("a class", "a string") | ("a string", "a class") => "compare the `__name__` of the class, or `category`",
            ("an object", _) | (_, "an object") => "compare an attribute of the object",
            ("a Boolean", _) | (_, "a Boolean") => "use the Boolean itself, or `not`",
            _ => "compare values of one type",
        })
    }

    /// Reports a comparison of numbers, unless both are constants of the program.
    fn report_number_comparison(&self, at: TextRange, yes: bool, fact: &ComparisonFact) -> Option<Diagnostic> {
        let [left, right] = [fact.intervals[0]?, fact.intervals[1]?];
        if left.is_point() && right.is_point() {
            return None;
        }
        let message = format!(
            "{}: it compares {} with {}",
            self.describe_outcome(at, yes),
            format_interval(left),
            format_interval(right)
        );
        let finding = Diagnostic::note(codes::CONSTANT_COMPARISON, self.analysis.span(at), message);
        let on_screen = [left, right]
            .iter()
            .any(|side| *side == super::class_table::X_RANGE || *side == super::class_table::Y_RANGE);
        Some(if on_screen {
            finding.with_help("the screen is 160 pixels wide and 210 high")
        } else {
            finding.with_help(format!("the left side ranges over {}", format_interval(left)))
        })
    }

    /// Visits the statements of a reachable function or branch.
    fn visit_block(&mut self, body: &[Stmt]) {
        for (place, statement) in body.iter().enumerate() {
            let reached = self.analysis.facts.reachable_statements.contains(&statement.start());
            if reached || matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                self.visit_statement(statement);
                continue;
            }
            // The first statement of a branch is reported together with its condition.
            if let Some(before) = place.checked_sub(1).map(|place| &body[place]) {
                self.report_unreachable_statements(before, &body[place..]);
            }
            return;
        }
    }

    fn visit_statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::If(branch) => self.visit_if(branch),
            Stmt::For(each) => {
                self.visit_block(&each.body);
                self.visit_block(&each.orelse);
            }
            Stmt::While(repeat) => {
                self.check_dead_branch(&repeat.test, &repeat.body);
                self.visit_block(&repeat.body);
                self.visit_block(&repeat.orelse);
            }
            Stmt::Try(guarded) => {
                self.visit_block(&guarded.body);
                for handler in &guarded.handlers {
                    let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                    self.visit_block(&handler.body);
                }
                self.visit_block(&guarded.orelse);
                self.visit_block(&guarded.finalbody);
            }
            Stmt::With(with) => self.visit_block(&with.body),
            Stmt::Match(statement) => statement.cases.iter().for_each(|case| self.visit_block(&case.body)),
            Stmt::FunctionDef(function) => self.visit_block(&function.body),
            Stmt::ClassDef(class) => {
                let methods = class.body.iter().filter(|inner| inner.is_function_def_stmt());
                methods.for_each(|method| self.visit_statement(method));
            }
            _ => {}
        }
    }

    fn is_dead(&self, body: &[Stmt]) -> bool {
        body.first().is_some_and(|first| !self.analysis.facts.reachable_statements.contains(&first.start()))
    }

    fn visit_if(&mut self, branch: &StmtIf) {
        if is_main_guard(&branch.test) && branch.elif_else_clauses.is_empty() {
            return;
        }
        // The lookup by source text keeps long chains linear.
        let mut earlier: FxHashMap<String, &Expr> = FxHashMap::default();
        let mut always: Option<&Expr> = None;
        let clauses: Vec<(Option<&Expr>, &[Stmt])> = std::iter::once((Some(&*branch.test), &branch.body[..]))
            .chain(
                branch.elif_else_clauses.iter().map(|clause: &ElifElseClause| (clause.test.as_ref(), &clause.body[..])),
            )
            .collect();
        for (test, body) in clauses {
            let text = test.map(|test| self.analysis.source_text(test.range()));
            let again = text.as_ref().and_then(|text| earlier.get(text)).copied();
            if let (Some(test), Some(first)) = (test, again) {
                let message = format!(
                    "`{}` was tested before: this branch is unreachable",
                    self.analysis.source_text(test.range())
                );
                let finding = Diagnostic::warning(codes::UNREACHABLE, self.analysis.span(test.range()), message);
                let finding = finding.with_related(self.analysis.span(first.range()), "first tested here");
                self.diagnostics.push(finding.with_help("test another condition, or remove the branch"));
                self.reported.insert(test.range());
            } else if let (Some(test), None) = (test, always) {
                self.check_dead_branch(test, body);
            } else if let Some(always) = always.filter(|_| self.is_dead(body) && !is_no_op(body)) {
                self.report_after_always_true(always, test, body);
            }
            if !self.is_dead(body) {
                self.visit_block(body);
            }
            if let Some(test) = test {
                earlier.entry(text.unwrap_or_default()).or_insert(test);
                let ways = self.analysis.facts.condition_outcomes.get(&test.range());
                always = always.or_else(|| (ways == Some(&[true, false])).then_some(test));
            }
        }
    }

    /// Reports a branch whose condition never holds.
    fn check_dead_branch(&mut self, test: &Expr, body: &[Stmt]) {
        let ways = self.analysis.facts.condition_outcomes.get(&test.range());
        if ways != Some(&[false, true]) || !self.is_dead(body) || self.is_reported(test) || is_config_switch(test) {
            return;
        }
        self.reported.insert(test.range());
        let (reason, harmless) = self.explain_never_true(test);
        let message =
            format!("`{}` is never true{reason}: this branch is unreachable", self.analysis.source_text(test.range()));
        let at = self.analysis.span(test.range());
        let finding = if harmless {
            Diagnostic::note(codes::UNREACHABLE, at, message)
        } else {
            Diagnostic::warning(codes::UNREACHABLE, at, message)
        };
        self.diagnostics.push(finding.with_help("remove the branch, or test another condition"));
    }

    /// Explains why a condition never holds, and returns whether it is merely a redundant guard.
    fn explain_never_true(&self, test: &Expr) -> (String, bool) {
        match test {
            Expr::Compare(compare) => match (&*compare.left, &compare.comparators[..]) {
                (left, [Expr::NoneLiteral(_)]) => {
                    (format!(", because `{}` is never `None` here", self.analysis.source_text(left.range())), true)
                }
                _ => (String::new(), false),
            },
            Expr::UnaryOp(operation) => (
                format!(", because `{}` is always true here", self.analysis.source_text(operation.operand.range())),
                true,
            ),
            _ => (String::new(), false),
        }
    }

    fn is_reported(&self, test: &Expr) -> bool {
        self.reported.iter().any(|reported| test.range().contains_range(*reported))
    }

    /// Reports a branch behind one whose condition always holds, except at the end of an exhaustive chain of class tests.
    fn report_after_always_true(&mut self, always: &Expr, test: Option<&Expr>, body: &[Stmt]) {
        if self.is_reported(always) || is_config_switch(always) || is_object_class_test(always) {
            return;
        }
        self.reported.insert(always.range());
        let at = test.map_or_else(|| block_range(body), Ranged::range);
        let message = "this branch is unreachable";
        let finding = Diagnostic::note(codes::UNREACHABLE, self.analysis.span(at), message);
        let finding = finding.with_related(self.analysis.span(always.range()), "this is always true");
        self.diagnostics.push(finding.with_help("remove the branch, or test another condition before"));
    }

    /// Reports statements behind one that never completes.
    fn report_unreachable_statements(&mut self, before: &Stmt, rest: &[Stmt]) {
        if is_no_op(rest) || before.as_if_stmt().is_some_and(has_switch_condition) {
            return;
        }
        let (statement, at) = match before {
            Stmt::Return(_) => ("`return` ends the function", before.range()),
            Stmt::Raise(_) => ("`raise` ends the function", before.range()),
            Stmt::Continue(_) => ("`continue` ends the iteration", before.range()),
            Stmt::Break(_) => ("`break` ends the loop", before.range()),
            Stmt::If(branch) => {
                ("every branch ends the function or the loop", TextRange::new(before.start(), branch.test.end()))
            }
            Stmt::Match(choice) => {
                ("every case ends the function or the loop", TextRange::new(before.start(), choice.subject.end()))
            }
            Stmt::While(repeat) => ("this loop never ends", TextRange::new(before.start(), repeat.test.end())),
            _ => ("this never completes", TextRange::new(before.start(), before.start())),
        };
        let message = "unreachable code";
        // A final `return` as a fallback is harmless.
        let fallback = matches!(rest, [Stmt::Return(_)]) && !before.is_return_stmt();
        let at_rest = self.analysis.span(block_range(rest));
        let finding = if fallback {
            Diagnostic::note(codes::UNREACHABLE, at_rest, message)
        } else {
            Diagnostic::warning(codes::UNREACHABLE, at_rest, message)
        };
        let finding = finding.with_related(self.analysis.span(at), statement);
        self.diagnostics.push(finding.with_help("remove it, or move it to where it is reachable"));
    }
}

/// Returns whether a configuration switch decides between the branches.
fn has_switch_condition(branch: &StmtIf) -> bool {
    let others = branch.elif_else_clauses.iter().filter_map(|clause| clause.test.as_ref());
    std::iter::once(&*branch.test).chain(others).any(is_config_switch)
}

fn block_range(body: &[Stmt]) -> TextRange {
    match body {
        [first, .., last] => TextRange::new(first.start(), last.end()),
        [one] => one.range(),
        [] => TextRange::default(),
    }
}

/// Returns whether statements have no effect.
fn is_no_op(body: &[Stmt]) -> bool {
    body.iter().all(|statement| match statement {
        Stmt::Pass(_) | Stmt::Continue(_) => true,
        Stmt::Expr(expression) => expression.value.is_literal_expr(),
        _ => false,
    })
}

/// Returns whether a condition is a configuration switch, one of whose outcomes is disabled on purpose: a name in capitals, or a comparison
/// of such a name with a literal or another one.
fn is_config_switch(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id.chars().all(|character| !character.is_lowercase()),
        Expr::UnaryOp(operation) => is_config_switch(&operation.operand),
        Expr::Compare(compare) => match &compare.comparators[..] {
            [other] => {
                let (left, right) = (&*compare.left, other);
                (left.is_name_expr() && is_config_switch(left) && is_switch_value(right))
                    || (right.is_name_expr() && is_config_switch(right) && is_switch_value(left))
            }
            _ => false,
        },
        Expr::BoolOp(operation) => operation.values.iter().any(is_config_switch),
        _ => false,
    }
}

/// Returns whether an expression is the value of a configuration switch: a literal, a collection of literals, or another constant.
fn is_switch_value(expression: &Expr) -> bool {
    match expression {
        Expr::List(ExprList { elts, .. }) | Expr::Tuple(ExprTuple { elts, .. }) | Expr::Set(ExprSet { elts, .. }) => {
            elts.iter().all(is_switch_value)
        }
        Expr::UnaryOp(operation) => is_switch_value(&operation.operand),
        Expr::Name(_) => is_config_switch(expression),
        _ => expression.is_literal_expr(),
    }
}

/// Returns whether a condition tests the class of an object.
fn is_object_class_test(test: &Expr) -> bool {
    match test {
        Expr::Call(call) => call.func.as_name_expr().is_some_and(|name| name.id.as_str() == "isinstance"),
        Expr::Compare(compare) => match &*compare.left {
            Expr::Attribute(attribute) => matches!(attribute.attr.as_str(), "category" | "__name__" | "__class__"),
            Expr::Call(_) => true,
            _ => false,
        },
        Expr::BoolOp(operation) => operation.values.iter().all(is_object_class_test),
        _ => false,
    }
}
