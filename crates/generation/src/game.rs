//! Games: their grammar over the vocabulary of a world, the conversion between programs and trees, features, and generation.
//!
//! | module | contents |
//! |---|---|
//! | [`vocabulary`] | the names that games over a world use |
//! | [`rules`] | the grammar |
//! | [`read`] | syntax trees as trees of the generator |
//! | [`categories`] | categories of objects |
//! | [`features`] | features of games |
//! | [`characteristics`] | the cells of archives |
//! | [`archive_spec`] | characteristics as TOML |
//! | `slots` | the choices for arguments |
//! | `possible` | the arguments of which predicates can hold |
//! | `bind` | the choice of names |
//! | [`generator`] | draws of games |
//! | [`training`] | the fit of fitness models |
//! | [`untyped`] | the sampler of the published program |
//! | [`variation`] | operators on games |
//! | [`evidence`] | what recorded plays show of predicates |
//! | [`operator_success`] | the success of operators in an evolution |
//! | [`evolution`] | archives of games |
//! | [`likeness`] | games of the shape of an example |
//! | [`archive_file`] | archives as JSON lines |

pub mod archive_file;
pub mod archive_spec;
mod bind;
pub mod categories;
pub mod characteristics;
pub mod evidence;
pub mod evolution;
pub mod features;
pub mod generator;
pub mod likeness;
pub mod operator_success;
mod possible;
pub mod read;
pub mod rules;
mod slots;
pub mod training;
pub mod untyped;
pub mod variation;
pub mod vocabulary;

use goalspec_core::ids::TypeId;
use goalspec_core::world::World;
use goalspec_game::ast::Game;
use goalspec_generator::grammar::{Grammar, Symbol, TokenSource, Tokens};
use goalspec_generator::tree::{self, Tree, TreeBuilder};

use categories::Category;
pub use read::UnsupportedConstruct;
use rules::Rule;
pub use vocabulary::Vocabulary;

/// The grammar of games over the vocabulary of a world.
#[derive(Debug, Clone)]
pub struct GameGrammar {
    vocabulary: Vocabulary,
    grammar: Grammar,
    /// The place in the type hierarchy of each token that names a type or an object, by the number of the token.
    names: Vec<Option<NameInfo>>,
}

/// The place of a name in the type hierarchy.
#[derive(Debug, Clone, Default)]
struct NameInfo {
    parent: Option<Symbol>,
    category: Option<Category>,
    /// All supertypes, the nearest first; of an object, its types too.
    ancestors: Vec<Symbol>,
}

/// The most general types, which are no one's supertype as far as features are concerned.
const GENERAL_TYPES: [&str; 4] = ["body", "thing", "game_object", "feature"];

impl GameGrammar {
    /// Creates the grammar of games over a world. The tokens that it offers are added to `tokens`.
    pub fn new(world: &World, tokens: &mut Tokens) -> Self {
        let vocabulary = Vocabulary::of(world);
        let grammar = rules::grammar(&vocabulary, tokens);
        let names = names(world, tokens);
        Self { vocabulary, grammar, names }
    }

    /// Returns the direct supertype of a type, unless it is one of the most general types.
    pub fn parent(&self, name: Symbol) -> Option<Symbol> {
        self.name(name)?.parent
    }

    /// Returns all supertypes of a type, the nearest first; of a named object, its types too.
    pub fn ancestors(&self, name: Symbol) -> &[Symbol] {
        self.name(name).map_or(&[], |info| &info.ancestors)
    }

    fn name(&self, name: Symbol) -> Option<&NameInfo> {
        if name.is_token() { self.names.get(name.index())?.as_ref() } else { None }
    }

    /// Returns the constants of a rule: the names of objects, types, colours, orientations or sides, or the numbers.
    pub fn constants(&self, rule: Rule) -> &[Symbol] {
        match self.grammar.fields(rule.symbol()).first().map(|field| &field.tokens) {
            Some(TokenSource::Closed(tokens)) => tokens,
            _ => &[],
        }
    }

    /// Returns whether a name is the type of colours.
    pub(crate) fn is_color_type(&self, name: Symbol) -> bool {
        self.constants(Rule::ColorType).contains(&name)
    }

    /// Returns the category of a type or of a named object.
    pub fn category(&self, name: Symbol) -> Option<Category> {
        self.name(name)?.category
    }

    /// Returns the vocabulary.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the kinds of nodes.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Returns the tree of a game.
    ///
    /// # Errors
    /// Returns the first construct that the grammar lacks.
    pub fn read(&self, game: &Game, tokens: &mut Tokens) -> Result<Tree, UnsupportedConstruct> {
        read::Reader { vocabulary: &self.vocabulary, tokens, tree: TreeBuilder::default() }.game(game)
    }

    /// Returns the text of a game, on one line.
    pub fn text(&self, tree: &Tree, tokens: &Tokens) -> String {
        if tree.is_empty() { String::new() } else { tree::text(&self.grammar, tokens, tree, 0) }
    }
}

/// Returns the place of every type and named object of a world in its type hierarchy.
fn names(world: &World, tokens: &mut Tokens) -> Vec<Option<NameInfo>> {
    let mut names: Vec<Option<NameInfo>> = Vec::new();
    let mut set = |name: Symbol, info: NameInfo| {
        names.resize(names.len().max(name.index() + 1), None);
        names[name.index()] = Some(info);
    };
    let lineage = |id: TypeId| {
        let mut ids = vec![id];
        let mut next = 0;
        while let Some(&id) = ids.get(next) {
            for &parent in &world.type_decl(id).parents {
                if !ids.contains(&parent) {
                    ids.push(parent);
                }
            }
            next += 1;
        }
        ids.into_iter().map(|id| &*world.type_decl(id).name)
    };
    for (name, object) in world.program_names() {
        let types = &world.object_decl(object).types;
        let category = Category::of(std::iter::once(name).chain(types.iter().flat_map(|&id| lineage(id))));
        let parent = types.first().map(|&id| tokens.intern(&world.type_decl(id).name));
        let ancestors = types.iter().flat_map(|&id| lineage(id)).map(|name| tokens.intern(name)).collect();
        set(tokens.intern(name), NameInfo { parent, category, ancestors });
    }
    for index in 0..world.types().len() {
        let id = TypeId::from(index);
        let decl = world.type_decl(id);
        let parent = decl.parents.iter().map(|&id| &*world.type_decl(id).name);
        let parent = parent.into_iter().find(|name| !GENERAL_TYPES.contains(name));
        let parent = parent.map(|name| tokens.intern(name));
        let category = Category::of(lineage(id));
        let ancestors = lineage(id).skip(1).map(|name| tokens.intern(name)).collect();
        set(tokens.intern(&decl.name), NameInfo { parent, category, ancestors });
    }
    names
}
