; Household activities: one agent with one hand. It can act on what it is at.
;
; (:fact ..) states facts that no action changes, or that hold initially, for all objects that satisfy the conditions:
;   (ability ?x A), (parameter ?x A STEP ..), (synset ?x S ..)   abilities, their parameters, and synsets of the knowledge base
;   (goal P ?x ..), (goal-not P ?x ..), (initially P ?x ..)      atoms that the goal may require, that it may require to be false,
;                                                                and that hold initially
;   (recipe ?r KIND), (recipe-input ?r ?x), ..                   transition rules with their objects
;   (movable ?x), (usable ?x), (absent ?x), (different ?x ?y), (below NUMBER NUMBER), (NAME ?x ..) for other facts
; An action whose preconditions name facts that hold for no object is left out of a task.

; Abilities of objects, as in output_hierarchy_properties.json of the releases 3.x and hierarchy_owned.json of 1.0.0.
(:fact (openable ?x) (ability ?x openable))
(:fact (toggleable ?x) (ability ?x toggleable))
(:fact (slicer ?x) (ability ?x slicer))
(:fact (heat-source ?x) (ability ?x heatSource))
(:fact (cold-source ?x) (ability ?x coldSource))
(:fact (soakable ?x) (ability ?x soakable))
(:fact (water-source ?x) (ability ?x waterSource))
(:fact (water-source ?x) (synset ?x teapot.n.01))
(:fact (cleaning-tool ?x) (ability ?x cleaningTool))
(:fact (dishwasher ?x) (synset ?x dishwasher.n.01))
(:fact (basin ?x) (ability ?x fillable))

; What a source of heat or cold requires of the objects that it acts on: its parameters in 3.x. Those of 1.0.0 act in and on them.
(:fact (needs-inside ?x) (parameter ?x heatSource requires_inside true))
(:fact (needs-inside ?x) (parameter ?x coldSource requires_inside true))
(:fact (needs-shut ?x) (parameter ?x heatSource requires_closed true) (openable ?x))
(:fact (needs-shut ?x) (parameter ?x coldSource requires_closed true) (openable ?x))
(:fact (starts-shut ?x) (parameter ?x toggleable requires_closed true) (openable ?x))
(:fact (holds-others ?x) (ability ?x fillable))
(:fact (holds-others ?x) (needs-inside ?x))
(:fact (holds-others ?x) (object ?x) (not (ability ?x nonSubstance)))

; Recipes: the transition maps of the releases 3.x. Substances that are stated to cover an input need not be in the vessel.
(:fact (applied ?r ?s) (input-state ?r covered true ?x ?s))
(:fact (stacked ?r ?x) (input-state ?r ontop true ?x ?y))
(:fact (needs-substance ?r ?s) (recipe-input ?r ?s) (ability ?s substance) (not (applied ?r ?s)))
(:fact (consumes ?r ?x) (recipe-input ?r ?x) (not (ability ?x substance)))
(:fact (needs-thing ?r ?x) (consumes ?r ?x) (not (stacked ?r ?x)))
(:fact (needs-ontop ?r ?x ?y) (input-state ?r ontop true ?x ?y))
(:fact (needs-covered ?r ?x ?s) (input-state ?r covered true ?x ?s))
(:fact (needs-cooked ?r ?x) (input-state ?r cooked true ?x))
(:fact (needs-raw ?r ?x) (input-state ?r cooked false ?x))
(:fact (makes-substance ?r ?s) (recipe-output ?r ?s) (ability ?s substance))
(:fact (makes-thing ?r ?x) (recipe-output ?r ?x) (not (ability ?x substance)))
(:fact (makes-cooked ?r ?x) (output-state ?r cooked true ?x))
(:fact (makes-hot ?r ?x) (output-state ?r hot true ?x))

; The recipes that a heat source, or a cold one, carries out, and the vessels for them. A recipe without a container of its own
; takes place in a vessel that has an input, or is to have the output.
(:fact (heated-by ?r ?h) (recipe ?r heat_cook) (recipe-heat ?r ?h))
(:fact (heated-by ?r ?h) (recipe ?r substance_cooking) (recipe-input ?r ?s) (heat-source ?h)
  (not (below (?h heatSource temperature) (?s cookable cook_temperature))))
(:fact (heated-by ?r ?h) (recipe ?r substance_watercooking) (heat-source ?h))
(:fact (heated-by ?r ?h) (recipe ?r melting) (heat-source ?h))
(:fact (mixed ?r) (recipe ?r mixing_stick))
(:fact (mixing-tool ?x) (ability ?x mixingTool))
(:fact (free-recipe ?r) (mixed ?r))
(:fact (free-recipe ?r) (recipe ?r substance_cooking))
(:fact (free-recipe ?r) (recipe ?r substance_watercooking))
(:fact (free-recipe ?r) (recipe ?r melting))
(:fact (run-by ?r ?m) (recipe ?r single_toggleable_machine) (recipe-machine ?r ?m))
(:fact (recipe-vessel ?r ?v) (recipe ?r heat_cook) (recipe-container ?r ?v))
(:fact (recipe-vessel ?r ?v) (run-by ?r ?v))
(:fact (recipe-vessel ?r ?v) (free-recipe ?r) (recipe-output ?r ?s) (wants-in ?v ?s))
(:fact (recipe-vessel ?r ?v) (free-recipe ?r) (recipe-input ?r ?s) (has-initially ?v ?s))
(:fact (recipe-vessel ?r ?v) (free-recipe ?r) (recipe-output ?r ?s) (wants-somewhere ?s) (portable ?v))
(:fact (portable ?v) (basin ?v) (movable ?v) (not (openable ?v)))
(:fact (has-initially ?v ?s) (initially filled ?v ?s))
(:fact (has-initially ?v ?s) (initially contains ?v ?s))
(:fact (goes-inside ?v ?h) (recipe-vessel ?r ?v) (heated-by ?r ?h) (holds-others ?h))
(:fact (goes-ontop ?v ?h) (recipe-vessel ?r ?v) (heated-by ?r ?h) (not (needs-inside ?h)))
(:fact (goes-inside ?x ?v) (recipe-vessel ?r ?v) (needs-thing ?r ?x))
(:fact (goes-inside ?x ?v) (recipe-vessel ?r ?v) (makes-thing ?r ?x))
(:fact (goes-ontop ?x ?y) (needs-ontop ?r ?x ?y))

