"""Writes what ocatari 2.2.1 gives for each program of programs.txt to expected.txt, one line each."""
import os

here = os.path.dirname(os.path.abspath(__file__))
lines = []
for text in open(os.path.join(here, "programs.txt")).read().split("===\n"):
    names = {}
    exec("from ocatari.ram.game_objects import GameObject, NoObject, ValueObject\n" + text, names)
    lines.append(repr(names["f"]([])))
open(os.path.join(here, "expected.txt"), "w").write("\n".join(lines) + "\n")
