//! Top-level statements of a text, with the names that they bind and use.

use goalspec_syntax::SourceFile;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, ModModule, Stmt};
use ruff_text_size::Ranged;

/// The kind of a top-level statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitKind {
    Function,
    Class,
    /// An import of names.
    Import,
    /// An import of all names of a module.
    WildcardImport,
    /// `from __future__ import ..`
    Future,
    /// A statement that binds or changes names of the module.
    Binding,
    /// A text alone, such as a docstring.
    Text,
    /// A statement without an effect on the names of the module, such as a call.
    Other,
}

/// A top-level statement.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub(super) kind: UnitKind,
    /// The text, with the comments above it.
    pub(super) text: String,
    /// The names of the module that it binds or changes.
    pub(super) binds: Vec<String>,
    /// The names that it may use.
    pub(super) uses: Vec<String>,
    /// The module of an import.
    pub(super) module: String,
}

impl Unit {
    /// Whether the statement defines a function or class.
    pub(super) fn is_definition(&self) -> bool {
        matches!(self.kind, UnitKind::Function | UnitKind::Class)
    }

    /// Whether the statement binds names by an import or an assignment.
    pub(super) fn is_binding(&self) -> bool {
        matches!(self.kind, UnitKind::Import | UnitKind::WildcardImport | UnitKind::Future | UnitKind::Binding)
    }

    /// Whether the statement has no effect on the names of the module.
    pub(super) fn is_other(&self) -> bool {
        self.kind == UnitKind::Other
    }

    /// Returns the name of a function or class; an empty text for other statements.
    pub(super) fn name(&self) -> &str {
        if self.is_definition() { self.binds.first().map_or("", String::as_str) } else { "" }
    }
}

/// Returns the top-level statements of a text.
pub(super) fn units(source: &SourceFile, module: &ModModule) -> Vec<Unit> {
    let text = source.text();
    let mut units = Vec::with_capacity(module.body.len());
    let mut end_before = 0;
    for (index, statement) in module.body.iter().enumerate() {
        let range = statement.range();
        let (start, end) = (range.start().to_usize(), range.end().to_usize());
        let next = module.body.get(index + 1).map_or(text.len(), |next| next.range().start().to_usize());
        // A comment behind the statement belongs to it, unless another statement follows in the same line.
        let line_end = text[end..next].find('\n').map(|offset| end + offset);
        let end = line_end.unwrap_or(if next == text.len() { next } else { end });
        let start = with_comments(text, end_before, start);
        end_before = end;
        units.push(unit(statement, text[start..end].trim_end()));
    }
    units
}

/// Returns the start of the comment lines that stand directly above a statement.
fn with_comments(text: &str, from: usize, start: usize) -> usize {
    let mut first = start;
    while let Some(before) = text[from..first].strip_suffix('\n') {
        let line_start = before.rfind('\n').map_or(from, |index| from + index + 1);
        if !text[line_start..].starts_with('#') {
            break;
        }
        first = line_start;
    }
    first
}

fn unit(statement: &Stmt, text: &str) -> Unit {
    let mut names = NameCollector { binds: Vec::new(), uses: Vec::new(), depth: 0 };
    names.visit_stmt(statement);
    let NameCollector { mut binds, mut uses, .. } = names;
    let mut module = String::new();
    let kind = match statement {
        Stmt::FunctionDef(_) => UnitKind::Function,
        Stmt::ClassDef(_) => UnitKind::Class,
        Stmt::Import(_) => UnitKind::Import,
        Stmt::ImportFrom(import) => {
            import.module.as_deref().unwrap_or_default().clone_into(&mut module);
            let is_wildcard = import.names.iter().any(|alias| alias.name.as_str() == "*");
            match (&*module, is_wildcard) {
                ("__future__", _) => UnitKind::Future,
                (_, true) => UnitKind::WildcardImport,
                (_, false) => UnitKind::Import,
            }
        }
        Stmt::Expr(expression) if expression.value.is_string_literal_expr() => UnitKind::Text,
        // `if __name__ == "__main__":` runs a program that nobody asked for.
        Stmt::If(branch) if is_main_guard(&branch.test) => UnitKind::Other,
        _ if binds.is_empty() => UnitKind::Other,
        _ => UnitKind::Binding,
    };
    if kind == UnitKind::Other {
        binds.clear();
    }
    for names in [&mut binds, &mut uses] {
        names.sort_unstable();
        names.dedup();
    }
    Unit { kind, text: text.to_owned(), binds, uses, module }
}

fn is_main_guard(test: &Expr) -> bool {
    let is_name = |expression: &Expr| expression.as_name_expr().is_some_and(|name| name.id.as_str() == "__name__");
    test.as_compare_expr().is_some_and(|compare| is_name(&compare.left) || compare.comparators.iter().any(is_name))
}

/// A collector of the names of a top-level statement.
struct NameCollector {
    binds: Vec<String>,
    uses: Vec<String>,
    /// The number of enclosing functions and classes.
    depth: usize,
}

impl NameCollector {
    fn bind(&mut self, name: &str) {
        if self.depth == 0 {
            self.binds.push(name.to_owned());
        }
    }

    /// Records that a top-level statement changes the object of an expression, as in `TABLE["x"] = 1` and `TABLE.update(..)`.
    fn change(&mut self, expression: &Expr) {
        let mut root = expression;
        loop {
            root = match root {
                Expr::Attribute(attribute) => &attribute.value,
                Expr::Subscript(subscript) => &subscript.value,
                Expr::Name(name) => return self.bind(&name.id),
                _ => return,
            };
        }
    }
}

impl<'a> Visitor<'a> for NameCollector {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.bind(&function.name),
            Stmt::ClassDef(class) => self.bind(&class.name),
            Stmt::Import(import) => {
                for alias in &import.names {
                    let whole = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.bind(whole.split('.').next().unwrap_or_default());
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    self.bind(alias.asname.as_ref().unwrap_or(&alias.name));
                }
            }
            Stmt::Global(global) => self.uses.extend(global.names.iter().map(ToString::to_string)),
            Stmt::Expr(expression) => {
                if let Some(method) = expression.value.as_call_expr().and_then(|call| call.func.as_attribute_expr()) {
                    self.change(&method.value);
                }
            }
            _ => {}
        }
        let is_scope = matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
        self.depth += usize::from(is_scope);
        visitor::walk_stmt(self, statement);
        self.depth -= usize::from(is_scope);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => match name.ctx {
                ExprContext::Load => self.uses.push(name.id.to_string()),
                _ => self.bind(&name.id),
            },
            Expr::Attribute(attribute) if attribute.ctx != ExprContext::Load => self.change(expression),
            Expr::Subscript(subscript) if subscript.ctx != ExprContext::Load => self.change(expression),
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}
