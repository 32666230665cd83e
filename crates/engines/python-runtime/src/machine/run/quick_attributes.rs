//! Attribute access with inline caches.

use super::super::classes::has_no_instance_value;
use super::super::dict::DictKind;
use super::super::exceptions::ExecResult;
use super::super::methods::find_method;
use super::super::screen::{ScreenObject, ScreenSlot};
use super::super::value::{ClassKind, HeapObject, HeapRef, Type, Value};
use super::super::{Machine, cost};
use super::ReturnTarget;
use super::shortcuts::Shortcut;
use crate::code::Symbol;

/// The finding of an instruction that reads or stores an attribute, from the last time that it ran.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::machine) struct AttributeCache {
    /// The class of the object, or the object itself if it is a class or a module.
    owner: Option<HeapRef>,
    /// The [version](super::super::heap::Heap::class_version) of the classes.
    version: u32,
    /// The index of the attribute among those of the object.
    place: u32,
    found: ClassAttribute,
}

/// An attribute of a class, as its instances see it.
#[derive(Debug, Clone, Copy, Default)]
enum ClassAttribute {
    /// One that has no quick form.
    #[default]
    Other,
    /// None; or for stores, one that does not affect them.
    Missing,
    /// A value that is the same for the class and for its instances.
    Value(Value),
    /// A function, which reading the attribute binds.
    Function(HeapRef),
    /// A property with this getter, a function that takes the object alone.
    Property(HeapRef),
    /// For stores, a property with this setter, a function that takes the object and the value.
    Setter(HeapRef),
    /// The field of a named tuple with this index.
    TupleField(u32),
    /// A method of a built-in class, whose objects and not instances have it, by its index among the known methods.
    Method(Type, u32),
    /// `name` or `value` of the members of an enumeration, which they hold under this name.
    MemberPart(Symbol),
}

impl Machine {
    /// Replaces the object on top of the stack by one of its attributes. `pc` is the index of the next instruction.
    #[inline(never)]
    pub(super) fn quick_attribute(
        &mut self,
        slot: Option<ScreenSlot>,
        cache: u32,
        symbol: Symbol,
        pc: usize,
    ) -> ExecResult<Shortcut> {
        let Some(&Value::Ref(at)) = self.operands.last() else { return Ok(Shortcut::Unavailable) };
        let value = match self.heap.get(at) {
            HeapObject::Screen(ScreenObject::Plain(object)) => {
                let Some(slot) = slot else {
                    let Some(value) = self.extra_attribute(object, symbol) else { return Ok(Shortcut::Unavailable) };
                    *self.operands.last_mut().expect("the object was there") = value;
                    return Ok(Shortcut::Taken);
                };
                if let Some(value) = object.immediate(slot) {
                    self.spend(slot.work())?;
                    value
                } else if let Some(pair) = object.pair(slot) {
                    self.spend(slot.work())?;
                    self.heap.tuple(pair)
                } else if slot == ScreenSlot::Color {
                    let color = object.shown_color();
                    self.heap.tuple(color)
                } else if slot == ScreenSlot::Category {
                    let class = object.class;
                    self.screen_class_text(class)
                } else {
                    return Ok(Shortcut::Unavailable);
                }
            }
            HeapObject::Instance { class, base_value: None, .. } => {
                let class = *class;
                if self.copy_own_attribute(cache, at, class, symbol) {
                    return Ok(Shortcut::Taken);
                }
                match self.cached_class_attribute(cache, class, symbol) {
                    ClassAttribute::Property(getter) => {
                        let object = self.operands.len() - 1;
                        return self.quick_function_call(getter, object, Some(at), pc);
                    }
                    ClassAttribute::Function(function) => match self.own_attribute(at, cache, symbol) {
                        Some(value) => value,
                        None => self.new_bound_method(at, function),
                    },
                    ClassAttribute::Value(value) => self.own_attribute(at, cache, symbol).unwrap_or(value),
                    ClassAttribute::Missing => match self.own_attribute(at, cache, symbol) {
                        Some(value) => value,
                        None => return Ok(Shortcut::Unavailable),
                    },
                    ClassAttribute::MemberPart(part) => match self.own_attribute(at, cache, part) {
                        Some(value) if self.own_attribute(at, cache, symbol).is_none() => value,
                        _ => return Ok(Shortcut::Unavailable),
                    },
                    ClassAttribute::TupleField(_)
                    | ClassAttribute::Setter(_)
                    | ClassAttribute::Method(..)
                    | ClassAttribute::Other => return Ok(Shortcut::Unavailable),
                }
            }
            HeapObject::Instance { class, base_value: Some(Value::Ref(base)), .. } => {
                let (class, base) = (*class, *base);
                let found = self.cached_class_attribute(cache, class, symbol);
                let (ClassAttribute::TupleField(place), HeapObject::Tuple(values)) = (found, self.heap.get(base))
                else {
                    return Ok(Shortcut::Unavailable);
                };
                match values.get(place as usize) {
                    Some(&value) => value,
                    None => return Ok(Shortcut::Unavailable),
                }
            }
            HeapObject::Class(_) | HeapObject::Module(..) => match self.cached_member(cache, at, symbol) {
                Some(value) => value,
                None => return Ok(Shortcut::Unavailable),
            },
            HeapObject::State(state) => match state.fields.iter().find(|(field, _)| *field == symbol) {
                Some(&(_, value)) if &**self.names.text(symbol) != "objects" => value,
                _ => return Ok(Shortcut::Unavailable),
            },
            _ => return Ok(Shortcut::Unavailable),
        };
        *self.operands.last_mut().expect("the object was there") = value;
        Ok(Shortcut::Taken)
    }

