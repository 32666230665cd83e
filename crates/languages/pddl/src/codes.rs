//! The diagnostic codes of the parser and of name resolution, with their documentation.
//!
//! The codes of lints are in [`lint::codes`](crate::lint::codes).

goalspec_syntax::codes! {
    /// A top-level form that is neither a domain nor a problem.
    NOT_A_DEFINITION = "pddl/not-a-definition", Error,
    "A file contains domains, `(define (domain NAME) ..)`, and problems, `(define (problem NAME) ..)`. Other top-level forms are \
    ignored.\n\nThe usual cause is an extra `)` before this form, which ends the definition early.";
    /// A missing section.
    MISSING_SECTION = "pddl/missing-section", Error,
    "A problem requires a name, the name of its domain and a goal.\n\n\
    Example: `(define (problem p1) (:domain blocks) (:objects a b) (:init (on a b)) (:goal (on b a)))`.";
    /// A duplicate section.
    DUPLICATE_SECTION = "pddl/duplicate-section", Error,
    "Each section and each part of an action may occur once; only actions and rules may be repeated. Other parsers silently drop one of \
    the two.\n\nMerge the two.";
    /// An unknown section.
    UNKNOWN_SECTION = "pddl/unknown-section", Error,
    "The sections of a domain are `:requirements`, `:types`, `:constants`, `:predicates`, `:functions`, `:constraints`, `:action`, \
    `:durative-action` and `:derived`; those of a problem are `:domain`, `:requirements`, `:objects`, `:init`, `:goal`, \
    `:constraints`, `:metric` and `:length`, which is ignored.";
    /// An unexpected form.
    UNEXPECTED = "pddl/unexpected", Error,
    "The form is not of the expected kind. It is ignored, and the enclosing form cannot be used.\
    \n\nExample: `(:init handempty)`, where a fact such as `(handempty)` is expected.";
    /// An unknown operator.
    UNKNOWN_OPERATOR = "pddl/unknown-operator", Error,
    "Conditions are combined by `and`, `or`, `not` and `imply`, and quantified by `forall` and `exists`. Constraints also have \
    trajectory operators such as `always`.\n\nExample: `(adn (clear ?x) (clear ?y))`. Use instead: `(and (clear ?x) (clear ?y))`.";
    /// A missing part of a form.
    MISSING_PART = "pddl/missing-part", Error,
    "The list has too few parts.\n\nExample: `(imply (clear ?x))`, which requires a second condition; `(:types block -)`, which \
    requires a type after the dash; an action without `:effect`, which changes nothing.";
    /// A superfluous part of a form.
    EXTRA_PART = "pddl/extra-part", Error,
    "The list has too many parts.\n\n\
    Example: `(not (clear ?x) (clear ?y))`. Use instead: `(not (or (clear ?x) (clear ?y)))`.";
    /// An invalid name.
    INVALID_NAME = "pddl/invalid-name", Error,
    "Names begin with a letter and are not quoted. A leading `?` marks a variable.";
    /// A missing blank before a variable.
    MISSING_BLANK = "pddl/missing-blank", Warning,
    "Some parsers start a new name at `?`, others treat `?` as a letter. Here it starts a variable.\n\n\
    Example: `(truck?t)`. Use instead: `(truck ?t)`.";
    /// A declaration of a reserved word.
    RESERVED_NAME = "pddl/reserved-name", Error,
    "A predicate or function cannot have the name of an operator.\n\nExample: `(:predicates (not ?x))`.";
    /// An unknown requirement.
    UNKNOWN_REQUIREMENT = "pddl/unknown-requirement", Warning,
    "The known requirements are those of PDDL 1.2 to 3.1: `:strips`, `:typing`, `:adl`, `:action-costs`, `:derived-predicates`, \
    `:preferences` and so on. Most planners reject a domain with an unknown requirement.";
    /// A duplicate declaration.
    DUPLICATE_DECLARATION = "pddl/duplicate-declaration", Error,
    "Predicates, functions, actions and the parameters of one of them must have different names. Predicates cannot be overloaded: two \
    predicates with different parameters need different names.";
    /// A duplicate object.
    DUPLICATE_OBJECT = "pddl/duplicate-object", Warning,
    "A second declaration of an object has no effect, except that it adds a type if the types differ. Often a name was copied and \
    its number not changed.";
    /// A duplicate type.
    DUPLICATE_TYPE = "pddl/duplicate-type", Warning,
    "The type is a subtype of all supertypes of its declarations.\n\n\
    Example: `(:types car - vehicle car - thing)`. Write `(:types car - (either vehicle thing))` if that is intended.";
    /// A cycle in the type hierarchy.
    TYPE_CYCLE = "pddl/type-cycle", Error,
    "An object of a type also belongs to all its supertypes. If types are supertypes of each other, or if `object` has a supertype, one \
    of the declarations is reversed.\n\nExample: `(:types car - vehicle vehicle - car)`.";
    /// A supertype that is not declared.
    UNDECLARED_PARENT = "pddl/undeclared-parent", Warning,
    "A supertype, the name after a `-` in `(:types ..)`, must itself be declared in the list, or be `object`. An undeclared supertype is \
    usually a typing error, and some planners reject the domain. It is treated as a subtype of `object`.\n\n\
    Example: `(:types car - vehicle)`. Use instead: `(:types car - vehicle  vehicle - object)`.";
    /// An unknown type.
    UNKNOWN_TYPE = "pddl/unknown-type", Error,
    "Types are declared in `(:types ..)` of the domain. `object` is the supertype of all types and need not be declared.";
    /// An unknown predicate.
    UNKNOWN_PREDICATE = "pddl/unknown-predicate", Error,
    "Predicates, including derived ones, are declared in `(:predicates ..)` of the domain.\n\n\
    Example: `(onn a b)`. Use instead: `(on a b)`.";
    /// An unknown function.
    UNKNOWN_FUNCTION = "pddl/unknown-function", Error,
    "Functions, including `total-cost`, are declared in `(:functions ..)` of the domain.\n\n\
    Example: `(:functions (total-cost) - number)`.";
    /// An unknown object.
    UNKNOWN_OBJECT = "pddl/unknown-object", Error,
    "Objects are declared in `(:objects ..)` of the problem. Objects that all problems share, and those that actions name, are declared \
    in `(:constants ..)` of the domain. Variables always start with `?`.";
    /// An unbound variable.
    UNBOUND_VARIABLE = "pddl/unbound-variable", Error,
    "Variables are declared by the parameters of the action or rule, and by the enclosing `forall` and `exists`.";
    /// A variable that shadows another one.
    SHADOWED_VARIABLE = "pddl/shadowed-variable", Warning,
    "Within the quantifier, the name refers to the inner variable, and the outer one is not accessible. Rename one of them.";
    /// A wrong number of arguments.
    ARGUMENT_COUNT = "pddl/argument-count", Error,
    "The number of arguments of a predicate or function must match its declaration, and the number of objects of a plan step must match \
    the parameters of its action.\n\nExample: `(on ?x)` where `(on ?x ?y)` is declared.";
    /// An argument of a wrong type.
    TYPE_MISMATCH = "pddl/type-mismatch", Error,
    "No object is of both the type of the argument and the type of the parameter, so the condition is always false. Numbers and \
    objects are not interchangeable either.\n\nExample: `(in ?truck ?package)` where `(in ?p - package ?t - truck)` is declared.";
    /// An argument whose type is wider than that of the parameter.
    WIDER_TYPE = "pddl/wider-type", Warning,
    "Only some objects in the domain of the variable are of the type of the parameter. For the others the condition is false. The \
    code also marks equalities between objects of disjoint types.\n\n\
    Give the variable the narrower type, or declare the predicate with the wider one.";
    /// A form in a position where it is not allowed.
    MISPLACED = "pddl/misplaced", Error,
    "Preferences are allowed in goals, preconditions and constraints, nested only in `and` and `forall`; trajectory operators in \
    `(:constraints ..)`; `at start`, `over all` and timed effects in durative actions; `is-violated` and `total-time` in `(:metric ..)`.";
    /// An effect or initial value of a derived predicate.
    DERIVED_EFFECT = "pddl/derived-effect", Error,
    "A derived predicate is defined by its rules alone. Neither effects nor the initial state can set it.";
    /// Derived predicates that are not stratifiable.
    UNSTRATIFIED = "pddl/unstratified", Error,
    "Rules are applied until a fixed point is reached. There is none if a predicate depends on its own negation, directly or through \
    other predicates.\n\nExample: `(:derived (odd ?x) (exists (?y) (and (next ?y ?x) (not (odd ?y)))))`. Use instead two predicates, \
    `odd` and `even`, neither of which depends on the negation of the other.";
    /// A function with object values.
    OBJECT_FLUENT = "pddl/object-fluent", Error,
    "The object fluents of PDDL 3.1, functions whose values are objects, are not supported. Use a predicate with the value as an \
    additional argument.\n\n\
    Example: `(= (position ?car) ?place)`. Use instead: `(position ?car ?place)`.";
    /// Contradictory initial facts or values.
    CONTRADICTED_FACT = "pddl/contradicted-fact", Error,
    "`(:init ..)` lists each true fact once, and one value per function. Facts that are not listed are false, so `(not ..)` is never \
    needed.";
    /// An unknown preference.
    UNKNOWN_PREFERENCE = "pddl/unknown-preference", Error,
    "`(is-violated NAME)` counts the violations of the preferences of this name in the goal, the preconditions and the constraints.";
    /// An unknown domain.
    UNKNOWN_DOMAIN = "pddl/unknown-domain", Error,
    "A problem requires its domain. The domain with the name in `(:domain NAME)` is searched for in the given files and in the folder of \
    the problem. If it is elsewhere, pass its file before that of the problem, or use the option `--domain FILE` of `goalspec check`. \
    If a domain with another name was chosen for the problem, the code is a warning, and the problem is checked with that domain.";
    /// An unknown action in a plan.
    UNKNOWN_ACTION = "pddl/unknown-action", Error,
    "The steps of a plan are actions of the domain with objects of the problem.\n\nExample: `(stak a b)`. Use instead: `(stack a b)`.";
    /// Missing or equal times of plan steps.
    PLAN_TIMES = "pddl/plan-times", Warning,
    "In a plan with times, `0: (pick-up a)`, every step has a time, and steps are executed in the order of their times. Steps with equal \
    times are executed in the order in which they are written, which is a valid plan only if they do not interfere.";
    /// A time interval whose end precedes its start.
    EMPTY_INTERVAL = "pddl/empty-interval", Warning,
    "`(hold-during FROM TO ..)` constrains the states between two times. If the second time is earlier, the interval is empty, and the \
    constraint is almost trivial.\n\nExample: `(hold-during 3 1 (lit))`. Use instead: `(hold-during 1 3 (lit))`.";
    /// A valid feature that planning does not support.
    UNSUPPORTED = "pddl/unsupported", Note,
    "Durative actions, `(:durative-action ..)`, and timed initial literals, `(at 10 (open))` in `(:init ..)`, are parsed, checked, \
    formatted and described. Planning and plan validation support only sequential plans of instantaneous actions.";
    /// An exceeded limit.
    TOO_MANY = "pddl/too-many", Error,
    "The limits are 4096 types per domain, 262144 objects per problem, 500 errors in `(:init ..)`, after which the rest of the section is \
    not checked, times of up to 200 steps in constraints, and 262144 parts per constraint with expanded quantifiers.";
}
