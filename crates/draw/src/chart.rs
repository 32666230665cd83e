//! Charts as SVG: a grid of panels, each with a histogram or with lines and bands.

use kuva::backend::svg::SvgBackend;
use kuva::plot::{BandPlot, Histogram as Bars, LinePlot};
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;

use crate::color;

/// The width and height of a panel, in pixels.
const PANEL: (f64, f64) = (420.0, 300.0);

/// The colour of the line at 0.
const ZERO: &str = "#888888";

/// The approximate number of ticks of an axis.
const TICKS: usize = 6;

/// A panel of a figure, with its own axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The title, above the panel.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The label of the vertical axis.
    pub y_label: String,
    /// The range of the horizontal axis; `None` for the range of the data.
    pub x_range: Option<[f64; 2]>,
    /// The plotted data.
    pub content: PanelData,
}

/// The data plotted in a panel.
#[derive(Debug, Clone, PartialEq)]
pub enum PanelData {
    /// A histogram with one bar for each value or interval, in percent of the total.
    Histogram(Histogram),
    /// Lines with bands, such as medians with quantiles.
    Lines(Vec<Line>),
}

/// The counts of a histogram, in ascending order of their values.
#[derive(Debug, Clone, PartialEq)]
pub enum Histogram {
    /// Single values with their counts.
    Values(Vec<(f64, u64)>),
    /// Adjacent intervals: one more edge than counts.
    Intervals {
        /// The edges.
        edges: Vec<f64>,
        /// The counts between two edges each.
        counts: Vec<u64>,
    },
}

impl Histogram {
    /// Creates a histogram of bins, each with its two ends and its count, in ascending order. `are_values` is whether each bin holds the
    /// single value at its lower end; otherwise the bins are adjacent intervals.
    pub fn from_bins(bins: impl IntoIterator<Item = ([f64; 2], u64)>, are_values: bool) -> Self {
        if are_values {
            return Self::Values(bins.into_iter().map(|([value, _], count)| (value, count)).collect());
        }
        let (ends, counts): (Vec<[f64; 2]>, Vec<u64>) = bins.into_iter().unzip();
        let last = ends.last().map(|[_, high]| *high);
        Self::Intervals { edges: ends.iter().map(|[low, _]| *low).chain(last).collect(), counts }
    }

    fn total(&self) -> u64 {
        match self {
            Self::Values(values) => values.iter().map(|(_, count)| count).sum(),
            Self::Intervals { counts, .. } => counts.iter().sum(),
        }
    }
}

/// A line with a band around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The name in the legend; empty for no entry.
    pub name: String,
    /// The points, in ascending order of `x`.
    pub points: Vec<Point>,
}

/// A point of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The horizontal coordinate.
    pub x: f64,
    /// The lower end of the band.
    pub low: f64,
    /// The vertical coordinate of the line.
    pub y: f64,
    /// The upper end of the band.
    pub high: f64,
}

/// The error for data that cannot be plotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartError {
    /// There are no data.
    Empty,
    /// A number is not finite.
    NotFinite,
}

impl std::fmt::Display for ChartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Empty => "no data",
            Self::NotFinite => "a number is not finite",
        })
    }
}

impl std::error::Error for ChartError {}

/// Returns a figure of panels, arranged in rows of `columns` columns under a title.
///
/// # Errors
/// Returns an error if there is no panel, if a panel has no data, or if a number is not finite.
pub fn figure(title: &str, columns: usize, panels: &[Panel]) -> Result<String, ChartError> {
    if panels.is_empty() {
        return Err(ChartError::Empty);
    }
    let columns = columns.clamp(1, panels.len());
    let rows = panels.len().div_ceil(columns);
    let plots = panels.iter().map(|panel| plots(panel, color::of_team(0))).collect::<Result<Vec<_>, _>>()?;
    let layouts = panels.iter().zip(&plots).map(|(panel, plots)| layout(panel, plots)).collect();
    // The unused cells of the last row have no panels and no axes.
    let cells = (0..panels.len()).map(|cell| vec![cell]).collect();
    let figure = Figure::new(rows, columns).with_structure(cells).with_plots(plots).with_layouts(layouts);
    let figure = figure.with_title(plain(title)).with_title_size(16).with_cell_size(PANEL.0, PANEL.1);
    Ok(scalable(&SvgBackend.render_scene(&figure.render())))
}

