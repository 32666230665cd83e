//! Reading of the facts in a model's reply.
//!
//! A translation consists of two replies: the facts of the initial state and those of the goal. They are read by one of two
//! [`ReadingRules`]; both report every deviation at its place in the reply.

mod facts;
mod seed;

use goalspec_syntax::{Diagnostic, SourceFile, Span};

use crate::names::ObjectTable;
use crate::pddl;
use crate::relation::{Fact, Relation};

/// The maximum nesting of lists in a reply that is read by [`ReadingRules::Seed`]: the published program exceeds the recursion limit of
/// Python not far above.
pub const MAX_SEED_DEPTH: usize = 300;

/// The rules by which replies are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReadingRules {
    /// Each reply is parsed on its own. Unknown predicates, wrong numbers of arguments and undeclared objects are errors everywhere; a
    /// goal may contain `and`.
    #[default]
    Default,
    /// The replies are pasted into a problem, which is parsed as pyperplan does in the published program: facts of the initial state
    /// with unknown predicates or wrong numbers of arguments are ignored, `and` in a goal is an error.
    Seed,
}

impl ReadingRules {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Seed => "seed",
        }
    }
}

/// The part of a translation that a reply is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The initial state.
    Initial,
    /// The goal.
    Goal,
}

/// The facts of one reply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TranslatedPart {
    /// The facts, with names in PDDL. An undeclared object, which has been reported, keeps its name.
    pub facts: Vec<Fact>,
    /// The pairs of objects that the reply states to differ.
    pub differences: Vec<[String; 2]>,
}

impl TranslatedPart {
    /// Returns the relations without their places.
    pub fn relations(&self) -> Vec<Relation> {
        self.facts.iter().map(|fact| fact.relation.clone()).collect()
    }

    fn pddl(&self) -> impl Iterator<Item = String> {
        let differences = self.differences.iter().map(|[one, other]| format!("({} {one} {other})", pddl::DIFFERS));
        self.facts.iter().map(|fact| pddl::fact(&fact.relation)).chain(differences)
    }
}

/// A translation: what the two replies state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Translation {
    /// The initial state.
    pub initial: TranslatedPart,
    /// The goal.
    pub goal: TranslatedPart,
    /// The diagnostics. With an error, there is no plan.
    pub diagnostics: Vec<Diagnostic>,
}

impl Translation {
    /// Whether the replies can be read, so that a plan can be searched for.
    pub fn is_readable(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Returns the planning problem in PDDL; `None` if the replies have errors.
    pub fn problem(&self, name: &str, objects: &ObjectTable) -> Option<String> {
        let build = || pddl::problem_with_facts(name, objects.pddl_names(), self.initial.pddl(), self.goal.pddl());
        self.is_readable().then(build)
    }
}

/// Reads a translation.
pub fn read(initial: &SourceFile, goal: &SourceFile, objects: &ObjectTable, rules: ReadingRules) -> Translation {
    match rules {
        ReadingRules::Default => facts::read(initial, goal, objects),
        ReadingRules::Seed => seed::read(initial, goal, objects),
    }
}

/// Reads one reply by the default rules.
pub fn read_part(reply: &SourceFile, part: Part, objects: &ObjectTable) -> (TranslatedPart, Vec<Diagnostic>) {
    facts::read_part(reply, part, objects)
}

/// Returns the objects that the facts of a text mention.
pub fn mentioned_objects(facts: &SourceFile) -> ObjectTable {
    facts::mentioned_objects(facts)
}

/// Returns the place of the whole content of a reply.
pub(crate) fn whole(file: &SourceFile) -> Span {
    let text = file.text();
    let start = text.len() - text.trim_start().len();
    Span::new(file.id(), start as u32, text.trim_end().len().max(start) as u32)
}

/// Returns the relation of a predicate with the right number of arguments; `Err` with the pair for the predicate that two objects differ,
/// `None` for an unknown predicate or a wrong number of arguments.
fn relation(predicate: &str, arguments: Vec<String>) -> Option<Result<Relation, [String; 2]>> {
    let mut arguments = arguments.into_iter();
    let (first, second, third) = (arguments.next(), arguments.next(), arguments.next());
    match (predicate, first, second, third) {
        ("ontable", Some(object), None, None) => Some(Ok(Relation::OnTable(object))),
        ("clear", Some(object), None, None) => Some(Ok(Relation::Clear(object))),
        ("on", Some(object), Some(support), None) => Some(Ok(Relation::On(object, support))),
        (pddl::DIFFERS, Some(one), Some(other), None) => Some(Err([one, other])),
        _ => None,
    }
}
