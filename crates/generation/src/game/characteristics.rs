//! Characteristics of games: the integers that determine the cell of an archive.

use goalspec_generator::archive::Cell;
use goalspec_generator::grammar::Symbol;

use super::categories::Category;
use super::features::names::Feature;
use super::features::view::{PreferenceView, View};
use super::features::{FeatureVector, sizes};
use super::rules::Rule;
use super::vocabulary::Vocabulary;

/// Maximum number of groups into which characteristics class the parts of preferences.
pub const MAX_GROUPS: usize = 32;

/// The groups that a preference uses, one bit each.
pub type GroupSet = u32;

/// The published characteristics of archives of games (Davidson et al. 2024), as an archive specification.
pub const DAVIDSON: &str = include_str!("davidson.toml");

/// A group of predicates, objects and patterns. A preference uses it if it contains one of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// The name.
    pub name: String,
    /// The names of the predicates and functions.
    pub predicates: Vec<String>,
    /// The categories of the objects.
    pub categories: Vec<Category>,
    /// The types of the objects and the names of single objects. Subtypes belong to a type.
    pub objects: Vec<String>,
    /// Whether preferences about the final state belong to the group.
    pub at_end: bool,
}

/// A characteristic of games: a function to integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Characteristic {
    /// 1 if the features detect no mistake, else 0.
    NoMistakes,
    /// 1 without a setup, else 0.
    NoSetup,
    /// 1 without a terminal condition, else 0.
    NoTerminal,
    /// The number of preferences.
    Preferences,
    /// The number of preferences that resemble an exemplar: those that use the same groups except for at most one. Each preference resembles
    /// one exemplar of all characteristics of this kind, the nearest and then the first.
    Resembles {
        /// The name of the exemplar.
        exemplar: String,
        /// The groups that the exemplar uses.
        groups: GroupSet,
    },
    /// The number of preferences that use a group.
    Using {
        /// The position of the group.
        group: usize,
    },
    /// The number of the bin of the number of nodes.
    Nodes {
        /// The thresholds, in ascending order: the bin is the number of those that the number of nodes exceeds.
        bins: Vec<u32>,
    },
    /// The number of the bin of the maximum depth of a section.
    Depth {
        /// The thresholds, in ascending order.
        bins: Vec<u32>,
    },
}

/// The features that are 1 in a game without mistakes.
pub(crate) const EXPECTED: [Feature; 7] = [
    Feature::VariablesDefinedAll,
    Feature::VariablesDefinedProportion,
    Feature::VariablesUsedAll,
    Feature::VariablesUsedProportion,
    Feature::PreferencesUsedAll,
    Feature::PreferencesUsedProportion,
    Feature::StartsAndEndsOnce,
];

/// The features that are 0 in a game without mistakes.
pub(crate) const UNEXPECTED: [Feature; 26] = [
    Feature::AdjacentOnce,
    Feature::OnceInMiddle,
    Feature::NoHold,
    Feature::RepeatedArguments,
    Feature::RepeatedTypeInEither,
    Feature::NestedLogicals,
    Feature::IdenticalLogicalChildren,
    Feature::IdenticalScoringChildren,
    Feature::Tautology,
    Feature::RedundantCondition,
    Feature::RedundantScore,
    Feature::UnnecessaryCondition,
    Feature::UnnecessaryScore,
    Feature::NonPositiveScore,
    Feature::PreferencesUsedIdentically,
    Feature::IdenticalConsecutiveConditions,
    Feature::DisjointTerminalTypes,
    Feature::SamePredicatesOnly,
    Feature::DisjointSequence,
    Feature::NoVariables,
    Feature::ExternalCountIncorrect,
    Feature::ExternalForallIncorrect,
    Feature::ForallUsedIncorrect,
    Feature::ForallArityIncorrect,
    Feature::ForallTypesIncorrect,
    Feature::TwoNumberOperation,
];

/// Returns whether a game has none of the mistakes that features detect.
pub fn has_expected_features(features: &FeatureVector) -> bool {
    EXPECTED.iter().all(|&feature| features.get(feature) >= 1.0)
        && UNEXPECTED.iter().all(|&feature| features.get(feature) <= 0.0)
        && features.get(Feature::SingleArgument) <= 0.0
}

/// The characteristics of an archive, which determine the cell of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Characteristics {
    /// The maximum number of preferences of a game in the archive.
    pub max_preferences: usize,
    /// The groups that characteristics refer to, at most [`MAX_GROUPS`].
    pub groups: Vec<Group>,
    /// The characteristics, in the order of the values of a cell.
    pub list: Vec<Characteristic>,
}

impl Characteristics {
    /// Returns the position of the value that tells whether a game has no mistakes; `None` if the archive does not tell.
    pub fn no_mistakes(&self) -> Option<usize> {
        self.list.iter().position(|own| *own == Characteristic::NoMistakes)
    }

