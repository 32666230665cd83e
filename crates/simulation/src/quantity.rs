//! The numbers of a finished game as text.

use goalspec_resource::game::Game;
use goalspec_simulator::experiment::EpisodeQuantity;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::suggest::did_you_mean;

/// Parses the [name](EpisodeQuantity::name) of a number: `turns`, `reward.TEAM`, `metric.NAME` or `return.TEAM`.
///
/// # Errors
/// If the game has no such number.
pub fn parse(game: &Game, text: &str) -> Result<EpisodeQuantity, Box<Diagnostic>> {
    let numbers = || EpisodeQuantity::all_discounted(game).map(|number| (number, number.name(game)));
    if let Some((number, _)) = numbers().find(|(_, name)| name == text) {
        return Ok(number);
    }
    let names: Vec<String> = numbers().map(|(_, name)| name).collect();
    let suggestion = did_you_mean(text, names.iter().map(String::as_str));
    let suggestion = suggestion.unwrap_or_else(|| format!("expected one of {}", names.join(", ")));
    Err(Diagnostic::invalid_argument(format!("unknown number `{text}`; {suggestion}")))
}
