//! Descriptions of single names of a game, as Markdown: teams, nodes, resources, actions and their parameters.

use goalspec_resource::game::Game;
use goalspec_resource::odds;
use goalspec_syntax::Span;

use super::Lines;
use super::action::{addition, entry};
use super::board::{declaration, observers, space};
use super::clause;
use super::words::{and, counted, percent, value};
use crate::ast::{self, ConsequenceEffectKind, NamedDeclaration, NodeResources, SpannedText};

/// The maximum number of lines about the actions that change a resource.
const MAX_CHANGES: usize = 12;

/// Returns the description of a team: its place in the turn order, actions and reward.
pub fn team(ast: &ast::Game, name: &str) -> String {
    let place = ast.teams.iter().position(|team| *team.text == *name);
    let mut lines = Vec::new();
    lines.extend(place.map(|place| format!("team {} of {} in turn order", place + 1, ast.teams.len())));
    let choices = ast.action_space.iter().filter(|space| *space.team.text == *name).flat_map(|space| &space.choices);
    let choices: Vec<String> = choices.map(|choice| format!("`{}`", choice.action.text)).collect();
    lines.push(if choices.is_empty() { "no actions".to_owned() } else { format!("actions: {}", choices.join(", ")) });
    let sees = |space: &&NodeResources| initial_observers(space).iter().any(|team| team == name);
    let visible: Vec<String> =
        ast.resources.iter().filter(sees).map(|space| format!("`{}`", space.node.text)).collect();
    if !visible.is_empty() {
        lines.push(format!("initially sees {}", and(&visible)));
    }
    let reward = ast.rewards.iter().find(|reward| *reward.team.text == *name);
    lines.extend(reward.and_then(|reward| reward.compute.as_ref()).map(|compute| {
        let reward = clause::compute(compute);
        format!("reward: {reward}")
    }));
    lines.join("\n\n")
}

/// Returns the description of a node: its observers, resources and neighbours.
pub fn node(ast: &ast::Game, name: &str) -> String {
    let spaces: Vec<&NodeResources> = ast.resources.iter().filter(|space| *space.node.text == *name).collect();
    let mut lines = vec![format!("initially seen by {}", observers(spaces.iter().flat_map(|space| &space.resources)))];
    let declared = spaces.iter().flat_map(|space| &space.resources).filter(|own| &*own.name.text != "observable");
    let items: Vec<String> =
        declared.filter_map(|own| Some(format!("- `{}`: {}", own.name.text, range(own)?))).collect();
    lines.push(if items.is_empty() { "no resources".to_owned() } else { items.join("\n") });
    let mut ends = |lead: &str, own: fn(&ast::Vector) -> (&SpannedText, &SpannedText)| {
        let vectors = ast.vectors.iter().map(own).filter(|(from, _)| *from.text == *name);
        let others: Vec<String> = vectors.map(|(_, to)| format!("`{}`", to.text)).collect();
        if !others.is_empty() {
            lines.push(format!("{} {lead} {}", counted(others.len(), "vector"), and(&others)));
        }
    };
    ends("to", |vector| (&vector.from, &vector.to));
    ends("from", |vector| (&vector.to, &vector.from));
    lines.join("\n\n")
}

/// Returns the description of a resource of a node, or of all nodes that declare it: its space and initial value, the initial observers, and
/// the actions that change it.
pub fn resource(ast: &ast::Game, node: Option<&str>, name: &str) -> String {
    let mut lines = Vec::new();
    for space in ast.resources.iter().filter(|space| node.is_none_or(|node| *space.node.text == *node)) {
        for own in space.resources.iter().filter(|own| *own.name.text == *name) {
            let seen = observers(&space.resources);
            let range = range(own).unwrap_or_else(|| format!("`{}`", own.constraint.text));
            lines.push(format!("- `{}.{name}`: {range}; initially seen by {seen}", space.node.text));
        }
    }
    let changes = changes(ast, node, name);
    if changes.is_empty() {
        lines.push("\nchanged by no action".to_owned());
    } else {
        lines.push("\nchanged by".to_owned());
        let more = changes.len().saturating_sub(MAX_CHANGES);
        lines.extend(changes.into_iter().take(MAX_CHANGES));
        if more > 0 {
            lines.push(format!("- {more} more"));
        }
    }
    lines.join("\n").trim_start().to_owned()
}

