//! Calls of built-in classes.

use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecResult};
use super::value::{HeapObject, HeapRef, Type, Value};
use super::{Machine, cost};

impl Machine {
    pub(super) fn construct(&mut self, kind: Type, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.charge(cost::BUILTIN)?;
        if let Type::Dict = kind {
            return self.construct_dict(arguments, named);
        }
        if let Type::Library(class) = kind {
            return (class.construct)(self, arguments, named);
        }
        if let Type::Typing(form) = kind {
            return self.construct_typing_form(form, arguments, named);
        }
        if kind == Type::Property {
            let parameters = ["fget", "fset", "fdel", "doc"];
            let [get, set, delete, _] = self.bind_library_arguments("property", parameters, 0, arguments, named)?;
            let [set, delete] = [set, delete].map(|function| function.filter(|one| !matches!(one, Value::None)));
            let property = HeapObject::Property { get: get.unwrap_or(Value::None), set, delete };
            return Ok(Value::Ref(self.heap.add(property)));
        }
        if kind == Type::Bytes {
            return self.construct_bytes(arguments, named);
        }
        if kind == Type::Str && (arguments.len() > 1 || !named.is_empty()) {
            return self.construct_text_of_bytes(arguments, named);
        }
        if kind == Type::Int && !named.is_empty() {
            return self.construct_int_of_base(arguments, named);
        }
        if let Type::Screen(class) = kind {
            return self.construct_screen(class, arguments, named);
        }
        if let ([argument], []) = (arguments, named)
            && let Some(value) = convert_number(kind, *argument)
        {
            return Ok(value);
        }
        let is_nameless = matches!(
            kind,
            Type::Bool | Type::Int | Type::Float | Type::Str | Type::Set | Type::List | Type::Tuple | Type::Type
        );
        if is_nameless && named.is_empty() && arguments.len() == 1 {
            return self.construct_positional(kind, "", arguments);
        }
        let name = self.type_name(kind);
        self.reject_keywords(&name, named)?;
        self.construct_positional(kind, &name, arguments)
    }

    /// Constructs an instance of a class that takes no keyword arguments. Errors in the number of arguments give the name of the class.
    fn construct_positional(&mut self, kind: Type, name: &str, arguments: &[Value]) -> ExecResult {
        match kind {
            Type::Bool => {
                self.check_max_arguments(name, arguments, 1)?;
                let truth = arguments.first().map_or(Ok(false), |&value| self.truth(value))?;
                Ok(Value::Bool(truth))
            }
            Type::Int => self.construct_int(arguments),
            Type::Float => {
                self.check_max_arguments(name, arguments, 1)?;
                let number = arguments.first().map_or(Ok(0.0), |&value| self.as_float(value))?;
                Ok(Value::Float(number))
            }
            Type::Str => {
                self.check_max_arguments(name, arguments, 1)?;
                let text = arguments.first().map_or(Ok(String::new()), |&value| self.str(value))?;
                Ok(self.heap.text(&text))
            }
            Type::Set => {
                self.check_max_arguments(name, arguments, 1)?;
                self.set_of(arguments.first().copied(), false)
            }
            Type::List | Type::Tuple => {
                self.check_max_arguments(name, arguments, 1)?;
                let values = arguments.first().map_or(Ok(Vec::new()), |&value| self.collect_values(value))?;
                if kind == Type::List { Ok(self.heap.list(values)) } else { Ok(self.heap.tuple(values)) }
            }
            Type::Range => self.construct_range(arguments),
            Type::Slice => {
                self.check_arity("slice", arguments.len(), 1, 3)?;
                let parts = match *arguments {
                    [stop] => [Value::None, stop, Value::None],
                    [start, stop] => [start, stop, Value::None],
                    _ => [arguments[0], arguments[1], arguments[2]],
                };
                Ok(Value::Ref(self.heap.add(HeapObject::Slice(parts))))
            }
            Type::Type if arguments.len() == 1 => Ok(self.class_of(arguments[0])),
            Type::Object if arguments.is_empty() => {
                // A plain object has only its identity.
                Ok(Value::Ref(self.heap.add(HeapObject::ClosureCell(None))))
            }
            Type::StaticMethod => {
                let function = self.single_argument("staticmethod", arguments, &[])?;
                Ok(Value::Ref(self.heap.add(HeapObject::StaticMethod(function))))
            }
            Type::ClassMethod => {
                let function = self.single_argument("classmethod", arguments, &[])?;
                Ok(Value::Ref(self.heap.add(HeapObject::ClassMethod(function))))
            }
            Type::Exception(kind) => Ok(self.new_exception(kind, arguments)),
            Type::Numpy(kind) => self.construct_numpy_scalar(kind, arguments),
            _ => {
                let message = format!("cannot create '{name}' instances");
                Err(self.type_error(&message))
            }
        }
    }

