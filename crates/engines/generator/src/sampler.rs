//! Random trees of a grammar, weighted by counts over a corpus.
//!
//! An alternative is offered only if it can be completed within the remaining depth and number of nodes: the sizes of the smallest
//! completions are computed once for every kind and depth. No draw is discarded for its size.

use goalspec_resource::random::RandomStream;
use rustc_hash::FxHashMap;

use crate::context::{Context, ContextCounts};
use crate::counts::{Counts, FieldCounts};
use crate::grammar::{Cardinality, Field, Grammar, Symbol, TokenSource};
use crate::tree::{Tree, TreeBuilder};

/// Maximum depth of a drawn tree. Drawing recurses once for each level.
pub const MAX_DEPTH: u32 = 48;

/// Maximum number of nodes of a drawn tree.
pub const MAX_NODES: u32 = 4096;

/// The greatest length of lists to which the prior count is added.
const MAX_PRIOR_LENGTH: u32 = 4;

/// The size of what cannot be completed.
const IMPOSSIBLE: u32 = u32::MAX / 4;

/// The limits of one draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawLimits {
    /// The maximum depth, at most [`MAX_DEPTH`].
    pub depth: u32,
    /// The maximum number of nodes, at most [`MAX_NODES`].
    pub nodes: u32,
}

impl Default for DrawLimits {
    fn default() -> Self {
        Self { depth: 24, nodes: 256 }
    }
}

/// The choices of one field with their weights.
#[derive(Debug, Clone, Default)]
struct FieldWeights {
    kinds: Vec<(Symbol, f64)>,
    tokens: Vec<(Symbol, f64)>,
    /// The sum of the weights of the tokens, or of the names of the corpus.
    token_weight: f64,
    lengths: Vec<(u32, f64)>,
    /// The share of nodes in which an optional field is present.
    presence: f64,
    /// The sums of the weights of the tokens that are listed and of the lengths.
    totals: Totals,
    /// The children that can be completed within each depth.
    depths: Vec<DepthWeights>,
}

/// Sums of weights, so that a choice among all alternatives takes one pass.
#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    tokens: f64,
    lengths: f64,
}

/// The children of a field that can be completed within a depth.
#[derive(Debug, Clone, Copy, Default)]
struct DepthWeights {
    /// The size of the smallest child. Tokens are no nodes.
    least: u32,
    /// The size of the largest of the smallest children of each kind.
    most: u32,
    /// The minimum number of nodes of the field.
    minimum: u32,
    /// The sum of the weights of the kinds.
    kinds: f64,
}

impl FieldWeights {
    fn new(field: &Field, counts: &FieldCounts, prior: f64, offers: &dyn Fn(Symbol) -> bool) -> Self {
        let count = |table: &std::collections::BTreeMap<Symbol, u32>, symbol: Symbol| {
            f64::from(table.get(&symbol).copied().unwrap_or_default())
        };
        let kinds: Vec<(Symbol, f64)> = field
            .kinds
            .iter()
            .filter(|&&kind| offers(kind))
            .map(|&kind| (kind, count(&counts.kinds, kind) + prior))
            .collect();
        let tokens: Vec<(Symbol, f64)> = match &field.tokens {
            TokenSource::None | TokenSource::Names(_) => Vec::new(),
            TokenSource::Closed(listed) => {
                let unlisted = counts.tokens.iter().filter(|(token, _)| !listed.contains(token));
                let listed = listed.iter().map(|&token| (token, count(&counts.tokens, token) + prior));
                listed.chain(unlisted.map(|(&token, &count)| (token, f64::from(count)))).collect()
            }
        };
        let token_weight = match &field.tokens {
            TokenSource::None => 0.0,
            TokenSource::Closed(_) => tokens.iter().map(|(_, weight)| weight).sum(),
            TokenSource::Names(_) => counts.tokens.values().map(|&count| f64::from(count) + prior).sum::<f64>() + prior,
        };
        let present: u32 = counts.kinds.values().sum();
        let all = present + counts.absent;
        let presence = if all == 0 { 0.5 } else { f64::from(present) / f64::from(all) };
        Self::with(kinds, (tokens, token_weight), lengths(field, counts, prior), presence)
    }

