//! Access to the published programs and the recorded frames, which tests skip where they are missing.

use std::sync::Arc;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use goalspec_python_runtime::Program;
use goalspec_python_runtime::scene::{Orientation, SceneObject, World};
use goalspec_reward::read;
use goalspec_syntax::Sources;
use serde_json::Value;

use crate::worlds;

/// The published programs with their games.
pub(crate) const PUBLISHED: [(&str, &str); 10] = [
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

/// Returns the folder of the recordings, if it exists.
pub(crate) fn recordings_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/conformance/reward");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there are no recordings at {}", folder.display());
    None
}

/// Returns the text of a published program, if the recordings exist.
pub(crate) fn text(name: &str) -> Option<String> {
    let file = recordings_folder()?.join("programs").join(name).with_extension("py");
    Some(std::fs::read_to_string(&file).unwrap())
}

/// Returns a published program, if the recordings exist.
pub(crate) fn program(name: &str) -> Option<Arc<Program>> {
    let mut sources = Sources::new();
    let id = sources.add(format!("{name}.py"), text(name)?);
    let found = read(sources.file(id));
    assert!(found.diagnostics.is_empty(), "{name}: {:?}", found.diagnostics);
    found.program
}

/// Returns the recorded frames of a game under the random policy, if the recordings exist.
#[allow(dead_code, reason = "not everything that takes this in asks for all of it")]
pub(crate) fn frames(game: &str) -> Option<Vec<Vec<SceneObject>>> {
    let world = worlds::world(game);
    let rows = rows(&recordings_folder()?.join(format!("traces/{game}_random_s0.jsonl.gz"))).skip(1);
    let scene = |row: Value| row["objs"].as_array().unwrap().iter().map(|row| object(&world, row, false)).collect();
    Some(rows.map(scene).collect())
}

/// Returns the rows of a compressed JSONL file.
pub(crate) fn rows(file: &Path) -> impl Iterator<Item = Value> + use<> {
    let reader = BufReader::new(flate2::read::GzDecoder::new(std::fs::File::open(file).unwrap()));
    reader.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

fn number<T: TryFrom<i64>>(value: &Value) -> T {
    let number = value.as_i64().and_then(|number| T::try_from(number).ok());
    number.unwrap_or_else(|| panic!("no whole number that fits: {value}"))
}

fn pair(row: &[Value], at: usize) -> (i32, i32) {
    (number(&row[at]), number(&row[at + 1]))
}

/// Converts a row of a recorded frame to an object. Rows of made-up cases omit visibility, color and orientation.
pub(crate) fn object(world: &World, row: &Value, made_up: bool) -> SceneObject {
    let row = row.as_array().unwrap();
    let class = worlds::class(world, row[0].as_str().unwrap());
    let mut object = world.new_object(class);
    if row.len() == 1 {
        return object;
    }
    object.position = pair(row, 1);
    object.size = pair(row, 3);
    object.previous = (!row[5].is_null()).then(|| pair(row, 5));
    object.hud = number::<u8>(&row[7]) != 0;
    let rest = if made_up {
        8
    } else {
        object.visible = number::<u8>(&row[8]) != 0;
        object.color = [0, 1, 2].map(|place| number(&row[9][place]));
        object.orientation = match &row[10] {
            Value::Null => Orientation::None,
            Value::String(name) => Orientation::Name(name.as_str().into()),
            other => Orientation::Raw(number(other)),
        };
        11
    };
    object.value = row.get(rest).filter(|value| !value.is_null()).map(number);
    object.previous_value = row.get(rest + 1).filter(|value| !value.is_null()).map(number);
    object
}
