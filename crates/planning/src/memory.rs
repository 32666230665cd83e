//! The memory that is available for planning. A planner whose allocations fail ends without a result, so its limit must not
//! exceed the available memory.
//!
//! Limits that the operating system does not report are ignored.

use std::fmt;
use std::path::Path;

/// The mechanism of the operating system that limits memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryLimitSource {
    /// The limit on the address space of the process: `ulimit -v`.
    AddressSpace,
    /// The limit on the data segment of the process: `ulimit -d`.
    DataSegment,
    /// The memory limit of the control group.
    ControlGroup,
    /// The physical memory of the machine.
    Machine,
}

impl fmt::Display for MemoryLimitSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AddressSpace => "limit on the address space of the process (`ulimit -v`)",
            Self::DataSegment => "limit on the data segment of the process (`ulimit -d`)",
            Self::ControlGroup => "memory limit of the control group",
            Self::Machine => "physical memory of the machine",
        })
    }
}

impl MemoryLimitSource {
    /// Returns the usable part of the memory that a limit leaves. The rest is for memory that planners do not count. Of the address space,
    /// allocators reserve more than they hand out: whole regions, in which the former places of grown tables stay free.
    fn usable(self, limit: u64) -> u64 {
        match self {
            Self::AddressSpace | Self::DataSegment => limit / 2,
            Self::ControlGroup | Self::Machine => limit / 8 * 7,
        }
    }
}

/// The memory limit of a planner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimit {
    /// The limit in bytes.
    pub bytes: u64,
    /// The source of the limit if it is lower than the allowed number of bytes; `None` if it is not.
    pub source: Option<MemoryLimitSource>,
}

/// Returns the memory limit of a planner that may use `allowed` bytes, reduced to the available memory.
pub fn available(allowed: u64) -> MemoryLimit {
    let limits = [
        (MemoryLimitSource::AddressSpace, unoccupied(MemoryLimitSource::AddressSpace)),
        (MemoryLimitSource::DataSegment, unoccupied(MemoryLimitSource::DataSegment)),
        (
            MemoryLimitSource::ControlGroup,
            control_group_limit(Path::new("/sys/fs/cgroup"), Path::new("/proc/self/cgroup")),
        ),
        (MemoryLimitSource::Machine, physical_memory()),
    ];
    tightest(allowed, &limits)
}

fn tightest(allowed: u64, limits: &[(MemoryLimitSource, Option<u64>)]) -> MemoryLimit {
    let usable = limits.iter().filter_map(|&(bound, limit)| Some((bound, bound.usable(limit?))));
    match usable.min_by_key(|&(_, bytes)| bytes) {
        Some((bound, bytes)) if bytes < allowed => MemoryLimit { bytes, source: Some(bound) },
        _ => MemoryLimit { bytes: allowed, source: None },
    }
}

/// Returns the bytes that a limit of the process leaves beyond those that it occupies already: the program itself and its stacks.
fn unoccupied(bound: MemoryLimitSource) -> Option<u64> {
    Some(process_limit(bound)?.saturating_sub(occupied(bound)))
}

/// Returns the bytes of the process that count towards a limit, 0 where the operating system does not tell.
#[cfg(target_os = "linux")]
fn occupied(bound: MemoryLimitSource) -> u64 {
    // Pages: the address space first, data and stacks sixth.
    let field = if bound == MemoryLimitSource::DataSegment { 5 } else { 0 };
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages: Option<u64> = pages.and_then(|text| text.split_whitespace().nth(field)?.parse().ok());
    pages.unwrap_or(0).saturating_mul(rustix::param::page_size() as u64)
}

#[cfg(not(target_os = "linux"))]
fn occupied(_: MemoryLimitSource) -> u64 {
    0
}

#[cfg(unix)]
fn process_limit(bound: MemoryLimitSource) -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    let resource = if bound == MemoryLimitSource::DataSegment { Resource::Data } else { Resource::As };
    getrlimit(resource).current
}

#[cfg(not(unix))]
fn process_limit(_: MemoryLimitSource) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
#[allow(clippy::useless_conversion, reason = "the machine decides how many bits these numbers have")]
fn physical_memory() -> Option<u64> {
    let info = rustix::system::sysinfo();
    u64::from(info.totalram).checked_mul(info.mem_unit.into())
}

#[cfg(not(target_os = "linux"))]
fn physical_memory() -> Option<u64> {
    None
}

/// Returns the minimum memory limit of the control group of the process, found by the line `0::/path`, and of the groups that
/// contain it.
fn control_group_limit(root: &Path, membership: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(membership).ok()?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let groups = Path::new(path).ancestors().map(|group| root.join(group).join("memory.max"));
    groups.filter_map(|file| std::fs::read_to_string(file).ok()?.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_of_unmet_requirements_counts() {
        let limits =
            |addresses, group| [(MemoryLimitSource::AddressSpace, addresses), (MemoryLimitSource::ControlGroup, group)];
        let cases = [
            (limits(None, None), MemoryLimit { bytes: 1000, source: None }),
            (limits(Some(8000), Some(8000)), MemoryLimit { bytes: 1000, source: None }),
            (limits(Some(1200), None), MemoryLimit { bytes: 600, source: Some(MemoryLimitSource::AddressSpace) }),
            (limits(Some(800), Some(80)), MemoryLimit { bytes: 70, source: Some(MemoryLimitSource::ControlGroup) }),
        ];
        for (limits, grant) in cases {
            assert_eq!(tightest(1000, &limits), grant);
        }
    }

    #[test]
    fn groups_around_a_group_bound_it() {
        let root = std::env::temp_dir().join(format!("goalspec-groups-{}", std::process::id()));
        std::fs::create_dir_all(root.join("outer/inner")).unwrap();
        let membership = root.join("membership");
        std::fs::write(&membership, "4:memory:/elsewhere\n0::/outer/inner\n").unwrap();
        assert_eq!(control_group_limit(&root, &membership), None);
        std::fs::write(root.join("outer/inner/memory.max"), "max\n").unwrap();
        std::fs::write(root.join("outer/memory.max"), "4096\n").unwrap();
        assert_eq!(control_group_limit(&root, &membership), Some(4096));
        std::fs::write(root.join("outer/inner/memory.max"), "1024\n").unwrap();
        assert_eq!(control_group_limit(&root, &membership), Some(1024));
        std::fs::remove_dir_all(root).unwrap();
    }
}
