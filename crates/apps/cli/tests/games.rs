//! The reports and policies of `goalspec simulate`.

use std::process::Stdio;
use std::time::Duration;

use crate::common::{Folder, GOALSPEC};
use goalspec_testing::resource::COIN;
use serde_json::Value;

/// Two houses; an attack takes a named one, or a random one.
const HOUSES: &str = "
metadata: {id: houses}
teams: [red]
board:
  nodes: [street, a, b]
  vectors: [{from: street, to: a}, {from: street, to: b}]
resourceSpace:
  street: {observable: set(red), turn: int(0)}
  a: {observable: set(red), taken: int(0)}
  b: {observable: set(red), taken: int(0)}
actionSpace: {red: {attack: {target: 'string.enum(a)'}}}
actions:
  attack:
    cost: {street.turn: 1}
    requires: {}
    consequences: [{odds: 1.0, result: {WithRandomVector: {result: {_target.taken: 1}}}}]
rewards: {red: {Field: a.taken}}
completed: {street.turn: {Gte: 200}}
metrics: [a.taken, b.taken]
";

const OVERFLOW: &str = "
metadata: {id: overflow}
teams: [red]
board: {nodes: [a]}
resourceSpace: {a: {observable: set(red), x: int(2147483647), y: 'int.range(0; 0,1)', turn: int(0)}}
actionSpace: {red: {go: }}
actions: {go: {cost: {a.x: 1, a.y: 1, a.turn: 1}, requires: {}, consequences: []}}
rewards: {red: {Field: a.x}}
completed: {a.turn: {Gte: 2}}
metrics: [a.x]
";

fn json(folder: &Folder, command: &str) -> Value {
    let done = folder.run(command);
    assert_eq!(done.code, Some(0), "{}", done.all());
    serde_json::from_str(&done.out).unwrap()
}

fn mean(report: &Value, team: &str) -> f64 {
    report["rewards"][team]["mean"].as_f64().unwrap()
}

#[test]
fn hidden_values_help_only_informed_policies() {
    let folder = Folder::new();
    folder.write("coin.yaml", COIN);
    for policy in ["masked-random", "greedy"] {
        let simulate = format!("simulate --policy red={policy} --games 500 --seed 1 --format json coin.yaml");
        let default_view = json(&folder, &simulate);
        assert!((mean(&default_view, "red") - 5.0).abs() < 0.4, "{policy}: {}", mean(&default_view, "red"));
        assert_eq!(default_view["policy_view"], "observation");
        let truth_view = json(&folder, &format!("{simulate} --policy-view truth"));
        assert!((mean(&truth_view, "red") - 10.0).abs() < 1e-9, "{policy}: {}", mean(&truth_view, "red"));
        assert_eq!(truth_view["policy_view"], "truth");
        let analyse = format!("analyse --policy red={policy} --format json coin.yaml");
        assert!((mean(&json(&folder, &analyse), "red") - 5.0).abs() < 1e-9);
        assert!((mean(&json(&folder, &format!("{analyse} --policy-view truth")), "red") - 10.0).abs() < 1e-9);
    }
}

