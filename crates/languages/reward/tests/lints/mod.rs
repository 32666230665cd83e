//! Claims of lints hold when the programs run.

use goalspec_python_runtime::Machine;
use goalspec_python_runtime::code::SourceRange;
use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::machine::CallError;
use goalspec_python_runtime::observe::{CallPosition, Observer, RunStatistics};
use goalspec_python_runtime::scene::{Input, Objects, SceneObject, World};
use goalspec_reward::lint::lint;
use goalspec_reward::terms::Terms;
use goalspec_reward::{entry, read};
use goalspec_syntax::{Diagnostic, SourceFile, Sources, Span};

use super::generate::{Choices, program};
use super::{SMALL_BUDGET, default_object, scene};
use crate::worlds;

/// The number of generated programs.
const PROGRAMS: u64 = 1_500;

/// The number of scenes for each program.
const SCENES: u64 = 12;

/// Returns pseudorandom bytes, the same for the same seed.
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// Generates the objects of a scene as games have them: at least one, on the screen, with values where their class has them.
fn game_objects(seed: u64, world: &World) -> Vec<SceneObject> {
    let bytes = bytes(seed, 400);
    let mut objects = scene(&mut Choices::new(&bytes), world);
    if objects.is_empty() {
        objects.push(SceneObject { class: 3, ..default_object(world) });
    }
    for object in &mut objects {
        object.position.0 = object.position.0.min(160);
        (object.value, object.previous_value) = (world.screen_classes[usize::from(object.class)].value, None);
        object.visible = world.screen_classes[usize::from(object.class)].visible;
    }
    objects
}

struct Run {
    seen: RunStatistics,
    /// The exceptions that calls raised, with their byte offsets in the program.
    raised: Vec<(String, u32)>,
}

fn run(
    program: &goalspec_python_runtime::Program,
    source: &SourceFile,
    entry: &Entry,
    world: &World,
    seed: u64,
) -> Option<Run> {
    let terms = Terms::of(source, &entry.function);
    let mut machine = Machine::new(program.clone(), world.clone(), SMALL_BUDGET).ok()?;
    machine.set_observer(Observer::new(program, &terms.probes()));
    let mut raised = Vec::new();
    for frame in 0..SCENES {
        machine.observer()?.begin(CallPosition { recording: 0, frame });
        let objects = game_objects(seed.wrapping_mul(1_000).wrapping_add(frame), world);
        if let Err(CallError::Exception { kind, message, traceback, .. }) =
            machine.reward(entry, &Input::objects(Objects::Screen(&objects)))
        {
            raised.push((format!("{kind}: {message}"), traceback.last().map_or(0, |place| place.start)));
        }
        machine.observer()?.end().for_each(drop);
    }
    Some(Run { seen: machine.take_observer()?.statistics().clone(), raised })
}

/// Whether the observation refutes a claim.
fn is_refuted(claim: &Diagnostic, statistics: &RunStatistics) -> bool {
    let Some(span) = claim.span else { return false };
    let range = SourceRange { start: span.start, end: span.end };
    let ways = |at: SourceRange| {
        let comparisons = statistics.comparisons.iter().filter(move |found| found.range == at);
        let branches = statistics.branches.iter().filter(move |found| found.range == at);
        let comparisons = comparisons.map(|found| (found.held, found.failed));
        comparisons.chain(branches.map(|found| (found.held, found.failed))).collect::<Vec<_>>()
    };
    if claim.message.contains("never true") || claim.message.contains("tested before") {
        return ways(range).iter().any(|(held, _)| *held > 0);
    }
    if claim.message.contains("always true") {
        return ways(range).iter().any(|(_, failed)| *failed > 0);
    }
    let inside = |at: SourceRange| span.start <= at.start && at.end <= span.end;
    claim.message.contains("unreachable")
        && (statistics.comparisons.iter().any(|found| inside(found.range) && found.held + found.failed > 0)
            || statistics.branches.iter().any(|found| inside(found.range) && found.held + found.failed > 0))
}

#[test]
fn claims_hold_when_generated_programs_run() {
    let (mut claims, mut none, mut told) = (0, 0, 0);
    for seed in 1..=PROGRAMS {
        let world = worlds::world(["pong", "freeway", "seaquest", "skiing"][(seed % 4) as usize]);
        let classes: Vec<String> = world.screen_classes.iter().map(|class| class.name.to_string()).collect();
        let text = program(&mut Choices::new(&bytes(seed, 240)), &classes);
        let mut sources = Sources::new();
        let id = sources.add("program.py", text.as_str());
        let source = sources.file(id);
        let read = read(source).program.expect("generated programs are read");
        let Ok(entry) = entry::find_entry(&read, source, &world, None) else { continue };
        let found = lint(source, Some(&entry), Some(&world), None);
        let Some(Run { seen: statistics, raised }) = run(&read, source, &entry, &world, seed) else { continue };
        for claim in &found {
            assert!(!is_refuted(claim, &statistics), "{claim:?}\n{text}");
            claims += u64::from(claim.code.0 == "reward/constant-comparison" || claim.code.0 == "reward/unreachable");
        }
        for (message, at) in raised.iter().filter(|(message, _)| message.contains("'NoneType' object has no attribute"))
        {
            none += 1;
            let line = text[..*at as usize].lines().count();
            let same_line = |span: Span| text[..span.start as usize].lines().count() == line;
            let known =
                found.iter().any(|found| found.code.0 == "reward/possibly-none" && found.span.is_some_and(same_line));
            told += u64::from(known);
            let _ = message;
        }
    }
    println!("{claims} claims hold; of {none} uses of None that raised, {told} were told of in their line");
    assert!(claims > 50, "{claims} claims");
}
