//! JSON output of every command, against the schema of `goalspec explain --schema report`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::common::{Folder, root};
use goalspec_testing::json_schema::{errors, errors_in};
use serde_json::{Map, Value, json};

/// A definition of the schema, the commands to run before, and the command whose output it describes.
///
/// The name of the definition ends in `_json` if the output is a document, and in `_jsonl` if each line is one. In
/// commands, `< FILE` is the standard input, `> FILE` takes the standard output, `{known}` selects a knowledge
/// base, and `cat FILE` prints a file.
type Case = (&'static str, &'static [&'static str], &'static str);

const PONG: &[&str] = &["trace record --game pong examples/reward/pong.hex -o pong.jsonl.gz"];
const TIDY: &[&str] = &["plan {known} tidy.bddl > tidy.plan"];
const CHOSEN: &[&str] = &["analyse --best climber --save-policy best.json examples/rgg/climb.yaml"];

const STACKS: &[&str] = &["lot generate --specs specs.yaml --seed 3 -o problems"];
const EXPERIMENTS: &[&str] = &[
    STACKS[0],
    "lot run --specs specs.yaml --model fake:translator -o run",
    "lot run --specs specs.yaml --model fake:noisy --repairs 2 -o noisy",
];
const GENERATED: &str = "reward generate --world atari/pong --instructions examples/words/pong.txt --variant direct --candidates 1 \
    --model scripted:examples/words/pong-replies.jsonl --report generated.json --json pong.jsonl.gz";
const TRANSLATED: &str = "translate --json --to pddl --domain examples/words/tidy/domain.pddl --model fake:translator \
    --objects book,box,hall - < tidy.txt > tidy.json";

/// Requests to `serve`, each with an `id`.
const REQUESTS: &str = r#"{"id": 1, "method": "describe"}
{"id": 2, "method": "step", "action": 0}
{"id": 3, "method": "reset", "seed": 5}
{"id": 4, "method": "observe", "team": "ben"}
{"id": 5, "method": "legal"}
{"id": 6, "method": "step", "action": "look around"}
{"id": 7, "method": "step", "action": 2}
"#;

const CASES: &[Case] = &[
    ("generate_goal_jsonl", &[], "generate sample --json -n 3 examples/generation"),
    ("generate_goal_jsonl", &[], "generate sample --json -n 3 --model plain.json examples/generation"),
    ("generate_goal_jsonl", &[], "generate vary --json -n 3 --simpler examples/game/tower.game"),
    ("generate_fitness_json", &[], "generate fitness --json examples/game/tower.game examples/generation"),
    (
        "generate_fitness_json",
        &[],
        "generate fitness --json --explain --corpus examples/generation examples/game/tower.game",
    ),
    ("generate_dedup_json", &[], "generate dedup --json examples/generation"),
    (
        "generate_dedup_json",
        &["generate vary examples/game/tower.game -n 2 --operator scoring -o near"],
        "generate dedup --prove --json near",
    ),
    (
        "generate_goal_jsonl",
        &[],
        "generate sample --json --like examples/generation/lights-out.game examples/generation",
    ),
    ("generate_fit_json", &[], "generate fit --json --regrowths 4 --folds 2 -o fitted.json examples/generation"),
    ("generate_novelty_json", &[], "generate novelty --json examples/generation --against examples/generation"),
    (
        "generate_novelty_json",
        &[],
        "generate novelty --json --prove examples/game/tower.game --against examples/game/throw-to-bin.game",
    ),
    (
        "generate_evolve_json",
        &[],
        "generate evolve --json --generations 2 --initial 8 --pairs 4 -o archive examples/generation",
    ),
    ("diff_json", &[], "diff --json examples/game/throw-to-bin.game examples/game/throw-to-bin.game"),
    ("diff_json", &[], "diff --json examples/pddl/delivery/one_van.pddl examples/pddl/delivery/two_vans.pddl"),
    (
        "equiv_json",
        &[],
        "equiv --format json examples/bddl/watering_the_garden.bddl examples/bddl/watering_the_garden.bddl",
    ),
    (
        "equiv_json",
        &[],
        "equiv --goals --json examples/bddl/watering_the_garden.bddl examples/bddl/lost_umbrellas.bddl",
    ),
    ("equiv_json", &[], "equiv --json examples/pddl/delivery/one_van.pddl examples/pddl/delivery/two_vans.pddl"),
    ("check_json", &[], "check --format json examples/game/faulty.game"),
    ("check_json", &[], "check --format json examples/worlds examples/game/throw-to-bin.game"),
    ("check_json", &[], "check --format json examples/bddl/lost_umbrellas.bddl wrong.world.toml missing.game"),
    ("check_json", PONG, "check --format json examples/reward/careless.py pong.jsonl.gz"),
    ("check_json", &[], "check --format json - < examples/game/faulty.game"),
    ("check_json", &[], "check --format json table.world.toml wrong.game wrong.jsonl"),
    ("check_json", &[], "check --format json {known} tidy.bddl"),
    ("check_verdicts_json", &[], "check --format json --verdicts examples/bddl/lost_umbrellas.bddl"),
    ("check_verdicts_json", &[], "check --format json --verdicts {known} tidy.bddl examples/game/tower.game"),
    ("check_sarif_json", &[], "check --format sarif examples/game/faulty.game examples/bddl/lost_umbrellas.bddl"),
    ("check_sarif_json", &[], "check --format sarif table.world.toml wrong.game wrong.jsonl missing.game"),
    ("score_json", &[], "score --format json examples/game"),
    ("score_json", &[], "score --format json --why --per-step examples/game/tower.game examples/game/play.jsonl"),
    (
        "score_json",
        &[],
        "score --format json --semantics reference --why examples/game/tower.game examples/game/play.jsonl",
    ),
    ("score_json", &[], "score --format json --budget 1000 examples/game/tower.game examples/game/play.jsonl"),
    ("score_json", &[], "score --format json --lanes examples/game/throw-to-bin.game examples/game/play.jsonl"),
    ("score_json", &[], "score --format json --lanes=1 setup.game examples/game/play.jsonl"),
    (
        "score_json",
        &[],
        "score --format json --lanes examples/bddl/watering_the_garden.bddl examples/bddl/watering.jsonl",
    ),
    ("score_json", &[], "score --format json setup.game examples/game/play.jsonl"),
    (
        "score_json",
        &[],
        "score --format json --why --per-step examples/bddl/watering_the_garden.bddl examples/bddl/watering.jsonl",
    ),
    (
        "score_json",
        &[],
        "score --format json --budget 1 examples/bddl/watering_the_garden.bddl examples/bddl/watering.jsonl",
    ),
    (
        "score_json",
        &["simulate --games 3 --trace turns.jsonl --output games.csv --format csv examples/rgg/berries.yaml"],
        "score --format json examples/rgg turns.jsonl",
    ),
    ("score_json", PONG, "score --format json examples/reward/rally.py examples/reward/follow.py pong.jsonl.gz"),
    ("score_json", PONG, "score --format json --terms --per-step examples/reward/careless.py pong.jsonl.gz"),
    ("score_json", PONG, "score --format json --per-step parts.py pong.jsonl.gz"),
    ("score_json", PONG, "score --format json --engine interpreter --budget 2k parts.py pong.jsonl.gz"),
    ("score_json", PONG, "score --format json --per-step infinite.py raises.py pong.jsonl.gz"),
    ("score_jsonl", PONG, "score --format jsonl examples/reward/rally.game examples/reward/rally.py pong.jsonl.gz"),
    ("score_jsonl", &[], "score --format jsonl examples/worlds"),
    ("score_jsonl", &[], "score --format jsonl examples/bddl/watering_the_garden.bddl examples/bddl/watering.jsonl"),
    ("score_frame_json", PONG, "score --format json --why=18 examples/reward/rally.py parts.py pong.jsonl.gz"),
    ("score_frame_json", PONG, "score --format json --why=0 examples/reward/follow.py raises.py pong.jsonl.gz"),
    ("score_frame_jsonl", PONG, "score --format jsonl --why=18 examples/reward/careless.py pong.jsonl.gz"),
    ("audit_json", PONG, "audit --format json examples/reward/careless.py examples/reward/follow.py pong.jsonl.gz"),
    ("audit_json", PONG, "audit --format json parts.py infinite.py raises.py pong.jsonl.gz"),
    ("audit_json", &[], "audit --format json --score-column points examples/reward/landing"),
    ("watch_jsonl", &[], "watch --format jsonl examples/game/throw-to-bin.game < examples/game/play.jsonl"),
    (
        "watch_jsonl",
        &[],
        "watch --format jsonl examples/worlds/make-tea.game examples/worlds < examples/worlds/make-tea.jsonl",
    ),
    ("watch_jsonl", &[], "watch --format jsonl examples/bddl/watering_the_garden.bddl < examples/bddl/watering.jsonl"),
    ("simulate_json", &[], "simulate --format json --games 20 examples/rgg/climb.yaml"),
    ("simulate_json", &[], "simulate --format json --games 1 examples/rgg/berries.yaml"),
    (
        "simulate_json",
        &[],
        "simulate --format json --games 20 --discount 0.9 --policy greedy --compare random --timeline t.svg \
        examples/rgg/climb.yaml",
    ),
    (
        "simulate_json",
        &[],
        "simulate --format json --games 40 --compare greedy --half-width 0.5 \
        --vary resourceSpace.wall.strength=int.range(1,2) examples/rgg/climb.yaml",
    ),
    (
        "simulate_json",
        &[],
        "simulate --format json --games 9 --vary-per batch \
        --vary actions.climb.consequences.0.odds=float.range(0.5,0.9) examples/rgg/climb.yaml",
    ),
    ("simulate_json", &[], "simulate --format json --games 9 --rule bounds=clamp lamp.yaml"),
    ("simulate_json", &[], "simulate --format json --games 2 --policy script:short.txt lamp.yaml"),
    (
        "simulate_jsonl",
        &[],
        "simulate --format jsonl --games 3 --discount 0.9 --compare greedy examples/rgg/climb.yaml",
    ),
    ("simulate_jsonl", &[], "simulate --format jsonl --games 3 --rgg cage --policy-view truth examples/rgg/climb.yaml"),
    ("simulate_jsonl", &[], "simulate --format jsonl --games 2 --policy script:short.txt lamp.yaml"),
    (
        "simulate_jsonl",
        &[],
        "simulate --format jsonl --games 3 --vary resourceSpace.wall.strength=int.range(1,2) examples/rgg/climb.yaml",
    ),
    ("serve_jsonl", &[], "serve --max-turns 2 examples/rgg/berries.yaml < requests.jsonl"),
    (
        "simulate_trace_jsonl",
        &["simulate --games 3 --trace berries.jsonl examples/rgg/berries.yaml"],
        "cat berries.jsonl",
    ),
    (
        "simulate_trace_jsonl",
        &["simulate --games 2 --trace lamp.jsonl --policy script:short.txt lamp.yaml"],
        "cat lamp.jsonl",
    ),
    ("analyse_json", &[], "analyse --format json examples/rgg/climb.yaml"),
    ("analyse_json", &[], "analyse --format json --best climber examples/rgg/climb.yaml"),
    ("analyse_json", &[], "analyse --format json --horizon 4 --best climber examples/rgg/climb.yaml"),
    ("analyse_json", CHOSEN, "analyse --format json --policy table:best.json examples/rgg/climb.yaml"),
    ("analyse_json", &[], "analyse --format json --horizon 3 lamp.yaml"),
    ("plan_json", &[], "plan --format json --optimal examples/pddl/delivery/one_van.pddl"),
    (
        "plan_json",
        &[],
        "plan --format json --search lazy-ff --goal examples/pddl/delivery/errands.game::booksWaitAtTheMill \
        --keep-goal examples/pddl/delivery/one_van.pddl",
    ),
    ("plan_json", &[], "plan --format json examples/pddl/supper/tonight.pddl"),
    ("plan_json", &[], "plan --format json fixed.pddl"),
    ("plan_json", &[], "plan --format json --time-limit 0.000001 examples/pddl/delivery/two_vans.pddl"),
    ("plan_json", &[], "plan --format json --optimal --time-limit 0.000001 examples/pddl/delivery/two_vans.pddl"),
    ("plan_json", &[], "plan --format json --search astar-blind --state-limit 3 examples/pddl/delivery/two_vans.pddl"),
    ("plan_json", &[], "plan --format json {known} tidy.bddl"),
    ("plan_json", &[], "plan --format json {known} folded.bddl"),
    ("plan_json", &[], "plan --format json {known} moved.bddl"),
    ("plan_json", &[], "plan --format json {known} cooked.bddl"),
    ("plan_json", &[], "plan --format json {known} apart.bddl"),
    (
        "validate_json",
        &[],
        "validate --format json examples/pddl/delivery/one_van.pddl examples/pddl/delivery/one_van.plan",
    ),
    ("validate_json", &[], "validate --format json examples/pddl/delivery/one_van.pddl cut.plan"),
    ("validate_json", &[], "validate --format json examples/pddl/delivery/one_van.pddl wrong.plan"),
    (
        "validate_json",
        &[],
        "validate --format json --goal examples/pddl/delivery/errands.game::booksWaitAtTheMill \
        examples/pddl/delivery/one_van.pddl examples/pddl/delivery/one_van.plan",
    ),
    (
        "validate_json",
        &["plan examples/pddl/supper/tonight.pddl > supper.plan"],
        "validate --format json examples/pddl/supper/tonight.pddl supper.plan",
    ),
    ("validate_json", &[], "validate --format json fixed.pddl empty.plan"),
    ("validate_json", TIDY, "validate --format json {known} tidy.bddl tidy.plan"),
    ("options_json", &[], "options --format json --limit 3 examples/bddl"),
    ("options_json", &[], "options --format json pairs.bddl exactly.bddl"),
    ("options_jsonl", &[], "options --format jsonl --limit 0 examples/bddl pairs.bddl"),
    ("options_jsonl", &[], "options --format jsonl --dialect compat-3.6 exactly.bddl"),
    ("describe_needs_jsonl", &[], "describe --needs=json examples/bddl"),
    ("describe_needs_jsonl", &[], "describe --needs=json {known} tidy.bddl"),
    (
        "describe_engines_jsonl",
        PONG,
        "describe --engines=json examples/reward/rally.py examples/reward/hasty.py pong.jsonl.gz",
    ),
    ("trace_info_json", PONG, "trace info --format json examples/game pong.jsonl.gz"),
    ("trace_info_json", &[], "trace info --format json --partial --world table.world.toml table.jsonl"),
    ("trace_jsonl", &[], "trace head examples/game/play.jsonl"),
    ("trace_jsonl", &[], "trace head --world table.world.toml table.jsonl"),
    ("trace_jsonl", PONG, "trace convert pong.jsonl.gz -"),
    ("trace_jsonl", &["plan --trace van.jsonl examples/pddl/delivery/one_van.pddl"], "cat van.jsonl"),
    ("trace_record_jsonl", &[], "trace record --game pong examples/reward/pong.hex"),
    ("trace_record_jsonl", &[], "trace record --game pong --hud --no-quirks examples/reward/pong.hex"),
    ("fetch_jsonl", &[], "fetch bddl --into data --format jsonl"),
    ("reward_generate_json", PONG, GENERATED),
    ("translate_json", &[TRANSLATED], "cat tidy.json"),
    (
        "translate_json",
        PONG,
        "translate --json --to reward --domain atari/pong --model scripted:examples/words/pong-replies.jsonl - pong.jsonl.gz \
        < follow.txt",
    ),
    ("llm_probe_json", &[], "llm probe --json --model fake:sampler"),
    ("llm_probe_json", &[], "llm probe --json --model fake:translator"),
    ("llm_probe_dry_run_json", &[], "llm probe --json --dry-run --model fake:translator"),
    ("llm_import_json", &[], "llm import replies --json --cache imported"),
    ("llm_report_json", EXPERIMENTS, "llm report run noisy --json"),
    ("llm_report_json", &[PONG[0], GENERATED, TRANSLATED], "llm report generated.json tidy.json --json"),
    ("lot_translate_json", &[], "lot translate facts.pddl --to english --json"),
    ("lot_translate_json", &[], "lot translate stacks.txt --to pddl --json"),
    ("lot_plan_json", STACKS, "lot plan problems/problem_000.json --view all --json"),
    ("lot_plan_json", &[], "lot plan --state stacks.txt --goal itself.txt --json"),
    ("lot_plan_judge_json", &[], "lot plan --state stacks.txt --goal stacks.txt --judge moves.txt --json"),
    ("lot_run_json", STACKS, "lot run --specs specs.yaml --model fake:translator --max-calls 3 -o capped --json"),
    (
        "lot_run_dry_run_json",
        STACKS,
        "lot run --specs specs.yaml --model fake:translator --method translate --dry-run --json",
    ),
    ("lot_results_json", EXPERIMENTS, "lot results run noisy --json"),
];

/// A game whose setup never holds.
const SETUP: &str = "(define (game setup) (:domain few-objects-room-v1)
(:setup (exists (?d - dodgeball) (game-conserved (and (on bed ?d) (not (on bed ?d))))))
(:constraints (preference p (exists (?d - dodgeball) (at-end (on bed ?d))))) (:scoring (count p)))
";

