//! The diagnostic codes of the lints.

goalspec_syntax::codes! {
    /// A variable of which its quantifier's condition does not speak.
    UNUSED_VARIABLE = "bddl/unused-variable", Warning,
    "The condition is the same for every instance, so the quantifier adds nothing; mostly a name further in is wrong.\n\n\
    Example: `(forall (?cup.n.01 - cup.n.01) (open ?door.n.01_1))`. Use instead: `(open ?door.n.01_1)`.";
    /// An instance inside a quantifier over its own category.
    INSTANCE_FOR_VARIABLE = "bddl/instance-for-variable", Warning,
    "The condition speaks of one instance, though a quantifier ranges over all of its category; the variable was probably meant. As \
    it stands, the other instances do not matter.\n\n\
    Example: `(forall (?cup.n.01 - cup.n.01) (inside ?cup.n.01_1 ?box.n.01_1))`. Use instead: \
    `(forall (?cup.n.01 - cup.n.01) (inside ?cup.n.01 ?box.n.01_1))`.";
    /// A relation of a thing with itself.
    SELF_RELATION = "bddl/self-relation", Warning,
    "The two arguments are the same thing, or become the same thing for one value of a variable. Nothing is on, in or next to itself, \
    so this can only fail.\n\n\
    Example: `(forall (?log.n.01 - log.n.01) (ontop ?log.n.01 ?log.n.01_1))` asks for the first log on top of itself. For pairs of \
    different things there is `forpairs`, which never pairs a thing with itself.";
    /// More is asked for than is declared.
    TOO_MANY = "bddl/too-many", Warning,
    "The number is larger than the number of instances, so the condition can never hold.\n\n\
    Example: `(forn (3) (?cup.n.01 - cup.n.01) ..)` where two cups are declared.";
    /// A `forn` whose two readings differ.
    FORN_READING = "bddl/forn-reading", Note,
    "The simulators take `(forn (2) ..)` for exactly two. The documentation says at least two, and the ground options of the same \
    simulators ask for at least two, so a state may count as fully rewarded and yet not as a success. The readings agree only where \
    all instances are asked for. The dialect chooses the reading.";
    /// A `forpairs` or `fornpairs` whose two readings differ.
    PAIRS_READING = "bddl/pairs-reading", Note,
    "The documentation says that things are paired one to one. The simulators only count how many things of each side have some partner, \
    which three cups reach with two saucers for one and a shared saucer for the others. Up to two pairs the readings agree. The dialect \
    chooses the reading.";
    /// No state makes the goal hold.
    CONTRADICTORY_GOAL = "bddl/contradictory-goal", Warning,
    "Taken together, some conjuncts of the goal cannot hold, whatever the agent does; the smallest such group that was found is \
    shown.\n\nExample: six logs, each of which is to be on the table or on another log, exactly two of them on the table and exactly \
    two on another log. `(forn (2) ..)` counts exactly two, as the releases evaluate it, though their documentation says at least \
    two; the dialect decides.";
    /// The goal holds before anything is done.
    GOAL_HOLDS_AT_START = "bddl/goal-holds-at-start", Warning,
    "The initial literals alone, with everything else false, make the goal hold, so there is nothing to do. The usual cause is a goal \
    of negations of what `(:init ..)` never says.";
    /// Whether the goal can hold was not decided.
    UNDECIDED_GOAL = "bddl/undecided-goal", Note,
    "The goal is too large to be taken apart over the objects, or its options are too varied to be told apart within the limits on \
    time and memory.";
}
