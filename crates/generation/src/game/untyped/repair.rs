//! Repairs of the names of a game after an edit, in one walk over the game. Types are not looked at.

mod counts;
mod variables;

#[cfg(test)]
mod tests;

use std::ops::Range;

use goalspec_generator::RandomStream;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::tree::Tree;

use self::counts::Preferences;
use self::variables::{Quantifier, Variable};
use super::{FailedDraw, UntypedSampler, declared_space};
use crate::game::rules::Rule;

/// The difference between a game and the game from which an edit made it.
#[derive(Debug, Clone, Default)]
pub(super) struct Edit {
    /// The new entries.
    pub(super) new: Range<usize>,
    /// The names of the preferences that were removed.
    pub(super) removed: Vec<Symbol>,
}

/// Repairs the names of an edited game.
///
/// | situation | repair |
/// |---|---|
/// | a declaration of a name that is in scope | another name, also in the uses below |
/// | a use of a variable that is not in scope | a variable in scope |
/// | a variable without a use | a use of another variable of the same quantifier that has several |
/// | a predicate or function of one variable only | another variable in one of the arguments |
/// | a second preference of a name | another name, which needs a count |
/// | a count of a preference that is not defined, or was removed | a preference that needs a count, else any |
/// | a new preference without a count | a count of another preference that has several |
///
/// # Errors
/// If there is no name for a repair. A variable without a use and a predicate of one variable then stay as they are.
pub(super) fn repair(
    sampler: &UntypedSampler<'_>,
    tree: &mut Tree,
    edit: &Edit,
    stream: &mut RandomStream,
) -> Result<(), FailedDraw> {
    let preferences = Preferences::of(tree);
    let mut repair = Repair { sampler, tree, edit, stream, scope: Vec::new(), quantifiers: Vec::new(), preferences };
    for entry in 0..repair.tree.len() {
        repair.leave_quantifiers(entry);
        repair.visit(entry)?;
    }
    repair.leave_quantifiers(repair.tree.len());
    repair.count_new_preferences()
}

/// A repair in progress.
struct Repair<'a, 'g> {
    sampler: &'a UntypedSampler<'g>,
    tree: &'a mut Tree,
    edit: &'a Edit,
    stream: &'a mut RandomStream,
    /// The variables in scope, the outermost first.
    scope: Vec<Variable>,
    /// The quantifiers around the current entry, the outermost first.
    quantifiers: Vec<Quantifier>,
    preferences: Preferences,
}

impl Repair<'_, '_> {
    fn visit(&mut self, entry: usize) -> Result<(), FailedDraw> {
        let symbol = self.tree.symbol(entry);
        if symbol.is_token() {
            return Ok(());
        }
        let rule = Rule::of(symbol);
        if let Some(space) = declared_space(rule) {
            return self.declare(entry, space);
        }
        match rule {
            None => self.arguments(entry)?,
            Some(Rule::Preference) => self.define_preference(entry + 1)?,
            Some(Rule::PrefNameAndTypes) => self.count_preference(entry + 1)?,
            Some(_) => self.enter_quantifier(entry),
        }
        Ok(())
    }
}

/// Returns an element drawn uniformly.
fn pick<T: Copy>(items: &[T], stream: &mut RandomStream) -> Option<T> {
    items.get(stream.below(items.len() as u64) as usize).copied()
}
