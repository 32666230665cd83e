//! Built-in base classes that programs cannot use, as far as their imports identify them.

use goalspec_python_runtime::library::Library;
use goalspec_python_runtime::machine::is_base;
use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, ModModule, Parameter, Pattern, Stmt, StmtClassDef};
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::parse::span;
use crate::patterns;

/// Reports the bases of a module's classes that are built in and not supported as bases.
pub(crate) fn check(module: &ModModule, source: &SourceFile) -> Vec<Diagnostic> {
    let mut bindings = Bindings { names: FxHashMap::default() };
    bindings.visit_body(&module.body);
    let mut check = BaseChecker { source, bindings: bindings.names, diagnostics: Vec::new() };
    check.visit_body(&module.body);
    check.diagnostics
}

/// The meaning of a name in the whole program.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Binding {
    Module(String),
    /// A name that is imported from a module.
    Member(String, String),
    /// A value that is only known at run time.
    Unknown,
}

/// The names that a program binds.
struct Bindings {
    names: FxHashMap<String, Binding>,
}

impl Bindings {
    fn bind(&mut self, name: &str, binding: &Binding) {
        let bound = self.names.entry(name.to_owned()).or_insert_with(|| binding.clone());
        if bound != binding {
            *bound = Binding::Unknown;
        }
    }
}

impl Visitor<'_> for Bindings {
    fn visit_expr(&mut self, expression: &Expr) {
        if let Expr::Name(name) = expression
            && name.ctx.is_store()
        {
            self.bind(&name.id, &Binding::Unknown);
        }
        visitor::walk_expr(self, expression);
    }

    fn visit_pattern(&mut self, pattern: &Pattern) {
        if let Some(name) = patterns::bound_name(pattern) {
            self.bind(name, &Binding::Unknown);
        }
        visitor::walk_pattern(self, pattern);
    }

    fn visit_parameter(&mut self, parameter: &Parameter) {
        self.bind(&parameter.name, &Binding::Unknown);
    }

    fn visit_except_handler(&mut self, handler: &ExceptHandler) {
        let ExceptHandler::ExceptHandler(caught) = handler;
        caught.name.iter().for_each(|name| self.bind(name, &Binding::Unknown));
        visitor::walk_except_handler(self, handler);
    }

    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    let first = alias.name.split('.').next().unwrap_or_default();
                    match &alias.asname {
                        Some(name) => self.bind(name, &Binding::Module(alias.name.to_string())),
                        None => self.bind(first, &Binding::Module(first.to_owned())),
                    }
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_deref().unwrap_or_default();
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.bind(name, &Binding::Member(module.to_owned(), alias.name.to_string()));
                }
            }
            Stmt::FunctionDef(function) => self.bind(&function.name, &Binding::Unknown),
            Stmt::ClassDef(class) => self.bind(&class.name, &Binding::Unknown),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }
}

struct BaseChecker<'c> {
    source: &'c SourceFile,
    bindings: FxHashMap<String, Binding>,
    diagnostics: Vec<Diagnostic>,
}

impl BaseChecker<'_> {
    /// Returns the module, if any, and the name that an expression denotes, as far as imports identify them; built-in names have no module.
    fn resolve(&self, expression: &Expr) -> Option<(Option<String>, String)> {
        match expression {
            Expr::Name(name) => match self.bindings.get(name.id.as_str()) {
                Some(Binding::Member(module, name)) => Some((Some(module.clone()), name.clone())),
                Some(_) => None,
                None => Some((None, name.id.to_string())),
            },
            Expr::Attribute(attribute) => {
                let module = self.resolve_module(&attribute.value)?;
                Some((Some(module), attribute.attr.to_string()))
            }
            // `Iterable[int]` has the base `Iterable`.
            Expr::Subscript(subscript) => self.resolve(&subscript.value),
            _ => None,
        }
    }

    fn resolve_module(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Name(name) => match self.bindings.get(name.id.as_str()) {
                Some(Binding::Module(module)) => Some(module.clone()),
                Some(Binding::Member(module, name)) => Some(format!("{module}.{name}")),
                _ => None,
            },
            Expr::Attribute(attribute) => {
                Some(format!("{}.{}", self.resolve_module(&attribute.value)?, attribute.attr))
            }
            _ => None,
        }
    }

    fn check_class(&mut self, class: &StmtClassDef) {
        let Some(arguments) = &class.arguments else { return };
        for base in &arguments.args {
            let Some((module, name)) = self.resolve(base) else { continue };
            let library = module.as_deref().and_then(Library::from_name);
            if module.is_some() && library.is_none() || is_base(library, &name) != Some(false) {
                continue;
            }
            let full = module.map_or_else(|| name.clone(), |module| format!("{module}.{name}"));
            let message = format!("unsupported base class `{full}`");
            let found = Diagnostic::error(codes::UNSUPPORTED_BASE, span(self.source, base.range()), message);
            self.diagnostics.push(found.with_help(suggested_alternative(&name)));
        }
    }
}

/// Returns the suggested alternative to a base.
fn suggested_alternative(name: &str) -> &'static str {
    match name {
        "MutableSequence" | "ByteString" | "range" => {
            "derive from `list` or `tuple`, or remove the base class and define the methods in use: `index`, `count`"
        }
        "Set" | "AbstractSet" | "MutableSet" | "FrozenSet" | "frozenset" => {
            "derive from `set`, or remove the base class and define the methods in use"
        }
        "Deque" | "deque" | "partial" => "store one in an attribute",
        "bool" => "derive from `int`",
        "type" | "Type" => "metaclasses are not supported: use `__init_subclass__` or a class decorator",
        "Any" => "remove the base class",
        _ => "remove the base class: special methods and `isinstance` work without it",
    }
}

impl Visitor<'_> for BaseChecker<'_> {
    fn visit_stmt(&mut self, statement: &Stmt) {
        if let Stmt::ClassDef(class) = statement {
            self.check_class(class);
        }
        visitor::walk_stmt(self, statement);
    }
}
