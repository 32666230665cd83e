//! Functions that nothing calls.

use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ModModule, Stmt, StmtFunctionDef};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::parse::span;

/// Functions of the module that neither the entry nor anything that it calls mentions, and functions inside of others that nothing there
/// does.
pub(super) fn lint(source: &SourceFile, module: &ModModule, entry: &str) -> Vec<Diagnostic> {
    let defined = |statement: &&Stmt| statement.is_function_def_stmt();
    let functions: Vec<&StmtFunctionDef> = module.body.iter().filter_map(Stmt::as_function_def_stmt).collect();
    let mut used = Mentions { names: FxHashSet::from_iter([entry]), but: None };
    module.body.iter().filter(|statement| !defined(statement)).for_each(|statement| used.visit_stmt(statement));
    // Decorators are called when the module is set up.
    for decorator in functions.iter().flat_map(|function| &function.decorator_list) {
        used.visit_decorator(decorator);
    }
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    while let Some(function) = functions
        .iter()
        .find(|function| used.names.contains(function.name.as_str()) && !seen.contains(function.name.as_str()))
    {
        seen.insert(&function.name);
        for other in functions.iter().filter(|other| other.name == function.name) {
            used.visit_parameters(&other.parameters);
            used.visit_body(&other.body);
        }
    }
    let (called, mut unused): (Vec<&StmtFunctionDef>, Vec<&StmtFunctionDef>) =
        functions.into_iter().partition(|function| seen.contains(function.name.as_str()));
    for function in called {
        let mut inner = Inner(Vec::new());
        inner.visit_body(&function.body);
        unused.extend(inner.0.into_iter().filter(|inner| {
            let mut used = Mentions { names: FxHashSet::default(), but: Some(inner) };
            used.visit_body(&function.body);
            !used.names.contains(inner.name.as_str())
        }));
    }
    let report = |function: &StmtFunctionDef| {
        let message = format!("`{}` is never called", function.name);
        Diagnostic::note(codes::UNUSED_FUNCTION, span(source, function.name.range), message)
            .with_help("call it, or leave it out")
    };
    unused.into_iter().map(report).collect()
}

/// The names that stand somewhere.
struct Mentions<'m> {
    names: FxHashSet<&'m str>,
    /// A function in which nothing counts.
    but: Option<&'m StmtFunctionDef>,
}

impl<'a> Visitor<'a> for Mentions<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let left_out = statement.as_function_def_stmt().zip(self.but);
        if !left_out.is_some_and(|(function, but)| std::ptr::eq(function, but)) {
            visitor::walk_stmt(self, statement);
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            self.names.insert(&name.id);
        }
        visitor::walk_expr(self, expression);
    }
}

/// The functions inside of a function, but for methods.
struct Inner<'i>(Vec<&'i StmtFunctionDef>);

impl<'a> Visitor<'a> for Inner<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.0.push(function),
            Stmt::ClassDef(_) => return,
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}
