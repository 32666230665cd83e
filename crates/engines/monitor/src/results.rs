//! The score and the end of a game in a run, updated state by state.

use goalspec_core::monitor::{GameReport, PreferenceReport, ScoreError, UndefinedStates};

use crate::compiled_game::CompiledGame;
use crate::run::MAX_STATES;
use crate::satisfaction_counter::RunTally;

/// The score and the end of a game so far.
#[derive(Debug, Clone)]
pub(crate) struct GameResults {
    /// Whether the score or the terminal condition may have changed since they were last computed.
    pub(crate) is_outdated: bool,
    /// The score so far; 0 while it has no value.
    pub(crate) score: f64,
    /// The reason why the score has no value, once the setup has held.
    score_error: Option<ScoreError>,
    /// The states in which the score had no value.
    score_gaps: UndefinedStates,
    terminal_value: Result<bool, ScoreError>,
    /// The states in which the terminal condition had no value.
    terminal_gaps: UndefinedStates,
    /// The state in which the terminal condition ended the game.
    pub(crate) ended_in: Option<u32>,
}

/// The states in which the setup of a game held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SetupOutcome {
    /// The last one.
    pub(crate) latest: Option<u32>,
    /// Whether that is the present state.
    pub(crate) holds: bool,
}

impl Default for GameResults {
    fn default() -> Self {
        Self {
            is_outdated: true,
            score: 0.0,
            score_error: None,
            score_gaps: UndefinedStates::default(),
            terminal_value: Ok(false),
            terminal_gaps: UndefinedStates::default(),
            ended_in: None,
        }
    }
}

impl GameResults {
    /// Evaluates the terminal condition in the state `now`; returns whether it ends the game.
    pub(crate) fn update_end(&mut self, game: &CompiledGame, tally: &RunTally<'_>, now: u32) -> bool {
        let Some(terminal) = &game.game.terminal else { return false };
        if self.is_outdated || game.counters.terminal_needs_time {
            self.terminal_value = game.scoring.terminal(terminal, tally);
        }
        match &self.terminal_value {
            Ok(true) => self.ended_in = Some(now),
            Ok(false) => {}
            Err(error) => self.terminal_gaps.add(u64::from(now), error),
        }
        matches!(self.terminal_value, Ok(true))
    }

    /// Computes the score in the state `now`; `setup` is the last state in which the setup held.
    pub(crate) fn update_score(&mut self, game: &CompiledGame, tally: &RunTally<'_>, now: u32, setup: Option<u32>) {
        if self.is_outdated || game.counters.score_needs_time {
            let score = score(game, tally, now, setup);
            self.score_error = score.as_ref().err().filter(|_| setup.is_some()).cloned();
            self.score = score.unwrap_or(0.0);
            self.is_outdated = false;
        }
        if let Some(error) = &self.score_error {
            self.score_gaps.add(u64::from(now), error);
        }
    }

    /// Takes back that the latest state had no value: it is played again as the last one.
    pub(crate) fn remove_latest_state(&mut self) {
        if self.terminal_value.is_err() {
            self.terminal_gaps.remove_last();
        }
        if self.score_error.is_some() {
            self.score_gaps.remove_last();
        }
    }

    /// Returns the report on a game after `states` states, with these reports on its preferences.
    pub(crate) fn report(
        &self,
        game: &CompiledGame,
        tally: &RunTally<'_>,
        states: u32,
        setup: SetupOutcome,
        preferences: Vec<PreferenceReport>,
    ) -> GameReport {
        GameReport {
            score: score(game, tally, states, setup.latest),
            states: u64::from(states),
            setup_met: game.setup.is_none() || setup.latest.is_some(),
            terminal: self.ended_in.map(u64::from),
            preferences,
            remarks: self.remarks(game, tally, states, setup),
        }
    }

    fn remarks(&self, game: &CompiledGame, tally: &RunTally<'_>, states: u32, setup: SetupOutcome) -> Vec<String> {
        let mut remarks = Vec::new();
        for (compiled, tally) in game.preferences.iter().zip(tally.preferences) {
            let name = &compiled.preference.name;
            if let Some(reason) = &compiled.no_binding_reason {
                remarks.push(format!("`{name}` was not evaluated: {reason}"));
            } else if compiled.is_at_end() && setup.latest.is_some() && !setup.holds {
                remarks.push(format!("`{name}` was not evaluated: the setup is not satisfied in the last state"));
            }
            let unlisted = tally.unlisted();
            if unlisted > 0 {
                remarks.push(format!("{unlisted} further satisfactions of `{name}` are not listed"));
            }
        }
        remarks.extend(self.terminal_gaps.terminal_remark());
        remarks.extend(self.score_gaps.score_remark());
        if states == MAX_STATES && self.ended_in.is_none() {
            remarks.push(format!("the play was truncated at the limit of {MAX_STATES} states"));
        }
        remarks
    }
}

fn score(game: &CompiledGame, tally: &RunTally<'_>, states: u32, setup: Option<u32>) -> Result<f64, ScoreError> {
    if states == 0 {
        Err(ScoreError::NoStates)
    } else if setup.is_none() {
        Err(ScoreError::SetupNeverMet)
    } else {
        game.scoring.score(tally)
    }
}
