//! The settings of operations in world files, validated while the operation is created.

use std::collections::BTreeMap;

use goalspec_syntax::suggest::did_you_mean;

use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId, TypeId};
use crate::value::ValueKind;
use crate::world::World;
use crate::world::geometry::Axis;
use crate::world::vocabulary::Dependencies;

/// The value of a setting, as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// A truth value.
    Flag(bool),
    /// A name or another text.
    Text(String),
    /// A list of names.
    List(Vec<String>),
}

impl Setting {
    fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Flag(_) => "a boolean",
            Self::Text(_) => "a string",
            Self::List(_) => "a list of strings",
        }
    }
}

/// A problem with one setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingProblem {
    /// The name of the setting; empty if the problem is the name of the operation.
    pub setting: String,
    /// The message.
    pub message: String,
    /// A suggestion, such as the nearest known name.
    pub help: Option<String>,
}

/// All problems with the settings of one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    /// The problems; at least one.
    pub problems: Vec<SettingProblem>,
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let messages: Vec<_> = self.problems.iter().map(|problem| problem.message.as_str()).collect();
        f.write_str(&messages.join("; "))
    }
}

impl std::error::Error for SettingsError {}

/// A set of objects, specified by types and single objects. Objects that recordings add to a type belong to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ObjectSelection {
    types: Vec<TypeId>,
    single: Vec<ObjectId>,
}

impl ObjectSelection {
    /// Whether the set contains the object.
    pub fn contains(&self, world: &World, object: ObjectId) -> bool {
        self.single.contains(&object) || self.types.iter().any(|&id| world.is_a(object, id))
    }

    /// Returns the objects, in order of ids, without duplicates.
    pub fn list(&self, world: &World) -> Vec<ObjectId> {
        let mut objects = world.domain(&self.types);
        objects.extend_from_slice(&self.single);
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Whether no type and no object is specified.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.single.is_empty()
    }

    /// Adds to `reads` these attributes of every object of the set.
    pub(super) fn add_to(&self, world: &World, mask: AttributeMask, reads: &mut Dependencies) {
        for object in self.list(world) {
            reads.add_other(object, mask);
        }
        let is_open = |id: &TypeId| {
            (0..world.types().len())
                .map(TypeId::from)
                .any(|sub| world.is_subtype(sub, *id) && world.is_discoverable(sub))
        };
        if self.types.iter().any(is_open) {
            reads.any_object |= mask;
            reads.presence = true;
        }
    }
}

/// The settings of one operation, resolved against the types, objects, attributes, predicates and functions of the world that is being
/// built.
///
/// Look-ups do not fail: they record a problem and return a placeholder, so that one pass reports all problems.
#[derive(Debug)]
pub struct Settings<'w> {
    world: &'w World,
    given: BTreeMap<String, Setting>,
    looked_up: Vec<&'static str>,
    problems: Vec<SettingProblem>,
}

impl<'w> Settings<'w> {
    /// Creates settings from their values by name.
    pub fn new(world: &'w World, values: BTreeMap<String, Setting>) -> Self {
        Self { world, given: values, looked_up: Vec::new(), problems: Vec::new() }
    }

    /// Returns the world that is being built.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Looks up a finite number.
    pub fn number(&mut self, name: &'static str, default: f64) -> f64 {
        match self.get(name) {
            Some(Setting::Number(number)) if number.is_finite() => number,
            Some(other) => self.wrong_kind(name, &other, "a finite number", default),
            None => default,
        }
    }

    /// Looks up an optional text.
    pub fn text(&mut self, name: &'static str) -> Option<String> {
        match self.get(name)? {
            Setting::Text(text) => Some(text),
            other => self.wrong_kind(name, &other, "a string", None),
        }
    }

    /// Looks up a list of names; a single text is a list of one name. Returns an empty list if the setting is missing.
    pub fn names(&mut self, name: &'static str) -> Vec<String> {
        match self.get(name) {
            Some(Setting::List(names)) => names,
            Some(Setting::Text(text)) => vec![text],
            Some(other) => self.wrong_kind(name, &other, "a list of names", Vec::new()),
            None => Vec::new(),
        }
    }

