#!/usr/bin/env python3
"""Makes play.jsonl and build.jsonl: two small plays in few-objects-room-v1, in goalspec's JSON Lines.

Usage: python3 examples/game/make_play.py [FOLDER]

A player walks at 2 m/s, carries things in front of the chest, and throws balls, which then obey gravity, bounce on the floor
and are caught by the bin. One state is written every 0.2 seconds; each says only what differs from the one before it.
"""

import json
import math
import pathlib
import sys

WORLD = "few-objects-room-v1"
INTERVAL = 0.2  # seconds between states
TICK = 0.01  # seconds between steps of the simulation
GRAVITY = -9.81
WALKING = 2.0  # metres per second
BOUNCE = 0.4  # part of its speed that a ball keeps when it bounces
ROLLING = 0.5  # metres per second that rolling takes off each second, before air and carpet do the rest
RADIUS = 0.11

BIN = "GarbageCan|+00.95|-00.03|-02.68"
BLUE_BALL = "Dodgeball|-02.95|+01.29|-02.61"
PINK_BALL = "Dodgeball|-02.97|+01.29|-02.28"
SHELF = "Shelf|-02.97|+01.16|-02.47"
BED = "Bed|-02.46|00.00|-00.57"
FLOOR = "Floor|+00.00|+00.00|+00.00"
RAMP = "CurvedRamp|-03.05|00.00|-02.78"
BLOCK = 0.09  # half the size of a cube block
BLOCKS = {  # the three columns of two blocks by the window: bottom block, top block
    "CubeBlock|-00.24|+00.10|-02.83": "CubeBlock|-00.23|+00.28|-02.83",
    "CubeBlock|-00.02|+00.10|-02.83": "CubeBlock|-00.02|+00.28|-02.83",
    "CubeBlock|+00.20|+00.10|-02.83": "CubeBlock|+00.20|+00.29|-02.83",
}

# Middle and half size of what has a fixed place, and of what has one at first.
BOXES = {
    FLOOR: ((0.16, -0.1, -0.19), (3.65, 0.1, 2.75)),
    BED: ((-2.39, 0.35, -0.61), (0.71, 0.35, 1.18)),
    SHELF: ((-2.97, 1.17, -2.47), (0.11, 0.01, 0.36)),
    RAMP: ((-3.05, 0.2, -2.78), (0.3, 0.2, 0.2)),
    BIN: ((0.95, 0.25, -2.68), (0.26, 0.25, 0.23)),
    BLUE_BALL: ((-2.95, 1.29, -2.61), (RADIUS,) * 3),
    PINK_BALL: ((-2.97, 1.29, -2.28), (RADIUS,) * 3),
}
for x, (bottom, top) in zip((-0.24, -0.02, 0.2), BLOCKS.items()):
    BOXES[bottom] = ((x, BLOCK, -2.83), (BLOCK,) * 3)
    BOXES[top] = ((x, 3 * BLOCK, -2.83), (BLOCK,) * 3)


def rounded(numbers):
    return [round(number, 3) + 0.0 for number in numbers]


