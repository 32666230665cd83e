//! Boards as SVG.

use std::collections::HashMap;
use std::fmt::Write;

use crate::board::{BoardView, NodeView};
use crate::color;
use crate::dot::observers_text;
use crate::layout::{Point, positions};

/// Maximum number of nodes that a legible picture can show.
pub const MAX_NODES: usize = 300;

/// Maximum number of vectors that a legible picture can show.
pub const MAX_VECTORS: usize = 3000;

/// The estimated width of a character, in pixels.
const CHARACTER: f64 = 7.2;
/// The line height, in pixels.
const LINE: f64 = 16.0;
/// The minimum gap between two boxes, in pixels.
const GAP: f64 = 48.0;
/// Maximum factor by which a picture is enlarged to separate boxes.
const MAX_STRETCH: f64 = 8.0;
/// The margin of the picture, in pixels.
const MARGIN: f64 = 24.0;
/// The distance between parallel vectors, in pixels.
const VECTOR_SPACING: f64 = 22.0;

/// The error for a board that is too large for a legible picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardTooLargeError {
    /// The number of nodes of the board.
    pub nodes: usize,
    /// The number of vectors of the board.
    pub vectors: usize,
}

impl std::fmt::Display for BoardTooLargeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { nodes, vectors } = self;
        write!(
            f,
            "the board has {nodes} nodes and {vectors} vectors and exceeds the limit of {MAX_NODES} nodes or {MAX_VECTORS} vectors"
        )
    }
}

impl std::error::Error for BoardTooLargeError {}

/// A node with the center and size of its box, in pixels.
struct NodeBox<'p> {
    node: &'p NodeView,
    middle: [f64; 2],
    size: [f64; 2],
}

