// The drawing of the time line: one strip of pixels per lane in one image, stretched once.

import type { Row } from './document';
import { BROKEN, FURTHEST, SATISFIED, TILE_CELLS, levelFor } from './tiles';

export const ROW_HEIGHT = 22;
export const RULER_HEIGHT = 24;
/** Rows of pixels of a lane: a gap, then the top, the middle and the bottom, by which marks differ in shape as well as in colour. */
const STRIPS = 4;
/** Below this width of a state, marks are too small for signs. */
const SIGN_PIXELS = 9;

/** Colours as `#rrggbb`. */
export interface Palette {
  background: string;
  text: string;
  line: string;
  faint: string;
  progressFrom: string;
  progressTo: string;
  satisfied: string;
  broken: string;
  truth: string;
}

export const LIGHT: Palette = {
  background: '#ffffff',
  text: '#1b1f24',
  line: '#8a929c',
  faint: '#e6e9ed',
  progressFrom: '#a9c8e8',
  progressTo: '#2b6cb0',
  satisfied: '#1a6b3c',
  broken: '#b3400e',
  truth: '#5b5ea6',
};

export const DARK: Palette = {
  background: '#15181c',
  text: '#e8eaed',
  line: '#8a929c',
  faint: '#2a2f36',
  progressFrom: '#274a70',
  progressTo: '#7fb5ee',
  satisfied: '#5fd08f',
  broken: '#ff9a63',
  truth: '#a9acf0',
};

/** The visible states: from `from`, inclusive, to `to`, exclusive, both from 0 and possibly between two states. */
export interface Window {
  from: number;
  to: number;
}

export interface Drawing {
  rows: Row[];
  window: Window;
  states: number;
  /** The state, from 0, after the last one that is scored; later ones are hatched. */
  ended: number;
  first: number;
  /** The cells of a lane at a level in a tile, if they are there. */
  cells(id: number, level: number, tile: number): { kind: number; data: Uint8Array } | null;
  palette: Palette;
  ratio: number;
}

/** Returns a colour as a number in the byte order of image data. */
function packed(colour: string): number {
  const value = parseInt(colour.slice(1), 16);
  return 0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16);
}

function mixed(from: string, to: string, share: number): string {
  const part = (colour: string, at: number) => parseInt(colour.slice(at, at + 2), 16);
  const mix = (at: number) => Math.round(part(from, at) + (part(to, at) - part(from, at)) * share);
  return '#' + [1, 3, 5].map((at) => mix(at).toString(16).padStart(2, '0')).join('');
}

/** The colours of a row as numbers, by value of its cells. */
interface Shades {
  satisfied: number;
  broken: number;
  background: number;
  progress: Uint32Array;
  truth: Uint32Array;
}

// There are few palettes and few numbers of levels, and a picture has many rows.
const known = new Map<string, Shades>();

function shadesOf(palette: Palette, levels: number): Shades {
  const key = `${palette.background}/${levels}`;
  let shades = known.get(key);
  if (!shades) {
    const { faint, progressFrom, progressTo, truth } = palette;
    const share = (value: number) => (value === 0 ? faint : mixed(faint, truth, 0.35 + (0.65 * value) / 255));
    const step = (level: number) => (level === 0 ? faint : mixed(progressFrom, progressTo, Math.min(1, level / levels)));
    shades = {
      satisfied: packed(palette.satisfied),
      broken: packed(palette.broken),
      background: packed(faint),
      progress: Uint32Array.from({ length: 64 }, (_, level) => packed(step(level))),
      truth: Uint32Array.from({ length: 256 }, (_, value) => packed(share(value))),
    };
    known.set(key, shades);
  }
  return shades;
}

export class TimelinePainter {
  #context: CanvasRenderingContext2D;
  #strip = document.createElement('canvas');
  #image: ImageData | null = null;
  #pixels = new Uint32Array(0);

  constructor(canvas: HTMLCanvasElement) {
    this.#context = canvas.getContext('2d', { alpha: false })!;
  }

