//! Constraints on games of the game language over a world.

use std::collections::BTreeMap;

use goalspec_core::ids::TypeId;
use goalspec_core::world::{Parameter, World};
use goalspec_game::keywords::{self, BuiltInPredicate};
use goalspec_game::name_syntax::NameSyntax;
use goalspec_grammar::expression::{
    choice, each_after_blank, form, literal, name, one_of, optional, repeat, sequence, spaced,
};
use goalspec_grammar::pattern::{self, Pattern};
use goalspec_grammar::schema;
use goalspec_grammar::{Definition, Expression, Grammar, JsonSchema};

use crate::constraint::{ExportError, Layout, OutputConstraint};
use crate::header::Header;
use crate::tree::TreeForm;

/// The properties that exports do not guarantee.
const OPEN: [&str; 6] = [
    "extrema over external variables contain counts of preferences that have some",
    "the world can evaluate the predicates and functions",
    "variables are declared, with types that suit their places",
    "preferences have different names, and counts name one of them with types of its external variables",
    "preferences can be satisfied",
    "the game asks for what the words say",
];

/// Returns the constraint on games over a world.
///
/// # Errors
/// If the world has no types, so that no variable can be declared.
pub fn constraint(world: &World) -> Result<OutputConstraint, ExportError> {
    let mut vocabulary = Vocabulary { world, names: program_names(world), terms: BTreeMap::new() };
    let header = Header {
        language: "game language",
        dialect: "formal",
        vocabulary: vocabulary.entries(),
        bounds: &[],
        open: &OPEN,
    };
    let comment = header.lines();
    let definitions = vocabulary.definitions();
    let definitions = definitions.iter().map(|(name, body)| (name.as_str(), body.clone()));
    let schema = JsonSchema::new(schema::envelope(&comment.join("; "), false))?;
    let grammar = Grammar::new(comment, definitions)?;
    Ok(OutputConstraint {
        name: "game",
        grammar: Some(grammar),
        schema,
        tree: TreeForm::Envelope,
        layout: Layout::Forms,
    })
}

/// Returns the names of objects that programs may use.
fn program_names(world: &World) -> Vec<(&str, goalspec_core::ids::ObjectId)> {
    let syntax = NameSyntax::of(world);
    let mut names: Vec<_> = world.program_names().filter(|(name, _)| syntax.allows(name)).collect();
    names.sort_unstable();
    names
}

struct Vocabulary<'w> {
    world: &'w World,
    names: Vec<(&'w str, goalspec_core::ids::ObjectId)>,
    /// The rules of terms by the types that they are expected to have and whether types are accepted, with their names.
    terms: BTreeMap<(Vec<TypeId>, bool), String>,
}

