//! Filters: tests of one value, and tests of the values of named fields.

use std::net::Ipv4Addr;
use std::sync::Arc;

use super::compare::Comparison;
use super::compute::Compute;
use super::field::Field;
use super::pattern::Pattern;
use super::value::{Labels, Value};

/// A test of one value, which may be missing.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueFilter {
    /// Holds of everything.
    All,
    /// Holds of nothing.
    None,
    /// How the value compares with a fixed one.
    Compare(Comparison, Value),
    /// From the first to the second, both included.
    Range(Value, Value),
    /// Equal to one of these; a missing member is met by a missing value.
    OneOf(Vec<Option<Value>>),
    /// A test of the value's text form; that of a missing value is `null`.
    Text(TextTest, Arc<str>),
    /// A regular expression over the value's text form.
    Matches(Pattern),
    /// The value is missing.
    IsNull,
    /// There is a value.
    IsNotNull,
    /// The value is missing or the empty text; a set without members is not empty in this sense.
    IsEmpty,
    /// There is a value, other than the empty text.
    IsNotEmpty,
    /// The value is a set that has one of these labels.
    HasAny(Labels),
    /// The value is the text of an IPv4 address.
    IsIp,
    /// The value is the text of a block of IPv4 addresses.
    IsCidr,
    /// The value is the text of an IPv4 address in this block.
    InCidr(Cidr),
    /// The value is the text of a block that has this address.
    CidrContains(Ipv4Addr),
    /// The opposite.
    Not(Box<Self>),
    /// All of these.
    And(Vec<Self>),
    /// At least one of these.
    Or(Vec<Self>),
}

/// A test of a text for a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextTest {
    /// The part is somewhere in it.
    Contains,
    /// It begins with the part.
    StartsWith,
    /// It ends with the part.
    EndsWith,
}

/// A block of IPv4 addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cidr {
    /// An address of the block.
    pub address: Ipv4Addr,
    /// How many leading bits all of them share: 0 to 32.
    pub prefix: u8,
}

impl Cidr {
    /// The block of a text such as `10.0.0.0/8`.
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
    All,
    /// Never holds.
    None,
    /// A test of the value of a field.
    Field(Field, ValueFilter),
    /// A computation of a truth value; any other value, or none, is an error of the game.
    Truth(Box<Compute>),
    /// The opposite.
    Not(Box<Self>),
    /// All of these.
    And(Vec<Self>),
    /// At least one of these.
    Or(Vec<Self>),
}
