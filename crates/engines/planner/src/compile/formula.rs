//! Formulas over finite traces in negation normal form, hash-consed, and their progressions.

use goalspec_core::condition::Condition;
use goalspec_core::pattern::Formula;
use rustc_hash::FxHashMap;

use super::CompileErrorKind;
use super::diagram::{FALSE, TRUE};

/// Maximum nesting depth of a formula.
pub const MAX_FORMULA_DEPTH: usize = 512;

/// Maximum number of distinct conditions in one formula.
pub const MAX_CONDITIONS: usize = 256;

/// Maximum number of conjunctions in a progressed formula.
const MAX_ALTERNATIVES: usize = 512;

/// The index of a subformula.
pub(super) type Part = u32;

/// A subformula.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// A proposition with the truth value it must have in the current state.
    Literal(u32, bool),
    /// A conjunction; true if empty.
    All(Vec<Part>),
    /// A disjunction; false if empty.
    Any(Vec<Part>),
    /// Strong next: there is a next state, and the part holds there.
    Next(Part),
    /// Weak next: if there is a next state, the part holds there.
    WeakNext(Part),
    /// Until: the second part holds in the current or a later state, and the first one in all states before it.
    Until(Part, Part),
    /// Release: the second part holds up to and including the first state in which the first part holds, or to the end.
    Release(Part, Part),
}

/// A requirement on the remaining trace in disjunctive normal form. No conjunction implies another one, and no part of a
/// conjunction implies another part of it, as far as [`Formulas::implies`] detects it.
pub(super) type Obligation = Vec<Vec<Part>>;

/// The subformulas of a formula, and the requirements computed from it.
#[derive(Debug)]
pub(super) struct Formulas<'f> {
    /// The propositions.
    pub(super) conditions: Vec<&'f Condition>,
    nodes: Vec<Node>,
    parts: FxHashMap<Node, Part>,
    implied: FxHashMap<(Part, Part), bool>,
    rests: Vec<Obligation>,
    places: FxHashMap<Obligation, u32>,
    /// Whether a requirement had too many conjunctions.
    overflowed: bool,
}

impl<'f> Formulas<'f> {
    pub(super) fn new() -> Self {
        let mut formulas = Self {
            conditions: Vec::new(),
            nodes: Vec::new(),
            parts: FxHashMap::default(),
            implied: FxHashMap::default(),
            rests: Vec::new(),
            places: FxHashMap::default(),
            overflowed: false,
        };
        // The indices of false and true equal the leaf values of diagrams.
        for (place, rest) in [(FALSE, Vec::new()), (TRUE, vec![Vec::new()])] {
            let given = formulas.rest_place(rest);
            debug_assert_eq!(place, given, "rests are numbered in order");
        }
        formulas
    }