class Play:
    """A play in the making: the room now, and the lines written so far."""

    def __init__(self, name):
        header = {"format": "goalspec-trace", "version": 1, "world": WORLD, "time": "s", "id": name}
        self.lines = [json.dumps(header)]
        self.time = 0.0
        self.position, self.yaw = (0.25, 0.9, 0.0), 180.0
        self.held = None
        self.flying = None
        self.place = {thing: middle for thing, (middle, _) in BOXES.items()}
        self.velocity = {thing: (0.0, 0.0, 0.0) for thing in BOXES}
        self.touching = {thing: set() for thing in BOXES}
        for thing in (BED, RAMP, BIN, *BLOCKS):
            self.touch(thing, FLOOR)
        for bottom, top in BLOCKS.items():
            self.touch(bottom, top)
        for ball in (BLUE_BALL, PINK_BALL):
            self.touch(ball, SHELF)
        self.written = {}
        self.write("look around")

    # What touches what

    def touch(self, one, other):
        self.touching[one].add(other)
        self.touching[other].add(one)

    def lift(self, thing):
        """The thing touches nothing any more."""
        for other in self.touching[thing]:
            self.touching[other].discard(thing)
        self.touching[thing] = set()

    # States

    def hand(self):
        x, y, z = self.position
        turn = math.radians(self.yaw)
        return (x + 0.45 * math.sin(turn), y + 0.25, z + 0.45 * math.cos(turn))

    def now(self):
        x, y, z = self.position
        agent = {
            "position": rounded(self.position),
            "center": rounded((x, y + 0.05, z)),
            "extents": [0.25, 0.9, 0.25],
            "rotation": rounded((0, self.yaw, 0)),
            "gaze": rounded((10, self.yaw, 0)),
            "held": self.held,
            "crouching": False,
            "touching_floor": True,
        }
        state = {"agent": agent}
        for thing, (_, half) in BOXES.items():
            middle = self.place[thing]
            state[thing] = {
                "position": rounded(middle),
                "center": rounded(middle),
                "extents": rounded(half),
                "rotation": [0, 0, 0],
                "velocity": rounded(self.velocity[thing]),
                "angular_velocity": [0, 0, 0],
                "touching": sorted(self.touching[thing]),
            }
        return state

    def write(self, action=None):
        state, changed = self.now(), {}
        for thing, values in state.items():
            before = self.written.get(thing, {})
            new = {name: value for name, value in values.items() if before.get(name, ()) != value}
            if new:
                changed[thing] = new
        line = {"t": round(self.time, 3)}
        if action is not None:
            line["action"] = action
        line["set"] = changed
        self.lines.append(json.dumps(line))
        self.written = state

    def wait(self, action=None):
        """Lets time pass until the next state, and writes it."""
        for _ in range(round(INTERVAL / TICK)):
            if self.flying:
                self.fly(self.flying)
        self.time += INTERVAL
        self.write(action)

    def fly(self, ball):
        """Moves a ball by one tick."""
        (x, y, z), (vx, vy, vz) = self.place[ball], self.velocity[ball]
        (bin_x, _, bin_z), (half_x, _, half_z) = BOXES[BIN]
        inside = abs(x - bin_x) < half_x and abs(z - bin_z) < half_z and y < 2 * BOXES[BIN][1][1]
        rolling = FLOOR in self.touching[ball] or BIN in self.touching[ball]
        if not rolling:
            vy += GRAVITY * TICK
        x, y, z = x + vx * TICK, y + vy * TICK, z + vz * TICK
        if inside:
            # The sides of the bin take most of the speed and keep the ball in.
            if abs(x - bin_x) > half_x - RADIUS:
                x, vx = bin_x + math.copysign(half_x - RADIUS, x - bin_x), -0.2 * vx
            if abs(z - bin_z) > half_z - RADIUS:
                z, vz = bin_z + math.copysign(half_z - RADIUS, z - bin_z), -0.2 * vz
            x, y, z, vx, vy, vz = self.bump(ball, (x, y, z), (vx, vy, vz))
        if y < RADIUS and vy < 0:
            y, vy = RADIUS, -BOUNCE * vy
            if vy < 0.4:
                vy = 0.0
                self.touch(ball, BIN if inside else FLOOR)
        if rolling:
            speed = math.hypot(vx, vz)
            left = max(0.0, speed - (ROLLING + 1.5 * speed) * TICK)
            vx, vz = (vx * left / speed, vz * left / speed) if speed > 0 and left > 0.05 else (0.0, 0.0)
        self.place[ball], self.velocity[ball] = (x, y, z), (vx, vy, vz)

    def bump(self, ball, place, velocity):
        """Where a ball is, and how it moves, after the other one that lies there has pushed it aside."""
        other = self.place[PINK_BALL if ball == BLUE_BALL else BLUE_BALL]
        distance = math.dist(place, other)
        if distance >= 2 * RADIUS:
            return *place, *velocity
        normal = [(a - b) / distance for a, b in zip(place, other)]
        towards = min(0.0, sum(v * n for v, n in zip(velocity, normal)))
        place = [b + 2 * RADIUS * n for b, n in zip(other, normal)]
        velocity = [v - (1 + BOUNCE) * towards * n for v, n in zip(velocity, normal)]
        return *place, *velocity

    # What the player does

    def turn_to(self, x, z):
        self.yaw = round(math.degrees(math.atan2(x - self.position[0], z - self.position[2])) % 360, 1)

    def walk(self, x, z):
        self.turn_to(x, z)
        here_x, y, here_z = self.position
        steps = max(1, math.ceil(math.hypot(x - here_x, z - here_z) / (WALKING * INTERVAL)))
        for step in range(1, steps + 1):
            part = step / steps
            before = self.position
            self.position = (here_x + (x - here_x) * part, y, here_z + (z - here_z) * part)
            self.carry(before)
            self.wait("walk")
        if self.held:
            self.velocity[self.held] = (0.0, 0.0, 0.0)

    def carry(self, before):
        if self.held:
            self.place[self.held] = self.hand()
            moved = zip(self.position, before)
            self.velocity[self.held] = tuple((now - then) / INTERVAL for now, then in moved)

    def pick_up(self, thing):
        self.turn_to(self.place[thing][0], self.place[thing][2])
        self.lift(thing)
        self.held = thing
        self.place[thing], self.velocity[thing] = self.hand(), (0.0, 0.0, 0.0)
        self.wait(f"pick up {thing}")

    def throw(self, x, y, z, seconds):
        """Throws the ball in hand so that it passes the point after so many seconds, and waits until it lies still."""
        ball = self.held
        self.turn_to(x, z)
        self.place[ball] = start = self.hand()
        self.wait("aim")
        across = [(to - at) / seconds for to, at in zip((x, y, z), start)]
        self.velocity[ball] = (across[0], across[1] - GRAVITY * seconds / 2, across[2])
        self.held, self.flying = None, ball
        self.wait("throw")
        while any(self.velocity[ball]):
            self.wait()
        self.flying = None

    def put(self, x, y, z, under):
        """Puts the thing in hand there, onto what is under it."""
        thing, self.held = self.held, None
        start = self.hand()
        self.turn_to(x, z)
        self.place[thing] = tuple((a + b) / 2 for a, b in zip(start, (x, y, z)))
        self.velocity[thing] = tuple((b - a) / INTERVAL / 2 for a, b in zip(start, (x, y, z)))
        self.wait("put down")
        self.place[thing], self.velocity[thing] = (x, y, z), (0.0, 0.0, 0.0)
        self.touch(thing, under)
        self.wait()

    def save(self, path):
        path.write_text("".join(line + "\n" for line in self.lines), encoding="utf-8")
        print(f"{path}: {len(self.lines) - 1} states")


