//! Calls on abstract values.

use std::rc::Rc;

use ruff_python_ast::{Arguments, Expr, ExprAttribute, ExprCall, Parameters, StmtFunctionDef};
use ruff_text_size::{Ranged, TextSize};
use rustc_hash::FxHashMap;

use super::env::{Env, Names};
use super::escape::{all_escape, escapes, open};
use super::facts::Use;
use super::numbers::{absolute, extreme, has_numbers, math, range};
use super::value::{Function, Inside, Interval, Value, Why};
use super::{Caught, Flow, Frame};
use crate::typed::types::Kinds;

/// The maximum depth of calls that are followed.
const MAX_CALLS: usize = 6;

/// The maximum number of cached calls of a function.
const MAX_KNOWN: usize = 64;

/// A cache of the results of calls.
#[derive(Default)]
pub(super) struct Runs<'a> {
    /// The calls and their results, by the start of the function.
    known: FxHashMap<TextSize, Vec<(Call<'a>, Value<'a>)>>,
    /// The names that each function mentions, by its start.
    mentioned: FxHashMap<TextSize, Vec<&'a str>>,
}

/// The key of a cached call: everything that its result and its findings depend on.
#[derive(PartialEq)]
struct Call<'a> {
    given: Vec<(&'a str, Value<'a>)>,
    /// The values of the mentioned names in the enclosing functions.
    around: Vec<Option<Value<'a>>>,
    /// The starts of the functions whose calls are open; recursive calls are not followed.
    callers: Vec<TextSize>,
    guarded: Caught,
    is_alone: bool,
}

/// Methods that add elements to a list.
const FILLING: [&str; 3] = ["append", "insert", "extend"];

