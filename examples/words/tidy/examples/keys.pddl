(define (problem keys)
    (:domain tidy)
    (:objects
        key - thing
        bag drawer - place
    )
    (:init
        ; 1
        (in key bag)
    )
    (:goal
        ; 2
        (in key drawer)
    )
)
