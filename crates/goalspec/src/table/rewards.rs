//! Scores of reward functions as tables with one row per episode, frame, or part of the reward.

use goalspec_python_runtime::observe::TermStatistics;
use goalspec_rewards::score::RewardOutcome;
use goalspec_table::{Cell, CellType, Table};

/// Creates a table whose first columns are those of [`name_cells`].
fn table(more: &[(&'static str, CellType)]) -> Table {
    let names = ["program", "trace", "world"].map(|name| (name, CellType::Text));
    Table::new(&[&names, more].concat())
}

fn name_cells(outcome: &RewardOutcome) -> [Cell; 3] {
    [
        Cell::Text(outcome.program.to_string()),
        Cell::Text(outcome.trace.to_string()),
        Cell::Text(outcome.world.name().to_owned()),
    ]
}

fn score_cell(points: Option<f64>) -> Cell {
    points.map_or(Cell::Empty, Cell::Float)
}

/// Returns a table with one row per episode.
pub fn episodes(outcomes: &[RewardOutcome]) -> Table {
    use CellType::{Count, Float};
    let mut table =
        table(&[("episode", Count), ("frames", Count), ("rewarded", Count), ("total", Float), ("score", Float)]);
    for outcome in outcomes {
        for episode in &outcome.episodes {
            let mut row = name_cells(outcome).to_vec();
            row.extend([episode.number, episode.frames, episode.rewarded_frames].map(Cell::Count));
            let total = if episode.rewarded_frames == 0 { Cell::Empty } else { Cell::Float(episode.total) };
            row.extend([total, score_cell(episode.score)]);
            table.rows.push(row);
        }
    }
    table
}

/// Returns a table with one row per frame; rows of frames without a reward contain the error.
pub fn frames(outcomes: &[RewardOutcome]) -> Table {
    use CellType::{Count, Float, Text};
    let mut table = table(&[
        ("episode", Count),
        ("frame", Count),
        ("reward", Float),
        ("score", Float),
        ("error", Text),
        ("line", Count),
    ]);
    for outcome in outcomes {
        for step in &outcome.frame_results {
            let (error, line) = outcome.frame_error(step).unzip();
            let error = error.map_or(Cell::Empty, Cell::Text);
            let line = line.flatten();
            let mut row = name_cells(outcome).to_vec();
            row.extend([step.episode, step.frame].map(Cell::Count));
            row.extend([step.reward.map_or(Cell::Empty, Cell::Float), score_cell(step.game_reward), error]);
            row.push(line.map_or(Cell::Empty, |line| Cell::Count(line.into())));
            table.rows.push(row);
        }
    }
    table
}

/// Returns the identifier and name of each term and component, with its statistics.
fn named_statistics(outcome: &RewardOutcome) -> impl Iterator<Item = ([Cell; 2], &TermStatistics)> {
    let terms = outcome.terms.iter().map(|(term, statistics)| ((term.id.clone(), &term.name), statistics));
    let components = outcome.components.iter().map(|(name, statistics)| ((String::new(), name), statistics));
    let cells = |(id, name): (String, &String)| {
        [if id.is_empty() { Cell::Empty } else { Cell::Text(id) }, Cell::Text(name.clone())]
    };
    terms.chain(components).map(move |(names, statistics)| (cells(names), statistics))
}

/// Returns a table with one row per term and per component, with its statistics.
pub fn contributions(outcomes: &[RewardOutcome]) -> Table {
    use CellType::{Count, Float, Text};
    let mut table = table(&[
        ("term", Text),
        ("name", Text),
        ("sum", Float),
        ("frames", Count),
        ("nonzero_frames", Count),
        ("min", Float),
        ("max", Float),
    ]);
    for outcome in outcomes {
        for (part, statistics) in named_statistics(outcome) {
            let mut row = name_cells(outcome).to_vec();
            row.extend(part);
            row.push(Cell::Float(statistics.sum));
            row.extend([statistics.calls, statistics.nonzero_calls].map(Cell::Count));
            let ends = statistics.range.map(|range| [range.min, range.max]);
            row.extend(ends.map_or([Cell::Empty, Cell::Empty], |ends| ends.map(Cell::Float)));
            table.rows.push(row);
        }
    }
    table
}

/// Returns a table with one row per frame and contributing term or component.
pub fn contributions_by_frame(outcomes: &[RewardOutcome]) -> Table {
    use CellType::{Count, Float, Text};
    let mut table = table(&[("episode", Count), ("frame", Count), ("term", Text), ("name", Text), ("value", Float)]);
    for outcome in outcomes {
        let parts: Vec<[Cell; 2]> = named_statistics(outcome).map(|(names, _)| names).collect();
        for step in &outcome.frame_results {
            let component = |name: &String| step.components.iter().find(|(own, _)| own == name).map(|(_, part)| *part);
            let values = step.terms.iter().copied().chain(std::iter::repeat(None));
            let values = values.take(outcome.terms.len()).chain(outcome.components.keys().map(component));
            for (part, value) in parts.iter().zip(values) {
                let Some(value) = value else { continue };
                let mut row = name_cells(outcome).to_vec();
                row.extend([step.episode, step.frame].map(Cell::Count));
                row.extend(part.clone());
                row.push(Cell::Float(value));
                table.rows.push(row);
            }
        }
    }
    table
}