  /** Draws the visible rows. `width` and `height` are in CSS pixels. */
  draw(drawing: Drawing, width: number, height: number) {
    const { palette, ratio } = drawing;
    const context = this.#context;
    const columns = Math.max(1, Math.round(width));
    if (context.canvas.width !== Math.round(width * ratio) || context.canvas.height !== Math.round(height * ratio)) {
      context.canvas.width = Math.round(width * ratio);
      context.canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.background;
    context.fillRect(0, 0, width, height);
    this.#fillStrips(drawing, columns);
    if (drawing.rows.length > 0) {
      context.imageSmoothingEnabled = false;
      context.drawImage(this.#strip, 0, RULER_HEIGHT, width, drawing.rows.length * ROW_HEIGHT);
    }
    drawing.rows.forEach((row, index) => {
      if (row.values) this.#curve(drawing, row.values, width, RULER_HEIGHT + index * ROW_HEIGHT);
    });
    this.#signs(drawing, width);
    this.#end(drawing, width, height);
    this.#ruler(drawing, width, height);
  }

  #fillStrips(drawing: Drawing, columns: number) {
    const { rows, palette } = drawing;
    const height = Math.max(1, rows.length * STRIPS);
    if (!this.#image || this.#image.width !== columns || this.#image.height !== height) {
      this.#strip.width = columns;
      this.#strip.height = height;
      this.#image = new ImageData(columns, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
    }
    this.#pixels.fill(packed(palette.background));
    rows.forEach((row, index) => {
      if (row.id !== null) this.#fillRow(drawing, row, index * STRIPS * columns, columns);
    });
    this.#strip.getContext('2d')!.putImageData(this.#image, 0, 0);
  }

  #fillRow(drawing: Drawing, row: Row, start: number, columns: number) {
    const { window, states, palette } = drawing;
    const perPixel = (window.to - window.from) / columns;
    const wanted = levelFor(perPixel);
    const { satisfied, broken, background, progress, truth } = shadesOf(palette, row.levels);
    let tile = -1;
    let level = wanted;
    let found: { kind: number; data: Uint8Array } | null = null;
    for (let column = 0; column < columns; column++) {
      const from = Math.max(0, Math.floor(window.from + column * perPixel));
      const to = Math.min(states, Math.max(from + 1, Math.floor(window.from + (column + 1) * perPixel)));
      if (from >= to || window.from + (column + 1) * perPixel <= 0) continue;
      const needed = Math.floor(from / (4 ** wanted * TILE_CELLS));
      if (needed !== tile) {
        tile = needed;
        [found, level] = coarsest(drawing, row.id!, wanted, from);
      }
      if (!found) continue;
      const size = 4 ** level;
      const first = Math.floor(from / (size * TILE_CELLS)) * TILE_CELLS;
      const begin = Math.floor(from / size) - first;
      const end = Math.min(found.data.length - 1, Math.floor((to - 1) / size) - first);
      let furthest = 0;
      let marks = 0;
      for (let cell = begin; cell <= end; cell++) {
        const value = found.data[cell];
        if (found.kind === 1) furthest = Math.max(furthest, value);
        else {
          furthest = Math.max(furthest, value & FURTHEST);
          marks |= value;
        }
      }
      const colour = found.kind === 1 ? truth[furthest] : progress[furthest];
      const pixel = start + columns + column;
      const isSatisfied = found.kind === 0 && (marks & SATISFIED) !== 0;
      const isBroken = found.kind === 0 && (marks & BROKEN) !== 0;
      // Satisfied is solid over the whole height; broken leaves the middle open.
      this.#pixels[pixel] = isSatisfied ? satisfied : isBroken ? broken : colour;
      this.#pixels[pixel + columns] = isSatisfied ? satisfied : isBroken ? background : colour;
      this.#pixels[pixel + 2 * columns] = isSatisfied && !isBroken ? satisfied : isBroken ? broken : colour;
    }
  }

