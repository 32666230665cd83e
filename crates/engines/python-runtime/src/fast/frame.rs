//! The representation of a scene in the fast engine: rows of integers.

use crate::scene::{SceneObject, World};

/// The objects of one observation, prepared once for all programs that read them.
#[derive(Debug, Clone)]
pub struct PreparedFrame {
    /// For each object: `x`, `y`, `w`, `h`, the previous `x` and `y`, the value, and the [flags](Self::FLAGS).
    pub(super) rows: Vec<[i32; 8]>,
    pub(super) classes: Vec<u8>,
    /// Bit sets of the first 64 objects, one for each class, indexed by the lowest six bits of the class.
    pub(super) class_rows: [u64; 64],
}

impl Default for PreparedFrame {
    fn default() -> Self {
        Self { rows: Vec::new(), classes: Vec::new(), class_rows: [0; 64] }
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
        frame
    }

    /// Replaces the contents by another scene.
    pub fn update(&mut self, scene: &[SceneObject]) {
        let count = scene.len();
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
    }
}
