//! The documentation of every diagnostic code: the codes of this crate, and those of all crates together.

use goalspec_syntax::CodeDoc;

goalspec_syntax::codes! {
    /// A file that does not exist.
    NOT_FOUND = "input/not-found", Error,
    "The path names no file or folder, and as a pattern it matches nothing.\n\n\
     Quote patterns (`'games/*.pddl'`) if your shell should leave them alone.";
    /// A file that cannot be read.
    UNREADABLE = "input/unreadable", Error,
    "The system refuses to read the file, or the file is larger than any program may be. The message says which.";
    /// A file that is neither a program nor a trace nor a world.
    UNKNOWN_KIND = "input/unknown-kind", Error,
    "What a file holds is told by its first character: a program begins with `(` or a comment, a trace with `{` or `[` \
     (or is packed with gzip or zstd, or is a Parquet file). World descriptions are told by their name, `*.world.toml`, and so are resource \
     graph games, `*.yaml`.";
    /// A file without a program.
    NO_PROGRAM = "input/no-program", Error,
    "The file is empty, or holds nothing but comments. A program is `(define (game NAME) (:domain WORLD) ..)`.";
    /// A plan where programs are expected.
    PLAN_FILE = "input/plan", Error,
    "A plan says what to do, step by step; it is judged together with the problem that it solves: `goalspec validate problem.pddl steps.plan`. \
     A file is taken for a plan if it ends in `.plan` or `.soln`, or if every line is a step such as `(drive red depot mill)`.";
    /// An activity that no installed release has.
    NO_ACTIVITY = "input/no-activity", Error,
    "`bddl:NAME` names an activity of a release of the Python package `bddl`: its first definition, or with a number behind it, as in \
     `bddl:storing_food-0`, another one. `bddl:storing_*` names all that match.\n\n\
     Releases are looked for in the folder that `--knowledge` names; else in those of the environment variable `GOALSPEC_BDDL`, else in \
     those of the configuration file, else where `goalspec fetch bddl` puts them.";
    /// A configuration file that cannot be used.
    CONFIGURATION = "input/configuration", Error,
    "The configuration is `goalspec/config.toml` in the folder that the platform has for configuration, such as `~/.config`, or the file \
     that the environment variable `GOALSPEC_CONFIG` names. It says where releases of the Python package `bddl` lie.\n\n\
     Example: `[bddl]`, and below it `knowledge = \"/home/ada/bddl-3.6.0\"`, or a list of folders.";
    /// An unknown world.
    UNKNOWN_DOMAIN = "input/unknown-domain", Error,
    "The trace, or the command, names a world that goalspec does not ship, or nothing says which world the trace is of.\n\n\
     Give the world file: `goalspec trace info --world my.world.toml play.jsonl`, or together with a program: \
     `goalspec score my.game my.world.toml play.jsonl`.";
    /// A scene that cannot be read.
    BAD_SCENE = "input/bad-scene", Error,
    "The layout of a scene is a JSON object: by type of room, how many things of which category all rooms of this type hold.\n\n\
     Example: `{\"kitchen\": {\"fridge\": 3, \"sink\": 1}, \"bedroom\": {\"bed\": 2}}`.";
    /// A game about a planning domain with several problems.
    SEVERAL_PROBLEMS = "input/several-problems", Error,
    "A game whose `(:domain ..)` is a planning domain speaks of the objects of a problem of that domain, so there has to be just one problem \
     among the files, or the game has to name it.\n\n\
     Example: `goalspec score errands.game one_van.pddl run.jsonl`.";
    /// Two worlds of the same name.
    DUPLICATE_WORLD = "input/duplicate-world", Error,
    "Two of the world files that were given have the same name, so a program's domain could mean either.";
    /// A world named like a built-in one.
    SHADOWED_WORLD = "input/shadowed-world", Warning,
    "A world file that was given has the name of a world that goalspec ships; programs of that domain are about the one that was \
     given.\n\nGive it a name of its own, and let it say `extends` if it builds on the other.";
    /// A program that exceeds its work budget.
    OVER_BUDGET = "run/over-budget", Error,
    "A program may take so many units of work over one trace, and a thousandth of them more for each state. A unit is about what it takes to \
     evaluate an atom for one binding, or to combine 64 truth values. Units depend on the program and the trace alone, so that a program that is \
     stopped is stopped in the same state everywhere. It has no score then; the other programs are scored as ever.\n\n\
     Use instead: fewer variables in one quantifier, or types with fewer objects; `goalspec check --cost` says how many bindings there are. \
     `goalspec score --budget none` lifts the limit, `--budget 20G` raises it.";
    /// A recorded game that cannot be replayed.
    RECORDING = "run/recording", Error,
    "What `goalspec simulate --trace` writes is played again, with the game that it names, before anything is asked of its states. The message \
     says what the recording has and what the game does.\n\n\
     Name the game's file beside the recording, and read it with the same rules: `goalspec score plan.game berries.yaml turns.jsonl`.";
    /// A game that cannot be analysed exactly.
    NOT_ANALYSED = "run/not-analysed", Error,
    "`goalspec analyse` goes through every state that a game can reach, so there have to be finitely many of them, and no more than its limits \
     allow. The message says what stands in the way.\n\n\
     - Numbers that are drawn from a range, in expressions or as parameters, and results of other programs make no finite model.\n\
     - Resources that grow for ever do not either: give `--horizon`, and only the states of the first turns are looked at.\n\
     - Policies have to decide the same in equal states: a script, which goes by the number of the turn, does not.\n\n\
     `goalspec simulate` plays such games.";
    /// A value with which a game cannot be played.
    VARIATION = "run/variation", Error,
    "A value that `goalspec simulate --vary` drew makes a text that is no game, or one whose teams, nodes, actions or metrics have other names \
     than in the file. The message says which value it was.\n\n\
     Draw from what the game can be played with: `--vary 'actions.climb.consequences.0.odds=float.range(0.5,0.9)'`.";
    /// A step of a plan that is not applicable.
    PLAN_STEP = "plan/step", Error,
    "What the action of a step requires does not hold in the state in which it is to be taken, or one of its effects makes no sense there. The \
     message says which step, which literal, since which step that is so, and what would help at that point of the plan.";
    /// A plan that does not reach the goal.
    PLAN_GOAL = "plan/goal", Error,
    "All steps can be taken, but the goal does not hold after the last one, or the preference that `--goal` names is not satisfied by the \
     states on the way. The message says what is missing.";
    /// A plan that violates a constraint.
    PLAN_CONSTRAINT = "plan/constraint", Error,
    "What `(:constraints ..)` ask of the whole run of states is not true of those that the plan goes through.";
    /// A problem that cannot be searched for a plan.
    NOT_PLANNED = "plan/refused", Error,
    "Taken apart over all objects, the problem is larger than the limits allow, or it asks for something that is not planned for. The message \
     says which.\n\n`--memory-limit` and `--time-limit` say how much may be used.";
    /// A goal beyond the action model.
    NO_ACTION = "plan/no-action", Error,
    "Activities have no actions of their own; those that `goalspec plan` adds are of one agent with one hand, who carries, opens, toggles, cuts, \
     cooks, freezes, soaks and cleans. What the goal needs is of another kind: whatever the agent does, the predicate stays as it is, and the goal \
     cannot hold. That is no proof that the activity cannot be done, so the exit code is not that of problems without a plan.";
    /// A goal that is unreachable with the actions and objects of an activity.
    OUT_OF_REACH = "plan/out-of-reach", Error,
    "The action model has no plan for an activity, and this is in the way: literals that the goal needs and that could not be reached even if nothing \
     that holds ever stopped holding. The actions are those of the model; which of them there are depends on what is known of the things in the \
     activity, such as that something heats.\n\nA note says so if each literal may be reached by itself: then it is all of them together that cannot. Another one \
     says what the model leaves out, if that may be why.";
    /// A planner that is not installed.
    NO_ENGINE = "plan/no-engine", Error,
    "`goalspec plan --engine fast-downward` runs Fast Downward, which is not part of goalspec: a program of one of its usual names on the `PATH`, \
     that of the Python package `up-fast-downward` (`pip install up-fast-downward`), or the one that `--engine-path` names.";
    /// A problem that was too large to explore.
    NOT_EXPLORED = "plan/not-explored", Note,
    "`goalspec check` finds out which actions and which parts of the goal can be reached at all, by taking the problem apart over its objects; \
     not if that leads to more than 200000 atoms and steps. The other checks have been made, and `goalspec plan` has limits of its own.";
    /// RAM that cannot be turned into a recording.
    RAM = "input/ram", Error,
    "`goalspec trace record` reads a frame per line: 256 hexadecimal digits, behind `reset` or behind the number of an action and the points \
     that it brought, if these are known. With `--raw` it reads 128 bytes per frame.\n\nThe message names the line or the frame, and what is wrong \
     with it.";
    /// A frame that is missing from a recording.
    NO_FRAME = "input/no-frame", Error,
    "`goalspec score --why=120` explains the frame whose number in the recording, `t`, is 120. `--per-step` lists the numbers.";
    /// A game that cannot be played live.
    NO_EMULATOR = "input/no-emulator", Error,
    "`goalspec trace record --env` plays a game with the Arcade Learning Environment, which is not part of goalspec: a Python with the packages \
     `ale-py` and `gymnasium` does.\n\nUse instead: `python3 -m pip install gymnasium ale-py`, or RAM that was recorded elsewhere.";
    /// An action that the game to be played does not have.
    NO_SUCH_ACTION = "input/no-such-action", Error,
    "`goalspec trace record --env ALE/Pong-v5 --policy constant:2` does the same action all the time, by its number. Which there are depends on \
     the game; the message lists them.";
    /// A reward function that is read with a world other than the one that it imports.
    OTHER_REWARD_WORLD = "input/other-reward-world", Warning,
    "`--world` says which classes there are, whatever the program imports. Names that the other game has and this one lacks raise a \
     `NameError`.\n\nUse instead: no `--world`, and the import decides.";
    /// A Python file, which goalspec does not format.
    PYTHON_LAYOUT = "input/python-layout", Error,
    "Python has formatters of its own, which know all of it.\n\nUse instead: `ruff format reward.py`.";
    /// A program that an engine refuses to run.
    REFUSED = "run/refused", Error,
    "The program needs more than an engine allows itself, or it has no meaning that engines could run. The message says which.\n\n\
     - A preference or the setup ranges over too many combinations of objects: `goalspec check --cost` shows how many each \
     preference has. Narrow the types of its variables.\n\
     - A run would take too much memory: the combinations of all preferences together. Narrow types, or make several games of it.\n\
     - The goal of an activity has too many parts once its quantifiers are taken apart over all objects, or is nested too deep. \
     Fewer objects, or fewer quantifiers in one another, make it smaller.\n\
     - The objects of an activity make no world, for example because there are too many of them.";
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
