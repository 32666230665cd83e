//! The LTL formulas that describe programs, compared with the engines.
//!
//! Formulas are parsed from their text, in each notation, and evaluated by the definition of linear temporal logic over finite
//! traces. The formula of a `then` must hold of a stretch of states exactly if the stretch contains a satisfaction that an engine
//! found.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use goalspec_core::ids::{AttributeId, ObjectId};
use goalspec_core::playback::Playback;
use goalspec_core::program::Game;
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange, ObjectArguments};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::{AttributeDecl, World, WorldBuilder};
use goalspec_game::Dialect;
use goalspec_game::describe::{LtlSyntax, ltl};
use goalspec_syntax::Sources;
use proptest::prelude::*;

use super::engines::{ENGINES, Engine};

const LETTERS: [char; 4] = ['a', 'b', 'c', 'd'];

/// A world with a fact for each letter, a numeric fluent that may have no value, and an object that may be absent.
static WORLD: LazyLock<World> = LazyLock::new(|| {
    let mut builder = WorldBuilder::new("letters");
    for letter in LETTERS {
        builder.add_fact(letter.to_string(), &[]);
    }
    builder.add_fluent("weight", &[]);
    let thing = builder.add_type("thing", &[]);
    // An object with a required attribute is present while the attribute has a value.
    builder.add_attribute(AttributeDecl::new("here", ValueKind::Bool, &[thing]).required());
    builder.add_object("cup", &[thing]);
    builder.finish().expect("the world is well formed")
});

/// A state: the letters that are true, whether the weight has a value, and whether the object is present.
#[derive(Debug, Clone)]
struct State {
    letters: [bool; LETTERS.len()],
    weighed: bool,
    there: bool,
}

/// A parsed formula.
#[derive(Debug, Clone)]
enum Formula {
    Constant(bool),
    Letter(String),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Next(Box<Formula>),
    Until(Box<[Formula; 2]>),
    Eventually(Box<Formula>),
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Open,
    Close,
    Not,
    And,
    Or,
    Next,
    Until,
    Eventually,
    Constant(bool),
    Letter(String),
}

/// The operators of a notation, each after the longer ones that begin with it.
fn signs(syntax: LtlSyntax) -> Vec<(&'static str, Token)> {
    let mut signs = vec![("(", Token::Open), (")", Token::Close), ("U", Token::Until), ("F", Token::Eventually)];
    signs.extend(match syntax {
        LtlSyntax::Standard => vec![
            ("¬", Token::Not),
            ("∧", Token::And),
            ("∨", Token::Or),
            ("X", Token::Next),
            ("⊤", Token::Constant(true)),
            ("⊥", Token::Constant(false)),
        ],
        LtlSyntax::Spot => vec![
            ("!", Token::Not),
            ("&", Token::And),
            ("|", Token::Or),
            ("X[!]", Token::Next),
            ("1", Token::Constant(true)),
            ("0", Token::Constant(false)),
        ],
        LtlSyntax::Ltlf2dfa => vec![
            ("!", Token::Not),
            ("&", Token::And),
            ("|", Token::Or),
            ("X", Token::Next),
            ("true", Token::Constant(true)),
            ("false", Token::Constant(false)),
        ],
    });
    signs
}

fn tokens(text: &str, syntax: LtlSyntax) -> Vec<Token> {
    let signs = signs(syntax);
    let mut rest = text.trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let word = rest.find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit()).unwrap_or(rest.len());
        let (length, token) = match signs.iter().find(|(sign, _)| rest.starts_with(sign)) {
            Some((sign, token)) if word <= sign.len() => (sign.len(), token.clone()),
            _ if word > 0 && rest.starts_with(|c: char| c.is_ascii_lowercase()) => {
                (word, Token::Letter(rest[..word].to_owned()))
            }
            _ => panic!("`{rest}` is not a symbol of {syntax:?} in {text}"),
        };
        found.push(token);
        rest = rest[length..].trim_start();
    }
    found
}

/// Parses operands joined by one operator. Precedence differs between tools, so different operators must be separated by
/// parentheses.
fn joined(tokens: &mut std::iter::Peekable<std::vec::IntoIter<Token>>) -> Formula {
    let first = operand(tokens);
    let Some(operator) = tokens.next_if(|token| matches!(token, Token::And | Token::Or | Token::Until)) else {
        return first;
    };
    let mut parts = vec![first, operand(tokens)];
    while operator != Token::Until && tokens.next_if_eq(&operator).is_some() {
        parts.push(operand(tokens));
    }
    assert!(matches!(tokens.peek(), None | Some(Token::Close)), "two operators beside each other: {:?}", tokens.peek());
    match operator {
        Token::And => Formula::And(parts),
        Token::Or => Formula::Or(parts),
        _ => Formula::Until(Box::new([parts.remove(0), parts.remove(0)])),
    }
}

