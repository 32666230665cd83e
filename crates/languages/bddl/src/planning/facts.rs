//! Static facts of an action model, derived by rules from the knowledge base, the initial state and the goal.
//!
//! A rule `(:fact (NAME ?x ..) CONDITION ..)` states a fact for all objects that satisfy its conditions, which are evaluated
//! from left to right. The rules are evaluated before grounding, up to a fixed point.

use std::sync::Arc;

use goalspec_syntax::diagnostic::{Diagnostic, Severity};
use goalspec_syntax::sexp::{List, Sexp};
use goalspec_syntax::{Span, suggest};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;

/// A term of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Term {
    /// A variable, by its index in the rule.
    Variable(usize),
    /// An object by name.
    Object(Arc<str>),
}

/// A step into the parameter of an ability.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// The key of an entry, or the value itself. `true` is also 1, `false` also 0.
    Word(Arc<str>),
    /// The name of a synset as a key or value, which the next argument of the relation stands for.
    Synset,
    /// A list among the elements of the value that matches these steps item by item.
    Items(Box<[Step]>),
    /// An empty list.
    Empty,
    /// Any value, also an explicit absence.
    Stated,
}

/// A relation over the objects of an activity.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Relation {
    /// A fact of the model.
    Fact(Arc<str>),
    /// Every object, except the agent.
    Object,
    /// Objects with an ability.
    Ability(Arc<str>),
    /// Objects of one of these synsets or of one below it.
    Synset(Box<[Arc<str>]>),
    /// Objects with an ability that has a parameter.
    Parameter(Arc<str>, Box<[Step]>),
    /// Atoms of the goal that may have to become true (`true`) or false.
    Goal(Arc<str>, bool),
    /// Atoms of the initial state.
    Initially(Arc<str>),
    /// Objects with a property that follows from the initial state.
    Property(Property),
    /// Pairs of objects of which the release allows to attach the first to the second.
    Attaches,
    /// Recipes of one kind.
    Recipe(Arc<str>),
    /// A recipe with an object in this role.
    Role(Role),
    /// A recipe with a state of its inputs (`true`) or outputs.
    RecipeState(bool, Arc<str>, bool),
    /// A substance that washing machines remove, with the substance that they need for it.
    Washes { with_agent: bool },
}

/// A property of objects that follows from the initial state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Property {
    /// The object can be carried, possibly after a recipe has made it.
    Movable,
    /// The object exists, or a recipe makes it, and it is no substance.
    Usable,
    /// The object does not exist initially.
    Absent,
}

/// A role of an object in a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// An object or substance that the recipe consumes.
    Input,
    /// An object or substance that the recipe makes.
    Output,
    /// The first of the outputs.
    FirstOutput,
    /// A container in which the recipe takes place.
    Container,
    /// A heat source, or a cold one, that the recipe needs.
    HeatSource,
    /// A machine in which the recipe takes place.
    Machine,
}

/// A quantity: a number, or a parameter of the ability of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Quantity {
    Number(f64),
    Parameter(Term, Arc<str>, Arc<str>),
}

/// A condition of a rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    /// The arguments are in a relation.
    Holds(Relation, Vec<Term>),
    /// Both quantities are stated, and the first is less.
    Below(Quantity, Quantity),
    /// The two terms are different objects.
    Different(Term, Term),
}

/// A rule for facts.
#[derive(Debug, Clone)]
pub(super) struct FactRule {
    /// The predicate of the facts.
    pub(super) predicate: Arc<str>,
    pub(super) arguments: Vec<Term>,
    /// The conditions, each with the value that it must have.
    pub(super) body: Vec<(Test, bool)>,
    pub(super) variables: usize,
    /// The place of the predicate, for messages.
    pub(super) span: Span,
}

/// The relations with a fixed name and number of arguments.
const FIXED: [(&str, Relation, usize); 13] = [
    ("object", Relation::Object, 1),
    ("movable", Relation::Property(Property::Movable), 1),
    ("usable", Relation::Property(Property::Usable), 1),
    ("absent", Relation::Property(Property::Absent), 1),
    ("recipe-input", Relation::Role(Role::Input), 2),
    ("recipe-output", Relation::Role(Role::Output), 2),
    ("recipe-first-output", Relation::Role(Role::FirstOutput), 2),
    ("recipe-container", Relation::Role(Role::Container), 2),
    ("recipe-heat", Relation::Role(Role::HeatSource), 2),
    ("recipe-machine", Relation::Role(Role::Machine), 2),
    ("washes", Relation::Washes { with_agent: false }, 1),
    ("washes-with", Relation::Washes { with_agent: true }, 2),
    ("attaches", Relation::Attaches, 2),
];

/// The words that begin conditions on knowledge, besides those of [`FIXED`].
const WORDS: [&str; 11] = [
    "different",
    "ability",
    "synset",
    "parameter",
    "goal",
    "goal-not",
    "initially",
    "recipe",
    "input-state",
    "output-state",
    "below",
];

