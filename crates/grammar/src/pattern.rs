//! Regular terminals, such as identifiers and numbers.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

/// The characters inside, or outside, of given ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterSet {
    /// Whether the set contains the characters outside of the ranges.
    pub negated: bool,
    /// Ranges of characters, first and last.
    pub ranges: Vec<(char, char)>,
}

impl CharacterSet {
    /// Whether the set contains a character.
    pub fn contains(&self, letter: char) -> bool {
        self.ranges.iter().any(|&(first, last)| (first..=last).contains(&letter)) != self.negated
    }
}

/// A regular expression that describes one terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// One character of a set.
    Set(CharacterSet),
    /// A text.
    Text(Arc<str>),
    /// A concatenation.
    Sequence(Vec<Pattern>),
    /// One of several alternatives.
    Choice(Vec<Pattern>),
    /// A repetition.
    Repeat {
        /// The repeated part.
        part: Box<Pattern>,
        /// The minimum number of repetitions.
        min: u32,
        /// The maximum number of repetitions; `None` if there is none.
        max: Option<u32>,
    },
}

/// Returns one character of some ranges, written as `a-z0-9_`: a hyphen between two characters denotes a range.
pub fn one_of(ranges: &str) -> Pattern {
    Pattern::Set(CharacterSet { negated: false, ranges: parse_ranges(ranges) })
}

/// Returns one character outside of some ranges.
pub fn none_of(ranges: &str) -> Pattern {
    Pattern::Set(CharacterSet { negated: true, ranges: parse_ranges(ranges) })
}

/// Returns a text.
pub fn text(text: &str) -> Pattern {
    Pattern::Text(text.into())
}

/// Returns a concatenation.
pub fn sequence(parts: impl IntoIterator<Item = Pattern>) -> Pattern {
    Pattern::Sequence(parts.into_iter().collect())
}

/// Returns a choice.
pub fn choice(parts: impl IntoIterator<Item = Pattern>) -> Pattern {
    Pattern::Choice(parts.into_iter().collect())
}

/// Returns a repetition.
pub fn repeat(part: Pattern, min: u32, max: Option<u32>) -> Pattern {
    Pattern::Repeat { part: Box::new(part), min, max }
}

/// Returns an optional part.
pub fn optional(part: Pattern) -> Pattern {
    repeat(part, 0, Some(1))
}

/// Returns the words of a pattern that are none of some excluded words. The pattern is a first character of `first` followed by
/// any number of characters of `rest`.
pub fn word_except<'a>(first: &str, rest: &str, excluded: impl IntoIterator<Item = &'a str>) -> Pattern {
    let mut excluded: Vec<&str> = excluded.into_iter().collect();
    excluded.sort_unstable();
    excluded.dedup();
    except(&[parse_ranges(first), parse_ranges(rest)], 0, &excluded)
}

/// Returns the continuations after `depth` characters that complete none of the words, all of which begin with these characters.
fn except(sets: &[Vec<(char, char)>; 2], depth: usize, words: &[&str]) -> Pattern {
    let of = |ranges: &[(char, char)]| Pattern::Set(CharacterSet { negated: false, ranges: ranges.to_vec() });
    let rest = repeat(of(&sets[1]), 0, None);
    let letters: Vec<char> = words.iter().filter_map(|word| word.chars().nth(depth)).collect();
    let other = without(&sets[depth.min(1)], &letters);
    let mut alternatives = if other.is_empty() { Vec::new() } else { vec![sequence([of(&other), rest])] };
    for group in words.chunk_by(|one, other| one.chars().nth(depth) == other.chars().nth(depth)) {
        let Some(letter) = group[0].chars().nth(depth) else { continue };
        let letter = text(letter.encode_utf8(&mut [0; 4]));
        alternatives.push(sequence([letter, except(sets, depth + 1, group)]));
    }
    let is_excluded = depth == 0 || words.iter().any(|word| word.chars().count() == depth);
    let whole = choice(alternatives);
    if is_excluded { whole } else { optional(whole) }
}

