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
