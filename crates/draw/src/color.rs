//! Colours that are distinguishable with any colour vision.

/// The colours of teams: the palette of Okabe and Ito without black. Further teams reuse the colours from the beginning.
const TEAMS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"];

/// The colour of nodes that no team sees.
pub(crate) const UNSEEN_NODE: &str = "#999999";

/// The colour of nodes that several teams see.
pub(crate) const SHARED_NODE: &str = "#444444";

/// The fill colour of owned nodes.
pub(crate) const OWNED_FILL: &str = "#FFE9A8";

/// Returns the colour of the team with this index.
pub(crate) fn of_team(place: usize) -> &'static str {
    TEAMS[place % TEAMS.len()]
}
