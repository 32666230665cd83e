//! Reward functions, run fast and in `CPython` over the same recorded frames.

use std::process::{Command, Stdio};

use crate::{Outcome, root};

/// How many times faster than `CPython` a call is to be.
const WANTED: f64 = 20.0;

/// Times the published reward functions both ways in one run, and prints a table, what misses its aim first.
pub(crate) fn rewards() -> Outcome {
    let recordings = root().join("../shared/conformance/reward");
    if !recordings.is_dir() {
        return Err(format!("there are no recordings at {}", recordings.display()));
    }
    let bench = ["bench", "--quiet", "-p", "goalspec-reward", "--bench", "reward", "--", "--calls"];
    let own = lines(Command::new(env!("CARGO")).args(bench))?;
    let script = root().join("crates/xtask/src/rewards.py");
    let python = lines(Command::new("python3").arg(script).arg(&recordings))?;
    let version = python.iter().find(|line| line[0] == "CPython").map_or("", |line| line[1].as_str());
    println!("{:24} {:>12} {:>8} {:>8} {:>8}", "program", format!("CPython {version}"), "call", "run", "times");
    let mut rows = Vec::new();
    for line in &own {
        let [name, call, run] = line.as_slice() else { return Err(format!("not understood: {line:?}")) };
        let theirs = python.iter().find(|other| other[0] == *name).and_then(|other| number(&other[1]));
        let (Some(call), Some(run)) = (number(call), number(run)) else { return Err(format!("no numbers: {line:?}")) };
        rows.push((theirs.map(|theirs| theirs / call), name, theirs, call, run));
    }
    let missed = |times: Option<f64>| times.is_some_and(|times| times < WANTED);
    rows.sort_by_key(|row| !missed(row.0));
    for (times, name, theirs, call, run) in rows {
        let shown = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.1}"));
        let verdict = if missed(times) { "less than wanted" } else { "" };
        println!("{name:24} {:>12} {call:8.1} {run:8.1} {:>8} {verdict}", shown(theirs), shown(times));
    }
    println!("in nanoseconds; `run` is a call whose objects were made ready before");
    Ok(())
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The words of each line that a command prints.
fn lines(command: &mut Command) -> Result<Vec<Vec<String>>, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{command:?} failed"));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    Ok(lines.filter(|line| line.len() > 1).collect())
}
