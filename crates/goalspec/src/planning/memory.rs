//! The memory that is available for planning. A planner whose allocations fail ends without a result, so its limit must not
//! exceed the available memory.
//!
//! Limits that the operating system does not report are ignored.

use std::fmt;
use std::path::Path;

/// The source of a memory limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The limit on the address space of the process: `ulimit -v`.
    Addresses,
    /// The limit on the data segment of the process: `ulimit -d`.
    Data,
    /// The memory limit of the control group.
    Group,
    /// The physical memory of the machine.
    Machine,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Addresses => "limit on the address space of the process (`ulimit -v`)",
            Self::Data => "limit on the data segment of the process (`ulimit -d`)",
            Self::Group => "memory limit of the control group",
            Self::Machine => "physical memory of the machine",
        })
    }
}

impl Bound {
    /// Returns the usable part of a limit. The rest is for memory that planners do not count. Of the address space, allocators
    /// reserve more than they hand out: whole regions, in which the former places of grown tables stay free.
    fn usable(self, limit: u64) -> u64 {
        match self {
            Self::Addresses | Self::Data => limit / 2,
            Self::Group | Self::Machine => limit / 8 * 7,
        }
    }
}

/// The memory limit of a planner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    /// The limit in bytes.
    pub bytes: u64,
    /// The source of the limit if it is lower than the allowed number of bytes; `None` if it is not.
    pub bound: Option<Bound>,
}

/// Returns the memory limit of a planner that may use `allowed` bytes, reduced to the available memory.
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

/// Returns the minimum memory limit of the control group of the process, found by the line `0::/path`, and of the groups that
/// contain it.
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
