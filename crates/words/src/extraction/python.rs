//! Extraction of reward functions in Python.

mod assembly;
mod entry;
mod unfenced;
mod units;

use goalspec_syntax::{SourceFile, Sources};

use super::{CodeBlock, Extraction, Note, code_blocks};
use crate::codes;
use units::{Unit, units};

/// The info strings of Python.
pub const LANGUAGES: [&str; 3] = ["python", "py", "python3"];

/// The part of a world that the extraction depends on.
#[derive(Debug, Clone, Default)]
pub struct WorldNames {
    /// The statement that imports the classes of the world; `None` if they need no import.
    pub import: Option<String>,
    /// The names of the classes of the world.
    pub classes: Vec<String>,
}

/// The code of one reply.
struct ReplyCode {
    /// The top-level statements of all blocks, in order; those of blocks that do not parse are missing.
    units: Vec<Unit>,
    /// The text of all blocks.
    text: String,
    /// Whether all blocks parse.
    parses: bool,
    /// Whether the text has more than one block.
    is_joined: bool,
}

/// Extracts the program of a conversation from its replies, the last one at the end.
pub fn extract(replies: &[&str], world: &WorldNames) -> Extraction {
    let mut notes = Vec::new();
    let mut codes_of_replies: Vec<ReplyCode> = Vec::new();
    for (index, reply) in replies.iter().enumerate() {
        match reply_code(reply, &mut notes) {
            Some(code) => codes_of_replies.push(code),
            None if index + 1 == replies.len() => {
                let message = "the reply contains no Python function";
                let mut extraction = Extraction::without_program(codes::NO_PROGRAM, message, notes);
                extraction.findings[0].help.push("return the program in one Python code block".to_owned());
                return extraction;
            }
            None => notes.push(Note::new("no-code", format!("reply {} contains no code", index + 1))),
        }
    }
    assembly::assemble(&codes_of_replies, world, notes)
}

/// Returns the code of a reply; `None` if it has none.
fn reply_code(reply: &str, notes: &mut Vec<Note>) -> Option<ReplyCode> {
    let reply = goalspec_syntax::source::without_byte_order_mark(reply);
    let mut blocks = code_blocks(reply, &LANGUAGES, notes);
    if blocks.is_empty() {
        blocks = unfenced::region(reply, notes).into_iter().collect();
    }
    let parsed: Vec<(CodeBlock, Option<Vec<Unit>>)> =
        blocks.into_iter().map(|block| (block.clone(), parse(&block.text))).collect();
    let all_names: Vec<String> = parsed
        .iter()
        .flat_map(|(_, units)| units.iter().flatten())
        .filter(|unit| unit.is_definition())
        .flat_map(|unit| unit.binds.iter().cloned())
        .collect();
    let mut code = ReplyCode { units: Vec::new(), text: String::new(), parses: true, is_joined: false };
    for (block, units) in parsed {
        let defines = match &units {
            Some(units) => defines_something(units, &all_names),
            None => unfenced::begins_definition(&block.text),
        };
        if !defines {
            let message = format!("the block in line {} is dropped: it defines nothing", block.line);
            notes.push(Note::new("dropped-block", message));
            continue;
        }
        code.is_joined |= !code.text.is_empty();
        if code.is_joined && !code.text.ends_with("\n\n") {
            code.text.push('\n');
        }
        code.text.push_str(&block.text);
        code.parses &= units.is_some();
        code.units.extend(units.unwrap_or_default());
    }
    (!code.text.is_empty()).then_some(code)
}

/// Whether a block contributes to a program: it has functions or classes, or only imports and assignments that call nothing which the
/// reply defines.
fn defines_something(units: &[Unit], defined: &[String]) -> bool {
    let calls = |unit: &Unit| unit.uses.iter().any(|name| defined.contains(name));
    units.iter().any(Unit::is_definition)
        || (units.iter().any(Unit::is_binding) && units.iter().all(|unit| !unit.is_other() && !calls(unit)))
}

/// Returns the top-level statements of a text; `None` if it does not parse.
fn parse(text: &str) -> Option<Vec<Unit>> {
    let source = source(text);
    let parsed = goalspec_reward::parse::parse(&source);
    parsed.diagnostics.is_empty().then(|| units(&source, &parsed.module))
}

/// Returns a source file of a text.
fn source(text: &str) -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add("reply", text);
    sources.file(id).clone()
}
