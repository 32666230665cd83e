//! Lowering of problems to the core: a world with the objects, the initial state, and the goal.
//!
//! The world has a type for each category, directly below `object`, so a quantifier ranges over exactly the instances of its
//! category. All predicates are stored. Names of the world that could clash with names of the problem have a capital letter,
//! which no name of the language has.

use std::sync::Arc;

use goalspec_core::condition::{self, Cardinality, Condition, PairingRule, Scope, Term};
use goalspec_core::ids::VarId;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::FactChange;
use goalspec_core::world::World;
use goalspec_core::world::build;

use crate::Dialect;
use crate::ast::{Atom, Domain, Expr, ExprKind, Name, Problem, Variable};
use crate::dialect::{Counting, Pairing};
use crate::ground::{GroundError, GroundErrorKind, MAX_DEPTH};
use crate::vocabulary::Vocabulary;

/// A problem in terms of the core.
#[derive(Debug, Clone)]
pub struct LoweredProblem {
    /// The world: objects, rooms and predicates.
    pub world: World,
    /// The goal; its conjuncts correspond to those of [`Problem::goal`].
    pub goal: Goal,
    /// The facts of `(:init ..)`, one for each literal; the last of several with the same atom applies.
    pub initial: Vec<FactChange>,
}

/// An error that prevents lowering of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LowerError {
    /// A name is unresolved, or the goal is nested too deeply.
    Ground(GroundError),
    /// The objects or predicates do not form a valid world.
    World(Vec<build::WorldError>),
}

impl std::fmt::Display for LowerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ground(error) => error.fmt(f),
            Self::World(problems) => {
                let problems: Vec<_> = problems.iter().map(|problem| problem.kind.to_string()).collect();
                f.write_str(&problems.join("; "))
            }
        }
    }
}

impl std::error::Error for LowerError {}

impl From<GroundError> for LowerError {
    fn from(error: GroundError) -> Self {
        Self::Ground(error)
    }
}

/// Lowers a problem. The predicates are those of the domain, if there is one, and those that the problem uses.
///
/// # Errors
/// The first unresolved name in source order, or the errors of building the world. For a problem that was parsed without
/// errors, lowering can fail only because of its size.
pub fn lower(problem: &Problem, domain: Option<&Domain>, dialect: Dialect) -> Result<LoweredProblem, LowerError> {
    let mut vocabulary = Vocabulary::new(problem, domain);
    let (goal, initial) = conditions(problem, dialect, &mut vocabulary)?;
    let world = vocabulary.finish().map_err(LowerError::World)?;
    Ok(LoweredProblem { world, goal, initial })
}

/// Lowers the goal of a problem, and the facts of `(:init ..)`, one for each literal.
pub(crate) fn conditions(
    problem: &Problem,
    dialect: Dialect,
    vocabulary: &mut Vocabulary,
) -> Result<(Goal, Vec<FactChange>), GroundError> {
    let initial = problem.init.iter().map(|literal| {
        let arguments = literal.atom.arguments.iter().map(|name| vocabulary.object(name));
        let arguments = arguments.collect::<Result<_, _>>()?;
        let predicate = vocabulary.predicate(&literal.atom);
        Ok(FactChange { predicate, arguments, holds: literal.positive })
    });
    let initial = initial.collect::<Result<Vec<_>, GroundError>>()?;
    let mut lowerer = Lowerer { vocabulary, dialect, scope: Scope::default(), visible: Vec::new(), depth: 0 };
    let conjuncts = problem.goal.iter().map(|expr| {
        let condition = lowerer.condition(expr)?;
        Ok(Conjunct { condition, origin: expr.origin.into() })
    });
    let conjuncts = conjuncts.collect::<Result<_, GroundError>>()?;
    Ok((Goal { name: problem.name.text.clone(), scope: lowerer.scope, conjuncts }, initial))
}

/// The state of lowering one goal.
struct Lowerer<'v, 'b> {
    vocabulary: &'v mut Vocabulary,
    dialect: Dialect,
    scope: Scope,
    /// The variables in scope, innermost last.
    visible: Vec<(&'b str, VarId)>,
    depth: usize,
}

impl<'b> Lowerer<'_, 'b> {
    fn condition(&mut self, expr: &'b Expr) -> Result<Condition, GroundError> {
        if self.depth >= MAX_DEPTH {
            return Err(GroundError { kind: GroundErrorKind::TooDeep, origin: expr.origin });
        }
        self.depth += 1;
        let condition = match &expr.kind {
            ExprKind::Atom(atom) => Condition::Atom(self.atom(atom)?),
            ExprKind::Not(part) => Condition::Not(Box::new(self.condition(part)?)),
            ExprKind::And(parts) => Condition::And(self.conditions(parts)?),
            ExprKind::Or(parts) => Condition::Or(self.conditions(parts)?),
            ExprKind::Imply(parts) => {
                Condition::Imply(Box::new([self.condition(&parts[0])?, self.condition(&parts[1])?]))
            }
            ExprKind::Forall(variable, body) => {
                let ([id], body) = self.quantified([variable], body)?;
                Condition::Forall(vec![id], body)
            }
            ExprKind::Exists(variable, body) => {
                let ([id], body) = self.quantified([variable], body)?;
                Condition::Exists(vec![id], body)
            }
            ExprKind::ForN { amount, variable, body } => {
                let ([id], body) = self.quantified([variable], body)?;
                let amount = match self.dialect.counting {
                    Counting::Exactly => Cardinality::Exactly(*amount),
                    Counting::AtLeast => Cardinality::AtLeast(*amount),
                };
                Condition::Count(amount, vec![id], body)
            }
            ExprKind::ForPairs { amount, left, right, body } => {
                let ([left, right], body) = self.quantified([left, right], body)?;
                let rule = match self.dialect.pairing {
                    Pairing::Covering => PairingRule::Covering,
                    Pairing::Matching => PairingRule::Matching,
                };
                Condition::Pairing { rule, amount: *amount, left, right, body }
            }
        };
        self.depth -= 1;
        Ok(condition)
    }

    fn conditions(&mut self, parts: &'b [Expr]) -> Result<Vec<Condition>, GroundError> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    fn quantified<const N: usize>(
        &mut self,
        variables: [&'b Variable; N],
        body: &'b Expr,
    ) -> Result<([VarId; N], Box<Condition>), GroundError> {
        let outside = self.visible.len();
        let mut ids = [VarId(0); N];
        for (id, variable) in ids.iter_mut().zip(variables) {
            let category = self.vocabulary.category(&variable.category)?;
            let name = Arc::from(format!("?{}", variable.name.text));
            *id = self.scope.declare(condition::Variable {
                name,
                types: vec![category],
                origin: variable.name.origin.into(),
            });
            self.visible.push((&variable.name.text, *id));
        }
        let body = self.condition(body)?;
        self.visible.truncate(outside);
        Ok((ids, Box::new(body)))
    }

    fn atom(&mut self, atom: &Atom) -> Result<condition::Atom, GroundError> {
        let arguments = atom.arguments.iter().map(|name| self.term(name)).collect::<Result<_, _>>()?;
        Ok(condition::Atom { predicate: self.vocabulary.predicate(atom), arguments, origin: atom.origin.into() })
    }

    /// Resolves a name to a variable in scope, or else to an instance.
    fn term(&self, name: &Name) -> Result<Term, GroundError> {
        match self.visible.iter().rev().find(|(variable, _)| **variable == *name.text) {
            Some(&(_, id)) => Ok(Term::Variable(id)),
            None => Ok(Term::Object(self.vocabulary.object(name)?)),
        }
    }
}
