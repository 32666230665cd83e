//! Steps the monitors of a thousand environments in one call, from a matrix of numbers.

use goalspec::library::{Library, LibraryOptions};
use goalspec::monitoring::CompiledProgram;
use goalspec::monitoring::batch::{BatchStep, MonitorBatch};
use goalspec::scoring::ScoringOptions;
use goalspec::trace::StateColumns;

const WORLD: &str = "name = \"tank\"\n[types]\ntank = {}\n[objects]\ntank = { type = \"tank\", name = \"tank\" }\n\
    [attributes]\nlevel = { kind = \"real\", of = \"tank\", required = true }\n\
    [functions]\nlevel = { parameters = \"?t - tank\", attribute = \"level\" }\n";
const GAME: &str = "(define (game fill) (:domain tank)
    (:constraints (preference filled (exists (?t - tank) (then (once (< (level ?t) 1)) (once (>= (level ?t) 1))))))
    (:terminal (>= (count filled) 2))
    (:scoring (count filled)))";
const ENVIRONMENTS: usize = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::from_texts([("tank.world.toml", WORLD), ("fill.game", GAME)], LibraryOptions::default());
    let program = CompiledProgram::new(&library.programs()[0], &ScoringOptions::default())?;
    let columns = StateColumns::new(program.world(), &["tank.level"])?;
    let mut batch = MonitorBatch::new(&program, columns, ENVIRONMENTS);
    let (mut step, last) = (BatchStep::default(), [false; ENVIRONMENTS]);
    let mut total = 0.0;
    for time in 0..20 {
        // Environment e fills up in e % 7 + 2 steps.
        let levels: Vec<f64> =
            (0..ENVIRONMENTS).map(|e| f64::from(u8::from(time % (e % 7 + 2) == e % 7 + 1))).collect();
        batch.step(&levels, &last, &mut step)?;
        total += step.rewards.iter().sum::<f64>();
        (0..ENVIRONMENTS)
            .filter(|&environment| step.done[environment])
            .for_each(|environment| batch.reset(environment));
    }
    println!("total reward of {ENVIRONMENTS} environments: {total}");
    assert!(total > 0.0);
    Ok(())
}