impl<'a> Flow<'a> {
    pub(super) fn call(&mut self, call: &'a ExprCall, env: &mut Env<'a>) -> Value<'a> {
        if let Expr::Attribute(method) = &*call.func {
            let receiver = self.eval(&method.value, env);
            return self.method(call, method, &receiver, env);
        }
        let called = self.eval(&call.func, env);
        match (&called.inside, called.kinds) {
            (Inside::Function(function), Kinds::THING) => {
                let function = *function;
                let arguments = self.arguments(&call.arguments, env);
                self.call_function(function, &call.arguments, &arguments, env)
            }
            (Inside::Builtin(name), Kinds::THING) => {
                let name = *name;
                self.builtin(name, call, env)
            }
            (Inside::Classes(classes), Kinds::THING) => {
                let classes = *classes;
                self.arguments(&call.arguments, env);
                Value::objects(classes & classes.wrapping_neg())
            }
            _ => {
                let arguments = self.arguments(&call.arguments, env);
                all_escape(&call.arguments, &arguments, env);
                Value::any()
            }
        }
    }

    /// Evaluates the positional arguments, then the keyword arguments.
    fn arguments(&mut self, arguments: &'a Arguments, env: &mut Env<'a>) -> Vec<Value<'a>> {
        let places = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value));
        places.map(|argument| self.eval(argument, env)).collect()
    }

    fn call_function(
        &mut self,
        function: Function<'a>,
        written: &'a Arguments,
        values: &[Value<'a>],
        env: &mut Env<'a>,
    ) -> Value<'a> {
        let spread =
            written.args.iter().any(Expr::is_starred_expr) || written.keywords.iter().any(|key| key.arg.is_none());
        let parameters: Option<&'a Parameters> = match function {
            Function::Named(definition) => Some(&definition.parameters),
            Function::Lambda(lambda) => lambda.parameters.as_deref(),
        };
        let given = parameters.and_then(|parameters| bound(parameters, written, values));
        if spread || (parameters.is_some() && given.is_none()) {
            all_escape(written, values, env);
            return Value::any();
        }
        let given = given.unwrap_or_default();
        let result = self.enter_function(function, given, env);
        if let Function::Named(definition) = function
            && super::scope::changes_parameters(definition)
        {
            all_escape(written, values, env);
            if !self.is_of_module(definition) {
                // A nested function may change any list of the enclosing function.
                env.each_mut().for_each(|(_, value)| open(value));
            }
        }
        result
    }

    /// Returns the result of a function for these values of its parameters.
    pub(super) fn enter_function(
        &mut self,
        function: Function<'a>,
        given: Vec<(&'a str, Value<'a>)>,
        env: &mut Env<'a>,
    ) -> Value<'a> {
        match function {
            Function::Lambda(lambda) => {
                let mut inner = if self.is_home(lambda.start()) {
                    env.inside()
                } else {
                    Env::new(Rc::default(), self.unknown_around(lambda.start()))
                };
                for (name, value) in given {
                    inner.push(name, value);
                }
                self.inlined += 1;
                let value = self.eval(&lambda.body, &mut inner);
                self.inlined -= 1;
                value
            }
            Function::Named(definition) => {
                let active = self.calls.iter().any(|other| std::ptr::eq(*other, definition));
                if active
                    || self.calls.len() >= MAX_CALLS
                    || !definition.decorator_list.is_empty()
                    || definition.is_async
                {
                    return Value::any();
                }
                let outer = if self.is_of_module(definition) {
                    None
                } else if self.is_home(definition.start()) {
                    Some(Rc::new(env.clone()))
                } else {
                    self.unknown_around(definition.start())
                };
                self.inlined += 1;
                let value = self.run_once(definition, given, outer);
                self.inlined -= 1;
                value
            }
        }
    }

    /// Records the function in which a nested function is defined, whose variables it sees.
    pub(super) fn made_here(&mut self, start: TextSize) {
        if let Some(home) = self.calls.last() {
            self.homes.insert(start, home);
        }
    }

    /// Returns whether a function is defined in the function that is being followed.
    fn is_home(&self, start: TextSize) -> bool {
        match (self.homes.get(&start), self.calls.last()) {
            (Some(home), Some(here)) => std::ptr::eq(*home, *here),
            (None, None) => true,
            _ => false,
        }
    }

    /// Returns the variables of the enclosing function for a call from elsewhere, all of unknown value.
    fn unknown_around(&mut self, start: TextSize) -> Option<Rc<Env<'a>>> {
        let home = *self.homes.get(&start)?;
        let outer = self.unknown_around(home.start());
        let mut around = Env::new(self.names_of(home), outer);
        around.each_mut().for_each(|(_, value)| *value = Value::any());
        Some(Rc::new(around))
    }

    /// Returns the result of a function, from the cache if an equal call has been followed, whose findings are then already recorded.
    fn run_once(
        &mut self,
        definition: &'a StmtFunctionDef,
        given: Vec<(&'a str, Value<'a>)>,
        outer: Option<Rc<Env<'a>>>,
    ) -> Value<'a> {
        // While the top level runs, names of the module may still change their values.
        if !self.is_set_up {
            return self.run(definition, given, outer);
        }
        let mentioned = self.runs.mentioned.entry(definition.start()).or_insert_with(|| {
            let mut names: Vec<&str> = super::scope::mentioned_in(&definition.body).into_iter().collect();
            names.sort_unstable();
            names
        });
        let outside = outer.as_deref();
        let sees = |name: &&'a str| outside.and_then(|outer| outer.get(name).or_else(|| outer.around(name)));
        let around: Vec<_> = mentioned.iter().map(|name| sees(name).cloned()).collect();
        let values = given.iter().map(|(_, value)| value).chain(around.iter().flatten());
        // Functions see variables that are not mentioned here.
        if values.into_iter().any(|value| value.inside.has_function()) {
            return self.run(definition, given, outer);
        }
        let callers = self.calls.iter().map(Ranged::start).collect();
        let call = Call { given, around, callers, guarded: self.guarded, is_alone: self.is_alone };
        let known = self.runs.known.entry(definition.start()).or_default();
        if let Some((_, value)) = known.iter().find(|(other, _)| *other == call) {
            return value.clone();
        }
        let value = self.run(definition, call.given.clone(), outer);
        let known = self.runs.known.entry(definition.start()).or_default();
        if known.len() < MAX_KNOWN {
            known.push((call, value.clone()));
        }
        value
    }

    /// Follows the body of a function and returns its result.
    pub(super) fn run(
        &mut self,
        definition: &'a StmtFunctionDef,
        given: Vec<(&'a str, Value<'a>)>,
        outer: Option<Rc<Env<'a>>>,
    ) -> Value<'a> {
        let names: Rc<Names<'a>> = self.names_of(definition);
        let mut state = Env::new(names, outer);
        for (name, value) in given {
            state.set(name, value);
        }
        self.calls.push(definition);
        // A `try` around the call also guards the body of the function.
        let guarded = if self.inlined == 0 { std::mem::take(&mut self.guarded) } else { self.guarded };
        self.frames.push(Frame::default());
        let left = self.block(&definition.body, self.first_and_later(state));
        let frame = self.frames.pop().unwrap_or_default();
        self.guarded = guarded;
        self.calls.pop();
        let mut returns = frame.returns;
        if !left.is_empty() {
            returns = returns.join(&Value::none(definition.name.range, Why::NoReturn));
        }
        if returns.is_never() { Value::any() } else { returns }
    }

    /// Returns the states at the first call and at later calls: globals that only this function changes have their initial values, or
    /// unknown ones.
    fn first_and_later(&self, state: Env<'a>) -> Vec<Env<'a>> {
        if self.calls.len() > 1 || self.own.is_empty() {
            return vec![state];
        }
        let (mut first, mut later) = (state.clone(), state);
        for name in &self.own {
            first.set(name, self.globals.get(name).cloned().unwrap_or_else(Value::any));
            later.set(name, Value::any());
        }
        vec![first, later]
    }

    /// Returns whether a name denotes a built-in of Python here.
    pub(super) fn is_builtin(&self, name: &str, env: &Env<'a>) -> bool {
        env.get(name).is_none()
            && env.around(name).is_none()
            && !self.bound.contains(name)
            && !self.shared.contains(name)
    }

    fn builtin(&mut self, name: &'a str, call: &'a ExprCall, env: &mut Env<'a>) -> Value<'a> {
        let arguments = &call.arguments;
        if arguments.args.iter().any(Expr::is_starred_expr) {
            self.arguments(arguments, env);
            return Value::any();
        }
        let values = self.arguments(arguments, env);
        let (values, _) = values.split_at(arguments.args.len());
        self.checked_arguments(name, &arguments.args, values, env);
        let keyword = |wanted: &str| arguments.keywords.iter().find(|keyword| keyword.arg.as_deref() == Some(wanted));
        let plain = |value: &Value<'a>| value.clone().without(Kinds::NONE);
        match (name, values) {
            ("len", [_]) => Value::number(Kinds::INT, Interval::FROM_ZERO),
            ("abs", [value]) if plain(value).within(Kinds::NUMBER) => absolute(&plain(value)),
            ("int", [value]) if plain(value).within(Kinds::NUMBER) => {
                Value::number(Kinds::INT, Interval::of(&[value.interval.low.trunc(), value.interval.high.trunc()]))
            }
            ("float", [value]) if value.kinds == Kinds::TEXT => {
                let texts: Vec<&str> = value.texts.iter().flat_map(|texts| texts.iter()).map(|text| &**text).collect();
                match &texts[..] {
                    ["inf"] => Value::number(Kinds::FLOAT, Interval::one(f64::INFINITY)),
                    ["-inf"] => Value::number(Kinds::FLOAT, Interval::one(f64::NEG_INFINITY)),
                    _ => Value::any(),
                }
            }
            ("float", [value]) if plain(value).within(Kinds::NUMBER) => Value::number(Kinds::FLOAT, value.interval),
            ("bool", [value]) => match value.may_be() {
                [true, false] => Value::truth(Some(true)),
                [false, true] => Value::truth(Some(false)),
                _ => Value::truth(None),
            },
            ("any" | "all" | "callable" | "issubclass", _) => Value::truth(None),
            ("str" | "repr", _) => Value::of(Kinds::TEXT),
            ("print", _) => Value::of(Kinds::NONE),
            ("range", _) => {
                let filled = has_numbers(values).then_some(true);
                Value { filled, ..Value::thing(Inside::Elements(Rc::new(range(values)))) }
            }
            ("next", [iterator]) => iterated(iterator),
            ("next", [iterator, default]) => {
                let found = iterated(iterator);
                let absent = if default.kinds == Kinds::NONE {
                    Value::none(call.range(), Why::NotFound)
                } else {
                    default.clone()
                };
                found.join(&absent)
            }
            ("sorted" | "list" | "reversed" | "tuple" | "iter", [of]) => {
                let written = &arguments.args[0];
                let element = self.gone_through(written, of, env);
                self.key(keyword("key").map(|keyword| &keyword.value), &element, env);
                let gone_through = match name {
                    "sorted" | "list" => Value::list(element),
                    _ => Value::thing(Inside::Elements(Rc::new(element))),
                };
                as_many(of, gone_through)
            }
            ("list", []) => Value::list(Value::never()),
            ("enumerate", [of, ..]) => {
                let element = self.gone_through(&arguments.args[0], of, env);
                as_many(of, Value::thing(Inside::Elements(Rc::new(Value::tuple(vec![Value::int(), element])))))
            }
            ("zip", _) => {
                let mut parts = Vec::new();
                for (written, of) in arguments.args.iter().zip(values) {
                    parts.push(self.gone_through(written, of, env));
                }
                Value::thing(Inside::Elements(Rc::new(Value::tuple(parts))))
            }
            ("filter", [test, of]) => self.filter(test, of, arguments, env),
            ("min" | "max", [of]) => {
                let element = self.gone_through(&arguments.args[0], of, env);
                self.key(keyword("key").map(|keyword| &keyword.value), &element, env);
                match keyword("default") {
                    None => element,
                    Some(default) if default.value.is_none_literal_expr() => {
                        element.join(&Value::none(call.range(), Why::NotFound))
                    }
                    Some(default) => {
                        let default = self.eval(&default.value, env);
                        element.join(&default)
                    }
                }
            }
            ("min" | "max", [_, _, ..]) if keyword("key").is_none() => extreme(name == "max", values),
            ("type", [value]) if value.kinds == Kinds::OBJECT => Value::thing(Inside::ClassOf(value.classes)),
            ("dict" | "set" | "frozenset", _) => {
                all_escape(arguments, values, env);
                Value::of(Kinds::THING)
            }
            _ => {
                all_escape(arguments, values, env);
                Value::any()
            }
        }
    }

    /// Records the arguments that must not be `None`.
    fn checked_arguments(&mut self, name: &'a str, written: &'a [Expr], values: &[Value<'a>], env: &mut Env<'a>) {
        let all = matches!(name, "abs" | "len" | "sum" | "int" | "float")
            || (matches!(name, "min" | "max") && values.len() > 1);
        if all {
            for (written, value) in written.iter().zip(values) {
                self.use_of(written, value, Use::Argument(name), env);
            }
        }
    }

    /// Evaluates a `key` function for an element.
    fn key(&mut self, key: Option<&'a Expr>, element: &Value<'a>, env: &mut Env<'a>) {
        let Some(key) = key else { return };
        let called = self.eval(key, env);
        // A lambda that is written as the argument is called only from here.
        if let (Expr::Lambda(lambda), Some(name)) = (key, only_parameter(&called)) {
            let mut inner = env.inside();
            inner.push(name, element.clone());
            self.eval(&lambda.body, &mut inner);
            return;
        }
        if let (Inside::Function(function), Some(name)) = (&called.inside, only_parameter(&called)) {
            let function = *function;
            self.enter_function(function, vec![(name, element.clone())], env);
        }
    }

    fn filter(&mut self, test: &Value<'a>, of: &Value<'a>, arguments: &'a Arguments, env: &mut Env<'a>) -> Value<'a> {
        let element = self.gone_through(&arguments.args[1], of, env);
        let kept = match (&test.inside, only_parameter(test)) {
            (Inside::Function(Function::Lambda(lambda)), Some(name)) => {
                let mut inner = env.inside();
                inner.push(name, element);
                let elsewhere = usize::from(!arguments.args[0].is_lambda_expr());
                self.inlined += elsewhere;
                let split = self.test(&lambda.body, inner);
                self.inlined -= elsewhere;
                let held = split.yes.iter().filter_map(|state| state.get(name));
                held.fold(Value::never(), |all, one| all.join(one))
            }
            _ => Value { blurred: true, none: None, ..element },
        };
        Value::thing(Inside::Elements(Rc::new(kept)))
    }

    fn method(
        &mut self,
        call: &'a ExprCall,
        method: &'a ExprAttribute,
        receiver: &Value<'a>,
        env: &mut Env<'a>,
    ) -> Value<'a> {
        let name = method.attr.as_str();
        let found = self.attribute_of(method, receiver, env);
        let values = self.arguments(&call.arguments, env);
        let receiver = receiver.clone().without(Kinds::NONE);
        if let (Inside::Method(method_name), Kinds::OBJECT) = (&found.inside, receiver.kinds) {
            return self.object_method(call, method_name, &values, env);
        }
        if receiver.kinds == Kinds::LIST {
            return list_method(name, method, &receiver, &values, call, env);
        }
        if let Some(value) = receiver.table_value() {
            match (name, &values[..], &call.arguments.keywords[..]) {
                ("get", [_, rest @ ..], []) if rest.len() < 2 => {
                    let absent = rest.first().filter(|default| default.kinds != Kinds::NONE);
                    let none = || Value::none(call.range(), Why::NotFound);
                    return value.join(&absent.cloned().unwrap_or_else(none));
                }
                ("values", [], []) => return Value::thing(Inside::Elements(Rc::new(value.clone()))),
                ("items", [], []) => {
                    let pair = Value::tuple(vec![Value::any(), value.clone()]);
                    return Value::thing(Inside::Elements(Rc::new(pair)));
                }
                _ => {}
            }
        }
        all_escape(&call.arguments, &values, env);
        escapes(&method.value, &receiver, env);
        match (receiver.kinds, name) {
            (Kinds::TEXT, "lower" | "upper" | "strip" | "replace" | "format" | "join") => Value::of(Kinds::TEXT),
            (Kinds::TEXT, "startswith" | "endswith" | "isdigit") => Value::truth(None),
            _ if matches!(receiver.inside, Inside::Math) => math(name),
            _ => Value::any(),
        }
    }

    fn object_method(
        &mut self,
        call: &'a ExprCall,
        name: &'a str,
        values: &[Value<'a>],
        env: &mut Env<'a>,
    ) -> Value<'a> {
        if let ("is_on_top" | "manathan_distance" | "iou", [written], [value]) =
            (name, &call.arguments.args[..], values)
        {
            self.use_of(written, value, Use::Argument(name), env);
        }
        match (name, values) {
            ("is_on_top", _) => Value::truth(None),
            ("manathan_distance" | "iou", _) => Value::number(Kinds::FLOAT, Interval::FROM_ZERO),
            ("closest_object", [of]) => {
                let element = self.gone_through(&call.arguments.args[0], of, env);
                Value::tuple(vec![Value::int(), element]).join(&Value::none(call.range(), Why::NotFound))
            }
            _ => Value::any(),
        }
    }
}

