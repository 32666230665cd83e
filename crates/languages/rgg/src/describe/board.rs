//! Descriptions of nodes, vectors and resources.

use goalspec_resource::space::{Declaration, Space};
use goalspec_resource::value::Value;
use rustc_hash::FxHashMap;

use super::Lines;
use super::words::{and, counted, number, or, value};
use crate::ast;

pub(super) fn board(ast: &ast::Game, lines: &mut Lines) {
    lines.section("Board");
    let names: Vec<String> = ast.nodes.iter().map(|node| node.text.to_string()).collect();
    match &names[..] {
        [] => lines.item(1, "No nodes."),
        [one] => lines.item(1, format!("1 node: {one}.")),
        _ => lines.item(1, format!("{}: {}.", counted(names.len(), "node"), and(&names))),
    }
    if ast.vectors.is_empty() {
        lines.item(1, "No vectors.");
    }
    let mut leading: FxHashMap<&str, Vec<String>> = FxHashMap::default();
    for vector in &ast.vectors {
        leading.entry(&*vector.from.text).or_default().push(match &vector.id {
            Some(id) => format!("{} ({})", vector.to.text, id.text),
            None => vector.to.text.to_string(),
        });
    }
    for from in &ast.nodes {
        match leading.get(&*from.text).map_or(&[][..], Vec::as_slice) {
            [] => {}
            targets @ [_] => lines.item(1, format!("Vector from {} to {}.", from.text, and(targets))),
            targets => lines.item(1, format!("Vectors from {} to {}.", from.text, and(targets))),
        }
    }
}

pub(super) fn resources(ast: &ast::Game, lines: &mut Lines) {
    lines.section("Resources");
    let mut of_node: FxHashMap<&str, Vec<&ast::NamedDeclaration>> = FxHashMap::default();
    for space in &ast.resources {
        of_node.entry(&*space.node.text).or_default().extend(&space.resources);
    }
    for node in &ast.nodes {
        let declared = of_node.remove(&*node.text).unwrap_or_default();
        let observers = observers(declared.iter().copied());
        let others: Vec<_> = declared.into_iter().filter(|resource| &*resource.name.text != "observable").collect();
        if others.is_empty() {
            lines.item(1, format!("{}, initially seen by {observers}: no resources.", node.text));
            continue;
        }
        lines.item(1, format!("{}, initially seen by {observers}:", node.text));
        for resource in others {
            if let Some(declaration) = &resource.declaration {
                lines.item(2, format!("{}: {}", resource.name.text, self::declaration(declaration)));
            }
        }
    }
}

/// Returns the teams that observe a node at first, from the declarations of its resources.
pub(super) fn initial_observers<'d>(declared: impl IntoIterator<Item = &'d ast::NamedDeclaration>) -> Vec<String> {
    let mut observable = declared.into_iter().filter(|resource| &*resource.name.text == "observable");
    let labels = observable.find_map(|resource| match &resource.declaration.as_ref()?.initial {
        Value::Set(labels) if !labels.is_empty() => Some(labels.iter().map(ToString::to_string).collect()),
        _ => None,
    });
    labels.unwrap_or_default()
}

/// Describes the teams that observe a node at first.
pub(super) fn observers<'d>(declared: impl IntoIterator<Item = &'d ast::NamedDeclaration>) -> String {
    match &initial_observers(declared)[..] {
        [] => "no team".to_owned(),
        teams => and(teams),
    }
}

/// Describes the space and the initial value of a resource.
pub(super) fn declaration(declaration: &Declaration) -> String {
    let initial = match (&declaration.space, &declaration.initial) {
        (_, Value::Set(labels)) if labels.is_empty() => "no label".to_owned(),
        (_, Value::Set(labels)) => and(&labels.iter().map(ToString::to_string).collect::<Vec<_>>()),
        (_, initial) => value(initial),
    };
    format!("{}, initially {initial}", space(&declaration.space))
}

/// Describes a space.
pub(super) fn space(space: &Space) -> String {
    match space {
        Space::Bool => "true or false".to_owned(),
        Space::FreeText => "a string".to_owned(),
        Space::FreeInt => "an integer".to_owned(),
        Space::FreeReal => "a number".to_owned(),
        Space::IntRange { min, max } => format!("an integer from {min} to {max}"),
        Space::RealRange { min, max } => format!("a number from {} to {}", number(*min), number(*max)),
        Space::Normal { mean, standard_deviation: deviation } => {
            format!(
                "a normally distributed number with mean {} and standard deviation {}",
                number(*mean),
                number(*deviation)
            )
        }
        Space::IntEnum(members) => or(&members.iter().map(ToString::to_string).collect::<Vec<_>>()),
        Space::RealEnum(members) => or(&members.iter().map(|member| number(*member)).collect::<Vec<_>>()),
        Space::TextEnum(members) => or(&members.iter().map(ToString::to_string).collect::<Vec<_>>()),
        Space::Set(labels) if labels.is_empty() => "a set of labels".to_owned(),
        Space::Set(labels) => {
            format!("a subset of {}", and(&labels.iter().map(ToString::to_string).collect::<Vec<_>>()))
        }
    }
}
