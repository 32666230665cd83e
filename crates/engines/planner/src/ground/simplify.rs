//! Simplification of the encoding: removal of unreachable and irrelevant facts, operators and axioms.

use fixedbitset::FixedBitSet;
use goalspec_core::planning::task::AssignmentOperator;

use super::encode::{Encoding, VariableOrigin};
use super::instantiate::Span;
use super::numbers::{Numbers, divides, visit_variables};
use crate::ground_task::Fact;

/// The part of an encoding that is kept.
#[derive(Debug)]
pub(super) struct Simplification {
    /// For each variable the index of its first fact.
    first: Vec<u32>,
    /// The reachable facts.
    facts: FixedBitSet,
    /// The variables with a single reachable value.
    constant: FixedBitSet,
    /// The relevant variables.
    pub(super) variables: FixedBitSet,
    /// The relevant numeric variables.
    pub(super) numeric: FixedBitSet,
    /// The reachable operators.
    operators: FixedBitSet,
    /// The reachable effects.
    effects: FixedBitSet,
    /// The reachable axioms.
    pub(super) axioms: FixedBitSet,
}

impl Simplification {
    fn place(&self, fact: Fact) -> usize {
        (self.first[fact.variable as usize] + fact.value) as usize
    }

    /// Whether the fact is reachable.
    pub(super) fn can_hold(&self, fact: Fact) -> bool {
        self.facts.contains(self.place(fact))
    }

    /// Whether the variable has a single reachable value.
    pub(super) fn is_constant(&self, variable: u32) -> bool {
        self.constant.contains(variable as usize)
    }

    /// Whether the effect is reachable and relevant.
    pub(super) fn has_effect(&self, encoding: &Encoding, place: u32) -> bool {
        self.effects.contains(place as usize)
            && self.variables.contains(encoding.effects[place as usize].fact.variable as usize)
    }

    /// Whether the operator is reachable and relevant.
    pub(super) fn has_operator(&self, encoding: &Encoding, place: usize) -> bool {
        let operator = &encoding.operators[place];
        let changes = &encoding.changes[operator.changes.start as usize..operator.changes.end as usize];
        self.operators.contains(place)
            && (operator.effects.clone().any(|effect| self.has_effect(encoding, effect))
                || changes.iter().any(|change| self.numeric.contains(change.variable as usize)))
    }
}

/// Computes the part that is kept; `None` if the goal is unreachable. `keeps_irrelevant` is whether variables without influence on the
/// goal are kept.
pub(super) fn simplify(
    encoding: &Encoding,
    numbers: &Numbers,
    is_rough: bool,
    keeps_irrelevant: bool,
) -> Option<Simplification> {
    let goal = encoding.goal.as_ref()?;
    let mut first = Vec::with_capacity(encoding.variables.len());
    let mut count = 0;
    for stuff in &encoding.variables {
        first.push(count);
        count += stuff.values();
    }
    let mut kept = Simplification {
        first,
        facts: FixedBitSet::with_capacity(count as usize),
        constant: FixedBitSet::with_capacity(encoding.variables.len()),
        variables: FixedBitSet::with_capacity(encoding.variables.len()),
        numeric: FixedBitSet::with_capacity(numbers.variables.len()),
        operators: FixedBitSet::with_capacity(encoding.operators.len()),
        effects: FixedBitSet::with_capacity(encoding.effects.len()),
        axioms: FixedBitSet::with_capacity(encoding.axioms.len()),
    };
    // Derived variables that never have their default.
    let mut certain = FixedBitSet::with_capacity(encoding.variables.len());
    let mut exactly = is_rough || encoding.has_excluded;
    loop {
        kept.begin(encoding, &certain);
        if exactly {
            ReachabilityAnalysis::new(encoding, &mut kept).run();
        } else {
            kept.take_all(encoding);
        }
        kept.find_constants(encoding);
        if !kept.find_always_derived(encoding, &mut certain) {
            break;
        }
        exactly = true;
    }
    if !goal.iter().all(|&fact| kept.can_hold(fact)) {
        return None;
    }
    if keeps_irrelevant {
        kept.keep_all();
    } else {
        RelevanceAnalysis::new(encoding, numbers, &mut kept).run(goal);
    }
    Some(kept)
}

impl Simplification {
    /// Initialises the reachable facts with the initial state.
    fn begin(&mut self, encoding: &Encoding, certain: &FixedBitSet) {
        self.facts.clear();
        self.constant.clear();
        for (variable, stuff) in encoding.variables.iter().enumerate() {
            let fact = Fact { variable: variable as u32, value: encoding.initial[variable] };
            let place = self.place(fact);
            self.facts.set(place, !certain.contains(variable));
            if let VariableOrigin::Comparison(_) = stuff {
                self.facts.insert(place + 1);
            }
        }
    }

