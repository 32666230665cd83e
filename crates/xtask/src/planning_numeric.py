"""Planning tasks with numbers, in the structures of domains of the numeric track of the competition of 2023.

Importing the module registers its domains in `planning_domains`.
"""

from planning_domains import domain, typed

DOMAINS = ["counters", "watering", "farmland", "sailing", "grouping", "refuelling", "expedition", "delivery"]


def values(name, objects, numbers):
    return [f"(= ({name} {o}) {n})" for o, n in zip(objects, numbers)]


@domain("counters", """(define (domain counters) (:requirements :typing :fluents)
    (:types counter)
    (:functions (value ?c - counter) (limit))
    (:action increment :parameters (?c - counter) :precondition (<= (+ (value ?c) 1) (limit)) :effect (increase (value ?c) 1))
    (:action decrement :parameters (?c - counter) :precondition (>= (value ?c) 1) :effect (decrease (value ?c) 1)))
""", [4, 8, 12, 20, 30])
def counters(size, random):
    """Counters that have to be in ascending order."""
    names = [f"c{i}" for i in range(size)]
    init = [f"(= (limit) {4 * size})", *values("value", names, [random.randrange(2 * size) for _ in names])]
    return typed("counter", names), init, [f"(<= (+ (value {a}) 1) (value {b}))" for a, b in zip(names, names[1:])]


@domain("watering", """(define (domain watering) (:requirements :typing :fluents)
    (:types thing - object plant agent tap - thing)
    (:functions (x ?t - thing) (y ?t - thing) (poured ?p - plant) (carried ?a - agent) (most) (width))
    (:action east :parameters (?a - agent) :precondition (<= (+ (x ?a) 1) (width)) :effect (increase (x ?a) 1))
    (:action west :parameters (?a - agent) :precondition (>= (x ?a) 2) :effect (decrease (x ?a) 1))
    (:action north :parameters (?a - agent) :precondition (<= (+ (y ?a) 1) (width)) :effect (increase (y ?a) 1))
    (:action south :parameters (?a - agent) :precondition (>= (y ?a) 2) :effect (decrease (y ?a) 1))
    (:action fill :parameters (?a - agent ?t - tap) :precondition (and (= (x ?a) (x ?t)) (= (y ?a) (y ?t)) (<= (+ (carried ?a) 1) (most)))
        :effect (increase (carried ?a) 1))
    (:action pour :parameters (?a - agent ?p - plant) :precondition (and (= (x ?a) (x ?p)) (= (y ?a) (y ?p)) (>= (carried ?a) 1))
        :effect (and (decrease (carried ?a) 1) (increase (poured ?p) 1))))
""", [2, 4, 6, 8, 10])
def watering(size, random):
    plants, width = [f"p{i}" for i in range(size)], 4 + size
    things = [*plants, "agent", "tap"]
    init = [f"(= (most) {2 + size // 2})", f"(= (width) {width})", "(= (carried agent) 0)", *values("poured", plants, [0] * size)]
    init += [fact for name in "xy" for fact in values(name, things, [random.randint(1, width) for _ in things])]
    goal = [f"(= (poured {p}) {random.randint(1, 4)})" for p in plants]
    return [*typed("plant", plants), *typed("agent", ["agent"]), *typed("tap", ["tap"])], init, goal


