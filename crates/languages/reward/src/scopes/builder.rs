//! A walk over a program that records the roles of each name in each scope.

use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprContext, Identifier, ModModule, Parameters, Pattern, Stmt, StmtClassDef,
    StmtFunctionDef,
};
use ruff_text_size::{Ranged, TextRange};

use super::{ITERATOR_PARAMETER, NameRoles, ScopeKind, Scopes, registered_annotation};
use crate::codes;
use crate::parse::span;
use crate::patterns;

pub(super) fn build_scopes(module: &ModModule, source: &SourceFile, scopes: &mut Scopes) {
    let current = scopes.push_scope(ScopeKind::Module, None, module.range);
    let mut walk = ScopeBuilder { scopes, source, current, comprehension_depth: 0, comprehension_kind: None };
    walk.visit_body(&module.body);
}

struct ScopeBuilder<'w> {
    scopes: &'w mut Scopes,
    source: &'w SourceFile,
    current: usize,
    /// The number of open comprehensions within the function: `:=` in them binds variables of the function.
    comprehension_depth: usize,
    /// The kind of the innermost comprehension around the current expression within the function.
    comprehension_kind: Option<&'static str>,
}

impl ScopeBuilder<'_> {
    fn name_roles(&mut self, scope: usize, name: &Name) -> &mut NameRoles {
        self.scopes.list[scope].names.entry(name.clone()).or_default()
    }

    fn bind(&mut self, name: &Name) {
        self.name_roles(self.current, name).is_bound = true;
    }

    fn visit_scope(&mut self, kind: ScopeKind, range: TextRange, visit: impl FnOnce(&mut Self)) {
        let outer = (self.current, self.comprehension_depth, self.comprehension_kind);
        self.current = self.scopes.push_scope(kind, Some(outer.0), range);
        (self.comprehension_depth, self.comprehension_kind) = (0, None);
        visit(self);
        (self.current, self.comprehension_depth, self.comprehension_kind) = outer;
    }

    /// Visits the defaults, which belong to the enclosing scope.
    fn visit_defaults(&mut self, parameters: &Parameters) {
        for default in parameters.iter_non_variadic_params().filter_map(|parameter| parameter.default()) {
            self.visit_expr(default);
        }
    }

    fn bind_parameters(&mut self, parameters: &Parameters) {
        for parameter in parameters {
            let name = parameter.name();
            let mention = self.name_roles(self.current, &name.id);
            let again = mention.is_parameter;
            (mention.is_bound, mention.is_parameter) = (true, true);
            if again {
                self.report(name.range(), format!("duplicate parameter `{name}`"));
            }
        }
    }

    /// Records that the current function contains `yield`; reports it outside of functions and in comprehensions.
    fn record_yield(&mut self, range: TextRange) {
        let scope = &mut self.scopes.list[self.current];
        let message = if scope.kind != ScopeKind::Function {
            "'yield' outside function"
        } else if let Some(construct) = self.comprehension_kind {
            return self.report_syntax(range, format!("'yield' inside {construct}"));
        } else {
            scope.is_generator = true;
            return;
        };
        self.report_syntax(range, message.to_owned());
    }

    fn report_syntax(&mut self, range: TextRange, message: String) {
        self.scopes.diagnostics.push(Diagnostic::error(codes::SYNTAX, span(self.source, range), message));
    }

    fn report(&mut self, range: TextRange, message: String) {
        self.scopes.diagnostics.push(Diagnostic::error(codes::SCOPE, span(self.source, range), message));
    }

    fn visit_function(&mut self, function: &StmtFunctionDef) {
        for decorator in &function.decorator_list {
            self.visit_expr(&decorator.expression);
        }
        self.visit_defaults(&function.parameters);
        // The annotations of the functions that `singledispatch` registers are evaluated.
        if let Some((_, annotation)) = registered_annotation(function) {
            self.visit_expr(annotation);
        }
        self.bind(&function.name.id);
        self.visit_scope(ScopeKind::Function, function.range, |walk| {
            walk.bind_parameters(&function.parameters);
            walk.visit_body(&function.body);
        });
    }

    fn visit_class(&mut self, class: &StmtClassDef) {
        for decorator in &class.decorator_list {
            self.visit_expr(&decorator.expression);
        }
        if let Some(arguments) = &class.arguments {
            self.visit_arguments(arguments);
        }
        self.bind(&class.name.id);
        self.visit_scope(ScopeKind::Class, class.range, |walk| walk.visit_body(&class.body));
    }

    fn visit_comprehension(
        &mut self,
        kind: &'static str,
        range: TextRange,
        generators: &[Comprehension],
        parts: &[&Expr],
    ) {
        let Some(first) = generators.first() else { return };
        self.visit_expr(&first.iter);
        let open = self.comprehension_depth;
        self.visit_scope(ScopeKind::Function, range, |walk| {
            (walk.comprehension_depth, walk.comprehension_kind) = (open + 1, Some(kind));
            let iterated = walk.name_roles(walk.current, &Name::new_static(ITERATOR_PARAMETER));
            (iterated.is_bound, iterated.is_parameter) = (true, true);
            for (place, generator) in generators.iter().enumerate() {
                if place > 0 {
                    walk.visit_expr(&generator.iter);
                }
                walk.visit_expr(&generator.target);
                generator.ifs.iter().for_each(|condition| walk.visit_expr(condition));
            }
            for part in parts {
                walk.visit_expr(part);
            }
        });
    }

    /// Binds the target of `:=`, which is a variable of the function around all open comprehensions.
    fn bind_walrus_target(&mut self, name: &Name) {
        let mut scope = self.current;
        for _ in 0..self.comprehension_depth {
            // The comprehension sees it as a variable of the enclosing function.
            self.name_roles(scope, name);
            let Some(parent) = self.scopes.list[scope].parent else { return };
            scope = parent;
        }
        self.name_roles(scope, name).is_bound = true;
    }

    fn declare(&mut self, names: &[Identifier], global: bool) {
        for name in names {
            let is_used = self.scopes.list[self.current].names.contains_key(&name.id);
            let mention = self.name_roles(self.current, &name.id);
            let word = if global { "global" } else { "nonlocal" };
            let other = if global { mention.nonlocal_declaration } else { mention.global_declaration };
            let message = if mention.is_parameter {
                Some(format!("`{name}` is a parameter and {word}"))
            } else if mention.is_bound {
                Some(format!("`{name}` is assigned before its {word} declaration"))
            } else if is_used && mention.global_declaration.is_none() && mention.nonlocal_declaration.is_none() {
                Some(format!("`{name}` is used before its {word} declaration"))
            } else {
                other.map(|_| format!("`{name}` is both nonlocal and global"))
            };
            *(if global { &mut mention.global_declaration } else { &mut mention.nonlocal_declaration }) =
                Some(name.range);
            if let Some(message) = message {
                self.report(name.range, message);
            }
        }
    }
}