const TABLE_WORLD: &str = r#"name = "table"

[types]
thing = {}
block = { of = "thing", discover = true }
hand = {}

[objects]
tray = "thing"
block_1 = "block"
hand = { type = "hand", name = "hand" }

[attributes]
position = { kind = "vec3", of = ["thing", "hand"] }
open = { kind = "bool", of = "hand" }
holds = { kind = "object", of = "hand" }
touching = { kind = "set", of = "thing" }
picks = { kind = "int", of = "hand" }
weight = { kind = "real", of = "thing" }
label = { kind = "text", of = "thing" }

[predicates.on]
parameters = "?below ?above - thing"
stored = true

[functions.battery]
parameters = "?hand - hand"
stored = true
"#;

const TABLE_TRACE: &str = r#"{"format":"goalspec-trace","version":1,"id":"one","objects":{"block_3":["block"]}}
{"t":0,"set":{"block_1":{"position":[0,0.05,0],"touching":["tray"]},"block_3":{"weight":0.2,"label":"red"}}}
{"t":0.5,"action":"grasp","set":{"hand":{"open":false,"holds":"block_1","picks":1}},"fluents":[["battery","hand",0.9]]}
{"index":7,"clock":70,"facts":[["on","tray","block_1"]],"set":{"hand":{"holds":null}},"foreign":2}
{"not":[["on","tray","block_1"]],"removed":["hand"]}
"#;

