//! Properties of the decoder on arbitrary RAM, and its behaviour without the quirks of `OCAtari`.

use goalspec_atari::class::{ObjectEquality, OrientationType, ValueAttributes};
use goalspec_atari::{ClassId, DecodeError, Decoder, Game, GameObject, Options, Orientation};
use proptest::prelude::*;

const WITHOUT_QUIRKS: Options = Options { hud: true, quirks: false };
const WITH_QUIRKS: Options = Options { hud: true, quirks: true };

/// Returns RAM that is zero except for some bytes.
fn ram(bytes: &[(usize, u8)]) -> [u8; 128] {
    let mut ram = [0; 128];
    for (at, byte) in bytes {
        ram[*at] = *byte;
    }
    ram
}

fn class(game: Game, name: &str) -> ClassId {
    game.class_named(name).unwrap_or_else(|| panic!("{game} has {name}"))
}

#[test]
fn games_have_the_names_that_environments_have() {
    for game in Game::ALL {
        for name in [game.slug(), game.name().to_owned(), game.environment(), format!("{game}NoFrameskip-v4")] {
            assert_eq!(name.parse(), Ok(game), "{name}");
        }
    }
    let unknown = "ALE/Zaxxon-v5".parse::<Game>().expect_err("it is none of the ten");
    assert!(unknown.to_string().starts_with("unknown game `ALE/Zaxxon-v5`"), "{unknown}");
    assert!("".parse::<Game>().is_err());
}

#[test]
fn slots_are_as_many_as_objects() {
    let sizes = Game::ALL.map(|game| [false, true].map(|hud| game.slots(hud).map(|(_, slots)| slots).sum::<usize>()));
    let expected = [[25, 27], [12, 15], [2, 5], [110, 113], [12, 14], [3, 5], [42, 45], [14, 16], [44, 47], [4, 6]];
    assert_eq!(sizes, expected);
    for (game, sizes) in Game::ALL.into_iter().zip(sizes) {
        for (hud, size) in [false, true].into_iter().zip(sizes) {
            assert_eq!(Decoder::new(game, Options { hud, quirks: true }).objects().len(), size, "{game}");
        }
    }
}

#[test]
fn classes_have_the_properties_of_their_objects() {
    let seaquest = Game::Seaquest;
    let surface = seaquest.class(class(seaquest, "SurfaceSubmarine"));
    assert_eq!((surface.parent, surface.rgb), ("Submarine", [170, 170, 170]));
    let oxygen = seaquest.class(class(seaquest, "OxygenBar"));
    assert_eq!((oxygen.parent, oxygen.hud, oxygen.value), ("ValueObject", true, ValueAttributes::Tracked(0)));
    assert!(oxygen.attributes().any(|attribute| attribute.name == "value_diff"));
    assert_eq!(seaquest.class(class(seaquest, "Player")).orientation, OrientationType::EastWest);
    let tree = Game::Skiing.class(class(Game::Skiing, "Tree"));
    assert_eq!(tree.equality, ObjectEquality::Near { rows: 7, subtype: true });
    assert!(!tree.hashable() && Game::Pong.class(class(Game::Pong, "Ball")).hashable());
    let arms = Game::Boxing.class(class(Game::Boxing, "Enemy")).attributes();
    assert_eq!(arms.filter(|attribute| attribute.name.ends_with("arm_length")).count(), 2);
    for game in Game::ALL {
        assert_eq!(game.class(ClassId::NO_OBJECT).name, "NoObject");
    }
}

#[test]
fn objects_equal_as_in_python() {
    let at = |game, name: &str, x, y| GameObject { class: class(game, name), x, y, ..GameObject::NO_OBJECT };
    let skiing = Game::Skiing;
    let equal = |left: &str, right: &str, apart: i16| {
        skiing.equal(&at(skiing, left, 3, 50), &at(skiing, right, 90, 50 + apart))
    };
    assert!(equal("Tree", "Tree", 6) && !equal("Tree", "Tree", 7));
    assert!(equal("Flag", "Flag", -4) && !equal("Flag", "Flag", 5));
    assert!(!equal("Tree", "Mogul", 0) && !equal("Player", "Flag", 0) && !equal("Player", "Player", 0));
    assert!(skiing.equal(&GameObject::NO_OBJECT, &GameObject { x: 4, ..GameObject::NO_OBJECT }));
    // ObjectEquality of an enemy's score tests for a score of the player.
    let tennis = Game::Tennis;
    let (player, enemy) = (at(tennis, "PlayerScore", 5, 5), at(tennis, "EnemyScore", 5, 5));
    assert!(tennis.equal(&enemy, &player) && !tennis.equal(&player, &enemy) && !tennis.equal(&enemy, &enemy.clone()));
}

