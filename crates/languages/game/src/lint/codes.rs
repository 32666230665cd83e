//! Diagnostic codes of the lints, with their documentation.

goalspec_syntax::codes! {
    /// A variable that is declared but never used.
    UNUSED_VARIABLE = "game/unused-variable", Warning,
    "Every binding of the variable gives the same result, so a preference is counted once for each object that the variable could \
    be, and a condition says no more than without it.\n\n\
    Example: `(exists (?b - ball ?h - hexagonal_bin) (at-end (on bed ?b)))`. Use instead: `(exists (?b - ball) (at-end (on bed ?b)))`.";
    /// A preference that neither the score nor the terminal condition counts.
    UNUSED_PREFERENCE = "game/unused-preference", Warning,
    "Playing so that the preference is satisfied changes nothing.\n\nCount it in `:scoring` or `:terminal`, or remove it.";
    /// A measure that is taken but not counted.
    UNUSED_MEASURE = "game/unused-measure", Note,
    "`once-measure` records a number with each satisfaction, and only `count-measure` uses it.\n\n\
    Use `count-measure` in the score, or `once` in the preference.";
    /// External variables that make no difference to any score.
    PLAIN_EXTERNALS = "game/plain-externals", Note,
    "The variables of a `forall` around a preference are there for the score to tell bindings apart: by type (`name:dodgeball`), with \
    `count-once-per-external-objects`, or with `external-forall-maximize`. Nothing does so here; an `exists` inside the preference \
    counts the same.";
    /// A preference that says the same as another one.
    SAME_PREFERENCE = "game/same-preference", Warning,
    "Both preferences are satisfied by the same play at the same time, so one is enough.\n\n\
    Count one of them twice, or mend the one that was meant to be different.";
    /// A condition that can never hold.
    CONTRADICTION = "game/contradiction", Warning,
    "Whatever the state, the parts cannot all hold together.\n\n\
    Example: `(and (agent_holds ?b) (not (agent_holds ?b)))`, or `(and (< (distance ?a ?b) 1) (> (distance ?a ?b) 2))`.";
    /// A condition that always holds.
    TAUTOLOGY = "game/tautology", Warning,
    "The condition says nothing, because it holds in every state.\n\n\
    Example: `(or (in_motion ?b) (not (in_motion ?b)))`, or `(>= (distance ?a ?b) 0)`.";
    /// A part of a condition that makes no difference.
    REDUNDANT_OPERAND = "game/redundant-operand", Note,
    "The condition means the same without the part.\n\n\
    Example: `(and (< (distance ?a ?b) 1) (< (distance ?a ?b) 2))`, where the second part follows from the first.";
    /// The same part twice in one list.
    DUPLICATE_OPERAND = "game/duplicate-operand", Warning,
    "Saying the same twice has no effect in `and` and `or`. Often one of the two was meant to name another object.\n\n\
    Example: `(and (on desk ?a) (on desk ?a))`.";
    /// A logical operator directly inside the same operator.
    NESTED_LOGIC = "game/nested-logic", Note,
    "The inner parts can stand in the outer list.\n\nExample: `(and (open ?d) (and (on ?d ?b) (in_motion ?b)))`. \
    Use instead: `(and (open ?d) (on ?d ?b) (in_motion ?b))`.";
    /// A negation of a negation.
    DOUBLE_NEGATION = "game/double-negation", Note,
    "`(not (not x))` is `x`.";
    /// An operator over a single part.
    SINGLE_OPERAND = "game/single-operand", Note,
    "`(and x)`, `(or x)`, `(+ x)` and `(* x)` are `x`; a part may have been forgotten. `(= x)` is always true.";
    /// A predicate that holds of no objects that its arguments can be.
    IMPOSSIBLE_PREDICATE = "game/impossible-predicate", Warning,
    "The world's types and settings say that the predicate is false for everything that the arguments range over: things that \
    are no containers have nothing in them, what cannot be opened is not open.\n\n\
    Example: `(in desk ?b)` in the rooms. Use instead: `(on desk ?b)`.";
    /// The same object twice among the arguments.
    REPEATED_ARGUMENT = "game/repeated-argument", Warning,
    "Relations between a thing and itself are mostly never or always true, and its distance to itself is 0.\n\n\
    Example: `(on ?b ?b)`. Use instead another variable for one of the two.";
    /// A preference that no objects can be bound to.
    NO_BINDING = "game/no-binding", Warning,
    "Two variables of a preference never bind the same object, and there are too few objects for all of them.\n\n\
    Example: `(exists (?a ?b - hexagonal_bin) ..)` in a room with one bin. Mention `(same_object ?a ?b)` to lift the rule for two variables.";
    /// A preference with very many bindings.
    MANY_BINDINGS = "game/many-bindings", Warning,
    "A preference is looked for with every combination of objects for its variables. The number is the product of how many objects \
    each type has; time and memory grow with it. Beyond 67108864 the game is refused \
    (the authors' reward machine has a limit of its own).\n\n\
    Use narrower types, or move a variable into an `exists` inside the condition that needs it.";
    /// Quantifiers inside of a condition with very many assignments.
    MANY_ASSIGNMENTS = "game/many-assignments", Warning,
    "An `exists` or `forall` inside of a condition is evaluated in each state in which something that it reads has changed, for each binding of the \
    preference. The number is the most that one evaluation may go through: the product of how many objects the variables of quantifiers inside each \
    other have, less those that variables kept apart cannot have. Beyond 1073741824 the game is refused.\n\n\
    Example: `(exists (?a ?b ?c ?d ?e - block) (and (on ?a ?b) (on ?c ?d) (on ?e ?a)))`. Use narrower types, or fewer variables: parts of an `and` are \
    tested as soon as their variables are bound, so that parts with few variables save most of the work.";
    /// The same `once` twice in a row.
    REPEATED_ONCE = "game/repeated-once", Warning,
    "Each `once` is one state, so two of them ask for two states one after the other. Recordings have many states a second: one \
    look is hardly ever told from two.\n\nRemove one, or use `hold` for any number of states.";
    /// The same operator twice in a row.
    REPEATED_OPERATOR = "game/repeated-operator", Warning,
    "Two equal `hold` one after the other ask for one state more than one of them does, and with `--empty-holds` for nothing more. For a `hold-while` \
    the events must happen twice.";
    /// An event that cannot happen while the condition holds.
    IMPOSSIBLE_EVENT = "game/impossible-event", Warning,
    "The events of `hold-while` happen in states in which its condition holds, and the two exclude each other, so the preference is never \
    satisfied.\n\nExample: `(hold-while (in_motion ?b) (not (in_motion ?b)))`. Use instead `hold` followed by `once`.";
    /// An event that happens whenever the condition holds.
    CERTAIN_EVENT = "game/certain-event", Note,
    "The event follows from the condition of the `hold-while`, so it is no event. `hold` says the same, but for the number of states.";
    /// A sequence without any `hold`.
    NO_HOLD = "game/no-hold", Note,
    "Without `hold` or `hold-while` each operator is exactly one state, and all of them follow each other immediately. Between what \
    people do there are mostly many states: put `(hold ..)` with what is true meanwhile between the operators.";
    /// A `hold` that the two readings of the language take for different things.
    EMPTY_HOLD = "game/empty-hold", Note,
    "A `hold` covers one state or more. The prose of the text that defines the language sets no minimum, and `--empty-holds` reads programs so: \
    then a `hold` between two other operators may cover nothing. Where the conditions before and behind it can be true in the same state, that makes \
    a satisfaction of two states in which nothing changes.\n\n\
    Example: `(once (agent_holds ?b)) (hold (in_motion ?b)) (once (not (in_motion ?b)))`, which who stands still with a ball satisfies under \
    `--empty-holds`. Use instead `(once (and (not (agent_holds ?b)) (not (in_motion ?b))))` as the last operator.";
    /// A condition that is too large to be reasoned about.
    NOT_EXAMINED = "game/not-examined", Note,
    "Contradictions, tautologies and parts without effect are found by trying which parts of a condition can be true together. The number of steps \
    is limited, for one condition and for a whole game, so that no program makes the check slow; this condition needs more.\n\n\
    Split the condition, or the game.";
    /// A score that is never above zero.
    NEVER_POSITIVE = "game/never-positive", Warning,
    "Counts are zero or more, and computed from that the score cannot exceed zero whatever happens, so doing nothing is a best play.\n\n\
    Example: `(:scoring (* -1 (count p)))`.";
    /// A score that does not depend on the play.
    CONSTANT_SCORE = "game/constant-score", Warning,
    "The score is the same whatever happens.";
    /// A comparison whose outcome is known beforehand.
    DECIDED_COMPARISON = "game/decided-comparison", Warning,
    "Counts are zero or more, some have an upper bound, and computed from that the comparison always comes out the same.\n\n\
    Example: `(>= (count p) 0)`, or `(> (count-once p) 1)`.";
    /// A division by zero.
    DIVISION_BY_ZERO = "game/division-by-zero", Warning,
    "The divisor is always zero, so there is no value where the division stands. If it is a number, and the score cannot have a value in any play, \
    this is an error.\n\nExample: `(/ (count p) 0)`.";
    /// A divisor that is zero at the beginning.
    ZERO_DIVISOR = "game/zero-divisor", Note,
    "A division by zero is an error that the report carries, and counts are zero at the beginning of a play.\n\n\
    Example: `(/ (count hit) (count throw))`. Add a number to the divisor.";
    /// An operation on numbers alone.
    CONSTANT_OPERATION = "game/constant-operation", Note,
    "The value is known; write it.\n\nExample: `(* 2 3 (count p))` is fine, `(* (+ 2 3) (count p))` is `(* 5 (count p))`.";
    /// The same part of a score twice.
    IDENTICAL_SCORES = "game/identical-scores", Note,
    "Adding the same twice is the same as multiplying by two; often another preference was meant.\n\n\
    Example: `(+ (count p) (count p))`. Use instead: `(* 2 (count p))`.";
    /// A product with zero.
    ZERO_FACTOR = "game/zero-factor", Warning,
    "The product is always zero, so its other factors do not count.";
    /// A way of counting that can only be 0 or 1.
    PLAIN_COUNT_ONCE = "game/plain-count-once", Note,
    "`count-once-per-objects` counts bindings and `count-once-per-external-objects` those of the variables of the `forall` around the \
    preference. Without such variables they are the same as `count-once`.";
    /// A terminal condition that never holds.
    TERMINAL_NEVER = "game/terminal-never", Warning,
    "The game never ends by this condition. Counts are zero or more and some have an upper bound; `at-end` preferences are zero until the game is over.\n\n\
    Example: `(>= (count-once p) 2)`.";
    /// A terminal condition that holds from the start.
    TERMINAL_IMMEDIATE = "game/terminal-immediate", Warning,
    "The game ends in its very first state, before anything can be done.\n\n\
    Example: `(<= (count p) 5)`. Use instead: `(>= (count p) 5)`.";
}
