//! An interactive policy.

use std::fmt::Write as _;

use goalspec_resource::game::Choice;
use goalspec_resource::rules;
use goalspec_resource::space::Space;
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;

use super::{Policy, PolicyError, TeamView};

/// An interactive text interface.
pub trait Console {
    /// Displays text, which may have several lines.
    fn show(&mut self, text: &str);

    /// Prompts for a line; returns `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> Option<String>;
}

/// Displays the observation and the choices of the team, and prompts until the answer is one of the choices.
///
/// The display marks invalid choices. Their [validity](goalspec_resource::turn#validity) is evaluated on the observation of
/// the team, or on the true state if [`with_view`](Self::with_view) selects it.
#[derive(Debug)]
pub struct ConsolePolicy<T> {
    terminal: T,
    view: rules::Perspective,
}

impl<T: Console> ConsolePolicy<T> {
    /// Creates a policy for a terminal.
    pub fn new(terminal: T) -> Self {
        Self { terminal, view: rules::Perspective::Observation }
    }

    /// Returns the policy with the state on which validity is evaluated.
    #[must_use]
    pub fn with_view(self, view: rules::Perspective) -> Self {
        Self { view, ..self }
    }

    /// Prompts for the number or the name of a choice.
    fn choice(&mut self, choices: &[Choice]) -> Result<usize, PolicyError> {
        loop {
            let answer = self.terminal.ask("choice: ").ok_or(PolicyError::EndOfInput)?;
            let answer = answer.trim();
            if let Some(place) = choices.iter().position(|choice| *choice.name == *answer) {
                return Ok(place);
            }
            match answer.parse::<usize>() {
                Ok(number) if (1..=choices.len()).contains(&number) => return Ok(number - 1),
                _ => self.terminal.show(&format!("enter a number from 1 to {}, or a name", choices.len())),
            }
        }
    }

    fn value(&mut self, name: &str, space: &Space) -> Result<Value, PolicyError> {
        let prompt = format!("{name} ({}): ", describe_space(space));
        loop {
            let answer = self.terminal.ask(&prompt).ok_or(PolicyError::EndOfInput)?;
            match parse_value(space, answer.trim()).filter(|value| space.contains(value)) {
                Some(value) => return Ok(value),
                None => self.terminal.show(&format!("`{}` is not {}", answer.trim(), describe_space(space))),
            }
        }
    }
}

impl<T: Console> Policy for ConsolePolicy<T> {
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        let choices = view.choices();
        if choices.is_empty() {
            return Err(PolicyError::NoChoices);
        }
        let text = shown(view, self.view);
        self.terminal.show(&text);
        let place = self.choice(choices)?;
        let parameters = choices[place].parameters.iter();
        let values = parameters.map(|parameter| self.value(&parameter.name, &parameter.space));
        *chosen = Move::Choose(place.into(), values.collect::<Result<_, _>>()?);
        Ok(())
    }
}

/// Formats the observation and the choices as lines.
fn shown(view: &TeamView<'_>, by: rules::Perspective) -> String {
    let (mask, invalid) = match by {
        rules::Perspective::Observation => (view.mask(), " (invalid in your observation)"),
        rules::Perspective::TrueState => (view.true_mask(), " (invalid)"),
    };
    let game = view.simulator().game();
    let mut text = format!("turn {}, team {}\n", view.turns() + 1, game.teams[view.team().index()].name);
    for observed in view.observation() {
        let unseen = if observed.visible { "" } else { " (unseen: initial values)" };
        let _ = write!(text, "  {}{unseen}:", game.board.node(observed.node).name);
        for (slot, value) in &observed.values {
            let _ = write!(text, " {}={value}", game.board.resource(game.board.slot(*slot).resource));
        }
        text.push('\n');
    }
    for (place, (choice, valid)) in view.choices().iter().zip(mask).enumerate() {
        let valid = if valid { "" } else { invalid };
        let _ = writeln!(text, "  {}. {}{valid}", place + 1, choice.name);
    }
    text
}

/// Returns a description of a space such as "one of a, b".
pub fn describe_space(space: &Space) -> String {
    let list = |members: Vec<String>| format!("one of {}", members.join(", "));
    match space {
        Space::Bool => "true or false".into(),
        Space::FreeText => "a string".into(),
        Space::FreeInt => "an integer".into(),
        Space::FreeReal | Space::Normal { .. } => "a number".into(),
        Space::IntRange { min, max } => format!("an integer from {min} to {max}"),
        Space::RealRange { min, max } => format!("a number from {min} to {max}"),
        Space::IntEnum(members) => list(members.iter().map(ToString::to_string).collect()),
        Space::RealEnum(members) => list(members.iter().map(ToString::to_string).collect()),
        Space::TextEnum(members) => list(members.iter().map(ToString::to_string).collect()),
        Space::Set(labels) => {
            let labels: Vec<&str> = labels.iter().map(|label| &**label).collect();
            format!("a subset of {}, separated by commas", labels.join(", "))
        }
    }
}

/// Parses an answer as a value of the kind of a space, which need not be a member; returns `None` if it is malformed.
pub fn parse_value(space: &Space, answer: &str) -> Option<Value> {
    Some(match space {
        Space::Bool => Value::Bool(answer.parse().ok()?),
        Space::FreeText | Space::TextEnum(_) => Value::text(answer),
        Space::FreeInt | Space::IntRange { .. } | Space::IntEnum(_) => Value::Int(answer.parse().ok()?),
        Space::FreeReal | Space::RealRange { .. } | Space::RealEnum(_) | Space::Normal { .. } => {
            Value::Real(answer.parse().ok()?)
        }
        Space::Set(_) => Value::set(answer.split(',').map(str::trim).filter(|label| !label.is_empty())),
    })
}
