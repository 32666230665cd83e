//! The diagnostic codes of the form of a game: keys, kinds of values, filters, computations and results.

goalspec_syntax::codes! {
    /// A file without a game.
    EMPTY = "rgg/empty", Error,
    "A game is a map with the sections `metadata`, `teams`, `board`, `resourceSpace`, `actionSpace`, `actions`, `rewards`, \
    `completed` and `metrics`, in any order.";
    /// A value of the wrong kind.
    WRONG_KIND = "rgg/wrong-kind", Error,
    "A list is given instead of a map, a number instead of a string, or similar.\n\n\
    Example: `teams: red`. Use instead: `teams: [red]`.";
    /// An unknown key.
    UNKNOWN_KEY = "rgg/unknown-key", Error,
    "Every map of the language has a fixed set of keys, except maps whose keys are names. The Cage engine rejects a file with any \
    other key.\n\n\
    Example: `oddsDiscount: 0.5`. Use instead: `odds.discount: 0.5`.";
    /// A missing required key.
    MISSING_KEY = "rgg/missing-key", Error,
    "An action has `cost` and `requires`, a consequence has `result`, a vector has `from` and `to`, and so on. The Cage engine \
    loads a file without them and fails during a game.\n\n\
    Example: `wait: {}`. Use instead: `wait: {cost: {}, requires: {}}`.";
    /// A missing value of a key that requires one.
    MISSING_VALUE = "rgg/missing-value", Error,
    "An empty value, `~` and `null` are the same, and are not an empty map.\n\n\
    Example: `requires:`. Use instead: `requires: {}`.";
    /// A list instead of the map of resources.
    RESOURCE_LIST = "rgg/resource-list", Error,
    "`resourceSpace` is a map from nodes to their resources. The published documentation also shows lists of maps, which the Cage \
    engine rejects.\n\n\
    Example: `- a: {x: int(1)}`. Use instead: `a: {x: int(1)}`, without the dash, or the rule `resource-lists=yes`.";
    /// A section before another section that it refers to.
    SECTION_ORDER = "rgg/section-order", Error,
    "The Cage engine resolves names while it reads: `teams` must precede `actionSpace` and `rewards`, and `board` must precede \
    `resourceSpace`. In other dialects, sections may be in any order.";
    /// An unquoted number or boolean as a name.
    UNQUOTED_NAME = "rgg/unquoted-name", Error,
    "The names of nodes are strings; an unquoted `1` is a number, and an unquoted `on` is a boolean.\n\n\
    Example: `nodes: [1, 2]`. Use instead: `nodes: [\"1\", \"2\"]`.";
    /// A duplicate item of a list.
    DUPLICATE = "rgg/duplicate", Warning,
    "A team that is listed twice moves twice in each round. A duplicate node has no effect, and neither has a vector with the same \
    ends and no id of its own.";
    /// An unknown filter.
    UNKNOWN_FILTER = "rgg/unknown-filter", Error,
    "The filters are `Equal`, `NotEqual`, `OneOf`, `Gt`, `Gte`, `Lt`, `Lte`, `Range`, `Contains`, `StartsWith`, `EndsWith`, \
    `Matches`, `ContainsMatch`, `IsNull`, `IsNotNull`, `IsEmpty`, `IsNotEmpty`, `IsIP`, `IsCidr`, `IpContainedIn`, `CidrContains`, \
    `All`, `None`, `Not`, `And` and `Or`; except in the dialect `cage`, also `Has` and `HasAny`, for the members of sets. Names \
    are case-sensitive.\n\n\
    Example: `{gte: 1}`. Use instead: `{Gte: 1}`.";
    /// An invalid argument of a filter.
    FILTER_ARGUMENT = "rgg/filter-argument", Error,
    "`Gte` and similar filters take one value, `Range` and `OneOf` a list, `Contains` and similar filters a string, `IsNull` and \
    similar filters `{}`.\n\n\
    Example: `{Contains: 1}`. Use instead: `{Contains: \"1\"}`.";
    /// A filter that is not a map of fields.
    FILTER_FORM = "rgg/filter-form", Error,
    "The requirement of an action, the end condition of a game and the filters of nodes are maps from fields to filters of their \
    values.\n\n\
    Example: `completed: true`. Use instead: `completed: {a.done: true}`.";
    /// An `Or` of a map.
    OR_OVER_MAP = "rgg/or-over-map", Error,
    "`Or` takes a list of filters. The Cage engine reads `Or: {a.x: 1, b.x: 1}` as a conjunction, and then misreads the rest of the \
    file unless the filter is in a list.\n\n\
    Example: `Or: {a.x: 1, b.x: 1}`. Use instead: `Or: [{a.x: 1}, {b.x: 1}]`.";
    /// A part of a filter that the Cage engine ignores or misreads.
    FILTER_IGNORED = "rgg/filter-ignored", Warning,
    "The Cage engine ignores the keys beside a leading `And`, `Or` or `Not`; after a field, it reads these three as names of \
    fields; and of several filters of one value it uses the first. In other dialects, all of them must hold.\n\n\
    Example: `{Gte: 1, Lte: 3}`. Use instead: `{And: [{Gte: 1}, {Lte: 3}]}` or `{Range: [1, 3]}`.";
    /// A filter that the Cage engine misreads in this position.
    FILTER_POSITION = "rgg/filter-position", Error,
    "The Cage engine misreads the rest of the file after `And`, `Or` or `Not` with a map, unless the filter is in a list.\n\n\
    Example: `requires: {Not: {a.x: 4}}`. Use instead: `requires: {a.x: {Not: 4}}` or `requires: {And: [{Not: {a.x: 4}}]}`.";
    /// An unknown computation.
    UNKNOWN_COMPUTATION = "rgg/unknown-computation", Error,
    "The computations are `Constant`, `Field`, `Calculate`, `CalculateBoolean`, `Condition`, `MathOp`, `Template`, `Chain` and \
    `ToArray`. Names are case-sensitive.";
    /// An invalid argument of a computation.
    COMPUTATION_ARGUMENT = "rgg/computation-argument", Error,
    "`Calculate` and `CalculateBoolean` take a string, `Condition` a list of cases, `MathOp` a map with `fields`, and so on.\n\n\
    Example: `{Calculate: 5}`. Use instead: `{Constant: 5}`.";
    /// A value that is not a computation.
    COMPUTATION_FORM = "rgg/computation-form", Error,
    "A computation is a map with the name of the computation as its key. A fixed value may replace it only in `compute`, `add`, \
    `put` and `result`; a list of values requires `Constant`.\n\n\
    Example: `red: 5` in `rewards`. Use instead: `red: {Constant: 5}`.";
    /// An unknown step of a chain.
    UNKNOWN_STEP = "rgg/unknown-step", Error,
    "The steps are `Add`, `Subtract`, `Multiply`, `Divide`, `Linear`, `Lookup`, `Constant`, `Identity`, `LogValue`, `As`, \
    `RegexCapture`, `OneHot`, `FlattenList`, `FlattenMatrix`, `IpToInt`, `IpFromInt`, and every filter.";
    /// A feature of the Parsnip library that is not supported.
    UNSUPPORTED = "rgg/unsupported", Error,
    "The Cage engine accepts all filters and computations of Parsnip, its library for data transformation. Dates, clocks, decoding \
    and values that are maps have no use in a game and are not supported.";
    /// An unknown result.
    UNKNOWN_RESULT = "rgg/unknown-result", Error,
    "The results are `Resources`, `MakeNodeVisible`, `WithRandomVector` and `WithAllVectors`, and custom results that a program \
    registers by name. On the command line, `--result NAME=URL` registers a service that computes a result, and `--result NAME` \
    only declares it.";
    /// A surplus entry.
    SURPLUS_ENTRY = "rgg/surplus-entry", Error,
    "A result has one key, and so has a computation outside `compute`, `add`, `put` and `result`. The Cage engine uses the first \
    key and silently ignores the others; in the dialect `cage` this is a warning. Write effects that occur together as two \
    consequences, the second with `independent: true` and odds of 1.";
    /// A value without effect.
    NO_EFFECT = "rgg/no-effect", Warning,
    "The language does not use this value; removing it changes nothing.";
    /// An empty `add` or `result`.
    EMPTY_ADD = "rgg/empty-add", Warning,
    "An empty `add` or `result` has no effect. In the Cage engine, it adds the whole state of the game to itself.";
    /// Odds or a discount that are not a number.
    INVALID_ODDS = "rgg/invalid-odds", Error,
    "`odds` and `odds.discount` are fixed numbers from 0 to 1; they cannot be computed.";
    /// A text with too many diagnostics.
    TOO_MANY_DIAGNOSTICS = "rgg/too-many-diagnostics", Error,
    "Up to 500 diagnostics about the form of a text are shown, and up to 500 about its names. This diagnostic is a warning if the \
    others are warnings.\n\n\
    Fix the reported ones and run the command again.";
    /// A comma that splits an unquoted string.
    UNQUOTED_COMMA = "rgg/unquoted-comma", Error,
    "In `{..}` and `[..]`, commas separate entries, even within parentheses. In a quoted string, a comma is part of the string.\n\n\
    Example: `{observable: set(red, blue)}`. Use instead: `{observable: \"set(red, blue)\"}`.";
}
