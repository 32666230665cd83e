//! Constants that a branch assigns to the returned variable and that no later statement changes.

use std::rc::Rc;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Pattern, Stmt, StmtFunctionDef, StmtIf};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::numeric_literal;
use crate::patterns;

/// A `return` of a variable that branches set to constants.
pub(super) struct ConstantReturn {
    /// The position of the `return`.
    pub(super) range: TextRange,
    /// The constants that branches assign to the variable, with the positions of the assignments.
    pub(super) constants: Rc<AssignedConstants>,
}

/// Constants of a variable, with the positions of their assignments.
type AssignedConstants = Vec<(f64, TextRange)>;

/// Finds every `return` of a variable that branches set to constants. If later branches may change the variable, the constants of earlier
/// ones are omitted: several conditions may hold together.
pub(super) fn constant_returns(function: &StmtFunctionDef) -> Vec<ConstantReturn> {
    let mut returns = ReturnedVariables::default();
    returns.visit_body(&function.body);
    let mut walk =
        ConstantPropagation { returned_variables: returns.0, constants: FxHashMap::default(), returns: Vec::new() };
    walk.visit_block(&function.body);
    walk.returns
}

/// Returns the variable of a returned value: the value itself, the argument of `float`, or the first element of a pair with components.
fn returned_variable(value: &Expr) -> Option<&str> {
    match value {
        Expr::Name(name) => Some(&name.id),
        Expr::Tuple(pair) => pair.elts.first().and_then(returned_variable),
        Expr::Call(call) => match (&*call.func, &call.arguments.args[..]) {
            (Expr::Name(float), [value]) if float.id.as_str() == "float" => returned_variable(value),
            _ => None,
        },
        _ => None,
    }
}

/// The returned variables.
#[derive(Default)]
struct ReturnedVariables<'n>(FxHashSet<&'n str>);

impl<'n> Visitor<'n> for ReturnedVariables<'n> {
    fn visit_stmt(&mut self, statement: &'n Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::Return(returned) => self.0.extend(returned.value.as_deref().and_then(returned_variable)),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'n Expr) {}
}

/// A single pass over a function for all of its returned variables.
struct ConstantPropagation<'w> {
    /// The variables that are returned somewhere.
    returned_variables: FxHashSet<&'w str>,
    /// The constants that branches may have assigned to each variable at the current statement.
    constants: FxHashMap<&'w str, Rc<AssignedConstants>>,
    returns: Vec<ConstantReturn>,
}

impl<'w> ConstantPropagation<'w> {
    /// Visits statements in order; returns whether the end of the last one is reached.
    fn visit_block(&mut self, body: &'w [Stmt]) -> bool {
        for statement in body {
            match statement {
                Stmt::Return(returned) => {
                    let constants =
                        returned.value.as_deref().and_then(returned_variable).and_then(|name| self.constants.get(name));
                    if let Some(constants) = constants.filter(|constants| !constants.is_empty()) {
                        self.returns.push(ConstantReturn { range: returned.range, constants: Rc::clone(constants) });
                    }
                    return false;
                }
                Stmt::Raise(_) | Stmt::Break(_) | Stmt::Continue(_) => return false,
                Stmt::If(branch) => {
                    if !self.visit_if(statement, branch) {
                        return false;
                    }
                }
                _ => {
                    for name in bound_variables(statement) {
                        self.constants.remove(name);
                    }
                    if let Some((name, number)) =
                        constant_assignment(statement).filter(|(name, _)| self.returned_variables.contains(name))
                    {
                        self.constants.insert(name, Rc::new(vec![(number, statement.range())]));
                    }
                }
            }
        }
        true
    }

    /// Visits the branches of an `if`: a variable that some branches assign has the constants of these branches, others keep theirs.
    fn visit_if(&mut self, statement: &'w Stmt, branch: &'w StmtIf) -> bool {
        let names: Vec<&str> =
            bound_variables(statement).into_iter().filter(|name| self.returned_variables.contains(name)).collect();
        let mut ends: FxHashMap<&str, AssignedConstants> = FxHashMap::default();
        let mut reached = branch.elif_else_clauses.iter().all(|clause| clause.test.is_some());
        let bodies = std::iter::once(&branch.body).chain(branch.elif_else_clauses.iter().map(|clause| &clause.body));
        for body in bodies {
            for name in &names {
                self.constants.remove(name);
            }
            if self.visit_block(body) {
                reached = true;
                for &name in &names {
                    ends.entry(name)
                        .or_default()
                        .extend(self.constants.get(name).into_iter().flat_map(|constants| constants.iter()));
                }
            }
        }
        for name in names {
            match ends.remove(name) {
                Some(end) => self.constants.insert(name, Rc::new(end)),
                None => self.constants.remove(name),
            };
        }
        reached
    }
}

/// Returns the target and the value of an assignment of a constant.
fn constant_assignment(statement: &Stmt) -> Option<(&str, f64)> {
    let (target, value) = match statement {
        Stmt::Assign(assign) => match &assign.targets[..] {
            [target] => (target, &*assign.value),
            _ => return None,
        },
        Stmt::AnnAssign(assign) => (&*assign.target, assign.value.as_deref()?),
        _ => return None,
    };
    Some((target.as_name_expr()?.id.as_str(), numeric_literal(value)?))
}

/// Returns the variables that a statement may bind.
fn bound_variables(statement: &Stmt) -> FxHashSet<&str> {
    #[derive(Default)]
    struct BoundVariables<'g>(FxHashSet<&'g str>);
    impl<'a> Visitor<'a> for BoundVariables<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::Nonlocal(names) => self.0.extend(names.names.iter().map(ruff_python_ast::Identifier::as_str)),
                Stmt::Global(names) => self.0.extend(names.names.iter().map(ruff_python_ast::Identifier::as_str)),
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_pattern(&mut self, pattern: &'a Pattern) {
            self.0.extend(patterns::bound_name(pattern).map(ruff_python_ast::Identifier::as_str));
            visitor::walk_pattern(self, pattern);
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
    let mut walk = BoundVariables::default();
    walk.visit_stmt(statement);
    walk.0
}
