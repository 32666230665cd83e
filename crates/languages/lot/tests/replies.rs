use goalspec_lot::execution::{execute, execute_reply};
use goalspec_lot::names::ObjectTable;
use goalspec_lot::plan::{Move, read as read_plan};
use goalspec_lot::translation::{ReadingRules, Translation, read};
use goalspec_lot::{Arrangement, Relation, StackingProblem, View, checks, codes, english};
use goalspec_syntax::{Code, SourceFile, Sources};
use serde_json::json;

use crate::recordings::{Recordings, source};

fn moves(action: &Move) -> serde_json::Value {
    serde_json::to_value(action).unwrap()
}

#[test]
fn action_lines_are_read_as_recorded() {
    let Some(recordings) = Recordings::open() else { return };
    let probes = recordings.lines("reply-probes.jsonl");
    let probes: Vec<_> = probes.iter().filter(|probe| probe["kind"] == "plan").collect();
    for probe in &probes {
        let lines = read_plan(&source(probe["line"].as_str().unwrap()));
        let actions: Vec<_> = lines.iter().filter_map(|line| line.action.as_ref()).map(moves).collect();
        assert_eq!(json!(actions), probe["actions"], "{}", probe["line"]);
    }
    assert_eq!(probes.len(), 23);
}

#[test]
fn recorded_plans_are_read_and_judged_as_recorded() {
    let Some(recordings) = Recordings::open() else { return };
    let results = recordings.text("results.csv");
    let mut totals = Vec::new();
    for view in View::ALL {
        let (mut succeeded, mut strict, mut actions, mut ignored, mut unparsed) = (0, 0, 0, 0, 0);
        for (index, record) in recordings.records("plan", view) {
            let file = source(record["lm_plan"].as_str().unwrap());
            let lines = read_plan(&file);
            let parsed: Vec<_> = lines.iter().filter_map(|line| line.action.as_ref()).map(moves).collect();
            assert_eq!(json!(parsed), record["parsed_plan"]);
            let run = execute_reply(&recordings.problems[index].view(view), &file, &lines);
            assert_eq!(run.succeeded, record["succeed"].as_bool().unwrap());
            assert_eq!(run.diagnostics.len(), run.ignored() + run.unparsed);
            let row: Vec<&str> = results
                .lines()
                .find(|row| row.starts_with(&format!("{index:03},{view},")))
                .unwrap()
                .split(',')
                .collect();
            let counts = [run.actions(), run.ignored(), run.unparsed].map(|count| count.to_string());
            assert_eq!(row[10..13], counts, "{index:03} {view}");
            succeeded += usize::from(run.succeeded);
            strict += usize::from(run.succeeded_strictly());
            actions += run.actions();
            ignored += run.ignored();
            unparsed += run.unparsed;
        }
        totals.push([succeeded, strict, actions, ignored, unparsed]);
    }
    assert_eq!(totals, [[40, 9, 404, 378, 7], [19, 5, 169, 143, 2], [0, 0, 781, 628, 20]]);
}

#[test]
fn recorded_successes_of_translations_execute_to_the_goal() {
    let Some(recordings) = Recordings::open() else { return };
    for view in View::ALL {
        for (index, record) in recordings.records("translate", view) {
            let plan: Option<Vec<Move>> = serde_json::from_value(record["plan"].clone()).unwrap();
            let problem = recordings.problems[index].view(view);
            let succeeded = plan.is_some_and(|plan| execute(&problem, &plan).succeeded);
            assert_eq!(succeeded, record["succeed"].as_bool().unwrap());
        }
    }
}

struct Reading {
    translation: Translation,
    findings: Vec<Code>,
    is_exact: bool,
    succeeded: bool,
    duplicates: usize,
}

fn reading(sources: &Sources, problem: &StackingProblem, texts: [&SourceFile; 4]) -> Reading {
    let [state, goal, init_reply, goal_reply] = texts;
    assert!(texts.iter().all(|file| sources.find(file.id()).is_some()));
    let objects: ObjectTable = problem.objects();
    let [state, goal] = [state, goal].map(|file| english::parse(file, Some(&objects)));
    let translation = read(init_reply, goal_reply, &objects, ReadingRules::Default);
    let part = |text, reply| checks::TranslatedText { text, reply };
    let found = checks::check(&translation, part(&state, init_reply), part(&goal, goal_reply), &objects);
    let findings: Vec<Code> = translation.diagnostics.iter().chain(&found).map(|finding| finding.code).collect();
    let set = |relations: &[Relation]| -> std::collections::BTreeSet<Relation> {
        relations.iter().map(Relation::in_pddl).collect()
    };
    let is_exact = set(&translation.initial.relations()) == set(&problem.initial.relations())
        && set(&translation.goal.relations()) == set(&problem.goal);
    let duplicates = findings.iter().filter(|&&code| code == codes::DUPLICATE_FACT).count();
    Reading { translation, findings, is_exact, succeeded: false, duplicates }
}