    fn with(
        kinds: Vec<(Symbol, f64)>,
        (tokens, token_weight): (Vec<(Symbol, f64)>, f64),
        lengths: Vec<(u32, f64)>,
        presence: f64,
    ) -> Self {
        let totals = Totals { tokens: total(&tokens, |_| true), lengths: total(&lengths, |_| true) };
        Self { kinds, tokens, token_weight, lengths, presence, totals, depths: Vec::new() }
    }

    /// Adds what can be completed within the next depth, whose smallest trees of each kind have these sizes.
    fn add_depth(&mut self, field: &Field, least: &[u32]) {
        let possible = || self.kinds.iter().filter(|(kind, _)| least[kind.index()] < IMPOSSIBLE);
        let sizes = || possible().map(|(kind, _)| least[kind.index()]);
        let smallest = if self.token_weight > 0.0 { 0 } else { sizes().min().unwrap_or(IMPOSSIBLE) };
        let minimum = u64::from(least_count(field, self)) * u64::from(smallest);
        let kinds = possible().map(|(_, weight)| weight).sum();
        let minimum = minimum.min(u64::from(IMPOSSIBLE)) as u32;
        self.depths.push(DepthWeights { least: smallest, most: sizes().max().unwrap_or_default(), minimum, kinds });
    }
}

/// The number of observations for which the unconditioned weights of a field count in each context.
const BACK_OFF: f64 = 1.0;

impl FieldWeights {
    /// Returns the weights in a context: its counts, and the unconditioned shares as if they had been observed in it.
    fn in_context(&self, counts: &FieldCounts) -> Self {
        let count = |table: &std::collections::BTreeMap<Symbol, u32>, symbol: Symbol| {
            f64::from(table.get(&symbol).copied().unwrap_or_default())
        };
        let scale = |total: f64| if total > 0.0 { BACK_OFF / total } else { 0.0 };
        let all = scale(self.kinds.iter().map(|(_, weight)| weight).sum::<f64>() + self.token_weight);
        let kinds = self.kinds.iter().map(|&(kind, weight)| (kind, weight * all + count(&counts.kinds, kind)));
        let tokens = self.tokens.iter().map(|&(token, weight)| (token, weight * all + count(&counts.tokens, token)));
        let own_tokens = if self.token_weight > 0.0 { counts.tokens.values().sum() } else { 0 };
        let of_lengths = scale(self.lengths.iter().map(|(_, weight)| weight).sum());
        let lengths = self.lengths.iter().map(|&(length, weight)| {
            let bare = if length == 1 { counts.bare } else { 0 };
            let own = counts.lengths.get(&length).copied().unwrap_or_default() + bare;
            (length, weight * of_lengths + f64::from(own))
        });
        let present = f64::from(counts.kinds.values().sum::<u32>());
        let presence = (present + self.presence * BACK_OFF) / (present + f64::from(counts.absent) + BACK_OFF);
        let token_weight = self.token_weight * all + f64::from(own_tokens);
        Self::with(kinds.collect(), (tokens.collect(), token_weight), lengths.collect(), presence)
    }
}

/// Returns the lengths of a list with their weights.
fn lengths(field: &Field, counts: &FieldCounts, prior: f64) -> Vec<(u32, f64)> {
    let Cardinality::Many { min, .. } = field.cardinality else { return Vec::new() };
    let mut lengths: std::collections::BTreeMap<u32, f64> =
        (min..=MAX_PRIOR_LENGTH).map(|length| (length, prior)).collect();
    let bare = (1, counts.bare);
    for (length, count) in counts.lengths.iter().map(|(&length, &count)| (length, count)).chain([bare]) {
        if length >= min && count > 0 {
            *lengths.entry(length).or_default() += f64::from(count);
        }
    }
    // A list without alternatives is empty.
    if field.kinds.is_empty() && field.tokens == TokenSource::None {
        lengths.retain(|&length, _| length == 0);
    }
    lengths.into_iter().filter(|&(_, weight)| weight > 0.0).collect()
}

