//! The prompts of reward functions: the published templates, and the descriptions of classes.

use goalspec_rewards::screen_worlds;
use goalspec_rewards::world::RewardWorld;
use goalspec_trace::TraceInput;
use goalspec_words::reward::classes::ClassDescriptions;
use goalspec_words::reward::prompts::{PromptInputs, Prompts, Templates, Variant};
use goalspec_words::reward::samples::Samples;

fn world(game: &str) -> RewardWorld {
    RewardWorld::Screen(screen_worlds::builtin(&format!("atari/{game}")).unwrap())
}

fn classes(game: &str) -> Option<ClassDescriptions> {
    let folder = goalspec_testing::conformance::folder("reward/traces")?;
    let traces =
        ["random", "scripted"].map(|policy| TraceInput::File(folder.join(format!("{game}_{policy}_s0.jsonl.gz"))));
    let samples = Samples::read(&world(game), &[], &traces).unwrap();
    Some(ClassDescriptions::render(&world(game), &samples))
}

#[test]
fn the_published_templates_are_filled_and_otherwise_unchanged() {
    let Some(folder) = goalspec_testing::conformance::folder("words/ocalm") else { return };
    let templates = Templates::read(&folder).unwrap();
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    for game in ["freeway", "pong", "seaquest", "skiing"] {
        let instructions = text(&format!("facts-{game}.txt"));
        let classes =
            ClassDescriptions { parent: "class GameObject: ..".to_owned(), objects: "class X: ..".to_owned() };
        let inputs = PromptInputs { game, classes: &classes, instructions: &instructions };
        let expected = |name: &str| {
            text(name)
                .replace("<GAME>", game)
                .replace("<PARENT GAME OBJECT CLASS>", &classes.parent)
                .replace("<GAME OBJECT CLASSES>", &classes.objects)
                .replace("<INSTRUCTIONS>", instructions.trim_end())
        };
        let full = Prompts::new(&templates, Variant::Full, false, inputs);
        assert_eq!(full.system, text("system.txt").trim_end());
        assert_eq!(full.turns, ["relations.txt", "reward.txt", "rescale.txt"].map(expected));
        let direct = Prompts::new(&templates, Variant::Direct, false, inputs);
        assert_eq!(direct.turns, [expected("direct.txt")]);
        let components = Prompts::new(&templates, Variant::Direct, true, inputs);
        assert!(components.turns[0].starts_with(direct.turns[0].trim_end()) && components.turns[0].contains("a pair"));
    }
}

#[test]
fn descriptions_state_counts_absence_and_ranges_over_the_samples() {
    let Some(freeway) = classes("freeway") else { return };
    for part in [
        "class Chicken(GameObject):",
        "\"\"\"Chickens; the one with the smaller x is played. At most 2 at a time, at least one in each of the 4000 sample frames. x from 44 to 108, y from 17 to 187. 6 wide and 8 high",
        "class Car(GameObject):",
    ] {
        assert!(freeway.objects.contains(part), "{part}: {}", freeway.objects);
    }
    assert!(!freeway.objects.contains("Score"), "{}", freeway.objects);
    let pong = classes("pong").unwrap();
    assert!(
        pong.objects.contains("may be absent: none in 870 of 4000 sample frames. x from 3 to 157"),
        "{}",
        pong.objects
    );
    let seaquest = classes("seaquest").unwrap();
    assert!(seaquest.objects.contains("class SurfaceSubmarine(Submarine):"), "{}", seaquest.objects);
    assert!(seaquest.parent.contains("class ValueObject(GameObject):"), "{}", seaquest.parent);
}

#[test]
fn descriptions_of_methods_state_their_behaviour() {
    let parent = ClassDescriptions::render(&world("pong"), &Samples::default()).parent;
    assert!(parent.contains(
        "def is_on_top(self, other) -> bool:\n        \"\"\"Returns whether the object's upper left corner is inside"
    ));
    assert!(parent.contains(
        "def manathan_distance(self, other) -> float:\n        \"\"\"Returns the Manhattan distance between the centres"
    ));
    // Descriptions are Python.
    let mut sources = goalspec_syntax::Sources::new();
    for game in screen_worlds::all() {
        let rendered = ClassDescriptions::render(&RewardWorld::Screen(game), &Samples::default());
        let id = sources.add("classes.py", format!("{}\n\n{}", rendered.parent, rendered.objects));
        let parsed = goalspec_reward::parse::parse(sources.file(id));
        assert!(parsed.diagnostics.is_empty(), "{}: {:?}", game.name, parsed.diagnostics);
    }
}
