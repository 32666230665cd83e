//! The descriptions of the releases, reproduced exactly: with doubled suffixes (`scrub_brushbrush`), ungrammatical verbs (`is
//! contains`) and, in 1.0.0, a printed line for each `and`.

use goalspec_syntax::SourceFile;

use crate::dialect::Release;
use crate::exception::{Exception, ExceptionKind, PrintedLine};
use crate::parse::release::sexpr::repr;
use crate::parse::release::{ProblemRequest, SExpr, read_problem};

/// The description of a problem by a release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// The description of the initial conditions.
    pub init: Sentences,
    /// The description of the goal.
    pub goal: Sentences,
    /// The lines that the release prints when it parses the problem.
    pub printed_lines: Vec<PrintedLine>,
}

impl std::fmt::Display for Description {
    /// Formats both parts with a heading each, and an empty line before every sentence, since many span several lines.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Initial conditions:\n")?;
        self.init.sentences.iter().try_for_each(|sentence| write!(f, "\n{sentence}\n"))?;
        f.write_str("\nGoal conditions:\n")?;
        self.goal.sentences.iter().try_for_each(|sentence| write!(f, "\n{sentence}\n"))
    }
}

/// Describes a problem as a release does, from its text.
///
/// # Errors
/// The exception that the release raises on parsing, on describing the initial conditions, or on describing the goal, in this
/// order.
pub fn description(
    source: &SourceFile,
    release: Release,
    request: &ProblemRequest<'_>,
) -> Result<Description, Exception> {
    let problem = read_problem(source, request)?;
    let mut printed = problem.printed_lines.clone();
    let init = sentences(&problem.init, release).map_err(|exception| exception.with_earlier_lines(printed.clone()))?;
    printed.extend(init.printed_lines.iter().cloned());
    let goal = sentences(&problem.goal, release).map_err(|exception| exception.with_earlier_lines(printed))?;
    Ok(Description { init, goal, printed_lines: problem.printed_lines })
}

/// The description of a list of conditions by a release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sentences {
    /// One sentence for each condition; empty if the release returns none.
    pub sentences: Vec<String>,
    /// The lines that the release prints in the process.
    pub printed_lines: Vec<PrintedLine>,
}

/// Describes initial or goal conditions as a release does.
///
/// # Errors
/// The exception that the release raises: `ValueError` for a word in place of a condition, `IndexError` for missing parts.
pub fn sentences(conditions: &[SExpr], release: Release) -> Result<Sentences, Exception> {
    let mut writer = Writer { release, printed: Vec::new() };
    let mut sentences = Vec::with_capacity(conditions.len());
    for condition in conditions {
        match writer.condition(condition, 0) {
            Ok(sentence) => sentences.push(sentence.unwrap_or_default()),
            Err(exception) => return Err(exception.with_printed_lines(writer.printed)),
        }
    }
    Ok(Sentences { sentences, printed_lines: writer.printed })
}

struct Writer {
    release: Release,
    printed: Vec<PrintedLine>,
}

impl Writer {
    /// Describes a condition; `None` if the release has no sentence for it.
    fn condition(&mut self, condition: &SExpr, indent: usize) -> Result<Option<String>, Exception> {
        self.sentence(condition, indent).map_err(|exception| exception.with_span(condition.span()))
    }

