//! Enumeration of the values that a cell of the heap refers to, for the garbage collector.

use super::dict::Flavor;
use super::value::{Cell, Value};

/// Passes every value that a cell holds to `tell`.
pub(super) fn parts(cell: &Cell, tell: &mut dyn FnMut(Value)) {
    match cell {
        Cell::List(values) => values.iter().for_each(|&value| tell(value)),
        Cell::Tuple(values) | Cell::Union(values) => values.iter().for_each(|&value| tell(value)),
        Cell::Dict(dict) | Cell::Set(dict) => {
            if let Flavor::Default(factory) = dict.flavor {
                tell(factory);
            }
            dict.iter().for_each(|(key, value)| {
                tell(key);
                tell(value);
            });
        }
        Cell::Slice(parts) => parts.iter().for_each(|&part| tell(part)),
        Cell::Iterator(iterator) => iterator.parts(tell),
        Cell::Generator(Some(frame)) => frame.parts(tell),
        Cell::Function(function) => {
            function.defaults.iter().for_each(|&value| tell(value));
            function.keyword_defaults.iter().for_each(|&(_, value)| tell(value));
            function.closure.iter().for_each(|&cell| tell(Value::Ref(cell)));
            function.fields.values().for_each(|&value| tell(value));
            function.owner.into_iter().for_each(|owner| tell(Value::Ref(owner)));
        }
        Cell::Bound { receiver, function } => {
            tell(*receiver);
            tell(*function);
        }
        Cell::Method(receiver, _) => tell(*receiver),
        Cell::Class(class) => {
            class.fields.values().for_each(|&value| tell(value));
            class.order.iter().for_each(|&base| tell(base));
            class.kind.parts(tell);
        }
        Cell::Instance { class, fields, base } => {
            tell(Value::Ref(*class));
            if let Some(base) = *base {
                tell(base);
            }
            fields.values().for_each(|&value| tell(value));
        }
        Cell::Variable(Some(value)) | Cell::StaticMethod(value) | Cell::ClassMethod(value) => tell(*value),
        Cell::Exception(exception) => exception.parts(tell),
        Cell::Screen(object) => object.parts(tell),
        Cell::Entity(object) => object.fields.values().for_each(|&value| tell(value)),
        Cell::State(state) => {
            tell(Value::Ref(state.objects));
            state.fields.iter().for_each(|&(_, value)| tell(value));
        }
        Cell::Array(array) => tell(Value::Ref(array.buffer)),
        Cell::Property { get, set, delete } => {
            tell(*get);
            set.iter().chain(delete).copied().for_each(tell);
        }
        Cell::Deque(deque) => deque.values.iter().for_each(|&value| tell(value)),
        Cell::View(dict, _) => tell(*dict),
        Cell::Partial { function, arguments, named } => {
            tell(*function);
            arguments.iter().for_each(|&value| tell(value));
            named.iter().for_each(|&(_, value)| tell(value));
        }
        Cell::Cached { function, memo, .. } => {
            tell(*function);
            tell(Value::Ref(*memo));
        }
        Cell::Generated(class, _) => tell(Value::Ref(*class)),
        Cell::Field(field) => field.parts(tell),
        Cell::Super { class, object } => {
            tell(Value::Ref(*class));
            tell(*object);
        }
        Cell::Alias { origin, arguments } => {
            tell(*origin);
            tell(*arguments);
        }
        Cell::Free
        | Cell::Marker(_)
        | Cell::MethodOf(..)
        | Cell::TupleField(_)
        | Cell::Auto
        | Cell::Text(_)
        | Cell::Bytes(_)
        | Cell::Big(_)
        | Cell::Buffer(_)
        | Cell::Range { .. }
        | Cell::Generator(None)
        | Cell::Variable(None)
        | Cell::Module(..) => {}
    }
}
