//! Calls: dispatch by the called value, and binding of arguments to parameters.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Machine;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::frame::{Frame, ReturnTarget};
use super::library_class::GENERATOR_CONTEXT_MANAGER;
use super::run::Operands;
use super::value::{HeapObject, HeapRef, Value};
use super::wrappers::WrapperKind;
use crate::code::{Instruction, Signature, Symbol};

/// Keyword arguments.
pub(super) type KeywordArguments<'n> = &'n [(Symbol, Value)];

impl Machine {
    /// Starts a call. Its result goes onto the stack: when the function returns, for a function of the program, and at once otherwise.
    pub(super) fn begin_call(
        &mut self,
        called: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<()> {
        let called = self.materialized(called);
        match self.unbind_method(called, arguments) {
            Some((function, arguments)) => self.begin_unbound_call(function, &arguments, named),
            None => self.begin_unbound_call(called, arguments, named),
        }
    }

    fn begin_unbound_call(
        &mut self,
        called: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<()> {
        if let Value::Ref(at) = called
            && let HeapObject::Function(function) = self.heap.get(at)
            && !self.program.code(function.code).kind.is_generator()
        {
            let frame = self.bound_frame(at, arguments, named, ReturnTarget::Stack)?;
            return self.push_frame(frame);
        }
        if let Value::Ref(at) = called
            && let HeapObject::Instance { class, .. } = self.heap.get(at)
            && let Some(Value::Ref(function)) = self.class_field_named(*class, "__call__")
            && matches!(self.heap.get(function), HeapObject::Function(function) if !self.program.code(function.code).kind.is_generator())
        {
            let mut all = Operands::with_capacity(arguments.len() + 1);
            all.push(called);
            all.extend_from_slice(arguments);
            let frame = self.bound_frame(function, &all, named, ReturnTarget::Stack)?;
            return self.push_frame(frame);
        }
        if let Value::Ref(class) = called
            && matches!(self.heap.get(class), HeapObject::Class(_))
            && self.begin_instance(class, arguments, named)?
        {
            return Ok(());
        }
        let value = self.call_value(called, arguments, named)?;
        self.push(value);
        Ok(())
    }

    /// Returns the function of a bound method, and the arguments with the receiver as the first one; `None` for any other value.
    fn unbind_method(&self, called: Value, arguments: &[Value]) -> Option<(Value, Operands)> {
        let Value::Ref(at) = called else { return None };
        let HeapObject::BoundMethod { receiver, function } = self.heap.get(at) else { return None };
        let mut all = Operands::with_capacity(arguments.len() + 1);
        all.push(*receiver);
        all.extend_from_slice(arguments);
        Some((*function, all))
    }

    /// Calls a value and returns its result.
    pub(super) fn call_value(&mut self, called: Value, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        match called {
            Value::Builtin(builtin) => self.call_builtin(builtin, arguments, named),
            Value::Type(kind) => self.construct(kind, arguments, named),
            Value::Method { receiver, function } => self.call_function(function, Some(receiver), arguments, named),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Function(_) => self.call_function(at, None, arguments, named),
                HeapObject::BoundMethod { .. } => {
                    let Some((function, arguments)) = self.unbind_method(called, arguments) else {
                        unreachable!("the value is a bound method")
                    };
                    self.nested(|machine| machine.call_value(function, &arguments, named))
                }
                HeapObject::BuiltinMethod(receiver, method) => {
                    let (receiver, method) = (*receiver, *method);
                    self.call_method(receiver, method, arguments, named)
                }
                HeapObject::UnboundMethod(kind, method) => {
                    let (kind, method) = (*kind, *method);
                    self.call_unbound_method(kind, method, arguments, named)
                }
                HeapObject::Class(_) => self.construct_instance(at, arguments, named),
                HeapObject::GenericAlias { origin, .. } => {
                    let origin = *origin;
                    self.call_alias(origin, arguments, named)
                }
                HeapObject::TypingMarker(marker) if marker.kind == super::typing::TypingMarkerKind::NewType => {
                    let name = marker.name.clone();
                    self.single_argument(&name, arguments, named)
                }
                HeapObject::Partial { .. } => self.call_partial(at, arguments, named),
                HeapObject::Library(_) => self.call_library_object(at, arguments, named),
                HeapObject::LruCache { .. } => self.nested(|machine| machine.call_lru_cache(at, arguments, named)),
                HeapObject::Wrapper(_) => self.nested(|machine| machine.call_wrapper(at, arguments, named)),
                HeapObject::ComparisonKey { function, value: None } => {
                    let function = *function;
                    self.call_key_factory(function, arguments, named)
                }
                HeapObject::ContextManager(manager) if *manager.class() == GENERATOR_CONTEXT_MANAGER => {
                    let function = self.single_argument("__call__", arguments, named)?;
                    Ok(self.new_wrapper(function, WrapperKind::InContext(called)))
                }
                HeapObject::GeneratedMethod(class, generated) => {
                    let (class, generated) = (*class, *generated);
                    self.nested(|machine| machine.call_generated(class, generated, arguments, named))
                }
                HeapObject::Instance { .. } | HeapObject::Exception(_) => {
                    let call = self.special_method(called, "__call__");
                    match call {
                        Some(call) => self.nested(|machine| machine.call_value(call, arguments, named)),
                        None if self.class_of_program(called).is_some_and(|class| self.is_context_decorator(class)) => {
                            let function = self.single_argument("ContextDecorator.__call__", arguments, named)?;
                            Ok(self.new_wrapper(function, WrapperKind::InContext(called)))
                        }
                        None => Err(self.not_callable(called)),
                    }
                }
                _ => Err(self.not_callable(called)),
            },
            _ => Err(self.not_callable(called)),
        }
    }

    /// Calls a function of the program, with a receiver as its first argument if there is one, and returns its result.
    fn call_function(
        &mut self,
        function: HeapRef,
        receiver: Option<HeapRef>,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let HeapObject::Function(called) = self.heap.get(function) else { unreachable!("called with functions") };
        let is_generator = self.program.code(called.code).kind.is_generator();
        if !is_generator && named.is_empty() && self.frames.len() < self.budget.call_depth {
            let first = self.operands.len();
            self.operands.extend_from_slice(arguments);
            if self.push_quick_frame(function, receiver, first, first, ReturnTarget::Host).is_some()
                || self.push_bound_frame(function, receiver, [first, first], &[], ReturnTarget::Host).is_some()
            {
                if let Err(fault) = self.charge(super::cost::CALL) {
                    self.pop_frame();
                    return Err(fault);
                }
                return self.run().map(|(value, _)| value);
            }
            self.operands.truncate(first);
        }
        let all: Operands = receiver.map(Value::Ref).into_iter().chain(arguments.iter().copied()).collect();
        let frame = self.bound_frame(function, &all, named, ReturnTarget::Host)?;
        if is_generator { Ok(self.new_generator(frame)) } else { self.run_frame(frame) }
    }

    fn not_callable(&mut self, called: Value) -> ExecError {
        let message = format!("'{}' object is not callable", self.class_name(called));
        self.type_error(&message)
    }

    /// Executes a call whose arguments are a sequence and a dict on the stack.
    pub(super) fn call_with_unpacking(&mut self, named: bool) -> ExecResult<()> {
        let keywords = if named { self.pop() } else { Value::None };
        let arguments = self.pop();
        let called = self.pop();
        let arguments = self.collect_values(arguments)?;
        let named = self.keyword_entries(keywords);
        self.begin_call(called, &arguments, &named)
    }

    /// Returns the entries of a dict whose keys are text, as keyword arguments.
    pub(super) fn keyword_entries(&mut self, dict: Value) -> Vec<(Symbol, Value)> {
        let Value::Ref(at) = dict else { return Vec::new() };
        let HeapObject::Dict(dict) = self.heap.get(at) else { return Vec::new() };
        let entries: Vec<(Value, Value)> = dict.iter().collect();
        let named = entries.into_iter().filter_map(|(key, value)| Some((self.as_text(key)?, value)));
        let named: Vec<_> = named.collect();
        named.into_iter().map(|(name, value)| (self.intern(&name), value)).collect()
    }

    /// Adds the entries of a mapping (`**other`) to the keyword arguments of a call.
    pub(super) fn merge_keywords(&mut self, dict: HeapRef, other: Value) -> ExecResult<()> {
        let Some(entries) = self.entries_of_mapping(other)? else {
            let (called, class) = (self.callee_text()?, self.class_name(other));
            return Err(self.type_error(&format!("{called} argument after ** must be a mapping, not {class}")));
        };
        for (key, value) in entries {
            let Some(name) = self.as_text(key) else { return Err(self.type_error("keywords must be strings")) };
            if self.entry(dict, key)?.is_some() {
                let message = format!("{} got multiple values for keyword argument '{name}'", self.callee_text()?);
                return Err(self.type_error(&message));
            }
            self.set_entry(dict, key, value)?;
        }
        Ok(())
    }

    /// Adds the values of `*values` to a list. The error names the called function if the list is the empty argument list of a call.
    pub(super) fn extend_display(&mut self, list: HeapRef, values: Value) -> ExecResult<()> {
        if self.is_iterable(values) {
            return self.extend(list, values);
        }
        let frame = self.top_frame();
        let (code, next) = (frame.code, frame.pc);
        let following = &self.program.code(code).instructions[next..];
        let is_call = matches!(following, [Instruction::ListToTuple, Instruction::CallUnpacked(false), ..]);
        let message = if is_call && self.length(Value::Ref(list))? == 0 {
            let called = self.operands.iter().rev().nth(1).copied().unwrap_or(Value::None);
            format!("{} argument after * must be an iterable", self.function_text(called)?)
        } else {
            "Value after * must be an iterable".to_owned()
        };
        let message = format!("{message}, not {}", self.class_name(values));
        Err(self.type_error(&message))
    }

    /// Returns the name in messages of the function whose arguments are being built.
    fn callee_text(&mut self) -> ExecResult<String> {
        let called = self.operands.iter().rev().nth(2).copied().unwrap_or(Value::None);
        self.function_text(called)
    }

    fn function_text(&mut self, called: Value) -> ExecResult<String> {
        let called = self.materialized(called);
        Ok(match called {
            Value::Builtin(builtin) => format!("{}()", builtin.short_name()),
            Value::Type(kind) => format!("{}()", self.type_name(kind)),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Function(function) => {
                    format!("{}.{}()", self.program.module, self.program.code(function.code).qualified_name)
                }
                HeapObject::Class(class) => format!("{}.{}()", self.program.module, class.qualified_name),
                HeapObject::BoundMethod { function, .. } => {
                    let function = *function;
                    return self.nested(|machine| machine.function_text(function));
                }
                HeapObject::BuiltinMethod(receiver, method) => {
                    format!("{}.{}()", self.type_name(self.type_of(*receiver)), method.name)
                }
                _ => self.str(called)?,
            },
            _ => self.str(called)?,
        })
    }

