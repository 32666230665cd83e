//! Exact analysis of finite games: the distribution of their outcomes, and best responses.
//!
//! | module | contents |
//! |---|---|
//! | [`distribution`] | exact distributions of the values at the end of a game |
//! | [`export`] | models in the file format of the PRISM model checker |

pub mod distribution;
pub mod export;

use goalspec_resource::game::{Game, TeamId};
use goalspec_simulator::Simulator;
use goalspec_simulator::episode::MAX_TURNS;
use goalspec_simulator::exact::{
    AnalysisError, DecisionRule, Model, ModelLimits, Optimization, OutcomeDistribution, TeamPolicy,
};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::{ExceededLimit, Severity};
use serde_json::{Map, Value as Json, json};

use self::distribution::Distribution;
use crate::codes;
use crate::game::LoadedGame;
use crate::metadata::ReportMetadata;
use crate::policies::TeamPolicies;

/// The probability of an unfinished game at which an analysis without a horizon ends, negligible compared with rounding errors.
pub const MAX_UNFINISHED_PROBABILITY: f64 = 1e-15;
/// The tolerance of value iteration, relative to the maximum reward.
const TOLERANCE: f64 = 1e-13;
/// The maximum number of iterations for the values of a best response.
const MAX_ITERATIONS: u32 = 1_000_000;

/// The parameters of an exact analysis.
#[derive(Debug, Clone)]
pub struct AnalysisRequest {
    /// The plan of each team.
    pub plans: Vec<TeamPolicy>,
    /// The team whose best response to the others is computed; its plan is ignored.
    pub best_response_for: Option<TeamId>,
    /// The maximum number of turns. If `None`, the analysis ends when the probability that a game is unfinished is at most
    /// [`MAX_UNFINISHED_PROBABILITY`], or after [`MAX_TURNS`] turns.
    pub horizon: Option<u32>,
    /// The limits on the size of the model.
    pub limits: ModelLimits,
}

/// A progress report of an analysis.
#[derive(Debug, Clone, Copy)]
pub enum AnalysisEvent {
    /// The number of states found so far.
    States(usize),
    /// The start of the computation of the best response.
    BestResponse,
    /// The number of analysed turns, and the probability that a game is unfinished after them.
    Turns(u32, f64),
}

/// The result of an exact analysis.
#[derive(Debug)]
pub struct Analysis {
    /// The model.
    pub model: Model,
    /// The maximum number of turns, if it was set.
    pub horizon: Option<u32>,
    /// The distribution of the outcomes, under the best response if one was computed.
    pub outcomes: OutcomeDistribution,
    /// The best response, if it was requested.
    pub best_response: Option<BestResponse>,
}

/// The best response of a team to the policies of the others.
#[derive(Debug)]
pub struct BestResponse {
    /// The team.
    pub team: TeamId,
    /// The expected reward of the team at the end.
    pub value: f64,
    /// The policy as a [table](goalspec_simulator::policy::table) over the observations of the team, or the reason why there is
    /// no such table.
    pub table: Result<String, AnalysisError>,
}

impl AnalysisRequest {
    /// Explores the states of the game and the transitions between them.
    ///
    /// # Errors
    /// If the game has no finite model, or its model exceeds the limits.
    pub fn explore(
        &self,
        simulator: &Simulator,
        observer: &mut dyn FnMut(AnalysisEvent),
    ) -> Result<Model, AnalysisError> {
        let mut plans = self.plans.clone();
        if let Some(team) = self.best_response_for {
            plans[team.index()] = TeamPolicy::Unspecified;
        }
        let limits = ModelLimits { turns: self.horizon, ..self.limits };
        Model::explore_with_progress(simulator, &plans, limits, &mut |states| observer(AnalysisEvent::States(states)))
    }

    /// Analyses the game.
    ///
    /// # Errors
    /// As for [`explore`](Self::explore). Also if the best response is requested for a team whose reward is not always a number.
    pub fn analyse(
        &self,
        simulator: &Simulator,
        observer: &mut dyn FnMut(AnalysisEvent),
    ) -> Result<Analysis, AnalysisError> {
        let model = self.explore(simulator, observer)?;
        let (best, outcomes) = match (self.best_response_for, self.horizon) {
            (None, _) => (None, self.outcomes(&model, DecisionRule::None, observer)?),
            (Some(team), Some(horizon)) => {
                observer(AnalysisEvent::BestResponse);
                let best = model.best_response(team, Optimization::Maximize, horizon)?;
                let table = model
                    .time_independent_decisions(team, &best.decisions)
                    .and_then(|decisions| model.policy_table(team, &decisions));
                let outcomes = self.outcomes(&model, DecisionRule::PerTurn(&best.decisions), observer)?;
                (Some(BestResponse { team, value: best.value, table }), outcomes)
            }
            (Some(team), None) => {
                observer(AnalysisEvent::BestResponse);
                let best =
                    model.value_iteration(team, Optimization::Maximize, tolerance(&model, team), MAX_ITERATIONS)?;
                let table = model.policy_table(team, &best.decisions);
                let outcomes = self.outcomes(&model, DecisionRule::Stationary(&best.decisions), observer)?;
                (Some(BestResponse { team, value: best.values[0], table }), outcomes)
            }
        };
        Ok(Analysis { model, horizon: self.horizon, outcomes, best_response: best })
    }

