//! The choice of names: variables, objects, preferences and the types of counts, such that a game checks without an error.
//!
//! The body of a quantifier is bound before its variables are declared. An argument takes a variable in scope, a new variable of the
//! innermost quantifier, or a named object, whichever fits the parameter; the declarations follow from what the body uses. So variables
//! are used, have fitting types and never shadow each other. A quantifier without variables is left out, and preferences that are not
//! counted are added to the score.
//!
//! Names that already fit are kept, so the same pass completes drawn games and repairs games after an edit.

use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::sampler::choose;
use goalspec_generator::tree::{Tree, TreeBuilder};
use goalspec_resource::random::RandomStream;
use smallvec::SmallVec;

use super::GameGrammar;
use super::rules::Rule;
use super::slots::{Slot, Slots};

/// Maximum number of variables of one quantifier that binding adds. Beyond it, arguments take existing variables.
pub(super) const MAX_ADDED_VARIABLES: usize = 6;

/// Maximum number of variables and of preferences of a bound game.
pub(super) const MAX_BOUND_NAMES: usize = 64;

/// The probability that an argument takes an existing variable rather than a new one.
const REUSE: f64 = 0.75;
/// The probability that a new variable becomes external, where the preference is inside a `forall` that was drawn.
const EXTERNAL: f64 = 0.5;
/// The probability that a new variable has a second type.
const EITHER: f64 = 0.1;

/// The canonical names of bound games, as tokens.
#[derive(Debug, Clone)]
pub(super) struct CanonicalNames {
    objects: Vec<Symbol>,
    colors: Vec<Symbol>,
    orientations: Vec<Symbol>,
    sides: Vec<Symbol>,
    preferences: Vec<Symbol>,
    plus: Symbol,
}

impl CanonicalNames {
    pub(super) fn new(tokens: &mut Tokens) -> Self {
        let mut numbered = |prefix: &str| -> Vec<Symbol> {
            (0..MAX_BOUND_NAMES).map(|number| tokens.intern(&format!("{prefix}{number}"))).collect()
        };
        let [objects, colors, orientations, sides, preferences] =
            ["?v", "?x", "?y", "?z", "preference"].map(&mut numbered);
        Self { objects, colors, orientations, sides, preferences, plus: tokens.intern("+") }
    }
}

/// A variable of a quantifier.
#[derive(Debug, Clone)]
struct BoundVariable {
    /// Its name before binding, if it had one.
    old: Option<Symbol>,
    name: Symbol,
    declaration: Rule,
    types: SmallVec<[Symbol; 4]>,
    /// The entry that declared it; 0 for a new variable.
    line: usize,
    is_used: bool,
}

/// The variables of a quantifier whose body is being bound.
#[derive(Debug, Clone, Default)]
struct Frame {
    variables: Vec<BoundVariable>,
    /// Whether new variables may be added.
    can_grow: bool,
    is_external: bool,
}

/// A bound preference.
#[derive(Debug, Clone)]
struct BoundPreference {
    old: Symbol,
    name: Symbol,
    /// The types of each external variable.
    external: Vec<SmallVec<[Symbol; 4]>>,
    has_measure: bool,
    is_counted: bool,
}

/// Binds the names of one game.
pub(super) struct Binder<'a> {
    pub(super) games: &'a GameGrammar,
    pub(super) slots: &'a Slots,
    pub(super) names: &'a CanonicalNames,
    pub(super) tree: &'a Tree,
    pub(super) stream: &'a mut RandomStream,
    out: TreeBuilder,
    frames: Vec<Frame>,
    preferences: Vec<BoundPreference>,
    /// The numbers of variables of each name space so far.
    numbers: [usize; 4],
    /// The external variables that the preferences counted at this place have.
    externals: Option<Vec<SmallVec<[Symbol; 4]>>>,
}

/// The reason why a game has no binding: too many names, or an argument that nothing in the world fits.
pub(super) struct Unbindable;

