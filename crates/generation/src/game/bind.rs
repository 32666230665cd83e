//! The choice of names: variables, objects, preferences and the types of counts, such that a game checks without an error.
//!
//! The body of a quantifier is bound before its variables are declared. An argument takes a variable in scope, a new variable of the
//! innermost quantifier, or a named object, whichever fits the parameter; the declarations follow from what the body uses. So variables
//! are used, have fitting types and never shadow each other. A quantifier without variables is left out, and preferences that are not
//! counted are added to the score.
//!
//! Arguments of which a predicate can never hold do not fit, and variables have enough objects to denote different ones. Conditions are
//! neither redundant nor contradictory in themselves.
//!
//! Names that already fit are kept, so the same pass completes drawn games and repairs games after an edit.

mod arguments;
mod bound_parts;
mod logic;
mod scoring;
mod terminal;

use std::rc::Rc;

use goalspec_core::limits::MAX_BINDINGS;
use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree::{Mark, Tree, TreeBuilder};
use goalspec_resource::random::RandomStream;
use smallvec::SmallVec;

pub(super) use self::bound_parts::BoundParts;
use super::GameGrammar;
use super::rules::{COLOR_VARIABLES, ORIENTATION_VARIABLES, Rule, SIDE_VARIABLES};
use super::slots::Slots;

/// Maximum number of variables of one quantifier that binding adds. Beyond it, arguments take existing variables.
pub(super) const MAX_ADDED_VARIABLES: usize = 6;

/// Maximum number of variables and of preferences of a bound game.
pub(super) const MAX_BOUND_NAMES: usize = 64;

/// Maximum number of bindings of all variables in scope at which a new variable is added.
const MAX_DRAWN_BINDINGS: u64 = (1 << 16) - 1;

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
    /// The operators `<`, `<=`, `>` and `>=`.
    comparisons: [Symbol; 4],
}

impl CanonicalNames {
    pub(super) fn new(tokens: &mut Tokens) -> Self {
        let comparisons = ["<", "<=", ">", ">="].map(|operator| tokens.intern(operator));
        let mut numbered = |prefix: &str| -> Vec<Symbol> {
            (0..MAX_BOUND_NAMES).map(|number| tokens.intern(&format!("{prefix}{number}"))).collect()
        };
        let [objects, colors, orientations, sides, preferences] =
            ["?v", "?x", "?y", "?z", "preference"].map(&mut numbered);
        Self { objects, colors, orientations, sides, preferences, plus: tokens.intern("+"), comparisons }
    }
}

impl CanonicalNames {
    /// Returns the names of object variables.
    pub(super) fn objects(&self) -> &[Symbol] {
        &self.objects
    }

    /// Returns the names of the variables of colours, orientations or sides, by the number of their name space.
    pub(super) fn symbolic(&self, space: u8) -> &[Symbol] {
        match space {
            COLOR_VARIABLES => &self.colors,
            ORIENTATION_VARIABLES => &self.orientations,
            SIDE_VARIABLES => &self.sides,
            _ => &[],
        }
    }

    /// Returns the names of the variables of a name space, in the order of [`Binder::numbers`].
    fn variables(&self, space: usize) -> &[Symbol] {
        [&self.objects, &self.colors, &self.orientations, &self.sides].get(space).map_or(&[], |names| names)
    }

