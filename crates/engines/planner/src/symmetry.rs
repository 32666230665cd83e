//! Symmetries of a task, and representatives of orbits of states (Pochter, Zohar and Rosenschein 2011; Domshlak, Katz and Shleyfman 2012).
//!
//! An automorphism of the problem description graph, which relates facts, variables and operators, is a symmetry: it maps plans to plans of
//! equal cost. Generators are sought by colour refinement with a limit on the work; each candidate is verified. A state is represented by a
//! smaller one of its orbit, found by applying generators greedily, so that symmetric states are mostly searched once.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::heuristics::PlainTask;
use crate::lane::MILLISECOND;
use crate::rows::Rows;

/// The limit on the work of the search for generators.
const MAX_WORK: u64 = 400 * MILLISECOND;

/// The maximum number of generators.
const MAX_GENERATORS: usize = 200;

/// The maximum number of vertices and edges of the graph.
const MAX_GRAPH: usize = 2_000_000;

/// A generator.
#[derive(Debug, Clone)]
struct Generator {
    /// The variables that it moves, ascending, each with the variable that it takes its value from.
    moved: Vec<(u32, u32)>,
    /// For each of them the start of the images of the values of its source.
    starts: Vec<u32>,
    /// The images of values.
    images: Vec<u32>,
    /// The inverse permutation of the operators.
    inverse_operators: Vec<u32>,
}

/// The generators of a group of symmetries.
#[derive(Debug, Default)]
pub(crate) struct Symmetries {
    generators: Vec<Generator>,
}

/// Buffers for the computation of representatives.
#[derive(Debug, Default)]
pub(crate) struct OrbitScratch {
    values: Vec<u32>,
}

impl Symmetries {
    /// Finds symmetries of a task.
    pub(crate) fn of(task: &PlainTask) -> Self {
        let graph = DescriptionGraph::new(task);
        if graph.neighbours.items() + graph.colours.len() > MAX_GRAPH {
            return Self::default();
        }
        let permutations = AutomorphismSearch { graph: &graph, work: 0 }.run();
        let generators = permutations.iter().map(|permutation| Generator::new(task, &graph, permutation)).collect();
        Self { generators }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.generators.is_empty()
    }

    /// Returns the work of finding a representative, approximately.
    pub(crate) fn work(&self) -> u64 {
        self.generators.iter().map(|generator| generator.moved.len() as u64).sum::<u64>() / 2 + 1
    }

    /// Replaces a state by a representative of its orbit, and reports the generators applied.
    pub(crate) fn canonicalize(&self, values: &mut [u32], scratch: &mut OrbitScratch, applied: &mut dyn FnMut(usize)) {
        let mut unchanged = 0;
        let mut place = 0;
        while unchanged < self.generators.len() {
            if self.generators[place].reduce(values, scratch) {
                unchanged = 0;
                applied(place);
            } else {
                unchanged += 1;
                place = (place + 1) % self.generators.len();
            }
        }
    }

    /// Extends the inverse of a symmetry of the operators by a generator.
    pub(crate) fn extend_inverse(&self, generator: usize, inverse: &mut Vec<u32>) {
        let extended = self.generators[generator].inverse_operators.iter().map(|&operator| inverse[operator as usize]);
        *inverse = extended.collect();
    }
}

impl Generator {
    fn new(task: &PlainTask, graph: &DescriptionGraph, permutation: &[u32]) -> Self {
        let (mut moved, mut starts, mut images) = (Vec::new(), Vec::new(), Vec::new());
        let mut source_of = vec![0u32; task.domains.len()];
        for variable in 0..task.domains.len() {
            source_of[(permutation[graph.variables as usize + variable] - graph.variables) as usize] = variable as u32;
        }
        for (variable, &source) in (0u32..).zip(&source_of) {
            let facts = graph.offsets[source as usize]..graph.offsets[source as usize + 1];
            let image = |fact: u32| permutation[fact as usize] - graph.offsets[variable as usize];
            if source != variable || facts.clone().any(|fact| permutation[fact as usize] != fact) {
                moved.push((variable, source));
                starts.push(images.len() as u32);
                images.extend(facts.map(image));
            }
        }
        let mut inverse_operators = vec![0u32; task.operators.len()];
        for operator in 0..task.operators.len() as u32 {
            let image = permutation[(graph.operators + 2 * operator) as usize] - graph.operators;
            inverse_operators[image as usize / 2] = operator;
        }
        Self { moved, starts, images, inverse_operators }
    }

