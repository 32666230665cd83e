//! The specification and the decoder of Seaquest.

use super::{ALL_ACTIONS, DecodeFn, FrameDecoder, GameSpec, int, six_digits};
use crate::class::{Class, ClassId, ObjectEquality, OrientationType};
use crate::object::{GameObject, Orientation};

const PLAYER: ClassId = ClassId(1);
const SHARK: ClassId = ClassId(2);
const SUBMARINE: ClassId = ClassId(3);
const DIVER: ClassId = ClassId(4);
const ENEMY_MISSILE: ClassId = ClassId(5);
const SURFACE_SUBMARINE: ClassId = ClassId(6);
const PLAYER_MISSILE: ClassId = ClassId(7);
const OXYGEN_BAR: ClassId = ClassId(8);
const COLLECTED_DIVER: ClassId = ClassId(9);
const PLAYER_SCORE: ClassId = ClassId(10);
const LIVES: ClassId = ClassId(11);
const OXYGEN_BAR_DEPLETED: ClassId = ClassId(12);

const GOLD: [u8; 3] = [187, 187, 53];
const YELLOW: [u8; 3] = [210, 210, 64];
const GREY: [u8; 3] = [170, 170, 170];
const BLUE: [u8; 3] = [66, 72, 200];

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Seaquest",
    actions: ALL_ACTIONS,
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (16, 11), GOLD).at(76, 46).facing(OrientationType::EastWest),
        Class::new("Shark", (8, 7), [92, 186, 92]),
        Class::new("Submarine", (8, 11), GREY),
        Class::new("Diver", (8, 11), BLUE),
        Class::new("EnemyMissile", (6, 4), BLUE),
        Class::new("SurfaceSubmarine", (8, 11), GREY).child_of("Submarine"),
        Class::new("PlayerMissile", (8, 1), GOLD),
        Class::new("OxygenBar", (63, 5), [214, 214, 214]).at(49, 170).hud().tracked(0),
        Class::new("CollectedDiver", (8, 9), [24, 26, 167]).hud(),
        Class::new("PlayerScore", (6, 8), YELLOW)
            .at(99, 9)
            .hud()
            .tracked(0)
            .equal(ObjectEquality::SamePosition { of: "PlayerScore" }),
        Class::new("Lives", (23, 8), YELLOW).at(58, 22).hud().tracked(3),
        Class::new("OxygenBarDepleted", (63, 5), [163, 57, 21]).at(49, 170).hud().tracked(64),
    ],
    slots: &[
        (PLAYER, 1),
        (SHARK, 12),
        (SUBMARINE, 12),
        (DIVER, 4),
        (ENEMY_MISSILE, 4),
        (SURFACE_SUBMARINE, 1),
        (PLAYER_MISSILE, 1),
        (OXYGEN_BAR, 1),
        (COLLECTED_DIVER, COLLECTED),
    ],
    hud_slots: &[(PLAYER_SCORE, 1), (LIVES, 1), (OXYGEN_BAR_DEPLETED, 1)],
    start,
    decode: DecodeFn::Infallible(decode),
};

const LANES: usize = 4;
const COLLECTED: usize = 6;
/// The first slots of the classes.
const SHARKS: usize = 1;
const SUBMARINES: usize = 13;
const DIVERS: usize = 25;
const MISSILES: usize = 29;
const SURFACE: usize = 33;
const OWN_MISSILE: usize = 34;
const OXYGEN: usize = 35;
const COLLECTION: usize = 36;
const SCORE: usize = 42;
/// Objects with a larger x coordinate have left the screen.
const RIGHT: i16 = 160;

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.push(GameObject { orientation: Some(Orientation::East), ..SHEET.object(PLAYER) });
    objects.extend([GameObject::NO_OBJECT; OXYGEN - 1]);
    objects.push(SHEET.object(OXYGEN_BAR));
    objects.extend([SHEET.object(COLLECTED_DIVER); COLLECTED]);
    if hud {
        objects.extend([PLAYER_SCORE, LIVES, OXYGEN_BAR_DEPLETED].map(|class| SHEET.object(class)));
    }
}

fn decode(scene: &mut FrameDecoder<'_>) {
    decode_player(scene);
    for lane in 0..LANES {
        for place in 0..3 {
            decode_enemy(scene, lane, place);
        }
        decode_shared(scene, lane);
    }
    let ram = scene.ram;
    if ram[60] >= 2 && ram[118] < RIGHT {
        scene.get_or_replace(SURFACE, SURFACE_SUBMARINE).set_position(ram[118], 45);
    } else {
        scene.clear(SURFACE);
    }
    if (1..RIGHT).contains(&ram[103]) {
        scene.get_or_replace(OWN_MISSILE, PLAYER_MISSILE).set_position(ram[103], ram[97] + 40);
    } else {
        scene.clear(OWN_MISSILE);
    }
    if ram[102] == 0 {
        scene.clear(OXYGEN);
    } else {
        let bar = scene.get_or_replace(OXYGEN, OXYGEN_BAR);
        bar.w = ram[102].min(63);
        bar.value = Some(i32::from(ram[102]));
    }
    decode_collected(scene);
    if scene.hud {
        decode_display(scene);
    }
}

