//! The keys of each table of a world file, with their documentation, for editors.

use std::fmt::Write as _;

use goalspec_syntax::{SourceFile, Span};

use super::document::{self, Node, NodeValue};
use crate::value::ValueKind;
use crate::world::operation::{Measure, Operation, OperationDoc};
use crate::world::tracker::Tracker;

/// A key of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyDoc {
    /// The key.
    pub name: &'static str,
    /// One sentence about its value.
    pub summary: &'static str,
}

const fn key(name: &'static str, summary: &'static str) -> KeyDoc {
    KeyDoc { name, summary }
}

/// The keys of a whole file.
pub const FILE: [KeyDoc; 11] = [
    key("name", "The name of the world, to which programs refer."),
    key("extends", "The name of a world whose declarations this one adds to."),
    key("settings", "Named constants, written `$name` in definitions and in settings of operations."),
    key("types", "The types of objects, each with its supertypes."),
    key("symbols", "For each type, the names of further types, each with one object of the same name."),
    key("attributes", "The attributes of the objects of a type, such as numbers and references to objects."),
    key("objects", "The objects, each with its type."),
    key("functions", "The numeric functions that programs may use."),
    key("predicates", "The predicates that programs may use."),
    key("trackers", "Attributes that are computed from the states so far."),
    key("recording", "The mapping of recordings to attributes."),
];

/// The keys of a type.
pub const TYPE: [KeyDoc; 4] = [
    key("of", "The supertype, or a list of several."),
    key("doc", "One line of documentation."),
    key("discover", "Whether recordings may bring objects of this type that the world does not declare."),
    key("values", "The values of attributes of the objects of this type."),
];

/// The keys of an attribute.
pub const ATTRIBUTE: [KeyDoc; 5] = [
    key("kind", "The kind of the values: `bool`, `int`, `real`, `vec3`, `orientation`, `object`, `set` or `text`."),
    key("of", "The type of the objects that have the attribute, or a list of several."),
    key("required", "Whether every state must have a value."),
    key("doc", "One line of documentation, with the unit."),
    key("default", "The value in states that do not set one."),
];

/// The keys of an object.
pub const OBJECT: [KeyDoc; 5] = [
    key("type", "The type, or a list of several."),
    key("name", "The name, or a list of several, by which programs refer to the object."),
    key("aliases", "Further identifiers of the object in recordings."),
    key("count", "The number of objects of this form; `{n}` in the identifier stands for the number of each."),
    key("values", "The initial values of attributes."),
];

/// The keys of a predicate.
pub const PREDICATE: [KeyDoc; 11] = [
    key("parameters", "The parameters with their types: `\"?a ?b - thing\"`."),
    key("optional", "The number of parameters at the end that may be omitted."),
    key("type_names", "The parameters that accept the name of a type instead of an object."),
    key("doc", "One line of documentation."),
    key("phrase", "A description with `{0}` for the first argument: `\"{0} is in {1}\"`."),
    key("stored", "Whether states store the facts of the predicate."),
    key("flag", "The Boolean attribute of the argument that the predicate reads."),
    key("operation", "The operation of the library that computes the predicate."),
    key("settings", "The settings of the operation."),
    key("holds", "The condition that defines the predicate: `\"(and (hot ?v) (in ?v ?a))\"`."),
    key("unavailable", "The reason for which this world cannot evaluate the predicate."),
];

/// The keys of a function.
pub const FUNCTION: [KeyDoc; 11] = [
    key("parameters", "The parameters with their types: `\"?a ?b - thing\"`."),
    key("optional", "The number of parameters at the end that may be omitted."),
    key("type_names", "The parameters that accept the name of a type instead of an object."),
    key("doc", "One line of documentation, with the unit."),
    key("phrase", "A description with `{0}` for the first argument: `\"the water in {0}\"`."),
    key("stored", "Whether states store the values of the function."),
    key("attribute", "The numeric attribute of the argument that the function reads."),
    key("operation", "The operation of the library that computes the function."),
    key("settings", "The settings of the operation."),
    key("value", "The expression that defines the function: `\"(- (capacity ?v) (water ?v))\"`."),
    key("unavailable", "The reason for which this world cannot evaluate the function."),
];

/// The keys of a tracker.
pub const TRACKER: [KeyDoc; 2] = [
    key("operation", "The operation of the library that computes the attribute."),
    key("settings", "The settings of the operation."),
];

/// The keys of the mapping of recordings.
pub const RECORDING: [KeyDoc; 6] = [
    key("scenes", "The names of the scenes whose recordings belong to this world."),
    key("ignored", "The identifiers of objects that are skipped."),
    key("agent", "The object to which the fields of the agent belong."),
    key("object_fields", "Pairs of a field of an object and the attribute that it sets."),
    key("agent_fields", "Pairs of a field of the agent and the attribute that it sets."),
    key("corrections", "Corrections of recorded values."),
];

/// The keys of a correction of recorded values.
pub const CORRECTION: [KeyDoc; 4] = [
    key("objects", "The objects or types whose values are corrected."),
    key("replace", "Attributes with the values that replace recorded ones."),
    key("shift", "Attributes with the vectors that are added to recorded ones."),
    key("shrink_to_bottom", "The bounding box that is reduced to a part at its bottom."),
];

/// Returns the keys of the table at a path, such as `["predicates", "on"]`; none if its keys are names.
pub fn keys_at<'p>(path: impl IntoIterator<Item = &'p str>) -> &'static [KeyDoc] {
    let path: Vec<&str> = path.into_iter().collect();
    match path[..] {
        [] => &FILE,
        ["types", _] => &TYPE,
        ["attributes", _] => &ATTRIBUTE,
        ["objects", _] => &OBJECT,
        ["predicates", _] => &PREDICATE,
        ["functions", _] => &FUNCTION,
        ["trackers"] => &TRACKER,
        ["recording"] => &RECORDING,
        ["recording", "corrections"] => &CORRECTION,
        _ => &[],
    }
}

