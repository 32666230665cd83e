//! The work of the lints grows almost linearly with the length of a game, for each family of games, or stops at a limit with a note.
//!
//! Work is counted, not timed; see [`goalspec_rgg::lint::work`].

use std::fmt::Write;

use goalspec_rgg::lint::{MAX_WORK, lint, work};
use goalspec_rgg::{Dialect, codes};

use crate::common;

/// A family of games of increasing size.
type Direction = (&'static str, fn(usize) -> String);

/// The parts of a game that the families vary.
struct Parts {
    nodes: usize,
    vectors: usize,
    resources: String,
    choices: String,
    actions: String,
    rewards: String,
    completed: String,
    metrics: String,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            nodes: 2,
            vectors: 0,
            resources: String::new(),
            choices: "act: ".to_owned(),
            actions: action("", "", "{odds: 0.5, result: {Resources: {add: {n0.x: 1}}}}"),
            rewards: "{Field: n0.x}".to_owned(),
            completed: "n0.x: {Gte: 10}".to_owned(),
            metrics: String::new(),
        }
    }
}

fn action(cost: &str, requires: &str, consequences: &str) -> String {
    format!("act: {{cost: {{{cost}}}, requires: {{{requires}}}, consequences: [{consequences}]}}\n")
}

/// Returns the texts for the numbers below `n`, separated by commas.
fn each(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect::<Vec<_>>().join(", ")
}

impl Parts {
    fn text(self) -> String {
        let n = self.nodes;
        let nodes = each(n, |at| format!("n{at}"));
        let resources = &self.resources;
        let mut text = format!("metadata: {{id: g}}\nteams: [red]\nboard:\n  nodes: [{nodes}]\n  vectors:\n");
        for at in 0..self.vectors.max(1) {
            let _ = writeln!(text, "    - {{from: n{}, to: n{}, id: v{at}}}", at % n, at * 7 % n);
        }
        text.push_str("resourceSpace:\n");
        for at in 0..n {
            let _ = writeln!(text, "  n{at}: {{observable: set(red), {resources}x: int(0)}}");
        }
        let Self { choices, actions, rewards, completed, metrics, .. } = &self;
        let _ = write!(text, "actionSpace: {{red: {{{choices}}}}}\nactions:\n");
        for line in actions.lines() {
            let _ = writeln!(text, "  {line}");
        }
        let _ = write!(text, "rewards: {{red: {rewards}}}\ncompleted: {{{completed}}}\nmetrics: [{metrics}]\n");
        text
    }
}

fn with(parts: Parts) -> String {
    parts.text()
}

fn vectors(consequence: &str) -> String {
    let ends = "sourceFilter: {x: {Gte: 0}}, targetFilter: {x: {Lt: 5}}";
    action("", "", &format!("{{result: {{{consequence}: {{{ends}, result: {{_target.x: 1}}}}}}}}"))
}

