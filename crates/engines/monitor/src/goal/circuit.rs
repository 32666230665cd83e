//! Goals as circuits of gates over atoms, in which equal gates are shared.
//!
//! A gate is a *window*, which is true while the number of its true inputs lies between two bounds, or a *matching*. Negation is a
//! flag on a connection, not a gate. A disjunction is the negation of a conjunction of negations. Constants are folded.
//! Nodes are numbered such that the bits of the atoms fill words of their own; the gates follow in topological order,
//! inputs first.

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

    /// Returns all ones if negated, else zero, as the operand of an exclusive or.
    pub(super) fn flip(self) -> u64 {
        0u64.wrapping_sub(u64::from(self.0 & 1))
    }

    #[must_use]
    pub(super) fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The rule that determines the value of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum GateRule {
    /// At least `least` and at most `least + spread` inputs are true.
    Window { min: u32, spread: u32 },
    /// The inputs, read row by row as a matrix, allow `required` pairs. There are at most as many columns as rows.
    Matching { rows: u32, columns: u32, required: u32 },
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct GateKey {
    rule: GateRule,
    inputs: Box<[Edge]>,
}

/// The error for a circuit that has too many parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CircuitSizeError;

/// A builder of a [`Circuit`]. Until it is finished, atoms have odd and gates even node numbers.
#[derive(Debug)]
pub(super) struct CircuitBuilder {
    gates: Vec<GateKey>,
    known: FxHashMap<GateKey, u32>,
    /// The number of parts that may still be added.
    left: usize,
}

/// The gate that is always true: the empty conjunction.
const TRUE: Edge = Edge(0);

impl CircuitBuilder {
    /// Creates a builder of a circuit with at most `max_parts` parts.
    pub(super) fn new(max_parts: usize) -> Self {
        let truth = GateKey { rule: GateRule::Window { min: 0, spread: 0 }, inputs: Box::default() };
        Self { gates: vec![truth.clone()], known: FxHashMap::from_iter([(truth, 0)]), left: max_parts }
    }

    /// Counts parts that are about to be added.
    pub(super) fn spend(&mut self, parts: usize) -> Result<(), CircuitSizeError> {
        self.left = self.left.checked_sub(parts).ok_or(CircuitSizeError)?;
        Ok(())
    }

    pub(super) fn constant(value: bool) -> Edge {
        if value { TRUE } else { TRUE.not() }
    }

    /// Returns the atom of this number.
    pub(super) fn atom(number: usize) -> Edge {
        Edge::new(number * 2 + 1, false)
    }

    pub(super) fn all(&mut self, inputs: Vec<Edge>) -> Result<Edge, CircuitSizeError> {
        let count = inputs.len() as u32;
        self.window(count, count, inputs)
    }

    pub(super) fn any(&mut self, inputs: Vec<Edge>) -> Result<Edge, CircuitSizeError> {
        self.window(1, u32::MAX, inputs)
    }

    /// Returns the node that tells whether at least `min` and at most `max` of the inputs are true; a repeated input counts repeatedly.
    pub(super) fn window(&mut self, min: u32, max: u32, mut inputs: Vec<Edge>) -> Result<Edge, CircuitSizeError> {
        self.spend(inputs.len())?;
        inputs.sort_unstable();
        // The inputs that vary, and the number of those that are true in any case: constants, and one of each input and its negation.
        let (mut varying, mut always_true): (Vec<Edge>, u32) = (Vec::with_capacity(inputs.len()), 0);
        for input in inputs {
            if input == TRUE {
                always_true += 1;
            } else if input == TRUE.not() {
            } else if varying.last() == Some(&input.not()) {
                varying.pop();
                always_true += 1;
            } else {
                varying.push(input);
            }
        }
        let count = varying.len() as u32;
        if max < always_true {
            return Ok(Self::constant(false));
        }
        let (min, max) = (min.saturating_sub(always_true), (max - always_true).min(count));
        match (min, max) {
            _ if min > max => Ok(Self::constant(false)),
            (0, max) if max == count => Ok(Self::constant(true)),
            (0, 0) => Ok(self.conjunction(varying.into_iter().map(Edge::not).collect())),
            (0, max) if max + 1 == count => Ok(self.conjunction(varying).not()),
            (min, _) if min == count => Ok(self.conjunction(varying)),
            (1, max) if max == count => Ok(self.conjunction(varying.into_iter().map(Edge::not).collect()).not()),
            _ => Ok(self.gate(GateRule::Window { min, spread: max - min }, varying)),
        }
    }

    /// Returns the conjunction of at least one input, none of them constant.
    fn conjunction(&mut self, mut inputs: Vec<Edge>) -> Edge {
        inputs.sort_unstable();
        inputs.dedup();
        match inputs[..] {
            [only] => only,
            _ => self.gate(GateRule::Window { min: inputs.len() as u32, spread: 0 }, inputs),
        }
    }

    /// Returns the node that tells whether the cells, row by row, allow `required` pairs.
    pub(super) fn matching(
        &mut self,
        columns: usize,
        required: usize,
        mut cells: Vec<Edge>,
    ) -> Result<Edge, CircuitSizeError> {
        self.spend(cells.len())?;
        let rows = cells.len().checked_div(columns).unwrap_or(0);
        match required {
            0 => return Ok(Self::constant(true)),
            _ if required > rows.min(columns) => return Ok(Self::constant(false)),
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
        Ok(self.gate(GateRule::Matching { rows, columns, required: required as u32 }, cells))
    }

    fn gate(&mut self, rule: GateRule, inputs: Vec<Edge>) -> Edge {
        let draft = GateKey { rule, inputs: inputs.into() };
        let next = self.gates.len() as u32;
        let number = *self.known.entry(draft).or_insert_with_key(|draft| {
            self.gates.push(draft.clone());
            next
        });
        Edge::new(number as usize * 2, false)
    }

    /// Returns the circuit with these outputs, without the gates on which no output depends.
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
            if let GateRule::Window { .. } = draft.rule {
                circuit.inputs[from..].sort_unstable();
            }
            circuit.gates.push(Gate { rule: draft.rule, from: from as u32, to: circuit.inputs.len() as u32 });
        }
        circuit.outputs = outputs.iter().map(|output| renumbered(output, &numbers)).collect();
        circuit
    }
}

/// A gate; its inputs are a range of [`Circuit::inputs`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Gate {
    pub(super) rule: GateRule,
    from: u32,
    to: u32,
}

/// A circuit of gates over atoms.
#[derive(Debug, Default)]
pub(super) struct Circuit {
    /// The node of the first gate, a multiple of 64; the other gates follow. The atoms are nodes 0, 1, ..
    pub(super) first_gate: usize,
    pub(super) gates: Vec<Gate>,
    inputs: Vec<Edge>,
    pub(super) outputs: Vec<Edge>,
}

impl Circuit {
    pub(super) fn inputs(&self, gate: &Gate) -> &[Edge] {
        &self.inputs[gate.from as usize..gate.to as usize]
    }

    /// Returns the number of nodes, including the unused numbers between atoms and gates.
    pub(super) fn nodes(&self) -> usize {
        self.first_gate + self.gates.len()
    }

    /// Returns the number of connections.
    pub(super) fn connections(&self) -> usize {
        self.inputs.len()
    }
}

/// Returns the value of an edge, given a bit for each node.
pub(super) fn read(values: &[u64], edge: Edge) -> bool {
    bits::get(values, edge.node()) != edge.negated()
}
