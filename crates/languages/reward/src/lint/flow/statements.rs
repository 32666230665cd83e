//! Statements on abstract states.

use std::rc::Rc;

use goalspec_python_runtime::inference::Kinds;
use ruff_python_ast::{
    CmpOp, ExceptHandler, Expr, Stmt, StmtAssign, StmtAugAssign, StmtFor, StmtIf, StmtTry, StmtWhile,
};
use ruff_text_size::Ranged;

use super::env::{Env, merge_states, widen_states};
use super::escape::{escape_argument, forget_item_container};
use super::facts::NoneSensitiveUse;
use super::value::{AbstractValue, Contents, FunctionRef, NoneOrigin, NoneReason};
use super::{Analyzer, CaughtExceptions, LoopStates, numbers};

/// The number of rounds through a loop after which changing numbers are widened.
const WIDENING_DELAY: usize = 2;

/// The number of variables, over all states, that cost one step per statement.
const VARIABLES_PER_STEP: u32 = 4;

/// The maximum number of rounds through a loop.
const MAX_LOOP_ITERATIONS: usize = 8;

impl<'a> Analyzer<'a> {
    /// Follows statements in order; returns the states at their end, or none if the end is unreachable.
    pub(super) fn exec_block(&mut self, body: &'a [Stmt], mut states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        for statement in body {
            if states.is_empty() || !self.enter() {
                return states;
            }
            // Branches copy states, which costs steps as well.
            self.steps += states.iter().map(Env::variable_count).sum::<u32>() / VARIABLES_PER_STEP;
            if self.inlined_calls == 0 {
                self.facts.reachable_statements.insert(statement.start());
            }
            self.record_exception_states(&states);
            states = merge_states(self.exec_statement(statement, states));
            self.record_exception_states(&states);
            self.leave();
        }
        states
    }

    /// Records states in which an exception may occur, for the handlers of the enclosing `try`.
    fn record_exception_states(&mut self, states: &[Env<'a>]) {
        if let Some(attempt) = self.frames.last_mut().and_then(|frame| frame.exception_states.last_mut()) {
            let all: Vec<Env<'a>> = attempt.drain(..).chain(states.iter().cloned()).collect();
            *attempt = merge_states(all);
        }
    }

    fn exec_statement(&mut self, statement: &'a Stmt, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        match statement {
            Stmt::If(branch) => self.exec_if(branch, states),
            Stmt::For(each) => self.exec_for(each, states),
            Stmt::While(repeat) => self.exec_while(repeat, states),
            Stmt::Try(guarded) => self.exec_try(guarded, states),
            Stmt::With(with) => self.exec_with(with, states),
            Stmt::Match(statement) => self.exec_match(statement, states),
            Stmt::Break(_) | Stmt::Continue(_) => {
                if let Some(open) = self.frames.last_mut().and_then(|frame| frame.loops.last_mut()) {
                    let side = if statement.is_break_stmt() { &mut open.breaks } else { &mut open.continues };
                    side.extend(states);
                }
                Vec::new()
            }
            Stmt::Return(returned) => {
                for mut state in states {
                    let value = match &returned.value {
                        Some(value) => self.eval(value, &mut state),
                        None => AbstractValue::none(returned.range, NoneReason::Literal),
                    };
                    if self.inlined_calls == 0 && self.call_stack.len() == 1 {
                        // The reward may be returned in a tuple with its components.
                        let reward = value.tuple_elements().and_then(<[AbstractValue<'a>]>::first).unwrap_or(&value);
                        self.facts.record_return(returned.range, reward);
                    }
                    if let Some(frame) = self.frames.last_mut() {
                        frame.return_value = frame.return_value.join(&value);
                    }
                }
                Vec::new()
            }
            Stmt::Raise(raised) => {
                for mut state in states {
                    for part in raised.exc.iter().chain(&raised.cause) {
                        self.eval(part, &mut state);
                    }
                }
                Vec::new()
            }
            Stmt::Assert(assert) => {
                let mut held = Vec::new();
                for state in states {
                    let split = self.eval_condition(&assert.test, state);
                    held.extend(split.if_true);
                }
                held
            }
            Stmt::Assign(assign) if assign.targets.len() == 1 && is_condition_value(&assign.value) => {
                self.exec_conditional_assign(&assign.targets[0], &assign.value, states)
            }
            _ => states.into_iter().map(|state| self.exec_simple_statement(statement, state)).collect(),
        }
    }

    /// Follows a statement that continues with the next one.
    fn exec_simple_statement(&mut self, statement: &'a Stmt, mut state: Env<'a>) -> Env<'a> {
        match statement {
            Stmt::Expr(expression) => {
                self.eval(&expression.value, &mut state);
            }
            Stmt::Assign(assign) => self.exec_assign(assign, &mut state),
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    let value = self.eval(value, &mut state);
                    self.assign_target(&assign.target, value, &mut state);
                }
            }
            Stmt::AugAssign(assign) => self.exec_aug_assign(assign, &mut state),
            Stmt::FunctionDef(function) => {
                self.record_enclosing_function(function.start());
                let value = if function.decorator_list.is_empty() {
                    AbstractValue::from_contents(Contents::Function(FunctionRef::Named(function)))
                } else {
                    AbstractValue::any()
                };
                state.set(&function.name, value);
                self.analyze_function(function, Some(Rc::new(state.clone())));
            }
            Stmt::ClassDef(class) => {
                state.set(&class.name, AbstractValue::any());
                for method in class.body.iter().filter_map(Stmt::as_function_def_stmt) {
                    self.analyze_function(method, Some(Rc::new(state.clone())));
                }
            }
            Stmt::Import(_) | Stmt::ImportFrom(_) => {
                for name in super::scope::bound_names(std::slice::from_ref(statement)) {
                    state.set(name, self.eval_import(name, statement));
                }
            }
            Stmt::Delete(delete) => {
                for target in &delete.targets {
                    self.delete_target(target, &mut state);
                }
            }
            _ => {}
        }
        state
    }

    fn exec_assign(&mut self, assign: &'a StmtAssign, state: &mut Env<'a>) {
        let value = self.eval(&assign.value, state);
        let value = self.mark_reportable_absence(&assign.value, value, state);
        let changes = value.kinds.intersects(Kinds::LIST) || value.dict_value().is_some();
        let alias = assign.value.is_name_expr() && changes;
        if alias {
            escape_argument(&assign.value, &value, state);
        }
        let value = if alias {
            AbstractValue { contents: Contents::Untracked, truthiness: None, is_all_objects: false, ..value }
        } else {
            value
        };
        if matches!(assign.targets[..], [Expr::Tuple(_) | Expr::List(_)]) {
            self.record_use(&assign.value, &value, NoneSensitiveUse::Unpack, state);
        }
        for target in &assign.targets {
            self.assign_target(target, value.clone(), state);
        }
    }

    /// Makes the absence of an object that a variable takes from a state reportable, unless the program tests the attribute itself.
    fn mark_reportable_absence(
        &self,
        written: &'a Expr,
        value: AbstractValue<'a>,
        state: &Env<'a>,
    ) -> AbstractValue<'a> {
        let Expr::Attribute(attribute) = written else { return value };
        let of_state = attribute.value.as_name_expr().and_then(|name| state.get(&name.id));
        let is_state = of_state.is_some_and(|of| matches!(of.contents, Contents::State));
        let supplied =
            value.kinds.intersects(Kinds::OBJECT) && value.kinds.intersects(Kinds::NONE) && value.none_origin.is_none();
        if !is_state || !supplied || self.tested_attributes.contains(attribute.attr.as_str()) {
            return value;
        }
        AbstractValue {
            none_origin: Some(NoneOrigin { range: attribute.range, reason: NoneReason::AbsentObject }),
            ..value
        }
    }

    pub(super) fn assign_target(&mut self, target: &'a Expr, value: AbstractValue<'a>, state: &mut Env<'a>) {
        match target {
            Expr::Name(name) => state.set(&name.id, value),
            Expr::Tuple(ruff_python_ast::ExprTuple { elts, .. })
            | Expr::List(ruff_python_ast::ExprList { elts, .. }) => {
                let parts = value.clone().without(Kinds::NONE);
                let parts =
                    parts.tuple_elements().filter(|parts| parts.len() == elts.len()).map(<[AbstractValue<'a>]>::to_vec);
                for (place, part) in elts.iter().enumerate() {
                    let value = parts.as_ref().map_or_else(AbstractValue::any, |parts| parts[place].clone());
                    self.assign_target(part, value, state);
                }
            }
            Expr::Attribute(attribute) => {
                let object = self.eval(&attribute.value, state);
                self.record_use(&attribute.value, &object, NoneSensitiveUse::Attribute(&attribute.attr), state);
            }
            Expr::Subscript(item) => {
                let object = self.eval(&item.value, state);
                self.eval(&item.slice, state);
                self.record_use(&item.value, &object, NoneSensitiveUse::Subscript, state);
                forget_item_container(&item.value, state);
            }
            Expr::Starred(starred) => self.assign_target(&starred.value, AbstractValue::any(), state),
            _ => {}
        }
    }

    fn delete_target(&mut self, target: &'a Expr, state: &mut Env<'a>) {
        match target {
            Expr::Name(name) => state.set(&name.id, AbstractValue::any()),
            Expr::Subscript(item) => {
                let object = self.eval(&item.value, state);
                self.eval(&item.slice, state);
                self.record_use(&item.value, &object, NoneSensitiveUse::Subscript, state);
                forget_item_container(&item.value, state);
                if let Expr::Name(name) = &*item.value
                    && let Some(list) = state.get(&name.id).cloned()
                {
                    state.set(&name.id, AbstractValue { is_all_objects: false, ..list });
                }
            }
            Expr::Attribute(attribute) => {
                self.eval(&attribute.value, state);
            }
            Expr::Tuple(ruff_python_ast::ExprTuple { elts, .. })
            | Expr::List(ruff_python_ast::ExprList { elts, .. }) => {
                for part in elts {
                    self.delete_target(part, state);
                }
            }
            _ => {}
        }
    }

    fn exec_aug_assign(&mut self, assign: &'a StmtAugAssign, state: &mut Env<'a>) {
        let old = self.eval(&assign.target, state);
        let value = self.eval(&assign.value, state);
        let how = NoneSensitiveUse::Operator(assign.op.as_str());
        self.record_use(&assign.target, &old, how, state);
        self.record_use(&assign.value, &value, how, state);
        let new = if old.kinds == Kinds::LIST {
            let element = match &value.contents {
                Contents::Elements(element) => (**element).clone(),
                _ => AbstractValue::any(),
            };
            AbstractValue::list(old.list_element().join(&element))
        } else {
            self.eval_binary_operation(assign.range, assign.op, &old, &value)
        };
        match &*assign.target {
            Expr::Name(name) => state.set(&name.id, new),
            Expr::Subscript(item) => forget_item_container(&item.value, state),
            _ => {}
        }
    }

    /// Evaluates a binary operation on two values.
    pub(super) fn eval_binary_operation(
        &mut self,
        at: ruff_text_size::TextRange,
        operator: ruff_python_ast::Operator,
        left: &AbstractValue<'a>,
        right: &AbstractValue<'a>,
    ) -> AbstractValue<'a> {
        let sides = [left, right].map(|side| side.clone().without(Kinds::NONE));
        if !self.caught_exceptions.type_error {
            let wrong = numbers::unsupported_operands(operator, &sides[0], &sides[1]);
            self.facts.record_operation(at, wrong.map(|names| (operator.as_str(), names)));
        }
        numbers::binary(operator, left, right)
    }

    /// Follows `a = b if c else d` and assignments of conditions, with separate states for both outcomes.
    fn exec_conditional_assign(&mut self, target: &'a Expr, value: &'a Expr, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let mut left = Vec::new();
        for state in states {
            if let Expr::If(choice) = value {
                let split = self.eval_condition(&choice.test, state);
                self.record_outcomes(choice.test.range(), &split);
                for (states, chosen) in [(split.if_true, &choice.body), (split.if_false, &choice.orelse)] {
                    for mut state in states {
                        let value = self.eval(chosen, &mut state);
                        self.assign_target(target, value, &mut state);
                        left.push(state);
                    }
                }
                continue;
            }
            let split = self.eval_condition(value, state);
            for (states, truth) in [(split.if_true, true), (split.if_false, false)] {
                for mut state in states {
                    self.assign_target(target, AbstractValue::boolean(Some(truth)), &mut state);
                    left.push(state);
                }
            }
        }
        left
    }

    fn exec_if(&mut self, branch: &'a StmtIf, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let mut left = Vec::new();
        let clauses = branch.elif_else_clauses.iter().map(|clause| (clause.test.as_ref(), &clause.body));
        let mut open = states;
        for (test, body) in std::iter::once((Some(&*branch.test), &branch.body)).chain(clauses) {
            let Some(test) = test else {
                left.extend(self.exec_block(body, std::mem::take(&mut open)));
                break;
            };
            // The program is imported, so the main block never runs, as intended.
            if is_main_guard(test) {
                continue;
            }
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            for state in open {
                let split = self.eval_condition(test, state);
                self.record_outcomes(test.range(), &split);
                yes.extend(split.if_true);
                no.extend(split.if_false);
            }
            left.extend(self.exec_block(body, merge_states(yes)));
            open = merge_states(no);
        }
        left.extend(open);
        left
    }

    fn exec_for(&mut self, each: &'a StmtFor, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let mut before = Vec::new();
        let mut elements = AbstractValue::never();
        let (mut certain, mut unknown) = (true, false);
        for mut state in states {
            let iterated = self.eval(&each.iter, &mut state);
            let element = self.iterate(&each.iter, &iterated, &mut state);
            certain &= self.is_nonempty_iterable(&each.iter, &iterated, &mut state);
            unknown |= self.has_unknown_arguments && iterated.is_any();
            elements = elements.join(&element);
            before.push(state);
        }
        let bind = |flow: &mut Self, states: Vec<Env<'a>>| {
            let mut bound = states;
            for state in &mut bound {
                flow.assign_target(&each.target, elements.clone(), state);
            }
            bound
        };
        let (head, last, breaks) = self.run_to_fixed_point(merge_states(before.clone()), &each.body, |flow, states| {
            (bind(flow, states), Vec::new())
        });
        // Without elements, the body never runs.
        let mut done = if certain { last } else { merge_states(head) };
        // Callers may guarantee that there are elements.
        if unknown {
            let bound_names = super::scope::bound_names(&each.body);
            for (_, value) in done.iter_mut().flat_map(Env::iter_mut).filter(|(name, _)| bound_names.contains(name)) {
                if value.kinds.intersects(Kinds::UNBOUND) {
                    *value = AbstractValue::any();
                }
            }
        }
        let mut left = self.exec_block(&each.orelse, done);
        left.extend(breaks);
        left
    }

    /// Returns whether an iterable certainly has elements.
    fn is_nonempty_iterable(&mut self, written: &'a Expr, value: &AbstractValue<'a>, state: &mut Env<'a>) -> bool {
        if value.is_all_objects || (value.truthiness == Some(true) && !value.is_any()) {
            return true;
        }
        match written {
            Expr::List(list) => !list.elts.is_empty(),
            Expr::Tuple(tuple) => !tuple.elts.is_empty(),
            // `range(len(objects))`
            Expr::Call(call) => match (&*call.func, &call.arguments.args[..]) {
                (Expr::Name(range), [Expr::Call(length)]) if self.is_builtin(&range.id, state) => {
                    let counted = match (&*length.func, &length.arguments.args[..]) {
                        (Expr::Name(len), [of]) if len.id.as_str() == "len" => of,
                        _ => return false,
                    };
                    let of = self.eval(counted, state);
                    range.id.as_str() == "range" && self.is_nonempty_iterable(counted, &of, state)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn exec_while(&mut self, repeat: &'a StmtWhile, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let (head, _, breaks) =
            self.run_to_fixed_point(states, &repeat.body, |flow, states| flow.split_by_loop_condition(repeat, states));
        let (_, done) = self.split_by_loop_condition(repeat, head);
        let mut left = self.exec_block(&repeat.orelse, done);
        left.extend(breaks);
        left
    }

    fn split_by_loop_condition(&mut self, repeat: &'a StmtWhile, states: Vec<Env<'a>>) -> (Vec<Env<'a>>, Vec<Env<'a>>) {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for state in states {
            let split = self.eval_condition(&repeat.test, state);
            self.record_outcomes(repeat.test.range(), &split);
            yes.extend(split.if_true);
            no.extend(split.if_false);
        }
        (merge_states(yes), merge_states(no))
    }

    /// Follows a loop up to a fixed point; returns the states before the body, at its end, and at each `break`.
    #[allow(clippy::type_complexity, reason = "three lists of states")]
    fn run_to_fixed_point(
        &mut self,
        states: Vec<Env<'a>>,
        body: &'a [Stmt],
        begin: impl Fn(&mut Self, Vec<Env<'a>>) -> (Vec<Env<'a>>, Vec<Env<'a>>),
    ) -> (Vec<Env<'a>>, Vec<Env<'a>>, Vec<Env<'a>>) {
        let mut head = states;
        let (mut last, mut breaks) = (Vec::new(), Vec::new());
        for round in 0..MAX_LOOP_ITERATIONS {
            let (entered, _) = begin(self, head.clone());
            if let Some(frame) = self.frames.last_mut() {
                frame.loops.push(LoopStates::default());
            }
            let mut behind = self.exec_block(body, entered);
            if let Some(open) = self.frames.last_mut().and_then(|frame| frame.loops.pop()) {
                behind.extend(open.continues);
                breaks = merge_states(open.breaks);
            }
            last = merge_states(behind);
            let all = merge_states(head.iter().chain(&last).cloned().collect());
            if all == head {
                return (head, last, breaks);
            }
            head = if round >= WIDENING_DELAY { widen_states(&head, all) } else { all };
        }
        self.is_incomplete = true;
        (head, last, breaks)
    }

    fn exec_try(&mut self, guarded: &'a StmtTry, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let catches = |handler: &ExceptHandler| {
            let ExceptHandler::ExceptHandler(handler) = handler;
            handler.type_.as_deref().map_or(CaughtExceptions::ALL, caught_by_handler)
        };
        let around = self.caught_exceptions;
        self.caught_exceptions = guarded.handlers.iter().map(catches).fold(around, CaughtExceptions::merge);
        if let Some(frame) = self.frames.last_mut() {
            frame.exception_states.push(states.clone());
        }
        let done = self.exec_block(&guarded.body, states);
        let attempt = self.frames.last_mut().and_then(|frame| frame.exception_states.pop()).unwrap_or_default();
        self.caught_exceptions = around;
        let mut left = self.exec_block(&guarded.orelse, done);
        for handler in &guarded.handlers {
            let ExceptHandler::ExceptHandler(handler) = handler;
            let mut states = attempt.clone();
            if let Some(name) = &handler.name {
                for state in &mut states {
                    state.set(name, AbstractValue::any());
                }
            }
            left.extend(self.exec_block(&handler.body, states));
        }
        if guarded.finalbody.is_empty() {
            return left;
        }
        if left.is_empty() {
            // The `finally` block also runs when an exception leaves the statement.
            self.exec_block(&guarded.finalbody, attempt);
            return Vec::new();
        }
        self.exec_block(&guarded.finalbody, merge_states(left))
    }
}

/// Returns whether a value is a conditional expression or a condition.
fn is_condition_value(value: &Expr) -> bool {
    match value {
        Expr::If(_) => true,
        Expr::Compare(compare) => compare.ops.len() == 1,
        Expr::UnaryOp(operation) => operation.op == ruff_python_ast::UnaryOp::Not,
        Expr::BoolOp(operation) => operation.values.iter().all(is_condition_value),
        Expr::Call(call) => {
            call.func.as_name_expr().is_some_and(|name| matches!(name.id.as_str(), "bool" | "isinstance"))
        }
        _ => false,
    }
}

/// Returns the exceptions that a handler catches.
pub(super) fn caught_by_handler(exception: &Expr) -> CaughtExceptions {
    match exception {
        Expr::Name(name) => match name.id.as_str() {
            "AttributeError" => CaughtExceptions { attribute_error: true, ..CaughtExceptions::default() },
            "TypeError" => CaughtExceptions { type_error: true, ..CaughtExceptions::default() },
            "NameError" | "UnboundLocalError" => {
                CaughtExceptions { unbound_local_error: true, ..CaughtExceptions::default() }
            }
            "Exception" | "BaseException" => CaughtExceptions::ALL,
            _ => CaughtExceptions::default(),
        },
        Expr::Tuple(tuple) => {
            tuple.elts.iter().map(caught_by_handler).fold(CaughtExceptions::default(), CaughtExceptions::merge)
        }
        _ => CaughtExceptions::ALL,
    }
}

/// Returns whether an expression is `__name__ == "__main__"`.
pub(super) fn is_main_guard(test: &Expr) -> bool {
    let Expr::Compare(compare) = test else { return false };
    let is_name = |side: &Expr| matches!(side, Expr::Name(name) if name.id.as_str() == "__name__");
    let is_main = |side: &Expr| side.as_string_literal_expr().is_some_and(|text| text.value.to_str() == "__main__");
    match (&compare.ops[..], &compare.comparators[..]) {
        ([CmpOp::Eq], [right]) => {
            (is_name(&compare.left) && is_main(right)) || (is_main(&compare.left) && is_name(right))
        }
        _ => false,
    }
}
