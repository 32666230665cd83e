//! Compilation of games to the form that an engine runs.

use std::sync::Arc;

use goalspec_core::automaton::Automaton;
use goalspec_core::condition::{Condition, Expression};
use goalspec_core::evaluate::Bindings;
use goalspec_core::evaluation_cost;
use goalspec_core::explain;
use goalspec_core::ids::{ObjectId, VarId};
use goalspec_core::limits::{MAX_BINDINGS, MAX_RUN_BYTES};
use goalspec_core::monitor::MonitorError;
use goalspec_core::pattern::{Formula, Pattern};
use goalspec_core::program::{Game, Preference, Quantifier};
use goalspec_core::score::ScoreEvaluator;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::bits;
use crate::graph::{Graph, NodeId, Op};
use crate::graph_builder::{CompiledCondition, GraphBuilder, VariableFrame};
use crate::memory::{MemoryRequirements, PreferenceMemory};
use crate::run::{GameRun, RunOptions};
use crate::satisfaction_counter::CountRequirements;
use crate::sequence::SequenceAutomaton;
use crate::setup::CompiledSetup;
use crate::space::{Domains, Layout, PointCursor, Space};

/// A game compiled for a world. Immutable, and shared by any number of runs on any number of threads.
#[derive(Debug)]
pub struct CompiledGame {
    pub(crate) world: Arc<World>,
    pub(crate) game: Arc<Game>,
    pub(crate) scoring: ScoreEvaluator,
    pub(crate) graph: Graph,
    pub(crate) setup: Option<CompiledSetup>,
    pub(crate) preferences: Vec<CompiledPreference>,
    pub(crate) counters: CountRequirements,
    /// The number of listeners on the graph: one for each preference and one for the setup.
    pub(crate) listeners: usize,
}

/// Resource limits for compiling and running a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompileLimits {
    /// Maximum memory for bindings and conditions, in bytes.
    pub memory_bytes: u64,
    /// Maximum number of bindings of a preference, or of a quantifier of the setup; at most [`MAX_BINDINGS`].
    pub bindings: u64,
    /// Maximum number of assignments, of a quantifier inside a condition and the variables around it together, whose truth is kept. A
    /// quantifier over more assignments is evaluated anew whenever one of its inputs changes, which takes less memory and more time.
    pub quantifier_assignments: u64,
    /// Maximum [work](goalspec_core::work), in units, for evaluating at compile time the conditions that never change.
    pub work: u64,
}

impl Default for CompileLimits {
    fn default() -> Self {
        Self { memory_bytes: MAX_RUN_BYTES, bindings: MAX_BINDINGS, quantifier_assignments: 1 << 24, work: u64::MAX }
    }
}

/// A compiled preference.
#[derive(Debug)]
pub(crate) struct CompiledPreference {
    pub(crate) preference: Arc<Preference>,
    /// The variables of the bindings, external ones first.
    pub(crate) variables: Vec<VarId>,
    /// The space of the bindings that are not ruled out in advance.
    pub(crate) space: Space,
    /// The number of bindings that extend one binding of the external variables.
    pub(crate) group_size: usize,
    /// The bindings that bind distinct variables to different objects, one bit each; `None` if all do.
    pub(crate) distinct_bindings: Option<Vec<u64>>,
    pub(crate) pattern: CompiledPattern,
    /// The label of each measure of one assignment, in order.
    pub(crate) labels: Vec<Arc<str>>,
    /// Whether its conditions may depend on which state is the last.
    pub(crate) depends_on_last: bool,
    /// The first binding in order, pruned or not; `None` if there is no binding.
    pub(crate) first_binding: Option<Vec<ObjectId>>,
    /// The reason why there is no binding.
    pub(crate) no_binding_reason: Option<String>,
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) enum CompiledPattern {
    /// There is no binding.
    NoBinding,
    Sequence {
        automaton: SequenceAutomaton,
        /// The automaton of the core, whose positions with a measure say which expression is recorded.
        source: Automaton,
        /// For each position, the phase that an attempt there has yet to pass, and the number of that phase's events that have happened.
        stuck_at: Vec<(usize, usize)>,
        /// For each letter, the node of its truth.
        letters: Vec<NodeId>,
    },
    AtEnd(NodeId),
    Formula {
        conditions: Vec<NodeId>,
        valid: NodeId,
    },
}

impl CompiledPreference {
    /// Returns the number of materialised bindings.
    pub(crate) fn bindings(&self) -> usize {
        match self.pattern {
            CompiledPattern::NoBinding => 0,
            _ => self.space.size(),
        }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        matches!(self.preference.pattern, Pattern::AtEnd(_))
    }