; Knives: slicing.json and dicing.json. Diced food stays in the vessel that the object lies in, or covers what it lies on.
(:fact (sliced-by ?r ?x) (recipe ?r slicing) (recipe-input ?r ?x))
(:fact (diced-by ?r ?x ?s) (recipe ?r dicing) (recipe-input ?r ?x) (recipe-output ?r ?s))
(:fact (lies-where ?r ?h) (recipe ?r slicing) (recipe-first-output ?r ?h))
(:fact (goes-inside ?x ?v) (diced-by ?r ?x ?s) (wants-in ?v ?s))
(:fact (goes-inside ?x ?v) (diced-by ?r ?x ?s) (wants-somewhere ?s) (portable ?v))
(:fact (goes-ontop ?x ?y) (diced-by ?r ?x ?s) (wants-covered ?y ?s))

; Where substances are wanted.
(:fact (wants-covered ?x ?s) (goal covered ?x ?s))
(:fact (wants-covered ?x ?s) (needs-covered ?r ?x ?s))
(:fact (wants-in ?v ?s) (goal contains ?v ?s))
(:fact (wants-in ?v ?s) (goal filled ?v ?s))
(:fact (wants-in ?v ?s) (recipe-vessel ?r ?v) (needs-substance ?r ?s))
(:fact (wants-saturated ?x ?s) (goal saturated ?x ?s))
(:fact (wants-saturated ?tool ?agent) (to-clean ?x ?s) (wipes-with ?tool ?s ?agent) (movable ?tool))
(:fact (wants-somewhere ?s) (goal real ?s) (ability ?s substance))
(:fact (wants-somewhere ?s) (wants-covered ?x ?s))
(:fact (wants-somewhere ?s) (wants-saturated ?x ?s))
(:fact (to-empty ?v ?s) (goal-not contains ?v ?s))
(:fact (to-empty ?v ?s) (goal-not filled ?v ?s))
(:fact (drain ?x) (ability ?x particleSink))

; Sources: particleSource and particleApplier, with `insource` in the initial state. Those that can be carried are squeezed,
; sprayed or shaken over objects.
(:fact (tap ?x ?s) (initially insource ?x ?s) (not (movable ?x)))
(:fact (sprayer ?x ?s) (initially insource ?x ?s) (movable ?x))

; Tools: the conditions of particleRemover. A substance that they do not list is removed under the default conditions for
; visual, fluid and other substances.
(:fact (to-clean ?x ?s) (goal-not covered ?x ?s))
(:fact (dirt ?s) (to-clean ?x ?s))
(:fact (visual-dirt ?s) (dirt ?s) (ability ?s visualSubstance))
(:fact (fluid-dirt ?s) (dirt ?s) (ability ?s liquid))
(:fact (solid-dirt ?s) (dirt ?s) (not (visual-dirt ?s)) (not (fluid-dirt ?s)))
(:fact (lists ?tool ?s) (dirt ?s) (parameter ?tool particleRemover conditions ?s stated))
(:fact (wipes ?tool ?s) (dirt ?s) (parameter ?tool particleRemover conditions ?s none))
(:fact (wipes ?tool ?s) (visual-dirt ?s) (parameter ?tool particleRemover default_visual_conditions none) (not (lists ?tool ?s)))
(:fact (wipes ?tool ?s) (fluid-dirt ?s) (parameter ?tool particleRemover default_fluid_conditions none) (not (lists ?tool ?s)))
(:fact (wipes ?tool ?s) (solid-dirt ?s) (parameter ?tool particleRemover default_non_fluid_conditions none) (not (lists ?tool ?s)))
(:fact (wipes-running ?tool ?s) (dirt ?s) (parameter ?tool particleRemover conditions ?s (toggled_on true)))
(:fact (wipes-running ?tool ?s) (visual-dirt ?s)
  (parameter ?tool particleRemover default_visual_conditions (toggled_on true)) (not (lists ?tool ?s)))
(:fact (wipes-running ?tool ?s) (solid-dirt ?s)
  (parameter ?tool particleRemover default_non_fluid_conditions (toggled_on true)) (not (lists ?tool ?s)))
(:fact (wipes-with ?tool ?s ?agent) (dirt ?s) (parameter ?tool particleRemover conditions ?s (saturated ?agent)))
(:fact (wipes-with ?tool ?s ?agent) (visual-dirt ?s)
  (parameter ?tool particleRemover default_visual_conditions (saturated ?agent)) (not (lists ?tool ?s)))
(:fact (wipes-with ?tool ?s ?agent) (solid-dirt ?s)
  (parameter ?tool particleRemover default_non_fluid_conditions (saturated ?agent)) (not (lists ?tool ?s)))

; Washing machines: washer.json, and the washer rules of the transition map. They remove all substances of the table, some only
; with a washing agent in the machine.
(:fact (washer ?m) (synset ?m washer.n.03))
(:fact (washed-off ?s) (dirt ?s) (washes ?s))
(:fact (washed-off-with ?s ?agent) (dirt ?s) (washes-with ?s ?agent))
(:fact (wants-in ?m ?agent) (washer ?m) (washed-off-with ?s ?agent))
(:fact (goes-inside ?x ?m) (to-clean ?x ?s) (washed-off ?s) (washer ?m))
(:fact (goes-inside ?x ?m) (to-clean ?x ?s) (washed-off-with ?s ?agent) (washer ?m))
(:fact (wash-water ?s) (synset ?s water.n.06))
(:fact (absorbent ?x) (ability ?x particleRemover))
(:fact (dryer ?m) (synset ?m clothes_dryer.n.01))
(:fact (to-dry ?x ?s) (goal-not saturated ?x ?s))
(:fact (to-dry ?x ?s) (goal-not covered ?x ?s) (wash-water ?s))
(:fact (goes-inside ?x ?m) (to-dry ?x ?s) (dryer ?m))

; Heat and cold: the temperatures of the abilities, if they are stated. Objects are hot above 40 degrees and frozen below 0.
(:fact (wants-cooked ?x) (goal cooked ?x))
(:fact (wants-cooked ?x) (needs-cooked ?r ?x))
(:fact (cooks ?h ?x) (wants-cooked ?x) (ability ?x cookable) (heat-source ?h)
  (not (below (?h heatSource temperature) (?x cookable cook_temperature))))
(:fact (heats ?h ?x) (goal hot ?x) (ability ?x heatable) (heat-source ?h) (not (below (?h heatSource temperature) 40)))
(:fact (goes-inside ?x ?h) (cooks ?h ?x) (holds-others ?h))
(:fact (goes-ontop ?x ?h) (cooks ?h ?x) (not (needs-inside ?h)))
(:fact (goes-inside ?x ?h) (heats ?h ?x) (holds-others ?h))
(:fact (goes-ontop ?x ?h) (heats ?h ?x) (not (needs-inside ?h)))
(:fact (freezes ?c ?x) (goal frozen ?x) (ability ?x freezable) (cold-source ?c) (not (below 0 (?c coldSource temperature))))
(:fact (goes-inside ?x ?c) (freezes ?c ?x))
(:fact (to-cool ?x) (goal-not hot ?x))
(:fact (burnable ?x) (goal on_fire ?x) (ability ?x flammable))
(:fact (lights ?fire ?x) (burnable ?x) (heat-source ?fire) (movable ?fire)
  (not (below (?fire heatSource temperature) (?x flammable ignition_temperature))))
