//! Categories of objects: the classes into which n-grams and the characteristics of archives group types.

/// A category of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// The player.
    Agent,
    /// Any object.
    AnyObject,
    /// Balls.
    Balls,
    /// Blocks.
    Blocks,
    /// Stacked blocks.
    Building,
    /// Colours.
    Colors,
    /// Furniture.
    Furniture,
    /// Large objects.
    LargeObjects,
    /// Orientations.
    Orientations,
    /// Ramps.
    Ramps,
    /// Receptacles.
    Receptacles,
    /// Parts of the room.
    RoomFeatures,
    /// Sides of objects.
    Sides,
    /// Small objects.
    SmallObjects,
}

impl Category {
    /// All categories, in the order of their names.
    pub const ALL: [Self; 14] = [
        Self::Agent,
        Self::AnyObject,
        Self::Balls,
        Self::Blocks,
        Self::Building,
        Self::Colors,
        Self::Furniture,
        Self::LargeObjects,
        Self::Orientations,
        Self::Ramps,
        Self::Receptacles,
        Self::RoomFeatures,
        Self::Sides,
        Self::SmallObjects,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::AnyObject => "any_object",
            Self::Balls => "balls",
            Self::Blocks => "blocks",
            Self::Building => "building",
            Self::Colors => "colors",
            Self::Furniture => "furniture",
            Self::LargeObjects => "large_objects",
            Self::Orientations => "orientations",
            Self::Ramps => "ramps",
            Self::Receptacles => "receptacles",
            Self::RoomFeatures => "room_features",
            Self::Sides => "sides",
            Self::SmallObjects => "small_objects",
        }
    }

    /// Returns the category with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }

    /// Returns the category of a type or a named object of the rooms, by its name or by those of its supertypes, the nearest first.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        names.into_iter().find_map(Self::of_name)
    }

    fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "agent" => Self::Agent,
            "game_object" => Self::AnyObject,
            "ball" => Self::Balls,
            "block" => Self::Blocks,
            "building" => Self::Building,
            "color" => Self::Colors,
            "orientation" => Self::Orientations,
            "side" => Self::Sides,
            "ramp" => Self::Ramps,
            "drawer" | "doggie_bed" | "hexagonal_bin" => Self::Receptacles,
            "bed" | "blinds" | "desk" | "desktop" | "main_light_switch" | "shelf_desk" | "side_table" => {
                Self::Furniture
            }
            "book" | "chair" | "laptop" | "pillow" | "teddy_bear" => Self::LargeObjects,
            "alarm_clock" | "cd" | "cellphone" | "credit_card" | "key_chain" | "lamp" | "mug" | "pen" | "pencil"
            | "watch" => Self::SmallObjects,
            "door" | "floor" | "mirror" | "poster" | "room_center" | "rug" | "shelf" | "sliding_door" | "wall" => {
                Self::RoomFeatures
            }
            _ => return None,
        })
    }
}
