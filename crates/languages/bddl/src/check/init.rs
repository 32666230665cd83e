//! Checks of `:init`, and of the consistency of `:objects`, `:init` and `:goal`.

use goalspec_syntax::{Severity, suggest};
use rustc_hash::FxHashMap;

use super::findings::{Findings, atom_text, category_of, quoted};
use super::resolved::{Depth, Fact, GoalAtom, Referent, ResolvedProblem, Term};
use super::status::Check;
use super::tables::{ROOMS, is_kinematic, places, places_substance};
use crate::ast::Atom;
use crate::codes;
use crate::diagnostics::{at, related};
use crate::knowledge::Knowledge;
use crate::knowledge::tables::JaggedArray;
use crate::resolve::INROOM;

/// The checks that fail if a term of `:init` is neither an instance nor a room.
const INIT_CHECKS: [Check; 4] = [Check::SameObjects, Check::AllPlaced, Check::FutureReal, Check::KnownSynsets];

/// Checks that the terms of `:init` are declared instances or known rooms. Returns, for each declared instance, whether it occurs.
pub(super) fn terms(
    resolved: &ResolvedProblem<'_>,
    knowledge: Option<&Knowledge>,
    findings: &mut Findings,
) -> Vec<bool> {
    let mut occurs = vec![false; resolved.instances.len()];
    // BEHAVIOR-100 has no list of room types.
    let unlisted = resolved.problem.domain.as_ref().is_some_and(|domain| *domain.text == *"igibson");
    for fact in &resolved.init {
        for term in &fact.terms {
            match term.referent {
                Referent::Instance(index) => {
                    occurs[index as usize] = true;
                    let instance = &resolved.instances[index as usize];
                    if instance.category.is_none() || instance.is_wildcard() {
                        findings.fail(&INIT_CHECKS);
                    }
                }
                Referent::Room if unlisted || is_room(&term.name.text, knowledge) => {}
                Referent::Room => {
                    let message = format!("unknown type of room {}", quoted(term.name));
                    let diagnostic = at(term.name.origin, codes::UNKNOWN_ROOM, Severity::Warning, message);
                    let (text, span) = (&term.name.text, term.name.origin.0);
                    let (diagnostic, has_suggestion) = suggest::with_nearest(diagnostic, text, span, rooms(knowledge));
                    let help = "use a known type, such as `kitchen`, `living_room`, `bedroom`, `bathroom` or `garden`";
                    findings.report(&INIT_CHECKS, if has_suggestion { diagnostic } else { diagnostic.with_help(help) });
                }
                Referent::Unresolved | Referent::Variable => {
                    findings.fail(&[Check::SameObjects, Check::Compiles]);
                    if category_of(&term.name.text).is_none() {
                        findings.fail(&INIT_CHECKS);
                    }
                }
            }
        }
    }
    occurs
}

/// Checks that every declared instance occurs in `:init`, as `occurs` says.
pub(super) fn occurrences(resolved: &ResolvedProblem<'_>, occurs: &[bool], findings: &mut Findings) {
    for (instance, _) in resolved.instances.iter().zip(occurs).filter(|(_, occurs)| !**occurs) {
        let message = format!("{} does not occur in `:init`", quoted(instance.name));
        let diagnostic = at(instance.name.origin, codes::NOT_IN_INIT, Severity::Warning, message);
        let help = format!("place it, as in `(ontop {} ..)`, or add `(future {0})`", instance.name.text);
        findings.report(&[Check::SameObjects], diagnostic.with_help(help));
    }
}

/// Whether a type of room exists.
fn is_room(kind: &str, knowledge: Option<&Knowledge>) -> bool {
    let listed = |knowledge: &Knowledge| knowledge.room_types().any(|known| known == kind);
    ROOMS.binary_search(&kind).is_ok() || knowledge.is_some_and(listed)
}

/// Returns the types of rooms.
fn rooms(knowledge: Option<&Knowledge>) -> impl Iterator<Item = &str> {
    ROOMS.into_iter().chain(knowledge.into_iter().flat_map(Knowledge::room_types))
}

