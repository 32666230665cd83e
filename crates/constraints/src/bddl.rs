//! Constraints on goals, initial literals and problems of a BDDL domain.

use std::collections::{BTreeMap, BTreeSet};

use goalspec_bddl::ast::{Domain, Expr, ExprKind, Problem};
use goalspec_grammar::expression::{choice, each_after_blank, form, literal, name, one_of, optional, sequence, spaced};
use goalspec_grammar::pattern::{self, Pattern};
use goalspec_grammar::schema;
use goalspec_grammar::{Definition, Expression, Grammar, JsonSchema};
use serde_json::{Value, json};

use crate::Part;
use crate::constraint::{ExportError, Layout, OutputConstraint};
use crate::header::Header;
use crate::tree::{ARGUMENTS, TreeForm, argument_name};

/// The maximum number of parts of a conjunction or disjunction in exports.
pub const MAX_PARTS: u32 = 40;

/// The properties that exports do not guarantee.
const OPEN: [&str; 5] = [
    "variables are bound: each is named as its category",
    "predicates suit their arguments",
    "no literal is stated twice or contradicts another",
    "counts are at most the numbers of objects",
    "the goal can be reached, and does not hold from the beginning",
];

/// The predicate whose second argument is a room.
const IN_ROOM: &str = "inroom";

/// The vocabulary of a domain with the objects of an activity.
#[derive(Debug, Clone)]
pub struct BddlVocabulary {
    domain: String,
    /// The names of the predicates by their numbers of parameters.
    predicates: BTreeMap<usize, BTreeSet<String>>,
    /// The instances of each category; `None` if a reply declares them.
    objects: Option<BTreeMap<String, Vec<String>>>,
}

impl BddlVocabulary {
    /// Creates the vocabulary of a domain with the objects of an activity; without one, replies declare the objects themselves. Predicates that
    /// the activity uses beyond the domain belong to it.
    pub fn new(domain: &Domain, activity: Option<&Problem>) -> Self {
        let mut predicates: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for predicate in &domain.predicates {
            predicates.entry(predicate.parameters.len()).or_default().insert(predicate.name.text.to_string());
        }
        let objects = activity.map(|activity| {
            let mut objects: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for declaration in activity.declarations() {
                objects.entry(declaration.category.to_owned()).or_default().push(declaration.name.text.to_string());
            }
            objects
        });
        for (predicate, arity) in activity.into_iter().flat_map(used_predicates) {
            predicates.entry(arity).or_default().insert(predicate);
        }
        Self { domain: domain.name.text.to_string(), predicates, objects }
    }

    fn names(&self) -> Vec<String> {
        let predicates = self
            .predicates
            .iter()
            .flat_map(|(arity, names)| names.iter().map(move |name| format!("predicate {name} {arity}")));
        let objects = self
            .objects
            .iter()
            .flatten()
            .flat_map(|(category, names)| names.iter().map(move |name| format!("object {name} {category}")));
        predicates.chain(objects).collect()
    }

    fn categories(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().flatten().map(|(category, _)| category.as_str())
    }

    fn instances(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().flatten().flat_map(|(_, names)| names).map(String::as_str)
    }
}

/// Returns the predicates of the literals and conditions of an activity, with their numbers of arguments.
fn used_predicates(activity: &Problem) -> Vec<(String, usize)> {
    let mut used: Vec<(String, usize)> = activity
        .init
        .iter()
        .map(|literal| (literal.atom.predicate.text.to_string(), literal.atom.arguments.len()))
        .collect();
    let mut pending: Vec<&Expr> = activity.goal.iter().collect();
    while let Some(expr) = pending.pop() {
        if let ExprKind::Atom(atom) = &expr.kind {
            used.push((atom.predicate.text.to_string(), atom.arguments.len()));
        }
        pending.extend(expr.operands());
    }
    used
}

