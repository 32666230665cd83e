//! The state of the module: the values of global variables and objects that outlive calls, and their transfer to and from the machine.
//!
//! In the fast engine, the variables and each object are a list of words. A call works on copies of these lists, which replace the lists
//! when the call ends; a call that is handed over leaves no trace. The reference machine receives the state before it runs a call, and
//! the fast engine takes it back before its next one.

use std::sync::Arc;

use super::emit::width;
use super::op::{NONE, Tag, UNBOUND};
use crate::code::{Program, Symbol};
use crate::inference::types::Kinds;
use crate::machine::{ConstantValue, HeapRef, Machine, StaticObject};

/// The index of the list of the variables.
pub(super) const VARIABLES: u16 = 1;

/// The index of the list of the first object.
pub(super) const FIRST_OBJECT: usize = 2;

/// The maximum number of words of all lists together.
const MAX_WORDS: usize = 1 << 14;

/// The layout of the state of a program.
#[derive(Debug, Clone, Default)]
pub(super) struct StateLayout {
    /// The global variables that functions assign.
    pub(super) variables: Vec<(Symbol, SlotLayout)>,
    /// The objects of the module; `None` for those that the fast engine does not use.
    pub(super) objects: Vec<Option<ObjectLayout>>,
    /// The texts by their indices.
    pub(super) texts: Vec<Arc<str>>,
}

/// The layout of an object.
#[derive(Debug, Clone)]
pub(super) struct ObjectLayout {
    pub(super) at: HeapRef,
    pub(super) contents: Contents,
}

/// The layout of the contents of an object.
#[derive(Debug, Clone)]
pub(super) enum Contents {
    /// The attributes of an instance or the values of a dict, in order, with the names of attributes; those of a class are the ones that
    /// change.
    Fields(Vec<(Arc<str>, SlotLayout)>),
    /// The elements of a list.
    Elements(SlotLayout),
}

/// The layout of a value.
#[derive(Debug, Clone)]
pub(super) enum SlotLayout {
    /// No word: the value does not change. `None` if it is not data.
    Constant(Option<ConstantValue>),
    /// One word, or two if the second one is the tag of the kind.
    Scalar(Kinds),
    Tuple(Vec<SlotLayout>),
}

/// The lists of an environment's state.
#[derive(Debug, Default)]
pub(super) struct ModuleState {
    pub(super) lists: Vec<Vec<u64>>,
    owner: Owner,
}

/// The engine that has the current state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Owner {
    #[default]
    FastEngine,
    Machine,
    /// The machine, in a form that the fast engine cannot take back.
    MachineForever,
}

impl ModuleState {
    /// Restores the state after the top level of the program.
    pub(super) fn reset(&mut self, initial: &[Vec<u64>]) {
        self.lists.resize(initial.len(), Vec::new());
        for (list, initial) in self.lists.iter_mut().zip(initial) {
            list.clone_from(initial);
        }
        self.owner = Owner::FastEngine;
    }

    /// Takes the state from the machine if that has it; returns whether the fast engine has it now.
    pub(super) fn take_back(&mut self, layout: &StateLayout, program: &Program, machine: Option<&Machine>) -> bool {
        if let (Owner::Machine, Some(machine)) = (self.owner, machine) {
            self.owner = match layout.read(program, machine) {
                Some(lists) => {
                    self.lists = lists;
                    Owner::FastEngine
                }
                None => Owner::MachineForever,
            };
        }
        self.owner == Owner::FastEngine
    }

    /// Passes the state to the machine if the fast engine has it.
    pub(super) fn pass_on(&mut self, layout: &StateLayout, machine: &mut Machine) {
        if !layout.is_empty() && self.owner == Owner::FastEngine {
            layout.write(&self.lists, machine);
            self.owner = Owner::Machine;
        }
    }
}

