//! Abstract states of the variables of a function; several states at one position differ in the outcomes of earlier conditions.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::Value;
use crate::typed::types::Kinds;

/// The maximum number of separate states; more states are joined.
const MAX_STATES: usize = 8;

/// The names of a function's variables, sorted and unique.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Names<'a>(pub(super) Vec<&'a str>);

/// An abstract state: a value for each variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Env<'a> {
    names: Rc<Names<'a>>,
    values: Vec<Value<'a>>,
    /// Variables of comprehensions and lambdas, innermost last.
    inner: Vec<(&'a str, Value<'a>)>,
    /// The state of the enclosing function, if that function is the caller.
    outer: Option<Rc<Env<'a>>>,
}

impl<'a> Env<'a> {
    /// Creates the state before the first statement, in which all variables are unbound.
    pub(super) fn new(names: Rc<Names<'a>>, outer: Option<Rc<Env<'a>>>) -> Self {
        let values = vec![Value::of(Kinds::UNBOUND); names.0.len()];
        Self { names, values, inner: Vec::new(), outer }
    }

    /// Returns the number of variables.
    pub(super) fn size(&self) -> u32 {
        (self.values.len() + self.inner.len()) as u32
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.0.binary_search(&name).ok()
    }

    /// Returns the value of a variable; `None` if the function has no such variable.
    pub(super) fn get(&self, name: &str) -> Option<&Value<'a>> {
        let inner = self.inner.iter().rev().find(|(other, _)| *other == name).map(|(_, value)| value);
        inner.or_else(|| self.place(name).map(|place| &self.values[place]))
    }

    /// Returns the value of a variable of an enclosing function.
    pub(super) fn around(&self, name: &str) -> Option<&Value<'a>> {
        let outer = self.outer.as_deref()?;
        outer.get(name).or_else(|| outer.around(name))
    }

    /// Assigns a value to a variable, if the function has it.
    pub(super) fn set(&mut self, name: &str, value: Value<'a>) {
        if let Some((_, old)) = self.inner.iter_mut().rev().find(|(other, _)| *other == name) {
            *old = value;
        } else if let Some(place) = self.place(name) {
            self.values[place] = value;
        }
    }

    /// Returns a copy for the scope of a comprehension or lambda.
    pub(super) fn inside(&self) -> Self {
        self.clone()
    }

    /// Adds a variable of a comprehension or lambda.
    pub(super) fn push(&mut self, name: &'a str, value: Value<'a>) {
        self.inner.push((name, value));
    }

    /// Iterates over all variables with their names.
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

/// Joins states with equal marks, or all states if there are too many.
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

/// Joins all states. If the states differed in a flag, `None` is no longer reported.
fn together(groups: BTreeMap<Vec<u8>, Env<'_>>) -> Env<'_> {
    // The part of a mark below 4 tells whether the value is `None` or unbound.
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

/// Widens the states of a loop that have not reached a fixed point.
pub(super) fn widen<'a>(before: &[Env<'a>], now: Vec<Env<'a>>) -> Vec<Env<'a>> {
    let old = |state: &Env<'a>| before.iter().find(|old| old.marks() == state.marks());
    now.into_iter().map(|state| old(&state).map_or_else(|| state.clone(), |old| state.widened(old))).collect()
}
