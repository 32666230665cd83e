//! Charts of experiments, and pictures of boards.

use std::sync::Arc;

use goalspec_draw::board::{BoardView, NodeView};
use goalspec_draw::chart::{self, ChartError, Line, Panel, PanelData, Point};
use goalspec_draw::{dot, svg};
use goalspec_resource::board::NodeId;
use goalspec_resource::game::Game;
use goalspec_resource::value::Value;
use goalspec_simulator::experiment::{EpisodeQuantity, SampleAccumulator};
use goalspec_simulator::statistics::summary::MetricSummary;
use goalspec_simulator::{Simulator, State};
use goalspec_statistics::histogram::{BinKind, Histogram};
use goalspec_statistics::interval::ConfidenceInterval;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::suggest::did_you_mean;

use crate::experiment::LoadedExperiment;
use crate::summary::SummaryOptions;

/// The maximum number of panels in a row.
const COLUMNS: usize = 3;

/// The quantiles that a timeline shows: the lower end of the band, the line, and the upper end of the band.
const BAND: [f64; 3] = [0.05, 0.5, 0.95];

/// The file format of a picture of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardFormat {
    /// The DOT language.
    Dot,
    /// Scalable Vector Graphics.
    Svg,
}

/// Draws the distributions of numbers as histograms, in SVG: one panel per number, and one row per set of policies if several are
/// compared.
///
/// # Errors
/// If a number has no numeric values.
pub fn distributions(
    experiment: &LoadedExperiment,
    collected: &SampleAccumulator,
    numbers: &[EpisodeQuantity],
    shape: &SummaryOptions,
) -> Result<String, Box<Diagnostic>> {
    let game = experiment.game.simulator.game();
    let summaries = &collected.totals.summaries;
    let several = summaries.len() > 1;
    let mut panels = Vec::new();
    for (policy_summary, players) in summaries.iter().zip(&experiment.policies) {
        for number in numbers {
            let summary = number.summary(&policy_summary.totals);
            let all = summaries.iter().map(|policy_summary| number.summary(&policy_summary.totals));
            let name = number.title(game);
            let title = match (mean(summary, shape), several) {
                (Some(mean), true) => format!("{}: mean {mean}", players.text()),
                (Some(mean), false) => format!("mean {mean}"),
                (None, _) => {
                    return Err(Diagnostic::invalid_argument(format!(
                        "cannot draw a histogram of {name}: it has no numeric values"
                    )));
                }
            };
            let content = PanelData::Histogram(bars(&summary.histogram()));
            let x_range = if several { range(all) } else { None };
            panels.push(Panel { title, x_label: name, y_label: "games (%)".to_owned(), x_range, content });
        }
    }
    let columns = if several { numbers.len() } else { numbers.len().min(COLUMNS) };
    let title = format!("{}: {} games", game.name, summaries[0].games());
    chart::figure(&title, columns, &panels).map_err(|error| Diagnostic::invalid_argument(error.to_string()))
}

/// Returns the bars of a histogram.
fn bars(histogram: &Histogram) -> chart::Histogram {
    let bins = histogram.bins.iter().map(|bin| ([bin.low, bin.high], bin.count));
    chart::Histogram::from_bins(bins, histogram.kind == BinKind::Values)
}

/// Returns the mean with the half-width of its confidence interval.
fn mean(summary: &MetricSummary, shape: &SummaryOptions) -> Option<String> {
    let mean = summary.moments().mean()?;
    let half = summary.mean_interval(shape.level).map(ConfidenceInterval::half_width);
    let half = half.map_or(String::new(), |half| format!(" ± {half:.3}"));
    Some(format!("{mean:.3}{half}"))
}

/// Returns the range of all values, with a margin.
fn range<'s>(summaries: impl Iterator<Item = &'s MetricSummary>) -> Option<[f64; 2]> {
    let bounds = summaries.filter_map(|summary| Some([summary.moments().min()?, summary.moments().max()?]));
    let [low, high] = bounds.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])?;
    let margin = (0.05 * (high - low)).max(0.5);
    Some([low - margin, high + margin])
}

