//! Matches of patterns: their groups, their bounds and their methods.

use std::sync::Arc;

use super::super::LibraryObject;
use super::program::Regex;
use super::search::Slots;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::ResultType;
use crate::machine::methods::MethodParameters::{Many, One, Unpacked};
use crate::machine::methods::{MethodRow as Row, bound_receiver};
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::{HeapRef, Value};

/// The methods of matches.
pub(in crate::machine::library) static MATCH_METHODS: [Row; 7] = [
    Row::of_object("Match.end", Unpacked { min: 0, max: 1 }, |m, at, a| {
        m.match_bounds(at, a).map(|[_, end]| Value::Int(end))
    })
    .with_result(ResultType::Int),
    Row::of_object("Match.expand", One, |m, at, a| m.expand_match(at, a[0])),
    Row::of_object("Match.group", Many, |m, at, a| match *a {
        [] => m.match_item(at, Value::Int(0)),
        [group] => m.match_item(at, group),
        _ => {
            let mut parts = Vec::with_capacity(a.len());
            for &group in a {
                parts.push(m.match_item(at, group)?);
            }
            Ok(m.heap.tuple(parts))
        }
    }),
    Row::named("Match.groupdict", DEFAULT_GROUP, |m, receiver, b| m.groups_by_name(bound_receiver(receiver), b.get(0))),
    Row::named("Match.groups", DEFAULT_GROUP, |m, receiver, b| m.all_groups(bound_receiver(receiver), b.get(0))),
    Row::of_object("Match.span", Unpacked { min: 0, max: 1 }, |m, at, a| {
        let bounds = m.match_bounds(at, a)?;
        Ok(m.heap.tuple(bounds.map(Value::Int)))
    }),
    Row::of_object("Match.start", Unpacked { min: 0, max: 1 }, |m, at, a| {
        m.match_bounds(at, a).map(|[start, _]| Value::Int(start))
    })
    .with_result(ResultType::Int),
];

const DEFAULT_GROUP: NamedParameters<'static> = NamedParameters::new(Origin::C, &["default"]).with_required(0);

/// A match of a pattern.
#[derive(Debug, Clone)]
pub(crate) struct MatchObject {
    pub(super) regex: Arc<Regex>,
    pub(in crate::machine::library) pattern: Value,
    pub(in crate::machine::library) text: Value,
    pub(super) slots: Slots,
    /// The bounds of the search.
    pub(super) bounds: [usize; 2],
}

impl Machine {
    /// Returns the index of a group that a number or a name denotes.
    fn group_index(&mut self, found: &MatchObject, group: Value) -> ExecResult<usize> {
        let index = match self.as_text(group) {
            Some(name) => found.regex.names.iter().find(|(other, _)| other == &*name).map(|&(_, index)| index),
            None => usize::try_from(self.as_index(group)?).ok(),
        };
        match index.filter(|&index| index <= found.regex.group_count) {
            Some(index) => Ok(index),
            None => Err(self.raise(ExceptionKind::IndexError, "no such group")),
        }
    }

    pub(super) fn match_parts(&self, at: HeapRef) -> Option<(MatchObject, Arc<str>)> {
        let Some(LibraryObject::Match(found)) = self.library_object(at) else { return None };
        let text = self.as_text(found.text)?;
        Some(((**found).clone(), text))
    }

    fn group_text(&mut self, found: &MatchObject, text: &str, group: usize, default: Value) -> Value {
        match (found.slots[2 * group], found.slots[2 * group + 1]) {
            (Some(start), Some(end)) => self.heap.text(&text[start..end]),
            _ => default,
        }
    }

    /// Returns the item of a match: the text of a group.
    pub(in crate::machine) fn match_item(&mut self, at: HeapRef, group: Value) -> ExecResult {
        let Some((found, text)) = self.match_parts(at) else { return Ok(Value::None) };
        self.charge_text(text.len())?;
        let group = self.group_index(&found, group)?;
        Ok(self.group_text(&found, &text, group, Value::None))
    }

    /// Implements `groups`.
    fn all_groups(&mut self, at: HeapRef, default: Option<Value>) -> ExecResult {
        let Some((found, text)) = self.match_parts(at) else { return Ok(Value::None) };
        self.charge_text(text.len())?;
        let default = default.unwrap_or(Value::None);
        let count = found.regex.group_count;
        let parts: Vec<Value> = (1..=count).map(|group| self.group_text(&found, &text, group, default)).collect();
        Ok(self.heap.tuple(parts))
    }

    /// Implements `groupdict`.
    fn groups_by_name(&mut self, at: HeapRef, default: Option<Value>) -> ExecResult {
        let Some((found, text)) = self.match_parts(at) else { return Ok(Value::None) };
        self.charge_text(text.len())?;
        let default = default.unwrap_or(Value::None);
        let dict = self.empty_dict();
        for (name, group) in &found.regex.names {
            let (key, value) = (self.heap.text(name), self.group_text(&found, &text, *group, default));
            self.set_entry(dict, key, value)?;
        }
        Ok(Value::Ref(dict))
    }

    /// Returns the start and the end of a group in characters, `-1` for a group that does not take part.
    fn match_bounds(&mut self, at: HeapRef, arguments: &[Value]) -> ExecResult<[i64; 2]> {
        let Some((found, text)) = self.match_parts(at) else { return Ok([-1; 2]) };
        self.charge_text(text.len())?;
        let group = match arguments.first() {
            Some(&group) => self.group_index(&found, group)?,
            None => 0,
        };
        Ok([2 * group, 2 * group + 1]
            .map(|slot| found.slots[slot].map_or(-1, |end| text[..end].chars().count() as i64)))
    }
}

impl MatchObject {
    /// Returns the estimated bytes.
    pub(in crate::machine::library) fn bytes(&self) -> usize {
        size_of::<Self>() + self.slots.len() * size_of::<Option<usize>>()
    }
}
