//! The Python view of worlds whose objects have their own attributes: any world file, any trace.
//!
//! | in the world | in Python |
//! |---|---|
//! | a type, `tea_bag` | a class, [`TeaBag`](names::class_name); an object of several types is an instance of all their classes |
//! | a present object | an instance of its type's class, in the list of objects, in the world's order |
//! | a symbol, `blue` | a text, `"blue"` |
//! | an attribute | an attribute of the same [name](names::attribute_name): `bool`, `int`, `float`, text, an array of three floats (`vec3`, `orientation`), an object, text or `None` (`object`), a list of these (`set`) |
//! | an unknown value | no such attribute: an `AttributeError` |
//! | a stored predicate | without parameters, an attribute of environments and states; with one parameter, a `bool` attribute of the
//! object; with two, the list of related second objects; with more, a list of tuples of the related other objects |
//! | a stored function | without parameters, an attribute of environments and states; with one parameter, an attribute of the object |
//!
//! Unless the world uses a name for something else, objects have `id`, their name in traces, and `name`, their name in programs of the game
//! language. Objects with numbers `x`, `y`, `z`, or else with a `center` or a `position`, have `x`, `y`, `z`, and `prev_x`, `dx` and so on,
//! relative to the previous state. Objects with numbers `x`, `y`, `w`, `h` are boxes like those of a screen, with `xy`, `wh`, `xywh`,
//! `prev_xy`, `center` and the same methods. All of them are plain attributes: an assignment to one does not change another.
//!
//! All classes inherit from `GameObject`. `NoObject` never has an instance, as the list contains only present objects.
//!
//! | module | contents |
//! |---|---|
//! | [`names`] | Python names of types and attributes |
//! | `conversion` | conversion of states to objects |
//! | `description` | a description of the classes for people |

mod conversion;
mod description;
pub mod names;

use std::sync::Arc;

use goalspec_core::ids::{AttributeId, FunctionId, ObjectId, PredicateId, TypeId};
use goalspec_core::value::ValueKind as Value;
use goalspec_core::world::World;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_python_runtime::scene::{self, Attribute, AttributeKind, EntityClass};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

pub use conversion::ObjectPositions;
use names::UsedNames;

/// The maximum number of classes, including those for objects of several types.
pub const MAX_CLASSES: usize = 1 << 14;

/// The name of the class of empty slots, which exists for programs that test for it and never has an instance.
pub const NO_OBJECT: &str = "NoObject";

/// The names of the coordinates.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The Python view of a world.
#[derive(Debug)]
pub struct ObjectWorld {
    /// The classes and their attributes.
    pub scene: Arc<scene::World>,
    core: Arc<World>,
    /// The class of each object; `None` for symbols.
    classes: Vec<Option<u16>>,
    /// The sources of each class's attributes, in the order of the attributes.
    sources: Vec<Vec<AttributeSource>>,
    /// The sources of the attributes of states.
    state_sources: Vec<AttributeSource>,
    /// The name of each object in programs of the game language.
    labels: Vec<Arc<str>>,
    /// The predicates that relate an object to a list of other objects.
    relations: Vec<PredicateId>,
}

/// The source of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AttributeSource {
    Value(AttributeId),
    /// Whether a predicate of one object holds.
    Predicate(PredicateId),
    /// The other arguments for which a predicate holds.
    RelatedObjects(PredicateId),
    Function(FunctionId),
    Id,
    Label,
    /// The coordinate on an axis.
    Coordinate(usize),
    /// The previous coordinate on an axis.
    PreviousCoordinate(usize),
    /// The change of the coordinate on an axis.
    Displacement(usize),
    /// An attribute derived from a box.
    Box(BoxPart),
}

/// An attribute of a box beside its coordinates and sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BoxPart {
    Corner,
    Size,
    CornerAndSize,
    PreviousCorner,
    Center,
}

const BOX_PARTS: [(&str, BoxPart, u16); 5] = [
    ("xy", BoxPart::Corner, 2),
    ("wh", BoxPart::Size, 2),
    ("xywh", BoxPart::CornerAndSize, 4),
    ("prev_xy", BoxPart::PreviousCorner, 2),
    ("center", BoxPart::Center, 2),
];

