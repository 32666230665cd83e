//! Expressions on abstract values.

use std::rc::Rc;

use ruff_python_ast::{BoolOp, Comprehension, Expr, ExprAttribute, ExprCompare, ExprSubscript, Number, UnaryOp};
use ruff_text_size::{Ranged, TextRange};

use super::env::Env;
use super::escape::escapes;
use super::facts::{Asked, NoneUse, Use};
use super::numbers::{self, kind_of};
use super::value::{Function, Inside, Interval, Value, Why};
use super::{Flow, objects, scope};
use crate::typed::types::Kinds;

impl<'a> Flow<'a> {
    /// Evaluates an expression.
    pub(super) fn eval(&mut self, expression: &'a Expr, env: &mut Env<'a>) -> Value<'a> {
        if !self.enter() {
            return Value::any();
        }
        let value = self.eval_in(expression, env);
        self.leave();
        value
    }

    fn eval_in(&mut self, expression: &'a Expr, env: &mut Env<'a>) -> Value<'a> {
        match expression {
            Expr::NoneLiteral(literal) => Value::none(literal.range, Why::Written),
            Expr::BooleanLiteral(literal) => Value::truth(Some(literal.value)),
            Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(int) => match int.as_i64() {
                    Some(number) if number.unsigned_abs() < 1 << 53 => {
                        Value::number(Kinds::INT, Interval::one(number as f64))
                    }
                    _ => Value::int(),
                },
                Number::Float(number) => Value::number(Kinds::FLOAT, Interval::one(*number)),
                Number::Complex { .. } => Value::any(),
            },
            Expr::StringLiteral(literal) => {
                let text: Rc<str> = literal.value.to_str().into();
                Value { written: Some(literal.range), ..Value::text([text]) }
            }
            Expr::FString(text) => {
                for element in text.value.elements().filter_map(|element| element.as_interpolation()) {
                    self.eval(&element.expression, env);
                }
                Value::of(Kinds::TEXT)
            }
            Expr::Name(name) => self.name(&name.id, name.range, env),
            Expr::Named(named) => {
                let value = self.eval(&named.value, env);
                if let Expr::Name(name) = &*named.target {
                    env.set(&name.id, value.clone());
                }
                value
            }
            Expr::BoolOp(operation) => self.bool_op(&operation.values, operation.op == BoolOp::And, env),
            Expr::UnaryOp(operation) if operation.op == UnaryOp::Not => {
                let split = self.test(expression, env.clone());
                split.truth()
            }
            Expr::UnaryOp(operation) => {
                let value = self.eval(&operation.operand, env);
                self.use_of(&operation.operand, &value, Use::Operation(operation.op.as_str()), env);
                numbers::unary(operation.op, &value)
            }
            Expr::BinOp(operation) => {
                let left = self.eval(&operation.left, env);
                let right = self.eval(&operation.right, env);
                let how = Use::Operation(operation.op.as_str());
                self.use_of(&operation.left, &left, how, env);
                self.use_of(&operation.right, &right, how, env);
                self.operation(operation.range, operation.op, &left, &right)
            }
            Expr::Compare(compare) => self.compare(compare, env),
            Expr::If(choice) => {
                let split = self.test(&choice.test, env.clone());
                self.facts_of_test(choice.test.range(), &split);
                let mut all = Value::never();
                for (states, expression) in [(split.yes, &choice.body), (split.no, &choice.orelse)] {
                    for mut state in states {
                        let value = self.eval(expression, &mut state);
                        all = all.join(&value);
                    }
                }
                if all.is_never() { Value::any() } else { all }
            }
            Expr::Attribute(attribute) => self.attribute(attribute, env),
            Expr::Subscript(item) => self.item(item, env),
            Expr::Call(call) if self.is_class_test(call, env) => self.test(expression, env.clone()).truth(),
            Expr::Call(call) => self.call(call, env),
            _ => self.display(expression, env),
        }
    }

    /// Evaluates lists, tuples, dicts, sets and comprehensions.
    fn display(&mut self, expression: &'a Expr, env: &mut Env<'a>) -> Value<'a> {
        match expression {
            Expr::List(list) => {
                let elements = self.elements(&list.elts, env);
                Value::list(elements.iter().fold(Value::never(), |all, one| all.join(one)))
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(Expr::is_starred_expr) => {
                self.elements(&tuple.elts, env);
                Value::of(Kinds::THING)
            }
            Expr::Tuple(tuple) => Value::tuple(self.elements(&tuple.elts, env)),
            Expr::Set(set) => {
                self.elements(&set.elts, env);
                Value::of(Kinds::THING)
            }
            Expr::Dict(dict) => {
                for item in &dict.items {
                    for part in item.key.iter().chain([&item.value]) {
                        let value = self.eval(part, env);
                        escapes(part, &value, env);
                    }
                }
                Value::of(Kinds::THING)
            }
            Expr::ListComp(list) => Value::list(self.comprehension(&list.generators, &[&list.elt], env)),
            Expr::Generator(generator) => {
                let element = self.comprehension(&generator.generators, &[&generator.elt], env);
                Value::thing(Inside::Elements(Rc::new(element)))
            }
            Expr::SetComp(set) => {
                self.comprehension(&set.generators, &[&set.elt], env);
                Value::of(Kinds::THING)
            }
            Expr::DictComp(dict) => {
                let parts: Vec<&'a Expr> = dict.key.as_deref().into_iter().chain([&*dict.value]).collect();
                Value::table(self.comprehension(&dict.generators, &parts, env))
            }
            Expr::Lambda(lambda) => {
                self.made_here(lambda.start());
                Value::thing(Inside::Function(Function::Lambda(lambda)))
            }
            Expr::Starred(starred) => {
                self.eval(&starred.value, env);
                Value::any()
            }
            _ => Value::any(),
        }
    }

    fn elements(&mut self, elements: &'a [Expr], env: &mut Env<'a>) -> Vec<Value<'a>> {
        let mut all = Vec::new();
        for element in elements {
            let value = self.eval(element, env);
            escapes(element, &value, env);
            all.push(value);
        }
        all
    }

    /// Evaluates a comprehension; returns the value of the last of its parts.
    fn comprehension(&mut self, clauses: &'a [Comprehension], parts: &[&'a Expr], env: &mut Env<'a>) -> Value<'a> {
        let mut states = vec![env.inside()];
        for clause in clauses {
            let mut next = Vec::new();
            for mut state in states {
                let iterated = self.eval(&clause.iter, &mut state);
                let element = self.gone_through(&clause.iter, &iterated, &mut state);
                push_target(&clause.target, element, &mut state);
                next.extend(self.filtered(&clause.ifs, state));
            }
            states = super::env::collapse(next);
        }
        let mut all = Value::never();
        for mut state in states {
            for (place, part) in parts.iter().enumerate() {
                let value = self.eval(part, &mut state);
                if place + 1 == parts.len() {
                    all = all.join(&value);
                }
            }
        }
        let conditions = clauses.iter().flat_map(|clause| &clause.ifs);
        for name in parts.iter().copied().chain(conditions).flat_map(scope::named) {
            env.set(name, Value::any());
        }
        all
    }

    fn filtered(&mut self, filters: &'a [Expr], state: Env<'a>) -> Vec<Env<'a>> {
        let mut states = vec![state];
        for filter in filters {
            let mut kept = Vec::new();
            for state in states {
                let split = self.test(filter, state);
                self.facts_of_test(filter.range(), &split);
                kept.extend(split.yes);
            }
            states = kept;
        }
        states
    }

    /// Returns the elements of an iterable.
    pub(super) fn gone_through(&mut self, written: &'a Expr, value: &Value<'a>, env: &mut Env<'a>) -> Value<'a> {
        self.use_of(written, value, Use::Iterate, env);
        let value = value.clone().without(Kinds::NONE);
        let element = match &value.inside {
            Inside::Elements(element) => (**element).clone(),
            Inside::Parts(parts) => parts.iter().fold(Value::never(), |all, one| all.join(one)),
            _ => Value::any(),
        };
        let known = value.kinds == Kinds::LIST || value.kinds == Kinds::THING;
        // A list without known elements may be filled by code that is not followed.
        if known && !element.is_never() { element } else { Value::any() }
    }

    pub(super) fn name(&mut self, name: &'a str, at: TextRange, env: &mut Env<'a>) -> Value<'a> {
        let own = self.calls.len() == 1 && self.own.contains(name);
        if self.shared.contains(name) && !own {
            return Value::any();
        }
        if let Some(value) = env.get(name) {
            let mut value = value.clone();
            if value.kinds.has(Kinds::UNBOUND) {
                let never = value.kinds == Kinds::UNBOUND;
                if !self.guarded.unbound {
                    self.facts.unbound.insert(at, name);
                }
                if never {
                    env.set(name, Value::never());
                    return Value::any();
                }
                value = value.without(Kinds::UNBOUND);
                env.set(name, value.clone());
            }
            self.facts.bound.insert(at);
            return value;
        }
        match env.around(name) {
            Some(value) => value.clone().without(Kinds::UNBOUND),
            None => self.global(name),
        }
    }

    /// Evaluates `a and b` or `a or b` as a value.
    fn bool_op(&mut self, values: &'a [Expr], and: bool, env: &mut Env<'a>) -> Value<'a> {
        let mut all = Value::never();
        let mut states = vec![env.clone()];
        for (place, expression) in values.iter().enumerate() {
            let last = place + 1 == values.len();
            let mut next = Vec::new();
            for state in states {
                let mut here = state.clone();
                let value = self.eval(expression, &mut here);
                if last {
                    all = all.join(&value);
                    continue;
                }
                let split = self.test(expression, state);
                let (goes_on, ends) = if and { (split.yes, split.no) } else { (split.no, split.yes) };
                if !ends.is_empty() {
                    all = all.join(&ended(value, !and));
                }
                next.extend(goes_on);
            }
            states = next;
        }
        if all.is_never() { Value::any() } else { all }
    }

    fn compare(&mut self, compare: &'a ExprCompare, env: &mut Env<'a>) -> Value<'a> {
        let mut left = self.eval(&compare.left, env);
        let mut left_written = &*compare.left;
        let mut may_be = [true, false];
        for (operator, right_written) in compare.ops.iter().zip(&compare.comparators) {
            let right = self.eval(right_written, env);
            let sides = [(left_written, &left), (right_written, &right)];
            let found = self.compared(compare, *operator, sides, env);
            may_be = [may_be[0] && found[0], may_be[1] || found[1]];
            (left, left_written) = (right, right_written);
        }
        match may_be {
            [true, false] => Value::truth(Some(true)),
            [false, true] => Value::truth(Some(false)),
            _ => Value::truth(None),
        }
    }

    /// Records the use of a value for which `None` fails, and excludes `None` from the variable after it.
    pub(super) fn use_of(&mut self, written: &'a Expr, value: &Value<'a>, how: Use<'a>, env: &mut Env<'a>) {
        let at = written.range();
        if !value.may_be_none() || value.is_any() {
            self.facts.some.insert(at);
            return;
        }
        if value.kinds != Kinds::NONE {
            self.facts.some.insert(at);
        }
        let guarded = if how.is_attribute() { self.guarded.attribute } else { self.guarded.kind };
        if let Some(origin) = value.none
            && !guarded
        {
            let text = &self.source.text()[at.to_std_range()];
            self.facts.none_used(text, origin, NoneUse { at, how });
        }
        if let Expr::Name(name) = written
            && let Some(held) = env.get(&name.id)
        {
            // A use of `None` raises an exception.
            env.set(&name.id, held.clone().without(Kinds::NONE));
        }
    }

    fn attribute(&mut self, attribute: &'a ExprAttribute, env: &mut Env<'a>) -> Value<'a> {
        let value = self.eval(&attribute.value, env);
        self.attribute_of(attribute, &value, env)
    }

    pub(super) fn attribute_of(
        &mut self,
        attribute: &'a ExprAttribute,
        value: &Value<'a>,
        env: &mut Env<'a>,
    ) -> Value<'a> {
        let name = attribute.attr.as_str();
        self.use_of(&attribute.value, value, Use::Attribute(name), env);
        let value = value.clone().without(Kinds::NONE);
        if value.is_never() {
            return Value::any();
        }
        if name == "__class__" && value.kinds == Kinds::OBJECT {
            return Value::thing(Inside::ClassOf(value.classes));
        }
        if let (Inside::ClassOf(classes), "__name__", Some(known)) = (&value.inside, name, &self.classes) {
            return Value::text(known.names_of(*classes));
        }
        if let (Inside::State, Some(known)) = (&value.inside, &self.classes) {
            if !known.has_state(name) && !self.stored.has(name) && !self.guarded.attribute {
                self.facts.not_of_states.insert(attribute.attr.range, (name, attribute.value.range()));
            }
            return known.of_state(name);
        }
        let unknown = self.stored.has(name) || self.guarded.attribute;
        let other = kind_of(&value).filter(|kind| *kind != "an object" && *kind != "a class");
        let other = other.filter(|kind| objects::only_objects_have(name, kind));
        let Some(known) = self.classes.as_ref().filter(|_| !unknown) else { return Value::any() };
        if value.kinds == Kinds::OBJECT {
            let having = known.having(value.classes, name);
            let lacking = value.classes & !having;
            let found = self.world_value(having, name);
            let asked = Asked {
                name,
                object: attribute.value.range(),
                having,
                lacking,
                blurred: value.blurred,
                other: None,
                unknown: false,
            };
            self.facts.asked(attribute.attr.range, asked);
            // Objects without the attribute raise an exception here.
            if let (Expr::Name(name), true) = (&*attribute.value, having != 0 && lacking != 0) {
                env.set(&name.id, value.narrowed(having));
            }
            return found;
        }
        let asked = Asked {
            name,
            object: attribute.value.range(),
            having: 0,
            lacking: 0,
            blurred: false,
            unknown: other.is_none(),
            other,
        };
        self.facts.asked(attribute.attr.range, asked);
        Value::any()
    }

    fn world_value(&self, having: u64, name: &'a str) -> Value<'a> {
        match &self.classes {
            Some(known) if having != 0 => known.value(having, name),
            _ => Value::any(),
        }
    }

    fn item(&mut self, item: &'a ExprSubscript, env: &mut Env<'a>) -> Value<'a> {
        let object = self.eval(&item.value, env);
        self.use_of(&item.value, &object, Use::Item, env);
        if let Expr::Slice(slice) = &*item.slice {
            for part in [&slice.lower, &slice.upper, &slice.step].into_iter().flatten() {
                self.eval(part, env);
            }
            let whole = object.without(Kinds::NONE);
            return if whole.kinds == Kinds::LIST {
                Value { filled: None, whole: false, ..whole }
            } else {
                Value::any()
            };
        }
        let index = self.eval(&item.slice, env);
        let object = object.without(Kinds::NONE);
        if object.kinds == Kinds::LIST {
            self.use_of(&item.slice, &index, Use::Index, env);
            let wrong = kind_of(&index).filter(|kind| matches!(*kind, "a string" | "an object" | "a tuple"));
            if !self.guarded.kind {
                self.facts.operation(item.range, wrong.map(|kind| ("[..]", ["a list", kind])));
            }
            let element = object.element();
            return if element.is_never() { Value::any() } else { element };
        }
        if let Some(value) = object.table_value() {
            return value.clone();
        }
        let Some(parts) = object.parts() else { return Value::any() };
        if index.within(Kinds::NUMBER) && index.interval.is_one() {
            let place = index.interval.low as i64;
            let back = parts.len().checked_sub(usize::try_from(place.unsigned_abs()).unwrap_or(usize::MAX));
            let place = if place < 0 { back } else { usize::try_from(place).ok() };
            return place.and_then(|place| parts.get(place)).cloned().unwrap_or_else(Value::any);
        }
        parts.iter().fold(Value::never(), |all, one| all.join(one))
    }
}

/// Adds the targets of a comprehension as new variables.
fn push_target<'a>(target: &'a Expr, value: Value<'a>, env: &mut Env<'a>) {
    match target {
        Expr::Name(name) => env.push(&name.id, value),
        Expr::Tuple(tuple) => {
            let parts = value.parts().filter(|parts| parts.len() == tuple.elts.len()).map(<[Value<'a>]>::to_vec);
            for (place, part) in tuple.elts.iter().enumerate() {
                let value = parts.as_ref().map_or_else(Value::any, |parts| parts[place].clone());
                push_target(part, value, env);
            }
        }
        _ => {}
    }
}

/// Returns the part of a value that is truthy, or falsy, and ends `and` or `or`.
fn ended(value: Value<'_>, truth: bool) -> Value<'_> {
    if truth {
        return value.without(Kinds::NONE);
    }
    if value.kinds == Kinds::BOOL { Value::truth(Some(false)) } else { value }
}
