//! Resource graph games: what the values of resources are, the spaces they are declared over, and arithmetic on them.
//!
//! In such a game every node of a graph carries named resources, and actions add to them or replace them. Values are
//! dynamic: a resource declared as a whole number becomes a real one as soon as a computed number is added to it, and text
//! is compared with numbers. The rules for that are few and odd; they are stated here once, for every language and engine.
//!
//! | module | what lives there |
//! |---|---|
//! | [`value`] | [`Value`](value::Value): conversion to numbers and truths, adding, text form |
//! | [`compare`] | the order of two values, and the comparisons that tests are made of |
//! | [`number`] | numbers read out of text |
//! | [`space`] | what a declared resource or parameter ranges over, and where it begins |
//! | [`expression`] | numeric and boolean expressions over named values |
//! | [`function`] | the functions of numeric expressions |

pub mod compare;
pub mod expression;
pub mod function;
pub mod number;
pub mod space;
pub mod value;
