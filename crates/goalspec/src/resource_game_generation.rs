//! New resource graph games from the games of a library. Each checks without a warning that its example does not have, ends in simulated
//! games, lets each team make each of its choices with an effect, and has finite rewards and metrics in them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use goalspec_generation::resource_game::{GameEdit, GameExample, MAX_DRAFTS, ResourceGameCorpus, UnsupportedGame};
use goalspec_generator::RandomStream;
use goalspec_syntax::{Code, Severity};
use serde_json::{Value, json};

use crate::library::{Library, LibraryOptions};
use crate::playability::{self, PlayabilityOptions, Possibility, episodes};

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
    /// The number of drafts that were made until one was accepted.
    pub drafts: u32,
}

/// An example with the defects that its games may have.
#[derive(Debug)]
struct Example {
    name: Arc<str>,
    /// The codes of its own warnings.
    warnings: BTreeSet<Code>,
    /// Whether its own simulated games have finite rewards and metrics, and no exceptions.
    has_usable_results: bool,
}

/// A generator of games like those of a library.
#[derive(Debug)]
pub struct ResourceGameGeneration {
    corpus: ResourceGameCorpus,
    /// The examples, in the order of the corpus.
    examples: Vec<Example>,
    unsupported: Vec<(Arc<str>, UnsupportedGame)>,
    options: LibraryOptions,
}

impl ResourceGameGeneration {
    /// Creates a generator from the games of a library, which has been loaded with these options.
    ///
    /// # Errors
    /// If there is no game without errors whose tree can be written.
    pub fn new(library: &Library, options: LibraryOptions) -> Result<Self, NoResourceGame> {
        let mut games = Vec::new();
        let mut examples = Vec::new();
        for program in library.programs() {
            let Some(game) = program.as_resource().filter(|game| game.playable.is_some()) else { continue };
            let Some(ast) = &game.ast else { continue };
            let text = library.sources().file(program.source).text();
            games.push(GameExample { text, game: ast, dialect: game.dialect });
            let own = library.diagnostics().iter().filter(|found| found.severity >= Severity::Warning);
            let own = own.filter(|found| found.span.is_some_and(|span| span.source == program.source));
            examples.push(Example {
                name: program.name.clone(),
                warnings: own.map(|found| found.code).collect(),
                has_usable_results: episodes::have_usable_results(library, program, &simulations()),
            });
        }
        let custom: Vec<&str> = library.custom_results().names().map(|name| &**name).collect();
        let (corpus, unsupported) = ResourceGameCorpus::new(&games, &custom);
        let unsupported = unsupported.into_iter().rev().map(|(index, reason)| (examples.remove(index).name, reason));
        let unsupported: Vec<(Arc<str>, UnsupportedGame)> = unsupported.collect();
        if examples.is_empty() {
            return Err(NoResourceGame);
        }
        Ok(Self { corpus, examples, unsupported, options: LibraryOptions { pool: None, ..options } })
    }

    /// Returns the number of examples.
    pub fn example_count(&self) -> usize {
        self.examples.len()
    }

    /// Returns the names of the games of the library that are no examples, with the reasons.
    pub fn unsupported(&self) -> &[(Arc<str>, UnsupportedGame)] {
        &self.unsupported
    }

    /// Makes the game with an index: an example with new parts. The seed and the index determine it. Returns `None` if all of [`MAX_DRAFTS`]
    /// drafts fail.
    ///
    /// The first drafts may be new in all parts; the later a draft, the more it keeps of the example.
    pub fn sample(&self, seed: u64, index: u64) -> Option<GeneratedResourceGame> {
        let name = format!("sample-{seed}-{index}");
        let mut stream = RandomStream::new(seed, index);
        let place = stream.below(self.examples.len() as u64) as usize;
        let (example, generator) = (&self.examples[place], self.corpus.generator(place)?);
        (0..MAX_DRAFTS).find_map(|draft| {
            let freshness = 1.0 - f64::from(draft) / f64::from(MAX_DRAFTS);
            let tree = generator.draft(freshness, &mut stream)?;
            let text = generator.text(&tree, &name);
            self.is_accepted(example, &name, &text).then(|| {
                let example = example.name.clone();
                GeneratedResourceGame { name: name.clone(), text, example, edit: None, drafts: draft + 1 }
            })
        })
    }

    /// Makes the variation of an example with an index, by one of some edits. Returns `None` if all of [`MAX_DRAFTS`] drafts fail.
    pub fn vary(&self, example: usize, edits: &[GameEdit], (seed, index): (u64, u64)) -> Option<GeneratedResourceGame> {
        let (example, generator) = (self.examples.get(example)?, self.corpus.generator(example)?);
        let stem = std::path::Path::new(&*example.name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("game");
        let name = format!("{stem}-{seed}-{index}");
        let mut stream = RandomStream::new(seed, index);
        (0..MAX_DRAFTS).find_map(|draft| {
            let edit = *edits.get(stream.below(edits.len().max(1) as u64) as usize)?;
            let tree = generator.edited(generator.example(), edit, &mut stream)?;
            let text = generator.text(&tree, &name);
            self.is_accepted(example, &name, &text).then(|| {
                let example = example.name.clone();
                GeneratedResourceGame { name: name.clone(), text, example, edit: Some(edit), drafts: draft + 1 }
            })
        })
    }

    /// Whether a game has no new warnings and can be played.
    fn is_accepted(&self, example: &Example, name: &str, text: &str) -> bool {
        let library = Library::from_texts([(format!("{name}.yaml"), text)], self.options.clone());
        let is_new = |found: &goalspec_syntax::Diagnostic| {
            found.severity >= Severity::Warning && !example.warnings.contains(&found.code)
        };
        if library.diagnostics().iter().any(is_new) {
            return false;
        }
        let Some(program) = library.programs().first() else { return false };
        let judged = playability::judge(&library, &[], &simulations(), &|_| {});
        judged.first().is_some_and(|game| game.possibility() == Possibility::Possible)
            && (!example.has_usable_results || episodes::have_usable_results(&library, program, &simulations()))
    }
}

/// Returns the simulated games by which a game is judged.
fn simulations() -> PlayabilityOptions {
    PlayabilityOptions { simulations: SIMULATIONS, max_turns: MAX_TURNS, ..PlayabilityOptions::default() }
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
