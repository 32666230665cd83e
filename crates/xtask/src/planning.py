"""Compares the planners of goalspec and Fast Downward, and prints tables, with the rows that goalspec loses first.

Usage: planning.py GOALSPEC GROUND DOWNWARD ENHSP VAL DATA FOLDER PART [--time-limit SECONDS] [--filter TEXT]
    [--recorded FILE ..] [--output FILE]

Each command is run as a user runs it, one after the other; what counts is the CPU time of it and of all that it starts,
of which it may use so many seconds, and 4 GiB of memory. Plans of goalspec are judged by `goalspec validate`, and by
VAL where it is installed.
"""

import argparse
import csv
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import planning_domains
import planning_held_out
import planning_numeric
import planning_tasks

MEMORY = 4 << 30
# Allocators reserve more addresses than they use; Fast Downward counts addresses itself.
ADDRESSES = 4 * MEMORY
# Clocks of busy machines run on while a process waits for a core.
PATIENCE = 6
# A translation shorter than this is mostly Python that starts.
LONG_TRANSLATION = 0.5
# What an interrupted command may use to end.
SLACK = 1
# Best of so many, for commands that take milliseconds.
REPEATED = 5

# What is said before the files, and what after them.
LAMA = ["--alias", "lama-first"], []
LAZY_FF = [], ["--evaluator", "hff=ff()", "--search", "lazy_greedy([hff], preferred=[hff])"]
LM_CUT = [], ["--search", "astar(lmcut())"]
FULL_LAMA = ["--alias", "lama"], []
# ENHSP's configuration for first plans that its authors recommend.
ENHSP = ["-planner", "sat-hmrp"]
# What files of measurements call them.
CONFIGURATIONS = {"LAMA": "fd:lama-first", "lazy FF": "fd:lazy-ff-pref", "LM-cut": "fd:lmcut"}
MEASURED = ["task", "config", "status", "cpu", "rss_mb", "plan_cost"]


class Ran:
    """What a command did: exit code, CPU seconds, most megabytes, and what it printed.

    A command that is interrupted when its time is up has a second more to print what it found.
    """

    def __init__(self, command, folder, seconds, interrupt=False):
        longest = seconds + 2 * SLACK if interrupt else seconds

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
            # The second number is when the process is killed; the first one it might survive.
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(longest), math.ceil(longest) + 1))

        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with open(folder / "stdout", "w") as out, open(folder / "stderr", "w") as err:
            process = subprocess.Popen(
                [str(part) for part in command],
                cwd=folder, stdout=out, stderr=err, preexec_fn=limit, start_new_session=True,
            )
            late = threading.Timer(PATIENCE * seconds + 5, lambda: os.killpg(process.pid, signal.SIGKILL))
            late.start()
            if interrupt:
                threading.Thread(target=interrupt_after, args=(process.pid, seconds), daemon=True).start()
            _, status, usage = os.wait4(process.pid, 0)
            late.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        self.code = process.returncode
        self.cpu = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024
        self.out = (folder / "stdout").read_text()
        self.err = (folder / "stderr").read_text()


