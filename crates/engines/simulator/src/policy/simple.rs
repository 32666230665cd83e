//! Policies that look at nothing.

use std::sync::Arc;

use goalspec_core::resource::game::NOTHING;
use goalspec_core::resource::rules;
use goalspec_core::resource::turn::Move;
use goalspec_core::resource::value::Value;

use super::{Policy, PolicyError, View, move_of};

/// Always `nothing`: the choice of that name, at its cost where the rules make it an action, and else a pass.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl Policy for Nothing {
    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        *chosen = nothing(view)?;
        Ok(())
    }
}

/// The move that `nothing` is for a team.
fn nothing(view: &View<'_>) -> Result<Move, PolicyError> {
    match view.simulator().game().rules.nothing {
        rules::Nothing::Action => move_of(view.choices(), NOTHING, &[], &view.simulator().game().rules),
        rules::Nothing::Free => Ok(Move::Pass),
    }
}

/// A choice by its name, with values for its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The name; `nothing` is a pass for teams without such a choice.
    pub choice: Arc<str>,
    /// The values, by the names of the parameters.
    pub values: Vec<(Arc<str>, Value)>,
}

impl Named {
    /// A choice without parameters.
    pub fn new(choice: &str) -> Self {
        Self { choice: choice.into(), values: Vec::new() }
    }

    /// The move that it is for a team.
    ///
    /// # Errors
    /// If the team has no such choice, or a value is missing.
    pub fn resolve(&self, view: &View<'_>) -> Result<Move, PolicyError> {
        move_of(view.choices(), &self.choice, &self.values, &view.simulator().game().rules)
    }
}

/// Always the same.
#[derive(Debug, Clone)]
pub struct Always(pub Named);

impl Policy for Always {
    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        *chosen = self.0.resolve(view)?;
        Ok(())
    }
}

/// One after the other; after the last one, as [`Nothing`].
#[derive(Debug, Clone)]
pub struct Scripted {
    script: Vec<Named>,
    at: usize,
}

impl Scripted {
    /// The policy of a script, from its beginning in every game.
    pub fn new(script: Vec<Named>) -> Self {
        Self { script, at: 0 }
    }
}

impl Policy for Scripted {
    fn reset(&mut self) {
        self.at = 0;
    }

    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        *chosen = match self.script.get(self.at) {
            Some(named) => named.resolve(view)?,
            None => nothing(view)?,
        };
        self.at += 1;
        Ok(())
    }
}
