"""Generates the recordings of this folder: short made-up plays of the ten games, in the format `goalspec-screens-1`.

Usage: python3 generate.py [GAME..]

The plays are simple imitations: balls that bounce, cars that pass, objects that appear and disappear, slots that are empty. Each game has
several episodes; the same seed gives the same bytes.
"""

import gzip
import json
import random
import sys
from pathlib import Path

FRAMES = 300


class Thing:
    """An object in a slot."""

    def __init__(self, kind, x, y, w, h, rgb=(200, 72, 72), hud=0, orientation=None, more=()):
        self.kind, self.x, self.y, self.w, self.h = kind, x, y, w, h
        self.rgb, self.hud, self.orientation, self.more = rgb, hud, orientation, list(more)
        self.before = None

    def row(self):
        px, py = self.before or (self.x, self.y)
        box = [self.x, self.y, self.w, self.h, px, py]
        return [self.kind, *box, self.hud, 1, list(self.rgb), self.orientation, *self.more]

    def remember(self):
        self.before = (self.x, self.y)


class Play:
    """A play of one game: `slots` are the objects, `step` moves them and returns the points, whether the episode ends, and the action."""

    name, hud, ends = "", False, (90, 180, 240)

    def __init__(self, rng):
        self.rng = rng

    def clamp(self, value, low, high):
        return max(low, min(high, value))


class Pong(Play):
    name, actions = "Pong", ["NOOP", "FIRE", "RIGHT", "LEFT", "RIGHTFIRE", "LEFTFIRE"]

    def start(self):
        self.player = Thing("Player", 140, 100, 4, 15, (92, 186, 92))
        self.enemy, self.ball, self.wait, self.velocity = None, None, 8, (0, 0)
        self.slots = [self.player, None, None]

    def step(self, t):
        action, points = self.rng.choice([0, 2, 3]), 0
        target = self.ball.y - 6 if self.ball and self.rng.random() < 0.8 else self.player.y + self.rng.randint(-6, 6)
        self.player.y = self.clamp(self.player.y + self.clamp(target - self.player.y, -5, 5), 34, 190)
        if t > 3 and self.enemy is None:
            self.enemy = Thing("Enemy", 16, 60, 4, 15, (213, 130, 74))
        self.wait -= 1
        if self.ball is None and self.wait <= 0:
            self.ball = Thing("Ball", 78, self.rng.randint(50, 170), 2, 4, (236, 236, 236))
            self.velocity = (self.rng.choice([-4, 4, 3]), self.rng.choice([-3, -2, 1, 2, 4]))
        elif self.ball:
            ball, (vx, vy) = self.ball, self.velocity
            ball.x, ball.y = ball.x + vx, ball.y + vy
            if not 34 <= ball.y <= 190:
                vy, ball.y = -vy, self.clamp(ball.y, 34, 190)
            for paddle in (self.player, self.enemy):
                if paddle and abs(ball.x - paddle.x) < 5 and paddle.y - 4 <= ball.y <= paddle.y + 15:
                    vx = -vx if (paddle is self.player) == (vx > 0) else vx
                    vy = self.clamp(vy + self.rng.choice([-1, 0, 1]), -6, 6)
            if self.enemy and vx < 0:
                self.enemy.y = self.clamp(self.enemy.y + self.clamp(ball.y - 5 - self.enemy.y, -3, 3), 34, 190)
            self.velocity = (vx, vy)
            if ball.x < 6 or ball.x > 154:
                points, self.ball, self.wait = (1 if ball.x < 6 else -1), None, 12
                self.enemy = self.enemy if self.rng.random() < 0.6 else None
        self.slots = [self.player, self.ball, self.enemy]
        return points, False, action


