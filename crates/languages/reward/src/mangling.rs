//! Name mangling: within a class `C`, the private name `__x` becomes `_C__x`, as in CPython. Names of keyword arguments in calls stay
//! unchanged, and functions and classes keep their `__name__`.

use std::cell::RefCell;

use goalspec_syntax::SourceFile;
use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::{ExceptHandler, Expr, Identifier, ModModule, Parameter, Pattern, Stmt};

/// Mangles the private names in classes.
pub(crate) fn mangle_private_names(module: &mut ModModule) {
    Mangler::default().visit_body(&mut module.body);
}

/// Returns the `__name__` of a function or class: the name in the source text, even if it is bound to a mangled name.
pub(crate) fn unmangled_name<'w>(source: &'w SourceFile, name: &'w Identifier) -> &'w str {
    let text = &source.text()[name.range.to_std_range()];
    if text.starts_with("__") { text } else { &name.id }
}

/// The names of the enclosing classes without leading underscores, innermost last.
#[derive(Default)]
struct Mangler(RefCell<Vec<String>>);

impl Mangler {
    fn mangle_name(&self, name: &mut Name) {
        let classes = self.0.borrow();
        let Some(class) = classes.last().filter(|class| !class.is_empty()) else { return };
        if name.starts_with("__") && !name.ends_with("__") && !name.contains('.') {
            *name = Name::new(format!("_{class}{name}"));
        }
    }
}

impl Transformer for Mangler {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::ClassDef(class) => {
                class.decorator_list.iter_mut().for_each(|decorator| self.visit_decorator(decorator));
                if let Some(arguments) = &mut class.arguments {
                    self.visit_arguments(arguments);
                }
                let inner = class.name.id.trim_start_matches('_').to_owned();
                self.mangle_name(&mut class.name.id);
                self.0.borrow_mut().push(inner);
                self.visit_body(&mut class.body);
                self.0.borrow_mut().pop();
                return;
            }
            Stmt::FunctionDef(function) => self.mangle_name(&mut function.name.id),
            Stmt::Global(global) => global.names.iter_mut().for_each(|name| self.mangle_name(&mut name.id)),
            Stmt::Nonlocal(names) => names.names.iter_mut().for_each(|name| self.mangle_name(&mut name.id)),
            _ => {}
        }
        transformer::walk_stmt(self, statement);
    }

    fn visit_expr(&self, expression: &mut Expr) {
        match expression {
            Expr::Name(name) => self.mangle_name(&mut name.id),
            Expr::Attribute(attribute) => self.mangle_name(&mut attribute.attr.id),
            _ => {}
        }
        transformer::walk_expr(self, expression);
    }

    fn visit_pattern(&self, pattern: &mut Pattern) {
        let name = match pattern {
            Pattern::MatchAs(pattern) => pattern.name.as_mut(),
            Pattern::MatchStar(pattern) => pattern.name.as_mut(),
            Pattern::MatchMapping(pattern) => pattern.rest.as_mut(),
            _ => None,
        };
        if let Some(name) = name {
            self.mangle_name(&mut name.id);
        }
        transformer::walk_pattern(self, pattern);
    }

    fn visit_parameter(&self, parameter: &mut Parameter) {
        self.mangle_name(&mut parameter.name.id);
        transformer::walk_parameter(self, parameter);
    }

    fn visit_except_handler(&self, handler: &mut ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        if let Some(name) = &mut inner.name {
            self.mangle_name(&mut name.id);
        }
        transformer::walk_except_handler(self, handler);
    }
}
