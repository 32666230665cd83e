//! The heading of a report on games: version, game, dialect, seed and policies.

use std::sync::Arc;

use goalspec_resource::rules::Perspective;
use serde_json::{Map, Value as Json, json};

use crate::game::LoadedGame;
use crate::policies::TeamPolicies;
use goalspec_table::{Cell, CellType, Column};

/// The version of goalspec, as reports state it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The heading of a report: the metadata that identifies its games. Every report contains it, in the format of the report.
///
/// | key and column | meaning |
/// |---|---|
/// | `version` | the version of goalspec |
/// | `game` | the name of the game |
/// | `dialect` | the `name` of the dialect, and the `rules` that were changed |
/// | `seed` | the seed; `null` for an exact analysis, which draws no random numbers |
/// | `policies` | the policies by team, as written; `human` and `best-response` for teams without a policy |
/// | `policy_view` | the information of lookahead policies: `observation` or `truth` |
#[derive(Debug, Clone)]
pub struct ReportMetadata {
    game: Arc<str>,
    dialect: &'static str,
    rules: Vec<(&'static str, &'static str)>,
    seed: Option<u64>,
    players: TeamPolicies,
}

impl ReportMetadata {
    /// Creates the heading of a report on games with these policies; without a seed, on an exact analysis.
    pub fn new(ready: &LoadedGame, players: &TeamPolicies, seed: Option<u64>) -> Self {
        let (dialect, rules) = ready.dialect.nearest_named();
        Self { game: ready.simulator.game().name.clone(), dialect, rules, seed, players: players.clone() }
    }

    fn view(&self) -> &'static str {
        match self.players.view() {
            Perspective::Observation => "observation",
            Perspective::TrueState => "truth",
        }
    }

    /// Returns the dialect and the changed rules in one line.
    fn dialect(&self) -> String {
        let rules = self.rules.iter().map(|(rule, word)| format!(" {rule}={word}"));
        std::iter::once(self.dialect.to_owned()).chain(rules).collect()
    }

    /// Returns the heading in one line, without the name of the game: `documented, seed 0, random, goalspec 0.1.0`.
    pub fn text(&self) -> String {
        let seed = self.seed.map_or_else(|| "exact".to_owned(), |seed| format!("seed {seed}"));
        let view = match self.players.view() {
            Perspective::Observation => "",
            Perspective::TrueState => " on the true state",
        };
        format!("{}, {seed}, {}{view}, goalspec {VERSION}", self.dialect(), self.players.text())
    }

    /// Returns the heading in the first line of a recording, with the dialect in which the recording is replayed. Policies that
    /// the line lacks, which other writers may leave out, are `not recorded`.
    pub fn of_recording(ready: &LoadedGame, players: &TeamPolicies, first: &Json) -> Self {
        let mut players = players.clone();
        for (place, team) in ready.simulator.game().teams.iter().enumerate() {
            let policy = first.get("policies").and_then(|policies| policies.get(&*team.name)?.as_str());
            players = players.with_label(place.into(), policy.unwrap_or("not recorded"));
        }
        if first.get("policy_view").and_then(Json::as_str) == Some("truth") {
            players = players.with_view(Perspective::TrueState);
        }
        Self::new(ready, &players, first.get("seed").and_then(Json::as_u64))
    }

    /// Returns the heading as the first keys of a JSON object.
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

    /// Returns the columns of a table with the heading in every row, so that rows of several reports can be combined.
    pub fn columns() -> [Column; 6] {
        let column = |name: &str, kind| Column { name: name.to_owned().into(), cell_type: kind };
        [
            column("version", CellType::Text),
            column("game", CellType::Text),
            column("dialect", CellType::Text),
            column("seed", CellType::Count),
            column("policies", CellType::Text),
            column("policy_view", CellType::Text),
        ]
    }

    /// Returns the cells of these columns.
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
