//! Constraints on initial states, goals and problems of a PDDL domain.

use std::collections::{BTreeMap, BTreeSet};

use goalspec_grammar::expression::{choice, each_after_blank, form, literal, name, one_of, sequence, spaced};
use goalspec_grammar::pattern::{self, Pattern};
use goalspec_grammar::schema;
use goalspec_grammar::{Definition, Expression, Grammar, JsonSchema};
use goalspec_pddl::ast::{Domain, TypedNames, typed_names};
use goalspec_pddl::requirements;
use serde_json::{Value, json};

use crate::Part;
use crate::constraint::{ExportError, Layout, OutputConstraint};
use crate::header::Header;
use crate::tree::{ARGUMENTS, TreeForm, VARIABLES, argument_name};

/// The type of all objects.
const OBJECT: &str = "object";

/// The properties that exports do not guarantee.
const OPEN: [&str; 4] = [
    "variables are bound, and bound once",
    "the types of variables and of values of functions",
    "no fact is stated twice, and the initial state is complete",
    "the goal can be reached",
];

/// A predicate or function with its parameters.
#[derive(Debug, Clone)]
struct Signature {
    name: String,
    /// The types of each parameter.
    parameters: Vec<BTreeSet<String>>,
}

/// The vocabulary of a domain with the objects of a problem.
#[derive(Debug, Clone)]
pub struct PddlVocabulary {
    domain: String,
    predicates: Vec<Signature>,
    /// The predicates that rules define, which initial states do not contain.
    derived: BTreeSet<String>,
    functions: Vec<Signature>,
    /// The direct supertypes of each type.
    supertypes: BTreeMap<String, BTreeSet<String>>,
    /// The objects with their types, constants included; `None` if a reply declares them.
    objects: Option<Vec<(String, BTreeSet<String>)>>,
    /// The objects that a complete problem declares.
    declared: Vec<(String, BTreeSet<String>)>,
    is_typed: bool,
    /// The requirements that conditions may use; `None` for all, if the domain does not declare its requirements.
    requirements: Option<BTreeSet<String>>,
}

/// Options of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PddlOptions {
    /// The part of a problem.
    pub part: Part,
    /// Whether arguments that are objects have the types of the parameters. The size of the grammar grows with the number of types.
    pub typed: bool,
}

