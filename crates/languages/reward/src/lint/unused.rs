//! Functions that are never called.

use goalspec_python_runtime::scene::World;
use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::TextSize;
use rustc_hash::{FxHashMap, FxHashSet};

use super::object_changes;
use crate::codes;
use crate::parse::span;

/// Reports the functions of the module that are not reachable from the entry by name, and the nested functions that are mentioned only by
/// themselves.
pub(super) fn lint(source: &SourceFile, module: &ModModule, world: Option<&World>, entry: &str) -> Vec<Diagnostic> {
    let defined = |statement: &&Stmt| statement.is_function_def_stmt();
    let functions: Vec<&StmtFunctionDef> = module.body.iter().filter_map(Stmt::as_function_def_stmt).collect();
    let mut by_name: FxHashMap<&str, Vec<&StmtFunctionDef>> = FxHashMap::default();
    for &function in &functions {
        by_name.entry(&function.name).or_default().push(function);
    }
    let mut used = NameReferences { names: FxHashSet::from_iter([entry]), pending: vec![entry] };
    module.body.iter().filter(|statement| !defined(statement)).for_each(|statement| used.visit_stmt(statement));
    // Decorators are called when the module is executed.
    for decorator in functions.iter().flat_map(|function| &function.decorator_list) {
        used.visit_decorator(decorator);
    }
    while let Some(name) = used.pending.pop() {
        for function in by_name.remove(name).into_iter().flatten() {
            used.visit_parameters(&function.parameters);
            used.visit_body(&function.body);
        }
    }
    let (called, mut unused): (Vec<&StmtFunctionDef>, Vec<&StmtFunctionDef>) =
        functions.into_iter().partition(|function| used.names.contains(function.name.as_str()));
    for function in called {
        let mut inner = NestedFunctions(Vec::new());
        inner.visit_body(&function.body);
        if inner.0.is_empty() {
            continue;
        }
        let mut counts = ReferenceCounts::default();
        counts.visit_body(&function.body);
        unused.extend(inner.0.into_iter().filter(|inner| {
            let all = counts.by_name.get(inner.name.as_str()).copied().unwrap_or_default();
            let own = counts.recursive.get(&inner.range.start()).copied().unwrap_or_default();
            all == own
        }));
    }
    let changes = object_changes::of_module(source, module, world);
    let report = |function: &StmtFunctionDef| {
        let message = format!("`{}` is never called", function.name);
        let finding = Diagnostic::note(codes::UNUSED_FUNCTION, span(source, function.name.range), message)
            .with_help("call it, or remove it");
        let within = |span: goalspec_syntax::Span| {
            function.range.start().to_u32() <= span.start && span.end <= function.range.end().to_u32()
        };
        match changes.iter().find(|change| within(change.span)) {
            Some(change) => finding.with_label(format!("it would change the objects of the game: `{}`", change.text)),
            None => finding,
        }
    };
    unused.into_iter().map(report).collect()
}

/// The names that are mentioned in reachable code.
struct NameReferences<'m> {
    names: FxHashSet<&'m str>,
    /// The names whose functions are still to be visited.
    pending: Vec<&'m str>,
}

impl<'a> Visitor<'a> for NameReferences<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression
            && self.names.insert(&name.id)
        {
            self.pending.push(&name.id);
        }
        visitor::walk_expr(self, expression);
    }
}

/// The numbers of mentions of names in the body of a function.
#[derive(Default)]
struct ReferenceCounts<'c> {
    by_name: FxHashMap<&'c str, usize>,
    /// The number of mentions of each nested function within itself, by its start.
    recursive: FxHashMap<TextSize, usize>,
    /// The starts of the functions around the visited node, by name.
    enclosing_functions: FxHashMap<&'c str, Vec<TextSize>>,
}

impl<'a> Visitor<'a> for ReferenceCounts<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let Stmt::FunctionDef(function) = statement else { return visitor::walk_stmt(self, statement) };
        self.enclosing_functions.entry(&function.name).or_default().push(function.range.start());
        visitor::walk_stmt(self, statement);
        if let Some(around) = self.enclosing_functions.get_mut(function.name.as_str()) {
            around.pop();
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            *self.by_name.entry(&name.id).or_default() += 1;
            for start in self.enclosing_functions.get(name.id.as_str()).into_iter().flatten() {
                *self.recursive.entry(*start).or_default() += 1;
            }
        }
        visitor::walk_expr(self, expression);
    }
}

/// The functions nested in a function, without methods.
struct NestedFunctions<'i>(Vec<&'i StmtFunctionDef>);

impl<'a> Visitor<'a> for NestedFunctions<'a> {
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
