//! The evaluation of a fit on games that were held out of it.

use rayon::prelude::*;

use super::{Family, FitOptions, Scales, TrainingSet, energy, fit_weights};
use crate::minimise::Minimum;

/// The separation of games from regrowths by their energies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Separation {
    /// The probability that a game has a lower energy than a regrowth of any game (the area under the ROC curve).
    pub auc: f64,
    /// The probability that a game has a lower energy than a regrowth of itself.
    pub above_own: f64,
}

/// The part of a group of features in the separation.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupSeparation {
    /// The name of the group.
    pub group: String,
    /// The mean energy that the group adds to regrowths, minus what it adds to their games.
    pub difference: f64,
}

/// The evaluation of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct FitReport {
    /// The number of games.
    pub games: usize,
    /// The number of regrowths of all games.
    pub regrowths: usize,
    /// The number of folds.
    pub folds: u32,
    /// The number of steps of the fit to all games.
    pub steps: u32,
    /// The loss of the fit to all games, with the penalty.
    pub loss: f64,
    /// The separation of the games of each fold by a model that is fitted to the others, with n-grams that do not count the game.
    pub held_out: Separation,
    /// The same with n-grams of all games, in the fit too: games are then recognised rather than judged.
    pub counted: Separation,
    /// The separation of all games by the model that is fitted to them.
    pub training: Separation,
    /// The groups of features, from the one that separates most, in the held-out games.
    pub groups: Vec<GroupSeparation>,
}

/// Numbers of pairs of a game and a regrowth.
#[derive(Debug, Clone, Copy, Default)]
struct Pairs {
    /// The pairs in which the game has the lower energy; those of equal energies count half.
    right: f64,
    all: f64,
}

impl Pairs {
    fn share(self) -> f64 {
        if self.all > 0.0 { self.right / self.all } else { 0.5 }
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.all += other.all;
    }

    /// Compares the energy of a game with sorted energies of regrowths.
    fn of(game: f64, sorted: &[f64]) -> Self {
        let lower = sorted.partition_point(|&energy| energy < game);
        let not_higher = sorted.partition_point(|&energy| energy <= game);
        let right = (sorted.len() - not_higher) as f64 + (not_higher - lower) as f64 / 2.0;
        Self { right, all: sorted.len() as f64 }
    }
}

/// Returns the separation of some families, and its parts, to be added to those of other folds.
fn pairs(families: &[&Family], weights: &[f64]) -> [Pairs; 2] {
    let energies: Vec<(f64, Vec<f64>)> = families
        .par_iter()
        .map(|family| {
            let mut all: Vec<f64> = family.rows.iter().map(|row| energy(row, weights)).collect();
            let mut regrowths = all.split_off(1);
            regrowths.sort_unstable_by(f64::total_cmp);
            (all[0], regrowths)
        })
        .collect();
    let mut everyone: Vec<f64> = energies.iter().flat_map(|(_, regrowths)| regrowths.iter().copied()).collect();
    everyone.sort_unstable_by(f64::total_cmp);
    let (mut all, mut own) = (Pairs::default(), Pairs::default());
    for (game, regrowths) in &energies {
        all.add(Pairs::of(*game, &everyone));
        own.add(Pairs::of(*game, regrowths));
    }
    [all, own]
}

fn separation([all, own]: [Pairs; 2]) -> Separation {
    Separation { auc: all.share(), above_own: own.share() }
}

impl TrainingSet {
    /// Evaluates fits with the same options on folds of the games.
    pub(super) fn report(&self, options: &FitOptions, minimum: &Minimum, all: &[&Family]) -> FitReport {
        let folds = options.folds.clamp(2, u32::try_from(self.games()).unwrap_or(u32::MAX));
        let mut groups: Vec<GroupSeparation> = Vec::new();
        let held_out = self.cross_validate(&self.held_out, (options, folds), |family, weights| {
            self.add_groups(&mut groups, family, weights);
        });
        for group in &mut groups {
            group.difference /= self.games() as f64;
        }
        groups.sort_by(|one, other| other.difference.total_cmp(&one.difference));
        FitReport {
            games: self.games(),
            regrowths: self.regrowths(),
            folds,
            steps: minimum.steps,
            loss: minimum.value,
            held_out,
            counted: self.cross_validate(&self.counted, (options, folds), |_, _| ()),
            training: separation(pairs(all, &minimum.point)),
            groups,
        }
    }

    /// Returns the separation of the games of each fold by a model that is fitted to the others, including its scales.
    fn cross_validate(
        &self,
        families: &[Family],
        (options, folds): (&FitOptions, u32),
        mut visit: impl FnMut(&Family, &[f64]),
    ) -> Separation {
        let mut sums = [Pairs::default(); 2];
        for fold in 0..folds as usize {
            let is_tested = |index: usize| index % folds as usize == fold;
            let (tested, others): (Vec<usize>, Vec<usize>) = (0..families.len()).partition(|&index| is_tested(index));
            let scaled = Scales::of(self, families, &others).apply(families);
            let chosen = |indices: &[usize]| -> Vec<&Family> { indices.iter().map(|&index| &scaled[index]).collect() };
            let minimum = fit_weights(&chosen(&others), self.columns.len(), options);
            let tested = chosen(&tested);
            for family in &tested {
                visit(family, &minimum.point);
            }
            for (sum, own) in sums.iter_mut().zip(pairs(&tested, &minimum.point)) {
                sum.add(own);
            }
        }
        separation(sums)
    }

    /// Adds the part of each group in the separation of a family.
    fn add_groups(&self, groups: &mut Vec<GroupSeparation>, family: &Family, weights: &[f64]) {
        let Some((game, regrowths)) = family.rows.split_first().filter(|(_, regrowths)| !regrowths.is_empty()) else {
            return;
        };
        for (column, ((_, _, group), weight)) in self.columns.iter().zip(weights).enumerate() {
            let mean = regrowths.iter().map(|row| f64::from(row[column])).sum::<f64>() / regrowths.len() as f64;
            let difference = weight * (mean - f64::from(game[column]));
            match groups.iter_mut().find(|own| own.group == *group) {
                Some(own) => own.difference += difference,
                None => groups.push(GroupSeparation { group: (*group).to_owned(), difference }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn pairs_of_equal_energies_count_half() {
        let pairs = Pairs::of(1.0, &[0.0, 1.0, 1.0, 2.0, 3.0]);
        assert_eq!([pairs.right, pairs.all].map(f64::to_bits), [3.0, 5.0].map(f64::to_bits));
        assert_eq!(Pairs::default().share().to_bits(), 0.5_f64.to_bits());
    }
}
