//! Transition rules, reduced to the synsets of inputs, machines and outputs: cooking, slicing, melting, mixing, washing.

use std::collections::VecDeque;
use std::sync::Arc;

use super::tables::JaggedArray;
use super::taxonomy::{SynsetId, Taxonomy};

/// A transition rule: if all inputs and machines are present, the outputs come into existence.
#[derive(Debug, Clone)]
pub struct TransitionRule {
    /// The name of the rule.
    pub name: Arc<str>,
    /// The kind of the rule: the name of the file that it is from, without extension, such as `heat_cook`.
    pub kind: Arc<str>,
    /// The synsets of the objects that the rule consumes or washes.
    pub inputs: Box<[SynsetId]>,
    /// The synsets of the machines, heat sources and containers that the rule takes place in or on.
    pub machines: Box<[SynsetId]>,
    /// The synsets of the objects that the rule creates or washes.
    pub outputs: Box<[SynsetId]>,
    /// The number of objects of each input; 1 for substances.
    pub input_counts: Box<[u32]>,
    /// The number of objects of each output; 1 for substances.
    pub output_counts: Box<[u32]>,
    /// The role of each of the machines.
    pub machine_roles: Box<[MachineRole]>,
    /// The states that the inputs must be in.
    pub input_states: Box<[RuleState]>,
    /// The states that the outputs are in.
    pub output_states: Box<[RuleState]>,
}

/// The role of a machine in a transition rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MachineRole {
    /// A machine that is switched on, with the inputs in it.
    Machine,
    /// An object that heats or cools the container.
    HeatSource,
    /// The container of the inputs.
    Container,
}

/// A state of the objects of one synset, or a relation between the objects of two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleState {
    /// The synsets of the arguments.
    pub synsets: Box<[SynsetId]>,
    /// The predicate.
    pub predicate: Arc<str>,
    /// The value of the predicate.
    pub value: bool,
}

/// A substance that a washing machine removes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WashedSubstance {
    /// The substance.
    pub substance: SynsetId,
    /// The substances of which one must be in the machine; empty if the machine needs none.
    pub agents: Box<[SynsetId]>,
}

/// The treatment of the machines of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineAvailability {
    /// A machine of each kind must be present, like an input.
    Required,
    /// All machines are assumed to be present in the scene.
    Assumed,
}

/// The transition rules of a release.
#[derive(Debug, Clone)]
pub struct TransitionRules {
    all: Vec<TransitionRule>,
    /// For each synset, the rules that have it as an input or a machine, and whether as a machine.
    using: JaggedArray<(u32, bool)>,
    making: JaggedArray<u32>,
    /// The number of inputs of each rule, for assumed machines.
    inputs: Counts,
    /// The number of inputs and machines of each rule, for required machines.
    inputs_and_machines: Counts,
    washed: Vec<WashedSubstance>,
}

/// The number of preconditions of each rule.
#[derive(Debug, Clone)]
struct Counts {
    of: Vec<u32>,
    /// The rules without preconditions.
    zero: Vec<u32>,
}

impl Counts {
    fn new(rules: &[TransitionRule], count: impl Fn(&TransitionRule) -> usize) -> Self {
        let counts: Vec<u32> = rules.iter().map(|rule| count(rule) as u32).collect();
        let zero = (0..counts.len() as u32).filter(|&rule| counts[rule as usize] == 0).collect();
        Self { of: counts, zero }
    }
}

impl TransitionRules {
    /// Indexes rules by the synsets of a taxonomy.
    pub(super) fn new(taxonomy: &Taxonomy, rules: Vec<TransitionRule>, washed: Vec<WashedSubstance>) -> Self {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (index, rule) in rules.iter().enumerate() {
            let index = index as u32;
            inputs.extend(rule.inputs.iter().map(|synset| (synset.0, (index, false))));
            inputs.extend(rule.machines.iter().map(|synset| (synset.0, (index, true))));
            outputs.extend(rule.outputs.iter().map(|synset| (synset.0, index)));
        }
        Self {
            using: JaggedArray::new(taxonomy.len(), &inputs),
            making: JaggedArray::new(taxonomy.len(), &outputs),
            inputs: Counts::new(&rules, |rule| rule.inputs.len()),
            inputs_and_machines: Counts::new(&rules, |rule| rule.inputs.len() + rule.machines.len()),
            all: rules,
            washed,
        }
    }

