//! The reference of features in the book agrees with the program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use goalspec_game::worlds;
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::GameGrammar;
use goalspec_generation::game::features::FeatureVector;
use goalspec_generation::game::features::ngrams::SectionNgrams;
use goalspec_generation::game::variation::Operator;
use goalspec_generator::grammar::Tokens;

use crate::common;
use crate::feature_suite::{parse, whole_game};

/// A row of the table of a feature.
struct Row {
    name: String,
    range: String,
    /// The weights in the default model and in the published one.
    weights: [String; 2],
    /// The part of a game that is an example, if there is one.
    example: Option<String>,
}

fn page(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/src").join(name);
    std::fs::read_to_string(path).expect("the book has the page")
}

/// Returns the text of a cell that is code and nothing else.
fn code(cell: &str) -> Option<String> {
    let text = cell.strip_prefix('`')?.strip_suffix('`')?;
    (!text.contains('`')).then(|| text.to_owned())
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for line in page("features.md").lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, range, default, published, example] = cells[..] else { continue };
        if let Some(name) = code(name) {
            let weights = [default, published].map(str::to_owned);
            rows.push(Row { name, range: range.to_owned(), weights, example: code(example) });
        }
    }
    rows
}

/// Returns a game that contains an example: sections, preferences, the body of a preference, or a condition.
fn game(example: &str) -> String {
    let constraints = |preferences: &str| format!("(:constraints {preferences})");
    let body = |body: &str| constraints(&format!("(preference p (exists (?a ?b - ball ?d - drawer) {body}))"));
    whole_game(&if example.starts_with("(:") {
        example.to_owned()
    } else if example.starts_with("(preference") || example.starts_with("(and (preference") {
        constraints(example)
    } else if example.starts_with("(then") || example.starts_with("(at-end") {
        body(example)
    } else {
        body(&format!("(at-end {example})"))
    })
}

#[test]
fn every_feature_has_one_row() {
    let mut names: Vec<String> = rows().into_iter().map(|row| row.name).collect();
    let mut expected = FeatureVector::names();
    names.sort();
    expected.sort();
    assert_eq!(names, expected);
}

#[test]
fn weights_are_those_of_the_models() {
    let shown = |model: &FitnessModel| -> BTreeMap<String, String> {
        model.weights.iter().map(|own| (own.name.clone(), format!("{:+.2}", own.weight))).collect()
    };
    let published = common::text("fitness-model.json").map(|text| FitnessModel::from_json(&text).expect("a model"));
    let models = [Some(FitnessModel::plain()), published];
    for (column, model) in models.iter().enumerate() {
        let Some(model) = model else { continue };
        let found = rows().into_iter().map(|row| (row.name, row.weights[column].clone()));
        assert_eq!(found.filter(|(_, weight)| !weight.is_empty()).collect::<BTreeMap<_, _>>(), shown(model));
    }
}

#[test]
fn examples_have_their_feature() {
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    let mut tokens = Tokens::default();
    let games = GameGrammar::new(world, &mut tokens);
    let ngrams = SectionNgrams::fit(&games, &tokens, &[]);
    let names = FeatureVector::names();
    for row in rows() {
        let Some(example) = row.example else { continue };
        let tree = games.read(&parse(&game(&example)), &mut tokens).expect("a game of the grammar");
        let features = FeatureVector::of(&games, &tokens, &tree, &ngrams);
        let index = names.iter().position(|name| *name == row.name).expect("a feature");
        let value = features.values()[index];
        let is_in_range = match &*row.range {
            "0 or 1" => value >= 1.0,
            "0 to 1" => value > 0.0,
            other => panic!("{}: unknown range `{other}`", row.name),
        };
        assert!(is_in_range && value <= 1.0, "{} of `{example}` is {value}", row.name);
    }
}

#[test]
fn operators_have_their_probability_in_the_book() {
    let text = page("generation.md");
    for (operator, probability) in Operator::WEIGHTED {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{}` |", operator.name())));
        let row = row.unwrap_or_else(|| panic!("`{}` has no row", operator.name()));
        assert!(row.contains(&format!("| {probability:.2} |")), "{row}");
    }
}
