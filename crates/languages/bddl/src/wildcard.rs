//! Expansion of wildcards: `table.n.02_*` in `:objects` stands for all other tables in the rooms of one type.
//!
//! Release 3.6.0 has activities with wildcards and treats these as ordinary instances. Later releases expand them before any
//! other processing, as [`expand`] does.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use goalspec_syntax::{Diagnostic, Severity, Span, suggest};
use rustc_hash::FxHashSet;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use crate::ast::{Literal, Name, Problem};
use crate::codes;
use crate::knowledge::Knowledge;
use crate::knowledge::taxonomy::Taxonomy;
use crate::resolve::{INROOM, WILDCARD};

/// The number of objects of each category in the rooms of a scene, by room type, summed over all rooms of a type.
pub type SceneLayout = BTreeMap<String, BTreeMap<String, u32>>;

/// Parses a layout from JSON: `{"kitchen": {"fridge": 3, "sink": 1}}`.
///
/// # Errors
/// If the text is not JSON of this form, or contains a duplicate key.
pub fn parse_layout(json: &str) -> Result<SceneLayout, serde_json::Error> {
    let Distinct(rooms) = serde_json::from_str::<Distinct<Distinct<u32>>>(json)?;
    Ok(rooms.into_iter().map(|(room, Distinct(objects))| (room, objects)).collect())
}

/// A JSON object without duplicate keys.
struct Distinct<V>(BTreeMap<String, V>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Distinct<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DistinctKeys(PhantomData))
    }
}

struct DistinctKeys<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for DistinctKeys<V> {
    type Value = Distinct<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut known = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            if known.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate key `{key}`")));
            }
            known.insert(key, entries.next_value()?);
        }
        Ok(Distinct(known))
    }
}

/// The maximum number of unknown names in a layout for which a similar name is suggested.
const MAX_SUGGESTIONS: usize = 64;

/// Returns the names of rooms and categories in a layout that a release does not know, each with a warning without a source
/// location that suggests the nearest known name. Wildcards never expand to objects of such a category.
pub fn unknown_names(layout: &SceneLayout, knowledge: &Knowledge) -> Vec<(String, Diagnostic)> {
    let taxonomy = knowledge.taxonomy();
    let rooms: FxHashSet<&str> = knowledge.room_types().collect();
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut report = |kind: &str, name: &str, candidates: &dyn Fn() -> Vec<String>| {
        let message = format!("unknown {kind} `{name}` in the scene: not in release {}", knowledge.edition().version());
        let diagnostic = Diagnostic::new(codes::UNKNOWN_IN_SCENE, Severity::Warning, message);
        let suggestion = (found.len() < MAX_SUGGESTIONS).then(|| {
            let candidates = candidates();
            suggest::did_you_mean(name, candidates.iter().map(String::as_str))
        });
        found.push((name.to_owned(), suggestion.flatten().into_iter().fold(diagnostic, Diagnostic::with_help)));
    };
    for (room, objects) in layout {
        if !rooms.is_empty() && !rooms.contains(&**room) {
            report("type of room", room, &|| knowledge.room_types().map(str::to_owned).collect());
        }
        for category in objects.keys().filter(|category| !taxonomy.has_category(category)) {
            if seen.insert(category) {
                report("category", category, &|| taxonomy.category_names().map(str::to_owned).collect());
            }
        }
    }
    found
}

/// The maximum number of instances that one wildcard may expand to.
pub const MAX_INSTANCES: u32 = 10_000;

/// A classification of scene objects: the relation between their categories and synsets.
pub trait CategoryHierarchy {
    /// Whether objects of a scene can have this synset, that is, whether it has the ability `sceneObject`.
    fn is_scene_object(&self, synset: &str) -> bool;

    /// Whether a category belongs to this synset or to one below it.
    fn is_under(&self, category: &str, synset: &str) -> bool;
}

impl CategoryHierarchy for Taxonomy {
    fn is_scene_object(&self, synset: &str) -> bool {
        self.synset(synset)
            .zip(self.ability("sceneObject"))
            .is_some_and(|(synset, able)| self.has_ability(synset, able))
    }

    fn is_under(&self, category: &str, synset: &str) -> bool {
        let under = |above| {
            self.synsets_of_category(category).iter().any(|&known| known == above || self.is_descendant(known, above))
        };
        self.synset(synset).is_some_and(under)
    }
}

/// An error that prevents the expansion of a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WildcardError {
    /// The wildcard as written, such as `table.n.02_*`.
    pub wildcard: Arc<str>,
    /// The source location of the wildcard.
    pub span: Option<Span>,
    /// The reason for the error.
    pub kind: WildcardErrorKind,
}

