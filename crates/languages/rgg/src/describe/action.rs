//! Descriptions of actions: costs, requirements, consequences.

use goalspec_resource::game::{Action, ActionId, ConsequenceEffect, Game, NOTHING_ACTION, Parameter, VectorSelection};
use goalspec_resource::odds;
use goalspec_resource::rules::NothingAction;
use goalspec_resource::value::Value;

use super::Lines;
use super::board::space;
use super::clause::{compute, filter};
use super::words::{and, number, optional, percent, value};
use crate::ast::{self, Assignments, ConsequenceEffectKind, EndpointFilters, FilterKind};

/// The probability from which a consequence counts as certain.
const CERTAIN: f64 = 1.0 - 1e-9;

pub(super) fn actions(ast: &ast::Game, game: &Game, team: usize, name: &str, lines: &mut Lines) {
    lines.section(&format!("Actions of {name}"));
    let team = &game.teams[team];
    if team.choices.is_empty() {
        lines.item(1, "None: the team can only pass.");
    }
    for choice in &team.choices {
        let parameters: Vec<String> = choice
            .parameters
            .iter()
            .map(|parameter| format!("{} ({})", parameter.name, space(&parameter.space)))
            .collect();
        let parameter_text = if parameters.is_empty() { String::new() } else { format!(", with {}", and(&parameters)) };
        lines.item(1, format!("{}{parameter_text}", choice.name));
        let free = game.rules.nothing == NothingAction::Pass && *choice.name == *NOTHING_ACTION;
        match choice.action.map(ActionId::index).filter(|_| !free) {
            Some(index) => {
                endpoint_parameters(&choice.parameters, &game.actions[index], lines);
                action(&ast.actions[index], &game.actions[index], game, lines);
            }
            None if *choice.name == *NOTHING_ACTION => lines.item(2, "A pass, without cost or effect."),
            None => lines.item(2, "Undefined: choosing it is an error."),
        }
    }
}

/// Describes the parameters that select an end of a random vector.
fn endpoint_parameters(parameters: &[Parameter], action: &Action, lines: &mut Lines) {
    let picks = action.consequences.iter().any(|consequence| {
        matches!(
            consequence.outcome,
            ConsequenceEffect::MakeNodeVisible { .. }
                | ConsequenceEffect::WithVectors { pick: VectorSelection::Random, .. }
        )
    });
    for (name, verb) in [("source", "begins"), ("target", "ends")] {
        if picks && parameters.iter().any(|parameter| *parameter.name == *name) {
            lines.item(2, format!("The random vector {verb} at the node given as `{name}`."));
        }
    }
}

pub(super) fn action(ast: &ast::Action, action: &Action, game: &Game, lines: &mut Lines) {
    if ast.cost.is_empty() {
        lines.item(2, "Cost: none.");
    } else {
        let changes: Vec<String> =
            ast.cost.iter().map(|cost| addition(&cost.field.text, &value(&cost.value), Some(&cost.value))).collect();
        lines.item(2, format!("Cost: {}.", and(&changes)));
    }
    match &ast.requires.kind {
        FilterKind::Always => lines.item(2, "Always valid."),
        _ => lines.item(2, format!("Valid if, after the cost, {}.", filter(&ast.requires, true))),
    }
    if action.consequences.is_empty() {
        lines.item(2, "No consequences.");
    }
    let probabilities = odds::probabilities(&action.consequences, game.rules.odds);
    for group in odds::groups(&action.consequences) {
        let single = group.len() == 1;
        let depth = if single { 2 } else { 3 };
        if !single {
            lines.item(2, "At most one of:");
        }
        let left = 1.0 - probabilities[group.clone()].iter().sum::<f64>();
        for index in group {
            let changes_all = adds_all(&ast.consequences[index].effect, &action.consequences[index].outcome);
            consequence(&ast.consequences[index], probabilities[index], changes_all, depth, lines);
        }
        if !single && left > 1.0 - CERTAIN {
            lines.item(depth, format!("With probability {}, nothing changes.", percent(left)));
        }
    }
}

/// Whether an empty `add` or `result` adds the whole state to itself, as with
/// [`EmptyAddRule::AddState`](crate::dialect::EmptyAddRule::AddState).
fn adds_all(ast: &ast::ConsequenceEffect, lowered: &ConsequenceEffect) -> bool {
    match (&ast.kind, lowered) {
        (ConsequenceEffectKind::Resources { add: ast, .. }, ConsequenceEffect::Resources { add, .. })
        | (ConsequenceEffectKind::WithVectors { result: ast, .. }, ConsequenceEffect::WithVectors { add, .. }) => {
            ast.entries.is_empty() && !add.is_empty()
        }
        _ => false,
    }
}

