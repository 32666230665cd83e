//! Counting satisfactions as they come.

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::DVec3;
use goalspec_core::ids::{ObjectId, PreferenceId, TypeId};
use goalspec_core::movement::same_place;
use goalspec_core::program::{CountKind, Game, Score, Terminal};
use goalspec_core::score::{Query, Tally, visit_scores};
use goalspec_core::work::Work;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use crate::bits;
use crate::compile::{Compiled, Watch};
use crate::engine::Followed;

/// What the score and the terminal condition of a game ask, by preference.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) wanted: Vec<Wanted>,
    pub(crate) score_needs_time: bool,
    pub(crate) terminal_needs_time: bool,
}

/// What is asked of one preference.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// Lists of types that select external objects; the first selects everything.
    selections: Vec<Vec<TypeId>>,
    /// Whether single bindings of the external variables are asked for.
    external: bool,
    /// Whether it matters where objects are.
    pub(crate) positions: bool,
    /// Whether the score or the terminal condition counts it at all.
    pub(crate) counted: bool,
}

impl Counters {
    pub(crate) fn new(game: &Game) -> Self {
        let everything = || Wanted { selections: vec![Vec::new()], ..Wanted::default() };
        let mut counters = Self { wanted: game.preferences.iter().map(|_| everything()).collect(), ..Self::default() };
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

    /// Registers what a score asks; says whether it asks for the time.
    fn visit(&mut self, score: &Score, external: bool) -> bool {
        let mut all = |parts: &[Score]| parts.iter().fold(false, |time, part| time | self.visit(part, external));
        match score {
            Score::Number(_) | Score::TotalScore => false,
            Score::TotalTime => true,
            Score::Count { kind, preference, types, .. } => {
                let wanted = &mut self.wanted[preference.index()];
                wanted.counted = true;
                wanted.external |= external;
                wanted.positions |= matches!(kind, CountKind::UniquePositions | CountKind::SamePositions);
                if !wanted.selections.contains(types) {
                    wanted.selections.push(types.clone());
                }
                false
            }
            Score::Add(parts) | Score::Multiply(parts) | Score::AllEqual(parts) => all(parts),
            Score::Subtract(parts) | Score::Divide(parts, _) | Score::Compare(_, parts) => all(&parts[..]),
            Score::Negate(part) => self.visit(part, external),
            Score::ExternalMaximum(part, _) | Score::ExternalMinimum(part, _) => self.visit(part, true),
        }
    }

    pub(crate) fn positions(&self) -> bool {
        self.wanted.iter().any(|wanted| wanted.positions)
    }

    /// Bytes for counting one preference, without those that grow with what is found.
    pub(crate) fn bytes(watch: &Watch<'_>) -> u64 {
        let (holders, groups) = (watch.holders() as u64, watch.groups() as u64);
        4 * holders + 8 * holders.div_ceil(64) + 8 * groups.div_ceil(64)
    }
}

fn mentions_total_score(terminal: &Terminal) -> bool {
    fn in_score(score: &Score) -> bool {
        match score {
            Score::TotalScore => true,
            Score::Number(_) | Score::TotalTime | Score::Count { .. } => false,
            Score::Add(parts) | Score::Multiply(parts) | Score::AllEqual(parts) => parts.iter().any(in_score),
            Score::Subtract(parts) | Score::Divide(parts, _) | Score::Compare(_, parts) => parts.iter().any(in_score),
            Score::Negate(part) | Score::ExternalMaximum(part, _) | Score::ExternalMinimum(part, _) => in_score(part),
        }
    }
    let mut mentioned = false;
    visit_scores(terminal, &mut |score| mentioned |= in_score(score));
    mentioned
}

/// A satisfaction to be counted.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    /// What it binds, by number: a binding, or under `Forall` a binding of the external variables.
    pub(crate) holder: usize,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) measures: &'a [f64],
    /// The bound objects that stay in place, where that is asked for.
    pub(crate) stationary: &'a [(ObjectId, DVec3)],
}

/// Sums over the satisfactions of one selection.
#[derive(Debug, Clone, Default)]
struct Totals {
    overlapping: u64,
    disjoint: u64,
    holders: u64,
    groups: u64,
    measure: f64,
    positions: Positions,
}

