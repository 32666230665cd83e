//! The screens of a recording, as the objects on them.

use goalspec::atari::recording::Frame;
use goalspec::atari::{Game, GameObject};
use goalspec::rewards::frames::{FrameReader, RecordedFrame};
use goalspec::rewards::screen_worlds::ScreenWorld;
use goalspec::rewards::world::RewardWorld;
use goalspec::syntax::Diagnostic;
use goalspec::trace::TraceInput;
use serde_json::{Map, Value, json};

/// The width and the height of a screen, in pixels.
const SCREEN: [u32; 2] = [160, 210];

/// A recording of screens whose frames can be shown in any order.
#[derive(Debug)]
pub struct Screens {
    game: Game,
    actions: Vec<String>,
    frames: Vec<Frame>,
}

impl Screens {
    /// Reads a recording. A damaged recording is read up to the damage.
    ///
    /// # Errors
    /// If the recording cannot be opened, or is about another game.
    pub fn read(input: &TraceInput, world: &'static ScreenWorld) -> Result<Self, Box<Diagnostic>> {
        let own = RewardWorld::Screen(world);
        let mut reader = FrameReader::open(input, &own, false)?;
        let (mut frame, mut frames) = (RecordedFrame::default(), Vec::new());
        while matches!(reader.next(&mut frame), Ok(true)) {
            frames.push(frame.screen_frame.clone());
        }
        Ok(Self { game: world.game, actions: reader.actions(), frames })
    }

    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are no frames.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns a frame, counted from 0, with the visible objects; `None` if there is no such frame. With `only_changes`, it has only the
    /// objects that differ from those of the frame before.
    pub fn document(&self, at: usize, only_changes: bool) -> Option<Value> {
        let frame = self.frames.get(at)?;
        let before = at.checked_sub(1).map(|before| &self.frames[before].objects[..]);
        let (mut objects, mut gone) = (Vec::new(), Vec::new());
        let slots = frame.objects.len().max(before.map_or(0, <[_]>::len));
        for slot in 0..slots {
            let shown = |objects: &[GameObject]| objects.get(slot).copied().filter(GameObject::is_present);
            let (object, earlier) = (shown(&frame.objects), before.and_then(shown));
            match (object, earlier) {
                (Some(object), _) => {
                    let changed = changed(&object, earlier.as_ref());
                    // Nothing has changed in the first frame, although everything is new.
                    if before.is_none() {
                        objects.push(self.object(slot, &object, &[]));
                    } else if !only_changes || !changed.is_empty() {
                        objects.push(self.object(slot, &object, &changed));
                    }
                }
                (None, Some(_)) => gone.push(slot.to_string()),
                (None, None) => {}
            }
        }
        let action =
            frame.action.map(|action| self.actions.get(action as usize).cloned().unwrap_or_else(|| action.to_string()));
        Some(json!({
            "at": at,
            "index": frame.index,
            "episode": frame.episode,
            "game_reward": frame.reward,
            "t": null,
            "action": action,
            "screen": SCREEN,
            "objects": objects,
            "gone": gone,
        }))
    }

    fn object(&self, slot: usize, object: &GameObject, changed: &[String]) -> Value {
        let name = self.game.class(object.class).name;
        json!({
            "id": slot.to_string(),
            "name": format!("{name} {slot}"),
            "type": name,
            "previous": object.prev,
            "changed": changed,
            "values": values(object),
        })
    }
}

/// Returns the names of the attributes that differ from those in the frame before; all, if the object was not visible there.
fn changed(object: &GameObject, earlier: Option<&GameObject>) -> Vec<String> {
    let before = earlier.map(values).unwrap_or_default();
    let differs = |(name, value): (String, Value)| (before.get(&name) != Some(&value)).then_some(name);
    values(object).into_iter().filter_map(differs).collect()
}

/// Returns the attributes of an object by the names that reward functions use.
fn values(object: &GameObject) -> Map<String, Value> {
    let [red, green, blue] = object.rgb;
    let mut values = Map::from_iter([
        ("x".to_owned(), json!(object.x)),
        ("y".to_owned(), json!(object.y)),
        ("w".to_owned(), json!(object.w)),
        ("h".to_owned(), json!(object.h)),
        ("rgb".to_owned(), json!(format!("#{red:02x}{green:02x}{blue:02x}"))),
    ]);
    if let Some(value) = object.value {
        values.insert("value".to_owned(), json!(value));
    }
    if object.hud {
        values.insert("hud".to_owned(), json!(true));
    }
    values
}
