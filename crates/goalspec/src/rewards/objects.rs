//! The Python view of worlds whose objects have their own attributes: any world file, any trace.
//!
//! | in the world | in Python |
//! |---|---|
//! | a type, `tea_bag` | a class, [`TeaBag`](names::class); an object of several types is an instance of all their classes |
//! | a present object | an instance of its type's class, in the list of objects, in the world's order |
//! | a symbol, `blue` | a text, `"blue"` |
//! | an attribute | an attribute of the same [name](names::attribute): `bool`, `int`, `float`, text, an array of three floats (`vec3`, `orientation`), an object, text or `None` (`object`), a list of these (`set`) |
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
//! | `fill` | conversion of states to objects |
//! | `text` | a description of the classes for people |

mod fill;
pub mod names;
mod text;

use std::sync::Arc;

use goalspec_core::ids::{AttributeId, FunctionId, ObjectId, PredicateId, TypeId};
use goalspec_core::value::ValueKind as Value;
use goalspec_core::world::World;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_reward::scene::{self, Attribute, Kind, ObjectClass};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::codes;
pub use fill::Places;
use names::Taken;

/// The maximum number of classes, including those for objects of several types.
pub const MAX_CLASSES: usize = 1 << 14;

/// The names of the coordinates.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The Python view of a world.
#[derive(Debug)]
pub struct ObjectWorld {
    /// The classes and their attributes.
    pub scene: scene::World,
    core: Arc<World>,
    /// The class of each object; `None` for symbols.
    classes: Vec<Option<u16>>,
    /// The sources of each class's attributes, in the order of the attributes.
    sources: Vec<Vec<Source>>,
    /// The sources of the attributes of states.
    of_state: Vec<Source>,
    /// The name of each object in programs of the game language.
    labels: Vec<Arc<str>>,
    /// The predicates that relate an object to a list of others.
    related: Vec<PredicateId>,
}

/// The source of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Value(AttributeId),
    /// Whether a predicate of one object holds.
    Holds(PredicateId),
    /// The other arguments for which a predicate holds.
    Others(PredicateId),
    Number(FunctionId),
    Id,
    Label,
    /// The coordinate on an axis.
    Place(usize),
    /// The previous coordinate on an axis.
    Before(usize),
    /// The change of the coordinate on an axis.
    Moved(usize),
    /// An attribute derived from a box.
    Box(BoxPart),
}

/// An attribute of a box beside its coordinates and sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BoxPart {
    Corner,
    Size,
    All,
    CornerBefore,
    Middle,
}

const BOX_PARTS: [(&str, BoxPart, u16); 5] = [
    ("xy", BoxPart::Corner, 2),
    ("wh", BoxPart::Size, 2),
    ("xywh", BoxPart::All, 4),
    ("prev_xy", BoxPart::CornerBefore, 2),
    ("center", BoxPart::Middle, 2),
];

impl ObjectWorld {
    /// Creates the Python view of a world.
    ///
    /// # Errors
    /// Returns a diagnostic if its objects need more than [`MAX_CLASSES`] classes.
    pub fn new(core: Arc<World>) -> Result<Self, Box<Diagnostic>> {
        let mut build = Build::new(&core);
        build.classes();
        build.declared();
        build.relations();
        build.derived();
        let classes = build.classes_of_objects()?;
        let Build { objects, sources, of_state, state, related, .. } = build;
        let labels = core.labels().into_iter().map(Arc::from).collect();
        let scene = scene::World { objects, state, ..scene::World::default() };
        let sources = (0..scene.objects.len() as u16)
            .map(|class| {
                let names = scene.attributes_of(class).into_iter().map(|attribute| &attribute.name);
                names.map(|name| sources[name]).collect()
            })
            .collect();
        Ok(Self { scene, core, classes, sources, of_state, labels, related })
    }

    /// Returns the world.
    pub fn core(&self) -> &Arc<World> {
        &self.core
    }
}

/// A world view under construction.
struct Build<'w> {
    core: &'w World,
    objects: Vec<ObjectClass>,
    /// The class of each type; `None` for symbol types.
    of_types: Vec<Option<u16>>,
    /// The source of each attribute, by its name, which has the same meaning in all classes.
    sources: FxHashMap<Arc<str>, Source>,
    names: Taken,
    state: Vec<Attribute>,
    of_state: Vec<Source>,
    related: Vec<PredicateId>,
}

