//! Translation of preferences to linear temporal logic over finite traces (`LTLf`).
//!
//! A formula is evaluated at the first state of a trace. The formula of a preference holds on a trace exactly if the preference has a
//! satisfaction in it, so the satisfactions are the minimal segments of a play on which it holds. The translation proceeds from right
//! to left, where `r` is the formula of the operators that follow:
//!
//! | operator | followed by `r` | as the last one |
//! |---|---|---|
//! | `(once p)` | `p ∧ X r` | `p` |
//! | `(hold p)` | `p ∧ X (p U r)` | `p` |
//! | `(hold p)`, if it may be empty | `p U r` | `p` |
//! | `(hold-while p q ..)` | `p U (p ∧ q ∧ X .. (p U r))` | `p U (p ∧ q ∧ X ..)` |
//!
//! A satisfaction may begin in any state, hence the outermost `F`. A satisfaction lies within a segment of states in which all bound
//! objects are present, so evaluate a formula on each such segment. In a state that lacks an object named in a condition, the whole
//! condition is false.

use std::fmt::Write as _;

use goalspec_core::program::Quantifier;
use rustc_hash::FxHashMap;

use crate::ast::condition::{application_text, condition_text, variables_text};
use crate::ast::visit;
use crate::ast::{Condition, Game, PatternBody, Preference, SequenceOperator, TypedVariables};
use crate::dialect::Dialect;

/// A notation for `LTLf` formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum LtlSyntax {
    /// The standard symbols of logic: `¬`, `∧`, `∨`, `X`, `U`, `F`, `⊤`, `⊥`.
    #[default]
    Standard,
    /// The syntax of Spot with `--from-ltlf`, in which the strong next operator is `X[!]`.
    Spot,
    /// The syntax of `LTLf2DFA`, in which the strong next operator is `X`.
    Ltlf2dfa,
}

impl LtlSyntax {
    /// Returns an explanation of the temporal operators, one per line.
    pub fn legend(self) -> String {
        let Symbols { next, .. } = self.signs();
        let blanks = " ".repeat(next.len() - 1);
        format!(
            "Semantics over finite traces of at least one state, from the first state on:\n    \
             {next} (p)    there is a next state, and p holds in it\n    \
             p U (q){blanks}  q holds in this state or a later one, and p in every state before that\n    \
             F (p){blanks}    p holds in this state or a later one\n\
             A formula applies to intervals of states in which all bound objects are present. In a state without an object that\n\
             the condition of an operator names, the whole condition is false.\n"
        )
    }

    fn signs(self) -> Symbols {
        match self {
            Self::Standard => Symbols { and: "∧", or: "∨", not: "¬", next: "X", top: "⊤", bottom: "⊥" },
            Self::Spot => Symbols { and: "&", or: "|", not: "!", next: "X[!]", top: "1", bottom: "0" },
            Self::Ltlf2dfa => Symbols { and: "&", or: "|", not: "!", next: "X", top: "true", bottom: "false" },
        }
    }
}

/// The symbols of a notation. Until is `U` and eventually is `F` in all notations.
struct Symbols {
    and: &'static str,
    or: &'static str,
    not: &'static str,
    next: &'static str,
    top: &'static str,
    bottom: &'static str,
}

/// Maximum number of atoms of a condition that become separate propositions. A larger condition becomes one proposition as a whole,
/// because the formula repeats the conditions of a hold.
const MAX_ATOMS: usize = 12;

/// The meaning of an atomic proposition.
enum Proposition<'a> {
    Condition(&'a Condition),
    /// The function application has a value.
    Defined(&'a crate::ast::Application),
}

/// A formula under construction, with its propositions in order of first use.
struct FormulaWriter<'a> {
    signs: Symbols,
    dialect: Dialect,
    text: String,
    letters: Vec<Proposition<'a>>,
    /// The index of each proposition, by its source text.
    known: FxHashMap<String, usize>,
    /// The number of open parentheses.
    open: usize,
}

/// Translates every preference to a formula with a legend of its propositions. A preference with a syntax error has a line that says so.
pub(super) fn game(game: &Game, dialect: Dialect, syntax: LtlSyntax) -> String {
    let part = |(external, preference): (&[TypedVariables], &Preference)| {
        if visit::has_unparsed_part(preference) || TypedVariables::lack_name(external) {
            let name = if preference.name.is_missing() { "a preference without a name" } else { &preference.name.text };
            return format!("{name}: not translated because of a syntax error\n");
        }
        one(external, preference, dialect, syntax)
    };
    game.preferences().map(part).collect::<Vec<_>>().join("\n")
}

fn one(external: &[TypedVariables], preference: &Preference, dialect: Dialect, syntax: LtlSyntax) -> String {
    let mut writer = FormulaWriter {
        signs: syntax.signs(),
        dialect,
        text: String::new(),
        letters: Vec::new(),
        known: FxHashMap::default(),
        open: 0,
    };
    writer.open("F");
    match &preference.body {
        PatternBody::Then(operators, _) => writer.sequence(operators),
        PatternBody::AtEnd(condition, _) => writer.last(condition),
        PatternBody::Error(_) => {}
    }
    writer.text.extend(std::iter::repeat_n(')', writer.open));
    let mut text = preference.name.text.to_string();
    if !external.is_empty() {
        let _ = write!(text, "  for each ({})", variables_text(external));
    }
    if let Some(quantifier) = &preference.quantifier {
        let word = match quantifier.kind {
            Quantifier::Exists => "exists",
            Quantifier::Forall => "forall",
        };
        let _ = write!(text, "  {word} ({})", variables_text(&quantifier.variables));
    }
    let _ = writeln!(text, "\n    {}", writer.text);
    for (index, letter) in writer.letters.iter().enumerate() {
        let meaning = match letter {
            Proposition::Condition(condition) => condition_text(condition),
            Proposition::Defined(function) => format!("{} has a value", application_text(function)),
        };
        let _ = writeln!(text, "    {} := {meaning}", name(index));
    }
    text
}