#[test]
fn actions_without_their_parameters_run_in_cage_alone() {
    let folder = Folder::new();
    folder.write("houses.yaml", HOUSES);
    folder.write("script.txt", "attack\n".repeat(200));
    folder.write("table.json", r#"{"fields": [], "rows": [{"when": [], "choose": "attack"}]}"#);
    for policy in ["always:attack", "script:script.txt", "table:table.json"] {
        let simulate = format!("simulate --policy {policy} --games 20 --format json houses.yaml");
        let played = json(&folder, &format!("{simulate} --rgg cage"));
        let both = ["a.taken", "b.taken"].map(|name| played["metrics"][name]["mean"].as_f64().unwrap());
        assert!(both.iter().all(|mean| (mean - 100.0).abs() < 10.0), "{policy}: {both:?}");
        let refused = folder.run(&simulate);
        assert_ne!(refused.code, Some(0), "{policy}");
    }
    // Its own recordings can be replayed.
    let recorded = "simulate --rgg cage --policy always:attack --games 2 --trace turns.jsonl houses.yaml";
    assert_eq!(folder.run(recorded).code, Some(0));
    assert_eq!(folder.run("replay --rgg cage houses.yaml turns.jsonl").code, Some(0));
}

#[test]
fn numbers_that_leave_their_bits_or_their_spaces_are_named() {
    let folder = Folder::new();
    folder.write("overflow.yaml", OVERFLOW);
    let text = folder.run("simulate --games 10 overflow.yaml").out;
    assert!(text.contains("32-bit integers overflowed and wrapped around 10 times: a.x (10)"), "{text}");
    assert!(text.contains("10 values outside their declared spaces: a.y (10)"), "{text}");
    let report = json(&folder, "simulate --games 10 --format json overflow.yaml");
    assert_eq!((&report["overflows"], &report["overflows_by_resource"]["a.x"]), (&10.into(), &10.into()));
    assert_eq!(report["out_of_space_by_resource"], serde_json::json!({ "a.y": 10 }));
}

#[test]
fn reports_name_their_subject() {
    let folder = Folder::new();
    folder.write("coin.yaml", COIN);
    let report = json(
        &folder,
        "simulate --rule odds=increment --policy red=always:heads --seed 7 --games 50 --format json coin.yaml",
    );
    assert_eq!(report["game"], "coin");
    assert_eq!(report["dialect"], serde_json::json!({ "name": "documented", "rules": { "odds": "increment" } }));
    assert_eq!(report["policies"], serde_json::json!({ "nature": "random", "red": "always:heads" }));
    assert_eq!((&report["seed"], &report["games"]), (&7.into(), &50.into()));
    assert!(report["version"].is_string());
    // Nature's eleventh turn ends the game before red's.
    let choice = |team: &str, name: &str| {
        let mut rows = report["choices"].as_array().unwrap().iter();
        rows.find(|row| row["team"] == team && row["choice"] == name).unwrap().clone()
    };
    assert_eq!((&choice("red", "heads")["chosen"], &choice("red", "tails")["chosen"]), (&500.into(), &0.into()));
    let flips = report["consequences"].as_array().unwrap();
    let shares: Vec<u64> =
        flips.iter().filter(|row| row["action"] == "flip").map(|row| row["occurred"].as_u64().unwrap()).collect();
    assert_eq!((shares.iter().sum::<u64>(), &choice("nature", "flip")["valid"]), (550, &550.into()));
}

#[test]
fn returns_are_sums_of_step_rewards() {
    let folder = Folder::new();
    folder.write("coin.yaml", COIN);
    let rows = |discount: &str| -> Vec<(f64, f64)> {
        let out =
            folder.run(&format!("simulate --discount {discount} --games 20 --seed 3 --format jsonl coin.yaml")).out;
        let line = |line: &str| {
            let game: Value = serde_json::from_str(line).unwrap();
            (game["rewards"]["red"].as_f64().unwrap(), game["returns"]["red"].as_f64().unwrap())
        };
        out.lines().map(line).collect()
    };
    assert!(rows("1").iter().all(|(level, sum)| (level - sum).abs() < 1e-9));
    assert!(rows("0.5").iter().all(|(level, sum)| *sum <= *level && *sum >= 0.0));
    // The step rewards of a recording add up to the level.
    folder.run("simulate --games 1 --seed 3 --trace turns.jsonl coin.yaml");
    let steps: f64 = folder
        .read("turns.jsonl")
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["rewards"]["red"]
                .as_f64()
                .filter(|_| line.contains("\"turn\""))
        })
        .sum();
    assert!((steps - rows("1")[0].0).abs() < 1e-9);
    let wrong = folder.run("simulate --histogram return.red coin.yaml");
    assert!(wrong.all().contains("requires --discount"), "{}", wrong.all());
}

