//! What the variables of a function may be at a place: several states, each with its own answers to what was asked before.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::Value;
use crate::typed::types::Kinds;

/// Most states that are looked at one by one; more of them are taken together.
const MAX_STATES: usize = 8;

/// The variables of a function by name, in order, each once.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Names<'a>(pub(super) Vec<&'a str>);

/// What the variables may be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Env<'a> {
    names: Rc<Names<'a>>,
    values: Vec<Value<'a>>,
    /// Variables of comprehensions and lambdas, innermost last.
    inner: Vec<(&'a str, Value<'a>)>,
    /// What the function around sees, if it is the one that calls.
    outer: Option<Rc<Env<'a>>>,
}

impl<'a> Env<'a> {
    /// Before the first statement: no variable has a value.
    pub(super) fn new(names: Rc<Names<'a>>, outer: Option<Rc<Env<'a>>>) -> Self {
        let values = vec![Value::of(Kinds::UNBOUND); names.0.len()];
        Self { names, values, inner: Vec::new(), outer }
    }

    /// How many variables there are.
    pub(super) fn size(&self) -> u32 {
        (self.values.len() + self.inner.len()) as u32
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.0.binary_search(&name).ok()
    }

    /// What a variable is; `None` of a name that is none of the function's.
    pub(super) fn get(&self, name: &str) -> Option<&Value<'a>> {
        let inner = self.inner.iter().rev().find(|(other, _)| *other == name).map(|(_, value)| value);
        inner.or_else(|| self.place(name).map(|place| &self.values[place]))
    }

    /// What a variable of a function around is.
    pub(super) fn around(&self, name: &str) -> Option<&Value<'a>> {
        let outer = self.outer.as_deref()?;
        outer.get(name).or_else(|| outer.around(name))
    }

    /// Gives a variable a value, if the function has it.
    pub(super) fn set(&mut self, name: &str, value: Value<'a>) {
        if let Some((_, old)) = self.inner.iter_mut().rev().find(|(other, _)| *other == name) {
            *old = value;
        } else if let Some(place) = self.place(name) {
            self.values[place] = value;
        }
    }

    /// The same with more variables, for what is inside of an expression.
    pub(super) fn inside(&self) -> Self {
        self.clone()
    }

    /// A variable of a comprehension or a lambda.
    pub(super) fn push(&mut self, name: &'a str, value: Value<'a>) {
        self.inner.push((name, value));
    }

    /// Every variable with its name.
    pub(super) fn each_mut(&mut self) -> impl Iterator<Item = (&'a str, &mut Value<'a>)> {
        let inner = self.inner.iter_mut().map(|(name, value)| (*name, value));
        self.names.0.iter().copied().zip(&mut self.values).chain(inner)
    }

    fn marks(&self) -> Vec<u8> {
        self.values.iter().map(Value::mark).collect()
    }

    fn join(&mut self, other: &Self) {
        for (own, other) in self.values.iter_mut().zip(&other.values) {
            *own = own.join(other);
        }
        for ((_, own), (_, other)) in self.inner.iter_mut().zip(&other.inner) {
            *own = own.join(other);
        }
    }

    fn widened(&self, before: &Self) -> Self {
        let mut wide = self.clone();
        for (own, before) in wide.values.iter_mut().zip(&before.values) {
            *own = own.widened(before);
        }
        wide
    }
}

/// Takes states together that answer alike, and all of them if there are too many.
pub(super) fn collapse(states: Vec<Env<'_>>) -> Vec<Env<'_>> {
    if states.len() < 2 {
        return states;
    }
    let mut groups: BTreeMap<Vec<u8>, Env<'_>> = BTreeMap::new();
    for state in states {
        match groups.entry(state.marks()) {
            std::collections::btree_map::Entry::Occupied(mut own) => own.get_mut().join(&state),
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(state);
            }
        }
    }
    if groups.len() > MAX_STATES { vec![together(groups)] } else { groups.into_values().collect() }
}

/// One state of all. Where what tells `None` apart is lost with it, nothing more is said of `None`.
fn together(groups: BTreeMap<Vec<u8>, Env<'_>>) -> Env<'_> {
    // Marks below 4 tell of `None` alone.
    let told_apart = |place: usize| {
        let mut marks = groups.keys().map(|marks| marks[place]);
        let first = marks.next();
        marks.any(|mark| Some(mark / 4) != first.map(|first| first / 4))
    };
    let count = groups.keys().next().map_or(0, Vec::len);
    let flags = (0..count).any(told_apart);
    let mut all = groups.into_values();
    let mut one = all.next().expect("there are too many");
    all.for_each(|other| one.join(&other));
    if flags {
        one.values.iter_mut().filter(|value| value.kinds != Kinds::NONE).for_each(Value::blur);
    }
    one
}

/// States of a loop that go on growing: their numbers grow for ever.
pub(super) fn widen<'a>(before: &[Env<'a>], now: Vec<Env<'a>>) -> Vec<Env<'a>> {
    let old = |state: &Env<'a>| before.iter().find(|old| old.marks() == state.marks());
    now.into_iter().map(|state| old(&state).map_or_else(|| state.clone(), |old| state.widened(old))).collect()
}
