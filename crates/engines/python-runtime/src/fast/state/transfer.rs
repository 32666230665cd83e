//! Transfer of the state of the module between the machine and the fast engine.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Contents, FIRST_OBJECT, MAX_WORDS, NONE, SlotLayout, StateLayout, StateLists, Tag, UNBOUND, width};
use crate::code::Program;
use crate::inference::containers::{Container, MissingKey};
use crate::inference::types::Kinds;
use crate::machine::{ConstantValue, HeapRef, Machine, StaticObject};

/// A state that is being read from a machine.
struct Reader<'s> {
    layout: &'s StateLayout,
    machine: &'s Machine,
    lists: StateLists,
    /// The objects of the lists after those of the module, with the indices of the lists.
    others: FxHashMap<HeapRef, u64>,
    /// These objects in the order of their lists.
    pending: Vec<HeapRef>,
}

impl StateLayout {
    /// Reads the state of a machine; `None` if it does not fit the layout.
    pub(in crate::fast) fn read(&self, program: &Program, machine: &Machine) -> Option<StateLists> {
        if self.is_empty() {
            return Some(StateLists::default());
        }
        let count = 1 + self.objects.len();
        let lists = StateLists { words: vec![Vec::new(); count], others: Vec::new() };
        let mut reader = Reader { layout: self, machine, lists, others: FxHashMap::default(), pending: Vec::new() };
        let mut variables = Vec::new();
        for (symbol, slot) in &self.variables {
            reader.encode(&machine.global_constant(program.name(*symbol))?, slot, &mut variables)?;
        }
        reader.lists.words[0] = variables;
        for (place, object) in self.objects.iter().enumerate() {
            if let Some(object) = object {
                reader.lists.words[place + 1] = reader.object(object.at, object.contents)?;
            }
        }
        let mut next = 0;
        while let Some(&at) = reader.pending.get(next) {
            let words = reader.object(at, reader.lists.others[next])?;
            reader.lists.words[count + next] = words;
            next += 1;
            if next * 4 > MAX_WORDS {
                return None;
            }
        }
        (reader.lists.words.iter().map(Vec::len).sum::<usize>() <= MAX_WORDS).then_some(reader.lists)
    }

    /// Writes the state to a machine.
    pub(in crate::fast) fn write(&self, lists: &StateLists, machine: &mut Machine) {
        let count = 1 + self.objects.len();
        let mut cells: Vec<Option<HeapRef>> =
            self.objects.iter().map(|object| object.as_ref().map(|object| object.at)).collect();
        for &contents in &lists.others {
            cells.push(Some(match &self.contents[usize::from(contents)] {
                Contents::Elements { container, .. } => match container {
                    Container::List | Container::Set => machine.new_state_list(),
                    Container::Deque(limit) => machine.new_state_deque(*limit),
                    Container::Dict(missing) => machine.new_state_dict(*missing),
                },
                Contents::Fields { class, .. } => machine.new_state_record(*class),
            }));
        }
        let mut words = lists.words[0].iter().copied();
        for (symbol, slot) in &self.variables {
            if let Some(value) = self.decode(slot, &mut words, &cells) {
                machine.restore_global(*symbol, &value);
            }
        }
        for (place, (&at, words)) in cells.iter().zip(&lists.words[1..]).enumerate() {
            let contents = match place.checked_sub(count - 1) {
                Some(other) => lists.others.get(other).copied(),
                None => self.objects[place].as_ref().map(|object| object.contents),
            };
            let (Some(at), Some(contents)) = (at, contents) else { continue };
            self.write_object(at, &self.contents[usize::from(contents)], words, &cells, machine);
        }
    }

    fn write_object(
        &self,
        at: HeapRef,
        contents: &Contents,
        words: &[u64],
        cells: &[Option<HeapRef>],
        machine: &mut Machine,
    ) {
        let mut words = words.iter().copied();
        match contents {
            // Sets of the module do not change.
            Contents::Elements { container: Container::Set, .. } | Contents::Elements { is_written: false, .. } => {}
            Contents::Elements { slot, container, .. } => {
                let mut values = Vec::new();
                while words.len() > 0 {
                    values.extend(self.decode(slot, &mut words, cells));
                }
                match container {
                    Container::Dict(_) => machine.restore_dict(at, &values),
                    _ => machine.restore_list(at, &values),
                }
            }
            Contents::Fields { slots, .. } => {
                for (place, (key, slot)) in slots.iter().enumerate() {
                    if let Some(value) = self.decode(slot, &mut words, cells) {
                        machine.restore_field(at, place, key, &value);
                    }
                }
            }
        }
    }

    /// Returns the value of the next words; `None` if there is none. Lists refer to the cells of the machine.
    fn decode(
        &self,
        slot: &SlotLayout,
        words: &mut impl Iterator<Item = u64>,
        cells: &[Option<HeapRef>],
    ) -> Option<ConstantValue> {
        let kinds = match slot {
            SlotLayout::Constant(known) => return known.clone(),
            SlotLayout::Tuple(slots) => {
                let parts: Vec<Option<ConstantValue>> =
                    slots.iter().map(|slot| self.decode(slot, words, cells)).collect();
                return parts.into_iter().collect::<Option<Vec<_>>>().map(ConstantValue::Tuple);
            }
            SlotLayout::OneOf(alternatives) => {
                let word = words.next()?;
                return alternatives.iter().find(|(known, _)| *known == word).map(|(_, value)| value.clone());
            }
            SlotLayout::Scalar(kinds, _) => *kinds,
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
                ConstantValue::Object(cells.get(place).copied().flatten()?)
            }
            _ => return None,
        })
    }
}

