//! Type inference of arithmetic, attributes and items.

use super::class_name_keys::EntryValue;
use super::interpret::{PathEnd, StepResult, unsupported};
use super::types::{Kinds, Type, TypeDetail};
use super::{AbstractState, Inference, InstanceId, Origin, StackValue};
use crate::code::Symbol;
use crate::fast::RareAttributes;
use crate::library::{Library, MethodRow, method};
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
        let method = self.table_method(slot.ty, name).or_else(|| self.built_in_method(slot.ty, name));
        if let Some(method) = method {
            return known(method);
        }
        match self.types.detail(slot.ty).filter(|_| slot.ty.kinds == Kinds::DETAILED) {
            Some(TypeDetail::ClassOf(objects)) if name == "__name__" => {
                let objects = *objects;
                return Ok(StackValue { ty: self.class_name(objects), origin: slot.origin });
            }
            Some(TypeDetail::Module(module @ ("math" | "bisect" | "statistics" | "heapq"))) => {
                let library = Library::from_name(module);
                return match library.and_then(|library| self.machine.library_constant(library, name)) {
                    Some(found) => known(self.constant_type(&found)),
                    None => unsupported(format!("`{module}` has no `{name}`")),
                };
            }
            Some(TypeDetail::BinaryDigits) if name == "count" => {
                return known(self.types.detailed(TypeDetail::CountDigits));
            }
            _ => {}
        }
        if slot.ty.kinds.intersects(Kinds::RECORD) {
            let record = require_kinds(slot.ty, Kinds::RECORD, "an attribute of this value")?;
            return self.record_attribute(record, name);
        }
        if let Some(&TypeDetail::ProgramClass(class)) = self.types.detail(slot.ty) {
            return known(self.class_attribute(class, name)?);
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
            None if name == "rgb" => self.types.detailed(TypeDetail::Tuple(vec![Type::INT; 3])),
            None if self.rare_attribute(objects, name).is_some() => Type::INT,
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

    /// Returns the number of a rare attribute that is an integer, and the classes whose objects have it.
    pub(crate) fn rare_attribute(&self, objects: Type, name: &str) -> Option<(u8, u64)> {
        let all = |number: u8| Some((number, objects.classes));
        match name {
            "prev_value" => return all(RareAttributes::PREVIOUS_VALUE),
            "value_diff" => return all(RareAttributes::DIFFERENCE),
            "orientation" => return all(RareAttributes::ORIENTATION),
            _ => {}
        }
        let classes =
            self.world.screen_classes.iter().enumerate().filter(|(place, _)| objects.classes >> place & 1 != 0);
        let mut found: Option<(u8, u64)> = None;
        for (class, row) in classes {
            let Some(place) = row.extra_attributes.iter().position(|extra| **extra == *name) else { continue };
            if place >= RareAttributes::MAX_EXTRA {
                return None;
            }
            let number = RareAttributes::EXTRA + place as u8;
            match &mut found {
                Some((known, set)) if *known == number => *set |= 1 << class,
                Some(_) => return None,
                None => found = Some((number, 1 << class)),
            }
        }
        found
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
        if object.kinds.intersects(Kinds::RECORD) {
            return self.set_record_attribute(object.restrict(Kinds::RECORD), name, value);
        }
        if let Some(&TypeDetail::ProgramClass(class)) = self.types.detail(object) {
            return self.set_class_attribute(class, name, value);
        }
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
            (UnaryOperator::Invert, Some(TypeDetail::Int(number))) => self.types.detailed(TypeDetail::Int(!number)),
            (UnaryOperator::Invert, _) if number.kinds.is_subset(Kinds::INT.union(Kinds::BOOL)) => Type::INT,
            _ => return unsupported("`~`"),
        };
        Ok(StackValue { ty: holds, origin: Origin::Unknown })
    }

    /// Returns the type of a binary operator that a class of the program defines; `None` if neither operand is an instance of one.
    pub(super) fn special_binary(
        &mut self,
        at: InstanceId,
        pc: usize,
        operator: BinaryOperator,
        (left, right): (Type, Type),
        in_place: bool,
    ) -> StepResult<Option<Type>> {
        match special_operator(self, operator, (left, right), in_place)? {
            Some((name, true)) => self.call_special(at, pc, left, &name, &[right]),
            Some((name, false)) => self.call_special(at, pc, right, &name, &[left]),
            None => Ok(None),
        }
    }

    /// Returns the type of a comparison that a class of the program defines; `None` if the left operand is no instance of one.
    pub(super) fn special_comparison(
        &mut self,
        at: InstanceId,
        pc: usize,
        operator: ComparisonOperator,
        left: Type,
        right: Type,
    ) -> StepResult<Option<Type>> {
        let Some((name, swapped)) = special_comparison(operator) else { return Ok(None) };
        if operator == ComparisonOperator::Eq && self.compared_fields(left, right).is_some() {
            return Ok(Some(Type::BOOL));
        }
        let (receiver, argument) = if swapped { (right, left) } else { (left, right) };
        match self.call_special(at, pc, receiver, name, &[argument])? {
            Some(ty) if ty.kinds == Kinds::BOOL => Ok(Some(ty)),
            Some(_) => unsupported("a comparison that does not return a truth value"),
            None => Ok(None),
        }
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
        if self.types.is_plain_list(left)
            && self.types.is_plain_list(right)
            && operator == BinaryOperator::Add
            && !in_place
        {
            let list = self.new_list(at, pc);
            for part in [left, right] {
                let element = self.types.element(part);
                self.types.add_element(list, element);
            }
            return Ok(list);
        }
        if !in_place && let Some(set) = self.set_operation((at, pc), operator, left, right)? {
            return Ok(set);
        }
        if self.types.is_sequence(left)
            && right.kinds.is_subset(Kinds::INT)
            && operator == BinaryOperator::Mult
            && !in_place
        {
            let list = self.new_list(at, pc);
            let element = self.types.element(left);
            self.types.add_element(list, element);
            return Ok(list);
        }
        if in_place && operator == BinaryOperator::Add && self.types.is_plain_list(left) {
            self.types.mark_mutated(left);
            let values = self.value_type(at, pc, right)?;
            self.store_element(left, values)?;
            return Ok(left);
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
            BinaryOperator::Pow => self.power(left, right),
            BinaryOperator::BitAnd
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor
            | BinaryOperator::LShift
            | BinaryOperator::RShift
                if left.kinds.union(right.kinds).is_subset(Kinds::INT.union(Kinds::BOOL)) =>
            {
                let is_shift = matches!(operator, BinaryOperator::LShift | BinaryOperator::RShift);
                let are_truths = left.kinds == Kinds::BOOL && right.kinds == Kinds::BOOL;
                Ok(if are_truths && !is_shift { Type::BOOL } else { Type::INT })
            }
            _ => unsupported(format!("the operator `{}`", operator.as_str())),
        }
    }

    /// Returns the type of a power.
    fn power(&self, base: Type, exponent: Type) -> StepResult<Type> {
        let whole = Kinds::INT.union(Kinds::BOOL);
        let is_natural = self.types.int(exponent).map(|exponent| exponent >= 0);
        if !base.kinds.is_single() || !exponent.kinds.is_single() {
            return unsupported("a power of numbers of several types");
        }
        match (base.kinds.is_subset(whole) && exponent.kinds.is_subset(whole), is_natural) {
            (false, _) | (true, Some(false)) => Ok(Type::FLOAT),
            (true, Some(true)) => Ok(Type::INT),
            (true, None) => unsupported("a power with a variable exponent"),
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

    pub(super) fn set_item(
        &mut self,
        state: &AbstractState,
        object: Type,
        index: StackValue,
        value: StackValue,
    ) -> StepResult<()> {
        if object.kinds == Kinds::RECORD {
            let entry = EntryValue::new(self, state, index, value);
            return self.set_dict_entry(object, index.ty, entry, false);
        }
        let (index, value) = (index.ty, value.ty);
        if self.types.is_table(object) {
            return self.set_entry(object, index, value);
        }
        if object.kinds != Kinds::LIST {
            return unsupported("an assignment to an item of a value that is not a list or a dict");
        }
        require_kinds(index, Kinds::INT.union(Kinds::BOOL), "an index that is not an integer")?;
        self.types.mark_mutated(object);
        self.store_element(object, value)
    }

    /// Interprets `del object[index]`.
    pub(super) fn delete_item(&mut self, object: Type, index: Type) -> StepResult<()> {
        if self.types.is_table(object) {
            return self.delete_entry(object, index);
        }
        if object.kinds == Kinds::RECORD {
            return self.require_table(object, None, "`del` of an item of a value that is not a list");
        }
        if !self.types.is_plain_list(object) {
            return unsupported("`del` of an item of a value that is not a list");
        }
        if let Some(TypeDetail::Slice(parts)) = self.types.detail(index) {
            let &[lower, upper, step] = parts.as_slice() else { return unsupported("`del` of a slice") };
            let are_bounds = [lower, upper].iter().all(|bound| matches!(bound.kinds, Kinds::NONE | Kinds::INT));
            if !are_bounds || step.kinds != Kinds::NONE {
                return unsupported("`del` of a slice");
            }
            self.types.mark_mutated(object);
            return Ok(());
        }
        require_kinds(index, Kinds::INT.union(Kinds::BOOL), "`del` of an item that is not at an index")?;
        self.types.mark_mutated(object);
        if self.types.element(object).is_never() { Err(PathEnd::Unreachable) } else { Ok(()) }
    }

    pub(super) fn item(&mut self, object: Type, index: Type) -> StepResult<Type> {
        if object.kinds == Kinds::RECORD {
            return self.dict_item(object, index);
        }
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

/// Returns the name of the special method of a binary operator, and whether it is one of the left operand; `None` if neither operand is an
/// instance of a class that defines one.
pub(crate) fn special_operator(
    inference: &Inference<'_>,
    operator: BinaryOperator,
    (left, right): (Type, Type),
    in_place: bool,
) -> StepResult<Option<(String, bool)>> {
    let name = match operator {
        BinaryOperator::Add => "add",
        BinaryOperator::Sub => "sub",
        BinaryOperator::Mult => "mul",
        BinaryOperator::Div => "truediv",
        BinaryOperator::FloorDiv => "floordiv",
        BinaryOperator::Mod => "mod",
        BinaryOperator::Pow => "pow",
        BinaryOperator::BitAnd => "and",
        BinaryOperator::BitOr => "or",
        BinaryOperator::BitXor => "xor",
        _ => return Ok(None),
    };
    let candidates = [
        in_place.then(|| (format!("__i{name}__"), true)),
        Some((format!("__{name}__"), true)),
        Some((format!("__r{name}__"), false)),
    ];
    for (name, is_left) in candidates.into_iter().flatten() {
        let operand = if is_left { left } else { right };
        if inference.has_other_special_method(operand, &name) {
            return unsupported(format!("the method `{name}`"));
        }
        if inference.special_method(operand, &name).is_some() {
            return Ok(Some((name, is_left)));
        }
    }
    Ok(None)
}

/// Returns the name of the special method of a comparison, and whether it is one of the right operand.
pub(crate) fn special_comparison(operator: ComparisonOperator) -> Option<(&'static str, bool)> {
    Some(match operator {
        ComparisonOperator::Lt => ("__lt__", false),
        ComparisonOperator::LtE => ("__le__", false),
        ComparisonOperator::Gt => ("__gt__", false),
        ComparisonOperator::GtE => ("__ge__", false),
        ComparisonOperator::Eq => ("__eq__", false),
        ComparisonOperator::In => ("__contains__", true),
        _ => return None,
    })
}
