//! Features of preferences, their counts and the score.

use goalspec_generator::grammar::Symbol;
use smallvec::SmallVec;

use super::FeatureVector;
use super::expressions::{number, unwrapped};
use super::names::Feature;
use super::view::{PreferenceView, View};
use crate::game::rules::Rule;

/// A set of few names.
type Names = SmallVec<[Symbol; 16]>;

fn distinct(names: impl IntoIterator<Item = Symbol>) -> Names {
    let mut names: Names = names.into_iter().collect();
    names.sort();
    names.dedup();
    names
}

fn shares(one: &[Symbol], other: &[Symbol]) -> bool {
    one.iter().any(|name| other.binary_search(name).is_ok())
}

/// A count of a preference.
struct CountView {
    rule: Rule,
    name: Symbol,
    /// The types after the name.
    types: Names,
    section: usize,
    /// Whether it is inside an external maximum or minimum.
    is_external: bool,
}

fn counts(view: &View<'_>) -> Vec<CountView> {
    let mut counts = Vec::new();
    for section in [2, 3] {
        let Some(root) = view.sections[section] else { continue };
        let mut external_end = 0;
        for entry in view.within(root) {
            match view.rule(entry) {
                Some(Rule::ExternalMaximize | Rule::ExternalMinimize) => {
                    external_end = external_end.max(view.tree.end(entry));
                }
                Some(Rule::PreferenceEval) => {
                    let Some(method) = view.inner(entry) else { continue };
                    let (Some(rule), Some(reference)) = (view.rule(method), view.inner(method)) else { continue };
                    let mut children = view.tree.children(reference);
                    let Some(name) = children.next().map(|child| view.tree.symbol(child)) else { continue };
                    let types = children.map(|child| view.tree.symbol(view.tree.end(child) - 1)).collect();
                    let is_external = entry < external_end;
                    counts.push(CountView { rule, name, types, section, is_external });
                }
                _ => {}
            }
        }
    }
    counts
}

/// Sets the features about preferences and counts.
pub(super) fn set(view: &View<'_>, features: &mut FeatureVector) {
    let counts = counts(view);
    let defined = distinct(view.preferences.iter().map(|preference| preference.name));
    let used = distinct(counts.iter().map(|count| count.name));
    let common = defined.iter().filter(|name| used.contains(name)).count();
    let all = defined.len() + used.len() - common;
    features.raise(Feature::PreferencesUsedAll, !defined.is_empty() && defined == used);
    features.set(Feature::PreferencesUsedProportion, if all == 0 { 0.0 } else { common as f64 / all as f64 });
    set_disjointness(view, &counts, features);
    set_forall(view, &counts, features);
    set_score(view, features);
    set_terminal(view, features);
}

/// Returns the types that a preference declares and the constants that it mentions.
fn objects(view: &View<'_>, preference: &PreferenceView) -> Names {
    let mut names = Vec::new();
    for entry in view.within(preference.entry) {
        if is_declaration(view.rule(entry)) {
            names.extend(view.types(entry));
        } else if is_term(view.rule(entry)) && !view.is_variable(entry) {
            names.push(view.argument(entry));
        }
    }
    if let Some(list) = preference.forall.and_then(|forall| view.list(forall)) {
        names.extend(view.tree.children(list).flat_map(|line| view.types(line)));
    }
    distinct(names)
}

fn is_declaration(rule: Option<Rule>) -> bool {
    matches!(
        rule,
        Some(
            Rule::VariableTypeDef
                | Rule::ColorVariableTypeDef
                | Rule::OrientationVariableTypeDef
                | Rule::SideVariableTypeDef
        )
    )
}

fn is_term(rule: Option<Rule>) -> bool {
    matches!(rule, Some(Rule::Term | Rule::ColorTerm | Rule::OrientationTerm | Rule::SideTerm | Rule::TypeTerm))
}

/// Returns the terms of a part of a preference.
fn terms(view: &View<'_>, entry: usize) -> Names {
    let rug = view.tokens.find("rug");
    let mut names = Vec::new();
    for application in view.applications(entry) {
        names.extend(view.tree.children(application).map(|term| view.argument(term)));
        let symbol = view.tree.symbol(application);
        if view.games.vocabulary().signature(symbol).is_some_and(|own| &*own.name == "rug_color_under") {
            names.extend(rug);
        }
    }
    distinct(names)
}