    /// Creates a frame of a function with its arguments bound to its parameters.
    pub(super) fn bound_frame(
        &mut self,
        at: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
        purpose: ReturnTarget,
    ) -> ExecResult<Frame> {
        let HeapObject::Function(function) = self.heap.get(at) else { unreachable!("called with functions") };
        let (code, closure) = (function.code, SmallVec::<[HeapRef; 4]>::from_slice(&function.closure));
        let frame = self.new_frame(code, &closure, purpose, Some(at));
        self.bind(at, arguments, named, &frame)?;
        Ok(frame)
    }

    fn bind(&mut self, at: HeapRef, arguments: &[Value], named: KeywordArguments<'_>, frame: &Frame) -> ExecResult<()> {
        let program = Arc::clone(&self.program);
        let HeapObject::Function(function) = self.heap.get(at) else { unreachable!("called with functions") };
        let defaults: SmallVec<[Value; 4]> = SmallVec::from_slice(&function.defaults);
        let keyword_defaults: SmallVec<[(Symbol, Value); 2]> = SmallVec::from_slice(&function.keyword_defaults);
        let code = program.code(function.code);
        let signature = &code.signature;
        let count = signature.positional.len();
        let by_place = arguments.len().min(count);
        let mut bound: SmallVec<[Option<Value>; 8]> = SmallVec::from_elem(None, count + signature.keyword_only.len());
        for (slot, &argument) in bound.iter_mut().zip(&arguments[..by_place]) {
            *slot = Some(argument);
        }
        let rest_named = self.bind_named(at, signature, named, frame, &mut bound)?;
        if arguments.len() > count && signature.var_positional.is_none() {
            let keyword_only =
                signature.keyword_only.iter().enumerate().filter(|&(place, _)| bound[count + place].is_some());
            let message = too_many_arguments_message(
                &self.qualified_name(at),
                count,
                defaults.len(),
                arguments.len(),
                keyword_only.count(),
            );
            return Err(self.type_error(&message));
        }
        let first_default = count - defaults.len();
        let missing: Vec<_> = (0..first_default)
            .filter(|&place| bound[place].is_none())
            .map(|place| signature.positional[place].name)
            .collect();
        if !missing.is_empty() {
            return Err(self.missing_arguments_error(&self.qualified_name(at), "positional", &missing));
        }
        for (place, &default) in defaults.iter().enumerate() {
            bound[first_default + place].get_or_insert(default);
        }
        let mut missing = Vec::new();
        for (parameter, slot) in signature.keyword_only.iter().zip(&mut bound[count..]) {
            let default = keyword_defaults.iter().find(|(name, _)| *name == parameter.name);
            *slot = slot.or(default.map(|&(_, value)| value));
            if slot.is_none() {
                missing.push(parameter.name);
            }
        }
        if !missing.is_empty() {
            return Err(self.missing_arguments_error(&self.qualified_name(at), "keyword-only", &missing));
        }
        let parameters = signature.positional.iter().chain(&signature.keyword_only);
        for (parameter, value) in parameters.zip(bound) {
            self.set_frame_variable(frame, parameter.variable, value);
        }
        self.store_further_arguments(signature, &arguments[by_place..], rest_named, frame)
    }

