//! Listings of the vocabulary of a world.

use std::fmt::Write as _;

use goalspec_core::ids::{ObjectId, TypeId};
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::{Parameter, World};

/// Lists the types as a tree, the named objects, the predicates and the functions.
pub(super) fn world(world: &World) -> String {
    let mut text = format!("World {}\n", world.name());
    types(world, &mut text);
    objects(world, &mut text);
    text.push_str("\nPredicates\n");
    let mut words: Vec<_> = world.predicates().iter().collect();
    words.sort_by(|a, b| a.name.cmp(&b.name));
    for decl in words {
        let unavailable = match &decl.definition {
            PredicateDefinition::Unavailable(reason) => Some(&**reason),
            _ => None,
        };
        word(world, &decl.name, &decl.parameters, &decl.doc, unavailable, &mut text);
    }
    text.push_str("\nFunctions\n");
    let mut words: Vec<_> = world.functions().iter().collect();
    words.sort_by(|a, b| a.name.cmp(&b.name));
    for decl in words {
        let unavailable = match &decl.definition {
            FunctionDefinition::Unavailable(reason) => Some(&**reason),
            _ => None,
        };
        word(world, &decl.name, &decl.parameters, &decl.doc, unavailable, &mut text);
    }
    text
}

fn types(world: &World, text: &mut String) {
    text.push_str("\nTypes, with their number of objects\n");
    let all: Vec<_> = (0..world.types().len()).map(TypeId::from).collect();
    let mut children: Vec<Vec<TypeId>> = vec![Vec::new(); all.len()];
    // A type with several parents appears under the first one.
    for &id in &all {
        if let Some(parent) = world.type_decl(id).parents.first() {
            children[parent.index()].push(id);
        }
    }
    let mut open: Vec<(TypeId, usize)> =
        all.iter().rev().filter(|&&id| world.type_decl(id).parents.is_empty()).map(|&id| (id, 1)).collect();
    while let Some((id, depth)) = open.pop() {
        let decl = world.type_decl(id);
        let marker = if world.is_discoverable(id) { "+" } else { "" };
        let _ = write!(text, "{:width$}{} {}{marker}", "", decl.name, world.members(id).len(), width = 4 * depth);
        let others: Vec<_> = decl.parents.iter().skip(1).map(|&parent| &*world.type_decl(parent).name).collect();
        if !others.is_empty() {
            let _ = write!(text, ", also a subtype of {}", others.join(", "));
        }
        about(&decl.doc, text);
        open.extend(children[id.index()].iter().rev().map(|&child| (child, depth + 1)));
    }
}

fn objects(world: &World, text: &mut String) {
    let mut named: Vec<(&str, ObjectId)> = world.program_names().collect();
    named.sort_unstable();
    text.push_str("\nNamed objects\n");
    for (name, object) in named {
        let types: Vec<_> = world.object_decl(object).types.iter().map(|&id| &*world.type_decl(id).name).collect();
        let _ = writeln!(text, "    {name} - {}", types.join(", "));
    }
}

fn word(world: &World, name: &str, parameters: &[Parameter], doc: &str, unavailable: Option<&str>, text: &mut String) {
    let _ = write!(text, "    ({name}");
    for parameter in parameters {
        let types: Vec<_> = parameter.types.iter().map(|&id| &*world.type_decl(id).name).collect();
        let or_type = if parameter.accepts_type { "|TYPE" } else { "" };
        let argument = format!("{}{or_type}", types.join("|"));
        let _ = if parameter.optional { write!(text, " [{argument}]") } else { write!(text, " {argument}") };
    }
    text.push(')');
    about(doc, text);
    if let Some(reason) = unavailable {
        let _ = writeln!(text, "        not available: {reason}");
    }
}

/// Appends documentation to the current line and ends it.
fn about(doc: &str, text: &mut String) {
    if !doc.is_empty() {
        text.push_str("  ");
        text.push_str(doc);
    }
    text.push('\n');
}
