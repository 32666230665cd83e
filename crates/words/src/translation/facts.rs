//! The facts of a program with their source sentences.
//!
//! A model states the sentence of a fact by a comment `; N` before it. The statement is checked: a sentence that names none of the fact's
//! objects is not its source. Without a statement, the sentence that names most of the objects is taken.

use goalspec_syntax::SourceFile;
use goalspec_syntax::sexp::{self, Comment, List, Sexp, leading_comments, trailing_comment};
use serde::Serialize;

use super::names::NameMap;
use crate::candidate::Stage;
use crate::codes;
use crate::finding::{Finding, Place, Weight};

/// The sections whose leaves are facts.
const SECTIONS: [&str; 6] = [":init", ":goal", ":constraints", ":setup", ":scoring", ":terminal"];

/// The connectives whose arguments are facts or expressions, so that they are no facts themselves.
const CONNECTIVES: [&str; 4] = ["and", "or", "not", "imply"];

/// A fact with its source sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// The section, such as `:init`.
    pub section: String,
    /// The fact.
    pub text: String,
    /// The number of the sentence, from 1; `None` if no sentence says it.
    pub sentence: Option<usize>,
    /// Whether the model stated the sentence.
    pub is_stated: bool,
    /// The start of the fact in the program, as an offset in bytes.
    #[serde(skip)]
    pub start: usize,
    /// The start of the comment that states the sentence.
    #[serde(skip)]
    pub comment: Option<std::ops::Range<usize>>,
}

/// Returns the facts of a program, with the findings about their sources.
pub fn facts(source: &SourceFile, sentences: &[String], names: &NameMap) -> (Vec<Fact>, Vec<Finding>) {
    let tree = sexp::parse(source);
    let mut facts = Vec::new();
    let mut findings = Vec::new();
    for root in tree.roots() {
        for section in root.items().filter_map(Sexp::as_list) {
            let Some(head) = section.head().map(|head| head.text().to_lowercase()) else { continue };
            if SECTIONS.contains(&head.as_str()) {
                let mut walk = FactWalk {
                    source,
                    sentences,
                    names,
                    section: head,
                    stated: None,
                    facts: &mut facts,
                    findings: &mut findings,
                };
                walk.visit_list(section);
            }
        }
    }
    (facts, findings)
}

/// The number of the sentence that a comment states, with the range of the comment.
type Statement = (usize, std::ops::Range<usize>);

/// Returns the statement of a comment such as `; 2` and `; sentence 2.`; `None` for other comments.
fn stated_sentence(comment: Comment<'_>) -> Option<Statement> {
    let text = comment.text().trim_start_matches(';').trim();
    let number = text.trim_start_matches("sentence").trim().trim_end_matches('.').parse().ok()?;
    let span = comment.span();
    Some((number, span.start as usize..span.end as usize))
}

/// A walk over a section.
struct FactWalk<'w> {
    source: &'w SourceFile,
    sentences: &'w [String],
    names: &'w NameMap,
    section: String,
    /// The statement of the last comment.
    stated: Option<Statement>,
    facts: &'w mut Vec<Fact>,
    findings: &'w mut Vec<Finding>,
}

impl FactWalk<'_> {
    /// Visits the lists in a list. The depth of a text is limited by its parser.
    fn visit_list(&mut self, list: List<'_>) {
        for item in list.items() {
            for statement in leading_comments(item).into_iter().filter_map(stated_sentence) {
                self.stated = Some(statement);
            }
            let trailing = trailing_comment(item).and_then(stated_sentence);
            match item.as_list() {
                // A comment behind a fact states the sentence of this fact alone.
                Some(fact) if is_fact(fact) => {
                    let stated = trailing.or_else(|| self.stated.clone());
                    self.add(fact, stated);
                }
                Some(inner) => self.visit_list(inner),
                None => self.stated = trailing.or_else(|| self.stated.take()),
            }
        }
    }

    fn add(&mut self, fact: List<'_>, stated: Option<Statement>) {
        let text = fact.text().split_whitespace().collect::<Vec<_>>().join(" ");
        let words: Vec<&str> = fact.items().filter_map(Sexp::as_atom).map(goalspec_syntax::sexp::Atom::text).collect();
        let objects: Vec<&str> = words.iter().skip(1).map(|word| word.trim_start_matches('?')).collect();
        let mentioned = |sentence: &String| objects.iter().filter(|name| self.names.mentions(sentence, name)).count();
        let counts: Vec<usize> = self.sentences.iter().map(mentioned).collect();
        let best = (0..counts.len())
            .filter(|&index| counts[index] > 0)
            .max_by_key(|&index| (counts[index], std::cmp::Reverse(index)));
        let place = Place::of(self.source, fact.span());
        let warn = |message: String| {
            let mut finding = Finding::new(Stage::Checked, codes::NO_SOURCE.0, Weight::Warning, message)
                .with_help("write `; N` before the facts of sentence N, and leave out what no sentence says");
            finding.place = Some(place.clone());
            finding
        };
        let sentence = match &stated {
            Some((number, _)) if (1..=counts.len()).contains(number) => {
                if counts[number - 1] == 0 && best.is_some() {
                    let message = format!("`{text}` is stated as sentence {number}, which names none of its objects");
                    self.findings.push(warn(message));
                }
                Some(*number)
            }
            Some((number, _)) => {
                self.findings
                    .push(warn(format!("there is no sentence {number}, which `{text}` is stated to come from")));
                best.map(|index| index + 1)
            }
            None => best.map(|index| index + 1),
        };
        if sentence.is_none() && objects.iter().any(|name| !name.is_empty()) && self.section != ":scoring" {
            self.findings.push(warn(format!("no sentence says `{text}`")));
        }
        self.facts.push(Fact {
            section: self.section.clone(),
            text,
            sentence,
            is_stated: stated.is_some(),
            start: fact.span().start as usize,
            comment: stated.map(|(_, range)| range),
        });
    }
}

