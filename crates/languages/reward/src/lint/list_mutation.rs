//! Lists that change during iteration over them.

use goalspec_python_runtime::library::{MethodEffect, MethodRow, method};
use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprName, ModModule, Stmt, StmtFor};
use ruff_text_size::{Ranged, TextRange};

use crate::codes;
use crate::parse::span;

pub(super) fn lint(source: &SourceFile, module: &ModModule) -> Vec<Diagnostic> {
    let mut walk = ListMutationChecker { source, loops: Vec::new(), diagnostics: Vec::new() };
    walk.visit_body(&module.body);
    walk.diagnostics
}

/// A `for` loop over a named list or a copy of it.
struct ListLoop<'l> {
    list: &'l str,
    is_copy: bool,
    variable: Option<&'l str>,
    range: TextRange,
}

struct ListMutationChecker<'w> {
    source: &'w SourceFile,
    /// The loops around the current statement, innermost last; `None` for loops over other values.
    loops: Vec<Option<ListLoop<'w>>>,
    diagnostics: Vec<Diagnostic>,
}

impl<'w> Visitor<'w> for ListMutationChecker<'w> {
    fn visit_body(&mut self, body: &'w [Stmt]) {
        for (place, statement) in body.iter().enumerate() {
            if let Some(mutation) = list_mutation(statement) {
                self.check_mutation(&mutation, &body[place + 1..]);
            }
            self.visit_stmt(statement);
        }
    }

    fn visit_stmt(&mut self, statement: &'w Stmt) {
        match statement {
            Stmt::For(each) => {
                self.visit_expr(&each.iter);
                self.loops.push(list_loop(each));
                self.visit_body(&each.body);
                self.loops.pop();
                self.visit_body(&each.orelse);
            }
            Stmt::While(repeat) => {
                self.loops.push(None);
                self.visit_body(&repeat.body);
                self.loops.pop();
                self.visit_body(&repeat.orelse);
            }
            Stmt::FunctionDef(function) => {
                let around = std::mem::take(&mut self.loops);
                self.visit_body(&function.body);
                self.loops = around;
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }
}

impl ListMutationChecker<'_> {
    /// Records a change of a list; `rest` are the statements behind it.
    fn check_mutation(&mut self, mutation: &ListMutation<'_>, rest: &[Stmt]) {
        let &ListMutation { list, method, argument, range } = mutation;
        let returns = rest.iter().any(Stmt::is_return_stmt);
        let breaks = rest.iter().any(Stmt::is_break_stmt);
        let is_same_list = |open: &&ListLoop<'_>| open.list == list;
        let around = self.loops.len().saturating_sub(1);
        let element = |open: &&ListLoop<'_>| argument.is_some() && open.variable == argument;
        let outer = self.loops[..around].iter().flatten().filter(is_same_list).find(element);
        if let Some(open) = outer.filter(|_| method.name == "remove" && !returns && !breaks) {
            let name = argument.unwrap_or_default();
            let message =
                format!("the inner loop may remove `{name}` from `{list}` more than once, which raises `ValueError`");
            let finding = Diagnostic::warning(codes::REMOVED_TWICE, span(self.source, range), message);
            let same = format!("`{name}` does not change during the inner loop");
            let finding = finding.with_related(span(self.source, open.range), same);
            self.diagnostics.push(finding.with_help("add a `break` out of the inner loop after the removal"));
        }
        let itself = |open: &Option<ListLoop<'_>>| open.as_ref().is_some_and(|open| open.list == list && !open.is_copy);
        let Some(depth) = self.loops.iter().rposition(itself) else { return };
        let Some(open) = &self.loops[depth] else { return };
        let loop_span = span(self.source, open.range);
        if returns || (depth + 1 == self.loops.len() && breaks) {
            return;
        }
        let (change, then) = match method.effect {
            MethodEffect::Removes => ("shrinks", "elements are skipped"),
            MethodEffect::Clears => ("is cleared", "the loop ends early"),
            _ => ("grows", "new elements may be visited, too"),
        };
        let message = format!("`{list}` {change} during the iteration: {then}");
        let finding = Diagnostic::warning(codes::CHANGED_WHILE_ITERATING, span(self.source, range), message);
        let finding = finding.with_related(loop_span, format!("this loop iterates over `{list}` itself"));
        self.diagnostics.push(finding.with_help(format!("iterate over a copy: `in list({list}):`")));
    }
}

fn list_loop(each: &StmtFor) -> Option<ListLoop<'_>> {
    let (list, copied) = match &*each.iter {
        Expr::Name(name) => (name, false),
        copy => (copied_list(copy)?, true),
    };
    let variable = each.target.as_name_expr().map(|name| name.id.as_str());
    Some(ListLoop {
        list: &list.id,
        is_copy: copied,
        variable,
        range: TextRange::new(each.target.start(), each.iter.end()),
    })
}

/// Returns the list that an expression copies: `list(xs)`, `xs[:]`, `xs.copy()`.
fn copied_list(expression: &Expr) -> Option<&ExprName> {
    match expression {
        Expr::Call(call) => match (&*call.func, &call.arguments.args[..]) {
            (Expr::Name(function), [list]) => {
                let copies = matches!(function.id.as_str(), "list" | "sorted" | "tuple");
                list.as_name_expr().filter(|_| copies)
            }
            (Expr::Attribute(method), []) if method.attr.as_str() == "copy" => method.value.as_name_expr(),
            _ => None,
        },
        Expr::Subscript(item) if item.slice.is_slice_expr() => item.value.as_name_expr(),
        _ => None,
    }
}

/// A statement that changes the number of elements of a list.
struct ListMutation<'l> {
    list: &'l str,
    method: &'static MethodRow,
    /// The first argument, if it is a name.
    argument: Option<&'l str>,
    range: TextRange,
}

/// Returns the change of a list in a statement.
fn list_mutation(statement: &Stmt) -> Option<ListMutation<'_>> {
    let call = statement.as_expr_stmt()?.value.as_call_expr()?;
    let called = call.func.as_attribute_expr()?;
    let list = called.value.as_name_expr()?.id.as_str();
    let method = method("list", &called.attr)?;
    let resizes = matches!(method.effect, MethodEffect::Adds | MethodEffect::Removes | MethodEffect::Clears);
    let argument = call.arguments.args.first().and_then(Expr::as_name_expr).map(|name| name.id.as_str());
    resizes.then_some(ListMutation { list, method, argument, range: call.range() })
}
