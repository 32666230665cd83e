//! The diagnostic codes of undefined names.

goalspec_syntax::codes! {
    /// An unknown node.
    UNKNOWN_NODE = "rgg/unknown-node", Error,
    "Nodes are listed in `board: {nodes: [..]}`.";
    /// An unknown team.
    UNKNOWN_TEAM = "rgg/unknown-team", Error,
    "Teams are listed in `teams`. A node that is visible only to an unknown team is visible to no player.";
    /// An unknown action.
    UNKNOWN_ACTION = "rgg/unknown-action", Error,
    "Every action of `actionSpace` is defined in `actions`. The Cage engine loads such a file and fails if a team chooses the \
    action; in the dialect `cage` this is a warning. `nothing` needs no definition: it is a free pass.";
    /// An unknown field.
    UNKNOWN_FIELD = "rgg/unknown-field", Error,
    "A field is `node.resource`, or `node.observable` for the set of teams that see the node. The resource is declared in \
    `resourceSpace` or written by an action. Filters of nodes use the name of the resource alone, and `_node` for the name of the \
    node; results on vectors also have `_source.resource` and `_target.resource`. In the Cage engine, other names silently have no \
    value, and in the dialect `cage` this is a warning.";
    /// An unknown target of a write.
    UNKNOWN_TARGET = "rgg/unknown-target", Error,
    "The target of a write is `node.resource` or `node.observable`; in results on vectors also `_source.resource`, \
    `_target.resource`, or `resource` alone for the target node.";
    /// An undeclared resource.
    UNDECLARED_RESOURCE = "rgg/undeclared-resource", Warning,
    "The resource has no value until the first write. A declaration in `resourceSpace` gives it an initial value, and lets the \
    checker find misspelt names.";
    /// An intermediate value that reads another one.
    SIBLING_VALUE = "rgg/sibling-value", Error,
    "All intermediate values of a result are computed from the state before it and cannot refer to each other. In the Cage engine, \
    such a reference silently has no value, and in the dialect `cage` this is a warning.\n\n\
    Example: `compute: {k: 1, m: {Field: k}}`. Use instead the expression of `k` in `m`.";
    /// A write of a missing value.
    NULL_WRITE = "rgg/null-write", Error,
    "A missing value cannot be added to a resource: the Cage engine ends the game with an error. `put: {a.x: null}` removes the \
    resource, which has no value from then on; this is a warning.";
    /// A resource with a dot in its name.
    DOTTED_NAME = "rgg/dotted-name", Error,
    "A dot separates node and resource. A resource with a dot in its name can be declared but not written, because the text after \
    the second dot is ignored; in the dialect `cage` this is a warning.";
    /// An `observable` that is not a set of teams.
    INVALID_OBSERVERS = "rgg/invalid-observers", Error,
    "`observable` is a set of teams, such as `set(red)`. The Cage engine ignores any other declaration, and no team sees the node; \
    in the dialect `cage` this is a warning.";
    /// A team without actions.
    NO_ACTIONS = "rgg/no-actions", Warning,
    "A team without an entry in `actionSpace`, or with an empty one, can only pass. The Cage engine fails in the first turn of the \
    team.";
    /// A team without a reward.
    NO_REWARD = "rgg/no-reward", Warning,
    "Rewards are required to compare policies. The Cage engine fails at the end of a game in which a team has none.";
    /// A game without teams.
    NO_TEAMS = "rgg/no-teams", Error,
    "A game requires at least one team.";
    /// A metric that is not a field.
    UNKNOWN_METRIC = "rgg/unknown-metric", Error,
    "A metric is a field, `node.resource`. The Cage engine reports null for an unknown field, and fails at the end of the game if \
    the name has no dot; in the dialect `cage` this is a warning.";
}
