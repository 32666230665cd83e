//! Worlds and scenes: the objects that a reward function is called with. Screen objects have a fixed set of attributes; entities have the
//! attributes that their classes declare.

use std::sync::Arc;

/// The classes of objects of a world.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Classes of screen objects, each after its parent.
    pub screen_classes: Vec<ScreenClass>,
    /// Classes of entities, each after its parents. If several classes share a name, programs refer to the first.
    pub entity_classes: Vec<EntityClass>,
    /// The attributes of environments and states, in worlds with entities.
    pub state_attributes: Vec<Attribute>,
    /// Whether the module of the screen classes exports `Orientation`, the enumeration of the compass directions.
    pub exports_orientation: bool,
}

/// A class of screen objects.
#[derive(Debug, Clone)]
pub struct ScreenClass {
    /// The name of the class in programs.
    pub name: Arc<str>,
    /// The index of the parent class in [`World::screen_classes`].
    pub parent: Option<u16>,
    /// The equality of its objects.
    pub equality: ScreenEquality,
    /// The upper left corner of a new object, in pixels.
    pub position: (i32, i32),
    /// The width and height of a new object, in pixels.
    pub size: (i32, i32),
    /// The colour: red, green and blue.
    pub color: [u8; 3],
    /// Whether its objects belong to the heads-up display.
    pub hud: bool,
    /// The value of a new object, for classes whose objects have one, such as scores.
    pub value: Option<i32>,
    /// Whether its objects are truthy.
    pub visible: bool,
    /// The names of the additional integer attributes of its objects.
    pub extra_attributes: Vec<Arc<str>>,
}

impl ScreenClass {
    /// Creates a class of visible objects at the upper left corner, without size, colour or value, compared by identity.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            parent: None,
            equality: ScreenEquality::Identity,
            position: (0, 0),
            size: (0, 0),
            color: [0; 3],
            hud: false,
            value: None,
            visible: true,
            extra_attributes: Vec::new(),
        }
    }
}

/// The definition of equality of two objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenEquality {
    /// Equal if they are the same object.
    Identity,
    /// Equal if the class of the other object also has this equality.
    Always,
    /// Equal if they have the same class and their rows differ by less than `row_tolerance`; such objects are not hashable.
    SimilarRow {
        /// The exclusive bound on the difference, in pixels.
        row_tolerance: i64,
        /// Whether their colours must be equal too.
        same_color: bool,
    },
    /// Equal if the other object has the given class and the same position; such objects are not hashable.
    SamePosition {
        /// The class of the other object, which may differ from the object's own class.
        class: u16,
    },
}

/// The direction that an object faces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Orientation {
    /// No direction.
    #[default]
    None,
    /// The number that the game stores.
    Raw(i64),
    /// A compass direction by name.
    Name(Arc<str>),
}

/// A screen object at one step.
// The fields that every call reads come first, so that they share cache lines.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(C)]
pub struct SceneObject {
    /// The upper left corner, in pixels.
    pub position: (i32, i32),
    /// The width and height, in pixels.
    pub size: (i32, i32),
    /// The upper left corner at the previous step; `None` if the object is new.
    pub previous: Option<(i32, i32)>,
    /// The value, for objects that have one.
    pub value: Option<i32>,
    /// The index of its class in [`World::screen_classes`].
    pub class: u16,
    /// Whether it belongs to the heads-up display.
    pub hud: bool,
    /// Whether it is truthy.
    pub visible: bool,
    /// The colour: red, green and blue.
    pub color: [u8; 3],
    /// The direction that it faces.
    pub orientation: Orientation,
    /// The value at the previous step.
    pub previous_value: Option<i32>,
    /// The values of its additional integer attributes, in the order of [`ScreenClass::extra_attributes`].
    pub extra_values: Vec<i64>,
}

/// A class of entities, as a world file declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityClass {
    /// The name of the class in programs.
    pub name: Arc<str>,
    /// The indices of its parents in [`World::entity_classes`].
    pub parents: Vec<u16>,
    /// The attributes that the class adds to those of its parents.
    pub attributes: Vec<Attribute>,
}

/// An attribute of a class of entities, or of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The name of the attribute in programs.
    pub name: Arc<str>,
    /// The type of its values.
    pub value_type: AttributeKind,
    /// Whether the value may be `None`.
    pub optional: bool,
    /// Whether objects may lack the attribute, so that reading it raises an `AttributeError`.
    pub may_be_absent: bool,
}

/// The type of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeKind {
    /// A Boolean, `bool`.
    Bool,
    /// An integer, `int`.
    Int,
    /// A floating-point number, `float`.
    Float,
    /// A string, `str`.
    Text,
    /// A numpy array of floats, of the given length if there is one.
    Vector(Option<u16>),
    /// A list of strings.
    TextList,
    /// A set of strings.
    TextSet,
    /// An object of the class with this index in [`World::entity_classes`], or of a subclass.
    Object(u16),
    /// An object of any class, or a string.
    ObjectOrText,
    /// A list of objects and strings.
    ObjectOrTextList,
    /// A list of tuples of objects and strings.
    TupleList,
    /// A tuple of integers and floats, of the given length.
    NumberTuple(u16),
}

