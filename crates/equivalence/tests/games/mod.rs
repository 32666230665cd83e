//! Comparison of games.

mod oracle;
mod random;
mod rewrites;
mod unit;

use std::sync::{Arc, LazyLock};

use goalspec_core::condition::{Atom, Condition, Origin, Scope, Terms};
use goalspec_core::ids::{PredicateId, PreferenceId};
use goalspec_core::pattern::Pattern;
use goalspec_core::program::{CountOperator, Game, Preference, Quantifier, ScoreExpression};
use goalspec_core::world::{World, file};
use goalspec_syntax::Sources;

/// A world of three facts.
static WORLD: LazyLock<Arc<World>> = LazyLock::new(|| {
    let predicates = ["a", "b", "c"].map(|name| format!("[predicates.{name}]\nstored = true\n"));
    let mut sources = Sources::new();
    let id = sources.add("facts.world.toml", format!("name = \"facts\"\n{}", predicates.concat()));
    let (world, diagnostics) = file::parse(sources.file(id), &mut |_| None);
    Arc::new(world.unwrap_or_else(|| panic!("the world has errors: {diagnostics:?}")))
});

/// Returns the atoms without arguments of the world.
fn atoms() -> [PredicateId; 3] {
    ["a", "b", "c"].map(|name| WORLD.predicate_named(name).unwrap())
}

fn atom(predicate: PredicateId) -> Condition {
    Condition::Atom(Atom { predicate, arguments: Terms::new(), origin: Origin::default() })
}

/// Returns a game with one preference of this pattern.
fn game(pattern: Pattern) -> Arc<Game> {
    let preference = Preference {
        name: Arc::from("only"),
        scope: Scope::default(),
        external: Vec::new(),
        inner: Vec::new(),
        quantifier: Quantifier::Exists,
        distinct: Vec::new(),
        pattern,
        origin: Origin::default(),
    };
    Arc::new(game_of(vec![preference], count(CountOperator::Disjoint, 0)))
}

fn game_of(preferences: Vec<Preference>, score: ScoreExpression) -> Game {
    let preferences = preferences.into_iter().map(Arc::new).collect();
    Game { name: Arc::from("compared"), setup: None, preferences, terminal: None, score }
}

fn count(kind: CountOperator, preference: usize) -> ScoreExpression {
    let (preference, origin) = (PreferenceId::from(preference), Origin::default());
    ScoreExpression::Count { kind, preference, types: Vec::new(), origin }
}
