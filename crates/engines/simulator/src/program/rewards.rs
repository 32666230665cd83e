//! The rewards of the teams.

use goalspec_resource::game::TeamId;

use super::expressions::Expr;

/// The rewards of the teams.
#[derive(Debug)]
pub(crate) struct Rewards {
    by_team: Vec<TeamReward>,
}

/// The reward of a team.
#[derive(Debug)]
pub(crate) struct TeamReward {
    /// Its value; `None` if the game defines none.
    pub(crate) value: Option<Expr>,
    /// Whether the value may not be a number and therefore has to be checked after every turn.
    pub(crate) needs_check: bool,
    /// Whether the value may draw random numbers.
    pub(crate) draws: bool,
}

impl Rewards {
    /// Creates the table of the rewards of each team.
    pub(crate) fn new(by_team: Vec<TeamReward>) -> Self {
        Self { by_team }
    }

    /// Returns the value of the reward of a team; `None` if the game defines none.
    pub(crate) fn value(&self, team: TeamId) -> Option<&Expr> {
        self.by_team[team.index()].value.as_ref()
    }

    /// Whether the reward of a team may not be a number and therefore has to be checked after every turn.
    #[inline]
    pub(crate) fn needs_check(&self, team: TeamId) -> bool {
        self.by_team[team.index()].needs_check
    }

    /// Whether the reward of a team may draw random numbers.
    #[inline]
    pub(crate) fn draws(&self, team: TeamId) -> bool {
        self.by_team[team.index()].draws
    }
}