/// A value as programs read it from an attribute of an object.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    /// The object lacks the attribute.
    Absent,
    /// `None`.
    None,
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Text(Arc<str>),
    /// A numpy array of floats.
    Vector(Arc<[f64]>),
    /// A list or a set of strings, as the attribute declares.
    TextList(Arc<[Arc<str>]>),
    /// An object, by its index in the scene.
    Object(u32),
    /// A list of objects and strings.
    ObjectOrTextList(Arc<[ObjectOrText]>),
    /// A list of tuples of objects and strings.
    TupleList(Arc<[Vec<ObjectOrText>]>),
    /// A tuple of numbers.
    NumberTuple(Arc<[Number]>),
}

/// An object, or a string that stands for a value that is not an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectOrText {
    /// An object, by its index in the scene.
    Object(u32),
    /// A string.
    Text(Arc<str>),
}

/// An integer or a floating-point number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
}

impl From<Number> for AttributeValue {
    fn from(number: Number) -> Self {
        match number {
            Number::Int(number) => Self::Int(number),
            Number::Float(number) => Self::Float(number),
        }
    }
}

/// An object with declared attributes, at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// The index of its class in [`World::entity_classes`].
    pub class: u16,
    /// The values of its attributes, in the order of [`World::attributes_of`].
    pub values: Vec<AttributeValue>,
}

/// The entities and the state of a world at one step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entities {
    /// The entities.
    pub entities: Vec<Entity>,
    /// The attributes of environments and states, in the order of [`World::state_attributes`].
    pub state: Vec<AttributeValue>,
}

/// The objects of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objects<'o> {
    /// Screen objects.
    Screen(&'o [SceneObject]),
    /// Entities.
    Entities(&'o Entities),
}

/// The input of one call of a reward function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'i> {
    /// The objects after the step.
    pub objects: Objects<'i>,
    /// The objects before the step; `None` at the first step, where `objects` takes their place.
    pub previous: Option<Objects<'i>>,
    /// The action of the agent.
    pub action: Option<&'i AttributeValue>,
}

impl<'i> Input<'i> {
    /// Creates an input with objects only.
    pub fn objects(objects: Objects<'i>) -> Self {
        Self { objects, previous: None, action: None }
    }
}

impl World {
    /// The number of screen classes that all games share: `GameObject`, `ValueObject` and `NoObject`.
    pub const SHARED_CLASSES: usize = 3;
    /// The index of `ValueObject`.
    pub const VALUE_OBJECT: u16 = 1;
    /// The index of `NoObject`, whose objects are falsy although their attribute `visible` is true.
    pub const NO_OBJECT: u16 = 2;

    /// Creates a world of screen objects: the shared classes, then the given ones, each with the name of its parent.
    pub fn from_screen_classes<'p>(own: impl IntoIterator<Item = (&'p str, ScreenClass)>) -> Self {
        let nothing = ScreenClass { visible: false, equality: ScreenEquality::Always, ..ScreenClass::new("NoObject") };
        let mut classes = vec![
            ScreenClass::new("GameObject"),
            ScreenClass { parent: Some(0), value: Some(0), ..ScreenClass::new("ValueObject") },
            ScreenClass { parent: Some(0), ..nothing },
        ];
        for (parent, class) in own {
            let parent = classes.iter().position(|known| *known.name == *parent).map(|place| place as u16);
            classes.push(ScreenClass { parent, ..class });
        }
        Self { screen_classes: classes, ..Self::default() }
    }

    /// Returns the index of the screen class with this name.
    pub fn screen_class(&self, name: &str) -> Option<u16> {
        self.screen_classes.iter().position(|class| *class.name == *name).map(|place| place as u16)
    }

    /// Creates an object of a screen class as the constructor of the class does.
    ///
    /// # Panics
    /// If there is no class with this index.
    pub fn new_object(&self, class: u16) -> SceneObject {
        let of = &self.screen_classes[class as usize];
        SceneObject {
            class,
            position: of.position,
            size: of.size,
            previous: None,
            color: of.color,
            orientation: Orientation::None,
            hud: of.hud,
            visible: of.visible,
            value: of.value,
            previous_value: None,
            extra_values: vec![0; of.extra_attributes.len()],
        }
    }

    /// Returns the attributes of a class of entities, each name once, with those of its ancestors first.
    pub fn attributes_of(&self, class: u16) -> Vec<&Attribute> {
        let line = self.ancestry(class);
        let mut found: Vec<&Attribute> = Vec::new();
        for attribute in line.into_iter().flat_map(|class| &self.entity_classes[class as usize].attributes) {
            if !found.iter().any(|known| known.name == attribute.name) {
                found.push(attribute);
            }
        }
        found
    }

    /// Returns a class of entities and all its ancestors, in the order of their indices.
    pub fn ancestry(&self, class: u16) -> Vec<u16> {
        let (mut line, mut ahead) = (Vec::new(), vec![class]);
        while let Some(class) = ahead.pop() {
            if (class as usize) < self.entity_classes.len() && !line.contains(&class) {
                line.push(class);
                ahead.extend(&self.entity_classes[class as usize].parents);
            }
        }
        line.sort_unstable();
        line
    }

    /// Iterates over the names of all classes, the screen classes first.
    pub fn class_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.screen_classes.iter().map(|class| &class.name).chain(self.entity_classes.iter().map(|class| &class.name))
    }
}
