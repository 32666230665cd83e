//! The reader of world files (`*.world.toml`).
//!
//!  module | contents |
//! |---|---|
//!  `document` | TOML values with source spans |
//!  `loader` | names, kinds and values: the common parts of all sections |
//!  [`keys`](mod@keys) | the keys of each table with their documentation, for editors |
//!  [`occurrences`](mod@occurrences) | the occurrences of names, for editors |
//! | `sections` | types, symbols, attributes, objects, predicates, functions, trackers |
//!  `recording` | the section that maps recordings to attributes |
//!  `definition` | conditions and expressions, written as s-expressions |
//!  [`codes`] | the diagnostic codes |
//!
//! The page on worlds in the book describes the format.

pub mod codes;
mod definition;
mod document;
pub mod keys;
mod loader;
pub mod occurrences;
mod recording;
mod sections;

use goalspec_syntax::{Diagnostic, SourceFile};

use super::World;
use crate::limits::MAX_EXTENDS_DEPTH;
use document::Node;

/// Parses a world file and the files that it extends. `include` returns the file for a name in `extends`, or `None`.
///
/// Returns a world if and only if no diagnostic is an error.
pub fn parse(
    source: &SourceFile,
    include: &mut dyn FnMut(&str) -> Option<SourceFile>,
) -> (Option<World>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut files = vec![source.clone()];
    let world = documents(&mut files, include, &mut diagnostics)
        .and_then(|documents| loader::Loader::new(&files, &mut diagnostics).load(&documents));
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.source, span.start)));
    (world, diagnostics)
}

/// Returns the file and all files that it extends, the most general first, and adds the latter to `files`.
fn documents(
    files: &mut Vec<SourceFile>,
    include: &mut dyn FnMut(&str) -> Option<SourceFile>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Node>> {
    let mut documents: Vec<Node> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    loop {
        let document = document::read(files.last()?, diagnostics)?;
        let extends =
            document.table().ok()?.iter().find(|entry| entry.key == "extends").map(|entry| entry.node.clone());
        documents.push(document);
        let Some(node) = extends else { break };
        match extended_file(&node, &seen, include) {
            Ok((name, file)) => {
                seen.push(name);
                files.push(file);
            }
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                return None;
            }
        }
    }
    documents.reverse();
    Some(documents)
}

/// Returns the file that `extends` names.
fn extended_file(
    node: &Node,
    seen: &[String],
    include: &mut dyn FnMut(&str) -> Option<SourceFile>,
) -> Result<(String, SourceFile), Box<Diagnostic>> {
    let name = node.text()?.to_owned();
    let error = |message: String| Box::new(Diagnostic::error(codes::CANNOT_EXTEND, node.span, message));
    if seen.contains(&name) {
        return Err(error(format!("`{name}` extends itself, directly or through other files")));
    }
    if seen.len() == MAX_EXTENDS_DEPTH {
        return Err(error(format!("the chain of extended files exceeds the limit of {MAX_EXTENDS_DEPTH}")));
    }
    let file = include(&name).ok_or_else(|| error(format!("unknown world file `{name}`")))?;
    Ok((name, file))
}
