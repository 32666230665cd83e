//! Type inference of calls of built-in functions.

use super::calls::Arguments;
use super::containers::{Container, EntryPart};
use super::interpret::{PathEnd, StepResult, unsupported};
use super::operators::{Attribute, arithmetic, require_kinds};
use super::text_functions::TextFunction;
use super::types::{IterationSource, Kinds, Type, TypeDetail};
use super::{Inference, InstanceId, Origin, StackValue, Test};
use crate::code::Symbol;
use crate::library::BuiltinForm;
use crate::machine::BuiltinConstant;

/// The number of the list of `map`, `filter` or `reversed` among the lists of an instruction.
pub(crate) const CONSUMED: u32 = 2;

impl Inference<'_> {
    pub(super) fn call_builtin(
        &mut self,
        at: InstanceId,
        pc: usize,
        builtin: &BuiltinConstant,
        arguments: &Arguments,
    ) -> StepResult<StackValue> {
        let name = &*builtin.name;
        let mut arguments = arguments.clone();
        let program = self.program;
        if let (Some(BuiltinForm::Enumerate), [(symbol, start)]) = (builtin.form, arguments.keywords.as_slice())
            && program.name(*symbol) == "start"
        {
            arguments.positional.push(StackValue { ty: *start, origin: Origin::Unknown });
            arguments.keywords.clear();
        }
        let arguments = &arguments;
        let has_keywords = matches!(builtin.form, Some(BuiltinForm::Extreme { .. } | BuiltinForm::Sorted));
        let types = arguments.types();
        if let Some(ty) = self.call_container(at, pc, builtin, arguments)? {
            return Ok(StackValue { ty, origin: Origin::Unknown });
        }
        if !arguments.keywords.is_empty() && !has_keywords {
            return unsupported(format!("`{name}` with keyword arguments"));
        }
        let Some(form) = builtin.form else { return self.call_other_builtin(name, arguments, &types) };
        let special = match form {
            BuiltinForm::Length => Some("__len__"),
            BuiltinForm::ToFloat => Some("__float__"),
            BuiltinForm::ToInt => Some("__int__"),
            BuiltinForm::Absolute => Some("__abs__"),
            _ => None,
        };
        if let (Some(special), &[record]) = (special, types.as_slice())
            && let Some(ty) = self.call_special(at, pc, record, special, &[])?
        {
            return Ok(StackValue { ty, origin: Origin::Unknown });
        }
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
            (BuiltinForm::Enumerate, &[iterable]) => self.enumerate(at, pc, iterable, 0)?,
            (BuiltinForm::Enumerate, &[iterable, start]) => match self.types.int(start) {
                Some(start) if i16::try_from(start).is_ok() => self.enumerate(at, pc, iterable, start)?,
                _ => return unsupported("`enumerate` with a variable start"),
            },
            (BuiltinForm::Zip, iterables) if !iterables.is_empty() => self.zip(at, pc, iterables)?,
            (BuiltinForm::ToList, &[]) => self.numbered_list(at, pc, 0),
            (BuiltinForm::ToList, &[iterable]) => self.list_copy(at, pc, iterable)?,
            (BuiltinForm::Length, &[value]) => self.length(value)?,
            (BuiltinForm::Next, &[generator]) => self.next(at, pc, generator, None)?,
            (BuiltinForm::Next, &[generator, otherwise]) => self.next(at, pc, generator, Some(otherwise))?,
            (BuiltinForm::Quantifier { .. }, &[generator]) => match self.yield_type(at, pc, generator)? {
                Some(yielded) if yielded.kinds.intersects(Kinds::ANY) => return unsupported("values of several types"),
                Some(_) => Type::BOOL,
                None => {
                    self.list_of(at, pc, 1, generator)?;
                    Type::BOOL
                }
            },
            (BuiltinForm::Sum, &[values]) => self.sum(at, pc, values)?,
            (BuiltinForm::Extreme { .. } | BuiltinForm::Sorted, _) => {
                self.min_max_or_sorted(at, pc, name, form == BuiltinForm::Sorted, arguments)?
            }
            _ => return unsupported(format!("`{name}` with these arguments")),
        };
        Ok(StackValue { ty, origin: Origin::Unknown })
    }

    /// Returns the type of a call of a built-in function without a form.
    fn call_other_builtin(&mut self, name: &str, arguments: &Arguments, types: &[Type]) -> StepResult<StackValue> {
        let known = |ty: Type| Ok(StackValue { ty, origin: Origin::Unknown });
        match (name, types) {
            ("round", &[number]) if number.kinds.is_subset(Kinds::NUMBER) && number.kinds.is_single() => {
                known(Type::INT)
            }
            ("round", &[number, digits]) if number.kinds == Kinds::FLOAT && self.types.int(digits).is_some() => {
                known(Type::FLOAT)
            }
            ("round", &[number, digits])
                if number.kinds == Kinds::INT.union(Kinds::FLOAT)
                    && self.types.int(digits).is_some_and(|digits| digits >= 0) =>
            {
                known(number)
            }
            // An integer has no digits after the point.
            ("round", &[number, digits])
                if number.kinds == Kinds::INT && self.types.int(digits).is_some_and(|digits| digits >= 0) =>
            {
                known(Type::INT)
            }
            ("bin", &[number]) if number.kinds == Kinds::INT => known(self.types.detailed(TypeDetail::BinaryDigits)),
            ("divmod", &[left, right]) if left.kinds.union(right.kinds) == Kinds::INT => {
                known(self.types.detailed(TypeDetail::Tuple(vec![Type::INT, Type::INT])))
            }
            ("hasattr", &[object, name]) => {
                let Some(&TypeDetail::Text(place)) = self.types.constant(name) else {
                    return unsupported("`hasattr` with a variable name");
                };
                // All objects have these; an object may lack others.
                let is_common = match Attribute::named(&self.types.texts[place as usize]) {
                    None | Some(Attribute::Value) => false,
                    Some(_) => object.kinds == Kinds::OBJECT,
                };
                if !is_common {
                    return unsupported("`hasattr` with these arguments");
                }
                known(self.types.bool(Some(true)))
            }
            ("getattr", &[_, name] | &[_, name, _]) => {
                let Some(&TypeDetail::Text(place)) = self.types.constant(name) else {
                    return unsupported("`getattr` with a variable name");
                };
                self.attribute_by_name(arguments.positional[0], place, types.get(2).copied())
            }
            _ => unsupported(format!("`{name}` with these arguments")),
        }
    }

    /// Returns the type of `getattr(object, name)` or `getattr(object, name, otherwise)`, with the name by its index.
    fn attribute_by_name(&mut self, object: StackValue, name: u32, otherwise: Option<Type>) -> StepResult<StackValue> {
        if name as usize >= self.program.names.len() {
            return unsupported("`getattr` with a variable name");
        }
        if object.ty.kinds == Kinds::NONE
            && let Some(otherwise) = otherwise
        {
            return Ok(StackValue { ty: otherwise, origin: Origin::Unknown });
        }
        if otherwise.is_some() && object.ty.kinds != Kinds::OBJECT {
            return unsupported("`getattr` of a value that may lack the attribute");
        }
        let found = self.attribute(object, Symbol(name))?;
        match self.types.detail(found.ty) {
            Some(TypeDetail::BoundFunction(..) | TypeDetail::Method(..)) => unsupported("`getattr` of a method"),
            _ => Ok(StackValue { ty: found.ty, origin: Origin::Unknown }),
        }
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
            (None, _) if let Some(&TypeDetail::Iterator(source)) = self.types.detail(generator) => {
                let element = self.element_type(source);
                match otherwise {
                    Some(otherwise) => Ok(self.types.join(element, otherwise)),
                    None if element.is_never() => Err(PathEnd::Unreachable),
                    None => Ok(element),
                }
            }
            (None, _) => unsupported("`next` of a value that is not a generator expression"),
        }
    }

    pub(super) fn is_instance(&mut self, object: StackValue, class: Type) -> StepResult<StackValue> {
        let classes = self.tuple_types(class).unwrap_or_else(|| vec![class]);
        if let Some(known) = self.is_known_instance(object.ty, &classes) {
            return Ok(StackValue { ty: self.types.bool(Some(known)), origin: Origin::Unknown });
        }
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

    /// Returns whether values of a type are instances of one of some classes, if it is the same for all of them: for instances of classes
    /// of the program, numbers and texts.
    fn is_known_instance(&self, object: Type, classes: &[Type]) -> Option<bool> {
        if !object.kinds.is_single() || object.kinds.intersects(Kinds::OBJECT.union(Kinds::DETAILED)) {
            return None;
        }
        let own = self.types.record(object).and_then(|found| found.class);
        let mut found = false;
        for &class in classes {
            found |= match self.types.detail(class).filter(|_| class.kinds == Kinds::DETAILED)? {
                TypeDetail::Class(_) => false,
                &TypeDetail::ProgramClass(class) => own.is_some_and(|own| self.machine.is_program_subclass(own, class)),
                TypeDetail::Builtin(builtin) if own.is_none() => match (builtin.form, &*builtin.name) {
                    (Some(BuiltinForm::ToBool), _) => object.kinds == Kinds::BOOL,
                    (Some(BuiltinForm::ToInt), _) => matches!(object.kinds, Kinds::INT | Kinds::BOOL),
                    (Some(BuiltinForm::ToFloat), _) => object.kinds == Kinds::FLOAT,
                    (Some(BuiltinForm::ToText), _) => object.kinds == Kinds::TEXT,
                    (Some(BuiltinForm::ToDict), _) if object.kinds != Kinds::LIST => object.kinds == Kinds::RECORD,
                    (Some(BuiltinForm::ToList | BuiltinForm::ToTuple), _) if object.kinds != Kinds::LIST => false,
                    _ => return None,
                },
                _ => return None,
            };
        }
        Some(found)
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

    /// Returns the type of the sum of an iterable.
    fn sum(&mut self, at: InstanceId, pc: usize, values: Type) -> StepResult<Type> {
        let element = if let Some(yielded) = self.yield_type(at, pc, values)? {
            yielded
        } else {
            let list = self.list_of(at, pc, 1, values)?;
            self.types.element(list)
        };
        match element.kinds {
            kinds if kinds.is_subset(Kinds::INT.union(Kinds::BOOL)) => Ok(Type::INT),
            kinds if kinds.is_subset(Kinds::NUMBER) => Ok(Type::of(Kinds::INT.union(Kinds::FLOAT))),
            _ => unsupported("`sum` of values that are not numbers"),
        }
    }

    fn enumerate(&mut self, at: InstanceId, pc: usize, iterable: Type, start: i64) -> StepResult<Type> {
        self.check_read_before_loop(iterable)?;
        let list = self.list_of(at, pc, 1, iterable)?;
        Ok(self.types.detailed(TypeDetail::Iterator(IterationSource::Enumerate(list, start))))
    }

    /// Returns the type of a new list of the values of an iterable.
    fn list_copy(&mut self, at: InstanceId, pc: usize, iterable: Type) -> StepResult<Type> {
        let element = self.value_type(at, pc, iterable)?;
        if element.kinds.intersects(Kinds::ANY) {
            return unsupported("values of several types");
        }
        let list = self.numbered_list(at, pc, 0);
        self.types.add_element(list, element);
        Ok(list)
    }

    /// Returns the type of the length of a tuple or dict.
    fn length(&mut self, value: Type) -> StepResult<Type> {
        if value.kinds == Kinds::TEXT {
            return Ok(self.types.text_function(&TextFunction::Length, value));
        }
        if self.entries_of(value).is_some() {
            return Ok(Type::INT);
        }
        let count = if let Some(parts) = self.tuple_types(value) {
            parts.len()
        } else {
            let fields = self.dict_fields(value)?;
            if fields.iter().any(|(_, value)| value.kinds.intersects(Kinds::UNBOUND)) {
                return Ok(Type::INT);
            }
            fields.len()
        };
        Ok(self.types.detailed(TypeDetail::Int(i64::try_from(count).unwrap_or(i64::MAX))))
    }

    /// Returns the type of a call of `min`, `max` or `sorted`.
    pub(super) fn min_max_or_sorted(
        &mut self,
        at: InstanceId,
        pc: usize,
        name: &str,
        is_sorted: bool,
        arguments: &Arguments,
    ) -> StepResult<Type> {
        let program = self.program;
        let (mut key, mut otherwise) = (None, None);
        for &(symbol, value) in &arguments.keywords {
            match program.name(symbol) {
                "key" => key = Some(value),
                "reverse" if is_sorted && self.types.truth(value).is_some() => {}
                "default" if !is_sorted => otherwise = Some(value),
                other => return unsupported(format!("`{name}` with `{other}`")),
            }
        }
        let types = arguments.types();
        let &[iterable] = types.as_slice() else {
            if is_sorted || key.is_some() || otherwise.is_some() || types.is_empty() {
                return unsupported(format!("`{name}` with these arguments"));
            }
            return self.extreme_of_arguments(name, &types);
        };
        // Without a key, the order of a set's members does not matter: no two of them are equal.
        let is_set = self.types.container(iterable) == Some(Container::Set);
        let list = if is_set && key.is_none() { iterable } else { self.list_of(at, pc, 1, iterable)? };
        let element = self.types.element(list);
        if element.is_never() {
            return match otherwise {
                Some(otherwise) => Ok(otherwise),
                None => self.empty_list_result(at, pc, name, is_sorted),
            };
        }
        let by = match key {
            Some(key) if key.kinds != Kinds::NONE => {
                let by = self.key_type(at, pc, name, key, element)?;
                // Python computes the key of a value before it asks for the next value.
                let is_generator = matches!(self.types.detail(iterable), Some(TypeDetail::Generator(..)));
                if is_generator && self.call_has_effects(at, pc) {
                    return unsupported("keys of a generator's values that may change what it reads");
                }
                by
            }
            _ => self.key_of_items(iterable).unwrap_or(element),
        };
        self.check_order(by)?;
        let ty = self.element_or_list(at, pc, is_sorted, element);
        Ok(match otherwise {
            Some(otherwise) => self.types.join(ty, otherwise),
            None => ty,
        })
    }

    /// Returns the type of the smallest or largest argument.
    fn extreme_of_arguments(&mut self, name: &str, types: &[Type]) -> StepResult<Type> {
        let mut all = Type::NEVER;
        for &value in types {
            let number = require_kinds(value, Kinds::NUMBER, &format!("`{name}` of values that are not numbers"))?;
            all = self.types.join(all, number);
        }
        Ok(Type::of(all.kinds))
    }

    /// Returns the type of the keys that a function computes from elements.
    fn key_type(&mut self, at: InstanceId, pc: usize, name: &str, key: Type, element: Type) -> StepResult<Type> {
        let construct = format!("`{name}` with a `key` that is not a function of the program");
        self.applied_type(at, pc, key, element, &construct)
    }

    /// Returns the type of the results of a function that a library function calls with elements; `otherwise` describes the construct if
    /// the function is not supported.
    fn applied_type(
        &mut self,
        at: InstanceId,
        pc: usize,
        function: Type,
        element: Type,
        otherwise: &str,
    ) -> StepResult<Type> {
        if let Some(TypeDetail::Function(code, captured, defaults)) = self.types.detail(function).cloned() {
            let result = self.analyze_call(at, pc, code, &captured, &[element], &[], &defaults)?;
            return if result.is_never() { Err(PathEnd::Unreachable) } else { Ok(result) };
        }
        match self.applied_library_type(function, element) {
            Some(result) => Ok(result),
            None => unsupported(otherwise),
        }
    }

    /// Returns the type of the results of a built-in function, or of the method `get` of a dict, for elements of a type; `None` for other
    /// functions.
    pub(crate) fn applied_library_type(&self, function: Type, element: Type) -> Option<Type> {
        let is_number = element.kinds.is_subset(Kinds::NUMBER) && element.kinds.is_single();
        match self.types.detail(function)? {
            TypeDetail::Builtin(builtin) => match builtin.form? {
                BuiltinForm::Length if element.kinds == Kinds::LIST => Some(Type::INT),
                BuiltinForm::Absolute if is_number => Some(arithmetic(element, Type::INT, false)),
                BuiltinForm::ToInt if is_number => Some(Type::INT),
                BuiltinForm::ToFloat if is_number => Some(Type::FLOAT),
                BuiltinForm::ToBool if is_number || matches!(element.kinds, Kinds::OBJECT | Kinds::LIST) => {
                    Some(Type::BOOL)
                }
                _ => None,
            },
            // The elements are keys of the dict.
            &TypeDetail::Method(dict, method) if method.name == "get" && self.types.is_table(dict) => {
                let (key, value) = self.entry_types(dict);
                (key == element && !value.is_never()).then_some(value)
            }
            _ => None,
        }
    }

    /// Returns the type of `map`, `filter`, `reversed` or `iter` where the values are used by the call of a built-in function, to which they
    /// are passed; `None` elsewhere, and for other functions.
    pub(super) fn call_consumed(
        &mut self,
        at: InstanceId,
        pc: usize,
        builtin: &BuiltinConstant,
        arguments: &Arguments,
        stack: &[StackValue],
    ) -> StepResult<Option<Type>> {
        // Other arguments may lie on the stack above the function.
        let below = stack.iter().rev().filter(|slot| slot.ty.kinds == Kinds::DETAILED);
        let mut details = below.filter_map(|slot| self.types.detail(slot.ty));
        let consumer = details.find(|detail| !matches!(detail, TypeDetail::Iterator(_) | TypeDetail::Tuple(_)));
        let is_consumed = match consumer {
            Some(TypeDetail::Builtin(consumer)) => matches!(
                consumer.form,
                Some(
                    BuiltinForm::Sum
                        | BuiltinForm::Extreme { .. }
                        | BuiltinForm::Sorted
                        | BuiltinForm::ToList
                        | BuiltinForm::ToSet
                        | BuiltinForm::Quantifier { .. }
                        | BuiltinForm::Zip
                        | BuiltinForm::Next
                )
            ),
            _ => false,
        };
        let types = arguments.types();
        if !is_consumed || !arguments.keywords.is_empty() {
            return Ok(None);
        }
        let is_lazy =
            &*builtin.name == "map" || matches!(builtin.form, Some(BuiltinForm::Filter | BuiltinForm::Iterator));
        if let (true, Some(&iterable)) = (is_lazy, types.last()) {
            self.reject_generator_function(iterable)?;
            let is_generator = matches!(self.types.detail(iterable), Some(TypeDetail::Generator(..)));
            if is_generator && matches!(self.consumer(stack), Some(BuiltinForm::Zip)) {
                return unsupported("a generator whose values are not used at once");
            }
        }
        let element = match (builtin.form, &*builtin.name, types.as_slice()) {
            (None, "map", &[function, iterable]) => {
                let element = self.value_type(at, pc, iterable)?;
                if element.is_never() {
                    element
                } else {
                    self.applied_type(at, pc, function, element, "`map` with this function")?
                }
            }
            (Some(BuiltinForm::Filter), _, &[function, iterable]) => {
                let element = self.value_type(at, pc, iterable)?;
                if function.kinds != Kinds::NONE && !element.is_never() {
                    self.applied_type(at, pc, function, element, "`filter` with this function")?;
                }
                element
            }
            (Some(BuiltinForm::Iterator), _, &[iterable]) => self.value_type(at, pc, iterable)?,
            (Some(BuiltinForm::Reversed), _, &[list]) if self.types.is_sequence(list) => self.types.element(list),
            _ => return Ok(None),
        };
        if element.kinds.intersects(Kinds::ANY) {
            return unsupported("values of several types");
        }
        let list = self.numbered_list(at, pc, CONSUMED);
        self.types.add_element(list, element);
        Ok(Some(self.types.detailed(TypeDetail::Iterator(IterationSource::List(list)))))
    }

    /// Returns the type of the keys if an iterable consists of the entries of a dict, which are ordered by their keys, as these differ.
    pub(crate) fn key_of_items(&self, iterable: Type) -> Option<Type> {
        match self.entries_of(iterable) {
            Some((dict, EntryPart::Item)) => Some(self.entry_types(dict).0),
            _ => None,
        }
    }

    /// Rejects values whose order the fast engine does not know.
    fn check_order(&self, by: Type) -> StepResult<()> {
        let parts = self.tuple_types(by).unwrap_or_else(|| vec![by]);
        if parts.iter().all(|part| part.kinds.is_subset(Kinds::NUMBER) || part.kinds == Kinds::TEXT) {
            Ok(())
        } else {
            unsupported("an order of values that are not numbers")
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
}