def throwing():
    """Throws the pink ball at the bin from afar and misses; tries again from nearer, and throws the blue one: both go in."""
    play = Play("throwing")
    play.walk(-1.0, -2.2)
    play.walk(-2.3, -2.3)
    play.pick_up(PINK_BALL)
    play.walk(-1.9, -2.2)
    play.throw(0.2, RADIUS, -2.0, 0.7)
    x, _, z = play.place[PINK_BALL]
    play.walk(x - 0.4, z + 0.3)
    play.pick_up(PINK_BALL)
    play.walk(0.2, -1.5)
    play.throw(0.95, 0.5, -2.68, 0.6)
    play.walk(-1.0, -2.2)
    play.walk(-2.3, -2.5)
    play.pick_up(BLUE_BALL)
    play.walk(-1.0, -2.2)
    play.walk(-0.4, -2.1)
    play.throw(0.95, 0.5, -2.68, 0.6)
    play.wait("rejoice")
    return play


def building():
    """Stacks a block of each colour on the floor, and puts the pink ball on the bed."""
    play = Play("building")
    under = FLOOR
    for level, block in enumerate(BLOCKS.values()):
        play.walk(BOXES[block][0][0], -2.1)
        play.pick_up(block)
        play.walk(0.9, -0.9)
        play.put(1.2, BLOCK + 2 * BLOCK * level, -0.5, under)
        under = block
    play.walk(-1.0, -2.2)
    play.walk(-2.3, -2.3)
    play.pick_up(PINK_BALL)
    play.put(-2.3, 0.7 + RADIUS, -1.4, BED)
    play.wait("rejoice")
    return play


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    throwing().save(folder / "play.jsonl")
    building().save(folder / "build.jsonl")


if __name__ == "__main__":
    main()
