//! The tests of `match` statements on their subjects.

use rustc_hash::FxHashSet;

use super::exceptions::{ExceptionKind, ExecResult};
use super::library_class::FROZEN_SET;
use super::value::{HeapObject, HeapRef, Type, Value};
use super::{Machine, cost};
use crate::code::{Constant, Instruction, Symbol};

impl Machine {
    /// Executes the instructions of `match` statements.
    pub(super) fn execute_pattern_instruction(&mut self, instruction: Instruction) -> ExecResult<()> {
        self.charge(cost::OPERATION)?;
        let value = match instruction {
            Instruction::MatchSequence => {
                let subject = self.pop();
                Value::Bool(self.is_pattern_sequence(subject))
            }
            Instruction::MatchMapping => {
                let subject = self.pop();
                let class = self.class_of(subject);
                Value::Bool(self.is_subclass_of_abc(class, &"typing.Mapping", "isinstance")?)
            }
            Instruction::MatchKeys => {
                let (keys, subject) = (self.pop(), self.pop());
                let keys = self.collect_values(keys)?;
                self.values_of_keys(subject, &keys)?
            }
            Instruction::MappingRest => {
                let (keys, subject) = (self.pop(), self.pop());
                let keys = self.collect_values(keys)?;
                self.mapping_rest(subject, &keys)?
            }
            Instruction::MatchInstance => {
                let (class, subject) = (self.pop(), self.pop());
                let is_annotation =
                    matches!(class, Value::Type(Type::Typing(name)) if !super::typing::is_abstract_class(name));
                if is_annotation || !self.is_class(class) {
                    return Err(self.type_error("called match pattern must be a type"));
                }
                Value::Bool(self.is_instance(subject, class)?)
            }
            Instruction::MatchAttributes(count, names) => {
                let (class, subject) = (self.pop(), self.pop());
                let code = self.top_frame().code;
                let Constant::Names(names) = &self.program.code(code).constants[names as usize] else {
                    unreachable!("class patterns have a list of attributes")
                };
                let names = names.to_vec();
                self.values_of_attributes(subject, class, count as usize, &names)?
            }
            Instruction::Length => {
                let subject = self.pop();
                Value::Int(self.length(subject)? as i64)
            }
            _ => unreachable!("all other instructions are run elsewhere"),
        };
        self.push(value);
        Ok(())
    }

    /// Returns whether a sequence pattern may match a value: strings and bytes are no sequences there.
    fn is_pattern_sequence(&self, value: Value) -> bool {
        let Value::Ref(at) = self.base_value(value) else { return false };
        if let Some(class) = self.class_of_program(Value::Ref(at)) {
            return self.has_builtin_base(class, Type::Typing(&"typing.Sequence"));
        }
        matches!(
            self.heap.get(at),
            HeapObject::List(_) | HeapObject::Tuple(_) | HeapObject::Range { .. } | HeapObject::Deque(_)
        )
    }

    /// Returns a tuple of the values of keys, or `None` if one is missing.
    fn values_of_keys(&mut self, mapping: Value, keys: &[Value]) -> ExecResult {
        let Value::Ref(seen) = self.new_set(Vec::new())? else { return Ok(Value::None) };
        let mut values = Vec::with_capacity(keys.len());
        for &key in keys {
            if self.entry(seen, key)?.is_some() {
                let message = format!("mapping pattern checks duplicate key ({})", self.repr(key)?);
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            self.add_to_set(seen, key)?;
            let value = match self.base_value(mapping) {
                Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Dict(_)) => self.entry(at, key)?,
                _ => {
                    let symbol = self.intern("get");
                    let get = self.attribute(mapping, symbol)?;
                    let value = self.call_value(get, &[key, Value::NotImplemented], &[])?;
                    (!matches!(value, Value::NotImplemented)).then_some(value)
                }
            };
            match value {
                Some(value) => values.push(value),
                None => return Ok(Value::None),
            }
        }
        Ok(self.heap.tuple(values))
    }

