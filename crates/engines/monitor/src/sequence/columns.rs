//! Matching of a sequence over columns of truth values, for all bindings of a word at once and without work for single bindings.
//!
//! A [`SequenceMatcher`] reports the start of every satisfaction as it occurs, so it keeps the starts of attempts. Over columns, the
//! starts can be found afterwards, and matching needs only to know which attempts started in the same state: a satisfaction removes the
//! attempts of its binding that did not start after it. The latest starts at the positions of an automaton never increase from one position
//! to the next (a path that overtakes another meets it, and could continue as the other does), so the attempts that are removed are
//! those at the positions from the one that is satisfied on, and those before it with the same start.

use super::{SequenceAutomaton, SequenceMatcher, StateHistory};
use crate::bits;

/// The number of positions of an automaton whose attempts [`SequenceColumns`] keeps in registers, without the last position. Longer
/// automata are matched as by [`SequenceMatcher`].
const REGISTER_POSITIONS: usize = 8;

/// A matcher of a sequence over columns of truth values: one bit per state and binding for each letter.
///
/// A column has `words` words for each state, where `words` is the number of bindings divided by 64, rounded up; bit `i` of word `w`
/// belongs to binding `64 * w + i`. Consecutive calls continue with the states that follow.
///
/// ```
/// use goalspec_monitor::sequence::{AutomatonPosition, SequenceAutomaton, SequenceColumns};
///
/// // once a; hold b; once c
/// let position = |letter, repeats| AutomatonPosition { letter, repeats, optional: false, measured: false };
/// let automaton = SequenceAutomaton::new(vec![position(0, false), position(1, true), position(2, false)]);
/// let mut columns = SequenceColumns::new(&automaton, 2).expect("nothing is measured");
/// // Four states; the first binding is bit 0, the second bit 1.
/// let (a, b, c) = ([0b11, 0, 0, 0], [0, 0b11, 0b10, 0], [0, 0, 0b01, 0b10]);
/// let mut satisfied = [0; 4];
/// columns.advance(&[&a, &b, &c], &mut satisfied);
/// assert_eq!(satisfied, [0, 0, 0b01, 0b10]);
/// assert_eq!(automaton.start_in_columns(&[&a, &b, &c], 2, 3, 1), Some(0));
/// ```
#[derive(Debug, Clone)]
pub struct SequenceColumns {
    bindings: usize,
    engine: Engine,
}

#[derive(Debug, Clone)]
enum Engine {
    /// The automaton has no positions: nothing satisfies it.
    Empty,
    Registers(Box<dyn RegisterEngine>),
    Long(Box<LongEngine>),
}

impl SequenceColumns {
    /// Creates a matcher without attempts; `None` if the automaton records measures, which columns of truth values do not have.
    pub fn new(automaton: &SequenceAutomaton, bindings: usize) -> Option<Self> {
        if automaton.measured {
            return None;
        }
        let words = bits::words(bindings);
        let engine = match automaton.cells.len() {
            0 => Engine::Empty,
            length if length <= REGISTER_POSITIONS + 1 => Engine::Registers(registers(automaton, words)),
            _ => Engine::Long(Box::new(LongEngine {
                automaton: automaton.clone(),
                matcher: SequenceMatcher::new(automaton, bindings),
                history: StateHistory::new(automaton.history_depth()),
                state: 0,
            })),
        };
        Some(Self { bindings, engine })
    }

    /// Advances over the states of the columns, and writes for each state the bindings with a satisfaction that ends in it. `letters` has
    /// one column per letter of the automaton; bits beyond the last binding must be zero.
    ///
    /// # Panics
    /// If a column of a letter is shorter than `satisfied`, or `satisfied` has no whole number of states.
    pub fn advance(&mut self, letters: &[&[u64]], satisfied: &mut [u64]) {
        let words = bits::words(self.bindings);
        assert!(satisfied.len().is_multiple_of(words.max(1)), "columns have whole states");
        match &mut self.engine {
            Engine::Empty => satisfied.fill(0),
            Engine::Registers(engine) => engine.advance(letters, satisfied),
            Engine::Long(engine) => engine.advance(letters, satisfied, words),
        }
    }

    /// Returns the number of bindings.
    pub fn binding_count(&self) -> usize {
        self.bindings
    }
}

/// Counts the ones of each binding in a column, such as the satisfactions that [`SequenceColumns::advance`] wrote.
pub fn count_per_binding(column: &[u64], bindings: usize) -> Vec<u64> {
    let words = bits::words(bindings);
    let mut counts = vec![0; bindings];
    for (word, counts) in counts.chunks_mut(64).enumerate() {
        count_word(column.iter().skip(word).step_by(words), counts);
    }
    counts
}

