//! A board as SVG.

use std::fmt::Write;

use crate::board::{Picture, Shown};
use crate::color;
use crate::dot::seen_by;
use crate::layout::{Point, places};

/// How wide a character is taken to be.
const CHARACTER: f64 = 7.2;
/// From line to line.
const LINE: f64 = 16.0;
/// Between two boxes.
const GAP: f64 = 24.0;
/// How much a picture is stretched at most to keep boxes apart.
const MAX_STRETCH: f64 = 8.0;
/// Around everything.
const MARGIN: f64 = 24.0;

/// A node with its place in the picture: that of its middle.
struct Box<'p> {
    node: &'p Shown,
    middle: [f64; 2],
    size: [f64; 2],
}

/// The board as a picture by itself.
///
/// A node is a box with its name and its values. Its outline has the colour of the team that alone sees it, and is dashed if nobody
/// does; dots in the colours of the teams say who sees it. One that is owned is shaded.
pub fn write(picture: &Picture) -> String {
    let boxes = boxes(picture);
    let [width, height] = [0, 1].map(|axis| {
        let end = boxes.iter().map(|shown| shown.middle[axis] + shown.size[axis] / 2.0).fold(0.0, f64::max);
        (end + MARGIN).max(200.0)
    });
    let legend = LINE * (picture.teams.len() as f64 + 1.0) + MARGIN;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {:.0}\" width=\"{width:.0}\" height=\"{:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n",
        height + legend,
        height + legend,
        escaped(&picture.title),
    );
    out.push_str(
        "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#666666\"/></marker></defs>\n<rect width=\"100%\" height=\"100%\" \
         fill=\"white\"/>\n",
    );
    for (at, (from, to, id)) in picture.vectors.iter().enumerate() {
        // Vectors between the same two nodes are bent apart.
        let same =
            |other: &&(usize, usize, _)| (other.0, other.1) == (*from, *to) || (other.1, other.0) == (*from, *to);
        let among = picture.vectors[..at].iter().filter(same).count();
        vector(&mut out, &boxes[*from], &boxes[*to], id, among);
    }
    for shown in &boxes {
        node(&mut out, picture, shown);
    }
    for (at, (name, color)) in picture.teams.iter().enumerate() {
        let y = height + LINE * (at as f64 + 1.0);
        let _ = writeln!(
            out,
            "<circle cx=\"{MARGIN}\" cy=\"{:.1}\" r=\"5\" fill=\"{color}\"/><text x=\"{:.1}\" y=\"{y:.1}\">seen by {}</text>",
            y - 4.0,
            MARGIN + 12.0,
            escaped(name),
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The nodes as boxes that are large enough for their texts, in a picture that is large enough for the boxes.
fn boxes(picture: &Picture) -> Vec<Box<'_>> {
    let ends: Vec<(usize, usize)> = picture.vectors.iter().map(|&(from, to, _)| (from, to)).collect();
    let places = places(picture.nodes.len(), &ends);
    let sizes: Vec<[f64; 2]> = picture.nodes.iter().map(size).collect();
    let [widest, highest] = [0, 1].map(|axis| sizes.iter().map(|size| size[axis]).fold(0.0, f64::max));
    let across = (picture.nodes.len() as f64).sqrt().ceil().max(1.0) - 1.0;
    let span = [1.7 * across * (widest + GAP), 1.7 * across * (highest + GAP)];
    let stretch = stretch(&places, &sizes, span);
    let boxes = picture.nodes.iter().zip(places).zip(sizes).map(|((node, place), size)| {
        let middle = [
            MARGIN + widest / 2.0 + place[0] * span[0] * stretch,
            MARGIN + highest / 2.0 + place[1] * span[1] * stretch,
        ];
        Box { node, middle, size }
    });
    boxes.collect()
}

/// How much larger the picture has to be for no box to cover another, up to [`MAX_STRETCH`].
fn stretch(places: &[Point], sizes: &[[f64; 2]], span: [f64; 2]) -> f64 {
    let mut stretch = 1.0_f64;
    for one in 0..places.len() {
        for other in 0..one {
            let needed = |axis: usize| {
                let apart = (places[one][axis] - places[other][axis]).abs() * span[axis];
                (f64::midpoint(sizes[one][axis], sizes[other][axis]) + GAP) / apart.max(1e-9)
            };
            stretch = stretch.max(needed(0).min(needed(1)));
        }
    }
    stretch.min(MAX_STRETCH)
}

/// How large the box of a node is.
fn size(node: &Shown) -> [f64; 2] {
    let of_value = |(name, value): &(_, String)| name_length(name) + 2 + value.chars().count();
    let longest = node.values.iter().map(of_value).chain([node.name.chars().count()]).max().unwrap_or(0);
    [(longest as f64 * CHARACTER + 20.0).max(60.0), LINE * (node.values.len() as f64 + 1.0) + 16.0]
}

fn name_length(name: &std::sync::Arc<str>) -> usize {
    name.chars().count()
}

fn node(out: &mut String, picture: &Picture, shown: &Box<'_>) {
    let Box { node, middle: [x, y], size: [width, height] } = shown;
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let dashes = if node.seen_by.is_empty() { " stroke-dasharray=\"5 3\"" } else { "" };
    let fill = if node.owned == Some(true) { "#FFE9A8" } else { "white" };
    let _ = writeln!(
        out,
        "<g><title>{}</title><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\" \
         fill=\"{fill}\" stroke=\"{}\" stroke-width=\"2\"{dashes}/>",
        escaped(&seen_by(picture, node)),
        node.color(picture.teams.len()),
    );
    let mut line = top + LINE;
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{line:.1}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
        escaped(&node.name)
    );
    for (name, value) in &node.values {
        line += LINE;
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{line:.1}\">{}: {}</text>",
            left + 10.0,
            escaped(name),
            escaped(value)
        );
    }
    for (at, &team) in node.seen_by.iter().enumerate() {
        let right = left + width - 8.0 - 10.0 * at as f64;
        let _ = writeln!(
            out,
            "<circle cx=\"{right:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\"/>",
            top + height - 8.0,
            color::of_team(team),
        );
    }
    out.push_str("</g>\n");
}