    fn sentence(&mut self, condition: &SExpr, indent: usize) -> Result<Option<String>, Exception> {
        let SExpr::List(terms, span) = condition else {
            let message = format!("('encountered non-list:', {})", repr(condition));
            return Err(Exception::new(ExceptionKind::ValueError, message));
        };
        if terms.iter().all(|term| term.word().is_some()) {
            return Ok(atom(terms, indent));
        }
        let indentation = " ".repeat(4 * indent);
        let head = terms[0].word().unwrap_or_default();
        Ok(Some(match head {
            "and" => {
                if self.release == Release::V1_0 {
                    self.printed.push(PrintedLine { text: format!("indent from and: {indent}"), span: *span });
                }
                self.parts(&terms[1..], indent)?.join(", and\n")
            }
            "or" => {
                let parts = self.parts(&terms[1..], indent)?.join(", or\n");
                format!("{parts},\n{indentation}    or any combination of these")
            }
            "not" => format!("{indentation}the following is NOT true:\n{}", self.part(terms, 1, indent)?),
            "imply" => {
                let (left, right) = (self.part(terms, 1, indent)?, self.part(terms, 2, indent)?);
                format!(
                    "{indentation}if\n{left}\n{indentation}then\n{right}\n{indentation}but if not it doesn't matter"
                )
            }
            "forall" => format!("{indentation}for every {},\n{}", noun(terms, 1)?, self.part(terms, 2, indent)?),
            "exists" => format!("{indentation}for at least one {},\n{}", noun(terms, 1)?, self.part(terms, 2, indent)?),
            "forn" => {
                let (amount, noun) = (first(terms, 1)?, noun(terms, 2)?);
                format!("{indentation}for exactly {amount} {noun}(s),\n{}", self.part(terms, 3, indent)?)
            }
            "forpairs" => {
                let (left, right) = (noun(terms, 1)?, noun(terms, 2)?);
                format!("{indentation}for pairs of {left}s and {right}s,\n{}", self.part(terms, 3, indent)?)
            }
            "fornpairs" => {
                let (amount, left, right) = (first(terms, 1)?, noun(terms, 2)?, noun(terms, 3)?);
                let body = self.part(terms, 4, indent)?;
                format!("{indentation}for exactly {amount} pairs of {left}s and {right}s,\n{body}")
            }
            _ => return Ok(None),
        }))
    }

    fn parts(&mut self, parts: &[SExpr], indent: usize) -> Result<Vec<String>, Exception> {
        parts.iter().map(|part| self.condition(part, indent + 1)?.ok_or_else(Exception::index)).collect()
    }

    fn part(&mut self, terms: &[SExpr], index: usize, indent: usize) -> Result<String, Exception> {
        self.condition(terms.get(index).ok_or_else(Exception::index)?, indent + 1)?.ok_or_else(Exception::index)
    }
}

/// Describes an atom with one or two arguments.
fn atom(terms: &[SExpr], indent: usize) -> Option<String> {
    let indentation = " ".repeat(4 * indent);
    let words: Vec<&str> = terms.iter().filter_map(SExpr::word).collect();
    let article = |term: &str| if term.contains('_') { "" } else { "the " };
    let (predicate, arguments) = words.split_first()?;
    let phrase = match *predicate {
        "ontop" => "on top of",
        "nextto" => "next to",
        other => other,
    };
    match *arguments {
        [one] => Some(format!("{indentation}{}{} is {phrase}", article(one), term(one))),
        [one, other] => {
            let (left, right) = (article(one), article(other));
            Some(format!("{indentation}{left}{} is {phrase} {right}{}", term(one), term(other)))
        }
        _ => None,
    }
}

/// Returns a name without its sense, followed by the part after its last underscore, which thus occurs twice.
fn term(text: &str) -> String {
    let lemma = text.trim_start_matches('?').split('.').next().unwrap_or_default();
    match text.rsplit_once('_') {
        Some((_, tail)) => format!("{lemma}{tail}"),
        None => lemma.to_owned(),
    }
}

/// Returns the first item of the part at `index`, or the first letter if that is a word.
fn first(terms: &[SExpr], index: usize) -> Result<String, Exception> {
    match terms.get(index).ok_or_else(Exception::index)? {
        SExpr::Word(word, _) => Ok(word.chars().take(1).collect()),
        SExpr::List(items, _) => Ok(items.first().ok_or_else(Exception::index)?.to_string()),
    }
}

fn noun(terms: &[SExpr], index: usize) -> Result<String, Exception> {
    if let Some(SExpr::List(items, _)) = terms.get(index)
        && let Some(SExpr::List(_, span)) = items.first()
    {
        return Err(
            Exception::new(ExceptionKind::AttributeError, "'list' object has no attribute 'lstrip'").with_span(*span)
        );
    }
    Ok(term(&first(terms, index)?))
}
