//! The state of the module: the values of global variables and objects that outlive calls, and their transfer to and from the machine.
//!
//! In the fast engine, the variables and each object are a list of words; words refer to other lists by their indices. A call works on
//! copies of these lists, which replace the lists when the call ends, together with the new lists that they refer to; a call that is handed
//! over leaves no trace. The reference machine receives the state before it runs a call, and the fast engine takes it back before its next
//! one.

mod transfer;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::emit::width;
use super::op::{NONE, Tag, UNBOUND};
use super::run::RegisterMachine;
use crate::code::{Program, Symbol};
use crate::inference::containers::Container;
use crate::inference::types::Kinds;
use crate::machine::{ConstantValue, HeapRef, Machine};

/// The index of the list of the variables.
pub(super) const VARIABLES: u16 = 1;

/// The index of the list of the first object.
pub(super) const FIRST_OBJECT: usize = 2;

/// An upper bound on the indices of the lists of a run.
const MAX_LIST_INDEX: u64 = 1 << 32;

/// The maximum number of words of all lists together.
const MAX_WORDS: usize = 1 << 14;

/// The layout of the state of a program.
#[derive(Debug, Clone, Default)]
pub(super) struct StateLayout {
    /// The global variables that functions assign.
    pub(super) variables: Vec<(Symbol, SlotLayout)>,
    /// The objects of the module; `None` for those that the fast engine does not use.
    pub(super) objects: Vec<Option<ObjectLayout>>,
    /// The layouts of lists and records.
    pub(super) contents: Vec<Contents>,
    /// The texts by their indices.
    pub(super) texts: Vec<Arc<str>>,
    /// Whether variables may refer to other lists.
    variables_refer: bool,
    /// Whether contents may refer to other lists, by their layouts.
    contents_refer: Vec<bool>,
}

/// The layout of an object of the module.
#[derive(Debug, Clone)]
pub(super) struct ObjectLayout {
    pub(super) at: HeapRef,
    /// The index of the layout of its contents.
    pub(super) contents: u16,
}

/// The layout of the contents of a list or record.
#[derive(Debug, Clone)]
pub(super) enum Contents {
    /// The elements of a list or of another container. They are not written to the machine if they stay as the top level left them.
    Elements { slot: SlotLayout, container: Container, is_written: bool },
    /// The attributes of an instance or the values of a dict, in order, with their names or keys; those of a class are the ones that change.
    Fields { class: Option<HeapRef>, slots: Vec<(ConstantValue, SlotLayout)> },
}

/// The layout of a value.
#[derive(Debug, Clone)]
pub(super) enum SlotLayout {
    /// No word: the value does not change. `None` if it is not data.
    Constant(Option<ConstantValue>),
    /// One word, or two if the second one is the tag of the kind; with the layout of the list or record that it refers to.
    Scalar(Kinds, Option<u16>),
    Tuple(Vec<SlotLayout>),
    /// The word of one of several values.
    OneOf(Vec<(u64, ConstantValue)>),
}

/// The lists of an environment's state: those of the variables and of the objects, and others that they refer to.
#[derive(Debug, Default)]
pub(super) struct ModuleState {
    pub(super) lists: StateLists,
    owner: Owner,
    /// Whether there are more words than the fast engine keeps.
    is_too_large: bool,
}

/// Lists of a state.
#[derive(Debug, Clone, Default)]
pub(super) struct StateLists {
    pub(super) words: Vec<Vec<u64>>,
    /// The layouts of the lists after those of the variables and objects.
    others: Vec<u16>,
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
    pub(super) fn reset(&mut self, initial: &StateLists) {
        self.lists.words.resize(initial.words.len(), Vec::new());
        for (list, initial) in self.lists.words.iter_mut().zip(&initial.words) {
            list.clone_from(initial);
        }
        self.lists.others.clone_from(&initial.others);
        self.owner = Owner::FastEngine;
        self.is_too_large = false;
    }

    /// Takes the state from the machine if that has it; returns whether the fast engine has it now and may use it.
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
        self.owner == Owner::FastEngine && !self.is_too_large
    }

    /// Passes the state to the machine if the fast engine has it.
    pub(super) fn pass_on(&mut self, layout: &StateLayout, machine: &mut Machine) {
        if !layout.is_empty() && self.owner == Owner::FastEngine {
            layout.write(&self.lists, machine);
            self.owner = Owner::Machine;
        }
    }

    /// Replaces the lists by those that a run has changed, whose list of the scene comes first, and keeps the new lists that they refer to.
    /// A state that has become too large is passed to the machine by the next call.
    pub(super) fn commit(&mut self, layout: &StateLayout, run: &RegisterMachine) {
        let count = self.lists.words.len() - self.lists.others.len();
        self.lists.words.truncate(count);
        for (place, list) in self.lists.words.iter_mut().enumerate() {
            list.clear();
            list.extend_from_slice(run.list(place + 1));
        }
        self.lists.others.clear();
        if layout.variables_refer || layout.contents_refer.contains(&true) {
            self.keep_referents(layout, run);
        }
        self.is_too_large = self.lists.words.iter().map(Vec::len).sum::<usize>() > MAX_WORDS;
    }

    /// Keeps the lists of a run that the state refers to.
    fn keep_referents(&mut self, layout: &StateLayout, run: &RegisterMachine) {
        let count = self.lists.words.len();
        let mut moved: FxHashMap<u64, u64> = FxHashMap::default();
        let mut next = 0;
        while next < self.lists.words.len() {
            // Most lists refer to none but those of the objects of the module, whose indices stay.
            let may_refer = layout.refers(next, count, &self.lists.others);
            let is_other = |word: &u64| *word > count as u64 && *word < MAX_LIST_INDEX;
            if !may_refer || !self.lists.words[next].iter().any(is_other) {
                next += 1;
                continue;
            }
            let mut words = std::mem::take(&mut self.lists.words[next]);
            let slots = layout.slots(next, count, &self.lists.others);
            let mut place = 0;
            'words: while place < words.len() {
                for slot in &slots {
                    slot.visit(&mut words, &mut place, &mut |word, contents| {
                        if (*word as usize) <= count {
                            return;
                        }
                        *word = *moved.entry(*word).or_insert_with(|| {
                            self.lists.words.push(run.list(*word as usize).to_vec());
                            self.lists.others.push(contents);
                            self.lists.words.len() as u64
                        });
                    });
                }
                if slots.iter().all(|slot| slot.width() == 0) {
                    break 'words;
                }
            }
            self.lists.words[next] = words;
            next += 1;
        }
    }
}

