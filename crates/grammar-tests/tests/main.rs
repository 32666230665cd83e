//! Exported grammars: accepted and rejected texts, by the matcher of this repository and by llguidance; random derivations, parsed by the
//! languages. Corpora that are not there are skipped with a note.

mod bddl;
mod canonical_python;
mod common;
mod game;
mod json_mutations;
mod lot;
mod page;
mod pddl;
mod python_mutations;
mod reward;
mod rgg;
