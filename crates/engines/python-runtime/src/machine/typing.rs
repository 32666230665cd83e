//! Type annotations as values: the names of `typing` and `collections.abc`, their parameterization with `[..]`, and the functions of these
//! modules.
//!
//! Annotations of variables and parameters are not evaluated. The values occur elsewhere: in aliases, in bases of classes, as the second
//! argument of `isinstance`, and in calls of `TypeVar`, `NewType`, `cast` and others.

mod unions;

use super::Machine;
use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecResult};
use super::library_class::{COUNTER, DEFAULT_DICT, DEQUE, FROZEN_SET, NAMED_TUPLE, ORDERED_DICT};
use super::library_function::LibraryFunction as Function;
use super::parameters::{BoundArguments, NamedParameters, Origin};
use super::value::{ClassKind, HeapObject, HeapRef, StaticName, Type, Value};

const UNION: &str = "typing.Union";
const OPTIONAL: &str = "typing.Optional";

/// A type variable or new type, which is an opaque value with a name.
#[derive(Debug, Clone)]
pub(crate) struct TypingMarker {
    pub(crate) kind: TypingMarkerKind,
    pub(crate) name: std::sync::Arc<str>,
}

/// The function of `typing` that made a [`TypingMarker`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypingMarkerKind {
    /// A `TypeVar`, with the sign of its variance.
    TypeVar(char),
    /// A `ParamSpec`.
    ParamSpec,
    /// A `TypeVarTuple`.
    TypeVarTuple,
    /// A `NewType`; calling it returns the argument.
    NewType,
}

impl TypingMarkerKind {
    pub(super) fn class_name(self) -> StaticName {
        match self {
            Self::TypeVar(_) => &"typing.TypeVar",
            Self::ParamSpec => &"typing.ParamSpec",
            Self::TypeVarTuple => &"typing.TypeVarTuple",
            Self::NewType => &"typing.NewType",
        }
    }
}

/// Names that are aliases of built-in classes.
static CLASS_ALIASES: [(&str, &str, Type); 11] = [
    ("List", "typing.List", Type::List),
    ("Dict", "typing.Dict", Type::Dict),
    ("Set", "typing.Set", Type::Set),
    ("FrozenSet", "typing.FrozenSet", Type::Library(&FROZEN_SET)),
    ("Tuple", "typing.Tuple", Type::Tuple),
    ("Type", "typing.Type", Type::Type),
    ("Deque", "typing.Deque", Type::Library(&DEQUE)),
    ("DefaultDict", "typing.DefaultDict", Type::Library(&DEFAULT_DICT)),
    ("OrderedDict", "typing.OrderedDict", Type::Library(&ORDERED_DICT)),
    ("Counter", "typing.Counter", Type::Library(&COUNTER)),
    ("Text", "str", Type::Str),
];

/// The aliases that cannot be called; calls of the others create objects of their classes.
const UNCALLABLE_ALIASES: [&str; 6] = ["List", "Dict", "Set", "FrozenSet", "Tuple", "Type"];

