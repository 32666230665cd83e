//! The diagnostic codes of planning.

goalspec_syntax::codes! {
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
    NOT_PLANNED = "plan/not-supported", Error,
    "The grounded problem exceeds a limit, or it uses a feature that the planner does not support. The message states the reason.\n\n\
     `--memory-limit` and `--time-limit` set the limits.";
    /// A step with a negative cost.
    NEGATIVE_COST = "plan/negative-cost", Warning,
    "Searches for plans of low cost require that no step lowers the cost: otherwise repeating a step could lower it without end. If a step has a \
     negative cost, plans are compared by their number of steps, and the metric of the plan is reported as it is.\n\n\
     Use instead: costs of at least 0, such as the differences from the lowest cost.";
    /// A goal beyond the action model.
    NO_ACTION = "plan/no-action", Error,
    "Activities have no actions; those that `goalspec plan` adds are of one agent with one hand that carries, opens, toggles, cuts, cooks, cleans, \
     pours, folds and attaches. None of them changes a predicate of the goal, so the goal is not reachable in this action model. This does not prove \
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
}
