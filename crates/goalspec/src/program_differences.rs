//! Differences of programs in meaning: of games over traces, and of planning problems and activities over states.

use std::path::Path;
use std::sync::Arc;

use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_equivalence::games::{Implication, Method, ProofScope};
use goalspec_equivalence::{GameComparison, GameComparisonOptions, GameVerdict, compare_games};
use goalspec_syntax::Diagnostic;
use goalspec_trace::source::Compression;
use goalspec_trace::{Format, Header, LinesWriter, TraceInput, TraceReader as _, TraceWriter as _};
use serde_json::{Value, json};

use crate::library::Library;
use crate::program::Program;
use crate::program_comparison::{ComparisonResult, compare, compared_program};
use crate::traces;

/// Whether two programs differ, with the difference if they do.
#[derive(Debug, Clone)]
pub enum ProgramDifference {
    /// Of two games of one world.
    Games(Arc<World>, Box<GameComparison>),
    /// Of two planning problems or activities.
    Problems(ComparisonResult),
}

/// The reason why two programs cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DifferenceError {
    /// The programs are not of one kind that can be compared.
    Kinds,
    /// The games are about worlds with other types, objects, attributes, predicates or functions.
    Worlds(String, String),
}

impl std::fmt::Display for DifferenceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kinds => f.write_str("only two games, or two planning problems or activities, can be compared"),
            Self::Worlds(one, other) => write!(f, "the games are about different worlds: `{one}` and `{other}`"),
        }
    }
}

impl std::error::Error for DifferenceError {}

/// Returns the world of two games; `None` if the programs are not games without errors.
///
/// # Errors
/// If the worlds of the games differ.
pub fn common_world(programs: [&Program; 2]) -> Option<Result<Arc<World>, DifferenceError>> {
    let [one, other] = programs.map(|program| program.game().and(program.world.as_ref()));
    let (one, other) = (one?, other?);
    let names = || DifferenceError::Worlds(one.name().to_owned(), other.name().to_owned());
    Some(if one.has_same_vocabulary(other) { Ok(Arc::clone(one)) } else { Err(names()) })
}

/// Compares two programs, each with the library that contains it. `options` are those of games.
///
/// # Errors
/// If the programs cannot be compared.
pub fn compare_programs(
    one: (&Library, &Program),
    other: (&Library, &Program),
    options: &GameComparisonOptions<'_>,
) -> Result<ProgramDifference, DifferenceError> {
    if let (Some(of_one), Some(of_other)) = (compared_program(one.0, one.1), compared_program(other.0, other.1)) {
        return Ok(ProgramDifference::Problems(compare(&of_one, &of_other, false)));
    }
    let (Some(one_game), Some(other_game)) = (one.1.game(), other.1.game()) else { return Err(DifferenceError::Kinds) };
    let world = common_world([one.1, other.1]).unwrap_or(Err(DifferenceError::Kinds))?;
    let comparison = compare_games(&world, [one_game, other_game], options);
    Ok(ProgramDifference::Games(world, Box::new(comparison)))
}

/// Returns the states of a trace of a world.
///
/// # Errors
/// If the trace cannot be read or does not belong to the world.
pub fn read_states(input: &TraceInput, world: &World) -> Result<Vec<Delta>, Box<Diagnostic>> {
    let mut reader = traces::read(input, world, false)?;
    let mut states = Vec::new();
    let mut delta = Delta::default();
    while reader.next(&mut delta)? {
        states.push(delta.clone());
    }
    Ok(states)
}

impl ProgramDifference {
    /// Whether the programs are equal; `None` if this is not decided.
    pub fn is_equal(&self) -> Option<bool> {
        match self {
            Self::Games(_, comparison) => match comparison.verdict {
                GameVerdict::Equal(..) => Some(true),
                GameVerdict::Differ(_) => Some(false),
                GameVerdict::Undecided(_) => None,
            },
            Self::Problems(result) => result.is_same(),
        }
    }

