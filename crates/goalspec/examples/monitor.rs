//! Monitors a game state by state and uses its reward, as an environment of a reinforcement learner does.

use std::thread;

use goalspec::core::state::{Delta, FactChange};
use goalspec::library::{Library, LibraryOptions};
use goalspec::monitoring::CompiledProgram;
use goalspec::scoring::ScoringOptions;

const WORLD: &str = "name = \"yard\"\n[types]\nball = {}\n[objects]\nball = { type = \"ball\", name = \"ball\" }\n\
    [predicates]\nheld = { parameters = \"?b - ball\", stored = true }\n";
const GAME: &str = "(define (game toss) (:domain yard)
    (:constraints (preference released (exists (?b - ball) (then (once (held ?b)) (once (not (held ?b)))))))
    (:scoring (* 10 (count released))))";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::from_texts([("yard.world.toml", WORLD), ("toss.game", GAME)], LibraryOptions::default());
    let program = CompiledProgram::new(&library.programs()[0], &ScoringOptions::default())?;
    let world = program.world();
    let held = world.predicate_named("held").ok_or("the world has it")?;
    let ball = world.object_named("ball").ok_or("the world has it")?;
    let mut monitor = program.monitor();
    // A monitor owns everything it uses, so it may live on another thread.
    let handle = thread::spawn(move || -> Result<f64, String> {
        let mut features = vec![0.0; monitor.program().feature_names().len()];
        for (index, holds) in [(0, true), (1, false), (2, true), (3, false)] {
            let fact = FactChange { predicate: held, arguments: [ball].into_iter().collect(), holds };
            let delta = Delta { index, clock: index, facts: vec![fact], ..Delta::default() };
            let verdict = monitor.step(&delta, index == 3).map_err(|error| error.message)?;
            monitor.features(&mut features);
            println!("reward {}, features {features:?}", verdict.reward());
        }
        monitor.finish().score().map_err(ToString::to_string)
    });
    assert_eq!(handle.join().map_err(|_| "the thread panicked")?, Ok(20.0));
    Ok(())
}
