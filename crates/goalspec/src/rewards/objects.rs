//! Worlds whose objects have attributes of their own, as reward functions see them: any world file, any trace.
//!
//! | in the world | in Python |
//! |---|---|
//! | a type, `tea_bag` | a class, [`TeaBag`](names::class); what is a kind of several types is of all their classes |
//! | an object that is there | an object of its type's class, in the list of objects, in the world's order |
//! | a symbol, `blue` | a text, `"blue"` |
//! | an attribute | an attribute of the same [name](names::attribute): `bool`, `int`, `float`, text, an array of three floats (`vec3`, `orientation`), an object, text or `None` (`object`), a list of these (`set`) |
//! | a value that is not known | no such attribute: an `AttributeError` |
//! | a stored predicate | without parameters an attribute of environments and states; of one object whether it holds of it; of two the list of those behind it; of more a list of tuples of these |
//! | a stored function | without parameters an attribute of environments and states; of one object its value |
//!
//! Where the world does not give a name to something else, objects have `id`, what traces call it, and `name`, what programs of the game
//! language call it; those that have numbers `x`, `y`, `z`, or else a `center` or a `position`, have `x`, `y`, `z`, and `prev_x`, `dx` and so
//! on, of the state before; and those with numbers `x`, `y`, `w`, `h` are boxes as those of a screen are, with `xy`, `wh`, `xywh`, `prev_xy`,
//! `center` and the same methods. All of them are plain attributes: to change one changes no other.
//!
//! All classes are kinds of `GameObject`; of `NoObject` there is never one, as what is not there is not in the list.
//!
//! | module | what lives there |
//! |---|---|
//! | [`names`] | what things are called |
//! | `fill` | states to objects |
//! | `text` | what objects look like, in words |

mod fill;
pub mod names;
mod text;

use std::sync::Arc;

use goalspec_core::ids::{AttributeId, FunctionId, ObjectId, PredicateId, TypeId};
use goalspec_core::value::Kind as Value;
use goalspec_core::world::World;
use goalspec_core::world::operation::{FunctionMeaning, PredicateMeaning};
use goalspec_reward::scene::{self, Attribute, Kind, ObjectClass};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::codes;
pub use fill::Places;
use names::Taken;

/// Most classes, those included that are made for objects of several types.
pub const MAX_CLASSES: usize = 1 << 14;

/// The names of the coordinates.
const AXES: [&str; 3] = ["x", "y", "z"];

/// A world as reward functions see it.
#[derive(Debug)]
pub struct ObjectWorld {
    /// The classes and their attributes.
    pub scene: scene::World,
    core: Arc<World>,
    /// The class of each object; `None` for symbols.
    classes: Vec<Option<u16>>,
    /// Of each class, where its attributes come from, in their order.
    sources: Vec<Vec<Source>>,
    /// Where the attributes of states come from.
    of_state: Vec<Source>,
    /// Per object, what programs of the game language call it.
    labels: Vec<Arc<str>>,
    /// The predicates of which objects have lists.
    related: Vec<PredicateId>,
}

/// Where an attribute comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Value(AttributeId),
    /// Whether a predicate holds.
    Holds(PredicateId),
    /// What a predicate holds of beside.
    Others(PredicateId),
    Number(FunctionId),
    Id,
    Label,
    /// Where it is, on an axis.
    Place(usize),
    /// Where it was.
    Before(usize),
    /// By how much it moved.
    Moved(usize),
    /// Of a box.
    Box(BoxPart),
}

/// What boxes have beside their sides.
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
    /// What programs see of a world.
    ///
    /// # Errors
    /// Its objects are of more than [`MAX_CLASSES`] kinds.
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

    /// The world.
    pub fn core(&self) -> &Arc<World> {
        &self.core
    }
}

/// A world that is being looked at.
struct Build<'w> {
    core: &'w World,
    objects: Vec<ObjectClass>,
    /// The class of each type; `None` for those of symbols.
    of_types: Vec<Option<u16>>,
    /// By the name of the attribute, which means the same in all classes.
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

    /// A class for every type of things.
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

    /// Gives an attribute to classes of types.
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
            self.give(&decl.of, &attribute, Source::Value(AttributeId::from(place)));
        }
    }

    fn relations(&mut self) {
        for (place, decl) in self.core.predicates().iter().enumerate() {
            if decl.meaning != PredicateMeaning::Stored {
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
            if decl.meaning != FunctionMeaning::Stored || decl.parameters.len() > 1 {
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

    /// What objects have beside what the world declares, where its names are free.
    fn derived(&mut self) {
        self.derive(0, "id", Kind::Text, false, Source::Id);
        self.derive(0, "name", Kind::Text, false, Source::Label);
        let locations = self.core.locations();
        let located: Vec<TypeId> =
            locations.iter().flat_map(|id| self.core.attributes()[id.index()].of.clone()).collect();
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

    /// Where things are on an axis, and how they moved: by their own numbers, or by where the world locates them.
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

    /// Gives a class an attribute, unless the world has given its name to something.
    fn derive(&mut self, class: u16, name: &str, kind: Kind, absent: bool, source: Source) {
        let known = self.sources.get(name);
        if self.names.has(name) || known.is_some_and(|known| *known != source) {
            return;
        }
        let name: Arc<str> = name.into();
        self.sources.insert(name.clone(), source);
        self.objects[class as usize].attributes.push(Attribute { name, kind, optional: false, absent });
    }

    /// The classes that declare a number of this name.
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

    /// What kind of number objects of a class have under this name, and whether they may be without it.
    fn number_of(&self, class: u16, name: &str) -> Option<(Kind, bool)> {
        let attributes = self.line(class).into_iter().flat_map(|class| &self.objects[class as usize].attributes);
        let mut kinds = attributes.filter(|one| *one.name == *name).map(|one| (one.kind, one.absent));
        kinds.find(|(kind, _)| matches!(kind, Kind::Int | Kind::Float))
    }

    /// Whether objects of a class are not there until it is known where they are.
    fn is_always_located(&self, class: u16) -> bool {
        let line = self.line(class);
        let required = self.core.locations().iter().map(|id| &self.core.attributes()[id.index()]);
        let mut of = required.filter(|decl| decl.required).flat_map(|decl| &decl.of);
        of.any(|of| self.of_types[of.index()].is_some_and(|of| line.contains(&of)))
    }

    /// The class of each object: its type's, or one of its own kind if it has several.
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
                    "the objects of the world `{}` are of more than {MAX_CLASSES} kinds, the most that reward functions see",
                    self.core.name()
                );
                return Err(Box::new(Diagnostic::new(codes::REFUSED, Severity::Error, message)));
            }
        }
        Ok(classes)
    }
}
