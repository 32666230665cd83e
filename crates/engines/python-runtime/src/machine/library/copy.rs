//! Functions of `copy`.

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::dict::{Dict, DictKind};
use crate::machine::exceptions::{ExecError, ExecResult};
use crate::machine::library::Deque;
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::screen::ScreenObject;
use crate::machine::value::{AttributeMap, HeapObject, HeapRef, Value};

/// The functions of `copy`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 2] = [
    Function::named("copy.copy", NamedParameters::new(Origin::Python, &["x"]), |m, b| m.shallow_copy(b.required(0))),
    Function::named("copy.deepcopy", NamedParameters::new(Origin::Python, &["x", "memo"]).with_required(1), |m, b| {
        let memo = match b.given(1) {
            Some(Value::Ref(memo)) if matches!(m.heap.get(memo), HeapObject::Dict(_)) => memo,
            Some(_) => return Err(m.type_error("the memo of deepcopy must be a dict in a reward function")),
            None => m.empty_dict(),
        };
        m.deep_copy(b.required(0), memo)
    }),
];

/// The treatment of an object by `copy`.
enum Copying {
    /// The copy is the object itself.
    Same,
    /// The copy is a new object with the same contents.
    Clone,
    /// There is no copy.
    Refused,
}

impl Machine {
    fn copying(&mut self, at: HeapRef) -> Copying {
        match self.heap.get(at) {
            HeapObject::Text(_)
            | HeapObject::Bytes(_)
            | HeapObject::BigInt(_)
            | HeapObject::Tuple(_)
            | HeapObject::Range { .. }
            | HeapObject::Function(_)
            | HeapObject::LruCache { .. }
            | HeapObject::GeneratedMethod(..)
            | HeapObject::BuiltinMethod(..)
            | HeapObject::UnboundMethod(..)
            | HeapObject::Class(_)
            | HeapObject::Union(_)
            | HeapObject::GenericAlias { .. }
            | HeapObject::TypingMarker(_)
            | HeapObject::Property { .. }
            | HeapObject::StaticMethod(_)
            | HeapObject::ClassMethod(_)
            | HeapObject::NamedTupleField(_)
            | HeapObject::Slice(_) => Copying::Same,
            HeapObject::Set(set) if matches!(set.kind, DictKind::Frozen) => Copying::Same,
            HeapObject::Instance { class, .. } if self.is_enum(*class) => Copying::Same,
            HeapObject::Generator(_)
            | HeapObject::Module(..)
            | HeapObject::DictView(..)
            | HeapObject::Iterator(_)
            | HeapObject::Super { .. } => Copying::Refused,
            HeapObject::Library(object) if object.is_immutable() => Copying::Same,
            _ => Copying::Clone,
        }
    }

    fn refuse_copy(&mut self, value: Value) -> ExecError {
        let message = format!("cannot pickle '{}' object", self.class_name(value));
        self.type_error(&message)
    }

    /// Implements `copy.copy`.
    fn shallow_copy(&mut self, value: Value) -> ExecResult {
        let Value::Ref(at) = value else { return Ok(value) };
        let copying = self.copying(at);
        if let Some(method) = self.special_method(value, "__copy__") {
            return self.call_value(method, &[], &[]);
        }
        match copying {
            Copying::Same => Ok(value),
            Copying::Refused => Err(self.refuse_copy(value)),
            Copying::Clone => {
                self.charge_copy(at)?;
                let mut copy = self.heap.get(at).clone();
                match &mut copy {
                    HeapObject::Array(_) => {
                        let array = self.copy_array(value)?;
                        return Ok(array);
                    }
                    // The value that an instance extends is its own.
                    HeapObject::Instance { base_value: Some(base @ Value::Ref(_)), .. } => {
                        *base = self.nested(|machine| machine.shallow_copy(*base))?;
                    }
                    _ => {}
                }
                Ok(Value::Ref(self.heap.add(copy)))
            }
        }
    }

    fn charge_copy(&mut self, at: HeapRef) -> ExecResult<()> {
        let contents = match self.heap.get(at) {
            HeapObject::List(values) => values.len(),
            HeapObject::Dict(dict) | HeapObject::Set(dict) => 4 * dict.len(),
            HeapObject::Deque(deque) => deque.values.len(),
            HeapObject::Instance { attributes, .. } => 4 * attributes.len(),
            _ => 4,
        };
        self.reserve_bulk_values(contents)
    }

