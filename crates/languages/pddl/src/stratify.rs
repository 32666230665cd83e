//! Stratification of derived predicates: none may depend on its own negation.

use std::collections::VecDeque;

use goalspec_core::condition::Condition;
use goalspec_core::ids::PredicateId;
use goalspec_core::planning::task::AxiomSchema;
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::vocabulary::Vocabulary;

/// Maximum number of diagnostics.
const MAX_FINDINGS: usize = 20;

/// A dependency on a predicate.
#[derive(Debug, Clone, Copy)]
struct Edge {
    to: usize,
    negative: bool,
    at: Option<Span>,
}

/// Reports derived predicates that depend on their own negation.
pub(crate) fn check(rules: &[AxiomSchema], vocabulary: &Vocabulary) -> Vec<Diagnostic> {
    let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); vocabulary.predicates.iter().len()];
    let mut known = FxHashSet::default();
    for rule in rules {
        let from = rule.predicate.index();
        visit_dependencies(&rule.body, false, &mut |predicate: PredicateId, negative: bool, span: Option<Span>| {
            let to = predicate.index();
            if known.insert((from, to, negative)) {
                edges[from].push(Edge { to, negative, at: span });
            }
        });
    }
    let groups = components(&edges);
    let name = |index: usize| format!("`{}`", vocabulary.predicates.get(index).name.written());
    let mut found: Vec<Diagnostic> = Vec::new();
    for (from, edge) in edges.iter().enumerate().flat_map(|(from, edges)| edges.iter().map(move |edge| (from, edge))) {
        if !edge.negative || groups[from] != groups[edge.to] || found.len() == MAX_FINDINGS {
            continue;
        }
        let message = if from == edge.to {
            format!("{} depends on its own negation", name(from))
        } else {
            let path: Vec<String> = shortest_path(&edges, edge.to, from).into_iter().map(name).collect();
            format!(
                "{} depends on its own negation: it depends on the negation of {}",
                name(from),
                path.join(", which depends on ")
            )
        };
        let at = edge.at.unwrap_or(vocabulary.predicates.get(from).name.span);
        found.push(Diagnostic::error(codes::UNSTRATIFIED, at, message));
    }
    found
}

/// For each predicate its strongly connected component in the dependency graph (Tarjan's algorithm).
fn components(edges: &[Vec<Edge>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let (mut order, mut low, mut group) = (vec![NEW; edges.len()], vec![0; edges.len()], vec![NEW; edges.len()]);
    let (mut next, mut stack) = (0, Vec::new());
    for start in 0..edges.len() {
        if order[start] != NEW {
            continue;
        }
        // The search path, each predicate with the number of its edges processed.
        let mut open = vec![(start, 0)];
        while let Some(&mut (at, ref mut edge)) = open.last_mut() {
            if *edge == 0 && order[at] == NEW {
                (order[at], low[at]) = (next, next);
                next += 1;
                stack.push(at);
            }
            if let Some(&Edge { to, .. }) = edges[at].get(*edge) {
                *edge += 1;
                if order[to] == NEW {
                    open.push((to, 0));
                } else if group[to] == NEW {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            open.pop();
            if let Some(&(before, _)) = open.last() {
                low[before] = low[before].min(low[at]);
            }
            if low[at] == order[at] {
                while let Some(member) = stack.pop() {
                    group[member] = at;
                    if member == at {
                        break;
                    }
                }
            }
        }
    }
    group
}

/// Returns a shortest path from one predicate to another, including both.
fn shortest_path(edges: &[Vec<Edge>], from: usize, to: usize) -> Vec<usize> {
    let mut predecessors = vec![None; edges.len()];
    let mut queue = VecDeque::from([from]);
    predecessors[from] = Some(from);
    while let Some(at) = queue.pop_front().filter(|&at| at != to) {
        for edge in &edges[at] {
            if predecessors[edge.to].is_none() {
                predecessors[edge.to] = Some(at);
                queue.push_back(edge.to);
            }
        }
    }
    let mut path = vec![to];
    let mut at = to;
    while let Some(next) = predecessors[at].filter(|_| at != from) {
        at = next;
        path.push(at);
    }
    path.reverse();
    path
}

/// Visits the predicates that a condition depends on, with the polarity and the span of the dependency.
pub(crate) fn visit_dependencies(
    condition: &Condition,
    negative: bool,
    visit: &mut impl FnMut(PredicateId, bool, Option<Span>),
) {
    match condition {
        Condition::Atom(atom) => visit(atom.predicate, negative, atom.origin.0),
        Condition::Not(body) => visit_dependencies(body, !negative, visit),
        Condition::And(parts) | Condition::Or(parts) => {
            for part in parts {
                visit_dependencies(part, negative, visit);
            }
        }
        Condition::Imply(parts) => {
            visit_dependencies(&parts[0], !negative, visit);
            visit_dependencies(&parts[1], negative, visit);
        }
        Condition::Exists(_, body) | Condition::Forall(_, body) => visit_dependencies(body, negative, visit),
        _ => {}
    }
}
