//! Incremental counting of satisfactions for scores and terminal conditions.

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::DVec3;
use goalspec_core::ids::{ObjectId, PreferenceId, TypeId};
use goalspec_core::monitor::ElapsedTime;
use goalspec_core::movement::same_position;
use goalspec_core::program::{CountOperator, Game, ScoreExpression, TerminalCondition};
use goalspec_core::score::{CountQuery, SatisfactionCounts, visit_scores};
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use crate::bits;
use crate::compiled_game::{CompiledGame, CompiledPreference};
use crate::tally::PreferenceTally;

/// The counts that the score and the terminal condition of a game require, by preference.
#[derive(Debug, Default)]
pub(crate) struct CountRequirements {
    pub(crate) required: Vec<RequiredCounts>,
    pub(crate) score_needs_time: bool,
    pub(crate) terminal_needs_time: bool,
}

/// A counting operator that the score or the terminal condition applies to a preference.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequiredCount {
    pub(crate) kind: CountOperator,
    /// The types that select satisfactions by their external objects.
    pub(crate) types: Vec<TypeId>,
    /// Whether the count is required for single bindings of the external variables.
    pub(crate) external: bool,
}

/// The counts required of one preference.
#[derive(Debug, Default)]
pub(crate) struct RequiredCounts {
    /// The counts, in source order and without repetitions.
    pub(crate) counts: Vec<RequiredCount>,
    /// Lists of types that select satisfactions by their external objects; the first list is empty and selects all of them.
    selections: Vec<Vec<TypeId>>,
    /// Whether counts for single bindings of the external variables are required.
    external: bool,
    /// Whether counts depend on the positions of objects.
    pub(crate) positions: bool,
    /// Whether the score or the terminal condition counts the preference at all.
    pub(crate) counted: bool,
}

impl CountRequirements {
    pub(crate) fn new(game: &Game) -> Self {
        let everything = || RequiredCounts { selections: vec![Vec::new()], ..RequiredCounts::default() };
        let mut counters =
            Self { required: game.preferences.iter().map(|_| everything()).collect(), ..Self::default() };
        counters.score_needs_time = counters.visit(&game.score, false);
        let score_needs_time = counters.score_needs_time;
        let mut terminal_needs_time = false;
        if let Some(terminal) = &game.terminal {
            visit_scores(terminal, &mut |score| terminal_needs_time |= counters.visit(score, false));
            terminal_needs_time |= score_needs_time && mentions_total_score(terminal);
        }
        counters.terminal_needs_time = terminal_needs_time;
        counters
    }

    /// Registers the counts that a score requires. Returns whether the score depends on the total time.
    fn visit(&mut self, score: &ScoreExpression, external: bool) -> bool {
        let mut all =
            |parts: &[ScoreExpression]| parts.iter().fold(false, |time, part| time | self.visit(part, external));
        match score {
            ScoreExpression::Number(_) | ScoreExpression::TotalScore => false,
            ScoreExpression::TotalTime => true,
            ScoreExpression::Count { kind, preference, types, .. } => {
                let required = &mut self.required[preference.index()];
                required.counted = true;
                required.external |= external;
                required.positions |= matches!(kind, CountOperator::UniquePositions | CountOperator::SamePositions);
                let count = RequiredCount { kind: *kind, types: types.clone(), external };
                if !required.counts.contains(&count) {
                    required.counts.push(count);
                }
                if !required.selections.contains(types) {
                    required.selections.push(types.clone());
                }
                false
            }
            ScoreExpression::Add(parts) | ScoreExpression::Multiply(parts) | ScoreExpression::AllEqual(parts) => {
                all(parts)
            }
            ScoreExpression::Subtract(parts)
            | ScoreExpression::Divide(parts, _)
            | ScoreExpression::Compare(_, parts) => all(&parts[..]),
            ScoreExpression::Negate(part) => self.visit(part, external),
            ScoreExpression::ExternalMaximum(part, _) | ScoreExpression::ExternalMinimum(part, _) => {
                self.visit(part, true)
            }
        }
    }

