//! The prompts of reward functions: five texts with placeholders, built in or read from a folder.

use std::fmt;
use std::io;
use std::path::Path;

use goalspec_syntax::suggest;

use super::classes::ClassDescriptions;

/// The names of the placeholders, without their angle brackets.
pub const PLACEHOLDERS: [&str; 4] = ["GAME", "PARENT GAME OBJECT CLASS", "GAME OBJECT CLASSES", "INSTRUCTIONS"];

/// The maximum size of a template, in bytes.
pub const MAX_TEMPLATE_BYTES: usize = 1 << 20;

/// The conversation in which a reward function is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// Three turns: functions that recognise events, the reward function, its range.
    #[default]
    Full,
    /// One turn: the reward function alone.
    Direct,
}

impl Variant {
    /// Returns the name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Direct => "direct",
        }
    }
}

/// A template of prompts that cannot be read or filled in.
#[derive(Debug)]
pub enum TemplateError {
    /// The file cannot be read.
    File(String, io::Error),
    /// The folder has none of the templates.
    NoTemplate(String),
    /// The template has an unknown placeholder: file, line, placeholder, and the nearest known one.
    UnknownPlaceholder(String, usize, String, Option<String>),
    /// The template exceeds the maximum size.
    TooLarge(String),
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "cannot read the template `{path}`: {error}"),
            Self::NoTemplate(path) => {
                let names: Vec<String> = Templates::NAMES.iter().map(|name| format!("{name}.txt")).collect();
                write!(f, "the folder `{path}` has none of the templates {}", names.join(", "))
            }
            Self::UnknownPlaceholder(path, line, name, nearest) => {
                write!(f, "{path}:{line}: unknown placeholder `<{name}>`")?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean `<{nearest}>`?"),
                    None => Ok(()),
                }
            }
            Self::TooLarge(path) => {
                write!(f, "the template `{path}` exceeds the limit of {MAX_TEMPLATE_BYTES} bytes")
            }
        }
    }
}

impl std::error::Error for TemplateError {}

/// The texts of the prompts, with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates {
    /// The instructions for the whole conversation.
    pub system: String,
    /// The first turn of [`Variant::Full`].
    pub relations: String,
    /// The second turn of [`Variant::Full`].
    pub reward: String,
    /// The third turn of [`Variant::Full`].
    pub rescale: String,
    /// The turn of [`Variant::Direct`].
    pub direct: String,
}

impl Default for Templates {
    fn default() -> Self {
        Self {
            system: include_str!("templates/system.txt").to_owned(),
            relations: include_str!("templates/relations.txt").to_owned(),
            reward: include_str!("templates/reward.txt").to_owned(),
            rescale: include_str!("templates/rescale.txt").to_owned(),
            direct: include_str!("templates/direct.txt").to_owned(),
        }
    }
}

/// The paragraph that asks for the components of the reward.
const COMPONENTS: &str = include_str!("templates/components.txt");

impl Templates {
    /// The names of the templates; their files have the extension `txt`.
    pub const NAMES: [&str; 5] = ["system", "relations", "reward", "rescale", "direct"];

    /// Reads the templates of a folder. The built-in text takes the place of a file that does not exist.
    ///
    /// # Errors
    /// If the folder has no template, or a template cannot be read or has an unknown placeholder.
    pub fn read(folder: &Path) -> Result<Self, TemplateError> {
        let mut templates = Self::default();
        let mut count = 0;
        for name in Self::NAMES {
            let path = folder.join(format!("{name}.txt"));
            let shown = path.display().to_string();
            let text = match std::fs::read_to_string(&path) {
                Ok(text) if text.len() > MAX_TEMPLATE_BYTES => return Err(TemplateError::TooLarge(shown)),
                Ok(text) => goalspec_syntax::source::without_byte_order_mark(&text).to_owned(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(TemplateError::File(shown, error)),
            };
            check_placeholders(&shown, &text)?;
            *templates.text_mut(name) = text;
            count += 1;
        }
        if count == 0 { Err(TemplateError::NoTemplate(folder.display().to_string())) } else { Ok(templates) }
    }

    fn text_mut(&mut self, name: &str) -> &mut String {
        match name {
            "system" => &mut self.system,
            "relations" => &mut self.relations,
            "reward" => &mut self.reward,
            "rescale" => &mut self.rescale,
            _ => &mut self.direct,
        }
    }
}

/// Checks that all placeholders of a template are known. A placeholder consists of capital letters and spaces.
fn check_placeholders(path: &str, text: &str) -> Result<(), TemplateError> {
    for (start, _) in text.match_indices('<') {
        let Some(name) = placeholder(&text[start..]) else { continue };
        if !PLACEHOLDERS.contains(&name) {
            let line = text[..start].matches('\n').count() + 1;
            let nearest = suggest::nearest(name, PLACEHOLDERS).map(str::to_owned);
            return Err(TemplateError::UnknownPlaceholder(path.to_owned(), line, name.to_owned(), nearest));
        }
    }
    Ok(())
}

/// Returns the name of the placeholder that a text begins with.
fn placeholder(text: &str) -> Option<&str> {
    let name = &text.strip_prefix('<')?[..text.find('>')? - 1];
    let is_name = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b' ');
    is_name.then_some(name)
}