impl ObjectWorld {
    /// Creates the Python view of a world.
    ///
    /// # Errors
    /// Returns a diagnostic if its objects need more than [`MAX_CLASSES`] classes.
    pub fn new(core: Arc<World>) -> Result<Self, Box<Diagnostic>> {
        let mut build = ViewBuilder::new(&core);
        build.add_classes();
        build.add_declared_attributes();
        build.add_relations();
        build.add_derived_attributes();
        let classes = build.assign_classes()?;
        let ViewBuilder { objects, sources, state_sources: of_state, state, relations: related, .. } = build;
        let labels = core.labels().into_iter().map(Arc::from).collect();
        let scene = scene::World { entity_classes: objects, state_attributes: state, ..scene::World::default() };
        let sources = (0..scene.entity_classes.len() as u16)
            .map(|class| {
                let names = scene.attributes_of(class).into_iter().map(|attribute| &attribute.name);
                names.map(|name| sources[name]).collect()
            })
            .collect();
        Ok(Self { scene: Arc::new(scene), core, classes, sources, state_sources: of_state, labels, relations: related })
    }

    /// Returns the world.
    pub fn core(&self) -> &Arc<World> {
        &self.core
    }
}

/// A world view under construction.
struct ViewBuilder<'w> {
    core: &'w World,
    objects: Vec<EntityClass>,
    /// The class of each type; `None` for symbol types.
    type_classes: Vec<Option<u16>>,
    /// The source of each attribute, by its name, which has the same meaning in all classes.
    sources: FxHashMap<Arc<str>, AttributeSource>,
    names: UsedNames,
    state: Vec<Attribute>,
    state_sources: Vec<AttributeSource>,
    relations: Vec<PredicateId>,
}

impl<'w> ViewBuilder<'w> {
    fn new(core: &'w World) -> Self {
        Self {
            core,
            objects: Vec::new(),
            type_classes: Vec::new(),
            sources: FxHashMap::default(),
            names: UsedNames::default(),
            state: Vec::new(),
            state_sources: Vec::new(),
            relations: Vec::new(),
        }
    }

    /// Creates a class for every type of objects.
    fn add_classes(&mut self) {
        let mut names = UsedNames::default();
        let plain = |name: Arc<str>, parents| EntityClass { name, parents, attributes: Vec::new() };
        self.objects.push(plain(names.reserve("GameObject"), Vec::new()));
        self.objects.push(plain(names.reserve(NO_OBJECT), vec![0]));
        for (place, decl) in self.core.types().iter().enumerate() {
            let members = self.core.members(TypeId::from(place));
            let of_symbols = !members.is_empty() && members.iter().all(|&member| self.core.is_symbol(member));
            let class = (!of_symbols).then(|| {
                let parents: Vec<u16> =
                    decl.parents.iter().filter_map(|parent| self.type_classes[parent.index()]).collect();
                let parents = if parents.is_empty() { vec![0] } else { parents };
                self.objects.push(plain(names.reserve(&names::class_name(&decl.name)), parents));
                (self.objects.len() - 1) as u16
            });
            self.type_classes.push(class);
        }
    }

    /// Adds an attribute to the classes of types.
    fn add_attribute(&mut self, types: &[TypeId], attribute: &Attribute, source: AttributeSource) {
        self.sources.insert(attribute.name.clone(), source);
        for class in types.iter().filter_map(|of| self.type_classes[of.index()]) {
            self.objects[class as usize].attributes.push(attribute.clone());
        }
    }

    fn add_declared_attributes(&mut self) {
        for (place, decl) in self.core.attributes().iter().enumerate() {
            let kind = match decl.kind {
                Value::Bool => AttributeKind::Bool,
                Value::Int => AttributeKind::Int,
                Value::Real => AttributeKind::Float,
                Value::Vec3 | Value::Orientation => AttributeKind::Vector(Some(3)),
                Value::Object => AttributeKind::ObjectOrText,
                Value::Set => AttributeKind::ObjectOrTextList,
                Value::Text => AttributeKind::Text,
            };
            let name = self.names.reserve(&names::attribute_name(&decl.name));
            let absent = decl.default.is_none() && !decl.required;
            let attribute = Attribute {
                name,
                value_type: kind,
                optional: kind == AttributeKind::ObjectOrText,
                may_be_absent: absent,
            };
            self.add_attribute(&decl.types, &attribute, AttributeSource::Value(AttributeId::from(place)));
        }
    }