    /// Returns the trace about which two games disagree, as text in the plain format; `None` if there is none.
    ///
    /// # Errors
    /// If a number of the trace is not finite.
    pub fn trace_text(&self) -> goalspec_trace::Result<Option<String>> {
        let Self::Games(world, comparison) = self else { return Ok(None) };
        let GameVerdict::Differ(difference) = &comparison.verdict else { return Ok(None) };
        trace_text(world, &difference.trace).map(Some)
    }

    /// Writes the trace about which two games disagree; the extension of the name selects the format. Returns whether there is one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_trace(&self, path: &Path) -> goalspec_trace::Result<bool> {
        let Self::Games(world, comparison) = self else { return Ok(false) };
        let GameVerdict::Differ(difference) = &comparison.verdict else { return Ok(false) };
        let mut writer = goalspec_trace::create(path, world, &Header::new(Format::Lines, Compression::None))?;
        for delta in &difference.trace {
            writer.write(delta)?;
        }
        writer.finish()?;
        Ok(true)
    }

    /// Returns the result as JSON. `aspect` is the name of what was compared of games.
    ///
    /// # Errors
    /// If a number of the trace is not finite.
    pub fn json(&self, aspect: &str) -> goalspec_trace::Result<Value> {
        let verdict = match self.is_equal() {
            Some(true) => "equal",
            Some(false) => "differ",
            None => "undecided",
        };
        let mut value = json!({ "format": "goalspec-difference-1", "verdict": verdict });
        let (world, comparison) = match self {
            Self::Problems(result) => {
                value["problems"] = result.json();
                return Ok(value);
            }
            Self::Games(world, comparison) => (world, comparison),
        };
        value["world"] = json!(world.name());
        value["as"] = json!(aspect);
        value["unmatched"] = json!(comparison.unmatched.each_ref().map(|names| texts(names)));
        match &comparison.verdict {
            GameVerdict::Equal(method, scope) => {
                value["method"] = json!(method.name());
                value["scope"] = json!({ "objects": scope_name(*scope), "limit": scope_limit(*scope) });
            }
            GameVerdict::Differ(difference) => {
                let found = &difference.disagreement;
                let given = match difference.method {
                    Method::GivenTrace(index) => Some(index),
                    _ => None,
                };
                value["method"] = json!(difference.method.name());
                value["difference"] = json!({
                    "state": found.state,
                    "aspect": found.aspect,
                    "preference": found.preference.as_ref().map(|names| texts(names)),
                    "statements": found.statements,
                    "reasons": found.reasons,
                    "given_trace": given,
                    "states": difference.trace.len(),
                });
                if given.is_none() {
                    value["trace"] = json!(trace_text(world, &difference.trace)?.lines().collect::<Vec<_>>());
                }
            }
            GameVerdict::Undecided(reasons) => value["reasons"] = json!(reasons),
        }
        let implications = ["first_implies_second", "second_implies_first"].into_iter().zip(&comparison.implications);
        for (key, implication) in implications {
            value[key] = match implication {
                Implication::Proved => json!(true),
                Implication::Refuted(_) => json!(false),
                Implication::Unknown => Value::Null,
            };
        }
        Ok(value)
    }
}

/// Returns a trace as text in the plain format.
fn trace_text(world: &World, trace: &[Delta]) -> goalspec_trace::Result<String> {
    let mut writer = LinesWriter::new(Vec::new(), world, &Header::new(Format::Lines, Compression::None))?;
    for delta in trace {
        writer.write(delta)?;
    }
    Ok(String::from_utf8_lossy(&writer.into_output()).into_owned())
}

fn texts(names: &[Arc<str>]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}

/// Returns the name of the worlds for which games are equal.
pub const fn scope_name(scope: ProofScope) -> &'static str {
    match scope {
        ProofScope::AnyObjects => "any",
        ProofScope::WorldObjects => "those of the world",
        ProofScope::AtMost(_) => "a limited number of each type",
    }
}

const fn scope_limit(scope: ProofScope) -> Option<usize> {
    match scope {
        ProofScope::AtMost(limit) => Some(limit),
        ProofScope::AnyObjects | ProofScope::WorldObjects => None,
    }
}