fn consequence(ast: &ast::Consequence, chance: f64, adds_all: bool, depth: usize, lines: &mut Lines) {
    let clause = outcome(&ast.effect, adds_all);
    let chance = if chance > CERTAIN { "Always".to_owned() } else { format!("With probability {}", percent(chance)) };
    let discount = ast.discount.map_or_else(String::new, |discount| {
        format!(" Each time the action is valid, the odds are multiplied by {}.", number(discount.value))
    });
    lines.item(depth, format!("{chance}, {clause}.{discount}"));
}

fn outcome(outcome: &ast::ConsequenceEffect, adds_all: bool) -> String {
    let every = |changes: &[String]| match (changes, adds_all) {
        ([], false) => "nothing changes".to_owned(),
        ([], true) => "the whole state is added to itself".to_owned(),
        (changes, false) => and(changes),
        (changes, true) => format!("the whole state is added to itself, then {}", and(changes)),
    };
    match &outcome.kind {
        ConsequenceEffectKind::Resources { compute, add, put } => {
            let mut changes = entries(add, true);
            changes.extend(entries(put, false));
            format!("{}{}", every(&changes), intermediate_values(compute))
        }
        ConsequenceEffectKind::MakeNodeVisible { team, endpoint_filters: ends } => {
            format!("the target of a random vector{} becomes visible to {}", vector(ends), team.text)
        }
        ConsequenceEffectKind::WithVectors { all, ends, compute, result } => {
            let quantity = if *all { "each vector" } else { "a random vector" };
            format!("for {quantity}{}, {}{}", vector(ends), every(&entries(result, true)), intermediate_values(compute))
        }
        ConsequenceEffectKind::Custom(parameters) => {
            let arguments: Vec<String> =
                parameters.iter().map(|(name, value)| format!("{}: {}", name.text, optional(value.as_ref()))).collect();
            let argument_text = if arguments.is_empty() { String::new() } else { format!(" with {}", and(&arguments)) };
            format!("the custom result {} occurs{argument_text}", outcome.name.text)
        }
    }
}

/// Returns the restriction of the vectors.
fn vector(ends: &EndpointFilters) -> String {
    let end = |lead: &str, end: &Option<ast::Filter>| match end {
        Some(test) if test.kind != FilterKind::Always => format!(" {lead} a node where {}", filter(test, true)),
        _ => String::new(),
    };
    format!("{}{}", end("from", &ends.source), end("to", &ends.target))
}

fn entries(assignments: &Assignments, add: bool) -> Vec<String> {
    assignments.entries.iter().map(|assigned| entry(assigned, add)).collect()
}

/// Describes an entry of `add` or `result`, or else of `put`.
pub(super) fn entry((name, value): &(ast::SpannedText, ast::Computation), add: bool) -> String {
    match &value.kind {
        ast::ComputationKind::Constant(constant) if add => {
            addition(&name.text, &optional(constant.as_ref()), constant.as_ref())
        }
        ast::ComputationKind::Constant(None) => format!("{} is removed", name.text),
        _ if add => addition(&name.text, &compute(value), None),
        _ => format!("{} becomes {}", name.text, compute(value)),
    }
}

/// Describes an addition: a fixed number raises or lowers the value, and a fixed value of any other kind replaces it.
pub(super) fn addition(place: &str, text: &str, fixed: Option<&Value>) -> String {
    if place == "observable" || place.ends_with(".observable") {
        return format!("{text} is added to {place}");
    }
    match fixed.map(Value::as_f64) {
        Some(Some(amount)) if amount < 0.0 => format!("{place} decreases by {}", number(-amount)),
        Some(None) => format!("{place} becomes {text}"),
        Some(Some(_)) | None => format!("{place} increases by {text}"),
    }
}

/// Describes the intermediate values.
fn intermediate_values(compute: &Assignments) -> String {
    let assignments: Vec<String> = compute
        .entries
        .iter()
        .map(|(name, value)| format!("{} is {}", name.text, super::clause::compute(value)))
        .collect();
    if assignments.is_empty() { String::new() } else { format!(", where {}", and(&assignments)) }
}