/// Returns the board as a standalone SVG document.
///
/// A node is a box with its name and values. If exactly one team sees the node, the outline has the colour of that team; if no team
/// sees it, the outline is dashed. Dots in the colours of the teams mark which teams see the node. An owned node is shaded.
///
/// # Errors
/// Returns an error if there are more than [`MAX_NODES`] nodes or [`MAX_VECTORS`] vectors.
pub fn write(picture: &BoardView) -> Result<String, BoardTooLargeError> {
    let (nodes, vectors) = (picture.nodes.len(), picture.vectors.len());
    if nodes > MAX_NODES || vectors > MAX_VECTORS {
        return Err(BoardTooLargeError { nodes, vectors });
    }
    let boxes = boxes(picture);
    let keys = legend(picture);
    let [width, height] = [0, 1].map(|axis| {
        let end = boxes.iter().map(|shown| shown.middle[axis] + shown.size[axis] / 2.0).fold(0.0, f64::max);
        (end + MARGIN).max(200.0)
    });
    let longest = keys.iter().map(|key| key.text.chars().count()).chain([picture.title.chars().count()]).max();
    let width = width.max(longest.unwrap_or(0) as f64 * CHARACTER * 1.4 + 3.0 * MARGIN);
    let all = height + LINE * keys.len() as f64 + MARGIN;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {all:.0}\" width=\"{width:.0}\" height=\"{all:.0}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n<title>{0}</title>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#555555\"/></marker></defs>\n<rect width=\"100%\" height=\"100%\" \
         fill=\"white\"/>\n<text x=\"{MARGIN}\" y=\"{1:.1}\" font-size=\"16\" font-weight=\"bold\">{0}</text>\n",
        escaped(&picture.title),
        MARGIN + 4.0,
    );
    for (bend, (from, to, id)) in curvatures(picture).into_iter().zip(&picture.vectors) {
        vector(&mut out, &boxes[*from], &boxes[*to], id, bend);
    }
    for shown in &boxes {
        node(&mut out, picture, shown);
    }
    for (at, key) in keys.iter().enumerate() {
        let y = height + LINE * (at as f64 + 1.0);
        let mark = key.mark.replace("{x}", &format!("{MARGIN}")).replace("{y}", &format!("{:.1}", y - 4.0));
        let _ = writeln!(out, "{mark}<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", MARGIN + 20.0, escaped(&key.text));
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// An entry of the legend.
struct LegendEntry {
    /// The SVG of the mark, with placeholders `{x}` and `{y}`.
    mark: String,
    text: String,
}

/// Returns the legend of the marks that occur in a picture.
fn legend(picture: &BoardView) -> Vec<LegendEntry> {
    let team = |(place, name): (usize, &std::sync::Arc<str>)| LegendEntry {
        mark: format!("<circle cx=\"{{x}}\" cy=\"{{y}}\" r=\"5\" fill=\"{}\"/>", color::of_team(place)),
        text: format!("seen by {name}"),
    };
    let rect = |style: &str| {
        format!(
            "<rect x=\"{{x}}\" y=\"{{y}}\" width=\"14\" height=\"9\" rx=\"2\" transform=\"translate(-7 -4.5)\" {style}/>"
        )
    };
    let mut keys: Vec<LegendEntry> = picture.teams.iter().enumerate().map(team).collect();
    if picture.nodes.iter().any(|node| node.observers.is_empty()) {
        let style =
            format!("fill=\"white\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"4 2\"", color::UNSEEN_NODE);
        keys.push(LegendEntry { mark: rect(&style), text: "seen by no team".to_owned() });
    }
    if picture.nodes.iter().any(|node| node.owned == Some(true)) {
        let style = format!("fill=\"{}\" stroke=\"{}\"", color::OWNED_FILL, color::SHARED_NODE);
        keys.push(LegendEntry { mark: rect(&style), text: "owned".to_owned() });
    }
    keys
}

/// Returns the curvature of each vector: its signed distance from the straight line between its nodes, in pixels, such that vectors
/// between the same two nodes are separated. For a loop, returns the number of earlier loops at the same node.
fn curvatures(picture: &BoardView) -> Vec<f64> {
    let pair = |&(from, to, _): &(usize, usize, std::sync::Arc<str>)| (from.min(to), from.max(to));
    let mut all: HashMap<(usize, usize), usize> = HashMap::new();
    for vector in &picture.vectors {
        *all.entry(pair(vector)).or_default() += 1;
    }
    let mut before: HashMap<(usize, usize), usize> = HashMap::new();
    let bend = |vector| {
        let (pair, place) = (pair(vector), before.entry(pair(vector)).or_default());
        let at = *place as f64;
        *place += 1;
        if pair.0 == pair.1 { at } else { VECTOR_SPACING * (at - (all[&pair] as f64 - 1.0) / 2.0) }
    };
    picture.vectors.iter().map(bend).collect()
}

/// Returns boxes that fit the texts of the nodes, placed so that they overlap little.
fn boxes(picture: &BoardView) -> Vec<NodeBox<'_>> {
    let ends: Vec<(usize, usize)> = picture.vectors.iter().map(|&(from, to, _)| (from, to)).collect();
    let positions = positions(picture.nodes.len(), &ends);
    let sizes: Vec<[f64; 2]> = picture.nodes.iter().map(size).collect();
    let [widest, highest] = [0, 1].map(|axis| sizes.iter().map(|size| size[axis]).fold(0.0, f64::max));
    let across = (picture.nodes.len() as f64).sqrt().ceil().max(1.0) - 1.0;
    let span = [1.7 * across * (widest + GAP), 1.7 * across * (highest + GAP)];
    let stretch = stretch(&positions, &sizes, span);
    let boxes = picture.nodes.iter().zip(positions).zip(sizes).map(|((node, place), size)| {
        let middle = [
            MARGIN + widest / 2.0 + place[0] * span[0] * stretch,
            MARGIN + 2.0 * LINE + highest / 2.0 + place[1] * span[1] * stretch,
        ];
        NodeBox { node, middle, size }
    });
    boxes.collect()
}

/// Returns the factor by which the picture must be enlarged so that no two boxes overlap, at most [`MAX_STRETCH`].
fn stretch(positions: &[Point], sizes: &[[f64; 2]], span: [f64; 2]) -> f64 {
    let mut stretch = 1.0_f64;
    for one in 0..positions.len() {
        for other in 0..one {
            let needed = |axis: usize| {
                let apart = (positions[one][axis] - positions[other][axis]).abs() * span[axis];
                (f64::midpoint(sizes[one][axis], sizes[other][axis]) + GAP) / apart.max(1e-9)
            };
            stretch = stretch.max(needed(0).min(needed(1)));
        }
    }
    stretch.min(MAX_STRETCH)
}

/// Returns the size of a node's box.
fn size(node: &NodeView) -> [f64; 2] {
    let longest = lines(node).iter().map(|line| line.chars().count()).max().unwrap_or(0);
    // Names are bold.
    let longest = longest.max(node.name.chars().count() + 2);
    let count = lines(node).len() as f64;
    [(longest as f64 * CHARACTER + 24.0).max(64.0), LINE * (count + 1.0) + 12.0]
}