/// Returns the names of the kinds of attributes.
pub fn attribute_kinds() -> impl Iterator<Item = &'static str> {
    super::loader::ALL.into_iter().map(ValueKind::name)
}

/// Iterates over the operations that predicates, functions and trackers may name.
pub fn operations() -> impl Iterator<Item = &'static OperationDoc> {
    [Operation::NAMES, Measure::NAMES, Tracker::DOCS].into_iter().flatten()
}

/// Returns the documentation of the key, the operation or the setting of an operation at an offset of a file, with its span.
pub fn documentation_at(source: &SourceFile, offset: u32) -> Option<(Span, String)> {
    let root = document::read(source, &mut Vec::new())?;
    let mut path: Vec<&str> = Vec::new();
    let mut operation: Option<&OperationDoc> = None;
    let mut node: &Node = &root;
    // Each turn enters a value that contains the offset, so their number is at most the depth of the file.
    loop {
        let contains = |span: Span| span.start <= offset && offset <= span.end;
        match &node.value {
            NodeValue::List(items) => node = items.iter().find(|item| contains(item.span))?,
            NodeValue::Table(entries) => {
                let named =
                    entries.iter().find(|entry| entry.key == "operation").and_then(|entry| entry.node.text().ok());
                operation = named.and_then(operation_named).or(operation);
                if let Some(entry) = entries.iter().find(|entry| contains(entry.key_span)) {
                    return describe_key(&path, &entry.key, operation).map(|text| (entry.key_span, text));
                }
                // The table of a header such as `[predicates.on]` has the span of the header only.
                let around = |entry: &&document::Entry| contains(entry.node.span) || holds(&entry.node, offset);
                let entry = entries.iter().find(around)?;
                if entry.key == "operation" {
                    let doc = entry.node.text().ok().and_then(operation_named)?;
                    return Some((entry.node.span, describe_operation(doc)));
                }
                path.push(&entry.key);
                node = &entry.node;
            }
            _ => return None,
        }
    }
}

/// Whether a key or value inside of a table contains an offset. The recursion is bounded by the depth of the file.
fn holds(node: &Node, offset: u32) -> bool {
    let contains = |span: Span| span.start <= offset && offset <= span.end;
    match &node.value {
        NodeValue::Table(entries) => entries
            .iter()
            .any(|entry| contains(entry.key_span) || contains(entry.node.span) || holds(&entry.node, offset)),
        NodeValue::List(items) => items.iter().any(|item| contains(item.span) || holds(item, offset)),
        _ => false,
    }
}

fn operation_named(name: &str) -> Option<&'static OperationDoc> {
    operations().find(|doc| doc.name == name)
}

fn describe_key(path: &[&str], key: &str, operation: Option<&OperationDoc>) -> Option<String> {
    if path.last() == Some(&"settings") {
        let (name, text) = operation?.settings.iter().find(|(name, _)| *name == key)?;
        return Some(format!("`{name}`\n\n{text}"));
    }
    let doc = keys_at(path.iter().copied()).iter().find(|doc| doc.name == key)?;
    Some(format!("`{}`\n\n{}", doc.name, doc.summary))
}

fn describe_operation(doc: &OperationDoc) -> String {
    let mut text = format!("operation `{}` ({})\n\n{}", doc.name, doc.arguments.join(", "), doc.summary);
    for (at, (name, setting)) in doc.settings.iter().enumerate() {
        text.push_str(if at == 0 { "\n\n" } else { "\n" });
        // Writing to a string cannot fail.
        let _ = write!(text, "- `{name}`: {setting}");
    }
    text
}

#[cfg(test)]
mod tests {
    use goalspec_syntax::Sources;

    use super::keys_at;
    use crate::world::file::parse;

    /// The reader of world files knows exactly the keys that are documented.
    #[test]
    fn keys_are_those_that_the_reader_knows() {
        let cases: [(&[&str], &str); 9] = [
            (&[], "zzzz = 1"),
            (&["types", "t"], "[types.t]\nzzzz = 1"),
            (&["attributes", "a"], "[types]\nt = {}\n[attributes.a]\nzzzz = 1\nkind = 'bool'\nof = 't'"),
            (&["objects", "o"], "[types]\nt = {}\n[objects.o]\ntype = 't'\nzzzz = 1"),
            (&["predicates", "p"], "[predicates.p]\nstored = true\nzzzz = 1"),
            (&["functions", "f"], "[functions.f]\nstored = true\nzzzz = 1"),
            (&["trackers"], "[[trackers]]\nzzzz = 1"),
            (&["recording"], "[recording]\nzzzz = 1"),
            (&["recording", "corrections"], "[[recording.corrections]]\nzzzz = 1"),
        ];
        for (path, text) in cases {
            let mut sources = Sources::new();
            let id = sources.add("w.world.toml", format!("name = 'w'\n{text}"));
            let (_, found) = parse(sources.file(id), &mut |_| None);
            let help = found.iter().flat_map(|found| &found.help).find_map(|help| help.strip_prefix("known keys: "));
            let mut known: Vec<&str> = help.unwrap_or_else(|| panic!("{path:?}: {found:?}")).split(", ").collect();
            let mut documented: Vec<&str> = keys_at(path.iter().copied()).iter().map(|key| key.name).collect();
            known.sort_unstable();
            documented.sort_unstable();
            assert_eq!(documented, known, "{path:?}");
        }
    }
}
