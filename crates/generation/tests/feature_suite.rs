//! The cases of `suite/features`: games with the values of their features. `suite/README.md` describes the format.

use std::collections::BTreeMap;
use std::path::PathBuf;

use goalspec_game::ast::Game;
use goalspec_game::worlds;
use goalspec_generation::game::GameGrammar;
use goalspec_generation::game::evidence::PlayEvidence;
use goalspec_generation::game::features::FeatureVector;
use goalspec_generation::game::features::names::SIZE_BINS;
use goalspec_generation::game::features::ngrams::SectionNgrams;
use goalspec_generator::grammar::Tokens;
use goalspec_generator::tree::Tree;
use serde_json::json;

/// Maximum difference of a value to the expected one, which is rounded.
const TOLERANCE: f64 = 1e-6;

/// A game with the expected values of some features, `None` for the score of a missing section.
struct Case {
    place: String,
    game: String,
    expected: Vec<(String, Option<f64>)>,
}

/// The cases below a heading, which share a corpus and recorded plays.
#[derive(Default)]
struct Section {
    corpus: Vec<String>,
    plays: Option<String>,
    cases: Vec<Case>,
}

/// Returns the sections of all files.
fn sections() -> Vec<Section> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suite/features");
    let entries = std::fs::read_dir(folder).expect("there is a suite of features");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("the suite can be listed").path()).collect();
    files.sort();
    files
        .iter()
        .flat_map(|file| read(&file.display().to_string(), &std::fs::read_to_string(file).expect("text")))
        .collect()
}

fn read(file: &str, text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if line.starts_with("## ") {
            sections.push(Section::default());
        }
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let place = format!("{file}:{}", index + 2);
        let section = sections.last_mut().unwrap_or_else(|| panic!("{place}: a block before the first heading"));
        match kind {
            "game" => section.cases.push(Case { place, game: whole_game(&block.join("\n")), expected: Vec::new() }),
            "corpus" => section.corpus.push(whole_game(&block.join("\n"))),
            "plays" => section.plays = Some(plays(&block)),
            "features" => {
                let case = section.cases.last_mut().filter(|case| case.expected.is_empty());
                let case = case.unwrap_or_else(|| panic!("{place}: expected a game before the features"));
                case.expected = block.iter().flat_map(|line| expectations(&place, line)).collect();
            }
            other => panic!("{place}: unknown block `{other}`"),
        }
    }
    for case in sections.iter().flat_map(|section| &section.cases) {
        assert!(!case.expected.is_empty(), "{}: expects nothing", case.place);
    }
    sections
}

/// Returns a game with the sections of a text. Missing constraints and a missing score are the simplest ones.
pub(crate) fn whole_game(text: &str) -> String {
    let mut text = repeated(text);
    if !text.contains("(:constraints") {
        let constraints = "(:constraints (preference p (at-end (agent_crouches))))";
        let at = ["(:terminal", "(:scoring"].iter().filter_map(|section| text.find(section)).min();
        text.insert_str(at.unwrap_or(text.len()), constraints);
    }
    if !text.contains("(:scoring") {
        text.push_str("(:scoring (count p))");
    }
    format!("(define (game case) (:domain many-objects-room-v1)\n{text})")
}

/// Returns a text in which each `3*(..)` is replaced by three copies of the expression.
fn repeated(text: &str) -> String {
    let Some(star) = text.find("*(") else { return text.to_owned() };
    let before = &text[..star];
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let Ok(copies) = before[number..].parse::<usize>() else { panic!("expected a number before `*(`: {text}") };
    let mut depth = 0_i32;
    let end = text[star + 1..].find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    let end = star + 2 + end.expect("a closed expression");
    format!("{}{}{}", &text[..number], vec![&text[star + 1..end]; copies].join(" "), repeated(&text[end..]))
}

/// Returns rows of recorded plays as JSON.
fn plays(lines: &[&str]) -> String {
    let rows = lines.iter().map(|line| {
        let mut words = line.split_whitespace();
        json!([words.next(), words.next(), words.next()])
    });
    json!({ "triples": rows.collect::<Vec<_>>() }).to_string()
}

/// Returns the values that a line states: `NAME VALUE`, `NAME missing`, or `SIZE bin NUMBER` for the five features of a size.
fn expectations(place: &str, line: &str) -> Vec<(String, Option<f64>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |text: &str| -> f64 { text.parse().unwrap_or_else(|_| panic!("{place}: `{text}` is no number")) };
    match words[..] {
        [size, "bin", bin] => {
            let value = |own: usize| f64::from(u8::from(own.to_string() == bin));
            (0..SIZE_BINS).map(|own| (format!("{size}_{own}"), Some(value(own)))).collect()
        }
        [name, "missing"] => vec![(name.to_owned(), None)],
        [name, value] => {
            let value = value.split_once('/').map_or_else(|| number(value), |(one, other)| number(one) / number(other));
            vec![(name.to_owned(), Some(value))]
        }
        _ => panic!("{place}: expected `NAME VALUE`, found `{line}`"),
    }
}

pub(crate) fn parse(text: &str) -> Game {
    let parsed = goalspec_game::parse::parse(&goalspec_testing::texts::source("case", text));
    assert!(parsed.games[0].is_complete(), "{:?} {text}", parsed.diagnostics);
    parsed.games[0].clone()
}

#[test]
fn games_have_the_features_of_the_suite() {
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    let mut tokens = Tokens::default();
    let games = GameGrammar::new(world, &mut tokens);
    let names = FeatureVector::names();
    let mut differences = Vec::new();
    for section in sections() {
        let mut tree =
            |text: &String| games.read(&parse(text), &mut tokens).unwrap_or_else(|error| panic!("{error} {text}"));
        let corpus: Vec<Tree> = section.corpus.iter().map(&mut tree).collect();
        let cases: Vec<(&Case, Tree)> = section.cases.iter().map(|case| (case, tree(&case.game))).collect();
        let ngrams = SectionNgrams::fit(&games, &tokens, &corpus);
        let evidence =
            section.plays.map(|plays| PlayEvidence::from_json(&plays).expect("rows").in_world(&games, &tokens));
        for (case, tree) in cases {
            let features = match &evidence {
                Some(evidence) => FeatureVector::with_evidence(&games, &tokens, &tree, &ngrams, evidence),
                None => FeatureVector::of(&games, &tokens, &tree, &ngrams),
            };
            for (name, expected) in &case.expected {
                let Some(index) = names.iter().position(|own| own == name) else {
                    panic!("{}: unknown feature `{name}`", case.place)
                };
                let found = features.values()[index];
                let is_equal = expected.map_or(found.is_nan(), |expected| (found - expected).abs() < TOLERANCE);
                if !is_equal {
                    differences.push(format!("{}: {name} is {found}, expected {expected:?}", case.place));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{} {}", differences.len(), differences.join("\n"));
}

#[test]
fn the_suite_has_two_values_of_every_feature() {
    let mut values: BTreeMap<String, Vec<Option<f64>>> = BTreeMap::new();
    for (name, value) in sections().into_iter().flat_map(|section| section.cases).flat_map(|case| case.expected) {
        let known = values.entry(name).or_default();
        if !known.contains(&value) {
            known.push(value);
        }
    }
    let missing: Vec<String> =
        FeatureVector::names().into_iter().filter(|name| values.get(name).is_none_or(|own| own.len() < 2)).collect();
    assert!(missing.is_empty(), "without two values in the suite: {missing:?}");
}
