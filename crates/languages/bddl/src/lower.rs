//! From a problem to the core: a world of its objects, the state that it begins in, and its goal.
//!
//! The world has a type for each category, under `object`; they have no subtypes, so a quantifier ranges over exactly the
//! instances of its category. All predicates are stored. Where names of the world could be mistaken for names of the problem,
//! they have a capital letter, which no name of the language has.

use std::sync::Arc;

use goalspec_core::condition::{self, Amount, Condition, PairingRule, Scope, Term};
use goalspec_core::ids::VarId;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::FactChange;
use goalspec_core::world::World;
use goalspec_core::world::build;

use crate::Dialect;
use crate::ast::{Atom, Domain, Expr, ExprKind, Name, Problem, Variable};
use crate::dialect::{Counting, Pairing};
use crate::ground::{GroundError, GroundErrorKind, MAX_DEPTH};
use crate::world::Vocabulary;

/// A problem in terms of the core.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The objects, rooms and predicates.
    pub world: World,
    /// What is to hold, its conjuncts as in [`Problem::goal`].
    pub goal: Goal,
    /// What `(:init ..)` says, literal by literal; of two about one atom the later one counts.
    pub initial: Vec<FactChange>,
}

/// Why a problem has no meaning in terms of the core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LowerError {
    /// A name of nothing, or too deep a nesting.
    Name(GroundError),
    /// Names or numbers of objects that no world can have.
    World(Vec<build::Problem>),
}

impl std::fmt::Display for LowerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
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
        Self::Name(error)
    }
}

/// Lowers a problem; the predicates are those of the domain, if there is one, and those that the problem uses.
///
/// # Errors
/// The first unknown name in the order of the text, or what keeps the world from being built. A problem that was read without
/// errors has none, except for its size.
pub fn lower(problem: &Problem, domain: Option<&Domain>, dialect: Dialect) -> Result<Lowered, LowerError> {
    let mut vocabulary = Vocabulary::new(problem, domain);
    let (goal, initial) = conditions(problem, dialect, &mut vocabulary)?;
    let world = vocabulary.finish().map_err(LowerError::World)?;
    Ok(Lowered { world, goal, initial })
}

/// The goal of a problem, and what `(:init ..)` says, literal by literal.
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
        Ok(Conjunct { condition, origin: expr.origin })
    });
    let conjuncts = conjuncts.collect::<Result<_, GroundError>>()?;
    Ok((Goal { name: problem.name.text.clone(), scope: lowerer.scope, conjuncts }, initial))
}

/// A goal that is being lowered.
struct Lowerer<'v, 'b> {
    vocabulary: &'v mut Vocabulary,
    dialect: Dialect,
    scope: Scope,
    /// The variables around, innermost last.
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
                    Counting::Exactly => Amount::Exactly(*amount),
                    Counting::AtLeast => Amount::AtLeast(*amount),
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
            *id = self.scope.declare(condition::Variable { name, types: vec![category], origin: variable.name.origin });
            self.visible.push((&variable.name.text, *id));
        }
        let body = self.condition(body)?;
        self.visible.truncate(outside);
        Ok((ids, Box::new(body)))
    }

    fn atom(&mut self, atom: &Atom) -> Result<condition::Atom, GroundError> {
        let arguments = atom.arguments.iter().map(|name| self.term(name)).collect::<Result<_, _>>()?;
        Ok(condition::Atom { predicate: self.vocabulary.predicate(atom), arguments, origin: atom.origin })
    }

    /// A variable if there is one of this name around, else an instance.
    fn term(&self, name: &Name) -> Result<Term, GroundError> {
        match self.visible.iter().rev().find(|(variable, _)| **variable == *name.text) {
            Some(&(_, id)) => Ok(Term::Variable(id)),
            None => Ok(Term::Object(self.vocabulary.object(name)?)),
        }
    }
}