(:fact (ignites ?fire ?x) (burnable ?x) (heat-source ?fire) (not (needs-inside ?fire))
  (not (below (?fire heatSource temperature) (?x flammable ignition_temperature))))
(:fact (goes-ontop ?x ?fire) (ignites ?fire ?x))

; Placements that the goal names: cloth that is laid or hung over objects, and objects that are attached as the release permits.
(:fact (goes-overlaid ?x ?y) (goal overlaid ?x ?y) (ability ?x drapeable))
(:fact (goes-draped ?x ?y) (goal draped ?x ?y) (ability ?x drapeable))
(:fact (goes-attached ?x ?y) (goal attached ?x ?y) (attaches ?x ?y))
(:fact (wants-folded ?x) (goal folded ?x) (ability ?x drapeable))
(:fact (wants-unfolded ?x) (goal unfolded ?x) (ability ?x drapeable))
(:fact (fragile ?x) (goal broken ?x) (ability ?x breakable))

; 1.0.0: abilities without parameters.
(:fact (cut-by ?knife ?x) (goal sliced ?x) (ability ?x sliceable) (slicer ?knife))
(:fact (goes-inside ?x ?y) (goal soaked ?x) (water-source ?y))
(:fact (goes-inside ?x ?y) (goal-not stained ?x) (dishwasher ?y))
(:fact (goes-inside ?x ?y) (goal-not dusty ?x) (dishwasher ?y))

; Facts of the initial state that activities leave out: what exists, and that a full vessel contains something.
(:fact (real ?x) (ability ?x nonSubstance) (not (absent ?x)))
(:fact (real ?x) (ability ?x substance) (not (absent ?x)))
(:fact (contains ?v ?s) (initially filled ?v ?s))

; Whether the agent can get at a thing: nothing that it is in is shut, and nothing that it is in or on is in the hand.
; Of things that nothing can shut in or carry, that is known beforehand. Of several things that it is in or on, the innermost counts.
(:derived (reached ?x)
  (and (not (confined ?x))
    (or (open-air ?x) (lies-free ?x)
      (exists (?y - object) (and (onfloor ?x ?y) (not (outer ?x ?y)) (reached ?y)))
      (exists (?y - object) (and (or (ontop ?x ?y) (overlaid ?x ?y) (draped ?x ?y) (attached ?x ?y)) (not (outer ?x ?y)) (reached ?y)))
      (exists (?y - object) (and (placed-in ?x ?y) (not (outer ?x ?y)) (accessible ?y) (reached ?y))))))

; Whether a thing is moved when another one is: that one itself, and what is in or on it, at any depth.
(:derived (aboard ?x ?carrier)
  (and (carrier ?carrier)
    (or (same ?x ?carrier)
      (exists (?y - object)
        (and (or (ontop ?x ?y) (placed-in ?x ?y) (overlaid ?x ?y) (draped ?x ?y) (attached ?x ?y)) (aboard ?y ?carrier))))))

; What is in or on a thing that is inside another one is inside that one, too.
(:derived (inside ?x ?container)
  (and (container ?container)
    (or (placed-in ?x ?container)
      (exists (?y - object)
        (and (or (ontop ?x ?y) (placed-in ?x ?y) (overlaid ?x ?y) (draped ?x ?y) (attached ?x ?y)) (inside ?y ?container))))))

(:derived (over ?x ?heat)
  (and (heat-source ?heat)
    (or (ontop ?x ?heat)
      (exists (?y - object)
        (and (or (ontop ?x ?y) (placed-in ?x ?y) (overlaid ?x ?y) (draped ?x ?y) (attached ?x ?y)) (over ?y ?heat))))))

; What a thing stands on, or the thing under it does, and so on.
(:derived (rests ?x ?base)
  (and (arranged ?x)
    (or (ontop ?x ?base) (onfloor ?x ?base) (overlaid ?x ?base) (draped ?x ?base) (attached ?x ?base)
      (exists (?y - object) (and (or (ontop ?x ?y) (overlaid ?x ?y) (draped ?x ?y) (attached ?x ?y)) (rests ?y ?base))))))

(:action go-to
  :parameters (?from ?to - object)
  :precondition (and (at ?from) (reached ?to))
  :effect (and (not (at ?from)) (at ?to)))