/// Removes characters from ranges.
fn without(ranges: &[(char, char)], letters: &[char]) -> Vec<(char, char)> {
    let mut left = ranges.to_vec();
    for &letter in letters {
        left = left
            .into_iter()
            .flat_map(|(first, last)| {
                if !(first..=last).contains(&letter) {
                    return vec![(first, last)];
                }
                let before = char::from_u32(letter as u32 - u32::from(letter > first)).unwrap_or(first);
                let after = char::from_u32(letter as u32 + u32::from(letter < last)).unwrap_or(last);
                let mut parts = Vec::new();
                if letter > first {
                    parts.push((first, before));
                }
                if letter < last {
                    parts.push((after, last));
                }
                parts
            })
            .collect();
    }
    left
}

fn parse_ranges(text: &str) -> Vec<(char, char)> {
    let letters: Vec<char> = text.chars().collect();
    let mut ranges = Vec::new();
    let mut index = 0;
    while index < letters.len() {
        let is_range = letters.get(index + 1) == Some(&'-') && index + 2 < letters.len();
        let last = if is_range { letters[index + 2] } else { letters[index] };
        ranges.push((letters[index], last));
        index += if is_range { 3 } else { 1 };
    }
    ranges
}

/// A nondeterministic finite automaton over characters.
#[derive(Debug, Clone)]
pub(crate) struct Automaton {
    states: Vec<State>,
    start: u32,
    accept: u32,
}

#[derive(Debug, Clone, Default)]
struct State {
    silent: Vec<u32>,
    step: Option<(CharacterSet, u32)>,
}

/// The number of automaton states of a pattern that are allowed.
pub(crate) const MAX_STATES: usize = 20_000;

impl Automaton {
    /// Compiles a pattern. Returns `None` if it has more than [`MAX_STATES`] states.
    pub(crate) fn new(pattern: &Pattern) -> Option<Self> {
        let mut automaton = Self { states: vec![State::default()], start: 0, accept: 0 };
        automaton.accept = automaton.add(pattern, 0)?;
        Some(automaton)
    }

    /// Compiles a set of words to a trie, without a limit of states.
    pub(crate) fn of_words(words: &[Arc<str>]) -> Self {
        let mut automaton = Self { states: vec![State::default(), State::default()], start: 0, accept: 1 };
        let mut children: FxHashMap<(u32, char), u32> = FxHashMap::default();
        for word in words {
            let end = word.chars().fold(0, |from, letter| {
                *children.entry((from, letter)).or_insert_with(|| {
                    let set = CharacterSet { negated: false, ranges: vec![(letter, letter)] };
                    let (middle, to) = (automaton.states.len() as u32, automaton.states.len() as u32 + 1);
                    automaton.states.push(State { silent: Vec::new(), step: Some((set, to)) });
                    automaton.states.push(State::default());
                    automaton.silent(from, middle);
                    to
                })
            });
            automaton.silent(end, 1);
        }
        automaton
    }

    fn state(&mut self) -> Option<u32> {
        self.states.push(State::default());
        (self.states.len() <= MAX_STATES).then_some(self.states.len() as u32 - 1)
    }

    fn silent(&mut self, from: u32, to: u32) {
        self.states[from as usize].silent.push(to);
    }

    fn step(&mut self, from: u32, set: CharacterSet) -> Option<u32> {
        let (middle, to) = (self.state()?, self.state()?);
        self.silent(from, middle);
        self.states[middle as usize].step = Some((set, to));
        Some(to)
    }

