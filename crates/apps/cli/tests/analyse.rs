//! The analysis of finite resource graph games on the command line; the expected numbers are calculated by hand.

use crate::common::Folder;
use serde_json::Value;

const CLIMB: &str = "examples/rgg/climb.yaml";
const BERRIES: &str = "examples/rgg/berries.yaml";

/// Waits, or yields 8 with probability 1/4 and -1 with probability 1/2; the game is over when the value is not 0.
const BET: &str = "
metadata: {id: bet, description: Bet or wait.}
teams: [red]
board: {nodes: [a]}
resourceSpace:
  a: {observable: set(red), n: 'int.range(0; -9,9)'}
actionSpace:
  red:
    wait:
    bet:
actions:
  wait: {cost: {}, requires: {}, consequences: []}
  bet:
    cost: {}
    requires: {}
    consequences:
      - {odds: 0.25, result: {Resources: {put: {a.n: 8}}}}
      - {odds: 0.75, result: {Resources: {put: {a.n: -1}}}}
rewards: {red: {Field: a.n}}
completed: {a.n: {NotEqual: 0}}
metrics: [a.n]
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("bet.yaml", BET);
    folder
}

fn json(folder: &Folder, arguments: &str) -> Value {
    let run = folder.run(&format!("analyse --format json {arguments}"));
    assert_eq!((run.code, &*run.err), (Some(0), ""), "{arguments}: {}", run.out);
    serde_json::from_str(&run.out).unwrap()
}

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"));
    assert!((value - expected).abs() < 1e-12, "{value}, not {expected}");
}

#[test]
fn output_goes_to_the_selected_destination() {
    let folder = folder();
    for format in ["text", "json"] {
        let shown = folder.run(&format!("analyse --format {format} bet.yaml"));
        let written = folder.run(&format!("analyse --format {format} --output answer bet.yaml"));
        assert_eq!((written.code, &*written.out), (Some(0), ""), "{}", written.err);
        assert_eq!(folder.read("answer"), shown.out, "{format}");
    }
    let twice = folder.run("analyse --best red --save-policy a.json --output ./a.json bet.yaml");
    assert_eq!(twice.code, Some(2));
    assert!(twice.err.contains("`./a.json` is the path of two outputs"), "{}", twice.err);
}

#[test]
fn a_bet_by_hand() {
    let folder = folder();
    // It stays undecided with probability 1/4, so it takes 4/3 turns, and there are two losses to a win: (8 - 2) / 3.
    let always = json(&folder, "--policy always:bet bet.yaml");
    assert_eq!((&always["states"], &always["transitions"]), (&3.into(), &3.into()));
    assert_eq!(always["ever_ends"], serde_json::json!([1.0, 1.0]));
    near(&always["turns"]["mean"], 4.0 / 3.0);
    near(&always["rewards"]["red"]["mean"], 2.0);
    near(&always["rewards"]["red"]["sd"], 18.0_f64.sqrt());
    let rows = always["metrics"]["a.n"]["distribution"].as_array().unwrap();
    let likely = |number: i64| rows.iter().find(|row| row["value"] == number).unwrap()["completed"].clone();
    near(&likely(8), 1.0 / 3.0);
    near(&likely(-1), 2.0 / 3.0);
    // A random player spends half of the turns waiting.
    near(&json(&folder, "bet.yaml")["turns"]["mean"], 8.0 / 3.0);
    let spelled = folder.run("analyze bet.yaml");
    assert_eq!((spelled.code, spelled.out), (Some(0), folder.run("analyse bet.yaml").out));
}

#[test]
fn a_horizon_cuts_games_off() {
    let folder = folder();
    let cut = json(&folder, "--horizon 2 --policy always:bet bet.yaml");
    near(&cut["completed"], 15.0 / 16.0);
    near(&cut["truncated"], 1.0 / 16.0);
    near(&cut["turns"]["mean"], 0.75 + 2.0 * 0.25);
    assert_eq!((&cut["horizon"], &cut["analysed_turns"]), (&2.into(), &2.into()));
    let text = folder.run("analyse --horizon 2 --policy always:bet bet.yaml").out;
    assert!(text.contains("P(completed within 2 turns) = 0.9375; other games are truncated"), "{text}");
    // Of a hundred thousand states, the first turns reach only a few.
    assert!(json(&folder, &format!("--horizon 3 {BERRIES}"))["states"].as_u64().unwrap() < 200);
}