    /// Binds keyword arguments to the parameters of a function; returns those for `**kwargs`.
    fn bind_named(
        &mut self,
        at: HeapRef,
        signature: &Signature,
        named: KeywordArguments<'_>,
        frame: &Frame,
        bound: &mut [Option<Value>],
    ) -> ExecResult<Vec<(Symbol, Value)>> {
        let mut rest = Vec::new();
        for &(symbol, value) in named {
            let parameters = signature.positional.iter().chain(&signature.keyword_only);
            let mut parameters = parameters.enumerate().skip(signature.positional_only);
            match parameters.find(|(_, parameter)| parameter.name == symbol) {
                Some((index, _)) if bound[index].is_some() => {
                    let (function, name) = (self.qualified_name(at), self.name(symbol));
                    return Err(self.type_error(&format!("{function}() got multiple values for argument '{name}'")));
                }
                Some((index, _)) => bound[index] = Some(value),
                None if signature.var_keyword.is_some() => rest.push((symbol, value)),
                None => return Err(self.unexpected_keyword(at, frame, symbol)),
            }
        }
        Ok(rest)
    }

    /// Stores the arguments of `*args` and `**kwargs`.
    fn store_further_arguments(
        &mut self,
        signature: &Signature,
        positional: &[Value],
        named: Vec<(Symbol, Value)>,
        frame: &Frame,
    ) -> ExecResult<()> {
        if let Some(rest) = signature.var_positional {
            let values = self.heap.tuple(positional);
            self.set_frame_variable(frame, rest.variable, Some(values));
        }
        if let Some(keywords) = signature.var_keyword {
            let dict = self.heap.add(HeapObject::Dict(Box::default()));
            for (symbol, value) in named {
                let key = self.name_text(symbol);
                self.set_entry(dict, key, value)?;
            }
            self.set_frame_variable(frame, keywords.variable, Some(Value::Ref(dict)));
        }
        Ok(())
    }

