//! Calls on abstract values.

use std::rc::Rc;

use goalspec_python_runtime::inference::Kinds;
use goalspec_python_runtime::library::{self, Library, MethodEffect, MethodRow, ResultType};
use ruff_python_ast::{Arguments, Expr, ExprAttribute, ExprCall, Parameters, StmtFunctionDef};
use ruff_text_size::{Ranged, TextSize};
use rustc_hash::FxHashMap;

use super::builtin_calls::iterable;
use super::env::{Env, VariableNames};
use super::escape::{escape_argument, escape_arguments, forget_contents};
use super::facts::NoneSensitiveUse;
use super::numbers::{library_result, result_of_type};
use super::value::{AbstractValue, Contents, FunctionRef, NoneReason};
use super::{Analyzer, CaughtExceptions, Frame};

/// The maximum depth of calls that are followed.
const MAX_CALL_DEPTH: usize = 6;

/// The maximum number of cached calls of a function.
const MAX_CACHED_CALLS: usize = 64;

/// A cache of the results of calls.
#[derive(Default)]
pub(super) struct CallCache<'a> {
    /// The calls and their results, by the start of the function.
    results: FxHashMap<TextSize, Vec<(CallKey<'a>, AbstractValue<'a>)>>,
    /// The names that each function mentions, by its start.
    mentioned_names: FxHashMap<TextSize, Vec<&'a str>>,
}

/// The key of a cached call: everything that its result and its findings depend on.
#[derive(PartialEq)]
struct CallKey<'a> {
    arguments: Vec<(&'a str, AbstractValue<'a>)>,
    /// The values of the mentioned names in the enclosing functions.
    enclosing_values: Vec<Option<AbstractValue<'a>>>,
    /// The starts of the functions whose calls are open; recursive calls are not followed.
    callers: Vec<TextSize>,
    caught_exceptions: CaughtExceptions,
    has_unknown_arguments: bool,
}

