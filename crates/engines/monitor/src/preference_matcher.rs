//! The matching of one preference in one run.

use std::collections::BTreeMap;

use goalspec_core::condition::Scope;
use goalspec_core::evaluate::{self, Bindings, Context};
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::Attempt;
use goalspec_core::pattern::Pattern;
use goalspec_core::program::Quantifier;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bits;
use crate::compiled_game::{CompiledGame, CompiledPattern, CompiledPreference};
use crate::formula::{ConditionHistory, HistoryMark};
use crate::graph::NodeId;
use crate::graph_evaluator::GraphEvaluator;
use crate::sequence::{Letters, SequenceAutomaton, SequenceMatcher, StateHistory};

/// A satisfaction that ends in the present state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CompletedSatisfaction {
    /// The number of its holder: of its binding or, under `Forall`, of its binding of the external variables.
    pub(crate) holder: usize,
    pub(crate) start: u32,
    pub(crate) measures: SmallVec<[f64; 2]>,
}

/// The matching state of a preference.
#[derive(Debug, Default)]
struct MatchState {
    sequence: Option<SequenceMatcher>,
    /// Whether another state with the same truth values would change nothing.
    quiet: bool,
    /// Under `Forall`, the groups by binding of the external variables.
    groups: FxHashMap<usize, ForallGroup>,
}

// Implemented by hand so that `clone_from` reuses the memory.
impl Clone for MatchState {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        self.sequence.clone_from(&source.sequence);
        self.quiet = source.quiet;
        self.groups.clone_from(&source.groups);
    }
}

/// The assignments of the inner variables of a `Forall`, for one binding of the external ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct ForallGroup {
    /// The end of the latest satisfaction of the group; only satisfactions of bindings that start later count.
    since: u32,
    /// For each binding, the start and the measures of its latest satisfaction that counts.
    latest: BTreeMap<usize, (u32, SmallVec<[f64; 2]>)>,
}

/// The furthest position of an attempt.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FurthestPosition {
    position: usize,
    start: u32,
    failed_at: Option<u32>,
}

/// The progress of bindings: of the best one under `Exists`, of each under `Forall`.
pub(crate) type BindingProgress = BTreeMap<usize, ProgressEntry>;

/// An entry of [`BindingProgress`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgressEntry {
    furthest: FurthestPosition,
    /// The state in which the position was first reached.
    at: u32,
}

/// The matcher of one preference in a run.
#[derive(Debug, Clone)]
pub(crate) struct PreferenceMatcher {
    progress: MatchState,
    notes: ConditionHistory,
    reached: Option<BindingProgress>,
    /// The matching state before the present state, for preferences that may depend on that state being the last.
    before: UndoState,
    /// Whether the present state was undone; it is then processed even if nothing changes in it.
    again: bool,
    /// The satisfactions of single bindings that end in the present state, with their starts, if they are logged.
    matches: Option<Vec<(usize, u32)>>,
}

#[derive(Debug, Clone, Default)]
struct UndoState {
    /// Whether there is a state to undo.
    kept: bool,
    /// The previous progress; meaningless unless `concerned`.
    progress: MatchState,
    concerned: bool,
    notes: HistoryMark,
    reached: Option<BindingProgress>,
}

/// A state as seen by the matcher of a preference.
pub(crate) struct MatchContext<'a> {
    pub(crate) game: &'a CompiledGame,
    pub(crate) network: &'a mut GraphEvaluator,
    pub(crate) ctx: &'a Context<'a>,
    pub(crate) history: &'a StateHistory,
}

/// The letters of a sequence, evaluated in the graph on demand.
struct GraphLetters<'a, 'v, 'w> {
    view: &'v mut MatchContext<'a>,
    watch: &'w CompiledPreference,
    letters: &'w [NodeId],
}

