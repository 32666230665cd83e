//! Traversal of syntax trees.
//!
//! A [`Visitor`] has a method for each kind of node. A method that is not overridden visits the parts of its node; one that is
//! overridden calls the `walk` function of the node to visit its parts.
//!
//! ```
//! use goalspec_game::ast::visit::{Node as _, Visitor};
//! use goalspec_game::ast::Application;
//!
//! /// Counts the predicates of a game.
//! struct Predicates(usize);
//!
//! impl<'a> Visitor<'a> for Predicates {
//!     fn predicate(&mut self, _: &'a Application) {
//!         self.0 += 1;
//!     }
//! }
//!
//! let mut sources = goalspec_syntax::Sources::new();
//! let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
//!     (:constraints (preference tidy (exists (?b - ball ?d - drawer) (at-end (and (in ?d ?b) (not (open ?d)))))))
//!     (:scoring (count tidy)))");
//! let parsed = goalspec_game::parse::parse(sources.file(id));
//! let mut predicates = Predicates(0);
//! parsed.games[0].accept(&mut predicates);
//! assert_eq!(predicates.0, 2);
//! ```

use goalspec_syntax::Span;

pub use super::condition::walk_condition;
use super::{
    Application, Condition, Constraint, ErrorNode, Game, PatternBody, Preference, Score, SequenceOperator,
    SetupStatement, Terminal, TypedVariables,
};

/// A visitor of syntax trees, from the outside to the inside and in source order.
pub trait Visitor<'a> {
    /// Visits a game.
    fn game(&mut self, game: &'a Game) {
        walk_game(self, game);
    }

    /// Visits an entry of the constraints.
    fn constraint(&mut self, constraint: &'a Constraint) {
        walk_constraint(self, constraint);
    }

    /// Visits a statement of the setup.
    fn setup(&mut self, setup: &'a SetupStatement) {
        walk_setup(self, setup);
    }

    /// Visits a preference.
    fn preference(&mut self, preference: &'a Preference) {
        walk_preference(self, preference);
    }

    /// Visits the pattern of a preference.
    fn body(&mut self, body: &'a PatternBody) {
        walk_body(self, body);
    }

    /// Visits an operator of a sequence.
    fn operator(&mut self, operator: &'a SequenceOperator) {
        walk_operator(self, operator);
    }

    /// Visits a condition or a part of one.
    fn condition(&mut self, condition: &'a Condition) {
        walk_condition(self, condition);
    }

    /// Visits a terminal condition or a part of one.
    fn terminal(&mut self, terminal: &'a Terminal) {
        walk_terminal(self, terminal);
    }

    /// Visits a scoring expression or a part of one.
    fn score(&mut self, score: &'a Score) {
        walk_score(self, score);
    }

    /// Visits the application of a predicate.
    fn predicate(&mut self, application: &'a Application) {
        self.application(application);
    }

    /// Visits the application of a function.
    fn function(&mut self, application: &'a Application) {
        self.application(application);
    }

    /// Visits the application of a predicate or function.
    fn application(&mut self, application: &'a Application) {
        let _ = application;
    }

    /// Visits an erroneous node with this span, before the parts of it that could be parsed.
    fn error(&mut self, span: Span) {
        let _ = span;
    }

    /// Enters the scope of variables. Every call is followed by a call of [`Self::leave`] with the same variables.
    fn enter(&mut self, variables: &'a [TypedVariables]) {
        let _ = variables;
    }

    /// Leaves the scope of variables.
    fn leave(&mut self, variables: &'a [TypedVariables]) {
        let _ = variables;
    }
}

/// A syntax node that visitors can visit.
pub trait Node {
    /// Calls the method of a visitor for this kind of node.
    fn accept<'a, V: Visitor<'a> + ?Sized>(&'a self, visitor: &mut V);
}

macro_rules! nodes {
    ($($node:ty => $method:ident),* $(,)?) => {$(
        impl Node for $node {
            fn accept<'a, V: Visitor<'a> + ?Sized>(&'a self, visitor: &mut V) {
                visitor.$method(self);
            }
        }
    )*};
}

nodes! {
    Game => game,
    Constraint => constraint,
    SetupStatement => setup,
    Preference => preference,
    PatternBody => body,
    SequenceOperator => operator,
    Condition => condition,
    Terminal => terminal,
    Score => score,
}

impl<T: Node> Node for [T] {
    fn accept<'a, V: Visitor<'a> + ?Sized>(&'a self, visitor: &mut V) {
        for node in self {
            node.accept(visitor);
        }
    }
}

/// Visits a node in the scope of variables.
pub(super) fn within<'a, V: Visitor<'a> + ?Sized>(
    visitor: &mut V,
    variables: &'a [TypedVariables],
    body: &'a (impl Node + ?Sized),
) {
    visitor.enter(variables);
    body.accept(visitor);
    visitor.leave(variables);
}

/// Visits the parts of an erroneous node.
pub(super) fn walk_error<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, node: &'a ErrorNode<impl Node>) {
    visitor.error(node.span);
    node.parts.accept(visitor);
}

