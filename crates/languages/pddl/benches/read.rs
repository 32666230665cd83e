//! Benchmarks of parsing, lowering and formatting.
//!
//! The inputs are the tasks of the planning competitions, if present, and a generated problem.

#[path = "../tests/common/mod.rs"]
mod common;

use std::fmt::Write as _;

use divan::Bencher;
use goalspec_pddl::{check, format, parse};
use goalspec_syntax::SourceFile;
use goalspec_testing::texts;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const DOMAIN: &str = "(define (domain d) (:requirements :typing) (:types t) (:predicates (p ?x ?y - t))
    (:action a :parameters (?x ?y - t) :precondition (p ?x ?y) :effect (p ?y ?x)))";

fn main() {
    divan::main();
}

/// Returns the domains and problems of the planning competitions.
fn tasks() -> Vec<[SourceFile; 2]> {
    let pairs = common::competition().unwrap_or_default();
    pairs.iter().map(|pair| [&pair.domain, &pair.problem].map(|text| texts::source(&pair.name, text))).collect()
}

/// Generates a problem with `objects` objects and ten times as many facts.
fn large(objects: usize) -> SourceFile {
    let mut text = format!("{DOMAIN}(define (problem x) (:domain d) (:goal (p o0 o1)) (:objects");
    let names = (0..objects).map(|index| format!(" o{index}"));
    text.extend(names);
    text.push_str(" - t) (:init");
    for index in 0..10 * objects {
        // Writing to a string cannot fail.
        let _ = write!(text, " (p o{} o{})", index % objects, (index + index / objects) % objects);
    }
    texts::source("large.pddl", &(text + "))"))
}

#[divan::bench]
fn competition_parsed(bencher: Bencher) {
    let tasks = tasks();
    bencher.bench(|| tasks.iter().flatten().map(|source| parse(source).diagnostics.len()).sum::<usize>());
}

#[divan::bench]
fn competition_checked_and_lowered(bencher: Bencher) {
    let tasks = tasks();
    let parsed: Vec<_> = tasks.iter().map(|[domain, problem]| (parse(domain), parse(problem))).collect();
    bencher.bench(|| {
        let lowered = parsed.iter().map(|(domain, problem)| {
            check::problem(&problem.problems[0], &check::domain(&domain.domains[0])).task.is_some()
        });
        lowered.filter(|done| *done).count()
    });
}

#[divan::bench]
fn competition_laid_out(bencher: Bencher) {
    let tasks = tasks();
    bencher.bench(|| tasks.iter().flatten().map(|source| format::format(source).len()).sum::<usize>());
}

#[divan::bench(args = [10, 1_000, 100_000])]
fn large_read_and_lowered(bencher: Bencher, objects: usize) {
    let source = large(objects);
    bencher.bench(|| {
        let parsed = parse(&source);
        check::problem(&parsed.problems[0], &check::domain(&parsed.domains[0])).task.is_some()
    });
}
