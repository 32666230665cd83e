//! The section that maps recordings to attributes.

use super::codes;
use super::document::{Entry, Keys, Node};
use super::loader::Loader;
use crate::ids::ObjectId;
use crate::world::RecordingFormat;
use crate::world::recording::{Adjustment, Correction, FieldMapping};

impl Loader<'_> {
    /// Combines the sections of all files: lists are concatenated, and a later agent replaces an earlier one.
    pub(super) fn declare_recording(&mut self, nodes: &[&Node]) {
        let Some(last) = nodes.last() else { return };
        self.spans.recording = Some(last.span);
        let mut recording = RecordingFormat::default();
        for node in nodes {
            if let Some(entries) = self.ok(node.table()) {
                self.recording(entries, node, &mut recording);
            }
        }
        self.builder.set_recording(recording);
    }

    fn recording(&mut self, entries: &[Entry], node: &Node, recording: &mut RecordingFormat) {
        let mut keys = Keys::new(entries, node.span);
        for (key, list) in [("scenes", &mut recording.scenes), ("ignored", &mut recording.ignored)] {
            for item in keys.optional(key).map_or(&[][..], Node::one_or_more) {
                list.extend(self.ok(item.text()).map(Into::into));
            }
        }
        if let Some(agent) = keys.optional("agent") {
            recording.agent = self.object_ref(agent);
        }
        for (key, fields) in
            [("object_fields", &mut recording.object_fields), ("agent_fields", &mut recording.agent_fields)]
        {
            for item in keys.optional(key).map_or(&[][..], Node::one_or_more) {
                fields.extend(self.field(item));
            }
        }
        for item in keys.optional("corrections").map_or(&[][..], Node::one_or_more) {
            self.correction(item, &mut recording.corrections);
        }
        keys.finish(self.diagnostics);
    }

    /// Parses a member with its attribute: `["bboxCenter", "center"]`.
    fn field(&mut self, node: &Node) -> Option<FieldMapping> {
        let [json, attribute] = self.ok(node.list())? else {
            let message = "a field is a list of two strings: the name in the recording and the attribute";
            self.error(codes::WRONG_VALUE, node.span, message);
            return None;
        };
        let json = self.ok(json.text())?.into();
        Some(FieldMapping { member: json, attribute: self.attribute_ref(attribute)? })
    }

    fn correction(&mut self, node: &Node, corrections: &mut Vec<Correction>) {
        let Some(entries) = self.ok(node.table()) else { return };
        let mut keys = Keys::new(entries, node.span);
        let objects = keys.required("objects", self.diagnostics).map(|node| self.objects_named(node));
        let replace = keys.optional("replace").and_then(|node| self.ok(node.table())).unwrap_or_default();
        let shift = keys.optional("shift").and_then(|node| self.ok(node.table())).unwrap_or_default();
        let shrink = keys.optional("shrink_to_bottom");
        keys.finish(self.diagnostics);
        let mut adjustments = Vec::new();
        for entry in replace {
            adjustments.extend(self.replacement(entry));
        }
        for entry in shift {
            adjustments.extend(self.shift(entry));
        }
        adjustments.extend(shrink.and_then(|node| self.shrinking(node)));
        if let Some(objects) = objects {
            corrections
                .extend(adjustments.into_iter().map(|adjustment| Correction { objects: objects.clone(), adjustment }));
        }
    }

    fn replacement(&mut self, entry: &Entry) -> Option<Adjustment> {
        let attribute = self.attributes.find(&entry.key, entry.key_span, self.diagnostics)?;
        Some(Adjustment::Replace { attribute, value: self.value(attribute, &entry.node)? })
    }

    fn shift(&mut self, entry: &Entry) -> Option<Adjustment> {
        let attribute = self.attributes.find(&entry.key, entry.key_span, self.diagnostics)?;
        Some(Adjustment::Shift { attribute, by: self.vector(&entry.node)? })
    }

    fn shrinking(&mut self, node: &Node) -> Option<Adjustment> {
        let mut keys = Keys::new(self.ok(node.table())?, node.span);
        let center = keys.required("center", self.diagnostics).and_then(|node| self.attribute_ref(node));
        let extents = keys.required("half_extents", self.diagnostics).and_then(|node| self.attribute_ref(node));
        let factor = keys.required("factor", self.diagnostics).and_then(|node| {
            let factor = self.ok(node.number())?;
            if !(0.0..=1.0).contains(&factor) {
                self.error(codes::WRONG_VALUE, node.span, "the factor must be between 0 and 1");
                return None;
            }
            Some(factor)
        });
        keys.finish(self.diagnostics);
        Some(Adjustment::ShrinkToBottom { center: center?, half_extents: extents?, factor: factor? })
    }

    /// Returns the named objects, and all objects of the named types.
    fn objects_named(&mut self, node: &Node) -> Vec<ObjectId> {
        let mut objects = Vec::new();
        for item in node.one_or_more() {
            let Some(name) = self.ok(item.text()) else { continue };
            if let Some(id) = self.types.get(name) {
                objects.extend(self.builder.members_so_far(id));
            } else {
                objects.extend(self.object_ref(item));
            }
        }
        objects
    }
}
