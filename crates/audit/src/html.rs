//! Audits as an HTML page.
//!
//! The page is self-contained and static: it has no script, and its content security policy forbids browsers to run or load any. Names,
//! comments and conditions of programs are escaped.

mod listing;
mod sections;

use std::fmt::Write;

use goalspec_draw::chart::{self, ChartError, Line, Panel, PanelData, Point};
use goalspec_draw::intervals::{self, IntervalRow};
use goalspec_draw::svg::escaped;
use goalspec_statistics::counts::ValueCounts;
use goalspec_statistics::histogram::{BinKind, Histogram};

use crate::tables::{self, ContributionRow};
use crate::text::severity_name;
use crate::{Audit, Finding, Recording, format_number};

/// The minimum number of distinct rewards that a histogram counts individually.
const MIN_HISTOGRAM_VALUES: usize = 1 << 13;

/// The maximum number of episodes whose curves are labeled.
const MAX_LABELED_CURVES: usize = 6;

/// The page up to its body. Colors follow the reader's color scheme, dark or light.
const PAGE_HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Audit of reward functions</title>
<style>
:root { color-scheme: light dark; }
body { background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow-x: auto; margin: 0.3rem 0; padding: 0.3rem 0.6rem; border: 1px solid GrayText; }
table { border-collapse: collapse; }
th, td { text-align: right; padding: 0.2rem 0.7rem; border-bottom: 1px solid GrayText; }
th:first-child, td:first-child { text-align: left; }
td + td { white-space: nowrap; }
.finding { border-left: 0.4rem solid GrayText; padding-left: 0.8rem; margin: 1.2rem 0; }
.finding.error, .mark.error { border-color: #D55E00; }
.finding.warning, .mark.warning { border-color: #E69F00; }
.finding.note, .mark.note { border-color: #56B4E9; }
.chart { background: white; margin: 1rem 0; }
.scroll { overflow-x: auto; }
.listing td { border-bottom: none; padding: 0 0.7rem; white-space: pre; vertical-align: top; }
.listing td:nth-child(3) { text-align: left; font-family: ui-monospace, monospace; font-size: 0.9em; }
.listing .never td:nth-child(2) { color: #D55E00; font-weight: bold; }
.listing .at td { white-space: normal; padding-bottom: 0.3rem; }
.listing .at td:nth-child(3) { font-family: inherit; }
.mark { border-left: 0.4rem solid GrayText; padding-left: 0.5rem; }
svg { max-width: 100%; height: auto; }
h1, h3 { overflow-wrap: anywhere; }
h3 { margin-bottom: 0; }
</style>
</head>
<body>
"#;

/// Formats audits as one page.
pub fn html(audits: &[Audit]) -> String {
    let mut page = PAGE_HEAD.to_owned();
    for (place, audit) in audits.iter().enumerate() {
        write_audit(&mut page, audit, place + 1);
    }
    page.push_str("</body>\n</html>\n");
    page
}

/// Writes an audit; `place` is its index on the page.
fn write_audit(page: &mut String, audit: &Audit, place: usize) {
    let (program, world) = (escaped(&audit.program), escaped(audit.world.name()));
    let frames: u64 = audit.recordings.iter().map(Recording::frames).sum();
    let _ = writeln!(page, "<h1><code>{program}</code></h1>\n<p>{frames} frames of {world}</p>\n<h2>Findings</h2>");
    if audit.findings.is_empty() {
        page.push_str("<p>No findings.</p>\n");
    }
    for (number, finding) in audit.findings.iter().enumerate() {
        write_finding(page, audit, [place, number + 1], finding);
    }
    listing::write(page, audit, place);
    sections::write_recordings(page, audit);
    sections::write_failures(page, audit);
    sections::write_correlations(page, audit);
    for recording in &audit.recordings {
        write_chart(page, "chart", draw_charts(recording));
    }
    sections::write_contributions(page, "Components", &tables::component_rows(audit), audit.statistics.calls);
    let terms = tables::term_rows(audit);
    sections::write_contributions(page, "Terms", &terms, audit.statistics.calls);
    if !terms.is_empty() {
        page.push_str("<p>Sum of each contribution to the reward over all frames.</p>\n");
        write_chart(page, "", intervals::write(&term_intervals(&terms), "sum over all frames"));
    }
    sections::write_conditions(page, audit);
    sections::write_frame_groups(page, audit);
}

/// Writes a finding; `place` is the index of the audit on the page, `number` that of the finding.
fn write_finding(page: &mut String, audit: &Audit, [place, number]: [usize; 2], finding: &Finding) {
    let severity = severity_name(finding.severity);
    let (kind, message) = (escaped(finding.kind), message_html(&finding.message));
    let _ = writeln!(
        page,
        "<div class=\"finding {severity}\" id=\"finding-{place}-{number}\">\n<h3>{number}. {message}</h3>"
    );
    let _ = writeln!(page, "<p>{severity} <code>{kind}</code></p>");
    if let Some(span) = finding.span {
        let (line, column) = audit.line_column(span);
        let (name, text) = (escaped(audit.source.name()), escaped(&audit.excerpt(span)));
        let _ = writeln!(page, "<p>{name}:{line}:{column}</p>\n<pre>{text}</pre>");
    }
    if !finding.evidence.is_empty() {
        let items = finding.evidence.iter().map(|line| format!("<li>{}</li>\n", message_html(line)));
        let _ = writeln!(page, "<ul>\n{}</ul>", items.collect::<String>());
    }
    if finding.kind == "dead-threshold" {
        write_chart(page, "", intervals::write(&operand_intervals(finding), "compared values"));
    }
    if !finding.help.is_empty() {
        let _ = writeln!(page, "<p>Help: {}</p>", message_html(&finding.help.join("; ")));
    }
    if !finding.consequences.is_empty() {
        page.push_str("<p>Consequences:</p>\n<ul>\n");
        for follows in &finding.consequences {
            let line = follows.span.map_or(String::new(), |span| format!(" (line {})", audit.line_column(span).0));
            let (severity, kind, message) =
                (severity_name(follows.severity), escaped(follows.kind), message_html(&follows.message));
            let _ = writeln!(page, "<li>{severity} <code>{kind}</code>{line}: {message}</li>");
        }
        page.push_str("</ul>\n");
    }
    page.push_str("</div>\n");
}

/// Converts a message to HTML, with the text between backticks as code.
fn message_html(text: &str) -> String {
    let mut marked = String::new();
    let mut rest = text;
    while let Some((before, (code, after))) =
        rest.split_once('`').and_then(|(before, rest)| Some((before, rest.split_once('`')?)))
    {
        let _ = write!(marked, "{}<code>{}</code>", escaped(before), escaped(code));
        rest = after;
    }
    marked + &escaped(rest)
}

/// Returns the ranges of the operands of a comparison.
fn operand_intervals(finding: &Finding) -> Vec<IntervalRow> {
    let number = |name: &str| finding.numbers.get(name).copied();
    let side = |name: &str, [min, max]: [&str; 2]| {
        let ends = [number(min)?, number(max)?];
        let value = if ends[0] < ends[1] {
            format!("{} to {}", format_number(ends[0]), format_number(ends[1]))
        } else {
            format_number(ends[0])
        };
        Some(IntervalRow { name: name.to_owned(), ends, value })
    };
    let left = side("left side, observed", ["left_min", "left_max"]);
    let right = side("right side, observed", ["right_min", "right_max"]);
    left.into_iter().chain(right).collect()
}

fn term_intervals(terms: &[ContributionRow]) -> Vec<IntervalRow> {
    let name = |term: &ContributionRow| format!("{} {}", term.id, term.name);
    terms
        .iter()
        .map(|term| IntervalRow { name: name(term), ends: [0.0, term.sum], value: format_number(term.sum) })
        .collect()
}

/// Draws the growth of reward and score over the episodes of a recording, and a histogram of its rewards.
fn draw_charts(recording: &Recording) -> Result<String, ChartError> {
    // A single curve needs no label.
    let named = (2..=MAX_LABELED_CURVES).contains(&recording.curves.len());
    let lines = |which: usize| {
        let line = |curve: &crate::Curve| {
            let point = |point: [f64; 3]| Point { x: point[0], low: point[which], y: point[which], high: point[which] };
            let name = if named { format!("episode {}", curve.episode) } else { String::new() };
            Line { name, points: curve.points().map(point).collect() }
        };
        PanelData::Lines(recording.curves.iter().map(line).collect())
    };
    let mut counts = ValueCounts::with_limit(MIN_HISTOGRAM_VALUES);
    for (bits, count) in &recording.value_counts {
        let value = f64::from_bits(*bits);
        if value.is_finite() {
            (0..*count).for_each(|_| counts.add(value));
        }
    }
    // The quantity on the vertical axis is in the title: beside the axis, it would overlap wide tick labels.
    let panel = |title: &str, x: &str, content| Panel {
        title: title.to_owned(),
        x_label: x.to_owned(),
        y_label: String::new(),
        x_range: None,
        content,
    };
    let mut panels = vec![panel("cumulative reward", "frame of the episode", lines(1))];
    if recording.score().is_some() {
        panels.push(panel("cumulative score", "frame of the episode", lines(2)));
    }
    if counts.total() > 0 {
        let histogram = Histogram::new(&counts);
        let bins = histogram.bins.iter().map(|bin| ([bin.low, bin.high], bin.count));
        let bars = chart::Histogram::from_bins(bins, histogram.kind == BinKind::Values);
        panels.push(panel("frames (%)", "reward per frame", PanelData::Histogram(bars)));
    }
    chart::figure(&recording.label, panels.len(), &panels)
}

fn write_chart(page: &mut String, class: &str, picture: Result<String, ChartError>) {
    match picture {
        Ok(svg) => {
            // An inline SVG has no XML declaration.
            let svg = svg.find("<svg").map_or("", |start| &svg[start..]);
            let _ = writeln!(page, "<div class=\"scroll {class}\">{svg}</div>");
        }
        Err(unfit) => {
            let _ = writeln!(page, "<p>No chart: {unfit}.</p>");
        }
    }
}
