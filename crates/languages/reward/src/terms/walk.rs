//! A walk over the syntax tree that collects the terms of a reward function.

use std::sync::Arc;

use goalspec_syntax::{SourceFile, Span};
use ruff_python_ast::{Expr, ExprBinOp, ModModule, Operator, Stmt, StmtFunctionDef, UnaryOp};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::Names;
use super::{Measure, Part, Term, TermKind, Terms};
use crate::code::{Site, SiteKind};

/// The maximum number of functions that are analysed.
const MAX_FUNCTIONS: usize = 8;

pub(super) fn walk(source: &SourceFile, module: &ModModule, function: &str, names: &Names<'_>) -> Terms {
    let empty =
        Terms { list: Vec::new(), returned: Vec::new(), source: source.id(), variables: 0, tracked: Vec::new() };
    let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
    let functions = functions.map(|function| (function.name.as_str(), function)).collect();
    let mut uses = Uses::default();
    ruff_python_ast::visitor::Visitor::visit_body(&mut uses, &module.body);
    let mut walk = Walk { functions, uses: uses.0, names, terms: empty, seen: FxHashSet::default() };
    if let Some(function) = walk.functions.get(function) {
        walk.terms_of(function, false);
    }
    walk.terms
}

struct Walk<'w> {
    /// The functions of the module by name; the last definition of each name.
    functions: FxHashMap<&'w str, &'w StmtFunctionDef>,
    /// The number of uses of each name in the module.
    uses: FxHashMap<&'w str, usize>,
    names: &'w Names<'w>,
    terms: Terms,
    /// The functions that have been analysed.
    seen: FxHashSet<&'w str>,
}

/// A `return` or an assignment, with the innermost condition around it.
#[derive(Clone)]
struct Line<'w> {
    statement: &'w Stmt,
    condition: Option<Arc<str>>,
}

/// A variable that contributes to the reward.
#[derive(Clone, Copy)]
struct Followed<'w> {
    name: &'w str,
    negative: bool,
    variable: usize,
}

/// The variables that contribute to the reward, in the order of their discovery.
#[derive(Default)]
struct AllFollowed<'w> {
    list: Vec<Followed<'w>>,
    by_name: FxHashMap<&'w str, usize>,
}

/// An operand of a sum.
struct Addend<'w> {
    expression: &'w Expr,
    negative: bool,
    /// The innermost sum that has the operand, and its side; `None` outside of sums.
    sum: Option<(&'w ExprBinOp, Part)>,
}

impl<'w> Walk<'w> {
    fn terms_of(&mut self, function: &'w StmtFunctionDef, negative: bool) {
        if self.seen.len() >= MAX_FUNCTIONS || !self.seen.insert(&function.name) {
            return;
        }
        let mut lines = Vec::new();
        self.lines(&function.body, None, &mut lines);
        let added: FxHashSet<&str> = lines.iter().filter_map(|line| added_to(line.statement)).collect();
        let mut followed = AllFollowed::default();
        for line in &lines {
            if let Stmt::Return(returned) = line.statement
                && let Some(value) = &returned.value
            {
                self.value(line, value, SiteKind::Return, None, negative, &added, &mut followed);
            }
        }
        let returned = followed.list.iter().map(|followed| followed.name.to_owned());
        self.terms.returned.extend(returned);
        let mut by_target: FxHashMap<&str, Vec<&Line<'w>>> = FxHashMap::default();
        for line in &lines {
            // A name that occurs twice among the targets of one assignment counts once.
            for target in targets(line.statement).collect::<FxHashSet<_>>() {
                by_target.entry(target).or_default().push(line);
            }
        }
        // The loop also visits the variables that it adds to the list.
        let mut place = 0;
        while let Some(&own) = followed.list.get(place) {
            for line in by_target.get(own.name).into_iter().flatten() {
                self.assigned(line, own, &added, &mut followed);
            }
            place += 1;
        }
    }

    /// Collects the `return` statements and the assignments of a function.
    fn lines(&self, body: &'w [Stmt], condition: Option<&Arc<str>>, lines: &mut Vec<Line<'w>>) {
        for statement in body {
            match statement {
                Stmt::Return(_) | Stmt::Assign(_) | Stmt::AugAssign(_) | Stmt::AnnAssign(_) => {
                    lines.push(Line { statement, condition: condition.cloned() });
                }
                Stmt::If(branch) => {
                    let test: Arc<str> = self.names.text(&*branch.test).into();
                    self.lines(&branch.body, Some(&test), lines);
                    for clause in &branch.elif_else_clauses {
                        let other = clause.test.as_ref().map(|test| self.names.text(test));
                        let other = other.unwrap_or_else(|| format!("not ({test})"));
                        self.lines(&clause.body, Some(&other.into()), lines);
                    }
                }
                Stmt::For(each) => {
                    self.lines(&each.body, condition, lines);
                    self.lines(&each.orelse, condition, lines);
                }
                Stmt::While(repeat) => {
                    self.lines(&repeat.body, condition, lines);
                    self.lines(&repeat.orelse, condition, lines);
                }
                Stmt::Try(guarded) => {
                    self.lines(&guarded.body, condition, lines);
                    for handler in &guarded.handlers {
                        let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                        self.lines(&handler.body, condition, lines);
                    }
                    self.lines(&guarded.orelse, condition, lines);
                    self.lines(&guarded.finalbody, condition, lines);
                }
                _ => {}
            }
        }
    }

