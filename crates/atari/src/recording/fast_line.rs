//! Lines in the form in which they are written, read without intermediate values.
//!
//! What is read here is read by [`Reader`](super::Reader) from JSON values in the same way, only more slowly. Any other line, an invalid one
//! among them, is refused without a reason and read from values, which also gives the message.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{MAX_OBJECTS, MAX_PIXELS, RecordedReward};
use crate::class::{ClassId, OrientationType};
use crate::decoder::RAM_BYTES;
use crate::game::Game;
use crate::object::{ClassAttributes, GameObject, Orientation};

/// The fields of a line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FastLine<'l> {
    pub(super) t: u64,
    pub(super) ep: u64,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) a: Option<u32>,
    pub(super) r: f64,
    pub(super) term: bool,
    pub(super) trunc: bool,
    #[serde(default, deserialize_with = "present")]
    pub(super) ram: Option<Ram>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(super) objs: Option<Rows<'l>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) rew: Option<Rewards>,
}

/// Reads a field that may be missing, but not `null`.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// The reason for a refusal, which nobody reads.
fn refused<E: Error>() -> E {
    E::custom("another form")
}

/// RAM in hexadecimal.
pub(super) struct Ram(pub(super) [u8; RAM_BYTES]);

impl<'de> Deserialize<'de> for Ram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(RamVisitor)
    }
}

struct RamVisitor;

impl Visitor<'_> for RamVisitor {
    type Value = Ram;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hexadecimal digits")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Ram, E> {
        /// The value of each digit; 255 for other bytes.
        const DIGITS: [u8; 256] = {
            let mut digits = [u8::MAX; 256];
            let mut value = 0;
            while value < 16 {
                digits[b"0123456789abcdef"[value] as usize] = value as u8;
                value += 1;
            }
            digits
        };
        if text.len() != 2 * RAM_BYTES {
            return Err(refused());
        }
        let (mut ram, mut all) = ([0; RAM_BYTES], 0);
        for (byte, pair) in ram.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let [high, low] = [pair[0], pair[1]].map(|digit| DIGITS[usize::from(digit)]);
            all |= high | low;
            *byte = high << 4 | low & 15;
        }
        if all > 15 { Err(refused()) } else { Ok(Ram(ram)) }
    }
}

/// The objects of a line.
pub(super) struct Rows<'l>(Vec<Row<'l>>);

impl<'de> Deserialize<'de> for Rows<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor)
    }
}

struct RowsVisitor;

impl<'de> Visitor<'de> for RowsVisitor {
    type Value = Rows<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Rows<'de>, A::Error> {
        let mut rows = Vec::with_capacity(64);
        while let Some(row) = list.next_element()? {
            if rows.len() == MAX_OBJECTS {
                return Err(refused());
            }
            rows.push(row);
        }
        Ok(Rows(rows))
    }
}

impl Rows<'_> {
    /// Appends the objects to `objects`. Returns `false` if one of them has to be read from values.
    pub(super) fn read(self, game: Game, objects: &mut Vec<GameObject>) -> bool {
        self.0.into_iter().all(|row| match row.object(game) {
            Some(object) => {
                objects.push(object);
                true
            }
            None => false,
        })
    }
}

/// The row of an object.
struct Row<'l> {
    class: Cow<'l, str>,
    /// All but the class; `None` for a row of a class alone.
    rest: Option<RowRest<'l>>,
}

struct RowRest<'l> {
    /// `x`, `y`, `w`, `h`, `prev_x` and `prev_y`.
    place: [i16; 6],
    hud: u8,
    visible: u8,
    rgb: [u8; 3],
    orientation: Facing<'l>,
    values: [Option<i32>; 2],
}

/// An orientation: nothing, the byte of the game, or a name.
enum Facing<'l> {
    None,
    Raw(u8),
    Named(&'l str),
}

impl<'de> Deserialize<'de> for Facing<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FacingVisitor)
    }
}

