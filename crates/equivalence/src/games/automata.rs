//! Comparison of the preferences, scores and ends of two games by products of automata.

use std::sync::Arc;

use goalspec_core::condition::Condition;
use goalspec_core::ids::{ObjectId, VarId};
use goalspec_core::program::{Preference, Quantifier, ScopedSetup, Setup};
use goalspec_core::state::Delta;

use super::letters::{Bound, BoundCondition, BoundScope, Leaf, Letters};
use super::machine::Machine;
use super::product::{ExactAspects, Product, Relation, SearchResult, Side};
use super::realize::realize;
use super::replay::Replay;
use super::scores::{CountKind, ExactScore, LinearScore, LinearScores, LinearTerm, counted};
use super::{GameForms, Implication, ProofScope, normal_form};
use crate::diagram::Diagram;
use crate::limits::{LimitExceeded, MAX_COMPARED_BINDINGS, MAX_COUNT, MAX_EXCLUDED_LETTERS, MAX_MACHINES};

/// The number of bindings of which the shortest difference is chosen.
const BINDINGS_WITH_SHORTEST: usize = 16;

/// The number of letters without states that a reason names.
const NAMED_LETTERS: usize = 3;

/// The result of a comparison by automata.
pub(crate) enum Finding {
    /// The games are equal.
    Holds(ProofScope),
    /// The games disagree about a trace.
    Differs(Vec<Delta>),
    /// Neither is shown, for these reasons.
    Open(Vec<String>),
}

/// A comparison of two games by automata.
pub(crate) struct Automata<'g> {
    pub(crate) replay: Replay<'g>,
    pub(crate) forms: &'g GameForms,
    objects: Option<usize>,
    /// The state from which states are sought.
    pub(crate) first: Option<&'g Delta>,
}

/// A property of the satisfactions of two preferences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    SameSatisfactions,
    SameTruth,
    SameCount,
    /// The first implies the second or, if reversed, the second the first.
    Implies {
        is_reversed: bool,
    },
}

/// The letters and the two sides of a product.
struct Prepared<'w> {
    letters: Letters<'w>,
    sides: [Side; 2],
}

impl<'g> Automata<'g> {
    pub(crate) fn new(
        replay: Replay<'g>,
        forms: &'g GameForms,
        objects: Option<usize>,
        first: Option<&'g Delta>,
    ) -> Self {
        Self { replay, forms, objects, first }
    }

    /// Compares the aspects of the games.
    pub(crate) fn compare(&self) -> Finding {
        let aspects = self.replay.aspects;
        let mut reasons = Vec::new();
        let mut scope = ProofScope::AnyObjects;
        let mut are_same = true;
        let mut traces: Vec<Vec<Delta>> = Vec::new();
        for &pair in self.open_pairs() {
            match self.pair(pair, Property::SameSatisfactions) {
                Finding::Holds(of_pair) => {
                    scope = wider(scope, of_pair);
                    continue;
                }
                Finding::Differs(trace) => traces.push(trace),
                Finding::Open(why) => reasons.extend(why),
            }
            are_same = false;
        }
        let has_equal_setups = self.forms.has_equal_setups();
        if are_same && has_equal_setups && self.forms.has_equal_results(aspects) {
            return Finding::Holds(scope);
        }
        traces.retain(|trace| matches!(self.replay.disagreement(trace), Ok(Some(_))));
        if let Some(trace) = traces.into_iter().min_by_key(Vec::len) {
            return Finding::Differs(trace);
        }
        let mut parts = Vec::new();
        if aspects.satisfactions && !are_same {
            parts.push(Finding::Open(reasons));
        }
        let weaker = [(aspects.truth, Property::SameTruth), (aspects.counts, Property::SameCount)];
        for (_, property) in weaker.into_iter().filter(|&(is_asked, _)| is_asked && !are_same) {
            parts.extend(self.open_pairs().iter().map(|&pair| self.pair(pair, property)));
        }
        let scores_may_differ =
            !are_same || !has_equal_setups || aspects.rewards || self.forms.scores[0] != self.forms.scores[1];
        if !self.forms.has_equal_ends() || aspects.score && scores_may_differ || aspects.end && !are_same {
            parts.push(self.results());
        }
        combined(parts, scope)
    }

