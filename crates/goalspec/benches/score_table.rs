//! Scores of many short traces as rows of a table, on one thread: `cargo bench -p goalspec --bench score_table -- 1000000`.

#![allow(missing_docs, reason = "a program")]

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use goalspec::library::{Library, LibraryOptions};
use goalspec::scoring::table::{TableBatch, TableOptions, TableScorer};
use goalspec::table::Cell;
use goalspec::trace::{StateColumns, TraceInput};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of states of a trace.
const STATES: usize = 12;

const WORLD: &str = r#"
name = "corridor"
[types]
robot = {}
[objects]
robot = { type = "robot", name = "robot" }
[attributes]
place = { kind = "real", of = "robot" }
speed = { kind = "real", of = "robot" }
[functions]
place = { parameters = "?r - robot", attribute = "place" }
speed = { parameters = "?r - robot", attribute = "speed" }
"#;

const GAME: &str = "
(define (game walks) (:domain corridor)
    (:constraints (and
        (preference arrives (exists (?r - robot)
            (then (once (< (place ?r) 1)) (hold (> (speed ?r) 0)) (once (>= (place ?r) 5)))))
        (preference rests (exists (?r - robot) (at-end (= (speed ?r) 0))))))
    (:scoring (+ (* 10 (count arrives)) (count rests))))
";

/// The place and the speed of a robot in each state of a trace.
fn states(key: u64) -> [f64; 2 * STATES] {
    let speed = (key % 7) as f64 / 8.0;
    let mut states = [0.0; 2 * STATES];
    for (state, row) in states.chunks_exact_mut(2).enumerate() {
        row[0] = speed * state as f64;
        row[1] = if state < STATES - (key % 3) as usize { speed } else { 0.0 };
    }
    states
}

fn text(states: &[f64]) -> String {
    let mut text = "{\"format\":\"goalspec-trace\",\"version\":1,\"world\":\"corridor\"}\n".to_owned();
    for row in states.chunks_exact(2) {
        let _ = writeln!(text, "{{\"set\":{{\"robot\":{{\"place\":{},\"speed\":{}}}}}}}", row[0], row[1]);
    }
    text
}

/// Returns the time for scoring the traces and the sum of the scores.
fn run(batch: &TableBatch<'_>, count: u64, open: impl Fn(&str, &[f64]) -> TraceInput) -> (Duration, f64) {
    let (mut spent, mut total) = (Duration::ZERO, 0.0);
    for key in 0..count {
        let (name, states) = (key.to_string(), states(key));
        let text = open(&name, &states);
        let begin = Instant::now();
        let rows = batch.score(&name, || Ok(text), &|_| {});
        spent += begin.elapsed();
        let Cell::Float(score) = rows[0][2] else { panic!("{rows:?}") };
        total += score;
    }
    (spent, total)
}

fn main() {
    let count = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let files =
        [("corridor.world.toml", WORLD), ("walks.game", GAME)].map(|(name, text)| (name.to_owned(), text.to_owned()));
    let library = Arc::new(Library::from_texts(files, LibraryOptions::default()));
    let scorer = TableScorer::new(Arc::clone(&library), &[0], TableOptions::default()).expect("the program is right");
    let batch = scorer.batch();
    let world = batch.world_of_table(None).expect("there is one world");
    let columns = StateColumns::new(world, &["robot.place", "robot.speed"]).expect("the names are right");
    let in_memory = |name: &str, states: &[f64]| {
        TraceInput::Trace(name.into(), Arc::new(columns.trace(world, states).expect("the numbers are finite")))
    };
    let as_text = |name: &str, states: &[f64]| TraceInput::Bytes(name.into(), text(states).into_bytes().into());
    println!("{count} traces of {STATES} states, one thread");
    let mut totals = Vec::new();
    for (form, (spent, total)) in [("in memory", run(&batch, count, in_memory)), ("texts", run(&batch, count, as_text))]
    {
        let each = spent.as_secs_f64() / count as f64;
        println!("  {form}: {:.2} us per trace; 1e9 traces take {:.1} core hours", each * 1e6, each * 1e9 / 3600.0);
        totals.push(total.to_bits());
    }
    assert_eq!(totals[0], totals[1], "the sums of the scores");
}
