//! Conditions: the split of states by the outcome, and the narrowing of values in both.

use std::rc::Rc;

use goalspec_python_runtime::inference::Kinds;
use ruff_python_ast::{BoolOp, CmpOp, Expr, ExprCall, ExprCompare, ExprList, ExprSet, ExprTuple, UnaryOp};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashSet;

use super::env::{Env, merge_states};
use super::indirect_conditions::{
    exclude_none, narrow_by_length, narrow_none_membership, none_test_polarity, suppress_mentioned,
};
use super::numbers::{self, kind_name};
use super::value::{AbstractValue, Contents, Interval};
use super::{Analyzer, scope};

/// The states in which a condition holds, and those in which it does not.
#[derive(Debug)]
pub(super) struct ConditionSplit<'a> {
    pub(super) if_true: Vec<Env<'a>>,
    pub(super) if_false: Vec<Env<'a>>,
}

impl<'a> ConditionSplit<'a> {
    fn of([yes, no]: [bool; 2], state: Env<'a>) -> Self {
        let no = no.then(|| state.clone());
        Self { if_true: yes.then_some(state).into_iter().collect(), if_false: no.into_iter().collect() }
    }

    fn negate(self) -> Self {
        Self { if_true: self.if_false, if_false: self.if_true }
    }

    pub(super) fn possible_outcomes(&self) -> [bool; 2] {
        [!self.if_true.is_empty(), !self.if_false.is_empty()]
    }

    /// Returns the outcome as a Boolean value.
    pub(super) fn to_value(&self) -> AbstractValue<'a> {
        match self.possible_outcomes() {
            [true, false] => AbstractValue::boolean(Some(true)),
            [false, true] => AbstractValue::boolean(Some(false)),
            _ => AbstractValue::boolean(None),
        }
    }
}