    /// Returns the names of preferences.
    pub(super) fn preferences(&self) -> &[Symbol] {
        &self.preferences
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
    /// The number of objects that it can denote, if that is known.
    domain: Option<u32>,
    /// The entry that declared it; 0 for a new variable.
    line: usize,
    is_used: bool,
}

/// The variables of a quantifier whose body is being bound.
#[derive(Debug, Clone, Default)]
struct Frame {
    variables: SmallVec<[BoundVariable; 2]>,
    /// Whether new variables may be added.
    can_grow: bool,
    is_external: bool,
}

/// The types of each external variable.
type ExternalTypes = Rc<[SmallVec<[Symbol; 4]>]>;

/// A bound preference.
#[derive(Debug, Clone)]
struct BoundPreference {
    old: Symbol,
    name: Symbol,
    external: ExternalTypes,
    has_measure: bool,
    is_at_end: bool,
    is_counted: bool,
}

/// Binds the names of one game.
pub(super) struct Binder<'a> {
    pub(super) games: &'a GameGrammar,
    pub(super) slots: &'a Slots,
    pub(super) names: &'a CanonicalNames,
    pub(super) tokens: &'a Tokens,
    pub(super) tree: &'a Tree,
    pub(super) stream: &'a mut RandomStream,
    out: TreeBuilder,
    frames: Vec<Frame>,
    preferences: Vec<BoundPreference>,
    /// The numbers of variables of each name space so far.
    numbers: [usize; 4],
    /// Whether the game was drawn, so that anything in it may be replaced.
    is_drawn: bool,
    is_in_terminal: bool,
    /// Whether the condition that is being bound is negated.
    is_negated: bool,
    /// The external variables that the preferences counted at this place have.
    externals: Option<ExternalTypes>,
    /// The parts that are bound as in the game that this one is made from.
    bound_parts: Option<&'a BoundParts>,
}

/// The state of a binder before an attempt.
struct Snapshot {
    out: Mark,
    /// The number of variables of each frame, and whether it may grow.
    frames: SmallVec<[(usize, bool); 8]>,
    /// Whether each variable is used, and whether each preference is counted.
    flags: SmallVec<[bool; 48]>,
    numbers: [usize; 4],
}

/// The reason why a game has no binding: too many names, or an argument that nothing in the world fits.
pub(super) struct Unbindable;

type BindResult = Result<(), Unbindable>;

