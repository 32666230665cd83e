//! A game played by another program, request by request, in JSON.
//!
//! A request is an object with the key `method`, and a reply an object. A key `id` of the request is repeated in the reply. A reply with the
//! key `error` says why a request has failed.
//!
//! | method | keys of the request | keys of the reply |
//! |---|---|---|
//! | `describe` | | `game`, `teams`, `turns` (the order of turns in a round), `max_turns`, `actions` (the texts of each team's actions), `numbers` (the names of the numbers of observations) |
//! | `reset` | `seed`, `index`; without them, the next game of the seed | `seed`, `index`, and as `step` |
//! | `step` | `action` of the team to move: its index or its text | `team` (to move), `turn` (the number of turns played), `valid`, `rewards` (the step reward of each team), `end` (`null`, `completed` or `truncated`) |
//! | `observe` | `team`; by default the team to move | `team`, `nodes` (for each node `visible` and `values`), `numbers` |
//! | `legal` | `team`; by default the team to move | `team`, `actions` (indices), `texts` |
//!
//! Values are written as in [recordings](goalspec_simulator::trace). The game of a seed and an index is that of `goalspec simulate`.

use std::sync::Arc;

use goalspec_resource::game::TeamId;
use goalspec_resource::rules::Perspective;
use goalspec_resource::value::Value;
use goalspec_simulator::Simulator;
use goalspec_simulator::action_mask::ActionMasks;
use goalspec_simulator::actions::{ActionSpace, Bins, ParameterBins};
use goalspec_simulator::environments::{AgentInterface, Environments, GameStatus};
use goalspec_simulator::episode::EpisodeEnd;
use goalspec_simulator::json;
use goalspec_simulator::observation::{ObservationLayout, ObservationOptions};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::suggest::did_you_mean;
use serde_json::{Map, Value as Json, json};

/// The maximum length of a request in bytes.
pub const MAX_REQUEST_BYTES: usize = 1 << 16;

/// The maximum number of programs that play games of one service at the same time, each over a connection of its own.
pub const MAX_CONNECTIONS: usize = 64;

/// The names of the methods.
const METHODS: [&str; 5] = ["describe", "reset", "step", "observe", "legal"];

/// A game that another program plays.
#[derive(Debug)]
pub struct GameService {
    environments: Environments,
    max_turns: u32,
}

impl GameService {
    /// Creates a service for a game of at most `max_turns` turns; `bins` represent parameters with many or infinitely many values, and
    /// `view` is the state by which actions are legal.
    ///
    /// # Errors
    /// If the moves of a team are infinitely or too many.
    pub fn new(simulator: &Simulator, bins: &Bins, view: Perspective, max_turns: u32) -> Result<Self, Box<Diagnostic>> {
        let actions = ActionSpace::new(simulator.game(), bins);
        let actions = actions.map_err(|error| Diagnostic::invalid_argument(error.to_string()))?;
        let options = ObservationOptions { omit_text: true, ..ObservationOptions::default() };
        let layout = ObservationLayout::new(simulator, options);
        let layout = layout.map_err(|error| Diagnostic::invalid_argument(error.to_string()))?;
        let masks = ActionMasks::new(simulator, &actions, view);
        let interface = Arc::new(AgentInterface { simulator: simulator.clone(), actions, layout, masks });
        Ok(Self { environments: Environments::new(interface, 1, max_turns, None), max_turns })
    }

    /// Returns a service of the same game for another program, before its first reset.
    #[must_use]
    pub fn restarted(&self) -> Self {
        let interface = Arc::clone(self.environments.interface());
        Self { environments: Environments::new(interface, 1, self.max_turns, None), max_turns: self.max_turns }
    }

    /// Replies to a request.
    pub fn reply(&mut self, request: &str) -> Json {
        let request: Json = match serde_json::from_str(request) {
            Ok(request) => request,
            Err(error) => return json!({ "error": format!("expected a JSON object: {error}") }),
        };
        let mut reply = Map::new();
        if let Some(id) = request.get("id") {
            reply.insert("id".to_owned(), id.clone());
        }
        match self.call(&request) {
            Ok(result) => reply.extend(result),
            Err(error) => {
                reply.insert("error".to_owned(), error.into());
            }
        }
        reply.into()
    }