/// Returns whether two of several sets share no member. Empty sets are ignored.
fn has_disjoint_pair(sets: &[Names]) -> bool {
    let sets: Vec<&Names> = sets.iter().filter(|set| !set.is_empty()).collect();
    sets.iter().enumerate().any(|(index, one)| sets[..index].iter().any(|other| !shares(one, other)))
}

fn set_disjointness(view: &View<'_>, counts: &[CountView], features: &mut FeatureVector) {
    let own: Vec<Names> = view.preferences.iter().map(|preference| objects(view, preference)).collect();
    let is_isolated =
        |index: usize| own.iter().enumerate().all(|(other, names)| other == index || !shares(&own[index], names));
    features.raise(Feature::DisjointPreferences, own.len() > 1 && (0..own.len()).any(is_isolated));
    let counted = |section: usize| {
        let names = distinct(counts.iter().filter(|count| count.section == section).map(|count| count.name));
        let all = view.preferences.iter().enumerate();
        let found: Vec<usize> =
            all.filter(|(_, preference)| names.contains(&preference.name)).map(|(index, _)| index).collect();
        (names, found)
    };
    let ((terminal_names, terminal), (scoring_names, scoring)) = (counted(2), counted(3));
    if !terminal_names.is_empty() {
        let shares_type = terminal.iter().any(|&one| scoring.iter().any(|&other| shares(&own[one], &own[other])));
        features.raise(Feature::DisjointTerminalTypes, !shares(&terminal_names, &scoring_names) && !shares_type);
        let predicates = |preferences: &[usize]| {
            let all = preferences.iter().flat_map(|&index| view.applications(view.preferences[index].entry));
            distinct(all.map(|application| view.tree.symbol(application)))
        };
        let (one, other) = (predicates(&terminal), predicates(&scoring));
        let common = one.iter().filter(|name| other.contains(name)).count();
        let all = one.len() + other.len() - common;
        let jaccard = if all == 0 { 0.0 } else { common as f64 / all as f64 };
        features.set(Feature::DisjointTerminalPredicates, 1.0 - jaccard);
    }
    set_modal_disjointness(view, features);
    let only_same = view.preferences.iter().any(|preference| {
        let mut all = view.applications(preference.entry).peekable();
        all.peek().is_some()
            && all.all(|application| {
                let signature = view.games.vocabulary().signature(view.tree.symbol(application));
                signature.is_some_and(|signature| signature.name.starts_with("same_"))
            })
    });
    features.raise(Feature::SamePredicatesOnly, only_same);
}

fn set_modal_disjointness(view: &View<'_>, features: &mut FeatureVector) {
    let (mut modals, mut disjoint) = (0_u32, 0_u32);
    for entry in 0..view.tree.len() {
        match view.rule(entry) {
            Some(Rule::Then) => {
                let operators: Vec<Names> = view.tree.children(entry).map(|operator| terms(view, operator)).collect();
                features.raise(Feature::DisjointSequence, has_disjoint_pair(&operators));
            }
            Some(Rule::SeqFunc | Rule::AtEnd) => {
                // Of an operator, only its main condition counts: neither a measured function nor the events of a `hold-while`.
                let operator = if view.rule(entry) == Some(Rule::SeqFunc) { view.inner(entry) } else { Some(entry) };
                let Some(condition) = operator.and_then(|operator| view.inner(operator)) else { continue };
                let atoms: Vec<Names> = view
                    .within(condition)
                    .filter(|&entry| matches!(view.rule(entry), Some(Rule::Predicate | Rule::FunctionComparison)))
                    .map(|atom| terms(view, atom))
                    .collect();
                modals += 1;
                disjoint += u32::from(has_disjoint_pair(&atoms));
            }
            _ => {}
        }
    }
    features.raise(Feature::DisjointModal, disjoint > 0);
    let share = if modals == 0 { 0.0 } else { f64::from(disjoint) / f64::from(modals) };
    features.set(Feature::DisjointModalProportion, share);
}

