//! AST of domains, problems and plans. Names are not resolved; every node has a span.

use std::fmt;
use std::sync::Arc;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::planning::task::{AssignmentOperator, OptimizationDirection};
use goalspec_syntax::Span;
use smallvec::SmallVec;

/// The text of a name, shared by all occurrences with the same spelling.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The name in lower case. Names are compared in this form.
    pub(crate) lower: Arc<str>,
    /// The name as written.
    pub(crate) written: Arc<str>,
}

/// A name with its span. Names are case-insensitive.
#[derive(Clone)]
pub struct Name {
    pub(crate) word: Arc<Word>,
    /// The index of the word among the distinct words of its source text; used as a key of dense tables.
    pub(crate) word_index: u32,
    /// The span of the name.
    pub span: Span,
}

impl Name {
    /// Returns the name in lower case, including the `?` of a variable.
    pub fn text(&self) -> &str {
        &self.word.lower
    }

    /// Returns an identifier of the word that is unique among the live words of all source texts.
    pub(crate) fn identity(&self) -> usize {
        Arc::as_ptr(&self.word).addr()
    }

    /// Same as [`Name::text`], but returns a shared string.
    pub fn shared(&self) -> Arc<str> {
        self.word.lower.clone()
    }

    /// Returns the name as written.
    pub fn written(&self) -> &str {
        &self.word.written
    }

    /// Whether the name is that of a variable, such as `?x`.
    pub fn is_variable(&self) -> bool {
        self.word.lower.starts_with('?')
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at {}", self.written(), self.span.start)
    }
}

/// A type reference: `TYPE` or `(either TYPE ..)`.
#[derive(Debug, Clone)]
pub struct TypeRef {
    /// The types; more than one after `either`.
    pub names: Vec<Name>,
    /// The span of the reference.
    pub span: Span,
}

/// A group of names with a common type: `NAME .. - TYPE`.
#[derive(Debug, Clone)]
pub struct TypedNames {
    /// The names of types, objects or variables.
    pub names: Vec<Name>,
    /// The type; `None` for untyped names at the end of a list.
    pub type_ref: Option<TypeRef>,
}

/// Iterates over the names of groups, each with its type.
pub fn typed_names(groups: &[TypedNames]) -> impl Iterator<Item = (&Name, Option<&TypeRef>)> {
    groups.iter().flat_map(|group| group.names.iter().map(move |name| (name, group.type_ref.as_ref())))
}

/// The arguments of an atom.
pub type Arguments = SmallVec<[Name; 3]>;

/// A predicate or function with arguments: `(PREDICATE TERM ..)`.
#[derive(Debug, Clone)]
pub struct Atom {
    /// The name of the predicate or function.
    pub name: Name,
    /// The arguments: variables and objects.
    pub arguments: Arguments,
    /// The span of the atom.
    pub span: Span,
}

/// A numeric expression, or a name in the position of one.
#[derive(Debug, Clone)]
pub struct Expr {
    /// The kind of the expression, with its operands.
    pub kind: ExprKind,
    /// The span of the expression.
    pub span: Span,
}

/// The kind of an expression.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A constant.
    Number(f64),
    /// A name without parentheses: an object or variable, or one of `?duration`, `#t` and `total-time`.
    Name(Name),
    /// `(FUNCTION TERM ..)`.
    Call(Atom),
    /// `(+ E ..)`.
    Add(Vec<Expr>),
    /// `(* E ..)`.
    Multiply(Vec<Expr>),
    /// `(- E E)`.
    Subtract(Box<[Expr; 2]>),
    /// `(/ E E)`.
    Divide(Box<[Expr; 2]>),
    /// `(- E)`.
    Negate(Box<Expr>),
    /// `(is-violated PREFERENCE)`.
    IsViolated(Name),
}

/// A condition on a state, or a constraint on a sequence of states.
#[derive(Debug, Clone)]
pub struct Formula {
    /// The kind of the formula, with its operands.
    pub kind: FormulaKind,
    /// The span of the formula.
    pub span: Span,
}

/// The time specifier of a condition or effect of a durative action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeSpecifier {
    /// `(at start ..)`.
    Start,
    /// `(at end ..)`.
    End,
    /// `(over all ..)`.
    OverAll,
}

/// The connectives, quantifiers and atoms of conditions.
#[derive(Debug, Clone)]
pub enum FormulaKind {
    /// `(PREDICATE TERM ..)`.
    Atom(Atom),
    /// `(= E E)`, `(< E E)` and the other comparisons. `=` also compares objects.
    Compare(ComparisonOperator, Box<[Expr; 2]>),
    /// `(not F)`.
    Not(Box<Formula>),
    /// `(and F ..)`; true if empty, and so is `()`.
    And(Vec<Formula>),
    /// `(or F ..)`; false if empty.
    Or(Vec<Formula>),
    /// `(imply F F)`.
    Imply(Box<[Formula; 2]>),
    /// `(forall (?x - T ..) F)`.
    Forall(Vec<TypedNames>, Box<Formula>),
    /// `(exists (?x - T ..) F)`.
    Exists(Vec<TypedNames>, Box<Formula>),
    /// `(preference NAME F)`.
    Preference(Option<Name>, Box<Formula>),
    /// `(at start F)`, `(over all F)` or `(at end F)`. The last form is also a trajectory constraint.
    Timed(TimeSpecifier, Box<Formula>),
    /// A trajectory constraint other than `at end`, with its times and operands.
    Trajectory(TrajectoryOperator, Vec<f64>, Vec<Formula>),
}

