//! AST and world to the typed core: every name looked up, every argument checked.
//!
//! Rules of the language that the core does not know are spelled out here:
//!
//! - Two variables of a preference never bind the same object, unless the preference mentions `(same_object ?a ?b)` of the two.
//!   For external variables and those of the preference's own quantifier that goes into [`Preference::distinct`](
//!   goalspec_core::program::Preference::distinct); variables of quantifiers inside conditions are kept apart from all variables in
//!   scope by [`Condition::Distinct`](goalspec_core::condition::Condition::Distinct) inside the quantifier. Pairs that have no
//!   object in common need nothing. Objects named directly are not set apart.
//! - Quantifiers over statements of the setup range freely; quantifiers inside its conditions follow the rule above.
//! - An external variable counts as external even if the preference does not use it.
//!
//! | module | what lives there |
//! |---|---|
//! | `scope` | variables: declared, looked up, kept apart |
//! | `condition` | conditions, comparisons, predicates, functions, and their arguments |
//! | `preference` | preferences and their patterns |
//! | `setup` | the setup |
//! | `score` | counts, scoring expressions, terminal conditions |

mod condition;
mod preference;
mod scope;
mod score;
mod setup;

use std::sync::Arc;

use goalspec_core::ids::{PreferenceId, TypeId};
use goalspec_core::program::{self, Preference};
use goalspec_core::world::World;
use goalspec_syntax::{Diagnostic, Span, suggest};
use rustc_hash::FxHashMap;

use crate::ast::{Game, Name};
use crate::codes;
use crate::dialect::Dialect;

pub(crate) use scope::is_open;

/// Most names that do not exist for which a similar one is looked for, of preferences and of all others: each search goes through all
/// names that there are.
pub(crate) const MAX_SUGGESTIONS: usize = 64;

/// A game over a world, and what is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Resolved {
    /// The game; absent if there is any error, here or in what the parser made of the text.
    pub game: Option<program::Game>,
    /// Everything that was found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Looks up every name of a game in a world and lowers the game to the core.
///
/// A game that the parser found errors in can be resolved as well, to find more of them.
pub fn resolve(game: &Game, world: &World, dialect: Dialect) -> Resolved {
    let mut resolver = Resolver {
        world,
        dialect,
        diagnostics: Vec::new(),
        preferences: Vec::new(),
        known: FxHashMap::default(),
        unknown_preferences: 0,
        unknown_names: 0,
        left_out_variables: false,
        incomplete: false,
    };
    resolver.domain(&game.domain);
    let setup = game.setup.as_ref().and_then(|setup| resolver.setup(setup));
    resolver.constraints(&game.constraints);
    let terminal = game.terminal.as_ref().and_then(|terminal| resolver.terminal(terminal));
    let score = game.scoring.as_ref().and_then(|score| resolver.scoring(score));
    let Resolver { mut diagnostics, preferences, incomplete, .. } = resolver;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    let whole = setup.is_some() == game.setup.is_some() && terminal.is_some() == game.terminal.is_some();
    let sound = whole && !incomplete && !diagnostics.iter().any(Diagnostic::is_error);
    let game = score.filter(|_| sound).map(|score| program::Game {
        name: game.name.text.clone(),
        setup,
        preferences,
        terminal,
        score,
    });
    Resolved { game, diagnostics }
}

struct Resolver<'w> {
    world: &'w World,
    dialect: Dialect,
    diagnostics: Vec<Diagnostic>,
    preferences: Vec<Preference>,
    known: FxHashMap<Arc<str>, Known>,
    /// How many counts name a preference that does not exist.
    unknown_preferences: usize,
    /// How many other names do not exist.
    unknown_names: usize,
    /// Whether variables were left out because there are too many.
    left_out_variables: bool,
    /// Something is missing that the parser has reported.
    incomplete: bool,
}

/// What scores may ask about a preference, whether or not it could be lowered.
#[derive(Debug, Clone)]
struct Known {
    /// Absent where the preference could not be lowered.
    id: Option<PreferenceId>,
    /// The types of its external variables; absent where they are not all known.
    external: Option<Vec<Vec<TypeId>>>,
    measured: bool,
    place: Span,
}

impl Resolver<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds the known name that is nearest to an unknown one, if one is near; of the first [`MAX_SUGGESTIONS`] that are unknown.
    fn with_nearest<'k>(
        &mut self,
        diagnostic: Diagnostic,
        name: &Name,
        known: impl FnOnce() -> Vec<&'k str>,
    ) -> (Diagnostic, bool) {
        self.unknown_names += 1;
        if self.unknown_names > MAX_SUGGESTIONS {
            return (diagnostic, false);
        }
        suggest::with_nearest(diagnostic, &name.text, place(name.origin), known())
    }

    fn domain(&mut self, domain: &Name) {
        if domain.text.is_empty() || *domain.text == *self.world.name() {
            return;
        }
        self.report(Diagnostic::warning(
            codes::OTHER_WORLD,
            place(domain.origin),
            format!("the game is made for `{}`, but is read with the world `{}`", domain.text, self.world.name()),
        ));
    }
}

/// The place of a piece of the program. Pieces of the AST always have one.
pub(crate) fn place(origin: goalspec_core::condition::Origin) -> Span {
    origin.0.unwrap_or(Span::new(goalspec_syntax::SourceId(0), 0, 0))
}
