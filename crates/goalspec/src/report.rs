//! The results of one program: a [`ProgramVerdict`] on each state and a [`ProgramReport`] on the whole trace.

use goalspec_core::goal::{GoalReport, GoalVerdict};
use goalspec_core::monitor::{self, Evidence, GameReport, ScoreError};

use crate::progress::Progress;

/// The verdict of a program on one state.
#[derive(Debug, Clone)]
pub enum ProgramVerdict {
    /// The verdict of a game.
    Game(monitor::Verdict),
    /// The verdict of a goal.
    Goal {
        /// The truth values of the goal and its conjuncts in this state.
        verdict: GoalVerdict,
        /// The fraction of the goal that is reached, from 0 to 1.
        progress: f64,
        /// The change in progress since the previous state; in the first state, the progress itself.
        reward: f64,
    },
}

impl ProgramVerdict {
    /// Returns the reward of the state.
    pub fn reward(&self) -> f64 {
        match self {
            Self::Game(verdict) => verdict.reward,
            Self::Goal { reward, .. } => *reward,
        }
    }

    /// Returns the verdict on a state after the end: the same, without a reward and without new satisfactions.
    pub(crate) fn without_reward(&self) -> Self {
        match self {
            Self::Game(verdict) => Self::Game(monitor::Verdict { reward: 0.0, satisfied: Vec::new(), ..*verdict }),
            Self::Goal { verdict, progress, .. } => {
                Self::Goal { verdict: verdict.clone(), progress: *progress, reward: 0.0 }
            }
        }
    }

    /// Returns the score of a game so far, or the progress towards a goal.
    pub fn score(&self) -> f64 {
        match self {
            Self::Game(verdict) => verdict.score,
            Self::Goal { progress, .. } => *progress,
        }
    }

    /// Whether later states cannot change the result. Always `false` for goals.
    pub fn done(&self) -> bool {
        match self {
            Self::Game(verdict) => verdict.done,
            Self::Goal { .. } => false,
        }
    }
}

/// The result of a program over a whole trace.
#[derive(Debug, Clone)]
pub enum ProgramReport {
    /// The report of a game, with its score.
    Game(GameReport),
    /// The result of a goal.
    Goal(GoalScoreReport),
}

impl ProgramReport {
    /// Returns the number of states seen.
    pub fn states(&self) -> u64 {
        match self {
            Self::Game(report) => report.states,
            Self::Goal(goal) => goal.report.states,
        }
    }

    /// Returns the score. The score of a goal is the fraction of it that is reached in the last state.
    ///
    /// # Errors
    /// If there is no score: there were no states, the setup was never met, or the evaluation failed or was stopped.
    pub fn score(&self) -> Result<f64, &ScoreError> {
        match self {
            Self::Game(report) => report.score.as_ref().copied(),
            Self::Goal(GoalScoreReport { missing_score: Some(error), .. }) => Err(error),
            Self::Goal(goal) if goal.report.states == 0 => Err(&ScoreError::NoStates),
            Self::Goal(goal) => Ok(goal.progress.fraction),
        }
    }

    /// Returns the judgement of a game that was stopped in a state for this reason.
    pub(crate) fn stopped_game(state: u64, setup_met: bool, reason: String) -> Self {
        Self::Game(GameReport {
            score: Err(ScoreError::Undefined(reason.into())),
            states: state,
            setup_met,
            terminal: None,
            preferences: Vec::new(),
            remarks: Vec::new(),
        })
    }

    /// Returns remarks on the parts that were left out or could not be evaluated, as text.
    pub fn remarks(&self) -> &[String] {
        match self {
            Self::Game(report) => &report.remarks,
            Self::Goal(goal) => &goal.remarks,
        }
    }
}

/// The result of a goal over a whole trace.
#[derive(Debug, Clone)]
pub struct GoalScoreReport {
    /// The states in which the goal and its conjuncts held.
    pub report: GoalReport,
    /// The progress towards the goal in the last state.
    pub progress: Progress,
    /// The score of the BEHAVIOR challenge: 1 if the goal holds in the last state; otherwise the largest fraction, over the
    /// options of the goal, of literals that hold in the last state but did not hold in the first. `None` without states, and if
    /// the options of the goal are not known well enough.
    pub challenge_score: Option<f64>,
    /// The atoms that determine the value of each conjunct in the last state; empty unless [`ScoringOptions::explain`](crate::scoring::ScoringOptions::explain) is set.
    pub evidence: Vec<Vec<Evidence>>,
    /// Remarks on deviations from the usual measure of progress, as text.
    pub remarks: Vec<String>,
    /// The reason for a missing score, if the run was stopped before its end.
    pub missing_score: Option<ScoreError>,
}
