//! Archive specifications: the characteristics of an archive as TOML.
//!
//! `max-preferences` is the maximum number of preferences of a game in the archive. Each table of `groups` names predicates, categories or
//! objects. Each table of the list `characteristics` has a `kind` and what the kind refers to.

use std::collections::BTreeMap;
use std::fmt;

use goalspec_syntax::suggest::nearest;
use serde::Deserialize;

use super::bind::MAX_BOUND_NAMES;
use super::categories::Category;
use super::characteristics::{Characteristic, Characteristics, DAVIDSON, Group, MAX_GROUPS};

/// Maximum number of bytes of an archive specification.
pub const MAX_SPEC_BYTES: usize = 1 << 20;

/// Maximum number of characteristics of an archive.
pub const MAX_CHARACTERISTICS: usize = 64;

/// Maximum number of thresholds of a characteristic.
pub const MAX_BINS: usize = 256;

/// The reason why a text is not an archive specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpecError {
    /// The text is too long.
    TooLong {
        /// The number of bytes.
        bytes: usize,
    },
    /// The text is not TOML, or has a key or a value that specifications do not have.
    Toml(String),
    /// There are no characteristics, or too many.
    CharacteristicCount(usize),
    /// There are too many groups.
    GroupCount(usize),
    /// The maximum number of preferences is 0 or too large.
    MaxPreferences(usize),
    /// A group is invalid.
    Group {
        /// Its name.
        name: String,
        /// The reason, as a phrase.
        reason: String,
    },
    /// A characteristic is invalid.
    Characteristic {
        /// Its number, from 1.
        number: usize,
        /// The reason, as a phrase.
        reason: String,
    },
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes } => {
                write!(f, "the text has {bytes} bytes, which exceeds the limit of {MAX_SPEC_BYTES}")
            }
            Self::Toml(message) => f.write_str(message.trim_end()),
            Self::CharacteristicCount(0) => f.write_str("there are no `characteristics`, so the archive has one cell"),
            Self::CharacteristicCount(count) => {
                write!(f, "there are {count} characteristics, which exceeds the limit of {MAX_CHARACTERISTICS}")
            }
            Self::GroupCount(count) => {
                write!(f, "there are {count} groups, which exceeds the limit of {MAX_GROUPS}")
            }
            Self::MaxPreferences(count) => {
                write!(f, "`max-preferences` is {count}; expected a number from 1 to {MAX_BOUND_NAMES}")
            }
            Self::Group { name, reason } => write!(f, "group `{name}`: {reason}"),
            Self::Characteristic { number, reason } => write!(f, "characteristic {number}: {reason}"),
        }
    }
}

impl std::error::Error for SpecError {}

/// An archive specification as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SpecText {
    max_preferences: usize,
    #[serde(default)]
    groups: BTreeMap<String, GroupText>,
    #[serde(default)]
    characteristics: Vec<CharacteristicText>,
}

/// A group as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GroupText {
    #[serde(default)]
    predicates: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    objects: Vec<String>,
    #[serde(default)]
    at_end: bool,
}

/// A characteristic as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CharacteristicText {
    kind: Kind,
    exemplar: Option<String>,
    groups: Option<Vec<String>>,
    group: Option<String>,
    bins: Option<Vec<u32>>,
}

/// The kind of a characteristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    NoMistakes,
    NoSetup,
    NoTerminal,
    Preferences,
    Resembles,
    Using,
    Nodes,
    Depth,
}

impl Kind {
    /// Returns the members that characteristics of this kind have besides the kind.
    const fn members(self) -> &'static [&'static str] {
        match self {
            Self::NoMistakes | Self::NoSetup | Self::NoTerminal | Self::Preferences => &[],
            Self::Resembles => &["exemplar", "groups"],
            Self::Using => &["group"],
            Self::Nodes | Self::Depth => &["bins"],
        }
    }
}

impl Characteristics {
    /// Returns the published characteristics of archives of games (Davidson et al. 2024).
    ///
    /// # Panics
    /// Never: the built-in specification is read by a test.
    pub fn davidson() -> Self {
        Self::from_toml(DAVIDSON).expect("the built-in specification is well formed")
    }

