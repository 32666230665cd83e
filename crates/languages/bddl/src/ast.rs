//! The AST of problems and domains. Names are unresolved and in lower case; every node has its source location.
//!
//! Equality ignores source locations ([`NodeSpan`] compares equal to any other).

use std::sync::Arc;

use goalspec_syntax::NodeSpan;

/// A name with its source location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The text in lower case, without the leading `?`.
    pub text: Arc<str>,
    /// The source location, including the `?`.
    pub origin: NodeSpan,
}

/// An activity: `(define (problem NAME) ..)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The name of the problem.
    pub name: Name,
    /// The name in `(:domain NAME)`.
    pub domain: Option<Name>,
    /// The groups of `(:objects ..)`, in source order.
    pub objects: Vec<ObjectGroup>,
    /// The literals of `(:init ..)`.
    pub init: Vec<Literal>,
    /// The conjuncts of `(:goal ..)`: an outermost `and` is flattened, one level deep.
    pub goal: Vec<Expr>,
    /// The sections that only LIBERO's problems have; `None` in the other dialects.
    pub libero: Option<Libero>,
    /// The source location.
    pub origin: NodeSpan,
}

impl Problem {
    /// Returns the instances of `(:objects ..)` with their categories, in order of declaration. The category of instances
    /// without a written one is [`OBJECT`].
    pub fn instances(&self) -> impl Iterator<Item = (&Name, &str)> {
        self.objects.iter().flat_map(members).map(|declaration| (declaration.name, declaration.category))
    }

    /// Returns the groups of `(:objects ..)`, then those of LIBERO's `(:fixtures ..)`, each with the kind of its section.
    pub fn groups(&self) -> impl Iterator<Item = (&ObjectGroup, DeclarationKind<'_>)> {
        let fixtures = self.libero.iter().flat_map(|libero| &libero.fixtures);
        let objects = self.objects.iter().map(|group| (group, DeclarationKind::Instance));
        objects.chain(fixtures.map(|group| (group, DeclarationKind::Fixture)))
    }

    /// Returns every declared name that literals may use: the instances of `(:objects ..)`, LIBERO's fixtures, then LIBERO's
    /// regions, each in order of declaration.
    pub fn declarations(&self) -> impl Iterator<Item = Declaration<'_>> {
        let declared = self
            .groups()
            .flat_map(|(group, kind)| members(group).map(move |declaration| Declaration { kind, ..declaration }));
        let regions = self.libero.iter().flat_map(|libero| &libero.regions).map(|region| Declaration {
            name: &region.qualified,
            category: REGION,
            kind: DeclarationKind::Region { target: region.target.as_ref() },
        });
        declared.chain(regions)
    }
}

/// Returns the instances of a group as declarations.
fn members(group: &ObjectGroup) -> impl Iterator<Item = Declaration<'_>> {
    let category = group.category_name();
    group.instances.iter().map(move |name| Declaration { name, category, kind: DeclarationKind::Instance })
}

/// The category of instances that are declared without one.
pub const OBJECT: &str = "object";

/// The category of regions. Its capital letter prevents a clash with written categories, which are in lower case.
pub const REGION: &str = "Region";

/// A declared name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// The name that literals use.
    pub name: &'a Name,
    /// The category: [`OBJECT`] if none is written, [`REGION`] for regions.
    pub category: &'a str,
    /// The section that contains the declaration.
    pub kind: DeclarationKind<'a>,
}

/// The section that declares a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclarationKind<'a> {
    /// The section `(:objects ..)`.
    Instance,
    /// The section `(:fixtures ..)`.
    Fixture,
    /// The section `(:regions ..)`.
    Region {
        /// The object that the region belongs to.
        target: Option<&'a Name>,
    },
}

