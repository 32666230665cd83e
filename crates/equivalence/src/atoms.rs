//! The variables of a comparison: facts, and cells of the values of functions.
//!
//! A linear form such as `(+ (weight a) (* 2 (weight b)))` is compared with finitely many thresholds. For each threshold there are two
//! variables, whether the value of the form is below it, and whether it is not above it, and for each function with its arguments one,
//! whether it has a value. Each assignment of these variables that is consistent is a cell: a threshold, or an open interval between two.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::diagram::{Diagram, Diagrams};
use crate::limits::LimitExceeded;
use crate::linear::LinearForm;
use crate::ratio::Ratio;

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    /// A fact, in the syntax of PDDL.
    Fact(String),
    /// A condition whose truth depends on that of others in a way that is not known.
    Opaque(String),
    /// A function with its arguments has a value.
    Defined(String),
    /// All functions of a form have values, and the value of the form is below a threshold, or equal to it if `or_equal`.
    Below {
        /// The index of the form.
        form: usize,
        /// The threshold.
        threshold: Ratio,
        /// Whether the threshold itself is included.
        or_equal: bool,
    },
}

/// A linear form with the thresholds that it is compared with.
#[derive(Debug)]
struct ComparedForm {
    form: LinearForm,
    thresholds: BTreeSet<Ratio>,
}

/// The variables of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Atoms {
    variables: Vec<Atom>,
    indices: FxHashMap<Atom, u32>,
    forms: Vec<ComparedForm>,
}

impl Atoms {
    /// Returns the diagram of a variable.
    pub(crate) fn diagram(&mut self, atom: Atom, diagrams: &mut Diagrams) -> Result<Diagram, LimitExceeded> {
        let next = self.variables.len() as u32;
        let index = *self.indices.entry(atom.clone()).or_insert(next);
        if index == next {
            self.variables.push(atom);
        }
        diagrams.variable(index)
    }

    /// Returns the diagram of a form below a threshold.
    pub(crate) fn below(
        &mut self,
        form: &LinearForm,
        threshold: Ratio,
        or_equal: bool,
        diagrams: &mut Diagrams,
    ) -> Result<Diagram, LimitExceeded> {
        let known = self.forms.iter().position(|known| known.form == *form);
        let index = known.unwrap_or_else(|| {
            self.forms.push(ComparedForm { form: form.clone(), thresholds: BTreeSet::new() });
            self.forms.len() - 1
        });
        self.forms[index].thresholds.insert(threshold);
        self.diagram(Atom::Below { form: index, threshold, or_equal }, diagrams)
    }

    /// Returns the diagram of all functions having values.
    pub(crate) fn defined<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
        diagrams: &mut Diagrams,
    ) -> Result<Diagram, LimitExceeded> {
        let mut all = Diagram::TRUE;
        for name in names {
            let one = self.diagram(Atom::Defined(name.to_owned()), diagrams)?;
            all = diagrams.and(all, one)?;
        }
        Ok(all)
    }

    /// Returns the diagram of the assignments that are cells: a value below a threshold is below the next one too, and is there.
    pub(crate) fn consistency(&mut self, diagrams: &mut Diagrams) -> Result<Diagram, LimitExceeded> {
        let mut all = Diagram::TRUE;
        for index in 0..self.forms.len() {
            let names: Vec<String> = self.forms[index].form.functions().map(str::to_owned).collect();
            let mut next = self.defined(names.iter().map(String::as_str), diagrams)?;
            for threshold in self.forms[index].thresholds.clone().into_iter().rev() {
                for or_equal in [true, false] {
                    let this = self.diagram(Atom::Below { form: index, threshold, or_equal }, diagrams)?;
                    let implied = diagrams.choose(this, next, Diagram::TRUE)?;
                    all = diagrams.and(all, implied)?;
                    next = this;
                }
            }
        }
        Ok(all)
    }

    /// Returns the fact that a variable stands for; `None` for another condition.
    pub(crate) fn fact(&self, variable: u32) -> Option<&str> {
        match &self.variables[variable as usize] {
            Atom::Fact(text) => Some(text),
            Atom::Opaque(_) | Atom::Defined(_) | Atom::Below { .. } => None,
        }
    }

    /// Whether all variables stand for facts.
    pub(crate) fn are_facts(&self) -> bool {
        self.variables.iter().all(|atom| matches!(atom, Atom::Fact(_)))
    }

    /// Whether each consistent assignment is that of a state. Otherwise different diagrams do not imply different meanings.
    pub(crate) fn is_complete(&self) -> bool {
        let mut functions = BTreeSet::new();
        let is_opaque = |atom: &Atom| matches!(atom, Atom::Opaque(_));
        // Forms with a function in common depend on each other.
        self.forms.iter().flat_map(|compared| compared.form.functions()).all(|name| functions.insert(name))
            && !self.variables.iter().any(is_opaque)
    }

    /// Returns a state in which these variables are true and the others are not: facts, and values of functions.
    pub(crate) fn state(&self, trues: &[u32]) -> Vec<String> {
        let is_true = |atom: &Atom| self.indices.get(atom).is_some_and(|index| trues.contains(index));
        let conditions = trues.iter().filter_map(|&index| match &self.variables[index as usize] {
            Atom::Fact(name) | Atom::Opaque(name) => Some(name.clone()),
            Atom::Defined(name) => {
                let is_compared =
                    self.forms.iter().any(|compared| compared.form.functions().any(|function| function == name));
                (!is_compared).then(|| format!("(= {name} 0)"))
            }
            Atom::Below { .. } => None,
        });
        let values = self.forms.iter().enumerate().filter_map(|(form, compared)| {
            let is_defined = |name: &str| is_true(&Atom::Defined(name.to_owned()));
            if !compared.form.functions().all(is_defined) {
                return None;
            }
            let mut before: Option<Ratio> = None;
            let mut value = None;
            for &threshold in &compared.thresholds {
                if is_true(&Atom::Below { form, threshold, or_equal: false }) {
                    value = Some(before.map_or_else(|| threshold.offset(-1), |before| before.midpoint(threshold)));
                } else if is_true(&Atom::Below { form, threshold, or_equal: true }) {
                    value = Some(threshold.to_f64());
                }
                if value.is_some() {
                    break;
                }
                before = Some(threshold);
            }
            let value = value.or_else(|| before.map(|before| before.offset(1)))?;
            Some(format!("(= {} {value})", compared.form))
        });
        conditions.chain(values).collect()
    }
}
