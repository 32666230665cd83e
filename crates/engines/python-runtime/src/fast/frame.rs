//! The representation of a scene in the fast engine: rows of integers.

use crate::scene::{Orientation, SceneObject, World};

/// The objects of one observation, prepared once for all programs that read them.
#[derive(Debug, Clone)]
pub struct PreparedFrame {
    /// For each object: `x`, `y`, `w`, `h`, the previous `x` and `y`, the value, and the [flags](Self::FLAGS).
    pub(super) rows: Vec<[i32; 8]>,
    pub(super) classes: Vec<u8>,
    /// Bit sets of the first 64 objects, one for each class, indexed by the lowest six bits of the class.
    pub(super) class_rows: [u64; 64],
    /// The rare attributes of each object; empty if no program reads them.
    pub(super) rare: Vec<RareAttributes>,
}

/// Attributes of an object that few programs read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RareAttributes {
    /// The value at the previous step, or else the value.
    previous_value: Option<i32>,
    difference: Option<i64>,
    /// The orientation, if it is a number.
    orientation: Option<i64>,
    /// The colour as programs see it: red, green and blue.
    color: [u8; 3],
    /// The additional attributes of the class.
    extra: [Option<i64>; Self::MAX_EXTRA],
}

impl RareAttributes {
    /// The maximum number of additional attributes of a class.
    pub(crate) const MAX_EXTRA: usize = 8;
    pub(crate) const PREVIOUS_VALUE: u8 = 0;
    pub(crate) const DIFFERENCE: u8 = 1;
    pub(crate) const ORIENTATION: u8 = 2;
    /// The first of three.
    pub(crate) const COLOR: u8 = 3;
    /// The first of [`Self::MAX_EXTRA`].
    pub(crate) const EXTRA: u8 = 6;

    fn of(object: &SceneObject) -> Self {
        let previous_value = object.previous_value.or(object.value).filter(|_| object.value.is_some());
        let difference = object.value.zip(previous_value).map(|(now, before)| i64::from(now) - i64::from(before));
        let orientation = match object.orientation {
            Orientation::Raw(number) => Some(number),
            _ => None,
        };
        let mut extra = [None; Self::MAX_EXTRA];
        for (slot, value) in extra.iter_mut().zip(&object.extra_values) {
            *slot = Some(*value);
        }
        let color = if object.visible { object.color } else { [0; 3] };
        Self { previous_value, difference, orientation, color, extra }
    }

    /// Returns an attribute by its number; `None` if the object lacks it, or it is no number.
    pub(super) fn get(&self, attribute: u8) -> Option<i64> {
        match attribute {
            Self::PREVIOUS_VALUE => self.previous_value.map(i64::from),
            Self::DIFFERENCE => self.difference,
            Self::ORIENTATION => self.orientation,
            Self::COLOR..Self::EXTRA => Some(self.color[usize::from(attribute - Self::COLOR)].into()),
            _ => self.extra.get(usize::from(attribute - Self::EXTRA)).copied().flatten(),
        }
    }
}

impl Default for PreparedFrame {
    fn default() -> Self {
        Self { rows: Vec::new(), classes: Vec::new(), class_rows: [0; 64], rare: Vec::new() }
    }
}

impl PreparedFrame {
    pub(super) const VALUE: usize = 6;
    pub(super) const FLAGS: usize = 7;
    /// Whether the object is truthy.
    pub(super) const VISIBLE: i32 = 1;
    pub(super) const HUD: i32 = 2;
    pub(super) const HAS_VALUE: i32 = 4;
    /// Whether a previous position is recorded. Without it, the previous position follows the current one, even when that is assigned.
    pub(super) const HAS_PREVIOUS: i32 = 8;
    /// The position of the bit of the attribute `visible`, which is also set for `NoObject`.
    pub(super) const SHOWN_BIT: u8 = 4;

    /// Creates a frame of a scene.
    pub fn from_scene(scene: &[SceneObject]) -> Self {
        let mut frame = Self::default();
        frame.update(scene);
        frame.update_rare(scene);
        frame
    }

    /// Replaces the rare attributes by those of another scene.
    pub(super) fn update_rare(&mut self, scene: &[SceneObject]) {
        self.rare.clear();
        self.rare.extend(scene.iter().map(RareAttributes::of));
    }

    /// Replaces the contents by another scene.
    pub fn update(&mut self, scene: &[SceneObject]) {
        let count = scene.len();
        self.rare.clear();
        let mut other = count != self.classes.len();
        if other {
            self.rows.resize(count, [0; 8]);
            self.classes.resize(count, 0);
        }
        for ((object, row), class) in scene.iter().zip(&mut self.rows).zip(&mut self.classes) {
            let ((x, y), (w, h)) = (object.position, object.size);
            let &(px, py) = object.previous.as_ref().unwrap_or(&object.position);
            let is_object = object.class != World::NO_OBJECT;
            let flags = i32::from(object.visible && is_object) * Self::VISIBLE
                + i32::from(object.hud) * Self::HUD
                + i32::from(object.value.is_some()) * Self::HAS_VALUE
                + i32::from(object.previous.is_some()) * Self::HAS_PREVIOUS
                + (i32::from(object.visible || !is_object) << Self::SHOWN_BIT);
            *row = [x, y, w, h, px, py, object.value.unwrap_or(0), flags];
            let new = object.class.min(255) as u8;
            other |= *class != new;
            *class = new;
        }
        // Consecutive scenes mostly have the same classes.
        if other {
            self.update_class_rows();
        }
    }

    /// Recomputes the bit sets of the classes.
    #[cold]
    fn update_class_rows(&mut self) {
        self.class_rows = [0; 64];
        for (place, class) in (0..64).zip(&self.classes) {
            self.class_rows[(class & 63) as usize] |= 1u64 << place;
        }
    }

    /// Copies the contents of another frame.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.classes.clone_from(&other.classes);
        self.class_rows = other.class_rows;
        self.rare.clone_from(&other.rare);
    }
}