/// Visits the sections of a game.
pub fn walk_game<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, game: &'a Game) {
    if let Some(setup) = &game.setup {
        visitor.setup(setup);
    }
    game.constraints.accept(visitor);
    if let Some(terminal) = &game.terminal {
        visitor.terminal(terminal);
    }
    visitor.score(&game.scoring);
}

/// Visits the preferences of an entry of the constraints.
pub fn walk_constraint<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, constraint: &'a Constraint) {
    match constraint {
        Constraint::Preference(preference) => visitor.preference(preference),
        Constraint::Forall { variables, preferences, .. } => within(visitor, variables, &preferences[..]),
        Constraint::Error(node) => walk_error(visitor, node),
    }
}

/// Visits the parts of a statement of the setup.
pub fn walk_setup<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, setup: &'a SetupStatement) {
    match setup {
        SetupStatement::And(parts, _) | SetupStatement::Or(parts, _) => parts.accept(visitor),
        SetupStatement::Not(part, _) => visitor.setup(part),
        SetupStatement::Exists(variables, body, _) | SetupStatement::Forall(variables, body, _) => {
            within(visitor, variables, &**body);
        }
        SetupStatement::Conserved(condition, _) | SetupStatement::Optional(condition, _) => {
            visitor.condition(condition);
        }
        SetupStatement::Error(node) => walk_error(visitor, node),
    }
}

/// Visits the pattern of a preference, in the scope of its quantifier.
pub fn walk_preference<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, preference: &'a Preference) {
    let variables = preference.quantifier.as_ref().map_or(&[][..], |quantifier| &quantifier.variables);
    within(visitor, variables, &preference.body);
}

/// Visits the operators or the condition of a pattern.
pub fn walk_body<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, body: &'a PatternBody) {
    match body {
        PatternBody::Then(operators, _) => operators.accept(visitor),
        PatternBody::AtEnd(condition, _) => visitor.condition(condition),
        PatternBody::Error(node) => walk_error(visitor, node),
    }
}

/// Visits the condition, the function and the events of an operator.
pub fn walk_operator<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, operator: &'a SequenceOperator) {
    if let Some(condition) = operator.condition() {
        visitor.condition(condition);
    }
    match operator {
        SequenceOperator::Once(..) | SequenceOperator::Hold(..) => {}
        SequenceOperator::Error(node) => walk_error(visitor, node),
        SequenceOperator::OnceMeasure(_, function, _) => visitor.function(function),
        SequenceOperator::HoldWhile(_, events, _) => events.accept(visitor),
    }
}

/// Visits the parts of a terminal condition.
pub fn walk_terminal<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, terminal: &'a Terminal) {
    match terminal {
        Terminal::And(parts, _) | Terminal::Or(parts, _) => parts.accept(visitor),
        Terminal::Not(part, _) => visitor.terminal(part),
        Terminal::Compare(_, sides, _) => sides.accept(visitor),
        Terminal::Error(node) => walk_error(visitor, node),
    }
}

/// Visits the operands of a scoring expression.
pub fn walk_score<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, score: &'a Score) {
    if let Score::Error(node) = score {
        visitor.error(node.span);
    }
    score.operands().accept(visitor);
}

/// Returns whether a node has a part that could not be parsed, or lacks the name of a preference, a variable or a type.
pub fn has_unparsed_part(node: &(impl Node + ?Sized)) -> bool {
    struct UnparsedParts(bool);

    impl Visitor<'_> for UnparsedParts {
        fn error(&mut self, _: Span) {
            self.0 = true;
        }

        fn preference(&mut self, preference: &Preference) {
            self.0 |= preference.name.is_missing();
            walk_preference(self, preference);
        }

        fn enter(&mut self, variables: &[TypedVariables]) {
            self.0 |= TypedVariables::lack_name(variables);
        }
    }

    let mut parts = UnparsedParts(false);
    node.accept(&mut parts);
    parts.0
}
