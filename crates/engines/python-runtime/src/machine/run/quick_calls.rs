//! Shortcuts of calls.

use smallvec::SmallVec;

use super::super::library_function::{BuiltinForm, Implementation, LibraryFunction, Signature};
use super::super::methods::FastMethod;
use super::super::screen::ScreenObject;
use super::super::value::{AttributeMap, Function, HeapRef};
use super::super::{Machine, cost};
use super::shortcuts::Shortcut;
use super::{ExecResult, Frame, HeapObject, Operands, ReturnTarget, Type, Value};
use crate::code::{CodeId, CodeKind, Symbol};
use crate::machine::construct::convert_number;
use crate::machine::iterators::IteratorState;
use crate::machine::operators::MAX_EXACT_FLOAT_INT;
use crate::machine::quick_operators::{quick_binary, quick_compare};
use crate::operators::{BinaryOperator, ComparisonOperator};

/// The maximum number of elements of a list or a tuple that a built-in function runs through at once.
const MAX_QUICK_ELEMENTS: u64 = 64;

impl Machine {
    /// Starts a call of a function or method of the program whose arguments are its positional parameters, or calls a built-in function.
    #[inline(never)]
    pub(super) fn quick_call(&mut self, count: usize, pc: usize) -> ExecResult<Shortcut> {
        let place = self.operands.len() - count - 1;
        match self.operands[place] {
            Value::Builtin(builtin) => self.quick_builtin_call(builtin, place, pc),
            Value::Method { receiver, function } => self.quick_function_call(function, place, Some(receiver), pc),
            Value::BuiltinMethod { receiver, method } => self.quick_method_call(receiver, method, place, pc),
            Value::Type(kind) => {
                if let [argument] = self.operands[place + 1..]
                    && let Some(value) = convert_number(kind, argument)
                {
                    return self.finish_builtin_call(place, value, 0);
                }
                if let (Type::Type, [argument]) = (kind, &self.operands[place + 1..]) {
                    let class = self.class_of(*argument);
                    return self.finish_builtin_call(place, class, 0);
                }
                let arguments = self.take_arguments(place, pc);
                let value = self.construct(kind, &arguments, &[])?;
                self.operands.push(value);
                Ok(Shortcut::Taken)
            }
            Value::Ref(at) => match *self.heap.get(at) {
                HeapObject::Function(_) => self.quick_function_call(at, place, None, pc),
                HeapObject::BoundMethod { receiver: Value::Ref(receiver), function: Value::Ref(function) } => {
                    self.quick_function_call(function, place, Some(receiver), pc)
                }
                HeapObject::Class(_) => self.quick_instance(at, place, &[], pc),
                HeapObject::Instance { class, .. } => match self.class_field_named(class, "__call__") {
                    Some(Value::Ref(function)) if matches!(self.heap.get(function), HeapObject::Function(_)) => {
                        self.quick_function_call(function, place, Some(at), pc)
                    }
                    _ => Ok(Shortcut::Unavailable),
                },
                _ => Ok(Shortcut::Unavailable),
            },
            _ => Ok(Shortcut::Unavailable),
        }
    }

    /// Calls a built-in function with the operands above a place of the stack.
    fn quick_builtin_call(
        &mut self,
        builtin: &'static LibraryFunction,
        place: usize,
        pc: usize,
    ) -> ExecResult<Shortcut> {
        if let Some(form) = builtin.form {
            if let Some((value, work)) = self.quick_builtin(form, place) {
                return self.finish_builtin_call(place, value, work);
            }
            if self.start_consumer(form, place, pc)? {
                return Ok(Shortcut::FrameChanged);
            }
            if let Some(iterator) = self.quick_iterator(form, place) {
                return self.finish_builtin_call(place, iterator, 0);
            }
        }
        let arguments = &self.operands[place + 1..];
        if let Some(value) = quick_float_function(builtin, arguments) {
            let work = arguments.len() as u64 * cost::OPERATION;
            return self.finish_builtin_call(place, value, work);
        }
        let arguments = self.take_arguments(place, pc);
        let value = self.call_builtin(builtin, &arguments, &[])?;
        self.operands.push(value);
        Ok(Shortcut::Taken)
    }

