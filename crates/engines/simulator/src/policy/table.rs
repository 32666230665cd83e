//! A lookup table from observations to moves, read from a file.
//!
//! ```json
//! {
//!   "fields": ["a.capital", "b.observable"],
//!   "rows": [
//!     {"when": [20, true], "choose": "attack", "with": {"target": "b"}},
//!     {"when": [19, null], "choose": "wait"}
//!   ],
//!   "otherwise": {"choose": "wait"}
//! }
//! ```
//!
//! `fields` are resources as `node.resource`, or `node.observable` for whether the team sees the node. A row applies to the
//! values that it lists in that order: numbers (an integer equals a real number of the same value), Booleans, strings, `null` for
//! a missing value, and sets as their text form, such as `"[red, blue]"`. An observation without a row plays `otherwise`; without
//! that key it is an error.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use goalspec_resource::board::Board;
use goalspec_resource::field::Field;
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;
use rustc_hash::FxBuildHasher;
use serde_json::Value as Json;

use super::simple::NamedMove;
use super::{Policy, PolicyError, TeamView};
use crate::json;

/// A policy that looks up its move by the values of observed fields.
#[derive(Debug, Clone)]
pub struct TablePolicy {
    fields: Vec<Field>,
    rows: HashMap<Vec<String>, NamedMove, FxBuildHasher>,
    otherwise: Option<NamedMove>,
}

/// An error in the definition of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError(String);

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TableError {}

impl TablePolicy {
    /// Parses a table for games on this board.
    ///
    /// # Errors
    /// If the text is not a table, names an unknown resource, or contains two rows for the same values.
    pub fn read(text: &str, board: &Board) -> Result<Self, TableError> {
        let json: Json = serde_json::from_str(text).map_err(|error| TableError(error.to_string()))?;
        let object = json::object(&json, "the table", &["fields", "rows", "otherwise"]).map_err(TableError)?;
        let names = object
            .get("fields")
            .and_then(Json::as_array)
            .ok_or_else(|| expected("`fields` must be a list of names"))?;
        let fields = names.iter().map(|name| field(name, board)).collect::<Result<Vec<_>, _>>()?;
        let mut rows = HashMap::default();
        let listed = object.get("rows").and_then(Json::as_array).ok_or_else(|| expected("`rows` must be a list"))?;
        for (place, row) in listed.iter().enumerate() {
            let of_row = |message: String| TableError(format!("row {}: {message}", place + 1));
            let entry = json::object(row, "the row", &["when", "choose", "with"]).map_err(of_row)?;
            let conditions =
                entry.get("when").and_then(Json::as_array).ok_or_else(|| of_row("`when` must be a list".into()))?;
            if conditions.len() != fields.len() {
                return Err(of_row(format!("expected {} values, found {}", fields.len(), conditions.len())));
            }
            let values = conditions.iter().map(|value| json::read(value).map(|value| key(value.as_ref())));
            let key = values.collect::<Result<Vec<_>, _>>().map_err(|error| of_row(error.to_string()))?;
            if rows.insert(key, named(row).map_err(of_row)?).is_some() {
                return Err(of_row("duplicate values: an earlier row has the same values".into()));
            }
        }
        let otherwise = object.get("otherwise").map(named).transpose().map_err(TableError)?;
        Ok(Self { fields, rows, otherwise })
    }
}

impl Policy for TablePolicy {
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        let key: Vec<String> = self.fields.iter().map(|field| key(view.field(field).as_ref())).collect();
        let named = self.rows.get(&key).or(self.otherwise.as_ref());
        *chosen = named.ok_or_else(|| PolicyError::NoRow(key.join(", ")))?.resolve(view)?;
        Ok(())
    }
}

fn expected(expected: &str) -> TableError {
    TableError(expected.to_owned())
}

fn field(name: &Json, board: &Board) -> Result<Field, TableError> {
    let unknown = || TableError(format!("unknown resource {name} in `fields`"));
    let (node, resource) = name.as_str().and_then(|name| name.split_once('.')).ok_or_else(unknown)?;
    let node = board.node_named(node).ok_or_else(unknown)?;
    let slot = board.resource_named(resource).and_then(|resource| board.slot_of(node, resource));
    match slot {
        Some(slot) => Ok(Field::Resource(slot)),
        None if resource == "observable" => Ok(Field::Observers(node)),
        None => Err(unknown()),
    }
}

fn named(json: &Json) -> Result<NamedMove, String> {
    let object = json::object(json, "the move", &["when", "choose", "with"])?;
    let choice = object.get("choose").and_then(Json::as_str).ok_or("`choose` must be a name")?;
    let mut values: Vec<(Arc<str>, Value)> = Vec::new();
    if let Some(arguments) = object.get("with") {
        for (name, value) in arguments.as_object().ok_or("`with` must be an object")? {
            let value = json::read(value).map_err(|error| error.to_string())?;
            let value = value.ok_or_else(|| format!("missing value of `{name}`"))?;
            values.push((name.as_str().into(), value));
        }
    }
    Ok(NamedMove { choice: choice.into(), values })
}

/// Returns a key that is the same for equal values and different for others.
pub(crate) fn key(value: Option<&Value>) -> String {
    match value {
        None => "null".into(),
        Some(Value::Text(text)) => format!("\"{text}\""),
        Some(Value::Set(_)) => format!("\"{}\"", value.map(ToString::to_string).unwrap_or_default()),
        Some(value) => match value.as_f64() {
            // Adding 0 turns the negative zero into the positive one.
            Some(number) => (number + 0.0).to_string(),
            None => value.to_string(),
        },
    }
}
