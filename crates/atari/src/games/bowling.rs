//! The specification and the decoder of Bowling.

use super::{DecodeFn, FrameDecoder, GameSpec, digits};
use crate::class::{Class, ClassId, ObjectEquality};
use crate::object::GameObject;

const PLAYER: ClassId = ClassId(1);
const BALL: ClassId = ClassId(2);
const PIN: ClassId = ClassId(3);
const PLAYER_SCORE: ClassId = ClassId(4);
const PLAYER_ROUND: ClassId = ClassId(5);
const PLAYER_2_ROUND: ClassId = ClassId(6);

const LIGHT: [u8; 3] = [84, 92, 214];
const DARK: [u8; 3] = [45, 50, 184];

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Bowling",
    actions: &["NOOP", "FIRE", "UP", "DOWN", "UPFIRE", "DOWNFIRE"],
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (8, 32), LIGHT),
        Class::new("Ball", (4, 10), DARK).at(22, 139),
        Class::new("Pin", (2, 4), DARK),
        Class::new("PlayerScore", (28, 15), LIGHT)
            .at(32, 19)
            .hud()
            .equal(ObjectEquality::SamePosition { of: "PlayerScore" }),
        Class::new("PlayerRound", (4, 10), DARK).at(40, 7).hud(),
        Class::new("Player2Round", (4, 10), DARK).at(120, 7).hud(),
    ],
    slots: &[(PLAYER, 1), (BALL, 1), (PIN, 10)],
    hud_slots: &[(PLAYER_SCORE, 1), (PLAYER_ROUND, 1), (PLAYER_2_ROUND, 1)],
    start,
    decode: DecodeFn::Infallible(decode),
};

/// The initial positions of the pins, from the front row to the back.
const PINS: [(i16, i16); 10] = [
    (121, 137),
    (125, 131),
    (125, 143),
    (129, 125),
    (129, 137),
    (129, 149),
    (133, 119),
    (133, 131),
    (133, 143),
    (133, 155),
];

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.extend([PLAYER, BALL].map(|class| SHEET.object(class)));
    objects.extend(PINS.map(|(x, y)| GameObject { x, y, ..SHEET.object(PIN) }));
    if hud {
        objects.extend([PLAYER_SCORE, PLAYER_ROUND, PLAYER_2_ROUND].map(|class| SHEET.object(class)));
    }
}

fn decode(scene: &mut FrameDecoder<'_>) {
    let ram = scene.ram;
    scene.objects[0].set_position(ram[29] + 8, 141 - 2 * ram[40]);
    scene.objects[1].set_position(ram[30] + 7, 163 - 2 * ram[41]);
    for pin in 0..10 {
        let column = ram[57 + pin];
        if column < 250 {
            let x = if column <= 120 { 135 - 2 * column } else { 264 };
            scene.get_or_replace(2 + pin, PIN).set_position(x, 169 - 2 * ram[47 + pin]);
        } else {
            scene.clear(2 + pin);
        }
    }
    if scene.hud {
        let (x, w) = score(ram[38], digits(ram[33]));
        scene.objects[12].set_position(x, 19);
        scene.objects[12].set_size(w, 15);
        match digits(ram[36]) {
            1 => {}
            10 => (scene.objects[13].x, scene.objects[13].w) = (24, 20),
            _ => (scene.objects[13].x, scene.objects[13].w) = (32, 12),
        }
    }
}

/// Returns the horizontal position and the width of the score. A leading digit one is narrow.
fn score(hundreds: i16, rest: i16) -> (i16, i16) {
    match (hundreds, rest) {
        (0, 1) => (56, 4),
        (0, ..10) => (48, 12),
        (0, ..20) => (40, 20),
        (0, _) => (32, 28),
        (1, _) => (24, 36),
        _ => (16, 44),
    }
}