impl Letters for GraphLetters<'_, '_, '_> {
    fn prepare(&mut self, letter: u32) {
        let MatchContext { game, network, ctx, .. } = self.view;
        network.update(&game.graph, ctx, self.letters[letter as usize]);
    }

    fn letter(&self, letter: u32) -> &[u64] {
        self.view.network.vector(&self.view.game.graph, self.letters[letter as usize])
    }

    fn measure(&self, position: usize, binding: usize) -> f64 {
        let (CompiledPattern::Sequence { source, .. }, Pattern::Sequence(phases)) =
            (&self.watch.pattern, &self.watch.preference.pattern)
        else {
            return f64::NAN;
        };
        let scope: &Scope = &self.watch.preference.scope;
        let mut bindings = Bindings::new(scope);
        let objects = self.watch.space.objects(&self.view.game.graph.domains, binding);
        for (&variable, object) in self.watch.variables.iter().zip(objects) {
            bindings.bind(variable, object);
        }
        // The letter holds only if the measure has a value.
        source.positions()[position]
            .measure(phases)
            .and_then(|measure| evaluate::expression(self.view.ctx, measure, &bindings))
            .unwrap_or(f64::NAN)
    }
}

impl PreferenceMatcher {
    pub(crate) fn new(compiled: &CompiledPreference, explain: bool) -> Self {
        let sequence = match &compiled.pattern {
            CompiledPattern::Sequence { automaton, .. } => Some(SequenceMatcher::new(automaton, compiled.bindings())),
            _ => None,
        };
        let progress = MatchState { sequence, quiet: false, groups: FxHashMap::default() };
        Self {
            progress,
            notes: ConditionHistory::default(),
            reached: explain.then(BindingProgress::new),
            before: UndoState::default(),
            again: false,
            matches: None,
        }
    }

    /// Logs the satisfactions of single bindings from now on.
    pub(crate) fn log_matches(&mut self) {
        self.matches = Some(Vec::new());
    }

    /// Returns the satisfactions of single bindings that end in the present state, each with its start; empty unless they are logged.
    pub(crate) fn matches(&self) -> &[(usize, u32)] {
        self.matches.as_deref().unwrap_or_default()
    }

    /// Prepares for a new state: the previous one can no longer be undone, and its satisfactions are no longer logged.
    pub(crate) fn begin(&mut self) {
        self.before.kept = false;
        self.clear_matches();
    }

    fn clear_matches(&mut self) {
        if let Some(matches) = &mut self.matches {
            matches.clear();
        }
    }

    /// Returns the fraction of positions that the most advanced attempt in progress has passed.
    pub(crate) fn attempt_progress(&self) -> f64 {
        self.progress.sequence.as_ref().map_or(0.0, SequenceMatcher::attempt_progress)
    }

    /// Returns the attempts at a sequence; `None` for other patterns.
    pub(crate) fn sequence(&self) -> Option<&SequenceMatcher> {
        self.progress.sequence.as_ref()
    }

    /// Returns the earliest state in which a future satisfaction can start.
    pub(crate) fn oldest(&self, compiled: &CompiledPreference, history: &StateHistory) -> u32 {
        let attempts = match (&compiled.pattern, &self.progress.sequence) {
            (CompiledPattern::Sequence { automaton, .. }, Some(sequence)) => {
                sequence.earliest_start_bound(automaton, history)
            }
            (CompiledPattern::NoBinding | CompiledPattern::AtEnd(_), _) => u32::MAX,
            _ => 1,
        };
        let parts = self.progress.groups.values().flat_map(|group| group.latest.values().map(|&(start, _)| start));
        parts.fold(attempts, u32::min)
    }

    /// Undoes the present state.
    pub(crate) fn undo(&mut self) {
        self.clear_matches();
        let UndoState { kept, progress, concerned, notes, reached } = &mut self.before;
        if std::mem::take(kept) {
            self.again = true;
            if *concerned {
                std::mem::swap(&mut self.progress, progress);
            }
            self.notes.truncate(*notes);
            std::mem::swap(&mut self.reached, reached);
        }
    }