    /// Returns the number of holders of satisfactions: bindings or, under `Forall`, bindings of the external variables.
    pub(crate) fn holders(&self) -> usize {
        match self.preference.quantifier {
            Quantifier::Exists => self.bindings(),
            Quantifier::Forall => self.groups(),
        }
    }

    /// Returns the memory for matching and counting, in bytes.
    fn bytes(&self) -> u64 {
        let bindings = self.bindings() as u64;
        let matching = match &self.pattern {
            CompiledPattern::Sequence { automaton, .. } => automaton.memory_bytes(bindings),
            _ => 0,
        };
        matching + CountRequirements::bytes(self)
    }

    /// Returns the number of bindings of the external variables.
    pub(crate) fn groups(&self) -> usize {
        self.bindings() / self.group_size.max(1)
    }

    /// Returns the number of a binding of the external variables; `None` if it was ruled out.
    pub(crate) fn group_numbered(&self, domains: &Domains, external: &[ObjectId]) -> Option<usize> {
        if external.len() != self.preference.external.len() {
            return None;
        }
        let mut number = 0;
        for (object, &dim) in external.iter().zip(&self.space.dims) {
            let objects = domains.objects(dim);
            number = number * objects.len() + objects.binary_search(object).ok()?;
        }
        Some(number)
    }

    /// Returns the binding of the external variables to which a holder belongs.
    pub(crate) fn group_of(&self, holder: usize) -> usize {
        match self.preference.quantifier {
            Quantifier::Exists => holder / self.group_size,
            Quantifier::Forall => holder,
        }
    }

    /// Returns the objects of a binding, those of the external variables first.
    pub(crate) fn objects(&self, domains: &Domains, binding: usize) -> Vec<ObjectId> {
        self.space.objects(domains, binding).collect()
    }

    /// Returns the objects that a satisfaction of this holder binds.
    pub(crate) fn holder_objects(&self, domains: &Domains, holder: usize) -> Vec<ObjectId> {
        match self.preference.quantifier {
            Quantifier::Exists => self.objects(domains, holder),
            Quantifier::Forall => self.group_objects(domains, holder),
        }
    }

    /// Returns the objects of a binding of the external variables.
    pub(crate) fn group_objects(&self, domains: &Domains, group: usize) -> Vec<ObjectId> {
        let mut objects = self.objects(domains, group * self.group_size);
        objects.truncate(self.preference.external.len());
        objects
    }
}

impl CompiledGame {
    /// Compiles a game for a world, within the default limits.
    ///
    /// # Errors
    /// If a preference, or the setup, ranges over more than [`MAX_BINDINGS`] bindings, or a run would take more than
    /// [`MAX_RUN_BYTES`].
    ///
    /// # Panics
    /// If the game was not made for this world: if it contains ids that the world does not have.
    pub fn new(world: impl Into<Arc<World>>, game: impl Into<Arc<Game>>) -> Result<Arc<Self>, MonitorError> {
        Self::with_limits(world, game, &CompileLimits::default())
    }