    /// Collects the terms of an assignment to a followed variable.
    fn assigned(
        &mut self,
        line: &Line<'w>,
        own: Followed<'w>,
        added: &FxHashSet<&'w str>,
        followed: &mut AllFollowed<'w>,
    ) {
        match line.statement {
            Stmt::AugAssign(assign) => {
                let site = site(SiteKind::Update, line.statement);
                let (part, kind, flipped) = match assign.op {
                    Operator::Add => (Part::Right, TermKind::Added, false),
                    Operator::Sub => (Part::Right, TermKind::Added, true),
                    _ => (Part::Change, TermKind::Changed, false),
                };
                let measure = Measure { site, part, variable: own.variable };
                self.term(line, &assign.value, line.statement, kind, own.negative != flipped, measure, true);
                self.terms.tracked.push((site, own.variable));
            }
            Stmt::Assign(assign) => {
                self.value(line, &assign.value, SiteKind::Store, Some(own), own.negative, added, followed);
            }
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.value(line, value, SiteKind::Store, Some(own), own.negative, added, followed);
                }
            }
            _ => {}
        }
    }

    /// Collects the terms of a value that is returned or assigned to a followed variable.
    #[allow(clippy::too_many_arguments, reason = "what a value is for has many sides")]
    fn value(
        &mut self,
        line: &Line<'w>,
        value: &'w Expr,
        kind: SiteKind,
        own: Option<Followed<'w>>,
        negative: bool,
        added: &FxHashSet<&'w str>,
        followed: &mut AllFollowed<'w>,
    ) {
        let whole = site(kind, line.statement);
        let value = total_of(value);
        let (inner, clamped) = unclamped(value);
        if let (SiteKind::Return, Expr::Name(name)) = (kind, inner) {
            let variable = self.follow(&name.id, negative, followed);
            if clamped {
                let measure = Measure { site: whole, part: Part::Change, variable };
                self.term(line, value, line.statement, TermKind::Clamp, negative, measure, true);
            }
            return;
        }
        let mut addends = Vec::new();
        addends_of(inner, false, None, &mut addends);
        let keeps =
            |addend: &Addend<'_>| own.is_some_and(|own| is_name(addend.expression, own.name) && !addend.negative);
        let kept = addends.iter().any(keeps);
        let variable = match own {
            Some(own) => own.variable,
            None => self.variable(),
        };
        let several = addends.len() > 1;
        let alone = addends.iter().filter(|addend| !keeps(addend)).count() == 1;
        for addend in addends.iter().filter(|addend| !keeps(addend)) {
            let flipped = negative != addend.negative;
            if let Expr::Name(name) = addend.expression
                && added.contains(name.id.as_str())
                && own.is_none_or(|own| own.name != name.id.as_str())
            {
                self.follow(&name.id, flipped, followed);
                continue;
            }
            if let Some(called) = self.called(addend.expression) {
                self.terms_of(called, flipped);
                continue;
            }
            if is_zero(addend.expression) {
                continue;
            }
            let measure = match addend.sum {
                Some((sum, part)) => Measure { site: site(SiteKind::Sum, sum), part, variable },
                None => Measure { site: whole, part: Part::Change, variable },
            };
            let added = match (kind, several || kept) {
                (_, true) => TermKind::Added,
                (SiteKind::Return, false) => TermKind::Returned,
                _ if own.is_some_and(|own| mentions(inner, own.name)) => TermKind::Changed,
                _ => TermKind::Set,
            };
            if alone {
                self.term(line, addend.expression, line.statement, added, flipped, measure, true);
            } else {
                self.term(line, addend.expression, addend.expression, added, flipped, measure, false);
            }
        }
        let sum = inner.as_bin_op_expr().filter(|_| several);
        if let Some(sum) = sum.filter(|_| clamped) {
            self.terms.tracked.push((site(SiteKind::Sum, sum), variable));
        }
        if clamped && (kept || sum.is_some()) {
            let measure = Measure { site: whole, part: Part::Change, variable };
            self.term(line, value, line.statement, TermKind::Clamp, negative, measure, true);
        }
        if own.is_some() {
            self.terms.tracked.push((whole, variable));
        }
    }

    fn variable(&mut self) -> usize {
        self.terms.variables += 1;
        self.terms.variables - 1
    }

    fn follow(&mut self, name: &'w str, negative: bool, followed: &mut AllFollowed<'w>) -> usize {
        if let Some(&known) = followed.by_name.get(name) {
            return followed.list[known].variable;
        }
        let variable = self.variable();
        followed.by_name.insert(name, followed.list.len());
        followed.list.push(Followed { name, negative, variable });
        variable
    }

    /// Returns the function of the module that an expression calls, if the call is to be expanded into the terms of the function.
    fn called(&self, expression: &Expr) -> Option<&'w StmtFunctionDef> {
        let name = expression.as_call_expr()?.func.as_name_expr()?;
        let function = *self.functions.get(name.id.as_str())?;
        let looked_through = self.seen.contains(function.name.as_str()) || self.seen.len() >= MAX_FUNCTIONS;
        // A function that accumulates nothing is a single term. So is a function with several calls, since its terms would mix the values
        // of all of them.
        let sums = function.body.iter().any(added_within);
        (!looked_through && sums && self.uses[name.id.as_str()] == 1).then_some(function)
    }

    #[allow(clippy::too_many_arguments, reason = "a term has many sides")]
    fn term(
        &mut self,
        line: &Line<'w>,
        expression: &Expr,
        shown: &impl Ranged,
        kind: TermKind,
        negative: bool,
        measure: Measure,
        alone: bool,
    ) {
        let text = self.names.text(expression);
        let (name, named_by) = self.names.name(line.statement, &text, line.condition.as_deref(), alone);
        let range = shown.range();
        let span = Span::new(self.terms.source, range.start().to_u32(), range.end().to_u32());
        self.terms.list.push(Term {
            id: String::new(),
            name,
            named_by,
            text,
            kind,
            negative,
            condition: line.condition.clone(),
            span,
            line: self.names.line(span.start) as u32,
            measure,
        });
    }
}

