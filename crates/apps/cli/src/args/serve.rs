//! Arguments of `goalspec serve`.

use std::path::PathBuf;

use clap::Args;
use goalspec::simulator::episode::MAX_TURNS;

use super::{PolicyPerspective, ResourceArgs};

/// Let another program play a resource graph game
///
/// Reads requests from the standard input, one JSON object per line, and writes a reply to each as a line. The game of a seed and an index is
/// the one that `goalspec simulate --seed SEED --first-game INDEX` plays. A reply with the key `error` says why a request has failed; the
/// command ends with the input.
#[derive(Debug, Args)]
#[command(after_help = "\
Requests:
  {\"method\": \"describe\"}                         the teams, the order of turns, and the actions of each team
  {\"method\": \"reset\", \"seed\": 0, \"index\": 0}     begin a game; without seed and index, the next one
  {\"method\": \"legal\", \"team\": \"ann\"}             the valid actions; without a team, of the team to move
  {\"method\": \"observe\", \"team\": \"ann\"}           the observation
  {\"method\": \"step\", \"action\": \"look around\"}    play an action, written as in scripts or as its index
  A key `id` is repeated in the reply.

Examples:
  goalspec serve berries.yaml
  echo '{\"method\": \"describe\"}' | goalspec serve berries.yaml")]
pub(crate) struct ServeArgs {
    /// The game file
    pub(crate) game: PathBuf,
    /// The maximum number of turns of a game; longer games are truncated
    #[arg(long, default_value_t = MAX_TURNS, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: u32,
    /// The values of a numeric parameter with a large or infinite range: a number of evenly spaced values, or a list of numbers; may be
    /// repeated
    #[arg(long, value_name = "PARAMETER=BINS")]
    pub(crate) bins: Vec<String>,
    /// The state by which actions are legal
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    pub(crate) policy_view: PolicyPerspective,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}
