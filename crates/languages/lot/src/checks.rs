//! Checks of a translation before planning.
//!
//! Undeclared objects are found by [reading](crate::translation). The checks here find initial states that are not arrangements, goals that
//! contradict themselves, and numbers of facts that differ from the number of sentences. Reading the facts back into English and
//! comparing them with the input finds every difference.

mod arrangement;

use goalspec_syntax::{Code, Diagnostic, SourceFile};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::english::{self, ParsedText};
use crate::names::ObjectTable;
use crate::pddl;
use crate::relation::{Fact, Relation};
use crate::translation::{Part, Translation, whole};

pub use arrangement::{check_goal, check_initial_state};

/// The part of a translation: the text that was translated, and the reply.
#[derive(Debug, Clone, Copy)]
pub struct TranslatedText<'t> {
    /// The text in controlled English.
    pub text: &'t ParsedText,
    /// The reply.
    pub reply: &'t SourceFile,
}

/// Returns the findings of all checks on a translation, except those of reading it.
pub fn check(
    translation: &Translation,
    initial: TranslatedText<'_>,
    goal: TranslatedText<'_>,
    objects: &ObjectTable,
) -> Vec<Diagnostic> {
    let mut found = check_part(&translation.initial.facts, Part::Initial, initial, objects);
    found.extend(check_part(&translation.goal.facts, Part::Goal, goal, objects));
    found
}

/// Returns the findings of all checks on one part of a translation, except those of reading it.
pub fn check_part(facts: &[Fact], part: Part, text: TranslatedText<'_>, objects: &ObjectTable) -> Vec<Diagnostic> {
    let mut found = match part {
        Part::Initial => check_initial_state(facts, objects, whole(text.reply)),
        Part::Goal => check_goal(facts),
    };
    found.extend(check_duplicates(facts));
    found.extend(check_count(facts, text));
    found.extend(read_back(facts, text));
    found
}

/// Whether a finding is one of the checks that need no text: such a translation has no plan that succeeds.
pub fn needs_no_text(code: Code) -> bool {
    [codes::UNDECLARED_OBJECT, codes::NOT_AN_ARRANGEMENT, codes::CONTRADICTORY_GOAL].contains(&code)
}

/// Reports facts that are stated twice.
fn check_duplicates(facts: &[Fact]) -> Vec<Diagnostic> {
    let mut known = FxHashMap::default();
    let mut duplicates = Vec::new();
    for fact in facts {
        if let Some(first) = known.insert(&fact.relation, fact.span) {
            let warning = Diagnostic::warning(codes::DUPLICATE_FACT, fact.span, "the fact is stated twice");
            duplicates.push(warning.with_related(first, "the first one is here"));
        }
    }
    duplicates
}

/// Compares the number of facts with the number of sentences.
fn check_count(facts: &[Fact], part: TranslatedText<'_>) -> Option<Diagnostic> {
    let (facts, sentences) = (facts.len(), part.text.sentences);
    let noun = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let message = format!("{} for {}", noun(facts, "fact"), noun(sentences, "sentence"));
    let warning = Diagnostic::warning(codes::FACT_COUNT, whole(part.reply), message);
    (facts != sentences).then(|| warning.with_help("each sentence is one fact"))
}

/// Reads the facts back into English and compares them with the text.
fn read_back(facts: &[Fact], part: TranslatedText<'_>) -> Vec<Diagnostic> {
    let stated: FxHashSet<Relation> = part.text.facts.iter().map(|fact| fact.relation.in_pddl()).collect();
    let translated: FxHashSet<Relation> = facts.iter().map(|fact| fact.relation.in_pddl()).collect();
    let mut reported = FxHashSet::default();
    let extra = facts.iter().filter(|fact| {
        let relation = fact.relation.in_pddl();
        !stated.contains(&relation) && reported.insert(relation)
    });
    let extra = extra.map(|fact| {
        let message = format!("the text does not say `{}`", english::sentence(&fact.relation));
        Diagnostic::error(codes::EXTRA_FACT, fact.span, message).with_help("remove the fact")
    });
    let missing = part.text.facts.iter().filter(|fact| !translated.contains(&fact.relation.in_pddl())).map(|fact| {
        let message = format!("no fact for the sentence `{}`", english::sentence(&fact.relation));
        Diagnostic::error(codes::MISSING_FACT, whole(part.reply), message)
            .with_related(fact.span, "the sentence is here")
            .with_help(format!("add `{}`", pddl::fact(&fact.relation)))
    });
    extra.chain(missing).collect()
}
