//! What every command answers to right, faulty and senseless requests: its exit code, and a part of what it prints.

mod common;

use std::fmt::Write as _;

use common::Folder;

/// Arguments, the exit code, and what the outputs must contain.
type Case = (&'static str, i32, &'static str);

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
    let mut wrong = String::new();
    for (arguments, code, text) in cases {
        let done = folder.run(arguments);
        if done.code != Some(*code) || !done.all().contains(text) {
            let printed = done.all();
            let _ =
                writeln!(wrong, "goalspec {arguments}\n  wanted {code} and {text:?}, found {:?}\n{printed}", done.code);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A right program in bad layout.
const SLOPPY: &str = "(define (game sloppy) (:domain few-objects-room-v1) (:constraints (preference p
  (exists (?d - dodgeball) (at-end (on bed ?d))))) (:scoring   (count p)))";

const GAME: &str = "examples/game/throw-to-bin.game";

#[test]
fn the_command_itself() {
    check(&[
        ("", 2, "Usage: goalspec"),
        ("--help", 0, "Exit codes:"),
        ("--version", 0, "goalspec 0."),
        ("chekc x", 2, "'check'"),
        ("score --nonsense", 2, "unexpected argument '--nonsense'"),
        ("--color sometimes check x", 2, "invalid value 'sometimes'"),
    ]);
}

#[test]
fn check_programs() {
    check(&[
        ("check examples/game/throw-to-bin.game", 0, "1 program checked"),
        ("check examples/worlds", 0, "1 program and 1 world checked, nothing found"),
        ("check examples/worlds/make-tea.game", 1, "error[game/unknown-domain]"),
        ("check examples/game/faulty.game", 1, "5 errors"),
        ("check --deny-warnings sloppy.game", 0, "nothing found"),
        ("check missing.game", 1, "error[input/not-found]: there is no file `missing.game`"),
        ("check *.missing", 1, "no file matches the pattern"),
        ("check [", 1, "not a valid pattern"),
        ("check examples/game/t*.game", 0, "2 programs checked"),
        ("check notes.md", 1, "error[input/unknown-kind]"),
        ("check latin.game", 1, "error[syntax/not-utf8]"),
        ("check empty.game", 1, "error[input/no-program]: `empty.game` holds no program"),
        ("check comment.game", 1, "error[input/no-program]"),
        ("check nothing", 2, "no program and no world among the paths"),
        ("check examples/game/play.jsonl", 2, "no program and no world among the paths"),
        ("check", 2, "<PATHS>"),
        ("check --unsafe-fixes sloppy.game", 2, "--fix"),
        ("check --format xml sloppy.game", 2, "invalid value 'xml'"),
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
        ("score examples/game/throw-to-bin.game", 2, "there is no trace among the paths"),
        ("score examples/game/play.jsonl", 2, "there is no program among the paths"),
        ("score missing.game missing.jsonl", 1, "2 errors"),
        ("score examples/game/throw-to-bin.game missing.jsonl", 1, "there is no file `missing.jsonl`"),
        ("score examples/game/throw-to-bin.game empty.jsonl", 1, "error[trace/empty]: empty.jsonl:"),
        ("score examples/game/throw-to-bin.game cut.jsonl", 1, "error[trace/unknown-format]: cut.jsonl:"),
        ("score empty.game examples/game/play.jsonl", 1, "error[input/no-program]"),
        ("score examples/game/faulty.game examples/game/play.jsonl", 1, "error[game/unbound-variable]"),
        ("score --semantics reference sloppy.game examples/game/play.jsonl", 0, "sloppy.game"),
        ("score --semantics other sloppy.game examples/game/play.jsonl", 2, "invalid value 'other'"),
        ("score -j 0 sloppy.game examples/game/play.jsonl", 2, "0 is not in 1..=65535"),
        ("score -o nowhere/out.json sloppy.game examples/game/play.jsonl", 2, "`nowhere/out.json` cannot be written"),
        ("score", 2, "<PATHS>"),
    ]);
}

#[test]
fn watch_streams() {
    check(&[
        ("watch examples/game/throw-to-bin.game", 1, "error[trace/empty]: <stdin>:"),
        ("watch examples/game/faulty.game", 1, "5 errors"),
        ("watch missing.game", 1, "error[input/not-found]"),
        ("watch examples/game/throw-to-bin.game examples/game/tower.game", 2, "takes one program"),
        ("watch nothing", 2, "takes one program"),
        ("watch", 2, "<PATHS>"),
    ]);
}

#[test]
fn look_at_traces() {
    check(&[
        ("trace info examples/game", 0, "build.jsonl"),
        ("trace info missing.jsonl", 1, "error[input/not-found]"),
        ("trace info empty.jsonl", 1, "error[trace/empty]: empty.jsonl:"),
        ("trace info examples/worlds/make-tea.jsonl", 1, "is of the world `kitchen-v1`"),
        ("trace info --world examples/worlds/kitchen.world.toml examples/worlds/make-tea.jsonl", 0, "kitchen-v1"),
        ("trace info --world bedroom examples/game/play.jsonl", 1, "there is no world `bedroom`"),
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
        ("trace", 2, "Usage: goalspec trace"),
    ]);
}

#[test]
fn explain_codes() {
    check(&[
        ("explain game/unbound-variable", 0, "# game/unbound-variable (error)"),
        ("explain --list", 0, "syntax/too-deep"),
        ("explain game/unbound-varible", 2, "did you mean `game/unbound-variable`?"),
        ("explain nonsense", 2, "there is no diagnostic code `nonsense`"),
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
    let done = folder.run_with("fmt -", SLOPPY.as_bytes());
    assert_eq!(done.code, Some(0), "{}", done.all());
    let again = folder.run_with("fmt -", done.out.as_bytes());
    assert_eq!(done.out, again.out);
    let done = folder.run_with(&format!("score --format csv {GAME} -"), play.as_bytes());
    assert_eq!((done.code, done.out.contains(",<stdin>,")), (Some(0), true), "{}", done.all());
}
