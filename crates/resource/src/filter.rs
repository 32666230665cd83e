//! Filters: tests of one value, and tests of the values of named fields.

use std::net::Ipv4Addr;
use std::sync::Arc;

use crate::compare::ComparisonOperator;
use crate::compute::Computation;
use crate::field::Field;
use crate::pattern::TextPattern;
use crate::value::{Labels, Value};

/// A test of one value, which may be missing.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueFilter {
    /// Always holds.
    Always,
    /// Never holds.
    Never,
    /// A comparison of the value with a constant.
    Compare(ComparisonOperator, Value),
    /// The value lies between two constants, both inclusive.
    Range(Value, Value),
    /// The value equals one of these; a missing member matches a missing value.
    OneOf(Vec<Option<Value>>),
    /// A substring test of the value's text form; the text form of a missing value is `null`.
    Text(TextTest, Arc<str>),
    /// A match of a regular expression against the value's text form.
    Matches(TextPattern),
    /// The value is missing.
    IsNull,
    /// The value is present.
    IsNotNull,
    /// The value is missing or the empty string. An empty set does not count as empty.
    IsEmpty,
    /// The value is present and not the empty string.
    IsNotEmpty,
    /// The value is a set that contains at least one of these labels.
    HasAny(Labels),
    /// The value is a string with an IPv4 address.
    IsIp,
    /// The value is a string with an IPv4 block in CIDR notation.
    IsCidr,
    /// The value is a string with an IPv4 address in this block.
    InCidr(Cidr),
    /// The value is a string with an IPv4 block that contains this address.
    CidrContains(Ipv4Addr),
    /// Negation.
    Not(Box<Self>),
    /// Conjunction.
    And(Vec<Self>),
    /// Disjunction.
    Or(Vec<Self>),
}

/// A substring test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextTest {
    /// The text contains the part.
    Contains,
    /// The text starts with the part.
    StartsWith,
    /// The text ends with the part.
    EndsWith,
}

/// A block of IPv4 addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cidr {
    /// An address of the block.
    pub address: Ipv4Addr,
    /// The number of leading bits that all addresses of the block share: 0 to 32.
    pub prefix: u8,
}

impl Cidr {
    /// Parses CIDR notation such as `10.0.0.0/8`; returns `None` if the text is not a block.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        let digits = prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = prefix.parse().ok().filter(|prefix| digits && *prefix <= 32)?;
        Some(Self { address: address.parse().ok()?, prefix })
    }

    /// Whether an address is in the block.
    pub fn contains(&self, address: Ipv4Addr) -> bool {
        let differing = self.address.to_bits() ^ address.to_bits();
        differing.leading_zeros() >= u32::from(self.prefix)
    }
}

/// A test of the values of named fields.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// Always holds.
    Always,
    /// Never holds.
    Never,
    /// A test of the value of a field.
    Field(Field, ValueFilter),
    /// A computed Boolean; a value of another kind, or a missing one, is an error of the game.
    Computed(Box<Computation>),
    /// Negation.
    Not(Box<Self>),
    /// Conjunction.
    And(Vec<Self>),
    /// Disjunction.
    Or(Vec<Self>),
}
