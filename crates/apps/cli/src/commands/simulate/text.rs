//! Results of simulations as tables.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use goalspec::resource::game::Game;
use goalspec::resource::value::Value;
use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::metadata::ReportMetadata;
use goalspec::simulation::summary::SummaryOptions;
use goalspec::simulation::variation::Variation;
use goalspec::simulator::experiment::{
    EpisodeQuantity, ExperimentResult, MAX_GROUPS, PolicyResults, PolicySummary, SampleAccumulator, SampleGroup,
};
use goalspec::simulator::frequencies::Frequencies;
use goalspec::simulator::statistics::summary::{MAX_TEXTS, MetricSummary};
use goalspec::statistics::histogram::{BinKind, Histogram};
use goalspec::statistics::interval::ConfidenceInterval;

use super::{format_number, frequencies};
use crate::output::{plural, table_width};

/// The maximum number of resources that a remark lists.
const MAX_LISTED: usize = 8;

/// The length of the longest bar of a histogram, in characters.
const MAX_BAR_LENGTH: f64 = 40.0;

pub(super) fn write(
    experiment: &LoadedExperiment,
    result: &ExperimentResult,
    (shape, histograms): (&SummaryOptions, &[EpisodeQuantity]),
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let game = experiment.game.simulator.game();
    let statistics = &result.statistics;
    let policy_summary = &statistics.totals.summaries[0];
    let games = usize::try_from(policy_summary.games()).unwrap_or(usize::MAX);
    let heading = ReportMetadata::new(&experiment.game, &experiment.policies[0], Some(experiment.options.seed));
    writeln!(out, "{}: {}, {}", game.name, plural(games, "game"), heading.text())?;
    let variables = experiment.variation.iter().flat_map(|variation| variation.variables()).zip(&statistics.sampled);
    let variables = variables.map(|(variable, summary)| (format!("variable {}", variable.path), summary));
    let rows: Vec<_> = policy_summary.rows(game).into_iter().chain(variables).collect();
    writeln!(out, "{}", summaries(rows.iter().map(|(label, summary)| (label.clone(), *summary)), shape))?;
    print_exclusions(&rows, out)?;
    remarks(policy_summary, game, &statistics.frequencies[0], out)?;
    frequencies::write(game, &statistics.frequencies[0], out)?;
    for number in histograms {
        histogram(&number.title(game), &number.summary(&policy_summary.totals).histogram(), out)?;
    }
    if let Some(variation) = &experiment.variation {
        groups(game, variation, statistics, shape, out)?;
    }
    for (place, players) in experiment.policies.iter().enumerate().skip(1) {
        let first = experiment.policies[0].text();
        writeln!(out, "\n{first} minus {}, same seeds (paired)", players.text())?;
        writeln!(out, "{}", differences(game, &statistics.totals, place, shape))?;
        for (number, comparison) in &statistics.totals.differences[place - 1] {
            let (counted, incomplete) = (comparison.differences().count(), comparison.incomplete());
            if counted > 0 && incomplete > 0 {
                writeln!(
                    out,
                    "{}: {} excluded, in which one of the two values is not finite",
                    number.title(game),
                    count_of(incomplete, "game")
                )?;
            }
        }
        remarks(&statistics.totals.summaries[place], game, &statistics.frequencies[place], out)?;
    }
    match (&experiment.options.precision_target, result.precision) {
        (Some(stop), Some(stopped)) => {
            let half_width = stopped.half_width.map_or_else(|| "unknown".to_owned(), format_number);
            let reached = if stopped.reached { "reached" } else { "not reached" };
            writeln!(out, "half-width {half_width}, target {}: {reached}", stop.half_width)
        }
        _ => Ok(()),
    }
}