/// The reason for a [`WildcardError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WildcardErrorKind {
    /// The wildcard has no category, or one that does not match its name.
    Category,
    /// No `inroom` literal assigns the wildcard to a room.
    NoRoom,
    /// Several `inroom` literals assign the wildcard to a room.
    SeveralRooms,
    /// The synset of the wildcard is not one of scene objects.
    NotSceneObject,
    /// The scene has no room of this type.
    UnknownRoom(Arc<str>),
    /// The rooms of this type contain no object of the synset.
    NoMatch(Arc<str>),
    /// The rooms contain fewer objects of the synset than the problem declares by name.
    TooFew {
        /// The number of instances declared by name.
        declared: u32,
        /// The number of objects in the rooms.
        found: u32,
    },
    /// The rooms contain more than [`MAX_INSTANCES`] objects of the synset; the value is their number.
    TooMany(u64),
}

impl From<WildcardError> for Diagnostic {
    fn from(error: WildcardError) -> Self {
        Self { span: error.span, ..Self::new(codes::WILDCARD_SCENE, Severity::Error, error.to_string()) }
    }
}

impl fmt::Display for WildcardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wildcard = &self.wildcard;
        match &self.kind {
            WildcardErrorKind::Category => write!(f, "`{wildcard}` is not named after its category"),
            WildcardErrorKind::NoRoom => {
                write!(f, "missing `({INROOM} {wildcard} ROOM)`, which determines the rooms of the wildcard")
            }
            WildcardErrorKind::SeveralRooms => write!(f, "`{wildcard}` has more than one `{INROOM}` literal"),
            WildcardErrorKind::NotSceneObject => write!(f, "the synset of `{wildcard}` is not one of scene objects"),
            WildcardErrorKind::UnknownRoom(room) => write!(f, "no room `{room}` in the scene for `{wildcard}`"),
            WildcardErrorKind::NoMatch(room) => {
                write!(f, "no object in a room `{room}` of the scene matches `{wildcard}`")
            }
            WildcardErrorKind::TooFew { declared, found } => {
                write!(
                    f,
                    "the problem declares {declared} instances beside `{wildcard}`, but the scene has only {found} objects"
                )
            }
            WildcardErrorKind::TooMany(found) => {
                write!(f, "`{wildcard}` matches {found} objects, which exceeds the limit of {MAX_INSTANCES}")
            }
        }
    }
}

impl std::error::Error for WildcardError {}

/// Whether a problem has a wildcard.
pub fn has_wildcards(problem: &Problem) -> bool {
    problem.instances().any(|(instance, _)| instance.text.ends_with(WILDCARD))
}

/// Expands every wildcard of a problem to the objects of a scene. If the group of the wildcard has `k` named instances and the
/// rooms contain `n` objects of its synset, instances `k + 1` to `n` replace the wildcard, each with its own `inroom` literal.
///
/// # Errors
/// The first wildcard that cannot be expanded, including one without matching objects.
pub fn expand(
    problem: &Problem,
    layout: &SceneLayout,
    categories: &dyn CategoryHierarchy,
) -> Result<Problem, WildcardError> {
    let mut expanded = problem.clone();
    for group in &mut expanded.objects {
        let Some(position) = group.instances.iter().position(|instance| instance.text.ends_with(WILDCARD)) else {
            continue;
        };
        let wildcard = group.instances[position].clone();
        let fail =
            |reason| WildcardError { wildcard: wildcard.text.clone(), span: Some(wildcard.origin.0), kind: reason };
        let synset = wildcard.text.strip_suffix(WILDCARD).unwrap_or_default();
        if group.category.as_ref().is_none_or(|category| &*category.text != synset) {
            return Err(fail(WildcardErrorKind::Category));
        }
        let room = room(problem, &wildcard.text).map_err(fail)?;
        let found = count(layout, &room, synset, categories).map_err(fail)?;
        group.instances.retain(|instance| instance.text != wildcard.text);
        let declared = group.instances.len() as u32;
        if found < declared {
            return Err(fail(WildcardErrorKind::TooFew { declared, found }));
        }
        let new = (declared + 1..=found)
            .map(|number| Name { text: format!("{synset}_{number}").into(), origin: wildcard.origin });
        let new: Vec<Name> = new.collect();
        replace(&mut expanded.init, &wildcard.text, &new);
        group.instances.splice(position..position, new);
    }
    Ok(expanded)
}

/// Returns the room in the `inroom` literal of a wildcard.
fn room(problem: &Problem, wildcard: &str) -> Result<Arc<str>, WildcardErrorKind> {
    let mut rooms = problem.init.iter().filter_map(|literal| room_of(literal, wildcard));
    match (rooms.next(), rooms.next()) {
        (Some(room), None) => Ok(room.text.clone()),
        (None, _) => Err(WildcardErrorKind::NoRoom),
        (Some(_), Some(_)) => Err(WildcardErrorKind::SeveralRooms),
    }
}

/// Returns the room if the literal assigns the object to one.
fn room_of<'a>(literal: &'a Literal, object: &str) -> Option<&'a Name> {
    match &literal.atom.arguments[..] {
        [subject, room] if literal.positive && &*literal.atom.predicate.text == INROOM && &*subject.text == object => {
            Some(room)
        }
        _ => None,
    }
}