    /// Replaces the object on top of the stack by one of its methods, in the form that only calls understand.
    #[inline(never)]
    pub(super) fn quick_method(&mut self, cache: u32, symbol: Symbol, pc: usize) -> ExecResult<Shortcut> {
        let Some(&Value::Ref(at)) = self.operands.last() else { return Ok(Shortcut::Unavailable) };
        let class = match self.heap.get(at) {
            HeapObject::Instance { class, base_value: None, .. } => {
                let class = *class;
                if let ClassAttribute::Function(function) = self.cached_class_attribute(cache, class, symbol)
                    && self.own_attribute(at, cache, symbol).is_none()
                {
                    // A bound method costs as much as its cell.
                    self.spend(1)?;
                    *self.operands.last_mut().expect("the object was there") = Value::Method { receiver: at, function };
                    return Ok(Shortcut::Taken);
                }
                return self.quick_attribute(None, cache, symbol, pc);
            }
            HeapObject::Class(_) | HeapObject::Module(..) => return self.quick_attribute(None, cache, symbol, pc),
            HeapObject::List(_) => Type::List,
            HeapObject::Text(_) => Type::Str,
            HeapObject::Dict(dict) if matches!(dict.kind, DictKind::Plain) => Type::Dict,
            HeapObject::Set(set) if matches!(set.kind, DictKind::Plain) => Type::Set,
            HeapObject::Tuple(_) => Type::Tuple,
            HeapObject::Deque(_) | HeapObject::Generator(_) => self.type_of(Value::Ref(at)),
            _ => return Ok(Shortcut::Unavailable),
        };
        let Some(method) = self.cached_method(cache, class, symbol) else { return Ok(Shortcut::Unavailable) };
        self.spend(1)?;
        *self.operands.last_mut().expect("the object was there") = Value::BuiltinMethod { receiver: at, method };
        Ok(Shortcut::Taken)
    }

