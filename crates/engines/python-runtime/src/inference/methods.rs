//! Type inference of methods of lists, deques, dicts, numbers and texts.

use super::calls::Arguments;
use super::class_name_keys::EntryValue;
use super::containers::Container;
use super::interpret::{PathEnd, StepResult, unsupported};
use super::iterables::OPTIONAL_KEYS;
use super::operators::require_kinds;
use super::text_functions::TextFunction;
use super::types::{Kinds, Type, TypeDetail};
use super::{Inference, InstanceId};
use crate::library::{FastMethod, MethodRow, method};

/// The methods of lists and deques that the inference supports.
const LIST_METHODS: [&str; 14] = [
    "append",
    "appendleft",
    "clear",
    "copy",
    "count",
    "extend",
    "index",
    "insert",
    "pop",
    "popleft",
    "remove",
    "reverse",
    "rotate",
    "sort",
];

impl Inference<'_> {
    /// Returns the type of a method of a list, deque, number or text; `None` if the inference does not support it.
    pub(super) fn built_in_method(&mut self, receiver: Type, name: &str) -> Option<Type> {
        let class = match receiver.kinds {
            Kinds::LIST if self.types.is_plain_list(receiver) => "list",
            Kinds::LIST if self.types.is_sequence(receiver) => "deque",
            Kinds::INT => "int",
            Kinds::TEXT => "str",
            _ => return None,
        };
        let is_supported = match class {
            "int" => matches!(name, "bit_length" | "bit_count"),
            "str" => TextFunction::may_be_method(name),
            _ => LIST_METHODS.contains(&name),
        };
        let row = method(class, name).filter(|_| is_supported)?;
        Some(self.types.detailed(TypeDetail::Method(receiver, row)))
    }

    pub(super) fn call_method(
        &mut self,
        at: InstanceId,
        pc: usize,
        receiver: Type,
        method: &'static MethodRow,
        arguments: &Arguments,
    ) -> StepResult<Type> {
        let types = arguments.types();
        if method.name == "sort" && receiver.kinds == Kinds::LIST {
            return self.sort_method(at, pc, receiver, arguments);
        }
        if !arguments.keywords.is_empty() {
            return unsupported(format!("the method `{}` with keyword arguments", method.name));
        }
        match (receiver.kinds, method.fast, types.as_slice()) {
            (Kinds::LIST, ..) if self.types.is_table(receiver) => {
                self.call_table_method(at, pc, receiver, method, &types)
            }
            (Kinds::LIST, ..) => self.list_method(at, pc, receiver, method, &types),
            (Kinds::RECORD, ..) => self.dict_method(at, pc, receiver, method, &types),
            (Kinds::INT, _, []) => Ok(Type::INT),
            (Kinds::TEXT, ..) => match TextFunction::of_method(&self.types, method.name, &types) {
                Some(function) => Ok(self.types.text_function(&function, receiver)),
                None => unsupported(format!("the method `{}` with these arguments", method.name)),
            },
            (_, Some(form @ (FastMethod::IsOnTop | FastMethod::Distance | FastMethod::Overlap)), &[argument]) => {
                require_kinds(argument, Kinds::OBJECT, "a method of a value that is not an object")?;
                Ok(match form {
                    FastMethod::IsOnTop => Type::BOOL,
                    FastMethod::Overlap => Type::of(Kinds::INT.union(Kinds::FLOAT)),
                    _ => Type::FLOAT,
                })
            }
            _ => unsupported(format!("the method `{}` with these arguments", method.name)),
        }
    }

    /// Returns the type of a call of a method of lists or deques.
    fn list_method(
        &mut self,
        at: InstanceId,
        pc: usize,
        list: Type,
        method: &'static MethodRow,
        arguments: &[Type],
    ) -> StepResult<Type> {
        let element = self.types.element(list);
        match (method.name, arguments) {
            ("append" | "appendleft", &[value]) => {
                self.types.mark_mutated(list);
                self.store_element(list, value)?;
                Ok(Type::NONE)
            }
            ("insert", &[index, value]) if self.types.is_plain_list(list) => {
                require_kinds(index, Kinds::INT.union(Kinds::BOOL), "an index that is not an integer")?;
                self.types.mark_mutated(list);
                self.store_element(list, value)?;
                Ok(Type::NONE)
            }
            ("extend", &[iterable]) => {
                if matches!(self.types.site_of(list).container, Container::Deque(Some(_))) {
                    return unsupported("`extend` of a deque");
                }
                self.types.mark_mutated(list);
                let values = self.value_type(at, pc, iterable)?;
                self.store_element(list, values)?;
                Ok(Type::NONE)
            }
            ("clear" | "reverse", &[]) => {
                self.types.mark_mutated(list);
                Ok(Type::NONE)
            }
            ("rotate", &[count]) if self.types.int(count) == Some(0) => Ok(Type::NONE),
            ("pop", &[] | &[_]) | ("popleft", &[]) => {
                if let Some(&index) = arguments.first() {
                    require_kinds(index, Kinds::INT.union(Kinds::BOOL), "an index that is not an integer")?;
                }
                self.types.mark_mutated(list);
                if element.is_never() { Err(PathEnd::Unreachable) } else { Ok(element) }
            }
            ("copy", &[]) if self.types.is_plain_list(list) => {
                let copy = self.numbered_list(at, pc, 0);
                self.types.add_element(copy, element);
                Ok(copy)
            }
            ("index" | "count", &[value]) => {
                self.check_membership(value, element)?;
                Ok(Type::INT)
            }
            ("remove", &[argument]) => {
                self.types.mark_mutated(list);
                let plain = Kinds::OBJECT.union(Kinds::INT).union(Kinds::TEXT);
                let is_plain =
                    element.kinds == argument.kinds && element.kinds.is_single() && element.kinds.is_subset(plain);
                if element.is_never() || is_plain {
                    return Ok(Type::NONE);
                }
                unsupported("`remove` of a value of another type than the elements of the list")
            }
            _ => unsupported(format!("the method `{}` with these arguments", method.name)),
        }
    }

    /// Rejects values that are not compared with the elements of a list.
    pub(super) fn check_membership(&self, value: Type, element: Type) -> StepResult<()> {
        let comparable = |ty: Type| {
            let parts = self.tuple_types(ty).unwrap_or_else(|| vec![ty]);
            let plain = Kinds::NUMBER.union(Kinds::NONE).union(Kinds::TEXT).union(Kinds::OBJECT);
            // A NaN is found in a list by its identity.
            parts.iter().all(|part| part.kinds.is_subset(plain) && !part.kinds.intersects(Kinds::FLOAT))
        };
        let numbers = Kinds::INT.union(Kinds::BOOL).union(Kinds::FLOAT);
        let is_number = value.kinds.is_subset(Kinds::INT.union(Kinds::BOOL)) && element.kinds.is_subset(numbers);
        if element.is_never() || is_number || (comparable(value) && comparable(element)) {
            Ok(())
        } else {
            unsupported("a search for a value of this type")
        }
    }

    /// Returns the type of `list.sort()`.
    fn sort_method(&mut self, at: InstanceId, pc: usize, list: Type, arguments: &Arguments) -> StepResult<Type> {
        if !arguments.positional.is_empty() || !self.types.is_plain_list(list) {
            return unsupported("the method `sort` with these arguments");
        }
        self.types.mark_mutated(list);
        let ordered = Arguments {
            positional: vec![super::StackValue { ty: list, origin: super::Origin::Unknown }],
            keywords: arguments.keywords.clone(),
        };
        self.min_max_or_sorted(at, pc, "sort", true, &ordered)?;
        Ok(Type::NONE)
    }

    /// Returns the type of a call of a method of dicts with known keys.
    fn dict_method(
        &mut self,
        at: InstanceId,
        pc: usize,
        dict: Type,
        method: &'static MethodRow,
        arguments: &[Type],
    ) -> StepResult<Type> {
        let fields = self.dict_fields(dict)?;
        match (method.name, arguments) {
            ("get", &[key] | &[key, _]) => {
                let otherwise = arguments.get(1).copied().unwrap_or(Type::NONE);
                self.check_key(key, &fields)?;
                let mut joined = otherwise;
                for (known, value) in fields {
                    if self.types.constant(key).is_none() || known == key {
                        joined = self.types.join(joined, value.exclude(Kinds::UNBOUND));
                    }
                }
                if joined.kinds.intersects(Kinds::ANY) {
                    return unsupported("an entry of a dict with values of several types");
                }
                Ok(joined)
            }
            ("setdefault", &[key, value]) => {
                let entry = EntryValue::of_any_key(self, value);
                self.set_dict_entry(dict, key, entry, false)?;
                self.dict_item(dict, key)
            }
            ("items" | "keys" | "values", &[]) => {
                let list = self.numbered_list(at, pc, 0);
                for (key, value) in fields {
                    if value.kinds.intersects(Kinds::UNBOUND) {
                        return self.require_table(dict, None, OPTIONAL_KEYS);
                    }
                    let entry = match method.name {
                        "keys" => key,
                        "values" => value,
                        _ => self.types.detailed(TypeDetail::Tuple(vec![key, value])),
                    };
                    self.types.add_element(list, entry);
                }
                if self.types.element(list).kinds.intersects(Kinds::ANY) {
                    return unsupported("a loop over a dict with values of several types");
                }
                Ok(list)
            }
            ("pop" | "clear" | "copy", _) => {
                let construct = format!("the method `{}` with these arguments", method.name);
                self.require_table(dict, None, &construct)
            }
            _ => unsupported(format!("the method `{}` with these arguments", method.name)),
        }
    }
}
