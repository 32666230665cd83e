//! The `goalspec generate fitness` command.

use std::io::Write;

use goalspec::game_generation::judgement::{CorpusJudge, CorpusRange, FeaturePart, GameJudgement, document, read_all};
use goalspec::game_generation::{GameGeneration, NamedGame, only_world};
use goalspec::generation::fitness::FitnessModel;
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::library::Library;
use serde_json::Value;

use super::{corpus, load_examples, model, named_world, read_evidence, refuse_generation};
use crate::args::FitnessArgs;
use crate::output::{CommandError, CommandResult, Output};

/// The smallest difference to the fitness that the text lists.
const LISTED: f64 = 0.005;

/// The maximum number of features that the text lists.
const MAX_LISTED: usize = 12;

pub(crate) fn run(args: &FitnessArgs, output: &mut Output) -> CommandResult {
    let library = load_examples(&args.games, args.world.as_ref(), output)?;
    let games = corpus(&library, &args.games)?;
    let others = load_examples(&args.corpus, args.world.as_ref(), output)?;
    let others = corpus(&others, &args.corpus)?;
    let examples = if others.is_empty() { &games } else { &others };
    let model = model(args.model.as_deref(), output)?;
    let mut documents = Vec::new();
    for group in by_world(&games, args.world.is_some()) {
        documents.push(judge(args, &group, (examples, &library), &model, output)?);
    }
    if args.report.is_json() {
        writeln!(output, "{:#}", Value::Array(documents))?;
    }
    Ok(true)
}

/// Returns the games of each world; all games together if the world is named.
fn by_world<'l>(games: &[NamedGame<'l>], is_named: bool) -> Vec<Vec<NamedGame<'l>>> {
    let mut groups: Vec<Vec<NamedGame<'l>>> = Vec::new();
    let is_same = |one: &NamedGame<'_>, other: &NamedGame<'_>| match (&one.world, &other.world) {
        (Some(one), Some(other)) => one.name() == other.name() && one.has_same_vocabulary(other),
        (one, other) => one.is_none() && other.is_none(),
    };
    for game in games {
        match groups.iter_mut().find(|group| is_named || is_same(&group[0], game)) {
            Some(group) => group.push(game.clone()),
            None => groups.push(vec![game.clone()]),
        }
    }
    groups
}

/// Judges games of one world. Returns the document about them; with the text format, they are printed.
fn judge(
    args: &FitnessArgs,
    games: &[NamedGame<'_>],
    (examples, library): (&[NamedGame<'_>], &Library),
    model: &FitnessModel,
    output: &mut Output,
) -> Result<Value, CommandError> {
    let world = match &args.world {
        Some(name) => named_world(name, library, output)?,
        None => only_world(games).map_err(|error| refuse_generation(&error))?,
    };
    let options = GeneratorOptions::default();
    let mut generation = GameGeneration::new(&world, examples, &options).map_err(|error| refuse_generation(&error))?;
    let trees = read_all(&mut generation, games).map_err(|error| refuse_generation(&error))?;
    let mut judge = generation.judge(model.clone());
    judge.evidence = read_evidence(args.evidence.as_deref(), output)?.map(|shown| generation.evidence(&shown));
    let judge = CorpusJudge::new(&generation, judge);
    let judged: Vec<GameJudgement> = trees.iter().map(|(name, tree)| judge.judge(name, tree)).collect();
    if !args.report.is_json() {
        text(args, &judged, judge.corpus_fitness(), output)?;
    }
    Ok(document(world.name(), judge.corpus_fitness(), &judged, args.explain))
}

fn text(
    args: &FitnessArgs,
    games: &[GameJudgement],
    corpus: Option<CorpusRange>,
    output: &mut Output,
) -> std::io::Result<()> {
    for game in games {
        write!(output, "{}: fitness {:.2}", game.name, game.evaluation.fitness)?;
        if let Some(held_out) = game.held_out {
            write!(output, ", {held_out:.2} without itself in the corpus")?;
        }
        writeln!(output)?;
        if args.explain {
            explain(&game.parts, output)?;
        }
    }
    match corpus {
        Some(range) => writeln!(output, "corpus: fitness {:.2} to {:.2}, mean {:.2}", range.min, range.max, range.mean),
        None => Ok(()),
    }
}

/// Lists the features that moved the fitness most.
fn explain(parts: &[FeaturePart], output: &mut Output) -> std::io::Result<()> {
    let moved: Vec<&FeaturePart> = parts.iter().filter(|part| part.moved.abs() >= LISTED).collect();
    let width = moved.iter().take(MAX_LISTED).map(|part| part.name.len()).max().unwrap_or_default();
    for part in moved.iter().take(MAX_LISTED) {
        write!(output, "  {:+6.2}  {:width$}  {:.2}", part.moved, part.name, part.value)?;
        if let Some(range) = part.corpus {
            write!(output, ", corpus {:.2} to {:.2}, mean {:.2}", range.min, range.max, range.mean)?;
        }
        writeln!(output)?;
    }
    let rest = moved.len().saturating_sub(MAX_LISTED);
    if rest > 0 {
        let sum: f64 = moved[MAX_LISTED..].iter().map(|part| part.moved).sum();
        writeln!(output, "  {sum:+6.2}  {rest} further features")?;
    }
    Ok(())
}
