//! Compilation of patterns over runs: formulas by automata, sequences by positions.

use goalspec_core::automaton::Automaton as Line;
use goalspec_core::condition::{ComparisonOperator, Condition, Expression, Origin, Scope};
use goalspec_core::ids::PredicateId;
use goalspec_core::pattern::{Formula, Pattern, Phase};
use goalspec_core::planning::task::Effect;

use super::CompileErrorKind;
use super::automaton::Automaton;
use super::builder::{Builder, CompiledCondition, conjunction};
use super::diagram::Cube;
use super::rewrite::{Rewrite, negated, nullary};

/// A pattern under one assignment of its outer variables.
pub(super) struct PatternInstance<'p> {
    /// The scope of the pattern's variables.
    pub(super) scope: &'p Scope,
    /// The pattern.
    pub(super) pattern: &'p Pattern,
    /// The substitution of the outer variables.
    pub(super) rewrite: Rewrite,
    /// Whether every solution satisfies the pattern, so that runs that can no longer satisfy it are pruned.
    pub(super) is_hard: bool,
}

impl PatternInstance<'_> {
    /// Adds facts and effects that follow the pattern. Returns a constant, a literal or a conjunction of literals that holds in
    /// the last state of exactly the runs that satisfy the pattern. For a hard pattern this only applies to runs that meet all
    /// requirements.
    pub(super) fn follow(&self, builder: &mut Builder<'_>) -> Result<Condition, CompileErrorKind> {
        let satisfied = match self.pattern {
            Pattern::AtEnd(condition) => self.literals(builder, condition).last,
            Pattern::Sequence(phases) => self.sequence(builder, phases),
            Pattern::Formula(formula) => {
                let mut pieces = Vec::new();
                split(formula, &mut pieces, 0)?;
                let parts = pieces.iter().map(|piece| self.formula(builder, piece)).collect::<Result<Vec<_>, _>>()?;
                builder.any("satisfied", vec![flat(parts)])
            }
        };
        builder.check()?;
        Ok(satisfied)
    }

    fn literals(&self, builder: &mut Builder<'_>, condition: &Condition) -> CompiledCondition {
        builder.literals(self.scope, condition, &self.rewrite)
    }

    fn formula(&self, builder: &mut Builder<'_>, formula: &Formula) -> Result<Condition, CompileErrorKind> {
        let mut automaton = Automaton::new(formula, builder.halt)?;
        if Some(automaton.initial) == automaton.dead {
            return Ok(Condition::Constant(false));
        }
        let literals: Vec<CompiledCondition> =
            automaton.conditions.clone().into_iter().map(|condition| self.literals(builder, condition)).collect();
        let follower = Follower { is_hard: self.is_hard, literals };
        let live = automaton.live();
        Ok(match live[..] {
            [only] if self.is_hard || automaton.dead.is_none() => follower.invariant(builder, &mut automaton, only),
            _ => follower.states(builder, &mut automaton, &live),
        })
    }

    /// Follows the positions of all current attempts. Returns the condition stating that some attempt has succeeded.
    fn sequence(&self, builder: &mut Builder<'_>, phases: &[Phase]) -> Condition {
        let line = Line::new(phases);
        let fits: Vec<Vec<CompiledCondition>> = line
            .positions()
            .iter()
            .map(|position| {
                let measured = position.measure(phases).map(is_finite);
                let conditions = position.conditions(phases).into_iter().chain(&measured);
                conditions.map(|condition| self.literals(builder, condition)).collect()
            })
            .collect();
        let places = 0..fits.len();
        // An attempt that has succeeded is not followed any further.
        let goes_on = |from: usize| !line.is_accepting(from) && line.successors(from).next().is_some();
        let at: Vec<Option<PredicateId>> =
            places.clone().map(|place| goes_on(place).then(|| builder.fact("at-position", false))).collect();
        let done = builder.fact("sequence-done", false);
        let mut entered_at: Vec<Vec<PredicateId>> = vec![Vec::new(); fits.len()];
        for from in places.clone() {
            for to in line.successors(from) {
                entered_at[to].extend(at[from]);
            }
        }
        let mut satisfied = vec![vec![Condition::Atom(nullary(done))]];
        for place in places {
            let entries: Vec<Vec<Condition>> = if line.is_initial(place) {
                vec![Vec::new()]
            } else {
                entered_at[place].iter().map(|&fact| vec![Condition::Atom(nullary(fact))]).collect()
            };
            // A position that is re-entered stays occupied, since adding overrides deleting.
            if let Some(fact) = at[place] {
                builder.add_effect(vec![Condition::Atom(nullary(fact))], Effect::Delete(nullary(fact)));
            }
            for entry in entries {
                let left = || fits[place].iter().map(|literals| literals.left.clone());
                let last = fits[place].iter().map(|literals| literals.last.clone());
                let mut effects = Vec::from_iter(at[place].map(|fact| Effect::Add(nullary(fact))));
                if line.is_accepting(place) {
                    effects = vec![Effect::Add(nullary(done))];
                    satisfied.push(entry.iter().cloned().chain(last).collect());
                }
                let going = [negated(Condition::Atom(nullary(done)))];
                builder.add_effect(entry.into_iter().chain(left()).chain(going).collect(), Effect::And(effects));
            }
        }
        builder.any("satisfied", satisfied)
    }
}

