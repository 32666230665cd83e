//! Calls of built-in functions on abstract values.

use std::rc::Rc;

use goalspec_python_runtime::inference::Kinds;
use goalspec_python_runtime::library::{BuiltinForm, builtin_form, builtin_function};
use ruff_python_ast::{Arguments, Expr, ExprCall, Parameters};
use ruff_text_size::Ranged;

use super::Analyzer;
use super::env::Env;
use super::escape::escape_arguments;
use super::facts::NoneSensitiveUse;
use super::numbers::{absolute, is_nonempty_range, library_result, min_or_max, range};
use super::value::{AbstractValue, Contents, FunctionRef, Interval, NoneReason};

impl<'a> Analyzer<'a> {
    pub(super) fn eval_builtin(&mut self, name: &'a str, call: &'a ExprCall, env: &mut Env<'a>) -> AbstractValue<'a> {
        let arguments = &call.arguments;
        if arguments.args.iter().any(Expr::is_starred_expr) {
            self.eval_arguments(arguments, env);
            return AbstractValue::any();
        }
        let values = self.eval_arguments(arguments, env);
        let (values, _) = values.split_at(arguments.args.len());
        let form = builtin_form(name);
        self.check_arguments(name, form, &arguments.args, values, env);
        let plain = |value: &AbstractValue<'a>| value.clone().without(Kinds::NONE);
        let Some(form) = form else { return eval_other_builtin(name, arguments, values, env) };
        match (form, values) {
            (BuiltinForm::Length, [_]) => AbstractValue::number(Kinds::INT, Interval::NONNEGATIVE),
            (BuiltinForm::Absolute, [value]) if plain(value).is_within(Kinds::NUMBER) => absolute(&plain(value)),
            (BuiltinForm::ToInt, [value]) if plain(value).is_within(Kinds::NUMBER) => AbstractValue::number(
                Kinds::INT,
                Interval::hull(&[value.interval.low.trunc(), value.interval.high.trunc()]),
            ),
            (BuiltinForm::ToFloat, [value]) if value.kinds == Kinds::TEXT => float_of_text(value),
            (BuiltinForm::ToFloat, [value]) if plain(value).is_within(Kinds::NUMBER) => {
                AbstractValue::number(Kinds::FLOAT, value.interval)
            }
            (BuiltinForm::ToBool, [value]) => match value.possible_truth_values() {
                [true, false] => AbstractValue::boolean(Some(true)),
                [false, true] => AbstractValue::boolean(Some(false)),
                _ => AbstractValue::boolean(None),
            },
            (BuiltinForm::ToText, _) => AbstractValue::of_kinds(Kinds::TEXT),
            (BuiltinForm::Range, _) => {
                let filled = is_nonempty_range(values).then_some(true);
                AbstractValue { truthiness: filled, ..iterable(range(values)) }
            }
            (BuiltinForm::Next, [iterator]) => iterator_element(iterator),
            (BuiltinForm::Next, [iterator, default]) => {
                let found = iterator_element(iterator);
                let absent = if default.kinds == Kinds::NONE {
                    AbstractValue::none(call.range(), NoneReason::NotFound)
                } else {
                    default.clone()
                };
                found.join(&absent)
            }
            (BuiltinForm::ToList, []) => AbstractValue::list(AbstractValue::never()),
            (BuiltinForm::Extreme { is_max }, [_, _, ..]) if keyword(arguments, "key").is_none() => {
                min_or_max(is_max, values)
            }
            (BuiltinForm::ClassOf, [value]) if value.kinds == Kinds::OBJECT => {
                AbstractValue::from_contents(Contents::TypeOf(value.classes))
            }
            (BuiltinForm::ToDict | BuiltinForm::ToSet, _) => {
                escape_arguments(arguments, values, env);
                AbstractValue::of_kinds(Kinds::DETAILED)
            }
            _ => match self.eval_iterating_builtin(form, call, values, env) {
                Some(result) => result,
                None => eval_other_builtin(name, arguments, values, env),
            },
        }
    }

    /// Evaluates a built-in function that iterates over its arguments; `None` for other functions.
    fn eval_iterating_builtin(
        &mut self,
        form: BuiltinForm,
        call: &'a ExprCall,
        values: &[AbstractValue<'a>],
        env: &mut Env<'a>,
    ) -> Option<AbstractValue<'a>> {
        let arguments = &call.arguments;
        Some(match (form, values) {
            (
                BuiltinForm::Sorted
                | BuiltinForm::ToList
                | BuiltinForm::Reversed
                | BuiltinForm::ToTuple
                | BuiltinForm::Iterator,
                [of],
            ) => {
                let element = self.iterate(&arguments.args[0], of, env);
                self.eval_key(keyword(arguments, "key"), &element, env);
                let result = match form {
                    BuiltinForm::Sorted | BuiltinForm::ToList => AbstractValue::list(element),
                    _ => iterable(element),
                };
                with_length_of(of, result)
            }
            (BuiltinForm::Enumerate, [of, ..]) => {
                let element = self.iterate(&arguments.args[0], of, env);
                with_length_of(of, iterable(AbstractValue::tuple(vec![AbstractValue::int(), element])))
            }
            (BuiltinForm::Zip, _) => {
                let mut parts = Vec::new();
                for (written, of) in arguments.args.iter().zip(values) {
                    parts.push(self.iterate(written, of, env));
                }
                iterable(AbstractValue::tuple(parts))
            }
            (BuiltinForm::Filter, [test, of]) => self.eval_filter(test, of, arguments, env),
            (BuiltinForm::Extreme { .. }, [of]) => {
                let element = self.iterate(&arguments.args[0], of, env);
                self.eval_key(keyword(arguments, "key"), &element, env);
                match keyword(arguments, "default") {
                    None => element,
                    Some(default) if default.is_none_literal_expr() => {
                        element.join(&AbstractValue::none(call.range(), NoneReason::NotFound))
                    }
                    Some(default) => {
                        let default = self.eval(default, env);
                        element.join(&default)
                    }
                }
            }
            _ => return None,
        })
    }

    /// Records the arguments that must not be `None`.
    fn check_arguments(
        &mut self,
        name: &'a str,
        form: Option<BuiltinForm>,
        written: &'a [Expr],
        values: &[AbstractValue<'a>],
        env: &mut Env<'a>,
    ) {
        if form.is_some_and(|form| form.rejects_none(values.len())) {
            for (written, value) in written.iter().zip(values) {
                self.record_use(written, value, NoneSensitiveUse::Argument(name), env);
            }
        }
    }

    /// Evaluates a `key` function for an element.
    fn eval_key(&mut self, key: Option<&'a Expr>, element: &AbstractValue<'a>, env: &mut Env<'a>) {
        let Some(key) = key else { return };
        let called = self.eval(key, env);
        // A lambda that is written as the argument is called only from here.
        if let (Expr::Lambda(lambda), Some(name)) = (key, single_parameter(&called)) {
            let mut inner = env.inner_scope();
            inner.push(name, element.clone());
            self.eval(&lambda.body, &mut inner);
            return;
        }
        if let (Contents::Function(function), Some(name)) = (&called.contents, single_parameter(&called)) {
            let function = *function;
            self.apply_function(function, vec![(name, element.clone())], env);
        }
    }

    fn eval_filter(
        &mut self,
        test: &AbstractValue<'a>,
        of: &AbstractValue<'a>,
        arguments: &'a Arguments,
        env: &mut Env<'a>,
    ) -> AbstractValue<'a> {
        let element = self.iterate(&arguments.args[1], of, env);
        let kept = match (&test.contents, single_parameter(test)) {
            (Contents::Function(FunctionRef::Lambda(lambda)), Some(name)) => {
                let mut inner = env.inner_scope();
                inner.push(name, element);
                let elsewhere = usize::from(!arguments.args[0].is_lambda_expr());
                self.inlined_calls += elsewhere;
                let split = self.eval_condition(&lambda.body, inner);
                self.inlined_calls -= elsewhere;
                let held = split.if_true.iter().filter_map(|state| state.get(name));
                held.fold(AbstractValue::never(), |all, one| all.join(one))
            }
            _ => AbstractValue { maybe_narrowed: true, none_origin: None, ..element },
        };
        AbstractValue::from_contents(Contents::Elements(Rc::new(kept)))
    }
}

/// Returns the argument that is given by a keyword.
fn keyword<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a Expr> {
    let keyword = arguments.keywords.iter().find(|keyword| keyword.arg.as_deref() == Some(name));
    keyword.map(|keyword| &keyword.value)
}

/// Returns the elements of an iterator, or an unknown value.
fn iterator_element<'a>(iterator: &AbstractValue<'a>) -> AbstractValue<'a> {
    match &iterator.contents {
        Contents::Elements(element) if iterator.kinds == Kinds::DETAILED && !element.is_never() => (**element).clone(),
        _ => AbstractValue::any(),
    }
}

