//! The keywords of the language with their documentation, from the parser's tables, for references of the language.

use goalspec_resource::compute::{ConversionKind, MathOperator};

use crate::constraint;
use crate::keywords::{self, Keyword};

/// The keywords that may stand in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeywordTable {
    /// The place, such as ``Keys of `board` ``.
    pub title: &'static str,
    /// The keywords, in order.
    pub keywords: Vec<KeywordDoc>,
}

/// The documentation of a keyword.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeywordDoc {
    /// The names of the keyword; several if it has synonyms.
    pub names: Vec<&'static str>,
    /// One sentence about its meaning.
    pub description: &'static str,
    /// Whether the keyword is required in its place.
    pub is_required: bool,
}

impl KeywordDoc {
    fn new(name: &'static str, description: &'static str) -> Self {
        Self { names: vec![name], description, is_required: false }
    }
}

/// Returns all keywords of all dialects, by the places in which they may stand.
///
/// ```
/// let tables = goalspec_rgg::reference::tables();
/// assert_eq!(tables[0].keywords[1].names, ["teams"]);
/// assert!(tables[0].keywords[1].is_required);
/// ```
pub fn tables() -> Vec<KeywordTable> {
    let of_keywords: [(&str, &[Keyword]); 24] = [
        ("Sections of a game", &keywords::SECTIONS),
        ("Keys of `metadata`", &keywords::METADATA),
        ("Keys of `board`", &keywords::BOARD),
        ("Keys of a vector", &keywords::VECTOR),
        ("Keys of an action", &keywords::ACTION),
        ("Keys of a consequence", &keywords::CONSEQUENCE),
        ("Results", &keywords::RESULTS),
        ("Keys of `Resources`", &keywords::RESOURCES),
        ("Keys of `MakeNodeVisible`", &keywords::MAKE_NODE_VISIBLE),
        ("Keys of `WithRandomVector` and `WithAllVectors`", &keywords::WITH_VECTORS),
        ("Filters of the ends of vectors, in these three results", &keywords::ENDPOINT_FILTERS),
        ("Short names of these filters, in the dialect `documented`", &keywords::SHORT_ENDPOINT_FILTERS),
        ("Further key of results on vectors, in the dialect `documented`", &keywords::VECTOR_TEAM),
        ("Keys of filters that are not fields", &keywords::COMBINATORS),
        ("Tests of a value", &keywords::FILTERS),
        ("Further tests of a value, in the dialect `documented`", &keywords::EXTENDED_FILTERS),
        ("Computations", &keywords::COMPUTATIONS),
        ("Keys of a case of `Condition`", &keywords::CASE),
        ("Keys of `MathOp`", &keywords::MATH_OP),
        ("Keys of `Chain`", &keywords::CHAIN),
        ("Keys of `ToArray`", &keywords::TO_ARRAY),
        ("Steps of a chain", &keywords::STEPS),
        ("Keys of `Linear`", &keywords::LINEAR),
        ("Keys of `Lookup`", &keywords::LOOKUP),
    ];
    let mut tables: Vec<KeywordTable> =
        of_keywords.into_iter().map(|(title, words)| KeywordTable { title, keywords: docs(words) }).collect();
    tables.push(KeywordTable { title: "Keys of `RegexCapture`", keywords: docs(&keywords::REGEX_CAPTURE) });
    let operators = keywords::OPERATORS.map(|(name, operator)| KeywordDoc::new(name, operator_meaning(operator)));
    tables.push(KeywordTable { title: "Operators of `MathOp`", keywords: operators.into() });
    let kinds = keywords::KINDS.map(|(name, kind)| KeywordDoc::new(name, kind_meaning(kind)));
    tables.push(KeywordTable { title: "Kinds of values of `As`", keywords: kinds.into() });
    let types = constraint::documented_types().into_iter();
    let types = types.map(|doc| KeywordDoc { names: doc.names, description: doc.meaning, is_required: false });
    tables.push(KeywordTable { title: "Types of constraints of resources and parameters", keywords: types.collect() });
    tables
}

fn docs(words: &[Keyword]) -> Vec<KeywordDoc> {
    let doc =
        |word: &Keyword| KeywordDoc { is_required: word.required, ..KeywordDoc::new(word.name, word.description) };
    words.iter().map(doc).collect()
}

fn operator_meaning(operator: MathOperator) -> &'static str {
    match operator {
        MathOperator::Add => "The sum of the fields.",
        MathOperator::Subtract => "The first field minus all others.",
        MathOperator::Multiply => "The product of the fields.",
        MathOperator::Divide => "The first field divided by all others.",
        MathOperator::Negate => "The negation of the first field.",
        MathOperator::Min => "The minimum of the fields.",
        MathOperator::Max => "The maximum of the fields.",
        MathOperator::Average => "The arithmetic mean of the fields, a real number.",
        MathOperator::StdDev => "The population standard deviation of the fields, a real number.",
        MathOperator::Equal => "Whether the first field equals all others.",
        MathOperator::NotEqual => "Whether the first field differs from the others.",
        MathOperator::Greater => "Whether the first field is greater than each of the others.",
        MathOperator::GreaterOrEqual => "Whether the first field is greater than or equal to each of the others.",
        MathOperator::Less => "Whether the first field is less than each of the others.",
        MathOperator::LessOrEqual => "Whether the first field is less than or equal to each of the others.",
    }
}

fn kind_meaning(kind: ConversionKind) -> &'static str {
    match kind {
        ConversionKind::Int => "An integer.",
        ConversionKind::Real => "A real number.",
        ConversionKind::Bool => "A boolean.",
        ConversionKind::Text => "A string.",
    }
}
