//! PDDL formulas for ground conditions, with a derived predicate for each disjunction. Conjunctions are flattened, so formulas
//! do not nest.

use rustc_hash::FxHashMap;

use super::ExportError;
use super::names::Names;
use super::sorting;
use crate::Dialect;
use crate::dialect::{Counting, Pairing};
use crate::ground::{GroundGoal, Node, Pairs};

/// The maximum number of objects on the smaller side of a one-to-one pairing, which takes a predicate for each of their
/// subsets.
pub const MAX_MATCHING_SIDE: usize = 10;

/// The maximum number of derived predicates of a goal.
pub const MAX_DERIVED: usize = 1 << 18;

/// Translates ground conditions to PDDL formulas.
pub(super) struct Writer<'a> {
    goal: &'a GroundGoal,
    dialect: Dialect,
    names: &'a Names,
    /// The derived predicates with their bodies; a predicate follows those that its body uses.
    derived: Vec<(String, String)>,
    /// The indices of derived predicates, by body.
    known: FxHashMap<String, usize>,
    /// The formulas of counting and pairing conditions that have been translated, by address and polarity.
    written: FxHashMap<(usize, bool), String>,
    /// The prefix of the names of derived predicates.
    prefix: String,
}

/// The formulas for true and false.
const TRUE: &str = "(and)";
const FALSE: &str = "(or)";

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

    /// Returns the derived predicates: name and body.
    pub(super) fn finish(self) -> Vec<(String, String)> {
        self.derived
    }

    /// Translates a condition, or its negation if `positive` is false.
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
                self.cached(node, positive, |writer| writer.count(*amount as usize, parts, positive))?
            }
            Node::ForPairs(pairs) => self.cached(node, positive, |writer| match writer.dialect.pairing {
                Pairing::Covering => writer.covering(pairs, positive),
                Pairing::Matching => writer.matching(pairs, positive),
            })?,
        })
    }

    /// Translates a counting or pairing condition at most once for each polarity. The operands of such a condition are
    /// translated in both polarities, so without this cache the work would double with each level of nesting.
    fn cached(
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

    /// Translates a condition to a formula that may be used repeatedly: one no longer than an atom.
    fn short(&mut self, node: &Node, positive: bool) -> Result<String, ExportError> {
        let text = self.condition(node, positive)?;
        Ok(self.compact(text))
    }

    /// Returns a formula no longer than an atom: the text itself, or a derived predicate if it is a conjunction.
    fn compact(&mut self, text: String) -> String {
        if text.starts_with("(and ") { self.derive(text) } else { text }
    }

    fn conditions(&mut self, nodes: &[Node], positive: bool) -> Result<Vec<String>, ExportError> {
        nodes.iter().map(|node| self.condition(node, positive)).collect()
    }

    /// Checks that `more` further predicates may be derived.
    fn check_limit(&self, more: usize) -> Result<(), ExportError> {
        if self.derived.len().saturating_add(more) > MAX_DERIVED { Err(ExportError::TooLarge) } else { Ok(()) }
    }

    /// Returns an atom of a derived predicate with the given body.
    fn derive(&mut self, body: String) -> String {
        let place = *self.known.entry(body.clone()).or_insert_with(|| {
            self.derived.push((format!("{}{}", self.prefix, self.derived.len()), body));
            self.derived.len() - 1
        });
        format!("({})", self.derived[place].0)
    }

    /// Returns the disjunction of formulas.
    fn any(&mut self, mut parts: Vec<String>) -> String {
        parts.retain(|part| part != FALSE);
        if parts.iter().any(|part| part == TRUE) {
            return TRUE.to_owned();
        }
        match &parts[..] {
            [] => FALSE.to_owned(),
            [only] => only.clone(),
            _ => self.derive(format!("(or {})", parts.join(" "))),
        }
    }

    /// Returns a formula for "at least `amount` of the parts hold".
    fn at_least(&mut self, amount: usize, parts: &[String]) -> Result<String, ExportError> {
        if amount > parts.len() {
            return Ok(FALSE.to_owned());
        }
        if amount == parts.len() {
            return Ok(all(parts.to_vec()));
        }
        if amount <= 1 {
            return Ok(if amount == 0 { TRUE.to_owned() } else { self.any(parts.to_vec()) });
        }
        let counted = amount.saturating_mul(parts.len() - amount + 1);
        let comparators = sorting::comparators_for_output(parts.len(), amount - 1);
        // Each entry of the counter takes two predicates, and so does each comparator.
        if comparators.len() < counted {
            self.check_limit(2 * comparators.len())?;
            return Ok(self.sorted(parts, amount - 1, &comparators));
        }
        self.check_limit(counted.saturating_mul(2))?;
        // Sequential counter: for the parts so far, formulas for "at least `low` hold", "at least `low + 1` hold", and so on.
        // Smaller counts can no longer lead to `amount`.
        let (mut low, mut counts) = (0, vec![TRUE.to_owned()]);
        for (index, part) in parts.iter().enumerate() {
            let missing = parts.len() - index - 1;
            let next_low = amount.saturating_sub(missing);
            let mut next = Vec::new();
            for count in next_low..=amount.min(index + 1) {
                if count == 0 {
                    next.push(TRUE.to_owned());
                    continue;
                }
                let with = all(vec![part.clone(), counts[count - 1 - low].clone()]);
                let without = counts.get(count - low).cloned().unwrap_or_else(|| FALSE.to_owned());
                let either = self.any(vec![without, with]);
                next.push(self.compact(either));
            }
            (low, counts) = (next_low, next);
        }
        Ok(counts.pop().unwrap_or_else(|| TRUE.to_owned()))
    }

    /// Returns the output at `place` of a sorting network with true values first: whether more than `place` of the parts hold.
    fn sorted(&mut self, parts: &[String], place: usize, comparators: &[(usize, usize)]) -> String {
        let mut outputs = parts.to_vec();
        for &(left, right) in comparators {
            let inputs = vec![outputs[left].clone(), outputs[right].clone()];
            outputs[left] = self.any(inputs.clone());
            outputs[right] = self.compact(all(inputs));
        }
        outputs.swap_remove(place)
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
            // At most `amount` parts hold if all the others do not.
            let Some(others) = parts.len().checked_sub(amount) else { return Ok(FALSE.to_owned()) };
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

    /// Returns a formula for "fewer than `amount` parts hold", from the negations of the parts.
    fn fewer(&mut self, amount: usize, negated: &[String]) -> Result<String, ExportError> {
        match (negated.len() + 1).checked_sub(amount) {
            None => Ok(TRUE.to_owned()),
            Some(_) if amount == 0 => Ok(FALSE.to_owned()),
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
        let mut matrix = vec![vec![FALSE.to_owned(); rights]; pairs.rows.len()];
        for (line, row) in matrix.iter_mut().zip(&pairs.rows) {
            for cell in row {
                line[cell.right as usize] = self.short(&cell.node, true)?;
            }
        }
        if rights > matrix.len() {
            matrix = (0..rights).map(|column| matrix.iter().map(|row| row[column].clone()).collect()).collect();
        }
        let amount = pairs.required();
        let columns = matrix.first().map_or(0, Vec::len);
        let matched = if amount > columns {
            FALSE.to_owned()
        } else if columns > MAX_MATCHING_SIDE {
            return Err(ExportError::TooManyPairs(columns));
        } else {
            self.check_limit(matrix.len() << columns)?;
            self.matched(&matrix, columns, amount)
        };
        Ok(match (positive, &*matched) {
            (true, _) => matched,
            (false, TRUE) => FALSE.to_owned(),
            (false, FALSE) => TRUE.to_owned(),
            // The definitions of derived predicates are acyclic, so negating one keeps the rules stratified.
            (false, _) => format!("(not {matched})"),
        })
    }

    /// Returns a formula for "the matrix has `wanted` disjoint true cells".
    fn matched(&mut self, matrix: &[Vec<String>], columns: usize, amount: usize) -> String {
        // For each set of columns, a formula for "the rows so far can be matched to all of them".
        let mut reachable = vec![FALSE.to_owned(); 1 << columns];
        TRUE.clone_into(&mut reachable[0]);
        for row in matrix {
            // Larger sets come first so that each row is used at most once.
            for set in (1..reachable.len()).rev().filter(|set| set.count_ones() as usize <= amount) {
                let mut assignments = vec![reachable[set].clone()];
                for (column, cell) in row.iter().enumerate().filter(|(column, _)| set >> column & 1 == 1) {
                    assignments.push(all(vec![cell.clone(), reachable[set ^ 1 << column].clone()]));
                }
                let assignment = self.any(assignments);
                reachable[set] = self.compact(assignment);
            }
        }
        let full = reachable.into_iter().enumerate().filter(|(set, _)| set.count_ones() as usize == amount);
        self.any(full.map(|(_, assignment)| assignment).collect())
    }
}

/// Returns the conjunction of formulas, without those that are always true.
fn all(mut parts: Vec<String>) -> String {
    parts.retain(|part| part != TRUE);
    if parts.iter().any(|part| part == FALSE) {
        return FALSE.to_owned();
    }
    match &parts[..] {
        [] => TRUE.to_owned(),
        [only] => only.clone(),
        _ => {
            let mut text = "(and".to_owned();
            for part in &parts {
                text.push(' ');
                // Nested conjunctions are flattened.
                let inner = part.strip_prefix("(and ").and_then(|part| part.strip_suffix(')'));
                text.push_str(inner.unwrap_or(part));
            }
            text.push(')');
            text
        }
    }
}
