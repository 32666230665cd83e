//! The specification and the decoder of Freeway.

use super::{DecodeFn, FrameDecoder, GameSpec, digits};
use crate::class::{Class, ClassId};
use crate::object::GameObject;

const CHICKEN: ClassId = ClassId(1);
const CAR: ClassId = ClassId(2);
const SCORE: ClassId = ClassId(3);

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Freeway",
    actions: &["NOOP", "UP", "DOWN"],
    classes: &[
        Class::NO_OBJECT,
        Class::new("Chicken", (6, 8), [252, 252, 84]),
        Class::new("Car", (8, 10), CAR_COLORS[0]),
        Class::new("Score", (6, 8), [228, 111, 111]).at(49, 5).hud().tracked(0),
    ],
    slots: &[(CHICKEN, 2), (CAR, 10)],
    hud_slots: &[(SCORE, 2)],
    start,
    decode: DecodeFn::Infallible(decode),
};

/// The colours of the cars, from the top lane to the bottom.
const CAR_COLORS: [[u8; 3]; 10] = [
    [167, 26, 26],
    [180, 231, 117],
    [105, 105, 15],
    [228, 111, 111],
    [24, 26, 167],
    [162, 98, 33],
    [84, 92, 214],
    [184, 50, 50],
    [135, 183, 84],
    [210, 210, 64],
];

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.extend([SHEET.object(CHICKEN); 2]);
    let lanes = (27..).step_by(16);
    objects.extend(lanes.zip(CAR_COLORS).map(|(y, rgb)| GameObject { y, rgb, ..SHEET.object(CAR) }));
    if hud {
        objects.extend([SHEET.object(SCORE), GameObject { x: 113, ..SHEET.object(SCORE) }]);
    }
}

fn decode(scene: &mut FrameDecoder<'_>) {
    scene.objects[0].set_position(44, 193 - scene.ram[14]);
    scene.objects[1].set_position(108, 193 - scene.ram[15]);
    for (car, byte) in scene.objects[2..12].iter_mut().zip(scene.ram[108..=117].iter().rev()) {
        car.x = byte - 3;
    }
    if scene.hud {
        for ((score, byte), x) in scene.objects[12..].iter_mut().zip(&scene.ram[103..]).zip([41, 105]) {
            let points = digits(*byte);
            if points >= 10 {
                (score.x, score.w) = (x, 14);
            }
            score.value = Some(i32::from(points));
        }
    }
}
