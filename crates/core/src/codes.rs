//! The diagnostic codes of runs of programs in any language.

goalspec_syntax::codes! {
    /// A program that exceeds its work budget.
    OVER_BUDGET = "run/over-budget", Error,
    "The budget is the number of units of work of a program over one trace; each state adds a thousandth of it. A unit is about the work of \
     evaluating an atom for one binding, or of combining 64 truth values. Units depend on the program and the trace only, so that a program \
     stops in the same state on every machine. A stopped program has no score; other programs are not affected.\n\n\
     Use instead: fewer variables in one quantifier, or types with fewer objects; `goalspec check --cost` prints the number of bindings. \
     `goalspec score --budget none` lifts the limit, `--budget 20G` raises it.";
    /// A program that an engine cannot run.
    NOT_SUPPORTED = "run/not-supported", Error,
    "The program exceeds a limit of an engine, or cannot be executed. The message states the reason.\n\n\
     - A preference or the setup ranges over too many combinations of objects: `goalspec check --cost` prints the number for each \
     preference. Use more specific types for its variables.\n\
     - A run would exceed the memory limit, because of the combinations of all preferences together. Use more specific types, or split the game.\n\
     - The goal of an activity has too many parts after expansion of its quantifiers, or is nested too deeply. Use fewer objects or fewer \
     nested quantifiers.\n\
     - The objects of an activity do not form a valid world, for example because there are too many of them.";
}
