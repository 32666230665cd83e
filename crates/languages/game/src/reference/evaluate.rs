//! Three-valued evaluation of conditions, with a cache that is refreshed only where the authors' implementation refreshes it.
//!
//! | value | meaning |
//! |---|---|
//! | `Some(True)`, `Some(False)` | known: computed now, or when it was last possible |
//! | `Some(Missing)` | unimplemented, as found earlier in the same state |
//! | `None` | unknown so far |
//! | `Err(EvaluationError::Unimplemented)` | unimplemented, on the first evaluation in a state |
//!
//! The first evaluation of an unimplemented condition in a state returns the error, later ones in the same state return `Missing`.
//! `Missing` counts as true, and its negation as false.

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::ids::ObjectId;
use goalspec_core::work::WorkBudget;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::assignments::Assignments;
use super::buildings::Buildings;
use super::error::PlayError;
use super::predicates::{self, Argument, Predicate};
use super::program::{Call, CallId, Domain, NameId, NodeId, NodeKind, Operand, Program};
use super::recorded_objects::RecordedObjects;
use super::scene::Scene;
use super::tables::{ObjectClass, Tables};

/// Work units of one evaluation, which builds a key and looks it up in a cache.
const EVALUATION_WORK: u64 = 24;

/// Maximum number of cached values.
const MAX_CACHED_VALUES: usize = 1 << 21;

/// Absolute tolerance of `=`.
const EQUAL_ABSOLUTE: f64 = 1e-8;

/// Relative tolerance of `=`.
const EQUAL_RELATIVE: f64 = 1e-5;

/// A cached truth value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Unimplemented,
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl Truth {
    /// Combines two values as `and` does: returns the first if it is false, otherwise the second.
    fn and(self, next: Self) -> Self {
        if self == Self::False { self } else { next }
    }
}

/// The reason why a condition has no value.
#[derive(Debug)]
enum EvaluationError {
    /// The condition is unimplemented.
    Unimplemented,
    /// A name that is not a variable is unbound. Every condition that contains it is false.
    Unbound(NameId),
    /// The authors' implementation stops with an error.
    Failure(PlayError),
}

impl From<PlayError> for EvaluationError {
    fn from(failure: PlayError) -> Self {
        Self::Failure(failure)
    }
}

/// An assignment of objects to names.
#[derive(Debug, Clone)]
pub(super) struct Bindings(Vec<Option<ObjectId>>);

impl Bindings {
    /// Creates an assignment in which every name is unbound.
    pub(super) fn new(program: &Program) -> Self {
        Self(vec![None; program.names.len()])
    }

    /// Returns the object to which the name is bound.
    pub(super) fn get(&self, name: NameId) -> Option<ObjectId> {
        self.0[name.0 as usize]
    }

    /// Returns the cache key of conditions with these names.
    fn key(&self, names: &[NameId]) -> Key {
        names.iter().map(|&name| self.get(name).map_or(u32::MAX, |object| object.0)).collect()
    }

    /// Binds a name, or unbinds it.
    pub(super) fn set(&mut self, name: NameId, object: Option<ObjectId>) {
        self.0[name.0 as usize] = object;
    }
}

/// A cache key: the objects of the names that distinguish cached values, or `u32::MAX` for an unbound name.
type Key = SmallVec<[u32; 4]>;

/// A cached value with its clock, the phase that wrote it, and the value that it replaced.
#[derive(Debug, Clone, Copy)]
struct Entry<T> {
    value: T,
    clock: i64,
    phase: u64,
    before: Option<(T, i64)>,
}

/// The cached values of one condition or function call.
#[derive(Debug, Clone)]
struct Cache<T>(FxHashMap<Key, Entry<T>>);

impl<T: Copy> Cache<T> {
    fn new() -> Self {
        Self(FxHashMap::default())
    }

    /// Caches a value. `left` is the number of values that may still be added.
    fn put(&mut self, key: Key, value: T, at: i64, phase: u64, left: &mut usize) -> Result<(), PlayError> {
        if let Some(entry) = self.0.get_mut(&key) {
            *entry = Entry { value, clock: at, phase, before: Some((entry.value, entry.clock)) };
            return Ok(());
        }
        let Some(fewer) = left.checked_sub(1) else {
            return Err(PlayError::limit(format!("more than {MAX_CACHED_VALUES} values must be stored")));
        };
        *left = fewer;
        self.0.insert(key, Entry { value, clock: at, phase, before: None });
        Ok(())
    }

