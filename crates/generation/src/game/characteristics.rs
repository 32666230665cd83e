//! Characteristics of games: the integers that determine the cell of an archive.

use goalspec_generator::archive::Cell;
use goalspec_generator::grammar::Symbol;

use super::categories::Category;
use super::features::FeatureVector;
use super::features::names::Feature;
use super::features::view::{PreferenceView, View};
use super::rules::Rule;

/// The number of groups into which the predicates, objects and patterns of preferences are classed.
pub const GROUPS: usize = 10;

/// The groups that a preference uses, one bit each.
pub type GroupSet = u16;

/// The predicates of each of the first groups.
const PREDICATE_GROUPS: [&[&str]; 4] =
    [&["agent_holds", "in_motion"], &["in"], &["on"], &["adjacent", "near", "touch"]];

/// The categories of objects of the following groups.
const OBJECT_GROUPS: [&[Category]; 5] = [
    &[Category::Balls],
    &[Category::Receptacles],
    &[Category::Blocks, Category::Building],
    &[Category::Furniture, Category::RoomFeatures],
    &[Category::SmallObjects, Category::LargeObjects, Category::AnyObject],
];

/// The group of preferences about the final state.
const AT_END: usize = GROUPS - 1;

/// The groups of the nine published exemplars, by the positions of the groups. The exemplars are preferences of people, chosen by the
/// authors to be different from each other.
const DAVIDSON_EXEMPLARS: [&[usize]; 9] = [
    // throwAttempt
    &[0, 4],
    // throwInBin
    &[0, 1, 2, 4, 5, 7],
    // ballThrownToBed
    &[0, 2, 3, 4, 7],
    // itemInClosedDrawerAtEnd
    &[1, 5, 8, 9],
    // watchOnShelf
    &[2, 7, 8, 9],
    // gameBlockFound
    &[0, 1, 6],
    // matchingBuildingBuilt
    &[1, 2, 6, 9],
    // ballDroppedInBin
    &[0, 1, 3, 4, 5],
    // pillowMovedToRoomCenter
    &[0, 3, 7, 8],
];

fn group_set(groups: &[usize]) -> GroupSet {
    groups.iter().fold(0, |set, group| set | 1 << group)
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

/// The characteristics of an archive: checks, setup, number of preferences, and resemblance of the preferences to exemplars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Characteristics {
    /// The maximum number of preferences of a game in the archive.
    pub max_preferences: usize,
    /// The groups that each exemplar uses.
    pub exemplars: Vec<GroupSet>,
}

impl Characteristics {
    /// Returns the published characteristics of archives of games (Davidson et al. 2024).
    pub fn davidson() -> Self {
        Self { max_preferences: 4, exemplars: DAVIDSON_EXEMPLARS.map(group_set).to_vec() }
    }

    /// Returns the cell of a game; `None` for a game with too many preferences.
    pub(crate) fn cell(&self, view: &View<'_>, features: &FeatureVector) -> Option<Cell> {
        let mut names: Vec<Symbol> = view.preferences.iter().map(|preference| preference.name).collect();
        names.sort();
        names.dedup();
        if names.len() > self.max_preferences {
            return None;
        }
        let checks = i32::from(has_expected_features(features));
        let no_setup = features.get(Feature::NoSetup) as i32;
        let mut cell = vec![checks, no_setup, i32::try_from(names.len()).ok()?];
        cell.extend(self.matches(view));
        Some(cell)
    }

    /// Returns the number of preferences that resemble each exemplar: those that differ from it in at most one group. Each preference
    /// resembles one exemplar, the nearest and then the first.
    fn matches(&self, view: &View<'_>) -> Vec<i32> {
        let mut matches = vec![0; self.exemplars.len()];
        for preference in &view.preferences {
            let groups = groups(view, preference);
            let distances = self.exemplars.iter().map(|exemplar| (exemplar ^ groups).count_ones()).enumerate();
            let nearest = distances.min_by_key(|&(index, distance)| (distance, index));
            if let Some((index, _)) = nearest.filter(|&(_, distance)| distance <= 1) {
                matches[index] += 1;
            }
        }
        matches
    }
}

/// Returns the groups that a preference uses.
pub(crate) fn groups(view: &View<'_>, preference: &PreferenceView) -> GroupSet {
    let mut set = 0;
    let add_object = |set: &mut GroupSet, name: Symbol| {
        let Some(category) = view.games.category(name) else { return };
        for (index, group) in OBJECT_GROUPS.iter().enumerate() {
            if group.contains(&category) {
                *set |= 1 << (PREDICATE_GROUPS.len() + index);
            }
        }
    };
    for entry in view.within(preference.entry) {
        match view.rule(entry) {
            None if view.is_application(entry) => {
                let symbol = view.tree.symbol(entry);
                let name = view.games.vocabulary().signature(symbol).map_or("", |signature| &*signature.name);
                for (index, group) in PREDICATE_GROUPS.iter().enumerate() {
                    if group.contains(&name) {
                        set |= 1 << index;
                    }
                }
            }
            Some(Rule::AtEnd) => set |= 1 << AT_END,
            Some(Rule::VariableTypeDef) => view.types(entry).iter().for_each(|&name| add_object(&mut set, name)),
            Some(Rule::Term | Rule::TypeTerm) => match view.variable(entry) {
                // Its type counts even if an outer quantifier declares it.
                Some(variable) => variable.types.iter().for_each(|&name| add_object(&mut set, name)),
                None => add_object(&mut set, view.argument(entry)),
            },
            _ => {}
        }
    }
    set
}

/// Returns the groups that each preference of a game uses, with the name of the preference.
pub fn preference_groups(
    games: &super::GameGrammar,
    tokens: &goalspec_generator::grammar::Tokens,
    tree: &goalspec_generator::tree::Tree,
) -> Vec<(String, GroupSet)> {
    let view = View::new(games, tokens, tree);
    let all = view.preferences.iter();
    all.map(|preference| (view.text(preference.name).to_owned(), groups(&view, preference))).collect()
}