    /// Applies the generator if that makes the state smaller. Returns whether it does.
    fn reduce(&self, values: &mut [u32], scratch: &mut OrbitScratch) -> bool {
        scratch.values.clear();
        let mut is_smaller = false;
        for (&(variable, source), &start) in self.moved.iter().zip(&self.starts) {
            let value = self.images[(start + values[source as usize]) as usize];
            if !is_smaller {
                match value.cmp(&values[variable as usize]) {
                    std::cmp::Ordering::Less => is_smaller = true,
                    std::cmp::Ordering::Equal => {}
                    std::cmp::Ordering::Greater => return false,
                }
            }
            scratch.values.push(value);
        }
        if is_smaller {
            for (&(variable, _), &value) in self.moved.iter().zip(&scratch.values) {
                values[variable as usize] = value;
            }
        }
        is_smaller
    }
}

/// The problem description graph: facts, then variables, then a vertex for the precondition and one for the effects of each operator.
struct DescriptionGraph {
    /// For each variable its first fact, followed by the number of facts.
    offsets: Vec<u32>,
    /// The first vertex of a variable.
    variables: u32,
    /// The first vertex of an operator.
    operators: u32,
    neighbours: Rows<u32>,
    /// The edges, each in one direction.
    edges: FxHashSet<(u32, u32)>,
    /// The initial colours.
    colours: Vec<u64>,
}

impl DescriptionGraph {
    fn new(task: &PlainTask) -> Self {
        let mut offsets = vec![0];
        for &domain in &task.domains {
            offsets.push(offsets[offsets.len() - 1] + domain);
        }
        let facts = offsets[task.domains.len()];
        let (variables, operators) = (facts, facts + task.domains.len() as u32);
        let count = operators + 2 * task.operators.len() as u32;
        let fact = |fact: &crate::ground_task::Fact| offsets[fact.variable as usize] + fact.value;
        let mut colours = vec![1u64; count as usize];
        let mut lists = vec![Vec::new(); count as usize];
        let mut edges = FxHashSet::default();
        let mut join = |from: u32, to: u32| {
            if edges.insert((from, to)) {
                lists[from as usize].push(to);
                lists[to as usize].push(from);
            }
        };
        for goal in &task.goal {
            colours[fact(goal) as usize] = 2;
        }
        for (variable, &domain) in (0u32..).zip(&task.domains) {
            colours[(variables + variable) as usize] = 3;
            for value in 0..domain {
                join(variables + variable, offsets[variable as usize] + value);
            }
        }
        for (place, operator) in (0u32..).zip(&task.operators) {
            let vertex = operators + 2 * place;
            colours[vertex as usize] = 8 + 2 * u64::from(operator.cost);
            colours[vertex as usize + 1] = 9 + 2 * u64::from(operator.cost);
            join(vertex, vertex + 1);
            operator.precondition.iter().for_each(|one| join(vertex, fact(one)));
            operator.effects.iter().for_each(|one| join(vertex + 1, fact(one)));
        }
        let mut neighbours = Rows::default();
        for list in lists {
            neighbours.push(list);
        }
        for colour in &mut colours {
            *colour = mix(*colour);
        }
        Self { offsets, variables, operators, neighbours, edges, colours }
    }

    /// Whether a permutation preserves colours and edges.
    fn is_automorphism(&self, permutation: &[u32]) -> bool {
        let keeps_colours = (0..permutation.len()).all(|at| self.colours[at] == self.colours[permutation[at] as usize]);
        let image = |vertex: u32| permutation[vertex as usize];
        let moves = |&(from, to): &(u32, u32)| image(from) != from || image(to) != to;
        keeps_colours
            && self.edges.iter().filter(|edge| moves(edge)).all(|&(from, to)| {
                self.edges.contains(&(image(from), image(to))) || self.edges.contains(&(image(to), image(from)))
            })
    }
}

fn mix(value: u64) -> u64 {
    let mut value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// A colouring: colours do not depend on the numbers of the vertices, so those of two colourings can be compared.
#[derive(Clone)]
struct Colouring {
    colours: Vec<u64>,
    /// The number of different colours.
    count: usize,
}

struct AutomorphismSearch<'g> {
    graph: &'g DescriptionGraph,
    work: u64,
}

