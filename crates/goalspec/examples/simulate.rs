//! Compares two policies of a resource graph game on the same seeds.

use goalspec::examples::Example;
use goalspec::library::{Library, LibraryOptions};
use goalspec::simulation::LoadedGame;
use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulator::experiment::{ExperimentObservers, ExperimentOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::from_texts(Example::named("berries")?.files(), LibraryOptions::default());
    let game = LoadedGame::new(&library.programs()[0], library.custom_results())?.ok_or("the game has no errors")?;
    let rules = game.simulator.game();
    let policies = [TeamPolicies::new(rules, &["random".into()])?, TeamPolicies::new(rules, &["ann=greedy".into()])?];
    let options = ExperimentOptions { max_games: 500, ..ExperimentOptions::default() };
    let experiment = LoadedExperiment { game: &game, policies: &policies, variation: None, options };
    let mut games = 0;
    let mut count = |_: &_| {
        games += 1;
        Ok(())
    };
    let result = experiment.play(ExperimentObservers { games: Some(&mut count), ..ExperimentObservers::default() })?;
    for (policies, overview) in policies.iter().zip(&result.statistics.totals.overviews) {
        println!("{}: {} games", policies.text(), overview.games());
    }
    assert_eq!(games, 500);
    Ok(())
}
