//! Which names a program and its functions give values to.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, Identifier, Stmt, StmtFunctionDef};
use rustc_hash::FxHashSet;

/// Methods that change what they are called on.
const CHANGING: [&str; 9] = ["append", "insert", "extend", "remove", "pop", "clear", "sort", "reverse", "update"];

/// The variables of a function: parameters first.
pub(super) fn variables(function: &StmtFunctionDef) -> Vec<&str> {
    let mut names: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name().as_str()).collect();
    names.extend(bound(&function.body));
    let mut seen = FxHashSet::default();
    names.retain(|name| seen.insert(*name));
    names
}

/// The names that statements give values to, but for those inside of functions and classes.
pub(super) fn bound(body: &[Stmt]) -> Vec<&str> {
    struct Walk<'n>(Vec<&'n str>);
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::FunctionDef(function) => self.0.push(&function.name),
                Stmt::ClassDef(class) => self.0.push(&class.name),
                Stmt::Import(import) => {
                    for alias in &import.names {
                        let whole = alias.asname.as_ref().unwrap_or(&alias.name);
                        self.0.push(whole.split('.').next().unwrap_or_default());
                    }
                }
                Stmt::ImportFrom(import) => {
                    let names = import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name));
                    self.0.extend(names.map(Identifier::as_str));
                }
                _ => visitor::walk_stmt(self, statement),
            }
        }
        fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
            let ExceptHandler::ExceptHandler(caught) = handler;
            self.0.extend(caught.name.as_ref().map(Identifier::as_str));
            visitor::walk_except_handler(self, handler);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Name(name) if !name.ctx.is_load() => self.0.push(&name.id),
                // Variables of these are their own.
                Expr::Lambda(_) | Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {}
                _ => visitor::walk_expr(self, expression),
            }
        }
    }
    let mut walk = Walk(Vec::new());
    walk.visit_body(body);
    walk.0
}

/// Names that functions declare to be of the module or of a function around: who calls may change them. And attributes that are given
/// values.
pub(super) fn shared(body: &[Stmt]) -> [FxHashSet<&str>; 2] {
    struct Walk<'n>([FxHashSet<&'n str>; 2]);
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::Global(names) => self.0[0].extend(names.names.iter().map(Identifier::as_str)),
                Stmt::Nonlocal(names) => self.0[0].extend(names.names.iter().map(Identifier::as_str)),
                // `a.b += c` needs an attribute that is there.
                Stmt::AugAssign(assign) => return self.visit_expr(&assign.value),
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            if let Expr::Attribute(attribute) = expression
                && !attribute.ctx.is_load()
            {
                self.0[1].insert(&attribute.attr);
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Walk(Default::default());
    walk.visit_body(body);
    walk.0
}

/// Whether a function may change lists that it is called with.
pub(super) fn changes_parameters(function: &StmtFunctionDef) -> bool {
    struct Walk(bool);
    impl<'a> Visitor<'a> for Walk {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::AugAssign(_) | Stmt::Delete(_) => self.0 = true,
                Stmt::Assign(assign) => self.0 |= assign.targets.iter().any(Expr::is_subscript_expr),
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            if let Expr::Call(call) = expression
                && let Expr::Attribute(method) = &*call.func
            {
                self.0 |= CHANGING.contains(&method.attr.as_str());
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Walk(false);
    walk.visit_body(&function.body);
    walk.0
}
