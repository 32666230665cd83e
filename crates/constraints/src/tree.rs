//! Conditions as JSON, and back: the values of schemas.
//!
//! A value is converted to a text, which the parser of the language reads as it reads every other reply.

use serde_json::{Map, Value, json};

use crate::Part;

/// The maximum number of arguments of an atom in a schema.
pub(crate) const ARGUMENTS: usize = 12;

/// The names of variables in schemas: the k-th for a variable inside of k others.
pub(crate) const VARIABLES: [&str; 8] = ["?a", "?b", "?c", "?d", "?e", "?f", "?g", "?h"];

/// The mapping between the values of a schema and texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeForm {
    /// `{"program": ".."}`.
    Envelope,
    /// `{"facts": [..]}` of the LOT experiment.
    Facts,
    /// Sections of a PDDL problem.
    Pddl(Part),
    /// Sections of an activity.
    Bddl(Part),
    /// The value is the program.
    Document,
}

/// Returns the name of an argument of an atom.
pub(crate) fn argument_name(index: usize) -> String {
    match index {
        0..3 => ["x", "y", "z"][index].to_owned(),
        _ => format!("x{}", index + 1),
    }
}

impl TreeForm {
    /// Returns the text of a value.
    ///
    /// # Errors
    /// If the value has another form.
    pub(crate) fn text(self, value: &Value) -> Result<String, String> {
        let missing = |name: &str| format!("there is no `{name}`");
        let list = |name: &str| value[name].as_array().ok_or_else(|| missing(name));
        match self {
            Self::Envelope => Ok(value["program"].as_str().ok_or_else(|| missing("program"))?.to_owned()),
            Self::Document => Ok(format!("{value:#}\n")),
            Self::Facts => {
                let lines = list("facts")?.iter().map(|fact| Ok(format!("{}\n", application(fact, "fact")?)));
                lines.collect()
            }
            Self::Pddl(part) | Self::Bddl(part) => {
                let mut sections = Vec::new();
                if part != Part::Goal {
                    let entries = list("init")?.iter().map(Self::entry);
                    let entries = entries.collect::<Result<Vec<_>, String>>()?;
                    sections.push(list_text(":init", entries));
                }
                if part != Part::Init {
                    sections.push(list_text(":goal", [self.condition(&value["goal"])?]));
                }
                Ok(sections.join("\n"))
            }
        }
    }

    fn entry(entry: &Value) -> Result<String, String> {
        if entry.get("function").is_some() {
            return Ok(format!("(= {} {})", application(entry, "function")?, entry["value"]));
        }
        match entry.get("not") {
            Some(inner) => Ok(list_text("not", [application(inner, "predicate")?])),
            None => application(entry, "predicate"),
        }
    }

    fn condition(self, value: &Value) -> Result<String, String> {
        for connective in ["and", "or"] {
            if let Some(parts) = value[connective].as_array() {
                let parts = parts.iter().map(|part| self.condition(part)).collect::<Result<Vec<_>, _>>()?;
                return Ok(list_text(connective, parts));
            }
        }
        if let Some(inner) = value.get("not") {
            return Ok(list_text("not", [self.condition(inner)?]));
        }
        if let (Some(premise), Some(conclusion)) = (value.get("if"), value.get("then")) {
            return Ok(list_text("imply", [self.condition(premise)?, self.condition(conclusion)?]));
        }
        if let (Some(one), Some(other)) = (value["same"].as_str(), value["as"].as_str()) {
            return Ok(format!("(= {one} {other})"));
        }
        if value.get("predicate").is_some() {
            return self.atom(value);
        }
        let body = self.condition(value.get("holds").ok_or("a condition has none of the expected forms")?)?;
        let quantifier = ["forall", "exists", "forn", "forpairs", "fornpairs"];
        let quantifier = quantifier.into_iter().find(|name| value.get(*name).is_some());
        let quantifier = quantifier.ok_or("a condition has an unknown quantifier")?;
        let variables = match self {
            Self::Bddl(_) => category_variables(value, quantifier)?,
            _ => vec![typed_variables(&value[quantifier])?],
        };
        Ok(list_text(quantifier, variables.into_iter().chain([body])))
    }

    /// Returns the text of an atom of a condition. BDDL marks its names with question marks.
    fn atom(self, value: &Value) -> Result<String, String> {
        let text = application(value, "predicate")?;
        Ok(if matches!(self, Self::Bddl(_)) { text.replace(' ', " ?") } else { text })
    }

