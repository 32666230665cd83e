//! Stratification of axioms: a variable whose default a body requires belongs to a lower layer than the head.

use crate::ground_task::{Axiom, ValueSource, Variable};

/// Assigns layers to the variables of axioms; `None` if the axioms are not stratifiable.
pub(super) fn stratify(variables: &mut [Variable], axioms: &[Axiom]) -> Option<()> {
    let mut needs: Vec<Vec<(usize, bool)>> = vec![Vec::new(); variables.len()];
    for axiom in axioms {
        for fact in &axiom.body {
            if let ValueSource::Axioms { default, .. } = variables[fact.variable as usize].source {
                needs[axiom.head.variable as usize].push((fact.variable as usize, fact.value == default));
            }
        }
    }
    let component = components(&needs);
    let count = component.iter().copied().max().map_or(0, |last| last + 1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (variable, &component) in component.iter().enumerate() {
        members[component].push(variable);
    }
    // Components are numbered after those that they depend on.
    let mut layer = vec![0_u32; count];
    for at in 0..count {
        for &(needed, negated) in members[at].iter().flat_map(|&variable| &needs[variable]) {
            let other = component[needed];
            if other == at && negated {
                return None;
            }
            if other != at {
                layer[at] = layer[at].max(layer[other] + u32::from(negated));
            }
        }
    }
    for (variable, decl) in variables.iter_mut().enumerate() {
        if let ValueSource::Axioms { layer: of, .. } = &mut decl.source {
            *of = layer[component[variable]];
        }
    }
    Some(())
}

/// Returns the strongly connected component of each node, in reverse topological order: dependencies have smaller numbers
/// (Tarjan 1972, iteratively).
fn components(needs: &[Vec<(usize, bool)>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let mut component = vec![NEW; needs.len()];
    let (mut order, mut low) = (vec![NEW; needs.len()], vec![0; needs.len()]);
    let (mut open, mut calls): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let (mut next, mut found) = (0, 0);
    for start in 0..needs.len() {
        if order[start] != NEW {
            continue;
        }
        calls.push((start, 0));
        while let Some((node, at)) = calls.pop() {
            if at == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
            }
            if let Some(&(needed, _)) = needs[node].get(at) {
                calls.push((node, at + 1));
                if order[needed] == NEW {
                    calls.push((needed, 0));
                } else if component[needed] == NEW {
                    low[node] = low[node].min(order[needed]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[node]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn dependencies_come_first() {
        let needs = [vec![(1, false)], vec![(2, false), (3, true)], vec![(1, false)], vec![]];
        let component = components(&needs);
        assert_eq!(component[1], component[2]);
        assert!(component[3] < component[1] && component[1] < component[0]);
    }
}
