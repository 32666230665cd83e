//! Reward functions over traces of any world: what its objects look like in Python, and which world a trace is read with.

#![allow(clippy::float_cmp, reason = "sums of whole numbers")]

use std::sync::Arc;

use goalspec::core::engine::Engine;
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::score::{RewardScores, ScoreOptions, score};
use goalspec::syntax::Severity;
use goalspec::trace::TraceInput;
use goalspec::{audit, reward_lints};

const YARD: &str = r#"
name = "yard"

[types]
thing = {}
crate = { of = "thing", discover = true }
glass-crate = "crate"
marked = {}
marked_crate = ["crate", "marked"]
robot = "thing"
tile = {}
color = {}

[symbols]
color = ["blue", "red"]

[attributes]
position = { kind = "vec3", of = "thing" }
weight = { kind = "real", of = "crate" }
layers = { kind = "int", of = "crate", default = 1 }
sealed = { kind = "bool", of = "crate", default = true }
color = { kind = "object", of = "crate" }
load = { kind = "set", of = "robot", default = [] }
holds = { kind = "object", of = "robot", default = "" }
label = { kind = "text", of = "marked" }
top-speed = { kind = "real", of = "robot", default = 2 }
x = { kind = "int", of = "tile", required = true }
y = { kind = "int", of = "tile", required = true }
w = { kind = "int", of = "tile", default = 4 }
h = { kind = "int", of = "tile", default = 2 }

[objects]
r1 = { type = "robot", name = "robot" }
c1 = { type = "glass-crate", values = { color = "blue" } }
c2 = "marked_crate"
c3 = { type = ["glass-crate", "marked"] }
t1 = "tile"
t2 = "tile"

[predicates]
in = { parameters = "?a ?b - thing", stored = true }
broken = { parameters = "?c - crate", stored = true }
painted = { parameters = "?c - crate ?color - color", stored = true }
moved = { parameters = "?c - crate ?from ?to - thing", stored = true }
raining = { stored = true }

[functions]
battery = { parameters = "?r - robot", stored = true }
earned = { stored = true }
"#;

const TRACE: &str = r#"{"format":"goalspec-trace","version":1,"world":"yard"}
{"set":{"r1":{"position":[0,0,0]},"c1":{"position":[1,0,0]},"c2":{"weight":2.5,"label":"new"},"t1":{"x":10,"y":20}},"fluents":[["earned",0]]}
{"action":"lift","set":{"r1":{"position":[0.5,0,2],"load":["c2","c1"],"holds":"c1"},"t1":{"x":13},"t2":{"x":12,"y":21}},"facts":[["in","c2","r1"],["in","c2","c1"],["broken","c1"],["painted","c1","red"],["moved","c1","c2","r1"],["raining"]],"fluents":[["battery","r1",0.5],["earned",3]]}
{"set":{"r1":{"holds":null}},"not":[["raining"]],"fluents":[["earned",1]]}
"#;

/// Programs that are read with the yard, by its file alone or because it is asked for.
fn library(text: &str, requested: Option<&str>) -> Library {
    let mut library = Library::with_options(LibraryOptions {
        reward_world: requested.map(str::to_owned),
        ..LibraryOptions::default()
    });
    library.add_world("yard.world.toml", YARD, &mut |_| None);
    library.add_program("reward.py", text);
    library
}

fn trace(text: &str) -> TraceInput {
    TraceInput::Bytes("yard.jsonl".into(), Arc::from(text.as_bytes()))
}

fn scored(library: &Library, input: &TraceInput) -> RewardScores {
    let programs = library.reward_programs();
    let options = ScoreOptions { keep_frames: true, ..ScoreOptions::default() };
    let result = score(&programs, &library.all_worlds(), input, &options, &|_| ());
    let reference = ScoreOptions { engine: Engine::Interpreter, ..options };
    let again = score(&programs, &library.all_worlds(), input, &reference, &|_| ());
    let steps = |result: &RewardScores| {
        format!("{:?}", result.outcomes.iter().map(|one| &one.frame_results).collect::<Vec<_>>())
    };
    assert_eq!(steps(&result), steps(&again));
    result
}