#[test]
fn ram_of_another_length_is_an_error() {
    let mut decoder = Decoder::new(Game::Pong, Options::default());
    assert_eq!(decoder.reset(&[0; 127]), Err(DecodeError::InvalidLength { found: 127 }));
    let error = decoder.step(&[]).expect_err("there is no RAM");
    assert_eq!(error.to_string(), "expected 128 bytes of RAM, found 0");
}

#[test]
fn exceptions_of_ocatari_are_errors_unless_mended() {
    let rows = ram(&[(18, 64)]);
    let error =
        Decoder::new(Game::SpaceInvaders, WITH_QUIRKS).reset(&rows).expect_err("rows have six aliens").to_string();
    let said = "invalid RAM for SpaceInvaders: a row of aliens has more than six aliens (OCAtari raises IndexError)";
    assert_eq!(error, said);
    assert!(Decoder::new(Game::SpaceInvaders, WITHOUT_QUIRKS).reset(&rows).is_ok());
    let blocks = ram(&[(0, 64)]);
    assert!(Decoder::new(Game::Breakout, WITH_QUIRKS).reset(&blocks).is_err());
    assert!(Decoder::new(Game::Breakout, WITHOUT_QUIRKS).reset(&blocks).is_ok());
}

/// Returns the object in a slot after two frames, with and without quirks.
fn second(game: Game, slot: usize, first: [u8; 128], second: [u8; 128]) -> [GameObject; 2] {
    [WITH_QUIRKS, WITHOUT_QUIRKS].map(|options| {
        let mut decoder = Decoder::new(game, options);
        decoder.reset(&first).expect("it is readable");
        decoder.step(&second).expect("it is readable")[slot]
    })
}

#[test]
fn without_quirks_nothing_moves_at_a_reset() {
    let frame = ram(&[(14, 6)]);
    let moved = [WITH_QUIRKS, WITHOUT_QUIRKS]
        .map(|options| Decoder::new(Game::Freeway, options).reset(&frame).map(|found| found[0].dy()));
    assert_eq!(moved, [Ok(187), Ok(0)]);
}

#[test]
fn without_quirks_asterix_remembers() {
    let lane = |x, there| ram(&[(42, x), (29, 1), (18, there), (83, 3)]);
    let enemy = 9;
    let [kept, mended] = second(Game::Asterix, enemy, lane(40, 0), lane(44, 0));
    assert_eq!((kept.x, kept.dx(), mended.x, mended.dx()), (44, 0, 44, 4));
    let [kept, mended] = second(Game::Asterix, enemy, lane(40, 0), lane(44, 11));
    assert!(kept.is_present() && mended.is_no_object());
    let [kept, mended] = second(Game::Asterix, 26, ram(&[(83, 1)]), ram(&[(83, 3)]));
    assert!(kept.is_no_object() && mended.is_present());
    assert_eq!((kept.x, kept.w, mended.x, mended.w), (60, 24, 60, 24));
}

#[test]
fn without_quirks_scores_are_as_wide_as_their_digits() {
    let [kept, mended] = second(Game::Boxing, 2, ram(&[(18, 9)]), ram(&[(18, 10)]));
    assert_eq!((kept.w, mended.w), (6, 14));
    let [kept, mended] = second(Game::Pong, 3, ram(&[(14, 12)]), ram(&[(14, 3)]));
    assert_eq!((kept.w, mended.w), (4, 12));
}

