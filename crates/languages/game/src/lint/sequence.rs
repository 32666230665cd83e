//! The operators of a `then`.

use goalspec_syntax::Diagnostic;

use super::formula::Formula;
use super::{Linter, codes, edit};
use crate::ast::{Condition, SeqFunc};
use crate::resolve::place;

impl Linter<'_> {
    pub(super) fn sequence(&mut self, operators: &[SeqFunc]) {
        for pair in operators.windows(2) {
            self.neighbours(&pair[0], &pair[1]);
        }
        for operator in operators {
            if let SeqFunc::HoldWhile(condition, events, _) = operator {
                for event in events {
                    self.event(condition, event);
                }
            }
        }
        let holds = operators.iter().any(|operator| matches!(operator, SeqFunc::Hold(..) | SeqFunc::HoldWhile(..)));
        if let ([first, _, ..], false, Some(last)) = (operators, holds, operators.last()) {
            let span = place(first.origin()).to(place(last.origin()));
            let message =
                format!("nothing is held: this matches exactly {} states, one right after the other", operators.len());
            self.report(
                Diagnostic::note(codes::NO_HOLD, span, message)
                    .with_help("put `(hold ..)` between the operators with what is true meanwhile"),
            );
        }
    }

    fn neighbours(&mut self, first: &SeqFunc, second: &SeqFunc) {
        let (before, span) = (place(first.origin()), place(second.origin()));
        let once = |operator: &SeqFunc| matches!(operator, SeqFunc::Once(..) | SeqFunc::OnceMeasure(..));
        let (code, message) = if once(first) && once(second) && first.condition() == second.condition() {
            (codes::REPEATED_ONCE, "the same `once` stands right before")
        } else if first == second {
            (codes::REPEATED_OPERATOR, "the same operator stands right before")
        } else {
            return;
        };
        self.report(
            Diagnostic::warning(code, span, message)
                .with_related(before, "this one")
                .with_help("remove one of the two, or mend the one that was meant to be different")
                .with_fix(edit::remove_after("remove the second one", before, span)),
        );
    }

    fn event(&mut self, condition: &Condition, event: &Condition) {
        let Some(letters) = self.letters(&[condition, event]) else { return };
        let (held, happens) = (letters.formula(condition), letters.formula(event));
        if letters.impossible(&held) || letters.impossible(&happens) || letters.impossible(&happens.clone().not()) {
            // That has been reported already.
            return;
        }
        let span = place(event.origin());
        let both = |event| Formula::All(vec![held.clone(), event]);
        if letters.impossible(&both(happens.clone())) {
            let message = "this can never happen while the condition of the `hold-while` holds";
            self.report(
                Diagnostic::warning(codes::IMPOSSIBLE_EVENT, span, message)
                    .with_related(place(condition.origin()), "they exclude each other")
                    .with_help("events happen during the hold; what ends it belongs into the next operator"),
            );
        } else if letters.impossible(&both(happens.not())) {
            let message = "this holds whenever the condition of the `hold-while` holds";
            self.report(
                Diagnostic::note(codes::CERTAIN_EVENT, span, message)
                    .with_related(place(condition.origin()), "it follows from this"),
            );
        }
    }
}