    /// Implements `copy.deepcopy`; `memo` has the copies by the identities of the objects.
    fn deep_copy(&mut self, value: Value, memo: HeapRef) -> ExecResult {
        let Value::Ref(at) = value else { return Ok(value) };
        self.charge(2)?;
        let identity = self.identity(value)?;
        if let Some(copy) = self.entry(memo, identity)? {
            return Ok(copy);
        }
        if let Some(method) = self.special_method(value, "__deepcopy__") {
            let copy = self.call_value(method, &[Value::Ref(memo)], &[])?;
            self.set_entry(memo, identity, copy)?;
            return Ok(copy);
        }
        if let HeapObject::Tuple(items) = self.heap.get(at) {
            let items = items.clone();
            return self.deep_copy_of_tuple(value, identity, &items, memo);
        }
        match self.copying(at) {
            Copying::Refused => Err(self.refuse_copy(value)),
            Copying::Same if !matches!(self.heap.get(at), HeapObject::Set(_)) => Ok(value),
            Copying::Same | Copying::Clone => {
                self.nested(|machine| machine.deep_copy_of_cell(value, at, identity, memo))
            }
        }
    }

    fn deep_copies(&mut self, values: &[Value], memo: HeapRef) -> ExecResult<Vec<Value>> {
        let mut copies = Vec::with_capacity(values.len());
        for &value in values {
            copies.push(self.nested(|machine| machine.deep_copy(value, memo))?);
        }
        Ok(copies)
    }

    fn deep_copy_of_tuple(&mut self, value: Value, identity: Value, items: &[Value], memo: HeapRef) -> ExecResult {
        let copies = self.deep_copies(items, memo)?;
        // A cycle through the tuple has made its copy already.
        if let Some(copy) = self.entry(memo, identity)? {
            return Ok(copy);
        }
        let is_same = |(one, two): (&Value, &Value)| match (one, two) {
            (Value::Ref(one), Value::Ref(two)) => one == two,
            (Value::Ref(_), _) | (_, Value::Ref(_)) => false,
            _ => true,
        };
        if items.iter().zip(&copies).all(is_same) {
            return Ok(value);
        }
        let copy = self.heap.tuple(copies);
        self.set_entry(memo, identity, copy)?;
        Ok(copy)
    }

    /// Copies an object with its contents. The new object is in the memo before its contents are copied.
    fn deep_copy_of_cell(&mut self, value: Value, at: HeapRef, identity: Value, memo: HeapRef) -> ExecResult {
        let original = self.heap.get(at).clone();
        let copy = match &original {
            HeapObject::List(_) => HeapObject::List(Vec::new()),
            HeapObject::Dict(dict) => HeapObject::Dict(Box::new(Dict::new(dict.kind))),
            HeapObject::Set(set) => HeapObject::Set(Box::new(Dict::new_set(set.kind))),
            HeapObject::Deque(deque) => {
                HeapObject::Deque(Box::new(Deque { max_length: deque.max_length, ..Deque::default() }))
            }
            HeapObject::Array(_) => {
                let copy = self.copy_array(value)?;
                self.set_entry(memo, identity, copy)?;
                return Ok(copy);
            }
            HeapObject::Instance { class, base_value, .. } => {
                HeapObject::Instance { class: *class, attributes: Box::default(), base_value: *base_value }
            }
            other => other.clone(),
        };
        let copy = self.heap.add(copy);
        self.set_entry(memo, identity, Value::Ref(copy))?;
        self.deep_copy_contents(original, copy, memo)?;
        Ok(Value::Ref(copy))
    }

