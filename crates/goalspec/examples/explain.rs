//! Explains why a preference of a game was not satisfied.

use goalspec::library::{Library, LibraryOptions};
use goalspec::report::ProgramReport;
use goalspec::scoring::{ScoringOptions, score};
use goalspec::trace::TraceInput;

const WORLD: &str = "name = \"yard\"\n[types]\nball = {}\n[objects]\nball = { type = \"ball\", name = \"ball\" }\n\
    [predicates]\nheld = { parameters = \"?b - ball\", stored = true }\nin_bin = { parameters = \"?b - ball\", stored = true }\n";
const GAME: &str = "(define (game toss) (:domain yard)
    (:constraints (preference thrown (exists (?b - ball) (then (once (held ?b)) (hold (not (held ?b))) (once (in_bin ?b))))))
    (:scoring (count thrown)))";
const TRACE: &str = r#"{"format":"goalspec-trace","version":1,"world":"yard"}
{"set":{"ball":{}},"facts":[["held","ball"]]}
{"not":[["held","ball"]]}
{"facts":[["held","ball"]]}
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::from_texts([("yard.world.toml", WORLD), ("toss.game", GAME)], LibraryOptions::default());
    let options = ScoringOptions { explain: true, ..ScoringOptions::default() };
    let input = TraceInput::Bytes("play.jsonl".into(), TRACE.as_bytes().into());
    let result = score(&[&library.programs()[0]], &input, &options, &|_| ());
    let ProgramReport::Game(report) = &result.outcomes[0].report else { unreachable!("it is a game") };
    let attempt = report.preferences[0].attempt.as_ref().ok_or("the preference was satisfied")?;
    println!("the best attempt began in state {} and failed in state {}:", attempt.start, attempt.failed_at);
    for evidence in &attempt.evidence {
        println!("    {} was {}", evidence.condition, evidence.value);
    }
    Ok(())
}