impl<'w> Build<'w> {
    fn new(core: &'w World) -> Self {
        Self {
            core,
            objects: Vec::new(),
            of_types: Vec::new(),
            sources: FxHashMap::default(),
            names: Taken::default(),
            state: Vec::new(),
            of_state: Vec::new(),
            related: Vec::new(),
        }
    }

    /// Creates a class for every type of objects.
    fn classes(&mut self) {
        let mut names = Taken::default();
        let plain = |name: Arc<str>, parents| ObjectClass { name, parents, attributes: Vec::new() };
        self.objects.push(plain(names.take("GameObject"), Vec::new()));
        self.objects.push(plain(names.take("NoObject"), vec![0]));
        for (place, decl) in self.core.types().iter().enumerate() {
            let members = self.core.members(TypeId::from(place));
            let of_symbols = !members.is_empty() && members.iter().all(|&member| self.core.is_symbol(member));
            let class = (!of_symbols).then(|| {
                let parents: Vec<u16> =
                    decl.parents.iter().filter_map(|parent| self.of_types[parent.index()]).collect();
                let parents = if parents.is_empty() { vec![0] } else { parents };
                self.objects.push(plain(names.take(&names::class(&decl.name)), parents));
                (self.objects.len() - 1) as u16
            });
            self.of_types.push(class);
        }
    }

    /// Adds an attribute to the classes of types.
    fn give(&mut self, types: &[TypeId], attribute: &Attribute, source: Source) {
        self.sources.insert(attribute.name.clone(), source);
        for class in types.iter().filter_map(|of| self.of_types[of.index()]) {
            self.objects[class as usize].attributes.push(attribute.clone());
        }
    }

    fn declared(&mut self) {
        for (place, decl) in self.core.attributes().iter().enumerate() {
            let kind = match decl.kind {
                Value::Bool => Kind::Bool,
                Value::Int => Kind::Int,
                Value::Real => Kind::Float,
                Value::Vec3 | Value::Orientation => Kind::Vector(Some(3)),
                Value::Object => Kind::Thing,
                Value::Set => Kind::Things,
                Value::Text => Kind::Text,
            };
            let name = self.names.take(&names::attribute(&decl.name));
            let absent = decl.default.is_none() && !decl.required;
            let attribute = Attribute { name, kind, optional: kind == Kind::Thing, absent };
            self.give(&decl.types, &attribute, Source::Value(AttributeId::from(place)));
        }
    }

    fn relations(&mut self) {
        for (place, decl) in self.core.predicates().iter().enumerate() {
            if decl.definition != PredicateDefinition::Stored {
                continue;
            }
            let name = self.names.take(&names::attribute(&decl.name));
            let id = PredicateId::from(place);
            let (kind, source) = match decl.parameters.len() {
                0 | 1 => (Kind::Bool, Source::Holds(id)),
                2 => (Kind::Things, Source::Others(id)),
                _ => (Kind::Rows, Source::Others(id)),
            };
            if matches!(source, Source::Others(_)) {
                self.related.push(id);
            }
            let attribute = Attribute { name, kind, optional: false, absent: false };
            self.give_or_state(decl.parameters.first().map(|first| &first.types[..]), attribute, source);
        }
        for (place, decl) in self.core.functions().iter().enumerate() {
            if decl.definition != FunctionDefinition::Stored || decl.parameters.len() > 1 {
                continue;
            }
            let name = self.names.take(&names::attribute(&decl.name));
            let attribute = Attribute { name, kind: Kind::Float, optional: false, absent: true };
            let source = Source::Number(FunctionId::from(place));
            self.give_or_state(decl.parameters.first().map(|first| &first.types[..]), attribute, source);
        }
    }

    fn give_or_state(&mut self, types: Option<&[TypeId]>, attribute: Attribute, source: Source) {
        if let Some(types) = types {
            self.give(types, &attribute, source);
        } else {
            self.state.push(attribute);
            self.of_state.push(source);
        }
    }

    /// Adds the attributes that the world does not declare, where their names are free.
    fn derived(&mut self) {
        self.derive(0, "id", Kind::Text, false, Source::Id);
        self.derive(0, "name", Kind::Text, false, Source::Label);
        let locations = self.core.locations();
        let located: Vec<TypeId> =
            locations.iter().flat_map(|id| self.core.attributes()[id.index()].types.clone()).collect();
        let mut located: Vec<u16> = located.into_iter().filter_map(|of| self.of_types[of.index()]).collect();
        located.sort_unstable();
        located.dedup();
        for (axis, name) in AXES.into_iter().enumerate() {
            self.axis(axis, name, &located);
        }
        for class in 0..self.objects.len() as u16 {
            let sides: Option<Vec<_>> = ["x", "y", "w", "h"].iter().map(|side| self.number_of(class, side)).collect();
            let Some(sides) = sides else { continue };
            let absent = sides.iter().any(|(_, absent)| *absent);
            for (name, part, count) in BOX_PARTS {
                self.derive(class, name, Kind::Numbers(count), absent, Source::Box(part));
            }
        }
    }