#[test]
fn waiting_policies_never_end_the_game() {
    let folder = folder();
    let waiting = json(&folder, "--policy always:wait bet.yaml");
    assert_eq!(waiting["ever_ends"], serde_json::json!([0.0, 0.0]));
    assert_eq!((&waiting["analysed_turns"], &waiting["truncated"]), (&10_000.into(), &1.0.into()));
    let text = folder.run("analyse --policy always:wait bet.yaml").out;
    assert!(text.contains("games end with probability 0\nP(truncated after 10000 turns)"), "{text}");
}

#[test]
fn the_best_response_is_saved_and_can_be_played() {
    let folder = Folder::new();
    let best = json(&folder, &format!("--best climber --save-policy best.json {CLIMB}"));
    let value = best["best_response"]["value"].as_f64().unwrap();
    near(&best["rewards"]["climber"]["mean"], value);
    for other in ["random", "greedy", "always:climb", "masked-random"] {
        let mean = json(&folder, &format!("--policy {other} {CLIMB}"))["rewards"]["climber"]["mean"].as_f64().unwrap();
        assert!(mean < value, "{other}: {mean}");
    }
    let planned = json(&folder, &format!("--policy table:best.json {CLIMB}"));
    near(&planned["rewards"]["climber"]["mean"], value);
    let played = folder.run(&format!("simulate --games 20000 --seed 5 --format json --policy table:best.json {CLIMB}"));
    let played: Value = serde_json::from_str(&played.out).unwrap();
    let reward = &played["rewards"]["climber"];
    // 95% of the intervals contain the value; that of this seed does, and its standard deviation is accurate to 1%.
    let interval = reward["mean_interval"].as_array().unwrap();
    assert!(interval[0].as_f64().unwrap() < value && value < interval[1].as_f64().unwrap(), "{interval:?} and {value}");
    let sd = best["rewards"]["climber"]["sd"].as_f64().unwrap();
    assert!((reward["sd"].as_f64().unwrap() - sd).abs() < 0.02 * sd);
}

#[test]
fn a_best_response_for_some_turns() {
    let folder = folder();
    // 3/2 from a bet, and another one with probability 1/4.
    let two = json(&folder, "--best red --horizon 2 --save-policy best.json bet.yaml");
    near(&two["best_response"]["value"], 1.5 + 1.5 / 4.0);
    near(&two["rewards"]["red"]["mean"], 1.875);
    near(&json(&folder, "--horizon 2 --policy table:best.json bet.yaml")["rewards"]["red"]["mean"], 1.875);
    let text = folder.run("analyse --best red bet.yaml").out;
    assert!(text.contains("value of the best response of red: 2.0000\n"), "{text}");
}

#[test]
fn policies_that_depend_on_hidden_values_have_no_table() {
    let folder = folder();
    let blind = BET
        .replace("observable: set(red)", "observable: 'set(; red)'")
        .replace("int.range(0; -9,9)'}", "int.range(0; -9,9)', t: int(0)}")
        .replace("wait: {cost: {}", "wait: {cost: {a.t: 1}")
        .replace("bet:\n    cost: {}", "bet:\n    cost: {a.t: 1}")
        .replace("{a.n: {NotEqual: 0}}", "{a.t: {Gte: 3}}")
        .replace("{odds: 0.75", "{odds: 1.0");
    folder.write("blind.yaml", blind);
    // Bet until it is 8, then wait; but the two states look the same.
    let run = folder.run("analyse --best red --save-policy best.json blind.yaml");
    assert_eq!(run.code, Some(1), "{}", run.all());
    assert!(run.out.contains("no table of observations represents the best response"), "{}", run.out);
    assert!(run.err.contains("but the team has the same observation in both"), "{}", run.err);
    assert!(!folder.path("best.json").exists());
}

