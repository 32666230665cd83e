//! The sample games of the Cage engine, played by the scripts that were used in the recordings.

use std::collections::BTreeMap;

use crate::common::play::choose;
use crate::common::{errors, game, recorded};
use goalspec_resource::custom::{CustomCall, ResultRegistry};
use goalspec_resource::game::{Game, TeamId};
use goalspec_resource::interpret::play::Play;
use goalspec_resource::random::RandomStream;
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;

fn sample(name: &str) -> Option<Game> {
    Some(read(&recorded(&format!("games/{name}.yaml"))?))
}

fn read(text: &str) -> Game {
    let read = game(text, Dialect::CAGE);
    read.game.clone().unwrap_or_else(|| panic!("{}", errors(&read)))
}

/// Returns the value of a resource in the state.
fn value(play: &Play, name: &str) -> Value {
    let (node, resource) = name.split_once('.').expect("a resource");
    let node = play.game().board.node_named(node).expect("a node");
    play.state().node(node).and_then(|node_state| node_state.values.get(resource)).expect("a value").clone()
}

/// Plays a turn; returns whether the move was valid.
fn turn(play: &mut Play, choice: &str, stream: &mut RandomStream) -> bool {
    let chosen = choose(play, choice, &[]);
    let turn = play.act(&chosen, stream, &ResultRegistry::default()).expect("it does not fail");
    play.advance();
    turn.valid
}

#[test]
fn covid_ends_after_sixty_turns_of_distance() {
    let Some(game) = sample("Covid19") else { return };
    let (mut play, mut stream, mut turns) = (Play::new(game.clone()), RandomStream::new(0, 0), 0);
    while !play.completed(&mut stream).expect("a truth value") {
        turn(&mut play, ["spread", "social distancing"][turns % 2], &mut stream);
        turns += 1;
    }
    assert_eq!(turns, 60);
    assert_eq!(value(&play, "population.susceptible"), Value::Real(993_172.279_609_012));
    assert_eq!(value(&play, "population.dead"), Value::Real(620.701_852_677_453_5));
    assert_eq!(play.reward(TeamId(0), &stream), Ok(5.0));
}

#[test]
fn targets_are_as_likely_as_the_vectors_that_lead_to_them() {
    const PLAYS: u32 = 20_000;
    let (Some(table), Some(game)) = (recorded("engine_covid_and_vectors.txt"), sample("SoftwarePatching")) else {
        return;
    };
    let row = table.lines().find_map(|line| line.strip_prefix("internalAttack first target frequencies: "));
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for index in 0..PLAYS {
        let mut play = Play::new(game.clone());
        turn(&mut play, "internalAttack", &mut RandomStream::new(3, index.into()));
        let nodes = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let hit = nodes.into_iter().find(|node| value(&play, &format!("{node}.compromised")) == Value::Int(1));
        *counts.entry(hit.expect("one is hit")).or_default() += 1;
    }
    for cell in row.expect("the row").split_whitespace() {
        let (node, frequency) = cell.split_once('=').expect("a cell");
        let expected: f64 = frequency.parse().expect("a number");
        let share = f64::from(counts[node]) / f64::from(PLAYS);
        let error = 4.0 * (2.0 * expected * (1.0 - expected) / f64::from(PLAYS)).sqrt();
        assert!((share - expected).abs() <= error, "{node}: {share}, not {expected}");
    }
}

/// Plays a script of the patch game, with red first; returns the outcome in the format of the recordings.
fn scripted(game: &Game, script: &[&str], index: u64) -> String {
    let (mut play, mut stream) = (Play::new(game.clone()), RandomStream::new(7, index));
    let valid: String =
        script.iter().map(|choice| if turn(&mut play, choice, &mut stream) { 'V' } else { 'I' }).collect();
    let of = |name: &str| value(&play, name);
    let [red, blue] = [TeamId(0), TeamId(1)].map(|team| Value::Real(play.reward(team, &stream).expect("a number")));
    format!(
        "{valid} turns={} comp={} pat={} tot={} red={red} blue={blue} moves={} fat={} alerted={} cap={}",
        script.len(),
        of("game.numCompromised"),
        of("game.numPatched"),
        of("game.numTotal"),
        of("game.moves"),
        of("game.blueFatigue"),
        of("game.blueAlerted"),
        of("attacker.capital"),
    )
}