    /// Returns the substances that washing machines remove.
    pub fn washed_substances(&self) -> &[WashedSubstance] {
        &self.washed
    }

    /// Returns all rules.
    pub fn all(&self) -> &[TransitionRule] {
        &self.all
    }

    /// Returns the rules with exactly this synset among their outputs.
    pub fn with_output(&self, synset: SynsetId) -> impl Iterator<Item = &TransitionRule> {
        self.making.row(synset.index()).iter().map(|&index| &self.all[index as usize])
    }

    /// Computes the synsets that are reachable from the `start` synsets by any number of rule applications. An object of a
    /// synset also counts as one of each synset above it.
    pub fn reachable(
        &self,
        taxonomy: &Taxonomy,
        start: impl IntoIterator<Item = SynsetId>,
        machines: MachineAvailability,
    ) -> ReachableSynsets {
        self.explore(taxonomy, start, machines, |_| false)
    }

    /// Whether objects of all `targets` can be made, in the sense of [`ReachableSynsets::can_make`].
    pub fn can_make_all(
        &self,
        taxonomy: &Taxonomy,
        start: impl IntoIterator<Item = SynsetId>,
        machines: MachineAvailability,
        targets: &[SynsetId],
    ) -> bool {
        let all = |reached: &ReachableSynsets| targets.iter().all(|&synset| reached.can_make(synset));
        all(&self.explore(taxonomy, start, machines, all))
    }

    /// Computes the reachable synsets, but stops early when `is_complete` accepts those found so far.
    fn explore(
        &self,
        taxonomy: &Taxonomy,
        start: impl IntoIterator<Item = SynsetId>,
        machines: MachineAvailability,
        is_complete: impl Fn(&ReachableSynsets) -> bool,
    ) -> ReachableSynsets {
        let is_applicable = match machines {
            MachineAvailability::Required => &self.inputs_and_machines,
            MachineAvailability::Assumed => &self.inputs,
        };
        let mut missing = is_applicable.of.clone();
        let mut reached = ReachableSynsets { at_hand: vec![false; taxonomy.len()], made: vec![false; taxonomy.len()] };
        let mut open: VecDeque<SynsetId> = start.into_iter().collect();
        for &rule in &is_applicable.zero {
            reached.make(taxonomy, &self.all[rule as usize].outputs, &mut open);
        }
        while let Some(synset) = open.pop_front() {
            if std::mem::replace(&mut reached.at_hand[synset.index()], true) {
                continue;
            }
            open.extend(taxonomy.parents(synset));
            for &(rule, machine) in self.using.row(synset.index()) {
                if machine && machines == MachineAvailability::Assumed {
                    continue;
                }
                missing[rule as usize] -= 1;
                if missing[rule as usize] == 0 {
                    reached.make(taxonomy, &self.all[rule as usize].outputs, &mut open);
                    if is_complete(&reached) {
                        return reached;
                    }
                }
            }
        }
        reached
    }
}

/// The result of a reachability analysis: the synsets of which there can be objects.
#[derive(Debug, Clone)]
pub struct ReachableSynsets {
    at_hand: Vec<bool>,
    made: Vec<bool>,
}

impl ReachableSynsets {
    /// Whether there can be objects of a synset, initially or as the output of a rule.
    pub fn contains(&self, synset: SynsetId) -> bool {
        self.at_hand[synset.index()]
    }

    /// Whether rules can make objects of a synset.
    pub fn can_make(&self, synset: SynsetId) -> bool {
        self.made[synset.index()]
    }

    /// Records the outputs of a rule, and adds the synsets that may be new to `open`.
    fn make(&mut self, taxonomy: &Taxonomy, outputs: &[SynsetId], open: &mut VecDeque<SynsetId>) {
        open.extend(outputs);
        let mut produced = outputs.to_vec();
        while let Some(synset) = produced.pop() {
            if !std::mem::replace(&mut self.made[synset.index()], true) {
                produced.extend(taxonomy.parents(synset));
            }
        }
    }
}