    /// Processes a state in which the setup holds, and appends the satisfactions that end in it to `completed`, in order of the bindings.
    /// `undoable` is whether the state may have to be undone.
    pub(crate) fn process_state(
        &mut self,
        view: &mut MatchContext<'_>,
        compiled: &CompiledPreference,
        index: usize,
        now: u32,
        undoable: bool,
        completed: &mut Vec<CompletedSatisfaction>,
    ) {
        if undoable {
            self.before.kept = true;
            self.before.concerned = false;
            self.before.notes = self.notes.mark();
            self.before.reached.clone_from(&self.reached);
        }
        let woken = view.network.take_woken(index) | std::mem::take(&mut self.again);
        match &compiled.pattern {
            CompiledPattern::Sequence { automaton, letters, .. } => {
                if woken || !self.progress.quiet {
                    if undoable {
                        self.before.concerned = true;
                        self.before.progress.clone_from(&self.progress);
                    }
                    self.step(view, compiled, automaton, letters, now, completed);
                }
                if self.reached.is_some() && compiled.preference.quantifier == Quantifier::Forall {
                    view.ctx.spend((compiled.bindings() * automaton.positions().len()) as u64);
                }
                self.update_progress(compiled, automaton, view.history, now);
            }
            CompiledPattern::Formula { conditions, .. } => {
                self.notes.record(woken, || {
                    let mut row = Vec::new();
                    for &node in conditions {
                        view.network.update(&view.game.graph, view.ctx, node);
                        row.extend_from_slice(view.network.vector(&view.game.graph, node));
                    }
                    // Accounts for the evaluation at the end, which visits the recorded row once per node of the formula.
                    view.ctx.spend(8 * row.len() as u64);
                    row.into()
                });
            }
            CompiledPattern::NoBinding | CompiledPattern::AtEnd(_) => {}
        }
    }

    fn step(
        &mut self,
        view: &mut MatchContext<'_>,
        compiled: &CompiledPreference,
        automaton: &SequenceAutomaton,
        letters: &[NodeId],
        now: u32,
        completed: &mut Vec<CompletedSatisfaction>,
    ) {
        let Self { progress, matches, .. } = self;
        let MatchState { sequence: Some(sequence), quiet, groups } = progress else { return };
        let history = view.history;
        view.ctx.spend((bits::words(compiled.bindings()) * automaton.positions().len()) as u64);
        let mut lookup = GraphLetters { view, watch: compiled, letters };
        let moved = sequence.step(automaton, &mut lookup, history, &mut |found| {
            if let Some(matches) = matches {
                matches.push((found.binding, found.start));
            }
            let measures = found.measures.iter().map(|measure| measure.value).collect();
            add_satisfaction(compiled, groups, found.binding, found.start, now, measures, completed);
        });
        *quiet = !moved;
    }

    /// Appends the satisfactions that end with the play in its last state, `now`; `setup_holds` is whether the setup holds in it.
    pub(crate) fn process_end(
        &mut self,
        view: &mut MatchContext<'_>,
        compiled: &CompiledPreference,
        now: u32,
        setup_holds: bool,
        completed: &mut Vec<CompletedSatisfaction>,
    ) {
        let (satisfied, start) = match &compiled.pattern {
            CompiledPattern::AtEnd(node) if setup_holds => {
                view.network.update(&view.game.graph, view.ctx, *node);
                (view.network.vector(&view.game.graph, *node).to_vec(), now)
            }
            CompiledPattern::Formula { valid, .. } => {
                let Pattern::Formula(formula) = &compiled.preference.pattern else { return };
                view.network.update(&view.game.graph, view.ctx, *valid);
                let mut holds = self.notes.holds(formula, bits::words(compiled.bindings()));
                let valid = view.network.vector(&view.game.graph, *valid);
                holds.iter_mut().zip(valid).for_each(|(word, valid)| *word &= valid);
                (holds, 1)
            }
            _ => return,
        };
        for binding in bits::ones(&satisfied) {
            if let Some(matches) = &mut self.matches {
                matches.push((binding, start));
            }
            add_satisfaction(compiled, &mut self.progress.groups, binding, start, now, SmallVec::new(), completed);
        }
    }

    /// Updates the progress of the bindings with the state `now`, if it is tracked.
    fn update_progress(
        &mut self,
        compiled: &CompiledPreference,
        automaton: &SequenceAutomaton,
        history: &StateHistory,
        now: u32,
    ) {
        let (Some(reached), Some(sequence)) = (&mut self.reached, &self.progress.sequence) else { return };
        for (&binding, entry) in reached.iter_mut() {
            let FurthestPosition { position, failed_at, .. } = &mut entry.furthest;
            // An attempt at its furthest position can only stay there: any move would take it further.
            let stays = automaton.positions()[*position].repeats
                && sequence.start(automaton, *position, binding, history).is_some();
            if failed_at.is_none() && !stays {
                *failed_at = Some(now);
            }
        }
        let entry = |position, start| ProgressEntry {
            furthest: FurthestPosition { position, start, failed_at: None },
            at: now,
        };
        match compiled.preference.quantifier {
            Quantifier::Exists => {
                if let Some((position, binding, start)) = sequence.furthest(automaton, history)
                    && reached.values().all(|known| known.furthest.position < position)
                {
                    reached.clear();
                    reached.insert(binding, entry(position, start));
                }
            }
            Quantifier::Forall => {
                for binding in 0..compiled.bindings() {
                    let positions = (0..automaton.positions().len()).rev();
                    let mut starts = positions.filter_map(|position| {
                        Some((position, sequence.start(automaton, position, binding, history)?))
                    });
                    if let Some((position, start)) = starts.next()
                        && reached.get(&binding).is_none_or(|known| known.furthest.position < position)
                    {
                        reached.insert(binding, entry(position, start));
                    }
                }
            }
        }
    }

