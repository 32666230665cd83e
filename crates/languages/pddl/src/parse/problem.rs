//! Parser of problems.

use goalspec_core::planning::task::OptimizationDirection;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::sexp::{List, Sexp};

use super::parser::{Form, Parser, SeenSections};
use super::typed::NameKind;
use crate::ast::{InitEntry, Metric, Problem, Requirements};
use crate::codes;

/// The sections of a problem; `problem` is the one with the name.
pub const SECTIONS: [&str; 9] =
    ["problem", ":domain", ":requirements", ":objects", ":init", ":goal", ":constraints", ":metric", ":length"];

const FACT: &str = "a fact such as `(on a b)` or `(= (total-cost) 0)`";

impl Parser {
    pub(super) fn problem(&mut self, list: List<'_>) -> Problem {
        let mut problem = Problem {
            name: self.intern("", list.open_span()),
            domain: None,
            requirements: Requirements::default(),
            objects: Vec::new(),
            init: Vec::new(),
            goal: None,
            constraints: None,
            metric: None,
            header: list.open_span(),
            span: list.span(),
        };
        let mut found = SeenSections::default();
        for part in list.items().skip(1) {
            let Some(form) = self.section(&part) else { continue };
            let Some(&section) = SECTIONS.iter().find(|known| **known == form.word.text()) else {
                self.unknown_section(&form, &SECTIONS);
                continue;
            };
            self.check_duplicate_section(section, &form, &mut found);
            self.problem_section(section, &form, &mut problem);
        }
        let required = [("problem", "`(problem NAME)`"), (":domain", "`(:domain NAME)`"), (":goal", "`(:goal ..)`")];
        for (section, form) in required {
            if !found.iter().any(|(known, _)| *known == section) {
                let message = format!("the problem has no {form}");
                self.report(Diagnostic::error(codes::MISSING_SECTION, problem.header, message));
            }
        }
        problem
    }

    fn problem_section(&mut self, section: &str, form: &Form<'_>, problem: &mut Problem) {
        match section {
            "problem" => {
                problem.header = form.span;
                problem.name = self.header(form).unwrap_or_else(|| problem.name.clone());
            }
            ":domain" => problem.domain = problem.domain.take().or_else(|| self.header(form)),
            ":requirements" => self.requirements(form, &mut problem.requirements),
            ":objects" => problem.objects.extend(self.typed(form.parts.iter().copied(), NameKind::Objects)),
            ":init" => {
                problem.init.reserve(form.parts.len());
                for part in &form.parts {
                    problem.init.extend(self.init(part));
                }
            }
            ":goal" => problem.goal = self.one(form).or(problem.goal.take()),
            ":constraints" => problem.constraints = self.one(form).or(problem.constraints.take()),
            ":metric" => problem.metric = self.metric(form).or(problem.metric.take()),
            // `:length` is an obsolete hint on the length of plans and is ignored.
            _ => {}
        }
    }

    fn init(&mut self, part: &Sexp<'_>) -> Option<InitEntry> {
        let Sexp::List(list) = part else {
            self.report_unexpected(part, FACT);
            return None;
        };
        let mut items = list.items();
        let Some(Sexp::Atom(head)) = items.next() else {
            self.report_unexpected(part, FACT);
            return None;
        };
        match head.text() {
            "=" => {
                let form = self.form(*list, FACT)?;
                self.value(&form)
            }
            text if text.eq_ignore_ascii_case("not") => {
                let form = self.form(*list, FACT)?;
                self.expect_at_most(&form, 1);
                let Some(Sexp::List(inner)) = form.parts.first() else {
                    self.report_missing(&form, "a fact");
                    return None;
                };
                self.atom_of(*inner, FACT).map(InitEntry::Negated)
            }
            text if text.eq_ignore_ascii_case("at") && is_timed(*list) => {
                let form = self.form(*list, FACT)?;
                let [time, literal] = self.two(&form)?;
                let (time, literal) = (self.time(time), self.init(literal));
                Some(InitEntry::Timed(time?, Box::new(literal?), form.span))
            }
            _ => self.atom_of(*list, FACT).map(InitEntry::Fact),
        }
    }

    /// Parses `(= (FUNCTION OBJECT ..) NUMBER)`.
    fn value(&mut self, form: &Form<'_>) -> Option<InitEntry> {
        let [function, value] = self.two(form)?;
        let function = self.function(function)?;
        match value.as_atom().and_then(super::parser::number) {
            Some(number) => Some(InitEntry::Value(function, number, form.span)),
            None => Some(InitEntry::ObjectValue(function, self.plain_name(value, "a number")?)),
        }
    }

    fn metric(&mut self, form: &Form<'_>) -> Option<Metric> {
        const DIRECTION: &str = "`minimize` or `maximize`";
        let [direction, value] = self.two(form)?;
        let name = self.name_of(direction, DIRECTION)?;
        let direction = match name.text() {
            "minimize" => OptimizationDirection::Minimize,
            "maximize" => OptimizationDirection::Maximize,
            _ => {
                self.report_unexpected(direction, DIRECTION);
                return None;
            }
        };
        Some(Metric { direction, value: self.expr(value)?, span: form.span })
    }
}

/// Whether a list that starts with `at` consists of a time and a literal.
fn is_timed(list: List<'_>) -> bool {
    matches!(&list.items().skip(1).collect::<Vec<_>>()[..], [Sexp::Atom(_), Sexp::List(_)])
}
