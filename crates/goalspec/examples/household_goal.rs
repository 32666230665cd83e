//! Follows the progress towards the goal of a household activity.

use goalspec::core::state::Delta;
use goalspec::examples::Example;
use goalspec::library::{Library, LibraryOptions};
use goalspec::monitoring::CompiledProgram;
use goalspec::report::ProgramVerdict;
use goalspec::scoring::ScoringOptions;
use goalspec::trace::{ReadOptions, TraceReader, from_reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let example = Example::named("watering-the-garden")?;
    let library = Library::from_texts(example.programs(), LibraryOptions::default());
    let (_, trace) = example.traces().next().ok_or("it has a trace")?;
    let program = CompiledProgram::new(&library.programs()[0], &ScoringOptions::default())?;
    let mut monitor = program.monitor();
    let mut reader = from_reader(trace.as_bytes(), program.world(), &ReadOptions::default())?;
    let mut delta = Delta::default();
    while reader.next(&mut delta)? {
        if let ProgramVerdict::Goal { verdict, progress, .. } = monitor.step(&delta, false)? {
            println!(
                "state {}: {:.0} %, {} conjuncts hold",
                monitor.steps(),
                progress * 100.0,
                verdict.conjuncts.count_ones(..)
            );
        }
    }
    assert_eq!(monitor.finish().score(), Ok(0.6));
    Ok(())
}
