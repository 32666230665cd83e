//! Games: recorded plays, plans and proofs, for the setup and each preference by itself.

use std::sync::Arc;

use goalspec_core::condition::{Condition, Expression};
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::{GameReport, Satisfaction};
use goalspec_core::pattern::Pattern;
use goalspec_core::program::{Game, Quantifier};
use goalspec_core::truth::pattern_conditions;
use goalspec_core::world::World;
use goalspec_equivalence::games::ProofScope;
use goalspec_equivalence::proof_of_impossibility;
use goalspec_game::resolve::is_extensible;
use goalspec_trace::TraceInput;
use rustc_hash::FxHashMap;

use super::plans;
use super::{OperatorStates, PartVerdict, Playability, PlayabilityOptions, PlayablePart, ProgramPart, Witness};
use crate::lanes::{BindingLane, GameLanes, ProgramLanes};
use crate::library::Library;
use crate::program::{Program, ProgramContent};
use crate::report::ProgramReport;
use crate::scoring::{CompiledPrograms, ProgramOutcome, ScoringOptions};

/// The reason of a part that a play achieves in the first pass only, since a limit ended the second one.
const NOT_REPLAYED: &str = "a recorded play achieves it, but a second pass over the play was not completed";

/// The recorded plays that achieve a part.
#[derive(Debug, Clone, Default)]
struct RecordedPlays {
    /// The number of plays.
    count: u64,
    /// The index of the first play.
    first: Option<usize>,
}

impl RecordedPlays {
    fn add(&mut self, play: usize) {
        self.count += 1;
        self.first.get_or_insert(play);
    }
}

/// A game, and what recorded plays show of it.
struct JudgedGame<'p> {
    program: &'p Program,
    /// The game without its setup and its end, so that each preference is judged by itself.
    alone: Program,
    setup: RecordedPlays,
    preferences: Vec<RecordedPlays>,
    /// Whether each preference is about the objects of the setup, so that it is judged together with it.
    needs_setup: Vec<bool>,
    complete_play: Option<Arc<str>>,
    /// The number of plays that were scored.
    scored: usize,
    /// The indices of the others, each with the reason.
    unscored: Vec<(usize, String)>,
    /// The reasons why plays say less than they could.
    problems: Vec<String>,
}

impl<'p> JudgedGame<'p> {
    fn new(program: &'p Program) -> Option<Self> {
        let game = program.game()?;
        let alone = without_setup_and_end(program);
        let preferences = vec![RecordedPlays::default(); game.preferences.len()];
        let world = program.world.as_deref()?;
        let needs_setup = game.preferences.iter().map(|own| is_about_setup(world, &own.pattern)).collect();
        let (setup, complete_play, scored) = (RecordedPlays::default(), None, 0);
        let (unscored, problems) = (Vec::new(), Vec::new());
        Some(Self { program, alone, setup, preferences, needs_setup, complete_play, scored, unscored, problems })
    }

    fn game(&self) -> Option<&Arc<Game>> {
        self.program.game()
    }

    fn has_setup(&self) -> bool {
        self.game().is_some_and(|game| game.setup.is_some())
    }

    /// Adds the outcome of the whole game on a play.
    fn add_whole(&mut self, play: usize, trace: &Arc<str>, report: &GameReport) {
        if report.setup_met {
            self.setup.add(play);
        }
        self.add_preferences(play, report, true);
        let is_satisfied = report.preferences.iter().all(|own| !own.satisfactions.is_empty());
        let is_complete = report.setup_met && is_satisfied;
        if is_complete && !report.preferences.is_empty() {
            self.complete_play.get_or_insert_with(|| Arc::clone(trace));
        }
    }

    /// Adds the outcome of the preferences that are judged with the setup, or of the others by themselves, on a play.
    fn add_preferences(&mut self, play: usize, report: &GameReport, with_setup: bool) {
        for (index, preference) in report.preferences.iter().enumerate() {
            if self.needs_setup[index] == with_setup && !preference.satisfactions.is_empty() {
                self.preferences[index].add(play);
            }
        }
    }

    fn add_problem(&mut self, text: String) {
        if !self.problems.contains(&text) {
            self.problems.push(text);
        }
    }
}

/// Returns a game without its setup and its end. Both are left out of the text too, from which games are resolved again for traces with
/// objects of their own.
fn without_setup_and_end(program: &Program) -> Program {
    let mut alone = program.clone();
    if let ProgramContent::Game(content) = &mut alone.content {
        content.ast.setup = None;
        content.ast.terminal = None;
        if let Some(game) = &mut content.game {
            *game = Arc::new(Game { setup: None, terminal: None, ..Game::clone(game) });
        }
    }
    alone
}

