//! Type inference of arithmetic, comparisons, attributes and items.

use super::interpret::{PathEnd, StepResult, unsupported};
use super::types::{Kinds, Type, TypeDetail};
use super::{Inference, InstanceId, Origin, StackValue, Test};
use crate::code::Symbol;
use crate::library::{MethodRow, method};
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

/// An attribute of objects that the inference supports.
pub(crate) enum Attribute {
    /// Integers: the index of a field among `x`, `y`, `w`, `h`, `prev_x` and `prev_y`, or the difference of two.
    Field(u8),
    Difference(u8, u8),
    /// The value, which only some objects have.
    Value,
    Hud,
    Visible,
    ClassName,
    /// A tuple of fields.
    Fields(&'static [u8]),
    Center,
    Method(&'static MethodRow),
}

/// Returns a method that the fast engine supports.
fn fast_method(class: &str, name: &str) -> Option<&'static MethodRow> {
    method(class, name).filter(|method| method.fast.is_some())
}

impl Attribute {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "x" => Self::Field(0),
            "y" => Self::Field(1),
            "w" => Self::Field(2),
            "h" => Self::Field(3),
            "prev_x" => Self::Field(4),
            "prev_y" => Self::Field(5),
            "dx" => Self::Difference(0, 4),
            "dy" => Self::Difference(1, 5),
            "value" => Self::Value,
            "hud" => Self::Hud,
            "visible" => Self::Visible,
            "category" => Self::ClassName,
            "xy" => Self::Fields(&[0, 1]),
            "wh" => Self::Fields(&[2, 3]),
            "xywh" => Self::Fields(&[0, 1, 2, 3]),
            "prev_xy" => Self::Fields(&[4, 5]),
            "center" => Self::Center,
            _ => Self::Method(fast_method("GameObject", name)?),
        })
    }
}

