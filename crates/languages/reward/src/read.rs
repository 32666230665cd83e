//! Reading: a text to a program and its diagnostics.

use std::sync::Arc;

use goalspec_python_runtime::code::Program;
use goalspec_syntax::{Diagnostic, SourceFile, Span};

use crate::limits::MAX_INSTRUCTIONS;
use crate::scopes::Scopes;
use crate::{base_classes, codes, compile, parse, subset};

/// The result of reading a text.
#[derive(Debug, Clone)]
pub struct ReadResult {
    /// The program; `None` if the text has errors.
    pub program: Option<Arc<Program>>,
    /// The diagnostics of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses, checks and compiles a reward function.
pub fn read(source: &SourceFile) -> ReadResult {
    let parse::ParseResult { module, mut diagnostics, .. } = parse::parse(source);
    let scopes = Scopes::of(&module, source);
    diagnostics.extend(subset::check(&module, source));
    diagnostics.extend(base_classes::check(&module, source));
    diagnostics.extend(scopes.diagnostics.iter().cloned());
    if diagnostics.iter().any(Diagnostic::is_error) {
        return ReadResult { program: None, diagnostics };
    }
    let program = compile::compile(&module, source, &scopes);
    if program.is_err() {
        let message = format!("the program exceeds the limit of {MAX_INSTRUCTIONS} instructions");
        diagnostics.push(Diagnostic::error(codes::LIMIT, Span::new(source.id(), 0, 0), message));
    }
    ReadResult { program: program.ok().map(Arc::new), diagnostics }
}
