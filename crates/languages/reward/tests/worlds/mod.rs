//! The object classes of four games.

use goalspec_python_runtime::scene::{ScreenClass, ScreenEquality, World};

/// Returns the world of a game: the classes of all games, then its own.
pub(crate) fn world(game: &str) -> World {
    let own: &[(&str, &str, ScreenEquality)] = match game {
        "pong" => &[
            ("Player", "GameObject", ScreenEquality::Identity),
            ("Enemy", "GameObject", ScreenEquality::Identity),
            ("Ball", "GameObject", ScreenEquality::Identity),
        ],
        "freeway" => {
            &[("Chicken", "GameObject", ScreenEquality::Identity), ("Car", "GameObject", ScreenEquality::Identity)]
        }
        "seaquest" => &[
            ("Player", "GameObject", ScreenEquality::Identity),
            ("Shark", "GameObject", ScreenEquality::Identity),
            ("Submarine", "GameObject", ScreenEquality::Identity),
            ("SurfaceSubmarine", "Submarine", ScreenEquality::Identity),
            ("Diver", "GameObject", ScreenEquality::Identity),
            ("EnemyMissile", "GameObject", ScreenEquality::Identity),
            ("PlayerMissile", "GameObject", ScreenEquality::Identity),
            ("OxygenBar", "ValueObject", ScreenEquality::Identity),
            ("OxygenBarDepleted", "ValueObject", ScreenEquality::Identity),
            ("CollectedDiver", "GameObject", ScreenEquality::Identity),
            ("Lives", "ValueObject", ScreenEquality::Identity),
            ("PlayerScore", "ValueObject", ScreenEquality::Identity),
        ],
        "skiing" => &[
            ("Player", "GameObject", ScreenEquality::Identity),
            ("Flag", "GameObject", ScreenEquality::SimilarRow { row_tolerance: 5, same_color: false }),
            ("Mogul", "GameObject", ScreenEquality::SimilarRow { row_tolerance: 5, same_color: false }),
            ("Tree", "GameObject", ScreenEquality::SimilarRow { row_tolerance: 7, same_color: false }),
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
