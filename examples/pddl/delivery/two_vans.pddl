; The way over the hill is short, and the red van is already there.
(define (problem two-vans)
    (:domain delivery)
    (:objects
        red blue - van
        books lamp - parcel
        depot hill harbour - place
    )
    (:init
        (at red hill)
        (at blue depot)
        (at books depot)
        (at lamp hill)
        (road depot hill)
        (road hill harbour)
        (road depot harbour)
        (road harbour depot)
        (= (length depot hill) 2)
        (= (length hill harbour) 2)
        (= (length depot harbour) 9)
        (= (length harbour depot) 9)
        (= (total-cost) 0)
    )
    (:goal (and (at books harbour) (at lamp harbour)))
    (:metric minimize (total-cost))
)