    /// Fills the copy of an object with copies of its contents.
    fn deep_copy_contents(&mut self, original: HeapObject, copy: HeapRef, memo: HeapRef) -> ExecResult<()> {
        match original {
            HeapObject::List(items) => {
                for item in items {
                    let item = self.nested(|machine| machine.deep_copy(item, memo))?;
                    self.append(copy, item);
                }
            }
            HeapObject::Dict(dict) => {
                for (key, value) in dict.iter().collect::<Vec<_>>() {
                    let (key, value) = (self.deep_copy(key, memo)?, self.deep_copy(value, memo)?);
                    self.set_entry(copy, key, value)?;
                }
            }
            HeapObject::Set(set) => {
                let members: Vec<Value> = set.iter().map(|(member, _)| member).collect();
                let members = self.deep_copies(&members, memo)?;
                for member in members {
                    self.add_to_set(copy, member)?;
                }
            }
            HeapObject::Deque(deque) => {
                let items: Vec<Value> = deque.values.iter().copied().collect();
                let items = self.deep_copies(&items, memo)?;
                self.heap.record_growth(items.len());
                if let HeapObject::Deque(deque) = self.heap.get_mut(copy) {
                    for item in items {
                        deque.push(item, false);
                    }
                }
            }
            HeapObject::Instance { attributes, base_value, .. } => {
                let base = base_value.map(|base| self.deep_copy(base, memo)).transpose()?;
                let copies = self.deep_copies_by_name(&attributes, memo)?;
                if let HeapObject::Instance { attributes, base_value, .. } = self.heap.get_mut(copy) {
                    **attributes = copies;
                    *base_value = base;
                }
            }
            HeapObject::Screen(object) => self.deep_copy_screen_attributes(&object, copy, memo)?,
            HeapObject::Entity(object) => {
                let copies = self.deep_copies_by_name(&object.fields, memo)?;
                if let HeapObject::Entity(object) = self.heap.get_mut(copy) {
                    object.fields = copies;
                }
            }
            other => self.deep_copy_references(other, copy, memo)?,
        }
        Ok(())
    }

    /// Replaces the references of an object that was cloned by copies of what they refer to.
    fn deep_copy_references(&mut self, original: HeapObject, copy: HeapRef, memo: HeapRef) -> ExecResult<()> {
        match original {
            HeapObject::Partial { function, arguments, named } => {
                let values = self.deep_copies(&arguments, memo)?;
                let (symbols, keywords): (Vec<Symbol>, Vec<Value>) = named.iter().copied().unzip();
                let keywords = self.deep_copies(&keywords, memo)?;
                let function = self.deep_copy(function, memo)?;
                let named = symbols.into_iter().zip(keywords).collect();
                *self.heap.get_mut(copy) = HeapObject::Partial { function, arguments: values.into(), named };
            }
            HeapObject::BoundMethod { receiver, function } => {
                let receiver = self.deep_copy(receiver, memo)?;
                *self.heap.get_mut(copy) = HeapObject::BoundMethod { receiver, function };
            }
            HeapObject::Exception(exception) => {
                let copies = self.deep_copies(&exception.arguments, memo)?;
                let fields = self.deep_copies_by_name(&exception.fields, memo)?;
                if let HeapObject::Exception(exception) = self.heap.get_mut(copy) {
                    exception.arguments = copies;
                    exception.fields = fields;
                }
            }
            HeapObject::Library(mut object) => {
                let mut values = Vec::new();
                object.visit_references(&mut |value| values.push(value));
                let mut copies = self.deep_copies(&values, memo)?.into_iter();
                object.replace_references(&mut || copies.next().unwrap_or(Value::None));
                *self.heap.get_mut(copy) = HeapObject::Library(object);
            }
            _ => {}
        }
        Ok(())
    }

    /// Replaces the attributes of a copy of a screen object that are specific to its class or added by the program by copies of their own.
    fn deep_copy_screen_attributes(&mut self, object: &ScreenObject, copy: HeapRef, memo: HeapRef) -> ExecResult<()> {
        let extras = self.extra_attributes[object.class().0 as usize].clone();
        let copies = self.deep_copies_by_name(&object.attributes(&extras).fields, memo)?;
        if let HeapObject::Screen(object) = self.heap.get_mut(copy) {
            object.attributes_mut(&extras).fields = copies;
        }
        Ok(())
    }

    fn deep_copies_by_name(&mut self, values: &AttributeMap, memo: HeapRef) -> ExecResult<AttributeMap> {
        let mut copies = AttributeMap::default();
        for (&name, &value) in values {
            copies.insert(name, self.nested(|machine| machine.deep_copy(value, memo))?);
        }
        self.heap.record_growth(4 * copies.len());
        Ok(copies)
    }

    /// Returns a new array with the numbers of an array.
    fn copy_array(&mut self, array: Value) -> ExecResult {
        let copy = self.intern("copy");
        let method = self.attribute(array, copy)?;
        self.call_value(method, &[], &[])
    }
}
