//! A scene as the fast engine takes it: rows of numbers.

use super::op::FIELD_LIMIT;
use crate::scene::SceneObject;

/// The objects of a moment, made ready once for every program that looks at them.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// Of each object `x`, `y`, `w`, `h`, where it was before, its value, and [flags](Self::FLAGS).
    pub(super) rows: Vec<[i64; 8]>,
    pub(super) classes: Vec<u8>,
    /// Whether all numbers are within what rows hold.
    pub(super) fits: bool,
}

impl Frame {
    pub(super) const VALUE: usize = 6;
    pub(super) const FLAGS: usize = 7;
    pub(super) const VISIBLE: i64 = 1;
    pub(super) const HUD: i64 = 2;
    pub(super) const HAS_VALUE: i64 = 4;
    /// Without, where it was before is where it is, even when that changes.
    pub(super) const HAS_PREVIOUS: i64 = 8;

    /// A scene, made ready.
    pub fn of(scene: &[SceneObject]) -> Self {
        let mut frame = Self::default();
        frame.read(scene);
        frame
    }

    /// Takes another scene in place of this one.
    pub fn read(&mut self, scene: &[SceneObject]) {
        self.rows.clear();
        self.classes.clear();
        let mut all = 0;
        self.rows.extend(scene.iter().map(|object| {
            let ((x, y), (w, h)) = (object.position, object.size);
            let (px, py) = object.previous.unwrap_or(object.position);
            for number in [x, y, w, h, px, py] {
                // Bits above those of what fits are set of what does not.
                all |= number.wrapping_add(FIELD_LIMIT).cast_unsigned();
            }
            let flags = i64::from(object.visible) * Self::VISIBLE
                + i64::from(object.hud) * Self::HUD
                + i64::from(object.value.is_some()) * Self::HAS_VALUE
                + i64::from(object.previous.is_some()) * Self::HAS_PREVIOUS;
            [x, y, w, h, px, py, object.value.unwrap_or(0), flags]
        }));
        self.classes.extend(scene.iter().map(|object| object.class.min(255) as u8));
        self.fits = all < 2 * FIELD_LIMIT.cast_unsigned();
    }

    /// Takes what another one has.
    pub(super) fn copy(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.classes.clone_from(&other.classes);
        self.fits = other.fits;
    }
}
