//! Name resolution: checks every name and argument of an AST against a world, and lowers the game to the typed core.
//!
//! The core has no equivalent of the following rules of the language; this module expresses them in core terms:
//!
//! - Two variables of a preference never bind the same object, unless the preference mentions `(same_object ?a ?b)` of the two.
//!   For external variables and the variables of the preference's own quantifier, [`Preference::distinct`](
//!   goalspec_core::program::Preference::distinct) lists the pairs. A quantifier inside a condition separates its variables from all
//!   variables in scope with [`Condition::Distinct`](goalspec_core::condition::Condition::Distinct). Pairs without a common object
//!   need no constraint. Objects that are named directly are not separated.
//! - Quantifiers over statements of the setup bind without this restriction; quantifiers inside its conditions follow the rule above.
//! - An external variable counts as external even if the preference does not use it.
//!
//! | module | contents |
//! |---|---|
//! | `scope` | variables: declaration, lookup, distinctness |
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

pub(crate) use scope::is_extensible;

/// Maximum number of unknown names for which similar names are suggested, counted separately for preferences and for all other names.
/// Each suggestion scans all known names.
pub(crate) const MAX_SUGGESTIONS: usize = 64;

/// The result of resolving a game.
#[derive(Debug, Clone, Default)]
pub struct Resolution {
    /// The lowered game; absent if the game has an error, including errors reported by the parser.
    pub game: Option<program::Game>,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves every name of a game in a world and lowers the game to the core.
///
/// A game with parse errors can be resolved too, in order to report further errors.
pub fn resolve(game: &Game, world: &World, dialect: Dialect) -> Resolution {
    let mut resolver = Resolver {
        world,
        dialect,
        diagnostics: Vec::new(),
        preferences: Vec::new(),
        known: FxHashMap::default(),
        unknown_preferences: 0,
        unknown_names: 0,
        dropped_variables: false,
        incomplete: false,
    };
    resolver.domain(&game.domain);
    let setup = game.setup.as_ref().and_then(|setup| resolver.setup(setup));
    resolver.constraints(&game.constraints);
    let terminal = game.terminal.as_ref().and_then(|terminal| resolver.terminal(terminal));
    let score = game.scoring.as_ref().and_then(|score| resolver.scoring(score));
    let Resolver { mut diagnostics, preferences, incomplete, .. } = resolver;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    let is_complete = setup.is_some() == game.setup.is_some() && terminal.is_some() == game.terminal.is_some();
    let is_valid = is_complete && !incomplete && !diagnostics.iter().any(Diagnostic::is_error);
    let game = score.filter(|_| is_valid).map(|score| program::Game {
        name: game.name.text.clone(),
        setup,
        preferences: preferences.into_iter().map(Arc::new).collect(),
        terminal,
        score,
    });
    Resolution { game, diagnostics }
}

struct Resolver<'w> {
    world: &'w World,
    dialect: Dialect,
    diagnostics: Vec<Diagnostic>,
    preferences: Vec<Preference>,
    known: FxHashMap<Arc<str>, PreferenceSignature>,
    /// The number of counts that refer to an unknown preference.
    unknown_preferences: usize,
    /// The number of other unknown names.
    unknown_names: usize,
    /// Whether variables were dropped because of [`scope::MAX_VARIABLES`].
    dropped_variables: bool,
    /// Whether a part of the program is missing, which has already been reported.
    incomplete: bool,
}

/// The properties of a preference that scores refer to, recorded even if the preference could not be lowered.
#[derive(Debug, Clone)]
struct PreferenceSignature {
    /// The id, absent if the preference could not be lowered.
    id: Option<PreferenceId>,
    /// The types of the external variables; absent if any of them is unknown.
    external: Option<Vec<Vec<TypeId>>>,
    measured: bool,
    place: Span,
}

impl Resolver<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds a suggestion of the most similar known name, if there is one, for the first [`MAX_SUGGESTIONS`] unknown names. Also
    /// returns whether it added one.
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
        suggest::with_nearest(diagnostic, &name.text, span_of(name.origin), known())
    }

    fn domain(&mut self, domain: &Name) {
        if domain.text.is_empty() || *domain.text == *self.world.name() {
            return;
        }
        self.report(Diagnostic::warning(
            codes::OTHER_WORLD,
            span_of(domain.origin),
            format!("the game names the world `{}`, but the world `{}` is used", domain.text, self.world.name()),
        ));
    }
}

/// Returns the span of an AST node. AST nodes always have one.
pub(crate) fn span_of(origin: goalspec_core::condition::Origin) -> Span {
    origin.0.unwrap_or(Span::new(goalspec_syntax::SourceId(0), 0, 0))
}
