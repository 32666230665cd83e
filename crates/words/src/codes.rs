//! The codes of findings about replies and translations, with their documentation.

goalspec_syntax::codes! {
    /// A reply that was cut, refused or filtered.
    INCOMPLETE_REPLY = "words/incomplete-reply", Error,
    "The reply of the model ended at its maximum number of tokens, or the model or a filter refused it. It is never read as a program, \
    whatever it contains; the model is asked again.\n\nA larger maximum (`--max-output-tokens`) helps if replies are cut often.";
    /// A reply without text.
    EMPTY_REPLY = "words/empty-reply", Error,
    "The model answered with nothing but blanks. It is asked again.";
    /// A reply that does not match its constraint.
    CONSTRAINT_IGNORED = "words/constraint-not-honoured", Note,
    "The request was sent with a grammar or a JSON schema (`--constrain`), and the reply is none of its texts. Servers drop options that they \
    do not know and answer nevertheless; the reply is checked as any other.\n\n`goalspec llm probe` shows which constraints a server honours.";
    /// A reply without a program.
    NO_PROGRAM = "words/no-program", Error,
    "The reply has no code block with a definition, and no part of it can be read as a program.";
    /// A program without a single reward function.
    NO_ENTRY = "words/no-entry", Error,
    "The reward function is `reward_function`, or else the only function with one parameter that returns a number.";
    /// A program that could not be run.
    NOT_RUN = "words/not-run", Error,
    "The program was parsed and checked, but not run, so it cannot be accepted.";
    /// A reply without exactly one definition.
    NOT_ONE = "words/not-one-definition", Error,
    "A translation is one planning problem, one activity or one game. The domain is given, and is not repeated.";
    /// A translation with other objects than the given ones.
    OBJECTS = "words/objects", Warning,
    "The translation declares an object that is not among the given ones, or lacks one of them.";
    /// A fact that no sentence says.
    NO_SOURCE = "words/no-source", Warning,
    "Every fact of a translation comes from a sentence that names at least one of its objects, by its name or by words of `--name-map`. The \
    model states the sentence by a comment `; N` before the fact.\n\nExample: `; 2` before `(at blue mill)`, where sentence 2 is `The red \
    van waits.`";
    /// A goal without a plan.
    NO_PLAN = "words/no-plan", Warning,
    "The planner has proved that no plan reaches the goal: a fact is missing or wrong, or the sentences ask for the impossible.";
    /// A goal that holds in the initial state.
    HOLDS = "words/goal-holds", Warning,
    "There is nothing to do. Often a sentence about the goal was translated as a sentence about the initial state, or the other way round.";
    /// A translation for which no plan was found.
    NOT_PLANNED = "words/not-planned", Note,
    "The search ended at a limit, or the problem uses what the planner does not support. `--plan-time` sets the time limit.";
    /// A goal that contradicts itself.
    UNSATISFIABLE = "words/unsatisfiable-goal", Error,
    "No state satisfies the goal.";
    /// A preference that is never satisfied in a recording.
    NEVER_SATISFIED = "words/never-satisfied", Note,
    "The game was run over the recording, and no satisfaction of the preference occurred.";
    /// A recording over which a game cannot be run.
    TRACE = "words/trace", Error,
    "The recording is damaged or belongs to another world, or the game takes too much work.";
}