impl<'a> Binder<'a> {
    pub(super) fn new(
        games: &'a GameGrammar,
        slots: &'a Slots,
        (names, tokens): (&'a CanonicalNames, &'a Tokens),
        tree: &'a Tree,
        (stream, is_drawn): (&'a mut RandomStream, bool),
    ) -> Self {
        let out = TreeBuilder::with_capacity(tree.len() + tree.len() / 2);
        let (frames, preferences) = (Vec::new(), Vec::new());
        Self {
            games,
            slots,
            names,
            tokens,
            tree,
            stream,
            out,
            frames,
            preferences,
            numbers: [0; 4],
            is_drawn,
            is_in_terminal: false,
            is_negated: false,
            externals: None,
            bound_parts: None,
        }
    }

    /// Sets the parts that are bound as in the game that this one is made from.
    pub(super) fn with_bound_parts(self, bound_parts: Option<&'a BoundParts>) -> Self {
        Self { bound_parts, ..self }
    }

    /// Returns the bound game.
    pub(super) fn game(mut self) -> Result<Tree, Unbindable> {
        self.node(0)?;
        Ok(self.out.finish())
    }

    fn rule(&self, entry: usize) -> Option<Rule> {
        Rule::of(self.tree.symbol(entry))
    }

    /// Adds what a function adds. If the function fails, it leaves no traces.
    fn attempt(&mut self, bind: impl FnOnce(&mut Self) -> BindResult) -> bool {
        let snapshot = Snapshot {
            out: self.out.mark(),
            frames: self.frames.iter().map(|frame| (frame.variables.len(), frame.can_grow)).collect(),
            flags: self.flags().map(|flag| *flag).collect(),
            numbers: self.numbers,
        };
        let is_bound = bind(self).is_ok();
        if !is_bound {
            self.out.reset(snapshot.out);
            for (frame, &(variables, can_grow)) in self.frames.iter_mut().zip(&snapshot.frames) {
                frame.variables.truncate(variables);
                frame.can_grow = can_grow;
            }
            self.flags().zip(&snapshot.flags).for_each(|(flag, old)| *flag = *old);
            self.numbers = snapshot.numbers;
        }
        is_bound
    }

    /// Iterates over whether each variable in scope is used, and whether each preference is counted.
    fn flags(&mut self) -> impl Iterator<Item = &mut bool> {
        let variables = self.frames.iter_mut().flat_map(|frame| &mut frame.variables);
        let counted = self.preferences.iter_mut().map(|preference| &mut preference.is_counted);
        variables.map(|variable| &mut variable.is_used).chain(counted)
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
            Some(Rule::SetupDef | Rule::PrefDef) if self.copy_bound(entry) => Ok(()),
            Some(Rule::SetupDef) => self.setup(entry),
            Some(Rule::TerminalDef) => {
                self.terminal(entry);
                Ok(())
            }
            Some(Rule::Setup | Rule::Condition | Rule::Terminal) => match inner() {
                Some(inner) => self.condition(entry, inner),
                None => self.copy(entry),
            },
            Some(Rule::FunctionComparison) => self.comparison(entry),
            Some(Rule::TerminalComp) => self.end(entry),
            Some(Rule::Then) => self.sequence(entry),
            Some(Rule::CountComp | Rule::MultiExpr | Rule::BinaryExpr | Rule::ScoringComp | Rule::ScoringEquals) => {
                self.arithmetic(entry)
            }
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

    /// Binds a condition, of a setup or of the end of the game too, with the node around it.
    fn condition(&mut self, entry: usize, inner: usize) -> BindResult {
        let wrapper = self.tree.symbol(entry);
        match self.rule(inner) {
            Some(Rule::SetupExists | Rule::SetupForall | Rule::Exists | Rule::Forall) => {
                self.quantified(wrapper, inner)
            }
            Some(Rule::SetupAnd | Rule::SetupOr | Rule::And | Rule::Or | Rule::TerminalAnd | Rule::TerminalOr) => {
                self.logical(wrapper, inner)
            }
            Some(Rule::SetupNot | Rule::Not | Rule::TerminalNot) => self.negation(wrapper, inner),
            _ => self.copy(entry),
        }
    }

    fn copy(&mut self, entry: usize) -> BindResult {
        if let [_, only] = self.tree.subtree(entry)
            && only.symbol.is_token()
        {
            self.out.subtrees(self.tree.subtree(entry));
            return Ok(());
        }
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
                let is_repeated = frame.variables.iter().any(|variable| variable.old == Some(old));
                if types.is_empty() || is_repeated || !self.has_room(&frame.variables, &types, MAX_BINDINGS) {
                    continue;
                }
                let name = self.fresh(declaration)?;
                let (types, domain) = (types.clone(), self.slots.possible.domain_size(&types));
                let old = Some(old);
                frame.variables.push(BoundVariable { old, name, declaration, types, domain, line, is_used: false });
            }
        }
        // The variables of a list that was written are those of the author; an external one is never added to them.
        frame.can_grow = !is_external || frame.variables.is_empty();
        Ok(frame)
    }

