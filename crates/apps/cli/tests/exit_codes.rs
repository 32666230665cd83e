//! The exit code and a part of the output of every command, for valid, erroneous and contradictory requests.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{self, Case, Folder};

fn check(cases: &[Case]) {
    let folder = Folder::new();
    folder.write("empty.game", "");
    folder.write("comment.game", "; nothing yet\n");
    folder.write("empty.jsonl", "");
    folder.write("cut.jsonl", "{");
    folder.write("notes.md", "# Notes");
    folder.write("latin.game", b"(define (game caf\xe9))");
    folder.write("sloppy.game", SLOPPY);
    folder.write("nothing/.hidden.game", "(");
    folder.write("unclosed.game", &SLOPPY[..SLOPPY.len() - 1]);
    folder.write("play.game", folder.read("examples/game/play.jsonl"));
    folder.write("again.world.toml", folder.read("examples/worlds/kitchen.world.toml"));
    folder.write("near.world.toml", "name = \"w\"\nextends = \"few-object-room-v1\"\n");
    folder.write("far.world.toml", "name = \"w\"\nextends = \"planet\"\n");
    folder.write("utf16.jsonl", b"\xff\xfe{\0");
    folder.assert_each(cases);
}

/// A correct program that is not formatted.
const SLOPPY: &str = "(define (game sloppy) (:domain few-objects-room-v1) (:constraints (preference p
  (exists (?d - dodgeball) (at-end (on bed ?d))))) (:scoring   (count p)))";

const GAME: &str = "examples/game/throw-to-bin.game";

#[test]
fn the_command_itself() {
    check(&[
        ("", 0, "goalspec score --why @throw-to-bin"),
        ("--help", 0, "Exit codes:"),
        ("--version", 0, "goalspec 0."),
        ("chekc x", 2, "'check'"),
        ("train reward.py --seeds 3", 2, "training is part of the Python package"),
        ("train --help", 0, "Training is written in Python"),
        ("score --nonsense", 2, "unexpected argument '--nonsense'"),
        ("--color sometimes check x", 2, "invalid value 'sometimes'"),
    ]);
}

#[test]
fn check_programs() {
    check(&[
        ("check examples/game/throw-to-bin.game", 0, "1 program checked"),
        ("check examples/worlds", 0, "1 program, 1 world and 1 trace checked, no diagnostics"),
        ("check examples/game/throw-to-bin.game examples/game/play.jsonl", 0, "1 program and 1 trace checked"),
        ("check examples/game/throw-to-bin.game cut.jsonl", 1, "error[trace/unknown-format]: cut.jsonl:"),
        ("check examples/game/throw-to-bin.game examples/worlds/make-tea.jsonl", 1, "examples/worlds/make-tea.jsonl"),
        ("check examples/worlds/make-tea.game", 1, "error[game/unknown-domain]"),
        ("check examples/game/faulty.game", 1, "5 errors"),
        ("check --deny-warnings sloppy.game", 0, "no diagnostics"),
        ("check missing.game", 1, "error[input/not-found]: file `missing.game` not found"),
        ("check *.missing", 1, "no file matches the pattern"),
        ("check [", 1, "not a valid pattern"),
        ("check examples/game/t*.game", 0, "2 programs checked"),
        ("check notes.md", 1, "error[input/unknown-kind]"),
        ("check latin.game", 1, "error[syntax/not-utf8]"),
        ("check empty.game", 1, "error[input/no-program]: `empty.game` contains no program"),
        ("check comment.game", 1, "error[input/no-program]"),
        ("check nothing", 2, "no program or world among the paths"),
        ("check examples/game/play.jsonl", 2, "no program or world among the paths"),
        ("check", 2, "<PATHS>"),
        ("check --unsafe-fixes sloppy.game", 2, "--fix"),
        ("check --format xml sloppy.game", 2, "invalid value 'xml'"),
        ("check --cost --format json sloppy.game", 2, "--cost requires the format `human`"),
        ("check near.world.toml", 1, "did you mean `few-objects-room-v1`?"),
        ("check far.world.toml", 1, "from `planet.world.toml`"),
        ("check --fix -", 2, "--fix cannot rewrite the standard input"),
        (
            "check again.world.toml examples/worlds/kitchen.world.toml",
            1,
            "the second in `examples/worlds/kitchen.world.toml`",
        ),
        ("check --cost examples/game/throw-to-bin.game", 0, "1 program checked"),
    ]);
}

