//! A model that translates and plans without a network, exactly.

use std::sync::Arc;

use goalspec_llm::stand_in::StandInBuilder;
use goalspec_llm::{ErrorKind, Model, ModelError, Prompt, Reply, Request};
use goalspec_lot::{Arrangement, Relation, StackingProblem, english, pddl, plan, prompts};
use goalspec_syntax::Sources;

use super::planner::Planner;

/// The name of the stand-in.
pub const NAME: &str = "translator";

/// A model that answers the prompts of the experiment: it translates controlled English with a parser, and plans with a planner.
#[derive(Debug, Default)]
pub struct Translator {
    planner: Planner,
}

/// Returns the constructor of the stand-in.
pub fn translator() -> StandInBuilder {
    Arc::new(|options| match options.settings.keys().next() {
        Some(name) => Err(format!("unknown setting `{name}`: the translator has none")),
        None => Ok(Arc::new(Translator::default())),
    })
}

impl Translator {
    fn answer(&self, prompt: &str) -> Result<String, String> {
        if let Some((_, task)) = prompt.rsplit_once(prompts::PLAN_STOP) {
            return self.plan(task);
        }
        let relations = translated(prompt)?;
        Ok(format!("{}\n\n", pddl::facts(&relations)))
    }

    /// Plans for the text of a task: a state, `Goal:`, and `Actions:`.
    fn plan(&self, task: &str) -> Result<String, String> {
        let (state, rest) = task.split_once("\n\nGoal:\n").ok_or("the prompt has no goal")?;
        let goal = rest.split("\n\nActions:").next().unwrap_or_default();
        let initial = Arrangement::from_relations(&parse(state)?).ok_or("the state is no arrangement")?;
        let problem = StackingProblem { initial, goal: parse(goal)? };
        let outcome = self.planner.plan(&problem).map_err(|error| error.to_string())?;
        let moves = outcome.moves().ok_or("the goal cannot be reached")?;
        Ok(format!("{}\n\n\n", plan::text(moves)))
    }
}

/// Returns the relations of the last commented sentences of a prompt.
fn translated(prompt: &str) -> Result<Vec<Relation>, String> {
    let mut lines: Vec<&str> = Vec::new();
    for line in prompt.trim_end_matches(['(', '\n', ' ']).lines().rev() {
        let Some(sentence) = line.strip_prefix(';') else { break };
        lines.push(sentence);
    }
    if lines.is_empty() {
        return Err("the prompt does not end with sentences after `;`".to_owned());
    }
    lines.reverse();
    parse(&lines.join("\n"))
}

fn parse(text: &str) -> Result<Vec<Relation>, String> {
    let mut sources = Sources::new();
    let id = sources.add("prompt", text.trim());
    let parsed = english::parse(sources.file(id), None);
    parsed.diagnostics.first().map_or_else(|| Ok(parsed.relations()), |error| Err(error.message.clone()))
}

impl Model for Translator {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        // A repair is asked for in the conversation that begins with the prompt.
        let prompt = match &request.prompt {
            Prompt::Text(text) => text,
            Prompt::Chat { turns, .. } => turns.first().map_or("", |turn| turn.text.as_str()),
        };
        let answer = self.answer(prompt);
        answer.map(Reply::complete).map_err(|reason| {
            let message = format!("fake:{NAME} reads only the prompts of the LOT experiment: {reason}");
            ModelError::new(ErrorKind::InvalidRequest, message)
        })
    }

    fn name(&self) -> &'static str {
        "fake:translator"
    }
}
