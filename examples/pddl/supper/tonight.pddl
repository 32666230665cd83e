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
