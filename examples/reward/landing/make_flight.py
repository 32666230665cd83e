"""Writes the flight of `flight.jsonl`: up, past the tower, and down on the green pad."""
import json

WAY = [
    (0, 0, 0), (0, 1.5, 0), (0.5, 3, 0.5), (1.5, 4, 1), (2.5, 4.5, 1), (3.5, 4.5, 1.5),
    (4.5, 4, 2.5), (5.5, 3, 3.5), (6, 2, 4), (6, 1, 4), (6, 0.2, 4), (6, 0, 4), (6, 0, 4),
]
LAST = len(WAY) - 1


def state(number, place):
    before = WAY[max(number - 1, 0)]
    drone = {
        "position": list(place),
        "velocity": [round(now - was, 3) for now, was in zip(place, before)],
        "battery": round(1 - 0.05 * number, 3),
    }
    said = {"t": number, "set": {"drone": drone}, "fluents": [["points", 0]]}
    if number > 0:
        said["action"] = "stop" if number == LAST else "fly"
    if number == LAST:
        drone["landed"] = True
        said["facts"] = [["on", "drone", "north"]]
        said["fluents"] = [["points", 1]]
    return said


print(json.dumps({"format": "goalspec-trace", "version": 1, "world": "landing-v1", "time": "s"}))
for number, place in enumerate(WAY):
    print(json.dumps(state(number, place)))