fn count(
    layout: &SceneLayout,
    room: &Arc<str>,
    synset: &str,
    categories: &dyn CategoryHierarchy,
) -> Result<u32, WildcardErrorKind> {
    if !categories.is_scene_object(synset) {
        return Err(WildcardErrorKind::NotSceneObject);
    }
    let objects = layout.get(&**room).ok_or_else(|| WildcardErrorKind::UnknownRoom(room.clone()))?;
    let matching = objects.iter().filter(|(category, _)| categories.is_under(category, synset));
    match matching.map(|(_, &count)| u64::from(count)).sum() {
        0 => Err(WildcardErrorKind::NoMatch(room.clone())),
        found if found > u64::from(MAX_INSTANCES) => Err(WildcardErrorKind::TooMany(found)),
        found => Ok(found as u32),
    }
}

/// Replaces the `inroom` literal of a wildcard by one for each new instance.
fn replace(init: &mut Vec<Literal>, wildcard: &str, new: &[Name]) {
    let Some(position) = init.iter().position(|literal| room_of(literal, wildcard).is_some()) else { return };
    let literal = init.remove(position);
    let literals = new.iter().map(|name| {
        let mut literal = literal.clone();
        literal.atom.arguments[0] = name.clone();
        literal
    });
    init.splice(position..position, literals);
}

#[cfg(test)]
mod tests {
    use goalspec_syntax::Sources;

    use super::*;
    use crate::{Dialect, parse};

    struct Fridges;

    impl CategoryHierarchy for Fridges {
        fn is_scene_object(&self, synset: &str) -> bool {
            synset == "electric_refrigerator.n.01"
        }

        fn is_under(&self, category: &str, synset: &str) -> bool {
            synset == "electric_refrigerator.n.01" && category.ends_with("fridge")
        }
    }

    fn expanded(objects: &str, rooms: &str) -> Result<(Vec<String>, usize), String> {
        let mut sources = Sources::new();
        let text = format!("(define (problem p) (:objects {objects}) (:init {rooms}) (:goal (open x)))");
        let id = sources.add("test", text.as_str());
        let problem = parse::parse(sources.file(id), Dialect::STRICT).problems.remove(0);
        let objects = |objects: &[(&str, u32)]| objects.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        let layout = SceneLayout::from([
            ("kitchen".to_owned(), objects(&[("fridge", 3), ("display_fridge", 1), ("sink", 2)])),
            ("attic".to_owned(), objects(&[("sink", 2)])),
        ]);
        let expanded = expand(&problem, &layout, &Fridges).map_err(|error| error.to_string())?;
        assert!(!has_wildcards(&expanded));
        let names = expanded.instances().map(|(name, _)| name.text.rsplit('_').next().unwrap_or_default().to_owned());
        Ok((names.collect(), expanded.init.len()))
    }

    #[test]
    fn wildcards_become_the_other_objects_of_the_rooms() {
        let fridge = "electric_refrigerator.n.01";
        let numbers = |numbers: &[&str]| numbers.iter().map(|&number| number.to_owned()).collect::<Vec<_>>();
        let wildcard = format!("{fridge}_* - {fridge}");
        let kitchen = format!("(inroom {fridge}_* kitchen)");
        assert_eq!(expanded(&wildcard, &kitchen), Ok((numbers(&["1", "2", "3", "4"]), 4)));
        let one = format!("{fridge}_1 {wildcard}");
        let both = format!("(inroom {fridge}_1 kitchen) {kitchen}");
        assert_eq!(expanded(&one, &both), Ok((numbers(&["1", "2", "3", "4"]), 4)));
        let all = format!("{fridge}_1 {fridge}_2 {fridge}_3 {fridge}_4 {wildcard}");
        assert_eq!(expanded(&all, &kitchen), Ok((numbers(&["1", "2", "3", "4"]), 0)));
    }

    #[test]
    fn wildcards_that_cannot_be_expanded_have_a_reason() {
        let fridge = "electric_refrigerator.n.01";
        let wildcard = format!("{fridge}_* - {fridge}");
        let named: String = (1..=5).map(|number| format!("{fridge}_{number} ")).collect();
        let cases = [
            (wildcard.clone(), String::new(), "determines the rooms of the wildcard"),
            (
                wildcard.clone(),
                format!("(inroom {fridge}_* kitchen) (inroom {fridge}_* attic)"),
                "more than one `inroom` literal",
            ),
            (wildcard.clone(), format!("(inroom {fridge}_* cellar)"), "no room `cellar` in the scene"),
            (wildcard.clone(), format!("(inroom {fridge}_* attic)"), "no object in a room `attic`"),
            (format!("{named}{wildcard}"), format!("(inroom {fridge}_* kitchen)"), "but the scene has only 4"),
            (format!("{fridge}_*"), String::new(), "is not named after its category"),
            (
                "sink.n.01_* - sink.n.01".to_owned(),
                "(inroom sink.n.01_* attic)".to_owned(),
                "is not one of scene objects",
            ),
        ];
        for (objects, rooms, expected) in cases {
            let error = expanded(&objects, &rooms).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
    }
}
