//! Domains, problems and plans as written. Names are still names; every piece knows where it stands.

use std::fmt;
use std::sync::Arc;

use goalspec_core::condition::Comparison;
use goalspec_core::planning::task::{Assignment, Direction};
use goalspec_syntax::Span;
use smallvec::SmallVec;

/// The text of a name, shared by all places where it is written the same way.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// In lower case: names that differ in nothing else are the same.
    pub(crate) lower: Arc<str>,
    /// As written.
    pub(crate) written: Arc<str>,
}

/// A name with its place. Capitals make no difference.
#[derive(Clone)]
pub struct Name {
    pub(crate) word: Arc<Word>,
    /// The number of the word among those of its text: what is known of words can be kept in a list.
    pub(crate) number: u32,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// The name in lower case, with the `?` of variables.
    pub fn text(&self) -> &str {
        &self.word.lower
    }

    /// What tells the word from all others that there are, of other texts too.
    pub(crate) fn identity(&self) -> usize {
        Arc::as_ptr(&self.word).addr()
    }

    /// As [`Name::text`], to be kept.
    pub fn shared(&self) -> Arc<str> {
        self.word.lower.clone()
    }

    /// The name as written.
    pub fn written(&self) -> &str {
        &self.word.written
    }

    /// Whether it is that of a variable, `?x`.
    pub fn is_variable(&self) -> bool {
        self.word.lower.starts_with('?')
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at {}", self.written(), self.span.start)
    }
}

/// `TYPE` or `(either TYPE ..)`.
#[derive(Debug, Clone)]
pub struct TypeRef {
    /// The types; several after `either`.
    pub names: Vec<Name>,
    /// Where it stands.
    pub span: Span,
}

/// `NAME .. - TYPE`: names that share a type.
#[derive(Debug, Clone)]
pub struct Group {
    /// The names: of types, objects or variables.
    pub names: Vec<Name>,
    /// Their type; none at the end of a list without one.
    pub of: Option<TypeRef>,
}

/// The names in groups, each with its type.
pub fn each(groups: &[Group]) -> impl Iterator<Item = (&Name, Option<&TypeRef>)> {
    groups.iter().flat_map(|group| group.names.iter().map(move |name| (name, group.of.as_ref())))
}

/// The arguments of an atom. Most have few.
pub type Names = SmallVec<[Name; 3]>;

/// `(PREDICATE TERM ..)`, and likewise a function with its arguments.
#[derive(Debug, Clone)]
pub struct Atom {
    /// The predicate or function.
    pub name: Name,
    /// Its arguments: variables and objects.
    pub arguments: Names,
    /// Where it stands.
    pub span: Span,
}

/// A number, or what stands where one may stand.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
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

/// A condition over one state, or over all states of a run.
#[derive(Debug, Clone)]
pub struct Formula {
    /// What it asks for.
    pub kind: FormulaKind,
    /// Where it stands.
    pub span: Span,
}

/// When a part of a durative action counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// `(at start ..)`.
    Start,
    /// `(at end ..)`.
    End,
    /// `(over all ..)`.
    OverAll,
}

/// What a condition asks for.
#[derive(Debug, Clone)]
pub enum FormulaKind {
    /// A predicate of objects or variables.
    Atom(Atom),
    /// `(= E E)`, `(< E E)` and so on. Equality is also that of objects.
    Compare(Comparison, Box<[Expr; 2]>),
    /// `(not F)`.
    Not(Box<Formula>),
    /// `(and F ..)`; true when empty, as `()` is.
    And(Vec<Formula>),
    /// `(or F ..)`; false when empty.
    Or(Vec<Formula>),
    /// `(imply F F)`.
    Imply(Box<[Formula; 2]>),
    /// `(forall (?x - T ..) F)`.
    Forall(Vec<Group>, Box<Formula>),
    /// `(exists (?x - T ..) F)`.
    Exists(Vec<Group>, Box<Formula>),
    /// `(preference NAME F)`.
    Preference(Option<Name>, Box<Formula>),
    /// `(at start F)`, `(over all F)`, `(at end F)`; the last one also of a run of states.
    Timed(Time, Box<Formula>),
    /// A condition on a run of states other than `at end`.
    Trajectory(Trajectory, Vec<f64>, Vec<Formula>),
}

/// The operators over runs of states: those of PDDL, and those of linear temporal logic over finite runs, `LTLf`, which only
/// [goals that stand by themselves](crate::goal) may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trajectory {
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

impl Trajectory {
    /// The operators of PDDL.
    pub const ALL: [Self; 9] = [
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

    /// The further ones of `LTLf`. `always` is in both.
    pub const LOGIC: [Self; 5] = [Self::Next, Self::WeakNext, Self::Eventually, Self::Until, Self::Release];

    /// The word for it.
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

    /// How many times and how many conditions it takes.
    pub fn shape(self) -> (usize, usize) {
        match self {
            Self::Always | Self::Sometime | Self::AtMostOnce | Self::Next | Self::WeakNext | Self::Eventually => (0, 1),
            Self::Within | Self::HoldAfter => (1, 1),
            Self::SometimeAfter | Self::SometimeBefore | Self::Until | Self::Release => (0, 2),
            Self::AlwaysWithin => (1, 2),
            Self::HoldDuring => (2, 1),
        }
    }
}

/// What an action does.
#[derive(Debug, Clone)]
pub struct Effect {
    /// What happens.
    pub kind: EffectKind,
    /// Where it stands.
    pub span: Span,
}

/// What happens in an effect.
#[derive(Debug, Clone)]
pub enum EffectKind {
    /// `(and E ..)`; nothing when empty, as `()` is.
    And(Vec<Effect>),
    /// `(forall (?x - T ..) E)`.
    Forall(Vec<Group>, Box<Effect>),
    /// `(when F E)`.
    When(Box<Formula>, Box<Effect>),
    /// `(PREDICATE TERM ..)`.
    Add(Atom),
    /// `(not (PREDICATE TERM ..))`.
    Delete(Atom),
    /// `(increase (FUNCTION TERM ..) E)` and so on.
    Assign(Assignment, Atom, Expr),
    /// `(at start E)`, `(at end E)`.
    Timed(Time, Box<Effect>),
}

/// `(NAME ?A - TYPE ..)`: a predicate.
#[derive(Debug, Clone)]
pub struct PredicateDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Group>,
    /// Where it stands.
    pub span: Span,
}

