//! Observation of runs: how often each term of the reward was added and with which values, the outcomes of each branch, and the margin of
//! each comparison.
//!
//! A [`Machine`](crate::Machine) reports to an [`Observer`]. The observer keeps sums and extremes but no steps, so its size depends on the
//! program only.
//!
//! Numbers are recorded as `f64`, which rounds large integers. The contribution of a term is the right operand of its `+=` rather than the
//! difference of two sums, so that it has no rounding error of its own.

mod comparison;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::code::{CodeId, Program, Site, SiteKind, SourceRange};

pub use crate::code::BranchKind;
pub use comparison::{ComparisonStatistics, NearMiss, Range, Relation};

/// The position of a call in the recordings, as the caller counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct CallPosition {
    /// The index of the recording.
    pub recording: u32,
    /// The index of the frame.
    pub frame: u64,
}

/// An operand of a comparison.
#[derive(Debug, Clone)]
pub(crate) enum Operand {
    Number(f64),
    Text(Arc<str>),
    Other,
}

/// The recorded outcomes of a branch.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchStatistics {
    /// The construct whose condition it is.
    pub kind: BranchKind,
    /// The position of the condition.
    pub range: SourceRange,
    /// The number of times that the condition held.
    pub held: u64,
    /// The number of times that the condition did not hold.
    pub failed: u64,
    /// The number of calls in which the condition held at least once.
    pub calls_held: u64,
    /// The first call in which the condition held.
    pub first_held: Option<CallPosition>,
}

/// The recorded values of a divisor.
#[derive(Debug, Clone, PartialEq)]
pub struct DivisorStatistics {
    /// The position of the divisor.
    pub range: SourceRange,
    /// The number of divisions.
    pub count: u64,
    /// The range of its values; `None` if there were no numbers.
    pub values: Option<Range>,
}

/// The recorded contributions of a term.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TermStatistics {
    /// The number of times that it was added.
    pub additions: u64,
    /// The number of calls in which it was added.
    pub calls: u64,
    /// The number of calls in which its contribution was nonzero.
    pub nonzero_calls: u64,
    /// The sum of its contributions.
    pub sum: f64,
    /// The sum of the absolute values of its contributions per call.
    pub absolute_sum: f64,
    /// The range of its contributions per call.
    pub range: Option<Range>,
    /// The first call with a nonzero contribution.
    pub first_nonzero: Option<CallPosition>,
}

/// The statistics of the observed runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunStatistics {
    /// The number of calls.
    pub calls: u64,
    /// The branches, in the order of the text.
    pub branches: Vec<BranchStatistics>,
    /// The comparisons, in the order of the text.
    pub comparisons: Vec<ComparisonStatistics>,
    /// The divisors, in the order of the text.
    pub divisors: Vec<DivisorStatistics>,
    /// The terms, in the order of their probes.
    pub terms: Vec<TermStatistics>,
}

/// The operation at which a run observes the contribution of a term of the reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermProbe {
    /// The site of the operation.
    pub site: Site,
    /// The part of the operation that is the value of the term.
    pub operand: ProbedOperand,
    /// Whether the value is subtracted from the reward.
    pub is_subtracted: bool,
    /// The tracked variable that the term changes, by its index.
    pub variable: usize,
}

/// The part of an operation that is the value of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbedOperand {
    /// The left operand.
    Left,
    /// The right operand.
    Right,
    /// The difference between the result and the previous value of the variable.
    Difference,
}

/// The probes of all terms of a reward function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermProbes {
    /// The probe of each term.
    pub terms: Vec<TermProbe>,
    /// The number of tracked variables.
    pub variable_count: usize,
    /// The sites at which tracked variables are assigned, with the indices of the variables.
    pub tracked_assignments: Vec<(Site, usize)>,
}

/// The use of an observed value.
#[derive(Debug, Clone, Copy)]
enum ValueUse {
    /// Part of the operation is the contribution of a term.
    Term { term: usize, operand: ProbedOperand, is_subtracted: bool, variable: usize },
    /// The value is the new value of a tracked variable.
    Track(usize),
}

/// An observed site of the text.
#[derive(Debug, Clone)]
enum ObservedSite {
    Branch(usize),
    Comparison(usize),
    Divisor(usize),
    Values(Vec<ValueUse>),
}

/// An observer of the runs of one program.
#[derive(Debug, Clone)]
pub struct Observer {
    /// For each code and instruction, one more than the index into `observed_sites`; 0 for unobserved instructions.
    slots: Vec<Vec<u32>>,
    observed_sites: Vec<ObservedSite>,
    /// The latest values of the tracked variables in this call.
    last_values: Vec<f64>,
    /// For each term, its contribution in this call and the number of times that it was added.
    contributions: Vec<(f64, u64)>,
    /// Whether each branch held in this call.
    held_in_call: Vec<bool>,
    position: CallPosition,
    statistics: RunStatistics,
    /// For each code and instruction, the number of times that it ran.
    execution_counts: Vec<Vec<u64>>,
}

