//! Draws of games and of parts of games from one distribution for each field.

use goalspec_generator::RandomStream;
use goalspec_generator::grammar::{Cardinality, Field, Symbol, TokenSource};
use goalspec_generator::productions::Productions as _;
use goalspec_generator::sampler::choose;
use goalspec_generator::tree::{Tree, TreeBuilder};

use super::{Choice, ChoiceObserver, FailedDraw, UntypedSampler, declared_space};
use crate::game::rules::{GAME_NAMES, PREFERENCE_DEFINITIONS, PREFERENCE_REFERENCES, Rule, WORLD_NAMES};

/// The names to which a part of a game may refer.
#[derive(Debug, Clone, Default)]
pub(super) struct DrawContext {
    /// The variables in scope, with their name spaces.
    pub(super) scope: Vec<(u8, Symbol)>,
    /// The names of the preferences.
    pub(super) preferences: Vec<Symbol>,
}

/// A draw in progress.
pub(super) struct UntypedDraw<'a, 'g> {
    sampler: &'a UntypedSampler<'g>,
    stream: &'a mut RandomStream,
    observe: ChoiceObserver<'a>,
    tree: TreeBuilder,
    nodes: u32,
    context: DrawContext,
}

impl<'a, 'g> UntypedDraw<'a, 'g> {
    /// Creates a draw in a context.
    pub(super) fn new(
        sampler: &'a UntypedSampler<'g>,
        (stream, observe): (&'a mut RandomStream, ChoiceObserver<'a>),
        context: DrawContext,
    ) -> Self {
        Self { sampler, stream, observe, tree: TreeBuilder::default(), nodes: 0, context }
    }

    /// Draws a node of a kind whose depth is given.
    pub(super) fn draw(mut self, (kind, depth): (Symbol, u32)) -> Result<Tree, FailedDraw> {
        self.node(kind, depth)?;
        Ok(self.tree.finish())
    }

    fn node(&mut self, kind: Symbol, depth: u32) -> Result<(), FailedDraw> {
        let grammar = self.sampler.generator.grammar();
        let Some(own) = grammar.kind(kind) else { return Ok(()) };
        self.nodes += u32::from(own.is_counted);
        if depth > self.sampler.limits.depth {
            return Err(FailedDraw::Depth);
        }
        if self.nodes > self.sampler.limits.nodes {
            return Err(FailedDraw::Nodes);
        }
        let outside = self.context.scope.len();
        self.tree.open(kind);
        for (position, field) in own.fields.iter().enumerate() {
            let index = grammar.field_index(kind, position);
            let choices = &self.sampler.fields[index];
            let count = match field.cardinality {
                Cardinality::One => 1,
                Cardinality::Optional => u32::from(self.stream.uniform() < choices.presence),
                Cardinality::Many { .. } => choose(&choices.lengths, self.stream, |_| true).unwrap_or_default(),
            };
            if field.cardinality != Cardinality::One {
                (self.observe)(index, Choice::Length(count));
            }
            for _ in 0..count {
                self.child((kind, field), index, depth)?;
            }
        }
        self.tree.close();
        // The variables of a list are those of the quantifier around it.
        if !declares(Rule::of(kind)) {
            self.context.scope.truncate(outside);
        }
        Ok(())
    }

    fn child(&mut self, (kind, field): (Symbol, &Field), index: usize, depth: u32) -> Result<(), FailedDraw> {
        let choices = &self.sampler.fields[index].children;
        let Some(choice) = choose(choices, self.stream, |_| true) else { return Ok(()) };
        (self.observe)(index, choice);
        match choice {
            Choice::Kind(child) => self.node(child, depth + 1)?,
            Choice::Token(token) => self.tree.token(token),
            Choice::Name => {
                let name = self.name(Rule::of(kind), field)?;
                self.tree.token(name);
            }
            Choice::Length(_) => {}
        }
        Ok(())
    }

    /// Returns the name that a field declares or refers to.
    fn name(&mut self, rule: Option<Rule>, field: &Field) -> Result<Symbol, FailedDraw> {
        let sampler = self.sampler;
        let TokenSource::Names(space) = field.tokens else { return Err(FailedDraw::Variable) };
        let DrawContext { scope, preferences } = &mut self.context;
        match space {
            GAME_NAMES | WORLD_NAMES => Ok(sampler.generator.hole()),
            PREFERENCE_DEFINITIONS => {
                let name = sampler.new_preference(preferences, self.stream)?;
                preferences.push(name);
                Ok(name)
            }
            PREFERENCE_REFERENCES => {
                let index = self.stream.below(preferences.len() as u64) as usize;
                preferences.get(index).copied().ok_or(FailedDraw::Preference)
            }
            _ if declared_space(rule).is_some() => {
                let name = sampler.new_variable(space, |name| scope.contains(&(space, name)), self.stream)?;
                scope.push((space, name));
                Ok(name)
            }
            _ => {
                let known: Vec<Symbol> = scope.iter().filter(|&&(of, _)| of == space).map(|&(_, name)| name).collect();
                let index = self.stream.below(known.len() as u64) as usize;
                known.get(index).copied().ok_or(FailedDraw::Variable)
            }
        }
    }
}

/// Returns whether the variables that a node of a rule declares stay in scope after it.
pub(super) fn declares(rule: Option<Rule>) -> bool {
    rule == Some(Rule::VariableList) || declared_space(rule).is_some()
}