fn operand(tokens: &mut std::iter::Peekable<std::vec::IntoIter<Token>>) -> Formula {
    match tokens.next().expect("an operand") {
        Token::Open => {
            let inner = joined(tokens);
            assert_eq!(tokens.next(), Some(Token::Close));
            inner
        }
        Token::Not => Formula::Not(Box::new(operand(tokens))),
        Token::Next => Formula::Next(Box::new(operand(tokens))),
        Token::Eventually => Formula::Eventually(Box::new(operand(tokens))),
        Token::Constant(value) => Formula::Constant(value),
        Token::Letter(letter) => Formula::Letter(letter),
        other => panic!("{other:?} does not begin an operand"),
    }
}

impl Formula {
    fn read(text: &str, syntax: LtlSyntax) -> Self {
        let mut tokens = tokens(text, syntax).into_iter().peekable();
        let formula = joined(&mut tokens);
        assert_eq!(tokens.next(), None, "{text}");
        formula
    }

    /// Whether the formula holds of the trace from the state `at` on.
    fn holds(&self, trace: &[State], index: usize, legend: &BTreeMap<String, String>) -> bool {
        let holds = |part: &Self, index| part.holds(trace, index, legend);
        match self {
            Self::Constant(value) => *value,
            Self::Letter(letter) => means(&legend[letter], &trace[index]),
            Self::Not(part) => !holds(part, index),
            Self::And(parts) => parts.iter().all(|part| holds(part, index)),
            Self::Or(parts) => parts.iter().any(|part| holds(part, index)),
            Self::Next(part) => index + 1 < trace.len() && holds(part, index + 1),
            Self::Until(parts) => (index..trace.len())
                .any(|end| holds(&parts[1], end) && (index..end).all(|before| holds(&parts[0], before))),
            Self::Eventually(part) => (index..trace.len()).any(|later| holds(part, later)),
        }
    }
}

/// Whether a state satisfies a line of the legend.
fn means(meaning: &str, state: &State) -> bool {
    if let Some(function) = meaning.strip_suffix(" has a value") {
        assert_eq!(function, "(weight)");
        return state.weighed;
    }
    let mut words = meaning.replace('(', " ( ").replace(')', " ) ");
    words.push(' ');
    let words: Vec<&str> = words.split_whitespace().collect();
    let (value, rest) = condition(&words, state);
    assert!(rest.is_empty(), "{meaning}");
    value
}

/// Returns the value of the condition at the beginning of the words, and the words after it.
fn condition<'w, 't>(words: &'w [&'t str], state: &State) -> (bool, &'w [&'t str]) {
    assert_eq!(words[0], "(");
    let mut rest = &words[2..];
    let mut values = Vec::new();
    while rest[0] != ")" {
        let (value, behind) = condition(rest, state);
        values.push(value);
        rest = behind;
    }
    let value = match words[1] {
        "and" => values.iter().all(|&value| value),
        "or" => values.iter().any(|&value| value),
        "not" => !values[0],
        letter => state.letters[LETTERS.iter().position(|known| letter == known.to_string()).expect("a letter")],
    };
    (value, &rest[1..])
}

/// Returns a game with a preference of this body.
fn game(body: &str, dialect: Dialect) -> (Game, goalspec_game::ast::Game) {
    let text = format!(
        "(define (game made-up) (:domain letters) (:constraints (preference found {body})) (:scoring (count found)))"
    );
    let mut sources = Sources::new();
    let id = sources.add("made-up", text);
    let mut parsed = goalspec_game::parse::parse(sources.file(id));
    let ast = parsed.games.remove(0);
    let resolved = goalspec_game::resolve::resolve(&ast, &WORLD, dialect);
    let game = resolved.game.unwrap_or_else(|| panic!("{body}: {:?} {:?}", parsed.diagnostics, resolved.diagnostics));
    (game, ast)
}

/// Returns the satisfactions that an engine finds, as indices of their first and last states.
fn satisfactions(game: &Game, trace: &[State], engine: Engine) -> Vec<(usize, usize)> {
    let mut monitor = engine(&WORLD, game).expect("one binding is within the limit");
    let mut playback = Playback::new(WORLD.clone());
    for state in trace {
        let fact = |(letter, &holds): (usize, &bool)| FactChange {
            predicate: WORLD.predicate_named(&LETTERS[letter].to_string()).expect("letters are facts"),
            arguments: ObjectArguments::new(),
            holds,
        };
        let (cup, here) = (ObjectId::from(0), AttributeId::from(0));
        let change = AttributeChange { object: cup, attribute: here, value: Value::Bool(true) };
        let weight = WORLD.function_named("weight").expect("the weight is a fluent");
        let fluent = FluentChange { function: weight, arguments: ObjectArguments::new(), value: 1.0 };
        let delta = Delta {
            facts: state.letters.iter().enumerate().map(fact).collect(),
            fluents: state.weighed.then_some(fluent).into_iter().collect(),
            changes: state.there.then_some(change).into_iter().collect(),
            removed: (!state.there).then_some(cup).into_iter().collect(),
            ..Delta::default()
        };
        playback.advance(&delta);
        monitor.step(&playback.update(&delta, false));
    }
    let report = monitor.finish(playback.state());
    let found = report.preferences[0].satisfactions.iter();
    found.map(|found| (found.start as usize - 1, found.end as usize - 1)).collect()
}

