//! The specification and the decoder of Boxing.

use super::{ALL_ACTIONS, DecodeFn, FrameDecoder, GameSpec};
use crate::class::{Class, ClassId, ObjectEquality};
use crate::object::{ClassAttributes, GameObject};

const PLAYER: ClassId = ClassId(1);
const ENEMY: ClassId = ClassId(2);
const PLAYER_SCORE: ClassId = ClassId(3);
const ENEMY_SCORE: ClassId = ClassId(4);
const CLOCK: ClassId = ClassId(5);

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Boxing",
    actions: ALL_ACTIONS,
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (14, 46), [214, 214, 214]).arms(),
        Class::new("Enemy", (14, 46), [0, 0, 0]).arms(),
        Class::new("PlayerScore", (6, 7), [214, 214, 214])
            .at(47, 5)
            .hud()
            .tracked(0)
            .equal(ObjectEquality::SamePosition { of: "PlayerScore" }),
        Class::new("EnemyScore", (6, 7), [0, 0, 0]).at(111, 5).hud().tracked(0),
        Class::new("Clock", (30, 7), [20, 60, 0]).at(63, 17).hud(),
    ],
    slots: &[(PLAYER, 1), (ENEMY, 1)],
    hud_slots: &[(PLAYER_SCORE, 1), (ENEMY_SCORE, 1), (CLOCK, 1)],
    start,
    decode: DecodeFn::Infallible(decode),
};

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.extend([PLAYER, ENEMY].map(|class| SHEET.object(class)));
    if hud {
        objects.extend([PLAYER_SCORE, ENEMY_SCORE, CLOCK].map(|class| SHEET.object(class)));
    }
}

fn decode(scene: &mut FrameDecoder<'_>) {
    let ram = &scene.ram;
    scene.objects[0].set_position(ram[32] + 5, ram[34] + 38);
    scene.objects[0].class_attributes = ClassAttributes::Arms { right: scene.bytes[57], left: scene.bytes[55] };
    scene.objects[1].set_position(ram[33] + 4, ram[35] + 38);
    scene.objects[1].class_attributes = ClassAttributes::Arms { right: scene.bytes[59], left: scene.bytes[61] };
    if scene.hud {
        let wide_above = if scene.quirks { 10 } else { 9 };
        score(&mut scene.objects[2], ram[18], wide_above, 47);
        score(&mut scene.objects[3], ram[19], wide_above, 111);
    }
}

fn score(object: &mut GameObject, points: i16, wide_above: i16, x: i16) {
    object.value = Some(i32::from(points));
    (object.x, object.w) = if points > wide_above { (x - 8, 14) } else { (x, 6) };
}
