//! Bijections of objects that map one initial state to another.
//!
//! Objects are first divided into classes that no bijection mixes: by their types, and repeatedly by the facts about them with the classes of the
//! other arguments. The search assigns one object after another within its class, and checks every fact as soon as all of its arguments are
//! assigned. Facts that have an influence on the goals are kept, too, if bijections are wanted under which the goals may be equivalent.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::goals::{InfluentialFact, names};
use crate::limits::{LimitExceeded, MAX_ASSIGNMENTS};
use crate::problems::{ObjectMatching, Problem};

/// A fact or a value of a function, with its arguments.
type Entry = (String, Vec<usize>);

/// The search for bijections, as an iterator.
pub(crate) struct Bijections {
    /// The candidates of each object of the first problem, by its id.
    candidates: Vec<Candidates>,
    /// The entries of the first problem, by the last of their arguments in the order of assignment.
    entries: Vec<Vec<Entry>>,
    /// The entries of the second problem.
    others: FxHashSet<Entry>,
    /// The position of the search: the index of the candidate of each assigned object.
    choices: Vec<usize>,
    assigned: Vec<usize>,
    taken: Vec<bool>,
    assignments: usize,
    is_over: bool,
}

/// The objects to which an object may correspond: the object of the same name first.
struct Candidates {
    same_name: Option<usize>,
    /// The objects of the class, in order; shared by its objects.
    class: Rc<[usize]>,
}

impl Candidates {
    fn get(&self, choice: usize) -> Option<usize> {
        let Some(first) = self.same_name else { return self.class.get(choice).copied() };
        let Some(place) = choice.checked_sub(1) else { return Some(first) };
        let skipped = self.class.binary_search(&first).is_ok_and(|at| at <= place);
        self.class.get(place + usize::from(skipped)).copied()
    }
}

impl Bijections {
    /// Creates the search. `influential` are the facts with an influence on the goals, which are then kept.
    pub(crate) fn new(
        problems: [&Problem<'_>; 2],
        influential: Option<&[Vec<InfluentialFact>; 2]>,
        matching: ObjectMatching,
    ) -> Self {
        let mut all = problems.map(entries);
        for (entries, facts) in all.iter_mut().zip(influential.into_iter().flatten()) {
            let facts = facts.iter();
            entries
                .extend(facts.map(|(name, arguments, influence)| (format!("? {name} {influence}"), arguments.clone())));
        }
        let counts = problems.map(|problem| problem.goal.world.objects().len());
        let classes = [0, 1].map(|index: usize| classes(problems[index], &all[index]));
        let names = problems.map(|problem| names(problem.goal.world));
        let ids = [0, 1].map(|index: usize| {
            let ids = names[index].iter().enumerate().map(|(id, name)| (name.as_str(), id));
            ids.collect::<FxHashMap<&str, usize>>()
        });
        // Objects with a shared name correspond to those of this name alone.
        let is_fixed =
            |name: &str| matching == ObjectMatching::SharedNames && ids.iter().all(|ids| ids.contains_key(name));
        let mut members: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (object, class) in classes[1].iter().enumerate().filter(|(object, _)| !is_fixed(&names[1][*object])) {
            members.entry(class).or_default().push(object);
        }
        let members: FxHashMap<&str, Rc<[usize]>> =
            members.into_iter().map(|(class, objects)| (class, objects.into())).collect();
        let candidates = |object: usize| {
            let (name, class) = (&*names[0][object], &*classes[0][object]);
            let same_name = ids[1].get(name).copied().filter(|&other| classes[1][other] == *class);
            let of_class = members.get(class).filter(|_| !is_fixed(name));
            Candidates { same_name, class: of_class.cloned().unwrap_or_default() }
        };
        let candidates: Vec<Candidates> = (0..counts[0]).map(candidates).collect();
        let [own, others] = all;
        let is_over = counts[0] != counts[1] || own.len() != others.len();
        let mut by_last: Vec<Vec<Entry>> = vec![Vec::new(); counts[0] + 1];
        for entry in own {
            // Entries without arguments are checked before the first assignment.
            let last = entry.1.iter().max().map_or(0, |object| object + 1);
            by_last[last].push(entry);
        }
        let others: FxHashSet<Entry> = others.into_iter().collect();
        let is_over = is_over || !by_last[0].iter().all(|entry| others.contains(entry));
        Self {
            candidates,
            entries: by_last,
            others,
            choices: vec![0],
            assigned: Vec::new(),
            taken: vec![false; counts[1]],
            assignments: 0,
            is_over,
        }
    }

    /// Returns the next bijection: the object of the second problem for each object of the first.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<usize>>, LimitExceeded> {
        while !self.is_over {
            let object = self.assigned.len();
            if object == self.candidates.len() {
                let found = self.assigned.clone();
                self.step_back();
                return Ok(Some(found));
            }
            let choice = self.choices[object];
            let Some(candidate) = self.candidates[object].get(choice) else {
                self.choices.pop();
                self.step_back();
                continue;
            };
            self.choices[object] += 1;
            self.assignments += 1;
            if self.assignments > MAX_ASSIGNMENTS {
                return Err(LimitExceeded::Assignments);
            }
            if self.taken[candidate] {
                continue;
            }
            self.assigned.push(candidate);
            if self.is_consistent(object) {
                self.taken[candidate] = true;
                self.choices.push(0);
            } else {
                self.assigned.pop();
            }
        }
        Ok(None)
    }

