//! What `CPython` itself gives, word by word.

use std::io::Write;
use std::process::{Command, Stdio};

use goalspec_reward::limits::Budget;
use goalspec_reward::machine::{Error, Given};
use goalspec_reward::scene::World;
use goalspec_reward::{Machine, read};
use goalspec_syntax::Sources;

/// What `CPython` says of programs; `None` where there is none, or one with other messages.
fn oracle(programs: &[String]) -> Option<Vec<String>> {
    let version = Command::new("python3").args(["-c", "import sys; print(sys.version_info[:2])"]).output().ok()?;
    if String::from_utf8_lossy(&version.stdout).trim() != "(3, 11)" {
        eprintln!("skipped: there is no CPython 3.11");
        return None;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cpython/oracle.py");
    let mut child = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let text = serde_json::to_string(programs).unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// What the machine says of a program.
fn ours(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let found = read(sources.get(id));
    let Some(program) = found.program else { return format!("not read: {:?}", found.diagnostics) };
    let world = World::default();
    let called = Machine::new(&program, &world, Budget::default()).and_then(|mut machine| machine.call("f", &[]));
    match called {
        // Programs give texts, or are written as such by `repr`.
        Ok(Given::Other(text)) => text,
        Ok(Given::Int(number)) => number.to_string(),
        Ok(Given::Float(number)) => format!("{number:?}"),
        Ok(Given::Bool(truth)) => if truth { "True" } else { "False" }.to_owned(),
        Err(Error::Exception { kind, message, .. }) => format!("{kind}: {message}"),
        Err(error) => error.to_string(),
    }
}

fn compare(programs: &[String]) {
    let Some(expected) = oracle(programs) else { return };
    let differing: Vec<String> = programs
        .iter()
        .zip(&expected)
        .filter_map(|(program, expected)| {
            let given = ours(program);
            (given != *expected).then(|| format!("{program}\n  gives     {given}\n  CPython's {expected}"))
        })
        .collect();
    assert!(differing.is_empty(), "{} of {} differ:\n{}", differing.len(), programs.len(), differing.join("\n"));
}

#[test]
fn expressions() {
    let lines = include_str!("cpython/expressions.txt").lines();
    // Written by `repr` within the program, so that floats are, too.
    let programs: Vec<String> = lines.map(|line| format!("def f(o):\n    return repr({line})\n")).collect();
    compare(&programs);
}

#[test]
fn programs() {
    let programs: Vec<String> = include_str!("cpython/programs.txt").split("===\n").map(str::to_owned).collect();
    compare(&programs);
}
