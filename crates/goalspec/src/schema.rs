//! The JSON Schema of the JSON output.

/// The JSON Schema (draft 2020-12) of every JSON document and JSON Lines record that the command `goalspec` prints.
///
/// A definition `COMMAND_json` describes a document and a definition `COMMAND_jsonl` a line; the other definitions
/// are their parts. The last number in `$id` is the version: it increases when a key is removed, renamed or given
/// another type or meaning, and stays the same when a key is added.
pub const REPORT: &str = include_str!("schema/report.json");