    /// Returns the value of a text in canonical layout; `None` if the text has another form.
    pub(crate) fn value(self, canonical: &str) -> Option<Value> {
        match self {
            Self::Envelope => return Some(json!({ "program": canonical })),
            Self::Document => return serde_json::from_str(canonical).ok(),
            _ => {}
        }
        let forms = read(canonical)?;
        if self == Self::Facts {
            let facts = forms.iter().map(|form| application_value(form, "fact", &[])).collect::<Option<Vec<_>>>()?;
            return Some(json!({ "facts": facts }));
        }
        let mut sections = Map::new();
        for form in &forms {
            match form.list()? {
                [Form::Word(word), entries @ ..] if word == ":init" => {
                    let entries = entries.iter().map(Self::entry_value).collect::<Option<Vec<_>>>()?;
                    sections.insert("init".to_owned(), json!(entries));
                }
                [Form::Word(word), goal] if word == ":goal" => {
                    sections.insert("goal".to_owned(), self.condition_value(goal, &mut Vec::new())?);
                }
                _ => return None,
            }
        }
        Some(Value::Object(sections))
    }

    fn entry_value(entry: &Form) -> Option<Value> {
        match entry.list()? {
            [Form::Word(word), function, Form::Word(number)] if word == "=" => {
                let mut value = application_value(function, "function", &[])?;
                value["value"] = serde_json::from_str(number).ok()?;
                Some(value)
            }
            [Form::Word(word), atom] if word == "not" => {
                Some(json!({ "not": application_value(atom, "predicate", &[])? }))
            }
            _ => application_value(entry, "predicate", &[]),
        }
    }

    fn condition_value(self, form: &Form, bound: &mut Vec<String>) -> Option<Value> {
        let [Form::Word(head), parts @ ..] = form.list()? else { return None };
        let mut all = |parts: &[Form]| -> Option<Vec<Value>> {
            parts.iter().map(|part| self.condition_value(part, bound)).collect()
        };
        match (&**head, parts) {
            ("and" | "or", parts) => Some(json!({ head: all(parts)? })),
            ("not", [part]) => Some(json!({ "not": self.condition_value(part, bound)? })),
            ("imply", [_, _]) => {
                let parts = all(parts)?;
                Some(json!({ "if": parts[0], "then": parts[1] }))
            }
            ("=", [Form::Word(one), Form::Word(other)]) => {
                Some(json!({ "same": renamed(one, bound)?, "as": renamed(other, bound)? }))
            }
            ("forall" | "exists" | "forn" | "forpairs" | "fornpairs", [variables @ .., body]) => {
                let outside = bound.len();
                let mut value = match self {
                    Self::Bddl(_) => category_value(head, variables)?,
                    _ => json!({ head: bind(variables, bound)? }),
                };
                value["holds"] = self.condition_value(body, bound)?;
                bound.truncate(outside);
                Some(value)
            }
            _ => {
                let mut value = application_value(form, "predicate", bound)?;
                if matches!(self, Self::Bddl(_)) {
                    for index in 0..parts.len() {
                        let argument = &mut value[argument_name(index)];
                        *argument = json!(argument.as_str()?.trim_start_matches('?'));
                    }
                }
                Some(value)
            }
        }
    }
}

fn list_text(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = std::iter::once(head.to_owned()).chain(parts).collect();
    format!("({})", words.join(" "))
}

/// Returns the text of an atom, a fact or a function with its arguments.
fn application(value: &Value, kind: &str) -> Result<String, String> {
    let name = value[kind].as_str().ok_or_else(|| format!("there is no `{kind}`"))?;
    let arguments = (0..ARGUMENTS).map_while(|index| value[argument_name(index)].as_str().map(str::to_owned));
    Ok(list_text(name, arguments))
}

fn typed_variables(variables: &Value) -> Result<String, String> {
    let variables = variables.as_array().ok_or("a quantifier has no list of variables")?;
    let text = |variable: &Value| {
        let name = variable["variable"].as_str().ok_or("a variable has no name")?;
        Ok(variable["type"].as_str().map_or_else(|| name.to_owned(), |of| format!("{name} - {of}")))
    };
    let words = variables.iter().map(text).collect::<Result<Vec<String>, String>>()?;
    Ok(format!("({})", words.join(" ")))
}

/// Returns the counts and variables of a quantifier of BDDL, whose variables are named as their categories.
fn category_variables(value: &Value, quantifier: &str) -> Result<Vec<String>, String> {
    let variable = |name: &str| -> Result<String, String> {
        let category = value[name].as_str().ok_or_else(|| format!("there is no category `{name}`"))?;
        Ok(format!("(?{category} - {category})"))
    };
    let count = || value[quantifier].as_u64().map(|count| format!("({count})")).ok_or("a quantifier has no count");
    Ok(match quantifier {
        "forn" => vec![count()?, variable("of")?],
        "forpairs" => vec![variable("forpairs")?, variable("with")?],
        "fornpairs" => vec![count()?, variable("of")?, variable("with")?],
        other => vec![variable(other)?],
    })
}

/// A form of a text in canonical layout.
enum Form {
    Word(String),
    List(Vec<Form>),
}