const LAMP: &str = "\
metadata: {id: lamp, description: A lamp is switched on and painted.}
teams: [one]
board: {nodes: [room]}
resourceSpace:
  room:
    observable: set(one)
    light: boolean(false)
    color: enum(red; red,blue)
    hour: int.range(0; 0,3)
actionSpace: {one: {switch: , paint: , wait: }}
actions:
  switch:
    cost: {room.hour: 1}
    requires: {room.light: false}
    consequences: [{odds: 0.5, result: {Resources: {put: {room.light: true}}}}]
  paint:
    cost: {room.hour: 1}
    requires: {}
    consequences: [{result: {Resources: {put: {room.color: blue}}}}]
  wait: {cost: {room.hour: 1}, requires: {}}
rewards: {one: {Field: room.hour}}
completed: {room.hour: {Gte: 3}}
metrics: [room.light, room.color]
";

const LAMPS_DOMAIN: &str = "(define (domain lamps) (:requirements :strips :negative-preconditions)
    (:predicates (lit ?l) (spare) (fixed ?l))
    (:action light :parameters (?l) :precondition (spare) :effect (and (lit ?l) (not (spare)))))
";

const INFINITE: &str = "import numpy as np


def reward_function(objects):
    return float(np.float64(1.0) / np.float64(0.0))
