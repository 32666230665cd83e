//! Policies as text.

use std::sync::Arc;

use goalspec_resource::game::{Choice, Game, NOTHING_ACTION, Team, TeamId};
use goalspec_resource::rules::{GameRules, Perspective, UnsetParameterRule};
use goalspec_resource::value::Value;
use goalspec_simulator::episode::Policies;
use goalspec_simulator::exact::TeamPolicy;
use goalspec_simulator::experiment::PolicyFactory;
use goalspec_simulator::policy::console::{describe_space, parse_value};
use goalspec_simulator::policy::simple::NamedMove;
use goalspec_simulator::policy::{
    ConstantPolicy, GreedyPolicy, MaskedRandomPolicy, NothingPolicy, Policy, RandomPolicy, ScriptedPolicy, TablePolicy,
};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::suggest::did_you_mean;

/// Returns the team of this name if its policy is open: none of the policies in `texts` may be for this team alone.
///
/// # Errors
/// If there is no such team, or one of the policies is for it alone.
pub fn open_team(game: &Game, name: &str, texts: &[String]) -> Result<TeamId, Box<Diagnostic>> {
    let place = game.teams.iter().position(|team| *team.name == *name);
    let team = place.ok_or_else(|| Diagnostic::invalid_argument(no_team(game, name)))?;
    let own = texts.iter().find(|text| text.split_once('=').is_some_and(|(team, _)| team == name));
    match own {
        Some(own) => Err(Diagnostic::invalid_argument(format!(
            "`{own}` sets the policy of {name}, whose best response is requested"
        ))),
        None => Ok(team.into()),
    }
}

fn no_team(game: &Game, name: &str) -> String {
    let teams = || game.teams.iter().map(|team| &*team.name);
    let suggestion = did_you_mean(name, teams());
    let suggestion =
        suggestion.unwrap_or_else(|| format!("expected one of {}", teams().collect::<Vec<_>>().join(", ")));
    format!("unknown team `{name}`; {suggestion}")
}

/// The forms of a policy, for messages.
const FORMS: [&str; 7] = ["random", "masked-random", "nothing", "greedy", "always:ACTION", "script:FILE", "table:FILE"];

/// The forms of a policy that can be analysed exactly, for messages.
const ANALYSABLE_FORMS: &str = "random, masked-random, nothing, greedy, always:ACTION, table:FILE";

/// Returns the index of the team that a text is for, and its policy; `None` if the text is for all teams.
fn parse_team_prefix<'t>(game: &Game, text: &'t str) -> Option<(usize, &'t str)> {
    let (team, policy) = text.split_once('=')?;
    let place = game.teams.iter().position(|known| *known.name == *team)?;
    Some((place, policy))
}

/// A specification from which each thread creates its own policy.
#[derive(Debug, Clone)]
enum PolicySpec {
    Random,
    MaskedRandom,
    Nothing,
    Greedy,
    Always(NamedMove),
    Script(Vec<NamedMove>),
    Table(Arc<TablePolicy>),
}

/// The policies of all teams.
#[derive(Debug, Clone)]
pub struct TeamPolicies {
    specs: Vec<PolicySpec>,
    /// The name of each team, with its policy as written.
    texts: Vec<[Arc<str>; 2]>,
    /// The information on which lookahead policies base their decisions.
    view: Perspective,
}

impl TeamPolicies {
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
    /// If a text is invalid or names a file, or if a text would override an earlier one.
    pub fn new(game: &Game, texts: &[String]) -> Result<Self, Box<Diagnostic>> {
        Self::with_files(game, texts, &no_file)
    }

    /// Parses policies like [`new`](Self::new), and reads the files of scripts and tables with `read`, from a disk or from memory.
    ///
    /// # Errors
    /// If a text or a file is invalid, or if a text would override an earlier one.
    pub fn with_files(game: &Game, texts: &[String], read: ReadPolicyFile<'_>) -> Result<Self, Box<Diagnostic>> {
        let written = game.teams.iter().map(|team| [team.name.clone(), "random".into()]).collect();
        let of_team = vec![PolicySpec::Random; game.teams.len()];
        let mut players = Self { specs: of_team, texts: written, view: Perspective::Observation };
        let teams: Vec<Option<usize>> =
            texts.iter().map(|text| parse_team_prefix(game, text).map(|(team, _)| team)).collect();
        for (index, text) in texts.iter().enumerate() {
            players = players.with(game, text, read)?;
            let same = |earlier: &usize| teams[index].is_none_or(|team| teams[*earlier] == Some(team));
            if let Some(earlier) = (0..index).find(same) {
                return Err(Diagnostic::invalid_argument(format!(
                    "`{text}` overrides the earlier `{}`",
                    texts[earlier]
                )));
            }
        }
        Ok(players)
    }

