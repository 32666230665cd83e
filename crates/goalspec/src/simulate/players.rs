//! Policies as text.

use std::path::Path;
use std::sync::Arc;

use goalspec_resource::game::{Choice, Game, NOTHING, Team, TeamId};
use goalspec_resource::rules::{Rules, UnsetParameters, View};
use goalspec_resource::value::Value;
use goalspec_simulator::episode::Policies;
use goalspec_simulator::exact::Plan;
use goalspec_simulator::policy::console::{described, value_in};
use goalspec_simulator::policy::simple::Named;
use goalspec_simulator::policy::{Always, Greedy, MaskedRandom, Nothing, Policy, Random, Scripted, Table};
use goalspec_syntax::suggest::did_you_mean;

use crate::files;

/// Returns the team of this name if its policy is open: none of the policies in `texts` may be for this team alone.
///
/// # Errors
/// If there is no such team, or one of the policies is for it alone.
pub fn free_team(game: &Game, name: &str, texts: &[String]) -> Result<TeamId, String> {
    let place = game.teams.iter().position(|team| *team.name == *name);
    let team = place.ok_or_else(|| no_team(game, name))?;
    let own = texts.iter().find(|text| text.split_once('=').is_some_and(|(team, _)| team == name));
    match own {
        Some(own) => Err(format!("`{own}` sets the policy of {name}, whose best response is requested")),
        None => Ok(team.into()),
    }
}

fn no_team(game: &Game, name: &str) -> String {
    let teams = || game.teams.iter().map(|team| &*team.name);
    let near = did_you_mean(name, teams());
    let near = near.unwrap_or_else(|| format!("expected one of {}", teams().collect::<Vec<_>>().join(", ")));
    format!("unknown team `{name}`; {near}")
}

/// The forms of a policy, for messages.
const FORMS: [&str; 7] = ["random", "masked-random", "nothing", "greedy", "always:ACTION", "script:FILE", "table:FILE"];

/// The forms of a policy that can be analysed exactly, for messages.
const PLANNED: &str = "random, masked-random, nothing, greedy, always:ACTION, table:FILE";

/// Returns the index of the team that a text is for, and its policy; `None` if the text is for all teams.
fn own<'t>(game: &Game, text: &'t str) -> Option<(usize, &'t str)> {
    let (team, policy) = text.split_once('=')?;
    let place = game.teams.iter().position(|known| *known.name == *team)?;
    Some((place, policy))
}

/// A specification from which each thread creates its own policy.
#[derive(Debug, Clone)]
enum Player {
    Random,
    MaskedRandom,
    Nothing,
    Greedy,
    Always(Named),
    Script(Vec<Named>),
    Table(Arc<Table>),
}

/// The policies of all teams.
#[derive(Debug, Clone)]
pub struct Players {
    of_team: Vec<Player>,
    /// The name of each team, with its policy as written.
    texts: Vec<[Arc<str>; 2]>,
    /// The information on which lookahead policies base their decisions.
    view: View,
}

impl Players {
    /// Parses policies: `POLICY` for all teams, and `TEAM=POLICY` after it for one of them. Teams without a policy play at
    /// random.
    ///
    /// | policy | behaviour |
    /// |---|---|
    /// | `random` | a random choice of the team, with random parameters |
    /// | `masked-random` | a random choice among those that are [valid](goalspec_resource::turn#validity) |
    /// | `nothing` | the choice `nothing`, or a pass |
    /// | `greedy` | the choice with the maximum expected reward after it |
    /// | `always:ACTION` | the same choice in every turn, with its parameters: `always:scan source=a` |
    /// | `script:FILE` | the lines of a file, one per turn, in the same form; then `nothing` |
    /// | `table:FILE` | a JSON table from observations to choices, see [`goalspec_simulator::policy::table`] |
    ///
    /// # Errors
    /// If a text or a file is invalid, or if a text would override an earlier one.
    pub fn new(game: &Game, texts: &[String]) -> Result<Self, String> {
        let written = game.teams.iter().map(|team| [team.name.clone(), "random".into()]).collect();
        let of_team = vec![Player::Random; game.teams.len()];
        let mut players = Self { of_team, texts: written, view: View::Observation };
        let teams: Vec<Option<usize>> = texts.iter().map(|text| own(game, text).map(|(team, _)| team)).collect();
        for (at, text) in texts.iter().enumerate() {
            players = players.with(game, text)?;
            let same = |earlier: &usize| teams[at].is_none_or(|team| teams[*earlier] == Some(team));
            if let Some(earlier) = (0..at).find(same) {
                return Err(format!("`{text}` overrides the earlier `{}`", texts[earlier]));
            }
        }
        Ok(players)
    }

