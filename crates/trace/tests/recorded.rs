//! Real recordings of human play.

use std::path::{Path, PathBuf};

use glam::DVec3;
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::value::Value;
use goalspec_core::world::World;
use goalspec_trace::{LinesWriter, ReadOptions, Summary, Trace, TraceReader};

use crate::common;

/// File, room, number of states, index and clock of the first and of the last state, as counted by another JSON reader.
const RECORDINGS: [(&str, &str, u64, [u64; 4]); 13] = [
    ("FhhBELRaBFiGGvX0YG7W-preCreateGame-rerecorded", "many", 467, [0, 0, 466, 559]),
    ("agent_door_adjacent", "few", 714, [0, 0, 713, 825]),
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
    ("weZ1UVzKNaiTjaqu0DGI-preCreateGame-buildings-in-touching", "medium", 2039, [0, 0, 2038, 2562]),
];

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("game/traces/{name}.json.gz"))
}

#[test]
fn every_recording_is_read_to_its_end() {
    let Some(folder) = common::conformance() else { return };
    for (name, room, states, numbers) in RECORDINGS {
        let world = common::room(room);
        let mut reader = goalspec_trace::open(&path(&folder, name), world, &ReadOptions::default()).unwrap();
        let summary = Summary::read(&mut reader, world).unwrap();
        let [first_index, first_clock, last_index, last_clock] = numbers;
        assert_eq!(summary.states, states, "{name}");
        assert_eq!(summary.indices, (first_index, last_index), "{name}");
        assert_eq!(summary.clocks, (first_clock, last_clock), "{name}");
    }
}

#[test]
fn the_room_is_found_by_its_objects() {
    let Some(folder) = common::conformance() else { return };
    let rooms = ["few", "medium", "many"].map(common::room);
    for (name, room, ..) in RECORDINGS {
        let found =
            goalspec_trace::detect_world(|| goalspec_trace::Source::open(&path(&folder, name)), &rooms).unwrap();
        assert_eq!(found.map(World::name), Some(common::room(room).name()), "{name}");
    }
}

