//! The conversion of a tree to the sections of a game.

use goalspec_generator::grammar::Tokens;
use goalspec_generator::tree::Tree;

use super::document::{Document, quoted, scalar_text};
use super::rules::Rule;

/// A section of a game that a tree contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// `actionSpace`.
    ActionSpace,
    /// `actions`.
    Actions,
    /// `rewards`.
    Rewards,
    /// `completed`.
    Completed,
}

impl Section {
    /// All sections, in the order of a game without a text.
    pub(super) const ALL: [Self; 4] = [Self::ActionSpace, Self::Actions, Self::Rewards, Self::Completed];

    /// Returns the key.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::ActionSpace => "actionSpace",
            Self::Actions => "actions",
            Self::Rewards => "rewards",
            Self::Completed => "completed",
        }
    }

    /// Returns the number of levels with a line for each entry.
    const fn levels(self) -> u32 {
        match self {
            Self::ActionSpace | Self::Actions => 2,
            Self::Rewards => 1,
            Self::Completed => 0,
        }
    }

    const fn rule(self) -> Rule {
        match self {
            Self::ActionSpace => Rule::ActionSpace,
            Self::Actions => Rule::Actions,
            Self::Rewards => Rule::Rewards,
            Self::Completed => Rule::Completed,
        }
    }
}

/// Returns a section as lines; `None` if the game has none.
pub(super) fn section(tree: &Tree, tokens: &Tokens, section: Section) -> Option<String> {
    let writer = Writer { tree, tokens };
    let entry = tree.children(0).find(|&child| writer.rule(child) == Some(section.rule()))?;
    let document = match section {
        Section::ActionSpace => writer.named(entry, Writer::choices),
        Section::Actions => writer.named(entry, Writer::action),
        Section::Rewards => writer.named(entry, |writer, reward| writer.last(reward, Writer::computation)),
        Section::Completed => writer.last(entry, Writer::filter),
    };
    Some(document.lines(section.key(), section.levels()))
}

struct Writer<'a> {
    tree: &'a Tree,
    tokens: &'a Tokens,
}

