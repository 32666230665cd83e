//! A board as DOT, the language of Graphviz.

use std::fmt::Write;

use crate::board::{Picture, Shown};
use crate::color;

/// The board as a directed graph: `dot -Tsvg` draws it.
///
/// The outline of a node has the colour of the team that alone sees it; a node that nobody sees is dashed, one that is owned filled.
pub fn write(picture: &Picture) -> String {
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
            if node.owned == Some(true) { format!(", fillcolor=\"{}\"", color::OWNED) } else { String::new() },
            quoted(&seen_by(picture, node)),
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

/// Who sees a node, in words.
pub(crate) fn seen_by(picture: &Picture, node: &Shown) -> String {
    let names: Vec<&str> = node.seen_by.iter().map(|&team| &*picture.teams[team].0).collect();
    if names.is_empty() { "seen by nobody".to_owned() } else { format!("seen by {}", names.join(", ")) }
}

fn style(node: &Shown) -> &'static str {
    match (node.seen_by.is_empty(), node.owned == Some(true)) {
        (false, false) => "rounded",
        (false, true) => "rounded,filled",
        (true, false) => "rounded,dashed",
        (true, true) => "rounded,dashed,filled",
    }
}

/// The name and the values, line by line.
fn label(node: &Shown) -> String {
    let values = node.values.iter().map(|(name, value)| format!("{name}: {value}"));
    let more = (node.more > 0).then(|| format!("and {} more", node.more));
    let lines = std::iter::once(node.name.to_string()).chain(values).chain(more);
    let lines: Vec<String> = lines.map(|line| escaped(&line)).collect();
    format!("\"{}\"", lines.join("\\n"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text for quotes: a backslash begins an escape there, and a line end is one.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], "\\n")
}