/// Returns the name of a proposition: `a` to `z`, then `a1` and so on.
fn name(index: usize) -> String {
    let base = char::from(b'a' + (index % 26) as u8);
    match index / 26 {
        0 => base.to_string(),
        round => format!("{base}{round}"),
    }
}

impl<'a> FormulaWriter<'a> {
    /// Writes an operator and an opening parenthesis, which stays open.
    fn open(&mut self, operator: &str) {
        let _ = write!(self.text, "{operator} (");
        self.open += 1;
    }

    fn next(&mut self) {
        let (and, next) = (self.signs.and, self.signs.next);
        self.open(&format!(" {and} {next}"));
    }

    /// Writes `p U (`.
    fn until(&mut self, condition: &'a Condition) {
        self.operand(condition);
        self.open(" U");
    }

    /// Writes `p ∧ ¬X ⊤`: the condition holds in the last state.
    fn last(&mut self, condition: &'a Condition) {
        self.operand(condition);
        let Symbols { and, not, next, top, .. } = self.signs;
        let _ = write!(self.text, " {and} {not}({next} {top})");
    }

    fn sequence(&mut self, operators: &'a [SequenceOperator]) {
        for (place, operator) in operators.iter().enumerate() {
            let last = place + 1 == operators.len();
            let Some(condition) = operator.condition() else { continue };
            match operator {
                SequenceOperator::Hold(..) if last => self.operand(condition),
                SequenceOperator::Hold(..) => {
                    if self.dialect.min_hold_length(place, operators.len()) > 0 {
                        self.operand(condition);
                        self.next();
                    }
                    self.until(condition);
                }
                SequenceOperator::Once(..) | SequenceOperator::OnceMeasure(..) => {
                    self.operand(condition);
                    if let SequenceOperator::OnceMeasure(_, function, _) = operator {
                        let _ = write!(self.text, " {} ", self.signs.and);
                        self.letter(application_text(function), || Proposition::Defined(function));
                    }
                    if !last {
                        self.next();
                    }
                }
                SequenceOperator::HoldWhile(_, events, _) => self.events(condition, events, last),
                SequenceOperator::Error(_) => {}
            }
        }
    }

    fn events(&mut self, condition: &'a Condition, events: &'a [Condition], last: bool) {
        for (place, event) in events.iter().enumerate() {
            self.until(condition);
            self.operand(condition);
            let _ = write!(self.text, " {} ", self.signs.and);
            self.operand(event);
            if !(last && place + 1 == events.len()) {
                self.next();
            }
        }
        if !last {
            self.until(condition);
        }
    }

    /// Writes a condition as a proposition or in parentheses.
    fn operand(&mut self, condition: &'a Condition) {
        match condition {
            Condition::And(parts, _) if parts.is_empty() => self.text.push_str(self.signs.top),
            Condition::Or(parts, _) if parts.is_empty() => self.text.push_str(self.signs.bottom),
            // Negation binds more tightly than the binary operators.
            Condition::Not(..) if has_few_atoms(condition) => self.connective(condition),
            Condition::And(..) | Condition::Or(..) if has_few_atoms(condition) => {
                self.text.push('(');
                self.connective(condition);
                self.text.push(')');
            }
            _ => self.letter(condition_text(condition), || Proposition::Condition(condition)),
        }
    }

    fn connective(&mut self, condition: &'a Condition) {
        let Symbols { and, or, not, .. } = self.signs;
        let (parts, sign) = match condition {
            Condition::And(parts, _) => (&parts[..], and),
            Condition::Or(parts, _) => (&parts[..], or),
            Condition::Not(part, _) => {
                self.text.push_str(not);
                return self.operand(part);
            }
            _ => return self.operand(condition),
        };
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                let _ = write!(self.text, " {sign} ");
            }
            self.operand(part);
        }
    }

    /// Writes the proposition with the given source text.
    fn letter(&mut self, label: String, meaning: impl FnOnce() -> Proposition<'a>) {
        let letters = &mut self.letters;
        let index = *self.known.entry(label).or_insert_with(|| {
            letters.push(meaning());
            letters.len() - 1
        });
        self.text.push_str(&name(index));
    }
}

/// Returns whether the connectives of the condition join at most [`MAX_ATOMS`] atoms.
fn has_few_atoms(condition: &Condition) -> bool {
    let mut open = vec![condition];
    // The connectives count too, which bounds the number of nodes visited.
    let (mut atoms, mut connectives) = (0, 0);
    while let Some(next) = open.pop() {
        match next {
            Condition::And(parts, _) | Condition::Or(parts, _) => {
                connectives += 1;
                if parts.len() > MAX_ATOMS {
                    return false;
                }
                open.extend(parts);
            }
            Condition::Not(part, _) => {
                connectives += 1;
                open.push(part);
            }
            _ => atoms += 1,
        }
        if atoms > MAX_ATOMS || connectives > 2 * MAX_ATOMS {
            return false;
        }
    }
    true
}
