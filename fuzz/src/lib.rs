//! The fuzz targets, each a function of bytes, and the fixed inputs of the smoke run.
//!
//! A campaign runs libFuzzer, which is guided by coverage: its inputs depend on the seed, the available time and the keys of hash maps.
//! The smoke run, which gates changes, tries the same inputs each time: [`smoke::Inputs`].

pub mod activities;
pub mod check;
pub mod editor;
pub mod engines;
pub mod example_goals;
pub mod expressions;
pub mod format;
pub mod generation;
pub mod goals;
pub mod grounding;
pub mod growth;
pub mod knowledge;
pub mod parse;
pub mod pddl;
pub mod planner;
pub mod replies;
pub mod resource;
pub mod rewards;
pub mod smoke;
pub mod trace;

/// A function that tries one input, and panics if it finds a fault.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Target); 18] = [
    ("parse", parse::run),
    ("format", format::run),
    ("check", check::run),
    ("trace", trace::run),
    ("engines", engines::run),
    ("goals", goals::run),
    ("activities", activities::run),
    ("knowledge", knowledge::run),
    ("pddl", pddl::run),
    ("resource", resource::run),
    ("expressions", expressions::run),
    ("rewards", rewards::run),
    ("grounding", grounding::run),
    ("planner", planner::run),
    ("replies", replies::run),
    ("generation", generation::run),
    ("example_goals", example_goals::run),
    ("editor", editor::run),
];