/// Returns the recorded outcomes of a script, with their frequencies in 300 plays.
fn outcomes<'a>(table: &'a str, title: &str) -> Vec<(f64, &'a str)> {
    let rows = table.lines().skip_while(|line| !line.starts_with(&format!("{title}: "))).skip(1);
    let rows = rows.take_while(|line| line.starts_with(' ')).filter_map(|row| row.trim().split_once("x "));
    rows.map(|(count, outcome)| (count.parse().expect("a count"), outcome)).collect()
}

/// Returns a script from pairs of choices, each with a number of repetitions.
fn script<'a>(pairs: &[(usize, [&'a str; 2])]) -> Vec<&'a str> {
    pairs.iter().flat_map(|(count, pair)| std::iter::repeat_n(*pair, *count)).flatten().collect()
}

/// Plays a script and checks the frequency of each recorded outcome and, if the recording is complete, that there are no others.
fn check(table: &str, title: &str, game: &Game, script: &[&str], complete: bool) {
    const PLAYS: u32 = 6000;
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for index in 0..PLAYS {
        *counts.entry(scripted(game, script, index.into())).or_default() += 1.0;
    }
    let recorded = outcomes(table, title);
    assert!(!recorded.is_empty(), "{title}");
    for (count, outcome) in &recorded {
        let share = counts.get(*outcome).copied().unwrap_or_default() / f64::from(PLAYS);
        let error = 4.0 * (share * (1.0 - share) / 300.0).sqrt();
        assert!(share > 0.0 && (share - count / 300.0).abs() <= error, "{title}: {count}x {outcome}, not {share}");
    }
    if complete {
        let other: Vec<_> = counts.keys().filter(|found| recorded.iter().all(|(_, known)| known != found)).collect();
        assert!(other.is_empty(), "{title}: {other:?}");
    }
}

#[test]
fn scripted_patch_games() {
    let (Some(table), Some(game)) = (recorded("engine_scripted_patch_games.txt"), sample("SoftwarePatching")) else {
        return;
    };
    let attacks = script(&[(3, ["internalAttack", "blueNothing"])]);
    check(&table, "testRedReward", &game, &attacks, false);
    let attacks = script(&[(7, ["externalAttack", "blueNothing"]), (1, ["externalAttack", "patch"])]);
    check(&table, "testNumCompromised", &game, &attacks, true);
    check(&table, "testCantPatchYet", &game, &["redNothing", "patch"], true);
}

/// Scripts from the unit tests of the engine, three of which make the alarm of an external attack and every repair certain.
#[test]
fn scripted_patch_games_without_chance() {
    let (Some(table), Some(text)) =
        (recorded("engine_scripted_patch_games.txt"), recorded("games/SoftwarePatching.yaml"))
    else {
        return;
    };
    let certain = text.replace("odds: 0.2 ", "odds: 1.0 ").replace("odds: 0.8\n", "odds: 1.0\n");
    let game = read(&certain);
    check(&table, "testRemediation", &game, &["externalAttack", "remediate"], true);
    let mut patches = script(&[(1, ["externalAttack", "remediate"]), (8, ["redNothing", "patch"])]);
    patches.push("internalAttack");
    check(&table, "testNumPatched", &game, &patches, true);
    let repairs = ["externalAttack", "remediate", "internalAttack", "remediate"].repeat(5);
    check(&table, "testAttackThenRemediate", &game, &repairs, true);
}

#[test]
fn a_custom_result_ends_the_sample_that_needs_one() {
    let Some(game) = sample("MyCustomGame") else { return };
    let unlock = |call: &mut CustomCall<'_>| {
        let [input, output] = ["input", "output"].map(|name| call.text_argument(name));
        let input = call.state.values(&input?);
        let right = ["a", "b", "c", "d"].iter().zip([5.0, 1.0, 2.0, 3.0]).all(|(name, number)| {
            input.iter().any(|(known, value)| **known == **name && value.as_f64() == Some(number))
        });
        call.state.put(&output?, "unlock", Some(Value::Bool(right)))
    };
    let registry = ResultRegistry::default().with("MyCustomResultFunction", unlock);
    let (mut play, mut stream) = (Play::new(game.clone()), RandomStream::new(0, 0));
    for (choice, is_over) in [("wrong_combo", false), ("right_combo", true)] {
        let chosen = choose(&play, choice, &[]);
        play.act(&chosen, &mut stream, &registry).expect("it does not fail");
        assert_eq!(play.completed(&mut stream), Ok(is_over), "{choice}");
    }
    assert_eq!(play.reward(TeamId(0), &stream), Ok(8.0));
}