/// Whether a pattern may have a condition on the objects of the setup, by itself or by the definition of a predicate or function of the world.
fn is_about_setup(world: &World, pattern: &Pattern) -> bool {
    let mut is_found = false;
    for own in pattern_conditions(pattern) {
        own.condition.visit(&mut |condition| match condition {
            Condition::InSetup(..) => is_found = true,
            Condition::Atom(atom) => is_found |= world.predicate(atom.predicate).dependencies.run,
            _ => {}
        });
        own.condition.visit_expressions(&mut |expression| {
            if let Expression::Call { function, .. } = expression {
                is_found |= world.function(*function).reads.run;
            }
        });
    }
    is_found
}

/// Judges games.
pub(super) fn judge(
    library: &Library,
    programs: &[&Program],
    plays: &[TraceInput],
    options: &PlayabilityOptions,
) -> Vec<Playability> {
    let mut games: Vec<JudgedGame<'_>> = programs.iter().filter_map(|program| JudgedGame::new(program)).collect();
    score_plays(&mut games, plays, &options.scoring);
    games.into_iter().map(|game| playability(library, game, plays, options)).collect()
}

fn score_plays(games: &mut [JudgedGame<'_>], plays: &[TraceInput], scoring: &ScoringOptions) {
    let whole: Vec<&Program> = games.iter().map(|game| game.program).collect();
    let whole = CompiledPrograms::new(&whole, scoring);
    let alone: Vec<Program> = games.iter().map(|game| game.alone.clone()).collect();
    let alone = CompiledPrograms::new(&alone.iter().collect::<Vec<_>>(), scoring);
    let places: FxHashMap<Arc<str>, usize> =
        games.iter().enumerate().map(|(place, game)| (game.program.name.clone(), place)).collect();
    for (play, input) in plays.iter().enumerate() {
        if scoring.is_cancelled() {
            return;
        }
        let of_whole = whole.score(input, &|_| {});
        for outcome in &of_whole.outcomes {
            let (Some(&place), ProgramReport::Game(report)) = (places.get(&outcome.program), &outcome.report) else {
                continue;
            };
            games[place].add_whole(play, &outcome.trace, report);
        }
        let of_alone = alone.score(input, &|_| {});
        let mut is_scored = vec![false; games.len()];
        for outcome in &of_alone.outcomes {
            let (Some(&place), ProgramReport::Game(report)) = (places.get(&outcome.program), &outcome.report) else {
                continue;
            };
            is_scored[place] = true;
            games[place].scored += 1;
            games[place].add_preferences(play, report, false);
            if outcome.budget_exceeded.is_some() {
                games[place].add_problem(format!("the work limit was reached on {}", outcome.trace));
            }
        }
        let error = of_alone.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        for game in games.iter_mut().zip(is_scored).filter_map(|(game, is_scored)| (!is_scored).then_some(game)) {
            let reason = error.map_or("the play is not about its world", |error| &error.message);
            let problem = format!("{} was not scored: {reason}", input.name());
            game.unscored.push((play, problem.clone()));
            game.add_problem(problem);
        }
    }
}

fn playability(
    library: &Library,
    judged: JudgedGame<'_>,
    plays: &[TraceInput],
    options: &PlayabilityOptions,
) -> Playability {
    let mut parts = Vec::new();
    if judged.has_setup() {
        let witness = judged.setup.first.and_then(|play| setup_witness(&judged, &plays[play], &options.scoring));
        let verdict = match witness {
            Some(witness) => PartVerdict::Possible(witness),
            None if judged.setup.count > 0 => PartVerdict::NotShown(vec![NOT_REPLAYED.to_owned()]),
            None => PartVerdict::NotShown(unshown_reasons(&judged, plays)),
        };
        parts.push(PlayablePart { part: ProgramPart::Setup, verdict, plays: judged.setup.count });
    }
    let mut replayed: FxHashMap<(usize, bool), Option<ProgramOutcome>> = FxHashMap::default();
    for (index, recorded) in judged.preferences.iter().enumerate() {
        let needs_setup = judged.needs_setup[index];
        let program = if needs_setup { judged.program } else { &judged.alone };
        let witness = recorded.first.and_then(|play| {
            let outcome =
                replayed.entry((play, needs_setup)).or_insert_with(|| replay(program, &plays[play], &options.scoring));
            outcome.as_ref().and_then(|outcome| preference_witness(outcome, index))
        });
        let verdict = match witness {
            Some(witness) => PartVerdict::Possible(witness),
            None if recorded.count > 0 => PartVerdict::NotShown(vec![NOT_REPLAYED.to_owned()]),
            None => unrecorded_verdict(library, &judged, index, plays, options),
        };
        let part = ProgramPart::Preference(judged.alone.preference_name(index).into());
        parts.push(PlayablePart { part, verdict, plays: recorded.count });
    }
    let JudgedGame { program, scored, unscored, complete_play, .. } = judged;
    Playability { program: program.name.clone(), parts, scored, unscored, complete_play }
}

/// Scores a play again, with the lane of the best binding of each preference.
fn replay(program: &Program, play: &TraceInput, scoring: &ScoringOptions) -> Option<ProgramOutcome> {
    let scoring = ScoringOptions { lanes: Some(1), ..scoring.clone() };
    CompiledPrograms::new(&[program], &scoring).score(play, &|_| {}).into_outcome().ok()
}

fn game_lanes(outcome: &ProgramOutcome) -> Option<&GameLanes> {
    match outcome.lanes.as_deref() {
        Some(ProgramLanes::Game(lanes)) => Some(lanes),
        _ => None,
    }
}

fn setup_witness(judged: &JudgedGame<'_>, play: &TraceInput, scoring: &ScoringOptions) -> Option<Witness> {
    let outcome = replay(judged.program, play, scoring)?;
    let &(state, _) = game_lanes(&outcome)?.setup.as_ref()?.runs().first()?;
    let (trace, binding, operators) = (outcome.trace, Vec::new(), Vec::new());
    Some(Witness::Play { trace, start: state, end: state, binding, operators })
}

/// Returns the satisfaction of a preference that a replay found.
fn preference_witness(outcome: &ProgramOutcome, index: usize) -> Option<Witness> {
    let ProgramReport::Game(report) = &outcome.report else { return None };
    let lanes = game_lanes(outcome).and_then(|lanes| lanes.preferences.get(index));
    let best = lanes
        .filter(|lanes| lanes.preference.quantifier == Quantifier::Exists)
        .and_then(|lanes| lanes.lanes.first())
        .and_then(|lane| lane_witness(outcome, lane));
    best.or_else(|| report.preferences.get(index)?.satisfactions.first().map(|first| reported(outcome, first)))
}

/// Returns the first satisfaction of a lane, with the states of its operators.
fn lane_witness(outcome: &ProgramOutcome, lane: &BindingLane) -> Option<Witness> {
    let (&(start, end), division) = lane.lane.satisfied.iter().zip(&lane.divisions).next()?;
    let operators = division.iter().flatten();
    let operators =
        operators.map(|own| OperatorStates { operator: own.phase, start: own.start, end: own.end }).collect();
    Some(Witness::Play {
        trace: outcome.trace.clone(),
        start: u64::from(start),
        end: u64::from(end),
        binding: named(&outcome.world, &lane.binding),
        operators,
    })
}

fn reported(outcome: &ProgramOutcome, satisfaction: &Satisfaction) -> Witness {
    Witness::Play {
        trace: outcome.trace.clone(),
        start: satisfaction.start,
        end: satisfaction.end,
        binding: named(&outcome.world, &satisfaction.binding),
        operators: Vec::new(),
    }
}

fn named(world: &World, binding: &[(Arc<str>, ObjectId)]) -> Vec<(Arc<str>, Arc<str>)> {
    binding.iter().map(|(variable, object)| (variable.clone(), world.object_decl(*object).id.clone())).collect()
}

/// Judges a preference that no recorded play satisfies: by a plan, or by a proof.
fn unrecorded_verdict(
    library: &Library,
    judged: &JudgedGame<'_>,
    index: usize,
    plays: &[TraceInput],
    options: &PlayabilityOptions,
) -> PartVerdict {
    let (Some(game), Some(world)) = (judged.game(), &judged.program.world) else {
        return PartVerdict::NotShown(Vec::new());
    };
    if judged.needs_setup[index] {
        return PartVerdict::NotShown(unshown_reasons(judged, plays));
    }
    let preference = &game.preferences[index];
    let scope = proof_of_impossibility(world, preference);
    let can_grow = preference.scope.variables.iter().flat_map(|own| &own.types).any(|&own| is_extensible(world, own));
    match scope {
        Some(ProofScope::AnyObjects) => {
            return PartVerdict::Impossible("no trace satisfies it, whatever the objects".to_owned());
        }
        Some(ProofScope::WorldObjects) if !can_grow => {
            return PartVerdict::Impossible(format!("no trace with the objects of `{}` satisfies it", world.name()));
        }
        // Recordings may have further objects, with which it may be possible.
        Some(ProofScope::WorldObjects | ProofScope::AtMost(_)) | None => {}
    }
    match plans::judge_preference(library, &judged.alone, &preference.name, options) {
        Some(PartVerdict::NotShown(reasons)) => {
            let mut all = unshown_reasons(judged, plays);
            all.extend(reasons);
            PartVerdict::NotShown(all)
        }
        Some(verdict) => verdict,
        None => PartVerdict::NotShown(unshown_reasons(judged, plays)),
    }
}

fn unshown_reasons(judged: &JudgedGame<'_>, plays: &[TraceInput]) -> Vec<String> {
    super::unshown_reasons(plays.len(), judged.scored, &judged.problems)
}