/// The texts that take the place of the placeholders.
#[derive(Debug, Clone, Copy)]
pub struct PromptInputs<'p> {
    /// The name of the game.
    pub game: &'p str,
    /// The descriptions of the classes.
    pub classes: &'p ClassDescriptions,
    /// The instructions of the game.
    pub instructions: &'p str,
}

/// Returns a template with its placeholders replaced, in one pass: a placeholder in an inserted text stays as it is.
pub fn fill(template: &str, inputs: PromptInputs<'_>) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let inserted = match placeholder(rest) {
            Some("GAME") => inputs.game,
            Some("PARENT GAME OBJECT CLASS") => inputs.classes.parent.trim_end(),
            Some("GAME OBJECT CLASSES") => inputs.classes.objects.trim_end(),
            Some("INSTRUCTIONS") => inputs.instructions.trim_end(),
            _ => {
                text.push('<');
                rest = &rest[1..];
                continue;
            }
        };
        text.push_str(inserted);
        rest = &rest[rest.find('>').map_or(0, |end| end + 1)..];
    }
    text.push_str(rest);
    text
}

/// The turns of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompts {
    /// The instructions for the whole conversation.
    pub system: String,
    /// The turns of the user, in order.
    pub turns: Vec<String>,
}

impl Prompts {
    /// Creates the turns of a variant. `components` asks for the components of the reward as well.
    pub fn new(templates: &Templates, variant: Variant, components: bool, inputs: PromptInputs<'_>) -> Self {
        let fill = |template: &str| fill(template, inputs);
        let with_components = |text: String| {
            if components { format!("{}\n\n{}", text.trim_end(), COMPONENTS.trim_end()) } else { text }
        };
        let turns = match variant {
            Variant::Full => {
                vec![fill(&templates.relations), with_components(fill(&templates.reward)), fill(&templates.rescale)]
            }
            Variant::Direct => vec![with_components(fill(&templates.direct))],
        };
        Self { system: fill(&templates.system).trim_end().to_owned(), turns }
    }

    /// Returns the task of a later round as one text: the turns up to the one that asks for the reward function.
    pub fn task(&self, variant: Variant) -> String {
        match variant {
            Variant::Full => self.turns[..2].iter().map(|turn| turn.trim_end()).collect::<Vec<_>>().join("\n\n"),
            Variant::Direct => self.turns[0].clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserted_texts_are_not_templates() {
        let classes = ClassDescriptions { parent: "class P:\n".to_owned(), objects: "<INSTRUCTIONS>".to_owned() };
        let inputs = PromptInputs { game: "<GAME>", classes: &classes, instructions: "play <GAME>" };
        let template = "<GAME> a < b <x> <PARENT GAME OBJECT CLASS>|<GAME OBJECT CLASSES>|<INSTRUCTIONS>";
        assert_eq!(fill(template, inputs), "<GAME> a < b <x> class P:|<INSTRUCTIONS>|play <GAME>");
    }

    #[test]
    fn built_in_templates_have_known_placeholders_only() {
        let templates = Templates::default();
        for name in Templates::NAMES {
            let mut copy = templates.clone();
            check_placeholders(name, copy.text_mut(name)).unwrap();
        }
        let error = check_placeholders("x.txt", "a\n<INSTRUCTION>").unwrap_err().to_string();
        assert_eq!(error, "x.txt:2: unknown placeholder `<INSTRUCTION>`; did you mean `<INSTRUCTIONS>`?");
    }
}
