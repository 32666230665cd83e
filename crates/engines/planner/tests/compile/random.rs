//! Random conditions, formulas, sequences and preferences over the world of a task.

use goalspec_core::condition::{
    Atom, Cardinality, ComparisonOperator, Condition, Expression, Origin, Scope, Term, Variable,
};
use goalspec_core::ids::{FunctionId, PredicateId, TypeId, VarId};
use goalspec_core::pattern::{Formula, Pattern, Phase};
use goalspec_core::planning::task::TrajectoryConstraint;
use goalspec_core::program::{Preference, Quantifier};
use goalspec_core::world::World;
use goalspec_testing::random;

/// A generator of conditions, patterns and preferences.
pub(crate) struct Random<'w> {
    world: &'w World,
    numbers: random::Random,
    /// The variables available to conditions.
    free: Vec<VarId>,
    scope: Scope,
}

impl<'w> Random<'w> {
    pub(crate) fn new(world: &'w World, seed: u64) -> Self {
        Self { world, numbers: random::Random::new(seed), free: Vec::new(), scope: Scope::default() }
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.numbers.below(end)
    }

    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn variable(&mut self) -> VarId {
        let types = vec![TypeId::from(self.below(self.world.types().len()))];
        let name = format!("?v{}", self.scope.variables.len()).into();
        self.scope.declare(Variable { name, types, origin: Origin::default() })
    }

    fn term(&mut self) -> Term {
        if !self.free.is_empty() && !self.one_in(3) {
            let at = self.below(self.free.len());
            return Term::Variable(self.free[at]);
        }
        let objects: Vec<_> = self.world.object_ids().collect();
        Term::Object(objects[self.below(objects.len())])
    }

    fn number(&mut self) -> Expression {
        let function = FunctionId::from(self.below(self.world.functions().len()));
        let arguments = self.world.function(function).parameters.iter().map(|_| self.term()).collect();
        let call = Expression::Call { function, arguments, origin: Origin::default() };
        if self.one_in(4) { Expression::Divide(Box::new([Expression::Number(2.0), call])) } else { call }
    }

    fn atom(&mut self) -> Condition {
        let predicate = PredicateId::from(self.below(self.world.predicates().len()));
        let arguments = self.world.predicate(predicate).parameters.iter().map(|_| self.term()).collect();
        Condition::Atom(Atom { predicate, arguments, origin: Origin::default() })
    }

    pub(crate) fn condition(&mut self, depth: usize) -> Condition {
        if depth == 0 || self.one_in(2) {
            return self.atom();
        }
        match self.below(9) {
            0 | 1 => Condition::Not(Box::new(self.condition(depth - 1))),
            2 => Condition::And((0..self.below(3)).map(|_| self.condition(depth - 1)).collect()),
            3 => Condition::Or((0..self.below(3)).map(|_| self.condition(depth - 1)).collect()),
            4 => Condition::FirstState,
            5 => Condition::LastState,
            6 => {
                let (left, right) = (self.number(), Expression::Number(self.below(3) as f64));
                let (sides, origin) = (Box::new([left, right]), Origin::default());
                Condition::Compare { comparison: ComparisonOperator::GreaterEqual, sides, origin }
            }
            7 => {
                let amount = Cardinality::Exactly(self.below(3) as u32);
                let (variables, body) = self.quantified(depth);
                Condition::Count(amount, variables, body)
            }
            _ => {
                let (variables, body) = self.quantified(depth);
                if self.one_in(2) { Condition::Exists(variables, body) } else { Condition::Forall(variables, body) }
            }
        }
    }

    fn quantified(&mut self, depth: usize) -> (Vec<VarId>, Box<Condition>) {
        let variable = self.variable();
        self.free.push(variable);
        let body = self.condition(depth - 1);
        self.free.pop();
        (vec![variable], Box::new(body))
    }

    fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            return Formula::Proposition(self.condition(1));
        }
        let part = |random: &mut Self| Box::new(random.formula(depth - 1));
        let parts = |random: &mut Self| (0..random.below(4)).map(|_| random.formula(depth - 1)).collect();
        match self.below(11) {
            0 => Formula::Proposition(self.condition(2)),
            1 => Formula::Not(part(self)),
            2 => Formula::And(parts(self)),
            3 => Formula::Or(parts(self)),
            4 => Formula::Next(part(self)),
            5 => Formula::WeakNext(part(self)),
            6 => Formula::Until(Box::new([self.formula(depth - 1), self.formula(depth - 1)])),
            7 => Formula::Release(Box::new([self.formula(depth - 1), self.formula(depth - 1)])),
            8 => Formula::Eventually(part(self)),
            9 => Formula::Always(part(self)),
            _ => Formula::Always(Box::new(Formula::Or(parts(self)))),
        }
    }

    fn phase(&mut self) -> Phase {
        let (condition, origin) = (self.condition(2), Origin::default());
        match self.below(3) {
            0 => {
                let measure = if self.one_in(3) { Some(self.number()) } else { None };
                Phase::Once { condition, measure, origin }
            }
            1 => Phase::Hold { condition, may_be_empty: self.one_in(2), origin },
            _ => {
                let events = (0..self.below(3)).map(|_| self.condition(1)).collect();
                Phase::HoldWhile { condition, events, origin }
            }
        }
    }

    fn pattern(&mut self) -> Pattern {
        match self.below(5) {
            0 => Pattern::AtEnd(self.condition(3)),
            1 | 2 => Pattern::Sequence((0..=self.below(3)).map(|_| self.phase()).collect()),
            _ => Pattern::Formula(self.formula(3)),
        }
    }

    /// Generates a constraint or a preference with at most one outer variable.
    pub(crate) fn requirement(&mut self, name: &str) -> TrajectoryConstraint {
        self.scope = Scope::default();
        self.free = (0..self.below(2)).map(|_| self.variable()).collect();
        let (external, pattern) = (self.free.clone(), self.pattern());
        let scope = std::mem::take(&mut self.scope);
        TrajectoryConstraint { name: name.into(), scope, external, pattern, origin: Origin::default() }
    }

    /// Generates a preference with at most two variables.
    pub(crate) fn preference(&mut self) -> Preference {
        self.scope = Scope::default();
        let external: Vec<VarId> = (0..self.below(2)).map(|_| self.variable()).collect();
        let inner: Vec<VarId> = (0..self.below(3 - external.len())).map(|_| self.variable()).collect();
        self.free = [&external[..], &inner[..]].concat();
        let are_different = self.one_in(2);
        let distinct = match self.free[..] {
            [left, right] if are_different => vec![(left, right)],
            _ => Vec::new(),
        };
        let quantifier = if self.one_in(2) { Quantifier::Exists } else { Quantifier::Forall };
        let pattern = self.pattern();
        let scope = std::mem::take(&mut self.scope);
        Preference {
            name: "wanted".into(),
            scope,
            external,
            inner,
            quantifier,
            distinct,
            pattern,
            origin: Origin::default(),
        }
    }
}