    /// Compiles a game for a world.
    ///
    /// # Errors
    /// If a preference, or the setup, ranges over more than [`MAX_BINDINGS`] bindings, a run would take more bytes than the
    /// limits allow, or compiling takes more work than they allow.
    ///
    /// # Panics
    /// If the game was not made for this world: if it contains ids that the world does not have.
    pub fn with_limits(
        world: impl Into<Arc<World>>,
        game: impl Into<Arc<Game>>,
        limits: &CompileLimits,
    ) -> Result<Arc<Self>, MonitorError> {
        let (world, game) = (world.into(), game.into());
        let mut builder = GraphBuilder::new(&world, limits);
        let mut preferences = Vec::with_capacity(game.preferences.len());
        let mut matching = 0;
        for preference in &game.preferences {
            let compiled = compile_preference(&mut builder, preference)?;
            matching += compiled.bytes();
            preferences.push(compiled);
            let bytes = matching + builder.graph.bytes();
            if bytes > limits.memory_bytes {
                return Err(MonitorError::TooMuchMemory { bytes, limit: limits.memory_bytes });
            }
            builder.check_work()?;
        }
        if let Some(setup) = &game.setup {
            evaluation_cost::check_setup(&world, setup)?;
        }
        let setup = game.setup.as_ref().map(|setup| CompiledSetup::new(&mut builder, setup)).transpose()?;
        let bytes = matching + builder.graph.bytes() + setup.as_ref().map_or(0, CompiledSetup::bytes);
        if bytes > limits.memory_bytes {
            return Err(MonitorError::TooMuchMemory { bytes, limit: limits.memory_bytes });
        }
        builder.check_work()?;
        let listeners = preferences.len() + 1;
        for (index, compiled) in preferences.iter_mut().enumerate() {
            let listener = index as u32;
            let nodes: &[NodeId] = match &compiled.pattern {
                CompiledPattern::Sequence { letters, .. } => letters,
                CompiledPattern::Formula { conditions, .. } => conditions,
                CompiledPattern::NoBinding | CompiledPattern::AtEnd(_) => &[],
            };
            for &node in nodes {
                builder.graph.listen(node, listener);
            }
            let mut leaves = nodes.to_vec();
            compiled.depends_on_last = builder.graph.depends_on_last(&mut leaves);
        }
        let mut plan = setup;
        if let Some(plan) = &mut plan {
            let listener = preferences.len() as u32;
            plan.nodes().for_each(|node| builder.graph.listen(node, listener));
            plan.depends_on_last = builder.graph.depends_on_last(&mut plan.nodes().collect());
            if plan.depends_on_last {
                // Whether a state counts may then change when it turns out to be the last.
                for compiled in &mut preferences {
                    compiled.depends_on_last = true;
                }
            }
        }
        let counters = CountRequirements::new(&game);
        let scoring = ScoreEvaluator::new(&world, Arc::clone(&game));
        let graph = builder.finish();
        Ok(Arc::new(Self { world, game, scoring, graph, setup: plan, preferences, counters, listeners }))
    }

    /// Starts a run.
    pub fn start(self: &Arc<Self>, options: RunOptions) -> GameRun {
        GameRun::new(Arc::clone(self), options)
    }

    /// Returns the memory requirements of a run, known before it starts.
    pub fn memory_requirements(&self) -> MemoryRequirements {
        let preferences = self.preferences.iter().map(|compiled| {
            let bindings = compiled.bindings() as u64;
            PreferenceMemory {
                name: compiled.preference.name.clone(),
                bindings,
                words: bindings.div_ceil(64),
                bytes: compiled.bytes(),
            }
        });
        MemoryRequirements {
            preferences: preferences.collect(),
            atoms: self.graph.leaves.len() as u64,
            truth_values: self.graph.leaves.iter().map(|leaf| leaf.space.size() as u64).sum(),
            vector_bytes: self.graph.bytes() + self.setup.as_ref().map_or(0, CompiledSetup::bytes),
            satisfaction_bytes: crate::tally::SATISFACTION_BYTES,
        }
    }
}

impl Graph {
    /// Returns the memory of the truth vectors, in bytes.
    fn bytes(&self) -> u64 {
        self.words as u64 * 8
    }

    /// Whether any leaf below the nodes may depend on which state is the last. Consumes the list as its stack.
    fn depends_on_last(&self, nodes: &mut Vec<NodeId>) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        while let Some(node) = nodes.pop() {
            if !std::mem::replace(&mut seen[node.index()], true) {
                let op = &self.node(node).op;
                if let Op::Leaf(leaf) = op
                    && self.leaves[leaf.index()].reads.last
                {
                    return true;
                }
                op.each_child(|child| nodes.push(child));
            }
        }
        false
    }
}

fn compile_preference(
    builder: &mut GraphBuilder<'_>,
    preference: &Arc<Preference>,
) -> Result<CompiledPreference, MonitorError> {
    let world = builder.world;
    let variables = [&preference.external[..], &preference.inner[..]].concat();
    let full: Vec<_> = variables.iter().map(|&id| world.domain(&preference.scope.get(id).types)).collect();
    check_size(preference, &full, builder.max_bindings)?;
    evaluation_cost::check_preference(world, preference)?;
    let mut frame = VariableFrame::new(builder, &preference.scope, &variables);
    let first_binding = first_binding(preference, &variables, &full);
    let nothing_to_bind = match (full.iter().position(Vec::is_empty), &first_binding) {
        (Some(empty), _) => {
            Some(format!("the world has no object for `{}`", preference.scope.get(variables[empty]).name))
        }
        (None, None) => Some("the world has too few objects to bind all variables to different objects".to_owned()),
        (None, Some(_)) => None,
    };
    if preference.quantifier == Quantifier::Exists {
        prune(builder, &mut frame, preference, &variables);
    }
    let dims = variables.iter().map(|&variable| frame.domain(variable)).collect();
    let space = Space::new(&builder.graph.domains, dims);
    let inner = &space.sizes[preference.external.len()..];
    // Meaningless if the space is empty.
    let group_size = inner.iter().fold(1, |size: usize, &next| size.saturating_mul(next as usize));
    let labels = match &preference.pattern {
        Pattern::Sequence(phases) => {
            let automaton = Automaton::new(phases);
            let measures = automaton.positions().iter().filter_map(|position| position.measure(phases));
            measures.map(|measure| measure_label(world, preference, measure)).collect()
        }
        Pattern::AtEnd(_) | Pattern::Formula(_) => Vec::new(),
    };
    let empty = nothing_to_bind.is_some() || space.size() == 0;
    let valid = if empty { None } else { distinct_bindings(builder, preference, &variables, &space) };
    let pattern = if empty {
        CompiledPattern::NoBinding
    } else {
        compile_pattern(builder, &mut frame, preference, &variables, valid.as_deref())
    };
    Ok(CompiledPreference {
        preference: Arc::clone(preference),
        variables,
        space,
        group_size,
        distinct_bindings: valid,
        pattern,
        labels,
        depends_on_last: false,
        first_binding,
        no_binding_reason: nothing_to_bind,
    })
}