impl Vocabulary<'_> {
    fn entries(&self) -> Vec<String> {
        let types = self.world.types().iter().map(|one| format!("type {}", one.name));
        let objects = self.names.iter().map(|(name, _)| format!("object {name}"));
        let signature = |kind: &str, name: &str, parameters: &[Parameter]| {
            let (min, max) = Parameter::arity(parameters);
            let of: Vec<String> = parameters.iter().map(|one| self.type_names(&one.types).join("|")).collect();
            format!("{kind} {name} {min}..{max} {}", of.join(" "))
        };
        let predicates = self.world.predicates().iter().map(|one| signature("predicate", &one.name, &one.parameters));
        let functions = self.world.functions().iter().map(|one| signature("function", &one.name, &one.parameters));
        types.chain(objects).chain(predicates).chain(functions).collect()
    }

    fn type_names(&self, types: &[TypeId]) -> Vec<String> {
        types.iter().map(|&of| self.world.type_decl(of).name.to_string()).collect()
    }

    fn definitions(&mut self) -> Vec<(String, Definition)> {
        let predicates = self.predicates();
        let functions = self.functions();
        let types = one_of(self.world.types().iter().map(|one| &*one.name));
        let either = form([literal("either"), list(name("type"))]);
        // A colon of its own would be the beginning of `:domain`.
        let restrictions: Vec<String> = self.world.types().iter().map(|one| format!(":{}", one.name)).collect();
        let mut rules = vec![
            ("root".to_owned(), self.root()),
            ("pred".to_owned(), predicates),
            ("func".to_owned(), functions),
            ("type".to_owned(), types),
            ("restriction".to_owned(), one_of(restrictions.iter().map(String::as_str))),
            ("typedef".to_owned(), choice([name("type"), either])),
        ];
        rules.extend(formulas().into_iter().map(|(name, body)| (name.to_owned(), body)));
        rules.extend(scores().into_iter().map(|(name, body)| (name.to_owned(), body)));
        for ((types, accepts_type), rule) in &self.terms {
            rules.push((rule.clone(), self.term(types, *accepts_type)));
        }
        let rules = rules.into_iter().map(|(name, body)| (name, Definition::Rule(body)));
        let patterns = patterns().map(|(name, pattern)| (name.to_owned(), Definition::Pattern(pattern)));
        rules.chain(patterns).collect()
    }

    fn root(&self) -> Expression {
        let section = |keyword: &str, rule: &str| form([literal(keyword), name(rule)]);
        let maybe = |section: Expression| optional(sequence([literal(" "), section]));
        sequence([
            literal("("),
            spaced([
                literal("define"),
                form([literal("game"), name("id")]),
                form([literal(":domain"), literal(self.world.name())]),
            ]),
            maybe(section(":setup", "setup")),
            literal(" "),
            section(":constraints", "constraints"),
            maybe(section(":terminal", "terminal")),
            literal(" "),
            section(":scoring", "score"),
            literal(")"),
        ])
    }

    /// Returns the applications of predicates, without the brackets.
    fn predicates(&mut self) -> Expression {
        let mut groups: BTreeMap<Vec<String>, Vec<&str>> = BTreeMap::new();
        let world = self.world;
        for predicate in world.predicates() {
            for arguments in self.arguments(&predicate.parameters) {
                groups.entry(arguments).or_default().push(&predicate.name);
            }
        }
        let any: Vec<TypeId> = Vec::new();
        let own = BuiltInPredicate::ALL.into_iter().filter(|one| world.predicate_named(one.name()).is_none());
        for predicate in own {
            let arguments = (0..predicate.arity()).map(|_| self.term_rule(&any, false)).collect();
            groups.entry(arguments).or_default().push(predicate.name());
        }
        applications(groups)
    }

    fn functions(&mut self) -> Expression {
        let mut groups: BTreeMap<Vec<String>, Vec<&str>> = BTreeMap::new();
        let world = self.world;
        for function in world.functions() {
            for arguments in self.arguments(&function.parameters) {
                groups.entry(arguments).or_default().push(&function.name);
            }
        }
        sequence([literal("("), applications(groups), literal(")")])
    }

    /// Returns the names of the rules of the arguments, for each permitted number of arguments.
    fn arguments(&mut self, parameters: &[Parameter]) -> Vec<Vec<String>> {
        let rules: Vec<String> =
            parameters.iter().map(|parameter| self.term_rule(&parameter.types, parameter.accepts_type)).collect();
        let (min, max) = Parameter::arity(parameters);
        (min..=max).map(|count| rules[..count].to_vec()).collect()
    }

    fn term_rule(&mut self, types: &[TypeId], accepts_type: bool) -> String {
        let mut types = types.to_vec();
        types.sort_unstable();
        let next = format!("term{}", self.terms.len() + 1);
        self.terms.entry((types, accepts_type)).or_insert(next).clone()
    }

    /// Returns the terms of some types: variables, and the names of objects; without types, of all objects.
    fn term(&self, types: &[TypeId], accepts_type: bool) -> Expression {
        let fits = |object| types.is_empty() || types.iter().any(|&of| self.world.is_a(object, of));
        let objects = self.names.iter().filter(|(_, object)| fits(*object)).map(|(name, _)| *name);
        let type_names = self.world.types().iter().map(|one| &*one.name).filter(|_| accepts_type);
        choice([name("var"), one_of(objects.chain(type_names))])
    }
}

fn applications(groups: BTreeMap<Vec<String>, Vec<&str>>) -> Expression {
    let of = |(arguments, names): (Vec<String>, Vec<&str>)| {
        spaced(std::iter::once(one_of(names)).chain(arguments.iter().map(|rule| name(rule))))
    };
    choice(groups.into_iter().map(of))
}

/// Returns one or more parts with a blank between them.
fn list(part: Expression) -> Expression {
    sequence([part.clone(), each_after_blank(part, 0, None)])
}

