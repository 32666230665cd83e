// Tiles: what the server sends and what an exported page makes are the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'vite';

const [{ output }] = await build({
  logLevel: 'error',
  configFile: false,
  build: { write: false, minify: false, lib: { entry: 'src/lib/tiles.ts', formats: ['es'], fileName: 'tiles' } },
});
const { makeCells, readTile, levelFor, TILE_CELLS } = await import(
  'data:text/javascript;base64,' + Buffer.from(output[0].code).toString('base64')
);

/** Writes a tile as the server does, with one lane. */
function tile(kind, coding, level, cells, data) {
  const bytes = Buffer.alloc(36 + data.length);
  bytes.write('GSTL', 0);
  bytes.writeUInt16LE(1, 4);
  bytes.writeUInt8(level, 6);
  bytes.writeUInt32LE(1, 8);
  bytes.writeBigUInt64LE(0n, 12);
  bytes.writeUInt32LE(cells, 20);
  bytes.writeUInt32LE(5, 24);
  bytes.writeUInt8(kind, 28);
  bytes.writeUInt8(coding, 29);
  bytes.writeUInt32LE(data.length, 32);
  Buffer.from(data).copy(bytes, 36);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

test('every coding is read', () => {
  const read = (kind, coding, level, cells, data) => [...readTile(tile(kind, coding, level, cells, data)).lanes.get(5).data];
  assert.deepEqual(read(0, 0, 0, 4, [7]), [7, 7, 7, 7]);
  assert.deepEqual(read(0, 1, 0, 3, [1, 64, 130]), [1, 64, 130]);
  assert.deepEqual(read(0, 2, 0, 5, [1, 2, 0, 0, 0, 9, 3, 0, 0, 0]), [1, 1, 9, 9, 9]);
  assert.deepEqual(read(1, 1, 0, 10, [0b10000001, 0b10]), [255, 0, 0, 0, 0, 0, 0, 255, 0, 255]);
  assert.throws(() => readTile(new ArrayBuffer(40)));
});

test('a single state never disappears at any level', () => {
  const states = 1_000_003;
  for (let level = 0; level <= 10; level++) {
    const number = Math.floor(777_776 / (TILE_CELLS * 4 ** level));
    const truth = makeCells({ runs: [[777_777, 777_777]] }, states, level, number);
    const progress = makeCells({ levels: [], satisfied: [777_777], broken: [] }, states, level, number);
    assert.equal(truth.filter((share) => share > 0).length, 1, `level ${level}`);
    assert.equal(progress.filter((mark) => mark === 64).length, 1, `level ${level}`);
  }
});

test('shares are exact at the end of a trace of odd length', () => {
  assert.deepEqual([...makeCells({ runs: [[5, 5]] }, 5, 1, 0)], [0, 255]);
  assert.deepEqual([...makeCells({ runs: [[4, 5]] }, 5, 1, 0)], [63, 255]);
  assert.deepEqual([...makeCells({ runs: [[4, 5]] }, 6, 1, 0)], [63, 127]);
});

test('a level has at most one cell for a pixel and at least a quarter', () => {
  for (const [states, level] of [[0.1, 0], [1, 0], [3.9, 0], [4, 1], [17, 2], [1e12, 16]]) assert.equal(levelFor(states), level);
});