    pub(crate) fn positions(&self) -> bool {
        self.required.iter().any(|required| required.positions)
    }

    /// Returns the memory for counting one preference in bytes, without the part that grows with the number of satisfactions.
    pub(crate) fn bytes(compiled: &CompiledPreference) -> u64 {
        let (holders, groups) = (compiled.holders() as u64, compiled.groups() as u64);
        4 * holders + 8 * holders.div_ceil(64) + 8 * groups.div_ceil(64)
    }
}

fn mentions_total_score(terminal: &TerminalCondition) -> bool {
    fn in_score(score: &ScoreExpression) -> bool {
        match score {
            ScoreExpression::TotalScore => true,
            ScoreExpression::Number(_) | ScoreExpression::TotalTime | ScoreExpression::Count { .. } => false,
            ScoreExpression::Add(parts) | ScoreExpression::Multiply(parts) | ScoreExpression::AllEqual(parts) => {
                parts.iter().any(in_score)
            }
            ScoreExpression::Subtract(parts)
            | ScoreExpression::Divide(parts, _)
            | ScoreExpression::Compare(_, parts) => parts.iter().any(in_score),
            ScoreExpression::Negate(part)
            | ScoreExpression::ExternalMaximum(part, _)
            | ScoreExpression::ExternalMinimum(part, _) => in_score(part),
        }
    }
    let mut found = false;
    visit_scores(terminal, &mut |score| found |= in_score(score));
    found
}

/// A satisfaction to be counted.
#[derive(Debug)]
pub(crate) struct CountedSatisfaction<'a> {
    /// The number of its holder: of its binding or, under `Forall`, of its binding of the external variables.
    pub(crate) holder: usize,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) measures: &'a [f64],
    /// The bound objects that stay in place during the satisfaction, with their positions; empty unless positions are required.
    pub(crate) stationary: &'a [(ObjectId, DVec3)],
}

/// The counts over the satisfactions of one selection.
#[derive(Debug, Clone, Default)]
struct Totals {
    overlapping: u64,
    disjoint: u64,
    holders: u64,
    groups: u64,
    measure: f64,
    positions: PositionCounts,
}

/// A class of satisfactions whose stationary objects are the same, in the same places, as those of its first member.
#[derive(Debug, Clone)]
struct PositionClass {
    first: Box<[(ObjectId, DVec3)]>,
    members: u64,
}

/// The counts of satisfactions by the positions of their stationary objects.
#[derive(Debug, Clone, Default)]
struct PositionCounts {
    used: FxHashMap<ObjectId, Vec<DVec3>>,
    unique: u64,
    alike: Vec<PositionClass>,
}

impl PositionCounts {
    fn add(&mut self, stationary: &[(ObjectId, DVec3)]) {
        if stationary.is_empty() {
            return;
        }
        let is_new = |&(object, place): &(ObjectId, DVec3)| {
            self.used.get(&object).is_none_or(|places| !places.iter().any(|&other| same_position(place, other)))
        };
        if stationary.iter().all(is_new) {
            self.unique += 1;
            for &(object, place) in stationary {
                self.used.entry(object).or_default().push(place);
            }
        }
        let agrees = |first: &[(ObjectId, DVec3)]| {
            first.len() == stationary.len()
                && first.iter().zip(stationary).all(|(a, b)| a.0 == b.0 && same_position(a.1, b.1))
        };
        match self.alike.iter_mut().find(|alike| agrees(&alike.first)) {
            Some(alike) => alike.members += 1,
            None => self.alike.push(PositionClass { first: stationary.into(), members: 1 }),
        }
    }
}

/// Whether an event is disjoint from the previous events of its holder, the first of its holder, and the first of its group.
#[derive(Debug, Clone, Copy)]
struct EventFlags {
    disjoint: bool,
    holder: bool,
    group: bool,
}

impl Totals {
    fn add(&mut self, event: &CountedSatisfaction<'_>, flags: EventFlags) {
        self.overlapping += 1;
        self.holders += u64::from(flags.holder);
        self.groups += u64::from(flags.group);
        if flags.disjoint {
            self.disjoint += 1;
            self.measure += event.measures.iter().sum::<f64>();
        }
        self.positions.add(event.stationary);
    }