/// Returns the lines below the name of a node.
fn lines(node: &NodeView) -> Vec<String> {
    let values = node.values.iter().map(|(name, value)| format!("{name}: {value}"));
    values.chain((node.omitted_values > 0).then(|| format!("and {} more", node.omitted_values))).collect()
}

fn node(out: &mut String, picture: &BoardView, shown: &NodeBox<'_>) {
    let NodeBox { node, middle: [x, y], size: [width, height] } = shown;
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let dashes = if node.observers.is_empty() { " stroke-dasharray=\"5 3\"" } else { "" };
    let fill = if node.owned == Some(true) { color::OWNED_FILL } else { "white" };
    let _ = writeln!(
        out,
        "<g><title>{}</title><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\" \
         fill=\"{fill}\" stroke=\"{}\" stroke-width=\"2\"{dashes}/>",
        escaped(&observers_text(picture, node)),
        node.color(picture.teams.len()),
    );
    let mut line = top + LINE + 3.0;
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{line:.1}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
        escaped(&node.name)
    );
    for text in lines(node) {
        line += LINE;
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{line:.1}\">{}</text>", left + 12.0, escaped(&text));
    }
    for (at, &team) in node.observers.iter().enumerate() {
        let right = left + width - 12.0 - 13.0 * at as f64;
        let color = color::of_team(team);
        let _ = writeln!(
            out,
            "<circle cx=\"{right:.1}\" cy=\"{top:.1}\" r=\"5.5\" fill=\"{color}\" stroke=\"white\" stroke-width=\"1.5\"/>"
        );
    }
    out.push_str("</g>\n");
}

fn vector(out: &mut String, from: &NodeBox<'_>, to: &NodeBox<'_>, id: &str, bend: f64) {
    let (path, label) = if std::ptr::eq(from, to) { loop_path(from, bend) } else { curved_path(from, to, bend) };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"#555555\" stroke-width=\"1.2\" marker-end=\"url(#head)\"/>"
    );
    if !id.is_empty() {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#333333\" font-size=\"11\" stroke=\"white\" \
             stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            label[0],
            label[1] + 4.0,
            escaped(id)
        );
    }
}

/// Returns the path of a loop and the position of its label.
fn loop_path(shown: &NodeBox<'_>, before: f64) -> (String, [f64; 2]) {
    let (x, y) = (shown.middle[0] + shown.size[0] / 2.0, shown.middle[1]);
    let reach = 30.0 + 14.0 * before;
    let (start, end, beyond) = (y - 6.0, y + 6.0, x + reach);
    let path = format!("M{x:.1} {start:.1}C{beyond:.1} {:.1} {beyond:.1} {:.1} {x:.1} {end:.1}", y - reach, y + reach);
    (path, [x + reach * 0.8, y])
}

/// Returns the path of a vector and the position of its label.
fn curved_path(from: &NodeBox<'_>, to: &NodeBox<'_>, bend: f64) -> (String, [f64; 2]) {
    let ([x1, y1], [x2, y2]) = (from.middle, to.middle);
    // The direction is canonical, so the sign of `bend` denotes the same side for a vector and its reverse.
    let forth = (x1, y1) <= (x2, y2);
    let [dx, dy] = if forth { [x2 - x1, y2 - y1] } else { [x1 - x2, y1 - y2] };
    let length = dx.hypot(dy).max(1.0);
    let control = [f64::midpoint(x1, x2) - dy / length * 2.0 * bend, f64::midpoint(y1, y2) + dx / length * 2.0 * bend];
    let (start, end) = (boundary_point(from, control), boundary_point(to, control));
    let path =
        format!("M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", start[0], start[1], control[0], control[1], end[0], end[1]);
    // Labels are closer to the target, so that the labels of a vector and its reverse are separated.
    let at = |axis: usize| 0.16 * start[axis] + 0.48 * control[axis] + 0.36 * end[axis];
    (path, [at(0), at(1)])
}

/// Returns the point where the line from the center of a box to `to` leaves the box.
fn boundary_point(shown: &NodeBox<'_>, to: [f64; 2]) -> [f64; 2] {
    let way = [to[0] - shown.middle[0], to[1] - shown.middle[1]];
    let part = |axis: usize| (shown.size[axis] / 2.0) / way[axis].abs().max(1e-9);
    let share = part(0).min(part(1)).min(1.0);
    [shown.middle[0] + way[0] * share, shown.middle[1] + way[1] * share]
}

/// Escapes a text for XML. Characters that XML does not allow are replaced.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}
