//! Boards and charts as DOT and SVG.

use std::sync::Arc;

use goalspec_draw::board::{BoardView, MAX_VALUE_CHARS, MAX_VALUES, NodeView};
use goalspec_draw::chart::{self, ChartError, Histogram, Line, Panel, PanelData, Point};
use goalspec_draw::intervals::{self, IntervalRow};
use goalspec_draw::{dot, svg};

/// Asserts that the XML is well formed: tags are closed in order, and no other text resembles a tag or an entity.
#[track_caller]
fn check_xml(text: &str) {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix('&') {
            let end = after.find(';').expect("an entity ends");
            assert!(
                ["lt", "gt", "amp", "quot", "apos"].contains(&&after[..end]) || after.starts_with('#'),
                "{}",
                &after[..end]
            );
            rest = &after[end..];
            continue;
        }
        if let Some(after) = rest.strip_prefix("<!--") {
            rest = &after[after.find("-->").expect("a comment ends")..];
            continue;
        }
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[1..end];
        let name = |tag: &str| tag.split([' ', '\n']).next().unwrap_or_default().to_owned();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed.to_owned()));
        } else if !tag.ends_with('/') {
            open.push(name(tag));
        }
        rest = &rest[end + 1..];
    }
    assert_eq!(open, Vec::<String>::new());
}

fn node(name: &str, values: &[(&str, &str)], seen_by: &[usize], owned: Option<bool>) -> NodeView {
    let values = values.iter().map(|(name, value)| (Arc::from(*name), (*value).to_owned()));
    NodeView { observers: seen_by.to_vec(), owned, ..NodeView::new(name.into(), values) }
}

fn board() -> BoardView {
    BoardView {
        title: "a <board> & more".into(),
        teams: vec!["red".into(), "blue".into()],
        nodes: vec![
            node("home", &[("coins", "3"), ("held", "true")], &[0], Some(true)),
            node("the \"well\"", &[("water", "0.5")], &[0, 1], None),
            node("cave", &[("held", "false")], &[], Some(false)),
        ],
        vectors: vec![(0, 1, "".into()), (0, 2, "a>b".into()), (2, 0, "".into()), (2, 2, "".into())],
    }
}

#[test]
fn a_board_shows_values_owners_and_observers() {
    let picture = board();
    let text = dot::write(&picture);
    assert!(text.contains("n0 [label=\"home\\ncoins: 3\\nheld: true\", color=\"#0072B2\", style=\"rounded,filled\", fillcolor=\"#FFE9A8\", tooltip=\"seen by red\"];"), "{text}");
    assert!(text.contains("n1 [label=\"the \\\"well\\\"\\nwater: 0.5\""), "{text}");
    assert!(text.contains("style=\"rounded,dashed\", tooltip=\"seen by no team\""), "{text}");
    assert!(text.contains("  n0 -> n2 [label=\"a>b\"];\n  n2 -> n0;\n  n2 -> n2;\n"), "{text}");
    let text = svg::write(&picture).unwrap();
    check_xml(&text);
    for part in [
        "a &lt;board&gt; &amp; more",
        "the &quot;well&quot;",
        "coins: 3",
        "a&gt;b",
        "seen by no team",
        "stroke-dasharray",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("marker-end").count(), 4);
    assert_eq!(text, svg::write(&board()).unwrap());
}

#[test]
fn long_values_and_long_lists_are_truncated() {
    let values: Vec<(String, String)> = (0..20).map(|n| (format!("r{n}"), "x".repeat(n * 4))).collect();
    let values = values.iter().map(|(name, value)| (Arc::from(&**name), value.clone()));
    let node = NodeView::new("a".into(), values);
    assert_eq!((node.values.len(), node.omitted_values), (MAX_VALUES, 20 - MAX_VALUES));
    assert!(node.values.iter().all(|(_, value)| value.chars().count() <= MAX_VALUE_CHARS));
    assert_eq!(node.values[9].1, format!("{}…", "x".repeat(MAX_VALUE_CHARS - 1)));
}

fn panel(content: PanelData) -> Panel {
    Panel { title: "a < b".into(), x_label: "$reward$".into(), y_label: "games\u{1}".into(), x_range: None, content }
}

