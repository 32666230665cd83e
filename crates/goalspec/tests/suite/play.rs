//! The notation of states, and playback of states on every engine.

use glam::DVec3;
use goalspec_core::explain::Explainer;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::{GameMonitor, GameReport, Verdict};
use goalspec_core::playback::Playback;
use goalspec_core::program::Game;
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange};
use goalspec_core::value::Value;
use goalspec_core::world::World;

use super::engines::{ENGINES, Engine};

use super::show;

/// The results of an engine on a play.
pub(crate) struct ScoredTrace {
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) report: GameReport,
}

/// Returns the failed expectations, for each engine.
pub(crate) fn check(world: &World, game: &Game, states: &[String], expect: &[String]) -> Vec<String> {
    let deltas = deltas(world, states);
    let mut failures = Vec::new();
    for (name, engine) in ENGINES {
        let recorded = play(world, game, &deltas, engine, true);
        let live = play(world, game, &deltas, engine, false);
        for (line, problem) in show::differences(world, &recorded, expect) {
            failures.push(format!("{name}: {problem}: {line}"));
        }
        if live.report != recorded.report {
            failures.push(format!(
                "{name}: a live stream of the same states ends differently:\n{:#?}\nrather than\n{:#?}",
                live.report, recorded.report
            ));
        }
        failures.extend(inconsistencies(&recorded).iter().map(|problem| format!("{name}: {problem}")));
    }
    failures
}

/// Returns violations of the invariants of any play.
fn inconsistencies(scored: &ScoredTrace) -> Vec<String> {
    let mut problems = Vec::new();
    let rewards: f64 = scored.verdicts.iter().map(|verdict| verdict.reward).sum();
    let score = scored.report.score.clone().unwrap_or(0.0);
    if (rewards - score).abs() > 1e-9 {
        problems.push(format!("the rewards add up to {rewards}, the score is {score}"));
    }
    for (index, preference) in scored.report.preferences.iter().enumerate() {
        let satisfactions = scored.verdicts.iter().flat_map(|verdict| &verdict.satisfied);
        let satisfactions: Vec<_> =
            satisfactions.filter(|(found, _)| *found == index).map(|(_, satisfaction)| satisfaction.clone()).collect();
        if satisfactions != preference.satisfactions {
            problems.push(format!("verdicts and report list other satisfactions of `{}`", preference.name));
        }
    }
    problems
}

/// Plays all states, including those after the end of the game. With `recorded`, the last state is marked as the last one.
pub(crate) fn play(world: &World, game: &Game, deltas: &[Delta], engine: Engine, recorded: bool) -> ScoredTrace {
    let mut monitor: Box<dyn GameMonitor + '_> = engine(world, game).expect("cases stay within the limits");
    let mut playback = Playback::new(world.clone());
    let mut verdicts = Vec::new();
    for (index, delta) in deltas.iter().enumerate() {
        playback.advance(delta);
        verdicts.push(monitor.step(&playback.update(delta, recorded && index + 1 == deltas.len())));
    }
    let mut report = monitor.finish(playback.state());
    let mut explainer = Explainer::new(world, game, &report);
    let mut playback = Playback::new(world.clone());
    for delta in deltas {
        if !explainer.done() {
            playback.advance(delta);
            explainer.step(&playback.update(delta, false), &mut report);
        }
    }
    ScoredTrace { verdicts, report }
}

/// Returns the states of a case.
///
/// # Panics
/// If a state is not in the notation of `suite/README.md`.
pub(crate) fn deltas(world: &World, states: &[String]) -> Vec<Delta> {
    let mut before: Vec<FactChange> = Vec::new();
    let mut deltas = Vec::new();
    for (index, line) in states.iter().enumerate() {
        let mut delta = Delta { index: index as u64, clock: index as u64, ..Delta::default() };
        let mut facts = Vec::new();
        for token in line.split_whitespace().filter(|&token| token != ".") {
            read_token(world, token, &mut delta, &mut facts);
        }
        // A fact that held before and is not listed becomes false.
        delta.facts = before.drain(..).filter(|fact| !facts.contains(fact)).collect();
        delta.facts.iter_mut().for_each(|fact| fact.holds = false);
        delta.facts.extend(facts.iter().cloned());
        before = facts;
        deltas.push(delta);
    }
    deltas
}

fn read_token(world: &World, token: &str, delta: &mut Delta, facts: &mut Vec<FactChange>) {
    if let Some(time) = token.strip_prefix("t=") {
        delta.time = Some(number(time));
    } else if let Some(name) = token.strip_prefix('-') {
        delta.removed.push(object(world, name));
    } else if let Some((name, place)) = token.split_once('@') {
        let numbers: Vec<f64> = place.split(',').map(number).collect();
        let [x, y, z] = numbers[..] else { panic!("`{token}` needs three numbers") };
        let attribute = world.attribute_named("position").expect("objects have positions");
        delta.changes.push(AttributeChange {
            object: object(world, name),
            attribute,
            value: Value::Vec3(DVec3::new(x, y, z)),
        });
    } else if let Some((call, value)) = token.split_once('=') {
        let (name, arguments) = call_parts(world, call);
        let function = world.function_named(name).unwrap_or_else(|| panic!("no function `{name}`"));
        delta.fluents.push(FluentChange { function, arguments: arguments.into(), value: number(value) });
    } else {
        let (name, arguments) = call_parts(world, token);
        let predicate = world.predicate_named(name).unwrap_or_else(|| panic!("no predicate `{name}`"));
        facts.push(FactChange { predicate, arguments: arguments.into(), holds: true });
    }
}

fn call_parts<'t>(world: &World, call: &'t str) -> (&'t str, Vec<ObjectId>) {
    match call.split_once('(') {
        None => (call, Vec::new()),
        Some((name, rest)) => {
            let inside = rest.strip_suffix(')').unwrap_or_else(|| panic!("`{call}` is not closed"));
            (name, inside.split(',').map(|argument| object(world, argument)).collect())
        }
    }
}

fn object(world: &World, name: &str) -> ObjectId {
    world.object_named(name).unwrap_or_else(|| panic!("no object `{name}`"))
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number"))
}