/// Checks that no literal occurs together with its negation, and that no placement is negated.
pub(super) fn literals(resolved: &ResolvedProblem<'_>, findings: &mut Findings) {
    let negative = resolved.init.iter().filter(|fact| !fact.literal.positive);
    let mut positive: Option<FxHashMap<(&str, Vec<&str>), &Fact<'_>>> = None;
    for fact in negative {
        let atom = &fact.literal.atom;
        if is_kinematic(&atom.predicate.text) {
            let message = format!("`(not {})` is a negated placement, which cannot be set up", atom_text(atom));
            let diagnostic = at(atom.origin, codes::NEGATIVE_PLACEMENT, Severity::Warning, message);
            findings.report(&[Check::AllPlaced], diagnostic.with_help("state where the object is instead"));
        }
        let facts = positive.get_or_insert_with(|| {
            let positive = resolved.init.iter().filter(|fact| fact.literal.positive);
            positive.map(|fact| (key(&fact.literal.atom), fact)).collect()
        });
        if let Some(other) = facts.get(&key(atom)) {
            let message = format!("`:init` contains both `{0}` and `(not {0})`", atom_text(atom));
            let diagnostic = at(atom.origin, codes::CONTRADICTORY_INIT, Severity::Error, message);
            let diagnostic = related(diagnostic, other.literal.atom.origin, "contradicts this literal");
            findings.report(&[Check::NoContradictoryInit], diagnostic.with_help("remove one of the two"));
        }
    }
}

fn key(atom: &Atom) -> (&str, Vec<&str>) {
    (&atom.predicate.text, atom.arguments.iter().map(|name| &*name.text).collect())
}

/// The placement of an object: the literal, as an index into `:init`, and the round.
type Placement = Option<(usize, u32)>;

/// Checks that every instance is placed in a room, directly or through its supports, and that objects other than substances are
/// placed once.
///
/// Placement proceeds in rounds: first the objects in rooms, then the objects that are placed relative to one of the previous
/// round.
pub(super) fn placements(resolved: &ResolvedProblem<'_>, findings: &mut Findings) {
    let mut placed: Vec<Placement> = vec![None; resolved.instances.len()];
    // For each support: the literal, the object that it places, and whether the object is a substance.
    let mut followers: Vec<(u32, (usize, usize, bool))> = Vec::with_capacity(resolved.init.len());
    let mut open = std::collections::VecDeque::new();
    let mut exempt = vec![true; resolved.instances.len()];
    for (index, fact) in resolved.init.iter().enumerate() {
        let predicate = &*fact.literal.atom.predicate.text;
        fact.terms.iter().filter_map(Term::instance).for_each(|instance| exempt[instance] = false);
        if !fact.literal.positive {
            continue;
        }
        match (&*fact.terms, predicate) {
            ([object, room], INROOM) if room.referent == Referent::Room => {
                if let Some(object) = object.instance() {
                    if placed[object].is_none() {
                        open.push_back(object);
                    }
                    place(resolved, findings, &mut placed, object, index, 0, false);
                }
            }
            ([one, other], _) => {
                let (Some(one), Some(other)) = (one.instance(), other.instance()) else { continue };
                if places(predicate) {
                    followers.push((other as u32, (index, one, false)));
                } else if places_substance(predicate) {
                    followers.push((one as u32, (index, other, true)));
                }
            }
            _ => {}
        }
    }
    for fact in resolved.init.iter().filter(|fact| is_future(fact)) {
        fact.terms.iter().filter_map(Term::instance).for_each(|instance| exempt[instance] = true);
    }
    let followers = JaggedArray::new(resolved.instances.len(), &followers);
    while let Some(support) = open.pop_front() {
        let round = placed[support].map_or(0, |(_, round)| round + 1);
        for &(literal, object, substance) in followers.row(support) {
            let is_new = placed[object].is_none();
            place(resolved, findings, &mut placed, object, literal, round, substance);
            if is_new {
                open.push_back(object);
            }
        }
    }
    let unplaced = (0..resolved.instances.len()).filter(|&index| !exempt[index] && placed[index].is_none());
    for instance in unplaced.map(|index| &resolved.instances[index]) {
        let message = format!("{} is not placed in any room", quoted(instance.name));
        let diagnostic = at(instance.name.origin, codes::NOT_PLACED, Severity::Warning, message);
        let help = "add `(inroom ..)` for it, or for the object that it is on, in or under";
        findings.report(&[Check::AllPlaced], diagnostic.with_help(help));
    }
}

