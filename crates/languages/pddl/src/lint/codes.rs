//! The diagnostic codes of lints.

goalspec_syntax::codes! {
    /// An unused parameter or quantified variable.
    UNUSED_PARAMETER = "pddl/unused-parameter", Warning,
    "A parameter or quantified variable that occurs in no condition and no effect only multiplies the search space of a planner by the \
    number of its objects. Often a condition on it was forgotten.\n\n\
    Example: `(:action open :parameters (?d ?k) :effect (opened ?d))`. Remove `?k`, or require `(fits ?k ?d)`.";
    /// A duplicate initial fact or value.
    DUPLICATE_FACT = "pddl/duplicate-fact", Warning,
    "The repetition has no effect. Often a fact was copied and its objects not changed.";
    /// An unused predicate or function.
    UNUSED_PREDICATE = "pddl/unused-predicate", Warning,
    "No condition and no effect of the domain uses the predicate or function. Remove the declaration, or find the action that should \
    use it.";
    /// A predicate that is required but never true.
    NEVER_ADDED = "pddl/never-added", Warning,
    "Conditions require a predicate that has no initial fact and that no effect and no rule adds, so they are always false. \
    The usual cause is a misspelt name or a forgotten effect.";
    /// An action that is never applicable.
    UNREACHABLE_ACTION = "pddl/unreachable-action", Warning,
    "A precondition is always false, a parameter has a type without objects, or no objects satisfy the whole precondition, even if facts \
    are never deleted. An action without this warning may still be unreachable, since mutually exclusive facts are not detected.";
    /// An unreachable goal.
    UNREACHABLE_GOAL = "pddl/unreachable-goal", Warning,
    "A fact that the goal requires is initially false, and no applicable action and no rule makes it true, even if facts are never \
    deleted. So the problem is unsolvable. A goal without this warning may still be unreachable, for the same reason as actions.";
    /// A contradictory goal.
    CONTRADICTED_GOAL = "pddl/contradicted-goal", Warning,
    "The goal requires a fact and its negation, so no plan satisfies it.\n\n\
    Example: `(and (on a b) (not (on a b)))`.";
    /// A contradictory precondition.
    CONTRADICTED_PRECONDITION = "pddl/contradicted-precondition", Warning,
    "The precondition requires a fact and its negation, so the action is never applicable.";
    /// An effect that deletes and adds the same atom.
    ADD_AND_DELETE = "pddl/add-and-delete", Warning,
    "An atom that an action both deletes and adds is true afterwards, so the deletion has no effect. Atoms that are equal only for some \
    objects are not reported, since such effects are common.\n\nExample: `(and (not (clear ?x)) (clear ?x))`.";
    /// Conflicting numeric effects.
    CONFLICTING_EFFECTS = "pddl/conflicting-effects", Warning,
    "Effects are simultaneous. A number cannot be assigned and changed by another effect at the same time, and it cannot be both \
    increased and scaled: an action with both effects is never applicable.\n\n\
    Example: `(and (assign (fuel) 5) (increase (fuel) 1))`. Use instead: `(assign (fuel) 6)`.";
    /// A negative precondition on a predicate that is never deleted.
    NEVER_DELETED = "pddl/never-deleted", Warning,
    "A precondition requires the negation of a fact that an effect adds and no effect deletes: once the fact is true, the action is never \
    applicable again for these objects. Often an effect `(not ..)` was forgotten. Ignore the warning if this is intended, as for doors \
    that are never closed again.";
    /// A function without an initial value.
    NO_VALUE = "pddl/no-value", Warning,
    "A function is undefined until it has a value in `(:init ..)` or is assigned one. A condition on an undefined function is false, and \
    an action that increases one is not applicable. Only `(total-cost)` is initially 0 by default, as in other planners.\n\n\
    Example: a domain with `(increase (fuel) 1)`, and a problem without `(= (fuel) 0)`.";
    /// A missing requirement.
    MISSING_REQUIREMENT = "pddl/missing-requirement", Warning,
    "`(:requirements ..)` declares the language features in use; the default is `:strips`. Planners that rely on it reject or misread a \
    file with undeclared features. The fix adds the missing requirements.";
    /// A superfluous requirement.
    SUPERFLUOUS_REQUIREMENT = "pddl/superfluous-requirement", Note,
    "The file does not use this language feature. The requirement is harmless, but planners without the feature reject the file.";
}