    fn add_relations(&mut self) {
        for (place, decl) in self.core.predicates().iter().enumerate() {
            if decl.definition != PredicateDefinition::Stored {
                continue;
            }
            let name = self.names.reserve(&names::attribute_name(&decl.name));
            let id = PredicateId::from(place);
            let (kind, source) = match decl.parameters.len() {
                0 | 1 => (AttributeKind::Bool, AttributeSource::Predicate(id)),
                2 => (AttributeKind::ObjectOrTextList, AttributeSource::RelatedObjects(id)),
                _ => (AttributeKind::TupleList, AttributeSource::RelatedObjects(id)),
            };
            if matches!(source, AttributeSource::RelatedObjects(_)) {
                self.relations.push(id);
            }
            let attribute = Attribute { name, value_type: kind, optional: false, may_be_absent: false };
            self.add_object_or_state_attribute(
                decl.parameters.first().map(|first| &first.types[..]),
                attribute,
                source,
            );
        }
        for (place, decl) in self.core.functions().iter().enumerate() {
            if decl.definition != FunctionDefinition::Stored || decl.parameters.len() > 1 {
                continue;
            }
            let name = self.names.reserve(&names::attribute_name(&decl.name));
            let attribute = Attribute { name, value_type: AttributeKind::Float, optional: false, may_be_absent: true };
            let source = AttributeSource::Function(FunctionId::from(place));
            self.add_object_or_state_attribute(
                decl.parameters.first().map(|first| &first.types[..]),
                attribute,
                source,
            );
        }
    }

    fn add_object_or_state_attribute(
        &mut self,
        types: Option<&[TypeId]>,
        attribute: Attribute,
        source: AttributeSource,
    ) {
        if let Some(types) = types {
            self.add_attribute(types, &attribute, source);
        } else {
            self.state.push(attribute);
            self.state_sources.push(source);
        }
    }

    /// Adds the attributes that the world does not declare, where their names are free.
    fn add_derived_attributes(&mut self) {
        self.add_if_unused(0, "id", AttributeKind::Text, false, AttributeSource::Id);
        self.add_if_unused(0, "name", AttributeKind::Text, false, AttributeSource::Label);
        let locations = self.core.locations();
        let located: Vec<TypeId> =
            locations.iter().flat_map(|id| self.core.attributes()[id.index()].types.clone()).collect();
        let mut located: Vec<u16> = located.into_iter().filter_map(|of| self.type_classes[of.index()]).collect();
        located.sort_unstable();
        located.dedup();
        for (axis, name) in AXES.into_iter().enumerate() {
            self.add_axis(axis, name, &located);
        }
        for class in 0..self.objects.len() as u16 {
            let sides: Option<Vec<_>> =
                ["x", "y", "w", "h"].iter().map(|side| self.numeric_attribute(class, side)).collect();
            let Some(sides) = sides else { continue };
            let absent = sides.iter().any(|(_, absent)| *absent);
            for (name, part, count) in BOX_PARTS {
                self.add_if_unused(class, name, AttributeKind::NumberTuple(count), absent, AttributeSource::Box(part));
            }
        }
    }

    /// Adds the coordinate on an axis, its previous value and its change: from an attribute of that name, or from a location.
    fn add_axis(&mut self, axis: usize, name: &str, located: &[u16]) {
        let own = self.classes_with_number(name);
        if self.names.contains(name) && own.is_empty() {
            return;
        }
        self.sources.insert(name.into(), AttributeSource::Coordinate(axis));
        for &class in own.iter().chain(located) {
            let (kind, absent) =
                self.numeric_attribute(class, name).unwrap_or((AttributeKind::Float, !self.is_always_located(class)));
            if self.numeric_attribute(class, name).is_none() {
                let attribute =
                    Attribute { name: name.into(), value_type: kind, optional: false, may_be_absent: absent };
                self.objects[class as usize].attributes.push(attribute);
            }
            self.add_if_unused(class, &format!("prev_{name}"), kind, absent, AttributeSource::PreviousCoordinate(axis));
            self.add_if_unused(class, &format!("d{name}"), kind, absent, AttributeSource::Displacement(axis));
        }
    }

