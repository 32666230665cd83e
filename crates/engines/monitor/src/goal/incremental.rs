//! One change at a time: gates keep count of their true inputs, and a change is followed only as far as it matters.

use super::circuit::{Circuit, Edge, Rule, read};
use super::single::matches;
use crate::bits;

/// A gate that a node leads to.
#[derive(Debug, Clone, Copy)]
struct Target {
    gate: u32,
    /// Plus one if the input is true where the node is, minus one if it is negated.
    sign: i32,
}

/// Where the nodes of a circuit lead.
#[derive(Debug)]
pub(super) struct Fanout {
    targets: Vec<Target>,
    /// Per node and one more, where its targets begin.
    begins: Vec<u32>,
}

impl Fanout {
    pub(super) fn new(circuit: &Circuit) -> Self {
        let mut begins = vec![0_u32; circuit.nodes() + 2];
        let connections = || {
            let gates = circuit.gates.iter().enumerate();
            gates.flat_map(|(gate, shape)| circuit.inputs(shape).iter().map(move |&input| (gate as u32, input)))
        };
        // Counting sort by node, shifted by one so that filling the targets leaves the beginnings in place.
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

/// A circuit's values while its atoms change.
#[derive(Debug, Clone)]
pub(super) struct Live {
    values: Vec<u64>,
    /// Per gate, how many of its inputs are true.
    counts: Vec<u32>,
    /// The gates that a change has reached, by their place among the gates.
    reached: Vec<u64>,
    /// How many those are.
    waiting: u32,
    /// No gate before this one has been reached.
    lowest: u32,
}

impl Live {
    /// With the values of a state in which everything has been computed.
    pub(super) fn new(circuit: &Circuit, values: Vec<u64>) -> Self {
        let count = |gate| circuit.inputs(gate).iter().filter(|&&input| read(&values, input)).count() as u32;
        let counts: Vec<u32> = circuit.gates.iter().map(count).collect();
        let reached = vec![0; bits::words(circuit.gates.len())];
        Self { values, counts, reached, waiting: 0, lowest: u32::MAX }
    }

    pub(super) fn read(&self, edge: Edge) -> bool {
        read(&self.values, edge)
    }

    /// Whether an atom holds.
    pub(super) fn atom(&self, atom: usize) -> bool {
        bits::get(&self.values, atom)
    }

    /// Gives an atom a value; what follows from it waits for [`settle`](Self::settle).
    pub(super) fn set(&mut self, fanout: &Fanout, atom: usize, value: bool) {
        if bits::put(&mut self.values, atom, value) {
            self.reach(fanout, atom, value);
        }
    }

    /// Counts a node that has changed in the gates that it leads to.
    fn reach(&mut self, fanout: &Fanout, node: usize, value: bool) {
        for target in fanout.of(node) {
            let gate = target.gate as usize;
            let change = if value { target.sign } else { -target.sign };
            self.counts[gate] = self.counts[gate].wrapping_add_signed(change);
            self.waiting += u32::from(bits::put(&mut self.reached, gate, true));
            self.lowest = self.lowest.min(target.gate);
        }
    }

    /// Brings everything up to date. Gates follow their inputs, so going upwards looks at each of them once.
    pub(super) fn settle(&mut self, circuit: &Circuit, fanout: &Fanout) {
        let mut word = (self.lowest / 64) as usize;
        while self.waiting > 0 {
            let reached = self.reached[word];
            if reached == 0 {
                word += 1;
                continue;
            }
            self.reached[word] = reached & (reached - 1);
            self.waiting -= 1;
            let gate = word * 64 + reached.trailing_zeros() as usize;
            let value = self.gate(circuit, gate);
            let node = circuit.first_gate + gate;
            if bits::put(&mut self.values, node, value) {
                self.reach(fanout, node, value);
            }
        }
        self.lowest = u32::MAX;
    }

    fn gate(&self, circuit: &Circuit, gate: usize) -> bool {
        let count = self.counts[gate];
        match circuit.gates[gate].rule {
            Rule::Window { least, spread } => count.wrapping_sub(least) <= spread,
            Rule::Matching { wanted, .. } if count < wanted => false,
            Rule::Matching { columns, wanted, .. } => {
                let cells = circuit.inputs(&circuit.gates[gate]);
                matches(cells.iter().map(|&cell| read(&self.values, cell)), columns as usize, wanted as usize)
            }
        }
    }
}