    /// Returns the index of a method of a built-in class among the known methods.
    #[inline]
    fn cached_method(&mut self, cache: u32, class: Type, name: Symbol) -> Option<u32> {
        if let ClassAttribute::Method(known, method) = self.caches[cache as usize].found
            && known == class
        {
            return Some(method);
        }
        let method = find_method(class, self.names.text(name))?;
        let place = self.known_methods.iter().position(|known| *known == method);
        let place = place.unwrap_or_else(|| {
            self.known_methods.push(method);
            self.known_methods.len() - 1
        }) as u32;
        let found = ClassAttribute::Method(class, place);
        self.caches[cache as usize] = AttributeCache { found, ..AttributeCache::default() };
        Some(place)
    }

    /// Stores a value in an attribute of an instance whose classes do not take part in that: takes the value and the object from the stack. Returns
    /// whether it did.
    #[inline(never)]
    pub(super) fn quick_attribute_store(&mut self, cache: u32, symbol: Symbol) -> bool {
        let Some((value, Value::Ref(at))) = self.top_two() else { return false };
        let HeapObject::Instance { class, base_value: None, .. } = self.heap.get(at) else {
            return false;
        };
        let class = *class;
        let (version, known) = (self.heap.class_version(), &mut self.caches[cache as usize]);
        if known.owner != Some(class) || known.version != version {
            let found = self.effect_on_stores(class, symbol);
            self.caches[cache as usize] = AttributeCache { owner: Some(class), version, place: 0, found };
        }
        let known = &mut self.caches[cache as usize];
        if !matches!(known.found, ClassAttribute::Missing) {
            return false;
        }
        let HeapObject::Instance { attributes, .. } = self.heap.get_mut_to_store(at, value) else {
            return false;
        };
        match attributes.get_index_mut(known.place as usize) {
            Some((&name, slot)) if name == symbol => *slot = value,
            _ => {
                let (place, before) = attributes.insert_full(symbol, value);
                known.place = place as u32;
                if before.is_none() {
                    self.heap.record_growth_of(at, 4);
                }
            }
        }
        self.operands.truncate(self.operands.len() - 2);
        true
    }

    /// Starts a call of the setter of a property with the value and the object on top of the stack, if the last run of
    /// [`quick_attribute_store`](Self::quick_attribute_store) found one.
    pub(super) fn quick_property_store(&mut self, cache: u32, pc: usize) -> ExecResult<Shortcut> {
        let AttributeCache { owner, version, found, .. } = self.caches[cache as usize];
        let (ClassAttribute::Setter(setter), Some((_, Value::Ref(object)))) = (found, self.top_two()) else {
            return Ok(Shortcut::Unavailable);
        };
        let class = match self.heap.get(object) {
            HeapObject::Instance { class, base_value: None, .. } => *class,
            _ => return Ok(Shortcut::Unavailable),
        };
        if owner != Some(class) || version != self.heap.class_version() || self.frames.len() >= self.budget.call_depth {
            return Ok(Shortcut::Unavailable);
        }
        self.top_frame().pc = pc;
        let receiver = self.pop();
        let place = self.operands.len() - 1;
        if self.push_quick_frame(setter, Some(object), place, place, ReturnTarget::Discard).is_none() {
            self.push(receiver);
            return Ok(Shortcut::Unavailable);
        }
        if let Err(fault) = self.charge(cost::CALL) {
            self.pop_frame();
            return Err(fault);
        }
        Ok(Shortcut::FrameChanged)
    }