/// The operators of trajectory constraints: those of PDDL, and those of linear temporal logic on finite traces, `LTLf`, which
/// only [standalone goals](crate::goal) support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrajectoryOperator {
    /// `(always F)`.
    Always,
    /// `(sometime F)`.
    Sometime,
    /// `(within T F)`.
    Within,
    /// `(at-most-once F)`.
    AtMostOnce,
    /// `(sometime-after F F)`.
    SometimeAfter,
    /// `(sometime-before F F)`.
    SometimeBefore,
    /// `(always-within T F F)`.
    AlwaysWithin,
    /// `(hold-during T T F)`.
    HoldDuring,
    /// `(hold-after T F)`.
    HoldAfter,
    /// `(next F)`.
    Next,
    /// `(weak-next F)`.
    WeakNext,
    /// `(eventually F)`.
    Eventually,
    /// `(until F F)`.
    Until,
    /// `(release F F)`.
    Release,
}

impl TrajectoryOperator {
    /// The operators of PDDL.
    pub const PDDL: [Self; 9] = [
        Self::Always,
        Self::Sometime,
        Self::Within,
        Self::AtMostOnce,
        Self::SometimeAfter,
        Self::SometimeBefore,
        Self::AlwaysWithin,
        Self::HoldDuring,
        Self::HoldAfter,
    ];

    /// The additional operators of `LTLf`. Both languages have `always`.
    pub const LTLF: [Self; 5] = [Self::Next, Self::WeakNext, Self::Eventually, Self::Until, Self::Release];

    /// Returns the keyword of the operator.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Sometime => "sometime",
            Self::Within => "within",
            Self::AtMostOnce => "at-most-once",
            Self::SometimeAfter => "sometime-after",
            Self::SometimeBefore => "sometime-before",
            Self::AlwaysWithin => "always-within",
            Self::HoldDuring => "hold-during",
            Self::HoldAfter => "hold-after",
            Self::Next => "next",
            Self::WeakNext => "weak-next",
            Self::Eventually => "eventually",
            Self::Until => "until",
            Self::Release => "release",
        }
    }

    /// Returns the number of times and the number of conditions that the operator takes.
    pub fn arity(self) -> (usize, usize) {
        match self {
            Self::Always | Self::Sometime | Self::AtMostOnce | Self::Next | Self::WeakNext | Self::Eventually => (0, 1),
            Self::Within | Self::HoldAfter => (1, 1),
            Self::SometimeAfter | Self::SometimeBefore | Self::Until | Self::Release => (0, 2),
            Self::AlwaysWithin => (1, 2),
            Self::HoldDuring => (2, 1),
        }
    }
}

/// An effect of an action.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The kind of the effect, with its operands.
    pub kind: EffectKind,
    /// The span of the effect.
    pub span: Span,
}

/// The forms of effects: literals, assignments, and their combinations.
#[derive(Debug, Clone)]
pub enum EffectKind {
    /// `(and E ..)`; no effect if empty, and so is `()`.
    And(Vec<Effect>),
    /// `(forall (?x - T ..) E)`.
    Forall(Vec<TypedNames>, Box<Effect>),
    /// `(when F E)`.
    When(Box<Formula>, Box<Effect>),
    /// `(PREDICATE TERM ..)`.
    Add(Atom),
    /// `(not (PREDICATE TERM ..))`.
    Delete(Atom),
    /// `(increase (FUNCTION TERM ..) E)` and the other numeric assignments.
    Assign(AssignmentOperator, Atom, Expr),
    /// `(at start E)` or `(at end E)`.
    Timed(TimeSpecifier, Box<Effect>),
}

/// The declaration of a predicate: `(NAME ?A - TYPE ..)`.
#[derive(Debug, Clone)]
pub struct PredicateDecl {
    /// The name of the predicate.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<TypedNames>,
    /// The span of the declaration.
    pub span: Span,
}

/// The declaration of a function: `(NAME ?A - TYPE ..) - number`.
#[derive(Debug, Clone)]
pub struct FunctionDecl {
    /// The name of the function.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<TypedNames>,
    /// The type of the values; `None` means `number`.
    pub of: Option<TypeRef>,
    /// The span of the declaration.
    pub span: Span,
}

