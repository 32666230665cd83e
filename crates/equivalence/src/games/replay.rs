//! Playing of a trace in two games by the reference interpreter, and the first state in which they disagree.

use std::sync::Arc;

use goalspec_core::explain::Explainer;
use goalspec_core::ids::ObjectId;
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{Attempt, GameMonitor, GameReport, MonitorError, Satisfaction, ScoreError};
use goalspec_core::playback::Playback;
use goalspec_core::program::Game;
use goalspec_core::state::Delta;
use goalspec_core::world::World;

use super::Aspects;

/// A disagreement of two games about a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// The state, counted from 1, in which it becomes known.
    pub state: u64,
    /// The names of the preference in both games, if it is about a preference.
    pub preference: Option<[Arc<str>; 2]>,
    /// The aspect on which the games disagree: `satisfactions`, `truth`, `counts`, `rewards`, `score` or `end`.
    pub aspect: &'static str,
    /// The result of each game, as a sentence.
    pub statements: [String; 2],
    /// Why a game says so, as far as it is known: the conditions that made its best attempt at the preference fail.
    pub reasons: [Vec<String>; 2],
}

/// A satisfaction without names: the objects, the first and the last state, and the measures.
type PlainSatisfaction = (Vec<ObjectId>, u64, u64, Vec<u64>);

/// The comparison of two games of one world on single traces.
#[derive(Clone, Copy)]
pub(crate) struct Replay<'r> {
    pub(crate) world: &'r Arc<World>,
    pub(crate) games: [&'r Arc<Game>; 2],
    /// The indices of preferences that correspond to each other.
    pub(crate) pairs: &'r [(usize, usize)],
    pub(crate) aspects: Aspects,
}