    /// Removes the last assignment; the search is over if there is none.
    fn step_back(&mut self) {
        match self.assigned.pop() {
            Some(candidate) => {
                self.taken[candidate] = false;
                self.choices.truncate(self.assigned.len() + 1);
            }
            None => self.is_over = true,
        }
    }

    /// Whether the entries whose last argument is this object are those of the other problem.
    fn is_consistent(&self, object: usize) -> bool {
        self.entries[object + 1].iter().all(|(name, arguments)| {
            let arguments = arguments.iter().map(|&argument| self.assigned[argument]).collect();
            self.others.contains(&(name.clone(), arguments))
        })
    }
}

/// Returns the facts and values of a problem. Facts and values with the same name differ.
fn entries(problem: &Problem<'_>) -> Vec<Entry> {
    let facts = problem.initial.facts.iter().map(|(name, arguments)| (name.clone(), arguments.clone()));
    let values = problem.initial.values.iter();
    let values = values.map(|((name, arguments), value)| (format!("= {name} {value}"), arguments.clone()));
    facts.chain(values).collect()
}

/// The maximum number of rounds in which classes are refined. Coarser classes leave more candidates, and change no result.
const MAX_REFINEMENTS: usize = 64;

/// Returns a class for each object, which bijections keep: refined to the end or by the maximum number of rounds, which are equally many for
/// two problems between which there is a bijection.
fn classes(problem: &Problem<'_>, entries: &[Entry]) -> Vec<String> {
    let world = problem.goal.world;
    let types = world.objects().iter().map(|object| {
        let mut names: Vec<&str> = object.types.iter().map(|&of| &*world.type_decl(of).name).collect();
        names.sort_unstable();
        names.join(" ")
    });
    let mut classes: Vec<String> = types.collect();
    let distinct = |classes: &[String]| classes.iter().collect::<FxHashSet<_>>().len();
    for _ in 0..MAX_REFINEMENTS {
        let mut signatures: Vec<Vec<String>> = classes.iter().map(|class| vec![class.clone()]).collect();
        for (name, arguments) in entries {
            let others: Vec<&str> = arguments.iter().map(|&argument| &*classes[argument]).collect();
            for (place, &argument) in arguments.iter().enumerate() {
                signatures[argument].push(format!("{name} {place} {}", others.join(",")));
            }
        }
        let refined: Vec<String> = signatures
            .into_iter()
            .map(|mut signature| {
                signature[1..].sort_unstable();
                digest(&signature.join("|"))
            })
            .collect();
        if distinct(&refined) == distinct(&classes) {
            return refined;
        }
        classes = refined;
    }
    classes
}

/// Returns a short text for a class. Classes only order the search: two that share a text cost time and change no result.
fn digest(text: &str) -> String {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}
