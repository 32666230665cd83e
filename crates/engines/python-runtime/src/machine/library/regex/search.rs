//! Searches for matches of regular expressions, in time linear in the text: all alternatives advance side by side.

use super::program::{Instruction, Position, Regex, is_word};

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

/// The threads at one position, each at an instruction of its own, in the order of preference.
struct Threads {
    places: Vec<usize>,
    /// The slots of each thread, one thread after the other.
    slots: Vec<Option<usize>>,
    /// Whether there is or was a thread at each instruction.
    seen: Vec<bool>,
}

/// A step of the search for the threads that a thread continues as.
enum Step {
    /// Continues at an instruction.
    Explore(usize),
    /// Restores a slot, after what follows its instruction was explored.
    Restore(usize, Option<usize>),
}

/// The memory for the continuation of a thread.
struct Continuation {
    open: Vec<Step>,
    /// The slots of the thread.
    slots: Vec<Option<usize>>,
}

impl Threads {
    fn new(regex: &Regex) -> Self {
        Self { places: Vec::new(), slots: Vec::new(), seen: vec![false; regex.program.len()] }
    }

    fn clear(&mut self) {
        self.places.clear();
        self.slots.clear();
        self.seen.fill(false);
    }
}

impl Regex {
    /// Returns the number of slots of a match.
    fn slot_count(&self) -> usize {
        2 * self.group_count + 2
    }

    /// Returns the instruction that reads the first character of every match, if there is only one.
    fn first_reader(&self) -> Option<&Instruction> {
        let first = self.program.iter().find(|instruction| !matches!(instruction, Instruction::Save(_)))?;
        matches!(first, Instruction::Character(_) | Instruction::Set(_)).then_some(first)
    }

    /// Searches for the preferred match; also returns the number of steps.
    pub(super) fn search(&self, text: &str, search: Search) -> (Option<Slots>, u64) {
        let width = self.slot_count();
        let (mut current, mut next) = (Threads::new(self), Threads::new(self));
        let mut thread = Continuation { open: Vec::new(), slots: vec![None; width] };
        let first_reader = self.first_reader().filter(|_| !search.is_anchored);
        let mut found: Option<Slots> = None;
        let (mut steps, steps_per_character) = (0, self.program.len() as u64 / 32);
        let mut at = search.start;
        loop {
            if let (Some(reader), None, true) = (first_reader, &found, current.places.is_empty()) {
                // No thread outlives a character with which no match begins.
                let mut rest = text[at..search.end].chars();
                while let Some(character) = rest.next().filter(|character| !reader.reads(*character)) {
                    at += character.len_utf8();
                    steps += 1 + steps_per_character;
                }
            }
            if found.is_none() && (at == search.start || !search.is_anchored) {
                thread.slots.fill(None);
                self.add(&mut current, 0, &mut thread, text, at, search.end);
            }
            if current.places.is_empty() && (found.is_some() || search.is_anchored) {
                return (found, steps);
            }
            let character = if at < search.end { text[at..].chars().next() } else { None };
            let behind = at + character.map_or(0, char::len_utf8);
            for (&place, slots) in current.places.iter().zip(current.slots.chunks_exact(width)) {
                steps += 1;
                if let Instruction::Match = self.program[place] {
                    let is_rejected = search.is_full && at != search.end
                        || search.must_advance && at == search.start && slots[0] == Some(search.start);
                    if is_rejected {
                        continue;
                    }
                    found = Some(slots.into());
                    // The threads behind are less preferred.
                    break;
                }
                if character.is_some_and(|character| self.program[place].reads(character)) {
                    thread.slots.copy_from_slice(slots);
                    self.add(&mut next, place + 1, &mut thread, text, behind, search.end);
                }
            }
            steps += steps_per_character;
            current.clear();
            std::mem::swap(&mut current, &mut next);
            if character.is_none() {
                return (found, steps);
            }
            at = behind;
        }
    }

    /// Adds a thread, and the threads that it continues as without reading a character.
    fn add(&self, threads: &mut Threads, place: usize, thread: &mut Continuation, text: &str, at: usize, end: usize) {
        thread.open.push(Step::Explore(place));
        while let Some(step) = thread.open.pop() {
            let mut place = match step {
                Step::Explore(place) => place,
                Step::Restore(slot, before) => {
                    thread.slots[slot] = before;
                    continue;
                }
            };
            while !std::mem::replace(&mut threads.seen[place], true) {
                match &self.program[place] {
                    Instruction::Jump(to) => place = *to,
                    Instruction::Split(first, second) => {
                        thread.open.push(Step::Explore(*second));
                        place = *first;
                    }
                    Instruction::Save(slot) => {
                        let before = thread.slots[*slot].replace(at);
                        thread.open.push(Step::Restore(*slot, before));
                        place += 1;
                    }
                    Instruction::Position(position) if !holds(*position, text, at, end) => break,
                    Instruction::Position(_) => place += 1,
                    _ => {
                        threads.places.push(place);
                        threads.slots.extend_from_slice(&thread.slots);
                        break;
                    }
                }
            }
        }
    }
}

impl Instruction {
    /// Returns whether the instruction reads a character.
    #[inline]
    fn reads(&self, character: char) -> bool {
        match self {
            Self::Character(expected) => character == *expected,
            Self::Any => true,
            Self::Set(set) => set.contains(character),
            _ => false,
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
