//! How much memory there is to plan with, whatever is allowed: a planner that is refused memory ends without an answer.
//!
//! What the operating system does not say bounds nothing.

use std::fmt;
use std::path::Path;

/// What keeps a planner from using more memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The addresses of the process: `ulimit -v`.
    Addresses,
    /// What the process may write to: `ulimit -d`.
    Data,
    /// The memory of its control group.
    Group,
    /// The memory of the machine.
    Machine,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Addresses => "the process may have so many addresses only (`ulimit -v`)",
            Self::Data => "the process may have so much data only (`ulimit -d`)",
            Self::Group => "its control group may have so much memory only",
            Self::Machine => "the machine has so much memory only",
        })
    }
}

impl Bound {
    /// How much of a limit can be filled. The rest is for what planners do not count. Of addresses, allocators take more than they give:
    /// whole regions, in which the places of tables that have grown stay free.
    fn usable(self, limit: u64) -> u64 {
        match self {
            Self::Addresses | Self::Data => limit / 2,
            Self::Group | Self::Machine => limit / 8 * 7,
        }
    }
}

/// What a planner gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    /// So many bytes.
    pub bytes: u64,
    /// Why they are fewer than are allowed; nothing if they are not.
    pub bound: Option<Bound>,
}

/// Of so many bytes that are allowed, those that there are.
pub fn granted(allowed: u64) -> Grant {
    let limits = [
        (Bound::Addresses, process(Bound::Addresses)),
        (Bound::Data, process(Bound::Data)),
        (Bound::Group, group(Path::new("/sys/fs/cgroup"), Path::new("/proc/self/cgroup"))),
        (Bound::Machine, machine()),
    ];
    least(allowed, &limits)
}

fn least(allowed: u64, limits: &[(Bound, Option<u64>)]) -> Grant {
    let usable = limits.iter().filter_map(|&(bound, limit)| Some((bound, bound.usable(limit?))));
    match usable.min_by_key(|&(_, bytes)| bytes) {
        Some((bound, bytes)) if bytes < allowed => Grant { bytes, bound: Some(bound) },
        _ => Grant { bytes: allowed, bound: None },
    }
}

#[cfg(unix)]
fn process(bound: Bound) -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    let resource = if bound == Bound::Data { Resource::Data } else { Resource::As };
    getrlimit(resource).current
}

#[cfg(not(unix))]
fn process(_: Bound) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
#[allow(clippy::useless_conversion, reason = "the machine decides how many bits these numbers have")]
fn machine() -> Option<u64> {
    let info = rustix::system::sysinfo();
    u64::from(info.totalram).checked_mul(info.mem_unit.into())
}

#[cfg(not(target_os = "linux"))]
fn machine() -> Option<u64> {
    None
}

/// The least limit of the control group that the process is in, by its line `0::/path`, and of those around it.
fn group(root: &Path, membership: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(membership).ok()?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let groups = Path::new(path).ancestors().map(|group| root.join(group).join("memory.max"));
    groups.filter_map(|file| std::fs::read_to_string(file).ok()?.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_that_can_be_filled_counts() {
        let limits = |addresses, group| [(Bound::Addresses, addresses), (Bound::Group, group)];
        let cases = [
            (limits(None, None), Grant { bytes: 1000, bound: None }),
            (limits(Some(8000), Some(8000)), Grant { bytes: 1000, bound: None }),
            (limits(Some(800), None), Grant { bytes: 400, bound: Some(Bound::Addresses) }),
            (limits(Some(800), Some(80)), Grant { bytes: 70, bound: Some(Bound::Group) }),
        ];
        for (limits, grant) in cases {
            assert_eq!(least(1000, &limits), grant);
        }
    }

    #[test]
    fn groups_around_a_group_bound_it() {
        let root = std::env::temp_dir().join(format!("goalspec-groups-{}", std::process::id()));
        std::fs::create_dir_all(root.join("outer/inner")).unwrap();
        let membership = root.join("membership");
        std::fs::write(&membership, "4:memory:/elsewhere\n0::/outer/inner\n").unwrap();
        assert_eq!(group(&root, &membership), None);
        std::fs::write(root.join("outer/inner/memory.max"), "max\n").unwrap();
        std::fs::write(root.join("outer/memory.max"), "4096\n").unwrap();
        assert_eq!(group(&root, &membership), Some(4096));
        std::fs::write(root.join("outer/inner/memory.max"), "1024\n").unwrap();
        assert_eq!(group(&root, &membership), Some(1024));
        std::fs::remove_dir_all(root).unwrap();
    }
}
