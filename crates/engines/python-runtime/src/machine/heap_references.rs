//! Enumeration of the values that a cell of the heap refers to, for the garbage collector.

use super::dict::DictKind;
use super::value::{HeapObject, Value};

/// Passes every value that a cell holds to `tell`.
pub(super) fn visit_references(cell: &HeapObject, tell: &mut dyn FnMut(Value)) {
    match cell {
        HeapObject::List(values) => values.iter().for_each(|&value| tell(value)),
        HeapObject::Tuple(values) | HeapObject::Union(values) => values.iter().for_each(|&value| tell(value)),
        HeapObject::Dict(dict) | HeapObject::Set(dict) => {
            if let DictKind::Default(factory) = dict.kind {
                tell(factory);
            }
            dict.iter().for_each(|(key, value)| {
                tell(key);
                tell(value);
            });
        }
        HeapObject::Slice(parts) => parts.iter().for_each(|&part| tell(part)),
        HeapObject::Iterator(iterator) => iterator.visit_references(tell),
        HeapObject::Generator(Some(frame)) => frame.visit_references(tell),
        HeapObject::Function(function) => {
            function.defaults.iter().for_each(|&value| tell(value));
            function.keyword_defaults.iter().for_each(|&(_, value)| tell(value));
            function.closure.iter().for_each(|&cell| tell(Value::Ref(cell)));
            function.attributes.values().for_each(|&value| tell(value));
            function.defining_class.into_iter().for_each(|owner| tell(Value::Ref(owner)));
        }
        HeapObject::BoundMethod { receiver, function } => {
            tell(*receiver);
            tell(*function);
        }
        HeapObject::BuiltinMethod(receiver, _) => tell(*receiver),
        HeapObject::Class(class) => {
            class.attributes.values().for_each(|&value| tell(value));
            class.mro.iter().for_each(|&base| tell(base));
            class.kind.for_each_value(tell);
        }
        HeapObject::Instance { class, attributes: fields, base_value: base } => {
            tell(Value::Ref(*class));
            if let Some(base) = *base {
                tell(base);
            }
            fields.values().for_each(|&value| tell(value));
        }
        HeapObject::ClosureCell(Some(value)) | HeapObject::StaticMethod(value) | HeapObject::ClassMethod(value) => {
            tell(*value);
        }
        HeapObject::Exception(exception) => exception.visit_references(tell),
        HeapObject::Screen(object) => object.for_each_value(tell),
        HeapObject::Entity(object) => object.fields.values().for_each(|&value| tell(value)),
        HeapObject::State(state) => {
            tell(Value::Ref(state.objects));
            state.fields.iter().for_each(|&(_, value)| tell(value));
        }
        HeapObject::Array(array) => tell(Value::Ref(array.buffer)),
        HeapObject::Property { get, set, delete } => {
            tell(*get);
            set.iter().chain(delete).copied().for_each(tell);
        }
        HeapObject::Deque(deque) => deque.values.iter().for_each(|&value| tell(value)),
        HeapObject::DictView(dict, _) => tell(*dict),
        HeapObject::Partial { function, arguments, named } => {
            tell(*function);
            arguments.iter().for_each(|&value| tell(value));
            named.iter().for_each(|&(_, value)| tell(value));
        }
        HeapObject::LruCache { function, memo, .. } => {
            tell(*function);
            tell(Value::Ref(*memo));
        }
        HeapObject::GeneratedMethod(class, _) => tell(Value::Ref(*class)),
        HeapObject::DataclassField(field) => field.visit_references(tell),
        HeapObject::Super { class, object } => {
            tell(Value::Ref(*class));
            tell(*object);
        }
        HeapObject::GenericAlias { origin, arguments } => {
            tell(*origin);
            tell(*arguments);
        }
        HeapObject::Free
        | HeapObject::TypingMarker(_)
        | HeapObject::UnboundMethod(..)
        | HeapObject::NamedTupleField(_)
        | HeapObject::EnumAuto
        | HeapObject::Text(_)
        | HeapObject::Bytes(_)
        | HeapObject::BigInt(_)
        | HeapObject::Buffer(_)
        | HeapObject::Range { .. }
        | HeapObject::Generator(None)
        | HeapObject::ClosureCell(None)
        | HeapObject::Module(..) => {}
    }
}