#[test]
fn without_quirks_seaquest_leaves_nothing_behind() {
    let lane = |kind| ram(&[(36, 4), (30, 50), (89, kind), (93, 4), (71, 30)]);
    let (submarine, missile) = (13, 32);
    let [kept, mended] = second(Game::Seaquest, submarine, lane(4), lane(0));
    assert!(kept.is_present() && mended.is_no_object());
    let gone = ram(&[(89, 0)]);
    let [kept, mended] = second(Game::Seaquest, missile, lane(4), gone);
    assert!(kept.is_present() && mended.is_no_object());
    let [kept, mended] = second(Game::Seaquest, 0, ram(&[(105, 3)]), ram(&[(70, 90), (97, 20), (86, 8)]));
    assert_eq!((kept.x, kept.y, kept.orientation), (76, 46, Some(Orientation::East)));
    assert_eq!((mended.x, mended.y, mended.orientation), (90, 53, Some(Orientation::West)));
    let [kept, mended] = second(Game::Seaquest, 43, ram(&[(59, 3)]), ram(&[(59, 2)]));
    assert_eq!((kept.value, kept.prev_value, mended.prev_value), (Some(2), None, Some(3)));
    let [kept, mended] = second(Game::Seaquest, 36, ram(&[(62, 1)]), ram(&[(62, 1)]));
    assert_eq!((kept.x, kept.y, mended.x, mended.y), (0, 0, 58, 178));
}

#[test]
fn without_quirks_space_invaders_are_where_they_are() {
    let alive = |row| ram(&[(18, row), (19, 63), (26, 40), (16, 10)]);
    let alien = 8 + 35;
    let [kept, mended] = second(Game::SpaceInvaders, alien, alive(31), alive(63));
    assert_eq!((kept.x, kept.y, mended.x, mended.y), (0, 0, 119, 141));
    let bullet = |y| ram(&[(83, 50), (81, y)]);
    let [kept, mended] = second(Game::SpaceInvaders, 4, bullet(0), bullet(40));
    assert!(kept.is_no_object() && kept.y == 83 && mended.is_present() && mended.y == 83);
    let shield = ram(&[(43 + 2, 1)]);
    let [kept, mended] = second(Game::SpaceInvaders, 2, shield, shield);
    assert_eq!((kept.y, kept.h, mended.h), (161, 18 - 4 - 12, 0));
}

#[test]
fn without_quirks_skiing_goes_on() {
    // A tree in the first RAM entry that moves beyond it.
    let tree = |byte| ram(&[(70, 85), (54, 20), (86, 100), (62, 30), (69, 85), (53, 20), (90, byte)]);
    let mut kept = Decoder::new(Game::Skiing, WITH_QUIRKS);
    kept.reset(&tree(9)).expect("it is readable");
    let error = kept.step(&tree(3)).expect_err("the tree is at no place");
    assert!(matches!(error, DecodeError::InvalidRam { exception: "ValueError", .. }), "{error}");
    let mut mended = Decoder::new(Game::Skiing, WITHOUT_QUIRKS);
    mended.reset(&tree(9)).expect("it is readable");
    assert_eq!(mended.step(&tree(3)).expect("the tree is gone")[1].dx(), 0);
    assert_eq!(mended.visible_objects().filter(|object| object.class == class(Game::Skiing, "Tree")).count(), 1);
}

/// Generates RAM with realistic bytes: values near thresholds, and arbitrary ones.
fn frame() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![any::<u8>(), 0..=20_u8, Just(63), Just(85), Just(2), Just(5), Just(255)];
    proptest::collection::vec(byte, 128)
}

proptest! {
    #[test]
    fn no_ram_is_too_odd(frames in proptest::collection::vec(frame(), 1..40), game in 0..10_usize, hud: bool, quirks: bool) {
        let game = Game::ALL[game];
        let mut decoder = Decoder::new(game, Options { hud, quirks });
        let slots = decoder.objects().len();
        for frame in frames {
            match decoder.step(&frame) {
                Ok(objects) => {
                    prop_assert_eq!(objects.len(), slots);
                    for object in objects {
                        prop_assert!(usize::from(object.class.0) < game.classes().len());
                    }
                }
                Err(error) => {
                    let unreadable = matches!(error, DecodeError::InvalidRam { .. });
                    prop_assert!(unreadable && quirks, "{game}: {error}");
                }
            }
        }
    }

    #[test]
    fn a_reset_forgets(before in frame(), after in frame(), game in 0..10_usize, quirks: bool) {
        let game = Game::ALL[game];
        let fresh = Decoder::new(game, Options { hud: true, quirks }).reset(&after).map(<[GameObject]>::to_vec);
        let mut used = Decoder::new(game, Options { hud: true, quirks });
        let _ = used.step(&before);
        prop_assert_eq!(used.reset(&after).map(<[GameObject]>::to_vec), fresh);
    }
}
