//! Constraints on replies of the LOT experiment.

use goalspec_grammar::expression::{choice, form, literal, name, one_of, repeat, sequence, spaced};
use goalspec_grammar::schema;
use goalspec_grammar::{Definition, Expression, Grammar, JsonSchema};
use goalspec_lot::names::{english_name, pddl_name};

use crate::constraint::{ExportError, Layout, OutputConstraint};
use crate::header::Header;
use crate::tree::TreeForm;

/// The properties that neither facts nor sentences guarantee.
const OPEN: [&str; 3] =
    ["no fact is stated twice or contradicts another", "an initial state is complete", "the meaning of the text"];

/// The objects of a problem, with the number of facts of a reply.
#[derive(Debug, Clone, Default)]
pub struct LotVocabulary {
    /// The names of the objects, in English or in PDDL.
    pub objects: Vec<String>,
    /// The number of facts, that of the sentences of the text; `None` if it is open.
    pub facts: Option<u32>,
}

impl LotVocabulary {
    fn header(&self, language: &str, open: &[&str]) -> Vec<String> {
        let vocabulary = self.objects.iter().map(|object| format!("object {}", pddl_name(object))).collect();
        Header { language, dialect: "LOT", vocabulary, bounds: &[], open }.lines()
    }

    /// Returns the repetition of a line after the first.
    fn further(&self, line: Expression) -> Expression {
        let count = self.facts.map(|facts| facts.saturating_sub(1));
        if count == Some(0) {
            return sequence([]);
        }
        repeat(sequence([literal("\n"), line]), count.unwrap_or(0), count)
    }
}

/// Returns the constraint on facts, one per line, the last one ended by a line break.
///
/// # Errors
/// If there are no objects.
pub fn facts(vocabulary: &LotVocabulary) -> Result<OutputConstraint, ExportError> {
    let names: Vec<String> = vocabulary.objects.iter().map(|object| pddl_name(object)).collect();
    let names = || names.iter().map(String::as_str);
    let fact =
        choice([form([one_of(["ontable", "clear"]), name("obj")]), form([literal("on"), name("obj"), name("obj")])]);
    let rules = [
        ("root", sequence([name("fact"), vocabulary.further(name("fact")), literal("\n")])),
        ("fact", fact),
        ("obj", one_of(names())),
    ];
    let grammar = Grammar::new(vocabulary.header("LOT facts", &OPEN), rules.map(rule))?;
    let object = || schema::one_of(names());
    let fact = schema::any_of([
        schema::object([("fact", schema::one_of(["ontable", "clear"])), ("x", object())]),
        schema::object([("fact", schema::one_of(["on"])), ("x", object()), ("y", object())]),
    ]);
    let schema = JsonSchema::new(schema::object([("facts", schema::list(fact))]))?;
    Ok(OutputConstraint {
        name: "lot-facts",
        grammar: Some(grammar),
        schema,
        tree: TreeForm::Facts,
        layout: Layout::Lines,
    })
}

/// Returns the constraint on sentences of controlled English, one per line.
///
/// # Errors
/// If there are no objects.
pub fn english(vocabulary: &LotVocabulary) -> Result<OutputConstraint, ExportError> {
    let names: Vec<String> = vocabulary.objects.iter().map(|object| english_name(object)).collect();
    let the = |subject: Expression| [literal("the"), subject];
    let [rests, lies] = [vec![literal("rests"), literal("on"), literal("the"), literal("table")], {
        let mut words = vec![literal("is"), literal("on")];
        words.extend(the(name("obj")));
        words
    }];
    let about =
        |rest: Vec<Expression>| sequence([spaced([literal("The"), name("obj")].into_iter().chain(rest)), literal(".")]);
    let nothing = ["There", "is", "nothing", "on", "the"].map(literal).into_iter().chain([name("obj")]);
    let fact = choice([about(rests), about(lies), sequence([spaced(nothing), literal(".")])]);
    let rules = [
        ("root", sequence([name("fact"), vocabulary.further(name("fact"))])),
        ("fact", fact),
        ("obj", one_of(names.iter().map(String::as_str))),
    ];
    text_constraint("lot-english", vocabulary.header("LOT English", &OPEN), rules)
}

/// Returns the constraint on plans: lines such as `Move the cup onto the table.`.
///
/// # Errors
/// If there are no objects.
pub fn plan(vocabulary: &LotVocabulary) -> Result<OutputConstraint, ExportError> {
    let names: Vec<String> = vocabulary.objects.iter().map(|object| english_name(object)).collect();
    let target = choice([name("obj"), literal("table")]);
    let words = [literal("Move"), literal("the"), name("obj"), literal("onto"), literal("the"), target];
    let rules = [
        ("root", repeat(name("action"), 0, None)),
        ("action", sequence([spaced(words), literal("."), literal("\n")])),
        ("obj", one_of(names.iter().map(String::as_str))),
    ];
    let open = ["actions are applicable", "the plan reaches the goal"];
    text_constraint("lot-plan", vocabulary.header("LOT plan", &open), rules)
}

fn rule((name, body): (&'static str, Expression)) -> (&'static str, Definition) {
    (name, Definition::Rule(body))
}

fn text_constraint<const N: usize>(
    name: &'static str,
    comment: Vec<String>,
    rules: [(&'static str, Expression); N],
) -> Result<OutputConstraint, ExportError> {
    let schema = JsonSchema::new(schema::envelope(&comment.join("; "), false))?;
    let grammar = Grammar::new(comment, rules.map(rule))?;
    Ok(OutputConstraint { name, grammar: Some(grammar), schema, tree: TreeForm::Envelope, layout: Layout::Plain })
}
