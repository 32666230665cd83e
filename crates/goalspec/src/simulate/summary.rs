//! What is known of many games together.

use std::sync::Arc;

use goalspec_core::resource::game::Game;
use goalspec_core::resource::value::Value;
use goalspec_simulator::episode::{End, Episode};
use goalspec_simulator::statistics::interval::Level;
use goalspec_simulator::statistics::summary::Summary;
use serde_json::{Map, Value as Json, json};

use super::record::trouble;

/// What is known of many games of one kind.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// How many games.
    pub games: u64,
    /// How many of them ended because they had as many turns as they may.
    pub truncated: u64,
    /// How many of them failed, or were left by a policy without a move.
    pub failed: u64,
    /// What went wrong in the first of these.
    pub trouble: Option<String>,
    /// How many values left their declared spaces.
    pub outside: u64,
    /// Turns of a game.
    pub turns: Summary,
    /// Invalid turns of a game.
    pub invalid: Summary,
    /// Rewards, by team.
    pub rewards: Vec<(Arc<str>, Summary)>,
    /// Metrics, by name.
    pub metrics: Vec<(Arc<str>, Summary)>,
}

impl Overview {
    /// Of no games so far.
    pub fn new(game: &Game) -> Self {
        let named = |name: &Arc<str>| (name.clone(), Summary::default());
        Self {
            rewards: game.teams.iter().map(|team| named(&team.name)).collect(),
            metrics: game.metrics.iter().map(|metric| named(&metric.name)).collect(),
            ..Self::default()
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Game, episode: &Episode) {
        self.games += 1;
        self.truncated += u64::from(episode.end == End::Truncated);
        if let Some(trouble) = trouble(game, &episode.end) {
            self.failed += 1;
            self.trouble.get_or_insert(trouble);
        }
        self.outside += episode.outside;
        self.turns.add_number(f64::from(episode.turns));
        self.invalid.add_number(f64::from(episode.invalid));
        for ((_, summary), reward) in self.rewards.iter_mut().zip(&episode.rewards) {
            summary.add(reward.map(Value::Real).as_ref());
        }
        for ((_, summary), value) in self.metrics.iter_mut().zip(&episode.metrics) {
            summary.add(value.as_ref());
        }
    }

    /// Everything that is summarised, each with what it is and its name.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &str, &Summary)> {
        let counted = [("turns", "", &self.turns), ("invalid turns", "", &self.invalid)];
        let rewards = self.rewards.iter().map(|(name, summary)| ("reward", &**name, summary));
        let metrics = self.metrics.iter().map(|(name, summary)| ("metric", &**name, summary));
        counted.into_iter().chain(rewards).chain(metrics)
    }

    /// As JSON: counts, and of everything that is a number its mean, deviation, range and quartiles, with the interval that holds the true
    /// mean nineteen times out of twenty; of truth values and texts how often each came.
    pub fn json(&self) -> Json {
        let by_name = |rows: &[(Arc<str>, Summary)]| -> Map<String, Json> {
            rows.iter().map(|(name, of)| (name.to_string(), summary(of))).collect()
        };
        json!({
            "games": self.games,
            "truncated": self.truncated,
            "failed": self.failed,
            "trouble": self.trouble,
            "outside": self.outside,
            "turns": summary(&self.turns),
            "invalid": summary(&self.invalid),
            "rewards": by_name(&self.rewards),
            "metrics": by_name(&self.metrics),
        })
    }
}

fn summary(of: &Summary) -> Json {
    let moments = of.moments();
    let mut record = Map::new();
    let mut put = |name: &str, value: Json| drop(record.insert(name.to_owned(), value));
    put("count", moments.count().into());
    if moments.count() > 0 {
        put("mean", moments.mean().into());
        put("sd", moments.deviation().into());
        put("se", moments.standard_error().into());
        let interval = of.mean_interval(Level::default());
        put("mean_interval", interval.map_or(Json::Null, |interval| json!([interval.low, interval.high])));
        put("min", moments.least().into());
        put("max", moments.greatest().into());
        put("quartiles", of.counts().quantiles(&[0.25, 0.5, 0.75]).into_iter().map(Json::from).collect());
    }
    let [wrong, right] = of.truths();
    if wrong + right > 0 {
        put("false", wrong.into());
        put("true", right.into());
    }
    if of.text_count() > 0 {
        put(
            "texts",
            of.texts().map_or(Json::Null, |texts| {
                texts.map(|(text, count)| (text.to_owned(), count.into())).collect::<Map<_, _>>().into()
            }),
        );
    }
    put("missing", of.missing().into());
    put("unusable", of.unusable().into());
    Json::Object(record)
}
