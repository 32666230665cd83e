//! The fifteen checks that the releases run on every activity, and what came of each.

/// A check that every published activity must pass upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// Categories have the form of synsets, and instances that of their category with a number.
    ObjectForm,
    /// The same instances in `:objects` and `:init`; no others, nor other categories, in `:goal`.
    SameObjects,
    /// Every instance is placed in a room, directly or on others, and once.
    AllPlaced,
    /// `future` and `real` agree.
    FutureReal,
    /// No category twice in `:objects`.
    NoRepeatedCategory,
    /// No `?` in `:init`.
    NoMarksInInit,
    /// No literal of `:init` with its negation.
    NoContradictoryInit,
    /// Every category is a synset of the taxonomy.
    KnownSynsets,
    /// Every predicate is one of the domain.
    KnownPredicates,
    /// The activity compiles: every name stands for something.
    Compiles,
    /// Predicates are about things that can have them.
    Applicable,
    /// Containers of a substance are used as such.
    ContainersUsed,
    /// Substances have one instance.
    SingleSubstances,
    /// The agent is placed.
    AgentPresent,
    /// The problem is called like its activity.
    ProblemName,
}

impl Check {
    /// All of them, with the names of the functions that run them upstream.
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

    /// The name of the function that runs it upstream.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Verdict {
    /// Nothing was found.
    #[default]
    Passed,
    /// Something was found; a diagnostic says what.
    Failed,
    /// It was not run: it needs a knowledge base, the name of the file, the text, or a domain.
    Skipped,
}

/// What came of each check, for one problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Verdicts([Verdict; 15]);

impl Verdicts {
    /// What came of a check.
    pub fn of(&self, check: Check) -> Verdict {
        self.0[check as usize]
    }

    /// All checks with what came of them.
    pub fn iter(&self) -> impl Iterator<Item = (Check, Verdict)> + '_ {
        Check::ALL.iter().map(|&(check, _)| (check, self.of(check)))
    }

    /// Whether no check failed.
    pub fn all_pass(&self) -> bool {
        !self.0.contains(&Verdict::Failed)
    }

    /// No check was run.
    pub(super) fn skipped() -> Self {
        Self([Verdict::Skipped; 15])
    }

    pub(super) fn set(&mut self, check: Check, verdict: Verdict) {
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
