//! A walk over a program that records the roles of each name in each scope.

use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprContext, Identifier, ModModule, Parameters, Stmt, StmtClassDef,
    StmtFunctionDef,
};
use ruff_text_size::{Ranged, TextRange};

use super::{ITERATED, Mention, ScopeKind, Scopes};
use crate::codes;
use crate::parse::span;

pub(super) fn walk(module: &ModModule, source: &SourceFile, scopes: &mut Scopes) {
    let current = scopes.open(ScopeKind::Module, None, module.range);
    let mut walk = Walk { scopes, source, current, comprehensions: 0 };
    walk.visit_body(&module.body);
}

struct Walk<'w> {
    scopes: &'w mut Scopes,
    source: &'w SourceFile,
    current: usize,
    /// The number of open comprehensions within the function: `:=` in them binds variables of the function.
    comprehensions: usize,
}

impl Walk<'_> {
    fn mention(&mut self, scope: usize, name: &Name) -> &mut Mention {
        self.scopes.all[scope].mentions.entry(name.clone()).or_default()
    }

    fn binds(&mut self, name: &Name) {
        self.mention(self.current, name).bound = true;
    }

    fn inside(&mut self, kind: ScopeKind, range: TextRange, visit: impl FnOnce(&mut Self)) {
        let outer = (self.current, self.comprehensions);
        self.current = self.scopes.open(kind, Some(outer.0), range);
        self.comprehensions = 0;
        visit(self);
        (self.current, self.comprehensions) = outer;
    }

    /// Visits the defaults, which belong to the enclosing scope.
    fn defaults(&mut self, parameters: &Parameters) {
        for default in parameters.iter_non_variadic_params().filter_map(|parameter| parameter.default()) {
            self.visit_expr(default);
        }
    }

    fn parameters(&mut self, parameters: &Parameters) {
        for parameter in parameters {
            let name = parameter.name();
            let mention = self.mention(self.current, &name.id);
            let again = mention.parameter;
            (mention.bound, mention.parameter) = (true, true);
            if again {
                self.report(name.range(), format!("duplicate parameter `{name}`"));
            }
        }
    }

    fn report(&mut self, range: TextRange, message: String) {
        self.scopes.diagnostics.push(Diagnostic::error(codes::SCOPE, span(self.source, range), message));
    }

    fn function(&mut self, function: &StmtFunctionDef) {
        for decorator in &function.decorator_list {
            self.visit_expr(&decorator.expression);
        }
        self.defaults(&function.parameters);
        self.binds(&function.name.id);
        self.inside(ScopeKind::Function, function.range, |walk| {
            walk.parameters(&function.parameters);
            walk.visit_body(&function.body);
        });
    }

    fn class(&mut self, class: &StmtClassDef) {
        for decorator in &class.decorator_list {
            self.visit_expr(&decorator.expression);
        }
        if let Some(arguments) = &class.arguments {
            self.visit_arguments(arguments);
        }
        self.binds(&class.name.id);
        self.inside(ScopeKind::Class, class.range, |walk| walk.visit_body(&class.body));
    }

    fn comprehension(&mut self, range: TextRange, generators: &[Comprehension], parts: &[&Expr]) {
        let Some(first) = generators.first() else { return };
        self.visit_expr(&first.iter);
        let open = self.comprehensions;
        self.inside(ScopeKind::Function, range, |walk| {
            walk.comprehensions = open + 1;
            let iterated = walk.mention(walk.current, &Name::new_static(ITERATED));
            (iterated.bound, iterated.parameter) = (true, true);
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
    fn named(&mut self, name: &Name) {
        let mut scope = self.current;
        for _ in 0..self.comprehensions {
            // The comprehension sees it as a variable of the enclosing function.
            self.mention(scope, name);
            let Some(parent) = self.scopes.all[scope].parent else { return };
            scope = parent;
        }
        self.mention(scope, name).bound = true;
    }

    fn declare(&mut self, names: &[Identifier], global: bool) {
        for name in names {
            let is_used = self.scopes.all[self.current].mentions.contains_key(&name.id);
            let mention = self.mention(self.current, &name.id);
            let word = if global { "global" } else { "nonlocal" };
            let other = if global { mention.nonlocal } else { mention.global };
            let message = if mention.parameter {
                Some(format!("`{name}` is a parameter and {word}"))
            } else if mention.bound {
                Some(format!("`{name}` is assigned before its {word} declaration"))
            } else if is_used && mention.global.is_none() && mention.nonlocal.is_none() {
                Some(format!("`{name}` is used before its {word} declaration"))
            } else {
                other.map(|_| format!("`{name}` is both nonlocal and global"))
            };
            *(if global { &mut mention.global } else { &mut mention.nonlocal }) = Some(name.range);
            if let Some(message) = message {
                self.report(name.range, message);
            }
        }
    }
}

impl<'a> Visitor<'a> for Walk<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::Global(global) => self.declare(&global.names, true),
            Stmt::Nonlocal(nonlocal) => self.declare(&nonlocal.names, false),
            Stmt::Import(import) => {
                for alias in &import.names {
                    // `import a.b` binds `a`.
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.binds(&Name::new(name.as_str().split('.').next().unwrap_or_default()));
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in import.names.iter().filter(|alias| alias.name.as_str() != "*") {
                    self.binds(&alias.asname.as_ref().unwrap_or(&alias.name).id);
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
            self.binds(&name.id);
        }
        visitor::walk_except_handler(self, handler);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) if name.ctx == ExprContext::Load => {
                self.mention(self.current, &name.id);
            }
            Expr::Name(name) => self.binds(&name.id),
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.defaults(parameters);
                }
                self.inside(ScopeKind::Function, lambda.range, |walk| {
                    if let Some(parameters) = &lambda.parameters {
                        walk.parameters(parameters);
                    }
                    walk.visit_expr(&lambda.body);
                });
            }
            Expr::ListComp(comp) => self.comprehension(comp.range, &comp.generators, &[&comp.elt]),
            Expr::SetComp(comp) => self.comprehension(comp.range, &comp.generators, &[&comp.elt]),
            Expr::Generator(comp) => self.comprehension(comp.range, &comp.generators, &[&comp.elt]),
            Expr::DictComp(comp) => {
                let parts: Vec<&Expr> = comp.key.as_deref().into_iter().chain([&*comp.value]).collect();
                self.comprehension(comp.range, &comp.generators, &parts);
            }
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    self.named(&name.id);
                }
                self.visit_expr(&named.value);
            }
            _ => visitor::walk_expr(self, expression),
        }
    }
}