impl<'a> Analyzer<'a> {
    /// Evaluates a condition and splits the state by its outcome.
    pub(super) fn eval_condition(&mut self, condition: &'a Expr, state: Env<'a>) -> ConditionSplit<'a> {
        // The split copies the variables.
        self.steps = self.steps.saturating_add(state.variable_count() / 8);
        if !self.enter() {
            return ConditionSplit::of([true, true], state);
        }
        let mut split = self.eval_condition_inner(condition, state);
        self.leave();
        if !matches!(condition, Expr::UnaryOp(_) | Expr::BoolOp(_)) {
            self.forget_tested_contents(condition, &mut split);
        }
        split
    }

    /// Drops what a condition may have tested indirectly: variables from which a mentioned collection or count was made, and the contents
    /// of mentioned collections.
    fn forget_tested_contents(&self, condition: &'a Expr, split: &mut ConditionSplit<'a>) {
        let mentioned = scope::names_in_expression(condition);
        let mut parts = scope::dynamic_attribute_names(condition);
        parts.extend(mentioned.iter().filter_map(|name| self.dependencies.get(name)).flatten());
        // A nonempty list implies that a loop over it ran; the list of all objects is never empty, so it implies nothing.
        let is_whole = |name: &str| {
            let mut states = split.if_true.iter().chain(&split.if_false);
            states.any(|state| state.get(name).is_some_and(|list| list.is_all_objects))
        };
        let lists = mentioned.iter().filter(|name| !is_whole(name));
        let looped: FxHashSet<&str> =
            lists.filter_map(|name| self.loop_variables.get(name)).flatten().copied().collect();
        for (name, value) in split.if_true.iter_mut().chain(&mut split.if_false).flat_map(Env::iter_mut) {
            if parts.contains(name) || looped.contains(name) {
                value.none_origin = None;
            }
            if looped.contains(name) && value.kinds.intersects(Kinds::UNBOUND) {
                *value = AbstractValue::any();
            }
            if mentioned.contains(&name) {
                value.suppress_contents_reports();
            }
        }
    }

    /// Records the outcomes of a condition, unless they depend on the call site.
    pub(super) fn record_outcomes(&mut self, at: TextRange, split: &ConditionSplit<'a>) {
        if self.inlined_calls == 0 {
            self.facts.record_outcomes(at, split.possible_outcomes());
        }
    }

    fn eval_condition_inner(&mut self, condition: &'a Expr, mut state: Env<'a>) -> ConditionSplit<'a> {
        match condition {
            Expr::UnaryOp(operation) if operation.op == UnaryOp::Not => {
                self.eval_condition(&operation.operand, state).negate()
            }
            Expr::BoolOp(operation) => {
                let and = operation.op == BoolOp::And;
                let (mut open, mut ended) = (vec![state], Vec::new());
                for operand in &operation.values {
                    let mut next = Vec::new();
                    for state in open {
                        let split = self.eval_condition(operand, state);
                        self.record_outcomes(operand.range(), &split);
                        let (goes_on, ends) =
                            if and { (split.if_true, split.if_false) } else { (split.if_false, split.if_true) };
                        next.extend(goes_on);
                        ended.extend(ends);
                    }
                    open = merge_states(next);
                }
                let ended = merge_states(ended);
                if and {
                    ConditionSplit { if_true: open, if_false: ended }
                } else {
                    ConditionSplit { if_true: ended, if_false: open }
                }
            }
            Expr::Compare(compare) => self.eval_comparison_condition(compare, state),
            Expr::Call(call) => self.eval_call_condition(condition, call, state),
            Expr::Name(name) => {
                let value = self.eval(condition, &mut state);
                let may_be = value.possible_truth_values();
                let mut split = ConditionSplit::of(may_be, state);
                split.if_true.iter_mut().for_each(|state| self.narrow_by_truth(&name.id, true, state));
                split.if_false.iter_mut().for_each(|state| self.narrow_by_truth(&name.id, false, state));
                if value.kinds == Kinds::BOOL || value.is_any() {
                    suppress_mentioned(condition, &mut split);
                }
                split
            }
            Expr::Named(named) => {
                let value = self.eval(condition, &mut state);
                let mut split = ConditionSplit::of(value.possible_truth_values(), state);
                if let Expr::Name(name) = &*named.target {
                    split.if_true.iter_mut().for_each(|state| self.narrow_by_truth(&name.id, true, state));
                    split.if_false.iter_mut().for_each(|state| self.narrow_by_truth(&name.id, false, state));
                }
                split
            }
            _ => {
                let value = self.eval(condition, &mut state);
                let mut split = ConditionSplit::of(value.possible_truth_values(), state);
                suppress_mentioned(condition, &mut split);
                split
            }
        }
    }

    /// Narrows a variable to its truthy or falsy values.
    fn narrow_by_truth(&self, name: &str, truth: bool, state: &mut Env<'a>) {
        let Some(mut rest) = state.get(name).cloned() else { return };
        if rest.is_any() {
            state.set(name, AbstractValue { truthiness: Some(truth), ..rest });
            return;
        }
        if truth {
            rest = rest.without(Kinds::NONE);
            if let Some(classes) = &self.classes {
                let truthy = classes.all() & !classes.always_falsy();
                rest = rest.restrict_to_classes(truthy);
            }
        }
        if rest.kinds == Kinds::LIST {
            rest.truthiness = Some(truth);
        }
        if rest.kinds == Kinds::BOOL {
            rest = AbstractValue::boolean(Some(truth));
        }
        if !rest.is_never() {
            state.set(name, rest);
        }
    }

    fn eval_comparison_condition(&mut self, compare: &'a ExprCompare, mut state: Env<'a>) -> ConditionSplit<'a> {
        let ([operator], [right_written]) = (&compare.ops[..], &compare.comparators[..]) else {
            return self.eval_comparison_chain(compare, state);
        };
        let left = self.eval(&compare.left, &mut state);
        let right = self.eval(right_written, &mut state);
        let sides = [(&*compare.left, &left), (right_written, &right)];
        let may_be = self.eval_comparison(compare, *operator, sides, &mut state);
        let mut split = ConditionSplit::of(may_be, state);
        let negative = matches!(operator, CmpOp::IsNot | CmpOp::NotEq | CmpOp::NotIn);
        if negative {
            split = split.negate();
        }
        let mut followed = false;
        match operator {
            CmpOp::Is | CmpOp::IsNot | CmpOp::Eq | CmpOp::NotEq => {
                for ((written, value), other) in [((&*compare.left, &left), &right), ((right_written, &right), &left)] {
                    followed |= self.narrow_by_equality(written, value, std::slice::from_ref(other), &mut split);
                }
            }
            CmpOp::In | CmpOp::NotIn => {
                let parts = self.membership_elements(&right, right_written, &split);
                if let Some(parts) = parts {
                    followed = self.narrow_by_equality(&compare.left, &left, &parts, &mut split);
                }
                if left.kinds == Kinds::NONE {
                    followed |= narrow_none_membership(right_written, &mut split);
                }
            }
            CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE => {}
        }
        let counted = narrow_by_length(compare, *operator, &right, &mut split);
        followed |= counted || are_numbers(&[&left, &right]);
        if !followed {
            suppress_mentioned(&compare.left, &mut split);
            suppress_mentioned(right_written, &mut split);
        }
        if negative { split.negate() } else { split }
    }

    /// Returns the elements of the right operand of an `in` test.
    fn membership_elements(
        &mut self,
        value: &AbstractValue<'a>,
        written: &'a Expr,
        split: &ConditionSplit<'a>,
    ) -> Option<Vec<AbstractValue<'a>>> {
        let mut state = split.if_true.first().or(split.if_false.first())?.clone();
        let listed = self.eval_membership_operand(CmpOp::In, written, &mut state);
        listed.as_ref().unwrap_or(value).tuple_elements().map(<[AbstractValue<'a>]>::to_vec)
    }

    fn eval_comparison_chain(&mut self, compare: &'a ExprCompare, mut state: Env<'a>) -> ConditionSplit<'a> {
        let mut left = self.eval(&compare.left, &mut state);
        let mut left_written = &*compare.left;
        let mut may_be = [true, false];
        for (operator, right_written) in compare.ops.iter().zip(&compare.comparators) {
            let right = self.eval(right_written, &mut state);
            let found =
                self.eval_comparison(compare, *operator, [(left_written, &left), (right_written, &right)], &mut state);
            may_be = [may_be[0] && found[0], may_be[1] || found[1]];
            (left, left_written) = (right, right_written);
        }
        ConditionSplit::of(may_be, state)
    }

    /// Narrows a variable in a test of equality with one of several values; returns whether the test is understood.
    fn narrow_by_equality(
        &mut self,
        written: &'a Expr,
        value: &AbstractValue<'a>,
        others: &[AbstractValue<'a>],
        split: &mut ConditionSplit<'a>,
    ) -> bool {
        if others.iter().all(|other| other.kinds == Kinds::NONE) && !others.is_empty() {
            let Some(name) = variable_name(written) else { return false };
            update_variable(&mut split.if_true, name, |value| {
                // The origin of the `None` is unknown.
                if value.is_any() { AbstractValue::of_kinds(Kinds::NONE) } else { value.restrict_to_kinds(Kinds::NONE) }
            });
            update_variable(&mut split.if_false, name, |value| {
                if value.is_any() { AbstractValue { excludes_none: true, ..value } } else { value.without(Kinds::NONE) }
            });
            return true;
        }
        let Some(name) = class_tested_variable(written) else {
            if let (Some(name), [other]) = (variable_name(written), others)
                && (other.kinds == Kinds::TEXT || other.kinds == Kinds::BOOL || other.is_within(Kinds::NUMBER))
            {
                // A value that equals a string or a number is not `None`.
                update_variable(&mut split.if_true, name, |value| value.without(Kinds::NONE));
                return !value.kinds.intersects(Kinds::OBJECT);
            }
            return false;
        };
        let Some(classes) = self.compared_classes(others, is_class_name(written)) else { return false };
        update_variable(&mut split.if_true, name, |value| {
            value.restrict_to_kinds(Kinds::OBJECT).restrict_to_classes(classes)
        });
        update_variable(&mut split.if_false, name, |value| value.restrict_to_classes(!classes));
        true
    }

    /// Returns the classes that the compared values denote, by name or as class objects; `None` if they are not all known classes.
    fn compared_classes(&self, values: &[AbstractValue<'a>], by_name: bool) -> Option<u64> {
        let known = self.classes.as_ref()?;
        let mut classes = 0;
        for value in values {
            match (&value.strings, &value.contents) {
                (Some(texts), _) if by_name && value.kinds == Kinds::TEXT && texts.len() == 1 => {
                    classes |= texts.iter().filter_map(|text| known.class_bit(text)).fold(0, |all, one| all | one);
                }
                // The class itself, without its subclasses.
                (_, Contents::Classes(found)) if !by_name && value.kinds == Kinds::DETAILED => {
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

    fn eval_call_condition(
        &mut self,
        condition: &'a Expr,
        call: &'a ExprCall,
        mut state: Env<'a>,
    ) -> ConditionSplit<'a> {
        let arguments = &call.arguments.args[..];
        let called = match &*call.func {
            Expr::Name(name) if self.is_builtin(&name.id, &state) => name.id.as_str(),
            _ => "",
        };
        match (called, arguments) {
            ("isinstance", [object, class]) => {
                let value = self.eval(object, &mut state);
                let class = self.eval(class, &mut state);
                let wrong = kind_name(&class).filter(|kind| !matches!(*kind, "a class" | "a tuple" | "a function"));
                if !self.caught_exceptions.type_error {
                    self.facts.record_operation(condition.range(), wrong.map(|kind| ("isinstance", ["a class", kind])));
                }
                return split_by_class(object, &value, &class, state);
            }
            ("bool", [value]) => return self.eval_condition(value, state),
            ("hasattr", [object, Expr::StringLiteral(attribute)]) => {
                return self.eval_hasattr_condition(object, attribute.value.to_str(), state);
            }
            ("all" | "any", [of]) => {
                if let Expr::List(_) | Expr::Tuple(_) = of {
                    return self.eval_all_or_any(called == "all", of, state);
                }
                if let Expr::Generator(generator) = of
                    && let [clause] = &generator.generators[..]
                {
                    let value = self.eval(condition, &mut state);
                    let mut split = ConditionSplit::of(value.possible_truth_values(), state);
                    suppress_mentioned(condition, &mut split);
                    let test = none_test_polarity(&generator.elt, &clause.target);
                    match (called, test) {
                        ("all", Some(false)) => exclude_none(&clause.iter, &mut split.if_true),
                        ("any", Some(true)) => exclude_none(&clause.iter, &mut split.if_false),
                        _ => {}
                    }
                    return split;
                }
            }
            _ => {}
        }
        let value = self.eval(condition, &mut state);
        let mut split = ConditionSplit::of(value.possible_truth_values(), state);
        suppress_mentioned(condition, &mut split);
        split
    }

    /// Splits the state by `hasattr(object, "attribute")`.
    fn eval_hasattr_condition(&mut self, object: &'a Expr, attribute: &str, mut state: Env<'a>) -> ConditionSplit<'a> {
        let value = self.eval(object, &mut state);
        let mut split = ConditionSplit::of([true, true], state);
        if let (Some(name), Some(known)) = (variable_name(object), &self.classes)
            && !self.stored_attributes.contains(attribute)
        {
            let having = known.classes_with_attribute(value.classes, attribute);
            update_variable(&mut split.if_true, name, |value| {
                if value.is_any() { value } else { value.without(Kinds::NONE).restrict_to_classes(having) }
            });
            update_variable(&mut split.if_false, name, |value| value.restrict_to_classes(!having));
        }
        split
    }

    /// Splits the state by `all([a, b])` as by `a and b`, or by `any([a, b])` as by `a or b`.
    fn eval_all_or_any(&mut self, all: bool, of: &'a Expr, state: Env<'a>) -> ConditionSplit<'a> {
        let (Expr::List(ExprList { elts, .. }) | Expr::Tuple(ExprTuple { elts, .. })) = of else {
            return ConditionSplit::of([true, true], state);
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
                let split = self.eval_condition(part, state);
                let (goes_on, ends) =
                    if all { (split.if_true, split.if_false) } else { (split.if_false, split.if_true) };
                next.extend(goes_on);
                ended.extend(ends);
            }
            open = merge_states(next);
        }
        let ended = merge_states(ended);
        if all {
            ConditionSplit { if_true: open, if_false: ended }
        } else {
            ConditionSplit { if_true: ended, if_false: open }
        }
    }

    /// Evaluates a single comparison; returns its possible outcomes.
    pub(super) fn eval_comparison(
        &mut self,
        compare: &'a ExprCompare,
        operator: CmpOp,
        [(left_written, left), (right_written, right)]: [(&'a Expr, &AbstractValue<'a>); 2],
        state: &mut Env<'a>,
    ) -> [bool; 2] {
        let at = TextRange::new(left_written.start(), right_written.end());
        if matches!(operator, CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE) {
            let how = super::facts::NoneSensitiveUse::Operator(operator.as_str());
            self.record_use(left_written, left, how, state);
            self.record_use(right_written, right, how, state);
            let names =
                kind_name(&left.clone().without(Kinds::NONE)).zip(kind_name(&right.clone().without(Kinds::NONE)));
            let wrong =
                names.filter(|(one, other)| one != other || matches!(*one, "an object" | "a class" | "a function"));
            if !self.caught_exceptions.type_error {
                self.facts.record_operation(at, wrong.map(|(one, other)| (operator.as_str(), [one, other])));
            }
            if wrong.is_some() {
                return [true, true];
            }
        }
        if matches!(operator, CmpOp::In | CmpOp::NotIn) {
            self.record_use(right_written, right, super::facts::NoneSensitiveUse::Iterate, state);
        }
        let listed = self.eval_membership_operand(operator, right_written, state);
        let right = listed.as_ref().unwrap_or(right);
        self.record_unknown_class_names(compare, operator, left, right);
        let compared = numbers::compare(operator, left, right);
        let may_be = compared.possible_outcomes;
        if self.inlined_calls == 0 {
            self.facts.record_comparison(at, compared, left, right);
        }
        may_be
    }

    /// Returns the elements of the list or set on the right of an `in` test.
    fn eval_membership_operand(
        &mut self,
        operator: CmpOp,
        written: &'a Expr,
        state: &mut Env<'a>,
    ) -> Option<AbstractValue<'a>> {
        let (CmpOp::In | CmpOp::NotIn, Expr::List(ExprList { elts, .. }) | Expr::Set(ExprSet { elts, .. })) =
            (operator, written)
        else {
            return None;
        };
        let parts: Vec<AbstractValue<'a>> = elts.iter().map(|part| self.eval(part, state)).collect();
        Some(AbstractValue::tuple(parts))
    }

    /// Records a string that is compared with the name of a class but names no class.
    fn record_unknown_class_names(
        &mut self,
        compare: &'a ExprCompare,
        operator: CmpOp,
        left: &AbstractValue<'a>,
        right: &AbstractValue<'a>,
    ) {
        let Some(known) = &self.classes else { return };
        let all: std::collections::BTreeSet<Rc<str>> = known.class_names(known.all()).into_iter().collect();
        let is_name = |value: &AbstractValue<'a>| {
            let texts = value.strings.as_ref().filter(|_| value.kinds == Kinds::TEXT && value.literal_range.is_none());
            texts.is_some_and(|texts| texts.iter().all(|text| all.contains(text)))
        };
        let sides = match operator {
            CmpOp::Eq | CmpOp::NotEq if is_name(left) => vec![right.clone()],
            CmpOp::Eq | CmpOp::NotEq if is_name(right) => vec![left.clone()],
            CmpOp::In | CmpOp::NotIn if is_name(left) => match &right.contents {
                Contents::Tuple(parts) => parts.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        for side in sides {
            let (Some(texts), Some(written)) = (&side.strings, side.literal_range) else { continue };
            for text in texts.iter().filter(|text| !all.contains(*text)) {
                self.facts.unknown_class_names.insert(written, (text.to_string(), compare.range));
            }
        }
    }
}

fn split_by_class<'a>(
    object: &'a Expr,
    value: &AbstractValue<'a>,
    class: &AbstractValue<'a>,
    state: Env<'a>,
) -> ConditionSplit<'a> {
    let parts = class.tuple_elements().map_or_else(|| vec![class.clone()], <[AbstractValue<'a>]>::to_vec);
    let mut wanted = 0;
    for part in &parts {
        match &part.contents {
            Contents::Classes(classes) if part.kinds == Kinds::DETAILED => wanted |= classes,
            _ => {
                let mut split = ConditionSplit::of([true, true], state);
                suppress_mentioned(object, &mut split);
                return split;
            }
        }
    }
    let may_be = if value.is_any() || value.is_never() {
        [true, true]
    } else {
        [value.classes & wanted != 0, value.classes & !wanted != 0 || !value.kinds.is_subset(Kinds::OBJECT)]
    };
    let mut split = ConditionSplit::of(may_be, state);
    if let Some(name) = variable_name(object) {
        update_variable(&mut split.if_true, name, |value| {
            if value.is_any() {
                AbstractValue::objects(wanted)
            } else {
                value.restrict_to_kinds(Kinds::OBJECT).restrict_to_classes(wanted)
            }
        });
        update_variable(&mut split.if_false, name, |value| value.restrict_to_classes(!wanted));
    }
    split
}

/// Returns whether values are numbers, apart from `None`: comparing them does not test for `None`.
fn are_numbers(values: &[&AbstractValue<'_>]) -> bool {
    values.iter().all(|value| (*value).clone().without(Kinds::NONE).is_within(Kinds::NUMBER))
}

pub(super) fn variable_name(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(&name.id),
        Expr::Named(named) => named.target.as_name_expr().map(|name| name.id.as_str()),
        _ => None,
    }
}

/// Returns the variable in `x.category`, `x.__class__.__name__`, `type(x).__name__`, `type(x)` and `x.__class__`.
fn class_tested_variable(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Attribute(attribute) => match attribute.attr.as_str() {
            "category" | "__class__" => variable_name(&attribute.value),
            "__name__" => class_tested_variable(&attribute.value),
            _ => None,
        },
        Expr::Call(call) => match (&*call.func, &call.arguments.args[..]) {
            (Expr::Name(name), [object]) if name.id.as_str() == "type" => variable_name(object),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether such an expression is the name of a class rather than the class.
fn is_class_name(expression: &Expr) -> bool {
    expression.as_attribute_expr().is_some_and(|attribute| attribute.attr.as_str() != "__class__")
}

pub(super) fn update_variable<'a>(
    states: &mut Vec<Env<'a>>,
    name: &str,
    change: impl Fn(AbstractValue<'a>) -> AbstractValue<'a>,
) {
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
pub(super) fn format_interval(interval: Interval) -> String {
    if interval.is_point() {
        return format_number(interval.low);
    }
    match (interval.low.is_finite(), interval.high.is_finite()) {
        (true, true) => format!("{} to {}", format_number(interval.low), format_number(interval.high)),
        (true, false) => format!("at least {}", format_number(interval.low)),
        (false, true) => format!("at most {}", format_number(interval.high)),
        (false, false) => "any number".to_owned(),
    }
}

pub(super) fn format_number(number: f64) -> String {
    format!("{number}")
}
