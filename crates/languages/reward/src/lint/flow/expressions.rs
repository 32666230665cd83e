//! Expressions on abstract values.

use std::rc::Rc;

use goalspec_python_runtime::inference::Kinds;
use ruff_python_ast::{BoolOp, Comprehension, Expr, ExprAttribute, ExprCompare, ExprSubscript, Number, UnaryOp};
use ruff_text_size::{Ranged, TextRange};

use super::env::Env;
use super::escape::escape_argument;
use super::facts::{AttributeAccess, NoneSensitiveUse, NoneUse};
use super::numbers::{self, kind_name};
use super::value::{AbstractValue, Contents, FunctionRef, Interval, NoneReason};
use super::{Analyzer, class_table, scope};

impl<'a> Analyzer<'a> {
    /// Evaluates an expression.
    pub(super) fn eval(&mut self, expression: &'a Expr, env: &mut Env<'a>) -> AbstractValue<'a> {
        if !self.enter() {
            return AbstractValue::any();
        }
        let value = self.eval_inner(expression, env);
        self.leave();
        value
    }

    fn eval_inner(&mut self, expression: &'a Expr, env: &mut Env<'a>) -> AbstractValue<'a> {
        match expression {
            Expr::NoneLiteral(literal) => AbstractValue::none(literal.range, NoneReason::Literal),
            Expr::BooleanLiteral(literal) => AbstractValue::boolean(Some(literal.value)),
            Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(int) => match int.as_i64() {
                    Some(number) if number.unsigned_abs() < 1 << 53 => {
                        AbstractValue::number(Kinds::INT, Interval::point(number as f64))
                    }
                    _ => AbstractValue::int(),
                },
                Number::Float(number) => AbstractValue::number(Kinds::FLOAT, Interval::point(*number)),
                Number::Complex { .. } => AbstractValue::any(),
            },
            Expr::StringLiteral(literal) => {
                let text: Rc<str> = literal.value.to_str().into();
                AbstractValue { literal_range: Some(literal.range), ..AbstractValue::strings([text]) }
            }
            Expr::FString(text) => {
                for element in text.value.elements().filter_map(|element| element.as_interpolation()) {
                    self.eval(&element.expression, env);
                }
                AbstractValue::of_kinds(Kinds::TEXT)
            }
            Expr::Name(name) => self.eval_name(&name.id, name.range, env),
            Expr::Named(named) => {
                let value = self.eval(&named.value, env);
                if let Expr::Name(name) = &*named.target {
                    env.set(&name.id, value.clone());
                }
                value
            }
            Expr::BoolOp(operation) => self.eval_bool_op(&operation.values, operation.op == BoolOp::And, env),
            Expr::UnaryOp(operation) if operation.op == UnaryOp::Not => {
                let split = self.eval_condition(expression, env.clone());
                split.to_value()
            }
            Expr::UnaryOp(operation) => {
                let value = self.eval(&operation.operand, env);
                self.record_use(&operation.operand, &value, NoneSensitiveUse::Operator(operation.op.as_str()), env);
                numbers::unary(operation.op, &value)
            }
            Expr::BinOp(operation) => {
                let left = self.eval(&operation.left, env);
                let right = self.eval(&operation.right, env);
                let how = NoneSensitiveUse::Operator(operation.op.as_str());
                self.record_use(&operation.left, &left, how, env);
                self.record_use(&operation.right, &right, how, env);
                self.eval_binary_operation(operation.range, operation.op, &left, &right)
            }
            Expr::Compare(compare) => self.eval_compare(compare, env),
            Expr::If(choice) => {
                let split = self.eval_condition(&choice.test, env.clone());
                self.record_outcomes(choice.test.range(), &split);
                let mut all = AbstractValue::never();
                for (states, expression) in [(split.if_true, &choice.body), (split.if_false, &choice.orelse)] {
                    for mut state in states {
                        let value = self.eval(expression, &mut state);
                        all = all.join(&value);
                    }
                }
                if all.is_never() { AbstractValue::any() } else { all }
            }
            Expr::Attribute(attribute) => self.eval_attribute(attribute, env),
            Expr::Subscript(item) => self.eval_subscript(item, env),
            Expr::Call(call) if self.is_class_test(call, env) => {
                self.eval_condition(expression, env.clone()).to_value()
            }
            Expr::Call(call) => self.eval_call(call, env),
            _ => self.eval_display(expression, env),
        }
    }

    /// Evaluates lists, tuples, dicts, sets and comprehensions.
    fn eval_display(&mut self, expression: &'a Expr, env: &mut Env<'a>) -> AbstractValue<'a> {
        match expression {
            Expr::List(list) => {
                let elements = self.eval_elements(&list.elts, env);
                AbstractValue::list(elements.iter().fold(AbstractValue::never(), |all, one| all.join(one)))
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(Expr::is_starred_expr) => {
                self.eval_elements(&tuple.elts, env);
                AbstractValue::of_kinds(Kinds::DETAILED)
            }
            Expr::Tuple(tuple) => AbstractValue::tuple(self.eval_elements(&tuple.elts, env)),
            Expr::Set(set) => {
                self.eval_elements(&set.elts, env);
                AbstractValue::of_kinds(Kinds::DETAILED)
            }
            Expr::Dict(dict) => {
                for item in &dict.items {
                    for part in item.key.iter().chain([&item.value]) {
                        let value = self.eval(part, env);
                        escape_argument(part, &value, env);
                    }
                }
                AbstractValue::of_kinds(Kinds::DETAILED)
            }
            Expr::ListComp(list) => AbstractValue::list(self.eval_comprehension(&list.generators, &[&list.elt], env)),
            Expr::Generator(generator) => {
                let element = self.eval_comprehension(&generator.generators, &[&generator.elt], env);
                AbstractValue::from_contents(Contents::Elements(Rc::new(element)))
            }
            Expr::SetComp(set) => {
                self.eval_comprehension(&set.generators, &[&set.elt], env);
                AbstractValue::of_kinds(Kinds::DETAILED)
            }
            Expr::DictComp(dict) => {
                let parts: Vec<&'a Expr> = dict.key.as_deref().into_iter().chain([&*dict.value]).collect();
                AbstractValue::dict(self.eval_comprehension(&dict.generators, &parts, env))
            }
            Expr::Yield(given) => {
                if let Some(value) = &given.value {
                    let yielded = self.eval(value, env);
                    escape_argument(value, &yielded, env);
                }
                AbstractValue::any()
            }
            Expr::YieldFrom(given) => {
                self.eval(&given.value, env);
                AbstractValue::any()
            }
            Expr::Lambda(lambda) => {
                self.record_enclosing_function(lambda.start());
                AbstractValue::from_contents(Contents::Function(FunctionRef::Lambda(lambda)))
            }
            Expr::Starred(starred) => {
                self.eval(&starred.value, env);
                AbstractValue::any()
            }
            _ => AbstractValue::any(),
        }
    }

    fn eval_elements(&mut self, elements: &'a [Expr], env: &mut Env<'a>) -> Vec<AbstractValue<'a>> {
        let mut all = Vec::new();
        for element in elements {
            let value = self.eval(element, env);
            escape_argument(element, &value, env);
            all.push(value);
        }
        all
    }

    /// Evaluates a comprehension; returns the value of the last of its parts.
    fn eval_comprehension(
        &mut self,
        clauses: &'a [Comprehension],
        parts: &[&'a Expr],
        env: &mut Env<'a>,
    ) -> AbstractValue<'a> {
        let mut states = vec![env.inner_scope()];
        for clause in clauses {
            let mut next = Vec::new();
            for mut state in states {
                let iterated = self.eval(&clause.iter, &mut state);
                let element = self.iterate(&clause.iter, &iterated, &mut state);
                bind_comprehension_target(&clause.target, element, &mut state);
                next.extend(self.apply_filters(&clause.ifs, state));
            }
            states = super::env::merge_states(next);
        }
        let mut all = AbstractValue::never();
        for mut state in states {
            for (place, part) in parts.iter().enumerate() {
                let value = self.eval(part, &mut state);
                if place + 1 == parts.len() {
                    all = all.join(&value);
                }
            }
        }
        let conditions = clauses.iter().flat_map(|clause| &clause.ifs);
        for name in parts.iter().copied().chain(conditions).flat_map(scope::walrus_targets) {
            env.set(name, AbstractValue::any());
        }
        all
    }

    fn apply_filters(&mut self, filters: &'a [Expr], state: Env<'a>) -> Vec<Env<'a>> {
        let mut states = vec![state];
        for filter in filters {
            let mut kept = Vec::new();
            for state in states {
                let split = self.eval_condition(filter, state);
                self.record_outcomes(filter.range(), &split);
                kept.extend(split.if_true);
            }
            states = kept;
        }
        states
    }

    /// Returns the elements of an iterable.
    pub(super) fn iterate(
        &mut self,
        written: &'a Expr,
        value: &AbstractValue<'a>,
        env: &mut Env<'a>,
    ) -> AbstractValue<'a> {
        self.record_use(written, value, NoneSensitiveUse::Iterate, env);
        let value = value.clone().without(Kinds::NONE);
        let element = match &value.contents {
            Contents::Elements(element) => (**element).clone(),
            Contents::Tuple(parts) => parts.iter().fold(AbstractValue::never(), |all, one| all.join(one)),
            _ => AbstractValue::any(),
        };
        let known = value.kinds == Kinds::LIST || value.kinds == Kinds::DETAILED;
        // A list without known elements may be filled by code that is not followed.
        if known && !element.is_never() { element } else { AbstractValue::any() }
    }

    pub(super) fn eval_name(&mut self, name: &'a str, at: TextRange, env: &mut Env<'a>) -> AbstractValue<'a> {
        let own = self.call_stack.len() == 1 && self.owned_globals.contains(name);
        if self.shared_names.contains(name) && !own {
            return AbstractValue::any();
        }
        if let Some(value) = env.get(name) {
            let mut value = value.clone();
            if value.kinds.intersects(Kinds::UNBOUND) {
                let never = value.kinds == Kinds::UNBOUND;
                if !self.caught_exceptions.unbound_local_error {
                    self.facts.unbound_variables.insert(at, name);
                }
                if never {
                    env.set(name, AbstractValue::never());
                    return AbstractValue::any();
                }
                value = value.without(Kinds::UNBOUND);
                env.set(name, value.clone());
            }
            self.facts.bound_variables.insert(at);
            return value;
        }
        match env.get_enclosing(name) {
            Some(value) => value.clone().without(Kinds::UNBOUND),
            None => self.eval_global(name),
        }
    }

    /// Evaluates `a and b` or `a or b` as a value.
    fn eval_bool_op(&mut self, values: &'a [Expr], and: bool, env: &mut Env<'a>) -> AbstractValue<'a> {
        let mut all = AbstractValue::never();
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
                let split = self.eval_condition(expression, state);
                let (goes_on, ends) =
                    if and { (split.if_true, split.if_false) } else { (split.if_false, split.if_true) };
                if !ends.is_empty() {
                    all = all.join(&short_circuit_value(value, !and));
                }
                next.extend(goes_on);
            }
            states = next;
        }
        if all.is_never() { AbstractValue::any() } else { all }
    }

    fn eval_compare(&mut self, compare: &'a ExprCompare, env: &mut Env<'a>) -> AbstractValue<'a> {
        let mut left = self.eval(&compare.left, env);
        let mut left_written = &*compare.left;
        let mut may_be = [true, false];
        for (operator, right_written) in compare.ops.iter().zip(&compare.comparators) {
            let right = self.eval(right_written, env);
            let sides = [(left_written, &left), (right_written, &right)];
            let found = self.eval_comparison(compare, *operator, sides, env);
            may_be = [may_be[0] && found[0], may_be[1] || found[1]];
            (left, left_written) = (right, right_written);
        }
        match may_be {
            [true, false] => AbstractValue::boolean(Some(true)),
            [false, true] => AbstractValue::boolean(Some(false)),
            _ => AbstractValue::boolean(None),
        }
    }

    /// Records the use of a value for which `None` fails, and excludes `None` from the variable after it.
    pub(super) fn record_use(
        &mut self,
        written: &'a Expr,
        value: &AbstractValue<'a>,
        how: NoneSensitiveUse<'a>,
        env: &mut Env<'a>,
    ) {
        let at = written.range();
        if !value.may_be_none() || value.is_any() {
            self.facts.non_none_values.insert(at);
            return;
        }
        if value.kinds != Kinds::NONE {
            self.facts.non_none_values.insert(at);
        }
        let guarded = if how.raises_attribute_error() {
            self.caught_exceptions.attribute_error
        } else {
            self.caught_exceptions.type_error
        };
        if let Some(origin) = value.none_origin
            && !guarded
        {
            let text = &self.source.text()[at.to_std_range()];
            self.facts.record_none_use(text, origin, NoneUse { range: at, operation: how });
        }
        if let Expr::Name(name) = written
            && let Some(held) = env.get(&name.id)
        {
            // A use of `None` raises an exception.
            env.set(&name.id, held.clone().without(Kinds::NONE));
        }
    }

    fn eval_attribute(&mut self, attribute: &'a ExprAttribute, env: &mut Env<'a>) -> AbstractValue<'a> {
        let value = self.eval(&attribute.value, env);
        self.eval_attribute_of(attribute, &value, env)
    }

    pub(super) fn eval_attribute_of(
        &mut self,
        attribute: &'a ExprAttribute,
        value: &AbstractValue<'a>,
        env: &mut Env<'a>,
    ) -> AbstractValue<'a> {
        let name = attribute.attr.as_str();
        self.record_use(&attribute.value, value, NoneSensitiveUse::Attribute(name), env);
        let value = value.clone().without(Kinds::NONE);
        if value.is_never() {
            return AbstractValue::any();
        }
        if let Some(found) = self.eval_class_or_state_attribute(attribute, &value) {
            return found;
        }
        let unknown = self.stored_attributes.contains(name) || self.caught_exceptions.attribute_error;
        let other = kind_name(&value).filter(|kind| *kind != "an object" && *kind != "a class");
        let other = other.filter(|kind| class_table::is_object_only_attribute(name, kind));
        let Some(known) = self.classes.as_ref().filter(|_| !unknown) else { return AbstractValue::any() };
        if value.kinds == Kinds::OBJECT {
            let having = known.classes_with_attribute(value.classes, name);
            let lacking = value.classes & !having;
            let found = self.object_attribute(having, name);
            let access = AttributeAccess {
                name,
                object: attribute.value.range(),
                classes_with: having,
                classes_without: lacking,
                maybe_narrowed: value.maybe_narrowed,
                non_object_kind: None,
                unknown: false,
            };
            self.facts.record_attribute_access(attribute.attr.range, access);
            // Objects without the attribute raise an exception here.
            if let (Expr::Name(name), true) = (&*attribute.value, having != 0 && lacking != 0) {
                env.set(&name.id, value.restrict_to_classes(having));
            }
            return found;
        }
        let access = AttributeAccess {
            name,
            object: attribute.value.range(),
            classes_with: 0,
            classes_without: 0,
            maybe_narrowed: false,
            unknown: other.is_none(),
            non_object_kind: other,
        };
        self.facts.record_attribute_access(attribute.attr.range, access);
        AbstractValue::any()
    }

    /// Evaluates the class of an object, the name of a class, or an attribute of a state; returns `None` for other attributes.
    fn eval_class_or_state_attribute(
        &mut self,
        attribute: &'a ExprAttribute,
        value: &AbstractValue<'a>,
    ) -> Option<AbstractValue<'a>> {
        let name = attribute.attr.as_str();
        if name == "__class__" && value.kinds == Kinds::OBJECT {
            return Some(AbstractValue::from_contents(Contents::TypeOf(value.classes)));
        }
        let known = self.classes.as_ref()?;
        match &value.contents {
            Contents::TypeOf(classes) if name == "__name__" => {
                Some(AbstractValue::strings(known.class_names(*classes)))
            }
            Contents::State => {
                if !known.has_state_attribute(name)
                    && !self.stored_attributes.contains(name)
                    && !self.caught_exceptions.attribute_error
                {
                    self.facts.missing_state_attributes.insert(attribute.attr.range, (name, attribute.value.range()));
                }
                Some(known.state_attribute(name))
            }
            _ => None,
        }
    }

    fn object_attribute(&self, having: u64, name: &'a str) -> AbstractValue<'a> {
        match &self.classes {
            Some(known) if having != 0 => known.attribute_value(having, name),
            _ => AbstractValue::any(),
        }
    }

    fn eval_subscript(&mut self, item: &'a ExprSubscript, env: &mut Env<'a>) -> AbstractValue<'a> {
        let object = self.eval(&item.value, env);
        self.record_use(&item.value, &object, NoneSensitiveUse::Subscript, env);
        if let Expr::Slice(slice) = &*item.slice {
            for part in [&slice.lower, &slice.upper, &slice.step].into_iter().flatten() {
                self.eval(part, env);
            }
            let whole = object.without(Kinds::NONE);
            return if whole.kinds == Kinds::LIST {
                AbstractValue { truthiness: None, is_all_objects: false, ..whole }
            } else {
                AbstractValue::any()
            };
        }
        let index = self.eval(&item.slice, env);
        let object = object.without(Kinds::NONE);
        if object.kinds == Kinds::LIST {
            self.record_use(&item.slice, &index, NoneSensitiveUse::Index, env);
            let wrong = kind_name(&index).filter(|kind| matches!(*kind, "a string" | "an object" | "a tuple"));
            if !self.caught_exceptions.type_error {
                self.facts.record_operation(item.range, wrong.map(|kind| ("[..]", ["a list", kind])));
            }
            let element = object.list_element();
            return if element.is_never() { AbstractValue::any() } else { element };
        }
        if let Some(value) = object.dict_value() {
            return value.clone();
        }
        let Some(parts) = object.tuple_elements() else { return AbstractValue::any() };
        if index.is_within(Kinds::NUMBER) && index.interval.is_point() {
            let place = index.interval.low as i64;
            let back = parts.len().checked_sub(usize::try_from(place.unsigned_abs()).unwrap_or(usize::MAX));
            let place = if place < 0 { back } else { usize::try_from(place).ok() };
            return place.and_then(|place| parts.get(place)).cloned().unwrap_or_else(AbstractValue::any);
        }
        parts.iter().fold(AbstractValue::never(), |all, one| all.join(one))
    }
}

/// Adds the targets of a comprehension as new variables.
fn bind_comprehension_target<'a>(target: &'a Expr, value: AbstractValue<'a>, env: &mut Env<'a>) {
    match target {
        Expr::Name(name) => env.push(&name.id, value),
        Expr::Tuple(tuple) => {
            let parts = value
                .tuple_elements()
                .filter(|parts| parts.len() == tuple.elts.len())
                .map(<[AbstractValue<'a>]>::to_vec);
            for (place, part) in tuple.elts.iter().enumerate() {
                let value = parts.as_ref().map_or_else(AbstractValue::any, |parts| parts[place].clone());
                bind_comprehension_target(part, value, env);
            }
        }
        _ => {}
    }
}

/// Returns the part of a value that is truthy, or falsy, and ends `and` or `or`.
fn short_circuit_value(value: AbstractValue<'_>, truth: bool) -> AbstractValue<'_> {
    if truth {
        return value.without(Kinds::NONE);
    }
    if value.kinds == Kinds::BOOL { AbstractValue::boolean(Some(false)) } else { value }
}
