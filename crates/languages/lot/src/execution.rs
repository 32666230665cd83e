//! Execution of a plan on the true problem, and its verdict.

use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};

use crate::arrangement::Arrangement;
use crate::codes;
use crate::english::undeclared;
use crate::names::{ObjectTable, english_name};
use crate::plan::{Move, PlanLine};
use crate::problem::StackingProblem;

/// The result of executing a plan.
///
/// A line that is not an applicable action is skipped, and the rest of the plan is executed: the rule of the published experiment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Execution {
    /// The number of executed actions.
    pub applied: usize,
    /// The number of actions between known objects that cannot be executed at their place in the plan.
    pub inapplicable: usize,
    /// The number of actions that name an unknown object.
    pub unknown: usize,
    /// The number of lines that are not actions.
    pub unparsed: usize,
    /// The diagnostics: one for each skipped line.
    pub diagnostics: Vec<Diagnostic>,
    /// The arrangement at the end.
    pub last: Arrangement,
    /// Whether the goal holds at the end.
    pub succeeded: bool,
}

impl Execution {
    /// Returns the number of actions, executed or not.
    pub fn actions(&self) -> usize {
        self.applied + self.ignored()
    }

    /// Returns the number of actions that were skipped.
    pub fn ignored(&self) -> usize {
        self.inapplicable + self.unknown
    }

    /// Whether the plan succeeds by strict rules, under which the first skipped line fails it.
    pub fn succeeded_strictly(&self) -> bool {
        self.succeeded && self.ignored() + self.unparsed == 0
    }
}

/// Executes the lines of a reply.
pub fn execute_reply(problem: &StackingProblem, file: &SourceFile, lines: &[PlanLine]) -> Execution {
    let mut run = Run::new(problem);
    for line in lines {
        match &line.action {
            Some(action) => run.action(action, Some(line.span)),
            None => run.unparsed(file, line.span),
        }
    }
    run.finish(problem)
}

/// Executes a plan.
pub fn execute(problem: &StackingProblem, plan: &[Move]) -> Execution {
    let mut run = Run::new(problem);
    for action in plan {
        run.action(action, None);
    }
    run.finish(problem)
}

struct Run {
    objects: ObjectTable,
    english_names: Vec<String>,
    /// The object under each object; `None` for the table.
    supports: Vec<Option<usize>>,
    /// The object on each object.
    covers: Vec<Option<usize>>,
    execution: Execution,
}

impl Run {
    fn new(problem: &StackingProblem) -> Self {
        let objects = problem.objects();
        let mut supports = vec![None; objects.len()];
        let mut covers = vec![None; objects.len()];
        for pair in problem.initial.stacks.iter().flat_map(|stack| stack.windows(2)) {
            if let (Some(lower), Some(upper)) = (objects.index_of(&pair[0]), objects.index_of(&pair[1])) {
                supports[upper] = Some(lower);
                covers[lower] = Some(upper);
            }
        }
        let english_names = objects.pddl_names().map(english_name).collect();
        Self { objects, english_names, supports, covers, execution: Execution::default() }
    }

    fn report(&mut self, span: Option<Span>, diagnostic: Diagnostic) {
        self.execution.diagnostics.push(Diagnostic { span, ..diagnostic });
    }

    fn unparsed(&mut self, file: &SourceFile, span: Span) {
        self.execution.unparsed += 1;
        let line: String = file.slice(span).chars().take(60).collect();
        let warning = Diagnostic::new(codes::UNPARSED_LINE, Severity::Warning, format!("`{line}` is not an action"));
        let help = "the actions are `Move the X onto the Y.` and `Move the X onto the table.`";
        self.report(Some(span), warning.with_help(help));
    }

    fn action(&mut self, action: &Move, span: Option<Span>) {
        let find = |name: &str| self.objects.index_of(name).ok_or_else(|| name.to_owned());
        let ends =
            find(&action.object).and_then(|object| Ok((object, action.target.as_deref().map(find).transpose()?)));
        let (object, target) = match ends {
            Ok(ends) => ends,
            Err(name) => {
                self.execution.unknown += 1;
                let mut warning = undeclared(&name, span.unwrap_or(NO_PLACE), &self.english_names);
                (warning.code, warning.severity) = (codes::UNKNOWN_OBJECT_IN_PLAN, Severity::Warning);
                warning.fixes.clear();
                return self.report(span, warning);
            }
        };
        if let Some(reason) = self.obstacle(object, target) {
            self.execution.inapplicable += 1;
            let message = format!("`{}` is not applicable: {reason}", action.sentence());
            return self.report(span, Diagnostic::new(codes::INAPPLICABLE_ACTION, Severity::Warning, message));
        }
        self.execution.applied += 1;
        if let Some(old) = self.supports[object] {
            self.covers[old] = None;
        }
        self.supports[object] = target;
        if let Some(new) = target {
            self.covers[new] = Some(object);
        }
    }

    /// Returns the reason why an object cannot be put on a target.
    fn obstacle(&self, object: usize, target: Option<usize>) -> Option<String> {
        let name = |index: usize| &self.english_names[index];
        if let Some(upper) = self.covers[object] {
            return Some(format!("the {} is on the {}", name(upper), name(object)));
        }
        match target {
            None if self.supports[object].is_none() => Some(format!("the {} is on the table already", name(object))),
            None => None,
            Some(target) if target == object => Some(format!("the {} cannot be put on itself", name(object))),
            Some(target) => {
                let upper = self.covers[target]?;
                Some(format!("the {} is on the {}", name(upper), name(target)))
            }
        }
    }

    fn finish(mut self, problem: &StackingProblem) -> Execution {
        let stack = |bottom: usize| {
            let objects = std::iter::successors(Some(bottom), |&lower| self.covers[lower]);
            objects.map(|object| self.objects.name(object).to_owned()).collect()
        };
        let bottoms = (0..self.objects.len()).filter(|&object| self.supports[object].is_none());
        self.execution.last = Arrangement { stacks: bottoms.map(stack).collect() };
        self.execution.succeeded = self.execution.last.satisfies(&problem.goal);
        self.execution
    }
}

/// The place of a diagnostic before its place, if any, is set.
const NO_PLACE: Span = Span { source: goalspec_syntax::SourceId(0), start: 0, end: 0 };