#[test]
fn two_seeds_are_compared_to_the_first_turn_that_differs() {
    let folder = Folder::new();
    folder.write("coin.yaml", COIN);
    for seed in [1, 2] {
        folder.run(&format!("simulate --games 1 --seed {seed} --trace {seed}.jsonl coin.yaml"));
    }
    let done = folder.run("trace diff 1.jsonl 2.jsonl");
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(done.code, Some(1));
    assert!(lines[0].starts_with("line 1: seed is 1 in the first and 2 in the second"), "{lines:?}");
    assert!(lines.len() == 2 && lines[1].contains(", turn "), "{lines:?}");
    let first = folder.read("1.jsonl").lines().next().unwrap().to_owned();
    let first: Value = serde_json::from_str(&first).unwrap();
    assert_eq!((&first["rules"]["odds"], &first["rules"]["reward-view"]), (&"cumulative".into(), &"truth".into()));
}

#[cfg(unix)]
#[test]
fn an_interrupted_simulation_shows_partial_results() {
    let folder = Folder::new();
    folder.write("coin.yaml", COIN);
    let child = folder
        .command(GOALSPEC)
        .args(["simulate", "--games", "1000000000", "--jobs", "1", "--format", "json", "coin.yaml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(folder.command("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let games = report["games"].as_u64().unwrap();
    assert!(games > 0 && games < 1_000_000_000 && report["cancelled"] == true, "{games}");
}

/// A game that continues until it is interrupted.
const ENDLESS: &str = "\
metadata: {id: endless, description: Nobody wins.}
teams: [a]
board: {nodes: [n]}
resourceSpace: {n: {observable: set(a), turns: float(0)}}
actionSpace: {a: {go: }}
actions: {go: {cost: {n.turns: 1}, requires: {}}}
rewards: {a: {Field: n.turns}}
completed: {n.turns: {Lt: 0}}
metrics: [n.turns]
";

#[cfg(unix)]
#[test]
fn a_long_game_is_interrupted_and_left_out() {
    let folder = Folder::new();
    folder.write("endless.yaml", ENDLESS);
    assert_eq!(folder.run("check endless.yaml").code, Some(0), "{}", folder.run("check endless.yaml").all());
    for options in ["", "--timeline turns.svg --resource n.turns", "--compare a=random", "--trace turns.jsonl"] {
        let mut arguments = vec!["simulate", "--games", "3", "--max-turns", "4000000000", "--format", "json"];
        arguments.extend(options.split_whitespace());
        arguments.push("endless.yaml");
        let child =
            folder.command(GOALSPEC).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(1));
        assert!(folder.command("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(130), "{options}: {printed}");
        let report: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!((&report["games"], &report["cancelled"]), (&0.into(), &true.into()), "{options}: {printed}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted after 0 of 3 games"));
    }
    // The recording is valid up to the interruption.
    let replayed = folder.run("replay endless.yaml turns.jsonl");
    assert_eq!(replayed.code, Some(0), "{}", replayed.all());
}

/// A safe behind one of two doors, which no team sees.
const DOORS: &str = "\
metadata: {id: doors, description: A safe behind one of two doors.}
teams: [thief]
board: {nodes: [hall, safe]}
resourceSpace:
  hall: {observable: set(thief), day: int(0), gold: int(0)}
  safe: {observable: set(), door: int(1), name: 'string.enum(one; one,two)', share: float(0.5)}
actionSpace: {thief: {one: , two: }}
actions:
  one: {cost: {hall.day: 1}, requires: {safe.door: 1}, consequences: [{result: {Resources: {add: {hall.gold: 1}}}}]}
  two: {cost: {hall.day: 1}, requires: {safe.door: 2}, consequences: [{result: {Resources: {add: {hall.gold: 1}}}}]}
rewards: {thief: {Field: hall.gold}}
completed: {hall.day: 1}
metrics: [hall.gold]
";

#[test]
fn sampled_values_are_hidden_from_teams_that_do_not_observe_them() {
    let folder = Folder::new();
    folder.write("doors.yaml", DOORS);
    let gold = |view: &str, vary: &str| -> i64 {
        let run = folder.run(&format!(
            "simulate --games 100 --policy masked-random --policy-view {view} {vary} --format jsonl doors.yaml"
        ));
        assert_eq!(run.code, Some(0), "{}", run.all());
        let games = run.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        games.map(|game| game["metrics"]["hall.gold"].as_i64().unwrap()).sum()
    };
    assert_eq!(gold("observation", ""), 100);
    let vary = "--vary resourceSpace.safe.door=int.enum(1,2)";
    assert_eq!(gold("truth", vary), 100);
    // A policy that opens the door of the file is right half of the time.
    let found = gold("observation", vary);
    assert!((25..75).contains(&found), "{found}");
    // Variables of other kinds do not change that.
    for other in ["safe.name=string.enum(one,two)", "safe.share=float.range(0.1,0.9)"] {
        assert_eq!(gold("observation", &format!("--vary resourceSpace.{other}")), 100, "{other}");
    }
}

/// A guard hides gold behind one of two doors, which the thief does not see.
const GUARDED: &str = "\
metadata: {id: guarded, description: A guard hides the gold.}
teams: [guard, thief]
board: {nodes: [hall, safe]}
resourceSpace:
  hall: {observable: 'set(guard, thief)', day: int(0)}
  safe: {observable: set(guard), door: int(1)}
actionSpace:
  guard: {hide: {door: 'int.enum(2)'}}
  thief: {one: , two: }
actions:
  hide: {cost: {hall.day: 1}, requires: {}, consequences: [{result: {Resources: {put: {safe.door: 2}}}}]}
  one: {cost: {hall.day: 1}, requires: {safe.door: 1}}
  two: {cost: {hall.day: 1}, requires: {safe.door: 2}}
rewards: {guard: {Field: hall.day}, thief: {Field: hall.day}}
completed: {hall.day: {Gte: 2}}
metrics: [hall.day]
";

#[test]
fn players_see_the_observations_of_their_team() {
    let folder = Folder::new();
    folder.write("guarded.yaml", GUARDED);
    let lines = |choice: &str, view: &str| -> Vec<String> {
        let done = folder.run_with(&format!("play --team thief {view} guarded.yaml"), choice.as_bytes());
        assert_eq!(done.code, Some(0), "{}", done.all());
        let hints = done.out.lines().filter(|line| line.contains("guard: hide") || line.contains("thief: one"));
        hints.map(|line| line.trim_start_matches(|c| c != 'g' && c != 't').to_owned()).collect()
    };
    assert_eq!(lines("one\n", ""), ["guard: hide"]);
    assert_eq!(lines("one\n", "--policy-view observation"), ["guard: hide"]);
    assert_eq!(lines("one\n", "--policy-view truth"), ["guard: hide door=2", "thief: one (invalid)"]);
}

/// One of 900 numbers opens the lock; the other parameter has no effect.
const LOCK: &str = "\
metadata: {id: lock, description: A lock with many numbers.}
teams: [thief]
board: {nodes: [lock]}
resourceSpace: {lock: {observable: set(thief), turn: int(0), opened: int(0)}}
actionSpace: {thief: {try: {number: 'int.range(1,900)', hand: 'int.range(1,2)'}}}
actions:
  try:
    cost: {lock.turn: 1}
    requires: {$number: 567}
    consequences: [{result: {Resources: {add: {lock.opened: 1}}}}]
rewards: {thief: {Field: lock.opened}}
completed: {lock.turn: {Gte: 3}}
metrics: [lock.opened]
";

#[test]
fn a_move_that_is_valid_is_found_among_many_that_are_not() {
    let folder = Folder::new();
    folder.write("lock.yaml", LOCK);
    let options = "--policy masked-random --rule parameters=yes --format json lock.yaml";
    let report = json(&folder, &format!("simulate --games 20 {options}")).to_string();
    assert!(report.contains("\"mean\":3.0"), "{report}");
    // In the exact analysis, no state follows a turn that opened nothing.
    let exact = json(&folder, &format!("analyse {options}"));
    assert_eq!((&exact["states"], &exact["transitions"]), (&4.into(), &3.into()), "{exact}");
}