#[test]
fn format_programs() {
    check(&[
        ("fmt --check examples", 0, ""),
        ("fmt --diff examples", 0, ""),
        ("fmt --check sloppy.game", 1, "would reformat sloppy.game"),
        ("fmt --diff sloppy.game", 1, "+++ sloppy.game (formatted)"),
        ("fmt --check missing.game", 1, "error[input/not-found]"),
        ("fmt examples/game/play.jsonl", 2, "no program among the paths"),
        ("fmt", 2, "<PATHS>"),
        ("fmt unclosed.game", 1, "error[syntax/unclosed-list]"),
        ("fmt --check unclosed.game", 1, "error[syntax/unclosed-list]"),
        ("check unclosed.game", 1, "error[syntax/unclosed-list]"),
        // The last one, since it rewrites the file.
        ("fmt sloppy.game", 0, "formatted sloppy.game"),
        ("fmt --check sloppy.game", 0, ""),
    ]);
}

#[test]
fn score_programs() {
    check(&[
        ("score examples/game/throw-to-bin.game examples/game/play.jsonl", 0, "throwToBin 2"),
        ("score examples/worlds", 0, "13"),
        ("score examples/game/throw-to-bin.game", 2, "no trace among the paths"),
        ("score examples/game/play.jsonl", 2, "no program among the paths"),
        ("score missing.game missing.jsonl", 1, "2 errors"),
        ("score examples/game/throw-to-bin.game missing.jsonl", 1, "file `missing.jsonl` not found"),
        ("score examples/game/throw-to-bin.game empty.jsonl", 1, "error[trace/empty]: empty.jsonl:"),
        ("score examples/game/throw-to-bin.game cut.jsonl", 1, "error[trace/unknown-format]: cut.jsonl:"),
        ("score empty.game examples/game/play.jsonl", 1, "error[input/no-program]"),
        ("score examples/game/faulty.game examples/game/play.jsonl", 1, "error[game/unbound-variable]"),
        ("score --semantics reference sloppy.game examples/game/play.jsonl", 0, "sloppy.game"),
        ("score --semantics reference examples/bddl examples/bddl/watering.jsonl", 2, "--semantics applies to games"),
        ("describe --ltl examples/bddl/game_night.bddl", 2, "--ltl requires games"),
        ("options examples/game/throw-to-bin.game", 2, "no activity among the paths"),
        ("score --semantics other sloppy.game examples/game/play.jsonl", 2, "invalid value 'other'"),
        ("score -j 0 sloppy.game examples/game/play.jsonl", 2, "0 is not in 1..=65535"),
        ("score -o nowhere/out.json sloppy.game examples/game/play.jsonl", 2, "cannot write `nowhere/out.json`"),
        ("score", 2, "<PATHS>"),
        ("score play.game examples/game/build.jsonl", 2, "no program among the paths; `play.game` is a trace"),
        ("score sloppy.game utf16.jsonl", 1, "the file seems to be UTF-16"),
        ("score sloppy.game ./sloppy.game examples/game/play.jsonl --format csv", 0, "sloppy.game"),
        (
            "score --why --format csv sloppy.game examples/game/play.jsonl",
            2,
            "--why requires --format table, json or jsonl",
        ),
        ("score --lanes sloppy.game examples/game/play.jsonl", 2, "--lanes requires --format json or jsonl"),
        (
            "score --lanes --format json --engine interpreter sloppy.game examples/game/play.jsonl",
            2,
            "--lanes requires the fast engine",
        ),
        ("score --lanes=0 sloppy.game examples/game/play.jsonl", 2, "0 is not in 1.."),
        (
            "view --export report.html examples/game",
            2,
            "--export requires one program and one trace; the paths have 3 and 2",
        ),
        ("view --export sloppy.game sloppy.game examples/game/play.jsonl", 2, "is also an input"),
        ("view examples/game/play.jsonl", 2, "no program among the paths"),
        ("view --port 70000 sloppy.game", 2, "70000 is not in 0..=65535"),
        ("score sloppy.game examples/game/play.jsonl -o ./sloppy.game", 2, "the output `sloppy.game` is also an input"),
        (
            "score examples/game -o examples/game/play.jsonl",
            2,
            "the output `examples/game/play.jsonl` is also an input",
        ),
        (
            "score --why -o why.csv sloppy.game examples/game/play.jsonl",
            2,
            "--why requires --format table, json or jsonl",
        ),
        (
            "score examples/worlds/make-tea.game examples/worlds/kitchen.world.toml examples/game/play.jsonl",
            1,
            "the trace was written for world `few-objects-room-v1`, but is read with world `kitchen-v1`",
        ),
    ]);
}

