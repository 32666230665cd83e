//! Lints of parameters.

use goalspec_resource::game::{Action, ConsequenceEffect, VectorSelection};
use goalspec_resource::space::Space;
use goalspec_syntax::Diagnostic;
use rustc_hash::FxHashMap;

use super::Linter;
use super::unused::UsageIndex;
use crate::ast::NamedDeclaration;
use crate::codes;

impl Linter<'_> {
    pub(super) fn parameters(&mut self) {
        let (ast, game) = (self.ast, self.game);
        let actions: FxHashMap<&str, &Action> = game.actions.iter().map(|action| (&*action.name, action)).collect();
        let mut usages: FxHashMap<&str, UsageIndex<'_>> = FxHashMap::default();
        for choice in ast.action_space.iter().flat_map(|space| &space.choices) {
            let action = actions.get(&*choice.action.text).copied();
            for parameter in &choice.parameters {
                self.report_unsampleable(parameter);
                if let Some(action) = action {
                    let usages = usages.entry(&*action.name).or_insert_with(|| {
                        let mut usages = UsageIndex::default();
                        usages.action(action);
                        usages
                    });
                    self.parameter(action, parameter, usages);
                }
            }
        }
    }

    /// Reports a parameter whose space cannot be sampled.
    fn report_unsampleable(&mut self, parameter: &NamedDeclaration) {
        let Some(declaration) = &parameter.declaration else { return };
        let reason = match &declaration.space {
            Space::FreeText | Space::FreeInt | Space::FreeReal => "its space is unbounded",
            Space::IntRange { min, max } if min > max => "its range is empty",
            Space::RealRange { min, max } if min >= max => "its range is empty: the bounds are equal or reversed",
            _ => return,
        };
        let message = format!("`{}` cannot be sampled: {reason}", parameter.name.text);
        let found = Diagnostic::warning(codes::UNSAMPLEABLE_PARAMETER, parameter.constraint.span, message);
        self.found.push(found.with_help("random policies cannot choose this action"));
    }

    fn parameter(&mut self, action: &Action, parameter: &NamedDeclaration, usage: &UsageIndex<'_>) {
        let name = &*parameter.name.text;
        let picks = is_endpoint_name(name) && picks_vector(action);
        if picks {
            self.endpoint_parameter(parameter);
        }
        let custom = action
            .consequences
            .iter()
            .any(|consequence| matches!(consequence.outcome, ConsequenceEffect::Custom { .. }));
        if !picks && !custom && !usage.parameters.contains(name) {
            let message = format!("unused parameter `{name}` of `{}`", action.name);
            let help = "only `source` and `target` have a predefined meaning: they restrict the vectors of results that select one";
            let found = Diagnostic::warning(codes::UNUSED_PARAMETER, parameter.name.span, message);
            self.found.push(found.with_help(help));
        }
    }

    /// Lints a parameter that names the node at an end of a vector.
    fn endpoint_parameter(&mut self, parameter: &NamedDeclaration) {
        let Some(declaration) = &parameter.declaration else { return };
        let board = &self.game.board;
        let (name, span) = (&parameter.name.text, parameter.constraint.span);
        match &declaration.space {
            Space::FreeText => {}
            Space::TextEnum(members) => {
                for member in members.iter().filter(|member| board.node_named(member).is_none()) {
                    let message = format!("unknown node `{member}`: with this `{name}`, no vector matches");
                    self.found.push(Diagnostic::warning(codes::UNKNOWN_ENDPOINT, span, message));
                }
            }
            _ => {
                let message = format!("`{name}` is never the name of a node: no vector matches");
                self.found.push(Diagnostic::warning(codes::UNKNOWN_ENDPOINT, span, message));
            }
        }
    }
}

/// Whether a parameter of this name selects an end of vectors.
fn is_endpoint_name(parameter: &str) -> bool {
    ["source", "target"].contains(&parameter)
}

/// Whether a result of the action picks a vector.
fn picks_vector(action: &Action) -> bool {
    action.consequences.iter().any(|consequence| {
        matches!(
            consequence.outcome,
            ConsequenceEffect::MakeNodeVisible { .. }
                | ConsequenceEffect::WithVectors { pick: VectorSelection::Random, .. }
        )
    })
}
