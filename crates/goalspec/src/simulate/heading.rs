//! The heading of a report on games: which game, how it is read, which random numbers, who plays, and the version of goalspec.

use std::sync::Arc;

use goalspec_core::resource::rules::View;
use serde_json::{Map, Value as Json, json};

use super::Ready;
use super::players::Players;
use crate::rows::{Cell, CellKind, Column};

/// The version of goalspec that makes reports.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The heading of a report: everything that says which games it is about. Every report has it, in the form of the report.
///
/// | key and column | what |
/// |---|---|
/// | `version` | the version of goalspec |
/// | `game` | the name of the game |
/// | `dialect` | its `name`, and the `rules` that were changed |
/// | `seed` | which random numbers; `null` for an exact analysis, which draws none |
/// | `policies` | the policies by team, as they were asked for; `human` and `best-response` where no policy plays |
/// | `policy_view` | what policies that look ahead go by: `observation` or `truth` |
#[derive(Debug, Clone)]
pub struct Heading {
    game: Arc<str>,
    dialect: &'static str,
    rules: Vec<(&'static str, &'static str)>,
    seed: Option<u64>,
    players: Players,
}

impl Heading {
    /// The heading of a report on games of these players; without a seed, on an exact analysis.
    pub fn new(ready: &Ready, players: &Players, seed: Option<u64>) -> Self {
        let (dialect, rules) = ready.dialect.described();
        Self { game: ready.simulator.game().name.clone(), dialect, rules, seed, players: players.clone() }
    }

    fn view(&self) -> &'static str {
        match self.players.view() {
            View::Observation => "observation",
            View::Truth => "truth",
        }
    }

    /// The dialect and the rules that were changed, in a line.
    fn dialect(&self) -> String {
        let rules = self.rules.iter().map(|(rule, word)| format!(" {rule}={word}"));
        std::iter::once(self.dialect.to_owned()).chain(rules).collect()
    }

    /// In a line, without the name of the game: `documented, seed 0, random, goalspec 0.1.0`.
    pub fn text(&self) -> String {
        let seed = self.seed.map_or_else(|| "exact".to_owned(), |seed| format!("seed {seed}"));
        let view = match self.players.view() {
            View::Observation => "",
            View::Truth => " by the true state",
        };
        format!("{}, {seed}, {}{view}, goalspec {VERSION}", self.dialect(), self.players.text())
    }

    /// The heading that the first line of a recording has, with the dialect that it is played again by. Policies are `not recorded` if the
    /// line does not have them, which other writers may leave out.
    pub fn of_recording(ready: &Ready, players: &Players, first: &Json) -> Self {
        let mut players = players.clone();
        for (place, team) in ready.simulator.game().teams.iter().enumerate() {
            let policy = first.get("policies").and_then(|policies| policies.get(&*team.name)?.as_str());
            players = players.played_by(place.into(), policy.unwrap_or("not recorded"));
        }
        if first.get("policy_view").and_then(Json::as_str) == Some("truth") {
            players = players.with_view(View::Truth);
        }
        Self::new(ready, &players, first.get("seed").and_then(Json::as_u64))
    }

    /// As the first keys of a JSON object.
    pub fn json(&self) -> Map<String, Json> {
        let rules = self.rules.iter().map(|&(rule, word)| (rule.to_owned(), Json::from(word)));
        let policies = self.players.by_team().map(|(team, policy)| (team.to_owned(), Json::from(policy)));
        Map::from_iter([
            ("version".to_owned(), VERSION.into()),
            ("game".to_owned(), (&*self.game).into()),
            ("dialect".to_owned(), json!({ "name": self.dialect, "rules": rules.collect::<Map<_, _>>() })),
            ("seed".to_owned(), self.seed.into()),
            ("policies".to_owned(), policies.collect::<Map<_, _>>().into()),
            ("policy_view".to_owned(), self.view().into()),
        ])
    }

    /// The columns of a table that has the heading in every row, so that rows of several reports can stand in one table.
    pub fn columns() -> [Column; 6] {
        let column = |name: &str, kind| Column { name: name.to_owned().into(), kind };
        [
            column("version", CellKind::Text),
            column("game", CellKind::Text),
            column("dialect", CellKind::Text),
            column("seed", CellKind::Count),
            column("policies", CellKind::Text),
            column("policy_view", CellKind::Text),
        ]
    }

    /// The cells of these columns.
    pub fn cells(&self) -> [Cell; 6] {
        [
            Cell::Text(VERSION.to_owned()),
            Cell::Text(self.game.to_string()),
            Cell::Text(self.dialect()),
            self.seed.map_or(Cell::Empty, Cell::Count),
            Cell::Text(self.players.text()),
            Cell::Text(self.view().to_owned()),
        ]
    }
}