def interrupt_after(pid, seconds):
    """Interrupts a process, like Ctrl-C, when it has used so many CPU seconds."""
    tick = os.sysconf("SC_CLK_TCK")
    try:
        while sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])) < seconds * tick:
            time.sleep(0.1)
        os.kill(pid, signal.SIGINT)
    except (OSError, ValueError):
        # It has ended.
        pass


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = options.folder
        self.val = next(options.val.rglob("bin/Validate"), None)
        if self.val is None:
            print("VAL is not installed (cargo xtask val): plans are validated by `goalspec validate` only", file=sys.stderr)
        self.python = options.downward / "bin/python"
        self.driver = next(options.downward.rglob("downward/fast-downward.py"))

        self.recorded = {}
        for path in options.recorded:
            with open(path, newline="") as file:
                self.recorded |= {(row["task"], row["config"]): recorded(row) for row in csv.DictReader(file)}

    def ours(self, domain, problem, *arguments, seconds, interrupt=False):
        """Plans: (status, run, cost). A plan that is not valid is an error of the whole comparison."""
        plan = self.folder / "plan"
        # Its own limit is one of the clock.
        command = [self.options.goalspec, "plan", "--time-limit", PATIENCE * seconds, *arguments, domain, problem]
        ran = Ran(command, self.folder / "run", seconds, interrupt)
        if ran.megabytes > MEMORY >> 20:
            return "memory", ran, None
        if ran.code != 0:
            names = {3: "unsolvable", 4: "time", 5: "memory", -signal.SIGXCPU: "time", -signal.SIGKILL: "time"}
            return names.get(ran.code, f"exit {ran.code}"), ran, None
        plan.write_text(ran.out)
        self.judge(domain, problem, plan)
        cost = re.search(r"^; (?:metric|cost \(steps\)) = ([0-9.e+]+)", ran.out, re.MULTILINE)
        return "solved", ran, float(cost[1]) if cost else None

    def judge(self, domain, problem, plan):
        judges = {"goalspec validate": ([self.options.goalspec, "validate"], lambda done: done.returncode == 0)}
        if self.val is not None:
            judges["VAL"] = ([self.val], lambda done: "Plan valid" in done.stdout)
        for name, (command, valid) in judges.items():
            done = subprocess.run([*command, domain, problem, plan], capture_output=True, text=True)
            if not valid(done):
                sys.exit(f"{problem}: {name} does not accept the plan {plan}:\n{done.stdout}{done.stderr}")

    def theirs(self, domain, problem, search, *, seconds):
        before, after = search
        command = [
            self.python, self.driver, "--overall-time-limit", f"{math.ceil(seconds)}s", "--overall-memory-limit", "4G",
            "--plan-file", "plan", "--sas-file", "task", *before, domain, problem, *after,
        ]
        ran = Ran(command, self.folder / "run", seconds)
        plan = self.folder / "run/plan"
        if ran.code == 0 and plan.exists():
            return "solved", ran, float(re.search(r"; cost = (\d+)", plan.read_text())[1])
        names = {11: "unsolvable", 12: "unsolvable", 21: "time", 22: "memory", 23: "time", 24: "memory", 34: "unsupported"}
        return names.get(ran.code, "time" if ran.cpu > seconds - 1 else f"exit {ran.code}"), ran, None

    def lama(self, domain, problem, *, seconds):
        """The cost of the best plan of full LAMA within the time; `None` if there is none."""
        before, after = FULL_LAMA
        command = [
            self.python, self.driver, "--overall-time-limit", f"{math.ceil(seconds)}s", "--overall-memory-limit", "4G",
            "--plan-file", "plan", "--sas-file", "task", *before, domain, problem, *after,
        ]
        Ran(command, self.folder / "run", seconds)
        plans = (re.search(r"; cost = (\d+)", plan.read_text()) for plan in (self.folder / "run").glob("plan*"))
        return min((float(plan[1]) for plan in plans if plan), default=None)

    def enhsp(self, domain, problem, *, seconds):
        """ENHSP's first plan: (status, run, steps)."""
        jar = next(self.options.enhsp.rglob("enhsp.jar"))
        ran = Ran(["java", "-jar", jar, "-o", domain, "-f", problem, *ENHSP], self.folder / "run", seconds)
        steps = re.findall(r"^\d[\d.]*: (\(.*\))$", ran.out, re.MULTILINE)
        if "Problem Solved" not in ran.out:
            return "time" if ran.cpu > seconds - 1 else "not solved", ran, None
        plan = self.folder / "plan"
        plan.write_text("\n".join(steps) + "\n")
        done = subprocess.run([self.options.goalspec, "validate", domain, problem, plan], capture_output=True, text=True)
        return "solved" if done.returncode == 0 else "invalid", ran, float(len(steps))

    def anchors(self):
        """The tasks of the competitions: (name, domain, problem)."""
        for domain in sorted((self.options.data / "ipc").glob("*/*-domain.pddl")):
            problem = domain.with_name(domain.name.replace("-domain.pddl", ".pddl"))
            name = f"{domain.parent.name}/{problem.stem}"
            if self.options.filter in name:
                yield name, domain, problem

    def generated(self, domains):
        """Tasks of these generated domains: (name, domain, problem)."""
        for domain in domains:
            planning_domains.write(self.folder / "domains", domain)
            folder = self.folder / "domains" / domain
            for size in planning_domains.SIZES[domain]:
                name = f"{domain}-{size}"
                if self.options.filter in name:
                    yield name, folder / "domain.pddl", folder / f"{name}.pddl"

    def put(self, part, rows):
        """Prints rows, and adds them to the file."""
        if not rows:
            return
        widths = {key: max(len(key), *(len(show(row[key])) for row in rows)) for key in rows[0]}
        print()
        print("  ".join(key.ljust(width) if key == "task" else key.rjust(width) for key, width in widths.items()))
        for row in rows:
            cells = ((key, show(row[key]), width) for key, width in widths.items())
            print("  ".join(cell.ljust(width) if key == "task" else cell.rjust(width) for key, cell, width in cells))
        if self.options.output is not None:
            with open(self.options.output, "a", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["part", *rows[0]])
                writer.writerows([part, *row.values()] for row in rows)


