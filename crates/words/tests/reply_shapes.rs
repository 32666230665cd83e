//! The same program in every shape that replies have.

mod common;

use std::collections::BTreeSet;

use common::{functions, parts, published, shapes};
use goalspec_words::codes;
use goalspec_words::extraction::Extraction;
use goalspec_words::extraction::python::{WorldNames, extract};

fn world(game: &str) -> WorldNames {
    let classes = ["Player", "Enemy", "Ball", "Chicken", "Car", "Flag", "Tree", "Mogul", "Shark", "Submarine"];
    let classes =
        classes.into_iter().chain(["Diver", "EnemyMissile", "PlayerMissile", "CollectedDiver", "OxygenBar", "Lives"]);
    WorldNames {
        import: Some(format!("from ocatari.ram.{game} import *")),
        classes: classes.map(str::to_owned).collect(),
    }
}

fn run(replies: &[String], game: &str) -> Extraction {
    extract(&replies.iter().map(String::as_str).collect::<Vec<_>>(), &world(game))
}

/// Returns the functions of an extraction: those of the program and those that it lists as unused.
fn all_functions(extraction: &Extraction) -> BTreeSet<String> {
    let program = extraction.program.as_deref().unwrap_or_default();
    let used = functions(program).into_iter().map(|(name, _)| name);
    let unused = extraction.findings.iter().filter(|finding| finding.code == "reward/unused-function");
    used.chain(unused.map(|finding| finding.message.split('`').nth(1).unwrap().to_owned())).collect()
}

#[test]
fn every_reply_shape_gives_the_same_functions() {
    for program in published() {
        let expected: BTreeSet<String> = parts(&program.text).functions.into_iter().collect();
        let mut texts = BTreeSet::new();
        for (shape, replies) in shapes(&program) {
            let extraction = run(&replies, &program.game);
            assert_eq!(all_functions(&extraction), expected, "{}, {shape}: {extraction:#?}", program.name);
            let text = extraction.program.unwrap();
            // Every function has the text of the published program.
            for (name, start) in functions(&text) {
                let body = text[start..].split("\n\n\n").next().unwrap().split("\ndef ").next().unwrap();
                assert!(program.text.contains(body.trim_end()), "{}, {shape}: {name}\n{body}", program.name);
            }
            texts.insert(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        assert_eq!(texts.len(), 1, "{}: {texts:#?}", program.name);
    }
}

#[test]
fn eight_of_eighteen_helpers_are_unused_and_six_of_them_change_the_objects() {
    let programs: Vec<_> = published()
        .into_iter()
        .filter(|program| !program.name.ends_with("_le") && !program.name.ends_with("_b"))
        .collect();
    if programs.is_empty() {
        return;
    }
    assert_eq!(programs.len(), 8);
    let helpers: usize = programs.iter().map(|program| parts(&program.text).functions.len() - 1).sum();
    let unused: Vec<_> = programs
        .iter()
        .flat_map(|program| run(&[format!("```\n{}```", program.text)], &program.game).findings)
        .collect();
    let changing =
        unused.iter().filter(|finding| finding.evidence.iter().any(|text| text.contains("change the objects")));
    assert_eq!((helpers, unused.len(), changing.count()), (18, 8, 6), "{unused:#?}");
}

#[test]
fn replies_without_a_function_are_findings() {
    for reply in
        ["I cannot help with that.", "```\n0.5\n```", "```bash\nls\n```", "", "    ", "```", "def", "```python\n```"]
    {
        let extraction = run(&[reply.to_owned()], "pong");
        assert_eq!(extraction.program, None, "{reply}");
        assert_eq!(extraction.findings[0].code, codes::NO_PROGRAM.0, "{reply}");
    }
}

#[test]
fn a_syntax_error_stays_in_the_program() {
    let text = "def reward_function(objects):\n    return (1.0\n";
    let extraction = run(&[format!("```python\n{text}```")], "pong");
    assert_eq!(extraction.program.as_deref(), Some(text));
}

#[test]
fn the_entry_is_the_only_function_of_one_parameter_that_returns_a_number() {
    let reply =
        "def near(ball):\n    return ball.x < 3\n\ndef score(things):\n    return 1.0 if near(things[0]) else 0.0\n";
    let extraction = run(&[reply.to_owned()], "pong");
    let program = extraction.program.unwrap();
    assert!(program.ends_with("def reward_function(objects):\n    return score(objects)\n"), "{program}");
    let two = "def one(a):\n    return a.x\n\ndef two(b):\n    return b.y\n";
    let extraction = run(&[two.to_owned()], "pong");
    assert_eq!(extraction.findings[0].code, codes::NO_ENTRY.0);
    assert!(extraction.findings[0].message.contains("`one`, `two`"), "{:?}", extraction.findings);
}

#[test]
fn classes_of_the_world_are_not_redefined() {
    let reply = "```python\nimport math\n\nclass Ball:\n    pass\n\nWEIGHT = 2.0\nprint(WEIGHT)\n\ndef reward_function(o):\n    return WEIGHT * math.pi\n```";
    let extraction = run(&[reply.to_owned()], "pong");
    let expected = "from ocatari.ram.pong import *\n\nimport math\nWEIGHT = 2.0\n\n\ndef reward_function(o):\n    return WEIGHT * math.pi\n";
    assert_eq!(extraction.program.as_deref(), Some(expected));
    let kinds: Vec<&str> = extraction.notes.iter().map(|note| note.kind.as_str()).collect();
    assert_eq!(kinds, ["dropped-class", "dropped-statement", "world-import"]);
}

#[test]
fn module_state_stays_with_the_functions_that_use_it() {
    let reply = "STATE = {}\nSTATE['best'] = 0\nOTHER = [1]\nOTHER.append(2)\n\ndef f(x):\n    return OTHER[x]\n\ndef reward_function(objects):\n    global STATE\n    return STATE['best']\n";
    let program = run(&[reply.to_owned()], "pong").program.unwrap();
    assert!(program.contains("STATE['best'] = 0") && !program.contains("OTHER"), "{program}");
}

#[test]
fn extraction_takes_any_text_without_a_panic() {
    let pieces = [
        "```",
        "~~~",
        "python",
        "\n",
        "def f(o):\n",
        "    return 1\n",
        "@",
        "class A:",
        "from x import *",
        "\"\"\"",
        "{\"program\": \"",
        "\\",
        "ü",
        "(",
        "\t",
        "\r",
    ];
    let mut state = 1_u64;
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        let extraction = run(&[text.clone(), text], "pong");
        assert!(extraction.program.is_some() || !extraction.findings.is_empty());
    }
}
