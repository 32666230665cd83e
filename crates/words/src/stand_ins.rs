//! Stand-ins for language models: they answer without a network, so that every part of a pipeline can be run and tested.
//!
//! | model | answers |
//! |---|---|
//! | `fake:translator` | the facts of the last sentences of controlled English in the task, or a shortest plan if the task of the LOT experiment asks for one; a planning problem for prompts of [`translation`](crate::translation); always correct |
//! | `fake:noisy` | the same with the errors of a language model, at the recorded rates; `fake:noisy:drop=0.2,cut=0` replaces rates |
//! | `fake:sampler` | a random text of the grammar or JSON schema that constrains the reply: well formed, without meaning |

use std::sync::Arc;

use goalspec_grammar::sampler::SampleOptions;
use goalspec_grammar::{Grammar, JsonSchema, gbnf, lark};
use goalspec_llm::{
    Constraint, ErrorKind, Model, ModelError, Prompt, Reply, Request, Role, SettingError, StandInBuilder,
    StandInOptions, StandIns,
};
use goalspec_lot::{Relation, english, pddl};
use goalspec_syntax::Sources;

use crate::lot::Planner;
use crate::lot::queries::{plan_text, planned_task};

/// Returns all stand-ins.
pub fn stand_ins() -> StandIns {
    let translator: StandInBuilder = Arc::new(|options| {
        no_settings(options)?;
        Ok(Arc::new(Translator::default()))
    });
    let sampler: StandInBuilder = Arc::new(|options| {
        no_settings(options)?;
        Ok(Arc::new(GrammarSampler { seed: options.seed }))
    });
    StandIns::default().with_translator("translator", translator).with("sampler", sampler)
}

fn no_settings(options: &StandInOptions) -> Result<(), SettingError> {
    match options.settings.keys().next() {
        Some(name) => Err(SettingError::NoSettings { name: name.clone() }),
        None => Ok(()),
    }
}

fn unanswerable(message: String) -> ModelError {
    ModelError::new(ErrorKind::InvalidRequest, message)
}

/// A stand-in that translates controlled English, and plans for arrangements.
#[derive(Default)]
struct Translator {
    planner: Planner,
}

impl Model for Translator {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let task = task(&request.prompt);
        if let Some(plan) = planned_task(task) {
            let plan = plan_text(plan, &self.planner);
            let plan = plan.map_err(|error| unanswerable(format!("fake:translator: {error}")))?;
            return Ok(Reply { model: self.name().to_owned(), ..Reply::complete(plan) });
        }
        if let Some(problem) = crate::translation::stand_in::planning_problem(task) {
            return Ok(Reply { model: self.name().to_owned(), ..Reply::complete(problem) });
        }
        let relations = last_sentences(task);
        if relations.is_empty() {
            let message = "fake:translator: the task has no sentence of controlled English, such as `The cup rests on the table.`, \
                           and no planning domain with objects; no other language is translated without a model";
            return Err(unanswerable(message.to_owned()));
        }
        Ok(Reply { model: self.name().to_owned(), ..Reply::complete(pddl::facts(&relations)) })
    }

    fn name(&self) -> &'static str {
        "fake:translator"
    }
}

/// Returns the text of the task: the first turn of the user. Later turns are feedback, which may quote sentences that are wrong.
fn task(prompt: &Prompt) -> &str {
    match prompt {
        Prompt::Text(text) => text,
        Prompt::Chat { turns, .. } => {
            turns.iter().find(|turn| turn.role == Role::User).map_or("", |turn| turn.text.as_str())
        }
    }
}

/// Returns the relations of the last lines that are sentences, with or without the `;` of a comment before each.
fn last_sentences(text: &str) -> Vec<Relation> {
    let mut relations = Vec::new();
    for line in text.lines().rev() {
        match sentence(line.trim_start_matches(';')) {
            Some(relation) => relations.push(relation),
            None if relations.is_empty() => {}
            None => break,
        }
    }
    relations.reverse();
    relations
}

fn sentence(line: &str) -> Option<Relation> {
    let mut sources = Sources::new();
    let id = sources.add("task", line);
    let parsed = english::parse(sources.file(id), None);
    let [fact] = parsed.facts.as_slice() else { return None };
    parsed.diagnostics.is_empty().then(|| fact.relation.in_pddl())
}

/// A stand-in that replies with random texts of the grammar of each request.
struct GrammarSampler {
    seed: u64,
}