/// A sampler of trees.
#[derive(Debug, Clone)]
pub struct Sampler {
    fields: Vec<FieldWeights>,
    /// The weights of fields in contexts; none if productions do not depend on the context.
    contexts: FxHashMap<(Context, usize), FieldWeights>,
    /// The number of nodes of the smallest tree of each kind within each depth.
    least: Vec<Vec<u32>>,
    /// The kinds that are drawn without children.
    deferred: Vec<bool>,
    /// The token that stands for a name that is chosen later.
    hole: Symbol,
}

/// Decisions about a sampler that are not in the counts.
pub struct SamplerOptions<'a> {
    /// The number that is added to the count of every alternative.
    pub prior: f64,
    /// Whether a kind of node is offered.
    pub offers: &'a dyn Fn(Symbol) -> bool,
    /// Whether nodes of a kind are drawn without children, because the rest of the tree determines them.
    pub is_deferred: &'a dyn Fn(Symbol) -> bool,
    /// The token that stands for a name that is chosen later.
    pub hole: Symbol,
    /// The counts in each context; without them, productions do not depend on the context.
    pub contexts: Option<&'a ContextCounts>,
}

impl Sampler {
    /// Creates a sampler with the weights of a corpus.
    pub fn new(grammar: &Grammar, counts: &Counts, options: &SamplerOptions<'_>) -> Self {
        let mut fields = Vec::with_capacity(grammar.field_count());
        for (index, kind) in grammar.kinds().iter().enumerate() {
            for (position, field) in kind.fields.iter().enumerate() {
                let counts = counts.field(grammar, Symbol::kind(index), position);
                fields.push(FieldWeights::new(field, counts, options.prior, options.offers));
            }
        }
        let deferred: Vec<bool> =
            (0..grammar.kinds().len()).map(|index| (options.is_deferred)(Symbol::kind(index))).collect();
        let contexts = options.contexts.into_iter().flat_map(ContextCounts::iter);
        let contexts =
            contexts.map(|(context, field, counts)| ((context, field), fields[field].in_context(counts))).collect();
        let mut sampler = Self { fields, contexts, least: Vec::new(), deferred, hole: options.hole };
        sampler.set_least(grammar);
        sampler
    }

    /// Computes the sizes of the smallest trees, from the least depth on, and what the fields can have within each depth.
    fn set_least(&mut self, grammar: &Grammar) {
        let positions: Vec<(Symbol, usize)> = (0..grammar.kinds().len())
            .flat_map(|index| (0..grammar.kinds()[index].fields.len()).map(move |field| (Symbol::kind(index), field)))
            .collect();
        let fields = |index: usize| {
            let (kind, field) = positions[index];
            &grammar.fields(kind)[field]
        };
        self.least = vec![vec![IMPOSSIBLE; grammar.kinds().len()]];
        for depth in 0..=MAX_DEPTH as usize {
            let least = &self.least[depth];
            self.fields.iter_mut().enumerate().for_each(|(index, own)| own.add_depth(fields(index), least));
            self.contexts.iter_mut().for_each(|(&(_, index), own)| own.add_depth(fields(index), least));
            let row = grammar.kinds().iter().enumerate().map(|(index, kind)| {
                let own = u32::from(kind.is_counted);
                if self.deferred[index] {
                    return own;
                }
                let first = grammar.field_index(Symbol::kind(index), 0);
                let minimum = |own: &FieldWeights| u64::from(own.depths[depth].minimum);
                let sum: u64 = self.fields[first..first + kind.fields.len()].iter().map(minimum).sum();
                sum.saturating_add(u64::from(own)).min(u64::from(IMPOSSIBLE)) as u32
            });
            let row = row.collect();
            self.least.push(row);
        }
        self.least.truncate(MAX_DEPTH as usize + 1);
    }

