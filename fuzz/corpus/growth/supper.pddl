; A supper is cooked: what is clean, what is ready, and how much water is left.
(define (domain supper)
    (:requirements :adl :numeric-fluents :derived-predicates :preferences :constraints)
    (:types
        pot bowl - vessel
        vessel dish - object
    )
    (:predicates
        (dirty ?v - vessel)
        (cooks-in ?d - dish ?p - pot)
        (cooked ?d - dish)
        (served ?d - dish ?b - bowl)
        (ready ?d - dish)
    )
    (:functions (water) - number (needs ?d - dish) - number)
    ; A dish is ready once it stands in some clean bowl.
    (:derived (ready ?d - dish) (exists (?b - bowl) (and (served ?d ?b) (not (dirty ?b)))))
    (:action cook
        :parameters (?d - dish ?p - pot)
        :precondition (and (cooks-in ?d ?p) (not (dirty ?p)) (>= (water) (needs ?d)))
        :effect (and (cooked ?d) (dirty ?p) (decrease (water) (needs ?d)))
    )
    (:action serve
        :parameters (?d - dish ?b - bowl)
        :precondition (and
            (cooked ?d)
            (forall (?other - dish) (not (served ?other ?b)))
            (preference clean-bowls (not (dirty ?b)))
        )
        :effect (served ?d ?b)
    )
    (:action wash
        :parameters (?v - vessel)
        :precondition (and (dirty ?v) (>= (water) 1))
        :effect (and (not (dirty ?v)) (decrease (water) 1))
    )
)
(define (problem tonight)
    (:domain supper)
    (:objects
        large small - pot
        blue green - bowl
        soup rice - dish
    )
    (:init
        (dirty small)
        (dirty green)
        (cooks-in soup large)
        (cooks-in rice small)
        (= (water) 8)
        (= (needs soup) 3)
        (= (needs rice) 2)
    )
    (:goal (and
        (forall (?d - dish) (ready ?d))
        (preference tidy (forall (?v - vessel) (not (dirty ?v))))
    ))
    (:constraints (and
        (preference soup-first (sometime-before (cooked rice) (cooked soup)))
        (preference quick (within 6 (ready rice)))
    ))
    (:metric minimize
        (+
            (* 3 (is-violated tidy))
            (is-violated soup-first)
            (is-violated quick)
            (is-violated clean-bowls)
        )
    )
)
