//! The published reward functions over recorded frames: values and exceptions as recorded, to the last bit.

mod entries;
mod terms;
mod worlds;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use goalspec_reward::limits::Budget;
use goalspec_reward::machine::{Error, Given};
use goalspec_reward::scene::{Orientation, SceneObject, World};
use goalspec_reward::{Machine, Program, read};
use goalspec_syntax::Sources;
use serde_json::Value;

/// The published programs with their games.
const PUBLISHED: [(&str, &str); 10] = [
    ("l09_freeway_full", "freeway"),
    ("l10_freeway_direct", "freeway"),
    ("l12_pong_full", "pong"),
    ("l12_pong_full_le", "pong"),
    ("l13_pong_direct", "pong"),
    ("l15_seaquest_full", "seaquest"),
    ("l15_seaquest_full_b", "seaquest"),
    ("l16_seaquest_direct", "seaquest"),
    ("l18_skiing_full", "skiing"),
    ("l19_skiing_direct", "skiing"),
];

fn recorded() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/conformance/reward");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there are no recordings at {}", folder.display());
    None
}

fn program(folder: &Path, name: &str) -> Program {
    let file = folder.join("programs").join(name).with_extension("py");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut sources = Sources::new();
    let id = sources.add(file.display().to_string(), text);
    let found = read(sources.get(id));
    assert!(found.diagnostics.is_empty(), "{name}: {:?}", found.diagnostics);
    found.program.unwrap()
}

fn lines(file: &Path) -> impl Iterator<Item = Value> + use<> {
    let reader = BufReader::new(flate2::read::GzDecoder::new(std::fs::File::open(file).unwrap()));
    reader.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("no whole number: {value}"))
}

fn pair(row: &[Value], at: usize) -> (i64, i64) {
    (number(&row[at]), number(&row[at + 1]))
}

/// An object as the frames of recordings have them, or as the made-up cases do, which leave out a part.
fn object(world: &World, row: &Value, made_up: bool) -> SceneObject {
    let row = row.as_array().unwrap();
    let class = worlds::class(world, row[0].as_str().unwrap());
    let decl = &world.classes[class as usize];
    let mut object = SceneObject {
        class,
        position: (0, 0),
        size: (0, 0),
        previous: None,
        color: [0; 3],
        orientation: Orientation::None,
        hud: false,
        visible: decl.visible,
        value: None,
        previous_value: None,
    };
    if row.len() == 1 {
        return object;
    }
    object.position = pair(row, 1);
    object.size = pair(row, 3);
    object.previous = (!row[5].is_null()).then(|| pair(row, 5));
    object.hud = number(&row[7]) != 0;
    let rest = if made_up {
        8
    } else {
        object.visible = number(&row[8]) != 0;
        object.color = [0, 1, 2].map(|place| number(&row[9][place]));
        object.orientation = match &row[10] {
            Value::Null => Orientation::None,
            Value::String(name) => Orientation::Named(name.as_str().into()),
            other => Orientation::Raw(number(other)),
        };
        11
    };
    object.value = row.get(rest).filter(|value| !value.is_null()).map(number);
    object.previous_value = row.get(rest + 1).filter(|value| !value.is_null()).map(number);
    object
}

/// Whether a call gave what was recorded. Recorded frames have all numbers as floats, made-up cases as they were.
fn same(given: &Result<Given, Error>, expected: &Value, made_up: bool) -> bool {
    let given = match (given, expected) {
        (Err(error), Value::Object(expected)) => {
            return expected.get("err").and_then(Value::as_str) == Some(&full(error));
        }
        (Ok(Given::Int(given)), Value::Number(number)) => {
            if made_up && number.is_f64() {
                return false;
            }
            *given as f64
        }
        (Ok(Given::Float(given)), Value::Number(number)) if number.is_f64() => *given,
        _ => return false,
    };
    expected.as_f64().map(f64::to_bits) == Some(given.to_bits())
}

/// With the colon that stands even before nothing.
fn full(error: &Error) -> String {
    match error {
        Error::Exception { kind, message, .. } => format!("{kind}: {message}"),
        other => other.to_string(),
    }
}

/// Compares all programs over rows of a file. How many evaluations there were.
fn compare(folder: &Path, file: &Path, counts: &mut BTreeMap<String, usize>) {
    let mut rows = lines(file);
    let header = rows.next().unwrap();
    let made_up = header["format"] == "ocalm-edge-1";
    let mut programs: BTreeMap<String, Program> = BTreeMap::new();
    for row in rows {
        let game = row["game"].as_str().or(header["game"].as_str()).unwrap().to_lowercase();
        let world = worlds::world(&game);
        let objects: Vec<SceneObject> =
            row["objs"].as_array().unwrap().iter().map(|row| object(&world, row, made_up)).collect();
        for (name, expected) in row["rew"].as_object().unwrap() {
            let program = programs.entry(name.clone()).or_insert_with(|| program(folder, name));
            let mut machine = Machine::new(program, &world, Budget::default()).unwrap();
            let given = machine.call("reward_function", &objects);
            assert!(
                same(&given, expected, made_up),
                "{} {name}: {given:?}, recorded {expected}\n{row}",
                file.display()
            );
            *counts.entry(name.clone()).or_default() += 1;
        }
    }
}

fn report(what: &str, counts: &BTreeMap<String, usize>) {
    let total: usize = counts.values().sum();
    println!("{what}: {total} evaluations equal ({counts:?})");
    assert!(total > 0);
}

#[test]
fn recorded_frames() {
    let Some(folder) = recorded() else { return };
    let mut counts = BTreeMap::new();
    for game in ["pong", "freeway", "seaquest", "skiing"] {
        for policy in ["random", "scripted"] {
            compare(&folder, &folder.join(format!("traces/{game}_{policy}_s0.jsonl.gz")), &mut counts);
        }
    }
    report("recorded frames", &counts);
}

#[test]
fn made_up_cases() {
    let Some(folder) = recorded() else { return };
    let mut counts = BTreeMap::new();
    compare(&folder, &folder.join("traces/edge_cases.jsonl.gz"), &mut counts);
    report("made-up cases", &counts);
}

#[test]
fn published_programs_are_covered() {
    let Some(folder) = recorded() else { return };
    for (name, game) in PUBLISHED {
        let program = program(&folder, name);
        let started = std::time::Instant::now();
        let coverage = goalspec_reward::fast::coverage(&program, &worlds::world(game), "reward_function").unwrap();
        println!("{name}: {:?}", started.elapsed());
        assert!(coverage.is_whole(), "{name}: {coverage:?}");
    }
}
