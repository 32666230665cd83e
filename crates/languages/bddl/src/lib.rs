//! BDDL, the BEHAVIOR domain definition language: household activities as objects, initial literals and a first-order goal.
//!
//! ```text
//! text --syntax--> tree --parse--> ast::Problem --ground--> ground::GroundGoal --options--> count, fewest missing
//!   |                                  |  |  |
//!   |                                  |  |  +-- lower --> core World, Goal --(any engine)--> verdicts
//!   +--compat--> ast::Problem ---------+  +-- check, describe, format, export
//! ```
//!
//! A text is read in one of four [dialects](dialect): strict (the default, every defect a diagnostic), LIBERO's, and two that
//! behave as the Python releases 1.0.0 and 3.6.0 do, to the letter of their errors.
//!
//! | module | what lives there |
//! |---|---|
//! | [`compat`] | texts as the Python releases read them, to the letter of their exceptions |
//! | [`parse`](mod@parse) | s-expression tree to AST, reporting every defect |
//! | [`resolve`] | names looked up in the domain and the problem |
//! | [`domains`] | the vocabularies that activities are written for |
//! | [`lint`] | what is allowed but probably not meant |
//! | [`wildcard`] | `table.n.02_*` replaced by the things of a scene |
//! | [`describe`] | plain English, ours and the releases' |
//! | [`mod@format`] | canonical layout, comments kept |
//! | [`check`](mod@check) | the checks of the releases and lints, with or without a knowledge base |
//! | [`codes`] | every diagnostic code, documented |
//! | [`dialect`] | [`Dialect`]: how a text is read and which reading its quantifiers have |
//! | [`ast`] | problems and domains as written: names are still names, every piece has its span |
//! | [`ground`] | a goal with its quantifiers taken apart over the objects of the problem |
//! | [`knowledge`] | what a release knows about the world: synsets, scenes, transition rules |
//! | [`evaluate`] | whether a goal holds in a state, under each reading of its quantifiers |
//! | `names` | what a problem declares, looked up once |
//! | `report` | diagnostics at the places of pieces of a problem |
//! | [`lower`](mod@lower), `world` | to the core: a world, the state it begins in, a goal |
//! | [`notation`] | conditions of the core as the language writes them |
//! | [`simulator`] | the contract with a simulator: who stands for whom, what holds after a step |
//! | [`export`] | to PDDL: domain and problem without actions, the goal in derived predicates |
//! | [`planning`] | to planning tasks of the core, with the actions of an agent |
//! | [`options`] | the sets of literals that each make a goal true: all of them, or as a release lists them |
//! | [`settled`] | what is settled of a goal while some of its atoms have a value for good |
//! | [`progress`](mod@progress) | how far a goal has come |

pub mod ast;
pub mod check;
pub mod codes;
pub mod compat;
pub mod describe;
pub mod dialect;
pub mod domains;
pub mod evaluate;
pub mod export;
pub mod format;
pub mod ground;
pub mod knowledge;
pub mod lint;
pub mod lower;
mod names;
pub mod notation;
pub mod options;
pub mod parse;
pub mod planning;
pub mod progress;
mod report;
pub mod resolve;
pub mod settled;
pub mod simulator;
pub mod wildcard;
mod world;

pub use dialect::Dialect;