/// Satisfactions whose stationary objects are the same and in the same places as those of the first.
#[derive(Debug, Clone)]
struct Alike {
    first: Box<[(ObjectId, DVec3)]>,
    members: u64,
}

/// Satisfactions by position.
#[derive(Debug, Clone, Default)]
struct Positions {
    used: FxHashMap<ObjectId, Vec<DVec3>>,
    unique: u64,
    alike: Vec<Alike>,
}

impl Positions {
    fn add(&mut self, stationary: &[(ObjectId, DVec3)]) {
        if stationary.is_empty() {
            return;
        }
        let fresh = |&(object, place): &(ObjectId, DVec3)| {
            self.used.get(&object).is_none_or(|places| !places.iter().any(|&other| same_place(place, other)))
        };
        if stationary.iter().all(fresh) {
            self.unique += 1;
            for &(object, place) in stationary {
                self.used.entry(object).or_default().push(place);
            }
        }
        let agrees = |first: &[(ObjectId, DVec3)]| {
            first.len() == stationary.len()
                && first.iter().zip(stationary).all(|(a, b)| a.0 == b.0 && same_place(a.1, b.1))
        };
        match self.alike.iter_mut().find(|alike| agrees(&alike.first)) {
            Some(alike) => alike.members += 1,
            None => self.alike.push(Alike { first: stationary.into(), members: 1 }),
        }
    }
}

/// What an event is new for.
#[derive(Debug, Clone, Copy)]
struct News {
    disjoint: bool,
    holder: bool,
    group: bool,
}

impl Totals {
    fn add(&mut self, event: &Event<'_>, news: News) {
        self.overlapping += 1;
        self.holders += u64::from(news.holder);
        self.groups += u64::from(news.group);
        if news.disjoint {
            self.disjoint += 1;
            self.measure += event.measures.iter().sum::<f64>();
        }
        self.positions.add(event.stationary);
    }

    fn value(&self, kind: CountKind) -> f64 {
        let count = match kind {
            CountKind::Disjoint => self.disjoint,
            CountKind::Overlapping => self.overlapping,
            CountKind::Once => u64::from(self.overlapping > 0),
            CountKind::OncePerObjects => self.holders,
            CountKind::OncePerExternalObjects => self.groups,
            CountKind::Measure => return self.measure,
            CountKind::UniquePositions => self.positions.unique,
            CountKind::SamePositions => self.positions.alike.iter().map(|alike| alike.members).max().unwrap_or(0),
        };
        count as f64
    }
}

/// What was counted of one preference.
#[derive(Debug)]
pub(crate) struct Account {
    /// By holder, the end of the last of its disjoint satisfactions; 0 before any.
    last_end: Vec<u32>,
    /// Holders with a satisfaction.
    holders: Vec<u64>,
    /// Bindings of the external variables with a satisfaction.
    groups: Vec<u64>,
    /// By selection.
    totals: Vec<Totals>,
    /// By binding of the external variables, where asked for.
    by_group: FxHashMap<usize, Totals>,
    /// What the external variables are bound to in satisfactions, where asked for.
    externals: BTreeSet<Vec<ObjectId>>,
    undo: Undo,
}

/// How to take back what was added since it was last said that it might have to be.
#[derive(Debug, Default)]
struct Undo {
    wanted: bool,
    /// The totals before; empty if nothing was added.
    totals: Vec<Totals>,
    /// Holders with the ends of their last disjoint satisfactions, and what was news.
    added: Vec<(usize, u32, News)>,
    /// Totals of bindings of the external variables before; `None`: there were none.
    by_group: Vec<(usize, Option<Totals>)>,
}

impl Account {
    pub(crate) fn new(watch: &Watch<'_>, wanted: &Wanted) -> Self {
        Self {
            last_end: vec![0; watch.holders()],
            holders: vec![0; bits::words(watch.holders())],
            groups: vec![0; bits::words(watch.groups())],
            totals: vec![Totals::default(); wanted.selections.len()],
            by_group: FxHashMap::default(),
            externals: BTreeSet::new(),
            undo: Undo::default(),
        }
    }

