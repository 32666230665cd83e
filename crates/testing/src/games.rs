//! A generator of games and goals: every construct of the core, well formed, and small enough for the interpreter.

use std::sync::Arc;

use goalspec_core::condition::{
    Atom, Cardinality, ComparisonOperator, Condition, Expression, Origin, PairingRule, Scope, Term, Terms, Variable,
};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, PreferenceId, TypeId, VarId};
use goalspec_core::pattern::{Formula, Pattern, Phase};
use goalspec_core::program::{
    Conjunct, CountOperator, Game, Goal, Preference, Quantifier, ScopedSetup, ScoreExpression, Setup, TerminalCondition,
};
use goalspec_core::world::World;
use goalspec_core::world::vocabulary::Parameter;

use crate::choices::Choices;

/// Maximum nesting depth of conditions.
const DEPTH: usize = 4;

/// Maximum nesting depth of setups.
const SETUP_DEPTH: usize = 5;

/// The number of visible variables at which a setup contains no further quantifiers.
const MAX_SETUP_VARIABLES: usize = 3;

const COMPARISONS: [ComparisonOperator; 5] = [
    ComparisonOperator::Less,
    ComparisonOperator::LessEqual,
    ComparisonOperator::Equal,
    ComparisonOperator::GreaterEqual,
    ComparisonOperator::Greater,
];

/// Generates a game in the world.
pub fn game(choices: &mut Choices<'_>, world: &World) -> Game {
    let count = 1 + choices.below(3);
    let preferences: Vec<_> = (0..count).map(|index| preference(choices, world, index)).collect();
    let setup = choices.one_in(3).then(|| {
        let mut writer =
            ConditionGenerator { choices: &mut *choices, world, scope: Scope::default(), visible: Vec::new() };
        let setup = writer.setup(SETUP_DEPTH);
        ScopedSetup { scope: writer.scope, setup }
    });
    let mut scorer = ScoreGenerator { choices, world, preferences: &preferences };
    let score = scorer.score(3);
    let terminal = scorer.choices.one_in(3).then(|| scorer.terminal(2));
    let preferences = preferences.into_iter().map(Arc::new).collect();
    Game { name: Arc::from("generated"), setup, preferences, terminal, score }
}

/// Generates a goal in the world.
pub fn goal(choices: &mut Choices<'_>, world: &World) -> Goal {
    let count = choices.below(5);
    let mut writer = ConditionGenerator { choices, world, scope: Scope::default(), visible: Vec::new() };
    let mut conjunct = || {
        let condition = match writer.choices.below(3) {
            0 => writer.condition(DEPTH),
            kind => {
                let quantifier = writer.choices.below(5);
                let condition = writer.quantified(quantifier, DEPTH - kind);
                if writer.choices.one_in(4) { Condition::Not(Box::new(condition)) } else { condition }
            }
        };
        Conjunct { condition, origin: Origin::default() }
    };
    let conjuncts = (0..count).map(|_| conjunct()).collect();
    Goal { name: Arc::from("generated"), scope: writer.scope, conjuncts }
}

fn preference(choices: &mut Choices<'_>, world: &World, index: usize) -> Preference {
    let mut writer = ConditionGenerator { choices, world, scope: Scope::default(), visible: Vec::new() };
    let external: Vec<_> = (0..writer.choices.below(3)).map(|_| writer.declare()).collect();
    let inner: Vec<_> = (0..writer.choices.below(3)).map(|_| writer.declare()).collect();
    writer.visible = [&external[..], &inner[..]].concat();
    let quantifier = writer.choices.pick(&[Quantifier::Exists, Quantifier::Exists, Quantifier::Forall]);
    let visible = writer.visible.clone();
    let mut distinct = Vec::new();
    for (place, &left) in visible.iter().enumerate() {
        for &right in &visible[place + 1..] {
            if writer.choices.one_in(2) {
                distinct.push((left, right));
            }
        }
    }
    let pattern = writer.pattern();
    Preference {
        name: format!("p{index}").into(),
        scope: writer.scope,
        external,
        inner,
        quantifier,
        distinct,
        pattern,
        origin: Origin::default(),
    }
}

/// A generator of conditions over the visible variables.
struct ConditionGenerator<'c, 'b> {
    choices: &'c mut Choices<'b>,
    world: &'c World,
    scope: Scope,
    visible: Vec<VarId>,
}

