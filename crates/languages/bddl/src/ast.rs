//! Problems and domains as written. Names are still names, in the lower case that the language reads them in; every piece
//! knows where it stands.
//!
//! Two texts are equal if they say the same: spans do not count ([`Origin`] compares equal to any other).

use std::sync::Arc;

use goalspec_core::condition::Origin;

/// A name with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The text in lower case, without the decoration `?`.
    pub text: Arc<str>,
    /// Where it stands, decoration included.
    pub origin: Origin,
}

/// An activity: `(define (problem NAME) ..)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Its name.
    pub name: Name,
    /// `(:domain NAME)`.
    pub domain: Option<Name>,
    /// `(:objects ..)`: groups as written.
    pub objects: Vec<ObjectGroup>,
    /// `(:init ..)`.
    pub init: Vec<Literal>,
    /// The conjuncts of `(:goal ..)`: an outermost `and` is unpacked, one level deep, and nothing else is.
    pub goal: Vec<Expr>,
    /// What only LIBERO's files have.
    pub libero: Option<Libero>,
    /// Where it stands.
    pub origin: Origin,
}

impl Problem {
    /// The instances of `(:objects ..)` with their categories, in order of declaration. Instances without a category are of
    /// [`OBJECT`].
    pub fn instances(&self) -> impl Iterator<Item = (&Name, &str)> {
        self.objects.iter().flat_map(members).map(|declaration| (declaration.name, declaration.category))
    }

    /// The groups of `(:objects ..)`, then those of LIBERO's fixtures, each with its section.
    pub fn groups(&self) -> impl Iterator<Item = (&ObjectGroup, DeclarationKind<'_>)> {
        let fixtures = self.libero.iter().flat_map(|libero| &libero.fixtures);
        let objects = self.objects.iter().map(|group| (group, DeclarationKind::Instance));
        objects.chain(fixtures.map(|group| (group, DeclarationKind::Fixture)))
    }

    /// Everything that the problem declares and that its literals may name: the instances of `(:objects ..)`, LIBERO's fixtures,
    /// and LIBERO's regions, in this order, each in order of declaration.
    pub fn declarations(&self) -> impl Iterator<Item = Declaration<'_>> {
        let things = self
            .groups()
            .flat_map(|(group, kind)| members(group).map(move |declaration| Declaration { kind, ..declaration }));
        let regions = self.libero.iter().flat_map(|libero| &libero.regions).map(|region| Declaration {
            name: &region.qualified,
            category: REGION,
            kind: DeclarationKind::Region { target: region.target.as_ref() },
        });
        things.chain(regions)
    }
}

/// The instances of a group.
fn members(group: &ObjectGroup) -> impl Iterator<Item = Declaration<'_>> {
    let category = group.category_name();
    group.instances.iter().map(move |name| Declaration { name, category, kind: DeclarationKind::Instance })
}

/// The category of instances that are declared without one.
pub const OBJECT: &str = "object";

/// The category of regions. Its capital letter keeps it apart from all categories that can be written.
pub const REGION: &str = "Region";

/// A declared name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// The name that literals use.
    pub name: &'a Name,
    /// The category; [`OBJECT`] where none is written, [`REGION`] for regions.
    pub category: &'a str,
    /// The section that declares it.
    pub kind: DeclarationKind<'a>,
}

/// The section that declares a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclarationKind<'a> {
    /// `(:objects ..)`.
    Instance,
    /// `(:fixtures ..)`.
    Fixture,
    /// `(:regions ..)`.
    Region {
        /// The thing that the region is a part of.
        target: Option<&'a Name>,
    },
}

/// `INSTANCE .. - CATEGORY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectGroup {
    /// The instances; `apple.n.01_*` stands for all further ones of the scene.
    pub instances: Vec<Name>,
    /// Their category, a synset such as `apple.n.01`; absent at the end of a list without one.
    pub category: Option<Name>,
    /// Where it stands.
    pub origin: Origin,
}

impl ObjectGroup {
    /// The name of the category; [`OBJECT`] where none is written.
    pub fn category_name(&self) -> &str {
        self.category.as_ref().map_or(OBJECT, |category| &category.text)
    }
}

/// An atom of `(:init ..)` or its negation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// Whether it is to hold.
    pub positive: bool,
    /// What is to hold or not.
    pub atom: Atom,
}