    /// Returns a dict of the entries of a mapping without some keys.
    fn mapping_rest(&mut self, mapping: Value, keys: &[Value]) -> ExecResult {
        let rest = self.empty_dict();
        self.update_dict(rest, mapping)?;
        for &key in keys {
            self.remove_entry(rest, key)?;
        }
        Ok(Value::Ref(rest))
    }

    /// Returns a tuple of the values of the attributes of a class pattern, or `None` if one is missing.
    fn values_of_attributes(&mut self, subject: Value, class: Value, count: usize, names: &[Symbol]) -> ExecResult {
        let mut values = Vec::with_capacity(count + names.len());
        let mut seen = FxHashSet::default();
        let symbols = if count > 0 { self.positional_attributes(class, count)? } else { Some(Vec::new()) };
        let positional = symbols.unwrap_or_else(|| {
            values.push(subject);
            Vec::new()
        });
        for symbol in positional.into_iter().chain(names.iter().copied()) {
            if !seen.insert(symbol) {
                let message = format!(
                    "{}() got multiple sub-patterns for attribute '{}'",
                    self.owner_name(class),
                    self.name(symbol)
                );
                return Err(self.type_error(&message));
            }
            match self.try_attribute(subject, symbol)? {
                Some(value) => values.push(value),
                None => return Ok(Value::None),
            }
        }
        Ok(self.heap.tuple(values))
    }

    /// Returns the attributes of the first positional patterns of a class, or `None` if its only positional pattern is for the subject
    /// itself.
    fn positional_attributes(&mut self, class: Value, count: usize) -> ExecResult<Option<Vec<Symbol>>> {
        let symbol = self.intern("__match_args__");
        let found = self.try_attribute(class, symbol)?;
        let is_self = found.is_none() && self.is_matched_as_itself(class);
        let attributes = match found {
            Some(listed) => match listed {
                Value::Ref(at) if let HeapObject::Tuple(listed) = self.heap.get(at) => listed.to_vec(),
                other => {
                    let (owner, given) = (self.owner_name(class), self.class_name(other));
                    return Err(self.type_error(&format!("{owner}.__match_args__ must be a tuple (got {given})")));
                }
            },
            None => Vec::new(),
        };
        let allowed = if is_self { 1 } else { attributes.len() };
        if count > allowed {
            let plural = if allowed == 1 { "" } else { "s" };
            let owner = self.owner_name(class);
            let message = format!("{owner}() accepts {allowed} positional sub-pattern{plural} ({count} given)");
            return Err(self.type_error(&message));
        }
        if is_self {
            return Ok(None);
        }
        let mut symbols = Vec::with_capacity(count);
        for &attribute in &attributes[..count] {
            let Some(name) = self.as_text(attribute) else {
                let message = format!("__match_args__ elements must be strings (got {})", self.class_name(attribute));
                return Err(self.type_error(&message));
            };
            symbols.push(self.intern(&name));
        }
        Ok(Some(symbols))
    }

    /// Returns whether the positional pattern of a class is for the subject itself, as for the classes of built-in values.
    fn is_matched_as_itself(&self, class: Value) -> bool {
        let of_values = |kind: Type| match kind {
            Type::Bool
            | Type::Bytes
            | Type::Dict
            | Type::Float
            | Type::Int
            | Type::List
            | Type::Set
            | Type::Str
            | Type::Tuple => true,
            Type::Library(class) => *class == FROZEN_SET || class.bases.contains(&Type::Dict),
            _ => false,
        };
        match class {
            Value::Type(kind) => of_values(kind),
            Value::Ref(at) => self.built_in_base_of(at).is_some_and(of_values),
            _ => false,
        }
    }

    fn built_in_base_of(&self, class: HeapRef) -> Option<Type> {
        match self.heap.get(class) {
            HeapObject::Class(_) => self.built_in_base(class),
            _ => None,
        }
    }
}
