//! `match` and `with` statements on abstract states.

use goalspec_python_runtime::inference::Kinds;
use ruff_python_ast::{Expr, MatchCase, Pattern, Singleton, StmtMatch, StmtWith};
use ruff_text_size::Ranged;

use super::env::{Env, merge_states};
use super::statements::caught_by_handler;
use super::value::{AbstractValue, NoneReason};
use super::{Analyzer, CaughtExceptions, scope};
use crate::patterns;

impl<'a> Analyzer<'a> {
    /// Follows the cases of a `match` statement; each begins with the states that no earlier case has taken.
    pub(super) fn exec_match(&mut self, statement: &'a StmtMatch, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let mut open = Vec::new();
        for mut state in states {
            self.eval(&statement.subject, &mut state);
            open.push(state);
        }
        let mut done = Vec::new();
        for case in &statement.cases {
            if open.is_empty() {
                break;
            }
            let (taken, left) = self.split_by_case(&statement.subject, case, open);
            done.extend(self.exec_block(&case.body, merge_states(taken)));
            open = merge_states(left);
        }
        done.extend(open);
        done
    }

    /// Returns the states in which a case is taken, and those in which it is not.
    fn split_by_case(
        &mut self,
        subject: &'a Expr,
        case: &'a MatchCase,
        states: Vec<Env<'a>>,
    ) -> (Vec<Env<'a>>, Vec<Env<'a>>) {
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for mut state in states {
            if !patterns::is_irrefutable(&case.pattern) {
                let mut other = state.clone();
                if narrow_subject(subject, &case.pattern, &mut other, false) {
                    left.push(other);
                }
            }
            if !narrow_subject(subject, &case.pattern, &mut state, true) {
                continue;
            }
            for name in patterns::bound_names(&case.pattern) {
                state.set(name, AbstractValue::any());
            }
            match &case.guard {
                Some(guard) => {
                    let split = self.eval_condition(guard, state);
                    self.record_outcomes(guard.range(), &split);
                    taken.extend(split.if_true);
                    left.extend(split.if_false);
                }
                None => taken.push(state),
            }
        }
        (taken, left)
    }

    /// Follows the body of a `with` statement; `suppress` handles exceptions.
    pub(super) fn exec_with(&mut self, statement: &'a StmtWith, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let mut entered = Vec::new();
        for mut state in states {
            for item in &statement.items {
                self.eval(&item.context_expr, &mut state);
                if let Some(target) = &item.optional_vars {
                    self.assign_target(target, AbstractValue::any(), &mut state);
                }
            }
            entered.push(state);
        }
        let caught = statement.items.iter().filter_map(|item| suppressed_exceptions(&item.context_expr));
        let Some(caught) = caught.reduce(CaughtExceptions::merge) else {
            return self.exec_block(&statement.body, entered);
        };
        let around = self.caught_exceptions;
        self.caught_exceptions = around.merge(caught);
        if let Some(frame) = self.frames.last_mut() {
            frame.exception_states.push(entered.clone());
        }
        let mut done = self.exec_block(&statement.body, entered);
        let interrupted = self.frames.last_mut().and_then(|frame| frame.exception_states.pop()).unwrap_or_default();
        self.caught_exceptions = around;
        done.extend(interrupted);
        merge_states(done)
    }
}

/// Returns the exceptions that `suppress(..)` handles; `None` for other context managers.
fn suppressed_exceptions(manager: &Expr) -> Option<CaughtExceptions> {
    let call = manager.as_call_expr()?;
    let name = match &*call.func {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return None,
    };
    (name == "suppress").then(|| {
        call.arguments.args.iter().map(caught_by_handler).fold(CaughtExceptions::default(), CaughtExceptions::merge)
    })
}

/// Narrows the variables of a subject to the values that match a pattern, or that do not; returns whether there are any.
fn narrow_subject<'a>(subject: &'a Expr, pattern: &Pattern, state: &mut Env<'a>, matches: bool) -> bool {
    let Expr::Name(name) = subject else {
        // The pattern may test parts of the subject, in any combination.
        for name in scope::names_in_expression(subject) {
            if state.get(name).is_some_and(|value| value.kinds.intersects(Kinds::NONE)) {
                state.set(name, AbstractValue::any());
            }
        }
        return true;
    };
    let Some(value) = state.get(&name.id).cloned() else { return true };
    if value.is_any() {
        return true;
    }
    let is_none = matches!(pattern, Pattern::MatchSingleton(singleton) if singleton.value == Singleton::None);
    let narrowed = match (is_none, matches) {
        (true, true) if value.kinds.intersects(Kinds::NONE) => {
            AbstractValue::none(pattern.range(), NoneReason::Literal)
        }
        (true, true) => return false,
        (true, false) => value.without(Kinds::NONE),
        (false, true) if patterns::is_irrefutable(pattern) => return true,
        (false, true) => AbstractValue::any(),
        (false, false) => return true,
    };
    if narrowed.is_never() {
        return false;
    }
    state.set(&name.id, narrowed);
    true
}
