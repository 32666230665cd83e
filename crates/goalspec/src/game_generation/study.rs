//! Sheets for people who rate games: sets of games in a random order without their names, the key to them, and a table that tells whether the
//! sets are alike in size and fitness.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec_game::Dialect;
use goalspec_game::describe::english;
use goalspec_generation::game::evolution::GameJudge;
use goalspec_generator::RandomStream;
use goalspec_generator::tree::Tree;
use goalspec_syntax::Sources;
use serde_json::{Value, json};

use super::{GameGeneration, GenerationError, NamedGame};

/// The questions about each game, answered from 1 to 5, in the manner of the published study of generated games (Davidson et al. 2024).
pub const QUESTIONS: [(&str, &str); 7] = [
    ("understanding", "How well do you understand this game?"),
    ("fun_to_play", "How much fun would it be to play?"),
    ("fun_to_watch", "How much fun would it be to watch?"),
    ("learning", "How much would playing it help somebody to learn to act in the room?"),
    ("difficulty", "How difficult is it? (1: much too easy, 3: right, 5: much too hard)"),
    ("creativity", "How creative is it?"),
    ("human_likeness", "How much is it like a game that a person would think of?"),
];

/// A game of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyItem {
    /// The name of its set.
    pub set: Arc<str>,
    /// The name of the game.
    pub name: Arc<str>,
    /// Its description, without its name.
    pub words: String,
    /// The number of its nodes.
    pub nodes: usize,
    /// Its fitness.
    pub fitness: f64,
    /// The archive cell; `None` if the archive does not admit it.
    pub cell: Option<Vec<i32>>,
}

/// The mean and the standard deviation of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the sample; 0 for a single value.
    pub deviation: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Self {
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let deviation = if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        Self { mean, deviation }
    }

    fn json(self) -> Value {
        json!({ "mean": self.mean, "deviation": self.deviation })
    }
}

/// The sizes and the fitness of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct SetBalance {
    /// The name of the set.
    pub set: Arc<str>,
    /// The number of games.
    pub games: usize,
    /// The number of nodes.
    pub nodes: Spread,
    /// The number of words of the description.
    pub words: Spread,
    /// The fitness.
    pub fitness: Spread,
}

/// A study: games in the order in which they are rated.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The games. Their numbers on the sheet count from 1.
    pub items: Vec<StudyItem>,
}

/// Returns a game as an item of a set.
///
/// # Errors
/// If the generator does not represent the game.
pub fn item(
    generation: &mut GameGeneration,
    judge: &GameJudge,
    set: &Arc<str>,
    game: &NamedGame<'_>,
) -> Result<StudyItem, GenerationError> {
    let tree = generation.read(game)?;
    let evaluation = judge.evaluate(generation.generator(), &tree);
    let words = anonymous_words(generation, &tree);
    let nodes = generation.generator().nodes(&tree);
    // A game of the corpus resembles itself, so it is judged as if it were not part of it.
    let is_in_corpus = generation.generator().corpus().contains(&tree);
    let fitness = if is_in_corpus { judge.held_out_fitness(generation.generator(), &tree) } else { evaluation.fitness };
    let cell = evaluation.cell;
    Ok(StudyItem { set: set.clone(), name: game.name.clone(), words, nodes, fitness, cell })
}

/// Returns the description of a game whose variables and preferences are numbered, since their names tell who wrote it.
fn anonymous_words(generation: &GameGeneration, tree: &Tree) -> String {
    let generator = generation.generator();
    let text = generator.text(&generator.anonymous(tree), "game");
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let parsed = goalspec_game::parse::parse(sources.file(id));
    let described = parsed.games.first().map(|game| english(game, generation.world(), Dialect::FORMAL));
    // The first line names the game.
    described.as_deref().and_then(|words| words.split_once('\n')).map_or("", |(_, rest)| rest).trim().to_owned()
}

impl Study {
    /// Creates a study with the games in an order that the seed determines.
    pub fn new(mut items: Vec<StudyItem>, seed: u64) -> Self {
        let mut stream = RandomStream::new(seed, 0);
        for place in (1..items.len()).rev() {
            items.swap(place, stream.below(place as u64 + 1) as usize);
        }
        Self { items }
    }