    /// From here on, what is added may have to be taken back, or not.
    pub(crate) fn checkpoint(&mut self, undoable: bool) {
        let Undo { wanted, totals, added, by_group } = &mut self.undo;
        *wanted = undoable;
        totals.clear();
        added.clear();
        by_group.clear();
    }

    /// Takes back what was added since the last checkpoint.
    pub(crate) fn undo(&mut self, plan: &Compiled<'_>, watch: &Watch<'_>) {
        if self.undo.added.is_empty() {
            return;
        }
        std::mem::swap(&mut self.totals, &mut self.undo.totals);
        for (holder, last_end, news) in self.undo.added.drain(..).rev() {
            let group = watch.group_of(holder);
            self.last_end[holder] = last_end;
            if news.holder {
                bits::put(&mut self.holders, holder, false);
            }
            if news.group {
                bits::put(&mut self.groups, group, false);
                self.externals.remove(&watch.group_objects(&plan.graph.domains, group));
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

    pub(crate) fn add(&mut self, plan: &Compiled<'_>, watch: &Watch<'_>, wanted: &Wanted, event: &Event<'_>) {
        let group = watch.group_of(event.holder);
        let last_end = self.last_end[event.holder];
        let news = News {
            disjoint: event.start > last_end,
            holder: bits::put(&mut self.holders, event.holder, true),
            group: bits::put(&mut self.groups, group, true),
        };
        if self.undo.wanted {
            if self.undo.added.is_empty() {
                self.undo.totals.clone_from(&self.totals);
            }
            self.undo.added.push((event.holder, last_end, news));
        }
        if news.disjoint {
            self.last_end[event.holder] = event.end;
        }
        let (all, selected) = self.totals.split_at_mut(1);
        all[0].add(event, news);
        if !selected.is_empty() {
            let objects = watch.group_objects(&plan.graph.domains, group);
            for (totals, types) in selected.iter_mut().zip(&wanted.selections[1..]) {
                if selects(plan.world, types, &objects) {
                    totals.add(event, news);
                }
            }
        }
        if wanted.external {
            if self.undo.wanted {
                self.undo.by_group.push((group, self.by_group.get(&group).cloned()));
            }
            self.by_group.entry(group).or_default().add(event, news);
            if news.group {
                self.externals.insert(watch.group_objects(&plan.graph.domains, group));
            }
        }
    }

    /// The sum over bindings of disjoint satisfactions.
    pub(crate) fn disjoint(&self) -> u64 {
        self.totals[0].disjoint
    }

    /// Whether there is any satisfaction.
    pub(crate) fn any(&self) -> bool {
        self.totals[0].overlapping > 0
    }

    fn count(&self, plan: &Compiled<'_>, query: &Query<'_>) -> f64 {
        let index = query.preference.index();
        let totals = match query.external {
            None => plan.counters.wanted[index].selections.iter().position(|types| types == query.types),
            Some(external) => {
                let group = plan.watches[index].group_numbered(&plan.graph.domains, external);
                let group = group.filter(|_| selects(plan.world, query.types, external));
                return group
                    .and_then(|group| self.by_group.get(&group))
                    .map_or(0.0, |totals| totals.value(query.kind));
            }
        };
        totals.map_or(0.0, |selection| self.totals[selection].value(query.kind))
    }
}

/// Whether the i-th object is of the i-th type.
fn selects(world: &World, types: &[TypeId], external: &[ObjectId]) -> bool {
    external.iter().zip(types).all(|(&object, &id)| world.is_a(object, id))
}

/// The answers of a run to the score.
pub(crate) struct Counted<'a> {
    pub(crate) plan: &'a Compiled<'a>,
    pub(crate) preferences: &'a [Followed],
    pub(crate) total_time: f64,
    pub(crate) work: &'a Work,
}

impl Tally for Counted<'_> {
    fn count(&self, query: &Query<'_>) -> f64 {
        self.preferences[query.preference.index()].account.count(self.plan, query)
    }

    fn satisfied_externals(&self, preference: PreferenceId) -> Cow<'_, BTreeSet<Vec<ObjectId>>> {
        Cow::Borrowed(&self.preferences[preference.index()].account.externals)
    }

    fn total_time(&self) -> f64 {
        self.total_time
    }

    fn work(&self) -> &Work {
        self.work
    }
}
