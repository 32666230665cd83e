//! Household activities on the command line.

use crate::common::Folder;
use serde_json::Value;

const WATERING: &str = "examples/bddl/watering_the_garden.bddl examples/bddl/watering.jsonl";

/// Each sock must lie in its own drawer; two lie in the first one.
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
fn rows_have_the_fields_of_records() {
    let folder = Folder::new();
    let records: Value = serde_json::from_str(&folder.run(&format!("score --format json {WATERING}")).out).unwrap();
    let table = folder.run(&format!("score --format csv {WATERING}")).out;
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2, "one for each conjunct: {table}");
    for name in ["goal_satisfied", "unsatisfied_literals", "challenge_score"] {
        let index = names.iter().position(|known| *known == name).expect(name);
        for row in &rows {
            let cell: Value = serde_json::from_str(row[index]).expect(name);
            assert_eq!(cell.as_f64(), records[0][name].as_f64(), "{name}");
            assert_eq!(cell.as_bool(), records[0][name].as_bool(), "{name}");
        }
    }
    // These columns do not apply to games.
    let games = folder.run("score --format csv examples/game/throw-to-bin.game examples/game/play.jsonl").out;
    assert!(games.lines().skip(1).all(|line| line.ends_with(",,,")), "{games}");
}

#[test]
fn the_last_column_has_the_right_name() {
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
        format!("0: unsatisfied: (forpairs {pairs}\n    (forpairs {pairs} was false  [5:9]"),
        format!("1: unsatisfied: (fornpairs (2) {pairs}\n    (fornpairs (2) {pairs} was false  [6:9]"),
        // One drawer instead of two.
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
        "drawer.bddl:2:6: note[bddl/libero-sections]: read in the dialect `libero` because of the section `:language`";
    assert!(checked.out.contains(note), "{}", checked.out);
    let chosen = folder.run("check --format line --dialect libero drawer.bddl");
    assert_eq!(chosen.code, Some(0), "{}", chosen.all());
    assert!(!chosen.out.contains("bddl/libero-sections"), "{}", chosen.out);
    let strict = folder.run("check --format line --dialect strict drawer.bddl");
    assert_eq!(strict.code, Some(1), "{}", strict.all());
    assert!(strict.out.contains("bddl/unknown-section"), "{}", strict.out);
    // The other commands do not print the note.
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
    let message = "the trace is of `stockings-0`, not of `socks-0`";
    for arguments in ["score socks.bddl old.jsonl", "check socks.bddl old.jsonl", "watch socks.bddl"] {
        let refused = folder.run_with(arguments, folder.read("old.jsonl").as_bytes());
        assert_eq!(refused.code, Some(1), "{arguments}: {}", refused.all());
        assert!(
            refused.all().contains("error[trace/wrong-world]") && refused.all().contains(message),
            "{}",
            refused.all()
        );
        let accepted = folder.run_with(&format!("{arguments} --any-world"), folder.read("old.jsonl").as_bytes());
        assert_eq!(accepted.code, Some(0), "{arguments}: {}", accepted.all());
        assert!(accepted.all().contains("warning[trace/other-world]"), "{}", accepted.all());
    }
    // Of several activities, the one that the trace names is scored; a trace that names none is accepted for any.
    let named = folder.run(&format!("score socks.bddl {WATERING} socks.jsonl"));
    assert!(named.code == Some(0) && !named.err.contains("[trace/"), "{}", named.all());
    assert_eq!(named.out.matches("goal not satisfied").count(), 2, "{}", named.out);
    assert_eq!(folder.run("score socks.bddl silent.jsonl").code, Some(0));
}

/// A quantifier that the release reads in only one way is read in that way, with a warning.
#[test]
fn defects_with_a_clear_meaning_are_warnings() {
    let folder = Folder::new();
    let goal = "(:goal (open ?box.n.01_1) (not (hot ?box.n.01_1)))";
    let text = format!(
        "(define (problem p) (:domain omnigibson) (:objects box.n.01_1 - box.n.01) (:init (hot box.n.01_1)) \\ {goal})\n"
    );
    folder.write("p.bddl", text);
    let options = folder.run("options p.bddl");
    assert_eq!(options.code, Some(0), "{}", options.err);
    assert_eq!(
        options.out,
        "p.bddl: 1 option; at least 1 unsatisfied literal in the initial state\n  1: (open box.n.01_1)\n"
    );
    for shown in ["warning[bddl/second-goal]", "p.bddl:1:", "warning[bddl/stray-token]", "only the first is used"] {
        assert!(options.err.contains(shown), "{shown}: {}", options.err);
    }
    assert_eq!(folder.run("check --deny-warnings p.bddl").code, Some(1));
}

/// Six logs, each on the table or another log, exactly two on each; as documented, at least two.
const LOGS: &str = "(define (problem logs-0) (:domain omnigibson)
    (:objects log.n.01_1 log.n.01_2 log.n.01_3 - log.n.01 table.n.02_1 - table.n.02)
    (:init (ontop log.n.01_1 table.n.02_1))
    (:goal (and (forall (?log.n.01 - log.n.01) (ontop ?log.n.01 ?table.n.02_1))
        (forn (2) (?log.n.01 - log.n.01) (ontop ?log.n.01 ?table.n.02_1)))))
