//! Dicts whose keys are names of classes that are known only at run time, as in `{o.category: o for o in objects}`.
//!
//! Such a dict is a record with an optional field for each of the classes. The order of its keys is not known, so that it has a length, but no
//! iteration.

use indexmap::IndexMap;

use super::interpret::StepResult;
use super::types::{Kinds, Type};
use super::{AbstractState, Inference, Origin, StackValue};

impl Inference<'_> {
    /// Sets an entry of a dict by a key that may be the name of a class of the world that is known only at run time: the dict may then have
    /// an entry for each of the classes. Texts that are no such keys end the call; the keys of programs that make texts have a table.
    pub(super) fn set_dict_entry(
        &mut self,
        record: Type,
        key: Type,
        value: EntryValue,
        is_definite: bool,
    ) -> StepResult<()> {
        if self.types.is_table(record) {
            return self.set_entry(record, key, value.ty);
        }
        let fields = self.dict_fields(record)?;
        if key.kinds != Kinds::TEXT || self.is_record_key(key) {
            return self.set_dict_item(record, key, value.ty, is_definite);
        }
        let is_persistent = self.types.site_of(record).is_persistent;
        let mut keys: IndexMap<Type, u64> = IndexMap::new();
        if value.is_any_class {
            keys.extend(fields.iter().filter(|(known, _)| known.kinds == Kinds::TEXT).map(|(known, _)| (*known, 0)));
        }
        let world = self.world;
        for (place, class) in world.screen_classes.iter().enumerate() {
            let key = self.types.text(&class.name);
            // Dicts of the module get no new keys.
            let is_key = !is_persistent || fields.iter().any(|(known, _)| *known == key);
            if is_key && value.classes & (1 << place) != 0 {
                *keys.entry(key).or_default() |= 1 << place;
            }
        }
        // A text that a function makes is no name of a class.
        if keys.is_empty() || (value.is_any_class && self.types.makes_texts) {
            return self.require_table(
                record,
                Some((key, value.ty)),
                "a dict with keys that are known only at run time",
            );
        }
        for (key, classes) in keys {
            let ty = if value.is_named_object { Type::objects(classes) } else { value.ty };
            self.set_field(record, key, ty, false)?;
        }
        Ok(())
    }
}

/// The value of an entry whose key may be the name of a class.
#[derive(Clone, Copy)]
pub(super) struct EntryValue {
    ty: Type,
    /// The classes whose names the key may be, a bit set.
    classes: u64,
    /// Whether the key may be any text.
    is_any_class: bool,
    /// Whether the value is the object whose class the key names.
    is_named_object: bool,
}

impl EntryValue {
    /// Returns a value with the relation of its key to the variables of a function.
    pub(super) fn new(inference: &Inference<'_>, state: &AbstractState, key: StackValue, value: StackValue) -> Self {
        match key.origin {
            Origin::ClassName(variable) => Self {
                ty: value.ty,
                classes: state.variables[variable as usize].classes,
                is_any_class: false,
                is_named_object: value.origin == Origin::Variable(variable) && value.ty.kinds == Kinds::OBJECT,
            },
            _ => Self::of_any_key(inference, value.ty),
        }
    }

    /// Returns a value whose key may be any text.
    pub(super) fn of_any_key(inference: &Inference<'_>, ty: Type) -> Self {
        Self { ty, classes: inference.all_classes(), is_any_class: true, is_named_object: false }
    }
}
