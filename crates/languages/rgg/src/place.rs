//! The places of a game file: the keywords and the names that may stand in each, from the parser's tables.
//!
//! A place has the name of a definition of the JSON Schema, or a name of its own where the schema does not tell apart what a name refers to:
//! the schema has one definition of lists of names, but those of `teams` are declarations of teams, and those of `metrics` are fields.

use crate::keywords::{self, Keyword};

/// The place of a whole game.
pub(crate) const GAME: &str = "game";

/// The role of a name in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameRole {
    /// The identifier of the game, in its declaration.
    Game,
    /// A team, in its declaration.
    NewTeam,
    /// A team.
    Team,
    /// A node, in its declaration.
    NewNode,
    /// A node.
    Node,
    /// A resource, in its declaration in the resource space of a node.
    NewResource,
    /// An action, in its definition.
    NewAction,
    /// An action.
    Action,
    /// A parameter of an action, in its declaration.
    NewParameter,
    /// An intermediate value, in its definition.
    NewValue,
    /// A field that is read.
    Field,
    /// A field of the state that is read, outside of actions.
    StateField,
    /// A field that is written.
    Target,
    /// Text with fields in braces.
    Expression,
    /// A text with fields in braces, or fields after slashes.
    Template,
    /// A constraint, which lists teams if it is that of the observers of a node.
    Constraint,
    /// An argument of a test, which is a node or a team if the tested field is.
    Argument,
}

/// The content of a place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shape {
    /// The keys that are keywords.
    pub(crate) keywords: Vec<&'static [Keyword]>,
    /// The role of the other keys, and the place of their values.
    pub(crate) keys: Option<(NameRole, &'static str)>,
    /// The place of the items of a list.
    pub(crate) items: Option<&'static str>,
    /// The role of a scalar.
    pub(crate) scalar: Option<NameRole>,
}

impl Shape {
    fn record(keywords: &[&'static [Keyword]]) -> Self {
        Self { keywords: keywords.to_vec(), ..Self::default() }
    }

    fn map(role: NameRole, values: &'static str) -> Self {
        Self { keys: Some((role, values)), ..Self::default() }
    }

    fn list(items: &'static str) -> Self {
        Self { items: Some(items), ..Self::default() }
    }

    fn scalar(role: NameRole) -> Self {
        Self { scalar: Some(role), ..Self::default() }
    }

    /// Returns the keyword of a name.
    pub(crate) fn keyword(&self, name: &str) -> Option<&'static Keyword> {
        self.keywords.iter().flat_map(|table| table.iter()).find(|keyword| keyword.name == name)
    }
}

/// Returns the content of a place.
pub(crate) fn shape(place: &str) -> Shape {
    sections(place).or_else(|| actions(place)).or_else(|| values(place)).unwrap_or_default()
}

fn sections(place: &str) -> Option<Shape> {
    Some(match place {
        GAME => Shape::record(&[&keywords::SECTIONS]),
        "metadata" => Shape::record(&[&keywords::METADATA]),
        "id" => Shape::scalar(NameRole::Game),
        "teams" => Shape { scalar: Some(NameRole::NewTeam), ..Shape::list("teams") },
        "board" => Shape::record(&[&keywords::BOARD]),
        "board_nodes" => Shape { scalar: Some(NameRole::NewNode), ..Shape::list("board_nodes") },
        "vectors" => Shape { items: Some("vectors"), ..Shape::record(&[&keywords::VECTOR]) },
        "node" => Shape::scalar(NameRole::Node),
        "team" => Shape::scalar(NameRole::Team),
        "nodes" => Shape { items: Some("nodes"), ..Shape::map(NameRole::Node, "declarations") },
        "declarations" => Shape { items: Some("declarations"), ..Shape::map(NameRole::NewResource, "constraint") },
        "constraint" => Shape::scalar(NameRole::Constraint),
        "choices" => Shape::map(NameRole::Team, "choice"),
        "choice" => Shape::map(NameRole::Action, "parameters"),
        "parameters" => Shape::map(NameRole::NewParameter, "parameter_constraint"),
        "actions" => Shape::map(NameRole::NewAction, "action"),
        "rewards" => Shape::map(NameRole::Team, "compute"),
        "metrics" => Shape { scalar: Some(NameRole::StateField), ..Shape::list("metrics") },
        _ => return None,
    })
}

