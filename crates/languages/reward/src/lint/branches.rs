//! Numbers that a branch gives to what is returned, and that nothing changes from there on.

use std::rc::Rc;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt, StmtFunctionDef, StmtIf};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::number;

/// A `return` of a variable.
pub(super) struct Constants {
    /// The statement.
    pub(super) at: TextRange,
    /// The numbers that the variable may be there because of a branch, and where it gets them.
    pub(super) given: Rc<Numbers>,
}

/// Numbers that a variable may be, and where it gets them.
type Numbers = Vec<(f64, TextRange)>;

/// Every `return` of a variable that branches give numbers. Where later branches may change it, the numbers of earlier ones are left out: the
/// conditions may go together.
pub(super) fn constants(function: &StmtFunctionDef) -> Vec<Constants> {
    let mut returns = Returned::default();
    returns.visit_body(&function.body);
    let mut walk = Walk { names: returns.0, given: FxHashMap::default(), found: Vec::new() };
    walk.body(&function.body);
    walk.found
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

/// The variables that are returned.
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

/// Goes through a function once, for all of its variables.
struct Walk<'w> {
    /// The variables that are returned somewhere.
    names: FxHashSet<&'w str>,
    /// The numbers that each of them may be here because of a branch.
    given: FxHashMap<&'w str, Rc<Numbers>>,
    found: Vec<Constants>,
}

impl<'w> Walk<'w> {
    /// Whether the end of some statements is reached.
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

    /// The same of branches: a variable that some of them give a value has what these give it, and others have what they had.
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

/// The variable that a statement gives a number, and the number.
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

/// The variables that a statement may give a value, in whatever way, once each.
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
