//! Type inference of calls.

use crate::code::{CodeId, CodeKind, Constant, Instruction, Parameter, Symbol, Variable};
use crate::library::{BuiltinForm, FastForm, FastMethod, LibraryFunction, MethodRow};
use crate::machine::BuiltinConstant;

use super::interpret::{PathEnd, StepResult, unsupported};
use super::operators::{arithmetic, require_kinds};
use super::types::{CapturedVariable, IterationSource, Kinds, Type, TypeDetail};
use super::{AbstractState, Inference, InstanceId, Origin, StackValue, Test};

/// The arguments of a call.
struct Arguments {
    positional: Vec<StackValue>,
    keywords: Vec<(Symbol, Type)>,
}

impl Arguments {
    fn types(&self) -> Vec<Type> {
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
        let (count, keywords) = match instruction {
            Instruction::CallKeywords(count, place) => (count, self.keyword_names(at, place)),
            Instruction::Call(count) => (count, Vec::new()),
            _ => return unsupported("a call with `*`"),
        };
        let mut places = state.stack.split_off(state.stack.len() - count as usize);
        let named = places.split_off(places.len() - keywords.len());
        let named = keywords.into_iter().zip(named.iter().map(|slot| slot.ty)).collect();
        let arguments = Arguments { positional: places, keywords: named };
        let Some(called) = state.stack.pop() else { return Err(PathEnd::Unreachable) };
        if called.ty.kinds != Kinds::DETAILED {
            return unsupported("a call of an unknown function");
        }
        let Some(detail) = self.types.detail(called.ty).cloned() else { return Err(PathEnd::Unreachable) };
        // Called functions read the current types of captured variables.
        if let Some(active) = self.active_calls.last_mut() {
            active.variables.clone_from(&state.variables);
        }
        let slot = match detail {
            TypeDetail::Function(code, captured, defaults) => {
                let holds = self.call_function(at, pc, code, &captured, &defaults, &arguments)?;
                StackValue { ty: holds, origin: Origin::Unknown }
            }
            TypeDetail::Builtin(builtin) => self.call_builtin(at, pc, &builtin, &arguments)?,
            TypeDetail::LibraryFunction(function) => {
                StackValue { ty: call_library_function(function, &arguments)?, origin: Origin::Unknown }
            }
            TypeDetail::Method(receiver, method) => {
                let holds = self.call_method(receiver, method, &arguments)?;
                StackValue { ty: holds, origin: Origin::Unknown }
            }
            _ => return unsupported("the creation of objects"),
        };
        state.stack.push(slot);
        Ok(())
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
            return unsupported("a generator function");
        }
        if self.is_generator_expression(code) {
            let iterated = arguments.positional.first().map_or(Type::NEVER, |slot| slot.ty);
            return Ok(self.types.detailed(TypeDetail::Generator(code, captured.to_vec(), iterated)));
        }
        let gives = self.analyze_call(at, pc, code, captured, &arguments.types(), &arguments.keywords, defaults)?;
        if gives.is_never() { Err(PathEnd::Unreachable) } else { Ok(gives) }
    }

    /// Analyzes a function for this call site and returns the type of its result.
    #[allow(clippy::too_many_arguments, reason = "a call has that many parts")]
    fn analyze_call(
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
        if signature.var_positional.is_some() || signature.var_keyword.is_some() || !signature.keyword_only.is_empty() {
            return None;
        }
        let bound = bind_arguments(&signature.positional, signature.positional_only, arguments, named, defaults)?;
        let mut variables = vec![Type::UNBOUND; code.locals.len() + code.cells.len()];
        for (parameter, value) in signature.positional.iter().zip(bound) {
            let place = match parameter.variable {
                Variable::Local(place) => place as usize,
                Variable::Cell(place) => code.locals.len() + place as usize,
            };
            variables[place] = value;
        }
        Some(AbstractState { stack: Vec::new(), variables })
    }

    /// Analyzes a generator that is iterated here and returns the type of its values.
    fn yield_type(&mut self, at: InstanceId, pc: usize, generator: Type) -> StepResult<Option<Type>> {
        let Some(TypeDetail::Generator(code, captured, iterated)) = self.types.detail(generator).cloned() else {
            return Ok(None);
        };
        self.analyze_call(at, pc, code, &captured, &[iterated], &[], &[]).map(Some)
    }

    fn call_builtin(
        &mut self,
        at: InstanceId,
        pc: usize,
        builtin: &BuiltinConstant,
        arguments: &Arguments,
    ) -> StepResult<StackValue> {
        let name = &*builtin.name;
        let has_keywords = matches!(builtin.form, Some(BuiltinForm::Extreme { .. } | BuiltinForm::Sorted));
        if !arguments.keywords.is_empty() && !has_keywords {
            return unsupported(format!("`{name}` with keyword arguments"));
        }
        let Some(form) = builtin.form else { return unsupported(format!("`{name}` with these arguments")) };
        let types = arguments.types();
        let ty = match (form, types.as_slice()) {
            (BuiltinForm::IsInstance, &[_, class]) => return self.is_instance(arguments.positional[0], class),
            (BuiltinForm::ClassOf, &[_]) => return self.class_of(arguments.positional[0]),
            (BuiltinForm::Length, &[list]) if list.kinds == Kinds::LIST => Type::INT,
            (BuiltinForm::Absolute, &[number]) => {
                let number = require_kinds(number, Kinds::NUMBER, "`abs` of a value that is not a number")?;
                arithmetic(number, Type::INT, false)
            }
            (BuiltinForm::ToFloat, &[number]) => self.float(number)?,
            (BuiltinForm::ToInt, &[number]) => {
                require_kinds(number, Kinds::NUMBER, "`int` of a value that is not a number")?;
                Type::INT
            }
            (BuiltinForm::ToBool, &[value]) if !value.kinds.intersects(Kinds::ANY) => {
                let truth = self.types.truth(value);
                self.types.bool(truth)
            }
            (BuiltinForm::Range, &[_] | &[_, _] | &[_, _, _]) => self.range(&types)?,
            (BuiltinForm::Enumerate, &[list]) if list.kinds == Kinds::LIST => {
                self.types.detailed(TypeDetail::Iterator(IterationSource::Enumerate(list, 0)))
            }
            (BuiltinForm::Next, &[generator]) => self.next(at, pc, generator, None)?,
            (BuiltinForm::Next, &[generator, otherwise]) => self.next(at, pc, generator, Some(otherwise))?,
            (BuiltinForm::Quantifier { .. }, &[generator]) => match self.yield_type(at, pc, generator)? {
                Some(yielded) if yielded.kinds.intersects(Kinds::ANY) => return unsupported("values of several types"),
                Some(_) => Type::BOOL,
                None => return unsupported(format!("`{name}` of a value that is not a generator expression")),
            },
            (BuiltinForm::Sum, &[values]) => self.sum(at, pc, values)?,
            (BuiltinForm::Extreme { .. } | BuiltinForm::Sorted, _) => {
                self.min_max_or_sorted(at, pc, name, form == BuiltinForm::Sorted, arguments)?
            }
            _ => return unsupported(format!("`{name}` with these arguments")),
        };
        Ok(StackValue { ty, origin: Origin::Unknown })
    }

    /// Returns the type of `type(object)`.
    fn class_of(&mut self, object: StackValue) -> StepResult<StackValue> {
        let objects = require_kinds(object.ty, Kinds::OBJECT, "`type` of a value that is not an object")?;
        let origin = match object.origin {
            Origin::Variable(variable) => Origin::ClassName(variable),
            _ => Origin::Unknown,
        };
        Ok(StackValue { ty: self.types.detailed(TypeDetail::ClassOf(objects)), origin })
    }

    /// Returns the type of `next(generator)` or `next(generator, otherwise)`.
    fn next(&mut self, at: InstanceId, pc: usize, generator: Type, otherwise: Option<Type>) -> StepResult<Type> {
        match (self.yield_type(at, pc, generator)?, otherwise) {
            (Some(yielded), None) if yielded.is_never() => Err(PathEnd::Unreachable),
            (Some(yielded), None) => Ok(yielded),
            (Some(yielded), Some(otherwise)) => Ok(self.types.join(yielded, otherwise)),
            (None, _) => unsupported("`next` of a value that is not a generator expression"),
        }
    }

    pub(super) fn is_instance(&mut self, object: StackValue, class: Type) -> StepResult<StackValue> {
        let classes = self.tuple_types(class).unwrap_or_else(|| vec![class]);
        let mut wanted = 0;
        for class in classes {
            match self.types.detail(class).filter(|_| class.kinds == Kinds::DETAILED) {
                Some(TypeDetail::Class(class)) => wanted |= self.with_subclasses(*class),
                _ => return unsupported("`isinstance` with a class that is not a class of the world"),
            }
        }
        let simple = Kinds::OBJECT.union(Kinds::NONE);
        if !object.ty.kinds.is_subset(simple) {
            return unsupported("`isinstance` of a value that is not an object");
        }
        let classes = object.ty.classes;
        let known = if classes & wanted == 0 {
            Some(false)
        } else if classes & !wanted == 0 && object.ty.kinds == Kinds::OBJECT {
            Some(true)
        } else {
            None
        };
        let origin = match object.origin {
            Origin::Variable(variable) => Origin::Test(variable, Test::Classes(wanted), true),
            _ => Origin::Unknown,
        };
        Ok(StackValue { ty: self.types.bool(known), origin })
    }

    /// Returns the bit set of a class and its subclasses.
    pub(crate) fn with_subclasses(&self, class: u16) -> u64 {
        let parent = |class: &u16| self.world.screen_classes[*class as usize].parent;
        let kinds = (0..self.world.screen_classes.len() as u16)
            .filter(|&other| std::iter::successors(Some(other), parent).any(|other| other == class));
        kinds.fold(0, |bits, class| bits | 1 << class)
    }

    fn float(&mut self, value: Type) -> StepResult<Type> {
        if let Some(TypeDetail::Text(place)) = self.types.constant(value) {
            let number = match &*self.types.texts[*place as usize] {
                "inf" => f64::INFINITY,
                "-inf" => f64::NEG_INFINITY,
                _ => return unsupported("`float` of a string"),
            };
            return Ok(self.types.detailed(TypeDetail::Float(number.to_bits())));
        }
        require_kinds(value, Kinds::NUMBER, "`float` of a value that is not a number")?;
        Ok(Type::FLOAT)
    }

    fn range(&mut self, arguments: &[Type]) -> StepResult<Type> {
        if !arguments.iter().all(|argument| argument.kinds.is_subset(Kinds::INT.union(Kinds::BOOL))) {
            return unsupported("`range` of values that are not integers");
        }
        let step = arguments.get(2).map_or(Some(1), |&step| self.types.int(step));
        match step {
            Some(step) if step != 0 => Ok(self.types.detailed(TypeDetail::Range(step))),
            _ => unsupported("`range` with a variable step"),
        }
    }

    /// Returns the type of the sum of a list or generator.
    fn sum(&mut self, at: InstanceId, pc: usize, values: Type) -> StepResult<Type> {
        let element = match self.yield_type(at, pc, values)? {
            Some(gives) => gives,
            None if values.kinds == Kinds::LIST => self.types.element(values),
            None => return unsupported("`sum` of a value that is not a list or a generator expression"),
        };
        match element.kinds {
            Kinds::NEVER => Ok(self.types.detailed(TypeDetail::Int(0))),
            Kinds::FLOAT => Ok(Type::of(Kinds::INT.union(Kinds::FLOAT))),
            kinds if kinds.is_subset(Kinds::INT.union(Kinds::BOOL)) => Ok(Type::INT),
            _ => unsupported("`sum` of numbers of several types"),
        }
    }

    /// Returns the type of a call of `min`, `max` or `sorted` of a list with a `key`.
    fn min_max_or_sorted_by_key(
        &mut self,
        at: InstanceId,
        pc: usize,
        name: &str,
        is_sorted: bool,
        list: Type,
        key: Type,
    ) -> StepResult<Type> {
        let element = self.types.element(list);
        if element.is_never() {
            return self.empty_list_result(at, pc, name, is_sorted);
        }
        let Some(TypeDetail::Function(code, captured, defaults)) = self.types.detail(key).cloned() else {
            return unsupported(format!("`{name}` with a `key` that is not a function of the program"));
        };
        let key_type = self.analyze_call(at, pc, code, &captured, &[element], &[], &defaults)?;
        if key_type.is_never() {
            return Err(PathEnd::Unreachable);
        }
        let whole = self.tuple_types(key_type).unwrap_or_else(|| vec![key_type]);
        if whole.iter().any(|part| !matches!(part.kinds, Kinds::INT | Kinds::FLOAT)) {
            return unsupported(format!("`{name}` with a `key` that does not return numbers of one type"));
        }
        if !is_sorted && whole.len() > 1 {
            return unsupported(format!("`{name}` with a `key` that returns tuples"));
        }
        Ok(self.element_or_list(at, pc, is_sorted, element))
    }

    /// Returns the type of a call of `min`, `max` or `sorted`.
    fn min_max_or_sorted(
        &mut self,
        at: InstanceId,
        pc: usize,
        name: &str,
        is_sorted: bool,
        arguments: &Arguments,
    ) -> StepResult<Type> {
        let program = self.program;
        let mut key = None;
        for &(symbol, value) in &arguments.keywords {
            match &*program.names[symbol.0 as usize] {
                "key" => key = Some(value),
                other => return unsupported(format!("`{name}` with `{other}`")),
            }
        }
        let types = arguments.types();
        if let ([list], Some(key)) = (types.as_slice(), key)
            && list.kinds == Kinds::LIST
        {
            return self.min_max_or_sorted_by_key(at, pc, name, is_sorted, *list, key);
        }
        if key.is_some() {
            return unsupported(format!("`{name}` with `key` of a value that is not a list"));
        }
        match types.as_slice() {
            [_, _, ..] if !is_sorted => {
                let mut all = Type::NEVER;
                for &value in &types {
                    let number =
                        require_kinds(value, Kinds::NUMBER, &format!("`{name}` of values that are not numbers"))?;
                    all = self.types.join(all, number);
                }
                Ok(Type::of(all.kinds))
            }
            [list] if list.kinds == Kinds::LIST => {
                let element = self.types.element(*list);
                match element.kinds {
                    Kinds::NEVER => self.empty_list_result(at, pc, name, is_sorted),
                    Kinds::INT | Kinds::FLOAT => Ok(self.element_or_list(at, pc, is_sorted, element)),
                    _ => unsupported(format!("`{name}` of a list of values other than numbers of one type")),
                }
            }
            _ => unsupported(format!("`{name}` with these arguments")),
        }
    }

    fn element_or_list(&mut self, at: InstanceId, pc: usize, is_sorted: bool, element: Type) -> Type {
        if !is_sorted {
            return element;
        }
        let list = self.new_list(at, pc);
        self.types.add_element(list, element);
        list
    }

    /// Returns the type of the same call with a list that is always empty.
    fn empty_list_result(&mut self, at: InstanceId, pc: usize, name: &str, is_sorted: bool) -> StepResult<Type> {
        if is_sorted { Ok(self.new_list(at, pc)) } else { unsupported(format!("`{name}` of an empty list")) }
    }

    fn call_method(&mut self, receiver: Type, method: &'static MethodRow, arguments: &Arguments) -> StepResult<Type> {
        let types = arguments.types();
        let &[argument] = types.as_slice() else {
            return unsupported(format!("the method `{}` with these arguments", method.name));
        };
        if !arguments.keywords.is_empty() {
            return unsupported(format!("the method `{}` with keyword arguments", method.name));
        }
        match method.fast {
            Some(FastMethod::Append) => {
                self.types.mark_mutated(receiver);
                self.store_element(receiver, argument)?;
                Ok(Type::NONE)
            }
            Some(FastMethod::Remove) => {
                self.types.mark_mutated(receiver);
                let element = self.types.element(receiver);
                let plain = Kinds::OBJECT.union(Kinds::INT).union(Kinds::TEXT);
                if element.is_never()
                    || (element.kinds == argument.kinds && element.kinds.is_single() && element.kinds.is_subset(plain))
                {
                    return Ok(Type::NONE);
                }
                unsupported("`remove` of a value of another type than the elements of the list")
            }
            Some(FastMethod::IsOnTop | FastMethod::Distance) => {
                require_kinds(argument, Kinds::OBJECT, "a method of a value that is not an object")?;
                Ok(if method.fast == Some(FastMethod::IsOnTop) { Type::BOOL } else { Type::FLOAT })
            }
            None => unsupported(format!("the method `{}`", method.name)),
        }
    }
}