/// Returns a table with borders and right-aligned numbers.
pub(super) fn table(header: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(table_width());
    table.set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn summaries<'s>(rows: impl Iterator<Item = (String, &'s MetricSummary)>, shape: &SummaryOptions) -> Table {
    let quantiles = shape.quantiles.iter().map(|proportion| {
        if (proportion - 0.5).abs() < f64::EPSILON { "median".to_owned() } else { percent(*proportion) }
    });
    let sure = format!("±{} CI", percent(shape.level.value()));
    let header = [String::new(), "mean".to_owned(), sure, "sd".to_owned(), "min".to_owned()].into_iter();
    let header = header.chain(quantiles).chain(["max".to_owned()]).collect();
    table(header, rows.flat_map(|(label, summary)| summary_rows(&label, summary, shape)))
}

fn summary_rows(label: &str, summary: &MetricSummary, shape: &SummaryOptions) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let moments = summary.moments();
    if moments.count() > 0 {
        let half_width = summary.mean_interval(shape.level).map(ConfidenceInterval::half_width);
        let first = [moments.mean(), half_width, moments.standard_deviation(), moments.min()];
        let quantiles = summary.counts().quantiles(&shape.quantiles);
        let cells = first.into_iter().chain(quantiles).chain([moments.max()]);
        let cells = cells.map(|number: Option<f64>| number.map_or(String::new(), format_number));
        rows.push(std::iter::once(label.to_owned()).chain(cells).collect());
    }
    let [false_count, true_count] = summary.boolean_counts();
    if false_count + true_count > 0 {
        rows.push(vec![label.to_owned(), format!("true {true_count}, false {false_count}")]);
    }
    let texts = match summary.texts() {
        Some(texts) => texts.map(|(text, count)| format!("{text} {count}")).collect::<Vec<_>>().join(", "),
        None => format!("more than {MAX_TEXTS} different strings"),
    };
    if !texts.is_empty() {
        rows.push(vec![label.to_owned(), texts]);
    }
    rows
}

/// Returns a proportion as a percentage, rounded to hide floating-point error.
pub(super) fn percent(proportion: f64) -> String {
    format!("{}%", crate::output::number(proportion * 100.0))
}

/// Prints the numbers of games that are excluded from summaries.
fn print_exclusions(rows: &[(String, &MetricSummary)], out: &mut (dyn Write + Send)) -> io::Result<()> {
    for (label, summary) in rows {
        let (unusable, missing) = (summary.excluded_count(), summary.missing_count());
        if unusable > 0 {
            let games = count_of(unusable, "game");
            writeln!(out, "{label}: {games} excluded, in which it is infinite, too large or not a number")?;
        }
        // A quantity that never has a value, such as the reward of a team without one, has no row.
        if missing > 0 && missing < summary.games() {
            writeln!(out, "{label}: {} excluded, in which it has no value", count_of(missing, "game"))?;
        }
    }
    Ok(())
}

fn remarks(
    policy_summary: &PolicySummary,
    game: &Game,
    counts: &Frequencies,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let remarks = [(policy_summary.truncated(), "truncated at --max-turns"), (policy_summary.failed(), "failed")];
    for (count, label) in remarks.iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "{} {label}", count_of(*count, "game"))?;
    }
    if let Some((_, error)) = &policy_summary.first_error {
        writeln!(out, "first error: {error}")?;
    }
    if policy_summary.out_of_space() > 0 {
        let values = count_of(policy_summary.out_of_space(), "value");
        writeln!(out, "{values} outside their declared spaces: {}", listed(&counts.out_of_bounds(game)))?;
    }
    if policy_summary.overflows() > 0 {
        let times = count_of(policy_summary.overflows(), "time");
        let places = listed(&counts.overflows(game));
        writeln!(out, "32-bit integers overflowed and wrapped around {times}: {places}")?;
    }
    Ok(())
}

/// Returns a number of items as text.
fn count_of(count: u64, noun: &str) -> String {
    plural(usize::try_from(count).unwrap_or(usize::MAX), noun)
}

/// Returns names with their counts; of many, those with the highest counts.
fn listed(counts: &[(String, u64)]) -> String {
    let mut names: Vec<String> =
        counts.iter().take(MAX_LISTED).map(|(name, count)| format!("{name} ({count})")).collect();
    if counts.len() > MAX_LISTED {
        names.push(format!("and {} more (all with --format json)", counts.len() - MAX_LISTED));
    }
    names.join(", ")
}

