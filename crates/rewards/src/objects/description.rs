//! Descriptions of a world's Python classes for people.

use std::fmt::Write as _;

use goalspec_python_runtime::scene::{Attribute, AttributeKind};

use super::ObjectWorld;

impl ObjectWorld {
    /// Describes the classes: first those with attributes of their own, without inherited ones; then the others.
    pub fn describe_classes(&self) -> String {
        let classes = &self.scene.entity_classes;
        let named = |class: usize| {
            let parents = classes[class].parents.iter().map(|&parent| &*classes[parent as usize].name);
            let parents: Vec<&str> = parents.collect();
            let of = if parents.is_empty() { String::new() } else { format!("({})", parents.join(", ")) };
            format!("{}{of}", classes[class].name)
        };
        let mut text = format!("Objects of the world `{}` in Python:\n", self.core.name());
        let (with, without): (Vec<usize>, Vec<usize>) =
            (0..classes.len()).partition(|&class| !classes[class].attributes.is_empty());
        for class in with {
            let attributes: Vec<String> = classes[class].attributes.iter().map(describe_attribute).collect();
            let _ = writeln!(text, "  {}: {}", named(class), attributes.join(", "));
        }
        if !without.is_empty() {
            let without: Vec<String> = without.into_iter().map(named).collect();
            let _ = writeln!(text, "  no own attributes: {}", without.join(", "));
        }
        if !self.scene.state_attributes.is_empty() {
            let attributes: Vec<String> = self.scene.state_attributes.iter().map(describe_attribute).collect();
            let _ = writeln!(text, "  `env` and states: {}", attributes.join(", "));
        }
        text
    }
}

/// Formats an attribute with its type annotation; `?` marks attributes that objects may lack.
fn describe_attribute(attribute: &Attribute) -> String {
    let Attribute { name, value_type: kind, may_be_absent: absent, .. } = attribute;
    let kind = match kind {
        AttributeKind::Bool => "bool".to_owned(),
        AttributeKind::Int => "int".to_owned(),
        AttributeKind::Float => "float".to_owned(),
        AttributeKind::Text => "str".to_owned(),
        AttributeKind::Vector(_) => "array".to_owned(),
        AttributeKind::ObjectOrText | AttributeKind::Object(_) => "object, str or None".to_owned(),
        AttributeKind::ObjectOrTextList => "list of objects or str".to_owned(),
        AttributeKind::TextList => "list of str".to_owned(),
        AttributeKind::TextSet => "set of str".to_owned(),
        AttributeKind::TupleList => "list of tuples".to_owned(),
        AttributeKind::NumberTuple(count) => format!("tuple of {count}"),
    };
    format!("{name}{} ({kind})", if *absent { "?" } else { "" })
}
