//! Minimal deterministic automata of formulas over finite traces.
//!
//! The states of the automaton are the progressed formulas (Bacchus and Kabanza 1998). The transitions of a state are one
//! decision diagram over the conditions, so no table has a row for each combination of truth values (Duret-Lutz et al. 2025,
//! "`LTLf` translation and synthesis with MTBDDs"). Traces are never empty: an automaton state represents the requirement on
//! the current trace state and its successors, and has two outputs, the next automaton state if the trace continues and
//! acceptance if it ends.

use goalspec_core::condition::Condition;
use goalspec_core::pattern::Formula;
use rustc_hash::FxHashMap;

use super::CompileErrorKind;
use super::diagram::{Cube, Diagram, Diagrams, FALSE, Memo, TRUE};
use super::formula::{Formulas, Node, Part};

/// Maximum number of states of one automaton.
pub const MAX_AUTOMATON_STATES: usize = 1024;

/// A state of an automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// The next state, if the trace continues.
    next: Diagram,
    /// Whether the trace is accepted, if it ends.
    accepts: Diagram,
}

/// A minimal deterministic automaton.
#[derive(Debug)]
pub(super) struct Automaton<'f> {
    /// The conditions tested by the transitions.
    pub(super) conditions: Vec<&'f Condition>,
    /// The initial state, before the first state of a trace is read.
    pub(super) initial: u32,
    diagrams: Diagrams,
    rows: Vec<Row>,
    /// The state that accepts no trace, if there is one.
    pub(super) dead: Option<u32>,
}

impl<'f> Automaton<'f> {
    /// Builds the automaton of a formula.
    ///
    /// # Errors
    /// Returns an error if the automaton or an intermediate result exceeds a limit, or if `halt` returns `true`.
    pub(super) fn new(formula: &'f Formula, halt: &dyn Fn() -> bool) -> Result<Self, CompileErrorKind> {
        let mut formulas = Formulas::new();
        let root = formulas.normalize(formula, true, 0)?;
        let mut maker = AutomatonBuilder {
            formulas,
            diagrams: Diagrams::default(),
            steps: FxHashMap::default(),
            stops: FxHashMap::default(),
        };
        let (rows, initial) = maker.explore(root, halt)?;
        let AutomatonBuilder { formulas, mut diagrams, .. } = maker;
        let (rows, classes) = minimise(&rows, &mut diagrams);
        let nothing = diagrams.leaf(FALSE);
        let stays =
            |(place, row): (usize, &Row)| diagrams.value(row.next) == Some(place as u32) && row.accepts == nothing;
        let dead = rows.iter().enumerate().position(stays).map(|place| place as u32);
        Ok(Self { conditions: formulas.conditions, initial: classes[initial], diagrams, rows, dead })
    }

    /// Returns the states that accept some trace.
    pub(super) fn live(&self) -> Vec<u32> {
        (0..self.rows.len() as u32).filter(|&state| Some(state) != self.dead).collect()
    }

    /// Returns the transitions of a state, without its self-loop: the target states with the conditions of the transition.
    pub(super) fn transitions(&mut self, state: u32) -> Vec<(u32, Vec<Cube>)> {
        let step = self.rows[state as usize].next;
        let targets = self.diagrams.values(step).into_iter().filter(|&target| target != state);
        targets.map(|target| (target, self.diagrams.cubes(step, target))).collect()
    }

    /// Returns the condition under which a trace that ends in a state is accepted.
    pub(super) fn accepting(&mut self, state: u32) -> Vec<Cube> {
        self.diagrams.cubes(self.rows[state as usize].accepts, TRUE)
    }

    /// Whether every live state accepts a trace that ends where the cube holds.
    pub(super) fn all_accept(&mut self, cube: &[(u32, bool)]) -> bool {
        self.live().into_iter().all(|state| {
            let rest = self.diagrams.restrict(self.rows[state as usize].accepts, cube);
            self.diagrams.value(rest) == Some(TRUE)
        })
    }
}

struct AutomatonBuilder<'f> {
    formulas: Formulas<'f>,
    diagrams: Diagrams,
    steps: FxHashMap<Part, Diagram>,
    stops: FxHashMap<Part, Diagram>,
}