fn site(kind: SiteKind, node: &impl Ranged) -> Site {
    let range: TextRange = node.range();
    Site { range: (range.start().to_u32(), range.end().to_u32()), kind }
}

/// Returns the first element of `(total, components)`, or the value itself.
fn total_of(value: &Expr) -> &Expr {
    match value {
        Expr::Tuple(tuple) => tuple.elts.first().unwrap_or(value),
        _ => value,
    }
}

/// Strips clamps and conversions; returns the inner expression, and whether there was a clamp.
fn unclamped(expression: &Expr) -> (&Expr, bool) {
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
struct Uses<'a>(FxHashMap<&'a str, usize>);

impl<'a> ruff_python_ast::visitor::Visitor<'a> for Uses<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            *self.0.entry(name.id.as_str()).or_default() += 1;
        }
        ruff_python_ast::visitor::walk_expr(self, expression);
    }
}

/// Returns whether a name occurs in an expression.
fn mentions(expression: &Expr, name: &str) -> bool {
    let mut uses = Uses::default();
    ruff_python_ast::visitor::Visitor::visit_expr(&mut uses, expression);
    uses.0.contains_key(name)
}

/// Collects the operands of nested sums and differences, from left to right.
fn addends_of<'w>(
    expression: &'w Expr,
    negative: bool,
    sum: Option<(&'w ExprBinOp, Part)>,
    addends: &mut Vec<Addend<'w>>,
) {
    match expression {
        Expr::BinOp(operation) if matches!(operation.op, Operator::Add | Operator::Sub) => {
            let flips = operation.op == Operator::Sub;
            addends_of(&operation.left, negative, Some((operation, Part::Left)), addends);
            addends_of(&operation.right, negative != flips, Some((operation, Part::Right)), addends);
        }
        _ => addends.push(Addend { expression, negative, sum }),
    }
}

/// Returns the names that an assignment binds.
fn targets(statement: &Stmt) -> impl Iterator<Item = &str> {
    let targets = match statement {
        Stmt::Assign(assign) => &assign.targets[..],
        Stmt::AugAssign(assign) => std::slice::from_ref(&*assign.target),
        Stmt::AnnAssign(assign) => std::slice::from_ref(&*assign.target),
        _ => &[],
    };
    targets.iter().filter_map(|target| target.as_name_expr().map(|name| name.id.as_str()))
}

/// Returns the variable that a statement adds to or subtracts from.
fn added_to(statement: &Stmt) -> Option<&str> {
    match statement {
        Stmt::AugAssign(assign) if matches!(assign.op, Operator::Add | Operator::Sub) => {
            assign.target.as_name_expr().map(|name| name.id.as_str())
        }
        _ => None,
    }
}

/// Returns whether a statement, or a statement within it, adds to a variable.
fn added_within(statement: &Stmt) -> bool {
    struct Found(bool);
    impl<'a> ruff_python_ast::visitor::Visitor<'a> for Found {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            self.0 |= added_to(statement).is_some();
            ruff_python_ast::visitor::walk_stmt(self, statement);
        }
    }
    let mut found = Found(false);
    ruff_python_ast::visitor::Visitor::visit_stmt(&mut found, statement);
    found.0
}