#[test]
fn watch_streams() {
    check(&[
        ("watch examples/game/throw-to-bin.game", 1, "error[trace/empty]: <stdin>:"),
        ("watch examples/game/faulty.game", 1, "5 errors"),
        ("watch missing.game", 1, "error[input/not-found]"),
        ("watch examples/game/throw-to-bin.game examples/game/tower.game", 2, "expected 1 program, found "),
        ("watch nothing", 2, "expected 1 program, found "),
        ("watch examples/game/throw-to-bin.game examples/game/play.jsonl", 2, "`examples/game/play.jsonl` is a trace"),
        ("watch", 2, "<PATHS>"),
    ]);
}

#[test]
fn trace_commands() {
    check(&[
        ("trace info examples/game", 0, "build.jsonl"),
        ("trace info missing.jsonl", 1, "error[input/not-found]"),
        ("trace info empty.jsonl", 1, "error[trace/empty]: empty.jsonl:"),
        ("trace info examples/worlds/make-tea.jsonl", 1, "is of the world `kitchen-v1`"),
        ("trace info --world examples/worlds/kitchen.world.toml examples/worlds/make-tea.jsonl", 0, "kitchen-v1"),
        ("trace info --world bedroom examples/game/play.jsonl", 1, "unknown world `bedroom`"),
        ("trace info examples/game/tower.game", 2, "no trace among the paths"),
        ("trace info", 2, "<PATHS>"),
        ("trace head -n 0 examples/game/play.jsonl", 0, "goalspec-trace"),
        ("trace head missing.jsonl", 1, "missing.jsonl"),
        ("trace head -n many examples/game/play.jsonl", 2, "invalid value 'many'"),
        ("trace convert examples/game/play.jsonl new.jsonl.gz", 0, "78 states"),
        ("trace convert examples/game/play.jsonl new.doc", 1, "error[trace/unknown-format]"),
        ("trace convert examples/game/play.jsonl nowhere/new.jsonl", 1, "error[trace/io]"),
        ("trace convert examples/game/play.jsonl ./examples/game/play.jsonl", 2, "onto itself"),
        ("trace convert examples/game/play.jsonl", 2, "<OUTPUT>"),
        ("trace convert examples/game/play.jsonl -o new.jsonl", 0, "78 states"),
        ("trace convert --output other.jsonl.zst new.jsonl", 0, "78 states"),
        ("trace convert examples/game/play.jsonl new.jsonl -o new.jsonl", 2, "cannot be used with"),
        ("trace info --world fewobjects-room-v1 examples/game/play.jsonl", 1, "did you mean `few-objects-room-v1`?"),
        ("trace", 2, "Usage: goalspec trace"),
    ]);
}