def recorded(row):
    """A measurement of another day: (status, CPU, cost)."""
    return row["status"], float(row["cpu"]), float(row["plan_cost"]) if row["plan_cost"] else None


def show(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) >= 1 else f"{value:.3g}" if value < 1 else f"{value:.2f}"
    return str(value)


def geometric(ratios):
    ratios = list(ratios)
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def side_by_side(bench, part, ours, peers, costs_agree, tasks=None):
    """A table of tasks, by default the anchors: goalspec with these arguments, beside each of the peers."""
    seconds, rows = bench.options.time_limit, []
    for name, domain, problem in tasks or bench.anchors():
        status, ran, cost = bench.ours(domain, problem, *ours, seconds=seconds)
        row = {"task": name, "status": status, "CPU": ran.cpu, "MB": ran.megabytes, "cost": cost}
        for peer, search in peers.items():
            if (measured := bench.recorded.get((name, CONFIGURATIONS[peer]))) is not None:
                found, cpu, paid = measured
            else:
                found, other, paid = bench.theirs(domain, problem, search, seconds=seconds)
                cpu = other.cpu
            row |= {peer: found, f"{peer} CPU": cpu, f"{peer} cost": paid}
            both = cost is not None and paid is not None
            row[f"{peer} CPU ratio"] = ran.cpu / cpu if both else None
            row[f"{peer} cost ratio"] = (cost / paid if paid else 1.0 if cost == paid else None) if both else None
            if both and costs_agree and cost != paid:
                sys.exit(f"{name}: optimal cost {cost} according to goalspec, {paid} according to {peer}")
        rows.append(row)
        print(", ".join(f"{key} {show(value)}" for key, value in row.items()), file=sys.stderr, flush=True)
    first = next(iter(peers))
    rows.sort(key=lambda row: loss(row, first))
    bench.put(part, rows)
    totals(rows, peers)


def loss(row, peer):
    """Where a row belongs: what is not solved, what costs more CPU time, what has a dearer plan, then by the ratio of CPU times."""
    unsolved = row["status"] != "solved"
    slower, dearer = (row[f"{peer} {what} ratio"] or 0.0 for what in ("CPU", "cost"))
    return not (unsolved and row[peer] == "solved"), not unsolved, not slower > 1.0, not dearer > 1.0, -slower


def totals(rows, peers):
    solved = [row for row in rows if row["status"] == "solved"]
    print(f"\ngoalspec solves {len(solved)} of {len(rows)}")
    for peer in peers:
        common = [row for row in solved if row[peer] == "solved"]
        sums = [sum(row[key] for row in common) for key in ("CPU", f"{peer} CPU")]
        dearer = [ratio for row in common if (ratio := row[f"{peer} cost ratio"]) is not None]
        print(
            f"{peer} solves {sum(row[peer] == 'solved' for row in rows)}; on the {len(common)} solved by both, goalspec takes "
            f"{sums[0]:.2f} s of CPU and {peer} {sums[1]:.2f} s; geometric mean of the cost ratios "
            f"{geometric(dearer):.3f}; {sum(row[f'{peer} CPU ratio'] > 1.0 for row in common)} take longer, "
            f"{sum(ratio > 1.0 for ratio in dearer)} cost more"
        )


def satisficing(bench):
    side_by_side(bench, "satisficing", [], {"LAMA": LAMA, "lazy FF": LAZY_FF}, costs_agree=False)


def optimal(bench):
    side_by_side(bench, "optimal", ["--optimal"], {"LM-cut": LM_CUT}, costs_agree=True)


def generated(bench):
    """Tasks of generated domains: first plans of all, plans of minimum cost of those that LM-cut supports."""
    tasks = bench.generated(planning_domains.DOMAINS)
    side_by_side(bench, "generated", [], {"LAMA": LAMA}, costs_agree=False, tasks=tasks)
    tasks = bench.generated(planning_domains.OPTIMAL)
    side_by_side(bench, "generated optimal", ["--optimal"], {"LM-cut": LM_CUT}, costs_agree=True, tasks=tasks)


