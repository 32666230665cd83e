//! Constraints on resource graph games: a JSON schema, since JSON is YAML without indentation.

use goalspec_grammar::{JsonSchema, schema};
use serde_json::{Value, json};

use crate::constraint::{ExportError, Layout, OutputConstraint};
use crate::header::Header;
use crate::tree::TreeForm;

/// The properties that exports do not guarantee.
const OPEN: [&str; 4] = [
    "the names of nodes, resources, actions and teams are declared",
    "initial values and ranges of constraints",
    "the syntax of expressions in strings",
    "the game ends, and is fair",
];

/// Returns the constraint on games with the given custom results.
///
/// # Errors
/// If the schema is malformed.
pub fn constraint<'n>(custom_results: impl IntoIterator<Item = &'n str>) -> Result<OutputConstraint, ExportError> {
    let mut results: Vec<&str> = custom_results.into_iter().collect();
    results.sort_unstable();
    results.dedup();
    let vocabulary = results.iter().map(|name| format!("result {name}")).collect();
    let header = Header { language: "RGG", dialect: "documented", vocabulary, bounds: &[], open: &OPEN };
    let mut value = goalspec_rgg::schema::schema();
    value["$comment"] = json!(header.lines().join("; "));
    // An editor cannot know the custom results; a request does.
    let result = &mut value["$defs"]["result"];
    let form = result["additionalProperties"].take();
    result["additionalProperties"] = json!(false);
    result["description"] = json!("a result of the language, or a custom result that is declared (--plugin NAME)");
    for name in results {
        result["properties"][name] = form.clone();
    }
    remove_unsupported(&mut value);
    let schema = JsonSchema::new(value)?;
    Ok(OutputConstraint { name: "rgg", grammar: None, schema, tree: TreeForm::Document, layout: Layout::Plain })
}

/// Removes the properties that no value matches, which editors describe and engines refuse to compile.
fn remove_unsupported(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                properties.retain(|_, property| property["$ref"] != "#/$defs/unsupported");
            }
            if let Some(Value::Object(definitions)) = members.get_mut("$defs") {
                definitions.shift_remove("unsupported");
            }
            members.values_mut().for_each(remove_unsupported);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_unsupported),
        _ => {}
    }
}

/// Returns the schema of a constraint without the keywords that not all servers support. It accepts more games.
///
/// # Errors
/// If the schema is malformed.
pub fn common_subset(constraint: &OutputConstraint) -> Result<JsonSchema, ExportError> {
    Ok(JsonSchema::new(schema::common_subset(constraint.schema().value()))?)
}
