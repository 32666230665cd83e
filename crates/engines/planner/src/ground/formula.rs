//! Ground formulas: literals, conjunctions and disjunctions, hash-consed.
//!
//! A literal is a proposition with a sign. Propositions are the reachable atoms, followed by numeric comparisons and *parts*:
//! names of disjunctions, defined by axioms.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::GroundError;

/// A literal: twice the index of its proposition, plus one if it is negated.
pub(super) type Literal = u32;

/// Returns the literal of a proposition.
pub(super) fn literal(proposition: u32, wanted: bool) -> Literal {
    proposition << 1 | u32::from(!wanted)
}

/// Returns the proposition of a literal.
pub(super) fn proposition(literal: Literal) -> u32 {
    literal >> 1
}

/// Whether the literal is positive.
pub(super) fn is_positive(literal: Literal) -> bool {
    literal & 1 == 0
}

/// Maximum number of conjunctions and disjunctions of one task.
const MAX_NODES: usize = 1 << 22;

/// Maximum size of the table for a matching.
const MAX_MATCHING: usize = 1 << 18;

/// A ground formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Formula {
    /// A truth value.
    Constant(bool),
    /// A literal.
    Literal(Literal),
    /// A conjunction or disjunction, by index.
    Node(u32),
}

/// A conjunction or disjunction of at least two parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Node {
    is_conjunction: bool,
    parts: Box<[Formula]>,
}

/// The meaning of a proposition other than an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AuxiliaryProposition {
    /// A comparison, by index.
    Comparison(u32),
    /// A named disjunction.
    Part,
}

/// A store of formulas. Nodes have larger indices than their parts.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    nodes: Vec<Node>,
    places: FxHashMap<Node, u32>,
    /// The number of atoms.
    atoms: u32,
    /// The propositions after the atoms.
    extras: Vec<AuxiliaryProposition>,
    /// The names of disjunctions.
    named: FxHashMap<u32, u32>,
    /// The named disjunctions without axioms.
    unaxiomatized: Vec<u32>,
    comparisons: FxHashMap<u32, u32>,
}

/// A disjunction of conjunctions of literals.
pub(super) type Branches = Vec<Vec<Literal>>;

impl Formulas {
    /// Creates an empty store over a number of atoms.
    pub(super) fn new(atoms: u32) -> Self {
        Self { atoms, ..Self::default() }
    }

    /// Returns the propositions after the atoms.
    pub(super) fn extras(&self) -> &[AuxiliaryProposition] {
        &self.extras
    }

    fn declare(&mut self, extra: AuxiliaryProposition) -> u32 {
        self.extras.push(extra);
        self.atoms + self.extras.len() as u32 - 1
    }

    /// Returns the literal of a comparison.
    pub(super) fn comparison(&mut self, place: u32, wanted: bool) -> Formula {
        let proposition = self.comparisons.get(&place).copied().unwrap_or_else(|| {
            let proposition = self.declare(AuxiliaryProposition::Comparison(place));
            self.comparisons.insert(place, proposition);
            proposition
        });
        Formula::Literal(literal(proposition, wanted))
    }

    /// Returns a conjunction.
    ///
    /// # Errors
    /// Returns an error if there are too many formulas.
    pub(super) fn and(&mut self, parts: &[Formula]) -> Result<Formula, GroundError> {
        let mut all = Vec::with_capacity(parts.len());
        for &part in parts {
            match part {
                Formula::Constant(false) => return Ok(part),
                Formula::Constant(true) => {}
                Formula::Node(place) if self.nodes[place as usize].is_conjunction => {
                    all.extend_from_slice(&self.nodes[place as usize].parts);
                }
                _ => all.push(part),
            }
        }
        self.node(true, all)
    }

    /// Returns a disjunction.
    ///
    /// # Errors
    /// Returns an error if there are too many formulas.
    pub(super) fn or(&mut self, parts: &[Formula]) -> Result<Formula, GroundError> {
        let mut all = Vec::with_capacity(parts.len());
        for &part in parts {
            match part {
                Formula::Constant(true) => return Ok(part),
                Formula::Constant(false) => {}
                _ => all.push(part),
            }
        }
        self.node(false, all)
    }