impl Literal {
    /// A condition as a literal; none if it is neither an atom nor the negation of one.
    pub fn of(condition: Expr) -> Option<Self> {
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

/// `(PREDICATE TERM ..)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// The predicate.
    pub predicate: Name,
    /// What it is about: instances, variables of quantifiers around it, or, for `inroom`, a room.
    pub arguments: Vec<Name>,
    /// Where it stands.
    pub origin: Origin,
}

/// `(?VARIABLE - CATEGORY)`: ranges over the declared instances of exactly this category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name, which is that of its category in all published activities.
    pub name: Name,
    /// What it ranges over.
    pub category: Name,
}

/// A condition over one state.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it asks for.
    pub kind: ExprKind,
    /// Where it stands.
    pub origin: Origin,
}

impl Expr {
    /// The conditions directly in this one.
    pub fn parts(&self) -> &[Expr] {
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

    /// The variables that it binds, if it is a quantifier, outermost first.
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

/// What a condition asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A predicate of instances or variables.
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
    /// `(forn (N) (?V - C) E)`.
    ForN {
        /// How many.
        amount: u32,
        /// What is counted.
        variable: Variable,
        /// What is to hold of each.
        body: Box<Expr>,
    },
    /// `(forpairs (?V - C) (?W - D) E)` and `(fornpairs (N) (?V - C) (?W - D) E)`.
    ForPairs {
        /// How many; none for `forpairs`: as many as the smaller side has.
        amount: Option<u32>,
        /// The rows.
        left: Variable,
        /// The columns.
        right: Variable,
        /// What is to hold of each pair.
        body: Box<Expr>,
    },
}

/// The sections of LIBERO's problems.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Libero {
    /// `(:language ..)`: the instruction, its words in lower case.
    pub language: Option<Name>,
    /// `(:regions ..)`.
    pub regions: Vec<Region>,
    /// `(:fixtures ..)`: things of the scene.
    pub fixtures: Vec<ObjectGroup>,
    /// `(:obj_of_interest ..)`.
    pub of_interest: Vec<Name>,
    /// `(:scene_properties ..)`: what stands in it, word for word.
    pub scene_properties: Vec<Name>,
}

/// A region on or in a thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Its own name.
    pub name: Name,
    /// The name that literals use: `TARGET_NAME`, or its own where it has no target. It stands where its own name does.
    pub qualified: Name,
    /// `(:target OBJECT)`.
    pub target: Option<Name>,
    /// `(:ranges ((x1 y1 x2 y2) ..))`: rectangles, metres.
    pub ranges: Vec<[f64; 4]>,
    /// `(:yaw_rotation ((from to) ..))`: radians.
    pub yaw: Vec<[f64; 2]>,
    /// `(:rgba (r g b a))`: 0 to 1.
    pub rgba: Option<[f64; 4]>,
    /// Where it stands.
    pub origin: Origin,
}

/// A vocabulary: `(define (domain NAME) ..)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Domain {
    /// Its name.
    pub name: Name,
    /// `(:requirements ..)`.
    pub requirements: Vec<Name>,
    /// `(:types ..)`: groups of types with the one above them.
    pub types: Vec<ObjectGroup>,
    /// `(:predicates ..)`.
    pub predicates: Vec<PredicateDecl>,
    /// `(:action ..)`.
    pub actions: Vec<Action>,
    /// Where it stands.
    pub origin: Origin,
}

/// `(NAME ?A - TYPE ..)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Where it stands.
    pub origin: Origin,
}

/// A parameter of a predicate or action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// Its type; none: any object.
    pub of: Option<Name>,
}

/// `(:action NAME :parameters (..) :precondition C :effect E)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What must hold before; none: nothing.
    pub precondition: Option<Expr>,
    /// What holds afterwards; none: nothing changes.
    pub effect: Option<Effect>,
    /// Where it stands.
    pub origin: Origin,
}

/// What an action does.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// `(and E ..)`.
    And(Vec<Effect>),
    /// An atom becomes true or false.
    Literal(Literal),
    /// `(forall (?V - C) E)`.
    Forall(Variable, Box<Effect>),
    /// `(when C E)`: if it holds before, this happens.
    When(Box<Expr>, Box<Effect>),
}

/// What can be done, and what derived predicates mean: an action model.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ActionModel {
    /// The actions, in order.
    pub(crate) actions: Vec<Action>,
    /// The rules for derived predicates, in order.
    pub(crate) rules: Vec<Rule>,
}

/// `(:derived (NAME ?A ..) C)`: the predicate holds of what makes the condition true, and of nothing else.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    /// The derived predicate.
    pub(crate) predicate: Name,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// What makes it true.
    pub(crate) body: Expr,
}