/// Special forms, abstract classes and other names that annotations use.
static FORMS: [(&str, &str); 68] = [
    ("AbstractSet", "typing.AbstractSet"),
    ("Annotated", "typing.Annotated"),
    ("Any", "typing.Any"),
    ("AnyStr", "typing.AnyStr"),
    ("ArrayLike", "typing.ArrayLike"),
    ("AsyncContextManager", "typing.AsyncContextManager"),
    ("AsyncGenerator", "typing.AsyncGenerator"),
    ("AsyncIterable", "typing.AsyncIterable"),
    ("AsyncIterator", "typing.AsyncIterator"),
    ("Awaitable", "typing.Awaitable"),
    ("BinaryIO", "typing.BinaryIO"),
    ("ByteString", "typing.ByteString"),
    ("Callable", "typing.Callable"),
    ("ChainMap", "typing.ChainMap"),
    ("ClassVar", "typing.ClassVar"),
    ("Collection", "typing.Collection"),
    ("Concatenate", "typing.Concatenate"),
    ("Container", "typing.Container"),
    ("ContextManager", "typing.ContextManager"),
    ("Coroutine", "typing.Coroutine"),
    ("DTypeLike", "typing.DTypeLike"),
    ("Final", "typing.Final"),
    ("Generator", "typing.Generator"),
    ("Generic", "typing.Generic"),
    ("Hashable", "typing.Hashable"),
    ("IO", "typing.IO"),
    ("ItemsView", "typing.ItemsView"),
    ("Iterable", "typing.Iterable"),
    ("Iterator", "typing.Iterator"),
    ("KeysView", "typing.KeysView"),
    ("Literal", "typing.Literal"),
    ("LiteralString", "typing.LiteralString"),
    ("Mapping", "typing.Mapping"),
    ("MappingView", "typing.MappingView"),
    ("Match", "typing.Match"),
    ("MutableMapping", "typing.MutableMapping"),
    ("MutableSequence", "typing.MutableSequence"),
    ("MutableSet", "typing.MutableSet"),
    ("NDArray", "typing.NDArray"),
    ("Never", "typing.Never"),
    ("NoReturn", "typing.NoReturn"),
    ("NotRequired", "typing.NotRequired"),
    ("Optional", OPTIONAL),
    ("Pattern", "typing.Pattern"),
    ("Protocol", "typing.Protocol"),
    ("Required", "typing.Required"),
    ("Reversible", "typing.Reversible"),
    ("Self", "typing.Self"),
    ("Sequence", "typing.Sequence"),
    ("Sized", "typing.Sized"),
    ("SupportsAbs", "typing.SupportsAbs"),
    ("SupportsBytes", "typing.SupportsBytes"),
    ("SupportsComplex", "typing.SupportsComplex"),
    ("SupportsFloat", "typing.SupportsFloat"),
    ("SupportsIndex", "typing.SupportsIndex"),
    ("SupportsInt", "typing.SupportsInt"),
    ("SupportsRound", "typing.SupportsRound"),
    ("TextIO", "typing.TextIO"),
    ("TypeAlias", "typing.TypeAlias"),
    ("TypeGuard", "typing.TypeGuard"),
    ("TypedDict", "typing.TypedDict"),
    ("Union", UNION),
    ("Unpack", "typing.Unpack"),
    ("ValuesView", "typing.ValuesView"),
    ("annotations", "__future__.annotations"),
    ("division", "__future__.division"),
    ("generator_stop", "__future__.generator_stop"),
    ("print_function", "__future__.print_function"),
];

/// The functions, and the classes whose calls make markers, in the order of their names.
pub(super) static FUNCTIONS: [Function; 16] =
    [
        Function::custom("typing.NewType", Machine::new_type),
        Function::custom("typing.ParamSpec", |m, a, named| {
            m.new_marker("ParamSpec", TypingMarkerKind::ParamSpec, a, named)
        }),
        Function::custom("typing.TypeVar", Machine::new_type_variable),
        Function::custom("typing.TypeVarTuple", |m, a, named| {
            m.new_marker("TypeVarTuple", TypingMarkerKind::TypeVarTuple, a, named)
        }),
        Function::named("typing.assert_never", parameters(&["arg"]).with_positional_only(1), Machine::assert_never),
        Function::named("typing.assert_type", parameters(&["val", "typ"]).with_positional_only(2), |_, b| {
            Ok(b.required(0))
        }),
        Function::named("typing.cast", parameters(&["typ", "val"]), |_, b| Ok(b.required(1))),
        Function::custom("typing.dataclass_transform", |_, _, _| Ok(Value::Builtin(&DATACLASS_TRANSFORM_DECORATOR))),
        Function::named("typing.final", parameters(&["f"]), |_, b| Ok(b.required(0))),
        Function::named("typing.get_args", parameters(&["tp"]), |m, b| Ok(m.annotation_arguments(b.required(0)))),
        Function::named("typing.get_origin", parameters(&["tp"]), |m, b| Ok(m.annotation_origin(b.required(0)))),
        Function::named("typing.is_typeddict", parameters(&["tp"]), |m, b| {
            Ok(Value::Bool(matches!(b.required(0), Value::Ref(at) if m.is_typed_dict(at))))
        }),
        Function::named("typing.no_type_check", parameters(&["arg"]), |_, b| Ok(b.required(0))),
        Function::named("typing.overload", parameters(&["func"]), |_, _| Ok(Value::Builtin(&OVERLOAD_DUMMY))),
        Function::named("typing.reveal_type", parameters(&["obj"]).with_positional_only(1), |_, b| Ok(b.required(0))),
        Function::named("typing.runtime_checkable", parameters(&["cls"]), Machine::runtime_checkable),
    ];

/// The result of `dataclass_transform(..)`.
static DATACLASS_TRANSFORM_DECORATOR: Function =
    Function::named("typing.decorator", parameters(&["cls_or_fn"]), |_, b| Ok(b.required(0)));

/// The result of `overload(..)`.
static OVERLOAD_DUMMY: Function = Function::custom("typing._overload_dummy", |m, _, _| {
    let message = "You should not call an overloaded function. A series of @overload-decorated functions outside a stub \
        module should always be followed by an implementation that is not @overload-ed.";
    Err(m.raise(ExceptionKind::NotImplementedError, message))
});