/// Places an object, and reports a second placement unless the object is a substance.
fn place(
    resolved: &ResolvedProblem<'_>,
    findings: &mut Findings,
    placed: &mut [Placement],
    object: usize,
    literal: usize,
    round: u32,
    substance: bool,
) {
    let Some((first, first_round)) = placed[object] else {
        placed[object] = Some((literal, round));
        return;
    };
    if substance {
        return;
    }
    let atom = |index: usize| &resolved.init[index].literal.atom;
    let (atom, first) = (atom(literal.max(first)), atom(literal.min(first)));
    let message = format!("{} is placed twice", quoted(resolved.instances[object].name));
    let diagnostic = at(atom.origin, codes::PLACED_TWICE, Severity::Warning, message);
    let diagnostic = related(diagnostic, first.origin, "first placement").with_help("keep one of the two");
    // The releases miss a second placement relative to objects of another round, unless the first one is a room.
    let checks: &[Check] = if round == first_round || first_round == 0 { &[Check::AllPlaced] } else { &[] };
    findings.report(checks, diagnostic);
}

/// Checks that every `future` instance is required to be `real`, and that every instance required to be `real` occurs in
/// `:init`, as `occurs` says.
pub(super) fn future(resolved: &ResolvedProblem<'_>, occurs: &[bool], findings: &mut Findings) {
    let mut wanted: FxHashMap<&str, &GoalAtom<'_>> = FxHashMap::default();
    for goal in resolved.goal.iter().filter(|goal| *goal.atom.predicate.text == *"real") {
        let Some(object) = goal.terms.first() else { continue };
        let known = wanted.entry(&object.name.text).or_insert(goal);
        if goal.depth == Depth::Inside {
            continue;
        }
        *known = goal;
        if !object.instance().is_some_and(|instance| occurs[instance]) {
            let message =
                format!("the goal requires {} to be real, but it does not occur in `:init`", quoted(object.name));
            let diagnostic = at(goal.atom.origin, codes::REAL_NOT_IN_INIT, Severity::Warning, message);
            let help = format!("add `(future {})` to `:init`", object.name.text);
            findings.report(&[Check::FutureReal], diagnostic.with_help(help));
        }
    }
    let has_washer = resolved.has_category("washer.n.03");
    for fact in resolved.init.iter().filter(|fact| is_future(fact)) {
        let Some(object) = fact.terms.first() else { continue };
        let inside = match wanted.get(&*object.name.text) {
            Some(goal) if goal.depth != Depth::Inside => continue,
            inside => inside,
        };
        if has_washer && *object.name.text == *"water.n.06_1" {
            continue;
        }
        let message =
            format!("{} does not exist yet, but the goal does not require it to be real", quoted(object.name));
        let mut diagnostic = at(fact.literal.atom.origin, codes::FUTURE_NOT_REAL, Severity::Warning, message);
        if let Some(goal) = inside {
            diagnostic = related(diagnostic, goal.atom.origin, "required here, nested deeper than the releases check");
        }
        let help = format!("add `(real ?{})` to the goal", object.name.text);
        findings.report(&[Check::FutureReal], diagnostic.with_help(help));
    }
}

/// Whether a literal states that an object does not exist yet.
fn is_future(fact: &Fact<'_>) -> bool {
    fact.literal.positive && *fact.literal.atom.predicate.text == *"future"
}

/// Checks that the agent is placed.
pub(super) fn agent(resolved: &ResolvedProblem<'_>, findings: &mut Findings) {
    let placed = resolved.init.iter().any(|fact| {
        let atom = &fact.literal.atom;
        fact.literal.positive
            && matches!(&*atom.predicate.text, "ontop" | "onfloor")
            && atom.arguments.first().is_some_and(|name| *name.text == *super::AGENT_INSTANCE)
    });
    if !placed {
        let message = format!("the agent, `{}`, is not placed", super::AGENT_INSTANCE);
        let diagnostic = at(resolved.problem.name.origin, codes::NO_AGENT, Severity::Warning, message);
        let help =
            format!("add `(ontop {} floor.n.01_1)` to `:init`, or place it on another object", super::AGENT_INSTANCE);
        findings.report(&[Check::AgentPresent], diagnostic.with_help(help));
    }
}
