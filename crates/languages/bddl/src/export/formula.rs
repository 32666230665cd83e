//! Conditions in PDDL, with a derived predicate for each disjunction. Conjunctions never stand in conjunctions, so nothing nests.

use rustc_hash::FxHashMap;

use super::ExportError;
use super::names::Names;
use super::sorting;
use crate::Dialect;
use crate::dialect::{Counting, Pairing};
use crate::ground::{GroundGoal, Node, Pairs};

/// Most things on the smaller side of one-to-one pairs: there is a predicate for each set of them.
pub const MAX_MATCHED: usize = 10;

/// Most derived predicates of one goal.
pub const MAX_DERIVED: usize = 1 << 18;

/// Writes conditions.
pub(super) struct Writer<'a> {
    goal: &'a GroundGoal,
    dialect: Dialect,
    names: &'a Names,
    /// Derived predicates with their bodies, those used by others before them.
    derived: Vec<(String, String)>,
    /// Derived predicates by body.
    known: FxHashMap<String, usize>,
    /// Counts and pairs that have been written, by their place in memory, with their texts.
    written: FxHashMap<(usize, bool), String>,
    /// What the names of derived predicates begin with.
    prefix: String,
}

/// What is always and never true.
const ALWAYS: &str = "(and)";
const NEVER: &str = "(or)";

impl<'a> Writer<'a> {
    pub(super) fn new(goal: &'a GroundGoal, dialect: Dialect, names: &'a Names) -> Self {
        let prefix = names.free_prefix("part-");
        Self {
            goal,
            dialect,
            names,
            derived: Vec::new(),
            known: FxHashMap::default(),
            written: FxHashMap::default(),
            prefix,
        }
    }

    /// The derived predicates: name and body.
    pub(super) fn finish(self) -> Vec<(String, String)> {
        self.derived
    }

    /// The condition, or its negation.
    pub(super) fn condition(&mut self, node: &Node, positive: bool) -> Result<String, ExportError> {
        Ok(match node {
            Node::Atom(atom) => {
                let atom = self.names.ground_atom(self.goal.atom(*atom));
                if positive { atom } else { format!("(not {atom})") }
            }
            Node::Not(part) => self.condition(part, !positive)?,
            Node::And(parts) | Node::Forall(parts) => {
                let parts = self.conditions(parts, positive)?;
                if positive { all(parts) } else { self.any(parts) }
            }
            Node::Or(parts) | Node::Exists(parts) => {
                let parts = self.conditions(parts, positive)?;
                if positive { self.any(parts) } else { all(parts) }
            }
            Node::Imply(parts) => {
                let parts = vec![self.condition(&parts[0], !positive)?, self.condition(&parts[1], positive)?];
                if positive { self.any(parts) } else { all(parts) }
            }
            Node::ForN(amount, parts) => {
                self.once(node, positive, |writer| writer.count(*amount as usize, parts, positive))?
            }
            Node::ForPairs(pairs) => self.once(node, positive, |writer| match writer.dialect.pairing {
                Pairing::Covering => writer.covering(pairs, positive),
                Pairing::Matching => writer.matching(pairs, positive),
            })?,
        })
    }

    /// Writes a count or pairs, unless that has been done. Their parts are written both ways, so what stands below several of
    /// them would be written ever more often.
    fn once(
        &mut self,
        node: &Node,
        positive: bool,
        write: impl FnOnce(&mut Self) -> Result<String, ExportError>,
    ) -> Result<String, ExportError> {
        let key = (std::ptr::from_ref(node).addr(), positive);
        if let Some(text) = self.written.get(&key) {
            return Ok(text.clone());
        }
        let text = write(self)?;
        self.written.insert(key, text.clone());
        Ok(text)
    }

    /// A condition that is to stand in several places: no longer than an atom.
    fn short(&mut self, node: &Node, positive: bool) -> Result<String, ExportError> {
        let text = self.condition(node, positive)?;
        Ok(self.compact(text))
    }

    /// The text, or a predicate for it if it is a conjunction: no longer than an atom.
    fn compact(&mut self, text: String) -> String {
        if text.starts_with("(and ") { self.derive(text) } else { text }
    }

    fn conditions(&mut self, nodes: &[Node], positive: bool) -> Result<Vec<String>, ExportError> {
        nodes.iter().map(|node| self.condition(node, positive)).collect()
    }

