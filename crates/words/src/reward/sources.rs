//! The source sentences of the terms of a reward function.

use std::fmt::Write as _;

use goalspec_reward::outline::Outline;
use goalspec_reward::terms::Terms;
use goalspec_syntax::Sources;
use serde::Serialize;

use crate::translation::names::NameMap;
use crate::translation::sentences::sentences;

/// A term of a reward with its source sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermSource {
    /// The term.
    pub term: String,
    /// Its line.
    pub line: usize,
    /// The number of the sentence, from 1; `None` if no sentence has words of the term.
    pub sentence: Option<usize>,
    /// The sentence.
    pub text: Option<String>,
}

/// Words that say nothing about the source of a term.
const COMMON_WORDS: [&str; 8] = ["reward", "penalty", "bonus", "self", "true", "false", "none", "objects"];

/// Returns the terms of a reward function with the sentences that share most words with them: with their code, their condition, and
/// their comments.
pub fn sources(program: &str, words: &str) -> Vec<TermSource> {
    let mut table = Sources::new();
    let id = table.add("reward.py", program);
    let source = table.file(id);
    let sentences = sentences(words);
    let outline = Outline::of(source);
    let names = ["reward_function", "compute_reward"];
    let entry = names.into_iter().find(|name| outline.functions.iter().any(|function| function.name.text == *name));
    let Some(entry) = entry else { return Vec::new() };
    let lines: Vec<&str> = goalspec_syntax::source::lines(program).collect();
    let of_term = |term: &goalspec_reward::terms::Term| {
        let line = term.line as usize;
        let comment = lines.get(line.wrapping_sub(1)).copied().unwrap_or_default();
        let condition = term.truncated_condition().unwrap_or_default();
        let text = format!("{} {} {condition} {comment}", term.name, term.text);
        let count = |sentence: &String| {
            distinct_words(&text).iter().filter(|word| NameMap::default().mentions(sentence, word)).count()
        };
        let counts: Vec<usize> = sentences.iter().map(count).collect();
        let best = (0..counts.len())
            .filter(|&index| counts[index] > 0)
            .max_by_key(|&index| (counts[index], std::cmp::Reverse(index)));
        TermSource {
            term: term.text.clone(),
            line,
            sentence: best.map(|index| index + 1),
            text: best.map(|index| sentences[index].clone()),
        }
    };
    Terms::of(source, entry).terms.iter().map(of_term).collect()
}

/// Returns the words of a text with at least three letters, each once.
fn distinct_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .split(|c: char| !c.is_alphabetic())
        .map(str::to_lowercase)
        .filter(|word| word.len() > 2 && !COMMON_WORDS.contains(&word.as_str()))
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Returns the program with a comment before each line of terms that quotes their sentences. A line that continues the one before it, which
/// ends with a backslash, has its comment before that line.
pub fn annotated(program: &str, terms: &[TermSource]) -> String {
    let lines: Vec<&str> = goalspec_syntax::source::lines(program).collect();
    let first_line = |line: usize| {
        let is_continued = |line: usize| line > 0 && lines.get(line - 1).is_some_and(|text| text.ends_with('\\'));
        (1..=line).rev().find(|&line| !is_continued(line - 1)).unwrap_or(line)
    };
    let mut text = String::with_capacity(program.len());
    for (index, line) in lines.iter().enumerate() {
        let mut quoted: Vec<usize> = Vec::new();
        for term in terms.iter().filter(|term| first_line(term.line) == index + 1) {
            if let (Some(number), Some(sentence)) = (term.sentence, &term.text)
                && !quoted.contains(&number)
            {
                quoted.push(number);
                let indentation = &line[..line.len() - line.trim_start().len()];
                let _ = writeln!(text, "{indentation}# {number}. {sentence}");
            }
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_has_the_sentence_with_its_words() {
        let words = "Touching a car hurts. The chicken should climb to the top.";
        let program = "def reward_function(objects):\n    reward = 0.0\n    if touches(car):\n        reward -= 1.0\n    reward += climb(chicken)\n    return reward\n";
        let terms = sources(program, words);
        let found: Vec<(usize, Option<usize>)> = terms.iter().map(|term| (term.line, term.sentence)).collect();
        assert!(found.contains(&(4, Some(1))) && found.contains(&(5, Some(2))), "{terms:?}");
        let text = annotated(program, &terms);
        assert!(text.contains("        # 1. Touching a car hurts.\n        reward -= 1.0\n"), "{text}");
    }

    #[test]
    fn a_comment_never_splits_a_continued_line() {
        let program = "def reward_function(objects):\n    return touches(car) + \\\n        climb(chicken)\n";
        let term = |line, sentence| TermSource {
            term: String::new(),
            line,
            sentence: Some(sentence),
            text: Some("S.".into()),
        };
        let text = annotated(program, &[term(2, 1), term(3, 2)]);
        let expected = "def reward_function(objects):\n    # 1. S.\n    # 2. S.\n    return touches(car) + \\\n        climb(chicken)\n";
        assert_eq!(text, expected);
    }
}