    fn part(&mut self, node: Node) -> Part {
        *self.parts.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            (self.nodes.len() - 1) as Part
        })
    }

    /// Returns a subformula.
    pub(super) fn node(&self, part: Part) -> &Node {
        &self.nodes[part as usize]
    }

    /// Converts a formula, or its negation if not `wanted`, to negation normal form.
    pub(super) fn normalize(
        &mut self,
        formula: &'f Formula,
        wanted: bool,
        depth: usize,
    ) -> Result<Part, CompileErrorKind> {
        if depth > MAX_FORMULA_DEPTH {
            return Err(CompileErrorKind::TooDeep);
        }
        let read = |formulas: &mut Self, part: &'f Formula| formulas.normalize(part, wanted, depth + 1);
        let node = match formula {
            Formula::Proposition(Condition::Constant(value)) => return Ok(self.constant(*value == wanted)),
            Formula::Proposition(condition) => Node::Literal(self.proposition(condition)?, wanted),
            Formula::Not(part) => return self.normalize(part, !wanted, depth + 1),
            Formula::And(parts) | Formula::Or(parts) => {
                let conjunction = matches!(formula, Formula::And(_)) == wanted;
                let parts = parts.iter().map(|part| read(self, part)).collect::<Result<Vec<_>, _>>()?;
                return Ok(self.connective(conjunction, parts));
            }
            Formula::Next(part) | Formula::WeakNext(part) => {
                let part = read(self, part)?;
                if matches!(formula, Formula::Next(_)) == wanted { Node::Next(part) } else { Node::WeakNext(part) }
            }
            Formula::Until(parts) | Formula::Release(parts) => {
                let (first, second) = (read(self, &parts[0])?, read(self, &parts[1])?);
                let until = matches!(formula, Formula::Until(_)) == wanted;
                if until { Node::Until(first, second) } else { Node::Release(first, second) }
            }
            Formula::Eventually(part) | Formula::Always(part) => {
                let eventually = matches!(formula, Formula::Eventually(_)) == wanted;
                let (part, throughout) = (read(self, part)?, self.constant(eventually));
                if eventually { Node::Until(throughout, part) } else { Node::Release(throughout, part) }
            }
        };
        Ok(self.part(node))
    }

    fn proposition(&mut self, condition: &'f Condition) -> Result<u32, CompileErrorKind> {
        if let Some(known) = self.conditions.iter().position(|known| *known == condition) {
            return Ok(known as u32);
        }
        if self.conditions.len() == MAX_CONDITIONS {
            return Err(CompileErrorKind::TooManyConditions { limit: MAX_CONDITIONS });
        }
        self.conditions.push(condition);
        Ok((self.conditions.len() - 1) as u32)
    }

    fn constant(&mut self, value: bool) -> Part {
        self.part(if value { Node::All(Vec::new()) } else { Node::Any(Vec::new()) })
    }

    fn connective(&mut self, conjunction: bool, parts: Vec<Part>) -> Part {
        let mut flat = Vec::new();
        for part in parts {
            match (self.node(part), conjunction) {
                (Node::All(inner), true) | (Node::Any(inner), false) => flat.extend(inner),
                (Node::All(inner), false) | (Node::Any(inner), true) if inner.is_empty() => {
                    return self.constant(!conjunction);
                }
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            [only] => only,
            _ => self.part(if conjunction { Node::All(flat) } else { Node::Any(flat) }),
        }
    }

    /// Whether one part implies another, by a sound but incomplete test.
    fn implies(&mut self, left: Part, right: Part) -> bool {
        if left == right {
            return true;
        }
        if let Some(&known) = self.implied.get(&(left, right)) {
            return known;
        }
        let (one, other) = (self.node(left).clone(), self.node(right).clone());
        let result = match (&one, &other) {
            (Node::Any(parts), _) => parts.iter().all(|&part| self.implies(part, right)),
            (_, Node::All(parts)) => parts.iter().all(|&part| self.implies(left, part)),
            _ => {
                (match &one {
                    Node::All(parts) => parts.iter().any(|&part| self.implies(part, right)),
                    &Node::Until(first, second) => self.implies(first, right) && self.implies(second, right),
                    &Node::Release(_, second) => self.implies(second, right),
                    _ => false,
                }) || (match &other {
                    Node::Any(parts) => parts.iter().any(|&part| self.implies(left, part)),
                    &Node::Until(_, second) => self.implies(left, second),
                    &Node::Release(first, second) => self.implies(left, first) && self.implies(left, second),
                    _ => false,
                }) || (match (&one, &other) {
                    (&Node::Next(one), &(Node::Next(other) | Node::WeakNext(other)))
                    | (&Node::WeakNext(one), &Node::WeakNext(other)) => self.implies(one, other),
                    (&Node::Until(a, b), &Node::Until(c, d)) | (&Node::Release(a, b), &Node::Release(c, d)) => {
                        self.implies(a, c) && self.implies(b, d)
                    }
                    _ => false,
                })
            }
        };
        self.implied.insert((left, right), result);
        result
    }

    /// Returns the index of the requirement that a part holds.
    pub(super) fn obligation_of(&mut self, part: Part) -> u32 {
        let conjunction = |formulas: &Self, part: Part| match formulas.node(part) {
            Node::All(parts) => parts.clone(),
            _ => vec![part],
        };
        let rest = match self.node(part).clone() {
            Node::Any(parts) => parts.into_iter().map(|part| conjunction(self, part)).collect(),
            _ => vec![conjunction(self, part)],
        };
        self.reduced(rest)
    }

    /// Returns the requirement with an index.
    pub(super) fn obligation(&self, place: u32) -> &Obligation {
        &self.rests[place as usize]
    }

    /// Whether a limit was exceeded, in which case the requirements are invalid.
    pub(super) fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    /// Returns the index of the conjunction or disjunction of two requirements.
    pub(super) fn join(&mut self, conjunction: bool, left: u32, right: u32) -> u32 {
        let (absorbing, neutral) = if conjunction { (FALSE, TRUE) } else { (TRUE, FALSE) };
        if left == absorbing || right == absorbing {
            return absorbing;
        }
        if left == neutral || left == right {
            return right;
        }
        if right == neutral {
            return left;
        }
        let (one, other) = (self.obligation(left), self.obligation(right));
        let joined: Obligation = if conjunction {
            if one.len() * other.len() > MAX_ALTERNATIVES {
                self.overflowed = true;
                return absorbing;
            }
            one.iter().flat_map(|one| other.iter().map(|other| [&one[..], other].concat())).collect()
        } else {
            one.iter().chain(other).cloned().collect()
        };
        self.reduced(joined)
    }

    fn reduced(&mut self, rest: Obligation) -> u32 {
        let mut reduced: Obligation = Vec::new();
        for mut parts in rest {
            parts.sort_unstable();
            parts.dedup();
            let all = parts.clone();
            // Of equivalent parts, the one with the lowest index is kept.
            let needed = |formulas: &mut Self, part: Part| {
                !all.iter().any(|&other| {
                    other != part && formulas.implies(other, part) && (other < part || !formulas.implies(part, other))
                })
            };
            parts.retain(|&part| needed(self, part));
            if reduced.iter().any(|known| self.all_imply(&parts, known)) {
                continue;
            }
            let mut kept = std::mem::take(&mut reduced);
            kept.retain(|known| !self.all_imply(known, &parts));
            kept.push(parts);
            reduced = kept;
        }
        if reduced.len() > MAX_ALTERNATIVES {
            self.overflowed = true;
            return FALSE;
        }
        reduced.sort_unstable();
        self.rest_place(reduced)
    }

    /// Whether one conjunction implies another.
    fn all_imply(&mut self, conjunction: &[Part], other: &[Part]) -> bool {
        other.iter().all(|&wanted| conjunction.iter().any(|&part| self.implies(part, wanted)))
    }

    fn rest_place(&mut self, rest: Obligation) -> u32 {
        *self.places.entry(rest).or_insert_with_key(|rest| {
            self.rests.push(rest.clone());
            (self.rests.len() - 1) as u32
        })
    }
}
