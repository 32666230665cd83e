//! Arguments: variables in scope, new variables, and named objects that fit a parameter and of which its predicate can hold.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::sampler::{choose, choose_among, choose_at};
use smallvec::{SmallVec, smallvec};

use super::super::slots::Slot;
use super::{
    BindResult, Binder, BoundVariable, EITHER, EXTERNAL, MAX_ADDED_VARIABLES, MAX_DRAWN_BINDINGS, REUSE, Rule,
    Unbindable,
};

/// An argument of a predicate or function that is being chosen.
struct ArgumentPlace {
    /// The predicate or function.
    symbol: Symbol,
    position: usize,
    /// The types or the object of the first argument; empty for the first argument itself.
    first: SmallVec<[Symbol; 4]>,
}

impl Binder<'_> {
    pub(super) fn application(&mut self, entry: usize) -> BindResult {
        let symbol = self.tree.symbol(entry);
        self.games.vocabulary().signature(symbol).filter(|signature| signature.is_available).ok_or(Unbindable)?;
        self.out.open(symbol);
        let mut given: SmallVec<[Symbol; 8]> = SmallVec::new();
        let tree = self.tree;
        for (position, term) in tree.children(entry).enumerate() {
            let rule = self.rule(term).ok_or(Unbindable)?;
            self.out.open(tree.symbol(term));
            let place = ArgumentPlace { symbol, position, first: self.alternatives(given.first().copied()) };
            let name = if rule == Rule::Term {
                self.object(&place, term, &given)?
            } else {
                self.symbolic(rule, &place, term, &given)?
            };
            given.push(name);
            self.out.close();
        }
        self.out.close();
        Ok(())
    }

    /// Returns the types of the variable with a new name, or the name of an object itself.
    fn alternatives(&self, name: Option<Symbol>) -> SmallVec<[Symbol; 4]> {
        let Some(name) = name else { return SmallVec::new() };
        let mut variables = self.frames.iter().flat_map(|frame| &frame.variables);
        variables.find(|variable| variable.name == name).map_or_else(|| smallvec![name], |own| own.types.clone())
    }

    /// Returns whether the predicate of an argument can hold if the argument is one of some types or objects.
    fn admits(&self, place: &ArgumentPlace, names: &[Symbol]) -> bool {
        let first = (place.position > 0).then_some(&place.first[..]);
        self.slots.possible.admits(place.symbol, place.position, names, first)
    }

    /// Finds the variable in scope that an old name denotes. Returns its frame and its position.
    fn find(&self, old: Symbol) -> Option<(usize, usize)> {
        let frames = self.frames.iter().enumerate().rev();
        frames.into_iter().find_map(|(frame, own)| {
            Some((frame, own.variables.iter().position(|variable| variable.old == Some(old))?))
        })
    }

    /// Adds a constant or a variable for a colour, an orientation, a side or a type, and returns it. `given` are the preceding arguments.
    fn symbolic(
        &mut self,
        rule: Rule,
        place: &ArgumentPlace,
        term: usize,
        given: &[Symbol],
    ) -> Result<Symbol, Unbindable> {
        let constant = match rule {
            Rule::ColorTerm => Rule::Color,
            Rule::OrientationTerm => Rule::Orientation,
            Rule::SideTerm => Rule::Side,
            _ => Rule::ObjectType,
        };
        let token = self.tree.symbol(self.tree.end(term) - 1);
        let is_constant = self.tree.end(term) > term + 2;
        if let Some((frame, position)) = self.find(token).filter(|_| !is_constant) {
            let variable = &mut self.frames[frame].variables[position];
            let fits = match rule {
                Rule::ColorTerm => variable.declaration == Rule::ColorVariableTypeDef,
                Rule::OrientationTerm => variable.declaration == Rule::OrientationVariableTypeDef,
                Rule::SideTerm => variable.declaration == Rule::SideVariableTypeDef,
                _ => variable.declaration == Rule::VariableTypeDef,
            };
            if fits && !given.contains(&variable.name) {
                variable.is_used = true;
                self.out.token(variable.name);
                return Ok(variable.name);
            }
        }
        let choices = self.games.constants(constant);
        let is_valid = |token: Symbol| {
            constant != Rule::ObjectType
                || (self.slots.is_inhabited(token)
                    && !given.contains(&token)
                    && self.slots.possible.admits_type(place.symbol, token, &place.first))
        };
        let name = if is_constant && is_valid(token) && choices.contains(&token) {
            token
        } else {
            let valid: SmallVec<[(Symbol, f64); 32]> =
                choices.iter().filter(|&&token| is_valid(token)).map(|&token| (token, 1.0)).collect();
            choose(&valid, self.stream, |_| true).ok_or(Unbindable)?
        };
        self.out.open(constant.symbol());
        self.out.token(name);
        self.out.close();
        Ok(name)
    }

    /// Adds a variable or a named object for an argument that is an object, and returns it. `given` are the preceding arguments.
    fn object(&mut self, place: &ArgumentPlace, term: usize, given: &[Symbol]) -> Result<Symbol, Unbindable> {
        let slots = self.slots;
        let slot = slots.get(place.symbol, place.position).ok_or(Unbindable)?;
        let token = self.tree.symbol(self.tree.end(term) - 1);
        let wants_constant = self.tree.end(term) > term + 2;
        if wants_constant && slot.fits_object(token) && !given.contains(&token) && self.admits(place, &[token]) {
            return Ok(self.named_object(token));
        }
        if let Some((frame, index)) = self.find(token).filter(|_| !wants_constant) {
            let variable = &self.frames[frame].variables[index];
            let fits = slot.fits_variable(&variable.types) && self.admits(place, &variable.types);
            if fits && !given.contains(&variable.name) {
                return Ok(self.existing_variable(frame, index));
            }
        }
        let position = self.stream.uniform();
        let object = |binder: &Self| {
            choose_at(&slot.objects, position, |name| !given.contains(&name) && binder.admits(place, &[name]))
        };
        if wants_constant && let Some(object) = object(self) {
            return Ok(self.named_object(object));
        }
        if let Some(variable) = self.variable(slot, place, given)? {
            return Ok(variable);
        }
        object(self).map(|object| self.named_object(object)).ok_or(Unbindable)
    }

    fn named_object(&mut self, name: Symbol) -> Symbol {
        self.out.open(Rule::ObjectName.symbol());
        self.out.token(name);
        self.out.close();
        name
    }

    fn existing_variable(&mut self, frame: usize, index: usize) -> Symbol {
        let variable = &mut self.frames[frame].variables[index];
        variable.is_used = true;
        self.out.token(variable.name);
        variable.name
    }

    /// Adds a variable in scope or a new one. Returns `None` if no variable fits.
    fn variable(&mut self, slot: &Slot, place: &ArgumentPlace, given: &[Symbol]) -> Result<Option<Symbol>, Unbindable> {
        let mut fitting: SmallVec<[((usize, usize), f64); 8]> = SmallVec::new();
        for (frame, own) in self.frames.iter().enumerate() {
            for (index, variable) in own.variables.iter().enumerate() {
                let fits = slot.fits_variable(&variable.types) && self.admits(place, &variable.types);
                if fits && !given.contains(&variable.name) {
                    // A declared variable that nothing uses yet would otherwise be dropped.
                    fitting.push(((frame, index), if variable.is_used { 1.0 } else { 2.0 }));
                }
            }
        }
        let target = self.growing_frame();
        let may_grow = !slot.types.is_empty()
            && target
                .is_some_and(|frame| fitting.is_empty() || self.frames[frame].variables.len() < MAX_ADDED_VARIABLES);
        if !fitting.is_empty() && (!may_grow || self.stream.uniform() < REUSE) {
            let chosen = choose(&fitting, self.stream, |_| true);
            return Ok(chosen.map(|(frame, index)| self.existing_variable(frame, index)));
        }
        let (Some(frame), true) = (target, may_grow) else { return Ok(None) };
        // Choices are tried until one fits: most do, and to test each of them would be slow.
        let mut tried: SmallVec<[Symbol; 8]> = SmallVec::new();
        let first = loop {
            let total = tried.is_empty().then_some(slot.types_weight);
            let chosen = choose_among(&slot.types, total, self.stream, |name| !tried.contains(&name));
            let Some(chosen) = chosen else { return Ok(None) };
            if self.admits(place, &[chosen]) && self.has_room(&[], &[chosen], MAX_DRAWN_BINDINGS) {
                break chosen;
            }
            tried.push(chosen);
        };
        let mut types: SmallVec<[Symbol; 4]> = smallvec![first];
        if self.stream.uniform() < EITHER {
            let parent = self.games.parent(first);
            let is_related =
                |name: Symbol| name == first || parent == Some(name) || self.games.parent(name) == Some(first);
            types.extend(choose(&slot.types, self.stream, |name| !is_related(name)));
            if !self.has_room(&[], &types, MAX_DRAWN_BINDINGS) {
                types.truncate(1);
            }
        }
        let name = self.fresh(Rule::VariableTypeDef)?;
        let declaration = Rule::VariableTypeDef;
        let domain = self.slots.possible.domain_size(&types);
        let variable = BoundVariable { old: None, name, declaration, types, domain, line: 0, is_used: true };
        self.frames[frame].variables.push(variable);
        self.out.token(name);
        Ok(Some(name))
    }

    /// Returns the quantifier that a new variable joins.
    fn growing_frame(&mut self) -> Option<usize> {
        let external = self.frames.iter().position(|frame| frame.is_external && frame.can_grow);
        let inner = self.frames.iter().rposition(|frame| frame.can_grow && !frame.is_external);
        match (external, inner) {
            (Some(external), Some(inner)) => {
                let is_external = self.frames[external].variables.len() < 2 && self.stream.uniform() < EXTERNAL;
                Some(if is_external { external } else { inner })
            }
            (external, inner) => inner.or(external),
        }
    }
}