    /// Returns the sizes and the fitness of each set, in the order of the names.
    pub fn balance(&self) -> Vec<SetBalance> {
        let mut sets: Vec<&Arc<str>> = self.items.iter().map(|item| &item.set).collect();
        sets.sort_unstable();
        sets.dedup();
        let of_set = |set: &Arc<str>| {
            let items: Vec<&StudyItem> = self.items.iter().filter(|item| item.set == *set).collect();
            let spread = |value: &dyn Fn(&StudyItem) -> f64| {
                Spread::of(&items.iter().map(|item| value(item)).collect::<Vec<_>>())
            };
            SetBalance {
                set: set.clone(),
                games: items.len(),
                nodes: spread(&|item| item.nodes as f64),
                words: spread(&|item| item.words.split_whitespace().count() as f64),
                fitness: spread(&|item| item.fitness),
            }
        };
        sets.into_iter().map(of_set).collect()
    }

    /// Returns the sheet for raters as CSV: a line for each game, with a column for each question.
    pub fn sheet_csv(&self) -> String {
        let mut text = String::from("number,description");
        for (name, _) in QUESTIONS {
            let _ = write!(text, ",{name}");
        }
        text.push('\n');
        for (place, item) in self.items.iter().enumerate() {
            let _ = write!(text, "{},{}", place + 1, csv_cell(&item.words));
            text.push_str(&",".repeat(QUESTIONS.len()));
            text.push('\n');
        }
        text
    }

    /// Returns the key as CSV: the set, the name, the size, the fitness and the cell of each number.
    pub fn key_csv(&self) -> String {
        let mut text = String::from("number,set,name,nodes,fitness,cell\n");
        for (place, item) in self.items.iter().enumerate() {
            let cell = item
                .cell
                .as_ref()
                .map_or_else(String::new, |cell| cell.iter().map(i32::to_string).collect::<Vec<_>>().join(" "));
            let (set, name) = (csv_cell(&item.set), csv_cell(&item.name));
            let _ = writeln!(text, "{},{set},{name},{},{},{cell}", place + 1, item.nodes, item.fitness);
        }
        text
    }

    /// Returns the sheet for raters as a page to be printed or filled in. It loads nothing and has no scripts.
    pub fn sheet_html(&self, title: &str) -> String {
        let mut text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>{STYLE}</style>\n</head>\n\
             <body>\n<h1>{0}</h1>\n<p>Rate each game from 1 (not at all) to 5 (very much).</p>\n",
            html(title)
        );
        for (place, item) in self.items.iter().enumerate() {
            let number = place + 1;
            let _ = writeln!(text, "<section>\n<h2>Game {number}</h2>\n<pre>{}</pre>", html(&item.words));
            for (name, question) in QUESTIONS {
                let _ = write!(text, "<fieldset><legend>{}</legend>", html(question));
                for value in 1..=5 {
                    let _ = write!(
                        text,
                        "<label><input type=\"radio\" name=\"{name}-{number}\" value=\"{value}\"> {value}</label>"
                    );
                }
                text.push_str("</fieldset>\n");
            }
            text.push_str("</section>\n");
        }
        text.push_str("</body>\n</html>\n");
        text
    }
}

/// Returns a balance table as JSON.
pub fn balance_json(balance: &[SetBalance]) -> Value {
    let record = |own: &SetBalance| {
        json!({
            "set": &*own.set,
            "games": own.games,
            "nodes": own.nodes.json(),
            "words": own.words.json(),
            "fitness": own.fitness.json(),
        })
    };
    json!({ "format": "goalspec-study-1", "sets": balance.iter().map(record).collect::<Vec<_>>() })
}

/// The layout of the page.
const STYLE: &str = "body{font:16px/1.4 sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}section{break-inside:avoid;\
border-top:1px solid #888;padding:1rem 0}pre{white-space:pre-wrap;font:inherit}fieldset{border:0;padding:.3rem 0;margin:0}\
legend{padding:0}label{margin-right:1.2rem}";

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a cell of a CSV file. A spreadsheet takes a text that begins with one of some signs for a formula, so it gets a space before it.
fn csv_cell(text: &str) -> String {
    let guarded = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!(" {text}") } else { text.to_owned() };
    format!("\"{}\"", guarded.replace('"', "\"\""))
}