/// Adds the ones at each bit of the words to `counts`: sums of 15 words are four words, one for each digit.
fn count_word<'w>(words: impl Iterator<Item = &'w u64>, counts: &mut [u64]) {
    let mut digits = [0_u64; 4];
    let mut flush = |digits: &mut [u64; 4]| {
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += digits.iter().enumerate().map(|(digit, word)| (word >> bit & 1) << digit).sum::<u64>();
        }
        *digits = [0; 4];
    };
    let mut added = 0;
    for &word in words {
        let mut carry = word;
        for digit in &mut digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
        added += 1;
        if added == 15 {
            added = 0;
            flush(&mut digits);
        }
    }
    flush(&mut digits);
}

impl SequenceAutomaton {
    /// Returns the first state, counted from 0, of the satisfaction of `binding` that ends in `state`: the latest one from which the automaton
    /// can be passed. `None` if no satisfaction ends there. Takes time in proportion to the number of states between the two.
    ///
    /// The columns have the layout of [`SequenceColumns`]; `bindings` is the number of their bindings.
    pub fn start_in_columns(&self, letters: &[&[u64]], bindings: usize, state: usize, binding: usize) -> Option<usize> {
        let words = bits::words(bindings);
        let holds = |position: usize, state: usize| {
            let letter = letters[self.cells[position].letter as usize];
            bits::get(&letter[state * words..][..words], binding)
        };
        let last = self.cells.len().checked_sub(1)?;
        let mut reached = vec![false; last + 1];
        reached[last] = holds(last, state);
        for state in (0..=state).rev() {
            if reached.iter().zip(&self.anchors).any(|(&reached, anchor)| reached && anchor.is_none()) {
                return Some(state);
            }
            if state == 0 || !reached.contains(&true) {
                return None;
            }
            let mut before = vec![false; last + 1];
            for to in (0..=last).filter(|&to| reached[to]) {
                // The last position does not repeat: an attempt that reaches it is satisfied.
                let own = (self.cells[to].repeats && to < last).then_some(to);
                for from in self.sources(to).chain(own) {
                    before[from] |= holds(from, state - 1);
                }
            }
            reached = before;
        }
        None
    }
}

/// An automaton of any length without measures.
#[derive(Debug, Clone)]
struct LongEngine {
    automaton: SequenceAutomaton,
    matcher: SequenceMatcher,
    history: StateHistory,
    state: u32,
}

impl LongEngine {
    fn advance(&mut self, letters: &[&[u64]], satisfied: &mut [u64], words: usize) {
        for (state, satisfied) in satisfied.chunks_exact_mut(words).enumerate() {
            self.state += 1;
            self.history.push(self.state);
            satisfied.fill(0);
            let rows: Vec<&[u64]> = letters.iter().map(|letter| &letter[state * words..][..words]).collect();
            self.matcher.step(&self.automaton, &mut &rows[..], &self.history, &mut |found| {
                bits::put(satisfied, found.binding, true);
            });
        }
    }
}

/// Creates the engine for an automaton of 1 to [`REGISTER_POSITIONS`] + 1 positions.
fn registers(automaton: &SequenceAutomaton, words: usize) -> Box<dyn RegisterEngine> {
    macro_rules! of_length {
        ($($length:literal)*) => {
            match (automaton.cells.len() - 1, automaton.cells.iter().any(|cell| cell.optional)) {
                $(
                    ($length, false) => Box::new(Registers::<$length, true>::new(automaton, words)),
                    ($length, true) => Box::new(Registers::<$length, false>::new(automaton, words)),
                )*
                _ => unreachable!("the automaton has at most {REGISTER_POSITIONS} positions before the last"),
            }
        };
    }
    of_length!(0 1 2 3 4 5 6 7 8)
}

/// A [`Registers`] of any number of positions.
trait RegisterEngine: std::fmt::Debug + Send + Sync {
    fn advance(&mut self, letters: &[&[u64]], satisfied: &mut [u64]);

    fn clone_box(&self) -> Box<dyn RegisterEngine>;
}

impl Clone for Box<dyn RegisterEngine> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// An automaton of `N` positions before the last, with the attempts of all bindings. `CHAIN` is whether no position is optional: attempts then
/// come only from the position before, or stay.
#[derive(Debug, Clone)]
struct Registers<const N: usize, const CHAIN: bool> {
    transitions: Transitions<N>,
    attempts: Vec<Attempts<N>>,
}

/// The possible moves of an automaton, as masks: all ones or zero.
#[derive(Debug, Clone)]
struct Transitions<const N: usize> {
    /// The letters of the positions.
    letters: [usize; N],
    /// Whether an attempt may begin at the position.
    initial: [u64; N],
    /// Whether an attempt may come to the position of the first index from that of the second.
    moves: [[u64; N]; N],
    last_letter: usize,
    /// Whether the last position may be the first.
    last_initial: u64,
    /// Whether an attempt may come to the last position.
    accepted: [u64; N],
}

