//! Resource graph games on the command line.

use crate::common::Folder;
use serde_json::Value;

const CLIMB: &str = "examples/rgg/climb.yaml";
const BERRIES: &str = "examples/rgg/berries.yaml";

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    let folder = Folder::new();
    let games = |options: &str| folder.run(&format!("simulate --format jsonl --games 50 {options} {BERRIES}")).out;
    let one_job = games("--seed 3 --jobs 1");
    assert_eq!(one_job, games("--seed 3 --jobs 2"));
    assert_ne!(one_job, games("--seed 4 --jobs 1"));
    let alone = folder.run(&format!("simulate --format jsonl --seed 3 --first-game 17 --games 1 {BERRIES}")).out;
    assert_eq!(one_job.lines().nth(17), Some(alone.trim_end()));
}

#[test]
fn the_overview_names_the_games() {
    let folder = Folder::new();
    let run = |format: &str| folder.run(&format!("simulate --games 40 --format {format} --policy always:rest {CLIMB}"));
    let overview: Value = serde_json::from_str(&run("json").out).unwrap();
    assert_eq!((overview["games"].as_u64(), overview["failed"].as_u64()), (Some(40), Some(0)));
    // A policy that only rests stays at the foot of the wall for all ten hours.
    assert_eq!(overview["turns"]["mean"].as_f64(), Some(10.0));
    assert_eq!(overview["rewards"]["climber"]["max"].as_f64(), Some(0.0));
    let games = run("jsonl").out;
    assert_eq!(games.lines().count(), 40);
    let first: Value = serde_json::from_str(games.lines().next().unwrap()).unwrap();
    assert_eq!((first["end"].as_str(), first["metrics"]["wall.height"].as_i64()), (Some("completed"), Some(0)));
}

#[test]
fn rules_can_be_changed_one_by_one() {
    let folder = Folder::new();
    let height = |rule: &str| {
        let out = folder.run(&format!("simulate --games 2000 --format json {rule} --policy always:climb {CLIMB}")).out;
        let overview: Value = serde_json::from_str(&out).unwrap();
        overview["metrics"]["wall.height"]["mean"].as_f64().unwrap()
    };
    // Slips have odds of 0.1 as documented, and of 0.3, the remainder, with incremental odds.
    assert!(height("") > height("--rule odds=increment") + 0.1);
}

#[test]
fn wrong_policies_and_rules_are_refused() {
    let folder = Folder::new();
    for (options, message) in [
        ("--policy grredy", "unknown policy `grredy`"),
        ("--policy climer=random", "did you mean `climber`?"),
        ("--policy always:clmb", "did you mean `climb`?"),
        ("--policy script:none.txt", "none.txt"),
        ("--policy randm", "did you mean `random`?"),
        ("--policy always", "incomplete policy `always`; expected `always:ACTION`"),
        ("--rule odds=3", "unknown value `3` of the rule `odds`"),
        ("--rgg page", "expected documented or cage"),
    ] {
        let run = folder.run(&format!("simulate {options} {CLIMB}"));
        assert_eq!(run.code, Some(2), "{options}");
        assert!(run.err.contains(message), "{options}: {}", run.err);
    }
}

#[test]
fn scripts_are_played_line_by_line() {
    let folder = Folder::new();
    folder.write("plan.txt", "# up, then wait\nclimb\n\nrest # once\n");
    folder.run(&format!("simulate --games 1 --policy script:plan.txt --trace turns.jsonl {CLIMB}"));
    let turns = folder.read("turns.jsonl");
    let chosen: Vec<Value> =
        turns.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap()["choose"].clone()).collect();
    assert_eq!(chosen[0].as_str(), Some("climb"));
    assert_eq!(chosen[1].as_str(), Some("rest"));
    assert!(chosen[2].is_null());
}

