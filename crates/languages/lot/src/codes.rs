//! The diagnostic codes of the crate, with their documentation.

goalspec_syntax::codes! {
    // Files of a problem set.

    /// A defect of a spec file.
    SPECS = "lot/specs", Error,
    "A spec file is a YAML list with a record for each problem: `num_obj`, the number of objects, and `test`, which is `false` for \
    training examples and by default. No problem has more objects than a vocabulary has names.\n\n\
    Example: `- {num_obj: 4, test: true}`.";
    /// A defect of a vocabulary.
    VOCABULARY = "lot/vocabulary", Error,
    "A vocabulary is a JSON list of names. A name consists of lower-case words, digits, `-` and `_`, begins with a letter, and contains \
    none of the words that join names in sentences: `the`, `is`, `on`, `rests`, `nothing`, `there`, `onto`. In PDDL, spaces become \
    hyphens, so `tea pot` and `tea-pot` are the same name. The two vocabularies of a set have no name in common.\n\n\
    Example: `[\"cup\", \"tea pot\"]`.";
    /// A defect of a problem file.
    PROBLEM = "lot/problem", Error,
    "A problem file is a JSON object with `init_board` and `goal_board`, lists of stacks from bottom to top of the same objects; `views` \
    with the relations of the views `one`, `two` and `all`, which hold in the goal; and `vocab_map`, the complex name of each object. A \
    relation is `[\"bot\", x, null]`, `[\"mid\", x, y]` (x on y) or `[\"top\", null, x]`.";

    // Texts in controlled English.

    /// A line that is not a sentence of the controlled language.
    NOT_A_SENTENCE = "lot/not-a-sentence", Error,
    "A text consists of sentences, one per line: `The X rests on the table.`, `The X is on the Y.`, `There is nothing on the X.`\n\n\
    Example: `the cup is on the tray`. Use instead: `The cup is on the tray.`";
    /// A sentence that places an object on an object `table`.
    ON_THE_TABLE = "lot/on-the-table", Error,
    "The table is not an object, and the sentence about it has a verb of its own.\n\n\
    Example: `The cup is on the table.` Use instead: `The cup rests on the table.`";
    /// An object that the problem does not declare.
    UNDECLARED_OBJECT = "lot/undeclared-object", Error,
    "Texts and facts are about the objects of the problem. A fact about another object cannot be reached by any plan.\n\n\
    Example: `(on cup teapot)` where the object is `tea-pot`.";

    // Reading of translations.

    /// An expression that is not a fact.
    NOT_A_FACT = "lot/not-a-fact", Error,
    "A translation consists of facts: a predicate followed by names of objects. Variables, numbers and nested lists are not allowed.\n\n\
    Example: `(clear ?x)`.";
    /// An unknown predicate.
    UNKNOWN_PREDICATE = "lot/unknown-predicate", Error,
    "The predicates of the domain are `ontable`, `on`, `clear` and `noteq`. A goal may also be an `and` of facts, unless it is read by \
    the rules of the published program.\n\nExample: `(on-table cup)`. Use instead: `(ontable cup)`.";
    /// A predicate with a wrong number of arguments.
    ARGUMENT_COUNT = "lot/argument-count", Error,
    "`ontable` and `clear` have one argument, `on` and `noteq` have two.\n\nExample: `(ontable cup tray)`.";
    /// A fact that the rules of the published program ignore.
    IGNORED_FACT = "lot/ignored-fact", Note,
    "The published program accepts facts of an initial state with unknown predicates or wrong numbers of arguments; they have no effect. \
    By the default rules they are errors.";
    /// A reply that the rules of the published program do not accept.
    SEED_RULES = "lot/seed-rules", Error,
    "With `--rules seed`, both replies are pasted into a problem, which is parsed as pyperplan does. Unbalanced parentheses, words \
    outside of facts and nested lists make the whole problem unreadable, so that there is no plan.";

    // Checks of translations.

    /// An initial state that is not an arrangement.
    NOT_AN_ARRANGEMENT = "lot/not-an-arrangement", Error,
    "In an arrangement, every object rests on the table or is on exactly one other, carries at most one, is stated to be clear exactly \
    if it carries none, and is not above itself. A translated initial state that is none differs from the text.";
    /// A goal that contradicts itself.
    CONTRADICTORY_GOAL = "lot/contradictory-goal", Error,
    "No arrangement satisfies a goal in which an object has two supports, carries two objects, is clear and carries one, or is above \
    itself.\n\nExample: `(on cup tray) (clear tray)`.";
    /// A fact that is stated twice.
    DUPLICATE_FACT = "lot/duplicate-fact", Warning,
    "The second statement of a fact has no effect. It may stand in the place of another fact.";
    /// A number of facts that differs from the number of sentences.
    FACT_COUNT = "lot/fact-count", Warning,
    "Each sentence is one fact, so a translation with more or fewer facts differs from its text.";
    /// A fact that the text does not state.
    EXTRA_FACT = "lot/extra-fact", Error,
    "The facts are read back into English and compared with the text. This fact is the translation of none of its sentences.";
    /// A sentence without a fact.
    MISSING_FACT = "lot/missing-fact", Error,
    "The facts are read back into English and compared with the text. None of them is the translation of this sentence.";

    // Reading and execution of plans.

    /// A line of a plan that is not an action.
    UNPARSED_LINE = "lot/unparsed-line", Warning,
    "An action is a line of its own: `Move the X onto the Y.` or `Move the X onto the table.` Other lines are skipped, as in the \
    published experiment; with `--strict`, they fail the plan.\n\nExample: `1. Move the cup onto the tray.`";
    /// An action that names an unknown object.
    UNKNOWN_OBJECT_IN_PLAN = "lot/unknown-object-in-plan", Warning,
    "The action names an object that the problem does not have, and is skipped; with `--strict`, it fails the plan.";
    /// An action that is not applicable.
    INAPPLICABLE_ACTION = "lot/inapplicable-action", Warning,
    "An object can be moved if nothing is on it, onto another object on which nothing is, or from another object onto the table. Other \
    actions are skipped; with `--strict`, they fail the plan.";
}
