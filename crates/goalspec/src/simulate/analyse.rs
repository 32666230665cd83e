//! Finite games analysed exactly: how they end, and the best that a team can do.
//!
//! | module | what lives there |
//! |---|---|
//! | [`distribution`] | exact distributions of what is known at the end |
//! | [`export`] | models as files for the PRISM model checker |

pub mod distribution;
pub mod export;

use goalspec_core::resource::game::{Game, TeamId};
use goalspec_simulator::Simulator;
use goalspec_simulator::episode::MAX_TURNS;
use goalspec_simulator::exact::{Decisions, Goal, Limits, Model, Outcomes, Plan, Refusal};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use serde_json::{Map, Value as Json, json};

use self::distribution::Distribution;
use super::Ready;
use super::heading::Heading;
use super::players::Players;
use crate::codes;

/// How likely it may be that a game still goes on when nobody says how many turns it may have: so little is lost in rounding.
pub const REST: f64 = 1e-15;
/// How much values may still change, in parts of the greatest reward.
const TOLERANCE: f64 = 1e-13;
/// How many rounds the values of a best response may take.
const ROUNDS: u32 = 1_000_000;

/// What is asked of a game.
#[derive(Debug, Clone)]
pub struct Question {
    /// How each team plays.
    pub plans: Vec<Plan>,
    /// The team whose best response to the others is wanted; its plan is left aside.
    pub best: Option<TeamId>,
    /// How many turns a game may have. Otherwise games go on until they are over: until the probability that one still does is at
    /// most [`REST`], and for no more than [`MAX_TURNS`] turns.
    pub horizon: Option<u32>,
    /// How large the model may be.
    pub limits: Limits,
}

/// How far an analysis is.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// So many states were found so far.
    States(usize),
    /// The best response is looked for.
    Best,
    /// So many turns are over, and with this probability a game still goes on.
    Turns(u32, f64),
}

/// What is known of a game.
#[derive(Debug)]
pub struct Analysis {
    /// The model.
    pub model: Model,
    /// How many turns games may have, if that was said.
    pub horizon: Option<u32>,
    /// How games end; those of the best response if one was wanted.
    pub outcomes: Outcomes,
    /// The best response.
    pub best: Option<Response>,
}

/// The best that a team can do against the others.
#[derive(Debug)]
pub struct Response {
    /// The team.
    pub team: TeamId,
    /// What it can expect to have earned at the end.
    pub value: f64,
    /// How it is done, as a [table](goalspec_simulator::policy::table) of what it observes; or why no table says it.
    pub table: Result<String, Refusal>,
}

impl Question {
    /// The states of the game and what leads from one to another.
    ///
    /// # Errors
    /// If there is no such model, or it is larger than it may be.
    pub fn explore(&self, simulator: &Simulator, watch: &mut dyn FnMut(Step)) -> Result<Model, Refusal> {
        let mut plans = self.plans.clone();
        if let Some(team) = self.best {
            plans[team.index()] = Plan::Free;
        }
        let limits = Limits { turns: self.horizon, ..self.limits };
        Model::explore_watched(simulator, &plans, limits, &mut |states| watch(Step::States(states)))
    }

    /// Everything that is known of the game.
    ///
    /// # Errors
    /// As for [`explore`](Self::explore); and if the best response of a team is wanted that does not always earn a number.
    pub fn answer(&self, simulator: &Simulator, watch: &mut dyn FnMut(Step)) -> Result<Analysis, Refusal> {
        let model = self.explore(simulator, watch)?;
        let (best, outcomes) = match (self.best, self.horizon) {
            (None, _) => (None, self.outcomes(&model, Decisions::None, watch)?),
            (Some(team), Some(horizon)) => {
                watch(Step::Best);
                let best = model.best(team, Goal::Greatest, horizon)?;
                let table = model.settled(team, &best.decisions).and_then(|decisions| model.table(team, &decisions));
                let outcomes = self.outcomes(&model, Decisions::Turns(&best.decisions), watch)?;
                (Some(Response { team, value: best.value, table }), outcomes)
            }
            (Some(team), None) => {
                watch(Step::Best);
                let best = model.stationary(team, Goal::Greatest, tolerance(&model, team), ROUNDS)?;
                let table = model.table(team, &best.decisions);
                let outcomes = self.outcomes(&model, Decisions::Always(&best.decisions), watch)?;
                (Some(Response { team, value: best.values[0], table }), outcomes)
            }
        };
        Ok(Analysis { model, horizon: self.horizon, outcomes, best })
    }

