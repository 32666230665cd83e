//! The named limits on user input, and the remedy for each.
//!
//! Programs, traces and worlds are untrusted, so every quantity that could grow without bound has a named limit. This table is
//! the book's chapter on limits and the source of the help that [`add_remedy`] adds to diagnostics. The file is long because the table is one
//! list, in the order of the crates.

use goalspec_syntax::{Code, Diagnostic};

/// A named limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The path of the constant: crate, module and name.
    pub constant: &'static str,
    /// The limited quantity and its limit, as a phrase: "bytes of a text: 64 MiB".
    pub description: &'static str,
    /// The codes of the diagnostics that report it.
    pub codes: &'static [&'static str],
    /// Substrings of its messages, one of which occurs in each. They identify reasons without a code, and set the messages apart
    /// from others with the same code.
    pub message_parts: &'static [&'static str],
    /// Whether the messages already contain the remedy.
    pub message_has_remedy: bool,
    /// The remedy.
    pub remedy: Remedy,
}

/// The remedy for a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// A command-line option that raises or removes the limit.
    Option(&'static str),
    /// An alternative, as an imperative, for a limit that cannot be lifted.
    Alternative(&'static str),
}

/// Creates an entry for a limit that cannot be lifted.
const fn fixed(
    constant: &'static str,
    description: &'static str,
    codes: &'static [&'static str],
    instead: &'static str,
) -> Limit {
    Limit {
        constant,
        description,
        codes,
        message_parts: &[],
        message_has_remedy: false,
        remedy: Remedy::Alternative(instead),
    }
}

/// Creates an entry for a limit that a command-line option lifts.
const fn adjustable(
    constant: &'static str,
    description: &'static str,
    codes: &'static [&'static str],
    option: &'static str,
) -> Limit {
    Limit {
        constant,
        description,
        codes,
        message_parts: &[],
        message_has_remedy: false,
        remedy: Remedy::Option(option),
    }
}

impl Limit {
    /// Sets the substrings that identify its messages.
    const fn with_message_parts(self, parts: &'static [&'static str]) -> Self {
        Self { message_parts: parts, ..self }
    }

    /// Marks the limit as one whose messages contain the remedy.
    const fn with_remedy_in_message(self) -> Self {
        Self { message_has_remedy: true, ..self }
    }

    /// Whether a text reports the limit.
    fn is_reported_in(&self, text: &str) -> bool {
        self.message_parts.iter().any(|part| text.contains(part))
    }

    /// Whether a message with this code reports the limit.
    fn is_reported_by(&self, code: Code, message: &str) -> bool {
        self.codes.contains(&code.0) && self.is_reported_in(message)
    }

    /// Returns the remedy as a sentence without a full stop: the option that lifts the limit, or the alternative.
    pub fn remedy_text(&self) -> String {
        match self.remedy {
            Remedy::Option(option) => format!("`{option}` lifts the limit"),
            Remedy::Alternative(instead) => format!("{CANNOT_BE_LIFTED}: {instead}"),
        }
    }

    /// Finds the limit with this constant.
    pub fn by_constant(constant: &str) -> Option<&'static Self> {
        LIMITS.iter().find(|limit| limit.constant == constant)
    }

    /// Finds the limit that a diagnostic reports; `None` if it reports no limit.
    pub fn of_diagnostic(diagnostic: &Diagnostic) -> Option<&'static Self> {
        LIMITS.iter().find(|limit| limit.is_reported_by(diagnostic.code, &diagnostic.message))
    }

    /// Finds the limit that a message without a code reports; `None` if it reports no limit.
    pub fn of_message(message: &str) -> Option<&'static Self> {
        LIMITS.iter().find(|limit| limit.is_reported_in(message))
    }
}

/// The remedy for a limit that cannot be lifted, to which an alternative can be added.
const CANNOT_BE_LIFTED: &str = "the limit cannot be lifted";

const COMPARED: &str = "compare smaller problems, or only their goals with `--goals`";
const COMPARED_GAMES: &str =
    "compare one aspect with `--as`, fewer objects with `--objects`, or the games on recordings with `--trace`";