type BindResult = Result<(), Unbindable>;

impl<'a> Binder<'a> {
    pub(super) fn new(
        games: &'a GameGrammar,
        slots: &'a Slots,
        names: &'a CanonicalNames,
        tree: &'a Tree,
        stream: &'a mut RandomStream,
    ) -> Self {
        let (out, frames, preferences) = (TreeBuilder::default(), Vec::new(), Vec::new());
        Self { games, slots, names, tree, stream, out, frames, preferences, numbers: [0; 4], externals: None }
    }

    /// Returns the bound game.
    pub(super) fn game(mut self) -> Result<Tree, Unbindable> {
        self.node(0)?;
        Ok(self.out.finish())
    }

    fn rule(&self, entry: usize) -> Option<Rule> {
        Rule::of(self.tree.symbol(entry))
    }

    /// Runs a function that adds entries, and returns these entries instead.
    fn aside(&mut self, bind: impl FnOnce(&mut Self) -> BindResult) -> Result<Tree, Unbindable> {
        let outer = std::mem::take(&mut self.out);
        let result = bind(self);
        let inner = std::mem::replace(&mut self.out, outer);
        result.map(|()| inner.finish())
    }

    fn children(&mut self, entry: usize) -> BindResult {
        let tree = self.tree;
        tree.children(entry).try_for_each(|child| self.node(child))
    }

    fn node(&mut self, entry: usize) -> BindResult {
        let symbol = self.tree.symbol(entry);
        if symbol.is_token() {
            self.out.token(symbol);
            return Ok(());
        }
        let tree = self.tree;
        let inner = || tree.children(entry).next();
        match Rule::of(symbol) {
            None => self.application(entry),
            Some(Rule::SetupDef) => self.setup(entry),
            Some(Rule::Setup | Rule::Condition) => match inner().and_then(|inner| Some((inner, self.rule(inner)?))) {
                Some((quantifier, Rule::SetupExists | Rule::SetupForall | Rule::Exists | Rule::Forall)) => {
                    self.quantified(symbol, quantifier)
                }
                _ => self.copy(entry),
            },
            Some(Rule::PrefDef) => match inner() {
                Some(forall) if self.rule(forall) == Some(Rule::PrefForall) => self.forall(forall),
                _ => self.copy(entry),
            },
            Some(Rule::Preference) => self.preference(entry),
            Some(Rule::PrefBody) => self.body(entry),
            Some(Rule::ScoringDef) => self.scoring(entry),
            Some(Rule::ScoringExpr) => match inner() {
                Some(external)
                    if matches!(self.rule(external), Some(Rule::ExternalMaximize | Rule::ExternalMinimize)) =>
                {
                    self.external(entry, external)
                }
                _ => self.copy(entry),
            },
            Some(Rule::PreferenceEval) => self.count(entry),
            Some(_) => self.copy(entry),
        }
    }

    fn copy(&mut self, entry: usize) -> BindResult {
        self.out.open(self.tree.symbol(entry));
        self.children(entry)?;
        self.out.close();
        Ok(())
    }

    /// Returns the frame of a quantifier with the variables that its list declares.
    fn frame(&mut self, list: Option<usize>, is_external: bool) -> Result<Frame, Unbindable> {
        let mut frame = Frame { is_external, can_grow: true, ..Frame::default() };
        let Some(list) = list else { return Ok(frame) };
        let tree = self.tree;
        for line in tree.children(list) {
            let declaration = Rule::of(tree.symbol(line)).ok_or(Unbindable)?;
            let definition = tree.children(line).find(|&child| !tree.symbol(child).is_token()).ok_or(Unbindable)?;
            let tokens = tree.subtree(definition).iter().map(|entry| entry.symbol).filter(|symbol| symbol.is_token());
            let mut types: SmallVec<[Symbol; 4]> = SmallVec::new();
            for name in tokens {
                let is_known = declaration != Rule::VariableTypeDef || self.slots.is_inhabited(name);
                if is_known && !types.contains(&name) {
                    types.push(name);
                }
            }
            for old in tree.children(line).map(|child| tree.symbol(child)).filter(|name| name.is_token()) {
                if types.is_empty() || frame.variables.iter().any(|variable| variable.old == Some(old)) {
                    continue;
                }
                let name = self.fresh(declaration)?;
                let types = types.clone();
                frame.variables.push(BoundVariable { old: Some(old), name, declaration, types, line, is_used: false });
            }
        }
        // The variables of a list that was written are those of the author; an external one is never added to them.
        frame.can_grow = !is_external || frame.variables.is_empty();
        Ok(frame)
    }

