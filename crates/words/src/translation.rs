//! Programs from the words of a user, in any domain: planning problems, activities, games.
//!
//! ```text
//! words --sentences--> prompt (domain, objects, names, examples) --pipeline--> program
//!                                                                                |
//!                       every fact with its sentence, as comment and in JSON <---+
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`sentences`] | the sentences of a text |
//! | [`names`] | words that stand for names |
//! | [`examples`] | examples of words with their programs, from a folder |
//! | [`facts`] | the facts of a program with their source sentences |
//! | [`target`] | the language of the program, and the vocabulary of its domain |
//! | [`stand_in`] | a translator of simple sentences, in place of a model |
//! | [`mod@constraint`] | constraints on replies |
//! | [`truth`] | judgement of translations by a true program |
//! | [`task`] | the task: prompt, extraction, check, planning |

pub mod constraint;
pub mod examples;
pub mod facts;
pub mod names;
pub mod sentences;
pub mod stand_in;
pub mod target;
pub mod task;
pub mod truth;