impl Contents {
    /// Whether the contents may refer to other lists.
    fn refers(&self) -> bool {
        match self {
            Self::Elements { slot, .. } => slot.refers(),
            Self::Fields { slots, .. } => slots.iter().any(|(_, slot)| slot.refers()),
        }
    }
}

impl SlotLayout {
    /// Whether the machine can be given every value.
    pub(super) fn is_restorable(&self) -> bool {
        match self {
            Self::Constant(known) => known.as_ref().is_some_and(ConstantValue::is_restorable),
            Self::Scalar(..) => true,
            Self::Tuple(parts) => parts.iter().all(Self::is_restorable),
            Self::OneOf(alternatives) => alternatives.iter().all(|(_, value)| value.is_restorable()),
        }
    }

    /// Whether the value is always the same.
    pub(super) fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_))
    }

    /// Whether the value may be or contain a list or a record.
    fn refers(&self) -> bool {
        match self {
            Self::Constant(_) | Self::OneOf(_) => false,
            Self::Scalar(_, referent) => referent.is_some(),
            Self::Tuple(parts) => parts.iter().any(Self::refers),
        }
    }

    fn width(&self) -> usize {
        match self {
            Self::Constant(_) => 0,
            Self::OneOf(_) => 1,
            Self::Scalar(kinds, _) => width(*kinds).into(),
            Self::Tuple(parts) => parts.iter().map(Self::width).sum(),
        }
    }

    /// Passes each word of the value at `place` that refers to a list to `change`, with the layout of that list, and moves `place` behind
    /// the value.
    fn visit(&self, words: &mut [u64], place: &mut usize, change: &mut dyn FnMut(&mut u64, u16)) {
        match self {
            Self::Constant(_) => {}
            Self::OneOf(_) => *place += 1,
            Self::Tuple(parts) => parts.iter().for_each(|part| part.visit(words, place, change)),
            Self::Scalar(kinds, referent) => {
                let is_tagged = width(*kinds) == 2;
                let tag = words.get(*place + 1).copied();
                if let (Some(contents), Some(word)) = (referent, words.get_mut(*place)) {
                    let refers = if is_tagged {
                        tag == Some(Tag::List as u64) || tag == Some(Tag::Record as u64)
                    } else {
                        *word != NONE && *word != UNBOUND
                    };
                    if refers {
                        change(word, *contents);
                    }
                }
                *place += usize::from(width(*kinds));
            }
        }
    }
}

impl StateLayout {
    pub(super) fn new(
        variables: Vec<(Symbol, SlotLayout)>,
        objects: Vec<Option<ObjectLayout>>,
        contents: Vec<Contents>,
        texts: Vec<Arc<str>>,
    ) -> Self {
        let variables_refer = variables.iter().any(|(_, slot)| slot.refers());
        let contents_refer = contents.iter().map(Contents::refers).collect();
        Self { variables, objects, contents, texts, variables_refer, contents_refer }
    }

    /// Whether a list may refer to other lists, by its index as in [`Self::slots`].
    fn refers(&self, list: usize, count: usize, others: &[u16]) -> bool {
        let contents = match list.checked_sub(count) {
            Some(place) => others.get(place).copied(),
            None if list == 0 => return self.variables_refer,
            None => self.objects.get(list - 1).and_then(|object| object.as_ref()).map(|object| object.contents),
        };
        contents.is_some_and(|contents| self.contents_refer.get(usize::from(contents)) == Some(&true))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.objects.is_empty()
    }

    /// Returns the layouts of the values of a list, by its index among the lists of a state, of which the first `count` are those of the
    /// variables and objects.
    fn slots(&self, list: usize, count: usize, others: &[u16]) -> Vec<&SlotLayout> {
        let contents = match list.checked_sub(count) {
            Some(place) => others.get(place).copied(),
            None if list == 0 => return self.variables.iter().map(|(_, slot)| slot).collect(),
            None => self.objects.get(list - 1).and_then(|object| object.as_ref()).map(|object| object.contents),
        };
        match contents.and_then(|contents| self.contents.get(usize::from(contents))) {
            Some(Contents::Elements { slot, .. }) => vec![slot],
            Some(Contents::Fields { slots, .. }) => slots.iter().map(|(_, slot)| slot).collect(),
            None => Vec::new(),
        }
    }
}
