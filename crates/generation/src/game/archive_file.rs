//! Archives of games as JSON lines: a line about the evolution, then one line for each cell.

use std::fmt;

use goalspec_generator::archive::{Archive, Cell, Elite};
use goalspec_syntax::Sources;
use serde_json::{Value, json};

use super::evolution::{Evolution, EvolutionOptions, SAMPLE};
use super::generator::GameGenerator;
use super::variation::Operator;

/// Maximum number of bytes of an archive file.
pub const MAX_ARCHIVE_BYTES: usize = 1 << 30;

/// The version of the format, the first member of the first line.
const FORMAT: &str = "goalspec archive 1";

/// The state of an evolution, from which it continues.
#[derive(Debug, Clone)]
pub struct SavedEvolution {
    /// The options.
    pub options: EvolutionOptions,
    /// The number of generations.
    pub generation: u64,
    /// The archive.
    pub archive: Archive,
}

/// The reason why a text is not an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The reason, as a phrase.
    pub reason: String,
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ArchiveError {}

/// Returns the lines of an evolution: its options and generation, then its games in the order of their cells.
pub fn lines<'e>(
    evolution: &'e Evolution<'_>,
    options: &EvolutionOptions,
    generator: &'e GameGenerator,
) -> impl Iterator<Item = String> + 'e {
    let first = json!({
        "format": FORMAT,
        "seed": options.seed,
        "initial": options.initial,
        "pairs": options.pairs,
        "generation": evolution.generation(),
    });
    let games = evolution.archive().iter().map(|(cell, elite)| {
        json!({
            "cell": cell,
            "fitness": elite.fitness,
            "generation": elite.generation,
            "operator": elite.operator,
            "program": generator.text(&elite.tree, "generated"),
        })
    });
    std::iter::once(first).chain(games).map(|line| line.to_string())
}

/// Reads an archive.
///
/// # Errors
/// Returns the first line that is invalid.
pub fn read(text: &str, generator: &mut GameGenerator) -> Result<SavedEvolution, ArchiveError> {
    let error = |line: usize, reason: &str| ArchiveError { line: line + 1, reason: reason.to_owned() };
    if text.len() > MAX_ARCHIVE_BYTES {
        return Err(error(
            0,
            &format!("the file has {} bytes, which exceeds the limit of {MAX_ARCHIVE_BYTES}", text.len()),
        ));
    }
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parse = |number: usize, line: &str| {
        serde_json::from_str::<Value>(line).map_err(|invalid| error(number, &format!("invalid JSON: {invalid}")))
    };
    let (number, first) = lines.next().ok_or_else(|| error(0, "the file is empty"))?;
    let first = parse(number, first)?;
    if first["format"] != FORMAT {
        return Err(error(number, &format!("expected `\"format\": \"{FORMAT}\"`, found {}", first["format"])));
    }
    let integer = |value: &Value, member: &str, number: usize| {
        let found = value[member].as_u64();
        found.ok_or_else(|| error(number, &format!("`{member}`: expected a number, found {}", value[member])))
    };
    let size = |member: &str| {
        u32::try_from(integer(&first, member, number)?).map_err(|_| error(number, &format!("`{member}` is too large")))
    };
    let options =
        EvolutionOptions { seed: integer(&first, "seed", number)?, initial: size("initial")?, pairs: size("pairs")? };
    let generation = integer(&first, "generation", number)?;
    let mut archive = Archive::default();
    for (number, line) in lines {
        let value = parse(number, line)?;
        let cell: Option<Cell> = value["cell"].as_array().and_then(|cell| {
            cell.iter().map(|value| value.as_i64().and_then(|value| i32::try_from(value).ok())).collect()
        });
        let cell = cell.ok_or_else(|| error(number, "`cell`: expected a list of integers"))?;
        let fitness = value["fitness"].as_f64().ok_or_else(|| error(number, "`fitness`: expected a number"))?;
        let program = value["program"].as_str().ok_or_else(|| error(number, "`program`: expected a text"))?;
        let mut sources = Sources::new();
        let id = sources.add("archive", program);
        let parsed = goalspec_game::parse::parse(sources.file(id));
        let game = parsed.games.first().ok_or_else(|| error(number, "`program` contains no game"))?;
        let tree = generator.read(game).map_err(|construct| error(number, &construct.to_string()))?;
        let operator = value["operator"].as_str().and_then(Operator::named).map_or(SAMPLE, Operator::name);
        let elite = Elite { tree, fitness, generation: integer(&value, "generation", number)?, operator };
        archive.offer(cell, elite);
    }
    Ok(SavedEvolution { options, generation, archive })
}
