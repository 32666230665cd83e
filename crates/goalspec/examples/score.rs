//! Scores a game over a trace, both in memory.

use goalspec::examples::Example;
use goalspec::library::{Library, LibraryOptions};
use goalspec::program::Program;
use goalspec::scoring::{ScoringOptions, score};
use goalspec::trace::TraceInput;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The texts may come from anywhere: here, a game of making tea, its world and a recorded play.
    let example = Example::named("make-tea")?;
    let library = Library::from_texts(example.programs(), LibraryOptions::default());
    assert_eq!(library.diagnostics(), []);

    let (name, trace) = example.traces().next().ok_or("it has a trace")?;
    let input = TraceInput::Bytes(name.into(), trace.as_bytes().into());
    let programs: Vec<&Program> = library.programs().iter().collect();
    let result = score(&programs, &input, &ScoringOptions::default(), &|_| ());
    for outcome in &result.outcomes {
        println!("{}: {}", outcome.program, outcome.report.score().map_err(Clone::clone)?);
    }
    assert_eq!(result.outcomes[0].report.score(), Ok(13.0));
    Ok(())
}