    /// Sets the policy of one team or of all teams, as [`with_files`](Self::with_files) parses it.
    ///
    /// # Errors
    /// If the text or its file is invalid.
    pub fn with(mut self, game: &Game, text: &str, read: ReadPolicyFile<'_>) -> Result<Self, Box<Diagnostic>> {
        let (teams, policy) = match parse_team_prefix(game, text) {
            Some((team, policy)) => (team..team + 1, policy),
            None => (0..game.teams.len(), text),
        };
        for team in teams {
            self.specs[team] = parse_policy(game, TeamId::from(team), policy, read)?;
            self.texts[team][1] = policy.into();
        }
        Ok(self)
    }

    /// Sets the information by which lookahead policies judge moves and their effects: the observations of their teams, or the
    /// true state.
    #[must_use]
    pub fn with_view(self, view: Perspective) -> Self {
        Self { view, ..self }
    }

    /// Labels a team as played by something other than a policy, such as a `human`.
    #[must_use]
    pub fn with_label(mut self, team: TeamId, player: &str) -> Self {
        self.texts[team.index()][1] = player.into();
        self
    }

    /// Returns the information on which lookahead policies base their decisions.
    pub fn view(&self) -> Perspective {
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
    pub fn plans(&self, game: &Game, responder: Option<TeamId>) -> Result<Vec<TeamPolicy>, Box<Diagnostic>> {
        let plan = |(place, (player, team)): (usize, (&PolicySpec, &Team))| {
            if responder == Some(place.into()) {
                return Ok(TeamPolicy::Unspecified);
            }
            player.plan(self.view).ok_or_else(|| {
                Diagnostic::invalid_argument(format!(
                    "{} plays a script, which depends on the turn number and not on the state and cannot be analysed; expected \
                     one of {ANALYSABLE_FORMS}",
                    team.name
                ))
            })
        };
        self.specs.iter().zip(&game.teams).enumerate().map(plan).collect()
    }

    /// Creates the policies of the teams, in order.
    pub fn policies(&self) -> Policies {
        self.specs.iter().map(|player| player.policy(self.view)).collect()
    }
}

impl PolicyFactory for TeamPolicies {
    fn policies(&self) -> Policies {
        Self::policies(self)
    }
}

impl PolicySpec {
    fn policy(&self, view: Perspective) -> Box<dyn Policy + Send> {
        match self {
            Self::Random => Box::new(RandomPolicy::default()),
            Self::MaskedRandom => Box::new(MaskedRandomPolicy::new(view)),
            Self::Nothing => Box::new(NothingPolicy),
            Self::Greedy => Box::new(GreedyPolicy(view)),
            Self::Always(move_name) => Box::new(ConstantPolicy(move_name.clone())),
            Self::Script(script) => Box::new(ScriptedPolicy::new(script.clone())),
            Self::Table(table) => Box::new(TablePolicy::clone(table)),
        }
    }
}

impl PolicySpec {
    fn plan(&self, view: Perspective) -> Option<TeamPolicy> {
        Some(match self {
            Self::Random => TeamPolicy::Random,
            Self::MaskedRandom => TeamPolicy::MaskedRandom(view),
            Self::Nothing => TeamPolicy::Nothing,
            Self::Greedy => TeamPolicy::Greedy(view),
            Self::Always(move_name) => TeamPolicy::Always(move_name.clone()),
            Self::Table(table) => TeamPolicy::Table(TablePolicy::clone(table)),
            Self::Script(_) => return None,
        })
    }
}

/// A function that returns the text of the file of a script or a table.
pub type ReadPolicyFile<'r> = &'r dyn Fn(&str) -> Result<String, Box<Diagnostic>>;

/// Returns the error of a policy that names a file where no files are available.
fn no_file(file: &str) -> Result<String, Box<Diagnostic>> {
    Err(Diagnostic::invalid_argument(format!("the policy file `{file}` cannot be read: no files are available")))
}

fn parse_policy(
    game: &Game,
    team: TeamId,
    text: &str,
    read: ReadPolicyFile<'_>,
) -> Result<PolicySpec, Box<Diagnostic>> {
    let choices = &game.teams[team.index()].choices;
    let invalid = |message: String| Diagnostic::invalid_argument(message);
    Ok(match text.split_once(':') {
        None => match text {
            "random" => PolicySpec::Random,
            "masked-random" => PolicySpec::MaskedRandom,
            "nothing" => PolicySpec::Nothing,
            "greedy" => PolicySpec::Greedy,
            _ => return Err(invalid(unknown_policy_message(game, text))),
        },
        Some(("always", action)) => PolicySpec::Always(parse_move(choices, &game.rules, action).map_err(invalid)?),
        Some(("script", file)) => PolicySpec::Script(
            parse_script(choices, &game.rules, &read(file)?).map_err(|error| invalid(format!("{file}: {error}")))?,
        ),
        Some(("table", file)) => {
            let table =
                TablePolicy::read(&read(file)?, &game.board).map_err(|error| invalid(format!("{file}: {error}")))?;
            PolicySpec::Table(Arc::new(table))
        }
        Some(_) => return Err(invalid(unknown_policy_message(game, text))),
    })
}

fn unknown_policy_message(game: &Game, text: &str) -> String {
    match text.split_once('=') {
        Some((team, _)) if !team.contains(':') => no_team(game, team),
        _ => {
            let form = FORMS.iter().find(|form| form.strip_prefix(text).is_some_and(|rest| rest.starts_with(':')));
            if let Some(form) = form {
                return format!("incomplete policy `{text}`; expected `{form}`");
            }
            let suggestion =
                did_you_mean(text, FORMS).unwrap_or_else(|| format!("expected one of {}", FORMS.join(", ")));
            format!("unknown policy `{text}`; {suggestion}")
        }
    }
}

/// Parses the moves of a script, one per line. Empty lines and comments after a `#` are ignored.
fn parse_script(choices: &[Choice], rules: &GameRules, text: &str) -> Result<Vec<NamedMove>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).enumerate();
    let moves = lines.filter(|(_, line)| !line.is_empty());
    moves
        .map(|(index, line)| parse_move(choices, rules, line).map_err(|error| format!("line {}: {error}", index + 1)))
        .collect()
}