    /// Sets the policy of one team or of all teams, as [`new`](Self::new) parses it.
    ///
    /// # Errors
    /// If the text or its file is invalid.
    pub fn with(mut self, game: &Game, text: &str) -> Result<Self, String> {
        let (teams, policy) = match own(game, text) {
            Some((team, policy)) => (team..team + 1, policy),
            None => (0..game.teams.len(), text),
        };
        for team in teams {
            self.of_team[team] = player(game, TeamId::from(team), policy)?;
            self.texts[team][1] = policy.into();
        }
        Ok(self)
    }

    /// Sets the information by which lookahead policies judge moves and their effects: the observations of their teams, or the
    /// true state.
    #[must_use]
    pub fn with_view(self, view: View) -> Self {
        Self { view, ..self }
    }

    /// Labels a team as played by something other than a policy, such as a `human`.
    #[must_use]
    pub fn played_by(mut self, team: TeamId, player: &str) -> Self {
        self.texts[team.index()][1] = player.into();
        self
    }

    /// Returns the information on which lookahead policies base their decisions.
    pub fn view(&self) -> View {
        self.view
    }

    /// Returns the name of each team, with its policy as written.
    pub fn by_team(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|[team, policy]| (&**team, &**policy))
    }

    /// Returns the policies as written: `POLICY` if all teams have the same one, otherwise `TEAM=POLICY` for each.
    pub fn text(&self) -> String {
        match &self.texts[..] {
            [[_, first], others @ ..] if others.iter().all(|[_, other]| other == first) => first.to_string(),
            texts => texts.iter().map(|[team, policy]| format!("{team}={policy}")).collect::<Vec<_>>().join(" "),
        }
    }

    /// Returns the plans of the teams for an exact analysis, in which the policy of the team `free` is open.
    ///
    /// # Errors
    /// If the decisions of a policy depend on more than the state.
    pub fn plans(&self, game: &Game, free: Option<TeamId>) -> Result<Vec<Plan>, String> {
        let plan = |(place, (player, team)): (usize, (&Player, &Team))| {
            if free == Some(place.into()) {
                return Ok(Plan::Free);
            }
            player.plan(self.view).ok_or_else(|| {
                format!(
                    "{} plays a script, which depends on the turn number and not on the state and cannot be analysed; expected \
                     one of {PLANNED}",
                    team.name
                )
            })
        };
        self.of_team.iter().zip(&game.teams).enumerate().map(plan).collect()
    }

    /// Creates the policies of the teams, in order.
    pub fn policies(&self) -> Policies {
        self.of_team.iter().map(|player| player.policy(self.view)).collect()
    }
}

impl Player {
    fn policy(&self, view: View) -> Box<dyn Policy + Send> {
        match self {
            Self::Random => Box::new(Random::default()),
            Self::MaskedRandom => Box::new(MaskedRandom::new(view)),
            Self::Nothing => Box::new(Nothing),
            Self::Greedy => Box::new(Greedy(view)),
            Self::Always(named) => Box::new(Always(named.clone())),
            Self::Script(script) => Box::new(Scripted::new(script.clone())),
            Self::Table(table) => Box::new(Table::clone(table)),
        }
    }
}

impl Player {
    fn plan(&self, view: View) -> Option<Plan> {
        Some(match self {
            Self::Random => Plan::Random,
            Self::MaskedRandom => Plan::MaskedRandom(view),
            Self::Nothing => Plan::Nothing,
            Self::Greedy => Plan::Greedy(view),
            Self::Always(named) => Plan::Always(named.clone()),
            Self::Table(table) => Plan::Table(Table::clone(table)),
            Self::Script(_) => return None,
        })
    }
}

