//! The binding of costs and results.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::sampler::choose;

use super::Binder;
use super::values::LiteralRole;
use crate::resource_game::names::{NameScope, NamedField, ValueKinds, number};
use crate::resource_game::rules::Rule;

/// The directions in which actions move a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Movement {
    pub(super) field: Symbol,
    pub(super) rises: bool,
    pub(super) falls: bool,
}

/// The places that the entries of one map write to.
#[derive(Debug, Default)]
pub(super) struct UsedPlaces {
    /// Those that are kept.
    kept: Vec<Symbol>,
    /// Those of the entries so far.
    chosen: Vec<Symbol>,
}

impl Binder<'_> {
    pub(super) fn cost(&mut self, cost: usize) -> Option<()> {
        let entries = self.children(cost);
        let mut used = self.kept_places(&entries);
        self.rising_costs.clear();
        self.enclosed(Rule::Cost, |binder| {
            for entry in entries {
                let (place, value) = (binder.token(entry, 0)?, binder.token(entry, 1)?);
                let place = binder.place(place, binder.literal_kinds(value, ValueKinds::NUMBER), &mut used)?;
                let field = binder.names.field(binder.scope, place);
                let value = binder.literal(value, LiteralRole::Amount(field))?;
                binder.record_movement(place, number(binder.text(value)));
                if number(binder.text(value)).is_some_and(|value| value > 0.0) {
                    binder.rising_costs.push(place);
                }
                binder.enclosed(Rule::CostEntry, |binder| {
                    binder.out.token(place);
                    binder.out.token(value);
                    Some(())
                })?;
            }
            Some(())
        })
    }

    pub(super) fn resources(&mut self, entry: usize) -> Option<()> {
        let children = self.children(entry);
        let writes = children.iter().any(|&child| matches!(self.rule(child), Some(Rule::Add | Rule::Put)));
        self.enclosed(Rule::Resources, |binder| {
            children.into_iter().try_for_each(|child| binder.result_part(child))?;
            if !writes {
                // A result without an effect gets one.
                binder.enclosed(Rule::Add, |binder| {
                    binder.enclosed(Rule::Assignment, |binder| {
                        let place =
                            binder.place(binder.lexicon.hole, ValueKinds::NUMBER, &mut UsedPlaces::default())?;
                        let field = binder.names.field(binder.scope, place);
                        let amount = binder.literal(binder.lexicon.hole, LiteralRole::Amount(field))?;
                        binder.record_movement(place, number(binder.text(amount)));
                        binder.out.token(place);
                        binder.enclosed(Rule::Constant, |binder| {
                            binder.out.token(amount);
                            Some(())
                        })
                    })
                })?;
            }
            binder.computed.clear();
            Some(())
        })
    }

    pub(super) fn with_vectors(&mut self, entry: usize, rule: Rule) -> Option<()> {
        if self.names.vectors.is_empty() && self.has_hole(entry) {
            return None;
        }
        let (ends, rest) = self.ends_and_rest(entry);
        self.enclosed(rule, |binder| {
            binder.vector_ends(&ends)?;
            let before = std::mem::replace(&mut binder.scope, NameScope::Vector);
            rest.into_iter().try_for_each(|child| binder.result_part(child))?;
            binder.scope = before;
            binder.computed.clear();
            Some(())
        })
    }

    pub(super) fn make_node_visible(&mut self, entry: usize) -> Option<()> {
        if self.names.vectors.is_empty() && self.has_hole(entry) {
            return None;
        }
        let label = self.token(entry, 0)?;
        let (ends, _) = self.ends_and_rest(entry);
        self.enclosed(Rule::MakeNodeVisible, |binder| {
            let label = binder.label(label)?;
            binder.out.token(label);
            binder.vector_ends(&ends)
        })
    }

    /// Returns the filters of the ends of vectors and the other children of a result.
    fn ends_and_rest(&self, entry: usize) -> (Vec<usize>, Vec<usize>) {
        let is_end = |child: &usize| matches!(self.rule(*child), Some(Rule::SourceFilter | Rule::TargetFilter));
        self.children(entry).into_iter().partition(is_end)
    }

    /// Adds a part of a result.
    pub(super) fn result_part(&mut self, entry: usize) -> Option<()> {
        match self.rule(entry)? {
            Rule::Compute => self.compute(entry),
            rule @ (Rule::Add | Rule::Put | Rule::VectorResult) => {
                let assignments = self.children(entry);
                let mut used = self.kept_places(&assignments);
                self.enclosed(rule, |binder| {
                    assignments.into_iter().try_for_each(|own| binder.assignment(own, rule != Rule::Put, &mut used))
                })
            }
            _ => self.node(entry),
        }
    }

    pub(super) fn compute(&mut self, entry: usize) -> Option<()> {
        let values = self.children(entry);
        let mut computed: Vec<(Symbol, ValueKinds)> = Vec::new();
        self.enclosed(Rule::Compute, |binder| {
            for own in values {
                let (name, value) = (binder.token(own, 0)?, binder.tree.child(own, 1)?);
                let is_used = |name: Symbol| computed.iter().any(|(used, _)| *used == name);
                let name = if name == binder.lexicon.hole || is_used(name) {
                    binder.lexicon.value_names.iter().copied().find(|&name| !is_used(name))?
                } else {
                    name
                };
                computed.push((name, binder.produced(value)));
                binder.enclosed(Rule::Computed, |binder| {
                    binder.out.token(name);
                    binder.computation(value, LiteralRole::Other(ValueKinds::SCALARS))
                })?;
            }
            Some(())
        })?;
        // Intermediate values do not see each other.
        self.computed = computed;
        Some(())
    }

    pub(super) fn assignment(&mut self, entry: usize, adds: bool, used: &mut UsedPlaces) -> Option<()> {
        let (place, value) = (self.token(entry, 0)?, self.tree.child(entry, 1)?);
        let kinds = self.produced(value);
        let place = self.place(place, kinds, used)?;
        let field = self.names.field(self.scope, place);
        if field.is_some_and(|field| !field.kinds.meets(kinds)) && self.has_hole(value) {
            return None;
        }
        let role = if adds { LiteralRole::Amount(field) } else { LiteralRole::Replacement(field) };
        self.enclosed(Rule::Assignment, |binder| {
            binder.out.token(place);
            let start = binder.out.len();
            binder.computation(value, role)?;
            let is_constant = adds && binder.out.symbol(start) == Some(Rule::Constant.symbol());
            let amount = binder.out.symbol(start + 1).filter(|_| is_constant);
            binder.record_movement(place, amount.and_then(|amount| number(binder.text(amount))));
            Some(())
        })
    }

    /// Records that an action adds an amount to a field; `None` if the amount is computed, or the value replaced.
    pub(super) fn record_movement(&mut self, place: Symbol, amount: Option<f64>) {
        let (rises, falls) = amount.map_or((true, true), |amount| (amount > 0.0, amount < 0.0));
        let movement = |field| Movement { field, rises, falls };
        let text = self.text(place);
        let resource = match text.split_once('.') {
            Some(("_source" | "_target", resource)) => Some(resource),
            Some(_) => None,
            None => Some(text),
        };
        match resource {
            Some(resource) => {
                let fields = self.names.at_nodes(resource);
                self.movements.extend(fields.iter().copied().map(movement));
            }
            None => self.movements.push(movement(place)),
        }
    }

    /// Returns a name if it has a meaning as a place to write to, or else a field of some kinds that is not used.
    pub(super) fn place(&mut self, name: Symbol, kinds: ValueKinds, used: &mut UsedPlaces) -> Option<Symbol> {
        let mut chosen = name;
        if used.chosen.contains(&name) || !self.is_place(name) {
            let scope = self.scope;
            let fits = |field: &&NamedField| {
                let is_scalar = !field.kinds.meets(ValueKinds::SET);
                let is_used = used.chosen.contains(&field.name) || used.kept.contains(&field.name);
                is_scalar && field.kinds.meets(kinds) && !is_used
            };
            let fields = self.names.choices(scope).filter(fits);
            let choices: Vec<(Symbol, f64)> =
                fields.map(|field| (field.name, 1.0 + 2.0 * f64::from(self.names.uses(scope, field.name)))).collect();
            chosen = choose(&choices, self.stream, |_| true)?;
        }
        used.chosen.push(chosen);
        Some(chosen)
    }

    /// Whether a name has a meaning as a place to write to.
    pub(super) fn is_place(&self, name: Symbol) -> bool {
        name != self.lexicon.hole && self.names.is_known(self.scope, name)
    }

    /// Returns the places of entries that keep theirs.
    pub(super) fn kept_places(&self, entries: &[usize]) -> UsedPlaces {
        let names = entries.iter().filter_map(|&entry| self.token(entry, 0));
        UsedPlaces { kept: names.filter(|&name| self.is_place(name)).collect(), chosen: Vec::new() }
    }
}
