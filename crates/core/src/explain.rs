//! Explanations: the atoms that made an attempt fail, or that decide whether a goal holds.
//!
//! An engine reports the best attempt at an unsatisfied preference and the state in which it failed. An [`Explainer`] processes the states
//! a second time and finds the atoms that had the wrong value in that state.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::automaton::Automaton;
use crate::condition::{Cardinality, Condition, Expression, Origin, Term};
use crate::evaluate::{self, Bindings, Context};
use crate::ids::VarId;
use crate::interpret::setup::SetupProgress;
use crate::monitor::{Attempt, Evidence, GameReport, StateUpdate};
use crate::pattern::Pattern;
use crate::program::{Game, Preference};
use crate::state::ObjectArguments;
use crate::work::WorkBudget;
use crate::world::{Argument, World};

mod goal;
mod text;

pub use goal::{explain_goal, explain_unmet};
pub use text::{CoreNotation, Notation, condition_text, condition_text_in, expression_text};

/// A second pass over the states that fills in the blame of attempts.
#[derive(Debug)]
pub struct Explainer<'a> {
    world: &'a World,
    game: &'a Game,
    /// The state of the setup, which decides conditions on the objects of the setup.
    setup: Option<SetupProgress>,
    states: u64,
    last_needed: u64,
    work: WorkBudget,
}

impl<'a> Explainer<'a> {
    /// Creates an explainer of the attempts in a report on this game, before the first state.
    pub fn new(world: &'a World, game: &'a Game, report: &GameReport) -> Self {
        let attempts = report.preferences.iter().filter_map(|preference| preference.attempt.as_ref());
        let last_needed = attempts.map(|attempt| attempt.failed_at).max().unwrap_or(0);
        let setup = game.setup.is_some().then(SetupProgress::default);
        Self { world, game, setup, states: 0, last_needed, work: WorkBudget::new() }
    }

    /// Returns the counter of work done so far, with its limit. Once the limit is exceeded, the explainer should not be used further.
    pub fn work(&self) -> &WorkBudget {
        &self.work
    }

    /// Whether all states in which an attempt failed have been processed.
    pub fn done(&self) -> bool {
        self.states >= self.last_needed
    }

    /// Processes the next state and fills in the blame of the attempts that failed in it.
    ///
    /// # Panics
    /// If the report is not a report on this game.
    pub fn step(&mut self, step: &StateUpdate<'_>, report: &mut GameReport) {
        self.states += 1;
        let no_objects = FixedBitSet::new();
        let (first, last) = (self.states == 1, self.states == report.states);
        let work = Some(&self.work);
        let ctx = Context { world: self.world, state: step.state, first, last, setup_objects: &no_objects, work };
        if let (Some(memory), Some(program)) = (&mut self.setup, &self.game.setup) {
            memory.advance(&ctx, program);
        }
        let setup = self.setup.as_ref().map_or(&no_objects, SetupProgress::setup_objects);
        let ctx = Context { setup_objects: setup, ..ctx };
        for (preference, report) in self.game.preferences.iter().zip(&mut report.preferences) {
            if let Some(attempt) = report.attempt.as_mut().filter(|attempt| attempt.failed_at == self.states) {
                attempt.evidence = explain_attempt(&ctx, preference, attempt);
            }
        }
    }
}

/// Returns the atoms whose value in this state made the attempt fail, those of the furthest phase first.
///
/// An attempt at a sequence fails in a state in which it can neither advance nor stay. Each false condition among those that would have let
/// it continue contributes the atoms that make it false. If a condition can become true in several ways (by several objects of an `exists`,
/// for example), the one with the fewest wrong atoms is shown. Formulas are not analysed.
///
/// # Panics
/// If the attempt is not an attempt at this preference.
pub fn explain_attempt(ctx: &Context<'_>, preference: &Preference, attempt: &Attempt) -> Vec<Evidence> {
    let mut bindings = Bindings::new(&preference.scope);
    for (&variable, &(_, object)) in preference.external.iter().chain(&preference.inner).zip(&attempt.binding) {
        bindings.bind(variable, object);
    }
    let mut search = EvidenceSearch::new(ctx, &CoreNotation, 0, preference.origin);
    for &(_, object) in &attempt.binding {
        search.present(object, preference.origin);
    }
    match &preference.pattern {
        Pattern::Sequence(phases) => {
            let automaton = Automaton::new(phases);
            for place in automaton.continuations(attempt.position, attempt.start != 0).into_iter().rev() {
                let position = &automaton.positions()[place];
                search.phase = position.phase;
                for condition in position.conditions(phases) {
                    search.named(condition, preference.origin);
                    search.condition(condition, true, &mut bindings);
                }
                if let Some(measure) = position.measure(phases) {
                    search.measure(measure, phases[position.phase].origin(), &bindings);
                }
            }
        }
        Pattern::AtEnd(condition) => {
            search.named(condition, preference.origin);
            search.condition(condition, true, &mut bindings);
        }
        Pattern::Formula(_) => {}
    }
    search.found
}

