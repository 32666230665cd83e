//! The adaptation of a conjunct of one activity to the scene of another.

use std::sync::Arc;

use goalspec_bddl::ast::{Expr, ExprKind, Problem};
use goalspec_generator::RandomStream;

use super::for_each_name;
use crate::activity::roles::{Role, Roles, Section, categories, category_of, visit_atoms};
use crate::activity::scene::Scene;

/// A category of a conjunct with its roles, as if it were movable, and the category of the scene that takes its place.
struct Part<'e> {
    old: &'e str,
    roles: Vec<Role>,
    new: Option<Arc<str>>,
}

/// Returns a conjunct of an example about the categories of a scene that play the same roles; `None` if there are none. Different categories
/// stay different.
pub(in crate::activity) fn fitted(
    conjunct: &Expr,
    example: &Problem,
    scene: &Scene,
    roles: &Roles,
    stream: &mut RandomStream,
) -> Option<Expr> {
    let of_instance = categories(example);
    let mut parts = parts(conjunct, example);
    let fixed = scene.fixed();
    for index in 0..parts.len() {
        let taken: Vec<Arc<str>> = parts.iter().filter_map(|part| part.new.clone()).collect();
        let fits = |(category, _): &&(Arc<str>, Vec<Arc<str>>)| {
            let is_fixed = fixed.contains(&**category);
            let plays = |role: &Role| roles.plays(category, &Role { is_fixed, ..role.clone() });
            !taken.contains(category) && parts[index].roles.iter().all(plays)
        };
        let candidates: Vec<&Arc<str>> = scene.groups.iter().filter(fits).map(|(category, _)| category).collect();
        if candidates.is_empty() {
            return None;
        }
        let new = candidates[stream.below(candidates.len() as u64) as usize].clone();
        parts[index].new = Some(new);
    }
    let replacement = |old: &str| parts.iter().find(|part| part.old == old).and_then(|part| part.new.clone());
    let mut made = conjunct.clone();
    let mut is_complete = true;
    for_each_name(&mut made, &mut |own| {
        if let Some(new) = replacement(&own.text) {
            own.text = new;
            return;
        }
        // An instance becomes one of the new category, by its number among the old ones.
        let found = of_instance.get(&*own.text).and_then(|category| {
            let new = replacement(category)?;
            let instances = scene.instances(&new);
            let place = example
                .instances()
                .filter(|(_, other)| other == category)
                .position(|(other, _)| other.text == own.text)?;
            instances.get(place % instances.len().max(1)).cloned()
        });
        match found {
            Some(new) => own.text = new,
            None => is_complete = false,
        }
    });
    if !is_complete {
        return None;
    }
    bound_amounts(&mut made, scene, stream);
    Some(made)
}

/// Returns the categories of a conjunct with their roles, in the order of their first use.
fn parts<'e>(conjunct: &'e Expr, example: &'e Problem) -> Vec<Part<'e>> {
    let of_instance = categories(example);
    let mut parts: Vec<Part<'e>> = Vec::new();
    visit_atoms(conjunct, &mut Vec::new(), &mut |atom, scope| {
        for (position, argument) in atom.arguments.iter().enumerate() {
            let Some(category) = category_of(&argument.text, scope, &of_instance) else { continue };
            let role =
                Role { section: Section::Goal, predicate: atom.predicate.text.clone(), position, is_fixed: false };
            match parts.iter_mut().find(|part| part.old == category) {
                Some(part) => part.roles.push(role),
                None => parts.push(Part { old: category, roles: vec![role], new: None }),
            }
        }
    });
    parts
}

/// Draws the numbers of counting quantifiers that exceed the number of instances anew.
fn bound_amounts(condition: &mut Expr, scene: &Scene, stream: &mut RandomStream) {
    let mut bounded = |amount: &mut u32, members: usize| {
        if *amount as usize > members {
            *amount = 1 + stream.below(members.max(1) as u64) as u32;
        }
    };
    match &mut condition.kind {
        ExprKind::ForN { amount, variable, .. } => bounded(amount, scene.instances(&variable.category.text).len()),
        ExprKind::ForPairs { amount: Some(amount), left, right, .. } => {
            let members = [left, right].map(|variable| scene.instances(&variable.category.text).len());
            bounded(amount, members[0].min(members[1]));
        }
        _ => {}
    }
    match &mut condition.kind {
        ExprKind::Atom(_) => {}
        ExprKind::And(parts) | ExprKind::Or(parts) => {
            for part in parts {
                bound_amounts(part, scene, stream);
            }
        }
        ExprKind::Imply(parts) => {
            for part in parts.iter_mut() {
                bound_amounts(part, scene, stream);
            }
        }
        ExprKind::Not(body)
        | ExprKind::Forall(_, body)
        | ExprKind::Exists(_, body)
        | ExprKind::ForN { body, .. }
        | ExprKind::ForPairs { body, .. } => bound_amounts(body, scene, stream),
    }
}
