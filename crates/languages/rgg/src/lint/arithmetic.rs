//! Lints of arithmetic, and of values outside their spaces.

use std::fmt::Display;

use goalspec_resource::abstraction::{AbstractContext, ValueSet};
use goalspec_resource::board::{SlotId, Vector};
use goalspec_resource::compute::{ArithmeticOperator, Computation, ComputationCase, MathOperator, ValueTransform};
use goalspec_resource::field::{Endpoint, Field, Place};
use goalspec_resource::game::{Action, IntermediateValue};
use goalspec_resource::kinds::KindSet;
use goalspec_resource::rules::ArithmeticRule;
use goalspec_resource::space::Space;
use goalspec_syntax::{Diagnostic, Severity, Span};

use super::Linter;
use crate::ast::{self, Assignments, ComputationKind};
use crate::codes;

impl Linter<'_> {
    /// Lints initial values outside their spaces.
    pub(super) fn initial_values(&mut self) {
        for declared in self.ast.resources.iter().flat_map(|space| &space.resources) {
            let Some(declaration) = &declared.declaration else { continue };
            if &*declared.name.text != "observable" && !declaration.space.contains(&declaration.initial) {
                let message = format!("the initial value of `{}` is outside its space", declared.name.text);
                let value = match &declaration.space {
                    Space::IntRange { min, max } if min > max => empty(min, max),
                    Space::RealRange { min, max } if min > max => empty(min, max),
                    _ => format!("the initial value is `{}`", declaration.initial),
                };
                self.found
                    .push(Diagnostic::warning(codes::OUTSIDE, declared.constraint.span, message).with_help(value));
            }
        }
    }

    /// Lints the values of resources after the cost of an action.
    pub(super) fn values_after_cost(&mut self, ast: &ast::Action, action: &Action) {
        let after_cost = self.reach.after_cost(self.game, action);
        for (cost, (place, _)) in ast.cost.iter().zip(&action.cost) {
            let Place::Resource(slot) = *place else { continue };
            if let Some(left) = after_cost.get(&slot) {
                let left = left.clone();
                self.report_outside(slot, &[left], cost.span);
            }
        }
    }

    /// Lints the values that the entries of a result write: in the state, or at any of these vectors.
    pub(super) fn assignments(
        &mut self,
        ast: &Assignments,
        entries: &[(Place, Computation)],
        computed: &[IntermediateValue],
        vectors: &[&Vector],
        add: bool,
    ) {
        let vectors: Vec<Option<&Vector>> =
            if vectors.is_empty() { vec![None] } else { vectors.iter().copied().map(Some).collect() };
        let mut computed_at: Vec<Option<Vec<ValueSet>>> = vec![None; vectors.len()];
        let at_once: Vec<ValueSet> =
            computed.iter().map(|computation| self.state().compute(&computation.value)).collect();
        for ((_, ast), (place, compute)) in ast.entries.iter().zip(entries) {
            let mut slot_of_all = None;
            let mut written = Vec::new();
            for (vector, computed_at) in vectors.iter().zip(&mut computed_at) {
                if self.is_exhausted() {
                    slot_of_all = None;
                    break;
                }
                let scope = AbstractContext { vector: *vector, ..self.state() };
                let computed = computed_at.get_or_insert_with(|| {
                    computed.iter().map(|computation| scope.compute(&computation.value)).collect::<Vec<_>>()
                });
                let scope = AbstractContext { computed, ..scope };
                let Some(slot) = self.slot(*place, *vector) else { continue };
                let value = scope.compute(compute);
                let value = if add { self.reach.slot(slot).plus(&value) } else { value };
                slot_of_all.get_or_insert(slot);
                if self.is_outside(slot, &value) {
                    written.push(value);
                } else {
                    slot_of_all = None;
                    break;
                }
            }
            if let Some(slot) = slot_of_all {
                self.report_outside(slot, &written, ast.span);
            }
            let scope = AbstractContext { vector: vectors[0], computed: &at_once, ..self.state() };
            self.arithmetic(ast, compute, &scope);
        }
    }

    fn slot(&self, place: Place, vector: Option<&Vector>) -> Option<SlotId> {
        match place {
            Place::Resource(slot) => Some(slot),
            Place::EndpointResource(end, resource) => {
                let node = vector.map(|vector| if end == Endpoint::Source { vector.source } else { vector.target })?;
                self.game.board.slot_of(node, resource)
            }
            Place::Observers(_) | Place::EndpointObservers(_) => None,
        }
    }

    /// Whether all of these values are outside the declared space of a resource.
    fn is_outside(&self, slot: SlotId, values: &ValueSet) -> bool {
        let declared = self.game.board.slot(slot).declaration.as_ref();
        let is_value = !values.kinds().is_subset(KindSet::MISSING);
        is_value && declared.is_some_and(|declared| !values.intersects(&declared.space))
    }

    fn report_outside(&mut self, slot: SlotId, values: &[ValueSet], span: Span) {
        let Some(first) = values.first().filter(|values| self.is_outside(slot, values)) else { return };
        let name = self.game.board.slot_name(slot);
        let message = format!("`{name}` is always outside its declared space after this: it {first}");
        self.found.push(Diagnostic::warning(codes::OUTSIDE, span, message));
    }

    /// Lints arithmetic in intermediate values.
    pub(super) fn arithmetic_of<'c>(
        &mut self,
        ast: &Assignments,
        computes: impl Iterator<Item = &'c Computation>,
        vector: Option<&Vector>,
    ) {
        let scope = AbstractContext { vector, ..self.state() };
        for ((_, ast), compute) in ast.entries.iter().zip(computes) {
            self.arithmetic(ast, compute, &scope);
        }
    }

    /// Lints operations on numbers of different kinds, or on values that are not numbers.
    pub(super) fn arithmetic(&mut self, ast: &ast::Computation, compute: &Computation, scope: &AbstractContext<'_>) {
        match (&ast.kind, compute) {
            (ComputationKind::MathOperation { fields, .. }, Computation::Math(math)) => {
                let operands: Vec<KindSet> = math.fields.iter().map(|field| self.kinds(field, scope)).collect();
                self.operands(ast.span, math.operator, fields, &operands);
            }
            (ComputationKind::Cases(cases), Computation::Cases(lowered)) => {
                for (case, lowered) in cases.iter().zip(lowered) {
                    self.case(case, lowered, scope);
                    self.arithmetic(&case.value, &lowered.value, scope);
                }
            }
            (ComputationKind::Chain(first, steps), Computation::Chain(lowered, _)) => {
                self.arithmetic(first, lowered, scope);
                self.first_step(steps, &scope.compute(lowered));
            }
            _ => {}
        }
    }

    /// Returns the possible kinds of a field; of a resource at an end of a vector, the union over all vectors.
    fn kinds(&self, field: &Field, scope: &AbstractContext<'_>) -> KindSet {
        if !matches!(field, Field::EndpointResource(..)) {
            return scope.field(field).kinds();
        }
        let vectors = self.game.board.vectors().map(|(_, vector)| AbstractContext { vector: Some(vector), ..*scope });
        vectors.map(|scope| scope.field(field).kinds()).fold(KindSet::EMPTY, |kinds, kind| kinds | kind)
    }

    /// Reports tests of a case that never hold.
    fn case(&mut self, ast: &ast::ComputationCase, case: &ComputationCase, scope: &AbstractContext<'_>) {
        for ((name, test), (field, filter)) in ast.when.iter().zip(&case.when) {
            // The result depends on the vector, or on the observing team.
            let depends =
                matches!(field, Field::EndpointResource(..) | Field::EndpointObservers(_) | Field::Observers(_));
            if !depends && !scope.test_field(field, filter).can_hold {
                let message = format!("this case never holds: `{}` {}", name.text, scope.field(field));
                self.found.push(Diagnostic::warning(codes::NEVER_HOLDS, test.span, message));
            }
        }
    }

    fn operands(&mut self, span: Span, operator: MathOperator, names: &[ast::SpannedText], operands: &[KindSet]) {
        let arithmetic = matches!(
            operator,
            MathOperator::Add
                | MathOperator::Subtract
                | MathOperator::Multiply
                | MathOperator::Divide
                | MathOperator::Min
                | MathOperator::Max
        );
        let (Some((first, others)), true) = (operands.split_first(), arithmetic) else { return };
        for (name, _) in names.iter().zip(operands).filter(|(_, kinds)| !kinds.intersects(KindSet::NUMBER)) {
            let message = format!("`{}` is never a number, so this operation has no result", name.text);
            self.found.push(Diagnostic::warning(codes::MIXED_TYPES, name.span, message));
        }
        let divides = operator == MathOperator::Divide;
        if first.is_subset(KindSet::INT | KindSet::MISSING)
            && others.iter().any(|kinds| kinds.intersects(KindSet::REAL) || divides)
        {
            self.report_truncation(span);
        }
    }

    fn first_step(&mut self, steps: &[ast::ChainStep], before: &ValueSet) {
        let Some(step) = steps.first() else { return };
        if let ast::ChainStepKind::Transform(ValueTransform::Arithmetic(operator, operand)) = &step.kind
            && before.kinds().is_subset(KindSet::INT | KindSet::MISSING)
            && (KindSet::of(Some(operand)) == KindSet::REAL || *operator == ArithmeticOperator::Divide)
        {
            self.report_truncation(step.span);
        }
    }

    /// Reports an operation in which the Cage engine truncates fractions.
    fn report_truncation(&mut self, span: Span) {
        let engine = self.game.rules.arithmetic == ArithmeticRule::FirstOperand;
        let severity = if engine { Severity::Warning } else { Severity::Note };
        let message = "the first operand is an integer, so the Cage engine truncates the result";
        let found = Diagnostic { span: Some(span), ..Diagnostic::new(codes::MIXED_TYPES, severity, message) };
        self.found.push(found.with_help("use `Calculate`, which computes in real numbers"));
    }
}

fn empty(min: impl Display, max: impl Display) -> String {
    format!("the range is empty: {min} exceeds {max}")
}
