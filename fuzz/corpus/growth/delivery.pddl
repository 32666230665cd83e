; Vans bring parcels from street to street. Every trip costs its length; loading costs nothing.
(define (domain delivery)
    (:requirements :strips :typing :action-costs)
    (:types
        van parcel - thing
        thing place - object
    )
    (:predicates
        (at ?t - thing ?p - place)
        (in ?p - parcel ?v - van)
        (road ?from ?to - place)
    )
    (:functions (total-cost) - number (length ?from ?to - place) - number)
    (:action drive
        :parameters (?v - van ?from ?to - place)
        :precondition (and (at ?v ?from) (road ?from ?to))
        :effect (and (not (at ?v ?from)) (at ?v ?to) (increase (total-cost) (length ?from ?to)))
    )
    (:action load
        :parameters (?p - parcel ?v - van ?where - place)
        :precondition (and (at ?p ?where) (at ?v ?where))
        :effect (and (not (at ?p ?where)) (in ?p ?v))
    )
    (:action unload
        :parameters (?p - parcel ?v - van ?where - place)
        :precondition (and (in ?p ?v) (at ?v ?where))
        :effect (and (not (in ?p ?v)) (at ?p ?where))
    )
)
(define (problem one-van)
    (:domain delivery)
    (:objects
        red - van
        books shoes - parcel
        depot mill harbour - place
    )
    (:init
        (at red depot)
        (at books depot)
        (at shoes mill)
        (road depot mill)
        (road mill depot)
        (road mill harbour)
        (road harbour mill)
        (= (length depot mill) 4)
        (= (length mill depot) 4)
        (= (length mill harbour) 3)
        (= (length harbour mill) 3)
        (= (total-cost) 0)
    )
    (:goal (and (at books harbour) (at shoes depot)))
    (:metric minimize (total-cost))
)
