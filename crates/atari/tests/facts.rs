//! The specifications of the games equal those of `OCAtari` and of the Arcade Learning Environment, as recorded by
//! `cargo xtask ocatari`. Skipped if there are no recordings.

use std::collections::BTreeSet;
use std::path::Path;

use goalspec_atari::Game;
use goalspec_atari::class::BASE_ATTRIBUTES;
use serde_json::{Value, json};

/// Attributes that `OCAtari` does not list, although all objects have them.
const UNLISTED: [&str; 5] = ["xy", "wh", "xywh", "prev_xy", "h_coords"];
/// Attributes that objects here do not have: they are constant, or internal to the decoder.
const LEFT_OUT: [&str; 4] = ["nslen", "ten", "player_num", "ram_90"];

fn recorded(game: Game) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../target/data/ocatari/{}.json", game.slug()));
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        eprintln!("skipped: no facts of {game} (run `cargo xtask ocatari {game}`)");
    }
    serde_json::from_str(&text?).expect("the file is JSON")
}

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn games_have_the_actions_and_slots() {
    for (game, facts) in Game::ALL.into_iter().filter_map(|game| Some((game, recorded(game)?))) {
        assert_eq!(facts["actions"], json!(game.actions()), "{game}");
        for hud in [false, true] {
            let slots: Vec<_> = game.slots(hud).map(|(class, slots)| json!([game.class(class).name, slots])).collect();
            assert_eq!(facts["slots"][hud.to_string()], Value::Array(slots), "{game}");
        }
    }
}

#[test]
fn classes_are_as_they_say() {
    for (game, facts) in Game::ALL.into_iter().filter_map(|game| Some((game, recorded(game)?))) {
        let classes = facts["classes"].as_object().expect("there are classes");
        assert_eq!(classes.len(), game.classes().len(), "{game}");
        for class in game.classes() {
            let said = &classes[class.name];
            let found = [json!(class.parent), json!(class.rgb), json!(class.hud), json!(class.hashable())];
            assert_eq!(
                ["parent", "rgb", "hud", "hashable"].map(|fact| said[fact].clone()),
                found,
                "{game} {}",
                class.name
            );
            let own: BTreeSet<&str> = class.attributes().map(|attribute| attribute.name).collect();
            let expected: BTreeSet<&str> = names(&said["properties"]).into_iter().chain(UNLISTED).collect();
            let lacking: Vec<_> = expected.difference(&own).filter(|name| !LEFT_OUT.contains(name)).collect();
            assert!(lacking.is_empty(), "{game} {} lacks {lacking:?}", class.name);
            // The lives of Space Invaders have a value only from the first frame on.
            let more: Vec<_> = own.difference(&expected).copied().collect();
            let late = game == Game::SpaceInvaders && class.name == "Lives";
            assert_eq!(more, if late { vec!["value"] } else { vec![] }, "{game} {}", class.name);
        }
        assert!(BASE_ATTRIBUTES.iter().all(|attribute| !LEFT_OUT.contains(&attribute.name)));
    }
}