impl PddlVocabulary {
    /// Creates the vocabulary of a domain with the declarations of a problem's objects; with `None`, replies declare the objects themselves.
    pub fn new(domain: &Domain, objects: Option<&[TypedNames]>) -> Self {
        let signature = |name: &goalspec_pddl::ast::Name, parameters: &[TypedNames]| Signature {
            name: name.text().to_owned(),
            parameters: typed_names(parameters).map(|(_, of)| type_names(of)).collect(),
        };
        let mut supertypes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, of) in typed_names(domain.types.as_deref().unwrap_or_default()) {
            supertypes.entry(name.text().to_owned()).or_default().extend(type_names(of));
        }
        let declare = |groups: &[TypedNames]| -> Vec<(String, BTreeSet<String>)> {
            typed_names(groups).map(|(name, of)| (name.text().to_owned(), type_names(of))).collect()
        };
        let declared = objects.map(declare).unwrap_or_default();
        Self {
            domain: domain.name.text().to_owned(),
            predicates: domain.predicates.iter().map(|one| signature(&one.name, &one.parameters)).collect(),
            derived: domain.derived.iter().map(|rule| rule.predicate.text().to_owned()).collect(),
            functions: domain
                .functions
                .iter()
                .filter(|function| {
                    function.of.as_ref().is_none_or(|of| of.names.iter().all(|name| name.text() == "number"))
                })
                .map(|one| signature(&one.name, &one.parameters))
                .collect(),
            supertypes,
            objects: objects.map(|_| [declare(&domain.constants), declared.clone()].concat()),
            declared,
            is_typed: domain.types.is_some(),
            requirements: requirements::covered(&domain.requirements)
                .map(|covered| covered.into_iter().map(str::to_owned).collect()),
        }
    }

    /// Removes predicates that are computed and not asked for.
    pub fn exclude<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let names: BTreeSet<&str> = names.into_iter().collect();
        self.predicates.retain(|predicate| !names.contains(&*predicate.name));
    }

    /// Whether an object of some types is accepted where one of other types is expected.
    fn is_accepted(&self, of: &BTreeSet<String>, expected: &BTreeSet<String>) -> bool {
        let mut pending: Vec<&str> = of.iter().map(String::as_str).collect();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        while let Some(one) = pending.pop() {
            if one == OBJECT || expected.contains(one) || expected.contains(OBJECT) {
                return expected.contains(one) || expected.contains(OBJECT);
            }
            if seen.insert(one) {
                pending.extend(self.supertypes.get(one).into_iter().flatten().map(String::as_str));
            }
        }
        false
    }

    /// Whether conditions may use what a requirement stands for.
    fn permits(&self, requirement: &str) -> bool {
        self.requirements.as_ref().is_none_or(|covered| covered.contains(requirement))
    }

    /// Returns the quantifiers that conditions may use.
    fn quantifiers(&self) -> Vec<&'static str> {
        let needs = [("forall", ":universal-preconditions"), ("exists", ":existential-preconditions")];
        needs.into_iter().filter(|(_, requirement)| self.permits(requirement)).map(|(name, _)| name).collect()
    }

    fn types(&self) -> BTreeSet<&str> {
        let above = self.supertypes.values().flatten().map(String::as_str);
        self.supertypes.keys().map(String::as_str).chain(above).chain([OBJECT]).collect()
    }

    fn names(&self) -> Vec<String> {
        let signature = |kind: &str, one: &Signature| {
            let parameters: Vec<String> = one
                .parameters
                .iter()
                .map(|types| types.iter().map(String::as_str).collect::<Vec<_>>().join("|"))
                .collect();
            format!("{kind} {} {}", one.name, parameters.join(" "))
        };
        let predicates = self.predicates.iter().map(|one| signature("predicate", one));
        let functions = self.functions.iter().map(|one| signature("function", one));
        let types = self.supertypes.iter().map(|(name, above)| format!("type {name} {above:?}"));
        let objects = self.objects.iter().flatten().map(|(name, of)| format!("object {name} {of:?}"));
        let requirements = self.requirements.iter().flatten().map(|name| format!("requirement {name}"));
        predicates.chain(functions).chain(types).chain(objects).chain(requirements).collect()
    }
}

fn type_names(of: Option<&goalspec_pddl::ast::TypeRef>) -> BTreeSet<String> {
    match of {
        Some(of) => of.names.iter().map(|name| name.text().to_owned()).collect(),
        None => BTreeSet::from([OBJECT.to_owned()]),
    }
}

/// Returns the constraint on a part of a problem.
///
/// # Errors
/// If the vocabulary has no predicates that the part can contain.
pub fn constraint(vocabulary: &PddlVocabulary, options: PddlOptions) -> Result<OutputConstraint, ExportError> {
    let (name, language) = match options.part {
        Part::Goal => ("pddl-goal", "PDDL :goal"),
        Part::Init => ("pddl-init", "PDDL :init"),
        Part::InitAndGoal => ("pddl-init-and-goal", "PDDL :init and :goal"),
        Part::Program => ("pddl-problem", "PDDL problem"),
    };
    let dialect =
        if options.typed { "PDDL 2.1 without durations, typed objects" } else { "PDDL 2.1 without durations" };
    let header = Header { language, dialect, vocabulary: vocabulary.names(), bounds: &[], open: &OPEN };
    let mut writer = Writer { vocabulary, options, kinds: BTreeMap::new() };
    let definitions = writer.definitions();
    let definitions = definitions.iter().map(|(name, body)| (name.as_str(), body.clone()));
    let grammar = Grammar::new(header.lines(), definitions)?;
    let schema = if options.part == Part::Program {
        schema::envelope(&header.lines().join("; "), false)
    } else {
        writer.schema(&header.lines().join("; "))
    };
    let tree = if options.part == Part::Program { TreeForm::Envelope } else { TreeForm::Pddl(options.part) };
    let schema = JsonSchema::new(schema)?;
    Ok(OutputConstraint { name, grammar: Some(grammar), schema, tree, layout: Layout::LowerCaseForms })
}

