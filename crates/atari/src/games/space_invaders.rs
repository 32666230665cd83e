//! The specification and the decoder of Space Invaders.

use super::{DecodeFn, DecodeResult, FrameDecoder, GameSpec, int};
use crate::class::{Class, ClassId};
use crate::object::GameObject;

const PLAYER: ClassId = ClassId(1);
const SHIELD: ClassId = ClassId(2);
const BULLET: ClassId = ClassId(3);
const SATELLITE: ClassId = ClassId(4);
const ALIEN: ClassId = ClassId(5);
const P1_SCORE: ClassId = ClassId(6);
const P2_SCORE: ClassId = ClassId(7);
const LIVES: ClassId = ClassId(8);

const GREEN: [u8; 3] = [92, 186, 92];
const BROWN: [u8; 3] = [162, 134, 56];

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "SpaceInvaders",
    actions: &["NOOP", "FIRE", "RIGHT", "LEFT", "RIGHTFIRE", "LEFTFIRE"],
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (7, 10), GREEN).at(0, 185),
        Class::new("Shield", (8, 18), [181, 83, 40]),
        Class::new("Bullet", (1, 10), [142, 142, 142]),
        Class::new("Satellite", (7, 8), [151, 25, 122]),
        Class::new("Alien", (8, 10), [134, 134, 29]),
        Class::new("P1Score", (60, 10), GREEN).at(4, 10).hud(),
        Class::new("P2Score", (60, 10), BROWN).at(84, 10).hud(),
        Class::new("Lives", (12, 10), BROWN).at(84, 185).hud().valued(),
    ],
    slots: &[(PLAYER, 1), (SHIELD, 3), (BULLET, 3), (SATELLITE, 1), (ALIEN, SIDE * SIDE)],
    hud_slots: &[(P1_SCORE, 1), (P2_SCORE, 1), (LIVES, 1)],
    start,
    decode: DecodeFn::Fallible(decode),
};

/// The aliens form a square with this number of rows and columns.
const SIDE: usize = 6;
/// The first slots of the classes.
const SHIELDS: usize = 1;
const BULLETS: usize = 4;
const SATELLITE_SLOT: usize = 7;
const ALIENS: usize = 8;
const DISPLAY: usize = ALIENS + SIDE * SIDE;
/// The upper edge of the shields.
const SHIELD_TOP: i16 = 157;
/// The number of RAM bytes of a shield, each of which encodes a row of two pixels.
const SHIELD_ROWS: usize = 9;

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.push(SHEET.object(PLAYER));
    objects.extend([42, 74, 106].map(|x| GameObject { x, y: SHIELD_TOP, ..SHEET.object(SHIELD) }));
    objects.extend([SHEET.object(BULLET); 3]);
    objects.push(GameObject::NO_OBJECT);
    objects.extend([SHEET.object(ALIEN); SIDE * SIDE]);
    if hud {
        objects.extend([P1_SCORE, P2_SCORE, LIVES].map(|class| SHEET.object(class)));
    }
}

fn decode(scene: &mut FrameDecoder<'_>) -> DecodeResult {
    scene.objects[0].set_position(scene.ram[28] - 1, 185);
    decode_aliens(scene)?;
    decode_shields(scene);
    for bullet in 0..3 {
        decode_bullet(scene, bullet);
    }
    let satellite = scene.ram[30];
    let flies = satellite != 0 && satellite != 180;
    if flies {
        scene.get_or_replace(SATELLITE_SLOT, SATELLITE).set_position(satellite - 1, 12);
    } else {
        scene.clear(SATELLITE_SLOT);
    }
    if scene.hud {
        scene.set_visible(DISPLAY, !flies);
        scene.set_visible(DISPLAY + 1, !flies);
        scene.set_visible(DISPLAY + 2, scene.ram[120] != 0);
        let lives = &mut scene.objects[DISPLAY + 2];
        (lives.value, lives.prev_value) = (Some(i32::from(scene.ram[73])), None);
    }
    Ok(())
}

