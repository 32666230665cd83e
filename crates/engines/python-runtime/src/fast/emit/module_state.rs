//! Variables of the module that functions assign, and the layout of the state of the module.

use super::records::{Field, RecordPlace};
use super::values::{Layout, Value};
use super::{EmitResult, Emitter};
use crate::code::Symbol;
use crate::fast::state::{Contents, ObjectLayout, SlotLayout, StateLayout, VARIABLES};
use crate::inference::types::{CapturedVariable, Kinds, Type, TypeDetail};

impl Emitter<'_> {
    /// Reads a captured variable of the module.
    pub(super) fn load_module_cell(&mut self, captured: CapturedVariable) -> EmitResult<Value> {
        let holds = self.result_type();
        let (record, key) = self.inference.module_cell(captured).ok_or_else(|| "a captured variable".to_owned())?;
        let field = self.field(record, key)?;
        let place = self.record_place(&Value::constant(record))?;
        self.load_field(place, &field, holds)
    }

    /// Assigns a captured variable of the module.
    pub(super) fn store_module_cell(&mut self, captured: CapturedVariable, value: &Value) -> EmitResult<()> {
        let (record, key) = self.inference.module_cell(captured).ok_or_else(|| "`nonlocal` variables".to_owned())?;
        let field = self.field(record, key)?;
        let place = self.record_place(&Value::constant(record))?;
        self.store_field(place, &field, value)
    }

    /// Translates the reading of a global variable that functions assign.
    pub(super) fn load_state_variable(&mut self, symbol: Symbol) -> EmitResult<Value> {
        let holds = self.result_type();
        if self.is_known(holds) {
            return Ok(Value::constant(holds));
        }
        let field = self.state_variable(symbol)?;
        self.load_field(RecordPlace::State(VARIABLES), &field, holds)
    }

    pub(super) fn store_state_variable(&mut self, symbol: Symbol) -> EmitResult<()> {
        let value = self.pop();
        let field = self.state_variable(symbol)?;
        self.store_field(RecordPlace::State(VARIABLES), &field, &value)
    }

    fn state_variable(&self, symbol: Symbol) -> EmitResult<Field> {
        let mut slot = 0;
        for (other, ty) in self.inference.module_variables() {
            let layout = self.layout(ty);
            if layout.is_unsupported() {
                return Err("a global whose values have several types".to_owned());
            }
            if other == symbol {
                return Ok(Field { layout, slot, ty });
            }
            slot += u16::from(layout.width());
        }
        Err("an unknown global".to_owned())
    }

    /// Returns the layout of the module's state.
    pub(super) fn state_layout(&mut self) -> EmitResult<StateLayout> {
        let variables: Vec<(Symbol, Type)> = self.inference.module_variables().collect();
        let variables: Option<Vec<(Symbol, SlotLayout)>> =
            variables.into_iter().map(|(symbol, ty)| Some((symbol, self.slot_layout(&self.layout(ty))?))).collect();
        let mut objects = Vec::new();
        for (at, site) in self.inference.all_module_objects() {
            let Some(site) = site else {
                objects.push(None);
                continue;
            };
            let ty = self.inference.types.sited(site);
            let contents = if ty.kinds == Kinds::LIST {
                self.element_layout(ty).ok().and_then(|layout| self.slot_layout(&layout)).map(Contents::Elements)
            } else {
                self.fields(ty).ok().and_then(|fields| {
                    let slots = fields.iter().map(|(key, field)| {
                        let name = match self.inference.types.detail(*key) {
                            Some(TypeDetail::Text(place)) => self.inference.types.texts[*place as usize].clone(),
                            _ => "".into(),
                        };
                        self.slot_layout(&field.layout).map(|slot| (name, slot))
                    });
                    slots.collect::<Option<Vec<_>>>().map(Contents::Fields)
                })
            };
            objects.push(contents.map(|contents| ObjectLayout { at, contents }));
        }
        let Some(variables) = variables else { return Err("a global whose values have several types".to_owned()) };
        let texts = self.inference.types.texts.iter().cloned().collect();
        Ok(StateLayout { variables, objects, texts })
    }

    fn slot_layout(&self, layout: &Layout) -> Option<SlotLayout> {
        Some(match layout {
            Layout::Constant(ty) => SlotLayout::Constant(self.inference.known_constant(*ty)),
            Layout::Scalar(kinds) => SlotLayout::Scalar(*kinds),
            Layout::Tuple(parts) => {
                SlotLayout::Tuple(parts.iter().map(|part| self.slot_layout(part)).collect::<Option<Vec<_>>>()?)
            }
            Layout::ClassOf | Layout::Unsupported => return None,
        })
    }
}