impl Observer {
    /// Creates an observer for runs of a program whose terms have these probes.
    pub fn new(program: &Program, probes: &TermProbes) -> Self {
        let mut observer = Self {
            slots: program.codes.iter().map(|code| vec![0; code.instructions.len()]).collect(),
            execution_counts: program.codes.iter().map(|code| vec![0; code.instructions.len()]).collect(),
            observed_sites: Vec::new(),
            last_values: vec![0.0; probes.variable_count],
            contributions: vec![(0.0, 0); probes.terms.len()],
            held_in_call: Vec::new(),
            position: CallPosition::default(),
            statistics: RunStatistics {
                terms: vec![TermStatistics::default(); probes.terms.len()],
                ..RunStatistics::default()
            },
        };
        let mut values = value_uses(probes);
        let mut places: Vec<(Site, usize, u32)> = Vec::new();
        for (code, found) in program.codes.iter().enumerate() {
            places.extend(found.sites.iter().map(|&(instruction, site)| (site, code, instruction)));
        }
        places.sort_unstable();
        // The code of a `finally` block is compiled several times, for one range of the text.
        for group in places.chunk_by(|one, other| one.0 == other.0) {
            let Some(watched) = observer.add_site(group[0].0, &mut values) else { continue };
            observer.observed_sites.push(watched);
            for &(_, code, instruction) in group {
                observer.slots[code][instruction as usize] = observer.observed_sites.len() as u32;
            }
        }
        observer.held_in_call = vec![false; observer.statistics.branches.len()];
        observer
    }

    fn add_site(&mut self, site: Site, values: &mut FxHashMap<Site, Vec<ValueUse>>) -> Option<ObservedSite> {
        let range = site.range;
        match site.kind {
            SiteKind::Branch(kind) => {
                let branch = BranchStatistics { kind, range, held: 0, failed: 0, calls_held: 0, first_held: None };
                self.statistics.branches.push(branch);
                Some(ObservedSite::Branch(self.statistics.branches.len() - 1))
            }
            SiteKind::Comparison => {
                self.statistics.comparisons.push(ComparisonStatistics::new(range));
                Some(ObservedSite::Comparison(self.statistics.comparisons.len() - 1))
            }
            SiteKind::Division => {
                self.statistics.divisors.push(DivisorStatistics { range, count: 0, values: None });
                Some(ObservedSite::Divisor(self.statistics.divisors.len() - 1))
            }
            _ => values.remove(&site).map(ObservedSite::Values),
        }
    }

    /// Begins a call.
    pub fn begin(&mut self, position: CallPosition) {
        self.position = position;
        self.last_values.fill(0.0);
        self.contributions.fill((0.0, 0));
        self.held_in_call.fill(false);
    }

    /// Ends the call and returns the contributions of its terms, in the order of their probes; `None` for terms that were not added.
    pub fn end(&mut self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.statistics.calls += 1;
        for (branch, held) in self.statistics.branches.iter_mut().zip(&self.held_in_call) {
            branch.calls_held += u64::from(*held);
        }
        for (term, &(sum, added)) in self.statistics.terms.iter_mut().zip(&self.contributions) {
            term.add(sum, added, self.position);
        }
        self.contributions.iter().map(|&(sum, added)| (added > 0).then_some(sum))
    }

    /// Returns the statistics of all calls up to now.
    pub fn statistics(&self) -> &RunStatistics {
        &self.statistics
    }

    /// Counts an instruction that is about to run.
    #[inline]
    pub(crate) fn instruction(&mut self, code: CodeId, instruction: usize) {
        if let Some(count) = self.execution_counts.get_mut(code.0 as usize).and_then(|code| code.get_mut(instruction)) {
            *count += 1;
        }
    }

    /// Returns the number of times that each line of the program was executed, from the first line on; `None` for lines without
    /// instructions.
    pub fn line_hits(&self, program: &Program) -> Vec<Option<u64>> {
        let mut hits = vec![None; program.line_starts.len()];
        // Codes are listed outermost first, and their instructions in the order of the text: the first instruction of a line counts for it.
        for (code, counts) in program.codes.iter().zip(&self.execution_counts) {
            let mut first: FxHashMap<usize, (SourceRange, u64)> = FxHashMap::default();
            for (&place, &count) in code.instruction_ranges.iter().zip(counts) {
                let line = program.line_number(place.start) as usize;
                let (range, known) = first.entry(line).or_insert((place, count));
                // The code of a `finally` block is compiled several times.
                if *range == place && *known == 0 {
                    *known = count;
                }
            }
            for (line, (_, count)) in first {
                if let Some(hit @ None) = line.checked_sub(1).and_then(|line| hits.get_mut(line)) {
                    *hit = Some(count);
                }
            }
        }
        hits
    }

