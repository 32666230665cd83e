//! The sampler and the regrowths of the published program (Davidson et al. 2024), for comparison.
//!
//! Each field has one distribution: the counts of the corpus and a prior count. An argument is any variable in scope, whatever its type, and
//! a draw that exceeds a limit or has no name to choose is thrown away as a whole. Most games that it draws do not check. A regrowth draws one
//! part of a game anew, and then repairs names without regard to types.
//!
//! | module | contents |
//! |---|---|
//! | `draw` | draws of games and of parts of games |
//! | [`regrowth`] | games with one part drawn anew |
//! | `repair` | names that an edit leaves without a meaning or a use |

mod draw;
pub mod regrowth;
mod repair;

use std::collections::BTreeMap;

use goalspec_generator::RandomStream;
use goalspec_generator::counts::Counts;
use goalspec_generator::grammar::{Cardinality, Field, Symbol, TokenSource};
use goalspec_generator::productions::Productions as _;
use goalspec_generator::sampler::{DrawLimits, choose};
use goalspec_generator::tree::Tree;

use self::draw::{DrawContext, UntypedDraw};
use super::categories::Category;
use super::generator::GameGenerator;
use super::rules::{
    COLOR_VARIABLES, OBJECT_VARIABLES, ORIENTATION_VARIABLES, PREFERENCE_DEFINITIONS, Rule, SIDE_VARIABLES,
};

/// The prior counts of the published runs, one of which is drawn for each game.
pub const PRIORS: [f64; 3] = [2.0, 12.0, 22.0];

/// The limits of a game in the published runs. The depth is in nested rules.
pub const PUBLISHED_LIMITS: DrawLimits = DrawLimits { depth: 16, nodes: 128 };

/// The depth of a whole game. With it, the published share of draws exceeds the limits.
const ROOT_DEPTH: u32 = 3;

/// Maximum number of draws that are thrown away before a game or a regrowth is not found.
pub const MAX_ATTEMPTS: usize = 1000;

/// The greatest length of a list to which the prior count is added.
const MAX_PRIOR_LENGTH: u32 = 4;

/// The reason why a draw or a regrowth is thrown away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailedDraw {
    /// It is deeper than the limit.
    Depth,
    /// It has more nodes than the limit.
    Nodes,
    /// No variable is in scope, or none is left to declare.
    Variable,
    /// No preference is defined, or no name for one is left.
    Preference,
    /// A new preference is not counted, and no preference is counted more than once.
    Uncounted,
}

/// A choice of the sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// A kind of node.
    Kind(Symbol),
    /// A token of a closed list.
    Token(Symbol),
    /// A name of the program.
    Name,
    /// The length of a list.
    Length(u32),
}

/// The distribution of a field.
#[derive(Debug, Clone, Default)]
struct FieldChoices {
    /// Kinds of nodes, tokens of closed lists, and names as a whole.
    children: Vec<(Choice, f64)>,
    lengths: Vec<(u32, f64)>,
    /// The probability of an optional field.
    presence: f64,
    /// The names of the corpus.
    names: Vec<(Symbol, f64)>,
}

/// The published sampler over a world, weighted by the corpus of a generator.
#[derive(Debug, Clone)]
pub struct UntypedSampler<'g> {
    generator: &'g GameGenerator,
    fields: Vec<FieldChoices>,
    limits: DrawLimits,
}

/// A function that is told each choice, with the position of its field among those of all kinds.
pub type ChoiceObserver<'o> = &'o mut dyn FnMut(usize, Choice);

impl<'g> UntypedSampler<'g> {
    /// Creates a sampler that adds a prior count to the counts of all alternatives.
    pub fn new(generator: &'g GameGenerator, prior: f64, limits: DrawLimits) -> Self {
        let grammar = generator.grammar();
        let counts = Counts::of(grammar, generator.corpus());
        let fields = grammar.kinds().iter().enumerate().flat_map(|(index, kind)| {
            let symbol = Symbol::kind(index);
            let counts = &counts;
            let own = kind.fields.iter().enumerate();
            own.map(move |(position, field)| (field, counts.field(grammar, symbol, position)))
        });
        let largest = counts.trees().max(1);
        let choices = fields.map(|(field, counts)| {
            let count = |table: &BTreeMap<Symbol, u32>, symbol: &Symbol| f64::from(table.get(symbol).map_or(0, |&n| n));
            let kinds = field.kinds.iter().map(|kind| (Choice::Kind(*kind), count(&counts.kinds, kind) + prior));
            let mut children: Vec<(Choice, f64)> = kinds.collect();
            let names: Vec<(Symbol, f64)> =
                counts.tokens.iter().map(|(&name, &count)| (name, f64::from(count) + prior)).collect();
            match &field.tokens {
                TokenSource::None => {}
                TokenSource::Closed(listed) => {
                    let listed = published_tokens(generator, field, listed);
                    let all = listed.iter().map(|token| (Choice::Token(*token), count(&counts.tokens, token) + prior));
                    children.extend(all);
                    let unlisted = counts.tokens.iter().filter(|(token, _)| !listed.contains(token));
                    children.extend(unlisted.map(|(&token, &count)| (Choice::Token(token), f64::from(count))));
                }
                TokenSource::Names(_) => {
                    let weight: f64 = names.iter().map(|(_, weight)| weight).sum();
                    children.push((Choice::Name, weight.max(prior)));
                }
            }
            let present: u32 = counts.kinds.values().sum();
            let presence = f64::from(present) / f64::from(largest);
            let lengths = lengths(field, (&counts.lengths, counts.bare), prior);
            FieldChoices { children, lengths, presence, names }
        });
        Self { generator, fields: choices.collect(), limits }
    }