    /// Replaces a built-in function and its arguments on the stack by its result, and deducts the work of the call and that beyond it.
    #[inline]
    fn finish_builtin_call(&mut self, place: usize, value: Value, work: u64) -> ExecResult<Shortcut> {
        self.spend(cost::BUILTIN + work)?;
        self.operands.truncate(place);
        self.operands.push(value);
        Ok(Shortcut::Taken)
    }

    /// Starts a call of a function, a method or a class of the program whose last arguments are given by name.
    #[inline]
    pub(super) fn quick_keyword_call(&mut self, count: usize, names: &[Symbol], pc: usize) -> ExecResult<Shortcut> {
        let place = self.operands.len() - count - 1;
        match self.operands[place] {
            Value::Method { receiver, function } => self.quick_named_call(function, place, Some(receiver), names, pc),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Class(_) => self.quick_instance(at, place, names, pc),
                HeapObject::Function(_) => self.quick_named_call(at, place, None, names, pc),
                _ => Ok(Shortcut::Unavailable),
            },
            _ => Ok(Shortcut::Unavailable),
        }
    }

    /// Starts a call whose last arguments are given by name.
    fn quick_named_call(
        &mut self,
        at: HeapRef,
        place: usize,
        receiver: Option<HeapRef>,
        names: &[Symbol],
        pc: usize,
    ) -> ExecResult<Shortcut> {
        let positional = self.operands.len() - place - 1 - names.len();
        if self.names_follow(at, positional + usize::from(receiver.is_some()), names) {
            return self.quick_function_call(at, place, receiver, pc);
        }
        if self.frames.len() >= self.budget.call_depth {
            return Ok(Shortcut::Unavailable);
        }
        self.top_frame().pc = pc;
        match self.push_bound_frame(at, receiver, [place + 1, place], names, ReturnTarget::Stack) {
            Some(code) => self.start_pushed_frame(code),
            None => Ok(Shortcut::Unavailable),
        }
    }

    /// Returns whether names are those of the parameters of a function that follow a number of positional ones.
    fn names_follow(&self, at: HeapRef, positional: usize, names: &[Symbol]) -> bool {
        let HeapObject::Function(function) = self.heap.get(at) else { return false };
        let signature = &self.program.code(function.code).signature;
        let parameters = signature.positional.get(positional..positional + names.len());
        positional >= signature.positional_only
            && parameters
                .is_some_and(|parameters| parameters.iter().zip(names).all(|(parameter, name)| parameter.name == *name))
    }

    /// Creates a function without defaults, whose cells lie on the stack.
    pub(super) fn quick_function(&mut self, code: CodeId, cell_count: usize) {
        let first = self.operands.len() - cell_count;
        let closure = self.operands[first..].iter().filter_map(|cell| match cell {
            Value::Ref(at) => Some(*at),
            _ => None,
        });
        let function = Function {
            code,
            defaults: Vec::new(),
            keyword_defaults: Vec::new(),
            closure: closure.collect(),
            attributes: AttributeMap::default(),
            defining_class: None,
        };
        self.operands.truncate(first);
        let function = self.heap.add_in_place(HeapObject::Function(Box::new(function)));
        self.operands.push(Value::Ref(function));
    }

    /// Creates the function of a comprehension, which all its runs share.
    #[cold]
    pub(super) fn new_comprehension(&mut self, code: CodeId) -> Value {
        let function = Function {
            code,
            defaults: Vec::new(),
            keyword_defaults: Vec::new(),
            closure: Vec::new(),
            attributes: AttributeMap::default(),
            defining_class: None,
        };
        let function = self.heap.add_shared(HeapObject::Function(Box::new(function)));
        self.comprehensions[code.0 as usize] = Some(function);
        Value::Ref(function)
    }

    /// Takes the called value at a place of the stack and the arguments above it. Returns the arguments.
    #[inline]
    fn take_arguments(&mut self, place: usize, pc: usize) -> Operands {
        self.top_frame().pc = pc;
        let arguments = Operands::from_slice(&self.operands[place + 1..]);
        self.operands.truncate(place);
        arguments
    }

    /// Starts a call of a function with the operands above a place of the stack, and replaces them by its result when it returns.
    #[inline]
    pub(super) fn quick_function_call(
        &mut self,
        at: HeapRef,
        place: usize,
        receiver: Option<HeapRef>,
        pc: usize,
    ) -> ExecResult<Shortcut> {
        if self.frames.len() >= self.budget.call_depth {
            return Ok(Shortcut::Unavailable);
        }
        self.top_frame().pc = pc;
        let pushed = self.push_quick_frame(at, receiver, place + 1, place, ReturnTarget::Stack);
        let pushed =
            pushed.or_else(|| self.push_bound_frame(at, receiver, [place + 1, place], &[], ReturnTarget::Stack));
        match pushed {
            Some(code) => self.start_pushed_frame(code),
            None => Ok(Shortcut::Unavailable),
        }
    }

    /// Starts the call whose frame was pushed, or replaces the frame by a generator if the function is one.
    #[inline]
    fn start_pushed_frame(&mut self, code: CodeId) -> ExecResult<Shortcut> {
        if self.program.code(code).kind.is_generator() {
            let frame = self.frames.pop().expect("the frame was pushed");
            let generator = self.new_generator(frame);
            self.operands.push(generator);
            return Ok(Shortcut::Taken);
        }
        if let Err(fault) = self.charge(cost::CALL) {
            self.pop_frame();
            return Err(fault);
        }
        Ok(Shortcut::FrameChanged)
    }

    /// Pushes the frame of a call whose arguments are positional parameters of the function: a receiver, if there is one, and the operands
    /// from `first_argument` on. Takes all operands from `first_operand` on from the stack. Returns the code of the function.
    #[inline]
    pub(in crate::machine) fn push_quick_frame(
        &mut self,
        at: HeapRef,
        receiver: Option<HeapRef>,
        first_argument: usize,
        first_operand: usize,
        return_target: ReturnTarget,
    ) -> Option<CodeId> {
        let HeapObject::Function(function) = self.heap.get(at) else { return None };
        let id = function.code;
        let code = self.program.code(id);
        let first_local = self.locals.len();
        let count = self.operands.len() - first_argument + usize::from(receiver.is_some());
        if !code.signature.takes_positional(count) {
            return None;
        }
        // The fields are written in place: a frame that is moved is read in wider parts than it was written in, which takes longer.
        self.frames.push(Frame::unused());
        if let Some(frame) = self.frames.last_mut() {
            frame.code = id;
            frame.first_local = first_local;
            frame.first_operand = first_operand;
            frame.return_target = return_target;
            frame.function = Some(at);
            if !function.closure.is_empty() {
                frame.cells.extend_from_slice(&function.closure);
            }
        }
        if let Some(receiver) = receiver {
            self.locals.push(Some(Value::Ref(receiver)));
        }
        for argument in &self.operands[first_argument..] {
            self.locals.push(None);
            if let Some(variable) = self.locals.last_mut() {
                argument.store_in(variable);
            }
        }
        let missing = code.signature.positional.len() - count;
        if missing > 0 {
            let first_default = function.defaults.len() - missing;
            self.locals.extend(function.defaults[first_default..].iter().map(|&value| Some(value)));
        }
        self.operands.truncate(first_operand);
        if code.cells.is_empty() {
            self.locals.resize(first_local + code.locals.len(), None);
        } else {
            let mut frame = self.frames.pop().expect("the frame was pushed");
            self.move_arguments_to_cells(&mut frame);
            self.frames.push(frame);
        }
        Some(id)
    }

    /// Creates the cells of a frame, whose arguments lie on the stack of variables in the order of the parameters, and moves each argument
    /// to its variable.
    fn move_arguments_to_cells(&mut self, frame: &mut Frame) {
        let program = std::sync::Arc::clone(&self.program);
        let code = program.code(frame.code);
        let own = (0..code.cells.len()).map(|_| self.heap.add(HeapObject::ClosureCell(None)));
        let mut cells: SmallVec<[HeapRef; 2]> = own.collect();
        cells.extend_from_slice(&frame.cells);
        frame.cells = cells;
        let arguments: SmallVec<[Option<Value>; 8]> = self.locals.drain(frame.first_local..).collect();
        self.locals.resize(frame.first_local + code.locals.len(), None);
        for (parameter, argument) in code.signature.positional.iter().zip(arguments) {
            self.set_frame_variable(frame, parameter.variable, argument);
        }
    }

    /// Creates an instance of a class that needs nothing but a call of its `__init__`, and starts that call. The last arguments are given by
    /// these names.
    fn quick_instance(&mut self, class: HeapRef, place: usize, names: &[Symbol], pc: usize) -> ExecResult<Shortcut> {
        let Some(init) = self.plain_init(class) else { return Ok(Shortcut::Unavailable) };
        let HeapObject::Function(function) = self.heap.get(init) else { return Ok(Shortcut::Unavailable) };
        if self.program.code(function.code).kind != CodeKind::Function || self.frames.len() >= self.budget.call_depth {
            return Ok(Shortcut::Unavailable);
        }
        let signature = &self.program.code(function.code).signature;
        let is_quick = names.is_empty() && signature.takes_positional(self.operands.len() - place);
        if !is_quick && signature.positional.is_empty() {
            return Ok(Shortcut::Unavailable);
        }
        if is_quick {
            let object = self.new_empty_instance(class);
            let started = self.quick_function_call(init, place, Some(object), pc)?;
            self.top_frame().return_target = ReturnTarget::Init(object);
            return Ok(started);
        }
        self.top_frame().pc = pc;
        // The instance is created only if the arguments match the parameters; the class stands for it until then.
        let pushed = self.push_bound_frame(init, Some(class), [place + 1, place], names, ReturnTarget::Stack);
        let Some(code) = pushed else { return Ok(Shortcut::Unavailable) };
        let object = self.new_empty_instance(class);
        let receiver = self.program.code(code).signature.positional[0].variable;
        let mut frame = self.frames.pop().expect("the frame was pushed");
        frame.return_target = ReturnTarget::Init(object);
        self.set_frame_variable(&frame, receiver, Some(Value::Ref(object)));
        self.frames.push(frame);
        self.start_pushed_frame(code)
    }

    /// Creates an instance without attributes.
    fn new_empty_instance(&mut self, class: HeapRef) -> HeapRef {
        self.heap.add_in_place(HeapObject::Instance { class, attributes: Box::default(), base_value: None })
    }

    /// Returns whether a value is a function, other than a generator, that takes a number of positional arguments.
    pub(super) fn takes_arguments(&self, at: HeapRef, count: usize) -> bool {
        let HeapObject::Function(function) = self.heap.get(at) else { return false };
        let code = self.program.code(function.code);
        code.kind == CodeKind::Function && code.signature.takes_positional(count)
    }

    /// Calls a method of a built-in class with the operands above a place of the stack.
    #[inline]
    fn quick_method_call(&mut self, receiver: HeapRef, method: u32, place: usize, pc: usize) -> ExecResult<Shortcut> {
        let method = self.known_methods[method as usize];
        if method.fast == Some(FastMethod::Append) && self.operands.len() == place + 2 {
            self.spend(cost::BUILTIN)?;
            let value = self.pop();
            self.append(receiver, value);
            self.operands[place] = Value::None;
            return Ok(Shortcut::Taken);
        }
        if method.qualified_name == "dict.get"
            && let [key, ref default @ ..] = self.operands[place + 1..]
            && default.len() < 2
            && let Some(entry) = self.find_quick_entry(receiver, key)
        {
            self.spend(cost::BUILTIN + entry.work)?;
            let found = entry.found.and_then(|place| self.dict(receiver).value(place));
            let value = found.or(self.operands.get(place + 2).copied()).unwrap_or(Value::None);
            self.operands.truncate(place);
            self.operands.push(value);
            return Ok(Shortcut::Taken);
        }
        let arguments = self.take_arguments(place, pc);
        let value = self.call_method(Value::Ref(receiver), method, &arguments, &[])?;
        self.operands.push(value);
        Ok(Shortcut::Taken)
    }

    /// Returns a value that is called, with a method in the form of a value of its own.
    pub(in crate::machine) fn materialized(&mut self, called: Value) -> Value {
        let cell = match called {
            Value::Method { receiver, function } => {
                HeapObject::BoundMethod { receiver: Value::Ref(receiver), function: Value::Ref(function) }
            }
            Value::BuiltinMethod { receiver, method } => {
                HeapObject::BuiltinMethod(Value::Ref(receiver), self.known_methods[method as usize])
            }
            other => return other,
        };
        Value::Ref(self.heap.add_paid(cell))
    }

    /// Returns the result of `isinstance` of a variable and a class of screen objects, if the name denotes that function, and the work.
    #[inline]
    pub(super) fn quick_isinstance(&self, function: Symbol, object: Value, class: Symbol) -> Option<(bool, u64)> {
        let Some(Value::Builtin(builtin)) = self.find_global(function) else { return None };
        let (BuiltinForm::IsInstance, Some(class)) = (builtin.form?, self.find_global(class)) else {
            return None;
        };
        let (truth, work) = self.quick_instance_check(object, class)?;
        Some((truth, cost::BUILTIN + work))
    }

    /// Returns whether a screen object belongs to a screen class, and the work of finding out; `None` for other values.
    #[inline]
    pub(in crate::machine) fn is_screen_instance(&self, object: Value, class: Value) -> Option<(bool, u64)> {
        let Value::Ref(at) = object else { return None };
        let own = match self.heap.get(at) {
            HeapObject::Screen(ScreenObject::Plain(object)) => object.class,
            HeapObject::Screen(object) => object.class(),
            _ => return None,
        };
        let work = 2 * cost::OPERATION;
        match class {
            Value::Type(Type::Screen(class)) => Some((self.screen_class_is(own, class), work)),
            Value::Ref(classes) => {
                let HeapObject::Tuple(classes) = self.heap.get(classes) else { return None };
                // The general code nests the checks of a tuple, which the depth of calls limits.
                if self.nesting >= self.budget.call_depth {
                    return None;
                }
                let mut total = cost::OPERATION;
                for &class in classes {
                    let Value::Type(Type::Screen(class)) = class else { return None };
                    total += work;
                    if self.screen_class_is(own, class) {
                        return Some((true, total));
                    }
                }
                Some((false, total))
            }
            _ => None,
        }
    }

    /// Returns the elements of a list or a tuple of which there are few enough to run through without charging for each of them.
    #[inline]
    fn short_sequence(&self, at: HeapRef) -> Option<&[Value]> {
        let elements: &[Value] = match self.heap.get(at) {
            HeapObject::List(elements) => elements,
            HeapObject::Tuple(elements) => elements,
            _ => return None,
        };
        (elements.len() as u64 <= MAX_QUICK_ELEMENTS).then_some(elements)
    }

    /// Returns the iterator that `enumerate` or `zip` makes of the lists and tuples above a place of the stack.
    #[inline]
    fn quick_iterator(&mut self, form: BuiltinForm, place: usize) -> Option<Value> {
        match (form, &self.operands[place + 1..]) {
            (BuiltinForm::Enumerate, &[values]) => {
                let state = self.sequence_iterator(values)?;
                let inner = self.new_iterator(state);
                Some(self.new_iterator(IteratorState::Enumerate(inner, 0)))
            }
            (BuiltinForm::Zip, &[one, other]) => {
                let (one, other) = (self.sequence_iterator(one)?, self.sequence_iterator(other)?);
                let inner = vec![self.new_iterator(one), self.new_iterator(other)];
                Some(self.new_iterator(IteratorState::Zip(inner, false)))
            }
            _ => None,
        }
    }

    /// Returns an iterator over a list or a tuple.
    #[inline]
    fn sequence_iterator(&self, value: Value) -> Option<IteratorState> {
        let Value::Ref(at) = value else { return None };
        match self.heap.get(at) {
            HeapObject::List(_) => Some(IteratorState::List(value, 0)),
            HeapObject::Tuple(_) => Some(IteratorState::Tuple(value, 0)),
            _ => None,
        }
    }

    /// Returns the result of a built-in function of the operands above a place of the stack, and the work beyond that of a call.
    #[inline]
    fn quick_builtin(&self, form: BuiltinForm, place: usize) -> Option<(Value, u64)> {
        Some(match (form, &self.operands[place + 1..]) {
            (BuiltinForm::IsInstance, &[object, class]) => {
                let (truth, work) = self.quick_instance_check(object, class)?;
                (Value::Bool(truth), work)
            }
            (BuiltinForm::Length, &[Value::Ref(at)]) => {
                let length = match self.heap.get(at) {
                    HeapObject::List(values) => values.len(),
                    HeapObject::Tuple(values) => values.len(),
                    HeapObject::Dict(dict) | HeapObject::Set(dict) => dict.len(),
                    HeapObject::Deque(deque) => deque.values.len(),
                    _ => return None,
                };
                (Value::Int(length as i64), 0)
            }
            (BuiltinForm::Sum, &[Value::Ref(at)]) => {
                let elements = self.short_sequence(at)?;
                let mut total = Value::Int(0);
                for element in elements {
                    total = quick_binary(BinaryOperator::Add, total, *element)?;
                }
                let count = elements.len() as u64;
                // The cell of an iterator, its requests, and the additions.
                (total, 1 + (count + 1) * cost::NEXT + count * cost::OPERATION)
            }
            (BuiltinForm::Extreme { is_max }, &[Value::Ref(at)]) => {
                let elements = self.short_sequence(at)?;
                let [first, rest @ ..] = elements else { return None };
                if !matches!(first, Value::Int(_) | Value::Float(_)) {
                    return None;
                }
                let best = quick_extreme(is_max, *first, rest)?;
                let count = rest.len() as u64;
                (best, 1 + (count + 2) * cost::NEXT + count * cost::OPERATION)
            }
            (BuiltinForm::Absolute, &[Value::Float(number)]) => (Value::Float(number.abs()), 0),
            (BuiltinForm::Absolute, &[Value::Int(number)]) => (Value::Int(number.checked_abs()?), 0),
            (BuiltinForm::Extreme { is_max }, &[first, ref rest @ ..]) if !rest.is_empty() => {
                let best = quick_extreme(is_max, first, rest)?;
                let count = rest.len() as u64;
                (best, (count + 1) * cost::NEXT + count * cost::OPERATION)
            }
            _ => return None,
        })
    }
}

/// Returns the first of the best numbers; `None` if the general code has to compare.
#[inline]
fn quick_extreme(is_max: bool, first: Value, rest: &[Value]) -> Option<Value> {
    let operator = if is_max { ComparisonOperator::Gt } else { ComparisonOperator::Lt };
    let mut best = first;
    for &other in rest {
        if quick_compare(operator, other, best)? {
            best = other;
        }
    }
    Some(best)
}

/// Returns the finite result of a function of floats.
#[inline]
fn quick_float_function(function: &LibraryFunction, arguments: &[Value]) -> Option<Value> {
    let number = |value: &Value| match *value {
        Value::Float(number) => Some(number),
        Value::Int(number) if number.unsigned_abs() <= MAX_EXACT_FLOAT_INT => Some(number as f64),
        _ => None,
    };
    let Signature::Positional { min, max, implementation, .. } = function.signature else { return None };
    if !(min..=max).contains(&arguments.len()) {
        return None;
    }
    let value = match (implementation, arguments) {
        (Implementation::Float(compute), [argument]) => compute(number(argument)?),
        (Implementation::TwoFloats(compute), [one, other]) => compute(number(one)?, number(other)?),
        _ => return None,
    };
    value.is_finite().then_some(Value::Float(value))
}