impl Writer<'_> {
    fn rule(&self, entry: usize) -> Option<Rule> {
        Rule::of(self.tree.symbol(entry))
    }

    fn children(&self, entry: usize) -> Vec<usize> {
        self.tree.children(entry).collect()
    }

    /// Returns the text of the child of a node at a position.
    fn token(&self, entry: usize, position: usize) -> &str {
        self.tree.child(entry, position).map_or("", |child| self.tokens.text(self.tree.symbol(child)))
    }

    /// Returns the texts of the tokens among the children of a node, from a position on.
    fn tokens(&self, entry: usize, from: usize) -> Vec<&str> {
        let tokens = self.tree.children(entry).skip(from).map(|child| self.tree.symbol(child));
        tokens.filter(|symbol| symbol.is_token()).map(|symbol| self.tokens.text(symbol)).collect()
    }

    /// Returns the last child of a node as a document; null if there is none.
    fn last(&self, entry: usize, write: impl Fn(&Self, usize) -> Document) -> Document {
        self.tree.children(entry).last().map_or(Document::Null, |child| write(self, child))
    }

    /// Returns the children of a node as a map from their first tokens.
    fn named(&self, entry: usize, write: impl Fn(&Self, usize) -> Document) -> Document {
        let entries = self.tree.children(entry).map(|child| (scalar_text(self.token(child, 0)), write(self, child)));
        Document::Map(entries.collect())
    }

    fn list(&self, entry: usize, write: impl Fn(&Self, usize) -> Document) -> Document {
        Document::List(self.tree.children(entry).map(|child| write(self, child)).collect())
    }

    fn choices(&self, team: usize) -> Document {
        let choice = |choice: usize| {
            let parameters = self.tree.children(choice).skip(1);
            let parameter =
                |entry| (scalar_text(self.token(entry, 0)), Document::Text(scalar_text(self.token(entry, 1))));
            let parameters: Vec<(String, Document)> = parameters.map(parameter).collect();
            let content = if parameters.is_empty() { Document::Null } else { Document::Map(parameters) };
            (scalar_text(self.token(choice, 0)), content)
        };
        Document::Map(self.tree.children(team).skip(1).map(choice).collect())
    }

    fn action(&self, action: usize) -> Document {
        let mut entries = Vec::new();
        for child in self.tree.children(action).skip(1) {
            let (key, value) = match self.rule(child) {
                Some(Rule::Cost) => {
                    ("cost", self.named(child, |writer, entry| Document::Text(writer.token(entry, 1).to_owned())))
                }
                Some(Rule::Requires) => ("requires", self.last(child, Self::filter)),
                _ => ("consequences", self.list(child, Self::consequence)),
            };
            // An action without consequences does not need the key.
            if key != "consequences" || value != Document::List(Vec::new()) {
                entries.push((key.to_owned(), value));
            }
        }
        Document::Map(entries)
    }

    fn consequence(&self, consequence: usize) -> Document {
        let entry = |child: usize| {
            let text = || Document::Text(self.token(child, 0).to_owned());
            let (key, value) = match self.rule(child) {
                Some(Rule::Odds) => ("odds", text()),
                Some(Rule::Discount) => ("odds.discount", text()),
                Some(Rule::Independent) => ("independent", text()),
                _ => ("result", self.result(child)),
            };
            (key.to_owned(), value)
        };
        Document::Map(self.tree.children(consequence).map(entry).collect())
    }

    fn result(&self, result: usize) -> Document {
        let name = match self.rule(result) {
            Some(Rule::Resources) => "Resources",
            Some(Rule::MakeNodeVisible) => "MakeNodeVisible",
            Some(Rule::RandomVector) => "WithRandomVector",
            Some(Rule::AllVectors) => "WithAllVectors",
            _ => return Document::Text(self.token(result, 0).to_owned()),
        };
        let assignments = |child| self.named(child, |writer, own| writer.last(own, Writer::assigned));
        let entry = |child: usize| {
            let (key, value) = match self.rule(child) {
                Some(Rule::SourceFilter) => ("sourceFilter", self.last(child, Self::filter)),
                Some(Rule::TargetFilter) => ("targetFilter", self.last(child, Self::filter)),
                Some(Rule::Compute) => ("compute", assignments(child)),
                Some(Rule::Add) => ("add", assignments(child)),
                Some(Rule::Put) => ("put", assignments(child)),
                Some(_) => ("result", assignments(child)),
                None => ("team", Document::Text(scalar_text(self.tokens.text(self.tree.symbol(child))))),
            };
            (key.to_owned(), value)
        };
        Document::entry(name, Document::Map(self.tree.children(result).map(entry).collect()))
    }

    fn filter(&self, filter: usize) -> Document {
        match self.rule(filter) {
            Some(Rule::Never) => Document::entry("None", Document::Map(Vec::new())),
            Some(Rule::FieldTest) => Document::Map(vec![self.field_test(filter)]),
            Some(Rule::ComputedFilter) => self.last(filter, Self::computation),
            Some(Rule::Not) => Document::entry("Not", self.last(filter, Self::filter)),
            Some(Rule::And) => match self.map_of_tests(filter) {
                Some(map) => map,
                None => Document::entry("And", self.list(filter, Self::filter)),
            },
            Some(Rule::Or) => Document::entry("Or", self.list(filter, Self::filter)),
            _ => Document::Map(Vec::new()),
        }
    }

    fn field_test(&self, test: usize) -> (String, Document) {
        (scalar_text(self.token(test, 0)), self.last(test, Self::test))
    }

    /// Returns a conjunction of tests of different fields as one map.
    fn map_of_tests(&self, filter: usize) -> Option<Document> {
        let children = self.children(filter);
        let is_test = |&child: &usize| self.rule(child) == Some(Rule::FieldTest);
        let mut names: Vec<&str> = children.iter().map(|&child| self.token(child, 0)).collect();
        names.sort_unstable();
        names.dedup();
        let is_map = children.len() > 1 && children.iter().all(is_test) && names.len() == children.len();
        is_map.then(|| Document::Map(children.iter().map(|&child| self.field_test(child)).collect()))
    }

    /// Returns a test as the value of a field.
    fn test(&self, test: usize) -> Document {
        match self.rule(test) {
            Some(Rule::Compare) if self.token(test, 0) == "Equal" => Document::Text(self.token(test, 1).to_owned()),
            Some(Rule::OneOf) => self.members(test),
            _ => self.named_test(test),
        }
    }

    fn members(&self, test: usize) -> Document {
        Document::List(self.tokens(test, 0).into_iter().map(|text| Document::Text(text.to_owned())).collect())
    }

    /// Returns a test as a map with its name.
    fn named_test(&self, test: usize) -> Document {
        let scalar = |position| Document::Text(self.token(test, position).to_owned());
        match self.rule(test) {
            Some(Rule::Compare) => Document::entry(self.token(test, 0), scalar(1)),
            Some(Rule::Range) => Document::entry("Range", Document::List(vec![scalar(0), scalar(1)])),
            Some(Rule::OneOf) => Document::entry("OneOf", self.members(test)),
            Some(Rule::TextTest) => {
                let argument = Document::Text(scalar_text(self.token(test, 1)));
                Document::entry(self.token(test, 0), argument)
            }
            Some(Rule::HasAny) => {
                let labels = self.tokens(test, 0).into_iter().map(|label| Document::Text(scalar_text(label)));
                Document::entry("HasAny", Document::List(labels.collect()))
            }
            Some(Rule::NotTest) => Document::entry("Not", self.last(test, Self::test)),
            Some(Rule::AndTest) => Document::entry("And", self.list(test, Self::test)),
            Some(Rule::OrTest) => Document::entry("Or", self.list(test, Self::test)),
            _ => scalar(0),
        }
    }

    /// Returns a computation as the value of an assignment, where literals need no name.
    fn assigned(&self, computation: usize) -> Document {
        let literal = self.token(computation, 0);
        match self.rule(computation) {
            Some(Rule::Constant) if !literal.starts_with(['[', '{']) => Document::Text(literal.to_owned()),
            _ => self.computation(computation),
        }
    }

    fn fields(&self, entry: usize, from: usize) -> Document {
        let names = self.tokens(entry, from).into_iter().map(|name| Document::Text(scalar_text(name)));
        Document::List(names.collect())
    }

    fn computation(&self, entry: usize) -> Document {
        let text = |position| self.token(entry, position);
        let (name, value) = match self.rule(entry) {
            Some(Rule::Constant) => ("Constant", Document::Text(text(0).to_owned())),
            Some(Rule::FieldValue) => ("Field", Document::Text(scalar_text(text(0)))),
            Some(Rule::Calculate) => ("Calculate", self.last(entry, Self::quoted_expression)),
            Some(Rule::CalculateBoolean) => ("CalculateBoolean", self.last(entry, Self::quoted_expression)),
            Some(Rule::Cases) => ("Condition", self.list(entry, Self::case)),
            Some(Rule::MathOperation) => ("MathOp", self.math_operation(entry)),
            Some(Rule::Template) => {
                let part = |part: usize| {
                    let text = self.token(part, 0);
                    if self.rule(part) == Some(Rule::TemplateField) { format!("{{{text}}}") } else { text.to_owned() }
                };
                ("Template", Document::Text(quoted(&self.tree.children(entry).map(part).collect::<String>())))
            }
            Some(Rule::FirstPresent) => ("Template", Document::Text(quoted(&self.tokens(entry, 0).join(";")))),
            Some(Rule::FieldList) => ("ToArray", Document::entry("fields", self.fields(entry, 0))),
            _ => {
                let steps = self.tree.children(entry).skip(1).map(|step| match self.rule(step) {
                    Some(Rule::TestStep) => self.last(step, Self::named_test),
                    _ => Document::Text(self.token(step, 0).to_owned()),
                });
                let steps = Document::List(steps.collect());
                let from = self.tree.child(entry, 0).map_or(Document::Null, |from| self.computation(from));
                ("Chain", Document::Map(vec![("from".to_owned(), from), ("process".to_owned(), steps)]))
            }
        };
        Document::entry(name, value)
    }

    fn case(&self, case: usize) -> Document {
        let children = self.children(case);
        let when = children
            .first()
            .map_or_else(Vec::new, |&when| self.tree.children(when).map(|test| self.field_test(test)).collect());
        Document::Map(vec![
            ("when".to_owned(), Document::Map(when)),
            ("value".to_owned(), self.last(case, Self::computation)),
        ])
    }

    fn math_operation(&self, entry: usize) -> Document {
        let operator = Document::Text(self.token(entry, 0).to_owned());
        let mut entries = vec![("operator".to_owned(), operator), ("fields".to_owned(), self.fields(entry, 1))];
        let fallback = self.tree.children(entry).find(|&child| self.rule(child) == Some(Rule::Fallback));
        entries.extend(fallback.map(|own| ("ifInvalid".to_owned(), Document::Text(self.token(own, 0).to_owned()))));
        Document::Map(entries)
    }

    fn quoted_expression(&self, entry: usize) -> Document {
        Document::Text(quoted(&self.expression(entry, false)))
    }

    /// Returns an expression; in parentheses if it is an operand and has an operator.
    fn expression(&self, entry: usize, is_operand: bool) -> String {
        let text = self.token(entry, 0);
        let operands = |from: usize, is_operand: bool| -> Vec<String> {
            self.tree.children(entry).skip(from).map(|operand| self.expression(operand, is_operand)).collect()
        };
        let infix = match self.rule(entry) {
            Some(Rule::NumberField | Rule::TruthField) => return format!("{{{text}}}"),
            Some(Rule::Unary) if text == "negative" => format!("-{}", operands(1, true).concat()),
            Some(Rule::NotExpression) => format!("not {}", operands(0, true).concat()),
            Some(Rule::Binary | Rule::Comparison | Rule::Connective) if !is_function(text) => {
                operands(1, true).join(&format!(" {text} "))
            }
            Some(Rule::Unary | Rule::Binary | Rule::Aggregate) => {
                return format!("{text}({})", operands(1, false).join(", "));
            }
            Some(Rule::Random) => return "random()".to_owned(),
            Some(Rule::RandomBetween) => return format!("randbetween({})", operands(0, false).join(", ")),
            _ => return text.to_owned(),
        };
        if is_operand { format!("({infix})") } else { infix }
    }
}

/// Whether the spelling of an operation on two operands is the name of a function.
fn is_function(operator: &str) -> bool {
    operator.starts_with(|first: char| first.is_ascii_alphabetic()) && !matches!(operator, "and" | "or" | "xor")
}
