//! Numbers that a branch gives to what is returned, and that nothing changes from there on.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt, StmtFunctionDef, StmtIf};
use ruff_text_size::{Ranged, TextRange};

use super::number;

/// Of so many variables that a function returns is told what they are given.
const MAX_NAMES: usize = 64;

/// A `return` of a variable.
pub(super) struct Constants {
    /// The statement.
    pub(super) at: TextRange,
    /// The numbers that the variable may be there because of a branch, and where it gets them.
    pub(super) given: Vec<(f64, TextRange)>,
}

/// Every `return` of a variable that branches give numbers. Where later branches may change it, the numbers of earlier ones are left out: the
/// conditions may go together.
pub(super) fn constants(function: &StmtFunctionDef) -> Vec<Constants> {
    let mut names: Vec<&str> = Vec::new();
    let mut returns = Returned(&mut names);
    returns.visit_body(&function.body);
    let mut found = Vec::new();
    // The function is gone through once for each.
    for name in names.into_iter().take(MAX_NAMES) {
        let mut walk = Walk { name, found: Vec::new() };
        walk.body(&function.body);
        found.extend(walk.found);
    }
    found.retain(|returned| !returned.given.is_empty());
    found
}

/// The variable that a `return` gives: itself, as a float, or beside components.
fn variable(value: &Expr) -> Option<&str> {
    match value {
        Expr::Name(name) => Some(&name.id),
        Expr::Tuple(pair) => pair.elts.first().and_then(variable),
        Expr::Call(call) => match (&*call.func, &call.arguments.args[..]) {
            (Expr::Name(float), [value]) if float.id.as_str() == "float" => variable(value),
            _ => None,
        },
        _ => None,
    }
}

/// The variables that are returned, once each.
struct Returned<'r, 'n>(&'r mut Vec<&'n str>);

impl<'n> Visitor<'n> for Returned<'_, 'n> {
    fn visit_stmt(&mut self, statement: &'n Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::Return(returned) => {
                let name = returned.value.as_deref().and_then(variable);
                self.0.extend(name.filter(|name| !self.0.contains(name)));
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'n Expr) {}
}

struct Walk<'w> {
    name: &'w str,
    found: Vec<Constants>,
}

impl Walk<'_> {
    /// The numbers that the variable may be behind some statements; `None` if their end is never reached.
    fn body(&mut self, body: &[Stmt]) -> Option<Vec<(f64, TextRange)>> {
        let mut given = Vec::new();
        for statement in body {
            match statement {
                Stmt::Return(returned) => {
                    if returned.value.as_deref().and_then(variable) == Some(self.name) {
                        self.found.push(Constants { at: returned.range, given });
                    }
                    return None;
                }
                Stmt::Raise(_) | Stmt::Break(_) | Stmt::Continue(_) => return None,
                Stmt::If(branch) if gives(self.name, statement) => given = self.branches(branch)?,
                Stmt::If(branch) => {
                    // What is returned inside is what it is here.
                    let before = self.found.len();
                    let ends = self.branches(branch);
                    self.found[before..].iter_mut().for_each(|inner| inner.given.clone_from(&given));
                    ends?;
                }
                _ => {
                    let number = constant(self.name, statement);
                    if let Some(number) = number {
                        given = vec![(number, statement.range())];
                    } else if gives(self.name, statement) {
                        given.clear();
                    }
                }
            }
        }
        Some(given)
    }

    fn branches(&mut self, branch: &StmtIf) -> Option<Vec<(f64, TextRange)>> {
        let mut ends = self.body(&branch.body);
        let mut otherwise = true;
        for clause in &branch.elif_else_clauses {
            otherwise &= clause.test.is_some();
            if let Some(end) = self.body(&clause.body) {
                ends.get_or_insert_default().extend(end);
            }
        }
        if otherwise { Some(ends.unwrap_or_default()) } else { ends }
    }
}

/// The number that a statement gives the variable.
fn constant(name: &str, statement: &Stmt) -> Option<f64> {
    let (target, value) = match statement {
        Stmt::Assign(assign) => match &assign.targets[..] {
            [target] => (target, &*assign.value),
            _ => return None,
        },
        Stmt::AnnAssign(assign) => (&*assign.target, assign.value.as_deref()?),
        _ => return None,
    };
    number(value).filter(|_| target.as_name_expr().is_some_and(|target| target.id.as_str() == name))
}

/// Whether a statement may give the variable a value, in whatever way.
fn gives(name: &str, statement: &Stmt) -> bool {
    struct Gives<'g>(&'g str, bool);
    impl<'a> Visitor<'a> for Gives<'_> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::Nonlocal(names) => self.1 |= names.names.iter().any(|name| name.as_str() == self.0),
                Stmt::Global(names) => self.1 |= names.names.iter().any(|name| name.as_str() == self.0),
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            self.1 |= matches!(expression, Expr::Name(name) if !name.ctx.is_load() && name.id.as_str() == self.0);
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Gives(name, false);
    walk.visit_stmt(statement);
    walk.1
}
