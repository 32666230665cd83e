//! Parser of problems as all releases have it: sections are processed from the last to the first.

use std::borrow::Cow;

use goalspec_syntax::{SourceFile, Span};
use indexmap::IndexMap;

use super::sexpr::Definition;
use super::{SExpr, parse_sexpr};
use crate::ast;
use crate::exception::{Exception, PrintedLine};
use crate::parse::keywords::{Operator, ProblemSection};
use crate::parse::typed_list::{self, TypedEntry};

/// The parameters of parsing a problem: the activity, its definition, and the domain of the simulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemRequest<'a> {
    /// The name of the activity, which occurs in one error message.
    pub activity: &'a str,
    /// The number of its definition, which occurs in the same message.
    pub definition: u32,
    /// The name of the domain of the simulator.
    pub domain: &'a str,
}

impl<'a> ProblemRequest<'a> {
    /// Creates a request for definition 0 of an activity.
    pub fn new(activity: &'a str, domain: &'a str) -> Self {
        Self { activity, definition: 0, domain }
    }
}

/// A problem as a release parses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseProblem {
    /// The name: the last item of `(problem ..)`, which may be a list.
    pub name: SExpr,
    /// The name of the domain: the last item of `(:domain ..)`; `None` if there is no such section.
    pub domain: Option<SExpr>,
    /// The instances of each category.
    pub objects: IndexMap<String, DeclaredCategory>,
    /// The unchecked initial conditions.
    pub init: Vec<SExpr>,
    /// The unchecked goal conditions; an outermost `and` is flattened.
    pub goal: Vec<SExpr>,
    /// The span of the section of the goal, or of the word `define` if there is none.
    pub goal_section: Span,
    /// The lines that the release prints.
    pub printed_lines: Vec<PrintedLine>,
    /// The span of the word `define`.
    pub head: Span,
    /// The span of the whole problem.
    pub span: Span,
}

/// A category with its instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredCategory {
    /// The span of the name of the category, or of the instances if it is not written.
    pub category: Span,
    /// The instances.
    pub instances: Vec<SExpr>,
}

impl DeclaredCategory {
    /// Returns the span of the instances and their category.
    pub fn span(&self) -> Span {
        self.instances.iter().map(SExpr::span).fold(self.category, Span::to)
    }
}

/// Parses a problem.
///
/// # Errors
/// The exception that the releases raise.
///
/// ```
/// use goalspec_bddl::parse::release::{ProblemRequest, read_problem};
/// use goalspec_syntax::Sources;
///
/// let mut sources = Sources::new();
/// let id = sources.add("demo", "(define (problem p) (:domain igibson) (:goal (open ?a) (cooked ?a)) \\ )");
/// let problem = read_problem(sources.file(id), &ProblemRequest::new("p", "igibson")).unwrap();
/// assert_eq!(problem.goal.len(), 1);
/// assert_eq!(problem.printed_lines[0].text, "\\ is not recognized in problem");
/// let id = sources.add("demo", "(define (problem p) (:goal))");
/// let error = read_problem(sources.file(id), &ProblemRequest::new("p", "igibson")).unwrap_err();
/// assert_eq!(error.to_string(), "IndexError: list index out of range");
/// assert_eq!(sources.file(id).slice(error.span.unwrap()), "(:goal)");
/// ```
pub fn read_problem(source: &SourceFile, request: &ProblemRequest<'_>) -> Result<ReleaseProblem, Exception> {
    problem_of(parse_sexpr(source)?, request)
}

/// Reads the form of a problem.
pub(super) fn problem_of(form: SExpr, request: &ProblemRequest<'_>) -> Result<ReleaseProblem, Exception> {
    let mismatch = |span| {
        let ProblemRequest { activity, definition, .. } = request;
        Exception::general(format!("Problem {activity} {definition} does not match problem pattern")).with_span(span)
    };
    let Definition { head, groups, span } = form.definition(mismatch)?;
    let mut problem = ReleaseProblem {
        name: SExpr::Word("unknown".to_owned(), head),
        domain: None,
        objects: IndexMap::new(),
        init: Vec::new(),
        goal: Vec::new(),
        goal_section: head,
        printed_lines: Vec::new(),
        head,
        span,
    };
    for group in groups.into_iter().rev() {
        let span = group.span();
        if let Err(exception) = problem.section(group, request) {
            return Err(exception.with_span(span).with_printed_lines(problem.printed_lines));
        }
    }
    Ok(problem)
}