    /// Reverts everything that a phase has written.
    fn revert(&mut self, phase: u64) {
        self.0.retain(|_, entry| match entry.before {
            _ if entry.phase != phase => true,
            Some((value, at)) => {
                *entry = Entry { value, clock: at, phase: 0, before: None };
                true
            }
            None => false,
        });
    }
}

/// The recorded state of a room.
#[derive(Debug, Clone)]
pub(super) struct RoomState {
    /// The tables of the room.
    pub(super) tables: Tables,
    /// The last recorded state of each object.
    pub(super) things: RecordedObjects,
    /// The buildings.
    pub(super) buildings: Buildings,
}

/// Evaluates conditions and caches their values.
#[derive(Debug, Clone)]
pub(super) struct Evaluator {
    conditions: Vec<Cache<Truth>>,
    calls: Vec<Cache<f64>>,
    /// Whether conditions treat the current state as the last one.
    pub(super) last: bool,
    phase: u64,
    /// The number of values that may still be cached.
    cache_capacity_left: usize,
    remarks: Vec<String>,
    /// The work of all evaluations so far.
    pub(super) work: WorkBudget,
}

impl Evaluator {
    /// Creates an evaluator with an empty cache.
    pub(super) fn new(program: &Program) -> Self {
        Self {
            conditions: vec![Cache::new(); program.nodes.len()],
            calls: vec![Cache::new(); program.calls.len()],
            last: false,
            phase: 0,
            cache_capacity_left: MAX_CACHED_VALUES,
            remarks: Vec::new(),
            work: WorkBudget::new(),
        }
    }

    /// Begins a phase of a state. The writes of a phase can be reverted until the next phase begins.
    pub(super) fn begin_phase(&mut self) {
        self.phase += 1;
    }

    /// Reverts all cache writes of the current phase.
    pub(super) fn revert_phase(&mut self) {
        for cache in &mut self.conditions {
            cache.revert(self.phase);
        }
        for cache in &mut self.calls {
            cache.revert(self.phase);
        }
    }

    /// Counts units of work.
    ///
    /// # Errors
    /// Returns an error if the limit is exceeded.
    pub(super) fn spend(&self, units: u64) -> Result<(), PlayError> {
        if self.work.spend(units) { Ok(()) } else { Err(PlayError::limit("the work budget is exhausted")) }
    }

    /// Returns the remarks for the report.
    pub(super) fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Returns whether a condition holds. Unimplemented conditions hold; unknown ones do not.
    ///
    /// # Errors
    /// Returns an error if the authors' implementation stops.
    pub(super) fn holds(
        &mut self,
        program: &Program,
        memory: &mut RoomState,
        node: NodeId,
        bindings: &mut Bindings,
        force: bool,
    ) -> Result<bool, PlayError> {
        match (Evaluation { evaluator: self, program, memory, bindings, force }).value(node) {
            Ok(value) => Ok(matches!(value, Some(Truth::True | Truth::Unimplemented))),
            Err(EvaluationError::Unimplemented) => Ok(true),
            Err(EvaluationError::Unbound(name)) => {
                let text = &program.name(name).text;
                let remark = format!("`{text}` is not a single object of the room; conditions that use it are false");
                if !self.remarks.contains(&remark) {
                    self.remarks.push(remark);
                }
                Ok(false)
            }
            Err(EvaluationError::Failure(failure)) => Err(failure),
        }
    }

    /// Returns the value of a function for a measure, or `None` if it is unknown.
    ///
    /// # Errors
    /// Returns an error if the authors' implementation stops.
    pub(super) fn measure(
        &mut self,
        program: &Program,
        memory: &mut RoomState,
        call: CallId,
        bindings: &mut Bindings,
    ) -> Result<Option<f64>, PlayError> {
        Evaluation { evaluator: self, program, memory, bindings, force: true }.function(call)
    }
}

/// An evaluation of one condition.
struct Evaluation<'a> {
    evaluator: &'a mut Evaluator,
    program: &'a Program,
    memory: &'a mut RoomState,
    bindings: &'a mut Bindings,
    force: bool,
}

