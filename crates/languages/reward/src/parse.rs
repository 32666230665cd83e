//! Parsing of a text to Python's syntax tree, within limits.

use goalspec_syntax::{Diagnostic, SourceFile, Span};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{AtomicNodeIndex, ModModule, PythonVersion, Suite};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};

use crate::codes;
use crate::depth::{NestingError, find_nesting_error};
use crate::limits::{MAX_EXPRESSION_DEPTH, MAX_INDENTATION, MAX_PROGRAM_BYTES};
use crate::mangling::mangle_private_names;

/// The version of Python whose syntax is accepted.
const PYTHON_VERSION: PythonVersion = PythonVersion::PY311;

/// The result of parsing a text.
#[derive(Debug, Clone)]
pub struct ParseResult {
    /// The syntax tree; partial for a text with syntax errors, empty for a text beyond the limits.
    pub module: ModModule,
    /// The ranges of the comments, in order.
    pub comments: Vec<TextRange>,
    /// The syntax errors and exceeded limits.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a text.
///
/// # Panics
/// Never: the parser returns a module in module mode.
pub fn parse(source: &SourceFile) -> ParseResult {
    let text = source.text();
    if let Some(diagnostic) = check_limits(source) {
        let module = ModModule { node_index: AtomicNodeIndex::NONE, range: TextRange::default(), body: Suite::new() };
        return ParseResult { module, comments: Vec::new(), diagnostics: vec![diagnostic] };
    }
    let options = ParseOptions::from(Mode::Module).with_target_version(PYTHON_VERSION);
    let parsed = parse_unchecked(text, options).try_into_module().expect("a module was asked for");
    let mut diagnostics: Vec<Diagnostic> = parsed
        .errors()
        .iter()
        .map(|error| {
            let message = error.error.to_string();
            Diagnostic::error(codes::SYNTAX, span(source, error.location), lowercase_first(&message))
        })
        .collect();
    diagnostics.extend(parsed.unsupported_syntax_errors().iter().map(|error| {
        Diagnostic::error(codes::SYNTAX, span(source, error.range()), lowercase_first(&error.to_string()))
            .with_help("programs must be valid Python 3.11")
    }));
    let comments = parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Comment).map(Ranged::range);
    let comments = comments.collect();
    let mut module = parsed.into_syntax();
    mangle_private_names(&mut module);
    ParseResult { module, comments, diagnostics }
}

fn check_limits(source: &SourceFile) -> Option<Diagnostic> {
    let text = source.text();
    let at = |place: usize| Span::new(source.id(), place as u32, (place + 1).min(text.len()) as u32);
    if text.len() > MAX_PROGRAM_BYTES {
        let message = format!("the program has {} bytes, which exceeds the limit of {MAX_PROGRAM_BYTES}", text.len());
        return Some(Diagnostic::error(codes::LIMIT, at(0), message));
    }
    Some(match find_nesting_error(text)? {
        NestingError::Expression(place) => Diagnostic::error(
            codes::LIMIT,
            at(place),
            format!(
                "expression nested deeper than the limit of \
                {MAX_EXPRESSION_DEPTH} levels"
            ),
        )
        .with_help("each operator is a level: assign parts of the expression to variables, or sum a list"),
        NestingError::Indentation(place) => Diagnostic::error(
            codes::LIMIT,
            at(place),
            format!(
                "indentation exceeds the limit of {MAX_INDENTATION} \
                levels"
            ),
        )
        .with_help("move the inner blocks to functions"),
        NestingError::MalformedFString(place, reason) => Diagnostic::error(codes::SYNTAX, at(place), reason)
            .with_help("f-strings follow Python 3.11: use other quotes inside, or assign the value to a variable"),
    })
}

/// Converts a range of the parser to a span.
pub(crate) fn span(source: &SourceFile, range: TextRange) -> Span {
    Span::new(source.id(), range.start().to_u32(), range.end().to_u32())
}

/// Lowercases the first letter of a parser message, as in the messages of this crate.
fn lowercase_first(message: &str) -> String {
    let mut characters = message.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}
