//! Controlled English: rendering, and parsing without a model.
//!
//! ```text
//! text     := sentence (NEWLINE sentence)*
//! sentence := "The " name " rests on the table." | "The " name " is on the " name "." | "There is nothing on the " name "."
//! plan     := ("Move the " name " onto the " (name | "table") "." NEWLINE)*
//! ```
//!
//! No name contains a word that joins the names of a sentence ([`RESERVED_WORDS`](crate::names::RESERVED_WORDS)), so a sentence is
//! read in one way only.

use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::source::without_byte_order_mark;
use goalspec_syntax::{Diagnostic, Fix, SourceFile, Span, suggest};

use crate::codes;
use crate::names::{ObjectTable, TABLE, english_name};
use crate::relation::{Fact, Relation};

/// The maximum number of objects that a message lists.
const MAX_LISTED: usize = 12;

/// Returns the sentence of a relation.
///
/// ```
/// use goalspec_lot::{Relation, english};
///
/// let relation = Relation::On("tea-pot".into(), "tray".into());
/// assert_eq!(english::sentence(&relation), "The tea pot is on the tray.");
/// ```
pub fn sentence(relation: &Relation) -> String {
    match relation.map(english_name) {
        Relation::OnTable(object) => format!("The {object} rests on the table."),
        Relation::On(object, support) => format!("The {object} is on the {support}."),
        Relation::Clear(object) => format!("There is nothing on the {object}."),
    }
}

/// Returns the sentences of relations, one per line, without a newline at the end.
pub fn text(relations: &[Relation]) -> String {
    relations.iter().map(sentence).collect::<Vec<_>>().join("\n")
}

/// A text in controlled English, parsed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedText {
    /// The facts, with the names of the declared objects as declared.
    pub facts: Vec<Fact>,
    /// The number of lines that are not blank, of which each should be a sentence.
    pub sentences: usize,
    /// The diagnostics: lines that are no sentences, undeclared objects.
    pub diagnostics: Vec<Diagnostic>,
}

impl ParsedText {
    /// Returns the relations without their places.
    pub fn relations(&self) -> Vec<Relation> {
        self.facts.iter().map(|fact| fact.relation.clone()).collect()
    }
}

/// Parses a text in controlled English. If objects are declared, other names are errors.
///
/// ```
/// use goalspec_lot::english;
///
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("words", "The cup rests on the table.\nThere is nothing on the cup.");
/// let parsed = english::parse(sources.file(id), None);
/// assert_eq!((parsed.facts.len(), parsed.diagnostics.len()), (2, 0));
/// ```
pub fn parse(file: &SourceFile, objects: Option<&ObjectTable>) -> ParsedText {
    let mut parsed = ParsedText::default();
    let mut start = 0;
    for line in file.text().split_inclusive('\n') {
        // A file may begin with a byte order mark.
        let text = if start == 0 { without_byte_order_mark(line) } else { line }.trim_start();
        let sentence = text.trim_end();
        let offset = start + line.len() - text.len();
        start += line.len();
        if sentence.is_empty() {
            continue;
        }
        parsed.sentences += 1;
        let place = Span::new(file.id(), offset as u32, (offset + sentence.len()) as u32);
        match parse_sentence(sentence, place) {
            Err(error) => parsed.diagnostics.push(*error),
            Ok(relation) => {
                let relation = declared(&relation, sentence, place, objects, &mut parsed.diagnostics);
                parsed.facts.push(Fact { relation, span: place });
            }
        }
    }
    parsed
}

/// Returns a relation with the declared names of its objects, and reports undeclared ones.
fn declared(
    relation: &Relation,
    sentence: &str,
    place: Span,
    objects: Option<&ObjectTable>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Relation {
    let Some(objects) = objects else { return relation.clone() };
    let mut searched = 0;
    relation.map(|name| {
        let at = sentence[searched..].find(name).map_or(0, |at| searched + at);
        searched = at + name.len();
        objects.declared(name).map_or_else(
            || {
                let span = Span { start: place.start + at as u32, end: place.start + searched as u32, ..place };
                diagnostics.push(undeclared(name, span, &english_names(objects)));
                name.to_owned()
            },
            str::to_owned,
        )
    })
}

fn english_names(objects: &ObjectTable) -> Vec<String> {
    objects.pddl_names().map(english_name).collect()
}

/// Returns the error that an object is not declared, with the nearest of the known names.
pub(crate) fn undeclared(name: &str, span: Span, known: &[String]) -> Diagnostic {
    let error = Diagnostic::error(codes::UNDECLARED_OBJECT, span, format!("`{name}` is not an object of the problem"));
    let (error, is_near) = suggest::with_nearest(error, name, span, known.iter().map(String::as_str));
    if is_near || known.len() > MAX_LISTED {
        return error;
    }
    error.with_help(format!("the objects are {}", known.join(", ")))
}

/// Reads a sentence; `None` if it is none. The support of an object that is said to be on the table is the name of the table.
fn relation(sentence: &str) -> Option<Relation> {
    if let Some(object) = between(sentence, "There is nothing on the ", ".") {
        return Some(Relation::Clear(object.to_owned()));
    }
    if let Some(object) = between(sentence, "The ", " rests on the table.") {
        return Some(Relation::OnTable(object.to_owned()));
    }
    let (object, support) = between(sentence, "The ", ".")?.split_once(" is on the ")?;
    (is_name(object) && is_name(support)).then(|| Relation::On(object.to_owned(), support.to_owned()))
}

/// Parses one sentence.
fn parse_sentence(sentence: &str, place: Span) -> Result<Relation, Box<Diagnostic>> {
    match relation(sentence) {
        None => Err(Box::new(no_sentence(sentence, place))),
        Some(Relation::On(object, support)) if support == TABLE => {
            let start = place.start + ("The ".len() + object.len() + 1) as u32;
            let verb = Span { start, end: start + "is on".len() as u32, ..place };
            let error =
                Diagnostic::error(codes::ON_THE_TABLE, verb, format!("`{object}` is said to be on an object `table`"));
            let fix = Fix::replace("write `rests on`", Applicability::Safe, verb, "rests on");
            Err(Box::new(error.with_help("an object on the table `rests on the table`").with_fix(fix)))
        }
        Some(relation) => Ok(relation),
    }
}

/// Returns the name between a prefix and a suffix, if it is one.
fn between<'t>(text: &'t str, prefix: &str, suffix: &str) -> Option<&'t str> {
    text.strip_prefix(prefix)?.strip_suffix(suffix).filter(|name| is_name(name))
}

