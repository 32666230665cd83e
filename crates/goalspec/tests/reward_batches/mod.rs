//! Many environments and many programs at once come to what each comes to alone.

use std::sync::Arc;

use goalspec::atari::Game;
use goalspec::core::engine::Engine;
use goalspec::library::Library;
use goalspec::python_runtime::machine::Reward;
use goalspec::python_runtime::scene::{Objects, SceneObject};
use goalspec::rewards::batch::{Environments, Observation, RewardError};
use goalspec::rewards::compiled::CompiledReward;
use goalspec::rewards::program::NamedRewardProgram;
use goalspec::rewards::score::{RewardOutcome, ScoreOptions, score};
use goalspec::rewards::screen_worlds;
use goalspec::rewards::world::RewardWorld;
use proptest::prelude::*;

use super::pong;

/// Programs that keep nothing, that count calls, that look back, that fail, and that give parts.
const PROGRAMS: [&str; 6] = [
    "def reward_function(objects):\n    return sum(o.x * 0.1 for o in objects if o.visible)\n",
    "seen = []\n\ndef reward_function(objects):\n    seen.append(len(objects))\n    return sum(seen) + 0.5\n",
    "def reward_function(prev_state, state):\n    return float(len(state.objects) - len(prev_state.objects))\n",
    "def reward_function(objects):\n    return 10 / objects[0].x\n",
    "def reward_function(objects):\n    reward = 0.0\n    for o in objects:\n        if o.y > 100:\n            reward += 1.5\n    return reward, {'low': reward}\n",
    "count = 0\n\ndef reward_function(objects):\n    global count\n    if len(objects) == 2:\n        count += 1\n    return count if len(objects) > 0 else None\n",
];

fn library() -> Library {
    let mut library = Library::new();
    for (place, text) in PROGRAMS.iter().enumerate() {
        library.add_program(&format!("{place}.py"), *text);
    }
    library
}

fn ball(x: i32) -> SceneObject {
    let world = &screen_worlds::for_game(Game::Pong).scene;
    SceneObject { position: (x, x + 60), size: (2, 4), ..world.new_object(0) }
}

/// A reward by its bits with its components, or the error.
type ExactResult = Result<(u64, Vec<(String, f64)>), RewardError>;

fn exactly(result: Result<Reward, RewardError>) -> ExactResult {
    result.map(|reward| (reward.value().to_bits(), reward.components))
}

/// A step: the values shown by each environment, and whether an episode begins in it.
type Step = Vec<(Vec<i32>, bool)>;

/// The rewards of environments that are stepped together.
fn together(ready: &CompiledReward, steps: &[Step]) -> Vec<Vec<ExactResult>> {
    let mut environments = Environments::new(ready, steps[0].len()).unwrap();
    let (mut rewards, mut all) = (Vec::new(), Vec::new());
    for step in steps {
        let scenes: Vec<Vec<SceneObject>> =
            step.iter().map(|(places, _)| places.iter().copied().map(ball).collect()).collect();
        for (place, (_, begins)) in step.iter().enumerate() {
            if *begins {
                environments.reset(place).unwrap();
            }
        }
        let moments: Vec<Observation<'_>> =
            scenes.iter().map(|objects| Observation { objects: Objects::Screen(objects), action: None }).collect();
        environments.step(&moments, &mut rewards);
        all.push(rewards.drain(..).map(exactly).collect());
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn environments_are_independent(
        steps in (1..200_usize).prop_flat_map(|count| {
            let shown = (prop::collection::vec(0..120_i32, 0..4), prop::bool::weighted(0.2));
            prop::collection::vec(prop::collection::vec(shown, count), 1..8)
        })
    ) {
        let library = library();
        let world = RewardWorld::Screen(screen_worlds::for_game(Game::Pong));
        for program in library.programs() {
            let reward = program.as_reward().unwrap();
            let of = |engine| CompiledReward::new(&Arc::from("p"), reward, &world, engine).unwrap();
            let given = together(&of(Engine::Fast), &steps);
            let reference = of(Engine::Interpreter);
            for place in 0..steps[0].len() {
                let own: Vec<Step> = steps.iter().map(|step| vec![step[place].clone()]).collect();
                let alone = together(&reference, &own);
                for (given, alone) in given.iter().zip(alone) {
                    prop_assert_eq!(&given[place], &alone[0], "{}", program.name);
                }
            }
        }
    }

    #[test]
    fn programs_are_independent(
        episodes in prop::collection::vec(prop::collection::vec(-1..150_i32, 1..400), 1..4)
    ) {
        let library = library();
        let parts: Vec<&[i32]> = episodes.iter().map(Vec::as_slice).collect();
        let input = pong(&parts);
        let options = ScoreOptions { keep_frames: true, ..ScoreOptions::default() };
        let programs: Vec<NamedRewardProgram<'_>> = library.reward_programs().into_iter().cycle().take(50).collect();
        let together = score(&programs, &[], &input, &options, &|_| ());
        prop_assert_eq!(together.outcomes.len(), 50);
        let alone: Vec<String> = library.reward_programs().into_iter().map(|program| {
            let scored = score(&[program], &[], &input, &ScoreOptions { engine: Engine::Interpreter, ..options.clone() }, &|_| ());
            told(&scored.outcomes[0])
        }).collect();
        for (outcome, alone) in together.outcomes.iter().zip(alone.iter().cycle()) {
            prop_assert_eq!(&told(outcome), alone);
        }
    }
}

/// All that an outcome says, but not how it was run.
fn told(outcome: &RewardOutcome) -> String {
    let RewardOutcome { program, episodes, failures, other_failures, warnings, frame_results: steps, .. } = outcome;
    format!("{program} {episodes:?} {failures:?} {other_failures} {warnings:?} {steps:?}")
}
