//! The published reward functions over recorded frames: values and exceptions as recorded, to the last bit.

use std::sync::Arc;

use crate::worlds;
#[path = "entries/mod.rs"]
mod entries;
#[path = "terms/mod.rs"]
mod terms;

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::{PUBLISHED, object, program, recordings_folder, rows};
use goalspec_python_runtime::fast::{CallCounts, CompiledFunction};
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::{CallError, ReturnValue};
use goalspec_python_runtime::scene::{SceneObject, World};
use goalspec_python_runtime::{Machine, Program};
use serde_json::Value;

/// Whether a result equals the recorded one. Recorded frames store all numbers as floats, made-up cases in their original type.
fn same(result: &Result<ReturnValue, CallError>, expected: &Value, made_up: bool) -> bool {
    let result = match (result, expected) {
        (Err(error), Value::Object(expected)) => {
            return expected.get("err").and_then(Value::as_str) == Some(&full(error));
        }
        (Ok(ReturnValue::Int(result)), Value::Number(number)) => {
            if made_up && number.is_f64() {
                return false;
            }
            *result as f64
        }
        (Ok(ReturnValue::Float(result)), Value::Number(number)) if number.is_f64() => *result,
        _ => return false,
    };
    expected.as_f64().map(f64::to_bits) == Some(result.to_bits())
}

/// Formats an error with the colon after the kind, even if the message is empty.
fn full(error: &CallError) -> String {
    match error {
        CallError::Exception { kind, message, .. } => format!("{kind}: {message}"),
        other => other.to_string(),
    }
}

/// Compiles a program twice: for the register machine, and as machine code if the build supports it.
fn both_ways<'c>(program: &'c Program, world: &'c World) -> [Arc<CompiledFunction>; 2] {
    let ways = [(); 2].map(|()| {
        CompiledFunction::new(program.clone(), world.clone(), "reward_function", CallBudget::default()).unwrap()
    });
    ways[0].disable_native();
    assert_eq!(ways[1].compile().is_ok(), cfg!(feature = "native"), "{:?}", ways[1].compile());
    ways
}

/// Asserts that the reference machine and both fast engines agree, and returns the result of the reference machine.
fn compare_one(
    ways: &[Arc<CompiledFunction>; 2],
    program: &Program,
    world: &World,
    objects: &[SceneObject],
    counts: &mut CallCounts,
) -> Result<ReturnValue, CallError> {
    let mut machine = Machine::new(program.clone(), world.clone(), CallBudget::default()).unwrap();
    let result = machine.call("reward_function", objects);
    let mut engines = ways.each_ref().map(CompiledFunction::instance);
    for engine in &mut engines {
        let fast = engine.call(objects).map_err(Arc::unwrap_or_clone);
        assert_eq!(bits(&result), bits(&fast), "{:?}", engine.fallback_reason());
        assert_eq!(machine.printed(), engine.printed());
    }
    let CallCounts { returned: ended, raised, fallbacks: handed_over, .. } = engines[0].counts();
    let native = engines[1].counts();
    assert_eq!((native.returned, native.raised, native.fallbacks), (ended, raised, handed_over));
    counts.returned += ended;
    counts.raised += raised;
    counts.fallbacks += handed_over;
    counts.native += native.native;
    result
}

/// Makes the bits of floats part of a result, for exact comparison.
fn bits(result: &Result<ReturnValue, CallError>) -> Result<(ReturnValue, u64), &CallError> {
    result.as_ref().map(|result| match result {
        ReturnValue::Float(float) => (ReturnValue::Other("float".to_owned()), float.to_bits()),
        other => (other.clone(), 0),
    })
}

/// Compares the results of all programs with the rows of a file. Adds the number of evaluations, and how they were run, to `counts`.
fn compare(file: &Path, counts: &mut BTreeMap<String, CallCounts>) {
    let mut rows = rows(file);
    let header = rows.next().unwrap();
    let made_up = header["format"] == "ocalm-edge-1";
    let (programs, games) = published();
    let ways = PUBLISHED.iter().map(|&(name, game)| (name, both_ways(&programs[name], &games[game])));
    let ways: BTreeMap<&str, [Arc<CompiledFunction>; 2]> = ways.collect();
    for row in rows {
        let game = row["game"].as_str().or(header["game"].as_str()).unwrap().to_lowercase();
        let world = &games[&*game];
        let objects: Vec<SceneObject> =
            row["objs"].as_array().unwrap().iter().map(|row| object(world, row, made_up)).collect();
        for (name, expected) in row["rew"].as_object().unwrap() {
            let counts = counts.entry(name.clone()).or_default();
            let result = compare_one(&ways[&**name], &programs[&**name], world, &objects, counts);
            assert!(
                same(&result, expected, made_up),
                "{} {name}: {result:?}, recorded {expected}\n{row}",
                file.display()
            );
        }
    }
}

/// The published programs, and the worlds of their games.
fn published() -> (BTreeMap<&'static str, Arc<Program>>, BTreeMap<&'static str, World>) {
    let programs = PUBLISHED.iter().map(|&(name, _)| (name, program(name).unwrap())).collect();
    (programs, PUBLISHED.iter().map(|&(_, game)| (game, worlds::world(game))).collect())
}

fn report(label: &str, counts: &BTreeMap<String, CallCounts>) {
    println!("{label}: all equal ({counts:#?})");
    assert!(!counts.is_empty());
    for (name, counts) in counts {
        let fast = counts.returned + counts.raised;
        assert!(fast > 99 * counts.fallbacks, "{name} is not run fast: {counts:?}");
        // Machine code has no room for a few of the made-up cases.
        if cfg!(feature = "native") {
            assert!(100 * counts.native > 99 * fast, "{name} is not run as machine code: {counts:?}");
        }
    }
}

#[test]
fn recorded_frames() {
    let Some(folder) = recordings_folder() else { return };
    let mut counts = BTreeMap::new();
    for game in ["pong", "freeway", "seaquest", "skiing"] {
        for policy in ["random", "scripted"] {
            compare(&folder.join(format!("traces/{game}_{policy}_s0.jsonl.gz")), &mut counts);
        }
    }
    report("recorded frames", &counts);
}

#[test]
fn synthetic_cases() {
    let Some(folder) = recordings_folder() else { return };
    let mut counts = BTreeMap::new();
    compare(&folder.join("traces/edge_cases.jsonl.gz"), &mut counts);
    report("made-up cases", &counts);
}

#[test]
fn published_programs_are_covered() {
    if recordings_folder().is_none() {
        return;
    }
    for (name, game) in PUBLISHED {
        let (program, world) = (program(name).unwrap(), worlds::world(game));
        let started = std::time::Instant::now();
        let compiled =
            CompiledFunction::new(program.clone(), world.clone(), "reward_function", CallBudget::default()).unwrap();
        println!("{name}: {:?}\n{}", started.elapsed(), compiled.listing());
        assert!(compiled.coverage().is_complete(), "{name}: {:?}", compiled.coverage());
    }
}
