"""More planning tasks in the structures of well-known domains: those on which no parameter of the planner was chosen.

Importing the module registers its domains in `planning_domains`.
"""

from planning_domains import cell, domain, grid, typed

# Those without conditional effects and axioms, of sizes for which plans of minimum cost are in reach.
OPTIMAL = ["blocks", "driverlog", "satellite", "hiking", "trucks", "mystery", "network", "barman"]
# Domains of satisficing tracks that were hard for the planner, or for its peers.
HARD = ["trucks", "mystery", "spider", "network", "maintenance", "nurikabe", "slitherlink", "citycar"]


@domain("blocks", """(define (domain blocks) (:requirements :strips)
    (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (hand-empty) (holding ?x))
    (:action pick-up :parameters (?x) :precondition (and (clear ?x) (on-table ?x) (hand-empty))
        :effect (and (not (clear ?x)) (not (on-table ?x)) (not (hand-empty)) (holding ?x)))
    (:action put-down :parameters (?x) :precondition (holding ?x) :effect (and (not (holding ?x)) (clear ?x) (on-table ?x) (hand-empty)))
    (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
        :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (on ?x ?y) (hand-empty)))
    (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (hand-empty))
        :effect (and (not (on ?x ?y)) (not (clear ?x)) (not (hand-empty)) (holding ?x) (clear ?y))))
""", [6, 8, 9, 10, 12])
def blocks(size, random):
    names = [f"b{i}" for i in range(size)]

    def facts():
        stacks = []
        for name in random.sample(names, size):
            place = random.randrange(len(stacks) + 1)
            stacks[place:place + 1] = [[*(stacks[place] if place < len(stacks) else []), name]]
        on = [f"(on {b} {a})" for stack in stacks for a, b in zip(stack, stack[1:])]
        return on, [f"(on-table {stack[0]})" for stack in stacks] + [f"(clear {stack[-1]})" for stack in stacks]

    (on, rest), (goal, _) = facts(), facts()
    return names, ["(hand-empty)", *on, *rest], goal or [f"(on {names[0]} {names[1]})"]


@domain("driverlog", """(define (domain driverlog) (:requirements :strips :typing)
    (:types driver truck package - thing thing place)
    (:predicates (at ?t - thing ?p - place) (in ?k - package ?t - truck) (driving ?d - driver ?t - truck) (free ?t - truck)
        (road ?a ?b - place) (path ?a ?b - place))
    (:action load :parameters (?k - package ?t - truck ?p - place) :precondition (and (at ?k ?p) (at ?t ?p))
        :effect (and (not (at ?k ?p)) (in ?k ?t)))
    (:action unload :parameters (?k - package ?t - truck ?p - place) :precondition (and (in ?k ?t) (at ?t ?p))
        :effect (and (not (in ?k ?t)) (at ?k ?p)))
    (:action board :parameters (?d - driver ?t - truck ?p - place) :precondition (and (at ?d ?p) (at ?t ?p) (free ?t))
        :effect (and (not (at ?d ?p)) (not (free ?t)) (driving ?d ?t)))
    (:action leave :parameters (?d - driver ?t - truck ?p - place) :precondition (and (driving ?d ?t) (at ?t ?p))
        :effect (and (not (driving ?d ?t)) (free ?t) (at ?d ?p)))
    (:action drive :parameters (?t - truck ?a ?b - place ?d - driver) :precondition (and (at ?t ?a) (driving ?d ?t) (road ?a ?b))
        :effect (and (not (at ?t ?a)) (at ?t ?b)))
    (:action walk :parameters (?d - driver ?a ?b - place) :precondition (and (at ?d ?a) (path ?a ?b)) :effect (and (not (at ?d ?a)) (at ?d ?b))))
""", [3, 4, 5, 6, 8])
def driverlog(size, random):
    places, drivers, trucks, packages = ([f"{kind}{i}" for i in range(n)] for kind, n in (("p", size + 2), ("d", 2), ("t", 2), ("k", size)))
    init = [f"(free {t})" for t in trucks] + [f"(at {thing} {random.choice(places)})" for thing in drivers + trucks + packages]
    for name, extra in (("road", 2), ("path", 0)):
        joined = {(random.randrange(i), i) for i in range(1, len(places))}
        joined |= {tuple(sorted(random.sample(range(len(places)), 2))) for _ in range(extra)}
        init += [fact for a, b in sorted(joined) for fact in (f"({name} p{a} p{b})", f"({name} p{b} p{a})")]
    goal = [f"(at {k} {random.choice(places)})" for k in packages] + [f"(at {drivers[0]} {random.choice(places)})"]
    return [*typed("driver", drivers), *typed("truck", trucks), *typed("package", packages), *typed("place", places)], init, goal