    /// Reads an archive specification.
    ///
    /// # Errors
    /// Returns the first part that is invalid.
    pub fn from_toml(text: &str) -> Result<Self, SpecError> {
        if text.len() > MAX_SPEC_BYTES {
            return Err(SpecError::TooLong { bytes: text.len() });
        }
        let spec: SpecText = toml::from_str(text).map_err(|error| SpecError::Toml(error.to_string()))?;
        if !(1..=MAX_BOUND_NAMES).contains(&spec.max_preferences) {
            return Err(SpecError::MaxPreferences(spec.max_preferences));
        }
        if spec.groups.len() > MAX_GROUPS {
            return Err(SpecError::GroupCount(spec.groups.len()));
        }
        if !(1..=MAX_CHARACTERISTICS).contains(&spec.characteristics.len()) {
            return Err(SpecError::CharacteristicCount(spec.characteristics.len()));
        }
        let groups = spec.groups.into_iter().map(|(name, text)| group(name, text)).collect::<Result<Vec<_>, _>>()?;
        let list = spec.characteristics.into_iter().zip(1..).map(|(text, number)| {
            characteristic(text, &groups).map_err(|reason| SpecError::Characteristic { number, reason })
        });
        let list: Vec<Characteristic> = list.collect::<Result<_, _>>()?;
        for (index, own) in list.iter().enumerate() {
            if let Some(first) = list[..index].iter().position(|other| other == own) {
                let reason = format!("it is the same as characteristic {}", first + 1);
                return Err(SpecError::Characteristic { number: index + 1, reason });
            }
        }
        Ok(Self { max_preferences: spec.max_preferences, groups, list })
    }
}

fn group(name: String, text: GroupText) -> Result<Group, SpecError> {
    let GroupText { predicates, categories, objects, at_end } = text;
    if predicates.is_empty() && categories.is_empty() && objects.is_empty() && !at_end {
        let reason = "expected `predicates`, `categories`, `objects` or `at-end`".to_owned();
        return Err(SpecError::Group { name, reason });
    }
    let mut known = Vec::with_capacity(categories.len());
    for category in categories {
        let Some(category) = Category::named(&category) else {
            let reason = unknown("category", &category, Category::ALL.iter().map(|own| own.name()));
            return Err(SpecError::Group { name, reason });
        };
        known.push(category);
    }
    Ok(Group { name, predicates, categories: known, objects, at_end })
}

fn characteristic(text: CharacteristicText, groups: &[Group]) -> Result<Characteristic, String> {
    let CharacteristicText { kind, exemplar, groups: names, group, bins } = text;
    let given = [
        ("exemplar", exemplar.is_some()),
        ("groups", names.is_some()),
        ("group", group.is_some()),
        ("bins", bins.is_some()),
    ];
    for (member, is_given) in given {
        match (is_given, kind.members().contains(&member)) {
            (true, false) => return Err(format!("unexpected `{member}`")),
            (false, true) => return Err(format!("`{member}` is missing")),
            _ => {}
        }
    }
    let position = |name: &str| {
        let found = groups.iter().position(|group| group.name == name);
        found.ok_or_else(|| unknown("group", name, groups.iter().map(|group| &*group.name)))
    };
    Ok(match kind {
        Kind::NoMistakes => Characteristic::NoMistakes,
        Kind::NoSetup => Characteristic::NoSetup,
        Kind::NoTerminal => Characteristic::NoTerminal,
        Kind::Preferences => Characteristic::Preferences,
        Kind::Resembles => {
            let positions =
                names.unwrap_or_default().iter().map(|name| position(name)).collect::<Result<Vec<_>, _>>()?;
            let groups = positions.into_iter().fold(0, |set, index| set | 1 << index);
            Characteristic::Resembles { exemplar: exemplar.unwrap_or_default(), groups }
        }
        Kind::Using => Characteristic::Using { group: position(&group.unwrap_or_default())? },
        Kind::Nodes => Characteristic::Nodes { bins: thresholds(bins.unwrap_or_default())? },
        Kind::Depth => Characteristic::Depth { bins: thresholds(bins.unwrap_or_default())? },
    })
}