#[test]
fn parameters_of_policies_are_in_their_spaces() {
    let folder = Folder::new();
    folder.write("plan.txt", "look around\ngather (ann) target=hil\n");
    for (policy, message) in [
        (
            "ann=script:plan.txt",
            "plan.txt: line 2: the parameter `target` of `gather (ann)` must be one of hill, brook, grove",
        ),
        ("ann=script:two.txt", "two.txt: line 1: duplicate value of `target`"),
    ] {
        folder.write("two.txt", "gather (ann) target=hill target=brook\n");
        let run = folder.run(&format!("simulate --policy {policy} {BERRIES}"));
        assert_eq!(run.code, Some(2), "{}", run.all());
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn the_nothing_action_has_its_defined_cost() {
    let folder = Folder::new();
    // A day passes with every `nothing`, and the winter comes after twenty.
    let end = |options: &str| {
        let out = folder.run(&format!("simulate --games 1 --max-turns 50 --format jsonl {options} {BERRIES}")).out;
        let game: Value = serde_json::from_str(&out).unwrap();
        (game["end"].as_str().unwrap().to_owned(), game["turns"].as_u64().unwrap())
    };
    folder.write("plan.txt", "nothing\n");
    for policy in ["nothing", "always:nothing", "script:plan.txt"] {
        assert_eq!(end(&format!("--policy {policy}")), ("completed".to_owned(), 20), "{policy}");
        let free = end(&format!("--rule nothing=free --policy {policy}"));
        assert_eq!(free, ("truncated".to_owned(), 50), "{policy}");
    }
}

#[test]
fn recorded_games_are_no_lists_of_states() {
    let folder = Folder::new();
    folder.run(&format!("simulate --games 1 --trace turns.jsonl {CLIMB}"));
    let run = folder.run("trace info turns.jsonl");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("a recording of the resource graph game `climb`"), "{}", run.err);
}

#[test]
fn recorded_turns_are_traces_of_the_games_world() {
    let folder = Folder::new();
    folder.run(&format!("simulate --games 20 --seed 4 --trace turns.jsonl {BERRIES}"));
    let score = format!("score --format jsonl examples/rgg/foraging.game {BERRIES} turns.jsonl");
    let run = folder.run(&score);
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 20), "{}", run.err);
    // Counts calculated from the recorded turns.
    let turns = folder.read("turns.jsonl");
    let found: Vec<usize> = turns
        .split("\"game\":")
        .skip(1)
        .map(|game| ["ann", "ben"].iter().filter(|team| finds_the_grove(game, team)).count())
        .collect();
    let scored: Vec<usize> = run.out.lines().map(|line| satisfactions(line, "findsTheGrove")).collect();
    assert_eq!(scored, found);
    assert!(found.contains(&2), "some of the games are worth counting: {found:?}");
}

/// Whether the team observes the grove at any time in a recorded game.
fn finds_the_grove(game: &str, team: &str) -> bool {
    game.lines().skip(1).any(|line| {
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        let seen = line["changes"]["grove.observable"]["set"].as_array().cloned().unwrap_or_default();
        seen.iter().any(|label| label == team)
    })
}

fn satisfactions(line: &str, preference: &str) -> usize {
    let record: Value = serde_json::from_str(line).unwrap();
    let preferences = record["preferences"].as_array().unwrap();
    let own = preferences.iter().find(|entry| entry["name"] == preference).unwrap();
    own["satisfactions"].as_array().unwrap().len()
}

#[test]
fn a_recording_of_another_game_is_refused() {
    let folder = Folder::new();
    folder.run(&format!("simulate --games 1 --trace turns.jsonl {CLIMB}"));
    let run = folder.run(&format!("score examples/rgg/foraging.game {BERRIES} turns.jsonl"));
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("the recorded game `climb`"), "{}", run.err);
    // A recording that contradicts the game.
    let changed = folder.read("turns.jsonl").replacen("\"valid\":true", "\"valid\":false", 1);
    folder.write("turns.jsonl", &changed);
    folder.write("high.game", "(define (game high) (:domain climb) (:constraints (and (preference up (at-end (> (height wall) 2))))) (:scoring (count up)))");
    let run = folder.run(&format!("score high.game {CLIMB} turns.jsonl"));
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("valid is"), "{}", run.err);
}

#[test]
fn layout_keeps_comments_and_the_game() {
    let folder = Folder::new();
    folder.write("loose.yaml", "teams:   [ a ]   # one\nboard:\n    nodes: [x]\n");
    assert_eq!(folder.run("fmt --check loose.yaml").code, Some(1));
    assert_eq!(folder.run("fmt loose.yaml").code, Some(0));
    assert_eq!(folder.read("loose.yaml"), "teams: [a] # one\nboard:\n  nodes: [x]\n");
    folder.write("broken.yaml", "teams: [a\n");
    assert_eq!(folder.run("fmt broken.yaml").code, Some(1));
    assert_eq!(folder.read("broken.yaml"), "teams: [a\n");
}

#[test]
fn a_person_plays() {
    let folder = Folder::new();
    let run = folder.run_with(&format!("play --seed 1 {CLIMB}"), b"9\nclimb\nrest\n");
    assert!(run.out.contains("you play climber"), "{}", run.out);
    assert!(run.out.contains("a number from 1 to 2, or a name"));
    assert!(run.out.contains("end of input"));
    assert_eq!(run.code, Some(1));
    let turns = std::iter::repeat_n("2\n", 10).collect::<String>();
    let run = folder.run_with(&format!("play --seed 1 {CLIMB}"), turns.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("completed after 10 turns"));
}

