; Things lie in places; a closed place has to be opened before a thing is taken out or put in.
(define (domain tidy)
    (:requirements :strips :typing :negative-preconditions)
    (:types
        thing place - object
    )
    (:predicates
        (in ?t - thing ?p - place)
        (closed ?p - place)
        (carried ?t - thing)
    )
    (:action open
        :parameters (?p - place)
        :precondition (closed ?p)
        :effect (not (closed ?p))
    )
    (:action take
        :parameters (?t - thing ?p - place)
        :precondition (and (in ?t ?p) (not (closed ?p)))
        :effect (and (not (in ?t ?p)) (carried ?t))
    )
    (:action put
        :parameters (?t - thing ?p - place)
        :precondition (and (carried ?t) (not (closed ?p)))
        :effect (and (not (carried ?t)) (in ?t ?p))
    )
)
