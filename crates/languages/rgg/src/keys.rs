//! The keywords of the language, in tables that the parser and the JSON Schema share.

use goalspec_resource::compute::{Kind, Operator};

/// A keyword: a key of a map with a fixed set of keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    /// The key as written.
    pub(crate) name: &'static str,
    /// The form of the value: the name of a definition in the schema.
    pub(crate) form: &'static str,
    /// The documentation, shown by editors.
    pub(crate) meaning: &'static str,
    /// Whether the key is required.
    pub(crate) required: bool,
}

const fn word(name: &'static str, form: &'static str, meaning: &'static str) -> Word {
    Word { name, form, meaning, required: false }
}

const fn required(name: &'static str, form: &'static str, meaning: &'static str) -> Word {
    Word { required: true, ..word(name, form, meaning) }
}

/// Returns the names of keywords, in order.
pub(crate) fn names<const N: usize>(words: &[Word; N]) -> [&'static str; N] {
    words.map(|word| word.name)
}

/// Whether a keyword has this name.
pub(crate) fn has(words: &[Word], name: &str) -> bool {
    words.iter().any(|word| word.name == name)
}

/// The sections of a game.
pub(crate) const SECTIONS: [Word; 9] = [
    word("metadata", "metadata", "The name and the description of the game."),
    required("teams", "names", "The teams, in turn order."),
    word("board", "board", "The nodes and the vectors between them."),
    word("resourceSpace", "nodes", "The resources of each node, with their spaces and initial values."),
    word("actionSpace", "choices", "The available actions of each team, with their parameters."),
    word("actions", "actions", "The cost, requirement and consequences of each action."),
    word("rewards", "rewards", "The reward computation of each team."),
    word("completed", "completed", "The end condition of the game, tested before every turn."),
    word("metrics", "names", "The resources to report at the end, each as `node.resource`."),
];

/// The keys of `metadata`.
pub(crate) const METADATA: [Word; 2] =
    [word("id", "label", "The name of the game."), word("description", "label", "The description of the game.")];

/// The keys of `board`.
pub(crate) const BOARD: [Word; 2] = [
    word("nodes", "texts", "The names of the nodes."),
    word("vectors", "vectors", "The directed edges between nodes."),
];

/// The keys of a vector.
pub(crate) const VECTOR: [Word; 3] = [
    required("from", "name", "The source node of the vector."),
    required("to", "name", "The target node of the vector."),
    word("id", "name", "An id that distinguishes vectors between the same nodes."),
];

/// The keys of an action.
pub(crate) const ACTION: [Word; 3] = [
    required("cost", "cost", "Amounts to add to resources before the requirement is tested; a price is negative."),
    required(
        "requires",
        "filter",
        "The condition that must hold after the cost for the action to be valid; `{}` always holds.",
    ),
    word("consequences", "consequences", "The consequences of a valid action."),
];

/// The keys of a consequence.
pub(crate) const CONSEQUENCE: [Word; 4] = [
    word("odds", "number", "The odds of the consequence; default 1."),
    word("odds.discount", "number", "The factor by which the odds are multiplied after every valid use of the action."),
    word("independent", "truth", "Whether a new random number is drawn for this and the following consequences."),
    required("result", "result", "The effect of the consequence."),
];

/// The results of the language.
pub(crate) const RESULTS: [Word; 4] = [
    word("Resources", "resources", "Adds to and replaces resources."),
    word("MakeNodeVisible", "make_node_visible", "Makes the target of a random vector visible to a team."),
    word("WithRandomVector", "with_vectors", "Adds to resources at the ends of a random vector."),
    word("WithAllVectors", "with_vectors", "Adds to resources at the ends of every matching vector."),
];

/// The keys of `Resources`.
pub(crate) const RESOURCES: [Word; 3] = [
    word("compute", "assignments", "Intermediate values by name, for `add` and `put`."),
    word("add", "assignments", "Values to add to resources; a value that is not a number replaces the resource."),
    word("put", "assignments", "New values of resources; a missing value removes the resource."),
];

/// The filters of results for vectors.
pub(crate) const ENDS: [Word; 2] = [
    word("sourceFilter", "filter", "The filter of the source node of the vector."),
    word("targetFilter", "filter", "The filter of the target node of the vector."),
];

