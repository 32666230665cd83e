//! Functions and classes of `operator`.

use std::sync::Arc;

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::Implementation::Values;
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::value::{HeapObject, Value};
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

use super::LibraryObject;

/// Returns the function of a binary operator.
macro_rules! binary {
    ($name:literal, $operator:ident) => {
        Function::new($name, 2, 2, Values(|m, a, _| m.binary(BinaryOperator::$operator, a[0], a[1])))
    };
}

/// Returns the function of an augmented assignment.
macro_rules! in_place {
    ($name:literal, $operator:ident) => {
        Function::new($name, 2, 2, Values(|m, a, _| m.operator_in_place(BinaryOperator::$operator, a[0], a[1])))
    };
}

/// Returns the function of a comparison.
macro_rules! comparison {
    ($name:literal, $operator:ident) => {
        Function::new($name, 2, 2, Values(|m, a, _| m.compare(ComparisonOperator::$operator, a[0], a[1])))
    };
}

/// Returns the function of a unary operator.
macro_rules! unary {
    ($name:literal, $operator:ident) => {
        Function::unary($name, |m, a, _| m.unary(UnaryOperator::$operator, a[0]))
    };
}

/// The functions of `operator`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 51] = [
    Function::unary("operator.abs", |m, a, _| m.absolute(a[0])),
    binary!("operator.add", Add),
    binary!("operator.and_", BitAnd),
    Function::custom("operator.call", |m, a, named| match a {
        [called, rest @ ..] => m.call_value(*called, rest, named),
        [] => Err(m.type_error("call expected at least 1 argument, got 0")),
    }),
    Function::new("operator.concat", 2, 2, Values(|m, a, _| m.concat_sequences(a[0], a[1]))),
    Function::new("operator.contains", 2, 2, Values(|m, a, _| m.contains(a[0], a[1]).map(Value::Bool))),
    Function::new("operator.countOf", 2, 2, Values(|m, a, _| m.count_or_find(a[0], a[1], true))),
    Function::new("operator.delitem", 2, 2, Values(|m, a, _| m.delete_item(a[0], a[1]).map(|()| Value::None))),
    comparison!("operator.eq", Eq),
    binary!("operator.floordiv", FloorDiv),
    comparison!("operator.ge", GtE),
    Function::new("operator.getitem", 2, 2, Values(|m, a, _| m.get_item(a[0], a[1]))),
    comparison!("operator.gt", Gt),
    in_place!("operator.iadd", Add),
    in_place!("operator.iand", BitAnd),
    in_place!("operator.ifloordiv", FloorDiv),
    in_place!("operator.ilshift", LShift),
    in_place!("operator.imatmul", MatMult),
    in_place!("operator.imod", Mod),
    in_place!("operator.imul", Mult),
    Function::unary("operator.index", |m, a, _| m.index_of(a[0])),
    Function::new("operator.indexOf", 2, 2, Values(|m, a, _| m.count_or_find(a[0], a[1], false))),
    unary!("operator.inv", Invert),
    unary!("operator.invert", Invert),
    in_place!("operator.ior", BitOr),
    in_place!("operator.ipow", Pow),
    in_place!("operator.irshift", RShift),
    comparison!("operator.is_", Is),
    comparison!("operator.is_not", IsNot),
    in_place!("operator.isub", Sub),
    in_place!("operator.itruediv", Div),
    in_place!("operator.ixor", BitXor),
    comparison!("operator.le", LtE),
    Function::new("operator.length_hint", 1, 2, Values(|m, a, _| m.length_hint(a))),
    binary!("operator.lshift", LShift),
    comparison!("operator.lt", Lt),
    binary!("operator.matmul", MatMult),
    binary!("operator.mod", Mod),
    binary!("operator.mul", Mult),
    comparison!("operator.ne", NotEq),
    unary!("operator.neg", USub),
    unary!("operator.not_", Not),
    binary!("operator.or_", BitOr),
    unary!("operator.pos", UAdd),
    binary!("operator.pow", Pow),
    binary!("operator.rshift", RShift),
    Function::new("operator.setitem", 3, 3, Values(|m, a, _| m.set_item(a[0], a[1], a[2]).map(|()| Value::None))),
    binary!("operator.sub", Sub),
    binary!("operator.truediv", Div),
    Function::unary("operator.truth", |m, a, _| m.truth(a[0]).map(Value::Bool)),
    binary!("operator.xor", BitXor),
];

/// An object that reads items or attributes of its argument, or calls a method of it.
#[derive(Debug, Clone)]
pub(crate) enum Getter {
    /// `operator.itemgetter`
    Items(Box<[Value]>),
    /// `operator.attrgetter`, with the parts of each dotted name.
    Attributes(Box<[Box<[Symbol]>]>),
    /// `operator.methodcaller`
    Method { name: Symbol, arguments: Box<[Value]>, named: Box<[(Symbol, Value)]> },
}

impl Getter {
    /// Passes every value that it refers to to `visit`.
    pub(super) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        match self {
            Self::Items(items) => items.iter().copied().for_each(visit),
            Self::Attributes(_) => {}
            Self::Method { arguments, named, .. } => {
                arguments.iter().copied().chain(named.iter().map(|&(_, value)| value)).for_each(visit);
            }
        }
    }
}

impl Machine {
    fn concat_sequences(&mut self, left: Value, right: Value) -> ExecResult {
        let is_sequence = match self.base_value(left) {
            Value::Ref(at) => matches!(
                self.heap.get(at),
                HeapObject::List(_)
                    | HeapObject::Tuple(_)
                    | HeapObject::Text(_)
                    | HeapObject::Bytes(_)
                    | HeapObject::Deque(_)
            ),
            _ => false,
        };
        if is_sequence || self.special_method(left, "__getitem__").is_some() {
            return self.binary(BinaryOperator::Add, left, right);
        }
        let message = format!("'{}' object can't be concatenated", self.class_name(left));
        Err(self.type_error(&message))
    }

