//! Abstract states of the variables of a function; several states at one position differ in the outcomes of earlier conditions.

use std::collections::BTreeMap;

use goalspec_python_runtime::inference::Kinds;
use std::rc::Rc;

use super::value::AbstractValue;

/// The maximum number of separate states; more states are joined.
const MAX_STATES: usize = 8;

/// The names of a function's variables, sorted and unique.
#[derive(Debug, Default, PartialEq)]
pub(super) struct VariableNames<'a>(pub(super) Vec<&'a str>);

/// An abstract state: a value for each variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Env<'a> {
    names: Rc<VariableNames<'a>>,
    values: Vec<AbstractValue<'a>>,
    /// Variables of comprehensions and lambdas, innermost last.
    inner_variables: Vec<(&'a str, AbstractValue<'a>)>,
    /// The state of the enclosing function, if that function is the caller.
    enclosing: Option<Rc<Env<'a>>>,
}

impl<'a> Env<'a> {
    /// Creates the state before the first statement, in which all variables are unbound.
    pub(super) fn new(names: Rc<VariableNames<'a>>, outer: Option<Rc<Env<'a>>>) -> Self {
        let values = vec![AbstractValue::of_kinds(Kinds::UNBOUND); names.0.len()];
        Self { names, values, inner_variables: Vec::new(), enclosing: outer }
    }

    /// Returns the number of variables.
    pub(super) fn variable_count(&self) -> u32 {
        (self.values.len() + self.inner_variables.len()) as u32
    }

    fn index_of(&self, name: &str) -> Option<usize> {
        self.names.0.binary_search(&name).ok()
    }

    /// Returns the value of a variable; `None` if the function has no such variable.
    pub(super) fn get(&self, name: &str) -> Option<&AbstractValue<'a>> {
        let inner = self.inner_variables.iter().rev().find(|(other, _)| *other == name).map(|(_, value)| value);
        inner.or_else(|| self.index_of(name).map(|place| &self.values[place]))
    }

    /// Returns the value of a variable of an enclosing function.
    pub(super) fn get_enclosing(&self, name: &str) -> Option<&AbstractValue<'a>> {
        let outer = self.enclosing.as_deref()?;
        outer.get(name).or_else(|| outer.get_enclosing(name))
    }

    /// Assigns a value to a variable, if the function has it.
    pub(super) fn set(&mut self, name: &str, value: AbstractValue<'a>) {
        if let Some((_, old)) = self.inner_variables.iter_mut().rev().find(|(other, _)| *other == name) {
            *old = value;
        } else if let Some(place) = self.index_of(name) {
            self.values[place] = value;
        }
    }

    /// Returns a copy for the scope of a comprehension or lambda.
    pub(super) fn inner_scope(&self) -> Self {
        self.clone()
    }

    /// Adds a variable of a comprehension or lambda.
    pub(super) fn push(&mut self, name: &'a str, value: AbstractValue<'a>) {
        self.inner_variables.push((name, value));
    }

    /// Iterates over all variables with their names.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&'a str, &mut AbstractValue<'a>)> {
        let inner = self.inner_variables.iter_mut().map(|(name, value)| (*name, value));
        self.names.0.iter().copied().zip(&mut self.values).chain(inner)
    }

    fn partition_key(&self) -> Vec<u8> {
        self.values.iter().map(AbstractValue::partition_key).collect()
    }

    fn join(&mut self, other: &Self) {
        for (own, other) in self.values.iter_mut().zip(&other.values) {
            *own = own.join(other);
        }
        for ((_, own), (_, other)) in self.inner_variables.iter_mut().zip(&other.inner_variables) {
            *own = own.join(other);
        }
    }

    fn widen(&self, before: &Self) -> Self {
        let mut wide = self.clone();
        for (own, before) in wide.values.iter_mut().zip(&before.values) {
            *own = own.widen(before);
        }
        wide
    }
}

/// Joins states with equal marks, or all states if there are too many.
pub(super) fn merge_states(states: Vec<Env<'_>>) -> Vec<Env<'_>> {
    if states.len() < 2 {
        return states;
    }
    let mut groups: BTreeMap<Vec<u8>, Env<'_>> = BTreeMap::new();
    for state in states {
        match groups.entry(state.partition_key()) {
            std::collections::btree_map::Entry::Occupied(mut own) => own.get_mut().join(&state),
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(state);
            }
        }
    }
    if groups.len() > MAX_STATES { vec![join_all(groups)] } else { groups.into_values().collect() }
}

/// Joins all states. If the states differed in a flag, `None` is no longer reported.
fn join_all(groups: BTreeMap<Vec<u8>, Env<'_>>) -> Env<'_> {
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
        one.values.iter_mut().filter(|value| value.kinds != Kinds::NONE).for_each(AbstractValue::suppress_reports);
    }
    one
}

/// Widens the states of a loop that have not reached a fixed point.
pub(super) fn widen_states<'a>(before: &[Env<'a>], now: Vec<Env<'a>>) -> Vec<Env<'a>> {
    let old = |state: &Env<'a>| before.iter().find(|old| old.partition_key() == state.partition_key());
    now.into_iter().map(|state| old(&state).map_or_else(|| state.clone(), |old| state.widen(old))).collect()
}