/// A group of instances with their category: `INSTANCE .. - CATEGORY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectGroup {
    /// The instances; the wildcard `apple.n.01_*` stands for all other apples of the scene.
    pub instances: Vec<Name>,
    /// The category, a synset such as `apple.n.01`; `None` for instances at the end of a list that no category follows.
    pub category: Option<Name>,
    /// The source location.
    pub origin: NodeSpan,
}

impl ObjectGroup {
    /// Returns the name of the category, or [`OBJECT`] if none is written.
    pub fn category_name(&self) -> &str {
        self.category.as_ref().map_or(OBJECT, |category| &category.text)
    }
}

/// A literal of `(:init ..)`: an atom or its negation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// Whether the literal is the atom itself; otherwise it is the negation.
    pub positive: bool,
    /// The atom.
    pub atom: Atom,
}

impl Literal {
    /// Converts a condition to a literal. Returns `None` if the condition is neither an atom nor a negated atom.
    pub fn from_condition(condition: Expr) -> Option<Self> {
        match condition.kind {
            ExprKind::Atom(atom) => Some(Self { positive: true, atom }),
            ExprKind::Not(inner) => match inner.kind {
                ExprKind::Atom(atom) => Some(Self { positive: false, atom }),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An atom: `(PREDICATE TERM ..)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// The predicate.
    pub predicate: Name,
    /// The arguments: instances, variables of enclosing quantifiers, or, in `inroom`, a room.
    pub arguments: Vec<Name>,
    /// The source location.
    pub origin: NodeSpan,
}

/// A quantified variable `(?VARIABLE - CATEGORY)`. It ranges over the declared instances of exactly this category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name of the variable, which in all published activities is that of its category.
    pub name: Name,
    /// The category that the variable ranges over.
    pub category: Name,
}

/// A condition over one state.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// The kind of condition, with its operands.
    pub kind: ExprKind,
    /// The source location.
    pub origin: NodeSpan,
}

impl Expr {
    /// Returns the immediate subconditions.
    pub fn operands(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Atom(_) => &[],
            ExprKind::And(parts) | ExprKind::Or(parts) => parts,
            ExprKind::Imply(parts) => &parts[..],
            ExprKind::Not(part)
            | ExprKind::Forall(_, part)
            | ExprKind::Exists(_, part)
            | ExprKind::ForN { body: part, .. }
            | ExprKind::ForPairs { body: part, .. } => std::slice::from_ref(&**part),
        }
    }

    /// Returns the variables that a quantifier binds, outermost first; empty for other conditions.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        let (outer, inner) = match &self.kind {
            ExprKind::Forall(variable, _) | ExprKind::Exists(variable, _) | ExprKind::ForN { variable, .. } => {
                (Some(variable), None)
            }
            ExprKind::ForPairs { left, right, .. } => (Some(left), Some(right)),
            ExprKind::Atom(_) | ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Imply(_) => {
                (None, None)
            }
        };
        outer.into_iter().chain(inner)
    }
}

/// The kind of a condition, with its operands.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A predicate applied to instances and variables.
    Atom(Atom),
    /// `(not E)`.
    Not(Box<Expr>),
    /// `(and E ..)`; true when empty.
    And(Vec<Expr>),
    /// `(or E ..)`; false when empty.
    Or(Vec<Expr>),
    /// `(imply E E)`.
    Imply(Box<[Expr; 2]>),
    /// `(forall (?V - C) E)`.
    Forall(Variable, Box<Expr>),
    /// `(exists (?V - C) E)`.
    Exists(Variable, Box<Expr>),
    /// The counting quantifier `(forn (N) (?V - C) E)`.
    ForN {
        /// The number N of instances.
        amount: u32,
        /// The counted variable.
        variable: Variable,
        /// The condition that is counted.
        body: Box<Expr>,
    },
    /// The pairing quantifiers `(forpairs (?V - C) (?W - D) E)` and `(fornpairs (N) (?V - C) (?W - D) E)`.
    ForPairs {
        /// The number N of pairs; `None` for `forpairs`, which requires as many as the smaller side has instances.
        amount: Option<u32>,
        /// The variable of the rows.
        left: Variable,
        /// The variable of the columns.
        right: Variable,
        /// The condition on each pair.
        body: Box<Expr>,
    },
}

/// The sections of LIBERO's problems.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Libero {
    /// `(:language ..)`: the natural-language instruction, in lower case.
    pub language: Option<Name>,
    /// The regions of `(:regions ..)`.
    pub regions: Vec<Region>,
    /// The groups of `(:fixtures ..)`: objects that belong to the scene.
    pub fixtures: Vec<ObjectGroup>,
    /// The objects in `(:obj_of_interest ..)`.
    pub of_interest: Vec<Name>,
    /// The words of `(:scene_properties ..)`, including those of nested lists, in source order.
    pub scene_properties: Vec<Name>,
}

/// A region on or in an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The name in its declaration.
    pub name: Name,
    /// The name that literals use: `TARGET_NAME`, or `NAME` without a target. Its source location is that of `name`.
    pub qualified: Name,
    /// The object in `(:target OBJECT)`.
    pub target: Option<Name>,
    /// `(:ranges ((x1 y1 x2 y2) ..))`: rectangles, in metres.
    pub ranges: Vec<[f64; 4]>,
    /// `(:yaw_rotation ((from to) ..))`: intervals of yaw angles, in radians.
    pub yaw: Vec<[f64; 2]>,
    /// `(:rgba (r g b a))`: colour and opacity, each from 0 to 1.
    pub rgba: Option<[f64; 4]>,
    /// The source location.
    pub origin: NodeSpan,
}

/// A domain: `(define (domain NAME) ..)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Domain {
    /// The name of the domain.
    pub name: Name,
    /// The requirements of `(:requirements ..)`.
    pub requirements: Vec<Name>,
    /// The groups of `(:types ..)`: types with their supertype.
    pub types: Vec<ObjectGroup>,
    /// The declarations of `(:predicates ..)`.
    pub predicates: Vec<PredicateDecl>,
    /// The actions: one for each `(:action ..)`.
    pub actions: Vec<Action>,
    /// The source location.
    pub origin: NodeSpan,
}

/// The declaration of a predicate: `(NAME ?A - TYPE ..)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateDecl {
    /// The name of the predicate.
    pub name: Name,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The source location.
    pub origin: NodeSpan,
}

/// A parameter of a predicate or action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: Name,
    /// The type; `None` stands for any object.
    pub type_name: Option<Name>,
}

/// An action schema: `(:action NAME :parameters (..) :precondition C :effect E)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// The name of the action.
    pub name: Name,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The precondition; `None` if there is none.
    pub precondition: Option<Expr>,
    /// The effect; `None` if the action changes nothing.
    pub effect: Option<Effect>,
    /// The source location.
    pub origin: NodeSpan,
}

/// The effect of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A conjunction of effects: `(and E ..)`.
    And(Vec<Effect>),
    /// An atom that becomes true or false.
    Literal(Literal),
    /// A universal effect: `(forall (?V - C) E)`.
    Forall(Variable, Box<Effect>),
    /// A conditional effect `(when C E)`: E takes place if C holds before the action.
    When(Box<Expr>, Box<Effect>),
}

/// An action model: actions, and rules for derived predicates.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ActionModel {
    /// The actions, in source order.
    pub(crate) actions: Vec<Action>,
    /// The rules for derived predicates, in source order.
    pub(crate) rules: Vec<Rule>,
}

/// A rule `(:derived (NAME ?A ..) C)`: the derived predicate holds exactly of the arguments that satisfy the condition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    /// The derived predicate.
    pub(crate) predicate: Name,
    /// The parameters of the predicate.
    pub(crate) parameters: Vec<Parameter>,
    /// The condition that defines the predicate.
    pub(crate) body: Expr,
}
