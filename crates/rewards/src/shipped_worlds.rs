//! The worlds that goalspec ships, the rooms of the game language and the screens of Atari games, and the choice of the world of a trace.

use std::sync::Arc;

use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::suggest::{did_you_mean, nearest};
use goalspec_trace::{TraceInput, detect_world};

use crate::screen_worlds::{self, ScreenWorld};

/// Returns the names of all worlds that goalspec ships.
pub fn names() -> impl Iterator<Item = &'static str> {
    goalspec_game::worlds::names().chain(screen_worlds::all().iter().map(|world| world.name.as_str()))
}

/// Returns the shipped world with this name, of any kind.
pub fn find(name: &str) -> Option<Arc<World>> {
    let room = || goalspec_game::worlds::builtin(name).map(|world| Arc::new(world.clone()));
    screen_worlds::builtin(name).map(ScreenWorld::world).or_else(room)
}

/// Returns the diagnostic for an unknown world name.
pub fn unknown_world(name: &str, loaded: &[Arc<World>]) -> Box<Diagnostic> {
    let message = format!("unknown world `{name}`");
    let error = Diagnostic::new(goalspec_trace::codes::UNKNOWN_DOMAIN, Severity::Error, message);
    let known: Vec<&str> = loaded.iter().map(|world| world.name()).chain(names().map(|name| name as &str)).collect();
    let near = did_you_mean(name, known.iter().copied());
    let error = near.into_iter().fold(error, Diagnostic::with_help);
    Box::new(error.with_help(format!("specify a world file or one of {}", known.join(", "))))
}

/// Returns the world of a trace whose header names the world `named`, or none: one of `worlds`, or a built-in world.
///
/// # Errors
/// If the trace cannot be read, or its world cannot be determined.
pub(crate) fn world_of(
    input: &TraceInput,
    named: Option<&str>,
    worlds: &[Arc<World>],
) -> Result<Arc<World>, Box<Diagnostic>> {
    let by_name = |name: &str| worlds.iter().find(|world| world.name() == name).cloned().or_else(|| find(name));
    if let Some(world) = named.and_then(by_name) {
        return Ok(world);
    }
    let candidates: Vec<&World> = worlds.iter().map(|world| &**world).collect();
    let matching = detect_world(|| input.open(), &candidates)?.map(World::name);
    match (matching.and_then(by_name), worlds) {
        (Some(world), _) => Ok(world),
        // A trace that does not name its world belongs to the only known one.
        (None, [only]) if named.is_none() => Ok(only.clone()),
        _ => fitting(input, named),
    }
}

/// Returns the built-in world to which a trace belongs. `named` is the name of the world in its header.
///
/// # Errors
/// If the trace cannot be read, or belongs to none of the built-in worlds.
pub fn fitting(input: &TraceInput, named: Option<&str>) -> Result<Arc<World>, Box<Diagnostic>> {
    if let Some(screen) = named.and_then(screen_worlds::builtin) {
        return Ok(screen.world());
    }
    let rooms: Vec<&World> = goalspec_game::worlds::names().filter_map(goalspec_game::worlds::builtin).collect();
    let matching = detect_world(|| input.open(), &rooms)?;
    Ok(Arc::new(matching.ok_or_else(|| unknown_world_error(input, named))?.clone()))
}

fn unknown_world_error(input: &TraceInput, world: Option<&str>) -> Box<Diagnostic> {
    if let Some(world) = world {
        let message = format!("`{}` is of the world `{world}`, which is not built in", input.name());
        let help = format!(
            "specify the world file, such as --world {world}.world.toml, or the planning problem, activity or game of the trace"
        );
        let error = Diagnostic::new(goalspec_trace::codes::UNKNOWN_DOMAIN, Severity::Error, message);
        return Box::new(with_suggestion(error, world).with_help(help));
    }
    let message = format!("`{}` does not name its world", input.name());
    let known: Vec<&str> = names().collect();
    let help = format!("specify the world: --world FILE.world.toml, or --world with one of {}", known.join(", "));
    Box::new(Diagnostic::new(goalspec_trace::codes::UNKNOWN_DOMAIN, Severity::Error, message).with_help(help))
}

/// Suggests the built-in world with the most similar name, if one is similar.
fn with_suggestion(error: Diagnostic, name: &str) -> Diagnostic {
    match did_you_mean(name, names()) {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// Returns the remarks of a reader. If the trace names an unknown world, probably a misspelling of `world`, a suggestion is
/// added.
pub fn with_probable_world(remarks: Vec<Diagnostic>, named: Option<&str>, world: &World) -> Vec<Diagnostic> {
    let mut known: Vec<&str> = names().collect();
    known.push(world.name());
    let unknown = named.filter(|world_name| !known.contains(world_name));
    let meant = unknown.and_then(|named| nearest(named, known.iter().copied()));
    let add_suggestion = |remark: Diagnostic| {
        if remark.code == goalspec_trace::codes::OTHER_WORLD && meant == Some(world.name()) {
            return remark.with_help(format!("did you mean `{}`?", world.name()));
        }
        remark
    };
    remarks.into_iter().map(add_suggestion).collect()
}