/// `(NAME ?A - TYPE ..) - number`: a function.
#[derive(Debug, Clone)]
pub struct FunctionDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Group>,
    /// What its values are; none: numbers.
    pub of: Option<TypeRef>,
    /// Where it stands.
    pub span: Span,
}

/// `(:action NAME :parameters (..) :precondition F :effect E)`.
#[derive(Debug, Clone)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Group>,
    /// What must hold before; none: nothing.
    pub precondition: Option<Formula>,
    /// What it does; none: nothing.
    pub effect: Option<Effect>,
    /// What only a `:durative-action` has.
    pub durative: Option<Duration>,
    /// Where it stands.
    pub span: Span,
}

/// How long a durative action takes.
#[derive(Debug, Clone)]
pub struct Duration {
    /// `:duration F`, of which `?duration` is the number in question; none: any.
    pub constraint: Option<Formula>,
}

/// `(:derived (PREDICATE ?A - TYPE ..) F)`.
#[derive(Debug, Clone)]
pub struct Derived {
    /// The predicate.
    pub predicate: Name,
    /// Its parameters.
    pub parameters: Vec<Group>,
    /// What makes it true.
    pub body: Formula,
    /// Where it stands.
    pub span: Span,
}

/// `(:requirements ..)`.
#[derive(Debug, Clone, Default)]
pub struct Requirements {
    /// What is asked of the reader, with the colons.
    pub names: Vec<Name>,
    /// Where the section stands, if there is one.
    pub span: Option<Span>,
}

/// `(define (domain NAME) ..)`.
#[derive(Debug, Clone)]
pub struct Domain {
    /// Its name; empty if it is missing.
    pub name: Name,
    /// What is asked of the reader.
    pub requirements: Requirements,
    /// `(:types ..)`: types with those above them; none if there is no such section.
    pub types: Option<Vec<Group>>,
    /// `(:constants ..)`: objects of every problem.
    pub constants: Vec<Group>,
    /// `(:predicates ..)`.
    pub predicates: Vec<PredicateDecl>,
    /// `(:functions ..)`.
    pub functions: Vec<FunctionDecl>,
    /// `(:constraints ..)`.
    pub constraints: Option<Formula>,
    /// `(:action ..)` and `(:durative-action ..)`.
    pub actions: Vec<Action>,
    /// `(:derived ..)`.
    pub derived: Vec<Derived>,
    /// Where its actions, rules and constraints stand, those that could not be read included: they declare no names of objects or facts.
    pub doings: Vec<Span>,
    /// Where the list with its name stands.
    pub header: Span,
    /// Where it stands.
    pub span: Span,
}

/// One entry of `(:init ..)`.
#[derive(Debug, Clone)]
pub enum Init {
    /// `(PREDICATE OBJECT ..)`.
    Fact(Atom),
    /// `(not (PREDICATE OBJECT ..))`.
    Negated(Atom),
    /// `(= (FUNCTION OBJECT ..) NUMBER)`.
    Value(Atom, f64, Span),
    /// `(= (FUNCTION OBJECT ..) OBJECT)`.
    Object(Atom, Name),
    /// `(at TIME LITERAL)`.
    Timed(f64, Box<Init>, Span),
}

impl Init {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Fact(atom) | Self::Negated(atom) | Self::Object(atom, _) => atom.span,
            Self::Value(_, _, span) | Self::Timed(_, _, span) => *span,
        }
    }
}

/// `(:metric minimize E)`.
#[derive(Debug, Clone)]
pub struct Metric {
    /// Which way.
    pub direction: Direction,
    /// The number.
    pub value: Expr,
    /// Where it stands.
    pub span: Span,
}

/// `(define (problem NAME) ..)`.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Its name; empty if it is missing.
    pub name: Name,
    /// `(:domain NAME)`.
    pub domain: Option<Name>,
    /// What is asked of the reader.
    pub requirements: Requirements,
    /// `(:objects ..)`.
    pub objects: Vec<Group>,
    /// `(:init ..)`.
    pub init: Vec<Init>,
    /// `(:goal ..)`.
    pub goal: Option<Formula>,
    /// `(:constraints ..)`.
    pub constraints: Option<Formula>,
    /// `(:metric ..)`.
    pub metric: Option<Metric>,
    /// Where the list with its name stands.
    pub header: Span,
    /// Where it stands.
    pub span: Span,
}

/// A plan file: a step on each line.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<Step>,
}

/// `(ACTION OBJECT ..)`, with a time before it and a duration behind it in plans with times.
#[derive(Debug, Clone)]
pub struct Step {
    /// When it begins.
    pub time: Option<f64>,
    /// The action.
    pub action: Name,
    /// Its objects.
    pub arguments: Vec<Name>,
    /// How long it takes.
    pub duration: Option<f64>,
    /// Where it stands.
    pub span: Span,
}