/// Parses a move: the name of a choice, which may contain spaces, and its parameters, which may all be absent if the rules allow
/// it.
fn parse_move(choices: &[Choice], rules: &GameRules, text: &str) -> Result<NamedMove, String> {
    let text = text.trim();
    if text == NOTHING_ACTION && choices.iter().all(|choice| *choice.name != *NOTHING_ACTION) {
        return Ok(NamedMove::new(NOTHING_ACTION));
    }
    let rest_of = |choice: &Choice| {
        let rest = text.strip_prefix(&*choice.name)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim().to_owned())
    };
    // If the text begins with two names, the longer one is meant.
    let found = choices.iter().filter_map(|choice| Some((choice, rest_of(choice)?)));
    let Some((choice, rest)) = found.max_by_key(|(choice, _)| choice.name.len()) else {
        let names = || choices.iter().map(|choice| &*choice.name);
        let suggestion = did_you_mean(text, names());
        let suggestion =
            suggestion.unwrap_or_else(|| format!("expected one of {}", names().collect::<Vec<_>>().join(", ")));
        return Err(format!("unknown action `{text}`; {suggestion}"));
    };
    let mut values: Vec<(Arc<str>, Value)> = Vec::new();
    for pair in rest.split_whitespace() {
        let (name, value) =
            pair.split_once('=').ok_or_else(|| format!("`{pair}` must have the form `parameter=value`"))?;
        let parameter = choice.parameters.iter().find(|parameter| *parameter.name == *name);
        let parameter = parameter.ok_or_else(|| format!("unknown parameter `{name}` of `{}`", choice.name))?;
        let space = &parameter.space;
        let value = parse_value(space, value).filter(|value| space.contains(value)).ok_or_else(|| {
            format!("the parameter `{name}` of `{}` must be {}, found `{value}`", choice.name, describe_space(space))
        })?;
        if values.iter().any(|(known, _)| *known == parameter.name) {
            return Err(format!("duplicate value of `{name}`"));
        }
        values.push((parameter.name.clone(), value));
    }
    let unset = values.is_empty() && rules.unset_parameters == UnsetParameterRule::Allow;
    let mut required = choice.parameters.iter().filter(|_| !unset);
    let missing = required.find(|parameter| values.iter().all(|(name, _)| *name != parameter.name));
    match missing {
        Some(parameter) => Err(format!("missing value of the parameter `{}` of `{}`", parameter.name, choice.name)),
        None => Ok(NamedMove { choice: choice.name.clone(), values }),
    }
}
