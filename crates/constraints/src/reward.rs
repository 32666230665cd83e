//! Constraints on reward functions: a part of Python in canonical layout, with blocks nested at most six deep.
//!
//! Python's indentation is not context free, so the rules of blocks are repeated for each depth. Comments are not derived.

use goalspec_grammar::expression::{choice, literal, name, one_of, optional, repeat, sequence};
use goalspec_grammar::pattern::{self, Pattern};
use goalspec_grammar::schema;
use goalspec_grammar::{Definition, Expression, Grammar, JsonSchema};

use crate::constraint::{ExportError, Layout, OutputConstraint};
use crate::header::Header;
use crate::tree::TreeForm;

/// The maximum nesting depth of blocks in exports.
pub const MAX_BLOCKS: usize = 6;

/// The keywords of Python, which are not names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The properties that exports do not guarantee.
const OPEN: [&str; 5] = [
    "names are defined, and parameters of a function differ",
    "attributes exist, and values have suitable types",
    "one function is the reward function",
    "the function ends, and returns a number",
    "the reward is that of the words",
];

/// Same as [`OPEN`], for a vocabulary with attributes.
const OPEN_OF_WORLD: [&str; 5] =
    [OPEN[0], "objects have the attributes, and values have suitable types", OPEN[2], OPEN[3], OPEN[4]];

/// The names of a world that reward functions use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RewardVocabulary {
    /// The game whose classes are imported, such as `pong`; with `None`, any game.
    pub game: Option<String>,
    /// The attributes of objects and the methods of built-in classes; any names if empty.
    pub attributes: Vec<String>,
}

/// Returns the constraint on reward functions with a vocabulary.
///
/// # Errors
/// If the game or an attribute is no name of Python.
pub fn constraint(vocabulary: &RewardVocabulary) -> Result<OutputConstraint, ExportError> {
    let game = vocabulary.game.as_deref();
    let names = game.iter().map(|game| format!("game {game}"));
    let names = names.chain(vocabulary.attributes.iter().map(|name| format!("attribute {name}")));
    let bound = format!("blocks are nested at most {MAX_BLOCKS} deep");
    let bounds = [&*bound, "no comments and docstrings"];
    let open = if vocabulary.attributes.is_empty() { OPEN } else { OPEN_OF_WORLD };
    let header = Header {
        language: "reward function",
        dialect: "Python, tier A",
        vocabulary: names.collect(),
        bounds: &bounds,
        open: &open,
    };
    let comment = header.lines();
    let mut rules: Vec<(String, Expression)> = vec![
        ("root".to_owned(), sequence([optional(name("imp")), repeat(name("def1"), 1, None)])),
        ("imp".to_owned(), import(game)),
    ];
    rules.extend(blocks());
    rules.extend(statements().into_iter().map(|(name, body)| (name.to_owned(), body)));
    let attribute = match vocabulary.attributes.as_slice() {
        [] => name("n"),
        attributes => one_of(attributes.iter().map(String::as_str)),
    };
    rules.push(("attr".to_owned(), sequence([literal("."), attribute])));
    rules.extend(expressions().into_iter().map(|(name, body)| (name.to_owned(), body)));
    let rules = rules.iter().map(|(name, body)| (name.as_str(), Definition::Rule(body.clone())));
    let patterns = patterns().map(|(name, pattern)| (name, Definition::Pattern(pattern)));
    let schema = JsonSchema::new(schema::envelope(&comment.join("; "), false))?;
    let grammar = Grammar::new(comment, rules.chain(patterns))?;
    Ok(OutputConstraint {
        name: "reward",
        grammar: Some(grammar),
        schema,
        tree: TreeForm::Envelope,
        layout: Layout::Plain,
    })
}

/// Returns words with blanks between them; operators of several words, such as `not in`, too.
fn words(words: &str) -> Expression {
    goalspec_grammar::expression::phrase(words)
}

