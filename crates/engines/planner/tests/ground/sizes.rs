//! Sizes of ground tasks from the planning competitions. Skipped if the data is missing.

use std::ops::ControlFlow;

use goalspec_planner::ground::{GroundLimits, ground};

use super::task;

/// Operators and variables that Fast Downward's translator (26.6.0) prints for each task.
const SIZES: &[(&str, [usize; 2])] = &[
    ("airport/p20-airport3-p7", [777, 341]),
    ("assembly/prob10", [148, 189]),
    ("barman-sat14-strips/p1-11-4-15", [2344, 353]),
    ("blocks/probBLOCKS-10-0", [200, 21]),
    ("blocks/probBLOCKS-17-0", [578, 35]),
    ("cavediving-14-adl/testing01_easy", [2772, 146]),
    ("childsnack-sat14-strips/child-snack_pfile06-2", [2631, 66]),
    ("citycar-sat14-adl/p3-5-2-0-1", [2450, 224]),
    ("depot/p07", [408, 29]),
    ("depot/p13", [984, 36]),
    ("driverlog/p09", [384, 14]),
    ("driverlog/p15", [2592, 20]),
    ("elevators-sat11-strips/p05", [4320, 30]),
    ("floortile-sat11-strips/seq-p01-001", [188, 19]),
    ("freecell/p05", [3317, 54]),
    ("gripper/prob05", [98, 15]),
    ("gripper/prob20", [338, 45]),
    ("logistics00/probLOGISTICS-15-0", [650, 22]),
    ("logistics00/probLOGISTICS-8-0", [156, 12]),
    ("miconic-fulladl/f10-0", [756, 95]),
    ("miconic-fulladl/f25-0", [4714, 271]),
    ("miconic/s10-0", [400, 21]),
    ("miconic/s30-0", [3600, 61]),
    ("miconic-simpleadl/s20-0", [1583, 41]),
    ("nomystery-sat11-strips/p05", [6572, 12]),
    ("openstacks/p05", [115, 22]),
    ("openstacks-sat08-adl/p10", [840, 81]),
    ("parcprinter-sat11-strips/p05", [235, 62]),
    ("philosophers/p10-phil11", [187, 199]),
    ("psr-large/p15-s114-n8-l2-f50", [90, 444]),
    ("rovers/p08", [232, 35]),
    ("rovers/p30", [7458, 149]),
    ("satellite/p06-pfile6", [362, 23]),
    ("satellite/p20-pfile20", [3284, 107]),
    ("scanalyzer-sat11-strips/p05", [17_836, 28]),
    ("schedule/probschedule-15-0", [361, 144]),
    ("sokoban-sat11-strips/p03", [528, 50]),
    ("tidybot-sat11-strips/p03", [29_842, 373]),
    ("transport-sat14-strips/p05", [130_784, 38]),
    ("trucks/p04", [936, 31]),
    ("trucks/p10", [3168, 55]),
    ("visitall-sat11-strips/problem20", [1520, 400]),
    ("zenotravel/p09", [1125, 13]),
    ("zenotravel/p18", [21_960, 30]),
];

#[test]
fn ground_tasks_are_not_larger_than_those_of_fast_downward() {
    let Some(folder) = goalspec_testing::conformance::folder("planning") else { return };
    let folder = folder.join("ipc");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the file can be read");
    for (name, theirs) in SIZES {
        let task = task(&read(&format!("{name}-domain.pddl")), &read(&format!("{name}.pddl")));
        let result =
            ground(&task, &GroundLimits::default(), &mut |_| ControlFlow::Continue(())).expect("it can be grounded");
        let ground = &result.task;
        let ours = [ground.operators.len(), ground.variables.len()];
        assert!(ours.iter().zip(theirs).all(|(ours, theirs)| ours <= theirs), "{name}: {ours:?}, {theirs:?}");
        assert!(result.is_goal_relaxed_reachable, "{name}");
    }
}