/// Binds arguments to parameters; `None` if they do not match.
pub(crate) fn bind_arguments<T: Copy>(
    parameters: &[Parameter],
    by_place_only: usize,
    arguments: &[T],
    named: &[(Symbol, T)],
    defaults: &[T],
) -> Option<Vec<T>> {
    if arguments.len() > parameters.len() || defaults.len() > parameters.len() {
        return None;
    }
    let mut bound: Vec<Option<T>> = arguments.iter().copied().map(Some).collect();
    bound.resize(parameters.len(), None);
    for &(symbol, value) in named {
        let mut places = parameters.iter().enumerate().skip(by_place_only);
        let (place, _) = places.find(|(_, parameter)| parameter.name == symbol)?;
        if bound[place].replace(value).is_some() {
            return None;
        }
    }
    let first = parameters.len() - defaults.len();
    for (slot, &default) in bound[first..].iter_mut().zip(defaults) {
        slot.get_or_insert(default);
    }
    bound.into_iter().collect()
}

fn call_library_function(function: &LibraryFunction, arguments: &Arguments) -> StepResult<Type> {
    let types = arguments.types();
    for &number in &types {
        require_kinds(number, Kinds::NUMBER, &format!("`{}` of values that are not numbers", function.name))?;
    }
    match (function.fast, types.len()) {
        (Some(FastForm::Hypot), 2) => Ok(Type::FLOAT),
        (Some(FastForm::Hypot) | None, _) => unsupported(format!("`{}`", function.name)),
        (Some(_), 1) => Ok(Type::FLOAT),
        (Some(_), _) => unsupported(format!("`{}`", function.name)),
    }
}