/// Returns parts with a comma and a blank between them.
fn commas(part: Expression, min: u32) -> Expression {
    let further = sequence([literal(","), literal(" "), part.clone()]);
    sequence([part, repeat(further, min.saturating_sub(1), None)])
}

/// Returns a keyword with an expression after it.
fn after(keyword: &str, rest: impl IntoIterator<Item = Expression>) -> Expression {
    sequence([literal(keyword), literal(" ")].into_iter().chain(rest))
}

fn import(game: Option<&str>) -> Expression {
    let module = game.map_or_else(|| name("n"), literal);
    let path = [literal("ocatari"), literal("."), literal("ram"), literal("."), module];
    sequence([after("from", path), literal(" "), literal("import"), literal(" "), literal("*"), literal("\n")])
}

/// Returns the rules of functions and blocks of each depth, inside of loops and outside.
fn blocks() -> Vec<(String, Expression)> {
    let mut rules = Vec::new();
    for depth in 1..=MAX_BLOCKS {
        let inner = |kind: &str| name(&format!("{kind}{}", depth + 1));
        let indent = name(&format!("ind{depth}"));
        let colon = || [literal(":"), literal("\n")];
        let head = |keyword: &str, block: &str| {
            sequence([after(keyword, [name("x")])].into_iter().chain(colon()).chain([inner(block)]))
        };
        let header = [name("n"), literal("("), optional(name("params")), literal(")"), optional(name("ret"))];
        rules.push((
            format!("def{depth}"),
            sequence([after("def", header)].into_iter().chain(colon()).chain([name(&format!("block{depth}"))])),
        ));
        for (block, statement) in [("block", "simple"), ("loop", "inloop")] {
            let mut alternatives = vec![sequence([name(statement), literal("\n")])];
            if depth < MAX_BLOCKS {
                let elif = sequence([indent.clone(), head("elif", block)]);
                let otherwise =
                    sequence([indent.clone(), literal("else")].into_iter().chain(colon()).chain([inner(block)]));
                alternatives.push(sequence([head("if", block), repeat(elif, 0, None), optional(otherwise)]));
                let target = [name("target"), literal(" "), literal("in"), literal(" "), name("e")];
                alternatives.push(sequence([after("for", target)].into_iter().chain(colon()).chain([inner("loop")])));
                alternatives.push(inner("def"));
            }
            let body = repeat(sequence([indent.clone(), choice(alternatives)]), 1, None);
            rules.push((format!("{block}{depth}"), body));
        }
        rules.push((format!("ind{depth}"), literal(&"    ".repeat(depth))));
    }
    rules
}

fn statements() -> Vec<(&'static str, Expression)> {
    let assigned = |operator: Expression| sequence([literal(" "), operator, literal(" "), name("e")]);
    let single = sequence([name("place"), assigned(one_of(["=", "+=", "-=", "*=", "/="]))]);
    let several = sequence([name("targets"), assigned(literal("="))]);
    let returned = sequence([literal("return"), optional(sequence([literal(" "), name("e")]))]);
    let simple = choice([returned, literal("pass"), single, several, name("p")]);
    let tuple = commas(name("place"), 2);
    let bracketed = sequence([literal("("), tuple.clone(), literal(")")]);
    // The target of an assignment is a name, an attribute or an element: it ends with none of the calls.
    let step = sequence([repeat(name("call"), 0, None), choice([name("attr"), name("index")])]);
    vec![
        ("simple", simple),
        ("inloop", choice([name("simple"), literal("break"), literal("continue")])),
        ("place", sequence([name("n"), repeat(step, 0, None)])),
        ("targets", choice([tuple, bracketed])),
        ("target", choice([name("place"), name("targets")])),
        ("params", commas(name("n"), 1)),
        ("ret", sequence([literal(" "), literal("->"), literal(" "), name("n")])),
    ]
}

