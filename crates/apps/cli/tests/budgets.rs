//! Budgets of programs over traces, the streaming of results, and the messages of limits.

use crate::common::Folder;
use serde_json::Value;

const GAME: &str = "examples/game/throw-to-bin.game";
const PLAY: &str = "examples/game/play.jsonl";

/// A game whose every state takes much work: `far` in the engines of the language, `many` in the authors' reward machine, in which the
/// variables of inner quantifiers have no objects.
const SLOW: &str = "(define (game slow) (:domain few-objects-room-v1)
(:constraints (and (preference far
  (exists (?a ?b - game_object)
    (then
      (once (exists (?c ?d - game_object) (and (touch ?a ?c) (touch ?b ?d) (not (touch ?c ?d)))))
      (hold (forall (?c ?d - game_object) (or (touch ?a ?c) (touch ?d ?b))))
      (once (not (touch ?a ?b))))))
(preference many
  (exists (?a ?b ?c - game_object)
    (then (once (and (not (touch ?a ?b)) (not (touch ?b ?c)))) (hold (not (touch ?a ?c))) (once (touch ?a ?b)))))))
(:scoring (+ (count far) (count many))))
";

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// The options that select the engine of games.
const WAYS: [&str; 3] = ["", "--engine interpreter", "--semantics reference"];

#[test]
fn a_slow_program_is_stopped_by_name_and_keeps_no_other_waiting() {
    let folder = Folder::new();
    folder.write("slow.game", SLOW);
    for option in WAYS {
        let alone = folder.run(&format!("score {GAME} {PLAY} {option} --format jsonl --budget 2M"));
        assert_eq!(alone.code, Some(0), "{option}: {}", alone.all());
        let done = folder.run(&format!("score slow.game {GAME} {PLAY} {option} --format jsonl --budget 2M"));
        assert_eq!(done.code, Some(1), "{option}: {}", done.all());
        let [quick, slow] = &records(&done.out)[..] else { panic!("{option}: {}", done.out) };
        // The slow program is first among the paths and last among the results.
        assert_eq!([quick], records(&alone.out).iter().collect::<Vec<_>>()[..], "{option}");
        assert_eq!((&slow["program"], &slow["score"]), (&Value::from("slow.game"), &Value::Null), "{option}");
        let (state, budget) = (&slow["stopped"]["state"], &slow["stopped"]["budget"]);
        let reason = format!("stopped in state {state}: exceeds the budget of {budget} units of work");
        assert_eq!(slow["score_error"], Value::from(&*reason), "{option}");
        assert!(
            done.err.contains(&format!("error[run/over-budget]: `slow.game` over `{PLAY}` was {reason}")),
            "{}",
            done.err
        );
    }
}

/// An activity that takes little work in each state, or much work in the interpreter.
fn activity(folder: &Folder, name: &str, slow: bool) {
    let objects: String = (1..=40).map(|number| format!(" pot_plant.n.01_{number}")).collect();
    let inner = "(or (not (soaked ?a)) (soaked ?b) (not (soaked ?c)))";
    let goal = if slow {
        let quantifiers = ["?a", "?b", "?c"].map(|name| format!("(forall ({name} - pot_plant.n.01) ")).concat();
        format!("{quantifiers}{inner})))")
    } else {
        "(soaked pot_plant.n.01_1)".to_owned()
    };
    let objects = format!("{objects} - pot_plant.n.01 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01");
    let text = format!(
        "(define (problem {name}-0) (:domain igibson) (:objects{objects})\n\
         (:init (ontop pot_plant.n.01_1 floor.n.01_1)) (:goal (and {goal})))"
    );
    folder.write(&format!("{name}.bddl"), text);
}