struct FacingVisitor;

impl<'de> Visitor<'de> for FacingVisitor {
    type Value = Facing<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an orientation")
    }

    fn visit_unit<E>(self) -> Result<Facing<'de>, E> {
        Ok(Facing::None)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Facing<'de>, E> {
        u8::try_from(value).map(Facing::Raw).map_err(|_| refused())
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Facing<'de>, E> {
        Ok(Facing::Named(value))
    }
}

impl<'de> Deserialize<'de> for Row<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the row of an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Row<'de>, A::Error> {
        let class = parts.next_element()?.ok_or_else(refused)?;
        let Some(x) = parts.next_element()? else { return Ok(Row { class, rest: None }) };
        let mut place = [x, 0, 0, 0, 0, 0];
        for value in &mut place[1..] {
            *value = parts.next_element()?.ok_or_else(refused)?;
        }
        let [hud, visible] = [parts.next_element()?.ok_or_else(refused)?, parts.next_element()?.ok_or_else(refused)?];
        let rgb = parts.next_element()?.ok_or_else(refused)?;
        let orientation = parts.next_element()?.ok_or_else(refused)?;
        let values = [parts.next_element()?, parts.next_element()?];
        match parts.next_element::<serde::de::IgnoredAny>()? {
            Some(_) => Err(refused()),
            None => Ok(Row { class, rest: Some(RowRest { place, hud, visible, rgb, orientation, values }) }),
        }
    }
}

impl Row<'_> {
    fn object(self, game: Game) -> Option<GameObject> {
        let class = game.class_named(&self.class)?;
        let Some(rest) = self.rest else { return (class == ClassId::NO_OBJECT).then_some(GameObject::NO_OBJECT) };
        let RowRest { place, hud, visible, rgb, orientation, values } = rest;
        let fits = |value: &i16| value.unsigned_abs() <= MAX_PIXELS.unsigned_abs();
        let kind = game.class(class).orientation;
        let orientation = match (orientation, kind) {
            (Facing::None, _) => None,
            (Facing::Raw(byte), OrientationType::Raw) => Some(Orientation::Raw(byte)),
            (Facing::Named("E"), OrientationType::EastWest) => Some(Orientation::East),
            (Facing::Named("W"), OrientationType::EastWest) => Some(Orientation::West),
            _ => return None,
        };
        // The lengths of arms are read from values.
        if !place.iter().all(fits) || hud > 1 || visible > 1 || game.class(class).has_arms() {
            return None;
        }
        let [x, y, w, h, prev_x, prev_y] = place;
        Some(GameObject {
            class,
            x,
            y,
            w,
            h,
            prev: Some((prev_x, prev_y)),
            hud: hud == 1,
            visible: visible == 1,
            rgb,
            orientation,
            class_attributes: ClassAttributes::None,
            value: values[0],
            prev_value: values[1],
        })
    }
}

/// The values of reward functions.
pub(super) struct Rewards(pub(super) Vec<(String, RecordedReward)>);

impl<'de> Deserialize<'de> for Rewards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RewardsVisitor)
    }
}

struct RewardsVisitor;

/// A value of a reward function that is no error.
#[derive(Deserialize)]
#[serde(untagged)]
enum RewardNumber {
    Int(i64),
    Float(f64),
}

impl<'de> Visitor<'de> for RewardsVisitor {
    type Value = Rewards;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("values by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Rewards, A::Error> {
        let mut rewards: Vec<(String, RecordedReward)> = Vec::new();
        while let Some((name, value)) = fields.next_entry::<String, RewardNumber>()? {
            if rewards.iter().any(|(known, _)| *known == name) {
                return Err(refused());
            }
            let value = match value {
                RewardNumber::Int(number) => RecordedReward::Int(number),
                RewardNumber::Float(number) => RecordedReward::Float(number),
            };
            rewards.push((name, value));
        }
        Ok(Rewards(rewards))
    }
}