/// Returns the only parameter of a function.
fn single_parameter<'a>(function: &AbstractValue<'a>) -> Option<&'a str> {
    let parameters: &'a Parameters = match &function.contents {
        Contents::Function(FunctionRef::Lambda(lambda)) => lambda.parameters.as_deref()?,
        Contents::Function(FunctionRef::Named(definition)) => &definition.parameters,
        _ => return None,
    };
    match (&parameters.posonlyargs[..], &parameters.args[..]) {
        ([], [one]) if parameters.vararg.is_none() => Some(one.parameter.name.as_str()),
        _ => None,
    }
}

/// Marks `value` as the result of a mapping over `of`: it has elements if `of` has.
fn with_length_of<'a>(of: &AbstractValue<'a>, value: AbstractValue<'a>) -> AbstractValue<'a> {
    let filled = of.truthiness.filter(|_| of.kinds == Kinds::LIST || of.kinds == Kinds::DETAILED);
    AbstractValue { truthiness: filled, is_all_objects: of.is_all_objects, ..value }
}

/// Returns an iterable with these elements.
pub(super) fn iterable(element: AbstractValue<'_>) -> AbstractValue<'_> {
    AbstractValue::from_contents(Contents::Elements(Rc::new(element)))
}

/// Returns the result of `float` for a text.
fn float_of_text<'a>(value: &AbstractValue<'a>) -> AbstractValue<'a> {
    let texts: Vec<&str> = value.strings.iter().flat_map(|texts| texts.iter()).map(|text| &**text).collect();
    match &texts[..] {
        ["inf"] => AbstractValue::number(Kinds::FLOAT, Interval::point(f64::INFINITY)),
        ["-inf"] => AbstractValue::number(Kinds::FLOAT, Interval::point(f64::NEG_INFINITY)),
        _ => AbstractValue::any(),
    }
}

/// Returns the result of a built-in function whose result does not depend on its arguments.
fn eval_other_builtin<'a>(
    name: &str,
    arguments: &'a Arguments,
    values: &[AbstractValue<'a>],
    env: &mut Env<'a>,
) -> AbstractValue<'a> {
    let function = builtin_function(name);
    if !function.is_some_and(|function| function.reads_only) {
        escape_arguments(arguments, values, env);
    }
    library_result(function)
}