/// The table of the checks: failing rows, inexact rows and exact rows that each finds.
#[test]
fn checks_find_the_published_numbers_of_rows() {
    let Some(recordings) = Recordings::open() else { return };
    let mut readings = Vec::new();
    for view in View::ALL {
        let examples = recordings.text(&format!("prompts/translate-{view}.txt"));
        for (index, record) in recordings.records("translate", view) {
            let mut sources = Sources::new();
            let ids = ["init_prompt", "goal_prompt", "init_res", "goal_res"].map(|key| {
                let text = record[key].as_str().unwrap();
                let words = || text[examples.len()..].trim_start_matches(';').replace("\n;", "\n");
                sources.add(key, if key.ends_with("prompt") { words() } else { text.to_owned() })
            });
            let mut found = reading(&sources, &recordings.problems[index].view(view), ids.map(|id| sources.file(id)));
            found.succeeded = record["succeed"].as_bool().unwrap();
            assert!(found.translation.diagnostics.iter().all(|found| found.code == codes::UNDECLARED_OBJECT));
            readings.push(found);
        }
    }
    let counts = |flagged: &dyn Fn(&Reading) -> bool| {
        let count = |of: &dyn Fn(&&Reading) -> bool| readings.iter().filter(|row| flagged(row) && of(row)).count();
        [count(&|row| !row.succeeded), count(&|row| !row.is_exact), count(&|row| row.is_exact)]
    };
    let has = |codes: &'static [Code]| move |row: &Reading| row.findings.iter().any(|found| codes.contains(found));
    assert_eq!(counts(&|_| true), [37, 72, 228]);
    assert_eq!(counts(&has(&[codes::UNDECLARED_OBJECT])), [15, 15, 0]);
    assert_eq!(counts(&has(&[codes::NOT_AN_ARRANGEMENT])), [10, 10, 0]);
    assert_eq!(counts(&has(&[codes::CONTRADICTORY_GOAL])), [18, 18, 0]);
    assert_eq!(counts(&|row| row.findings.iter().any(|&code| checks::needs_no_text(code))), [34, 34, 0]);
    assert_eq!(counts(&has(&[codes::FACT_COUNT])), [7, 42, 1]);
    assert_eq!(counts(&has(&[codes::EXTRA_FACT, codes::MISSING_FACT])), [37, 72, 0]);
    assert_eq!(readings.iter().map(|row| row.duplicates).sum::<usize>(), 1);
}

fn problem(stacks: &[&[&str]], goal: &[Relation]) -> StackingProblem {
    let stacks = stacks.iter().map(|stack| stack.iter().map(|&name| name.to_owned()).collect()).collect();
    StackingProblem { initial: Arrangement { stacks }, goal: goal.to_vec() }
}

/// Reads two replies by the default rules, and returns the findings as code and place.
fn findings(state: &str, goal: &str, init_reply: &str, goal_reply: &str) -> Vec<(Code, String)> {
    let mut sources = Sources::new();
    let [state, goal, init, end] = [state, goal, init_reply, goal_reply].map(|text| sources.add("text", text));
    let objects: ObjectTable = english::parse(sources.file(state), None)
        .relations()
        .iter()
        .flat_map(|relation| relation.objects().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let [state, goal] = [state, goal].map(|id| english::parse(sources.file(id), Some(&objects)));
    let translation = read(sources.file(init), sources.file(end), &objects, ReadingRules::Default);
    let part = |text, reply| checks::TranslatedText { text, reply: sources.file(reply) };
    let mut found = translation.diagnostics.clone();
    found.extend(checks::check(&translation, part(&state, init), part(&goal, end), &objects));
    let place = |span: goalspec_syntax::Span| sources.file(span.source).slice(span).to_owned();
    found.iter().map(|found| (found.code, found.span.map(place).unwrap_or_default())).collect()
}

const STATE: &str = "The tea pot rests on the table.\nThe cup is on the tea pot.\nThere is nothing on the cup.";
const GOAL: &str = "There is nothing on the tea pot.";
const FACTS: &str = "(ontable tea-pot)\n(on cup tea-pot)\n(clear cup)\n";

/// Two replies, and the expected findings with their places.
type FindingCase = (&'static str, &'static str, &'static [(Code, &'static str)]);

