//! Dicts whose keys are known only at run time, and sets: lists of entries that are searched one by one.

use super::values::{Layout, Location, Value, width};
use super::{EmitResult, Emitter, Label, Op, Reg};
use crate::fast::op::{KeyShape, KeyWord, Target};
use crate::inference::containers::{Container, DefaultValue, EntryPart, MissingKey};
use crate::inference::text_functions::TextFunction;
use crate::inference::types::{IterationSource, Kinds, Type, TypeDetail};
use crate::library::BuiltinForm;
use crate::machine::BuiltinConstant;
use crate::operators::BinaryOperator;

/// The container that receives the values of an iterable.
#[derive(Debug, Clone)]
pub(super) enum Sink {
    /// The list in a register, whose elements have this layout.
    Append { l: Reg, shape: Layout },
    /// A set.
    AddToSet(Value),
    /// A dict; the values are pairs of a key and a value.
    SetEntry(Value),
    /// A counter.
    Count(Value),
}

/// The layout of the entries of a dict or set.
struct TableShape {
    key: Layout,
    /// The layout of the values of a dict; no registers for a set.
    value: Layout,
    value_type: Type,
    /// The index of the shape of the keys.
    k: u8,
}

/// The place of an entry.
struct Entry {
    /// The register of the table.
    l: Reg,
    /// The register of the index of the entry's first word.
    at: Reg,
}

