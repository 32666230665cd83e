//! The `goalspec analyse` command.

use std::io::Write;
use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use goalspec::resource::game::{Game, TeamId};
use goalspec::resource::value::Value;
use goalspec::resource_games::read_policy_file;
use goalspec::simulation::LoadedGame;
use goalspec::simulation::analysis::distribution::Distribution;
use goalspec::simulation::analysis::{
    Analysis, AnalysisEvent, AnalysisRequest, BestResponse, analysis_error_diagnostic, analysis_error_text, export,
};
use goalspec::simulation::metadata::ReportMetadata;
use goalspec::simulation::policies::{TeamPolicies, open_team};
use goalspec::simulator::exact::{AnalysisError, Model};
use goalspec::syntax::{Diagnostic, Sources};

use super::simulate::{format_number, load};
use crate::args::{AnalyseArgs, AnalysisFormat, ModelFormat};
use crate::output::{
    CommandError, CommandResult, Output, ensure_distinct, ensure_not_input, plural, table_width, write_file,
};
use crate::progress::Progress;

pub(crate) fn run(args: &AnalyseArgs, output: &mut Output) -> CommandResult {
    for file in args.save_policy.iter().chain(&args.output) {
        ensure_not_input(file, std::iter::once(&args.game))?;
    }
    if let Some(file) = &args.output {
        ensure_distinct(file, args.save_policy.iter())?;
    }
    if args.export == Some(ModelFormat::PrismExplicit) && args.output.is_none() {
        return Err(CommandError::Usage(
            "an explicit model consists of several files; specify the prefix of their names with --output".into(),
        ));
    }
    let Some(loaded_game) = load(&args.game, &args.resource, output)? else { return Ok(false) };
    let game = loaded_game.simulator.game().clone();
    let players = TeamPolicies::with_files(&game, &args.policies, &read_policy_file)
        .map_err(CommandError::invalid_argument)?
        .with_view(args.policy_view.into());
    let question = question(args, &game, &players).map_err(CommandError::invalid_argument)?;
    let progress = Progress::analysis();
    let mut observer = |step: AnalysisEvent| progress.set_message(|| progress_text(step));
    if let Some(format) = args.export {
        let model = question.explore(&loaded_game.simulator, &mut observer);
        progress.finish();
        return match model {
            Ok(model) => {
                let players =
                    question.best_response_for.map_or(players.clone(), |team| players.with_label(team, "free"));
                let heading = ReportMetadata::new(&loaded_game, &players, None);
                write_model(&model, &heading, format, args.output.as_deref(), output)
            }
            Err(error) => Ok(report_error(&error, &loaded_game, output)),
        };
    }
    let analysis = question.analyse(&loaded_game.simulator, &mut observer);
    progress.finish();
    let analysis = match analysis {
        Ok(analysis) => analysis,
        Err(error) => return Ok(report_error(&error, &loaded_game, output)),
    };
    let heading = analysis.heading(&loaded_game, &players);
    let answer = match args.format {
        AnalysisFormat::Text => text(&game, &analysis, &heading),
        AnalysisFormat::Json => format!("{:#}\n", analysis.json(&heading)),
    };
    match &args.output {
        Some(path) => write_file(path, &answer)?,
        None => output.write_all(answer.as_bytes())?,
    }
    match (&args.save_policy, &analysis.best_response) {
        (Some(path), Some(best)) => save(path, best, &loaded_game, output),
        _ => Ok(true),
    }
}

fn question(args: &AnalyseArgs, game: &Game, players: &TeamPolicies) -> Result<AnalysisRequest, Box<Diagnostic>> {
    let best = args.best.as_ref().map(|name| open_team(game, name, &args.policies)).transpose()?;
    let plans = players.plans(game, best)?;
    Ok(AnalysisRequest { plans, best_response_for: best, horizon: args.horizon, limits: args.limits() })
}

fn progress_text(step: AnalysisEvent) -> String {
    match step {
        AnalysisEvent::States(count) => format!("{count} states"),
        AnalysisEvent::BestResponse => "computing the best response".to_owned(),
        AnalysisEvent::Turns(turn, rest) => format!("turn {turn}, P(not ended) = {rest:.1e}"),
    }
}

/// Reports the reason why the game cannot be analysed; returns `false`.
fn report_error(error: &AnalysisError, loaded_game: &LoadedGame, output: &Output) -> bool {
    output.report(&[analysis_error_diagnostic(error, loaded_game.simulator.game())], &Sources::new());
    false
}

