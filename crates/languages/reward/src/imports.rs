//! Imports of modules that reward functions do not have, where the program works without them.

use goalspec_python_runtime::library::Library;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, ModModule, Stmt, StmtTry};
use ruff_text_size::{Ranged, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

/// The reason for which a program works without a module that it imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingModule {
    /// A handler around the import catches the `ModuleNotFoundError`.
    Guarded,
    /// Nothing but annotations, which are not evaluated, uses the imported names. The import has no effect.
    Unused,
}

/// Returns the imports of missing modules without which the program works, by the start of the alias of an `import`, or of the whole
/// statement `from .. import ..`.
pub(crate) fn missing_modules(module: &ModModule) -> FxHashMap<TextSize, MissingModule> {
    let mut collector = ImportCollector::default();
    collector.visit_body(&module.body);
    let ImportCollector { imports, used, .. } = collector;
    imports
        .into_iter()
        .filter_map(|import| {
            let reason = if import.is_guarded {
                MissingModule::Guarded
            } else if import.names.iter().all(|name| !used.contains(name)) {
                MissingModule::Unused
            } else {
                return None;
            };
            Some((import.start, reason))
        })
        .collect()
}

/// An import of a module that does not exist.
struct MissingImport<'a> {
    start: TextSize,
    /// The names that the import binds.
    names: Vec<&'a str>,
    is_guarded: bool,
}

#[derive(Default)]
struct ImportCollector<'a> {
    imports: Vec<MissingImport<'a>>,
    /// The names that the program reads, outside of annotations.
    used: FxHashSet<&'a str>,
    /// Whether a handler in the same function catches the exception of a failing import.
    is_guarded: bool,
}

impl<'a> ImportCollector<'a> {
    fn with_guard(&mut self, is_guarded: bool, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_guarded, is_guarded);
        visit(self);
        self.is_guarded = outer;
    }

    fn add(&mut self, start: TextSize, names: Vec<&'a str>) {
        self.imports.push(MissingImport { start, names, is_guarded: self.is_guarded });
    }

    fn visit_try(&mut self, statement: &'a StmtTry) {
        let is_guarded = self.is_guarded || statement.handlers.iter().any(catches_import_errors);
        self.with_guard(is_guarded, |collector| collector.visit_body(&statement.body));
        statement.handlers.iter().for_each(|handler| self.visit_except_handler(handler));
        self.visit_body(&statement.orelse);
        self.visit_body(&statement.finalbody);
    }
}

impl<'a> Visitor<'a> for ImportCollector<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in import.names.iter().filter(|alias| Library::from_name(&alias.name).is_none()) {
                    let first = alias.name.split('.').next().unwrap_or_default();
                    self.add(alias.start(), vec![alias.asname.as_ref().map_or(first, |name| name.as_str())]);
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_deref().unwrap_or_default();
                let binds_all = import.names.iter().any(|alias| alias.name.as_str() == "*");
                if import.level == 0 && !binds_all && Library::from_name(module).is_none() {
                    let names = import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str());
                    self.add(import.start(), names.collect());
                }
            }
            Stmt::Try(statement) => self.visit_try(statement),
            // The body of a function is executed elsewhere.
            Stmt::FunctionDef(_) => self.with_guard(false, |collector| visitor::walk_stmt(collector, statement)),
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression
            && !name.ctx.is_store()
        {
            self.used.insert(name.id.as_str());
        }
        visitor::walk_expr(self, expression);
    }
}

/// Returns whether a handler catches the exceptions of imports that fail.
fn catches_import_errors(handler: &ExceptHandler) -> bool {
    let ExceptHandler::ExceptHandler(handler) = handler;
    let is_caught = |class: &Expr| {
        class.as_name_expr().is_some_and(|name| {
            matches!(name.id.as_str(), "ImportError" | "ModuleNotFoundError" | "Exception" | "BaseException")
        })
    };
    match handler.type_.as_deref() {
        None => true,
        Some(Expr::Tuple(classes)) => classes.iter().any(is_caught),
        Some(class) => is_caught(class),
    }
}