impl Inference<'_> {
    pub(super) fn attribute(&mut self, slot: StackValue, symbol: Symbol) -> StepResult<StackValue> {
        let program = self.program;
        let name = &*program.names[symbol.0 as usize];
        let known = |holds: Type| Ok(StackValue { ty: holds, origin: Origin::Unknown });
        if slot.ty.kinds == Kinds::LIST
            && let Some(method) = fast_method("list", name)
        {
            return known(self.types.detailed(TypeDetail::Method(slot.ty, method)));
        }
        match self.types.detail(slot.ty).filter(|_| slot.ty.kinds == Kinds::DETAILED) {
            Some(TypeDetail::ClassOf(objects)) if name == "__name__" => {
                let objects = *objects;
                return Ok(StackValue { ty: self.class_name(objects), origin: slot.origin });
            }
            Some(TypeDetail::Module("math")) => {
                return match self.machine.math_constant(name) {
                    Some(found) => known(self.constant_type(&found)),
                    None => unsupported(format!("`math` has no `{name}`")),
                };
            }
            _ => {}
        }
        let objects = require_kinds(slot.ty, Kinds::OBJECT, &format!("the attribute `{name}` of this value"))?;
        if name == "__class__" {
            let origin = match slot.origin {
                Origin::Variable(variable) => Origin::ClassName(variable),
                _ => Origin::Unknown,
            };
            return Ok(StackValue { ty: self.types.detailed(TypeDetail::ClassOf(objects)), origin });
        }
        let holds = match Attribute::named(name) {
            None => return unsupported(format!("the attribute `{name}`")),
            Some(Attribute::Field(_) | Attribute::Difference(..) | Attribute::Value) => Type::INT,
            Some(Attribute::Hud | Attribute::Visible) => Type::BOOL,
            Some(Attribute::ClassName) => {
                let origin = match slot.origin {
                    Origin::Variable(variable) => Origin::ClassName(variable),
                    _ => Origin::Unknown,
                };
                return Ok(StackValue { ty: self.class_name(objects), origin });
            }
            Some(Attribute::Fields(fields)) => self.types.detailed(TypeDetail::Tuple(vec![Type::INT; fields.len()])),
            Some(Attribute::Center) => self.types.detailed(TypeDetail::Tuple(vec![Type::FLOAT; 2])),
            Some(Attribute::Method(method)) => self.types.detailed(TypeDetail::Method(objects, method)),
        };
        known(holds)
    }

    /// Returns the type of the name of an object's class.
    fn class_name(&mut self, objects: Type) -> Type {
        if objects.classes.is_power_of_two() {
            let world = self.world;
            return self.types.text(&world.screen_classes[objects.classes.trailing_zeros() as usize].name);
        }
        Type::TEXT
    }

    pub(super) fn set_attribute(&mut self, object: Type, symbol: Symbol, value: Type) -> StepResult<()> {
        let program = self.program;
        let name = &program.names[symbol.0 as usize];
        require_kinds(object, Kinds::OBJECT, "an assignment to an attribute of a value that is not an object")?;
        match Attribute::named(name) {
            Some(Attribute::Field(0..=3) | Attribute::Value)
                if value.kinds.is_subset(Kinds::INT.union(Kinds::BOOL)) =>
            {
                Ok(())
            }
            Some(Attribute::Fields(&[0, 1])) => match self.tuple_types(value) {
                Some(parts) if parts.len() == 2 && parts.iter().all(|part| part.kinds == Kinds::INT) => Ok(()),
                _ => unsupported("an assignment of a position that is not a pair of integers"),
            },
            _ => unsupported(format!("an assignment to the attribute `{name}`")),
        }
    }

    pub(super) fn unary(&mut self, operator: UnaryOperator, slot: StackValue) -> StepResult<StackValue> {
        if operator == UnaryOperator::Not {
            let truth = self.types.truth(slot.ty);
            let origin = match slot.origin {
                Origin::Test(variable, test, holds) => Origin::Test(variable, test, !holds),
                _ => Origin::Unknown,
            };
            return Ok(StackValue { ty: self.types.bool(truth.map(|truth| !truth)), origin });
        }
        let number = require_kinds(slot.ty, Kinds::NUMBER, "the sign of a value that is not a number")?;
        let constant = self.types.constant(number).cloned();
        let holds = match (operator, constant) {
            (UnaryOperator::USub, Some(TypeDetail::Int(number))) if number != i64::MIN => {
                self.types.detailed(TypeDetail::Int(-number))
            }
            (UnaryOperator::USub, Some(TypeDetail::Float(bits))) => {
                self.types.detailed(TypeDetail::Float((-f64::from_bits(bits)).to_bits()))
            }
            (UnaryOperator::USub, _) => arithmetic(number, Type::INT, false),
            (UnaryOperator::UAdd, _) if !number.kinds.intersects(Kinds::BOOL) => number,
            _ => return unsupported("`~`"),
        };
        Ok(StackValue { ty: holds, origin: Origin::Unknown })
    }

    pub(super) fn binary(
        &mut self,
        at: InstanceId,
        pc: usize,
        operator: BinaryOperator,
        left: Type,
        right: Type,
        in_place: bool,
    ) -> StepResult<Type> {
        if left.kinds == Kinds::LIST && right.kinds == Kinds::LIST && operator == BinaryOperator::Add && !in_place {
            let list = self.new_list(at, pc);
            for part in [left, right] {
                let element = self.types.element(part);
                self.types.add_element(list, element);
            }
            return Ok(list);
        }
        let construct = "arithmetic on values that are not numbers";
        let (left, right) =
            (require_kinds(left, Kinds::NUMBER, construct)?, require_kinds(right, Kinds::NUMBER, construct)?);
        if let Some(value) = self.fold_constants(operator, left, right) {
            return Ok(value);
        }
        match operator {
            BinaryOperator::Add
            | BinaryOperator::Sub
            | BinaryOperator::Mult
            | BinaryOperator::FloorDiv
            | BinaryOperator::Mod => Ok(arithmetic(left, right, false)),
            BinaryOperator::Div => Ok(arithmetic(left, right, true)),
            BinaryOperator::Pow if self.types.int(right) == Some(2) => Ok(arithmetic(left, right, false)),
            _ => unsupported(format!("the operator `{}`", operator.as_str())),
        }
    }

    /// Folds arithmetic on constants that cannot raise an exception.
    fn fold_constants(&mut self, operator: BinaryOperator, left: Type, right: Type) -> Option<Type> {
        let (left, right) = (self.types.constant(left)?.clone(), self.types.constant(right)?.clone());
        let float = |number: &TypeDetail| match number {
            TypeDetail::Float(bits) => Some(f64::from_bits(*bits)),
            TypeDetail::Int(number) if number.unsigned_abs() <= 1 << 53 => Some(*number as f64),
            _ => None,
        };
        let folded = match (operator, &left, &right) {
            (BinaryOperator::Add, TypeDetail::Int(left), TypeDetail::Int(right)) => {
                TypeDetail::Int(left.checked_add(*right)?)
            }
            (BinaryOperator::Sub, TypeDetail::Int(left), TypeDetail::Int(right)) => {
                TypeDetail::Int(left.checked_sub(*right)?)
            }
            (BinaryOperator::Mult, TypeDetail::Int(left), TypeDetail::Int(right)) => {
                TypeDetail::Int(left.checked_mul(*right)?)
            }
            (BinaryOperator::FloorDiv, TypeDetail::Int(left), TypeDetail::Int(right)) if *left >= 0 && *right > 0 => {
                TypeDetail::Int(left / right)
            }
            (BinaryOperator::Div, ..) if float(&right)? != 0.0 => {
                TypeDetail::Float((float(&left)? / float(&right)?).to_bits())
            }
            (BinaryOperator::Add, ..) => TypeDetail::Float((float(&left)? + float(&right)?).to_bits()),
            (BinaryOperator::Sub, ..) => TypeDetail::Float((float(&left)? - float(&right)?).to_bits()),
            (BinaryOperator::Mult, ..) => TypeDetail::Float((float(&left)? * float(&right)?).to_bits()),
            _ => return None,
        };
        Some(self.types.detailed(folded))
    }

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
                let plain = Kinds::NUMBER.union(Kinds::NONE).union(Kinds::TEXT).union(Kinds::OBJECT);
                if left.ty.kinds.is_subset(plain) && right.ty.kinds.is_subset(plain) {
                    return Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown });
                }
                unsupported("equality of lists, tuples and similar values")
            }
            ComparisonOperator::In | ComparisonOperator::NotIn => {
                let Some(parts) = self.tuple_types(right.ty) else {
                    return unsupported(
                        "`in` with a right side that is not a \
                    tuple",
                    );
                };
                match self.class_test(operator == ComparisonOperator::In, left, &parts) {
                    Some(slot) => Ok(slot),
                    None => unsupported("`in` with a left side that is not a category"),
                }
            }
            ComparisonOperator::Lt | ComparisonOperator::LtE | ComparisonOperator::Gt | ComparisonOperator::GtE => {
                let construct = "an order comparison of values that are not numbers";
                require_kinds(left.ty, Kinds::NUMBER, construct)?;
                require_kinds(right.ty, Kinds::NUMBER, construct)?;
                Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown })
            }
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
            (Kinds::OBJECT, Kinds::OBJECT) => return Ok(StackValue { ty: Type::BOOL, origin: Origin::Unknown }),
            _ => return unsupported("`is` with an operand other than `None`"),
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

    pub(super) fn item(&mut self, object: Type, index: Type) -> StepResult<Type> {
        if object.kinds == Kinds::LIST {
            if index.kinds == Kinds::NONE {
                return unsupported("an index that is `None`");
            }
            require_kinds(index, Kinds::INT.union(Kinds::BOOL), "an index that is not an integer")?;
            let element = self.types.element(object);
            return if element.is_never() { Err(PathEnd::Unreachable) } else { Ok(element) };
        }
        let parts = self.tuple_types(object);
        match (parts, self.types.int(index)) {
            (Some(parts), Some(place)) => {
                let from_end =
                    usize::try_from(place.unsigned_abs()).ok().and_then(|back| parts.len().checked_sub(back));
                let place = if place < 0 { from_end } else { usize::try_from(place).ok() };
                match place.and_then(|place| parts.get(place)) {
                    Some(&part) => Ok(part),
                    None => unsupported("an index out of range of a tuple"),
                }
            }
            _ => unsupported("an item of a value that is not a list, or a variable index of a tuple"),
        }
    }
}

/// Restricts a type to supported kinds; unsupported if none of it remains.
pub(super) fn require_kinds(holds: Type, kinds: Kinds, description: &str) -> StepResult<Type> {
    let rest = holds.restrict(kinds);
    if rest.is_never() { unsupported(description) } else { Ok(rest) }
}

/// Returns the type of the result of arithmetic.
pub(super) fn arithmetic(left: Type, right: Type, always_float: bool) -> Type {
    let kinds = left.kinds.union(right.kinds);
    if always_float || left.kinds == Kinds::FLOAT || right.kinds == Kinds::FLOAT {
        return Type::FLOAT;
    }
    if kinds.intersects(Kinds::FLOAT) { Type::of(Kinds::INT.union(Kinds::FLOAT)) } else { Type::INT }
}