fn decode_player(scene: &mut FrameDecoder<'_>) {
    let (x, y) = (scene.ram[70], scene.ram[97] + 33);
    let orientation = Some(if scene.ram[86] == 0 { Orientation::East } else { Orientation::West });
    let dying = (1..15).contains(&scene.ram[105]);
    if scene.quirks || !dying {
        // With quirks, the placeholder of the empty slot receives the position and orientation of a player, too.
        scene.objects[0].set_position(x, y);
        scene.objects[0].orientation = orientation;
    }
    let present = scene.objects[0].class == PLAYER;
    if dying && present {
        scene.clear(0);
    } else if !dying && !present {
        let player = scene.replace(0, PLAYER);
        player.orientation = Some(Orientation::East);
    }
    if !scene.quirks && !dying {
        scene.objects[0].set_position(x, y);
        scene.objects[0].orientation = orientation;
    }
}

/// Returns whether the enemies of a lane, numbered from the lowest, are submarines rather than sharks.
fn has_submarines(scene: &FrameDecoder<'_>, lane: usize) -> bool {
    (4..7).contains(&(scene.ram[89 + lane] % 8))
}

/// Decodes one of up to three adjacent enemies that move through a lane.
fn decode_enemy(scene: &mut FrameDecoder<'_>, lane: usize, place: usize) {
    let (shark, submarine) = (SHARKS + 3 * lane + place, SUBMARINES + 3 * lane + place);
    let x = (scene.ram[30 + lane] + 16 * int(place)) % 256;
    let y = 141 - 24 * int(lane);
    let present = scene.ram[36 + lane] >> (2 - place) & 1 == 1 && x <= 165;
    let submarines = has_submarines(scene, lane);
    if !scene.quirks && submarines || !present {
        scene.clear(shark);
    }
    if !scene.quirks && !submarines || !present {
        scene.clear(submarine);
    }
    if present && submarines {
        scene.get_or_replace(submarine, SUBMARINE).set_position(x, y);
    } else if present {
        let bob = scene.ram[93] - 4;
        scene.get_or_replace(shark, SHARK).set_position(x, y + bob);
    }
}

/// Decodes the byte that the diver of a lane shares with the missile of its submarines.
fn decode_shared(scene: &mut FrameDecoder<'_>, lane: usize) {
    let (x, y) = (scene.ram[71 + lane], 141 - 24 * int(lane));
    let (diver, missile) = (DIVERS + LANES - 1 - lane, MISSILES + LANES - 1 - lane);
    let submarines = has_submarines(scene, lane);
    let (slot, other) = if submarines { (missile, diver) } else { (diver, missile) };
    if !(1..RIGHT).contains(&x) {
        scene.clear(slot);
        if !scene.quirks {
            scene.clear(other);
        }
        return;
    }
    if submarines {
        scene.get_or_replace(missile, ENEMY_MISSILE).set_position(x + 3, y + 4);
    } else {
        scene.get_or_replace(diver, DIVER).set_position(x, y);
    }
    scene.clear(other);
}

fn decode_collected(scene: &mut FrameDecoder<'_>) {
    for diver in 0..COLLECTED {
        let slot = COLLECTION + diver;
        if int(diver) >= scene.ram[62] {
            scene.clear(slot);
        } else if !scene.quirks || scene.objects[slot].is_no_object() {
            // With quirks, the initial objects keep their positions.
            scene.get_or_replace(slot, COLLECTED_DIVER).set_position(58 + 8 * int(diver), 178);
        }
    }
}

fn decode_display(scene: &mut FrameDecoder<'_>) {
    let ram = scene.ram;
    let points = six_digits(ram[56], ram[57], ram[58]);
    let more_digits = match points {
        0 => 0,
        1..100 => 1,
        _ => points.ilog10() as i16,
    };
    let score = &mut scene.objects[SCORE];
    score.value = Some(points);
    score.set_position(99 - 8 * more_digits, 9);
    score.set_size(6 + 8 * more_digits, 8);
    if ram[59] > 0 {
        let lives = if scene.quirks { scene.replace(SCORE + 1, LIVES) } else { scene.get_or_replace(SCORE + 1, LIVES) };
        lives.set_size(8 * ram[59] - 1, 8);
        lives.value = Some(i32::from(ram[59]));
    } else {
        scene.clear(SCORE + 1);
    }
    if ram[102] == 64 {
        scene.clear(SCORE + 2);
    } else {
        let depleted = scene.get_or_replace(SCORE + 2, OXYGEN_BAR_DEPLETED);
        depleted.set_position(49 + ram[102], 170);
        depleted.set_size(63 - ram[102], 5);
        depleted.value = Some(i32::from(63 - ram[102]));
    }
}