    fn check_max_arguments(&mut self, name: &str, arguments: &[Value], max_count: usize) -> ExecResult<()> {
        self.check_arity(name, arguments.len(), 0, max_count)
    }

    fn construct_int(&mut self, arguments: &[Value]) -> ExecResult {
        match *arguments {
            [] => Ok(Value::Int(0)),
            [value] => self.as_int(value),
            [value, base] => {
                let Some(text) = self.as_digits(value) else {
                    return Err(self.type_error("int() can't convert non-string with explicit base"));
                };
                let base = self.as_index(base)?;
                match u32::try_from(base) {
                    Ok(base) if base == 0 || (2..=36).contains(&base) => self.int_from_text(value, &text, base),
                    _ => Err(self.raise(ExceptionKind::ValueError, "int() base must be >= 2 and <= 36, or 0")),
                }
            }
            _ => {
                let message = format!("int() takes at most 2 arguments ({} given)", arguments.len());
                Err(self.type_error(&message))
            }
        }
    }

    /// Evaluates `int(text, base=16)`.
    fn construct_int_of_base(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let count = arguments.len() + named.len();
        if count > 2 {
            return Err(self.type_error(&format!("int() takes at most 2 arguments ({count} given)")));
        }
        let [base] = self.bind_keywords("int", named, ["base"])?;
        match (arguments, base) {
            (&[value], Some(base)) => self.construct_int(&[value, base]),
            _ => Err(self.type_error("int() missing string argument")),
        }
    }

    fn construct_range(&mut self, arguments: &[Value]) -> ExecResult {
        self.check_arity("range", arguments.len(), 1, 3)?;
        let mut parts = Vec::with_capacity(3);
        for &argument in arguments {
            parts.push(self.as_index(argument)?);
        }
        let step = parts.get(2).copied().unwrap_or(1);
        let (start, end) = if let [end] = *parts { (0, end) } else { (parts[0], parts[1]) };
        if step == 0 {
            return Err(self.raise(ExceptionKind::ValueError, "range() arg 3 must not be zero"));
        }
        Ok(Value::Ref(self.heap.add(HeapObject::Range { start, stop: end, step })))
    }

    fn construct_dict(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let dict = self.empty_dict();
        self.fill_dict(dict, arguments, named)?;
        Ok(Value::Ref(dict))
    }

    pub(super) fn fill_dict(
        &mut self,
        dict: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<()> {
        self.check_max_arguments("dict", arguments, 1)?;
        if let Some(&other) = arguments.first() {
            self.update_dict(dict, other)?;
        }
        for &(symbol, value) in named {
            let key = self.name_text(symbol);
            self.set_entry(dict, key, value)?;
        }
        Ok(())
    }
}

/// Converts a number to a built-in class of numbers, if it is one already or an integer that becomes a float.
pub(super) fn convert_number(kind: Type, number: Value) -> Option<Value> {
    match (kind, number) {
        (Type::Int, Value::Int(_)) | (Type::Float, Value::Float(_)) | (Type::Bool, Value::Bool(_)) => Some(number),
        (Type::Float, Value::Int(number)) => Some(Value::Float(number as f64)),
        (Type::Int, Value::Bool(truth)) => Some(Value::Int(truth.into())),
        _ => None,
    }
}