fn expressions() -> Vec<(&'static str, Expression)> {
    let binary = |part: &str, operators: Expression| {
        let further = sequence([literal(" "), operators, literal(" "), name(part)]);
        sequence([name(part), repeat(further, 0, None)])
    };
    let lambda = sequence([
        literal("lambda"),
        optional(sequence([literal(" "), name("params")])),
        literal(":"),
        literal(" "),
        name("x"),
    ]);
    let conditional = sequence([literal(" "), after("if", [name("o")]), literal(" "), after("else", [name("x")])]);
    let relations = choice(["<", "<=", ">", ">=", "==", "!=", "is", "in", "is not", "not in"].map(words));
    let power = sequence([literal(" "), literal("**"), literal(" "), name("u")]);
    vec![
        ("e", choice([name("x"), commas(name("x"), 2)])),
        ("x", choice([sequence([name("o"), optional(conditional)]), lambda])),
        ("o", binary("a", literal("or"))),
        ("a", binary("c", literal("and"))),
        ("c", choice([after("not", [name("c")]), binary("s", relations)])),
        ("s", binary("t", one_of(["+", "-"]))),
        ("t", binary("u", one_of(["*", "/", "//", "%"]))),
        ("u", choice([sequence([literal("-"), name("u")]), sequence([name("p"), optional(power)])])),
        ("p", primary()),
        ("call", sequence([literal("("), optional(name("args")), literal(")")])),
        ("index", sequence([literal("["), name("e"), literal("]")])),
        ("args", arguments()),
        ("comp", comprehension()),
        ("group", group()),
    ]
}

/// Returns names, strings and bracketed expressions with attributes, calls and elements; and numbers, which have none.
fn primary() -> Expression {
    let trailer = choice([name("attr"), name("call"), name("index")]);
    let base = choice([name("n"), one_of(["True", "False", "None"]), name("str"), name("group")]);
    choice([sequence([base, repeat(trailer, 0, None)]), name("num")])
}

/// Returns the arguments of a call: expressions before those with names, or a single comprehension.
fn arguments() -> Expression {
    let named = sequence([name("n"), literal("="), name("x")]);
    let comma = || [literal(","), literal(" ")];
    let further = |part: Expression| repeat(sequence(comma().into_iter().chain([part])), 0, None);
    let positional = sequence([name("x"), further(name("x")), further(named.clone())]);
    choice([positional, sequence([named.clone(), further(named)]), sequence([name("x"), name("comp")])])
}

fn comprehension() -> Expression {
    let condition = sequence([literal(" "), after("if", [name("o")])]);
    let part = sequence([
        literal(" "),
        after("for", [name("target"), literal(" "), literal("in"), literal(" "), name("o")]),
        repeat(condition, 0, None),
    ]);
    repeat(part, 1, None)
}

fn group() -> Expression {
    let content = || choice([name("e"), sequence([name("x"), name("comp")])]);
    let of = |open: &str, close: &str| sequence([literal(open), optional(content()), literal(close)]);
    choice([of("(", ")"), of("[", "]")])
}

fn patterns() -> impl Iterator<Item = (&'static str, Pattern)> {
    let digits = |min| pattern::repeat(pattern::one_of("0-9"), min, None);
    let whole = pattern::choice([pattern::text("0"), pattern::sequence([pattern::one_of("1-9"), digits(0)])]);
    let fraction = pattern::sequence([pattern::text("."), digits(0)]);
    let exponent = pattern::sequence([pattern::text("e"), pattern::optional(pattern::text("-")), digits(1)]);
    let quoted = |quote: &str| {
        let inner = pattern::repeat(pattern::none_of(&format!("{quote}\\\n\r\0")), 0, None);
        pattern::sequence([pattern::text(quote), inner, pattern::text(quote)])
    };
    [
        ("n", pattern::word_except("A-Za-z_", "A-Za-z0-9_", KEYWORDS)),
        ("num", pattern::sequence([whole, pattern::optional(fraction), pattern::optional(exponent)])),
        ("str", pattern::choice([quoted("'"), quoted("\"")])),
    ]
    .into_iter()
}
