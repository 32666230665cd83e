//! Games as rows of a table, one row for each game and set of policies.

use goalspec_resource::field::Field;
use goalspec_resource::game::Game;
use goalspec_resource::space::Space;
use goalspec_resource::value::Value;
use goalspec_simulator::episode::Episode;

use super::collected::Played;
use super::heading::Heading;
use super::record;
use super::study::Study;
use crate::rows::{Cell, CellKind, Column};

/// Returns the columns: the [heading](Heading); `index`; the path of every varied value; `end`, `turns`, `invalid_turns`,
/// `out_of_space`, `overflows`; `reward.TEAM` for each team and `metric.NAME` for each metric; `return.TEAM` for each team if
/// there is a discount.
pub fn columns(study: &Study<'_>) -> Vec<Column> {
    let game = study.ready.simulator.game();
    let column = |name: String, kind| Column { name: name.into(), kind };
    let mut columns = Vec::from(Heading::columns());
    columns.push(column("index".to_owned(), CellKind::Count));
    let variables = study.variation.map_or(&[][..], |variation| variation.variables());
    columns.extend(variables.iter().map(|variable| column(variable.path.to_string(), kind(&variable.space))));
    columns.push(column("end".to_owned(), CellKind::Text));
    let counts = ["turns", "invalid_turns", "out_of_space", "overflows"].into_iter();
    columns.extend(counts.map(|name| column(name.to_owned(), CellKind::Count)));
    columns.extend(game.teams.iter().map(|team| column(format!("reward.{}", team.name), CellKind::Number)));
    let metrics = game.metrics.iter();
    columns.extend(metrics.map(|metric| column(format!("metric.{}", metric.name), kind_of_field(game, &metric.field))));
    if study.discount.is_some() {
        columns.extend(game.teams.iter().map(|team| column(format!("return.{}", team.name), CellKind::Number)));
    }
    columns
}

/// Returns the rows of a game, each with one cell per column. If the value of a metric does not have its declared type, the cell
/// has the type of the value.
pub fn rows(study: &Study<'_>, played: &Played) -> Vec<Vec<Cell>> {
    let row = |(place, episode): (usize, &Episode)| {
        let mut row = Vec::from(Heading::new(study.ready, &study.players[place], Some(study.seed)).cells());
        row.push(Cell::Count(played.index));
        row.extend(played.drawn.values.iter().map(|value| cell(Some(value))));
        row.push(Cell::Text(record::end(&episode.end).to_owned()));
        row.extend([episode.turns.into(), episode.invalid.into(), episode.outside, episode.overflows].map(Cell::Count));
        row.extend(episode.rewards.iter().map(|reward| reward.map_or(Cell::Empty, Cell::Number)));
        row.extend(episode.metrics.iter().map(|value| cell(value.as_ref())));
        row.extend(episode.returns.iter().map(|of| of.map_or(Cell::Empty, Cell::Number)));
        row
    };
    played.episodes.iter().enumerate().map(row).collect()
}

/// Returns the first cell whose type differs from that of its column. Typed formats cannot store such a cell.
pub fn misfit<'c>(columns: &'c [Column], row: &'c [Cell]) -> Option<(&'c Column, &'c Cell)> {
    let fits = |column: &Column, cell: &Cell| match cell {
        Cell::Empty => true,
        Cell::Text(_) => column.kind == CellKind::Text,
        Cell::Count(_) => column.kind == CellKind::Count,
        Cell::Number(_) => column.kind == CellKind::Number,
        Cell::Flag(_) => column.kind == CellKind::Flag,
    };
    columns.iter().zip(row).find(|(column, cell)| !fits(column, cell))
}

fn kind_of_field(game: &Game, field: &Field) -> CellKind {
    match field {
        Field::Resource(slot) => {
            let declared = game.board.slot(*slot).declaration.as_ref();
            declared.map_or(CellKind::Number, |declared| kind(&declared.space))
        }
        Field::Observable(_) => CellKind::Text,
        _ => CellKind::Number,
    }
}

fn kind(space: &Space) -> CellKind {
    match space {
        Space::Bool => CellKind::Flag,
        Space::FreeText | Space::TextEnum(_) | Space::Set(_) => CellKind::Text,
        Space::FreeInt
        | Space::FreeReal
        | Space::IntRange { .. }
        | Space::RealRange { .. }
        | Space::Normal { .. }
        | Space::IntEnum(_)
        | Space::RealEnum(_) => CellKind::Number,
    }
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        None => Cell::Empty,
        Some(Value::Bool(truth)) => Cell::Flag(*truth),
        Some(Value::Int(number)) => Cell::Number(f64::from(*number)),
        Some(Value::Real(number)) => Cell::Number(*number),
        Some(Value::Text(text)) => Cell::Text(text.to_string()),
        Some(other @ (Value::Set(_) | Value::List(_) | Value::Map(_))) => Cell::Text(other.to_string()),
    }
}
