//! Declarations and uses of variables.

use goalspec_generator::grammar::Symbol;
use smallvec::SmallVec;

use super::{Repair, pick};
use crate::game::rules::{COLOR_VARIABLES, OBJECT_VARIABLES, ORIENTATION_VARIABLES, Rule, SIDE_VARIABLES};
use crate::game::untyped::FailedDraw;

/// A variable in scope.
pub(super) struct Variable {
    space: u8,
    name: Symbol,
    /// The entries that refer to it.
    uses: Vec<usize>,
}

/// A quantifier around the current entry.
pub(super) struct Quantifier {
    /// The entry after it.
    end: usize,
    /// The position in the scope of its first variable.
    first: usize,
    /// Names that stand for another one inside the quantifier, with the position in the scope of the variable they refer to.
    renamed: Vec<(u8, Symbol, usize)>,
}

/// An argument that is a variable.
#[derive(Clone, Copy)]
struct Argument {
    /// The entry of the name.
    entry: usize,
    space: u8,
    /// The position in the scope of the variable.
    variable: usize,
}

/// Returns the name space of the variables that a term may be; `None` for other rules.
fn term_space(rule: Option<Rule>) -> Option<u8> {
    match rule? {
        Rule::Term | Rule::TypeTerm => Some(OBJECT_VARIABLES),
        Rule::ColorTerm => Some(COLOR_VARIABLES),
        Rule::OrientationTerm => Some(ORIENTATION_VARIABLES),
        Rule::SideTerm => Some(SIDE_VARIABLES),
        _ => None,
    }
}

fn is_in_scope(scope: &[Variable], variable: (u8, Symbol)) -> bool {
    scope.iter().any(|own| (own.space, own.name) == variable)
}

impl Repair<'_, '_> {
    /// Begins a quantifier, if the entry is one.
    pub(super) fn enter_quantifier(&mut self, entry: usize) {
        let first = self.tree.children(entry).next();
        if first.is_some_and(|child| self.tree.symbol(child) == Rule::VariableList.symbol()) {
            let end = self.tree.end(entry);
            self.quantifiers.push(Quantifier { end, first: self.scope.len(), renamed: Vec::new() });
        }
    }

    /// Ends the quantifiers that do not contain an entry.
    pub(super) fn leave_quantifiers(&mut self, entry: usize) {
        while let Some(quantifier) = self.quantifiers.pop_if(|quantifier| quantifier.end <= entry) {
            self.use_variables(quantifier.first);
            self.scope.truncate(quantifier.first);
        }
    }

    /// Gives each variable without a use, from a position of the scope on, a use of another one that has several.
    fn use_variables(&mut self, first: usize) {
        for unused in first..self.scope.len() {
            if !self.scope[unused].uses.is_empty() {
                continue;
            }
            let space = self.scope[unused].space;
            let siblings = (first..self.scope.len()).filter(|&sibling| self.scope[sibling].space == space);
            let shared = siblings.filter(|&sibling| self.scope[sibling].uses.len() > 1);
            let uses = |sibling: usize| (0..self.scope[sibling].uses.len()).map(move |index| (sibling, index));
            let candidates: Vec<(usize, usize)> = shared.flat_map(uses).collect();
            if let Some((sibling, index)) = pick(&candidates, self.stream) {
                let entry = self.scope[sibling].uses.swap_remove(index);
                self.scope[unused].uses.push(entry);
                self.tree.set_symbol(entry, self.scope[unused].name);
            }
        }
    }

    /// Declares the variables of a line. A name that is in scope is replaced.
    pub(super) fn declare(&mut self, line: usize, space: u8) -> Result<(), FailedDraw> {
        let names: SmallVec<[usize; 4]> =
            self.tree.children(line).take_while(|&child| self.tree.symbol(child).is_token()).collect();
        for entry in names {
            let old = self.tree.symbol(entry);
            let name = if is_in_scope(&self.scope, (space, old)) { self.rename(entry, space)? } else { old };
            self.scope.push(Variable { space, name, uses: Vec::new() });
        }
        Ok(())
    }