const SPLIT: &str = "split the text into several files";
const FLATTER: &str = "reduce the nesting, or split the program";
const SMALLER_WORLD: &str = "remove declarations that no program uses, or split the world";
const OTHER_GOAL: &str = "split the goal, or bind fewer variables together";
const SHORTER_TURNS: &str = "use fewer nodes and vectors, which makes turns shorter";
const SIMPLER: &str = "bind fewer variables together, or split the constraint";
const NARROWER: &str = "bind fewer variables together, or use types with fewer objects";

/// All named limits, by crate.
pub const LIMITS: &[Limit] = &[
    fixed("syntax::limits::MAX_SOURCE_BYTES", "bytes of a text: 64 MiB", &["syntax/too-large"], SPLIT)
        .with_message_parts(&["bytes of a text"]),
    fixed("syntax::limits::MAX_DEPTH", "levels of nested lists: 256", &["syntax/too-deep"], FLATTER)
        .with_message_parts(&["lists are nested more than"]),
    fixed("syntax::limits::MAX_TOKENS", "tokens of a text: 16,777,216", &["syntax/too-large"], SPLIT)
        .with_message_parts(&["tokens; the rest"]),
    fixed(
        "syntax::limits::MAX_SYNTAX_DIAGNOSTICS",
        "reported syntax errors of a text: 500",
        &["syntax/too-many-errors"],
        "fix the first errors and check again",
    )
    .with_message_parts(&["further syntax errors"]),
    fixed("core::limits::MAX_ATTRIBUTES", "attributes of a world: 64", &["world/too-large"], SMALLER_WORLD)
        .with_message_parts(&["a world has at most"]),
    fixed("core::limits::MAX_TYPES", "types of a world: 4,096", &["world/too-large"], SMALLER_WORLD)
        .with_message_parts(&["a world has at most"]),
    fixed("core::limits::MAX_OBJECTS", "objects of a world: 262,144", &["world/too-large"], SMALLER_WORLD)
        .with_message_parts(&["a world has at most"]),
    fixed(
        "core::limits::MAX_MEMBERSHIPS",
        "memberships of objects in types: 16,777,216",
        &["world/too-large"],
        SMALLER_WORLD,
    )
    .with_message_parts(&["a world has at most"]),
    fixed("core::limits::MAX_WORLD_FILE_BYTES", "bytes of a world file: 4 MiB", &["world/too-large"], SMALLER_WORLD)
        .with_message_parts(&["the world file exceeds the limit of"]),
    fixed(
        "core::limits::MAX_EXTENDS_DEPTH",
        "length of a chain of extended world files: 8",
        &["world/cannot-extend"],
        "merge several of the files",
    )
    .with_message_parts(&["the chain of extended files exceeds"]),
    fixed(
        "core::limits::MAX_DEFINITION_DEPTH",
        "nesting of an expanded definition in a world: 512",
        &["world/too-large"],
        FLATTER,
    )
    .with_message_parts(&["the expanded definition exceeds"]),
    fixed(
        "core::limits::MAX_DEFINITION_SIZE",
        "size of an expanded definition in a world: 65,536",
        &["world/too-large"],
        FLATTER,
    )
    .with_message_parts(&["the expanded definition exceeds"]),
    fixed(
        "core::limits::MAX_ASSIGNMENTS",
        "assignments of the quantifiers inside a condition: 1,073,741,824",
        &["run/not-supported"],
        NARROWER,
    )
    .with_message_parts(&["assignments in each state"]),
    fixed(
        "core::limits::MAX_BINDINGS",
        "bindings of a preference, or of a quantifier of the setup: 67,108,864",
        &["game/many-bindings", "run/not-supported"],
        NARROWER,
    )
    .with_message_parts(&["; the limit is"]),
    fixed(
        "core::limits::MAX_RUN_BYTES",
        "memory of a run of the fast engine: 2 GiB",
        &["run/not-supported"],
        "use `--engine interpreter`, which is slower",
    )
    .with_message_parts(&["its bindings and conditions take"]),
    fixed(
        "core::limits::MAX_GOAL_PARTS",
        "parts of an expanded goal: 4,194,304",
        &["run/not-supported"],
        "use `--engine interpreter`, which does not expand goals",
    )
    .with_message_parts(&["expanded over all objects"]),
    fixed(
        "core::limits::MAX_LISTED_SATISFACTIONS",
        "listed satisfactions of a preference: 4,194,304 (all are counted)",
        &[],
        "use `--per-step` for the reward of every state, which includes all of them",
    )
    .with_remedy_in_message(),
    adjustable(
        "core::budget::DEFAULT_UNITS",
        "units of work of a program over a trace: 1G, plus 1M per state",
        &["run/over-budget"],
        "--budget none",
    )
    .with_message_parts(&["exceeds the budget of"])
    .with_remedy_in_message(),
    fixed(
        "trace::source::MAX_STATE_BYTES",
        "bytes of one state of a trace, as text: 64 MiB",
        &["trace/state-too-large"],
        "record fewer objects or attributes in each state",
    )
    .with_message_parts(&["the value at byte", "MiB as text"]),
    fixed(
        "trace::source::MAX_PIPED_PARQUET_BYTES",
        "bytes of a compressed or piped Parquet table: 1 GiB",
        &["trace/state-too-large"],
        "pass the path of the uncompressed file",
    )
    .with_message_parts(&["a compressed or piped Parquet table"]),
    fixed(
        "trace::json::scan::MAX_JSON_DEPTH",
        "levels of nested JSON in a trace: 64",
        &["trace/depth"],
        "write the states as JSON Lines, as described in the book's chapter on traces",
    )
    .with_message_parts(&["JSON is nested more than"]),
    fixed(
        "trace::json::scan::MAX_ENCLOSING_OBJECTS",
        "lists and objects around the states of a recorded play: 16",
        &["trace/depth"],
        "write the states as JSON Lines, as described in the book's chapter on traces",
    )
    .with_message_parts(&["the states are nested in more than"]),
    fixed(
        "trace::recorded::document::MAX_HELD_BYTES",
        "held batches of an unordered export: 256 MiB",
        &["trace/batches"],
        "write the batches in order",
    )
    .with_message_parts(&["the batches before"]),
    fixed(
        "simulator::trace::MAX_LINE_BYTES",
        "bytes of one turn of a recorded game, as text: 256 MiB",
        &["run/recording"],
        SHORTER_TURNS,
    )
    .with_message_parts(&["the line exceeds the limit of"]),
    adjustable("simulator::episode::MAX_TURNS", "turns of a simulated game: 10,000", &[], "--max-turns")
        .with_remedy_in_message(),
    fixed(
        "simulator::trace::MAX_POLICY_DRAWS",
        "random numbers that a policy draws in a replayed turn: 1,048,576",
        &["run/recording"],
        "draw fewer numbers in a custom policy",
    )
    .with_message_parts(&["random numbers in a turn"]),
    fixed(
        "simulator::compile::depth::MAX_DEPTH",
        "levels of nested expressions, filters and conditions of a resource graph game: 256",
        &["run/not-supported"],
        FLATTER,
    )
    .with_message_parts(&["the nesting of filters or computations"]),
    fixed(
        "simulator::compile::node_tests::MAX_NODE_TESTS",
        "tests of nodes by the filters of vectors: 16,777,216",
        &["run/not-supported"],
        "use fewer filters of vectors, or fewer nodes",
    )
    .with_message_parts(&["tests of nodes"]),
    adjustable(
        "simulator::actions::MAX_ACTIONS",
        "actions of a team that another program plays: 65,536",
        &[],
        "--bins",
    )
    .with_remedy_in_message(),
    fixed(
        "simulation::service::MAX_REQUEST_BYTES",
        "bytes of a request of another program that plays a game: 65,536",
        &[],
        "give actions by their indices",
    )
    .with_remedy_in_message(),
    fixed(
        "simulation::service::MAX_CONNECTIONS",
        "simultaneous connections of other programs that play a game: 64",
        &[],
        "close connections, or run the command several times",
    )
    .with_remedy_in_message(),
    fixed(
        "rgg::yaml::MAX_BYTES",
        "bytes of a resource graph game: 64 MiB",
        &["rgg/yaml-size"],
        "give the game fewer nodes",
    )
    .with_message_parts(&["bytes and exceeds the limit of"]),
    fixed("rgg::yaml::MAX_DEPTH", "levels of nested YAML: 96", &["rgg/yaml-depth"], FLATTER)
        .with_message_parts(&["the nesting of lists and maps exceeds"]),
    fixed(
        "rgg::yaml::MAX_NODES",
        "keys and values of a resource graph game, with expanded aliases: 8,388,608",
        &["rgg/yaml-size"],
        "use fewer aliases of large parts",
    )
    .with_message_parts(&["with every alias expanded"]),
    fixed(
        "rgg::expression::MAX_BYTES",
        "bytes of an expression: 65,536",
        &["rgg/expression-size"],
        "compute parts of it in separate consequences",
    )
    .with_message_parts(&["bytes and exceeds the limit of"]),
    fixed(
        "rgg::format::MAX_MARKED_KEYS",
        "lines with an empty key, an anchor or a tag at the start, in a formatted resource graph game: 100",
        &["rgg/layout"],
        "write anchors and tags after keys",
    )
    .with_message_parts(&["begin with an empty key"]),
    fixed(
        "rgg::format::MAX_INDENT",
        "columns of indentation in a formatted resource graph game: 60",
        &["rgg/layout"],
        "reduce the indentation or the nesting",
    )
    .with_message_parts(&["the indentation of"]),
    fixed(
        "reward::limits::MAX_PROGRAM_BYTES",
        "bytes of a reward function: 1 MiB",
        &["reward/limit"],
        "use fewer or shorter literals for tables",
    )
    .with_message_parts(&["bytes, which exceeds the limit"]),
    fixed(
        "reward::limits::MAX_EXPRESSION_DEPTH",
        "levels of an expression of a reward function: 400",
        &["reward/limit"],
        "assign parts of the expression to variables",
    )
    .with_message_parts(&["expression nested deeper than the limit"]),
    fixed(
        "reward::limits::MAX_INDENTATION",
        "levels of indentation of a reward function: 100, as in CPython",
        &["reward/limit"],
        "move inner blocks into functions",
    )
    .with_message_parts(&["indentation exceeds the limit"]),
    fixed(
        "reward::limits::MAX_INSTRUCTIONS",
        "instructions of a reward function: 1,048,576",
        &["reward/limit"],
        "loop over a list instead of writing every case",
    )
    .with_message_parts(&["the program exceeds the limit"]),
    fixed(
        "bddl::wildcard::MAX_INSTANCES",
        "instances of a wildcard of an activity: 10,000",
        &["bddl/wildcard-scene"],
        "use a smaller scene, or list the instances",
    )
    .with_message_parts(&["objects, which exceeds the limit"]),
    fixed("bddl::ground::MAX_NODES", "parts of the goal of an activity over all instances: 1,048,576", &[], OTHER_GOAL)
        .with_remedy_in_message(),
    fixed(
        "bddl::options::release::MAX_LISTED_LITERALS",
        "literals of all options listed by a release: 4,194,304",
        &[],
        OTHER_GOAL,
    )
    .with_remedy_in_message(),
    fixed(
        "bddl::export::formula::MAX_DERIVED",
        "derived predicates of an exported goal: 262,144",
        &["run/not-supported"],
        OTHER_GOAL,
    )
    .with_message_parts(&["derived predicates"])
    .with_remedy_in_message(),
    fixed("bddl::options::diagram::MAX_DIAGRAM_NODES", "branches of the options of a goal: 1,048,576", &[], OTHER_GOAL)
        .with_remedy_in_message(),
    fixed(
        "bddl::knowledge::MAX_SYNSETS",
        "synsets of a knowledge base: 16,384",
        &["bddl/knowledge-too-large"],
        "remove synsets that no activity uses",
    )
    .with_message_parts(&["synsets in a taxonomy"]),
    fixed(
        "game::reference::evaluate::MAX_CACHED_VALUES",
        "stored values in reference mode: 2,097,152",
        &[],
        "use fewer variables, or `--semantics spec`, which stores no values",
    )
    .with_message_parts(&["values must be stored"]),
    fixed(
        "game::resolve::scope::MAX_VARIABLES",
        "variables in scope at one place of a game: 256",
        &["game/too-many-variables"],
        NARROWER,
    )
    .with_message_parts(&["variables in scope exceed the limit of"]),
    fixed(
        "game::reference::matcher::MAX_BINDINGS",
        "bindings of all preferences in reference mode: 524,288",
        &[],
        "use fewer variables, or `--semantics spec`, whose limit is higher",
    )
    .with_message_parts(&["the preferences have more than"]),
    fixed(
        "game::reference::matcher::MAX_SATISFACTIONS",
        "satisfactions of a preference in reference mode: 1,048,576",
        &[],
        "use fewer variables, or `--semantics spec`, whose limit is higher",
    )
    .with_message_parts(&["a preference has more than"]),
    fixed(
        "game::reference::assignments::MAX_COMBINATIONS",
        "assignments of a quantifier in reference mode: 1,048,576",
        &[],
        "use fewer variables, or `--semantics spec`, whose limit is higher",
    )
    .with_message_parts(&["a quantifier ranges over more than"]),
    fixed(
        "atari::recording::MAX_LINE_BYTES",
        "bytes of one frame of a recording of screens, as text: 1 MiB",
        &[],
        "record RAM instead of objects",
    )
    .with_remedy_in_message(),
    fixed(
        "atari::recording::MAX_OBJECTS",
        "objects of one frame of a recording of screens: 1,024",
        &[],
        "record RAM instead of objects",
    )
    .with_remedy_in_message(),
    fixed(
        "equivalence::limits::MAX_NODES",
        "nodes of the decision diagrams of a comparison by meaning: 1,048,576",
        &[],
        COMPARED,
    )
    .with_message_parts(&["nodes of the decision diagrams of a comparison"]),
    fixed("equivalence::limits::MAX_OPERATIONS", "operations of a comparison by meaning: 16,777,216", &[], COMPARED)
        .with_message_parts(&["operations of a comparison"]),
    fixed(
        "equivalence::limits::MAX_DEPTH",
        "nested conditions of a goal that is compared by meaning: 512",
        &[],
        COMPARED,
    )
    .with_message_parts(&["nested conditions of a compared goal"]),
    fixed(
        "equivalence::limits::MAX_PAIRED",
        "right objects of a one-to-one pairing that is compared by meaning: 16",
        &[],
        COMPARED,
    )
    .with_message_parts(&["right objects of a compared one-to-one pairing"]),
    fixed(
        "equivalence::limits::MAX_ASSIGNMENTS",
        "assignments in the search for bijections of objects: 1,048,576",
        &[],
        COMPARED,
    )
    .with_message_parts(&["assignments in the search for bijections"]),
    fixed(
        "equivalence::limits::MAX_BIJECTIONS",
        "bijections of objects of a comparison by meaning: 1,024",
        &[],
        COMPARED,
    )
    .with_message_parts(&["bijections of objects of a comparison"]),
    fixed(
        "equivalence::limits::MAX_FORMULA_PARTS",
        "different temporal parts of a formula that is compared by `diff`: 64",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["different temporal parts of a compared formula"]),
    fixed(
        "equivalence::limits::MAX_PRODUCT_STATES",
        "states of the product of two games that are compared by `diff`: 131,072",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["states of the product of the automata of two games"]),
    fixed(
        "equivalence::limits::MAX_GUARDS",
        "conditions of the transitions from one state of that product: 16",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["conditions of the transitions from one state of two games"]),
    fixed(
        "equivalence::limits::MAX_PRODUCT_WORK",
        "positions in the transitions of that product: 4,194,304",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["positions in the transitions of the product of two games"]),
    fixed(
        "equivalence::limits::MAX_COUNT",
        "counts up to which `diff` compares scores and ends of games exactly: 8",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["no difference while counts are at most"]),
    fixed(
        "equivalence::limits::MAX_MACHINES",
        "preferences under single bindings that `diff` compares together: 32",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["preferences under single bindings that are compared together"]),
    fixed(
        "equivalence::limits::MAX_COMPARED_BINDINGS",
        "bindings under which `diff` compares two preferences one by one: 256",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["bindings under which preferences are compared"]),
    fixed(
        "equivalence::limits::MAX_EXCLUDED_LETTERS",
        "combinations of conditions that `diff` excludes because no state with them is found: 16",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["combinations of conditions for which no state is found"]),
    fixed(
        "equivalence::limits::MAX_STATE_CHANGES",
        "changes that `diff` tries to find a state: 3,000",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["a difference would need states for which none was found"]),
    fixed(
        "equivalence::limits::MAX_RANDOM_TRACES",
        "random traces on which `diff` compares two games: 300",
        &[],
        COMPARED_GAMES,
    )
    .with_message_parts(&["random traces"]),
    fixed(
        "planner::compile::MAX_INSTANCES",
        "assignments of the outer variables of a planned constraint: 16,384",
        &["plan/not-supported"],
        NARROWER,
    )
    .with_message_parts(&["the bindings of its variables exceed"]),
    fixed(
        "planner::compile::automaton::MAX_AUTOMATON_STATES",
        "states of the automaton of a planned constraint: 1,024",
        &["plan/not-supported"],
        SIMPLER,
    )
    .with_message_parts(&["the automaton of the formula exceeds"]),
    fixed(
        "planner::compile::builder::MAX_ADDITIONS",
        "facts, rules and effects that track the constraints of a plan: 65,536",
        &["plan/not-supported"],
        SIMPLER,
    )
    .with_message_parts(&["facts, rules or effects"]),
    fixed(
        "planner::compile::formula::MAX_FORMULA_DEPTH",
        "nesting of a planned constraint: 512",
        &["plan/not-supported"],
        FLATTER,
    )
    .with_message_parts(&["the formula exceeds the nesting limit"]),
    fixed(
        "planner::compile::formula::MAX_CONDITIONS",
        "distinct conditions in a planned constraint: 256",
        &["plan/not-supported"],
        SIMPLER,
    )
    .with_message_parts(&["distinct conditions"]),
    fixed(
        "pddl::trajectory::MAX_SUBFORMULAS",
        "parts of the trajectory constraints of a problem: 262,144",
        &["pddl/too-many"],
        "quantify over fewer objects",
    )
    .with_message_parts(&["after expansion of quantifiers"]),
    fixed("lot::problem::MAX_OBJECTS", "objects of a problem of stacks: 500", &["lot/problem"], "use fewer objects")
        .with_message_parts(&["objects; expected 1 to"]),
    fixed("lot::vocabulary::MAX_NAMES", "names of a vocabulary: 10,000", &["lot/vocabulary"], "use fewer names")
        .with_message_parts(&["names; expected 1 to"]),
    fixed("lot::specs::MAX_PROBLEMS", "problems of a set of stacks: 100,000", &["lot/specs"], "split the set")
        .with_message_parts(&["the file exceeds the limit of"]),
    fixed(
        "lot::generate::MAX_DRAWS",
        "draws of a problem with `--distinct-goal`: 10,000",
        &["lot/specs"],
        "use more objects",
    )
    .with_message_parts(&["whose goals do not hold at the start in"]),
    fixed(
        "lot::translation::MAX_SEED_DEPTH",
        "levels of nested lists in a reply with `--rules seed`: 300",
        &["lot/seed-rules"],
        "read the reply by the default rules",
    )
    .with_message_parts(&["lists are nested more than"]),
    fixed(
        "llm::http::MAX_RESPONSE_BYTES",
        "bytes of a response of a language model: 64 MiB",
        &[],
        "ask for shorter replies with `--max-output-tokens`",
    )
    .with_message_parts(&["the response of the model exceeds the limit of"]),
    fixed(
        "llm::import::MAX_FILE_BYTES",
        "bytes of a file of recorded replies, unpacked: 256 MiB",
        &[],
        "split the file",
    )
    .with_message_parts(&["the recording exceeds the limit of"]),
    fixed(
        "words::record::MAX_BYTES",
        "bytes of the record of a run with a language model: 1 GiB",
        &[],
        "start a new record",
    )
    .with_message_parts(&["the record exceeds the limit of"]),
    fixed("words::reward::curves::MAX_BYTES", "bytes of a table of training curves: 64 MiB", &[], "record fewer steps")
        .with_message_parts(&["the table of curves exceeds the limit of"]),
    fixed(
        "words::translation::examples::MAX_EXAMPLES",
        "examples in a prompt of `goalspec translate`: 32",
        &[],
        "choose fewer examples",
    )
    .with_message_parts(&["examples, which exceeds the limit of"]),
    fixed(
        "words::translation::examples::MAX_BYTES",
        "bytes of an example for `goalspec translate`: 1 MiB",
        &[],
        "shorten the example",
    )
    .with_message_parts(&["the example exceeds the limit of"]),
    adjustable(
        "goalspec::scoring::table::MAX_TRACE_STATES",
        "states of a trace in a table of scores: 1,000,000",
        &["trace/over-limit"],
        "--max-states",
    )
    .with_message_parts(&["states per trace is exceeded"]),
    adjustable(
        "goalspec::scoring::table::MAX_TRACE_BYTES",
        "bytes of a trace in a table of scores: 256 MiB",
        &["trace/over-limit"],
        "--max-size",
    )
    .with_message_parts(&["bytes per trace is exceeded"]),
    adjustable(
        "goalspec::scoring::table::MAX_TRACE_TIME",
        "time for a trace in a table of scores: 60 s",
        &["trace/over-limit"],
        "--max-time",
    )
    .with_message_parts(&["of time per trace is exceeded"]),
    fixed(
        "goalspec::scoring::table::rows::MAX_COUNT_COLUMNS",
        "names of preferences in a table of scores: 4,096",
        &["run/not-supported"],
        "score the programs in several tables",
    )
    .with_message_parts(&["columns of counts"]),
];

