//! The object classes of four games.

use goalspec_python_runtime::scene::{Equality, ScreenClass, World};

/// Returns the world of a game: the classes of all games, then its own.
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
            ("Flag", "GameObject", Equality::SimilarRow { row_tolerance: 5, same_color: false }),
            ("Mogul", "GameObject", Equality::SimilarRow { row_tolerance: 5, same_color: false }),
            ("Tree", "GameObject", Equality::SimilarRow { row_tolerance: 7, same_color: false }),
        ],
        other => panic!("no game `{other}`"),
    };
    World::from_screen_classes(
        own.iter().map(|&(name, parent, equality)| (parent, ScreenClass { equality, ..ScreenClass::new(name) })),
    )
}

#[allow(dead_code, reason = "not everything that takes this in asks for all of it")]
/// Returns the index of a class by its name.
pub(crate) fn class(world: &World, name: &str) -> u16 {
    world.screen_class(name).unwrap_or_else(|| panic!("no class `{name}`"))
}
