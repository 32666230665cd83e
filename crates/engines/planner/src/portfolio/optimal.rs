//! The portfolio for plans of minimum cost.

use super::{Proof, SearchResult, configuration, result_of, run_and_report};
use crate::control::{SearchStatistics, StopReason};
use crate::heuristics::{HeuristicKind, PlainTask};
use crate::lane::{Lane, MILLISECOND};
use crate::search::{Algorithm, OrbitSearch, SearchConfiguration, SearchOutcome, SearchReport, orbit_search};
use crate::search_task::{CostType, SearchTask};

/// The limit on the work of the blind search that precedes A* with LM-cut.
const BLIND_SEARCH_WORK: u64 = 5 * MILLISECOND;

/// The work of the first turn, which is of LM-cut: cost partitionings take longer to prepare.
const LANDMARK_CUT_WORK: u64 = 1_000 * MILLISECOND;

/// Searches for an optimal plan.
pub(super) fn plan(task: &SearchTask, lane: &Lane<'_>) -> SearchResult {
    let search = |kind, work_limit| {
        let algorithm = Algorithm::AStar { weight: 1 };
        SearchConfiguration { work_limit, ..configuration(algorithm, &[kind], CostType::Normal) }
    };
    let mut answer = run_and_report(task, &search(HeuristicKind::Blind, Some(BLIND_SEARCH_WORK)), lane);
    if answer.is_over() || answer.stop_reason.is_some() {
        // Nothing is left to do.
    } else if PlainTask::new(task, CostType::Normal).is_some() {
        answer.merge(optimal_by_turns(task, lane));
    } else {
        answer.merge(run_and_report(task, &search(HeuristicKind::LandmarkCut, None), lane));
    }
    if answer.solution.is_some() {
        answer.proof = Proof::Optimal;
    }
    answer
}

/// Searches for an optimal plan with LM-cut and with cost partitionings by turns, whose lengths grow. The search with the higher lower bound
/// does more of the work.
fn optimal_by_turns(task: &SearchTask, lane: &Lane<'_>) -> SearchResult {
    let (memory, begun) = (lane.memory(), lane.work());
    let mut searches: Vec<OrbitSearch<'_>> = vec![orbit_search(task, HeuristicKind::LandmarkCut, lane)];
    let mut works = vec![0];
    let mut answer = SearchResult::empty();
    let mut turn = LANDMARK_CUT_WORK;
    let mut at = 0;
    loop {
        works[at] += turn;
        // Two searches have half of the memory each; a search that is left has all of it.
        let part = if searches.len() == 1 { memory } else { memory.map(|memory| memory / 2) };
        let outcome = searches[at].run(works[at], part);
        if outcome != SearchOutcome::OutOfWork {
            let report = SearchReport { outcome, statistics: SearchStatistics::default() };
            answer.stop_reason = None;
            answer.merge(result_of(task, report, lane));
            let is_out_of_memory = matches!(answer.stop_reason, Some(StopReason::Memory | StopReason::States));
            if !is_out_of_memory || searches.len() == 1 {
                break;
            }
            answer.statistics = answer.statistics.merged(searches.swap_remove(at).statistics());
            works.swap_remove(at);
        } else if searches.len() == 1 && answer.stop_reason.is_none() {
            searches.push(orbit_search(task, HeuristicKind::SaturatedCostPartitioning, lane));
            works.push(0);
        }
        // The search with the higher bound has three quarters of the work, if they differ.
        let shares: Vec<u64> = searches.iter().map(|search| search.order().bound()).collect();
        let best = shares.iter().max().copied().unwrap_or(0);
        let weight = |place: usize| if shares[place] == best { 3 } else { 1 };
        at = (0..searches.len()).min_by_key(|&place| works[place] / weight(place)).unwrap_or(0);
        turn = (works.iter().sum::<u64>() / 4).max(LANDMARK_CUT_WORK);
    }
    for search in &searches {
        answer.statistics = answer.statistics.merged(search.statistics());
    }
    lane.add(answer.statistics.work);
    // The preparation of the searches included.
    answer.statistics.work = lane.work() - begun;
    if let Some(solution) = &answer.solution {
        lane.control().report_plan(solution);
    }
    answer
}
