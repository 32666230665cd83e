//! Games as rows of a table, one row for each game and set of policies.

use goalspec_resource::field::Field;
use goalspec_resource::game::Game;
use goalspec_resource::space::Space;
use goalspec_resource::value::Value;
use goalspec_simulator::episode::Episode;
use goalspec_simulator::experiment::GameRecord;

use crate::episode_json;
use crate::experiment::LoadedExperiment;
use crate::metadata::ReportMetadata;
use goalspec_table::{Cell, CellType, Column};

/// Returns the columns: the [heading](ReportMetadata); `index`; the path of every varied value; `end`, `turns`, `invalid_turns`,
/// `out_of_space`, `overflows`; `reward.TEAM` for each team and `metric.NAME` for each metric; `return.TEAM` for each team if
/// there is a discount.
pub fn columns(experiment: &LoadedExperiment) -> Vec<Column> {
    let game = experiment.game.simulator.game();
    let column = |name: String, kind| Column { name: name.into(), cell_type: kind };
    let mut columns = Vec::from(ReportMetadata::columns());
    columns.push(column("index".to_owned(), CellType::Count));
    let variables = experiment.variation.as_ref().map_or(&[][..], |variation| variation.variables());
    columns.extend(variables.iter().map(|variable| column(variable.path.to_string(), kind(&variable.space))));
    columns.push(column("end".to_owned(), CellType::Text));
    let counts = ["turns", "invalid_turns", "out_of_space", "overflows"].into_iter();
    columns.extend(counts.map(|name| column(name.to_owned(), CellType::Count)));
    columns.extend(game.teams.iter().map(|team| column(format!("reward.{}", team.name), CellType::Float)));
    let metrics = game.metrics.iter();
    columns.extend(metrics.map(|metric| column(format!("metric.{}", metric.name), kind_of_field(game, &metric.field))));
    if experiment.options.discount.is_some() {
        columns.extend(game.teams.iter().map(|team| column(format!("return.{}", team.name), CellType::Float)));
    }
    columns
}

/// Returns the rows of a game, each with one cell per column. If the value of a metric does not have its declared type, the cell
/// has the type of the value.
pub fn rows(experiment: &LoadedExperiment, played: &GameRecord) -> Vec<Vec<Cell>> {
    let row = |(place, episode): (usize, &Episode)| {
        let mut row = Vec::from(
            ReportMetadata::new(&experiment.game, &experiment.policies[place], Some(experiment.options.seed)).cells(),
        );
        row.push(Cell::Count(played.index));
        row.extend(played.sampled.values.iter().map(|value| cell(Some(value))));
        row.push(Cell::Text(episode_json::end_name(&episode.end).to_owned()));
        row.extend(
            [episode.turns.into(), episode.invalid_turns.into(), episode.out_of_bounds, episode.overflows]
                .map(Cell::Count),
        );
        row.extend(episode.rewards.iter().map(|reward| reward.map_or(Cell::Empty, Cell::Float)));
        row.extend(episode.metrics.iter().map(|value| cell(value.as_ref())));
        row.extend(episode.returns.iter().map(|value| value.map_or(Cell::Empty, Cell::Float)));
        row
    };
    played.episodes.iter().enumerate().map(row).collect()
}

/// Returns the first cell whose type differs from that of its column. Typed formats cannot store such a cell.
pub fn mistyped_cell<'c>(columns: &'c [Column], row: &'c [Cell]) -> Option<(&'c Column, &'c Cell)> {
    let matches_type = |column: &Column, cell: &Cell| match cell {
        Cell::Empty => true,
        Cell::Text(_) => column.cell_type == CellType::Text,
        Cell::Count(_) => column.cell_type == CellType::Count,
        Cell::Float(_) => column.cell_type == CellType::Float,
        Cell::Bool(_) => column.cell_type == CellType::Bool,
    };
    columns.iter().zip(row).find(|(column, cell)| !matches_type(column, cell))
}

fn kind_of_field(game: &Game, field: &Field) -> CellType {
    match field {
        Field::Resource(slot) => {
            let declared = game.board.slot(*slot).declaration.as_ref();
            declared.map_or(CellType::Float, |declared| kind(&declared.space))
        }
        Field::Observers(_) => CellType::Text,
        _ => CellType::Float,
    }
}

fn kind(space: &Space) -> CellType {
    match space {
        Space::Bool => CellType::Bool,
        Space::FreeText | Space::TextEnum(_) | Space::Set(_) => CellType::Text,
        Space::FreeInt
        | Space::FreeReal
        | Space::IntRange { .. }
        | Space::RealRange { .. }
        | Space::Normal { .. }
        | Space::IntEnum(_)
        | Space::RealEnum(_) => CellType::Float,
    }
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        None => Cell::Empty,
        Some(Value::Bool(truth)) => Cell::Bool(*truth),
        Some(Value::Int(number)) => Cell::Float(f64::from(*number)),
        Some(Value::Real(number)) => Cell::Float(*number),
        Some(Value::Text(text)) => Cell::Text(text.to_string()),
        Some(other @ (Value::Set(_) | Value::List(_) | Value::Map(_))) => Cell::Text(other.to_string()),
    }
}
