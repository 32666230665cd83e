//! The named limits on user input, and the remedy for each.
//!
//! Programs, traces and worlds are untrusted, so every quantity that could grow without bound has a named limit. This table is
//! the book's chapter on limits and the source of the help that [`advise`] adds to diagnostics.

use goalspec_syntax::{Code, Diagnostic};

/// A named limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The path of the constant: crate, module and name.
    pub constant: &'static str,
    /// The limited quantity and its limit, as a phrase: "bytes of a text: 64 MiB".
    pub what: &'static str,
    /// The codes of the diagnostics that report it.
    pub codes: &'static [&'static str],
    /// Substrings of its messages, one of which occurs in each. They identify reasons without a code, and set the messages apart
    /// from others with the same code.
    pub says: &'static [&'static str],
    /// Whether the messages already contain the remedy.
    pub told: bool,
    /// The remedy.
    pub lift: Lift,
}

/// The remedy for a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lift {
    /// A command-line option that raises or removes the limit.
    Option(&'static str),
    /// An alternative, as an imperative, for a limit that cannot be lifted.
    Never(&'static str),
}

/// Creates an entry for a limit that cannot be lifted.
const fn never(
    constant: &'static str,
    what: &'static str,
    codes: &'static [&'static str],
    instead: &'static str,
) -> Limit {
    Limit { constant, what, codes, says: &[], told: false, lift: Lift::Never(instead) }
}

/// Creates an entry for a limit that a command-line option lifts.
const fn option(
    constant: &'static str,
    what: &'static str,
    codes: &'static [&'static str],
    option: &'static str,
) -> Limit {
    Limit { constant, what, codes, says: &[], told: false, lift: Lift::Option(option) }
}

impl Limit {
    /// Sets the substrings that identify its messages.
    const fn saying(self, says: &'static [&'static str]) -> Self {
        Self { says, ..self }
    }

    /// Marks the limit as one whose messages contain the remedy.
    const fn told(self) -> Self {
        Self { told: true, ..self }
    }

    /// Whether a text reports the limit.
    fn is_said(&self, text: &str) -> bool {
        self.says.iter().any(|says| text.contains(says))
    }

    /// Whether a message with this code reports the limit.
    fn is_of(&self, code: Code, message: &str) -> bool {
        self.codes.contains(&code.0) && self.is_said(message)
    }

    /// Returns the remedy as a sentence without a full stop: the option that lifts the limit, or the alternative.
    pub fn remedy(&self) -> String {
        match self.lift {
            Lift::Option(option) => format!("`{option}` lifts the limit"),
            Lift::Never(instead) => format!("{CANNOT_BE_LIFTED}: {instead}"),
        }
    }

    /// Finds the limit with this constant.
    pub fn of(constant: &str) -> Option<&'static Self> {
        LIMITS.iter().find(|limit| limit.constant == constant)
    }

    /// Finds the limit that a diagnostic reports; `None` if it reports no limit.
    pub fn of_diagnostic(diagnostic: &Diagnostic) -> Option<&'static Self> {
        LIMITS.iter().find(|limit| limit.is_of(diagnostic.code, &diagnostic.message))
    }

    /// Finds the limit that a message without a code reports; `None` if it reports no limit.
    pub fn of_message(message: &str) -> Option<&'static Self> {
        LIMITS.iter().find(|limit| limit.is_said(message))
    }
}

/// The remedy for a limit that cannot be lifted, to which an alternative can be added.
const CANNOT_BE_LIFTED: &str = "the limit cannot be lifted";

const SPLIT: &str = "split the text into several files";
const FLATTER: &str = "reduce the nesting, or split the program";
const SMALLER_WORLD: &str = "remove declarations that no program uses, or split the world";
const OTHER_GOAL: &str = "split the goal, or bind fewer variables together";
const SHORTER_TURNS: &str = "use fewer nodes and vectors, which makes turns shorter";
const SIMPLER: &str = "bind fewer variables together, or split the constraint";
const NARROWER: &str = "bind fewer variables together, or use types with fewer objects";

