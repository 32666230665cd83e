//! Evidence of recorded plays: the predicates that held at least once, with the types of their arguments.

pub mod recording;

use std::collections::BTreeSet;
use std::fmt;

use goalspec_generator::grammar::{Symbol, Tokens};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use smallvec::{SmallVec, smallvec};

use super::GameGrammar;
use super::features::view::View;
use super::rules::Rule;
use super::vocabulary::{Signature, Vocabulary};

/// Maximum length of the text of an evidence file, in bytes.
pub const MAX_EVIDENCE_BYTES: usize = 1 << 26;

/// The number of literals of a condition that are looked up, as in the published features.
const LITERALS: usize = 4;

/// The reason why a text is no evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvidenceError {
    /// The text is longer than [`MAX_EVIDENCE_BYTES`].
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The text is not JSON.
    Json(String),
    /// There is no list `triples`.
    NoTriples,
    /// A row, counted from 0, is not a predicate with two types, of which those that it lacks are null.
    Row(usize),
    /// The member `predicates` is not a list of names.
    Predicates,
}

impl fmt::Display for EvidenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes } => {
                write!(f, "the text has {bytes} bytes, which exceeds the limit of {MAX_EVIDENCE_BYTES}")
            }
            Self::Json(error) => write!(f, "{error}"),
            Self::NoTriples => f.write_str("expected a list `triples`"),
            Self::Row(row) => {
                write!(f, "triples[{row}]: expected a predicate and two types, or null for a missing one")
            }
            Self::Predicates => f.write_str("expected names in the list `predicates`"),
        }
    }
}

impl std::error::Error for EvidenceError {}

/// A predicate with the types of its arguments.
type Row = (Box<str>, [Option<Box<str>>; 2]);

/// Predicates that held in recorded plays, as rows `[PREDICATE, TYPE, TYPE]` in the member `triples` of a JSON document. The member
/// `predicates`, if there is one, names those that were looked up: of these, what has no row was never the case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayEvidence {
    rows: BTreeSet<Row>,
    examined: BTreeSet<Box<str>>,
}

impl PlayEvidence {
    /// Reads evidence.
    ///
    /// # Errors
    /// If the text is no evidence.
    pub fn from_json(text: &str) -> Result<Self, EvidenceError> {
        if text.len() > MAX_EVIDENCE_BYTES {
            return Err(EvidenceError::TooLong { bytes: text.len() });
        }
        let document: Value = serde_json::from_str(text).map_err(|error| EvidenceError::Json(error.to_string()))?;
        let triples = document["triples"].as_array().ok_or(EvidenceError::NoTriples)?;
        let rows = triples.iter().enumerate().map(|(place, row)| row_of(row).ok_or(EvidenceError::Row(place)));
        let rows = rows.collect::<Result<_, _>>()?;
        let examined = match &document["predicates"] {
            Value::Null => BTreeSet::new(),
            Value::Array(names) => {
                let names = names.iter().map(|name| name.as_str().map(Box::from).ok_or(EvidenceError::Predicates));
                names.collect::<Result<_, _>>()?
            }
            _ => return Err(EvidenceError::Predicates),
        };
        Ok(Self { rows, examined })
    }

    /// Returns the JSON document that [`from_json`](Self::from_json) reads.
    pub fn json(&self) -> Value {
        json!({ "predicates": self.examined, "triples": self.triples().collect::<Vec<_>>() })
    }