/// The state of writing one export.
struct Writer<'v> {
    vocabulary: &'v PddlVocabulary,
    options: PddlOptions,
    /// The rules of objects by the types that they are expected to have, with their names.
    kinds: BTreeMap<BTreeSet<String>, String>,
}

impl Writer<'_> {
    fn definitions(&mut self) -> Vec<(String, Definition)> {
        let mut rules = vec![
            ("root", self.root()),
            ("init", Self::init()),
            ("goal", form([literal(":goal"), name("cond")])),
            ("cond", self.condition()),
        ];
        let facts = self.vocabulary.predicates.iter().filter(|one| !self.vocabulary.derived.contains(&one.name));
        rules.push(("fact", self.applications(&facts.cloned().collect::<Vec<_>>(), false)));
        // Without quantifiers, no variable is bound.
        let has_variables = !self.vocabulary.quantifiers().is_empty();
        rules.push(("atom", self.applications(&self.vocabulary.predicates, has_variables)));
        rules.push(("func", self.applications(&self.vocabulary.functions, has_variables)));
        rules.push(("value", self.applications(&self.vocabulary.functions, false)));
        rules.extend(self.numbers());
        rules.extend(self.variables());
        rules.push(("obj", self.objects(&BTreeSet::from([OBJECT.to_owned()]))));
        rules.push(("term", if has_variables { choice([name("var"), name("obj")]) } else { name("obj") }));
        let kinds = self.kinds.iter().map(|(types, kind)| (kind.clone(), Definition::Rule(self.objects(types))));
        let rules = rules.into_iter().map(|(name, body)| (name.to_owned(), Definition::Rule(body)));
        let patterns = patterns().map(|(name, pattern)| (name.to_owned(), Definition::Pattern(pattern)));
        rules.chain(kinds).chain(patterns).collect()
    }

    fn root(&self) -> Expression {
        match self.options.part {
            Part::Goal => name("goal"),
            Part::Init => name("init"),
            Part::InitAndGoal => sequence([name("init"), literal("\n"), name("goal")]),
            Part::Program => form([
                literal("define"),
                form([literal("problem"), name("word")]),
                form([literal(":domain"), literal(&self.vocabulary.domain)]),
                self.declarations(),
                name("init"),
                name("goal"),
            ]),
        }
    }

    /// Returns the section `(:objects ..)`: the given objects, or groups of names with types.
    fn declarations(&self) -> Expression {
        let head = literal(":objects");
        if self.vocabulary.objects.is_none() {
            let group = [sequence([name("word"), each_after_blank(name("word"), 0, None)]), literal("-"), name("type")];
            let list = if self.vocabulary.is_typed { spaced(group) } else { name("word") };
            return sequence([literal("("), head, each_after_blank(list, 0, None), literal(")")]);
        }
        let mut words = vec![head];
        for (object, of) in &self.vocabulary.declared {
            words.push(literal(object));
            if self.vocabulary.is_typed {
                words.push(literal("-"));
                words.push(Self::type_reference(of));
            }
        }
        form(words)
    }

    fn type_reference(of: &BTreeSet<String>) -> Expression {
        match of.len() {
            1 => literal(of.first().map_or(OBJECT, String::as_str)),
            _ => form([literal("either")].into_iter().chain(of.iter().map(|name| literal(name)))),
        }
    }

    fn init() -> Expression {
        let value = [literal("="), sequence([literal("("), name("value"), literal(")")]), name("number")];
        let entry = sequence([literal("("), choice([name("fact"), spaced(value)]), literal(")")]);
        sequence([literal("("), literal(":init"), each_after_blank(entry, 0, None), literal(")")])
    }

    /// Returns the conditions that the requirements of the domain permit.
    fn condition(&self) -> Expression {
        let condition = || name("cond");
        let equality = || spaced([literal("="), name("term"), name("term")]);
        let is_equality_permitted = self.vocabulary.permits(":equality");
        let mut bodies = vec![sequence([literal("and"), each_after_blank(condition(), 0, None)])];
        if self.vocabulary.permits(":disjunctive-preconditions") {
            bodies.extend([
                sequence([literal("or"), each_after_blank(condition(), 1, None)]),
                spaced([literal("not"), condition()]),
                spaced([literal("imply"), condition(), condition()]),
            ]);
        } else if self.vocabulary.permits(":negative-preconditions") {
            let negated = [Some(name("atom")), is_equality_permitted.then(equality)];
            let negated = sequence([literal("("), choice(negated.into_iter().flatten()), literal(")")]);
            bodies.push(spaced([literal("not"), negated]));
        }
        let quantifiers = self.vocabulary.quantifiers();
        if !quantifiers.is_empty() {
            bodies.push(spaced([one_of(quantifiers), name("vars"), condition()]));
        }
        if is_equality_permitted {
            bodies.push(equality());
        }
        if self.vocabulary.permits(":numeric-fluents") {
            bodies.push(spaced([one_of(["<", "<=", "=", ">=", ">"]), name("expr"), name("expr")]));
        }
        bodies.push(name("atom"));
        sequence([literal("("), choice(bodies), literal(")")])
    }

    fn numbers(&self) -> Vec<(&'static str, Expression)> {
        if self.vocabulary.functions.is_empty() {
            // There is nothing to compare.
            return vec![("expr", choice([]))];
        }
        let call = sequence([literal("("), name("func"), literal(")")]);
        let operation = choice([
            sequence([one_of(["+", "*"]), each_after_blank(name("expr"), 2, None)]),
            spaced([one_of(["-", "/"]), name("expr"), name("expr")]),
        ]);
        let operation = sequence([literal("("), operation, literal(")")]);
        vec![("expr", choice([name("number"), call, operation]))]
    }

    fn variables(&self) -> Vec<(&'static str, Expression)> {
        let untyped = sequence([name("var"), each_after_blank(name("var"), 0, None)]);
        let group = spaced([untyped.clone(), literal("-"), name("type")]);
        let groups =
            sequence([group.clone(), each_after_blank(group, 0, None), each_after_blank(name("var"), 0, None)]);
        let list = if self.vocabulary.is_typed { choice([groups, untyped]) } else { untyped };
        let single = one_of(self.vocabulary.types());
        let either = form([literal("either"), sequence([single.clone(), each_after_blank(single.clone(), 0, None)])]);
        vec![("vars", sequence([literal("("), list, literal(")")])), ("type", choice([single, either]))]
    }

    /// Returns the applications of predicates or functions, without the brackets.
    fn applications(&mut self, signatures: &[Signature], may_be_variable: bool) -> Expression {
        let mut groups: BTreeMap<Vec<BTreeSet<String>>, Vec<&str>> = BTreeMap::new();
        for one in signatures {
            let kinds =
                one.parameters.iter().map(|types| if self.options.typed { types.clone() } else { BTreeSet::new() });
            groups.entry(kinds.collect()).or_default().push(&one.name);
        }
        let mut alternatives = Vec::new();
        for (kinds, names) in groups {
            let mut words = vec![one_of(names)];
            words.extend(kinds.iter().map(|types| self.term(types, may_be_variable)));
            alternatives.push(spaced(words));
        }
        choice(alternatives)
    }

    fn term(&mut self, types: &BTreeSet<String>, may_be_variable: bool) -> Expression {
        if types.is_empty() {
            return name(if may_be_variable { "term" } else { "obj" });
        }
        let next = format!("obj{}", self.kinds.len() + 1);
        let kind = name(self.kinds.entry(types.clone()).or_insert(next));
        if may_be_variable { choice([name("var"), kind]) } else { kind }
    }

    fn objects(&self, expected: &BTreeSet<String>) -> Expression {
        let Some(objects) = &self.vocabulary.objects else { return name("word") };
        let accepted = objects.iter().filter(|(_, of)| self.vocabulary.is_accepted(of, expected));
        one_of(accepted.map(|(name, _)| name.as_str()))
    }

    fn schema(&self, comment: &str) -> Value {
        let facts: Vec<&Signature> =
            self.vocabulary.predicates.iter().filter(|one| !self.vocabulary.derived.contains(&one.name)).collect();
        let mut entries = self.atoms(&facts, false);
        let functions: Vec<&Signature> = self.vocabulary.functions.iter().collect();
        entries.extend(self.atoms(&functions, false).into_iter().map(|mut function| {
            rename_property(&mut function, "predicate", "function");
            add_property(&mut function, "value", json!({ "type": "number" }));
            function
        }));
        let mut sections = Vec::new();
        if self.options.part != Part::Goal {
            sections.push(("init", schema::list(schema::any_of(entries))));
        }
        if self.options.part != Part::Init {
            sections.push(("goal", schema::reference("condition")));
        }
        let mut root = schema::object(sections);
        root["$comment"] = json!(comment);
        if self.options.part != Part::Init {
            root["$defs"] = json!({ "condition": schema::any_of(self.schema_conditions()) });
        }
        root
    }

    /// Returns the schemas of the conditions that the requirements of the domain permit.
    fn schema_conditions(&self) -> Vec<Value> {
        let quantifiers = self.vocabulary.quantifiers();
        let has_variables = !quantifiers.is_empty();
        let mut conditions = self.atoms(&self.vocabulary.predicates.iter().collect::<Vec<_>>(), has_variables);
        if self.vocabulary.permits(":equality") {
            let term = || self.schema_term(has_variables);
            conditions.push(schema::object([("same", term()), ("as", term())]));
        }
        let reference = || schema::reference("condition");
        let list = || schema::list(reference());
        let mut compound = vec![schema::object([("and", list())])];
        if self.vocabulary.permits(":disjunctive-preconditions") {
            compound.extend([
                schema::object([("or", list())]),
                schema::object([("not", reference())]),
                schema::object([("if", reference()), ("then", reference())]),
            ]);
        } else if self.vocabulary.permits(":negative-preconditions") {
            compound.push(schema::object([("not", schema::any_of(conditions.clone()))]));
        }
        let of = self.vocabulary.is_typed.then(|| schema::one_of(self.vocabulary.types()));
        for quantifier in quantifiers {
            let of = of.clone().map(|types| ("type", types));
            let variable = schema::object([("variable", schema::one_of(VARIABLES))].into_iter().chain(of));
            compound.push(schema::object([(quantifier, schema::list(variable)), ("holds", reference())]));
        }
        conditions.extend(compound);
        conditions
    }

    fn schema_term(&self, may_be_variable: bool) -> Value {
        let objects = self.vocabulary.objects.iter().flatten().map(|(name, _)| name.as_str());
        let variables = VARIABLES.iter().copied().filter(|_| may_be_variable);
        schema::one_of(objects.chain(variables))
    }

    /// Returns the schemas of atoms, one for each number of arguments.
    fn atoms(&self, signatures: &[&Signature], may_be_variable: bool) -> Vec<Value> {
        let mut groups: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for one in signatures.iter().filter(|one| one.parameters.len() <= ARGUMENTS) {
            groups.entry(one.parameters.len()).or_default().push(&one.name);
        }
        let groups = groups.into_iter().map(|(arity, names)| {
            let arguments: Vec<String> = (0..arity).map(argument_name).collect();
            let arguments = arguments.iter().map(|name| (name.as_str(), self.schema_term(may_be_variable)));
            schema::object([("predicate", schema::one_of(names))].into_iter().chain(arguments))
        });
        groups.collect()
    }
}