    /// Looks up a text that must be one of `words`, and returns its index; 0 if the setting is missing.
    pub fn choice(&mut self, name: &'static str, words: &[&'static str]) -> usize {
        let Some(text) = self.text(name) else { return 0 };
        words.iter().position(|&word| word == text).unwrap_or_else(|| {
            self.unknown(name, "choice", &text, words.iter().copied());
            0
        })
    }

    /// Looks up an attribute of one of the kinds. If the setting is missing, the attribute called `default` must exist.
    pub fn attribute(&mut self, name: &'static str, default: &str, kinds: &[ValueKind]) -> AttributeId {
        let text = self.text(name).unwrap_or_else(|| default.to_owned());
        self.find_attribute(name, &text, kinds).unwrap_or(AttributeId(0))
    }

    /// Looks up an optional attribute. If the setting is missing, returns the attribute called `default` if it exists and is of one of the
    /// kinds.
    pub fn attribute_if_any(&mut self, name: &'static str, default: &str, kinds: &[ValueKind]) -> Option<AttributeId> {
        match self.text(name) {
            Some(text) => self.find_attribute(name, &text, kinds),
            None => self
                .world
                .attribute_named(default)
                .filter(|&attribute| kinds.contains(&self.world.attributes()[attribute.index()].kind)),
        }
    }

    /// Looks up a list of attributes. If the setting is missing, returns those called `defaults` that exist, of which there must be at
    /// least one.
    pub fn attributes(&mut self, name: &'static str, defaults: &[&str], kinds: &[ValueKind]) -> Vec<AttributeId> {
        let names = self.names(name);
        if !names.is_empty() {
            return names.iter().filter_map(|text| self.find_attribute(name, text, kinds)).collect();
        }
        let fits = |id: &AttributeId| kinds.contains(&self.world.attributes()[id.index()].kind);
        let found: Vec<_> = defaults.iter().filter_map(|text| self.world.attribute_named(text)).filter(fits).collect();
        if found.is_empty() {
            self.problem(name, format!("`{name}` must name at least one attribute"), None);
        }
        found
    }

    /// Looks up an optional object.
    pub fn object(&mut self, name: &'static str) -> Option<ObjectId> {
        let text = self.text(name)?;
        let found = find_object(self.world, &text);
        if found.is_none() {
            self.unknown_object(name, &text);
        }
        found
    }

    /// Looks up an object that must be specified.
    pub fn required_object(&mut self, name: &'static str) -> ObjectId {
        let missing = !self.given.contains_key(name);
        let found = self.object(name);
        if missing {
            self.problem(name, format!("`{name}` must name an object"), None);
        }
        found.unwrap_or(ObjectId(0))
    }

    /// Looks up an object. If the setting is missing, the object called `default` must exist.
    pub fn object_or_default(&mut self, name: &'static str, default: &str) -> ObjectId {
        let text = self.text(name).unwrap_or_else(|| default.to_owned());
        find_object(self.world, &text).unwrap_or_else(|| {
            self.unknown_object(name, &text);
            ObjectId(0)
        })
    }

    /// Looks up a set of objects, specified by types and single objects. Returns an empty set if the setting is missing.
    pub fn objects(&mut self, name: &'static str) -> ObjectSelection {
        let mut objects = ObjectSelection::default();
        for text in self.names(name) {
            if let Some(id) = self.world.type_named(&text) {
                objects.types.push(id);
            } else if let Some(object) = find_object(self.world, &text) {
                objects.single.push(object);
            } else {
                self.unknown_object(name, &text);
            }
        }
        objects
    }

    /// Like [`Self::objects`], but at least one type or object must be specified.
    pub fn required_objects(&mut self, name: &'static str) -> ObjectSelection {
        let before = self.problems.len();
        let objects = self.objects(name);
        if objects.is_empty() && self.problems.len() == before {
            self.problem(name, format!("`{name}` must name a type or an object"), None);
        }
        objects
    }

    /// Looks up a coordinate axis: `x` (the default), `y` or `z`.
    pub fn axis(&mut self, name: &'static str) -> Axis {
        [Axis::X, Axis::Y, Axis::Z][self.choice(name, &["x", "y", "z"])]
    }

    /// Looks up a list of types. Returns an empty list if the setting is missing.
    pub fn types(&mut self, name: &'static str) -> Vec<TypeId> {
        let names = self.names(name);
        names
            .iter()
            .filter_map(|text| {
                let found = self.world.type_named(text);
                if found.is_none() {
                    let world = self.world;
                    self.unknown(name, "type", text, world.types().iter().map(|decl| &*decl.name));
                }
                found
            })
            .collect()
    }

    /// Looks up a predicate, by default the one called `default`, which must exist.
    pub fn predicate(&mut self, name: &'static str, default: &str) -> PredicateId {
        let text = self.text(name).unwrap_or_else(|| default.to_owned());
        self.world.predicate_named(&text).unwrap_or_else(|| {
            let world = self.world;
            self.unknown(name, "predicate", &text, world.predicates().iter().map(|decl| &*decl.name));
            PredicateId(0)
        })
    }

    /// Looks up a function, by default the one called `default`, which must exist.
    pub fn function(&mut self, name: &'static str, default: &str) -> FunctionId {
        let text = self.text(name).unwrap_or_else(|| default.to_owned());
        self.world.function_named(&text).unwrap_or_else(|| {
            let world = self.world;
            self.unknown(name, "function", &text, world.functions().iter().map(|decl| &*decl.name));
            FunctionId(0)
        })
    }

    /// Looks up a predicate if it is needed or specified.
    pub fn predicate_if(&mut self, needed: bool, name: &'static str, default: &str) -> Option<PredicateId> {
        (self.has(name) || needed).then(|| self.predicate(name, default))
    }

    /// Looks up a function if it is needed or specified.
    pub fn function_if(&mut self, needed: bool, name: &'static str, default: &str) -> Option<FunctionId> {
        (self.has(name) || needed).then(|| self.function(name, default))
    }

    /// Records a problem.
    pub fn problem(&mut self, setting: &str, message: String, help: Option<String>) {
        self.problems.push(SettingProblem { setting: setting.to_owned(), message, help });
    }

    /// Records the problem that a name is unknown, with a suggestion from the known names.
    pub fn unknown<'n>(&mut self, setting: &str, kind: &str, text: &str, known: impl Iterator<Item = &'n str>) {
        self.problem(setting, format!("`{setting}`: unknown {kind} `{text}`"), did_you_mean(text, known));
    }

    /// Records a problem for each setting that was never looked up, and returns `value` if there are no problems.
    ///
    /// # Errors
    /// If there are problems; the error lists all of them.
    pub fn finish<T>(&mut self, value: T) -> Result<T, SettingsError> {
        let unused: Vec<_> =
            self.given.keys().filter(|name| !self.looked_up.contains(&name.as_str())).cloned().collect();
        for name in unused {
            let message = format!("unknown setting `{name}`");
            let help = did_you_mean(&name, self.looked_up.iter().copied());
            self.problem(&name, message, help);
        }
        if self.problems.is_empty() {
            Ok(value)
        } else {
            Err(SettingsError { problems: std::mem::take(&mut self.problems) })
        }
    }

    fn has(&mut self, name: &'static str) -> bool {
        self.get(name).is_some()
    }

    fn get(&mut self, name: &'static str) -> Option<Setting> {
        if !self.looked_up.contains(&name) {
            self.looked_up.push(name);
        }
        self.given.get(name).cloned()
    }

    fn wrong_kind<T>(&mut self, name: &str, found: &Setting, expected: &str, placeholder: T) -> T {
        self.problem(name, format!("`{name}`: expected {expected}, found {}", found.kind()), None);
        placeholder
    }

    fn unknown_object(&mut self, name: &str, text: &str) {
        let world = self.world;
        let known = world.types().iter().map(|decl| &*decl.name).chain(world.program_names().map(|(name, _)| name));
        self.unknown(name, "type or object", text, known);
    }

    fn find_attribute(&mut self, name: &str, text: &str, kinds: &[ValueKind]) -> Option<AttributeId> {
        let world = self.world;
        let Some(found) = world.attribute_named(text) else {
            self.unknown(name, "attribute", text, world.attributes().iter().map(|decl| &*decl.name));
            return None;
        };
        let kind = world.attributes()[found.index()].kind;
        if !kinds.contains(&kind) {
            let expected: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
            let message =
                format!("`{name}`: attribute `{text}` is of kind {}, expected {}", kind.name(), expected.join(" or "));
            self.problem(name, message, None);
        }
        Some(found)
    }
}

/// Returns the object with this name in programs or, failing that, in recordings.
fn find_object(world: &World, text: &str) -> Option<ObjectId> {
    world.object_named(text).or_else(|| world.object_with_recorded_name(text))
}

/// Returns the error for an operation that does not exist.
pub(crate) fn unknown_operation(name: &str, known: &[super::OperationDoc]) -> SettingsError {
    let message = format!("unknown operation `{name}`");
    let help = did_you_mean(name, known.iter().map(|doc| doc.name));
    SettingsError { problems: vec![SettingProblem { setting: String::new(), message, help }] }
}