    /// Returns what storing an attribute of the instances of a class calls: `Missing` if it only changes the instance.
    fn effect_on_stores(&mut self, class: HeapRef, symbol: Symbol) -> ClassAttribute {
        let setter = self.intern("__setattr__");
        let is_plain = self.class_cell(class).mro.iter().all(|&base| match base {
            Value::Ref(class) => {
                let class = self.class_cell(class);
                let is_plain = match &class.kind {
                    ClassKind::Plain => true,
                    ClassKind::Dataclass(dataclass) => !dataclass.frozen,
                    _ => false,
                };
                is_plain && class.slots.is_none() && !class.attributes.contains_key(&setter)
            }
            Value::Type(kind) => has_no_instance_value(kind),
            _ => false,
        });
        if !is_plain {
            return ClassAttribute::Other;
        }
        match self.class_field(class, symbol) {
            Some(Value::Ref(field)) => match self.heap.get(field) {
                HeapObject::Property { set: Some(Value::Ref(set)), .. } if self.takes_arguments(*set, 2) => {
                    ClassAttribute::Setter(*set)
                }
                // No descriptors that handle stores.
                HeapObject::Function(_)
                | HeapObject::Text(_)
                | HeapObject::Tuple(_)
                | HeapObject::List(_)
                | HeapObject::Dict(_)
                | HeapObject::Set(_)
                | HeapObject::Deque(_) => ClassAttribute::Missing,
                _ => ClassAttribute::Other,
            },
            _ => ClassAttribute::Missing,
        }
    }

    /// Returns the attribute that the instances of a class have from the class.
    #[inline]
    fn cached_class_attribute(&mut self, cache: u32, class: HeapRef, symbol: Symbol) -> ClassAttribute {
        let version = self.heap.class_version();
        let known = &self.caches[cache as usize];
        if known.owner == Some(class) && known.version == version {
            return known.found;
        }
        let found = self.class_attribute(class, symbol);
        self.caches[cache as usize] = AttributeCache { owner: Some(class), version, place: 0, found };
        found
    }

    #[cold]
    fn class_attribute(&mut self, class: HeapRef, symbol: Symbol) -> ClassAttribute {
        let name = self.name(symbol);
        if name.starts_with("__") {
            return ClassAttribute::Other;
        }
        let field = match self.class_field(class, symbol) {
            None if matches!(&*name, "name" | "value") && self.is_enum(class) => {
                return ClassAttribute::MemberPart(self.intern(if &*name == "name" { "_name_" } else { "_value_" }));
            }
            None => return ClassAttribute::Missing,
            Some(Value::Ref(field)) => field,
            // A method that the class inherits from an abstract base class.
            Some(Value::Builtin(_)) => return ClassAttribute::Other,
            Some(value) => return ClassAttribute::Value(value),
        };
        match self.heap.get(field) {
            HeapObject::Function(_) => ClassAttribute::Function(field),
            HeapObject::Text(_)
            | HeapObject::Tuple(_)
            | HeapObject::List(_)
            | HeapObject::Dict(_)
            | HeapObject::Set(_)
            | HeapObject::Deque(_) => ClassAttribute::Value(Value::Ref(field)),
            HeapObject::StaticMethod(function) => ClassAttribute::Value(*function),
            HeapObject::NamedTupleField(place) => ClassAttribute::TupleField(*place as u32),
            HeapObject::Property { get: Value::Ref(getter), .. }
                if self.takes_arguments(*getter, 1) && self.class_field_named(class, "__getattr__").is_none() =>
            {
                ClassAttribute::Property(*getter)
            }
            _ => ClassAttribute::Other,
        }
    }

    /// Returns an attribute of an instance whose class lacks one of that name, if it has the same place as the last time.
    #[inline]
    pub(super) fn cached_field(&self, cache: u32, name: Symbol, object: &Value) -> Option<Value> {
        let Value::Ref(at) = object else { return None };
        let HeapObject::Instance { class, attributes, base_value: None } = self.heap.get(*at) else { return None };
        let known = &self.caches[cache as usize];
        if known.owner != Some(*class)
            || known.version != self.heap.class_version()
            || !matches!(known.found, ClassAttribute::Missing)
        {
            return None;
        }
        let (&found, value) = attributes.get_index(known.place as usize)?;
        (found == name).then_some(*value)
    }

