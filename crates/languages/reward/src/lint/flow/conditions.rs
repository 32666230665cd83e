//! Conditions: the split of states by the outcome, and the narrowing of values in both.

use std::rc::Rc;

use ruff_python_ast::{BoolOp, CmpOp, Expr, ExprCall, ExprCompare, ExprList, ExprSet, ExprTuple, UnaryOp};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashSet;

use super::env::{Env, collapse};
use super::hints::{blur, length_of, none_among, none_test, not_none};
use super::numbers::{self, kind_of};
use super::value::{Inside, Interval, Value};
use super::{Flow, scope};
use crate::typed::types::Kinds;

/// The states in which a condition holds, and those in which it does not.
#[derive(Debug)]
pub(super) struct Split<'a> {
    pub(super) yes: Vec<Env<'a>>,
    pub(super) no: Vec<Env<'a>>,
}

impl<'a> Split<'a> {
    fn of([yes, no]: [bool; 2], state: Env<'a>) -> Self {
        let no = no.then(|| state.clone());
        Self { yes: yes.then_some(state).into_iter().collect(), no: no.into_iter().collect() }
    }

    fn turned(self) -> Self {
        Self { yes: self.no, no: self.yes }
    }

    pub(super) fn may_be(&self) -> [bool; 2] {
        [!self.yes.is_empty(), !self.no.is_empty()]
    }

    /// Returns the outcome as a Boolean value.
    pub(super) fn truth(&self) -> Value<'a> {
        match self.may_be() {
            [true, false] => Value::truth(Some(true)),
            [false, true] => Value::truth(Some(false)),
            _ => Value::truth(None),
        }
    }
}