/// Maximum number of assignments of quantifiers that are compared to explain one condition. Beyond it, quantified conditions are blamed as
/// a whole. Nested quantifiers multiply the number.
const MAX_COMPARED_ASSIGNMENTS: usize = 1 << 14;

/// A search for the atoms that prevent a condition from having a given value.
struct EvidenceSearch<'a> {
    ctx: &'a Context<'a>,
    notation: &'a dyn Notation,
    phase: usize,
    /// The source location of the explained program part, used for conditions without a location of their own.
    whole: Origin,
    found: Vec<Evidence>,
    /// The number of assignments of quantifiers that may still be compared.
    comparisons_left: usize,
    /// The keys of the atoms found, for constant-time removal of duplicates: there can be as many atoms as a quantifier has assignments.
    known: FxHashSet<(usize, bool, String, Vec<u64>)>,
}

impl<'a> EvidenceSearch<'a> {
    fn new(ctx: &'a Context<'a>, notation: &'a dyn Notation, phase: usize, whole: Origin) -> Self {
        Self {
            ctx,
            notation,
            phase,
            whole,
            found: Vec::new(),
            comparisons_left: MAX_COMPARED_ASSIGNMENTS,
            known: FxHashSet::default(),
        }
    }

    fn add(&mut self, condition: String, value: bool, numbers: Vec<f64>, origin: Origin) {
        self.add_as_found(Evidence { condition, value, numbers, phase: self.phase, origin, fact: None });
    }

    fn add_as_found(&mut self, evidence: Evidence) {
        let bits = evidence.numbers.iter().map(|number| number.to_bits()).collect();
        if self.known.insert((evidence.phase, evidence.value, evidence.condition.clone(), bits)) {
            self.found.push(evidence);
        }
    }

    fn present(&mut self, object: crate::ids::ObjectId, origin: Origin) {
        if !self.ctx.state.is_present(object) {
            self.add(format!("(present {})", self.ctx.world.object_decl(object).id), false, Vec::new(), origin);
        }
    }

    fn named(&mut self, condition: &Condition, origin: Origin) {
        for object in condition.named_objects() {
            self.present(object, origin);
        }
    }

    fn measure(&mut self, measure: &Expression, origin: Origin, bindings: &Bindings<'_>) {
        if evaluate::expression(self.ctx, measure, bindings).is_none_or(|value| !value.is_finite()) {
            let text = format!("(defined {})", expression_text(self.ctx.world, measure, bindings));
            self.add(text, false, Vec::new(), origin);
        }
    }

    /// Adds the atoms that prevent the condition from having the value `expected`; none if it has that value.
    fn condition(&mut self, condition: &Condition, expected: bool, bindings: &mut Bindings<'_>) {
        if evaluate::condition(self.ctx, condition, bindings) == expected {
            return;
        }
        match condition {
            Condition::Not(part) => self.condition(part, !expected, bindings),
            // Parts that have the wanted value add nothing.
            Condition::And(parts) | Condition::Or(parts) if !parts.is_empty() => {
                for part in parts {
                    self.condition(part, expected, bindings);
                }
            }
            Condition::Imply(parts) => {
                self.condition(&parts[1], expected, bindings);
                self.condition(&parts[0], !expected, bindings);
            }
            // An `exists` that should hold, or a `forall` that should not.
            Condition::Exists(variables, body) if expected => {
                self.best_assignment(condition, variables, body, true, bindings);
            }
            Condition::Forall(variables, body) if !expected => {
                self.best_assignment(condition, variables, body, false, bindings);
            }
            Condition::Exists(variables, body) => self.counterexample(variables, body, false, bindings),
            Condition::Forall(variables, body) => self.counterexample(variables, body, true, bindings),
            _ => self.literal(condition, !expected, bindings),
        }
    }

