//! The specification and the decoder of Pong.

use super::{DecodeFn, DecoderState, FrameDecoder, GameSpec};
use crate::class::{Class, ClassId};
use crate::object::GameObject;

const PLAYER: ClassId = ClassId(1);
const BALL: ClassId = ClassId(2);
const ENEMY: ClassId = ClassId(3);
const PLAYER_SCORE: ClassId = ClassId(4);
const ENEMY_SCORE: ClassId = ClassId(5);

const GREEN: [u8; 3] = [92, 186, 92];
const ORANGE: [u8; 3] = [213, 130, 74];

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Pong",
    actions: &["NOOP", "FIRE", "RIGHT", "LEFT", "RIGHTFIRE", "LEFTFIRE"],
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (4, 15), GREEN),
        Class::new("Ball", (2, 4), [236, 236, 236]),
        Class::new("Enemy", (4, 15), ORANGE),
        Class::new("PlayerScore", (12, 20), GREEN).at(116, 1).hud().tracked(0),
        Class::new("EnemyScore", (12, 20), ORANGE).at(36, 1).hud().tracked(0),
    ],
    slots: &[(PLAYER, 1), (BALL, 1), (ENEMY, 1)],
    hud_slots: &[(PLAYER_SCORE, 1), (ENEMY_SCORE, 1)],
    start,
    decode: DecodeFn::Infallible(decode),
};

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.extend([PLAYER, BALL, ENEMY].map(|class| SHEET.object(class)));
    if hud {
        objects.extend([PLAYER_SCORE, ENEMY_SCORE].map(|class| SHEET.object(class)));
    }
}

/// The upper edge of the field, at which paddles are clipped.
const TOP: i16 = 34;

fn decode(scene: &mut FrameDecoder<'_>) {
    let (ball_x, enemy, player, ball_y) = (scene.ram[49], scene.ram[50], scene.ram[51], scene.ram[54]);
    if ball_y != 0 && ball_x > 49 {
        scene.get_or_replace(1, BALL).set_position(ball_x - 49, ball_y - 14);
    } else {
        scene.clear(1);
    }
    if enemy > 33 {
        paddle(scene.get_or_replace(2, ENEMY), 16, (enemy - 15, enemy - 33, 209 - enemy), enemy < 49, enemy > 194);
    } else {
        scene.clear(2);
    }
    if player > 13 {
        paddle(&mut scene.objects[0], 140, (player - 13, player - 33, 207 - player), player < 47, player > 192);
    }
    if scene.hud {
        let points = [scene.ram[14], scene.ram[13]];
        let below_ten = if scene.quirks { 4 } else { 12 };
        score(&mut scene.objects[3], scene.memory, 0, points[0], (116, below_ten));
        score(&mut scene.objects[4], scene.memory, 1, points[1], (36, 12));
    }
}

/// Sets a paddle of 15 pixels, clipped at the upper or lower edge.
fn paddle(object: &mut GameObject, x: i16, (y, upper, lower): (i16, i16, i16), above: bool, below: bool) {
    object.set_position(x, if above { TOP } else { y });
    object.set_size(
        4,
        if above {
            upper
        } else if below {
            lower
        } else {
            15
        },
    );
}

/// Sets a score, whose position depends on its number of digits. `narrow` is the position and the width with one digit.
fn score(object: &mut GameObject, memory: &mut DecoderState, which: usize, points: i16, narrow: (i16, i16)) {
    let two_digits = &mut memory.two_digits[which];
    object.value = Some(i32::from(points));
    let wide = narrow.0 - 12;
    if points == 20 {
        object.set_position(wide - 4, 1);
        object.set_size(28, 20);
    } else if (points >= 10) != *two_digits {
        *two_digits = points >= 10;
        let (x, w) = if *two_digits { (wide, 24) } else { narrow };
        object.set_position(x, 1);
        object.set_size(w, 20);
    }
}