/// Returns parameters that are all required.
const fn parameters(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, names)
}

/// The names of `collections.abc`.
pub(crate) const COLLECTIONS_ABC_NAMES: [&str; 25] = [
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterator",
    "Awaitable",
    "ByteString",
    "Callable",
    "Collection",
    "Container",
    "Coroutine",
    "Generator",
    "Hashable",
    "ItemsView",
    "Iterable",
    "Iterator",
    "KeysView",
    "Mapping",
    "MappingView",
    "MutableMapping",
    "MutableSequence",
    "MutableSet",
    "Reversible",
    "Sequence",
    "Set",
    "Sized",
    "ValuesView",
];

/// Returns whether a name of `typing` stands for a class of `collections.abc`.
pub(super) fn is_abstract_class(name: &str) -> bool {
    let short = name.strip_prefix("typing.").unwrap_or(name);
    short == "AbstractSet" || COLLECTIONS_ABC_NAMES.contains(&short)
}

/// Returns all names of the module.
pub(crate) fn names() -> Vec<&'static str> {
    let classes = CLASS_ALIASES.iter().map(|&(name, ..)| name);
    let others = FORMS.iter().map(|&(name, _)| name).chain(FUNCTIONS.iter().map(Function::short_name));
    classes.chain(others).chain(["NamedTuple", "TYPE_CHECKING"]).collect()
}

/// Returns the value of a name.
pub(super) fn value(name: &str) -> Option<Value> {
    match name {
        "TYPE_CHECKING" => return Some(Value::Bool(false)),
        "NamedTuple" => return Some(Value::Type(Type::Library(&NAMED_TUPLE))),
        _ => {}
    }
    if let Some((_, full, kind)) = CLASS_ALIASES.iter().find(|(other, ..)| *other == name) {
        return Some(Value::Type(if *kind == Type::Str { *kind } else { Type::Typing(full) }));
    }
    if let Some(function) = FUNCTIONS.iter().find(|function| function.short_name() == name) {
        return Some(Value::Builtin(function));
    }
    FORMS.iter().find(|(other, _)| *other == name).map(|(_, full)| Value::Type(Type::Typing(full)))
}

/// Returns the built-in class that an alias refers to.
pub(super) fn aliased_class(kind: Type) -> Option<Type> {
    let Type::Typing(name) = kind else { return None };
    CLASS_ALIASES.iter().find(|(_, full, _)| full == name).map(|&(.., kind)| kind)
}

/// Whether subclasses of a built-in class support `[..]`.
pub(super) fn is_generic(kind: Type) -> bool {
    match kind {
        Type::Typing(&"typing.Generic" | &"typing.Protocol") | Type::List | Type::Dict | Type::Set | Type::Tuple => {
            true
        }
        Type::Library(class) => class.is_generic,
        _ => false,
    }
}

/// Whether a built-in class itself supports `[..]`.
fn takes_parameters(kind: Type) -> bool {
    match kind {
        Type::List | Type::Dict | Type::Set | Type::Tuple | Type::Type | Type::Array => true,
        Type::Library(class) => class.is_subscriptable,
        Type::Typing(name) => {
            let plain = ["typing.Any", "typing.Self", "typing.Never", "typing.NoReturn", "typing.LiteralString"];
            name.starts_with("typing.") && !plain.contains(name)
        }
        _ => false,
    }
}

impl Machine {
    pub(super) fn new_alias(&mut self, origin: Value, arguments: Value) -> Value {
        Value::Ref(self.heap.add(HeapObject::GenericAlias { origin, arguments }))
    }

    /// Evaluates `C[..]` for a built-in class or a name of `typing`, such as `list[int]`.
    pub(super) fn parameterized(&mut self, kind: Type, arguments: Value) -> ExecResult {
        if let Some(union) = self.union_from_subscript(kind, arguments)? {
            return Ok(union);
        }
        if takes_parameters(kind) {
            return Ok(self.new_alias(Value::Type(kind), arguments));
        }
        let name = self.type_name(kind);
        let message = if name.starts_with("typing.") {
            format!("{name} is not subscriptable")
        } else {
            format!("type '{name}' is not subscriptable")
        };
        Err(self.type_error(&message))
    }

    /// Returns the class that a base of a class definition refers to, with aliases and parameters resolved.
    pub(super) fn resolved_base(&self, base: Value) -> Value {
        let mut base = base;
        // A loop, because aliases of aliases nest to any depth.
        while let Value::Ref(at) = base
            && let HeapObject::GenericAlias { origin, .. } = self.heap.get(at)
        {
            base = *origin;
        }
        match base {
            Value::Type(kind) => Value::Type(aliased_class(kind).unwrap_or(kind)),
            _ => base,
        }
    }