    /// Returns the best attempt at a preference that was not satisfied; `last` is the last state in which the preference was matched.
    pub(crate) fn attempt(&self, game: &CompiledGame, compiled: &CompiledPreference, last: u32) -> Option<Attempt> {
        let domains = &game.graph.domains;
        let open = |binding: usize| {
            let group = self.progress.groups.get(&(binding / compiled.group_size.max(1)));
            group.is_none_or(|group| !group.latest.contains_key(&binding))
        };
        let reached = self.reached.as_ref()?.iter().filter(|&(&binding, _)| open(binding));
        let best = reached.max_by_key(|&(&binding, reach)| {
            (reach.furthest.position, std::cmp::Reverse(reach.at), std::cmp::Reverse(binding))
        });
        let (objects, position, (phase, events), start, failed_at) =
            if let (CompiledPattern::Sequence { stuck_at, .. }, Some((&binding, reach))) = (&compiled.pattern, best) {
                let FurthestPosition { position, start, failed_at } = reach.furthest;
                (compiled.objects(domains, binding), position, stuck_at[position], start, failed_at.unwrap_or(last))
            } else {
                (first_open(game, compiled, open)?, 0, (0, 0), 0, last)
            };
        let name = |(&variable, object)| (compiled.preference.scope.get(variable).name.clone(), object);
        Some(Attempt {
            binding: compiled.variables.iter().zip(objects).map(name).collect(),
            phase,
            events,
            position,
            start: u64::from(start),
            failed_at: u64::from(failed_at),
            evidence: Vec::new(),
        })
    }
}

/// Returns the objects of the first binding or, under `Forall`, of the first open one.
fn first_open(
    game: &CompiledGame,
    compiled: &CompiledPreference,
    open: impl Fn(usize) -> bool,
) -> Option<Vec<ObjectId>> {
    match compiled.preference.quantifier {
        Quantifier::Exists => compiled.first_binding.clone(),
        Quantifier::Forall => {
            let valid =
                |&binding: &usize| compiled.distinct_bindings.as_ref().is_none_or(|valid| bits::get(valid, binding));
            let binding = (0..compiled.bindings()).filter(valid).find(|&binding| open(binding))?;
            Some(compiled.objects(&game.graph.domains, binding))
        }
    }
}

/// Appends the satisfaction of a binding or, under `Forall`, that of its group if it is now complete.
pub(crate) fn add_satisfaction(
    compiled: &CompiledPreference,
    groups: &mut FxHashMap<usize, ForallGroup>,
    binding: usize,
    start: u32,
    now: u32,
    measures: SmallVec<[f64; 2]>,
    completed: &mut Vec<CompletedSatisfaction>,
) {
    if compiled.preference.quantifier == Quantifier::Exists {
        completed.push(CompletedSatisfaction { holder: binding, start, measures });
        return;
    }
    let number = binding / compiled.group_size;
    let group = groups.entry(number).or_default();
    if start <= group.since {
        return;
    }
    group.latest.insert(binding, (start, measures));
    let members = match &compiled.distinct_bindings {
        None => compiled.group_size as u64,
        Some(valid) => bits::count_in_range(valid, number * compiled.group_size, compiled.group_size),
    };
    if group.latest.len() as u64 == members {
        let latest = std::mem::take(&mut group.latest);
        group.since = now;
        let start = latest.values().map(|&(start, _)| start).min().unwrap_or(now);
        let measures = latest.into_values().flat_map(|(_, measures)| measures).collect();
        completed.push(CompletedSatisfaction { holder: number, start, measures });
    }
}
