// Tiles of lanes: the same format as the server's, read and, in an exported page, made here.

import type { Run } from './types';

export const TILE_CELLS = 65536;
export const SATISFIED = 64;
export const BROKEN = 128;
export const FURTHEST = 63;

export interface TileData {
  level: number;
  /** The first state, from 0. */
  first: number;
  cells: number;
  /** By lane: the kind (0 progress, 1 truth) and one byte a cell; truth at level 0 is 0 or 255. */
  lanes: Map<number, { kind: number; data: Uint8Array }>;
}

/** What a lane consists of, with states from 1. */
export type LaneContent =
  | { levels: [number, number, number][]; satisfied: number[]; broken: number[] }
  | { runs: Run[] };

/** Reads a tile. */
export function readTile(buffer: ArrayBuffer): TileData {
  const view = new DataView(buffer);
  if (view.getUint32(0, false) !== 0x4753544c || view.getUint16(4, true) !== 1) throw new Error('unknown format of tiles');
  const level = view.getUint8(6);
  const count = view.getUint32(8, true);
  const first = Number(view.getBigUint64(12, true));
  const cells = view.getUint32(20, true);
  const lanes = new Map<number, { kind: number; data: Uint8Array }>();
  let at = 24;
  for (let lane = 0; lane < count; lane++) {
    const id = view.getUint32(at, true);
    const kind = view.getUint8(at + 4);
    const coding = view.getUint8(at + 5);
    const length = view.getUint32(at + 8, true);
    at += 12;
    const packed = kind === 1 && level === 0;
    const bytes = decode(coding, new Uint8Array(buffer, at, length), packed ? Math.ceil(cells / 8) : cells);
    lanes.set(id, { kind, data: packed ? unpack(bytes, cells) : bytes });
    at += length;
  }
  return { level, first, cells, lanes };
}

function decode(coding: number, data: Uint8Array, length: number): Uint8Array {
  if (coding === 1) return data.slice();
  const bytes = new Uint8Array(length);
  if (coding === 0) return bytes.fill(data[0]);
  let at = 0;
  for (let run = 0; run < data.length; run += 5) {
    const count = data[run + 1] | (data[run + 2] << 8) | (data[run + 3] << 16) | (data[run + 4] << 24);
    bytes.fill(data[run], at, at + count);
    at += count;
  }
  return bytes;
}

function unpack(bits: Uint8Array, cells: number): Uint8Array {
  const bytes = new Uint8Array(cells);
  for (let cell = 0; cell < cells; cell++) bytes[cell] = (bits[cell >> 3] >> (cell & 7)) & 1 ? 255 : 0;
  return bytes;
}

/** Makes the cells of a lane, as `readTile` returns them. */
export function makeCells(content: LaneContent, states: number, level: number, tile: number): Uint8Array {
  const size = 4 ** level;
  const first = tile * TILE_CELLS * size;
  const cells = Math.max(0, Math.min(TILE_CELLS, Math.ceil((states - first) / size)));
  const bytes = new Uint8Array(cells);
  const end = Math.min(states, first + cells * size);
  const each = (from: number, to: number, visit: (cell: number, begin: number, last: number) => void) => {
    const begin = Math.max(from - 1, first);
    const last = Math.min(to, end) - 1;
    if (begin > last) return;
    for (let cell = Math.floor((begin - first) / size); cell <= Math.floor((last - first) / size); cell++) visit(cell, begin, last);
  };
  if ('levels' in content) {
    for (const [from, to, value] of content.levels) {
      each(from, to, (cell) => (bytes[cell] = Math.max(bytes[cell], Math.min(value, 62))));
    }
    for (const state of content.satisfied) each(state, state, (cell) => (bytes[cell] |= SATISFIED));
    for (const state of content.broken) each(state, state, (cell) => (bytes[cell] |= BROKEN));
    return bytes;
  }
  const counts = new Float64Array(cells);
  for (const [from, to] of content.runs) {
    each(from, to, (cell, begin, last) => {
      const start = first + cell * size;
      counts[cell] += Math.min(last, start + size - 1) - Math.max(begin, start) + 1;
    });
  }
  for (let cell = 0; cell < cells; cell++) {
    const whole = Math.min(size, states - first - cell * size);
    const count = counts[cell];
    if (count > 0) bytes[cell] = count === whole ? 255 : Math.min(254, Math.max(1, Math.floor((255 * count) / whole)));
  }
  return bytes;
}

/** The level at which a cell covers at most one pixel. */
export function levelFor(statesPerPixel: number): number {
  return Math.min(16, Math.max(0, Math.floor(Math.log(Math.max(1, statesPerPixel)) / Math.log(4))));
}
