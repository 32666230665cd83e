  ; One agent with one hand. It reaches what it is at.
  (:action go-to
    :parameters (?from ?to - object)
    :precondition (at ?from)
    :effect (and (not (at ?from)) (at ?to)))
  ; What is in or on a thing stays with it when it is moved; where it stood, and what it stood by, does not.
  (:action grasp
    :parameters (?thing - object)
    :precondition (and (movable ?thing) (exposed ?thing) (at ?thing) (hand-empty))
    :effect (and (holding ?thing) (not (hand-empty)) (not (exposed ?thing))
      (forall (?x - object) (and (not (ontop ?thing ?x)) (not (onfloor ?thing ?x))
        (not (under ?thing ?x)) (not (under ?x ?thing)) (not (nextto ?thing ?x)) (not (nextto ?x ?thing))
        (not (touching ?thing ?x)) (not (touching ?x ?thing))))))
  (:action take-out
    :parameters (?thing ?container - object)
    :precondition (and (movable ?thing) (inside ?thing ?container) (accessible ?container) (at ?container) (hand-empty))
    :effect (and (holding ?thing) (not (hand-empty))
      (forall (?x - object) (and (not (inside ?thing ?x)) (not (ontop ?thing ?x)) (not (onfloor ?thing ?x))
        (not (under ?thing ?x)) (not (under ?x ?thing)) (not (nextto ?thing ?x)) (not (nextto ?x ?thing))
        (not (touching ?thing ?x)) (not (touching ?x ?thing))))))
  (:action place-ontop
    :parameters (?thing ?surface - object)
    :precondition (and (holding ?thing) (at ?surface) (goes-ontop ?thing ?surface))
    :effect (and (ontop ?thing ?surface) (exposed ?thing) (hand-empty) (not (holding ?thing))))
  (:action place-inside
    :parameters (?thing ?container - object)
    :precondition (and (holding ?thing) (at ?container) (goes-inside ?thing ?container) (accessible ?container))
    :effect (and (inside ?thing ?container) (hand-empty) (not (holding ?thing))))
  (:action place-onfloor
    :parameters (?thing ?floor - object)
    :precondition (and (holding ?thing) (at ?floor) (ground ?floor))
    :effect (and (onfloor ?thing ?floor) (exposed ?thing) (hand-empty) (not (holding ?thing))))
  ; Things are brought next to, under or against one another where they are, once they have been placed.
  (:action push-nextto
    :parameters (?thing ?other - object)
    :precondition (and (goes-nextto ?thing ?other) (at ?thing) (hand-empty))
    :effect (and (nextto ?thing ?other) (nextto ?other ?thing)))
  (:action push-under
    :parameters (?thing ?other - object)
    :precondition (and (goes-under ?thing ?other) (at ?thing) (hand-empty))
    :effect (under ?thing ?other))
  (:action push-against
    :parameters (?thing ?other - object)
    :precondition (and (goes-against ?thing ?other) (at ?thing) (hand-empty))
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
    :precondition (and (toggleable ?device) (at ?device) (not (toggled_on ?device)))
    :effect (and (toggled_on ?device) (running ?device)))
  (:action toggle-off
    :parameters (?device - object)
    :precondition (and (toggleable ?device) (at ?device) (toggled_on ?device))
    :effect (and (not (toggled_on ?device)) (not (running ?device))))
  (:action slice
    :parameters (?thing ?knife - object)
    :precondition (and (sliceable ?thing) (slicer ?knife) (holding ?knife) (at ?thing))
    :effect (sliced ?thing))
  (:action cook-inside
    :parameters (?thing ?heat - object)
    :precondition (and (cookable ?thing) (heat-source ?heat) (running ?heat) (inside ?thing ?heat))
    :effect (and (cooked ?thing) (not (frozen ?thing))))
  (:action cook-ontop
    :parameters (?thing ?heat - object)
    :precondition (and (cookable ?thing) (heat-source ?heat) (running ?heat) (ontop ?thing ?heat))
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
    :precondition (and (dusty ?thing) (cleaning-tool ?tool) (holding ?tool) (at ?thing))
    :effect (not (dusty ?thing)))
  (:action wipe
    :parameters (?thing ?tool - object)
    :precondition (and (stained ?thing) (cleaning-tool ?tool) (soaked ?tool) (holding ?tool) (at ?thing))
    :effect (not (stained ?thing)))
  (:action wash
    :parameters (?thing ?machine - object)
    :precondition (and (inside ?thing ?machine) (dishwasher ?machine) (running ?machine))
    :effect (and (not (stained ?thing)) (not (dusty ?thing))))