    /// Whether so many more predicates may be derived.
    fn room_for(&self, more: usize) -> Result<(), ExportError> {
        if self.derived.len().saturating_add(more) > MAX_DERIVED { Err(ExportError::TooLarge) } else { Ok(()) }
    }

    /// A predicate with this body.
    fn derive(&mut self, body: String) -> String {
        let place = *self.known.entry(body.clone()).or_insert_with(|| {
            self.derived.push((format!("{}{}", self.prefix, self.derived.len()), body));
            self.derived.len() - 1
        });
        format!("({})", self.derived[place].0)
    }

    /// The disjunction of parts.
    fn any(&mut self, mut parts: Vec<String>) -> String {
        parts.retain(|part| part != NEVER);
        if parts.iter().any(|part| part == ALWAYS) {
            return ALWAYS.to_owned();
        }
        match &parts[..] {
            [] => NEVER.to_owned(),
            [only] => only.clone(),
            _ => self.derive(format!("(or {})", parts.join(" "))),
        }
    }

    /// Whether at least so many of the parts hold.
    fn at_least(&mut self, wanted: usize, parts: &[String]) -> Result<String, ExportError> {
        if wanted > parts.len() {
            return Ok(NEVER.to_owned());
        }
        if wanted == parts.len() {
            return Ok(all(parts.to_vec()));
        }
        if wanted <= 1 {
            return Ok(if wanted == 0 { ALWAYS.to_owned() } else { self.any(parts.to_vec()) });
        }
        let counted = wanted.saturating_mul(parts.len() - wanted + 1);
        let comparators = sorting::needed(parts.len(), wanted - 1);
        // Each of a count takes two predicates, and so does a comparator.
        if comparators.len() < counted {
            self.room_for(2 * comparators.len())?;
            return Ok(self.sorted(parts, wanted - 1, &comparators));
        }
        self.room_for(counted.saturating_mul(2))?;
        // Of the parts so far, whether at least `low`, `low + 1`, .. hold: fewer cannot lead to the number that is wanted any more.
        let (mut low, mut counts) = (0, vec![ALWAYS.to_owned()]);
        for (seen, part) in parts.iter().enumerate() {
            let missing = parts.len() - seen - 1;
            let next_low = wanted.saturating_sub(missing);
            let mut next = Vec::new();
            for count in next_low..=wanted.min(seen + 1) {
                if count == 0 {
                    next.push(ALWAYS.to_owned());
                    continue;
                }
                let with = all(vec![part.clone(), counts[count - 1 - low].clone()]);
                let without = counts.get(count - low).cloned().unwrap_or_else(|| NEVER.to_owned());
                let either = self.any(vec![without, with]);
                next.push(self.compact(either));
            }
            (low, counts) = (next_low, next);
        }
        Ok(counts.pop().unwrap_or_else(|| ALWAYS.to_owned()))
    }

    /// What comes out at a place of the parts sorted by a network, those that hold first: whether more than so many hold.
    fn sorted(&mut self, parts: &[String], place: usize, comparators: &[(usize, usize)]) -> String {
        let mut wires = parts.to_vec();
        for &(one, other) in comparators {
            let both = vec![wires[one].clone(), wires[other].clone()];
            wires[one] = self.any(both.clone());
            wires[other] = self.compact(all(both));
        }
        wires.swap_remove(place)
    }

    fn count(&mut self, amount: usize, nodes: &[Node], positive: bool) -> Result<String, ExportError> {
        let exactly = self.dialect.counting == Counting::Exactly;
        let mut texts = |positive| nodes.iter().map(|node| self.short(node, positive)).collect::<Result<Vec<_>, _>>();
        let (parts, negated) = (texts(true)?, texts(false)?);
        Ok(if positive {
            let enough = self.at_least(amount, &parts)?;
            if !exactly {
                return Ok(enough);
            }
            // Not too many hold: all others do not.
            let Some(others) = parts.len().checked_sub(amount) else { return Ok(NEVER.to_owned()) };
            let others = self.at_least(others, &negated)?;
            all(vec![enough, others])
        } else {
            let too_few = self.fewer(amount, &negated)?;
            if !exactly {
                return Ok(too_few);
            }
            let too_many = self.at_least(amount.saturating_add(1), &parts)?;
            self.any(vec![too_few, too_many])
        })
    }

