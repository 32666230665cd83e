//! Constants that a branch assigns to the returned variable and that no later statement changes.

use std::rc::Rc;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt, StmtFunctionDef, StmtIf};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::number;

/// A `return` of a variable that branches set to constants.
pub(super) struct Constants {
    /// The position of the `return`.
    pub(super) at: TextRange,
    /// The constants that branches assign to the variable, with the positions of the assignments.
    pub(super) given: Rc<Numbers>,
}

/// Constants of a variable, with the positions of their assignments.
type Numbers = Vec<(f64, TextRange)>;

/// Finds every `return` of a variable that branches set to constants. If later branches may change the variable, the constants of earlier
/// ones are omitted: several conditions may hold together.
pub(super) fn constants(function: &StmtFunctionDef) -> Vec<Constants> {
    let mut returns = Returned::default();
    returns.visit_body(&function.body);
    let mut walk = Walk { names: returns.0, given: FxHashMap::default(), found: Vec::new() };
    walk.body(&function.body);
    walk.found
}

/// Returns the variable of a returned value: the value itself, the argument of `float`, or the first element of a pair with components.
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

/// The returned variables.
#[derive(Default)]
struct Returned<'n>(FxHashSet<&'n str>);

impl<'n> Visitor<'n> for Returned<'n> {
    fn visit_stmt(&mut self, statement: &'n Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::Return(returned) => self.0.extend(returned.value.as_deref().and_then(variable)),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'n Expr) {}
}

/// A single pass over a function for all of its returned variables.
struct Walk<'w> {
    /// The variables that are returned somewhere.
    names: FxHashSet<&'w str>,
    /// The constants that branches may have assigned to each variable at the current statement.
    given: FxHashMap<&'w str, Rc<Numbers>>,
    found: Vec<Constants>,
}

impl<'w> Walk<'w> {
    /// Visits statements in order; returns whether the end of the last one is reached.
    fn body(&mut self, body: &'w [Stmt]) -> bool {
        for statement in body {
            match statement {
                Stmt::Return(returned) => {
                    let given = returned.value.as_deref().and_then(variable).and_then(|name| self.given.get(name));
                    if let Some(given) = given.filter(|given| !given.is_empty()) {
                        self.found.push(Constants { at: returned.range, given: Rc::clone(given) });
                    }
                    return false;
                }
                Stmt::Raise(_) | Stmt::Break(_) | Stmt::Continue(_) => return false,
                Stmt::If(branch) => {
                    if !self.branches(statement, branch) {
                        return false;
                    }
                }
                _ => {
                    for name in given_in(statement) {
                        self.given.remove(name);
                    }
                    if let Some((name, number)) = constant(statement).filter(|(name, _)| self.names.contains(name)) {
                        self.given.insert(name, Rc::new(vec![(number, statement.range())]));
                    }
                }
            }
        }
        true
    }

    /// Visits the branches of an `if`: a variable that some branches assign has the constants of these branches, others keep theirs.
    fn branches(&mut self, statement: &'w Stmt, branch: &'w StmtIf) -> bool {
        let names: Vec<&str> = given_in(statement).into_iter().filter(|name| self.names.contains(name)).collect();
        let mut ends: FxHashMap<&str, Numbers> = FxHashMap::default();
        let mut reached = branch.elif_else_clauses.iter().all(|clause| clause.test.is_some());
        let bodies = std::iter::once(&branch.body).chain(branch.elif_else_clauses.iter().map(|clause| &clause.body));
        for body in bodies {
            for name in &names {
                self.given.remove(name);
            }
            if self.body(body) {
                reached = true;
                for &name in &names {
                    ends.entry(name)
                        .or_default()
                        .extend(self.given.get(name).into_iter().flat_map(|given| given.iter()));
                }
            }
        }
        for name in names {
            match ends.remove(name) {
                Some(end) => self.given.insert(name, Rc::new(end)),
                None => self.given.remove(name),
            };
        }
        reached
    }
}

/// Returns the target and the value of an assignment of a constant.
fn constant(statement: &Stmt) -> Option<(&str, f64)> {
    let (target, value) = match statement {
        Stmt::Assign(assign) => match &assign.targets[..] {
            [target] => (target, &*assign.value),
            _ => return None,
        },
        Stmt::AnnAssign(assign) => (&*assign.target, assign.value.as_deref()?),
        _ => return None,
    };
    Some((target.as_name_expr()?.id.as_str(), number(value)?))
}

/// Returns the variables that a statement may bind.
fn given_in(statement: &Stmt) -> FxHashSet<&str> {
    #[derive(Default)]
    struct Gives<'g>(FxHashSet<&'g str>);
    impl<'a> Visitor<'a> for Gives<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::Nonlocal(names) => self.0.extend(names.names.iter().map(ruff_python_ast::Identifier::as_str)),
                Stmt::Global(names) => self.0.extend(names.names.iter().map(ruff_python_ast::Identifier::as_str)),
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            if let Expr::Name(name) = expression
                && !name.ctx.is_load()
            {
                self.0.insert(&name.id);
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Gives::default();
    walk.visit_stmt(statement);
    walk.0
}