    /// Returns whether another variable of some types, beside those in scope and some further ones, can denote another object than they
    /// do, with at most a number of bindings of all of them.
    fn has_room(&self, further: &[BoundVariable], types: &[Symbol], max_bindings: u64) -> bool {
        let possible = &self.slots.possible;
        let variables = || self.frames.iter().flat_map(|frame| &frame.variables).chain(further);
        let own = possible.domain_size(types);
        let domains = || variables().map(|variable| variable.domain).chain([own]).flatten();
        let bindings = domains().fold(1_u64, |all, domain| all.saturating_mul(u64::from(domain.max(1))));
        if bindings > max_bindings {
            return false;
        }
        // If those with fewer objects choose first, there is always an object left for the next one where it has more than there were choices.
        let mut sizes: SmallVec<[u32; 8]> = domains().collect();
        sizes.sort_unstable();
        sizes.iter().zip(1..).all(|(&size, needed)| size >= needed)
            || possible.can_differ(variables().map(|variable| &variable.types[..]).chain([types]))
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

    /// Binds a part in the scope of a quantifier. Returns the variables that it uses.
    fn scoped(
        &mut self,
        frame: Frame,
        bind: impl FnOnce(&mut Self) -> BindResult,
    ) -> Result<SmallVec<[BoundVariable; 2]>, Unbindable> {
        self.frames.push(frame);
        let result = bind(self);
        let frame = self.frames.pop().unwrap_or_default();
        result?;
        let mut used = frame.variables;
        used.retain(|variable| variable.is_used);
        Ok(used)
    }

    /// Declares the variables of a quantifier whose body has been added: their list comes before the body, and both into the nodes of the
    /// quantifier.
    fn declare(&mut self, body: usize, quantifier: &[Symbol], variables: &[BoundVariable]) {
        let list = self.out.len();
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
        self.out.move_before(body, list);
        self.out.enclose(body..self.out.len(), quantifier);
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
        self.out.open(self.tree.symbol(entry));
        let start = self.out.len();
        let used = self.scoped(frame, |binder| binder.children(entry))?;
        if !used.is_empty() {
            self.declare(start, &[Rule::Setup.symbol(), Rule::SetupExists.symbol()], &used);
        }
        self.out.close();
        Ok(())
    }

    /// Binds a quantifier with the node around it. Without variables, the body takes the place of both.
    fn quantified(&mut self, wrapper: Symbol, quantifier: usize) -> BindResult {
        let mut parts = self.tree.children(quantifier);
        let (list, body) = (parts.next(), parts.next().ok_or(Unbindable)?);
        let frame = self.frame(list, false)?;
        let start = self.out.len();
        let used = self.scoped(frame, |binder| binder.node(body))?;
        if !used.is_empty() {
            self.declare(start, &[wrapper, self.tree.symbol(quantifier)], &used);
        }
        Ok(())
    }

    /// Binds preferences with external variables. Without such variables, each is an entry of its own.
    fn forall(&mut self, forall: usize) -> BindResult {
        let mut parts = self.tree.children(forall);
        let (list, group) = (parts.next(), parts.next().ok_or(Unbindable)?);
        let first = self.preferences.len();
        let frame = self.frame(list, true)?;
        let start = self.out.len();
        let used = self.scoped(frame, |binder| binder.children(group))?;
        if used.is_empty() {
            let mut next = start;
            while next < self.out.len() {
                let end = next + self.out.subtree(next).len();
                self.out.enclose(next..end, &[Rule::PrefDef.symbol()]);
                next = end + 1;
            }
            return Ok(());
        }
        let external: ExternalTypes = used.iter().map(|variable| variable.types.clone()).collect();
        for preference in &mut self.preferences[first..] {
            preference.external = external.clone();
        }
        self.out.enclose(start..self.out.len(), &[Rule::PrefForallPrefs.symbol()]);
        self.declare(start, &[Rule::PrefDef.symbol(), Rule::PrefForall.symbol()], &used);
        Ok(())
    }

    fn preference(&mut self, entry: usize) -> BindResult {
        let old = self.tree.symbol(entry + 1);
        let name = *self.names.preferences.get(self.preferences.len()).ok_or(Unbindable)?;
        let (mut has_measure, mut is_at_end) = (false, false);
        for part in self.tree.subtree(entry) {
            has_measure |= part.symbol == Rule::OnceMeasure.symbol();
            is_at_end |= part.symbol == Rule::AtEnd.symbol();
        }
        let external = ExternalTypes::default();
        self.preferences.push(BoundPreference { old, name, external, has_measure, is_at_end, is_counted: false });
        self.out.open(self.tree.symbol(entry));
        self.out.token(name);
        let body = self.tree.children(entry).nth(1).ok_or(Unbindable)?;
        self.node(body)?;
        self.out.close();
        // Further external variables would have to differ from those of this preference.
        for frame in self.frames.iter_mut().filter(|frame| frame.is_external && !frame.variables.is_empty()) {
            frame.can_grow = false;
        }
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
        self.out.open(self.tree.symbol(entry));
        let start = self.out.len();
        let used = self.scoped(frame, |binder| binder.node(pattern))?;
        if !used.is_empty() {
            self.declare(start, &[Rule::PrefBodyExists.symbol()], &used);
        }
        self.out.close();
        Ok(())
    }
}