/// The rewards of the states of [`TRACE`]; what failed as text.
fn rewards(text: &str) -> Vec<Result<f64, String>> {
    let library = library(text, None);
    assert_eq!(library.diagnostics(), []);
    let result = scored(&library, &trace(TRACE));
    assert_eq!(result.diagnostics, []);
    let outcome = &result.outcomes[0];
    let failure = |place: usize| format!("{}: {}", outcome.failures[place].kind, outcome.failures[place].message);
    outcome.frame_results.iter().map(|step| step.reward.map_err(failure)).collect()
}

/// Returns the value of a function with this body in the second state.
fn second(body: &str) -> Result<f64, String> {
    let text = format!(
        "import numpy as np\nfrom goalspec.world import *\n\n\ndef reward_function(prev_state, state, action):\n    objects = state.objects\n    by_id = {{o.id: o for o in objects}}\n    r1, c1, c2 = by_id['r1'], by_id['c1'], by_id['c2']\n    if action is None:\n        return 0\n    {body}\n"
    );
    rewards(&text)[1].clone()
}

#[test]
fn objects_have_the_attributes_that_their_world_declares() {
    let holds = |condition: &str| {
        assert_eq!(second(&format!("return {condition}")), Ok(1.0), "{condition}");
    };
    // In the world's order; symbols are no objects, and a tile is there once its place is known.
    holds("[o.id for o in objects] == ['r1', 'c1', 'c2', 'c3', 't1', 't2']");
    holds("[o.id for o in prev_state.objects] == ['r1', 'c1', 'c2', 'c3', 't1']");
    holds("r1.name == 'robot' and c1.name == 'c1'");
    holds("[o.category for o in objects] == ['Robot', 'GlassCrate', 'MarkedCrate', 'GlassCrate', 'Tile', 'Tile']");
    holds(
        "isinstance(c1, GlassCrate) and isinstance(c1, Crate) and isinstance(c1, Thing) and isinstance(c1, GameObject)",
    );
    holds("isinstance(c2, Crate) and isinstance(c2, Marked) and not isinstance(c1, Marked)");
    holds(
        "isinstance(by_id['c3'], Marked) and isinstance(by_id['c3'], GlassCrate) and type(by_id['c3']).__name__ == 'GlassCrate'",
    );
    holds("c1.layers == 1 and type(c1.layers) is int and c1.sealed is True and c2.weight == 2.5 and c2.label == 'new'");
    holds("c1.color == 'blue' and r1.holds is c1 and c1 in r1.load and r1.load == [c1, c2]");
    holds("r1.top_speed == 2.0 and type(r1.top_speed) is float and r1.battery == 0.5");
    holds("np.linalg.norm(r1.position - c1.position) == np.sqrt(4.25) and r1.position[2] == 2.0");
    holds("(r1.x, r1.y, r1.z) == (0.5, 0.0, 2.0) and (r1.prev_x, r1.dx, r1.dz) == (0.0, 0.5, 2.0)");
    holds("c2.in_ == [r1, c1] and c1.in_ == [] and c1.broken is True and c2.broken is False");
    holds("c1.painted == ['red'] and c1.moved == [(c2, r1)]");
    holds("state.raining is True and prev_state.raining is False and state.earned == 3.0 and prev_state.earned == 0.0");
    holds("state.robot is r1 and len(state.crates) == 3 and len(state.glass_crates) == 2 and state.no_object is None");
    holds("action == 'lift'");
}

#[test]
fn boxes_are_as_those_of_a_screen() {
    let holds = |condition: &str| {
        let body = format!("t1, t2 = by_id['t1'], by_id['t2']\n    return {condition}");
        assert_eq!(second(&body), Ok(1.0), "{condition}");
    };
    holds("(t1.x, t1.y, t1.w, t1.h) == t1.xywh == (13, 20, 4, 2) and t1.xy == (13, 20) and t1.wh == (4, 2)");
    holds("(t1.prev_x, t1.prev_y, t1.dx, t1.dy) == (10, 20, 3, 0) and t1.prev_xy == (10, 20) and type(t1.dx) is int");
    // What is new was where it is.
    holds("(t2.dx, t2.dy) == (0, 0) and t2.prev_xy == t2.xy");
    holds("t1.center == (15.0, 21.0) and t1.manathan_distance(t2) == 2.0 and t1.closest_object([t2]) == (0, t2)");
    holds("not t1.is_on_top(t2) and not t2.is_on_top(t1) and t1.is_on_top(t1)");
    assert_eq!(
        second("return r1.is_on_top(c1)"),
        Err("AttributeError: 'Robot' object has no attribute 'is_on_top'".into())
    );
}

