//! The diagnostic codes of undefined names.

goalspec_syntax::codes! {
    /// A node that is not on the board.
    UNKNOWN_NODE = "rgg/unknown-node", Error,
    "Nodes are listed in `board: {nodes: [..]}`.";
    /// A team that does not play.
    UNKNOWN_TEAM = "rgg/unknown-team", Error,
    "Teams are listed in `teams`. A node that is made visible to a name that is no team is seen by nobody who plays.";
    /// An action that is not defined.
    UNKNOWN_ACTION = "rgg/unknown-action", Error,
    "Every action of `actionSpace` is defined in `actions`. The Cage engine loads such a file and ends the game when a team chooses the \
    action; in its dialect this is a warning. `nothing` needs no definition: it is a free pass.";
    /// A field that never has a value.
    UNKNOWN_FIELD = "rgg/unknown-field", Error,
    "A field is `node.resource`, or `node.observable` for the set of those who see the node. The resource is declared in `resourceSpace` or \
    written by some action. Filters of nodes use the name of the resource alone, and `_node` for the name of the node; results for \
    vectors also have `_source.resource` and `_target.resource`. The Cage engine finds no value for other names, silently, and in its \
    dialect this is a warning.";
    /// A place that nothing can be written to.
    UNKNOWN_PLACE = "rgg/unknown-place", Error,
    "What is written is `node.resource` or `node.observable`; in results for vectors also `_source.resource`, `_target.resource` or \
    `resource` alone, for the target.";
    /// A resource that is written and not declared.
    UNDECLARED = "rgg/undeclared", Warning,
    "The resource begins without a value and gets one with the first write. Declared in `resourceSpace`, it has a value from the start, and \
    a misspelt name is found.";
    /// An intermediate value that reads another one.
    SIBLING = "rgg/sibling", Error,
    "All intermediate values of a result are computed from the state before, and none of them sees another. The Cage engine gives such \
    a reading no value, silently, and in its dialect this is a warning.\n\n\
    Example: `compute: {k: 1, m: {Field: k}}`. Use instead the expression of `k` in `m`.";
    /// Nothing is written, or added, to a resource.
    NULL_WRITE = "rgg/null-write", Error,
    "A missing value cannot be added to a resource: the Cage engine ends the game. `put: {a.x: null}` removes the resource, and \
    whatever reads it finds no value from then on, which is a warning.";
    /// A name with a dot where it does not count.
    DOTTED_NAME = "rgg/dotted-name", Error,
    "A dot stands between node and resource. A resource with a dot in its name can be declared and cannot be written, since what follows \
    the second dot does not count; in the dialect of the Cage engine this is a warning.";
    /// A declaration of who sees a node that is no set.
    OBSERVABLE = "rgg/observable", Error,
    "`observable` is a set of teams, such as `set(red)`. The Cage engine ignores another declaration, and nobody sees the node; in its \
    dialect this is a warning.";
    /// A team without actions.
    NO_ACTIONS = "rgg/no-actions", Warning,
    "A team without an entry in `actionSpace`, or with an empty one, can only pass. The Cage engine fails at its first turn.";
    /// A team without a reward.
    NO_REWARD = "rgg/no-reward", Warning,
    "Rewards are what policies are compared by. The Cage engine fails at the end of a game in which a team has none.";
    /// A game without teams.
    NO_TEAMS = "rgg/no-teams", Error,
    "Somebody has to move.";
    /// A metric that is no field.
    METRIC = "rgg/metric", Error,
    "A metric is a field, `node.resource`. The Cage engine reports null for one that does not exist, and fails at the end of the game where \
    there is no dot; in its dialect this is a warning.";
}
