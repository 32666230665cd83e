//! Goals as circuits: gates over atoms, equal ones once.
//!
//! A gate is a *window*, true while the number of its true inputs lies between two bounds, or a *matching*. Negation is a
//! mark on the connection, not a gate; a disjunction is the negation of a conjunction of negations; whatever is constant is
//! folded away. Nodes are numbered so that the bits of the atoms fill words of their own, and the gates follow in an order in
//! which inputs come before what they lead to.

use rustc_hash::FxHashMap;

use crate::bits;

/// A node as an input or output, possibly negated: twice its number, plus one if negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Edge(u32);

impl Edge {
    fn new(node: usize, negated: bool) -> Self {
        Self((node as u32) << 1 | u32::from(negated))
    }

    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// All ones if negated, else zero: for exclusive or.
    pub(super) fn flip(self) -> u64 {
        0u64.wrapping_sub(u64::from(self.0 & 1))
    }

    #[must_use]
    pub(super) fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What makes a gate true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Rule {
    /// At least `least` and at most `least + spread` inputs are true.
    Window { least: u32, spread: u32 },
    /// The inputs, read row by row as a matrix, allow so many pairs. There are at most as many columns as rows.
    Matching { rows: u32, columns: u32, wanted: u32 },
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Draft {
    rule: Rule,
    inputs: Box<[Edge]>,
}

/// What ends the building of a circuit that has too many parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLarge;

/// Builds a [`Circuit`]. Until it is finished, atoms have the odd and gates the even node numbers.
#[derive(Debug)]
pub(super) struct Builder {
    gates: Vec<Draft>,
    known: FxHashMap<Draft, u32>,
    /// How many more parts there may be.
    left: usize,
}

/// The gate that is always true: the conjunction of nothing.
const TRUE: Edge = Edge(0);

impl Builder {
    /// A circuit of so many parts at most.
    pub(super) fn new(most_parts: usize) -> Self {
        let truth = Draft { rule: Rule::Window { least: 0, spread: 0 }, inputs: Box::default() };
        Self { gates: vec![truth.clone()], known: FxHashMap::from_iter([(truth, 0)]), left: most_parts }
    }

    /// Counts parts that are about to be made.
    pub(super) fn spend(&mut self, parts: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(parts).ok_or(TooLarge)?;
        Ok(())
    }

    pub(super) fn constant(value: bool) -> Edge {
        if value { TRUE } else { TRUE.not() }
    }

    /// The atom of this number.
    pub(super) fn atom(number: usize) -> Edge {
        Edge::new(number * 2 + 1, false)
    }

    pub(super) fn all(&mut self, inputs: Vec<Edge>) -> Result<Edge, TooLarge> {
        let count = inputs.len() as u32;
        self.window(count, count, inputs)
    }

    pub(super) fn any(&mut self, inputs: Vec<Edge>) -> Result<Edge, TooLarge> {
        self.window(1, u32::MAX, inputs)
    }

    /// Whether at least `least` and at most `most` of the inputs are true; one that stands there twice counts twice.
    pub(super) fn window(&mut self, least: u32, most: u32, mut inputs: Vec<Edge>) -> Result<Edge, TooLarge> {
        self.spend(inputs.len())?;
        inputs.sort_unstable();
        // Inputs that vary, and how many are true whatever happens: constants, and one of each input and its negation.
        let (mut rest, mut sure): (Vec<Edge>, u32) = (Vec::with_capacity(inputs.len()), 0);
        for input in inputs {
            if input == TRUE {
                sure += 1;
            } else if input == TRUE.not() {
            } else if rest.last() == Some(&input.not()) {
                rest.pop();
                sure += 1;
            } else {
                rest.push(input);
            }
        }
        let count = rest.len() as u32;
        if most < sure {
            return Ok(Self::constant(false));
        }
        let (least, most) = (least.saturating_sub(sure), (most - sure).min(count));
        match (least, most) {
            _ if least > most => Ok(Self::constant(false)),
            (0, most) if most == count => Ok(Self::constant(true)),
            (0, 0) => Ok(self.conjunction(rest.into_iter().map(Edge::not).collect())),
            (0, most) if most + 1 == count => Ok(self.conjunction(rest).not()),
            (least, _) if least == count => Ok(self.conjunction(rest)),
            (1, most) if most == count => Ok(self.conjunction(rest.into_iter().map(Edge::not).collect()).not()),
            _ => Ok(self.gate(Rule::Window { least, spread: most - least }, rest)),
        }
    }

    /// The conjunction of at least one input, none of them constant.
    fn conjunction(&mut self, mut inputs: Vec<Edge>) -> Edge {
        inputs.sort_unstable();
        inputs.dedup();
        match inputs[..] {
            [only] => only,
            _ => self.gate(Rule::Window { least: inputs.len() as u32, spread: 0 }, inputs),
        }
    }

    /// Whether the cells, row by row, allow so many pairs.
    pub(super) fn matching(&mut self, columns: usize, wanted: usize, mut cells: Vec<Edge>) -> Result<Edge, TooLarge> {
        self.spend(cells.len())?;
        let rows = cells.len().checked_div(columns).unwrap_or(0);
        match wanted {
            0 => return Ok(Self::constant(true)),
            _ if wanted > rows.min(columns) => return Ok(Self::constant(false)),
            1 => return self.any(cells),
            _ => {}
        }
        let mut sizes = [rows, columns];
        if columns > rows {
            cells = (0..columns)
                .flat_map(|column| (0..rows).map(move |row| row * columns + column))
                .map(|at| cells[at])
                .collect();
            sizes = [columns, rows];
        }
        let [rows, columns] = sizes.map(|size| size as u32);
        Ok(self.gate(Rule::Matching { rows, columns, wanted: wanted as u32 }, cells))
    }

    fn gate(&mut self, rule: Rule, inputs: Vec<Edge>) -> Edge {
        let draft = Draft { rule, inputs: inputs.into() };
        let next = self.gates.len() as u32;
        let number = *self.known.entry(draft).or_insert_with_key(|draft| {
            self.gates.push(draft.clone());
            next
        });
        Edge::new(number as usize * 2, false)
    }

    /// The circuit with these outputs, without gates that lead to none of them.
    pub(super) fn finish(self, atoms: usize, outputs: &[Edge]) -> Circuit {
        let gate_of = |edge: &Edge| edge.node().is_multiple_of(2).then(|| edge.node() / 2);
        let mut used = vec![false; self.gates.len()];
        outputs.iter().filter_map(gate_of).for_each(|gate| used[gate] = true);
        for gate in (0..self.gates.len()).rev() {
            if used[gate] {
                self.gates[gate].inputs.iter().filter_map(gate_of).for_each(|input| used[input] = true);
            }
        }
        let first_gate = bits::words(atoms) * 64;
        let mut numbers = vec![0; self.gates.len()];
        let mut circuit = Circuit { first_gate, ..Circuit::default() };
        let renumbered = |edge: &Edge, numbers: &[usize]| {
            let node = gate_of(edge).map_or(edge.node() / 2, |gate| numbers[gate]);
            Edge::new(node, edge.negated())
        };
        for (gate, draft) in self.gates.iter().enumerate().filter(|(gate, _)| used[*gate]) {
            numbers[gate] = first_gate + circuit.gates.len();
            let from = circuit.inputs.len();
            circuit.inputs.extend(draft.inputs.iter().map(|input| renumbered(input, &numbers)));
            if let Rule::Window { .. } = draft.rule {
                circuit.inputs[from..].sort_unstable();
            }
            circuit.gates.push(Gate { rule: draft.rule, from: from as u32, to: circuit.inputs.len() as u32 });
        }
        circuit.outputs = outputs.iter().map(|output| renumbered(output, &numbers)).collect();
        circuit
    }
}

/// A gate with its inputs in [`Circuit::inputs`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Gate {
    pub(super) rule: Rule,
    from: u32,
    to: u32,
}

/// Gates over atoms.
#[derive(Debug, Default)]
pub(super) struct Circuit {
    /// The node of the first gate, a multiple of 64; the others follow. The atoms are nodes 0, 1, ..
    pub(super) first_gate: usize,
    pub(super) gates: Vec<Gate>,
    inputs: Vec<Edge>,
    pub(super) outputs: Vec<Edge>,
}

impl Circuit {
    pub(super) fn inputs(&self, gate: &Gate) -> &[Edge] {
        &self.inputs[gate.from as usize..gate.to as usize]
    }

    /// How many nodes there are, unused numbers between atoms and gates included.
    pub(super) fn nodes(&self) -> usize {
        self.first_gate + self.gates.len()
    }

    /// How many connections there are.
    pub(super) fn connections(&self) -> usize {
        self.inputs.len()
    }
}

/// The value of an edge, given a bit for each node.
pub(super) fn read(values: &[u64], edge: Edge) -> bool {
    bits::get(values, edge.node()) != edge.negated()
}
