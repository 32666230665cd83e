//! An object in one frame.

use crate::class::ClassId;

/// An object of the screen, or the mark of an empty slot.
///
/// Everything is in pixels of the screen, 160 wide and 210 high, from its upper left corner. Whatever the RAM holds, numbers stay far
/// within their types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameObject {
    /// Its class, in the order of [`Game::classes`](crate::Game::classes).
    pub class: ClassId,
    /// The left edge.
    pub x: i16,
    /// The upper edge.
    pub y: i16,
    /// The width; not positive if the RAM says something odd.
    pub w: i16,
    /// The height; not positive if the RAM says something odd.
    pub h: i16,
    /// Where it was a frame before; `None` for what has just appeared.
    pub prev: Option<(i16, i16)>,
    /// Whether it belongs to the display of scores and the like, and not to the game.
    pub hud: bool,
    /// Whether it is shown. An empty slot is `true` here, as `OCAtari` has it; [`GameObject::is_present`] tells it apart.
    pub visible: bool,
    /// Red, green, blue; black if it is not visible.
    pub rgb: [u8; 3],
    /// Which way it faces, for the classes that have it.
    pub orientation: Option<Orientation>,
    /// What only objects of some classes have.
    pub detail: Detail,
    /// What a score, a clock or a gauge shows.
    pub value: Option<i32>,
    /// What it showed a frame before; `None` for what has just appeared, and for classes that keep no such record.
    pub prev_value: Option<i32>,
}

/// Which way an object faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// To the right: `Orientation.E` in `OCAtari`.
    East,
    /// To the left: `Orientation.W` in `OCAtari`.
    West,
    /// The byte of the RAM as it is.
    Raw(u8),
}

/// What only objects of some classes have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Nothing more.
    None,
    /// How far a boxer's arms are stretched, from 0 to 72.
    Arms {
        /// `right_arm_length`.
        right: u8,
        /// `left_arm_length`.
        left: u8,
    },
    /// The kind of a tree or a flag: the colour that the RAM has for it. Trees of different kinds are never equal.
    Subtype(u8),
}

impl GameObject {
    /// The mark of an empty slot.
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
        detail: Detail::None,
        value: None,
        prev_value: None,
    };

    /// Whether there is such an object and it is visible: its truth value in Python.
    pub const fn is_present(&self) -> bool {
        self.visible && !self.is_no_object()
    }

    /// Whether this is the mark of an empty slot.
    pub const fn is_no_object(&self) -> bool {
        self.class.0 == ClassId::NO_OBJECT.0
    }

    /// Where it was a frame before; where it is if it has just appeared.
    pub fn prev_xy(&self) -> (i16, i16) {
        self.prev.unwrap_or((self.x, self.y))
    }

    /// By how much it moved to the right since the frame before.
    pub fn dx(&self) -> i16 {
        self.x - self.prev_xy().0
    }

    /// By how much it moved down since the frame before.
    pub fn dy(&self) -> i16 {
        self.y - self.prev_xy().1
    }

    pub(crate) const fn place(&mut self, x: i16, y: i16) {
        self.x = x;
        self.y = y;
    }

    pub(crate) const fn size(&mut self, w: i16, h: i16) {
        self.w = w;
        self.h = h;
    }
}
