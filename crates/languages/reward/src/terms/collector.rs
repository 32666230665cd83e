//! A walk over the syntax tree that collects the terms of a reward function.

use std::sync::Arc;

use goalspec_python_runtime::code::{Site, SiteKind};
use goalspec_python_runtime::observe::{ProbedOperand, TermProbe};
use goalspec_syntax::{SourceFile, Span};
use ruff_python_ast::{Expr, ExprBinOp, ModModule, Operator, Stmt, StmtFunctionDef, UnaryOp};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::namer::TermNamer;
use super::{Term, TermKind, Terms};
use crate::compile::source_range;

/// The maximum number of functions that are analysed.
const MAX_FUNCTIONS: usize = 8;

pub(super) fn collect_terms(source: &SourceFile, module: &ModModule, function: &str, names: &TermNamer<'_>) -> Terms {
    let empty = Terms {
        terms: Vec::new(),
        returned_variables: Vec::new(),
        source: source.id(),
        variable_count: 0,
        tracked_assignments: Vec::new(),
    };
    let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
    let functions = functions.map(|function| (function.name.as_str(), function)).collect();
    let mut uses = UseCounter::default();
    ruff_python_ast::visitor::Visitor::visit_body(&mut uses, &module.body);
    let mut walk = TermCollector {
        functions,
        use_counts: uses.0,
        namer: names,
        terms: empty,
        analyzed_functions: FxHashSet::default(),
    };
    if let Some(function) = walk.functions.get(function) {
        walk.collect_function(function, false);
    }
    walk.terms
}

struct TermCollector<'w> {
    /// The functions of the module by name; the last definition of each name.
    functions: FxHashMap<&'w str, &'w StmtFunctionDef>,
    /// The number of uses of each name in the module.
    use_counts: FxHashMap<&'w str, usize>,
    namer: &'w TermNamer<'w>,
    terms: Terms,
    /// The functions that have been analysed.
    analyzed_functions: FxHashSet<&'w str>,
}

/// A `return` or an assignment, with the innermost condition around it.
#[derive(Clone)]
struct ConditionalStatement<'w> {
    statement: &'w Stmt,
    condition: Option<Arc<str>>,
}

/// A variable that contributes to the reward.
#[derive(Clone, Copy)]
struct RewardVariable<'w> {
    name: &'w str,
    is_subtracted: bool,
    index: usize,
}

/// The variables that contribute to the reward, in the order of their discovery.
#[derive(Default)]
struct RewardVariables<'w> {
    variables: Vec<RewardVariable<'w>>,
    by_name: FxHashMap<&'w str, usize>,
}

/// An operand of a sum.
struct Addend<'w> {
    expression: &'w Expr,
    is_subtracted: bool,
    /// The innermost sum that has the operand, and its side; `None` outside of sums.
    parent_sum: Option<(&'w ExprBinOp, ProbedOperand)>,
}

/// A value that is returned or assigned to a reward variable.
struct RewardValue<'c, 'w> {
    line: &'c ConditionalStatement<'w>,
    expression: &'w Expr,
    kind: SiteKind,
    /// The variable to which the value is assigned; `None` if it is returned.
    own: Option<RewardVariable<'w>>,
    is_subtracted: bool,
    /// The variables of the function to which rewards are added.
    added: &'c FxHashSet<&'w str>,
}

impl RewardValue<'_, '_> {
    fn site(&self) -> Site {
        site(self.kind, self.line.statement)
    }

    /// Returns the probe of the difference that the whole value makes.
    fn probe(&self, is_subtracted: bool, variable: usize) -> TermProbe {
        TermProbe { site: self.site(), operand: ProbedOperand::Difference, is_subtracted, variable }
    }
}

