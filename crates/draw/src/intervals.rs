//! Named bars or intervals on a common horizontal axis, one per row, as SVG.
//!
//! Text inherits the colour of the surrounding page, so a picture is legible on dark and on light backgrounds.

use std::fmt::Write as _;

use crate::chart::ChartError;
use crate::color;
use crate::svg::escaped;

/// The width of a picture, in pixels.
const WIDTH: f64 = 760.0;

/// The horizontal extent of the plot area, in pixels. Names are to its left and values to its right.
const PLOT_AREA: [f64; 2] = [270.0, 650.0];

/// The height of the axis with its ticks and label, in pixels.
const AXIS: f64 = 38.0;

/// The height of a row, in pixels.
const ROW: f64 = 22.0;

/// The minimum width of a bar, in pixels.
const MIN_BAR_WIDTH: f64 = 3.0;

/// Maximum length of a name, in characters; longer names are truncated.
const MAX_NAME_CHARS: usize = 40;

/// A row of a picture: a bar or interval with its name and value.
#[derive(Debug, Clone, PartialEq)]
pub struct IntervalRow {
    /// The name, left of the plot area.
    pub name: String,
    /// The two ends, in any order.
    pub ends: [f64; 2],
    /// The value as text, right of the plot area.
    pub value: String,
}

/// Returns spans as SVG, above an axis with ticks. `label` is the label of the axis, which names the quantity and its unit. If 0 is
/// within the range of the axis, a vertical line marks it.
///
/// # Errors
/// Returns an error if there are no spans, or if an end or the range of all ends is not finite.
pub fn write(spans: &[IntervalRow], label: &str) -> Result<String, ChartError> {
    if spans.is_empty() {
        return Err(ChartError::Empty);
    }
    let ends = || spans.iter().flat_map(|span| span.ends);
    let low = ends().fold(f64::INFINITY, f64::min);
    let high = ends().fold(f64::NEG_INFINITY, f64::max);
    if !ends().all(f64::is_finite) || !(high - low).is_finite() {
        return Err(ChartError::NotFinite);
    }
    let scale = if high > low { (PLOT_AREA[1] - PLOT_AREA[0]) / (high - low) } else { 0.0 };
    let place = |number: f64| PLOT_AREA[0] + (number - low) * scale;
    let bottom = ROW * spans.len() as f64 + 4.0;
    let height = bottom + AXIS;
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
            "<line x1=\"{zero:.1}\" y1=\"0\" x2=\"{zero:.1}\" y2=\"{bottom}\" stroke=\"currentColor\" stroke-width=\"1\"/>"
        );
    }
    write_axis(&mut out, [low, high], bottom, label, place);
    out.push_str("</svg>\n");
    Ok(out)
}

/// Writes the axis below the rows, with its ticks and label.
fn write_axis(out: &mut String, [low, high]: [f64; 2], top: f64, label: &str, place: impl Fn(f64) -> f64) {
    let _ = writeln!(
        out,
        "<line x1=\"{}\" y1=\"{top}\" x2=\"{}\" y2=\"{top}\" stroke=\"currentColor\" stroke-width=\"1\"/>",
        PLOT_AREA[0], PLOT_AREA[1]
    );
    for tick in ticks(low, high) {
        let at = place(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"currentColor\" stroke-width=\"1\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{}</text>",
            top + 4.0,
            top + 16.0,
            escaped(&tick_label(tick)),
        );
    }
    let middle = f64::midpoint(PLOT_AREA[0], PLOT_AREA[1]);
    let base = top + 32.0;
    let _ = writeln!(out, "<text x=\"{middle:.1}\" y=\"{base:.1}\" text-anchor=\"middle\">{}</text>", escaped(label));
}

/// Returns about four round numbers between `low` and `high`, or only `low` if they are equal.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 4.0;
    if rough <= 0.0 || !rough.is_normal() {
        return vec![low];
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil();
    let found = (0..8).map(|count| (first + f64::from(count)) * step).take_while(|tick| *tick <= high + step * 1e-9);
    let found: Vec<f64> = found.collect();
    if found.is_empty() { vec![low] } else { found }
}