fn set_forall(view: &View<'_>, counts: &[CountView], features: &mut FeatureVector) {
    let inside: Vec<&PreferenceView> =
        view.preferences.iter().filter(|preference| preference.forall.is_some()).collect();
    let find = |name: Symbol| inside.iter().find(|preference| preference.name == name);
    let is_inside = |name: Symbol| find(name).is_some();
    let mut judge = |[correct, incorrect]: [Feature; 2], is_present: bool, is_correct: bool| {
        features.raise(correct, is_present && is_correct);
        features.raise(incorrect, is_present && !is_correct);
    };
    let per_external: Vec<&CountView> =
        counts.iter().filter(|count| count.rule == Rule::CountOncePerExternalObjects).collect();
    judge(
        [Feature::ExternalCountCorrect, Feature::ExternalCountIncorrect],
        !per_external.is_empty(),
        per_external.iter().all(|count| is_inside(count.name)),
    );
    let externals: Vec<usize> = [2, 3]
        .into_iter()
        .filter_map(|section| view.sections[section])
        .flat_map(|root| view.within(root))
        .filter(|&entry| matches!(view.rule(entry), Some(Rule::ExternalMaximize | Rule::ExternalMinimize)))
        .collect();
    let counts_inside = |&entry: &usize| {
        view.nodes(entry, Rule::PrefNameAndTypes).any(|reference| is_inside(view.tree.symbol(reference + 1)))
    };
    judge(
        [Feature::ExternalForallCorrect, Feature::ExternalForallIncorrect],
        !externals.is_empty(),
        externals.iter().all(counts_inside),
    );
    let is_special = |count: &&CountView| {
        !count.types.is_empty() || count.is_external || count.rule == Rule::CountOncePerExternalObjects
    };
    let special: Vec<&CountView> = counts.iter().filter(is_special).collect();
    let mut foralls: Vec<usize> = inside.iter().filter_map(|preference| preference.forall).collect();
    foralls.dedup();
    let is_used = |&forall: &usize| {
        let mut own = inside.iter().filter(|preference| preference.forall == Some(forall));
        own.any(|preference| special.iter().any(|count| count.name == preference.name))
    };
    judge(
        [Feature::ForallUsedCorrect, Feature::ForallUsedIncorrect],
        !foralls.is_empty() || !special.is_empty(),
        foralls.iter().all(is_used) && special.iter().all(|count| is_inside(count.name)),
    );
    let lines = |name: Symbol| -> Vec<usize> {
        let list = find(name).and_then(|preference| preference.forall).and_then(|forall| view.list(forall));
        list.map(|list| view.tree.children(list).collect()).unwrap_or_default()
    };
    let is_arity_known = counts.iter().any(|count| is_inside(count.name) || !count.types.is_empty());
    judge(
        [Feature::ForallArityCorrect, Feature::ForallArityIncorrect],
        !inside.is_empty() && is_arity_known,
        counts.iter().all(|count| count.types.len() <= lines(count.name).len()),
    );
    // The types of each variable, in the order of their declaration.
    let positions = |name: Symbol| -> Vec<usize> {
        let is_name = |&child: &usize| view.tree.symbol(child).is_token();
        let repeat = |line: usize| std::iter::repeat_n(line, view.tree.children(line).filter(is_name).count());
        lines(name).into_iter().flat_map(repeat).collect()
    };
    let fits = |line: usize, name: Symbol| {
        let types = view.types(line);
        types.contains(&name) || view.games.parent(name).is_some_and(|parent| types.contains(&parent))
    };
    // Of counts with more types than variables, and of those of other preferences, the arity is wrong.
    let typed: Vec<(&CountView, Vec<usize>)> = counts
        .iter()
        .filter(|count| !count.types.is_empty())
        .map(|count| (count, positions(count.name)))
        .filter(|(count, positions)| count.types.len() <= positions.len())
        .collect();
    judge(
        [Feature::ForallTypesCorrect, Feature::ForallTypesIncorrect],
        !typed.is_empty(),
        typed.iter().all(|(count, positions)| count.types.iter().zip(positions).all(|(&name, &line)| fits(line, name))),
    );
}

