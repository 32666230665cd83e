//! A stand-in that translates simple sentences to planning problems of any domain, without a model.
//!
//! A sentence that names a predicate of the domain and as many objects as it has parameters is a fact about them, in the order in which
//! they are named. A sentence with `should` or `must` is part of the goal.

use std::fmt::Write as _;

use goalspec_llm::{ErrorKind, Model, ModelError, Prompt, Reply, Request};
use goalspec_pddl::ast::typed_names;
use goalspec_syntax::Sources;

use super::names::NameMap;
use super::task::{DOMAIN_MARK, NAMES_MARK, OBJECTS_MARK, SENTENCES_MARK};

/// The words of sentences that state goals.
const GOAL_WORDS: [&str; 2] = ["should", "must"];

/// The translator of simple sentences.
#[derive(Debug, Clone, Copy, Default)]
pub struct SentenceTranslator;

impl Model for SentenceTranslator {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let prompt = match &request.prompt {
            Prompt::Chat { turns, .. } => turns.first().map(|turn| turn.text.as_str()).unwrap_or_default(),
            Prompt::Text(text) => text,
        };
        if let Some(problem) = planning_problem(prompt) {
            Ok(Reply { model: self.name().to_owned(), ..Reply::complete(problem) })
        } else {
            let message = "the stand-in answers prompts of `goalspec translate --to pddl` with --objects only";
            Err(ModelError::new(ErrorKind::InvalidRequest, message))
        }
    }

    fn name(&self) -> &'static str {
        "fake:translator"
    }
}

/// A predicate with the number of its parameters.
struct Predicate {
    name: String,
    parameters: usize,
}

/// Returns the planning problem that a prompt asks for; `None` for other prompts.
pub(crate) fn planning_problem(prompt: &str) -> Option<String> {
    let (_, rest) = prompt.split_once(DOMAIN_MARK)?;
    let mut sources = Sources::new();
    let id = sources.add("prompt", rest);
    // The parser reads the domain at the beginning, and reports the rest.
    let domain = goalspec_pddl::parse(sources.file(id)).domains.into_iter().next()?;
    let predicates: Vec<Predicate> = domain
        .predicates
        .iter()
        .map(|predicate| Predicate {
            name: predicate.name.text().to_owned(),
            parameters: typed_names(&predicate.parameters).count(),
        })
        .collect();
    let declarations = rest.split_once(OBJECTS_MARK)?.1.lines().next()?.trim();
    let objects = super::task::object_names(declarations);
    let names = stated_names(rest);
    let (_, list) = rest.rsplit_once(SENTENCES_MARK)?;
    let (mut init, mut goal) = (String::new(), String::new());
    for line in list.lines().take_while(|line| !line.trim().is_empty()) {
        let (number, sentence) = line.split_once(". ")?;
        let facts = facts(sentence, &predicates, &objects, &names);
        let is_goal = sentence.split(' ').any(|word| GOAL_WORDS.contains(&word));
        let section = if is_goal { &mut goal } else { &mut init };
        if !facts.is_empty() {
            let _ = writeln!(section, "        ; {number}");
        }
        for fact in &facts {
            let _ = writeln!(section, "        {fact}");
        }
    }
    let name = domain.name.written();
    Some(format!(
        "```pddl\n(define (problem {name}-problem)\n    (:domain {name})\n    (:objects {})\n    (:init\n{init}    )\n    (:goal (and\n{goal}    \
         ))\n)\n```\n",
        declarations.replace(',', "")
    ))
}

/// Returns the words that a prompt says stand for names.
fn stated_names(prompt: &str) -> NameMap {
    let mut map = NameMap::default();
    let line = prompt.split_once(NAMES_MARK).map_or("", |(_, rest)| rest.lines().next().unwrap_or_default());
    for statement in line.trim_end_matches('.').split("; ") {
        if let Some((words, name)) = statement.split_once(" is ") {
            words.split("\", \"").for_each(|words| map.add(words.trim_matches('"'), name));
        }
    }
    map
}

/// Returns the facts that a sentence states.
fn facts(sentence: &str, predicates: &[Predicate], objects: &[String], names: &NameMap) -> Vec<String> {
    let mut mentioned: Vec<(usize, &str)> =
        objects.iter().filter_map(|object| Some((names.position(sentence, object)?, object.as_str()))).collect();
    mentioned.sort_unstable();
    let stated = predicates.iter().filter(|predicate| {
        predicate.parameters == mentioned.len() && NameMap::default().mentions(sentence, &predicate.name)
    });
    let arguments: String = mentioned.iter().map(|(_, object)| format!(" {object}")).collect();
    stated.map(|predicate| format!("({}{arguments})", predicate.name)).collect()
}