    /// Returns a variable name that the game does not contain yet.
    fn fresh(&mut self, declaration: Rule) -> Result<Symbol, Unbindable> {
        let (space, names) = match declaration {
            Rule::ColorVariableTypeDef => (1, &self.names.colors),
            Rule::OrientationVariableTypeDef => (2, &self.names.orientations),
            Rule::SideVariableTypeDef => (3, &self.names.sides),
            _ => (0, &self.names.objects),
        };
        let number = self.numbers[space];
        self.numbers[space] += 1;
        names.get(number).copied().ok_or(Unbindable)
    }

    /// Binds a part in the scope of a quantifier. Returns its entries and the variables that it uses.
    fn scoped(
        &mut self,
        frame: Frame,
        bind: impl FnOnce(&mut Self) -> BindResult,
    ) -> Result<(Tree, Vec<BoundVariable>), Unbindable> {
        self.frames.push(frame);
        let body = self.aside(bind);
        let frame = self.frames.pop().unwrap_or_default();
        let mut used = frame.variables;
        used.retain(|variable| variable.is_used);
        Ok((body?, used))
    }

    /// Adds the list of the variables of a quantifier.
    fn variables(&mut self, variables: &[BoundVariable]) {
        self.out.open(Rule::VariableList.symbol());
        let mut index = 0;
        while let Some(first) = variables.get(index) {
            let is_same = |other: &BoundVariable| {
                other.types == first.types && other.line == first.line && other.declaration == first.declaration
            };
            let count = variables[index..].iter().take_while(|other| is_same(other)).count();
            self.out.open(first.declaration.symbol());
            variables[index..index + count].iter().for_each(|variable| self.out.token(variable.name));
            self.types(first.declaration, &first.types);
            self.out.close();
            index += count;
        }
        self.out.close();
    }

    fn types(&mut self, declaration: Rule, types: &[Symbol]) {
        let [definition, single, either, member] = match declaration {
            Rule::ColorVariableTypeDef => {
                [Rule::ColorTypeDefinition, Rule::ColorType, Rule::EitherColorTypes, Rule::Color]
            }
            Rule::OrientationVariableTypeDef => [
                Rule::OrientationTypeDefinition,
                Rule::OrientationType,
                Rule::EitherOrientationTypes,
                Rule::Orientation,
            ],
            Rule::SideVariableTypeDef => [Rule::SideTypeDefinition, Rule::SideType, Rule::EitherSideTypes, Rule::Side],
            _ => [Rule::TypeDefinition, Rule::ObjectType, Rule::EitherTypes, Rule::ObjectType],
        };
        self.out.open(definition.symbol());
        if types.len() > 1 {
            self.out.open(either.symbol());
        }
        for &name in types {
            self.out.open(if types.len() > 1 { member } else { single }.symbol());
            self.out.token(name);
            self.out.close();
        }
        if types.len() > 1 {
            self.out.close();
        }
        self.out.close();
    }