fn set_score(view: &View<'_>, features: &mut FeatureVector) {
    let Some(score) = view.sections[3] else { return };
    features.raise(Feature::NonPositiveScore, is_non_positive(view, score));
    // The counts that each arithmetic operation combines directly.
    let mut operations: Vec<(bool, Names)> = Vec::new();
    let mut merged = Vec::new();
    for entry in view.within(score) {
        let is_operation = matches!(view.rule(entry), Some(Rule::MultiExpr | Rule::BinaryExpr | Rule::NegExpr));
        if !is_operation || merged.contains(&entry) {
            continue;
        }
        let is_product = is_product(view, entry);
        let mut names = Vec::new();
        collect_counted(view, entry, is_product, &mut names, &mut merged);
        if !names.is_empty() {
            operations.push((is_product, distinct(names)));
        }
    }
    let is_identical = matches!(&operations[..], [(true, names)] if names.len() != 1);
    features.raise(Feature::PreferencesUsedIdentically, is_identical);
}

fn is_product(view: &View<'_>, entry: usize) -> bool {
    view.rule(entry) == Some(Rule::MultiExpr) && view.text(view.tree.symbol(entry + 1)) == "*"
}

/// Collects the preferences whose counts are operands of an operation, or of products nested in a product, which are added to `merged`.
fn collect_counted(view: &View<'_>, operation: usize, merge: bool, names: &mut Vec<Symbol>, merged: &mut Vec<usize>) {
    for operand in view.tree.children(operation).filter(|&child| !view.tree.symbol(child).is_token()) {
        let (rule, entry) = unwrapped(view, operand);
        if rule == Some(Rule::PreferenceEval) {
            names.extend(view.nodes(entry, Rule::PrefNameAndTypes).map(|name| view.tree.symbol(name + 1)));
        } else if merge && is_product(view, entry) {
            merged.push(entry);
            collect_counted(view, entry, merge, names, merged);
        }
    }
}

/// Returns whether a score is never positive, by the signs of its parts.
fn is_non_positive(view: &View<'_>, entry: usize) -> bool {
    let (rule, entry) = unwrapped(view, entry);
    let operands = || view.tree.children(entry).filter(|&child| !view.tree.symbol(child).is_token());
    match rule {
        Some(Rule::ScoringNumber) => number(view, entry).is_some_and(|number| number < 0.0),
        Some(Rule::NegExpr) => operands().all(|operand| !is_non_positive(view, operand)),
        Some(Rule::BinaryExpr) => {
            let mut sides = operands();
            let (Some(left), Some(right)) = (sides.next(), sides.next()) else { return false };
            let (left, right) = (is_non_positive(view, left), is_non_positive(view, right));
            if view.text(view.tree.symbol(entry + 1)) == "-" { left || !right } else { left || right }
        }
        Some(Rule::MultiExpr) if is_product(view, entry) => operands().any(|operand| is_non_positive(view, operand)),
        Some(Rule::MultiExpr) => operands().all(|operand| is_non_positive(view, operand)),
        Some(Rule::ExternalMaximize | Rule::ExternalMinimize) => {
            operands().any(|operand| is_non_positive(view, operand))
        }
        _ => false,
    }
}

/// Sets the feature of terminal conditions that cannot have the intended effect.
fn set_terminal(view: &View<'_>, features: &mut FeatureVector) {
    let Some(terminal) = view.sections[2] else { return };
    let at_end = |name: Symbol| {
        let mut own = view.preferences.iter().filter(|preference| preference.name == name);
        own.any(|preference| view.nodes(preference.entry, Rule::AtEnd).next().is_some())
    };
    let mut references = view.nodes(terminal, Rule::PrefNameAndTypes);
    let counts_at_end = references.any(|reference| at_end(view.tree.symbol(reference + 1)));
    let may_be_negative = view.sections[3].is_some_and(|score| {
        view.within(score).any(|entry| match view.rule(entry) {
            Some(Rule::NegExpr) => true,
            Some(Rule::BinaryExpr) => view.text(view.tree.symbol(entry + 1)) == "-",
            Some(Rule::ScoringNumber) => number(view, entry).is_some_and(|number| number < 0.0),
            _ => false,
        })
    });
    let is_idle = view.nodes(terminal, Rule::ScoreComp).any(|entry| {
        let operands: Vec<usize> = view.tree.children(entry).collect();
        let [operator, _, bound] = operands[..] else { return false };
        let is_negative = number(view, bound).is_some_and(|number| number < 0.0);
        is_negative || view.text(view.tree.symbol(operator)).starts_with('<')
    });
    features.raise(Feature::UnnecessaryScore, counts_at_end || (is_idle && !may_be_negative));
}