impl<'a> Flow<'a> {
    /// Evaluates a condition and splits the state by its outcome.
    pub(super) fn test(&mut self, condition: &'a Expr, state: Env<'a>) -> Split<'a> {
        // The split copies the variables.
        self.steps = self.steps.saturating_add(state.size() / 8);
        if !self.enter() {
            return Split::of([true, true], state);
        }
        let mut split = self.test_in(condition, state);
        self.leave();
        if !matches!(condition, Expr::UnaryOp(_) | Expr::BoolOp(_)) {
            self.open_what_is_asked(condition, &mut split);
        }
        split
    }

    /// Drops what a condition may have tested indirectly: variables from which a mentioned collection or count was made, and the contents
    /// of mentioned collections.
    fn open_what_is_asked(&self, condition: &'a Expr, split: &mut Split<'a>) {
        let mentioned = scope::mentioned(condition);
        let mut parts = scope::asked_by_call(condition);
        parts.extend(mentioned.iter().filter_map(|name| self.made.get(name)).flatten());
        // A nonempty list implies that a loop over it ran; the list of all objects is never empty, so it implies nothing.
        let is_whole = |name: &str| {
            let mut states = split.yes.iter().chain(&split.no);
            states.any(|state| state.get(name).is_some_and(|list| list.whole))
        };
        let lists = mentioned.iter().filter(|name| !is_whole(name));
        let looped: FxHashSet<&str> = lists.filter_map(|name| self.looped.get(name)).flatten().copied().collect();
        for (name, value) in split.yes.iter_mut().chain(&mut split.no).flat_map(Env::each_mut) {
            if parts.contains(name) || looped.contains(name) {
                value.none = None;
            }
            if looped.contains(name) && value.kinds.has(Kinds::UNBOUND) {
                *value = Value::any();
            }
            if mentioned.contains(&name) {
                value.forget_inside();
            }
        }
    }

    /// Records the outcomes of a condition, unless they depend on the call site.
    pub(super) fn facts_of_test(&mut self, at: TextRange, split: &Split<'a>) {
        if self.inlined == 0 {
            self.facts.test(at, split.may_be());
        }
    }

    fn test_in(&mut self, condition: &'a Expr, mut state: Env<'a>) -> Split<'a> {
        match condition {
            Expr::UnaryOp(operation) if operation.op == UnaryOp::Not => self.test(&operation.operand, state).turned(),
            Expr::BoolOp(operation) => {
                let and = operation.op == BoolOp::And;
                let (mut open, mut ended) = (vec![state], Vec::new());
                for operand in &operation.values {
                    let mut next = Vec::new();
                    for state in open {
                        let split = self.test(operand, state);
                        self.facts_of_test(operand.range(), &split);
                        let (goes_on, ends) = if and { (split.yes, split.no) } else { (split.no, split.yes) };
                        next.extend(goes_on);
                        ended.extend(ends);
                    }
                    open = collapse(next);
                }
                let ended = collapse(ended);
                if and { Split { yes: open, no: ended } } else { Split { yes: ended, no: open } }
            }
            Expr::Compare(compare) => self.test_compare(compare, state),
            Expr::Call(call) => self.test_call(condition, call, state),
            Expr::Name(name) => {
                let value = self.eval(condition, &mut state);
                let may_be = value.may_be();
                let mut split = Split::of(may_be, state);
                split.yes.iter_mut().for_each(|state| self.counts_as(&name.id, true, state));
                split.no.iter_mut().for_each(|state| self.counts_as(&name.id, false, state));
                if value.kinds == Kinds::BOOL || value.is_any() {
                    blur(condition, &mut split);
                }
                split
            }
            Expr::Named(named) => {
                let value = self.eval(condition, &mut state);
                let mut split = Split::of(value.may_be(), state);
                if let Expr::Name(name) = &*named.target {
                    split.yes.iter_mut().for_each(|state| self.counts_as(&name.id, true, state));
                    split.no.iter_mut().for_each(|state| self.counts_as(&name.id, false, state));
                }
                split
            }
            _ => {
                let value = self.eval(condition, &mut state);
                let mut split = Split::of(value.may_be(), state);
                blur(condition, &mut split);
                split
            }
        }
    }

    /// Narrows a variable to its truthy or falsy values.
    fn counts_as(&self, name: &str, truth: bool, state: &mut Env<'a>) {
        let Some(mut rest) = state.get(name).cloned() else { return };
        if rest.is_any() {
            state.set(name, Value { filled: Some(truth), ..rest });
            return;
        }
        if truth {
            rest = rest.without(Kinds::NONE);
            if let Some(classes) = &self.classes {
                let seen = classes.all() & !classes.never_true();
                rest = rest.narrowed(seen);
            }
        }
        if rest.kinds == Kinds::LIST {
            rest.filled = Some(truth);
        }
        if rest.kinds == Kinds::BOOL {
            rest = Value::truth(Some(truth));
        }
        if !rest.is_never() {
            state.set(name, rest);
        }
    }

    fn test_compare(&mut self, compare: &'a ExprCompare, mut state: Env<'a>) -> Split<'a> {
        let ([operator], [right_written]) = (&compare.ops[..], &compare.comparators[..]) else {
            return self.test_chain(compare, state);
        };
        let left = self.eval(&compare.left, &mut state);
        let right = self.eval(right_written, &mut state);
        let sides = [(&*compare.left, &left), (right_written, &right)];
        let may_be = self.compared(compare, *operator, sides, &mut state);
        let mut split = Split::of(may_be, state);
        let negative = matches!(operator, CmpOp::IsNot | CmpOp::NotEq | CmpOp::NotIn);
        if negative {
            split = split.turned();
        }
        let mut followed = false;
        match operator {
            CmpOp::Is | CmpOp::IsNot | CmpOp::Eq | CmpOp::NotEq => {
                for ((written, value), other) in [((&*compare.left, &left), &right), ((right_written, &right), &left)] {
                    followed |= self.narrow(written, value, std::slice::from_ref(other), &mut split);
                }
            }
            CmpOp::In | CmpOp::NotIn => {
                let parts = self.listed_in(&right, right_written, &split);
                if let Some(parts) = parts {
                    followed = self.narrow(&compare.left, &left, &parts, &mut split);
                }
                if left.kinds == Kinds::NONE {
                    followed |= none_among(right_written, &mut split);
                }
            }
            CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE => {}
        }
        let counted = length_of(compare, *operator, &right, &mut split);
        followed |= counted || numbers_only(&[&left, &right]);
        if !followed {
            blur(&compare.left, &mut split);
            blur(right_written, &mut split);
        }
        if negative { split.turned() } else { split }
    }

    /// Returns the elements of the right operand of an `in` test.
    fn listed_in(&mut self, value: &Value<'a>, written: &'a Expr, split: &Split<'a>) -> Option<Vec<Value<'a>>> {
        let mut state = split.yes.first().or(split.no.first())?.clone();
        let listed = self.listed(CmpOp::In, written, &mut state);
        listed.as_ref().unwrap_or(value).parts().map(<[Value<'a>]>::to_vec)
    }

    fn test_chain(&mut self, compare: &'a ExprCompare, mut state: Env<'a>) -> Split<'a> {
        let mut left = self.eval(&compare.left, &mut state);
        let mut left_written = &*compare.left;
        let mut may_be = [true, false];
        for (operator, right_written) in compare.ops.iter().zip(&compare.comparators) {
            let right = self.eval(right_written, &mut state);
            let found = self.compared(compare, *operator, [(left_written, &left), (right_written, &right)], &mut state);
            may_be = [may_be[0] && found[0], may_be[1] || found[1]];
            (left, left_written) = (right, right_written);
        }
        Split::of(may_be, state)
    }

    /// Narrows a variable in a test of equality with one of several values; returns whether the test is understood.
    fn narrow(&mut self, written: &'a Expr, value: &Value<'a>, others: &[Value<'a>], split: &mut Split<'a>) -> bool {
        if others.iter().all(|other| other.kinds == Kinds::NONE) && !others.is_empty() {
            let Some(name) = name_of(written) else { return false };
            update(&mut split.yes, name, |value| {
                // The origin of the `None` is unknown.
                if value.is_any() { Value::of(Kinds::NONE) } else { value.only(Kinds::NONE) }
            });
            update(&mut split.no, name, |value| {
                if value.is_any() { Value { some: true, ..value } } else { value.without(Kinds::NONE) }
            });
            return true;
        }
        let Some(name) = class_name_of(written) else {
            if let (Some(name), [other]) = (name_of(written), others)
                && (other.kinds == Kinds::TEXT || other.kinds == Kinds::BOOL || other.within(Kinds::NUMBER))
            {
                // A value that equals a string or a number is not `None`.
                update(&mut split.yes, name, |value| value.without(Kinds::NONE));
                return !value.kinds.has(Kinds::OBJECT);
            }
            return false;
        };
        let Some(classes) = self.meant(others, is_name_of_class(written)) else { return false };
        update(&mut split.yes, name, |value| value.only(Kinds::OBJECT).narrowed(classes));
        update(&mut split.no, name, |value| value.narrowed(!classes));
        true
    }

    /// Returns the classes that the compared values denote, by name or as class objects; `None` if they are not all known classes.
    fn meant(&self, values: &[Value<'a>], by_name: bool) -> Option<u64> {
        let known = self.classes.as_ref()?;
        let mut classes = 0;
        for value in values {
            match (&value.texts, &value.inside) {
                (Some(texts), _) if by_name && value.kinds == Kinds::TEXT && texts.len() == 1 => {
                    classes |= texts.iter().filter_map(|text| known.named(text)).fold(0, |all, one| all | one);
                }
                // The class itself, without its subclasses.
                (_, Inside::Classes(found)) if !by_name && value.kinds == Kinds::THING => {
                    classes |= found & found.wrapping_neg();
                }
                _ => return None,
            }
        }
        Some(classes)
    }

    /// Returns whether a call is `isinstance(x, C)` or `hasattr(x, "name")`.
    pub(super) fn is_class_test(&self, call: &'a ExprCall, state: &Env<'a>) -> bool {
        let Expr::Name(name) = &*call.func else { return false };
        let usual = (name.id.as_str(), &call.arguments.args[..]);
        matches!(usual, ("isinstance", [_, _]) | ("hasattr", [_, Expr::StringLiteral(_)]))
            && self.is_builtin(&name.id, state)
    }

    fn test_call(&mut self, condition: &'a Expr, call: &'a ExprCall, mut state: Env<'a>) -> Split<'a> {
        let arguments = &call.arguments.args[..];
        let called = match &*call.func {
            Expr::Name(name) if self.is_builtin(&name.id, &state) => name.id.as_str(),
            _ => "",
        };
        match (called, arguments) {
            ("isinstance", [object, class]) => {
                let value = self.eval(object, &mut state);
                let class = self.eval(class, &mut state);
                let wrong = kind_of(&class).filter(|kind| !matches!(*kind, "a class" | "a tuple" | "a function"));
                if !self.guarded.kind {
                    self.facts.operation(condition.range(), wrong.map(|kind| ("isinstance", ["a class", kind])));
                }
                return is_instance(object, &value, &class, state);
            }
            ("bool", [value]) => return self.test(value, state),
            ("hasattr", [object, Expr::StringLiteral(attribute)]) => {
                let value = self.eval(object, &mut state);
                let mut split = Split::of([true, true], state);
                if let (Some(name), Some(known)) = (name_of(object), &self.classes)
                    && !self.stored.has(attribute.value.to_str())
                {
                    let having = known.having(value.classes, attribute.value.to_str());
                    update(&mut split.yes, name, |value| {
                        if value.is_any() { value } else { value.without(Kinds::NONE).narrowed(having) }
                    });
                    update(&mut split.no, name, |value| value.narrowed(!having));
                }
                return split;
            }
            ("all" | "any", [of]) => {
                if let Expr::List(_) | Expr::Tuple(_) = of {
                    return self.all_of(called == "all", of, state);
                }
                if let Expr::Generator(generator) = of
                    && let [clause] = &generator.generators[..]
                {
                    let value = self.eval(condition, &mut state);
                    let mut split = Split::of(value.may_be(), state);
                    blur(condition, &mut split);
                    let test = none_test(&generator.elt, &clause.target);
                    match (called, test) {
                        ("all", Some(false)) => not_none(&clause.iter, &mut split.yes),
                        ("any", Some(true)) => not_none(&clause.iter, &mut split.no),
                        _ => {}
                    }
                    return split;
                }
            }
            _ => {}
        }
        let value = self.eval(condition, &mut state);
        let mut split = Split::of(value.may_be(), state);
        blur(condition, &mut split);
        split
    }

    /// Splits the state by `all([a, b])` as by `a and b`, or by `any([a, b])` as by `a or b`.
    fn all_of(&mut self, all: bool, of: &'a Expr, state: Env<'a>) -> Split<'a> {
        let (Expr::List(ExprList { elts, .. }) | Expr::Tuple(ExprTuple { elts, .. })) = of else {
            return Split::of([true, true], state);
        };
        // All elements are evaluated before the first one is tested.
        let mut state = state;
        for part in elts {
            self.eval(part, &mut state);
        }
        let (mut open, mut ended) = (vec![state], Vec::new());
        for part in elts {
            let mut next = Vec::new();
            for state in open {
                let split = self.test(part, state);
                let (goes_on, ends) = if all { (split.yes, split.no) } else { (split.no, split.yes) };
                next.extend(goes_on);
                ended.extend(ends);
            }
            open = collapse(next);
        }
        let ended = collapse(ended);
        if all { Split { yes: open, no: ended } } else { Split { yes: ended, no: open } }
    }

    /// Evaluates a single comparison; returns its possible outcomes.
    pub(super) fn compared(
        &mut self,
        compare: &'a ExprCompare,
        operator: CmpOp,
        [(left_written, left), (right_written, right)]: [(&'a Expr, &Value<'a>); 2],
        state: &mut Env<'a>,
    ) -> [bool; 2] {
        let at = TextRange::new(left_written.start(), right_written.end());
        if matches!(operator, CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE) {
            let how = super::facts::Use::Operation(operator.as_str());
            self.use_of(left_written, left, how, state);
            self.use_of(right_written, right, how, state);
            let names = kind_of(&left.clone().without(Kinds::NONE)).zip(kind_of(&right.clone().without(Kinds::NONE)));
            let wrong =
                names.filter(|(one, other)| one != other || matches!(*one, "an object" | "a class" | "a function"));
            if !self.guarded.kind {
                self.facts.operation(at, wrong.map(|(one, other)| (operator.as_str(), [one, other])));
            }
            if wrong.is_some() {
                return [true, true];
            }
        }
        if matches!(operator, CmpOp::In | CmpOp::NotIn) {
            self.use_of(right_written, right, super::facts::Use::Iterate, state);
        }
        let listed = self.listed(operator, right_written, state);
        let right = listed.as_ref().unwrap_or(right);
        self.class_names(compare, operator, left, right);
        let compared = numbers::compare(operator, left, right);
        let may_be = compared.may_be;
        if self.inlined == 0 {
            self.facts.compared(at, compared, left, right);
        }
        may_be
    }

    /// Returns the elements of the list or set on the right of an `in` test.
    fn listed(&mut self, operator: CmpOp, written: &'a Expr, state: &mut Env<'a>) -> Option<Value<'a>> {
        let (CmpOp::In | CmpOp::NotIn, Expr::List(ExprList { elts, .. }) | Expr::Set(ExprSet { elts, .. })) =
            (operator, written)
        else {
            return None;
        };
        let parts: Vec<Value<'a>> = elts.iter().map(|part| self.eval(part, state)).collect();
        Some(Value::tuple(parts))
    }

    /// Records a string that is compared with the name of a class but names no class.
    fn class_names(&mut self, compare: &'a ExprCompare, operator: CmpOp, left: &Value<'a>, right: &Value<'a>) {
        let Some(known) = &self.classes else { return };
        let all: std::collections::BTreeSet<Rc<str>> = known.names_of(known.all()).into_iter().collect();
        let is_name = |value: &Value<'a>| {
            let texts = value.texts.as_ref().filter(|_| value.kinds == Kinds::TEXT && value.written.is_none());
            texts.is_some_and(|texts| texts.iter().all(|text| all.contains(text)))
        };
        let sides = match operator {
            CmpOp::Eq | CmpOp::NotEq if is_name(left) => vec![right.clone()],
            CmpOp::Eq | CmpOp::NotEq if is_name(right) => vec![left.clone()],
            CmpOp::In | CmpOp::NotIn if is_name(left) => match &right.inside {
                Inside::Parts(parts) => parts.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        for side in sides {
            let (Some(texts), Some(written)) = (&side.texts, side.written) else { continue };
            for text in texts.iter().filter(|text| !all.contains(*text)) {
                self.facts.no_classes.insert(written, (text.to_string(), compare.range));
            }
        }
    }
}

fn is_instance<'a>(object: &'a Expr, value: &Value<'a>, class: &Value<'a>, state: Env<'a>) -> Split<'a> {
    let parts = class.parts().map_or_else(|| vec![class.clone()], <[Value<'a>]>::to_vec);
    let mut wanted = 0;
    for part in &parts {
        match &part.inside {
            Inside::Classes(classes) if part.kinds == Kinds::THING => wanted |= classes,
            _ => {
                let mut split = Split::of([true, true], state);
                blur(object, &mut split);
                return split;
            }
        }
    }
    let may_be = if value.is_any() || value.is_never() {
        [true, true]
    } else {
        [value.classes & wanted != 0, value.classes & !wanted != 0 || !value.kinds.within(Kinds::OBJECT)]
    };
    let mut split = Split::of(may_be, state);
    if let Some(name) = name_of(object) {
        update(&mut split.yes, name, |value| {
            if value.is_any() { Value::objects(wanted) } else { value.only(Kinds::OBJECT).narrowed(wanted) }
        });
        update(&mut split.no, name, |value| value.narrowed(!wanted));
    }
    split
}

/// Returns whether values are numbers, apart from `None`: comparing them does not test for `None`.
fn numbers_only(values: &[&Value<'_>]) -> bool {
    values.iter().all(|value| (*value).clone().without(Kinds::NONE).within(Kinds::NUMBER))
}

pub(super) fn name_of(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(&name.id),
        Expr::Named(named) => named.target.as_name_expr().map(|name| name.id.as_str()),
        _ => None,
    }
}

/// Returns the variable in `x.category`, `x.__class__.__name__`, `type(x).__name__`, `type(x)` and `x.__class__`.
fn class_name_of(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Attribute(attribute) => match attribute.attr.as_str() {
            "category" | "__class__" => name_of(&attribute.value),
            "__name__" => class_name_of(&attribute.value),
            _ => None,
        },
        Expr::Call(call) => match (&*call.func, &call.arguments.args[..]) {
            (Expr::Name(name), [object]) if name.id.as_str() == "type" => name_of(object),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether such an expression is the name of a class rather than the class.
fn is_name_of_class(expression: &Expr) -> bool {
    expression.as_attribute_expr().is_some_and(|attribute| attribute.attr.as_str() != "__class__")
}

pub(super) fn update<'a>(states: &mut Vec<Env<'a>>, name: &str, change: impl Fn(Value<'a>) -> Value<'a>) {
    states.retain_mut(|state| {
        let Some(value) = state.get(name).cloned() else { return true };
        let ended = value.is_never();
        let changed = change(value);
        let possible = ended || !changed.is_never();
        if possible {
            state.set(name, changed);
        }
        possible
    });
}

/// Formats an interval of numbers for a message.
pub(super) fn shown(interval: Interval) -> String {
    if interval.is_one() {
        return number(interval.low);
    }
    match (interval.low.is_finite(), interval.high.is_finite()) {
        (true, true) => format!("{} to {}", number(interval.low), number(interval.high)),
        (true, false) => format!("at least {}", number(interval.low)),
        (false, true) => format!("at most {}", number(interval.high)),
        (false, false) => "any number".to_owned(),
    }
}

pub(super) fn number(number: f64) -> String {
    format!("{number}")
}