    fn node(&mut self, is_conjunction: bool, mut parts: Vec<Formula>) -> Result<Formula, GroundError> {
        parts.sort_unstable();
        parts.dedup();
        let opposite = |pair: &[Formula]| match pair {
            [Formula::Literal(left), Formula::Literal(right)] => left ^ 1 == *right,
            _ => false,
        };
        if parts.windows(2).any(opposite) {
            return Ok(Formula::Constant(!is_conjunction));
        }
        match parts[..] {
            [] => return Ok(Formula::Constant(is_conjunction)),
            [only] => return Ok(only),
            _ => {}
        }
        if self.nodes.len() == MAX_NODES {
            let what = format!("expanded conditions exceed the limit of {MAX_NODES} parts");
            return Err(GroundError::Unsupported(what));
        }
        let place = self.nodes.len() as u32;
        let node = Node { is_conjunction, parts: parts.into() };
        match self.places.entry(node) {
            Entry::Occupied(entry) => Ok(Formula::Node(*entry.get())),
            Entry::Vacant(entry) => {
                self.nodes.push(entry.key().clone());
                entry.insert(place);
                Ok(Formula::Node(place))
            }
        }
    }

    /// Returns the negation of a formula.
    ///
    /// # Errors
    /// Returns an error if there are too many formulas.
    pub(super) fn not(&mut self, formula: Formula) -> Result<Formula, GroundError> {
        let simple = |formula| match formula {
            Formula::Constant(value) => Some(Formula::Constant(!value)),
            Formula::Literal(literal) => Some(Formula::Literal(literal ^ 1)),
            Formula::Node(_) => None,
        };
        let Formula::Node(top) = formula else { return Ok(simple(formula).unwrap_or(formula)) };
        let mut opposites: FxHashMap<u32, Formula> = FxHashMap::default();
        for place in self.below(top) {
            let Node { is_conjunction, parts } = self.nodes[place as usize].clone();
            let opposite = |part: &Formula| match part {
                Formula::Node(place) => opposites[place],
                other => simple(*other).unwrap_or(*other),
            };
            let parts: Vec<Formula> = parts.iter().map(opposite).collect();
            let made = if is_conjunction { self.or(&parts)? } else { self.and(&parts)? };
            opposites.insert(place, made);
        }
        Ok(opposites[&top])
    }

    /// Returns the nodes below a node, including itself, in ascending order, so that parts come first.
    fn below(&self, top: u32) -> Vec<u32> {
        let mut found = vec![top];
        let mut seen: rustc_hash::FxHashSet<u32> = found.iter().copied().collect();
        let mut at = 0;
        while at < found.len() {
            for part in &self.nodes[found[at] as usize].parts {
                if let Formula::Node(place) = *part
                    && seen.insert(place)
                {
                    found.push(place);
                }
            }
            at += 1;
        }
        found.sort_unstable();
        found
    }

    /// Returns the formula stating that at least `amount` of the parts hold, built as a counter circuit with shared subformulas.
    ///
    /// # Errors
    /// Returns an error if there are too many formulas.
    pub(super) fn at_least(&mut self, amount: usize, parts: &[Formula]) -> Result<Formula, GroundError> {
        let sure = parts.iter().filter(|&&part| part == Formula::Constant(true)).count();
        let open: Vec<Formula> = parts.iter().filter(|part| !matches!(part, Formula::Constant(_))).copied().collect();
        let amount = amount.saturating_sub(sure);
        if amount > open.len() {
            return Ok(Formula::Constant(false));
        }
        let mut reached = vec![Formula::Constant(false); amount + 1];
        reached[0] = Formula::Constant(true);
        for part in open {
            for count in (1..=amount).rev() {
                let one_more = self.and(&[part, reached[count - 1]])?;
                reached[count] = self.or(&[reached[count], one_more])?;
            }
        }
        Ok(reached[amount])
    }