impl<'a> Analyzer<'a> {
    pub(super) fn eval_call(&mut self, call: &'a ExprCall, env: &mut Env<'a>) -> AbstractValue<'a> {
        if let Expr::Attribute(method) = &*call.func {
            let receiver = self.eval(&method.value, env);
            return self.eval_method(call, method, &receiver, env);
        }
        let called = self.eval(&call.func, env);
        match (&called.contents, called.kinds) {
            (Contents::Function(function), Kinds::DETAILED) => {
                let function = *function;
                let arguments = self.eval_arguments(&call.arguments, env);
                self.eval_function_call(function, &call.arguments, &arguments, env)
            }
            (Contents::Builtin(name), Kinds::DETAILED) => {
                let name = *name;
                self.eval_builtin(name, call, env)
            }
            (Contents::Classes(classes), Kinds::DETAILED) => {
                let classes = *classes;
                self.eval_arguments(&call.arguments, env);
                AbstractValue::objects(classes & classes.wrapping_neg())
            }
            _ => {
                let arguments = self.eval_arguments(&call.arguments, env);
                escape_arguments(&call.arguments, &arguments, env);
                AbstractValue::any()
            }
        }
    }

    /// Evaluates the positional arguments, then the keyword arguments.
    pub(super) fn eval_arguments(&mut self, arguments: &'a Arguments, env: &mut Env<'a>) -> Vec<AbstractValue<'a>> {
        let places = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value));
        places.map(|argument| self.eval(argument, env)).collect()
    }

    fn eval_function_call(
        &mut self,
        function: FunctionRef<'a>,
        written: &'a Arguments,
        values: &[AbstractValue<'a>],
        env: &mut Env<'a>,
    ) -> AbstractValue<'a> {
        let spread =
            written.args.iter().any(Expr::is_starred_expr) || written.keywords.iter().any(|key| key.arg.is_none());
        let parameters: Option<&'a Parameters> = match function {
            FunctionRef::Named(definition) => Some(&definition.parameters),
            FunctionRef::Lambda(lambda) => lambda.parameters.as_deref(),
        };
        let bound = parameters.and_then(|parameters| bind_arguments(parameters, written, values));
        if spread || (parameters.is_some() && bound.is_none()) {
            escape_arguments(written, values, env);
            return AbstractValue::any();
        }
        let bound = bound.unwrap_or_default();
        let result = self.apply_function(function, bound, env);
        if let FunctionRef::Named(definition) = function
            && super::scope::may_mutate_parameters(definition)
        {
            escape_arguments(written, values, env);
            if !self.is_module_function(definition) {
                // A nested function may change any list of the enclosing function.
                env.iter_mut().for_each(|(_, value)| forget_contents(value));
            }
        }
        result
    }

    /// Returns the result of a function for these values of its parameters.
    pub(super) fn apply_function(
        &mut self,
        function: FunctionRef<'a>,
        bound: Vec<(&'a str, AbstractValue<'a>)>,
        env: &mut Env<'a>,
    ) -> AbstractValue<'a> {
        match function {
            FunctionRef::Lambda(lambda) => {
                let mut inner = if self.is_in_enclosing_function(lambda.start()) {
                    env.inner_scope()
                } else {
                    Env::new(Rc::default(), self.unknown_enclosing_env(lambda.start()))
                };
                for (name, value) in bound {
                    inner.push(name, value);
                }
                self.inlined_calls += 1;
                let value = self.eval(&lambda.body, &mut inner);
                self.inlined_calls -= 1;
                value
            }
            FunctionRef::Named(definition) => {
                let active = self.call_stack.iter().any(|other| std::ptr::eq(*other, definition));
                if active
                    || self.call_stack.len() >= MAX_CALL_DEPTH
                    || !definition.decorator_list.is_empty()
                    || definition.is_async
                    || self.generator_functions.contains(&definition.start())
                {
                    return AbstractValue::any();
                }
                let outer = if self.is_module_function(definition) {
                    None
                } else if self.is_in_enclosing_function(definition.start()) {
                    Some(Rc::new(env.clone()))
                } else {
                    self.unknown_enclosing_env(definition.start())
                };
                self.inlined_calls += 1;
                let value = self.analyze_call(definition, bound, outer);
                self.inlined_calls -= 1;
                value
            }
        }
    }

    /// Records the function in which a nested function is defined, whose variables it sees.
    pub(super) fn record_enclosing_function(&mut self, start: TextSize) {
        if let Some(home) = self.call_stack.last() {
            self.enclosing_functions.insert(start, home);
        }
    }

    /// Returns whether a function is defined in the function that is being followed.
    fn is_in_enclosing_function(&self, start: TextSize) -> bool {
        match (self.enclosing_functions.get(&start), self.call_stack.last()) {
            (Some(home), Some(enclosing)) => std::ptr::eq(*home, *enclosing),
            (None, None) => true,
            _ => false,
        }
    }

    /// Returns the variables of the enclosing function for a call from elsewhere, all of unknown value.
    fn unknown_enclosing_env(&mut self, start: TextSize) -> Option<Rc<Env<'a>>> {
        let home = *self.enclosing_functions.get(&start)?;
        let outer = self.unknown_enclosing_env(home.start());
        let mut around = Env::new(self.variable_names(home), outer);
        around.iter_mut().for_each(|(_, value)| *value = AbstractValue::any());
        Some(Rc::new(around))
    }

    /// Returns the result of a function, from the cache if an equal call has been followed, whose findings are then already recorded.
    fn analyze_call(
        &mut self,
        definition: &'a StmtFunctionDef,
        arguments: Vec<(&'a str, AbstractValue<'a>)>,
        outer: Option<Rc<Env<'a>>>,
    ) -> AbstractValue<'a> {
        // While the top level runs, names of the module may still change their values.
        if !self.is_module_executed {
            return self.analyze_body(definition, arguments, outer);
        }
        let mentioned = self.call_cache.mentioned_names.entry(definition.start()).or_insert_with(|| {
            let mut names: Vec<&str> = super::scope::names_in_block(&definition.body).into_iter().collect();
            names.sort_unstable();
            names
        });
        let outside = outer.as_deref();
        let sees = |name: &&'a str| outside.and_then(|outer| outer.get(name).or_else(|| outer.get_enclosing(name)));
        let around: Vec<_> = mentioned.iter().map(|name| sees(name).cloned()).collect();
        let values = arguments.iter().map(|(_, value)| value).chain(around.iter().flatten());
        // Functions see variables that are not mentioned here.
        if values.into_iter().any(|value| value.contents.has_function()) {
            return self.analyze_body(definition, arguments, outer);
        }
        let callers = self.call_stack.iter().map(Ranged::start).collect();
        let call = CallKey {
            arguments,
            enclosing_values: around,
            callers,
            caught_exceptions: self.caught_exceptions,
            has_unknown_arguments: self.has_unknown_arguments,
        };
        let known = self.call_cache.results.entry(definition.start()).or_default();
        if let Some((_, value)) = known.iter().find(|(other, _)| *other == call) {
            return value.clone();
        }
        let value = self.analyze_body(definition, call.arguments.clone(), outer);
        let known = self.call_cache.results.entry(definition.start()).or_default();
        if known.len() < MAX_CACHED_CALLS {
            known.push((call, value.clone()));
        }
        value
    }

    /// Follows the body of a function and returns its result.
    pub(super) fn analyze_body(
        &mut self,
        definition: &'a StmtFunctionDef,
        arguments: Vec<(&'a str, AbstractValue<'a>)>,
        outer: Option<Rc<Env<'a>>>,
    ) -> AbstractValue<'a> {
        let names: Rc<VariableNames<'a>> = self.variable_names(definition);
        let mut state = Env::new(names, outer);
        for (name, value) in arguments {
            state.set(name, value);
        }
        self.call_stack.push(definition);
        // A `try` around the call also guards the body of the function.
        let guarded =
            if self.inlined_calls == 0 { std::mem::take(&mut self.caught_exceptions) } else { self.caught_exceptions };
        self.frames.push(Frame::default());
        let left = self.exec_block(&definition.body, self.initial_states(state));
        let frame = self.frames.pop().unwrap_or_default();
        self.caught_exceptions = guarded;
        self.call_stack.pop();
        let mut returns = frame.return_value;
        if !left.is_empty() {
            returns = returns.join(&AbstractValue::none(definition.name.range, NoneReason::MissingReturn));
        }
        if returns.is_never() { AbstractValue::any() } else { returns }
    }

    /// Returns the states at the first call and at later calls: globals that only this function changes have their initial values, or
    /// unknown ones.
    fn initial_states(&self, state: Env<'a>) -> Vec<Env<'a>> {
        if self.call_stack.len() > 1 || self.owned_globals.is_empty() {
            return vec![state];
        }
        let (mut first, mut later) = (state.clone(), state);
        for name in &self.owned_globals {
            first.set(name, self.globals.get(name).cloned().unwrap_or_else(AbstractValue::any));
            later.set(name, AbstractValue::any());
        }
        vec![first, later]
    }

    /// Returns whether a name denotes a built-in of Python here.
    pub(super) fn is_builtin(&self, name: &str, env: &Env<'a>) -> bool {
        env.get(name).is_none()
            && env.get_enclosing(name).is_none()
            && !self.module_names.contains(name)
            && !self.shared_names.contains(name)
    }

    fn eval_method(
        &mut self,
        call: &'a ExprCall,
        method: &'a ExprAttribute,
        receiver: &AbstractValue<'a>,
        env: &mut Env<'a>,
    ) -> AbstractValue<'a> {
        let name = method.attr.as_str();
        let found = self.eval_attribute_of(method, receiver, env);
        let values = self.eval_arguments(&call.arguments, env);
        let receiver = receiver.clone().without(Kinds::NONE);
        if let (Contents::Method(method_name), Kinds::OBJECT) = (&found.contents, receiver.kinds) {
            return self.eval_object_method(call, method_name, &values, env);
        }
        if receiver.kinds == Kinds::LIST {
            return eval_list_method(name, method, &receiver, &values, call, env);
        }
        if let Some(value) = receiver.dict_value()
            && let Some(row) = library::method("dict", name)
            && let Some(result) = dict_method_result(row, value, &values, call)
        {
            return result;
        }
        escape_arguments(&call.arguments, &values, env);
        escape_argument(&method.value, &receiver, env);
        match receiver.kinds {
            Kinds::TEXT => result_of_type(library::method("str", name).map_or(ResultType::Any, |row| row.result)),
            _ if matches!(receiver.contents, Contents::Math) => library_result(Library::Math.function(name)),
            _ => AbstractValue::any(),
        }
    }

    fn eval_object_method(
        &mut self,
        call: &'a ExprCall,
        method: &'static MethodRow,
        values: &[AbstractValue<'a>],
        env: &mut Env<'a>,
    ) -> AbstractValue<'a> {
        if method.rejects_none {
            for (written, value) in call.arguments.args.iter().zip(values) {
                self.record_use(written, value, NoneSensitiveUse::Argument(method.name), env);
            }
        }
        match (method.name, values) {
            ("closest_object", [of]) => {
                let element = self.iterate(&call.arguments.args[0], of, env);
                AbstractValue::tuple(vec![AbstractValue::int(), element])
                    .join(&AbstractValue::none(call.range(), NoneReason::NotFound))
            }
            _ => result_of_type(method.result),
        }
    }
}

