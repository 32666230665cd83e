//! Conversations made from the published reward functions, in every shape that replies have.
#![allow(dead_code, reason = "every test program uses a part of it")]

use std::path::PathBuf;

use goalspec_syntax::Sources;

/// A published program.
pub(crate) struct Published {
    /// The name of its file without the extension.
    pub(crate) name: String,
    /// The game.
    pub(crate) game: String,
    /// Whether it was made in three turns.
    pub(crate) is_full: bool,
    /// The text.
    pub(crate) text: String,
}

/// Returns the published programs; none with a printed note if the conformance data is absent.
pub(crate) fn published() -> Vec<Published> {
    let Some(folder) = goalspec_testing::conformance::folder("reward/programs") else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let parts: Vec<String> = name.split('_').map(str::to_owned).collect();
        let text = std::fs::read_to_string(path).unwrap();
        Published { game: parts[1].clone(), is_full: parts[2] == "full", name, text }
    };
    files.into_iter().map(read).collect()
}

/// The parts of a program: its import, its helper functions and its reward function.
pub(crate) struct Parts {
    /// The import of the world's classes.
    pub(crate) import: String,
    /// The functions before the reward function.
    pub(crate) helpers: String,
    /// The reward function.
    pub(crate) reward: String,
    /// The names of all functions.
    pub(crate) functions: Vec<String>,
}

/// Returns the names of the functions of a program, with the offsets of their starts.
pub(crate) fn functions(text: &str) -> Vec<(String, usize)> {
    let mut sources = Sources::new();
    let id = sources.add("program", text);
    let found = goalspec_reward::lint::functions(sources.file(id));
    found.into_iter().map(|(name, span)| (name, span.start as usize)).collect()
}

/// Splits a program.
pub(crate) fn parts(text: &str) -> Parts {
    let functions = functions(text);
    let (last, start) = functions.last().unwrap();
    assert_eq!(last, "reward_function");
    let first = functions[0].1;
    Parts {
        import: text[..first].to_owned(),
        helpers: text[first..*start].to_owned(),
        reward: text[*start..].to_owned(),
        functions: functions.into_iter().map(|(name, _)| name).collect(),
    }
}

fn fenced(code: &str) -> String {
    format!("```python\n{}\n```\n", code.trim_end())
}

/// Returns the replies of conversations in which a model gives the program, by the name of the shape.
pub(crate) fn shapes(program: &Published) -> Vec<(&'static str, Vec<String>)> {
    let Parts { import, helpers, reward, .. } = parts(&program.text);
    let text = &program.text;
    let first_draft = "def reward_function(game_objects) -> float:\n    return 0.0\n";
    let usage = "objects = [1, 2]\nprint(reward_function(objects))\n";
    let mut shapes = vec![
        ("one block", vec![fenced(text)]),
        ("no fence", vec![text.clone()]),
        (
            "no fence, prose around",
            vec![format!("Here is the function.\n\n{text}\nIt pays for progress, as you can see.\n")],
        ),
        (
            "a corrected second block",
            vec![format!(
                "```python\n{import}\n{first_draft}```\nAn improved version:\n\n{}\nUse it like this:\n{}",
                fenced(text),
                fenced(usage)
            )],
        ),
        (
            "other blocks around",
            vec![format!(
                "Install it:\n```bash\npip install ocatari\n```\n~~~~Python title=reward.py\n{text}\n~~~~\nOutput:\n```\n0.1\n```\n"
            )],
        ),
        ("JSON", vec![serde_json::json!({ "reasoning": "def f(): pass", "program": text }).to_string()]),
        ("a list item", vec![format!("1. The program:\n\n   ```py\n{}\n   ```\n2. Done.", indented(text))]),
    ];
    if program.is_full {
        let relations =
            format!("These functions help:\n\n{}\nThey are used below.", fenced(&format!("{import}\n{helpers}")));
        shapes.push((
            "relations and reward in one reply",
            vec![format!("{relations}\nThe reward:\n{}", fenced(&reward))],
        ));
        let draft = reward.replacen("return reward", "return 10 * reward", 1);
        shapes.push((
            "relations, reward, rescaled function only",
            vec![
                relations.clone(),
                format!("Now the reward function:\n\n{}", fenced(&draft)),
                format!("I have scaled it.\n\n{}", fenced(&reward)),
            ],
        ));
        shapes.push(("relations, reward, whole program", vec![relations, fenced(&draft), fenced(text)]));
    }
    shapes
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { String::new() } else { format!("   {line}") })
        .collect::<Vec<_>>()
        .join("\n")
}
