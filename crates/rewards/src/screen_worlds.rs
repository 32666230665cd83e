//! The worlds of Atari games, with the classes for reward functions and the vocabulary for the game language.

mod description;

use std::sync::{Arc, LazyLock, OnceLock};

use goalspec_atari::class::{Class, ObjectEquality, OrientationType, ValueAttributes};
use goalspec_atari::game::SCREEN_WORLD;
use goalspec_atari::object::ClassAttributes;
use goalspec_atari::{Game, GameObject, Orientation};
use goalspec_core::world::World;
use goalspec_python_runtime::scene::{self, SceneObject};
use goalspec_syntax::Sources;

pub use description::{attribute_description, method_description};

/// The prefix of the names of these worlds.
const PREFIX: &str = "atari/";

/// The attributes of the lengths of a boxer's arms, in the order of [`ClassAttributes::Arms`].
const ARM_ATTRIBUTES: [&str; 2] = ["right_arm_length", "left_arm_length"];

/// The world of an Atari game.
#[derive(Debug)]
pub struct ScreenWorld {
    /// The game.
    pub game: Game,
    /// The name of the world, such as `atari/pong`.
    pub name: String,
    /// The classes for reward functions.
    pub scene: Arc<scene::World>,
    /// The index in [`Self::scene`] of each class of the game.
    classes: Vec<u16>,
    world: OnceLock<Arc<World>>,
}

static WORLDS: LazyLock<Vec<ScreenWorld>> = LazyLock::new(|| Game::ALL.into_iter().map(ScreenWorld::new).collect());

/// Returns the worlds of all games.
pub fn all() -> &'static [ScreenWorld] {
    &WORLDS
}

/// Returns the world of a game.
///
/// # Panics
/// Never panics: every game has a world.
pub fn for_game(game: Game) -> &'static ScreenWorld {
    WORLDS.iter().find(|world| world.game == game).expect("every game has a world")
}

/// Returns the world with this name.
pub fn builtin(name: &str) -> Option<&'static ScreenWorld> {
    WORLDS.iter().find(|world| world.name == name)
}

/// Returns the world of an `OCAtari` module such as `ocatari.ram.pong`.
pub(crate) fn for_module(module: &str) -> Option<&'static ScreenWorld> {
    let game = module.strip_prefix("ocatari.ram.").or_else(|| module.strip_prefix("ocatari.vision."))?;
    WORLDS.iter().find(|world| world.game.slug() == game)
}

/// Returns the text of an extensible world file: that of all screens, or that of a game.
pub fn world_source(name: &str) -> Option<&'static str> {
    if name == "screen" {
        return Some(SCREEN_WORLD);
    }
    builtin(name).map(|world| world.game.world_file())
}

impl ScreenWorld {
    fn new(game: Game) -> Self {
        // Classes come after the class that they inherit from, but not after all classes that they compare equal to.
        let own: Vec<&Class> = game.classes().iter().filter(|class| **class != Class::NO_OBJECT).collect();
        let place_of = |name: &str| {
            let place = own.iter().position(|class| class.name == name)?;
            Some((scene::World::SHARED_CLASSES + place) as u16)
        };
        let screen_classes = own.iter().map(|class| (class.parent, scene_class(class, place_of)));
        let winds = own.iter().any(|class| class.orientation == OrientationType::EastWest);
        let scene = scene::World { exports_orientation: winds, ..scene::World::from_screen_classes(screen_classes) };
        let classes = game.classes().iter().map(|class| scene.screen_class(class.name).unwrap_or_default()).collect();
        Self { game, name: format!("{PREFIX}{}", game.slug()), scene: Arc::new(scene), classes, world: OnceLock::new() }
    }

    /// Returns the typed world for the game language.
    pub fn world(&self) -> Arc<World> {
        self.core().clone()
    }

    /// Returns the typed world by reference. A test ensures that the shipped files are valid.
    pub fn core(&self) -> &Arc<World> {
        self.world.get_or_init(|| {
            let mut sources = Sources::new();
            let id = sources.add(format!("{}.world.toml", self.name), self.game.world_file());
            let file = sources.file(id).clone();
            let mut include = |name: &str| Some((format!("{name}.world.toml"), world_source(name)?.to_owned()));
            let (world, diagnostics) = goalspec_game::worlds::parse(&file, &mut sources, &mut include);
            Arc::new(world.unwrap_or_else(|| unreachable!("{}: {diagnostics:?}", self.name)))
        })
    }

    /// Replaces `scene` by the objects of a frame, as reward functions receive them.
    pub fn fill_scene(&self, objects: &[GameObject], scene: &mut Vec<SceneObject>) {
        scene.clear();
        scene.extend(objects.iter().map(|object| self.scene_object(object)));
    }

    fn scene_object(&self, object: &GameObject) -> SceneObject {
        SceneObject {
            class: self.classes.get(usize::from(object.class.0)).copied().unwrap_or(0),
            position: (object.x.into(), object.y.into()),
            size: (object.w.into(), object.h.into()),
            previous: object.prev.map(to_i32_pair),
            color: object.rgb,
            orientation: match object.orientation {
                None => scene::Orientation::None,
                Some(Orientation::East) => scene::Orientation::Name("E".into()),
                Some(Orientation::West) => scene::Orientation::Name("W".into()),
                Some(Orientation::Raw(byte)) => scene::Orientation::Raw(byte.into()),
            },
            hud: object.hud,
            visible: object.is_present(),
            value: object.value,
            previous_value: object.prev_value,
            extra_values: match object.class_attributes {
                ClassAttributes::Arms { right, left } => vec![right.into(), left.into()],
                ClassAttributes::None | ClassAttributes::Subtype(_) => Vec::new(),
            },
        }
    }
}

/// Converts a class of a game for reward functions; `place_of` returns the index of a class by its name.
fn scene_class(class: &Class, place_of: impl Fn(&str) -> Option<u16>) -> scene::ScreenClass {
    scene::ScreenClass {
        equality: match class.equality {
            ObjectEquality::Identity => scene::ScreenEquality::Identity,
            ObjectEquality::NoObject => scene::ScreenEquality::Always,
            // Kinds of trees have distinct colors.
            ObjectEquality::Near { rows, subtype } => {
                scene::ScreenEquality::SimilarRow { row_tolerance: rows.into(), same_color: subtype }
            }
            ObjectEquality::SamePosition { of } => place_of(of)
                .map_or(scene::ScreenEquality::Identity, |class| scene::ScreenEquality::SamePosition { class }),
        },
        position: to_i32_pair(class.initial_position),
        size: to_i32_pair(class.initial_size),
        color: class.rgb,
        hud: class.hud,
        value: match class.value {
            ValueAttributes::None => None,
            ValueAttributes::Plain => Some(0),
            ValueAttributes::Tracked(first) => Some(first),
        },
        extra_attributes: if class.has_arms() { ARM_ATTRIBUTES.map(Arc::from).to_vec() } else { Vec::new() },
        ..scene::ScreenClass::new(class.name)
    }
}

fn to_i32_pair((x, y): (i16, i16)) -> (i32, i32) {
    (x.into(), y.into())
}
