//! Steps of the monitors of 1,024 environments in one call, on one thread: `cargo bench -p goalspec --bench environments`.
//!
//! The preference has three operators over ten things. In each step, the columns of one thing change in each environment, or those of all.
//! An item is the step of one environment.

#![allow(missing_docs, reason = "a program")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec::library::{Library, LibraryOptions};
use goalspec::monitoring::CompiledProgram;
use goalspec::monitoring::batch::{BatchStep, MonitorBatch};
use goalspec::scoring::ScoringOptions;
use goalspec::trace::StateColumns;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ENVIRONMENTS: usize = 1024;
const THINGS: usize = 10;
/// The steps of a sample.
const STEPS: usize = 64;

const GAME: &str = "
(define (game lifts) (:domain shelf)
    (:constraints (and
        (preference lifted (exists (?t - thing)
            (then (once (< (height ?t) 1)) (hold (> (height ?t) 1)) (once (> (height ?t) 9)))))))
    (:scoring (count lifted)))
";

fn main() {
    divan::main();
}

fn world() -> String {
    let objects: Vec<String> =
        (0..THINGS).map(|thing| format!("t{thing} = {{ type = \"thing\", name = \"t{thing}\" }}\n")).collect();
    format!(
        "name = \"shelf\"\n[types]\nthing = {{}}\n[objects]\n{}[attributes]\nheight = {{ kind = \"real\", of = \"thing\", required = true }}\n\
         [functions]\nheight = {{ parameters = \"?t - thing\", attribute = \"height\" }}\n",
        objects.concat()
    )
}

/// The heights of the things of all environments in each step: those of `changes` things at a time change.
fn states(changes: usize) -> Vec<Vec<f64>> {
    let mut heights = vec![0.0; ENVIRONMENTS * THINGS];
    let steps = (0..STEPS).map(|step| {
        for environment in 0..ENVIRONMENTS {
            for change in 0..changes {
                let thing = (step + environment + change) % THINGS;
                heights[environment * THINGS + thing] = ((step * 7 + environment * 3 + thing) % 11) as f64;
            }
        }
        heights.clone()
    });
    steps.collect()
}

#[divan::bench(args = [1, THINGS])]
fn things_that_change(bencher: Bencher<'_, '_>, changes: usize) {
    let files = [("shelf.world.toml".to_owned(), world()), ("lifts.game".to_owned(), GAME.to_owned())];
    let library = Library::from_texts(files, LibraryOptions::default());
    let program =
        CompiledProgram::new(&library.programs()[0], &ScoringOptions::default()).expect("the program is right");
    let names: Vec<String> = (0..THINGS).map(|thing| format!("t{thing}.height")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let columns = StateColumns::new(program.world(), &names).expect("the names are right");
    let mut batch = MonitorBatch::new(&program, columns, ENVIRONMENTS);
    let (states, last) = (states(changes), [false; ENVIRONMENTS]);
    let mut step = BatchStep::default();
    bencher.counter(ItemsCount::new(ENVIRONMENTS * STEPS)).bench_local(|| {
        for state in &states {
            batch.step(black_box(state), &last, &mut step).expect("the numbers are finite");
        }
        for environment in 0..ENVIRONMENTS {
            batch.reset(environment);
        }
    });
}
