//! Named spans of numbers on one axis, row below row: bars from 0, or ranges beside what they are compared with.
//!
//! Texts have the colour of the text around the picture, so that it can be read on a dark page and on a light one.

use std::fmt::Write as _;

use crate::chart::Unfit;
use crate::color;
use crate::svg::escaped;

/// How wide a picture is.
const WIDTH: f64 = 760.0;

/// From where to where spans are drawn, between their names and what they come to.
const ROOM: [f64; 2] = [270.0, 650.0];

/// How high a row is.
const ROW: f64 = 22.0;

/// The narrowest span that can still be seen.
const NARROWEST: f64 = 3.0;

/// The longest name, in characters; longer ones are cut.
const NAME: usize = 40;

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// Its name, left of it.
    pub name: String,
    /// Its ends, in any order.
    pub ends: [f64; 2],
    /// What it comes to, right of it.
    pub value: String,
}

/// Spans as SVG. Where they go through 0 or begin there, 0 has a line.
///
/// # Errors
/// If there is none, or a number, or the distance of two, is not finite.
pub fn write(spans: &[Span]) -> Result<String, Unfit> {
    if spans.is_empty() {
        return Err(Unfit::Empty);
    }
    let ends = || spans.iter().flat_map(|span| span.ends);
    let low = ends().fold(f64::INFINITY, f64::min);
    let high = ends().fold(f64::NEG_INFINITY, f64::max);
    if !ends().all(f64::is_finite) || !(high - low).is_finite() {
        return Err(Unfit::NotFinite);
    }
    let scale = if high > low { (ROOM[1] - ROOM[0]) / (high - low) } else { 0.0 };
    let place = |number: f64| ROOM[0] + (number - low) * scale;
    let height = ROW * spans.len() as f64 + 4.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\">\n"
    );
    for (row, span) in spans.iter().enumerate() {
        write_row(&mut out, span, ROW * row as f64 + 2.0, span.ends.map(place));
    }
    if low <= 0.0 && high >= 0.0 {
        let zero = place(0.0);
        let _ = writeln!(
            out,
            "<line x1=\"{zero:.1}\" y1=\"0\" x2=\"{zero:.1}\" y2=\"{height}\" stroke=\"currentColor\" stroke-width=\"1\"/>"
        );
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn write_row(out: &mut String, span: &Span, top: f64, [one, other]: [f64; 2]) {
    let mut short: String = span.name.chars().take(NAME).collect();
    if short.len() < span.name.len() {
        short.push('…');
    }
    let (left, width) = (one.min(other), (one - other).abs());
    let missing = (NARROWEST - width).max(0.0);
    let color = color::of_team(usize::from(span.ends[1] < span.ends[0]));
    let base = top + 15.0;
    let _ = writeln!(
        out,
        "<g><title>{}</title><text x=\"{:.1}\" y=\"{base:.1}\" text-anchor=\"end\">{}</text>\
         <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{color}\"/>\
         <text x=\"{:.1}\" y=\"{base:.1}\">{}</text></g>",
        escaped(&span.name),
        ROOM[0] - 10.0,
        escaped(&short),
        left - missing / 2.0,
        top + 3.0,
        width + missing,
        ROW - 6.0,
        ROOM[1] + 10.0,
        escaped(&span.value),
    );
}