/// The attempts of 64 bindings, one bit each.
#[derive(Debug, Clone, Copy)]
struct Attempts<const N: usize> {
    /// The bindings with an attempt at the position.
    present: [u64; N],
    /// The bindings whose attempts at two positions, the first before the second, started in the same state; undefined where one of the
    /// attempts is not present.
    same_start: [[u64; N]; N],
}

/// For each position, the attempt that comes to it, chosen among those that could.
#[derive(Clone, Copy)]
struct Origin<const N: usize> {
    /// The bindings whose attempt begins now.
    new: u64,
    /// The bindings whose attempt was at each position.
    from: [u64; N],
}

impl<const N: usize> Transitions<N> {
    fn new(automaton: &SequenceAutomaton) -> Self {
        let mask = |allowed: bool| if allowed { u64::MAX } else { 0 };
        let moves = |to: usize, from: usize| {
            mask(
                automaton.sources(to).contains(&from) && automaton.anchors[to].is_some()
                    || from == to && automaton.cells[to].repeats,
            )
        };
        Self {
            letters: std::array::from_fn(|at| automaton.cells[at].letter as usize),
            initial: std::array::from_fn(|at| mask(automaton.anchors[at].is_none())),
            moves: std::array::from_fn(|to| std::array::from_fn(|from| moves(to, from))),
            last_letter: automaton.cells[N].letter as usize,
            last_initial: mask(automaton.anchors[N].is_none()),
            accepted: std::array::from_fn(|from| mask(automaton.anchors[N].is_some_and(|anchor| anchor <= from))),
        }
    }
}

impl<const N: usize> Attempts<N> {
    const NONE: Self = Self { present: [0; N], same_start: [[0; N]; N] };

    /// Whether attempts at two positions started in the same state.
    #[inline]
    fn same(&self, one: usize, other: usize) -> u64 {
        if one == other { u64::MAX } else { self.same_start[one.min(other)][one.max(other)] }
    }

    /// Returns the bindings that are satisfied in a state whose last letter is `last`, and removes the attempts that did not start after
    /// the satisfaction.
    #[inline]
    fn accept<const CHAIN: bool>(&mut self, transitions: &Transitions<N>, last: u64) -> u64 {
        let mut hits = last & transitions.last_initial;
        let mut removed = [hits; N];
        let mut open = last & !hits;
        // The attempt at the earliest position started last.
        for from in nearest_source::<CHAIN>(N)..N {
            let chosen = open & transitions.accepted[from] & self.present[from];
            open &= !chosen;
            hits |= chosen;
            for (position, removed) in removed.iter_mut().enumerate() {
                *removed |= if position >= from { chosen } else { chosen & self.same_start[position][from] };
            }
        }
        for (present, removed) in self.present.iter_mut().zip(removed) {
            *present &= !removed;
        }
        hits
    }

    /// Moves the attempts over a state with the given letters.
    #[inline]
    fn advance<const CHAIN: bool>(&mut self, transitions: &Transitions<N>, letters: [u64; N]) {
        let origins: [Origin<N>; N] = std::array::from_fn(|to| {
            let new = letters[to] & transitions.initial[to];
            let mut open = letters[to] & !new;
            let from = std::array::from_fn(|from| {
                if !(nearest_source::<CHAIN>(to)..=to).contains(&from) {
                    return 0;
                }
                let chosen = open & transitions.moves[to][from] & self.present[from];
                open &= !chosen;
                chosen
            });
            Origin { new, from }
        });
        let mut same_start = [[0; N]; N];
        for first in 0..N {
            for second in first + 1..N {
                let (one, other) = (&origins[first], &origins[second]);
                let mut same = one.new & other.new;
                for from in nearest_source::<CHAIN>(first)..=first {
                    for source in nearest_source::<CHAIN>(second)..=second {
                        same |= one.from[from] & other.from[source] & self.same(from, source);
                    }
                }
                same_start[first][second] = same;
            }
        }
        self.same_start = same_start;
        self.present = origins.map(|origin| origin.from.iter().fold(origin.new, |all, from| all | from));
    }
}

/// Returns the first position that an attempt can come from to a position.
#[inline]
fn nearest_source<const CHAIN: bool>(to: usize) -> usize {
    if CHAIN { to.saturating_sub(1) } else { 0 }
}

impl<const N: usize, const CHAIN: bool> Registers<N, CHAIN> {
    fn new(automaton: &SequenceAutomaton, words: usize) -> Self {
        Self { transitions: Transitions::new(automaton), attempts: vec![Attempts::NONE; words] }
    }
}

