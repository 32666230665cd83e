//! The specification and the decoder of Skiing.
//!
//! The RAM has eight entries for the objects on the slope: for entry `i`, byte `70 + i` is the kind, `54 + i` the height, `62 + i`
//! and `86 + i` the position, and `78 + i` the colour. When byte 90 decreases, all objects move to the previous entry. Objects store
//! the index of their entry and keep their slots.

use super::{DecodeFn, DecodeResult, FrameDecoder, GameSpec};
use crate::class::{Class, ClassId, ObjectEquality, OrientationType};
use crate::object::{ClassAttributes, GameObject, Orientation};

const PLAYER: ClassId = ClassId(1);
const TREE: ClassId = ClassId(2);
const MOGUL: ClassId = ClassId(3);
const FLAG: ClassId = ClassId(4);
const SCORE: ClassId = ClassId(5);
const CLOCK: ClassId = ClassId(6);

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Skiing",
    actions: &["NOOP", "RIGHT", "LEFT"],
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (10, 18), [214, 92, 92]).facing(OrientationType::Raw),
        Class::new("Tree", (16, 30), [110, 156, 66]).equal(ObjectEquality::Near { rows: 7, subtype: true }),
        Class::new("Mogul", (16, 7), [214, 214, 214]).equal(ObjectEquality::Near { rows: 5, subtype: false }),
        Class::new("Flag", (5, 14), [10, 10, 255]).equal(ObjectEquality::Near { rows: 5, subtype: false }),
        Class::new("Score", (14, 7), [0; 3]).at(67, 6).hud().tracked(0),
        Class::new("Clock", (38, 7), [0; 3]).at(59, 16).hud().tracked(0),
    ],
    slots: &[(PLAYER, 1), (TREE, 6), (MOGUL, 3), (FLAG, 4)],
    hud_slots: &[(SCORE, 1), (CLOCK, 1)],
    start,
    decode: DecodeFn::Fallible(decode),
};

/// The number of slots after the player's: 1 to 6 for trees, 7 to 9 for moguls, 10 to 13 for flags.
pub(crate) const SLOTS: usize = 13;
/// The number of entries in RAM.
const PLACES: u8 = 8;
/// The last slots of the classes.
const LAST_TREE: u32 = 6;
const LAST_MOGUL: u32 = 9;
/// The distance between the left and the right flag of a gate, in pixels.
const GATE: i16 = 32;

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.push(GameObject { orientation: Some(Orientation::Raw(8)), ..SHEET.object(PLAYER) });
    objects.extend([GameObject::NO_OBJECT; SLOTS]);
    if hud {
        objects.extend([SCORE, CLOCK].map(|class| SHEET.object(class)));
    }
}

/// An object entry in RAM.
struct SlopeEntry {
    kind: i16,
    color: u8,
    height: i16,
    x: i16,
    y: i16,
}

impl SlopeEntry {
    /// Reads an entry. As in Python, a negative index counts from the end of the RAM.
    fn at(ram: &[u8; 128], place: i16) -> Option<Self> {
        let byte = |first: i16| {
            let index = first.saturating_add(place);
            let index = if index < 0 { index.saturating_add(128) } else { index };
            usize::try_from(index).ok().and_then(|index| ram.get(index)).copied()
        };
        let [kind, height, x, y] = [byte(70)?, byte(54)?, byte(62)?, byte(86)?].map(i16::from);
        Some(Self { kind, color: byte(78)?, height, x, y: 178 - y })
    }

    fn class(&self) -> Option<ClassId> {
        match self.kind {
            85 => Some(TREE),
            5 => Some(MOGUL),
            2 => Some(FLAG),
            _ => None,
        }
    }

    fn has_height(&self) -> bool {
        !matches!(self.height, 0 | 255)
    }
}

/// A set of slots or entries.
#[derive(Clone, Copy)]
struct BitSet(u32);

impl BitSet {
    fn first(self) -> Option<u32> {
        (self.0 != 0).then(|| self.0.trailing_zeros())
    }

    fn last(self) -> Option<u32> {
        self.0.checked_ilog2()
    }

    fn add(&mut self, member: u32) {
        self.0 |= 1 << member;
    }

    /// Removes a member. Returns whether it was in the set.
    fn remove(&mut self, member: u32) -> bool {
        let was = self.0 & (1 << member) != 0;
        self.0 &= !(1 << member);
        was
    }
}

fn decode(scene: &mut FrameDecoder<'_>) -> DecodeResult {
    scene.objects[0].set_position(scene.ram[25], scene.ram[26] - 80);
    scene.objects[0].orientation = Some(Orientation::Raw(scene.bytes[15]));
    let moved_up = scene.memory.byte_90 > scene.ram[90];
    let mut slots = BitSet(0);
    let mut places = BitSet((1 << PLACES) - 1);
    for slot in 1..=SLOTS {
        if !scene.objects[slot].is_no_object() {
            let place = &mut scene.memory.places[slot - 1];
            *place = place.saturating_sub(i16::from(moved_up));
            if update_object(scene, slot, &mut places)? {
                continue;
            }
            scene.clear(slot);
        }
        slots.add(slot as u32);
    }
    scene.memory.byte_90 = scene.ram[90];
    for place in 0..PLACES {
        if places.remove(u32::from(place)) {
            add_objects(scene, i16::from(place), &mut slots)?;
        }
    }
    Ok(())
}

const NO_SLOT: (&str, &str) = ("IndexError", "more trees, moguls and flags than slots");

