//! Statements on abstract states.

use std::rc::Rc;

use ruff_python_ast::{CmpOp, ExceptHandler, Expr, Stmt, StmtAugAssign, StmtFor, StmtIf, StmtTry, StmtWhile};
use ruff_text_size::Ranged;

use super::env::{Env, collapse, widen};
use super::escape::{escapes, item_changes};
use super::facts::Use;
use super::value::{Function, Inside, Origin, Value, Why};
use super::{Caught, Flow, Loop, numbers};
use crate::typed::types::Kinds;

/// The number of rounds through a loop after which changing numbers are widened.
const ROUNDS_TO_WIDEN: usize = 2;

/// The number of variables, over all states, that cost one step per statement.
const VARIABLES_OF_STEP: u32 = 4;

/// The maximum number of rounds through a loop.
const MAX_ROUNDS: usize = 8;

impl<'a> Flow<'a> {
    /// Follows statements in order; returns the states at their end, or none if the end is unreachable.
    pub(super) fn block(&mut self, body: &'a [Stmt], mut states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        for statement in body {
            if states.is_empty() || !self.enter() {
                return states;
            }
            // Branches copy states, which costs steps as well.
            self.steps += states.iter().map(Env::size).sum::<u32>() / VARIABLES_OF_STEP;
            if self.inlined == 0 {
                self.facts.reached.insert(statement.start());
            }
            self.note_attempt(&states);
            states = collapse(self.statement(statement, states));
            self.note_attempt(&states);
            self.leave();
        }
        states
    }

    /// Records states in which an exception may occur, for the handlers of the enclosing `try`.
    fn note_attempt(&mut self, states: &[Env<'a>]) {
        if let Some(attempt) = self.frames.last_mut().and_then(|frame| frame.attempts.last_mut()) {
            let all: Vec<Env<'a>> = attempt.drain(..).chain(states.iter().cloned()).collect();
            *attempt = collapse(all);
        }
    }

    fn statement(&mut self, statement: &'a Stmt, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        match statement {
            Stmt::If(branch) => self.branch(branch, states),
            Stmt::For(each) => self.each(each, states),
            Stmt::While(repeat) => self.repeat(repeat, states),
            Stmt::Try(guarded) => self.attempt(guarded, states),
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
                        None => Value::none(returned.range, Why::Written),
                    };
                    if self.inlined == 0 && self.calls.len() == 1 {
                        // The reward may be returned in a tuple with its components.
                        let reward = value.parts().and_then(<[Value<'a>]>::first).unwrap_or(&value);
                        self.facts.returns(returned.range, reward);
                    }
                    if let Some(frame) = self.frames.last_mut() {
                        frame.returns = frame.returns.join(&value);
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
                    let split = self.test(&assert.test, state);
                    held.extend(split.yes);
                }
                held
            }
            Stmt::Assign(assign) if assign.targets.len() == 1 && is_split(&assign.value) => {
                self.assigned_choice(&assign.targets[0], &assign.value, states)
            }
            _ => states.into_iter().map(|state| self.plain(statement, state)).collect(),
        }
    }

    /// Follows a statement that continues with the next one.
    fn plain(&mut self, statement: &'a Stmt, mut state: Env<'a>) -> Env<'a> {
        match statement {
            Stmt::Expr(expression) => {
                self.eval(&expression.value, &mut state);
            }
            Stmt::Assign(assign) => {
                let value = self.eval(&assign.value, &mut state);
                let value = self.of_state_or_none(&assign.value, value, &state);
                let changes = value.kinds.has(Kinds::LIST) || value.table_value().is_some();
                let alias = assign.value.is_name_expr() && changes;
                if alias {
                    escapes(&assign.value, &value, &mut state);
                }
                let value =
                    if alias { Value { inside: Inside::Nothing, filled: None, whole: false, ..value } } else { value };
                if matches!(assign.targets[..], [Expr::Tuple(_) | Expr::List(_)]) {
                    self.use_of(&assign.value, &value, Use::Unpack, &mut state);
                }
                for target in &assign.targets {
                    self.assign(target, value.clone(), &mut state);
                }
            }
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    let value = self.eval(value, &mut state);
                    self.assign(&assign.target, value, &mut state);
                }
            }
            Stmt::AugAssign(assign) => self.update(assign, &mut state),
            Stmt::FunctionDef(function) => {
                self.made_here(function.start());
                let value = if function.decorator_list.is_empty() {
                    Value::thing(Inside::Function(Function::Named(function)))
                } else {
                    Value::any()
                };
                state.set(&function.name, value);
                self.alone(function, Some(Rc::new(state.clone())));
            }
            Stmt::ClassDef(class) => {
                state.set(&class.name, Value::any());
                for method in class.body.iter().filter_map(Stmt::as_function_def_stmt) {
                    self.alone(method, Some(Rc::new(state.clone())));
                }
            }
            Stmt::Import(_) | Stmt::ImportFrom(_) => {
                for name in super::scope::bound(std::slice::from_ref(statement)) {
                    state.set(name, self.imported(name, statement));
                }
            }
            Stmt::Delete(delete) => {
                for target in &delete.targets {
                    self.delete(target, &mut state);
                }
            }
            _ => {}
        }
        state
    }

    /// Makes the absence of an object that a variable takes from a state reportable, unless the program tests the attribute itself.
    fn of_state_or_none(&self, written: &'a Expr, value: Value<'a>, state: &Env<'a>) -> Value<'a> {
        let Expr::Attribute(attribute) = written else { return value };
        let of_state = attribute.value.as_name_expr().and_then(|name| state.get(&name.id));
        let is_state = of_state.is_some_and(|of| matches!(of.inside, Inside::State));
        let supplied = value.kinds.has(Kinds::OBJECT) && value.kinds.has(Kinds::NONE) && value.none.is_none();
        if !is_state || !supplied || self.asked.contains(attribute.attr.as_str()) {
            return value;
        }
        Value { none: Some(Origin { range: attribute.range, why: Why::NotThere }), ..value }
    }

    fn assign(&mut self, target: &'a Expr, value: Value<'a>, state: &mut Env<'a>) {
        match target {
            Expr::Name(name) => state.set(&name.id, value),
            Expr::Tuple(ruff_python_ast::ExprTuple { elts, .. })
            | Expr::List(ruff_python_ast::ExprList { elts, .. }) => {
                let parts = value.clone().without(Kinds::NONE);
                let parts = parts.parts().filter(|parts| parts.len() == elts.len()).map(<[Value<'a>]>::to_vec);
                for (place, part) in elts.iter().enumerate() {
                    let value = parts.as_ref().map_or_else(Value::any, |parts| parts[place].clone());
                    self.assign(part, value, state);
                }
            }
            Expr::Attribute(attribute) => {
                let object = self.eval(&attribute.value, state);
                self.use_of(&attribute.value, &object, Use::Attribute(&attribute.attr), state);
            }
            Expr::Subscript(item) => {
                let object = self.eval(&item.value, state);
                self.eval(&item.slice, state);
                self.use_of(&item.value, &object, Use::Item, state);
                item_changes(&item.value, state);
            }
            Expr::Starred(starred) => self.assign(&starred.value, Value::any(), state),
            _ => {}
        }
    }

    fn delete(&mut self, target: &'a Expr, state: &mut Env<'a>) {
        match target {
            Expr::Name(name) => state.set(&name.id, Value::any()),
            Expr::Subscript(item) => {
                let object = self.eval(&item.value, state);
                self.eval(&item.slice, state);
                self.use_of(&item.value, &object, Use::Item, state);
                item_changes(&item.value, state);
                if let Expr::Name(name) = &*item.value
                    && let Some(list) = state.get(&name.id).cloned()
                {
                    state.set(&name.id, Value { whole: false, ..list });
                }
            }
            Expr::Attribute(attribute) => {
                self.eval(&attribute.value, state);
            }
            Expr::Tuple(ruff_python_ast::ExprTuple { elts, .. })
            | Expr::List(ruff_python_ast::ExprList { elts, .. }) => {
                for part in elts {
                    self.delete(part, state);
                }
            }
            _ => {}
        }
    }

    fn update(&mut self, assign: &'a StmtAugAssign, state: &mut Env<'a>) {
        let old = self.eval(&assign.target, state);
        let value = self.eval(&assign.value, state);
        let how = Use::Operation(assign.op.as_str());
        self.use_of(&assign.target, &old, how, state);
        self.use_of(&assign.value, &value, how, state);
        let new = if old.kinds == Kinds::LIST {
            let element = match &value.inside {
                Inside::Elements(element) => (**element).clone(),
                _ => Value::any(),
            };
            Value::list(old.element().join(&element))
        } else {
            self.operation(assign.range, assign.op, &old, &value)
        };
        match &*assign.target {
            Expr::Name(name) => state.set(&name.id, new),
            Expr::Subscript(item) => item_changes(&item.value, state),
            _ => {}
        }
    }

    /// Evaluates a binary operation on two values.
    pub(super) fn operation(
        &mut self,
        at: ruff_text_size::TextRange,
        operator: ruff_python_ast::Operator,
        left: &Value<'a>,
        right: &Value<'a>,
    ) -> Value<'a> {
        let sides = [left, right].map(|side| side.clone().without(Kinds::NONE));
        if !self.guarded.kind {
            let wrong = numbers::mismatch(operator, &sides[0], &sides[1]);
            self.facts.operation(at, wrong.map(|names| (operator.as_str(), names)));
        }
        numbers::binary(operator, left, right)
    }

    /// Follows `a = b if c else d` and assignments of conditions, with separate states for both outcomes.
    fn assigned_choice(&mut self, target: &'a Expr, value: &'a Expr, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let mut left = Vec::new();
        for state in states {
            if let Expr::If(choice) = value {
                let split = self.test(&choice.test, state);
                self.facts_of_test(choice.test.range(), &split);
                for (states, chosen) in [(split.yes, &choice.body), (split.no, &choice.orelse)] {
                    for mut state in states {
                        let value = self.eval(chosen, &mut state);
                        self.assign(target, value, &mut state);
                        left.push(state);
                    }
                }
                continue;
            }
            let split = self.test(value, state);
            for (states, truth) in [(split.yes, true), (split.no, false)] {
                for mut state in states {
                    self.assign(target, Value::truth(Some(truth)), &mut state);
                    left.push(state);
                }
            }
        }
        left
    }

    fn branch(&mut self, branch: &'a StmtIf, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let mut left = Vec::new();
        let clauses = branch.elif_else_clauses.iter().map(|clause| (clause.test.as_ref(), &clause.body));
        let mut open = states;
        for (test, body) in std::iter::once((Some(&*branch.test), &branch.body)).chain(clauses) {
            let Some(test) = test else {
                left.extend(self.block(body, std::mem::take(&mut open)));
                break;
            };
            // The program is imported, so the main block never runs, as intended.
            if is_main_guard(test) {
                continue;
            }
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            for state in open {
                let split = self.test(test, state);
                self.facts_of_test(test.range(), &split);
                yes.extend(split.yes);
                no.extend(split.no);
            }
            left.extend(self.block(body, collapse(yes)));
            open = collapse(no);
        }
        left.extend(open);
        left
    }

    fn each(&mut self, each: &'a StmtFor, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let mut before = Vec::new();
        let mut elements = Value::never();
        let (mut certain, mut unknown) = (true, false);
        for mut state in states {
            let iterated = self.eval(&each.iter, &mut state);
            let element = self.gone_through(&each.iter, &iterated, &mut state);
            certain &= self.has_elements(&each.iter, &iterated, &mut state);
            unknown |= self.is_alone && iterated.is_any();
            elements = elements.join(&element);
            before.push(state);
        }
        let bind = |flow: &mut Self, states: Vec<Env<'a>>| {
            let mut bound = states;
            for state in &mut bound {
                flow.assign(&each.target, elements.clone(), state);
            }
            bound
        };
        let (head, last, breaks) =
            self.rounds(collapse(before.clone()), &each.body, |flow, states| (bind(flow, states), Vec::new()));
        // Without elements, the body never runs.
        let mut done = if certain { last } else { collapse(head) };
        // Callers may guarantee that there are elements.
        if unknown {
            let given = super::scope::bound(&each.body);
            for (_, value) in done.iter_mut().flat_map(Env::each_mut).filter(|(name, _)| given.contains(name)) {
                if value.kinds.has(Kinds::UNBOUND) {
                    *value = Value::any();
                }
            }
        }
        let mut left = self.block(&each.orelse, done);
        left.extend(breaks);
        left
    }

    /// Returns whether an iterable certainly has elements.
    fn has_elements(&mut self, written: &'a Expr, value: &Value<'a>, state: &mut Env<'a>) -> bool {
        if value.whole || (value.filled == Some(true) && !value.is_any()) {
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
                    range.id.as_str() == "range" && self.has_elements(counted, &of, state)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn repeat(&mut self, repeat: &'a StmtWhile, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let (head, _, breaks) = self.rounds(states, &repeat.body, |flow, states| flow.tested(repeat, states));
        let (_, done) = self.tested(repeat, head);
        let mut left = self.block(&repeat.orelse, done);
        left.extend(breaks);
        left
    }

    fn tested(&mut self, repeat: &'a StmtWhile, states: Vec<Env<'a>>) -> (Vec<Env<'a>>, Vec<Env<'a>>) {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for state in states {
            let split = self.test(&repeat.test, state);
            self.facts_of_test(repeat.test.range(), &split);
            yes.extend(split.yes);
            no.extend(split.no);
        }
        (collapse(yes), collapse(no))
    }

    /// Follows a loop up to a fixed point; returns the states before the body, at its end, and at each `break`.
    #[allow(clippy::type_complexity, reason = "three lists of states")]
    fn rounds(
        &mut self,
        states: Vec<Env<'a>>,
        body: &'a [Stmt],
        begin: impl Fn(&mut Self, Vec<Env<'a>>) -> (Vec<Env<'a>>, Vec<Env<'a>>),
    ) -> (Vec<Env<'a>>, Vec<Env<'a>>, Vec<Env<'a>>) {
        let mut head = states;
        let (mut last, mut breaks) = (Vec::new(), Vec::new());
        for round in 0..MAX_ROUNDS {
            let (entered, _) = begin(self, head.clone());
            if let Some(frame) = self.frames.last_mut() {
                frame.loops.push(Loop::default());
            }
            let mut behind = self.block(body, entered);
            if let Some(open) = self.frames.last_mut().and_then(|frame| frame.loops.pop()) {
                behind.extend(open.continues);
                breaks = collapse(open.breaks);
            }
            last = collapse(behind);
            let all = collapse(head.iter().chain(&last).cloned().collect());
            if all == head {
                return (head, last, breaks);
            }
            head = if round >= ROUNDS_TO_WIDEN { widen(&head, all) } else { all };
        }
        self.given_up = true;
        (head, last, breaks)
    }

    fn attempt(&mut self, guarded: &'a StmtTry, states: Vec<Env<'a>>) -> Vec<Env<'a>> {
        let catches = |handler: &ExceptHandler| {
            let ExceptHandler::ExceptHandler(handler) = handler;
            handler.type_.as_deref().map_or(Caught::ALL, caught)
        };
        let around = self.guarded;
        self.guarded = guarded.handlers.iter().map(catches).fold(around, Caught::with);
        if let Some(frame) = self.frames.last_mut() {
            frame.attempts.push(states.clone());
        }
        let done = self.block(&guarded.body, states);
        let attempt = self.frames.last_mut().and_then(|frame| frame.attempts.pop()).unwrap_or_default();
        self.guarded = around;
        let mut left = self.block(&guarded.orelse, done);
        for handler in &guarded.handlers {
            let ExceptHandler::ExceptHandler(handler) = handler;
            let mut states = attempt.clone();
            if let Some(name) = &handler.name {
                for state in &mut states {
                    state.set(name, Value::any());
                }
            }
            left.extend(self.block(&handler.body, states));
        }
        if guarded.finalbody.is_empty() {
            return left;
        }
        if left.is_empty() {
            // The `finally` block also runs when an exception leaves the statement.
            self.block(&guarded.finalbody, attempt);
            return Vec::new();
        }
        self.block(&guarded.finalbody, collapse(left))
    }
}

/// Returns whether a value is a conditional expression or a condition.
fn is_split(value: &Expr) -> bool {
    match value {
        Expr::If(_) => true,
        Expr::Compare(compare) => compare.ops.len() == 1,
        Expr::UnaryOp(operation) => operation.op == ruff_python_ast::UnaryOp::Not,
        Expr::BoolOp(operation) => operation.values.iter().all(is_split),
        Expr::Call(call) => {
            call.func.as_name_expr().is_some_and(|name| matches!(name.id.as_str(), "bool" | "isinstance"))
        }
        _ => false,
    }
}

/// Returns the exceptions that a handler catches.
fn caught(exception: &Expr) -> Caught {
    match exception {
        Expr::Name(name) => match name.id.as_str() {
            "AttributeError" => Caught { attribute: true, ..Caught::default() },
            "TypeError" => Caught { kind: true, ..Caught::default() },
            "NameError" | "UnboundLocalError" => Caught { unbound: true, ..Caught::default() },
            "Exception" | "BaseException" => Caught::ALL,
            _ => Caught::default(),
        },
        Expr::Tuple(tuple) => tuple.elts.iter().map(caught).fold(Caught::default(), Caught::with),
        _ => Caught::ALL,
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
