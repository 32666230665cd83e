//! Damaged, contrived and enormous input ends soon with a diagnostic.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::common::{Folder, GOALSPEC};

const SCORE: &str = "score --format jsonl examples/game/throw-to-bin.game";

/// Runs a command, checks that it reports an error, and returns the output.
fn refused(folder: &Folder, arguments: &str) -> String {
    let done = folder.run(arguments);
    assert_eq!(done.code, Some(1), "goalspec {arguments}\n{}", done.all());
    assert!(done.all().contains("error["), "goalspec {arguments}\n{}", done.all());
    done.all()
}

#[test]
fn programs_nested_a_million_deep() {
    let folder = Folder::new();
    let depth = 1_000_000;
    folder.write("open.game", "(".repeat(depth));
    folder.write("close.game", ")".repeat(depth));
    let nested = format!("{}(open ?b){}", "(not ".repeat(depth), ")".repeat(depth));
    folder.write(
        "nested.game",
        format!(
            "(define (game deep) (:domain few-objects-room-v1)
            (:constraints (preference p (exists (?b - ball) (at-end {nested})))) (:scoring (count p)))"
        ),
    );
    assert!(refused(&folder, "check open.game").contains("syntax/too-deep"));
    assert!(refused(&folder, "check nested.game").contains("syntax/too-deep"));
    assert!(refused(&folder, "check close.game").contains("syntax/stray-parenthesis"));
    // The formatter leaves such a file unchanged.
    assert!(folder.run("fmt nested.game").code.is_some());
    assert!(refused(&folder, "check nested.game").contains("syntax/too-deep"));
}

#[test]
fn a_hundred_megabytes_of_parentheses() {
    let folder = Folder::new();
    folder.write("large.game", vec![b'('; 100_000_000]);
    let printed = refused(&folder, "check large.game");
    assert!(printed.contains("error[input/unreadable]: `large.game` exceeds the limit of 67108864"), "{printed}");
}

#[test]
fn unknown_names_in_the_program() {
    let folder = Folder::new();
    let names = "(define (game g) (:domain few-objects-room-v1)
        (:constraints (preference p (exists (?a - gizmo) (at-end (and (frobs ?a) (on ?b bed) (on widget ?a)
            (< (size ?a) 2))))))
        (:scoring (count q)))";
    let operators = "(define (game h) (:domain few-objects-room-v1)
        (:constraints (preference p (at-start (open top_drawer)))) (:scoring (counts p)) (:colour red))
        (define (game i) (:domain moon) (:constraints (preference p (at-end (open top_drawer)))) (:scoring (count p)))";
    folder.write("unknown.game", format!("{names}\n{operators}"));
    let printed = refused(&folder, "check --format line unknown.game");
    for code in [
        "unknown-type",
        "unknown-predicate",
        "unbound-variable",
        "unknown-object",
        "unknown-function",
        "unknown-operator",
        "unknown-preference",
        "unknown-section",
        "unknown-domain",
    ] {
        assert!(printed.contains(&format!("game/{code}")), "{code}:\n{printed}");
    }
}

