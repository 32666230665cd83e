//! Resource graph games: values of resources, their declared spaces, games, and the reference interpreter.
//!
//! In a resource graph game every node of a graph carries named resources; actions add to them or replace them. Values are
//! dynamically typed: a resource declared as an integer becomes a real number as soon as a computed number is added to it, and
//! strings are compared with numbers. This crate states these rules once, for every language and engine.
//!
//! A [`Game`](game::Game) is a resolved program; engines play it. The random draws of a turn and their order are part of its
//! semantics (see [`turn`]), so equal seeds produce equal games on every engine.
//!
//! | module | contents |
//! |---|---|
//! | [`value`] | [`Value`](value::Value): conversion to numbers and Booleans, addition, text form |
//! | [`compare`] | the order of two values, and comparison operators |
//! | [`number`] | numbers parsed from and written to text |
//! | [`pattern`] | regular expressions |
//! | [`space`] | the declared spaces of resources and parameters, and initial values |
//! | [`expression`] | numeric and Boolean expressions over named values |
//! | [`function`] | the functions of numeric expressions |
//! | [`board`] | nodes, vectors, and the resources of nodes |
//! | [`field`] | the readable fields and the writable places of a game |
//! | [`filter`] | tests of values and of fields |
//! | [`compute`] | values computed from fields |
//! | [`rules`] | the semantic options on which implementations differ |
//! | [`game`] | [`Game`](game::Game): teams, actions, consequences, rewards, termination |
//! | [`kinds`] | sets of kinds of values |
//! | [`odds`] | reachable consequences and their probabilities |
//! | [`dependencies`] | the fields that tests and computations read |
//! | [`abstraction`] | over-approximation of the values, or of their kinds, that each resource can have |
//! | [`custom`] | results implemented by users in code |
//! | [`random`] | streams of random numbers |
//! | [`turn`] | moves, their effects, and errors |
//! | [`world`] | a game as a world, and its states as states of that world |
//! | [`interpret`] | the reference interpreter |

pub mod abstraction;
pub mod board;
pub mod compare;
pub mod compute;
pub mod custom;
pub mod dependencies;
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
pub mod random;
pub mod rules;
pub mod space;
pub mod turn;
pub mod value;
pub mod world;