/// Returns the names of the programs in the order of their results.
fn order(folder: &Folder, arguments: &str) -> Vec<String> {
    let done = folder.run(&format!("score {arguments} --engine interpreter --format jsonl"));
    assert_eq!(done.code, Some(0), "{arguments}: {}", done.err);
    records(&done.out).iter().map(|line| line["program"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_slow_activity_keeps_no_other_waiting() {
    let folder = Folder::new();
    activity(&folder, "slow", true);
    activity(&folder, "quick", false);
    let header = r#"{"format":"goalspec-trace","version":1}"#;
    let state = |number: u32| format!(r#"{{"facts":[["soaked","pot_plant.n.01_{number}"]]}}"#);
    folder.write("soaked.jsonl", format!("{header}\n{}\n{}\n", state(1), state(2)));
    for paths in ["slow.bddl quick.bddl", "quick.bddl slow.bddl"] {
        // The slow one exceeds the share of the budget after which other programs run first.
        let found = order(&folder, &format!("{paths} soaked.jsonl --any-world --budget 10k"));
        assert_eq!(found, ["quick.bddl", "slow.bddl"], "{paths}");
    }
    let found = order(&folder, "slow.bddl quick.bddl soaked.jsonl --any-world --budget none");
    assert_eq!(found, ["slow.bddl", "quick.bddl"]);
}

#[test]
fn a_slow_game_keeps_no_game_of_another_world_waiting() {
    let folder = Folder::new();
    let kitchen = folder.read("examples/worlds/kitchen.world.toml");
    for name in ["one", "two"] {
        folder.write(&format!("{name}.world.toml"), kitchen.replace("\"kitchen-v1\"", &format!("\"{name}\"")));
    }
    let game = folder.read("examples/worlds/make-tea.game").replace("make-tea", "quick").replace("kitchen-v1", "two");
    folder.write("quick.game", game);
    folder.write(
        "slow.game",
        "(define (game slow) (:domain one) (:constraints (and (preference far (exists (?x - thing) (then
            (once (forall (?a ?b ?c - thing) (or (agent_holds ?a) (not (agent_holds ?b)) (agent_holds ?c) (agent_holds ?x))))
            (hold (forall (?a ?b ?c - thing) (or (agent_holds ?a) (not (agent_holds ?b)) (agent_holds ?c))))
            (once (agent_holds ?x))))))) (:scoring (count far)))",
    );
    // A trace without a world is tried with all worlds.
    let trace = folder.read("examples/worlds/make-tea.jsonl").replacen("\"world\":\"kitchen-v1\",", "", 1);
    folder.write("tea.jsonl", trace);
    let paths = "one.world.toml two.world.toml slow.game quick.game tea.jsonl";
    assert_eq!(order(&folder, &format!("{paths} --budget none")), ["slow.game", "quick.game"]);
    assert_eq!(order(&folder, &format!("{paths} --budget 40k")), ["quick.game", "slow.game"]);
}

#[test]
fn programs_that_exceed_the_budget_before_the_first_state_have_results_in_every_format() {
    let folder = Folder::new();
    folder.write("slow.game", SLOW);
    for options in ["", "--per-step", "--why"] {
        for format in ["table", "json", "jsonl", "csv"] {
            if options == "--why" && format == "csv" {
                continue;
            }
            for paths in ["slow.game", &format!("slow.game {GAME}")] {
                let done = folder.run(&format!("score {paths} {PLAY} {options} --format {format} --budget 1"));
                assert_eq!(done.code, Some(1), "{options} {format}: {}", done.all());
                let error =
                    format!("error[run/over-budget]: `slow.game` over `{PLAY}` was stopped before the first state");
                assert!(done.err.contains(&error), "{options} {format}: {}", done.err);
                // Without states, there are no rows per state.
                let named = done.out.contains("slow.game") || (format, options) == ("csv", "--per-step");
                assert!(named, "{options} {format}: {}", done.out);
            }
        }
    }
    let done = folder.run(&format!("score slow.game {GAME} {PLAY} --format jsonl --budget 1"));
    let all = records(&done.out);
    let slow = all.iter().find(|record| record["program"] == "slow.game").expect("the program has a result");
    assert_eq!((all.len(), &slow["stopped"]["state"], &slow["score"]), (2, &0.into(), &Value::Null), "{slow}");
}

#[test]
fn programs_are_stopped_in_the_same_state_every_time_whatever_runs_beside_them() {
    let folder = Folder::new();
    folder.write("slow.game", SLOW);
    for option in WAYS {
        let stopped = |paths: &str, rest: &str| {
            let done = folder.run(&format!("score {paths} {PLAY} {option} --format json --budget 2M {rest}"));
            let found: Value = serde_json::from_str(&done.out).expect("it is JSON");
            let all = found.as_array().expect("it is a list");
            all.iter().find(|record| record["program"] == "slow.game").expect("the program has a result")["stopped"]
                .clone()
        };
        let alone = stopped("slow.game", "");
        assert!(alone["state"].as_u64().is_some_and(|state| state > 0), "{option}: {alone}");
        assert_eq!(stopped(&format!("{GAME} slow.game"), ""), alone, "{option}");
        assert_eq!(stopped(&format!("slow.game {GAME}"), "--jobs 1"), alone, "{option}");
    }
}