#[test]
fn damaged_states() {
    let folder = Folder::new();
    let play = folder.read("examples/game/play.jsonl");
    // The header and nine states, the last one at 1.6 s.
    let head: String = play.lines().take(10).flat_map(|line| [line, "\n"]).collect();
    let cases = [
        (r#"{"t":NaN,"set":{}}"#, "trace/not-finite"),
        (r#"{"t":1.8,"set":{"agent":{"position":[NaN,0,0]}}}"#, "trace/not-finite"),
        (r#"{"t":1.8,"set":{"agent":{"position":[-Infinity,0,0]}}}"#, "trace/not-finite"),
        (r#"{"t":1.8,"set":{"agent":{"position":[1e999,0,0]}}}"#, "trace/not-finite"),
        (r#"{"index":3,"set":{}}"#, "trace/order"),
        (r#"{"t":0.1,"set":{}}"#, "trace/order"),
        (r#"{"t":1.8,"set":{"unicorn":{"position":[0,0,0]}}}"#, "trace/unknown-name"),
        (r#"{"t":1.8,"sett":{}}"#, "trace/unknown-field"),
        (r#"{"t":1.8,"set":{"agent":{"position":"here"}}}"#, "trace/wrong-type"),
        (r#"{"t":1.8,"facts":[["on","bed"]]}"#, "trace/not-stored"),
        (r#"{"t":1.8,"set":{"#, "trace/cut"),
        (r#"{"t":1.8 "set":{}}"#, "trace/syntax"),
    ];
    for (state, code) in cases {
        folder.write("damaged.jsonl", format!("{head}{state}\n"));
        let printed = refused(&folder, &format!("{SCORE} damaged.jsonl"));
        assert!(printed.contains(&format!("error[{code}]: damaged.jsonl:")), "{state}\n{printed}");
        assert!(printed.contains("state 10"), "{state}\n{printed}");
        let partial = folder.run(&format!("{SCORE} --partial damaged.jsonl"));
        assert_eq!(partial.code, Some(0), "{state}\n{}", partial.all());
        assert!(partial.out.contains(r#""states":9,"#), "{state}\n{}", partial.out);
        assert!(partial.err.contains(&format!("warning[{code}]")), "{state}\n{}", partial.err);
    }
}

#[test]
fn readable_parts_of_a_damaged_trace_are_shown() {
    let folder = Folder::new();
    let play = folder.read("examples/game/play.jsonl");
    let head: String = play.lines().take(10).flat_map(|line| [line, "\n"]).collect();
    folder.write("damaged.jsonl", format!("{head}{{\"t\":1.8,"));
    let done = folder.run("trace info damaged.jsonl");
    assert_eq!(done.code, Some(1), "{}", done.all());
    assert!(done.err.contains("error[trace/cut]: damaged.jsonl:"), "{}", done.err);
    assert!(done.out.contains("states      9 before the damage, index 0 to 8"), "{}", done.out);
    for (arguments, code) in [("damaged.jsonl", 1), ("--partial damaged.jsonl", 0)] {
        let done = folder.run(&format!("trace info --format json {arguments}"));
        assert_eq!(done.code, Some(code), "{}", done.all());
        assert!(done.out.contains("\"states\": 9,") && done.out.contains("\"complete\": false"), "{}", done.out);
    }
    // A trace without any valid state has no summary.
    let header: String = play.lines().take(1).flat_map(|line| [line, "\n"]).collect();
    folder.write("nothing.jsonl", format!("{header}{{\"t\":1.8,"));
    let done = folder.run("trace info nothing.jsonl");
    assert_eq!((done.code, &*done.out), (Some(1), ""), "{}", done.all());
}

#[test]
fn traces_of_another_world() {
    let folder = Folder::new();
    let printed = refused(&folder, &format!("{SCORE} examples/worlds/make-tea.jsonl"));
    assert!(printed.contains("examples/worlds/make-tea.jsonl"), "{printed}");
    // A trace of another room that has only objects of this room is accepted with a warning.
    let renamed = folder.read("examples/game/play.jsonl").replacen("few-objects", "many-objects", 1);
    folder.write("renamed.jsonl", renamed);
    let done = folder.run(&format!("{SCORE} renamed.jsonl"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.err.contains("warning[trace/other-world]: renamed.jsonl:"), "{}", done.err);
    assert!(!done.err.contains("did you mean"), "the other room exists: {}", done.err);
    let misspelt = folder.read("examples/game/play.jsonl").replacen("few-objects", "few-object", 1);
    folder.write("misspelt.jsonl", misspelt);
    let done = folder.run(&format!("{SCORE} misspelt.jsonl"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.err.contains("did you mean `few-objects-room-v1`?"), "{}", done.err);
    let done = folder.run("trace info misspelt.jsonl");
    assert_eq!(done.code, Some(1), "{}", done.all());
    assert!(done.err.contains("did you mean `few-objects-room-v1`?"), "{}", done.err);
}

#[test]
fn a_packed_trace_that_was_cut() {
    let folder = Folder::new();
    assert_eq!(folder.run("trace convert examples/game/play.jsonl play.jsonl.gz").code, Some(0));
    let compressed = std::fs::read(folder.path("play.jsonl.gz")).unwrap();
    folder.write("cut.jsonl.gz", &compressed[..compressed.len() / 2]);
    let printed = refused(&folder, &format!("{SCORE} cut.jsonl.gz"));
    assert!(printed.contains("error[trace/cut]: cut.jsonl.gz:"), "{printed}");
    let done = folder.run(&format!("{SCORE} --partial cut.jsonl.gz"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.err.contains("states before it were read"), "{}", done.err);
    assert!(done.out.contains(r#""states":"#), "{}", done.out);
}

#[test]
fn a_million_bindings_and_too_many() {
    let folder = Folder::new();
    let world = "name = \"crowd\"\n[types]\nperson = {}\n[objects]\n\"p_{n}\" = { type = \"person\", count = COUNT }\n\
        [predicates.knows]\nparameters = \"?a ?b - person\"\nstored = true\n";
    let game = |variables: &str| {
        format!(
            "(define (game crowd) (:domain crowd) (:constraints (preference friends
            (exists ({variables} - person) (at-end (and (knows ?a ?b) (knows ?b ?a)))))) (:scoring (count friends)))"
        )
    };
    folder.write(
        "meet.jsonl",
        "{\"format\":\"goalspec-trace\",\"version\":1,\"world\":\"crowd\"}\n\
         {\"set\":{},\"facts\":[[\"knows\",\"p_0\",\"p_1\"],[\"knows\",\"p_1\",\"p_0\"]]}\n",
    );
    folder.write("crowd.world.toml", world.replace("COUNT", "1001"));
    folder.write("pairs.game", game("?a ?b"));
    // 1001 * 1000 pairs, of which two know each other: (p_0, p_1) and (p_1, p_0).
    let done = folder.run("score --format jsonl pairs.game crowd.world.toml meet.jsonl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.out.contains(r#""score":2.0"#), "{}", done.out);
    folder.write("many.game", game("?a ?b ?c ?d ?e"));
    let printed = refused(&folder, "score --format jsonl many.game crowd.world.toml meet.jsonl");
    assert!(printed.contains("many.game") && printed.contains("the limit is 67108864"), "{printed}");
    // The authors' reward machine runs any valid program; its limits are of another kind.
    let done = folder.run("score --semantics reference --format jsonl many.game crowd.world.toml meet.jsonl");
    assert!(!done.all().contains("67108864"), "{}", done.all());
}

#[test]
fn output_pipes_may_be_closed_early() {
    let folder = Folder::new();
    for arguments in ["explain --list", "trace head -n 78 examples/game/play.jsonl"] {
        let mut command = folder.command(GOALSPEC);
        command.args(arguments.split(' ')).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*errors), (Some(0), ""), "goalspec {arguments}");
    }
}

#[test]
fn verdicts_arrive_before_the_stream_ends() {
    let folder = Folder::new();
    let play = folder.read("examples/game/play.jsonl");
    let mut command = folder.command(GOALSPEC);
    command.args(["watch", "--format", "json", "examples/game/throw-to-bin.game"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut verdicts = BufReader::new(child.stdout.take().unwrap());
    let mut lines = play.lines();
    writeln!(input, "{}", lines.next().unwrap()).unwrap();
    for (number, state) in (1..).zip(lines.take(29)) {
        writeln!(input, "{state}").unwrap();
        input.flush().unwrap();
        // If the verdict were delayed until more states arrive, this would block forever.
        let mut verdict = String::new();
        verdicts.read_line(&mut verdict).unwrap();
        assert!(verdict.starts_with(&format!("{{\"state\":{number},")), "{verdict}");
        assert_eq!(verdict.contains("throwAttempt"), number == 29, "{verdict}");
    }
    drop(input);
    let mut report = String::new();
    verdicts.read_to_string(&mut report).unwrap();
    let [last, record] = report.lines().collect::<Vec<_>>()[..] else { panic!("{report}") };
    assert!(last.starts_with("{\"state\":29,\"finish\":true,"), "{last}");
    assert!(record.starts_with("{\"program\":") && record.contains("\"score\":-1.0"), "{record}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn files_are_taken_once_and_never_half() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    folder.write("games/one.game", folder.read("examples/game/throw-to-bin.game"));
    symlink(".", folder.path("games/circle")).unwrap();
    symlink("one.game", folder.path("games/other.game")).unwrap();
    let done = folder.run("check games games/one.game ./games/other.game");
    assert_eq!((done.code, done.out.contains("1 program checked")), (Some(0), true), "{}", done.all());
    // Reading the device would consume input of its next reader.
    let done = folder.run("check /dev/null");
    let named = done.all().contains("`/dev/null` is a pipe or a device");
    assert_eq!((done.code, named), (Some(1), true), "{}", done.all());
}