#[test]
fn recorded_turns_are_played_again_and_compared() {
    let folder = Folder::new();
    folder.run(&format!("simulate --games 2 --seed 5 --trace one.jsonl {BERRIES}"));
    folder.run(&format!("simulate --games 2 --seed 6 --trace other.jsonl {BERRIES}"));
    let run = folder.run(&format!("replay {BERRIES} one.jsonl"));
    assert_eq!(
        (run.code, run.out.as_str()),
        (
            Some(0),
            concat!(
                "berries: documented, seed 5, random, goalspec ",
                env!("CARGO_PKG_VERSION"),
                "\none.jsonl: 40 turns replayed as recorded\n"
            )
        )
    );
    let run = folder.run(&format!("replay --rule odds=increment {BERRIES} one.jsonl"));
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("line 1: rules"), "{}", run.out);
    assert_eq!(folder.run("trace diff one.jsonl one.jsonl").code, Some(0));
    let run = folder.run("trace diff one.jsonl other.jsonl");
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("line 1: seed is 5 in the first and 6 in the second"), "{}", run.out);
}

#[test]
fn bounds_are_enforced_on_request() {
    let folder = Folder::new();
    let run = |bounds: &str| {
        folder.run(&format!("simulate --games 300 --format json --bounds {bounds} --policy always:climb {CLIMB}"))
    };
    let least = |text: &str| {
        let overview: Value = serde_json::from_str(text).unwrap();
        (overview["out_of_space"].as_u64().unwrap(), overview["metrics"]["wall.strength"]["min"].as_f64().unwrap())
    };
    let (outside, strength) = least(&run("ignore").out);
    assert!(outside > 0 && strength < 0.0);
    let (outside, strength) = least(&run("clamp").out);
    assert!(outside > 0);
    assert_eq!(strength.to_bits(), 0.0_f64.to_bits());
    let failed = run("error");
    assert_eq!(failed.code, Some(1));
    assert!(failed.out.contains("the value of `wall.strength` is outside its declared space: -1"), "{}", failed.out);
}

#[test]
fn cut_and_changed_recordings_are_not_as_recorded() {
    let folder = Folder::new();
    folder.run(&format!("simulate --games 2 --seed 5 --trace turns.jsonl {BERRIES}"));
    let whole = folder.read("turns.jsonl");
    let replay = |text: &str| {
        folder.write("turns.jsonl", text);
        let run = folder.run(&format!("replay {BERRIES} turns.jsonl"));
        assert_eq!(run.code, Some(1), "{}", run.all());
        run.all()
    };
    let cut: String = whole.lines().take(5).map(|line| format!("{line}\n")).collect();
    assert!(replay(&cut).contains("line 5: the recording ends during a game"));
    assert!(replay("").contains("no game in the recording"));
    assert!(replay(&whole.replacen("\"end\":\"completed\"", "\"end\":\"truncated\"", 1)).contains("end is"));
    let rewards = whole.find("\"camp.ann\":").expect("a metric");
    let digit = rewards + "\"camp.ann\":".len();
    let changed = format!("{}9{}", &whole[..digit], &whole[digit..]);
    assert!(replay(&changed).contains("is"));
    // A play without its end has no verdict.
    folder.write("turns.jsonl", &cut);
    let run = folder.run(&format!("score examples/rgg/foraging.game {BERRIES} turns.jsonl"));
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("ends during a game"), "{}", run.err);
    let run = folder.run(&format!("replay {BERRIES} none.jsonl"));
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("none.jsonl"), "{}", run.err);
}

#[test]
fn a_trace_is_never_written_over_the_game() {
    let folder = Folder::new();
    let before = folder.read(CLIMB);
    for command in ["simulate --games 1", "play --seed 1"] {
        let run = folder.run(&format!("{command} --trace {CLIMB} {CLIMB}"));
        assert_eq!(run.code, Some(2), "{command}");
        assert!(run.err.contains("is also an input"), "{}", run.err);
        assert_eq!(folder.read(CLIMB), before);
    }
}

#[test]
fn no_games_and_no_turns_are_refused() {
    let folder = Folder::new();
    for options in ["--games 0", "--max-turns 0"] {
        assert_eq!(folder.run(&format!("simulate {options} {CLIMB}")).code, Some(2), "{options}");
    }
}