/// Adds the remedy to an error about a limit, unless the error already contains it.
#[must_use]
pub fn add_remedy(diagnostic: Diagnostic) -> Diagnostic {
    let Some(limit) = Limit::of_diagnostic(&diagnostic) else { return diagnostic };
    let is_advice = |help: &String| help.starts_with(CANNOT_BE_LIFTED) || *help == limit.remedy_text();
    if !diagnostic.is_error() || limit.message_has_remedy || diagnostic.help.iter().any(is_advice) {
        return diagnostic;
    }
    let help = match limit.remedy {
        Remedy::Alternative(_) if !diagnostic.help.is_empty() => CANNOT_BE_LIFTED.to_owned(),
        _ => limit.remedy_text(),
    };
    diagnostic.with_help(help)
}

/// Returns the remedy for the limit that a reason without a code reports, such as the reason for a missing score; `None` if it
/// reports no limit.
pub fn remedy_of(reason: &str) -> Option<String> {
    LIMITS.iter().find(|limit| limit.codes.is_empty() && limit.is_reported_in(reason)).map(Limit::remedy_text)
}

/// Returns a message with this code, followed by the remedy for the limit that it reports, if any.
pub fn with_remedy(code: Code, message: String) -> String {
    let limit = LIMITS.iter().find(|limit| limit.is_reported_by(code, &message) && !limit.message_has_remedy);
    match limit {
        Some(limit) => format!("{message}; {}", limit.remedy_text()),
        None => message,
    }
}

/// Returns the table of limits as Markdown.
pub fn table() -> String {
    let mut text = "| limit | option or alternative |\n|---|---|\n".to_owned();
    for Limit { description, remedy, .. } in LIMITS {
        let remedy = match remedy {
            Remedy::Option(option) => format!("`{option}`"),
            Remedy::Alternative(instead) => format!("none: {instead}"),
        };
        text.extend(["| ", description, " | ", &remedy, " |\n"]);
    }
    text
}