/// The contents of a recording according to another JSON reader.
struct Expected {
    name: &'static str,
    room: &'static str,
    /// The numbers of listings of an object of the room, of an object of another room, and of the agent, over all states.
    listed: u64,
    foreign: u64,
    agent: u64,
    /// The total length of all lists of touched objects. The names of colliders that are walls, door, rug or agent are included.
    touched: usize,
    actions: u64,
    /// The last positions of an object and of the agent.
    object: (&'static str, [f64; 3]),
    agent_at: [f64; 3],
}

#[test]
fn values_agree_with_another_reader() {
    let Some(folder) = common::conformance() else { return };
    let cases = [
        Expected {
            name: "c4bea3VqKksZ7Rd5RdTO-gameplay-attempt-1-rerecorded",
            room: "few",
            listed: 1787,
            foreign: 0,
            agent: 955,
            touched: 3814,
            actions: 69,
            object: (
                "Dodgeball|-02.95|+01.29|-02.61",
                [-2.950_000_047_683_716, 1.274_318_695_068_359_4, -2.607_771_635_055_542],
            ),
            agent_at: [0.896_169_900_894_165, 1.111_045_718_193_054_2, 0.171_895_951_032_638_55],
        },
        Expected {
            name: "ball_to_bin_from_bed_trace",
            room: "many",
            listed: 2327,
            foreign: 0,
            agent: 933,
            touched: 4898,
            actions: 57,
            object: (
                "Beachball|+02.29|+00.19|-02.88",
                [2.266_744_613_647_461, 0.238_302_156_329_154_97, -2.853_893_995_285_034],
            ),
            agent_at: [0.225_702_539_086_341_86, 0.899_458_408_355_712_9, -1.094_042_778_015_136_7],
        },
        Expected {
            name: "complex_stacking_trace",
            room: "many",
            listed: 2414,
            foreign: 0,
            agent: 1033,
            touched: 4515,
            actions: 53,
            object: (
                "CubeBlock|-02.96|+01.26|-01.72",
                [1.325_956_225_395_202_6, 0.088_464_565_575_122_83, -0.303_434_520_959_854_1],
            ),
            agent_at: [0.478_727_221_488_952_64, 0.899_458_348_751_068_1, -0.990_491_688_251_495_4],
        },
    ];
    for case in cases {
        let world = common::room(case.room);
        let [agent, object] = ["agent", case.object.0].map(|id| world.object_with_recorded_name(id).unwrap());
        let position = world.attribute_named("position").unwrap();
        let mut reader = goalspec_trace::open(&path(&folder, case.name), world, &ReadOptions::default()).unwrap();
        let trace = Trace::read(&mut reader, world).unwrap();
        let summary = Summary::read(&mut trace.cursor(), world).unwrap();
        let of_agent = summary.objects.iter().find(|(id, _)| id == "agent").unwrap().1;
        let listed: u64 = summary.objects.iter().map(|(_, count)| count).sum();
        assert_eq!((listed - of_agent, summary.foreign_mentions, of_agent), (case.listed, case.foreign, case.agent));
        assert_eq!(summary.actions, case.actions);
        // The trace in memory drops unchanged values, so the touched objects are counted from the reader.
        let mut playback = Playback::new(world.clone());
        let (mut delta, mut touching) = (Delta::default(), 0);
        let mut reader = goalspec_trace::open(&path(&folder, case.name), world, &ReadOptions::default()).unwrap();
        while reader.next(&mut delta).unwrap() {
            let sets = delta.changes.iter().filter_map(|change| match &change.value {
                Value::Set(set) => Some(set.len()),
                _ => None,
            });
            touching += sets.sum::<usize>();
        }
        assert_eq!(touching, case.touched);
        let mut cursor = trace.cursor();
        while cursor.next(&mut delta).unwrap() {
            playback.advance(&delta);
        }
        let at = |object| playback.state().vec3(position, object).unwrap().to_array().map(f64::to_bits);
        assert_eq!(at(object), case.object.1.map(f64::to_bits), "{}", case.name);
        assert_eq!(at(agent), case.agent_at.map(f64::to_bits), "{}", case.name);
    }
}

#[test]
fn boxes_are_corrected_as_the_room_says() {
    let Some(folder) = common::conformance() else { return };
    let world = common::room("few");
    let file = path(&folder, "c4bea3VqKksZ7Rd5RdTO-gameplay-attempt-1-rerecorded");
    let mut reader = goalspec_trace::open(&file, world, &ReadOptions::default()).unwrap();
    let mut delta = Delta::default();
    assert!(reader.next(&mut delta).unwrap());
    let mut playback = Playback::new(world.clone());
    playback.advance(&delta);
    let value = |object: &str, attribute: &str| {
        let (object, attribute) =
            (world.object_with_recorded_name(object).unwrap(), world.attribute_named(attribute).unwrap());
        playback.state().vec3(attribute, object).unwrap()
    };
    assert_eq!(value("Floor|+00.00|+00.00|+00.00", "center"), DVec3::new(0.16, -0.1, -0.185));
    assert_eq!(value("Floor|+00.00|+00.00|+00.00", "extents"), DVec3::new(3.65, 0.1, 2.75));
    // Recorded: centre at 1.0999999046325684, half height 0.15000003576278687.
    let (middle, half): (f64, f64) = (1.099_999_904_632_568_4, 0.150_000_035_762_786_87);
    assert_eq!(value("Shelf|+00.62|+01.01|-02.82", "extents").y.to_bits(), (half * 0.25).to_bits());
    assert_eq!(value("Shelf|+00.62|+01.01|-02.82", "center").y.to_bits(), (middle - (half - half * 0.25)).to_bits());
    // Recorded: centre at 1.3281842470169067, half height 0.16381603479385376; a shelf over the bed.
    let (middle, half): (f64, f64) = (1.328_184_247_016_906_7 - 0.075, 0.163_816_034_793_853_76);
    assert_eq!(value("Shelf|-02.97|+01.16|-01.72", "extents").y.to_bits(), (half * 0.25).to_bits());
    assert_eq!(value("Shelf|-02.97|+01.16|-01.72", "center").y.to_bits(), (middle - (half - half * 0.25)).to_bits());
}

#[test]
fn recordings_survive_conversion() {
    let Some(folder) = common::conformance() else { return };
    let world = common::room("medium");
    let file = path(&folder, "weZ1UVzKNaiTjaqu0DGI-preCreateGame-buildings-in-touching");
    let mut reader = goalspec_trace::open(&file, world, &ReadOptions::default()).unwrap();
    let trace = Trace::read(&mut reader, world).unwrap();
    let mut text = Vec::new();
    let mut writer = LinesWriter::new(&mut text, world, trace.header()).unwrap();
    assert_eq!(goalspec_trace::convert(&mut trace.cursor(), &mut writer), Ok(2039));
    let mut reader = goalspec_trace::from_reader(&text[..], world, &ReadOptions::default()).unwrap();
    let (mut expected, mut found) = (Delta::default(), Delta::default());
    let mut cursor = trace.cursor();
    while cursor.next(&mut expected).unwrap() {
        assert!(reader.next(&mut found).unwrap());
        assert_eq!(found, expected);
    }
    assert!(!reader.next(&mut found).unwrap());
}
