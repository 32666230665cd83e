//! The diagnostic codes of the parser and of name resolution, with their documentation.
//!
//! The codes of lints are in [`lint::codes`](crate::lint::codes).

goalspec_syntax::codes! {
    /// A top-level form that is neither a domain nor a problem.
    NOT_A_DEFINITION = "pddl/not-a-definition", Error,
    "A file holds domains, `(define (domain NAME) ..)`, and problems, `(define (problem NAME) ..)`. What stands beside them is not \
    read.\n\nThe usual cause is a parenthesis too many further up, which ends the definition early.";
    /// A missing section.
    MISSING_SECTION = "pddl/missing-section", Error,
    "A problem has a name, the name of its domain and a goal.\n\n\
    Example: `(define (problem p1) (:domain blocks) (:objects a b) (:init (on a b)) (:goal (on b a)))`.";
    /// A duplicate section.
    DUPLICATE_SECTION = "pddl/duplicate-section", Error,
    "Each section and each part of an action may stand once; only actions and rules may be many. Other readers take one of the two \
    and drop the other without a word.\n\nJoin the two.";
    /// An unknown section.
    UNKNOWN_SECTION = "pddl/unknown-section", Error,
    "The sections of a domain are `:requirements`, `:types`, `:constants`, `:predicates`, `:functions`, `:constraints`, `:action`, \
    `:durative-action` and `:derived`; those of a problem are `:domain`, `:requirements`, `:objects`, `:init`, `:goal`, \
    `:constraints`, `:metric` and, without a meaning, `:length`.";
    /// An unexpected form.
    UNEXPECTED = "pddl/unexpected", Error,
    "What stands here cannot be read as the kind of thing that belongs here; it is left out, and what it is a part of has no meaning.\
    \n\nExample: `(:init handempty)`, where a fact such as `(handempty)` is expected.";
    /// An unknown operator.
    UNKNOWN_OPERATOR = "pddl/unknown-operator", Error,
    "Conditions are joined by `and`, `or`, `not` and `imply`, and quantified by `forall` and `exists`; constraints have operators over \
    runs of states besides.\n\nExample: `(adn (clear ?x) (clear ?y))`. Use instead: `(and (clear ?x) (clear ?y))`.";
    /// A missing part of a form.
    MISSING_PART = "pddl/missing-part", Error,
    "The list has fewer parts than it needs.\n\nExample: `(imply (clear ?x))`, which needs a second condition; `(:types block -)`, which \
    needs a type behind the dash; an action without `:effect`, which changes nothing.";
    /// A superfluous part of a form.
    EXTRA_PART = "pddl/extra-part", Error,
    "The list has more parts than it takes.\n\n\
    Example: `(not (clear ?x) (clear ?y))`. Use instead: `(not (or (clear ?x) (clear ?y)))`.";
    /// An invalid name.
    INVALID_NAME = "pddl/invalid-name", Error,
    "Names begin with a letter and are written without quotes; a `?` in front makes a variable of them.";
    /// A missing blank before a variable.
    MISSING_BLANK = "pddl/missing-blank", Warning,
    "A `?` begins a new name for some readers, and is a letter as any other for others. It is taken for the beginning of a variable.\n\n\
    Example: `(truck?t)`. Use instead: `(truck ?t)`.";
    /// A declaration of a reserved word.
    RESERVED_NAME = "pddl/reserved-name", Error,
    "A predicate or function called like an operator could not be told from it.\n\nExample: `(:predicates (not ?x))`.";
    /// An unknown requirement.
    UNKNOWN_REQUIREMENT = "pddl/unknown-requirement", Warning,
    "Requirements are those of PDDL 1.2 to 3.1: `:strips`, `:typing`, `:adl`, `:action-costs`, `:derived-predicates`, `:preferences` and \
    so on. Most planners refuse a domain with one that they do not know.";
    /// A duplicate declaration.
    DUPLICATE_DECLARATION = "pddl/duplicate-declaration", Error,
    "Predicates, functions, actions and the parameters of one of them need names of their own. There are no two predicates of one \
    name that differ in their parameters.";
    /// A duplicate object.
    DUPLICATE_OBJECT = "pddl/duplicate-object", Warning,
    "An object is one thing; declaring it again adds nothing, except a further type where the types differ. Often a name was copied and \
    its number not changed.";
    /// A duplicate type.
    DUPLICATE_TYPE = "pddl/duplicate-type", Warning,
    "The type stands below all types that are named behind either of its declarations.\n\n\
    Example: `(:types car - vehicle car - thing)`. Write `(:types car - (either vehicle thing))` if that is meant.";
    /// A cycle in the type hierarchy.
    TYPE_CYCLE = "pddl/type-cycle", Error,
    "What is of a type is of all types above it. Where types stand above one another in a circle, or anything stands above `object`, one \
    of the lines is the wrong way round.\n\nExample: `(:types car - vehicle vehicle - car)`.";
    /// A supertype that is not declared.
    UNDECLARED_PARENT = "pddl/undeclared-parent", Warning,
    "What stands behind a `-` in `(:types ..)` is itself a type of the list, or `object`. That it is not listed mostly is a slip of the \
    pen; some planners refuse the domain. It is taken for a type below `object`.\n\n\
    Example: `(:types car - vehicle)`. Use instead: `(:types car - vehicle  vehicle - object)`.";
    /// An unknown type.
    UNKNOWN_TYPE = "pddl/unknown-type", Error,
    "Types are declared in `(:types ..)` of the domain; `object` is above all of them and need not be declared.";
    /// An unknown predicate.
    UNKNOWN_PREDICATE = "pddl/unknown-predicate", Error,
    "Predicates are declared in `(:predicates ..)` of the domain, derived ones too.\n\n\
    Example: `(onn a b)`. Use instead: `(on a b)`.";
    /// An unknown function.
    UNKNOWN_FUNCTION = "pddl/unknown-function", Error,
    "Functions are declared in `(:functions ..)` of the domain, `total-cost` too.\n\n\
    Example: `(:functions (total-cost) - number)`.";
    /// An unknown object.
    UNKNOWN_OBJECT = "pddl/unknown-object", Error,
    "Objects are declared in `(:objects ..)` of the problem, and those that all problems have in `(:constants ..)` of the domain, which is \
    where actions must find the objects that they name. Variables have a `?` in front, everywhere.";
    /// An unbound variable.
    UNBOUND_VARIABLE = "pddl/unbound-variable", Error,
    "Variables are the parameters of the action or rule, and those of the `forall` and `exists` around.";
    /// A variable that shadows another one.
    SHADOWED_VARIABLE = "pddl/shadowed-variable", Warning,
    "Inside, the name means the inner variable, and the outer one cannot be reached. Give them different names.";
    /// A wrong number of arguments.
    ARGUMENT_COUNT = "pddl/argument-count", Error,
    "A predicate or function takes as many arguments as it is declared with, a step of a plan as many objects as its action has \
    parameters.\n\nExample: `(on ?x)` where `(on ?x ?y)` is declared.";
    /// An argument of a wrong type.
    TYPE_MISMATCH = "pddl/type-mismatch", Error,
    "No object can be what the argument is and what is taken at this place, so the condition could never hold. Numbers and objects are \
    never taken for one another either.\n\nExample: `(in ?truck ?package)` where `(in ?p - package ?t - truck)` is declared.";
    /// An argument whose type is wider than that of the parameter.
    WIDER_TYPE = "pddl/wider-type", Warning,
    "A variable ranges over objects of which only some are of the type that is taken here. For the others the condition never holds. The \
    same is said of two things that are compared although they are never the same.\n\n\
    Give the variable the narrower type, or declare the predicate with the wider one.";
    /// A form in a position where it is not allowed.
    MISPLACED = "pddl/misplaced", Error,
    "Preferences stand in goals, preconditions and constraints, under `and` and `forall` alone; operators over runs of states in \
    `(:constraints ..)`; `at start`, `over all` and effects at a time in durative actions; `is-violated` and `total-time` in `(:metric ..)`.";
    /// An effect or initial value of a derived predicate.
    DERIVED_EFFECT = "pddl/derived-effect", Error,
    "A derived predicate holds where its rules say so and nowhere else. Neither actions nor the beginning can say anything about it.";
    /// Derived predicates that are not stratifiable.
    UNSTRATIFIED = "pddl/unstratified", Error,
    "Rules are applied until nothing is added. Where a predicate holds because it does not hold, directly or by way of others, there is no \
    such point.\n\nExample: `(:derived (odd ?x) (exists (?y) (and (next ?y ?x) (not (odd ?y)))))`. Use instead two predicates, neither \
    of which asks for the negation of the other: `odd` and `even`.";
    /// A function with object values.
    OBJECT_FLUENT = "pddl/object-fluent", Error,
    "PDDL 3.1 has functions whose values are objects, and allows them in the place of objects. They are not supported: say it with a \
    predicate that has the value as a further argument.\n\n\
    Example: `(= (position ?car) ?place)`. Use instead: `(position ?car ?place)`.";
    /// Contradictory initial facts or values.
    CONTRADICTED_FACT = "pddl/contradicted-fact", Error,
    "`(:init ..)` gives each fact once, and each function one value. What is not given does not hold, so `(not ..)` is never needed.";
    /// An unknown preference.
    UNKNOWN_PREFERENCE = "pddl/unknown-preference", Error,
    "`(is-violated NAME)` counts the violations of the preferences of this name in the goal, the preconditions and the constraints.";
    /// An unknown domain.
    UNKNOWN_DOMAIN = "pddl/unknown-domain", Error,
    "A problem has a meaning together with its domain. It is looked for among the files that are given and beside the problem: a file \
    with a domain of the name that `(:domain NAME)` says. Where it is elsewhere, give its file \
    too, before that of the problem, or to `goalspec check` as `--domain FILE`. It is a warning \
    if a domain of another name was chosen for the problem, which is then read with that one.";
    /// An unknown action in a plan.
    UNKNOWN_ACTION = "pddl/unknown-action", Error,
    "The steps of a plan are actions of the domain with objects of the problem.\n\nExample: `(stak a b)`. Use instead: `(stack a b)`.";
    /// Missing or equal times of plan steps.
    PLAN_TIMES = "pddl/plan-times", Warning,
    "In a plan with times, `0: (pick-up a)`, every step has one, and steps are taken in the order of their times. Steps at the same time are \
    taken one after the other in the order in which they are written, which is a plan only if they do not disturb each other.";
    /// A time interval whose end precedes its start.
    NO_TIME = "pddl/no-time", Warning,
    "`(hold-during FROM TO ..)` asks for the states between two times. If the second one is earlier there are none between them, and the \
    constraint asks for next to nothing.\n\nExample: `(hold-during 3 1 (lit))`. Use instead: `(hold-during 1 3 (lit))`.";
    /// A valid feature that planning does not support.
    NOT_PLANNED = "pddl/not-planned", Note,
    "Actions that take time, `(:durative-action ..)`, and facts that come true at a time of their own, `(at 10 (open))` in `(:init ..)`, are \
    read, checked, formatted and described. Plans are made and judged for actions that are taken one after the other alone.";
    /// An exceeded limit.
    TOO_MANY = "pddl/too-many", Error,
    "A domain may have 4096 types, a problem 262144 objects. After 500 errors, the rest of `(:init ..)` is not looked at. Times in constraints may be up to 200 steps, and a constraint may have 262144 \
    parts when its quantifiers are taken apart over the objects.";
}