/// Adds a `viewBox`, so that the picture can be scaled.
fn scalable(svg: &str) -> String {
    let size = |name: &str| {
        let (_, rest) = svg.split_once(&format!(" {name}=\""))?;
        Some(rest.split_once('"')?.0)
    };
    match size("width").zip(size("height")) {
        Some((width, height)) if !svg.contains(" viewBox=") => {
            svg.replacen("<svg", &format!("<svg viewBox=\"0 0 {width} {height}\""), 1)
        }
        _ => svg.to_owned(),
    }
}

fn plots(panel: &Panel, own: &'static str) -> Result<Vec<Plot>, ChartError> {
    match &panel.content {
        PanelData::Histogram(histogram) if histogram.total() == 0 => Err(ChartError::Empty),
        PanelData::Histogram(histogram) => {
            let (ends, heights) = bars(histogram);
            Ok(vec![Plot::Histogram(Bars::from_bins(ends, heights).with_color(own))])
        }
        PanelData::Lines(lines) if lines.iter().all(|line| line.points.is_empty()) => Err(ChartError::Empty),
        PanelData::Lines(lines) => {
            let mut plots = Vec::with_capacity(2 * lines.len() + 1);
            plots.extend(zero_line(lines));
            for (place, line) in lines.iter().enumerate().filter(|(_, line)| !line.points.is_empty()) {
                plots.extend(line_and_band(line, color::of_team(place))?);
            }
            Ok(plots)
        }
    }
}

/// Returns a line at 0, if the bands reach it.
fn zero_line(lines: &[Line]) -> Option<Plot> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let ends = |number: fn(&Point) -> f64| {
        let numbers = || points().map(number);
        (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (low, _), (_, high)) =
        (ends(|point| point.x), ends(|point| point.low), ends(|point| point.high));
    let reached = low <= 0.0 && high >= 0.0 && left < right;
    let line = LinePlot::new().with_data([(left, 0.0), (right, 0.0)]);
    reached.then(|| Plot::Line(line.with_color(ZERO).with_stroke_width(1.0)))
}

fn line_and_band(Line { name, points }: &Line, color: &'static str) -> Result<[Plot; 2], ChartError> {
    let finite = |point: &Point| [point.x, point.low, point.y, point.high].iter().all(|number| number.is_finite());
    if !points.iter().all(finite) {
        return Err(ChartError::NotFinite);
    }
    let all = |number: fn(&Point) -> f64| points.iter().map(number).collect::<Vec<f64>>();
    let band = BandPlot::new(all(|point| point.x), all(|point| point.low), all(|point| point.high)).with_color(color);
    let line = LinePlot::new().with_data(points.iter().map(|point| (point.x, point.y)));
    let line = line.with_color(color).with_stroke_width(2.0);
    let line = if name.is_empty() { line } else { line.with_legend(plain(name)) };
    Ok([Plot::Band(band), Plot::Line(line)])
}

/// Returns the edges of the bars and their heights in percent. Bars of single values are separated by empty bars.
fn bars(histogram: &Histogram) -> (Vec<f64>, Vec<f64>) {
    let total = histogram.total() as f64;
    let share = |count: &u64| 100.0 * *count as f64 / total;
    let values = match histogram {
        Histogram::Intervals { edges, counts } => return (edges.clone(), counts.iter().map(share).collect()),
        Histogram::Values(values) => values,
    };
    let half = half_bar(values);
    let (mut ends, mut heights) = (Vec::new(), Vec::new());
    for (value, count) in values {
        if !ends.is_empty() {
            heights.push(0.0);
        }
        ends.extend([value - half, value + half]);
        heights.push(share(count));
    }
    (ends, heights)
}

/// Returns half the width of the bar of a single value, such that neighbours do not touch and every bar is visible.
fn half_bar(values: &[(f64, u64)]) -> f64 {
    let gap = values.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(f64::INFINITY, f64::min);
    let size = values.iter().fold(0.0, |size: f64, (value, _)| size.max(value.abs()));
    let half = if gap.is_finite() { 0.4 * gap } else { 0.4 };
    half.max(size * 1e-12)
}

fn layout(panel: &Panel, plots: &[Plot]) -> Layout {
    let layout = Layout::auto_from_plots(plots)
        .with_title(plain(&panel.title))
        .with_x_label(plain(&panel.x_label))
        .with_y_label(plain(&panel.y_label))
        .with_title_size(14)
        .with_label_size(13)
        .with_tick_size(11)
        .with_ticks(TICKS);
    match panel.x_range {
        Some([low, high]) => layout.with_x_axis_min(low).with_x_axis_max(high),
        None => layout,
    }
}

/// Escapes a text that is displayed literally: `kuva` would typeset text between dollar signs as a formula, and XML has no control
/// characters.
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