    /// Returns the number of items that equal a value, or the index of the first one.
    fn count_or_find(&mut self, values: Value, value: Value, is_count: bool) -> ExecResult {
        let iterator = self.iterator(values)?;
        let (mut count, mut place) = (0, 0);
        while let Some(item) = self.advance(iterator)? {
            if self.equal_or_same(item, value)? {
                if !is_count {
                    return Ok(Value::Int(place));
                }
                count += 1;
            }
            place += 1;
        }
        if is_count {
            return Ok(Value::Int(count));
        }
        Err(self.raise(ExceptionKind::ValueError, "sequence.index(x): x not in sequence"))
    }

    fn index_of(&mut self, value: Value) -> ExecResult {
        if self.as_integer(value)?.is_some() {
            return self.as_int(value);
        }
        let message = format!("'{}' object cannot be interpreted as an integer", self.class_name(value));
        Err(self.type_error(&message))
    }

    fn length_hint(&mut self, arguments: &[Value]) -> ExecResult {
        let default = arguments.get(1).map_or(Ok(0), |&default| self.as_index(default))?;
        match self.length(arguments[0]) {
            Ok(length) => Ok(Value::Int(length as i64)),
            Err(fault @ crate::machine::exceptions::ExecError::Exhausted(_)) => Err(fault),
            Err(_) => Ok(Value::Int(default)),
        }
    }

    /// Implements `operator.itemgetter(..)`.
    pub(in crate::machine) fn new_item_getter(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.reject_keywords("itemgetter", named)?;
        if arguments.is_empty() {
            return Err(self.type_error("itemgetter expected 1 argument, got 0"));
        }
        Ok(self.new_library_object(LibraryObject::Getter(Getter::Items(arguments.into()))))
    }

    /// Implements `operator.attrgetter(..)`.
    pub(in crate::machine) fn new_attribute_getter(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.reject_keywords("attrgetter", named)?;
        if arguments.is_empty() {
            return Err(self.type_error("attrgetter expected 1 argument, got 0"));
        }
        let mut paths = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let Some(name) = self.as_text(argument) else {
                return Err(self.type_error("attribute name must be a string"));
            };
            paths.push(name.split('.').map(|part| self.intern(part)).collect());
        }
        Ok(self.new_library_object(LibraryObject::Getter(Getter::Attributes(paths.into()))))
    }

    /// Implements `operator.methodcaller(..)`.
    pub(in crate::machine) fn new_method_caller(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let [name, rest @ ..] = arguments else {
            return Err(self.type_error("methodcaller needs at least one argument, the method name"));
        };
        let Some(name) = self.as_text(*name) else { return Err(self.type_error("method name must be a string")) };
        let getter = Getter::Method { name: self.intern(&name), arguments: rest.into(), named: named.into() };
        Ok(self.new_library_object(LibraryObject::Getter(getter)))
    }

    /// Calls an `itemgetter`, `attrgetter` or `methodcaller`.
    pub(super) fn call_getter(
        &mut self,
        getter: &Getter,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let name = match getter {
            Getter::Items(_) => "itemgetter",
            Getter::Attributes(_) => "attrgetter",
            Getter::Method { .. } => "methodcaller",
        };
        self.reject_keywords(name, named)?;
        let &[object] = arguments else {
            let message = format!("{name} expected 1 argument, got {}", arguments.len());
            return Err(self.type_error(&message));
        };
        match getter {
            Getter::Items(items) => {
                if let [item] = **items {
                    return self.get_item(object, item);
                }
                let values: ExecResult<Vec<Value>> = items.iter().map(|&item| self.get_item(object, item)).collect();
                Ok(self.heap.tuple(values?))
            }
            Getter::Attributes(paths) => {
                if let [path] = &**paths {
                    return self.attribute_path(object, path);
                }
                let values: ExecResult<Vec<Value>> =
                    paths.iter().map(|path| self.attribute_path(object, path)).collect();
                Ok(self.heap.tuple(values?))
            }
            Getter::Method { name, arguments, named } => {
                let method = self.attribute(object, *name)?;
                self.call_value(method, arguments, named)
            }
        }
    }

    fn attribute_path(&mut self, object: Value, path: &[Symbol]) -> ExecResult {
        path.iter().try_fold(object, |object, &symbol| self.attribute(object, symbol))
    }

    /// Returns the representation of an `itemgetter`, `attrgetter` or `methodcaller`.
    pub(super) fn getter_repr(&mut self, getter: &Getter) -> ExecResult<String> {
        let mut parts = Vec::new();
        let name = match getter {
            Getter::Items(items) => {
                for &item in items {
                    parts.push(self.repr(item)?);
                }
                "itemgetter"
            }
            Getter::Attributes(names) => {
                for path in names {
                    let path: Vec<Arc<str>> = path.iter().map(|&symbol| self.name(symbol)).collect();
                    parts.push(format!("'{}'", path.join(".")));
                }
                "attrgetter"
            }
            Getter::Method { name, arguments, named } => {
                parts.push(format!("'{}'", self.name(*name)));
                for &argument in arguments {
                    parts.push(self.repr(argument)?);
                }
                for &(symbol, value) in named {
                    parts.push(format!("{}={}", self.name(symbol), self.repr(value)?));
                }
                "methodcaller"
            }
        };
        Ok(format!("operator.{name}({})", parts.join(", ")))
    }
}
