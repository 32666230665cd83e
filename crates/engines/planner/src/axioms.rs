//! Evaluation of derived variables.
//!
//! Layers are evaluated in ascending order. Within a layer the axioms are Horn clauses, evaluated by counting the unsatisfied
//! body facts of each axiom. When a layer is finished, its variables that still have their default value keep it.

use crate::ground_task::{Fact, ValueSource};
use crate::rows::Rows;
use crate::search_task::Scratch;

/// The axioms of a task, indexed by the facts in their bodies.
#[derive(Debug)]
pub(crate) struct AxiomEvaluator {
    /// Derived variables with their default values.
    derived: Vec<(u32, u32)>,
    /// Variables that are not derived and occur in bodies, with their first propositions.
    watched: Vec<(u32, u32)>,
    /// For each proposition the axioms whose bodies contain it.
    occurrences: Rows<u32>,
    /// For each axiom the number of body facts.
    sizes: Vec<u32>,
    /// For each axiom the variable, value and proposition of its head.
    heads: Vec<(u32, u32, u32)>,
    /// Axioms with empty bodies.
    unconditional: Vec<u32>,
    /// For each layer the variables whose default occurs in bodies, with the default and its proposition.
    defaults: Vec<Vec<(u32, u32, u32)>>,
}

impl AxiomEvaluator {
    /// Indexes the axioms.
    pub(crate) fn new(offsets: &[u32], sources: &[ValueSource], axioms: &[(Vec<Fact>, Fact)]) -> Self {
        let proposition = |fact: Fact| offsets[fact.variable as usize] + fact.value;
        let mut bodies = Rows::default();
        for (body, _) in axioms {
            bodies.push(body.iter().map(|&fact| proposition(fact)));
        }
        let occurrences = Rows::inverse(&bodies, offsets[sources.len()] as usize);
        let mut evaluator = Self {
            derived: Vec::new(),
            watched: Vec::new(),
            sizes: axioms.iter().map(|(body, _)| body.len() as u32).collect(),
            heads: axioms.iter().map(|&(_, head)| (head.variable, head.value, proposition(head))).collect(),
            unconditional: (0u32..)
                .zip(axioms)
                .filter(|(_, (body, _))| body.is_empty())
                .map(|(place, _)| place)
                .collect(),
            defaults: Vec::new(),
            occurrences,
        };
        for (variable, source) in (0u32..).zip(sources) {
            let first = offsets[variable as usize];
            match *source {
                ValueSource::Axioms { layer, default } => {
                    evaluator.derived.push((variable, default));
                    let layer = layer as usize;
                    if evaluator.defaults.len() <= layer {
                        evaluator.defaults.resize(layer + 1, Vec::new());
                    }
                    if !evaluator.occurrences.row(first + default).is_empty() {
                        evaluator.defaults[layer].push((variable, default, first + default));
                    }
                }
                ValueSource::Operators | ValueSource::Comparison(_) => {
                    let last = offsets[variable as usize + 1];
                    if (first..last).any(|proposition| !evaluator.occurrences.row(proposition).is_empty()) {
                        evaluator.watched.push((variable, first));
                    }
                }
            }
        }
        evaluator
    }

    /// Whether there are no derived variables.
    pub(crate) fn is_empty(&self) -> bool {
        self.derived.is_empty()
    }

    /// Computes the values of all derived variables.
    pub(crate) fn evaluate(&self, values: &mut [u32], scratch: &mut Scratch) {
        if self.derived.is_empty() {
            return;
        }
        for &(variable, default) in &self.derived {
            values[variable as usize] = default;
        }
        scratch.counters.clear();
        scratch.counters.extend_from_slice(&self.sizes);
        scratch.queue.clear();
        for &axiom in &self.unconditional {
            self.fire(axiom, values, &mut scratch.queue);
        }
        for &(variable, first) in &self.watched {
            scratch.queue.push(first + values[variable as usize]);
        }
        for defaults in &self.defaults {
            while let Some(proposition) = scratch.queue.pop() {
                for &axiom in self.occurrences.row(proposition) {
                    let counter = &mut scratch.counters[axiom as usize];
                    *counter -= 1;
                    if *counter == 0 {
                        self.fire(axiom, values, &mut scratch.queue);
                    }
                }
            }
            for &(variable, default, proposition) in defaults {
                if values[variable as usize] == default {
                    scratch.queue.push(proposition);
                }
            }
        }
    }

    fn fire(&self, axiom: u32, values: &mut [u32], queue: &mut Vec<u32>) {
        let (variable, value, proposition) = self.heads[axiom as usize];
        if values[variable as usize] != value {
            values[variable as usize] = value;
            queue.push(proposition);
        }
    }
}
