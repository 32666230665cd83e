//! The specification and the decoder of Asterix.

use super::{DecodeFn, FrameDecoder, GameSpec, int, six_digits};
use crate::class::{Class, ClassId};
use crate::object::GameObject;

const PLAYER: ClassId = ClassId(1);
const REWARD: ClassId = ClassId(2);
const ENEMY: ClassId = ClassId(3);
const CONSUMABLE: ClassId = ClassId(4);
const SCORE: ClassId = ClassId(5);
const LIVES: ClassId = ClassId(6);

const GOLD: [u8; 3] = [187, 187, 53];
const GREY: [u8; 3] = [200, 200, 200];

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Asterix",
    actions: &["NOOP", "UP", "RIGHT", "LEFT", "DOWN", "UPRIGHT", "UPLEFT", "DOWNRIGHT", "DOWNLEFT"],
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (8, 11), GOLD),
        Class::new("Reward", (8, 11), GREY),
        Class::new("Enemy", (7, 11), [228, 111, 111]),
        Class::new("Consumable", (7, 11), GREY),
        Class::new("Score", (8, 11), GOLD).hud().valued(),
        Class::new("Lives", (6, 7), GOLD).hud(),
    ],
    slots: &[(PLAYER, 1), (REWARD, LANES), (ENEMY, LANES), (CONSUMABLE, LANES)],
    hud_slots: &[(SCORE, 1), (LIVES, 1)],
    start,
    decode: DecodeFn::Infallible(decode),
};

const LANES: usize = 8;
/// The first slots of the objects in the lanes.
const REWARDS: usize = 1;
const ENEMIES: usize = REWARDS + LANES;
const CONSUMABLES: usize = ENEMIES + LANES;
const DISPLAY: usize = CONSUMABLES + LANES;

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.push(SHEET.object(PLAYER));
    objects.extend([GameObject::NO_OBJECT; 3 * LANES]);
    if hud {
        objects.extend([SCORE, LIVES].map(|class| SHEET.object(class)));
    }
}

fn decode(scene: &mut FrameDecoder<'_>) {
    let ram = &scene.ram;
    // The width of Asterix, of the thinner Obelix, or of either of them lying down.
    let w = if ram[71] >= 82 {
        16
    } else if ram[54] < 5 {
        8
    } else {
        6
    };
    scene.objects[0].set_position(ram[41], 26 + ram[39] * 16);
    scene.objects[0].set_size(w, 11);
    for lane in 0..LANES {
        decode_lane(scene, lane);
    }
    if scene.hud {
        decode_display(scene);
    }
}

fn decode_lane(scene: &mut FrameDecoder<'_>, lane: usize) {
    let (x, y) = (scene.ram[42 + lane], 26 + 16 * int(lane));
    let (reward, enemy, consumable) = (REWARDS + lane, ENEMIES + lane, CONSUMABLES + lane);
    if scene.ram[18 - lane] == 11 {
        scene.clear(reward);
        if !scene.quirks {
            scene.clear(enemy);
            scene.clear(consumable);
        }
    } else if scene.ram[73 + lane] != 0 {
        scene.get_or_replace(reward, REWARD).set_position(x, y);
        scene.clear(enemy);
        scene.clear(consumable);
    } else if scene.ram[29 + lane] % 2 == 1 {
        scene.clear(reward);
        scene.clear(consumable);
        moving(scene, enemy, ENEMY).set_position(x, y);
    } else {
        scene.clear(reward);
        scene.clear(enemy);
        moving(scene, consumable, CONSUMABLE).set_position(x + 1, y + 1);
    }
}

/// `OCAtari` searches the rewards for enemies and consumables, finds none, and creates a new object in each frame.
fn moving<'s>(scene: &'s mut FrameDecoder<'_>, slot: usize, class: ClassId) -> &'s mut GameObject {
    if scene.quirks { scene.replace(slot, class) } else { scene.get_or_replace(slot, class) }
}

fn decode_display(scene: &mut FrameDecoder<'_>) {
    let points = six_digits(scene.ram[94], scene.ram[95], scene.ram[96]);
    let more_digits = points.checked_ilog10().unwrap_or(0) as i16;
    let score = &mut scene.objects[DISPLAY];
    (score.value, score.prev_value) = (Some(points), None);
    score.set_position(96 - 8 * more_digits, 184);
    score.set_size(6 + 8 * more_digits, 7);
    let lives = scene.ram[83];
    if lives >= 2 {
        // With quirks, an emptied slot is never filled again, although its position and size are updated.
        let quirks = scene.quirks;
        let shown = if quirks { &mut scene.objects[DISPLAY + 1] } else { scene.get_or_replace(DISPLAY + 1, LIVES) };
        shown.set_position(60, 169);
        shown.set_size(8 + 16 * (lives - 2), 11);
    } else if scene.objects[DISPLAY + 1].class == LIVES {
        scene.clear(DISPLAY + 1);
    }
}
