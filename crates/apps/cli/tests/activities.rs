//! Household activities on the command line.

mod common;

use common::Folder;
use serde_json::Value;

const WATERING: &str = "examples/bddl/watering_the_garden.bddl examples/bddl/watering.jsonl";

/// Each sock is to lie in a drawer of its own; two lie in the first one.
const SOCKS: &str = "(define (problem socks-0) (:domain omnigibson)
    (:objects sock.n.01_1 sock.n.01_2 - sock.n.01 drawer.n.01_1 drawer.n.01_2 - drawer.n.01)
    (:init (inside sock.n.01_1 drawer.n.01_1) (inside sock.n.01_2 drawer.n.01_1))
    (:goal (and
        (forpairs (?sock.n.01 - sock.n.01) (?drawer.n.01 - drawer.n.01) (inside ?sock.n.01 ?drawer.n.01))
        (fornpairs (2) (?sock.n.01 - sock.n.01) (?drawer.n.01 - drawer.n.01) (inside ?sock.n.01 ?drawer.n.01))
        (forn (2) (?drawer.n.01 - drawer.n.01) (inside ?sock.n.01_2 ?drawer.n.01)))))
";

const SOCKS_TRACE: &str = r#"{"format":"goalspec-trace","version":1,"world":"socks-0"}
{"facts":[["inside","sock.n.01_1","drawer.n.01_1"],["inside","sock.n.01_2","drawer.n.01_1"]]}
"#;

const DRAWER: &str = "(define (problem LIBERO_Kitchen) (:domain robosuite)
    (:language close the drawer)
    (:fixtures cabinet_1 - wooden_cabinet)
    (:objects bowl_1 - bowl)
    (:obj_of_interest cabinet_1)
    (:init (Open cabinet_1))
    (:goal (And (Close cabinet_1))))
";

#[test]
fn rows_have_what_records_have() {
    let folder = Folder::new();
    let records: Value = serde_json::from_str(&folder.run(&format!("score --format json {WATERING}")).out).unwrap();
    let table = folder.run(&format!("score --format csv {WATERING}")).out;
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2, "one for each conjunct: {table}");
    for name in ["goal_met", "missing", "challenge_score"] {
        let at = names.iter().position(|known| *known == name).expect(name);
        for row in &rows {
            let cell: Value = serde_json::from_str(row[at]).expect(name);
            assert_eq!(cell.as_f64(), records[0][name].as_f64(), "{name}");
            assert_eq!(cell.as_bool(), records[0][name].as_bool(), "{name}");
        }
    }
    // Of games there is nothing to say in these columns.
    let games = folder.run("score --format csv examples/game/throw-to-bin.game examples/game/play.jsonl").out;
    assert!(games.lines().skip(1).all(|line| line.ends_with(",,,")), "{games}");
}

#[test]
fn the_last_column_is_called_what_it_is() {
    let folder = Folder::new();
    let game = "examples/game/throw-to-bin.game examples/game/play.jsonl";
    let heading = |arguments: &str| {
        let table = folder.run(&format!("score {arguments}")).out;
        table.lines().nth(1).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(heading(game).ends_with("score satisfactions │"), "{}", heading(game));
    assert!(heading(WATERING).ends_with("score goal │"), "{}", heading(WATERING));
    let both = heading(&format!("{game} {WATERING}"));
    assert!(both.ends_with("score satisfactions or goal │"), "{both}");
}

#[test]
fn reasons_are_written_as_activities_are() {
    let folder = Folder::new();
    folder.write("socks.bddl", SOCKS);
    folder.write("socks.jsonl", SOCKS_TRACE);
    let why = folder.run("score --why socks.bddl socks.jsonl");
    let pairs = "(?sock.n.01 - sock.n.01) (?drawer.n.01 - drawer.n.01) (inside ?sock.n.01 ?drawer.n.01))";
    for text in [
        format!("0: not met: (forpairs {pairs}\n    (forpairs {pairs} was false  [5:9]"),
        format!("1: not met: (fornpairs (2) {pairs}\n    (fornpairs (2) {pairs} was false  [6:9]"),
        // In one drawer instead of two.
        "(forn (2) (?drawer.n.01 - drawer.n.01) (inside sock.n.01_2 ?drawer.n.01)) was false (1 against 2)  [7:9]"
            .into(),
    ] {
        assert!(why.out.contains(&text), "{text}\n{}", why.all());
    }
}

#[test]
fn sections_of_libero_choose_its_dialect() {
    let folder = Folder::new();
    folder.write("drawer.bddl", DRAWER);
    let checked = folder.run("check --format line drawer.bddl");
    assert_eq!(checked.code, Some(0), "{}", checked.all());
    let note =
        "drawer.bddl:2:6: note[bddl/libero-sections]: read in the dialect `libero`, because of the section `:language`";
    assert!(checked.out.contains(note), "{}", checked.out);
    let chosen = folder.run("check --format line --dialect libero drawer.bddl");
    assert_eq!(chosen.code, Some(0), "{}", chosen.all());
    assert!(!chosen.out.contains("bddl/libero-sections"), "{}", chosen.out);
    let strict = folder.run("check --format line --dialect strict drawer.bddl");
    assert_eq!(strict.code, Some(1), "{}", strict.all());
    assert!(strict.out.contains("bddl/unknown-section"), "{}", strict.out);
    // Of the other commands, the note is none of their business.
    let options = folder.run("options drawer.bddl");
    assert_eq!((options.code, &*options.err), (Some(0), ""), "{}", options.all());
    assert!(!folder.run("check --format line examples/bddl/game_night.bddl").out.contains("libero"));
}

#[test]
fn a_trace_of_another_activity_is_refused() {
    let folder = Folder::new();
    folder.write("socks.bddl", SOCKS);
    folder.write("socks.jsonl", SOCKS_TRACE);
    folder.write("old.jsonl", SOCKS_TRACE.replace("socks-0", "stockings-0"));
    folder.write("silent.jsonl", SOCKS_TRACE.replace(r#","world":"socks-0""#, ""));
    let said = "the trace is of `stockings-0`, and not of `socks-0`";
    for arguments in ["score socks.bddl old.jsonl", "check socks.bddl old.jsonl", "watch socks.bddl"] {
        let refused = folder.run_with(arguments, folder.read("old.jsonl").as_bytes());
        assert_eq!(refused.code, Some(1), "{arguments}: {}", refused.all());
        assert!(
            refused.all().contains("error[trace/wrong-world]") && refused.all().contains(said),
            "{}",
            refused.all()
        );
        let taken = folder.run_with(&format!("{arguments} --any-world"), folder.read("old.jsonl").as_bytes());
        assert_eq!(taken.code, Some(0), "{arguments}: {}", taken.all());
        assert!(taken.all().contains("warning[trace/other-world]"), "{}", taken.all());
    }
    // Of several activities, it is the one that the trace names, and a trace that names none is taken at its word.
    let named = folder.run(&format!("score socks.bddl {WATERING} socks.jsonl"));
    assert!(named.code == Some(0) && !named.err.contains("[trace/"), "{}", named.all());
    assert_eq!(named.out.matches("goal not met").count(), 2, "{}", named.out);
    assert_eq!(folder.run("score socks.bddl silent.jsonl").code, Some(0));
}
