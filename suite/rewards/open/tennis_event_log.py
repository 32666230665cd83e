from collections import Counter, deque
from dataclasses import dataclass
from typing import Deque

from ocatari.ram.tennis import *


@dataclass
class LogEntry:
    frame: int
    kind: str
    y: int


class EventLog:
    def __init__(self, limit: int = 30):
        self.entries: Deque[LogEntry] = deque(maxlen=limit)
        self.frame = 0

    def tick(self):
        self.frame += 1

    def add(self, kind: str, y: int) -> None:
        self.entries.append(LogEntry(self.frame, kind, y))

    def since(self, frames: int):
        return [e for e in self.entries if self.frame - e.frame <= frames]

    def counts(self) -> Counter:
        return Counter(e.kind for e in self.entries)


log = EventLog()
previous_dy = None


def reward_function(objects):
    global previous_dy
    log.tick()
    shadow = next((o for o in objects if isinstance(o, BallShadow)), None)
    if shadow is None:
        if previous_dy is not None:
            log.add("point", 0)
        previous_dy = None
        return 0.3 * log.counts()["point"]
    if previous_dy is not None and previous_dy * shadow.dy < 0:
        log.add("hit" if shadow.dy < 0 else "return", shadow.y)
    previous_dy = shadow.dy
    recent = log.since(10)
    reward = sum(0.2 if e.kind == "hit" else -0.1 for e in recent)
    if recent and recent[-1] == LogEntry(log.frame, "hit", shadow.y):
        reward += 0.5
    return reward
