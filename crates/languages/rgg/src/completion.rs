//! The keywords and names that may stand at a place of a text, for editors.
//!
//! A text is seldom valid YAML while it is typed. The place is therefore found from the lines around it: the keys of the lines above that
//! are indented less, and the brackets that are open before the place.

mod path;

use std::ops::Range;

use goalspec_resource::game::NOTHING_ACTION;
use goalspec_syntax::SourceFile;
use goalspec_syntax::symbols::SymbolKind;
use rustc_hash::FxHashSet;

use crate::ast;
use crate::constraint;
use crate::keywords;
use crate::place::{self, NameRole, Shape};
pub use path::MAX_BYTES;
use path::{PathStep, Position};

/// A word that may be inserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionWord {
    /// The word.
    pub text: String,
    /// The kind of the symbol; `None` for a keyword.
    pub kind: Option<SymbolKind>,
    /// One line of documentation; may be empty.
    pub doc: String,
    /// Whether the word is a key, so that a colon follows it.
    pub is_key: bool,
}

/// The words at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompletionWords {
    /// The byte range of the word that they replace.
    pub range: Range<u32>,
    /// The words: names before keywords.
    pub words: Vec<CompletionWord>,
}

/// Returns the words that may stand at an offset: keywords allowed by the keys around it, and names of the kind that the place expects.
/// The names are those of `known`: while a text is not valid YAML, the syntax tree of a similar text serves.
pub fn words(source: &SourceFile, offset: u32, known: Option<&ast::Game>) -> CompletionWords {
    let Some(position) = path::position(source.text(), offset) else { return CompletionWords::default() };
    let Some((place, context)) = place_of(&position) else { return CompletionWords::default() };
    let mut found = WordCollector { list: Vec::new(), known, context };
    found.at(place, &position);
    let mut seen: FxHashSet<String> = position.siblings.into_iter().collect();
    found.list.retain(|word| seen.insert(word.text.clone()));
    CompletionWords { range: position.word, words: found.list }
}

/// Returns the keyword at an offset of a text: its range, name and documentation.
pub fn keyword_at(source: &SourceFile, offset: u32) -> Option<(Range<u32>, &'static str, &'static str)> {
    let position = path::position(source.text(), offset)?;
    let word = source.text().get(position.word.start as usize..)?;
    let end = word.find([':', '\n']).filter(|&end| word[end..].starts_with(':'))?;
    let key = word[..end].trim_end().trim_matches(['"', '\'']);
    let (place, _) = place_of(&position)?;
    let keyword = place::shape(place).keyword(key)?;
    let start = position.word.start;
    Some((start..start + end as u32, keyword.name, keyword.description))
}

/// Returns the place that the keys around a position lead to; `None` if a key is not allowed.
fn place_of(position: &Position) -> Option<(&'static str, Surroundings)> {
    let mut context = Surroundings::default();
    let mut place = place::GAME;
    for step in &position.path {
        let shape = place::shape(place);
        let PathStep::Key(key) = step else {
            place = shape.items.unwrap_or(place);
            continue;
        };
        if let Some(keyword) = shape.keyword(key) {
            let inner = place::value_place(place, keyword);
            context.enter(place, inner);
            place = inner;
        } else {
            let (role, values) = shape.keys?;
            context.name(role, key);
            place = values;
        }
    }
    Some((place, context))
}

/// The keys around a place, as far as they decide what a name refers to.
#[derive(Debug, Default)]
struct Surroundings {
    has_vector: bool,
    in_node_filter: bool,
    node: Option<String>,
    tested: Option<NameRole>,
}

impl Surroundings {
    fn enter(&mut self, place: &str, value_place: &str) {
        self.in_node_filter |= place::is_node_filter(value_place);
        self.has_vector |= place == "with_vectors";
    }

    fn name(&mut self, role: NameRole, key: &str) {
        let last = key.rsplit('.').next().unwrap_or(key);
        match role {
            NameRole::Node => self.node = Some(key.to_owned()),
            NameRole::Field | NameRole::Target | NameRole::NewResource => {
                self.tested = match last {
                    "_node" => Some(NameRole::Node),
                    "observable" => Some(NameRole::Team),
                    _ => None,
                };
            }
            _ => {}
        }
    }
}

