//! The diagnostic codes of the form of a game: keys, kinds of values, filters, computations and results.

goalspec_syntax::codes! {
    /// A file without a game.
    EMPTY = "rgg/empty", Error,
    "A game is a map with the sections `metadata`, `teams`, `board`, `resourceSpace`, `actionSpace`, `actions`, `rewards`, `completed` and \
    `metrics`, in any order.";
    /// A value of another kind than belongs here.
    KIND = "rgg/kind", Error,
    "A list stands where a map belongs, a number where text belongs, or the like.\n\n\
    Example: `teams: red`. Use instead: `teams: [red]`.";
    /// A key that nothing knows.
    UNKNOWN_KEY = "rgg/unknown-key", Error,
    "Every map of the language has a fixed set of keys, apart from those whose keys are names. The Cage engine refuses to load a file \
    with another key anywhere.\n\nExample: `oddsDiscount: 0.5`. Use instead: `odds.discount: 0.5`.";
    /// A key that has to be there.
    MISSING_KEY = "rgg/missing-key", Error,
    "An action has `cost` and `requires`, a consequence has `result`, a vector has `from` and `to`, and so on. The Cage engine loads a file \
    without them and fails in the middle of a game.\n\nExample: `wait: {}`. Use instead: `wait: {cost: {}, requires: {}}`.";
    /// Nothing stands after a key that needs a value.
    NO_VALUE = "rgg/no-value", Error,
    "Nothing at all, `~` and `null` are the same, and are no empty map.\n\nExample: `requires:`. Use instead: `requires: {}`.";
    /// A list where the map of resources belongs.
    RESOURCE_LIST = "rgg/resource-list", Error,
    "`resourceSpace` is a map from nodes to their resources. The published page shows lists of maps as well, which the Cage engine does \
    not read.\n\nExample: `- a: {x: int(1)}`. Use instead: `a: {x: int(1)}`, without the dash, or the switch `resource-lists=yes`.";
    /// A section stands after another one that needs it.
    ORDER = "rgg/order", Error,
    "The Cage engine resolves names while it reads: `teams` has to stand before `actionSpace` and `rewards`, and `board` before \
    `resourceSpace`. Apart from its dialect, any order will do.";
    /// A bare number or truth value where a name belongs.
    UNQUOTED_NAME = "rgg/unquoted-name", Error,
    "The names of nodes are text; a bare `1` is a number and a bare `on` is a truth value.\n\n\
    Example: `nodes: [1, 2]`. Use instead: `nodes: [\"1\", \"2\"]`.";
    /// The same thing twice in a list.
    REPEATED = "rgg/repeated", Warning,
    "A team that stands twice moves twice in each round. A node, or a vector with the same ends and no id of its own, counts once.";
    /// A filter that does not exist.
    UNKNOWN_FILTER = "rgg/unknown-filter", Error,
    "The filters are `Equal`, `NotEqual`, `OneOf`, `Gt`, `Gte`, `Lt`, `Lte`, `Range`, `Contains`, `StartsWith`, `EndsWith`, `Matches`, \
    `ContainsMatch`, `IsNull`, `IsNotNull`, `IsEmpty`, `IsNotEmpty`, `IsIP`, `IsCidr`, `IpContainedIn`, `CidrContains`, `All`, `None`, \
    `Not`, `And` and `Or`; also `Has` and `HasAny`, for the members of sets, except in the dialect of the Cage engine. Case counts.\n\n\
    Example: `{gte: 1}`. Use instead: `{Gte: 1}`.";
    /// An argument that a filter cannot use.
    FILTER_ARGUMENT = "rgg/filter-argument", Error,
    "`Gte` and its like take one value, `Range` and `OneOf` a list, `Contains` and its like text, `IsNull` and its like `{}`.\n\n\
    Example: `{Contains: 1}`. Use instead: `{Contains: \"1\"}`.";
    /// A filter that is no map of fields.
    FILTER_FORM = "rgg/filter-form", Error,
    "What is required, completes a game or selects nodes is a map from fields to filters of their values.\n\n\
    Example: `completed: true`. Use instead: `completed: {a.done: true}`.";
    /// `Or` over a map.
    OR_OVER_MAP = "rgg/or-over-map", Error,
    "`Or` takes a list of filters. The Cage engine reads `Or: {a.x: 1, b.x: 1}` as if both had to hold, and loses its place in the file \
    unless the filter stands in a list.\n\n\
    Example: `Or: {a.x: 1, b.x: 1}`. Use instead: `Or: [{a.x: 1}, {b.x: 1}]`.";
    /// A part of a filter that the Cage engine passes over or takes for something else.
    FILTER_IGNORED = "rgg/filter-ignored", Warning,
    "The Cage engine drops what stands beside `And`, `Or` and `Not`; where they come after a field, it takes them for the names of fields; \
    and of several filters of one value it takes the first. Everywhere else all of them have to hold.\n\n\
    Example: `{Gte: 1, Lte: 3}`. Use instead: `{And: [{Gte: 1}, {Lte: 3}]}` or `{Range: [1, 3]}`.";
    /// A filter that the Cage engine cannot read in this place.
    FILTER_PLACE = "rgg/filter-place", Error,
    "Where `And`, `Or` or `Not` is followed by a map, the Cage engine loses its place in the file, unless the filter stands in a list.\n\n\
    Example: `requires: {Not: {a.x: 4}}`. Use instead: `requires: {a.x: {Not: 4}}` or `requires: {And: [{Not: {a.x: 4}}]}`.";
    /// A computation that does not exist.
    UNKNOWN_COMPUTE = "rgg/unknown-compute", Error,
    "The computations are `Constant`, `Field`, `Calculate`, `CalculateBoolean`, `Condition`, `MathOp`, `Template`, `Chain` and `ToArray`. Case \
    counts.";
    /// An argument that a computation cannot use.
    COMPUTE_ARGUMENT = "rgg/compute-argument", Error,
    "`Calculate` and `CalculateBoolean` take text, `Condition` a list of cases, `MathOp` a map with `fields`, and so on.\n\n\
    Example: `{Calculate: 5}`. Use instead: `{Constant: 5}`.";
    /// Something that is no computation.
    COMPUTE_FORM = "rgg/compute-form", Error,
    "A computation is a map with its name as the key. A fixed value stands alone only in `compute`, `add`, `put` and `result`; a list of \
    values needs `Constant`.\n\n\
    Example: `red: 5` in `rewards`. Use instead: `red: {Constant: 5}`.";
    /// A step of a chain that does not exist.
    UNKNOWN_STEP = "rgg/unknown-step", Error,
    "The steps are `Add`, `Subtract`, `Multiply`, `Divide`, `Linear`, `Lookup`, `Constant`, `Identity`, `LogValue`, `As`, `RegexCapture`, `OneHot`, \
    `FlattenList`, `FlattenMatrix`, `IpToInt`, `IpFromInt`, and every filter.";
    /// Something that games have no use for.
    UNSUPPORTED = "rgg/unsupported", Error,
    "The library under the Cage engine moves data between systems, and the language could say all that it can do. Dates, clocks, decoding \
    and values that are maps have no part in a game and are not supported here.";
    /// A result that does not exist.
    UNKNOWN_RESULT = "rgg/unknown-result", Error,
    "The results are `Resources`, `MakeNodeVisible`, `WithRandomVector` and `WithAllVectors`, and those that a program registers under names \
    of its own. On the command line, `--result NAME=URL` says which service decides one, and `--result NAME` that there is one.";
    /// More keys than count.
    SURPLUS = "rgg/surplus", Error,
    "A result, and a computation outside of `compute`, `add`, `put` and `result`, has one key. The Cage engine takes the first and drops \
    the others silently; in its dialect this is a warning. What is to happen together are two consequences, the second one `independent` \
    and with the odds 1.";
    /// A value that is not used.
    IGNORED = "rgg/ignored", Warning,
    "The language has no use for what stands here, and it changes nothing.";
    /// `add` or `result` without an entry.
    EMPTY_ADD = "rgg/empty-add", Warning,
    "An empty `add` or `result` does nothing. The Cage engine adds the whole state of the game to itself instead.";
    /// Odds or a discount that are no number.
    ODDS = "rgg/odds", Error,
    "`odds` and `odds.discount` are fixed numbers, from 0 to 1; they cannot be computed.";
    /// Too many findings in one text.
    TOO_MANY = "rgg/too-many", Error,
    "After 500 findings about the form of a text, and 500 about its names, further ones are not shown. It is a warning where they are \
    warnings.\n\nMend the first ones and run again.";
    /// A text that a comma cuts in two.
    COMMA = "rgg/comma", Error,
    "Inside of `{..}` and `[..]` a comma stands between entries, also within parentheses. In quotes it is a part of the text.\n\n\
    Example: `{observable: set(red, blue)}`. Use instead: `{observable: \"set(red, blue)\"}`.";
}
