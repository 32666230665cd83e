//! Compares two policies of a resource graph game on the same seeds.

use goalspec::examples::Example;
use goalspec::library::{Library, LibraryOptions};
use goalspec::resource_games::loaded_game;
use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulator::experiment::{ExperimentObservers, ExperimentOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::from_texts(Example::named("berries")?.files(), LibraryOptions::default());
    let game = loaded_game(&library.programs()[0], library.custom_results())?.ok_or("the game has no errors")?;
    let rules = game.simulator.game();
    let policies =
        vec![TeamPolicies::new(rules, &["random".into()])?, TeamPolicies::new(rules, &["ann=greedy".into()])?];
    let options = ExperimentOptions { max_games: 500, ..ExperimentOptions::default() };
    let experiment = LoadedExperiment { game, policies, variation: None, options };
    let mut games = 0;
    let mut count = |_: &_| {
        games += 1;
        Ok(())
    };
    let result = experiment.play(ExperimentObservers { games: Some(&mut count), ..ExperimentObservers::default() })?;
    for (policies, policy_summary) in experiment.policies.iter().zip(&result.statistics.totals.summaries) {
        println!("{}: {} games", policies.text(), policy_summary.games());
    }
    assert_eq!(games, 500);
    Ok(())
}
