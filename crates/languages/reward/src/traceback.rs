//! Tracebacks in the format of CPython 3.11, with markers below the failing expression.

use std::fmt::Write;

use goalspec_python_runtime::machine::{CallError, ChainedException, TracebackEntry, is_built_in};
use goalspec_syntax::SourceFile;
use ruff_python_ast::{Expr, ExprBinOp, ExprSubscript, Stmt};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;

use crate::compile::module_name;

/// The maximum number of times that a repeated line is printed in full.
const MAX_REPEATED_LINES: usize = 3;

/// Formats an unhandled exception as `python3` prints it; formats other errors as their message.
///
/// `file` is the name of the program in the traceback.
pub fn traceback(error: &CallError, source: &SourceFile, file: &str) -> String {
    let CallError::Exception { kind, message, traceback, chain: earlier } = error else { return format!("{error}\n") };
    let mut written = String::new();
    for ChainedException { kind, message, traceback, is_cause } in earlier {
        format_exception(&mut written, kind, message, traceback, source, file);
        written.push_str(if *is_cause {
            "\nThe above exception was the direct cause of the following exception:\n\n"
        } else {
            "\nDuring handling of the above exception, another exception occurred:\n\n"
        });
    }
    format_exception(&mut written, kind, message, traceback, source, file);
    written
}

fn format_exception(
    written: &mut String,
    kind: &str,
    message: &str,
    places: &[TracebackEntry],
    source: &SourceFile,
    file: &str,
) {
    if !places.is_empty() {
        written.push_str("Traceback (most recent call last):\n");
    }
    let mut at = 0;
    while at < places.len() {
        let same = |place: &&TracebackEntry| (place.line, &place.function) == (places[at].line, &places[at].function);
        let count = places[at..].iter().take_while(same).count();
        for place in &places[at..at + count.min(MAX_REPEATED_LINES)] {
            format_frame(written, place, source, file);
        }
        if count > MAX_REPEATED_LINES {
            let more = count - MAX_REPEATED_LINES;
            let plural = if more == 1 { "" } else { "s" };
            // Writing to a string never fails.
            let _ = writeln!(written, "  [Previous line repeated {more} more time{plural}]");
        }
        at += count;
    }
    // CPython qualifies exceptions of the program with the name of its module.
    if !is_built_in(kind) {
        let _ = write!(written, "{}.", module_name(file));
    }
    written.push_str(kind);
    if !message.is_empty() {
        let _ = write!(written, ": {message}");
    }
    written.push('\n');
}

fn format_frame(written: &mut String, place: &TracebackEntry, source: &SourceFile, file: &str) {
    let _ = writeln!(written, "  File \"{file}\", line {}, in {}", place.line, place.function);
    let range = source.line_range(place.line as usize);
    let start = range.start;
    let line = source.text().get(start..range.end).unwrap_or_default().trim_end();
    let stripped = line.trim_start();
    if stripped.is_empty() {
        return;
    }
    let _ = writeln!(written, "    {stripped}");
    let first = (place.start as usize).saturating_sub(start).min(line.len());
    // An expression that continues on other lines is marked up to the end of this one.
    let one_line = place.end as usize <= start + line.len();
    let last = if one_line { (place.end as usize).saturating_sub(start) } else { line.len() };
    let Some(segment) = line.get(first..last) else { return };
    let anchors = one_line.then(|| anchors(segment)).flatten();
    let count = |text: &str| text.chars().count();
    if count(segment) >= count(stripped) && anchors.is_none() {
        return;
    }
    let indent = count(&line[..first]) - (count(line) - count(stripped));
    let _ = write!(written, "    {}", " ".repeat(indent));
    let marks = match anchors {
        Some((left, right)) => {
            let right = right.max(left);
            format!(
                "{}{}{}",
                "~".repeat(left),
                "^".repeat(right - left),
                "~".repeat(count(segment).saturating_sub(right))
            )
        }
        None => "^".repeat(count(segment)),
    };
    let _ = writeln!(written, "{marks}");
}

/// Returns the range of the operator of a binary operation, or of the brackets of a subscript, in characters.
///
/// Byte offsets serve as character indices in between, as in CPython.
fn anchors(segment: &str) -> Option<(usize, usize)> {
    let parsed = parse_module(segment).ok()?;
    let [Stmt::Expr(statement)] = parsed.suite().as_slice() else { return None };
    let characters: Vec<char> = segment.chars().collect();
    let skip = |mut place: usize, skipped: &dyn Fn(char) -> bool| {
        while characters.get(place).is_some_and(|&character| character.is_whitespace() || skipped(character)) {
            place += 1;
        }
        place
    };
    let in_characters = |bytes: usize| segment.char_indices().take_while(|&(at, _)| at < bytes).count();
    match &*statement.value {
        Expr::BinOp(ExprBinOp { left, right, .. }) => {
            let between = segment.get(left.end().to_usize()..right.start().to_usize())?;
            let offset = between.chars().take_while(|character| character.is_whitespace()).count();
            let second = between.chars().nth(offset + 1).is_some_and(|character| !character.is_whitespace());
            let first = left.end().to_usize() + offset;
            let start = skip(first, &|character| matches!(character, ')' | '#'));
            Some((in_characters(start), in_characters(start + 1 + usize::from(second))))
        }
        Expr::Subscript(ExprSubscript { value, slice, .. }) => {
            let start = skip(in_characters(value.end().to_usize()), &|character| character != '[');
            let end = skip(in_characters(slice.end().to_usize() + 1), &|character| character != ']');
            Some((start, if end < characters.len() { end + 1 } else { end }))
        }
        _ => None,
    }
}