fn histogram(histogram: &Histogram) -> Result<String, ChartError> {
    chart::figure("", 1, &[panel(PanelData::Histogram(histogram.clone()))])
}

fn lines(lines: Vec<Line>) -> Result<String, ChartError> {
    chart::figure("", 1, &[panel(PanelData::Lines(lines))])
}

fn intervals(edges: impl Iterator<Item = f64>) -> Histogram {
    let edges: Vec<f64> = edges.collect();
    Histogram::Intervals { counts: (1..edges.len() as u64).collect(), edges }
}

#[test]
fn histograms() {
    assert_eq!(histogram(&Histogram::Values(Vec::new())), Err(ChartError::Empty));
    for data in [
        Histogram::Values(vec![(1.0, 1)]),
        Histogram::Values(vec![(-1.5, 1), (2.0, 2)]),
        intervals((0..80).map(f64::from)),
        intervals((0..80).map(|number| f64::from(number) * 1e97)),
        intervals((0..80).map(|number| f64::from(number) * 1e-300)),
        intervals((0..80).map(|number| 1.0 + f64::from(number) * f64::EPSILON)),
    ] {
        let text = histogram(&data).unwrap();
        check_xml(&text);
        assert!(text.contains("a &lt; b") && text.contains("$reward$"), "{text}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        assert!(text.len() < 200_000, "{}", text.len());
    }
    let text = histogram(&Histogram::Values(vec![(1.0, 1), (2.0, 2), (3.0, 1)])).unwrap();
    assert_eq!(text.matches("fill=\"#0072b2\"").count(), 3, "{text}");
}

#[test]
fn lines_with_bands() {
    let points = |factor: f64| {
        let point = |x: f64| Point { x, low: factor * x, y: factor * (x + 1.0), high: factor * (x + 2.0) };
        (0..50).map(|x| point(f64::from(x))).collect()
    };
    let line = |name: &str, factor| Line { name: name.into(), points: points(factor) };
    let text = lines(vec![line("a & b", 1.0), line("c", -2.0)]).unwrap();
    check_xml(&text);
    assert!(text.contains("a &amp; b") && text.contains("#d55e00"), "{text}");
    for factor in [0.0, 1e90, 1e-300] {
        let text = lines(vec![line("x", factor)]).unwrap();
        assert!(!text.contains("NaN") && text.len() < 200_000, "{factor}: {text}");
    }
    assert_eq!(lines(Vec::new()), Err(ChartError::Empty));
    assert_eq!(lines(vec![line("x", f64::NAN)]), Err(ChartError::NotFinite));
}

#[test]
fn spans_lie_on_one_axis() {
    let span = |name: &str, ends: [f64; 2]| IntervalRow { name: name.to_owned(), ends, value: "<b>".to_owned() };
    let picture = intervals::write(&[span("a & b", [0.0, 30.0]), span("loss", [0.0, -10.0])], "sum").unwrap();
    // The axis extends from -10 to 30 over 380 pixels, so 0 is at one quarter.
    assert!(picture.contains("<rect x=\"365.0\" y=\"5.0\" width=\"285.0\""), "{picture}");
    assert!(picture.contains("<rect x=\"270.0\" y=\"27.0\" width=\"95.0\""), "{picture}");
    assert!(picture.contains("<line x1=\"365.0\" y1=\"0\""), "{picture}");
    assert!(picture.contains("a &amp; b") && picture.contains("&lt;b&gt;") && !picture.contains("<b>"), "{picture}");
    // A single value is visible, and there is no line at 0 if 0 is out of range.
    let single = intervals::write(&[span("one", [17.0, 17.0])], "sum").unwrap();
    assert!(single.contains("width=\"3.0\"") && !single.contains("y1=\"0\""), "{single}");
    assert_eq!(intervals::write(&[], "sum"), Err(ChartError::Empty));
    assert_eq!(intervals::write(&[span("none", [0.0, f64::NAN])], "sum"), Err(ChartError::NotFinite));
    assert_eq!(intervals::write(&[span("far", [f64::MIN, f64::MAX])], "sum"), Err(ChartError::NotFinite));
}