/// A setup with nested quantifiers, whose conditions are evaluated for every combination of objects.
fn nested_setup(depth: usize) -> String {
    let mut part = "(game-conserved (in_motion ?s0))".to_owned();
    for level in 0..depth {
        let quantifier = if level % 2 == 0 { "exists" } else { "forall" };
        part = format!(
            "({quantifier} (?s{level} - game_object) (and {part} (game-optional (not (touch ?s{level} ?s{level})))))"
        );
    }
    format!(
        "(define (game nested) (:domain few-objects-room-v1) (:setup {part})
         (:constraints (preference p (exists (?d - dodgeball) (at-end (agent_holds ?d))))) (:scoring (count p)))"
    )
}

/// The only limit on the work of reference mode is the budget, which counts what nested quantifiers of the setup cost, and whose option is
/// named.
#[test]
fn the_budget_bounds_the_setup_in_reference_mode() {
    let folder = Folder::new();
    for depth in [6, 12, 24] {
        folder.write("nested.game", nested_setup(depth));
        let done = folder.run(&format!("score --semantics reference nested.game {PLAY} --budget 2M"));
        assert_eq!(done.code, Some(1), "{depth}: {}", done.all());
        assert!(done.err.contains("exceeds the budget of"), "{depth}: {}", done.err);
        assert!(done.err.contains("`--budget none` lifts the limit"), "{depth}: {}", done.err);
        assert!(!done.err.contains("--semantics spec"), "{depth}: {}", done.err);
    }
}

/// Calls below the work of a slow call are bounded together, by a reserve and an allowance for each frame; calls within the allowance are
/// never stopped.
#[test]
fn many_calls_of_moderate_work_are_stopped_and_cheap_ones_are_not() {
    let folder = Folder::new();
    let program = |body: &str| {
        format!(
            "class Key:\n    def __init__(self, n): self.n = n\n    def __eq__(self, other): return True\n    \
                 def __hash__(self): return 1\n\ndef reward_function(objects):\n{body}\n    return 1.0\n"
        )
    };
    folder.write("keys.py", program("    s = set()\n    for i in range(350): s.add(Key(i))"));
    folder.write("names.py", program("    d = {}\n    for i in range(600): d[str(i)] = i"));
    folder.write("cheap.py", program("    d = {}\n    for i in range(200): d[str(i)] = i"));
    folder.write("long.hex", format!("{}\n", "3c".repeat(128)).repeat(800));
    folder.run("trace record --game pong long.hex -o long.jsonl");
    let run = |name: &str, rest: &str| {
        let done = folder.run(&format!("score {name} long.jsonl --engine interpreter --format json {rest}"));
        let found: Value = serde_json::from_str(&done.out).expect("it is JSON");
        let failures = found[0]["failures"].as_array().cloned().unwrap_or_default();
        (failures.first().map(|failure| failure["kind"].clone()), failures.len())
    };
    // A call is slow from 15,000 units on; none of these takes as much.
    let small = "--call-budget 60000";
    for name in ["keys.py", "names.py"] {
        assert_eq!(run(name, small), (Some("skipped".into()), 1), "{name}");
        assert_eq!(run(name, "--call-budget 1000000"), (None, 0), "{name}");
    }
    assert_eq!(run("cheap.py", small), (None, 0));
}

#[test]
fn no_budget_changes_a_result() {
    let folder = Folder::new();
    folder.write("slow.game", SLOW);
    for option in ["", "--why"] {
        let run = |budget: &str| {
            folder.run(&format!("score slow.game {GAME} {PLAY} {option} --format json --budget {budget}"))
        };
        let unlimited = run("none");
        assert_eq!(unlimited.code, Some(0), "{}", unlimited.all());
        // Above the share of the budget after which other programs run first, so that the program runs alone.
        assert_eq!(run("1G").out, unlimited.out);
    }
    let default = folder.run(&format!("score {GAME} {PLAY} --format json"));
    assert_eq!(default.out, folder.run(&format!("score {GAME} {PLAY} --format json --budget none")).out);
}

#[test]
fn every_format_names_the_program_that_was_stopped() {
    let folder = Folder::new();
    folder.write("slow.game", SLOW);
    for format in ["table", "json", "jsonl", "csv"] {
        let done = folder.run(&format!("score slow.game {GAME} {PLAY} --format {format} --budget 2M"));
        assert_eq!(done.code, Some(1), "{}", done.all());
        assert!(done.out.contains("slow.game") && done.out.contains("units of work"), "{format}: {}", done.out);
        assert!(done.err.contains("`--budget none` lifts the limit"), "{format}: {}", done.err);
        assert!(done.out.contains("throw-to-bin.game"), "{format}: {}", done.out);
    }
}

