//! Variables of the module that functions assign, and the layout of the state of the module.

use rustc_hash::FxHashMap;

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
        let mut layouts = ContentsTable::default();
        let mut variables = Vec::new();
        for (symbol, ty) in self.inference.module_variables().collect::<Vec<_>>() {
            let slot = self.slot_layout(ty, &self.layout(ty), &mut layouts);
            let slot = slot.ok_or_else(|| "a global whose values have several types".to_owned())?;
            if !slot.is_constant() && !slot.is_restorable() {
                return Err("a function that is kept for the next call".to_owned());
            }
            variables.push((symbol, slot));
        }
        let mut objects = Vec::new();
        for (at, site) in self.inference.all_module_objects() {
            let contents = site.and_then(|site| self.contents(self.inference.types.sited(site), &mut layouts));
            objects.push(contents.map(|contents| ObjectLayout { at, contents }));
        }
        self.require_restorable(&mut layouts)?;
        let contents: Option<Vec<Contents>> = layouts.contents.into_iter().collect();
        let contents = contents.ok_or_else(|| "an object of the module with values of several types".to_owned())?;
        let texts = self.inference.types.texts.iter().cloned().collect();
        Ok(StateLayout::new(variables, objects, contents, texts))
    }

    /// Rejects functions in lists and records that calls create or change, as the machine cannot be given them. What stays as the top level
    /// left it is not written.
    fn require_restorable(&self, layouts: &mut ContentsTable) -> EmitResult<()> {
        for (&site, &place) in &layouts.by_site {
            let Some(contents) = &mut layouts.contents[usize::from(place)] else { continue };
            let (is_restorable, stays) = match contents {
                Contents::Elements { slot, .. } => {
                    (slot.is_restorable(), !self.inference.types.site_of(self.inference.types.sited(site)).is_mutated)
                }
                Contents::Fields { slots, .. } => {
                    let mut slots = slots.iter().map(|(_, slot)| slot);
                    (
                        slots.clone().all(SlotLayout::is_restorable),
                        slots.all(|slot| slot.is_constant() || slot.is_restorable()),
                    )
                }
            };
            if is_restorable {
                continue;
            }
            if !stays || self.inference.is_created_site(site) {
                return Err("a function that is kept for the next call".to_owned());
            }
            if let Contents::Elements { is_written, .. } = contents {
                *is_written = false;
            }
        }
        Ok(())
    }

    /// Returns the index of the layout of the lists or records of a type.
    fn contents(&self, ty: Type, layouts: &mut ContentsTable) -> Option<u16> {
        let site = self.inference.types.root(ty.site);
        if let Some(&known) = layouts.by_site.get(&site) {
            return Some(known);
        }
        let place = u16::try_from(layouts.contents.len()).ok()?;
        layouts.by_site.insert(site, place);
        layouts.contents.push(None);
        let contents = if ty.kinds == Kinds::LIST {
            let layout = self.element_layout(ty).ok()?;
            let slot = self.slot_layout(self.inference.types.element(ty), &layout, layouts)?;
            Contents::Elements { slot, container: self.inference.types.site_of(ty).container, is_written: true }
        } else {
            let class = self.inference.types.record(ty)?.class;
            let mut slots = Vec::new();
            for (key, field) in self.fields(ty).ok()? {
                let key = self.inference.known_constant(key)?;
                slots.push((key, self.slot_layout(field.ty, &field.layout, layouts)?));
            }
            Contents::Fields { class, slots }
        };
        layouts.contents[place as usize] = Some(contents);
        Some(place)
    }

    fn slot_layout(&self, ty: Type, layout: &Layout, layouts: &mut ContentsTable) -> Option<SlotLayout> {
        Some(match layout {
            Layout::Constant(ty) => SlotLayout::Constant(self.inference.known_constant(*ty)),
            Layout::Scalar(kinds) => {
                let refers = kinds.intersects(Kinds::LIST.union(Kinds::RECORD));
                let referent = ty.restrict(Kinds::LIST.union(Kinds::RECORD));
                SlotLayout::Scalar(*kinds, if refers { Some(self.contents(referent, layouts)?) } else { None })
            }
            Layout::Tuple(parts) => {
                let Some(TypeDetail::Tuple(types)) = self.inference.types.detail(ty) else { return None };
                let slots = parts.iter().zip(types).map(|(part, &ty)| self.slot_layout(ty, part, layouts));
                SlotLayout::Tuple(slots.collect::<Option<Vec<_>>>()?)
            }
            Layout::OneOf => {
                let Some(TypeDetail::OneOf(alternatives)) = self.inference.types.detail(ty) else { return None };
                let word = |&ty: &Type| {
                    let value = self.inference.known_constant(ty)?;
                    Some((ty.fixed_word(), value))
                };
                SlotLayout::OneOf(alternatives.iter().map(word).collect::<Option<Vec<_>>>()?)
            }
            Layout::ClassOf | Layout::Unsupported => return None,
        })
    }
}

/// The layouts of lists and records, by their allocation sites.
#[derive(Default)]
struct ContentsTable {
    by_site: FxHashMap<u32, u16>,
    contents: Vec<Option<Contents>>,
}
