//! The keywords of the language, in tables that the parser and the JSON Schema share.

use goalspec_resource::compute::{ConversionKind, MathOperator};

/// A keyword: a key of a map with a fixed set of keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    /// The key as written.
    pub(crate) name: &'static str,
    /// The form of the value: the name of a definition in the schema.
    pub(crate) schema_definition: &'static str,
    /// The documentation, shown by editors.
    pub(crate) description: &'static str,
    /// Whether the key is required.
    pub(crate) required: bool,
}

const fn optional(name: &'static str, form: &'static str, meaning: &'static str) -> Keyword {
    Keyword { name, schema_definition: form, description: meaning, required: false }
}

const fn required(name: &'static str, form: &'static str, meaning: &'static str) -> Keyword {
    Keyword { required: true, ..optional(name, form, meaning) }
}

/// Returns the names of keywords, in order.
pub(crate) fn names<const N: usize>(words: &[Keyword; N]) -> [&'static str; N] {
    words.map(|word| word.name)
}

/// Whether a keyword has this name.
pub(crate) fn contains(words: &[Keyword], name: &str) -> bool {
    words.iter().any(|word| word.name == name)
}

/// The sections of a game.
pub(crate) const SECTIONS: [Keyword; 9] = [
    optional("metadata", "metadata", "The name and the description of the game."),
    required("teams", "names", "The teams, in turn order."),
    optional("board", "board", "The nodes and the vectors between them."),
    optional("resourceSpace", "nodes", "The resources of each node, with their spaces and initial values."),
    optional("actionSpace", "choices", "The available actions of each team, with their parameters."),
    optional("actions", "actions", "The cost, requirement and consequences of each action."),
    optional("rewards", "rewards", "The reward computation of each team."),
    optional("completed", "completed", "The end condition of the game, tested before every turn."),
    optional("metrics", "names", "The resources to report at the end, each as `node.resource`."),
];

/// The keys of `metadata`.
pub(crate) const METADATA: [Keyword; 2] = [
    optional("id", "label", "The name of the game."),
    optional("description", "label", "The description of the game."),
];

/// The keys of `board`.
pub(crate) const BOARD: [Keyword; 2] = [
    optional("nodes", "texts", "The names of the nodes."),
    optional("vectors", "vectors", "The directed edges between nodes."),
];

/// The keys of a vector.
pub(crate) const VECTOR: [Keyword; 3] = [
    required("from", "name", "The source node of the vector."),
    required("to", "name", "The target node of the vector."),
    optional("id", "name", "An id that distinguishes vectors between the same nodes."),
];

/// The keys of an action.
pub(crate) const ACTION: [Keyword; 3] = [
    required("cost", "cost", "Amounts to add to resources before the requirement is tested; a price is negative."),
    required(
        "requires",
        "filter",
        "The condition that must hold after the cost for the action to be valid; `{}` always holds.",
    ),
    optional("consequences", "consequences", "The consequences of a valid action."),
];

/// The keys of a consequence.
pub(crate) const CONSEQUENCE: [Keyword; 4] = [
    optional("odds", "number", "The odds of the consequence; default 1."),
    optional(
        "odds.discount",
        "number",
        "The factor by which the odds are multiplied after every valid use of the action.",
    ),
    optional("independent", "truth", "Whether a new random number is drawn for this and the following consequences."),
    required("result", "result", "The effect of the consequence."),
];

/// The results of the language.
pub(crate) const RESULTS: [Keyword; 4] = [
    optional("Resources", "resources", "Adds to and replaces resources."),
    optional("MakeNodeVisible", "make_node_visible", "Makes the target of a random vector visible to a team."),
    optional("WithRandomVector", "with_vectors", "Adds to resources at the ends of a random vector."),
    optional("WithAllVectors", "with_vectors", "Adds to resources at the ends of every matching vector."),
];

/// The keys of `Resources`.
pub(crate) const RESOURCES: [Keyword; 3] = [
    optional("compute", "assignments", "Intermediate values by name, for `add` and `put`."),
    optional("add", "assignments", "Values to add to resources; a value that is not a number replaces the resource."),
    optional("put", "assignments", "New values of resources; a missing value removes the resource."),
];

/// The filters of results for vectors.
pub(crate) const ENDPOINT_FILTERS: [Keyword; 2] = [
    optional("sourceFilter", "filter", "The filter of the source node of the vector."),
    optional("targetFilter", "filter", "The filter of the target node of the vector."),
];

