"""A small publish/subscribe system: detectors publish events, subscribers turn them into rewards."""
from collections import defaultdict, deque
from typing import Any, Callable, Deque, DefaultDict, List, NamedTuple

from ocatari.ram.tennis import *


class Event(NamedTuple):
    topic: str
    payload: Any = None


Handler = Callable[[Event], float]


class Bus:
    def __init__(self) -> None:
        self._handlers: DefaultDict[str, List[Handler]] = defaultdict(list)
        self._queue: Deque[Event] = deque()
        self.delivered = 0

    def subscribe(self, *topics: str):
        def decorator(handler: Handler) -> Handler:
            for topic in topics:
                self._handlers[topic].append(handler)
            return handler

        return decorator

    def publish(self, topic: str, payload: Any = None) -> None:
        self._queue.append(Event(topic, payload))

    def drain(self) -> float:
        total = 0.0
        while self._queue:
            event = self._queue.popleft()
            for handler in self._handlers.get(event.topic, ()):
                self.delivered += 1
                total += handler(event)
        return total


bus = Bus()
memory = {"dy": 0, "hits": 0}


@bus.subscribe("hit")
def on_hit(event):
    memory["hits"] += 1
    if memory["hits"] % 3 == 0:
        bus.publish("rally", memory["hits"])
    return 0.5 if event.payload == "near" else -0.1


@bus.subscribe("rally")
def on_rally(event):
    return 0.05 * event.payload


@bus.subscribe("far", "lost")
def on_position(event):
    topic, payload = event
    return -0.2 if topic == "lost" else -payload / 500


def detect(objects):
    player, enemy, ball, shadow = objects
    if not ball:
        if memory["dy"]:
            bus.publish("lost")
        memory.update(dy=0, hits=0)
        return
    if memory["dy"] * shadow.dy < 0:
        bus.publish("hit", "near" if shadow.dy < 0 else "far side")
    if shadow.dy:
        memory["dy"] = shadow.dy
    gap = abs(ball.x - player.x)
    if gap > 30:
        bus.publish("far", gap)


def reward_function(objects):
    detect(objects)
    return bus.drain() + bus.delivered * 1e-5
