//! Random derivations.

use rustc_hash::FxHashMap;

use crate::expression::Expression;
use crate::grammar::{Definition, Grammar, ROOT};
use crate::pattern::{CharacterSet, Pattern};
use crate::random::Random;

/// Options of random derivations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleOptions {
    /// The seed.
    pub seed: u64,
    /// The number of terminals after which a derivation is completed in the shortest way.
    pub max_terminals: usize,
    /// The number of nested rules below which a derivation is completed in the flattest way.
    pub max_depth: usize,
}

impl Default for SampleOptions {
    fn default() -> Self {
        Self { seed: 0, max_terminals: 400, max_depth: 24 }
    }
}

/// The maximum of [`SampleOptions::max_depth`]; larger values are reduced to it.
pub const MAX_SAMPLED_DEPTH: usize = 100;

/// The maximum number of optional repetitions that a sample contains of one part.
const MAX_SAMPLED_REPETITIONS: u32 = 6;

impl Grammar {
    /// Returns a random text of the grammar. Equal options give equal texts.
    pub fn sample(&self, options: SampleOptions) -> String {
        let mut sampler = Sampler {
            grammar: self,
            heights: heights(self),
            random: Random::new(options.seed),
            left: options.max_terminals,
            text: String::new(),
        };
        sampler.name(ROOT, options.max_depth.min(MAX_SAMPLED_DEPTH));
        sampler.text
    }
}

/// Returns the height of the flattest derivation of each definition.
fn heights(grammar: &Grammar) -> FxHashMap<&str, usize> {
    let mut heights: FxHashMap<&str, usize> = FxHashMap::default();
    loop {
        let before = heights.len();
        let mut found = Vec::new();
        for (name, definition) in grammar.definitions() {
            if !heights.contains_key(name) {
                let height = match definition {
                    Definition::Rule(body) => height(body, &heights).map(|height| height + 1),
                    Definition::Pattern(_) => Some(1),
                };
                found.extend(height.map(|height| (name, height)));
            }
        }
        heights.extend(found);
        if heights.len() == before {
            return heights;
        }
    }
}

/// Returns the height of the flattest derivation of an expression, if it has one with the known definitions. Definitions become known
/// in the order of their heights.
fn height(body: &Expression, heights: &FxHashMap<&str, usize>) -> Option<usize> {
    match body {
        Expression::Literal(_) | Expression::Repeat { min: 0, .. } => Some(0),
        Expression::Name(name) => heights.get(&**name).copied(),
        Expression::Sequence(parts) => {
            parts.iter().try_fold(0, |highest, part| Some(highest.max(height(part, heights)?)))
        }
        Expression::Choice(parts) => parts.iter().filter_map(|part| height(part, heights)).min(),
        Expression::Repeat { part, .. } => height(part, heights),
    }
}

struct Sampler<'g> {
    grammar: &'g Grammar,
    heights: FxHashMap<&'g str, usize>,
    random: Random,
    /// The number of terminals left.
    left: usize,
    text: String,
}

impl Sampler<'_> {
    fn name(&mut self, name: &str, depth: usize) {
        match self.grammar.definition(name) {
            Some(Definition::Rule(body)) => self.expression(body, depth.saturating_sub(1)),
            Some(Definition::Pattern(pattern)) => {
                self.left = self.left.saturating_sub(1);
                sample_pattern(pattern, &mut self.random, &mut self.text);
            }
            None => {}
        }
    }

    fn expression(&mut self, body: &Expression, depth: usize) {
        match body {
            Expression::Literal(text) => {
                self.left = self.left.saturating_sub(1);
                self.text.push_str(text);
            }
            Expression::Name(name) => self.name(name, depth),
            Expression::Sequence(parts) => parts.iter().for_each(|part| self.expression(part, depth)),
            Expression::Choice(parts) => {
                let heights: Vec<usize> =
                    parts.iter().map(|part| height(part, &self.heights).unwrap_or(usize::MAX)).collect();
                let flattest = heights.iter().copied().min().unwrap_or(0);
                let allowed = if self.left == 0 { flattest } else { depth.max(flattest) };
                let open: Vec<&Expression> = parts
                    .iter()
                    .zip(&heights)
                    .filter(|(_, height)| **height <= allowed)
                    .map(|(part, _)| part)
                    .collect();
                if let Some(&&part) = self.random.choose(&open).as_ref() {
                    self.expression(part, depth);
                }
            }
            Expression::Repeat { part, min, max } => {
                let fits = self.left > 0 && height(part, &self.heights).is_some_and(|height| height <= depth);
                let extra = max.unwrap_or(u32::MAX).saturating_sub(*min).min(MAX_SAMPLED_REPETITIONS);
                let extra = if fits { self.random.below(extra as usize + 1) as u32 } else { 0 };
                for count in 0..min + extra {
                    if count < *min || self.left > 0 {
                        self.expression(part, depth);
                    }
                }
            }
        }
    }
}

/// Appends a random text of a pattern.
pub(crate) fn sample_pattern(pattern: &Pattern, random: &mut Random, text: &mut String) {
    match pattern {
        Pattern::Set(set) => text.extend(sample_set(set, random)),
        Pattern::Text(own) => text.push_str(own),
        Pattern::Sequence(parts) => parts.iter().for_each(|part| sample_pattern(part, random, text)),
        Pattern::Choice(parts) => {
            if let Some(part) = random.choose(parts) {
                sample_pattern(part, random, text);
            }
        }
        Pattern::Repeat { part, min, max } => {
            let extra = max.unwrap_or(u32::MAX).saturating_sub(*min).min(MAX_SAMPLED_REPETITIONS);
            let count = min + random.below(extra as usize + 1) as u32;
            (0..count).for_each(|_| sample_pattern(part, random, text));
        }
    }
}

/// Returns a random character of a set; of a negated set, a printable one if there is one.
fn sample_set(set: &CharacterSet, random: &mut Random) -> Option<char> {
    if set.negated {
        let printable: Vec<char> =
            (' '..='~').chain(['é', '\u{2713}', '\u{1f600}']).filter(|&letter| set.contains(letter)).collect();
        return random.choose(&printable).copied();
    }
    let &(first, last) = random.choose(&set.ranges)?;
    let width = last as usize - first as usize + 1;
    // Surrogates are not characters.
    char::from_u32(first as u32 + random.below(width) as u32).or(Some(first))
}