/// An automaton with its conditions translated to literals.
struct Follower {
    is_hard: bool,
    /// The conditions of the automaton.
    literals: Vec<CompiledCondition>,
}

impl Follower {
    fn cube(&self, cube: &Cube, last: bool) -> Vec<Condition> {
        let literal = |&(proposition, holds): &(u32, bool)| {
            let CompiledCondition { left, last: at_end } = &self.literals[proposition as usize];
            let condition = if last { at_end } else { left }.clone();
            if holds { condition } else { negated(condition) }
        };
        cube.iter().map(literal).collect()
    }

    /// Compiles an automaton with one live state: actions require that no transition leaves it, and no fact is needed.
    fn invariant(&self, builder: &mut Builder<'_>, automaton: &mut Automaton<'_>, state: u32) -> Condition {
        for (_, cubes) in automaton.transitions(state) {
            let cubes: Vec<Vec<Condition>> = cubes.iter().map(|cube| self.cube(cube, false)).collect();
            let breaks = if cubes.iter().all(|cube| cube.len() == 1) {
                cubes.into_iter().flatten().collect()
            } else {
                vec![builder.any("broken", cubes)]
            };
            builder.preconditions.extend(breaks.into_iter().map(negated));
        }
        let accepting: Vec<Vec<Condition>> =
            automaton.accepting(state).iter().map(|cube| self.cube(cube, true)).collect();
        builder.any("satisfied", accepting)
    }

    /// Compiles an automaton with one fact per live state.
    fn states(&self, builder: &mut Builder<'_>, automaton: &mut Automaton<'_>, live: &[u32]) -> Condition {
        let facts: Vec<PredicateId> =
            live.iter().map(|&state| builder.fact("automaton-state", state == automaton.initial)).collect();
        let fact_of = |state: u32| live.iter().position(|&other| other == state).map(|place| facts[place]);
        let mut satisfied = Vec::new();
        for (&state, &fact) in live.iter().zip(&facts) {
            let here = || Condition::Atom(nullary(fact));
            for (target, cubes) in automaton.transitions(state) {
                let mut effects = vec![Effect::Delete(nullary(fact))];
                match fact_of(target) {
                    Some(target) => effects.push(Effect::Add(nullary(target))),
                    None if self.is_hard => effects.push(Effect::Delete(nullary(builder.on_track()))),
                    None => {}
                }
                for cube in cubes {
                    let when = std::iter::once(here()).chain(self.cube(&cube, false)).collect();
                    builder.add_effect(when, Effect::And(effects.clone()));
                }
            }
            for cube in automaton.accepting(state) {
                // Without a live state nothing is accepted; for a hard pattern the on-track fact already excludes this case.
                let everywhere = (self.is_hard || automaton.dead.is_none()) && automaton.all_accept(&cube);
                let start = if everywhere { None } else { Some(here()) };
                let cube: Vec<Condition> = start.into_iter().chain(self.cube(&cube, true)).collect();
                if !satisfied.contains(&cube) {
                    satisfied.push(cube);
                }
            }
        }
        builder.any("satisfied", satisfied)
    }
}

/// Splits conjunctions that have to hold throughout the run: two small automata are smaller than their product.
fn split(formula: &Formula, pieces: &mut Vec<Formula>, depth: usize) -> Result<(), CompileErrorKind> {
    if depth > super::formula::MAX_FORMULA_DEPTH {
        return Err(CompileErrorKind::TooDeep);
    }
    match formula {
        Formula::And(parts) => parts.iter().try_for_each(|part| split(part, pieces, depth + 1))?,
        Formula::Always(body) => {
            let mut inner = Vec::new();
            split(body, &mut inner, depth + 1)?;
            pieces.extend(inner.into_iter().map(|part| Formula::Always(Box::new(part))));
        }
        _ => pieces.push(formula.clone()),
    }
    Ok(())
}

/// Flattens conjunctions of literals.
fn flat(parts: Vec<Condition>) -> Vec<Condition> {
    let mut literals = Vec::new();
    for part in parts {
        match part {
            Condition::And(parts) => literals.extend(parts),
            part => literals.push(part),
        }
    }
    literals
}

/// Returns the condition stating that a measured number is defined and finite.
fn is_finite(number: &Expression) -> Condition {
    let sides = Box::new([Expression::Absolute(Box::new(number.clone())), Expression::Number(f64::MAX)]);
    Condition::Compare { comparison: ComparisonOperator::LessEqual, sides, origin: Origin::default() }
}

/// Returns the condition stating that one of the instances is satisfied.
pub(super) fn one_of(builder: &mut Builder<'_>, satisfied: Vec<Condition>) -> Condition {
    let cubes = satisfied.into_iter().map(|condition| flat(vec![condition])).collect();
    builder.any("satisfied", cubes)
}

/// Returns the condition stating that all instances are satisfied.
pub(super) fn all_of(satisfied: Vec<Condition>) -> Condition {
    conjunction(flat(satisfied))
}
