//! The benchmark of reward functions against CPython on the same recorded frames.

use std::process::{Command, Stdio};

use crate::{CommandResult, root};

/// The required speedup over CPython.
const REQUIRED_SPEEDUP: f64 = 20.0;

/// The number of alternating timings of each; the minimum counts, to reduce the influence of other load.
const ROUNDS: usize = 3;

/// Times the published reward functions in both implementations, and prints a table in which functions below the required speedup come
/// first.
pub(crate) fn rewards() -> CommandResult {
    let recordings = root().join("../shared/conformance/reward");
    if !recordings.is_dir() {
        return Err(format!("no recordings in {}", recordings.display()));
    }
    let bench = ["bench", "--quiet", "-p", "goalspec-reward", "--bench", "reward", "--", "--calls"];
    let script = root().join("crates/xtask/src/rewards.py");
    let (mut own, mut python) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        keep_minimum_times(&mut own, lines(Command::new(env!("CARGO")).args(bench))?);
        keep_minimum_times(&mut python, lines(Command::new("python3").arg(&script).arg(&recordings))?);
    }
    let version = python.iter().find(|line| line[0] == "CPython").map_or("", |line| line[1].as_str());
    println!(
        "{:24} {:>12} {:>16} {:>16} {:>8} {:>8}",
        "program",
        format!("CPython {version}"),
        "register machine",
        "machine code",
        "compiled",
        "speedup"
    );
    let mut rows = Vec::new();
    for line in &own {
        let Some((name, numbers)) = line.split_first() else { continue };
        let numbers: Option<Vec<f64>> = numbers.iter().map(|text| text.parse().ok()).collect();
        let Some(Ok([call, run, native, native_run, compiling])) = numbers.map(<[f64; 5]>::try_from) else {
            return Err(format!("unexpected output: {line:?}"));
        };
        let theirs = python.iter().find(|other| other[0] == *name).and_then(|other| other[1].parse::<f64>().ok());
        let times = theirs.map(|theirs| theirs / native);
        let own = format!("{call:8.1}{run:8.1} {native:8.1}{native_run:8.1} {compiling:8.1}");
        rows.push((
            times,
            format!("{name:24} {:>12} {own}", theirs.map_or(String::new(), |theirs| format!("{theirs:.1}"))),
        ));
    }
    let missed = |times: Option<f64>| times.is_some_and(|times| times < REQUIRED_SPEEDUP);
    rows.sort_by_key(|row| !missed(row.0));
    for (times, row) in rows {
        let verdict = if missed(times) { "below target" } else { "" };
        println!("{row} {:>8} {verdict}", times.map_or(String::new(), |times| format!("{times:.1}")));
    }
    println!(
        "nanoseconds per call, and per call with prepared objects; compilation in milliseconds; speedup of machine code"
    );
    Ok(())
}

/// Updates times with the minimum of the old and the new ones, line by line.
fn keep_minimum_times(known: &mut Vec<Vec<String>>, new: Vec<Vec<String>>) {
    if known.is_empty() {
        *known = new;
        return;
    }
    for (known, new) in known.iter_mut().flatten().zip(new.into_iter().flatten()) {
        let times = known.parse::<f64>().ok().zip(new.parse::<f64>().ok());
        if times.is_some_and(|(before, now)| now < before) {
            *known = new;
        }
    }
}

/// Returns the words of each line that a command prints.
fn lines(command: &mut Command) -> Result<Vec<Vec<String>>, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{command:?} failed"));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    Ok(lines.filter(|line| line.len() > 1).collect())
}
