"""Planning tasks in the structures of well-known domains, of any size: for comparisons of planners beyond the tasks of the competitions.

Usage: planning_domains.py FOLDER [DOMAIN ..]

Writes `FOLDER/DOMAIN/domain.pddl` and problems of increasing size; each is `(domain, size, seed)` in `SIZES`. The same seed gives the same task.
"""

import random
import sys
from pathlib import Path

from planning_tasks import text

DOMAINS, MAKERS, SIZES = {}, {}, {}
# Domains without conditional effects and axioms, of sizes for which plans of minimum cost are in reach.
OPTIMAL = [
    "visitall", "gripper", "logistics", "parking", "pegsol", "elevators", "transport", "childsnack", "sokoban", "tidybot", "termes", "ricochet",
]


def domain(name, pddl, sizes):
    """Registers a domain with the maker of its problems, which returns objects, initial facts and goal facts."""

    def register(maker):
        DOMAINS[name], MAKERS[name], SIZES[name] = pddl, maker, sizes
        return maker

    return register


def typed(kind, names):
    return [*names, "-", kind]


def grid(width, height):
    """The cells of a grid, and pairs of neighbours in both directions."""
    cells = [(x, y) for y in range(height) for x in range(width)]
    pairs = [((x, y), (x + dx, y + dy)) for x, y in cells for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
             if 0 <= x + dx < width and 0 <= y + dy < height]
    return cells, pairs


def cell(place):
    return f"c{place[0]}-{place[1]}"


def metric(problem):
    """The problem with action costs."""
    return problem.rstrip()[:-1].rstrip() + "\n    (:metric minimize (total-cost)))\n"