impl ConditionGenerator<'_, '_> {
    /// Declares a variable with random types, which is not visible yet.
    fn declare(&mut self) -> VarId {
        let mut chosen = vec![self.type_of_variable()];
        if self.choices.one_in(5) {
            chosen.push(self.type_of_variable());
        }
        let name = format!("?v{}", self.scope.variables.len()).into();
        self.scope.declare(Variable { name, types: chosen, origin: Origin::default() })
    }

    /// Returns a random type, rarely one without objects.
    fn type_of_variable(&mut self) -> TypeId {
        let id = TypeId::from(self.choices.below(self.world.types().len()));
        if self.world.members(id).is_empty() && !self.choices.one_in(4) { TypeId(0) } else { id }
    }

    fn pattern(&mut self) -> Pattern {
        match self.choices.below(8) {
            0..6 => {
                let count = 1 + self.choices.below(5);
                Pattern::Sequence((0..count).map(|_| self.phase()).collect())
            }
            6 => Pattern::AtEnd(self.condition(DEPTH)),
            _ => Pattern::Formula(self.formula(3)),
        }
    }

    fn phase(&mut self) -> Phase {
        let condition = self.phase_condition(DEPTH);
        let origin = Origin::default();
        match self.choices.below(8) {
            0..3 => Phase::Once { condition, measure: None, origin },
            3 => Phase::Once { condition, measure: Some(self.expression(1)), origin },
            4..6 => Phase::Hold { condition, may_be_empty: self.choices.below(2) == 0, origin },
            _ => {
                let count = self.choices.below(4);
                Phase::HoldWhile { condition, events: (0..count).map(|_| self.phase_condition(2)).collect(), origin }
            }
        }
    }

    /// Generates a condition, often one that holds frequently enough for sequences to be satisfied.
    fn phase_condition(&mut self, depth: usize) -> Condition {
        match self.choices.below(11) {
            0..3 => self.named("a", 0),
            3 => self.named("b", 0),
            4 => self.named("marked", 1),
            5 => Condition::Not(Box::new(self.named("marked", 1))),
            6 => Condition::Or(vec![self.named("marked", 1), self.named("b", 0)]),
            7 => Condition::Not(Box::new(self.named("c", 0))),
            8 => Condition::InSetup(self.term(), Origin::default()),
            _ => self.condition(depth),
        }
    }

    fn named(&mut self, predicate: &str, arity: usize) -> Condition {
        match self.world.predicate_named(predicate) {
            Some(predicate) => {
                let arguments = (0..arity).map(|_| self.term()).collect();
                Condition::Atom(Atom { predicate, arguments, origin: Origin::default() })
            }
            None => Condition::Constant(true),
        }
    }

    fn formula(&mut self, depth: usize) -> Formula {
        let last = if depth == 0 { 1 } else { 10 };
        match self.choices.below(last) {
            0 => Formula::Proposition(self.condition(2)),
            1 => Formula::Not(Box::new(self.formula(depth - 1))),
            2 => Formula::And((0..self.choices.below(3)).map(|_| self.formula(depth - 1)).collect()),
            3 => Formula::Or((0..self.choices.below(3)).map(|_| self.formula(depth - 1)).collect()),
            4 => Formula::Next(Box::new(self.formula(depth - 1))),
            5 => Formula::WeakNext(Box::new(self.formula(depth - 1))),
            6 => Formula::Until(Box::new([self.formula(depth - 1), self.formula(depth - 1)])),
            7 => Formula::Release(Box::new([self.formula(depth - 1), self.formula(depth - 1)])),
            8 => Formula::Eventually(Box::new(self.formula(depth - 1))),
            _ => Formula::Always(Box::new(self.formula(depth - 1))),
        }
    }

    /// Generates a setup, often one in which several statements are under the same quantifiers.
    fn setup(&mut self, depth: usize) -> Setup {
        let last = match (depth, self.visible.len()) {
            (0, _) => 4,
            (_, MAX_SETUP_VARIABLES..) => 8,
            _ => 12,
        };
        match self.choices.below(last) {
            0 | 1 => Setup::Conserved(self.phase_condition(2), Origin::default()),
            2 | 3 => Setup::Optional(self.phase_condition(2), Origin::default()),
            4 | 5 => Setup::And((0..self.choices.below(4)).map(|_| self.setup(depth - 1)).collect()),
            6 => Setup::Or((0..self.choices.below(4)).map(|_| self.setup(depth - 1)).collect()),
            7 => Setup::Not(Box::new(self.setup(depth - 1))),
            kind => {
                let count = if self.choices.one_in(4) { 2 } else { 1 };
                let variables: Vec<_> = (0..count).map(|_| self.declare()).collect();
                let before = self.visible.len();
                self.visible.extend(&variables);
                let body = Box::new(self.setup(depth - 1));
                self.visible.truncate(before);
                if kind == 8 { Setup::Forall(variables, body) } else { Setup::Exists(variables, body) }
            }
        }
    }

