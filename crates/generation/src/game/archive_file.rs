//! Archives of games as JSON lines: a line about the evolution, then one line for each cell.

use std::fmt;

use goalspec_generator::archive::{Archive, Cell, Elite, Placement};
use goalspec_syntax::Sources;
use serde_json::{Map, Value, json};

use super::evolution::{Evolution, EvolutionOptions, GameJudge, SAMPLE};
use super::generator::GameGenerator;
use super::operator_success::OperatorSuccess;
use super::variation::Operator;

/// Maximum number of bytes of an archive file.
pub const MAX_ARCHIVE_BYTES: usize = 1 << 30;

/// The version of the format, the first member of the first line.
const FORMAT: &str = "goalspec-archive-2";

/// The state of an evolution, from which it continues.
#[derive(Debug, Clone)]
pub struct SavedEvolution {
    /// The options.
    pub options: EvolutionOptions,
    /// The inputs of the evolution besides its options, such as the world, by name.
    pub setting: Map<String, Value>,
    /// The number of generations.
    pub generation: u64,
    /// The success of the operators until then.
    pub success: OperatorSuccess,
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

/// Returns the lines of an evolution: its options, setting and generation, then its games in the order of their cells.
pub fn lines<'e>(evolution: &'e Evolution<'_>, setting: &Map<String, Value>) -> impl Iterator<Item = String> + 'e {
    let (options, generator) = (evolution.options(), evolution.generator());
    let first = json!({
        "format": FORMAT,
        "seed": options.seed,
        "initial": options.initial,
        "pairs": options.pairs,
        "setting": setting,
        "generation": evolution.generation(),
        "operators": evolution.success().json(),
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

/// Reads the first line of an archive: a saved evolution without its games.
///
/// # Errors
/// If the line is invalid.
pub fn read_setting(text: &str) -> Result<SavedEvolution, ArchiveError> {
    let (first, number) = numbered_lines(text)?.next().unwrap_or_default();
    let error = |reason| ArchiveError { line: number.max(1), reason };
    if first.is_empty() {
        return Err(error("the file is empty".to_owned()));
    }
    read_first(first).map_err(error)
}

/// Returns the lines of a text that are not blank, with their numbers from 1.
fn numbered_lines(text: &str) -> Result<impl Iterator<Item = (&str, usize)>, ArchiveError> {
    if text.len() > MAX_ARCHIVE_BYTES {
        let reason = format!("the file has {} bytes, which exceeds the limit of {MAX_ARCHIVE_BYTES}", text.len());
        return Err(ArchiveError { line: 1, reason });
    }
    Ok(text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()))
}

/// Reads an archive. Its games are judged again, so that an archive that was edited is not trusted.
///
/// # Errors
/// Returns the first line that is invalid, or whose game has another cell.
pub fn read(text: &str, generator: &mut GameGenerator, judge: &GameJudge) -> Result<SavedEvolution, ArchiveError> {
    let mut saved = read_setting(text)?;
    for (line, number) in numbered_lines(text)?.skip(1) {
        let (cell, elite) =
            read_elite(line, generator, judge).map_err(|reason| ArchiveError { line: number, reason })?;
        if saved.archive.offer(cell, elite) != Placement::New {
            let reason = "an earlier line has the same `cell`".to_owned();
            return Err(ArchiveError { line: number, reason });
        }
    }
    Ok(saved)
}

fn parse(line: &str) -> Result<Value, String> {
    serde_json::from_str(line).map_err(|invalid| format!("invalid JSON: {invalid}"))
}

fn integer(value: &Value, member: &str) -> Result<u64, String> {
    value[member].as_u64().ok_or_else(|| format!("`{member}`: expected a number, found {}", value[member]))
}

/// Returns the evolution of the first line, without its games.
fn read_first(line: &str) -> Result<SavedEvolution, String> {
    let first = parse(line)?;
    if first["format"] != FORMAT {
        return Err(format!("expected `\"format\": \"{FORMAT}\"`, found {}", first["format"]));
    }
    let size = |member: &str| {
        u32::try_from(integer(&first, member)?).map_err(|_| format!("`{member}` exceeds the limit of {}", u32::MAX))
    };
    let options = EvolutionOptions { seed: integer(&first, "seed")?, initial: size("initial")?, pairs: size("pairs")? };
    let setting = first["setting"].as_object().cloned().unwrap_or_default();
    let success = OperatorSuccess::from_json(&first["operators"])
        .ok_or("`operators`: expected the numbers of pairs and of kept children of each operator")?;
    let generation = integer(&first, "generation")?;
    Ok(SavedEvolution { options, setting, generation, success, archive: Archive::default() })
}

/// Returns the game of a line with its cell.
fn read_elite(line: &str, generator: &mut GameGenerator, judge: &GameJudge) -> Result<(Cell, Elite), String> {
    let value = parse(line)?;
    let cell: Option<Cell> = value["cell"]
        .as_array()
        .and_then(|cell| cell.iter().map(|value| value.as_i64().and_then(|value| i32::try_from(value).ok())).collect());
    let cell = cell.ok_or("`cell`: expected a list of integers")?;
    let program = value["program"].as_str().ok_or("`program`: expected a text")?;
    let mut sources = Sources::new();
    let id = sources.add("archive", program);
    let parsed = goalspec_game::parse::parse(sources.file(id));
    if let Some(error) = parsed.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        return Err(format!("`program`: {}", error.message));
    }
    let game = parsed.games.first().ok_or("`program` contains no game")?;
    let tree = generator.read(game).map_err(|construct| construct.to_string())?;
    let evaluation = judge.evaluate(generator, &tree);
    if evaluation.cell.as_ref() != Some(&cell) {
        return Err(format!("the game belongs to the cell {:?}, not to {cell:?}", evaluation.cell.unwrap_or_default()));
    }
    let operator = value["operator"].as_str().and_then(Operator::named).map_or(SAMPLE, Operator::name);
    let elite = Elite { tree, fitness: evaluation.fitness, generation: integer(&value, "generation")?, operator };
    Ok((cell, elite))
}
