//! Every diagnostic code of the lints, with its documentation.

goalspec_syntax::codes! {
    /// An unused variable.
    UNUSED_VARIABLE = "game/unused-variable", Warning,
    "Every binding of the variable gives the same result, so a preference is counted once for each object that the variable can \
    bind, and a condition means the same without it.\n\n\
    Example: `(exists (?b - ball ?h - hexagonal_bin) (at-end (on bed ?b)))`. Use instead: `(exists (?b - ball) (at-end (on bed ?b)))`.";
    /// An unused preference: neither the score nor the terminal condition counts it.
    UNUSED_PREFERENCE = "game/unused-preference", Warning,
    "Satisfying the preference has no effect.\n\nCount it in `:scoring` or `:terminal`, or remove it.";
    /// A measure that is recorded but not counted.
    UNUSED_MEASURE = "game/unused-measure", Note,
    "`once-measure` records a number with each satisfaction, and only `count-measure` uses it.\n\n\
    Use `count-measure` in the score, or `once` in the preference.";
    /// External variables without an effect on the score.
    REDUNDANT_EXTERNALS = "game/redundant-externals", Note,
    "The variables of a `forall` around a preference allow the score to distinguish bindings: by type (`name:dodgeball`), with \
    `count-once-per-external-objects`, or with `external-forall-maximize`. This score does not; an `exists` inside the preference \
    gives the same count.";
    /// A preference with the same definition as another one.
    SAME_PREFERENCE = "game/same-preference", Warning,
    "Both preferences are satisfied by the same play at the same time, so one is enough.\n\n\
    Count one of them twice, or correct the one that was meant to be different.";
    /// A condition that is never true.
    CONTRADICTION = "game/contradiction", Warning,
    "The parts of the condition cannot be true in the same state.\n\n\
    Example: `(and (agent_holds ?b) (not (agent_holds ?b)))`, or `(and (< (distance ?a ?b) 1) (> (distance ?a ?b) 2))`.";
    /// A condition that is always true.
    TAUTOLOGY = "game/tautology", Warning,
    "The condition has no effect, because it is true in every state.\n\n\
    Example: `(or (in_motion ?b) (not (in_motion ?b)))`, or `(>= (distance ?a ?b) 0)`.";
    /// A redundant part of a condition.
    REDUNDANT_OPERAND = "game/redundant-operand", Note,
    "The condition means the same without the part.\n\n\
    Example: `(and (< (distance ?a ?b) 1) (< (distance ?a ?b) 2))`, where the second part follows from the first.";
    /// A duplicate operand.
    DUPLICATE_OPERAND = "game/duplicate-operand", Warning,
    "A repeated operand of `and` or `or` has no effect. Often one of the two was meant to name another object.\n\n\
    Example: `(and (on desk ?a) (on desk ?a))`.";
    /// A logical operator directly inside the same operator.
    NESTED_LOGIC = "game/nested-logic", Note,
    "The inner operands can be moved to the outer list.\n\nExample: `(and (open ?d) (and (on ?d ?b) (in_motion ?b)))`. \
    Use instead: `(and (open ?d) (on ?d ?b) (in_motion ?b))`.";
    /// A double negation.
    DOUBLE_NEGATION = "game/double-negation", Note,
    "`(not (not x))` is `x`.";
    /// An operator with a single operand.
    SINGLE_OPERAND = "game/single-operand", Note,
    "`(and x)`, `(or x)`, `(+ x)` and `(* x)` are `x`; an operand may be missing. `(= x)` is always true.";
    /// A predicate that is false for all possible arguments.
    IMPOSSIBLE_PREDICATE = "game/impossible-predicate", Warning,
    "According to the types and settings of the world, the predicate is false for all objects that the arguments can bind: only \
    containers have contents, only objects that can be opened are open.\n\n\
    Example: `(in desk ?b)` in the rooms. Use instead: `(on desk ?b)`.";
    /// A repeated argument.
    REPEATED_ARGUMENT = "game/repeated-argument", Warning,
    "Most relations between an object and itself are always true or always false, and its distance to itself is 0.\n\n\
    Example: `(on ?b ?b)`. Use another variable for one of the two.";
    /// A preference without bindings.
    NO_BINDING = "game/no-binding", Warning,
    "Two variables of a preference never bind the same object, and the world has too few objects for all of them.\n\nExample: `(exists (?a \
    ?b - hexagonal_bin) ..)` in a room with one bin. Mention `(same_object ?a ?b)` to allow two variables to bind the same object.";
    /// A preference with many bindings.
    MANY_BINDINGS = "game/many-bindings", Warning,
    "A preference is evaluated for every combination of objects of its variables. The number of combinations is the product of the \
    numbers of objects of the types; time and memory grow with it. Games with more than 67108864 are rejected \
    (the authors' reward machine has its own limit).\n\n\
    Use narrower types, or move a variable into an `exists` inside the condition that needs it.";
    /// Quantifiers inside a condition with many assignments.
    MANY_ASSIGNMENTS = "game/many-assignments", Warning,
    "An `exists` or `forall` inside a condition is evaluated in each state in which a value that it reads has changed, for each binding of \
    the preference. The number is the maximum of one evaluation: the product of the numbers of objects of the variables of nested \
    quantifiers, less the assignments in which two variables bind the same object. Games with more than 1073741824 are rejected.\n\n\
    Example: `(exists (?a ?b ?c ?d ?e - block) (and (on ?a ?b) (on ?c ?d) (on ?e ?a)))`. Use narrower types or fewer variables: operands \
    of an `and` are evaluated as soon as their variables are bound, so operands with few variables save most of the work.";
    /// The same `once` twice in a row.
    REPEATED_ONCE = "game/repeated-once", Warning,
    "Each `once` matches one state, so two of them require two consecutive states. Recordings have many states per second, so one \
    state and two states are hardly ever distinguished.\n\nRemove one, or use `hold` for any number of states.";
    /// The same operator twice in a row.
    REPEATED_OPERATOR = "game/repeated-operator", Warning,
    "Two identical `hold` in a row require one state more than a single one; with `--empty-holds` they require the same. For a \
    `hold-while`, the events must happen twice.";
    /// An event that cannot happen while the condition is true.
    IMPOSSIBLE_EVENT = "game/impossible-event", Warning,
    "The events of `hold-while` happen in states in which its condition is true. Event and condition are mutually exclusive, so the \
    preference is never satisfied.\n\nExample: `(hold-while (in_motion ?b) (not (in_motion ?b)))`. Use instead `hold` followed by `once`.";
    /// An event that is true whenever the condition is true.
    IMPLIED_EVENT = "game/implied-event", Note,
    "The event follows from the condition of the `hold-while`, so it marks no change. `hold` means the same except for the number of \
    states.";
    /// A sequence without any `hold`.
    NO_HOLD = "game/no-hold", Note,
    "Without `hold` or `hold-while`, each operator matches exactly one state, and the states are consecutive. Recordings of people \
    have many states between two actions: insert `(hold ..)` between the operators, with the condition that is true meanwhile.";
    /// A `hold` whose meaning depends on `--empty-holds`.
    EMPTY_HOLD = "game/empty-hold", Note,
    "A `hold` covers at least one state. The prose of the language definition sets no minimum, and `--empty-holds` follows the prose: a \
    `hold` between two other operators may then cover no state. If the conditions before and after it can be true in the same state, two \
    states without any change satisfy the sequence.\n\nExample: `(once (agent_holds ?b)) (hold (in_motion ?b)) (once (not (in_motion \
    ?b)))`, which an agent that stands still with a ball satisfies under `--empty-holds`. Use instead `(once (and (not (agent_holds ?b)) \
    (not (in_motion ?b))))` as the last operator.";
    /// A condition that exceeds the limit of the analysis.
    ANALYSIS_LIMIT = "game/analysis-limit", Note,
    "To find contradictions, tautologies and redundant parts, the check enumerates which parts of a condition can be true together. The \
    number of steps is limited, for one condition and for a whole game, so that no program slows the check down; this condition exceeds \
    the limit.\n\nSplit the condition, or the game.";
    /// A score that is never positive.
    NEVER_POSITIVE = "game/never-positive", Warning,
    "Counts are never negative, which implies that the score never exceeds 0. Doing nothing is optimal.\n\n\
    Example: `(:scoring (* -1 (count p)))`.";
    /// A score that does not depend on the play.
    CONSTANT_SCORE = "game/constant-score", Warning,
    "The score is the same for every play.";
    /// A comparison with a constant value.
    CONSTANT_COMPARISON = "game/constant-comparison", Warning,
    "Counts are never negative and some have an upper bound, which implies the value of the comparison.\n\n\
    Example: `(>= (count p) 0)`, or `(> (count-once p) 1)`.";
    /// A division by zero.
    DIVISION_BY_ZERO = "game/division-by-zero", Warning,
    "The divisor is always 0, so the quotient is undefined. This is an error if the divisor is a number and the score is therefore \
    undefined in every play.\n\nExample: `(/ (count p) 0)`.";
    /// A divisor that is initially 0.
    ZERO_DIVISOR = "game/zero-divisor", Note,
    "The report contains an error for a division by zero, and counts are 0 at the beginning of a play.\n\n\
    Example: `(/ (count hit) (count throw))`. Add a number to the divisor.";
    /// An operation on constants.
    CONSTANT_OPERATION = "game/constant-operation", Note,
    "Replace the operation with its value.\n\nExample: `(* 2 3 (count p))` is fine, `(* (+ 2 3) (count p))` is `(* 5 (count p))`.";
    /// A duplicate operand of a sum.
    IDENTICAL_SCORES = "game/identical-scores", Note,
    "Adding an operand twice multiplies it by 2; often another preference was meant.\n\n\
    Example: `(+ (count p) (count p))`. Use instead: `(* 2 (count p))`.";
    /// A product with a factor of 0.
    ZERO_FACTOR = "game/zero-factor", Warning,
    "The product is always 0, so its other factors have no effect.";
    /// A count per objects of a preference without such variables.
    REDUNDANT_PER_OBJECTS = "game/redundant-per-objects", Note,
    "`count-once-per-objects` counts bindings and `count-once-per-external-objects` those of the variables of the `forall` around the \
    preference. Without such variables they are the same as `count-once`.";
    /// A terminal condition that is never true.
    TERMINAL_NEVER = "game/terminal-never", Warning,
    "The condition never ends the game. Counts are never negative and some have an upper bound; counts of `at-end` preferences are 0 until \
    the game is over.\n\nExample: `(>= (count-once p) 2)`.";
    /// A terminal condition that is true in the first state.
    TERMINAL_IMMEDIATE = "game/terminal-immediate", Warning,
    "The game ends in its first state, before the player can act.\n\n\
    Example: `(<= (count p) 5)`. Use instead: `(>= (count p) 5)`.";
}