    fn outcomes(
        &self,
        model: &Model,
        rule: DecisionRule<'_>,
        observer: &mut dyn FnMut(AnalysisEvent),
    ) -> Result<OutcomeDistribution, AnalysisError> {
        let (horizon, rest) = self.horizon.map_or((MAX_TURNS, MAX_UNFINISHED_PROBABILITY), |horizon| (horizon, 0.0));
        model.outcomes_until(rule, horizon, rest, &mut |turn, rest| observer(AnalysisEvent::Turns(turn, rest)))
    }
}

/// Returns the tolerance of value iteration for a team.
fn tolerance(model: &Model, team: TeamId) -> f64 {
    let rewards = (0..model.len()).filter(|&state| model.is_over(state)).filter_map(|state| model.reward(state, team));
    TOLERANCE * rewards.map(f64::abs).fold(1.0, f64::max)
}

impl Analysis {
    /// Returns the heading of a report on the analysis with these policies.
    pub fn heading(&self, ready: &LoadedGame, players: &TeamPolicies) -> ReportMetadata {
        let players = players.clone();
        let players = match &self.best_response {
            Some(best) => players.with_label(best.team, "best-response"),
            None => players,
        };
        ReportMetadata::new(ready, &players, None)
    }

    /// Returns every distribution, with the kind of its quantity and the name of the team or metric.
    pub fn rows(&self) -> Vec<(&'static str, String, Distribution)> {
        let game = self.model.simulator().game();
        let rewards = game.teams.iter().zip(&self.outcomes.rewards);
        let metrics = game.metrics.iter().zip(&self.outcomes.metrics);
        std::iter::once(("turns", String::new(), Distribution::turns(&self.outcomes)))
            .chain(rewards.map(|(team, rows)| ("reward", team.name.to_string(), Distribution::rewards(rows))))
            .chain(metrics.map(|(metric, rows)| ("metric", metric.name.to_string(), Distribution::metric(rows))))
            .collect()
    }

    /// Returns the analysis as JSON, after the [heading](ReportMetadata).
    pub fn json(&self, heading: &ReportMetadata) -> Json {
        let mut report = heading.json();
        if let Json::Object(answers) = self.answers() {
            report.extend(answers);
        }
        Json::Object(report)
    }

    fn answers(&self) -> Json {
        let game = self.model.simulator().game();
        let (mut rewards, mut metrics) = (Map::new(), Map::new());
        let mut turns = Json::Null;
        for (kind, name, distribution) in self.rows() {
            match kind {
                "reward" => drop(rewards.insert(name, distribution.json())),
                "metric" => drop(metrics.insert(name, distribution.json())),
                _ => turns = distribution.json(),
            }
        }
        let best = self.best_response.as_ref().map(|best| {
            json!({
                "team": &*game.teams[best.team.index()].name,
                "value": best.value,
                "table_error": best.table.as_ref().err().map(|error| analysis_error_text(error, game)),
            })
        });
        json!({
            "states": self.model.len(),
            "transitions": self.model.transitions(),
            "horizon": self.horizon,
            "analysed_turns": self.outcomes.horizon,
            "completed": self.outcomes.completed,
            "truncated": self.outcomes.truncated,
            "ever_ends": self.outcomes.termination_bounds,
            "best_response": best,
            "turns": turns,
            "rewards": rewards,
            "metrics": metrics,
        })
    }
}

/// Describes why a game is not analysed.
pub fn analysis_error_text(error: &AnalysisError, game: &Game) -> String {
    match error {
        AnalysisError::GameFailed(failure) => format!("{error}: {}", failure.describe(game)),
        _ => error.to_string(),
    }
}

/// Returns the error that a game is not analysed, with help if there is any.
pub fn analysis_error_diagnostic(error: &AnalysisError, game: &Game) -> Diagnostic {
    let message = format!("cannot analyse `{}`: {}", game.name, analysis_error_text(error, game));
    let diagnostic = Diagnostic::new(codes::NOT_ANALYSED, Severity::Error, message).with_exceeded(exceeded(error));
    match help(error) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// Returns the limit that was exceeded, if the error is one.
fn exceeded(error: &AnalysisError) -> Option<ExceededLimit> {
    match error {
        AnalysisError::TooManyStates { limit, .. }
        | AnalysisError::TooManyTransitions { limit }
        | AnalysisError::TooManyBytes { limit } => Some(ExceededLimit { limit: *limit as u64, asked: None }),
        _ => None,
    }
}

fn help(error: &AnalysisError) -> Option<&'static str> {
    Some(match error {
        AnalysisError::TooManyStates { .. } => {
            "raise `--max-states`, limit the number of turns with `--horizon`, or use `goalspec simulate`"
        }
        AnalysisError::TooManyTransitions { .. } => "raise `--max-transitions`, or use `goalspec simulate`",
        AnalysisError::TooManyBytes { .. } => "raise `--max-memory`, or use `goalspec simulate`",
        AnalysisError::UnsupportedDraw(_) => {
            "exact analysis supports only odds and finite choices; use `goalspec simulate`"
        }
        AnalysisError::NonEnumerableParameter { .. } => "choose the values with `--policy`, or use `goalspec simulate`",
        AnalysisError::NotObservable { .. } => "the value assumes that the team observes the whole state",
        AnalysisError::TimeDependent { .. } => "add a resource that counts turns and that the team sees",
        AnalysisError::TooManyDecisions { .. } => "use a shorter `--horizon`, or none",
        AnalysisError::NotConverged { .. } => "use a `--horizon`",
        _ => return None,
    })
}