    fn condition(&mut self, depth: usize) -> Condition {
        let last = if depth == 0 { 9 } else { 20 };
        match self.choices.below(last) {
            0..5 => self.atom(),
            5 => self.comparison(),
            6 => self.rare(),
            7 => Condition::Distinct(self.term(), self.term()),
            8 => Condition::InSetup(self.term(), Origin::default()),
            9 | 10 => Condition::Not(Box::new(self.condition(depth - 1))),
            11 | 12 => Condition::And((0..=self.choices.below(4)).map(|_| self.condition(depth - 1)).collect()),
            13 => Condition::Or((0..=self.choices.below(3)).map(|_| self.condition(depth - 1)).collect()),
            14 => Condition::Imply(Box::new([self.condition(depth - 1), self.condition(depth - 1)])),
            kind => self.quantified(kind - 15, depth - 1),
        }
    }

    fn quantified(&mut self, kind: usize, depth: usize) -> Condition {
        let count = if kind == 4 { 2 } else { 1 + self.choices.below(2) };
        let variables: Vec<_> = (0..count).map(|_| self.declare()).collect();
        let before = self.visible.len();
        self.visible.extend(&variables);
        let body = Box::new(self.condition(depth));
        self.visible.truncate(before);
        let number = self.choices.below(4) as u32;
        match kind {
            0 | 1 => Condition::Exists(variables, body),
            2 => Condition::Forall(variables, body),
            3 => {
                let amount =
                    if self.choices.one_in(2) { Cardinality::Exactly(number) } else { Cardinality::AtLeast(number) };
                Condition::Count(amount, variables, body)
            }
            _ => {
                let amount = (!self.choices.one_in(2)).then_some(number);
                let rule = self.choices.pick(&[PairingRule::Matching, PairingRule::Covering]);
                Condition::Pairing { rule, amount, left: variables[0], right: variables[1], body }
            }
        }
    }

    fn rare(&mut self) -> Condition {
        match self.choices.below(4) {
            0 => Condition::Constant(self.choices.one_in(2)),
            1 => Condition::FirstState,
            2 => Condition::LastState,
            _ => {
                let count = 1 + self.choices.below(3);
                Condition::AllEqual((0..count).map(|_| self.expression(1)).collect(), Origin::default())
            }
        }
    }

    fn comparison(&mut self) -> Condition {
        Condition::Compare {
            comparison: self.choices.pick(&COMPARISONS),
            sides: Box::new([self.expression(2), self.expression(1)]),
            origin: Origin::default(),
        }
    }

    fn atom(&mut self) -> Condition {
        let predicate = PredicateId::from(self.choices.below(self.world.predicates().len()));
        let arguments = self.arguments(&self.world.predicate(predicate).parameters);
        Condition::Atom(Atom { predicate, arguments, origin: Origin::default() })
    }

    fn expression(&mut self, depth: usize) -> Expression {
        let last = if depth == 0 { 5 } else { 10 };
        match self.choices.below(last) {
            0..4 => {
                let function = FunctionId::from(self.choices.below(self.world.functions().len()));
                let arguments = self.arguments(&self.world.function(function).parameters);
                Expression::Call { function, arguments, origin: Origin::default() }
            }
            4 => Expression::Number(self.choices.pick(&[1.0, 0.0, 2.0, -1.5, 1e300])),
            5 => Expression::Add((0..=self.choices.below(2)).map(|_| self.expression(depth - 1)).collect()),
            6 => Expression::Multiply((0..=self.choices.below(2)).map(|_| self.expression(depth - 1)).collect()),
            7 => Expression::Subtract(Box::new([self.expression(depth - 1), self.expression(depth - 1)])),
            8 => Expression::Divide(Box::new([self.expression(depth - 1), self.expression(depth - 1)])),
            _ => Expression::Absolute(Box::new(self.expression(depth - 1))),
        }
    }

