//! Lints of costs, requirements and results of actions.

use goalspec_resource::abstraction::{AbstractContext, ReachableValues};
use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::field::{Field, Place};
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::game::{Action, ConsequenceEffect, NOTHING_ACTION, VectorFilter};
use goalspec_resource::odds;
use goalspec_resource::rules::NothingAction;
use goalspec_resource::value::Value;
use goalspec_syntax::Diagnostic;
use rustc_hash::FxHashMap;

use super::Linter;
use super::filters::{UnsatisfiablePart, unsatisfiable_part};
use crate::ast::{self, ConsequenceEffectKind, EndpointFilters, FilterKind, ValueTest, ValueTestKind};
use crate::codes;

impl Linter<'_> {
    pub(super) fn actions(&mut self) {
        let playable = ReachableValues::played(self.game);
        for ((ast, action), playable) in self.ast.actions.iter().zip(&self.game.actions).zip(playable) {
            self.odds(ast, action);
            self.cost(ast, action);
            self.labels(&ast.requires, &action.requires);
            if playable {
                self.chosen_action(ast, action);
            } else if self.game.rules.nothing != NothingAction::Pass || *action.name != *NOTHING_ACTION {
                let message = format!("no team can choose `{}`", action.name);
                self.found.push(Diagnostic::warning(codes::UNAVAILABLE_ACTION, ast.name.span, message));
            }
        }
    }

    /// Lints the cost, in relation to the lower bounds that the action requires of the same resources.
    fn cost(&mut self, ast: &ast::Action, action: &Action) {
        let mut lower_bounds = FxHashMap::default();
        collect_lower_bounds(&ast.requires, &action.requires, &mut lower_bounds);
        for (cost, (place, value)) in ast.cost.iter().zip(&action.cost) {
            let (Place::Resource(slot), Some(change)) = (*place, value.as_f64()) else { continue };
            let bounds = lower_bounds.get(&Field::Resource(slot)).map(Vec::as_slice).unwrap_or_default();
            if change > 0.0 && !bounds.is_empty() {
                let message =
                    format!("this cost adds to `{}`, of which the action requires a minimum", cost.field.text);
                let help = format!("write a price as a negative number: `{}`", -change);
                self.found.push(Diagnostic::warning(codes::COST_ADDS, cost.span, message).with_help(help));
            }
            for &(test, bound) in bounds {
                let bound = bound.as_f64().filter(|bound| change < 0.0 && change + bound == 0.0);
                let Some(bound) = bound else { continue };
                let message =
                    format!("this is tested after the cost, so the action requires {} before it", bound - change);
                self.found.push(Diagnostic::note(codes::THRESHOLD, test.span, message));
            }
        }
    }

    /// Lints an action that a team can choose.
    fn chosen_action(&mut self, ast: &ast::Action, action: &Action) {
        let state = self.state();
        let after_cost = self.reach.after_cost(self.game, action);
        let after = AbstractContext { refined: Some(&after_cost), ..state };
        if after.test(&action.requires).can_hold {
            self.alternatives(&ast.requires, &action.requires, &after);
            self.outcomes(ast, action);
        } else if state.test(&action.requires).can_hold {
            let UnsatisfiablePart { span, why: reason } = unsatisfiable_part(&ast.requires, &action.requires, &after);
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            let message = format!("`{}` is never valid after its own cost{reason}", action.name);
            self.found.push(Diagnostic::warning(codes::UNAFFORDABLE, span, message));
        } else {
            let description = format!("`{}` is never valid", action.name);
            self.never_holds(&ast.requires, &action.requires, &state, &description);
        }
        self.values_after_cost(ast, action);
    }

    fn outcomes(&mut self, ast: &ast::Action, action: &Action) {
        let reachable = odds::reachable(&action.consequences, self.game.rules.odds);
        let pairs = ast.consequences.iter().zip(&action.consequences);
        for ((ast, consequence), _) in pairs.zip(reachable).filter(|(_, reachable)| *reachable) {
            let ast = &ast.effect;
            match (&ast.kind, &consequence.outcome) {
                (
                    ConsequenceEffectKind::Resources { compute: c, add: a, put: p },
                    ConsequenceEffect::Resources { compute, add, replace: put },
                ) => {
                    self.arithmetic_of(c, compute.iter().map(|computation| &computation.value), None);
                    self.assignments(a, add, compute, &[], true);
                    self.assignments(p, put, compute, &[], false);
                }
                (
                    ConsequenceEffectKind::MakeNodeVisible { endpoint_filters: ends, .. },
                    ConsequenceEffect::MakeNodeVisible { vectors, .. },
                ) => {
                    self.vectors(ast, ends, vectors);
                }
                (
                    ConsequenceEffectKind::WithVectors { ends, compute: c, result, .. },
                    ConsequenceEffect::WithVectors { vectors, compute, add, .. },
                ) if self.vectors(ast, ends, vectors) => {
                    if self.is_exhausted() {
                        continue;
                    }
                    let matching = self.reach.vectors(self.game, vectors);
                    self.arithmetic_of(
                        c,
                        compute.iter().map(|computation| &computation.value),
                        matching.first().copied(),
                    );
                    self.assignments(result, add, compute, &matching, true);
                }
                _ => {}
            }
        }
    }

    /// Lints the vector filters of a result; returns whether any vector can match.
    fn vectors(&mut self, ast: &ast::ConsequenceEffect, ends: &EndpointFilters, filter: &VectorFilter) -> bool {
        let mut pairs = Vec::new();
        pairs.extend(ends.source.as_ref().map(|end| (end, &filter.source)));
        pairs.extend(ends.target.as_ref().map(|end| (end, &filter.target)));
        for (end, filter) in &pairs {
            self.labels(end, filter);
        }
        if self.is_exhausted() || !self.reach.vectors(self.game, filter).is_empty() {
            return true;
        }
        let board = &self.game.board;
        let passes =
            |filter: &Filter, node| AbstractContext { tested_node: Some(node), ..self.state() }.test(filter).can_hold;
        let any_source = board.vectors().any(|(_, vector)| passes(&filter.source, vector.source));
        let any_target = board.vectors().any(|(_, vector)| passes(&filter.target, vector.target));
        let (span, reason) = match (&ends.source, &ends.target) {
            _ if board.vectors().len() == 0 => (ast.name.span, "the board has no vectors"),
            (Some(source), _) if !any_source => (source.span, "no vector begins at a matching node"),
            (_, Some(target)) if !any_target => (target.span, "no vector ends at a matching node"),
            _ => (ast.name.span, "no vector matches at both ends"),
        };
        let message = format!("`{}` never matches a vector: {reason}", ast.name.text);
        self.found.push(Diagnostic::warning(codes::NO_MATCHING_VECTOR, span, message));
        false
    }
}

/// Collects the lower bounds of fields that a filter requires, under conjunctions only.
fn collect_lower_bounds<'a>(
    ast: &'a ast::Filter,
    filter: &'a Filter,
    found: &mut FxHashMap<&'a Field, Vec<(&'a ValueTest, &'a Value)>>,
) {
    match (&ast.kind, filter) {
        (FilterKind::And(parts), Filter::And(filters)) => {
            parts.iter().zip(filters).for_each(|(part, filter)| collect_lower_bounds(part, filter, found));
        }
        (FilterKind::Field(_, test), Filter::Field(field, _)) => {
            collect_test_bounds(test, found.entry(field).or_default());
        }
        _ => {}
    }
}

fn collect_test_bounds<'a>(test: &'a ValueTest, found: &mut Vec<(&'a ValueTest, &'a Value)>) {
    match &test.kind {
        ValueTestKind::Value(
            ValueFilter::Compare(ComparisonOperator::GreaterOrEqual, bound) | ValueFilter::Range(bound, _),
        ) => {
            found.push((test, bound));
        }
        ValueTestKind::And(parts) => parts.iter().for_each(|part| collect_test_bounds(part, found)),
        _ => {}
    }
}