    /// Returns the pairs of preferences whose satisfactions may differ.
    fn open_pairs(&self) -> &'g [(usize, usize)] {
        if self.forms.has_equal_setups() { &self.forms.different } else { &self.forms.pairs }
    }

    /// Returns whether the first game implies the second or, if reversed, the second the first.
    pub(crate) fn implication(&self, is_reversed: bool) -> Implication {
        if !self.forms.has_equal_ends()
            || self.forms.pairs.is_empty()
            || !self.forms.unmatched.iter().all(Vec::is_empty)
        {
            return Implication::Unknown;
        }
        let parts = self.open_pairs().iter().map(|&pair| self.pair(pair, Property::Implies { is_reversed }));
        match combined(parts.collect(), ProofScope::AnyObjects) {
            Finding::Holds(_) => Implication::Proved,
            Finding::Differs(trace) => Implication::Refuted(trace),
            Finding::Open(_) => Implication::Unknown,
        }
    }

    fn preference(&self, side: usize, pair: (usize, usize)) -> &'g Preference {
        let index = if side == 0 { pair.0 } else { pair.1 };
        &self.replay.games[side].preferences[index]
    }

    /// Compares two preferences under all bindings.
    fn pair(&self, pair: (usize, usize), property: Property) -> Finding {
        let both = [0, 1].map(|side| self.preference(side, pair));
        let world = self.replay.world;
        let name = &both[0].name;
        if normal_form::bindings(world, both[0]) != normal_form::bindings(world, both[1]) {
            return Finding::Open(vec![format!("`{name}` has other variables")]);
        }
        let variables = variables(both[0]);
        let symbols: Vec<Bound> = (0..variables.len()).map(|index| Bound::Symbol(format!("${index}"))).collect();
        let is_proved =
            self.machines(&[&[(both[0], symbols.clone())], &[(both[1], symbols)]], self.symbolic()).is_ok_and(
                |mut prepared| matches!(search(&mut prepared, relation(property), &[]), Ok(SearchResult::Holds)),
            );
        if is_proved {
            return Finding::Holds(ProofScope::AnyObjects);
        }
        if both[0].quantifier == Quantifier::Forall && !both[0].inner.is_empty() {
            return Finding::Open(vec![format!(
                "`{name}` must be satisfied for all of its objects, which is not decided"
            )]);
        }
        let Some(bindings) = self.bindings(both[0]) else {
            return Finding::Open(vec![format!("`{name}`: {}", LimitExceeded::ComparedBindings)]);
        };
        let mut shortest: Option<Vec<Delta>> = None;
        let mut reasons: Vec<String> = Vec::new();
        for (number, binding) in bindings.into_iter().enumerate() {
            if number >= BINDINGS_WITH_SHORTEST && shortest.is_some() {
                break;
            }
            let values: Vec<Bound> = binding.iter().copied().map(Bound::Object).collect();
            let check = |trace: &[Delta]| self.refutes(trace, pair, property);
            let prepare =
                || self.machines(&[&[(both[0], values.clone())], &[(both[1], values.clone())]], self.ground_letters());
            match self.ground(prepare, |_| Some(relation(property)), &check) {
                Finding::Holds(_) => {}
                Finding::Differs(trace) => {
                    if shortest.as_ref().is_none_or(|shortest| trace.len() < shortest.len()) {
                        shortest = Some(trace);
                    }
                }
                Finding::Open(why) => {
                    let new: Vec<String> = why.into_iter().map(|why| format!("`{name}`: {why}")).collect();
                    reasons.extend(new.into_iter().filter(|why| !reasons.contains(why)).collect::<Vec<_>>());
                    if number >= BINDINGS_WITH_SHORTEST {
                        break;
                    }
                }
            }
        }
        match shortest {
            Some(trace) => Finding::Differs(trace),
            None if reasons.is_empty() => Finding::Holds(self.ground_scope()),
            None => Finding::Open(reasons),
        }
    }

    /// Whether a trace refutes a property of two preferences, by the reference interpreter.
    fn refutes(&self, trace: &[Delta], pair: (usize, usize), property: Property) -> bool {
        if let Property::Implies { is_reversed } = property {
            let Ok([one, other]) = self.replay.truths(trace, pair) else { return false };
            return if is_reversed { other && !one } else { one && !other };
        }
        let mut replay = self.replay;
        replay.aspects.satisfactions |= property == Property::SameSatisfactions;
        replay.aspects.truth |= property == Property::SameTruth;
        replay.aspects.counts |= property == Property::SameCount;
        matches!(replay.disagreement(trace), Ok(Some(_)))
    }

    fn ground_scope(&self) -> ProofScope {
        self.objects.map_or(ProofScope::WorldObjects, ProofScope::AtMost)
    }

    /// Searches a product whose objects are known for a trace that passes the check. Letters without states are excluded.
    fn ground<'w>(
        &self,
        prepare: impl FnOnce() -> Result<Prepared<'w>, String>,
        relation: impl Fn(&Prepared<'w>) -> Option<Relation>,
        check: &dyn Fn(&[Delta]) -> bool,
    ) -> Finding {
        let mut prepared = match prepare() {
            Ok(prepared) => prepared,
            Err(reason) => return Finding::Open(vec![reason]),
        };
        let mut excluded: Vec<Diagram> = Vec::new();
        loop {
            let Some(relation) = relation(&prepared) else {
                return Finding::Open(vec!["numbers are too large".to_owned()]);
            };
            let path = match search(&mut prepared, relation, &excluded) {
                Err(limit) => return Finding::Open(vec![limit.to_string()]),
                Ok(SearchResult::Holds) if excluded.is_empty() => return Finding::Holds(self.ground_scope()),
                Ok(SearchResult::HoldsWithinCounts) if excluded.is_empty() => {
                    return Finding::Open(vec![format!("no difference while counts are at most {MAX_COUNT}")]);
                }
                Ok(SearchResult::Holds | SearchResult::HoldsWithinCounts) => {
                    let named =
                        excluded.iter().take(NAMED_LETTERS).map(|&letter| letter_text(&prepared.letters, letter));
                    let letters: Vec<String> = named.collect();
                    return Finding::Open(vec![format!(
                        "a difference would need states for which none was found: {}",
                        letters.join("; ")
                    )]);
                }
                Ok(SearchResult::Differs(path)) => path,
            };
            match realize(&prepared.letters, self.replay.world, &path, self.first) {
                Ok(trace) if check(&trace) => return Finding::Differs(trace),
                Ok(_) => return Finding::Open(vec!["the games agree on the trace that was constructed".to_owned()]),
                Err(index) if excluded.len() < MAX_EXCLUDED_LETTERS => excluded.push(path[index]),
                Err(_) => return Finding::Open(vec![LimitExceeded::ExcludedLetters.to_string()]),
            }
        }
    }

    /// Returns the bindings of a preference; `None` if there are too many.
    fn bindings(&self, preference: &Preference) -> Option<Vec<Vec<ObjectId>>> {
        let letters = Letters::ground(self.replay.world, self.objects);
        let variables = variables(preference);
        let mut bindings: Vec<Vec<ObjectId>> = vec![Vec::new()];
        for &variable in &variables {
            let domain = letters.domain(&preference.scope, variable);
            let longer =
                bindings.iter().flat_map(|binding| domain.iter().map(|&object| [&binding[..], &[object]].concat()));
            bindings = longer.take(MAX_COMPARED_BINDINGS * 16 + 1).collect();
            if bindings.len() > MAX_COMPARED_BINDINGS * 16 {
                return None;
            }
        }
        let place = |variable: VarId| variables.iter().position(|&other| other == variable);
        bindings.retain(|binding| {
            preference.distinct.iter().all(|&(one, other)| {
                let object = |variable| place(variable).map(|index| binding[index]);
                object(one).is_none() || object(one) != object(other)
            })
        });
        (bindings.len() <= MAX_COMPARED_BINDINGS).then_some(bindings)
    }

    /// Builds the machines of preferences under bindings.
    fn machines(
        &self,
        preferences: &[&[(&Preference, Vec<Bound>)]; 2],
        mut letters: Letters<'g>,
    ) -> Result<Prepared<'g>, String> {
        let sides = [0, 1].map(|side: usize| -> Result<Side, String> {
            let setup = self.setup(side, &mut letters)?;
            let mut machines = Vec::new();
            for (preference, values) in preferences[side] {
                let mut scope = BoundScope::new(Arc::new(preference.scope.clone()), self.setup_name(side));
                for (&variable, value) in variables(preference).iter().zip(values) {
                    scope.bind(variable, value.clone());
                }
                let machine = Machine::new(preference, &scope, values, &mut letters);
                machines.push(machine.map_err(|limit| limit.to_string())?);
            }
            Ok(Side { machines, setup })
        });
        let [one, other] = sides;
        Ok(Prepared { letters, sides: [one?, other?] })
    }

    fn symbolic(&self) -> Letters<'g> {
        Letters::symbolic(self.replay.world)
    }

    fn ground_letters(&self) -> Letters<'g> {
        Letters::ground(self.replay.world, self.objects)
    }

    fn setup_name(&self, side: usize) -> &'static str {
        match side {
            _ if self.forms.has_equal_setups() => "",
            0 => " of the first game",
            _ => " of the second game",
        }
    }

    /// Returns the diagram of the states in which the setup of a game holds.
    fn setup(&self, side: usize, letters: &mut Letters<'_>) -> Result<Diagram, String> {
        let limit = |limit: LimitExceeded| limit.to_string();
        let Some(ScopedSetup { scope, setup }) = &self.replay.games[side].setup else { return Ok(Diagram::TRUE) };
        let bound = BoundScope::new(Arc::new(scope.clone()), self.setup_name(side));
        match memoryless(setup) {
            Some(condition) => letters.condition_if_present(&condition, &bound).map_err(limit),
            None if self.forms.has_equal_setups() => {
                // States are sought as if the setup had no memory; the trace is played with it.
                let condition =
                    BoundCondition { scope: bound.scope, bindings: Vec::new(), condition: momentary(setup) };
                let leaf = Leaf::Condition(Box::new(condition));
                letters.variable("(setup)".to_owned(), leaf).map_err(limit)
            }
            None => Err("the setups differ, and one has a memory".to_owned()),
        }
    }

    /// Compares the scores and the ends of the games.
    fn results(&self) -> Finding {
        let aspects = self.replay.aspects;
        if aspects.rewards {
            return Finding::Open(vec![
                "scores after each state are compared only by their form and on traces".to_owned(),
            ]);
        }
        let games = self.replay.games;
        let has_end = games.iter().any(|game| game.terminal.is_some());
        if !has_end && !aspects.score {
            return Finding::Holds(ProofScope::AnyObjects);
        }
        let linear = if has_end { [None, None] } else { games.map(|game| LinearScore::of(game)) };
        let linear = match linear {
            [Some(one), Some(other)] => Some([one, other]),
            _ => None,
        };
        if let Some(scores) = &linear
            && self.has_equal_scores_by_binding(scores)
        {
            return Finding::Holds(ProofScope::AnyObjects);
        }
        if linear.is_none() && !games.iter().all(|game| ExactScore::is_possible(game)) {
            return Finding::Open(vec![
                "scores or ends depend on measures, positions, time, or preferences for all objects".to_owned(),
            ]);
        }
        let mut machines: [Vec<(usize, Vec<ObjectId>)>; 2] = Default::default();
        for (side, game) in games.iter().enumerate() {
            let mut indices: Vec<usize> = counted(game).into_iter().map(|(_, index)| index).collect();
            indices.sort_unstable();
            indices.dedup();
            for index in indices {
                let Some(bindings) = self.bindings(&game.preferences[index]) else {
                    return Finding::Open(vec![LimitExceeded::ComparedBindings.to_string()]);
                };
                machines[side].extend(bindings.into_iter().map(|binding| (index, binding)));
            }
        }
        if machines.iter().map(Vec::len).sum::<usize>() > MAX_MACHINES {
            return Finding::Open(vec![LimitExceeded::Machines.to_string()]);
        }
        let relation = |_: &Prepared<'g>| {
            let Some(scores) = &linear else {
                let scores =
                    [0, 1].map(|side: usize| ExactScore::new(self.replay.world, games[side], machines[side].clone()));
                // Games that end in other states differ in everything that is counted later.
                let aspects = ExactAspects { score: aspects.score, end: aspects.end || !aspects.score };
                return Some(Relation::ExactScores(Box::new(scores), aspects));
            };
            let counted = |side: usize, term: &LinearTerm| {
                let all = machines[side].iter().enumerate();
                let counted = all.filter(|(_, (preference, binding))| {
                    let is_a = |(&object, &id)| self.replay.world.is_a(object, id);
                    *preference == term.preference && binding.iter().zip(&term.types).all(is_a)
                });
                counted.map(|(number, _)| number).collect()
            };
            LinearScores::new(scores, counted).map(Relation::LinearScores)
        };
        let prepare = || {
            let bound = [0, 1].map(|side: usize| {
                let of = machines[side].iter().map(|(index, binding)| {
                    let values = binding.iter().copied().map(Bound::Object).collect();
                    (&*games[side].preferences[*index], values)
                });
                of.collect::<Vec<(&Preference, Vec<Bound>)>>()
            });
            self.machines(&[&bound[0], &bound[1]], self.ground_letters())
        };
        let check = |trace: &[Delta]| matches!(self.replay.disagreement(trace), Ok(Some(_)));
        self.ground(prepare, relation, &check)
    }

    /// Whether the scores are the same because they are the same for each binding, whatever the objects.
    fn has_equal_scores_by_binding(&self, scores: &[LinearScore; 2]) -> bool {
        let world = self.replay.world;
        let mut machines: [Vec<(usize, &Preference)>; 2] = Default::default();
        for (side, score) in scores.iter().enumerate() {
            for term in &score.terms {
                if !machines[side].iter().any(|&(index, _)| index == term.preference) {
                    machines[side].push((term.preference, &self.replay.games[side].preferences[term.preference]));
                }
            }
        }
        let all = || machines.iter().flatten().map(|(_, preference)| *preference);
        let Some(any) = all().next() else { return false };
        let bindings = normal_form::bindings(world, any);
        let has_types = scores.iter().flat_map(|score| &score.terms).any(|term| !term.types.is_empty());
        if has_types || all().any(|preference| normal_form::bindings(world, preference) != bindings) {
            return false;
        }
        let number = |side: usize, preference| {
            machines[side].iter().position(|&(index, _)| index == preference).into_iter().collect()
        };
        let relation = LinearScores::new(scores, |side, term| number(side, term.preference));
        let symbols: Vec<Bound> = (0..variables(any).len()).map(|index| Bound::Symbol(format!("${index}"))).collect();
        let bound = machines
            .each_ref()
            .map(|machines| machines.iter().map(|&(_, preference)| (preference, symbols.clone())).collect::<Vec<_>>());
        let prepared = self.machines(&[&bound[0], &bound[1]], self.symbolic());
        let (Some(relation), Ok(mut prepared)) = (relation, prepared) else { return false };
        matches!(search(&mut prepared, Relation::LinearScores(relation), &[]), Ok(SearchResult::Holds))
    }
}

