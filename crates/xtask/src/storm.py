"""Has Storm read the PRISM models that `goalspec analyse` writes, and compares its answers with the exact ones.

Usage: storm.py GOALSPEC FOLDER GAME [OPTION ..]

Writes models of the game into the folder, both ways, as a Markov chain and as a decision process for each team, and checks:

* how many states and transitions there are;
* how likely games end, and the mean number of turns;
* the mean reward of each team after some numbers of turns, and the greatest that can be expected of the best policy.
"""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import stormpy

# Storm reads probabilities as numbers of 64 bits, and sums them in an order of its own; it iterates to a relative 1e-6.
SUMS = 1e-9
ITERATED = 2e-6
HORIZONS = [1, 2, 5, 12, 40]
# More commands than this make reading the language take minutes: each is asked about each state.
TEXT_STATES = 3000


def near(what, exact, found, tolerance, failures):
    scale = max(1.0, abs(exact))
    good = math.isclose(exact, found, rel_tol=0.0, abs_tol=tolerance * scale)
    print(f"  {'same' if good else 'DIFFERS'}  {what}: exactly {exact:.12g}, Storm {found:.12g}")
    if not good:
        failures.append(what)


class Goalspec:
    def __init__(self, binary, game, options):
        self.command = [binary, "analyse", game, *options]

    def run(self, *arguments):
        done = subprocess.run([*self.command, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.run("--format", "json", *arguments))


def from_text(path):
    """A model in the language of PRISM."""
    program = stormpy.parse_prism_program(path)
    return stormpy.build_model(program)


def rewards_of(path):
    """The name and the lines of a reward file, whose header Storm does not read."""
    lines = path.read_text().splitlines()
    name = re.fullmatch(r'# Reward structure "(.*)"', lines[0]).group(1)
    assert lines[1] == "# State rewards", lines[1]
    states, count = map(int, lines[2].split())
    rows = [line.split() for line in lines[3:]]
    assert len(rows) == count and all(int(state) < states for state, _ in rows), path
    return name, "".join(f"{state} {reward}\n" for state, reward in rows)


def from_files(stem):
    """The explicit files of PRISM as those of Storm: the same lines with other headers, a model for each reward structure."""
    head, *lines = stem.with_suffix(".tra").read_text().splitlines()
    sizes = [int(size) for size in head.split()]
    assert sizes[-1] == len(lines), f"{sizes[-1]} transitions are announced, there are {len(lines)}"
    decision = len(sizes) == 3
    fields = 4 if decision else 3
    rows = [line.split() for line in lines]
    if decision:
        assert sizes[1] == len({tuple(row[:2]) for row in rows}), "the number of choices"
    tra = stem.with_suffix(".storm.tra")
    tra.write_text(("mdp" if decision else "dtmc") + "\n" + "".join(" ".join(row[:fields]) + "\n" for row in rows))
    head, *lines = stem.with_suffix(".lab").read_text().splitlines()
    labels = dict(re.findall(r'(\d+)="(\w+)"', head))
    held = [re.fullmatch(r"(\d+): ([\d ]+)", line).groups() for line in lines]
    lab = stem.with_suffix(".storm.lab")
    lab.write_text(
        "#DECLARATION\n" + " ".join(labels.values()) + "\n#END\n"
        + "".join(f"{state} {' '.join(labels[label] for label in some.split())}\n" for state, some in held)
    )
    states = stem.with_suffix(".sta").read_text().splitlines()
    assert states[0] == "(s)" and states[1:] == [f"{place}:({place})" for place in range(sizes[0])], "the states"
    models = {}
    place = 1
    while (path := stem.with_name(f"{stem.name}{place}.srew")).exists():
        name, text = rewards_of(path)
        rewards = stem.with_suffix(f".storm{place}.rew")
        rewards.write_text(text)
        # Storm wants at least one.
        given = {"state_rewards": rewards} if text else {}
        models[name] = stormpy.build_model_from_explicit(tra, lab, **given)
        place += 1
    return models


def value(model, formula):
    properties = stormpy.parse_properties(formula)
    return stormpy.model_checking(model, properties[0]).get_value(model.initial_states[0])


def identifier(name):
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def shift(models, team):
    """The structure of a team, and how much greater its rewards are there."""
    found = [re.fullmatch(rf"{re.escape(identifier(team))}(?:_offset_(\d+))?", name) for name in models]
    [match] = [match for match in found if match]
    return match.group(0), int(match.group(1) or 0)


def chain(goalspec, folder, failures):
    exact = goalspec.json()
    print(f"{exact['game']}: {exact['states']} states, {exact['transitions']} transitions")
    cuts = {horizon: goalspec.json("--horizon", horizon) for horizon in HORIZONS}
    for kind, models in read(goalspec, folder, exact, []):
        model = models["turns"]
        near(f"{kind}: states", exact["states"], model.nr_states, 0, failures)
        ended = sum(1 for state in model.states if "completed" in state.labels)
        near(f"{kind}: transitions", exact["transitions"] + ended, model.nr_transitions, 0, failures)
        [low, high] = exact["ever_ends"]
        near(f"{kind}: ends", (low + high) / 2, value(model, 'P=? [ F "completed" ]'), ITERATED, failures)
        if low == 1.0:
            turns = value(model, structure(models, "turns", 'R{NAME}=? [ F "completed" ]'))
            near(f"{kind}: turns", exact["turns"]["mean"], turns, ITERATED, failures)
        for horizon, cut in cuts.items():
            ends = value(model, f'P=? [ F<={horizon} "completed" ]')
            near(f"{kind}: ends in {horizon}", cut["completed"], ends, SUMS, failures)
            turns = value(model, structure(models, "turns", f"R{{NAME}}=? [ C<={horizon} ]"))
            near(f"{kind}: turns of {horizon}", cut["turns"]["mean"], turns, SUMS, failures)
            for team, rewards in cut["rewards"].items():
                name, more = shift(models, team)
                found = value(models[name], structure(models, name, f"R{{NAME}}=? [ I={horizon} ]"))
                near(f"{kind}: reward {team} after {horizon}", rewards["mean"], found - more, SUMS, failures)
    return list(exact["rewards"])


def structure(models, name, formula):
    """A formula about a reward structure: explicit models have one without a name."""
    named = name in models["turns"].reward_models
    return formula.replace("{NAME}", f'{{"{name}"}}' if named else "")


def read(goalspec, folder, exact, options):
    """The models of the text and of the files, by reward structure."""
    if exact["states"] <= TEXT_STATES:
        text = folder / "model.prism"
        goalspec.run("--export", "prism", "--output", text, *options)
        model = from_text(text)
        yield "text", {name: model for name in model.reward_models}
    else:
        print(f"  skipped  text: more than {TEXT_STATES} states")
    for old in folder.glob("model*.srew"):
        old.unlink()
    goalspec.run("--export", "prism-explicit", "--output", folder / "model", *options)
    yield "files", from_files(folder / "model")


def process(goalspec, folder, team, failures):
    best = ["--best", team]
    cuts = {horizon: goalspec.json("--horizon", horizon, *best) for horizon in HORIZONS}
    exact = goalspec.json(*best)
    print(f"{exact['game']}, {team} free: {exact['states']} states, {exact['transitions']} transitions")
    for kind, models in read(goalspec, folder, exact, best):
        near(f"{kind}: states", exact["states"], models["turns"].nr_states, 0, failures)
        name, more = shift(models, team)
        for horizon, cut in cuts.items():
            found = value(models[name], structure(models, name, f"R{{NAME}}max=? [ I={horizon} ]"))
            near(f"{kind}: best reward after {horizon}", cut["best_response"]["value"], found - more, SUMS, failures)


def main():
    binary, folder, game, *options = sys.argv[1:]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    goalspec = Goalspec(binary, game, options)
    failures = []
    for team in chain(goalspec, folder, failures):
        process(goalspec, folder, team, failures)
    if failures:
        sys.exit(f"{game}: Storm differs in {len(failures)} values: {', '.join(failures)}")


main()
