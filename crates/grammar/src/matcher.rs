//! Membership of texts in a grammar, by Earley's algorithm (1970) over a recursive transition network.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::grammar::Grammar;
use crate::network::{Network, Terminal};

/// The maximum number of items of a match: pairs of a state and the position at which its rule began.
pub const MAX_ITEMS: usize = 4_000_000;

/// The maximum number of words of an enumeration that a mismatch lists.
const MAX_LISTED: usize = 12;

/// A compiled grammar that decides membership.
#[derive(Debug)]
pub struct Matcher {
    network: Network,
}

/// The reason for which a text is not derivable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MismatchKind {
    /// The text continues in a way that no derivable text does.
    Unexpected,
    /// The text is the beginning of derivable texts only.
    Incomplete,
    /// The match exceeds [`MAX_ITEMS`].
    LimitExceeded,
}

/// The place where a text departs from a grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The reason.
    pub kind: MismatchKind,
    /// The byte offset of the word that was not expected, or the length of the text if it is incomplete.
    pub offset: usize,
    /// The word at the offset; empty at the end of the text.
    pub found: String,
    /// The expected words and names of patterns, sorted; the end of the text is written `end of text`.
    pub expected: Vec<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == MismatchKind::LimitExceeded {
            return write!(f, "the match exceeds the limit of {MAX_ITEMS} items at byte {}", self.offset);
        }
        let list = match &self.expected[..] {
            [] => "nothing".to_owned(),
            [one] => one.clone(),
            [first @ .., last] if first.len() < MAX_LISTED => format!("{} or {last}", first.join(", ")),
            all => format!("{} or one of {} more", all[..MAX_LISTED].join(", "), all.len() - MAX_LISTED),
        };
        match self.kind {
            MismatchKind::Incomplete => write!(f, "expected {list} at the end of the text"),
            _ => write!(f, "expected {list}, found `{}`", self.found.escape_debug()),
        }
    }
}

impl std::error::Error for Mismatch {}

impl Grammar {
    /// Compiles the grammar for matching.
    pub fn matcher(&self) -> Matcher {
        Matcher { network: Network::new(self) }
    }
}

/// The items at one position of the text.
#[derive(Default)]
struct ItemSet {
    seen: FxHashSet<(u32, u32)>,
    items: Vec<(u32, u32)>,
    /// For each called rule, the states after the call with the origins of their rules.
    callers: FxHashMap<u32, Vec<(u32, u32)>>,
}

impl ItemSet {
    fn add(&mut self, state: u32, origin: u32) {
        if self.seen.insert((state, origin)) {
            self.items.push((state, origin));
        }
    }
}

/// The state of one match.
struct Run<'m> {
    network: &'m Network,
    text: &'m str,
    /// The sets at the positions that terminals reach.
    sets: FxHashMap<u32, ItemSet>,
    items: usize,
}

impl Matcher {
    /// Decides whether a text is derivable from the root.
    ///
    /// # Errors
    /// Returns the place where the text departs from the grammar, with the terminals expected there.
    pub fn check(&self, text: &str) -> Result<(), Mismatch> {
        let mut run = Run { network: &self.network, text, sets: FxHashMap::default(), items: 0 };
        run.sets.entry(0).or_default().add(self.network.starts[0], 0);
        let mut pending = std::collections::BTreeSet::from([0_u32]);
        let mut last = 0;
        while let Some(position) = pending.pop_first() {
            last = position;
            if !run.process(position, &mut pending) {
                return Err(Mismatch {
                    kind: MismatchKind::LimitExceeded,
                    offset: position as usize,
                    found: word_at(text, position as usize),
                    expected: Vec::new(),
                });
            }
        }
        if last as usize == text.len() && run.is_complete(last) { Ok(()) } else { Err(run.mismatch(last)) }
    }
}