fn actions(place: &str) -> Option<Shape> {
    let ends: [&[Keyword]; 2] = [&keywords::ENDPOINT_FILTERS, &keywords::SHORT_ENDPOINT_FILTERS];
    Some(match place {
        "action" => Shape::record(&[&keywords::ACTION]),
        "cost" => Shape::map(NameRole::Target, "constant"),
        "consequences" => Shape { items: Some("consequences"), ..Shape::record(&[&keywords::CONSEQUENCE]) },
        "result" => Shape::record(&[&keywords::RESULTS]),
        "resources" => Shape::record(&[&keywords::RESOURCES]),
        "make_node_visible" => Shape::record(&[ends[0], ends[1], &keywords::MAKE_NODE_VISIBLE]),
        "with_vectors" => Shape::record(&[ends[0], ends[1], &keywords::WITH_VECTORS, &keywords::VECTOR_TEAM]),
        "intermediates" => Shape::map(NameRole::NewValue, "assigned"),
        "assignments" => Shape::map(NameRole::Target, "assigned"),
        "filter" | "end_filter" | "completed" => {
            let tables: [&'static [Keyword]; 2] = [&keywords::COMBINATORS, &keywords::COMPUTATIONS];
            let count = if place == "completed" { 2 } else { 1 };
            Shape { keys: Some((NameRole::Field, "test")), ..Shape::record(&tables[..count]) }
        }
        "filters" | "all_filters" => Shape { items: Some("filter"), ..shape("filter") },
        "tests_of_fields" => Shape::map(NameRole::Field, "test"),
        "test" | "tests" => {
            let tables: [&'static [Keyword]; 2] = [&keywords::FILTERS, &keywords::EXTENDED_FILTERS];
            Shape { items: Some("test"), scalar: Some(NameRole::Argument), ..Shape::record(&tables) }
        }
        "argument" => Shape { scalar: Some(NameRole::Argument), ..Shape::list("argument") },
        _ => return None,
    })
}

fn values(place: &str) -> Option<Shape> {
    let tests: [&'static [Keyword]; 2] = [&keywords::FILTERS, &keywords::EXTENDED_FILTERS];
    Some(match place {
        "compute" => Shape::record(&[&keywords::COMPUTATIONS]),
        "assigned" => Shape {
            items: Some("assigned"),
            ..Shape::record(&[&keywords::COMPUTATIONS, &keywords::STEPS, tests[0], tests[1]])
        },
        "steps" | "step" => Shape { items: Some("step"), ..Shape::record(&[&keywords::STEPS, tests[0], tests[1]]) },
        "cases" => Shape { items: Some("cases"), ..Shape::record(&[&keywords::CASE]) },
        "math_op" => Shape::record(&[&keywords::MATH_OP]),
        "chain" => Shape::record(&[&keywords::CHAIN]),
        "to_array" => Shape::record(&[&keywords::TO_ARRAY]),
        "linear" => Shape::record(&[&keywords::LINEAR]),
        "lookup" => Shape::record(&[&keywords::LOOKUP]),
        "capture" => Shape::record(&[&keywords::REGEX_CAPTURE]),
        "field" | "fields" => Shape { scalar: Some(NameRole::Field), ..Shape::list("field") },
        "expression" => Shape::scalar(NameRole::Expression),
        "template" => Shape::scalar(NameRole::Template),
        _ => return None,
    })
}

/// Returns the place of the value of a keyword in a place.
pub(crate) fn value_place(place: &str, keyword: &Keyword) -> &'static str {
    match (place, keyword.name) {
        ("metadata", "id") => "id",
        (GAME, "teams") => "teams",
        (GAME, "metrics") => "metrics",
        (GAME, "resourceSpace") => "nodes",
        ("board", "nodes") => "board_nodes",
        ("vectors", "from" | "to") => "node",
        ("make_node_visible", "team") => "team",
        ("with_vectors" | "make_node_visible", "sourceFilter" | "targetFilter" | "source" | "target") => "end_filter",
        ("resources" | "with_vectors", "compute") => "intermediates",
        ("compute" | "assigned" | "completed", "Calculate" | "CalculateBoolean") => "expression",
        ("compute" | "assigned" | "completed", "Template") => "template",
        ("compute" | "assigned" | "completed", "Field") => "field",
        ("math_op" | "to_array", "fields") => "fields",
        ("test" | "tests", _) if !matches!(keyword.schema_definition, "test" | "tests") => "argument",
        _ => keyword.schema_definition,
    }
}

/// Whether the fields in the place are those of a tested node.
pub(crate) fn is_node_filter(place: &str) -> bool {
    place == "end_filter"
}