impl<'w> TermCollector<'w> {
    fn collect_function(&mut self, function: &'w StmtFunctionDef, negative: bool) {
        if self.analyzed_functions.len() >= MAX_FUNCTIONS || !self.analyzed_functions.insert(&function.name) {
            return;
        }
        let mut lines = Vec::new();
        self.collect_statements(&function.body, None, &mut lines);
        let added: FxHashSet<&str> = lines.iter().filter_map(|line| accumulated_variable(line.statement)).collect();
        let mut followed = RewardVariables::default();
        for line in &lines {
            if let Stmt::Return(returned) = line.statement
                && let Some(value) = &returned.value
            {
                let (kind, added) = (SiteKind::Return, &added);
                let value = RewardValue { line, expression: value, kind, own: None, is_subtracted: negative, added };
                self.collect_value(&value, &mut followed);
            }
        }
        let returned = followed.variables.iter().map(|followed| followed.name.to_owned());
        self.terms.returned_variables.extend(returned);
        let mut by_target: FxHashMap<&str, Vec<&ConditionalStatement<'w>>> = FxHashMap::default();
        for line in &lines {
            // A name that occurs twice among the targets of one assignment counts once.
            for target in assignment_targets(line.statement).collect::<FxHashSet<_>>() {
                by_target.entry(target).or_default().push(line);
            }
        }
        // The loop also visits the variables that it adds to the list.
        let mut place = 0;
        while let Some(&own) = followed.variables.get(place) {
            for line in by_target.get(own.name).into_iter().flatten() {
                self.collect_assignment(line, own, &added, &mut followed);
            }
            place += 1;
        }
    }

    /// Collects the `return` statements and the assignments of a function.
    fn collect_statements(
        &self,
        body: &'w [Stmt],
        condition: Option<&Arc<str>>,
        lines: &mut Vec<ConditionalStatement<'w>>,
    ) {
        for statement in body {
            match statement {
                Stmt::Return(_) | Stmt::Assign(_) | Stmt::AugAssign(_) | Stmt::AnnAssign(_) => {
                    lines.push(ConditionalStatement { statement, condition: condition.cloned() });
                }
                Stmt::If(branch) => {
                    let test: Arc<str> = self.namer.source_text(&*branch.test).into();
                    self.collect_statements(&branch.body, Some(&test), lines);
                    for clause in &branch.elif_else_clauses {
                        let other = clause.test.as_ref().map(|test| self.namer.source_text(test));
                        let other = other.unwrap_or_else(|| format!("not ({test})"));
                        self.collect_statements(&clause.body, Some(&other.into()), lines);
                    }
                }
                Stmt::For(each) => {
                    self.collect_statements(&each.body, condition, lines);
                    self.collect_statements(&each.orelse, condition, lines);
                }
                Stmt::While(repeat) => {
                    self.collect_statements(&repeat.body, condition, lines);
                    self.collect_statements(&repeat.orelse, condition, lines);
                }
                Stmt::With(with) => self.collect_statements(&with.body, condition, lines),
                Stmt::Match(choice) => {
                    let subject = self.namer.source_text(&*choice.subject);
                    for case in &choice.cases {
                        let end = case.guard.as_ref().map_or_else(|| case.pattern.end(), |guard| guard.end());
                        let tested = TextRange::new(case.pattern.start(), end);
                        let test = format!("{subject}: case {}", self.namer.source_text(&tested));
                        self.collect_statements(&case.body, Some(&test.into()), lines);
                    }
                }
                Stmt::Try(guarded) => {
                    self.collect_statements(&guarded.body, condition, lines);
                    for handler in &guarded.handlers {
                        let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                        self.collect_statements(&handler.body, condition, lines);
                    }
                    self.collect_statements(&guarded.orelse, condition, lines);
                    self.collect_statements(&guarded.finalbody, condition, lines);
                }
                _ => {}
            }
        }
    }

