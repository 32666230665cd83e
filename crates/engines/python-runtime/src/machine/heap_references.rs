//! Enumeration of the values that a cell of the heap refers to, for the garbage collector.

use super::dict::DictKind;
use super::value::{HeapObject, Value};

/// Passes every value that a cell holds to `visit`.
pub(super) fn visit_references(cell: &HeapObject, visit: &mut dyn FnMut(Value)) {
    match cell {
        HeapObject::List(values) => values.iter().for_each(|&value| visit(value)),
        HeapObject::Tuple(values) => values.iter().for_each(|&value| visit(value)),
        HeapObject::Union(classes) => classes.iter().for_each(|&class| visit(class)),
        HeapObject::Dict(dict) | HeapObject::Set(dict) => {
            if let DictKind::Default(factory) = dict.kind {
                visit(factory);
            }
            dict.iter().for_each(|(key, value)| {
                visit(key);
                visit(value);
            });
        }
        HeapObject::Slice(parts) => parts.iter().for_each(|&part| visit(part)),
        HeapObject::Iterator(iterator) => iterator.visit_references(visit),
        HeapObject::Generator(Some(frame)) => frame.visit_references(visit),
        HeapObject::Function(function) => {
            function.defaults.iter().for_each(|&value| visit(value));
            function.keyword_defaults.iter().for_each(|&(_, value)| visit(value));
            function.closure.iter().for_each(|&cell| visit(Value::Ref(cell)));
            function.attributes.values().for_each(|&value| visit(value));
            function.defining_class.into_iter().for_each(|owner| visit(Value::Ref(owner)));
        }
        HeapObject::BoundMethod { receiver, function } => {
            visit(*receiver);
            visit(*function);
        }
        HeapObject::BuiltinMethod(receiver, _) => visit(*receiver),
        HeapObject::Class(class) => {
            class.attributes.values().for_each(|&value| visit(value));
            class.mro.iter().for_each(|&base| visit(base));
            class.kind.for_each_value(visit);
        }
        HeapObject::Instance { class, attributes: fields, base_value: base } => {
            visit(Value::Ref(*class));
            if let Some(base) = *base {
                visit(base);
            }
            fields.values().for_each(|&value| visit(value));
        }
        HeapObject::ClosureCell(Some(value)) | HeapObject::StaticMethod(value) | HeapObject::ClassMethod(value) => {
            visit(*value);
        }
        HeapObject::Exception(exception) => exception.visit_references(visit),
        HeapObject::Screen(object) => object.for_each_value(visit),
        HeapObject::Entity(object) => object.fields.values().for_each(|&value| visit(value)),
        HeapObject::State(state) => {
            visit(Value::Ref(state.objects));
            state.fields.iter().for_each(|&(_, value)| visit(value));
        }
        HeapObject::Array(array) => visit(Value::Ref(array.buffer)),
        HeapObject::Property { get, set, delete } => {
            visit(*get);
            set.iter().chain(delete).copied().for_each(visit);
        }
        HeapObject::Deque(deque) => deque.values.iter().for_each(|&value| visit(value)),
        HeapObject::Library(object) => object.visit_references(visit),
        HeapObject::DictView(dict, _) => visit(*dict),
        HeapObject::Partial { function, arguments, named } => {
            visit(*function);
            arguments.iter().for_each(|&value| visit(value));
            named.iter().for_each(|&(_, value)| visit(value));
        }
        HeapObject::LruCache { function, memo, .. } => {
            visit(*function);
            visit(Value::Ref(*memo));
        }
        HeapObject::Wrapper(wrapper) => wrapper.visit_references(visit),
        HeapObject::ContextManager(manager) => manager.visit_references(visit),
        HeapObject::Traceback(exception) => visit(Value::Ref(*exception)),
        HeapObject::CachedProperty { function, .. } | HeapObject::PartialMethod(function) => visit(*function),
        HeapObject::ComparisonKey { function, value } => {
            visit(*function);
            value.iter().copied().for_each(visit);
        }
        HeapObject::GeneratedMethod(class, _) => visit(Value::Ref(*class)),
        HeapObject::DataclassField(field) => field.visit_references(visit),
        HeapObject::Super { class, object } => {
            visit(Value::Ref(*class));
            visit(*object);
        }
        HeapObject::GenericAlias { origin, arguments } => {
            visit(*origin);
            visit(*arguments);
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
