//! Type inference of comparisons: of numbers, of texts and names of classes, of identities, and of membership.

use super::containers::EntryPart;
use super::interpret::{StepResult, unsupported};
use super::operators::require_kinds;
use super::text_functions::TextFunction;
use super::types::{Kinds, Type, TypeDetail};
use super::{Inference, Origin, StackValue, Test};
use crate::operators::ComparisonOperator;

impl Inference<'_> {
    pub(super) fn compare(
        &mut self,
        operator: ComparisonOperator,
        left: StackValue,
        right: StackValue,
    ) -> StepResult<StackValue> {
        match operator {
            ComparisonOperator::Is | ComparisonOperator::IsNot => {
                self.identity(operator == ComparisonOperator::Is, left, right)
            }
            ComparisonOperator::Eq | ComparisonOperator::NotEq => {
                if let Some(slot) = self.class_test(operator == ComparisonOperator::Eq, left, &[right.ty]) {
                    return Ok(slot);
                }
                if let Some(slot) = self.class_test(operator == ComparisonOperator::Eq, right, &[left.ty]) {
                    return Ok(slot);
                }
                if self.is_comparable(left.ty, right.ty) || self.are_enum_members([left.ty, right.ty]) {
                    return Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown });
                }
                unsupported("equality of lists, dicts and similar values")
            }
            ComparisonOperator::In | ComparisonOperator::NotIn => {
                let searched = self.entries_of(right.ty).map_or(right.ty, |(dict, _)| dict);
                if self.types.is_table(searched) {
                    if matches!(self.types.detail(right.ty), Some(TypeDetail::View(_, part)) if *part != EntryPart::Key)
                    {
                        return unsupported("a search for a value or an entry of a dict");
                    }
                    self.add_entry(searched, left.ty, None)?;
                    return Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown });
                }
                if right.ty.kinds == Kinds::RECORD {
                    let fields = self.dict_fields(right.ty)?;
                    self.check_key(left.ty, &fields)?;
                    return Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown });
                }
                if left.ty.kinds == Kinds::TEXT && right.ty.kinds == Kinds::TEXT {
                    return Ok(self.part_of_text(operator == ComparisonOperator::In, left, right));
                }
                let parts = self.tuple_types(right.ty);
                if let Some(slot) =
                    parts.as_ref().and_then(|parts| self.class_test(operator == ComparisonOperator::In, left, parts))
                {
                    return Ok(slot);
                }
                match parts {
                    Some(parts) => parts.iter().try_for_each(|&part| self.check_membership(left.ty, part))?,
                    None if right.ty.kinds == Kinds::LIST => {
                        self.check_membership(left.ty, self.types.element(right.ty))?;
                    }
                    None => return unsupported("`in` with a right side that is not a tuple, a list or a dict"),
                }
                Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown })
            }
            ComparisonOperator::Lt | ComparisonOperator::LtE | ComparisonOperator::Gt | ComparisonOperator::GtE => {
                if let (Some(one), Some(two)) = (self.tuple_types(left.ty), self.tuple_types(right.ty)) {
                    let mut parts = one.iter().chain(&two);
                    if parts.all(|part| part.kinds.is_subset(Kinds::NUMBER))
                        || one.iter().zip(&two).all(|(one, two)| are_ordered(*one, *two))
                    {
                        return Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown });
                    }
                }
                if left.ty.kinds == Kinds::TEXT && right.ty.kinds == Kinds::TEXT {
                    return Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown });
                }
                let construct = "an order comparison of values that are not numbers";
                require_kinds(left.ty, Kinds::NUMBER, construct)?;
                require_kinds(right.ty, Kinds::NUMBER, construct)?;
                Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown })
            }
        }
    }

    /// Returns the test of whether a text is part of another one.
    fn part_of_text(&mut self, positive: bool, part: StackValue, whole: StackValue) -> StackValue {
        let unknown = |ty: Type| StackValue { ty, origin: Origin::Unknown };
        let Some((function, is_whole)) = TextFunction::of_membership(&self.types, part.ty, whole.ty) else {
            return unknown(Type::BOOL);
        };
        let text = if is_whole { whole } else { part };
        let ty = self.types.text_function(&function, text.ty);
        if let Some(holds) = self.types.truth(ty) {
            return unknown(self.types.bool(Some(holds == positive)));
        }
        match text.origin {
            Origin::ClassName(variable) => {
                let classes = function.classes(self.world, &[]);
                StackValue { ty: Type::BOOL, origin: Origin::Test(variable, Test::Classes(classes), positive) }
            }
            _ => unknown(Type::BOOL),
        }
    }

    /// Whether the fast engine compares values of these types for equality.
    fn is_comparable(&self, left: Type, right: Type) -> bool {
        let plain = Kinds::NUMBER.union(Kinds::NONE).union(Kinds::TEXT).union(Kinds::OBJECT);
        match (self.tuple_types(left), self.tuple_types(right)) {
            (Some(one), Some(two)) => {
                one.len() != two.len() || one.iter().zip(&two).all(|(&one, &two)| self.is_comparable(one, two))
            }
            _ => left.kinds.is_subset(plain) && right.kinds.is_subset(plain),
        }
    }

    /// Returns a test of whether a class has one of these names.
    fn class_test(&mut self, positive: bool, name: StackValue, names: &[Type]) -> Option<StackValue> {
        let Origin::ClassName(variable) = name.origin else {
            return self.known_text_test(positive, name.ty, names);
        };
        let mut classes = 0;
        for &name in names {
            let Some(TypeDetail::Text(place)) = self.types.constant(name) else { return None };
            let text = &self.types.texts[*place as usize];
            let found = self.world.screen_classes.iter().position(|class| class.name == *text);
            classes |= found.map_or(0, |place| 1 << place);
        }
        // If the name is a constant, the result of the test is a constant, too.
        let known = self.known_text_test(positive, name.ty, names).map_or(Type::BOOL, |slot| slot.ty);
        let origin = Origin::Test(variable, Test::Classes(classes), positive);
        Some(StackValue { ty: known, origin })
    }

    fn known_text_test(&mut self, positive: bool, name: Type, names: &[Type]) -> Option<StackValue> {
        let Some(&TypeDetail::Text(own)) = self.types.constant(name) else { return None };
        let mut found = false;
        for &name in names {
            let Some(TypeDetail::Text(place)) = self.types.constant(name) else { return None };
            found |= *place == own;
        }
        Some(StackValue { ty: self.types.bool(Some(found == positive)), origin: Origin::Unknown })
    }

    fn identity(&mut self, positive: bool, left: StackValue, right: StackValue) -> StepResult<StackValue> {
        let slot = match (left.ty.kinds, right.ty.kinds) {
            (_, Kinds::NONE) => left,
            (Kinds::NONE, _) => right,
            (one, two) => {
                let slot = |ty: Type| Ok(StackValue { ty, origin: Origin::Unknown });
                for kind in [Kinds::OBJECT, Kinds::RECORD, Kinds::LIST] {
                    let optional = kind.union(Kinds::NONE);
                    if one.is_subset(optional) && two.is_subset(optional) {
                        return slot(Type::BOOL);
                    }
                }
                if one == Kinds::BOOL && two == Kinds::BOOL {
                    return slot(Type::BOOL);
                }
                let is_detailed = |kinds: Kinds| kinds == Kinds::DETAILED;
                if is_detailed(one) && is_detailed(two) {
                    return self.class_identity(positive, left, right);
                }
                return unsupported("`is` with an operand other than `None`");
            }
        };
        let kinds = slot.ty.kinds;
        let known = if kinds == Kinds::NONE {
            Some(positive)
        } else if kinds.intersects(Kinds::NONE) {
            None
        } else {
            Some(!positive)
        };
        let origin = match slot.origin {
            Origin::Variable(variable) => Origin::Test(variable, Test::None, positive),
            _ => Origin::Unknown,
        };
        Ok(StackValue { ty: self.types.bool(known), origin })
    }

    /// Returns the type of `type(object) is Class`, or of the comparison of two classes.
    fn class_identity(&mut self, positive: bool, left: StackValue, right: StackValue) -> StepResult<StackValue> {
        let (left, right) = match self.types.detail(left.ty) {
            Some(TypeDetail::ClassOf(_)) => (left, right),
            _ => (right, left),
        };
        match (self.types.detail(left.ty).cloned(), self.types.detail(right.ty).cloned()) {
            (Some(TypeDetail::ClassOf(_)), Some(TypeDetail::Class(class))) => {
                let origin = match left.origin {
                    Origin::ClassName(variable) => Origin::Test(variable, Test::Classes(1 << class), positive),
                    _ => Origin::Unknown,
                };
                Ok(StackValue { ty: Type::BOOL, origin })
            }
            (Some(TypeDetail::Class(one)), Some(TypeDetail::Class(two))) => {
                Ok(StackValue { ty: self.types.bool(Some((one == two) == positive)), origin: Origin::Unknown })
            }
            _ => unsupported("`is` with an operand other than `None`"),
        }
    }
}

/// Whether values of two types have an order that the fast engine knows.
fn are_ordered(one: Type, two: Type) -> bool {
    let numbers = [one, two].iter().all(|ty| ty.kinds.is_subset(Kinds::NUMBER));
    numbers || (one.kinds == Kinds::TEXT && two.kinds == Kinds::TEXT)
}