";

#[test]
fn goals_satisfiable_only_as_documented_are_reported() {
    let folder = Folder::new();
    folder.write("logs.bddl", LOGS);
    let none = folder.run("options logs.bddl").out;
    assert!(none.starts_with("logs.bddl: 0 options: no state satisfies the goal\n"), "{none}");
    assert!(none.contains("use `--quantifiers documented`"), "{none}");
    let record: Value = serde_json::from_str(&folder.run("options --format jsonl logs.bddl").out).unwrap();
    assert!(
        record["count"] == 0 && record["help"][0].as_str().unwrap().contains("--quantifiers documented"),
        "{record}"
    );
    let some = folder.run("options --quantifiers documented logs.bddl").out;
    assert!(some.starts_with("logs.bddl: 1 option; at least 2 unsatisfied literals"), "{some}");
    let record: Value =
        serde_json::from_str(&folder.run("options --format jsonl examples/bddl/game_night.bddl").out).unwrap();
    assert_eq!(record["help"], Value::Null);
}

#[test]
fn releases_have_their_own_readings() {
    let folder = Folder::new();
    for command in ["check", "options", "describe", "export"] {
        let refused = folder
            .run(&format!("{command} --quantifiers documented --dialect compat-3.6 examples/bddl/game_night.bddl"));
        assert_eq!(refused.code, Some(2), "{command}");
        assert!(
            refused.err.contains("--quantifiers documented is not supported with a compat dialect"),
            "{}",
            refused.err
        );
    }
    assert_eq!(
        folder.run("options --quantifiers evaluated --dialect compat-3.6 examples/bddl/game_night.bddl").code,
        Some(0)
    );
}

#[test]
fn a_domain_by_itself_is_checked_and_described() {
    let folder = Folder::new();
    folder.write("d.bddl", "(define (domain d) (:types cup) (:predicates (wet ?c - cup)))\n");
    let checked = folder.run("check d.bddl");
    assert_eq!((checked.code, &*checked.out), (Some(0), "1 domain checked, no diagnostics\n"));
    let described = folder.run("describe d.bddl");
    assert_eq!(described.code, Some(0));
    assert_eq!(described.out, "the domain d\n\nTypes:\n- cup\n\nPredicates:\n- (wet ?c - cup)\n");
    folder.write("wrong.bddl", "(define (domain d) (:predicates (raining)))\n");
    assert_eq!(folder.run("check wrong.bddl").code, Some(1));
}

/// A choice that refers to one of the pairs makes the pairs dependent, so the options are unknown, though there are some.
#[test]
fn options_that_are_too_varied_exist_nevertheless() {
    let folder = Folder::new();
    let many = |name: &str| (1..=20).map(|number| format!("{name}.n.01_{number} ")).collect::<String>();
    let (socks, drawers) = (many("sock"), many("drawer"));
    let pairs = "(forpairs (?sock.n.01 - sock.n.01) (?drawer.n.01 - drawer.n.01) (inside ?sock.n.01 ?drawer.n.01))";
    let choice = "(or (open ?drawer.n.01_1) (inside ?sock.n.01_1 ?drawer.n.01_1))";
    let text = format!(
        "(define (problem p) (:domain omnigibson) (:objects {socks} - sock.n.01 {drawers} - drawer.n.01) (:init) \
         (:goal (and {choice} {pairs})))"
    );
    folder.write("p.bddl", text);
    let known = "options not listed: the goal is satisfiable, but the diagram of the options exceeds the fixed limits";
    let listed = folder.run("options p.bddl");
    assert!(listed.code == Some(1) && listed.out.starts_with(&format!("p.bddl: {known}")), "{}", listed.out);
    let record: Value = serde_json::from_str(&folder.run("options --format jsonl p.bddl").out).unwrap();
    assert!(record["error"].as_str().is_some_and(|error| error.starts_with(known)), "{record}");
}

/// An error in a trace shows the line.
#[test]
fn wrong_lines_of_traces_are_shown() {
    let folder = Folder::new();
    folder.write("socks.bddl", SOCKS);
    let wrong = r#"{"facts":[["insidee","sock.n.01_1","drawer.n.01_1"]]}"#;
    folder.write("socks.jsonl", format!("{SOCKS_TRACE}{wrong}\n"));
    let checked = folder.run("check --format line socks.bddl socks.jsonl").out;
    assert!(checked.lines().any(|line| line.starts_with("socks.jsonl:3:11: error[trace/")), "{checked}");
    let scored = folder.run("score socks.bddl socks.jsonl").err;
    let shown = format!("3 | {wrong}\n  |           ^");
    assert!(scored.contains("--> socks.jsonl:3:11") && scored.contains(&shown), "{scored}");
}
