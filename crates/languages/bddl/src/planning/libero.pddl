; LIBERO's tasks: one arm with one gripper over a table. It can act on what it is at.

; Whether the arm can get at a thing: nothing that it is in is shut, and nothing that it is in, on or a part of is in the gripper.
; Of things that nothing can shut in or carry, that is known beforehand. Of several things that it is in or on, the innermost counts.
(:derived (reached ?x)
  (and (not (confined ?x))
    (or (open-air ?x) (lies-free ?x)
      (exists (?y - object) (and (part-of ?x ?y) (reached ?y)))
      (exists (?y - object) (and (on ?x ?y) (not (outer ?x ?y)) (reached ?y)))
      (exists (?y - object) (and (placed-in ?x ?y) (not (outer ?x ?y)) (accessible ?y) (reached ?y))))))

; Whether a thing is moved when another one is: that one itself, its regions, and what is in or on them, at any depth.
(:derived (aboard ?x ?carrier)
  (and (carrier ?carrier)
    (or (same ?x ?carrier)
      (exists (?y - object)
        (and (or (on ?x ?y) (placed-in ?x ?y) (part-of ?x ?y)) (aboard ?y ?carrier))))))

; What is in or on a thing that is inside another one is inside that one, too.
(:derived (in ?x ?container)
  (and (container ?container)
    (or (placed-in ?x ?container)
      (exists (?y - object)
        (and (or (on ?x ?y) (placed-in ?x ?y) (part-of ?x ?y)) (in ?y ?container))))))

(:action go-to
  :parameters (?from ?to - object)
  :precondition (and (at ?from) (reached ?to))
  :effect (and (not (at ?from)) (at ?to)))

; What is in or on a thing stays with it when it is moved; where it stood does not.
(:action grasp
  :parameters (?thing - object)
  :precondition (and (movable ?thing) (exposed ?thing) (at ?thing) (hand-empty))
  :effect (and (holding ?thing) (not (hand-empty)) (not (exposed ?thing)) (not (lies-free ?thing))
    (forall (?x - object) (and (not (placed-in ?thing ?x)) (not (on ?thing ?x)) (not (outer ?thing ?x))))
    (forall (?x - object) (forall (?y - object) (and
      (when (and (spread ?x) (aboard ?x ?thing) (on ?x ?y) (not (aboard ?y ?thing))) (not (on ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (placed-in ?x ?y) (not (aboard ?y ?thing))) (not (placed-in ?x ?y))))))))

(:action take-out
  :parameters (?thing ?container - object)
  :precondition (and (movable ?thing) (placed-in ?thing ?container) (not (outer ?thing ?container)) (accessible ?container)
    (at ?container) (hand-empty))
  :effect (and (holding ?thing) (not (hand-empty))
    (forall (?x - object) (and (not (placed-in ?thing ?x)) (not (on ?thing ?x)) (not (outer ?thing ?x))))
    (forall (?x - object) (forall (?y - object) (and
      (when (and (spread ?x) (aboard ?x ?thing) (on ?x ?y) (not (aboard ?y ?thing))) (not (on ?x ?y)))
      (when (and (spread ?x) (aboard ?x ?thing) (placed-in ?x ?y) (not (aboard ?y ?thing))) (not (placed-in ?x ?y))))))))

(:action place-on
  :parameters (?thing ?surface - object)
  :precondition (and (holding ?thing) (at ?surface) (goes-ontop ?thing ?surface))
  :effect (and (on ?thing ?surface) (exposed ?thing) (hand-empty) (not (holding ?thing))))

(:action place-in
  :parameters (?thing ?container - object)
  :precondition (and (holding ?thing) (at ?container) (goes-inside ?thing ?container) (accessible ?container))
  :effect (and (placed-in ?thing ?container) (hand-empty) (not (holding ?thing))))

(:action open
  :parameters (?part - object)
  :precondition (and (openable ?part) (at ?part) (hand-empty) (not (open ?part)))
  :effect (and (open ?part) (not (close ?part))
    (forall (?x - object) (when (shut-by ?x ?part) (accessible ?x)))))

(:action close
  :parameters (?part - object)
  :precondition (and (openable ?part) (at ?part) (hand-empty) (not (close ?part)))
  :effect (and (close ?part) (not (open ?part))
    (forall (?x - object) (when (shut-by ?x ?part) (not (accessible ?x))))))

(:action turn-on
  :parameters (?device - object)
  :precondition (and (toggleable ?device) (at ?device) (hand-empty) (not (turnon ?device)))
  :effect (and (turnon ?device) (not (turnoff ?device))))

(:action turn-off
  :parameters (?device - object)
  :precondition (and (toggleable ?device) (at ?device) (hand-empty) (not (turnoff ?device)))
  :effect (and (turnoff ?device) (not (turnon ?device))))
