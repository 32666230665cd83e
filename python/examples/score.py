"""Score a recorded play by a game, with the reasons for what was not achieved."""

import goalspec

library = goalspec.load("@throw-to-bin")
report = goalspec.score(library, why=True)
outcome = report[0]
print(f"{outcome.program}: score {outcome.score} after {outcome.states} states")
for name, preference in outcome.preferences.items():
    print(f"  {name}: {preference.count}")
    for found in preference.satisfactions:
        print(f"    states {found.start}-{found.end} with {dict(found.binding)}")
    if preference.best_attempt is not None:
        print(f"    failed in state {preference.best_attempt['failed_at']}")