def held_out(bench):
    """Tasks of generated domains that served no tuning: first plans, and plans of minimum cost."""
    tasks = bench.generated(planning_held_out.HARD)
    side_by_side(bench, "held out", [], {"LAMA": LAMA}, costs_agree=False, tasks=tasks)
    tasks = bench.generated(planning_held_out.OPTIMAL)
    side_by_side(bench, "held out, optimal", ["--optimal"], {"LM-cut": LM_CUT}, costs_agree=True, tasks=tasks)


def anytime(bench):
    """The best plans within the time, beside those of full LAMA; the score is that of the competitions, against the better of the two."""
    seconds, rows = bench.options.time_limit, []
    arguments = ["--improve", "--jobs", "1"]
    for name, domain, problem in [*bench.anchors(), *bench.generated(planning_held_out.HARD)]:
        _, _, cost = bench.ours(domain, problem, *arguments, seconds=seconds, interrupt=True)
        paid = bench.lama(domain, problem, seconds=seconds)
        if cost is None and paid is None:
            continue
        best = min(found for found in (cost, paid) if found is not None)
        score = lambda found: 0.0 if found is None else 1.0 if found == best else best / found
        rows.append({"task": name, "cost": cost, "LAMA cost": paid, "score": score(cost), "LAMA score": score(paid)})
        print(rows[-1], file=sys.stderr, flush=True)
    rows.sort(key=lambda row: row["score"] - row["LAMA score"])
    bench.put("anytime", rows)
    sums = [sum(row[key] for row in rows) for key in ("score", "LAMA score")]
    print(f"\nIPC score of goalspec {sums[0]:.2f}, of LAMA {sums[1]:.2f}, on {len(rows)} tasks")


def numeric(bench):
    """First plans of numeric tasks, beside ENHSP; the cost is the number of steps."""
    if shutil.which("java") is None:
        print("no numeric tasks: ENHSP requires a Java runtime", file=sys.stderr)
        return
    seconds, rows = bench.options.time_limit, []
    for name, domain, problem in bench.generated(planning_numeric.DOMAINS):
        status, ran, cost = bench.ours(domain, problem, seconds=seconds)
        found, other, paid = bench.enhsp(domain, problem, seconds=seconds)
        ratio = cost / paid if status == found == "solved" else None
        rows.append({
            "task": name, "status": status, "CPU": ran.cpu, "cost": cost,
            "ENHSP": found, "ENHSP CPU": other.cpu, "ENHSP cost": paid, "cost ratio": ratio,
        })
        print(rows[-1], file=sys.stderr, flush=True)
    rows.sort(key=lambda row: (row["status"] == "solved", -(row["cost ratio"] or 0.0)))
    bench.put("numeric", rows)
    solved = [sum(row[key] == "solved" for row in rows) for key in ("status", "ENHSP")]
    ratio = geometric(row["cost ratio"] for row in rows if row["cost ratio"])
    print(f"\ngoalspec solves {solved[0]} of {len(rows)}, ENHSP {solved[1]}; geometric mean of the cost ratios {ratio:.3f}")


def peers(bench):
    """Measures the peers alone, for `--recorded`."""
    if bench.options.output is None:
        sys.exit("`peers` requires `--output FILE`")
    searches = {"LAMA": LAMA, "lazy FF": LAZY_FF, "LM-cut": LM_CUT}
    begun = bench.options.output.exists()
    with open(bench.options.output, "a", newline="") as file:
        writer = csv.writer(file)
        if not begun:
            writer.writerow(MEASURED)
        for peer in bench.options.peer or searches:
            for name, domain, problem in bench.anchors():
                status, ran, cost = bench.theirs(domain, problem, searches[peer], seconds=bench.options.time_limit)
                row = [name, CONFIGURATIONS[peer], status, f"{ran.cpu:.3f}", f"{ran.megabytes:.1f}", cost]
                writer.writerow(row)
                file.flush()
                print(*row, file=sys.stderr, flush=True)


def best(run):
    """The run with the least CPU time of several."""
    return min((run() for _ in range(REPEATED)), key=lambda found: found[1].cpu)


