//! Charts as SVG: histograms, and lines with bands.

use goalspec_simulator::statistics::histogram::{Histogram, Kind};
use kuva::plot::{BandPlot, BarPlot, Histogram as Bars, LinePlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;

use crate::color;

/// What stands around a chart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Above it.
    pub title: String,
    /// Below it.
    pub x: String,
    /// Left of it.
    pub y: String,
}

/// A line with the band around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// A point of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// Where the band begins.
    pub low: f64,
    /// Where the line is.
    pub middle: f64,
    /// Where the band ends.
    pub high: f64,
}

/// Data that no chart can be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// There is nothing to show.
    Empty,
    /// A number is not finite.
    NotFinite,
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Empty => "there is nothing to show",
            Self::NotFinite => "a number is not finite",
        })
    }
}

impl std::error::Error for Unfit {}

/// A histogram: a bar for each value, or for each interval.
///
/// # Errors
/// If it has no bins.
pub fn histogram(histogram: &Histogram, labels: &Labels) -> Result<String, Unfit> {
    if histogram.bins.is_empty() {
        return Err(Unfit::Empty);
    }
    let plot = match histogram.kind {
        Kind::Values => {
            let bars = histogram.bins.iter().map(|bin| (bin.low.to_string(), bin.count as f64));
            let color = color::of_team(0);
            Plot::Bar(bars.fold(BarPlot::new(), |plot, (value, count)| plot.with_colored_bar(value, count, color)))
        }
        Kind::Intervals => {
            let ends = histogram.bins.iter().map(|bin| bin.low).chain(histogram.bins.last().map(|bin| bin.high));
            let counts = histogram.bins.iter().map(|bin| bin.count as f64).collect();
            Plot::Histogram(Bars::from_bins(ends.collect(), counts).with_color(color::of_team(0)))
        }
    };
    Ok(render(vec![plot], labels))
}

/// Lines with bands, such as medians between quantiles, over the same axis.
///
/// # Errors
/// If there is no point, or a number is not finite.
pub fn lines(lines: &[Line], labels: &Labels) -> Result<String, Unfit> {
    if lines.iter().all(|line| line.points.is_empty()) {
        return Err(Unfit::Empty);
    }
    let mut plots = Vec::with_capacity(2 * lines.len());
    for (place, Line { name, points }) in lines.iter().enumerate().filter(|(_, line)| !line.points.is_empty()) {
        if points
            .iter()
            .any(|point| ![point.x, point.low, point.middle, point.high].iter().all(|number| number.is_finite()))
        {
            return Err(Unfit::NotFinite);
        }
        let all = |number: fn(&Point) -> f64| points.iter().map(number).collect::<Vec<f64>>();
        let (x, color) = (all(|point| point.x), color::of_team(place));
        let band = BandPlot::new(x, all(|point| point.low), all(|point| point.high)).with_color(color);
        let line = LinePlot::new().with_data(points.iter().map(|point| (point.x, point.middle)));
        plots.extend([Plot::Band(band), Plot::Line(line.with_color(color).with_legend(plain(name)))]);
    }
    Ok(render(plots, labels))
}

fn render(plots: Vec<Plot>, labels: &Labels) -> String {
    let layout = Layout::auto_from_plots(&plots);
    let layout = layout.with_title(plain(&labels.title)).with_x_label(plain(&labels.x)).with_y_label(plain(&labels.y));
    kuva::render_to_svg(plots, layout)
}

/// A text that is shown as it is: between two dollar signs would be a formula, and XML has no control characters.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '$' => plain.push_str("\\$"),
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => plain.push(' '),
            _ => plain.push(character),
        }
    }
    plain
}
