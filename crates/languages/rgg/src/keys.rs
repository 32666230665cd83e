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
    word("metadata", "metadata", "What the game is called and what it is about."),
    required("teams", "names", "The teams, in the order in which they take turns."),
    word("board", "board", "The nodes, and the vectors between them."),
    word("resourceSpace", "nodes", "For each node its resources: what each ranges over and begins with."),
    word("actionSpace", "choices", "For each team the actions it may choose from, with their parameters."),
    word("actions", "actions", "What each action costs, requires and leads to."),
    word("rewards", "rewards", "For each team how its reward is computed."),
    word("completed", "completed", "When the game is over; asked before every turn."),
    word("metrics", "names", "The resources that are reported at the end, each as `node.resource`."),
];

/// The keys of `metadata`.
pub(crate) const METADATA: [Word; 2] =
    [word("id", "label", "The name of the game."), word("description", "label", "What the game is about.")];

/// The keys of `board`.
pub(crate) const BOARD: [Word; 2] =
    [word("nodes", "texts", "The names of the nodes."), word("vectors", "vectors", "The links from node to node.")];

/// The keys of a vector.
pub(crate) const VECTOR: [Word; 3] = [
    required("from", "name", "The node where the vector begins."),
    required("to", "name", "The node where the vector ends."),
    word("id", "name", "What tells it from other vectors between the same nodes."),
];

/// The keys of an action.
pub(crate) const ACTION: [Word; 3] = [
    required("cost", "cost", "What is added to resources before anything else; spending is negative."),
    required("requires", "filter", "What has to hold after the cost for the action to be valid; `{}` always holds."),
    word("consequences", "consequences", "What a valid action leads to."),
];

/// The keys of a consequence.
pub(crate) const CONSEQUENCE: [Word; 4] = [
    word("odds", "number", "How likely it is; 1 where nothing is said."),
    word("odds.discount", "number", "What the odds are multiplied by whenever the action has been used."),
    word("independent", "truth", "Whether a new random number is drawn, for this one and those after it."),
    required("result", "result", "What happens."),
];

/// The results of the language.
pub(crate) const RESULTS: [Word; 4] = [
    word("Resources", "resources", "Adds to resources and replaces them."),
    word("MakeNodeVisible", "make_node_visible", "Lets a team see the target of a vector that is picked at random."),
    word("WithRandomVector", "with_vectors", "Adds to resources at the ends of a vector that is picked at random."),
    word("WithAllVectors", "with_vectors", "Adds to resources at the ends of every vector that passes the filters."),
];

/// The keys of `Resources`.
pub(crate) const RESOURCES: [Word; 3] = [
    word("compute", "assignments", "Intermediate values by name, for `add` and `put`."),
    word("add", "assignments", "What is added to resources; what is no number replaces them."),
    word("put", "assignments", "What resources become; a value that is missing removes the resource."),
];

/// The filters of results for vectors.
pub(crate) const ENDS: [Word; 2] = [
    word("sourceFilter", "filter", "What has to hold of the resources of the node where the vector begins."),
    word("targetFilter", "filter", "What has to hold of the resources of the node where the vector ends."),
];

/// The short names of these filters.
pub(crate) const SHORT_ENDS: [Word; 2] = [
    word("source", "filter", "Another name for `sourceFilter`."),
    word("target", "filter", "Another name for `targetFilter`."),
];

/// The keys of `MakeNodeVisible`, in addition to [`ENDS`].
pub(crate) const MAKE_NODE_VISIBLE: [Word; 1] = [required("team", "name", "The team that sees the node from then on.")];

/// The keys of `WithRandomVector` and `WithAllVectors`, in addition to [`ENDS`].
pub(crate) const WITH_VECTORS: [Word; 2] = [
    word("compute", "assignments", "Intermediate values by name, for `result`."),
    required("result", "assignments", "What is added to resources; `_source.x` and `_target.x` are those of the ends."),
];

/// A further key of results on vectors, in dialects with [`vector_team`](crate::Dialect::vector_team).
pub(crate) const VECTOR_TEAM: [Word; 1] = [word("team", "name", "Changes nothing.")];

/// The keys of a filter that are not fields. `DatumFieldFilter` is a class of the Cage engine, a conjunction of tests of fields.
pub(crate) const COMBINATORS: [Word; 6] = [
    word("And", "all_filters", "All of these hold."),
    word("Or", "filters", "At least one of these holds."),
    word("Not", "filter", "This does not hold."),
    word("All", "empty", "Always holds."),
    word("None", "empty", "Never holds."),
    word("DatumFieldFilter", "tests_of_fields", "All of these tests of fields hold."),
];

