//! Features of variables, sequences, conditions and declarations.

use goalspec_generator::grammar::Symbol;

use super::FeatureVector;
use super::expressions::{Converter, normal_form, number};
use super::names::Feature;
use super::view::View;
use crate::game::evidence::literal;
use crate::game::rules::Rule;

/// Sets the features about variables and the objects of the setup.
pub(super) fn set_variables(view: &View<'_>, features: &mut FeatureVector) {
    let visible = view.variables.iter().filter(|variable| variable.is_visible);
    let (used, all) =
        visible.fold((0_u32, 0_u32), |(used, all), variable| (used + u32::from(variable.is_used), all + 1));
    features.set_proportion(Feature::VariablesUsedAll, Feature::VariablesUsedProportion, used, all);
    let (defined, terms) = (view.declared, view.declared + view.undeclared);
    features.set_proportion(Feature::VariablesDefinedAll, Feature::VariablesDefinedProportion, defined, terms);
    features.raise(Feature::NoSetup, view.sections[0].is_none());
    features.raise(Feature::NoTerminal, view.sections[2].is_none());
    set_setup_objects(view, features);
}

/// Returns the types declared in a section and the objects named in its predicates, each once. Symbols and the agent are left out.
fn mentioned(view: &View<'_>, sections: &[usize], with_objects: bool) -> Vec<Symbol> {
    let mut names = Vec::new();
    for section in sections.iter().filter_map(|&section| view.sections[section]) {
        for entry in view.within(section) {
            match view.rule(entry) {
                Some(Rule::VariableTypeDef) => names.extend(view.types(entry)),
                Some(Rule::Predicate) if with_objects => {
                    let objects = view.nodes(entry, Rule::ObjectName);
                    names.extend(objects.map(|object| view.tree.symbol(object + 1)));
                }
                _ => {}
            }
        }
    }
    names.retain(|&name| view.text(name) != "agent");
    names.sort();
    names.dedup();
    names
}

fn set_setup_objects(view: &View<'_>, features: &mut FeatureVector) {
    for (with_objects, feature) in [(false, Feature::SetupTypesUsed), (true, Feature::AnySetupObjectUsed)] {
        let own = mentioned(view, &[0], with_objects);
        let others = mentioned(view, &[1, 2, 3], with_objects);
        let matches = |&&name: &&Symbol| {
            let parent = view.games.parent(name);
            let grandparent = parent.and_then(|parent| view.games.parent(parent));
            others.contains(&name)
                || [parent, grandparent].into_iter().flatten().any(|ancestor| others.contains(&ancestor))
                || others.iter().any(|&other| view.games.parent(other) == Some(name))
        };
        let found = own.iter().filter(matches).count();
        let value = match (own.len(), with_objects) {
            (0, _) => 0.0,
            (_, true) => f64::from(u8::from(found > 0)),
            (all, false) => found as f64 / all as f64,
        };
        features.set(feature, value);
    }
}

/// Sets the features about the operators of sequences.
pub(super) fn set_sequences(view: &View<'_>, features: &mut FeatureVector) {
    let mut converter = Converter::new(view);
    let (mut sequences, mut framed) = (0_u32, 0_u32);
    for then in view.nodes(0, Rule::Then) {
        let operators: Vec<usize> = view.tree.children(then).filter_map(|function| view.inner(function)).collect();
        let rules: Vec<Option<Rule>> = operators.iter().map(|&operator| view.rule(operator)).collect();
        let is_once = |rule: &Option<Rule>| *rule == Some(Rule::Once);
        let is_once_or_measure =
            |rule: Option<&Option<Rule>>| matches!(rule, Some(Some(Rule::Once | Rule::OnceMeasure)));
        sequences += 1;
        framed += u32::from(is_once_or_measure(rules.first()) && is_once_or_measure(rules.last()));
        let pairs = || rules.windows(2).map(|pair| (&pair[0], &pair[1]));
        features.raise(Feature::AdjacentOnce, pairs().any(|(one, other)| is_once(one) && is_once(other)));
        features.raise(Feature::AdjacentSameModal, pairs().any(|(one, other)| one == other));
        let middle = rules.get(1..rules.len().saturating_sub(1)).unwrap_or_default();
        features.raise(Feature::OnceInMiddle, middle.iter().any(is_once));
        let has_hold = rules.iter().any(|rule| matches!(rule, Some(Rule::Hold | Rule::HoldWhile)));
        features.raise(Feature::NoHold, !has_hold);
        let forms: Vec<_> = operators
            .iter()
            .map(|&operator| view.inner(operator).and_then(|condition| normal_form(&mut converter, condition)))
            .collect();
        let is_repeated = forms.windows(2).any(|pair| pair[0].is_some() && pair[0] == pair[1]);
        features.raise(Feature::IdenticalConsecutiveConditions, is_repeated);
    }
    let share = if sequences == 0 { 1.0 } else { f64::from(framed) / f64::from(sequences) };
    features.set(Feature::StartsAndEndsOnce, share);
}

