//! A picture of the crates of the workspace and of the dependencies between them, for the book.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::{CommandResult, root};

/// The picture, relative to the root of the repository.
const PICTURE: &str = "docs/src/images/crates.svg";

/// Crates that no released crate depends on.
const DEVELOPMENT: [&str; 2] = ["testing", "xtask"];

const BOX: [f64; 2] = [124.0, 34.0];
const GAP: [f64; 2] = [18.0, 64.0];
const MARGIN: f64 = 16.0;

/// The direct dependencies of each crate on crates of the workspace, by short names such as `core`.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Writes the picture, or checks that it is up to date.
pub(crate) fn crates(arguments: &[String]) -> CommandResult {
    let picture = draw(&read(&root())?);
    let path = root().join(PICTURE);
    if arguments.iter().any(|argument| argument == "--check") {
        let current = fs::read_to_string(&path).unwrap_or_default();
        return if current == picture {
            Ok(())
        } else {
            Err(format!("{PICTURE} is outdated: run `cargo xtask crates`"))
        };
    }
    fs::write(&path, picture).map_err(|error| format!("{PICTURE}: {error}"))
}

/// Reads the dependencies from the manifests of the workspace.
fn read(root: &Path) -> Result<Graph, String> {
    let text = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let mut graph = Graph::new();
    let members = text(&root.join("Cargo.toml"))?;
    for member in members.lines().filter_map(|line| line.trim().strip_prefix("\"crates/")) {
        let member = member.trim_end_matches([',', '"']);
        let name = member.rsplit('/').next().unwrap_or(member);
        if DEVELOPMENT.contains(&name) {
            continue;
        }
        let manifest = text(&root.join("crates").join(member).join("Cargo.toml"))?;
        let dependencies = manifest.split("\n[").filter(|section| {
            section.starts_with("dependencies]")
                || (section.starts_with("target.") && section.contains(".dependencies]"))
        });
        let crate_names = dependencies.flat_map(str::lines).filter_map(|line| line.strip_prefix("goalspec"));
        let crate_names = crate_names.map(|rest| match rest.strip_prefix('-') {
            Some(rest) => rest.split(['.', ' ']).next().unwrap_or_default().to_owned(),
            None => "goalspec".to_owned(),
        });
        graph.insert(name.to_owned(), crate_names.collect());
    }
    Ok(graph)
}

/// Returns the layer of each crate: one above the highest of its dependencies.
fn layers(graph: &Graph) -> BTreeMap<&str, usize> {
    let mut layers: BTreeMap<&str, usize> = graph.keys().map(|name| (&**name, 0)).collect();
    // A dependency graph has no cycles, so layers settle after as many rounds as there are crates.
    for _ in 0..graph.len() {
        for (name, uses) in graph {
            let above = uses.iter().filter_map(|used| layers.get(&**used)).max().map_or(0, |layer| layer + 1);
            layers.insert(name, above);
        }
    }
    layers
}

/// Returns the dependencies that no other dependency implies.
fn reduced(graph: &Graph) -> Vec<(&str, &str)> {
    fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
        graph.get(from).is_some_and(|uses| uses.contains(to) || uses.iter().any(|used| reaches(graph, used, to)))
    }
    let mut edges = Vec::new();
    for (name, uses) in graph {
        for used in uses {
            let implied = uses.iter().any(|other| other != used && reaches(graph, other, used));
            if !implied {
                edges.push((&**name, &**used));
            }
        }
    }
    edges
}