const DIRECTIONS: &[Direction] = &[
    ("nodes", |n| with(Parts { nodes: n, ..Parts::default() })),
    ("vectors", |n| with(Parts { nodes: 50, vectors: n, actions: vectors("WithRandomVector"), ..Parts::default() })),
    ("nodes and vectors", |n| {
        with(Parts { nodes: n, vectors: n, actions: vectors("WithAllVectors"), ..Parts::default() })
    }),
    ("resources", |n| with(Parts { resources: each(n, |at| format!("r{at}: int(0)")) + ", ", ..Parts::default() })),
    ("actions", |n| {
        let line = |at: usize| {
            format!(
                "act{at}: {{cost: {{n0.x: 1}}, requires: {{n0.x: {{Gte: {at}}}}}, consequences: [{{result: {{Resources: {{add: {{n0.x: 1}}}}}}}}]}}\n"
            )
        };
        let choices = each(n, |at| format!("act{at}: {{p{at}: 'int.range(0,3)'}}"));
        with(Parts { actions: (0..n).map(line).collect(), choices, ..Parts::default() })
    }),
    ("consequences", |n| {
        let one = |at: usize| {
            format!("{{odds: {}, result: {{Resources: {{add: {{n0.x: 1}}}}}}}}", (at + 1) as f64 / n as f64)
        };
        with(Parts { actions: action("", "", &each(n, one)), ..Parts::default() })
    }),
    ("consequences for vectors", |n| {
        let one = |at: usize| {
            format!(
                "{{independent: true, odds: 0.5, result: {{WithRandomVector: {{sourceFilter: {{x: {{Gte: {at}}}}}, result: {{_target.x: 1}}}}}}}}"
            )
        };
        with(Parts { nodes: 20, vectors: 100, actions: action("", "", &each(n, one)), ..Parts::default() })
    }),
    ("effects", |n| {
        let effects = each(n, |at| format!("n{at}.x: 1"));
        let consequence = format!("{{result: {{Resources: {{add: {{{effects}}}}}}}}}");
        with(Parts { nodes: n, actions: action("", "", &consequence), ..Parts::default() })
    }),
    ("intermediate values", |n| {
        let computed = each(n, |at| format!("k{at}: {{Field: n{at}.x}}"));
        let added = each(n, |at| format!("n{at}.x: {{Field: k{at}}}"));
        let consequence = format!("{{result: {{Resources: {{compute: {{{computed}}}, add: {{{added}}}}}}}}}");
        with(Parts { nodes: n, actions: action("", "", &consequence), ..Parts::default() })
    }),
    ("chains of effects", |n| {
        let one = |at: usize| {
            format!("{{independent: true, result: {{Resources: {{put: {{n{}.x: {{Field: n{}.x}}}}}}}}}}", at, at + 1)
        };
        with(Parts { nodes: n + 1, actions: action(&format!("n{n}.x: 1"), "", &each(n, one)), ..Parts::default() })
    }),
    ("costs", |n| {
        let cost = each(n, |at| format!("n{at}.x: -1"));
        let requires = each(n, |at| format!("n{at}.x: {{Gte: 0}}"));
        with(Parts { nodes: n, actions: action(&cost, &requires, ""), ..Parts::default() })
    }),
    ("requirements", |n| {
        with(Parts {
            nodes: n,
            actions: action("", &each(n, |at| format!("n{at}.x: {{Gte: 0}}")), ""),
            ..Parts::default()
        })
    }),
    ("alternatives", |n| {
        let one = |at: usize| format!("{{n0.x: {{Equal: {at}}}}}");
        with(Parts { actions: action("n0.x: 1", &format!("Or: [{}]", each(n, one)), ""), ..Parts::default() })
    }),
    ("alternatives of several tests", |n| {
        let one = |at: usize| format!("{{And: [{{n0.x: {at}}}, {{n1.x: {at}}}]}}");
        with(Parts { actions: action("n0.x: 1, n1.x: 1", &format!("Or: [{}]", each(n, one)), ""), ..Parts::default() })
    }),
    ("nested tests", |n| {
        let depth = n.min(40);
        let requires = format!("{}n0.x: 1{}", "And: [{".repeat(depth), "}]".repeat(depth));
        with(Parts { actions: action("n0.x: 1", &requires, ""), ..Parts::default() })
    }),
    ("parameters", |n| {
        let parameters = each(n, |at| format!("p{at}: 'int.range(0,3)'"));
        with(Parts { choices: format!("act: {{{parameters}}}"), ..Parts::default() })
    }),
    ("metrics", |n| with(Parts { nodes: n, metrics: each(n, |at| format!("n{at}.x")), ..Parts::default() })),
    ("tests of the end", |n| {
        with(Parts { nodes: n, completed: each(n, |at| format!("n{at}.x: {{Gte: 1}}")), ..Parts::default() })
    }),
    ("cases", |n| {
        let cases = each(n, |at| format!("{{when: {{n0.x: {at}}}, value: {{Constant: {at}}}}}"));
        with(Parts { rewards: format!("{{Condition: [{cases}]}}"), ..Parts::default() })
    }),
    ("operands", |n| {
        let fields = each(n, |_| "n0.x".to_owned());
        with(Parts { rewards: format!("{{MathOp: {{operator: ADD, fields: [{fields}]}}}}"), ..Parts::default() })
    }),
];

#[test]
fn work_grows_with_the_game_or_stops_at_its_limit() {
    for (name, text) in DIRECTIONS {
        let work = |n: usize| {
            let read = common::game(&text(n), Dialect::DOCUMENTED);
            let (ast, game) =
                (read.ast.unwrap(), read.game.unwrap_or_else(|| panic!("{name}: {:?}", read.diagnostics)));
            let done = work(&ast, &game);
            let stopped = lint(&ast, &game).iter().any(|found| found.code == codes::LINT_LIMIT);
            (done, stopped)
        };
        let sizes = [250, 500, 1000, 2000];
        let counts = sizes.map(work);
        for (pair, size) in counts.windows(2).zip(sizes) {
            let [(small, _), (large, stopped)] = pair else { unreachable!("windows have two") };
            // O(n log n), plus a constant for every game.
            let allowed = small * 5 / 2 + 2000;
            assert!(*large <= allowed || *stopped, "{name}: {small} at {size}, {large} at twice that");
            assert!(*large <= MAX_WORK * 2, "{name}: {large} is more than the limits allow");
        }
    }
}