    /// Adds an attribute to a class, unless the world uses its name for something else.
    fn add_if_unused(&mut self, class: u16, name: &str, kind: AttributeKind, absent: bool, source: AttributeSource) {
        let known = self.sources.get(name);
        if self.names.contains(name) || known.is_some_and(|known| *known != source) {
            return;
        }
        let name: Arc<str> = name.into();
        self.sources.insert(name.clone(), source);
        self.objects[class as usize].attributes.push(Attribute {
            name,
            value_type: kind,
            optional: false,
            may_be_absent: absent,
        });
    }

    /// Returns the classes that declare a numeric attribute of this name.
    fn classes_with_number(&self, name: &str) -> Vec<u16> {
        let declares = |class: &&EntityClass| {
            let is_number = |one: &Attribute| {
                *one.name == *name && matches!(one.value_type, AttributeKind::Int | AttributeKind::Float)
            };
            class.attributes.iter().any(is_number)
        };
        let classes = self.objects.iter().enumerate();
        classes.filter(|(_, class)| declares(class)).map(|(place, _)| place as u16).collect()
    }

    fn ancestors(&self, class: u16) -> Vec<u16> {
        let mut line = vec![class];
        let mut place = 0;
        while let Some(&class) = line.get(place) {
            for &parent in &self.objects[class as usize].parents {
                if !line.contains(&parent) {
                    line.push(parent);
                }
            }
            place += 1;
        }
        line
    }

    /// Returns the kind of a numeric attribute of a class, and whether objects may lack it.
    fn numeric_attribute(&self, class: u16, name: &str) -> Option<(AttributeKind, bool)> {
        let attributes = self.ancestors(class).into_iter().flat_map(|class| &self.objects[class as usize].attributes);
        let mut kinds = attributes.filter(|one| *one.name == *name).map(|one| (one.value_type, one.may_be_absent));
        kinds.find(|(kind, _)| matches!(kind, AttributeKind::Int | AttributeKind::Float))
    }

    /// Whether objects of a class are present only if their location is known.
    fn is_always_located(&self, class: u16) -> bool {
        let line = self.ancestors(class);
        let required = self.core.locations().iter().map(|id| &self.core.attributes()[id.index()]);
        let mut of = required.filter(|decl| decl.required).flat_map(|decl| &decl.types);
        of.any(|of| self.type_classes[of.index()].is_some_and(|of| line.contains(&of)))
    }

    /// Returns the class of each object: that of its type, or a class of its own for a combination of types.
    fn assign_classes(&mut self) -> Result<Vec<Option<u16>>, Box<Diagnostic>> {
        let mut several: IndexMap<Vec<u16>, u16> = IndexMap::new();
        let mut classes = Vec::with_capacity(self.core.objects().len());
        for (place, decl) in self.core.objects().iter().enumerate() {
            if self.core.is_symbol(ObjectId::from(place)) {
                classes.push(None);
                continue;
            }
            let own: Vec<u16> = decl.types.iter().filter_map(|of| self.type_classes[of.index()]).collect();
            classes.push(Some(match *own {
                [] => 0,
                [only] => only,
                [first, ..] => {
                    let name = self.objects[first as usize].name.clone();
                    let next = self.objects.len();
                    let class = *several.entry(own.clone()).or_insert(next as u16);
                    if class as usize == next {
                        self.objects.push(EntityClass { name, parents: own, attributes: Vec::new() });
                    }
                    class
                }
            }));
            if self.objects.len() > MAX_CLASSES {
                let message = format!(
                    "the world `{}` has more than {MAX_CLASSES} classes of objects, the limit for reward functions",
                    self.core.name()
                );
                return Err(Box::new(Diagnostic::new(goalspec_core::codes::NOT_SUPPORTED, Severity::Error, message)));
            }
        }
        Ok(classes)
    }
}