";

const RAISES: &str = "def reward_function(objects):
    raise ValueError(str([o.xy for o in objects]))
";

const PARTS: &str = "def reward_function(objects):
    near, hit = 0.25, 0.5
    return near + hit, {'near': near, 'hit': hit}
";

fn activity(goal: &str) -> String {
    format!(
        "(define (problem tidy-0) (:domain omnigibson)
            (:objects parcel.n.01_1 - parcel.n.01 towel.n.01_1 - towel.n.01 table.n.02_1 - table.n.02
                floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
            (:init (inroom table.n.02_1 kitchen) (inroom floor.n.01_1 kitchen) (ontop parcel.n.01_1 floor.n.01_1)
                (ontop towel.n.01_1 table.n.02_1) (ontop agent.n.01_1 floor.n.01_1))
            (:goal (and {goal})))\n"
    )
}

/// An activity with socks and drawers.
fn socks(number: u32, goal: &str) -> String {
    let many = |name: &str| (1..=number).map(|index| format!("{name}.n.01_{index} ")).collect::<String>();
    let (socks, drawers) = (many("sock"), many("drawer"));
    format!(
        "(define (problem p) (:domain omnigibson) (:objects {socks} - sock.n.01 {drawers} - drawer.n.01) (:init)
            (:goal (and {goal})))\n"
    )
}