    fn take_all(&mut self, encoding: &Encoding) {
        self.operators.insert_range(..);
        self.effects.insert_range(..);
        self.axioms.insert_range(..);
        let effects = encoding.effects.iter().map(|effect| effect.fact);
        for fact in effects.chain(encoding.axioms.iter().map(|(head, _)| *head)) {
            self.facts.insert(self.place(fact));
        }
    }

    fn find_constants(&mut self, encoding: &Encoding) {
        for (variable, stuff) in encoding.variables.iter().enumerate() {
            let first = self.first[variable] as usize;
            let values = self.facts.count_ones(first..first + stuff.values() as usize);
            self.constant.set(variable, values <= 1);
        }
    }

    /// Keeps all variables that can change.
    fn keep_all(&mut self) {
        self.variables = self.constant.clone();
        self.variables.toggle_range(..);
        self.numeric.insert_range(..);
    }

    /// Finds derived variables that never have their default because an axiom always holds. Returns whether there are new ones.
    fn find_always_derived(&self, encoding: &Encoding, certain: &mut FixedBitSet) -> bool {
        let mut found = false;
        for place in self.axioms.ones() {
            let (head, body) = &encoding.axioms[place];
            let mut facts = encoding.span(body).iter();
            let always = facts.all(|&fact| self.is_constant(fact.variable) && self.can_hold(fact));
            found |= always && !certain.put(head.variable as usize);
        }
        found
    }
}

/// Lists by key, stored contiguously.
struct Lists {
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Creates lists from pairs of key and item; keys are below `keys`. The pairs are iterated twice.
    fn new<I: Iterator<Item = (usize, u32)>>(keys: usize, pairs: impl Fn() -> I) -> Self {
        let mut first = vec![0_u32; keys + 2];
        for (key, _) in pairs() {
            first[key + 2] += 1;
        }
        for key in 2..first.len() {
            first[key] += first[key - 1];
        }
        let mut items = vec![0; first[keys + 1] as usize];
        for (key, item) in pairs() {
            items[first[key + 1] as usize] = item;
            first[key + 1] += 1;
        }
        Self { first, items }
    }

    fn get(&self, key: usize) -> &[u32] {
        &self.items[self.first[key] as usize..self.first[key + 1] as usize]
    }
}

/// The relaxed reachability analysis: operators, effects and axioms wait until all their conditions are reachable. They are
/// numbered in this order.
struct ReachabilityAnalysis<'a> {
    encoding: &'a Encoding,
    kept: &'a mut Simplification,
    waiting: Vec<u32>,
    askers: Lists,
    queue: Vec<u32>,
}

impl<'a> ReachabilityAnalysis<'a> {
    fn new(encoding: &'a Encoding, kept: &'a mut Simplification) -> Self {
        kept.operators.clear();
        kept.effects.clear();
        kept.axioms.clear();
        let operators = encoding.operators.iter().map(|operator| &operator.precondition);
        let effects = encoding.effects.iter().map(|effect| &effect.conditions);
        let axioms = encoding.axioms.iter().map(|(_, body)| body);
        let spans: Vec<&Span> = operators.chain(effects).chain(axioms).collect();
        let count = |span: &&Span| span.end - span.start;
        let mut waiting: Vec<u32> = spans.iter().map(count).collect();
        // An effect also waits for its operator.
        let first_effect = encoding.operators.len();
        waiting[first_effect..first_effect + encoding.effects.len()].iter_mut().for_each(|count| *count += 1);
        let pairs = spans
            .iter()
            .enumerate()
            .flat_map(|(asker, span)| encoding.span(span).iter().map(move |&fact| (fact, asker as u32)));
        let askers = Lists::new(kept.facts.len(), || pairs.clone().map(|(fact, asker)| (kept.place(fact), asker)));
        let queue = kept.facts.ones().map(|place| place as u32).collect();
        Self { encoding, kept, waiting, askers, queue }
    }

    fn run(mut self) {
        for asker in 0..self.waiting.len() {
            if self.waiting[asker] == 0 {
                self.fire(asker);
            }
        }
        while let Some(fact) = self.queue.pop() {
            for at in 0..self.askers.get(fact as usize).len() {
                self.ask(self.askers.get(fact as usize)[at] as usize);
            }
        }
    }

    fn ask(&mut self, asker: usize) {
        self.waiting[asker] -= 1;
        if self.waiting[asker] == 0 {
            self.fire(asker);
        }
    }

    fn fire(&mut self, asker: usize) {
        let (operators, effects) = (self.encoding.operators.len(), self.encoding.effects.len());
        if asker < operators {
            if !self.kept.operators.put(asker) {
                for effect in self.encoding.operators[asker].effects.clone() {
                    self.ask(operators + effect as usize);
                }
            }
        } else if asker < operators + effects {
            self.kept.effects.insert(asker - operators);
            self.hold(self.encoding.effects[asker - operators].fact);
        } else {
            self.kept.axioms.insert(asker - operators - effects);
            self.hold(self.encoding.axioms[asker - operators - effects].0);
        }
    }