    fn triples(&self) -> impl Iterator<Item = Value> + '_ {
        self.rows.iter().map(|(predicate, [first, second])| json!([predicate, first, second]))
    }

    /// Returns the document as text, with a line for each row.
    pub fn text(&self) -> String {
        let rows: Vec<String> = self.triples().map(|row| format!("    {row}")).collect();
        format!("{{\n  \"predicates\": {},\n  \"triples\": [\n{}\n  ]\n}}\n", json!(self.examined), rows.join(",\n"))
    }

    /// Adds what other plays show.
    pub fn merge(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.examined.extend(other.examined);
    }

    /// Forgets which predicates were looked up, so that the rows are all that is known.
    pub fn forget_lookups(&mut self) {
        self.examined.clear();
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the evidence about the names of a grammar. A row also holds of the supertypes of its types; rows with names that the world lacks
    /// are left out.
    pub fn in_world(&self, games: &GameGrammar, tokens: &Tokens) -> WorldEvidence {
        let own = |name: &str| {
            let is_own = |signature: &Signature| *signature.name == *name && !signature.is_function;
            games.vocabulary().signatures.iter().position(is_own).map(Vocabulary::symbol)
        };
        let mut predicates: FxHashSet<Symbol> = self.examined.iter().filter_map(|name| own(name)).collect();
        let mut rows = FxHashSet::default();
        for (predicate, types) in &self.rows {
            let Some(predicate) = own(predicate) else { continue };
            predicates.insert(predicate);
            let [first, second] = types.each_ref().map(|name| alternatives(games, tokens, name.as_deref()));
            for &one in &first {
                rows.extend(second.iter().map(|&other| (predicate, [one, other])));
            }
        }
        // FNV-1a, the same on all machines.
        let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
        let rows_of_file = self.rows.iter().map(|row| format!("{row:?}"));
        let lines = rows_of_file.chain(self.examined.iter().map(ToString::to_string));
        for byte in lines.flat_map(String::into_bytes) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        WorldEvidence { rows, predicates, digest }
    }
}

fn row_of(row: &Value) -> Option<Row> {
    let [predicate, first, second] = &row.as_array()?[..] else { return None };
    let name = |value: &Value| match value {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text.as_str().into())),
        _ => None,
    };
    Some((predicate.as_str()?.into(), [name(first)?, name(second)?]))
}

/// Returns a name with its supertypes; nothing if the world lacks it.
fn alternatives(games: &GameGrammar, tokens: &Tokens, name: Option<&str>) -> SmallVec<[Option<Symbol>; 8]> {
    let Some(name) = name else { return smallvec![None] };
    let Some(own) = tokens.find(name) else { return SmallVec::new() };
    std::iter::once(own).chain(games.ancestors(own).iter().copied()).map(Some).collect()
}

/// Evidence about the names of a world.
#[derive(Debug, Clone, Default)]
pub struct WorldEvidence {
    rows: FxHashSet<(Symbol, [Option<Symbol>; 2])>,
    /// The predicates that were looked up or have a row.
    predicates: FxHashSet<Symbol>,
    digest: u64,
}

/// The shares of a game that recorded plays show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlayedShares {
    /// The share of its predicates.
    pub(super) predicates: f64,
    /// The share of its conjunctions and disjunctions of literals.
    pub(super) small_logicals: f64,
}

impl WorldEvidence {
    /// Returns a digest of the rows of the file.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Returns the shares of a game; 0 where there is nothing to look up.
    pub(super) fn shares(&self, view: &View<'_>) -> PlayedShares {
        let (mut predicates, mut logicals) = ([0_u32; 2], [0_u32; 2]);
        let count = |counts: &mut [u32; 2], is_shown: Option<bool>| {
            if let Some(is_shown) = is_shown {
                counts[0] += u32::from(is_shown);
                counts[1] += 1;
            }
        };
        for entry in 0..view.tree.len() {
            match view.rule(entry) {
                Some(Rule::Predicate) => count(&mut predicates, self.shows(view, entry)),
                Some(rule @ (Rule::And | Rule::Or)) => {
                    let literals = view.tree.children(entry).filter_map(|child| literal(view, child));
                    let literals: Literals = literals.take(LITERALS).collect();
                    if !literals.is_empty() {
                        count(&mut logicals, self.shows_all_or_any(view, rule, &literals));
                    }
                }
                _ => {}
            }
        }
        let share = |[shown, all]: [u32; 2]| if all == 0 { 0.0 } else { f64::from(shown) / f64::from(all) };
        PlayedShares { predicates: share(predicates), small_logicals: share(logicals) }
    }