#[test]
fn models_for_prism() {
    let folder = folder();
    let text = folder.run("analyse --export prism --policy always:bet bet.yaml").out;
    assert!(text.contains("\ndtmc\n") && text.contains("[] s=0 -> 0.25:(s'=0) + 0.25:(s'=1) + 0.5:(s'=2);"), "{text}");
    let run = folder.run("analyse --export prism --best red --output bet.prism bet.yaml");
    assert_eq!(
        (run.code, &*run.out, &*run.err),
        (
            Some(0),
            "",
            concat!(
                "3 states, 4 transitions, documented, exact, free, goalspec ",
                env!("CARGO_PKG_VERSION"),
                ": bet.prism\n"
            )
        )
    );
    let text = folder.read("bet.prism");
    assert!(text.contains("\nmdp\n") && text.contains("[red_wait] s=0 -> 1:(s'=0);"), "{text}");
    let run = folder.run("analyse --export prism-explicit --best red --output out/../bet bet.yaml");
    assert_eq!(run.code, Some(2), "the folder `out` does not exist: {}", run.all());
    let run = folder.run("analyse --export prism-explicit --best red --output bet bet.yaml");
    assert_eq!(run.code, Some(0), "{}", run.all());
    assert_eq!(
        folder.read("bet.tra"),
        "3 4 6\n0 0 0 1 red_wait\n0 1 0 0.25 red_bet\n0 1 1 0.25 red_bet\n0 1 2 0.5 red_bet\n1 0 1 1\n2 0 2 1\n"
    );
    assert_eq!(folder.read("bet.sta"), "(s)\n0:(0)\n1:(1)\n2:(2)\n");
    assert_eq!(folder.read("bet2.srew"), "# Reward structure \"red_offset_1\"\n# State rewards\n3 2\n0 1\n1 9\n");
}

#[test]
fn unsupported_analyses_are_rejected_with_a_reason() {
    let folder = folder();
    folder.write("drawn.yaml", BET.replace("put: {a.n: 8}", "put: {a.n: {Calculate: 'random()'}}"));
    folder.write("plan.txt", "bet\n");
    for (code, arguments, message) in [
        (1, "drawn.yaml", "consequence 1 of `bet` draws a number from a range, so the state space is infinite"),
        (1, &*format!("--max-states 100 {CLIMB}"), "the number of states exceeds the limit of 100; `wall."),
        (1, &*format!("--max-transitions 100 {CLIMB}"), "the number of transitions exceeds the limit of 100"),
        (1, &*format!("--max-memory 1 {BERRIES}"), "exceeds the limit of 1048576 bytes"),
        (1, "--best red --horizon 4000000000 bet.yaml", "exceeds the limit of 100000000"),
        (1, "none.yaml", "none.yaml"),
        (2, "--policy script:plan.txt bet.yaml", "red plays a script, which depends on the turn number"),
        (2, "--policy beet bet.yaml", "unknown policy `beet`"),
        (2, "--best blue bet.yaml", "unknown team `blue`"),
        (2, "--best red --policy red=random bet.yaml", "`red=random` sets the policy of red"),
        (2, "--save-policy best.json bet.yaml", "--best <TEAM>"),
        (2, "--export prism-explicit bet.yaml", "with --output"),
        (2, "--export prism --output bet.yaml bet.yaml", "the output `bet.yaml` is also an input"),
        (2, "--best red --save-policy bet.yaml bet.yaml", "the output `bet.yaml` is also an input"),
        (2, "--export prism --format json bet.yaml", "cannot be used with"),
        (2, "--export dot bet.yaml", "prism-explicit"),
        (2, "--horizon 0 bet.yaml", "0 is not in"),
        (2, "--horizon ten bet.yaml", "invalid digit"),
        (2, "--max-states 0 bet.yaml", "0 is not in"),
        (2, "--max-memory -1 bet.yaml", "unexpected argument"),
        (2, "examples/game/throw-to-bin.game", "is not a resource graph game"),
    ] {
        let run = folder.run(&format!("analyse {arguments}"));
        assert_eq!(run.code, Some(code), "{arguments}: {}", run.all());
        assert!(run.err.contains(message), "{arguments}: {}", run.err);
    }
    assert_eq!(folder.read("bet.yaml"), BET);
}
