//! Type inference of calls.

use crate::code::{CodeId, CodeKind, CodeObject, Constant, Instruction, Parameter, Signature, Symbol, Variable};
use crate::machine::library_function::BuiltinForm;
use crate::machine::{Construction, FunctionConstant, HeapRef};

use super::interpret::{PathEnd, StepResult, unsupported};
use super::types::{CapturedVariable, Kinds, Type, TypeDetail};
use super::{AbstractState, Inference, InstanceId, Origin, StackValue};

/// The arguments of a call.
#[derive(Clone)]
pub(super) struct Arguments {
    pub(super) positional: Vec<StackValue>,
    pub(super) keywords: Vec<(Symbol, Type)>,
}

impl Arguments {
    pub(super) fn types(&self) -> Vec<Type> {
        self.positional.iter().map(|slot| slot.ty).collect()
    }
}

impl Inference<'_> {
    pub(super) fn call(
        &mut self,
        at: InstanceId,
        pc: usize,
        instruction: Instruction,
        state: &mut AbstractState,
    ) -> StepResult<()> {
        let arguments = self.arguments(at, instruction, state)?;
        let Some(mut called) = state.stack.pop() else { return Err(PathEnd::Unreachable) };
        if called.ty.kinds == Kinds::RECORD {
            called = self.record_attribute(called.ty, "__call__")?;
        }
        if called.ty.kinds != Kinds::DETAILED {
            return unsupported("a call of an unknown function");
        }
        let Some(detail) = self.types.detail(called.ty).cloned() else { return Err(PathEnd::Unreachable) };
        // Called functions read the current types of captured variables.
        if let Some(active) = self.active_calls.last_mut() {
            active.variables.clone_from(&state.variables);
        }
        match &detail {
            TypeDetail::Builtin(builtin) if matches!(builtin.form, Some(BuiltinForm::Zip | BuiltinForm::Enumerate)) => {
                for iterable in arguments.types() {
                    self.check_generator_argument(at, pc, &state.stack, iterable)?;
                }
                if builtin.form == Some(BuiltinForm::Zip) {
                    self.check_read_at_once(at, pc, &state.stack, "zip")?;
                }
            }
            TypeDetail::Method(receiver, method)
                if receiver.kinds == Kinds::RECORD && matches!(method.name, "items" | "values") =>
            {
                self.check_read_at_once(at, pc, &state.stack, method.name)?;
            }
            _ => {}
        }
        let slot = match detail {
            TypeDetail::Function(code, captured, defaults) => {
                let holds = self.call_function(at, pc, code, &captured, &defaults, &arguments)?;
                StackValue { ty: holds, origin: Origin::Unknown }
            }
            TypeDetail::CachedFunction(code) => {
                // Such an argument alone is its own key; several are a key with others that are equal to them.
                let is_own_key = match arguments.types().as_slice() {
                    [only] => matches!(only.kinds, Kinds::INT | Kinds::TEXT) && arguments.keywords.is_empty(),
                    _ => false,
                };
                if !is_own_key {
                    return unsupported("a function with a cache, called with other values than an integer or a text");
                }
                let ty = self.call_function(at, pc, code, &[], &[], &arguments)?;
                StackValue { ty, origin: Origin::Unknown }
            }
            TypeDetail::Builtin(builtin) => match self.call_consumed(at, pc, &builtin, &arguments, &state.stack)? {
                Some(ty) => StackValue { ty, origin: Origin::Unknown },
                None => self.call_builtin(at, pc, &builtin, &arguments)?,
            },
            TypeDetail::LibraryFunction(function) => {
                let ty = self.call_library_function(function, &arguments)?;
                StackValue { ty, origin: Origin::Unknown }
            }
            TypeDetail::CountDigits => {
                let one = self.types.text("1");
                match arguments.types().as_slice() {
                    &[digit] if digit == one => StackValue { ty: Type::INT, origin: Origin::Unknown },
                    _ => return unsupported("the number of digits"),
                }
            }
            TypeDetail::Method(receiver, method) => {
                let holds = self.call_method(at, pc, receiver, method, &arguments)?;
                StackValue { ty: holds, origin: Origin::Unknown }
            }
            TypeDetail::BoundFunction(receiver, code, defaults) => {
                let ty = self.call_method_of_program(at, pc, receiver, (code, &defaults), arguments)?;
                StackValue { ty, origin: Origin::Unknown }
            }
            TypeDetail::ProgramClass(class) => {
                StackValue { ty: self.call_class(at, pc, class, arguments)?, origin: Origin::Unknown }
            }
            _ => return unsupported("the creation of objects"),
        };
        state.stack.push(slot);
        Ok(())
    }

    fn call_method_of_program(
        &mut self,
        at: InstanceId,
        pc: usize,
        receiver: Type,
        (code, defaults): (CodeId, &[Type]),
        mut arguments: Arguments,
    ) -> StepResult<Type> {
        arguments.positional.insert(0, StackValue { ty: receiver, origin: Origin::Unknown });
        self.call_function(at, pc, code, &[], defaults, &arguments)
    }

    /// Returns the type of a call of a special method of an instance; `None` if its class does not define it.
    pub(super) fn call_special(
        &mut self,
        at: InstanceId,
        pc: usize,
        record: Type,
        name: &str,
        arguments: &[Type],
    ) -> StepResult<Option<Type>> {
        if self.has_other_special_method(record, name) {
            return unsupported(format!("the method `{name}`"));
        }
        let Some(function) = self.special_method(record, name) else { return Ok(None) };
        self.call_function_of_object(at, pc, record, &function, arguments).map(Some)
    }

    /// Returns the type of a call of a function with an instance as its first argument.
    pub(super) fn call_function_of_object(
        &mut self,
        at: InstanceId,
        pc: usize,
        record: Type,
        function: &FunctionConstant,
        arguments: &[Type],
    ) -> StepResult<Type> {
        let (_, defaults) = self.function_parts(function);
        let slot = |&ty: &Type| StackValue { ty, origin: Origin::Unknown };
        let arguments = Arguments { positional: arguments.iter().map(slot).collect(), keywords: Vec::new() };
        self.call_method_of_program(at, pc, record, (function.code, &defaults), arguments)
    }

    /// Replaces a property on top of the stack by the result of its getter.
    pub(super) fn call_property(
        &mut self,
        at: InstanceId,
        pc: usize,
        symbol: Symbol,
        state: &mut AbstractState,
    ) -> StepResult<()> {
        let Some(top) = state.stack.last().copied() else { return Err(PathEnd::Unreachable) };
        let Some(&TypeDetail::BoundFunction(receiver, code, _)) = self.types.detail(top.ty) else { return Ok(()) };
        let program = self.program;
        if self.property(receiver, program.name(symbol)) != Some(code) {
            return Ok(());
        }
        state.stack.pop();
        if let Some(active) = self.active_calls.last_mut() {
            active.variables.clone_from(&state.variables);
        }
        let arguments = Arguments { positional: Vec::new(), keywords: Vec::new() };
        let ty = self.call_method_of_program(at, pc, receiver, (code, &[]), arguments)?;
        state.stack.push(StackValue { ty, origin: Origin::Unknown });
        Ok(())
    }

    /// Returns the type of a new instance of a class of the program.
    fn call_class(&mut self, at: InstanceId, pc: usize, class: HeapRef, arguments: Arguments) -> StepResult<Type> {
        let (record, construction) = self.new_instance(at, pc, class)?;
        match construction {
            Construction::Empty if arguments.positional.is_empty() && arguments.keywords.is_empty() => {}
            Construction::Empty => return unsupported("a call with unsuitable arguments, or with `*args`"),
            Construction::Init(init) => {
                let (captured, defaults) = self.function_parts(&init);
                if !captured.is_empty() {
                    return unsupported("a method that captures variables");
                }
                let returned = self.call_method_of_program(at, pc, record, (init.code, &defaults), arguments)?;
                if returned.kinds != Kinds::NONE {
                    return unsupported("an `__init__` that returns a value");
                }
            }
            Construction::Fields(fields) => {
                let (types, keywords) = (arguments.types(), arguments.keywords);
                let Some(values) = self.bind_fields(&fields, &types, &keywords) else {
                    return unsupported("a call with unsuitable arguments, or with `*args`");
                };
                for (place, ((name, default), value)) in (1..).zip(fields.iter().zip(values)) {
                    let value = match (value, default) {
                        (Some(value), _) => value,
                        (None, Some(default)) => self.default_field(at, pc, place, default),
                        (None, None) => return unsupported("a call with unsuitable arguments, or with `*args`"),
                    };
                    if value.kinds.intersects(Kinds::ANY) {
                        return unsupported("a field with values of several types");
                    }
                    let key = self.types.text(name);
                    self.set_field(record, key, value, true)?;
                }
            }
        }
        Ok(self.types.sited(record.site))
    }

    /// Takes the arguments of a call from the stack.
    fn arguments(
        &mut self,
        at: InstanceId,
        instruction: Instruction,
        state: &mut AbstractState,
    ) -> StepResult<Arguments> {
        let slot = |ty: Type| StackValue { ty, origin: Origin::Unknown };
        let (count, keywords) = match instruction {
            Instruction::CallKeywords(count, place) => (count, self.keyword_names(at, place)),
            Instruction::Call(count) => (count, Vec::new()),
            Instruction::CallUnpacked(has_keywords) => {
                let mut keywords = Vec::new();
                if has_keywords {
                    let dict = state.stack.pop().map_or(Type::NEVER, |slot| slot.ty);
                    for (key, value) in self.dict_fields(dict)? {
                        keywords.push((self.keyword_symbol(key)?, value));
                    }
                }
                let parts = state.stack.pop().and_then(|tuple| self.tuple_types(tuple.ty));
                let Some(parts) = parts else { return unsupported("a call with `*`") };
                return Ok(Arguments { positional: parts.into_iter().map(slot).collect(), keywords });
            }
            _ => return unsupported("a call with `*`"),
        };
        let mut positional = state.stack.split_off(state.stack.len() - count as usize);
        let named = positional.split_off(positional.len() - keywords.len());
        let keywords = keywords.into_iter().zip(named.iter().map(|slot| slot.ty)).collect();
        Ok(Arguments { positional, keywords })
    }

    /// Returns the name of a keyword argument by its constant type.
    pub(crate) fn keyword_symbol(&self, key: Type) -> StepResult<Symbol> {
        match self.types.constant(key) {
            Some(&TypeDetail::Text(place)) if (place as usize) < self.program.names.len() => Ok(Symbol(place)),
            _ => unsupported("a keyword argument with a variable name"),
        }
    }

    /// Returns the names of the keyword arguments, which are the last arguments of a call.
    pub(crate) fn keyword_names(&self, at: InstanceId, place: u32) -> Vec<Symbol> {
        let code = self.program.code(self.instance_at(at).code);
        match &code.constants[place as usize] {
            Constant::Names(names) => names.to_vec(),
            _ => Vec::new(),
        }
    }

    fn call_function(
        &mut self,
        at: InstanceId,
        pc: usize,
        code: CodeId,
        captured: &[CapturedVariable],
        defaults: &[Type],
        arguments: &Arguments,
    ) -> StepResult<Type> {
        if self.program.code(code).kind == CodeKind::GeneratorFunction {
            return self.generator(code, captured, defaults, arguments);
        }
        if self.is_generator_expression(code) {
            let iterated = arguments.positional.first().map_or(Type::NEVER, |slot| slot.ty);
            return Ok(self.types.detailed(TypeDetail::Generator(code, captured.to_vec(), iterated)));
        }
        let gives = self.analyze_call(at, pc, code, captured, &arguments.types(), &arguments.keywords, defaults)?;
        if gives.is_never() { Err(PathEnd::Unreachable) } else { Ok(gives) }
    }

    /// Returns the type of a generator that a call of a generator function makes.
    fn generator(
        &mut self,
        code: CodeId,
        captured: &[CapturedVariable],
        defaults: &[Type],
        arguments: &Arguments,
    ) -> StepResult<Type> {
        let signature = &self.program.code(code).signature;
        let is_plain = signature.var_positional.is_none() && signature.var_keyword.is_none();
        let bound = bind_arguments(signature, &arguments.types(), &arguments.keywords, defaults);
        let Some(bound) = bound.filter(|_| is_plain && signature.keyword_only.is_empty()) else {
            return unsupported("a generator function with these arguments");
        };
        let parameters = self.types.detailed(TypeDetail::Tuple(bound.parameters));
        Ok(self.types.detailed(TypeDetail::Generator(code, captured.to_vec(), parameters)))
    }

    /// Analyzes a function for this call site and returns the type of its result.
    #[allow(clippy::too_many_arguments, reason = "a call has that many parts")]
    pub(super) fn analyze_call(
        &mut self,
        at: InstanceId,
        pc: usize,
        code: CodeId,
        captured: &[CapturedVariable],
        arguments: &[Type],
        named: &[(Symbol, Type)],
        defaults: &[Type],
    ) -> StepResult<Type> {
        let child = self.get_or_create_instance(Some((at, pc as u32)), code, captured).map_err(PathEnd::Unsupported)?;
        let Some(state) = self.entry_state(child, arguments, named, defaults) else {
            return unsupported("a call with unsuitable arguments, or with `*args`");
        };
        self.join_into(child, 0, state);
        self.analyze(child);
        Ok(self.instance_at(child).return_type)
    }

    /// Returns the state at the start of a function; `None` if the arguments do not match its parameters one to one.
    pub(super) fn entry_state(
        &mut self,
        instance: InstanceId,
        arguments: &[Type],
        named: &[(Symbol, Type)],
        defaults: &[Type],
    ) -> Option<AbstractState> {
        let program = self.program;
        let code = program.code(self.instance_at(instance).code);
        let signature = &code.signature;
        let bound = bind_arguments(signature, arguments, named, defaults)?;
        let is_generator = |ty: &Type| matches!(self.types.detail(*ty), Some(TypeDetail::Generator(..)));
        let generators = all_parameters(signature).zip(&bound.parameters).filter(|(_, ty)| is_generator(ty));
        let are_used_once = generators.into_iter().all(|(parameter, _)| is_read_once(code, parameter.variable));
        if !are_used_once
            || bound.rest.iter().any(is_generator)
            || bound.keywords.iter().any(|(_, ty)| is_generator(ty))
        {
            return None;
        }
        let mut values: Vec<Type> = bound.parameters;
        if signature.var_positional.is_some() {
            values.push(self.types.detailed(TypeDetail::Tuple(bound.rest)));
        }
        if signature.var_keyword.is_some() {
            let dict = self.new_record_at(instance, KEYWORD_DICT, None);
            for (symbol, value) in bound.keywords {
                let key = self.types.text(program.name(symbol));
                self.set_dict_item(dict, key, value, true).ok()?;
            }
            values.push(dict);
        }
        let mut variables = vec![Type::UNBOUND; code.locals.len() + code.cells.len()];
        for (parameter, value) in all_parameters(signature).zip(values) {
            let place = match parameter.variable {
                Variable::Local(place) => place as usize,
                Variable::Cell(place) => code.locals.len() + place as usize,
            };
            variables[place] = value;
        }
        Some(AbstractState { stack: Vec::new(), variables })
    }

    /// Returns the type of the dict of a function's other keyword arguments.
    pub(crate) fn keyword_dict(&self, instance: InstanceId) -> Option<Type> {
        self.created_list(instance, KEYWORD_DICT)
    }

    /// Analyzes a generator that is iterated here and returns the type of its values.
    pub(super) fn yield_type(&mut self, at: InstanceId, pc: usize, generator: Type) -> StepResult<Option<Type>> {
        let Some(TypeDetail::Generator(code, captured, iterated)) = self.types.detail(generator).cloned() else {
            return Ok(None);
        };
        if self.program.code(code).kind == CodeKind::GeneratorFunction {
            let parameters = self.tuple_types(iterated).unwrap_or_default();
            let defaults = self.unused_defaults(code);
            return self.analyze_call(at, pc, code, &captured, &parameters, &[], &defaults).map(Some);
        }
        self.analyze_call(at, pc, code, &captured, &[iterated], &[], &[]).map(Some)
    }

    /// Returns as many defaults as a function has, for a call that gives all arguments.
    pub(crate) fn unused_defaults(&self, code: CodeId) -> Vec<Type> {
        vec![Type::NONE; self.program.code(code).signature.defaults]
    }
}