fn bracketed(parts: impl IntoIterator<Item = Expression>) -> Expression {
    sequence([literal("("), choice(parts), literal(")")])
}

/// Returns the alternatives that conditions and statements of the setup share.
fn connectives(part: &str) -> Vec<Expression> {
    vec![
        spaced([one_of(["and", "or"]), list(name(part))]),
        spaced([literal("not"), name(part)]),
        spaced([one_of(["exists", "forall"]), name("vars"), name(part)]),
    ]
}

/// Returns the rules of variables, conditions, the setup and preferences.
fn formulas() -> Vec<(&'static str, Expression)> {
    let declaration = spaced([list(name("var")), literal("-"), name("typedef")]);
    let operand = choice([name("func"), name("num")]);
    let mut condition = connectives("cond");
    condition.extend([
        spaced([one_of(["<", "<=", ">", ">="]), operand.clone(), operand.clone()]),
        spaced([literal("="), list(operand)]),
        name("pred"),
    ]);
    let mut setup = connectives("setup");
    setup.push(spaced([one_of(["game-conserved", "game-optional"]), name("cond")]));
    let preference = sequence([literal("("), name("pref"), literal(")")]);
    let several = form([literal("and"), list(preference.clone())]);
    let external = spaced([literal("forall"), name("vars"), choice([several, list(preference)])]);
    let entry = sequence([literal("("), name("prefdef"), literal(")")]);
    let quantified =
        spaced([one_of(["exists", "forall"]), name("vars"), sequence([literal("("), name("body"), literal(")")])]);
    let pattern = sequence([literal("("), choice([quantified, name("body")]), literal(")")]);
    let operator = bracketed([
        spaced([one_of(["once", "hold"]), name("cond")]),
        spaced([literal("once-measure"), name("cond"), name("func")]),
        spaced([literal("hold-while"), name("cond"), list(name("cond"))]),
    ]);
    vec![
        ("vars", sequence([literal("("), list(declaration), literal(")")])),
        ("cond", bracketed(condition)),
        ("setup", bracketed(setup)),
        ("constraints", choice([form([literal("and"), list(entry.clone())]), entry])),
        ("prefdef", choice([external, name("pref")])),
        ("pref", spaced([literal("preference"), name("name"), pattern])),
        ("body", choice([spaced([literal("then"), list(name("seq"))]), spaced([literal("at-end"), name("cond")])])),
        ("seq", operator),
    ]
}

/// Returns the rules of scores and of the terminal condition.
fn scores() -> Vec<(&'static str, Expression)> {
    let score = || name("score");
    let terminal = bracketed([
        spaced([one_of(["and", "or"]), list(name("terminal"))]),
        spaced([literal("not"), name("terminal")]),
        spaced([one_of(["<", "<=", "=", ">=", ">"]), score(), score()]),
    ]);
    let counters = keywords::SCORE.into_iter().filter(|word| keywords::count_kind(word).is_some());
    let types = repeat(name("restriction"), 0, None);
    let body = bracketed([
        spaced([one_of(["external-forall-maximize", "external-forall-minimize"]), score()]),
        spaced([one_of(["+", "*", "="]), list(score())]),
        spaced([one_of(["/", "<", "<=", ">=", ">"]), score(), score()]),
        sequence([literal("-"), literal(" "), score(), optional(sequence([literal(" "), score()]))]),
        one_of(["total-time", "total-score"]),
        sequence([one_of(counters), literal(" "), name("name"), types]),
    ]);
    vec![("terminal", terminal), ("score", choice([body, name("num")]))]
}

fn patterns() -> impl Iterator<Item = (&'static str, Pattern)> {
    let digits = |min| pattern::repeat(pattern::one_of("0-9"), min, None);
    let point = pattern::optional(pattern::text("."));
    let rest = || pattern::repeat(pattern::one_of("a-zA-Z0-9_"), 0, None);
    let id = [pattern::one_of("a-z0-9"), pattern::repeat(pattern::one_of("a-z0-9-"), 1, None)];
    [
        ("id", pattern::sequence(id)),
        ("var", pattern::sequence([pattern::text("?"), pattern::one_of("a-z"), rest()])),
        ("name", pattern::sequence([pattern::one_of("A-Za-z"), rest()])),
        ("num", pattern::sequence([pattern::optional(pattern::text("-")), digits(0), point, digits(1)])),
    ]
    .into_iter()
}