    /// Blames the assignment with the fewest atoms that prevent the body from having the value `expected`.
    fn best_assignment(
        &mut self,
        whole: &Condition,
        variables: &[VarId],
        body: &Condition,
        expected: bool,
        bindings: &mut Bindings<'_>,
    ) {
        let mut best: Option<Vec<Evidence>> = None;
        let Self { ctx, notation, phase, whole: place, .. } = *self;
        let left = &mut self.comparisons_left;
        let _ = evaluate::for_each_assignment(ctx, variables, bindings, |bindings| {
            let Some(remaining) = left.checked_sub(1) else { return ControlFlow::Break(()) };
            let mut search =
                EvidenceSearch { comparisons_left: remaining, ..EvidenceSearch::new(ctx, notation, phase, place) };
            search.condition(body, expected, bindings);
            *left = search.comparisons_left;
            if best.as_ref().is_none_or(|best| search.found.len() < best.len()) {
                best = Some(search.found);
            }
            ControlFlow::Continue(())
        });
        match best {
            Some(found) => {
                for evidence in found {
                    self.add_as_found(evidence);
                }
            }
            // There is no assignment, or too many have been compared.
            None => self.literal(whole, !expected, bindings),
        }
    }

    /// Blames the first assignment under which the body does not have the value `expected`.
    fn counterexample(&mut self, variables: &[VarId], body: &Condition, expected: bool, bindings: &mut Bindings<'_>) {
        let ctx = self.ctx;
        let _ = evaluate::for_each_assignment(ctx, variables, bindings, |bindings| {
            if evaluate::condition(ctx, body, bindings) == expected {
                return ControlFlow::Continue(());
            }
            self.condition(body, expected, bindings);
            ControlFlow::Break(())
        });
    }

    /// Blames the condition as a whole.
    fn literal(&mut self, condition: &Condition, value: bool, bindings: &mut Bindings<'_>) {
        let number = |part: &Expression| evaluate::expression(self.ctx, part, bindings);
        let (numbers, origin) = match condition {
            Condition::Atom(atom) => (Vec::new(), atom.origin),
            Condition::Compare { sides, origin, .. } => (sides.iter().filter_map(number).collect(), *origin),
            Condition::AllEqual(parts, origin) => (parts.iter().filter_map(number).collect(), *origin),
            Condition::InSetup(_, origin) => (Vec::new(), *origin),
            Condition::Count(amount, variables, body) => {
                let (Cardinality::AtLeast(required) | Cardinality::Exactly(required)) = *amount;
                (vec![self.count(variables, body, bindings), f64::from(required)], self.whole)
            }
            _ => (Vec::new(), self.whole),
        };
        let fact = match condition {
            Condition::Atom(atom) => objects(&atom.arguments, bindings).map(|objects| (atom.predicate, objects)),
            _ => None,
        };
        let condition = condition_text_in(self.notation, self.ctx.world, condition, bindings);
        self.add_as_found(Evidence { condition, value, numbers, phase: self.phase, origin, fact });
    }

    /// Counts the assignments that satisfy the body.
    fn count(&self, variables: &[VarId], body: &Condition, bindings: &mut Bindings<'_>) -> f64 {
        let mut count = 0.0;
        let _ = evaluate::for_each_assignment(self.ctx, variables, bindings, |bindings| {
            count += f64::from(evaluate::condition(self.ctx, body, bindings));
            ControlFlow::<()>::Continue(())
        });
        count
    }
}

/// Returns the objects denoted by the terms; `None` if a term is unbound or a type.
fn objects(terms: &[Term], bindings: &Bindings<'_>) -> Option<ObjectArguments> {
    let object = |&term| match bindings.term(term) {
        Some(Argument::Object(object)) => Some(object),
        _ => None,
    };
    terms.iter().map(object).collect()
}

/// Returns the name of the object or type denoted by a term, or the name of the variable if it is unbound.
fn term_text<'a>(world: &'a World, term: Term, bindings: &Bindings<'a>) -> &'a str {
    match (bindings.term(term), term) {
        (Some(Argument::Object(object)), _) => world.label(object),
        (Some(Argument::Type(id)), _) => &world.type_decl(id).name,
        (None, Term::Variable(variable)) => &bindings.scope().get(variable).name,
        (None, _) => "?",
    }
}
