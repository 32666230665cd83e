//! Lints of the end of the game, rewards and metrics.

use goalspec_resource::abstraction::{AbstractContext, ReachableValues, ValueSet};
use goalspec_resource::compute::Computation;
use goalspec_resource::field::Field;
use goalspec_resource::kinds::KindSet;
use goalspec_resource::rules::Perspective;
use goalspec_syntax::{Diagnostic, Span};

use super::filters::{UnsatisfiablePart, unsatisfiable_part};
use super::{Linter, fields_read};
use crate::codes;

impl Linter<'_> {
    pub(super) fn ending(&mut self) {
        self.completed();
        self.rewards();
        for (name, metric) in self.ast.metrics.iter().zip(&self.game.metrics) {
            if let Field::Resource(slot) = metric.field
                && *self.reach.slot(slot) == ValueSet::singleton(None)
            {
                let message = format!("`{}` never has a value", name.text);
                self.found.push(Diagnostic::warning(codes::METRIC_WITHOUT_VALUE, name.span, message));
            }
        }
    }

    fn completed(&mut self) {
        let (filter, state) = (&self.game.completed, self.state());
        let Some(ast) = &self.ast.completed else {
            let start = Span { end: self.ast.span.start, ..self.ast.span };
            let message = "the game has no `completed`: every game is truncated";
            self.found.push(Diagnostic::note(codes::NEVER_ENDS, start, message));
            return;
        };
        self.labels(ast, filter);
        let initial = ReachableValues::initial(self.game);
        let at_start = AbstractContext::state(self.game, &initial).test(filter);
        if at_start.can_hold && !at_start.can_fail {
            let message = "this holds in the initial state: the game is completed before the first turn";
            self.found.push(Diagnostic::warning(codes::COMPLETED_AT_START, ast.span, message));
        } else if state.test(filter).can_hold {
            self.alternatives(ast, filter, &state);
        } else {
            let UnsatisfiablePart { span, why: reason } = unsatisfiable_part(ast, filter, &state);
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            let message = format!("the game never ends{reason}");
            let help = "no action makes progress towards this condition: add one, or change the condition";
            self.found.push(Diagnostic::warning(codes::NEVER_ENDS, span, message).with_help(help));
        }
    }

    fn rewards(&mut self) {
        for ast in &self.ast.rewards {
            let team = self.game.teams.iter().find(|team| team.name == ast.team.text);
            let Some((team, reward, compute)) =
                team.and_then(|team| Some((team, team.reward.as_ref()?, ast.compute.as_ref()?)))
            else {
                continue;
            };
            let found = self.found.len();
            self.arithmetic(compute, reward, &self.state());
            let explained = self.found.len() > found;
            let values = self.state().compute(reward);
            // Each case that never holds is reported separately.
            let no_case = matches!(reward, Computation::Cases(_)) && values.kinds().is_subset(KindSet::MISSING);
            if !values.kinds().intersects(KindSet::NUMBER) && !no_case && !explained {
                let message = format!("the reward of `{}` is never a number: it {values}", team.name);
                self.found.push(Diagnostic::warning(codes::REWARD_KIND, compute.span, message));
            }
            if self.game.rules.reward_view == Perspective::TrueState {
                continue;
            }
            for (name, field) in fields_read(compute, reward) {
                let Field::Resource(slot) = *field else { continue };
                let at = self.game.board.slot(slot);
                let initial = at.declaration.as_ref().map(|declared| declared.initial.clone());
                if self.reach.may_see(&team.name, at.node) || *self.reach.slot(slot) == ValueSet::singleton(initial) {
                    continue;
                }
                let node = &self.game.board.node(at.node).name;
                let message = format!(
                    "`{}` never sees `{node}`, so its reward uses the initial value of `{}`",
                    team.name, name.text
                );
                let help = format!("declare `observable: set({})` for `{node}`", team.name);
                self.found.push(Diagnostic::warning(codes::REWARD_UNSEEN, name.span, message).with_help(help));
            }
        }
    }
}
