//! Functions of texts whose results are computed for every text in advance.
//!
//! While a program runs, the fast engine has finitely many texts: those that are written in the program, the names of classes, and what the
//! functions of this module make of them. Each function is a table.

use std::sync::Arc;

use super::types::{Kinds, Type, TypeDetail, Types};
use crate::library::method;
use crate::machine::{PlainTextMethod, trimmed};
use crate::scene::World;

/// The maximum length in bytes of a text that a function makes.
const MAX_TEXT_BYTES: usize = 1000;

/// A function of a text, with its other arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum TextFunction {
    /// The number of characters.
    Length,
    /// The place in the order of all texts.
    Rank,
    /// A method without arguments, by its name.
    Method(&'static str),
    /// `strip`, `lstrip` and `rstrip`: whether it strips each end, and the characters that go; whitespace without any.
    Strip([bool; 2], Option<Arc<str>>),
    /// `startswith`, with the texts of which one has to be there.
    StartsWith(Vec<Arc<str>>),
    /// `endswith`
    EndsWith(Vec<Arc<str>>),
    /// `part in text`
    Contains(Arc<str>),
    /// `text in whole`
    IsPartOf(Arc<str>),
    /// `count`
    Count(Arc<str>),
    /// `find`, or `rfind` if the flag is set.
    Find(Arc<str>, bool),
    /// `removeprefix`
    RemovePrefix(Arc<str>),
    /// `removesuffix`
    RemoveSuffix(Arc<str>),
    /// `replace`
    Replace(Arc<str>, Arc<str>),
}

/// The result of a function of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextResult {
    Text(String),
    Int(i64),
    Bool(bool),
}

impl TextFunction {
    /// Returns the function that a method of a text is with arguments of these types; `None` if it is not supported.
    pub(crate) fn of_method(types: &Types, name: &str, arguments: &[Type]) -> Option<Self> {
        let text = |ty: Type| match types.constant(ty) {
            Some(TypeDetail::Text(place)) => Some(types.texts[*place as usize].clone()),
            _ => None,
        };
        let affixes = |ty: Type| match types.detail(ty) {
            Some(TypeDetail::Tuple(parts)) => parts.iter().map(|part| text(*part)).collect(),
            _ => Some(vec![text(ty)?]),
        };
        Some(match (name, arguments) {
            ("strip" | "lstrip" | "rstrip", [] | [_]) => {
                let characters = arguments.first().map(|ty| text(*ty));
                let characters = match characters {
                    Some(None) => return None,
                    Some(some) => some,
                    None => None,
                };
                Self::Strip([name != "rstrip", name != "lstrip"], characters)
            }
            ("startswith", &[affix]) => Self::StartsWith(affixes(affix)?),
            ("endswith", &[affix]) => Self::EndsWith(affixes(affix)?),
            ("count", &[part]) => Self::Count(text(part)?),
            ("find" | "rfind", &[part]) => Self::Find(text(part)?, name == "rfind"),
            ("removeprefix", &[affix]) => Self::RemovePrefix(text(affix)?),
            ("removesuffix", &[affix]) => Self::RemoveSuffix(text(affix)?),
            ("replace", &[old, new]) => Self::Replace(text(old)?, text(new)?),
            (_, []) => {
                let row = method("str", name)?;
                row.plain_text_method().map(|_| Self::Method(row.name))?
            }
            _ => return None,
        })
    }

    /// Returns the function that tells whether a text is part of another one, one of which is known; the flag says whether it is a function
    /// of the other one.
    pub(crate) fn of_membership(types: &Types, part: Type, whole: Type) -> Option<(Self, bool)> {
        match (types.constant(part), types.constant(whole)) {
            (Some(TypeDetail::Text(part)), _) => Some((Self::Contains(types.texts[*part as usize].clone()), true)),
            (_, Some(TypeDetail::Text(whole))) => Some((Self::IsPartOf(types.texts[*whole as usize].clone()), false)),
            _ => None,
        }
    }

    /// Returns the classes for whose names, after these conversions, a test holds, as a bit set.
    pub(crate) fn classes(&self, world: &World, conversions: &[Self]) -> u64 {
        let holds = |name: &str| {
            let text = converted(name, conversions);
            matches!(text.and_then(|text| self.of(&text)), Some(TextResult::Bool(true)))
        };
        let classes = world.screen_classes.iter().enumerate().take(64);
        classes.filter(|(_, class)| holds(&class.name)).fold(0, |bits, (place, _)| bits | 1 << place)
    }