    fn unexpected_keyword(&mut self, at: HeapRef, frame: &Frame, symbol: Symbol) -> ExecError {
        let code = self.program.code(frame.code);
        let by_place_only = &code.signature.positional[..code.signature.positional_only];
        let (name, function) = (self.name(symbol), self.qualified_name(at));
        let message = if by_place_only.iter().any(|parameter| parameter.name == symbol) {
            format!("{function}() got some positional-only arguments passed as keyword arguments: '{name}'")
        } else {
            format!("{function}() got an unexpected keyword argument '{name}'")
        };
        self.type_error(&message)
    }

    /// Creates the `TypeError` for missing arguments of a kind, such as `positional`.
    pub(super) fn missing_arguments_error(&mut self, function: &str, kind: &str, missing: &[Symbol]) -> ExecError {
        let names: Vec<_> = missing.iter().map(|&symbol| self.name(symbol)).collect();
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        self.type_error(&missing_arguments_message(function, kind, &names))
    }

    /// Rejects keyword arguments.
    pub(super) fn reject_keywords(&mut self, function: &str, named: KeywordArguments<'_>) -> ExecResult<()> {
        if named.is_empty() {
            return Ok(());
        }
        let message = format!("{function}() takes no keyword arguments");
        Err(self.type_error(&message))
    }