/// Reads the rules of a model. The head of each list is `:fact`.
/// `known` are the predicates that other rules define.
pub(super) fn read<'t>(
    forms: impl Iterator<Item = List<'t>>,
    known: impl Iterator<Item = String>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<FactRule> {
    let lists: Vec<List<'t>> = forms.collect();
    let heads = lists.iter().filter_map(|list| Some(list.items().nth(1)?.as_list()?.head()?.text().to_owned()));
    let defined: FxHashSet<String> = heads.chain(known).collect();
    let mut rules = Vec::new();
    for list in lists {
        let mut reader = RuleReader { defined: &defined, names: Vec::new() };
        match reader.rule(list) {
            Ok(rule) => rules.push(rule),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    rules
}

/// Orders rules such that all rules for a fact precede its negation: into strata, which are evaluated one after another.
///
/// # Errors
/// A diagnostic if a fact depends on its own negation.
pub(super) fn strata(rules: Vec<FactRule>) -> Result<Vec<Vec<FactRule>>, Box<Diagnostic>> {
    let mut levels: FxHashMap<Arc<str>, usize> = rules.iter().map(|rule| (rule.predicate.clone(), 0)).collect();
    let count = levels.len();
    loop {
        let mut is_changed = false;
        for rule in &rules {
            let needed = rule.body.iter().filter_map(|(test, value)| match test {
                Test::Holds(Relation::Fact(name), _) => Some(levels.get(name)? + usize::from(!value)),
                _ => None,
            });
            let needed = needed.max().unwrap_or_default();
            if needed > count {
                let message = format!("the fact `{}` depends on its own negation", rule.predicate);
                return Err(Box::new(Diagnostic::error(codes::ACTION_MODEL, rule.span, message)));
            }
            if levels[&rule.predicate] < needed {
                levels.insert(rule.predicate.clone(), needed);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    let mut strata: Vec<Vec<FactRule>> = vec![Vec::new(); levels.values().max().map_or(0, |level| level + 1)];
    for rule in rules {
        strata[levels[&rule.predicate]].push(rule);
    }
    Ok(strata)
}

type Read<T> = Result<T, Box<Diagnostic>>;

fn wrong<T>(span: Span, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Diagnostic {
        span: Some(span),
        ..Diagnostic::new(codes::ACTION_MODEL, Severity::Error, message.into())
    }))
}

/// The state of reading a rule.
struct RuleReader<'d> {
    /// The predicates that rules define.
    defined: &'d FxHashSet<String>,
    names: Vec<String>,
}

impl RuleReader<'_> {
    fn rule(&mut self, list: List<'_>) -> Read<FactRule> {
        let mut items = list.items().skip(1);
        let Some(head) = items.next().and_then(Sexp::as_list) else {
            return wrong(list.open_span(), "expected `(:fact (NAME ?x ..) CONDITION ..)`");
        };
        let mut body = Vec::new();
        for item in items {
            body.push(self.condition(item)?);
        }
        let Some(predicate) = head.head() else { return wrong(head.open_span(), "expected the name of a fact") };
        let known = self.names.len();
        let arguments = head.items().skip(1).map(|item| self.term(item)).collect::<Read<Vec<_>>>()?;
        if self.names.len() > known {
            return wrong(head.span(), "a variable of the fact occurs in no condition");
        }
        let (span, variables) = (predicate.span(), self.names.len());
        Ok(FactRule { predicate: predicate.text().into(), arguments, body, variables, span })
    }

    fn condition(&mut self, item: Sexp<'_>) -> Read<(Test, bool)> {
        let Some((list, head)) = item.as_list().and_then(|list| Some((list, list.head()?))) else {
            return wrong(item.span(), "expected a condition such as `(ability ?x openable)`");
        };
        if head.text() != "not" {
            return Ok((self.test(list)?, true));
        }
        let Some(inner) = list.items().nth(1).and_then(Sexp::as_list).filter(|_| list.items().count() == 2) else {
            return wrong(list.span(), "expected `(not CONDITION)`");
        };
        let known = self.names.len();
        let test = self.test(inner)?;
        if self.names.len() > known {
            return wrong(inner.span(), "a variable of a negated condition must occur in an earlier condition");
        }
        Ok((test, false))
    }

    fn test(&mut self, list: List<'_>) -> Read<Test> {
        let Some(head) = list.head() else { return wrong(list.open_span(), "expected a condition") };
        let items: Vec<Sexp<'_>> = list.items().skip(1).collect();
        let short = |expected: &str| wrong(list.span(), format!("expected `{expected}`"));
        let relation = match (head.text(), &items[..]) {
            ("different", [one, other]) => return Ok(Test::Different(self.term(*one)?, self.term(*other)?)),
            ("below", [less, more]) => return Ok(Test::Below(self.quantity(*less)?, self.quantity(*more)?)),
            ("different", _) => return short("(different ?x ?y)"),
            ("below", _) => return short("(below QUANTITY QUANTITY)"),
            ("ability", [object, ability]) => {
                return Ok(Test::Holds(Relation::Ability(word(*ability)?), vec![self.term(*object)?]));
            }
            ("ability", _) => return short("(ability ?x ABILITY)"),
            ("synset", [object, synsets @ ..]) if !synsets.is_empty() => {
                let names = synsets.iter().map(|name| word(*name)).collect::<Read<_>>()?;
                return Ok(Test::Holds(Relation::Synset(names), vec![self.term(*object)?]));
            }
            ("synset", _) => return short("(synset ?x SYNSET ..)"),
            ("parameter", [object, ability, steps @ ..]) if !steps.is_empty() => {
                let mut terms = vec![self.term(*object)?];
                let steps = steps.iter().map(|step| self.step(*step, &mut terms)).collect::<Read<_>>()?;
                return Ok(Test::Holds(Relation::Parameter(word(*ability)?, steps), terms));
            }
            ("parameter", _) => return short("(parameter ?x ABILITY STEP ..)"),
            ("recipe", [recipe, kind]) => {
                return Ok(Test::Holds(Relation::Recipe(word(*kind)?), vec![self.term(*recipe)?]));
            }
            ("recipe", _) => return short("(recipe ?r KIND)"),
            (known @ ("input-state" | "output-state"), [recipe, predicate, value, objects @ ..]) => {
                let value = &*word(*value)? == "true";
                let mut terms = vec![self.term(*recipe)?];
                for object in objects {
                    terms.push(self.term(*object)?);
                }
                return Ok(Test::Holds(Relation::RecipeState(known == "input-state", word(*predicate)?, value), terms));
            }
            ("input-state" | "output-state", _) => return short("(input-state ?r PREDICATE true ?x)"),
            (known @ ("goal" | "goal-not" | "initially"), [predicate, objects @ ..]) => {
                let predicate = word(*predicate)?;
                let terms = objects.iter().map(|object| self.term(*object)).collect::<Read<_>>()?;
                let relation = match known {
                    "initially" => Relation::Initially(predicate),
                    known => Relation::Goal(predicate, known == "goal"),
                };
                return Ok(Test::Holds(relation, terms));
            }
            ("goal" | "goal-not" | "initially", _) => return short("(goal PREDICATE ?x ..)"),
            (name, _) => match FIXED.iter().find(|(known, ..)| *known == name) {
                Some((_, _, count)) if *count != items.len() => {
                    return wrong(list.span(), format!("`{name}` has {count} arguments, found {}", items.len()));
                }
                Some((_, relation, _)) => relation.clone(),
                None => self.defined_fact(head)?,
            },
        };
        let terms = items.into_iter().map(|item| self.term(item)).collect::<Read<_>>()?;
        Ok(Test::Holds(relation, terms))
    }

    /// Returns the relation of a fact that a rule defines.
    fn defined_fact(&self, head: goalspec_syntax::sexp::Atom<'_>) -> Read<Relation> {
        let name = head.text();
        if self.defined.contains(name) {
            return Ok(Relation::Fact(name.into()));
        }
        let known = self.defined.iter().map(String::as_str).chain(FIXED.iter().map(|(name, ..)| *name)).chain(WORDS);
        let message = format!("no rule defines the fact `{name}`");
        let diagnostic = Diagnostic::error(codes::ACTION_MODEL, head.span(), message);
        Err(Box::new(suggest::with_nearest(diagnostic, name, head.span(), known).0))
    }

    fn term(&mut self, item: Sexp<'_>) -> Read<Term> {
        let Some(atom) = item.as_atom() else { return wrong(item.span(), "expected a variable or an object") };
        let Some(name) = atom.text().strip_prefix('?') else { return Ok(Term::Object(atom.text().into())) };
        Ok(Term::Variable(self.variable(name)))
    }

    fn variable(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    fn step(&mut self, item: Sexp<'_>, terms: &mut Vec<Term>) -> Read<Step> {
        match item {
            Sexp::List(list) => Ok(Step::Items(list.items().map(|item| self.step(item, terms)).collect::<Read<_>>()?)),
            Sexp::Atom(atom) => Ok(match atom.text() {
                "none" => Step::Empty,
                "stated" => Step::Stated,
                text if text.starts_with('?') => {
                    terms.push(self.term(item)?);
                    Step::Synset
                }
                text => Step::Word(text.into()),
            }),
        }
    }

    fn quantity(&mut self, item: Sexp<'_>) -> Read<Quantity> {
        match item {
            Sexp::Atom(atom) => match atom.text().parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Quantity::Number(number)),
                _ => wrong(item.span(), "expected a number or `(?x ABILITY PARAMETER)`"),
            },
            Sexp::List(list) => match &list.items().collect::<Vec<_>>()[..] {
                [object, ability, parameter] => {
                    Ok(Quantity::Parameter(self.term(*object)?, word(*ability)?, word(*parameter)?))
                }
                _ => wrong(list.span(), "expected a number or `(?x ABILITY PARAMETER)`"),
            },
        }
    }
}

fn word(item: Sexp<'_>) -> Read<Arc<str>> {
    match item.as_atom() {
        Some(atom) if !atom.text().starts_with('?') => Ok(atom.text().into()),
        _ => wrong(item.span(), "expected a name"),
    }
}