    pub(crate) fn slot(&self, code: CodeId, instruction: usize) -> Option<u32> {
        let slot = *self.slots.get(code.0 as usize)?.get(instruction)?;
        slot.checked_sub(1)
    }

    pub(crate) fn branch(&mut self, slot: u32, truth: bool) {
        let ObservedSite::Branch(place) = self.observed_sites[slot as usize] else { return };
        let branch = &mut self.statistics.branches[place];
        if truth {
            branch.held += 1;
            branch.first_held.get_or_insert(self.position);
            self.held_in_call[place] = true;
        } else {
            branch.failed += 1;
        }
    }

    pub(crate) fn comparison(
        &mut self,
        slot: u32,
        operator: crate::operators::ComparisonOperator,
        [left, right]: [Operand; 2],
        truth: bool,
    ) {
        let ObservedSite::Comparison(place) = self.observed_sites[slot as usize] else { return };
        self.statistics.comparisons[place].add(operator, left, right, truth, self.position);
    }

    /// Records a value that is stored or returned.
    pub(crate) fn value(&mut self, slot: u32, number: Option<f64>) {
        self.record_value(slot, [None, None, number]);
    }

    /// Records the operands and the result of an operation.
    pub(crate) fn operation(&mut self, slot: u32, numbers: [Option<f64>; 3]) {
        if let ObservedSite::Divisor(place) = self.observed_sites[slot as usize] {
            let divisor = &mut self.statistics.divisors[place];
            divisor.count += 1;
            if let Some(number) = numbers[1] {
                Range::add(&mut divisor.values, number);
            }
            return;
        }
        self.record_value(slot, numbers);
    }

    fn record_value(&mut self, slot: u32, [left, right, whole]: [Option<f64>; 3]) {
        let Self { observed_sites: watched, last_values: last, contributions: now, .. } = self;
        let ObservedSite::Values(actions) = &watched[slot as usize] else { return };
        for action in actions {
            match *action {
                ValueUse::Term { term, operand, is_subtracted, variable } => {
                    let number = match operand {
                        ProbedOperand::Left => left,
                        ProbedOperand::Right => right,
                        ProbedOperand::Difference => whole.map(|whole| whole - last[variable]),
                    };
                    if let Some(number) = number {
                        now[term].0 += if is_subtracted { -number } else { number };
                        now[term].1 += 1;
                    }
                }
                ValueUse::Track(variable) => last[variable] = whole.unwrap_or(last[variable]),
            }
        }
    }
}

/// Returns the uses of the values at each site, terms before variables.
fn value_uses(probes: &TermProbes) -> FxHashMap<Site, Vec<ValueUse>> {
    let mut all: FxHashMap<Site, Vec<ValueUse>> = FxHashMap::default();
    for (term, probe) in probes.terms.iter().enumerate() {
        let TermProbe { site, operand, is_subtracted, variable } = *probe;
        all.entry(site).or_default().push(ValueUse::Term { term, operand, is_subtracted, variable });
    }
    for &(site, variable) in &probes.tracked_assignments {
        all.entry(site).or_default().push(ValueUse::Track(variable));
    }
    all
}

impl TermStatistics {
    /// Records the contribution of one call, `sum`, which `added` additions make up.
    pub fn add(&mut self, sum: f64, added: u64, position: CallPosition) {
        if added == 0 {
            return;
        }
        self.additions += added;
        self.calls += 1;
        self.sum += sum;
        self.absolute_sum += sum.abs();
        Range::add(&mut self.range, sum);
        if sum != 0.0 {
            self.nonzero_calls += 1;
            self.first_nonzero.get_or_insert(position);
        }
    }

    /// Merges the statistics of later runs into these.
    pub fn merge(&mut self, other: &Self) {
        self.additions += other.additions;
        self.calls += other.calls;
        self.nonzero_calls += other.nonzero_calls;
        self.sum += other.sum;
        self.absolute_sum += other.absolute_sum;
        Range::merge(&mut self.range, other.range);
        self.first_nonzero = self.first_nonzero.or(other.first_nonzero);
    }
}

impl RunStatistics {
    /// Merges the statistics of later runs of the same program into these.
    pub fn merge(&mut self, other: &Self) {
        self.calls += other.calls;
        for (own, other) in self.branches.iter_mut().zip(&other.branches) {
            own.held += other.held;
            own.failed += other.failed;
            own.calls_held += other.calls_held;
            own.first_held = own.first_held.or(other.first_held);
        }
        for (own, other) in self.comparisons.iter_mut().zip(&other.comparisons) {
            own.merge(other);
        }
        for (own, other) in self.divisors.iter_mut().zip(&other.divisors) {
            own.count += other.count;
            Range::merge(&mut own.values, other.values);
        }
        for (own, other) in self.terms.iter_mut().zip(&other.terms) {
            own.merge(other);
        }
    }
}