fn check_size(preference: &Preference, domains: &[Vec<ObjectId>], limit: u64) -> Result<(), MonitorError> {
    let product =
        |domains: &[Vec<_>]| domains.iter().fold(1, |size: u128, domain| size.saturating_mul(domain.len() as u128));
    // Scores range over the external variables alone, whatever the inner ones are.
    let bindings = product(&domains[..preference.external.len()]).max(product(domains));
    if bindings > u128::from(limit) {
        return Err(MonitorError::TooManyBindings {
            preference: Some(preference.name.clone()),
            bindings,
            limit,
            origin: preference.origin,
        });
    }
    Ok(())
}

/// Iterates over the pairs of positions in a binding that must not hold the same object.
fn distinct_places<'a>(
    preference: &'a Preference,
    variables: &'a [VarId],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let place = |variable| variables.iter().position(|&other| other == variable);
    preference.distinct.iter().filter_map(move |&(left, right)| Some((place(left)?, place(right)?)))
}

/// Returns the first binding in lexicographic order, found by backtracking.
fn first_binding(preference: &Preference, variables: &[VarId], domains: &[Vec<ObjectId>]) -> Option<Vec<ObjectId>> {
    let distinct: Vec<_> = distinct_places(preference, variables).collect();
    let mut at: Vec<usize> = vec![0];
    if domains.is_empty() {
        return Some(Vec::new());
    }
    if domains.iter().any(Vec::is_empty) {
        // Backtracking would enumerate all combinations before the empty domain.
        return None;
    }
    loop {
        let place = at.len() - 1;
        let object = |place: usize| domains[place].get(at[place]);
        let clashes = |&(left, right): &(usize, usize)| left.max(right) == place && object(left) == object(right);
        if at[place] >= domains[place].len() {
            at.pop();
            *at.last_mut()? += 1;
        } else if distinct.iter().any(clashes) {
            at[place] += 1;
        } else if at.len() == domains.len() {
            return Some(at.iter().zip(domains).map(|(&index, domain)| domain[index]).collect());
        } else {
            at.push(0);
        }
    }
}

/// Removes objects for which the pattern cannot begin from the domains, judged by conditions that never change.
fn prune(builder: &mut GraphBuilder<'_>, frame: &mut VariableFrame<'_>, preference: &Preference, variables: &[VarId]) {
    let first = match &preference.pattern {
        Pattern::Sequence(phases) => {
            let automaton = Automaton::new(phases);
            match automaton.positions() {
                // An optional first position allows several beginnings, which have only this condition in common.
                [first, ..] if first.optional => first.conditions(phases)[..1].to_vec(),
                [first, ..] => first.conditions(phases).to_vec(),
                [] => return,
            }
        }
        Pattern::AtEnd(condition) => vec![condition],
        Pattern::Formula(_) => return,
    };
    let mut open: Vec<&Condition> = first;
    while let Some(condition) = open.pop() {
        if let Condition::And(parts) = condition {
            open.extend(parts);
        } else if let [variable] = frame.free_in(condition, true)[..]
            && variables.contains(&variable)
            && builder.is_static(condition)
            && let CompiledCondition::Vector(node, _) = builder.condition(frame, condition)
            && let Op::Fixed(vector) = &builder.graph.node(node).op
        {
            let objects = builder.graph.domains.objects(frame.domain(variable));
            let allowed: Vec<_> = bits::ones(vector).map(|place| objects[place]).collect();
            let domain = builder.graph.domains.intern(&allowed);
            frame.restrict(variable, domain);
        }
    }
}

