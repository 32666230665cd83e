//! Whether rules have a meaning: no derived predicate may depend on its own negation.

use goalspec_core::condition::Condition;
use goalspec_core::ids::PredicateId;
use goalspec_core::planning::task::Rule;
use goalspec_syntax::{Diagnostic, Span};

use crate::codes;
use crate::vocabulary::Vocabulary;

/// That one predicate depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
    negative: bool,
    at: Option<Span>,
}

/// Reports the predicates that depend on their own negation.
pub(crate) fn check(rules: &[Rule], vocabulary: &Vocabulary) -> Vec<Diagnostic> {
    let mut edges = Vec::new();
    for rule in rules {
        let mut note = |predicate: PredicateId, negative: bool, at: Option<Span>| {
            let edge = Edge { from: rule.predicate.index(), to: predicate.index(), negative, at };
            if !edges
                .iter()
                .any(|known: &Edge| (known.from, known.to, known.negative) == (edge.from, edge.to, negative))
            {
                edges.push(edge);
            }
        };
        depends(&rule.body, false, &mut note);
    }
    let name = |index: usize| format!("`{}`", vocabulary.predicates.get(index).name.written());
    let mut found: Vec<Diagnostic> = Vec::new();
    for edge in edges.iter().filter(|edge| edge.negative) {
        let Some(way) = way(&edges, edge.to, edge.from, vocabulary.predicates.iter().len()) else { continue };
        let message = if edge.from == edge.to {
            format!("{} depends on its own negation", name(edge.from))
        } else {
            let way: Vec<String> = way.into_iter().map(name).collect();
            format!("{} depends on its own negation: on not {}", name(edge.from), way.join(", which depends on "))
        };
        let at = edge.at.unwrap_or(vocabulary.predicates.get(edge.from).name.span);
        found.push(Diagnostic::error(codes::UNSTRATIFIED, at, message));
    }
    found
}

/// The predicates on a way from one to another, both included.
fn way(edges: &[Edge], from: usize, to: usize, predicates: usize) -> Option<Vec<usize>> {
    let mut before = vec![None; predicates];
    let mut queue = std::collections::VecDeque::from([from]);
    before[from] = Some(from);
    while let Some(at) = queue.pop_front() {
        if at == to {
            let mut way = vec![at];
            let mut at = at;
            while at != from {
                at = before[at].unwrap_or(from);
                way.push(at);
            }
            way.reverse();
            return Some(way);
        }
        for edge in edges.iter().filter(|edge| edge.from == at) {
            if before[edge.to].is_none() {
                before[edge.to] = Some(at);
                queue.push_back(edge.to);
            }
        }
    }
    None
}

/// Visits the predicates that a condition depends on, and whether it does so negatively.
pub(crate) fn depends(condition: &Condition, negative: bool, visit: &mut impl FnMut(PredicateId, bool, Option<Span>)) {
    match condition {
        Condition::Atom(atom) => visit(atom.predicate, negative, atom.origin.0),
        Condition::Not(body) => depends(body, !negative, visit),
        Condition::And(parts) | Condition::Or(parts) => {
            for part in parts {
                depends(part, negative, visit);
            }
        }
        Condition::Imply(parts) => {
            depends(&parts[0], !negative, visit);
            depends(&parts[1], negative, visit);
        }
        Condition::Exists(_, body) | Condition::Forall(_, body) => depends(body, negative, visit),
        _ => {}
    }
}
