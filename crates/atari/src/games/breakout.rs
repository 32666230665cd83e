//! The specification and the decoder of Breakout.

use super::{DecodeFn, DecodeResult, FrameDecoder, GameSpec, int};
use crate::class::{Class, ClassId, ObjectEquality};
use crate::object::GameObject;

const PLAYER: ClassId = ClassId(1);
const BALL: ClassId = ClassId(2);
const BLOCK: ClassId = ClassId(3);
const PLAYER_SCORE: ClassId = ClassId(4);
const LIVE: ClassId = ClassId(5);
const PLAYER_NUMBER: ClassId = ClassId(6);

const GREY: [u8; 3] = [142, 142, 142];

pub(crate) static SHEET: GameSpec = GameSpec {
    name: "Breakout",
    actions: &["NOOP", "FIRE", "RIGHT", "LEFT"],
    classes: &[
        Class::NO_OBJECT,
        Class::new("Player", (16, 4), ROW_COLORS[0]).at(99, 189),
        Class::new("Ball", (2, 4), ROW_COLORS[0]),
        Class::new("Block", (8, 6), ROW_COLORS[5]),
        Class::new("PlayerScore", (44, 10), GREY)
            .at(36, 5)
            .hud()
            .equal(ObjectEquality::SamePosition { of: "PlayerScore" }),
        Class::new("Live", (12, 10), GREY).at(100, 5).hud(),
        Class::new("PlayerNumber", (4, 10), GREY).at(136, 5).hud(),
    ],
    slots: &[(PLAYER, 1), (BALL, 1), (BLOCK, ROWS * COLUMNS)],
    hud_slots: &[(PLAYER_SCORE, 1), (LIVE, 1), (PLAYER_NUMBER, 1)],
    start,
    decode: DecodeFn::Fallible(decode),
};

const ROWS: usize = 6;
const COLUMNS: usize = 18;
/// The first slot of the blocks.
const BLOCKS: usize = 2;
const DISPLAY: usize = BLOCKS + ROWS * COLUMNS;

/// The colours of the rows, from top to bottom.
const ROW_COLORS: [[u8; 3]; ROWS] =
    [[200, 72, 72], [198, 108, 58], [180, 122, 48], [162, 162, 42], [72, 160, 72], [66, 72, 200]];

/// The bit that encodes each block, by column: the index of the byte within the six bytes of the row, and the bit number.
const BITS: [(usize, i16); COLUMNS] = [
    (5, 6),
    (4, 6),
    (4, 4),
    (4, 2),
    (4, 0),
    (3, 0),
    (3, 2),
    (3, 4),
    (3, 6),
    (2, 4),
    (2, 6),
    (1, 6),
    (1, 4),
    (1, 2),
    (1, 0),
    (0, 0),
    (0, 2),
    (0, 4),
];

fn start(objects: &mut Vec<GameObject>, hud: bool) {
    objects.extend([PLAYER, BALL].map(|class| SHEET.object(class)));
    for rgb in ROW_COLORS {
        objects.push(GameObject { rgb, ..SHEET.object(BLOCK) });
        objects.extend([GameObject::NO_OBJECT; COLUMNS - 1]);
    }
    if hud {
        objects.extend([PLAYER_SCORE, LIVE, PLAYER_NUMBER].map(|class| SHEET.object(class)));
    }
}

fn decode(scene: &mut FrameDecoder<'_>) -> DecodeResult {
    let ram = &scene.ram;
    scene.objects[0].set_position(ram[72] - 47, 189);
    let (x, y) = (ram[99] - 49, ram[101]);
    if (1..=187).contains(&y) {
        scene.get_or_replace(1, BALL).set_position(x, y + 9);
    } else {
        scene.clear(1);
    }
    // `OCAtari` writes the first byte of each row with the minimum number of digits, and requires equal lengths in all rows.
    let long = scene.ram[..ROWS].iter().filter(|byte| **byte >= 64).count();
    if scene.quirks && !matches!(long, 0 | ROWS) {
        return Err(("ValueError", "the rows of blocks have different lengths"));
    }
    for row in 0..ROWS {
        decode_row(scene, row);
    }
    if scene.hud {
        decode_display(scene);
    }
    Ok(())
}

/// Decodes a row. Adjacent blocks are one object, in the slot of the first block.
fn decode_row(scene: &mut FrameDecoder<'_>, row: usize) {
    let present = BITS.map(|(byte, bit)| scene.ram[6 * byte + ROWS - 1 - row] >> bit & 1 == 1);
    let mut column = 0;
    while column < COLUMNS {
        let wide = present[column..].iter().take_while(|block| **block).count();
        if wide > 0 {
            let block = scene.get_or_replace(BLOCKS + row * COLUMNS + column, BLOCK);
            block.set_position(8 + 8 * int(column), 57 + 6 * int(row));
            block.set_size(8 * int(wide), 6);
            block.rgb = ROW_COLORS[row];
        }
        // The other slots of an object, and the slots of missing blocks, are empty.
        let end = (column + wide.max(1)).min(COLUMNS);
        for slot in column + wide.min(1)..end {
            scene.clear(BLOCKS + row * COLUMNS + slot);
        }
        column = end;
    }
}

fn decode_display(scene: &mut FrameDecoder<'_>) {
    // The digit one is narrower than other digits.
    let (x, w) = if scene.ram[76] == 1 { (40, 40) } else { (36, 44) };
    scene.objects[DISPLAY].set_position(x, 5);
    scene.objects[DISPLAY].set_size(w, 10);
    let lives = &mut scene.objects[DISPLAY + 1];
    match scene.ram[57] {
        1 => (lives.x, lives.w) = (104, 4),
        0 => (lives.x, lives.w) = (100, 12),
        _ => {}
    }
}