    /// Whether fewer than so many parts hold, given their negations.
    fn fewer(&mut self, amount: usize, negated: &[String]) -> Result<String, ExportError> {
        match (negated.len() + 1).checked_sub(amount) {
            None => Ok(ALWAYS.to_owned()),
            Some(_) if amount == 0 => Ok(NEVER.to_owned()),
            Some(failing) => self.at_least(failing, negated),
        }
    }

    fn covering(&mut self, pairs: &Pairs, positive: bool) -> Result<String, ExportError> {
        let width = pairs.rows.iter().map(Vec::len).max().unwrap_or(0);
        let (mut rows, mut columns) = (Vec::new(), vec![Vec::new(); width]);
        for row in &pairs.rows {
            let row =
                row.iter().map(|cell| self.short(&cell.node, positive)).collect::<Result<Vec<_>, ExportError>>()?;
            for (column, cell) in columns.iter_mut().zip(&row) {
                column.push(cell.clone());
            }
            rows.push(row);
        }
        let sides = [rows, columns].map(|lines| {
            let line = |line| if positive { self.any(line) } else { all(line) };
            let lines: Vec<String> = lines.into_iter().map(line).collect();
            if positive { self.at_least(pairs.required(), &lines) } else { self.fewer(pairs.required(), &lines) }
        });
        let sides = sides.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(if positive { all(sides) } else { self.any(sides) })
    }

    fn matching(&mut self, pairs: &Pairs, positive: bool) -> Result<String, ExportError> {
        let rights = pairs.rows.iter().flatten().map(|cell| cell.right as usize + 1).max().unwrap_or(0);
        let mut matrix = vec![vec![NEVER.to_owned(); rights]; pairs.rows.len()];
        for (line, row) in matrix.iter_mut().zip(&pairs.rows) {
            for cell in row {
                line[cell.right as usize] = self.short(&cell.node, true)?;
            }
        }
        if rights > matrix.len() {
            matrix = (0..rights).map(|column| matrix.iter().map(|row| row[column].clone()).collect()).collect();
        }
        let wanted = pairs.required();
        let columns = matrix.first().map_or(0, Vec::len);
        let matched = if wanted > columns {
            NEVER.to_owned()
        } else if columns > MAX_MATCHED {
            return Err(ExportError::TooManyPairs(columns));
        } else {
            self.room_for(matrix.len() << columns)?;
            self.matched(&matrix, columns, wanted)
        };
        Ok(match (positive, &*matched) {
            (true, _) => matched,
            (false, ALWAYS) => NEVER.to_owned(),
            (false, NEVER) => ALWAYS.to_owned(),
            // A negation of what is derived from atoms alone: no derivation goes in a circle through it.
            (false, _) => format!("(not {matched})"),
        })
    }

    /// Whether so many pairs can be formed.
    fn matched(&mut self, matrix: &[Vec<String>], columns: usize, wanted: usize) -> String {
        // For each set of columns, whether the rows so far can take all of them.
        let mut taken = vec![NEVER.to_owned(); 1 << columns];
        ALWAYS.clone_into(&mut taken[0]);
        for row in matrix {
            // Larger sets first, so that a row is used once.
            for set in (1..taken.len()).rev().filter(|set| set.count_ones() as usize <= wanted) {
                let mut ways = vec![taken[set].clone()];
                for (column, cell) in row.iter().enumerate().filter(|(column, _)| set >> column & 1 == 1) {
                    ways.push(all(vec![cell.clone(), taken[set ^ 1 << column].clone()]));
                }
                let way = self.any(ways);
                taken[set] = self.compact(way);
            }
        }
        let full = taken.into_iter().enumerate().filter(|(set, _)| set.count_ones() as usize == wanted);
        self.any(full.map(|(_, way)| way).collect())
    }
}

/// The conjunction, without parts that always hold.
fn all(mut parts: Vec<String>) -> String {
    parts.retain(|part| part != ALWAYS);
    if parts.iter().any(|part| part == NEVER) {
        return NEVER.to_owned();
    }
    match &parts[..] {
        [] => ALWAYS.to_owned(),
        [only] => only.clone(),
        _ => {
            let mut text = "(and".to_owned();
            for part in &parts {
                text.push(' ');
                // Of a conjunction only its parts.
                let inner = part.strip_prefix("(and ").and_then(|part| part.strip_suffix(')'));
                text.push_str(inner.unwrap_or(part));
            }
            text.push(')');
            text
        }
    }
}