@domain("farmland", """(define (domain farmland) (:requirements :typing :fluents)
    (:types farm)
    (:predicates (near ?a ?b - farm))
    (:functions (workers ?f - farm) (trips))
    (:action by-car :parameters (?a ?b - farm) :precondition (and (>= (workers ?a) 4) (near ?a ?b))
        :effect (and (decrease (workers ?a) 4) (increase (workers ?b) 2) (increase (trips) 1)))
    (:action on-foot :parameters (?a ?b - farm) :precondition (and (>= (workers ?a) 1) (near ?a ?b))
        :effect (and (decrease (workers ?a) 1) (increase (workers ?b) 1))))
""", [3, 5, 7, 9, 12])
def farmland(size, random):
    farms = [f"f{i}" for i in range(size)]
    joined = {(random.randrange(i), i) for i in range(1, size)} | {tuple(sorted(random.sample(range(size), 2))) for _ in range(size // 2)}
    init = ["(= (trips) 0)", *values("workers", farms, [10 * size, *[random.randrange(2) for _ in farms[1:]]])]
    init += [fact for a, b in sorted(joined) for fact in (f"(near f{a} f{b})", f"(near f{b} f{a})")]
    goal = [f"(>= (workers {f}) {random.randint(1, 3)})" for f in farms]
    weighted = " ".join(f"(* {random.randint(10, 18) / 10} (workers {f}))" for f in farms[1:])
    return typed("farm", farms), init, [*goal, f"(>= (+ {weighted}) {5 * size})"]


@domain("sailing", """(define (domain sailing) (:requirements :typing :fluents)
    (:types boat person)
    (:predicates (saved ?p - person))
    (:functions (x ?b - boat) (y ?b - boat) (d ?p - person))
    (:action north-east :parameters (?b - boat) :precondition (and) :effect (and (increase (x ?b) 1.5) (increase (y ?b) 1.5)))
    (:action north-west :parameters (?b - boat) :precondition (and) :effect (and (decrease (x ?b) 1.5) (increase (y ?b) 1.5)))
    (:action east :parameters (?b - boat) :precondition (and) :effect (increase (x ?b) 3))
    (:action west :parameters (?b - boat) :precondition (and) :effect (decrease (x ?b) 3))
    (:action south-west :parameters (?b - boat) :precondition (and) :effect (and (increase (x ?b) 2) (decrease (y ?b) 2)))
    (:action south-east :parameters (?b - boat) :precondition (and) :effect (and (decrease (x ?b) 2) (decrease (y ?b) 2)))
    (:action south :parameters (?b - boat) :precondition (and) :effect (decrease (y ?b) 2))
    (:action save :parameters (?b - boat ?p - person)
        :precondition (and (>= (+ (x ?b) (y ?b)) (d ?p)) (>= (- (y ?b) (x ?b)) (d ?p)) (<= (+ (x ?b) (y ?b)) (+ (d ?p) 25)) (<= (- (y ?b) (x ?b)) (+ (d ?p) 25)))
        :effect (saved ?p)))
""", [1, 2, 3, 5, 8])
def sailing(size, random):
    people, boats = [f"p{i}" for i in range(size)], ["b0", "b1"]
    init = [*values("d", people, [random.randint(-60, 60) for _ in people])]
    init += [fact for name in "xy" for fact in values(name, boats, [random.randint(-10, 10) for _ in boats])]
    return [*typed("person", people), *typed("boat", boats)], init, [f"(saved {p})" for p in people]


@domain("grouping", """(define (domain grouping) (:requirements :typing :fluents)
    (:types block)
    (:functions (x ?b - block) (y ?b - block) (width))
    (:action east :parameters (?b - block) :precondition (<= (+ (x ?b) 1) (width)) :effect (increase (x ?b) 1))
    (:action west :parameters (?b - block) :precondition (>= (x ?b) 2) :effect (decrease (x ?b) 1))
    (:action north :parameters (?b - block) :precondition (<= (+ (y ?b) 1) (width)) :effect (increase (y ?b) 1))
    (:action south :parameters (?b - block) :precondition (>= (y ?b) 2) :effect (decrease (y ?b) 1)))
""", [3, 4, 6, 8, 10])
def grouping(size, random):
    """Blocks of one colour have to be at one place, those of different colours at different ones."""
    blocks, width = [f"b{i}" for i in range(size)], 4 + size
    init = [f"(= (width) {width})", *(fact for name in "xy" for fact in values(name, blocks, [random.randint(1, width) for _ in blocks]))]
    colours = {b: i % 2 for i, b in enumerate(blocks)}
    goal = []
    for i, a in enumerate(blocks):
        for b in blocks[i + 1:]:
            if colours[a] == colours[b]:
                goal += [f"(= (x {a}) (x {b}))", f"(= (y {a}) (y {b}))"]
            else:
                goal.append(f"(or (not (= (x {a}) (x {b}))) (not (= (y {a}) (y {b}))))")
    return typed("block", blocks), init, goal


@domain("refuelling", """(define (domain refuelling) (:requirements :typing :fluents)
    (:types city plane person)
    (:predicates (at-plane ?a - plane ?c - city) (at ?p - person ?c - city) (in ?p - person ?a - plane))
    (:functions (fuel ?a - plane) (capacity ?a - plane) (distance ?a ?b - city) (aboard ?a - plane) (seats ?a - plane) (burnt))
    (:action board :parameters (?p - person ?a - plane ?c - city) :precondition (and (at ?p ?c) (at-plane ?a ?c) (<= (+ (aboard ?a) 1) (seats ?a)))
        :effect (and (not (at ?p ?c)) (in ?p ?a) (increase (aboard ?a) 1)))
    (:action leave :parameters (?p - person ?a - plane ?c - city) :precondition (and (in ?p ?a) (at-plane ?a ?c))
        :effect (and (not (in ?p ?a)) (at ?p ?c) (decrease (aboard ?a) 1)))
    (:action fly :parameters (?a - plane ?b ?c - city) :precondition (and (at-plane ?a ?b) (>= (fuel ?a) (distance ?b ?c)))
        :effect (and (not (at-plane ?a ?b)) (at-plane ?a ?c) (decrease (fuel ?a) (distance ?b ?c)) (increase (burnt) (distance ?b ?c))))
    (:action refuel :parameters (?a - plane) :precondition (<= (fuel ?a) (- (capacity ?a) 1)) :effect (assign (fuel ?a) (capacity ?a))))
""", [3, 5, 8, 12, 18])
def refuelling(size, random):
    cities, planes, people = ([f"{kind}{i}" for i in range(n)] for kind, n in (("c", 3 + size // 2), ("a", 2 + size // 8), ("p", size)))
    init = ["(= (burnt) 0)", *values("fuel", planes, [random.randint(10, 60) for _ in planes]), *values("capacity", planes, [80] * len(planes))]
    init += [*values("aboard", planes, [0] * len(planes)), *values("seats", planes, [3] * len(planes))]
    for i, a in enumerate(cities):
        for b in cities[i:]:
            length = 0 if a == b else random.randint(20, 70)
            init += [f"(= (distance {c} {d}) {length})" for c, d in {(a, b), (b, a)}]
    init.sort()
    init += [f"(at-plane {a} {random.choice(cities)})" for a in planes] + [f"(at {p} {random.choice(cities)})" for p in people]
    goal = [f"(at {p} {random.choice(cities)})" for p in people]
    return [*typed("city", cities), *typed("plane", planes), *typed("person", people)], init, goal


@domain("expedition", """(define (domain expedition) (:requirements :typing :fluents)
    (:types sled place)
    (:predicates (at ?s - sled ?p - place) (next ?a ?b - place))
    (:functions (load ?s - sled) (most ?s - sled) (stock ?p - place))
    (:action forwards :parameters (?s - sled ?a ?b - place) :precondition (and (at ?s ?a) (next ?a ?b) (>= (load ?s) 1))
        :effect (and (not (at ?s ?a)) (at ?s ?b) (decrease (load ?s) 1)))
    (:action backwards :parameters (?s - sled ?a ?b - place) :precondition (and (at ?s ?b) (next ?a ?b) (>= (load ?s) 1))
        :effect (and (not (at ?s ?b)) (at ?s ?a) (decrease (load ?s) 1)))
    (:action store :parameters (?s - sled ?p - place) :precondition (and (at ?s ?p) (>= (load ?s) 1))
        :effect (and (increase (stock ?p) 1) (decrease (load ?s) 1)))
    (:action take :parameters (?s - sled ?p - place) :precondition (and (at ?s ?p) (>= (stock ?p) 1) (<= (+ (load ?s) 1) (most ?s)))
        :effect (and (decrease (stock ?p) 1) (increase (load ?s) 1))))
""", [4, 5, 6, 7, 8])
def expedition(size, random):
    """Supplies are stored on the way, for a sled carries fewer than the way takes."""
    places, sleds = [f"p{i}" for i in range(size)], ["s0", "s1"]
    init = [f"(next {a} {b})" for a, b in zip(places, places[1:])] + values("stock", places, [1000] + [0] * (size - 1))
    init += [f"(at {s} p0)" for s in sleds] + values("load", sleds, [0, 0]) + values("most", sleds, [4, 4])
    return [*typed("place", places), *typed("sled", sleds)], init, [f"(at {s} {places[-1]})" for s in sleds]


@domain("delivery", """(define (domain delivery) (:requirements :typing :fluents)
    (:types room item robot arm)
    (:predicates (at-robot ?r - robot ?x - room) (at ?i - item ?x - room) (free ?a - arm) (of ?a - arm ?r - robot) (in ?i - item ?a - arm)
        (door ?x ?y - room) (on-tray ?i - item ?r - robot))
    (:functions (weight ?i - item) (load ?r - robot) (most ?r - robot) (cost))
    (:action move :parameters (?r - robot ?x ?y - room) :precondition (and (at-robot ?r ?x) (door ?x ?y))
        :effect (and (not (at-robot ?r ?x)) (at-robot ?r ?y) (increase (cost) 3)))
    (:action pick :parameters (?i - item ?x - room ?a - arm ?r - robot)
        :precondition (and (at ?i ?x) (at-robot ?r ?x) (free ?a) (of ?a ?r) (<= (+ (load ?r) (weight ?i)) (most ?r)))
        :effect (and (in ?i ?a) (not (at ?i ?x)) (not (free ?a)) (increase (load ?r) (weight ?i)) (increase (cost) 2)))
    (:action drop :parameters (?i - item ?x - room ?a - arm ?r - robot) :precondition (and (in ?i ?a) (at-robot ?r ?x) (of ?a ?r))
        :effect (and (not (in ?i ?a)) (at ?i ?x) (free ?a) (decrease (load ?r) (weight ?i)) (increase (cost) 2)))
    (:action stow :parameters (?i - item ?a - arm ?r - robot) :precondition (and (in ?i ?a) (of ?a ?r))
        :effect (and (not (in ?i ?a)) (free ?a) (on-tray ?i ?r) (increase (cost) 1)))
    (:action unstow :parameters (?i - item ?a - arm ?r - robot) :precondition (and (on-tray ?i ?r) (of ?a ?r) (free ?a))
        :effect (and (not (free ?a)) (in ?i ?a) (not (on-tray ?i ?r)) (increase (cost) 1))))
""", [3, 5, 7, 10, 14])
def delivery(size, random):
    rooms, items = [f"x{i}" for i in range(3 + size // 2)], [f"i{i}" for i in range(size)]
    joined = sorted({(random.randrange(i), i) for i in range(1, len(rooms))})
    init = [fact for a, b in joined for fact in (f"(door x{a} x{b})", f"(door x{b} x{a})")]
    init += ["(= (cost) 0)", "(at-robot robot x0)", "(= (load robot) 0)", "(= (most robot) 4)", *(f"(free {a})" for a in ("left", "right"))]
    init += ["(of left robot)", "(of right robot)", *values("weight", items, [random.randint(1, 2) for _ in items])]
    init += [f"(at {i} {random.choice(rooms)})" for i in items]
    goal = [f"(at {i} {random.choice(rooms)})" for i in items]
    return [*typed("room", rooms), *typed("item", items), *typed("robot", ["robot"]), *typed("arm", ["left", "right"])], init, goal
