//! Reading of plans in a model's reply.

use goalspec_syntax::{SourceFile, Span};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::names::english_name;

/// An action: an object is put onto another or onto the table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Move {
    /// The moved object.
    pub object: String,
    /// The object that it is put on; `None` for the table.
    pub target: Option<String>,
}

impl Move {
    /// Returns the sentence of the action.
    pub fn sentence(&self) -> String {
        let object = english_name(&self.object);
        let target = self.target.as_deref().map_or_else(|| crate::names::TABLE.to_owned(), english_name);
        format!("Move the {object} onto the {target}.")
    }
}

/// The form in plan files: `[x, y]` for x onto y, `x` for x onto the table.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.target {
            Some(target) => (&self.object, target).serialize(serializer),
            None => self.object.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            OntoObject(String, String),
            OntoTable(String),
        }
        Ok(match Form::deserialize(deserializer)? {
            Form::OntoObject(object, target) => Self { object, target: Some(target) },
            Form::OntoTable(object) => Self { object, target: None },
        })
    }
}

/// Returns the sentences of a plan, one per line, without a newline at the end.
pub fn text(plan: &[Move]) -> String {
    plan.iter().map(Move::sentence).collect::<Vec<_>>().join("\n")
}

/// A line of a reply that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanLine {
    /// The action; `None` if the line is not one.
    pub action: Option<Move>,
    /// The place of the line, without surrounding white space.
    pub span: Span,
}

/// Reads the lines of a reply.
///
/// A line is an action only if all of it is `Move the X onto the Y.` or `Move the X onto the table.`, with the longest possible X. Case,
/// articles and the full stop matter, as in the published program.
pub fn read(file: &SourceFile) -> Vec<PlanLine> {
    let mut lines = Vec::new();
    let mut start = 0;
    // Only line feeds end a line; a carriage return is white space.
    for line in file.text().split_inclusive('\n') {
        let content = line.trim_matches(is_space);
        let offset = start + line.len() - line.trim_start_matches(is_space).len();
        start += line.len();
        if !content.is_empty() {
            let span = Span::new(file.id(), offset as u32, (offset + content.len()) as u32);
            lines.push(PlanLine { action: action(content), span });
        }
    }
    lines
}

/// Whether Python's `str.strip` removes the character.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}

/// Reads one line.
fn action(line: &str) -> Option<Move> {
    const ONTO: &str = " onto the ";
    let rest = line.strip_prefix("Move the ")?;
    if let Some(object) = rest.strip_suffix(" onto the table.").filter(|object| !object.is_empty()) {
        return Some(Move { object: object.to_owned(), target: None });
    }
    let rest = rest.strip_suffix('.')?;
    // The longest object that leaves a target.
    let (object, target) = rest.rmatch_indices(ONTO).find_map(|(at, _)| {
        let (object, target) = (&rest[..at], &rest[at + ONTO.len()..]);
        (!object.is_empty() && !target.is_empty()).then_some((object, target))
    })?;
    Some(Move { object: object.to_owned(), target: Some(target.to_owned()) })
}