#[test]
fn unknown_values_are_not_attributes() {
    let without = |body: &str, class: &str, name: &str| {
        let message = format!("AttributeError: '{class}' object has no attribute '{name}'");
        assert_eq!(second(body), Err(message), "{body}");
    };
    without("return c1.weight", "GlassCrate", "weight");
    without("return r1.weight", "Robot", "weight");
    without("return c2.position[0]", "MarkedCrate", "position");
    without("return c2.x", "MarkedCrate", "x");
    without("return state.wages", "State", "wages");
    assert_eq!(second("return hasattr(c2, 'weight') and not hasattr(c1, 'weight')"), Ok(1.0));
    // What is not held is None, and what changes is one's own.
    let text = "def reward_function(objects):\n    robot = objects[0]\n    robot.mark = 2\n    return robot.mark if robot.holds is None else 0\n";
    assert_eq!(rewards(text), [Ok(2.0), Ok(0.0), Ok(2.0)]);
}

#[test]
fn all_signatures_are_called() {
    for text in [
        "def reward_function(objects):\n    return sum(o.category == 'Tile' for o in objects)\n",
        "def reward_function(env):\n    return len([o for o in env.objects if o.category == 'Tile'])\n",
        "def reward_function(prev_state, state):\n    return len(state.tiles)\n",
        "def compute_reward(tiles):\n    return len(tiles), {'half': len(tiles) / 2}\n",
    ] {
        assert_eq!(rewards(text), [Ok(1.0), Ok(2.0), Ok(2.0)], "{text}");
    }
}

#[test]
fn programs_of_a_game_run_over_worlds_that_are_like_it() {
    let text = "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    tiles = [o for o in objects if isinstance(o, Tile) and not isinstance(o, NoObject)]\n    return max(o.x + o.w for o in tiles)\n";
    let library = library(text, Some("yard"));
    assert_eq!(library.diagnostics(), []);
    let rewards: Vec<_> =
        scored(&library, &trace(TRACE)).outcomes[0].frame_results.iter().map(|step| step.reward).collect();
    assert_eq!(rewards, [Ok(14.0), Ok(17.0), Ok(17.0)]);
    let screens = "{\"format\":\"goalspec-screens-1\",\"game\":\"Pong\",\"hud\":false}\n{\"t\":0,\"ep\":0,\"a\":null,\"r\":0,\"term\":false,\"trunc\":false,\"objs\":[]}\n";
    let result = scored(&library, &trace(screens));
    assert!(result.outcomes.is_empty());
    assert_eq!(result.diagnostics[0].code.0, "trace/wrong-world");
}

#[test]
fn the_world_is_the_one_that_the_trace_names() {
    let text = "def reward_function(objects):\n    return len(objects)\n";
    let mut empty = Library::new();
    empty.add_program("reward.py", text);
    let found = scored(&empty, &trace(TRACE));
    assert_eq!(found.diagnostics[0].message, "`yard.jsonl` is of the world `yard`, which is not built in");
    let nameless = TRACE.replace(",\"world\":\"yard\"", "");
    let found = scored(&empty, &trace(&nameless));
    assert_eq!(found.diagnostics[0].message, "`yard.jsonl` does not name its world");
    let mut two = Library::new();
    two.add_world("yard.world.toml", YARD, &mut |_| None);
    two.add_world("other.world.toml", "name = \"other\"\n[types]\nthing = {}\n", &mut |_| None);
    two.add_program("reward.py", text);
    assert_eq!(scored(&two, &trace(TRACE)).outcomes[0].total(), 17.0);
    let one = library(text, None);
    assert_eq!(scored(&one, &trace(&nameless)).outcomes[0].total(), 17.0);
    // A program of a game of Atari is of no other trace.
    let pong = library("from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    return 0\n", None);
    let found = scored(&pong, &trace(TRACE));
    assert_eq!(
        found.diagnostics[0].message,
        "the world of `yard.jsonl` is `yard`, but that of `reward.py` is `atari/pong`"
    );
    assert_eq!(found.diagnostics[0].help, ["use `--world yard` to read the program with the world of the trace"]);
}

