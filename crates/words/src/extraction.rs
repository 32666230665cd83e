//! Extraction of programs from replies.
//!
//! The rules, in order; every step that drops or joins something leaves a [`Note`]:
//! 1. Only the text of a complete reply is read, never reasoning.
//! 2. Fenced blocks whose info string is empty or names the language are code; other blocks are ignored. A reply that is a JSON object
//!    with a string `program` is that string.
//! 3. Without a fence, the whole reply is the program if it parses; otherwise the part from the first line that begins a definition to the
//!    last line that keeps it parseable.
//! 4. Of several blocks, those that define nothing are dropped, and the others are joined; of two definitions of a name, the last one is
//!    used.
//! 5. In a conversation, later replies override the definitions of earlier ones; a last reply that is closed stands alone.
//!
//! The rules for languages without functions are in [`text`], those for Python in [`python`].

pub mod fences;
pub mod python;
pub mod text;

use serde::{Deserialize, Serialize};

use crate::candidate::Stage;
use crate::finding::{Finding, Weight};
use fences::fenced_blocks;
use goalspec_syntax::diagnostic::Code;

/// A step of an extraction, for the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The kind of the step, such as `ignored-block`.
    pub kind: String,
    /// The step in English.
    pub message: String,
}

impl Note {
    /// Creates a note.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into() }
    }
}

/// The result of an extraction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extraction {
    /// The program; `None` if there is none.
    pub program: Option<String>,
    /// The steps.
    pub notes: Vec<Note>,
    /// The findings; with an error, there is no program.
    pub findings: Vec<Finding>,
}

impl Extraction {
    /// Creates the result for replies without a program.
    pub fn without_program(code: Code, message: impl Into<String>, notes: Vec<Note>) -> Self {
        Self { program: None, notes, findings: vec![Finding::new(Stage::Extracted, code.0, Weight::Error, message)] }
    }
}

/// A block of code of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    /// The code.
    pub text: String,
    /// The line of the reply before the code, from 1; 0 for code without a fence.
    pub line: usize,
}

/// The name of the field of a JSON reply that contains the program.
pub const PROGRAM_FIELD: &str = "program";

/// Returns the code blocks of a reply; `languages` are the accepted info strings in lower case beside the empty one. Without a block, the
/// code is not marked: then the result is empty.
pub fn code_blocks(reply: &str, languages: &[&str], notes: &mut Vec<Note>) -> Vec<CodeBlock> {
    if let Some(program) = json_program(reply) {
        notes.push(Note::new("json-reply", format!("the program is the field `{PROGRAM_FIELD}` of a JSON reply")));
        let inner = marked_blocks(&program, languages, notes);
        return if inner.is_empty() { vec![CodeBlock { text: program, line: 0 }] } else { inner };
    }
    marked_blocks(reply, languages, notes)
}

/// Returns the fenced blocks that are code.
fn marked_blocks(reply: &str, languages: &[&str], notes: &mut Vec<Note>) -> Vec<CodeBlock> {
    let mut code = Vec::new();
    let mut ignored = Vec::new();
    for block in fenced_blocks(reply) {
        if !block.is_closed {
            notes.push(Note::new("unclosed-block", format!("the block in line {} has no closing fence", block.line)));
        }
        if block.language.is_empty() || languages.contains(&block.language.as_str()) {
            code.push(CodeBlock { text: block.text, line: block.line });
        } else {
            ignored.push(block);
        }
    }
    if let ([], [block]) = (code.as_slice(), ignored.as_slice())
        && let Some(program) = json_program(&block.text)
    {
        notes.push(Note::new("json-reply", format!("the program is the field `{PROGRAM_FIELD}` of a JSON block")));
        return vec![CodeBlock { text: program, line: block.line }];
    }
    for block in ignored {
        let message = format!("the block in line {} is ignored: its language is `{}`", block.line, block.language);
        notes.push(Note::new("ignored-block", message));
    }
    code
}

/// Returns the program of a JSON reply; `None` for other texts.
fn json_program(reply: &str) -> Option<String> {
    let reply = reply.trim();
    if !reply.starts_with('{') {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(reply).ok()?;
    value.get(PROGRAM_FIELD)?.as_str().map(str::to_owned)
}