impl Run<'_> {
    /// Extends the set of a position. Returns false if the limit is exceeded.
    fn process(&mut self, position: u32, pending: &mut std::collections::BTreeSet<u32>) -> bool {
        let mut set = self.sets.remove(&position).unwrap_or_default();
        let rest = &self.text[position as usize..];
        let mut scanned: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        let mut next = 0;
        while let Some(&(state, origin)) = set.items.get(next) {
            next += 1;
            let at = &self.network.states[state as usize];
            // A rule that ends where it began is passed by its callers, which know that it can be empty.
            if at.is_final && origin != position {
                let callers = self.sets.get(&origin).and_then(|set| set.callers.get(&at.rule));
                callers.into_iter().flatten().for_each(|&(after, from)| set.add(after, from));
            }
            for &(rule, after) in &at.calls {
                set.callers.entry(rule).or_default().push((after, origin));
                set.add(self.network.starts[rule as usize], position);
                if self.network.nullable[rule as usize] {
                    set.add(after, origin);
                }
            }
            for &(terminal, after) in &at.terminals {
                let ends = scanned.entry(terminal).or_insert_with(|| {
                    let mut ends = Vec::new();
                    self.network.terminals[terminal as usize].matches(rest, &mut |length| ends.push(length));
                    ends
                });
                for &length in &*ends {
                    let end = position + length as u32;
                    self.sets.entry(end).or_default().add(after, origin);
                    pending.insert(end);
                }
            }
            self.items += 1;
            if self.items > MAX_ITEMS {
                return false;
            }
        }
        self.sets.insert(position, set);
        true
    }

    fn is_complete(&self, position: u32) -> bool {
        let network = self.network;
        self.sets[&position].items.iter().any(|&(state, origin)| {
            let state = &network.states[state as usize];
            origin == 0 && state.rule == 0 && state.is_final
        })
    }

    /// Describes the mismatch behind the last position that terminals reach.
    fn mismatch(&self, last: u32) -> Mismatch {
        let rest = &self.text[last as usize..];
        let reaches_end =
            |&terminal: &u32| self.network.terminals[terminal as usize].matches(rest, &mut |_| {}) == rest.len();
        if self.terminals(last).iter().any(reaches_end) {
            let expected = self.expected(last);
            return Mismatch {
                kind: MismatchKind::Incomplete,
                offset: self.text.len(),
                found: String::new(),
                expected,
            };
        }
        // A word that begins like an expected one is reported as a whole.
        let before = &self.text[..last as usize];
        let start = before
            .rfind(is_delimiter)
            .map_or(0, |index| index + before[index..].chars().next().map_or(1, char::len_utf8));
        let is_inside = rest.chars().next().is_some_and(|letter| !is_delimiter(letter));
        let start = if is_inside && self.sets.contains_key(&(start as u32)) { start as u32 } else { last };
        Mismatch {
            kind: MismatchKind::Unexpected,
            offset: start as usize,
            found: word_at(self.text, start as usize),
            expected: self.expected(start),
        }
    }

    /// Returns the terminals that can follow at a position.
    fn terminals(&self, position: u32) -> Vec<u32> {
        let items = self.sets[&position].items.iter();
        let states = items.map(|&(state, _)| &self.network.states[state as usize]);
        let mut terminals: Vec<u32> =
            states.flat_map(|state| state.terminals.iter().map(|&(terminal, _)| terminal)).collect();
        terminals.sort_unstable();
        terminals.dedup();
        terminals
    }

    fn expected(&self, position: u32) -> Vec<String> {
        let mut expected = Vec::new();
        for terminal in self.terminals(position) {
            match &self.network.terminals[terminal as usize] {
                Terminal::Words(words, _) => expected.extend(words.iter().map(|word| quoted(word))),
                Terminal::Pattern(name, _) => expected.push(format!("a text of `{name}`")),
            }
        }
        expected.sort_unstable();
        expected.dedup();
        if self.is_complete(position) {
            expected.push("end of text".to_owned());
        }
        expected
    }
}

fn is_delimiter(letter: char) -> bool {
    letter.is_whitespace() || "()[]{},".contains(letter)
}

fn quoted(word: &str) -> String {
    match word {
        " " => "a blank".to_owned(),
        "\n" => "a line break".to_owned(),
        word => format!("`{}`", word.escape_debug()),
    }
}

/// Returns the word at an offset: characters up to a blank or bracket, or that single character.
fn word_at(text: &str, offset: usize) -> String {
    /// The maximum length of a quoted word.
    const MAX_QUOTED: usize = 60;
    let rest = &text[offset..];
    let end = rest.find(is_delimiter).unwrap_or(rest.len());
    let end = if end == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { end };
    let word = &rest[..end];
    word.chars().take(MAX_QUOTED).collect()
}