    /// Returns the formula stating that there is a matching: `amount` true cells, no two of which share a row or a column. Computed by
    /// dynamic programming over the sets of columns matched by the first rows.
    ///
    /// # Errors
    /// Returns an error if the table would become too large.
    pub(super) fn matching(&mut self, amount: usize, rows: &[Vec<Formula>]) -> Result<Formula, GroundError> {
        let columns = rows.first().map_or(0, Vec::len);
        if amount > rows.len().min(columns) {
            return Ok(Formula::Constant(false));
        }
        if columns > rows.len() {
            let turned: Vec<Vec<Formula>> =
                (0..columns).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
            return self.matching(amount, &turned);
        }
        if columns >= 32 || (rows.len() * columns) << columns > MAX_MATCHING {
            let what =
                format!("pairing {} objects with {columns} exceeds the size limit of expanded conditions", rows.len());
            return Err(GroundError::Unsupported(what));
        }
        let mut taken = vec![Formula::Constant(false); 1 << columns];
        taken[0] = Formula::Constant(true);
        for row in rows {
            for set in (1..taken.len()).rev() {
                let mut ways = vec![taken[set]];
                for (column, &cell) in row.iter().enumerate().filter(|&(column, _)| set >> column & 1 == 1) {
                    ways.push(self.and(&[cell, taken[set & !(1 << column)]])?);
                }
                taken[set] = self.or(&ways)?;
            }
        }
        let enough = taken.iter().enumerate().filter(|(set, _)| set.count_ones() as usize == amount);
        let enough: Vec<Formula> = enough.map(|(_, &formula)| formula).collect();
        self.or(&enough)
    }

    /// Returns the formula as a disjunction of at most `max` conjunctions of literals. Disjunctions that would exceed this
    /// bound are replaced by names.
    pub(super) fn branches(&mut self, formula: Formula, max: usize) -> Branches {
        let parts = match formula {
            Formula::Constant(value) => return if value { vec![Vec::new()] } else { Vec::new() },
            Formula::Literal(literal) => return vec![vec![literal]],
            Formula::Node(place) if self.nodes[place as usize].is_conjunction => {
                self.nodes[place as usize].parts.clone()
            }
            Formula::Node(_) => Box::from([formula]),
        };
        let mut product = vec![Vec::new()];
        let mut parts = parts.into_vec();
        // Short disjunctions are expanded first, which minimises the number of names.
        parts.sort_by_key(
            |part| if let Formula::Node(place) = part { self.nodes[*place as usize].parts.len() } else { 0 },
        );
        for part in parts {
            let ways = match part {
                Formula::Node(place) => match self.simple_ways(place) {
                    Some(ways) if ways.len() * product.len() <= max => ways,
                    _ => vec![vec![literal(self.name(place), true)]],
                },
                Formula::Literal(literal) => vec![vec![literal]],
                Formula::Constant(_) => continue,
            };
            let with = |way: &Vec<Literal>, branch: &Vec<Literal>| branch.iter().chain(way).copied().collect();
            product = product.iter().flat_map(|branch| ways.iter().map(move |way| with(way, branch))).collect();
        }
        for branch in &mut product {
            branch.sort_unstable();
            branch.dedup();
        }
        product.retain(|branch| !branch.windows(2).any(|pair| pair[0] ^ 1 == pair[1]));
        product
    }

    /// Returns the parts of a disjunction as conjunctions of literals, if all of them have this form.
    fn simple_ways(&self, disjunction: u32) -> Option<Branches> {
        let literals = |part: &Formula| match part {
            Formula::Literal(literal) => Some(vec![*literal]),
            Formula::Node(place) if self.nodes[*place as usize].is_conjunction => {
                let parts = self.nodes[*place as usize].parts.iter();
                parts.map(|part| if let Formula::Literal(literal) = part { Some(*literal) } else { None }).collect()
            }
            _ => None,
        };
        self.nodes[disjunction as usize].parts.iter().map(literals).collect()
    }

    fn name(&mut self, disjunction: u32) -> u32 {
        if let Some(&name) = self.named.get(&disjunction) {
            return name;
        }
        let name = self.declare(AuxiliaryProposition::Part);
        self.named.insert(disjunction, name);
        self.unaxiomatized.push(disjunction);
        name
    }

    /// Removes a named disjunction without axioms from the queue. Returns its name and parts.
    pub(super) fn next_named(&mut self) -> Option<(u32, Box<[Formula]>)> {
        let disjunction = self.unaxiomatized.pop()?;
        Some((self.named[&disjunction], self.nodes[disjunction as usize].parts.clone()))
    }
}