/// Returns the name of the domain that the form of a problem specifies.
pub(crate) fn named_domain(form: &SExpr) -> Option<&str> {
    let SExpr::List(groups, _) = form else { return None };
    groups.iter().rev().find_map(|group| {
        let SExpr::List(items, _) = group else { return None };
        let section = ProblemSection::from_word(items.first()?.word()?)?;
        if section == ProblemSection::Domain { items.last()?.word() } else { None }
    })
}

impl ReleaseProblem {
    fn section(&mut self, group: SExpr, request: &ProblemRequest<'_>) -> Result<(), Exception> {
        let section = group.span();
        let mut items = match group {
            SExpr::List(items, _) => items,
            // The releases treat a word as a list of its letters, the first of which is the head.
            word @ SExpr::Word(..) => word.first().map(Cow::into_owned).into_iter().collect(),
        };
        let head = items.first().ok_or_else(Exception::index)?;
        match head.word().and_then(ProblemSection::from_word) {
            Some(ProblemSection::Name) => self.name = items.pop().ok_or_else(Exception::index)?,
            Some(ProblemSection::Domain) => {
                let name = items.pop().ok_or_else(Exception::index)?;
                if name.word() != Some(request.domain) {
                    return Err(Exception::general("Different domain specified in problem file").with_span(name.span()));
                }
                self.domain = Some(name);
            }
            Some(ProblemSection::Requirements) => {}
            Some(ProblemSection::Objects) => self.objects(items.into_iter().skip(1))?,
            Some(ProblemSection::Init) => {
                items.remove(0);
                self.init = items;
            }
            Some(ProblemSection::Goal) => {
                self.goal_section = section;
                self.goal(items.into_iter().nth(1).ok_or_else(Exception::index)?)?;
            }
            None => {
                let (text, span) = (format!("{head} is not recognized in problem"), head.span());
                self.printed_lines.push(PrintedLine { text, span });
            }
        }
        Ok(())
    }

    fn goal(&mut self, goal: SExpr) -> Result<(), Exception> {
        let (goal, span) = match goal {
            SExpr::Word(_, span) => return Err(Exception::general("Error with goals").with_span(span)),
            SExpr::List(goal, span) => (goal, span),
        };
        let head = goal.first().ok_or_else(|| Exception::index().with_span(span))?;
        match head.word().and_then(Operator::from_word) {
            Some(Operator::And) => self.goal.extend(goal.into_iter().skip(1)),
            _ => self.goal.push(SExpr::List(goal, span)),
        }
        Ok(())
    }

    fn objects(&mut self, items: impl Iterator<Item = SExpr>) -> Result<(), Exception> {
        let mut instances = Vec::new();
        for entry in typed_list::entries(items, |item| item.word() == Some("-")) {
            match entry {
                TypedEntry::Item(item) => instances.push(item),
                TypedEntry::Type { dash, name: None } => return Err(Exception::empty().with_span(dash.span())),
                TypedEntry::Type { name: Some(SExpr::Word(category, span)), .. } => {
                    let instances = std::mem::take(&mut instances);
                    self.objects.insert(category, DeclaredCategory { category: span, instances });
                }
                TypedEntry::Type { name: Some(SExpr::List(_, span)), .. } => {
                    return Err(Exception::unhashable().with_span(span));
                }
            }
        }
        if let Some(span) = instances.iter().map(SExpr::span).reduce(Span::to) {
            let untyped = || DeclaredCategory { category: span, instances: Vec::new() };
            let category = self.objects.entry(ast::OBJECT.to_owned()).or_insert_with(untyped);
            category.instances.append(&mut instances);
        }
        Ok(())
    }
}