#[test]
fn explain_codes() {
    check(&[
        ("explain game/unbound-variable", 0, "# game/unbound-variable (error)"),
        ("explain --list", 0, "syntax/too-deep"),
        ("explain game/unbound-varible", 2, "did you mean `game/unbound-variable`?"),
        ("explain nonsense", 2, "unknown diagnostic code `nonsense`"),
        ("explain", 2, "<CODE>"),
    ]);
}

#[test]
fn right_programs_are_right_from_the_standard_input_too() {
    let folder = Folder::new();
    let program = folder.read(GAME);
    let play = folder.read("examples/game/play.jsonl");
    let done = folder.run_with("check -", program.as_bytes());
    assert_eq!((done.code, done.out.contains("1 program checked")), (Some(0), true), "{}", done.all());
    let done = folder.run_with("check --world atari/pong -", b"def reward_function(objects):\n    return 0.5\n");
    assert_eq!((done.code, done.out.contains("1 program checked")), (Some(0), true), "{}", done.all());
    let done = folder.run_with("fmt -", SLOPPY.as_bytes());
    assert_eq!(done.code, Some(0), "{}", done.all());
    let again = folder.run_with("fmt -", done.out.as_bytes());
    assert_eq!(done.out, again.out);
    let done = folder.run_with(&format!("score --format csv {GAME} -"), play.as_bytes());
    assert_eq!((done.code, done.out.contains(",<stdin>,")), (Some(0), true), "{}", done.all());
}

#[test]
fn the_output_extension_selects_the_format() {
    let folder = Folder::new();
    let cases = [
        ("-o scores.csv", "scores.csv", "program,trace,"),
        ("-o scores.JSON", "scores.JSON", "["),
        ("-o scores.txt", "scores.txt", "┌"),
        ("-o scores.csv --format jsonl", "scores.csv", "{"),
    ];
    for (arguments, name, prefix) in cases {
        let done = folder.run(&format!("score {GAME} examples/game/play.jsonl {arguments}"));
        assert_eq!((done.code, &*done.out), (Some(0), ""), "{arguments}: {}", done.all());
        assert!(folder.read(name).starts_with(prefix), "{arguments}: {}", folder.read(name));
    }
}

#[test]
fn a_broken_stream_is_an_error_with_a_report_of_the_states_before_it() {
    let folder = Folder::new();
    let play = folder.read("examples/game/play.jsonl");
    let lines: Vec<&str> = play.lines().collect();
    let broken = [&lines[..5], &["garbage"], &lines[5..]].concat().join("\n");
    let done = folder.run_with(&format!("watch {GAME}"), broken.as_bytes());
    assert_eq!(done.code, Some(1), "{}", done.all());
    for part in ["total: 4 states", "error[trace/wrong-type]: <stdin>: expected an object in state 5, line 6"] {
        assert!(done.all().contains(part), "{part}: {}", done.all());
    }
}

#[test]
fn byte_order_marks_are_no_part_of_a_text() {
    let folder = Folder::new();
    let marked = |name: &str| format!("\u{feff}{}", folder.read(name));
    folder.write("bom.game", marked(GAME));
    folder.write("bom.jsonl", marked("examples/game/play.jsonl"));
    let done = folder.run("score --format csv bom.game bom.jsonl");
    assert_eq!((done.code, done.out.contains("throwToBin,2,2")), (Some(0), true), "{}", done.all());
    let done = folder.run_with("watch bom.game", marked("examples/game/play.jsonl").as_bytes());
    assert_eq!((done.code, done.out.contains("total: 78 states, score 10")), (Some(0), true), "{}", done.all());
}

#[test]
fn names_of_preferences_are_suggested() {
    check(&[
        ("describe --dot throwtobin examples/game/throw-to-bin.game", 2, "did you mean `throwToBin`?"),
        ("describe --dot throwToBin examples/game/faulty.game", 2, "5 errors"),
    ]);
}

