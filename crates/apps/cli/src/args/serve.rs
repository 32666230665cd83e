//! Arguments of `goalspec serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use goalspec::simulator::episode::MAX_TURNS;

use super::{PolicyPerspective, ResourceArgs};

/// Let another program play a resource graph game
///
/// Reads requests from the standard input, one JSON object per line, and writes a reply to each as a line; the command ends with the input. The
/// game of a seed and an index is the one that `goalspec simulate --seed SEED --first-game INDEX` plays. A reply with the key `error` says why
/// a request has failed.
///
/// With `--listen`, requests are the text messages of WebSockets, and so are the replies. Every connection plays games of its own, and the
/// command runs until it is interrupted.
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
  goalspec serve --listen 8437 berries.yaml
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
    /// Serve WebSockets at a port of this machine, or at an address and a port; port 0 is any free port. The first line of output is the URL
    #[arg(long, value_name = "PORT|ADDRESS:PORT", value_parser = parse_address)]
    pub(crate) listen: Option<SocketAddr>,
    /// Accept connections of web pages from this origin, for example `http://localhost:3000`; may be repeated. By default, no page can connect
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    pub(crate) allow_origin: Vec<String>,
    /// Listen at an address that other machines can reach. Connections are neither encrypted nor authenticated
    #[arg(long, requires = "listen")]
    pub(crate) allow_remote: bool,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}

/// Parses a port of the loopback interface, or an address with a port.
fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    port.or_else(|_| text.parse())
        .map_err(|_| "expected a port, or an IP address and a port as in `127.0.0.1:8437`".to_owned())
}
