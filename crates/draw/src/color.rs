//! Colours that people with any colour vision tell apart.

/// The colours of teams: those of Okabe and Ito, without black; after the last, the first comes again.
const TEAMS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"];

/// What nobody sees or owns.
pub(crate) const NOBODY: &str = "#999999";

/// What everybody sees.
pub(crate) const EVERYBODY: &str = "#444444";

/// What fills a node that is owned.
pub(crate) const OWNED: &str = "#FFE9A8";

/// The colour of a team by its place.
pub(crate) fn of_team(place: usize) -> &'static str {
    TEAMS[place % TEAMS.len()]
}
