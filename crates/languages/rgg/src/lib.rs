//! RGG, resource graph games in YAML: teams that act on the resources of a graph's nodes.
//!
//! The short texts inside such a file are read here: what a resource ranges over (`int.range(0; 0,10)`) and what is computed
//! (`"-{a.capital} / 2"`). What they mean is in [`goalspec_core::resource`].
//!
//! | module | what lives there |
//! |---|---|
//! | [`constraint`] | text to a declared space with its initial value |
//! | [`expression`] | text to a numeric or boolean expression |
//! | [`dialect`] | [`Dialect`]: the documented language, or the one of the Cage engine |
//! | [`reading`] | what comes of reading a text: a value, and faults with their places in the text |
//! | [`codes`] | every diagnostic code, documented |

pub mod codes;
pub mod constraint;
pub mod dialect;
pub mod expression;
pub mod reading;
pub mod yaml;

pub use dialect::Dialect;