/// The short names of these filters.
pub(crate) const SHORT_ENDS: [Word; 2] = [
    word("source", "filter", "Another name for `sourceFilter`."),
    word("target", "filter", "Another name for `targetFilter`."),
];

/// The keys of `MakeNodeVisible`, in addition to [`ENDS`].
pub(crate) const MAKE_NODE_VISIBLE: [Word; 1] =
    [required("team", "name", "The team to which the node becomes visible.")];

/// The keys of `WithRandomVector` and `WithAllVectors`, in addition to [`ENDS`].
pub(crate) const WITH_VECTORS: [Word; 2] = [
    word("compute", "assignments", "Intermediate values by name, for `result`."),
    required(
        "result",
        "assignments",
        "Values to add to resources; `_source.x` and `_target.x` are resources of the ends.",
    ),
];

/// A further key of results on vectors, in dialects with [`vector_team`](crate::Dialect::vector_team).
pub(crate) const VECTOR_TEAM: [Word; 1] = [word("team", "name", "No effect.")];

/// The keys of a filter that are not fields. `DatumFieldFilter` is a class of the Cage engine, a conjunction of tests of fields.
pub(crate) const COMBINATORS: [Word; 6] = [
    word("And", "all_filters", "All of these filters hold."),
    word("Or", "filters", "At least one of these filters holds."),
    word("Not", "filter", "This filter does not hold."),
    word("All", "empty", "Always holds."),
    word("None", "empty", "Never holds."),
    word("DatumFieldFilter", "tests_of_fields", "All of these tests of fields hold."),
];

/// The tests of a value in every dialect.
pub(crate) const FILTERS: [Word; 26] = [
    word("Equal", "scalar", "The value equals the argument."),
    word("NotEqual", "scalar", "The value does not equal the argument."),
    word("OneOf", "values", "The value equals one of the arguments."),
    word("Gt", "scalar", "The value is greater than the argument."),
    word("Gte", "scalar", "The value is greater than or equal to the argument."),
    word("Lt", "scalar", "The value is less than the argument."),
    word("Lte", "scalar", "The value is less than or equal to the argument."),
    word("Range", "pair", "The value is in this closed range."),
    word(
        "Contains",
        "text",
        "The text of the value contains the argument; the text of a set has the form `[red, blue]`.",
    ),
    word("StartsWith", "text", "The text of the value begins with the argument."),
    word("EndsWith", "text", "The text of the value ends with the argument."),
    word("Matches", "text", "The whole text of the value matches this regular expression."),
    word("ContainsMatch", "text", "A part of the text of the value matches this regular expression."),
    word("IsNull", "empty", "The value is missing."),
    word("IsNotNull", "empty", "The value is not missing."),
    word("IsEmpty", "empty", "The value is missing or an empty string."),
    word("IsNotEmpty", "empty", "The value is neither missing nor an empty string."),
    word("IsIP", "empty", "The value is an IPv4 address."),
    word("IsCidr", "empty", "The value is an IPv4 address block."),
    word("IpContainedIn", "text", "The value is an IPv4 address in this block, such as `10.0.0.0/8`."),
    word("CidrContains", "text", "The value is an IPv4 address block that contains this address."),
    word("All", "empty", "Holds for every value."),
    word("None", "empty", "Holds for no value."),
    word("Not", "test", "This filter does not hold."),
    word("And", "tests", "All of these filters hold."),
    word("Or", "tests", "At least one of these filters holds."),
];

/// The tests of a value in dialects with [`further_names`](crate::Dialect::further_names).
pub(crate) const FURTHER: [Word; 3] = [
    word("Has", "text", "The value is a set with this member."),
    word("HasAny", "names", "The value is a set with at least one of these members."),
    word("IsIp", "empty", "Another name for `IsIP`."),
];

/// The computations.
pub(crate) const COMPUTES: [Word; 10] = [
    word("Constant", "constant", "A fixed value."),
    word("Field", "name", "The value of a resource, `node.resource`."),
    word("Calculate", "text", "A numeric expression: `\"2 * {a.x} - floor({b.y} / 2)\"`."),
    word("CalculateBoolean", "text", "A Boolean expression: `\"{a.open} and not {b.open}\"`."),
    word("Condition", "cases", "The value of the first case that holds."),
    word("MathOp", "math_op", "One operation on fields."),
    word("Template", "text", "A string with the values of fields inserted: `\"{a.x} of {b.y}\"`."),
    word("Chain", "chain", "A value and the steps that transform it."),
    word("ToArray", "to_array", "The list of the values of fields."),
    word("Now", "unsupported", "Not supported: games have no clock."),
];