fn check(body: &str, trace: &[State], dialect: Dialect) {
    let (game, ast) = game(body, dialect);
    let at_end = body.contains("(at-end");
    let is_bound = body.starts_with("(exists");
    let [interpreted, fast] = ENGINES.map(|(_, engine)| satisfactions(&game, trace, engine));
    assert_eq!(interpreted, fast, "{body} {dialect:?} {trace:?}");
    for syntax in [LtlSyntax::Standard, LtlSyntax::Spot, LtlSyntax::Ltlf2dfa] {
        let text = ltl(&ast, dialect, syntax);
        let mut lines = text.lines().skip(1);
        let formula = Formula::read(lines.next().expect("a formula"), syntax);
        let legend = lines.map(|line| line.trim().split_once(" := ").expect("a letter"));
        let legend: BTreeMap<String, String> =
            legend.map(|(letter, meaning)| (letter.into(), meaning.into())).collect();
        for start in 0..trace.len() {
            // A condition at the end is evaluated only in the last state of the trace.
            let ends = if at_end { trace.len() - 1 } else { start }..trace.len();
            for end in ends {
                let expected = interpreted.iter().any(|&(first, last)| start <= first && last <= end);
                // A bound object must be present in all states of a stretch.
                let mut stretches = trace[start..=end].split(|state| is_bound && !state.there);
                let found = match stretches.next_back() {
                    // A condition at the end must hold in the last stretch.
                    Some(last) if at_end => !last.is_empty() && formula.holds(last, 0, &legend),
                    Some(last) => stretches.chain([last]).any(|stretch| formula.holds(stretch, 0, &legend)),
                    None => false,
                };
                assert_eq!(
                    found, expected,
                    "{body} {dialect:?}\n{text}\n{start}..={end} of {trace:?}: {interpreted:?}"
                );
            }
        }
    }
}

fn any_condition() -> impl Strategy<Value = String> {
    let letter = prop::sample::select(LETTERS.to_vec()).prop_map(|letter| format!("({letter})"));
    letter.prop_recursive(3, 24, 4, |part| {
        let list = |operator: &'static str, parts: Vec<String>| format!("({operator} {})", parts.join(" "));
        prop_oneof![
            part.clone().prop_map(move |part| list("not", vec![part])),
            prop::collection::vec(part.clone(), 1..5).prop_map(move |parts| list("and", parts)),
            prop::collection::vec(part, 1..5).prop_map(move |parts| list("or", parts)),
        ]
    })
}

fn any_operator() -> impl Strategy<Value = String> {
    let condition = any_condition;
    prop_oneof![
        3 => condition().prop_map(|one| format!("(once {one})")),
        4 => condition().prop_map(|one| format!("(hold {one})")),
        1 => condition().prop_map(|one| format!("(once-measure {one} (weight))")),
        3 => (condition(), prop::collection::vec(condition(), 1..4))
            .prop_map(|(one, events)| format!("(hold-while {one} {})", events.join(" "))),
    ]
}

fn any_body() -> impl Strategy<Value = String> {
    let bound = |pattern| format!("(exists (?t - thing) {pattern})");
    prop_oneof![any_pattern(), any_pattern().prop_map(bound)]
}

fn any_pattern() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => prop::collection::vec(any_operator(), 1..6).prop_map(|operators| format!("(then {})", operators.join(" "))),
        1 => any_condition().prop_map(|one| format!("(at-end {one})")),
    ]
}

/// Generates traces of up to nine states. The weight has a value from some state on, and the object may appear and disappear.
fn any_trace() -> impl Strategy<Value = Vec<State>> {
    let state = (prop::array::uniform4(prop::bool::weighted(0.6)), prop::bool::weighted(0.8));
    let letters = prop::collection::vec(state, 1..10);
    (letters, 0_usize..4).prop_map(|(letters, weighed)| {
        let state = |(index, (letters, there))| State { letters, weighed: index >= weighed, there };
        letters.into_iter().enumerate().map(state).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// For any stretch of any trace, the printed formula agrees with the engines, in each notation and both dialects.
    #[test]
    fn formulas_agree_with_the_engines(body in any_body(), trace in any_trace(), empty_holds in any::<bool>()) {
        check(&body, &trace, Dialect { empty_holds });
    }
}

#[test]
fn a_large_condition_has_one_letter() {
    let many = "(or (a) (b) (c) (d))".repeat(4);
    let body = format!("(then (once (a)) (hold (and {many})) (once (not (and {many}))))");
    let (_, ast) = game(&body, Dialect::FORMAL);
    let text = ltl(&ast, Dialect::FORMAL, LtlSyntax::Standard);
    assert!(text.contains("F (a ∧ X (b ∧ X (b U (c))))"), "{text}");
    for bits in 0..16_u8 {
        let state = |bits: u8| State {
            letters: std::array::from_fn(|index| bits >> index & 1 == 1),
            weighed: true,
            there: true,
        };
        check(&body, &[state(1), state(bits), state(bits ^ 1), state(0)], Dialect::FORMAL);
    }
}