def lot(bench):
    rows, recorded = [], 0
    for name, domain, problem, steps in planning_tasks.lot(bench.options.data / "lot", bench.folder / "lot"):
        if bench.options.filter not in name:
            continue
        status, ran, cost = best(lambda: bench.ours(domain, problem, "--optimal", seconds=bench.options.time_limit))
        if steps is not None and cost != steps:
            sys.exit(f"{name}: goalspec finds {cost} steps, LOT {steps}")
        recorded += steps is not None
        rows.append({"task": name, "status": status, "CPU": ran.cpu, "MB": ran.megabytes, "cost": cost, "LOT's": steps})
    rows.sort(key=lambda row: -row["CPU"])
    bench.put("lot", rows)
    times = [row["CPU"] * 1000 for row in rows]
    print(
        f"\n{sum(row['status'] == 'solved' for row in rows)} of {len(rows)} solved optimally; CPU time of the command, best of "
        f"{REPEATED}: {min(times):.1f} to {max(times):.1f} ms, mean {sum(times) / len(times):.1f}; "
        f"{recorded} costs equal the recorded ones"
    )
    peers = []
    for row in rows[:: max(1, len(rows) // 10)]:
        problem = bench.folder / "lot" / f"{row['task']}.pddl"
        found, ran, cost = bench.theirs(problem.with_name("domain.pddl"), problem, LM_CUT, seconds=bench.options.time_limit)
        if cost != row["cost"]:
            sys.exit(f"{row['task']}: goalspec finds cost {row['cost']}, Fast Downward {cost}")
        peers.append({"task": row["task"], "CPU": row["CPU"], "LM-cut": found, "LM-cut CPU": ran.cpu, "cost": cost})
    bench.put("lot of Fast Downward", peers)


def blocks(bench):
    rows = []
    for count in (100, 200):
        for seed in range(3):
            domain, problem = planning_tasks.blocks(bench.folder / "blocks", count, seed)
            if bench.options.filter not in problem.stem:
                continue
            status, ran, cost = bench.ours(domain, problem, seconds=bench.options.time_limit)
            found, other, paid = bench.theirs(domain, problem, LAMA, seconds=bench.options.time_limit)
            rows.append({
                "task": problem.stem, "status": status, "CPU": ran.cpu, "MB": ran.megabytes, "cost": cost,
                "LAMA": found, "LAMA CPU": other.cpu, "LAMA cost": paid,
            })
            print(rows[-1], file=sys.stderr, flush=True)
    bench.put("blocks", rows)


def grounding(bench):
    rows = []
    for name, domain, problem in bench.anchors():
        seconds = bench.options.time_limit
        command = [bench.python, bench.driver, "--translate", "--sas-file", "task", domain, problem]
        translated = Ran(command, bench.folder / "run", seconds)
        if translated.cpu <= LONG_TRANSLATION:
            continue
        _, ran = best(lambda: (None, Ran([bench.options.ground, domain, problem], bench.folder / "run", seconds)))
        if ran.code != 0 or translated.code != 0:
            sys.exit(f"{name}: not grounded:\n{ran.err}{translated.err}")
        size = re.search(r"operators: (\d+)", ran.out)
        operators = re.search(r"Translator operators: (\d+)", translated.out)
        rows.append({
            "task": name, "CPU": ran.cpu, "MB": ran.megabytes, "operators": int(size[1]),
            "translator CPU": translated.cpu, "translator MB": translated.megabytes,
            "translator operators": int(operators[1]), "times": translated.cpu / ran.cpu,
        })
    rows.sort(key=lambda row: row["times"])
    bench.put("grounding", rows)


PARTS = {part.__name__: part for part in (satisficing, optimal, generated, held_out, anytime, numeric, lot, blocks, grounding, peers)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("goalspec", "ground", "downward", "enhsp", "val", "data", "folder"):
        parser.add_argument(name, type=Path)
    parser.add_argument("part", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only tasks whose names contain TEXT")
    parser.add_argument(
        "--recorded", type=Path, action="append", default=[], metavar="FILE",
        help="read the measurements of peers from this file, if it has them, instead of repeating them: the output of `peers`, or anchors.csv",
    )
    parser.add_argument("--peer", action="append", choices=CONFIGURATIONS, help="configuration measured by `peers` [default: all]")
    parser.add_argument("--output", type=Path, metavar="FILE", help="append the rows to this file, as CSV")
    options = parser.parse_args()
    bench = Bench(options)
    for part in options.part or [part for part in PARTS if part != "peers"]:
        print(f"==> {part}", file=sys.stderr, flush=True)
        PARTS[part](bench)


if __name__ == "__main__":
    main()