fn histogram(title: &str, histogram: &Histogram, out: &mut (dyn Write + Send)) -> io::Result<()> {
    writeln!(out, "\n{title}")?;
    let last = histogram.bins.len().saturating_sub(1);
    let name = |(place, bin): (usize, &goalspec::statistics::histogram::Bin)| match histogram.kind {
        BinKind::Values => crate::output::number(bin.low),
        // The last interval includes its upper end.
        BinKind::Intervals => {
            format!(
                "{} to {}{}",
                format_number(bin.low),
                if place == last { "" } else { "below " },
                format_number(bin.high)
            )
        }
    };
    let names: Vec<String> = histogram.bins.iter().enumerate().map(name).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let max = histogram.bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1) as f64;
    for (name, bin) in names.iter().zip(&histogram.bins) {
        #[expect(clippy::cast_sign_loss, reason = "counts are not negative")]
        let bar = "█".repeat((bin.count as f64 / max * MAX_BAR_LENGTH).round() as usize);
        writeln!(out, "  {name:>longest$} {bar}{}{}", if bar.is_empty() { "" } else { " " }, bin.count)?;
    }
    Ok(())
}

/// Prints the mean rewards and turns for each combination of drawn values of the varied parameters.
fn groups(
    game: &Game,
    variation: &Variation,
    statistics: &SampleAccumulator,
    shape: &SummaryOptions,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    if statistics.groups.is_none() {
        return writeln!(out, "more than {MAX_GROUPS} different values of the variables (all with --format csv)");
    }
    let numbers: Vec<EpisodeQuantity> =
        EpisodeQuantity::all(game).filter(|number| !matches!(number, EpisodeQuantity::Metric(_))).collect();
    let header = variation.variables().iter().map(|variable| variable.path.to_string());
    let header = header.chain(["games".to_owned()]).chain(numbers.iter().map(|number| number.title(game))).collect();
    let row = |group: &SampleGroup| {
        let policy_summary = &group.results.summaries[0];
        let values = group.values.iter().map(value);
        let numbers = numbers.iter().map(|number| {
            let summary = number.summary(&policy_summary.totals);
            let half_width = summary.mean_interval(shape.level).map(ConfidenceInterval::half_width);
            let half_width = half_width.map_or(String::new(), |half_width| format!(" ± {}", format_number(half_width)));
            summary.moments().mean().map_or(String::new(), |mean| format!("{}{half_width}", format_number(mean)))
        });
        values.chain([policy_summary.games().to_string()]).chain(numbers).collect()
    };
    writeln!(out, "\nby value of the variable")?;
    writeln!(out, "{}", table(header, statistics.sorted_groups().into_iter().map(row)))
}

fn value(value: &Value) -> String {
    match value.as_f64() {
        Some(number) => crate::output::number(number),
        None => value.to_string(),
    }
}

/// Returns a table of the differences between the first policies and the others.
fn differences(game: &Game, results: &PolicyResults, place: usize, shape: &SummaryOptions) -> Table {
    let sure = format!("±{} CI", percent(shape.level.value()));
    let header = ["", "mean", &sure, "sd", "min", "max", "greater", "equal", "less"].map(str::to_owned).to_vec();
    let rows = results.differences[place - 1].iter().filter(|(_, comparison)| comparison.differences().count() > 0);
    let rows = rows.map(|(number, comparison)| {
        let moments = comparison.differences();
        let half_width = comparison.interval(shape.level).map(ConfidenceInterval::half_width);
        let numbers = [moments.mean(), half_width, moments.standard_deviation(), moments.min(), moments.max()];
        let numbers = numbers.map(|number| number.map_or(String::new(), format_number));
        let counts = [comparison.greater(), comparison.equal(), comparison.less()].map(|count| count.to_string());
        std::iter::once(number.title(game)).chain(numbers).chain(counts).collect()
    });
    table(header, rows)
}
