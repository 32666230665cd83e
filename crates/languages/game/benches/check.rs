//! Benchmarks of parsing, checking and formatting a program.
//!
//! The program is one of this project, repeated to the size of the published corpus of 98 games.

#[path = "../tests/common/mod.rs"]
mod common;

use divan::Bencher;
use goalspec_game::{Dialect, check, format, parse};
use goalspec_syntax::{SourceFile, Sources};

fn main() {
    divan::main();
}

const GAME: &str = "(define (game demo) (:domain medium-objects-room-v1)
(:setup (and
    (exists (?h - hexagonal_bin) (game-conserved (adjacent ?h bed)))
    (forall (?o - (either teddy_bear pillow)) (game-optional (not (on bed ?o))))
))
(:constraints (and
    (forall (?b - ball)
        (preference throwBall
            (exists (?h - hexagonal_bin)
                (then
                    (once (and (agent_holds ?b) (adjacent desk agent) (> (distance agent ?h) 2)))
                    (hold-while (and (not (agent_holds ?b)) (in_motion ?b)) (touch floor ?b))
                    (once (and (not (in_motion ?b)) (in ?h ?b)))
                )
            )
        )
    )
    (preference stacked
        (exists (?a ?b ?c - cube_block)
            (at-end (and (on ?a ?b) (on ?b ?c) (not (exists (?o - game_object) (on ?c ?o)))))
        )
    )
))
(:terminal (or (>= (total-time) 300) (>= (count throwBall) 10)))
(:scoring (+ (* 10 (count throwBall:dodgeball)) (* 20 (count throwBall:basketball)) (count-once-per-objects stacked)))
)
";

fn games() -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add("games", GAME.repeat(98));
    sources.file(id).clone()
}

#[divan::bench]
fn tree(bencher: Bencher) {
    let source = games();
    bencher.bench(|| goalspec_syntax::sexp::parse(&source));
}

#[divan::bench]
fn parsed(bencher: Bencher) {
    let source = games();
    bencher.bench(|| parse::parse(&source));
}

#[divan::bench]
fn checked(bencher: Bencher) {
    let source = games();
    bencher.bench(|| check(&source, Dialect::FORMAL, |_| None));
}

#[divan::bench]
fn formatted(bencher: Bencher) {
    let source = games();
    bencher.bench(|| format::format(&source));
}

/// The published corpus of games written by participants, if it is available.
#[divan::bench]
fn checked_published(bencher: Bencher) {
    let programs = common::programs().unwrap_or_default();
    let Some((_, text)) = programs.iter().find(|(path, _)| path.ends_with("interactive-beta.pddl")) else { return };
    let source = goalspec_testing::texts::source("games", text);
    bencher.bench(|| check(&source, Dialect::FORMAL, |_| None));
}
