//! Definitions and counts of preferences.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::tree::Tree;

use super::{Repair, pick};
use crate::game::rules::Rule;
use crate::game::untyped::FailedDraw;

/// The preferences of a game during a walk.
#[derive(Debug, Default)]
pub(super) struct Preferences {
    /// The names of all definitions of the game, also of those that come later.
    used: Vec<Symbol>,
    /// The names that are defined so far.
    defined: Vec<Symbol>,
    /// The new names that nothing counts yet.
    uncounted: Vec<Symbol>,
    /// The entries of the names of counts, with the names.
    counts: Vec<(usize, Symbol)>,
}

impl Preferences {
    /// Returns the preferences of a game before the walk.
    pub(super) fn of(tree: &Tree) -> Self {
        let definitions = (0..tree.len()).filter(|&entry| tree.symbol(entry) == Rule::Preference.symbol());
        let used = definitions.filter_map(|entry| tree.children(entry).next()).map(|name| tree.symbol(name));
        Self { used: used.collect(), ..Self::default() }
    }
}

impl Repair<'_, '_> {
    /// Defines the preference whose name is at an entry. A second preference of a name gets another one.
    pub(super) fn define_preference(&mut self, entry: usize) -> Result<(), FailedDraw> {
        let mut name = self.tree.symbol(entry);
        let is_renamed = self.preferences.defined.contains(&name);
        if is_renamed {
            name = self.sampler.new_preference(&self.preferences.used, self.stream)?;
            self.tree.set_symbol(entry, name);
            self.preferences.used.push(name);
        }
        if is_renamed || self.edit.new.contains(&entry) {
            self.preferences.uncounted.push(name);
        }
        self.preferences.defined.push(name);
        Ok(())
    }

    /// Counts the preference whose name is at an entry. The name of one that is not defined, or was removed, is replaced by one that nothing
    /// counts yet, or else by any.
    pub(super) fn count_preference(&mut self, entry: usize) -> Result<(), FailedDraw> {
        let mut name = self.tree.symbol(entry);
        let Preferences { defined, uncounted, counts, .. } = &mut self.preferences;
        if !defined.contains(&name) || self.edit.removed.contains(&name) {
            let candidates = if uncounted.is_empty() { &*defined } else { &*uncounted };
            name = pick(candidates, self.stream).ok_or(FailedDraw::Preference)?;
            self.tree.set_symbol(entry, name);
        }
        uncounted.retain(|&own| own != name);
        counts.push((entry, name));
        Ok(())
    }

    /// Gives each new preference that nothing counts a count of another preference that has several.
    pub(super) fn count_new_preferences(&mut self) -> Result<(), FailedDraw> {
        let Preferences { uncounted, counts, .. } = &mut self.preferences;
        for &mut name in uncounted {
            let times = |of: Symbol| counts.iter().filter(|&&(_, name)| name == of).count();
            let candidates: Vec<usize> = (0..counts.len()).filter(|&index| times(counts[index].1) > 1).collect();
            let index = pick(&candidates, self.stream).ok_or(FailedDraw::Uncounted)?;
            counts[index].1 = name;
            self.tree.set_symbol(counts[index].0, name);
        }
        Ok(())
    }
}