/// The short names of these filters.
pub(crate) const SHORT_ENDPOINT_FILTERS: [Keyword; 2] = [
    optional("source", "filter", "Another name for `sourceFilter`."),
    optional("target", "filter", "Another name for `targetFilter`."),
];

/// The keys of `MakeNodeVisible`, in addition to [`ENDPOINT_FILTERS`].
pub(crate) const MAKE_NODE_VISIBLE: [Keyword; 1] =
    [required("team", "name", "The team to which the node becomes visible.")];

/// The keys of `WithRandomVector` and `WithAllVectors`, in addition to [`ENDPOINT_FILTERS`].
pub(crate) const WITH_VECTORS: [Keyword; 2] = [
    optional("compute", "assignments", "Intermediate values by name, for `result`."),
    required(
        "result",
        "assignments",
        "Values to add to resources; `_source.x` and `_target.x` are resources of the ends.",
    ),
];

/// A further key of results on vectors, in dialects with [`vector_team`](crate::Dialect::vector_team).
pub(crate) const VECTOR_TEAM: [Keyword; 1] = [optional("team", "name", "No effect.")];

/// The keys of a filter that are not fields. `DatumFieldFilter` is a class of the Cage engine, a conjunction of tests of fields.
pub(crate) const COMBINATORS: [Keyword; 6] = [
    optional("And", "all_filters", "All of these filters hold."),
    optional("Or", "filters", "At least one of these filters holds."),
    optional("Not", "filter", "This filter does not hold."),
    optional("All", "empty", "Always holds."),
    optional("None", "empty", "Never holds."),
    optional("DatumFieldFilter", "tests_of_fields", "All of these tests of fields hold."),
];

/// The tests of a value in every dialect.
pub(crate) const FILTERS: [Keyword; 26] = [
    optional("Equal", "scalar", "The value equals the argument."),
    optional("NotEqual", "scalar", "The value does not equal the argument."),
    optional("OneOf", "values", "The value equals one of the arguments."),
    optional("Gt", "scalar", "The value is greater than the argument."),
    optional("Gte", "scalar", "The value is greater than or equal to the argument."),
    optional("Lt", "scalar", "The value is less than the argument."),
    optional("Lte", "scalar", "The value is less than or equal to the argument."),
    optional("Range", "pair", "The value is in this closed range."),
    optional(
        "Contains",
        "text",
        "The text of the value contains the argument; the text of a set has the form `[red, blue]`.",
    ),
    optional("StartsWith", "text", "The text of the value begins with the argument."),
    optional("EndsWith", "text", "The text of the value ends with the argument."),
    optional("Matches", "text", "The whole text of the value matches this regular expression."),
    optional("ContainsMatch", "text", "A part of the text of the value matches this regular expression."),
    optional("IsNull", "empty", "The value is missing."),
    optional("IsNotNull", "empty", "The value is not missing."),
    optional("IsEmpty", "empty", "The value is missing or an empty string."),
    optional("IsNotEmpty", "empty", "The value is neither missing nor an empty string."),
    optional("IsIP", "empty", "The value is an IPv4 address."),
    optional("IsCidr", "empty", "The value is an IPv4 address block."),
    optional("IpContainedIn", "text", "The value is an IPv4 address in this block, such as `10.0.0.0/8`."),
    optional("CidrContains", "text", "The value is an IPv4 address block that contains this address."),
    optional("All", "empty", "Holds for every value."),
    optional("None", "empty", "Holds for no value."),
    optional("Not", "test", "This filter does not hold."),
    optional("And", "tests", "All of these filters hold."),
    optional("Or", "tests", "At least one of these filters holds."),
];

/// The tests of a value in dialects with [`extended_names`](crate::Dialect::extended_names).
pub(crate) const EXTENDED_FILTERS: [Keyword; 3] = [
    optional("Has", "text", "The value is a set with this member."),
    optional("HasAny", "names", "The value is a set with at least one of these members."),
    optional("IsIp", "empty", "Another name for `IsIP`."),
];

/// The computations.
pub(crate) const COMPUTATIONS: [Keyword; 10] = [
    optional("Constant", "constant", "A fixed value."),
    optional("Field", "name", "The value of a resource, `node.resource`."),
    optional("Calculate", "text", "A numeric expression: `\"2 * {a.x} - floor({b.y} / 2)\"`."),
    optional("CalculateBoolean", "text", "A Boolean expression: `\"{a.open} and not {b.open}\"`."),
    optional("Condition", "cases", "The value of the first case that holds."),
    optional("MathOp", "math_op", "One operation on fields."),
    optional("Template", "text", "A string with the values of fields inserted: `\"{a.x} of {b.y}\"`."),
    optional("Chain", "chain", "A value and the steps that transform it."),
    optional("ToArray", "to_array", "The list of the values of fields."),
    optional("Now", "unsupported", "Not supported: games have no clock."),
];

