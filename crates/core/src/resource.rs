//! Resource graph games: what the values of resources are, the spaces they are declared over, and arithmetic on them.
//!
//! In such a game every node of a graph carries named resources, and actions add to them or replace them. Values are
//! dynamic: a resource declared as a whole number becomes a real one as soon as a computed number is added to it, and text
//! is compared with numbers. The rules for that are few and odd; they are stated here once, for every language and engine.
//!
//! A [`Game`](game::Game) is what a text means when everything in it is resolved; engines play it. What a turn draws at random,
//! and in which order, is part of that meaning, so equal seeds give equal games on every engine.
//!
//! | module | what lives there |
//! |---|---|
//! | [`value`] | [`Value`](value::Value): conversion to numbers and truths, adding, text form |
//! | [`compare`] | the order of two values, and the comparisons that tests are made of |
//! | [`number`] | numbers read out of text |
//! | [`pattern`] | regular expressions |
//! | [`space`] | what a declared resource or parameter ranges over, and where it begins |
//! | [`expression`] | numeric and boolean expressions over named values |
//! | [`function`] | the functions of numeric expressions |
//! | [`board`] | nodes, vectors, resources of nodes |
//! | [`field`] | what is read and written |
//! | [`filter`] | tests of values and of fields |
//! | [`compute`] | values computed from fields |
//! | [`rules`] | the decisions in which readings differ |
//! | [`game`] | [`Game`](game::Game): teams, actions, consequences, rewards, the end |
//! | [`kinds`] | which kinds of values each resource can ever have |
//! | [`odds`] | which consequences can occur, and how likely each is |
//! | [`reads`] | which fields tests and computations read |
//! | [`possible`] | which values each resource can ever have |
//! | [`custom`] | results that users provide |
//! | [`random`] | streams of random numbers |
//! | [`turn`] | moves, what comes of them, what goes wrong |
//! | [`world`] | a game as a world, its states as states of it |
//! | [`interpret`] | the reference interpreter |

pub mod board;
pub mod compare;
pub mod compute;
pub mod custom;
pub mod expression;
pub mod field;
pub mod filter;
pub mod function;
pub mod game;
pub mod interpret;
pub mod kinds;
pub mod number;
pub mod odds;
pub mod pattern;
pub mod possible;
pub mod random;
pub mod reads;
pub mod rules;
pub mod space;
pub mod turn;
pub mod value;
pub mod world;