#[test]
fn names_are_resolved_in_the_world() {
    let text = "from goalspec.world import *\n\ndef reward_function(objects):\n    return sum(isinstance(o, GlasCrate) for o in objects)\n";
    let library = library(text, None);
    let [finding] = library.diagnostics() else { panic!("{:?}", library.diagnostics()) };
    assert_eq!(finding.message, "unknown name `GlasCrate`: neither the program nor the world `yard` defines it");
    assert_eq!(finding.help, ["did you mean `GlassCrate`?"]);
}

#[test]
fn attributes_are_looked_for_in_the_world() {
    let text = "def reward_function(prev_state, state):\n    total = state.robot.top_sped + state.earned\n    for crate in state.crates:\n        total += crate.layers\n        total += crate.weight\n    for o in state.objects:\n        if o.category == 'Tile':\n            total += o.xy[0]\n    return total\n";
    let library = library(text, None);
    assert_eq!(library.diagnostics(), []);
    let found = reward_lints::diagnostics(&library);
    let messages: Vec<_> =
        found.iter().map(|finding| (finding.severity, &*finding.message, &*finding.help[0])).collect();
    assert_eq!(
        messages,
        [
            (Severity::Error, "objects of `Robot` have no `top_sped`", "did you mean `top_speed`?"),
            (
                Severity::Note,
                "`crate` may lack `weight`: it has no value until a trace assigns one",
                "declare a default in the world, or check `hasattr(crate, \"weight\")` first"
            ),
        ]
    );
}

#[test]
fn audits_have_a_score_where_the_trace_has_one() {
    let text =
        "def reward_function(env):\n    reward = 0.0\n    if env.raining:\n        reward += 1.0\n    return reward\n";
    let library = library(text, None);
    let programs = library.reward_programs();
    let audit = |column: Option<&str>| {
        let options = audit::AuditOptions { score_column: column.map(str::to_owned), ..audit::AuditOptions::default() };
        audit::audit(&programs, &library.all_worlds(), &[trace(TRACE)], &options, &|_| ())
    };
    let without = audit(None);
    assert_eq!(without.diagnostics, []);
    let found = &without.audits[0];
    assert_eq!(
        (found.score.as_deref(), found.recordings[0].score(), found.recordings[0].total()),
        (None, None, Some(1.0))
    );
    let finding = found.findings.iter().find(|finding| finding.kind == "no-score").unwrap();
    assert_eq!(finding.severity, Severity::Note);
    assert!(finding.help[0].contains("earned"), "{:?}", finding.help);
    assert!(!audit::text(found).contains(", score"));
    let with = audit(Some("earned"));
    assert_eq!(with.audits[0].recordings[0].score(), Some(4.0));
    assert!(with.audits[0].findings.iter().all(|finding| finding.kind != "no-score"));
    // Skipped checks of such a world are reported.
    let skipped: Vec<&str> = found
        .findings
        .iter()
        .filter(|finding| finding.kind == "probes-skipped" && finding.severity == Severity::Note)
        .map(|finding| &*finding.message)
        .collect();
    assert_eq!(
        skipped,
        [
            "rewards of existing objects and of score levels are not checked in the world `yard`: synthetic screens are available for Atari games only"
        ]
    );
    let wrong = audit(Some("earnt"));
    assert_eq!(wrong.diagnostics[0].message, "frame 0 has no score `earnt`");
    assert_eq!(wrong.diagnostics[0].help, ["did you mean `earned`?", "available: earned"]);
}

/// Findings of probes do not come of a wrong name, as programs with other names in its place are run without probes.
#[test]
fn skipped_probes_are_not_consequences_of_a_wrong_name() {
    let text = "def reward_function(state):\n    return float(sum(o.category == 'Robt' for o in state.objects))\n";
    let library = library(text, None);
    let programs = library.reward_programs();
    let options = audit::AuditOptions::default();
    let audited = audit::audit(&programs, &library.all_worlds(), &[trace(TRACE)], &options, &|_| ());
    let [found] = &audited.audits[..] else { panic!("one program, one audit") };
    let causes: Vec<&str> =
        found.findings.iter().filter(|one| !one.consequences.is_empty()).map(|one| one.kind).collect();
    assert!(causes.iter().any(|kind| kind.starts_with("unknown-")), "{:#?}", found.findings);
    assert!(found.findings.iter().any(|finding| finding.kind == "probes-skipped"), "{:#?}", found.findings);
}