    fn setup(&mut self, entry: usize) -> BindResult {
        let frame = self.frame(None, false)?;
        let (body, used) = self.scoped(frame, |binder| binder.children(entry))?;
        self.out.open(self.tree.symbol(entry));
        if !used.is_empty() {
            self.out.open(Rule::Setup.symbol());
            self.out.open(Rule::SetupExists.symbol());
            self.variables(&used);
        }
        self.out.subtrees(body.entries());
        if !used.is_empty() {
            self.out.close();
            self.out.close();
        }
        self.out.close();
        Ok(())
    }

    /// Binds a quantifier with the node around it. Without variables, the body takes the place of both.
    fn quantified(&mut self, wrapper: Symbol, quantifier: usize) -> BindResult {
        let mut parts = self.tree.children(quantifier);
        let (list, body) = (parts.next(), parts.next().ok_or(Unbindable)?);
        let frame = self.frame(list, false)?;
        let (body, used) = self.scoped(frame, |binder| binder.node(body))?;
        if used.is_empty() {
            self.out.subtrees(body.entries());
            return Ok(());
        }
        self.out.open(wrapper);
        self.out.open(self.tree.symbol(quantifier));
        self.variables(&used);
        self.out.subtrees(body.entries());
        self.out.close();
        self.out.close();
        Ok(())
    }

    /// Binds preferences with external variables. Without such variables, each is an entry of its own.
    fn forall(&mut self, forall: usize) -> BindResult {
        let mut parts = self.tree.children(forall);
        let (list, group) = (parts.next(), parts.next().ok_or(Unbindable)?);
        let first = self.preferences.len();
        let frame = self.frame(list, true)?;
        let (body, used) = self.scoped(frame, |binder| binder.children(group))?;
        if used.is_empty() {
            let mut next = 0;
            while next < body.len() {
                self.out.open(Rule::PrefDef.symbol());
                self.out.subtrees(body.subtree(next));
                self.out.close();
                next = body.end(next);
            }
            return Ok(());
        }
        let external: Vec<_> = used.iter().map(|variable| variable.types.clone()).collect();
        for preference in &mut self.preferences[first..] {
            preference.external.clone_from(&external);
        }
        self.out.open(Rule::PrefDef.symbol());
        self.out.open(Rule::PrefForall.symbol());
        self.variables(&used);
        self.out.open(Rule::PrefForallPrefs.symbol());
        self.out.subtrees(body.entries());
        for _ in 0..3 {
            self.out.close();
        }
        Ok(())
    }

    fn preference(&mut self, entry: usize) -> BindResult {
        let old = self.tree.symbol(entry + 1);
        let name = *self.names.preferences.get(self.preferences.len()).ok_or(Unbindable)?;
        let has_measure = self.tree.subtree(entry).iter().any(|part| part.symbol == Rule::OnceMeasure.symbol());
        self.preferences.push(BoundPreference { old, name, external: Vec::new(), has_measure, is_counted: false });
        self.out.open(self.tree.symbol(entry));
        self.out.token(name);
        let body = self.tree.children(entry).nth(1).ok_or(Unbindable)?;
        self.node(body)?;
        self.out.close();
        Ok(())
    }

    fn body(&mut self, entry: usize) -> BindResult {
        let inner = self.tree.children(entry).next().ok_or(Unbindable)?;
        let (list, pattern) = if self.rule(inner) == Some(Rule::PrefBodyExists) {
            let mut parts = self.tree.children(inner);
            (parts.next(), parts.next().ok_or(Unbindable)?)
        } else {
            (None, inner)
        };
        let frame = self.frame(list, false)?;
        let (body, used) = self.scoped(frame, |binder| binder.node(pattern))?;
        self.out.open(self.tree.symbol(entry));
        if !used.is_empty() {
            self.out.open(Rule::PrefBodyExists.symbol());
            self.variables(&used);
        }
        self.out.subtrees(body.entries());
        if !used.is_empty() {
            self.out.close();
        }
        self.out.close();
        Ok(())
    }