/// Whether each call of a function reads a variable at most once.
fn is_read_once(code: &CodeObject, variable: Variable) -> bool {
    let instructions = || code.instructions.iter().enumerate();
    let mut reads = instructions().filter(|(_, own)| **own == Instruction::Load(variable));
    let (Some((read, _)), None) = (reads.next(), reads.next()) else { return false };
    let is_around =
        |(pc, own): (usize, &Instruction)| own.jump_target().is_some_and(|target| (target..=pc).contains(&read));
    matches!(variable, Variable::Local(_)) && !instructions().any(is_around)
}

/// The instruction that stands for the creation of the dict of a function's other keyword arguments.
pub(super) const KEYWORD_DICT: usize = u32::MAX as usize;

/// The arguments of a call by the parameters that receive them.
pub(crate) struct BoundArguments<T> {
    /// The values of the positional and of the keyword-only parameters.
    pub(crate) parameters: Vec<T>,
    /// The positional arguments of `*args`.
    pub(crate) rest: Vec<T>,
    /// The keyword arguments of `**kwargs`.
    pub(crate) keywords: Vec<(Symbol, T)>,
}

/// Returns the parameters of a function in the order of [`BoundArguments`].
pub(crate) fn all_parameters(signature: &Signature) -> impl Iterator<Item = &Parameter> {
    let positional = signature.positional.iter().chain(&signature.keyword_only);
    positional.chain(&signature.var_positional).chain(&signature.var_keyword)
}

