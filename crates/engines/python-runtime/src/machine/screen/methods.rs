//! The methods of screen objects.

use super::super::Machine;
use super::super::exceptions::ExecResult;
use super::super::library_function::ResultType;
use super::super::methods::{FastMethod, MethodEffect, MethodRow as Row};
use super::super::parameters::{NamedParameters, Origin};
use super::super::value::Value;
use super::ClassId;
use crate::operators::ComparisonOperator;
use crate::scene::World;

/// The methods of `GameObject`.
pub(in crate::machine) static SCREEN_METHODS: [Row; 5] = [
    Row::of_screen_object("GameObject._save_prev", method(&[]), |m, object, _| {
        m.save_previous(object).map(|()| Value::None)
    })
    .with_effect(MethodEffect::Changes)
    .with_result(ResultType::None),
    Row::of_screen_object("GameObject.closest_object", method(&["others"]), |m, object, b| {
        m.closest_object(object, b.required(0))
    }),
    Row::of_screen_object("GameObject.iou", method(&["other"]), |m, object, b| m.iou(object, b.required(0)))
        .with_result(DISTANCE)
        .with_fast(FastMethod::Overlap)
        .rejecting_none(),
    Row::of_screen_object("GameObject.is_on_top", method(&["other"]), |m, object, b| {
        m.is_on_top(object, b.required(0))
    })
    .with_result(ResultType::Bool)
    .with_fast(FastMethod::IsOnTop)
    .rejecting_none(),
    Row::of_screen_object("GameObject.manathan_distance", method(&["other"]), |m, object, b| {
        m.manathan_distance(object, b.required(0))
    })
    .with_result(DISTANCE)
    .with_fast(FastMethod::Distance)
    .rejecting_none(),
];

const DISTANCE: ResultType = ResultType::Float { min: 0.0, max: f64::INFINITY };

const fn method(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, names).with_receiver()
}

impl Machine {
    /// Executes `_save_prev()`, which has no effect on a `NoObject`.
    fn save_previous(&mut self, object: Value) -> ExecResult<()> {
        let Some(at) = self.backing_screen_object(Some(self.base_value(object))) else {
            let (now, symbol) = (self.attribute_named(object, "_xy")?, self.intern("_prev_xy"));
            return self.set_attribute(object, symbol, now);
        };
        if self.screen_class_is(self.screen(at).class, ClassId(World::NO_OBJECT)) {
            return Ok(());
        }
        let object = self.screen_mut(at);
        object.previous = Some(object.position);
        object.unset.remove("_prev_xy");
        if object.value.is_some() {
            object.previous_value = object.value;
            object.unset.remove("_prev_value");
        }
        Ok(())
    }

    /// Whether the upper left corner of an object lies in the other's bounding box.
    fn is_on_top(&mut self, object: Value, other: Value) -> ExecResult {
        use crate::operators::BinaryOperator;
        let mut within = Value::Bool(true);
        for (start, size) in [("x", "w"), ("y", "h")] {
            let own = self.attribute_named(object, start)?;
            let low = self.attribute_named(other, start)?;
            within = self.compare(ComparisonOperator::LtE, low, own)?;
            if self.truth(within)? {
                let length = self.attribute_named(other, size)?;
                let high = self.binary(BinaryOperator::Add, low, length)?;
                within = self.compare(ComparisonOperator::LtE, own, high)?;
            }
            if !self.truth(within)? {
                break;
            }
        }
        Ok(within)
    }

    /// Returns the Manhattan distance between the centers.
    fn manathan_distance(&mut self, object: Value, other: Value) -> ExecResult {
        use crate::operators::BinaryOperator::{Add, Sub};
        let one = self.attribute_named(object, "center")?;
        let two = self.attribute_named(other, "center")?;
        let (one, two) = (self.pair(one)?, self.pair(two)?);
        let across = self.binary(Sub, one[0], two[0])?;
        let across = self.absolute(across)?;
        let down = self.binary(Sub, one[1], two[1])?;
        let down = self.absolute(down)?;
        self.binary(Add, across, down)
    }

    fn closest_object(&mut self, object: Value, others: Value) -> ExecResult {
        let others = self.collect_values(others)?;
        let mut best: Option<(usize, Value, Value)> = None;
        for (place, &other) in others.iter().enumerate() {
            let distance = self.manathan_distance(object, other)?;
            let closer = match best {
                None => true,
                Some((_, _, least)) => {
                    let less = self.compare(ComparisonOperator::Lt, distance, least)?;
                    self.truth(less)?
                }
            };
            if closer {
                best = Some((place, other, distance));
            }
        }
        Ok(match best {
            None => Value::None,
            Some((place, other, _)) => self.heap.tuple([Value::Int(place as i64), other]),
        })
    }

    /// Returns the intersection over union of the bounding boxes: 1 if both are `NoObject`, 0 if the union is empty.
    fn iou(&mut self, object: Value, other: Value) -> ExecResult {
        use crate::operators::BinaryOperator::{Add, Div, Mult, Sub};
        // Pays for the lookup of four attributes of each object by name.
        self.charge(8)?;
        if self.has_category(object, "NoObject")? && self.has_category(other, "NoObject")? {
            return Ok(Value::Int(1));
        }
        let mut overlap = Value::Int(1);
        for (start, size) in [("x", "w"), ("y", "h")] {
            let (one, two) = (self.attribute_named(object, start)?, self.attribute_named(other, start)?);
            let first = self.select_by_order(ComparisonOperator::Gt, one, two)?;
            let (wide, other_wide) = (self.attribute_named(object, size)?, self.attribute_named(other, size)?);
            let (end, other_end) = (self.binary(Add, one, wide)?, self.binary(Add, two, other_wide)?);
            let last = self.select_by_order(ComparisonOperator::Lt, end, other_end)?;
            let length = self.binary(Sub, last, first)?;
            let length = self.select_by_order(ComparisonOperator::Gt, Value::Int(0), length)?;
            overlap = self.binary(Mult, overlap, length)?;
        }
        let mut either = Value::Int(0);
        for object in [object, other] {
            let (w, h) = (self.attribute_named(object, "w")?, self.attribute_named(object, "h")?);
            let area = self.binary(Mult, w, h)?;
            either = self.binary(Add, either, area)?;
        }
        let either = self.binary(Sub, either, overlap)?;
        if self.equal(either, Value::Int(0))? {
            return Ok(Value::Int(0));
        }
        self.binary(Div, overlap, either)
    }

    fn has_category(&mut self, object: Value, name: &str) -> ExecResult<bool> {
        let category = self.attribute_named(object, "category")?;
        Ok(self.as_text(category).is_some_and(|text| *text == *name))
    }

    /// Returns `second` if `second <order> first` holds and `first` otherwise, as Python's `max` and `min` compare.
    fn select_by_order(&mut self, order: ComparisonOperator, first: Value, second: Value) -> ExecResult {
        let is_second = self.compare(order, second, first)?;
        Ok(if self.truth(is_second)? { second } else { first })
    }
}