/// The keys of a case of `Condition`.
pub(crate) const CASE: [Keyword; 2] = [
    required("when", "tests_of_fields", "The tests of fields, all of which must hold; `{}` always holds."),
    required("value", "compute", "The value if the tests hold."),
];

/// The keys of `MathOp`.
pub(crate) const MATH_OP: [Keyword; 3] = [
    optional("operator", "operator", "The operator; default `ADD`."),
    required("fields", "names", "The fields."),
    optional("ifInvalid", "value", "The value if a field is not a number."),
];

/// The keys of `Chain`.
pub(crate) const CHAIN: [Keyword; 2] = [
    required("from", "compute", "The input value."),
    required("process", "steps", "The steps that transform the value, in order."),
];

/// The keys of `ToArray`.
pub(crate) const TO_ARRAY: [Keyword; 1] = [required("fields", "names", "The fields.")];

/// The computing steps of a chain; tests of a value are steps as well.
pub(crate) const STEPS: [Keyword; 16] = [
    optional("Add", "scalar", "Adds a number."),
    optional("Subtract", "scalar", "Subtracts a number."),
    optional("Multiply", "scalar", "Multiplies by a number."),
    optional("Divide", "scalar", "Divides by a number."),
    optional("Linear", "linear", "Maps one interval linearly to another."),
    optional("Lookup", "lookup", "The entry of a table for the value."),
    optional("Constant", "value", "A fixed value."),
    optional("Identity", "value", "The unchanged value."),
    optional("LogValue", "value", "The unchanged value."),
    optional("As", "kind", "The value converted to another type."),
    optional("RegexCapture", "capture", "The groups of a regular expression, by name."),
    optional("OneHot", "values", "The one-hot encoding of the value."),
    optional("FlattenList", "value", "Nested lists as one list."),
    optional("FlattenMatrix", "value", "Nested lists as one list."),
    optional("IpToInt", "value", "An IPv4 address as an integer."),
    optional("IpFromInt", "value", "An integer as an IPv4 address."),
];

/// The keys of `Linear`.
pub(crate) const LINEAR: [Keyword; 2] = [
    required("domain", "interval", "The interval of the input values."),
    required("range", "interval", "The interval of the output values."),
];

/// The keys of a `Lookup` with an explicit table.
pub(crate) const LOOKUP: [Keyword; 2] = [
    required("table", "table", "The value of each string."),
    optional("ifNull", "value", "The value for strings that are not in the table."),
];

/// The keys of `RegexCapture`.
pub(crate) const REGEX_CAPTURE: [Keyword; 2] = [
    required("regex", "text", "The regular expression, with groups."),
    required("as", "names", "The names of the groups, in order."),
];

/// The operators of `MathOp`.
pub(crate) const OPERATORS: [(&str, MathOperator); 15] = [
    ("ADD", MathOperator::Add),
    ("SUBTRACT", MathOperator::Subtract),
    ("MULTIPLY", MathOperator::Multiply),
    ("DIVIDE", MathOperator::Divide),
    ("NEGATE", MathOperator::Negate),
    ("MIN", MathOperator::Min),
    ("MAX", MathOperator::Max),
    ("AVERAGE", MathOperator::Average),
    ("STD_DEV", MathOperator::StdDev),
    ("EQUAL", MathOperator::Equal),
    ("NOT_EQUAL", MathOperator::NotEqual),
    ("GT", MathOperator::Greater),
    ("GTE", MathOperator::GreaterOrEqual),
    ("LT", MathOperator::Less),
    ("LTE", MathOperator::LessOrEqual),
];

/// The kinds of values, by their names in the Cage engine and in Java.
pub(crate) const KINDS: [(&str, ConversionKind); 9] = [
    ("String", ConversionKind::Text),
    ("Int", ConversionKind::Int),
    ("Integer", ConversionKind::Int),
    ("Float", ConversionKind::Real),
    ("Double", ConversionKind::Real),
    ("Number", ConversionKind::Real),
    ("Boolean", ConversionKind::Bool),
    ("java.lang.String", ConversionKind::Text),
    ("java.lang.Integer", ConversionKind::Int),
];
