//! Type inference of calls of functions of `math`, `bisect`, `heapq` and `statistics`.

use super::Inference;
use super::calls::Arguments;
use super::interpret::{PathEnd, StepResult, unsupported};
use super::operators::require_kinds;
use super::types::{Kinds, Type};
use crate::fast::Statistic;
use crate::library::{FastForm, LibraryFunction};

impl Inference<'_> {
    /// Returns the type of a call of a function of a library.
    pub(super) fn call_library_function(
        &mut self,
        function: &LibraryFunction,
        arguments: &Arguments,
    ) -> StepResult<Type> {
        match function.module() {
            Some("bisect") => self.bisect(function, arguments),
            Some("statistics") => self.statistic(function, arguments),
            Some("heapq") => self.heap_function(function, arguments),
            _ if function.name == "math.dist" => self.distance(arguments),
            _ => call_math_function(function, arguments),
        }
    }

    /// Returns the type of a call of a function of `bisect`.
    fn bisect(&mut self, function: &LibraryFunction, arguments: &Arguments) -> StepResult<Type> {
        let &[list, value] = arguments.types().as_slice() else { return unsupported(format!("`{}`", function.name)) };
        if !self.types.is_plain_list(list) || !arguments.keywords.is_empty() {
            return unsupported(format!("`{}` with these arguments", function.name));
        }
        let inserts = function.name.contains("insort");
        if inserts {
            self.types.mark_mutated(list);
            self.store_element(list, value)?;
        }
        let whole = Kinds::INT;
        let is_ordered = match self.types.element(list).kinds {
            Kinds::NEVER => value.kinds == whole || value.kinds == Kinds::FLOAT,
            Kinds::INT => value.kinds == whole,
            Kinds::FLOAT => value.kinds == Kinds::FLOAT || value.kinds == whole,
            _ => false,
        };
        match is_ordered {
            true if inserts => Ok(Type::NONE),
            true => Ok(Type::INT),
            false => unsupported(format!("`{}` of numbers of several types", function.name)),
        }
    }

    /// Returns the type of a call of a function of `heapq`.
    fn heap_function(&mut self, function: &LibraryFunction, arguments: &Arguments) -> StepResult<Type> {
        let types = arguments.types();
        let is_list = types.first().is_some_and(|&list| self.types.is_plain_list(list));
        if !is_list || !arguments.keywords.is_empty() {
            return unsupported(format!("`{}` with these arguments", function.name));
        }
        self.types.mark_mutated(types[0]);
        match (function.name, types.as_slice()) {
            ("heapq.heappush", &[list, value]) => {
                self.store_element(list, value)?;
                Ok(Type::NONE)
            }
            ("heapq.heappop", &[list]) => match self.types.element(list) {
                Type::NEVER => Err(PathEnd::Unreachable),
                element => Ok(element),
            },
            ("heapq.heapify", &[_]) => Ok(Type::NONE),
            _ => unsupported(format!("`{}` with these arguments", function.name)),
        }
    }

    /// Returns the type of a call of a function of `statistics`.
    fn statistic(&self, function: &LibraryFunction, arguments: &Arguments) -> StepResult<Type> {
        let (Some(statistic), &[list]) = (Statistic::named(function.name), arguments.types().as_slice()) else {
            return unsupported(format!("`{}` with these arguments", function.name));
        };
        if !self.types.is_sequence(list) || !arguments.keywords.is_empty() {
            return unsupported(format!("`{}` with these arguments", function.name));
        }
        let element = match self.types.element(list).kinds {
            Kinds::INT => Type::INT,
            Kinds::FLOAT => Type::FLOAT,
            _ => return unsupported(format!("`{}` of numbers of several types", function.name)),
        };
        Ok(match statistic {
            Statistic::LowMedian | Statistic::HighMedian => element,
            Statistic::Mean | Statistic::Median | Statistic::PopulationVariance | Statistic::Variance => {
                Type::of(element.kinds.union(Kinds::FLOAT))
            }
            Statistic::FloatMean | Statistic::PopulationDeviation | Statistic::Deviation => Type::FLOAT,
        })
    }

    /// Returns the type of a call of `math.dist`.
    fn distance(&self, arguments: &Arguments) -> StepResult<Type> {
        let points: Option<Vec<_>> = arguments.types().into_iter().map(|point| self.tuple_types(point)).collect();
        match points.as_deref() {
            Some([one, other])
                if one.len() == 2
                    && other.len() == 2
                    && arguments.keywords.is_empty()
                    && one
                        .iter()
                        .chain(other)
                        .all(|part| part.kinds.is_subset(Kinds::NUMBER) && part.kinds.is_single()) =>
            {
                Ok(Type::FLOAT)
            }
            _ => unsupported("`math.dist` of values that are not pairs of numbers"),
        }
    }
}

/// Returns the type of a call of a function of `math`.
fn call_math_function(function: &LibraryFunction, arguments: &Arguments) -> StepResult<Type> {
    let types = arguments.types();
    if !arguments.keywords.is_empty() {
        return unsupported(format!("`{}` with keyword arguments", function.name));
    }
    for &number in &types {
        require_kinds(number, Kinds::NUMBER, &format!("`{}` of values that are not numbers", function.name))?;
    }
    let whole = Kinds::INT.union(Kinds::BOOL);
    match (function.name, types.as_slice()) {
        ("math.floor" | "math.ceil" | "math.trunc", &[number]) if number.kinds.is_single() => Ok(Type::INT),
        ("math.isinf" | "math.isnan" | "math.isfinite", &[number]) if !number.kinds.is_subset(whole) => Ok(Type::BOOL),
        ("math.atan2" | "math.fmod" | "math.copysign" | "math.pow", &[_, _]) | ("math.log", &[_]) => Ok(Type::FLOAT),
        _ => match (function.fast, types.len()) {
            (Some(FastForm::Hypot), 2) => Ok(Type::FLOAT),
            (Some(FastForm::Hypot), _) => unsupported(format!("`{}`", function.name)),
            _ if types.len() == 1 && function.float_function().is_some() => Ok(Type::FLOAT),
            _ => unsupported(format!("`{}`", function.name)),
        },
    }
}
