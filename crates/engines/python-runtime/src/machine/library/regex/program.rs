//! Programs of regular expressions, and their execution in time linear in the text.

use crate::machine::text::is_space;

/// A compiled regular expression.
#[derive(Debug)]
pub(crate) struct Regex {
    pub(super) program: Vec<Instruction>,
    pub(super) flags: i64,
    /// The number of groups, without the whole match.
    pub(super) group_count: usize,
    /// The names of groups with their indices.
    pub(super) names: Vec<(String, usize)>,
}

/// An instruction of a program.
#[derive(Debug, Clone)]
pub(super) enum Instruction {
    Character(char),
    Any,
    Set(Box<CharacterSet>),
    Position(Position),
    /// Stores the position in a slot.
    Save(usize),
    Jump(usize),
    /// Continues at two places, of which the first one is preferred.
    Split(usize, usize),
    Match,
}

/// A condition on a position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Position {
    Start,
    LineStart,
    End,
    LineEnd,
    EndOrLastNewline,
    /// The flag says whether only ASCII characters are parts of words.
    WordBoundary(bool),
    NotWordBoundary(bool),
}

/// A set of characters.
#[derive(Debug, Clone)]
pub(super) struct CharacterSet {
    pub(super) items: Vec<SetItem>,
    pub(super) is_negated: bool,
    pub(super) ignores_case: bool,
    pub(super) is_ascii: bool,
}

/// A range or a class of characters; the flag of classes is false for their complements.
#[derive(Debug, Clone, Copy)]
pub(super) enum SetItem {
    Range(char, char),
    Digit(bool),
    Word(bool),
    Space(bool),
}

impl CharacterSet {
    /// Returns the set of all characters but the newline.
    pub(super) fn not_newline() -> Self {
        Self { items: vec![SetItem::Range('\n', '\n')], is_negated: true, ignores_case: false, is_ascii: false }
    }

    fn has_form(&self, character: char) -> bool {
        let is_ascii = !self.is_ascii || character.is_ascii();
        self.items.iter().any(|item| match *item {
            SetItem::Range(low, high) => (low..=high).contains(&character),
            SetItem::Digit(holds) => holds == (is_ascii && character.is_numeric() && is_decimal(character)),
            SetItem::Word(holds) => holds == is_word(character, self.is_ascii),
            SetItem::Space(holds) => holds == (is_ascii && is_space(character)),
        })
    }

    fn contains(&self, character: char) -> bool {
        let mut is_there = self.has_form(character);
        if !is_there && self.ignores_case {
            is_there = character.to_lowercase().chain(character.to_uppercase()).any(|form| self.has_form(form));
        }
        is_there != self.is_negated
    }
}

/// Returns whether a character is a decimal digit; of those beyond ASCII, the ones of the most common scripts.
fn is_decimal(character: char) -> bool {
    character.is_ascii_digit()
        || matches!(character, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' | '\u{966}'..='\u{96f}' | '\u{ff10}'..='\u{ff19}')
}

fn is_word(character: char, is_ascii: bool) -> bool {
    character == '_' || if is_ascii { character.is_ascii_alphanumeric() } else { character.is_alphanumeric() }
}

/// The positions that a match stores: the bounds of the whole match and of each group, in bytes.
pub(super) type Slots = Box<[Option<usize>]>;

/// The way in which a match has to fit the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    /// The position at which the search begins.
    pub(super) start: usize,
    /// The position at which the text ends.
    pub(super) end: usize,
    /// Whether the match begins at the start.
    pub(super) is_anchored: bool,
    /// Whether the match ends at the end.
    pub(super) is_full: bool,
    /// Whether an empty match at the start does not count.
    pub(super) must_advance: bool,
}

/// The threads at one position, in the order of preference.
#[derive(Default)]
struct Threads {
    list: Vec<(usize, Slots)>,
    seen: Vec<bool>,
}

impl Regex {
    /// Returns the number of slots of a match.
    fn slot_count(&self) -> usize {
        2 * self.group_count + 2
    }

    /// Searches for the preferred match; also returns the number of steps.
    pub(super) fn search(&self, text: &str, search: Search) -> (Option<Slots>, u64) {
        let (mut current, mut next) = (Threads::default(), Threads::default());
        let mut found: Option<Slots> = None;
        let mut steps = 0;
        let mut at = search.start;
        current.seen.resize(self.program.len(), false);
        next.seen.resize(self.program.len(), false);
        loop {
            if found.is_none() && (at == search.start || !search.is_anchored) {
                let slots = vec![None; self.slot_count()].into();
                self.add(&mut current, 0, slots, text, at, search.end);
            }
            if current.list.is_empty() && (found.is_some() || search.is_anchored) {
                return (found, steps);
            }
            let character = if at < search.end { text[at..].chars().next() } else { None };
            for (place, slots) in current.list.drain(..) {
                steps += 1;
                let goes_on = match &self.program[place] {
                    Instruction::Match => {
                        let is_rejected = search.is_full && at != search.end
                            || search.must_advance && at == search.start && slots[0] == Some(search.start);
                        if is_rejected {
                            continue;
                        }
                        found = Some(slots);
                        // The threads behind are less preferred.
                        break;
                    }
                    Instruction::Character(expected) => character == Some(*expected),
                    Instruction::Any => character.is_some(),
                    Instruction::Set(set) => character.is_some_and(|character| set.contains(character)),
                    _ => false,
                };
                if goes_on {
                    let behind = at + character.map_or(0, char::len_utf8);
                    self.add(&mut next, place + 1, slots, text, behind, search.end);
                }
            }
            steps += self.program.len() as u64 / 32;
            current.list.clear();
            current.seen.fill(false);
            std::mem::swap(&mut current, &mut next);
            match character {
                Some(character) => at += character.len_utf8(),
                None => return (found, steps),
            }
        }
    }

    /// Adds a thread, and the threads that it continues as without reading a character.
    fn add(&self, threads: &mut Threads, place: usize, slots: Slots, text: &str, at: usize, end: usize) {
        let mut open = vec![(place, slots)];
        while let Some((place, mut slots)) = open.pop() {
            if std::mem::replace(&mut threads.seen[place], true) {
                continue;
            }
            match &self.program[place] {
                Instruction::Jump(to) => open.push((*to, slots)),
                Instruction::Split(first, second) => {
                    open.push((*second, slots.clone()));
                    open.push((*first, slots));
                }
                Instruction::Save(slot) => {
                    slots[*slot] = Some(at);
                    open.push((place + 1, slots));
                }
                Instruction::Position(position) => {
                    if holds(*position, text, at, end) {
                        open.push((place + 1, slots));
                    }
                }
                _ => threads.list.push((place, slots)),
            }
        }
    }
}

/// Returns whether a condition holds at a position.
fn holds(position: Position, text: &str, at: usize, end: usize) -> bool {
    let before = text[..at].chars().next_back();
    let behind = text[at..end].chars().next();
    let is_boundary = |is_ascii: bool| {
        let is_word = |character: Option<char>| character.is_some_and(|character| is_word(character, is_ascii));
        is_word(before) != is_word(behind)
    };
    match position {
        Position::Start => at == 0,
        Position::LineStart => before.is_none_or(|character| character == '\n'),
        Position::End => at == end,
        Position::LineEnd => behind.is_none_or(|character| character == '\n'),
        Position::EndOrLastNewline => at == end || &text[at..end] == "\n",
        Position::WordBoundary(is_ascii) => is_boundary(is_ascii),
        Position::NotWordBoundary(is_ascii) => !is_boundary(is_ascii),
    }
}