/// Returns the result of a method of lists, and applies its effect to the list.
fn list_method<'a>(
    name: &'a str,
    method: &'a ExprAttribute,
    receiver: &Value<'a>,
    values: &[Value<'a>],
    call: &'a ExprCall,
    env: &mut Env<'a>,
) -> Value<'a> {
    for (written, value) in call.arguments.args.iter().zip(values) {
        escapes(written, value, env);
    }
    if let Expr::Name(list) = &*method.value {
        // A list of names of absent objects serves as a flag.
        let fills =
            matches!(name, "append" | "insert") && call.arguments.args.last().is_some_and(Expr::is_literal_expr);
        let mut changed = Value { filled: None, whole: false, ..receiver.clone() };
        changed.filled = fills.then_some(true);
        if FILLING.contains(&name) {
            let added = match (name, values) {
                ("extend", [of]) => match &of.inside {
                    Inside::Elements(element) => (**element).clone(),
                    _ => Value::any(),
                },
                (_, [.., value]) => value.clone(),
                _ => Value::any(),
            };
            changed.inside = Inside::Elements(Rc::new(receiver.element().join(&added)));
        }
        env.set(&list.id, changed);
    }
    match name {
        "pop" => {
            let element = receiver.element();
            if element.is_never() { Value::any() } else { element }
        }
        "copy" => receiver.clone(),
        "index" | "count" => Value::number(Kinds::INT, Interval::FROM_ZERO),
        _ if FILLING.contains(&name) || matches!(name, "remove" | "sort" | "reverse" | "clear") => {
            Value::of(Kinds::NONE)
        }
        _ => Value::any(),
    }
}

