//! Default values of derived variables in the delete relaxation.
//!
//! A derived variable has its default value if each of its axioms is *refuted*: some fact of its body does not hold. Each axiom
//! has a proposition for its refutation, achieved by the other values of the variables in its body. For axioms that depend on
//! each other cyclically this would be too strong (an object can be unreachable although all objects reach each other), so
//! axioms whose bodies contain a variable of the same cycle count as refuted. This relaxes the task further, which is safe.

use super::relaxation::{AXIOM, Relaxation};
use crate::ground_task::ValueSource;
use crate::rows::Rows;
use crate::search_task::SearchTask;

/// Adds relaxed operators that achieve the required default values.
pub(super) fn add_defaults(task: &SearchTask, relaxation: &mut Relaxation) {
    if task.axioms.is_empty() {
        return;
    }
    let axioms_of = axioms_by_head(task);
    let circles = components(task, &axioms_of);
    let (needed_at_first, mut done) = (needed(task, relaxation), vec![false; task.sources.len()]);
    let mut queue = needed_at_first;
    while let Some(variable) = queue.pop() {
        if std::mem::replace(&mut done[variable as usize], true) {
            continue;
        }
        let Some(default) = default_of(task, variable) else { continue };
        let mut refuted = Vec::new();
        for &axiom in axioms_of.row(variable) {
            let body = &task.axioms[axiom as usize].0;
            if body.iter().any(|fact| circles[fact.variable as usize] == circles[variable as usize]) {
                continue;
            }
            let proposition = relaxation.new_proposition();
            refuted.push(proposition);
            for fact in body {
                let (first, last) = (task.offsets[fact.variable as usize], task.offsets[fact.variable as usize + 1]);
                for other in (first..last).filter(|&other| other != first + fact.value) {
                    relaxation.push(vec![other], [proposition], AXIOM);
                    if default_of(task, fact.variable) == Some(other - first) {
                        queue.push(fact.variable);
                    }
                }
            }
        }
        relaxation.push(refuted, [task.offsets[variable as usize] + default], AXIOM);
    }
}

fn default_of(task: &SearchTask, variable: u32) -> Option<u32> {
    if let ValueSource::Axioms { default, .. } = task.sources[variable as usize] { Some(default) } else { None }
}

fn axioms_by_head(task: &SearchTask) -> Rows<u32> {
    let mut heads = Rows::default();
    for (_, head) in &task.axioms {
        heads.push([head.variable]);
    }
    Rows::inverse(&heads, task.sources.len())
}

/// Returns the derived variables whose defaults occur in the goal, in operators or in axiom bodies.
fn needed(task: &SearchTask, relaxation: &Relaxation) -> Vec<u32> {
    let mut asked = vec![false; relaxation.propositions];
    for &proposition in relaxation.preconditions.iter().flatten().chain(&relaxation.goal) {
        asked[proposition as usize] = true;
    }
    (0..task.sources.len() as u32)
        .filter(|&variable| {
            default_of(task, variable)
                .is_some_and(|default| asked[(task.offsets[variable as usize] + default) as usize])
        })
        .collect()
}

/// Returns the strongly connected component of each variable, by an iterative version of Tarjan's algorithm.
fn components(task: &SearchTask, axioms_of: &Rows<u32>) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let variables = task.sources.len();
    let mut uses = Rows::default();
    for variable in 0..variables as u32 {
        uses.push(
            axioms_of
                .row(variable)
                .iter()
                .flat_map(|&axiom| task.axioms[axiom as usize].0.iter().map(|fact| fact.variable)),
        );
    }
    let (mut index, mut low, mut component) = (vec![NEW; variables], vec![NEW; variables], vec![NEW; variables]);
    let (mut next, mut components) = (0, 0);
    let (mut path, mut open): (Vec<(u32, u32)>, Vec<u32>) = (Vec::new(), Vec::new());
    for root in 0..variables as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        // Position 0 marks a variable that has not been visited; position `n + 1` stands for its use with index `n`.
        path.push((root, 0));
        while let Some((variable, place)) = path.pop() {
            let v = variable as usize;
            if place == 0 {
                index[v] = next;
                low[v] = next;
                next += 1;
                open.push(variable);
            }
            let place = place.max(1);
            if let Some(&used) = uses.row(variable).get(place as usize - 1) {
                let u = used as usize;
                if index[u] == NEW {
                    path.extend([(variable, place), (used, 0)]);
                } else {
                    if component[u] == NEW {
                        low[v] = low[v].min(low[u]);
                    }
                    path.push((variable, place + 1));
                }
                continue;
            }
            if low[v] == index[v] {
                while let Some(member) = open.pop() {
                    component[member as usize] = components;
                    if member == variable {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}
