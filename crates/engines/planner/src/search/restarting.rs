//! Lazy greedy search with restarts.
//!
//! The effort of a greedy search has a heavy tail: one early choice among states or operators that look equal can lead into a region without
//! plans, which the search then exhausts. Short attempts that break ties in different ways avoid this (Gomes, Selman, Crato and Kautz
//! 2000); their lengths follow the sequence of Luby, Sinclair and Zuckerman (1993), which is optimal up to a logarithmic factor.

use super::lazy::LazySearch;
use super::{SearchConfiguration, SearchOutcome, SearchReport};
use crate::control::SearchStatistics;
use crate::lane::{Lane, MILLISECOND};
use crate::random::Random;
use crate::search_task::SearchTask;

/// The number of shortest attempts that fit into the limit on the work.
const SHORTEST_ATTEMPTS: u64 = 16;

/// The work of the shortest attempt of a search without a limit.
const UNLIMITED_ATTEMPT: u64 = 2_000 * MILLISECOND;

/// Runs attempts until one finds a plan or exhausts its search space.
pub(super) fn search(task: &SearchTask, configuration: &SearchConfiguration, lane: &Lane<'_>) -> SearchReport {
    let begun = lane.work();
    let shortest = configuration.work_limit.map_or(UNLIMITED_ATTEMPT, |limit| (limit / SHORTEST_ATTEMPTS).max(1));
    let mut statistics = SearchStatistics::default();
    for attempt in 1.. {
        let left = configuration.work_limit.map(|limit| limit.saturating_sub(lane.work() - begun));
        if left == Some(0) {
            break;
        }
        let length = shortest.saturating_mul(luby(attempt));
        let work_limit = Some(left.map_or(length, |left| left.min(length)));
        let limited = SearchConfiguration { work_limit, ..configuration.clone() };
        let random = Random::new(lane.control().seed(), attempt);
        let report = LazySearch::new(task, &limited, lane, None).with_random_ties(random).run();
        let work = report.statistics.work;
        statistics = SearchStatistics { work, ..statistics.merged(report.statistics) };
        if !matches!(report.outcome, SearchOutcome::OutOfWork | SearchOutcome::Incomplete) {
            return SearchReport { outcome: report.outcome, statistics };
        }
        lane.add(work);
    }
    SearchReport { outcome: SearchOutcome::OutOfWork, statistics: SearchStatistics { work: 0, ..statistics } }
}

/// Returns an element of the sequence 1, 1, 2, 1, 1, 2, 4, 1, .., counted from one.
fn luby(index: u64) -> u64 {
    let mut index = index;
    loop {
        // The sequence up to 2^bits - 1 ends with 2^(bits - 1).
        let bits = 64 - index.leading_zeros();
        if index + 1 == 1 << bits {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn lengths_double_after_two_attempts_of_each_length() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