    /// Returns the names of the predicates and objects of groups that a vocabulary does not have, each with the name of its group.
    pub fn unknown_names(&self, vocabulary: &Vocabulary) -> Vec<(&str, &str)> {
        let is_predicate = |name: &str| vocabulary.signatures.iter().any(|own| *own.name == *name);
        let objects = || vocabulary.types.iter().chain(&vocabulary.objects);
        let is_object = |name: &str| objects().any(|own| **own == *name);
        let unknown = self.groups.iter().flat_map(|group| {
            let predicates = group.predicates.iter().filter(|name| !is_predicate(name));
            let objects = group.objects.iter().filter(|name| !is_object(name));
            predicates.chain(objects).map(|name| (&*group.name, &**name))
        });
        unknown.collect()
    }

    /// Returns the cell of a game; `None` for a game with too many preferences.
    pub(crate) fn cell(&self, view: &View<'_>, features: &FeatureVector) -> Option<Cell> {
        let mut names: Vec<Symbol> = view.preferences.iter().map(|preference| preference.name).collect();
        names.sort();
        names.dedup();
        if names.len() > self.max_preferences {
            return None;
        }
        let used: Vec<GroupSet> =
            view.preferences.iter().map(|preference| groups_of(&self.groups, view, preference)).collect();
        let mut cell = Cell::with_capacity(self.list.len());
        for own in &self.list {
            cell.push(match own {
                Characteristic::NoMistakes => i32::from(has_expected_features(features)),
                Characteristic::NoSetup => features.get(Feature::NoSetup) as i32,
                Characteristic::NoTerminal => features.get(Feature::NoTerminal) as i32,
                Characteristic::Preferences => i32::try_from(names.len()).ok()?,
                // Counted below, since each preference resembles one of them.
                Characteristic::Resembles { .. } => 0,
                Characteristic::Using { group } => used.iter().map(|set| i32::from(set >> group & 1 == 1)).sum(),
                Characteristic::Nodes { bins } => bin(bins, sections(view).map(|(_, nodes)| nodes).sum()),
                Characteristic::Depth { bins } => {
                    bin(bins, sections(view).map(|(depth, _)| depth).max().unwrap_or_default())
                }
            });
        }
        for groups in used {
            if let Some(index) = self.resembled(groups) {
                cell[index] += 1;
            }
        }
        Some(cell)
    }

    /// Returns the position of the exemplar that a preference with some groups resembles.
    fn resembled(&self, groups: GroupSet) -> Option<usize> {
        let exemplars = self.list.iter().enumerate().filter_map(|(index, own)| match own {
            Characteristic::Resembles { groups: of_exemplar, .. } => Some((index, (of_exemplar ^ groups).count_ones())),
            _ => None,
        });
        let (index, _) =
            exemplars.filter(|&(_, distance)| distance <= 1).min_by_key(|&(index, distance)| (distance, index))?;
        Some(index)
    }
}

/// Returns the maximum depth and the number of nodes of each section.
fn sections<'a>(view: &'a View<'_>) -> impl Iterator<Item = (u32, u32)> + 'a {
    view.sections.iter().flatten().map(|&root| sizes(view, root))
}

/// Returns the number of thresholds that a value exceeds.
fn bin(thresholds: &[u32], value: u32) -> i32 {
    thresholds.iter().map(|&threshold| i32::from(threshold < value)).sum()
}

/// Returns the groups that a preference uses.
pub(crate) fn groups_of(groups: &[Group], view: &View<'_>, preference: &PreferenceView) -> GroupSet {
    let mut set = 0;
    let mut add = |belongs: &dyn Fn(&Group) -> bool| {
        for (index, group) in groups.iter().enumerate() {
            if belongs(group) {
                set |= 1 << index;
            }
        }
    };
    for entry in view.within(preference.entry) {
        match view.rule(entry) {
            None if view.is_application(entry) => {
                let signature = view.games.vocabulary().signature(view.tree.symbol(entry));
                let name = signature.map_or("", |signature| &*signature.name);
                add(&|group| group.predicates.iter().any(|own| own == name));
            }
            Some(Rule::AtEnd) => add(&|group| group.at_end),
            Some(Rule::VariableTypeDef) => {
                view.types(entry).iter().for_each(|&name| add(&|group| has_object(group, view, name)));
            }
            Some(Rule::Term | Rule::TypeTerm) => match view.variable(entry) {
                // Its type counts even if an outer quantifier declares it.
                Some(variable) => {
                    variable.types.iter().for_each(|&name| add(&|group| has_object(group, view, name)));
                }
                None => add(&|group| has_object(group, view, view.argument(entry))),
            },
            _ => {}
        }
    }
    set
}

/// Returns whether a type or a named object belongs to a group.
fn has_object(group: &Group, view: &View<'_>, name: Symbol) -> bool {
    view.games.category(name).is_some_and(|category| group.categories.contains(&category))
        || !group.objects.is_empty()
            && std::iter::once(name)
                .chain(view.games.ancestors(name).iter().copied())
                .any(|name| group.objects.iter().any(|own| own == view.text(name)))
}

/// Returns the groups that each preference of a game uses, with the name of the preference.
pub fn preference_groups(
    groups: &[Group],
    games: &super::GameGrammar,
    tokens: &goalspec_generator::grammar::Tokens,
    tree: &goalspec_generator::tree::Tree,
) -> Vec<(String, GroupSet)> {
    let view = View::new(games, tokens, tree);
    let all = view.preferences.iter();
    all.map(|preference| (view.text(preference.name).to_owned(), groups_of(groups, &view, preference))).collect()
}
