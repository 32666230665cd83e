//! Text to a program, with everything that is wrong with it.

use goalspec_syntax::{Diagnostic, SourceFile, Span};

use crate::code::Program;
use crate::limits::MAX_INSTRUCTIONS;
use crate::scopes::Scopes;
use crate::{bases, codes, compile, parse, subset};

/// A program as read.
#[derive(Debug, Clone)]
pub struct Read {
    /// The program, if it has no faults.
    pub program: Option<Program>,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a reward function.
pub fn read(source: &SourceFile) -> Read {
    let parse::Parsed { module, mut diagnostics, .. } = parse::parse(source);
    let scopes = Scopes::of(&module, source);
    diagnostics.extend(subset::check(&module, source));
    diagnostics.extend(bases::check(&module, source));
    diagnostics.extend(scopes.diagnostics.iter().cloned());
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Read { program: None, diagnostics };
    }
    let program = compile::compile(&module, source, &scopes);
    if program.is_err() {
        let message = format!("the program has more than {MAX_INSTRUCTIONS} instructions");
        diagnostics.push(Diagnostic::error(codes::LIMIT, Span::new(source.id(), 0, 0), message));
    }
    Read { program: program.ok(), diagnostics }
}