/// Draws the tracked resources over time, in SVG: one panel per resource, with the median and the band from the 5th to the 95th
/// percentile.
///
/// # Errors
/// If a resource has no numeric values.
pub fn timelines(experiment: &LoadedExperiment, collected: &SampleAccumulator) -> Result<String, Box<Diagnostic>> {
    let game = experiment.game.simulator.game();
    let panel = |(place, slot): (usize, &goalspec_resource::board::SlotId)| {
        let point = |moment: goalspec_simulator::statistics::timeline::TimelinePoint| match moment.quantiles[..] {
            [Some(low), Some(middle), Some(high)] => Some(Point { x: moment.turn as f64, low, y: middle, high }),
            _ => None,
        };
        let points = collected.timeline.quantiles(place, &BAND).into_iter().filter_map(point).collect();
        let content = PanelData::Lines(vec![Line { name: String::new(), points }]);
        let y = game.board.slot_name(*slot);
        Panel { title: String::new(), x_label: "turn".to_owned(), y_label: y, x_range: None, content }
    };
    let panels: Vec<Panel> = experiment.options.tracked_resources.iter().enumerate().map(panel).collect();
    let title = format!(
        "{}: median and 5 % to 95 % of {} games, {}",
        game.name,
        collected.totals.summaries[0].games(),
        experiment.policies[0].text()
    );
    let columns = if panels.len() == 4 { 2 } else { panels.len().min(COLUMNS) };
    chart::figure(&title, columns, &panels)
        .map_err(|error: ChartError| Diagnostic::invalid_argument(format!("cannot draw a timeline: {error}")))
}

/// Draws the board at the beginning of a game, with the visibility of its nodes. `ownership` is the name of the resource with
/// truth values that marks a node as owned.
///
/// # Errors
/// If no node has such a resource, or the board is too large for a picture.
pub fn board(game: &Game, ownership: Option<&str>, format: BoardFormat) -> Result<String, Box<Diagnostic>> {
    if let Some(name) = ownership
        && game.board.resource_named(name).is_none()
    {
        let slots = game.board.slots().map(|(_, slot)| &**game.board.resource(slot.resource));
        let suggestion = did_you_mean(name, slots).map_or(String::new(), |suggestion| format!("; {suggestion}"));
        return Err(Diagnostic::invalid_argument(format!("unknown resource `{name}`{suggestion}")));
    }
    let picture = initial_board(game, ownership);
    match format {
        BoardFormat::Dot => Ok(dot::write(&picture)),
        BoardFormat::Svg => svg::write(&picture).map_err(|error| {
            Diagnostic::invalid_argument(format!(
                "{error}; use `--board dot` and a program that lays out large graphs, such as `sfdp -Tsvg`"
            ))
        }),
    }
}

/// Returns the board of a game in its initial state. `ownership` names a resource whose truth value states whether a node is owned.
pub fn initial_board(game: &Game, ownership: Option<&str>) -> BoardView {
    let mut values: Vec<Vec<(Arc<str>, Value)>> = vec![Vec::new(); game.board.nodes().len()];
    for (_, slot) in game.board.slots() {
        if let Some(declared) = &slot.declaration {
            let name = Arc::clone(game.board.resource(slot.resource));
            values[slot.node.index()].push((name, declared.initial.clone()));
        }
    }
    let is_observer = |node: NodeId, team: &str| game.board.node(node).observers.contains(team);
    picture(game, ownership, |node| std::mem::take(&mut values[node.index()]), is_observer)
}

/// Returns the board of a game in a state of play. `ownership` is as in [`initial_board`].
pub fn board_in_play(simulator: &Simulator, state: &State, ownership: Option<&str>) -> BoardView {
    let is_observer = |node: NodeId, team: &str| simulator.observers(state, node).contains(team);
    picture(simulator.game(), ownership, |node| simulator.values(state, node), is_observer)
}

fn picture(
    game: &Game,
    ownership: Option<&str>,
    mut values: impl FnMut(NodeId) -> Vec<(Arc<str>, Value)>,
    is_observer: impl Fn(NodeId, &str) -> bool,
) -> BoardView {
    let board = &game.board;
    let mut shown = |node: NodeId, name: &Arc<str>| {
        let values = values(node);
        let ownership_value = ownership.and_then(|ownership| values.iter().find(|(name, _)| **name == *ownership));
        let owned = ownership_value.and_then(|(_, value)| value.to_bool());
        let seen_by = game.teams.iter().enumerate().filter(|(_, team)| is_observer(node, &team.name));
        let seen_by = seen_by.map(|(place, _)| place).collect();
        let values = values.into_iter().map(|(name, value)| (name, value.to_string()));
        NodeView { observers: seen_by, owned, ..NodeView::new(Arc::clone(name), values) }
    };
    let vector = |vector: &goalspec_resource::board::Vector| {
        (vector.source.index(), vector.target.index(), Arc::clone(&vector.name))
    };
    BoardView {
        title: Arc::clone(&game.name),
        teams: game.teams.iter().map(|team| Arc::clone(&team.name)).collect(),
        nodes: board.nodes().map(|(id, node)| shown(id, &node.name)).collect(),
        vectors: board.vectors().map(|(_, one)| vector(one)).collect(),
    }
}
