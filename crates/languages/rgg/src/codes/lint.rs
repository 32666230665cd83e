//! The diagnostic codes of the lints.

goalspec_syntax::codes! {
    /// Odds whose two readings differ.
    ODDS_READING = "rgg/odds-reading", Note,
    "The language is documented with cumulative odds, and the Cage engine adds the odds up. For a consequence that stands alone in its \
    group both are the same; here they are not. The dialect chooses the reading.\n\n\
    Example: `0.5`, `0.8`, `1.0` are 50 %, 30 % and 20 % as documented, and 50 %, 50 % and 0 % in the engine. Use instead \
    consequences that are `independent`, or check that the dialect is the one that was meant.";
    /// Odds or a discount that are no probability.
    ODDS_RANGE = "rgg/odds-range", Warning,
    "Odds and discounts lie between 0 and 1; where the odds of a group are added up, so does their sum. What is below 0 never occurs, \
    and above 1 is as good as 1.\n\nExample: `odds: 50`. Use instead: `odds: 0.5`.";
    /// A consequence that cannot occur.
    UNREACHABLE = "rgg/unreachable-consequence", Warning,
    "Of a group of consequences one occurs at most, and those before this one leave nothing to it; or its own odds are 0.\n\n\
    Example: a second consequence after one with the odds 1. Use instead `independent: true`, so that it is decided by itself.";
    /// A cost that adds.
    COST_ADDS = "rgg/cost-adds", Warning,
    "What stands in `cost` is added: a price is a negative number. Here the action asks for enough of a resource and then gives more \
    of it.\n\nExample: `cost: {a.capital: 2}` with `requires: {a.capital: {Gte: 2}}`. Use instead: `cost: {a.capital: -2}`.";
    /// A requirement with the price as its threshold.
    THRESHOLD = "rgg/threshold-is-cost", Note,
    "What is required is tested after the cost, and the cost stays also if it does not hold. With the price itself as the threshold, \
    twice the price is needed.\n\n\
    Example: `cost: {a.x: -3}` with `requires: {a.x: {Gte: 3}}` needs 6. Use instead `{Gte: 0}` if 3 were to be enough.";
    /// A requirement that the action's own cost makes impossible.
    UNAFFORDABLE = "rgg/unaffordable", Warning,
    "What is required is tested after the cost, and in no state that can be reached does it hold then, though it can hold before. The \
    action costs and does nothing else.\n\n\
    Example: `a.x: int(3)`, `cost: {a.x: -1}`, `requires: {a.x: {Gte: 3}}`. Use instead: `requires: {a.x: {Gte: 2}}`.";
    /// A test that never holds.
    NEVER_HOLDS = "rgg/never-holds", Warning,
    "In no state that can be reached from the beginning does the test hold, whatever the teams do.\n\n\
    Example: `requires: {a.open: true}` where `a.open` begins false and no action opens it. Use instead an action that does, or \
    another value to begin with.";
    /// Filters of nodes that no vector ever passes.
    NO_VECTOR = "rgg/no-vector", Warning,
    "The result picks a vector, and in no state that can be reached is there one with such nodes at its ends: the result never does \
    anything.\n\n\
    Example: `sourceFilter: {ownership: true}` where no node is owned at the beginning and this result is the only one that gives \
    ownership. Use instead a node that begins with `ownership: true`.";
    /// A game that never ends.
    NEVER_ENDS = "rgg/never-ends", Warning,
    "No action brings the game nearer to what `completed` asks for, so it goes on until it is cut off.\n\n\
    Example: `completed: {a.moves: {Gte: 10}}` where every action costs `a.moves: -1`. Use instead: `a.moves: 1`.";
    /// A game that is over before the first turn.
    OVER_AT_START = "rgg/over-at-start", Warning,
    "`completed` is tested before every turn, and it holds in the initial state.\n\n\
    Example: `a.moves: int(0)` with `completed: {a.moves: {Lte: 10}}`. Use instead: `{Gte: 10}`.";
    /// A reward that reads a node which its team never sees.
    REWARD_UNSEEN = "rgg/reward-unseen", Warning,
    "The reward is computed from what the team observes. Of a node that it does not see it observes the initial values, whatever \
    happens there.\n\n\
    Example: a reward that reads `population.dead`, where nobody sees `population`. Use instead `observable: set(humans)` on the node, \
    or compute rewards from the state itself, as the documented dialect does.";
    /// Numbers of different kinds in one operation.
    MIXED_TYPES = "rgg/mixed-types", Note,
    "In `MathOp` and in steps of chains the Cage engine computes in the kind of the first operand: 3 - 0.5 is 3, and 3 / 2 is 1. \
    As documented, whole numbers become real ones where needed. What is no number has no part in arithmetic at all.\n\n\
    Example: `{Field: a.x, Subtract: 0.5}` of a whole number. Use instead: `{Calculate: \"{a.x} - 0.5\"}`, which is always real.";
    /// A label that is part of another one.
    LABEL_PART = "rgg/label-part", Warning,
    "`Contains` tests the text of a set, so the name of a team is also found in longer names.\n\n\
    Example: `observable: {Contains: red}` also holds for a node that only `infrared` sees. Use instead other names, or \
    `{Has: red}`.";
    /// An action that no team can choose.
    UNCHOSEN = "rgg/unchosen-action", Warning,
    "The action is defined and stands in no team's `actionSpace`.\n\nExample: `scan` in `actions` only. Use instead an entry \
    `scan:` under a team in `actionSpace`, or leave the action out.";
    /// A parameter that nothing reads.
    UNUSED_PARAMETER = "rgg/unused-parameter", Warning,
    "Only `source` and `target` have a meaning of their own: they restrict the vectors of results that pick one. Custom results get all \
    parameters.\n\nExample: `attack: {node: \"string.enum(a, b)\"}`. Use instead: `attack: {target: \"string.enum(a, b)\"}`.";
    /// A parameter whose values cannot be drawn.
    UNDRAWABLE = "rgg/undrawable-parameter", Warning,
    "Teams that play at random draw the parameters of an action. Of all texts or numbers nothing says how likely each is, and an empty \
    range has no value: such a team cannot go on when its choice falls on the action.\n\n\
    Example: `attack: {target: string(a)}`. Use instead: `attack: {target: \"string.enum(a, b)\"}`.";
    /// A parameter that no node is the value of.
    NO_SUCH_END = "rgg/no-such-end", Warning,
    "The parameters `source` and `target` restrict the vectors that a result picks to those that begin or end at the node of that name. \
    With another value there is no such vector.\n\n\
    Example: `target: \"string.enum(a, z)\"` on a board without a node `z`. Use instead names of nodes only.";
    /// A reward that is no number.
    REWARD_KIND = "rgg/reward-kind", Warning,
    "A reward is a number. Where it is anything else, the game ends with an error.\n\n\
    Example: `red: {Field: a.owned}` where `a.owned` is true or false. Use instead: \
    `red: {Condition: [{when: {a.owned: true}, value: {Constant: 1}}, {when: {a.owned: false}, value: {Constant: 0}}]}`.";
    /// A resource that nothing reads or writes.
    UNUSED_RESOURCE = "rgg/unused-resource", Note,
    "No action, reward, metric or end of the game speaks of it.\n\nExample: `a: {color: \"string(red)\"}`. Use instead nothing: leave \
    it out.";
    /// A metric that never has a value.
    NO_METRIC = "rgg/no-metric", Warning,
    "What is reported is written by nothing that ever happens, and declared nowhere.\n\n\
    Example: `metrics: [a.won]` where only an action that nobody can choose puts `a.won`. Use instead a declaration with a value to \
    begin with.";
    /// A game that is too large for every lint.
    LINTS_STOPPED = "rgg/lints-stopped", Note,
    "Lints follow what every resource can ever be, action by action and vector by vector. They stop after four million steps of that or 64 rounds, and \
    after as many more those about vectors do: what they would have found is not reported. Errors are, and games are played all the same.";
    /// A value outside of its declared space.
    OUTSIDE = "rgg/outside-space", Warning,
    "What is written here is never in the space that the resource is declared over, or the value to begin with is not. Play does not \
    hold resources to their spaces unless it is told to.\n\n\
    Example: `put: {a.level: 11}` with `a.level: int.range(0; 0,10)`. Use instead a value in the range, or a wider range.";
}
