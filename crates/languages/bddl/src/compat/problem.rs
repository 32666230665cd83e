//! Parser of problems as all releases have it: sections are processed from the last to the first.

use indexmap::IndexMap;

use super::{Exception, SExpr, parse_sexpr};

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
pub struct Problem {
    /// The name: the last item of `(problem ..)`, which may be a list.
    pub name: SExpr,
    /// The instances of each category.
    pub objects: IndexMap<String, Vec<SExpr>>,
    /// The unchecked initial conditions.
    pub init: Vec<SExpr>,
    /// The unchecked goal conditions; an outermost `and` is flattened.
    pub goal: Vec<SExpr>,
    /// The lines that the release prints.
    pub printed_lines: Vec<String>,
}

/// Parses a problem.
///
/// # Errors
/// The exception that the releases raise.
///
/// ```
/// use goalspec_bddl::compat::{ProblemRequest, read_problem};
///
/// let text = "(define (problem p) (:domain igibson) (:goal (open ?a) (cooked ?a)) \\ )";
/// let problem = read_problem(text, &ProblemRequest::new("p", "igibson")).unwrap();
/// assert_eq!(problem.goal.len(), 1);
/// assert_eq!(problem.printed_lines, ["\\ is not recognized in problem"]);
/// let error = read_problem("(define (problem p) (:goal))", &ProblemRequest::new("p", "igibson")).unwrap_err();
/// assert_eq!(error.to_string(), "IndexError: list index out of range");
/// ```
pub fn read_problem(text: &str, request: &ProblemRequest<'_>) -> Result<Problem, Exception> {
    let mismatch = || {
        let ProblemRequest { activity, definition, .. } = request;
        Exception::general(format!("Problem {activity} {definition} does not match problem pattern"))
    };
    let SExpr::List(mut groups) = parse_sexpr(text)? else { return Err(mismatch()) };
    match groups.first() {
        None => return Err(Exception::empty()),
        Some(head) if head.word() != Some("define") => return Err(mismatch()),
        Some(_) => drop(groups.remove(0)),
    }
    let mut problem = Problem {
        name: SExpr::Word("unknown".to_owned()),
        objects: IndexMap::new(),
        init: Vec::new(),
        goal: Vec::new(),
        printed_lines: Vec::new(),
    };
    for group in groups.into_iter().rev() {
        if let Err(exception) = problem.section(group, request) {
            return Err(exception.after(problem.printed_lines));
        }
    }
    Ok(problem)
}

/// Returns the name of the domain that a problem specifies.
pub(crate) fn named_domain(text: &str) -> Option<String> {
    let SExpr::List(groups) = parse_sexpr(text).ok()? else { return None };
    let head = |group: &SExpr, word: &str| group.parts().first().and_then(SExpr::word) == Some(word);
    let group = groups.iter().rev().find(|group| head(group, ":domain"))?;
    group.parts().last()?.word().map(str::to_owned)
}

impl Problem {
    fn section(&mut self, group: SExpr, request: &ProblemRequest<'_>) -> Result<(), Exception> {
        let mut items = match group {
            SExpr::List(items) => items,
            // The releases treat a word as a list of its letters, the first of which is the head.
            word @ SExpr::Word(_) => word.parts().into_owned(),
        };
        let head = items.first().ok_or_else(Exception::index)?;
        match head.word().unwrap_or_default() {
            "problem" => self.name = items.pop().ok_or_else(Exception::index)?,
            ":domain" => {
                if items.last().and_then(SExpr::word) != Some(request.domain) {
                    return Err(Exception::general("Different domain specified in problem file"));
                }
            }
            ":requirements" => {}
            ":objects" => self.objects(items.into_iter().skip(1))?,
            ":init" => {
                items.remove(0);
                self.init = items;
            }
            ":goal" => match items.into_iter().nth(1).ok_or_else(Exception::index)? {
                SExpr::Word(_) => return Err(Exception::general("Error with goals")),
                SExpr::List(goal) if goal.is_empty() => return Err(Exception::index()),
                SExpr::List(goal) if goal[0].word() == Some("and") => self.goal.extend(goal.into_iter().skip(1)),
                goal @ SExpr::List(_) => self.goal.push(goal),
            },
            _ => self.printed_lines.push(format!("{head} is not recognized in problem")),
        }
        Ok(())
    }

    fn objects(&mut self, items: impl Iterator<Item = SExpr>) -> Result<(), Exception> {
        let mut items = items;
        let mut instances = Vec::new();
        while let Some(item) = items.next() {
            if item.word() == Some("-") {
                match items.next().ok_or_else(Exception::empty)? {
                    SExpr::Word(category) => self.objects.insert(category, std::mem::take(&mut instances)),
                    SExpr::List(_) => return Err(Exception::unhashable()),
                };
            } else {
                instances.push(item);
            }
        }
        if !instances.is_empty() {
            self.objects.entry("object".to_owned()).or_default().append(&mut instances);
        }
        Ok(())
    }
}
