"""Check a program, and show what is wrong with it and where."""

import goalspec

GAME = """(define (game toss) (:domain few-objects-room-v1)
    (:constraints (preference thrown (exists (?b - bal) (at-end (in ?b ?b)))))
    (:scoring (count throwed)))
"""

try:
    goalspec.loads(GAME, name="toss.game")
except goalspec.CheckError as error:
    for diagnostic in error.diagnostics:
        print(f"{diagnostic.name}:{diagnostic.line}:{diagnostic.column}: {diagnostic.severity}: {diagnostic.message}")
        for advice in diagnostic.help:
            print(f"    {advice}")