fn player(game: &Game, team: TeamId, text: &str) -> Result<Player, String> {
    let choices = &game.teams[team.index()].choices;
    let read = |file: &str| files::read_text(Path::new(file)).map_err(|diagnostic| diagnostic.message);
    Ok(match text.split_once(':') {
        None => match text {
            "random" => Player::Random,
            "masked-random" => Player::MaskedRandom,
            "nothing" => Player::Nothing,
            "greedy" => Player::Greedy,
            _ => return Err(unknown(game, text)),
        },
        Some(("always", action)) => Player::Always(named(choices, &game.rules, action)?),
        Some(("script", file)) => {
            Player::Script(script(choices, &game.rules, &read(file)?).map_err(|wrong| format!("{file}: {wrong}"))?)
        }
        Some(("table", file)) => {
            let table = Table::read(&read(file)?, &game.board).map_err(|error| format!("{file}: {error}"))?;
            Player::Table(Arc::new(table))
        }
        Some(_) => return Err(unknown(game, text)),
    })
}

fn unknown(game: &Game, text: &str) -> String {
    match text.split_once('=') {
        Some((team, _)) if !team.contains(':') => no_team(game, team),
        _ => {
            let form = FORMS.iter().find(|form| form.strip_prefix(text).is_some_and(|rest| rest.starts_with(':')));
            if let Some(form) = form {
                return format!("incomplete policy `{text}`; expected `{form}`");
            }
            let near = did_you_mean(text, FORMS).unwrap_or_else(|| format!("expected one of {}", FORMS.join(", ")));
            format!("unknown policy `{text}`; {near}")
        }
    }
}

/// Parses the moves of a script, one per line. Empty lines and comments after a `#` are ignored.
fn script(choices: &[Choice], rules: &Rules, text: &str) -> Result<Vec<Named>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).enumerate();
    let moves = lines.filter(|(_, line)| !line.is_empty());
    moves.map(|(at, line)| named(choices, rules, line).map_err(|wrong| format!("line {}: {wrong}", at + 1))).collect()
}

/// Parses a move: the name of a choice, which may contain spaces, and its parameters, which may all be absent if the rules allow
/// it.
fn named(choices: &[Choice], rules: &Rules, text: &str) -> Result<Named, String> {
    let text = text.trim();
    if text == NOTHING && choices.iter().all(|choice| *choice.name != *NOTHING) {
        return Ok(Named::new(NOTHING));
    }
    let rest_of = |choice: &Choice| {
        let rest = text.strip_prefix(&*choice.name)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim().to_owned())
    };
    // If the text begins with two names, the longer one is meant.
    let found = choices.iter().filter_map(|choice| Some((choice, rest_of(choice)?)));
    let Some((choice, rest)) = found.max_by_key(|(choice, _)| choice.name.len()) else {
        let names = || choices.iter().map(|choice| &*choice.name);
        let near = did_you_mean(text, names());
        let near = near.unwrap_or_else(|| format!("expected one of {}", names().collect::<Vec<_>>().join(", ")));
        return Err(format!("unknown action `{text}`; {near}"));
    };
    let mut values: Vec<(Arc<str>, Value)> = Vec::new();
    for pair in rest.split_whitespace() {
        let (name, value) =
            pair.split_once('=').ok_or_else(|| format!("`{pair}` must have the form `parameter=value`"))?;
        let parameter = choice.parameters.iter().find(|parameter| *parameter.name == *name);
        let parameter = parameter.ok_or_else(|| format!("unknown parameter `{name}` of `{}`", choice.name))?;
        let space = &parameter.space;
        let value = value_in(space, value).filter(|value| space.contains(value)).ok_or_else(|| {
            format!("the parameter `{name}` of `{}` must be {}, found `{value}`", choice.name, described(space))
        })?;
        if values.iter().any(|(known, _)| *known == parameter.name) {
            return Err(format!("duplicate value of `{name}`"));
        }
        values.push((parameter.name.clone(), value));
    }
    let unset = values.is_empty() && rules.unset_parameters == UnsetParameters::Unrestricted;
    let mut required = choice.parameters.iter().filter(|_| !unset);
    let missing = required.find(|own| values.iter().all(|(name, _)| *name != own.name));
    match missing {
        Some(parameter) => Err(format!("missing value of the parameter `{}` of `{}`", parameter.name, choice.name)),
        None => Ok(Named { choice: choice.name.clone(), values }),
    }
}
