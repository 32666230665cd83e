//! The page of the shipped worlds, which is generated from their vocabularies.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use goalspec::core::ids::{ObjectId, TypeId};
use goalspec::core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec::core::world::{Parameter, World};
use goalspec::rewards::{screen_worlds, shipped_worlds};

use super::generated;

/// A table of a world: its title, the names of its columns and its rows.
struct Table {
    title: &'static str,
    header: &'static [&'static str],
    rows: Vec<String>,
}

impl Table {
    fn new(title: &'static str, header: &'static [&'static str], rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        let cells = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        Self { title, header, rows: rows.into_iter().map(cells).collect() }
    }

    /// Appends the rows for which `is_shown`, with the heading; nothing if there are none.
    fn write(&self, heading: &str, is_shown: impl Fn(&String) -> bool, page: &mut String) {
        let rows: Vec<&String> = self.rows.iter().filter(|row| is_shown(row)).collect();
        if rows.is_empty() {
            return;
        }
        let line = "---|".repeat(self.header.len());
        let _ = writeln!(page, "{heading}\n\n| {} |\n|{line}", self.header.join(" | "));
        for row in rows {
            let _ = writeln!(page, "{row}");
        }
        page.push('\n');
    }
}

/// Returns a text as code in a cell of a table; nothing for an empty text.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", cell(text)) }
}

/// Returns a text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Returns the names of some types as code.
fn names(world: &World, types: &[TypeId]) -> String {
    types.iter().map(|&id| code(&world.type_decl(id).name)).collect::<Vec<_>>().join(", ")
}

/// Returns a predicate or function with the types of its arguments, as `goalspec describe` writes them.
fn signature(world: &World, name: &str, parameters: &[Parameter]) -> String {
    let arguments = parameters.iter().map(|parameter| {
        let types: Vec<&str> = parameter.types.iter().map(|&id| &*world.type_decl(id).name).collect();
        let types = format!("{}{}", types.join("|"), if parameter.accepts_type { "|TYPE" } else { "" });
        if parameter.optional { format!(" [{types}]") } else { format!(" {types}") }
    });
    code(&format!("({name}{})", arguments.collect::<String>()))
}

/// Returns the documentation of a predicate or function, with the reason if the world does not have it.
fn meaning(doc: &str, unavailable: Option<&str>) -> String {
    let reason = unavailable.map_or_else(String::new, |reason| format!("not available: {reason}"));
    let parts: Vec<&str> = [doc, &reason].into_iter().filter(|part| !part.is_empty()).collect();
    cell(&parts.join("; "))
}

fn types(world: &World) -> Table {
    let row = |(index, decl): (usize, &goalspec::core::world::TypeDecl)| {
        let id = TypeId::from(index);
        let own = world.attributes().iter().filter(|attribute| attribute.types.contains(&id));
        let attributes: Vec<String> = own.map(|attribute| code(&attribute.name)).collect();
        vec![code(&decl.name), names(world, &decl.parents), attributes.join(", "), cell(&decl.doc)]
    };
    let rows = world.types().iter().enumerate().map(row);
    Table::new("Types", &["type", "supertypes", "attributes of its own", "meaning"], rows)
}

fn attributes(world: &World) -> Table {
    let rows = world.attributes().iter().map(|attribute| {
        let required = if attribute.required { "yes" } else { "" };
        vec![
            code(&attribute.name),
            code(attribute.kind.name()),
            names(world, &attribute.types),
            required.to_owned(),
            cell(&attribute.doc),
        ]
    });
    Table::new("Attributes", &["attribute", "kind", "of", "required", "meaning"], rows)
}

fn predicates(world: &World) -> Table {
    let mut all: Vec<_> = world.predicates().iter().collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    let rows = all.into_iter().map(|decl| {
        let unavailable = match &decl.definition {
            PredicateDefinition::Unavailable(reason) => Some(&**reason),
            _ => None,
        };
        vec![signature(world, &decl.name, &decl.parameters), cell(&decl.phrase), meaning(&decl.doc, unavailable)]
    });
    Table::new("Predicates", &["predicate", "phrase", "meaning"], rows)
}

fn functions(world: &World) -> Table {
    let mut all: Vec<_> = world.functions().iter().collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    let rows = all.into_iter().map(|decl| {
        let unavailable = match &decl.definition {
            FunctionDefinition::Unavailable(reason) => Some(&**reason),
            _ => None,
        };
        vec![signature(world, &decl.name, &decl.parameters), cell(&decl.phrase), meaning(&decl.doc, unavailable)]
    });
    Table::new("Functions", &["function", "phrase", "meaning"], rows)
}

/// Returns the objects by their most specific types: how many there are, and the names that programs use for them.
fn objects(world: &World) -> Table {
    let mut of_types: BTreeMap<String, Vec<ObjectId>> = BTreeMap::new();
    for id in world.object_ids() {
        of_types.entry(names(world, &world.object_decl(id).types)).or_default().push(id);
    }
    let rows = of_types.into_iter().map(|(types, objects)| {
        let mut named: Vec<&str> =
            world.program_names().filter(|(_, object)| objects.contains(object)).map(|(name, _)| name).collect();
        named.sort_unstable();
        let named: Vec<String> = named.into_iter().map(code).collect();
        vec![types, objects.len().to_string(), named.join(", ")]
    });
    Table::new("Objects", &["type", "objects", "names in programs"], rows)
}

fn tables(world: &World) -> [Table; 5] {
    [types(world), attributes(world), predicates(world), functions(world), objects(world)]
}

/// Appends a group of worlds: the rows that all of them have, and those of each world.
fn write_group([title, noun]: [&str; 2], introduction: &str, worlds: &[Arc<World>], page: &mut String) {
    let all: Vec<[Table; 5]> = worlds.iter().map(|world| tables(world)).collect();
    let listed: Vec<String> = worlds.iter().map(|world| code(world.name())).collect();
    let _ = writeln!(page, "## {title}\n\n{introduction} Worlds: {}.\n", listed.join(", "));
    let is_common = |table: usize, row: &String| all.iter().all(|tables: &[Table; 5]| tables[table].rows.contains(row));
    for (number, table) in all[0].iter().enumerate() {
        table.write(&format!("### {} of all {}", table.title, noun), |row| is_common(number, row), page);
    }
    for (world, tables) in worlds.iter().zip(&all) {
        let _ = writeln!(page, "### {}\n", world.name());
        for (number, table) in tables.iter().enumerate() {
            table.write(&format!("{}:", table.title), |row| !is_common(number, row), page);
        }
    }
}

/// Every shipped world has its types with their attributes, its predicates, functions and objects on the page.
#[test]
fn the_page_of_the_shipped_worlds_is_current() {
    let worlds: Vec<Arc<World>> =
        shipped_worlds::names().map(|name| shipped_worlds::find(name).expect("a shipped world can be read")).collect();
    let is_screen = |world: &Arc<World>| screen_worlds::builtin(world.name()).is_some();
    let (screens, rooms): (Vec<_>, Vec<_>) = worlds.into_iter().partition(is_screen);
    let mut content = String::new();
    let introduction = "Bedrooms in which people played the games of the published corpus. They differ in their objects. Lengths are metres, \
        angles degrees; x runs east, y up and z north.";
    write_group(["Rooms", "rooms"], introduction, &rooms, &mut content);
    let introduction = "Their screens. Lengths are pixels: the screen is 160 wide and 210 high, x grows to the right and y downwards. An \
        object that is not on the screen is absent.";
    write_group(["Atari games", "screens"], introduction, &screens, &mut content);
    generated("shipped-worlds.md", &content);
}
