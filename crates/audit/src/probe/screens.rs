//! Modified copies of recorded screens.

use goalspec_python_runtime::scene::{self, SceneObject};
use goalspec_rewards::frames::Scene;
use goalspec_rewards::screen_worlds::ScreenWorld;
use goalspec_rewards::world::RewardWorld;

use super::sample::SampledFrame;

/// The width of a screen, and the rows in which the objects of all games move, in pixels.
const WIDTH: u64 = 152;
const ROWS: std::ops::Range<u64> = 30..190;

/// The maximum speed of a generated motion, in pixels per frame.
const MAX_SPEED: u64 = 6;

/// A deterministic pseudorandom number generator (`SplitMix64`).
pub(super) struct SplitMix64(u64);

impl SplitMix64 {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `limit`, which is above 0.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn random_speed(&mut self) -> i32 {
        self.below(2 * MAX_SPEED + 1) as i32 - MAX_SPEED as i32
    }
}

/// A layout of the objects on a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// At the recorded positions, at rest.
    Recorded,
    /// At the recorded positions, with random speeds.
    Moving,
    /// At the position of the first object.
    Overlapping,
    /// Around the first object.
    Near,
    /// At random positions, with random speeds.
    Random,
}

/// Returns the objects of a screen; `None` for other worlds.
pub(super) fn screen_objects(frame: &SampledFrame) -> Option<&[SceneObject]> {
    match &frame.scene {
        Scene::Screen(objects) => Some(objects),
        Scene::Objects(_) => None,
    }
}

/// Returns a copy of a frame with other objects.
pub(super) fn with_objects(frame: &SampledFrame, objects: Vec<SceneObject>) -> SampledFrame {
    SampledFrame { scene: Scene::Screen(objects), ..frame.clone() }
}

/// Returns a copy of a frame at rest: no object moves, no value changes.
pub(super) fn at_rest(frame: &SampledFrame) -> SampledFrame {
    let Some(objects) = screen_objects(frame) else { return frame.clone() };
    let mut objects = objects.to_vec();
    objects.iter_mut().for_each(set_at_rest);
    with_objects(frame, objects)
}

fn set_at_rest(object: &mut SceneObject) {
    if object.visible {
        object.previous = Some(object.position);
        object.previous_value = object.value;
    }
}

/// Returns the objects of a screen in another layout.
pub(super) fn arrange(objects: &[SceneObject], layout: Layout, numbers: &mut SplitMix64) -> Vec<SceneObject> {
    let first = objects.iter().find(|object| object.visible).map_or((80, 100), |object| object.position);
    let mut objects = objects.to_vec();
    for object in objects.iter_mut().filter(|object| object.visible) {
        // Objects of the display keep their positions.
        if !object.hud {
            object.position = match layout {
                Layout::Recorded | Layout::Moving => object.position,
                Layout::Overlapping => first,
                Layout::Near => (first.0 + 2 * numbers.random_speed(), first.1 + 2 * numbers.random_speed()),
                Layout::Random => {
                    let row = ROWS.start + numbers.below(ROWS.end - ROWS.start);
                    (numbers.below(WIDTH) as i32, row as i32)
                }
            };
        }
        set_at_rest(object);
        if matches!(layout, Layout::Moving | Layout::Random) && !object.hud {
            object.previous =
                Some((object.position.0 + numbers.random_speed(), object.position.1 + numbers.random_speed()));
        }
    }
    objects
}

/// Returns the marker of an empty slot.
pub(super) fn empty_slot(world: &ScreenWorld) -> SceneObject {
    world.scene.screen_class("NoObject").map_or_else(
        || unreachable!("every screen has the class of empty slots"),
        |class| SceneObject { position: (0, 0), size: (0, 0), ..world.scene.new_object(class) },
    )
}

/// Adds the objects of the display that a screen lacks, at rest, in the order of the game's slots.
pub(super) fn with_score_objects(world: &ScreenWorld, objects: &[SceneObject]) -> Vec<SceneObject> {
    let mut objects = objects.to_vec();
    for (class, count) in world.game.slots(true) {
        let Some(class) = world.scene.screen_class(world.game.class(class).name) else { continue };
        if !is_score(&world.scene, class) {
            continue;
        }
        let known = objects.iter().filter(|object| object.class == class).count();
        for _ in known..count {
            let mut object = world.scene.new_object(class);
            set_at_rest(&mut object);
            objects.push(object);
        }
    }
    objects
}

/// Whether objects of a class display a score or lives.
pub(super) fn is_score(world: &scene::World, class: u16) -> bool {
    let class = &world.screen_classes[usize::from(class)];
    class.value.is_some() && (class.name.contains("Score") || class.name.contains("Lives") || &*class.name == "Life")
}

/// Returns the world if it is an Atari world.
pub(super) fn as_screen_world(world: &RewardWorld) -> Option<&'static ScreenWorld> {
    match world {
        RewardWorld::Screen(world) => Some(world),
        RewardWorld::Objects(_) => None,
    }
}
