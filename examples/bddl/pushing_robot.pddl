; A robot without a hand: it pushes objects from one surface to another, and opens doors by a push if they are light.
(:without grasp take-out)

(:fact (light-door ?x) (ability ?x openable) (not (ability ?x heatSource)))

(:action push-onto :parameters
    (?thing ?surface - object)
    :precondition
    (and
        (movable ?thing)
        (exposed ?thing)
        (at ?thing)
        (reached ?surface)
        (goes-ontop ?thing ?surface)
    )
    :effect
    (and (ontop ?thing ?surface) (forall (?x - object) (not (ontop ?thing ?x))))
)

(:action open :parameters
    (?container - object)
    :precondition
    (and (light-door ?container) (at ?container) (not (open ?container)))
    :effect
    (and (open ?container) (accessible ?container))
)