/// Returns a folder with the input files of all cases.
fn folder() -> Folder {
    let folder = Folder::new();
    let pairs = "(forpairs (?sock.n.01 - sock.n.01) (?drawer.n.01 - drawer.n.01) (inside ?sock.n.01 ?drawer.n.01))
        (or (open ?drawer.n.01_1) (inside ?sock.n.01_1 ?drawer.n.01_1))";
    let exactly = "(forn (1) (?drawer.n.01 - drawer.n.01) (open ?drawer.n.01))
        (forall (?drawer.n.01 - drawer.n.01) (open ?drawer.n.01))";
    let apart = activity("(nextto ?towel.n.01_1 ?table.n.02_1)").replace("table.n.02_1 kitchen", "table.n.02_1 hall");
    let files = [
        ("setup.game", SETUP.to_owned()),
        ("wrong.game", "(define (game wrong) (:domain table)\n".to_owned()),
        ("wrong.world.toml", "name = \"w\"\nextends = \"few-object-room-v1\"\n".to_owned()),
        ("wrong.jsonl", format!("{TABLE_TRACE}{{\"facts\":[[\"onn\",\"tray\",\"block_1\"]]}}\n")),
        ("table.world.toml", TABLE_WORLD.to_owned()),
        ("table.jsonl", TABLE_TRACE.to_owned()),
        ("parts.py", PARTS.to_owned()),
        ("infinite.py", INFINITE.to_owned()),
        ("raises.py", RAISES.to_owned()),
        ("lamp.yaml", LAMP.to_owned()),
        ("requests.jsonl", REQUESTS.to_owned()),
        ("short.txt", "paint\n".to_owned()),
        ("lamps-domain.pddl", LAMPS_DOMAIN.to_owned()),
        (
            "fixed.pddl",
            "(define (problem p) (:domain lamps) (:objects a b) (:init (spare)) (:goal (fixed a)))\n".to_owned(),
        ),
        ("empty.plan", String::new()),
        ("specs.yaml", "- num_obj: 3\n- {num_obj: 3, test: true}\n".to_owned()),
        ("facts.pddl", "(on tea-pot tray) (clear tea-pot)\n".to_owned()),
        ("stacks.txt", "The tea pot rests on the table.\nThere is nothing on the tea pot.\n".to_owned()),
        ("itself.txt", "The tea pot is on the tea pot.\n".to_owned()),
        ("moves.txt", "Move the tea pot onto the table.\nLift the tray.\n".to_owned()),
        ("tidy.txt", "The book is in the box. The book should be in the hall.\n".to_owned()),
        ("follow.txt", "Follow the ball.\n".to_owned()),
        (
            "replies/one.jsonl",
            "{\"init_prompt\":\"a\",\"init_res\":\"b\",\"goal_prompt\":\"c\",\"goal_res\":\"d\"}\n".to_owned(),
        ),
        ("replies/other.jsonl", "{}\n".to_owned()),
        ("cut.plan", "(load books red depot)\n".to_owned()),
        ("wrong.plan", "(load shoes red depot)\n(drive red depot mill)\n".to_owned()),
        ("tidy.bddl", activity("(ontop ?parcel.n.01_1 ?table.n.02_1)")),
        ("folded.bddl", activity("(folded ?towel.n.01_1)")),
        ("moved.bddl", activity("(ontop ?table.n.02_1 ?floor.n.01_1)")),
        ("cooked.bddl", activity("(cooked ?parcel.n.01_1)")),
        ("apart.bddl", apart),
        ("pairs.bddl", socks(20, pairs)),
        ("exactly.bddl", socks(2, exactly)),
        ("data/bddl-3.6.0/bddl/activity_definitions/tidy/problem0.bddl", activity("(open ?table.n.02_1)")),
    ];
    for (name, text) in files {
        folder.write("plain.json", crate::generate::MODEL);
        folder.write(name, text);
    }
    folder
}