  #curve({ window, states, palette }: Drawing, values: Float64Array, width: number, top: number) {
    let low = 0;
    let high = 0;
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const range = high - low || 1;
    const y = (value: number) => top + ROW_HEIGHT - 3 - ((value - low) / range) * (ROW_HEIGHT - 6);
    const perPixel = (window.to - window.from) / width;
    const context = this.#context;
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.beginPath();
    const from = Math.max(0, Math.floor(window.from));
    const to = Math.min(states, values.length, Math.ceil(window.to) + 1);
    const step = Math.max(1, Math.floor(perPixel));
    let drawn = false;
    for (let state = from; state < to; state += step) {
      const x = (state + 0.5 - window.from) / perPixel;
      let least = Infinity;
      let greatest = -Infinity;
      for (let other = state; other < Math.min(to, state + step); other++) {
        if (!Number.isFinite(values[other])) continue;
        least = Math.min(least, values[other]);
        greatest = Math.max(greatest, values[other]);
      }
      // A curve has a gap where there is no value, and a value between two gaps is a dot.
      if (least > greatest) {
        drawn = false;
        continue;
      }
      if (!drawn) context.moveTo(x - 1, y(least));
      context.lineTo(drawn ? x : x + 1, y(least));
      if (greatest !== least) context.lineTo(x, y(greatest));
      drawn = true;
    }
    context.stroke();
  }

  /** Draws a tick or a cross on each mark, if there is room. */
  #signs(drawing: Drawing, width: number) {
    const { rows, window, palette } = drawing;
    const pixels = width / (window.to - window.from);
    if (pixels < SIGN_PIXELS) return;
    const context = this.#context;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = 'bold 12px system-ui, sans-serif';
    rows.forEach((row, index) => {
      if (!row.content || 'runs' in row.content) return;
      const y = RULER_HEIGHT + index * ROW_HEIGHT + ROW_HEIGHT / 2 + 2;
      const mark = (states: number[], sign: string, colour: string) => {
        context.fillStyle = colour;
        for (const state of states) {
          const x = (state - 0.5 - window.from) * pixels;
          if (x > -pixels && x < width + pixels) context.fillText(sign, x, y);
        }
      };
      mark(row.content.satisfied, '\u2713', palette.background);
      mark(row.content.broken, '\u2715', palette.broken);
    });
  }

  /** Hatches the states that are not scored. */
  #end({ window, ended, states, palette }: Drawing, width: number, height: number) {
    const perPixel = (window.to - window.from) / width;
    const from = Math.max(0, (ended - window.from) / perPixel);
    const to = Math.min(width, (states - window.from) / perPixel);
    if (ended >= states || from >= to) return;
    const context = this.#context;
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.save();
    context.beginPath();
    context.rect(from, RULER_HEIGHT, to - from, height);
    context.clip();
    context.beginPath();
    for (let x = from - height; x < to; x += 8) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.stroke();
    context.restore();
  }

  #ruler({ window, states, first, palette }: Drawing, width: number, height: number) {
    const context = this.#context;
    const perPixel = (window.to - window.from) / width;
    const step = Math.max(1, niceStep(perPixel * 80));
    context.fillStyle = palette.text;
    context.strokeStyle = palette.faint;
    context.textAlign = 'left';
    context.textBaseline = 'top';
    context.font = '11px system-ui, sans-serif';
    context.lineWidth = 1;
    const begin = Math.ceil((Math.max(0, window.from) + first) / step) * step;
    for (let number = begin; number - first < Math.min(states, window.to); number += step) {
      const x = (number - first + 0.5 - window.from) / perPixel;
      context.fillText(String(number), x + 3, 4);
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
    }
  }
}

/** The cells at the wanted level or, until they are there, at the nearest coarser one. */
function coarsest(drawing: Drawing, id: number, wanted: number, state: number): [{ kind: number; data: Uint8Array } | null, number] {
  for (let level = wanted; level <= 16; level++) {
    const found = drawing.cells(id, level, Math.floor(state / (4 ** level * TILE_CELLS)));
    if (found) return [found, level];
    if (4 ** level * TILE_CELLS >= drawing.states && level > wanted + 8) break;
  }
  return [null, wanted];
}

/** The smallest of 1, 2, 5, 10, 20 .. that is at least a length. */
function niceStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, length)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= length) ?? 10 * power;
}
