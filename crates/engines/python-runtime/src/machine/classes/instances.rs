//! Creation of instances of user-defined classes.

use super::super::Machine;
use super::super::call::KeywordArguments;
use super::super::exceptions::{ExecError, ExecResult};
use super::super::frame::ReturnTarget;
use super::super::value::{ClassKind, HeapObject, HeapRef, Type, Value};
use super::has_no_instance_value;

impl Machine {
    /// Creates an instance of a user-defined class.
    pub(in crate::machine) fn construct_instance(
        &mut self,
        class: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if self.enum_members(class).is_some() {
            if arguments.is_empty() && named.is_empty() {
                let message = "EnumType.__call__() missing 1 required positional argument: 'value'";
                return Err(self.type_error(message));
            }
            let [value] = self.bind_library_arguments("EnumType.__call__", ["value"], 1, arguments, named)?;
            return self.member_by_value(class, value.unwrap_or(Value::None));
        }
        match self.class_cell(class).kind {
            ClassKind::TypedDict => return self.construct(Type::Dict, arguments, named),
            ClassKind::Protocol { .. } => return Err(self.type_error("Protocols cannot be instantiated")),
            _ => {}
        }
        let symbol = self.intern("__new__");
        if let Some(new) = self.class_field(class, symbol) {
            return self.construct_with_new(class, new, arguments, named);
        }
        self.check_not_abstract(class)?;
        if let Some(of) = self.named_tuple_base(class) {
            return self.new_named_tuple(class, of, arguments, named);
        }
        let object = self.allocate_instance(class, arguments, named, true)?;
        let is_plain = self.built_in_base(class).is_none();
        match self.special_method(object, "__init__") {
            Some(init) => {
                let value = self.call_value(init, arguments, named)?;
                self.check_init_result(value)?;
            }
            None if is_plain && (!arguments.is_empty() || !named.is_empty()) => {
                let message = format!("{}() takes no arguments", self.class_cell(class).name);
                return Err(self.type_error(&message));
            }
            None => {}
        }
        Ok(object)
    }

    /// Returns the built-in base class that gives the instances of a class their value.
    pub(in crate::machine) fn built_in_base(&self, class: HeapRef) -> Option<Type> {
        self.class_cell(class).mro.iter().find_map(|&base| match base {
            Value::Type(kind) if !has_no_instance_value(kind) => Some(kind),
            _ => None,
        })
    }

    /// Creates an instance without calling its `__init__`. With `fills`, a mutable value of the built-in base is filled from the arguments,
    /// unless the class defines an `__init__`; otherwise it is empty.
    pub(in crate::machine) fn allocate_instance(
        &mut self,
        class: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
        fill_base: bool,
    ) -> ExecResult {
        let kind = self.built_in_base(class);
        let symbol = self.intern("__init__");
        let has_init = self.class_field(class, symbol).is_some();
        let object = match kind {
            Some(Type::Exception(kind)) => {
                let ExecError::Raised(at) = self.raise_with(kind, arguments.to_vec()) else {
                    unreachable!("it was raised")
                };
                if let HeapObject::Exception(exception) = self.heap.get_mut(at) {
                    exception.class = Some(class);
                }
                at
            }
            Some(kind) => {
                // A mutable value is created empty, and filled by `__init__`.
                let changes = !matches!(kind, Type::Int | Type::Float | Type::Str | Type::Bytes | Type::Tuple);
                let base = if changes && (has_init || !fill_base) {
                    self.construct(kind, &[], &[])?
                } else {
                    self.construct(kind, arguments, named)?
                };
                if has_init {
                    self.unset_screen_object(base);
                }
                self.heap.add(HeapObject::Instance { class, attributes: Box::default(), base_value: Some(base) })
            }
            None => self.heap.add(HeapObject::Instance { class, attributes: Box::default(), base_value: None }),
        };
        Ok(Value::Ref(object))
    }

    /// Rejects a result of `__init__` other than `None`.
    pub(in crate::machine) fn check_init_result(&mut self, value: Value) -> ExecResult<()> {
        if matches!(value, Value::None) {
            return Ok(());
        }
        let name = self.class_name(value);
        Err(self.type_error(&format!("__init__() should return None, not '{name}'")))
    }

    /// Starts the creation of an instance if its class needs nothing but a call of its `__init__`; returns whether it does. Cells may be
    /// freed during this call, as no library function waits for it.
    pub(in crate::machine) fn begin_instance(
        &mut self,
        class: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<bool> {
        let Some(init) = self.plain_init(class) else { return Ok(false) };
        let object = self.heap.add(HeapObject::Instance { class, attributes: Box::default(), base_value: None });
        let arguments = [&[Value::Ref(object)], arguments].concat();
        let frame = self.bound_frame(init, &arguments, named, ReturnTarget::Init(object))?;
        self.push_frame(frame).map(|()| true)
    }

    /// Returns the `__init__` of a class, if creating an instance needs nothing but its call, and it is a function.
    pub(in crate::machine) fn plain_init(&mut self, class: HeapRef) -> Option<HeapRef> {
        let version = self.heap.class_version();
        let place = class.0 as usize % self.plain_inits.len();
        let (known, known_version, init) = self.plain_inits[place];
        if (known, known_version) == (class, version) {
            return init;
        }
        let init = self.find_plain_init(class);
        self.plain_inits[place] = (class, version, init);
        init
    }

    fn find_plain_init(&mut self, class: HeapRef) -> Option<HeapRef> {
        let (symbol, new) = (self.intern("__init__"), self.intern("__new__"));
        let cell = self.class_cell(class);
        let is_plain = cell.mro.iter().all(|&base| match base {
            Value::Ref(at) => {
                let base = self.class_cell(at);
                let makes = matches!(base.kind, ClassKind::NamedTuple(_) | ClassKind::TypedDict | ClassKind::Enum(_))
                    || (at == class && matches!(base.kind, ClassKind::Protocol { .. }));
                !makes && !base.attributes.contains_key(&new)
            }
            Value::Type(kind) => has_no_instance_value(kind),
            _ => false,
        });
        match self.class_field(class, symbol) {
            Some(Value::Ref(at)) if is_plain && cell.abstract_methods.is_empty() => match self.heap.get(at) {
                HeapObject::Function(function) if !self.program.code(function.code).kind.is_generator() => Some(at),
                _ => None,
            },
            _ => None,
        }
    }

    pub(in crate::machine) fn check_not_abstract(&mut self, class: HeapRef) -> ExecResult<()> {
        let count = self.class_cell(class).abstract_methods.len() as u64;
        if count == 0 {
            return Ok(());
        }
        self.charge(count)?;
        let cell = self.class_cell(class);
        let names: Vec<_> = cell.abstract_methods.iter().map(|&symbol| self.name(symbol)).collect();
        let plural = if names.len() == 1 { "" } else { "s" };
        let message =
            format!("Can't instantiate abstract class {} with abstract method{plural} {}", cell.name, names.join(", "));
        Err(self.type_error(&message))
    }
}