    fn arguments(&mut self, parameters: &[Parameter]) -> Terms {
        let argument = |parameter: &Parameter| {
            if parameter.accepts_type && self.choices.one_in(2) {
                return Term::Type(TypeId::from(self.choices.below(self.world.types().len())));
            }
            self.term()
        };
        parameters.iter().map(argument).collect()
    }

    /// Generates a term, usually a variable. An object of a wrong type is allowed: it has no facts.
    fn term(&mut self) -> Term {
        if self.visible.is_empty() || self.choices.one_in(4) {
            Term::Object(ObjectId::from(self.choices.below(self.world.objects().len())))
        } else {
            let visible = self.visible.clone();
            Term::Variable(self.choices.pick(&visible))
        }
    }
}

/// A generator of scores and terminal conditions.
struct ScoreGenerator<'c, 'b> {
    choices: &'c mut Choices<'b>,
    world: &'c World,
    preferences: &'c [Preference],
}

impl ScoreGenerator<'_, '_> {
    fn score(&mut self, depth: usize) -> ScoreExpression {
        let last = if depth == 0 { 5 } else { 14 };
        match self.choices.below(last) {
            0..4 => self.count(),
            4 => ScoreExpression::Number(self.choices.pick(&[1.0, 0.0, 2.5, -1.0, 1e300])),
            5 | 6 => ScoreExpression::Add((0..=self.choices.below(3)).map(|_| self.score(depth - 1)).collect()),
            7 => ScoreExpression::Multiply((0..=self.choices.below(2)).map(|_| self.score(depth - 1)).collect()),
            8 => ScoreExpression::Subtract(Box::new([self.score(depth - 1), self.score(depth - 1)])),
            9 => ScoreExpression::Divide(Box::new([self.score(depth - 1), self.score(depth - 1)]), Origin::default()),
            10 => ScoreExpression::Negate(Box::new(self.score(depth - 1))),
            11 => {
                let sides = Box::new([self.score(depth - 1), self.score(depth - 1)]);
                ScoreExpression::Compare(self.choices.pick(&COMPARISONS), sides)
            }
            12 => self.extremum(depth - 1),
            _ => match self.choices.below(3) {
                0 => ScoreExpression::TotalTime,
                1 => ScoreExpression::TotalScore,
                _ => ScoreExpression::AllEqual((0..=self.choices.below(2)).map(|_| self.score(depth - 1)).collect()),
            },
        }
    }

    fn extremum(&mut self, depth: usize) -> ScoreExpression {
        let body = Box::new(self.score(depth));
        if self.choices.one_in(2) {
            ScoreExpression::ExternalMinimum(body, Origin::default())
        } else {
            ScoreExpression::ExternalMaximum(body, Origin::default())
        }
    }

    fn count(&mut self) -> ScoreExpression {
        let kind = self.choices.pick(&[
            CountOperator::Disjoint,
            CountOperator::Overlapping,
            CountOperator::Once,
            CountOperator::OncePerObjects,
            CountOperator::OncePerExternalObjects,
            CountOperator::Measure,
            CountOperator::UniquePositions,
            CountOperator::SamePositions,
        ]);
        let index = self.choices.below(self.preferences.len());
        let external = self.preferences[index].external.len();
        let types = self.choices.below(external + 1);
        ScoreExpression::Count {
            kind,
            preference: PreferenceId::from(index),
            types: (0..types).map(|_| TypeId::from(self.choices.below(self.world.types().len()))).collect(),
            origin: Origin::default(),
        }
    }

    fn terminal(&mut self, depth: usize) -> TerminalCondition {
        let last = if depth == 0 { 3 } else { 6 };
        match self.choices.below(last) {
            0..3 => {
                let comparison = self.choices.pick(&COMPARISONS);
                TerminalCondition::Compare(comparison, Box::new([self.score(2), self.score(0)]), Origin::default())
            }
            3 => TerminalCondition::And((0..=self.choices.below(2)).map(|_| self.terminal(depth - 1)).collect()),
            4 => TerminalCondition::Or((0..=self.choices.below(2)).map(|_| self.terminal(depth - 1)).collect()),
            _ => TerminalCondition::Not(Box::new(self.terminal(depth - 1))),
        }
    }
}
