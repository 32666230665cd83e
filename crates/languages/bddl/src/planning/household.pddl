; Household activities: one agent with one hand. It can act on what it is at.

; Whether the agent can get at a thing: nothing that it is in is shut, and nothing that it is in or on is in the hand.
; Of things that nothing can shut in or carry, that is known beforehand. Of several things that it is in or on, the innermost counts.
(:derived (reached ?x)
  (and (not (confined ?x))
    (or (open-air ?x) (lies-free ?x)
      (exists (?y - object) (and (onfloor ?x ?y) (not (outer ?x ?y)) (reached ?y)))
      (exists (?y - object) (and (ontop ?x ?y) (not (outer ?x ?y)) (reached ?y)))
      (exists (?y - object) (and (placed-in ?x ?y) (not (outer ?x ?y)) (accessible ?y) (reached ?y))))))

; Whether a thing is moved when another one is: that one itself, and what is in or on it, at any depth.
(:derived (aboard ?x ?carrier)
  (and (carrier ?carrier)
    (or (same ?x ?carrier)
      (exists (?y - object)
        (and (or (ontop ?x ?y) (placed-in ?x ?y)) (aboard ?y ?carrier))))))

; What is in or on a thing that is inside another one is inside that one, too.
(:derived (inside ?x ?container)
  (and (container ?container)
    (or (placed-in ?x ?container)
      (exists (?y - object)
        (and (or (ontop ?x ?y) (placed-in ?x ?y)) (inside ?y ?container))))))

(:derived (over ?x ?heat)
  (and (heat-source ?heat)
    (or (ontop ?x ?heat)
      (exists (?y - object)
        (and (or (ontop ?x ?y) (placed-in ?x ?y)) (over ?y ?heat))))))

; What a thing stands on, or the thing under it does, and so on.
(:derived (rests ?x ?base)
  (and (arranged ?x)
    (or (ontop ?x ?base) (onfloor ?x ?base)
      (exists (?y - object) (and (ontop ?x ?y) (rests ?y ?base))))))

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
      (not (under ?thing ?x)) (not (under ?x ?thing)) (not (nextto ?thing ?x)) (not (nextto ?x ?thing))
      (not (touching ?thing ?x)) (not (touching ?x ?thing))))
    (forall (?x - object) (forall (?y - object) (and
      (when (and (spread ?x) (aboard ?x ?thing) (ontop ?x ?y) (not (aboard ?y ?thing))) (not (ontop ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (placed-in ?x ?y) (not (aboard ?y ?thing))) (not (placed-in ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (onfloor ?x ?y)) (not (onfloor ?x ?y)))
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
      (not (under ?thing ?x)) (not (under ?x ?thing)) (not (nextto ?thing ?x)) (not (nextto ?x ?thing))
      (not (touching ?thing ?x)) (not (touching ?x ?thing))))
    (forall (?x - object) (forall (?y - object) (and
      (when (and (spread ?x) (aboard ?x ?thing) (ontop ?x ?y) (not (aboard ?y ?thing))) (not (ontop ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (placed-in ?x ?y) (not (aboard ?y ?thing))) (not (placed-in ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (onfloor ?x ?y)) (not (onfloor ?x ?y)))
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
  :precondition (and (toggleable ?device) (at ?device) (hand-empty) (not (toggled_on ?device)))
  :effect (and (toggled_on ?device) (running ?device)))

(:action toggle-off
  :parameters (?device - object)
  :precondition (and (toggleable ?device) (at ?device) (hand-empty) (toggled_on ?device))
  :effect (and (not (toggled_on ?device)) (not (running ?device))))

(:action slice
  :parameters (?thing ?knife - object)
  :precondition (and (sliceable ?thing) (slicer ?knife) (holding ?knife) (at ?thing) (not (holding ?thing)))
  :effect (sliced ?thing))

(:action cook-inside
  :parameters (?thing ?heat - object)
  :precondition (and (cookable ?thing) (heat-source ?heat) (running ?heat) (inside ?thing ?heat))
  :effect (and (cooked ?thing) (not (frozen ?thing))))

(:action cook-ontop
  :parameters (?thing ?heat - object)
  :precondition (and (cookable ?thing) (heat-source ?heat) (running ?heat) (over ?thing ?heat))
  :effect (and (cooked ?thing) (not (frozen ?thing))))

(:action freeze
  :parameters (?thing ?cold - object)
  :precondition (and (freezable ?thing) (cold-source ?cold) (running ?cold) (inside ?thing ?cold))
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