    /// Returns whether the literals of a conjunction, or one of those of a disjunction, are shown; `None` if one has an undeclared variable.
    fn shows_all_or_any(&self, view: &View<'_>, operator: Rule, literals: &Literals) -> Option<bool> {
        // A conjunction of a predicate and its negation never holds, and their disjunction always does.
        let opposes = |&(predicate, holds): &(usize, bool)| {
            let is_opposite = |&(other, other_holds): &(usize, bool)| {
                holds != other_holds && view.tree.subtree(predicate) == view.tree.subtree(other)
            };
            literals.iter().any(is_opposite)
        };
        if literals.iter().any(opposes) {
            return Some(operator == Rule::Or);
        }
        // That something does not hold is taken to be shown, as the table has only what holds.
        let shown =
            |&(predicate, holds): &(usize, bool)| self.shows(view, predicate).map(|is_shown| !holds || is_shown);
        let shown = literals.iter().map(shown).collect::<Option<SmallVec<[bool; LITERALS]>>>()?;
        Some(if operator == Rule::And { !shown.contains(&false) } else { shown.contains(&true) })
    }

    /// Returns whether a predicate held of some objects of the types of its arguments; `None` if one of these is an undeclared variable. A
    /// table in which the predicate was not looked up and has no row says nothing about it, and any object fits variables of the type of all objects.
    fn shows(&self, view: &View<'_>, predicate: usize) -> Option<bool> {
        let application = view.inner(predicate).filter(|&entry| view.is_application(entry))?;
        let (name, positions) = self.stored(view, view.tree.symbol(application));
        if !self.predicates.contains(&name) {
            return Some(true);
        }
        let terms: SmallVec<[usize; 4]> = view.tree.children(application).collect();
        let mut variables =
            terms.iter().filter(|&&term| view.is_variable(term)).map(|&term| view.variable(term)).peekable();
        let has_variables = variables.peek().is_some();
        let is_any = |types: &[Symbol]| types.iter().any(|&name| view.text(name) == "game_object");
        let mut are_general = true;
        for variable in variables {
            are_general &= is_any(&variable?.types);
        }
        if has_variables && are_general {
            return Some(true);
        }
        let types =
            |position: usize| terms.get(position).map_or_else(|| smallvec![None], |&term| argument_types(view, term));
        let [first, second]: [TypeNames; 2] = positions.map(types);
        Some(first.iter().any(|&one| second.iter().any(|&other| self.rows.contains(&(name, [one, other])))))
    }

    /// Returns the predicate by which the table stores a predicate, with the positions of the arguments that it stores. Nearness and
    /// adjacency of sides are stored as adjacency.
    fn stored(&self, view: &View<'_>, symbol: Symbol) -> (Symbol, [usize; 2]) {
        let vocabulary = view.games.vocabulary();
        let name = vocabulary.signature(symbol).map_or("", |signature| &*signature.name);
        let adjacent = vocabulary.find(false, "adjacent", 2).filter(|_| !self.predicates.contains(&symbol));
        match (name, adjacent) {
            ("near", Some(adjacent)) => (adjacent, [0, 1]),
            ("adjacent_side", Some(adjacent)) => (adjacent, [0, 2]),
            _ => (symbol, [0, 1]),
        }
    }
}

/// Predicates of a condition, and whether each is to hold.
type Literals = SmallVec<[(usize, bool); LITERALS]>;

/// The types of an argument, or its name; `None` for an argument that a predicate lacks.
type TypeNames = SmallVec<[Option<Symbol>; 4]>;

/// Returns the types of a variable, or the name of a constant.
fn argument_types(view: &View<'_>, term: usize) -> TypeNames {
    let Some(variable) = view.variable(term) else { return smallvec![Some(view.argument(term))] };
    variable.types.iter().copied().map(Some).collect()
}

/// Returns the predicate of a condition that is a predicate or the negation of one, and whether it is to hold.
pub(super) fn literal(view: &View<'_>, condition: usize) -> Option<(usize, bool)> {
    let inner = view.inner(condition)?;
    match view.rule(inner)? {
        Rule::Predicate => Some((inner, true)),
        Rule::Not => {
            let negated = view.inner(inner).and_then(|condition| view.inner(condition))?;
            (view.rule(negated) == Some(Rule::Predicate)).then_some((negated, false))
        }
        _ => None,
    }
}
