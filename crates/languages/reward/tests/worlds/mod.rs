//! The classes of four games.

use goalspec_reward::scene::{Class, Equality, World};

fn class_of(name: &str, parent: Option<u16>, equality: Equality) -> Class {
    Class {
        name: name.into(),
        parent,
        equality,
        start: (0, 0),
        size: (0, 0),
        color: [0; 3],
        hud: false,
        value: None,
        visible: name != "NoObject",
    }
}

/// The classes of a game; the first ones are of all games.
pub(crate) fn world(game: &str) -> World {
    let own: &[(&str, &str, Equality)] = match game {
        "pong" => &[
            ("Player", "GameObject", Equality::Identity),
            ("Enemy", "GameObject", Equality::Identity),
            ("Ball", "GameObject", Equality::Identity),
        ],
        "freeway" => &[("Chicken", "GameObject", Equality::Identity), ("Car", "GameObject", Equality::Identity)],
        "seaquest" => &[
            ("Player", "GameObject", Equality::Identity),
            ("Shark", "GameObject", Equality::Identity),
            ("Submarine", "GameObject", Equality::Identity),
            ("SurfaceSubmarine", "Submarine", Equality::Identity),
            ("Diver", "GameObject", Equality::Identity),
            ("EnemyMissile", "GameObject", Equality::Identity),
            ("PlayerMissile", "GameObject", Equality::Identity),
            ("OxygenBar", "ValueObject", Equality::Identity),
            ("OxygenBarDepleted", "ValueObject", Equality::Identity),
            ("CollectedDiver", "GameObject", Equality::Identity),
            ("Lives", "ValueObject", Equality::Identity),
            ("PlayerScore", "ValueObject", Equality::Identity),
        ],
        "skiing" => &[
            ("Player", "GameObject", Equality::Identity),
            ("Flag", "GameObject", Equality::Close { rows: 5, same_color: false }),
            ("Mogul", "GameObject", Equality::Close { rows: 5, same_color: false }),
            ("Tree", "GameObject", Equality::Close { rows: 7, same_color: false }),
        ],
        other => panic!("no game `{other}`"),
    };
    let mut classes = vec![
        class_of("GameObject", None, Equality::Identity),
        class_of("ValueObject", Some(0), Equality::Identity),
        class_of("NoObject", Some(0), Equality::Always),
    ];
    for (name, parent, equality) in own {
        let parent = classes.iter().position(|class| &*class.name == *parent).map(|place| place as u16);
        classes.push(class_of(name, parent, *equality));
    }
    World { classes, ..World::default() }
}

#[allow(dead_code, reason = "not everything that takes this in asks for all of it")]
/// A class by its name.
pub(crate) fn class(world: &World, name: &str) -> u16 {
    let place = world.classes.iter().position(|class| &*class.name == name);
    place.unwrap_or_else(|| panic!("no class `{name}`")) as u16
}