/// Whether two numbers are the same apart from rounding.
pub(crate) fn is_close(one: f64, other: f64) -> bool {
    one.total_cmp(&other).is_eq() || (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

impl Replay<'_> {
    /// Plays a trace in both games. Returns the first disagreement, if there is one.
    ///
    /// # Errors
    /// If the reference interpreter rejects a game.
    pub(crate) fn disagreement(&self, deltas: &[Delta]) -> Result<Option<Disagreement>, MonitorError> {
        let of = |game: &Arc<Game>| GameInterpreter::new(Arc::clone(self.world), Arc::clone(game));
        let mut monitors = [of(self.games[0])?, of(self.games[1])?];
        let mut playback = Playback::new(Arc::clone(self.world));
        let mut found = None;
        for (number, delta) in (1..).zip(deltas) {
            playback.advance(delta);
            let verdicts = monitors.each_mut().map(|monitor| monitor.step(&playback.update(delta, false)));
            if found.is_none() {
                found = self.satisfactions(number, verdicts.each_ref().map(|verdict| &verdict.satisfied[..]));
            }
            let scores = verdicts.each_ref().map(|verdict| verdict.score);
            if found.is_none() && self.aspects.rewards && !is_close(scores[0], scores[1]) {
                let statements = scores.map(|score| format!("the score is {score}"));
                found = Some(Disagreement::new(number, "rewards", statements));
            }
            let [one, other] = verdicts.each_ref().map(|verdict| verdict.done);
            if self.aspects.end && one != other && found.is_none() {
                found = Some(Disagreement::new(number, "end", [one, other].map(end_statement)));
            }
            if found.is_some() || one && other {
                break;
            }
        }
        let reports = monitors.each_mut().map(|monitor| monitor.finish(playback.state()));
        let found = found.or_else(|| self.of_reports(&reports));
        Ok(found.map(|found| self.explained(found, reports, deltas)))
    }

    /// Returns whether the preferences of a pair are satisfied on a trace.
    ///
    /// # Errors
    /// If the reference interpreter rejects a game.
    pub(crate) fn truths(&self, deltas: &[Delta], pair: (usize, usize)) -> Result<[bool; 2], MonitorError> {
        let of = |side: usize, index: usize| -> Result<bool, MonitorError> {
            let mut monitor = GameInterpreter::new(Arc::clone(self.world), Arc::clone(self.games[side]))?;
            let mut playback = Playback::new(Arc::clone(self.world));
            for delta in deltas {
                playback.advance(delta);
                monitor.step(&playback.update(delta, false));
            }
            Ok(!monitor.finish(playback.state()).preferences[index].satisfactions.is_empty())
        };
        Ok([of(0, pair.0)?, of(1, pair.1)?])
    }

    fn satisfactions(&self, state: u64, satisfied: [&[(usize, Satisfaction)]; 2]) -> Option<Disagreement> {
        let of = |side: usize, preference: usize| -> Vec<&Satisfaction> {
            let all = satisfied[side].iter().filter(|&&(index, _)| index == preference);
            all.map(|(_, satisfaction)| satisfaction).collect()
        };
        let mut pairs = self.pairs.iter().filter(|_| self.aspects.satisfactions);
        pairs.find_map(|&pair| self.of_satisfactions(state, pair, [&of(0, pair.0), &of(1, pair.1)]))
    }

    fn of_satisfactions(
        &self,
        state: u64,
        pair: (usize, usize),
        satisfied: [&[&Satisfaction]; 2],
    ) -> Option<Disagreement> {
        let plain = satisfied.map(|all| {
            let mut all: Vec<PlainSatisfaction> = all.iter().copied().map(plain).collect();
            all.sort();
            all
        });
        if plain[0] == plain[1] {
            return None;
        }
        let statements = [0, 1].map(|side: usize| {
            let own = satisfied[side].iter().find(|satisfaction| !plain[1 - side].contains(&self::plain(satisfaction)));
            own.or(satisfied[side].first()).map_or_else(|| "not satisfied".to_owned(), |own| self.statement(own))
        });
        Some(Disagreement {
            preference: Some(self.names(pair)),
            ..Disagreement::new(state, "satisfactions", statements)
        })
    }

    fn names(&self, (one, other): (usize, usize)) -> [Arc<str>; 2] {
        [(0, one), (1, other)].map(|(side, index): (usize, usize)| self.games[side].preferences[index].name.clone())
    }

    fn statement(&self, satisfaction: &Satisfaction) -> String {
        let label =
            |&(ref variable, object): &(Arc<str>, ObjectId)| format!("{variable} = {}", self.world.label(object));
        let binding: Vec<String> = satisfaction.binding.iter().map(label).collect();
        let with = if binding.is_empty() { String::new() } else { format!(" with {}", binding.join(", ")) };
        let measures: Vec<String> =
            satisfaction.measures.iter().map(|(name, value)| format!(", {name} = {value}")).collect();
        let states = match (satisfaction.start, satisfaction.end) {
            (start, end) if start == end => format!("state {end}"),
            (start, end) => format!("states {start} to {end}"),
        };
        format!("satisfied in {states}{with}{}", measures.concat())
    }

    fn of_reports(&self, reports: &[GameReport; 2]) -> Option<Disagreement> {
        let state = reports[0].states.max(reports[1].states);
        let of = |side: usize, index: usize| &reports[side].preferences[index];
        for &pair in self.pairs {
            let both = [of(0, pair.0), of(1, pair.1)];
            let all = both.map(|report| report.satisfactions.iter().collect::<Vec<_>>());
            if self.aspects.satisfactions
                && let Some(found) = self.of_satisfactions(state, pair, [&all[0], &all[1]])
            {
                return Some(found);
            }
            let counts = both.map(|report| report.count);
            let of_pair = |aspect, statements| {
                Some(Disagreement {
                    preference: Some(self.names(pair)),
                    ..Disagreement::new(state, aspect, statements)
                })
            };
            if self.aspects.counts && counts[0] != counts[1] {
                return of_pair("counts", counts.map(|count| format!("counted {count} times")));
            }
            let truths = both.map(|report| !report.satisfactions.is_empty());
            if self.aspects.truth && truths[0] != truths[1] {
                let text = |is_satisfied: bool| if is_satisfied { "satisfied" } else { "not satisfied" }.to_owned();
                return of_pair("truth", truths.map(text));
            }
        }
        let is_same = match [&reports[0].score, &reports[1].score] {
            [Ok(one), Ok(other)] => is_close(*one, *other),
            [one, other] => one.is_err() && other.is_err(),
        };
        if self.aspects.score && !is_same {
            return Some(Disagreement::new(
                state,
                "score",
                reports.each_ref().map(|report| score_statement(&report.score)),
            ));
        }
        let ends = reports.each_ref().map(|report| report.terminal.is_some());
        (self.aspects.end && ends[0] != ends[1]).then(|| Disagreement::new(state, "end", ends.map(end_statement)))
    }

    /// Adds the reasons why a preference is not satisfied.
    fn explained(&self, mut found: Disagreement, mut reports: [GameReport; 2], deltas: &[Delta]) -> Disagreement {
        let Some(names) = found.preference.clone() else { return found };
        for (side, report) in reports.iter_mut().enumerate() {
            let mut explainer = Explainer::new(self.world, self.games[side], report);
            let mut playback = Playback::new(Arc::clone(self.world));
            for delta in deltas {
                if explainer.done() {
                    break;
                }
                playback.advance(delta);
                explainer.step(&playback.update(delta, false), report);
            }
            let preference = report.preferences.iter().find(|preference| preference.name == names[side]);
            let attempt = preference.and_then(|preference| preference.attempt.as_ref());
            found.reasons[side] = attempt.map(reasons).unwrap_or_default();
        }
        found
    }
}

impl Disagreement {
    fn new(state: u64, aspect: &'static str, statements: [String; 2]) -> Self {
        Self { state, preference: None, aspect, statements, reasons: Default::default() }
    }
}

fn plain(satisfaction: &Satisfaction) -> PlainSatisfaction {
    let objects = satisfaction.binding.iter().map(|&(_, object)| object).collect();
    let measures = satisfaction.measures.iter().map(|(_, value)| value.to_bits()).collect();
    (objects, satisfaction.start, satisfaction.end, measures)
}

fn reasons(attempt: &Attempt) -> Vec<String> {
    let reason = |evidence: &goalspec_core::monitor::Evidence| {
        format!("{} is {} in state {}", evidence.condition, evidence.value, attempt.failed_at)
    };
    attempt.evidence.iter().map(reason).collect()
}

fn end_statement(is_over: bool) -> String {
    if is_over { "the game ends" } else { "the game goes on" }.to_owned()
}

fn score_statement(score: &Result<f64, ScoreError>) -> String {
    match score {
        Ok(score) => format!("the score is {score}"),
        Err(error) => format!("no score: {error}"),
    }
}
