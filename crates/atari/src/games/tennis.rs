//! The specification and the decoder of Tennis.

use super::{ALL_ACTIONS, DecodeFn, FrameDecoder, GameSpec};
use crate::class::{Class, ClassId, ObjectEquality};
use crate::object::GameObject;

const PLAYER: ClassId = ClassId(1);
const ENEMY: ClassId = ClassId(2);
const BALL: ClassId = ClassId(3);
const BALL_SHADOW: ClassId = ClassId(4);
const PLAYER_SCORE: ClassId = ClassId(5);
const ENEMY_SCORE: ClassId = ClassId(6);

const PINK: [u8; 3] = [240, 128, 128];
const BLUE: [u8; 3] = [117, 128, 240];
/// Scores of both classes are equal to a `PlayerScore` at the same position.
const SCORES: ObjectEquality = ObjectEquality::SamePosition { of: "PlayerScore" };

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Tennis",
    actions: ALL_ACTIONS,
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (13, 23), PINK),
        Class::new("Enemy", (13, 23), BLUE),
        Class::new("Ball", (2, 2), [236, 236, 236]),
        Class::new("BallShadow", (2, 2), [74, 74, 74]),
        Class::new("PlayerScore", (6, 7), PINK).at(49, 5).hud().equal(SCORES),
        Class::new("EnemyScore", (6, 7), BLUE).at(113, 5).hud().equal(SCORES),
    ],
    slots: &[(PLAYER, 1), (ENEMY, 1), (BALL, 1), (BALL_SHADOW, 1)],
    hud_slots: &[(PLAYER_SCORE, 1), (ENEMY_SCORE, 1)],
    start,
    decode: DecodeFn::Infallible(decode),
};

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.extend([PLAYER, ENEMY, BALL, BALL_SHADOW].map(|class| SHEET.object(class)));
    if hud {
        objects.extend([PLAYER_SCORE, ENEMY_SCORE].map(|class| SHEET.object(class)));
    }
}

fn decode(scene: &mut FrameDecoder<'_>) {
    let ram = scene.ram;
    let (upper, lower) = ((ram[26] - 1, 166 - ram[24]), (ram[27] - 1, 166 - ram[25]));
    let sides = match ram[80] {
        0 => Some((upper, lower)),
        1 => Some((lower, upper)),
        _ => None,
    };
    if let Some((player, enemy)) = sides {
        scene.objects[0].set_position(player.0, player.1);
        scene.objects[1].set_position(enemy.0, enemy.1);
    }
    let (x, ball, shadow) = (ram[16] - 2, 189 - ram[54], 189 - ram[55]);
    // The ball and the shadow are hidden behind the net, and the shadow is hidden under the ball.
    let in_play = x > 0;
    if in_play && !(99..113).contains(&ball) {
        scene.get_or_replace(2, BALL).set_position(x, ball);
    } else {
        scene.clear(2);
    }
    if in_play && !(101..113).contains(&shadow) && shadow != ball && shadow != 0 {
        scene.get_or_replace(3, BALL_SHADOW).set_position(x, shadow);
    } else {
        scene.clear(3);
    }
    if scene.hud {
        let (player, enemy) = (ram[7], ram[6]);
        score(&mut scene.objects[4], 49, ram[69], player, enemy);
        score(&mut scene.objects[5], 113, ram[70], enemy, player);
    }
}

/// Sets a score: the points or, after deuce, the text that the two display bytes encode.
fn score(object: &mut GameObject, x: i16, points: i16, own: i16, other: i16) {
    let (left, w) = match (own, other) {
        (8, _) | (10, 11) => (8, 22),
        (10, 12) => (8, 30),
        _ => match points {
            0 => (0, 6),
            1 => (7, 13),
            _ => (8, 14),
        },
    };
    object.set_position(x - left, 5);
    object.set_size(w, 7);
}