    /// Adds a pattern after a state, and returns the state after it.
    fn add(&mut self, pattern: &Pattern, from: u32) -> Option<u32> {
        match pattern {
            Pattern::Set(set) => self.step(from, set.clone()),
            Pattern::Text(text) => text.chars().try_fold(from, |from, letter| {
                self.step(from, CharacterSet { negated: false, ranges: vec![(letter, letter)] })
            }),
            Pattern::Sequence(parts) => parts.iter().try_fold(from, |from, part| self.add(part, from)),
            Pattern::Choice(parts) => {
                let end = self.state()?;
                for part in parts {
                    let start = self.state()?;
                    self.silent(from, start);
                    let after = self.add(part, start)?;
                    self.silent(after, end);
                }
                Some(end)
            }
            Pattern::Repeat { part, min, max } => {
                let mut from = from;
                for _ in 0..*min {
                    from = self.add(part, from)?;
                }
                let end = self.state()?;
                let Some(max) = max else {
                    let start = self.state()?;
                    self.silent(from, start);
                    self.silent(start, end);
                    let after = self.add(part, start)?;
                    self.silent(after, start);
                    return Some(end);
                };
                for _ in *min..*max {
                    self.silent(from, end);
                    let start = self.state()?;
                    self.silent(from, start);
                    from = self.add(part, start)?;
                }
                self.silent(from, end);
                Some(end)
            }
        }
    }

    /// Returns the states before the first character.
    pub(crate) fn initial(&self) -> Vec<u32> {
        self.closed(vec![self.start])
    }

    /// Returns the states after another character.
    pub(crate) fn after(&self, states: &[u32], letter: char) -> Vec<u32> {
        let next = states.iter().filter_map(|&state| {
            let (set, to) = self.states[state as usize].step.as_ref()?;
            set.contains(letter).then_some(*to)
        });
        self.closed(next.collect())
    }

    /// Whether the characters so far match the pattern.
    pub(crate) fn accepts(&self, states: &[u32]) -> bool {
        states.binary_search(&self.accept).is_ok()
    }

    /// Iterates over the sets of characters that can follow.
    pub(crate) fn next_sets(&self, states: &[u32]) -> impl Iterator<Item = &CharacterSet> {
        states.iter().filter_map(|&state| self.states[state as usize].step.as_ref().map(|(set, _)| set))
    }

    /// Adds the states that are reachable without a character; sorted.
    fn closed(&self, mut pending: Vec<u32>) -> Vec<u32> {
        let mut seen = FxHashSet::default();
        pending.retain(|&state| seen.insert(state));
        while let Some(state) = pending.pop() {
            pending.extend(self.states[state as usize].silent.iter().filter(|&&next| seen.insert(next)));
        }
        let mut states: Vec<u32> = seen.into_iter().collect();
        states.sort_unstable();
        states
    }
}

impl Pattern {
    /// Whether the pattern matches a whole text. Returns `false` for patterns beyond the limit of states, which no grammar contains.
    pub fn is_match(&self, text: &str) -> bool {
        Automaton::new(self).is_some_and(|automaton| {
            let states = text.chars().fold(automaton.initial(), |states, letter| automaton.after(&states, letter));
            automaton.accepts(&states)
        })
    }

    /// Whether the pattern contains a set of characters or an unbounded repetition.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Self::Set(_) => true,
            Self::Text(_) => false,
            Self::Sequence(parts) | Self::Choice(parts) => parts.iter().any(Self::is_open),
            Self::Repeat { part, max, .. } => max.is_none() || part.is_open(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excluded_words_are_not_matched() {
        let names = word_except("a-z_", "a-z0-9_", ["if", "in", "i", "import", "def"]);
        for word in ["if", "in", "i", "import", "def", "", "9a"] {
            assert!(!names.is_match(word), "{word}");
        }
        for word in ["a", "d", "de", "defs", "deg", "im", "imports", "iff", "in_", "i2", "x", "importz9"] {
            assert!(names.is_match(word), "{word}");
        }
    }

    #[test]
    fn repetitions_are_bounded() {
        let digits = repeat(one_of("0-9"), 2, Some(3));
        assert_eq!(["1", "12", "123", "1234"].map(|text| digits.is_match(text)), [false, true, true, false]);
    }
}
