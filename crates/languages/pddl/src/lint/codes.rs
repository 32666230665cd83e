//! The diagnostic codes of lints.

goalspec_syntax::codes! {
    /// An unused parameter or quantified variable.
    UNUSED_PARAMETER = "pddl/unused-parameter", Warning,
    "A parameter or a quantified variable that stands in no condition and no effect only multiplies what a planner has to look at, by the \
    number of its objects. Mostly a condition about it was forgotten.\n\n\
    Example: `(:action open :parameters (?d ?k) :effect (opened ?d))`. Remove `?k`, or ask for `(fits ?k ?d)`.";
    /// A duplicate initial fact or value.
    DUPLICATE_FACT = "pddl/duplicate-fact", Warning,
    "Saying it again adds nothing. Often a fact was copied and its objects not changed.";
    /// An unused predicate or function.
    UNUSED_PREDICATE = "pddl/unused-predicate", Warning,
    "No condition and no effect of the domain speaks of the predicate, or none speaks of the function. Remove the declaration, or look for \
    the action that should have used it.";
    /// A predicate that is required but never true.
    NEVER_ADDED = "pddl/never-added", Warning,
    "Conditions ask for a predicate of which no fact is given at the beginning and which no effect and no rule adds, so they never hold. \
    Mostly a name is misspelt or an effect was forgotten.";
    /// An action that is never applicable.
    UNREACHABLE_ACTION = "pddl/unreachable-action", Warning,
    "One of its preconditions can never hold, or there is no object of the type of one of its parameters, or there are no objects for which \
    all of its precondition can hold, even if nothing ever stopped holding. An action that passes may be unreachable nevertheless: what \
    excludes each other is not looked at.";
    /// An unreachable goal.
    UNREACHABLE_GOAL = "pddl/unreachable-goal", Warning,
    "A fact that the goal asks for does not hold at the beginning, and no action that can be taken and no rule makes it true, even if nothing \
    ever stopped holding. So there is no plan. A goal that passes may be out of reach nevertheless, as for actions.";
    /// A contradictory goal.
    CONTRADICTED_GOAL = "pddl/contradicted-goal", Warning,
    "The goal asks for a fact and for its negation, so no plan can reach it.\n\n\
    Example: `(and (on a b) (not (on a b)))`.";
    /// A contradictory precondition.
    CONTRADICTED_PRECONDITION = "pddl/contradicted-precondition", Warning,
    "The precondition asks for a fact and for its negation, so the action can never be taken.";
    /// An effect that deletes and adds the same atom.
    ADD_AND_DELETE = "pddl/add-and-delete", Warning,
    "What an action both deletes and adds holds afterwards, so the deletion does nothing. Where the two differ only for some objects, this \
    is right and is not reported.\n\nExample: `(and (not (clear ?x)) (clear ?x))`.";
    /// Conflicting numeric effects.
    CONFLICTING_EFFECTS = "pddl/conflicting-effects", Warning,
    "Effects are made all at once. A number that one of them assigns cannot be changed by another one at the same time, and what is added to \
    cannot be multiplied: an action with both can never be taken.\n\n\
    Example: `(and (assign (fuel) 5) (increase (fuel) 1))`. Use instead: `(assign (fuel) 6)`.";
    /// A negative precondition on a predicate that is never deleted.
    NEVER_DELETED = "pddl/never-deleted", Warning,
    "A precondition asks for the negation of a fact that nothing ever deletes, although something adds it: once it holds, the action can \
    never be taken again for these objects. Often an effect `(not ..)` was forgotten; where it is meant, as for doors that are never closed \
    again, it is right.";
    /// A function without an initial value.
    NO_VALUE = "pddl/no-value", Warning,
    "Functions have no value until one is given in `(:init ..)` or assigned. A condition on a function without a value does not hold, and an \
    action that increases one cannot be taken. Only `(total-cost)` begins at 0 without being said to, as other planners have it.\n\n\
    Example: a domain with `(increase (fuel) 1)`, and a problem without `(= (fuel) 0)`.";
    /// A missing requirement.
    MISSING_REQUIREMENT = "pddl/missing-requirement", Warning,
    "`(:requirements ..)` says which parts of the language are used. Planners that go by it refuse or misread a file with others; without the \
    section it is `:strips`. The fix adds what is missing.";
    /// A superfluous requirement.
    SUPERFLUOUS_REQUIREMENT = "pddl/superfluous-requirement", Note,
    "Nothing in the file uses this part of the language. Harmless, but a planner without it refuses the file for nothing.";
}