/// Returns thresholds that are in ascending order.
fn thresholds(bins: Vec<u32>) -> Result<Vec<u32>, String> {
    if bins.is_empty() {
        return Err("`bins` is empty, so all games are in one bin".to_owned());
    }
    if bins.len() > MAX_BINS {
        return Err(format!("`bins` has {} thresholds, which exceeds the limit of {MAX_BINS}", bins.len()));
    }
    match bins.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => Err(format!("`bins`: {} does not exceed {}", pair[1], pair[0])),
        None => Ok(bins),
    }
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    if let Some(similar) = nearest(name, known.clone()) {
        return format!("unknown {what} `{name}`; the most similar one is `{similar}`");
    }
    let known: Vec<&str> = known.collect();
    if known.is_empty() {
        format!("unknown {what} `{name}`: there are none")
    } else {
        format!("unknown {what} `{name}`; expected one of {}", known.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::Characteristics;
    use crate::game::characteristics::Characteristic;

    #[test]
    fn the_built_in_specification_has_the_published_characteristics() {
        let published = Characteristics::davidson();
        assert_eq!((published.max_preferences, published.groups.len(), published.list.len()), (4, 10, 12));
        assert_eq!(published.no_mistakes(), Some(0));
        let is_exemplar = |own: &&Characteristic| matches!(own, Characteristic::Resembles { .. });
        assert_eq!(published.list.iter().filter(is_exemplar).count(), 9);
    }

    #[test]
    fn an_invalid_specification_is_refused_with_the_reason() {
        let groups = "max-preferences = 3\n[groups.balls]\ncategories = [\"balls\"]\n";
        let error = |text: &str| Characteristics::from_toml(text).expect_err(text).to_string();
        let with = |rest: &str| error(&format!("{groups}[[characteristics]]\n{rest}"));
        for (found, expected) in [
            (error("max-preferences = 3"), "there are no `characteristics`, so the archive has one cell"),
            (
                error("max-preferences = 0\n[[characteristics]]\nkind = \"preferences\""),
                "expected a number from 1 to 64",
            ),
            (error("max-preferences = -1"), "invalid value"),
            (error("preferences = 3"), "unknown field `preferences`"),
            (error("max-preferences = 3\n[groups.none]"), "there are no `characteristics`"),
            (error("max-preferences ="), "TOML parse error at line 1"),
            (error(&"#".repeat(super::MAX_SPEC_BYTES + 1)), "exceeds the limit of 1048576"),
            (with("kind = \"size\""), "unknown variant `size`, expected one of `no-mistakes`"),
            (with("kind = \"preferences\"\nbins = [1]"), "characteristic 1: unexpected `bins`"),
            (with("kind = \"nodes\""), "characteristic 1: `bins` is missing"),
            (with("kind = \"nodes\"\nbins = []"), "all games are in one bin"),
            (with("kind = \"depth\"\nbins = [5, 5]"), "characteristic 1: `bins`: 5 does not exceed 5"),
            (with("kind = \"using\"\ngroup = \"ball\""), "unknown group `ball`; the most similar one is `balls`"),
            (
                with("kind = \"preferences\"\n[[characteristics]]\nkind = \"preferences\""),
                "characteristic 2: it is the same as characteristic 1",
            ),
            (
                error("max-preferences = 3\n[groups.none]\n[[characteristics]]\nkind = \"preferences\""),
                "group `none`: expected `predicates`, `categories`, `objects` or `at-end`",
            ),
            (
                error(&groups.replace("[\"balls\"]", "[\"bals\"]\n[[characteristics]]\nkind = \"preferences\"")),
                "group `balls`: unknown category `bals`; the most similar one is `balls`",
            ),
        ] {
            assert!(found.contains(expected), "{found}");
        }
    }
}