    /// Returns the parameters of an annotation such as `dict[str, int]`, in a tuple.
    fn annotation_arguments(&mut self, annotation: Value) -> Value {
        let parts = match annotation {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Union(classes) => classes.to_vec(),
                HeapObject::GenericAlias { arguments, .. } => match *arguments {
                    Value::Ref(listed) if let HeapObject::Tuple(parts) = self.heap.get(listed) => parts.to_vec(),
                    single => vec![single],
                },
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        self.heap.tuple(parts)
    }

    /// Returns the class or name of `typing` that an annotation parameterizes; `None` for others.
    fn annotation_origin(&self, annotation: Value) -> Value {
        match annotation {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Union(_) => Value::Type(Type::Typing(&UNION)),
                HeapObject::GenericAlias { origin: Value::Type(kind), .. } => {
                    Value::Type(aliased_class(*kind).unwrap_or(*kind))
                }
                HeapObject::GenericAlias { origin, .. } => *origin,
                _ => Value::None,
            },
            _ => Value::None,
        }
    }

    fn assert_never(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let repr = self.repr(bound.required(0))?;
        let message = format!("Expected code to be unreachable, but got: {repr}");
        Err(self.raise(ExceptionKind::AssertionError, &message))
    }

    fn runtime_checkable(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let class = bound.required(0);
        if let Value::Ref(at) = class
            && let HeapObject::Class(cell) = self.heap.get_mut(at)
            && let ClassKind::Protocol { checkable } = &mut cell.kind
        {
            *checkable = true;
            return Ok(class);
        }
        let repr = self.repr(class)?;
        Err(self.type_error(&format!("@runtime_checkable can be only applied to protocol classes, got {repr}")))
    }

    fn new_type(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let marker = self.new_marker("NewType", TypingMarkerKind::NewType, arguments, named)?;
        if arguments.len() + named.len() != 2 {
            let message = format!("NewType takes a name and a type ({} given)", arguments.len() + named.len());
            return Err(self.type_error(&message));
        }
        Ok(marker)
    }

    fn new_type_variable(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let mut sign = '~';
        for &(symbol, value) in named {
            match &*self.name(symbol) {
                "covariant" if self.truth(value)? => sign = '+',
                "contravariant" if self.truth(value)? => sign = '-',
                _ => {}
            }
        }
        let marker = self.new_marker("TypeVar", TypingMarkerKind::TypeVar(sign), arguments, named)?;
        if arguments.len() == 2 {
            return Err(self.type_error("A single constraint is not allowed"));
        }
        Ok(marker)
    }

    /// Creates the result of `TypeVar`, `ParamSpec`, `TypeVarTuple` or `NewType`.
    fn new_marker(
        &mut self,
        class: &str,
        kind: TypingMarkerKind,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Some(&first) = arguments.first() else {
            let message = format!("{class}.__init__() missing 1 required positional argument: 'name'");
            return Err(self.type_error(&message));
        };
        let Some(name) = self.as_text(first) else {
            let message = format!("{class} name must be a string, not {}", self.class_name(first));
            return Err(self.type_error(&message));
        };
        let known: &[&str] = match kind {
            TypingMarkerKind::TypeVar(_) | TypingMarkerKind::ParamSpec => &["covariant", "contravariant", "bound"],
            TypingMarkerKind::TypeVarTuple => &[],
            TypingMarkerKind::NewType => &["tp"],
        };
        for &(symbol, _) in named {
            let keyword = self.name(symbol);
            if !known.contains(&&*keyword) {
                let message = format!("{class}.__init__() got an unexpected keyword argument '{keyword}'");
                return Err(self.type_error(&message));
            }
        }
        Ok(Value::Ref(self.heap.add(HeapObject::TypingMarker(Box::new(TypingMarker { kind, name })))))
    }

    /// Calls a name of `typing` that denotes no function.
    pub(super) fn construct_typing_form(
        &mut self,
        form: StaticName,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let message = match (*form, aliased_class(Type::Typing(form))) {
            ("typing.TypedDict", _) => return self.new_typed_dict_class(arguments, named),
            (_, Some(kind)) => {
                let (short, kind) = (last_segment(form), self.type_name(kind));
                format!("Type {short} cannot be instantiated; use {}() instead", last_segment(&kind))
            }
            ("typing.Generic", None) => "Type Generic cannot be instantiated".to_owned(),
            ("typing.Protocol", None) => "Protocols cannot be instantiated".to_owned(),
            ("typing.Any", None) => "Any cannot be instantiated".to_owned(),
            (_, None) => super::abstract_bases::instantiation_message(form)
                .unwrap_or_else(|| format!("Cannot instantiate {form}")),
        };
        Err(self.type_error(&message))
    }