/// Returns the constraint on a part of an activity.
///
/// # Errors
/// If the vocabulary has no predicates or objects that the part can contain.
pub fn constraint(vocabulary: &BddlVocabulary, part: Part) -> Result<OutputConstraint, ExportError> {
    let (name, language) = match part {
        Part::Goal => ("bddl-goal", "BDDL :goal"),
        Part::Init => ("bddl-init", "BDDL :init"),
        Part::InitAndGoal => ("bddl-init-and-goal", "BDDL :init and :goal"),
        Part::Program => ("bddl-problem", "BDDL activity"),
    };
    let bound = format!("a conjunction or disjunction has at most {MAX_PARTS} parts");
    let header = Header {
        language,
        dialect: "strict",
        vocabulary: vocabulary.names(),
        bounds: &[&bound, "counts are below 100"],
        open: &OPEN,
    };
    let definitions = definitions(vocabulary, part);
    let grammar = Grammar::new(header.lines(), definitions)?;
    let comment = header.lines().join("; ");
    let (schema, tree) = match part {
        Part::Program => (schema::envelope(&comment, false), TreeForm::Envelope),
        _ => (schema_of(vocabulary, part, &comment), TreeForm::Bddl(part)),
    };
    let schema = JsonSchema::new(schema)?;
    Ok(OutputConstraint { name, grammar: Some(grammar), schema, tree, layout: Layout::LowerCaseForms })
}

fn definitions(vocabulary: &BddlVocabulary, part: Part) -> Vec<(&'static str, Definition)> {
    let root = match part {
        Part::Goal => name("goal"),
        Part::Init => name("init"),
        Part::InitAndGoal => sequence([name("init"), literal("\n"), name("goal")]),
        Part::Program => form([
            literal("define"),
            form([literal("problem"), name("word")]),
            form([literal(":domain"), literal(&vocabulary.domain)]),
            declarations(vocabulary),
            name("init"),
            name("goal"),
        ]),
    };
    let fact = sequence([literal("("), applications(vocabulary, &name("inst"), true), literal(")")]);
    let entry = choice([name("fact"), form([literal("not"), name("fact")])]);
    let (instance, category) = match &vocabulary.objects {
        Some(_) => (one_of(vocabulary.instances()), one_of(vocabulary.categories())),
        None => (name("word"), name("word")),
    };
    let term = sequence([optional(literal("?")), choice([name("inst"), name("cat")])]);
    let rules = [
        ("root", root),
        ("init", sequence([literal("("), literal(":init"), each_after_blank(entry, 0, None), literal(")")])),
        ("fact", fact),
        ("goal", form([literal(":goal"), name("expr")])),
        ("expr", condition(vocabulary)),
        ("bind", bindings(vocabulary)),
        ("term", term),
        ("inst", instance),
        ("cat", category),
    ];
    let rules = rules.into_iter().map(|(name, body)| (name, Definition::Rule(body)));
    rules.chain(patterns().map(|(name, pattern)| (name, Definition::Pattern(pattern)))).collect()
}

fn condition(vocabulary: &BddlVocabulary) -> Expression {
    let expr = || name("expr");
    let bind = || name("bind");
    let count = || sequence([literal("("), name("count"), literal(")")]);
    let body = choice([
        sequence([one_of(["and", "or"]), each_after_blank(expr(), 1, Some(MAX_PARTS))]),
        spaced([literal("not"), expr()]),
        spaced([literal("imply"), expr(), expr()]),
        spaced([one_of(["forall", "exists"]), bind(), expr()]),
        spaced([literal("forn"), count(), bind(), expr()]),
        spaced([literal("forpairs"), bind(), bind(), expr()]),
        spaced([literal("fornpairs"), count(), bind(), bind(), expr()]),
        applications(vocabulary, &name("term"), false),
    ]);
    sequence([literal("("), body, literal(")")])
}

/// Returns the variables of quantifiers, each named as its category.
fn bindings(vocabulary: &BddlVocabulary) -> Expression {
    let binding = |category: Expression| {
        let variable = sequence([literal("?"), category.clone()]);
        sequence([literal("("), spaced([variable, literal("-"), category]), literal(")")])
    };
    match vocabulary.objects {
        Some(_) => choice(vocabulary.categories().map(|category| binding(literal(category)))),
        None => binding(name("word")),
    }
}

