//! Descriptions of a world's Python classes for people.

use std::fmt::Write as _;

use goalspec_reward::scene::{Attribute, Kind};

use super::ObjectWorld;

impl ObjectWorld {
    /// Describes the classes: first those with attributes of their own, without inherited ones; then the others.
    pub fn text(&self) -> String {
        let classes = &self.scene.objects;
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
            let attributes: Vec<String> = classes[class].attributes.iter().map(attribute).collect();
            let _ = writeln!(text, "  {}: {}", named(class), attributes.join(", "));
        }
        if !without.is_empty() {
            let without: Vec<String> = without.into_iter().map(named).collect();
            let _ = writeln!(text, "  no own attributes: {}", without.join(", "));
        }
        if !self.scene.state.is_empty() {
            let attributes: Vec<String> = self.scene.state.iter().map(attribute).collect();
            let _ = writeln!(text, "  `env` and states: {}", attributes.join(", "));
        }
        text
    }
}

/// Formats an attribute with its type annotation; `?` marks attributes that objects may lack.
fn attribute(attribute: &Attribute) -> String {
    let Attribute { name, kind, absent, .. } = attribute;
    let kind = match kind {
        Kind::Bool => "bool".to_owned(),
        Kind::Int => "int".to_owned(),
        Kind::Float => "float".to_owned(),
        Kind::Text => "str".to_owned(),
        Kind::Vector(_) => "array".to_owned(),
        Kind::Thing | Kind::Object(_) => "object, str or None".to_owned(),
        Kind::Things => "list of objects or str".to_owned(),
        Kind::Texts => "list of str".to_owned(),
        Kind::TextSet => "set of str".to_owned(),
        Kind::Rows => "list of tuples".to_owned(),
        Kind::Numbers(count) => format!("tuple of {count}"),
    };
    format!("{name}{} ({kind})", if *absent { "?" } else { "" })
}
