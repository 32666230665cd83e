//! Games under simple policies: means of the reference interpreter compared with those of the Cage engine.

use std::collections::BTreeMap;

use crate::common::{errors, game, recorded, report};
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::{ChoiceId, Game, TeamId};
use goalspec_resource::interpret::play::Play;
use goalspec_resource::random::RandomStream;
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;

/// The number of games per row.
const GAMES: u32 = 1500;
/// The maximum number of turns, more than in any recorded game.
const LIMIT: u32 = 1000;

/// Returns the text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    let length = text[start..].find(after)?;
    Some(&text[start..start + length])
}

/// Returns the recorded mean and standard deviation of a quantity.
fn moments(row: &str, name: &str) -> Option<[f64; 2]> {
    let of = &row[row.find(&format!("\"{name}\": {{\"mean\": "))?..];
    let number = |before| between(of, before, ",").and_then(|text| text.parse().ok());
    Some([number("\"mean\": ")?, number("\"sd\": ")?])
}

/// Chooses the move of a policy: a fixed action if the team has it, and otherwise a uniformly random one, with uniformly random values
/// of parameters.
fn choose(play: &Play, always: Option<&str>, stream: &mut RandomStream) -> Move {
    let choices = &play.game().teams[play.team().index()].choices;
    let known = choices.iter().position(|choice| Some(&*choice.name) == always);
    let index = known.unwrap_or_else(|| stream.below(choices.len() as u64) as usize);
    let parameters = choices[index].parameters.iter();
    let values = parameters.map(|parameter| parameter.space.sample(stream).expect("it can be sampled"));
    Move::Choose(ChoiceId::from(index), values.collect())
}

/// Plays a game; returns the final quantities by name.
fn played(game: &Game, always: Option<&str>, index: u64) -> BTreeMap<String, f64> {
    let (mut play, mut stream, mut steps) = (Play::new(game.clone()), RandomStream::new(5, index), 0);
    while !play.completed(&mut stream).expect("a truth value") && steps < LIMIT {
        let chosen = choose(&play, always, &mut stream);
        play.act(&chosen, &mut stream, &ResultRegistry::default()).expect("it does not fail");
        play.advance();
        steps += 1;
    }
    let rewards = game.teams.iter().enumerate().map(|(index, team)| {
        let reward = play.reward(TeamId::from(index), &stream).expect("a number");
        (team.name.to_string(), reward)
    });
    let metrics = play.metrics().into_iter();
    let metrics = metrics.filter_map(|(name, value)| Some((name.to_string(), value.as_ref().and_then(Value::as_f64)?)));
    std::iter::once(("steps".to_owned(), f64::from(steps))).chain(rewards).chain(metrics).collect()
}

/// Compares the means of games with those of a row; returns the number of comparisons.
fn compare(row: &str, mismatches: &mut Vec<String>) -> usize {
    let string = |name: &str| between(row, &format!("\"{name}\": \""), "\"").expect("a string");
    let (name, policy) = (string("game"), string("policy"));
    let text = recorded(&format!("games/{name}")).expect("the sample");
    let read = game(&text, Dialect::CAGE);
    let mut game = read.game.clone().unwrap_or_else(|| panic!("{}", errors(&read)));
    let always = policy.strip_prefix("always:");
    for choice in game.teams.iter_mut().flat_map(|team| &mut team.choices) {
        if Some(&*choice.name) == always {
            // The fixed policy specifies no parameters, which the Cage engine accepts.
            choice.parameters.clear();
        }
    }
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for index in 0..GAMES {
        for (name, number) in played(&game, always, index.into()) {
            *sums.entry(name).or_default() += number;
        }
    }
    let recorded_games: f64 = between(row, "\"games\": ", ",").and_then(|text| text.parse().ok()).expect("a count");
    let mut compared = 0;
    for (number, sum) in sums {
        let Some([mean, deviation]) = moments(row, &number) else { continue };
        compared += 1;
        let found = sum / f64::from(GAMES);
        // Four standard errors of the difference, plus the rounding of the recorded mean to six digits.
        let error = 4.0 * deviation * (1.0 / f64::from(GAMES) + 1.0 / recorded_games).sqrt() + 1e-5 * mean.abs();
        if (found - mean).abs() > error {
            mismatches.push(format!("{name}, {policy}, {number}: {found}, not {mean} within {error}"));
        }
    }
    compared
}

#[test]
fn means_of_many_games() {
    let Some(table) = recorded("engine_statistics.jsonl") else { return };
    let mut mismatches = Vec::new();
    let total = table.lines().map(|row| compare(row, &mut mismatches)).sum();
    report("statistics", total, &mismatches);
}