/// An action: `(:action NAME :parameters (..) :precondition F :effect E)`, or a `:durative-action`.
#[derive(Debug, Clone)]
pub struct Action {
    /// The name of the action.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<TypedNames>,
    /// The precondition, or the condition of a durative action; `None` means true.
    pub precondition: Option<Formula>,
    /// The effect; `None` means no effect.
    pub effect: Option<Effect>,
    /// The duration; `None` for an instantaneous action.
    pub duration: Option<Duration>,
    /// The span of the action.
    pub span: Span,
}

/// The duration of a durative action.
#[derive(Debug, Clone)]
pub struct Duration {
    /// The constraint `:duration F` on `?duration`; `None` if it is missing.
    pub constraint: Option<Formula>,
}

/// A derived predicate: `(:derived (PREDICATE ?A - TYPE ..) F)`.
#[derive(Debug, Clone)]
pub struct DerivedPredicate {
    /// The name of the predicate.
    pub predicate: Name,
    /// The parameters.
    pub parameters: Vec<TypedNames>,
    /// The body of the rule.
    pub body: Formula,
    /// The span of the rule.
    pub span: Span,
}

/// The section `(:requirements ..)`.
#[derive(Debug, Clone, Default)]
pub struct Requirements {
    /// The requirements, including the colons.
    pub names: Vec<Name>,
    /// The span of the section, if there is one.
    pub span: Option<Span>,
}

/// A domain: `(define (domain NAME) ..)`.
#[derive(Debug, Clone)]
pub struct Domain {
    /// The name; empty if it is missing.
    pub name: Name,
    /// The requirements.
    pub requirements: Requirements,
    /// `(:types ..)`: the types with their supertypes; `None` if there is no such section.
    pub types: Option<Vec<TypedNames>>,
    /// `(:constants ..)`: the objects of every problem.
    pub constants: Vec<TypedNames>,
    /// `(:predicates ..)`.
    pub predicates: Vec<PredicateDecl>,
    /// `(:functions ..)`.
    pub functions: Vec<FunctionDecl>,
    /// `(:constraints ..)`.
    pub constraints: Option<Formula>,
    /// `(:action ..)` and `(:durative-action ..)`.
    pub actions: Vec<Action>,
    /// `(:derived ..)`.
    pub derived: Vec<DerivedPredicate>,
    /// The spans of actions, rules and constraints, including those with syntax errors. They declare no types, objects,
    /// predicates or functions.
    pub behavior_spans: Vec<Span>,
    /// The span of the list that names the domain.
    pub header: Span,
    /// The span of the definition.
    pub span: Span,
}

/// A fact, value or timed literal of the initial state, from `(:init ..)`.
#[derive(Debug, Clone)]
pub enum InitEntry {
    /// `(PREDICATE OBJECT ..)`.
    Fact(Atom),
    /// `(not (PREDICATE OBJECT ..))`.
    Negated(Atom),
    /// `(= (FUNCTION OBJECT ..) NUMBER)`.
    Value(Atom, f64, Span),
    /// `(= (FUNCTION OBJECT ..) OBJECT)`.
    ObjectValue(Atom, Name),
    /// `(at TIME LITERAL)`.
    Timed(f64, Box<InitEntry>, Span),
}

impl InitEntry {
    /// Returns the span of the entry; for an object value, that of its function.
    pub fn span(&self) -> Span {
        match self {
            Self::Fact(atom) | Self::Negated(atom) | Self::ObjectValue(atom, _) => atom.span,
            Self::Value(_, _, span) | Self::Timed(_, _, span) => *span,
        }
    }
}

/// A metric: `(:metric minimize E)`.
#[derive(Debug, Clone)]
pub struct Metric {
    /// The direction of optimisation.
    pub direction: OptimizationDirection,
    /// The objective function.
    pub value: Expr,
    /// The span of the section.
    pub span: Span,
}

/// A problem: `(define (problem NAME) ..)`.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The name; empty if it is missing.
    pub name: Name,
    /// `(:domain NAME)`.
    pub domain: Option<Name>,
    /// The requirements.
    pub requirements: Requirements,
    /// `(:objects ..)`.
    pub objects: Vec<TypedNames>,
    /// `(:init ..)`.
    pub init: Vec<InitEntry>,
    /// `(:goal ..)`.
    pub goal: Option<Formula>,
    /// `(:constraints ..)`.
    pub constraints: Option<Formula>,
    /// `(:metric ..)`.
    pub metric: Option<Metric>,
    /// The span of the list that names the problem.
    pub header: Span,
    /// The span of the definition.
    pub span: Span,
}

/// The steps of a plan file, with unresolved names.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The steps, in the order of the file.
    pub steps: Vec<Step>,
}

/// A step of a plan: `(ACTION OBJECT ..)`, in temporal plans `TIME: (ACTION OBJECT ..) [DURATION]`.
#[derive(Debug, Clone)]
pub struct Step {
    /// The start time.
    pub time: Option<f64>,
    /// The action.
    pub action: Name,
    /// The arguments.
    pub arguments: Vec<Name>,
    /// The duration.
    pub duration: Option<f64>,
    /// The span of the action with its arguments.
    pub span: Span,
}
