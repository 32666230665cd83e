//! The documentation of every diagnostic code: the codes of this crate, and those of all crates together.

pub use goalspec_core::codes::{NOT_SUPPORTED, OVER_BUDGET};
pub use goalspec_simulation::codes::RECORDING;
use goalspec_syntax::CodeDoc;
pub use goalspec_trace::codes::UNKNOWN_DOMAIN;

goalspec_syntax::codes! {
    /// A file that does not exist.
    NOT_FOUND = "input/not-found", Error,
    "The path is not a file or a folder, and as a pattern it has no matches.\n\n\
     Quote patterns (`'games/*.pddl'`) to prevent expansion by the shell.";
    /// A file that cannot be read.
    UNREADABLE = "input/unreadable", Error,
    "The operating system cannot read the file, or the file exceeds the limit. The message states the reason.";
    /// A file that is not a program, a trace or a world.
    UNKNOWN_KIND = "input/unknown-kind", Error,
    "The kind of a file is detected from its first character: a program begins with `(` or a comment, a trace with `{` or `[` \
     (or is compressed with gzip or zstd, or is a Parquet file). World files are detected from their name, `*.world.toml`, and resource \
     graph games from theirs, `*.yaml`.";
    /// A file without a program.
    NO_PROGRAM = "input/no-program", Error,
    "The file is empty or contains only comments. A program is `(define (game NAME) (:domain WORLD) ..)`.";
    /// A plan instead of a program.
    PLAN_FILE = "input/plan", Error,
    "A plan is a list of steps; it is validated together with the problem that it solves: `goalspec validate problem.pddl steps.plan`. \
     A file counts as a plan if it ends in `.plan` or `.soln`, or if every line is a step such as `(drive red depot mill)`.";
    /// A scene that cannot be read.
    BAD_SCENE = "input/bad-scene", Error,
    "The layout of a scene is a JSON object: for each type of room, the number of objects of each category in all rooms of this type.\n\n\
     Example: `{\"kitchen\": {\"fridge\": 3, \"sink\": 1}, \"bedroom\": {\"bed\": 2}}`.";
    /// A game about a planning domain with several problems.
    SEVERAL_PROBLEMS = "input/several-problems", Error,
    "A game whose `(:domain ..)` is a planning domain refers to the objects of a problem of that domain. Either the files contain exactly one \
     problem, or the game names it.\n\n\
     Example: `goalspec score errands.game one_van.pddl run.jsonl`.";
    /// Two worlds of the same name.
    DUPLICATE_WORLD = "input/duplicate-world", Error,
    "Two of the specified world files have the same name, so the domain of a program is ambiguous.";
    /// A world named like a built-in one.
    SHADOWED_WORLD = "input/shadowed-world", Warning,
    "A specified world file has the name of a built-in world; programs of that domain use the specified world.\n\n\
     Rename it; use `extends` if it is based on the built-in world.";
    /// Invalid settings of a project.
    SETTINGS = "input/settings", Error,
    "The file `goalspec.toml` is not TOML, or has an unknown key or an invalid value.\n\n\
     Example: `[games]` and, on the next line, `empty-holds = true`.";
    /// A Python file, which goalspec does not format.
    PYTHON_LAYOUT = "input/python-layout", Error,
    "goalspec does not format Python.\n\nUse instead: a formatter for Python, such as `ruff format reward.py`.";
}

/// Returns the documentation of the codes of all crates, sorted by code.
pub fn all() -> Vec<CodeDoc> {
    let mut docs: Vec<CodeDoc> = [
        ALL,
        goalspec_syntax::codes::ALL,
        goalspec_core::codes::ALL,
        goalspec_core::world::file::codes::ALL,
        goalspec_audit::codes::ALL,
        goalspec_bddl::codes::ALL,
        goalspec_game::codes::ALL,
        goalspec_game::codes::lint::ALL,
        goalspec_lot::codes::ALL,
        goalspec_pddl::codes::ALL,
        goalspec_pddl::lint::codes::ALL,
        goalspec_planning::codes::ALL,
        goalspec_releases::codes::ALL,
        goalspec_reward::codes::ALL,
        goalspec_rewards::codes::ALL,
        goalspec_rgg::codes::ALL,
        goalspec_simulation::codes::ALL,
        goalspec_trace::codes::ALL,
    ]
    .concat();
    #[cfg(feature = "llm")]
    docs.extend_from_slice(goalspec_words::codes::ALL);
    docs.sort_by_key(|doc| doc.code);
    docs
}