/// Runs a command of a case, and returns what it prints.
fn run(folder: &Folder, command: &str) -> String {
    let knowledge_option = format!("--knowledge {}", root().join("crates/languages/bddl/tests/small").display());
    let command = command.replace("{known}", &knowledge_option);
    if let Some(name) = command.strip_prefix("cat ") {
        return folder.read(name);
    }
    let (command, output) = command.split_once(" > ").map_or((&*command, None), |(rest, name)| (rest, Some(name)));
    let (command, input) = match command.split_once(" < ") {
        Some((command, name)) => (command, folder.read(name)),
        None => (command, String::new()),
    };
    let done = folder.run_with(command, input.as_bytes());
    assert!(!done.out.is_empty() || !done.err.contains("error"), "{command}: {}", done.err);
    if let Some(name) = output {
        folder.write(name, &done.out);
    }
    done.out
}

/// Returns the schema, as the command prints it.
fn schema(folder: &Folder) -> Value {
    serde_json::from_str(&folder.run("explain --schema report").out).expect("the schema is JSON")
}

/// Returns the documents that a command prints.
fn documents(definition: &str, command: &str, text: &str) -> Vec<Value> {
    let parse = |text: &str| serde_json::from_str(text).unwrap_or_else(|error| panic!("{command}: {error}\n{text}"));
    let documents: Vec<Value> =
        if definition.ends_with("_jsonl") { text.lines().map(parse).collect() } else { vec![parse(text)] };
    assert!(!documents.is_empty() && documents[0] != json!([]), "{command} prints nothing");
    documents
}