; What is in or on a thing stays with it when it is moved; where it stood, and what it stood by, does not.
(:action grasp
  :parameters (?thing - object)
  :precondition (and (movable ?thing) (exposed ?thing) (at ?thing) (hand-empty))
  :effect (and (holding ?thing) (not (hand-empty)) (not (exposed ?thing)) (not (lies-free ?thing))
    (forall (?x - object) (and (not (placed-in ?thing ?x)) (not (ontop ?thing ?x)) (not (onfloor ?thing ?x)) (not (outer ?thing ?x))
      (not (overlaid ?thing ?x)) (not (draped ?thing ?x)) (not (attached ?thing ?x))
      (not (under ?thing ?x)) (not (under ?x ?thing)) (not (nextto ?thing ?x)) (not (nextto ?x ?thing))
      (not (touching ?thing ?x)) (not (touching ?x ?thing))))
    (forall (?x - object) (forall (?y - object) (and
      (when (and (spread ?x) (aboard ?x ?thing) (ontop ?x ?y) (not (aboard ?y ?thing))) (not (ontop ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (placed-in ?x ?y) (not (aboard ?y ?thing))) (not (placed-in ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (onfloor ?x ?y)) (not (onfloor ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (overlaid ?x ?y) (not (aboard ?y ?thing))) (not (overlaid ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (draped ?x ?y) (not (aboard ?y ?thing))) (not (draped ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (attached ?x ?y) (not (aboard ?y ?thing))) (not (attached ?x ?y)))
      (when (and (aboard ?x ?thing) (nextto ?x ?y) (not (aboard ?y ?thing))) (not (nextto ?x ?y)))
      (when (and (aboard ?x ?thing) (nextto ?y ?x) (not (aboard ?y ?thing))) (not (nextto ?y ?x)))
      (when (and (aboard ?x ?thing) (touching ?x ?y) (not (aboard ?y ?thing))) (not (touching ?x ?y)))
      (when (and (aboard ?x ?thing) (touching ?y ?x) (not (aboard ?y ?thing))) (not (touching ?y ?x)))
      (when (and (aboard ?x ?thing) (under ?x ?y) (not (aboard ?y ?thing))) (not (under ?x ?y)))
      (when (and (aboard ?x ?thing) (under ?y ?x) (not (aboard ?y ?thing))) (not (under ?y ?x))))))))

(:action take-out
  :parameters (?thing ?container - object)
  :precondition (and (movable ?thing) (placed-in ?thing ?container) (not (outer ?thing ?container)) (accessible ?container)
    (at ?container) (hand-empty))
  :effect (and (holding ?thing) (not (hand-empty))
    (forall (?x - object) (and (not (placed-in ?thing ?x)) (not (ontop ?thing ?x)) (not (onfloor ?thing ?x)) (not (outer ?thing ?x))
      (not (overlaid ?thing ?x)) (not (draped ?thing ?x)) (not (attached ?thing ?x))
      (not (under ?thing ?x)) (not (under ?x ?thing)) (not (nextto ?thing ?x)) (not (nextto ?x ?thing))
      (not (touching ?thing ?x)) (not (touching ?x ?thing))))
    (forall (?x - object) (forall (?y - object) (and
      (when (and (spread ?x) (aboard ?x ?thing) (ontop ?x ?y) (not (aboard ?y ?thing))) (not (ontop ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (placed-in ?x ?y) (not (aboard ?y ?thing))) (not (placed-in ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (onfloor ?x ?y)) (not (onfloor ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (overlaid ?x ?y) (not (aboard ?y ?thing))) (not (overlaid ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (draped ?x ?y) (not (aboard ?y ?thing))) (not (draped ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (attached ?x ?y) (not (aboard ?y ?thing))) (not (attached ?x ?y)))
      (when (and (aboard ?x ?thing) (nextto ?x ?y) (not (aboard ?y ?thing))) (not (nextto ?x ?y)))
      (when (and (aboard ?x ?thing) (nextto ?y ?x) (not (aboard ?y ?thing))) (not (nextto ?y ?x)))
      (when (and (aboard ?x ?thing) (touching ?x ?y) (not (aboard ?y ?thing))) (not (touching ?x ?y)))
      (when (and (aboard ?x ?thing) (touching ?y ?x) (not (aboard ?y ?thing))) (not (touching ?y ?x)))
      (when (and (aboard ?x ?thing) (under ?x ?y) (not (aboard ?y ?thing))) (not (under ?x ?y)))
      (when (and (aboard ?x ?thing) (under ?y ?x) (not (aboard ?y ?thing))) (not (under ?y ?x))))))))

(:action place-ontop
  :parameters (?thing ?surface - object)
  :precondition (and (holding ?thing) (at ?surface) (goes-ontop ?thing ?surface))
  :effect (and (ontop ?thing ?surface) (exposed ?thing) (hand-empty) (not (holding ?thing))))

(:action place-inside
  :parameters (?thing ?container - object)
  :precondition (and (holding ?thing) (at ?container) (goes-inside ?thing ?container) (accessible ?container))
  :effect (and (placed-in ?thing ?container) (hand-empty) (not (holding ?thing))))

(:action place-onfloor
  :parameters (?thing ?floor - object)
  :precondition (and (holding ?thing) (at ?floor) (ground ?floor))
  :effect (and (onfloor ?thing ?floor) (exposed ?thing) (hand-empty) (not (holding ?thing))))

; Things are brought next to, under or against one another where both stand on one thing, lie in one container, or one belongs to
; the room beside what the other stands on.
(:action push-nextto
  :parameters (?thing ?other - object)
  :precondition (and (goes-nextto ?thing ?other) (at ?thing) (hand-empty)
    (not (rests ?thing ?other)) (not (rests ?other ?thing))
    (or (exists (?base - object) (and (rests ?thing ?base) (rests ?other ?base)))
      (and (has-beside ?other) (exists (?base - object) (and (rests ?thing ?base)
        (or (base-anywhere ?base) (and (base ?base) (base-anywhere ?other))
          (exists (?room - object) (and (in-room-of ?base ?room) (in-room-of ?other ?room)))))))
      (exists (?container - object) (and (placed-in ?thing ?container) (placed-in ?other ?container)))))
  :effect (and (nextto ?thing ?other) (nextto ?other ?thing)))

(:action push-under
  :parameters (?thing ?other - object)
  :precondition (and (goes-under ?thing ?other) (at ?thing) (hand-empty)
    (not (rests ?thing ?other)) (not (rests ?other ?thing))
    (or (exists (?base - object) (and (rests ?thing ?base) (rests ?other ?base)))
      (and (has-beside ?other) (exists (?base - object) (and (rests ?thing ?base)
        (or (base-anywhere ?base) (and (base ?base) (base-anywhere ?other))
          (exists (?room - object) (and (in-room-of ?base ?room) (in-room-of ?other ?room)))))))
      (exists (?container - object) (and (placed-in ?thing ?container) (placed-in ?other ?container)))))
  :effect (under ?thing ?other))

(:action push-against
  :parameters (?thing ?other - object)
  :precondition (and (goes-against ?thing ?other) (at ?thing) (hand-empty)
    (not (rests ?thing ?other)) (not (rests ?other ?thing))
    (or (exists (?base - object) (and (rests ?thing ?base) (rests ?other ?base)))
      (and (has-beside ?other) (exists (?base - object) (and (rests ?thing ?base)
        (or (base-anywhere ?base) (and (base ?base) (base-anywhere ?other))
          (exists (?room - object) (and (in-room-of ?base ?room) (in-room-of ?other ?room)))))))
      (exists (?container - object) (and (placed-in ?thing ?container) (placed-in ?other ?container)))))
  :effect (and (touching ?thing ?other) (touching ?other ?thing)))

(:action open
  :parameters (?container - object)
  :precondition (and (openable ?container) (at ?container) (hand-empty) (not (open ?container)))
  :effect (and (open ?container) (accessible ?container)))

(:action close
  :parameters (?container - object)
  :precondition (and (openable ?container) (at ?container) (hand-empty) (open ?container))
  :effect (and (not (open ?container)) (not (accessible ?container))))

(:action toggle-on
  :parameters (?device - object)
  :precondition (and (toggleable ?device) (at ?device) (hand-empty) (not (toggled_on ?device))
    (or (not (starts-shut ?device)) (not (open ?device))))
  :effect (and (toggled_on ?device) (running ?device)))

(:action toggle-off
  :parameters (?device - object)
  :precondition (and (toggleable ?device) (at ?device) (hand-empty) (toggled_on ?device))
  :effect (and (not (toggled_on ?device)) (not (running ?device))))

(:action slice
  :parameters (?thing ?knife - object)
  :precondition (and (cut-by ?knife ?thing) (holding ?knife) (at ?thing) (not (holding ?thing)))
  :effect (sliced ?thing))

(:action cook-inside
  :parameters (?thing ?heat - object)
  :precondition (and (cooks ?heat ?thing) (running ?heat) (inside ?thing ?heat)
    (or (not (needs-shut ?heat)) (not (open ?heat))))
  :effect (and (cooked ?thing) (not (frozen ?thing))))

(:action cook-ontop
  :parameters (?thing ?heat - object)
  :precondition (and (cooks ?heat ?thing) (not (needs-inside ?heat)) (running ?heat) (over ?thing ?heat))
  :effect (and (cooked ?thing) (not (frozen ?thing))))

(:action freeze
  :parameters (?thing ?cold - object)
  :precondition (and (freezes ?cold ?thing) (running ?cold) (inside ?thing ?cold)
    (or (not (needs-shut ?cold)) (not (open ?cold))))
  :effect (frozen ?thing))

(:action thaw
  :parameters (?thing - object)
  :precondition (and (exposed ?thing) (at ?thing) (frozen ?thing))
  :effect (not (frozen ?thing)))

(:action soak
  :parameters (?thing ?water - object)
  :precondition (and (soakable ?thing) (holding ?thing) (water-source ?water) (running ?water) (at ?water))
  :effect (soaked ?thing))

(:action soak-inside
  :parameters (?thing ?water - object)
  :precondition (and (soakable ?thing) (inside ?thing ?water) (water-source ?water) (running ?water))
  :effect (soaked ?thing))

(:action wring
  :parameters (?thing - object)
  :precondition (and (soakable ?thing) (holding ?thing) (soaked ?thing))
  :effect (not (soaked ?thing)))

(:action dust
  :parameters (?thing ?tool - object)
  :precondition (and (dusty ?thing) (cleaning-tool ?tool) (holding ?tool) (at ?thing) (not (holding ?thing)))
  :effect (not (dusty ?thing)))

(:action wipe
  :parameters (?thing ?tool - object)
  :precondition (and (stained ?thing) (cleaning-tool ?tool) (soaked ?tool) (holding ?tool) (at ?thing) (not (holding ?thing)))
  :effect (not (stained ?thing)))

(:action wash
  :parameters (?thing ?machine - object)
  :precondition (and (inside ?thing ?machine) (dishwasher ?machine) (running ?machine))
  :effect (and (not (stained ?thing)) (not (dusty ?thing))))

; Recipes of heat_cook.json, substance_cooking.json, substance_watercooking.json and melting.json: the vessel is heated, or cooled.
; The inputs are consumed, and the outputs are in the vessel.
(:action cook-recipe
  :parameters (?recipe ?vessel ?heat - object)
  :precondition (and (recipe-vessel ?recipe ?vessel) (heated-by ?recipe ?heat) (running ?heat)
    (or (not (needs-shut ?heat)) (not (open ?heat)))
    (or (placed-in ?vessel ?heat) (and (ontop ?vessel ?heat) (not (needs-inside ?heat))))
    (forall (?x - object) (imply (needs-substance ?recipe ?x) (contains ?vessel ?x)))
    (forall (?x - object) (imply (needs-thing ?recipe ?x) (or (placed-in ?x ?vessel) (ontop ?x ?vessel))))
    (forall (?x - object) (imply (needs-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (imply (needs-raw ?recipe ?x) (not (cooked ?x))))
    (forall (?x - object) (forall (?y - object) (imply (needs-ontop ?recipe ?x ?y) (ontop ?x ?y))))
    (forall (?x - object) (forall (?y - object) (imply (needs-covered ?recipe ?x ?y) (covered ?x ?y))))
    (forall (?x - object) (imply (makes-thing ?recipe ?x) (not (real ?x)))))
  :effect (and
    (forall (?x - object) (when (needs-substance ?recipe ?x) (and (not (contains ?vessel ?x)) (not (filled ?vessel ?x)))))
    (forall (?x - object) (when (makes-substance ?recipe ?x)
      (and (contains ?vessel ?x) (filled ?vessel ?x) (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (makes-thing ?recipe ?x) (and (placed-in ?x ?vessel) (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (makes-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (when (makes-hot ?recipe ?x) (hot ?x)))
    (forall (?x - object) (when (consumes ?recipe ?x) (and (not (real ?x)) (not (exposed ?x)))))
    (forall (?x - object) (forall (?y - object) (when (consumes ?recipe ?x) (and (not (placed-in ?x ?y)) (not (ontop ?x ?y))
      (not (onfloor ?x ?y)) (not (outer ?x ?y)) (not (overlaid ?x ?y)) (not (draped ?x ?y)) (not (attached ?x ?y))
      (not (under ?x ?y)) (not (under ?y ?x)) (not (nextto ?x ?y)) (not (nextto ?y ?x)) (not (touching ?x ?y)) (not (touching ?y ?x))))))
    (forall (?x - object) (when (and (consumes ?recipe ?x) (at ?x)) (and (not (at ?x)) (at ?vessel))))))

; The same in a vessel that heats its contents itself.
(:action boil-recipe
  :parameters (?recipe ?vessel - object)
  :precondition (and (recipe-vessel ?recipe ?vessel) (heated-by ?recipe ?vessel) (running ?vessel)
    (or (not (needs-shut ?vessel)) (not (open ?vessel)))
    (forall (?x - object) (imply (needs-substance ?recipe ?x) (contains ?vessel ?x)))
    (forall (?x - object) (imply (needs-thing ?recipe ?x) (or (placed-in ?x ?vessel) (ontop ?x ?vessel))))
    (forall (?x - object) (imply (needs-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (imply (needs-raw ?recipe ?x) (not (cooked ?x))))
    (forall (?x - object) (forall (?y - object) (imply (needs-ontop ?recipe ?x ?y) (ontop ?x ?y))))
    (forall (?x - object) (forall (?y - object) (imply (needs-covered ?recipe ?x ?y) (covered ?x ?y))))
    (forall (?x - object) (imply (makes-thing ?recipe ?x) (not (real ?x)))))
  :effect (and
    (forall (?x - object) (when (needs-substance ?recipe ?x) (and (not (contains ?vessel ?x)) (not (filled ?vessel ?x)))))
    (forall (?x - object) (when (makes-substance ?recipe ?x)
      (and (contains ?vessel ?x) (filled ?vessel ?x) (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (makes-thing ?recipe ?x) (and (placed-in ?x ?vessel) (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (makes-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (when (makes-hot ?recipe ?x) (hot ?x)))
    (forall (?x - object) (when (consumes ?recipe ?x) (and (not (real ?x)) (not (exposed ?x)))))
    (forall (?x - object) (forall (?y - object) (when (consumes ?recipe ?x) (and (not (placed-in ?x ?y)) (not (ontop ?x ?y))
      (not (onfloor ?x ?y)) (not (outer ?x ?y)) (not (overlaid ?x ?y)) (not (draped ?x ?y)) (not (attached ?x ?y))
      (not (under ?x ?y)) (not (under ?y ?x)) (not (nextto ?x ?y)) (not (nextto ?y ?x)) (not (touching ?x ?y)) (not (touching ?y ?x))))))
    (forall (?x - object) (when (and (consumes ?recipe ?x) (at ?x)) (and (not (at ?x)) (at ?vessel))))))

; Recipes of single_toggleable_machine.json: the inputs are in the machine, which runs.
(:action run-recipe
  :parameters (?recipe ?machine - object)
  :precondition (and (run-by ?recipe ?machine) (running ?machine)
    (forall (?x - object) (imply (needs-substance ?recipe ?x) (contains ?machine ?x)))
    (forall (?x - object) (imply (needs-thing ?recipe ?x) (or (placed-in ?x ?machine) (ontop ?x ?machine))))
    (forall (?x - object) (imply (needs-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (imply (needs-raw ?recipe ?x) (not (cooked ?x))))
    (forall (?x - object) (forall (?y - object) (imply (needs-ontop ?recipe ?x ?y) (ontop ?x ?y))))
    (forall (?x - object) (forall (?y - object) (imply (needs-covered ?recipe ?x ?y) (covered ?x ?y))))
    (forall (?x - object) (imply (makes-thing ?recipe ?x) (not (real ?x)))))
  :effect (and
    (forall (?x - object) (when (needs-substance ?recipe ?x) (and (not (contains ?machine ?x)) (not (filled ?machine ?x)))))
    (forall (?x - object) (when (makes-substance ?recipe ?x)
      (and (contains ?machine ?x) (filled ?machine ?x) (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (makes-thing ?recipe ?x) (and (placed-in ?x ?machine) (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (makes-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (when (makes-hot ?recipe ?x) (hot ?x)))
    (forall (?x - object) (when (consumes ?recipe ?x) (and (not (real ?x)) (not (exposed ?x)))))
    (forall (?x - object) (forall (?y - object) (when (consumes ?recipe ?x) (and (not (placed-in ?x ?y)) (not (ontop ?x ?y))
      (not (onfloor ?x ?y)) (not (outer ?x ?y)) (not (overlaid ?x ?y)) (not (draped ?x ?y)) (not (attached ?x ?y))
      (not (under ?x ?y)) (not (under ?y ?x)) (not (nextto ?x ?y)) (not (nextto ?y ?x)) (not (touching ?x ?y)) (not (touching ?y ?x))))))
    (forall (?x - object) (when (and (consumes ?recipe ?x) (at ?x)) (and (not (at ?x)) (at ?machine))))))

; Recipes of mixing_stick.json: the inputs are stirred in a vessel.
(:action mix-recipe
  :parameters (?recipe ?vessel ?stick - object)
  :precondition (and (mixed ?recipe) (recipe-vessel ?recipe ?vessel) (mixing-tool ?stick) (holding ?stick) (at ?vessel)
    (accessible ?vessel)
    (forall (?x - object) (imply (needs-substance ?recipe ?x) (contains ?vessel ?x)))
    (forall (?x - object) (imply (needs-thing ?recipe ?x) (or (placed-in ?x ?vessel) (ontop ?x ?vessel))))
    (forall (?x - object) (imply (needs-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (imply (needs-raw ?recipe ?x) (not (cooked ?x))))
    (forall (?x - object) (forall (?y - object) (imply (needs-ontop ?recipe ?x ?y) (ontop ?x ?y))))
    (forall (?x - object) (forall (?y - object) (imply (needs-covered ?recipe ?x ?y) (covered ?x ?y))))
    (forall (?x - object) (imply (makes-thing ?recipe ?x) (not (real ?x)))))
  :effect (and
    (forall (?x - object) (when (needs-substance ?recipe ?x) (and (not (contains ?vessel ?x)) (not (filled ?vessel ?x)))))
    (forall (?x - object) (when (makes-substance ?recipe ?x)
      (and (contains ?vessel ?x) (filled ?vessel ?x) (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (makes-thing ?recipe ?x) (and (placed-in ?x ?vessel) (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (makes-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (when (makes-hot ?recipe ?x) (hot ?x)))
    (forall (?x - object) (when (consumes ?recipe ?x) (and (not (real ?x)) (not (exposed ?x)))))
    (forall (?x - object) (forall (?y - object) (when (consumes ?recipe ?x) (and (not (placed-in ?x ?y)) (not (ontop ?x ?y))
      (not (onfloor ?x ?y)) (not (outer ?x ?y)) (not (overlaid ?x ?y)) (not (draped ?x ?y)) (not (attached ?x ?y))
      (not (under ?x ?y)) (not (under ?y ?x)) (not (nextto ?x ?y)) (not (nextto ?y ?x)) (not (touching ?x ?y)) (not (touching ?y ?x))))))
    (forall (?x - object) (when (and (consumes ?recipe ?x) (at ?x)) (and (not (at ?x)) (at ?vessel))))))

; Slicing: the halves are where the object was.
(:action slice-into
  :parameters (?recipe ?thing ?knife - object)
  :precondition (and (sliced-by ?recipe ?thing) (slicer ?knife) (holding ?knife) (at ?thing) (reached ?thing) (not (holding ?thing))
    (forall (?x - object) (imply (needs-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (imply (needs-raw ?recipe ?x) (not (cooked ?x))))
    (forall (?x - object) (imply (makes-thing ?recipe ?x) (not (real ?x)))))
  :effect (and (forall (?x - object) (when (makes-thing ?recipe ?x) (and (real ?x) (not (future ?x)))))
    (forall (?x - object) (when (and (makes-thing ?recipe ?x) (exposed ?thing)) (exposed ?x)))
    (forall (?x - object) (when (and (makes-thing ?recipe ?x) (cooked ?thing)) (cooked ?x)))
    (forall (?x - object) (when (lies-where ?recipe ?x) (at ?x)))
    (forall (?x - object) (forall (?y - object) (and
      (when (and (makes-thing ?recipe ?x) (ontop ?thing ?y)) (ontop ?x ?y))
      (when (and (makes-thing ?recipe ?x) (onfloor ?thing ?y)) (onfloor ?x ?y))
      (when (and (makes-thing ?recipe ?x) (placed-in ?thing ?y)) (placed-in ?x ?y)))))
    (not (real ?thing)) (not (exposed ?thing)) (not (at ?thing)) (not (lies-free ?thing))
    (forall (?y - object) (and (not (placed-in ?thing ?y)) (not (ontop ?thing ?y)) (not (onfloor ?thing ?y)) (not (outer ?thing ?y))
      (not (overlaid ?thing ?y)) (not (draped ?thing ?y)) (not (attached ?thing ?y))
      (not (under ?thing ?y)) (not (under ?y ?thing)) (not (nextto ?thing ?y)) (not (nextto ?y ?thing))
      (not (touching ?thing ?y)) (not (touching ?y ?thing))))))

; Dicing in a vessel, which then contains the pieces, and on a surface, which they then cover.
(:action dice-inside
  :parameters (?recipe ?thing ?pieces ?vessel ?knife - object)
  :precondition (and (diced-by ?recipe ?thing ?pieces) (basin ?vessel) (placed-in ?thing ?vessel) (slicer ?knife) (holding ?knife)
    (at ?vessel) (accessible ?vessel)
    (forall (?x - object) (imply (needs-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (imply (needs-raw ?recipe ?x) (not (cooked ?x)))))
  :effect (and (real ?pieces) (not (future ?pieces)) (contains ?vessel ?pieces) (filled ?vessel ?pieces)
    (not (real ?thing)) (not (exposed ?thing)) (not (at ?thing)) (not (lies-free ?thing))
    (forall (?y - object) (and (not (placed-in ?thing ?y)) (not (ontop ?thing ?y)) (not (onfloor ?thing ?y)) (not (outer ?thing ?y))
      (not (overlaid ?thing ?y)) (not (draped ?thing ?y)) (not (attached ?thing ?y))
      (not (under ?thing ?y)) (not (under ?y ?thing)) (not (nextto ?thing ?y)) (not (nextto ?y ?thing))
      (not (touching ?thing ?y)) (not (touching ?y ?thing))))))

(:action dice-ontop
  :parameters (?recipe ?thing ?pieces ?surface ?knife - object)
  :precondition (and (diced-by ?recipe ?thing ?pieces) (ontop ?thing ?surface) (slicer ?knife) (holding ?knife)
    (at ?thing) (reached ?thing)
    (forall (?x - object) (imply (needs-cooked ?recipe ?x) (cooked ?x)))
    (forall (?x - object) (imply (needs-raw ?recipe ?x) (not (cooked ?x)))))
  :effect (and (real ?pieces) (not (future ?pieces)) (covered ?surface ?pieces) (at ?surface)
    (not (real ?thing)) (not (exposed ?thing)) (not (at ?thing)) (not (lies-free ?thing))
    (forall (?y - object) (and (not (placed-in ?thing ?y)) (not (ontop ?thing ?y)) (not (onfloor ?thing ?y)) (not (outer ?thing ?y))
      (not (overlaid ?thing ?y)) (not (draped ?thing ?y)) (not (attached ?thing ?y))
      (not (under ?thing ?y)) (not (under ?y ?thing)) (not (nextto ?thing ?y)) (not (nextto ?y ?thing))
      (not (touching ?thing ?y)) (not (touching ?y ?thing))))))

; Substances. Amounts are not modelled: a vessel that contains a substance can fill another one, and is then not full any more.
(:action fill
  :parameters (?vessel ?source ?substance - object)
  :precondition (and (wants-in ?vessel ?substance) (tap ?source ?substance) (running ?source) (holding ?vessel) (at ?source)
    (accessible ?vessel))
  :effect (and (contains ?vessel ?substance) (filled ?vessel ?substance)))

(:action run-in
  :parameters (?source ?substance - object)
  :precondition (and (wants-in ?source ?substance) (tap ?source ?substance) (basin ?source) (running ?source) (at ?source))
  :effect (and (contains ?source ?substance) (filled ?source ?substance)))

(:action scoop
  :parameters (?vessel ?from ?substance - object)
  :precondition (and (wants-in ?vessel ?substance) (holding ?vessel) (accessible ?vessel) (at ?from) (not (holding ?from))
    (contains ?from ?substance) (accessible ?from))
  :effect (and (contains ?vessel ?substance) (filled ?vessel ?substance) (not (filled ?from ?substance))))

(:action pour
  :parameters (?from ?to ?substance - object)
  :precondition (and (wants-in ?to ?substance) (basin ?to) (holding ?from) (contains ?from ?substance) (accessible ?from)
    (at ?to) (not (holding ?to)) (accessible ?to))
  :effect (and (contains ?to ?substance) (filled ?to ?substance) (not (filled ?from ?substance))))

(:action pour-over
  :parameters (?from ?thing ?substance - object)
  :precondition (and (wants-covered ?thing ?substance) (holding ?from) (contains ?from ?substance) (accessible ?from)
    (at ?thing) (not (holding ?thing)))
  :effect (and (covered ?thing ?substance) (not (filled ?from ?substance))))

(:action pour-onto-cloth
  :parameters (?from ?cloth ?substance - object)
  :precondition (and (wants-saturated ?cloth ?substance) (holding ?from) (contains ?from ?substance) (accessible ?from)
    (at ?cloth) (not (holding ?cloth)))
  :effect (and (saturated ?cloth ?substance) (not (filled ?from ?substance))))

(:action dip
  :parameters (?cloth ?vessel ?substance - object)
  :precondition (and (wants-saturated ?cloth ?substance) (holding ?cloth) (contains ?vessel ?substance) (accessible ?vessel)
    (at ?vessel) (not (holding ?vessel)))
  :effect (saturated ?cloth ?substance))

(:action coat
  :parameters (?thing ?vessel ?substance - object)
  :precondition (and (wants-covered ?thing ?substance) (holding ?thing) (contains ?vessel ?substance) (accessible ?vessel)
    (at ?vessel) (not (holding ?vessel)))
  :effect (covered ?thing ?substance))

(:action wet
  :parameters (?cloth ?source ?substance - object)
  :precondition (and (wants-saturated ?cloth ?substance) (holding ?cloth) (tap ?source ?substance) (running ?source) (at ?source))
  :effect (saturated ?cloth ?substance))

(:action rinse
  :parameters (?thing ?source ?substance - object)
  :precondition (and (wants-covered ?thing ?substance) (holding ?thing) (tap ?source ?substance) (running ?source) (at ?source))
  :effect (covered ?thing ?substance))

(:action spray
  :parameters (?sprayer ?thing ?substance - object)
  :precondition (and (wants-covered ?thing ?substance) (sprayer ?sprayer ?substance) (holding ?sprayer)
    (at ?thing) (not (holding ?thing)))
  :effect (covered ?thing ?substance))

(:action spray-into
  :parameters (?sprayer ?vessel ?substance - object)
  :precondition (and (wants-in ?vessel ?substance) (basin ?vessel) (sprayer ?sprayer ?substance) (holding ?sprayer)
    (at ?vessel) (not (holding ?vessel)) (accessible ?vessel))
  :effect (and (contains ?vessel ?substance) (filled ?vessel ?substance)))

(:action spray-cloth
  :parameters (?sprayer ?cloth ?substance - object)
  :precondition (and (wants-saturated ?cloth ?substance) (sprayer ?sprayer ?substance) (holding ?sprayer)
    (at ?cloth) (not (holding ?cloth)))
  :effect (saturated ?cloth ?substance))

(:action pour-away
  :parameters (?vessel ?substance ?drain - object)
  :precondition (and (to-empty ?vessel ?substance) (holding ?vessel) (contains ?vessel ?substance) (accessible ?vessel)
    (drain ?drain) (at ?drain))
  :effect (and (not (contains ?vessel ?substance)) (not (filled ?vessel ?substance))))

(:action empty
  :parameters (?vessel ?substance ?to - object)
  :precondition (and (to-empty ?vessel ?substance) (holding ?vessel) (contains ?vessel ?substance) (accessible ?vessel)
    (basin ?to) (at ?to) (not (holding ?to)) (accessible ?to))
  :effect (and (not (contains ?vessel ?substance)) (not (filled ?vessel ?substance)) (contains ?to ?substance)))

; Cleaning with a tool in the hand: dry, switched on, or saturated with what the substance needs.
(:action wipe-off
  :parameters (?thing ?substance ?tool - object)
  :precondition (and (to-clean ?thing ?substance) (wipes ?tool ?substance) (covered ?thing ?substance) (holding ?tool)
    (at ?thing) (not (holding ?thing)))
  :effect (not (covered ?thing ?substance)))

(:action wipe-off-running
  :parameters (?thing ?substance ?tool - object)
  :precondition (and (to-clean ?thing ?substance) (wipes-running ?tool ?substance) (running ?tool) (covered ?thing ?substance)
    (holding ?tool) (at ?thing) (not (holding ?thing)))
  :effect (not (covered ?thing ?substance)))

(:action wipe-off-with
  :parameters (?thing ?substance ?tool ?agent - object)
  :precondition (and (to-clean ?thing ?substance) (wipes-with ?tool ?substance ?agent) (saturated ?tool ?agent)
    (covered ?thing ?substance) (holding ?tool) (at ?thing) (not (holding ?thing)))
  :effect (not (covered ?thing ?substance)))

; Cleaning in a washing machine, which leaves objects wet.
(:action machine-wash
  :parameters (?thing ?substance ?machine - object)
  :precondition (and (to-clean ?thing ?substance) (washed-off ?substance) (washer ?machine) (inside ?thing ?machine)
    (running ?machine) (not (open ?machine)))
  :effect (and (not (covered ?thing ?substance))
    (forall (?water - object) (when (wash-water ?water) (covered ?thing ?water)))
    (forall (?water - object) (when (and (wash-water ?water) (absorbent ?thing)) (saturated ?thing ?water)))))

(:action machine-wash-with
  :parameters (?thing ?substance ?agent ?machine - object)
  :precondition (and (to-clean ?thing ?substance) (washed-off-with ?substance ?agent) (washer ?machine) (contains ?machine ?agent)
    (inside ?thing ?machine) (running ?machine) (not (open ?machine)))
  :effect (and (not (covered ?thing ?substance))
    (forall (?water - object) (when (wash-water ?water) (covered ?thing ?water)))
    (forall (?water - object) (when (and (wash-water ?water) (absorbent ?thing)) (saturated ?thing ?water)))))

(:action machine-dry
  :parameters (?thing ?water ?machine - object)
  :precondition (and (to-dry ?thing ?water) (dryer ?machine) (inside ?thing ?machine) (running ?machine) (not (open ?machine)))
  :effect (and (not (covered ?thing ?water)) (not (saturated ?thing ?water))))

(:action wring-out
  :parameters (?cloth ?substance - object)
  :precondition (and (to-dry ?cloth ?substance) (holding ?cloth) (saturated ?cloth ?substance))
  :effect (not (saturated ?cloth ?substance)))

; Cloth and attachments.
(:action fold
  :parameters (?cloth - object)
  :precondition (and (wants-folded ?cloth) (at ?cloth) (hand-empty))
  :effect (and (folded ?cloth) (not (unfolded ?cloth))))

(:action unfold
  :parameters (?cloth - object)
  :precondition (and (wants-unfolded ?cloth) (at ?cloth) (hand-empty))
  :effect (and (unfolded ?cloth) (not (folded ?cloth))))

(:action overlay
  :parameters (?cloth ?thing - object)
  :precondition (and (goes-overlaid ?cloth ?thing) (holding ?cloth) (at ?thing))
  :effect (and (overlaid ?cloth ?thing) (exposed ?cloth) (hand-empty) (not (holding ?cloth))))

(:action drape
  :parameters (?cloth ?thing - object)
  :precondition (and (goes-draped ?cloth ?thing) (holding ?cloth) (at ?thing))
  :effect (and (draped ?cloth ?thing) (exposed ?cloth) (hand-empty) (not (holding ?cloth))))

(:action attach
  :parameters (?thing ?other - object)
  :precondition (and (goes-attached ?thing ?other) (holding ?thing) (at ?other))
  :effect (and (attached ?thing ?other) (exposed ?thing) (hand-empty) (not (holding ?thing))))

; Heat: objects in or on a heat source that runs, and fire from a source that is hotter than the ignition temperature.
(:action heat-inside
  :parameters (?thing ?heat - object)
  :precondition (and (heats ?heat ?thing) (running ?heat) (inside ?thing ?heat) (or (not (needs-shut ?heat)) (not (open ?heat))))
  :effect (and (hot ?thing) (not (frozen ?thing))))

(:action heat-ontop
  :parameters (?thing ?heat - object)
  :precondition (and (heats ?heat ?thing) (not (needs-inside ?heat)) (running ?heat) (over ?thing ?heat))
  :effect (and (hot ?thing) (not (frozen ?thing))))

(:action cool
  :parameters (?thing - object)
  :precondition (and (to-cool ?thing) (hot ?thing) (exposed ?thing) (at ?thing) (reached ?thing)
    (forall (?heat - object) (imply (and (heat-source ?heat) (running ?heat)) (not (over ?thing ?heat)))))
  :effect (not (hot ?thing)))

(:action light
  :parameters (?thing ?fire - object)
  :precondition (and (lights ?fire ?thing) (running ?fire) (holding ?fire) (at ?thing) (not (holding ?thing)))
  :effect (on_fire ?thing))

(:action ignite
  :parameters (?thing ?fire - object)
  :precondition (and (ignites ?fire ?thing) (running ?fire) (over ?thing ?fire))
  :effect (on_fire ?thing))

(:action smash
  :parameters (?thing - object)
  :precondition (and (fragile ?thing) (at ?thing) (hand-empty))
  :effect (broken ?thing))
