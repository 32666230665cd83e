//! Selection of the resources that are tracked over time.

use goalspec_resource::board::SlotId;
use goalspec_resource::field::Field;
use goalspec_resource::game::Game;
use goalspec_resource::space::Space;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::suggest::did_you_mean;

/// The maximum number of resources that are tracked by default.
pub const MAX_DEFAULT_RESOURCES: usize = 6;

/// Finds resources by name, each written `NODE.RESOURCE`.
///
/// # Errors
/// If there is no such resource, or its values are neither numbers nor truth values.
pub fn find_resources(game: &Game, names: &[String]) -> Result<Vec<SlotId>, Box<Diagnostic>> {
    names.iter().map(|name| find_resource(game, name)).collect()
}

fn find_resource(game: &Game, name: &str) -> Result<SlotId, Box<Diagnostic>> {
    let board = &game.board;
    let Some((slot, _)) = board.slots().find(|(slot, _)| board.slot_name(*slot) == name) else {
        let names: Vec<String> = board.slots().map(|(slot, _)| board.slot_name(slot)).collect();
        let suggestion = did_you_mean(name, names.iter().map(String::as_str));
        let suggestion = suggestion.unwrap_or_else(|| "write a resource as `NODE.RESOURCE`".to_owned());
        return Err(Diagnostic::invalid_argument(format!("unknown resource `{name}`; {suggestion}")));
    };
    if is_number(game, slot) {
        Ok(slot)
    } else {
        Err(Diagnostic::invalid_argument(format!("the resource `{name}` is neither a number nor a boolean")))
    }
}

/// Returns the resources that are tracked by default: those that metrics report or, if there are none, all resources with numbers
/// or truth values. Empty if there are more than [`MAX_DEFAULT_RESOURCES`].
pub fn default_resources(game: &Game) -> Vec<SlotId> {
    let reported = game.metrics.iter().filter_map(|metric| match metric.field {
        Field::Resource(slot) => Some(slot),
        _ => None,
    });
    let mut slots: Vec<SlotId> = reported.filter(|slot| is_number(game, *slot)).collect();
    if slots.is_empty() {
        slots = game.board.slots().map(|(slot, _)| slot).filter(|slot| is_number(game, *slot)).collect();
    }
    if slots.len() > MAX_DEFAULT_RESOURCES { Vec::new() } else { slots }
}

/// Whether a resource is declared as a number or a truth value, or is not declared.
fn is_number(game: &Game, slot: SlotId) -> bool {
    let declared = game.board.slot(slot).declaration.as_ref();
    !declared.is_some_and(|own| matches!(own.space, Space::FreeText | Space::TextEnum(_) | Space::Set(_)))
}