    fn call(&mut self, request: &Json) -> Result<Map<String, Json>, String> {
        let Some(method) = request.get("method").and_then(Json::as_str) else {
            return Err(format!("expected an object with a `method`: one of {}", METHODS.join(", ")));
        };
        match method {
            "describe" => Ok(self.describe()),
            "reset" => self.reset(request),
            "step" => self.step(request),
            "observe" => self.observe(request),
            "legal" => self.legal(request),
            _ => {
                let suggestion = did_you_mean(method, METHODS);
                let suggestion = suggestion.unwrap_or_else(|| format!("expected one of {}", METHODS.join(", ")));
                Err(format!("unknown method `{method}`; {suggestion}"))
            }
        }
    }

    fn interface(&self) -> &AgentInterface {
        self.environments.interface()
    }

    fn team_name(&self, team: TeamId) -> &str {
        &self.interface().simulator.game().teams[team.index()].name
    }

    fn describe(&self) -> Map<String, Json> {
        let AgentInterface { simulator, actions, layout, .. } = self.interface();
        let game = simulator.game();
        let names: Vec<&str> = game.teams.iter().map(|team| &*team.name).collect();
        let turns: Vec<&str> = game.turns.iter().map(|team| names[team.index()]).collect();
        let texts = names.iter().enumerate().map(|(team, name)| {
            let texts = actions.of_team(team.into()).texts();
            ((*name).to_owned(), json!(texts))
        });
        Map::from_iter([
            ("game".to_owned(), json!(&*game.name)),
            ("teams".to_owned(), json!(names)),
            ("turns".to_owned(), json!(turns)),
            ("max_turns".to_owned(), self.max_turns.into()),
            ("actions".to_owned(), texts.collect::<Map<_, _>>().into()),
            ("numbers".to_owned(), json!(layout.names())),
        ])
    }

    fn reset(&mut self, request: &Json) -> Result<Map<String, Json>, String> {
        let number = |key: &str| match request.get(key) {
            None => Ok(None),
            Some(number) => number
                .as_u64()
                .map(Some)
                .ok_or_else(|| format!("expected an integer from 0 for `{key}`, found {number}")),
        };
        let game = &self.environments.games()[0];
        let result = match (number("seed")?, number("index")?) {
            (None, None) if game.has_begun() => self.environments.next_game(0),
            (seed, index) => {
                let seed = seed.unwrap_or(game.id().0);
                self.environments.reset(0, [seed, index.unwrap_or(0)], 1)
            }
        };
        result.map_err(|error| self.failure(&error.end))?;
        let (seed, index) = self.environments.games()[0].id();
        let mut reply = Map::from_iter([("seed".to_owned(), seed.into()), ("index".to_owned(), index.into())]);
        reply.extend(self.turn(true));
        Ok(reply)
    }

    fn step(&mut self, request: &Json) -> Result<Map<String, Json>, String> {
        match self.environments.games()[0].status() {
            GameStatus::Running => {}
            GameStatus::NotStarted => return Err("no game is running; call `reset` first".to_owned()),
            GameStatus::Completed | GameStatus::Truncated => {
                return Err("the game is over; call `reset` for the next one".to_owned());
            }
        }
        let team = self.environments.team(0);
        let texts = self.interface().actions.of_team(team).texts();
        let action = match request.get("action") {
            Some(Json::String(text)) => texts.iter().position(|known| known == text).ok_or_else(|| {
                let suggestion = did_you_mean(text, texts.iter().map(String::as_str)).unwrap_or_default();
                format!("{} has no action `{text}`; {suggestion}", self.team_name(team))
                    .trim_end_matches("; ")
                    .to_owned()
            })?,
            Some(Json::Number(index)) if index.as_u64().is_some_and(|index| index < texts.len() as u64) => {
                index.as_u64().unwrap_or_default() as usize
            }
            other => {
                return Err(format!(
                    "expected an action of {}: an index from 0 to {} or a text, found {}",
                    self.team_name(team),
                    texts.len() - 1,
                    other.unwrap_or(&Json::Null)
                ));
            }
        };
        self.environments.step(0, action).map_err(|error| self.failure(&error.end))?;
        Ok(self.turn(self.environments.last_turn().valid))
    }

