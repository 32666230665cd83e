//! Evaluation of one change at a time: gates count their true inputs, and a change propagates only as far as it has an effect.

use super::circuit::{Circuit, Edge, GateRule, read};
use super::single::matrix_has_matching;
use crate::bits;

/// A gate that has a given node as an input.
#[derive(Debug, Clone, Copy)]
struct Target {
    gate: u32,
    /// 1 if the input is the node itself, -1 if it is the node's negation.
    sign: i32,
}

/// The gates that have each node as an input.
#[derive(Debug)]
pub(super) struct Fanout {
    targets: Vec<Target>,
    /// For each node, the index of its first target; one further entry marks the end.
    begins: Vec<u32>,
}

impl Fanout {
    pub(super) fn new(circuit: &Circuit) -> Self {
        let mut begins = vec![0_u32; circuit.nodes() + 2];
        let connections = || {
            let gates = circuit.gates.iter().enumerate();
            gates.flat_map(|(gate, shape)| circuit.inputs(shape).iter().map(move |&input| (gate as u32, input)))
        };
        // Counting sort by node, shifted by one so that filling in the targets leaves the first indices in place.
        for (_, input) in connections() {
            begins[input.node() + 2] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut targets = vec![Target { gate: 0, sign: 0 }; circuit.connections()];
        for (gate, input) in connections() {
            let at = &mut begins[input.node() + 1];
            targets[*at as usize] = Target { gate, sign: if input.negated() { -1 } else { 1 } };
            *at += 1;
        }
        begins.pop();
        Self { targets, begins }
    }

    fn of(&self, node: usize) -> &[Target] {
        &self.targets[self.begins[node] as usize..self.begins[node + 1] as usize]
    }
}

/// The values of a circuit whose atoms change.
#[derive(Debug, Clone)]
pub(super) struct CircuitState {
    values: Vec<u64>,
    /// For each gate, the number of its true inputs.
    counts: Vec<u32>,
    /// The gates with a changed input that have not been evaluated again, one bit each.
    pending: Vec<u64>,
    /// The number of gates in `reached`.
    pending_count: u32,
    /// A lower bound on the gates in `reached`.
    lowest: u32,
}

impl CircuitState {
    /// Creates the values from those of a state in which all gates have been computed.
    pub(super) fn new(circuit: &Circuit, values: Vec<u64>) -> Self {
        let count = |gate| circuit.inputs(gate).iter().filter(|&&input| read(&values, input)).count() as u32;
        let counts: Vec<u32> = circuit.gates.iter().map(count).collect();
        let pending = vec![0; bits::words(circuit.gates.len())];
        Self { values, counts, pending, pending_count: 0, lowest: u32::MAX }
    }

    pub(super) fn read(&self, edge: Edge) -> bool {
        read(&self.values, edge)
    }

    /// Whether an atom holds.
    pub(super) fn atom(&self, atom: usize) -> bool {
        bits::get(&self.values, atom)
    }

    /// Sets the value of an atom; its effects wait for [`settle`](Self::settle).
    pub(super) fn set(&mut self, fanout: &Fanout, atom: usize, value: bool) {
        if bits::put(&mut self.values, atom, value) {
            self.propagate(fanout, atom, value);
        }
    }

    /// Updates the counts of the gates that have a changed node as an input.
    fn propagate(&mut self, fanout: &Fanout, node: usize, value: bool) {
        for target in fanout.of(node) {
            let gate = target.gate as usize;
            let change = if value { target.sign } else { -target.sign };
            self.counts[gate] = self.counts[gate].wrapping_add_signed(change);
            self.pending_count += u32::from(bits::put(&mut self.pending, gate, true));
            self.lowest = self.lowest.min(target.gate);
        }
    }

    /// Brings all gates up to date. Gates come after their inputs, so a single ascending pass evaluates each gate at most once.
    pub(super) fn settle(&mut self, circuit: &Circuit, fanout: &Fanout) {
        let mut word = (self.lowest / 64) as usize;
        while self.pending_count > 0 {
            let reached = self.pending[word];
            if reached == 0 {
                word += 1;
                continue;
            }
            self.pending[word] = reached & (reached - 1);
            self.pending_count -= 1;
            let gate = word * 64 + reached.trailing_zeros() as usize;
            let value = self.gate(circuit, gate);
            let node = circuit.first_gate + gate;
            if bits::put(&mut self.values, node, value) {
                self.propagate(fanout, node, value);
            }
        }
        self.lowest = u32::MAX;
    }

    fn gate(&self, circuit: &Circuit, gate: usize) -> bool {
        let count = self.counts[gate];
        match circuit.gates[gate].rule {
            GateRule::Window { min, spread } => count.wrapping_sub(min) <= spread,
            GateRule::Matching { required, .. } if count < required => false,
            GateRule::Matching { columns, required, .. } => {
                let cells = circuit.inputs(&circuit.gates[gate]);
                matrix_has_matching(
                    cells.iter().map(|&cell| read(&self.values, cell)),
                    columns as usize,
                    required as usize,
                )
            }
        }
    }
}