    /// Replaces the name of the variable that an entry is about to declare by one that neither is in scope nor occurs in the quantifier.
    fn rename(&mut self, entry: usize, space: u8) -> Result<Symbol, FailedDraw> {
        let end = self.quantifiers.last().map_or(self.tree.end(entry), |quantifier| quantifier.end);
        let occurs = |name| self.tree.entries()[entry..end].iter().any(|entry| entry.symbol == name);
        let is_known = |name| is_in_scope(&self.scope, (space, name)) || occurs(name);
        let name = self.sampler.new_variable(space, is_known, self.stream)?;
        if let Some(quantifier) = self.quantifiers.last_mut() {
            quantifier.renamed.push((space, self.tree.symbol(entry), self.scope.len()));
        }
        self.tree.set_symbol(entry, name);
        Ok(name)
    }

    /// Resolves the arguments of a predicate or function.
    pub(super) fn arguments(&mut self, entry: usize) -> Result<(), FailedDraw> {
        let terms: SmallVec<[usize; 4]> = self.tree.children(entry).collect();
        let mut arguments: SmallVec<[Argument; 4]> = SmallVec::new();
        for &term in &terms {
            let Some(space) = term_space(Rule::of(self.tree.symbol(term))) else { continue };
            let entry = term + 1;
            if entry < self.tree.end(term) && self.tree.symbol(entry).is_token() {
                let variable = self.resolve(space, self.tree.symbol(entry))?;
                arguments.push(Argument { entry, space, variable });
            }
        }
        if arguments.len() == terms.len() {
            self.tell_apart(&mut arguments);
        }
        for argument in arguments {
            let variable = &mut self.scope[argument.variable];
            self.tree.set_symbol(argument.entry, variable.name);
            variable.uses.push(argument.entry);
        }
        Ok(())
    }

    /// Replaces one of several arguments that are all the same variable by another variable in scope, if there is one.
    fn tell_apart(&mut self, arguments: &mut [Argument]) {
        let [first, others @ ..] = &*arguments else { return };
        if others.is_empty() || others.iter().any(|other| other.variable != first.variable) {
            return;
        }
        let (same, index) = (first.variable, self.stream.below(arguments.len() as u64) as usize);
        let argument = &mut arguments[index];
        let is_other = |&variable: &usize| variable != same && self.scope[variable].space == argument.space;
        let available: Vec<usize> = (0..self.scope.len()).filter(is_other).collect();
        if let Some(variable) = pick(&available, self.stream) {
            argument.variable = variable;
        }
    }

    /// Returns the position in the scope of the variable to which a name refers. A name that is not in scope stands for a variable that is,
    /// throughout the quantifier that declares it.
    fn resolve(&mut self, space: u8, name: Symbol) -> Result<usize, FailedDraw> {
        let mut end = self.scope.len();
        for quantifier in self.quantifiers.iter().rev() {
            let own = (quantifier.first..end).rev();
            let declared = own.into_iter().find(|&index| {
                let variable = &self.scope[index];
                (variable.space, variable.name) == (space, name)
            });
            let renamed = || quantifier.renamed.iter().rfind(|&&(of, old, _)| (of, old) == (space, name));
            if let Some(variable) = declared.or_else(|| renamed().map(|&(.., variable)| variable)) {
                return Ok(variable);
            }
            end = quantifier.first;
        }
        // A colour may be the argument of a predicate on objects.
        if let Some(variable) = self.scope.iter().rposition(|variable| variable.name == name) {
            return Ok(variable);
        }
        let is_candidate = |&index: &usize| self.scope[index].space == space;
        let candidates: Vec<usize> = (0..self.scope.len()).filter(is_candidate).collect();
        let variable = pick(&candidates, self.stream).ok_or(FailedDraw::Variable)?;
        if let Some(quantifier) = self.quantifiers.iter_mut().rfind(|quantifier| quantifier.first <= variable) {
            quantifier.renamed.push((space, name, variable));
        }
        Ok(variable)
    }
}