    /// Draws a game, up to [`MAX_ATTEMPTS`] times.
    pub fn sample(&self, stream: &mut RandomStream) -> Option<Tree> {
        (0..MAX_ATTEMPTS).find_map(|_| self.attempt(stream, &mut |_, _| ()).ok())
    }

    /// Draws a game once.
    ///
    /// # Errors
    /// Returns the first reason to throw the draw away.
    pub fn attempt(&self, stream: &mut RandomStream, observe: ChoiceObserver<'_>) -> Result<Tree, FailedDraw> {
        let root = (Rule::Game.symbol(), ROOT_DEPTH);
        let mut tree = UntypedDraw::new(self, (stream, observe), DrawContext::default()).draw(root)?;
        self.generator.set_titles(&mut tree);
        Ok(tree)
    }

    /// Returns the names of the corpus in a field that declares names, with their weights.
    fn names(&self, space: u8) -> &[(Symbol, f64)] {
        let rule = if space == PREFERENCE_DEFINITIONS { Rule::Preference } else { Rule::VariableTypeDef };
        let field = self.generator.grammar().field_index(rule.symbol(), 0);
        self.fields.get(field).map_or(&[], |field| &field.names)
    }

    /// Draws a name for a new variable of a name space: of objects, a name of the corpus that is not in scope; else the next of its series.
    fn new_variable(
        &self,
        space: u8,
        is_in_scope: impl Fn(Symbol) -> bool,
        stream: &mut RandomStream,
    ) -> Result<Symbol, FailedDraw> {
        if space == OBJECT_VARIABLES {
            return choose(self.names(space), stream, |name| !is_in_scope(name)).ok_or(FailedDraw::Variable);
        }
        let series = (0..).map_while(|number| self.generator.symbolic_variable(space, number));
        series.into_iter().find(|&name| !is_in_scope(name)).ok_or(FailedDraw::Variable)
    }

    /// Draws a name of the corpus for a new preference.
    fn new_preference(&self, used: &[Symbol], stream: &mut RandomStream) -> Result<Symbol, FailedDraw> {
        let names = self.names(PREFERENCE_DEFINITIONS);
        choose(names, stream, |name| !used.contains(&name)).ok_or(FailedDraw::Preference)
    }
}

/// Returns the name space of the variables that a rule declares; `None` for other rules.
fn declared_space(rule: Option<Rule>) -> Option<u8> {
    match rule? {
        Rule::VariableTypeDef => Some(OBJECT_VARIABLES),
        Rule::ColorVariableTypeDef => Some(COLOR_VARIABLES),
        Rule::OrientationVariableTypeDef => Some(ORIENTATION_VARIABLES),
        Rule::SideVariableTypeDef => Some(SIDE_VARIABLES),
        _ => None,
    }
}

/// Returns the tokens of a closed list that the published grammar has: of types, those that belong to a category of objects.
fn published_tokens(generator: &GameGenerator, field: &Field, listed: &[Symbol]) -> Vec<Symbol> {
    let types = generator.games().constants(Rule::ObjectType);
    let is_published = |&token: &Symbol| generator.games().category(token).is_some_and(|own| own != Category::Agent);
    let is_of_types = field.tokens == TokenSource::Closed(types.to_vec());
    let published: Vec<Symbol> = listed.iter().copied().filter(|token| !is_of_types || is_published(token)).collect();
    // A world of its own has no such categories.
    if published.is_empty() { listed.to_vec() } else { published }
}

/// Returns the lengths of a list with their weights.
fn lengths(field: &Field, (counts, bare): (&BTreeMap<u32, u32>, u32), prior: f64) -> Vec<(u32, f64)> {
    let Cardinality::Many { min, .. } = field.cardinality else { return Vec::new() };
    if field.kinds.is_empty() && field.tokens == TokenSource::None {
        return vec![(0, 1.0)];
    }
    let mut lengths: BTreeMap<u32, f64> = (min..=MAX_PRIOR_LENGTH).map(|length| (length, prior)).collect();
    for (length, count) in counts.iter().map(|(&length, &count)| (length, count)).chain([(1, bare)]) {
        if length >= min && count > 0 {
            *lengths.entry(length).or_default() += f64::from(count);
        }
    }
    lengths.into_iter().collect()
}
