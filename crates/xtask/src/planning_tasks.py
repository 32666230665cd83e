"""Planning tasks that the comparison of planners writes: those of LOT, and blocks of any number."""

import gzip
import json
import random

VIEWS = ["one", "two", "all"]

BLOCKS = """(define (domain blocks)
    (:requirements :strips)
    (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (hand-empty) (holding ?x))
    (:action pick-up :parameters (?x)
        :precondition (and (clear ?x) (on-table ?x) (hand-empty))
        :effect (and (not (on-table ?x)) (not (clear ?x)) (not (hand-empty)) (holding ?x)))
    (:action put-down :parameters (?x)
        :precondition (holding ?x)
        :effect (and (not (holding ?x)) (clear ?x) (hand-empty) (on-table ?x)))
    (:action stack :parameters (?x ?y)
        :precondition (and (holding ?x) (clear ?y))
        :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (hand-empty) (on ?x ?y)))
    (:action unstack :parameters (?x ?y)
        :precondition (and (on ?x ?y) (clear ?x) (hand-empty))
        :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (hand-empty)) (not (on ?x ?y)))))
"""


def text(name, domain, objects, init, goal):
    lists = (" ".join(items) for items in (objects, init, goal))
    return "(define (problem {}) (:domain {})\n    (:objects {})\n    (:init {})\n    (:goal (and {})))\n".format(
        name, domain, *lists
    )


def stacks(board, table, clear):
    """The facts of stacks that are listed from the table up."""
    facts = []
    for stack in board:
        facts += [f"({table} {stack[0]})", f"({clear} {stack[-1]})"]
        facts += [f"(on {above} {below})" for below, above in zip(stack, stack[1:])]
    return facts


def blocks(folder, count, seed):
    """A problem with so many blocks in random stacks, all of which shall be in other random stacks."""
    folder.mkdir(parents=True, exist_ok=True)
    generator = random.Random(seed)

    def board():
        order = [f"b{index}" for index in range(count)]
        generator.shuffle(order)
        found = []
        for at, block in enumerate(order):
            # Any stack or the table is as likely: some stacks are high, most are not.
            stack = generator.randrange(len(found) + 1)
            found[stack].append(block) if stack < len(found) else found.append([block])
        return stacks(found, "on-table", "clear")

    domain, problem = folder / "domain.pddl", folder / f"blocks-{count}-{seed}.pddl"
    domain.write_text(BLOCKS)
    init, goal = [*board(), "(hand-empty)"], [fact for fact in board() if not fact.startswith("(clear")]
    problem.write_text(text(problem.stem, "blocks", [f"b{index}" for index in range(count)], init, goal))
    return domain, problem


def named(problem, view):
    """What objects are called: those that only the later constraints of a view mention have names of their own."""
    first = {name for _, *names in problem["views"]["one"] for name in names}
    later = {name for _, *names in problem["views"][view] for name in names} - first
    return lambda name: (problem["vocab_map"][name] if name in later else name).replace(" ", "-")


def lot_facts(problem, view):
    """The facts that a problem of LOT begins with, and those that a view of it asks for."""
    rename = named(problem, view)
    init = stacks([[rename(name) for name in stack] for stack in problem["init_board"]], "ontable", "clear")
    goal = []
    for kind, above, below in problem["views"][view]:
        goal.append({
            "bot": lambda: f"(ontable {rename(above)})",
            "mid": lambda: f"(on {rename(above)} {rename(below)})",
            "top": lambda: f"(clear {rename(below)})",
        }[kind]())
    return init, goal


def lot(data, folder):
    """LOT's problems in its three views: (name, domain, problem, steps of the plan that LOT recorded, or `None`).

    LOT's plans are of breadth-first search, for what a language model made of the sentences: they count where that is the problem.
    """
    folder.mkdir(parents=True, exist_ok=True)
    domain = folder / "domain.pddl"
    domain.write_text((data / "domain.pddl").read_text())
    tasks = []
    for view in VIEWS:
        with gzip.open(data / f"translate-{view}.jsonl.gz", "rt") as lines:
            recorded = {record["name"]: record for record in map(json.loads, lines)}
        for path in sorted((data / "problems").glob("*.json")):
            if path.stem not in recorded:
                continue
            init, goal = lot_facts(json.loads(path.read_text()), view)
            objects = sorted({name for fact in init for name in fact.strip("()").split()[1:]})
            different = [f"(noteq {one} {other})" for one in objects for other in objects if one != other]
            problem = folder / f"{path.stem}-{view}.pddl"
            problem.write_text(text(problem.stem, "simple-blocks", objects, init + different, goal))
            record = recorded[path.stem]
            same = facts(record["init_res"]) == set(init) and facts(record["goal_res"]) == set(goal)
            steps = len(record["plan"]) if same and record["plan"] is not None else None
            tasks.append((problem.stem, domain, problem, steps))
    return tasks


def facts(lines):
    return {line.strip() for line in lines.splitlines() if line.strip()}