/// Updates an object from its entry in RAM. Returns `false` if the object has disappeared.
fn update_object(
    scene: &mut FrameDecoder<'_>,
    slot: usize,
    places: &mut BitSet,
) -> Result<bool, (&'static str, &'static str)> {
    let place = scene.memory.places[slot - 1];
    let Some(thing) = SlopeEntry::at(scene.bytes, place) else {
        return if scene.quirks { Err(("IndexError", "an object has left the RAM at its start")) } else { Ok(false) };
    };
    let object = &mut scene.objects[slot];
    if !thing.has_height() || thing.class() != Some(object.class) {
        return Ok(false);
    }
    // Of the two flags of a gate, the one in the odd slot claims the entry.
    let left_flag = object.class == FLAG && slot.is_multiple_of(2);
    let known = u32::try_from(place).ok().filter(|place| *place < u32::from(PLACES));
    if !scene.quirks && known.is_none() {
        return Ok(false);
    }
    if !left_flag && !known.is_some_and(|place| places.remove(place)) {
        let why = ("ValueError", "two objects at the same position in RAM");
        return if scene.quirks { Err(why) } else { Ok(false) };
    }
    let SlopeEntry { x, y, height, .. } = thing;
    match object.class {
        TREE => {
            // A tree keeps its horizontal position, unless it wraps around the edge of the screen.
            if x > 154 {
                (object.x, object.w) = (8, (164 - x).min(16));
            } else if x > 145 {
                object.w = 155 - x;
            }
            (object.y, object.h) = (y + 4, height.min(175 - y));
        }
        MOGUL => {
            object.set_position(x + 2, y + 3);
            object.h = height.min(176 - y);
        }
        _ => {
            let inset = if thing.color == 4 { 4 } else { 1 };
            object.set_position(x + inset + if left_flag { 0 } else { GATE }, y + 4);
            object.h = height.min(177 - y);
        }
    }
    Ok(true)
}

/// Places an entry in RAM that has no object yet into free slots.
fn add_objects(scene: &mut FrameDecoder<'_>, place: i16, slots: &mut BitSet) -> DecodeResult {
    let Some(thing) = SlopeEntry::at(scene.bytes, place) else { return Ok(()) };
    if !(0..=177).contains(&thing.y) || !thing.has_height() {
        return Ok(());
    }
    let black = if scene.quirks && thing.color == 255 { Err(("KeyError", "unknown colour")) } else { Ok([0; 3]) };
    match thing.class() {
        Some(TREE) => match slots.first() {
            Some(slot) if slot <= LAST_TREE => {
                slots.remove(slot);
                put(scene, slot, place, tree(&thing, tree_color(thing.color).map_or(black, Ok)?));
            }
            None if scene.quirks => return Err(NO_SLOT),
            _ => {}
        },
        Some(MOGUL) => {
            if let Some(slot) = (LAST_TREE + 1..=LAST_MOGUL).find(|slot| slots.remove(*slot)) {
                put(scene, slot, place, mogul(&thing));
            }
        }
        Some(FLAG) => match slots.last() {
            Some(right) if right > LAST_MOGUL => {
                slots.remove(right);
                let lowest = if scene.quirks { 0 } else { LAST_MOGUL + 1 };
                let Some(left) = slots.last().filter(|left| *left >= lowest) else {
                    return if scene.quirks { Err(NO_SLOT) } else { Ok(()) };
                };
                slots.remove(left);
                let rgb = flag_color(thing.color).map_or(black, Ok)?;
                put(scene, left, place, flag(&thing, 0, rgb));
                put(scene, right, place, flag(&thing, GATE, rgb));
            }
            None if scene.quirks => return Err(NO_SLOT),
            _ => {}
        },
        _ => {}
    }
    Ok(())
}

fn put(scene: &mut FrameDecoder<'_>, slot: u32, place: i16, object: GameObject) {
    scene.objects[slot as usize] = object;
    scene.memory.places[slot as usize - 1] = place;
}

fn tree_color(color: u8) -> Option<[u8; 3]> {
    match color {
        2 => Some([110, 156, 66]),
        3 => Some([82, 126, 45]),
        6 => Some([158, 208, 101]),
        7 => Some([72, 160, 72]),
        _ => None,
    }
}

fn flag_color(color: u8) -> Option<[u8; 3]> {
    match color {
        0 => Some([10, 10, 255]),
        4 => Some([184, 50, 50]),
        _ => None,
    }
}

fn tree(thing: &SlopeEntry, rgb: [u8; 3]) -> GameObject {
    let mut tree = GameObject { rgb, class_attributes: ClassAttributes::Subtype(thing.color), ..SHEET.object(TREE) };
    tree.set_position(thing.x - 3, thing.y + 4);
    let right = if thing.x > 154 { 164 } else { 155 };
    tree.set_size((right - thing.x).min(16), (175 - thing.y).min(30));
    tree
}

fn mogul(thing: &SlopeEntry) -> GameObject {
    let mut mogul = SHEET.object(MOGUL);
    mogul.set_position(thing.x + 2, thing.y + 3);
    mogul.h = (176 - thing.y).min(7).min(thing.y - 23);
    mogul
}

fn flag(thing: &SlopeEntry, right: i16, rgb: [u8; 3]) -> GameObject {
    let mut flag = GameObject { rgb, class_attributes: ClassAttributes::Subtype(thing.color), ..SHEET.object(FLAG) };
    let y = thing.y + 4;
    flag.set_position(thing.x + right + if thing.color == 0 { 1 } else { 10 }, y);
    flag.h = (177 - y).min(14).min(y - 22);
    flag
}