#[test]
fn activities_and_reward_functions_have_budgets() {
    let folder = Folder::new();
    let activity = "examples/bddl/watering_the_garden.bddl examples/bddl/watering.jsonl";
    let done = folder.run(&format!("score {activity} --engine interpreter --format jsonl --budget 1"));
    assert_eq!(done.code, Some(1), "{}", done.all());
    assert_eq!(records(&done.out)[0]["stopped"]["state"], 1, "{}", done.out);
    assert_eq!(folder.run(&format!("score {activity} --engine interpreter")).code, Some(0));
    folder.write(
        "slow.py",
        "from ocatari.ram.pong import *\n\ndef reward_function(game_objects) -> float:\n    total = 0.0\n    for i in range(20000):\n        \
         total += len(str(i))\n    return total\n",
    );
    let screens = folder.read("examples/reward/pong.hex");
    folder.write("pong.hex", screens.lines().take(30).map(|line| format!("{line}\n")).collect::<String>());
    folder.run("trace record --game pong pong.hex -o pong.jsonl");
    let done = folder.run("score slow.py examples/reward/rally.py pong.jsonl --format jsonl --budget 12M");
    assert_eq!(done.code, Some(1), "{}", done.all());
    let all = records(&done.out);
    let [quick, slow] = &all[..] else { panic!("{}", done.out) };
    assert_eq!((&quick["program"], &quick["stopped"]), (&Value::from("examples/reward/rally.py"), &Value::Null));
    assert_eq!(slow["program"], "slow.py");
    assert!(slow["stopped"]["frame"].as_u64().is_some_and(|frame| frame > 1), "{slow}");
    assert!(done.err.contains("error[run/over-budget]: `slow.py`"), "{}", done.err);
    assert_eq!(folder.run("score slow.py pong.jsonl --budget none").code, Some(0));
}

#[test]
fn budgets_are_checked_with_the_command_line() {
    let folder = Folder::new();
    let done = folder.run(&format!("score {GAME} {PLAY} --budget lots"));
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("500M or 20G, or `none`"), "{}", done.err);
}

/// Inputs that exceed a limit, each with its code.
fn too_large(folder: &Folder) -> Vec<(&'static str, String)> {
    let deep = format!("(define (game g) (:domain d) {}{})", "(".repeat(300), ")".repeat(300));
    folder.write("deep.game", deep);
    folder.write("deep.yaml", format!("rules: {}{}", "[".repeat(200), "]".repeat(200)));
    folder.write(
        "deep.py",
        format!("def reward_function(game_objects):\n    return {}1{}\n", "(-".repeat(500), ")".repeat(500)),
    );
    folder.write("long.py", format!("# {}\n", "x".repeat(1 << 20)));
    let types: String = (0..5000).map(|number| format!("t{number} = []\n")).collect();
    folder.write("many.world.toml", format!("name = \"many\"\n[types]\n{types}"));
    folder.write(
        "deep.jsonl",
        format!(
            "{{\"format\":\"goalspec-trace\",\"version\":1,\"world\":\"few-objects-room-v1\"}}\n{{\"set\":{}\n",
            "[".repeat(100)
        ),
    );
    [
        ("syntax/too-deep", "check deep.game"),
        ("rgg/yaml-depth", "check deep.yaml"),
        ("reward/limit", "check deep.py"),
        ("reward/limit", "check long.py"),
        ("world/too-large", "check many.world.toml"),
    ]
    .map(|(code, command)| (code, command.to_owned()))
    .into()
}

#[test]
fn exceeded_limits_name_their_remedy_in_every_format() {
    let folder = Folder::new();
    for (code, command) in too_large(&folder) {
        for format in ["human", "json"] {
            let done = folder.run(&format!("{command} --format {format}"));
            assert_eq!(done.code, Some(1), "{command}: {}", done.all());
            assert!(done.out.contains(code), "{command}: {}", done.all());
            assert!(done.out.contains("limit cannot be lifted"), "{command}: {}", done.out);
        }
    }
    let done = folder.run("trace info deep.jsonl --world few-objects-room-v1");
    assert_eq!(done.code, Some(1), "{}", done.all());
}