    /// Replaces the instance on top of the stack by one of its attributes, if its class lacks one of that name and the attribute has the
    /// same place as the last time; returns whether it did.
    #[inline]
    fn copy_own_attribute(&mut self, cache: u32, at: HeapRef, class: HeapRef, symbol: Symbol) -> bool {
        let known = &self.caches[cache as usize];
        if known.owner == Some(class)
            && known.version == self.heap.class_version()
            && matches!(known.found, ClassAttribute::Missing)
            && let HeapObject::Instance { attributes, .. } = self.heap.get(at)
            && let Some((&name, value)) = attributes.get_index(known.place as usize)
            && name == symbol
            && let Some(target) = self.operands.last_mut()
        {
            value.copy_to(target);
            return true;
        }
        false
    }

    /// Returns an attribute that an instance itself has.
    #[inline]
    fn own_attribute(&mut self, at: HeapRef, cache: u32, symbol: Symbol) -> Option<Value> {
        let HeapObject::Instance { attributes, .. } = self.heap.get(at) else { return None };
        let known = &mut self.caches[cache as usize];
        if let Some((&name, &value)) = attributes.get_index(known.place as usize)
            && name == symbol
        {
            return Some(value);
        }
        let (place, _, &value) = attributes.get_full(&symbol)?;
        known.place = place as u32;
        Some(value)
    }

    fn new_bound_method(&mut self, receiver: HeapRef, function: HeapRef) -> Value {
        let (receiver, function) = (Value::Ref(receiver), Value::Ref(function));
        Value::Ref(self.heap.add(HeapObject::BoundMethod { receiver, function }))
    }

    /// Returns an attribute of a class of the program or of a module that needs no cell.
    #[inline]
    fn cached_member(&mut self, cache: u32, at: HeapRef, symbol: Symbol) -> Option<Value> {
        let version = self.heap.class_version();
        let known = &self.caches[cache as usize];
        if known.owner == Some(at)
            && known.version == version
            && let ClassAttribute::Value(value) = known.found
        {
            return Some(value);
        }
        let value = match self.heap.get(at) {
            HeapObject::Class(_) => self.own_class_member(at, symbol)?,
            _ => self.modules.member(at, symbol)?,
        };
        let found = ClassAttribute::Value(value);
        self.caches[cache as usize] = AttributeCache { owner: Some(at), version, place: 0, found };
        Some(value)
    }

    /// Returns an attribute that a class of the program defines itself, other than special and private ones.
    #[cold]
    fn own_class_member(&self, at: HeapRef, symbol: Symbol) -> Option<Value> {
        let value = *self.class_cell(at).attributes.get(&symbol)?;
        if self.names.text(symbol).starts_with('_') {
            return None;
        }
        match value {
            Value::Ref(field) => match self.heap.get(field) {
                HeapObject::Text(_)
                | HeapObject::Tuple(_)
                | HeapObject::List(_)
                | HeapObject::Dict(_)
                | HeapObject::Function(_) => Some(value),
                HeapObject::StaticMethod(function) => Some(*function),
                // A member of an enumeration, which is no descriptor.
                HeapObject::Instance { class: owner, .. }
                    if *owner == at && self.class_field_named(at, "__get__").is_none() =>
                {
                    Some(value)
                }
                _ => None,
            },
            value => Some(value),
        }
    }

    /// Returns an element of an attribute of a screen object that is a pair of numbers, if the object on top of the stack is one. The work
    /// includes that of the cell of the pair.
    #[inline]
    pub(super) fn quick_pair_item(&self, slot: ScreenSlot, is_second: bool) -> Option<(Value, u64)> {
        let Some(&Value::Ref(at)) = self.operands.last() else { return None };
        let HeapObject::Screen(ScreenObject::Plain(object)) = self.heap.get(at) else { return None };
        Some((object.pair(slot)?[usize::from(is_second)], slot.work() + cost::OPERATION))
    }

    /// Returns an immediate attribute of a screen object.
    #[inline]
    pub(super) fn immediate_screen_attribute(&self, object: &Value, slot: ScreenSlot) -> Option<Value> {
        let Value::Ref(at) = object else { return None };
        match self.heap.get(*at) {
            HeapObject::Screen(ScreenObject::Plain(object)) => object.immediate(slot),
            _ => None,
        }
    }
}