impl Reader<'_> {
    /// Returns the words of an object.
    fn object(&mut self, at: HeapRef, contents: u16) -> Option<Vec<u64>> {
        let layout = self.layout;
        let contents = layout.contents.get(usize::from(contents))?;
        let mut words = Vec::new();
        let values = match (self.machine.static_object(at)?, contents) {
            (found, Contents::Elements { slot, container, .. }) => {
                let values = elements(found, *container)?;
                values.iter().try_for_each(|value| self.encode(value, slot, &mut words))?;
                return Some(words);
            }
            (StaticObject::Instance(found, attributes), Contents::Fields { class: Some(class), slots })
                if found == *class && is_same_order(&attributes, slots) =>
            {
                attributes.into_iter().map(|(_, value)| value).collect()
            }
            (StaticObject::Dict(entries, MissingKey::Absent), Contents::Fields { class: None, slots })
                if entries.len() == slots.len()
                    && entries.iter().zip(slots).all(|((key, _), (known, _))| key == known) =>
            {
                entries.into_iter().map(|(_, value)| value).collect()
            }
            (StaticObject::Cell(value), Contents::Fields { .. }) => value.into_iter().collect(),
            (StaticObject::Class(attributes), Contents::Fields { slots, .. }) => {
                let value = |name: &ConstantValue| {
                    let mut attributes = attributes.iter();
                    attributes.find(|(other, _)| ConstantValue::Text(other.clone()) == *name)
                };
                let values = slots.iter().map(|(name, _)| value(name).map(|(_, value)| value.clone()));
                values.collect::<Option<Vec<_>>>()?
            }
            _ => return None,
        };
        match contents {
            Contents::Fields { slots, .. } if slots.len() == values.len() => {
                for (value, (_, slot)) in values.iter().zip(slots) {
                    self.encode(value, slot, &mut words)?;
                }
                Some(words)
            }
            _ => None,
        }
    }

    /// Appends the words of a value.
    fn encode(&mut self, value: &ConstantValue, slot: &SlotLayout, words: &mut Vec<u64>) -> Option<()> {
        let (kinds, referent) = match slot {
            SlotLayout::Constant(known) => return (known.as_ref()? == value).then_some(()),
            SlotLayout::Tuple(slots) => {
                return match value {
                    ConstantValue::Tuple(parts) if parts.len() == slots.len() => {
                        parts.iter().zip(slots).try_for_each(|(part, slot)| self.encode(part, slot, words))
                    }
                    _ => None,
                };
            }
            SlotLayout::OneOf(alternatives) => {
                words.push(alternatives.iter().find(|(_, known)| known == value)?.0);
                return Some(());
            }
            SlotLayout::Scalar(kinds, referent) => (*kinds, *referent),
        };
        let (bits, kind, tag) = match value {
            ConstantValue::None => (NONE, Kinds::NONE, Tag::None),
            ConstantValue::Bool(truth) => ((*truth).into(), Kinds::BOOL, Tag::Bool),
            ConstantValue::Int(number) => (number.cast_unsigned(), Kinds::INT, Tag::Int),
            ConstantValue::Float(number) => (number.to_bits(), Kinds::FLOAT, Tag::Float),
            ConstantValue::Text(text) => {
                let place = self.layout.texts.iter().position(|known| known == text)?;
                (place as u64, Kinds::TEXT, Tag::Text)
            }
            ConstantValue::Object(at) => {
                let is_list = matches!(self.layout.contents[usize::from(referent?)], Contents::Elements { .. });
                let (kind, tag) = if is_list { (Kinds::LIST, Tag::List) } else { (Kinds::RECORD, Tag::Record) };
                (self.list_of(*at, referent?)?, kind, tag)
            }
            _ => return None,
        };
        if !kind.is_subset(kinds) {
            return None;
        }
        words.push(bits);
        if width(kinds) == 2 {
            words.push(tag as u64);
        }
        Some(())
    }

    /// Returns the index of the list of an object, whose contents have a layout.
    fn list_of(&mut self, at: HeapRef, contents: u16) -> Option<u64> {
        let known = self.layout.objects.iter().position(|object| object.as_ref().is_some_and(|object| object.at == at));
        if let Some(place) = known {
            let is_same = self.layout.objects[place].as_ref()?.contents == contents;
            return is_same.then_some((place + FIRST_OBJECT) as u64);
        }
        if let Some(&list) = self.others.get(&at) {
            return Some(list);
        }
        self.lists.words.push(Vec::new());
        self.lists.others.push(contents);
        self.pending.push(at);
        let list = self.lists.words.len() as u64;
        self.others.insert(at, list);
        Some(list)
    }
}

/// Returns the elements of an object, if it is such a container; those of a dict are pairs.
fn elements(object: StaticObject, container: Container) -> Option<Vec<ConstantValue>> {
    match (object, container) {
        (StaticObject::List(values), Container::List) | (StaticObject::Set(values), Container::Set) => Some(values),
        (StaticObject::Deque(values, limit), Container::Deque(known)) if limit == known.map(usize::from) => {
            Some(values)
        }
        (StaticObject::Dict(entries, missing), Container::Dict(known)) if missing == known => {
            Some(entries.into_iter().map(|(key, value)| ConstantValue::Tuple(vec![key, value])).collect())
        }
        _ => None,
    }
}

/// Whether an instance has the attributes of a layout in the same order.
fn is_same_order(attributes: &[(Arc<str>, ConstantValue)], slots: &[(ConstantValue, SlotLayout)]) -> bool {
    attributes.len() == slots.len()
        && attributes
            .iter()
            .zip(slots)
            .all(|((name, _), (known, _))| matches!(known, ConstantValue::Text(known) if known == name))
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
