//! Functions of `statistics` on the fast engine, with the results of the reference machine.

use crate::containers::assert_fast;

#[test]
fn statistics_of_lists() {
    for name in ["mean", "fmean", "median", "median_low", "median_high", "pvariance", "pstdev"] {
        for values in [
            "[o.x for o in objects] or [1]",
            "[o.x / 7 for o in objects] + [0.1]",
            "[o.x * 3 - 1 for o in objects] + [2, 5]",
            "[3, 4, 4]",
            "[0.5, -0.0, 0.0]",
            "[1e100, 1e-100, 0.1, 0.7]",
        ] {
            assert_fast("import statistics\n", &format!("xs = {values}\nreturn statistics.{name}(xs)"));
        }
    }
    for name in ["variance", "stdev"] {
        for values in ["[o.x for o in objects] + [1, 4]", "[o.x / 3 for o in objects] + [0.1, 0.4]"] {
            assert_fast(&format!("from statistics import {name}\n"), &format!("return {name}({values}) * 2 + 1"));
        }
    }
    assert_fast(
        "from statistics import mean, median\n",
        "xs = [o.x for o in objects]\nif len(xs) < 2:\n    return 0.0\nreturn mean(xs) / 160 + median(xs) / 1000",
    );
}