    /// Returns the state of the game after a turn.
    fn turn(&self, valid: bool) -> Map<String, Json> {
        let game = &self.environments.games()[0];
        let teams = &self.interface().simulator.game().teams;
        let rewards = teams.iter().zip(game.rewards());
        let rewards = rewards.map(|(team, reward)| (team.name.to_string(), json::write(Some(&Value::Real(*reward)))));
        let end = match game.status() {
            GameStatus::Completed => json!("completed"),
            GameStatus::Truncated => json!("truncated"),
            GameStatus::Running | GameStatus::NotStarted => Json::Null,
        };
        Map::from_iter([
            ("team".to_owned(), json!(self.team_name(self.environments.team(0)))),
            ("turn".to_owned(), game.state().turns().into()),
            ("valid".to_owned(), valid.into()),
            ("rewards".to_owned(), rewards.collect::<Map<_, _>>().into()),
            ("end".to_owned(), end),
        ])
    }

    fn observe(&self, request: &Json) -> Result<Map<String, Json>, String> {
        let team = self.requested_team(request)?;
        let AgentInterface { simulator, layout, .. } = self.interface();
        let (state, board) = (self.environments.games()[0].state(), &simulator.game().board);
        let nodes = simulator.observed_nodes(state, team).into_iter().map(|observed| {
            let values = observed.values.iter().map(|(slot, value)| {
                let resource = board.resource(board.slot(*slot).resource);
                (resource.to_string(), json::write(Some(value)))
            });
            let values: Map<_, _> = values.collect();
            (board.node(observed.node).name.to_string(), json!({ "visible": observed.visible, "values": values }))
        });
        Ok(Map::from_iter([
            ("team".to_owned(), json!(self.team_name(team))),
            ("nodes".to_owned(), nodes.collect::<Map<_, _>>().into()),
            ("numbers".to_owned(), json!(simulator.observation(layout, state, team))),
        ]))
    }

    fn legal(&mut self, request: &Json) -> Result<Map<String, Json>, String> {
        let team = self.requested_team(request)?;
        let mut mask = vec![0; self.interface().actions.of_team(team).len()];
        self.environments.write_mask(0, team, &mut mask);
        let texts = self.interface().actions.of_team(team).texts();
        let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action] != 0).collect();
        let texts: Vec<&str> = legal.iter().map(|&action| &*texts[action]).collect();
        Ok(Map::from_iter([
            ("team".to_owned(), json!(self.team_name(team))),
            ("actions".to_owned(), json!(legal)),
            ("texts".to_owned(), json!(texts)),
        ]))
    }

    /// Returns the team that a request names, or the team to move.
    fn requested_team(&self, request: &Json) -> Result<TeamId, String> {
        if self.environments.games()[0].status() == GameStatus::NotStarted {
            return Err("no game is running; call `reset` first".to_owned());
        }
        let Some(name) = request.get("team") else { return Ok(self.environments.team(0)) };
        let teams = &self.interface().simulator.game().teams;
        let place = teams.iter().position(|team| Some(&*team.name) == name.as_str());
        place.map(TeamId::from).ok_or_else(|| {
            let names: Vec<&str> = teams.iter().map(|team| &*team.name).collect();
            format!("unknown team {name}; expected one of {}", names.join(", "))
        })
    }

    fn failure(&self, end: &EpisodeEnd) -> String {
        end.error_message(self.interface().simulator.game()).unwrap_or_default()
    }
}

/// Parses bins as written on the command line: `NAME=COUNT`, or `NAME=NUMBER,NUMBER,..`.
///
/// # Errors
/// If the text has another form, or a name occurs twice.
pub fn parse_bins(texts: &[String]) -> Result<Bins, Box<Diagnostic>> {
    let mut all = Bins::new();
    for text in texts {
        let invalid = || {
            Diagnostic::invalid_argument(format!(
                "expected `PARAMETER=COUNT` or `PARAMETER=NUMBER,NUMBER,..`, found `{text}`"
            ))
        };
        let (name, bins) = text.split_once('=').ok_or_else(invalid)?;
        let bins = if let Ok(count) = bins.parse() {
            ParameterBins::Count(count)
        } else {
            let numbers: Result<_, _> = bins.split(',').map(|number| number.trim().parse()).collect();
            ParameterBins::Values(numbers.map_err(|_| invalid())?)
        };
        if all.insert(name.to_owned(), bins).is_some() {
            return Err(Diagnostic::invalid_argument(format!("duplicate bins of `{name}`")));
        }
    }
    Ok(all)
}