/// Returns the exit codes in a help text, each with its description.
fn documented(help: &str) -> BTreeMap<i32, String> {
    let lines = help.lines().skip_while(|line| *line != "Exit codes:").skip(1).take_while(|line| line.starts_with(' '));
    let mut codes: BTreeMap<i32, String> = BTreeMap::new();
    for line in lines {
        let (first, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match first.parse() {
            Ok(code) => drop(codes.insert(code, rest.trim().to_owned())),
            // A continuation line.
            Err(_) => {
                if let Some(mut last) = codes.last_entry() {
                    let last = last.get_mut();
                    *last = format!("{last} {}", line.trim());
                }
            }
        }
    }
    codes
}

/// The book and the help agree on exit codes.
#[test]
fn the_book_has_the_exit_codes_of_the_help() {
    let folder = Folder::new();
    for (command, page) in [("plan --help", "plans.md"), ("--help", "diagnostics.md")] {
        let codes = documented(&folder.run(command).out);
        assert!(codes.len() >= 3, "{codes:?}");
        let book = std::fs::read_to_string(common::root().join("docs/src").join(page)).expect("the book has the page");
        for (code, text) in codes.iter().filter(|(code, _)| page == "plans.md" || **code == 1) {
            assert!(book.contains(&format!("| {code} | {text} |")), "{page} lacks | {code} | {text} |");
        }
    }
}

/// A problem for each exit code in the help of `goalspec plan`, and no other exit code.
#[test]
fn each_exit_code_of_plans_is_met() {
    let folder = Folder::new();
    let knowledge = common::root().join("crates/languages/bddl/tests/small").display().to_string();
    let domain = "(define (domain d) (:requirements :strips) (:predicates (p ?x) (q ?x)) (:action a :parameters (?x)
        :precondition (p ?x) :effect (q ?x)))";
    let problem =
        |init: &str| format!("{domain} (define (problem r) (:domain d) (:objects o) (:init {init}) (:goal (q o)))");
    folder.write("one.pddl", problem("(p o)"));
    folder.write("none.pddl", problem(""));
    folder.write("wrong.pddl", problem("(p x)"));
    // A goal whose halves undo each other, and a search without backtracking.
    folder.write(
        "torn.pddl",
        "(define (domain d) (:requirements :strips :negative-preconditions) (:predicates (a) (b) (c)) (:action x :precondition (c)
            :effect (and (a) (not (c)))) (:action y :precondition (c) :effect (and (b) (not (c)))))
         (define (problem r) (:domain d) (:init (c)) (:goal (and (a) (b))))",
    );
    let switches: String = (0..40).map(|number| format!(" s{number}")).collect();
    let each = |predicate: &str| (0..40).map(|number| format!("({predicate} s{number})")).collect::<String>();
    folder.write(
        "many.pddl",
        format!(
            "(define (domain s) (:requirements :strips) (:predicates (off ?x) (lit ?x))
                (:action on :parameters (?x) :precondition (off ?x) :effect (and (lit ?x) (not (off ?x))))
                (:action out :parameters (?x) :precondition (lit ?x) :effect (and (off ?x) (not (lit ?x)))))
             (define (problem r) (:domain s) (:objects{switches}) (:init {}) (:goal (and {})))",
            each("off"),
            each("lit")
        ),
    );
    let activity = |goal: &str, room: &str| {
        format!(
            "(define (problem tidy-0) (:domain omnigibson)
                (:objects towel.n.01_1 - towel.n.01 table.n.02_1 - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
                (:init (inroom floor.n.01_1 kitchen) (inroom table.n.02_1 {room}) (ontop towel.n.01_1 floor.n.01_1)
                    (ontop agent.n.01_1 floor.n.01_1)) (:goal (and {goal})))"
        )
    };
    folder.write("broken.bddl", activity("(broken ?towel.n.01_1)", "kitchen"));
    folder.write("apart.bddl", activity("(nextto ?towel.n.01_1 ?table.n.02_1)", "hall"));
    let cases = [
        (0, "one.pddl".to_owned(), "; cost (steps) = 1"),
        (1, "wrong.pddl".to_owned(), "error[pddl/unknown-object]"),
        (2, "--optimal --improve one.pddl".to_owned(), "cannot be used with"),
        (3, "none.pddl".to_owned(), "; unsolvable (proved)"),
        (4, "--search astar-blind --time-limit 0.3 many.pddl".to_owned(), "time limit reached without a plan"),
        (5, "--search astar-blind --memory-limit 20 many.pddl".to_owned(), "memory limit reached without a plan"),
        (5, "--search astar-blind --state-limit 100 many.pddl".to_owned(), "state limit reached without a plan"),
        (6, "--search goals torn.pddl".to_owned(), "no plan found by an incomplete search"),
        (
            7,
            format!("--knowledge {knowledge} broken.bddl"),
            "`broken` may change by actions that the action model does not include",
        ),
        (7, format!("--knowledge {knowledge} apart.bddl"), "may still be solvable"),
    ];
    let mut codes: BTreeSet<i32> = cases.iter().map(|(code, ..)| *code).collect();
    for (code, arguments, part) in &cases {
        let done = folder.run(&format!("plan {arguments}"));
        assert!(done.code == Some(*code) && done.all().contains(part), "{arguments}: {:?}\n{}", done.code, done.all());
    }
    // The tests of grounding and of Fast Downward send Ctrl-C.
    codes.insert(130);
    assert_eq!(documented(&folder.run("plan --help").out).into_keys().collect::<BTreeSet<_>>(), codes);
}