/// Whether a list is a fact: it begins with a name that is no connective, and contains no lists except those of numeric terms.
fn is_fact(list: List<'_>) -> bool {
    let Some(head) = list.head().map(|head| head.text().to_lowercase()) else { return false };
    let is_comparison = matches!(head.as_str(), "=" | "<" | ">" | "<=" | ">=");
    let has_lists = list.items().any(|item| item.as_list().is_some());
    !CONNECTIVES.contains(&head.as_str()) && !head.starts_with([':', '?']) && (is_comparison || !has_lists)
}

/// Returns the program with the source sentence of each fact as a comment before the first fact of the sentence. The comments with which
/// the model stated sentences are replaced.
pub fn annotated(program: &str, facts: &[Fact], sentences: &[String]) -> String {
    let mut edits: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    for fact in facts {
        if let Some(comment) = &fact.comment
            && !edits.iter().any(|(range, _)| range == comment)
        {
            edits.push((comment.clone(), String::new()));
        }
    }
    let mut last: Option<(&str, usize)> = None;
    for fact in facts {
        let Some(sentence) = fact.sentence else { continue };
        if last != Some((&fact.section, sentence)) {
            last = Some((&fact.section, sentence));
            let text = sentences.get(sentence - 1).map_or("", String::as_str);
            edits.push((fact.start..fact.start, format!("\n; {sentence}. {text}\n")));
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = String::with_capacity(program.len());
    let mut end = 0;
    for (range, inserted) in edits.iter().filter(|(range, _)| range.end <= program.len()) {
        text.push_str(&program[end.min(range.start)..range.start]);
        text.push_str(inserted);
        end = range.end;
    }
    text.push_str(&program[end..]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use goalspec_syntax::Sources;

    fn source(text: &str) -> SourceFile {
        let mut sources = Sources::new();
        let id = sources.add("p.pddl", text);
        sources.file(id).clone()
    }

    #[test]
    fn facts_have_their_sentence_by_statement_or_by_mention() {
        let sentences = ["The red van is at the depot.", "Bring the books to the harbour."].map(str::to_owned);
        let text = "(define (problem p) (:domain delivery)\n(:init ; 1\n (at red depot) (= (length depot mill) 4))\n(:goal (and (at books harbour) (not (in lamp red)))))";
        let (facts, findings) = facts(&source(text), &sentences, &NameMap::default());
        let found: Vec<(&str, &str, Option<usize>, bool)> =
            facts.iter().map(|fact| (&*fact.section, &*fact.text, fact.sentence, fact.is_stated)).collect();
        assert_eq!(
            found,
            [
                (":init", "(at red depot)", Some(1), true),
                (":init", "(= (length depot mill) 4)", Some(1), true),
                (":goal", "(at books harbour)", Some(2), false),
                (":goal", "(in lamp red)", Some(1), false),
            ]
        );
        assert_eq!(findings, []);
        let annotated = annotated(text, &facts, &sentences);
        assert!(annotated.contains("; 1. The red van is at the depot.\n(at red depot)"), "{annotated}");
        assert!(annotated.contains("; 2. Bring the books to the harbour.\n(at books harbour)"), "{annotated}");
        assert!(!annotated.contains("; 1\n"), "{annotated}");
    }

    #[test]
    fn a_fact_that_no_sentence_says_is_a_finding() {
        let sentences = ["The red van is at the depot.".to_owned()];
        let text = "(define (problem p) (:domain d) (:init (at blue mill)\n; 7\n (at red depot)))";
        let (_, findings) = facts(&source(text), &sentences, &NameMap::default());
        let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "no sentence says `(at blue mill)`",
                "there is no sentence 7, which `(at red depot)` is stated to come from",
            ]
        );
    }
}
