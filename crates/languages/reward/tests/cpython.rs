//! What `CPython` itself gives, word by word.

mod differential;
mod hostile;

use std::borrow::Cow;
use std::io::Write;
use std::process::{Command, Stdio};

use goalspec_reward::fast::Compiled;
use goalspec_reward::limits::Budget;
use goalspec_reward::machine::{Error, Given};
use goalspec_reward::scene::World;
use goalspec_reward::{Machine, read};
use goalspec_syntax::{Diagnostic, SourceFile, Sources};

/// What an interpreter says of itself.
fn asked(python: &str, question: &str) -> String {
    let output = Command::new(python).args(["-c", question]).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// An interpreter of the version whose words are compared.
fn python() -> Option<String> {
    if asked("python3", "import sys; print(sys.version_info[:2])") == "(3, 11)" {
        return Some("python3".to_owned());
    }
    eprintln!("skipped: there is no CPython 3.11");
    None
}

/// One that has numpy 1.26: the variable `GOALSPEC_NUMPY_PYTHON` names it unless it is `python3`.
fn python_with_numpy() -> Option<String> {
    let python = std::env::var("GOALSPEC_NUMPY_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if asked(&python, "import sys, numpy; print(sys.version_info[:2], numpy.__version__[:4])") == "(3, 11) 1.26" {
        return Some(python);
    }
    eprintln!("skipped: there is no CPython 3.11 with numpy 1.26");
    None
}

/// What `CPython` says of programs; nothing where there is none.
fn oracle(python: Option<String>, script: &str, programs: &[String]) -> Option<Vec<String>> {
    let python = python?;
    let script = format!("{}/tests/cpython/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3 starts");
    let text = serde_json::to_string(programs).unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Why a program is not read: faults of syntax in the way in which `CPython` says them.
fn refused(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    match diagnostics {
        [Diagnostic { code, message, span: Some(span), .. }, ..] if code.0 == "reward/syntax" => {
            let (line, _) = source.line_column(span.start);
            format!("SyntaxError: {message} (<program>, line {line})")
        }
        _ => format!("not read: {diagnostics:?}"),
    }
}

/// What the machine says of a program.
fn ours(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let found = read(sources.get(id));
    let Some(program) = found.program else { return refused(sources.get(id), &found.diagnostics) };
    let world = World::default();
    said(Machine::new(&program, &world, Budget::default()).and_then(|mut machine| machine.call("f", &[])))
}

/// A result as the oracle writes it.
fn said(called: Result<Given, Error>) -> String {
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

/// The register interpreter and machine code give what the machine gives.
fn fast_alike(text: &str) {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let Some(program) = read(sources.get(id)).program else { return };
    let world = World::default();
    let Ok(mut machine) = Machine::new(&program, &world, Budget::default()) else { return };
    let expected = said(machine.call("f", &[]));
    for is_native in [false, true] {
        let compiled = Compiled::new(&program, &world, "f", Budget::default()).expect("the machine could read it");
        if is_native && compiled.compile().is_err() {
            continue;
        }
        let given = said(compiled.engine().call(&[]).map_err(Cow::into_owned));
        assert_eq!(given, expected, "machine code: {is_native}\n{text}");
    }
}

fn compare(python: Option<String>, programs: &[String]) {
    compare_with(python, "oracle.py", programs, ours);
}

fn compare_with(python: Option<String>, script: &str, programs: &[String], ours: fn(&str) -> String) {
    let Some(expected) = oracle(python, script, programs) else { return };
    let differing: Vec<String> = programs
        .iter()
        .zip(&expected)
        .filter_map(|(program, expected)| {
            let given = ours(program);
            // `CPython` has more memory than a budget gives, says otherwise that calls are too deep, and may go on for ever.
            let ended = given.starts_with("too much memory")
                || expected == "NOT OVER"
                || (given.starts_with("too many open calls") && expected.starts_with("RecursionError"));
            (given != *expected && !ended).then(|| format!("{program}\n  gives     {given}\n  CPython's {expected}"))
        })
        .collect();
    assert!(differing.is_empty(), "{} of {} differ:\n{}", differing.len(), programs.len(), differing.join("\n"));
}

#[test]
fn expressions() {
    let lines = include_str!("cpython/expressions.txt").lines();
    // Written by `repr` within the program, so that floats are, too.
    let programs: Vec<String> = lines.map(|line| format!("def f(o):\n    return repr({line})\n")).collect();
    compare(python(), &programs);
}

#[test]
fn programs() {
    let programs: Vec<String> = include_str!("cpython/programs.txt").split("===\n").map(str::to_owned).collect();
    compare(python(), &programs);
}

/// With the import that every program has.
fn with_numpy(text: &str) -> String {
    format!("import numpy as np\n{text}")
}

#[test]
fn numpy_expressions() {
    let lines = include_str!("cpython/numpy.txt").lines();
    let programs: Vec<String> =
        lines.map(|line| with_numpy(&format!("def f(o):\n    return repr({line})\n"))).collect();
    compare(python_with_numpy(), &programs);
}

#[test]
fn numpy_programs() {
    let programs: Vec<String> = include_str!("cpython/numpy_programs.txt").split("===\n").map(with_numpy).collect();
    compare(python_with_numpy(), &programs);
}

/// With the imports that every program has.
fn with_libraries(text: &str) -> String {
    let imports = [
        "import math",
        "from abc import ABC, ABCMeta, abstractmethod",
        "from collections import Counter, OrderedDict, defaultdict, deque, namedtuple",
        "from dataclasses import asdict, astuple, dataclass, field, replace",
        "from enum import Enum, IntEnum, StrEnum, auto, unique",
        "from functools import cache, lru_cache, partial, reduce, total_ordering, wraps",
        "from itertools import accumulate, chain, combinations, combinations_with_replacement, compress, count, cycle, \
        dropwhile, islice, pairwise, permutations, product, repeat, starmap, takewhile, zip_longest",
        "from typing import ClassVar, NamedTuple",
    ];
    format!("{}\n{text}", imports.join("\n"))
}

#[test]
fn library_expressions() {
    let lines = include_str!("cpython/library.txt").lines();
    let programs: Vec<String> =
        lines.map(|line| with_libraries(&format!("def f(o):\n    return repr(({line}))\n"))).collect();
    compare(python(), &programs);
}

#[test]
fn library_programs() {
    let programs: Vec<String> =
        include_str!("cpython/library_programs.txt").split("===\n").map(with_libraries).collect();
    compare(python(), &programs);
}

/// What our tracebacks say.
fn our_traceback(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let found = read(sources.get(id));
    let Some(program) = found.program else { return format!("not read: {:?}", found.diagnostics) };
    let world = World::default();
    let called = Machine::new(&program, &world, Budget::default()).and_then(|mut machine| machine.call("f", &[]));
    match called {
        Ok(given) => format!("nothing was raised: {given:?}"),
        Err(error) => goalspec_reward::traceback(&error, sources.get(id), "program.py"),
    }
}

#[test]
fn tracebacks() {
    let programs: Vec<String> = include_str!("cpython/tracebacks.txt").split("===\n").map(str::to_owned).collect();
    compare_with(python(), "tracebacks.py", &programs, our_traceback);
}

/// A number from the environment, or one of its own.
fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// `GOALSPEC_REWARD_PROGRAMS` and `GOALSPEC_REWARD_SEED` ask for more programs than these few hundred, and for others.
#[test]
fn made_up_programs() {
    const BATCH: u64 = 500;
    let (count, seed) = (number("GOALSPEC_REWARD_PROGRAMS", 400), number("GOALSPEC_REWARD_SEED", 1));
    let seeds: Vec<u64> = (0..count).map(|place| seed.wrapping_mul(1 << 32).wrapping_add(place)).collect();
    for batch in seeds.chunks(BATCH as usize) {
        let programs: Vec<String> = batch.iter().map(|&seed| differential::program(seed)).collect();
        compare(python(), &programs);
        for program in &programs {
            fast_alike(program);
        }
    }
}
