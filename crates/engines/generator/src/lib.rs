//! Generation of programs from examples: grammars, trees, counts of productions, random trees, and operators on trees.
//!
//! The engine knows no language. A language describes its programs by a [`Grammar`](grammar::Grammar) whose trees it converts to and from
//! its own programs, and implements [`Productions`](productions::Productions), through which drawn and edited trees become valid
//! programs. Nothing here performs I/O or starts threads; every random decision comes from a counter-based stream that the caller numbers.
//!
//! | module | contents |
//! |---|---|
//! | [`grammar`] | kinds of nodes, fields and tokens |
//! | [`tree`] | programs as flat trees |
//! | [`context`] | the places of nodes, by which counts differ |
//! | [`counts`] | counts of productions over a corpus |
//! | [`sampler`] | random trees within limits of depth and size |
//! | [`operators`] | regrowth, insertion, deletion and crossover |
//! | [`productions`] | the interface of languages |
//! | [`distance`] | the edit distance of trees |
//! | [`ngram`] | n-gram models of sequences of words |
//! | [`archive`] | archives of the fittest program of each cell |

pub mod archive;
pub mod context;
pub mod counts;
pub mod distance;
pub mod grammar;
pub mod ngram;
pub mod operators;
pub mod productions;
pub mod sampler;
pub mod tree;

pub use goalspec_resource::random::RandomStream;