/// A goal whose PDDL would be too large is not a usage error.
#[test]
fn exports_that_are_too_large_are_reported() {
    let folder = Folder::new();
    let write = |name: &str, mugs: usize, groups: usize| {
        let objects: String = (1..=mugs).map(|number| format!("mug.n.04_{number} ")).collect();
        let facts: String = (1..=mugs).map(|number| format!("(ontop mug.n.04_{number} floor.n.01_1) ")).collect();
        let of = |at: usize| ["ontop", "inside", "under", "nextto", "touching", "overlaid"][at % 6];
        let group = |at: usize| {
            format!("(forn ({}) (?mug.n.04 - mug.n.04) ({} ?mug.n.04 ?table.n.02_1)) ", at % (mugs - 2) + 2, of(at))
        };
        let goal: String = (0..groups).map(group).collect();
        folder.write(
            name,
            format!(
                "(define (problem p-0) (:domain omnigibson)
                    (:objects {objects}- mug.n.04 table.n.02_1 - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
                    (:init {facts}(inroom floor.n.01_1 kitchen) (ontop agent.n.01_1 floor.n.01_1) (ontop table.n.02_1 floor.n.01_1))
                    (:goal (and {goal})))"
            ),
        );
    };
    write("large.bddl", 3_000, 120);
    let done = folder.run("export large.bddl");
    let part = "exceeds the fixed limit of 262144 derived predicates";
    assert!(
        done.code == Some(1) && done.all().contains(part) && done.all().contains("run/not-supported"),
        "{}",
        done.all()
    );
    // The output can be read in seconds: 17 MB that took hours with a quadratic pass.
    write("fits.bddl", 400, 60);
    let done = folder.run("export fits.bddl --output out");
    assert_eq!(done.code, Some(0), "{}", done.all());
    let domain = std::fs::metadata(folder.path("out/domain.pddl")).expect("it was written").len();
    assert!(domain > 15_000_000, "{domain}");
    let done = folder.run("check out");
    assert!(done.code == Some(0) && done.all().contains("1 program and 1 domain checked"), "{}", done.all());
}