impl Model for GrammarSampler {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let constraint = request.constraints.first().ok_or_else(|| {
            unanswerable("fake:sampler: the request has no grammar; the command must constrain its replies".to_owned())
        })?;
        // The request decides about its text, so that the order of requests does not.
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let prompt = request.prompt.text().bytes().fold(0xcbf2_9ce4_8422_2325, hash);
        let seed = self.seed.rotate_left(32) ^ prompt.wrapping_add(u64::from(request.attempt));
        let text = sample(constraint, SampleOptions { seed, ..SampleOptions::default() })
            .map_err(|error| unanswerable(format!("fake:sampler: invalid constraint: {error}")))?;
        Ok(Reply { model: self.name().to_owned(), ..Reply::complete(text) })
    }

    fn name(&self) -> &'static str {
        "fake:sampler"
    }
}

/// Returns a random text of a constraint.
fn sample(constraint: &Constraint, options: SampleOptions) -> Result<String, String> {
    let of = |grammar: Result<Grammar, gbnf::ReadError>| {
        grammar.map(|grammar| grammar.sample(options)).map_err(|error| error.to_string())
    };
    match constraint {
        Constraint::Gbnf(text) => of(gbnf::read(text)),
        Constraint::Lark(text) => of(lark::read(text)),
        Constraint::JsonSchema { schema, .. } => {
            let schema = JsonSchema::new(schema.clone()).map_err(|error| error.to_string())?;
            let value = schema.sample(options).ok_or("the schema has no finite value")?;
            Ok(value.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use goalspec_llm::{ClientOptions, Outcome, Turn};

    use super::*;

    fn ask(model: &str, request: &Request) -> Result<Reply, ModelError> {
        let options = ClientOptions { model: Some(model.to_owned()), ..ClientOptions::default() };
        options.open(&stand_ins())?.complete(request)
    }

    fn prompt() -> Request {
        let examples = ";The lid rests on the table.\n(ontable lid)\n\n";
        let task = ";The tea pot rests on the table.\n;The cup is on the tea pot.\n;There is nothing on the cup.\n";
        Request { prefill: Some("(".to_owned()), ..Request::text(format!("{examples}{task}")) }
    }

    #[test]
    fn the_translator_answers_the_last_sentences_correctly() {
        let facts = "(ontable tea-pot)\n(on cup tea-pot)\n(clear cup)";
        assert_eq!(ask("fake:translator", &prompt()).unwrap().text, facts);
        let turns = vec![
            Turn::user("Translate:\nThe cup is on the tea pot."),
            Turn::assistant("(on tea-pot cup)"),
            Turn::user("It reads back as:\nThe tea pot is on the cup."),
        ];
        assert_eq!(ask("fake:translator", &Request::chat(None, turns)).unwrap().text, "(on cup tea-pot)");
        let error = ask("fake:translator", &Request::text("Hello?")).unwrap_err();
        assert!(error.message.contains("no sentence of controlled English"), "{error}");
        assert!(ask("fake:translator:x=1", &prompt()).unwrap_err().message.contains("unknown setting `x`"));
    }

    #[test]
    fn the_noisy_translator_makes_the_errors_that_are_asked_for() {
        let exact = ask("fake:translator", &prompt()).unwrap().text;
        assert_eq!(ask("fake:noisy:all=0", &prompt()).unwrap().text, exact);
        assert_eq!(
            ask("fake:noisy:all=0,swap=1", &prompt()).unwrap().text,
            exact.replace("cup tea-pot", "tea-pot cup")
        );
        assert_eq!(ask("fake:noisy:all=0,cut=1", &prompt()).unwrap().outcome, Outcome::Cut);
    }

    #[test]
    fn the_sampler_keeps_to_the_grammar() {
        let text = "root ::= \"(on \" word \" \" word \")\"\nword ::= [a-z]+\n";
        for attempt in 0..20 {
            let constraints = vec![Constraint::Gbnf(text.to_owned())];
            let reply = ask("fake:sampler", &Request { constraints, attempt, ..prompt() }).unwrap();
            // The prefill is the beginning of the grammar's text too.
            assert!(gbnf::read(text).unwrap().matcher().check(&reply.text).is_ok(), "{}", reply.text);
        }
        assert!(ask("fake:sampler", &prompt()).unwrap_err().message.contains("has no grammar"));
    }
}