/// Formats the number of a tick, without trailing digits that result from binary rounding.
fn tick_label(number: f64) -> String {
    const WRITTEN_OUT: std::ops::Range<f64> = 1e-4..1e7;
    if number == 0.0 {
        return "0".to_owned();
    }
    if !WRITTEN_OUT.contains(&number.abs()) {
        // Nine decimals are enough to distinguish ticks, and hide the rounding errors of their multiples.
        let text = format!("{number:.9e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn write_row(out: &mut String, span: &IntervalRow, top: f64, [one, other]: [f64; 2]) {
    let mut short: String = span.name.chars().take(MAX_NAME_CHARS).collect();
    if short.len() < span.name.len() {
        short.push('…');
    }
    let (left, width) = (one.min(other), (one - other).abs());
    let missing = (MIN_BAR_WIDTH - width).max(0.0);
    let color = color::of_team(usize::from(span.ends[1] < span.ends[0]));
    let base = top + 15.0;
    let _ = writeln!(
        out,
        "<g><title>{}</title><text x=\"{:.1}\" y=\"{base:.1}\" text-anchor=\"end\">{}</text>\
         <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{color}\"/>\
         <text x=\"{:.1}\" y=\"{base:.1}\">{}</text></g>",
        escaped(&span.name),
        PLOT_AREA[0] - 10.0,
        escaped(&short),
        left - missing / 2.0,
        top + 3.0,
        width + missing,
        ROW - 6.0,
        PLOT_AREA[1] + 10.0,
        escaped(&span.value),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_ends() {
        assert_eq!(ticks(0.0, 10.0), [0.0, 5.0, 10.0]);
        assert_eq!(ticks(-3.0, 17.0), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(ticks(7.0, 7.0), [7.0]);
        for (low, high) in [(-1e9, 3.0), (0.0, 1e-7), (12.3, 12.4), (-187.0, -17.0)] {
            let found = ticks(low, high);
            assert!((2..9).contains(&found.len()), "{low} {high}: {found:?}");
            let slack = (high - low) * 1e-6;
            assert!(found.iter().all(|tick| (low - slack..=high + slack).contains(tick)), "{low} {high}: {found:?}");
        }
        assert_eq!([0.0, 0.1 + 0.2, -1500.0, 2e9].map(tick_label), ["0", "0.3", "-1500", "2e9"]);
    }

    /// Tick labels are the numbers at the ticks, and no two are equal.
    #[test]
    fn ticks_are_labelled_with_their_numbers() {
        for power in -12..16 {
            for digits in [1.0, 1.74, 2.5, 3.3, 7.0, 9.9] {
                let high = digits * 10f64.powi(power);
                for (low, high) in [(0.0, high), (-high, high), (high, 1.1 * high), (-high, 0.0)] {
                    let found = ticks(low, high);
                    let labels: Vec<String> = found.iter().copied().map(tick_label).collect();
                    for (tick, label) in found.iter().zip(&labels) {
                        let number: f64 = label.parse().unwrap();
                        assert!((number - tick).abs() <= (high - low) * 1e-6, "{tick} is labelled {label}");
                    }
                    let different: std::collections::BTreeSet<&String> = labels.iter().collect();
                    assert_eq!(different.len(), labels.len(), "{labels:?}");
                }
            }
        }
    }

    #[test]
    fn pictures_have_an_axis_with_its_label_and_zero() {
        let spans = [IntervalRow { name: "L3".to_owned(), ends: [0.0, -4.0], value: "-4".to_owned() }];
        let picture = write(&spans, "sum of rewards").unwrap();
        assert!(picture.contains(">sum of rewards</text>") && picture.contains(">0</text>"), "{picture}");
        assert!(picture.contains(">-4</text>"), "{picture}");
    }
}
