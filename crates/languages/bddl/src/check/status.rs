//! The fifteen checks that the releases run on every activity, and their verdicts.

/// A check that the releases require every published activity to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// Categories have the form of synsets, and instances the name of their category with a number.
    ObjectForm,
    /// `:objects` and `:init` have the same instances, and `:goal` has no other instances or categories.
    SameObjects,
    /// Every instance is placed in a room exactly once, directly or through its supports.
    AllPlaced,
    /// `future` instances are required to be `real`, and vice versa.
    FutureReal,
    /// No category is repeated in `:objects`.
    NoRepeatedCategory,
    /// No name in `:init` has a `?`.
    NoMarksInInit,
    /// No literal of `:init` occurs together with its negation.
    NoContradictoryInit,
    /// Every category is a synset of the taxonomy.
    KnownSynsets,
    /// Every predicate is one of the domain.
    KnownPredicates,
    /// The activity compiles: every name is resolved.
    Compiles,
    /// Predicates are applied to objects with the required abilities.
    Applicable,
    /// Containers for a specific substance are used as such.
    ContainersUsed,
    /// Every substance has a single instance.
    SingleSubstances,
    /// The agent is placed.
    AgentPresent,
    /// The name of the problem matches its activity.
    ProblemName,
}

impl Check {
    /// All checks, with the names of the upstream functions that implement them.
    pub const ALL: [(Self, &'static str); 15] = [
        (Self::ObjectForm, "object_list_correctly_formatted"),
        (Self::SameObjects, "all_objects_appropriate"),
        (Self::AllPlaced, "all_objects_placed"),
        (Self::FutureReal, "future_and_real_present"),
        (Self::NoRepeatedCategory, "no_repeat_object_lines"),
        (Self::NoMarksInInit, "no_qmarks_in_init"),
        (Self::NoContradictoryInit, "no_contradictory_init_atoms"),
        (Self::KnownSynsets, "no_invalid_synsets"),
        (Self::KnownPredicates, "no_invalid_predicates"),
        (Self::Compiles, "no_uncontrolled_category"),
        (Self::Applicable, "no_misaligned_synsets_predicates"),
        (Self::ContainersUsed, "no_unnecessary_specific_containers"),
        (Self::SingleSubstances, "no_substances_with_multiple_instances"),
        (Self::AgentPresent, "agent_present"),
        (Self::ProblemName, "problem_name_correct"),
    ];

    /// Returns the name of the upstream function that implements the check.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// The verdict of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CheckStatus {
    /// The check found no problem.
    #[default]
    Passed,
    /// The check found a problem, which a diagnostic reports.
    Failed,
    /// The check was not run: it needs a knowledge base, the name of the file, the source text, or a domain.
    Skipped,
}

/// The verdicts of all checks for one problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CheckStatuses([CheckStatus; 15]);

impl CheckStatuses {
    /// Returns the verdict of a check.
    pub fn of(&self, check: Check) -> CheckStatus {
        self.0[check as usize]
    }

    /// Returns all checks with their verdicts.
    pub fn iter(&self) -> impl Iterator<Item = (Check, CheckStatus)> + '_ {
        Check::ALL.iter().map(|&(check, _)| (check, self.of(check)))
    }

    /// Whether no check failed.
    pub fn all_pass(&self) -> bool {
        !self.0.contains(&CheckStatus::Failed)
    }

    /// Returns the verdicts of a problem whose checks were all skipped.
    pub(super) fn skipped() -> Self {
        Self([CheckStatus::Skipped; 15])
    }

    pub(super) fn set(&mut self, check: Check, verdict: CheckStatus) {
        self.0[check as usize] = verdict;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_listed_in_their_order() {
        assert!(Check::ALL.iter().enumerate().all(|(index, &(check, _))| check as usize == index));
    }
}