#[test]
fn findings_are_located_in_the_reply() {
    assert_eq!(findings(STATE, GOAL, FACTS, "(and (CLEAR Tea-Pot))"), []);
    let cases: [FindingCase; 10] = [
        (
            FACTS,
            "(clear teapot)",
            &[
                (codes::UNDECLARED_OBJECT, "teapot"),
                (codes::EXTRA_FACT, "(clear teapot)"),
                (codes::MISSING_FACT, "(clear teapot)"),
            ],
        ),
        (
            FACTS,
            "(clean tea-pot)",
            &[
                (codes::UNKNOWN_PREDICATE, "clean"),
                (codes::FACT_COUNT, "(clean tea-pot)"),
                (codes::MISSING_FACT, "(clean tea-pot)"),
            ],
        ),
        (
            FACTS,
            "(clear tea-pot) (clear tea-pot)",
            &[(codes::DUPLICATE_FACT, "(clear tea-pot)"), (codes::FACT_COUNT, "(clear tea-pot) (clear tea-pot)")],
        ),
        (
            FACTS,
            "(clear tea-pot) (on cup tea-pot)",
            &[
                (codes::CONTRADICTORY_GOAL, "(clear tea-pot)"),
                (codes::FACT_COUNT, "(clear tea-pot) (on cup tea-pot)"),
                (codes::EXTRA_FACT, "(on cup tea-pot)"),
            ],
        ),
        (
            FACTS,
            "(clear ?x)",
            &[(codes::NOT_A_FACT, "?x"), (codes::FACT_COUNT, "(clear ?x)"), (codes::MISSING_FACT, "(clear ?x)")],
        ),
        (
            FACTS,
            "(clear tea-pot cup)",
            &[
                (codes::ARGUMENT_COUNT, "(clear tea-pot cup)"),
                (codes::FACT_COUNT, "(clear tea-pot cup)"),
                (codes::MISSING_FACT, "(clear tea-pot cup)"),
            ],
        ),
        (
            "(ontable tea-pot)\n(on cup tea-pot)\n",
            "(clear tea-pot)",
            &[
                (codes::NOT_AN_ARRANGEMENT, "(ontable tea-pot)\n(on cup tea-pot)"),
                (codes::FACT_COUNT, "(ontable tea-pot)\n(on cup tea-pot)"),
                (codes::MISSING_FACT, "(ontable tea-pot)\n(on cup tea-pot)"),
            ],
        ),
        (
            "(on tea-pot cup) (on cup tea-pot) (clear cup)",
            "(clear tea-pot)",
            &[
                (codes::NOT_AN_ARRANGEMENT, "(clear cup)"),
                (codes::NOT_AN_ARRANGEMENT, "(on tea-pot cup)"),
                (codes::EXTRA_FACT, "(on tea-pot cup)"),
                (codes::MISSING_FACT, "(on tea-pot cup) (on cup tea-pot) (clear cup)"),
            ],
        ),
        (FACTS, "(clear tea-pot) (noteq cup tea-pot) (noteq cup cup)", &[(codes::NOT_A_FACT, "(noteq cup cup)")]),
        (
            FACTS,
            "(on cup cup)",
            &[
                (codes::CONTRADICTORY_GOAL, "(on cup cup)"),
                (codes::EXTRA_FACT, "(on cup cup)"),
                (codes::MISSING_FACT, "(on cup cup)"),
            ],
        ),
    ];
    for (init, goal, expected) in cases {
        let found = findings(STATE, GOAL, init, goal);
        let found: Vec<(Code, &str)> = found.iter().map(|(code, place)| (*code, &**place)).collect();
        assert_eq!(found, expected, "{init} | {goal}");
    }
}

#[test]
fn skipped_lines_have_reasons() {
    let problem = problem(&[&["tea pot", "cup"], &["tray"]], &[Relation::Clear("tea pot".into())]);
    let text = "Move the cup onto the tea pot.\nMove the tea pot onto the tray.\nMove the tray onto the table.\n\
                Move the kup onto the tray.\n1. Move the cup onto the tray.\nMove the cup onto the cup.\n\n\
                Move the tray onto the cup.\nMove the tray onto the table.\nMove the cup onto the tray.\n";
    let file = source(text);
    let run = execute_reply(&problem, &file, &read_plan(&file));
    assert_eq!([run.applied, run.inapplicable, run.unknown, run.unparsed], [3, 4, 1, 1]);
    assert_eq!((run.succeeded, run.succeeded_strictly(), run.actions(), run.ignored()), (true, false, 8, 5));
    let reasons: Vec<String> = run.diagnostics.iter().map(|found| found.message.clone()).collect();
    let expected = [
        "the cup is on the tea pot",
        "the cup is on the tea pot",
        "the tray is on the table already",
        "`kup` is not an object",
        "is not an action",
        "the cup cannot be put on itself",
    ];
    for (reason, expected) in reasons.iter().zip(expected) {
        assert!(reason.contains(expected), "{reason}");
    }
    assert_eq!(reasons.len(), 6);
    assert_eq!(run.last.stacks, [vec!["tea pot"], vec!["tray", "cup"]]);
}