/// A collector of the words at a place.
struct WordCollector<'n> {
    list: Vec<CompletionWord>,
    known: Option<&'n ast::Game>,
    context: Surroundings,
}

impl WordCollector<'_> {
    fn add(&mut self, text: impl Into<String>, kind: Option<SymbolKind>, doc: &str, is_key: bool) {
        self.list.push(CompletionWord { text: text.into(), kind, doc: doc.to_owned(), is_key });
    }

    /// Adds the words of a place.
    fn at(&mut self, place: &str, position: &Position) {
        let shape: Shape = place::shape(place);
        if position.in_braces {
            return self.names(NameRole::Field, false);
        }
        if position.is_value && shape.scalar.is_some() || shape.keywords.is_empty() && shape.keys.is_none() {
            shape.scalar.into_iter().for_each(|role| self.names(role, false));
            if place == "constraint" || place == "parameter_constraint" {
                self.constraints();
            }
            if place == "operator" {
                for (name, _) in keywords::OPERATORS {
                    self.add(name, None, "", false);
                }
            }
            if place == "kind" {
                for (name, _) in keywords::KINDS {
                    self.add(name, None, "", false);
                }
            }
            return;
        }
        if let Some((role, _)) = shape.keys {
            self.names(role, true);
        }
        for keyword in shape.keywords.iter().flat_map(|table| table.iter()) {
            self.add(keyword.name, None, keyword.description, true);
        }
    }

    fn constraints(&mut self) {
        for form in constraint::documented_types() {
            self.add(form.example, None, form.meaning, false);
        }
    }

    /// Adds the names that fit a role.
    fn names(&mut self, role: NameRole, is_key: bool) {
        let Some(ast) = self.known else { return };
        let role = match role {
            NameRole::Argument | NameRole::Constraint => match self.context.tested {
                Some(tested) => tested,
                None => return,
            },
            role => role,
        };
        match role {
            NameRole::Team => {
                ast.teams.iter().for_each(|team| self.add(&*team.text, Some(SymbolKind::Team), "", is_key));
            }
            NameRole::Node => {
                ast.nodes.iter().for_each(|node| self.add(&*node.text, Some(SymbolKind::Node), "", is_key));
            }
            NameRole::Action => {
                let names = ast.actions.iter().map(|action| &*action.name.text);
                names.chain([NOTHING_ACTION]).for_each(|name| self.add(name, Some(SymbolKind::Action), "", is_key));
            }
            NameRole::NewAction => {
                let choices = ast.action_space.iter().flat_map(|space| &space.choices);
                choices.for_each(|choice| self.add(&*choice.action.text, Some(SymbolKind::Action), "", is_key));
            }
            NameRole::NewResource => {
                self.add("observable", Some(SymbolKind::Resource), "The teams that see the node.", is_key);
            }
            NameRole::Field | NameRole::StateField | NameRole::Target => self.fields(ast, role, is_key),
            _ => {}
        }
    }

    fn fields(&mut self, ast: &ast::Game, role: NameRole, is_key: bool) {
        let kind = Some(SymbolKind::Resource);
        let all = ast.resources.iter().flat_map(|space| space.resources.iter().map(move |own| (&space.node, own)));
        if self.context.in_node_filter {
            for name in all.map(|(_, own)| own.name.text.to_string()).chain(["_node".to_owned()]) {
                self.add(name, kind, "", is_key);
            }
            return;
        }
        if self.context.has_vector && role != NameRole::StateField {
            for (_, own) in all.clone() {
                for end in ["_target", "_source"] {
                    self.add(format!("{end}.{}", own.name.text), kind, "", is_key);
                }
            }
        }
        for (node, own) in all {
            self.add(format!("{}.{}", node.text, own.name.text), kind, &own.constraint.text, is_key);
        }
    }
}
