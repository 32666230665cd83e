//! Resolution of effects.

use goalspec_core::planning::task::Effect;
use goalspec_syntax::Diagnostic;

use super::{ResolveContext, Resolver};
use crate::ast::{Atom, EffectKind};
use crate::codes;
use crate::parse::excerpt;

impl Resolver<'_> {
    /// Resolves an effect; `derived` tells whether the predicate of a name is derived.
    pub(crate) fn effect(&mut self, effect: &crate::ast::Effect, derived: &dyn Fn(&str) -> bool) -> Option<Effect> {
        match &effect.kind {
            EffectKind::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.effect(part, derived)).collect();
                Some(Effect::And(parts.into_iter().collect::<Option<_>>()?))
            }
            EffectKind::Forall(variables, body) => {
                let depth = self.depth();
                let ids = self.enter(variables);
                let body = self.effect(body, derived);
                self.leave(depth, "variable");
                Some(Effect::Forall(ids, Box::new(body?)))
            }
            EffectKind::When(condition, body) => {
                let (condition, body) = (self.condition(condition), self.effect(body, derived));
                Some(Effect::When(condition?, Box::new(body?)))
            }
            EffectKind::Add(atom) => {
                self.not_derived(atom, derived);
                Some(Effect::Add(self.atom(atom)?))
            }
            EffectKind::Delete(atom) => {
                self.not_derived(atom, derived);
                Some(Effect::Delete(self.atom(atom)?))
            }
            EffectKind::Assign(operator, function, value) => {
                let (call, value) = (self.call(function), self.expression(value));
                let ((function, arguments), value) = (call?, value?);
                Some(Effect::Assign { operator: *operator, function, arguments, value, origin: effect.span.into() })
            }
            EffectKind::Timed(_, body) if self.place == ResolveContext::Durative => self.effect(body, derived),
            EffectKind::Timed(..) => {
                let message = "timed effects are allowed only in durative actions";
                self.diagnostics.push(Diagnostic::error(codes::MISPLACED, effect.span, message));
                None
            }
        }
    }

    fn not_derived(&mut self, atom: &Atom, derived: &dyn Fn(&str) -> bool) {
        if derived(atom.name.text()) {
            let message = format!("derived predicate `{}` is not allowed in effects", excerpt(atom.name.written()));
            let help = "change the predicates that its rules depend on";
            self.diagnostics.push(Diagnostic::error(codes::DERIVED_EFFECT, atom.name.span, message).with_help(help));
        }
    }
}