/// Returns the names of the definitions that a part of the schema refers to, directly or through others.
fn references<'s>(schema: &'s Value, part: &'s Value, found: &mut BTreeSet<&'s str>) {
    match part {
        Value::Array(parts) => parts.iter().for_each(|part| references(schema, part, found)),
        Value::Object(entries) => {
            let name = entries.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
            if let Some(name) = name
                && found.insert(name)
            {
                references(schema, &schema["$defs"][name], found);
            }
            entries.values().for_each(|part| references(schema, part, found));
        }
        _ => {}
    }
}

#[test]
fn output_matches_its_definition_and_every_definition_is_needed() {
    let folder = folder();
    let schema = schema(&folder);
    let (mut prepared, mut failures) = (BTreeSet::new(), String::new());
    let mut printed: Vec<(&str, Value)> = Vec::new();
    for &(definition, preparation, command) in CASES {
        for before in preparation {
            if prepared.insert(before) {
                run(&folder, before);
            }
        }
        let part = &schema["$defs"][definition];
        for document in documents(definition, command, &run(&folder, command)) {
            for error in errors_in(&schema, part, &document).iter().chain(&errors(&schema, &document)).take(5) {
                let _ = writeln!(failures, "{definition}: goalspec {command}\n  {error}");
            }
            printed.push((definition, document));
        }
    }
    assert!(failures.is_empty(), "{failures}");
    let of = |name: &'static str| {
        let mut found = BTreeSet::from([name]);
        references(&schema, &schema["$defs"][name], &mut found);
        (name, found)
    };
    let used: BTreeMap<&str, BTreeSet<&str>> = CASES.iter().map(|(definition, ..)| of(definition)).collect();
    // Without a definition, some output is invalid.
    for name in schema["$defs"].as_object().expect("definitions").keys() {
        let mut without = schema.clone();
        without["$defs"][name] = json!(false);
        let is_needed = |(definition, document): &(&str, Value)| {
            used[definition].contains(&**name)
                && !errors_in(&without, &without["$defs"][definition], document).is_empty()
        };
        assert!(printed.iter().any(is_needed), "no command prints `{name}`");
    }
}

