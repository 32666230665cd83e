//! Mutations of Python programs in canonical layout: misspelled, missing and repeated words, missing delimiters, arguments more and less,
//! shifted indentation, and exchanged lines.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;

/// A mutation of a program.
pub(crate) struct PythonMutation {
    /// The kind of the change.
    pub(crate) kind: &'static str,
    /// The text.
    pub(crate) text: String,
}

/// Returns all mutations of a program.
pub(crate) fn mutations(text: &str) -> Vec<PythonMutation> {
    let mut all = Vec::new();
    let mut report = |kind, text| all.push(PythonMutation { kind, text });
    let parsed = parse_module(text).expect("the program can be parsed");
    let mut before = "";
    for token in parsed.tokens() {
        let (start, end) = (token.start().to_usize(), token.end().to_usize());
        let word = &text[start..end];
        let with = |replacement: &str| format!("{}{replacement}{}", &text[..start], &text[end..]);
        match token.kind() {
            TokenKind::Name if before == "." => report("misspelled attribute", with(&format!("zq{word}"))),
            TokenKind::Name => report("misspelled name", with(&format!("zq{word}"))),
            TokenKind::String => report("missing quote", with(&word[..word.len() - 1])),
            TokenKind::Newline => report("missing line break", with("")),
            TokenKind::Rpar if before == "(" => report("surplus argument", with("0)")),
            TokenKind::Rpar => report("surplus argument", with(", 0)")),
            kind if kind.is_keyword() => report("misspelled keyword", with(&format!("zq{word}"))),
            _ => {}
        }
        if matches!(word, "(" | ")" | "[" | "]" | ":" | "," | ".") {
            report("missing delimiter", with(""));
        } else if !word.trim().is_empty() {
            report("missing word", with(""));
            report("repeated word", with(&format!("{word} {word}")));
        }
        before = word;
    }
    let lines: Vec<&str> = text.lines().collect();
    let join = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    for index in 0..lines.len() {
        for indent in [" ", "    "] {
            let shifted = format!("{indent}{}", lines[index]);
            let mut changed = lines.clone();
            changed[index] = &shifted;
            report("shifted line", join(&changed));
        }
        let mut changed = lines.clone();
        changed.remove(index);
        report("missing line", join(&changed));
        if index + 1 < lines.len() {
            let mut changed = lines.clone();
            changed.swap(index, index + 1);
            report("exchanged lines", join(&changed));
        }
    }
    all
}
