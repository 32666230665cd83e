//! Occurrences of names: which name in a text refers to which declaration.
//!
//! Every language lists the occurrences in a program, in the order of the text. Editors derive from them go-to-definition, references,
//! renaming and outlines, without knowledge of the language.

use std::sync::Arc;

use crate::source::Span;

/// A classification of names by what they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A world, or a domain of activities or planning problems.
    Domain,
    /// A planning problem or an activity.
    Problem,
    /// A game.
    Game,
    /// A preference.
    Preference,
    /// A type or a category of objects.
    Type,
    /// An object, a constant or an instance.
    Object,
    /// A variable.
    Variable,
    /// A predicate.
    Predicate,
    /// A numeric function.
    Function,
    /// An action.
    Action,
    /// A team of a resource graph game.
    Team,
    /// A node of the board of a resource graph game.
    Node,
    /// A resource of a node.
    Resource,
    /// A parameter of an action.
    Parameter,
    /// An attribute of the objects of a type.
    Attribute,
    /// A named constant of a world.
    Setting,
    /// A section of a file.
    Section,
}

impl SymbolKind {
    /// Returns the noun for the kind.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Problem => "problem",
            Self::Game => "game",
            Self::Preference => "preference",
            Self::Type => "type",
            Self::Object => "object",
            Self::Variable => "variable",
            Self::Predicate => "predicate",
            Self::Function => "function",
            Self::Action => "action",
            Self::Team => "team",
            Self::Node => "node",
            Self::Resource => "resource",
            Self::Parameter => "parameter",
            Self::Attribute => "attribute",
            Self::Setting => "setting",
            Self::Section => "section",
        }
    }
}

/// The declaration to which a name refers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Declaration {
    /// The declaration whose name has this span.
    At(Span),
    /// A declaration without a place in a text: a name of a built-in domain or world, or a category that its instances declare.
    BuiltIn(Arc<str>),
    /// No declaration is known.
    Unknown,
}

/// A classification of occurrences: declarations and uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OccurrenceRole {
    /// The name in a declaration, with the span of the declaration.
    Definition(Span),
    /// A use of the name.
    Reference,
}

/// An occurrence of a name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The span of the name.
    pub span: Span,
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The declaration of the symbol.
    pub declaration: Declaration,
    /// Whether this is the declaration or a use.
    pub role: OccurrenceRole,
}

/// A collector of the occurrences in a program.
#[derive(Debug, Clone, Default)]
pub struct Occurrences {
    list: Vec<Occurrence>,
}

impl Occurrences {
    /// Returns an empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the declaration of a symbol: the span of its name, and that of the whole declaration.
    pub fn define(&mut self, kind: SymbolKind, span: Span, whole: Span) {
        let (declaration, role) = (Declaration::At(span), OccurrenceRole::Definition(whole));
        self.list.push(Occurrence { span, kind, declaration, role });
    }

    /// Adds a further declaration of a symbol that `first` declares.
    pub fn redefine(&mut self, kind: SymbolKind, span: Span, whole: Span, first: Span) {
        let (declaration, role) = (Declaration::At(first), OccurrenceRole::Definition(whole));
        self.list.push(Occurrence { span, kind, declaration, role });
    }

    /// Adds a use of a symbol.
    pub fn refer(&mut self, kind: SymbolKind, span: Span, declaration: Declaration) {
        self.list.push(Occurrence { span, kind, declaration, role: OccurrenceRole::Reference });
    }

    /// Returns the occurrences in the order of the text, one for each span: a declaration takes precedence over uses at the same place, and
    /// empty spans, of missing names, are left out.
    pub fn into_vec(mut self) -> Vec<Occurrence> {
        self.list.retain(|occurrence| occurrence.span.start < occurrence.span.end);
        let key = |occurrence: &Occurrence| {
            let Span { source, start, end } = occurrence.span;
            (source, start, end, occurrence.role == OccurrenceRole::Reference)
        };
        self.list.sort_by_key(key);
        self.list.dedup_by_key(|occurrence| occurrence.span);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn occurrences_are_in_order_and_unique() {
        let span = |start, end| Span::new(SourceId(0), start, end);
        let mut occurrences = Occurrences::new();
        occurrences.refer(SymbolKind::Object, span(8, 9), Declaration::Unknown);
        occurrences.refer(SymbolKind::Type, span(2, 3), Declaration::Unknown);
        occurrences.define(SymbolKind::Type, span(2, 3), span(1, 4));
        occurrences.define(SymbolKind::Type, span(5, 5), span(1, 4));
        let list = occurrences.into_vec();
        assert_eq!(list.iter().map(|occurrence| occurrence.span.start).collect::<Vec<_>>(), [2, 8]);
        assert_eq!(list[0].role, OccurrenceRole::Definition(span(1, 4)));
    }
}
