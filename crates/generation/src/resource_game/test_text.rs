//! Tests of values and steps of chains: as nodes, and those that are kept as text.

use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::compute::{ArithmeticOperator, ValueTransform};
use goalspec_resource::filter::{TextTest, ValueFilter};
use goalspec_resource::pattern::MatchMode;
use goalspec_resource::value::Value;
use goalspec_rgg::ast::{ValueTest, ValueTestKind};
use goalspec_rgg::spelling;

use super::document::{Document, quoted, real_text, scalar_text, value_text};
use super::read::Reader;
use super::rules::Rule;

/// Returns the name of a comparison.
const fn comparison(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equal => "Equal",
        ComparisonOperator::NotEqual => "NotEqual",
        ComparisonOperator::Greater => "Gt",
        ComparisonOperator::GreaterOrEqual => "Gte",
        ComparisonOperator::Less => "Lt",
        ComparisonOperator::LessOrEqual => "Lte",
    }
}

/// Adds a test to a tree.
pub(super) fn read(reader: &mut Reader<'_>, test: &ValueTest) {
    match &test.kind {
        ValueTestKind::Value(filter) => read_filter(reader, filter),
        ValueTestKind::Not(inner) => reader.node(Rule::NotTest, |reader| read(reader, inner)),
        ValueTestKind::And(tests) => {
            reader.node(Rule::AndTest, |reader| tests.iter().for_each(|test| read(reader, test)));
        }
        ValueTestKind::Or(tests) => {
            reader.node(Rule::OrTest, |reader| tests.iter().for_each(|test| read(reader, test)));
        }
    }
}

fn read_filter(reader: &mut Reader<'_>, filter: &ValueFilter) {
    match filter {
        ValueFilter::Compare(operator, value) => reader.node(Rule::Compare, |reader| {
            reader.token(comparison(*operator));
            reader.value(Some(value));
        }),
        ValueFilter::Range(minimum, maximum) => reader.node(Rule::Range, |reader| {
            reader.value(Some(minimum));
            reader.value(Some(maximum));
        }),
        ValueFilter::OneOf(members) => {
            reader.node(Rule::OneOf, |reader| members.iter().for_each(|member| reader.value(member.as_ref())));
        }
        ValueFilter::Text(relation, text) => reader.node(Rule::TextTest, |reader| {
            reader.token(match relation {
                TextTest::Contains => "Contains",
                TextTest::StartsWith => "StartsWith",
                TextTest::EndsWith => "EndsWith",
            });
            reader.token(text);
        }),
        ValueFilter::HasAny(labels) => {
            reader.node(Rule::HasAny, |reader| labels.iter().for_each(|label| reader.token(label)));
        }
        other => reader.leaf(Rule::OtherTest, &other_test(other).flow()),
    }
}

/// Returns a test that is kept as text.
fn other_test(filter: &ValueFilter) -> Document {
    let without_argument = |name| Document::entry(name, Document::Map(Vec::new()));
    let text = |name, text: String| Document::entry(name, Document::Text(text));
    match filter {
        ValueFilter::Never => without_argument("None"),
        ValueFilter::IsNull => without_argument("IsNull"),
        ValueFilter::IsNotNull => without_argument("IsNotNull"),
        ValueFilter::IsEmpty => without_argument("IsEmpty"),
        ValueFilter::IsNotEmpty => without_argument("IsNotEmpty"),
        ValueFilter::IsIp => without_argument("IsIP"),
        ValueFilter::IsCidr => without_argument("IsCidr"),
        ValueFilter::Matches(pattern) => {
            let name = if pattern.match_mode() == MatchMode::Full { "Matches" } else { "ContainsMatch" };
            text(name, quoted(pattern.as_str()))
        }
        ValueFilter::InCidr(block) => text("IpContainedIn", quoted(&format!("{}/{}", block.address, block.prefix))),
        ValueFilter::CidrContains(address) => text("CidrContains", quoted(&address.to_string())),
        // Connectives are nodes of the syntax tree.
        _ => without_argument("All"),
    }
}

/// Returns the step of a chain that computes a value, as an entry with its name.
pub(super) fn transform(transform: &ValueTransform) -> Document {
    let text = |name, text: String| Document::entry(name, Document::Text(text));
    let nothing = |name| Document::entry(name, Document::Map(Vec::new()));
    let values = |values: &[Option<Value>]| {
        Document::List(values.iter().map(|value| Document::Text(value_text(value.as_ref()))).collect())
    };
    let interval = |[from, to]: [f64; 2]| Document::List([from, to].map(|end| Document::Text(real_text(end))).to_vec());
    match transform {
        ValueTransform::Constant(value) => text("Constant", value_text(value.as_ref())),
        ValueTransform::Identity | ValueTransform::Required => nothing("Identity"),
        ValueTransform::Lookup { table, default } => {
            let entry = |(key, value): &(std::sync::Arc<str>, Option<Value>)| {
                (quoted(key), Document::Text(value_text(value.as_ref())))
            };
            let table = Document::Map(table.iter().map(entry).collect());
            let lookup = match default {
                None => table,
                Some(default) => Document::Map(vec![
                    ("table".to_owned(), table),
                    ("ifNull".to_owned(), Document::Text(value_text(Some(default)))),
                ]),
            };
            Document::entry("Lookup", lookup)
        }
        ValueTransform::Arithmetic(operator, value) => {
            let name = match operator {
                ArithmeticOperator::Add => "Add",
                ArithmeticOperator::Subtract => "Subtract",
                ArithmeticOperator::Multiply => "Multiply",
                ArithmeticOperator::Divide => "Divide",
            };
            text(name, value_text(Some(value)))
        }
        ValueTransform::Linear { domain, range } => {
            let ends = vec![("domain".to_owned(), interval(*domain)), ("range".to_owned(), interval(*range))];
            Document::entry("Linear", Document::Map(ends))
        }
        ValueTransform::Convert(kind) => text("As", spelling::conversion(*kind).to_owned()),
        ValueTransform::RegexCapture(pattern, names) => {
            let names = names.iter().map(|name| Document::Text(scalar_text(name))).collect();
            let regex = Document::Text(quoted(pattern.as_str()));
            let entries = vec![("regex".to_owned(), regex), ("as".to_owned(), Document::List(names))];
            Document::entry("RegexCapture", Document::Map(entries))
        }
        ValueTransform::OneHot(members) => Document::entry("OneHot", values(members)),
        ValueTransform::Flatten => nothing("FlattenList"),
        ValueTransform::IpToInt => nothing("IpToInt"),
        ValueTransform::IpFromInt => nothing("IpFromInt"),
    }
}
