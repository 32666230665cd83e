//! `goalspec simulate`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use goalspec::core::resource::game::Game;
use goalspec::simulate::players::Players;
use goalspec::simulate::summary::Overview;
use goalspec::simulate::{Ready, record};
use goalspec::simulator::episode::{Episode, Games, Player};
use goalspec::simulator::statistics::interval::{Interval, Level};
use goalspec::simulator::trace::TraceWriter;

use crate::args::{ActivityArgs, BoundsRule, ResourceArgs, SimulateArgs, Simulations};
use crate::loading::Found;
use crate::output::{Failure, Outcome, Output, plural, spare, width};
use crate::progress::Progress;

/// Games that are played between two looks at the clock.
const ROUND: u64 = 4096;

pub(crate) fn run(args: &SimulateArgs, output: &mut Output) -> Outcome {
    if let Some(trace) = &args.trace {
        spare(trace, std::iter::once(&args.game))?;
    }
    let resource = args.resource.with_rule(args.bounds.map(BoundsRule::rule));
    let Some(ready) = load(&args.game, &resource, output)? else { return Ok(false) };
    let game = ready.simulator.game().clone();
    let players = Players::new(&game, &args.policies).map_err(Failure::Usage)?;
    let mut overview = Overview::new(&game);
    let mut see = |episode: &Episode, output: &mut Output| -> std::io::Result<()> {
        overview.add(&game, episode);
        match args.format {
            Simulations::Jsonl => writeln!(output, "{}", record::episode(&game, episode)),
            Simulations::Text | Simulations::Json => Ok(()),
        }
    };
    match &args.trace {
        Some(path) => traced(args, &ready, &players, path, |episode| see(episode, output))?,
        None => played(args, &ready, &players, |episode| see(episode, output))?,
    }
    match args.format {
        Simulations::Text => text(&game, &overview, output)?,
        Simulations::Json => writeln!(output, "{:#}", overview.json())?,
        Simulations::Jsonl => {}
    }
    Ok(overview.failed == 0)
}

/// The game of a file, ready to be played; `None` if it has errors, which have been reported.
pub(crate) fn load(path: &Path, resource: &ResourceArgs, output: &Output) -> Result<Option<Ready>, Failure> {
    let loaded = Found::new(&[path.to_owned()]).load(&ActivityArgs::for_games(resource))?;
    if !loaded.report(output) {
        return Ok(None);
    }
    let library = &loaded.library;
    let ready = library.programs().iter().find_map(|program| Ready::new(program, library.custom()).transpose());
    match ready {
        Some(Ok(ready)) => Ok(Some(ready)),
        Some(Err(diagnostic)) => {
            output.report(&[*diagnostic], loaded.library.sources());
            Ok(None)
        }
        None => Err(Failure::Usage(format!("`{}` is no resource graph game", path.display()))),
    }
}

/// Plays the games, several at a time.
fn played(
    args: &SimulateArgs,
    ready: &Ready,
    players: &Players,
    mut see: impl FnMut(&Episode) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let progress = Progress::games(args.games);
    let jobs = args.jobs.map_or(0, usize::from);
    let last = args.first.saturating_add(args.games);
    let mut first = args.first;
    while first < last {
        let count = ROUND.min(last - first);
        let games = Games { seed: args.seed, first, count, max_turns: args.max_turns, jobs };
        let episodes = games
            .play(&ready.simulator, || players.policies())
            .map_err(|error| Failure::Usage(format!("the threads cannot be started: {error}")))?;
        for episode in &episodes {
            see(episode)?;
        }
        progress.add(count);
        first += count;
    }
    progress.finish();
    Ok(())
}

/// Plays the games one after the other and writes every turn.
fn traced(
    args: &SimulateArgs,
    ready: &Ready,
    players: &Players,
    path: &Path,
    mut see: impl FnMut(&Episode) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let file = File::create(path).map_err(|error| Failure::File(path.to_owned(), error))?;
    let mut writer = TraceWriter::new(BufWriter::new(file));
    let mut player = Player::new(&ready.simulator, args.max_turns);
    let mut policies = players.policies();
    let progress = Progress::games(args.games);
    for index in args.first..args.first.saturating_add(args.games) {
        see(&player.play_watched(args.seed, index, &mut policies, &mut writer))?;
        progress.add(1);
    }
    progress.finish();
    writer.finish().map(drop).map_err(|error| Failure::File(path.to_owned(), error))
}

fn text(game: &Game, overview: &Overview, output: &mut Output) -> std::io::Result<()> {
    writeln!(output, "{}: {}", game.name, plural(usize::try_from(overview.games).unwrap_or(usize::MAX), "game"))?;
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width());
    table.set_header(["", "mean", "± 95%", "sd", "least", "median", "greatest"]);
    for (what, name, summary) in overview.rows() {
        let label = if name.is_empty() { what.to_owned() } else { format!("{what} {name}") };
        let moments = summary.moments();
        if moments.count() > 0 {
            let number = |number: Option<f64>| number.map_or(String::new(), shown);
            let half = summary.mean_interval(Level::default()).map(Interval::half_width);
            let median = summary.counts().quantiles(&[0.5])[0];
            let cells = [moments.mean(), half, moments.deviation(), moments.least(), median, moments.greatest()];
            table.add_row(std::iter::once(label.clone()).chain(cells.into_iter().map(number)));
        }
        let [wrong, right] = summary.truths();
        if wrong + right > 0 {
            table.add_row([label.clone(), format!("true {right}, false {wrong}")]);
        }
        if let Some(texts) = summary.texts().filter(|texts| texts.len() > 0) {
            let texts: Vec<String> = texts.map(|(text, count)| format!("{text} {count}")).collect();
            table.add_row([label, texts.join(", ")]);
        }
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(output, "{table}")?;
    let remarks =
        [(overview.truncated, "had as many turns as they may (see --max-turns)"), (overview.failed, "failed")];
    for (count, what) in remarks.iter().filter(|(count, _)| *count > 0) {
        writeln!(output, "{count} of the games {what}")?;
    }
    if let Some(trouble) = &overview.trouble {
        writeln!(output, "the first failure: {trouble}")?;
    }
    if overview.outside > 0 {
        writeln!(output, "values left their declared spaces {} times", overview.outside)?;
    }
    Ok(())
}

/// A number with four digits that count, or as it is if it is whole.
pub(crate) fn shown(number: f64) -> String {
    let whole = number.fract() == 0.0 && number.abs() < 1e15;
    if whole {
        // There is no negative 0 for people.
        format!("{:.0}", number + 0.0)
    } else if number.abs() >= 1000.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.4}")
    }
}
