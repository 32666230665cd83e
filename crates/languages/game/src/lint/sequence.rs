//! Lints for the operators of a `then`.

use goalspec_syntax::{Diagnostic, Span};

use super::formula::{Formula, PropVariables};
use super::{Linter, edit};
use crate::ast::{Condition, SequenceOperator};
use crate::codes::lint as codes;

impl Linter<'_> {
    pub(super) fn sequence(&mut self, operators: &[SequenceOperator]) {
        for pair in operators.windows(2) {
            self.neighbours(&pair[0], &pair[1]);
        }
        for around in operators.windows(3) {
            if let [before, SequenceOperator::Hold(_, span), after] = around
                && let (Some(before), Some(after)) = (before.condition(), after.condition())
            {
                self.check_empty_hold(before, span.0, after);
            }
        }
        for operator in operators {
            if let SequenceOperator::HoldWhile(condition, events, _) = operator {
                self.events(condition, events);
            }
        }
        let holds = operators.iter().any(|operator| {
            matches!(
                operator,
                SequenceOperator::Hold(..) | SequenceOperator::HoldWhile(..) | SequenceOperator::Error(_)
            )
        });
        if let ([first, _, ..], false, Some(last)) = (operators, holds, operators.last()) {
            let span = first.span().to(last.span());
            let message =
                format!("no `hold` in this sequence: it matches exactly {} consecutive states", operators.len());
            self.report(
                Diagnostic::note(codes::NO_HOLD, span, message)
                    .with_help("insert `(hold ..)` between the operators, with the condition that is true meanwhile"),
            );
        }
    }

    fn neighbours(&mut self, first: &SequenceOperator, second: &SequenceOperator) {
        let (before, span) = (first.span(), second.span());
        let once = |operator: &SequenceOperator| {
            matches!(operator, SequenceOperator::Once(..) | SequenceOperator::OnceMeasure(..))
        };
        let (code, message) = if once(first) && once(second) && first.condition() == second.condition() {
            (codes::REPEATED_ONCE, "identical to the preceding `once`")
        } else if first == second {
            (codes::REPEATED_OPERATOR, "identical to the preceding operator")
        } else {
            return;
        };
        self.report(
            Diagnostic::warning(code, span, message)
                .with_related(before, "the preceding operator")
                .with_help("remove one of the two, or correct the one that was meant to be different")
                .with_fix(edit::remove_after("remove the second one", before, span)),
        );
    }

    /// Reports a `hold` whose meaning differs between the two dialects: the conditions before and after it can hold in the same
    /// state, so if the `hold` may be empty, the sequence can be satisfied without any change.
    fn check_empty_hold(&mut self, before: &Condition, span: Span, after: &Condition) {
        let Some(variables) = self.prop_variables(PropVariables::default(), &[before, after]) else { return };
        let both = Formula::And(vec![variables.formula(before), variables.formula(after)]);
        let exclusive = variables.is_unsatisfiable(&both);
        self.charge_reasoning(&variables, span);
        if exclusive {
            return;
        }
        let message = if self.dialect.empty_holds {
            "this `hold` may cover no state, and no change is required between its neighbours"
        } else {
            "this `hold` covers at least one state; with `--empty-holds` it may cover none, and no change is required between its \
             neighbours"
        };
        let help = "make the conditions around it mutually exclusive; both semantics then require a change";
        self.report(
            Diagnostic::note(codes::EMPTY_HOLD, span, message)
                .with_related(before.span(), "this and the operator after the `hold` can be true in the same state")
                .with_related(after.span(), "the operator after the `hold`")
                .with_help(help),
        );
    }

    /// Checks the events of a `hold-while`. The variables of its condition are collected once for all events.
    fn events(&mut self, condition: &Condition, events: &[Condition]) {
        let Some(held) = PropVariables::default().with_condition(condition) else { return };
        for event in events.iter().filter(|event| !event.is_erroneous()) {
            if let Some(variables) = self.prop_variables(held.clone(), &[event]) {
                self.event(condition, event, &variables);
                self.charge_reasoning(&variables, event.span());
            }
        }
    }

    fn event<'c>(&mut self, condition: &'c Condition, event: &'c Condition, variables: &PropVariables<'c>) {
        let (condition_formula, event_formula) = (variables.formula(condition), variables.formula(event));
        if variables.is_unsatisfiable(&condition_formula)
            || variables.is_unsatisfiable(&event_formula)
            || variables.is_unsatisfiable(&event_formula.clone().not())
        {
            // This has already been reported.
            return;
        }
        let span = event.span();
        let both = |event| Formula::And(vec![condition_formula.clone(), event]);
        if variables.is_unsatisfiable(&both(event_formula.clone())) {
            let message = "this event cannot happen while the condition of the `hold-while` is true";
            self.report(
                Diagnostic::warning(codes::IMPOSSIBLE_EVENT, span, message)
                    .with_related(condition.span(), "mutually exclusive with the event")
                    .with_help(
                        "move a condition that ends the hold to the next operator: events happen during the hold",
                    ),
            );
        } else if variables.is_unsatisfiable(&both(event_formula.not())) {
            let message = "this event is true whenever the condition of the `hold-while` is true";
            self.report(
                Diagnostic::note(codes::IMPLIED_EVENT, span, message)
                    .with_related(condition.span(), "the event follows from this condition"),
            );
        }
    }
}
