//! The choices of the teams.

use std::sync::OnceLock;

use goalspec_resource::game::{ActionId, ChoiceId, TeamId};

use crate::lookahead::ValidityCheck;

/// The resolved choices of each team, in the order of the game.
#[derive(Debug)]
pub(crate) struct Choices {
    by_team: Vec<Box<[CompiledChoice]>>,
}

impl Choices {
    /// Creates the table of the choices of each team.
    pub(crate) fn new(by_team: Vec<Box<[CompiledChoice]>>) -> Self {
        Self { by_team }
    }

    /// Returns the number of choices of a team.
    pub(crate) fn count(&self, team: TeamId) -> usize {
        self.by_team[team.index()].len()
    }

    /// Returns a choice of a team, if it exists.
    #[inline]
    pub(crate) fn get(&self, team: TeamId, choice: ChoiceId) -> Option<&CompiledChoice> {
        self.by_team[team.index()].get(choice.index())
    }

    /// Returns a choice of a team by its index.
    ///
    /// # Panics
    /// If the team has no such choice.
    #[inline]
    pub(crate) fn at(&self, team: TeamId, index: usize) -> &CompiledChoice {
        &self.by_team[team.index()][index]
    }
}

/// A resolved choice of a team.
#[derive(Debug)]
pub(crate) struct CompiledChoice {
    meaning: ChoiceMeaning,
    roles: Box<[Role]>,
    validity: OnceLock<ValidityCheck>,
}

impl CompiledChoice {
    /// Creates a choice whose parameters have these roles.
    pub(crate) fn new(meaning: ChoiceMeaning, roles: Box<[Role]>) -> Self {
        Self { meaning, roles, validity: OnceLock::new() }
    }

    /// Returns its meaning.
    #[inline]
    pub(crate) fn meaning(&self) -> ChoiceMeaning {
        self.meaning
    }

    /// Returns the role of each parameter in the selection of vectors.
    #[inline]
    pub(crate) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Returns the assignments to try in order to determine whether the choice is valid; `compute` is called when they are first
    /// needed.
    pub(crate) fn validity(&self, compute: impl FnOnce() -> ValidityCheck) -> &ValidityCheck {
        self.validity.get_or_init(compute)
    }
}

/// The meaning of a choice.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ChoiceMeaning {
    /// A pass.
    Pass,
    /// An action.
    Action(ActionId),
    /// A choice that the game names but does not define.
    Undefined,
}

/// The role of a parameter in the selection of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It restricts the source.
    Source,
    /// It restricts the target.
    Target,
    /// It does not restrict vectors.
    None,
}