/// Decodes the aliens. Bytes 18 to 23 encode which aliens are alive: a byte for each row from the bottom, a bit for each column.
fn decode_aliens(scene: &mut FrameDecoder<'_>) -> DecodeResult {
    let rows: [i16; SIDE] = std::array::from_fn(|row| scene.ram[18 + row]);
    let widest = rows.into_iter().max().unwrap_or(0);
    if scene.quirks && widest > 63 {
        return Err(("IndexError", "a row of aliens has more than six aliens"));
    }
    // If the last columns are empty in all rows, the remaining columns occupy the last slots.
    let empty = SIDE.saturating_sub((16 - widest.leading_zeros()) as usize);
    let all_alive = rows.into_iter().sum::<i16>() == 378;
    let shields = SHIELDS..SHIELDS + 3;
    if all_alive {
        shields.clone().for_each(|shield| scene.set_visible(shield, true));
    }
    let mut landed = false;
    for slot in 0..SIDE * SIDE {
        let (row, column) = (slot / SIDE, slot % SIDE);
        // The square is read from the lower right corner.
        let shift = column.checked_sub(empty);
        let alive = shift.is_some_and(|shift| rows[SIDE - 1 - row] >> shift & 1 == 1);
        let place = (scene.ram[26] - 1 + (int(column) - int(empty)) * 16, 31 + 2 * scene.ram[16] + 18 * int(row));
        let was = scene.objects[ALIENS + slot].class == ALIEN;
        if alive {
            let placed = was || !scene.quirks;
            let alien = scene.get_or_replace(ALIENS + slot, ALIEN);
            if placed {
                alien.set_position(place.0, place.1);
            }
        }
        landed |= (was || alive && !scene.quirks) && place.1 + 10 >= SHIELD_TOP;
        if !alive {
            scene.clear(ALIENS + slot);
        }
    }
    if landed {
        shields.for_each(|shield| scene.set_visible(shield, false));
    }
    Ok(())
}

/// Decodes the remaining part of each shield.
fn decode_shields(scene: &mut FrameDecoder<'_>) {
    let (mut above, mut below) = (0, 16);
    for shield in 0..3 {
        let rows = &scene.ram[43 + shield * SHIELD_ROWS..][..SHIELD_ROWS];
        let object = &mut scene.objects[SHIELDS + shield];
        let first = rows.iter().position(|row| *row != 0);
        let last = rows.iter().rev().position(|row| *row != 0);
        if let (Some(first), Some(last)) = (first, last) {
            (above, below) = (2 * int(first), 2 * int(last));
        } else if !scene.quirks {
            (above, below) = (0, 18);
        }
        object.set_position(42 + 32 * int(shield), SHIELD_TOP + above);
        object.set_size(8, 18 - above - below);
    }
}

/// Decodes a bullet: two of the aliens, then the player's.
fn decode_bullet(scene: &mut FrameDecoder<'_>, bullet: usize) {
    let (x, y) = [(83, 81), (84, 82), (87, 85)][bullet];
    let (x, y) = (scene.ram[x] - 2, 2 * scene.ram[y] + 3);
    let slot = BULLETS + bullet;
    // With quirks, the previous position determines whether the bullet is in flight; placeholders of empty slots have the position of
    // a bullet.
    let before = scene.objects[slot];
    let flies = (21..195).contains(if scene.quirks { &before.y } else { &y });
    if flies {
        scene.get_or_replace(slot, BULLET);
    } else if before.class == BULLET || !scene.quirks {
        scene.clear(slot);
        return;
    }
    let object = &mut scene.objects[slot];
    object.set_position(x, y);
    if bullet < 2 && y < 194 {
        if y + object.h > 195 {
            object.h = 194 - y;
        } else {
            object.set_size(1, 10);
        }
    }
}