    /// Collects the terms of an assignment to a reward variable.
    fn collect_assignment(
        &mut self,
        line: &ConditionalStatement<'w>,
        own: RewardVariable<'w>,
        added: &FxHashSet<&'w str>,
        followed: &mut RewardVariables<'w>,
    ) {
        let stored = |expression: &'w Expr| {
            let is_subtracted = own.is_subtracted;
            RewardValue { line, expression, kind: SiteKind::Store, own: Some(own), is_subtracted, added }
        };
        match line.statement {
            Stmt::AugAssign(assign) => {
                let site = site(SiteKind::Update, line.statement);
                let (part, kind, flipped) = match assign.op {
                    Operator::Add => (ProbedOperand::Right, TermKind::Summand, false),
                    Operator::Sub => (ProbedOperand::Right, TermKind::Summand, true),
                    _ => (ProbedOperand::Difference, TermKind::Update, false),
                };
                let is_subtracted = own.is_subtracted != flipped;
                let measure = TermProbe { site, operand: part, is_subtracted, variable: own.index };
                self.push_term(line, &assign.value, line.statement, kind, measure, true);
                self.terms.tracked_assignments.push((site, own.index));
            }
            Stmt::Assign(assign) => self.collect_value(&stored(&assign.value), followed),
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.collect_value(&stored(value), followed);
                }
            }
            _ => {}
        }
    }

    /// Collects the terms of a value.
    fn collect_value(&mut self, value: &RewardValue<'_, 'w>, followed: &mut RewardVariables<'w>) {
        let &RewardValue { line, kind, own, is_subtracted, .. } = value;
        let whole = total_expression(value.expression);
        let (inner, clamped) = strip_clamps(whole);
        if let (SiteKind::Return, Expr::Name(name)) = (kind, inner) {
            let variable = self.add_variable(&name.id, is_subtracted, followed);
            if clamped {
                self.push_term(
                    line,
                    whole,
                    line.statement,
                    TermKind::Clamp,
                    value.probe(is_subtracted, variable),
                    true,
                );
            }
            return;
        }
        let mut addends = Vec::new();
        collect_addends(inner, false, None, &mut addends);
        let is_sum = addends.len() > 1;
        let keeps =
            |addend: &Addend<'_>| own.is_some_and(|own| is_name(addend.expression, own.name) && !addend.is_subtracted);
        let (kept, added): (Vec<_>, Vec<_>) = addends.into_iter().partition(keeps);
        let variable = match own {
            Some(own) => own.index,
            None => self.new_variable(),
        };
        let term_kind = match kind {
            _ if is_sum || !kept.is_empty() => TermKind::Summand,
            SiteKind::Return => TermKind::ReturnValue,
            _ if own.is_some_and(|own| contains_name(inner, own.name)) => TermKind::Update,
            _ => TermKind::Assignment,
        };
        let is_alone = added.len() == 1;
        for addend in &added {
            if let Some(probe) = self.follow_addend(value, addend, variable, followed) {
                let range = if is_alone { line.statement.range() } else { addend.expression.range() };
                self.push_term(line, addend.expression, &range, term_kind, probe, is_alone);
            }
        }
        let sum = inner.as_bin_op_expr().filter(|_| is_sum);
        if let Some(sum) = sum.filter(|_| clamped) {
            self.terms.tracked_assignments.push((site(SiteKind::Sum, sum), variable));
        }
        if clamped && (!kept.is_empty() || sum.is_some()) {
            self.push_term(line, whole, line.statement, TermKind::Clamp, value.probe(is_subtracted, variable), true);
        }
        if own.is_some() {
            self.terms.tracked_assignments.push((value.site(), variable));
        }
    }

    /// Follows an addend that is another variable or the call of a function whose terms are collected instead of it. Returns the probe of
    /// an addend that is a term itself.
    fn follow_addend(
        &mut self,
        value: &RewardValue<'_, 'w>,
        addend: &Addend<'w>,
        variable: usize,
        followed: &mut RewardVariables<'w>,
    ) -> Option<TermProbe> {
        let is_subtracted = value.is_subtracted != addend.is_subtracted;
        if let Expr::Name(name) = addend.expression
            && value.added.contains(name.id.as_str())
            && value.own.is_none_or(|own| own.name != name.id.as_str())
        {
            self.add_variable(&name.id, is_subtracted, followed);
            return None;
        }
        if let Some(called) = self.expandable_function(addend.expression) {
            self.collect_function(called, is_subtracted);
            return None;
        }
        if is_zero(addend.expression) {
            return None;
        }
        Some(match addend.parent_sum {
            Some((sum, operand)) => TermProbe { site: site(SiteKind::Sum, sum), operand, is_subtracted, variable },
            None => value.probe(is_subtracted, variable),
        })
    }

    fn new_variable(&mut self) -> usize {
        self.terms.variable_count += 1;
        self.terms.variable_count - 1
    }

    fn add_variable(&mut self, name: &'w str, negative: bool, followed: &mut RewardVariables<'w>) -> usize {
        if let Some(&known) = followed.by_name.get(name) {
            return followed.variables[known].index;
        }
        let variable = self.new_variable();
        followed.by_name.insert(name, followed.variables.len());
        followed.variables.push(RewardVariable { name, is_subtracted: negative, index: variable });
        variable
    }

    /// Returns the function of the module that an expression calls, if the call is to be expanded into the terms of the function.
    fn expandable_function(&self, expression: &Expr) -> Option<&'w StmtFunctionDef> {
        let name = expression.as_call_expr()?.func.as_name_expr()?;
        let function = *self.functions.get(name.id.as_str())?;
        let looked_through =
            self.analyzed_functions.contains(function.name.as_str()) || self.analyzed_functions.len() >= MAX_FUNCTIONS;
        // A function that accumulates nothing is a single term. So is a function with several calls, since its terms would mix the values
        // of all of them.
        let sums = function.body.iter().any(has_accumulation);
        (!looked_through && sums && self.use_counts[name.id.as_str()] == 1).then_some(function)
    }

    fn push_term(
        &mut self,
        line: &ConditionalStatement<'w>,
        expression: &Expr,
        node: &impl Ranged,
        kind: TermKind,
        probe: TermProbe,
        alone: bool,
    ) {
        let text = self.namer.source_text(expression);
        let (name, named_by) = self.namer.term_name(line.statement, &text, line.condition.as_deref(), alone);
        let range = node.range();
        let span = Span::new(self.terms.source, range.start().to_u32(), range.end().to_u32());
        self.terms.terms.push(Term {
            id: String::new(),
            name,
            name_source: named_by,
            text,
            kind,
            condition: line.condition.clone(),
            span,
            line: self.namer.line_number(span.start) as u32,
            probe,
        });
    }
}

