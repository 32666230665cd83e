//! Transition rules, as far as they tell what can be made from what: cooking, slicing, melting, mixing, washing.

use std::collections::VecDeque;
use std::sync::Arc;

use super::tables::Rows;
use super::taxonomy::{SynsetId, Taxonomy};

/// A rule: where all inputs are, with the machines it takes, the outputs come to exist.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name.
    pub name: Arc<str>,
    /// What is used up, or washed.
    pub inputs: Box<[SynsetId]>,
    /// What it happens in or on: machines, sources of heat, containers.
    pub machines: Box<[SynsetId]>,
    /// What comes to exist, or comes out washed.
    pub outputs: Box<[SynsetId]>,
}

/// Whether the machines of a rule must be at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machines {
    /// There must be one of each, as of the inputs.
    Needed,
    /// They are taken to be somewhere in the scene.
    Assumed,
}

/// The transition rules of a release.
#[derive(Debug, Clone)]
pub struct Rules {
    all: Vec<Rule>,
    /// Of each synset the rules that have it as an input or a machine, and whether as a machine.
    using: Rows<(u32, bool)>,
    making: Rows<u32>,
    /// What rules take where machines are assumed: their inputs.
    inputs: Counts,
    /// What rules take where machines are needed: inputs and machines.
    inputs_and_machines: Counts,
}

/// How much each rule takes.
#[derive(Debug, Clone)]
struct Counts {
    of: Vec<u32>,
    /// The rules that take nothing.
    zero: Vec<u32>,
}

impl Counts {
    fn new(rules: &[Rule], count: impl Fn(&Rule) -> usize) -> Self {
        let of: Vec<u32> = rules.iter().map(|rule| count(rule) as u32).collect();
        let zero = (0..of.len() as u32).filter(|&rule| of[rule as usize] == 0).collect();
        Self { of, zero }
    }
}

impl Rules {
    /// An index of rules over the synsets of a taxonomy.
    pub(super) fn new(taxonomy: &Taxonomy, rules: Vec<Rule>) -> Self {
        let (mut using, mut making) = (Vec::new(), Vec::new());
        for (index, rule) in rules.iter().enumerate() {
            let index = index as u32;
            using.extend(rule.inputs.iter().map(|synset| (synset.0, (index, false))));
            using.extend(rule.machines.iter().map(|synset| (synset.0, (index, true))));
            making.extend(rule.outputs.iter().map(|synset| (synset.0, index)));
        }
        Self {
            using: Rows::new(taxonomy.len(), &using),
            making: Rows::new(taxonomy.len(), &making),
            inputs: Counts::new(&rules, |rule| rule.inputs.len()),
            inputs_and_machines: Counts::new(&rules, |rule| rule.inputs.len() + rule.machines.len()),
            all: rules,
        }
    }

    /// All rules.
    pub fn all(&self) -> &[Rule] {
        &self.all
    }

    /// The rules that make exactly this synset.
    pub fn making(&self, synset: SynsetId) -> impl Iterator<Item = &Rule> {
        self.making.row(synset.index()).iter().map(|&index| &self.all[index as usize])
    }

    /// What there can be, starting from things of some synsets, after any number of rules. A thing of a synset also is one
    /// of each synset above it.
    pub fn reachable(
        &self,
        taxonomy: &Taxonomy,
        start: impl IntoIterator<Item = SynsetId>,
        machines: Machines,
    ) -> Reachable {
        self.explore(taxonomy, start, machines, |_| false)
    }

    /// Whether things of all `wanted` synsets can be made, as [`Reachable::makes`] says.
    pub fn make_all(
        &self,
        taxonomy: &Taxonomy,
        start: impl IntoIterator<Item = SynsetId>,
        machines: Machines,
        wanted: &[SynsetId],
    ) -> bool {
        let all = |reached: &Reachable| wanted.iter().all(|&synset| reached.makes(synset));
        all(&self.explore(taxonomy, start, machines, all))
    }

    /// What there can be, as far as it is known when what has been made is `enough`.
    fn explore(
        &self,
        taxonomy: &Taxonomy,
        start: impl IntoIterator<Item = SynsetId>,
        machines: Machines,
        enough: impl Fn(&Reachable) -> bool,
    ) -> Reachable {
        let takes = match machines {
            Machines::Needed => &self.inputs_and_machines,
            Machines::Assumed => &self.inputs,
        };
        let mut missing = takes.of.clone();
        let mut reached = Reachable { at_hand: vec![false; taxonomy.len()], made: vec![false; taxonomy.len()] };
        let mut open: VecDeque<SynsetId> = start.into_iter().collect();
        for &rule in &takes.zero {
            reached.make(taxonomy, &self.all[rule as usize].outputs, &mut open);
        }
        while let Some(synset) = open.pop_front() {
            if std::mem::replace(&mut reached.at_hand[synset.index()], true) {
                continue;
            }
            open.extend(taxonomy.parents(synset));
            for &(rule, machine) in self.using.row(synset.index()) {
                if machine && machines == Machines::Assumed {
                    continue;
                }
                missing[rule as usize] -= 1;
                if missing[rule as usize] == 0 {
                    reached.make(taxonomy, &self.all[rule as usize].outputs, &mut open);
                    if enough(&reached) {
                        return reached;
                    }
                }
            }
        }
        reached
    }
}

/// Synsets of which there can be things.
#[derive(Debug, Clone)]
pub struct Reachable {
    at_hand: Vec<bool>,
    made: Vec<bool>,
}

impl Reachable {
    /// Whether there can be things of a synset, from the start or made.
    pub fn contains(&self, synset: SynsetId) -> bool {
        self.at_hand[synset.index()]
    }

    /// Whether things of a synset can be made.
    pub fn makes(&self, synset: SynsetId) -> bool {
        self.made[synset.index()]
    }

    /// Notes what a rule makes; `open` gets what may be new.
    fn make(&mut self, taxonomy: &Taxonomy, outputs: &[SynsetId], open: &mut VecDeque<SynsetId>) {
        open.extend(outputs);
        let mut made = outputs.to_vec();
        while let Some(synset) = made.pop() {
            if !std::mem::replace(&mut self.made[synset.index()], true) {
                made.extend(taxonomy.parents(synset));
            }
        }
    }
}