/// All named limits, by crate.
pub const LIMITS: &[Limit] = &[
    never("syntax::limits::MAX_SOURCE_BYTES", "bytes of a text: 64 MiB", &["syntax/too-large"], SPLIT)
        .saying(&["bytes of a text"]),
    never("syntax::limits::MAX_DEPTH", "levels of nested lists: 256", &["syntax/too-deep"], FLATTER)
        .saying(&["lists are nested more than"]),
    never("syntax::limits::MAX_TOKENS", "tokens of a text: 16,777,216", &["syntax/too-large"], SPLIT)
        .saying(&["tokens; the rest"]),
    never(
        "syntax::limits::MAX_SYNTAX_DIAGNOSTICS",
        "reported syntax errors of a text: 500",
        &["syntax/too-many-errors"],
        "fix the first errors and check again",
    )
    .saying(&["further syntax errors"]),
    never("core::limits::MAX_ATTRIBUTES", "attributes of a world: 64", &["world/too-large"], SMALLER_WORLD)
        .saying(&["a world has at most"]),
    never("core::limits::MAX_TYPES", "types of a world: 4,096", &["world/too-large"], SMALLER_WORLD)
        .saying(&["a world has at most"]),
    never("core::limits::MAX_OBJECTS", "objects of a world: 262,144", &["world/too-large"], SMALLER_WORLD)
        .saying(&["a world has at most"]),
    never(
        "core::limits::MAX_MEMBERSHIPS",
        "memberships of objects in types: 16,777,216",
        &["world/too-large"],
        SMALLER_WORLD,
    )
    .saying(&["a world has at most"]),
    never("core::limits::MAX_WORLD_FILE_BYTES", "bytes of a world file: 4 MiB", &["world/too-large"], SMALLER_WORLD)
        .saying(&["the world file exceeds the limit of"]),
    never(
        "core::limits::MAX_EXTENDED_FILES",
        "length of a chain of extended world files: 8",
        &["world/cannot-extend"],
        "merge several of the files",
    )
    .saying(&["the chain of extended files exceeds"]),
    never(
        "core::limits::MAX_DEFINITION_DEPTH",
        "nesting of an expanded definition in a world: 512",
        &["world/too-large"],
        FLATTER,
    )
    .saying(&["the expanded definition exceeds"]),
    never(
        "core::limits::MAX_DEFINITION_SIZE",
        "size of an expanded definition in a world: 65,536",
        &["world/too-large"],
        FLATTER,
    )
    .saying(&["the expanded definition exceeds"]),
    never(
        "core::limits::MAX_ASSIGNMENTS",
        "assignments of the quantifiers inside a condition: 1,073,741,824",
        &["run/refused"],
        NARROWER,
    )
    .saying(&["assignments in each state"]),
    never(
        "core::limits::MAX_BINDINGS",
        "bindings of a preference, or of a quantifier of the setup: 67,108,864",
        &["game/many-bindings", "run/refused"],
        NARROWER,
    )
    .saying(&["; the limit is"]),
    never(
        "core::limits::MAX_RUN_BYTES",
        "memory of a run of the fast engine: 2 GiB",
        &["run/refused"],
        "use `--engine interpreter`, which is slower",
    )
    .saying(&["its bindings and conditions take"]),
    never(
        "core::limits::MAX_GOAL_PARTS",
        "parts of an expanded goal: 4,194,304",
        &["run/refused"],
        "use `--engine interpreter`, which does not expand goals",
    )
    .saying(&["expanded over all objects"]),
    never(
        "core::limits::MAX_KEPT_SATISFACTIONS",
        "listed satisfactions of a preference: 4,194,304 (all are counted)",
        &[],
        "use `--per-step` for the reward of every state, which includes all of them",
    )
    .told(),
    option(
        "goalspec::budget::DEFAULT_UNITS",
        "units of work of a program over a trace: 1G, plus 1M per state",
        &["run/over-budget"],
        "--budget none",
    )
    .saying(&["exceeds the budget of"])
    .told(),
    never(
        "trace::source::MAX_STATE_BYTES",
        "bytes of one state of a trace, as text: 64 MiB",
        &["trace/state-too-large"],
        "record fewer objects or attributes in each state",
    )
    .saying(&["the value at byte", "MiB as text"]),
    never(
        "trace::source::MAX_PIPED_PARQUET_BYTES",
        "bytes of a compressed or piped Parquet table: 1 GiB",
        &["trace/state-too-large"],
        "pass the path of the uncompressed file",
    )
    .saying(&["a compressed or piped Parquet table"]),
    never(
        "trace::json::scan::MAX_JSON_DEPTH",
        "levels of nested JSON in a trace: 64",
        &["trace/depth"],
        "write the states as JSON Lines, as described in the book's chapter on traces",
    )
    .saying(&["JSON is nested more than"]),
    never(
        "trace::json::scan::MAX_OBJECTS_AROUND",
        "lists and objects around the states of a recorded play: 16",
        &["trace/depth"],
        "write the states as JSON Lines, as described in the book's chapter on traces",
    )
    .saying(&["the states are nested in more than"]),
    never(
        "trace::recorded::document::MAX_HELD_BYTES",
        "held batches of an unordered export: 256 MiB",
        &["trace/batches"],
        "write the batches in order",
    )
    .saying(&["the batches before"]),
    never(
        "simulator::trace::MAX_LINE_BYTES",
        "bytes of one turn of a recorded game, as text: 256 MiB",
        &["run/recording"],
        SHORTER_TURNS,
    )
    .saying(&["the line exceeds the limit of"]),
    option("simulator::episode::MAX_TURNS", "turns of a simulated game: 10,000", &[], "--max-turns").told(),
    never(
        "simulator::trace::MAX_DRAWN",
        "random numbers that a policy draws in a replayed turn: 1,048,576",
        &["run/recording"],
        "draw fewer numbers in a custom policy",
    )
    .saying(&["random numbers in a turn"]),
    never(
        "simulator::compile::depth::MAX_DEPTH",
        "levels of nested expressions, filters and conditions of a resource graph game: 256",
        &["run/refused"],
        FLATTER,
    )
    .saying(&["the nesting of filters or computations"]),
    never(
        "simulator::compile::vectors::MAX_NODE_TESTS",
        "tests of nodes by the filters of vectors: 16,777,216",
        &["run/refused"],
        "use fewer filters of vectors, or fewer nodes",
    )
    .saying(&["tests of nodes"]),
    never(
        "rgg::yaml::MAX_BYTES",
        "bytes of a resource graph game: 64 MiB",
        &["rgg/yaml-size"],
        "give the game fewer nodes",
    )
    .saying(&["bytes and exceeds the limit of"]),
    never("rgg::yaml::MAX_DEPTH", "levels of nested YAML: 96", &["rgg/yaml-depth"], FLATTER)
        .saying(&["the nesting of lists and maps exceeds"]),
    never(
        "rgg::yaml::MAX_NODES",
        "keys and values of a resource graph game, with expanded aliases: 8,388,608",
        &["rgg/yaml-size"],
        "use fewer aliases of large parts",
    )
    .saying(&["with every alias expanded"]),
    never(
        "rgg::expression::MAX_BYTES",
        "bytes of an expression: 65,536",
        &["rgg/expression-size"],
        "compute parts of it in separate consequences",
    )
    .saying(&["bytes and exceeds the limit of"]),
    never(
        "rgg::format::MAX_MARKED_KEYS",
        "lines with an empty key, an anchor or a tag at the start, in a formatted resource graph game: 100",
        &["rgg/layout"],
        "write anchors and tags after keys",
    )
    .saying(&["begin with an empty key"]),
    never(
        "rgg::format::MAX_INDENT",
        "columns of indentation in a formatted resource graph game: 60",
        &["rgg/layout"],
        "reduce the indentation or the nesting",
    )
    .saying(&["the indentation of"]),
    never(
        "reward::limits::MAX_BYTES",
        "bytes of a reward function: 1 MiB",
        &["reward/limit"],
        "use fewer or shorter literals for tables",
    )
    .saying(&["bytes, which exceeds the limit"]),
    never(
        "reward::limits::MAX_DEPTH",
        "levels of an expression of a reward function: 400",
        &["reward/limit"],
        "assign parts of the expression to variables",
    )
    .saying(&["expression nested deeper than the limit"]),
    never(
        "reward::limits::MAX_INDENTATION",
        "levels of indentation of a reward function: 100, as in CPython",
        &["reward/limit"],
        "move inner blocks into functions",
    )
    .saying(&["indentation exceeds the limit"]),
    never(
        "reward::limits::MAX_INSTRUCTIONS",
        "instructions of a reward function: 1,048,576",
        &["reward/limit"],
        "loop over a list instead of writing every case",
    )
    .saying(&["the program exceeds the limit"]),
    never(
        "bddl::wildcard::MAX_INSTANCES",
        "instances of a wildcard of an activity: 10,000",
        &["bddl/wildcard-scene"],
        "use a smaller scene, or list the instances",
    )
    .saying(&["objects, which exceeds the limit"]),
    never("bddl::ground::MAX_NODES", "parts of the goal of an activity over all instances: 1,048,576", &[], OTHER_GOAL)
        .told(),
    never(
        "bddl::options::release::MAX_WRITTEN_LITERALS",
        "literals of all options listed by a release: 4,194,304",
        &[],
        OTHER_GOAL,
    )
    .told(),
    never(
        "bddl::export::formula::MAX_DERIVED",
        "derived predicates of an exported goal: 262,144",
        &["run/refused"],
        OTHER_GOAL,
    )
    .saying(&["derived predicates"])
    .told(),
    never("bddl::options::diagram::MAX_BRANCHES", "branches of the options of a goal: 1,048,576", &[], OTHER_GOAL)
        .told(),
    never(
        "bddl::knowledge::MAX_SYNSETS",
        "synsets of a knowledge base: 16,384",
        &["bddl/knowledge-too-large"],
        "remove synsets that no activity uses",
    )
    .saying(&["synsets in a taxonomy"]),
    never(
        "game::reference::evaluate::MAX_EVALUATIONS",
        "evaluations in a state in reference mode: 16,777,216",
        &[],
        "use `--semantics spec`, which has no such limit",
    )
    .saying(&["evaluations in one state"]),
    never(
        "game::reference::evaluate::MAX_REMEMBERED",
        "stored values in reference mode: 2,097,152",
        &[],
        "use `--semantics spec`, which has no such limit",
    )
    .saying(&["values must be stored"]),
    never(
        "game::resolve::scope::MAX_VARIABLES",
        "variables in scope at one place of a game: 256",
        &["game/too-many-variables"],
        NARROWER,
    )
    .saying(&["variables in scope exceed the limit of"]),
    never(
        "game::reference::patterns::MAX_BINDINGS",
        "bindings of all preferences in reference mode: 524,288",
        &[],
        "use `--semantics spec`, which has a higher limit",
    )
    .saying(&["the preferences have more than"]),
    never(
        "game::reference::patterns::MAX_SATISFACTIONS",
        "satisfactions of a preference in reference mode: 1,048,576",
        &[],
        "use `--semantics spec`, which has a higher limit",
    )
    .saying(&["a preference has more than"]),
    never(
        "game::reference::assignments::MAX_COMBINATIONS",
        "assignments of a quantifier in reference mode: 1,048,576",
        &[],
        "use `--semantics spec`, which has a higher limit",
    )
    .saying(&["a quantifier ranges over more than"]),
    never(
        "atari::recording::MAX_LINE_BYTES",
        "bytes of one frame of a recording of screens, as text: 1 MiB",
        &[],
        "record RAM instead of objects",
    )
    .told(),
    never(
        "atari::recording::MAX_OBJECTS",
        "objects of one frame of a recording of screens: 1,024",
        &[],
        "record RAM instead of objects",
    )
    .told(),
    never(
        "planner::compile::MAX_INSTANCES",
        "assignments of the outer variables of a planned constraint: 16,384",
        &["plan/refused"],
        NARROWER,
    )
    .saying(&["the bindings of its variables exceed"]),
    never(
        "planner::compile::automaton::MAX_AUTOMATON_STATES",
        "states of the automaton of a planned constraint: 1,024",
        &["plan/refused"],
        SIMPLER,
    )
    .saying(&["the automaton of the formula exceeds"]),
    never(
        "planner::compile::builder::MAX_FACTS",
        "facts, rules and effects that track the constraints of a plan: 65,536",
        &["plan/refused"],
        SIMPLER,
    )
    .saying(&["facts, rules or effects"]),
    never(
        "planner::compile::formula::MAX_FORMULA_DEPTH",
        "nesting of a planned constraint: 512",
        &["plan/refused"],
        FLATTER,
    )
    .saying(&["the formula exceeds the nesting limit"]),
    never(
        "planner::compile::formula::MAX_CONDITIONS",
        "distinct conditions in a planned constraint: 256",
        &["plan/refused"],
        SIMPLER,
    )
    .saying(&["distinct conditions"]),
    never(
        "pddl::trajectory::MAX_PARTS",
        "parts of the trajectory constraints of a problem: 262,144",
        &["pddl/too-many"],
        "quantify over fewer objects",
    )
    .saying(&["after expansion of quantifiers"]),
];