/// Returns the description of an action: the teams that may choose it, its cost, requirement and consequences.
pub fn action(ast: &ast::Game, game: Option<&Game>, name: &str) -> String {
    let offers = |space: &&ast::TeamActions| space.choices.iter().any(|choice| *choice.action.text == *name);
    let teams: Vec<String> =
        ast.action_space.iter().filter(offers).map(|space| format!("`{}`", space.team.text)).collect();
    let teams = if teams.is_empty() { "no team".to_owned() } else { and(&teams) };
    let mut lines = vec![format!("chosen by {teams}")];
    let index = ast.actions.iter().position(|action| *action.name.text == *name);
    if let (Some(index), Some(game)) = (index, game)
        && let Some(lowered) = game.actions.get(index)
    {
        let mut text = Lines::default();
        super::action::action(&ast.actions[index], lowered, game, &mut text);
        let items = text.text.lines().map(|line| {
            let depth = (line.len() - line.trim_start().len()) / 4;
            format!("{}- {}", "  ".repeat(depth.saturating_sub(2)), line.trim_start())
        });
        lines.push(items.collect::<Vec<_>>().join("\n"));
    }
    lines.join("\n\n")
}

/// Returns the description of the parameter declared at a span.
pub fn parameter(ast: &ast::Game, declared: Span) -> Option<String> {
    let choices = ast.action_space.iter().flat_map(|space| &space.choices);
    let parameter =
        choices.flat_map(|choice| &choice.parameters).find(|own| contains(own.name.span, declared.start))?;
    Some(space(&parameter.declaration.as_ref()?.space))
}

/// Returns the description of the odds at an offset, with their span: the probability of the consequence if the action is valid and its odds
/// have not been discounted.
pub fn odds_at(ast: &ast::Game, game: &Game, offset: u32) -> Option<(Span, String)> {
    for (action, lowered) in ast.actions.iter().zip(&game.actions) {
        for (index, consequence) in action.consequences.iter().enumerate() {
            let Some(odds) = consequence.odds.filter(|odds| contains(odds.span, offset)) else { continue };
            let chance = *odds::probabilities(&lowered.consequences, game.rules.odds).get(index)?;
            let chance = percent(chance);
            return Some((odds.span, format!("probability {chance} of this consequence of `{}`", action.name.text)));
        }
    }
    None
}

/// Returns the node and the name of the resource that is declared at a place.
pub fn resource_at(ast: &ast::Game, offset: u32) -> Option<(&str, &str)> {
    ast.resources.iter().find_map(|space| {
        let own = space.resources.iter().find(|own| contains(own.name.span, offset))?;
        Some((&*space.node.text, &*own.name.text))
    })
}

fn contains(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}

fn range(own: &NamedDeclaration) -> Option<String> {
    own.declaration.as_ref().map(declaration)
}

fn initial_observers(space: &NodeResources) -> Vec<String> {
    super::board::initial_observers(&space.resources)
}

/// Returns the changes of a resource, as items of a list.
fn changes(ast: &ast::Game, node: Option<&str>, name: &str) -> Vec<String> {
    let is_own = |field: &str, has_vector: bool| {
        let field = field.strip_prefix('/').unwrap_or(field);
        match field.split_once('.') {
            Some(("_source" | "_target", resource)) => has_vector && resource == name,
            Some((of, resource)) => resource == name && node.is_none_or(|node| node == of),
            None => has_vector && field == name,
        }
    };
    let mut found = Vec::new();
    for action in &ast.actions {
        let mut add = |change: String| found.push(format!("- `{}`: {change}", action.name.text));
        for cost in action.cost.iter().filter(|cost| is_own(&cost.field.text, false)) {
            add(format!("{}, as its cost", addition(&cost.field.text, &value(&cost.value), Some(&cost.value))));
        }
        for consequence in &action.consequences {
            let assigned = match &consequence.effect.kind {
                ConsequenceEffectKind::Resources { add, put, .. } => vec![(add, true, false), (put, false, false)],
                ConsequenceEffectKind::WithVectors { result, .. } => vec![(result, true, true)],
                ConsequenceEffectKind::MakeNodeVisible { .. } | ConsequenceEffectKind::Custom(_) => Vec::new(),
            };
            for (assignments, adds, has_vector) in assigned {
                let own = assignments.entries.iter().filter(|(field, _)| is_own(&field.text, has_vector));
                own.for_each(|assigned| add(entry(assigned, adds)));
            }
        }
    }
    found
}
