//! The diagnostic codes of the lints.

goalspec_syntax::codes! {
    /// An unused quantified variable.
    UNUSED_VARIABLE = "bddl/unused-variable", Warning,
    "The condition is the same for every instance, so the quantifier has no effect; the usual cause is a wrong name in the condition.\n\n\
    Example: `(forall (?cup.n.01 - cup.n.01) (open ?door.n.01_1))`. Use instead: `(open ?door.n.01_1)`.";
    /// An instance in a quantifier over its own category.
    INSTANCE_FOR_VARIABLE = "bddl/instance-for-variable", Warning,
    "The condition refers to one instance, although a quantifier ranges over all instances of its category; the variable was probably \
    intended. As written, the other instances have no effect.\n\n\
    Example: `(forall (?cup.n.01 - cup.n.01) (inside ?cup.n.01_1 ?box.n.01_1))`. Use instead: \
    `(forall (?cup.n.01 - cup.n.01) (inside ?cup.n.01 ?box.n.01_1))`.";
    /// A relation of an object with itself.
    SELF_RELATION = "bddl/self-relation", Warning,
    "The two arguments are the same object, always or for one value of a variable. No object is on, in or next to itself, \
    so the condition is false.\n\n\
    Example: `(forall (?log.n.01 - log.n.01) (ontop ?log.n.01 ?log.n.01_1))` requires the first log to be on top of itself. For pairs of \
    different objects, use `forpairs`, which never pairs an object with itself.";
    /// A number in a quantifier that exceeds the number of declared instances.
    UNSATISFIABLE_COUNT = "bddl/unsatisfiable-count", Warning,
    "The number exceeds the number of instances, so the condition is always false.\n\n\
    Example: `(forn (3) (?cup.n.01 - cup.n.01) ..)` where two cups are declared.";
    /// A `forn` whose evaluated and documented semantics differ.
    AMBIGUOUS_FORN = "bddl/ambiguous-forn", Note,
    "The simulators evaluate `(forn (2) ..)` as exactly two. The documentation says at least two, and the ground options of the same \
    simulators require at least two, so a state may have the full reward without being a success. The two semantics agree only if the \
    number is that of all instances. `--quantifiers` selects the semantics.";
    /// A `forpairs` or `fornpairs` whose evaluated and documented semantics differ.
    AMBIGUOUS_PAIRS = "bddl/ambiguous-pairs", Note,
    "The documentation defines a one-to-one pairing. The simulators only count the objects of each side that have a partner, \
    so three cups and three saucers suffice if one cup is paired with two saucers and the other two cups share the third. Up to two \
    pairs, the two semantics agree. `--quantifiers` selects the semantics.";
    /// A goal that no state satisfies.
    CONTRADICTORY_GOAL = "bddl/contradictory-goal", Warning,
    "The conjuncts of the goal cannot hold together, whatever the agent does; the diagnostic shows a minimal contradictory \
    subset.\n\nExample: six logs, each of which must be on the table or on another log, exactly two of them on the table and exactly \
    two on another log. `(forn (2) ..)` counts exactly two, as the releases evaluate it, although their documentation says at least \
    two; the dialect determines the semantics.";
    /// A goal that holds in the initial state.
    GOAL_HOLDS_INITIALLY = "bddl/goal-holds-initially", Warning,
    "The initial literals alone, with all other atoms false, satisfy the goal, so the empty plan reaches it. The usual cause is a goal \
    of negations of atoms that do not occur in `:init`.";
    /// A goal whose satisfiability is undecided.
    UNDECIDED_GOAL = "bddl/undecided-goal", Note,
    "The ground goal exceeds the size limit, or the analysis of its options exceeds the limits on time and memory.";
}