impl Emitter<'_> {
    /// Passes a value to a container.
    pub(super) fn feed(&mut self, sink: &Sink, value: &Value) -> EmitResult<()> {
        match sink {
            Sink::Append { l, shape } => self.append(*l, shape, value),
            Sink::AddToSet(set) => self.add_member(set, value),
            Sink::SetEntry(dict) => {
                let pair = self.with_parts(value)?;
                match pair.location {
                    Location::Tuple(parts) if parts.len() == 2 => self.set_entry(dict, &parts[0], &parts[1]),
                    _ => Err("an entry that is not a pair".to_owned()),
                }
            }
            Sink::Count(counter) => self.count(counter, value),
        }
    }

    /// Returns a value, with the elements of a constant tuple as values of their own.
    fn with_parts(&mut self, value: &Value) -> EmitResult<Value> {
        if value.location == Location::Constant { self.constant_value(value.ty) } else { Ok(value.clone()) }
    }

    /// Creates an empty container.
    pub(super) fn new_container(&mut self, ty: Type) -> EmitResult<Value> {
        let d = self.allocate(1)?;
        self.push_op(Op::NewList { d });
        Ok(Value::in_register(ty, d))
    }

    /// Translates a call of a function that creates a dict or a set; `None` for other functions.
    pub(super) fn call_container(&mut self, builtin: &BuiltinConstant, values: &[Value]) -> EmitResult<Option<Value>> {
        let sink = match (builtin.form, &*builtin.name) {
            (Some(BuiltinForm::ToDict), _) if values.is_empty() => return self.new_dict().map(Some),
            (Some(BuiltinForm::ToDict), _) => Sink::SetEntry,
            (Some(BuiltinForm::ToSet), _) => Sink::AddToSet,
            (_, "Counter") => Sink::Count,
            (_, "collections.defaultdict") => {
                let ty = self.result_type();
                return self.new_container(ty).map(Some);
            }
            _ => return Ok(None),
        };
        let ty = self.result_type();
        let container = self.new_container(ty)?;
        if let [iterable] = values {
            self.feed_all(iterable.clone(), &sink(container.clone()))?;
        }
        Ok(Some(container))
    }

    fn table_shape(&mut self, table: Type) -> EmitResult<TableShape> {
        let layout = self.element_layout(table)?;
        let stride = layout.width().into();
        let is_set = self.inference.types.container(table) == Some(Container::Set);
        let (key, value) = match layout {
            Layout::Tuple(parts) if !is_set => match <[Layout; 2]>::try_from(parts) {
                Ok([key, value]) => (key, value),
                Err(_) => return Err("a dict with values of several types".to_owned()),
            },
            key if is_set => (key, Layout::Tuple(Vec::new())),
            _ => return Err("a dict that is always empty".to_owned()),
        };
        let mut words = Vec::new();
        key_words(&key, &mut words)?;
        let shape = KeyShape { words, stride };
        let known = self.code.key_shapes.iter().position(|known| *known == shape);
        let place = known.unwrap_or_else(|| {
            self.code.key_shapes.push(shape);
            self.code.key_shapes.len() - 1
        });
        let k = u8::try_from(place).map_err(|_| "keys of too many types".to_owned())?;
        let (_, value_type) = self.inference.entry_types(table);
        Ok(TableShape { key, value, value_type, k })
    }

    /// Loads a value into registers of a layout.
    fn load_parts(&mut self, layout: &Layout, value: &Value) -> EmitResult<Reg> {
        let value = self.with_parts(value)?;
        let r = self.allocate(layout.width())?;
        self.store_value(layout, r, &value)?;
        Ok(r)
    }

    /// Emits the search for the entry with the key in the registers from `a` on, or a jump to `missing`.
    fn find(&mut self, table: &Value, shape: &TableShape, a: Reg, missing: Label) -> EmitResult<Entry> {
        let l = self.register(table)?;
        let at = self.allocate(1)?;
        self.push_op(Op::Find { d: at, l, a, k: shape.k, t: missing.0 });
        Ok(Entry { l, at })
    }

    /// Returns the target of jumps that are never taken.
    fn nowhere(&mut self) -> Target {
        let op = self.fallback("nothing");
        self.exit_label(op).0
    }

    /// Loads the value of an entry.
    fn entry_value(&mut self, shape: &TableShape, entry: &Entry) -> EmitResult<Value> {
        let (d, t) = (self.allocate(shape.value.width())?, self.nowhere());
        let next = self.allocate(1)?;
        for place in 0..shape.value.width() {
            self.push_op(Op::AddK { d: next, a: entry.at, k: (shape.key.width() + place).into() });
            self.push_op(Op::Index { d: d + place, l: entry.l, a: next, t });
        }
        let value = self.value_in(&shape.value, d, shape.value_type)?;
        self.with_parts(&value)
    }

    /// Appends an entry with the key and the value in the registers from `a` and `v` on.
    fn append_entry(&mut self, l: Reg, shape: &TableShape, a: Reg, v: Reg) {
        for a in (a..a + shape.key.width()).chain(v..v + shape.value.width()) {
            self.push_op(Op::Append { l, a });
        }
        self.code.mutates_state = true;
    }

    /// Removes an entry.
    fn drop_entry(&mut self, shape: &TableShape, entry: &Entry) -> EmitResult<()> {
        let width = shape.key.width() + shape.value.width();
        let (d, t) = (self.allocate(width)?, self.nowhere());
        self.push_op(Op::Pop { d, l: entry.l, a: entry.at, width, t });
        self.code.mutates_state = true;
        Ok(())
    }

    /// Translates an assignment to an entry of a dict.
    pub(super) fn set_entry(&mut self, dict: &Value, key: &Value, value: &Value) -> EmitResult<()> {
        self.materialize_list_tests()?;
        let shape = self.table_shape(dict.ty)?;
        let (v, a) = (self.load_parts(&shape.value, value)?, self.load_parts(&shape.key, key)?);
        let (missing, end) = (self.label(), self.label());
        let entry = self.find(dict, &shape, a, missing)?;
        let (next, t) = (self.allocate(1)?, self.nowhere());
        for place in 0..shape.value.width() {
            self.push_op(Op::AddK { d: next, a: entry.at, k: (shape.key.width() + place).into() });
            self.push_op(Op::SetIndex { l: entry.l, a: next, b: v + place, t });
        }
        self.jump(end);
        self.place_label(missing);
        self.append_entry(entry.l, &shape, a, v);
        self.place_label(end);
        Ok(())
    }

    /// Adds a member to a set, unless it is one already.
    fn add_member(&mut self, set: &Value, member: &Value) -> EmitResult<()> {
        self.materialize_list_tests()?;
        let shape = self.table_shape(set.ty)?;
        let a = self.load_parts(&shape.key, member)?;
        let (missing, end) = (self.label(), self.label());
        let entry = self.find(set, &shape, a, missing)?;
        self.jump(end);
        self.place_label(missing);
        self.append_entry(entry.l, &shape, a, a);
        self.place_label(end);
        Ok(())
    }

    /// Adds 1 to the count of a key.
    fn count(&mut self, counter: &Value, key: &Value) -> EmitResult<()> {
        let key = self.materialize(key.clone())?;
        let zero = Value::constant(self.inference.types.detailed(TypeDetail::Int(0)));
        let count = self.entry_or(counter, &key, Type::INT, Some(&zero))?;
        let a = self.register(&count)?;
        let d = self.allocate(1)?;
        self.push_op(Op::AddK { d, a, k: 1 });
        self.set_entry(counter, &key, &Value::in_register(Type::INT, d))
    }

    /// Returns the value of a key, or another value; without one, a missing key hands the call over.
    pub(super) fn entry_or(
        &mut self,
        dict: &Value,
        key: &Value,
        holds: Type,
        otherwise: Option<&Value>,
    ) -> EmitResult<Value> {
        let (to_shape, to) = self.result_registers(holds)?;
        let shape = self.table_shape(dict.ty)?;
        let a = self.load_parts(&shape.key, key)?;
        let (missing, end) = (self.label(), self.label());
        let entry = self.find(dict, &shape, a, missing)?;
        let found = self.entry_value(&shape, &entry)?;
        self.store_value(&to_shape, to, &found)?;
        self.jump(end);
        self.place_label(missing);
        self.store_otherwise(&to_shape, to, otherwise)?;
        self.place_label(end);
        self.value_in(&to_shape, to, holds)
    }

    fn result_registers(&mut self, holds: Type) -> EmitResult<(Layout, Reg)> {
        let layout = self.layout(holds);
        if layout.is_unsupported() {
            return Err("an entry of a dict with values of several types".to_owned());
        }
        let to = self.allocate(layout.width())?;
        Ok((layout, to))
    }

    fn store_otherwise(&mut self, layout: &Layout, to: Reg, otherwise: Option<&Value>) -> EmitResult<()> {
        if let Some(value) = otherwise {
            let value = self.with_parts(value)?;
            return self.store_value(layout, to, &value);
        }
        let op = self.fallback("a missing key");
        self.push_op(op);
        Ok(())
    }

    /// Translates `dict[key]`.
    pub(super) fn table_item(&mut self, dict: &Value, key: &Value) -> EmitResult<Value> {
        let holds = self.result_type();
        match self.inference.types.container(dict.ty) {
            Some(Container::Dict(MissingKey::New(default))) => {
                let (_, pc) = self.current_instruction();
                let key = self.materialize(key.clone())?;
                let value = match default {
                    DefaultValue::Int => Value::constant(self.inference.types.detailed(TypeDetail::Int(0))),
                    DefaultValue::Float => Value::constant(self.inference.types.detailed(TypeDetail::Float(0))),
                    DefaultValue::List => self.new_numbered_list(pc, 0)?.0,
                };
                self.set_default_entry(dict, &key, &value)?;
                self.entry_or(dict, &key, holds, None)
            }
            Some(Container::Dict(MissingKey::Zero)) => {
                let zero = Value::constant(self.inference.types.detailed(TypeDetail::Int(0)));
                self.entry_or(dict, key, holds, Some(&zero))
            }
            _ => self.entry_or(dict, key, holds, None),
        }
    }

    /// Adds an entry unless the dict has the key already.
    fn set_default_entry(&mut self, dict: &Value, key: &Value, value: &Value) -> EmitResult<()> {
        self.materialize_list_tests()?;
        let shape = self.table_shape(dict.ty)?;
        let (v, a) = (self.load_parts(&shape.value, value)?, self.load_parts(&shape.key, key)?);
        let (missing, end) = (self.label(), self.label());
        let entry = self.find(dict, &shape, a, missing)?;
        self.jump(end);
        self.place_label(missing);
        self.append_entry(entry.l, &shape, a, v);
        self.place_label(end);
        Ok(())
    }

    /// Translates `del dict[key]`.
    pub(super) fn delete_entry(&mut self, dict: &Value, key: &Value) -> EmitResult<()> {
        let op = self.fallback("a missing key");
        let missing = self.exit_label(op);
        self.remove_entry(dict, key, missing)
    }

    /// Removes the entry of a key, or jumps to `missing`.
    fn remove_entry(&mut self, table: &Value, key: &Value, missing: Label) -> EmitResult<()> {
        self.materialize_list_tests()?;
        let shape = self.table_shape(table.ty)?;
        let a = self.load_parts(&shape.key, key)?;
        let entry = self.find(table, &shape, a, missing)?;
        self.drop_entry(&shape, &entry)
    }

    /// Translates `dict.pop(key)` or `dict.pop(key, otherwise)`.
    fn pop_entry(&mut self, dict: &Value, key: &Value, otherwise: Option<&Value>) -> EmitResult<Value> {
        self.materialize_list_tests()?;
        let holds = self.result_type();
        let (to_shape, to) = self.result_registers(holds)?;
        let shape = self.table_shape(dict.ty)?;
        let a = self.load_parts(&shape.key, key)?;
        let (missing, end) = (self.label(), self.label());
        let entry = self.find(dict, &shape, a, missing)?;
        let found = self.entry_value(&shape, &entry)?;
        self.store_value(&to_shape, to, &found)?;
        self.drop_entry(&shape, &entry)?;
        self.jump(end);
        self.place_label(missing);
        self.store_otherwise(&to_shape, to, otherwise)?;
        self.place_label(end);
        self.value_in(&to_shape, to, holds)
    }

    /// Translates `key in table`.
    pub(super) fn table_contains(&mut self, table: &Value, key: &Value) -> EmitResult<Value> {
        let shape = self.table_shape(table.ty)?;
        let a = self.load_parts(&shape.key, key)?;
        let d = self.allocate(1)?;
        let (missing, end) = (self.label(), self.label());
        self.find(table, &shape, a, missing)?;
        self.load_bits(d, 1);
        self.jump(end);
        self.place_label(missing);
        self.load_bits(d, 0);
        self.place_label(end);
        Ok(Value::in_register(Type::BOOL, d))
    }

    /// Returns the dict or set in whose keys a value is searched; `None` for other values.
    pub(super) fn searched_table(&self, searched: &Value) -> Option<Value> {
        match (self.inference.types.detail(searched.ty), &searched.location) {
            (Some(TypeDetail::View(..)), Location::Base(dict)) => Some((**dict).clone()),
            _ => self.inference.types.is_table(searched.ty).then(|| searched.clone()),
        }
    }

    pub(super) fn table_method(
        &mut self,
        pc: usize,
        table: &Value,
        name: &str,
        arguments: &[Value],
    ) -> EmitResult<Value> {
        let holds = self.result_type();
        let none = Ok(Value::constant(Type::NONE));
        match (name, arguments) {
            ("items" | "keys" | "values", []) => {
                Ok(Value { ty: holds, location: Location::Base(Box::new(table.clone())) })
            }
            ("get", [key]) => self.entry_or(table, key, holds, Some(&Value::constant(Type::NONE))),
            ("get", [key, otherwise]) => {
                let otherwise = self.materialize(otherwise.clone())?;
                self.entry_or(table, key, holds, Some(&otherwise))
            }
            ("setdefault", [key, value]) => {
                let (key, value) = (self.materialize(key.clone())?, self.materialize(value.clone())?);
                self.set_default_entry(table, &key, &value)?;
                self.entry_or(table, &key, holds, None)
            }
            ("pop", [key, otherwise @ ..]) => self.pop_entry(table, key, otherwise.first()),
            ("add", [member]) => {
                self.add_member(table, member)?;
                none
            }
            ("discard", [member]) => {
                let end = self.label();
                self.remove_entry(table, member, end)?;
                self.place_label(end);
                none
            }
            ("remove", [member]) => {
                self.delete_entry(table, member)?;
                none
            }
            ("clear", []) => {
                self.materialize_list_tests()?;
                let l = self.register(table)?;
                self.push_op(Op::Clear { l });
                self.code.mutates_state = true;
                none
            }
            ("copy", []) => {
                let (copy, l, _) = self.new_numbered_list(pc, 0)?;
                self.require_same_layout(table.ty, copy.ty)?;
                let m = self.register(table)?;
                self.append_words(l, m)?;
                Ok(copy)
            }
            _ => Err(format!("the method `{name}`")),
        }
    }

    /// Translates a set display.
    pub(super) fn set_display(&mut self, count: u32) -> EmitResult<Value> {
        let ty = self.result_type();
        let open = self.frame_mut();
        let members = open.stack.split_off(open.stack.len() - count as usize);
        let set = self.new_container(ty)?;
        for member in &members {
            self.add_member(&set, member)?;
        }
        Ok(set)
    }

    /// Translates the addition of a member to a set under construction.
    pub(super) fn add_to_set(&mut self, between: u32) -> EmitResult<()> {
        let member = self.pop();
        let open = self.frame_mut();
        let set = open.stack[open.stack.len() - 1 - between as usize].clone();
        self.add_member(&set, &member)
    }

    /// Translates an operator on two sets.
    pub(super) fn set_operation(
        &mut self,
        operator: BinaryOperator,
        left: &Value,
        right: &Value,
        holds: Type,
    ) -> EmitResult<Value> {
        let set = self.new_container(holds)?;
        match operator {
            BinaryOperator::BitAnd => self.add_members_if(&set, left, right, true)?,
            BinaryOperator::Sub => self.add_members_if(&set, left, right, false)?,
            BinaryOperator::BitXor => {
                self.add_members_if(&set, left, right, false)?;
                self.add_members_if(&set, right, left, false)?;
            }
            _ => {
                for part in [left, right] {
                    let members = self.iterator(part.clone())?;
                    self.for_each(&members, |emitter, member| emitter.add_member(&set, &member))?;
                }
            }
        }
        Ok(set)
    }

    /// Adds the members of a set that another one contains, or does not contain.
    fn add_members_if(&mut self, set: &Value, from: &Value, other: &Value, contains: bool) -> EmitResult<()> {
        let members = self.iterator(from.clone())?;
        self.for_each(&members, |emitter, member| {
            let found = emitter.table_contains(other, &member)?;
            let condition = emitter.truth_condition(&found)?;
            let skip = emitter.label();
            emitter.branch(&condition, !contains, skip);
            emitter.add_member(set, &member)?;
            emitter.place_label(skip);
            Ok(())
        })
    }

    /// Starts an iterator in three registers over the entries of a dict; the third one holds the number of words, which must stay the same.
    pub(super) fn start_entries(&mut self, it: Reg, iterable: &Value) -> EmitResult<IterationSource> {
        let found = self.inference.entries_of(iterable.ty);
        let (ty, part) = found.ok_or_else(|| "a value that is not a dict".to_owned())?;
        let dict = self.searched_table(iterable).ok_or_else(|| "a value that is not a dict".to_owned())?;
        self.load(it, &dict)?;
        self.load_bits(it + 1, 0);
        self.push_op(Op::Length { d: it + 2, l: it });
        Ok(IterationSource::Entries(ty, part))
    }

    /// Emits the reading of a part of the next entry of a dict, or a jump at the end.
    pub(super) fn next_entry(
        &mut self,
        (dict, part): (Type, EntryPart),
        it: Reg,
        cost: u16,
        t: Target,
    ) -> EmitResult<Value> {
        let element = self.inference.types.element(dict);
        let shape = self.element_layout(dict)?;
        let width = shape.width();
        let (d, size) = (self.allocate(width)?, self.allocate(1)?);
        self.push_op(Op::Next { d, it, cost, t });
        self.next_words(d, width, it, t);
        self.push_op(Op::Length { d: size, l: it });
        let op = self.fallback("a dict that changes its size during a loop");
        let changed = self.exit_label(op).0;
        self.push_op(Op::IfUnequal { a: size, b: it + 2, t: changed });
        if element.is_never() {
            return Ok(Value::constant(Type::NONE));
        }
        let entry = self.value_in(&shape, d, element)?;
        match (part, entry.location) {
            (EntryPart::Item, location) => Ok(Value { ty: entry.ty, location }),
            (_, Location::Tuple(parts)) => {
                let part = parts.get(usize::from(part == EntryPart::Value)).cloned();
                part.ok_or_else(|| "an entry that is not a pair".to_owned())
            }
            _ => Err("an entry that is not a pair".to_owned()),
        }
    }

    /// Returns the register of the place of a text in the order of all texts.
    pub(super) fn text_rank(&mut self, text: &Value) -> EmitResult<Reg> {
        let rank = self.text_function(text, TextFunction::Rank)?;
        self.register(&rank)
    }

    /// Returns a number that orders a value among others of its type.
    pub(super) fn ordinal(&mut self, value: &Value) -> EmitResult<Value> {
        if value.kinds() != Kinds::TEXT {
            return Ok(value.clone());
        }
        Ok(Value::in_register(Type::INT, self.text_rank(value)?))
    }
}

/// Appends the words of keys of a layout.
fn key_words(layout: &Layout, words: &mut Vec<KeyWord>) -> EmitResult<()> {
    match layout {
        Layout::Scalar(Kinds::FLOAT) => words.push(KeyWord::Float),
        Layout::Scalar(kinds) if width(*kinds) == 1 => words.push(KeyWord::Bits),
        Layout::Scalar(kinds) if kinds.is_subset(Kinds::NUMBER) => words.push(KeyWord::Number),
        Layout::Tuple(parts) => return parts.iter().try_for_each(|part| key_words(part, words)),
        _ => return Err("keys of several types".to_owned()),
    }
    Ok(())
}