#[test]
fn every_object_lists_its_keys_with_descriptions() {
    let folder = Folder::new();
    let schema = schema(&folder);
    assert_eq!(schema["$id"], "https://goalspec.github.io/schema/report-1.json");
    let mut used = BTreeSet::new();
    references(&schema, &schema["anyOf"], &mut used);
    let defined: BTreeSet<&str> =
        schema["$defs"].as_object().expect("definitions").keys().map(String::as_str).collect();
    assert_eq!(used, defined);
    let mut parts = vec![&schema];
    let mut keys = 0;
    while let Some(part) = parts.pop() {
        if part["type"] == "object" {
            assert!(part.get("additionalProperties").is_some(), "{part}");
        }
        for (key, property) in part["properties"].as_object().into_iter().flatten() {
            keys += 1;
            let description = property["description"].as_str().unwrap_or_default();
            assert!(description.ends_with('.'), "{key}: {description}");
        }
        let required = part["required"].as_array().into_iter().flatten();
        let unlisted = required.filter(|key| part["properties"].get(key.as_str().unwrap_or_default()).is_none());
        assert_eq!(unlisted.count(), 0, "{part}");
        match part {
            Value::Array(items) => parts.extend(items),
            // Properties may have the name of a keyword.
            Value::Object(entries) => {
                let maps = ["properties", "$defs"].into_iter().filter_map(|keyword| part[keyword].as_object());
                parts.extend(maps.flat_map(Map::values));
                let other = entries.iter().filter(|(keyword, _)| !["properties", "$defs"].contains(&&***keyword));
                parts.extend(other.map(|(_, part)| part));
            }
            _ => {}
        }
    }
    assert!(keys > 300, "{keys}");
}
