//! Real recordings of people.

mod common;

use goalspec_core::state::Delta;
use goalspec_trace::{ReadOptions, TraceReader};

/// File, room, number of states, index and clock of the first and the last state: counted with another JSON reader.
const RECORDINGS: [(&str, &str, u64, [u64; 4]); 13] = [
    ("FhhBELRaBFiGGvX0YG7W-preCreateGame-rerecorded", "many", 467, [0, 0, 466, 559]),
    ("agent_door_adjacent", "many", 714, [0, 0, 713, 825]),
    ("ball_to_bin_from_bed_trace", "many", 1161, [0, 0, 1160, 1622]),
    ("building_castle-rerecorded", "many", 1166, [0, 0, 1165, 1749]),
    ("c4bea3VqKksZ7Rd5RdTO-gameplay-attempt-1-rerecorded", "few", 1036, [944, 1108, 1979, 2232]),
    ("complex_stacking_trace-rerecorded", "many", 1175, [0, 0, 1174, 1373]),
    ("complex_stacking_trace", "many", 1166, [0, 0, 1165, 1369]),
    ("otcaCEGfUhzEfGy72Qm8-preCreateGame-rerecorded", "few", 551, [0, 0, 550, 1055]),
    ("stack_3_cube_blocks-rerecorded", "many", 480, [0, 0, 479, 675]),
    ("throw_all_dodgeballs-rerecorded", "many", 900, [0, 0, 899, 1037]),
    ("throw_all_dodgeballs", "many", 900, [0, 0, 899, 1034]),
    ("throw_ball_to_bin_unique_positions", "many", 1748, [0, 0, 1747, 1973]),
    ("weZ1UVzKNaiTjaqu0DGI-preCreateGame-buildings-in-touching", "many", 2039, [0, 0, 2038, 2562]),
];

#[test]
fn every_recording_is_read_to_its_end() {
    let Some(folder) = common::conformance() else { return };
    for (name, room, states, numbers) in RECORDINGS {
        let world = common::room(room);
        let path = folder.join(format!("game/traces/{name}.json.gz"));
        let mut reader = goalspec_trace::open(&path, &world, &ReadOptions::default()).unwrap();
        let mut delta = Delta::default();
        let mut first = None;
        while reader.next(&mut delta).unwrap() {
            first.get_or_insert([delta.index, delta.clock]);
        }
        let first = first.unwrap();
        assert_eq!(reader.states(), states, "{name}");
        assert_eq!([first[0], first[1], delta.index, delta.clock], numbers, "{name}");
    }
}