/// Returns the result of a method that reads a dict with values of this kind; `None` for other methods.
fn dict_method_result<'a>(
    method: &MethodRow,
    value: &AbstractValue<'a>,
    arguments: &[AbstractValue<'a>],
    call: &ExprCall,
) -> Option<AbstractValue<'a>> {
    if !call.arguments.keywords.is_empty() {
        return None;
    }
    match (method.result, arguments) {
        (ResultType::ElementOrDefault, [_, rest @ ..]) if rest.len() < 2 => {
            let absent = rest.first().filter(|default| default.kinds != Kinds::NONE);
            let none = || AbstractValue::none(call.range(), NoneReason::NotFound);
            Some(value.join(&absent.cloned().unwrap_or_else(none)))
        }
        (ResultType::Elements, []) => Some(iterable(value.clone())),
        (ResultType::Entries, []) => Some(iterable(AbstractValue::tuple(vec![AbstractValue::any(), value.clone()]))),
        _ => None,
    }
}

/// Returns the result of a method of lists, and applies its effect to the list.
fn eval_list_method<'a>(
    name: &str,
    method: &'a ExprAttribute,
    receiver: &AbstractValue<'a>,
    values: &[AbstractValue<'a>],
    call: &'a ExprCall,
    env: &mut Env<'a>,
) -> AbstractValue<'a> {
    for (written, value) in call.arguments.args.iter().zip(values) {
        escape_argument(written, value, env);
    }
    let row = library::method("list", name);
    let adds = row.is_some_and(|row| row.effect == MethodEffect::Adds);
    if let Expr::Name(list) = &*method.value {
        // A list of names of absent objects serves as a flag.
        let is_one = row.is_some_and(|row| row.name != "extend");
        let fills = adds && is_one && call.arguments.args.last().is_some_and(Expr::is_literal_expr);
        let mut changed = AbstractValue { truthiness: None, is_all_objects: false, ..receiver.clone() };
        changed.truthiness = fills.then_some(true);
        if adds {
            let added = match values {
                [of] if !is_one => match &of.contents {
                    Contents::Elements(element) => (**element).clone(),
                    _ => AbstractValue::any(),
                },
                [.., value] => value.clone(),
                [] => AbstractValue::any(),
            };
            changed.contents = Contents::Elements(Rc::new(receiver.list_element().join(&added)));
        }
        env.set(&list.id, changed);
    }
    match row.map_or(ResultType::Any, |row| row.result) {
        ResultType::Element => {
            let element = receiver.list_element();
            if element.is_never() { AbstractValue::any() } else { element }
        }
        ResultType::Copy => receiver.clone(),
        result => result_of_type(result),
    }
}