class Breakout(Play):
    name, holes, actions = "Breakout", 0.0, ["NOOP", "FIRE", "RIGHT", "LEFT"]
    ROWS = [(57, (200, 72, 72)), (63, (198, 108, 58)), (69, (180, 122, 48)), (75, (162, 162, 42)), (81, (72, 160, 72)), (87, (66, 72, 200))]

    def start(self):
        self.player, self.ball, self.velocity, self.wait = Thing("Player", 99, 189, 16, 4), None, (0, 0), 6
        self.blocks = [Thing("Block", 8 + 8 * column, y, 8, 6, rgb) for y, rgb in self.ROWS for column in range(18)]
        # Later episodes begin with walls that have holes.
        self.blocks = [None if self.rng.random() < self.holes else block for block in self.blocks]
        self.holes = (self.holes + 0.3) % 1
        self.slots = [self.player, None, *self.blocks]

    def step(self, t):
        points = 0
        goal = self.ball.x - 7 if self.ball and self.rng.random() < 0.9 else self.player.x + self.rng.randint(-9, 9)
        move = self.clamp(goal - self.player.x, -8, 8)
        self.player.x = self.clamp(self.player.x + move, 8, 136)
        self.wait -= 1
        if self.ball is None and self.wait <= 0:
            self.ball, self.velocity = Thing("Ball", self.rng.randint(30, 120), 110, 2, 4), (self.rng.choice([-3, 2, 3]), 7)
        elif self.ball:
            ball, (vx, vy) = self.ball, self.velocity
            ball.x, ball.y = ball.x + vx, ball.y + vy
            if not 8 <= ball.x <= 150:
                vx, ball.x = -vx, self.clamp(ball.x, 8, 150)
            if ball.y < 34:
                vy, ball.y = abs(vy), 34
            for place, block in enumerate(self.blocks):
                if block and block.x - 2 < ball.x < block.x + 8 and block.y - 4 < ball.y < block.y + 6:
                    self.blocks[place], points, vy = None, points + 7 - place // 18, abs(vy) if vy < 0 else -abs(vy)
                    break
            if vy > 0 and 182 <= ball.y <= 193 and self.player.x - 2 <= ball.x <= self.player.x + 16:
                vy, vx = -vy, self.clamp((ball.x - self.player.x - 7) // 2, -4, 4)
            self.velocity = (vx, vy)
            if ball.y > 200:
                self.ball, self.wait = None, 7
        self.slots = [self.player, self.ball, *self.blocks]
        return points, False, 2 if move > 0 else 3 if move < 0 else 0


class Freeway(Play):
    name, hud, actions = "Freeway", True, ["NOOP", "UP", "DOWN"]
    SPEEDS = [1, 2, 3, 4, 5, -5, -4, -3, -2, -1]

    def start(self):
        self.mine, self.other = Thing("Chicken", 44, 187, 6, 8, (252, 252, 84)), Thing("Chicken", 108, 187, 6, 8, (252, 252, 84))
        self.cars = [Thing("Car", self.rng.randint(0, 150), 27 + 16 * lane, 8, 10, (20 * lane, 26, 167)) for lane in range(10)]
        self.scores = [Thing("Score", x, 5, 6, 8, (228, 111, 111), 1, None, [0, 0]) for x in (49, 113)]
        self.hit, self.slots = 0, [self.mine, self.other, *self.cars, *self.scores]

    def step(self, t):
        action, points = self.rng.choice([1, 1, 1, 1, 1, 1, 0, 2]), 0
        for car, speed in zip(self.cars, self.SPEEDS):
            car.x = (car.x + speed + 8) % 168 - 8
        self.hit = max(0, self.hit - 1)
        if any(abs(car.x - self.mine.x) < 7 and abs(car.y - self.mine.y) < 8 for car in self.cars):
            self.hit = 3
        self.mine.y = self.clamp(self.mine.y + (6 if self.hit else {0: 0, 1: -6, 2: 5}[action]), 6, 187)
        for score in self.scores:
            score.more[1] = score.more[0]
        if self.mine.y <= 14:
            points, self.mine.y = 1, 187
            self.scores[0].more[0] += 1
        return points, False, action


class Seaquest(Play):
    name, hud, ends = "Seaquest", False, (110, 170, 250)
    actions = ["NOOP", "FIRE", "UP", "RIGHT", "LEFT", "DOWN"]

    def start(self):
        self.player = Thing("Player", 76, 46, 16, 11, (187, 187, 53), 0, "E")
        self.oxygen = Thing("OxygenBar", 49, 170, 64, 5, (214, 214, 214), 1, None, [64, 64])
        self.lanes = [None] * 4
        self.sharks, self.subs, self.divers, self.shots = [None] * 12, [None] * 12, [None] * 4, [None] * 4
        self.surface, self.missile, self.collected, self.away = None, None, [None] * 6, 0
        self.arrange()

    def arrange(self):
        player = None if self.away else self.player
        self.slots = [player, *self.sharks, *self.subs, *self.divers, *self.shots, self.surface, self.missile, self.oxygen, *self.collected]

    def step(self, t):
        rng, points, action = self.rng, 0, self.rng.choice([0, 1, 2, 3, 4, 5, 5])
        player, self.away = self.player, max(0, self.away - 1)
        dx, dy = {3: (4, 0), 4: (-4, 0), 2: (0, -4), 5: (0, 4)}.get(action, (0, 0))
        player.x, player.y = self.clamp(player.x + dx, 21, 134), self.clamp(player.y + dy + (t // 40 % 2) * -2, 46, 141)
        player.orientation = "E" if dx > 0 else "W" if dx < 0 else player.orientation
        self.oxygen.more[1] = self.oxygen.more[0]
        self.oxygen.more[0] = min(64, self.oxygen.more[0] + 6) if player.y <= 48 else max(0, self.oxygen.more[0] - (t % 2))
        self.oxygen.w = max(1, self.oxygen.more[0])
        if action == 1 and self.missile is None:
            self.missile = Thing("PlayerMissile", player.x + 8, player.y + 6, 8, 1, (187, 187, 53))
        for lane in range(4):
            group = self.sharks if lane % 2 == 0 else self.subs
            kind, height = ("Shark", 7) if lane % 2 == 0 else ("Submarine", 11)
            y, speed = 141 - 24 * lane, (2, -2, 3, -1)[lane]
            for place in range(3 * lane, 3 * lane + 3):
                if group[place] is None and rng.random() < 0.02:
                    group[place] = Thing(kind, 0 if speed > 0 else 158, y, 8, height, (92, 186, 92))
                elif group[place]:
                    group[place].x += speed
                    if not 0 <= group[place].x <= 160:
                        group[place] = None
            if self.divers[lane] is None and rng.random() < 0.03:
                self.divers[lane] = Thing("Diver", 4, y + 2, 8, 11, (66, 72, 200))
            elif self.divers[lane]:
                self.divers[lane].x += 1
                if abs(self.divers[lane].x - player.x) < 12 and abs(self.divers[lane].y - player.y) < 11 and None in self.collected:
                    place = self.collected.index(None)
                    self.collected[place], self.divers[lane] = Thing("CollectedDiver", 58 + 8 * place, 178, 8, 9, (24, 26, 167), 1), None
                elif self.divers[lane].x > 158:
                    self.divers[lane] = None
            if self.shots[lane] is None and lane % 2 and group[3 * lane] and rng.random() < 0.2:
                self.shots[lane] = Thing("EnemyMissile", group[3 * lane].x, y + 4, 6, 4, (66, 72, 200))
            elif self.shots[lane]:
                self.shots[lane].x += 3 * speed
                if not 0 <= self.shots[lane].x <= 160:
                    self.shots[lane] = None
        if self.missile:
            self.missile.x += 9 if player.orientation == "E" else -9
            for group in (self.sharks, self.subs):
                for place, enemy in enumerate(group):
                    if enemy and self.missile and abs(enemy.x - self.missile.x) < 10 and abs(enemy.y - self.missile.y) < 10:
                        group[place], self.missile, points = None, None, points + 20
            if self.missile and not 0 <= self.missile.x <= 160:
                self.missile = None
        if self.surface is None and rng.random() < 0.01:
            self.surface = Thing("SurfaceSubmarine", 0, 45, 8, 11, (92, 186, 92))
        elif self.surface:
            self.surface.x += 2
            self.surface = self.surface if self.surface.x < 158 else None
        if player.y <= 46 and self.collected[5]:
            self.collected, points = [None] * 6, points + 50
        enemies = [e for e in self.sharks + self.subs if e]
        if self.oxygen.more[0] == 0 or (not self.away and any(abs(e.x - player.x) < 5 and abs(e.y - player.y) < 5 for e in enemies)):
            self.away, player.x, player.y, player.before = 7, 76, 46, None
            self.oxygen.more[0] = 64
        self.arrange()
        return points, False, action


class Skiing(Play):
    name, actions = "Skiing", ["NOOP", "RIGHT", "LEFT"]

    def start(self):
        self.player = Thing("Player", 76, 60, 10, 18, (214, 92, 92), 0, 8)
        self.trees = [Thing("Tree", self.rng.randint(8, 140), 40 + 50 * i, 16, 30, (72, 160, 72)) if i < 4 else None for i in range(6)]
        self.moguls = [Thing("Mogul", self.rng.randint(20, 120), 90 + 60 * i, 16, 7, (214, 214, 214)) if i < 2 else None for i in range(3)]
        self.flags = [Thing("Flag", (40, 72, 90, 122)[i], (110, 110, 178, 178)[i], 5, 14, (10, 10, 255)) for i in range(4)]
        self.slots = [self.player, *self.trees, *self.moguls, *self.flags]

    def step(self, t):
        action = self.rng.choice([0, 1, 2, 1 if t % 60 < 30 else 2])
        player = self.player
        player.orientation = self.clamp(player.orientation + {1: 1, 2: -1}.get(action, 0), 4, 12)
        player.x = self.clamp(player.x + (player.orientation - 8), 8, 142)
        rise = 5 - abs(player.orientation - 8)
        for group in (self.trees, self.moguls, self.flags):
            for place, thing in enumerate(group):
                if thing is None:
                    if self.rng.random() < 0.02:
                        kind, w, h = ("Tree", 16, 30) if group is self.trees else ("Mogul", 16, 7)
                        group[place] = Thing(kind, self.rng.randint(8, 140), 178, w, h, (72, 160, 72))
                    continue
                thing.y -= max(rise, 1)
                if thing.y < 24 and group is not self.flags:
                    group[place] = None
                elif thing.y < 24:
                    thing.y, thing.before = 178, None
                    thing.x = (place % 2) * 32 + (30 + 7 * (t % 9)) + (20 if place > 1 else 0)
        self.slots = [player, *self.trees, *self.moguls, *self.flags]
        return -1 if t % 3 else -2, False, action


class SpaceInvaders(Play):
    name, actions = "SpaceInvaders", ["NOOP", "FIRE", "RIGHT", "LEFT", "RIGHTFIRE", "LEFTFIRE"]

    def start(self):
        self.player = Thing("Player", 34, 185, 7, 10, (92, 186, 92))
        self.shields = [Thing("Shield", x, 157, 8, 18, (181, 83, 40)) for x in (42, 74, 106)]
        self.aliens = [Thing("Alien", 22 + 16 * (i % 6), 31 + 18 * (i // 6), 8, 10, (134, 134, 29)) for i in range(36)]
        self.bullets, self.satellite, self.side = [None] * 3, None, 2
        self.arrange()

    def arrange(self):
        self.slots = [self.player, *self.shields, *self.bullets, self.satellite, *self.aliens]

    def step(self, t):
        rng, points, action = self.rng, 0, self.rng.choice([0, 1, 1, 2, 3, 4, 5])
        if self.player is None and rng.random() < 0.2:
            self.player = Thing("Player", 34, 185, 7, 10, (92, 186, 92))
        if self.player:
            self.player.x = self.clamp(self.player.x + {2: 3, 4: 3, 3: -3, 5: -3}.get(action, 0), 30, 120)
            if action in (1, 4, 5) and self.bullets[0] is None:
                self.bullets[0] = Thing("Bullet", self.player.x + 3, 175, 1, 10, (142, 142, 142))
        alive = [alien for alien in self.aliens if alien]
        if alive and t % 4 == 0:
            if max(a.x for a in alive) > 140 and self.side > 0 or min(a.x for a in alive) < 18 and self.side < 0:
                self.side = -self.side
                for alien in alive:
                    alien.y += 5
            for alien in alive:
                alien.x += self.side
        for place in (1, 2):
            if self.bullets[place] is None and alive and rng.random() < 0.08:
                alien = rng.choice(alive)
                self.bullets[place] = Thing("Bullet", alien.x + 3, alien.y + 10, 1, 10, (142, 142, 142))
        for place, bullet in enumerate(self.bullets):
            if bullet is None:
                continue
            bullet.y += -8 if place == 0 else 5
            if place == 0:
                for index, alien in enumerate(self.aliens):
                    if alien and alien.x - 1 <= bullet.x <= alien.x + 8 and alien.y - 10 <= bullet.y <= alien.y + 10:
                        self.aliens[index], self.bullets[0], points = None, None, points + 5 * (6 - index // 6)
                        break
            elif self.player and abs(bullet.x - self.player.x - 3) < 5 and bullet.y > 175:
                self.player, self.bullets[place] = None, None
            for index, shield in enumerate(self.shields):
                if shield and self.bullets[place] and abs(shield.x + 4 - bullet.x) < 5 and abs(bullet.y - 160) < 8:
                    self.bullets[place] = None
                    shield.h -= 2
                    if shield.h <= 0:
                        self.shields[index] = None
            if self.bullets[place] and not 20 < bullet.y < 196:
                self.bullets[place] = None
        if self.satellite is None and rng.random() < 0.015:
            self.satellite = Thing("Satellite", 0, 12, 7, 8, (151, 25, 122))
        elif self.satellite:
            self.satellite.x += 2
            self.satellite = self.satellite if self.satellite.x < 155 else None
        self.arrange()
        return points, False, action


class Asterix(Play):
    name, actions = "Asterix", ["NOOP", "UP", "RIGHT", "LEFT", "DOWN"]

    def start(self):
        self.player = Thing("Player", 76, 90, 8, 11, (187, 187, 53))
        self.groups = {"Reward": [None] * 8, "Enemy": [None] * 8, "Consumable": [None] * 8}
        self.arrange()

    def arrange(self):
        self.slots = [self.player, *self.groups["Reward"], *self.groups["Enemy"], *self.groups["Consumable"]]

    def step(self, t):
        action, points = self.rng.choice([0, 1, 2, 2, 3, 4]), 0
        dx, dy = {1: (0, -16), 2: (4, 0), 3: (-4, 0), 4: (0, 16)}.get(action, (0, 0))
        self.player.x, self.player.y = self.clamp(self.player.x + dx, 8, 144), self.clamp(self.player.y + dy * (t % 3 == 0), 26, 138)
        for kind, group in self.groups.items():
            for lane in range(8):
                side = 3 if lane % 2 else -2
                if group[lane] is None:
                    if self.rng.random() < 0.03 and sum(g[lane] is not None for g in self.groups.values()) < 2:
                        w = 8 if kind == "Reward" else 7
                        group[lane] = Thing(kind, 6 if side > 0 else 150, 26 + 16 * lane, w, 11, (198, 89, 179))
                    continue
                group[lane].x += side
                if abs(group[lane].x - self.player.x) < 8 and abs(group[lane].y - self.player.y) < 10:
                    points += {"Reward": 50, "Enemy": 0, "Consumable": 100}[kind]
                    if kind == "Reward" or kind == "Consumable":
                        group[lane] = None
                        continue
                if not 4 <= group[lane].x <= 154:
                    group[lane] = None
        self.arrange()
        return points, False, action


class Bowling(Play):
    name, ends, actions = "Bowling", (75, 150, 230), ["NOOP", "FIRE", "UP", "DOWN", "UPFIRE", "DOWNFIRE"]
    PINS = [(121, 130), (125, 125), (125, 135), (129, 120), (129, 130), (129, 140), (133, 115), (133, 125), (133, 135), (133, 145)]

    def start(self):
        self.player = Thing("Player", 12, 110, 8, 32, (0, 0, 0))
        self.roll = 0
        self.set_up()

    def set_up(self):
        self.ball = Thing("Ball", 20, 132, 4, 10, (45, 50, 184))
        self.pins = [Thing("Pin", x, y, 2, 4, (45, 50, 184)) for x, y in self.PINS]
        self.speed, self.drift = 0, 0
        self.slots = [self.player, self.ball, *self.pins]

    def step(self, t):
        action, points = self.rng.choice([0, 0, 2, 3, 1]), 0
        if self.speed == 0:
            self.player.y = self.clamp(self.player.y + {2: -2, 3: 2}.get(action, 0), 96, 124)
            self.ball.y = self.player.y + 22
            if action == 1:
                self.speed, self.drift = 5, self.rng.choice([-1, 0, 0, 1])
        else:
            self.ball.x += self.speed
            self.ball.y = self.clamp(self.ball.y + self.drift * (t % 2), 104, 152)
            for place, pin in enumerate(self.pins):
                if pin and abs(pin.x - self.ball.x) < 6 and abs(pin.y - self.ball.y - 3) < 7:
                    self.pins[place], points = None, points + 1
            if self.ball.x > 150:
                self.roll += 1
                if self.roll % 2 == 0 or not any(self.pins):
                    self.set_up()
                else:
                    self.speed, self.ball.x, self.ball.before = 0, 20, None
        self.slots = [self.player, self.ball, *self.pins]
        return points, False, action


class Boxing(Play):
    name, hud, actions = "Boxing", True, ["NOOP", "FIRE", "UP", "RIGHT", "LEFT", "DOWN"]

    def start(self):
        self.player = Thing("Player", 36, 60, 14, 46, (214, 214, 214), more=[0, 0])
        self.enemy = Thing("Enemy", 110, 100, 14, 46, (0, 0, 0), more=[0, 0])
        self.scores = [Thing("PlayerScore", 47, 5, 6, 7, (214, 214, 214), 1, None, [0, 0]), Thing("EnemyScore", 111, 5, 6, 7, (0, 0, 0), 1, None, [0, 0])]
        self.clock = Thing("Clock", 64, 17, 30, 7, (20, 60, 0), 1)
        self.slots = [self.player, self.enemy, *self.scores, self.clock]

    def step(self, t):
        rng, points, action = self.rng, 0, self.rng.choice([0, 1, 1, 2, 3, 3, 4, 5])
        dx, dy = {2: (0, -3), 3: (3, 0), 4: (-3, 0), 5: (0, 3)}.get(action, (0, 0))
        me, other = self.player, self.enemy
        me.x, me.y = self.clamp(me.x + dx, 30, 112), self.clamp(me.y + dy, 40, 140)
        other.x = self.clamp(other.x + (1 if me.x + 24 < other.x else -1) * -rng.choice([0, 1, 2]), 34, 118)
        other.y = self.clamp(other.y + (2 if me.y > other.y else -2) * rng.choice([0, 1]), 40, 140)
        for score in self.scores:
            score.more[1] = score.more[0]
        for boxer, attacks, score in ((me, action == 1, 0), (other, rng.random() < 0.2, 1)):
            arm = rng.randint(0, 1)
            boxer.more[arm] = self.clamp(boxer.more[arm] + (9 if attacks else -4), 0, 32)
            boxer.more[1 - arm] = max(0, boxer.more[1 - arm] - 4)
            if attacks and boxer.more[arm] > 12 and abs(me.x - other.x) < 40 and abs(me.y - other.y) < 30:
                self.scores[score].more[0] += 1
                points += 1 if score == 0 else -1
        return points, False, action


class Tennis(Play):
    name, hud, actions = "Tennis", False, ["NOOP", "FIRE", "UP", "RIGHT", "LEFT", "DOWN"]

    def start(self):
        self.player, self.enemy = Thing("Player", 76, 150, 13, 23, (240, 128, 128)), Thing("Enemy", 70, 10, 13, 23, (117, 128, 240))
        self.ball, self.shadow, self.wait, self.velocity, self.height = None, None, 9, (0, 0), 0
        self.slots = [self.player, self.enemy, None, None]

    def step(self, t):
        rng, points, action = self.rng, 0, self.rng.choice([0, 1, 2, 3, 4, 5])
        dx, dy = {2: (0, -3), 3: (3, 0), 4: (-3, 0), 5: (0, 3)}.get(action, (0, 0))
        if self.ball and rng.random() < 0.7:
            dx = self.clamp(self.ball.x - self.player.x, -4, 4)
        self.player.x, self.player.y = self.clamp(self.player.x + dx, 8, 138), self.clamp(self.player.y + dy, 105, 165)
        self.wait -= 1
        if self.ball is None and self.wait <= 0:
            self.shadow = Thing("BallShadow", 80, 100, 2, 2, (74, 74, 74))
            self.ball = Thing("Ball", 80, 96, 2, 2, (236, 236, 236))
            self.velocity, self.height = (rng.choice([-2, -1, 1, 2]), rng.choice([-4, 4])), 6
        elif self.ball:
            vx, vy = self.velocity
            self.shadow.x, self.shadow.y = self.shadow.x + vx, self.shadow.y + vy
            self.height = self.clamp(self.height + rng.choice([-2, -1, 1, 2]), 0, 14)
            self.ball.x, self.ball.y = self.shadow.x, self.shadow.y - self.height
            self.enemy.x = self.clamp(self.enemy.x + self.clamp(self.ball.x - self.enemy.x, -2, 2), 8, 138)
            for who in (self.player, self.enemy):
                if abs(who.x + 6 - self.ball.x) < 10 and abs(who.y + 12 - self.shadow.y) < 12 and (vy > 0) == (who is self.player):
                    vx, vy = rng.choice([-2, -1, 0, 1, 2]), -vy
            self.velocity = (vx, vy)
            if not (2 < self.shadow.y < 190 and 2 < self.shadow.x < 156):
                points, self.ball, self.shadow, self.wait = (1 if self.shadow.y <= 2 else -1), None, None, 10
        self.slots = [self.player, self.enemy, self.ball, self.shadow]
        return points, False, action


def record(kind):
    play, lines, episode, start = kind(random.Random(kind.name)), [], 0, 0
    header = {"format": "goalspec-screens-1", "game": kind.name, "hud": kind.hud, "policy": "made-up", "action_meanings": kind.actions, "n": FRAMES}
    for t in range(FRAMES):
        at_start = t == start
        if at_start:
            play.start()
            points, action = 0, None
        else:
            for thing in filter(None, play.slots):
                thing.remember()
            points, _, action = play.step(t - start)
        last = t + 1 in kind.ends
        rows = [thing.row() if thing else ["NoObject"] for thing in play.slots]
        frame = {"t": t, "ep": episode, "a": action, "r": float(points), "term": last, "trunc": False, "objs": rows}
        lines.append(frame)
        if last:
            episode, start = episode + 1, t + 1
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [header, *lines])
    path = Path(__file__).parent / f"{kind.name.lower()}.jsonl.gz"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    for game in Play.__subclasses__():
        if not sys.argv[1:] or game.name.lower() in sys.argv[1:]:
            record(game)