/// Binds arguments to parameters; `None` if they do not match. The defaults are those of the last positional parameters and then those of
/// keyword-only parameters.
pub(crate) fn bind_arguments<T: Copy>(
    signature: &Signature,
    arguments: &[T],
    named: &[(Symbol, T)],
    defaults: &[T],
) -> Option<BoundArguments<T>> {
    let count = signature.positional.len();
    if (arguments.len() > count && signature.var_positional.is_none()) || defaults.len() < signature.defaults {
        return None;
    }
    let (arguments, rest) = arguments.split_at(arguments.len().min(count));
    let mut bound: Vec<Option<T>> = arguments.iter().copied().map(Some).collect();
    bound.resize(count + signature.keyword_only.len(), None);
    let mut keywords = Vec::new();
    for &(symbol, value) in named {
        let parameters = signature.positional.iter().chain(&signature.keyword_only).enumerate();
        let mut parameters = parameters.skip(signature.positional_only);
        match parameters.find(|(_, parameter)| parameter.name == symbol) {
            Some((place, _)) => {
                if bound[place].replace(value).is_some() {
                    return None;
                }
            }
            None if signature.var_keyword.is_some() => keywords.push((symbol, value)),
            None => return None,
        }
    }
    let (positional_defaults, keyword_defaults) = defaults.split_at(signature.defaults);
    let first = count - signature.defaults;
    for (slot, &default) in bound[first..count].iter_mut().zip(positional_defaults) {
        slot.get_or_insert(default);
    }
    for (name, &default) in signature.keyword_defaults.iter().zip(keyword_defaults) {
        let place = signature.keyword_only.iter().position(|parameter| parameter.name == *name)?;
        bound[count + place].get_or_insert(default);
    }
    let parameters = bound.into_iter().collect::<Option<Vec<T>>>()?;
    Some(BoundArguments { parameters, rest: rest.to_vec(), keywords })
}