fn write_model(
    model: &Model,
    heading: &ReportMetadata,
    format: ModelFormat,
    path: Option<&Path>,
    output: &mut Output,
) -> CommandResult {
    // Line breaks in the names of files and actions would end the comment.
    let prism = || format!("// {}\n{}", heading.text().replace(char::is_control, " "), model.prism());
    let files = match (format, path) {
        (ModelFormat::Prism, None) => {
            output.write_all(prism().as_bytes())?;
            return Ok(true);
        }
        (ModelFormat::Prism, Some(path)) => vec![(path.to_owned(), prism())],
        (ModelFormat::PrismExplicit, path) => {
            let prefix = path.unwrap_or(Path::new("model"));
            let export_file = |(ending, text): (String, String)| {
                let mut name = prefix.as_os_str().to_owned();
                name.push(ending);
                (PathBuf::from(name), text)
            };
            export::prism_files(model).into_iter().map(export_file).collect()
        }
    };
    for (path, text) in &files {
        write_file(path, text)?;
    }
    let names: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    output.note(&format!("{}, {}: {}", size(model), heading.text(), names.join(", ")));
    Ok(true)
}

fn save(path: &Path, best: &BestResponse, loaded_game: &LoadedGame, output: &Output) -> CommandResult {
    match &best.table {
        Ok(table) => write_file(path, table).map(|()| true),
        Err(error) => Ok(report_error(error, loaded_game, output)),
    }
}

fn size(model: &Model) -> String {
    format!("{}, {}", plural(model.len(), "state"), plural(model.transitions(), "transition"))
}

fn text(game: &Game, analysis: &Analysis, heading: &ReportMetadata) -> String {
    let mut lines = vec![format!("{}: {}, {}", game.name, size(&analysis.model), heading.text())];
    lines.extend(ending(analysis));
    if let Some(best) = &analysis.best_response {
        lines.push(format!("value of the best response of {}: {}", name(game, best.team), format_number(best.value)));
        if let Err(error) = &best.table {
            lines.push(format!(
                "no table of observations represents the best response: {}",
                analysis_error_text(error, game)
            ));
        }
    }
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(table_width());
    table.set_header(["", "mean", "sd", "min", "25%", "median", "75%", "max"]);
    for (kind, name, distribution) in analysis.rows() {
        let label = if name.is_empty() { kind.to_owned() } else { format!("{kind} {name}") };
        table.add_row(std::iter::once(label).chain(distribution_cells(&distribution)));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    lines.push(table.to_string());
    lines.join("\n") + "\n"
}

fn name(game: &Game, team: TeamId) -> &str {
    &game.teams[team.index()].name
}

/// Returns the probabilities of the endings of the game, as text.
fn ending(analysis: &Analysis) -> Vec<String> {
    let outcomes = &analysis.outcomes;
    let turns = plural(outcomes.horizon as usize, "turn");
    let [low, high] = outcomes.termination_bounds;
    let mut lines = Vec::new();
    if analysis.horizon.is_some() {
        let completed = format_number(outcomes.completed);
        lines.push(format!("P(completed within {turns}) = {completed}; other games are truncated"));
    } else if low >= 1.0 {
        lines.push("games end with probability 1".to_owned());
    } else if high - low < 1e-9 {
        lines.push(format!("games end with probability {}", format_number(low)));
    } else {
        lines.push(format!("games end with probability between {} and {}", format_number(low), format_number(high)));
    }
    if analysis.horizon.is_none() && outcomes.truncated > 0.0 {
        lines.push(format!("P(truncated after {turns}) = {:.1e}", outcomes.truncated));
    }
    lines
}

/// Returns the cells of a distribution: its moments and quantiles, or the probability of each value.
fn distribution_cells(distribution: &Distribution) -> Vec<String> {
    if let Some(moments) = distribution.moments() {
        let [min, max] = distribution.range().map_or([None; 2], |range| range.map(Some));
        let [lower, median, upper] = [0.25, 0.5, 0.75].map(|probability| distribution.quantile(probability));
        let numbers = [Some(moments.mean), Some(moments.standard_deviation), min, lower, median, upper, max];
        return numbers.map(|number| number.map_or(String::new(), format_number)).into();
    }
    let value = |value: &Option<Value>| value.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string);
    let rows = distribution.rows.iter();
    let rows: Vec<String> =
        rows.map(|row| format!("{} {}", value(&row.value), format_number(row.completed + row.truncated))).collect();
    vec![rows.join(", ")]
}
