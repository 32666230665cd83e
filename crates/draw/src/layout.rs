//! A deterministic force-directed layout of the nodes of a board.
//!
//! Nodes start around a circle, repel each other, and are attracted along the vectors between them (Fruchterman and Reingold, "Graph
//! Drawing by Force-Directed Placement", 1991). The nodes of large boards stay on a circle.

use std::f64::consts::TAU;

/// Maximum number of nodes that the forces move. The cost is quadratic in the number of nodes.
pub const MAX_RELAXED_NODES: usize = 300;

/// The number of iterations.
const ITERATIONS: u32 = 200;

/// The fractional part of the golden ratio, whose multiples are evenly distributed modulo 1.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A position in the unit square.
pub type Point = [f64; 2];

/// Computes the positions of nodes. `vectors` are pairs of node indices.
pub fn positions(nodes: usize, vectors: &[(usize, usize)]) -> Vec<Point> {
    let mut positions: Vec<Point> = (0..nodes)
        .map(|node| {
            let angle = TAU * node as f64 / nodes as f64;
            // On a single circle, the forces of a symmetric board may cancel in a poor layout.
            let radius = if nodes <= MAX_RELAXED_NODES { 0.4 + 0.6 * (node as f64 * GOLDEN).fract() } else { 1.0 };
            [radius * angle.sin(), -radius * angle.cos()]
        })
        .collect();
    if (3..=MAX_RELAXED_NODES).contains(&nodes) {
        let distance = (4.0 / nodes as f64).sqrt();
        for round in 0..ITERATIONS {
            let step = 0.2 * (1.0 - f64::from(round) / f64::from(ITERATIONS));
            relax(&mut positions, vectors, distance, step);
        }
    }
    fit(&mut positions);
    positions
}

/// Moves every node along the total force on it, by at most `step`.
fn relax(positions: &mut [Point], vectors: &[(usize, usize)], distance: f64, step: f64) {
    let mut forces = vec![[0.0; 2]; positions.len()];
    for one in 0..positions.len() {
        for other in 0..one {
            let ([x, y], length) = displacement(positions[one], positions[other]);
            let push = distance * distance / length / length;
            add(&mut forces[one], [x * push, y * push]);
            add(&mut forces[other], [-x * push, -y * push]);
        }
        // A weak central force keeps unconnected nodes from drifting away.
        let [x, y] = positions[one];
        add(&mut forces[one], [-0.1 * x, -0.1 * y]);
    }
    for &(from, to) in vectors.iter().filter(|(from, to)| from != to) {
        let ([x, y], length) = displacement(positions[from], positions[to]);
        let pull = length / distance;
        add(&mut forces[from], [-x * pull, -y * pull]);
        add(&mut forces[to], [x * pull, y * pull]);
    }
    for (place, [x, y]) in positions.iter_mut().zip(forces) {
        let size = x.hypot(y);
        if size > 0.0 {
            let by = size.min(step) / size;
            add(place, [x * by, y * by]);
        }
    }
}

/// Returns the displacement from the second position to the first, and its length. Coincident positions are treated as very close.
fn displacement(one: Point, other: Point) -> (Point, f64) {
    let way = [one[0] - other[0], one[1] - other[1]];
    let length = way[0].hypot(way[1]);
    if length < 1e-6 { ([1e-6, 0.0], 1e-6) } else { (way, length) }
}

fn add(place: &mut Point, by: Point) {
    place[0] += by[0];
    place[1] += by[1];
}

/// Scales the positions to the unit square. A dimension without extent is centered.
fn fit(positions: &mut [Point]) {
    for axis in 0..2 {
        let low = positions.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
        let high = positions.iter().map(|place| place[axis]).fold(f64::NEG_INFINITY, f64::max);
        for place in &mut *positions {
            place[axis] = if high - low > 1e-9 { (place[axis] - low) / (high - low) } else { 0.5 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::positions;

    #[test]
    fn neighbours_are_closer_than_others() {
        // A ring of eight nodes, whose order is unrelated to the ring.
        let order = [0, 3, 6, 1, 4, 7, 2, 5];
        let ring: Vec<(usize, usize)> = (0..8).map(|at| (order[at], order[(at + 1) % 8])).collect();
        let found = positions(8, &ring);
        let length =
            |one: usize, other: usize| (found[one][0] - found[other][0]).hypot(found[one][1] - found[other][1]);
        let joined: f64 = ring.iter().map(|&(from, to)| length(from, to)).sum::<f64>() / 8.0;
        let all: f64 = (0..8).flat_map(|one| (0..one).map(move |other| (one, other))).map(|(a, b)| length(a, b)).sum();
        assert!(joined < 0.8 * all / 28.0, "{joined} of {}", all / 28.0);
    }

    #[test]
    fn places_are_in_the_square_and_apart() {
        for nodes in [0, 1, 2, 3, 40, 301] {
            let found = positions(nodes, &[]);
            assert_eq!(found.len(), nodes);
            assert_eq!(found, positions(nodes, &[]));
            for (at, one) in found.iter().enumerate() {
                assert!(one.iter().all(|number| (0.0..=1.0).contains(number)), "{one:?}");
                assert!(found[..at].iter().all(|other| (one[0] - other[0]).hypot(one[1] - other[1]) > 1e-3), "{nodes}");
            }
        }
    }
}