fn site(kind: SiteKind, node: &impl Ranged) -> Site {
    Site { range: source_range(node), kind }
}

/// Returns the first element of `(total, components)`, or the value itself.
fn total_expression(value: &Expr) -> &Expr {
    match value {
        Expr::Tuple(tuple) => tuple.elts.first().unwrap_or(value),
        _ => value,
    }
}

/// Strips clamps and conversions; returns the inner expression, and whether there was a clamp.
fn strip_clamps(expression: &Expr) -> (&Expr, bool) {
    let (mut inner, mut clamped) = (expression, false);
    while let Expr::Call(call) = inner {
        let arguments = &call.arguments.args;
        inner = match (&*call.func, &arguments[..]) {
            (Expr::Name(name), [one, other]) if matches!(name.id.as_str(), "min" | "max") => {
                let value = match (is_bound(one), is_bound(other)) {
                    (false, true) => one,
                    (true, false) => other,
                    _ => break,
                };
                clamped = true;
                value
            }
            (Expr::Attribute(attribute), [value, _, _]) if attribute.attr.as_str() == "clip" => {
                clamped = true;
                value
            }
            (Expr::Name(name), [value]) if name.id.as_str() == "float" => value,
            _ => break,
        };
    }
    (inner, clamped)
}

/// Returns whether an expression is a bound: a number, or a name in capitals.
fn is_bound(expression: &Expr) -> bool {
    match expression {
        Expr::NumberLiteral(_) => true,
        Expr::UnaryOp(operation) => is_bound(&operation.operand),
        Expr::Name(name) => name.id.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_'),
        _ => false,
    }
}