    /// Returns the only argument of a built-in function.
    pub(super) fn single_argument(
        &mut self,
        function: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.reject_keywords(function, named)?;
        if let [argument] = *arguments {
            Ok(argument)
        } else {
            let message = format!("{function}() takes exactly one argument ({} given)", arguments.len());
            Err(self.type_error(&message))
        }
    }

    /// Checks the number of arguments of a built-in function.
    pub(super) fn check_arity(&mut self, function: &str, count: usize, min: usize, max: usize) -> ExecResult<()> {
        if (min..=max).contains(&count) {
            return Ok(());
        }
        let (bound, limit) = if count < min { ("at least ", min) } else { ("at most ", max) };
        let bound = if min == max { "" } else { bound };
        let plural = if limit == 1 { "" } else { "s" };
        let message = format!("{function} expected {bound}{limit} argument{plural}, got {count}");
        Err(self.raise(ExceptionKind::TypeError, &message))
    }
}

/// Returns the message of the `TypeError` for missing arguments of a kind, such as `positional`.
pub(super) fn missing_arguments_message(function: &str, kind: &str, missing: &[&str]) -> String {
    let names: Vec<String> = missing.iter().map(|name| format!("'{name}'")).collect();
    let listed = match names.as_slice() {
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
        [] => String::new(),
    };
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("{function}() missing {} required {kind} argument{plural}: {listed}", names.len())
}

/// Returns the message of the `TypeError` for too many positional arguments.
pub(super) fn too_many_arguments_message(
    function: &str,
    takes: usize,
    defaults: usize,
    count: usize,
    keyword_only: usize,
) -> String {
    let (range, plural) = if defaults == 0 {
        (takes.to_string(), takes != 1)
    } else {
        (format!("from {} to {takes}", takes - defaults), true)
    };
    let plural = if plural { "s" } else { "" };
    if keyword_only > 0 {
        let given_plural = if count == 1 { "" } else { "s" };
        let only_plural = if keyword_only == 1 { "" } else { "s" };
        return format!(
            "{function}() takes {range} positional argument{plural} but {count} positional argument{given_plural} \
            (and {keyword_only} keyword-only argument{only_plural}) were given"
        );
    }
    let were = if count == 1 { "was" } else { "were" };
    format!("{function}() takes {range} positional argument{plural} but {count} {were} given")
}