    fn value(&self, kind: CountOperator) -> f64 {
        let count = match kind {
            CountOperator::Disjoint => self.disjoint,
            CountOperator::Overlapping => self.overlapping,
            CountOperator::Once => u64::from(self.overlapping > 0),
            CountOperator::OncePerObjects => self.holders,
            CountOperator::OncePerExternalObjects => self.groups,
            CountOperator::Measure => return self.measure,
            CountOperator::UniquePositions => self.positions.unique,
            CountOperator::SamePositions => self.positions.alike.iter().map(|alike| alike.members).max().unwrap_or(0),
        };
        count as f64
    }
}

/// The counter of the satisfactions of one preference.
#[derive(Debug, Clone)]
pub(crate) struct SatisfactionCounter {
    /// For each holder, the end of its last disjoint satisfaction; 0 if there is none.
    last_end: Vec<u32>,
    /// The holders with a satisfaction, one bit each.
    holders: Vec<u64>,
    /// The bindings of the external variables with a satisfaction, one bit each.
    groups: Vec<u64>,
    /// The totals of each selection.
    totals: Vec<Totals>,
    /// The totals of each binding of the external variables, if required.
    by_group: FxHashMap<usize, Totals>,
    /// The objects bound to the external variables in satisfactions, if required.
    externals: BTreeSet<Vec<ObjectId>>,
    undo: UndoLog,
}

/// A log for undoing the additions since the last checkpoint.
#[derive(Debug, Clone, Default)]
struct UndoLog {
    is_undoable: bool,
    /// The totals at the checkpoint; empty if nothing has been added since.
    totals: Vec<Totals>,
    /// The holders of the additions, each with the previous end of its last disjoint satisfaction, and the flags of the event.
    added: Vec<(usize, u32, EventFlags)>,
    /// The previous totals of bindings of the external variables; `None` if there were none.
    by_group: Vec<(usize, Option<Totals>)>,
}

impl SatisfactionCounter {
    pub(crate) fn new(compiled: &CompiledPreference, required: &RequiredCounts) -> Self {
        Self {
            last_end: vec![0; compiled.holders()],
            holders: vec![0; bits::words(compiled.holders())],
            groups: vec![0; bits::words(compiled.groups())],
            totals: vec![Totals::default(); required.selections.len()],
            by_group: FxHashMap::default(),
            externals: BTreeSet::new(),
            undo: UndoLog::default(),
        }
    }

    /// Starts a new undo log; `undoable` is whether the additions from here on may have to be undone.
    pub(crate) fn checkpoint(&mut self, undoable: bool) {
        let UndoLog { is_undoable, totals, added, by_group } = &mut self.undo;
        *is_undoable = undoable;
        totals.clear();
        added.clear();
        by_group.clear();
    }

    /// Undoes the additions since the last checkpoint.
    pub(crate) fn undo(&mut self, game: &CompiledGame, compiled: &CompiledPreference) {
        if self.undo.added.is_empty() {
            return;
        }
        std::mem::swap(&mut self.totals, &mut self.undo.totals);
        for (holder, last_end, flags) in self.undo.added.drain(..).rev() {
            let group = compiled.group_of(holder);
            self.last_end[holder] = last_end;
            if flags.holder {
                bits::put(&mut self.holders, holder, false);
            }
            if flags.group {
                bits::put(&mut self.groups, group, false);
                self.externals.remove(&compiled.group_objects(&game.graph.domains, group));
            }
        }
        for (group, before) in self.undo.by_group.drain(..).rev() {
            match before {
                Some(totals) => self.by_group.insert(group, totals),
                None => self.by_group.remove(&group),
            };
        }
        self.checkpoint(false);
    }