/// Sets the features about operators, arguments and declarations.
pub(super) fn set_conditions(view: &View<'_>, features: &mut FeatureVector) {
    let mut applications = 0;
    let mut predicates = 0_u32;
    let mut small_logicals = 0_u32;
    for entry in 0..view.tree.len() {
        if view.is_application(entry) {
            applications += 1;
            set_arguments(view, entry, features);
            continue;
        }
        let Some(rule) = view.rule(entry) else { continue };
        match rule {
            Rule::And | Rule::Or | Rule::SetupAnd | Rule::SetupOr | Rule::TerminalAnd | Rule::TerminalOr => {
                let children: Vec<usize> = view.tree.children(entry).collect();
                features.raise(Feature::NestedLogicals, children.iter().any(|&child| is_nested(view, rule, child)));
                features.raise(Feature::IdenticalLogicalChildren, has_repetition(view, &children));
                if matches!(rule, Rule::And | Rule::Or) && children.iter().any(|&child| literal(view, child).is_some())
                {
                    small_logicals += 1;
                }
            }
            Rule::Not | Rule::SetupNot | Rule::TerminalNot => {
                let nested = view.inner(entry).is_some_and(|child| is_nested(view, rule, child));
                features.raise(Feature::NestedLogicals, nested);
            }
            Rule::Predicate => predicates += 1,
            Rule::VariableList => {
                let lines = view.tree.children(entry);
                let mut names: Vec<Symbol> = lines
                    .flat_map(|line| view.tree.children(line))
                    .map(|child| view.tree.symbol(child))
                    .filter(|name| name.is_token())
                    .collect();
                names.sort();
                features.raise(Feature::RepeatedArguments, names.windows(2).any(|pair| pair[0] == pair[1]));
            }
            Rule::EitherTypes | Rule::EitherColorTypes | Rule::EitherOrientationTypes | Rule::EitherSideTypes => {
                let types: Vec<Symbol> = view.tree.children(entry).map(|member| view.tree.symbol(member + 1)).collect();
                let overlaps = types.iter().enumerate().any(|(index, &one)| {
                    types.iter().enumerate().any(|(other_index, &other)| {
                        index != other_index && (one == other || view.games.parent(one) == Some(other))
                    })
                });
                features.raise(Feature::RepeatedTypeInEither, overlaps);
            }
            Rule::MultiExpr | Rule::ScoringEquals | Rule::MultipleArgsEqual => {
                let operands: Vec<usize> =
                    view.tree.children(entry).filter(|&child| !view.tree.symbol(child).is_token()).collect();
                features.raise(
                    Feature::IdenticalScoringChildren,
                    rule != Rule::MultipleArgsEqual && has_repetition(view, &operands),
                );
                features.raise(Feature::SingleArgument, operands.len() == 1);
                features.raise(Feature::TwoNumberOperation, all_numbers(view, &operands));
            }
            Rule::TwoArgComparison | Rule::BinaryExpr | Rule::ScoringComp | Rule::CountComp => {
                let operands: Vec<usize> = view.tree.children(entry).skip(1).collect();
                features.raise(Feature::TwoNumberOperation, all_numbers(view, &operands));
            }
            _ => {}
        }
    }
    features.raise(Feature::RepeatedArguments, applications == 0);
    features.raise(Feature::PredicatesPlayed, predicates > 0);
    features.raise(Feature::SmallLogicalsPlayed, small_logicals > 0);
}

/// Returns whether all operands are numbers that are not negative.
fn all_numbers(view: &View<'_>, operands: &[usize]) -> bool {
    operands.iter().all(|&operand| number(view, operand).is_some_and(|number| number >= 0.0))
}

/// Returns whether an operand is the same operator as the one that contains it.
fn is_nested(view: &View<'_>, rule: Rule, operand: usize) -> bool {
    view.inner(operand).is_some_and(|inner| view.rule(inner) == Some(rule))
}

/// Returns whether two entries have the same text.
fn has_repetition(view: &View<'_>, entries: &[usize]) -> bool {
    let same = |one: usize, other: usize| view.tree.subtree(one) == view.tree.subtree(other);
    entries.iter().enumerate().any(|(index, &one)| entries[..index].iter().any(|&other| same(one, other)))
}

fn set_arguments(view: &View<'_>, application: usize, features: &mut FeatureVector) {
    let terms: Vec<usize> = view.tree.children(application).collect();
    let repeats = terms
        .iter()
        .enumerate()
        .any(|(index, &one)| terms[..index].iter().any(|&other| view.argument(one) == view.argument(other)));
    features.raise(Feature::RepeatedArguments, repeats);
    let is_constant = |&term: &usize| !view.is_variable(term) && view.text(view.argument(term)) != "agent";
    features.raise(Feature::NoVariables, terms.len() > 1 && terms.iter().all(is_constant));
}
