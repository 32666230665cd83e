//! `smoke TARGET COUNT CORPUS INPUT`: tries the first COUNT inputs derived from the files in the folder CORPUS.
//!
//! The current input is kept in the file INPUT, which remains after a panic, a stack overflow or a hang. The last line of the output is
//! the number of inputs and their hash; equal hashes mean equal inputs.

#[path = "../hooks.rs"]
mod hooks;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use goalspec_fuzz::TARGETS;
use goalspec_fuzz::smoke::Inputs;

/// The maximum time for all inputs; the remaining ones are skipped, which is reported.
const MAX_TOTAL_TIME: Duration = Duration::from_secs(60);

/// The maximum time for one input.
const MAX_INPUT_TIME: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match smoke(&arguments) {
        Ok(line) => {
            eprintln!("smoke: {line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("smoke: {error}");
            ExitCode::FAILURE
        }
    }
}

fn smoke(arguments: &[String]) -> Result<String, String> {
    let [target, count, corpus, file] = arguments else {
        return Err("usage: smoke TARGET COUNT CORPUS INPUT".to_owned());
    };
    let &(_, run) = TARGETS.iter().find(|(name, _)| name == target).ok_or(format!("there is no target `{target}`"))?;
    let count = count.parse().map_err(|_| format!("`{count}` is not a number of inputs"))?;
    let inputs = Inputs::new(corpus.as_ref()).map_err(|error| format!("{corpus}: {error}"))?;
    let begin = Instant::now();
    let mut hasher = DefaultHasher::new();
    let (sender, receiver) = mpsc::channel();
    let name = file.clone();
    std::thread::spawn(move || try_all(run, &inputs, count, &name, &sender));
    for number in 0..count {
        let word = match receiver.recv_timeout(MAX_INPUT_TIME) {
            Ok(count) => count?,
            Err(mpsc::RecvTimeoutError::Timeout) => return Err(format!("input {number} takes too long: {file}")),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err(format!("input {number} fails: {file}")),
        };
        word.hash(&mut hasher);
        if begin.elapsed() > MAX_TOTAL_TIME {
            return Ok(format!("{} of {count} inputs tried, then the time was over", number + 1));
        }
    }
    Ok(format!("{count} inputs tried, {:016x}, {:.1} s", hasher.finish(), begin.elapsed().as_secs_f64()))
}

/// Tries inputs, and sends the hash of each after it passes.
fn try_all(run: fn(&[u8]), inputs: &Inputs, count: usize, file: &str, sender: &Sender<Result<u64, String>>) {
    for input in (0..count).map(|number| inputs.get(number)) {
        let result = std::fs::write(file, &input).map_err(|error| format!("{file}: {error}"));
        run(&input);
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        // The receiver is gone: the time limit has passed.
        if sender.send(result.map(|()| hasher.finish())).is_err() {
            return;
        }
    }
}