impl<'a> Visitor<'a> for ScopeBuilder<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.visit_function(function),
            Stmt::ClassDef(class) => self.visit_class(class),
            Stmt::Global(global) => self.declare(&global.names, true),
            Stmt::Nonlocal(nonlocal) => self.declare(&nonlocal.names, false),
            Stmt::Import(import) => {
                for alias in &import.names {
                    // `import a.b` binds `a`.
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.bind(&Name::new(name.as_str().split('.').next().unwrap_or_default()));
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in import.names.iter().filter(|alias| alias.name.as_str() != "*") {
                    self.bind(&alias.asname.as_ref().unwrap_or(&alias.name).id);
                }
            }
            // Annotations are not evaluated.
            Stmt::AnnAssign(assign) => {
                self.visit_expr(&assign.target);
                if let Some(value) = &assign.value {
                    self.visit_expr(value);
                }
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(except) = handler;
        if let Some(name) = &except.name {
            self.bind(&name.id);
        }
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let Some(name) = patterns::bound_name(pattern) {
            self.bind(&name.id);
        }
        visitor::walk_pattern(self, pattern);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Yield(_) | Expr::YieldFrom(_) => {
                self.record_yield(expression.range());
                visitor::walk_expr(self, expression);
            }
            Expr::Name(name) if name.ctx == ExprContext::Load => {
                self.name_roles(self.current, &name.id);
            }
            Expr::Name(name) => self.bind(&name.id),
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.visit_defaults(parameters);
                }
                self.visit_scope(ScopeKind::Function, lambda.range, |walk| {
                    if let Some(parameters) = &lambda.parameters {
                        walk.bind_parameters(parameters);
                    }
                    walk.visit_expr(&lambda.body);
                });
            }
            Expr::ListComp(comp) => {
                self.visit_comprehension("list comprehension", comp.range, &comp.generators, &[&comp.elt]);
            }
            Expr::SetComp(comp) => {
                self.visit_comprehension("set comprehension", comp.range, &comp.generators, &[&comp.elt]);
            }
            Expr::Generator(comp) => {
                self.visit_comprehension("generator expression", comp.range, &comp.generators, &[&comp.elt]);
            }
            Expr::DictComp(comp) => {
                let parts: Vec<&Expr> = comp.key.as_deref().into_iter().chain([&*comp.value]).collect();
                self.visit_comprehension("dict comprehension", comp.range, &comp.generators, &parts);
            }
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    self.bind_walrus_target(&name.id);
                }
                self.visit_expr(&named.value);
            }
            _ => visitor::walk_expr(self, expression),
        }
    }
}
