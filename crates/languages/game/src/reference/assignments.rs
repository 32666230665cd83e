//! Enumeration of injective assignments of objects to variables.

use std::sync::Arc;

use goalspec_core::ids::ObjectId;
use smallvec::SmallVec;

use super::error::PlayError;
use super::program::Domain;

/// Maximum number of combinations of objects for one quantifier.
const MAX_COMBINATIONS: u128 = 1 << 20;

/// Work units of copying the objects of one domain, in addition to one for each object.
const DOMAIN_WORK: u64 = 8;

/// The objects assigned to some variables, in the order of the variables.
pub(super) type Assignment = SmallVec<[ObjectId; 6]>;

/// An iterator over the assignments of one object from each domain in which no object occurs twice. The last variable changes
/// fastest.
pub(super) struct Assignments {
    domains: Vec<Vec<ObjectId>>,
    /// For each domain, the index of the next object to try.
    next: Vec<usize>,
    chosen: Assignment,
    done: bool,
}

impl Assignments {
    /// Creates an iterator over the assignments that contain no object of `used`.
    ///
    /// # Errors
    /// Returns an error if there are more than [`MAX_COMBINATIONS`] combinations, including those with an object that occurs twice.
    pub(super) fn new(domains: &[Domain], used: &[ObjectId]) -> Result<Self, PlayError> {
        let free =
            |objects: &Arc<[ObjectId]>| objects.iter().copied().filter(|object| !used.contains(object)).collect();
        let domains: Vec<Vec<ObjectId>> = domains.iter().map(|domain| free(&domain.objects)).collect();
        let combinations = domains.iter().try_fold(1_u128, |all, domain| all.checked_mul(domain.len() as u128));
        if combinations.is_none_or(|combinations| combinations > MAX_COMBINATIONS) {
            return Err(PlayError::limit(format!(
                "a quantifier ranges over more than {MAX_COMBINATIONS} combinations"
            )));
        }
        let next = vec![0; domains.len()];
        Ok(Self { domains, next, chosen: SmallVec::new(), done: false })
    }

    /// Returns the work of creating the iterator, in units: the objects are copied.
    pub(super) fn setup_work(&self) -> u64 {
        self.domains.iter().map(|domain| DOMAIN_WORK + domain.len() as u64).sum()
    }
}

impl Iterator for Assignments {
    type Item = Assignment;

    fn next(&mut self) -> Option<Assignment> {
        if self.done {
            return None;
        }
        loop {
            let at = self.chosen.len();
            if at == self.domains.len() {
                let found = self.chosen.clone();
                self.done = self.chosen.pop().is_none();
                return Some(found);
            }
            if let Some(object) = self.domains[at].get(self.next[at]) {
                self.next[at] += 1;
                if !self.chosen.contains(object) {
                    self.chosen.push(*object);
                }
            } else {
                self.next[at] = 0;
                if self.chosen.pop().is_none() {
                    self.done = true;
                    return None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(domains: &[&[u32]], used: &[u32]) -> Vec<Vec<u32>> {
        let domains: Vec<Domain> = domains
            .iter()
            .enumerate()
            .map(|(index, objects)| Domain {
                name: super::super::program::NameId(index as u32),
                objects: objects.iter().copied().map(ObjectId).collect(),
            })
            .collect();
        let used: Vec<ObjectId> = used.iter().copied().map(ObjectId).collect();
        let assignments = Assignments::new(&domains, &used).expect("few combinations");
        assignments.map(|assignment| assignment.iter().map(|object| object.0).collect()).collect()
    }

    #[test]
    fn no_object_twice_and_last_variable_fastest() {
        assert_eq!(all(&[&[1, 2], &[1, 2, 3]], &[]), [[1, 2], [1, 3], [2, 1], [2, 3]]);
        assert_eq!(all(&[&[1, 2], &[1, 2, 3]], &[3]), [[1, 2], [2, 1]]);
    }

    #[test]
    fn no_variable_has_one_assignment_and_an_empty_domain_none() {
        assert_eq!(all(&[], &[]), [[0_u32; 0]]);
        assert!(all(&[&[1], &[]], &[]).is_empty());
        assert!(all(&[&[1]], &[1]).is_empty());
    }

    #[test]
    fn objects_listed_twice_are_tried_twice() {
        assert_eq!(all(&[&[1, 1]], &[]), [[1], [1]]);
    }
}