    fn hold(&mut self, fact: Fact) {
        let place = self.kept.place(fact);
        if !self.kept.facts.put(place) {
            self.queue.push(place as u32);
        }
    }
}

/// The relevance analysis: a variable is relevant if the goal requires it, or if it occurs in a condition for changing a
/// relevant one.
struct RelevanceAnalysis<'a> {
    encoding: &'a Encoding,
    numbers: &'a Numbers,
    kept: &'a mut Simplification,
    /// For each variable the effects on it.
    setting: Lists,
    effect_owner: Vec<u32>,
    /// For each variable the axioms that derive it.
    deriving: Lists,
    changing: Lists,
    queue: Vec<u32>,
    numbers_queue: Vec<u32>,
}

impl<'a> RelevanceAnalysis<'a> {
    fn new(encoding: &'a Encoding, numbers: &'a Numbers, kept: &'a mut Simplification) -> Self {
        let mut effect_owner = vec![0; encoding.effects.len()];
        for place in kept.operators.ones() {
            let effects = encoding.operators[place].effects.clone();
            effect_owner[effects.start as usize..effects.end as usize].fill(place as u32);
        }
        let (count, effects) = (encoding.variables.len(), &kept.effects);
        let variable_of = |effect: usize| (encoding.effects[effect].fact.variable as usize, effect as u32);
        let setting = Lists::new(count, || effects.ones().map(variable_of));
        let head = |axiom: usize| (encoding.axioms[axiom].0.variable as usize, axiom as u32);
        let deriving = Lists::new(count, || kept.axioms.ones().map(head));
        let changes = |place: usize| {
            let changes = encoding.operators[place].changes.clone();
            changes.map(move |change| (encoding.changes[change as usize].variable as usize, place as u32))
        };
        let changing = Lists::new(numbers.variables.len(), || kept.operators.ones().flat_map(changes));
        let (queue, numbers_queue) = (Vec::new(), Vec::new());
        Self { encoding, numbers, kept, setting, effect_owner, deriving, changing, queue, numbers_queue }
    }

    fn run(mut self, goal: &[Fact]) {
        self.take(goal);
        self.take_undefined();
        loop {
            if let Some(variable) = self.queue.pop() {
                self.variable(variable as usize);
            } else if let Some(number) = self.numbers_queue.pop() {
                self.number(number);
            } else {
                break;
            }
        }
    }

    fn take(&mut self, facts: &[Fact]) {
        for fact in facts {
            if !self.kept.is_constant(fact.variable) && !self.kept.variables.put(fact.variable as usize) {
                self.queue.push(fact.variable);
            }
        }
    }

    fn variable(&mut self, variable: usize) {
        let encoding = self.encoding;
        for at in 0..self.setting.get(variable).len() {
            let effect = self.setting.get(variable)[at] as usize;
            self.take(encoding.span(&encoding.effects[effect].conditions));
            self.take(encoding.span(&encoding.operators[self.effect_owner[effect] as usize].precondition));
        }
        for at in 0..self.deriving.get(variable).len() {
            self.take(encoding.span(&encoding.axioms[self.deriving.get(variable)[at] as usize].1));
        }
        if let VariableOrigin::Comparison(place) = encoding.variables[variable] {
            let numbers = self.numbers;
            for side in &numbers.comparisons[place as usize].sides {
                visit_variables(side, &mut |number| self.take_number(number));
            }
        }
    }

    /// Marks the numbers that decide about the applicability of operators, because a numeric effect on them can be undefined.
    fn take_undefined(&mut self) {
        let (encoding, numbers) = (self.encoding, self.numbers);
        for change in &encoding.changes {
            let mut read = Vec::new();
            visit_variables(&change.value, &mut |number| read.push(number));
            if change.how != AssignmentOperator::Set {
                read.push(change.variable);
            }
            let undefined = read.iter().any(|&number| numbers.variables[number as usize].initial.is_none());
            if undefined || change.how == AssignmentOperator::ScaleDown || divides(&change.value) {
                self.take_number(change.variable);
            }
        }
    }

    fn take_number(&mut self, number: u32) {
        if !self.kept.numeric.put(number as usize) {
            self.numbers_queue.push(number);
        }
    }

    fn number(&mut self, number: u32) {
        let encoding = self.encoding;
        for at in 0..self.changing.get(number as usize).len() {
            let operator = &encoding.operators[self.changing.get(number as usize)[at] as usize];
            self.take(encoding.span(&operator.precondition));
            for change in &encoding.changes[operator.changes.start as usize..operator.changes.end as usize] {
                if change.variable == number {
                    self.take(encoding.span(&change.conditions));
                    visit_variables(&change.value, &mut |number| self.take_number(number));
                }
            }
        }
    }
}
