//! The members of recorded objects: their names, and the texts and values that they had last.
//!
//! Recordings give all members of an object even if one of them changed, in most of them in the same order. A text that was read before has
//! the same result in the same place, so that comparing bytes replaces parsing.

use goalspec_core::ids::AttributeId;
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::World;
use goalspec_core::world::recording::FieldMapping;

use crate::json::{Scanner, Stop, StringToken};

/// Maximum number of names that are remembered besides those of the members that are read.
const MAX_SKIPPED_NAMES: usize = 64;

/// Maximum length of a remembered name, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// Maximum length of a remembered value, in bytes of text.
const MAX_VALUE_BYTES: usize = 512;

/// The number of places in a list of objects whose values are remembered, each on its own.
const REMEMBERED_PLACES: usize = 8;

/// The meaning of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The name of the object.
    Id,
    /// A field that is read.
    Read(Field),
    /// A member that is skipped.
    Skipped,
}

/// A field that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    /// The position among the fields that are read.
    pub(super) place: usize,
    /// The attribute that has the value.
    pub(super) attribute: AttributeId,
    /// The kind of the value.
    pub(super) kind: ValueKind,
    /// Whether another field has the same attribute.
    pub(super) is_shared: bool,
}

/// A member's name as it was read.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    /// The name.
    pub(super) token: StringToken<'a>,
    /// The meaning of the member.
    pub(super) role: Role,
    /// The number of the name, if it is remembered.
    number: Option<usize>,
}

/// A table of the members of objects or of the agent.
pub(super) struct Members {
    known: Vec<Member>,
    /// The numbers of the members whose names have a length.
    by_length: Vec<Vec<usize>>,
    skipped: usize,
    /// The number of the member that was read last.
    last: usize,
    /// For each place in the list of objects and each member, the value read last.
    values: Vec<Vec<Remembered>>,
}

struct Member {
    /// The name in quotes, and the colon.
    text: Box<[u8]>,
    role: Role,
    /// The number of the member that followed this one.
    next: usize,
}

/// The text of a value, and the value unless it was skipped.
#[derive(Default)]
struct Remembered {
    /// The text; for numbers, with the byte that ends it. Empty if nothing is remembered.
    text: Vec<u8>,
    /// The length of the value itself.
    length: usize,
    value: Option<Value>,
}

impl Members {
    /// Creates the table of the fields that are read and, for objects, of their name.
    pub(super) fn new(world: &World, id: Option<&str>, fields: &[FieldMapping]) -> Self {
        let mut members = Self {
            known: Vec::new(),
            by_length: vec![Vec::new(); MAX_NAME_BYTES + 1],
            skipped: 0,
            last: 0,
            values: Vec::new(),
        };
        if let Some(id) = id {
            members.add(id.as_bytes(), Role::Id);
        }
        for (place, &FieldMapping { ref member, attribute }) in fields.iter().enumerate() {
            let kind = world.attributes()[attribute.index()].kind;
            let is_shared = fields.iter().filter(|field| field.attribute == attribute).count() > 1;
            members.add(member.as_bytes(), Role::Read(Field { place, attribute, kind, is_shared }));
        }
        members
    }

    fn add(&mut self, name: &[u8], role: Role) -> usize {
        let number = self.known.len();
        if self.by_length.len() <= name.len() {
            self.by_length.resize(name.len() + 1, Vec::new());
        }
        self.by_length[name.len()].push(number);
        self.known.push(Member { text: [b"\"", name, b"\":"].concat().into(), role, next: number });
        number
    }

    /// Reads a member's name and the colon.
    pub(super) fn read_name<'a>(&mut self, scanner: &mut Scanner<'a>) -> Result<Name<'a>, Stop> {
        scanner.peek()?;
        let expected = self.known.get(self.last).map_or(0, |last| last.next);
        if let Some(member) = self.known.get(expected) {
            let rest = scanner.rest();
            if scanner.accept(&member.text) {
                self.last = expected;
                let token = StringToken { raw: &rest[1..member.text.len() - 2], escaped: false };
                return Ok(Name { token, role: member.role, number: Some(expected) });
            }
        }
        let token = scanner.key()?;
        Ok(self.find(token))
    }

    /// Returns the member of a name, and remembers a new name.
    fn find<'a>(&mut self, token: StringToken<'a>) -> Name<'a> {
        if token.escaped {
            // The name of the object is compared as written.
            let role =
                token.resolve().and_then(|name| self.number_of(name.as_bytes())).map(|known| self.known[known].role);
            let role = role.filter(|role| matches!(role, Role::Read(_))).unwrap_or(Role::Skipped);
            return Name { token, role, number: None };
        }
        let number = self.number_of(token.raw).or_else(|| {
            let is_kept = self.skipped < MAX_SKIPPED_NAMES && token.raw.len() <= MAX_NAME_BYTES;
            self.skipped += usize::from(is_kept);
            is_kept.then(|| self.add(token.raw, Role::Skipped))
        });
        let Some(known) = number else { return Name { token, role: Role::Skipped, number } };
        self.known[self.last].next = known;
        self.last = known;
        Name { token, role: self.known[known].role, number }
    }

    fn number_of(&self, name: &[u8]) -> Option<usize> {
        let same_length = self.by_length.get(name.len())?;
        same_length.iter().copied().find(|&number| {
            let text = &self.known[number].text;
            text[1..text.len() - 2] == *name
        })
    }

    /// Reads the value of a member if its text is the one that the member had last at this place in the list of objects. Returns the value,
    /// which is `None` for skipped members.
    #[expect(clippy::option_option, reason = "that a text was read again says nothing about whether it has a value")]
    pub(super) fn reread(&self, scanner: &mut Scanner<'_>, place: usize, name: Name<'_>) -> Option<Option<&Value>> {
        let remembered = self.values.get(place)?.get(name.number?)?;
        if remembered.text.is_empty() || !scanner.rest().starts_with(&remembered.text) {
            return None;
        }
        scanner.advance(remembered.length);
        Some(remembered.value.as_ref())
    }

    /// Remembers a value whose text has just been read, from `start` on.
    pub(super) fn remember(
        &mut self,
        scanner: &Scanner<'_>,
        start: usize,
        place: usize,
        name: Name<'_>,
        value: Option<&Value>,
    ) {
        let Some(number) = name.number.filter(|_| place < REMEMBERED_PLACES) else { return };
        let text = scanner.since(start);
        // Only the byte after a number shows that it does not go on.
        let is_number = text.first().is_some_and(|&first| first == b'-' || first.is_ascii_digit());
        let end = if is_number { scanner.rest().first() } else { None };
        if text.len() > MAX_VALUE_BYTES || is_number && end.is_none() {
            return;
        }
        if self.values.len() <= place {
            self.values.resize_with(place + 1, Vec::new);
        }
        let values = &mut self.values[place];
        if values.len() <= number {
            values.resize_with(number + 1, Remembered::default);
        }
        let remembered = &mut values[number];
        remembered.text.clear();
        remembered.text.extend_from_slice(text);
        remembered.text.extend(end);
        remembered.length = text.len();
        remembered.value = value.cloned();
    }

    /// Forgets all values and the names of skipped members.
    #[cfg(test)]
    pub(super) fn forget(&mut self) {
        self.values.clear();
        self.known.retain(|member| member.role != Role::Skipped);
        let known = self.known.len();
        self.by_length.iter_mut().for_each(|numbers| numbers.retain(|&number| number < known));
        self.known.iter_mut().enumerate().for_each(|(number, member)| member.next = number);
        (self.skipped, self.last) = (0, 0);
    }
}