/// Draws the crates in layers, the highest layer at the top, with the dependencies that no other one implies.
fn draw(graph: &Graph) -> String {
    let layers = layers(graph);
    let highest = layers.values().max().copied().unwrap_or(0);
    let rows: Vec<Vec<&str>> = (0..=highest)
        .rev()
        .map(|layer| layers.iter().filter(|(_, own)| **own == layer).map(|(name, _)| *name).collect())
        .collect();
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let width = widest * (BOX[0] + GAP[0]) - GAP[0] + 2.0 * MARGIN;
    let height = rows.len() as f64 * (BOX[1] + GAP[1]) - GAP[1] + 2.0 * MARGIN;
    let mut centers: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for (row, names) in rows.iter().enumerate() {
        let own = names.len() as f64 * (BOX[0] + GAP[0]) - GAP[0];
        for (column, name) in names.iter().enumerate() {
            let x = (width - own) / 2.0 + column as f64 * (BOX[0] + GAP[0]) + BOX[0] / 2.0;
            centers.insert(name, [x, MARGIN + row as f64 * (BOX[1] + GAP[1]) + BOX[1] / 2.0]);
        }
    }
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>The crates of goalspec; each depends on those below it that lines lead to</title>\n"
    );
    for (from, to) in reduced(graph) {
        let ([x0, y0], Some([x1, y1])) = (centers[from], centers.get(to)) else { continue };
        let (top, bottom) = (y0 + BOX[1] / 2.0, y1 - BOX[1] / 2.0);
        let middle = f64::midpoint(top, bottom);
        let _ = writeln!(
            out,
            "<path d=\"M{x0:.0} {top:.0} C{x0:.0} {middle:.0} {x1:.0} {middle:.0} {x1:.0} {bottom:.0}\" fill=\"none\" stroke=\"#8a8a8a\"/>"
        );
    }
    for (name, [x, y]) in centers {
        let (left, top) = (x - BOX[0] / 2.0, y - BOX[1] / 2.0);
        let _ = writeln!(
            out,
            "<rect x=\"{left:.0}\" y=\"{top:.0}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"#f4f7fb\" stroke=\"#0072B2\"/>\n\
             <text x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#1b1b1b\">{name}</text>",
            BOX[0],
            BOX[1],
            y + 4.5
        );
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Graph, crates, layers, read, reduced};
    use crate::root;

    fn graph(edges: &[(&str, &[&str])]) -> Graph {
        edges
            .iter()
            .map(|(name, uses)| ((*name).to_owned(), uses.iter().map(|used| (*used).to_owned()).collect()))
            .collect()
    }

    #[test]
    fn layers_and_implied_dependencies() {
        let graph = graph(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"])]);
        assert_eq!(layers(&graph)["c"], 2);
        assert_eq!(reduced(&graph), [("b", "a"), ("c", "b")]);
    }

    #[test]
    fn the_core_does_not_depend_on_languages_or_engines() {
        let graph = read(&root()).unwrap();
        assert_eq!(graph["core"].iter().collect::<Vec<_>>(), ["syntax"]);
        assert!(graph["draw"].is_empty(), "pictures are drawn from plain data");
        for language in ["game", "bddl", "pddl", "rgg", "reward"] {
            let foreign = [
                "game",
                "bddl",
                "pddl",
                "rgg",
                "reward",
                "generator",
                "monitor",
                "planner",
                "simulator",
                "python-runtime",
            ];
            // Reward functions are compiled to the instructions of their runtime.
            let is_own_runtime = |used: &str| language == "reward" && used == "python-runtime";
            assert!(
                !graph[language].iter().any(|used| foreign.contains(&&**used) && !is_own_runtime(used)),
                "{language}: {:?}",
                graph[language]
            );
        }
        for engine in ["generator", "monitor", "planner", "simulator", "python-runtime"] {
            let languages = ["game", "bddl", "pddl", "rgg", "reward"];
            assert!(!graph[engine].iter().any(|used| languages.contains(&&**used)), "{engine}: {:?}", graph[engine]);
        }
    }

    #[test]
    fn the_picture_in_the_book_is_up_to_date() {
        assert_eq!(crates(&["--check".to_owned()]), Ok(()));
    }
    #[test]
    fn the_architecture_page_has_every_crate_and_names_existing_files() {
        let page = std::fs::read_to_string(root().join("docs/src/architecture.md")).unwrap();
        let (before, changes) = page.split_once("## Typical changes").unwrap();
        for name in read(&root()).unwrap().keys() {
            let is_row = |line: &str| line.starts_with('|') && line.contains(&format!("`{name}`"));
            assert!(before.lines().any(is_row), "`{name}` is in no row of the page");
        }
        let mut named = 0;
        for files in changes.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.split('|').nth(2)) {
            for list in files.split("; ") {
                let mut folder = "";
                let mut rest = list;
                while let Some((_, after)) = rest.split_once('`') {
                    let Some((name, after)) = after.split_once('`') else { break };
                    rest = after;
                    if name.ends_with('/') || Path::new(name).extension().is_some_and(|extension| extension == "rs") {
                        let path = root().join("crates").join(folder).join(name);
                        assert!(path.exists(), "{} does not exist", path.display());
                        named += 1;
                    }
                    if rest.starts_with(':') {
                        folder = name;
                    }
                }
            }
        }
        assert!(named > 25, "{named}");
    }
}
