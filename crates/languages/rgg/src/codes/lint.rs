//! The diagnostic codes of the lints.

goalspec_syntax::codes! {
    /// Odds that mean different probabilities in different dialects.
    AMBIGUOUS_ODDS = "rgg/ambiguous-odds", Note,
    "The dialect `documented` reads odds as cumulative probabilities, and the dialect `cage` as the probability of each \
    consequence. For a consequence that is alone in its group, both are the same; for this group, they differ.\n\n\
    Example: `0.5`, `0.8`, `1.0` mean 50 %, 30 % and 20 % in `documented`, and 50 %, 50 % and 0 % in `cage`. Use instead \
    consequences that are `independent`, or check that the dialect is the intended one.";
    /// Odds or a discount that are not a probability.
    ODDS_RANGE = "rgg/odds-range", Warning,
    "Odds and discounts are numbers from 0 to 1. If the dialect adds up the odds of a group, their sum must not exceed 1. Odds \
    below 0 have the effect of 0, and odds above 1 the effect of 1.\n\n\
    Example: `odds: 50`. Use instead: `odds: 0.5`.";
    /// A consequence that never occurs.
    UNREACHABLE = "rgg/unreachable-consequence", Warning,
    "At most one consequence of a group occurs. The earlier consequences of the group leave it a probability of 0, or its own \
    odds are 0.\n\n\
    Example: a second consequence after one with odds of 1. Use instead `independent: true`, which makes its probability \
    independent of the others.";
    /// A positive cost of a resource that the action requires.
    COST_ADDS = "rgg/cost-adds", Warning,
    "The values in `cost` are added: a price is a negative number. This action requires a minimum of a resource and then adds to \
    it.\n\n\
    Example: `cost: {a.capital: 2}` with `requires: {a.capital: {Gte: 2}}`. Use instead: `cost: {a.capital: -2}`.";
    /// A requirement whose threshold is the price of the action.
    THRESHOLD = "rgg/threshold-is-cost", Note,
    "The requirement is tested after the cost is paid, and the cost is paid even if the requirement does not hold. With the price \
    as the threshold, the action requires twice the price.\n\n\
    Example: `cost: {a.x: -3}` with `requires: {a.x: {Gte: 3}}` needs 6. Use instead `{Gte: 0}` if 3 should suffice.";
    /// A requirement that never holds after the cost of the action.
    UNAFFORDABLE = "rgg/unaffordable", Warning,
    "The requirement is tested after the cost is paid. It holds in some reachable state before the cost, but in none after it, so \
    the action only costs.\n\n\
    Example: `a.x: int(3)`, `cost: {a.x: -1}`, `requires: {a.x: {Gte: 3}}`. Use instead: `requires: {a.x: {Gte: 2}}`.";
    /// A condition that never holds.
    NEVER_HOLDS = "rgg/never-holds", Warning,
    "The condition is false in every reachable state.\n\n\
    Example: `requires: {a.open: true}` if `a.open` is initially false and no action sets it. Use instead an action that sets it, \
    or another initial value.";
    /// A vector filter that never matches.
    NO_MATCHING_VECTOR = "rgg/no-matching-vector", Warning,
    "The result selects a vector, and in no reachable state does a vector have ends that match the filters: the result has no \
    effect.\n\n\
    Example: `sourceFilter: {ownership: true}` if no node is initially owned and only this result sets ownership. Use instead a \
    node with the initial value `ownership: true`.";
    /// A game that never ends.
    NEVER_ENDS = "rgg/never-ends", Warning,
    "No sequence of actions makes `completed` true, so every game is truncated.\n\n\
    Example: `completed: {a.moves: {Gte: 10}}` if every action costs `a.moves: -1`. Use instead: `a.moves: 1`.";
    /// A game that is completed before the first turn.
    COMPLETED_AT_START = "rgg/completed-at-start", Warning,
    "`completed` is tested before every turn, and it holds in the initial state.\n\n\
    Example: `a.moves: int(0)` with `completed: {a.moves: {Lte: 10}}`. Use instead: `{Gte: 10}`.";
    /// A reward that reads a node which its team never observes.
    REWARD_UNSEEN = "rgg/reward-unseen", Warning,
    "The reward is computed from the observation of the team, in which nodes that it does not see have their initial values.\n\n\
    Example: a reward that reads `population.dead` if no team sees `population`. Use instead `observable: set(humans)` on the \
    node, or compute rewards from the true state, as in the dialect `documented`.";
    /// Arithmetic on operands of different types.
    MIXED_TYPES = "rgg/mixed-types", Note,
    "In `MathOp` and in steps of chains, the Cage engine computes in the type of the first operand: 3 - 0.5 is 3, and 3 / 2 is 1. \
    In the dialect `documented`, integers are promoted to real numbers where necessary. Operands that are not numbers have no \
    result.\n\n\
    Example: `{Field: a.x, Subtract: 0.5}` of an integer. Use instead: `{Calculate: \"{a.x} - 0.5\"}`, whose result is always \
    real.";
    /// A label that is part of another label.
    SUBSTRING_LABEL = "rgg/substring-label", Warning,
    "`Contains` searches the text of a set, so the name of a team is also found within longer names.\n\n\
    Example: `observable: {Contains: red}` also holds for a node that only `infrared` sees. Use instead other names, or `{Has: \
    red}`.";
    /// An action that no team can choose.
    UNAVAILABLE_ACTION = "rgg/unavailable-action", Warning,
    "The action is defined, but not listed in the `actionSpace` of any team.\n\n\
    Example: `scan` in `actions` only. Use instead an entry `scan:` of a team in `actionSpace`, or remove the action.";
    /// An unused parameter.
    UNUSED_PARAMETER = "rgg/unused-parameter", Warning,
    "Only the parameters `source` and `target` have a predefined meaning: they restrict the vectors of results that select one. \
    Custom results receive all parameters.\n\n\
    Example: `attack: {node: \"string.enum(a, b)\"}`. Use instead: `attack: {target: \"string.enum(a, b)\"}`.";
    /// A parameter whose values cannot be sampled.
    UNSAMPLEABLE_PARAMETER = "rgg/unsampleable-parameter", Warning,
    "Random policies sample the parameters of actions. An unbounded space has no uniform distribution, and an empty range has no \
    values: a random policy fails if it selects the action.\n\n\
    Example: `attack: {target: string(a)}`. Use instead: `attack: {target: \"string.enum(a, b)\"}`.";
    /// A parameter whose value is not the name of a node.
    UNKNOWN_ENDPOINT = "rgg/unknown-endpoint", Warning,
    "The parameters `source` and `target` restrict the vectors of a result to those that begin or end at the named node. With any \
    other value, no vector matches.\n\n\
    Example: `target: \"string.enum(a, z)\"` on a board without a node `z`. Use instead names of nodes only.";
    /// A reward that is not a number.
    REWARD_KIND = "rgg/reward-kind", Warning,
    "A reward is a number. Any other value ends the game with an error.\n\n\
    Example: `red: {Field: a.owned}` if `a.owned` is a boolean. Use instead: `red: {Condition: [{when: {a.owned: true}, value: \
    {Constant: 1}}, {when: {a.owned: false}, value: {Constant: 0}}]}`.";
    /// An unused resource.
    UNUSED_RESOURCE = "rgg/unused-resource", Note,
    "No action, reward, metric or end condition refers to the resource.\n\n\
    Example: `a: {color: \"string(red)\"}`. Remove it.";
    /// A metric that never has a value.
    METRIC_WITHOUT_VALUE = "rgg/metric-without-value", Warning,
    "The metric is not declared, and no action that a team can choose writes it.\n\n\
    Example: `metrics: [a.won]` if only an action that no team can choose puts `a.won`. Use instead a declaration with an initial \
    value.";
    /// A game that exceeds the limit of the lints.
    LINT_LIMIT = "rgg/lint-limit", Note,
    "The lints compute the possible values of every resource, action by action and vector by vector. They stop after four million \
    steps or 64 rounds, and the lints of vectors stop after as many more: further findings are not reported. Errors are reported, \
    and the game can be played.";
    /// A value outside its declared space.
    OUTSIDE = "rgg/outside-space", Warning,
    "The written value is never in the declared space of the resource, or its initial value is not. By default, play does not \
    enforce spaces.\n\n\
    Example: `put: {a.level: 11}` with `a.level: int.range(0; 0,10)`. Use instead a value in the range, or a wider range.";
}
