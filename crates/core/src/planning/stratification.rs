//! Stratification of derived predicates.

use rustc_hash::FxHashMap;

use super::task::AxiomSchema;
use crate::condition::{Cardinality, Condition};
use crate::ids::PredicateId;

/// Returns the stratum of each derived predicate, from 0. The stratum of a predicate is above those of the derived predicates on which it
/// depends negatively, and not below those on which it depends positively.
///
/// # Errors
/// Returns a predicate that depends negatively on itself, in which case the rules have no stratification.
pub fn stratify(rules: &[AxiomSchema]) -> Result<FxHashMap<PredicateId, usize>, PredicateId> {
    let mut strata: FxHashMap<PredicateId, usize> = rules.iter().map(|rule| (rule.predicate, 0)).collect();
    let uses: Vec<(PredicateId, Vec<Occurrence>)> = rules
        .iter()
        .map(|rule| {
            let mut uses = Vec::new();
            collect(&rule.body, true, &mut uses);
            (rule.predicate, uses)
        })
        .collect();
    loop {
        let mut changed = false;
        for (head, uses) in &uses {
            let needed =
                uses.iter().filter_map(|used| Some(strata.get(&used.predicate)? + usize::from(!used.positive)));
            let needed = needed.max().unwrap_or(0);
            // A stratum number as large as the number of derived predicates implies a negative cycle.
            if needed >= strata.len() {
                return Err(*head);
            }
            if needed > strata[head] {
                strata.insert(*head, needed);
                changed = true;
            }
        }
        if !changed {
            return Ok(strata);
        }
    }
}

/// An occurrence of a predicate in a rule's body, with its polarity.
struct Occurrence {
    predicate: PredicateId,
    positive: bool,
}

fn collect(condition: &Condition, positive: bool, uses: &mut Vec<Occurrence>) {
    match condition {
        Condition::Atom(atom) => uses.push(Occurrence { predicate: atom.predicate, positive }),
        Condition::Not(body) => collect(body, !positive, uses),
        Condition::Imply(parts) => {
            collect(&parts[0], !positive, uses);
            collect(&parts[1], positive, uses);
        }
        Condition::Count(Cardinality::Exactly(_), _, body) => {
            collect(body, positive, uses);
            collect(body, !positive, uses);
        }
        _ => condition.children().iter().for_each(|part| collect(part, positive, uses)),
    }
}