    /// Whether a method of a text may be one of these functions, with some arguments.
    pub(crate) fn may_be_method(name: &str) -> bool {
        const WITH_ARGUMENTS: [&str; 11] = [
            "strip",
            "lstrip",
            "rstrip",
            "startswith",
            "endswith",
            "count",
            "find",
            "rfind",
            "removeprefix",
            "removesuffix",
            "replace",
        ];
        WITH_ARGUMENTS.contains(&name) || method("str", name).is_some_and(|row| row.plain_text_method().is_some())
    }

    /// Returns the result for a text; `None` for a text that would be too long, and for ranks.
    pub(crate) fn of(&self, text: &str) -> Option<TextResult> {
        let found = |place: Option<usize>| place.map_or(-1, |place| number(text[..place].chars().count()));
        Some(match self {
            Self::Rank => return None,
            Self::Length => TextResult::Int(number(text.chars().count())),
            Self::Method(name) => match method("str", name)?.plain_text_method()? {
                PlainTextMethod::Map(map) => bounded(map(text))?,
                PlainTextMethod::Predicate(holds) => TextResult::Bool(holds(text)),
            },
            Self::Strip(ends, characters) => bounded(trimmed(text, *ends, characters.as_deref()).to_owned())?,
            Self::StartsWith(affixes) => TextResult::Bool(affixes.iter().any(|affix| text.starts_with(&**affix))),
            Self::EndsWith(affixes) => TextResult::Bool(affixes.iter().any(|affix| text.ends_with(&**affix))),
            Self::Contains(part) => TextResult::Bool(text.contains(&**part)),
            Self::IsPartOf(whole) => TextResult::Bool(whole.contains(text)),
            Self::Count(part) => TextResult::Int(number(text.matches(&**part).count())),
            Self::Find(part, false) => TextResult::Int(found(text.find(&**part))),
            Self::Find(part, true) => TextResult::Int(found(text.rfind(&**part))),
            Self::RemovePrefix(affix) => bounded(text.strip_prefix(&**affix).unwrap_or(text).to_owned())?,
            Self::RemoveSuffix(affix) => bounded(text.strip_suffix(&**affix).unwrap_or(text).to_owned())?,
            Self::Replace(old, new) => {
                let places = text.matches(&**old).count();
                let length = text.len().saturating_add(places.saturating_mul(new.len()));
                if length > MAX_TEXT_BYTES {
                    return None;
                }
                bounded(text.replace(&**old, new))?
            }
        })
    }

    /// Returns the kind of the results.
    pub(crate) fn result_kinds(&self) -> Kinds {
        match self {
            Self::Length | Self::Rank | Self::Count(_) | Self::Find(..) => Kinds::INT,
            Self::StartsWith(_) | Self::EndsWith(_) | Self::Contains(_) | Self::IsPartOf(_) => Kinds::BOOL,
            Self::Strip(..) | Self::RemovePrefix(_) | Self::RemoveSuffix(_) | Self::Replace(..) => Kinds::TEXT,
            Self::Method(_) => match self.of("") {
                Some(TextResult::Bool(_)) => Kinds::BOOL,
                _ => Kinds::TEXT,
            },
        }
    }
}

impl Types {
    /// Returns the type of the result of a function of a text: a constant if the text is one.
    pub(crate) fn text_function(&mut self, function: &TextFunction, text: Type) -> Type {
        let known = match self.constant(text) {
            Some(TypeDetail::Text(place)) => function.of(&self.texts[*place as usize]),
            _ => None,
        };
        match known {
            Some(TextResult::Text(text)) => self.text(&text),
            Some(TextResult::Int(number)) => self.detailed(TypeDetail::Int(number)),
            Some(TextResult::Bool(truth)) => self.bool(Some(truth)),
            None => {
                let kinds = function.result_kinds();
                self.makes_texts |= kinds == Kinds::TEXT;
                Type::of(kinds)
            }
        }
    }
}

/// Returns what functions make of a text, one after the other; `None` if one of the texts is too long.
pub(crate) fn converted(text: &str, conversions: &[TextFunction]) -> Option<String> {
    conversions.iter().try_fold(text.to_owned(), |text, conversion| match conversion.of(&text)? {
        TextResult::Text(text) => Some(text),
        TextResult::Int(_) | TextResult::Bool(_) => None,
    })
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn bounded(text: String) -> Option<TextResult> {
    (text.len() <= MAX_TEXT_BYTES).then_some(TextResult::Text(text))
}
