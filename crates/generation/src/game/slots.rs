//! The variables and objects that may fill each argument, with their weights.

use goalspec_core::ids::TypeId;
use goalspec_core::world::World;
use goalspec_game::resolve::{is_extensible, overlap};
use goalspec_generator::counts::Counts;
use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree::Tree;
use rustc_hash::FxHashMap;

use super::GameGrammar;
use super::features::view::View;
use super::possible::{Bits, PossibleArguments};
use super::rules::Rule;

/// The choices for an argument of a predicate or function.
#[derive(Debug, Clone, Default)]
pub(super) struct Slot {
    /// The types of variables.
    pub(super) types: Vec<(Symbol, f64)>,
    /// The sum of the weights of the types.
    pub(super) types_weight: f64,
    /// The named objects.
    pub(super) objects: Vec<(Symbol, f64)>,
    /// The numbers of the tokens of the types and of the objects.
    fitting: [Bits; 2],
}

/// The choices for all arguments over a world.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    /// The choices for each argument of each predicate and function, by the number of its kind.
    arguments: Vec<Vec<Slot>>,
    /// The types that some object has, with their direct subtypes.
    subtypes: FxHashMap<Symbol, Vec<Symbol>>,
    /// The arguments of which predicates can hold.
    pub(super) possible: PossibleArguments,
}

impl Slots {
    /// Computes the choices, weighted by a corpus. `context` is the number of conditions of a weight: none, or the predicate and the
    /// position of the argument.
    pub(super) fn new<'a>(
        games: &GameGrammar,
        tokens: &mut Tokens,
        world: &World,
        counts: &Counts,
        corpus: impl Iterator<Item = &'a Tree>,
        prior: f64,
        context: u8,
    ) -> Self {
        let count = |rule: Rule, token: Symbol| {
            let counts = counts.field(games.grammar(), rule.symbol(), 0);
            f64::from(counts.tokens.get(&token).copied().unwrap_or_default()) + prior
        };
        let mut types = Vec::new();
        for index in 0..world.types().len() {
            let id = TypeId::from(index);
            let token = tokens.intern(&world.type_decl(id).name);
            let is_inhabited = !world.members(id).is_empty() || is_extensible(world, id);
            if is_inhabited && games.vocabulary().types.contains(&world.type_decl(id).name) {
                types.push((id, token, count(Rule::ObjectType, token)));
            }
        }
        let objects: Vec<_> = world
            .program_names()
            .filter(|&(name, _)| games.vocabulary().objects.iter().any(|known| **known == *name))
            .map(|(name, object)| {
                let token = tokens.intern(name);
                (object, token, count(Rule::ObjectName, token))
            })
            .collect();
        let mut arguments = Vec::new();
        for (index, signature) in games.vocabulary().signatures.iter().enumerate() {
            let slot = |parameter: &Vec<TypeId>| {
                let fits = |id: TypeId| overlap(world, &[id], parameter);
                let is_player = |id: TypeId| &*world.type_decl(id).name == "agent";
                let types = types.iter().filter(|&&(id, ..)| fits(id) && !is_player(id));
                let objects = objects.iter().filter(|(object, ..)| parameter.iter().any(|&id| world.is_a(*object, id)));
                let mut objects: Vec<(Symbol, f64)> = objects.map(|&(_, token, weight)| (token, weight)).collect();
                objects.sort_by_key(|&(token, _)| token);
                let types: Vec<(Symbol, f64)> = types.map(|&(_, token, weight)| (token, weight)).collect();
                let numbers = |choices: &[(Symbol, f64)]| choices.iter().map(|(token, _)| token.index()).collect();
                let fitting = [numbers(&types), numbers(&objects)];
                Slot { types, types_weight: 0.0, objects, fitting }
            };
            let own = signature.types.iter().map(slot).collect();
            arguments.resize(super::vocabulary::Vocabulary::symbol(index).index(), Vec::new());
            arguments.push(own);
        }
        let mut subtypes: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
        for &(id, token, _) in &types {
            subtypes.entry(token).or_default();
            for &parent in &world.type_decl(id).parents {
                let parent = tokens.intern(&world.type_decl(parent).name);
                subtypes.entry(parent).or_default().push(token);
            }
        }
        let possible = PossibleArguments::of(world, games.vocabulary(), tokens);
        let mut all = Self { arguments, subtypes, possible };
        if context > 0 {
            all.condition(games, tokens, corpus);
        }
        for slot in all.arguments.iter_mut().flatten() {
            slot.types_weight = slot.types.iter().map(|(_, weight)| weight).sum();
        }
        all
    }

    /// Adds to each weight the number of times that the corpus has the choice at this place, as often as all places together have any.
    fn condition<'a>(&mut self, games: &GameGrammar, tokens: &Tokens, corpus: impl Iterator<Item = &'a Tree>) {
        let mut counts: FxHashMap<(Symbol, usize, Symbol), f64> = FxHashMap::default();
        for tree in corpus {
            let view = View::new(games, tokens, tree);
            for application in view.applications(0) {
                let symbol = tree.symbol(application);
                for (position, term) in tree.children(application).enumerate() {
                    let names = match view.variable(term) {
                        Some(variable) => variable.types.to_vec(),
                        None => vec![view.argument(term)],
                    };
                    for name in names {
                        *counts.entry((symbol, position, name)).or_default() += 1.0;
                    }
                }
            }
        }
        let arguments = self.arguments.iter_mut().enumerate();
        let slots = arguments.flat_map(|(kind, own)| own.iter_mut().enumerate().map(move |slot| (kind, slot)));
        for (kind, (position, slot)) in slots {
            let symbol = Symbol::kind(kind);
            for choices in [&mut slot.types, &mut slot.objects] {
                let total: f64 = choices.iter().map(|(_, weight)| weight).sum();
                for (token, weight) in choices {
                    // The unconditioned weights of a place count as one observation.
                    *weight /= total.max(1.0);
                    *weight += counts.get(&(symbol, position, *token)).copied().unwrap_or_default();
                }
            }
        }
    }

    /// Returns the choices for an argument.
    #[inline]
    pub(super) fn get(&self, symbol: Symbol, position: usize) -> Option<&Slot> {
        self.arguments.get(symbol.index())?.get(position)
    }

    /// Returns whether some object or variable fits an argument.
    pub(super) fn is_fillable(&self, symbol: Symbol, position: usize) -> bool {
        self.get(symbol, position).is_some_and(|slot| !slot.types.is_empty() || !slot.objects.is_empty())
    }

    /// Returns whether a type has objects.
    pub(super) fn is_inhabited(&self, name: Symbol) -> bool {
        self.subtypes.contains_key(&name)
    }

    /// Returns the direct subtypes that have objects.
    pub(super) fn subtypes(&self, name: Symbol) -> &[Symbol] {
        self.subtypes.get(&name).map_or(&[], Vec::as_slice)
    }
}

impl Slot {
    /// Returns whether a variable of one of some types fits.
    #[inline]
    pub(super) fn fits_variable(&self, types: &[Symbol]) -> bool {
        types.iter().any(|name| self.fitting[0].contains(name.index()))
    }

    /// Returns whether an object fits.
    #[inline]
    pub(super) fn fits_object(&self, name: Symbol) -> bool {
        self.fitting[1].contains(name.index())
    }
}