impl Evaluation<'_> {
    /// Returns the value of a condition: the cached value of the current clock, otherwise the computed value, otherwise the last
    /// cached value.
    fn value(&mut self, id: NodeId) -> Result<Option<Truth>, EvaluationError> {
        self.evaluator.spend(EVALUATION_WORK)?;
        let node = self.program.node(id);
        if let Some(name) = node.objects.iter().find(|name| self.bindings.get(**name).is_none()) {
            return Err(EvaluationError::Unbound(*name));
        }
        if !node.cached {
            return self.compute(id, None);
        }
        let key = self.bindings.key(&node.keys);
        let (clock, index) = (self.memory.things.clock(), id.0 as usize);
        let cached = self.evaluator.conditions[index].0.get(&key).map(|entry| (entry.value, entry.clock));
        if let Some((value, at)) = cached
            && at == clock
        {
            return Ok(Some(value));
        }
        let computed = match self.compute(id, cached.map(|(_, at)| at)) {
            Err(EvaluationError::Unimplemented) => Some(Truth::Unimplemented),
            other => other?,
        };
        let Some(value) = computed else { return Ok(cached.map(|(value, _)| value)) };
        let Evaluator { conditions, phase, cache_capacity_left: left, .. } = &mut *self.evaluator;
        conditions[index].put(key, value, clock, *phase, left)?;
        if value == Truth::Unimplemented { Err(EvaluationError::Unimplemented) } else { Ok(Some(value)) }
    }

    fn compute(&mut self, id: NodeId, evaluated: Option<i64>) -> Result<Option<Truth>, EvaluationError> {
        let program = self.program;
        match &program.node(id).kind {
            NodeKind::GameStart => Ok(Some(self.memory.things.at_start().into())),
            NodeKind::GameOver => Ok(Some(self.evaluator.last.into())),
            NodeKind::Unimplemented(..) => Err(EvaluationError::Unimplemented),
            NodeKind::Atom(predicate, arguments) => self.atom(*predicate, arguments, evaluated),
            NodeKind::Not(part) => match self.value(*part) {
                Ok(value) => Ok(value.map(|value| Truth::from(value == Truth::False))),
                Err(EvaluationError::Unimplemented) => Ok(Some(Truth::True)),
                Err(stop) => Err(stop),
            },
            NodeKind::And(parts) => self.and(parts),
            NodeKind::Or(parts) => self.or(parts),
            NodeKind::Exists(domains, body) => self.exists(id, domains, *body),
            NodeKind::Forall(domains, body) => self.forall(id, domains, *body),
            NodeKind::Compare(comparison, sides) => self.compare(*comparison, sides),
            NodeKind::Equal(sides) => self.equal(sides),
        }
    }

    /// Evaluates every part up to the first unknown one, which makes the result unknown. Unimplemented parts are ignored.
    fn and(&mut self, parts: &[NodeId]) -> Result<Option<Truth>, EvaluationError> {
        let mut result = Truth::True;
        let mut implemented = false;
        for part in parts {
            match self.value(*part) {
                Ok(None) => return Ok(None),
                Ok(Some(value)) => {
                    implemented = true;
                    result = result.and(value);
                }
                Err(EvaluationError::Unimplemented) => {}
                Err(stop) => return Err(stop),
            }
        }
        if implemented { Ok(Some(result)) } else { Err(EvaluationError::Unimplemented) }
    }

    /// Evaluates the parts up to the first true one.
    fn or(&mut self, parts: &[NodeId]) -> Result<Option<Truth>, EvaluationError> {
        let (mut known, mut implemented) = (false, false);
        for part in parts {
            match self.value(*part) {
                Ok(value) => {
                    implemented = true;
                    match value {
                        Some(Truth::True | Truth::Unimplemented) => return Ok(Some(Truth::True)),
                        Some(Truth::False) => known = true,
                        None => {}
                    }
                }
                Err(EvaluationError::Unimplemented) => {}
                Err(stop) => return Err(stop),
            }
        }
        if implemented { Ok(known.then_some(Truth::False)) } else { Err(EvaluationError::Unimplemented) }
    }

    fn exists(&mut self, id: NodeId, domains: &[Domain], body: NodeId) -> Result<Option<Truth>, EvaluationError> {
        let mut known = false;
        let found = self.each_assignment(id, domains, |walk| {
            Ok(match walk.value(body)? {
                Some(Truth::True | Truth::Unimplemented) => Some(Some(Truth::True)),
                Some(Truth::False) => {
                    known = true;
                    None
                }
                None => None,
            })
        })?;
        Ok(found.unwrap_or(known.then_some(Truth::False)))
    }

    fn forall(&mut self, id: NodeId, domains: &[Domain], body: NodeId) -> Result<Option<Truth>, EvaluationError> {
        let mut result = Truth::True;
        let stopped = self.each_assignment(id, domains, |walk| {
            Ok(match walk.value(body)? {
                Some(value) => {
                    result = result.and(value);
                    None
                }
                None => Some(None),
            })
        })?;
        Ok(stopped.unwrap_or(Some(result)))
    }

    /// Enumerates the assignments of the quantifier's variables, without the objects already bound in the condition, until `visit`
    /// returns a value. Variables that are already bound keep their objects.
    fn each_assignment<T>(
        &mut self,
        id: NodeId,
        domains: &[Domain],
        mut visit: impl FnMut(&mut Self) -> Result<Option<T>, EvaluationError>,
    ) -> Result<Option<T>, EvaluationError> {
        let names = &self.program.node(id).names;
        let outer = |name: NameId| if names.contains(&name) { self.bindings.get(name) } else { None };
        let used: SmallVec<[ObjectId; 8]> = names
            .iter()
            .filter_map(|&name| {
                let info = self.program.name(name);
                if info.is_type { info.symbol } else { self.bindings.get(name) }
            })
            .collect();
        let free: SmallVec<[bool; 4]> = domains.iter().map(|domain| outer(domain.name).is_none()).collect();
        let saved: SmallVec<[Option<ObjectId>; 4]> =
            domains.iter().map(|domain| self.bindings.get(domain.name)).collect();
        let mut result = Ok(None);
        let assignments = Assignments::new(domains, &used)?;
        self.evaluator.spend(assignments.setup_work())?;
        for assignment in assignments {
            for ((domain, &object), &free) in domains.iter().zip(&assignment).zip(&free) {
                if free {
                    self.bindings.set(domain.name, Some(object));
                }
            }
            result = visit(self);
            if !matches!(result, Ok(None)) {
                break;
            }
        }
        for (domain, object) in domains.iter().zip(saved) {
            self.bindings.set(domain.name, object);
        }
        result
    }

    /// Evaluates a predicate if one of its objects was updated since the last evaluation, or if evaluation is forced.
    fn atom(
        &mut self,
        predicate: Predicate,
        arguments: &[NameId],
        evaluated: Option<i64>,
    ) -> Result<Option<Truth>, EvaluationError> {
        if self.memory.things.agent().is_none() {
            return Err(PlayError::new("the recording starts without the agent").into());
        }
        let bound: SmallVec<[NameId; 3]> = arguments
            .iter()
            .copied()
            .filter(|&name| self.program.name(name).is_type || self.bindings.get(name).is_some())
            .collect();
        if !bound.is_empty() {
            match self.updated(&bound) {
                None if self.force => {
                    return Err(PlayError::new("a predicate refers to an object that was never observed").into());
                }
                None => return Ok(None),
                Some(updated) => {
                    let is_updated = updated == self.memory.things.clock() || evaluated.is_none_or(|at| updated > at);
                    if !(is_updated || self.force) {
                        return Ok(None);
                    }
                }
            }
        }
        let value = self.with_arguments(&bound, |scene, arguments| predicates::holds(scene, predicate, arguments))?;
        Ok(Some(value.into()))
    }

    /// Returns the latest clock at which one of the objects was updated, or `None` if one was never listed. Marks fixtures and
    /// buildings as updated now if they never were.
    fn updated(&mut self, names: &[NameId]) -> Option<i64> {
        let objects: SmallVec<[ObjectId; 3]> = names
            .iter()
            .filter(|name| !self.program.name(**name).is_type)
            .filter_map(|&name| self.bindings.get(name))
            .collect();
        for &object in &objects {
            if matches!(self.memory.tables.class(object), ObjectClass::Fixture(_) | ObjectClass::Building(_)) {
                self.memory.things.mark_updated(object);
            }
        }
        let mut latest = i64::MIN;
        for object in objects {
            latest = latest.max(self.memory.things.updated(object)?);
        }
        Some(latest)
    }

    fn with_arguments<T>(
        &self,
        names: &[NameId],
        apply: impl FnOnce(Scene<'_>, &[Argument<'_>]) -> Result<T, PlayError>,
    ) -> Result<T, PlayError> {
        let RoomState { tables, things: recorded, buildings } = &*self.memory;
        let Some(agent) = recorded.agent() else {
            return Err(PlayError::new("the recording starts without the agent"));
        };
        let scene = Scene { tables, things: recorded, buildings, agent };
        let mut arguments: SmallVec<[Argument<'_>; 3]> = SmallVec::new();
        for &name in names {
            let info = self.program.name(name);
            if info.is_type {
                arguments.push(Argument::Name(&info.text));
            } else if let Some(item) = self.bindings.get(name).and_then(|object| scene.item(object)) {
                arguments.push(Argument::Item(item));
            }
        }
        apply(scene, &arguments)
    }

    /// Returns the value of a function. The authors' implementation confuses the flag for forced evaluation with the clock of the
    /// last evaluation: objects that were last updated at clock 0 (or 1, if forced), and not in the current state, have no value.
    fn function(&mut self, id: CallId) -> Result<Option<f64>, PlayError> {
        let Call { function, arguments, bound } = self.program.call(id);
        let key = self.bindings.key(bound);
        let (clock, index) = (self.memory.things.clock(), id.0 as usize);
        let cached = self.evaluator.calls[index].0.get(&key).map(|entry| (entry.value, entry.clock));
        if let Some((value, at)) = cached
            && at == clock
        {
            return Ok(Some(value));
        }
        if self.memory.things.agent().is_none() {
            return Err(PlayError::new("the recording starts without the agent"));
        }
        let evaluated = i64::from(self.force);
        if self.updated(arguments).is_some_and(|updated| updated == clock || updated > evaluated) {
            let value = self.with_arguments(arguments, |_, items| predicates::value(*function, items))?;
            let Evaluator { calls, phase, cache_capacity_left: left, .. } = &mut *self.evaluator;
            calls[index].put(key, value, clock, *phase, left)?;
            return Ok(Some(value));
        }
        Ok(cached.map(|(value, _)| value))
    }

    /// Returns the value of an operand, `None` if it is unknown, or `Err(EvaluationError::Unimplemented)` if it is unimplemented.
    fn side(&mut self, side: Operand) -> Result<Option<f64>, EvaluationError> {
        match side {
            Operand::Number(bits) => Ok(Some(f64::from_bits(bits))),
            Operand::Call(call) => Ok(self.function(call)?),
            Operand::Unimplemented(_) => Err(EvaluationError::Unimplemented),
        }
    }

    /// Evaluates a comparison. It is unimplemented if its left operand is, and true if only its right operand is.
    fn compare(
        &mut self,
        comparison: ComparisonOperator,
        sides: &[Operand; 2],
    ) -> Result<Option<Truth>, EvaluationError> {
        let left = match self.side(sides[0]) {
            Ok(None) => return Ok(None),
            Ok(Some(left)) => Some(left),
            Err(EvaluationError::Unimplemented) => None,
            Err(stop) => return Err(stop),
        };
        let right = match self.side(sides[1]) {
            Ok(None) => return Ok(None),
            Ok(Some(right)) => Some(right),
            Err(EvaluationError::Unimplemented) => None,
            Err(stop) => return Err(stop),
        };
        match (left, right) {
            (None, _) => Err(EvaluationError::Unimplemented),
            (_, None) => Ok(Some(Truth::True)),
            (Some(left), Some(right)) => Ok(Some(comparison.holds(left, right).into())),
        }
    }

    /// Evaluates an equality: all values equal the first. Unimplemented operands are ignored.
    fn equal(&mut self, sides: &[Operand]) -> Result<Option<Truth>, EvaluationError> {
        let mut values: SmallVec<[f64; 4]> = SmallVec::new();
        for side in sides {
            match self.side(*side) {
                Ok(None) => return Ok(None),
                Ok(Some(value)) => values.push(value),
                Err(EvaluationError::Unimplemented) => {}
                Err(stop) => return Err(stop),
            }
        }
        let Some(&first) = values.first() else { return Err(EvaluationError::Unimplemented) };
        let close = |value: f64| (value - first).abs() <= EQUAL_ABSOLUTE + EQUAL_RELATIVE * first.abs();
        Ok(Some(values.iter().all(|&value| close(value)).into()))
    }
}
