//! The integration tests of the crate, in one binary: they are linked once.

mod activities;
mod analyse;
mod audits;
mod budgets;
mod common;
mod costs;
mod custom;
mod docs;
mod examples;
mod exit_codes;
mod exit_codes_of_rewards;
mod fast_downward;
mod game_reports;
mod games;
mod goals;
mod hard_plans;
mod hostile;
mod household_names;
mod montecarlo;
mod pictures;
mod plan;
mod planning;
mod read_back;
mod releases;
mod resource;
mod results;