    /// Calls a parameterized name, which calls its class.
    pub(super) fn call_alias(&mut self, origin: Value, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        if let Value::Type(kind) = origin
            && aliased_class(kind).is_none()
            && matches!(kind, Type::Typing(name) if name.starts_with("typing."))
        {
            let repr = self.repr(origin)?;
            return Err(self.type_error(&format!("Cannot instantiate {repr}")));
        }
        if let Value::Type(Type::Typing(name)) = origin
            && let Some(short) = name.strip_prefix("typing.")
            && UNCALLABLE_ALIASES.contains(&short)
            && let Some(kind) = aliased_class(Type::Typing(name))
        {
            let message = format!("Type {short} cannot be instantiated; use {}() instead", self.type_name(kind));
            return Err(self.type_error(&message));
        }
        let class = self.resolved_base(origin);
        self.nested(|machine| machine.call_value(class, arguments, named))
    }

    /// Returns the representation of a marker or a parameterized name.
    pub(super) fn typing_repr(&mut self, at: HeapRef) -> ExecResult<String> {
        match self.heap.get(at) {
            HeapObject::TypingMarker(marker) => {
                let TypingMarker { kind, name } = &**marker;
                Ok(match kind {
                    TypingMarkerKind::TypeVar(sign) => format!("{sign}{name}"),
                    TypingMarkerKind::ParamSpec => format!("~{name}"),
                    TypingMarkerKind::TypeVarTuple => name.to_string(),
                    TypingMarkerKind::NewType => format!("{}.{name}", self.program.module),
                })
            }
            HeapObject::GenericAlias { origin, arguments } => {
                let (origin, arguments) = (*origin, *arguments);
                let parts = match arguments {
                    Value::Ref(at) => match self.heap.get(at) {
                        HeapObject::Tuple(parts) => parts.to_vec(),
                        _ => vec![arguments],
                    },
                    _ => vec![arguments],
                };
                let none = Value::Type(Type::NoneType);
                let is_union = matches!(origin, Value::Type(Type::Typing(&UNION)));
                let (origin, parts) = match *parts {
                    [part, other] | [other, part] if is_union && super::compare::is_identical(other, none) => {
                        (Value::Type(Type::Typing(&OPTIONAL)), vec![part])
                    }
                    _ => (origin, parts),
                };
                let mut texts = Vec::with_capacity(parts.len());
                for part in parts {
                    texts.push(self.parameter_repr(part)?);
                }
                Ok(format!("{}[{}]", self.parameter_repr(origin)?, texts.join(", ")))
            }
            _ => Ok(String::new()),
        }
    }

    fn parameter_repr(&mut self, part: Value) -> ExecResult<String> {
        Ok(match part {
            Value::None => "NoneType".to_owned(),
            Value::Ellipsis => "...".to_owned(),
            Value::Type(Type::Library(class)) => format!("{}{}", class.module, class.name),
            Value::Type(kind) => self.type_name(kind).to_string(),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Class(class) => format!("{}.{}", self.program.module, class.qualified_name),
                HeapObject::List(parts) => {
                    let mut texts = Vec::with_capacity(parts.len());
                    for part in parts.clone() {
                        texts.push(self.nested(|machine| machine.parameter_repr(part))?);
                    }
                    format!("[{}]", texts.join(", "))
                }
                _ => self.repr(part)?,
            },
            _ => self.repr(part)?,
        })
    }

    /// Whether a class is a `TypedDict`.
    pub(super) fn is_typed_dict(&self, class: HeapRef) -> bool {
        matches!(self.heap.get(class), HeapObject::Class(class) if matches!(class.kind, ClassKind::TypedDict))
    }

    /// Whether `|` with an annotation creates a `typing.Union`.
    pub(super) fn is_typing_form(&self, annotation: Value) -> bool {
        let is_alias =
            matches!(annotation, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::GenericAlias { .. }));
        let mut origin = annotation;
        while let Value::Ref(at) = origin
            && let HeapObject::GenericAlias { origin: inner, .. } = self.heap.get(at)
        {
            origin = *inner;
        }
        match origin {
            Value::Type(Type::Typing(name)) => is_alias && name.starts_with("typing."),
            Value::Ref(at) => is_alias || matches!(self.heap.get(at), HeapObject::TypingMarker(_)),
            _ => false,
        }
    }
}

/// Returns the last segment of a dotted name.
fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