/// The tests of a value in every dialect.
pub(crate) const FILTERS: [Word; 26] = [
    word("Equal", "scalar", "It equals this."),
    word("NotEqual", "scalar", "It does not equal this."),
    word("OneOf", "values", "It equals one of these."),
    word("Gt", "scalar", "It is greater."),
    word("Gte", "scalar", "It is greater or equal."),
    word("Lt", "scalar", "It is less."),
    word("Lte", "scalar", "It is less or equal."),
    word("Range", "pair", "It lies between these two, bounds included."),
    word("Contains", "text", "Its text has this in it; the text of a set is like `[red, blue]`."),
    word("StartsWith", "text", "Its text begins with this."),
    word("EndsWith", "text", "Its text ends with this."),
    word("Matches", "text", "All of its text is of this regular expression."),
    word("ContainsMatch", "text", "A part of its text is of this regular expression."),
    word("IsNull", "empty", "There is no value."),
    word("IsNotNull", "empty", "There is a value."),
    word("IsEmpty", "empty", "There is no value, or a text of no letters."),
    word("IsNotEmpty", "empty", "There is a value, and no text of no letters."),
    word("IsIP", "empty", "It is an IPv4 address."),
    word("IsCidr", "empty", "It is a block of IPv4 addresses."),
    word("IpContainedIn", "text", "It is an address of this block, such as `10.0.0.0/8`."),
    word("CidrContains", "text", "It is a block with this address in it."),
    word("All", "empty", "Holds of every value."),
    word("None", "empty", "Holds of no value."),
    word("Not", "test", "This does not hold."),
    word("And", "tests", "All of these hold."),
    word("Or", "tests", "At least one of these holds."),
];

/// The tests of a value in dialects with [`further_names`](crate::Dialect::further_names).
pub(crate) const FURTHER: [Word; 3] = [
    word("Has", "text", "It is a set with this member."),
    word("HasAny", "names", "It is a set with at least one of these members."),
    word("IsIp", "empty", "Another name for `IsIP`."),
];

/// The computations.
pub(crate) const COMPUTES: [Word; 10] = [
    word("Constant", "constant", "This value."),
    word("Field", "name", "The value of a resource, `node.resource`."),
    word("Calculate", "text", "A number: `\"2 * {a.x} - floor({b.y} / 2)\"`."),
    word("CalculateBoolean", "text", "A truth value: `\"{a.open} and not {b.open}\"`."),
    word("Condition", "cases", "The value of the first case that holds."),
    word("MathOp", "math_op", "One operation over some fields."),
    word("Template", "text", "A text with the values of fields in it: `\"{a.x} of {b.y}\"`."),
    word("Chain", "chain", "A value, and what becomes of it step by step."),
    word("ToArray", "to_array", "The list of the values of some fields."),
    word("Now", "unsupported", "Not supported: games have no clock."),
];

/// The keys of a case of `Condition`.
pub(crate) const CASE: [Word; 2] = [
    required("when", "tests_of_fields", "The tests of fields that all have to hold; `{}` always holds."),
    required("value", "compute", "The value then."),
];

/// The keys of `MathOp`.
pub(crate) const MATH_OP: [Word; 3] = [
    word("operator", "operator", "What is done with the fields; `ADD` where nothing is said."),
    required("fields", "names", "The fields."),
    word("ifInvalid", "value", "The value where a field is no number."),
];

/// The keys of `Chain`.
pub(crate) const CHAIN: [Word; 2] = [
    required("from", "compute", "The value to begin with."),
    required("process", "steps", "What becomes of it, one step after the other."),
];

/// The keys of `ToArray`.
pub(crate) const TO_ARRAY: [Word; 1] = [required("fields", "names", "The fields.")];

/// The computing steps of a chain; tests of a value are steps as well.
pub(crate) const STEPS: [Word; 16] = [
    word("Add", "scalar", "Adds a number."),
    word("Subtract", "scalar", "Subtracts a number."),
    word("Multiply", "scalar", "Multiplies by a number."),
    word("Divide", "scalar", "Divides by a number."),
    word("Linear", "linear", "Takes one interval to another one, point by point."),
    word("Lookup", "lookup", "What a table has for it."),
    word("Constant", "value", "This value, whatever it was."),
    word("Identity", "value", "The value itself."),
    word("LogValue", "value", "The value itself."),
    word("As", "kind", "The value as one of another kind."),
    word("RegexCapture", "capture", "The groups of a regular expression, by name."),
    word("OneHot", "values", "A list of 0 and 1: which of these it is."),
    word("FlattenList", "value", "Lists within a list as one list."),
    word("FlattenMatrix", "value", "Lists within a list as one list."),
    word("IpToInt", "value", "An IPv4 address as a number."),
    word("IpFromInt", "value", "A number as an IPv4 address."),
];

/// The keys of `Linear`.
pub(crate) const LINEAR: [Word; 2] = [
    required("domain", "interval", "The interval that values come from."),
    required("range", "interval", "The interval that they go to."),
];

/// The keys of a `Lookup` with an explicit table.
pub(crate) const LOOKUP: [Word; 2] = [
    required("table", "table", "What each text stands for."),
    word("ifNull", "value", "The value of what is not in the table."),
];

/// The keys of `RegexCapture`.
pub(crate) const CAPTURE: [Word; 2] = [
    required("regex", "text", "The regular expression, with groups."),
    required("as", "names", "The names of the groups, in their order."),
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