impl<const N: usize, const CHAIN: bool> RegisterEngine for Registers<N, CHAIN> {
    fn advance(&mut self, letters: &[&[u64]], satisfied: &mut [u64]) {
        let words = self.attempts.len();
        let length = satisfied.len();
        let transitions = &self.transitions;
        let columns: [&[u64]; N] = std::array::from_fn(|at| &letters[transitions.letters[at]][..length]);
        let last = &letters[transitions.last_letter][..length];
        for (word, attempts) in self.attempts.iter_mut().enumerate() {
            let mut own = *attempts;
            let mut at = word;
            while at < length {
                satisfied[at] = own.accept::<CHAIN>(transitions, last[at]);
                own.advance::<CHAIN>(transitions, columns.map(|column| column[at]));
                at += words;
            }
            *attempts = own;
        }
    }

    fn clone_box(&self) -> Box<dyn RegisterEngine> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use goalspec_testing::random::Random;

    use super::super::AutomatonPosition;
    use super::*;

    fn random_automaton(random: &mut Random) -> SequenceAutomaton {
        let length = random.below(REGISTER_POSITIONS + 4);
        let positions = (0..length).map(|_| {
            let (letter, kind) = (random.below(3) as u32, random.below(4));
            AutomatonPosition { letter, repeats: kind > 1, optional: kind == 3, measured: false }
        });
        SequenceAutomaton::new(positions.collect())
    }

    fn random_columns(random: &mut Random, states: usize, bindings: usize) -> Vec<Vec<u64>> {
        let words = bits::words(bindings);
        let density = random.below(3);
        let word = |random: &mut Random| match density {
            0 => random.bits(),
            1 => random.bits() | random.bits(),
            _ => random.bits() | random.bits() | random.bits(),
        };
        let masked = |at: usize, word: u64| if at % words + 1 == words { word & bits::tail(bindings) } else { word };
        (0..3).map(|_| (0..states * words).map(|at| masked(at, word(random))).collect()).collect()
    }

    /// The satisfactions by the matcher that keeps starts: state, binding, start, all counted from 0.
    fn matched(automaton: &SequenceAutomaton, columns: &[&[u64]], bindings: usize) -> Vec<(usize, usize, usize)> {
        let words = bits::words(bindings);
        let mut matcher = SequenceMatcher::new(automaton, bindings);
        let mut history = StateHistory::new(automaton.history_depth());
        let mut all = Vec::new();
        for state in 0..columns[0].len() / words {
            history.push(state as u32 + 1);
            let rows: Vec<&[u64]> = columns.iter().map(|column| &column[state * words..][..words]).collect();
            matcher.step(automaton, &mut &rows[..], &history, &mut |found| {
                all.push((state, found.binding, found.start as usize - 1));
            });
        }
        all
    }

    #[test]
    fn columns_are_matched_as_states_are() {
        let mut random = Random::new(0);
        let mut satisfactions = 0;
        for case in 0..600 {
            let automaton = random_automaton(&mut random);
            let bindings = [1, 10, 64, 65, 130][random.below(5)];
            let columns = random_columns(&mut random, 60, bindings);
            let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
            let expected = matched(&automaton, &columns, bindings);

            let words = bits::words(bindings);
            let mut satisfied = vec![u64::MAX; columns[0].len()];
            let mut matcher = SequenceColumns::new(&automaton, bindings).expect("nothing is measured");
            // The second part continues the first.
            let (first, rest) = satisfied.split_at_mut(random.below(61) * words);
            matcher.advance(&columns, first);
            let others: Vec<&[u64]> = columns.iter().map(|column| &column[first.len()..]).collect();
            matcher.advance(&others, rest);

            let found: Vec<_> = satisfied
                .chunks_exact(words)
                .enumerate()
                .flat_map(|(state, row)| bits::ones(row).map(move |binding| (state, binding)))
                .map(|(state, binding)| {
                    let start = automaton.start_in_columns(&columns, bindings, state, binding);
                    (state, binding, start.expect("a satisfaction has a start"))
                })
                .collect();
            assert_eq!(found, expected, "case {case}: {automaton:?}");
            let counts = count_per_binding(&satisfied, bindings);
            for (binding, &count) in counts.iter().enumerate() {
                assert_eq!(count, expected.iter().filter(|found| found.1 == binding).count() as u64);
            }
            satisfactions += expected.len();
        }
        assert!(satisfactions > 20_000, "{satisfactions}");
    }

    #[test]
    fn measures_are_refused() {
        let position = AutomatonPosition { letter: 0, repeats: false, optional: false, measured: true };
        assert!(SequenceColumns::new(&SequenceAutomaton::new(vec![position]), 1).is_none());
    }
}