/// Renames a property of the schema of an object.
fn rename_property(object: &mut Value, from: &str, to: &str) {
    if let Some(properties) = object["properties"].as_object_mut()
        && let Some(schema) = properties.shift_remove(from)
    {
        properties.shift_insert(0, to.to_owned(), schema);
    }
    require_all(object);
}

/// Adds a property to the schema of an object.
fn add_property(object: &mut Value, name: &str, schema: Value) {
    object["properties"][name] = schema;
    require_all(object);
}

fn require_all(object: &mut Value) {
    let names: Vec<String> =
        object["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    object["required"] = json!(names);
}

fn patterns() -> impl Iterator<Item = (&'static str, Pattern)> {
    let rest = || pattern::repeat(pattern::one_of("a-z0-9_-"), 0, None);
    let digits = || pattern::repeat(pattern::one_of("0-9"), 1, None);
    let fraction = pattern::sequence([pattern::text("."), digits()]);
    let sign = pattern::optional(pattern::text("-"));
    [
        ("word", pattern::sequence([pattern::one_of("a-z"), rest()])),
        ("var", pattern::sequence([pattern::text("?"), pattern::one_of("a-z"), rest()])),
        ("number", pattern::sequence([sign, digits(), pattern::optional(fraction)])),
    ]
    .into_iter()
}