/// The keys of a case of `Condition`.
pub(crate) const CASE: [Word; 2] = [
    required("when", "tests_of_fields", "The tests of fields, all of which must hold; `{}` always holds."),
    required("value", "compute", "The value if the tests hold."),
];

/// The keys of `MathOp`.
pub(crate) const MATH_OP: [Word; 3] = [
    word("operator", "operator", "The operator; default `ADD`."),
    required("fields", "names", "The fields."),
    word("ifInvalid", "value", "The value if a field is not a number."),
];

/// The keys of `Chain`.
pub(crate) const CHAIN: [Word; 2] = [
    required("from", "compute", "The input value."),
    required("process", "steps", "The steps that transform the value, in order."),
];

/// The keys of `ToArray`.
pub(crate) const TO_ARRAY: [Word; 1] = [required("fields", "names", "The fields.")];

/// The computing steps of a chain; tests of a value are steps as well.
pub(crate) const STEPS: [Word; 16] = [
    word("Add", "scalar", "Adds a number."),
    word("Subtract", "scalar", "Subtracts a number."),
    word("Multiply", "scalar", "Multiplies by a number."),
    word("Divide", "scalar", "Divides by a number."),
    word("Linear", "linear", "Maps one interval linearly to another."),
    word("Lookup", "lookup", "The entry of a table for the value."),
    word("Constant", "value", "A fixed value."),
    word("Identity", "value", "The unchanged value."),
    word("LogValue", "value", "The unchanged value."),
    word("As", "kind", "The value converted to another type."),
    word("RegexCapture", "capture", "The groups of a regular expression, by name."),
    word("OneHot", "values", "The one-hot encoding of the value."),
    word("FlattenList", "value", "Nested lists as one list."),
    word("FlattenMatrix", "value", "Nested lists as one list."),
    word("IpToInt", "value", "An IPv4 address as an integer."),
    word("IpFromInt", "value", "An integer as an IPv4 address."),
];

/// The keys of `Linear`.
pub(crate) const LINEAR: [Word; 2] = [
    required("domain", "interval", "The interval of the input values."),
    required("range", "interval", "The interval of the output values."),
];

/// The keys of a `Lookup` with an explicit table.
pub(crate) const LOOKUP: [Word; 2] = [
    required("table", "table", "The value of each string."),
    word("ifNull", "value", "The value for strings that are not in the table."),
];

/// The keys of `RegexCapture`.
pub(crate) const CAPTURE: [Word; 2] = [
    required("regex", "text", "The regular expression, with groups."),
    required("as", "names", "The names of the groups, in order."),
];

/// The operators of `MathOp`.
pub(crate) const OPERATORS: [(&str, Operator); 15] = [
    ("ADD", Operator::Add),
    ("SUBTRACT", Operator::Subtract),
    ("MULTIPLY", Operator::Multiply),
    ("DIVIDE", Operator::Divide),
    ("NEGATE", Operator::Negate),
    ("MIN", Operator::Min),
    ("MAX", Operator::Max),
    ("AVERAGE", Operator::Average),
    ("STD_DEV", Operator::StdDev),
    ("EQUAL", Operator::Equal),
    ("NOT_EQUAL", Operator::NotEqual),
    ("GT", Operator::Greater),
    ("GTE", Operator::GreaterOrEqual),
    ("LT", Operator::Less),
    ("LTE", Operator::LessOrEqual),
];

/// The kinds of values, by their names in the Cage engine and in Java.
pub(crate) const KINDS: [(&str, Kind); 9] = [
    ("String", Kind::Text),
    ("Int", Kind::Int),
    ("Integer", Kind::Int),
    ("Float", Kind::Real),
    ("Double", Kind::Real),
    ("Number", Kind::Real),
    ("Boolean", Kind::Bool),
    ("java.lang.String", Kind::Text),
    ("java.lang.Integer", Kind::Int),
];