fn is_zero(expression: &Expr) -> bool {
    match expression {
        Expr::NumberLiteral(literal) => match &literal.value {
            ruff_python_ast::Number::Int(int) => int.as_i64() == Some(0),
            ruff_python_ast::Number::Float(float) => *float == 0.0,
            ruff_python_ast::Number::Complex { .. } => false,
        },
        Expr::UnaryOp(operation) => operation.op == UnaryOp::USub && is_zero(&operation.operand),
        _ => false,
    }
}

fn is_name(expression: &Expr, name: &str) -> bool {
    matches!(expression, Expr::Name(found) if found.id.as_str() == name)
}

/// The number of occurrences of each name in the visited nodes.
#[derive(Default)]
struct UseCounter<'a>(FxHashMap<&'a str, usize>);

impl<'a> ruff_python_ast::visitor::Visitor<'a> for UseCounter<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            *self.0.entry(name.id.as_str()).or_default() += 1;
        }
        ruff_python_ast::visitor::walk_expr(self, expression);
    }
}

/// Returns whether a name occurs in an expression.
fn contains_name(expression: &Expr, name: &str) -> bool {
    let mut uses = UseCounter::default();
    ruff_python_ast::visitor::Visitor::visit_expr(&mut uses, expression);
    uses.0.contains_key(name)
}

/// Collects the operands of nested sums and differences, from left to right.
fn collect_addends<'w>(
    expression: &'w Expr,
    negative: bool,
    sum: Option<(&'w ExprBinOp, ProbedOperand)>,
    addends: &mut Vec<Addend<'w>>,
) {
    match expression {
        Expr::BinOp(operation) if matches!(operation.op, Operator::Add | Operator::Sub) => {
            let flips = operation.op == Operator::Sub;
            collect_addends(&operation.left, negative, Some((operation, ProbedOperand::Left)), addends);
            collect_addends(&operation.right, negative != flips, Some((operation, ProbedOperand::Right)), addends);
        }
        _ => addends.push(Addend { expression, is_subtracted: negative, parent_sum: sum }),
    }
}

/// Returns the names that an assignment binds.
fn assignment_targets(statement: &Stmt) -> impl Iterator<Item = &str> {
    let targets = match statement {
        Stmt::Assign(assign) => &assign.targets[..],
        Stmt::AugAssign(assign) => std::slice::from_ref(&*assign.target),
        Stmt::AnnAssign(assign) => std::slice::from_ref(&*assign.target),
        _ => &[],
    };
    targets.iter().filter_map(|target| target.as_name_expr().map(|name| name.id.as_str()))
}

/// Returns the variable that a statement adds to or subtracts from.
fn accumulated_variable(statement: &Stmt) -> Option<&str> {
    match statement {
        Stmt::AugAssign(assign) if matches!(assign.op, Operator::Add | Operator::Sub) => {
            assign.target.as_name_expr().map(|name| name.id.as_str())
        }
        _ => None,
    }
}

/// Returns whether a statement, or a statement within it, adds to a variable.
fn has_accumulation(statement: &Stmt) -> bool {
    struct AccumulationFinder(bool);
    impl<'a> ruff_python_ast::visitor::Visitor<'a> for AccumulationFinder {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            self.0 |= accumulated_variable(statement).is_some();
            ruff_python_ast::visitor::walk_stmt(self, statement);
        }
    }
    let mut found = AccumulationFinder(false);
    ruff_python_ast::visitor::Visitor::visit_stmt(&mut found, statement);
    found.0
}