impl AutomatonBuilder<'_> {
    /// Builds all reachable states. Returns them with the index of the initial state.
    fn explore(&mut self, root: Part, halt: &dyn Fn() -> bool) -> Result<(Vec<Row>, usize), CompileErrorKind> {
        let first = self.formulas.obligation_of(root);
        let mut order = vec![first];
        let mut places = FxHashMap::from_iter([(first, 0)]);
        let mut rows = Vec::new();
        while let Some(&rest) = order.get(rows.len()) {
            if halt() {
                return Err(CompileErrorKind::Cancelled);
            }
            let [next, stop] = [false, true].map(|last| self.progress(rest, last));
            if self.formulas.has_overflowed() || self.diagrams.is_full() {
                return Err(CompileErrorKind::TooComplex);
            }
            for value in self.diagrams.values(next) {
                places.entry(value).or_insert_with(|| {
                    order.push(value);
                    order.len() - 1
                });
            }
            if order.len() > MAX_AUTOMATON_STATES {
                return Err(CompileErrorKind::TooManyStates { limit: MAX_AUTOMATON_STATES });
            }
            rows.push(Row { next, accepts: stop });
        }
        let place = |value: u32| places[&value] as u32;
        let mut memo = FxHashMap::default();
        for row in &mut rows {
            row.next = self.diagrams.map(row.next, &mut memo, &place);
        }
        Ok((rows, 0))
    }

    /// Progresses a formula through a trace state. The result depends on the conditions that hold in it.
    fn progress(&mut self, rest: u32, last: bool) -> Diagram {
        let alternatives: Vec<Diagram> = self
            .formulas
            .obligation(rest)
            .clone()
            .iter()
            .map(|parts| {
                let parts: Vec<Diagram> = parts.iter().map(|&part| self.part(part, last)).collect();
                self.join_all(true, &parts)
            })
            .collect();
        self.join_all(false, &alternatives)
    }

    fn part(&mut self, part: Part, last: bool) -> Diagram {
        let memo = if last { &self.stops } else { &self.steps };
        if let Some(&known) = memo.get(&part) {
            return known;
        }
        let result = match self.formulas.node(part).clone() {
            Node::Literal(proposition, holds) => {
                let (low, high) = (self.diagrams.leaf(u32::from(!holds)), self.diagrams.leaf(u32::from(holds)));
                self.diagrams.test(proposition, low, high)
            }
            node @ (Node::All(_) | Node::Any(_)) => {
                let conjunction = matches!(node, Node::All(_));
                let (Node::All(parts) | Node::Any(parts)) = node else { return part };
                let parts: Vec<Diagram> = parts.iter().map(|&part| self.part(part, last)).collect();
                self.join_all(conjunction, &parts)
            }
            Node::Next(_) if last => self.diagrams.leaf(FALSE),
            Node::WeakNext(_) if last => self.diagrams.leaf(TRUE),
            Node::Next(next) | Node::WeakNext(next) => {
                let rest = self.formulas.obligation_of(next);
                self.diagrams.leaf(rest)
            }
            Node::Until(_, second) | Node::Release(_, second) if last => self.part(second, last),
            Node::Until(first, second) => self.unroll(false, part, first, second),
            Node::Release(first, second) => self.unroll(true, part, first, second),
        };
        let memo = if last { &mut self.stops } else { &mut self.steps };
        memo.insert(part, result);
        result
    }

    /// Expands `until` to `second or (first and next whole)`, or `release` to `second and (first or next whole)`.
    fn unroll(&mut self, release: bool, whole: Part, first: Part, second: Part) -> Diagram {
        let (first, second) = (self.part(first, false), self.part(second, false));
        let rest = self.formulas.obligation_of(whole);
        let later = self.diagrams.leaf(rest);
        let goes_on = self.join_all(!release, &[first, later]);
        self.join_all(release, &[second, goes_on])
    }

    fn join_all(&mut self, conjunction: bool, diagrams: &[Diagram]) -> Diagram {
        let neutral = self.diagrams.leaf(if conjunction { TRUE } else { FALSE });
        let formulas = &mut self.formulas;
        let all = &mut self.diagrams;
        let mut memo = Memo::default();
        diagrams.iter().fold(neutral, |sum, &next| {
            all.combine(sum, next, &mut memo, &mut |one, other| formulas.join(conjunction, one, other))
        })
    }
}