    /// Adds the coordinate on an axis, its previous value and its change: from an attribute of that name, or from a location.
    fn axis(&mut self, axis: usize, name: &str, located: &[u16]) {
        let own = self.numbers(name);
        if self.names.has(name) && own.is_empty() {
            return;
        }
        self.sources.insert(name.into(), Source::Place(axis));
        for &class in own.iter().chain(located) {
            let (kind, absent) = self.number_of(class, name).unwrap_or((Kind::Float, !self.is_always_located(class)));
            if self.number_of(class, name).is_none() {
                let attribute = Attribute { name: name.into(), kind, optional: false, absent };
                self.objects[class as usize].attributes.push(attribute);
            }
            self.derive(class, &format!("prev_{name}"), kind, absent, Source::Before(axis));
            self.derive(class, &format!("d{name}"), kind, absent, Source::Moved(axis));
        }
    }

    /// Adds an attribute to a class, unless the world uses its name for something else.
    fn derive(&mut self, class: u16, name: &str, kind: Kind, absent: bool, source: Source) {
        let known = self.sources.get(name);
        if self.names.has(name) || known.is_some_and(|known| *known != source) {
            return;
        }
        let name: Arc<str> = name.into();
        self.sources.insert(name.clone(), source);
        self.objects[class as usize].attributes.push(Attribute { name, kind, optional: false, absent });
    }

    /// Returns the classes that declare a numeric attribute of this name.
    fn numbers(&self, name: &str) -> Vec<u16> {
        let declares = |class: &&ObjectClass| {
            let is_number = |one: &Attribute| *one.name == *name && matches!(one.kind, Kind::Int | Kind::Float);
            class.attributes.iter().any(is_number)
        };
        let classes = self.objects.iter().enumerate();
        classes.filter(|(_, class)| declares(class)).map(|(place, _)| place as u16).collect()
    }

    fn line(&self, class: u16) -> Vec<u16> {
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
    fn number_of(&self, class: u16, name: &str) -> Option<(Kind, bool)> {
        let attributes = self.line(class).into_iter().flat_map(|class| &self.objects[class as usize].attributes);
        let mut kinds = attributes.filter(|one| *one.name == *name).map(|one| (one.kind, one.absent));
        kinds.find(|(kind, _)| matches!(kind, Kind::Int | Kind::Float))
    }

    /// Whether objects of a class are present only if their location is known.
    fn is_always_located(&self, class: u16) -> bool {
        let line = self.line(class);
        let required = self.core.locations().iter().map(|id| &self.core.attributes()[id.index()]);
        let mut of = required.filter(|decl| decl.required).flat_map(|decl| &decl.types);
        of.any(|of| self.of_types[of.index()].is_some_and(|of| line.contains(&of)))
    }

    /// Returns the class of each object: that of its type, or a class of its own for a combination of types.
    fn classes_of_objects(&mut self) -> Result<Vec<Option<u16>>, Box<Diagnostic>> {
        let mut several: IndexMap<Vec<u16>, u16> = IndexMap::new();
        let mut classes = Vec::with_capacity(self.core.objects().len());
        for (place, decl) in self.core.objects().iter().enumerate() {
            if self.core.is_symbol(ObjectId::from(place)) {
                classes.push(None);
                continue;
            }
            let own: Vec<u16> = decl.types.iter().filter_map(|of| self.of_types[of.index()]).collect();
            classes.push(Some(match *own {
                [] => 0,
                [only] => only,
                [first, ..] => {
                    let name = self.objects[first as usize].name.clone();
                    let next = self.objects.len();
                    let class = *several.entry(own.clone()).or_insert(next as u16);
                    if class as usize == next {
                        self.objects.push(ObjectClass { name, parents: own, attributes: Vec::new() });
                    }
                    class
                }
            }));
            if self.objects.len() > MAX_CLASSES {
                let message = format!(
                    "the world `{}` has more than {MAX_CLASSES} classes of objects, the limit for reward functions",
                    self.core.name()
                );
                return Err(Box::new(Diagnostic::new(codes::REFUSED, Severity::Error, message)));
            }
        }
        Ok(classes)
    }
}