    pub(crate) fn add(
        &mut self,
        game: &CompiledGame,
        compiled: &CompiledPreference,
        required: &RequiredCounts,
        event: &CountedSatisfaction<'_>,
    ) {
        let group = compiled.group_of(event.holder);
        let last_end = self.last_end[event.holder];
        let flags = EventFlags {
            disjoint: event.start > last_end,
            holder: bits::put(&mut self.holders, event.holder, true),
            group: bits::put(&mut self.groups, group, true),
        };
        if self.undo.is_undoable {
            if self.undo.added.is_empty() {
                self.undo.totals.clone_from(&self.totals);
            }
            self.undo.added.push((event.holder, last_end, flags));
        }
        if flags.disjoint {
            self.last_end[event.holder] = event.end;
        }
        let (all, selected) = self.totals.split_at_mut(1);
        all[0].add(event, flags);
        if !selected.is_empty() {
            let objects = compiled.group_objects(&game.graph.domains, group);
            for (totals, types) in selected.iter_mut().zip(&required.selections[1..]) {
                if selects(&game.world, types, &objects) {
                    totals.add(event, flags);
                }
            }
        }
        if required.external {
            if self.undo.is_undoable {
                self.undo.by_group.push((group, self.by_group.get(&group).cloned()));
            }
            self.by_group.entry(group).or_default().add(event, flags);
            if flags.group {
                self.externals.insert(compiled.group_objects(&game.graph.domains, group));
            }
        }
    }

    /// Returns the sum over bindings of the numbers of disjoint satisfactions.
    pub(crate) fn disjoint(&self) -> u64 {
        self.totals[0].disjoint
    }

    /// Returns the end of a holder's last disjoint satisfaction; 0 if there is none.
    pub(crate) fn last_end(&self, holder: usize) -> u32 {
        self.last_end[holder]
    }

    /// Whether a holder has a satisfaction.
    pub(crate) fn has_satisfied(&self, holder: usize) -> bool {
        bits::get(&self.holders, holder)
    }

    /// Whether a binding of the external variables has a satisfaction.
    pub(crate) fn has_satisfied_group(&self, group: usize) -> bool {
        bits::get(&self.groups, group)
    }

    /// Whether there is any satisfaction.
    pub(crate) fn any(&self) -> bool {
        self.totals[0].overlapping > 0
    }

    fn count(&self, game: &CompiledGame, query: &CountQuery<'_>) -> f64 {
        let index = query.preference.index();
        let totals = match query.external {
            None => game.counters.required[index].selections.iter().position(|types| types == query.types),
            Some(external) => {
                let group = game.preferences[index].group_numbered(&game.graph.domains, external);
                let group = group.filter(|_| selects(&game.world, query.types, external));
                return group
                    .and_then(|group| self.by_group.get(&group))
                    .map_or(0.0, |totals| totals.value(query.kind));
            }
        };
        totals.map_or(0.0, |selection| self.totals[selection].value(query.kind))
    }
}

/// Whether each object is of the type at the same position.
fn selects(world: &World, types: &[TypeId], external: &[ObjectId]) -> bool {
    external.iter().zip(types).all(|(&object, &id)| world.is_a(object, id))
}

/// The counts of a run, in the form that the score queries.
pub(crate) struct RunTally<'a> {
    game: &'a CompiledGame,
    pub(crate) preferences: &'a [PreferenceTally],
    total_time: f64,
    work: &'a WorkBudget,
}

impl<'a> RunTally<'a> {
    /// Returns the counts after `states` states.
    pub(crate) fn new(
        game: &'a CompiledGame,
        preferences: &'a [PreferenceTally],
        elapsed: ElapsedTime,
        states: u32,
        work: &'a WorkBudget,
    ) -> Self {
        Self { game, preferences, total_time: elapsed.seconds().unwrap_or(f64::from(states)), work }
    }
}

impl SatisfactionCounts for RunTally<'_> {
    fn count(&self, query: &CountQuery<'_>) -> f64 {
        self.preferences[query.preference.index()].counter.count(self.game, query)
    }

    fn satisfied_external_bindings(&self, preference: PreferenceId) -> Cow<'_, BTreeSet<Vec<ObjectId>>> {
        Cow::Borrowed(&self.preferences[preference.index()].counter.externals)
    }

    fn total_time(&self) -> f64 {
        self.total_time
    }

    fn work(&self) -> &WorkBudget {
        self.work
    }
}