impl Form {
    fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(parts) => Some(parts),
            Self::Word(_) => None,
        }
    }

    fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::List(_) => None,
        }
    }
}

/// The maximum nesting depth of texts that are converted to values.
const MAX_DEPTH: usize = 100;

/// Reads the forms of a text; `None` if its brackets do not match or are nested too deeply.
fn read(canonical: &str) -> Option<Vec<Form>> {
    let mut open: Vec<Vec<Form>> = vec![Vec::new()];
    let spaced = canonical.replace('(', " ( ").replace(')', " ) ");
    for word in spaced.split_whitespace() {
        match word {
            "(" if open.len() > MAX_DEPTH => return None,
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Form::List(list));
            }
            word => open.last_mut()?.push(Form::Word(word.to_owned())),
        }
    }
    let forms = open.pop()?;
    open.is_empty().then_some(forms)
}

/// Returns the name of a term in a schema: variables are renamed by their depth.
fn renamed<'t>(term: &'t str, bound: &[String]) -> Option<&'t str> {
    if !term.starts_with('?') || bound.is_empty() {
        return Some(term);
    }
    let depth = bound.iter().rposition(|variable| variable == term)?;
    VARIABLES.get(depth).copied()
}

fn application_value(form: &Form, kind: &str, bound: &[String]) -> Option<Value> {
    let [Form::Word(name), arguments @ ..] = form.list()? else { return None };
    let mut value = json!({ kind: name });
    if arguments.len() > ARGUMENTS {
        return None;
    }
    for (index, argument) in arguments.iter().enumerate() {
        value[argument_name(index)] = json!(renamed(argument.word()?, bound)?);
    }
    Some(value)
}

/// Binds the variables of a quantifier of PDDL, and returns them under their new names.
fn bind(variables: &[Form], bound: &mut Vec<String>) -> Option<Value> {
    let [list] = variables else { return None };
    let words: Vec<&str> = list.list()?.iter().map(Form::word).collect::<Option<_>>()?;
    let mut values: Vec<Value> = Vec::new();
    let mut index = 0;
    let mut untyped = 0;
    while index < words.len() {
        if words[index] == "-" {
            let of = words.get(index + 1)?;
            values[untyped..].iter_mut().for_each(|value| value["type"] = json!(of));
            untyped = values.len();
            index += 2;
            continue;
        }
        values.push(json!({ "variable": VARIABLES.get(bound.len())? }));
        bound.push(words[index].to_owned());
        index += 1;
    }
    Some(json!(values))
}

/// Returns the value of a quantifier of BDDL without its body.
fn category_value(quantifier: &str, variables: &[Form]) -> Option<Value> {
    let category = |form: &Form| -> Option<String> {
        let [Form::Word(variable), Form::Word(dash), Form::Word(category)] = form.list()? else { return None };
        (dash == "-" && variable.strip_prefix('?') == Some(category)).then(|| category.clone())
    };
    let count = |form: &Form| -> Option<u64> {
        let [Form::Word(count)] = form.list()? else { return None };
        count.parse().ok()
    };
    match (quantifier, variables) {
        ("forall" | "exists", [variable]) => Some(json!({ quantifier: category(variable)? })),
        ("forn", [number, variable]) => Some(json!({ "forn": count(number)?, "of": category(variable)? })),
        ("forpairs", [left, right]) => Some(json!({ "forpairs": category(left)?, "with": category(right)? })),
        ("fornpairs", [number, left, right]) => {
            Some(json!({ "fornpairs": count(number)?, "of": category(left)?, "with": category(right)? }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_values_are_read_back() {
        let pddl = TreeForm::Pddl(Part::InitAndGoal);
        let text = "(:init (on a b) (= (fuel a) 3))\n(:goal (forall (?a - block ?b - block) (imply (on ?a ?b) (not (= ?a c)))))";
        let value = pddl.value(text).unwrap();
        assert_eq!(pddl.text(&value).unwrap(), text);
        let bddl = TreeForm::Bddl(Part::Goal);
        let text = "(:goal (and (forn (2) (?cup.n.01 - cup.n.01) (open ?cup.n.01)) (forpairs (?a.n.01 - a.n.01) (?b.n.01 - b.n.01) (inside \
                    ?a.n.01 ?b.n.01))))";
        let value = bddl.value(text).unwrap();
        assert_eq!(bddl.text(&value).unwrap(), text);
    }

    #[test]
    fn variables_are_renamed_by_their_depth() {
        let pddl = TreeForm::Pddl(Part::Goal);
        let value = pddl.value("(:goal (exists (?x) (exists (?y) (on ?x ?y))))").unwrap();
        assert_eq!(pddl.text(&value).unwrap(), "(:goal (exists (?a) (exists (?b) (on ?a ?b))))");
        assert_eq!(pddl.value("(:goal (exists (?x) (on ?x ?unbound)))"), None);
    }
}