impl AutomorphismSearch<'_> {
    /// Returns generators as permutations of the vertices.
    fn run(mut self) -> Vec<Vec<u32>> {
        let mut coarse = Colouring { colours: self.graph.colours.clone(), count: 0 };
        self.refine(&mut coarse);
        let facts = self.graph.variables;
        let mut cells: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for fact in 0..facts {
            cells.entry(coarse.colours[fact as usize]).or_default().push(fact);
        }
        let mut cells: Vec<Vec<u32>> = cells.into_values().filter(|cell| cell.len() > 1).collect();
        cells.sort_unstable();
        let mut orbits: Vec<u32> = (0..facts).collect();
        let mut found: Vec<Vec<u32>> = Vec::new();
        for cell in cells {
            for (place, &vertex) in cell.iter().enumerate().skip(1) {
                // The nearest ones first: exchanges of neighbours sort a state.
                for &other in cell[..place].iter().rev().take(8) {
                    if root(&orbits, vertex) == root(&orbits, other) {
                        break;
                    }
                    if self.work > MAX_WORK || found.len() >= MAX_GENERATORS {
                        return found;
                    }
                    if let Some(permutation) = self.automorphism(&coarse, other, vertex) {
                        for fact in 0..facts {
                            let (one, image) = (root(&orbits, fact), root(&orbits, permutation[fact as usize]));
                            orbits[one.max(image) as usize] = one.min(image);
                        }
                        found.push(permutation);
                        break;
                    }
                }
            }
        }
        found
    }

    /// Refines a colouring until vertices of one colour have equally coloured neighbours.
    fn refine(&mut self, colouring: &mut Colouring) {
        loop {
            let colours = &colouring.colours;
            let next: Vec<u64> = (0..colours.len() as u32)
                .map(|vertex| {
                    let around = self.graph.neighbours.row(vertex).iter();
                    let sum = around.fold(0u64, |sum, &other| sum.wrapping_add(mix(colours[other as usize])));
                    mix(colours[vertex as usize] ^ sum.rotate_left(17))
                })
                .collect();
            self.work += (self.graph.neighbours.items() + 4 * colours.len()) as u64;
            let count = next.iter().collect::<FxHashSet<_>>().len();
            let is_stable = count <= colouring.count;
            colouring.colours = next;
            colouring.count = count;
            if is_stable {
                return;
            }
        }
    }

    /// Searches for an automorphism that maps a vertex to another one.
    fn automorphism(&mut self, coarse: &Colouring, from: u32, to: u32) -> Option<Vec<u32>> {
        let (mut left, mut right) = (coarse.clone(), coarse.clone());
        let (mut from, mut to) = (from, to);
        loop {
            for (colouring, vertex) in [(&mut left, from), (&mut right, to)] {
                colouring.colours[vertex as usize] = mix(colouring.colours[vertex as usize] ^ 0x5bd1);
                self.refine(colouring);
            }
            let mut cells: FxHashMap<u64, [Vec<u32>; 2]> = FxHashMap::default();
            for vertex in 0..left.colours.len() as u32 {
                cells.entry(left.colours[vertex as usize]).or_default()[0].push(vertex);
                cells.entry(right.colours[vertex as usize]).or_default()[1].push(vertex);
            }
            if left.count != right.count || cells.values().any(|[left, right]| left.len() != right.len()) {
                return None;
            }
            if let Some(permutation) = self.nearest_permutation(&cells, left.colours.len()) {
                return Some(permutation);
            }
            if self.work > MAX_WORK {
                return None;
            }
            // A vertex of a cell that is not decided; preferably it is mapped to itself.
            let open = cells.values().filter(|cell| cell[0].len() > 1);
            let [ones, others] = open.min_by_key(|cell| cell[0][0])?;
            from = ones[0];
            to = if others.contains(&from) { from } else { others[0] };
        }
    }

    /// Maps cells to cells, with vertices that are in both to themselves, if that is an automorphism.
    fn nearest_permutation(&mut self, cells: &FxHashMap<u64, [Vec<u32>; 2]>, count: usize) -> Option<Vec<u32>> {
        let mut permutation = vec![0; count];
        for [left, right] in cells.values() {
            let mut free = right.iter().filter(|vertex| left.binary_search(vertex).is_err());
            for &vertex in left {
                let is_kept = right.binary_search(&vertex).is_ok();
                permutation[vertex as usize] = if is_kept { vertex } else { *free.next()? };
            }
        }
        self.work += (self.graph.edges.len() + count) as u64;
        self.graph.is_automorphism(&permutation).then_some(permutation)
    }
}

fn root(orbits: &[u32], vertex: u32) -> u32 {
    let mut vertex = vertex;
    while orbits[vertex as usize] != vertex {
        vertex = orbits[vertex as usize];
    }
    vertex
}
