//! Deserialization of the data files of the releases. Strings are borrowed from the JSON text if possible.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::Parameters;

/// A string of a file, borrowed unless it contains escapes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowing;
        impl<'de> Visitor<'de> for Borrowing {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Borrowing)
    }
}

/// The entries of a JSON object, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JsonEntries<'a, V>(pub(super) Vec<(Text<'a>, V)>);

impl<V> Default for JsonEntries<'_, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de: 'a, 'a, V: Deserialize<'de>> Deserialize<'de> for JsonEntries<'a, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Listing<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Listing<V> {
            type Value = JsonEntries<'de, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(JsonEntries(entries))
            }
        }
        deserializer.deserialize_map(Listing(PhantomData))
    }
}

/// The keys of a JSON object, whose values are ignored.
pub(super) type Keys<'a> = JsonEntries<'a, IgnoredAny>;

/// A node of `output_hierarchy_properties.json` or `hierarchy_*.json`: a synset with the tree of its descendants. A synset with
/// several parents occurs below each of them.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Node<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow, default)]
    pub(super) children: Vec<Node<'a>>,
    #[serde(borrow, default, alias = "igibson_categories")]
    pub(super) categories: Vec<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) substances: Vec<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) abilities: Option<JsonEntries<'a, Parameters>>,
}

/// The number of objects of each synset, in the order of the file.
pub(super) type SynsetCounts<'a> = JsonEntries<'a, u32>;

/// The states of a rule: the synsets of the arguments, separated by commas, with predicates and their values.
pub(super) type RuleStates<'a> = JsonEntries<'a, Vec<(Text<'a>, bool)>>;

/// A rule of `transition_map/tm_jsons`: inputs, requirements and outputs. 3.1.0 names the fields of synsets after objects.
#[derive(Debug, serde::Deserialize)]
pub(super) struct RuleEntry<'a> {
    #[serde(borrow)]
    pub(super) rule_name: Text<'a>,
    #[serde(borrow, default, alias = "input_objects")]
    pub(super) input_synsets: Option<SynsetCounts<'a>>,
    #[serde(borrow, default)]
    pub(super) input_states: Option<RuleStates<'a>>,
    #[serde(borrow, default)]
    pub(super) washed_item: Option<SynsetCounts<'a>>,
    #[serde(borrow, default)]
    pub(super) machine: Option<SynsetCounts<'a>>,
    #[serde(borrow, default)]
    pub(super) heat_source: Option<SynsetCounts<'a>>,
    #[serde(borrow, default)]
    pub(super) container: Option<SynsetCounts<'a>>,
    #[serde(borrow, default, alias = "output_objects")]
    pub(super) output_synsets: Option<SynsetCounts<'a>>,
    #[serde(borrow, default)]
    pub(super) output_states: Option<RuleStates<'a>>,
}

/// The contents of `washer.json`: the substances that washing machines remove, each with the substances of which one is needed
/// to remove it; `None` if they do not remove it.
pub(super) type WasherTable<'a> = JsonEntries<'a, Option<Vec<Text<'a>>>>;

/// The contents of `object_inventory.json`: every object model, as `CATEGORY-ID`.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Inventory<'a> {
    #[serde(borrow)]
    pub(super) providers: Keys<'a>,
    /// Present only since 3.6.0.
    #[serde(default)]
    pub(super) attachment_pairs: Option<IgnoredAny>,
}

/// The contents of `combined_room_object_list.json`: scenes, their rooms as `TYPE_NUMBER`, and the number of each object model
/// in a room.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Layouts<'a> {
    #[serde(borrow)]
    pub(super) scenes: JsonEntries<'a, JsonEntries<'a, JsonEntries<'a, u32>>>,
}