/// Returns the applications of predicates without the brackets. The second argument of `inroom` in an initial literal is a room.
fn applications(vocabulary: &BddlVocabulary, term: &Expression, has_rooms: bool) -> Expression {
    let mut alternatives = Vec::new();
    for (&arity, names) in &vocabulary.predicates {
        let names = names.iter().map(String::as_str).filter(|name| *name != IN_ROOM);
        alternatives.push(spaced(std::iter::once(one_of(names)).chain(vec![term.clone(); arity])));
    }
    if has_rooms {
        alternatives.push(spaced([literal(IN_ROOM), term.clone(), name("word")]));
    }
    choice(alternatives)
}

/// Returns the section `(:objects ..)`: the given objects, or groups of names with categories.
fn declarations(vocabulary: &BddlVocabulary) -> Expression {
    let head = literal(":objects");
    let Some(objects) = &vocabulary.objects else {
        let group =
            sequence([each_after_blank(name("word"), 1, None), literal(" "), literal("-"), literal(" "), name("word")]);
        let groups = goalspec_grammar::expression::repeat(group, 1, None);
        return sequence([literal("("), head, groups, literal(")")]);
    };
    let mut words = vec![head];
    for (category, names) in objects {
        words.extend(names.iter().map(|name| literal(name)));
        words.extend([literal("-"), literal(category)]);
    }
    form(words)
}

fn patterns() -> impl Iterator<Item = (&'static str, Pattern)> {
    let word = pattern::sequence([pattern::one_of("a-z"), pattern::repeat(pattern::one_of("a-z0-9_.-"), 0, None)]);
    let count = pattern::sequence([pattern::one_of("1-9"), pattern::optional(pattern::one_of("0-9"))]);
    [("word", word), ("count", count)].into_iter()
}

fn schema_of(vocabulary: &BddlVocabulary, part: Part, comment: &str) -> Value {
    let atoms = |has_rooms: bool| -> Vec<Value> {
        let categories = || vocabulary.categories().filter(|_| !has_rooms);
        let term = || schema::one_of(vocabulary.instances().chain(categories()));
        let groups = vocabulary.predicates.iter().filter(|(arity, _)| **arity <= ARGUMENTS).map(|(&arity, names)| {
            let names = names.iter().map(String::as_str).filter(|name| *name != IN_ROOM);
            let arguments: Vec<String> = (0..arity).map(argument_name).collect();
            let arguments = arguments.iter().map(|name| (name.as_str(), term()));
            schema::object([("predicate", schema::one_of(names))].into_iter().chain(arguments))
        });
        let room = ("y", json!({ "type": "string" }));
        let rooms = has_rooms.then(|| schema::object([("predicate", schema::one_of([IN_ROOM])), ("x", term()), room]));
        groups.chain(rooms).collect()
    };
    let facts = schema::any_of(atoms(true));
    let entries = schema::any_of([facts.clone(), schema::object([("not", facts)])]);
    let mut conditions = atoms(false);
    conditions.extend(connectives(vocabulary));
    let mut sections = Vec::new();
    if part != Part::Goal {
        sections.push(("init", schema::list(entries)));
    }
    if part != Part::Init {
        sections.push(("goal", schema::reference("condition")));
    }
    let mut root = schema::object(sections);
    root["$comment"] = json!(comment);
    if part != Part::Init {
        root["$defs"] = json!({ "condition": schema::any_of(conditions) });
    }
    root
}

fn connectives(vocabulary: &BddlVocabulary) -> Vec<Value> {
    let condition = || schema::reference("condition");
    let category = || schema::one_of(vocabulary.categories());
    let count = || json!({ "type": "integer" });
    let holds = || ("holds", condition());
    vec![
        schema::object([("and", schema::list(condition()))]),
        schema::object([("or", schema::list(condition()))]),
        schema::object([("not", condition())]),
        schema::object([("if", condition()), ("then", condition())]),
        schema::object([("forall", category()), holds()]),
        schema::object([("exists", category()), holds()]),
        schema::object([("forn", count()), ("of", category()), holds()]),
        schema::object([("forpairs", category()), ("with", category()), holds()]),
        schema::object([("fornpairs", count()), ("of", category()), ("with", category()), holds()]),
    ]
}