/// Returns the bindings that bind distinct variables to different objects; `None` if all do.
fn distinct_bindings(
    builder: &GraphBuilder<'_>,
    preference: &Preference,
    variables: &[VarId],
    space: &Space,
) -> Option<Vec<u64>> {
    let distinct: Vec<_> = distinct_places(preference, variables).collect();
    if distinct.is_empty() {
        return None;
    }
    let domains = &builder.graph.domains;
    let size = space.size();
    let mut vector = vec![0; bits::words(size)];
    bits::fill(&mut vector, size);
    for (left, right) in distinct {
        builder.work.spend(vector.len() as u64);
        let places: SmallVec<[usize; 2]> = if left == right { smallvec![left] } else { smallvec![left, right] };
        let pairs = Space::new(domains, places.iter().map(|&place| space.dims[place]).collect());
        let layout = Layout::new(&pairs, space, &places);
        let mut points = PointCursor::all(&pairs, domains);
        while let Some((point, objects)) = points.next() {
            if objects.first() == objects.last() {
                layout.put(&mut vector, point, false);
            }
        }
    }
    Some(vector)
}

fn compile_pattern(
    builder: &mut GraphBuilder<'_>,
    frame: &mut VariableFrame<'_>,
    preference: &Preference,
    variables: &[VarId],
    valid: Option<&[u64]>,
) -> CompiledPattern {
    let size = frame.space(&builder.graph, variables).size();
    let valid = valid.map(|vector| builder.vector(vector.to_vec(), size, variables));
    // The condition of a hold-while occurs at many positions; it is compiled once.
    let mut known: FxHashMap<*const Condition, CompiledCondition> = FxHashMap::default();
    let mut letter = |conditions: &[&Condition], measure: Option<&Expression>, first: bool| {
        let mut parts = Vec::new();
        for &condition in conditions {
            let place = std::ptr::from_ref(condition);
            let truth = known.entry(place).or_insert_with(|| {
                let mut parts = builder.presence_conditions(frame, variables, &condition.named_objects());
                parts.push(builder.condition(frame, condition));
                builder.join(frame, true, parts)
            });
            parts.push(truth.clone());
        }
        parts.extend(measure.map(|measure| builder.defined(frame, measure)));
        if first {
            parts.extend(valid.clone());
        }
        let truth = builder.join(frame, true, parts);
        builder.vector_over(frame, &truth, variables)
    };
    match &preference.pattern {
        Pattern::Sequence(phases) => {
            let source = Automaton::new(phases);
            let mut letters: Vec<NodeId> = Vec::new();
            let automaton = SequenceAutomaton::from_automaton(&source, phases, |position| {
                let needs = &source.positions()[position];
                let node = letter(&needs.conditions(phases), needs.measure(phases), source.is_initial(position));
                let known = letters.iter().position(|&other| other == node);
                known.unwrap_or_else(|| {
                    letters.push(node);
                    letters.len() - 1
                }) as u32
            });
            CompiledPattern::Sequence {
                automaton,
                stuck_at: (0..source.positions().len()).map(|position| source.pending_phase(position)).collect(),
                source,
                letters,
            }
        }
        Pattern::AtEnd(condition) => CompiledPattern::AtEnd(letter(&[condition], None, true)),
        Pattern::Formula(formula) => {
            let mut conditions = Vec::new();
            visit_conditions(formula, &mut |condition| conditions.push(letter(&[condition], None, false)));
            CompiledPattern::Formula { conditions, valid: letter(&[], None, true) }
        }
    }
}

/// Visits the conditions of a formula in source order.
fn visit_conditions<'f>(formula: &'f Formula, visit: &mut impl FnMut(&'f Condition)) {
    match formula {
        Formula::Proposition(condition) => visit(condition),
        Formula::Not(part)
        | Formula::Next(part)
        | Formula::WeakNext(part)
        | Formula::Eventually(part)
        | Formula::Always(part) => visit_conditions(part, visit),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| visit_conditions(part, visit)),
        Formula::Until(parts) | Formula::Release(parts) => {
            parts.iter().for_each(|part| visit_conditions(part, visit));
        }
    }
}

/// Returns the name of a measure in reports: the function's name, or the whole expression.
fn measure_label(world: &World, preference: &Preference, measure: &Expression) -> Arc<str> {
    match measure {
        Expression::Call { function, .. } => world.function(*function).name.clone(),
        _ => explain::expression_text(world, measure, &Bindings::new(&preference.scope)).into(),
    }
}
