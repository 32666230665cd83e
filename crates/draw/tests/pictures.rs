//! Boards and charts as DOT and SVG.

use goalspec_core::resource::custom::Registry;
use goalspec_core::resource::game::Game;
use goalspec_core::resource::turn::{Move, Turn};
use goalspec_draw::board::Picture;
use goalspec_draw::chart::{self, Content, Line, Panel, Point, Unfit};
use goalspec_draw::spans::{self, Span};
use goalspec_draw::{dot, svg};
use goalspec_simulator::Simulator;
use goalspec_simulator::statistics::counts::Counts;
use goalspec_simulator::statistics::histogram::Histogram;

const GAME: &str = r#"
metadata: {id: "a <board> & more"}
teams: [red, blue]
board:
  nodes: [home, 'the "well"', cave]
  vectors:
    - {from: home, to: 'the "well"'}
    - {from: home, to: cave, id: 'a>b'}
    - {from: cave, to: home}
    - {from: cave, to: cave}
resourceSpace:
  home: {observable: 'set(red; red, blue)', coins: int(3), held: true}
  'the "well"': {observable: 'set(red, blue)', water: float(0.5)}
  cave: {observable: 'set(; red, blue)', held: false}
actionSpace: {red: {earn: }, blue: {earn: }}
actions:
  earn: {cost: {home.coins: 4}, requires: {}}
rewards: {red: {Field: home.coins}, blue: {Field: home.coins}}
completed: {home.coins: {Gte: 100}}
"#;

fn game() -> Game {
    let mut sources = goalspec_syntax::Sources::new();
    let id = sources.add("test", GAME);
    let read = goalspec_rgg::read(sources.get(id), goalspec_rgg::Dialect::DOCUMENTED, &[]);
    read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

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

#[test]
fn a_board_shows_values_owners_and_who_sees() {
    let game = game();
    let picture = Picture::beginning(&game, Some("held"));
    let facts: Vec<_> = picture.nodes.iter().map(|node| (&*node.name, &node.seen_by[..], node.owned)).collect();
    let expected: [(&str, &[usize], Option<bool>); 3] =
        [("home", &[0], Some(true)), ("the \"well\"", &[0, 1], None), ("cave", &[], Some(false))];
    assert_eq!(facts, expected);
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
    assert_eq!(text, svg::write(&Picture::beginning(&game, Some("held"))).unwrap());
}

#[test]
fn a_state_in_play_shows_its_own_values() {
    let simulator = Simulator::new(game(), Registry::default()).unwrap();
    let mut state = simulator.start(0, 0);
    simulator.step(&mut state, &Move::Choose(0.into(), Vec::new()), &mut Turn::default()).unwrap();
    let picture = Picture::in_play(&simulator, &state, None);
    assert_eq!(picture.nodes[0].values[0], ("coins".into(), "7".to_owned()));
    assert_eq!((&picture.nodes[0].seen_by[..], picture.nodes[0].owned), (&[0][..], None));
}

fn panel(content: Content) -> Panel {
    Panel { title: "a < b".into(), x: "$reward$".into(), y: "games\u{1}".into(), x_range: None, content }
}

fn histogram(histogram: &Histogram) -> Result<String, Unfit> {
    chart::figure("", 1, &[panel(Content::Histogram(histogram.clone()))])
}

fn lines(lines: Vec<Line>) -> Result<String, Unfit> {
    chart::figure("", 1, &[panel(Content::Lines(lines))])
}

fn counted(numbers: impl IntoIterator<Item = f64>) -> Histogram {
    let mut counts = Counts::default();
    for number in numbers {
        counts.add(number);
    }
    Histogram::new(&counts)
}

#[test]
fn histograms() {
    assert_eq!(histogram(&counted([])), Err(Unfit::Empty));
    for numbers in [
        vec![1.0],
        vec![-1.5, 2.0, 2.0],
        (0..500).map(f64::from).collect(),
        (0..500).map(|number| f64::from(number) * 1e97).collect(),
        (0..500).map(|number| f64::from(number) * 1e-300).collect(),
        (0..500).map(|number| 1.0 + f64::from(number) * f64::EPSILON).collect(),
    ] {
        let text = histogram(&counted(numbers.iter().copied())).unwrap();
        check_xml(&text);
        assert!(text.contains("a &lt; b") && text.contains("$reward$"), "{text}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        assert!(text.len() < 200_000, "{}", text.len());
    }
    let text = histogram(&counted([1.0, 2.0, 2.0, 3.0])).unwrap();
    assert_eq!(text.matches("fill=\"#0072b2\"").count(), 3, "{text}");
}

#[test]
fn lines_with_bands() {
    let points = |factor: f64| {
        let point = |x: f64| Point { x, low: factor * x, middle: factor * (x + 1.0), high: factor * (x + 2.0) };
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
    assert_eq!(lines(Vec::new()), Err(Unfit::Empty));
    assert_eq!(lines(vec![line("x", f64::NAN)]), Err(Unfit::NotFinite));
}

#[test]
fn spans_lie_on_one_axis() {
    let span = |name: &str, ends: [f64; 2]| Span { name: name.to_owned(), ends, value: "<b>".to_owned() };
    let picture = spans::write(&[span("a & b", [0.0, 30.0]), span("loss", [0.0, -10.0])], "sum").unwrap();
    // The axis extends from -10 to 30 over 380 pixels, so 0 is at one quarter.
    assert!(picture.contains("<rect x=\"365.0\" y=\"5.0\" width=\"285.0\""), "{picture}");
    assert!(picture.contains("<rect x=\"270.0\" y=\"27.0\" width=\"95.0\""), "{picture}");
    assert!(picture.contains("<line x1=\"365.0\" y1=\"0\""), "{picture}");
    assert!(picture.contains("a &amp; b") && picture.contains("&lt;b&gt;") && !picture.contains("<b>"), "{picture}");
    // A single value is visible, and there is no line at 0 if 0 is out of range.
    let single = spans::write(&[span("one", [17.0, 17.0])], "sum").unwrap();
    assert!(single.contains("width=\"3.0\"") && !single.contains("y1=\"0\""), "{single}");
    assert_eq!(spans::write(&[], "sum"), Err(Unfit::Empty));
    assert_eq!(spans::write(&[span("none", [0.0, f64::NAN])], "sum"), Err(Unfit::NotFinite));
    assert_eq!(spans::write(&[span("far", [f64::MIN, f64::MAX])], "sum"), Err(Unfit::NotFinite));
}