    /// Returns the number of nodes of the smallest tree of a kind within a depth; `None` if there is none.
    pub fn least_nodes(&self, kind: Symbol, depth: u32) -> Option<u32> {
        let row = self.least.get(depth.min(MAX_DEPTH) as usize)?;
        row.get(kind.index()).copied().filter(|&nodes| nodes < IMPOSSIBLE)
    }

    /// Returns the weights of a field of a node in a context.
    fn weights(&self, context: Context, field: usize) -> &FieldWeights {
        if self.contexts.is_empty() {
            return &self.fields[field];
        }
        self.contexts.get(&(context, field)).unwrap_or(&self.fields[field])
    }

    /// Draws a tree of a kind in a context. Returns `None` if no tree of the kind is within the limits.
    pub fn draw(
        &self,
        grammar: &Grammar,
        (kind, context): (Symbol, Context),
        limits: DrawLimits,
        stream: &mut RandomStream,
    ) -> Option<Tree> {
        let limits = DrawLimits { depth: limits.depth.min(MAX_DEPTH), nodes: limits.nodes.min(MAX_NODES) };
        self.least_nodes(kind, limits.depth).filter(|&nodes| nodes <= limits.nodes)?;
        let mut draw = Draw::new(self, grammar, limits, stream);
        draw.node(kind, context, limits.depth, 0);
        Some(draw.tree.finish())
    }

    /// Draws an element of a list field of a node in a context, as [`draw`](Self::draw) does.
    pub fn draw_element(
        &self,
        grammar: &Grammar,
        (parent, context): (Symbol, Context),
        field: usize,
        limits: DrawLimits,
        stream: &mut RandomStream,
    ) -> Option<Tree> {
        let weights = self.weights(context, grammar.field_index(parent, field));
        let limits = DrawLimits { depth: limits.depth.min(MAX_DEPTH), nodes: limits.nodes.min(MAX_NODES) };
        if weights.depths[limits.depth as usize].least > limits.nodes {
            return None;
        }
        let mut draw = Draw::new(self, grammar, limits, stream);
        draw.child(weights, context.below(grammar, parent), limits.depth, 0);
        Some(draw.tree.finish())
    }
}

/// The number of entries for which a drawn tree has room at first.
const DRAWN_ENTRIES: usize = 256;

/// Returns the minimum number of children of a field.
fn least_count(field: &Field, weights: &FieldWeights) -> u32 {
    match field.cardinality {
        Cardinality::One => 1,
        Cardinality::Optional => 0,
        Cardinality::Many { min, .. } => weights.lengths.first().map_or(min, |&(length, _)| length),
    }
}

/// Returns the sum of the weights of the choices that are possible.
fn total<T: Copy>(choices: &[(T, f64)], is_possible: impl Fn(T) -> bool) -> f64 {
    choices.iter().filter(|(choice, _)| is_possible(*choice)).map(|(_, weight)| weight).sum()
}

/// Returns a choice drawn in proportion to its weight among those that are possible.
pub fn choose<T: Copy>(choices: &[(T, f64)], stream: &mut RandomStream, is_possible: impl Fn(T) -> bool) -> Option<T> {
    choose_at(choices, stream.uniform(), is_possible)
}

/// Returns the choice at a position from 0 to 1 in the weights of those that are possible.
pub fn choose_at<T: Copy>(choices: &[(T, f64)], position: f64, is_possible: impl Fn(T) -> bool) -> Option<T> {
    choose_of(choices, total(choices, &is_possible), position, is_possible)
}

/// Returns a choice drawn in proportion to its weight among those that are possible, whose sum may be known.
pub fn choose_among<T: Copy>(
    choices: &[(T, f64)],
    sum: Option<f64>,
    stream: &mut RandomStream,
    is_possible: impl Fn(T) -> bool,
) -> Option<T> {
    let sum = sum.unwrap_or_else(|| total(choices, &is_possible));
    choose_of(choices, sum, stream.uniform(), is_possible)
}

