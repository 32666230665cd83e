//! Builds a trace from columns of numbers and scores it, without a file or a text.

use std::sync::Arc;

use goalspec::library::{Library, LibraryOptions};
use goalspec::scoring::{ScoringOptions, score};
use goalspec::trace::StateColumns;
use goalspec::trace::TraceInput;

const WORLD: &str = "name = \"track\"\n[types]\nrunner = {}\n[objects]\nann = { type = \"runner\", name = \"ann\" }\n\
    [attributes]\nposition = { kind = \"vec3\", of = \"runner\", required = true }\n\
    [predicates]\nfinished = { parameters = \"?r - runner\", stored = true }\n\
    [functions]\nfar = { parameters = \"?a ?b - runner\", operation = \"distance\" }\n";
const GAME: &str = "(define (game race) (:domain track)
    (:constraints (preference done (at-end (finished ann))))
    (:scoring (* 100 (count done))))";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::from_texts([("track.world.toml", WORLD), ("race.game", GAME)], LibraryOptions::default());
    let world = library.all_worlds().remove(0);
    let names = ["ann.position.x", "ann.position.y", "ann.position.z", "(finished ann)"];
    let columns = StateColumns::new(&world, &names)?;
    let states = [[0.0, 0.0, 0.0, 0.0], [60.0, 0.0, 0.0, 0.0], [100.0, 0.0, 0.0, 1.0]];
    let trace = columns.trace(&world, states.as_flattened())?;
    let input = TraceInput::Trace("race".into(), Arc::new(trace));
    let result = score(&[&library.programs()[0]], &input, &ScoringOptions::default(), &|_| ());
    assert_eq!(result.outcomes[0].report.score(), Ok(100.0));
    println!("score {}", result.outcomes[0].report.score().map_err(Clone::clone)?);

    let error = StateColumns::new(&world, &["anna.position.x"]).expect_err("there is no such object");
    println!("{error}");
    Ok(())
}
