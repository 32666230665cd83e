"""Measure how long scoring many short traces takes in one process: ``python benchmark_score_table.py 1000000``."""

import json
import sys
import time

import goalspec

try:
    import pyarrow
except ImportError:
    print("pyarrow is not installed: `pip install 'goalspec[arrow]'`")
    sys.exit()

STATES = 12
BATCH = 4096

WORLD = """
name = "corridor"
[types]
robot = {}
[objects]
robot = { type = "robot", name = "robot" }
[attributes]
place = { kind = "real", of = "robot" }
speed = { kind = "real", of = "robot" }
[functions]
place = { parameters = "?r - robot", attribute = "place" }
speed = { parameters = "?r - robot", attribute = "speed" }
"""

GAME = """
(define (game walks) (:domain corridor)
    (:constraints (and
        (preference arrives (exists (?r - robot)
            (then (once (< (place ?r) 1)) (hold (> (speed ?r) 0)) (once (>= (place ?r) 5)))))
        (preference rests (exists (?r - robot) (at-end (= (speed ?r) 0))))))
    (:scoring (+ (* 10 (count arrives)) (count rests))))
"""


def columns(start: int, count: int) -> tuple[list[list[float]], list[list[float]]]:
    """Return the places and the speeds of robots that walk at different speeds and stop."""
    places, speeds = [], []
    for key in range(start, start + count):
        speed = key % 7 / 8
        places.append([speed * state for state in range(STATES)])
        speeds.append([speed] * (STATES - key % 3) + [0.0] * (key % 3))
    return places, speeds


def text(places: list[float], speeds: list[float]) -> str:
    """Return a trace as JSON Lines."""
    lines = ['{"format":"goalspec-trace","version":1,"world":"corridor"}']
    for place, speed in zip(places, speeds, strict=True):
        lines.append(json.dumps({"set": {"robot": {"place": place, "speed": speed}}}, separators=(",", ":")))
    return "\n".join(lines) + "\n"


def main(count: int) -> None:
    library = goalspec.loads(WORLD, name="corridor.world.toml").add(GAME, name="walks.game")
    spent, totals = {"lists": 0.0, "texts": 0.0}, {"lists": 0.0, "texts": 0.0}
    for start in range(0, count, BATCH):
        size = min(BATCH, count - start)
        places, speeds = columns(start, size)
        keys = list(range(start, start + size))
        tables = {
            "lists": pyarrow.table({"trace": keys, "robot.place": places, "robot.speed": speeds}),
            "texts": pyarrow.table({"trace": keys, "states": [text(*one) for one in zip(places, speeds, strict=True)]}),
        }
        for form, table in tables.items():
            begin = time.perf_counter()
            rows = goalspec.score_table(library, table)
            spent[form] += time.perf_counter() - begin
            assert rows["error"].null_count == size, rows["error"]
            totals[form] += sum(rows["score"].to_pylist())
    assert totals["lists"] == totals["texts"]
    print(f"{count:,} traces of {STATES} states, one process, one thread; sum of the scores {totals['lists']:,.0f}")
    for form, seconds in spent.items():
        each = seconds / count * 1e6
        print(f"  {form}: {each:.1f} us per trace; 1e9 traces take {each * 1e9 / 1e6 / 3600:.1f} core hours")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