@domain("satellite", """(define (domain satellite) (:requirements :strips :typing)
    (:types satellite direction instrument mode)
    (:predicates (aboard ?i - instrument ?s - satellite) (supports ?i - instrument ?m - mode) (points ?s - satellite ?d - direction)
        (spare ?s - satellite) (on ?i - instrument) (calibrated ?i - instrument) (image ?d - direction ?m - mode) (target ?i - instrument ?d - direction))
    (:action turn :parameters (?s - satellite ?a ?b - direction) :precondition (points ?s ?b) :effect (and (points ?s ?a) (not (points ?s ?b))))
    (:action switch-on :parameters (?i - instrument ?s - satellite) :precondition (and (aboard ?i ?s) (spare ?s))
        :effect (and (on ?i) (not (calibrated ?i)) (not (spare ?s))))
    (:action switch-off :parameters (?i - instrument ?s - satellite) :precondition (and (aboard ?i ?s) (on ?i)) :effect (and (not (on ?i)) (spare ?s)))
    (:action calibrate :parameters (?s - satellite ?i - instrument ?d - direction)
        :precondition (and (aboard ?i ?s) (target ?i ?d) (points ?s ?d) (on ?i)) :effect (calibrated ?i))
    (:action photograph :parameters (?s - satellite ?d - direction ?i - instrument ?m - mode)
        :precondition (and (calibrated ?i) (aboard ?i ?s) (supports ?i ?m) (on ?i) (points ?s ?d)) :effect (image ?d ?m)))
""", [4, 6, 7, 8, 10])
def satellite(size, random):
    satellites, directions, modes = ([f"{kind}{i}" for i in range(n)] for kind, n in (("s", 2 + size // 6), ("d", size + 3), ("m", 3)))
    instruments = [f"i{i}" for i in range(len(satellites) + 2)]
    init = [fact for s in satellites for fact in (f"(spare {s})", f"(points {s} {random.choice(directions)})")]
    for place, i in enumerate(instruments):
        init += [f"(aboard {i} {satellites[place % len(satellites)]})", f"(target {i} {random.choice(directions[:3])})"]
        init += [f"(supports {i} {m})" for m in {modes[place % 3], random.choice(modes)}]
    init.sort()
    goal = [f"(image {d} {random.choice(modes)})" for d in random.sample(directions, size)] + [f"(points {satellites[0]} {random.choice(directions)})"]
    objects = [*typed("satellite", satellites), *typed("direction", directions), *typed("instrument", instruments), *typed("mode", modes)]
    return objects, init, goal


@domain("hiking", """(define (domain hiking) (:requirements :strips :typing)
    (:types person couple tent car place)
    (:predicates (at ?p - person ?l - place) (of ?p - person ?c - couple) (parked ?c - car ?l - place) (pitched ?t - tent ?l - place)
        (packed ?t - tent ?l - place) (trail ?a ?b - place) (walked ?c - couple ?l - place))
    (:action put-up :parameters (?p - person ?l - place ?t - tent) :precondition (and (at ?p ?l) (packed ?t ?l))
        :effect (and (not (packed ?t ?l)) (pitched ?t ?l)))
    (:action put-down :parameters (?p - person ?l - place ?t - tent) :precondition (and (at ?p ?l) (pitched ?t ?l))
        :effect (and (packed ?t ?l) (not (pitched ?t ?l))))
    (:action drive :parameters (?p - person ?a ?b - place ?c - car) :precondition (and (at ?p ?a) (parked ?c ?a))
        :effect (and (at ?p ?b) (not (at ?p ?a)) (parked ?c ?b) (not (parked ?c ?a))))
    (:action drive-with :parameters (?p ?q - person ?a ?b - place ?c - car) :precondition (and (at ?p ?a) (at ?q ?a) (parked ?c ?a))
        :effect (and (at ?p ?b) (not (at ?p ?a)) (at ?q ?b) (not (at ?q ?a)) (parked ?c ?b) (not (parked ?c ?a))))
    (:action drive-tent :parameters (?p - person ?a ?b - place ?c - car ?t - tent) :precondition (and (at ?p ?a) (parked ?c ?a) (packed ?t ?a))
        :effect (and (at ?p ?b) (not (at ?p ?a)) (parked ?c ?b) (not (parked ?c ?a)) (packed ?t ?b) (not (packed ?t ?a))))
    (:action walk :parameters (?p ?q - person ?c - couple ?t - tent ?a ?b - place)
        :precondition (and (trail ?a ?b) (of ?p ?c) (of ?q ?c) (walked ?c ?a) (at ?p ?a) (at ?q ?a) (pitched ?t ?b))
        :effect (and (at ?p ?b) (at ?q ?b) (not (at ?p ?a)) (not (at ?q ?a)) (walked ?c ?b) (not (walked ?c ?a)))))
""", [2, 3, 4, 5, 6])
def hiking(size, random):
    places, couples = [f"l{i}" for i in range(size + 1)], [f"c{i}" for i in range(1 + size // 4)]
    people = [f"{c}-{i}" for c in couples for i in range(2)]
    cars, tents = [f"car{i}" for i in range(2)], [f"tent{i}" for i in range(1 + size // 3)]
    init = [f"(trail {a} {b})" for a, b in zip(places, places[1:])] + [f"(of {p} {p.split('-')[0]})" for p in people]
    init += [f"(at {p} l0)" for p in people] + [f"(walked {c} l0)" for c in couples] + [f"(parked {c} l0)" for c in cars]
    init += [f"(packed {t} {random.choice(places)})" for t in tents]
    objects = [*typed("person", people), *typed("couple", couples), *typed("tent", tents), *typed("car", cars), *typed("place", places)]
    return objects, init, [f"(walked {c} {places[-1]})" for c in couples]


@domain("trucks", """(define (domain trucks) (:requirements :strips :typing)
    (:types truck area package place time)
    (:predicates (parked ?t - truck ?p - place) (at ?k - package ?p - place) (in ?k - package ?t - truck ?a - area) (free ?a - area ?t - truck)
        (road ?a ?b - place) (closer ?a ?b - area) (now ?t - time) (next ?a ?b - time) (not-later ?a ?b - time) (arrived ?k - package ?p - place ?t - time)
        (handed ?k - package ?p - place))
    (:action load :parameters (?k - package ?t - truck ?a - area ?p - place)
        :precondition (and (parked ?t ?p) (at ?k ?p) (free ?a ?t) (forall (?b - area) (imply (closer ?b ?a) (free ?b ?t))))
        :effect (and (not (at ?k ?p)) (not (free ?a ?t)) (in ?k ?t ?a)))
    (:action unload :parameters (?k - package ?t - truck ?a - area ?p - place)
        :precondition (and (parked ?t ?p) (in ?k ?t ?a) (forall (?b - area) (imply (closer ?b ?a) (free ?b ?t))))
        :effect (and (not (in ?k ?t ?a)) (free ?a ?t) (at ?k ?p)))
    (:action drive :parameters (?t - truck ?p ?q - place ?a ?b - time) :precondition (and (parked ?t ?p) (road ?p ?q) (now ?a) (next ?a ?b))
        :effect (and (not (parked ?t ?p)) (parked ?t ?q) (not (now ?a)) (now ?b)))
    (:action deliver :parameters (?k - package ?p - place ?a ?b - time) :precondition (and (at ?k ?p) (now ?a) (not-later ?a ?b))
        :effect (and (not (at ?k ?p)) (arrived ?k ?p ?b) (handed ?k ?p))))
""", [3, 4, 5, 6, 8])
def trucks(size, random):
    places, packages, areas = ([f"{kind}{i}" for i in range(n)] for kind, n in (("p", 3 + size // 4), ("k", size), ("a", 2 + size // 6)))
    # Loops through all places, starting at the first one.
    times = [f"t{i}" for i in range(2 * len(places) + 1)]
    init = ["(parked truck p0)", "(now t0)", *(f"(free {a} truck)" for a in areas), *(f"(closer {a} {b})" for a, b in zip(areas, areas[1:]))]
    init += [f"(road {a} {b})" for a in places for b in places if a != b] + [f"(next {a} {b})" for a, b in zip(times, times[1:])]
    init += [f"(not-later {a} {b})" for i, a in enumerate(times) for b in times[i:]]
    goal = []
    for place, k in enumerate(packages):
        a, b = random.sample(places, 2)
        init.append(f"(at {k} {a})")
        deadline = times[min(len(times) - 1, len(places) + place)]
        goal.append(f"(arrived {k} {b} {deadline})" if place % 2 == 0 else f"(handed {k} {b})")
    objects = [*typed("truck", ["truck"]), *typed("area", areas), *typed("package", packages), *typed("place", places), *typed("time", times)]
    return objects, init, goal


@domain("mystery", """(define (domain mystery) (:requirements :strips :typing)
    (:types place vehicle cargo fuel space)
    (:predicates (at-vehicle ?v - vehicle ?p - place) (at ?c - cargo ?p - place) (in ?c - cargo ?v - vehicle) (road ?a ?b - place)
        (tank ?p - place ?f - fuel) (less-fuel ?a ?b - fuel) (room ?v - vehicle ?s - space) (less-space ?a ?b - space))
    (:action move :parameters (?v - vehicle ?a ?b - place ?f ?g - fuel)
        :precondition (and (at-vehicle ?v ?a) (road ?a ?b) (tank ?a ?f) (less-fuel ?g ?f))
        :effect (and (not (at-vehicle ?v ?a)) (at-vehicle ?v ?b) (not (tank ?a ?f)) (tank ?a ?g)))
    (:action load :parameters (?c - cargo ?v - vehicle ?p - place ?s ?r - space)
        :precondition (and (at ?c ?p) (at-vehicle ?v ?p) (room ?v ?s) (less-space ?r ?s))
        :effect (and (not (at ?c ?p)) (in ?c ?v) (not (room ?v ?s)) (room ?v ?r)))
    (:action unload :parameters (?c - cargo ?v - vehicle ?p - place ?s ?r - space)
        :precondition (and (in ?c ?v) (at-vehicle ?v ?p) (room ?v ?s) (less-space ?s ?r))
        :effect (and (not (in ?c ?v)) (at ?c ?p) (not (room ?v ?s)) (room ?v ?r))))
""", [4, 6, 8, 10, 14])
def mystery(size, random):
    places, vehicles, cargoes, fuels, spaces = ([f"{kind}{i}" for i in range(n)] for kind, n in (
        ("p", size + 2), ("v", 2 + size // 4), ("c", size), ("f", 4 + size // 4), ("s", 3)))
    joined = {tuple(sorted((random.randrange(i), i))) for i in range(1, len(places))}
    joined |= {tuple(sorted(random.sample(range(len(places)), 2))) for _ in range(size)}
    init = [fact for a, b in sorted(joined) for fact in (f"(road p{a} p{b})", f"(road p{b} p{a})")]
    init += [f"(less-fuel {a} {b})" for a, b in zip(fuels, fuels[1:])] + [f"(less-space {a} {b})" for a, b in zip(spaces, spaces[1:])]
    init += [f"(tank {p} {random.choice(fuels[2:])})" for p in places]
    init += [fact for v in vehicles for fact in (f"(at-vehicle {v} {random.choice(places)})", f"(room {v} {random.choice(spaces[1:])})")]
    init += [f"(at {c} {random.choice(places)})" for c in cargoes]
    goal = [f"(at {c} {random.choice(places)})" for c in random.sample(cargoes, max(1, size // 3))]
    objects = [*typed("place", places), *typed("vehicle", vehicles), *typed("cargo", cargoes), *typed("fuel", fuels), *typed("space", spaces)]
    return objects, init, goal


@domain("network", """(define (domain network) (:requirements :strips :typing)
    (:types data script server amount)
    (:predicates (saved ?d - data ?s - server) (cached ?d - data ?s - server) (needs ?x - script ?a ?b - data) (makes ?x - script ?d - data)
        (size ?d - data ?n - amount) (used ?s - server ?n - amount) (sum ?a ?b ?c - amount) (fits ?s - server ?n - amount) (link ?s ?t - server))
    (:functions (total-cost) (send-cost ?s ?t - server ?n - amount) (run-cost ?s - server) (io-cost ?s - server ?n - amount))
    (:action release :parameters (?d - data ?s - server ?n ?a ?b - amount)
        :precondition (and (cached ?d ?s) (size ?d ?n) (sum ?b ?n ?a) (used ?s ?a))
        :effect (and (not (cached ?d ?s)) (not (used ?s ?a)) (used ?s ?b) (increase (total-cost) 0)))
    (:action save :parameters (?d - data ?n - amount ?s - server) :precondition (and (size ?d ?n) (cached ?d ?s))
        :effect (and (saved ?d ?s) (increase (total-cost) (io-cost ?s ?n))))
    (:action read :parameters (?d - data ?s - server ?n ?a ?b - amount)
        :precondition (and (saved ?d ?s) (not (cached ?d ?s)) (size ?d ?n) (sum ?a ?n ?b) (used ?s ?a) (fits ?s ?b))
        :effect (and (cached ?d ?s) (not (used ?s ?a)) (used ?s ?b) (increase (total-cost) (io-cost ?s ?n))))
    (:action send :parameters (?d - data ?s ?t - server ?n ?a ?b - amount)
        :precondition (and (link ?s ?t) (cached ?d ?s) (not (cached ?d ?t)) (size ?d ?n) (sum ?a ?n ?b) (used ?t ?a) (fits ?t ?b))
        :effect (and (cached ?d ?t) (not (used ?t ?a)) (used ?t ?b) (increase (total-cost) (send-cost ?s ?t ?n))))
    (:action process :parameters (?x - script ?i ?j ?d - data ?s - server ?n ?a ?b - amount)
        :precondition (and (needs ?x ?i ?j) (makes ?x ?d) (cached ?i ?s) (cached ?j ?s) (not (cached ?d ?s)) (size ?d ?n) (sum ?a ?n ?b) (used ?s ?a) (fits ?s ?b))
        :effect (and (cached ?d ?s) (not (used ?s ?a)) (used ?s ?b) (increase (total-cost) (run-cost ?s)))))
""", [3, 4, 6, 9, 13])
def network(size, random):
    servers, inputs, scripts = [f"s{i}" for i in range(3)], [f"i{i}" for i in range(2 + size // 2)], [f"x{i}" for i in range(size)]
    made, amounts = [f"d{i}" for i in range(size)], range(13)
    init = ["(= (total-cost) 0)", *(f"(sum n{a} n{b} n{a + b})" for a in amounts for b in (1, 2, 3) if a + b < len(amounts))]
    limits = dict(zip(servers, (12, 8, 7)))
    for s in servers:
        init += [f"(used {s} n0)", f"(= (run-cost {s}) {random.randint(5, 20)})", *(f"(fits {s} n{a})" for a in amounts if a <= limits[s])]
        init += [f"(= (io-cost {s} n{n}) {n})" for n in (1, 2, 3)]
    for a, b in ((0, 1), (1, 2), (1, 0), (2, 1)):
        init += [f"(link {servers[a]} {servers[b]})", *(f"(= (send-cost {servers[a]} {servers[b]} n{n}) {4 * n})" for n in (1, 2, 3))]
    init += [f"(size {d} n{random.randint(1, 2 if d in inputs else 3)})" for d in inputs + made]
    init += [f"(saved {d} {random.choice(servers)})" for d in inputs]
    for place, (x, d) in enumerate(zip(scripts, made)):
        a, b = random.sample(inputs + made[:place], 2)
        init += [f"(needs {x} {a} {b})", f"(makes {x} {d})"]
    goal = [f"(saved {d} {random.choice(servers)})" for d in made[-max(1, size // 3):]]
    objects = [*typed("data", inputs + made), *typed("script", scripts), *typed("server", servers)]
    return [*objects, *typed("amount", [f"n{a}" for a in amounts])], init, goal


@domain("barman", """(define (domain barman) (:requirements :strips :typing)
    (:types hand level vessel - object shot shaker - vessel ingredient cocktail - drink drink - object)
    (:predicates (on-table ?v - vessel) (holding ?h - hand ?v - vessel) (free ?h - hand) (has ?v - vessel ?d - drink) (empty ?v - vessel)
        (clean ?v - vessel) (used ?v - vessel ?d - drink) (at ?s - shaker ?l - level) (next ?a ?b - level) (none ?l - level) (unshaken ?s - shaker)
        (shaken ?s - shaker) (first ?c - cocktail ?i - ingredient) (second ?c - cocktail ?i - ingredient))
    (:functions (total-cost))
    (:action grasp :parameters (?h - hand ?v - vessel) :precondition (and (on-table ?v) (free ?h))
        :effect (and (not (on-table ?v)) (not (free ?h)) (holding ?h ?v) (increase (total-cost) 1)))
    (:action put-back :parameters (?h - hand ?v - vessel) :precondition (holding ?h ?v)
        :effect (and (on-table ?v) (free ?h) (not (holding ?h ?v)) (increase (total-cost) 1)))
    (:action fill :parameters (?v - shot ?i - ingredient ?h ?g - hand)
        :precondition (and (holding ?h ?v) (free ?g) (empty ?v) (clean ?v))
        :effect (and (not (empty ?v)) (has ?v ?i) (not (clean ?v)) (used ?v ?i) (increase (total-cost) 10)))
    (:action wash :parameters (?v - shot ?d - drink ?h ?g - hand) :precondition (and (holding ?h ?v) (free ?g) (empty ?v) (used ?v ?d))
        :effect (and (not (used ?v ?d)) (clean ?v) (increase (total-cost) 1)))
    (:action pour :parameters (?v - shot ?i - ingredient ?s - shaker ?h - hand ?a ?b - level)
        :precondition (and (holding ?h ?v) (has ?v ?i) (at ?s ?a) (next ?a ?b) (unshaken ?s))
        :effect (and (not (has ?v ?i)) (empty ?v) (has ?s ?i) (not (empty ?s)) (not (clean ?s)) (not (at ?s ?a)) (at ?s ?b) (increase (total-cost) 1)))
    (:action shake :parameters (?c - cocktail ?i ?j - ingredient ?s - shaker ?h ?g - hand)
        :precondition (and (holding ?h ?s) (free ?g) (first ?c ?i) (second ?c ?j) (has ?s ?i) (has ?s ?j) (unshaken ?s))
        :effect (and (not (unshaken ?s)) (not (has ?s ?i)) (not (has ?s ?j)) (shaken ?s) (has ?s ?c) (increase (total-cost) 1)))
    (:action serve :parameters (?v - shot ?c - cocktail ?s - shaker ?h - hand ?a ?b - level)
        :precondition (and (holding ?h ?s) (shaken ?s) (has ?s ?c) (empty ?v) (clean ?v) (at ?s ?b) (next ?a ?b))
        :effect (and (not (clean ?v)) (not (empty ?v)) (has ?v ?c) (not (at ?s ?b)) (at ?s ?a) (increase (total-cost) 1)))
    (:action discard :parameters (?s - shaker ?c - cocktail ?h - hand ?a ?z - level)
        :precondition (and (holding ?h ?s) (shaken ?s) (has ?s ?c) (at ?s ?a) (none ?z))
        :effect (and (not (has ?s ?c)) (not (shaken ?s)) (empty ?s) (not (at ?s ?a)) (at ?s ?z) (increase (total-cost) 1)))
    (:action rinse :parameters (?s - shaker ?h ?g - hand) :precondition (and (holding ?h ?s) (free ?g) (empty ?s))
        :effect (and (clean ?s) (unshaken ?s) (increase (total-cost) 1))))
""", [1, 2, 3, 4, 6])
def barman(size, random):
    ingredients, cocktails, shots = [f"i{i}" for i in range(3)], [f"c{i}" for i in range(size)], [f"v{i}" for i in range(size + 1)]
    init = ["(= (total-cost) 0)", "(on-table shaker)", "(empty shaker)", "(clean shaker)", "(unshaken shaker)", "(at shaker l0)", "(none l0)",
            "(next l0 l1)", "(next l1 l2)", "(free left)", "(free right)"]
    init += [fact for v in shots for fact in (f"(on-table {v})", f"(empty {v})", f"(clean {v})")]
    for c in cocktails:
        a, b = random.sample(ingredients, 2)
        init += [f"(first {c} {a})", f"(second {c} {b})"]
    objects = [*typed("hand", ["left", "right"]), *typed("level", ["l0", "l1", "l2"]), *typed("shot", shots), *typed("shaker", ["shaker"])]
    objects += [*typed("ingredient", ingredients), *typed("cocktail", cocktails)]
    return objects, init, [f"(has {v} {c})" for v, c in zip(shots, random.sample(cocktails, size))]


@domain("spider", """(define (domain spider) (:requirements :strips :typing)
    (:types card pile - base base)
    (:predicates (on ?c - card ?b - base) (clear ?b - base) (fits ?c - card ?b - base) (follows ?c ?d - card) (last ?c - card)
        (lifted ?c ?d - card) (idle) (put-off ?c - card) (head ?c - card))
    (:action move :parameters (?c - card ?a ?b - base) :precondition (and (idle) (on ?c ?a) (clear ?c) (clear ?b) (fits ?c ?b))
        :effect (and (not (on ?c ?a)) (on ?c ?b) (clear ?a) (not (clear ?b))))
    (:action lift :parameters (?c ?d - card) :precondition (and (idle) (on ?d ?c) (follows ?d ?c) (clear ?d))
        :effect (and (not (idle)) (lifted ?c ?d) (not (on ?d ?c)) (head ?c)))
    (:action lower :parameters (?c ?d - card ?a ?b - base) :precondition (and (lifted ?c ?d) (head ?c) (on ?c ?a) (clear ?b) (fits ?c ?b))
        :effect (and (idle) (not (lifted ?c ?d)) (not (head ?c)) (on ?d ?c) (not (on ?c ?a)) (on ?c ?b) (clear ?a) (not (clear ?b))))
    (:action collect :parameters (?c - card ?a - base) :precondition (and (idle) (clear ?c) (last ?c) (on ?c ?a))
        :effect (and (put-off ?c) (not (on ?c ?a)) (not (clear ?c)) (clear ?a)))
    (:action collect-next :parameters (?c ?d - card ?a - base) :precondition (and (idle) (clear ?c) (follows ?d ?c) (put-off ?d) (on ?c ?a))
        :effect (and (put-off ?c) (not (on ?c ?a)) (not (clear ?c)) (clear ?a))))
""", [4, 6, 8, 10, 13])
def spider(size, random):
    """Cards of two suits in piles, of which runs of one suit are taken off; a run of two moves as one."""
    suits, piles = ["r", "b"], [f"pile{i}" for i in range(2 + size // 3)]
    cards = [f"{s}{v}" for s in suits for v in range(size)]
    order = random.sample(cards, len(cards))
    stacks = [order[i::len(piles)] for i in range(len(piles))]
    init = ["(idle)"]
    for pile, stack in zip(piles, stacks):
        init += [f"(on {b} {a})" for a, b in zip([pile, *stack], stack)] + [f"(clear {[pile, *stack][-1]})"]
    init += [f"(fits {c} {d})" for c in cards for d in cards if int(c[1:]) + 1 == int(d[1:])]
    init += [f"(fits {c} {p})" for c in cards for p in piles]
    init += [f"(follows {s}{v} {s}{v + 1})" for s in suits for v in range(size - 1)] + [f"(last {s}0)" for s in suits]
    return [*typed("card", cards), *typed("pile", piles)], init, [f"(put-off {c})" for c in cards]


@domain("maintenance", """(define (domain maintenance) (:requirements :adl :typing)
    (:types plane day airport)
    (:predicates (done ?p - plane) (today ?d - day) (at ?p - plane ?d - day ?a - airport) (next ?a ?b - day))
    (:action work :parameters (?d - day ?a - airport) :precondition (today ?d)
        :effect (and (not (today ?d)) (forall (?p - plane) (when (at ?p ?d ?a) (done ?p))))))
""", [10, 30, 50, 70, 90])
def maintenance(size, random):
    """Each day the planes at one airport are maintained; hard, for the goal counts alone."""
    planes, days, airports = [f"p{i}" for i in range(size)], [f"d{i}" for i in range(size)], [f"a{i}" for i in range(5)]
    used = random.sample(days, max(3, size // 6))
    plan = {d: random.choice(airports) for d in used}
    init = [f"(today {d})" for d in days]
    for p in planes:
        # One visit is on a day of the plan.
        d = random.choice(used)
        init.append(f"(at {p} {d} {plan[d]})")
        init += [f"(at {p} {d} {random.choice(airports)})" for d in random.sample(days, 3)]
    init = [fact for fact in init if not fact.startswith("(today") or fact[7:-1] in used]
    return [*typed("plane", planes), *typed("day", days), *typed("airport", airports)], init, [f"(done {p})" for p in planes]


@domain("nurikabe", """(define (domain nurikabe) (:requirements :adl :typing)
    (:types cell number group)
    (:predicates (next ?a ?b - number) (adjacent ?a ?b - cell) (at ?c - cell) (moving) (painted ?c - cell) (source ?c - cell ?g - group)
        (left ?g - group ?n - number) (filled ?g - group) (painting ?g - group) (none ?n - number) (white ?c - cell ?g - group)
        (reached ?c - cell ?g - group))
    (:action move :parameters (?a ?b - cell) :precondition (and (moving) (at ?a) (adjacent ?a ?b)) :effect (and (not (at ?a)) (at ?b)))
    (:action begin :parameters (?c - cell ?g - group ?m ?n - number)
        :precondition (and (moving) (at ?c) (source ?c ?g) (left ?g ?n) (next ?m ?n))
        :effect (and (not (moving)) (painting ?g) (not (left ?g ?n)) (left ?g ?m) (white ?c ?g) (painted ?c)
            (forall (?d - cell) (when (adjacent ?c ?d) (reached ?d ?g)))))
    (:action paint :parameters (?a ?b - cell ?g - group ?m ?n - number)
        :precondition (and (painting ?g) (at ?a) (adjacent ?a ?b) (reached ?b ?g) (not (painted ?b)) (left ?g ?n) (next ?m ?n)
            (forall (?d - cell ?h - group) (imply (and (adjacent ?b ?d) (white ?d ?h)) (white ?d ?g))))
        :effect (and (not (at ?a)) (at ?b) (white ?b ?g) (painted ?b) (not (left ?g ?n)) (left ?g ?m)
            (forall (?d - cell) (when (adjacent ?b ?d) (reached ?d ?g)))))
    (:action walk :parameters (?a ?b - cell ?g - group) :precondition (and (painting ?g) (at ?a) (adjacent ?a ?b) (white ?b ?g))
        :effect (and (not (at ?a)) (at ?b)))
    (:action end :parameters (?g - group ?n - number) :precondition (and (painting ?g) (left ?g ?n) (none ?n))
        :effect (and (not (painting ?g)) (moving) (filled ?g))))
""", [4, 5, 6, 7, 9])
def nurikabe(size, random):
    """Islands of given sizes are painted around their sources, and none may touch another one."""
    cells, pairs = grid(size, size)
    beside = {c: [d for a, d in pairs if a == c] for c in cells}
    islands, taken = [], set()
    for _ in range(200):
        if len(islands) == size - 1:
            break
        island = [random.choice(cells)]
        wanted = random.randint(1, size - 1)
        while len(island) < wanted:
            island.append(random.choice([d for c in island for d in beside[c]]))
            island = list(dict.fromkeys(island))
        if not taken & set(island):
            islands.append(island)
            taken |= {d for c in island for d in [c, *beside[c]]}
    groups, numbers = [f"g{i}" for i in range(len(islands))], [f"n{i}" for i in range(size + 1)]
    init = ["(moving)", "(at c0-0)", "(none n0)", *(f"(next {a} {b})" for a, b in zip(numbers, numbers[1:]))]
    init += [f"(adjacent {cell(a)} {cell(b)})" for a, b in pairs]
    for g, island in zip(groups, islands):
        init += [f"(source {cell(island[0])} {g})", f"(left {g} n{len(island)})"]
    return [*typed("cell", map(cell, cells)), *typed("number", numbers), *typed("group", groups)], init, [f"(filled {g})" for g in groups] + ["(moving)"]


@domain("slitherlink", """(define (domain slitherlink) (:requirements :strips :typing :negative-preconditions)
    (:types node count area)
    (:predicates (edge ?a ?b - node ?x ?y - area) (at ?n - node) (start ?n - node) (left ?x - area ?n - count) (next ?a ?b - count)
        (free ?n - node) (begun) (closed))
    (:action begin :parameters (?n - node) :precondition (not (begun)) :effect (and (begun) (at ?n) (start ?n) (not (free ?n))))
    (:action draw :parameters (?a ?b - node ?x ?y - area ?i ?j ?k ?l - count)
        :precondition (and (at ?a) (free ?b) (edge ?a ?b ?x ?y) (left ?x ?j) (next ?i ?j) (left ?y ?l) (next ?k ?l) (not (closed)))
        :effect (and (not (at ?a)) (at ?b) (not (free ?b)) (not (left ?x ?j)) (left ?x ?i) (not (left ?y ?l)) (left ?y ?k)))
    (:action close :parameters (?a ?b - node ?x ?y - area ?i ?j ?k ?l - count)
        :precondition (and (at ?a) (start ?b) (not (free ?b)) (edge ?a ?b ?x ?y) (left ?x ?j) (next ?i ?j) (left ?y ?l) (next ?k ?l) (not (closed)))
        :effect (and (not (at ?a)) (closed) (not (left ?x ?j)) (left ?x ?i) (not (left ?y ?l)) (left ?y ?k))))
""", [3, 4, 5, 6, 8])
def slitherlink(size, random):
    """A closed line around connected cells, of which the numbers of lines around cells are told."""
    cells, pairs = grid(size, size)
    inside = {random.choice(cells)}
    neighbours = {c: [d for a, d in pairs if a == c] for c in cells}

    def is_tree_like(c):
        # The outside stays connected around a shape that grows by cells with one neighbour inside.
        around = [(c[0] + dx, c[1] + dy) in inside for dx, dy in ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))]
        return sum(around[i] != around[i - 1] for i in range(8)) == 2

    for _ in range(20 * size * size):
        c = random.choice(cells)
        if c not in inside and any(d in inside for d in neighbours[c]) and is_tree_like(c) and len(inside) < size * size // 2:
            inside.add(c)
    nodes = [(x, y) for y in range(size + 1) for x in range(size + 1)]
    init, lines = [*(f"(free {cell(n)})" for n in nodes), *(f"(next k{i} k{i + 1})" for i in range(4))], dict.fromkeys(cells, 0)
    border = 4 * size + 1
    for x, y in nodes:
        for dx, dy in ((1, 0), (0, 1)):
            end = (x + dx, y + dy)
            if end not in nodes:
                continue
            sides = [(x, y), (x, y - 1)] if dx else [(x, y), (x - 1, y)]
            areas = [f"a{c[0]}-{c[1]}" if c in lines else "outside" for c in sides]
            init += [f"(edge {cell(a)} {cell(b)} {areas[0]} {areas[1]})" for a, b in (((x, y), end), (end, (x, y)))]
            if (sides[0] in inside) != (sides[1] in inside):
                for c in sides:
                    if c in lines:
                        lines[c] += 1
    counts = [f"k{i}" for i in range(max(5, border))]
    init += [f"(next k{i} k{i + 1})" for i in range(4, len(counts) - 1)] + [f"(left outside {counts[-1]})"]
    told = [c for c in cells if lines[c] > 0 or random.random() < 0.8]
    init += [f"(left a{c[0]}-{c[1]} k{lines[c] if c in told else 4})" for c in cells]
    goal = ["(closed)", *(f"(left a{c[0]}-{c[1]} k0)" for c in told)]
    return [*typed("node", map(cell, nodes)), *typed("count", counts), *typed("area", [f"a{c[0]}-{c[1]}" for c in cells] + ["outside"])], init, goal


@domain("citycar", """(define (domain citycar) (:requirements :typing :negative-preconditions)
    (:types junction garage car road)
    (:predicates (same-line ?a ?b - junction) (diagonal ?a ?b - junction) (at ?c - car ?j - junction) (starting ?c - car ?g - garage) (arrived ?c - car ?j - junction)
        (connects ?r - road ?a ?b - junction) (clear ?j - junction) (placed ?r - road) (on ?c - car ?r - road) (gate ?g - garage ?j - junction))
    (:functions (total-cost))
    (:action move-out :parameters (?j - junction ?g - garage ?c - car) :precondition (and (gate ?g ?j) (starting ?c ?g) (clear ?j))
        :effect (and (not (clear ?j)) (at ?c ?j) (not (starting ?c ?g)) (increase (total-cost) 1)))
    (:action arrive :parameters (?j - junction ?c - car) :precondition (at ?c ?j)
        :effect (and (clear ?j) (arrived ?c ?j) (not (at ?c ?j)) (increase (total-cost) 1)))
    (:action enter :parameters (?a ?b - junction ?c - car ?r - road) :precondition (and (at ?c ?a) (connects ?r ?a ?b))
        :effect (and (clear ?a) (on ?c ?r) (not (at ?c ?a)) (increase (total-cost) 1)))
    (:action leave :parameters (?a ?b - junction ?c - car ?r - road) :precondition (and (on ?c ?r) (clear ?b) (connects ?r ?a ?b))
        :effect (and (at ?c ?b) (not (clear ?b)) (not (on ?c ?r)) (increase (total-cost) 1)))
    (:action build-straight :parameters (?a ?b - junction ?r - road) :precondition (and (same-line ?a ?b) (not (placed ?r)) (clear ?b))
        :effect (and (connects ?r ?a ?b) (placed ?r) (increase (total-cost) 20)))
    (:action build-diagonal :parameters (?a ?b - junction ?r - road) :precondition (and (diagonal ?a ?b) (not (placed ?r)) (clear ?b))
        :effect (and (connects ?r ?a ?b) (placed ?r) (increase (total-cost) 30)))
    (:action destroy :parameters (?a ?b - junction ?r - road) :precondition (and (connects ?r ?a ?b) (placed ?r))
        :effect (and (not (connects ?r ?a ?b)) (not (placed ?r)) (increase (total-cost) 10)
            (forall (?c - car) (when (on ?c ?r) (and (not (on ?c ?r)) (at ?c ?a)))))))
""".replace(":typing :negative", ":adl :typing :negative"), [3, 4, 5, 6, 7])
def citycar(size, random):
    """Cars cross a grid on a few roads, which are built and destroyed."""
    cells, pairs = grid(3, size)
    cars, roads, garages = [f"car{i}" for i in range(2 + size // 3)], [f"r{i}" for i in range(size)], [f"g{i}" for i in range(2)]
    init = ["(= (total-cost) 0)", *(f"(clear {cell(c)})" for c in cells), *(f"(same-line {cell(a)} {cell(b)})" for a, b in pairs)]
    init += [f"(diagonal {cell(a)} {cell(b)})" for a in cells for b in cells if abs(a[0] - b[0]) == 1 == abs(a[1] - b[1])]
    init += [f"(gate {g} c{random.randrange(3)}-0)" for g in garages] + [f"(starting {c} {random.choice(garages)})" for c in cars]
    goal = [f"(arrived {c} c{random.randrange(3)}-{size - 1})" for c in cars]
    return [*typed("junction", map(cell, cells)), *typed("car", cars), *typed("garage", garages), *typed("road", roads)], init, goal