/// Returns the elements of an iterator, or an unknown value.
fn iterated<'a>(iterator: &Value<'a>) -> Value<'a> {
    match &iterator.inside {
        Inside::Elements(element) if iterator.kinds == Kinds::THING && !element.is_never() => (**element).clone(),
        _ => Value::any(),
    }
}

/// Binds arguments to parameters; `None` if the arguments do not match or cannot be matched statically.
fn bound<'a>(
    parameters: &'a Parameters,
    written: &'a Arguments,
    values: &[Value<'a>],
) -> Option<Vec<(&'a str, Value<'a>)>> {
    let places: Vec<_> = parameters.posonlyargs.iter().chain(&parameters.args).collect();
    if written.args.len() > places.len() && parameters.vararg.is_none() {
        return None;
    }
    let rest = [&parameters.vararg, &parameters.kwarg].into_iter().flatten();
    let mut given: Vec<(&'a str, Value<'a>)> = rest.map(|rest| (rest.name.as_str(), Value::any())).collect();
    for (place, parameter) in places.iter().chain(&parameters.kwonlyargs.iter().collect::<Vec<_>>()).enumerate() {
        let name = parameter.parameter.name.as_str();
        let named = written.keywords.iter().position(|keyword| keyword.arg.as_deref() == Some(name));
        let value = match named {
            Some(place) => values[written.args.len() + place].clone(),
            None if place < written.args.len().min(places.len()) => values[place].clone(),
            // The value of a default may change between calls.
            None => parameter.default.as_ref().map(|_| Value::any())?,
        };
        given.push((name, value));
    }
    Some(given)
}

/// Returns the only parameter of a function.
fn only_parameter<'a>(function: &Value<'a>) -> Option<&'a str> {
    let parameters: &'a Parameters = match &function.inside {
        Inside::Function(Function::Lambda(lambda)) => lambda.parameters.as_deref()?,
        Inside::Function(Function::Named(definition)) => &definition.parameters,
        _ => return None,
    };
    match (&parameters.posonlyargs[..], &parameters.args[..]) {
        ([], [one]) if parameters.vararg.is_none() => Some(one.parameter.name.as_str()),
        _ => None,
    }
}

/// Marks `value` as the result of a mapping over `of`: it has elements if `of` has.
fn as_many<'a>(of: &Value<'a>, value: Value<'a>) -> Value<'a> {
    let filled = of.filled.filter(|_| of.kinds == Kinds::LIST || of.kinds == Kinds::THING);
    Value { filled, whole: of.whole, ..value }
}
