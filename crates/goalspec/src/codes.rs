//! The documentation of every diagnostic code: the codes of this crate, and those of all crates together.

use goalspec_syntax::CodeDoc;

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
    /// An activity that is in no installed release.
    NO_ACTIVITY = "input/no-activity", Error,
    "`bddl:NAME` names an activity of a release of the Python package `bddl`: its first definition or, with a number as in \
     `bddl:storing_food-0`, another one. `bddl:storing_*` names all matching activities.\n\n\
     Releases are searched in the folder given by `--knowledge`, otherwise in those of the environment variable `GOALSPEC_BDDL`, in \
     those of the configuration file, or in the folder into which `goalspec fetch bddl` downloads them.";
    /// An invalid configuration file.
    CONFIGURATION = "input/configuration", Error,
    "The configuration is `goalspec/config.toml` in the configuration folder of the platform, such as `~/.config`, or the file \
     named by the environment variable `GOALSPEC_CONFIG`. It contains the folders of releases of the Python package `bddl`.\n\n\
     Example: `[bddl]`, and below it `knowledge = \"/home/ada/bddl-3.6.0\"`, or a list of folders.";
    /// An unknown world.
    UNKNOWN_DOMAIN = "input/unknown-domain", Error,
    "The trace or the command names a world that is not built in, or the world of the trace is not specified.\n\n\
     Specify the world file: `goalspec trace info --world my.world.toml play.jsonl`, or together with a program: \
     `goalspec score my.game my.world.toml play.jsonl`.";
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
    /// A program that exceeds its work budget.
    OVER_BUDGET = "run/over-budget", Error,
    "The budget is the number of units of work of a program over one trace; each state adds a thousandth of it. A unit is about the work of \
     evaluating an atom for one binding, or of combining 64 truth values. Units depend on the program and the trace only, so that a program \
     stops in the same state on every machine. A stopped program has no score; other programs are not affected.\n\n\
     Use instead: fewer variables in one quantifier, or types with fewer objects; `goalspec check --cost` prints the number of bindings. \
     `goalspec score --budget none` lifts the limit, `--budget 20G` raises it.";
    /// A recorded game that cannot be replayed.
    RECORDING = "run/recording", Error,
    "A recording of `goalspec simulate --trace` is replayed with the game that it names before its states are evaluated. The message \
     compares the recording with the game.\n\n\
     Specify the file of the game together with the recording, and use the same rules: `goalspec score plan.game berries.yaml turns.jsonl`.";
    /// A game that cannot be analysed exactly.
    NOT_ANALYSED = "run/not-analysed", Error,
    "`goalspec analyse` enumerates all reachable states of a game, so their number must be finite and within the limits. The message states \
     the reason.\n\n\
     - Numbers drawn from a range, in expressions or as parameters, and results of other programs have no finite model.\n\
     - Resources that grow without bound have none either: use `--horizon` to analyse the states of the first turns only.\n\
     - Policies must make the same decision in equal states: a script, which depends on the number of the turn, does not.\n\n\
     Use instead: `goalspec simulate`.";
    /// A drawn value that makes a game invalid.
    VARIATION = "run/variation", Error,
    "With a value drawn by `goalspec simulate --vary`, the game is invalid, or its teams, nodes, actions or metrics differ in name from those of \
     the file. The message contains the value.\n\n\
     Draw from valid values: `--vary 'actions.climb.consequences.0.odds=float.range(0.5,0.9)'`.";
    /// A step of a plan that is not applicable.
    PLAN_STEP = "plan/step", Error,
    "A precondition of the action is false in the state of the step, or one of its effects is undefined there. The message names the step, the \
     literal, the step since which it is false, and a repair at that point of the plan.";
    /// A plan that does not reach the goal.
    PLAN_GOAL = "plan/goal", Error,
    "All steps are applicable, but the goal is not satisfied after the last one, or the states of the plan do not satisfy the preference that \
     `--goal` names. The message lists the unsatisfied parts.";
    /// A plan that violates a constraint.
    PLAN_CONSTRAINT = "plan/constraint", Error,
    "The states of the plan do not satisfy the trajectory constraints in `(:constraints ..)`.";
    /// A problem that cannot be searched for a plan.
    NOT_PLANNED = "plan/refused", Error,
    "The grounded problem exceeds a limit, or it uses a feature that the planner does not support. The message states the reason.\n\n\
     `--memory-limit` and `--time-limit` set the limits.";
    /// A goal beyond the action model.
    NO_ACTION = "plan/no-action", Error,
    "Activities have no actions; those that `goalspec plan` adds are of one agent with one hand that carries, opens, toggles, cuts, cooks, freezes, \
     soaks and cleans. None of them changes a predicate of the goal, so the goal is not reachable in this action model. This does not prove \
     that the activity is impossible, so the exit code differs from that of unsolvable problems.";
    /// A goal that is unreachable with the actions and objects of an activity.
    OUT_OF_REACH = "plan/out-of-reach", Error,
    "The action model has no plan for the activity. The message lists the goal literals that are unreachable in the delete relaxation, in which no \
     fact ever becomes false. The actions of the model depend on the known abilities of the objects in the activity, such as heat \
     sources.\n\nA note reports if each literal is reachable separately, so that only their conjunction is unreachable. Another note lists the \
     restrictions of the model that may be the cause.";
    /// A planner that is not installed.
    NO_ENGINE = "plan/no-engine", Error,
    "`goalspec plan --engine fast-downward` runs Fast Downward, which is not part of goalspec: a program with one of its usual names on the `PATH`, \
     the program of the Python package `up-fast-downward` (`pip install up-fast-downward`), or the one given by `--engine-path`.";
    /// A problem that is too large for the reachability check.
    NOT_EXPLORED = "plan/not-explored", Note,
    "`goalspec check` grounds the problem to find unreachable actions and goals, unless this exceeds 200000 atoms and steps. All other checks \
     are complete, and `goalspec plan` has separate limits.";
    /// Invalid RAM input.
    RAM = "input/ram", Error,
    "`goalspec trace record` reads one frame per line: 256 hexadecimal digits, optionally preceded by `reset` or by the number of an action and its \
     score change. With `--raw`, it reads 128 bytes per frame.\n\nThe message names the line or the frame, and the error.";
    /// A frame that is missing from a recording.
    NO_FRAME = "input/no-frame", Error,
    "`goalspec score --why=120` explains the frame whose number in the recording, `t`, is 120. `--per-step` lists the numbers.";
    /// A game that cannot be played live.
    NO_EMULATOR = "input/no-emulator", Error,
    "`goalspec trace record --env` plays a game with the Arcade Learning Environment, which is not part of goalspec. It requires a Python \
     interpreter with the packages `ale-py` and `gymnasium`.\n\nUse instead: `python3 -m pip install gymnasium ale-py`, or recorded RAM.";
    /// An unknown action of a game.
    NO_SUCH_ACTION = "input/no-such-action", Error,
    "`goalspec trace record --env ALE/Pong-v5 --policy constant:2` always takes the action with this number. The numbers depend on the game; the \
     message lists them.";
    /// A reward function that is read with a world other than the one that it imports.
    OTHER_REWARD_WORLD = "input/other-reward-world", Warning,
    "`--world` determines the available classes and overrides the import of the program. Names of the imported game that this world does not have \
     raise a `NameError`.\n\nUse instead: no `--world`, so that the import determines the world.";
    /// A Python file, which goalspec does not format.
    PYTHON_LAYOUT = "input/python-layout", Error,
    "goalspec does not format Python.\n\nUse instead: a formatter for Python, such as `ruff format reward.py`.";
    /// A program that an engine cannot run.
    REFUSED = "run/refused", Error,
    "The program exceeds a limit of an engine, or cannot be executed. The message states the reason.\n\n\
     - A preference or the setup ranges over too many combinations of objects: `goalspec check --cost` prints the number for each \
     preference. Use more specific types for its variables.\n\
     - A run would exceed the memory limit, because of the combinations of all preferences together. Use more specific types, or split the game.\n\
     - The goal of an activity has too many parts after expansion of its quantifiers, or is nested too deeply. Use fewer objects or fewer \
     nested quantifiers.\n\
     - The objects of an activity do not form a valid world, for example because there are too many of them.";
}

/// Returns the documentation of the codes of all crates, sorted by code.
pub fn all() -> Vec<CodeDoc> {
    let mut docs: Vec<CodeDoc> = [
        ALL,
        goalspec_syntax::codes::ALL,
        goalspec_core::world::file::codes::ALL,
        goalspec_bddl::codes::ALL,
        goalspec_bddl::check::codes::ALL,
        goalspec_bddl::knowledge::codes::ALL,
        goalspec_bddl::lint::codes::ALL,
        goalspec_game::codes::ALL,
        goalspec_game::lint::codes::ALL,
        goalspec_pddl::codes::ALL,
        goalspec_pddl::lint::codes::ALL,
        goalspec_reward::codes::ALL,
        goalspec_rgg::codes::ALL,
        goalspec_trace::codes::ALL,
        crate::rewards::audit::codes::ALL,
    ]
    .concat();
    docs.sort_by_key(|doc| doc.code);
    docs
}
