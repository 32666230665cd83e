//! New resource graph games from the games of a library. Each checks without a warning that its example does not have, ends in simulated
//! games, and lets each team make each of its choices with an effect.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use goalspec_generation::resource_game::{GameEdit, MAX_DRAFTS, draft, edit_once, renamed};
use goalspec_generator::RandomStream;
use goalspec_syntax::{Code, Severity};
use serde_json::{Value, json};

use crate::library::{Library, LibraryOptions};
use crate::playability::{self, PlayabilityOptions, Possibility};

/// The name and version of the format of generated goals.
const FORMAT: &str = "goalspec-goal-1";

/// The number of games that are simulated to judge a new game.
const SIMULATIONS: u64 = 50;

/// The maximum number of turns of these games.
const MAX_TURNS: u32 = 500;

/// The library has no resource graph game without errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoResourceGame;

impl fmt::Display for NoResourceGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the examples contain no resource graph game")
    }
}

impl std::error::Error for NoResourceGame {}

/// A new resource graph game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedResourceGame {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The name of the example that it is made from.
    pub example: Arc<str>,
    /// The edit by which it differs from the example; `None` for several.
    pub edit: Option<GameEdit>,
}

/// An example with what its edits need.
#[derive(Debug)]
struct Example {
    name: Arc<str>,
    text: String,
    resources: Vec<String>,
    /// The codes of its own warnings.
    warnings: BTreeSet<Code>,
}

/// A generator of games like those of a library.
#[derive(Debug)]
pub struct ResourceGameGeneration {
    examples: Vec<Example>,
    options: LibraryOptions,
}

impl ResourceGameGeneration {
    /// Creates a generator from the games of a library, which has been loaded with these options.
    ///
    /// # Errors
    /// If there are no games without errors.
    pub fn new(library: &Library, options: LibraryOptions) -> Result<Self, NoResourceGame> {
        let examples = library.programs().iter().filter_map(|program| {
            let game = &program.as_resource()?.playable.as_ref()?.game;
            let text = library.sources().file(program.source).text().to_owned();
            let resources = game.board.slots().map(|(slot, _)| game.board.slot_name(slot)).collect();
            let own = library
                .diagnostics()
                .iter()
                .filter(|found| found.severity >= Severity::Warning)
                .filter(|found| found.span.is_some_and(|span| span.source == program.source));
            Some(Example {
                name: program.name.clone(),
                text,
                resources,
                warnings: own.map(|found| found.code).collect(),
            })
        });
        let examples: Vec<Example> = examples.collect();
        if examples.is_empty() {
            Err(NoResourceGame)
        } else {
            Ok(Self { examples, options: LibraryOptions { pool: None, ..options } })
        }
    }

    /// Returns the number of examples.
    pub fn example_count(&self) -> usize {
        self.examples.len()
    }

    /// Makes the game with an index by several edits. The seed and the index determine it. Returns `None` if all of [`MAX_DRAFTS`] drafts fail.
    pub fn sample(&self, seed: u64, index: u64) -> Option<GeneratedResourceGame> {
        let name = format!("sample-{seed}-{index}");
        let mut stream = RandomStream::new(seed, index);
        let example = &self.examples[stream.below(self.examples.len() as u64) as usize];
        (0..MAX_DRAFTS).find_map(|_| {
            let text = draft(&example.text, &example.resources, &GameEdit::ALL, &mut stream)?;
            self.accepted(example, &name, &text, None)
        })
    }

    /// Makes the variation of an example with an index, by one of some edits. Returns `None` if all of [`MAX_DRAFTS`] drafts fail.
    pub fn vary(&self, example: usize, edits: &[GameEdit], (seed, index): (u64, u64)) -> Option<GeneratedResourceGame> {
        let example = self.examples.get(example)?;
        let stem = std::path::Path::new(&*example.name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("game");
        let name = format!("{stem}-{seed}-{index}");
        let mut stream = RandomStream::new(seed, index);
        (0..MAX_DRAFTS).find_map(|_| {
            let edit = *edits.get(stream.below(edits.len().max(1) as u64) as usize)?;
            let text = edit_once(&example.text, &example.resources, edit, &mut stream)?;
            self.accepted(example, &name, &text, Some(edit))
        })
    }

    /// Returns the game of a draft, unless it has new warnings or cannot be played.
    fn accepted(
        &self,
        example: &Example,
        name: &str,
        text: &str,
        edit: Option<GameEdit>,
    ) -> Option<GeneratedResourceGame> {
        let text = renamed(text, name);
        if text == renamed(&example.text, name) {
            return None;
        }
        let library = Library::from_texts([(format!("{name}.yaml"), text.clone())], self.options.clone());
        let is_new = |found: &goalspec_syntax::Diagnostic| {
            found.severity >= Severity::Warning && !example.warnings.contains(&found.code)
        };
        if library.diagnostics().iter().any(is_new) {
            return None;
        }
        let options =
            PlayabilityOptions { simulations: SIMULATIONS, max_turns: MAX_TURNS, ..PlayabilityOptions::default() };
        let judged = playability::judge(&library, &[], &options, &|_| {});
        let is_playable = judged.first().is_some_and(|game| game.possibility() == Possibility::Possible);
        is_playable.then(|| GeneratedResourceGame { name: name.to_owned(), text, example: example.name.clone(), edit })
    }
}

/// Returns a new game with its origin as JSON.
pub fn json(game: &GeneratedResourceGame, (seed, index): (u64, u64)) -> Value {
    let mut value = json!({ "format": FORMAT, "language": "rgg", "name": game.name, "seed": seed, "index": index });
    match game.edit {
        Some(edit) => {
            value["parent"] = json!(&*game.example);
            value["operator"] = json!(edit.name());
        }
        None => value["like"] = json!(&*game.example),
    }
    value["program"] = json!(game.text);
    value
}
