//! The simulator plays what the reference interpreter plays.

use goalspec_core::resource::custom::{Call, Registry};
use goalspec_core::resource::value::Value;
use goalspec_testing::resource::play;

mod games;

/// Turns in a game.
const TURNS: usize = 40;

#[test]
fn random_games() {
    let mut turns = 0;
    for seed in 0..1500 {
        turns += play(&games::game(seed), &Registry::default(), seed, TURNS).unwrap();
    }
    assert!(turns > 5000, "most games should go on for some turns: {turns}");
}

/// Moves gold about, here and there to where there was none.
fn shift(call: &mut Call<'_>) -> Result<(), String> {
    let from = call.text_parameter("from")?;
    let gold = call.ground.value(&from, "gold");
    let drawn = call.ground.uniform();
    call.ground.put("d", "stray", gold.clone())?;
    call.ground.put("c", "level", call.ground.value("d", "stray"))?;
    call.ground.put("b", "observable", Some(Value::set(["red"])))?;
    if drawn < 0.1 {
        return Err(format!("{} values", call.ground.values(&from).len() + call.action.len()));
    }
    call.ground.put("a", "gold", Some(Value::Real(drawn)))
}

#[test]
fn random_games_with_results_in_code() {
    let registry = Registry::default().with("shift", shift);
    let mut turns = 0;
    for seed in 0..400 {
        turns += play(&games::with_custom(seed), &registry, seed, TURNS).unwrap();
        play(&games::with_custom(seed), &Registry::default(), seed, TURNS).unwrap();
    }
    assert!(turns > 1000, "most games should go on for some turns: {turns}");
}