/// Whether a text can be a name in a sentence: not empty, without spaces at its ends and punctuation.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains(['.', ',', ';', '!', '?'])
}

fn no_sentence(sentence: &str, place: Span) -> Diagnostic {
    let error = Diagnostic::error(codes::NOT_A_SENTENCE, place, "not a sentence of the controlled language");
    let forms = "the sentences are `The X rests on the table.`, `The X is on the Y.` and `There is nothing on the X.`";
    let repaired = [format!("{sentence}."), capitalised(sentence), capitalised(&format!("{sentence}."))];
    match repaired.into_iter().find(|repaired| relation(repaired).is_some()) {
        Some(repaired) => {
            let fix = Fix::replace(format!("write `{repaired}`"), Applicability::Safe, place, repaired);
            error.with_help(forms).with_fix(fix)
        }
        None => error.with_help(forms),
    }
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use goalspec_syntax::{Sources, fix};

    use super::*;

    fn parsed(text: &str, objects: Option<&[&str]>) -> (ParsedText, SourceFile) {
        let mut sources = Sources::new();
        let id = sources.add("words", text);
        let objects: Option<ObjectTable> = objects.map(|names| names.iter().copied().collect());
        (parse(sources.file(id), objects.as_ref()), sources.file(id).clone())
    }

    #[test]
    fn every_sentence_is_read_as_it_is_rendered() {
        let relations = [
            Relation::OnTable("tea pot".into()),
            Relation::On("oil-can".into(), "tea pot".into()),
            Relation::Clear("oil-can".into()),
        ];
        let words = text(&relations);
        let (read, _) = parsed(&words, Some(&["tea pot", "oil-can"]));
        assert_eq!((read.relations().as_slice(), read.diagnostics.len()), (&relations[..], 0));
        assert_eq!(text(&read.relations()), words);
        let (read, _) = parsed(&format!("\r\n {} \r\n\r\n", words.replace('\n', "\r\n\t")), None);
        assert_eq!((read.facts.len(), read.sentences, read.diagnostics.len()), (3, 3, 0));
        let (read, file) = parsed(&format!("\u{feff}{words}"), None);
        assert_eq!((read.facts.len(), read.diagnostics.len()), (3, 0));
        assert_eq!(file.slice(read.facts[0].span), "The tea pot rests on the table.");
    }

    #[test]
    fn lines_that_are_no_sentences_are_reported() {
        let cases = [
            ("The cup is on the table.", codes::ON_THE_TABLE, "is on", Some("The cup rests on the table.")),
            (
                "the cup is on the tray",
                codes::NOT_A_SENTENCE,
                "the cup is on the tray",
                Some("The cup is on the tray."),
            ),
            ("The cup stands there.", codes::NOT_A_SENTENCE, "The cup stands there.", None),
            ("The  is on the cup.", codes::NOT_A_SENTENCE, "The  is on the cup.", None),
            ("The cups is on the tray.", codes::UNDECLARED_OBJECT, "cups", None),
            ("The tray is on the tea cup.", codes::UNDECLARED_OBJECT, "tea cup", None),
        ];
        for (line, code, place, fixed) in cases {
            let (read, file) = parsed(&format!("There is nothing on the cup.\n{line}\n"), Some(&["cup", "tray"]));
            let [error] = &read.diagnostics[..] else { panic!("{line}: {:?}", read.diagnostics) };
            assert_eq!((error.code, file.slice(error.span.unwrap())), (code, place), "{line}");
            if let Some(fixed) = fixed {
                let edited = fix::apply(&file, &read.diagnostics, Applicability::Safe).text;
                assert!(edited.contains(fixed), "{edited}");
            }
        }
    }
}