@domain("visitall", """(define (domain visitall) (:requirements :strips)
    (:predicates (at ?c) (visited ?c) (adjacent ?c ?d))
    (:action move :parameters (?c ?d) :precondition (and (at ?c) (adjacent ?c ?d))
        :effect (and (not (at ?c)) (at ?d) (visited ?d))))
""", [4, 5, 6, 7, 8])
def visitall(size, random):
    cells, pairs = grid(size, size)
    removed = set(random.sample(cells[1:], size // 2))
    cells = [place for place in cells if place not in removed]
    pairs = [pair for pair in pairs if not removed & set(pair)]
    reached, queue = {cells[0]}, [cells[0]]
    for place in queue:
        new = [d for c, d in pairs if c == place and d not in reached]
        reached.update(new)
        queue += new
    facts = [f"(adjacent {cell(c)} {cell(d)})" for c, d in pairs if c in reached]
    first = random.choice(sorted(reached))
    goal = [f"(visited {cell(c)})" for c in sorted(reached)]
    return [cell(c) for c in cells], [f"(at {cell(first)})", f"(visited {cell(first)})", *facts], goal


@domain("gripper", """(define (domain gripper) (:requirements :strips)
    (:predicates (room ?r) (ball ?b) (gripper ?g) (at-robby ?r) (at ?b ?r) (free ?g) (carry ?b ?g))
    (:action move :parameters (?a ?b) :precondition (and (room ?a) (room ?b) (at-robby ?a))
        :effect (and (at-robby ?b) (not (at-robby ?a))))
    (:action pick :parameters (?b ?r ?g) :precondition (and (ball ?b) (room ?r) (gripper ?g) (at ?b ?r) (at-robby ?r) (free ?g))
        :effect (and (carry ?b ?g) (not (at ?b ?r)) (not (free ?g))))
    (:action drop :parameters (?b ?r ?g) :precondition (and (ball ?b) (room ?r) (gripper ?g) (carry ?b ?g) (at-robby ?r))
        :effect (and (at ?b ?r) (free ?g) (not (carry ?b ?g)))))
""", [6, 8, 12, 16, 20])
def gripper(size, random):
    balls, grippers = [f"ball{i}" for i in range(size)], ["left", "right"]
    init = ["(room a)", "(room b)", "(at-robby a)", *(f"(ball {b})" for b in balls), *(f"(at {b} a)" for b in balls)]
    init += [fact for g in grippers for fact in (f"(gripper {g})", f"(free {g})")]
    return ["a", "b", *balls, *grippers], init, [f"(at {b} b)" for b in balls]


@domain("logistics", """(define (domain logistics) (:requirements :strips :typing)
    (:types truck airplane - vehicle package vehicle - thing airport location - place city)
    (:predicates (in-city ?p - place ?c - city) (at ?t - thing ?p - place) (in ?p - package ?v - vehicle))
    (:action drive :parameters (?t - truck ?a ?b - place ?c - city) :precondition (and (at ?t ?a) (in-city ?a ?c) (in-city ?b ?c))
        :effect (and (not (at ?t ?a)) (at ?t ?b)))
    (:action fly :parameters (?t - airplane ?a ?b - airport) :precondition (at ?t ?a) :effect (and (not (at ?t ?a)) (at ?t ?b)))
    (:action load :parameters (?p - package ?v - vehicle ?a - place) :precondition (and (at ?v ?a) (at ?p ?a))
        :effect (and (not (at ?p ?a)) (in ?p ?v)))
    (:action unload :parameters (?p - package ?v - vehicle ?a - place) :precondition (and (at ?v ?a) (in ?p ?v))
        :effect (and (not (in ?p ?v)) (at ?p ?a))))
""", [4, 6, 8, 10, 12])
def logistics(size, random):
    cities = [f"city{i}" for i in range(2 + size // 4)]
    airports, locations = [f"{c}-air" for c in cities], [f"{c}-l{i}" for c in cities for i in range(2)]
    places, packages, planes = airports + locations, [f"p{i}" for i in range(size)], ["plane0", "plane1"][: 1 + size // 8]
    init = [f"(in-city {p} {p.split('-')[0]})" for p in places]
    init += [f"(at truck-{c} {random.choice([p for p in places if p.startswith(c + '-')])})" for c in cities]
    init += [f"(at {plane} {random.choice(airports)})" for plane in planes]
    init += [f"(at {p} {random.choice(places)})" for p in packages]
    objects = [*typed("truck", [f"truck-{c}" for c in cities]), *typed("airplane", planes), *typed("package", packages)]
    objects += [*typed("airport", airports), *typed("location", locations), *typed("city", cities)]
    return objects, init, [f"(at {p} {random.choice(places)})" for p in packages]


@domain("parking", """(define (domain parking) (:requirements :strips :typing)
    (:types car curb)
    (:predicates (at-curb ?c - car ?k - curb) (behind ?c ?d - car) (clear ?c - car) (curb-clear ?k - curb) (first ?c - car))
    (:action curb-curb :parameters (?c - car ?a ?b - curb) :precondition (and (clear ?c) (curb-clear ?b) (at-curb ?c ?a) (first ?c))
        :effect (and (not (curb-clear ?b)) (curb-clear ?a) (at-curb ?c ?b) (not (at-curb ?c ?a))))
    (:action curb-car :parameters (?c - car ?a - curb ?d - car) :precondition (and (clear ?c) (clear ?d) (first ?d) (at-curb ?c ?a) (first ?c))
        :effect (and (not (clear ?d)) (curb-clear ?a) (behind ?c ?d) (not (at-curb ?c ?a)) (not (first ?c))))
    (:action car-curb :parameters (?c ?d - car ?b - curb) :precondition (and (clear ?c) (curb-clear ?b) (behind ?c ?d))
        :effect (and (not (curb-clear ?b)) (clear ?d) (at-curb ?c ?b) (first ?c) (not (behind ?c ?d))))
    (:action car-car :parameters (?c ?d ?e - car) :precondition (and (clear ?c) (clear ?e) (first ?e) (behind ?c ?d))
        :effect (and (not (clear ?e)) (clear ?d) (behind ?c ?e) (not (behind ?c ?d)))))
""", [4, 5, 6, 7, 8])
def parking(size, random):
    cars, curbs = [f"car{i}" for i in range(2 * (size - 1))], [f"curb{i}" for i in range(size)]

    def arrangement(free):
        order = random.sample(cars, len(cars))
        facts = []
        for k, curb in enumerate(curbs):
            if k < size - 2 or not free:
                pair = [order.pop() for _ in range(min(2, len(order)))]
            else:
                pair = [order.pop()] if order else []
            if not pair:
                facts.append(("clear", f"(curb-clear {curb})"))
                continue
            facts.append(("place", f"(at-curb {pair[0]} {curb})"))
            facts.append(("clear", f"(first {pair[0]})"))
            if len(pair) == 2:
                facts.append(("place", f"(behind {pair[1]} {pair[0]})"))
            facts.append(("clear", f"(clear {pair[-1]})"))
        return facts

    init = [fact for _, fact in arrangement(True)]
    goal = [fact for kind, fact in arrangement(False) if kind == "place"]
    return [*typed("car", cars), *typed("curb", curbs)], init, goal


@domain("pegsol", """(define (domain pegsol) (:requirements :strips)
    (:predicates (line ?a ?b ?c) (peg ?c) (free ?c))
    (:action jump :parameters (?a ?b ?c) :precondition (and (line ?a ?b ?c) (peg ?a) (peg ?b) (free ?c))
        :effect (and (not (peg ?a)) (not (peg ?b)) (peg ?c) (free ?a) (free ?b) (not (free ?c)))))
""", [8, 10, 12, 14, 16])
def pegsol(size, random):
    cells = [(x, y) for x in range(7) for y in range(7) if 2 <= x <= 4 or 2 <= y <= 4]
    lines = [(c, (c[0] + dx, c[1] + dy), (c[0] + 2 * dx, c[1] + 2 * dy)) for c in cells for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    lines = [line for line in lines if all(c in cells for c in line)]
    # Backward jumps from one peg, so that there is a solution.
    pegs = {(3, 3)}
    while len(pegs) < size:
        options = [(a, b, c) for a, b, c in lines if c in pegs and a not in pegs and b not in pegs]
        a, b, c = random.choice(options)
        pegs = (pegs - {c}) | {a, b}
    init = [f"(line {cell(a)} {cell(b)} {cell(c)})" for a, b, c in lines]
    init += [f"(peg {cell(c)})" if c in pegs else f"(free {cell(c)})" for c in cells]
    goal = ["(peg c3-3)", *(f"(free {cell(c)})" for c in cells if c != (3, 3))]
    return [cell(c) for c in cells], init, goal


@domain("openstacks", """(define (domain openstacks) (:requirements :strips :typing :adl)
    (:types order product count)
    (:predicates (includes ?o - order ?p - product) (waiting ?o - order) (started ?o - order) (shipped ?o - order) (made ?p - product)
        (stacks ?c - count) (next ?a ?b - count))
    (:functions (total-cost))
    (:action open :parameters (?a ?b - count) :precondition (and (stacks ?a) (next ?a ?b))
        :effect (and (not (stacks ?a)) (stacks ?b) (increase (total-cost) 1)))
    (:action start :parameters (?o - order ?a ?b - count) :precondition (and (waiting ?o) (stacks ?a) (next ?b ?a))
        :effect (and (not (waiting ?o)) (started ?o) (not (stacks ?a)) (stacks ?b) (increase (total-cost) 0)))
    (:action make :parameters (?p - product)
        :precondition (and (not (made ?p)) (forall (?o - order) (imply (includes ?o ?p) (started ?o))))
        :effect (and (made ?p) (increase (total-cost) 0)))
    (:action ship :parameters (?o - order ?a ?b - count)
        :precondition (and (started ?o) (stacks ?a) (next ?a ?b) (forall (?p - product) (imply (includes ?o ?p) (made ?p))))
        :effect (and (not (started ?o)) (shipped ?o) (not (stacks ?a)) (stacks ?b) (increase (total-cost) 0))))
""", [5, 7, 9, 11, 13])
def openstacks(size, random):
    orders, products, counts = ([f"{kind}{i}" for i in range(n)] for kind, n in (("o", size), ("p", size), ("n", size + 1)))
    init = ["(stacks n0)", "(= (total-cost) 0)", *(f"(next {a} {b})" for a, b in zip(counts, counts[1:]))]
    init += [f"(waiting {o})" for o in orders]
    for p in products:
        init += [f"(includes {o} {p})" for o in random.sample(orders, random.randint(1, 3))]
    goal = [f"(shipped {o})" for o in orders]
    return [*typed("order", orders), *typed("product", products), *typed("count", counts)], init, goal


@domain("elevators", """(define (domain elevators) (:requirements :strips :typing)
    (:types slow fast - elevator elevator passenger - object floor count)
    (:predicates (at ?p - passenger ?f - floor) (in ?p - passenger ?e - elevator) (lift ?e - elevator ?f - floor)
        (reaches ?e - elevator ?f - floor) (above ?a ?b - floor) (load ?e - elevator ?n - count) (room ?e - elevator ?n - count) (next ?a ?b - count))
    (:functions (total-cost) (slow-cost ?a ?b - floor) (fast-cost ?a ?b - floor))
    (:action slow-up :parameters (?e - slow ?a ?b - floor) :precondition (and (lift ?e ?a) (above ?a ?b) (reaches ?e ?b))
        :effect (and (lift ?e ?b) (not (lift ?e ?a)) (increase (total-cost) (slow-cost ?a ?b))))
    (:action slow-down :parameters (?e - slow ?a ?b - floor) :precondition (and (lift ?e ?a) (above ?b ?a) (reaches ?e ?b))
        :effect (and (lift ?e ?b) (not (lift ?e ?a)) (increase (total-cost) (slow-cost ?b ?a))))
    (:action fast-up :parameters (?e - fast ?a ?b - floor) :precondition (and (lift ?e ?a) (above ?a ?b) (reaches ?e ?b))
        :effect (and (lift ?e ?b) (not (lift ?e ?a)) (increase (total-cost) (fast-cost ?a ?b))))
    (:action fast-down :parameters (?e - fast ?a ?b - floor) :precondition (and (lift ?e ?a) (above ?b ?a) (reaches ?e ?b))
        :effect (and (lift ?e ?b) (not (lift ?e ?a)) (increase (total-cost) (fast-cost ?b ?a))))
    (:action board :parameters (?p - passenger ?e - elevator ?f - floor ?a ?b - count)
        :precondition (and (lift ?e ?f) (at ?p ?f) (load ?e ?a) (next ?a ?b) (room ?e ?b))
        :effect (and (not (at ?p ?f)) (in ?p ?e) (not (load ?e ?a)) (load ?e ?b) (increase (total-cost) 0)))
    (:action leave :parameters (?p - passenger ?e - elevator ?f - floor ?a ?b - count)
        :precondition (and (lift ?e ?f) (in ?p ?e) (load ?e ?a) (next ?b ?a))
        :effect (and (at ?p ?f) (not (in ?p ?e)) (not (load ?e ?a)) (load ?e ?b) (increase (total-cost) 0))))
""", [3, 4, 5, 6, 8])
def elevators(size, random):
    floors, counts, passengers = [f"f{i}" for i in range(9)], [f"n{i}" for i in range(4)], [f"p{i}" for i in range(size)]
    init = ["(= (total-cost) 0)", *(f"(next {a} {b})" for a, b in zip(counts, counts[1:]))]
    for i, a in enumerate(floors):
        for j, b in enumerate(floors[i + 1:], i + 1):
            init += [f"(above {a} {b})", f"(= (slow-cost {a} {b}) {5 + j - i})", f"(= (fast-cost {a} {b}) {1 + 3 * (j - i)})"]
    lifts = {"slow0": floors[:5], "slow1": floors[4:], "fast0": floors[::2]}
    for lift, reached in lifts.items():
        init += [f"(lift {lift} {random.choice(reached)})", f"(load {lift} n0)", *(f"(reaches {lift} {f})" for f in reached)]
        init += [f"(room {lift} {n})" for n in counts[1:3 if lift < 'g' else 4]]
    goal = []
    for p in passengers:
        a, b = random.sample(floors, 2)
        init.append(f"(at {p} {a})")
        goal.append(f"(at {p} {b})")
    objects = [*typed("slow", ["slow0", "slow1"]), *typed("fast", ["fast0"]), *typed("passenger", passengers)]
    return [*objects, *typed("floor", floors), *typed("count", counts)], init, goal


@domain("transport", """(define (domain transport) (:requirements :strips :typing)
    (:types place package vehicle count)
    (:predicates (road ?a ?b - place) (at ?v - vehicle ?a - place) (lies ?p - package ?a - place) (in ?p - package ?v - vehicle)
        (room ?v - vehicle ?n - count) (next ?a ?b - count))
    (:functions (total-cost) (length ?a ?b - place))
    (:action drive :parameters (?v - vehicle ?a ?b - place) :precondition (and (at ?v ?a) (road ?a ?b))
        :effect (and (not (at ?v ?a)) (at ?v ?b) (increase (total-cost) (length ?a ?b))))
    (:action pick :parameters (?v - vehicle ?a - place ?p - package ?m ?n - count)
        :precondition (and (at ?v ?a) (lies ?p ?a) (next ?m ?n) (room ?v ?n))
        :effect (and (not (lies ?p ?a)) (in ?p ?v) (room ?v ?m) (not (room ?v ?n)) (increase (total-cost) 1)))
    (:action drop :parameters (?v - vehicle ?a - place ?p - package ?m ?n - count)
        :precondition (and (at ?v ?a) (in ?p ?v) (next ?m ?n) (room ?v ?m))
        :effect (and (not (in ?p ?v)) (lies ?p ?a) (room ?v ?n) (not (room ?v ?m)) (increase (total-cost) 1))))
""", [2, 3, 4, 5, 6])
def transport(size, random):
    places, packages, counts = ([f"{kind}{i}" for i in range(n)] for kind, n in (("l", 3 * size), ("p", size), ("n", 3)))
    vehicles = ["v0", "v1"]
    init, joined = ["(= (total-cost) 0)", "(next n0 n1)", "(next n1 n2)"], set()
    for i in range(1, len(places)):
        joined.add((random.randrange(i), i))
    while len(joined) < len(places) * 3 // 2:
        joined.add(tuple(sorted(random.sample(range(len(places)), 2))))
    for a, b in sorted(joined):
        length = random.randint(10, 50)
        for a, b in ((a, b), (b, a)):
            init += [f"(road l{a} l{b})", f"(= (length l{a} l{b}) {length})"]
    init += [fact for v in vehicles for fact in (f"(at {v} {random.choice(places)})", f"(room {v} n2)")]
    goal = []
    for p in packages:
        a, b = random.sample(places, 2)
        init.append(f"(lies {p} {a})")
        goal.append(f"(lies {p} {b})")
    objects = [*typed("place", places), *typed("package", packages), *typed("vehicle", vehicles), *typed("count", counts)]
    return objects, init, goal


@domain("childsnack", """(define (domain childsnack) (:requirements :strips :typing)
    (:types child bread filling tray sandwich place)
    (:constants kitchen - place)
    (:predicates (bread-in ?b - bread) (filling-in ?f - filling) (bread-safe ?b - bread) (filling-safe ?f - filling) (sandwich-in ?s - sandwich)
        (on ?s - sandwich ?t - tray) (safe ?s - sandwich) (allergic ?c - child) (tolerant ?c - child) (served ?c - child) (waits ?c - child ?p - place)
        (at ?t - tray ?p - place) (unused ?s - sandwich))
    (:action make-safe :parameters (?s - sandwich ?b - bread ?f - filling)
        :precondition (and (bread-in ?b) (filling-in ?f) (bread-safe ?b) (filling-safe ?f) (unused ?s))
        :effect (and (not (bread-in ?b)) (not (filling-in ?f)) (sandwich-in ?s) (safe ?s) (not (unused ?s))))
    (:action make :parameters (?s - sandwich ?b - bread ?f - filling) :precondition (and (bread-in ?b) (filling-in ?f) (unused ?s))
        :effect (and (not (bread-in ?b)) (not (filling-in ?f)) (sandwich-in ?s) (not (unused ?s))))
    (:action put :parameters (?s - sandwich ?t - tray) :precondition (and (sandwich-in ?s) (at ?t kitchen))
        :effect (and (not (sandwich-in ?s)) (on ?s ?t)))
    (:action serve-safe :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
        :precondition (and (allergic ?c) (on ?s ?t) (waits ?c ?p) (safe ?s) (at ?t ?p)) :effect (and (not (on ?s ?t)) (served ?c)))
    (:action serve :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
        :precondition (and (tolerant ?c) (on ?s ?t) (waits ?c ?p) (at ?t ?p)) :effect (and (not (on ?s ?t)) (served ?c)))
    (:action move :parameters (?t - tray ?a ?b - place) :precondition (at ?t ?a) :effect (and (not (at ?t ?a)) (at ?t ?b))))
""", [3, 4, 6, 10, 15])
def childsnack(size, random):
    kinds = (("child", size), ("bread", size), ("filling", size), ("tray", 2), ("sandwich", size + size // 3), ("table", 3))
    children, breads, fillings, trays, sandwiches, tables = ([f"{kind}{i}" for i in range(n)] for kind, n in kinds)
    safe = max(1, size * 2 // 5)
    init = [f"(bread-in {b})" for b in breads] + [f"(filling-in {f})" for f in fillings] + [f"(at {t} kitchen)" for t in trays]
    init += [f"(bread-safe {b})" for b in random.sample(breads, safe)] + [f"(filling-safe {f})" for f in random.sample(fillings, safe)]
    allergic = set(random.sample(children, safe))
    init += [f"(allergic {c})" if c in allergic else f"(tolerant {c})" for c in children]
    init += [f"(waits {c} {random.choice(tables)})" for c in children] + [f"(unused {s})" for s in sandwiches]
    objects = [*typed("child", children), *typed("bread", breads), *typed("filling", fillings), *typed("tray", trays)]
    return [*objects, *typed("sandwich", sandwiches), *typed("place", tables)], init, [f"(served {c})" for c in children]


@domain("sokoban", """(define (domain sokoban) (:requirements :strips :typing)
    (:types cell box direction)
    (:predicates (player ?c - cell) (at ?b - box ?c - cell) (clear ?c - cell) (next ?a ?b - cell ?d - direction))
    (:functions (total-cost))
    (:action move :parameters (?a ?b - cell ?d - direction) :precondition (and (player ?a) (clear ?b) (next ?a ?b ?d))
        :effect (and (not (player ?a)) (player ?b) (clear ?a) (not (clear ?b)) (increase (total-cost) 0)))
    (:action push :parameters (?x - box ?a ?b ?c - cell ?d - direction)
        :precondition (and (player ?a) (at ?x ?b) (clear ?c) (next ?a ?b ?d) (next ?b ?c ?d))
        :effect (and (not (player ?a)) (player ?b) (clear ?a) (not (at ?x ?b)) (at ?x ?c) (not (clear ?c)) (increase (total-cost) 1))))
""", [2, 3, 4, 5, 6])
def sokoban(size, random):
    cells, _ = grid(5 + size, 5 + size)
    walls = set(random.sample(cells, 4 + 3 * size))
    cells = [c for c in cells if c not in walls]
    directions = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
    free = set(cells)
    # Boxes are pulled away from their goals, so that there is a solution.
    boxes = random.sample(cells, size)
    goal = [f"(at box{i} {cell(c)})" for i, c in enumerate(boxes)]
    player = random.choice([c for c in cells if c not in boxes])
    for _ in range(400 * size):
        dx, dy = random.choice([*directions.values()])
        ahead, behind = (player[0] + dx, player[1] + dy), (player[0] - dx, player[1] - dy)
        if ahead not in free or ahead in boxes:
            continue
        if behind in boxes and random.random() < 0.6:
            boxes[boxes.index(behind)] = player
        player = ahead
    init = ["(= (total-cost) 0)", f"(player {cell(player)})", *(f"(at box{i} {cell(c)})" for i, c in enumerate(boxes))]
    init += [f"(clear {cell(c)})" for c in cells if c != player and c not in boxes]
    init += [f"(next {cell(c)} {cell((c[0] + dx, c[1] + dy))} {d})" for c in cells for d, (dx, dy) in directions.items()
             if (c[0] + dx, c[1] + dy) in free]
    objects = [*typed("cell", map(cell, cells)), *typed("box", [f"box{i}" for i in range(size)]), *typed("direction", directions)]
    return objects, init, goal


@domain("tidybot", """(define (domain tidybot) (:requirements :strips :typing)
    (:types robot thing cell)
    (:predicates (robot-at ?r - robot ?c - cell) (lies ?t - thing ?c - cell) (free ?c - cell) (next ?a ?b - cell) (empty ?r - robot)
        (holds ?r - robot ?t - thing))
    (:action move :parameters (?r - robot ?a ?b - cell) :precondition (and (robot-at ?r ?a) (next ?a ?b) (free ?b))
        :effect (and (not (robot-at ?r ?a)) (robot-at ?r ?b) (free ?a) (not (free ?b))))
    (:action grasp :parameters (?r - robot ?t - thing ?a ?b - cell)
        :precondition (and (robot-at ?r ?a) (next ?a ?b) (lies ?t ?b) (empty ?r))
        :effect (and (not (lies ?t ?b)) (free ?b) (holds ?r ?t) (not (empty ?r))))
    (:action put :parameters (?r - robot ?t - thing ?a ?b - cell)
        :precondition (and (robot-at ?r ?a) (next ?a ?b) (free ?b) (holds ?r ?t))
        :effect (and (lies ?t ?b) (not (free ?b)) (not (holds ?r ?t)) (empty ?r))))
""", [3, 4, 5, 6, 8])
def tidybot(size, random):
    cells, pairs = grid(size + 3, size + 2)
    taken = random.sample(cells, size + 1)
    things, targets = [f"thing{i}" for i in range(size)], random.sample(cells, size)
    init = [f"(next {cell(a)} {cell(b)})" for a, b in pairs] + [f"(robot-at robot {cell(taken[-1])})", "(empty robot)"]
    init += [f"(lies {t} {cell(c)})" for t, c in zip(things, taken)] + [f"(free {cell(c)})" for c in cells if c not in taken]
    goal = [f"(lies {t} {cell(c)})" for t, c in zip(things, targets)]
    return [*typed("robot", ["robot"]), *typed("thing", things), *typed("cell", map(cell, cells))], init, goal


@domain("synthesis", """(define (domain synthesis) (:requirements :typing :equality :negative-preconditions)
    (:types carbon hydrogen oxygen nitrogen halogen - atom)
    (:predicates (bond ?a ?b - atom) (double ?a ?b - atom))
    (:action substitute
        :parameters (?c1 ?c2 ?c3 - carbon ?h1 ?h2 ?h3 ?h4 - hydrogen ?x - halogen ?o - oxygen ?h5 - hydrogen ?c4 - carbon ?h6 ?h7 - hydrogen)
        :precondition (and (bond ?c1 ?x) (bond ?c1 ?c2) (bond ?c1 ?h1) (bond ?c2 ?c3) (bond ?c2 ?h2) (bond ?c3 ?h3) (bond ?c3 ?h4) (bond ?o ?h5)
            (bond ?o ?c4) (bond ?c4 ?h6) (bond ?c4 ?h7) (not (= ?c1 ?c4)) (not (= ?c1 ?c3)) (not (= ?h3 ?h4)) (not (= ?h6 ?h7)))
        :effect (and (not (bond ?c1 ?x)) (not (bond ?x ?c1)) (not (bond ?o ?h5)) (not (bond ?h5 ?o)) (bond ?c1 ?o) (bond ?o ?c1) (bond ?x ?h5) (bond ?h5 ?x)))
    (:action add
        :parameters (?c1 ?c2 ?c3 - carbon ?x - halogen ?h ?h1 ?h2 ?h3 ?h4 - hydrogen ?c4 - carbon ?h5 ?h6 - hydrogen)
        :precondition (and (double ?c1 ?c2) (bond ?x ?h) (bond ?c1 ?h1) (bond ?c1 ?h2) (bond ?c2 ?h3) (bond ?c2 ?c3) (bond ?c3 ?h4) (bond ?c3 ?c4)
            (bond ?c4 ?h5) (bond ?c4 ?h6) (not (= ?h1 ?h2)) (not (= ?h5 ?h6)) (not (= ?c2 ?c4)))
        :effect (and (not (double ?c1 ?c2)) (not (double ?c2 ?c1)) (bond ?c1 ?c2) (bond ?c2 ?c1) (not (bond ?x ?h)) (not (bond ?h ?x))
            (bond ?c2 ?x) (bond ?x ?c2) (bond ?c1 ?h) (bond ?h ?c1)))
    (:action eliminate
        :parameters (?c1 ?c2 ?c3 ?c4 - carbon ?x - halogen ?h ?h1 ?h2 ?h3 ?h4 - hydrogen ?h5 ?h6 - hydrogen)
        :precondition (and (bond ?c1 ?c2) (bond ?c2 ?x) (bond ?c1 ?h) (bond ?c1 ?h1) (bond ?c1 ?h2) (bond ?c2 ?h3) (bond ?c2 ?c3) (bond ?c3 ?h4)
            (bond ?c3 ?c4) (bond ?c4 ?h5) (bond ?c4 ?h6) (not (= ?h ?h1)) (not (= ?h ?h2)) (not (= ?h1 ?h2)) (not (= ?h5 ?h6)) (not (= ?c2 ?c4)))
        :effect (and (double ?c1 ?c2) (double ?c2 ?c1) (not (bond ?c1 ?c2)) (not (bond ?c2 ?c1)) (bond ?x ?h) (bond ?h ?x) (not (bond ?c2 ?x))
            (not (bond ?x ?c2)) (not (bond ?c1 ?h)) (not (bond ?h ?c1)))))
""", [2, 3, 4, 6, 8])
def synthesis(size, random):
    """Molecules that reactions of ten to thirteen atoms change; bonds accumulate in the relaxation, so that it is large."""
    atoms, bonds, doubles, count = {"carbon": [], "hydrogen": [], "oxygen": [], "halogen": []}, [], [], iter(range(10 ** 6))

    def atom(kind):
        atoms[kind].append(f"{kind[:2]}{next(count)}")
        return atoms[kind][-1]

    def chain(length, ending):
        carbons = [atom("carbon") for _ in range(length)]
        for place, (a, b) in enumerate(zip(carbons, carbons[1:])):
            (doubles if ending == "double" and place == 0 else bonds).append((a, b))
        for place, c in enumerate(carbons):
            free = 4 - (place > 0) - (place < length - 1)
            free -= {"double": place < 2, "halogen": place == 1, "alcohol": place == 0}[ending]
            bonds.extend((c, atom("hydrogen")) for _ in range(free))
        if ending == "halogen":
            bonds.append((carbons[1], atom("halogen")))
        if ending == "alcohol":
            bonds.extend([(carbons[0], o := atom("oxygen")), (o, atom("hydrogen"))])
        return carbons

    goal = []
    for _ in range(size):
        left, right = chain(4 + random.randrange(2), "double"), chain(3, "alcohol")
        bonds.append((atom("halogen"), atom("hydrogen")))
        goal.append(f"(bond {left[1]} {atoms['oxygen'][-1]})")
    for _ in range(size):
        chain(5, "halogen")
    init = [fact for name, pairs in (("bond", bonds), ("double", doubles)) for a, b in pairs for fact in (f"({name} {a} {b})", f"({name} {b} {a})")]
    return [word for kind, names in atoms.items() if names for word in typed(kind, names)], init, goal


@domain("intrusion", """(define (domain intrusion) (:requirements :typing :equality :negative-preconditions)
    (:types host account credential file process share)
    (:predicates (agent ?h - host) (admin ?a - account ?h - host) (owns ?a - account ?c - credential) (known ?c - credential) (cached ?c - credential ?h - host)
        (listed ?h - host) (scanned ?h - host) (mounted ?h ?g - host ?s - share) (offers ?h - host ?s - share) (copied ?f - file ?h - host)
        (runs ?p - process ?h - host) (spare ?p - process) (fresh ?f - file) (secret ?f - file) (stolen ?f - file) (escalated ?h - host))
    (:action scan :parameters (?h ?g - host) :precondition (and (agent ?h) (not (= ?h ?g))) :effect (listed ?g))
    (:action list :parameters (?h ?g - host ?a - account) :precondition (and (agent ?h) (listed ?g) (admin ?a ?g)) :effect (scanned ?g))
    (:action dump :parameters (?h - host ?p - process ?a - account ?c - credential) :precondition (and (agent ?h) (runs ?p ?h) (escalated ?h) (cached ?c ?h) (owns ?a ?c))
        :effect (known ?c))
    (:action escalate :parameters (?h - host ?p ?q - process) :precondition (and (agent ?h) (runs ?p ?h) (spare ?q) (not (= ?p ?q)))
        :effect (and (escalated ?h) (not (spare ?q)) (runs ?q ?h)))
    (:action mount :parameters (?h ?g - host ?s - share ?a - account ?c - credential)
        :precondition (and (agent ?h) (scanned ?g) (offers ?g ?s) (admin ?a ?g) (owns ?a ?c) (known ?c) (not (= ?h ?g))) :effect (mounted ?h ?g ?s))
    (:action copy :parameters (?h ?g - host ?s - share ?f - file ?p - process)
        :precondition (and (agent ?h) (runs ?p ?h) (mounted ?h ?g ?s) (fresh ?f)) :effect (and (copied ?f ?g) (not (fresh ?f))))
    (:action start :parameters (?h ?g - host ?s - share ?f - file ?p ?q - process ?a ?b - account ?c ?d - credential)
        :precondition (and (agent ?h) (runs ?p ?h) (mounted ?h ?g ?s) (copied ?f ?g) (spare ?q) (admin ?a ?g) (owns ?a ?c) (known ?c) (admin ?b ?h) (owns ?b ?d))
        :effect (and (agent ?g) (runs ?q ?g) (not (spare ?q))))
    (:action steal :parameters (?h - host ?p - process ?f - file) :precondition (and (agent ?h) (runs ?p ?h) (secret ?f) (copied ?f ?h)) :effect (stolen ?f)))
""", [6, 10, 15, 20, 30])
def intrusion(size, random):
    """Hosts that are taken one after the other, by an action of ten parameters, most combinations of which do not matter."""
    kinds = (("host", size), ("account", size * 2), ("credential", size * 4), ("file", 3 * size), ("process", 4 * size), ("share", 3))
    names = {kind: [f"{kind}{i}" for i in range(n)] for kind, n in kinds}
    hosts, accounts, credentials = names["host"], names["account"], names["credential"]
    init = ["(agent host0)", "(runs process0 host0)", *(f"(spare {p})" for p in names["process"][1:])]
    init += [f"(owns account{i // 2} {c})" for i, c in enumerate(credentials)]
    for i, h in enumerate(hosts):
        # The credential for the next host is cached here.
        init += [f"(admin account{i} {h})", f"(cached credential{(2 * i + 2) % len(credentials)} {h})"]
        init += [f"(admin {a} {h})" for a in random.sample(accounts, len(accounts) // 2) if a != f"account{i}" and accounts.index(a) >= size]
        init += [f"(offers {h} {s})" for s in names["share"]]
    init += [f"(fresh {f})" for f in names["file"][size:]]
    init += [f"(secret file{i})" for i in range(size)] + [f"(copied file{i} {h})" for i, h in enumerate(hosts)]
    return [word for kind, n in names.items() for word in typed(kind, n)], init, [f"(stolen file{i})" for i in range(1, size)]


@domain("snake", """(define (domain snake) (:requirements :strips :typing)
    (:types cell)
    (:constants nowhere - cell)
    (:predicates (next ?a ?b - cell) (head ?c - cell) (tail ?c - cell) (link ?a ?b - cell) (blocked ?c - cell) (apple ?c - cell) (spawn ?a ?b - cell) (soon ?c - cell))
    (:action move :parameters (?h ?n ?t ?u - cell)
        :precondition (and (head ?h) (next ?h ?n) (tail ?t) (link ?u ?t) (not (blocked ?n)) (not (apple ?n)))
        :effect (and (not (head ?h)) (head ?n) (link ?n ?h) (blocked ?n) (not (blocked ?t)) (not (tail ?t)) (tail ?u) (not (link ?u ?t))))
    (:action eat :parameters (?h ?n ?a ?b - cell)
        :precondition (and (head ?h) (next ?h ?n) (not (blocked ?n)) (apple ?n) (soon ?a) (spawn ?a ?b))
        :effect (and (not (head ?h)) (head ?n) (link ?n ?h) (blocked ?n) (not (apple ?n)) (apple ?a) (not (soon ?a)) (soon ?b)))
    (:action eat-last :parameters (?h ?n - cell)
        :precondition (and (head ?h) (next ?h ?n) (not (blocked ?n)) (apple ?n) (soon nowhere))
        :effect (and (not (head ?h)) (head ?n) (link ?n ?h) (blocked ?n) (not (apple ?n)))))
""", [4, 6, 8, 10, 12])
def snake(size, random):
    cells, pairs = grid(size, size)
    body = [(0, 0), (1, 0)]
    apples = random.sample([c for c in cells if c not in body], size + 2)
    visible, later = apples[:2], apples[2:]
    init = [f"(next {cell(a)} {cell(b)})" for a, b in pairs] + [f"(blocked {cell(c)})" for c in body]
    init += [f"(head {cell(body[1])})", f"(tail {cell(body[0])})", f"(link {cell(body[1])} {cell(body[0])})"]
    names = [*map(cell, later), "nowhere"]
    init += [f"(apple {cell(c)})" for c in visible] + [f"(soon {names[0]})", *(f"(spawn {a} {b})" for a, b in zip(names, names[1:]))]
    return typed("cell", map(cell, cells)), init, [f"(not (apple {cell(c)}))" for c in apples] + ["(soon nowhere)"]


@domain("termes", """(define (domain termes) (:requirements :strips :typing)
    (:types height place)
    (:predicates (level ?p - place ?h - height) (at ?p - place) (loaded) (empty) (succ ?a ?b - height) (next ?a ?b - place) (depot ?p - place))
    (:action move :parameters (?a ?b - place ?h - height) :precondition (and (at ?a) (next ?a ?b) (level ?a ?h) (level ?b ?h))
        :effect (and (not (at ?a)) (at ?b)))
    (:action up :parameters (?a ?b - place ?h ?g - height) :precondition (and (at ?a) (next ?a ?b) (level ?a ?h) (level ?b ?g) (succ ?g ?h))
        :effect (and (not (at ?a)) (at ?b)))
    (:action down :parameters (?a ?b - place ?h ?g - height) :precondition (and (at ?a) (next ?a ?b) (level ?a ?h) (level ?b ?g) (succ ?h ?g))
        :effect (and (not (at ?a)) (at ?b)))
    (:action place :parameters (?a ?b - place ?h ?g - height)
        :precondition (and (at ?a) (next ?a ?b) (level ?a ?h) (level ?b ?h) (succ ?g ?h) (loaded) (not (depot ?b)))
        :effect (and (not (level ?b ?h)) (level ?b ?g) (not (loaded)) (empty)))
    (:action remove :parameters (?a ?b - place ?h ?g - height)
        :precondition (and (at ?a) (next ?a ?b) (level ?a ?h) (level ?b ?g) (succ ?g ?h) (empty))
        :effect (and (not (level ?b ?g)) (level ?b ?h) (loaded) (not (empty))))
    (:action create :parameters (?a - place) :precondition (and (at ?a) (depot ?a) (empty)) :effect (and (loaded) (not (empty))))
    (:action destroy :parameters (?a - place) :precondition (and (at ?a) (depot ?a) (loaded)) :effect (and (empty) (not (loaded)))))
""", [2, 3, 4, 5, 6])
def termes(size, random):
    cells, pairs = grid(4, 3)
    heights = [f"n{i}" for i in range(size + 1)]
    init = ["(empty)", "(at c0-0)", "(depot c0-0)", *(f"(succ {b} {a})" for a, b in zip(heights, heights[1:]))]
    init += [f"(level {cell(c)} n0)" for c in cells] + [f"(next {cell(a)} {cell(b)})" for a, b in pairs]
    towers = {(3, 2): size, **({(2, 0): size - 1} if size > 2 else {})}
    goal = [f"(level {cell(c)} n{towers.get(c, 0)})" for c in cells] + ["(empty)"]
    return [*typed("height", heights), *typed("place", map(cell, cells))], init, goal


@domain("ricochet", """(define (domain ricochet) (:requirements :strips :typing :negative-preconditions)
    (:types cell robot direction)
    (:predicates (next ?a ?b - cell ?d - direction) (wall ?c - cell ?d - direction) (at ?r - robot ?c - cell) (taken ?c - cell) (idle)
        (moves ?r - robot ?d - direction))
    (:action go :parameters (?r - robot ?d - direction) :precondition (idle) :effect (and (not (idle)) (moves ?r ?d)))
    (:action slide :parameters (?r - robot ?a ?b - cell ?d - direction)
        :precondition (and (moves ?r ?d) (at ?r ?a) (next ?a ?b ?d) (not (taken ?b)) (not (wall ?a ?d)))
        :effect (and (not (at ?r ?a)) (at ?r ?b) (not (taken ?a)) (taken ?b)))
    (:action stop-wall :parameters (?r - robot ?a - cell ?d - direction) :precondition (and (moves ?r ?d) (at ?r ?a) (wall ?a ?d))
        :effect (and (not (moves ?r ?d)) (idle)))
    (:action stop-robot :parameters (?r - robot ?a ?b - cell ?d - direction)
        :precondition (and (moves ?r ?d) (at ?r ?a) (next ?a ?b ?d) (taken ?b)) :effect (and (not (moves ?r ?d)) (idle))))
""", [5, 7, 9, 12, 15])
def ricochet(size, random):
    cells, _ = grid(size, size)
    directions = {"east": (1, 0), "west": (-1, 0), "south": (0, 1), "north": (0, -1)}
    walls = {(c, d) for c in cells for d, (dx, dy) in directions.items() if (c[0] + dx, c[1] + dy) not in cells}
    for c in random.sample(cells, size):
        d = random.choice([*directions])
        walls.add((c, d))
    robots = [f"r{i}" for i in range(4)]
    at = dict(zip(robots, random.sample(cells, 4)))
    init = ["(idle)", *(f"(at {r} {cell(c)})" for r, c in at.items()), *(f"(taken {cell(c)})" for c in at.values())]
    init += [f"(wall {cell(c)} {d})" for c, d in sorted(walls)]
    init += [f"(next {cell(c)} {cell((c[0] + dx, c[1] + dy))} {d})" for c in cells for d, (dx, dy) in directions.items()
             if (c[0] + dx, c[1] + dy) in cells]
    # The goal is where random moves lead.
    for _ in range(4 * size):
        r, d = random.choice(robots), random.choice([*directions])
        dx, dy = directions[d]
        while (at[r], d) not in walls and (at[r][0] + dx, at[r][1] + dy) not in at.values():
            at[r] = (at[r][0] + dx, at[r][1] + dy)
    goal = ["(idle)", *(f"(at {r} {cell(at[r])})" for r in robots[:2])]
    return [*typed("cell", map(cell, cells)), *typed("robot", robots), *typed("direction", directions)], init, goal


@domain("labyrinth", """(define (domain labyrinth) (:requirements :strips :typing :adl)
    (:types card place direction)
    (:constants n s e w - direction)
    (:predicates (next ?a ?b - place) (first ?p - place) (last ?p - place) (card-at ?c - card ?x ?y - place) (robot ?c - card)
        (blocked ?c - card ?d - direction) (free) (rotating-row ?y - place) (left))
    (:action move-east :parameters (?c ?d - card ?x ?y ?z - place)
        :precondition (and (free) (robot ?c) (card-at ?c ?x ?y) (next ?x ?z) (card-at ?d ?z ?y) (not (blocked ?c e)) (not (blocked ?d w)))
        :effect (and (not (robot ?c)) (robot ?d)))
    (:action move-west :parameters (?c ?d - card ?x ?y ?z - place)
        :precondition (and (free) (robot ?c) (card-at ?c ?x ?y) (next ?z ?x) (card-at ?d ?z ?y) (not (blocked ?c w)) (not (blocked ?d e)))
        :effect (and (not (robot ?c)) (robot ?d)))
    (:action move-south :parameters (?c ?d - card ?x ?y ?z - place)
        :precondition (and (free) (robot ?c) (card-at ?c ?x ?y) (next ?y ?z) (card-at ?d ?x ?z) (not (blocked ?c s)) (not (blocked ?d n)))
        :effect (and (not (robot ?c)) (robot ?d)))
    (:action move-north :parameters (?c ?d - card ?x ?y ?z - place)
        :precondition (and (free) (robot ?c) (card-at ?c ?x ?y) (next ?z ?y) (card-at ?d ?x ?z) (not (blocked ?c n)) (not (blocked ?d s)))
        :effect (and (not (robot ?c)) (robot ?d)))
    (:action shift-row :parameters (?y - place)
        :precondition (and (free) (exists (?c - card ?x - place) (and (card-at ?c ?x ?y) (not (robot ?c)))))
        :effect (and (forall (?c - card ?x ?z - place) (when (and (card-at ?c ?x ?y) (or (next ?x ?z) (and (last ?x) (first ?z))))
            (and (not (card-at ?c ?x ?y)) (card-at ?c ?z ?y))))))
    (:action shift-column :parameters (?x - place)
        :precondition (free)
        :effect (and (forall (?c - card ?y ?z - place) (when (and (card-at ?c ?x ?y) (or (next ?y ?z) (and (last ?y) (first ?z))))
            (and (not (card-at ?c ?x ?y)) (card-at ?c ?x ?z))))))
    (:action leave :parameters (?c - card ?x - place)
        :precondition (and (free) (robot ?c) (card-at ?c ?x ?x) (last ?x) (not (blocked ?c s))) :effect (left)))
""", [3, 4, 5, 6, 7])
def labyrinth(size, random):
    places, cards = [f"p{i}" for i in range(size)], [f"card{i}" for i in range(size * size)]
    init = ["(free)", "(first p0)", f"(last p{size - 1})", "(robot card0)", *(f"(next {a} {b})" for a, b in zip(places, places[1:]))]
    init += [f"(card-at {c} p{i % size} p{i // size})" for i, c in enumerate(cards)]
    init += [f"(blocked {c} {d})" for i, c in enumerate(cards) for d in "nsew" if i > 0 and random.random() < 0.5]
    return [*typed("card", cards), *typed("place", places)], init, ["(left)"]


@domain("recharging", """(define (domain recharging) (:requirements :strips :typing)
    (:types level robot place)
    (:predicates (next ?a ?b - level) (road ?a ?b - place) (at ?r - robot ?p - place) (battery ?r - robot ?l - level) (stopped ?r - robot) (guarded ?p - place)
        (sees ?a ?b - place) (done ?p - place))
    (:action move :parameters (?r - robot ?a ?b - place ?l ?m - level)
        :precondition (and (at ?r ?a) (road ?a ?b) (battery ?r ?l) (next ?m ?l)) :effect (and (not (at ?r ?a)) (at ?r ?b) (not (battery ?r ?l)) (battery ?r ?m)))
    (:action give :parameters (?r ?q - robot ?a - place ?l ?m ?k ?n - level)
        :precondition (and (at ?r ?a) (at ?q ?a) (battery ?r ?l) (next ?m ?l) (battery ?q ?k) (next ?k ?n))
        :effect (and (not (battery ?r ?l)) (battery ?r ?m) (not (battery ?q ?k)) (battery ?q ?n)))
    (:action inspect :parameters (?r - robot ?a - place) :precondition (at ?r ?a) :effect (done ?a)))
""", [4, 6, 8, 10, 12])
def recharging(size, random):
    places, robots = [f"p{i}" for i in range(3 * size)], [f"r{i}" for i in range(3)]
    joined = {(random.randrange(i), i) for i in range(1, len(places))}
    init = [fact for a, b in sorted(joined) for fact in (f"(road p{a} p{b})", f"(road p{b} p{a})")]
    goals = random.sample(places[1:], size)
    # The tree is walked twice at most; a part of the energy is at each robot.
    total = 2 * len(places) * 3 // 5
    levels = [f"l{i}" for i in range(total + 1)]
    shares = [total // 5, total // 5, total - 2 * (total // 5)]
    init += [f"(next {a} {b})" for a, b in zip(levels, levels[1:])]
    init += [fact for r, share in zip(robots, shares) for fact in (f"(at {r} p0)", f"(battery {r} l{share})")]
    return [*typed("level", levels), *typed("robot", robots), *typed("place", places)], init, [f"(done {p})" for p in goals]


def write(folder, name):
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    (target / "domain.pddl").write_text(DOMAINS[name])
    for size in SIZES[name]:
        problem = f"{name}-{size}"
        content = text(problem, name, *MAKERS[name](size, random.Random(size)))
        if "total-cost" in DOMAINS[name]:
            content = metric(content)
        (target / f"{problem}.pddl").write_text(content)


if __name__ == "__main__":
    for name in sys.argv[2:] or DOMAINS:
        write(Path(sys.argv[1]), name)