/// Returns the choice at a position from 0 to 1 in the weights of those that are possible, whose sum is known.
fn choose_of<T: Copy>(choices: &[(T, f64)], total: f64, position: f64, is_possible: impl Fn(T) -> bool) -> Option<T> {
    let mut rest = position * total;
    let mut last = None;
    for &(choice, weight) in choices {
        if weight > 0.0 && is_possible(choice) {
            last = Some(choice);
            rest -= weight;
            if rest < 0.0 {
                break;
            }
        }
    }
    last
}

/// A draw in progress.
struct Draw<'a> {
    sampler: &'a Sampler,
    grammar: &'a Grammar,
    stream: &'a mut RandomStream,
    tree: TreeBuilder,
    /// The number of nodes that may still be drawn.
    left: u32,
}

impl<'a> Draw<'a> {
    fn new(sampler: &'a Sampler, grammar: &'a Grammar, limits: DrawLimits, stream: &'a mut RandomStream) -> Self {
        Self { sampler, grammar, stream, tree: TreeBuilder::with_capacity(DRAWN_ENTRIES), left: limits.nodes }
    }

    /// Draws a node. `reserved` nodes are left for what follows it.
    fn node(&mut self, kind: Symbol, context: Context, depth: u32, reserved: u32) {
        self.tree.open(kind);
        let Some(own) = self.grammar.kind(kind) else { return self.tree.close() };
        self.left = self.left.saturating_sub(u32::from(own.is_counted));
        if !self.sampler.deferred[kind.index()] {
            self.fields((kind, context), &own.fields, depth - 1, reserved);
        }
        self.tree.close();
    }

    fn fields(&mut self, (kind, context): (Symbol, Context), fields: &[Field], depth: u32, reserved: u32) {
        let sampler = self.sampler;
        let below = if sampler.contexts.is_empty() { context } else { context.below(self.grammar, kind) };
        let first = self.grammar.field_index(kind, 0);
        let unconditioned = &sampler.fields[first..first + fields.len()];
        let mut later: u32 = unconditioned.iter().map(|weights| weights.depths[depth as usize].minimum).sum();
        for (position, field) in fields.iter().enumerate() {
            let weights = sampler.weights(context, first + position);
            let within = weights.depths[depth as usize];
            later -= within.minimum;
            let child = within.least;
            let available = self.left.saturating_sub(reserved + later);
            let count = match field.cardinality {
                Cardinality::One => 1,
                Cardinality::Optional => u32::from(child <= available && self.stream.uniform() < weights.presence),
                Cardinality::Many { .. } => self.length(weights, (child, available)),
            };
            for index in 0..count {
                self.child(weights, below, depth, reserved + later + (count - index - 1) * child);
            }
        }
    }

    /// Draws the length of a list whose smallest element has a number of nodes.
    fn length(&mut self, weights: &FieldWeights, (child, available): (u32, u32)) -> u32 {
        let fits = |length: u32| u64::from(length) * u64::from(child) <= u64::from(available);
        let position = self.stream.uniform();
        // Lengths are in ascending order.
        let all_fit = weights.lengths.last().is_none_or(|&(length, _)| fits(length));
        let total = if all_fit { weights.totals.lengths } else { total(&weights.lengths, fits) };
        choose_of(&weights.lengths, total, position, fits).unwrap_or_default()
    }

    /// Draws a child of a field.
    fn child(&mut self, weights: &FieldWeights, context: Context, depth: u32, reserved: u32) {
        let available = self.left.saturating_sub(reserved);
        let least = &self.sampler.least[depth as usize];
        let within = &weights.depths[depth as usize];
        let fits = |kind: Symbol| least[kind.index()] <= available;
        let kinds = if within.most <= available { within.kinds } else { total(&weights.kinds, fits) };
        let is_token = weights.token_weight > 0.0
            && (kinds == 0.0 || self.stream.uniform() * (kinds + weights.token_weight) < weights.token_weight);
        if is_token {
            let token = choose_of(&weights.tokens, weights.totals.tokens, self.stream.uniform(), |_| true);
            self.tree.token(token.unwrap_or(self.sampler.hole));
        } else if let Some(kind) = choose_of(&weights.kinds, kinds, self.stream.uniform(), fits) {
            self.node(kind, context, depth, reserved);
        }
    }
}
