//! The objects of a screen as rows of numbers, for environments that are monitored while they run.

use goalspec_atari::{Game, GameObject};
use goalspec_core::ids::ObjectId;
use goalspec_core::world::World;

use super::{Attributes, NumberAccessor, objects};

/// The columns of a screen: for each slot the presence of its object, then those of its attributes that the world declares. The numbers
/// are those of the states of recorded screens.
pub struct ScreenColumns {
    slots: Vec<SlotColumns>,
    names: Vec<String>,
}

/// The columns of one slot.
struct SlotColumns {
    numbers: Vec<NumberAccessor>,
    has_visible: bool,
}

impl ScreenColumns {
    /// Returns the columns of a game for the slots that a world has objects for. `hud` includes the slots of the heads-up display.
    pub fn new(game: Game, world: &World, hud: bool) -> Self {
        let attributes = Attributes::of(world);
        let (mut slots, mut names) = (Vec::new(), Vec::new());
        let count = game.slots(hud).map(|(_, count)| count).sum();
        for object in objects(game, world).into_iter().take(count) {
            slots.push(object.map_or_else(
                || SlotColumns { numbers: Vec::new(), has_visible: false },
                |object| slot(world, &attributes, object, &mut names),
            ));
        }
        Self { slots, names }
    }

    /// Returns the names of the columns, as [`StateColumns`](crate::StateColumns) takes them.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Writes the row of a screen. The numbers of an object that is absent, or that lacks an attribute, stay as they are.
    ///
    /// # Panics
    /// If the length of the row is not the number of columns.
    pub fn fill(&self, screen: &[GameObject], row: &mut [f64]) {
        assert_eq!(row.len(), self.names.len(), "the number of columns");
        let mut rest = row;
        for (place, slot) in self.slots.iter().enumerate() {
            if slot.numbers.is_empty() {
                continue;
            }
            let width = 1 + slot.numbers.len() + usize::from(slot.has_visible);
            let (own, others) = rest.split_at_mut(width);
            rest = others;
            let object = screen.get(place).filter(|object| !object.is_no_object());
            own[0] = f64::from(u8::from(object.is_some()));
            let Some(object) = object else { continue };
            for (number, read) in own[1..].iter_mut().zip(&slot.numbers) {
                if let Some(value) = read(object) {
                    *number = value as f64;
                }
            }
            if slot.has_visible {
                own[width - 1] = f64::from(u8::from(object.visible));
            }
        }
    }
}

/// Returns the columns of a slot, and adds their names.
fn slot(world: &World, attributes: &Attributes, object: ObjectId, names: &mut Vec<String>) -> SlotColumns {
    let id = &world.object_decl(object).id;
    names.push(id.to_string());
    let mut numbers = Vec::new();
    for (attribute, _, read) in &attributes.numbers {
        if world.has_attribute(object, *attribute) {
            names.push(format!("{id}.{}", world.attributes()[attribute.index()].name));
            numbers.push(*read);
        }
    }
    let visible = attributes.visible.filter(|attribute| world.has_attribute(object, *attribute));
    if let Some(attribute) = visible {
        names.push(format!("{id}.{}", world.attributes()[attribute.index()].name));
    }
    SlotColumns { numbers, has_visible: visible.is_some() }
}
