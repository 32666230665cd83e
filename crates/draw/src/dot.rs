//! Boards in DOT, the language of Graphviz.

use std::fmt::Write;

use crate::board::{BoardView, NodeView};
use crate::color;

/// Returns the board as a directed graph, which `dot -Tsvg` draws.
///
/// If exactly one team sees a node, its outline has the colour of that team. A node that no team sees is dashed, and an owned node is
/// filled.
pub fn write(picture: &BoardView) -> String {
    let mut out = String::from("digraph {\n");
    let _ = writeln!(out, "  label={}; labelloc=t;", quoted(&picture.title));
    out.push_str("  node [shape=box, penwidth=2, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n");
    for (place, node) in picture.nodes.iter().enumerate() {
        let _ = writeln!(
            out,
            "  n{place} [label={}, color=\"{}\", style=\"{}\"{}, tooltip={}];",
            label(node),
            node.color(picture.teams.len()),
            style(node),
            if node.owned == Some(true) { format!(", fillcolor=\"{}\"", color::OWNED_FILL) } else { String::new() },
            quoted(&observers_text(picture, node)),
        );
    }
    for (from, to, id) in &picture.vectors {
        let _ = match &**id {
            "" => writeln!(out, "  n{from} -> n{to};"),
            id => writeln!(out, "  n{from} -> n{to} [label={}];", quoted(id)),
        };
    }
    out.push_str("}\n");
    out
}

/// Lists the teams that see a node, in words.
pub(crate) fn observers_text(picture: &BoardView, node: &NodeView) -> String {
    let names: Vec<&str> = node.observers.iter().map(|&team| &*picture.teams[team]).collect();
    if names.is_empty() { "seen by no team".to_owned() } else { format!("seen by {}", names.join(", ")) }
}

fn style(node: &NodeView) -> &'static str {
    match (node.observers.is_empty(), node.owned == Some(true)) {
        (false, false) => "rounded",
        (false, true) => "rounded,filled",
        (true, false) => "rounded,dashed",
        (true, true) => "rounded,dashed,filled",
    }
}

/// Returns the label of a node: its name and its values, one per line.
fn label(node: &NodeView) -> String {
    let values = node.values.iter().map(|(name, value)| format!("{name}: {value}"));
    let more = (node.omitted_values > 0).then(|| format!("and {} more", node.omitted_values));
    let lines = std::iter::once(node.name.to_string()).chain(values).chain(more);
    let lines: Vec<String> = lines.map(|line| escaped(&line)).collect();
    format!("\"{}\"", lines.join("\\n"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Escapes a text for a quoted DOT string: backslashes, quotes and line breaks.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], "\\n")
}
