//! Functions of `math`, `bisect`, `heapq` and `statistics`.

use super::calls::Arguments;
use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Op};
use crate::fast::op::{ElementOrder, HeapFunction, NumberFunction, OrderPart, Statistic};
use crate::inference::types::{Kinds, Type, TypeDetail};
use crate::library::{FastForm, LibraryFunction};
use crate::machine::MATH_FUNCTIONS;

impl Emitter<'_> {
    /// Translates a call of a function of `bisect`.
    fn bisect(&mut self, function: &'static LibraryFunction, arguments: &[Value]) -> EmitResult<Value> {
        let [list, value] = arguments else { return Err(format!("`{}`", function.name)) };
        let element = self.inference.types.element(list.ty);
        let shape = self.element_layout(list.ty)?;
        let l = self.register(list)?;
        let floats = element.kinds == Kinds::FLOAT;
        let a = if floats { self.float(value)? } else { self.register(value)? };
        let d = self.allocate(1)?;
        let is_right = !function.name.ends_with("_left");
        self.push_op(Op::Bisect { d, l, a, is_right, floats });
        if !function.name.contains("insort") {
            return Ok(Value::in_register(Type::INT, d));
        }
        self.materialize_list_tests()?;
        self.code.mutates_state = true;
        self.insert(l, d, &shape, value)?;
        Ok(Value::constant(Type::NONE))
    }

    /// Translates a call of a function of `heapq`.
    fn heap_function(&mut self, function: &'static LibraryFunction, arguments: &[Value]) -> EmitResult<Value> {
        let [list, rest @ ..] = arguments else { return Err(format!("`{}`", function.name)) };
        self.materialize_list_tests()?;
        let shape = self.element_layout(list.ty)?;
        let l = self.register(list)?;
        let k = self.element_order(&shape)?;
        self.code.mutates_state = true;
        match (function.name, rest) {
            ("heapq.heappush", [value]) => {
                self.append(l, &shape, value)?;
                self.push_op(Op::Heap { function: HeapFunction::Push, l, k });
            }
            ("heapq.heappop", []) => {
                self.push_op(Op::Heap { function: HeapFunction::Pop, l, k });
                let at_end = Value::constant(self.inference.types.detailed(TypeDetail::Int(-1)));
                return self.pop_element(list, l, &shape, &at_end);
            }
            ("heapq.heapify", []) => self.push_op(Op::Heap { function: HeapFunction::Heapify, l, k }),
            _ => return Err(format!("`{}`", function.name)),
        }
        Ok(Value::constant(Type::NONE))
    }

    /// Returns the index of the order of elements of a layout.
    fn element_order(&mut self, shape: &Layout) -> EmitResult<u8> {
        let mut order = ElementOrder { parts: Vec::new(), stride: shape.width().into() };
        order_parts(shape, &mut order.parts);
        let known = self.code.orders.iter().position(|known| *known == order);
        let place = known.unwrap_or_else(|| {
            self.code.orders.push(order);
            self.code.orders.len() - 1
        });
        u8::try_from(place).map_err(|_| "heaps of too many types".to_owned())
    }

    /// Translates a call of `math.dist` with two pairs of numbers.
    fn distance(&mut self, one: &Value, other: &Value) -> EmitResult<Value> {
        let mut differences = Vec::new();
        for place in 0..2 {
            let mut sides = [0; 2];
            for (side, point) in sides.iter_mut().zip([one, other]) {
                let point =
                    if point.location == Location::Constant { self.constant_value(point.ty)? } else { point.clone() };
                let Location::Tuple(parts) = &point.location else { return Err("`math.dist`".to_owned()) };
                *side = self.float(&parts[place])?;
            }
            let d = self.allocate(1)?;
            let [a, b] = sides;
            self.push_op(Op::SubF { d, a, b });
            differences.push(d);
        }
        let (d, a, b) = (self.allocate(1)?, differences[0], differences[1]);
        self.push_op(Op::Hypot { d, a, b });
        Ok(Value::in_register(Type::FLOAT, d))
    }

    pub(super) fn call_library_function(
        &mut self,
        function: &'static LibraryFunction,
        arguments: &Arguments,
    ) -> EmitResult<Value> {
        if let (Some(statistic), [list]) = (Statistic::named(function.name), arguments.positional.as_slice()) {
            let floats = self.inference.types.element(list.ty).kinds == Kinds::FLOAT;
            let (ty, l, d) = (self.result_type(), self.register(list)?, self.allocate(2)?);
            self.push_op(Op::Statistic { function: statistic, d, l, floats });
            let is_single = ty.kinds.is_single();
            return Ok(Value { ty, location: if is_single { Location::Register(d) } else { Location::Pair(d) } });
        }
        if function.module() == Some("heapq") {
            return self.heap_function(function, &arguments.positional);
        }
        if function.module() == Some("bisect") {
            return self.bisect(function, &arguments.positional);
        }
        if let ("math.dist", [one, other]) = (function.name, arguments.positional.as_slice()) {
            return self.distance(one, other);
        }
        let mut registers = Vec::new();
        if let ("math.floor" | "math.ceil" | "math.trunc", [number]) = (function.name, arguments.positional.as_slice())
            && number.kinds().is_subset(Kinds::INT.union(Kinds::BOOL))
        {
            return Ok(Value::in_register(Type::INT, self.register(number)?));
        }
        for value in &arguments.positional {
            let number = self.require_number(value.clone())?;
            registers.push(self.float(&number)?);
        }
        let number_function = match function.name {
            "math.floor" => Some(NumberFunction::Floor),
            "math.ceil" => Some(NumberFunction::Ceil),
            "math.isinf" => Some(NumberFunction::IsInfinite),
            "math.isnan" => Some(NumberFunction::IsNan),
            "math.isfinite" => Some(NumberFunction::IsFinite),
            "math.atan2" => Some(NumberFunction::Atan2),
            "math.fmod" => Some(NumberFunction::Fmod),
            "math.copysign" => Some(NumberFunction::CopySign),
            "math.pow" => Some(NumberFunction::Pow),
            "math.log" => Some(NumberFunction::Log),
            _ => None,
        };
        let ty = self.result_type();
        match (number_function, function.name, registers.as_slice()) {
            (Some(function), _, &[a]) => return self.number_function(function, (a, a), ty),
            (Some(function), _, &[a, b]) => return self.number_function(function, (a, b), ty),
            (None, "math.trunc", &[a]) => {
                let d = self.allocate(1)?;
                self.push_op(Op::ToInt { d, a });
                return Ok(Value::in_register(ty, d));
            }
            _ => {}
        }
        let d = self.allocate(1)?;
        let unsupported = || format!("`{}`", function.name);
        let op = match (function.fast, registers.as_slice()) {
            (Some(FastForm::Hypot), &[a, b]) => Op::Hypot { d, a, b },
            (Some(form), &[a]) if !matches!(form, FastForm::Hypot) => {
                let index = MATH_FUNCTIONS.iter().position(|other| other == function);
                let index = index.and_then(|index| u8::try_from(index).ok());
                Op::Math { d, a, function: index.ok_or_else(unsupported)? }
            }
            _ => return Err(unsupported()),
        };
        self.push_op(op);
        Ok(Value::in_register(Type::FLOAT, d))
    }
}

/// Appends the parts of elements of a layout that decide their order.
fn order_parts(layout: &Layout, parts: &mut Vec<OrderPart>) {
    match layout {
        // Equal constants do not decide.
        Layout::Constant(_) => {}
        Layout::Tuple(elements) => elements.iter().for_each(|element| order_parts(element, parts)),
        Layout::Scalar(kinds) if kinds.is_subset(Kinds::INT) || kinds.is_subset(Kinds::BOOL) => {
            parts.push(OrderPart::Int);
        }
        Layout::Scalar(Kinds::FLOAT) => parts.push(OrderPart::Float),
        Layout::Scalar(kinds) if kinds.is_subset(Kinds::NUMBER) => parts.push(OrderPart::Number),
        other => parts.push(OrderPart::Unordered(other.width().into())),
    }
}