    fn outcomes(&self, model: &Model, by: Decisions<'_>, watch: &mut dyn FnMut(Step)) -> Result<Outcomes, Refusal> {
        let (horizon, rest) = self.horizon.map_or((MAX_TURNS, REST), |horizon| (horizon, 0.0));
        model.outcomes_until(by, horizon, rest, &mut |turn, rest| watch(Step::Turns(turn, rest)))
    }
}

/// By how much the values of a team may still change.
fn tolerance(model: &Model, team: TeamId) -> f64 {
    let rewards = (0..model.len()).filter(|&state| model.is_over(state)).filter_map(|state| model.reward(state, team));
    TOLERANCE * rewards.map(f64::abs).fold(1.0, f64::max)
}

impl Analysis {
    /// The heading of a report on the analysis of a game that these players play.
    pub fn heading(&self, ready: &Ready, players: &Players) -> Heading {
        let players = players.clone();
        let players = match &self.best {
            Some(best) => players.played_by(best.team, "best-response"),
            None => players,
        };
        Heading::new(ready, &players, None)
    }

    /// Everything that has a distribution, each with what it is and its name.
    pub fn rows(&self) -> Vec<(&'static str, String, Distribution)> {
        let game = self.model.simulator().game();
        let rewards = game.teams.iter().zip(&self.outcomes.rewards);
        let metrics = game.metrics.iter().zip(&self.outcomes.metrics);
        std::iter::once(("turns", String::new(), Distribution::turns(&self.outcomes)))
            .chain(rewards.map(|(team, rows)| ("reward", team.name.to_string(), Distribution::rewards(rows))))
            .chain(metrics.map(|(metric, rows)| ("metric", metric.name.to_string(), Distribution::metric(rows))))
            .collect()
    }

    /// As JSON, after the [heading](Heading).
    pub fn json(&self, heading: &Heading) -> Json {
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
        for (what, name, distribution) in self.rows() {
            match what {
                "reward" => drop(rewards.insert(name, distribution.json())),
                "metric" => drop(metrics.insert(name, distribution.json())),
                _ => turns = distribution.json(),
            }
        }
        let best = self.best.as_ref().map(|best| {
            json!({
                "team": &*game.teams[best.team.index()].name,
                "value": best.value,
                "no_table": best.table.as_ref().err().map(|refusal| explain(refusal, game)),
            })
        });
        json!({
            "states": self.model.len(),
            "transitions": self.model.transitions(),
            "horizon": self.horizon,
            "analysed_turns": self.outcomes.horizon,
            "completed": self.outcomes.completed,
            "truncated": self.outcomes.truncated,
            "ever_ends": self.outcomes.ends,
            "best": best,
            "turns": turns,
            "rewards": rewards,
            "metrics": metrics,
        })
    }
}

/// Why a game is not analysed, in a sentence.
pub fn explain(refusal: &Refusal, game: &Game) -> String {
    match refusal {
        Refusal::Fails(failure) => format!("{refusal}: {}", failure.describe(game)),
        _ => refusal.to_string(),
    }
}

/// Why a game is not analysed, and what can be done about it.
pub fn refused(refusal: &Refusal, game: &Game) -> Diagnostic {
    let message = format!("`{}` is not analysed: {}", game.name, explain(refusal, game));
    let diagnostic = Diagnostic::new(codes::NOT_ANALYSED, Severity::Error, message);
    match help(refusal) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

fn help(refusal: &Refusal) -> Option<&'static str> {
    Some(match refusal {
        Refusal::States { .. } => {
            "allow more with `--max-states`, ask for the first turns only with `--horizon`, or play it with `goalspec simulate`"
        }
        Refusal::Transitions { .. } => "allow more with `--max-transitions`, or play it with `goalspec simulate`",
        Refusal::Bytes { .. } => "allow more with `--max-memory`, or play it with `goalspec simulate`",
        Refusal::Draw(_) => {
            "only odds and choices among vectors and values can be told apart; `goalspec simulate` plays it"
        }
        Refusal::Parameter { .. } => "say with `--policy` which values are chosen, or play it with `goalspec simulate`",
        Refusal::Hidden { .. } => "the value is what a team could do that sees everything",
        Refusal::Turn { .. } => "a resource that counts turns, and that the team sees, makes it a matter of the state",
        Refusal::Decisions { .. } => "give a shorter `--horizon`, or none",
        Refusal::NotConverged { .. } => "give a `--horizon`",
        _ => return None,
    })
}