/// Minimises an automaton by partition refinement (Moore 1956). Returns the merged states and, for each original state, the
/// state it was merged into.
fn minimise(rows: &[Row], diagrams: &mut Diagrams) -> (Vec<Row>, Vec<u32>) {
    let mut classes = vec![0; rows.len()];
    let mut count = 1;
    loop {
        let mut memo = FxHashMap::default();
        let mut known: FxHashMap<(u32, Diagram, Diagram), u32> = FxHashMap::default();
        let mut next = Vec::with_capacity(rows.len());
        let mut merged = Vec::new();
        for (row, &class) in rows.iter().zip(&classes) {
            let step = diagrams.map(row.next, &mut memo, &|state| classes[state as usize]);
            let fresh = known.len() as u32;
            next.push(*known.entry((class, step, row.accepts)).or_insert_with(|| {
                merged.push(Row { next: step, accepts: row.accepts });
                fresh
            }));
        }
        if merged.len() == count {
            // No class was split, so the numbering of the classes is unchanged.
            return (merged, classes);
        }
        count = merged.len();
        classes = next;
    }
}

#[cfg(test)]
mod tests {
    use goalspec_core::condition::{Atom, Origin, Terms};
    use goalspec_core::ids::PredicateId;

    use super::*;

    fn fact(predicate: u32) -> Formula {
        let atom = Atom { predicate: PredicateId(predicate), arguments: Terms::new(), origin: Origin::default() };
        Formula::Proposition(Condition::Atom(atom))
    }

    fn not(formula: Formula) -> Formula {
        Formula::Not(Box::new(formula))
    }

    fn always(formula: Formula) -> Formula {
        Formula::Always(Box::new(formula))
    }

    fn eventually(formula: Formula) -> Formula {
        Formula::Eventually(Box::new(formula))
    }

    fn within(steps: usize, fact: &Formula) -> Formula {
        let later = |later, _| Formula::Or(vec![fact.clone(), Formula::Next(Box::new(later))]);
        (0..steps).fold(fact.clone(), later)
    }

    fn live(formula: &Formula) -> usize {
        Automaton::new(formula, &|| false).expect("it has an automaton").live().len()
    }

    #[test]
    fn automata_are_as_small_as_they_can_be() {
        // A requirement on the last state alone needs no memory.
        let last = Formula::WeakNext(Box::new(Formula::Proposition(Condition::Constant(false))));
        assert_eq!(live(&eventually(Formula::And(vec![last, fact(0)]))), 1);
        assert_eq!(live(&always(fact(0))), 1);
        assert_eq!(live(&eventually(fact(0))), 2);
        assert_eq!(live(&always(eventually(fact(0)))), 1);
        assert_eq!(live(&always(Formula::Or(vec![not(fact(0)), eventually(fact(1))]))), 2);
        assert_eq!(live(&Formula::Until(Box::new([fact(0), fact(1)]))), 2);
        // A deadline in a response needs one state per remaining step.
        assert_eq!(live(&always(Formula::Or(vec![not(fact(0)), within(40, &fact(1))]))), 41);
        assert_eq!(live(&within(150, &fact(0))), 152);
        // Equivalent and contradictory conjuncts.
        assert_eq!(live(&Formula::And(vec![eventually(fact(0)), not(always(not(fact(0))))])), 2);
        assert_eq!(live(&Formula::And(vec![eventually(fact(0)), always(not(fact(0)))])), 0);
    }

    #[test]
    fn monotone_formulas_need_no_negations() {
        let either = eventually(Formula::Or(vec![fact(0), fact(1), fact(2)]));
        let mut automaton = Automaton::new(&either, &|| false).expect("it has an automaton");
        let ways = automaton.transitions(automaton.initial);
        assert_eq!(ways.len(), 1);
        assert_eq!(ways[0].1.len(), 3);
        assert!(ways[0].1.iter().all(|cube| cube.len() == 1 && cube[0].1), "{ways:?}");
    }

    #[test]
    fn formulas_that_exceed_limits_are_errors() {
        let order: Vec<Formula> = (0..11).map(|number| eventually(fact(number))).collect();
        let refused = Automaton::new(&Formula::And(order), &|| false).expect_err("each subset is a state");
        assert_eq!(refused, CompileErrorKind::TooManyStates { limit: MAX_AUTOMATON_STATES });
        let deep = (0..600).fold(fact(0), |inner, _| Formula::Next(Box::new(inner)));
        assert_eq!(Automaton::new(&deep, &|| false).expect_err("it is deep"), CompileErrorKind::TooDeep);
        let wide = Formula::And((0..300).map(fact).collect());
        let refused = Automaton::new(&wide, &|| false).expect_err("it has many conditions");
        assert_eq!(refused, CompileErrorKind::TooManyConditions { limit: super::super::formula::MAX_CONDITIONS });
    }
}