/// Returns the conditions of a letter.
fn letter_text(letters: &Letters<'_>, letter: Diagram) -> String {
    let values = letters.diagrams.assignment(letter, || false).into_iter();
    let texts = values.map(|(variable, value)| {
        let name = letters.leaf_name(variable);
        if value { name.to_owned() } else { format!("(not {name})") }
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Returns the variables that a preference binds, in order.
fn variables(preference: &Preference) -> Vec<VarId> {
    preference.external.iter().chain(&preference.inner).copied().collect()
}

fn relation(property: Property) -> Relation {
    match property {
        Property::SameSatisfactions => Relation::SameSatisfactions,
        Property::SameTruth => Relation::SameTruth,
        Property::SameCount => Relation::LinearScores(LinearScores::of_counts(CountKind::Disjoint)),
        Property::Implies { is_reversed } => Relation::Implication { is_reversed },
    }
}

fn search(
    prepared: &mut Prepared<'_>,
    relation: Relation,
    excluded: &[Diagram],
) -> Result<SearchResult, LimitExceeded> {
    // The letters stay, so that diagrams of one search can be excluded from the next.
    Product::new(&mut prepared.letters, prepared.sides.clone(), relation, excluded)?.search()
}

/// Returns the smaller of two sets of worlds.
fn wider(one: ProofScope, other: ProofScope) -> ProofScope {
    if one == ProofScope::AnyObjects { other } else { one }
}

/// Returns the finding of a comparison with several parts.
fn combined(parts: Vec<Finding>, mut scope: ProofScope) -> Finding {
    let mut reasons = Vec::new();
    let mut is_open = false;
    let mut shortest: Option<Vec<Delta>> = None;
    for part in parts {
        match part {
            Finding::Holds(of_part) => scope = wider(scope, of_part),
            Finding::Differs(trace) => {
                if shortest.as_ref().is_none_or(|shortest| trace.len() < shortest.len()) {
                    shortest = Some(trace);
                }
            }
            Finding::Open(why) => {
                is_open = true;
                reasons.extend(why);
            }
        }
    }
    match shortest {
        Some(trace) => Finding::Differs(trace),
        None if is_open => Finding::Open(reasons),
        None => Finding::Holds(scope),
    }
}

/// Returns a setup whose truth depends on the current state only as a condition; `None` for other setups.
fn memoryless(setup: &Setup) -> Option<Condition> {
    let all = |parts: &[Setup]| parts.iter().map(memoryless).collect::<Option<Vec<_>>>();
    match setup {
        Setup::And(parts) => all(parts).map(Condition::And),
        Setup::Or(parts) => all(parts).map(Condition::Or),
        Setup::Not(part) => memoryless(part).map(|part| Condition::Not(Box::new(part))),
        Setup::Forall(variables, body) => {
            memoryless(body).map(|body| Condition::Forall(variables.clone(), Box::new(body)))
        }
        // The condition of a statement is false while an object that it names is absent, which depends on the statement.
        Setup::Conserved(condition, _) => condition.named_objects().is_empty().then(|| condition.clone()),
        Setup::Exists(..) | Setup::Optional(..) => None,
    }
}

/// Returns the condition that a setup without memory has on a state.
fn momentary(setup: &Setup) -> Condition {
    let all = |parts: &[Setup]| parts.iter().map(momentary).collect();
    match setup {
        Setup::And(parts) => Condition::And(all(parts)),
        Setup::Or(parts) => Condition::Or(all(parts)),
        Setup::Not(part) => Condition::Not(Box::new(momentary(part))),
        Setup::Exists(variables, body) => Condition::Exists(variables.clone(), Box::new(momentary(body))),
        Setup::Forall(variables, body) => Condition::Forall(variables.clone(), Box::new(momentary(body))),
        Setup::Conserved(condition, _) | Setup::Optional(condition, _) => condition.clone(),
    }
}
