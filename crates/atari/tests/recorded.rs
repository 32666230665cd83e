//! The decoder returns the objects of `OCAtari`, frame by frame, on the traces of the conformance data and on the recordings of
//! `cargo xtask ocatari`. Skipped if there are none.

#[path = "recording/mod.rs"]
mod recording;

use crate::common::{bytes, detections, files, lines};
use goalspec_atari::class::ValueAttributes as Valued;
use goalspec_atari::object::ClassAttributes;
use goalspec_atari::{DecodeError, Decoder, Game, GameObject, Options, Orientation};
use goalspec_testing::conformance;
use serde_json::{Map, Value, json};

/// Maximum number of differences printed for a file.
const SHOWN: usize = 5;

fn orientation(object: &GameObject) -> Value {
    match object.orientation {
        None => Value::Null,
        Some(Orientation::East) => json!("E"),
        Some(Orientation::West) => json!("W"),
        Some(Orientation::Raw(byte)) => json!(byte),
    }
}

fn prev_value(game: Game, object: &GameObject) -> Option<i32> {
    let tracked = matches!(game.class(object.class).value, Valued::Tracked(_));
    if tracked { object.prev_value.or(object.value) } else { None }
}

/// Renders an object in the format of `cargo xtask ocatari`.
fn detection(game: Game, object: &GameObject) -> Value {
    let (prev_x, prev_y) = object.prev_xy();
    let place = [object.x, object.y, object.w, object.h, prev_x, prev_y];
    if object.is_no_object() && place == [0; 6] && object.orientation.is_none() {
        return Value::Null;
    }
    let numbers = [("value", object.value), ("prev_value", prev_value(game, object))];
    let mut others: Map<String, Value> =
        numbers.iter().filter_map(|(name, value)| Some(((*name).to_owned(), json!((*value)?)))).collect();
    match object.class_attributes {
        ClassAttributes::None => {}
        ClassAttributes::Arms { right, left } => {
            others.insert("right_arm_length".to_owned(), json!(right));
            others.insert("left_arm_length".to_owned(), json!(left));
        }
        ClassAttributes::Subtype(subtype) => {
            others.insert("subtype".to_owned(), json!(subtype));
        }
    }
    let mut row = vec![json!(game.class(object.class).name), json!(i32::from(object.is_present()))];
    row.extend(place.map(Value::from));
    row.extend([i32::from(object.hud), i32::from(object.visible)].map(Value::from));
    row.extend(object.rgb.map(Value::from));
    row.extend([orientation(object), Value::Object(others)]);
    Value::Array(row)
}

/// Renders an object in the format of the conformance traces.
fn traced(game: Game, object: &GameObject) -> Value {
    let class = game.class(object.class).name;
    if object.is_no_object() {
        return json!([class]);
    }
    let (prev_x, prev_y) = object.prev_xy();
    let mut row = vec![json!(class)];
    row.extend([object.x, object.y, object.w, object.h, prev_x, prev_y].map(Value::from));
    row.extend([i32::from(object.hud), i32::from(object.visible)].map(Value::from));
    row.extend([json!(object.rgb), orientation(object)]);
    row.extend(object.value.map(Value::from));
    row.extend(prev_value(game, object).map(Value::from));
    Value::Array(row)
}

/// Compares decoded frames with recorded ones and reports the number of equal frames. Panics if any frame differs.
struct Comparison {
    name: String,
    decoder: Decoder,
    write: fn(Game, &GameObject) -> Value,
    equal: usize,
    raised: usize,
    different: Vec<String>,
}

impl Comparison {
    fn new(name: String, game: Game, hud: bool, write: fn(Game, &GameObject) -> Value) -> Self {
        let decoder = Decoder::new(game, Options { hud, ..Options::default() });
        Self { name, decoder, write, equal: 0, raised: 0, different: Vec::new() }
    }

