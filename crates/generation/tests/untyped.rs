//! The published sampler draws in the published proportions.

use std::collections::BTreeMap;

use goalspec_game::ast::Game;
use goalspec_game::worlds;
use goalspec_generation::game::generator::{GameGenerator, GeneratorOptions};
use goalspec_generation::game::untyped::{Choice, PRIORS, PUBLISHED_LIMITS, UntypedSampler};
use goalspec_generator::RandomStream;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::sampler::DrawLimits;
use serde_json::Value;

use crate::common;

/// The number of draws with each prior count, whether they are thrown away or not.
const DRAWS: u64 = 100_000;

/// The probability that a correct sampler fails the test in one of its comparisons.
const FALSE_ALARM: f64 = 1e-4;

/// The numbers of the choices of each field, by rule and field and then by the text of the choice.
type FieldChoices = BTreeMap<(String, String), BTreeMap<String, f64>>;

fn numbers(value: &Value) -> BTreeMap<String, f64> {
    let table = value.as_object().into_iter().flatten();
    table.map(|(name, count)| (name.clone(), count.as_f64().expect("a number"))).collect()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// Returns the tokens that a field of the published grammar lists; of long lists, the published grammar has only the number.
fn listed_tokens(rule: &str, field: &Value) -> Vec<String> {
    let range = |from: i32, to: i32| (from..=to).map(|number| number.to_string());
    let tens = |from: i32, to: i32| (from..=to).step_by(10).map(|number| number.to_string());
    let mut tokens: Vec<String> = match rule {
        "object_type" => {
            let known = common::json("categories.json").expect("the categories");
            let groups = known["categories"].as_object().expect("a table").iter();
            let groups =
                groups.filter(|(name, _)| !["agent", "colors", "orientations", "sides"].contains(&name.as_str()));
            groups.flat_map(|(_, names)| texts(names)).collect()
        }
        "score_number_value" => range(-10, 10).chain(tens(-50, 100)).collect(),
        "scoring_number_value" => {
            range(-10, 20).chain(tens(30, 100)).chain((1..=9).map(|tenth| format!("0.{tenth}"))).collect()
        }
        _ => texts(&field["tokens"]),
    };
    tokens.sort();
    tokens.dedup();
    tokens
}

/// Returns the weights of the alternatives of a field, computed from the published counts: those of rules and tokens, and those of lengths.
fn weights((rule, field): (&str, &Value), counts: &Value, prior: f64) -> [BTreeMap<String, f64>; 2] {
    let (rules, values) = (numbers(&counts["rules"]), numbers(&counts["values"]));
    let mut children = BTreeMap::new();
    for name in texts(&field["rules"]).into_iter().filter(|name| name != "empty_closure") {
        children.insert(name.clone(), rules.get(&name).copied().unwrap_or_default() + prior);
    }
    let listed = listed_tokens(rule, field);
    let is_class = |token: &String| token.ends_with("variable") || ["preference_name", "id"].contains(&&**token);
    let is_name = listed.iter().any(is_class);
    if is_name {
        children.insert("a name".to_owned(), values.values().map(|count| count + prior).sum());
    } else {
        for token in &listed {
            children.insert(token.clone(), values.get(token).copied().unwrap_or_default() + prior);
        }
        for (token, count) in values.iter().filter(|(token, _)| !listed.contains(token)) {
            children.insert(token.clone(), *count);
        }
    }
    let observed = numbers(&counts["lengths"]);
    let mut lengths = BTreeMap::new();
    if let Some(min) = field["min"].as_u64().filter(|_| !children.is_empty()) {
        // Lists of one element that are written as the element have no length.
        let all: f64 = rules.values().chain(values.values()).sum();
        let in_lists: f64 =
            observed.iter().map(|(length, count)| length.parse::<f64>().expect("a length") * count).sum();
        for length in min..=4 {
            lengths.insert(length.to_string(), prior);
        }
        for (length, count) in observed.into_iter().chain([("1".to_owned(), all - in_lists)]) {
            if length.parse::<u64>().expect("a length") >= min && count > 0.0 {
                *lengths.entry(length).or_default() += count;
            }
        }
    }
    [children, lengths]
}

/// Returns the standard score of a chi-square statistic (Wilson and Hilferty 1931).
fn standard_score(statistic: f64, degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    ((statistic / degrees).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// Compares numbers of choices with weights. Returns the standard score of the deviation; `None` if there is nothing to compare.
fn deviation(found: &BTreeMap<String, f64>, weights: &BTreeMap<String, f64>) -> Option<f64> {
    let (draws, total): (f64, f64) = (found.values().sum(), weights.values().sum());
    let mut pooled = (0.0, 0.0);
    let (mut statistic, mut cells) = (0.0, 0_u32);
    let mut add = |found: f64, expected: f64| {
        statistic += (found - expected).powi(2) / expected;
        cells += 1;
    };
    for (name, weight) in weights {
        let (own, expected) = (found.get(name).copied().unwrap_or_default(), draws * weight / total);
        if expected >= 5.0 {
            add(own, expected);
        } else {
            pooled = (pooled.0 + own, pooled.1 + expected);
        }
    }
    if pooled.1 >= 5.0 {
        add(pooled.0, pooled.1);
    }
    (cells > 1).then(|| standard_score(statistic, f64::from(cells - 1)))
}

/// Draws games. Returns the choices, those of lengths apart, and the share of draws that are not thrown away.
fn draw(generator: &GameGenerator, prior: f64, limits: DrawLimits) -> ([FieldChoices; 2], f64) {
    let grammar = generator.grammar();
    let fields: Vec<(String, String)> = grammar
        .kinds()
        .iter()
        .flat_map(|kind| {
            kind.fields.iter().map(|field| (kind.name.to_string(), field.name.unwrap_or_default().to_owned()))
        })
        .collect();
    let name = |symbol: Symbol| match grammar.kind(symbol) {
        Some(kind) => kind.name.to_string(),
        None => generator.tokens().text(symbol).to_owned(),
    };
    let sampler = UntypedSampler::new(generator, prior, limits);
    let mut counts: BTreeMap<(usize, Choice), f64> = BTreeMap::new();
    let mut accepted = 0_u32;
    for index in 0..DRAWS {
        let mut stream = RandomStream::new(17, index);
        let drawn = sampler.attempt(&mut stream, &mut |field, choice| {
            *counts.entry((field, choice)).or_default() += 1.0;
        });
        accepted += u32::from(drawn.is_ok());
    }
    let mut choices = [FieldChoices::new(), FieldChoices::new()];
    for ((field, choice), count) in counts {
        let (table, text) = match choice {
            Choice::Kind(symbol) | Choice::Token(symbol) => (0, name(symbol)),
            Choice::Name => (0, "a name".to_owned()),
            Choice::Length(length) => (1, length.to_string()),
        };
        *choices[table].entry(fields[field].clone()).or_default().entry(text).or_default() += count;
    }
    (choices, f64::from(accepted) / DRAWS as f64)
}

#[test]
fn untyped_games_are_drawn_in_the_published_proportions() {
    let (Some(counter), Some(published)) = (common::json("counter.json"), common::json("grammar.json")) else { return };
    let corpus = common::games(&["interactive-beta.pddl"]).expect("the corpus");
    let games: Vec<&Game> = corpus.iter().collect();
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    let (generator, _) = GameGenerator::new(world, &games, &GeneratorOptions::default()).expect("a generator");
    // The published shares of draws that are not thrown away, which are about the same.
    for (prior, published_share) in PRIORS.into_iter().zip([0.027, 0.017, 0.014]) {
        let (choices, share) = draw(&generator, prior, PUBLISHED_LIMITS);
        let (mut compared, mut differences) = (0, Vec::new());
        for (rule, own) in published["rules"].as_object().expect("a table") {
            for (field, alternatives) in own["fields"].as_object().expect("a table") {
                let expected = weights((rule, alternatives), &counter["counts"][rule][field], prior);
                for (found, weights) in choices.iter().zip(&expected) {
                    let Some(found) = found.get(&(rule.clone(), field.clone())) else { continue };
                    if let Some(score) = deviation(found, weights) {
                        compared += 1;
                        differences.push((score, format!("{rule} {field}: {found:?} {weights:?}")));
                    }
                }
            }
        }
        differences.sort_by(|one, other| other.0.total_cmp(&one.0));
        assert!(compared > 60, "{compared} comparisons");
        // The standard score that a normal variable exceeds with the probability of a false alarm in one comparison.
        let limit = (-2.0 * (FALSE_ALARM / f64::from(compared)).ln()).sqrt();
        assert!(differences[0].0 < limit, "prior {prior}: {:#?}", &differences[..5.min(differences.len())]);
        assert!((share / published_share - 1.0).abs() < 0.25, "prior {prior}: {share} of the draws are kept");
    } // The depth of a whole game was chosen by the shares above; this one was not used.
    let limits = DrawLimits { depth: 24, nodes: 256 };
    let (_, share) = draw(&generator, PRIORS[0], limits);
    assert!((share / 0.26 - 1.0).abs() < 0.25, "{share} of the draws are kept");
}
