//! Relations between objects: the sentences of both languages.

use goalspec_syntax::Span;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::names::pddl_name;

/// A relation that holds in an arrangement or that a goal requires.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// The object rests on the table.
    OnTable(String),
    /// The first object is directly on the second.
    On(String, String),
    /// Nothing is on the object.
    Clear(String),
}

impl Relation {
    /// Iterates over the names of the related objects, the upper one first.
    pub fn objects(&self) -> impl Iterator<Item = &str> {
        let (first, second) = match self {
            Self::OnTable(object) | Self::Clear(object) => (object, None),
            Self::On(object, support) => (object, Some(support)),
        };
        std::iter::once(first).chain(second).map(String::as_str)
    }

    /// Returns the relation between renamed objects.
    #[must_use]
    pub fn map(&self, mut rename: impl FnMut(&str) -> String) -> Self {
        match self {
            Self::OnTable(object) => Self::OnTable(rename(object)),
            Self::On(object, support) => Self::On(rename(object), rename(support)),
            Self::Clear(object) => Self::Clear(rename(object)),
        }
    }

    /// Returns the relation with its names in PDDL. Relations that mean the same are then equal.
    #[must_use]
    pub fn in_pddl(&self) -> Self {
        self.map(pddl_name)
    }
}

/// The form in problem files: `["bot", x, null]`, `["mid", x, y]` for x on y, `["top", null, x]`.
impl Serialize for Relation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::OnTable(object) => ("bot", Some(object), None::<&str>).serialize(serializer),
            Self::On(object, support) => ("mid", Some(object), Some(support)).serialize(serializer),
            Self::Clear(object) => ("top", None::<&str>, Some(object)).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Relation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (kind, top, bottom) = <(String, Option<String>, Option<String>)>::deserialize(deserializer)?;
        match (&*kind, top, bottom) {
            ("bot", Some(object), None) => Ok(Self::OnTable(object)),
            ("mid", Some(object), Some(support)) => Ok(Self::On(object, support)),
            ("top", None, Some(object)) => Ok(Self::Clear(object)),
            _ => {
                let forms = "[\"bot\", x, null], [\"mid\", x, y] or [\"top\", null, x]";
                Err(de::Error::custom(format!("a relation of kind `{kind}` is none of {forms}")))
            }
        }
    }
}

/// A relation that a text states, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The relation.
    pub relation: Relation,
    /// The place of the sentence or fact.
    pub span: Span,
}
