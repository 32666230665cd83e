//! A scene as the fast engine takes it: rows of numbers.

use crate::scene::{SceneObject, World};

/// The objects of a moment, made ready once for every program that looks at them.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Of each object `x`, `y`, `w`, `h`, where it was before, its value, and [flags](Self::FLAGS).
    pub(super) rows: Vec<[i32; 8]>,
    pub(super) classes: Vec<u8>,
    /// Of each class, by its last six bits, which of the first 64 objects are of it, as bits.
    pub(super) planes: [u64; 64],
}

impl Default for Frame {
    fn default() -> Self {
        Self { rows: Vec::new(), classes: Vec::new(), planes: [0; 64] }
    }
}

impl Frame {
    pub(super) const VALUE: usize = 6;
    pub(super) const FLAGS: usize = 7;
    /// Whether it counts as true.
    pub(super) const VISIBLE: i32 = 1;
    pub(super) const HUD: i32 = 2;
    pub(super) const HAS_VALUE: i32 = 4;
    /// Without, where it was before is where it is, even when that changes.
    pub(super) const HAS_PREVIOUS: i32 = 8;
    /// The bit of the attribute `visible`, which is true of what is no object, too.
    pub(super) const SHOWN: u8 = 4;

    /// A scene, made ready.
    pub fn of(scene: &[SceneObject]) -> Self {
        let mut frame = Self::default();
        frame.read(scene);
        frame
    }

    /// Takes another scene in place of this one.
    pub fn read(&mut self, scene: &[SceneObject]) {
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
                + (i32::from(object.visible || !is_object) << Self::SHOWN);
            *row = [x, y, w, h, px, py, object.value.unwrap_or(0), flags];
            let new = object.class.min(255) as u8;
            other |= *class != new;
            *class = new;
        }
        // Mostly, the next scene has the same classes.
        if other {
            self.sort_out();
        }
    }

    /// Notes which objects are of which class.
    #[cold]
    fn sort_out(&mut self) {
        self.planes = [0; 64];
        for (place, class) in (0..64).zip(&self.classes) {
            self.planes[(class & 63) as usize] |= 1u64 << place;
        }
    }

    /// Takes what another one has.
    pub(super) fn copy(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.classes.clone_from(&other.classes);
        self.planes = other.planes;
    }
}