    fn frame(&mut self, reset: bool, ram: &[u8], recorded: &Value) {
        let game = self.decoder.game();
        let decoded = if reset { self.decoder.reset(ram) } else { self.decoder.step(ram) };
        let found = match decoded {
            Ok(objects) => objects.iter().map(|object| (self.write)(game, object)).collect(),
            Err(DecodeError::InvalidRam { exception, .. }) => json!(exception),
            Err(error) => panic!("{error}"),
        };
        self.raised += usize::from(recorded.is_string());
        if found == *recorded {
            self.equal += 1;
        } else {
            let frame = self.equal + self.different.len();
            self.different.push(format!("frame {frame}: {}", difference(recorded, &found)));
        }
    }

    fn finish(self) {
        let Self { name, equal, raised, different, .. } = self;
        println!("{name}: {equal} frames equal, {} differ ({raised} are exceptions)", different.len());
        assert!(equal > 0, "{name} has no frames");
        assert!(different.is_empty(), "{name}: {}", different[..different.len().min(SHOWN)].join("\n"));
    }
}

fn difference(recorded: &Value, found: &Value) -> String {
    let (Some(left), Some(right)) = (recorded.as_array(), found.as_array()) else {
        return format!("recorded {recorded}, found {found}");
    };
    let slots = left.iter().zip(right).enumerate().filter(|(_, (left, right))| left != right);
    let text: Vec<String> =
        slots.map(|(slot, (left, right))| format!("slot {slot}: recorded {left}, found {right}")).collect();
    format!("{} slots, {} found; {}", left.len(), right.len(), text.join("; "))
}

#[test]
fn traces_of_the_conformance_data() {
    let Some(folder) = conformance::folder("reward/traces") else { return };
    let mut frames = 0;
    for game in Game::ALL {
        for path in files(&folder, &format!("{}_", game.slug())) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut lines = lines(&path);
            let head = lines.next().expect("there is a first line");
            assert_eq!(head["action_meanings"], json!(game.actions()), "{name}");
            assert_eq!(head["env_id"], json!(game.environment()), "{name}");
            let hud = head["hud"].as_bool().expect("it says whether the display is on");
            let mut comparison = Comparison::new(name, game, hud, traced);
            for line in lines {
                comparison.frame(line["a"].is_null(), &bytes(&line["ram"]), &line["objs"]);
            }
            frames += comparison.equal;
            comparison.finish();
        }
    }
    assert!(frames >= 16_000, "only {frames} frames");
}

#[test]
fn a_difference_is_noticed() {
    let mut comparison = Comparison::new("made up".to_owned(), Game::Pong, false, traced);
    let recorded =
        |h: i32| json!([["Player", 0, 0, 4, h, 0, 0, 0, 1, [92, 186, 92], null], ["NoObject"], ["NoObject"]]);
    comparison.frame(true, &[0; 128], &recorded(15));
    comparison.frame(false, &[0; 128], &recorded(14));
    comparison.frame(false, &[0; 128], &json!("IndexError"));
    assert_eq!((comparison.equal, comparison.different.len(), comparison.raised), (1, 2, 1));
    assert!(
        comparison.different[0].starts_with("frame 1: 3 slots, 3 found; slot 0: recorded"),
        "{:?}",
        comparison.different
    );
}

fn compare(game: Game) {
    for path in detections(game) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut lines = lines(&path);
        let head = lines.next().expect("there is a first line");
        assert_eq!(head["game"], json!(game.name()), "{name}");
        let hud = head["hud"].as_bool().expect("it says whether the display is on");
        let mut comparison = Comparison::new(name, game, hud, detection);
        for line in lines {
            comparison.frame(line[0] == json!(1), &bytes(&line[1]), &line[2]);
        }
        comparison.finish();
    }
}

#[test]
fn asterix() {
    compare(Game::Asterix);
}

#[test]
fn bowling() {
    compare(Game::Bowling);
}

#[test]
fn boxing() {
    compare(Game::Boxing);
}

#[test]
fn breakout() {
    compare(Game::Breakout);
}

#[test]
fn freeway() {
    compare(Game::Freeway);
}

#[test]
fn pong() {
    compare(Game::Pong);
}

#[test]
fn seaquest() {
    compare(Game::Seaquest);
}

#[test]
fn skiing() {
    compare(Game::Skiing);
}

#[test]
fn space_invaders() {
    compare(Game::SpaceInvaders);
}

#[test]
fn tennis() {
    compare(Game::Tennis);
}