/// Binds arguments to parameters; `None` if the arguments do not match or cannot be matched statically.
fn bind_arguments<'a>(
    parameters: &'a Parameters,
    written: &'a Arguments,
    values: &[AbstractValue<'a>],
) -> Option<Vec<(&'a str, AbstractValue<'a>)>> {
    let places: Vec<_> = parameters.posonlyargs.iter().chain(&parameters.args).collect();
    if written.args.len() > places.len() && parameters.vararg.is_none() {
        return None;
    }
    let rest = [&parameters.vararg, &parameters.kwarg].into_iter().flatten();
    let mut bound: Vec<(&'a str, AbstractValue<'a>)> =
        rest.map(|rest| (rest.name.as_str(), AbstractValue::any())).collect();
    for (place, parameter) in places.iter().chain(&parameters.kwonlyargs.iter().collect::<Vec<_>>()).enumerate() {
        let name = parameter.parameter.name.as_str();
        let named = written.keywords.iter().position(|keyword| keyword.arg.as_deref() == Some(name));
        let value = match named {
            Some(place) => values[written.args.len() + place].clone(),
            None if place < written.args.len().min(places.len()) => values[place].clone(),
            // The value of a default may change between calls.
            None => parameter.default.as_ref().map(|_| AbstractValue::any())?,
        };
        bound.push((name, value));
    }
    Some(bound)
}
