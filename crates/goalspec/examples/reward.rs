//! Calls a reward function in a thousand environments at once.

use goalspec::atari::Game;
use goalspec::core::engine::Engine;
use goalspec::library::{Library, LibraryOptions};
use goalspec::python_runtime::machine::Reward;
use goalspec::python_runtime::scene::{Objects, SceneObject};
use goalspec::rewards::batch::{Environments, Observation};
use goalspec::rewards::compiled::CompiledReward;
use goalspec::rewards::screen_worlds;

const REWARD: &str = "from ocatari.ram.pong import Player, Ball\n\n
def reward_function(objects):
    player = next(o for o in objects if isinstance(o, Player))
    ball = next(o for o in objects if isinstance(o, Ball))
    return -abs(player.y - ball.y) / 210
";
const ENVIRONMENTS: i32 = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::from_texts([("follow.py", REWARD)], LibraryOptions::default());
    let program = &library.programs()[0];
    let reward = program.as_reward().ok_or("it is a reward function")?;
    let world = reward.world.as_ref().ok_or("it imports its world")?;
    let compiled = CompiledReward::new(&program.name, reward, world, Engine::Fast)?;
    let mut environments = Environments::new(&compiled, ENVIRONMENTS as usize)?;
    let scene = &screen_worlds::for_game(Game::Pong).scene;
    let class = |name: &str| scene.class_names().position(|class| &**class == name).map(|class| class as u16);
    let (player, ball) = (class("Player").ok_or("a class")?, class("Ball").ok_or("a class")?);
    let at = |class, y| SceneObject { position: (140, y), size: (4, 16), visible: true, ..scene.new_object(class) };
    let screens: Vec<[SceneObject; 2]> = (0..ENVIRONMENTS).map(|e| [at(player, 100), at(ball, 50 + e % 100)]).collect();
    let observations: Vec<Observation<'_>> =
        screens.iter().map(|screen| Observation { objects: Objects::Screen(screen), action: None }).collect();
    let mut rewards = Vec::new();
    environments.step(&observations, &mut rewards);
    let total: f64 = rewards.iter().flatten().map(Reward::value).sum();
    println!("mean reward {:.4}", total / f64::from(ENVIRONMENTS));
    Ok(())
}
