//! The `goalspec generate fit` command.

use std::io::Write;

use goalspec::game_generation::fitting::{FittedModel, fit};
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::generation::game::training::{FitOptions, Separation};

use super::{corpus, generation, load_examples, refuse};
use crate::args::FitArgs;
use crate::output::{CommandResult, Output, write_file};
use crate::progress::Progress;
use crate::threads::thread_pool;

pub(crate) fn run(args: &FitArgs, output: &mut Output) -> CommandResult {
    let world = args.world.as_ref();
    let library = load_examples(&args.corpus, world, output)?;
    let games = corpus(&library, &args.corpus)?;
    let generation = generation(&games, world, (&library, &GeneratorOptions::default()), output)?;
    let options = FitOptions {
        seed: args.seed,
        negatives: args.negatives.into(),
        regrowths: args.regrowths,
        folds: args.folds,
        penalty: args.penalty,
        ..FitOptions::default()
    };
    let pool = thread_pool(args.threads)?;
    let progress = Progress::analysis();
    progress.set_message(|| "fitting".to_owned());
    let fitted = pool.install(|| fit(&generation, &options)).map_err(|error| refuse(&error))?;
    progress.finish();
    write_file(&args.output, &format!("{:#}\n", fitted.json()))?;
    let file = args.output.display().to_string();
    if args.report.is_json() {
        writeln!(output, "{:#}", fitted.document(&file))?;
        return Ok(true);
    }
    text(&fitted, &file, output)?;
    Ok(true)
}

fn text(fitted: &FittedModel, file: &str, output: &mut Output) -> std::io::Result<()> {
    let report = &fitted.report;
    writeln!(output, "{} games, {} regrowths, {} folds", report.games, report.regrowths, report.folds)?;
    let mut row = |name: &str, Separation { auc, above_own }: Separation| {
        writeln!(output, "  {name:32} AUC {auc:.3}, above own regrowths {above_own:.3}")
    };
    row("held-out games", report.held_out)?;
    row("the same, counted by n-grams", report.counted)?;
    row("training games", report.training)?;
    writeln!(output, "mean energy of regrowths minus that of their games, held out:")?;
    for group in &report.groups {
        // A difference that rounds to zero has no sign.
        let hundredths = (group.difference * 100.0).round() + 0.0;
        writeln!(output, "  {:32} {:+.2}", group.group, hundredths / 100.0)?;
    }
    writeln!(output, "the model is in `{file}`")
}
