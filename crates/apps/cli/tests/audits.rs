//! Audits of reward functions, their restrictions, and errors in individual frames, on the command line.

use crate::common::Folder;
use serde_json::Value;

/// A function that raises an exception without a ball.
const RAISES: &str = "\
from ocatari.ram.pong import *

def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    return ball.x / 160
";

/// A function with a misspelt category, on which its result depends.
const MISSPELT: &str = "\
from ocatari.ram.pong import *

def reward_function(objects):
    player = None
    ball = None
    for o in objects:
        if o.category == 'Player':
            player = o
        if o.category == 'Bal':
            ball = o
    reward = 0.0
    if player is not None and ball is not None:
        if abs(player.y - ball.y) < 10:
            reward += 0.5
        if ball.dx < 0:
            reward += 0.1
        if ball.x > 150:
            reward -= 1.0
    return reward
";

fn recorded() -> Folder {
    let folder = Folder::new();
    folder.run("trace record --game pong examples/reward/pong.hex -o pong.jsonl.gz");
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn json_has_the_errors_of_frames_as_csv_has_them() {
    let folder = recorded();
    folder.write("raises.py", RAISES);
    let rows = folder.run("score --per-step --format csv raises.py pong.jsonl.gz").out;
    let record = json(&folder.run("score --per-step --format json raises.py pong.jsonl.gz").out);
    let outcome = &record[0];
    let (mut lines, mut failures) = (rows.lines(), 0);
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    for (frame, row) in lines.enumerate() {
        // No cell contains a comma.
        let cells: Vec<&str> = row.split(',').collect();
        let error = outcome["errors"][frame].as_str().unwrap_or_default();
        let line = outcome["error_lines"][frame].as_u64().map_or(String::new(), |line| line.to_string());
        assert_eq!((cells[column("error")], cells[column("line")]), (error, line.as_str()), "frame {frame}");
        assert_eq!(outcome["rewards"][frame].is_null(), !error.is_empty(), "frame {frame}");
        failures += usize::from(!error.is_empty());
    }
    assert!(failures > 0 && rows.contains("AttributeError"), "{rows}");
    for key in ["errors", "error_lines", "rewards"] {
        assert_eq!(outcome[key].as_array().unwrap().len(), 280, "{key}");
    }
}

#[test]
fn refused_recordings_have_no_columns_of_games() {
    let folder = Folder::new();
    folder.write("raises.py", RAISES);
    folder.write("other.jsonl", "{\"format\":\"goalspec-screens-1\",\"game\":\"Freeway\",\"hud\":false}\n");
    for options in ["", " --per-step", " --terms", " --per-step --terms"] {
        let done = folder.run(&format!("score --format csv{options} raises.py other.jsonl"));
        assert_eq!(done.code, Some(1), "{}", done.all());
        assert!(!done.out.contains("preference") && !done.out.contains("state"), "{options}: {}", done.out);
        assert!(
            done.out.starts_with("program,trace,world,") && done.out.lines().count() == 1,
            "{options}: {}",
            done.out
        );
    }
    assert_eq!(folder.run("score raises.py other.jsonl").out, "");
}

#[test]
fn worlds_beside_programs_are_not_described() {
    let folder = Folder::new();
    folder.write("den.world.toml", "name = \"den\"\nextends = \"few-objects-room-v1\"\n");
    let game = folder.read("examples/game/throw-to-bin.game");
    let domain = game.split("(:domain ").nth(1).and_then(|rest| rest.split(')').next()).unwrap().to_owned();
    folder.write("own.game", game.replace(&format!("(:domain {domain})"), "(:domain den)"));
    let both = folder.run("describe own.game den.world.toml");
    let alone = folder.run("describe den.world.toml");
    assert!(alone.out.contains("World den"), "{}", alone.all());
    assert_eq!(both.code, Some(0), "{}", both.all());
    assert!(!both.out.contains("World den") && !both.out.is_empty(), "{}", both.out);
    // Without its file, the world is missing, and the diagnostic names its file.
    let missing = folder.run("check own.game");
    assert_eq!(missing.code, Some(1), "{}", missing.all());
    assert!(missing.all().contains("`den.world.toml` with `name = \"den\"`"), "{}", missing.all());
}

#[test]
fn errors_come_before_notes() {
    let folder = Folder::new();
    // An activity without a knowledge base, with a note at its beginning and an error further down.
    let text = folder.read("examples/bddl/watering_the_garden.bddl");
    folder.write("wrong.bddl", text.replacen("(:goal", "(:gaol", 1));
    let done = folder.run("check wrong.bddl");
    assert_eq!(done.code, Some(1), "{}", done.all());
    let first_note = done.out.find("note[").unwrap_or(done.out.len());
    assert!(done.out.rfind("error[").is_some_and(|error| error < first_note), "{}", done.out);
    let line = folder.run("check --format line wrong.bddl").out;
    assert!(line.contains("note[bddl/no-knowledge]"), "{line}");
}

#[test]
fn worlds_of_games_list_names_for_rewards() {
    let folder = Folder::new();
    let text = folder.run("describe --world atari/pong").out;
    for part in [
        "World atari/pong",
        "from ocatari.ram.pong import *",
        "0      Player(GameObject)",
        "3      PlayerScore(ValueObject)",
        "prev_value",
        "0 to 159 on the screen",
        "is_on_top(other) -> bool",
        "0 NOOP",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let seaquest = folder.run("describe --world atari/seaquest").out;
    assert!(seaquest.contains("`Orientation.E` or `Orientation.W` for Player"), "{seaquest}");
}

#[test]
fn one_misspelt_category_is_one_finding() {
    let folder = recorded();
    folder.write("misspelt.py", MISSPELT);
    let audits = json(&folder.run("audit --format json misspelt.py pong.jsonl.gz").out);
    let findings = audits[0]["findings"].as_array().unwrap();
    assert_eq!(findings[0]["kind"], "unknown-class", "{findings:#?}");
    let worse: Vec<&Value> = findings.iter().filter(|finding| finding["severity"] != "note").collect();
    assert_eq!(worse.len(), 1, "{worse:#?}");
    let follows = findings[0]["consequences"].as_array().unwrap();
    let dead = follows.iter().filter(|finding| finding["kind"] == "dead-term").count();
    assert_eq!(dead, 3, "{follows:#?}");
}

#[test]
fn pages_list_the_program_with_hits_and_each_finding_once() {
    let folder = recorded();
    folder.write("misspelt.py", MISSPELT);
    folder.write("careless.py", folder.read("examples/reward/careless.py"));
    for program in ["misspelt.py", "careless.py"] {
        folder.run(&format!("audit -o audit.html {program} pong.jsonl.gz"));
        let page = folder.read("audit.html");
        let audits = json(&folder.run(&format!("audit --format json {program} pong.jsonl.gz")).out);
        let findings = audits[0]["findings"].as_array().unwrap();
        for number in 1..=findings.len() {
            assert_eq!(page.matches(&format!("id=\"finding-1-{number}\"")).count(), 1, "{program}: {number}");
        }
        assert!(!page.contains(&format!("id=\"finding-1-{}\"", findings.len() + 1)), "{program}");
        let text = folder.read(program);
        let hits = audits[0]["line_hits"].as_array().unwrap();
        for (line, (hit, written)) in (1..).zip(hits.iter().zip(text.lines())) {
            let count = hit.as_u64().map_or(String::new(), |hit| hit.to_string());
            let row = format!("id=\"line-1-{line}\"><td>{line}</td><td>{count}</td><td>");
            assert!(page.contains(&row), "{program}: {row}");
            // An empty line has no executions.
            assert!(!written.trim().is_empty() || count.is_empty(), "{program}: {line}");
        }
        // The function is called in each of 280 frames.
        assert!(hits.iter().any(|hit| hit.as_u64() == Some(280)), "{hits:?}");
        for label in ["frame of the episode", "cumulative reward", "reward per frame", "frames (%)"] {
            assert!(page.contains(label), "{program}: {label}");
        }
    }
}

#[test]
fn a_world_that_lies_beside_a_game_is_to_be_named_as_well() {
    let folder = Folder::new();
    folder.write("own.game", "(define (game own) (:domain den) (:constraints (and (preference p (at-end (game-over))))) (:scoring (count p)))");
    folder.write("den.world.toml", "name = \"den\"\n");
    let done = folder.run("check own.game");
    assert_eq!(done.code, Some(1), "{}", done.all());
    assert!(done.out.contains("unknown world `den`"), "{}", done.out);
    let help = "add the file of its description after the program on the command line: `den.world.toml`";
    assert!(done.out.contains(help), "{}", done.out);
    // The help of the diagnostic works.
    let named = folder.run("check own.game den.world.toml");
    assert!(!named.out.contains("unknown world"), "{}", named.out);
}