impl StateLayout {
    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.objects.is_empty()
    }

    /// Reads the state of a machine; `None` if it does not fit the layout.
    pub(super) fn read(&self, program: &Program, machine: &Machine) -> Option<Vec<Vec<u64>>> {
        if self.is_empty() {
            return Some(Vec::new());
        }
        let mut variables = Vec::new();
        for (symbol, slot) in &self.variables {
            self.encode(&machine.global_constant(program.name(*symbol))?, slot, &mut variables)?;
        }
        let mut lists = vec![variables];
        for object in &self.objects {
            let mut words = Vec::new();
            if let Some(object) = object {
                self.read_object(object, machine, &mut words)?;
            }
            lists.push(words);
        }
        (lists.iter().map(Vec::len).sum::<usize>() <= MAX_WORDS).then_some(lists)
    }

    fn read_object(&self, object: &ObjectLayout, machine: &Machine, words: &mut Vec<u64>) -> Option<()> {
        let values = match machine.static_object(object.at)? {
            StaticObject::Instance(_, attributes) => attributes.into_iter().map(|(_, value)| value).collect(),
            StaticObject::Dict(entries) => entries.into_iter().map(|(_, value)| value).collect(),
            StaticObject::List(values) | StaticObject::Deque(values, _) => values,
            StaticObject::Cell(value) => value.into_iter().collect(),
            StaticObject::Class(attributes) => {
                let Contents::Fields(slots) = &object.contents else { return None };
                let value = |name: &Arc<str>| attributes.iter().find(|(other, _)| other == name);
                let values = slots.iter().map(|(name, _)| value(name).map(|(_, value)| value.clone()));
                values.collect::<Option<Vec<_>>>()?
            }
        };
        match &object.contents {
            Contents::Elements(slot) => values.iter().try_for_each(|value| self.encode(value, slot, words)),
            Contents::Fields(slots) if slots.len() == values.len() => {
                values.iter().zip(slots).try_for_each(|(value, (_, slot))| self.encode(value, slot, words))
            }
            Contents::Fields(_) => None,
        }
    }

    /// Appends the words of a value.
    fn encode(&self, value: &ConstantValue, slot: &SlotLayout, words: &mut Vec<u64>) -> Option<()> {
        match slot {
            SlotLayout::Constant(known) => (known.as_ref()? == value).then_some(()),
            SlotLayout::Tuple(slots) => match value {
                ConstantValue::Tuple(parts) if parts.len() == slots.len() => {
                    parts.iter().zip(slots).try_for_each(|(part, slot)| self.encode(part, slot, words))
                }
                _ => None,
            },
            SlotLayout::Scalar(kinds) => {
                let (bits, kind, tag) = match value {
                    ConstantValue::None => (NONE, Kinds::NONE, Tag::None),
                    ConstantValue::Bool(truth) => ((*truth).into(), Kinds::BOOL, Tag::Bool),
                    ConstantValue::Int(number) => (number.cast_unsigned(), Kinds::INT, Tag::Int),
                    ConstantValue::Float(number) => (number.to_bits(), Kinds::FLOAT, Tag::Float),
                    ConstantValue::Text(text) => {
                        let place = self.texts.iter().position(|known| known == text)?;
                        (place as u64, Kinds::TEXT, Tag::Text)
                    }
                    ConstantValue::Object(at) => {
                        let of = |object: &Option<ObjectLayout>| object.as_ref().is_some_and(|object| object.at == *at);
                        let place = self.objects.iter().position(of)?;
                        let is_list = matches!(self.objects[place].as_ref()?.contents, Contents::Elements(_));
                        let (kind, tag) = if is_list { (Kinds::LIST, Tag::List) } else { (Kinds::RECORD, Tag::Record) };
                        ((place + FIRST_OBJECT) as u64, kind, tag)
                    }
                    _ => return None,
                };
                if !kind.is_subset(*kinds) {
                    return None;
                }
                words.push(bits);
                if width(*kinds) == 2 {
                    words.push(tag as u64);
                }
                Some(())
            }
        }
    }

    /// Writes the state to a machine.
    fn write(&self, lists: &[Vec<u64>], machine: &mut Machine) {
        let Some((variables, objects)) = lists.split_first() else { return };
        let mut words = variables.iter().copied();
        for (symbol, slot) in &self.variables {
            if let Some(value) = self.decode(slot, &mut words) {
                machine.restore_global(*symbol, &value);
            }
        }
        for (object, words) in self.objects.iter().zip(objects) {
            let Some(ObjectLayout { at, contents }) = object else { continue };
            let mut words = words.iter().copied();
            match contents {
                Contents::Elements(slot) => {
                    let mut values = Vec::new();
                    while words.len() > 0 {
                        values.extend(self.decode(slot, &mut words));
                    }
                    machine.restore_list(*at, &values);
                }
                Contents::Fields(slots) => {
                    for (place, (name, slot)) in slots.iter().enumerate() {
                        match (slot, self.decode(slot, &mut words)) {
                            (SlotLayout::Constant(_), _) | (_, None) => {}
                            (_, Some(value)) => machine.restore_field(*at, (place, name), &value),
                        }
                    }
                }
            }
        }
    }

    /// Returns the value of the next words; `None` if there is none.
    fn decode(&self, slot: &SlotLayout, words: &mut impl Iterator<Item = u64>) -> Option<ConstantValue> {
        let kinds = match slot {
            SlotLayout::Constant(known) => return known.clone(),
            SlotLayout::Tuple(slots) => {
                let parts: Vec<Option<ConstantValue>> = slots.iter().map(|slot| self.decode(slot, words)).collect();
                return parts.into_iter().collect::<Option<Vec<_>>>().map(ConstantValue::Tuple);
            }
            SlotLayout::Scalar(kinds) => *kinds,
        };
        let bits = words.next()?;
        let kind = if width(kinds) == 2 {
            tag_kinds(words.next()?)?
        } else if bits == NONE && kinds.intersects(Kinds::NONE) {
            Kinds::NONE
        } else if bits == UNBOUND && kinds.intersects(Kinds::UNBOUND) {
            return None;
        } else {
            kinds.difference(Kinds::NONE.union(Kinds::UNBOUND))
        };
        Some(match kind {
            Kinds::NONE => ConstantValue::None,
            Kinds::BOOL => ConstantValue::Bool(bits != 0),
            Kinds::INT => ConstantValue::Int(bits.cast_signed()),
            Kinds::FLOAT => ConstantValue::Float(f64::from_bits(bits)),
            Kinds::TEXT => ConstantValue::Text(Arc::clone(self.texts.get(bits as usize)?)),
            Kinds::LIST | Kinds::RECORD => {
                let place = (bits as usize).checked_sub(FIRST_OBJECT)?;
                ConstantValue::Object(self.objects.get(place)?.as_ref()?.at)
            }
            _ => return None,
        })
    }
}

/// Returns the kind of a tag.
fn tag_kinds(tag: u64) -> Option<Kinds> {
    Some(match Tag::ALL.get(tag as usize)? {
        Tag::None => Kinds::NONE,
        Tag::Bool => Kinds::BOOL,
        Tag::Int => Kinds::INT,
        Tag::Float => Kinds::FLOAT,
        Tag::Text => Kinds::TEXT,
        Tag::List => Kinds::LIST,
        Tag::Record => Kinds::RECORD,
        Tag::Unbound | Tag::Object => return None,
    })
}
