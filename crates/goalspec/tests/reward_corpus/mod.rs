//! Reward functions in the styles of language models give the results of CPython on both engines.

mod cases;

use std::collections::BTreeSet;
use std::path::Path;

use cases::Comparison;
use goalspec::core::engine::Engine;
use rayon::prelude::*;

/// The programs that need parts of Python or of its libraries which goalspec does not have. A program that gives the right results must
/// not be listed.
const UNSUPPORTED: &str = include_str!("unsupported.txt");

/// Asserts that all programs of a folder but the unsupported ones give the results of CPython.
fn assert_as_in_cpython(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/rewards").join(folder);
    let listed: BTreeSet<&str> = UNSUPPORTED.lines().collect();
    let cases = cases::in_folder(&folder);
    let compared: Vec<(String, Vec<Comparison>)> = cases
        .par_iter()
        .map(|case| (case.name(), [Engine::Interpreter, Engine::Fast].map(|engine| case.compare(engine)).to_vec()))
        .collect();
    let mut wrong = Vec::new();
    let (mut equal, mut fast) = (0, 0);
    for (name, results) in &compared {
        let failed = results.iter().find(|result| !matches!(result, Comparison::Equal(_)));
        equal += usize::from(failed.is_none());
        if let [_, Comparison::Equal(calls)] = results.as_slice() {
            fast += usize::from(calls.interpreted_frames == 0);
        }
        match failed {
            Some(failed) if !listed.contains(&**name) => wrong.push(format!("{name}: {failed}")),
            None if listed.contains(&**name) => wrong.push(format!("{name}: supported, but listed as unsupported")),
            _ => {}
        }
    }
    println!("{}: {equal} of {} equal, {fast} wholly on the fast engine", folder.display(), compared.len());
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
    assert!(!compared.is_empty());
}

#[test]
fn open_programs() {
    assert_as_in_cpython("open");
}

#[test]
fn held_out_programs() {
    assert_as_in_cpython("held-out");
}

#[test]
fn programs_with_random_numbers() {
    assert_as_in_cpython("random");
}

#[test]
fn unsupported_programs_exist() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/rewards");
    let exists = |name: &&str| {
        ["open", "held-out", "random"].iter().any(|half| folder.join(half).join(format!("{name}.py")).is_file())
    };
    let unknown: Vec<&str> = UNSUPPORTED.lines().filter(|name| !exists(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