/// Adds the remedy to an error about a limit, unless the error already contains it.
#[must_use]
pub fn advise(diagnostic: Diagnostic) -> Diagnostic {
    let Some(limit) = Limit::of_diagnostic(&diagnostic) else { return diagnostic };
    let is_advice = |help: &String| help.starts_with(CANNOT_BE_LIFTED) || *help == limit.remedy();
    if !diagnostic.is_error() || limit.told || diagnostic.help.iter().any(is_advice) {
        return diagnostic;
    }
    let help = match limit.lift {
        Lift::Never(_) if !diagnostic.help.is_empty() => CANNOT_BE_LIFTED.to_owned(),
        _ => limit.remedy(),
    };
    diagnostic.with_help(help)
}

/// Returns the remedy for the limit that a reason without a code reports, such as the reason for a missing score; `None` if it
/// reports no limit.
pub fn remedy_of(reason: &str) -> Option<String> {
    LIMITS.iter().find(|limit| limit.codes.is_empty() && limit.is_said(reason)).map(Limit::remedy)
}

/// Returns a message with this code, followed by the remedy for the limit that it reports, if any.
pub fn with_remedy(code: Code, message: String) -> String {
    let limit = LIMITS.iter().find(|limit| limit.is_of(code, &message) && !limit.told);
    match limit {
        Some(limit) => format!("{message}; {}", limit.remedy()),
        None => message,
    }
}

/// Returns the table of limits as Markdown.
pub fn table() -> String {
    let mut text = "| limit | option or alternative |\n|---|---|\n".to_owned();
    for Limit { what, lift, .. } in LIMITS {
        let lift = match lift {
            Lift::Option(option) => format!("`{option}`"),
            Lift::Never(instead) => format!("none: {instead}"),
        };
        text.extend(["| ", what, " | ", &lift, " |\n"]);
    }
    text
}