    fn application(&mut self, entry: usize) -> BindResult {
        let symbol = self.tree.symbol(entry);
        self.games.vocabulary().signature(symbol).filter(|signature| signature.is_available).ok_or(Unbindable)?;
        self.out.open(symbol);
        let mut given: SmallVec<[Symbol; 8]> = SmallVec::new();
        let tree = self.tree;
        for (position, term) in tree.children(entry).enumerate() {
            let rule = self.rule(term).ok_or(Unbindable)?;
            self.out.open(tree.symbol(term));
            let name = if rule == Rule::Term {
                self.object(symbol, position, term, &given)?
            } else {
                self.symbolic(rule, term, &given)?
            };
            given.push(name);
            self.out.close();
        }
        self.out.close();
        Ok(())
    }

    /// Finds the variable in scope that an old name denotes. Returns its frame and its position.
    fn find(&self, old: Symbol) -> Option<(usize, usize)> {
        let frames = self.frames.iter().enumerate().rev();
        frames.into_iter().find_map(|(frame, own)| {
            Some((frame, own.variables.iter().position(|variable| variable.old == Some(old))?))
        })
    }

    /// Adds a constant or a variable for a colour, an orientation, a side or a type, and returns it. `given` are the preceding arguments.
    fn symbolic(&mut self, rule: Rule, term: usize, given: &[Symbol]) -> Result<Symbol, Unbindable> {
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
            let is_new_type = || self.slots.is_inhabited(token) && !given.contains(&token);
            choices.contains(&token) && (constant != Rule::ObjectType || is_new_type())
        };
        let name = if is_constant && is_valid(token) {
            token
        } else {
            let valid: Vec<(Symbol, f64)> =
                choices.iter().filter(|&&token| is_valid(token)).map(|&token| (token, 1.0)).collect();
            choose(&valid, self.stream, |_| true).ok_or(Unbindable)?
        };
        self.out.open(constant.symbol());
        self.out.token(name);
        self.out.close();
        Ok(name)
    }

    /// Adds a variable or a named object for an argument that is an object, and returns it. `given` are the preceding arguments.
    fn object(&mut self, symbol: Symbol, position: usize, term: usize, given: &[Symbol]) -> Result<Symbol, Unbindable> {
        let slots = self.slots;
        let slot = slots.get(symbol, position).ok_or(Unbindable)?;
        let token = self.tree.symbol(self.tree.end(term) - 1);
        let wants_constant = self.tree.end(term) > term + 2;
        if wants_constant && slot.fits_object(token) && !given.contains(&token) {
            return Ok(self.named_object(token));
        }
        if let Some((frame, index)) = self.find(token).filter(|_| !wants_constant) {
            let variable = &self.frames[frame].variables[index];
            if slot.fits_variable(&variable.types) && !given.contains(&variable.name) {
                return Ok(self.existing_variable(frame, index));
            }
        }
        let object = choose(&slot.objects, self.stream, |name| !given.contains(&name));
        if let Some(object) = object.filter(|_| wants_constant) {
            return Ok(self.named_object(object));
        }
        if let Some(variable) = self.variable(slot, given)? {
            return Ok(variable);
        }
        object.map(|object| self.named_object(object)).ok_or(Unbindable)
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
    fn variable(&mut self, slot: &Slot, given: &[Symbol]) -> Result<Option<Symbol>, Unbindable> {
        let mut fitting: SmallVec<[((usize, usize), f64); 8]> = SmallVec::new();
        for (frame, own) in self.frames.iter().enumerate() {
            for (index, variable) in own.variables.iter().enumerate() {
                if slot.fits_variable(&variable.types) && !given.contains(&variable.name) {
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
        // Variables bind different objects, so a type has at most as many variables as objects.
        let of_type = |name: Symbol| {
            let all = self.frames.iter().flat_map(|frame| &frame.variables);
            all.filter(|variable| variable.types[..] == [name]).count()
        };
        let has_room = |name: Symbol| of_type(name) < self.slots.members(name);
        let Some(first) = choose(&slot.types, self.stream, has_room) else { return Ok(None) };
        let mut types: SmallVec<[Symbol; 4]> = SmallVec::from_slice(&[first]);
        if self.stream.uniform() < EITHER {
            let is_related = |name: Symbol| {
                name == first || self.games.parent(name) == Some(first) || self.games.parent(first) == Some(name)
            };
            types.extend(choose(&slot.types, self.stream, |name| !is_related(name)));
        }
        let name = self.fresh(Rule::VariableTypeDef)?;
        let declaration = Rule::VariableTypeDef;
        let variable = BoundVariable { old: None, name, declaration, types, line: 0, is_used: true };
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

    /// Binds the score and adds the preferences that it does not count.
    fn scoring(&mut self, entry: usize) -> BindResult {
        for preference in &mut self.preferences {
            preference.is_counted = false;
        }
        let body = self.aside(|binder| binder.children(entry))?;
        let missing: Vec<Symbol> = self
            .preferences
            .iter()
            .filter(|preference| !preference.is_counted)
            .map(|preference| preference.name)
            .collect();
        self.out.open(self.tree.symbol(entry));
        if missing.is_empty() {
            self.out.subtrees(body.entries());
        } else {
            self.out.open(Rule::ScoringExpr.symbol());
            self.out.open(Rule::MultiExpr.symbol());
            self.out.token(self.names.plus);
            self.addends(&body);
            for name in missing {
                for rule in [
                    Rule::ScoringExprOrNumber,
                    Rule::ScoringExpr,
                    Rule::PreferenceEval,
                    Rule::Count,
                    Rule::PrefNameAndTypes,
                ] {
                    self.out.open(rule.symbol());
                }
                self.out.token(name);
                (0..5).for_each(|_| self.out.close());
            }
            self.out.close();
            self.out.close();
        }
        self.out.close();
        Ok(())
    }

    /// Adds a score as operands of a sum: those of the score, if it is a sum itself.
    fn addends(&mut self, score: &Tree) {
        let is_sum =
            score.len() > 2 && score.symbol(1) == Rule::MultiExpr.symbol() && score.symbol(2) == self.names.plus;
        if is_sum {
            self.out.subtrees(&score.entries()[3..]);
        } else {
            self.out.open(Rule::ScoringExprOrNumber.symbol());
            self.out.subtrees(score.entries());
            self.out.close();
        }
    }

    /// Binds an external maximum or minimum, whose preferences have the same external variables. Without such a preference, the operand
    /// takes its place.
    fn external(&mut self, wrapper: usize, entry: usize) -> BindResult {
        let operand = self.tree.children(entry).next().ok_or(Unbindable)?;
        let groups: Vec<(usize, f64)> = self
            .preferences
            .iter()
            .enumerate()
            .filter(|(_, preference)| !preference.external.is_empty())
            .map(|(index, _)| (index, 1.0))
            .collect();
        let outer = self.externals.clone();
        if outer.is_none() {
            // Keep the group of a preference that is already counted here.
            let counted = |index: &usize| {
                let old = self.preferences[*index].old;
                self.tree.subtree(entry).iter().any(|part| part.symbol == old)
            };
            let kept = groups.iter().map(|&(index, _)| index).find(counted);
            let chosen = kept.or_else(|| choose(&groups, self.stream, |_| true));
            self.externals = chosen.map(|index| self.preferences[index].external.clone());
        }
        let has_group = self.externals.is_some();
        let body = self.aside(|binder| binder.node(operand));
        self.externals = outer;
        let body = body?;
        let is_counting = body.entries().iter().any(|part| part.symbol == Rule::PrefNameAndTypes.symbol());
        if !has_group || !is_counting {
            self.out.subtrees(body.entries());
            return Ok(());
        }
        self.out.open(self.tree.symbol(wrapper));
        self.out.open(self.tree.symbol(entry));
        self.out.subtrees(body.entries());
        self.out.close();
        self.out.close();
        Ok(())
    }

    /// Binds a count: the preference, the way to count it, and its types.
    fn count(&mut self, entry: usize) -> BindResult {
        let method = self.tree.children(entry).next().ok_or(Unbindable)?;
        let reference = self.tree.children(method).next().ok_or(Unbindable)?;
        let mut parts = self.tree.children(reference);
        let old = parts.next().map(|name| self.tree.symbol(name)).ok_or(Unbindable)?;
        let given: Vec<Symbol> = parts.map(|part| self.tree.symbol(self.tree.end(part) - 1)).collect();
        let index = self.counted_preference(old)?;
        let preference = &mut self.preferences[index];
        preference.is_counted = true;
        let (name, has_measure, external) = (preference.name, preference.has_measure, preference.external.clone());
        let rule = match self.rule(method) {
            Some(Rule::CountMeasure) if !has_measure => Rule::Count,
            Some(Rule::CountOncePerExternalObjects) if external.is_empty() => Rule::CountOncePerObjects,
            Some(rule) => rule,
            None => return Err(Unbindable),
        };
        self.out.open(self.tree.symbol(entry));
        self.out.open(rule.symbol());
        self.out.open(Rule::PrefNameAndTypes.symbol());
        self.out.token(name);
        if !given.is_empty() {
            for (position, declared) in external.iter().enumerate() {
                self.count_type(declared, given.get(position).copied())?;
            }
        }
        (0..3).for_each(|_| self.out.close());
        Ok(())
    }

    /// Returns the preference that an old name denotes, or another one: one that is not counted yet, if there is one.
    fn counted_preference(&mut self, old: Symbol) -> Result<usize, Unbindable> {
        let is_allowed = |preference: &BoundPreference| {
            self.externals.as_ref().is_none_or(|external| *external == preference.external)
        };
        let own = self.preferences.iter().position(|preference| preference.old == old && is_allowed(preference));
        if let Some(index) = own {
            return Ok(index);
        }
        let choices: Vec<(usize, f64)> = self
            .preferences
            .iter()
            .enumerate()
            .filter(|(_, preference)| is_allowed(preference))
            .map(|(index, preference)| (index, if preference.is_counted { 1e-6 } else { 1.0 }))
            .collect();
        choose(&choices, self.stream, |_| true).ok_or(Unbindable)
    }

    /// Adds the type that restricts an external variable: the given one if the variable has it, otherwise a declared type or a direct
    /// subtype of one.
    fn count_type(&mut self, declared: &[Symbol], given: Option<Symbol>) -> BindResult {
        let color = Rule::Color;
        let colors = self.games.constants(color);
        let is_color_variable = declared.iter().any(|name| colors.contains(name) || self.games.is_color_type(*name));
        let mut choices: Vec<(Symbol, f64)> = Vec::new();
        for &name in declared {
            if is_color_variable && !colors.contains(&name) {
                choices.extend(colors.iter().map(|&color| (color, 1.0)));
            } else {
                choices.push((name, 1.0));
                choices.extend(self.slots.subtypes(name).iter().map(|&subtype| (subtype, 1.0)));
            }
        }
        let kept = given.filter(|given| choices.iter().any(|(name, _)| name == given));
        let name = kept.or_else(|| choose(&choices, self.stream, |_| true)).ok_or(Unbindable)?;
        let rule = if colors.contains(&name) {
            color
        } else if self.games.constants(Rule::ObjectName).contains(&name) {
            Rule::ObjectName
        } else {
            Rule::ObjectType
        };
        self.out.open(Rule::PrefObjectType.symbol());
        self.out.open(rule.symbol());
        self.out.token(name);
        self.out.close();
        self.out.close();
        Ok(())
    }
}
