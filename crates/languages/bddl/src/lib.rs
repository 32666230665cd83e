//! BDDL, the BEHAVIOR domain definition language: household activities as objects, initial literals and a first-order goal.
//!
//! ```text
//! text --syntax--> tree --parse--> ast::Problem --ground--> ground::GroundGoal --options--> count, fewest missing
//!                                         |  |
//!                                         |  +-- lower --> core World, Goal --(any engine)--> verdicts
//!                                         +-- check, describe, format, export
//! ```
//!
//! A text is read in one of four [dialects](dialect): strict (the default, which reports every defect as a diagnostic),
//! LIBERO's, and two that reproduce the Python releases 1.0.0 and 3.6.0, including their error messages.
//!
//! | module | contents |
//! |---|---|
//! | [`parse`](mod@parse) | text to AST in each dialect: with a diagnostic for every defect, or as the Python releases do |
//! | [`exception`] | the exceptions that the releases raise |
//! | [`resolve`] | name resolution against the domain and the problem |
//! | [`domains`] | the built-in domains |
//! | [`lint`] | lints: valid programs that are probably not intended |
//! | [`wildcard`] | expansion of wildcards such as `table.n.02_*` to the objects of a scene |
//! | [`describe`] | descriptions in English, in our wording and in that of the releases |
//! | [`mod@format`] | formatter: canonical layout that preserves comments |
//! | [`check`](mod@check) | the checks of the releases, and lints that use a knowledge base if there is one |
//! | [`occurrences`] | occurrences of names, for editors |
//! | [`codes`] | all diagnostic codes, with documentation |
//! | [`dialect`] | [`Dialect`]: the parser, and the semantics of counting and pairing quantifiers |
//! | [`ast`] | the AST of problems and domains: unresolved names, with source locations |
//! | [`ground`] | grounding: a goal with its quantifiers expanded over the objects of the problem |
//! | [`knowledge`] | the knowledge base of a release: synsets, scenes, transition rules |
//! | [`evaluate`] | evaluation of a ground goal in a state, under each semantics of its quantifiers |
//! | `symbols` | symbol table: the declarations of a problem, indexed by name |
//! | `diagnostics` | helpers that attach source locations to diagnostics |
//! | [`lower`](mod@lower), `vocabulary` | lowering to the core: a world, its initial state and a goal |
//! | [`notation`] | printing of core conditions in BDDL syntax |
//! | [`simulator`] | the interface to a simulator: binding of instances to simulated objects, evaluation after each step |
//! | [`export`] | export to PDDL: domain and problem, with the goal as derived predicates and optionally an action model |
//! | [`planning`] | planning tasks of the core, with an action model for the agent |
//! | [`options`] | ground options: the sets of literals that each satisfy a goal, exact or as a release lists them |
//! | [`partial`] | three-valued evaluation of a goal when the values of some atoms are fixed |
//! | [`progress`](mod@progress) | goal progress scores |

pub mod ast;
pub mod check;
pub mod codes;
pub mod describe;
mod diagnostics;
pub mod dialect;
pub mod domains;
pub mod evaluate;
pub mod exception;
pub mod export;
pub mod format;
pub mod ground;
pub mod knowledge;
pub mod lint;
pub mod lower;
pub mod notation;
pub mod occurrences;
pub mod options;
pub mod parse;
pub mod partial;
pub mod planning;
pub mod progress;
pub mod resolve;
pub mod simulator;
mod symbols;
mod vocabulary;
pub mod wildcard;

pub use dialect::Dialect;
