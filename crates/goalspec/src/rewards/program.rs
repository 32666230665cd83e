//! Reward programs: what is written, what it means, and of which world.

use std::sync::Arc;

use goalspec_atari::Game;
use goalspec_reward::outline::{Function, Outline};
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, SourceFile, Span};

use super::worlds::{self, ScreenWorld};
use crate::codes;

/// The names under which reward functions are looked for, the usual one first.
pub const ENTRIES: [&str; 2] = ["reward_function", "compute_reward"];

/// A reward function as written and as it runs.
#[derive(Debug, Clone)]
pub struct RewardProgram {
    /// What it offers and what it needs.
    pub outline: Outline,
    /// What runs; `None` if it has errors that keep it from running.
    pub program: Option<Arc<goalspec_reward::Program>>,
    /// The function that is called.
    pub entry: Option<Function>,
    /// The world that was asked for, or that it imports; `None` if that is the recording's.
    pub world: Option<&'static ScreenWorld>,
}

impl RewardProgram {
    /// Reads and checks a program. `asked` is the world that it is to be read with, whatever it imports.
    pub fn read(file: &SourceFile, asked: Option<&'static ScreenWorld>) -> (Self, Vec<Diagnostic>) {
        let goalspec_reward::Read { program, mut diagnostics } = goalspec_reward::read(file);
        let outline = Outline::of(file);
        let imported = outline.worlds.iter().find_map(|name| worlds::of_module(&name.text));
        let world = asked.or(imported);
        if program.is_some() {
            diagnostics.extend(world_of(&outline, asked, imported));
            diagnostics.extend(world.iter().flat_map(|world| outline.unknown(&world.scene, &world.name)));
        }
        let entry = ENTRIES.iter().find_map(|name| outline.functions.iter().rev().find(|one| one.name.text == *name));
        let entry = entry.cloned();
        if entry.is_none() && program.is_some() {
            diagnostics.push(no_entry(file, &outline));
        }
        (Self { program: program.map(Arc::new), entry, outline, world }, diagnostics)
    }

    /// Whether its name and its beginning make a text of Python a reward function, where nobody says that it is one.
    pub(crate) fn is_meant(text: &str) -> bool {
        text.lines().any(|line| {
            let name = line.strip_prefix("def ").and_then(|rest| rest.split('(').next());
            name.is_some_and(|name| ENTRIES.contains(&name.trim()))
        })
    }
}

/// What is to be said of the worlds that a program imports.
fn world_of(
    outline: &Outline,
    asked: Option<&'static ScreenWorld>,
    imported: Option<&'static ScreenWorld>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for name in &outline.worlds {
        let Some(game) = name.text.strip_prefix("ocatari.").and_then(|rest| rest.split_once('.')) else { continue };
        if worlds::of_module(&name.text).is_none() {
            let known: Vec<String> = Game::ALL.iter().map(|game| game.slug()).collect();
            let message = format!("there is no world of the game `{}`", game.1);
            let error = Diagnostic::new(codes::UNKNOWN_DOMAIN, severity(asked), message);
            let error = Diagnostic { span: Some(name.span), ..error };
            let near = goalspec_syntax::suggest::did_you_mean(game.1, known.iter().map(String::as_str));
            found.push(
                near.into_iter()
                    .fold(error, Diagnostic::with_help)
                    .with_help(format!("there are {}", known.join(", "))),
            );
        }
    }
    if let (Some(asked), Some(imported), Some(name)) = (asked, imported, outline.worlds.first())
        && asked.game != imported.game
    {
        let message =
            format!("the program imports the classes of {}, and is read with `{}`", imported.game, asked.name);
        let error = Diagnostic::new(codes::OTHER_REWARD_WORLD, Severity::Warning, message);
        found.push(Diagnostic { span: Some(name.span), ..error });
    }
    found
}

/// An import of classes that nobody knows is no error where others are asked for.
fn severity(asked: Option<&'static ScreenWorld>) -> Severity {
    if asked.is_some() { Severity::Warning } else { Severity::Error }
}

fn no_entry(file: &SourceFile, outline: &Outline) -> Diagnostic {
    let message = format!("`{}` has no function `{}`", file.name(), ENTRIES[0]);
    let span = Span::new(file.id(), 0, 0);
    let error = Diagnostic { span: Some(span), ..Diagnostic::new(codes::NO_REWARD_FUNCTION, Severity::Error, message) };
    let names: Vec<&str> = outline.functions.iter().map(|function| function.name.text.as_str()).collect();
    match &names[..] {
        [] => error
            .with_help(format!("the function that gives the reward is called `{}` or `{}`", ENTRIES[0], ENTRIES[1])),
        _ => {
            error.with_help(format!("it has {}; call the one that gives the reward `{}`", names.join(", "), ENTRIES[0]))
        }
    }
}