fn vector(out: &mut String, from: &Box<'_>, to: &Box<'_>, id: &str, among: usize) {
    let ([x1, y1], [x2, y2]) = (from.middle, to.middle);
    let (path, label) = if std::ptr::eq(from, to) {
        let (x, y) = (x1 + from.size[0] / 2.0, y1);
        let reach = 30.0 + 14.0 * among as f64;
        (
            format!(
                "M{x:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x:.1} {:.1}",
                y - 6.0,
                x + reach,
                y - reach,
                x + reach,
                y + reach,
                y + 6.0
            ),
            [x + reach * 0.8, y],
        )
    } else {
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = dx.hypot(dy).max(1.0);
        let bend = 14.0 * among as f64;
        let middle = [f64::midpoint(x1, x2) - dy / length * bend, f64::midpoint(y1, y2) + dx / length * bend];
        let (start, end) = (edge(from, middle), edge(to, middle));
        let path =
            format!("M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", start[0], start[1], middle[0], middle[1], end[0], end[1]);
        (path, middle)
    };
    let _ = writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"#666666\" marker-end=\"url(#head)\"/>");
    if !id.is_empty() {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\" font-size=\"10\">{}</text>",
            label[0],
            label[1] - 3.0,
            escaped(id)
        );
    }
}

/// Where the line from the middle of a box to a point leaves the box.
fn edge(shown: &Box<'_>, to: [f64; 2]) -> [f64; 2] {
    let way = [to[0] - shown.middle[0], to[1] - shown.middle[1]];
    let part = |axis: usize| (shown.size[axis] / 2.0) / way[axis].abs().max(1e-9);
    let share = part(0).min(part(1)).min(1.0);
    [shown.middle[0] + way[0] * share, shown.middle[1] + way[1] * share]
}

/// A text for an XML document; what no such document may have is replaced.
fn escaped(text: &str) -> String {
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
