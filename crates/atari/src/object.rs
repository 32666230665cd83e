//! Objects in a frame.

use crate::class::ClassId;

/// An object on the screen, or a placeholder for an empty slot.
///
/// Positions and sizes are in pixels. The screen is 160 pixels wide and 210 pixels high, with the origin at the upper left corner. No
/// RAM content causes arithmetic overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameObject {
    /// The class, as an index into [`Game::classes`](crate::Game::classes).
    pub class: ClassId,
    /// The left edge.
    pub x: i16,
    /// The upper edge.
    pub y: i16,
    /// The width; zero or negative for some invalid RAM contents.
    pub w: i16,
    /// The height; zero or negative for some invalid RAM contents.
    pub h: i16,
    /// The position in the previous frame; `None` if the object has just appeared.
    pub prev: Option<(i16, i16)>,
    /// Whether the object belongs to the heads-up display, such as a score, rather than to the game.
    pub hud: bool,
    /// Whether the object is visible. For an empty slot this is `true`, as in `OCAtari`; use [`GameObject::is_present`] to exclude
    /// empty slots.
    pub visible: bool,
    /// The colour as red, green and blue; black if the object is not visible.
    pub rgb: [u8; 3],
    /// The orientation, for classes that have one.
    pub orientation: Option<Orientation>,
    /// The attributes specific to some classes.
    pub class_attributes: ClassAttributes,
    /// The displayed value of a score, clock or gauge.
    pub value: Option<i32>,
    /// The displayed value in the previous frame; `None` if the object has just appeared or its class does not track values.
    pub prev_value: Option<i32>,
}

/// The orientation of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// Facing right: `Orientation.E` in `OCAtari`.
    East,
    /// Facing left: `Orientation.W` in `OCAtari`.
    West,
    /// The unmodified byte of the RAM.
    Raw(u8),
}

/// Attributes specific to some classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClassAttributes {
    /// No specific attributes.
    None,
    /// The lengths of a boxer's arms, from 0 to 72.
    Arms {
        /// The attribute `right_arm_length`.
        right: u8,
        /// The attribute `left_arm_length`.
        left: u8,
    },
    /// The subtype of a tree or a flag: its colour code in the RAM. Trees with different subtypes are never equal.
    Subtype(u8),
}

impl GameObject {
    /// The placeholder for an empty slot.
    pub const NO_OBJECT: Self = Self {
        class: ClassId::NO_OBJECT,
        x: 0,
        y: 0,
        w: 0,
        h: 0,
        prev: None,
        hud: false,
        visible: true,
        rgb: [0; 3],
        orientation: None,
        class_attributes: ClassAttributes::None,
        value: None,
        prev_value: None,
    };

    /// Returns whether the slot contains a visible object, which is the truth value of the object in Python.
    pub const fn is_present(&self) -> bool {
        self.visible && !self.is_no_object()
    }

    /// Returns whether this is the placeholder for an empty slot.
    pub const fn is_no_object(&self) -> bool {
        self.class.0 == ClassId::NO_OBJECT.0
    }

    /// Returns the position in the previous frame, or the current position if the object has just appeared.
    pub fn prev_xy(&self) -> (i16, i16) {
        self.prev.unwrap_or((self.x, self.y))
    }

    /// Returns the displacement to the right since the previous frame.
    pub fn dx(&self) -> i16 {
        self.x - self.prev_xy().0
    }

    /// Returns the downward displacement since the previous frame.
    pub fn dy(&self) -> i16 {
        self.y - self.prev_xy().1
    }

    pub(crate) const fn set_position(&mut self, x: i16, y: i16) {
        self.x = x;
        self.y = y;
    }

    pub(crate) const fn set_size(&mut self, w: i16, h: i16) {
        self.w = w;
        self.h = h;
    }
}
