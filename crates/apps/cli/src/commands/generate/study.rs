//! The `goalspec generate study` command.

use std::io::Write;
use std::sync::Arc;

use goalspec::game_generation::study::{SetBalance, Spread, Study, StudyItem, balance_json, item};
use goalspec::library::Library;

use super::{corpus, generation, load_examples, load_games, model, refuse_generation};
use crate::args::StudyArgs;
use crate::output::{CommandError, CommandResult, Output, plural, write_file};

pub(crate) fn run(args: &StudyArgs, output: &mut Output) -> CommandResult {
    let world = args.generator.world.as_ref();
    let mut sets: Vec<(Arc<str>, Library)> = Vec::new();
    for set in &args.sets {
        let library = load_games(std::slice::from_ref(&set.path), world, output)?;
        corpus(&library, std::slice::from_ref(&set.path))?;
        sets.push((set.name.as_str().into(), library));
    }
    let examples = load_examples(&args.corpus, world, output)?;
    let mut examples = corpus(&examples, &args.corpus)?;
    let Some((_, first)) = sets.first() else { return Err(CommandError::Usage("no set of games".to_owned())) };
    if examples.is_empty() {
        examples = goalspec::game_generation::games_of(first);
    }
    let mut generation = generation(&examples, world, (first, &args.generator.options()), output)?;
    let judge = generation.judge(model(args.model.as_deref(), output)?);
    let mut items: Vec<StudyItem> = Vec::new();
    for (name, library) in &sets {
        for game in goalspec::game_generation::games_of(library) {
            items.push(item(&mut generation, &judge, name, &game).map_err(|error| refuse_generation(&error))?);
        }
    }
    let study = Study::new(items, args.seed);
    std::fs::create_dir_all(&args.output).map_err(|error| CommandError::File(args.output.clone(), error))?;
    write_file(&args.output.join("sheet.csv"), &study.sheet_csv())?;
    write_file(&args.output.join("sheet.html"), &study.sheet_html(&args.title))?;
    write_file(&args.output.join("key.csv"), &study.key_csv())?;
    let balance = study.balance();
    if args.report.is_json() {
        writeln!(output, "{:#}", balance_json(&balance))?;
    } else {
        table(&balance, output)?;
    }
    let (games, folder) = (plural(study.items.len(), "game"), args.output.display());
    output.note(&format!("{games}: `sheet.csv`, `sheet.html` and `key.csv` in {folder}"));
    Ok(true)
}

fn table(balance: &[SetBalance], output: &mut Output) -> std::io::Result<()> {
    let text = |spread: Spread| format!("{:.2} ({:.2})", spread.mean, spread.deviation);
    writeln!(output, "{:<16} {:>5} {:>17} {:>17} {:>15}", "set", "games", "nodes", "words", "fitness")?;
    balance.iter().try_for_each(|own| {
        let [nodes, words, fitness] = [own.nodes, own.words, own.fitness].map(text);
        writeln!(output, "{:<16} {:>5} {nodes:>17} {words:>17} {fitness:>15}", own.set, own.games)
    })
}
