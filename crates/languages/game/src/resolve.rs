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
//! Erroneous nodes are not lowered, and neither is anything that contains them. Names that the unparsed text may declare are taken as
//! declared.
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

use crate::ast::{ErrorNode, Game, Integrity, Name, UnparsedNames};
use crate::codes;
use crate::dialect::Dialect;

pub use scope::{is_extensible, overlap};

/// Maximum number of unknown names for which similar names are suggested, counted separately for preferences and for all other names.
/// Each suggestion scans all known names.
pub(crate) const MAX_SUGGESTIONS: usize = 64;

/// The result of resolving a game.
#[derive(Debug, Clone)]
pub struct Resolution {
    /// The lowered game; absent if the game has an error, including errors reported by the parser.
    pub game: Option<program::Game>,
    /// The syntax tree, in which nodes with errors are [marked](crate::ast::NodeStatus).
    pub tree: Game,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves every name of a game in a world and lowers the game to the core.
///
/// A game with parse errors can be resolved too, in order to report further errors.
pub fn resolve(game: &Game, world: &World, dialect: Dialect) -> Resolution {
    let mut tree = game.clone();
    let mut resolver = Resolver {
        world,
        dialect,
        diagnostics: Vec::new(),
        preferences: Vec::new(),
        known: FxHashMap::default(),
        counted: Vec::new(),
        external_operators: 0,
        is_damaged: game.integrity == Integrity::Damaged,
        unparsed_names: &game.unparsed_names,
        unknown_preferences: 0,
        unknown_names: 0,
    };
    resolver.domain(&tree.domain);
    let setup = tree.setup.as_mut().map(|setup| resolver.setup(setup));
    resolver.constraints(&mut tree.constraints);
    let terminal = tree.terminal.as_mut().map(|terminal| resolver.terminal(terminal));
    let score = resolver.scoring(&mut tree.scoring);
    let Resolver { mut diagnostics, preferences, .. } = resolver;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    let is_lowered = !matches!(setup, Some(None)) && !matches!(terminal, Some(None));
    let is_valid = is_lowered && game.is_complete() && !diagnostics.iter().any(Diagnostic::is_error);
    let game = score.filter(|_| is_valid).map(|score| program::Game {
        name: game.name.text.clone(),
        setup: setup.flatten(),
        preferences: preferences.into_iter().map(Arc::new).collect(),
        terminal: terminal.flatten(),
        score,
    });
    Resolution { game, tree, diagnostics }
}

struct Resolver<'w> {
    world: &'w World,
    dialect: Dialect,
    diagnostics: Vec<Diagnostic>,
    preferences: Vec<Preference>,
    known: FxHashMap<Arc<str>, PreferenceSignature>,
    /// The preferences counted so far in the outermost external-forall operator, in source order; `None` if the external variables are unknown or an error about them has been
    /// reported.
    counted: Vec<Option<CountedPreference>>,
    /// The number of external-forall operators around the current score; `counted` is empty outside of them.
    external_operators: usize,
    /// Whether parentheses are missing or misplaced, so that lists may have the wrong parts, and any name may be declared.
    is_damaged: bool,
    unparsed_names: &'w UnparsedNames,
    /// The number of counts that refer to an unknown preference.
    unknown_preferences: usize,
    /// The number of other unknown names.
    unknown_names: usize,
}

/// The types of each external variable of a preference, shared by all that refers to the preference.
type ExternalTypes = Arc<[Vec<TypeId>]>;

/// The properties of a preference that scores refer to, recorded even if the preference could not be lowered.
#[derive(Debug, Clone)]
struct PreferenceSignature {
    /// The id, absent if the preference could not be lowered.
    id: Option<PreferenceId>,
    /// The types of the external variables; absent if any of them is unknown.
    external: Option<ExternalTypes>,
    /// Whether the preference records a measure, or its operators are not all known.
    may_be_measured: bool,
    name_span: Span,
}

/// A preference that a scoring expression counts.
struct CountedPreference {
    name: Arc<str>,
    name_span: Span,
    /// The span of the name in the definition of the preference.
    definition: Span,
    /// The types of the external variables.
    external: ExternalTypes,
}

impl Resolver<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Returns whether unparsed text may declare a variable with this name.
    fn may_declare_variable(&self, name: &str) -> bool {
        self.is_damaged || self.unparsed_names.names.contains(name)
    }

    /// Returns whether unparsed text may declare a preference with this name.
    fn may_declare_preference(&self, name: &str) -> bool {
        self.is_damaged || self.unparsed_names.has_unknown_preferences || self.unparsed_names.names.contains(name)
    }

    /// Returns the parts of an erroneous node that are worth checking.
    fn parts<'n, T>(&self, node: &'n mut ErrorNode<T>) -> &'n mut [T] {
        if self.is_damaged { &mut [] } else { &mut node.parts }
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
        suggest::with_nearest(diagnostic, &name.text, name.span(), known())
    }

    fn domain(&mut self, domain: &Name) {
        if domain.is_missing() || *domain.text == *self.world.name() {
            return;
        }
        self.report(Diagnostic::warning(
            codes::OTHER_WORLD,
            domain.span(),
            format!("the game names the world `{}`, but the world `{}` is used", domain.text, self.world.name()),
        ));
    }
}
